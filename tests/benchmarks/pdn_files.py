"""Public PDN files, read, written and read again: how many games of each folder replay to their end, and how fast.

    python tests/benchmarks/pdn_files.py                    every folder of ../shared/games
    python tests/benchmarks/pdn_files.py czech problems     these
    python tests/benchmarks/pdn_files.py --size 50          reads a file of so many MB, made of the public ones

Nobody tells the reader which variant a file is of. Each game that does not replay is named, with ply and reason.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from damas_board.notation.pdn import PdnGame, read_games, write_game
from damas_board.rules.game import same_move

GAMES = Path(__file__).resolve().parents[3] / "shared" / "games"


@dataclass
class Figures:
    """What was found in one folder."""

    files: int = 0
    games: int = 0
    plies: int = 0
    ended: int = 0
    remarks: int = 0
    seconds: float = 0.0
    """Of reading."""
    differing: int = 0
    """Games that are not the same when written and read again."""
    variants: Counter[str] = field(default_factory=Counter)
    faults: list[Broken] = field(default_factory=list)


@dataclass(frozen=True)
class Broken:
    """A game that cannot be read to its end: the file, which game, which ply (counted from 1)."""

    file: str
    game: int
    ply: int
    reason: str


def folders() -> list[str]:
    return sorted(path.name for path in GAMES.iterdir() if any(path.glob("*.pdn")))


def figures(folder: str, *, again: bool) -> Figures:
    """Reads the files of a folder; with `again` each game is written and read again as well."""
    found = Figures()
    for path in sorted((GAMES / folder).glob("*.pdn")):
        found.files += 1
        with path.open("rb") as content:
            for number, game in enumerate(_timed(found, content), 1):
                found.games += 1
                found.plies += len(game.plies)
                found.ended += game.fault is None
                found.remarks += len(game.remarks)
                found.variants[game.variant.name] += 1
                if game.fault is not None:
                    found.faults.append(Broken(path.name, number, len(game.plies) + 1, game.fault.reason))
                if again:
                    found.differing += not same_again(game)
    return found


def _timed(found: Figures, content: BinaryIO) -> Iterator[PdnGame]:
    games = read_games(content)
    while True:
        began = time.perf_counter()
        game = next(games, None)
        found.seconds += time.perf_counter() - began
        if game is None:
            return
        yield game


def same_again(game: PdnGame) -> bool:
    """Whether the game, written and read, has the same start, plies, comments, clocks, tags and winner."""
    text = write_game(game)
    (read,) = read_games(text.encode())
    ours = ("result", "gametype", "setup", "fen")
    tags = {name.lower(): value for name, value in game.tags.items() if name.lower() not in ours}
    return (
        read.fault is None
        and read.remarks == ()
        and (read.variant, read.start, read.winner) == (game.variant, game.start, game.winner)
        and _plain(read.comment) == _plain(game.comment)
        and len(read.plies) == len(game.plies)
        and all(
            (a.before, a.after, a.clocks) == (b.before, b.after, b.clocks)
            and _plain(a.comment) == _plain(b.comment)
            and (a.move is None) == (b.move is None)
            and (a.move is None or b.move is None or same_move(a.move, b.move))
            for a, b in zip(read.plies, game.plies, strict=True)
        )
        and all(_spaced(read.tag(name)) == _spaced(value) or not value for name, value in tags.items())
        and write_game(read) == text
    )


def _plain(comment: str) -> str:
    """Braces inside a comment are written as brackets."""
    return comment.replace("{", "(").replace("}", ")")


def _spaced(value: str | None) -> str:
    return " ".join((value or "").split())


def large(megabytes: int) -> None:
    """Reads a file of that size and says how long it took and how much memory at the most."""
    parts = [
        p.read_bytes() + b"\n\n" for name in ("international", "czech") for p in sorted((GAMES / name).glob("*.pdn"))
    ]
    with tempfile.TemporaryFile() as content:
        while content.tell() < megabytes * 1_000_000:
            for part in parts:
                content.write(part)
        tracemalloc.start()
        began = time.perf_counter()
        games = sum(1 for _ in read_games(content))
        seconds = time.perf_counter() - began
        peak = tracemalloc.get_traced_memory()[1] / 1e6
    print(f"{megabytes} MB: {games} games in {seconds:.0f} s, at most {peak:.1f} MB of memory (with tracing)")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="*", metavar="FOLDER")
    arguments.add_argument("--size", type=int, metavar="MB")
    args = arguments.parse_args()
    if args.size:
        large(args.size)
        return 0
    print(
        f"{'folder':14}{'files':>6}{'games':>7}{'plies':>8}"
        f"{'to the end':>12}{'same again':>12}{'remarks':>9}{'games/s':>9}"
    )
    broken: list[tuple[str, Broken]] = []
    for folder in args.folders or folders():
        found = figures(folder, again=True)
        same = found.games - found.differing
        rate = found.games / found.seconds
        print(
            f"{folder:14}{found.files:6}{found.games:7}{found.plies:8}{found.ended:12}{same:12}{found.remarks:9}{rate:9.0f}"
        )
        broken += [(folder, fault) for fault in found.faults]
    for folder, fault in broken:
        print(f"{folder}/{fault.file}: game {fault.game}, ply {fault.ply}: {fault.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
