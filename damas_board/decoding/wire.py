"""Frames on the wire between the sensor board and the host, both ways: bytes to values and back (firmware/PROTOCOL.md).

On the wire a frame is `COBS(payload | crc_lo crc_hi) 00`. Because no encoded byte is zero, a zero always ends a frame:
whatever noise does, reading is in step again at the next zero, so noise costs only the frames it touches. A decoder
keeps at most one frame; longer rubbish is counted once and skipped up to the next zero. All integers are little-endian.
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Generic, Literal, NamedTuple, TypeVar

from damas_board.decoding import cobs

PROTOCOL = 1
"""The protocol's number in HELLO; a board that speaks another is refused."""
MAX_PAYLOAD = 60
CRC_SIZE = 2
MAX_ENCODED = MAX_PAYLOAD + CRC_SIZE + 1
"""The longest frame on the wire in bytes, without the zero that ends it."""
LOG_SIZE = 128
"""Events that a board keeps for RESEND."""
MAX_PLACES = 100
CALIBRATION_MOST = 17
"""Places in one CALIBRATION."""
WRITE_MOST = 18
"""Places that one command writes into the table of calibration."""
SEQ_MODULUS = 1 << 16
TIME_MODULUS = 1 << 32
HEADER = struct.Struct("<BHI")


class FrameType(IntEnum):
    HELLO = 0x01
    EVENT = 0x02
    SNAPSHOT = 0x03
    HEARTBEAT = 0x04
    NAK = 0x05
    ACK = 0x06
    RAW = 0x07
    CALIBRATION = 0x08
    LOG = 0x7F


class CommandType(IntEnum):
    HELLO = 0x41
    SNAPSHOT = 0x42
    RESEND = 0x43
    DEBOUNCE = 0x44
    LED = 0x45
    RAW = 0x46
    CALIBRATE = 0x47


class Operation(IntEnum):
    """What CALIBRATE is to do."""

    READ = 0
    WRITE = 1
    KEEP = 2
    FACTORY = 3


class NakCode(IntEnum):
    UNKNOWN = 1
    LENGTH = 2
    GONE = 3
    VALUE = 4


class Key(IntEnum):
    """Keys of an EVENT that are no places; places are 1 to `places`."""

    CLOCK_A = 0xF0
    CLOCK_B = 0xF1
    ADJUST = 0xF2


BUTTONS = (Key.CLOCK_A, Key.CLOCK_B, Key.ADJUST)
"""In the order in which a SNAPSHOT has them; a board with fewer has the first ones."""


class Cap(IntFlag):
    """What a board can do besides telling what stands on it, and (FACTORY_TABLE) what is wrong with it."""

    LIGHTS = 0x0001
    RAW = 0x0002
    CALIBRATE = 0x0004
    CONFIG = 0x0008
    FACTORY_TABLE = 0x0010


class Level(IntEnum):
    EMPTY = 0
    OCCUPIED = 1
    BLACK_MAN = 2
    WHITE_KING = 3
    BLACK_KING = 4


class Colour(IntEnum):
    OFF = 0
    WHITE = 1
    RED = 2
    GREEN = 3
    BLUE = 4
    YELLOW = 5


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is. `debounce_down`, `debounce_up` in milliseconds; `tag` 0 where nobody asked."""

    seq: int
    t: int
    tag: int
    firmware: tuple[int, int]
    boot_id: int
    places: int
    buttons: int
    caps: int
    geometry: int
    levels: int
    hardware: int
    scan_hz: int
    debounce_down: int
    debounce_up: int
    uid: int
    """The board's identity, written when it is flashed."""

    @property
    def identity(self) -> str:
        """`uid` as text, the form in which identities are compared: eight hexadecimal digits."""
        return f"{self.uid:08x}"


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """A HELLO of another protocol version: nothing behind these fields can be read."""

    seq: int
    t: int
    tag: int
    protocol: int
    firmware: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """One change. `seq` is its own number, `t` the board's milliseconds when it was debounced."""

    seq: int
    t: int
    key: int
    level: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The packed levels, places first and buttons last; `unpack_levels` reads them."""

    seq: int
    t: int
    tag: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Once a second. `received_bad` and `overrun` count since boot and stay at 255; `supply_mv` 0 is not measured."""

    seq: int
    t: int
    scans: int
    received_bad: int
    overrun: int
    supply_mv: int = 0
    unstable: frozenset[int] = frozenset()
    """Numbers of the places whose sensors are not still; behind the last place the buttons are counted on."""


@dataclass(frozen=True, slots=True)
class Nak:
    seq: int
    t: int
    tag: int
    command: int
    code: int


@dataclass(frozen=True, slots=True)
class Ack:
    seq: int
    t: int
    tag: int
    command: int


@dataclass(frozen=True, slots=True)
class Raw:
    """Readings of the places from `first` on, 0 to 255 each."""

    seq: int
    t: int
    first: int
    readings: bytes


class Thresholds(NamedTuple):
    """Of one place: the reading with nothing above, and from how far off it on a man or a king is there; 0 to 255."""

    zero: int
    man: int
    king: int


WHITE_ABOVE = 0x01
"""In the flags of a table of calibration: white pieces move the reading up, else down."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The table of calibration of the places from `first` on."""

    seq: int
    t: int
    first: int
    flags: int
    squares: tuple[Thresholds, ...]


@dataclass(frozen=True, slots=True)
class Log:
    seq: int
    t: int
    text: str


@dataclass(frozen=True, slots=True)
class OtherFrame:
    """A sound frame of a type that is not known here; its header still counts."""

    seq: int
    t: int
    type: int
    body: bytes


BoardFrame = Hello | ForeignHello | Event | Snapshot | Heartbeat | Nak | Ack | Raw | Calibration | Log | OtherFrame


@dataclass(frozen=True, slots=True)
class AskHello:
    tag: int


@dataclass(frozen=True, slots=True)
class AskSnapshot:
    tag: int


@dataclass(frozen=True, slots=True)
class Resend:
    """Send the events from number `first` on once more."""

    tag: int
    first: int


@dataclass(frozen=True, slots=True)
class SetDebounce:
    """Milliseconds that a change must last: `down` for a piece that comes, `up` for one that goes; 1 to 255."""

    tag: int
    down: int
    up: int


@dataclass(frozen=True, slots=True)
class Light:
    """Give `places` this colour; all others keep theirs."""

    tag: int
    colour: int
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class ReportRaw:
    """Send RAW frames `rate` times a second; 0 ends it."""

    tag: int
    rate: int


@dataclass(frozen=True, slots=True)
class ReadCalibration:
    """Send the table from the place `first` on, as far as one frame has room."""

    tag: int
    first: int


@dataclass(frozen=True, slots=True)
class WriteCalibration:
    """Take `squares` for the places from `first` on, 1 to WRITE_MOST of them; forgotten at the board's next start."""

    tag: int
    first: int
    squares: tuple[Thresholds, ...]


@dataclass(frozen=True, slots=True)
class KeepCalibration:
    """Keep the table for good, if `crc` is `calibration_crc` of the flags and of what is in the board."""

    tag: int
    flags: int
    crc: int


@dataclass(frozen=True, slots=True)
class FactoryCalibration:
    """Take the factory's thresholds until the next start."""

    tag: int


@dataclass(frozen=True, slots=True)
class BadCommand:
    """A sound frame that is no command: the board answers it with NAK `code`."""

    tag: int
    command: int
    code: NakCode


Calibrate = ReadCalibration | WriteCalibration | KeepCalibration | FactoryCalibration
HostCommand = AskHello | AskSnapshot | Resend | SetDebounce | Light | ReportRaw | Calibrate
HostFrame = HostCommand | BadCommand

_HELLO = struct.Struct("<BBBBHBBHBBBHBBI")
_HELLO_START = struct.Struct("<BBBB")
_HEARTBEAT = struct.Struct("<HBB")
_MASK_AT = _HEARTBEAT.size + 2


class MalformedError(ValueError):
    """A payload whose length does not fit its type."""


def crc(payload: bytes) -> int:
    """CRC-16/IBM-3740: polynomial 1021, start FFFF, not reflected; of b"123456789" it is 29B1."""
    return crc_hqx(payload, 0xFFFF)


def calibration_crc(flags: int, squares: Sequence[Thresholds]) -> int:
    """The CRC of a whole table of calibration, which the board keeps beside it."""
    return crc(bytes([flags]) + _table(squares))


def frame(payload: bytes) -> bytes:
    """The payload as it goes on the wire, with the zero that ends it. ValueError if it is too long."""
    if not 0 < len(payload) <= MAX_PAYLOAD:
        raise ValueError(f"a payload has 1 to {MAX_PAYLOAD} bytes, not {len(payload)}")
    return cobs.encode(payload + crc(payload).to_bytes(CRC_SIZE, "little")) + b"\0"


def pack_levels(levels: tuple[int, ...], kinds: int) -> bytes:
    """Levels as SNAPSHOT carries them: lowest bits first, 1 bit each where `kinds` is 2, else 4."""
    bits = level_bits(kinds)
    whole = 0
    for index, level in enumerate(levels):
        if not 0 <= level < 1 << bits:
            raise ValueError(f"level {level} does not fit into {bits} bits")
        whole |= level << bits * index
    return whole.to_bytes((len(levels) * bits + 7) // 8, "little")


def unpack_levels(packed: bytes, count: int, kinds: int) -> tuple[int, ...]:
    """The first `count` levels in `packed`. MalformedError if its length is not exactly theirs."""
    bits = level_bits(kinds)
    if len(packed) != (count * bits + 7) // 8:
        raise MalformedError(f"{count} levels of {bits} bits do not fit {len(packed)} bytes")
    whole = int.from_bytes(packed, "little")
    return tuple(whole >> bits * index & (1 << bits) - 1 for index in range(count))


def level_bits(kinds: int) -> int:
    """Bits that a SNAPSHOT spends on a level."""
    return 1 if kinds == 2 else 4


def board_payload(item: BoardFrame) -> bytes:
    """The payload that the board sends for `item`. ValueError where a field does not fit its bytes."""
    try:
        return _board_payload(item)
    except struct.error as error:
        raise ValueError(f"{item} does not fit its frame: {error}") from error


def _board_payload(item: BoardFrame) -> bytes:
    def head(kind: int) -> bytes:
        return HEADER.pack(kind, item.seq, item.t)

    match item:
        case Hello():
            return head(FrameType.HELLO) + _HELLO.pack(
                item.tag,
                PROTOCOL,
                *item.firmware,
                item.boot_id,
                item.places,
                item.buttons,
                item.caps,
                item.geometry,
                item.levels,
                item.hardware,
                item.scan_hz,
                item.debounce_down,
                item.debounce_up,
                item.uid,
            )
        case ForeignHello():
            return head(FrameType.HELLO) + _HELLO_START.pack(item.tag, item.protocol, *item.firmware)
        case Event():
            return head(FrameType.EVENT) + struct.pack("<BB", item.key, item.level)
        case Snapshot():
            return head(FrameType.SNAPSHOT) + struct.pack("<B", item.tag) + item.packed
        case Heartbeat():
            return (
                head(FrameType.HEARTBEAT)
                + _HEARTBEAT.pack(item.scans, item.received_bad, item.overrun)
                + (struct.pack("<H", item.supply_mv) if item.supply_mv or item.unstable else b"")
                + _mask(item.unstable, MAX_PLACES + len(BUTTONS))
            )
        case Nak():
            return head(FrameType.NAK) + struct.pack("<BBB", item.tag, item.command, item.code)
        case Ack():
            return head(FrameType.ACK) + struct.pack("<BB", item.tag, item.command)
        case Raw():
            return head(FrameType.RAW) + struct.pack("<B", item.first) + item.readings
        case Calibration():
            return head(FrameType.CALIBRATION) + struct.pack("<BB", item.first, item.flags) + _table(item.squares)
        case Log():
            return head(FrameType.LOG) + item.text.encode()
        case OtherFrame():
            return head(item.type) + item.body


def _exactly(body: bytes, form: str) -> tuple[int, ...]:
    if len(body) != struct.calcsize(form):
        raise MalformedError(f"{len(body)} bytes where {struct.calcsize(form)} belong")
    return struct.unpack(form, body)


def _hello(seq: int, t: int, body: bytes) -> Hello | ForeignHello:
    if len(body) < _HELLO_START.size:
        raise MalformedError("a HELLO without a version")
    tag, protocol, major, minor = _HELLO_START.unpack_from(body)
    if protocol != PROTOCOL:
        return ForeignHello(seq, t, tag, protocol, (major, minor))
    if len(body) < _HELLO.size:
        raise MalformedError("a HELLO cut short")
    # A later minor version may append fields; those are passed over.
    return Hello(seq, t, tag, (major, minor), *_HELLO.unpack_from(body)[4:])


def read_board_payload(payload: bytes) -> BoardFrame:
    """What the board says with `payload` (its CRC checked before). MalformedError if the length is wrong."""
    if len(payload) < HEADER.size:
        raise MalformedError("shorter than a header")
    kind, seq, t = HEADER.unpack_from(payload)
    body = payload[HEADER.size :]
    match kind:
        case FrameType.HELLO:
            return _hello(seq, t, body)
        case FrameType.EVENT:
            return Event(seq, t, *_exactly(body, "<BB"))
        case FrameType.SNAPSHOT:
            if not body:
                raise MalformedError("a SNAPSHOT without a tag")
            return Snapshot(seq, t, body[0], body[1:])
        case FrameType.HEARTBEAT:
            if len(body) < _HEARTBEAT.size:
                raise MalformedError("a HEARTBEAT cut short")
            supply = int.from_bytes(body[_HEARTBEAT.size : _MASK_AT], "little")
            scans, received_bad, overrun = _HEARTBEAT.unpack_from(body)
            return Heartbeat(seq, t, scans, received_bad, overrun, supply, _numbers(body[_MASK_AT:]))
        case FrameType.NAK:
            return Nak(seq, t, *_exactly(body, "<BBB"))
        case FrameType.ACK:
            return Ack(seq, t, *_exactly(body, "<BB"))
        case FrameType.RAW:
            if not body:
                raise MalformedError("a RAW without a first place")
            return Raw(seq, t, body[0], body[1:])
        case FrameType.CALIBRATION:
            if len(body) < 2:
                raise MalformedError("a CALIBRATION cut short")
            return Calibration(seq, t, body[0], body[1], _squares(body[2:]))
        case FrameType.LOG:
            return Log(seq, t, body.decode(errors="replace"))
        case _:
            return OtherFrame(seq, t, kind, body)


def host_payload(item: HostCommand) -> bytes:
    """The payload that the host sends for `item`. ValueError where a field does not fit its bytes."""
    try:
        match item:
            case AskHello():
                return struct.pack("<BB", CommandType.HELLO, item.tag)
            case AskSnapshot():
                return struct.pack("<BB", CommandType.SNAPSHOT, item.tag)
            case Resend():
                return struct.pack("<BBH", CommandType.RESEND, item.tag, item.first)
            case SetDebounce():
                return struct.pack("<BBBB", CommandType.DEBOUNCE, item.tag, item.down, item.up)
            case Light():
                return struct.pack("<BBB", CommandType.LED, item.tag, item.colour) + _mask(item.places, MAX_PLACES)
            case ReportRaw():
                return struct.pack("<BBB", CommandType.RAW, item.tag, item.rate)
            case ReadCalibration():
                return _calibrate(item.tag, Operation.READ) + struct.pack("<B", item.first)
            case WriteCalibration():
                if not 1 <= len(item.squares) <= WRITE_MOST:
                    raise ValueError(f"1 to {WRITE_MOST} places are written at once, not {len(item.squares)}")
                return _calibrate(item.tag, Operation.WRITE) + struct.pack("<B", item.first) + _table(item.squares)
            case KeepCalibration():
                return _calibrate(item.tag, Operation.KEEP) + struct.pack("<BH", item.flags, item.crc)
            case FactoryCalibration():
                return _calibrate(item.tag, Operation.FACTORY)
    except struct.error as error:
        raise ValueError(f"{item} does not fit its frame: {error}") from error


def _calibrate(tag: int, operation: Operation) -> bytes:
    return struct.pack("<BBB", CommandType.CALIBRATE, tag, operation)


def _mask(numbers: frozenset[int], most: int) -> bytes:
    if any(not 1 <= number <= most for number in numbers):
        raise ValueError(f"the numbers of a mask are 1 to {most}")
    whole = sum(1 << number - 1 for number in numbers)
    return whole.to_bytes((max(numbers, default=0) + 7) // 8, "little")


def _numbers(mask: bytes) -> frozenset[int]:
    whole = int.from_bytes(mask, "little")
    return frozenset(bit + 1 for bit in range(whole.bit_length()) if whole >> bit & 1)


def _table(squares: Sequence[Thresholds]) -> bytes:
    try:
        return b"".join(bytes(square) for square in squares)
    except ValueError as error:
        raise ValueError("the numbers of a table of calibration are 0 to 255") from error


def _squares(table: bytes) -> tuple[Thresholds, ...]:
    if len(table) % 3:
        raise MalformedError("three bytes a place are expected")
    return tuple(Thresholds(*table[start : start + 3]) for start in range(0, len(table), 3))


def read_host_payload(payload: bytes) -> HostFrame:
    """What the host asks with `payload` (its CRC checked before); never raises, a BadCommand says what to answer."""
    command = payload[0]
    tag = payload[1] if len(payload) > 1 else 0
    arguments = payload[2:]
    try:
        if len(payload) < 2:
            raise MalformedError("a command without a tag")
        match command:
            case CommandType.HELLO:
                _exactly(arguments, "<")
                return AskHello(tag)
            case CommandType.SNAPSHOT:
                _exactly(arguments, "<")
                return AskSnapshot(tag)
            case CommandType.RESEND:
                return Resend(tag, *_exactly(arguments, "<H"))
            case CommandType.DEBOUNCE:
                down, up = _exactly(arguments, "<BB")
                return SetDebounce(tag, down, up) if down and up else BadCommand(tag, command, NakCode.VALUE)
            case CommandType.LED:
                if not arguments:
                    raise MalformedError("a LED without a colour")
                lit = _numbers(arguments[1:])
                if arguments[0] > max(Colour) or any(place > MAX_PLACES for place in lit):
                    return BadCommand(tag, command, NakCode.VALUE)
                return Light(tag, arguments[0], lit)
            case CommandType.RAW:
                return ReportRaw(tag, *_exactly(arguments, "<B"))
            case CommandType.CALIBRATE:
                return _read_calibrate(tag, arguments)
            case _:
                return BadCommand(tag, command, NakCode.UNKNOWN)
    except MalformedError:
        return BadCommand(tag, command, NakCode.LENGTH)


def _read_calibrate(tag: int, arguments: bytes) -> Calibrate | BadCommand:
    if not arguments:
        raise MalformedError("a CALIBRATE without an operation")
    operation, rest = arguments[0], arguments[1:]
    found: Calibrate
    match operation:
        case Operation.READ:
            found = ReadCalibration(tag, *_exactly(rest, "<B"))
        case Operation.WRITE:
            squares = _squares(rest[1:])
            if not squares:
                raise MalformedError("a CALIBRATE that writes nothing")
            found = WriteCalibration(tag, rest[0], squares)
        case Operation.KEEP:
            return KeepCalibration(tag, *_exactly(rest, "<BH"))
        case Operation.FACTORY:
            _exactly(rest, "<")
            return FactoryCalibration(tag)
        case _:
            return BadCommand(tag, CommandType.CALIBRATE, NakCode.VALUE)
    return found if 1 <= found.first <= MAX_PLACES else BadCommand(tag, CommandType.CALIBRATE, NakCode.VALUE)


def encode_frame(item: BoardFrame) -> bytes:
    """A frame of the board as it goes on the wire."""
    return frame(board_payload(item))


def encode_command(item: HostCommand) -> bytes:
    """A command of the host as it goes on the wire."""
    return frame(host_payload(item))


Frame = TypeVar("Frame")


Reason = Literal["stuffing", "crc", "length", "overlong"]


@dataclass(slots=True)
class BadFrames:
    """What a decoder threw away since it began, by reason."""

    stuffing: int = 0
    crc: int = 0
    length: int = 0
    overlong: int = 0

    @property
    def total(self) -> int:
        return self.stuffing + self.crc + self.length + self.overlong

    def count(self, reason: Reason) -> None:
        setattr(self, reason, getattr(self, reason) + 1)


@dataclass(frozen=True, slots=True)
class Bad:
    """What a decoder threw away: the bytes up to the zero, or the first ones of an overlong run."""

    reason: Reason
    data: bytes


class Decoder(Generic[Frame]):
    """Bytes in any pieces to frames; never raises, bad frames are counted in `bad` and skipped."""

    def __init__(self, read: Callable[[bytes], Frame]) -> None:
        self._read = read
        self._pending = bytearray()
        self._skipping = False
        self.bad = BadFrames()

    @property
    def pending(self) -> bytes:
        """What has come of a frame whose end has not."""
        return bytes(self._pending)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes, in order."""
        return [item for item in self.inspect(data) if not isinstance(item, Bad)]

    def inspect(self, data: bytes) -> list[Frame | Bad]:
        """As `feed`, and in its place what is thrown away."""
        found: list[Frame | Bad] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            found += self._append(piece)
            found += self._end()
        found += self._append(rest)
        return found

    def _append(self, piece: bytes) -> list[Bad]:
        if self._skipping:
            return []
        self._pending += piece[: MAX_ENCODED + 1]
        if len(self._pending) <= MAX_ENCODED:
            return []
        self._skipping = True
        return [self._thrown_away("overlong")]

    def _end(self) -> Sequence[Frame | Bad]:
        if self._skipping:
            self._skipping = False
            return []
        if not self._pending:
            return []
        try:
            content = cobs.decode(bytes(self._pending))
        except cobs.CobsError:
            return [self._thrown_away("stuffing")]
        payload, check = content[:-CRC_SIZE], content[-CRC_SIZE:]
        if not payload:
            return [self._thrown_away("length")]
        if crc(payload) != int.from_bytes(check, "little"):
            return [self._thrown_away("crc")]
        try:
            frame = self._read(payload)
        except MalformedError:
            return [self._thrown_away("length")]
        self._pending.clear()
        return [frame]

    def _thrown_away(self, reason: Reason) -> Bad:
        data = bytes(self._pending[:MAX_ENCODED])
        self._pending.clear()
        self.bad.count(reason)
        return Bad(reason, data)


def board_decoder() -> Decoder[BoardFrame]:
    """A decoder of what the board sends."""
    return Decoder(read_board_payload)


def command_decoder() -> Decoder[HostFrame]:
    """A decoder of what the host sends."""
    return Decoder(read_host_payload)


def seq_ahead(seq: int, last: int) -> int:
    """How far event number `seq` is ahead of `last`, from -32768 to 32767, over the wrap at 65536."""
    return (seq - last + SEQ_MODULUS // 2) % SEQ_MODULUS - SEQ_MODULUS // 2


def time_ahead(t: int, last: int) -> int:
    """How many milliseconds board time `t` is ahead of `last`, over the wrap after 49.7 days."""
    return (t - last + TIME_MODULUS // 2) % TIME_MODULUS - TIME_MODULUS // 2
