"""What may be wrong with an archive, or with what is asked of it; the English line of each key."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "archive_url": "archive {url}: is no database URL (for instance sqlite:///archive.sqlite, or"
    " postgresql+psycopg://user@host/name)",
    "archive_kind": "archive {url}: the archive is kept in SQLite or PostgreSQL (sqlite:///, postgresql+psycopg://)",
    "archive_driver": "archive {url}: PostgreSQL needs the package psycopg; install it with: pip install"
    " 'damas-board[postgres]'",
    "archive_away": "archive {url}: cannot be opened ({reason}); is it there, are host, name and password right?",
    "archive_missing": "archive {url}: there is no such file",
    "archive_newer": "archive {url}: was made by a newer version of this program (its tables are {found!r}, this"
    " version knows up to {ours!r}); use that version",
    "archive_foreign": "archive {url}: is a database of another program; choose another one",
    "archive_lost": "archive {url}: cannot be used ({reason})",
    "archive_no_meeting": "archive {url}: there is no meeting {meeting!r}; there are: {known}",
    "archive_which_meeting": "archive {url}: has several meetings, say which with --meeting: {known}",
    "archive_no_round": "archive {url}: there is no round {round!r} in {meeting}; there are: {known}",
    "archive_no_game": "archive {url}: there is no game {game!r} in {meeting}{near}",
    "archive_no_text": "archive {url}: game {game} cannot be written as PDN ({reason})",
    "archive_position": "{fen!r} is no position; give a PDN FEN such as W:W21,22:B1,K2",
}
"""The keys and the names in braces are what a catalogue in another language needs."""


class ArchiveError(ValueError):
    """An archive, or a question to it, that is of no use. `key` is one of TEXTS, `facts` fill its text."""

    def __init__(self, key: str, **facts: str) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str] = facts
