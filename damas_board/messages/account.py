"""The account of an alert: what was lifted, where it rested, how long, what was played, as keys and values; pure.

What a board can say. It sees squares become empty and occupied; it never sees a hand. So a line says which piece went
up and where one came down, not who moved it, and `side` is always whose piece it was. Where several pieces were in the
air, which of them came down is read from the move that was recorded, from its colour where the board senses that, or is
told as one of several.

What lasted less than a touch is told in one line a square (`flickered`): a bounce, a piece that slid across, a hand.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from damas_board.messages.course import Body, Course, names
from damas_board.notation.fen import read_fen
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant
from damas_board.session.inputs import Button, Command, Input, Lever, Link, See
from damas_board.session.onlookers import Onlookers
from damas_board.tracking.sight import NOTHING, SightReader, remembered

_NOT_KINGS = str.maketrans({"w": ".", "b": ".", "o": ".", "?": "."})


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One thing that happened; the words for `key`, filled with `values`, are at the edge."""

    key: str
    at: float
    """Seconds on the recording's scale."""
    values: Mapping[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        return {"key": self.key, "at": self.at, **self.values}


def account(
    course: Course, alert: Body, variant: Variant, fen: str, since: float, until: float
) -> Iterator[AccountLine]:
    """The lines between two times, in order; `fen` is the position that stood at `since`.

    The first is `alert`, the last is how it was closed: `closed_by_command`, `closed` or `open`. Commands that are
    about the alert are told whenever they came.
    """
    header = course.header
    facts = {key: value for key, value in alert.items() if key not in ("event", "at", "evidence")}
    why = {key: value for key, value in alert["evidence"].items() if key not in ("from", "to", "trail")}
    place = {"board": header.board, "game": course.game, "regulation": header.regulation, "utc": header.utc}
    more = {"round": header.round, "table": header.table, "players": header.players}
    yield AccountLine("alert", float(alert["at"]), {**facts, **why, **place, **more})
    inputs = [item for item in course.inputs if since <= item.at <= until]
    told = [
        *((line.at, 0, line) for line in _pieces(inputs, course, variant, fen)),
        *((item.at, 1, line) for item in inputs for line in _input(item)),
        *((line.at, 2, line) for line in _told(course, alert, since, until)),
        *((line.at, 3, line) for line in _commands(course, alert, since, until)),
    ]
    yield from (line for _, _, line in sorted(told, key=lambda entry: entry[:2]))
    yield _ending(course, alert)


def _input(item: Input) -> Iterator[AccountLine]:
    match item:
        case Lever():
            yield AccountLine("lever", item.at, {"side": item.side})
        case Button(button="adjust"):
            yield AccountLine("adjust", item.at, {"side": item.side})
        case Link(state="lost"):
            yield AccountLine("link_lost", item.at, {"reason": item.reason})
        case Link():
            yield AccountLine("link_back", item.at)
        case _:
            pass


_KEPT: Mapping[str, tuple[str, ...]] = {
    "move": ("ply", "side", "move", "captured", "irregular", "basis"),
    "move_revised": ("ply", "side", "move", "was", "captured", "irregular", "basis"),
    "moves_retracted": ("from_ply", "reason"),
    "board": ("state", "put", "clear"),
    "position_set": ("fen", "by"),
    "game_over": ("result", "reason"),
    "game_reopened": (),
}
"""The events that are told beside alerts and commands, and their keys."""
_AGREES = ("ready", "in_play")
"""States of a board that are told only behind one in which it did not agree with the record."""


def _told(course: Course, alert: Body, since: float, until: float) -> Iterator[AccountLine]:
    kinds = {other["id"]: other["kind"] for other in course.alerts}
    agrees = True
    for event in course.events:
        at, name = float(event["at"]), str(event["event"])
        if not since <= at <= until:
            continue
        if name == "board":
            agreed, agrees = agrees, event["state"] in _AGREES
            if agrees and agreed:
                continue
        if name == "alert" and event["id"] == alert["id"]:
            yield AccountLine("raised", at)
        elif name == "alert":
            yield AccountLine("other_alert", at, {key: event[key] for key in ("id", "kind", "side", "squares", "ply")})
        elif name == "alert_closed" and event["id"] != alert["id"]:
            how = {"id": event["id"], "kind": kinds.get(event["id"]), "how": event["how"]}
            yield AccountLine("other_closed", at, how)
        elif name in _KEPT and event.get("state") != "lost":
            yield AccountLine(name, at, {key: event.get(key) for key in _KEPT[name]})


def _commands(course: Course, alert: Body, since: float, until: float) -> Iterator[AccountLine]:
    commands = course.commands
    closer = course.closed_by(alert)
    for event in course.events:
        if event["event"] != "command" or event["reason"] == "repeated":
            continue
        command = commands.get(event["id"])
        about = command is not None and (names(command, alert) or command is closer)
        if about or since <= float(event["at"]) <= until:
            values = {key: event[key] for key in ("id", "do", "by", "outcome", "reason")}
            arguments = {} if command is None else dict(command.arguments)
            note = None if command is None else command.note
            yield AccountLine("command", float(event["at"]), {**values, "note": note, "arguments": arguments})


def _ending(course: Course, alert: Body) -> AccountLine:
    closing = course.closing(alert)
    if closing is None:
        return AccountLine("open", max([float(alert["at"]), *(item.at for item in course.inputs[-1:])]))
    how: dict[str, Any] = {"how": closing["how"]}
    command = course.closed_by(alert)
    if command is not None:
        by = {"do": command.do, "id": command.id, "by": command.by, "note": command.note}
        return AccountLine("closed_by_command", float(closing["at"]), {**how, **by})
    at_once = [
        e for e in course.events if e["at"] == closing["at"] and e["event"] == "move" and e["ply"] > alert["ply"]
    ]
    if at_once:
        return AccountLine("closed_by_move", float(closing["at"]), {**how, "move": at_once[0]["move"]})
    return AccountLine("closed", float(closing["at"]), how)


# --- pieces


@dataclass(frozen=True, slots=True)
class _Change:
    """A square became occupied, or empty."""

    at: float
    square: int
    occupied: bool
    unseen: bool
    """It happened while the board was not connected."""
    side: Side | None
    """The colour of what came down, where the board senses it."""


@dataclass(slots=True)
class _Piece:
    side: Side | None
    king: bool
    since: float = -math.inf
    """When it came down there, where that was within the account."""
    captured: bool = False

    def stood_at(self, at: float) -> bool:
        return self.since <= at


@dataclass(slots=True)
class _Lift:
    """A piece in the air, or off the board."""

    at: float
    square: int
    piece: _Piece
    landed: bool = False


def _pieces(inputs: Sequence[Input], course: Course, variant: Variant, fen: str) -> list[AccountLine]:
    """What the pieces did, as far as the readings show it."""
    if not inputs:
        return []
    changes, flickers = _changes(inputs, course, variant)
    until = inputs[-1].at
    moves = [e for e in course.events if e["event"] in ("move", "move_revised") and inputs[0].at <= e["at"] <= until]
    pieces = _Pieces(variant, read_fen(fen, variant), moves, course.header.settings.touch_seconds)
    for change in changes:
        pieces.follow(change)
    return [*pieces.lines(), *flickers, *_crowns(inputs, course, variant)]


class _Pieces:
    """Follows pieces over the changes; `lines` tells what each lift and each landing was."""

    def __init__(self, variant: Variant, position: Position, moves: Sequence[Body], touch: float) -> None:
        self._variant = variant
        self._name = variant.geometry.name
        self._standing = {
            s: _Piece(position.side_at(s), bool(position.kings >> s & 1)) for s in squares_of(position.occupied)
        }
        self._moves = list(moves)
        self._touch = touch
        self._next = 0
        self._lifts: list[_Lift] = []
        self._lines: list[AccountLine | _Lift] = []
        self._late: dict[int, _Piece] = {}
        """Pieces that came down elsewhere before their square read empty."""

    def follow(self, change: _Change) -> None:
        self._record_up_to(change.at)
        if change.unseen:
            key = "appeared_unseen" if change.occupied else "gone_unseen"
            self._lines.append(AccountLine(key, change.at, {"square": self._name(change.square)}))
        if not change.occupied:
            self._lifted(change)
        elif change.unseen:
            self._standing[change.square] = _Piece(change.side, False)
        else:
            self._landed(change)

    def lines(self) -> list[AccountLine]:
        return [line if isinstance(line, AccountLine) else self._lift_line(line) for line in self._lines]

    def _record_up_to(self, at: float) -> None:
        """What the recorded moves say of the pieces that stood then: crowned ones, and captured ones."""
        while self._next < len(self._moves) and self._moves[self._next]["at"] <= at:
            move = self._moves[self._next]
            self._next += 1
            position = read_fen(move["fen"], self._variant)
            aloft = [(lift.square, lift.piece) for lift in self._lifts if not lift.landed]
            for square, piece in [*self._standing.items(), *aloft]:
                if not piece.stood_at(_down(move) + self._touch):
                    continue
                if self._name(square) in move["captured"]:
                    piece.captured = True
                elif self._standing.get(square) is piece and position.occupied >> square & 1:
                    piece.side, piece.king = position.side_at(square), bool(position.kings >> square & 1)
                    piece.captured = False

    def _lifted(self, change: _Change) -> None:
        piece = self._standing.pop(change.square, None) or _Piece(None, False)
        lift = _Lift(change.at, change.square, piece, self._late.pop(change.square, None) is piece)
        if not change.unseen:
            self._lifts.append(lift)
            self._lines.append(lift)

    def _landed(self, change: _Change) -> None:
        square = self._name(change.square)
        lift = self._which(change)
        if isinstance(lift, _Lift):
            lift.landed = True
            self._standing[change.square] = _Piece(change.side or lift.piece.side, lift.piece.king, change.at)
            seconds = round(change.at - lift.at, 3)
            values = {"square": square, "seconds": seconds, **_label(self._standing[change.square])}
            if lift.square == change.square:
                self._lines.append(AccountLine("put_back", change.at, values))
            else:
                self._lines.append(AccountLine("came_down", change.at, {**values, "from": self._name(lift.square)}))
            return
        self._standing[change.square] = _Piece(change.side, False, change.at)
        values = {"square": square, **_label(self._standing[change.square])}
        if lift:
            among = [self._name(one.square) for one in lift]
            self._lines.append(AccountLine("came_down_one_of", change.at, {**values, "among": among}))
        else:
            self._lines.append(AccountLine("came_down_new", change.at, values))

    def _which(self, change: _Change) -> _Lift | list[_Lift]:
        """The piece that came down, or all that it may have been: by the record, by its square, by what is left."""
        square = self._name(change.square)
        aloft = [lift for lift in self._lifts if not lift.landed and not lift.piece.captured]
        move = self._ended(change)
        if move is not None:
            return self._moved(move, aloft, change)
        able = [lift for lift in aloft if change.side is None or lift.piece.side in (None, change.side)]
        later = [move for move in self._moves if _down(move) > change.at]
        for move in later[:1]:
            if square in move["path"][1:-1] and (moved := self._of_path(move, square, able)):
                return moved[-1]
        able = [lift for lift in able if not self._taken(lift, change.at)]
        same = [lift for lift in able if lift.square == change.square]
        if same or len(able) == 1:
            return (same or able)[-1]
        for move in later:
            if square in move["path"][1:]:
                moved = self._of_path(move, square, able)
                left = [lift for lift in able if self._name(lift.square) not in move["captured"]]
                if moved or len(left) == 1:
                    return (moved or left)[-1]
        return able

    def _ended(self, change: _Change) -> Body | None:
        """The recorded move that ended when that piece came down, as it was recorded last."""
        square = self._name(change.square)
        for move in reversed(self._moves):
            if move["to"] == square and move["down"] is not None and abs(move["down"] - change.at) < self._touch:
                return move
        return None

    def _moved(self, move: Body, aloft: Sequence[_Lift], change: _Change) -> _Lift | list[_Lift]:
        """The piece that made a recorded move: from its path, or one that rested elsewhere before."""
        side = next(side for side in Side if side.label == move["side"])
        moved = self._of_path(move, move["to"], aloft)
        start = self._variant.geometry.square(move["path"][0])
        standing = self._standing.get(start)
        if not moved and standing is not None and standing.side is side and not standing.captured:
            self._late[start] = standing
            moved = [_Lift(change.at, start, standing)]
        if moved:
            moved[-1].piece.side = side
            return moved[-1]
        left = [
            lift
            for lift in aloft
            if lift.square != change.square
            and lift.piece.side in (None, side)
            and self._name(lift.square) not in move["captured"]
        ]
        return left[0] if len(left) == 1 else left

    def _of_path(self, move: Body, square: str, lifts: Sequence[_Lift]) -> list[_Lift]:
        """The lifts from where the piece of `move` came by before `square`."""
        path = move["path"]
        before = path[: path.index(square, 1)]
        return [lift for lift in lifts if self._name(lift.square) in before]

    def _taken(self, lift: _Lift, until: float) -> bool:
        """Whether a move that had come down by then captured that piece."""
        return lift.piece.captured or any(
            self._name(lift.square) in move["captured"]
            for move in self._moves[self._next :]
            if lift.piece.stood_at(_down(move) + self._touch) and _down(move) <= until
        )

    def _lift_line(self, lift: _Lift) -> AccountLine:
        square, piece = self._name(lift.square), lift.piece
        key = "lifted" if lift.landed else "captured_off" if self._captured(lift) else "not_down"
        values: dict[str, Any] = {"square": square, **_label(piece)}
        rested = {} if piece.since == -math.inf else {"rested": round(lift.at - piece.since, 3)}
        return AccountLine(key, lift.at, {**values, **rested})

    def _captured(self, lift: _Lift) -> bool:
        """Whether a piece that did not come down again was captured: the record says so, then or at the next chance."""
        square = self._name(lift.square)
        for move in self._moves:
            if move["at"] >= lift.at and square in move["captured"]:
                return True
            if _down(move) > lift.at and square in move["path"]:
                break
        return lift.piece.captured


def _down(move: Body) -> float:
    """When the piece of a recorded move came down, else when the move was recorded."""
    return float(move["at"] if move["down"] is None else move["down"])


def _label(piece: _Piece) -> dict[str, Any]:
    """Whose piece and which; nothing where that is not known."""
    return {} if piece.side is None else {"side": piece.side.label, "king": piece.king}


def _changes(inputs: Sequence[Input], course: Course, variant: Variant) -> tuple[list[_Change], list[AccountLine]]:
    """What changed for longer than a touch, in order, and the flickers, one line a square."""
    touch = course.header.settings.touch_seconds
    by_square: dict[int, list[_Change]] = defaultdict(list)
    for change in _raw_changes(inputs, course, variant):
        by_square[change.square].append(change)
    lasting: list[_Change] = []
    flickers: list[AccountLine] = []
    for square, series in by_square.items():
        kept, short = _without_flickers(series, touch)
        lasting += kept
        if short:
            values = {"square": variant.geometry.name(square), "times": len(short), "longest": max(short.values())}
            flickers.append(AccountLine("flickered", min(short), values))
    return sorted(lasting, key=lambda change: (change.at, change.occupied)), flickers


def _without_flickers(series: list[_Change], touch: float) -> tuple[list[_Change], dict[float, float]]:
    """The changes of one square that lasted, and when shorter states began and how long they were; shortest first."""
    short: dict[float, float] = {}
    kept = list(series)
    while True:
        lengths = [
            (round(b.at - a.at, 3), index) for index, (a, b) in enumerate(pairwise(kept)) if not (a.unseen or b.unseen)
        ]
        if not lengths or min(lengths)[0] >= touch:
            return kept, short
        length, index = min(lengths)
        short[kept[index].at] = length
        del kept[index : index + 2]


def _raw_changes(inputs: Sequence[Input], course: Course, variant: Variant) -> Iterator[_Change]:
    onlookers = Onlookers(variant.geometry, course.turn_at(inputs[0].at))
    sight = NOTHING
    lost = False
    for item in inputs:
        if isinstance(item, Command) and onlookers.turn != (turn := course.turn_at(item.at)):
            onlookers, sight = Onlookers(variant.geometry, turn), NOTHING
        if isinstance(item, Link):
            if item.state == "lost":
                onlookers.lose(item.by, item.at)
            else:
                onlookers.back(item.by, item.at)
            lost = lost or onlookers.lost
        if not isinstance(item, See):
            continue
        onlookers.read(item)
        now = remembered(onlookers.now, sight)
        at = item.at if item.was is None else item.was
        if sight.known:
            for square in squares_of(now.occupied ^ sight.occupied):
                bit = 1 << square
                side = Side.WHITE if now.white & bit else Side.BLACK if now.black & bit else None
                yield _Change(at, square, bool(now.occupied & bit), lost, side)
        sight, lost = now, False


def _crowns(inputs: Sequence[Input], course: Course, variant: Variant) -> Iterator[AccountLine]:
    """Where a board that senses kind saw a piece be crowned, or its crown go, on its square."""
    if course.header.senses != "kind":
        return
    reader = SightReader(variant.geometry, course.turn_at(inputs[0].at))
    before: tuple[int, int] | None = None
    several = {item.by for item in inputs if isinstance(item, See)}
    for item in inputs:
        if isinstance(item, Command) and reader.turn != (turn := course.turn_at(item.at)):
            reader, before = SightReader(variant.geometry, turn), None
        if isinstance(item, See) and (item.by is None or None not in several):
            kings = reader.read(item.rows.translate(_NOT_KINGS), NOTHING).occupied
            occupied = reader.read(item.rows, NOTHING).occupied
            if before is not None:
                for square in squares_of((kings ^ before[0]) & occupied & before[1]):
                    key = "crowned" if kings >> square & 1 else "uncrowned"
                    yield AccountLine(key, item.at, {"square": variant.geometry.name(square)})
            before = kings, occupied
