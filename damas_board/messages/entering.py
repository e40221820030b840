"""What to enter by hand so that a Session has the published record: commands as an arbiter would give them; pure.

Where the board's own inputs are lost, the published record is what is left of a game. Its moves are entered one by one;
a ply that cannot be entered (no legal move makes it, or one before it is not known either) is set up as a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.rules.position import Position
from damas_board.rules.variant import Variant
from damas_board.session.inputs import Command
from damas_board.session.state import GameState

AUTHOR = "restore"
"""Whose the commands are: nobody's login."""


@dataclass(frozen=True, slots=True)
class Played:
    """A ply of the published record; `fen` is the position after it, None where that is not known."""

    number: int
    move: str
    fen: str | None
    at: float = 0.0
    """When it was told."""


@dataclass(frozen=True, slots=True)
class Published:
    """As much of a record as is known. Where it is not `whole`, plies may be missing among those that are there."""

    plies: tuple[Played, ...] = ()
    over: Mapping[str, Any] | None = None
    whole: bool = True


def published(events: Iterable[Mapping[str, Any]], *, whole: bool = True) -> Published:
    """What the events of a stream tell, in their order; some may be missing where it is not `whole`."""
    plies: dict[int, Played] = {}
    over: Mapping[str, Any] | None = None
    for event in events:
        match event["event"]:
            case "move" | "move_revised":
                ply = int(event["ply"])
                later = () if event["event"] == "move_revised" else range(ply, max(plies, default=0) + 1)
                for number in later:
                    plies.pop(number, None)
                plies[ply] = Played(ply, str(event["move"]), event.get("fen"), float(event["at"]))
            case "moves_retracted":
                plies = {number: ply for number, ply in plies.items() if number < event["from_ply"]}
            case "position_set":
                number = int(event["ply"])
                known = plies.get(number)
                plies[number] = Played(
                    number, "" if known is None else known.move, event.get("fen"), float(event["at"])
                )
            case "game_over":
                over = event
            case "game_reopened":
                over = None
            case _:
                pass
    return Published(tuple(plies[number] for number in sorted(plies)), over, whole)


def shown(state: Mapping[str, Any]) -> Published:
    """What a retained state tells: the moves, and the positions after those that need one."""
    fens = {note.get("ply"): note.get("fen") for note in state.get("notes", ()) if isinstance(note, Mapping)}
    moves = [str(move) for move in state.get("moves", ())]
    if moves:
        fens[len(moves)] = state.get("fen")
    over = state.get("over")
    plies = tuple(Played(number, move, fens.get(number)) for number, move in enumerate(moves, 1))
    return Published(plies, over if isinstance(over, Mapping) else None)


def behind(present: GameState, known: Published) -> int:
    """How many plies of the published record the Session does not have; 0 where it has come as far."""
    if not known.plies:
        return 0
    place = _place(present, known.plies)
    if place is None:
        return max(0, known.plies[-1].number - len(present.moves))
    return len(known.plies) - place


def entering(present: GameState, known: Published, at: float, ids: Iterable[str], variant: Variant) -> list[Command]:
    """The commands that lead from a Session's `present` to the published record."""
    plies = known.plies
    place = _place(present, plies)
    wanted: list[tuple[str, dict[str, Any]]] = []
    if present.waits_for is not None and any(ply.number for ply in plies):
        wanted.append(("start", {}))
    position: Position | None = read_fen(present.fen, variant)
    if place is None:
        if not known.whole and not behind(present, known):
            return []
        place = _common(present, plies) if known.whole else len(plies) - 1
        if known.whole:
            wanted.append(("rewind", {"ply": place}))
            position = None
    if position is None:
        before = present.start if not place else plies[place - 1].fen
        position = None if before is None else read_fen(before, variant)
    for ply in plies[place:]:
        commands, position = _entered(position, ply, variant)
        wanted += commands
    if present.over is not None and (wanted or known.over is None):
        wanted.insert(0, ("reopen", {}))
    if known.over is not None and (wanted or present.over is None):
        wanted.append(("result", {"result": known.over.get("winner"), "reason": known.over.get("reason")}))
    return [Command(at, do, id_, arguments, AUTHOR) for (do, arguments), id_ in zip(wanted, ids, strict=False)]


def _place(present: GameState, plies: Sequence[Played]) -> int | None:
    """How many of the plies the Session has; None where it is at none of them."""
    count = len(present.moves)
    if [ply.move for ply in plies[:count]] == list(present.moves):
        return count
    return next((n for n in range(count, len(plies) + 1) if n and plies[n - 1].fen == present.fen), None)


def _common(present: GameState, plies: Sequence[Played]) -> int:
    count = 0
    for move, ply in zip(present.moves, plies, strict=False):
        if move != ply.move:
            break
        count += 1
    return count


def _entered(
    before: Position | None, ply: Played, variant: Variant
) -> tuple[list[tuple[str, dict[str, Any]]], Position | None]:
    """The commands for one ply, and the position behind it, where that is known."""
    after = None if ply.fen is None else read_fen(ply.fen, variant)
    move = ("move", {"move": ply.move})
    found: Position | None = None
    if before is not None and ply.move:
        try:
            found = before.after(read_move(before, ply.move))
        except NotationError:  # no legal move makes it
            found = None
    if after is None:
        return [move], found
    if found is not None and write_fen(found) == write_fen(after):
        return [move], found
    set_up = ("set_position", {"fen": ply.fen})
    return [set_up] if found is None else [move, set_up], after
