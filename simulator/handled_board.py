"""What boards in software have in common: pieces that hands put and lift, faults that disturb the sensors, a cable."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

from damas_board.decoding.square_map import SquareMap
from simulator.clock import Clock
from simulator.faults import Fault, Flicker

NEVER = float("inf")


class HandledBoard(ABC):
    """A board as a hand has it, and what the faults make of each change; when that is read is the board's matter."""

    levels: int = 5
    """How many levels its places tell apart: 2, or 5 with colour and king."""

    def __init__(self, square_map: SquareMap, clock: Clock, faults: Sequence[Fault]) -> None:
        self.square_map = square_map
        self.plugged = True
        self._clock = clock
        self._faults = tuple(faults)
        self._pieces = [0] * square_map.places
        self._wake: Callable[[], None] | None = None
        self._count = 0
        """Of what was planned: of two things at one time the one that was planned first comes first."""

    @property
    def pieces(self) -> Sequence[int]:
        """The levels of what really stands on places 1, 2, ..."""
        return self._pieces

    def place(self, place: int, level: int = 1) -> None:
        """Put a piece of `level` on `place`: 1 any or a white man, 2 a black man, 3 and 4 the kings."""
        if not 1 <= level < self.levels:
            raise ValueError(f"a piece on this board has a level from 1 to {self.levels - 1}, not {level}")
        self._put(place, level)

    def lift(self, place: int) -> None:
        """Take the piece off `place`."""
        self._put(place, 0)

    def set_up(self, levels: Sequence[int]) -> None:
        """Make `levels` stand on places 1, 2, ..., changing what differs."""
        if len(levels) != len(self._pieces):
            raise ValueError(f"{len(self._pieces)} levels are expected, not {len(levels)}")
        for place, level in enumerate(levels, 1):
            if level != self._pieces[place - 1]:
                self._put(place, level)

    def show(self, rows: str) -> None:
        """Make the board look like a `see` text without `?`, changing what differs."""
        self.set_up(self.square_map.levels(rows, self.levels))

    def attach(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `data_to_send`, `plugged` or `deadline` may have changed."""
        self._wake = wake

    @abstractmethod
    def press(self, button: str) -> None:
        """Press what it has of `clock-a` and `clock-b`, White's and Black's lever."""

    @abstractmethod
    def unplug(self, at: float | None = None) -> None:
        """Pull the cable, or lose the link (at `at`, by default now)."""

    @abstractmethod
    def plug(self, at: float | None = None) -> None:
        """Put the cable in again, or find the link again (at `at`, by default now)."""

    @abstractmethod
    def flicker(self, readings: Sequence[Flicker]) -> None:
        """Plan readings of the sensors."""

    @abstractmethod
    def advance(self) -> None:
        """Let everything happen that is due, each thing at its own time."""

    def _put(self, place: int, level: int) -> None:
        if not 1 <= place <= len(self._pieces):
            raise ValueError(f"the places are 1 to {len(self._pieces)}, not {place}")
        self.advance()
        at = self._clock.now()
        before = self._exchange(place, level)
        readings = [Flicker(at, place, None)]
        for fault in self._faults:
            readings += fault.disturb(place, before, level, at)
        self.flicker(readings)
        self.advance()

    def _exchange(self, place: int, level: int) -> int:
        """Let `level` stand on `place`; what stood there."""
        before, self._pieces[place - 1] = self._pieces[place - 1], level
        return before

    def _carry(self) -> None:
        if self._wake is not None:
            self._wake()


class SensedBoard(HandledBoard):
    """One whose sensors are read at once, and that has its supply from the cable.

    A subclass calls `_boot` at the end of its own `__init__`.
    """

    def __init__(self, square_map: SquareMap, clock: Clock, faults: Sequence[Fault]) -> None:
        super().__init__(square_map, clock, faults)
        self._line: deque[tuple[float, bytes]] = deque()
        """What is on its way to the host, and when it is there."""
        self._flickers: list[tuple[float, int, Flicker]] = []
        self._acts: list[tuple[float, int, Fault]] = []
        for fault in self._faults:
            self._plan_act(fault, fault.first(clock.now()))

    # What happens to the board.

    def flicker(self, readings: Sequence[Flicker]) -> None:
        for reading in readings:
            self._count += 1
            heapq.heappush(self._flickers, (reading.at, self._count, reading))

    def reset(self, at: float | None = None) -> None:
        """Start again (at `at`, by default now), with everything forgotten."""
        if self.plugged:
            self._boot(self._clock.now() if at is None else at)
            self._carry()

    def unplug(self, at: float | None = None) -> None:
        """Pull the cable (at `at`, by default now), which also takes the supply away."""
        if at is None:
            self.advance()
        self.plugged = False
        self._line.clear()
        self._carry()

    def plug(self, at: float | None = None) -> None:
        """Put the cable in again (at `at`, by default now)."""
        if not self.plugged:
            self.plugged = True
            self._boot(self._clock.now() if at is None else at)
            self._carry()

    # The cable's side.

    @property
    def deadline(self) -> float:
        """The time of the clock at which it wants `advance`."""
        due = [self._own_deadline] if self.plugged else []
        due += [heap[0][0] for heap in (self._flickers, self._acts) if heap]
        if self.plugged and self._line:
            due.append(self._line[0][0])
        return min(due, default=NEVER)

    def advance(self) -> None:
        now = self._clock.now()
        while True:
            flicker = self._flickers[0][0] if self._flickers else NEVER
            act = self._acts[0][0] if self._acts else NEVER
            own = self._own_deadline if self.plugged else NEVER
            at = min(flicker, act, own)
            if at > now:
                break
            if at == flicker:
                self._sense(heapq.heappop(self._flickers)[2])
            elif at == act:
                fault = heapq.heappop(self._acts)[2]
                self._plan_act(fault, fault.act(self, at))
            else:
                self._do_own(at)
        self._carry()

    def data_to_send(self) -> bytes:
        """The bytes that have reached the host's end of the cable by now."""
        now = self._clock.now()
        data = bytearray()
        while self._line and self._line[0][0] <= now:
            data += self._line.popleft()[1]
        return bytes(data)

    # The firmware.

    @abstractmethod
    def _boot(self, at: float) -> None:
        """It has its supply, from `at` on."""

    @abstractmethod
    def _sense(self, reading: Flicker) -> None:
        """A sensor is read."""

    @property
    @abstractmethod
    def _own_deadline(self) -> float:
        """When its firmware does something by itself, while it is plugged in."""

    @abstractmethod
    def _do_own(self, at: float) -> None:
        """Do what its firmware does at `at`, the deadline."""

    def _plan_act(self, fault: Fault, at: float | None) -> None:
        if at is not None:
            self._count += 1
            heapq.heappush(self._acts, (at, self._count, fault))
