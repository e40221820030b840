"""Each fault by what a host sees of it, in virtual time, through the wire."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from damas_board.decoding.conversation import Back, Ended, Greeted, Lost, Observation, Seen
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.cable import Cable
from simulator.clock import VirtualClock
from simulator.faults import (
    FAULTS,
    Bounce,
    Dropout,
    Fault,
    Ghost,
    LateFrames,
    LostBytes,
    Reset,
    Stuck,
    Unplugged,
    WeakSquare,
    descriptions,
    fault,
)

MAP = SquareMap(8, "left")
START = tuple([1] * 12 + [0] * 8 + [1] * 12)


class Bench:
    """A board set up for a game, joined to a host's conversation."""

    def __init__(self, *faults: Fault) -> None:
        self.clock = VirtualClock()
        self.board = Board(MAP, self.clock, faults=faults)
        self.board.set_up(START)
        self.cable = Cable(self.board, self.clock)
        self.cable.run(1.0)
        self.told: list[Observation] = []
        """Since the set-up."""

    def run(self, seconds: float) -> list[Observation]:
        told = self.cable.run(self.clock.now() + seconds)
        self.told += told
        return told

    def shuffle(self, times: int) -> None:
        """Carry a piece to and fro, once a second."""
        for n in range(times):
            self.board.lift(12 if n % 2 == 0 else 16)
            self.run(0.5)
            self.board.place(16 if n % 2 == 0 else 12)
            self.run(0.5)

    @property
    def readings(self) -> list[Seen]:
        return [item for item in self.told if isinstance(item, Seen)]


def of_place(place: int, told: Sequence[Observation]) -> list[int]:
    return [item.levels[place - 1] for item in told if isinstance(item, Seen)]


def test_there_are_ten_faults_each_with_a_sentence() -> None:
    assert [name for name, _ in descriptions()] == [
        "bounce", "dropout", "ghost", "stuck", "weak-square", "no-diodes", "late-frames", "lost-bytes",
        "reset", "unplugged",
    ]  # fmt: skip
    assert all(sentence.endswith(".") and len(sentence) > 20 for _, sentence in descriptions())


def test_an_unknown_fault_names_those_that_exist() -> None:
    with pytest.raises(ValueError, match="no fault is called 'fire'; there are: bounce, dropout"):
        fault("fire")


@pytest.mark.parametrize("name", FAULTS)
def test_a_simulation_with_the_same_seed_repeats_exactly(name: str) -> None:
    def simulate(seed: int) -> list[Observation]:
        bench = Bench(fault(name, seed))
        bench.shuffle(100)
        return bench.told

    assert simulate(1) == simulate(1)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in ("stuck", "no-diodes")])
def test_another_seed_goes_wrong_in_another_way(name: str) -> None:
    def simulate(seed: int) -> list[Observation]:
        bench = Bench(fault(name, seed))
        for _ in range(100):
            bench.board.place(1)
            bench.run(2.0)
            bench.board.lift(1)
            bench.run(0.5)
        return bench.told

    assert simulate(1) != simulate(2)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in ("stuck", "weak-square", "no-diodes")])
def test_at_rest_the_host_sees_what_stands_there_again(name: str) -> None:
    bench = Bench(fault(name, 5))
    bench.shuffle(150)
    quiet = 0
    while quiet < 20 and bench.readings[-1].levels != tuple(bench.board.pieces):
        bench.run(1.0)
        quiet += 1
    assert bench.readings[-1].levels == tuple(bench.board.pieces)


def test_without_a_fault_each_change_is_read_once_and_at_once() -> None:
    bench = Bench()
    bench.shuffle(10)
    assert len(bench.readings) == 20
    assert all(reading.was is None for reading in bench.readings)


def test_bounce_reads_a_change_several_times_and_ends_with_the_truth() -> None:
    bench = Bench(Bounce(seed=1))
    bench.board.lift(12)
    first = of_place(12, bench.run(1.0))
    bench.board.place(12)
    second = of_place(12, bench.run(1.0))
    assert first[0] == 0
    assert first[-1] == 0
    assert second[-1] == 1
    assert len(first) + len(second) > 2


def test_dropout_empties_occupied_squares_for_a_moment() -> None:
    bench = Bench(Dropout(seed=2))
    told = bench.run(200.0)
    counts = {sum(item.levels) for item in told if isinstance(item, Seen)}
    assert 23 in counts
    assert max(counts) == 24


def test_ghost_fills_empty_squares_for_a_moment() -> None:
    bench = Bench(Ghost(seed=2))
    told = bench.run(200.0)
    counts = {sum(item.levels) for item in told if isinstance(item, Seen)}
    assert 25 in counts
    assert min(counts) == 24


def test_stuck_reads_the_same_whatever_stands_there() -> None:
    bench = Bench(Stuck(place=12, level=1))
    bench.board.lift(12)
    assert of_place(12, bench.run(5.0)) == []
    bench = Bench(Stuck(place=12, level=0))
    bench.board.lift(11)
    assert of_place(12, bench.run(5.0)) == [0]


def test_a_weak_square_reads_a_piece_late() -> None:
    bench = Bench(WeakSquare(place=16, seconds=2.0, missed=0.0))
    bench.board.place(16)
    assert 1 not in of_place(16, bench.run(0.001))
    assert of_place(16, bench.run(2.0)) == [1]


def test_a_weak_square_may_miss_a_piece_until_it_is_put_down_again() -> None:
    bench = Bench(WeakSquare(place=16, missed=1.0))
    bench.board.place(16)
    assert of_place(16, bench.run(60.0)) == []


def test_late_frames_come_late_and_say_when_they_were() -> None:
    bench = Bench(LateFrames(seed=1, share=0.3))
    bench.shuffle(50)
    late = [reading for reading in bench.readings if reading.was is not None]
    assert late
    assert all(reading.was is not None and reading.was <= reading.at for reading in late)
    assert len(bench.readings) == 100


def test_lost_bytes_cost_no_reading() -> None:
    bench = Bench(LostBytes(seed=3, share=0.1))
    bench.shuffle(100)
    bench.run(3.0)
    assert bench.cable.conversation.bad.total > 5
    lost = [item for item in bench.told if isinstance(item, Lost)]
    # Only where two tries of RESEND were hit as well is the board read anew.
    assert len(lost) < 5
    assert len(bench.readings) > 190


def test_reset_is_told_and_the_board_read_anew() -> None:
    bench = Bench(Reset(seed=1, every=30.0))
    told = bench.run(120.0)
    assert [type(item) for item in told if isinstance(item, Greeted | Lost | Back)][:3] == [Greeted, Lost, Back]


def test_unplugged_ends_conversations_and_the_board_comes_back() -> None:
    bench = Bench(Unplugged(seed=1, every=20.0, seconds=8.0))
    told = bench.run(120.0)
    assert any(isinstance(item, Ended) and item.why == "silent" for item in told)
    assert bench.board.boot_id > 1
    assert bench.readings[-1].levels == START


@pytest.mark.parametrize("seed", range(3))
def test_with_everything_wrong_at_once_the_host_still_ends_with_the_truth(seed: int) -> None:
    faults: list[Fault] = [
        Bounce(seed=seed),
        Dropout(seed=seed, every=5.0),
        Ghost(seed=seed, every=5.0),
        LateFrames(seed=seed),
        LostBytes(seed=seed),
        Reset(seed=seed),
        Unplugged(seed=seed),
    ]
    bench = Bench(*faults)
    bench.shuffle(600)
    kinds = {type(item) for item in bench.told}
    assert {Greeted, Lost, Back, Ended, Seen} <= kinds
    for fault_ in faults:
        fault_.share = 0.0  # type: ignore[attr-defined]
        fault_.act = lambda board, at: None  # type: ignore[method-assign]
    if not bench.board.plugged:
        bench.board.plug()
    bench.run(30.0)
    assert bench.readings[-1].levels == tuple(bench.board.pieces)
