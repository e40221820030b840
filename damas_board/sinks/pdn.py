"""Games as PDN files: one file a game, written anew as a whole, so that a reader never sees half a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from damas_board.messages.score import game_text
from damas_board.regulations import Regulation
from damas_board.session.state import GameState
from damas_board.sinks.errors import PdnFolderError


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
        try:
            with part.open("w", encoding="utf-8") as opened:
                opened.write(text)
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        return path
