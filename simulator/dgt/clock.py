"""The clock beside such a board: it has a left and a right side, no colours, and is heard late.

What the board knows of it is a display that was shown up to `lag` seconds ago, the tumbler included. Messages to the
clock are answered by acknowledgements, which the board tells in the same message as the times.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import Literal, NamedTuple

from damas_board.notation.time_control import TimeControl
from damas_board.session.game_clock import Flag, GameClock
from damas_board.session.inputs import SideName

Hand = Literal["left", "right"]
"""A side of the clock."""

NO_CLOCK = bytes((0, 0, 0, 0, 0, 0, 0x20))
ALL_ZERO = bytes(7)
TO_SET = 23
"""The mode of the clock in which its times can be set from outside."""
_BEGINS, _ACK, _OK, _ERROR, _NOT_IN_MODE, _BUTTON = 0x03, 0x0A, 0x10, 0x40, 0x90, 0x88
_VERSION, _SET_AND_RUN = 0x09, 0x0A


@dataclass(frozen=True, slots=True)
class Reading:
    """What is on the clock: whole seconds of both sides, whose time runs, and which end of the tumbler is up."""

    left: int
    right: int
    running: bool
    turn: Hand | None
    right_is_up: bool
    left_flag: bool = False
    right_flag: bool = False
    battery_low: bool = False


class Said(NamedTuple):
    """At `at` the board hears `payload` of the clock; an acknowledgement is told whatever the board's mode."""

    at: float
    payload: bytes
    acknowledgement: bool


def times(reading: Reading) -> bytes:
    """The seven bytes that tell a reading."""
    status = (
        int(reading.running)
        | reading.right_is_up << 1
        | reading.battery_low << 2
        | (reading.turn == "right") << 3
        | (reading.turn == "left") << 4
    )
    return _side(reading.right, reading.right_flag) + _side(reading.left, reading.left_flag) + bytes((status,))


def acknowledgement(ack: bytes, status: int = 0) -> bytes:
    """The seven bytes that tell the four of an acknowledgement; their top bits are in the bytes before the times."""
    right = _ACK | ack[2] >> 7 << 4 | ack[3] >> 7 << 5
    left = _ACK | ack[0] >> 7 << 4 | ack[1] >> 7 << 5
    low = [byte & 0x7F for byte in ack]
    return bytes((right, low[0], low[1], left, low[2], low[3], status))


def _side(seconds: int, flag: bool) -> bytes:
    hours, rest = divmod(min(seconds, 9 * 3600 + 3599), 3600)
    return bytes((hours | flag << 4 | flag << 6, _decimal(rest // 60), _decimal(rest % 60)))


def _decimal(number: int) -> int:
    return number // 10 << 4 | number % 10


class DgtClock:
    """A clock that keeps `control`; White's time is on its side `white`. It is told time by whoever calls it."""

    def __init__(
        self,
        control: TimeControl,
        *,
        white: Hand = "left",
        first: SideName = "white",
        lag: float = 1.0,
        version: int = 0x14,
        nonsense: float = 0.0,
        seed: int = 0,
    ) -> None:
        """`first`: the side that begins. `version`: the number before the point in the upper half of the byte.

        A share `nonsense` of the readings is impossible or has grown by hours.
        """
        self.white = white
        self.connected = True
        self.battery_low = False
        self.mode = TO_SET
        self.shown = b""
        """The letters that were sent to it last."""
        self._game = GameClock(control, first)
        self._version = version
        self._nonsense = nonsense
        self._every = lag / 2
        self._random = Random(f"dgt clock {seed}")
        self._due = self._random.uniform(0, self._every)
        self._underway: list[tuple[float, int, Reading]] = []
        self._answers: list[tuple[float, int, bytes]] = []
        self._count = 0
        self._old: bytes | None = None
        self._up = self._hand(first)
        self._flags: set[SideName] = set()
        self.reading: Reading | None = None
        """What the board knows."""

    def press(self, side: SideName, at: float) -> None:
        """`side` presses its end of the tumbler down."""
        self._fall(at)
        self._game.pressed(side, at)
        self._up = "right" if self._hand(side) == "left" else "left"

    def pause(self, at: float) -> None:
        """The arbiter stops it."""
        self._fall(at)
        self._game.pause(at)

    def resume(self, at: float) -> None:
        """The arbiter lets it go on."""
        self._fall(at)
        self._game.resume(at)

    def button(self, code: int, at: float) -> None:
        """One of its buttons is pressed: 0x31 to 0x35."""
        self._answer(bytes((_OK, _BUTTON, 0, code)), at)

    def command(self, data: bytes, at: float) -> None:
        """A message from the host, without its first two bytes; what is no such message is not answered."""
        if not self.connected or len(data) < 3 or data[0] != _BEGINS or data[-1] != 0:
            return
        command = data[1]
        if self._old is not None and self._random.random() < 0.3:
            self._later(self._old, at + self._random.uniform(0.01, 0.4))
        ack = bytes((_OK, command, self._version if command == _VERSION else 0, 0))
        if command == _SET_AND_RUN:
            if self.mode != TO_SET:
                ack = bytes((_ERROR, _NOT_IN_MODE, 0, 0))
        elif command in (0x01, 0x0C):
            self.shown = data[2:-1]
        self._old = ack
        self._later(ack, at + self._random.uniform(0.45, 0.8))

    @property
    def deadline(self) -> float:
        """When it wants `advance`."""
        return min(
            self._due,
            self._underway[0][0] if self._underway else math.inf,
            self._answers[0][0] if self._answers else math.inf,
        )

    def advance(self, now: float) -> Iterator[Said]:
        """What the board hears by `now`, in order."""
        while (at := self.deadline) <= now:
            if at == self._due:
                self._look(at)
            elif self._answers and at == self._answers[0][0]:
                yield Said(at, acknowledgement(heappop(self._answers)[2], self._status()), True)
            else:
                reading = heappop(self._underway)[2]
                self.reading = reading if self.connected else None
                payload = self.payload()
                if payload != NO_CLOCK and self._random.random() < self._nonsense:
                    payload = self._spoilt(payload)
                yield Said(at, payload, False)

    def payload(self) -> bytes:
        """What the board tells of it when it is asked."""
        return times(self.reading) if self.connected and self.reading is not None else NO_CLOCK

    def _spoilt(self, payload: bytes) -> bytes:
        spoilt = bytearray(payload)
        side = self._random.choice((0, 3))
        match self._random.choice(("hours", "minutes", "seconds", "grown")):
            case "hours":
                spoilt[side] = spoilt[side] & 0xF0 | self._random.randint(0xB, 0xF)
            case "minutes":
                spoilt[side + 1] = self._random.randint(0x60, 0x7F)
            case "seconds":
                spoilt[side + 2] = self._random.randint(0x60, 0x7F)
            case _:
                spoilt[side] = spoilt[side] & 0xF0 | min(9, (spoilt[side] & 0x0F) + self._random.randint(2, 9))
        return bytes(spoilt)

    def _look(self, at: float) -> None:
        """What is on the clock now goes to the board."""
        self._due = at + self._every
        self._fall(at)
        shown = self._game.at(at)
        if shown is None:
            raise AssertionError("a clock with a time control shows it")
        left: SideName = "white" if self.white == "left" else "black"
        right: SideName = "black" if left == "white" else "white"
        running = shown.running
        reading = Reading(
            math.ceil(shown.white if left == "white" else shown.black),
            math.ceil(shown.white if right == "white" else shown.black),
            running is not None,
            None if running is None else self._hand(running),
            self._up == "right",
            left in self._flags,
            right in self._flags,
            self.battery_low,
        )
        self._count += 1
        heappush(self._underway, (at + self._random.uniform(0, self._every) * 0.999, self._count, reading))

    def _status(self) -> int:
        return times(self.reading)[6] if self.reading is not None else 0

    def _fall(self, at: float) -> None:
        for item in self._game.due(at):
            if isinstance(item, Flag):
                self._flags.add(item.side)

    def _answer(self, ack: bytes, at: float) -> None:
        if self.connected:
            self._old = ack
            self._later(ack, at + self._random.uniform(0.05, 0.3))

    def _later(self, ack: bytes, at: float) -> None:
        self._count += 1
        heappush(self._answers, (at, self._count, ack))

    def _hand(self, side: SideName) -> Hand:
        other: Hand = "right" if self.white == "left" else "left"
        return self.white if side == "white" else other
