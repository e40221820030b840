"""Intel HEX, the text in which firmware images are kept: bytes by their addresses, each line with a checksum.

A line is `:` and pairs of hexadecimal digits: how many bytes, the address (two), the type, the bytes, and a checksum
that makes the sum of all of them 0 modulo 256. Types: 00 bytes, 01 the end, 02 and 04 what is added to the addresses
from here on (times 16, times 65536), 03 and 05 where a processor would begin, which means nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

BYTES_A_LINE = 16
_DATA, _END, _SEGMENT, _START_SEGMENT, _LINEAR, _START_LINEAR = range(6)
_LENGTHS = {_END: 0, _SEGMENT: 2, _START_SEGMENT: 4, _LINEAR: 2, _START_LINEAR: 4}

TEXTS: Mapping[str, str] = {
    "no_record": "line {line} is no record of Intel HEX: a colon and pairs of hexadecimal digits",
    "length": "line {line} has {found} bytes, and says that it has {said}",
    "checksum": "the checksum of line {line} is {found}, and should be {sum}",
    "type": "line {line} has the type {type}, which is not known",
    "behind_end": "line {line} stands behind the end",
    "twice": "line {line} gives the byte at {address} again",
    "no_end": "the record of the end is missing: the file is not whole",
}
"""The English line of each key of IntelHexError."""


class IntelHexError(ValueError):
    """Text that is no sound Intel HEX; `key` is one of TEXTS, `facts` fill its text."""

    def __init__(self, key: str, **facts: str | int) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str | int] = facts


def read_intel_hex(text: str) -> dict[int, int]:
    """The bytes of an image by their addresses. IntelHexError names the line that is wrong."""
    image: dict[int, int] = {}
    base, ended = 0, False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if ended:
            raise IntelHexError("behind_end", line=number)
        kind, address, content = _record(line.strip(), number)
        match kind:
            case 0:
                for at, byte in enumerate(content, base + address):
                    if at in image:
                        raise IntelHexError("twice", line=number, address=f"{at:04X}")
                    image[at] = byte
            case 1:
                ended = True
            case 2:
                base = int.from_bytes(content, "big") * 16
            case 4:
                base = int.from_bytes(content, "big") << 16
            case _:
                pass
    if not ended:
        raise IntelHexError("no_end")
    return image


def _record(line: str, number: int) -> tuple[int, int, bytes]:
    """Type, address and bytes of a line."""
    try:
        record = bytes.fromhex(line.removeprefix(":"))
    except ValueError as error:
        raise IntelHexError("no_record", line=number) from error
    if not line.startswith(":") or len(record) * 2 + 1 != len(line) or len(record) < 5:
        raise IntelHexError("no_record", line=number)
    said, kind, content = record[0], record[3], record[4:-1]
    if said != len(content):
        raise IntelHexError("length", line=number, found=len(content), said=said)
    checksum = _checksum(record[:-1])
    if checksum != record[-1]:
        raise IntelHexError("checksum", line=number, found=f"{record[-1]:02X}", sum=f"{checksum:02X}")
    if kind not in (_DATA, *_LENGTHS):
        raise IntelHexError("type", line=number, type=f"{kind:02X}")
    if said != _LENGTHS.get(kind, said):
        raise IntelHexError("length", line=number, found=_LENGTHS[kind], said=said)
    return kind, int.from_bytes(record[1:3], "big"), content


def write_intel_hex(image: Mapping[int, int]) -> str:
    """The image as text. ValueError for an address above 32 bits, or a value that is no byte."""
    lines, base = [], 0
    for address, content in _runs(image):
        if address >> 16 != base:
            base = address >> 16
            lines.append(_line(_LINEAR, 0, base.to_bytes(2, "big")))
        lines.append(_line(_DATA, address & 0xFFFF, content))
    return "\n".join([*lines, _line(_END, 0, b"")]) + "\n"


def _runs(image: Mapping[int, int]) -> Iterator[tuple[int, bytes]]:
    """Neighbouring bytes, at most so many as a line has, that do not reach over a multiple of that."""
    start, run = 0, bytearray()
    for address in sorted(image):
        if not 0 <= address < 1 << 32:
            raise ValueError(f"{address} is no address of 32 bits")
        if run and (address != start + len(run) or address % BYTES_A_LINE == 0):
            yield start, bytes(run)
            run = bytearray()
        if not run:
            start = address
        run.append(image[address])
    if run:
        yield start, bytes(run)


def _line(kind: int, address: int, content: bytes) -> str:
    record = bytes([len(content), *address.to_bytes(2, "big"), kind]) + content
    return f":{record.hex().upper()}{_checksum(record):02X}"


def _checksum(record: bytes) -> int:
    return -sum(record) & 0xFF
