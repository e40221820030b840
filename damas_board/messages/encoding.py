"""Events as flat JSON objects: the same for `replay`, the journal and MQTT."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from damas_board.session.events import Event


@cache
def _keys(kind: type) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, f.name.rstrip("_")) for f in fields(kind))


def event_object(event: Event) -> dict[str, Any]:
    """The event as a JSON-ready object: `event` and `at` first, tuples as lists, unset optional keys left out."""
    body: dict[str, Any] = {"event": event.event}
    for name, key in _keys(type(event)):
        value = getattr(event, name)
        body[key] = list(value) if isinstance(value, tuple) else value
    return body
