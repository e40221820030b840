"""The bytes of the protocol as the simulated board writes and reads them.

Written for itself, without the decoder's tables: a slip in one of the two is not hidden by the same slip in the other.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

Fields = Literal["all", "black", "white"]
"""Which fields are scanned, or dumped."""


class Order(IntEnum):
    """One byte from the host, some with more behind them."""

    IDLE = 0x40
    CLOCK = 0x41
    DUMP = 0x42
    UPDATES = 0x43
    FIELD_UPDATES = 0x44
    SERIAL = 0x45
    BUS_ADDRESS = 0x46
    NAME = 0x47
    LOG = 0x49
    BUS_MODE = 0x4A
    UPDATES_NICE = 0x4B
    BATTERY = 0x4C
    VERSION = 0x4D
    BOOT_LOADER = 0x4E
    DUMP_BLACK = 0x50
    KEEP_BLACK = 0x51
    DUMP_WHITE = 0x52
    KEEP_WHITE = 0x53
    KEEP_ALL = 0x54
    LONG_SERIAL = 0x55
    LIGHTS = 0x60
    TO_CLOCK = 0x2B


class Answer(IntEnum):
    """The first byte of what the board sends."""

    DUMP = 0x86
    CLOCK = 0x8D
    FIELD = 0x8E
    LOG = 0x8F
    BUS_ADDRESS = 0x90
    SERIAL = 0x91
    NAME = 0x92
    VERSION = 0x93
    DUMP_BLACK = 0x94
    DUMP_WHITE = 0x95
    BATTERY = 0xA0
    LONG_SERIAL = 0xA2


def frame(answer: int, payload: bytes) -> bytes:
    """What goes over the line; the length counts the three bytes before `payload`, whose bytes are below 128."""
    if payload and max(payload) > 0x7F:
        raise ValueError(f"payload {payload.hex()} has a byte above 127")
    length = len(payload) + 3
    return bytes((answer, length >> 7, length & 0x7F)) + payload


def seven_bits(number: int) -> bytes:
    """A number below 16384 in two bytes below 128."""
    return bytes((number >> 7 & 0x7F, number & 0x7F))
