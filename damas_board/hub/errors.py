"""What may be wrong when a hub starts; the English line of each key."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "public_store": "publication {path}: cannot be used ({reason}); choose a place that can be written to",
    "public_store_in_use": "publication {path}: is in use by another hub ({reason}); only one may publish",
    "public_store_format": "publication {path}: has format {found}, this program writes {ours}; use the program that"
    " made it",
    "hub_login": "the broker refuses the login of the hub {user} ({reason}); check its name and password",
    "hub_broker_away": "the broker does not answer the hub {user}; is it running, are address and port right?",
    "hub_port_taken": "the hub cannot listen on {host}:{port}, the port is in use by another program; stop that"
    " program, or choose another port",
    "hub_cannot_listen": "the hub cannot listen on {host}:{port} ({reason}); choose another address or port",
}
"""The keys and the names in braces are what a catalogue in another language needs."""


class HubError(RuntimeError):
    """A hub that cannot start or go on; `key` is one of TEXTS, `facts` fill its text; as text one line in English."""

    def __init__(self, key: str, **facts: str | int) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str | int] = facts
