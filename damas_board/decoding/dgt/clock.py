"""The clock on a DGT board: what its messages say, and which of them are to be believed.

Left and right are sides of the clock, as its readers see it, and never colours; a setting says whose the left one is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.talk import ClockShown, LeverPressed, SideName

Hand = Literal["left", "right"]
"""A side of the clock."""
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


def clock_payload(message: ClockTimes | ClockAck | NoClock) -> bytes:
    """What `read_clock` reads."""
    match message:
        case NoClock():
            return bytes((0, 0, 0, 0, 0, 0, _NO_CLOCK))
        case ClockAck(data):
            a0, a1, a2, a3 = data
            right = _ACK | (a2 & 0x80) >> 3 | (a3 & 0x80) >> 2
            left = _ACK | (a0 & 0x80) >> 3 | (a1 & 0x80) >> 2
            return bytes((right, a0 & 0x7F, a1 & 0x7F, left, a2 & 0x7F, a3 & 0x7F, 0))
        case ClockTimes(left=left_side, right=right_side):
            status = _RUNNING * message.running | _HIGH_RIGHT * (message.high == "right")
            status |= _BATTERY * message.battery_low
            status |= _RIGHT_TURN * (message.turn == "right") | _LEFT_TURN * (message.turn == "left")
            return _bytes_of(right_side) + _bytes_of(left_side) + bytes((status,))


class ClockWatch:
    """What a clock's messages tell, one after the other."""

    def __init__(self, left: SideName, *, levers: bool = False) -> None:
        """`left`: who sits at the clock's left side. `levers`: whether pressed levers are told; they may be late."""
        self._left = left
        self._levers = levers
        self.doubtful = False
        """Whether the last message is not believed until another says the same: a good time to ask again."""
        self.connected: bool | None = None
        self.battery_low = False

    def hear(self, message: ClockMessage, at: float) -> list[ClockShown | LeverPressed]:
        """What `message`, which came at `at`, tells."""
        if not isinstance(message, ClockTimes):
            return []
        runs = None if not message.running else self._side(message.high)
        by_side = {self._side("left"): message.left, self._side("right"): message.right}
        return [ClockShown(at, float(by_side["white"].seconds), float(by_side["black"].seconds), runs)]

    def _side(self, hand: Hand) -> SideName:
        if hand == "left":
            return self._left
        return "black" if self._left == "white" else "white"


def _side(three: bytes) -> ClockSide | None:
    head = three[0]
    minutes, seconds = _decimal(three[1]), _decimal(three[2])
    if minutes is None or seconds is None:
        return None
    total = (head & 0x0F) * 3600 + minutes * 60 + seconds
    return ClockSide(total, bool(head & _FLAG), bool(head & _BLOCKED), bool(head & _PER_MOVE))


def _decimal(byte: int) -> int | None:
    """Two decimal digits up to 59, or None."""
    tens, ones = byte >> 4, byte & 0x0F
    return tens * 10 + ones if tens < 6 and ones < 10 else None


def _bytes_of(side: ClockSide) -> bytes:
    hours, rest = divmod(side.seconds, 3600)
    if not 0 <= hours <= _MOST_HOURS:
        raise ValueError(f"a clock shows 0 to 9 hours, not {hours}")
    minutes, seconds = divmod(rest, 60)
    head = hours | _BLOCKED * side.blocked | _PER_MOVE * side.per_move | _FLAG * side.flag
    return bytes((head, minutes // 10 << 4 | minutes % 10, seconds // 10 << 4 | seconds % 10))
