"""A journal that is only read, while the gateway may be writing it: games, inputs, events, recordings."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from damas_board.messages.course import Course
from damas_board.messages.recording import header_from, header_object, input_from
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal_file import check, explained, opened
from damas_board.sinks.journal_rows import OutboxRow, StoredGame, StoredInput, compact, outbox_row


class JournalReader:
    """What a journal has, for whoever only reads it; the file may be in use by the gateway that writes it.

    Its methods may be called from any thread and see what is durable.
    """

    def __init__(self, path: Path, utc: str) -> None:
        self.path = path
        self.utc = utc
        """Wall time of `at` 0, RFC 3339."""

    @classmethod
    def read(cls, path: Path) -> JournalReader:
        """The journal at `path`, which is not changed. OSError where there is none, JournalError where it is none."""
        for wrong, number in ((not path.exists(), errno.ENOENT), (path.is_dir(), errno.EISDIR)):
            if wrong:
                raise OSError(number, os.strerror(number), str(path))
        try:
            with closing(opened(path)) as connection:
                if not check(path, connection):
                    raise JournalError(path, "journal_foreign")
                return JournalReader(path, dict(connection.execute("SELECT key, value FROM meta"))["utc"])
        except sqlite3.Error as error:
            raise explained(path, error) from error

    def wall(self, at: float) -> datetime:
        """The wall time of `at`, UTC."""
        return datetime.fromisoformat(self.utc) + timedelta(seconds=at)

    def games(self, board: str | None = None) -> list[StoredGame]:
        """All games, oldest first; or those that are, or ended, on one board, in the order in which they were there.

        A game may have gone on at another board than it began: it is where its newest input came from.
        """
        newest = "FROM inputs WHERE inputs.game = games.game ORDER BY number DESC LIMIT 1"
        query = (
            f"SELECT game, coalesce((SELECT board {newest}), board), at, header,"
            f" coalesce((SELECT number {newest}), {2**62}) FROM games ORDER BY number"
        )
        with self._reader() as db:
            rows = db.execute(query).fetchall()
        if board is not None:
            rows = sorted((row for row in rows if row[1] == board), key=lambda row: int(row[4]))
        return [StoredGame(game, of, at, header_from(json.loads(header))) for game, of, at, header, _ in rows]

    def left(self, board: str) -> bool:
        """Whether the last game that was on a board has gone on at another one, so that the board is free."""
        query = (
            "SELECT board FROM inputs WHERE game = (SELECT game FROM inputs WHERE board = ? AND game IS NOT NULL"
            " ORDER BY number DESC LIMIT 1) ORDER BY number DESC LIMIT 1"
        )
        with self._reader() as db:
            found = db.execute(query, (board,)).fetchone()
        return found is not None and found[0] != board

    def inputs(self, game: str) -> Iterator[StoredInput]:
        """The inputs of a game in order, with the events that each made when it was fed."""
        states: tuple[Literal["journalled", "fed", "failed"], ...] = ("journalled", "fed", "failed")
        with self._reader() as db:
            query = "SELECT number, body, state FROM inputs WHERE game = ? ORDER BY number"
            for number, body, state in db.execute(query, (game,)):
                made = db.execute(
                    "SELECT body FROM events WHERE input = ? AND made_by = 'session' ORDER BY number", (number,)
                )
                events = tuple(json.loads(row[0]) for row in made)
                yield StoredInput(number, input_from(json.loads(body)), states[state], events)

    def events(self, stream: str, after: int = 0) -> list[OutboxRow]:
        """The events of a stream whose `seq` is greater than `after`, in order."""
        query = "SELECT number, board, stream, seq, at, body FROM events WHERE stream = ? AND seq > ? ORDER BY seq"
        with self._reader() as db:
            return [outbox_row(row) for row in db.execute(query, (stream, after))]

    def readings(self, board: str) -> Iterator[str]:
        """The rows of what a board's own sensors showed, in all its games, newest first."""
        with self._reader() as db:
            query = "SELECT body FROM inputs WHERE board = ? ORDER BY number DESC"
            for (body,) in db.execute(query, (board,)):
                known = json.loads(body)
                if "see" in known and "by" not in known:
                    yield known["see"]

    def course(self, played: StoredGame) -> Course:
        """A game with all that is stored of it; its events are those of its stream, the gateway's own included."""
        inputs = tuple(stored.item for stored in self.inputs(played.game))
        events = tuple(row.body for row in self.events(f"game/{played.game}"))
        return Course(replace(played.header, utc=self.utc), inputs, events)

    def differences(self) -> list[tuple[int, list[dict[str, Any]], list[dict[str, Any]]]]:
        """Inputs of which other code made other events: number, events as published, events as replayed."""
        with self._reader() as db:
            rows = db.execute("SELECT input, stored, replayed FROM differences ORDER BY rowid").fetchall()
        return [(number, json.loads(stored), json.loads(replayed)) for number, stored, replayed in rows]

    def export(self, game: str) -> Iterator[str]:
        """A game as the lines of a recording (format 1), without line ends. JournalError for an unknown game.

        Where inputs could not be written, a `tick` line marks it with
        `"unwritten": {"since", "until", "inputs", "reason"}`.
        """
        with self._reader() as db:
            found = db.execute("SELECT header FROM games WHERE game = ?", (game,)).fetchone()
            if found is None:
                known = ", ".join(row[0] for row in db.execute("SELECT game FROM games ORDER BY number DESC LIMIT 5"))
                raise JournalError(self.path, "no_game", game=game, known=known or "-")
            header = replace(header_from(json.loads(found[0])), utc=self.utc)
            yield compact(header_object(header))
            gaps = deque(
                db.execute(
                    "SELECT since, until, inputs, reason FROM unwritten WHERE game = ? ORDER BY since", (game,)
                ).fetchall()
            )
            for at, body in db.execute("SELECT at, body FROM inputs WHERE game = ? ORDER BY number", (game,)):
                while gaps and gaps[0][1] <= at:
                    yield _gap_line(*gaps.popleft())
                yield body
            for gap in gaps:
                yield _gap_line(*gap)

    def _reader(self) -> closing[sqlite3.Connection]:
        return closing(opened(self.path))


def _gap_line(since: float, until: float, inputs: int, reason: str) -> str:
    mark = {"since": since, "until": until, "inputs": inputs, "reason": reason}
    return compact({"at": until, "tick": True, "unwritten": mark})
