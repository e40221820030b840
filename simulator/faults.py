"""What goes wrong with a board, by name; each fault is seeded, so a simulation in virtual time repeats exactly.

A fault is a small class with its parameters as fields. It may change what a sensor reads (`reading`), add momentary
readings when a piece comes or goes (`disturb`), act by itself at times of its own (`first`, `act`), or spoil what goes
over the cable (`transmit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, NamedTuple, Protocol

from simulator import matrix


class Flicker(NamedTuple):
    """At time `at` the sensor of `place` reads `level`; None is what it reads when nothing disturbs it."""

    at: float
    place: int
    level: int | None


class Patient(Protocol):
    """What a fault sees and does of the board it sits in."""

    @property
    def pieces(self) -> Sequence[int]:
        """The levels of what really stands on places 1, 2, ..."""
        ...

    def flicker(self, readings: Sequence[Flicker]) -> None: ...

    def reset(self, at: float) -> None: ...

    def unplug(self, at: float) -> None: ...

    def plug(self, at: float) -> None: ...


@dataclass
class Fault:
    """A fault that does nothing; the others override what they spoil."""

    name: ClassVar[str] = ""
    sentence: ClassVar[str] = ""
    seed: int = 0
    random: Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.random = Random(f"{self.name} {self.seed}")

    def reading(self, place: int, level: int, at: float) -> int:
        """What the sensor of `place` reads, with `level` standing there."""
        return level

    def scan(self, levels: Sequence[int], lines: int) -> Sequence[int]:
        """What a board with so many lines reads where its contacts, place by place, are at `levels`."""
        return levels

    def disturb(self, place: int, before: int, after: int, at: float) -> list[Flicker]:
        """Readings beside the plain one, when the piece on `place` changes at `at`."""
        return []

    def first(self, at: float) -> float | None:
        """When it acts for the first time after `at`; None for never."""
        return None

    def act(self, board: Patient, at: float) -> float | None:
        """Act at `at`; the next time, or None."""
        return None

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        """When what arrives of a frame sent at `at`."""
        return at, frame


@dataclass
class Bounce(Fault):
    """Contacts chatter when a piece comes or goes."""

    name = "bounce"
    sentence = "A contact opens and closes a few times when a piece is put down or lifted."
    times: int = 3
    seconds: float = 0.03
    """The longest that one opening or closing lasts."""

    def disturb(self, place: int, before: int, after: int, at: float) -> list[Flicker]:
        readings = []
        for _ in range(self.random.randint(0, self.times)):
            at += self.random.uniform(0.005, self.seconds)
            readings.append(Flicker(at, place, before))
            at += self.random.uniform(0.005, self.seconds)
            readings.append(Flicker(at, place, None))
        return readings


@dataclass
class _Glimpse(Fault):
    """Now and then one square reads the opposite for a moment: one with a piece if `occupied`, else an empty one."""

    occupied: ClassVar[bool]
    every: float = 15.0
    seconds: float = 0.4
    """The longest that it lasts."""

    def first(self, at: float) -> float | None:
        return at + self.random.expovariate(1 / self.every)

    def act(self, board: Patient, at: float) -> float | None:
        places = [place for place, level in enumerate(board.pieces, 1) if bool(level) is self.occupied]
        if places:
            place = self.random.choice(places)
            end = at + self.random.uniform(0.02, self.seconds)
            board.flicker([Flicker(at, place, 0 if self.occupied else 1), Flicker(end, place, None)])
        return self.first(at)


@dataclass
class Dropout(_Glimpse):
    """A piece that stands still is not read for a moment."""

    name = "dropout"
    sentence = "Now and then a square with a piece on it reads empty for a moment."
    occupied = True


@dataclass
class Ghost(_Glimpse):
    """A piece is read where none stands."""

    name = "ghost"
    sentence = "Now and then an empty square reads occupied for a moment."
    occupied = False


@dataclass
class Stuck(Fault):
    """One sensor always reads the same."""

    name = "stuck"
    sentence = "One square always reads the same, whatever stands on it."
    place: int = 1
    level: int = 1

    def reading(self, place: int, level: int, at: float) -> int:
        return self.level if place == self.place else level


@dataclass
class WeakSquare(Fault):
    """One sensor reads a piece only after a while."""

    name = "weak-square"
    sentence = "One square reads a piece that was put down only after some seconds, and sometimes not at all."
    place: int = 1
    seconds: float = 2.0
    missed: float = 0.2
    """How often, of 1, a piece is not read until it is put down again."""
    _reads_from: float = field(default=0.0, init=False, repr=False)

    def disturb(self, place: int, before: int, after: int, at: float) -> list[Flicker]:
        if place != self.place or not after:
            return []
        if self.random.random() < self.missed:
            self._reads_from = float("inf")
            return []
        self._reads_from = at + self.random.uniform(0, self.seconds)
        return [Flicker(self._reads_from, place, None)]

    def reading(self, place: int, level: int, at: float) -> int:
        return 0 if place == self.place and at < self._reads_from else level


@dataclass
class NoDiodes(Fault):
    """Current finds ways round in the matrix of contacts."""

    name = "no-diodes"
    sentence = "The board has no diodes: where three corners of a rectangle are occupied, the fourth reads so too."
    bare: frozenset[int] | None = None
    """The places whose contacts have no diode; None is all of them."""

    def scan(self, levels: Sequence[int], lines: int) -> Sequence[int]:
        along = len(levels) // lines
        down, up = [0] * lines, [0] * lines
        for index, level in enumerate(levels):
            contact = bool(level) << index % along
            down[index // along] |= contact
            if self.bare is None or index + 1 in self.bare:
                up[index // along] |= contact
        found = matrix.read(down, up)
        return [found[index // along] >> index % along & 1 for index in range(len(levels))]


@dataclass
class LateFrames(Fault):
    """The cable delays frames."""

    name = "late-frames"
    sentence = "Frames arrive late, by up to a second, in their order."
    share: float = 0.2
    seconds: float = 1.0

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        late = self.random.uniform(0, self.seconds) if self.random.random() < self.share else 0.0
        return at + late, frame


@dataclass
class LostBytes(Fault):
    """The cable loses bytes."""

    name = "lost-bytes"
    sentence = "Some bytes that the board sends never arrive."
    share: float = 0.05
    """How many frames, of 1, are hit."""
    longest: int = 4
    """The most bytes that one hit takes."""

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        if self.random.random() >= self.share:
            return at, frame
        begin = self.random.randrange(len(frame))
        return at, frame[:begin] + frame[begin + self.random.randint(1, self.longest) :]


@dataclass
class Reset(Fault):
    """The board starts again."""

    name = "reset"
    sentence = "Now and then the board starts again, as after a dip of its supply."
    every: float = 40.0

    def first(self, at: float) -> float | None:
        return at + self.random.expovariate(1 / self.every)

    def act(self, board: Patient, at: float) -> float | None:
        board.reset(at)
        return self.first(at)


@dataclass
class Unplugged(Fault):
    """The cable is pulled out and put in again."""

    name = "unplugged"
    sentence = "Now and then the cable is pulled out, and put in again some seconds later."
    every: float = 40.0
    seconds: float = 5.0
    _out: bool = field(default=False, init=False, repr=False)

    def first(self, at: float) -> float | None:
        return at + self.random.expovariate(1 / self.every)

    def act(self, board: Patient, at: float) -> float | None:
        self._out = not self._out
        if self._out:
            board.unplug(at)
            return at + self.seconds
        board.plug(at)
        return self.first(at)


FAULTS: Mapping[str, type[Fault]] = {
    kind.name: kind
    for kind in (Bounce, Dropout, Ghost, Stuck, WeakSquare, NoDiodes, LateFrames, LostBytes, Reset, Unplugged)
}
"""Every fault by its name, in the order in which they are listed."""


def descriptions() -> list[tuple[str, str]]:
    """Name and one sentence of every fault."""
    return [(name, kind.sentence) for name, kind in FAULTS.items()]


def fault(name: str, seed: int = 0) -> Fault:
    """The fault `name` with its ordinary parameters. ValueError names those that exist."""
    if name not in FAULTS:
        raise ValueError(f"no fault is called {name!r}; there are: {', '.join(FAULTS)}")
    return FAULTS[name](seed=seed)
