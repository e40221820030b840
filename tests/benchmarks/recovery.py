"""How long a journal takes to open after a kill, and to be rebuilt when it is damaged: prints a line a size.

python tests/benchmarks/recovery.py [GAMES...]
"""

from __future__ import annotations

import logging
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.tables import HEADER, items

from damas_board.app.gateway import new_session, regulation_of
from damas_board.app.restoring import KnownGame, rebuild
from damas_board.sinks.journal import Journal
from damas_board.sinks.salvage import Mending


def measured(games: int) -> str:
    """One line: what the journal holds, and the seconds that each way to open it takes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j.db"
        given = items(1, 60)
        began = time.perf_counter()
        rebuild(
            path, [KnownGame(replace(HEADER, game=f"g-{n}", board=f"b-{n}"), given, "recording") for n in range(games)]
        )
        restored = time.perf_counter() - began
        size = path.stat().st_size
        began = time.perf_counter()
        with Journal.open(path):
            opened = time.perf_counter() - began
        with path.open("r+b") as damaged:
            damaged.seek(size // 2)
            damaged.write(b"\x55" * 4096)
        began = time.perf_counter()
        with Journal.open(path, Mending(new_session, regulation_of)) as journal:
            mended = time.perf_counter() - began
            anew = 0 if journal.mended is None else len(journal.mended.games)
    return (
        f"{games} games, {games * len(given)} inputs, {size / 1e6:.1f} MB: restored from recordings {restored:.2f} s, "
        f"opened {opened:.2f} s, rebuilt {mended:.2f} s ({anew} games told anew)"
    )


def main() -> None:
    logging.disable()
    for games in [int(text) for text in sys.argv[1:]] or [10, 50, 200]:
        sys.stdout.write(measured(games) + "\n")


if __name__ == "__main__":
    main()
