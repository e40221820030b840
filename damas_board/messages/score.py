"""A game's score, the text that people read and other programs take: PDN from a game's state or from its stream; pure.

A stream's record becomes a state (`state_of`), and `game_text` writes that. Whoever publishes says `public=True`: then
players have the names that everybody may read. `round_text` is a whole round in one text, each game after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from damas_board.messages.names import player_name, public_name
from damas_board.messages.stream import Ply as StreamPly
from damas_board.messages.stream import Record
from damas_board.notation.fen import read_fen
from damas_board.notation.moves import candidates, read_move
from damas_board.notation.pdn import Clocks, Ply, write_pdn
from damas_board.notation.time_control import read_time_control, write_time_control
from damas_board.regulations import Regulation, names, shipped
from damas_board.rules.position import Position
from damas_board.rules.side import Side
from damas_board.session.events import GameOver
from damas_board.session.state import GameState, PlyNote

SIDES = ("white", "black")
_BREAKING = (
    *("missed_capture", "short_capture", "low_value_capture", "wrong_side", "opponent_piece_moved", "illegal_move"),
    *("left_on_board", "removed_wrongly"),
)
"""The kinds of alert that say what is irregular about a ply."""


def game_text(
    game: GameState | Record, regulation: Regulation, tags: Mapping[str, str], *, public: bool = False
) -> str:
    """The game as PDN text, result and tags included; NotationError if its moves do not follow from its start.

    An irregular ply is a setup with a comment, and so is what the arbiter set up behind a ply; each ply has the clocks
    of its note, and one that was not seen and is known from the others has a comment. The Regulation tag lets a reader
    replay it by the rules it was played by: GameType alone names the variant's row. `public`: the players' names are
    those that everybody may read.
    """
    state = state_of(game) if isinstance(game, Record) else game
    start = read_fen(state.start, regulation.variant)
    result = "*" if state.over is None else state.over.result
    ours = {
        "Regulation": regulation_name(regulation),
        **_time_control(state.time_control),
        **name_tags(state.players, public=public),
    }
    return write_pdn(start, turns(state, start), {**tags, **ours}, result)


def state_of(record: Record, time_control: str | None = None) -> GameState:
    """What a stream told, as the state of a game. ValueError for a record that has not begun.

    `time_control` is the round's; where it is None, what the stream told counts.
    """
    if record.game is None or record.regulation is None or record.start is None or record.fen is None:
        raise ValueError("the game has not begun")
    return GameState(
        record.game,
        record.regulation,
        record.start,
        record.fen,
        record.moves,
        record.revision,
        over=None if record.over is None else _over(record.over),
        players=record.players,
        time_control=time_control or record.time_control,
        notes=tuple(_note(record, ply) for ply in record.plies if _remarkable(ply)),
        held=record.held,
        round=record.round,
        table=record.table,
        match=record.match,
        opening=record.opening,
    )


def turns(state: GameState, start: Position) -> tuple[Ply, ...]:
    """The plies of the game with their positions; NotationError where a move does not follow."""
    notes = {note.ply: note for note in state.notes}
    plies: list[Ply] = []
    for number, text in enumerate(state.moves, 1):
        plies += _plies(plies[-1].after if plies else start, text, notes.get(number))
    return tuple(plies)


def round_text(games: Iterable[str]) -> str:
    """The games of a round as one text, one empty line between two of them."""
    return "\n".join(f"{game.rstrip()}\n" for game in games)


def regulation_name(regulation: Regulation) -> str:
    """Its name, marked where another, shipped one has the same: a reader would take the rules of that one."""
    own = regulation.name in names() and shipped(regulation.name).variant != regulation.variant
    return f"{regulation.name} (own)" if own else regulation.name


def name_tags(players: Mapping[str, Any] | None, *, public: bool = False) -> dict[str, str]:
    """The tags White and Black, for those players whose names are known, and in public may be read."""
    name_of = public_name if public else player_name
    found = {side.capitalize(): name_of((players or {}).get(side)) for side in SIDES}
    return {tag: name for tag, name in found.items() if name is not None}


def _plies(before: Position, text: str, note: PlyNote | None) -> list[Ply]:
    clocks = None if note is None else _clocks(note)
    set_up = None if note is None or note.fen is None else read_fen(note.fen, before.variant)
    if note is not None and set_up is not None and (note.alerts or not candidates(before, text)):
        broken = (f"{note.side} {text}", *note.alerts, *([] if note.article is None else [note.article]))
        return [Ply(before, None, set_up, text, f"irregular: {', '.join(broken)}", clocks)]
    move = read_move(before, text)
    after = before.after(move)
    behind = [] if set_up is None else [Ply(after, None, set_up, comment="set up by the arbiter")]
    comment = "inferred" if note is not None and note.basis == "inferred" else ""
    return [Ply(before, move, after, text, comment, clocks), *behind]


def _clocks(note: PlyNote) -> Clocks | None:
    """Whole seconds, as PDN has them; one that has begun counts, so that 0 is a flag that has fallen."""
    if note.clock is None:
        return None
    white, black = (None if left is None else float(math.ceil(left)) for left in note.clock)
    running = None if note.running is None else Side.WHITE if note.running == "white" else Side.BLACK
    return Clocks(white, black, running)


def _time_control(text: str | None) -> dict[str, str]:
    """PDN leaves out a tag that has no value."""
    control = None if text is None else read_time_control(text)
    return {} if control is None else {"TimeControl": write_time_control(control)}


def _over(event: Mapping[str, Any]) -> GameOver:
    keys = ("at", "winner", "result", "reason", "article", "ply", "revision")
    return GameOver(*(event.get(key) for key in keys))  # type: ignore[arg-type]


def _remarkable(ply: StreamPly) -> bool:
    return ply.clock is not None or _set_up_behind(ply) or ply.irregular or _basis(ply) is not None


def _set_up_behind(ply: StreamPly) -> bool:
    """Whether the arbiter set up another position behind it than the one it led to."""
    return bool(ply.fen != ply.body["fen"])


def _note(record: Record, ply: StreamPly) -> PlyNote:
    broken = _broken(record, ply) if ply.broken else None
    return PlyNote(
        ply.ply,
        "black" if ply.side == "black" else "white",
        ply.fen if ply.irregular or _set_up_behind(ply) else None,
        () if broken is None else (broken["kind"], *broken["also"]),
        None if broken is None else broken["article"],
        None if ply.clock is None else (ply.clock.white, ply.clock.black),
        _side(None if ply.clock is None else ply.clock.running),
        _basis(ply),
    )


def _basis(ply: StreamPly) -> Any:
    """How it is known, where it was not seen."""
    basis = ply.body.get("basis")
    return basis if basis in ("inferred", "entered") else None


def _side(name: str | None) -> Any:
    return name if name in SIDES else None


def _broken(record: Record, ply: StreamPly) -> Mapping[str, Any] | None:
    """The alert that says what is irregular about it; the one that names most, where there are several."""
    about = [a for a in (*record.settled, *record.alerts) if a["ply"] == ply.ply and a["kind"] in _BREAKING]
    return min(about, key=lambda alert: _BREAKING.index(alert["kind"]), default=None)
