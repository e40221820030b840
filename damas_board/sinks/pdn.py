"""Games as PDN files: one file a game, written anew as a whole, so that a reader never sees half a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.notation.pdn import played, write_pdn
from damas_board.regulations import Regulation, names, shipped
from damas_board.session.state import GameState
from damas_board.sinks.errors import PdnFolderError


def game_text(state: GameState, regulation: Regulation, tags: Mapping[str, str]) -> str:
    """The game as PDN text, result and tags included; NotationError if its moves do not follow from its start.

    The Regulation tag lets a reader replay it by the rules it was played by: GameType alone names the variant's row.
    """
    start = read_fen(state.start, regulation.variant)
    position = start
    moves = []
    for text in state.moves:
        moves.append(read_move(position, text))
        position = position.after(moves[-1])
    result = "*" if state.over is None else state.over.result
    ours = {"Regulation": _regulation_name(regulation), **_names(state.players)}
    return write_pdn(start, played(start, moves), {**tags, **ours}, result)


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
        """Make the folder and try to write there, so that it is known before the first game. PdnFolderError if not."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.folder, prefix=".probe-"):
                pass
        except OSError as error:
            raise PdnFolderError("pdn_folder", path=str(self.folder), reason=error.strerror or str(error)) from error

    def write(self, state: GameState) -> Path:
        """Writes the record as it stands; OSError where that is not possible."""
        text = game_text(state, self._regulation(state), self._tags(state))
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{state.game}.pdn"
        part = path.with_suffix(".pdn.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
        return path
