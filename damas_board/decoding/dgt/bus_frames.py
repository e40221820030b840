"""Requests to DGT boards in bus mode and their answers: bytes to values and back.

Several boards share a line. A request is `id, address (two bytes of seven bits), checksum`; an answer is framed as in
single mode, with the address before its data and a checksum behind. Some ids mean something else than in single mode
(0x86 is a dump there and the log since a game's start here), so whoever reads must know the mode. A board's address is
the serial number on its box as a binary number; address 0 is every board.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import IntEnum
from typing import NamedTuple

from damas_board.decoding.dgt.frames import HEADER, LOG_BYTES, Frame, FrameReader, encode

EVERYBODY = 0
MOST_ADDRESS = (1 << 14) - 1
REQUEST = 4
"""Bytes of a request."""
AROUND = HEADER + 3
"""Bytes of an answer that are not its data."""
PING_SPREAD = 1.1
"""Boards answer a ping to everybody at random within so many seconds."""
_SEVEN = 0x7F


class Ask(IntEnum):
    """What the host may ask of a board in bus mode."""

    CLOCK = 0x81
    BOARD = 0x82
    CHANGES = 0x83
    """What has changed since this was asked last; it is told once."""
    CHANGES_AGAIN = 0x84
    """The same packet once more."""
    START_GAME = 0x85
    FROM_START = 0x86
    PING = 0x87
    END_BUS_MODE = 0x88
    RESTART = 0x89
    IGNORE_NEXT_PING = 0x8A
    """Say who you are now, and not at the next ping to everybody."""
    VERSION = 0x8B
    BLACK_FIELDS = 0x8C
    """The 50 fields that the board calls black."""
    EVERYTHING = 0x8D


WRITES_BUS_MEMORY = frozenset({Ask.START_GAME})
"""This writes to what a board keeps without power: only an operator's own word sends it."""


class Answer(IntEnum):
    """Ids of what a board in bus mode says."""

    BOARD = 0x83
    CLOCK = 0x84
    CHANGES = 0x85
    FROM_START = 0x86
    PING = 0x87
    GAME_STARTED = 0x88
    VERSION = 0x89
    BLACK_FIELDS = 0x8A
    CHANGES_EVEN = 0x8B
    """As CHANGES: newer boards take turns with the two."""


LENGTHS: Mapping[int, Container[int]] = {
    Answer.BOARD: (AROUND + 50, AROUND + 64, AROUND + 100),
    Answer.CLOCK: (AROUND + 7,),
    Answer.CHANGES: range(AROUND, AROUND + LOG_BYTES + 1),
    Answer.FROM_START: range(AROUND, AROUND + LOG_BYTES + 1),
    Answer.PING: (AROUND,),
    Answer.GAME_STARTED: (AROUND,),
    # Up to version 1.2 a board says none.
    Answer.VERSION: (AROUND, AROUND + 2),
    Answer.BLACK_FIELDS: (AROUND + 50,),
    Answer.CHANGES_EVEN: range(AROUND, AROUND + LOG_BYTES + 1),
}
"""How long each answer may be, everything counted."""


class Said(NamedTuple):
    """What a board answered; its checksum was right."""

    id: int
    address: int
    data: bytes = b""


class Spoiled(NamedTuple):
    """An answer whose checksum was wrong: nothing in it is to be believed, its address neither."""

    id: int


def checksum(data: bytes) -> int:
    """Of all bytes before it."""
    return sum(data) & _SEVEN


def request(ask: Ask, address: int) -> bytes:
    """A request as it goes over the line. ValueError where the address is none."""
    data = bytes((ask, *_two(address)))
    return data + bytes((checksum(data),))


def answer(said: Said) -> bytes:
    """An answer as it goes over the line. ValueError where it cannot be one."""
    body = bytes((*_two(said.address), *said.data))
    data = encode(Frame(said.id, body + b"\0"))[:-1]
    return data + bytes((checksum(data),))


class BusReader:
    """Answers out of bytes that are split anywhere."""

    def __init__(self) -> None:
        self._frames = FrameReader(LENGTHS)

    @property
    def dropped(self) -> int:
        """Bytes that belonged to no answer."""
        return self._frames.dropped

    @property
    def coming(self) -> bool:
        """Whether an answer is on its way."""
        return self._frames.partial is not None

    def feed(self, data: bytes) -> list[Said | Spoiled]:
        """The answers that `data` completes."""
        return [_said(frame) for frame in self._frames.feed(data)]


def _said(frame: Frame) -> Said | Spoiled:
    whole = encode(frame)
    if checksum(whole[:-1]) != whole[-1]:
        return Spoiled(frame.id)
    high, low, *data = frame.payload[:-1]
    return Said(frame.id, high << 7 | low, bytes(data))


def _two(address: int) -> tuple[int, int]:
    if not 0 <= address <= MOST_ADDRESS:
        raise ValueError(f"a board's address is 0 to {MOST_ADDRESS}, not {address}")
    return address >> 7, address & _SEVEN
