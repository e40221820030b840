"""What to enter by hand so that a Session has the published record: commands as an arbiter would give them; pure.

Where the board's own inputs are lost, the published record is what is left of a game. Its moves are entered one by one;
a ply that no legal move makes cannot be entered, and the position after it is set up in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from damas_board.messages.stream import Record
from damas_board.session.inputs import Command
from damas_board.session.state import GameState

AUTHOR = "restore"
"""Whose the commands are: nobody's login."""


@dataclass(frozen=True, slots=True)
class Played:
    """A ply of the published record; `fen`, the position after it, where no legal move leads there."""

    move: str
    fen: str | None = None


def plies_of(record: Record) -> tuple[Played, ...]:
    return tuple(Played(ply.move, ply.fen if ply.irregular else None) for ply in record.plies)


def plies_shown(state: Mapping[str, Any]) -> tuple[Played, ...]:
    """Those of a retained state."""
    fens = {note.get("ply"): note.get("fen") for note in state.get("notes", ()) if isinstance(note, Mapping)}
    return tuple(Played(str(move), fens.get(number)) for number, move in enumerate(state.get("moves", ()), 1))


def entering(
    present: GameState, plies: Sequence[Played], over: Mapping[str, Any] | None, at: float, ids: Iterable[str]
) -> list[Command]:
    """The commands that lead from a Session's `present` to a record with these plies and that end."""
    same = 0
    while same < min(len(present.moves), len(plies)) and present.moves[same] == plies[same].move:
        same += 1
    wanted: list[tuple[str, dict[str, Any]]] = []
    if present.over is not None and (over is None or same < max(len(present.moves), len(plies))):
        wanted.append(("reopen", {}))
    if same < len(present.moves):
        wanted.append(("rewind", {"ply": same}))
    wanted += [
        ("move", {"move": ply.move}) if ply.fen is None else ("set_position", {"fen": ply.fen}) for ply in plies[same:]
    ]
    if over is not None and (present.over is None or wanted):
        wanted.append(("result", {"result": over.get("winner"), "reason": over.get("reason")}))
    return [Command(at, do, id_, arguments, AUTHOR) for (do, arguments), id_ in zip(wanted, ids, strict=False)]
