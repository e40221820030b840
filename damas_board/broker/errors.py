"""What may be wrong when the embedded broker starts."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "port_taken": "the embedded broker cannot listen on {host}:{port}, the port is in use by another program; stop that"
    " program, or choose another port",
    "cannot_listen": "the embedded broker cannot listen on {host}:{port} ({reason}); choose another address or port",
}
"""The English line of each key; the keys and the names in braces are what a catalogue in another language needs."""


class BrokerStartError(RuntimeError):
    """The broker cannot listen; `key` is one of TEXTS, `facts` fill its text; as text it is one line in English."""

    def __init__(self, key: str, **facts: str | int) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str | int] = facts
