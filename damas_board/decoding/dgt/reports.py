"""What the messages of a DGT board say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.dgt.clock import ClockMessage, read_clock
from damas_board.decoding.dgt.frames import Frame, Message

Fields = Literal["all100", "all64", "black50", "white50"]
"""Which squares a dump is of."""
MOST_CODE = 0x0F
_NOT_SAID = 0x7F
_CHARGING, _DISCHARGING = 1, 2


@dataclass(frozen=True, slots=True)
class Dump:
    """A piece code for each field, field 0 first."""

    fields: Fields
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FieldChanged:
    """What stands on one field now: only a wake-up, the dump is the truth."""

    field: int
    code: int


@dataclass(frozen=True, slots=True)
class ClockSaid:
    said: ClockMessage


@dataclass(frozen=True, slots=True)
class Log:
    data: bytes


@dataclass(frozen=True, slots=True)
class BusAddress:
    """The board's address on a bus; its serial number as well."""

    number: int


@dataclass(frozen=True, slots=True)
class SerialNumber:
    text: str


@dataclass(frozen=True, slots=True)
class LongSerialNumber:
    text: str


@dataclass(frozen=True, slots=True)
class Trademark:
    """What the maker has the board say, as one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Version:
    main: int
    sub: int

    @property
    def text(self) -> str:
        return f"{self.main}.{self.sub:02}"


@dataclass(frozen=True, slots=True)
class Battery:
    """Of a board by Bluetooth; None where it does not say."""

    percent: int | None = None
    left_minutes: int | None = None
    on_minutes: int | None = None
    standby_minutes: int | None = None
    charging: bool | None = None
    discharging: bool | None = None


@dataclass(frozen=True, slots=True)
class Odd:
    """A message that says nothing: garbled, or of a kind that is not known here."""

    id: int
    why: str


Report = (
    Dump
    | FieldChanged
    | ClockSaid
    | Log
    | BusAddress
    | SerialNumber
    | LongSerialNumber
    | Trademark
    | Version
    | Battery
    | Odd
)

_DUMPS: Mapping[tuple[int, int], Fields] = {
    (Message.DUMP, 100): "all100",
    (Message.DUMP, 64): "all64",
    (Message.DUMP_BLACK, 50): "black50",
    (Message.DUMP_WHITE, 50): "white50",
}
FIELDS: Mapping[Fields, int] = {fields: count for (_, count), fields in _DUMPS.items()}
"""How many fields each kind of dump has."""


def report(frame: Frame) -> Report:
    """What a frame says; Odd whatever it is otherwise, never an error."""
    payload = frame.payload
    match frame.id, len(payload):
        case (Message.DUMP | Message.DUMP_BLACK | Message.DUMP_WHITE) as id_, count if (id_, count) in _DUMPS:
            if max(payload) > MOST_CODE:
                return Odd(id_, f"{max(payload):#04x} is no piece's code")
            return Dump(_DUMPS[id_, count], tuple(payload))
        case Message.FIELD, 2:
            field, code = payload
            if field >= max(FIELDS.values()) or code > MOST_CODE:
                return Odd(frame.id, f"{code:#04x} on field {field}")
            return FieldChanged(field, code)
        case Message.CLOCK, 7:
            return ClockSaid(read_clock(payload))
        case Message.LOG, _:
            return Log(payload)
        case Message.BUS_ADDRESS, 2:
            return BusAddress(payload[0] << 7 | payload[1])
        case (Message.SERIAL_NUMBER, 5) | (Message.LONG_SERIAL_NUMBER, 10):
            text = payload.decode("ascii")
            if not text.isdigit():
                return Odd(frame.id, f"{text!r} is no serial number")
            return SerialNumber(text) if frame.id == Message.SERIAL_NUMBER else LongSerialNumber(text)
        case Message.TRADEMARK, _:
            return Trademark(" ".join("".join(c if c.isprintable() else " " for c in payload.decode("ascii")).split()))
        case Message.VERSION, 2:
            return Version(payload[0], payload[1])
        case Message.BATTERY, (4 | 9):
            return _battery(payload)
        case _:
            return Odd(frame.id, f"{len(payload)} bytes of a kind that is not known here")


def _battery(payload: bytes) -> Battery:
    percent = None if payload[0] == _NOT_SAID else payload[0]
    left = _minutes(payload[1], payload[2])
    if len(payload) != 9:
        return Battery(percent, left)
    days, hours, minutes, status = payload[5:]
    standby = _minutes(hours, minutes)
    return Battery(
        percent,
        left,
        _minutes(payload[3], payload[4]),
        None if days == _NOT_SAID or standby is None else days * 24 * 60 + standby,
        bool(status & _CHARGING),
        bool(status & _DISCHARGING),
    )


def _minutes(hours: int, minutes: int) -> int | None:
    return None if _NOT_SAID in (hours, minutes) else hours * 60 + minutes
