"""How fast are legal moves found and move sequences counted, beside pydraughts and py-draughts?

    python tests/benchmarks/generation.py [--rounds N] [--positions N] [--variant NAME ...]
        [--envs DIRECTORY] [--seed N]

Both libraries and we get the same positions in the same run, one after the other in every round (pydraughts, hundreds
of times slower, in the first only); printed is the median of the rounds, in processor time: microseconds for all legal
moves of a position, from random play and from random positions of which every second is rich in kings; and sequences
of moves counted per second from the start, the last move of each counted and not made. The factor says how many times
slower than ours a library is. A library that has other rules than ours is marked: its count differs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.agreement import positions
from benchmarks.libraries import LIBRARIES, PYDRAUGHTS, Worker, running, version

from damas_board.notation.fen import write_fen
from damas_board.rules.generation import legal_moves, perft
from damas_board.rules.position import Position, initial
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

DEPTH = {"international": 5, "frisian": 5, "turkish": 4, "canadian": 4}
OTHERWISE = 6
DEPTH_OF_THE_SLOW = 3
"""For pydraughts, whose counting takes minutes where the others take a second."""
ROUNDS_OF_THE_SLOW = 1


def our_seconds(tried: list[Position]) -> float:
    began = time.process_time()
    for position in tried:
        legal_moves(position)
    return time.process_time() - began


def our_perft(variant: Variant, depth: int) -> tuple[int, float]:
    began = time.process_time()
    return perft(initial(variant), depth), time.process_time() - began


def asked(workers: list[Worker], number: int) -> list[Worker]:
    """The libraries that take part in round `number`, counted from 0."""
    return [w for w in workers if number < ROUNDS_OF_THE_SLOW or w.library is not PYDRAUGHTS]


def figures(label: str, us: float, others: dict[str, float], unit: str, faster_is_more: bool) -> None:
    shown = [f"ours {us:,.1f}"]
    for name, value in others.items():
        shown.append(f"{name} {value:,.1f} (x {us / value if faster_is_more else value / us:.2f})")
    print(f"  {label}, {unit}: {', '.join(shown)}")


def measure_moves(label: str, tried: list[Position], workers: list[Worker], rounds: int) -> None:
    variant = tried[0].variant
    fens = [write_fen(position) for position in tried]
    times: dict[str, list[float]] = {"": []} | {w.library.name: [] for w in workers}
    for n in range(rounds):
        times[""].append(our_seconds(tried))
        for worker in asked(workers, n):
            times[worker.library.name].append(worker.ask("seconds", variant.name, fens))
    each = {name: median(found) / len(tried) * 1e6 for name, found in times.items()}
    us = each.pop("")
    figures(label, us, each, "µs a position", False)


def measure_perft(variant: Variant, workers: list[Worker], rounds: int) -> None:
    depth = DEPTH.get(variant.name, OTHERWISE)
    rates: dict[str, list[float]] = {"": []} | {w.library.name: [] for w in workers}
    different = set()
    for n in range(rounds):
        count, taken = our_perft(variant, depth)
        rates[""].append(count / taken)
        for worker in asked(workers, n):
            slow = worker.library is PYDRAUGHTS
            found, taken = worker.ask("perft", variant.name, DEPTH_OF_THE_SLOW if slow else depth)
            rates[worker.library.name].append(found / taken)
            if not slow and found != count:
                different.add(f"{worker.library.name} counts {found:,}, we {count:,}")
    each = {name: median(found) for name, found in rates.items()}
    us = each.pop("")
    figures(f"perft {depth}", us, each, "counted a second", True)
    for line in sorted(different):
        print(f"    other rules: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--positions", type=int, default=400, metavar="N", help="positions of each variant")
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="only this variant; may be repeated")
    parser.add_argument("--envs", type=Path, metavar="DIRECTORY", help="where the libraries' environments are kept")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.envs or Path(temporary)
        print(", ".join(f"{library.name} {version(library, folder)}" for library in LIBRARIES), f"Python {sys.version}")
        for name, variant in VARIANTS.items():
            if chosen.variant is not None and name not in chosen.variant:
                continue
            print(name, flush=True)
            with ExitStack() as stack:
                known = [library for library in LIBRARIES if name in library.variants]
                workers = [stack.enter_context(running(library, folder)) for library in known]
                drawn = list(positions(variant, chosen.positions, chosen.seed))
                half = len(drawn) // 2
                measure_moves("random play", drawn[half:], workers, chosen.rounds)
                measure_moves("random positions", drawn[:half], workers, chosen.rounds)
                measure_perft(variant, workers, chosen.rounds)


if __name__ == "__main__":
    main()
