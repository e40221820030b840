"""The envelope: flat JSON payloads, what was said beside who, when and where in the stream; pure.

Keys in order: `schema`, `ts` (UTC, RFC 3339), `board`, `game`, and for streams `epoch` and `seq`; then the message's
own keys. `epoch` is a whole number that grows whenever a stream had to begin again, `seq` counts a stream from 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from damas_board.messages.json_text import JsonError, read_json

KEYS = ("schema", "ts", "board", "game", "epoch", "seq")


class EnvelopeError(ValueError):
    """A payload that cannot be read; the message says which key is wrong."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """One payload. `body` are the message's own keys: for `damas.event/1`, the event's object."""

    schema: str
    ts: str
    board: str | None = None
    game: str | None = None
    epoch: int | None = None
    seq: int | None = None
    body: Mapping[str, Any] = field(default_factory=dict)


def timestamp(utc: str, at: float) -> str:
    """`at` seconds after `utc` (RFC 3339, the wall time of `at` 0), in UTC to the millisecond, as RFC 3339."""
    return rfc3339(instant(utc) + timedelta(seconds=at))


def instant(text: str) -> datetime:
    """An RFC 3339 time with its offset, in UTC. EnvelopeError where it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise EnvelopeError(f'"{text}" is no RFC 3339 time') from error
    if moment.tzinfo is None:
        raise EnvelopeError(f'"{text}" does not say its offset from UTC (a "Z" at the end is missing)')
    return moment.astimezone(UTC)


def rfc3339(moment: datetime) -> str:
    """The text of a moment (with its offset) in UTC: `2026-01-31T18:30:00.125Z`."""
    whole = moment.astimezone(UTC) + timedelta(microseconds=500)
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def object_of(envelope: Envelope) -> dict[str, Any]:
    """The flat object: the envelope's keys that are set, then the body's.

    ValueError where the body has a key of the envelope with another value: one of the two would be lost.
    """
    flat: dict[str, Any] = {key: value for key in KEYS if (value := getattr(envelope, key)) is not None}
    for key, value in envelope.body.items():
        if key in KEYS and flat.get(key, value) != value:
            raise ValueError(f"the body's {key} is {value!r}, the envelope's {flat[key]!r}")
        flat[key] = value
    return flat


def encode(envelope: Envelope) -> bytes:
    """The payload as it travels: JSON, UTF-8, no spaces."""
    return json.dumps(object_of(envelope), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def decode(payload: bytes | bytearray | str, schema: str | None = None) -> Envelope:
    """The payload read back; EnvelopeError for what is no such payload, or another `schema` than the one asked for.

    `schema` is compared by name: `damas.event/2` in place of `damas.event/1` is refused, unknown keys are not.
    """
    try:
        flat = read_json(payload)
    except JsonError as error:
        raise EnvelopeError(f"not JSON: {error}") from error
    if not isinstance(flat, dict):
        raise EnvelopeError("not a JSON object")
    return read_object(flat, schema)


def read_object(flat: Mapping[str, Any], schema: str | None = None) -> Envelope:
    """As `decode`, from the parsed object."""
    for key in ("schema", "ts"):
        if not isinstance(flat.get(key), str):
            raise EnvelopeError(f'"{key}" is missing or no text')
    for key in ("board", "game"):
        if not isinstance(flat.get(key), str | None):
            raise EnvelopeError(f'"{key}" is no text')
    for key, least in (("epoch", 0), ("seq", 1)):
        value = flat.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise EnvelopeError(f'"{key}" is no whole number from {least}')
    if schema is not None and flat["schema"] != schema:
        raise EnvelopeError(f'"schema" is "{flat["schema"]}", "{schema}" is expected')
    instant(flat["ts"])
    body = {key: value for key, value in flat.items() if key not in KEYS}
    return Envelope(
        flat["schema"], flat["ts"], flat.get("board"), flat.get("game"), flat.get("epoch"), flat.get("seq"), body
    )
