"""Games as PDN files: one file a game, written anew as a whole, so that a reader never sees half a game."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import candidates, read_move
from damas_board.notation.pdn import Clocks, Ply, write_pdn
from damas_board.notation.time_control import read_time_control, write_time_control
from damas_board.regulations import Regulation, names, shipped
from damas_board.rules.position import Position
from damas_board.rules.side import Side
from damas_board.session.state import GameState, PlyNote
from damas_board.sinks.errors import PdnFolderError


def game_text(state: GameState, regulation: Regulation, tags: Mapping[str, str]) -> str:
    """The game as PDN text, result and tags included; NotationError if its moves do not follow from its start.

    An irregular ply is a setup with a comment, and so is what the arbiter set up behind a ply; each ply has the clocks
    of its note. The Regulation tag lets a reader replay it by the rules it was played by: GameType alone names the
    variant's row.
    """
    start = read_fen(state.start, regulation.variant)
    notes = {note.ply: note for note in state.notes}
    plies: list[Ply] = []
    for number, text in enumerate(state.moves, 1):
        plies += _plies(plies[-1].after if plies else start, text, notes.get(number))
    result = "*" if state.over is None else state.over.result
    ours = {"Regulation": _regulation_name(regulation), **_time_control(state), **_names(state.players)}
    return write_pdn(start, plies, {**tags, **ours}, result)


def _plies(before: Position, text: str, note: PlyNote | None) -> list[Ply]:
    clocks = None if note is None else _clocks(note)
    set_up = None if note is None or note.fen is None else read_fen(note.fen, before.variant)
    if note is not None and set_up is not None and (note.alerts or not candidates(before, text)):
        broken = (f"{note.side} {text}", *note.alerts, *([] if note.article is None else [note.article]))
        return [Ply(before, None, set_up, text, f"irregular: {', '.join(broken)}", clocks)]
    move = read_move(before, text)
    after = before.after(move)
    behind = [] if set_up is None else [Ply(after, None, set_up, comment="set up by the arbiter")]
    return [Ply(before, move, after, text, clocks=clocks), *behind]


def _clocks(note: PlyNote) -> Clocks | None:
    """Whole seconds, as PDN has them; one that has begun counts, so that 0 is a flag that has fallen."""
    if note.clock is None:
        return None
    white, black = (None if left is None else float(math.ceil(left)) for left in note.clock)
    running = None if note.running is None else Side.WHITE if note.running == "white" else Side.BLACK
    return Clocks(white, black, running)


def _time_control(state: GameState) -> dict[str, str]:
    """PDN leaves out a tag that has no value."""
    control = None if state.time_control is None else read_time_control(state.time_control)
    return {} if control is None else {"TimeControl": write_time_control(control)}


def _regulation_name(regulation: Regulation) -> str:
    """Its name, marked where another, shipped one has the same: a reader would take the rules of that one."""
    own = regulation.name in names() and shipped(regulation.name).variant != regulation.variant
    return f"{regulation.name} (own)" if own else regulation.name


def _names(players: Mapping[str, Any] | None) -> dict[str, str]:
    found = {}
    for side in ("white", "black"):
        player = (players or {}).get(side)
        if isinstance(player, Mapping) and isinstance(player.get("name"), str):
            found[side.capitalize()] = player["name"]
    return found


def probe_folder(folder: Path) -> None:
    """Make the folder and try to write there. PdnFolderError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder, prefix=".probe-"):
            pass
    except OSError as error:
        raise PdnFolderError("pdn_folder", path=str(folder), reason=error.strerror or str(error)) from error


class PdnFolder:
    """Writes `{game}.pdn` into a folder, which is made if need be."""

    def __init__(
        self,
        folder: Path,
        regulation: Callable[[GameState], Regulation],
        tags: Callable[[GameState], Mapping[str, str]],
    ) -> None:
        self.folder = folder
        self._regulation = regulation
        self._tags = tags

    def probe(self) -> None:
        """As `probe_folder`, so that it is known before the first game."""
        probe_folder(self.folder)

    def write(self, state: GameState) -> Path:
        """Writes the record as it stands; OSError where that is not possible."""
        text = game_text(state, self._regulation(state), self._tags(state))
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{state.game}.pdn"
        part = path.with_suffix(".pdn.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
        return path
