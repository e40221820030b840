"""One board's game: inputs in, events out, with no clock of its own.

How it works. `feed` first does everything that fell due before the input, each thing at its own time, then takes the
input; so the events depend on the inputs and not on how punctually anyone woke up. Four things fall due: a touch has
outlasted a bounce, the board has settled, it has rested, or it has stood too long on something that nothing explains.

Readings extend the chains of complete boards (tracking.chains). When the board has settled on the head of one chain,
that chain's plies are recorded: from the recorded position they are new moves; from the position before the last ply
they revise it, or take it back. A board that settles on nothing is compared with a capture under way, with a piece in
the hand, and with two plies in one reading; otherwise it is waited for. Where a link was lost nothing was seen, and
up to three plies are accepted if they are the only legal way.

After `rewind`, and before the start position has been seen, the Session waits: nothing is a move until the board
agrees, or shows a legal successor that is not the line just taken back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from damas_board.notation.fen import read_fen, write_fen
from damas_board.regulations import Regulation
from damas_board.rules.game import verdict
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.routes import route_through
from damas_board.rules.side import Side
from damas_board.session.claims import Claims
from damas_board.session.events import (
    BoardChanged,
    BoardState,
    CaptureProgress,
    ClockChanged,
    CommandAnswered,
    Event,
    GameOver,
    GameStarted,
    MoveConfirmed,
    MovesRetracted,
    PieceLifted,
    PiecePlaced,
    Winner,
)
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Command, Input, Lever, Link, See, SideName, Tick
from damas_board.session.record import Ply, Record
from damas_board.session.state import GameState
from damas_board.session.stillness import Stillness
from damas_board.tracking.capture import CaptureReader, UnderWay
from damas_board.tracking.chains import BUILT_ON, Chain, Chains, Step, best
from damas_board.tracking.readings import Readings
from damas_board.tracking.sight import NOTHING, Sight, SightReader, disagreement
from damas_board.tracking.touches import Bounce, Touch, Touches

GAP_PLIES = 3
"""How many unseen plies are searched after a lost link."""
GAP_READINGS = 12
"""How many readings after it are searched from: people do not wait for a cable, so the first ones count most."""

WINNERS: dict[str, Winner] = {
    "white": "white",
    "black": "black",
    "draw": "draw",
    "none": "none",
    "1-0": "white",
    "2-0": "white",
    "0-1": "black",
    "0-2": "black",
    "1/2-1/2": "draw",
    "1-1": "draw",
    "*": "none",
}
"""What the `result` command takes; numbers stand White first."""

REASONS = ("no_pieces", "blocked", "time", "resigned", "agreed", "repetition", "limit", "decision", "absent", "void")
"""Why a game is over."""


NOT_YET = frozenset(
    {
        *("new_game", "start", "abort", "pause", "resume", "set_clock", "hold", "release", "move_to", "reopen"),
        *("adjust", "stands", "rectify", "dismiss", "set_position", "move", "mask", "unmask", "orient"),
    }
)
"""Commands of the contract that a Session cannot carry out yet (`new_game` and `move_to` are the gateway's)."""


class CommandRefused(Exception):
    """A command that cannot be done; the text is the reason that its author is told."""


class Session:
    """The game on one board. `feed` takes inputs whose `at` never decreases."""

    def __init__(self, header: Header, regulation: Regulation) -> None:
        """NotationError if the header's `start` is no position of the regulation's variant."""
        self.header = header
        self.regulation = regulation
        self.settings = header.settings
        variant = regulation.variant
        self._geometry = variant.geometry
        self._playable = self._geometry.playable_mask
        self._record = Record(read_fen(header.start or "start", variant))
        self._claims = Claims(regulation, header.recorded)
        self._game_id = header.game or f"{header.board}-1"
        self._reader = SightReader(self._geometry, header.turn)
        self._sight: Sight = NOTHING
        self._touches = Touches(self.settings.touch_seconds)
        self._readings = Readings(self.settings.touch_seconds)
        self._stillness = Stillness(self.settings)
        self._chains = Chains(self._playable)
        self._chains.restart(self._record.position, None)
        self._capture: CaptureReader | None = None
        self._under_way: UnderWay | None = None
        self._told_progress: UnderWay | None = None
        self._now = -math.inf
        self._started = False
        self._waiting: BoardState | None = "setting_up"
        """Nothing is a move until the board agrees, or shows another legal successor than the `_barred` ones."""
        self._barred: set[Position] = set()
        self._shown: set[Position] = set()
        """Those of `_barred` that the board has shown since."""
        self._gap = False
        self._gap_readings = 0
        self._lost = False
        self._over: GameOver | None = None
        self._lever: Side | None = None
        self._clock: ClockChanged | None = None
        self._board: BoardChanged | None = None
        self._answers: dict[str, CommandAnswered] = {}
        self._events: list[Event] = []

    # --- what the shell sees

    @property
    def deadline(self) -> float | None:
        """The time at which something falls due; a tick is wanted then."""
        if self._lost:
            return None
        times = (self._touches.deadline, self._stillness.deadline)
        return min((t for t in times if t is not None), default=None)

    @property
    def state(self) -> GameState:
        return GameState(
            game=self._game_id,
            regulation=self.header.regulation,
            start=write_fen(self._record.start),
            fen=write_fen(self._record.position),
            moves=tuple(ply.text for ply in self._record.plies),
            revision=self._record.revision,
            clock=self._clock,
            board_state=self._board,
            over=self._over,
            players=self.header.players,
            counters=tuple(asdict(state) for state in self._claims.counters(self._record.game)),
        )

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The record as it stands."""
        return tuple(self._record.plies)

    def feed(self, item: Input) -> list[Event]:
        """The events that `item` causes, those that fell due before it first.

        ValueError if `at` goes back, SightError (a ValueError) for rows that are no picture of this board.
        """
        if not item.at >= self._now:
            raise ValueError(f"the time goes back from {self._now:g} to {item.at:g}")
        sight = self._reader.read(item.rows, self._sight) if isinstance(item, See) else self._sight
        if not self._started:
            self._start(item.at)
        self._fall_due(item.at)
        self._now = item.at
        match item:
            case See():
                self._see(item, sight)
            case Lever():
                self._pressed(item)
            case ClockReading():
                self._clock = ClockChanged(item.at, item.white, item.black, item.running)
                self._tell(self._clock)
            case Link():
                self._link(item)
            case Command():
                self._command(item)
            case Button() | Tick():
                pass  # an announced adjustment and the time are evidence only
        events, self._events = self._events, []
        return events

    # --- what falls due

    def _fall_due(self, until: float) -> None:
        while (due := self.deadline) is not None and due <= until:
            self._now = due
            for touch in self._touches.due(due):
                self._touched(touch)
            for what in self._stillness.take(due):
                match what:
                    case "settled":
                        self._settled(due)
                    case "rested":
                        self._rested(due)
                    case "mismatch":
                        self._stood_too_long(due)

    def _settled(self, at: float) -> None:
        if self._waiting:
            self._waited(at)
            return
        ending = self._chains.ending_at(self._sight)
        chain = best(ending)
        if not ending:
            plies = self._record.plies
            revising = bool(plies) and not plies[-1].confirmed
            chain = best(self._chains.unseen(self._sight, self._touches.handled, at, revising))
        if chain is not None and chain.steps and chain.guessed == len(chain.steps):
            return  # nothing but a search speaks for it: it has to rest
        if chain is not None:
            self._believe(chain, at)
        elif not ending:
            self._look_for_capture(at)

    def _rested(self, at: float) -> None:
        if self._gap and not self._waiting:
            ending = self._chains.ending_at(self._sight)
            chain = best(ending or self._chains.through_gap(self._sight, GAP_PLIES, at))
            if chain is not None:
                self._believe(chain, at)
        if self._waiting is not None and self._shows_record(rested=True):
            self._agreed(at)
        if self._waiting is None and self._shows_record(rested=True):
            self._end_by_rule(at)

    def _stood_too_long(self, at: float) -> None:
        if self._waiting is None and not self._explained():
            self._show("mismatch", at)

    def _touched(self, touch: Touch) -> None:
        square = self._geometry.name(touch.square)
        position = self._record.position
        owner = position.side_at(touch.square)
        if touch.lifted:
            self._tell(PieceLifted(touch.due, square, _label(owner), touch.since))
            last = self._record.plies[-1] if self._record.plies else None
            if (
                last is not None
                and owner is last.side.other
                and not self._waiting
                and not self._may_be_taken(touch.square)
            ):
                self._confirm(touch.due)
            return
        bit = 1 << touch.square
        if self._sight.white & bit:
            owner = Side.WHITE
        elif self._sight.black & bit:
            owner = Side.BLACK
        self._tell(PiecePlaced(touch.due, square, _label(owner), touch.since))

    def _may_be_taken(self, square: int) -> bool:
        """Whether the piece there may still come off as a victim of the last ply, read as a longer capture."""
        last = self._record.plies[-1]
        return not last.sealed and any(
            square in move.captured for move, _ in self._chains.followers(last.before) if move.start == last.move.start
        )

    # --- inputs

    def _start(self, at: float) -> None:
        self._started = True
        self._record.began = at
        self._tell(
            GameStarted(at, self._game_id, self.header.regulation, write_fen(self._record.start), self.header.players)
        )
        self._tell_claims(at)

    def _see(self, item: See, sight: Sight) -> None:
        if self._over is not None or self._lost:
            self._sight = sight
            return
        first = not self._sight.known
        changed = sight != self._sight
        self._sight = sight
        if not changed:
            return
        self._stillness.begin(item.at)
        if first:
            self._touches.start(sight.occupied)
            bounces: list[Bounce] = []
        else:
            bounces = self._touches.see(sight.occupied, item.at, item.at if item.was is None else item.was)
        if self._waiting:
            if self._shows_record():
                self._agreed(item.at)
            return
        for bounce in bounces:
            for reading in self._readings.without_bounce(bounce.square, bounce.since, sight):
                self._extend(reading.sight, reading.at, item.at)
        self._readings.add(item.at, sight)
        self._extend(sight, item.at, item.at)
        if self._gap and self._gap_readings < GAP_READINGS and not self._chains.ending_at(sight):
            self._gap_readings += 1
            chain = best(self._chains.through_gap(sight, GAP_PLIES, item.at))
            if chain is not None:
                self._chains.assume(chain)

    def _extend(self, sight: Sight, read_at: float, now: float) -> None:
        """Extends the chains; a ply that later ones have built on is recorded without waiting for stillness."""
        grown = self._chains.see(sight, read_at, self._touches.came_down, not self._gap)
        built_on = [chain for chain in grown if len(chain.steps) >= BUILT_ON]
        if built_on and all(chain.steps[0] == built_on[0].steps[0] for chain in built_on):
            self._publish(built_on[0].revises, built_on[0].steps[0], now)
            self._chains.advance(built_on[0])

    def _pressed(self, item: Lever) -> None:
        """Confirms the move that stands on the board, or the one that is still to settle."""
        side = Side.WHITE if item.side == "white" else Side.BLACK
        last = self._record.plies[-1] if self._record.plies else None
        if last is not None and last.side is side and not self._off():
            self._confirm(item.at)
        else:
            self._lever = side

    def _link(self, item: Link) -> None:
        if (item.state == "lost") is self._lost:
            return
        self._lost = item.state == "lost"
        self._lever = None
        if self._lost:
            self._stillness.stop()
            self._touches.drop()
            self._show("lost", item.at, item.reason)
            return
        self._gap = True
        self._gap_readings = 0
        self._sight = NOTHING
        self._show(self._state() if self._over is not None or self._waiting else "resyncing", item.at)

    def _state(self) -> BoardState:
        """What the board is, as far as the record and the board agree."""
        if self._lost:
            return "lost"
        if self._over is None and self._waiting is not None:
            return self._waiting
        return "in_play" if self._record.plies and self._over is None else "ready"

    # --- belief

    def _off(self) -> int:
        """The squares where the board shows something else than the record."""
        return disagreement(self._record.position, self._sight, self._playable)

    def _shows_record(self, *, rested: bool = False) -> bool:
        """Whether the board agrees with the record: every square of it, or most of them once it has rested."""
        unread = self._playable & ~self._sight.known
        if unread and not (rested and 2 * unread.bit_count() < self._playable.bit_count()):
            return False
        return not self._off()

    def _agreed(self, at: float) -> None:
        """The board agrees with the record: what follows is play."""
        self._waiting = None
        self._barred.clear()
        self._shown.clear()
        self._gap = False
        self._anchor()
        self._show(self._state(), at)

    def _waited(self, at: float) -> None:
        """A settled board while waiting: another legal successor than the line taken back is a move.

        A position of that line may be played again once the board has shown it and left it.
        """
        position = self._record.position
        for taken_back in tuple(self._barred):
            if not disagreement(taken_back, self._sight, self._playable):
                self._shown.add(taken_back)
            elif taken_back in self._shown:
                self._barred.discard(taken_back)
        found = [
            Chain(False, position, (Step(position, move, after, at, None, False),))
            for move, after in self._chains.followers(position)
            if self._sight.known == self._playable and not disagreement(after, self._sight, self._playable)
        ]
        chain = best(found)
        if chain is not None and chain.position not in self._barred:
            self._agreed(at)
            self._believe(chain, at)
        elif self._waiting is not None:
            self._show(self._waiting, at)

    def _believe(self, chain: Chain, at: float) -> None:
        """The board has settled on `chain`: its plies are recorded."""
        if chain.revises and not chain.steps:
            self._retract(len(self._record.plies) - 1, "taken_back", at)
            self._record.unseal()
        was = None
        for index, step in enumerate(chain.steps):
            if index == len(chain.steps) - 1 and step.seen:
                step = step._replace(down=self._touches.came_down.get(step.move.end, step.down))
            was = self._publish(chain.revises and index == 0, step, at) or was
        self._show(self._state(), at)
        self._under_way = None
        self._lever = None
        self._gap = False
        self._anchor(was)

    def _anchor(self, was: Step | None = None) -> None:
        """Forgets the evidence that led to the present record; `was` is a reading that has just been revised."""
        self._capture = None
        self._told_progress = None
        self._touches.forget()
        self._readings.forget()
        self._chains.restart(self._record.position, self._record.open_before, was)

    def _publish(self, revises: bool, step: Step, at: float) -> Step | None:
        """Records a ply; returns the reading of it that this one replaces."""
        record = self._record
        replaced = None
        move = self._as_played(step)
        ply = record.ply(step.before, move, step.after, "seen" if step.seen else "inferred", step.down)
        if revises:
            was = record.cut(len(record.plies) - 1)[0]
            self._claims.revise(len(record.plies))
            replaced = Step(was.before, was.move, was.after, step.at, was.down, was.basis == "seen")
            ply.confirmed = was.confirmed
            record.add(ply)
            self._tell(record.told_again(at, was.text))
        else:
            self._confirm(at)
            record.add(ply)
            self._tell(record.told(at))
        self._tell_claims(at)
        if self._lever is ply.side:
            self._lever = None
            self._confirm(at)
        return replaced

    def _tell_claims(self, at: float) -> None:
        for claim in self._claims.due(at, self._record.game):
            self._tell(claim)

    def _as_played(self, step: Step) -> Move:
        """The move by the route on which the piece was put down, as far as that was seen."""
        if len(step.move.captured) < 2 or not step.seen:
            return step.move
        reader = CaptureReader(step.before, (step.move,), self._playable)
        way = {station.square for station in reader.stations} - {step.move.end, step.move.start}
        stops = [t.square for t in self._touches.placements if t.square in way and t.at <= step.at]
        return route_through(step.before, step.move, tuple(stops)) or step.move

    def _confirm(self, at: float) -> None:
        """The last ply, if there is one and it is not confirmed yet; a game that it ends is over."""
        if not self._record.plies or self._record.plies[-1].confirmed:
            return
        self._record.plies[-1].confirmed = True
        self._tell(MoveConfirmed(at, len(self._record.plies), self._record.revision))
        self._end_by_rule(at)

    def _retract(self, plies: int, reason: str, at: float) -> list[Ply]:
        """Leaves `plies` plies."""
        gone = self._record.cut(plies)
        self._claims.cut(plies)
        self._tell(MovesRetracted(at, plies + 1, reason, self._record.revision))
        return gone

    def _look_for_capture(self, at: float) -> None:
        position = self._record.position
        if self._capture is None:
            moves = [move for move, _ in self._chains.followers(position)]
            self._capture = CaptureReader(position, moves, self._playable)
        last = self._record.plies[-1] if self._record.plies else None
        if last is not None and not last.confirmed and self._off() == 1 << last.move.end:
            self._under_way = None  # the piece that has just moved is in its player's hand again
            return
        self._under_way = self._capture.read(self._sight, self._touches.placements)
        if self._under_way is not None and self._under_way != self._told_progress:
            self._told_progress = self._under_way
            names = self._geometry.names
            path, removed, remaining = map(names, self._under_way)
            self._tell(CaptureProgress(at, path, removed, remaining))

    def _explained(self) -> bool:
        """Whether the board needs no putting right: it agrees, a piece is in the hand, or a capture is under way."""
        position = self._record.position
        off = self._off()
        in_hand = position.pieces(position.turn) & ~self._sight.occupied
        return not off or self._under_way is not None or (off == in_hand and off.bit_count() == 1)

    # --- ends

    def _end_by_rule(self, at: float) -> None:
        """Ends the game if the side to move has no piece or no move."""
        if self._over is not None:
            return
        end = verdict(self._record.position)
        if end is not None:
            self._finish(at, end.winner.label, end.reason, self.regulation.articles.get(end.reason))

    def _finish(self, at: float, winner: str, reason: str, article: str | None) -> None:
        self._confirm(at)
        if self._over is not None:
            return
        self._over = GameOver(
            at,
            WINNERS[winner],
            self.regulation.result(winner),
            reason,
            article,
            len(self._record.plies),
            self._record.revision,
        )
        self._tell(self._over)
        self._stillness.stop()
        self._touches.start(self._sight.occupied)

    # --- commands

    def _command(self, item: Command) -> None:
        known = self._answers.get(item.id)
        if known is not None:
            self._tell(CommandAnswered(item.at, item.id, item.do, known.outcome, "repeated", item.by))
            return
        doing: Mapping[str, Callable[[Command], None]] = {
            "rewind": self._rewind,
            "result": self._result,
            "count": self._count,
        }
        try:
            if item.do not in doing:
                raise CommandRefused("not_yet" if item.do in NOT_YET else "unknown_command")
            doing[item.do](item)
        except CommandRefused as refusal:
            answer = CommandAnswered(item.at, item.id, item.do, "refused", str(refusal), item.by)
        else:
            answer = CommandAnswered(item.at, item.id, item.do, "done", None, item.by)
        self._answers[item.id] = answer
        self._tell(answer)

    def _rewind(self, item: Command) -> None:
        plies = _whole_number(item.arguments, "ply")
        if self._over is not None:
            raise CommandRefused("game_is_over")
        if not 0 <= plies <= len(self._record.plies):
            raise CommandRefused("no_such_ply")
        if plies == len(self._record.plies):
            return
        gone = self._retract(plies, "rewind", item.at)
        self._barred = {ply.after for ply in gone}
        self._shown = {p for p in self._barred if not disagreement(p, self._sight, self._playable)}
        self._under_way = None
        self._lever = None
        self._anchor()
        self._waiting = "resyncing"
        if self._lost:
            return
        if self._shows_record():
            self._agreed(item.at)
        else:
            self._show("resyncing", item.at)
            self._stillness.begin(item.at)

    def _result(self, item: Command) -> None:
        winner = WINNERS.get(str(item.arguments.get("result")))
        reason = str(item.arguments.get("reason", "decision"))
        if self._over is not None:
            raise CommandRefused("game_is_over")
        if winner is None:
            raise CommandRefused("unknown_result")
        if reason not in REASONS:
            raise CommandRefused("unknown_reason")
        self._finish(item.at, winner, reason, self._claims.article(reason, self._record.game))

    def _count(self, item: Command) -> None:
        """A player begins to count (003 art. 17a), from now or from behind an earlier ply."""
        plies = len(self._record.plies)
        from_ply = _whole_number(item.arguments, "from_ply") if "from_ply" in item.arguments else plies
        if self._over is not None:
            raise CommandRefused("game_is_over")
        if not 0 <= from_ply <= plies:
            raise CommandRefused("no_such_ply")
        if not self._claims.begin(str(item.arguments.get("law")), from_ply):
            raise CommandRefused("no_such_law")
        self._tell_claims(item.at)

    # --- telling

    def _tell(self, event: Event) -> None:
        self._events.append(event)

    def _show(self, state: BoardState, at: float, reason: str | None = None) -> None:
        """Tells the board's state; where it disagrees, with what to put and what to clear."""
        put: dict[str, str] | None = None
        clear: tuple[str, ...] | None = None
        if state in ("mismatch", "resyncing", "setting_up"):
            position = self._record.position
            off = disagreement(position, self._sight, self._playable)
            put = {self._geometry.name(s): _mark(position, s) for s in squares_of(off & position.occupied)}
            clear = self._geometry.names(tuple(squares_of(off & ~position.occupied)))
        board = BoardChanged(at, state, put, clear, reason)
        if self._board is None or (board.state, board.put, board.clear) != (
            self._board.state,
            self._board.put,
            self._board.clear,
        ):
            self._board = board
            self._tell(board)


def _label(side: Side | None) -> SideName | None:
    return None if side is None else "black" if side else "white"


def _mark(position: Position, square: int) -> str:
    mark = "b" if position.side_at(square) is Side.BLACK else "w"
    return mark.upper() if position.kings >> square & 1 else mark


def _whole_number(arguments: Mapping[str, Any], key: str) -> int:
    value = arguments.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise CommandRefused(f"needs_{key}")
    return value
