"""From readings of linear Hall sensors to a board's table of calibration: zero, thresholds, polarity; no I/O.

All numbers are counts of the board's converter, 0 to 255, ratiometric: a sensor with nothing above it reads near the
middle, whatever the supply. A man moves the reading by the *gain* of its square, White's to one side, Black's to the
other. A man is there from 40 % of the gain on (and until 25 %, which is the firmware's), a king from a little more than
the gain on: two magnets add a sixth to a third, a man that stands off the middle takes as much away. A king is a hint.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean, pstdev
from typing import Literal

from damas_board.decoding.wire import WHITE_ABOVE, Thresholds

TOP = 255
ZERO_SCANS = 64
MAN_SCANS = 16
LEAST_ZERO, MOST_ZERO = 0.4 * TOP, 0.6 * TOP
MOST_NOISE = 2.0
"""Counts of standard deviation that a sensor with nothing above it may have."""
MAN_SHARE = 0.4
KING_SHARE = 1.12
NEVER = 255
"""A threshold that no reading reaches."""
LEAST_MAN = 4
"""Counts that a threshold must have, whatever the noise,"""
NOISES = 4
"""and so many standard deviations of it."""
AT_END = 2
"""Counts from the ends of the scale at which a sensor can say no more."""
CROSSTALK_SHARE = 0.5
"""Of its threshold: what an empty square may not reach while a man stands elsewhere."""
LEAST_OF_OTHERS, MOST_OF_OTHERS = 0.5, 2.0
"""Of the others' median: a gain that is less, or more, is not of a sensor as they are, or of a man on its middle."""

ProblemKind = Literal["off_scale", "noisy", "dead", "faint", "backwards", "apart", "colours", "interferes"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the board cannot be calibrated: a square, for `interferes` also the one that a man stood on; with figures.

    `colours`: single men and the opening position contradict each other everywhere.
    """

    kind: ProblemKind
    place: int
    other: int = 0
    value: float = 0.0
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class Zero:
    """A sensor with nothing above it."""

    mean: float
    noise: float


@dataclass(frozen=True, slots=True)
class Man:
    """How far each place was off its zero (place 1 first) while a man of one colour stood on `place` alone, or on all
    of a set-up; `end`: the sensor was at the end of its scale."""

    place: int
    off: tuple[float, ...]
    white: bool = True
    end: bool = False
    alone: bool = True

    @property
    def gain(self) -> float:
        """How far off its own place was, as for a white man."""
        return self.off[self.place - 1] if self.white else -self.off[self.place - 1]


class Scans:
    """RAW frames in, in their order; whole scans of the board out: the newest `keep` of them."""

    def __init__(self, places: int, keep: int = ZERO_SCANS) -> None:
        self._places = places
        self._part: list[int] = []
        self.scans: deque[tuple[int, ...]] = deque(maxlen=keep)
        self.count = 0
        """Of whole scans since the beginning."""

    def add(self, first: int, readings: bytes) -> bool:
        """Whether these readings complete a scan. Parts of a scan that is not whole are thrown away."""
        if first == 1:
            self._part = []
        if first != len(self._part) + 1:
            self._part = []
            return False
        self._part += readings
        if len(self._part) != self._places:
            return False
        self.scans.append(tuple(self._part))
        self.count += 1
        self._part = []
        return True

    def newest(self, count: int) -> Sequence[tuple[int, ...]]:
        return list(self.scans)[-count:]


def zeros(scans: Sequence[Sequence[int]]) -> tuple[Zero, ...]:
    """Of each place, from scans of the empty board."""
    return tuple(Zero(fmean(readings), pstdev(readings)) for readings in zip(*scans, strict=True))


def zero_problems(found: Sequence[Zero]) -> list[Problem]:
    """The places that cannot be calibrated: a piece is on them, or their sensor is dead or noisy."""
    problems = []
    for place, zero in enumerate(found, 1):
        if not LEAST_ZERO <= zero.mean <= MOST_ZERO:
            problems.append(Problem("off_scale", place, value=100 * zero.mean / TOP))
        elif zero.noise > MOST_NOISE:
            problems.append(Problem("noisy", place, value=zero.noise, limit=MOST_NOISE))
    return problems


def off_zero(found: Sequence[Zero], scans: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """How far each place is off its zero, in the mean of `scans`."""
    return tuple(fmean(readings) - zero.mean for zero, readings in zip(found, zip(*scans, strict=True), strict=True))


def at_end(scans: Sequence[Sequence[int]], place: int) -> bool:
    """Whether the sensor was at the end of its scale."""
    return any(not AT_END < scan[place - 1] < TOP - AT_END for scan in scans)


def clear_of_noise(zero: Zero) -> float:
    """From how many counts off zero on something is there for certain."""
    return max(LEAST_MAN, NOISES * zero.noise)


@dataclass(frozen=True)
class Table:
    """What is written to the board."""

    flags: int
    squares: tuple[Thresholds, ...]


def white_above(men: Iterable[Man]) -> bool:
    """Whether white men move the reading up: what most squares say."""
    return sum(1 if man.gain > 0 else -1 for man in men) > 0


def table(found: Sequence[Zero], men: Mapping[int, Man]) -> Table:
    """The thresholds of every place; a place without a man has the median of the others."""
    gains = {place: abs(man.gain) for place, man in men.items()}
    others = usual_gain(men)
    squares = []
    for place, zero in enumerate(found, 1):
        gain = gains.get(place, others)
        king = NEVER if place in men and men[place].end else min(NEVER, ceil(gain * KING_SHARE))
        squares.append(Thresholds(round(zero.mean), threshold(gain), king))
    return Table(WHITE_ABOVE if white_above(men.values()) else 0, tuple(squares))


def usual_gain(men: Mapping[int, Man]) -> float:
    """The median of all squares."""
    return sorted(abs(man.gain) for man in men.values())[len(men) // 2]


def far_off(men: Mapping[int, Man]) -> frozenset[int]:
    """The places whose gain is far off what the others have."""
    usual = usual_gain(men)
    least, most = LEAST_OF_OTHERS * usual, MOST_OF_OTHERS * usual
    return frozenset(place for place, man in men.items() if not least <= abs(man.gain) <= most)


def threshold(gain: float) -> int:
    """From how far off zero on a man is there."""
    return max(1, round(gain * MAN_SHARE))


def man_problems(found: Sequence[Zero], men: Mapping[int, Man]) -> list[Problem]:
    """The places whose men cannot be told, and those that a man elsewhere reaches."""
    above = white_above(men.values())
    apart = far_off(men)
    problems = []
    for place, man in sorted(men.items()):
        least = clear_of_noise(found[place - 1])
        if threshold(abs(man.gain)) < least:
            problems.append(Problem("faint", place, value=abs(man.gain), limit=least / MAN_SHARE))
        elif (man.gain > 0) != above:
            problems.append(Problem("backwards", place, value=man.gain))
        elif place in apart:
            problems.append(Problem("apart", place, value=abs(man.gain), limit=usual_gain(men)))
    return problems + interference(found, men)


def interference(found: Sequence[Zero], men: Mapping[int, Man]) -> list[Problem]:
    """The empty places that a man elsewhere brings half the way to their threshold, or further."""
    squares = table(found, men).squares
    problems = []
    for man in men.values():
        if not man.alone:
            continue
        for place, off in enumerate(man.off, 1):
            limit = CROSSTALK_SHARE * squares[place - 1].man
            if place != man.place and abs(off) >= limit:
                problems.append(Problem("interferes", place, man.place, abs(off), limit))
    return problems
