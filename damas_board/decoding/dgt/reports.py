"""What the messages of a DGT board say, and the other way round for a board in software."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.dgt.clock import ClockAck, ClockMessage, ClockTimes, NoClock, clock_payload, read_clock
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


def frame(said: Report) -> Frame:
    """The frame that says so, as `report` reads it. ValueError for an Odd, and for what no board can say."""
    match said:
        case Dump(fields, codes) if len(codes) == FIELDS[fields]:
            return Frame(next(id_ for (id_, _), name in _DUMPS.items() if name == fields), bytes(codes))
        case FieldChanged(field, code):
            return Frame(Message.FIELD, bytes((field, code)))
        case ClockSaid((ClockTimes() | ClockAck() | NoClock()) as message):
            return Frame(Message.CLOCK, clock_payload(message))
        case Log(data):
            return Frame(Message.LOG, data)
        case BusAddress(number):
            return Frame(Message.BUS_ADDRESS, bytes((number >> 7, number & 0x7F)))
        case SerialNumber(text):
            return Frame(Message.SERIAL_NUMBER, text.encode("ascii"))
        case LongSerialNumber(text):
            return Frame(Message.LONG_SERIAL_NUMBER, text.encode("ascii"))
        case Trademark(text):
            return Frame(Message.TRADEMARK, text.encode("ascii"))
        case Version(main, sub):
            return Frame(Message.VERSION, bytes((main, sub)))
        case Battery():
            return Frame(Message.BATTERY, _battery_bytes(said))
        case _:
            raise ValueError(f"no board says {said}")


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


def _battery_bytes(battery: Battery) -> bytes:
    def hours(minutes: int | None) -> tuple[int, ...]:
        return (_NOT_SAID, _NOT_SAID) if minutes is None else divmod(minutes, 60)

    standby = battery.standby_minutes
    days, rest = (_NOT_SAID, None) if standby is None else divmod(standby, 24 * 60)
    status = _CHARGING * bool(battery.charging) | _DISCHARGING * bool(battery.discharging)
    percent = _NOT_SAID if battery.percent is None else battery.percent
    return bytes(
        (percent, *hours(battery.left_minutes), *hours(battery.on_minutes), days, *hours(rest), status),
    )
