"""A journal that is written in one go, from games that are known already: whole, or not there at all."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from damas_board.messages.encoding import event_object
from damas_board.messages.recording import header_object, input_object
from damas_board.session.events import Event
from damas_board.session.header import Header
from damas_board.session.inputs import Input
from damas_board.session.state import GameState
from damas_board.sinks.journal_file import make_tables
from damas_board.sinks.journal_mark import make_private
from damas_board.sinks.journal_rows import compact, event_sum, game_sum, input_sum

log = logging.getLogger(__name__)


class Telling(Protocol):
    """What is asked of a Session here."""

    @property
    def state(self) -> GameState: ...

    def feed(self, item: Input) -> list[Event]: ...


@dataclass(slots=True)
class Fed:
    """An input for the new journal, and the events that a Session made of it; None where none could be fed it."""

    item: Input
    state: int
    events: list[Mapping[str, Any]] | None


def write_journal(path: Path, utc: str, epoch: int, fill: Callable[[sqlite3.Connection], None]) -> None:
    """A new journal at `path`, whole in one transaction; what was there before is no more."""
    path.unlink(missing_ok=True)
    make_private(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        make_tables(connection, utc)
        connection.execute("INSERT INTO meta VALUES ('epoch', ?)", (str(epoch),))
        fill(connection)
        connection.execute("COMMIT")


class Writing:
    """Rows of a new journal, which are numbered in the order in which they come."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._inputs = count(1)
        self._events = count(1)
        self._seq: dict[str, int] = {}

    def game(self, game: str, at: float, header: Header) -> None:
        body = compact(header_object(header))
        self._connection.execute(
            "INSERT INTO games (game, board, at, header, crc) VALUES (?, ?, ?, ?, ?)",
            (game, header.board, at, body, game_sum(game, header.board, body)),
        )

    def input(self, board: str, game: str | None, item: Input, state: int) -> int:
        number, body = next(self._inputs), compact(input_object(item))
        self._connection.execute(
            "INSERT INTO inputs (number, board, game, at, body, state, crc) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, board, game, item.at, body, state, input_sum(number, board, game, body)),
        )
        return number

    def difference(self, number: int, at: float, stored: str, replayed: str) -> None:
        self._connection.execute("INSERT INTO differences VALUES (?, ?, ?, ?)", (number, at, stored, replayed))

    def event(
        self, board: str, stream: str, body: Mapping[str, Any], *, of: int | None, made_by: str, sent: int
    ) -> None:
        """An event of a stream, the next one there; an answer (`ack/{user}`) has no place in one."""
        number, text = next(self._events), compact(body)
        seq = None
        if not stream.startswith("ack/"):
            seq = self._seq[stream] = self._seq.get(stream, 0) + 1
        self._connection.execute(
            "INSERT INTO events (number, input, board, stream, seq, at, body, made_by, sent, crc) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, of, board, stream, seq, body["at"], text, made_by, sent, event_sum(number, of, stream, seq, text)),
        )


def made_of(session: Telling, item: Input) -> list[Mapping[str, Any]] | None:
    """The events that a Session makes, as they are stored; None where it fails."""
    try:
        return [json.loads(json.dumps(event_object(event))) for event in session.feed(item)]
    except Exception:
        log.exception("a session failed at an input of %g s; the gateway looks into it", item.at)
        return None
