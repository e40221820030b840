"""A game as a page shows it, made of its state: each ply with its squares and the position behind it; pure.

A state has moves as texts; a page has no rules. So the moves are replayed here, and what was replayed for the state
before is not replayed again (`former`). Nothing that was played can break it: a move that no rule explains is told with
the squares that its text names, or with none, and the positions go on from the next one that the state tells.

A ply: `{ply, side, move, from, to, path, captured, fen, inferred, entered, irregular, at, clock, set_up}`. `fen` is
what stands behind it, null where that cannot be derived; `set_up` the same where the arbiter set that up. `from`, `to`
are null where they cannot be derived, `at` (UTC) where nobody saw when; `clock` what White and Black had left, or null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from damas_board.messages.envelope import instant, rfc3339
from damas_board.messages.stream import Ply, Record
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import candidates, named_squares, read_move
from damas_board.regulations import Regulation
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.rules.side import Side

SIDES = ("white", "black")
_TOLD = ("players", "round", "table", "match", "time_control", "opening")
_CLOCK = ("white", "black", "running", "stale")


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game at one moment, whole."""

    summary: Mapping[str, Any]
    """All but its plies; `clock` as it was `lag` before the newest event of the state."""
    plies: tuple[Mapping[str, Any], ...]
    lag: float | None
    """Seconds from the clock's reading to the state's newest event; None where there is no clock."""
    _made_of: tuple[tuple[Any, ...], ...] = field(repr=False)
    """Of each ply, what it was made of."""
    _behind: tuple[Position | None, ...] = field(repr=False)
    _start: tuple[Regulation | None, str] = field(repr=False)

    def kept(self, former: ShownGame | None) -> int:
        """How many plies, from the first, are the same as they were."""
        if former is None or former._start != self._start:
            return 0
        for number, (had, has) in enumerate(zip(former.plies, self.plies, strict=False)):
            if had is not has and had != has:
                return number
        return min(len(former.plies), len(self.plies))


def shown_game(state: Mapping[str, Any], regulation: Regulation | None, former: ShownGame | None = None) -> ShownGame:
    """What the body of a game's state says, the public one or the hall's; `former`: what was shown of it before.

    Without a `regulation` no position is derived and no board is told. ValueError where the body is none of a state.
    """
    start, fen = _text(state, "start"), _text(state, "fen")
    moves, times = _texts(state, "moves"), _list(state.get("times"), "times")
    notes = {note["ply"]: note for note in _objects(state.get("notes"), "notes") if isinstance(note.get("ply"), int)}
    begins = (regulation, start)
    again = former if former is not None and former._start == begins else None
    replay = _Replay(regulation, start, again)
    for number, move in enumerate(moves, 1):
        at = times[number - 1] if number <= len(times) and isinstance(times[number - 1], str) else None
        replay.play(move, notes.get(number, {}), at)
    clock, lag = _clock(state)
    summary = {
        "regulation": _regulation(state, regulation),
        "board": None if regulation is None else _board(regulation),
        "first": None if regulation is None else regulation.variant.first.label,
        "players": _players(state.get("players")),
        "start": start,
        "fen": fen,
        "turn": "black" if fen[:1] in ("B", "b") else "white",
        "count": len(moves),
        "revision": _whole(state, "revision"),
        "last": replay.plies[-1] if replay.plies else None,
        "clock": clock,
        "over": _over(state.get("over")),
        "opening": state.get("opening"),
        "time_control": state.get("time_control"),
    }
    return ShownGame(summary, tuple(replay.plies), lag, tuple(replay.made_of), tuple(replay.behind), begins)


def record_state(record: Record) -> dict[str, Any]:
    """A record as the body of a state: `regulation`, `start`, `fen`, `moves`, `revision`, `notes`, `times`, and what
    it knows of the game, its clock and its end.
    """
    told: dict[str, Any] = {"regulation": record.regulation, "start": record.start, "fen": record.fen}
    told |= {"moves": list(record.moves), "revision": record.revision}
    told |= {key: value for key in _TOLD if (value := getattr(record, key)) is not None}
    told["notes"] = [note for ply in record.plies if (note := _note(ply)) is not None]
    told["times"] = [_when(ply) for ply in record.plies]
    for key, event in (("clock", record.clock), ("over", record.over)):
        if event is not None:
            told[key] = {name: value for name, value in event.items() if name != "ts"}
    return told


def _note(ply: Ply) -> dict[str, Any] | None:
    """What a ply's text does not say: the position behind it where no move leads there, its clocks, how it is known."""
    set_up = bool(ply.fen != ply.body["fen"])
    basis = ply.body.get("basis", "seen")
    said = {
        "irregular": ply.irregular or None,
        "fen": ply.fen if ply.irregular or set_up else None,
        "set_up": set_up or None,
        "basis": basis if basis != "seen" else None,
        "clock": None if ply.clock is None else [ply.clock.white, ply.clock.black],
        "running": None if ply.clock is None else ply.clock.running,
    }
    found = {key: value for key, value in said.items() if value is not None}
    return {"ply": ply.ply, "side": ply.side, **found} if found else None


def _when(ply: Ply) -> str | None:
    """When its last piece came down, UTC; None where that was not seen."""
    ts, at, down = (ply.body.get(key) for key in ("ts", "at", "down"))
    if ply.body.get("basis", "seen") != "seen" or not isinstance(ts, str) or not isinstance(at, int | float):
        return None
    if not isinstance(down, int | float) or down > at:
        return ts
    return rfc3339(instant(ts) - timedelta(seconds=at - down))


class _Replay:
    """The plies of a state, one after the other, taken from what was shown before as long as nothing differs."""

    def __init__(self, regulation: Regulation | None, start: str, former: ShownGame | None) -> None:
        self.plies: list[Mapping[str, Any]] = []
        self.made_of: list[tuple[Any, ...]] = []
        self.behind: list[Position | None] = []
        self._variant = None if regulation is None else regulation.variant
        self._former = former
        self._begin = self._position(start)
        self._first = "black" if start[:1] in ("B", "b") else "white"

    def play(self, move: str, note: Mapping[str, Any], at: str | None) -> None:
        number = len(self.plies)
        made_of = (move, dict(note), at)
        if self._former is not None:
            if number < len(self._former.plies) and self._former._made_of[number] == made_of:
                self._take(self._former.plies[number], made_of, self._former._behind[number])
                return
            self._former = None
        before = self.behind[-1] if self.behind else self._begin
        side = self._side(before, note)
        told = note.get("fen") if isinstance(note.get("fen"), str) else None
        squares: dict[str, Any] = {}
        after = set_up = None
        irregular = self._is_irregular(before, move, note)
        if not irregular and before is not None:
            squares, after = self._played(before, move)
        if told is not None:
            set_up = told if not irregular else None
            after = self._position(told)
            if irregular and before is not None and after is not None:
                squares = {"captured": self._missing(before, after, side)}
        squares = {**self._named(move), **squares}
        fen = told if told is not None else None if after is None else write_fen(after)
        clock = note.get("clock")
        ply = {
            **{"ply": number + 1, "side": side, "move": move, **squares, "fen": fen},
            **{"inferred": note.get("basis") == "inferred", "entered": note.get("basis") == "entered"},
            **{"irregular": irregular, "at": at},
            **{"clock": list(clock) if isinstance(clock, list | tuple) and len(clock) == 2 else None},
            "set_up": set_up,
        }
        self._take(ply, made_of, after)

    def _take(self, ply: Mapping[str, Any], made_of: tuple[Any, ...], behind: Position | None) -> None:
        self.plies.append(ply)
        self.made_of.append(made_of)
        self.behind.append(behind)

    def _position(self, fen: str) -> Position | None:
        if self._variant is None:
            return None
        try:
            return read_fen(fen, self._variant)
        except NotationError:
            return None

    def _side(self, before: Position | None, note: Mapping[str, Any]) -> str:
        if note.get("side") in SIDES:
            return str(note["side"])
        if before is not None:
            return before.turn.label
        if not self.plies:
            return self._first
        return "white" if self.plies[-1]["side"] == "black" else "black"

    def _is_irregular(self, before: Position | None, move: str, note: Mapping[str, Any]) -> bool:
        """As the note says; one of the hall's says what is irregular, or only that the text does not lead there."""
        if note.get("irregular") is not None or note.get("set_up") is not None:
            return bool(note.get("irregular"))
        if note.get("alerts") or note.get("fen") is None or before is None:
            return bool(note.get("alerts"))
        try:
            return not candidates(before, move)
        except NotationError:
            return True

    def _played(self, before: Position, text: str) -> tuple[dict[str, Any], Position | None]:
        try:
            move = read_move(before, text)
        except NotationError:
            return {}, None
        names = before.variant.geometry.names
        path, captured = list(names(move.path)), list(names(move.captured))
        return {"from": path[0], "to": path[-1], "path": path, "captured": captured}, before.after(move)

    def _named(self, text: str) -> dict[str, Any]:
        """The squares that the text itself names."""
        nothing: dict[str, Any] = {"from": None, "to": None, "path": [], "captured": []}
        if self._variant is None:
            return nothing
        geometry = self._variant.geometry
        try:
            path = [geometry.name(geometry.square(name)) for name in named_squares(text)]
        except (NotationError, KeyError):
            return nothing
        return {"from": path[0], "to": path[-1], "path": path, "captured": []}

    def _missing(self, before: Position, after: Position, side: str) -> list[str]:
        """The pieces of the other side that are off."""
        other = Side.WHITE if side == "black" else Side.BLACK
        gone = before.pieces(other) & ~after.pieces(other)
        return [before.variant.geometry.name(square) for square in squares_of(gone)]


def _regulation(state: Mapping[str, Any], regulation: Regulation | None) -> dict[str, Any]:
    name = _text(state, "regulation")
    if regulation is None:
        return {"name": name, "title": name, "variant": None}
    return {"name": name, "title": regulation.title, "variant": regulation.variant.name}


def _board(regulation: Regulation) -> dict[str, Any]:
    geometry = regulation.variant.geometry
    return {"size": geometry.size, "corner": geometry.corner, "numbering": geometry.numbering}


def _players(told: Any) -> dict[str, Any]:
    found = told if isinstance(told, Mapping) else {}
    return {side: dict(found[side]) if isinstance(found.get(side), Mapping) else {} for side in SIDES}


def _clock(state: Mapping[str, Any]) -> tuple[dict[str, Any] | None, float | None]:
    told = state.get("clock")
    if told is None:
        return None, None
    if not isinstance(told, Mapping) or not all(_is_number(told.get(key)) for key in ("at", "white", "black")):
        raise ValueError("the clock is none")
    clock = {key: told.get(key) for key in _CLOCK}
    if clock["running"] not in SIDES or state.get("over") is not None:
        clock["running"] = None
    clock["stale"] = bool(clock["stale"])
    at = state.get("at")
    return clock, max(0.0, at - told["at"]) if isinstance(at, int | float) else 0.0


def _over(told: Any) -> dict[str, Any] | None:
    if told is None:
        return None
    if not isinstance(told, Mapping):
        raise ValueError("the end of the game is none")
    return {key: told.get(key) for key in ("winner", "result", "reason")}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(state: Mapping[str, Any], key: str) -> str:
    value = state.get(key)
    if not isinstance(value, str):
        raise ValueError(f'"{key}" is no text')
    return value


def _whole(state: Mapping[str, Any], key: str) -> int:
    value = state.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f'"{key}" is no whole number')
    return value


def _list(value: Any, key: str) -> list[Any]:
    if value is not None and not isinstance(value, list | tuple):
        raise ValueError(f'"{key}" is no list')
    return list(value or ())


def _texts(state: Mapping[str, Any], key: str) -> list[str]:
    found = _list(state.get(key), key)
    if not all(isinstance(one, str) for one in found):
        raise ValueError(f'"{key}" is no list of texts')
    return found


def _objects(value: Any, key: str) -> Iterator[Mapping[str, Any]]:
    for one in _list(value, key):
        if not isinstance(one, Mapping):
            raise ValueError(f'"{key}" is no list of objects')
        yield one
