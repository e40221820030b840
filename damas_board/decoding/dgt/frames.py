"""Frames on the line between a DGT board in single mode and the host: bytes to values and back.

A message of the board is `id, length (two bytes of seven bits), payload`; the length counts these three bytes as well.
Only an id has its top bit set, so whatever noise does, reading is in step again at the next id. There is no checksum: a
lost byte is noticed by the next id that comes too early, one byte too many only by what is dropped behind the frame.
A command to the board is a single byte, those to the clock excepted.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from enum import IntEnum

BAUD = 9600
HEADER = 3
LOG_BYTES = 0x1F00
"""The log of a board in single mode."""
_TOP_BIT = 0x80
_SEVEN = 0x7F


class Command(IntEnum):
    """What the host may send, one byte each."""

    RESET = 0x40
    """Be quiet: nothing is told unasked."""
    CLOCK = 0x41
    DUMP = 0x42
    UPDATES = 0x43
    """Tell changes, and the clock each second."""
    BOARD_UPDATES = 0x44
    SERIAL_NUMBER = 0x45
    BUS_ADDRESS = 0x46
    TRADEMARK = 0x47
    LOG = 0x49
    BUS_MODE = 0x4A
    NICE_UPDATES = 0x4B
    """Tell changes, and the clock when it has changed."""
    BATTERY = 0x4C
    VERSION = 0x4D
    BOOT_LOADER = 0x4E
    DUMP_BLACK = 0x50
    SCAN_BLACK = 0x51
    DUMP_WHITE = 0x52
    SCAN_WHITE = 0x53
    SCAN_ALL = 0x54
    LONG_SERIAL_NUMBER = 0x55


WRITES_MEMORY = frozenset({Command.SCAN_BLACK, Command.SCAN_WHITE, Command.SCAN_ALL})
"""These change what a board keeps without power: only an operator's own word sends them."""
NEVER = frozenset({Command.BOOT_LOADER})
"""This leaves a board without its program."""


class Message(IntEnum):
    """Ids of what the board says."""

    DUMP = 0x86
    CLOCK = 0x8D
    FIELD = 0x8E
    LOG = 0x8F
    BUS_ADDRESS = 0x90
    SERIAL_NUMBER = 0x91
    TRADEMARK = 0x92
    VERSION = 0x93
    DUMP_BLACK = 0x94
    DUMP_WHITE = 0x95
    BATTERY = 0xA0
    LONG_SERIAL_NUMBER = 0xA2


LENGTHS: Mapping[int, Container[int]] = {
    Message.DUMP: (HEADER + 64, HEADER + 100),
    Message.CLOCK: (HEADER + 7,),
    Message.FIELD: (HEADER + 2,),
    Message.LOG: range(HEADER, HEADER + LOG_BYTES + 1),
    Message.BUS_ADDRESS: (HEADER + 2,),
    Message.SERIAL_NUMBER: (HEADER + 5,),
    Message.TRADEMARK: range(HEADER, 256 + 1),
    Message.VERSION: (HEADER + 2,),
    Message.DUMP_BLACK: (HEADER + 50,),
    Message.DUMP_WHITE: (HEADER + 50,),
    # What is documented disagrees with itself: seven by the number given, twelve by the fields listed.
    Message.BATTERY: (HEADER + 4, HEADER + 9),
    Message.LONG_SERIAL_NUMBER: (HEADER + 10,),
}
"""How long each message may be, header included."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message; `id` has its top bit set, no byte of `payload` has."""

    id: int
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Partial:
    """A message on its way: what has come of its payload, and how long that will be."""

    id: int
    payload: bytes
    length: int


def encode(frame: Frame) -> bytes:
    """A frame as it goes over the line. ValueError where a byte has a top bit that it must not have, or lacks it."""
    length = HEADER + len(frame.payload)
    if not _TOP_BIT <= frame.id <= 0xFF or any(byte & _TOP_BIT for byte in frame.payload):
        raise ValueError("the top bit is an id's, and no other byte's")
    if length >> 14:
        raise ValueError(f"a message has at most {(1 << 14) - 1} bytes, not {length}")
    return bytes((frame.id, length >> 7, length & _SEVEN)) + frame.payload


class FrameReader:
    """Frames out of bytes that are split anywhere; `lengths` says which ids there are, and how long each may be."""

    def __init__(self, lengths: Mapping[int, Container[int]] = LENGTHS) -> None:
        self._lengths = lengths
        self._kept = bytearray()
        """An id and what followed it, less than a frame; or nothing."""
        self._length = 0
        """Of the frame that has begun; 0 until its header is here."""
        self.dropped = 0
        """Bytes that belonged to no frame."""

    @property
    def begun(self) -> int | None:
        """The id of the message on its way, also before its header is here."""
        return self._kept[0] if self._kept else None

    @property
    def partial(self) -> Partial | None:
        """The message on its way, once its header is here."""
        if not self._length:
            return None
        return Partial(self._kept[0], bytes(self._kept[HEADER:]), self._length - HEADER)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes."""
        frames = []
        for byte in data:
            if byte & _TOP_BIT:
                self._drop()
                if byte in self._lengths:
                    self._kept.append(byte)
                else:
                    self.dropped += 1
            elif not self._kept:
                self.dropped += 1
            else:
                self._kept.append(byte)
                if len(self._kept) == HEADER:
                    self._length = self._kept[1] << 7 | byte
                    if self._length not in self._lengths[self._kept[0]]:
                        self._drop()
            if self._length and len(self._kept) == self._length:
                frames.append(Frame(self._kept[0], bytes(self._kept[HEADER:])))
                self._begin_anew()
        return frames

    def _drop(self) -> None:
        self.dropped += len(self._kept)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._kept.clear()
        self._length = 0
