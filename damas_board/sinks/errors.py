"""What may be wrong with the journal, the PDN folder or the broker when a gateway starts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

TEXTS: Mapping[str, str] = {
    "journal_place": "journal {path}: cannot be made ({reason}); choose a place that can be written",
    "journal_in_use": "journal {path}: is in use by another program; stop that one, or choose another file",
    "journal_unreadable": "journal {path}: is no journal, or damaged ({reason}); move it away and start again with"
    " a new one",
    "journal_read_only": "journal {path}: cannot be written ({reason}); choose a place that can be written",
    "journal_failed": "journal {path}: cannot be used ({reason})",
    "journal_foreign": "journal {path}: is a database of another program; choose another file",
    "journal_format": "journal {path}: has format {found}, this program writes {ours}; use the program that made it",
    "journal_damaged": "journal {path}: is damaged ({damage}); damas-board run keeps it aside and rebuilds it as far as"
    " it reads",
    "no_game": "journal {path}: there is no game {game!r}; the newest are: {known}",
    "journal_closed": "journal {path}: is closed",
    "restore_over": "journal {path}: has games already; nothing is written over them: name another journal in the"
    " configuration, or move this one away",
    "restore_nothing": "journal {path}: there is no game to restore",
    "restore_twice": "game {game} is there twice; give one recording a game",
    "restore_recording": "{name}: cannot be restored ({reason})",
    "restore_no_id": '{name}: the header has no "game", the id under which the game goes on',
    "restore_broker": "broker {broker}: cannot be asked as {login} ({reason})",
    "pdn_folder": "games cannot be written into {path} ({reason}); choose a place that can be written",
    "metrics_place": "the figures cannot be served at {host}:{port} ({reason}); choose another address or port",
    "broker_login": "broker {broker} refuses the login of {login} ({reason}); check name and password",
    "broker_away": "broker {broker} cannot be reached ({reason}); is it running, are host and port right?",
    "gateway_twice": "broker {broker}: another gateway is connected as {login}; stop that one, or give this one a name"
    " of its own (gateway = ...)",
}
"""The English line of each key; the keys and the names in braces are what a catalogue in another language needs."""


class SinkError(ValueError):
    """A place for games that cannot be used. `key` is one of TEXTS, `facts` fill its text; as text one English line."""

    def __init__(self, key: str, **facts: str | int) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str | int] = facts


class JournalError(SinkError):
    """The journal cannot be used; one line that names the file and says what to do."""

    def __init__(self, path: Path, key: str, **facts: str | int) -> None:
        super().__init__(key, path=str(path), **facts)
        self.path = path


class PdnFolderError(SinkError):
    """The folder for PDN files cannot be written."""


class BrokerError(SinkError):
    """The broker cannot be used; one line that names it and says what to look at."""
