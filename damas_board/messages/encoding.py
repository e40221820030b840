"""Events as flat JSON objects: the same for `replay`, the journal and MQTT."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from damas_board.session.events import Event

_KEYS = {kind: tuple((f.name, f.name.rstrip("_")) for f in fields(kind)) for kind in get_args(Event)}


def event_object(event: Event) -> dict[str, Any]:
    """The event as a JSON-ready object: `event` first, the fields in their order, tuples as lists."""
    body: dict[str, Any] = {"event": event.event}
    for name, key in _KEYS[type(event)]:
        value = getattr(event, name)
        body[key] = list(value) if isinstance(value, tuple) else value
    return body
