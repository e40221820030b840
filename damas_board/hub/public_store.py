"""What is public already, kept on disk before anybody sees it: after a new start nothing is shown twice or taken back.

For each copy (the public's is called "", a consumer's by its name) and game: the events that were published, with their
`(epoch, seq)`, how far into the hall's stream they go, and which of them the broker has acknowledged. For each round:
what the organiser published last, what of it is public, and the feed's games in their order, which never changes. For
each game what its own start says about showing its players, and no name that is not public; and the games that the
arbiter holds.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from damas_board.hub.errors import HubError
from damas_board.hub.files import make_private
from damas_board.messages.publication import Place

FORMAT = "1"
PUBLIC = ""
"""The name of the copy that everybody may see."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS copies (
    copy TEXT NOT NULL, game TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    hall_epoch INTEGER, hall_seq INTEGER, PRIMARY KEY (copy, game)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY, copy TEXT NOT NULL, game TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    body TEXT NOT NULL, sent INTEGER NOT NULL, UNIQUE (copy, game, epoch, seq));
CREATE INDEX IF NOT EXISTS unsent ON events (number) WHERE sent = 0;
CREATE TABLE IF NOT EXISTS rounds (round TEXT PRIMARY KEY, payload TEXT, shown TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feeds (
    copy TEXT NOT NULL, round TEXT NOT NULL, place INTEGER NOT NULL, game TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (copy, round, game)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS words (game TEXT PRIMARY KEY, players TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS held (game TEXT PRIMARY KEY) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """One game as one public had it; `seq` is that of its newest event."""

    copy: str
    game: str
    epoch: int
    seq: int
    place: Place | None
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class News:
    """Events that become public together; `seq` is the first one's."""

    copy: str
    game: str
    epoch: int
    seq: int
    place: Place | None
    events: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Unsent:
    number: int
    game: str
    epoch: int
    seq: int
    body: Mapping[str, Any]


class PublicStore:
    """One file, for one hub at a time. Methods wait for the disk; HubError where it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        try:
            make_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE").close()
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._db.execute(f"PRAGMA {pragma}").close()
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (FORMAT,))
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('epoch', ?)", (str(int(time.time() * 1000)),))
            found, self.epoch = self._meta("format"), int(self._meta("epoch"))
        except (sqlite3.Error, OSError) as error:
            key = "public_store_in_use" if "locked" in str(error) else "public_store"
            said = error.strerror if isinstance(error, OSError) else None
            raise HubError(key, path=str(path), reason=said or str(error)) from error
        if found != FORMAT:
            raise HubError("public_store_format", path=str(path), found=found, ours=FORMAT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._db.close()

    def _meta(self, key: str) -> str:
        return str(self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])

    # reading

    def copies(self) -> list[StoredCopy]:
        """All that is public; with its events."""
        found = []
        with self._reading() as db:
            rows = db.execute("SELECT copy, game, epoch, seq, hall_epoch, hall_seq FROM copies").fetchall()
            for copy, game, epoch, seq, hall_epoch, hall_seq in rows:
                where = "copy = ? AND game = ? AND epoch = ? ORDER BY seq"
                bodies = db.execute(f"SELECT body FROM events WHERE {where}", (copy, game, epoch)).fetchall()
                place = None if hall_epoch is None else Place(hall_epoch, hall_seq)
                found.append(StoredCopy(copy, game, epoch, seq, place, tuple(json.loads(body) for (body,) in bodies)))
        return found

    def rounds(self) -> dict[str, tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
        """Of each round what the organiser published last, and what is public of it."""
        with self._reading() as db:
            rows = db.execute("SELECT round, payload, shown FROM rounds").fetchall()
        return {name: (_loaded(payload), _loaded(shown)) for name, payload, shown in rows}

    def feeds(self) -> dict[tuple[str, str], dict[str, str]]:
        """By copy and round, each game's text, in the order of the feed."""
        with self._reading() as db:
            rows = db.execute("SELECT copy, round, game, text FROM feeds ORDER BY copy, round, place").fetchall()
        found: dict[tuple[str, str], dict[str, str]] = {}
        for copy, round_, game, text in rows:
            found.setdefault((copy, round_), {})[game] = text
        return found

    def words(self) -> dict[str, Mapping[str, Any]]:
        """By game, what its own start says about showing its players."""
        with self._reading() as db:
            return {game: json.loads(players) for game, players in db.execute("SELECT game, players FROM words")}

    def held(self) -> set[str]:
        """The games that the arbiter holds."""
        with self._reading() as db:
            return {game for (game,) in db.execute("SELECT game FROM held")}

    def unsent(self, after: int, limit: int = 500) -> list[Unsent]:
        """Public events that the broker has not acknowledged, in the order in which they became public."""
        query = (
            "SELECT number, game, epoch, seq, body FROM events WHERE sent = 0 AND number > ? ORDER BY number LIMIT ?"
        )
        with self._reading() as db:
            rows = db.execute(query, (after, limit)).fetchall()
        return [Unsent(number, game, epoch, seq, json.loads(body)) for number, game, epoch, seq, body in rows]

    # writing

    def add(self, news: Iterable[News]) -> None:
        """Store what becomes public, all or nothing."""
        with self._writing() as db:
            for new in news:
                hall = (None, None) if new.place is None else (new.place.epoch, new.place.seq)
                last = new.seq + len(new.events) - 1
                db.execute(
                    "INSERT OR REPLACE INTO copies VALUES (?, ?, ?, ?, ?, ?)",
                    (new.copy, new.game, new.epoch, last, *hall),
                )
                db.executemany(
                    "INSERT OR IGNORE INTO events (copy, game, epoch, seq, body, sent) VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (new.copy, new.game, new.epoch, seq, _dumped(event), int(new.copy != PUBLIC))
                        for seq, event in enumerate(new.events, new.seq)
                    ],
                )

    def put_words(self, words: Mapping[str, Mapping[str, Any]]) -> None:
        with self._writing() as db:
            rows = [(game, _dumped(players)) for game, players in words.items()]
            db.executemany("INSERT OR REPLACE INTO words VALUES (?, ?)", rows)

    def put_held(self, held: Mapping[str, bool]) -> None:
        """Which games the arbiter holds from now on, and which no more."""
        with self._writing() as db:
            for game, holds in held.items():
                statement = "INSERT OR IGNORE INTO held VALUES (?)" if holds else "DELETE FROM held WHERE game = ?"
                db.execute(statement, (game,))

    def put_players(self, players: Mapping[str, Mapping[str, Any]]) -> None:
        """Each game's players are public as these; what was public of them before is nowhere any more."""
        with self._writing() as db:
            for game, named in players.items():
                where = "copy IN (SELECT copy FROM copies WHERE game = ?) AND game = ? AND seq = 1"
                rows = db.execute(f"SELECT number, body FROM events WHERE {where}", (game, game)).fetchall()
                db.executemany(
                    "UPDATE events SET body = ? WHERE number = ?",
                    [(_dumped({**json.loads(body), "players": named or None}), number) for number, body in rows],
                )

    def mark_sent(self, numbers: Iterable[int]) -> None:
        with self._writing() as db:
            db.executemany("UPDATE events SET sent = 1 WHERE number = ?", [(number,) for number in numbers])

    def put_round(self, round_: str, payload: Mapping[str, Any]) -> None:
        with self._writing() as db:
            statement = (
                "INSERT INTO rounds VALUES (?, ?, NULL) ON CONFLICT (round) DO UPDATE SET payload = excluded.payload"
            )
            db.execute(statement, (round_, _dumped(payload)))

    def put_shown(self, shown: Mapping[str, Mapping[str, Any]]) -> None:
        with self._writing() as db:
            statement = (
                "INSERT INTO rounds VALUES (?, NULL, ?) ON CONFLICT (round) DO UPDATE SET shown = excluded.shown"
            )
            db.executemany(statement, [(name, _dumped(body)) for name, body in shown.items()])

    def put_feed(self, copy: str, round_: str, games: Mapping[str, tuple[int, str]]) -> None:
        """The texts of these games, with their places in the feed."""
        with self._writing() as db:
            db.executemany(
                "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?)",
                [(copy, round_, place, game, text) for game, (place, text) in games.items()],
            )

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise HubError("public_store", path=str(self.path), reason=str(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise


def _dumped(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _loaded(text: str | None) -> Mapping[str, Any] | None:
    return None if text is None else json.loads(text)
