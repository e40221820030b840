"""The journal's file: its tables, how it is opened, and what is looked at before anything in it is believed.

SQLite finds pages that are torn, each row has a checksum for torn bytes that leave the page whole, the log of SQLite is
looked at for a tear that it would pass over, and the mark beside the file (journal_mark.py) says what was cut.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from damas_board.sinks import pages
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal_mark import Mark, beside, make_private, mark_of
from damas_board.sinks.journal_rows import SUMMED_EVENT, SUMMED_GAME, SUMMED_INPUT

BUSY_SECONDS = 1.0

APPLICATION_ID = 0x44414D41
FORMAT = 1

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (number INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE, board TEXT NOT NULL, at REAL NOT NULL,
    header TEXT NOT NULL, crc INTEGER);
CREATE INDEX games_board ON games (board, number);
CREATE TABLE inputs (number INTEGER PRIMARY KEY, board TEXT NOT NULL, game TEXT, at REAL NOT NULL, body TEXT NOT NULL,
    state INTEGER NOT NULL, crc INTEGER);
CREATE INDEX inputs_game ON inputs (game, number);
CREATE TABLE events (number INTEGER PRIMARY KEY, input INTEGER, board TEXT NOT NULL, stream TEXT NOT NULL, seq INTEGER,
    at REAL NOT NULL, body TEXT NOT NULL, made_by TEXT NOT NULL, sent INTEGER NOT NULL, crc INTEGER,
    UNIQUE (stream, seq));
CREATE INDEX events_input ON events (input);
CREATE INDEX events_unsent ON events (number) WHERE sent = 0;
CREATE TABLE commands (user TEXT NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, board TEXT NOT NULL, answer TEXT,
    PRIMARY KEY (user, id)) WITHOUT ROWID;
CREATE TABLE differences (input INTEGER NOT NULL, at REAL NOT NULL, stored TEXT NOT NULL, replayed TEXT NOT NULL);
CREATE TABLE unwritten (board TEXT NOT NULL, game TEXT, since REAL NOT NULL, until REAL NOT NULL,
    inputs INTEGER NOT NULL, reason TEXT NOT NULL);
"""
DAMAGES = ("journal_damaged", "journal_unreadable", "journal_foreign", "journal_format")
"""Errors of a journal that may be mended, where it is one."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What was found wrong with a journal when it was opened, and is put right as far as that goes."""

    damage: str
    """A code (docs/codes.md), or what SQLite says."""
    inputs: int
    """Inputs that are known to be missing."""
    last: Mapping[str, float]
    """The time of the newest readable input of each board."""
    aside: Path | None = None
    """Where the damaged file is kept; None where it was whole, but ended too early."""
    games: tuple[str, ...] = ()
    """Those of which something is missing, or was told anew."""


def mended_object(mended: Mended) -> dict[str, Any]:
    """As health tells it."""
    told: dict[str, Any] = {"damage": mended.damage, "inputs": mended.inputs, "last": dict(mended.last)}
    if mended.aside is not None:
        told |= {"aside": mended.aside.name, "games": list(mended.games)}
    return told


Mend = Callable[[Path, JournalError], Mended]
"""Puts a readable journal in the place of a damaged one; raises the error again where the file is no journal."""


def opened(path: Path) -> sqlite3.Connection:
    """A connection that cannot change anything."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def check(path: Path, connection: sqlite3.Connection) -> bool:
    """Whether there are tables yet; JournalError where they are not ours or of another format."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise JournalError(path, "journal_foreign")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if tables and version != FORMAT:
        raise JournalError(path, "journal_format", found=version, ours=FORMAT)
    return bool(tables)


def connected(path: Path) -> tuple[sqlite3.Connection, Mended | None]:
    """A connection to a journal that was found whole, and what is known to be cut off at its end."""
    marked = mark_of(path)
    damage = _torn_beside(path, marked)
    if damage is None and path.is_file():
        # By a connection that changes nothing: another one would put the log into the damaged file when it is closed.
        try:
            with closing(opened(path)) as reading:
                damage = _damage(reading) if check(path, reading) else None
        except sqlite3.Error as error:
            raise explained(path, error) from error
    if damage is not None:
        raise JournalError(path, "journal_damaged", damage=damage)
    make_private(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        return connection, _prepare(path, connection, marked)
    except (sqlite3.Error, JournalError) as error:
        connection.close()
        if isinstance(error, JournalError):
            raise
        raise explained(path, error) from error


def _torn_beside(path: Path, marked: Mark | None) -> str | None:
    """What is wrong with the files that SQLite would not notice, and would lose what they hold."""
    wal = beside(path, "-wal")
    log_there = wal.exists() and wal.stat().st_size > 0
    if not path.exists() or not path.stat().st_size:
        return "empty" if log_there or (path.exists() and marked is not None and marked.inputs) else None
    with path.open("rb") as database:
        header = database.read(100)
    if pages.torn_header(header):
        return "torn_header"
    if not log_there:
        return None
    content = wal.read_bytes()
    return "torn_log" if pages.torn(content, pages.page_size(header, content)) else None


def _prepare(path: Path, connection: sqlite3.Connection, marked: Mark | None) -> Mended | None:
    """Make the tables of a new file, and begin an epoch where one is due; what the file lacks of what its mark says."""
    tables = check(path, connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN IMMEDIATE")
    now = datetime.now(UTC)
    if not tables:
        make_tables(connection, now.isoformat(timespec="milliseconds"))
    for table in _without_sums(connection):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN crc INTEGER")
    cut = _cut(connection, marked)
    if not tables or cut is not None or beside(path, "-unwritten").exists():
        former = connection.execute("SELECT value FROM meta WHERE key = 'epoch'").fetchone()
        known = [0 if former is None else int(former[0]), 0 if marked is None else marked.epoch]
        epoch = max(int(now.timestamp() * 1000), max(known) + 1)  # also where the wall clock was put back
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (str(epoch),))
    connection.execute("COMMIT")
    beside(path, "-unwritten").unlink(missing_ok=True)
    return cut


def make_tables(connection: sqlite3.Connection, utc: str) -> None:
    """The tables of a new journal; `utc` is the wall time of `at` 0."""
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("INSERT INTO meta VALUES ('utc', ?)", (utc,))


def _damage(connection: sqlite3.Connection) -> str | None:
    """What is wrong with the tables; None where nothing is."""
    damage = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    if damage != "ok":
        return damage.splitlines()[-1]
    return None if _sums_are_right(connection) else "torn_rows"


def _without_sums(connection: sqlite3.Connection) -> list[str]:
    """The tables that were made before rows had sums."""
    return [
        table
        for table in ("games", "inputs", "events")
        if "crc" not in {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    ]


def _sums_are_right(connection: sqlite3.Connection) -> bool:
    """Whether no row has torn bytes; one that was written before there were sums is believed."""
    if _without_sums(connection):
        return True
    sums = ((f"{SUMMED_GAME} FROM games"), (f"{SUMMED_INPUT} FROM inputs"), (f"{SUMMED_EVENT} FROM events"))
    try:
        for rest in sums:
            for crc, summed in connection.execute(f"SELECT crc, {rest}"):
                if crc is not None and crc != zlib.crc32(summed.encode()):
                    return False
        utc, _ = (dict(connection.execute("SELECT key, value FROM meta"))[key] for key in ("utc", "epoch"))
        datetime.fromisoformat(utc)
        for table in ("commands", "differences", "unwritten"):
            for row in connection.execute(f"SELECT * FROM {table}"):
                [json.loads(value) for value in row if isinstance(value, str) and value.startswith("{")]
    except (ValueError, KeyError):
        return False
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
        return False
    return True


def _cut(connection: sqlite3.Connection, marked: Mark | None) -> Mended | None:
    """What the journal has lost at its end, by its mark."""
    if marked is None or marked.utc != connection.execute("SELECT value FROM meta WHERE key = 'utc'").fetchone()[0]:
        return None
    inputs, events = connection.execute(
        "SELECT coalesce((SELECT max(number) FROM inputs), 0), coalesce((SELECT max(number) FROM events), 0)"
    ).fetchone()
    if marked.inputs <= inputs and marked.events <= events:
        return None
    last = dict(connection.execute("SELECT board, max(at) FROM inputs GROUP BY board"))
    return Mended("cut", max(0, marked.inputs - inputs), last)


def finish_mending(path: Path) -> None:
    """Put a mended journal into its place, where that was not done before an end.

    The log of the damaged one goes first: SQLite would apply it to the mended one.
    """
    mended = beside(path, "-mended")
    if mended.exists():
        for suffix in ("-wal", "-shm", "-mark"):
            beside(path, suffix).unlink(missing_ok=True)
        os.replace(mended, path)


def written_now(path: Path) -> bool:
    """Whether a program has the journal at `path` (absolute) open to write it, as a gateway that runs has."""
    try:
        with closing(sqlite3.connect(f"{beside(path, '-lock').as_uri()}?mode=ro", uri=True, timeout=0)) as lock:
            lock.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


def explained(path: Path, error: sqlite3.Error | OSError) -> JournalError:
    text = str(error)
    if isinstance(error, OSError):
        return JournalError(path, "journal_place", reason=error.strerror or text)
    if "locked" in text or "busy" in text:
        return JournalError(path, "journal_in_use")
    if "not a database" in text or "malformed" in text:
        return JournalError(path, "journal_unreadable", reason=text)
    if "readonly" in text or "unable to open" in text:
        return JournalError(path, "journal_read_only", reason=text)
    return JournalError(path, "journal_failed", reason=text)
