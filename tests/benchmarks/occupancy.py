"""Does occupancy alone name the next position? Measured on random and on real positions of every variant.

    python tests/benchmarks/occupancy.py [--random N] [--games DIRECTORY] [--seed N]

For every position all legal moves are made; two that leave the same squares occupied but different positions are an
exception, and every exception is printed. The random positions are of four densities, half of them rich in kings; the
real ones are those of all PDN files under DIRECTORY.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules.positions import random_position
from rules.successors import by_occupancy

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn import read_games
from damas_board.rules.position import Position
from damas_board.rules.variants import VARIANTS


@dataclass
class Count:
    positions: int = 0
    outcomes: int = 0
    """Different final occupancies."""
    several_moves: int = 0
    """Outcomes that several moves lead to."""
    circular: int = 0
    """Captures that end where they began."""
    exceptions: int = 0

    def add(self, position: Position) -> None:
        self.positions += 1
        for reached in by_occupancy(position).values():
            self.outcomes += 1
            moves = [move for same in reached.values() for move in same]
            self.several_moves += len(moves) > 1
            self.circular += any(move.captured and move.start == move.end for move in moves)
            if len(reached) > 1:
                self.exceptions += 1
                named = " | ".join(
                    f"{', '.join(write_move(position, m) for m in same)} -> {write_fen(after)}"
                    for after, same in reached.items()
                )
                print(f"EXCEPTION {position.variant.name} {write_fen(position)}: {named}")


def report(kind: str, counts: dict[str, Count], seconds: float) -> None:
    print(f"{kind}: {seconds:.0f} s")
    print(f"  {'variant':14}{'positions':>10}{'outcomes':>10}{'>1 move':>9}{'circular':>10}{'exceptions':>12}")
    for name, c in counts.items():
        print(f"  {name:14}{c.positions:10}{c.outcomes:10}{c.several_moves:9}{c.circular:10}{c.exceptions:12}")


def measure_random(number: int, seed: int) -> dict[str, Count]:
    counts: dict[str, Count] = defaultdict(Count)
    for name, variant in VARIANTS.items():
        chance = random.Random(f"{seed} {name}")
        for n in range(number):
            counts[name].add(random_position(chance, variant, kings=0.8 if n % 2 else None))
    return counts


def measure_games(files: Iterable[Path]) -> dict[str, Count]:
    counts: dict[str, Count] = defaultdict(Count)
    for file in sorted(files):
        try:
            games = list(read_games(file.read_bytes()))
        except NotationError as error:
            print(f"{file}: {error}", file=sys.stderr)
            continue
        for game in games:
            for ply in game.plies:
                counts[game.variant.name].add(ply.before)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=5000, metavar="N", help="random positions of each variant")
    parser.add_argument("--games", type=Path, metavar="DIRECTORY", help="a folder of PDN files")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    began = time.perf_counter()
    report("random positions", measure_random(chosen.random, chosen.seed), time.perf_counter() - began)
    if chosen.games is not None:
        began = time.perf_counter()
        counts = measure_games(chosen.games.rglob("*.pdn"))
        report("positions of games", counts, time.perf_counter() - began)


if __name__ == "__main__":
    main()
