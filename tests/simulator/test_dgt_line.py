"""The pace at which the simulated board of another maker sends, and looks at its fields."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from simulator.dgt.line import Line
from simulator.dgt.scan import SECONDS, Scan
from simulator.faults import Fault

BYTE = 10 / 9600


@dataclass
class Late(Fault):
    """The first frame comes half a second late."""

    done: bool = False

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        late, self.done = 0.0 if self.done else 0.5, True
        return at + late, frame


def arrivals(line: Line) -> list[tuple[float, bytes]]:
    came = []
    while (at := line.deadline) < 100:
        came.append((round(at, 4), line.arrived(at)))
    return came


def test_a_frame_waits_until_the_one_before_has_gone_out() -> None:
    line = Line(bundle=0.0)
    line.send(b"ab", 1.0)
    line.send(b"c", 1.0)
    assert line.free_at == 1.0 + 3 * BYTE
    assert arrivals(line) == [(round(1.0 + n * BYTE, 4), data) for n, data in enumerate((b"a", b"b", b"c"), 1)]


def test_what_was_sent_first_arrives_first_also_where_it_is_late_and_the_line_is_free_meanwhile() -> None:
    line = Line([Late()], bundle=0.0)
    line.send(b"a", 1.0)
    assert line.free_at == 1.0 + BYTE
    line.send(b"b", 1.1)
    assert arrivals(line) == [(round(1.5 + BYTE, 4), b"ab")]


def test_what_is_on_its_way_can_be_forgotten() -> None:
    line = Line()
    line.send(bytes(1000), 1.0)
    line.clear(1.1)
    line.send(b"a", 1.1)
    assert [data for _, data in arrivals(line)] == [b"a"]


def test_fields_are_looked_at_one_after_another_in_rounds() -> None:
    scan = Scan(100, 5.0, Random(1))
    first = [scan.passes(field, 5.0) for field in range(100)]
    assert first == sorted(first)
    assert len(set(first)) == 100
    steps = [later - earlier for earlier, later in pairwise(first)]
    assert SECONDS[0] / 100 <= min(steps) <= max(steps) <= SECONDS[1] / 100
    rounds = []
    at = first[50]
    for _ in range(50):
        at = scan.passes(50, at)
        rounds.append(at)
    lengths = [later - earlier for earlier, later in pairwise(rounds)]
    assert SECONDS[0] <= min(lengths) < 0.215
    assert 0.235 < max(lengths) <= SECONDS[1]
