"""What a damaged SQLite file still holds: rows read from its pages, without the tree that leads to them; pure.

SQLite gives up where a page of the tree is torn, and with it everything that only that page led to. The rows
themselves are in leaf pages, each of which says where its own cells are. So every page is looked at, in the file and in
the frames of its `-wal`, and what is a row comes out, whatever else is broken. Whether it is a row that one wants, and
whole, is for whoever asks to say: a page that was given back may still hold rows that are old, and bytes may be torn
within a row.

The format is that of https://www.sqlite.org/fileformat2.html: sections 1.3 (header), 1.6 (pages), 2.1 (records), 4 (the
write-ahead log).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MAGIC = b"SQLite format 3\x00"
USUAL_PAGE = 4096
_HEADER = 100
_WAL_HEADER = 32
_FRAME_HEADER = 24
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x0A, 0x02
_LONGEST = 64 * 1024 * 1024
"""A payload that says it is longer is torn."""

Value = int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class Row:
    """The columns as stored; `rowid` is None for rows of an index or of a table WITHOUT ROWID.

    An INTEGER PRIMARY KEY is stored as None: it is the `rowid`.
    """

    rowid: int | None
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as the write-ahead log has it."""

    number: int
    content: bytes
    commits: bool
    sound: bool
    """Whether the checksum holds, which goes on from frame to frame: behind one that is torn, none does."""


class _Torn(Exception):
    """What is said to be here cannot be."""


def page_size(database: bytes, wal: bytes) -> int:
    """The size of a page, by the header, else by that of the log, else the usual one."""
    found = [struct.unpack_from(">H", database, 16)[0]] if len(database) >= _HEADER and database[:16] == MAGIC else []
    found += [struct.unpack_from(">I", wal, 8)[0]] if len(wal) >= _WAL_HEADER else []
    sizes = [65536 if size == 1 else size for size in found]
    return next((size for size in sizes if 512 <= size <= 65536 and size & (size - 1) == 0), USUAL_PAGE)


def torn_header(header: bytes) -> bool:
    """Whether a header that begins as one says what no SQLite file says; SQLite would take it for a newer format."""
    if header[:16] != MAGIC or len(header) < _HEADER:
        return False
    write, read, _, most, least, leaf = header[18:24]
    formats, encoding = struct.unpack_from(">I", header, 44)[0], struct.unpack_from(">I", header, 56)[0]
    return not (
        {write, read} <= {1, 2} and (most, least, leaf) == (64, 32, 32) and formats <= 4 and encoding in (0, 1, 2, 3)
    )


def frames(wal: bytes, size: int) -> list[Frame]:
    """The frames of a write-ahead log that belong to its newest writing, the torn ones among them included."""
    if len(wal) < _WAL_HEADER:
        return []
    magic, _, _, _, *salt = struct.unpack_from(">6I", wal)
    order = ">" if magic == _WAL_MAGIC[1] else "<"
    sums = _checksum(wal[:24], order, (0, 0))
    sound = magic in _WAL_MAGIC and sums == struct.unpack_from(">2I", wal, 24)
    found = []
    whole = _FRAME_HEADER + size
    for start in range(_WAL_HEADER, len(wal) - whole + 1, whole):
        number, commit, *frame_salt = struct.unpack_from(">4I", wal, start)
        content = wal[start + _FRAME_HEADER : start + whole]
        mine = frame_salt == salt
        if sound and mine:
            sums = _checksum(content, order, _checksum(wal[start : start + 8], order, sums))
        sound = sound and mine and sums == struct.unpack_from(">2I", wal, start + 16)
        # A header that is torn says nothing about what is behind it: rows have to speak for themselves.
        if mine or magic not in _WAL_MAGIC:
            found.append(Frame(number, content, bool(commit), sound))
    return found


def torn(wal: bytes, size: int) -> bool:
    """Whether the log has a commit behind a place where it cannot be read: SQLite would pass over it in silence.

    A log whose last transaction was under way when its program died is not torn.
    """
    if len(wal) < _WAL_HEADER:
        return False
    magic = struct.unpack_from(">I", wal)[0]
    if magic not in _WAL_MAGIC or _checksum(wal[:24], ">" if magic & 1 else "<", (0, 0)) != struct.unpack_from(
        ">2I", wal, 24
    ):
        return len(wal) > _WAL_HEADER
    return any(frame.commits and not frame.sound for frame in frames(wal, size))


def rows(database: bytes, wal: bytes) -> Iterator[Row]:
    """Every row of every page, the oldest writing of a page first; one that was written again comes again."""
    size = page_size(database, wal)
    usable = size - (database[20] if len(database) >= _HEADER and database[:16] == MAGIC else 0)
    written = frames(wal, size)
    newest: dict[int, bytes] = {}
    old = [(number, database[start : start + size]) for number, start in enumerate(range(0, len(database), size), 1)]
    for number, content in (*old, *((frame.number, frame.content) for frame in written)):
        newest[number] = content
    for number, content in (*old, *((frame.number, frame.content) for frame in written)):
        yield from _of_page(content, _HEADER if number == 1 else 0, usable, newest)


def _checksum(content: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content[: len(content) // 4 * 4])
    for even, odd in zip(words[::2], words[1::2], strict=False):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _of_page(page: bytes, at: int, usable: int, newest: Mapping[int, bytes]) -> Iterator[Row]:
    if len(page) < at + 12:
        return
    kind = page[at]
    if kind not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER):
        return
    count = struct.unpack_from(">H", page, at + 3)[0]
    first = at + (12 if kind == _INDEX_INNER else 8)
    for pointer in range(first, min(first + 2 * count, len(page) - 1), 2):
        cell = struct.unpack_from(">H", page, pointer)[0]
        try:
            yield _of_cell(page, cell + (4 if kind == _INDEX_INNER else 0), kind == _TABLE_LEAF, usable, newest)
        except (_Torn, IndexError, struct.error, UnicodeDecodeError):
            continue


def _of_cell(page: bytes, at: int, of_table: bool, usable: int, newest: Mapping[int, bytes]) -> Row:
    length, at = _varint(page, at)
    rowid = None
    if of_table:
        rowid, at = _varint(page, at)
    if length > _LONGEST:
        raise _Torn
    least = (usable - 12) * 32 // 255 - 23
    most = usable - 35 if of_table else (usable - 12) * 64 // 255 - 23
    here = length
    if length > most:
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
    payload = page[at : at + here]
    if length > most:
        payload += _overflow(struct.unpack_from(">I", page, at + here)[0], length - here, usable, newest)
    if len(payload) != length:
        raise _Torn
    return Row(rowid, _record(payload))


def _overflow(number: int, length: int, usable: int, newest: Mapping[int, bytes]) -> bytes:
    parts = []
    while length > 0:
        page = newest.get(number)
        if page is None:
            raise _Torn
        number = struct.unpack_from(">I", page)[0]
        parts.append(page[4 : min(usable, 4 + length)])
        if not parts[-1]:
            raise _Torn
        length -= len(parts[-1])
    return b"".join(parts)


def _record(payload: bytes) -> tuple[Value, ...]:
    header, at = _varint(payload, 0)
    if not at <= header <= len(payload):
        raise _Torn
    types = []
    while at < header:
        kind, at = _varint(payload, at)
        types.append(kind)
    values = []
    at = header
    for kind in types:
        value, length = _value(payload, at, kind)
        values.append(value)
        at += length
    if at != len(payload):
        raise _Torn
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    match kind:
        case 0:
            return None, 0
        case 1 | 2 | 3 | 4 | 5 | 6:
            length = (1, 2, 3, 4, 6, 8)[kind - 1]
            return int.from_bytes(payload[at : at + length], "big", signed=True), length
        case 7:
            return struct.unpack_from(">d", payload, at)[0], 8
        case 8 | 9:
            return kind - 8, 0
        case 10 | 11:
            raise _Torn
        case _:
            length = (kind - 12) // 2
            content = payload[at : at + length]
            if len(content) != length:
                raise _Torn
            return (content.decode() if kind % 2 else content), length


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """The number at `at`, and where the next byte is: seven bits a byte, the ninth byte has eight."""
    number = 0
    for place in range(at, at + 8):
        byte = content[place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place + 1
    number = number << 8 | content[at + 8]
    return number, at + 9
