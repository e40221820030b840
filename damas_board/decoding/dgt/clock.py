"""The clock on a DGT board: what its messages say, and which of them are to be believed.

Left and right are sides of the clock, as its readers see it, and never colours; a setting says whose the left one is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from damas_board.decoding.talk import ClockShown, LeverPressed, SideName

Hand = Literal["left", "right"]
"""A side of the clock."""
TurnBy = Literal["lever", "flags"]
LATE_SECONDS = 2.0
"""A reading is up to one second late, and whole seconds are told."""
STILL_SECONDS = 1.5
"""So long the board has to show the same before a lever is told; by Bluetooth it shows what happened more than a second
later."""
AGAIN_SECONDS = 0.9
"""So often a clock that runs is told, although it shows the same."""
MOST_INCREMENT = 60
"""More seconds than this no move adds at once, a new period excepted."""
_ACK = 0x0A
_RUNNING, _HIGH_RIGHT, _BATTERY, _RIGHT_TURN, _LEFT_TURN, _NO_CLOCK = (1 << bit for bit in range(6))
_BLOCKED, _PER_MOVE, _FLAG = 0x10, 0x20, 0x40
_MOST_HOURS = 9


@dataclass(frozen=True, slots=True)
class ClockSide:
    """One side of the clock."""

    seconds: int
    flag: bool = False
    """The flag is shown."""
    blocked: bool = False
    """It has fallen, and the clock is blocked."""
    per_move: bool = False


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """A reading."""

    left: ClockSide
    right: ClockSide
    running: bool
    high: Hand
    """Where the lever is up: the other one has pressed it."""
    turn: Hand | None = None
    """Whose turn the clock says it is; `high` says the same of a clock with a lever."""
    battery_low: bool = False


@dataclass(frozen=True, slots=True)
class ClockAck:
    """The clock's answer to a command, or what it says of itself: its four bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class NoClock:
    """No clock is connected."""


@dataclass(frozen=True, slots=True)
class NoTimes:
    """Nothing that a clock can show: `zero` (boards by Bluetooth say it before they know), or out of range."""

    why: Literal["zero", "hours", "minutes"]


ClockMessage = ClockTimes | ClockAck | NoClock | NoTimes


def read_clock(payload: bytes) -> ClockMessage:
    """The seven bytes of a clock's message."""
    right_hours, b4, b5, left_hours, b7, b8, status = payload
    if right_hours & 0x0F == _ACK or left_hours & 0x0F == _ACK:
        return ClockAck(
            bytes(
                (
                    b4 | left_hours << 3 & 0x80,
                    b5 | left_hours << 2 & 0x80,
                    b7 | right_hours << 3 & 0x80,
                    b8 | right_hours << 2 & 0x80,
                )
            )
        )
    if status & _NO_CLOCK:
        return NoClock()
    if not any(payload):
        return NoTimes("zero")
    if right_hours & 0x0F > _MOST_HOURS or left_hours & 0x0F > _MOST_HOURS:
        return NoTimes("hours")
    right, left = _side(payload[0:3]), _side(payload[3:6])
    if right is None or left is None:
        return NoTimes("minutes")
    turn: Hand | None = None
    if bool(status & _RIGHT_TURN) != bool(status & _LEFT_TURN):
        turn = "right" if status & _RIGHT_TURN else "left"
    high: Hand = "right" if status & _HIGH_RIGHT else "left"
    return ClockTimes(left, right, bool(status & _RUNNING), high, turn, bool(status & _BATTERY))


class ClockWatch:
    """What a clock's messages tell, one after the other.

    How it works. A clock's times travel without a checksum, up to a second late, and boards are known to say nonsense
    now and then. So a reading is told only if the valid one before it explains it: nobody's time has grown by more than
    moves can give, and both together have lost no more than the time that passed. What is not explained - the first
    reading, a garbled one, a clock that was set anew - waits until another one agrees with it; `doubtful` says so, and
    asking the clock makes it short. What was told last is not told again, but of a
    clock that runs: with a delay for each move it stands for seconds, and is heard all the same.
    """

    def __init__(self, left: SideName, *, levers: bool = False, turn_by: TurnBy = "lever") -> None:
        """`left`: who sits at the clock's left side. `levers`: whether pressed levers are told.

        `turn_by`: whether the lever says whose time runs, or what the clock says itself (in older papers its two bits
        are the other way round).
        """
        self._left = left
        self._levers = levers
        self._turn_by = turn_by
        self._heard: tuple[ClockTimes, float] | None = None
        """The last valid reading, told or not."""
        self._told: tuple[int, int, SideName | None] | None = None
        self._told_at = 0.0
        self._high: Hand | None = None
        self.doubtful = False
        """Whether the clock is to be asked: its last reading waits for another one that agrees, or was none."""
        self.connected: bool | None = None
        """Whether a clock is there; None where nothing has told."""
        self.battery_low = False

    def hear(self, message: ClockMessage, at: float) -> list[ClockShown | LeverPressed]:
        """What `message`, which came at `at`, tells: a lever first, since the reading is of the time after it."""
        match message:
            case ClockTimes():
                self.connected = True
                return self._read(message, at)
            case NoClock():
                self.connected, self._heard, self._told, self.doubtful = False, None, None, False
                self._high = None
            case NoTimes():
                self.doubtful = self._heard is not None
            case ClockAck():
                pass
        return []

    def _read(self, times: ClockTimes, at: float) -> list[ClockShown | LeverPressed]:
        before, self._heard = self._heard, (times, at)
        self.doubtful = before is None or not _explains(*before, times, at)
        if self.doubtful:
            return []
        self.battery_low = times.battery_low
        told: list[ClockShown | LeverPressed] = []
        if self._levers and self._high not in (None, times.high):
            told.append(LeverPressed(at, self._side(_opposite(times.high))))
        self._high = times.high
        hand = times.high if self._turn_by == "lever" else times.turn
        running = None if hand is None or not times.running else self._side(hand)
        white, black = times.left.seconds, times.right.seconds
        if self._left == "black":
            white, black = black, white
        again = running is not None and at - self._told_at >= AGAIN_SECONDS
        if again or (white, black, running) != self._told:
            self._told, self._told_at = (white, black, running), at
            told.append(ClockShown(at, float(white), float(black), running))
        return told

    def _side(self, hand: Hand) -> SideName:
        if hand == "left":
            return self._left
        return "black" if self._left == "white" else "white"


class HeldLever:
    """The lever that was pressed last, until the board has stood still.

    The lever and the board are both told late, either one first: a captured piece that was off before the lever was
    pressed may still be shown after it, and the opponent may have begun before the lever is told. So it is told once
    the board has shown the same for a while, and not at all where the other side has pressed by then.
    """

    def __init__(self) -> None:
        self._side: SideName | None = None
        self.deadline = inf
        """When it wants to be asked."""

    def pressed(self, lever: LeverPressed) -> None:
        self._side, self.deadline = lever.side, lever.at + STILL_SECONDS

    def moved(self, at: float) -> None:
        """Something on the board has changed."""
        if self._side is not None:
            self.deadline = at + STILL_SECONDS

    def due(self, at: float) -> list[LeverPressed]:
        """The lever, if it is to be told by now."""
        if self._side is None or at < self.deadline:
            return []
        told = [LeverPressed(at, self._side)]
        self._side, self.deadline = None, inf
        return told


def _explains(before: ClockTimes, was: float, now: ClockTimes, at: float) -> bool:
    """Whether `now` can follow on `before`, which came at `was`."""
    left, right = now.left.seconds - before.left.seconds, now.right.seconds - before.right.seconds
    lost = max(0, -left) + max(0, -right)
    return max(left, right) <= MOST_INCREMENT and lost <= at - was + LATE_SECONDS


def _opposite(hand: Hand) -> Hand:
    return "left" if hand == "right" else "right"


def _side(three: bytes) -> ClockSide | None:
    head = three[0]
    minutes, seconds = decimal(three[1]), decimal(three[2])
    if minutes is None or seconds is None:
        return None
    total = (head & 0x0F) * 3600 + minutes * 60 + seconds
    return ClockSide(total, bool(head & _FLAG), bool(head & _BLOCKED), bool(head & _PER_MOVE))


def decimal(byte: int) -> int | None:
    """Two decimal digits up to 59, or None."""
    tens, ones = byte >> 4, byte & 0x0F
    return tens * 10 + ones if tens < 6 and ones < 10 else None
