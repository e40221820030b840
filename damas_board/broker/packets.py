"""The packets of MQTT 3.1.1 that a client may send once it is let in: what is none of them ends the connection; pure.

amqtt takes packets as they come, and what is wrong with one may surface much later. So each is looked at whole before
amqtt gets it, against the tables of the standard (chapter 3).
"""

from __future__ import annotations

from collections.abc import Iterator

from damas_board.broker.connect import remaining_length

LARGEST_PACKET = 1024 * 1024
"""Bytes behind a packet's fixed header; the largest that this project sends, a piece of an answer, has 64 KiB."""
LONGEST_FILTER = 200
"""Letters of a topic or filter; the longest that there is here has half of that."""

_PUBLISH, _SUBSCRIBE, _UNSUBSCRIBE = 3, 8, 10
_PLAIN = {4: (0, 2), 5: (0, 2), 6: (2, 2), 7: (0, 2), 12: (0, 0), 14: (0, 0)}
"""PUBACK, PUBREC, PUBREL, PUBCOMP, PINGREQ, DISCONNECT: the flags and the length that each has."""


class PacketError(ValueError):
    """Bytes that are no packet which a client may send after CONNECT."""


def checked(first: int, body: bytes) -> bytes:
    """The whole packet, of its first byte and what is behind the remaining length. PacketError where it is none."""
    kind, flags = first >> 4, first & 0x0F
    if kind in _PLAIN:
        if (flags, len(body)) != _PLAIN[kind]:
            raise PacketError(f"packet {kind} with flags {flags} and {len(body)} bytes")
        if len(body) == 2 and body == b"\0\0":
            raise PacketError(f"packet {kind} without a number")
    elif kind == _PUBLISH:
        _publish(flags, body)
    elif kind in (_SUBSCRIBE, _UNSUBSCRIBE) and flags == 2:
        if len(body) < 2 or body[:2] == b"\0\0":
            raise PacketError("a subscription without a number")
        if not list(filters(kind, body)):
            raise PacketError("a subscription without a filter")
    else:
        raise PacketError(f"packet {kind} with flags {flags} is none that a client sends")
    return bytes([first]) + remaining_length(len(body)) + body


def filters(kind: int, body: bytes) -> Iterator[str]:
    """The filters of a SUBSCRIBE or UNSUBSCRIBE. PacketError where they are not well made."""
    at = 2
    while at < len(body):
        text, at = _text(body, at)
        yield text
        if kind == _SUBSCRIBE:
            if at == len(body) or body[at] > 2:
                raise PacketError("a filter without a quality of service")
            at += 1


def _publish(flags: int, body: bytes) -> None:
    quality = flags >> 1 & 3
    if quality == 3 or (flags & 8 and not quality):
        raise PacketError(f"a publication with flags {flags}")
    text, at = _text(body, 0)
    if "#" in text or "+" in text:
        raise PacketError("a publication on a filter")
    if quality and (len(body) < at + 2 or body[at : at + 2] == b"\0\0"):
        raise PacketError("a publication without a number")


def _text(body: bytes, at: int) -> tuple[str, int]:
    """A topic or filter that begins at `at`, and where it ends."""
    end = at + 2 + int.from_bytes(body[at : at + 2], "big")
    if at + 2 > len(body) or end > len(body):
        raise PacketError("a text is longer than its packet")
    try:
        text = body[at + 2 : end].decode()
    except UnicodeDecodeError as error:
        raise PacketError("a text is not UTF-8") from error
    if not text or "\0" in text or len(text) > LONGEST_FILTER:
        raise PacketError(f"a topic of {len(text)} letters, or one with a NUL")
    return text, end
