"""The CONNECT packet of MQTT 3.1.1: what a client says about itself before it is let in; pure."""

from __future__ import annotations

from dataclasses import dataclass

CONNECT = 0x10


class ConnectError(ValueError):
    """Bytes that are no CONNECT packet of MQTT 3.1.1."""


class ProtocolLevelError(ConnectError):
    """A CONNECT of another version of MQTT."""


@dataclass(frozen=True, slots=True)
class Will:
    topic: str
    retain: bool


@dataclass(frozen=True, slots=True)
class Connect:
    """`keep_alive` in seconds, 0 for none."""

    client: str
    clean: bool
    keep_alive: int
    user: str | None
    password: str | None
    will: Will | None
    behind_client: bytes
    """The payload behind the client's identifier, as it came."""
    variable_header: bytes

    def renamed(self, client: str) -> bytes:
        """The whole packet again, with another client identifier and without a keep-alive: the door sees to that."""
        name = client.encode()
        body = self.variable_header[:8] + b"\0\0" + len(name).to_bytes(2, "big") + name + self.behind_client
        return bytes([CONNECT]) + remaining_length(len(body)) + body


def remaining_length(length: int) -> bytes:
    """A length below 2**28 as MQTT writes it: seven bits a byte, the lowest first."""
    out = bytearray()
    while True:
        length, low = divmod(length, 128)
        out.append(low | (0x80 if length else 0))
        if not length:
            return bytes(out)


class _Fields:
    def __init__(self, body: bytes, at: int) -> None:
        self.body = body
        self.at = at

    def binary(self) -> bytes:
        length = int.from_bytes(self.body[self.at : self.at + 2], "big")
        value = self.body[self.at + 2 : self.at + 2 + length]
        if self.at + 2 > len(self.body) or len(value) < length:
            raise ConnectError("a field of CONNECT is longer than the packet")
        self.at += 2 + length
        return value

    def text(self) -> str:
        try:
            text = self.binary().decode()
        except UnicodeDecodeError as error:
            raise ConnectError("a text in CONNECT is not UTF-8") from error
        if "\0" in text:
            raise ConnectError("a text in CONNECT has a NUL")
        return text


def read_connect(body: bytes) -> Connect:
    """The CONNECT whose bytes behind the remaining length are `body`. ConnectError where they are none."""
    if body[:6] != b"\x00\x04MQTT":
        raise ConnectError("the protocol is not MQTT 3.1.1")
    if len(body) < 10:
        raise ConnectError("CONNECT is too short")
    if body[6] != 4:
        raise ProtocolLevelError(f"MQTT level {body[6]} is asked for; this broker speaks MQTT 3.1.1 (level 4)")
    flags = body[7]
    if flags & 0x01 or flags >> 3 & 3 == 3 or (not flags & 0x04 and flags & 0x38) or flags & 0xC0 == 0x40:
        raise ConnectError(f"CONNECT with flags {flags:02x}")
    fields = _Fields(body, 10)
    client = fields.text()
    behind = fields.at
    will = None
    if flags & 0x04:
        will = Will(fields.text(), bool(flags & 0x20))
        fields.binary()
    user = fields.text() if flags & 0x80 else None
    password = fields.text() if flags & 0x40 else None
    if fields.at != len(body):
        raise ConnectError("there is more behind CONNECT")
    return Connect(
        client,
        bool(flags & 0x02),
        int.from_bytes(body[8:10], "big"),
        user,
        password,
        will,
        body[behind:],
        body[:10],
    )
