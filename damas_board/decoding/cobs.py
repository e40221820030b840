"""Consistent overhead byte stuffing (Cheshire and Baker 1999): bytes without a zero, so that a zero can end a frame."""

from __future__ import annotations

_LONGEST_RUN = 254


class CobsError(ValueError):
    """Bytes that no encoder produces."""


def encode(data: bytes) -> bytes:
    """`data` without zero bytes; at most one byte longer for each 254 begun. The ending zero is not added."""
    out = bytearray()
    for block in data.split(b"\0"):
        while len(block) >= _LONGEST_RUN:
            out.append(_LONGEST_RUN + 1)
            out += block[:_LONGEST_RUN]
            block = block[_LONGEST_RUN:]
        out.append(len(block) + 1)
        out += block
    return bytes(out)


def decode(data: bytes) -> bytes:
    """What `encode` was given. CobsError where a run goes over the end, or a zero stands inside."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        run = data[at + 1 : at + code]
        if code == 0 or 0 in run:
            raise CobsError("a zero inside a frame")
        if len(run) != code - 1:
            raise CobsError("a run goes over the end of the frame")
        out += run
        at += code
        if code <= _LONGEST_RUN and at < len(data):
            out.append(0)
    return bytes(out)
