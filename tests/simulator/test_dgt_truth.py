"""Nothing is shown of a simulated board of another maker that did not stand there lately, whatever the line does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.talk import Hopeless, Shown
from damas_board.sources.adapter import Place
from damas_board.sources.dgt import DgtOptions
from damas_board.sources.dgt_options import setting_of
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.noise import GarbledBytes
from simulator.faults import Fault, fault
from simulator.talk_cable import TalkCable

LATELY = 3.0
LINES: dict[str, Callable[[int], list[Fault]]] = {
    "sound": lambda _: [],
    "lost bytes": lambda seed: [fault("lost-bytes", seed)],
    "late frames": lambda seed: [fault("late-frames", seed)],
    "resets": lambda seed: [fault("reset", seed)],
    "pulled out": lambda seed: [fault("unplugged", seed)],
    "garbled bytes": lambda seed: [GarbledBytes(seed=seed)],
    "all of it": lambda seed: [
        fault("lost-bytes", seed), fault("reset", seed), fault("late-frames", seed), fault("unplugged", seed),
    ],
}  # fmt: skip


class Shuffled:
    """A board on which men are carried about without end, and the talk with it."""

    def __init__(self, faults: list[Fault], seed: int, *, bluetooth: bool) -> None:
        self.clock = VirtualClock()
        corner = "white-right" if seed % 2 else "black-left"
        self.board = DgtBoard(
            10, self.clock, corner=corner, garbage=True, bluetooth=bluetooth, faults=faults, seed=seed
        )
        self.playable = [
            self.board.square_map.place(square) for square in range(100) if (square // 10 + square % 10) % 2 == 0
        ]
        levels = [0] * 100
        for place in self.playable:
            row = self.board.square_map.square(place) // 10
            levels[place - 1] = 1 if row < 4 else 2 if row > 5 else 0
        self.board.set_up(levels)
        setting = setting_of(Place("x", 10, "left", corner, "colour"), DgtOptions(log=False))
        self.cable = TalkCable(self.board, self.clock, lambda at, known: DgtTalk(at, setting, known))
        self.stood = [(0.0, self.rows)]
        """What stood there from when on."""
        self.random = Random(seed)

    @property
    def rows(self) -> str:
        return self.board.square_map.rows(self.board.pieces, 5)

    def carry(self, seconds: float) -> None:
        while self.clock.now() < seconds:
            place = self.random.choice([place for place, level in enumerate(self.board.pieces, 1) if level])
            level = self.board.pieces[place - 1]
            self.board.lift(place)
            self._let(self.random.uniform(0.02, 0.8))
            self.board.place(self.random.choice([p for p in self.playable if not self.board.pieces[p - 1]]), level)
            self._let(self.random.choice((0.1, 0.5, 2.0, 5.0)))

    def _let(self, seconds: float) -> None:
        self.stood.append((self.clock.now(), self.rows))
        self.cable.run(self.clock.now() + seconds)

    def never_stood(self) -> list[Shown]:
        """What was shown of which a square was nothing of what it had been lately."""
        return [
            shown for shown in self.shown if not all(map(self._stood_lately(shown).__contains__, enumerate(shown.rows)))
        ]

    @property
    def shown(self) -> list[Shown]:
        return [told for told in self.cable.told if isinstance(told, Shown)]

    def _stood_lately(self, shown: Shown) -> set[tuple[int, str]]:
        since = (shown.at if shown.was is None else shown.was) - LATELY
        ends = [begin for begin, _ in self.stood[1:]] + [float("inf")]
        return {
            square
            for (begin, rows), end in zip(self.stood, ends, strict=True)
            if begin <= shown.at and end >= since
            for index, mark in enumerate(rows)
            # A code that no piece has is a piece of some kind.
            for square in ({(index, mark)} if mark in "./" else {(index, mark), (index, "o")})
        }


@pytest.mark.parametrize("bluetooth", [False, True])
@pytest.mark.parametrize("line", LINES)
def test_what_is_shown_stood_there_lately(line: str, bluetooth: bool) -> None:
    held(line, bluetooth, seed=1, seconds=60.0)


@pytest.mark.slow
@pytest.mark.parametrize("bluetooth", [False, True])
@pytest.mark.parametrize("line", LINES)
def test_what_is_shown_stood_there_lately_for_long(line: str, bluetooth: bool) -> None:
    for seed in range(2, 7):
        held(line, bluetooth, seed, seconds=200.0)


def held(line: str, bluetooth: bool, seed: int, seconds: float) -> None:
    shuffled = Shuffled(LINES[line](seed), seed, bluetooth=bluetooth)
    shuffled.carry(seconds)
    assert shuffled.never_stood() == []
    assert len(shuffled.shown) > seconds / 5
    assert [told for told in shuffled.cable.told if isinstance(told, Hopeless)] == []
    for _ in range(10):
        shuffled.cable.run(shuffled.clock.now() + 3.0)
        if shuffled.shown[-1].rows == shuffled.rows:
            return
    raise AssertionError(f"at rest {shuffled.shown[-1].rows} is shown where {shuffled.rows} stands")
