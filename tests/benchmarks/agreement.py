"""Do pydraughts and py-draughts find the same legal moves as we do? And where not, what does a third generator say?

    python tests/benchmarks/agreement.py [--positions N] [--variant NAME ...] [--library NAME] [--envs DIRECTORY]
        [--seed N]

Half of the positions are random ones, every second of them rich in kings, half come from random play. A move is where
it begins, where it ends and what it takes; one that a library names twice counts once. Every disagreement is
classified by what the library offers too much or misses; of each class the smallest example is printed, with pieces
taken away for as long as it stays one, and with the verdict of the plain generator of the tests, which was written
from the rules' text and finds captures by trying every path.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.libraries import LIBRARIES, Worker, running, version
from rules.plain_generator import RULES, turns
from rules.positions import board_of, random_play, random_position

from damas_board.notation.fen import write_fen
from damas_board.rules.generation import captures, legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import NO_RUNS, Position
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

Outcome = tuple[int, int, frozenset[int]]
"""Start, end and what is taken."""


def positions(variant: Variant, number: int, seed: int) -> Iterator[Position]:
    chance = random.Random(f"{seed} {variant.name}")
    found = 0
    while found < number // 2:
        position = random_position(chance, variant, kings=0.8 if found % 2 else None)
        if position.white and position.black:
            found += 1
            yield position
    while found < number:
        for position, _ in random_play(chance, variant, 90):
            if found < number and position.white and position.black and chance.random() < 0.5:
                found += 1
                yield position._replace(runs=NO_RUNS)


def ours(position: Position) -> set[Outcome]:
    return {(m.start, m.end, frozenset(m.captured)) for m in legal_moves(position)}


def plain(position: Position) -> set[Outcome]:
    size = position.variant.size

    def square(place: tuple[int, int]) -> int:
        return place[1] * size + place[0]

    found = turns(RULES[position.variant.name], board_of(position), position.turn is Side.BLACK)
    return {(square(t.start), square(t.end), frozenset(map(square, t.taken))) for t in found}


def named_by(position: Position, worker: Worker) -> list[Outcome]:
    named = position.variant.geometry.square
    answer = worker.ask("moves", position.variant.name, write_fen(position))
    return [(named(start), named(end), frozenset(map(named, taken))) for start, end, taken in answer]


def theirs(position: Position, worker: Worker) -> set[Outcome]:
    return set(named_by(position, worker))


def kind(position: Position, library: set[Outcome]) -> tuple[str, ...]:
    """What is wrong, for us, with the library's answer: the class of a disagreement."""
    expected = ours(position)
    possible = {(m.start, m.end, frozenset(m.captured)) for m in captures(position)}
    found = set()
    for too_much, outcomes in ((True, library - expected), (False, expected - library)):
        for start, _, taken in outcomes:
            piece = "king" if position.kings >> start & 1 else "man"
            if not taken:
                found.add("a quiet move beside a capture" if possible else f"a {piece}'s quiet move")
            elif not too_much:
                found.add(f"without a {piece}'s capture")
            elif any((start, end, taken) in possible for end in position.variant.geometry.playable):
                found.add(f"with a {piece}'s capture that the choice of captures forbids, or its end")
            else:
                found.add(f"with a {piece}'s capture that is none")
    return tuple(sorted(found))


def without(position: Position, square: int) -> Position:
    keep = ~(1 << square)
    return position._replace(white=position.white & keep, black=position.black & keep, kings=position.kings & keep)


def smallest(position: Position, worker: Worker) -> Position:
    """With pieces taken away for as long as the disagreement is of the same class."""
    wanted = kind(position, theirs(position, worker))
    for square in squares_of(position.occupied):
        fewer = without(position, square)
        if fewer.white and fewer.black and kind(fewer, theirs(fewer, worker)) == wanted:
            return smallest(fewer, worker)
    return position


def written(position: Position, outcomes: set[Outcome]) -> str:
    name = position.variant.geometry.name

    def one(outcome: Outcome) -> str:
        start, end, taken = outcome
        over = f" over {','.join(map(name, sorted(taken)))}" if taken else ""
        return f"{name(start)}{'x' if taken else '-'}{name(end)}{over}"

    return "; ".join(sorted(map(one, outcomes))) or "none"


@dataclass
class Comparison:
    asked: int = 0
    agreeing: int = 0
    plain_is_with_us: int = 0
    """Of the disagreements."""
    twice: int = 0
    """Positions in which the library names a move more than once."""
    kinds: dict[tuple[str, ...], list[Position]] = field(default_factory=lambda: defaultdict(list))

    def add(self, position: Position, worker: Worker) -> None:
        self.asked += 1
        named = named_by(position, worker)
        library = set(named)
        self.twice += len(named) > len(library)
        if library == ours(position):
            self.agreeing += 1
        else:
            self.kinds[kind(position, library)].append(position)
            self.plain_is_with_us += plain(position) == ours(position)

    def explain(self, worker: Worker) -> None:
        for what, examples in sorted(self.kinds.items(), key=lambda item: -len(item[1])):
            least = smallest(min(examples, key=lambda p: p.occupied.bit_count()), worker)
            library, own = theirs(least, worker), ours(least)
            print(f"  {len(examples)} x {' and '.join(what)}")
            print(f"    {write_fen(least)}")
            print(f"    too much: {written(least, library - own)} | missing: {written(least, own - library)}")
            verdict = {own == plain(least): "us", library == plain(least): worker.library.name}.get(True, "neither")
            print(f"    the plain generator is with {verdict}")


def compare(worker: Worker, variant: Variant, number: int, seed: int) -> None:
    began = time.perf_counter()
    comparison = Comparison()
    for position in positions(variant, number, seed):
        comparison.add(position, worker)
    different = comparison.asked - comparison.agreeing
    print(
        f"{worker.library.name} {variant.name}: {comparison.asked} positions, {comparison.agreeing} agreeing, "
        f"{different} disagreeing (plain generator with us in {comparison.plain_is_with_us}), "
        f"a move named twice in {comparison.twice}; "
        f"{time.perf_counter() - began:.0f} s",
        flush=True,
    )
    comparison.explain(worker)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000, metavar="N", help="positions of each variant")
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="only this variant; may be repeated")
    parser.add_argument("--library", choices=[library.name for library in LIBRARIES], help="only this one")
    parser.add_argument("--envs", type=Path, metavar="DIRECTORY", help="where the libraries' environments are kept")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.envs or Path(temporary)
        for library in (library for library in LIBRARIES if chosen.library in (None, library.name)):
            print(f"{library.name} {version(library, folder)}")
            for name in library.variants:
                if chosen.variant is None or name in chosen.variant:
                    with running(library, folder) as worker:
                        compare(worker, VARIANTS[name], chosen.positions, chosen.seed)


if __name__ == "__main__":
    main()
