"""What of the console's logins outlives the hub, on disk: sessions by their tokens' hashes, and where names were right.

One small file, for one hub at a time, which only its owner may read. Times are the wall clock's, for no other goes on
while nothing runs.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from damas_board.hub.files import make_private

Row = TypeVar("Row")

FORMAT = "1"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
    token BLOB PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, proof TEXT NOT NULL,
    began REAL NOT NULL, used REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known (place BLOB PRIMARY KEY, last REAL NOT NULL) WITHOUT ROWID;
"""


class SessionStoreError(Exception):
    """The file cannot be used."""


@dataclass(frozen=True, slots=True)
class KeptSession:
    """`token` is its hash, `proof` what its login was told by; seconds since 1970."""

    token: bytes
    name: str
    role: str
    proof: str
    began: float
    used: float


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be kept from now on, and what no more. `known`: places, and when a name was right there last."""

    sessions: tuple[KeptSession, ...] = ()
    ended: tuple[bytes, ...] = ()
    known: tuple[tuple[bytes, float], ...] = ()
    forgotten: tuple[bytes, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sessions or self.ended or self.known or self.forgotten)


class SessionStore:
    """Methods wait for the disk, in whatever thread; SessionStoreError where it cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            make_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
        except (sqlite3.Error, OSError) as error:
            raise _told(error) from error
        try:
            for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._db.execute(f"PRAGMA {pragma}").close()
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (FORMAT,))
            (found,) = self._db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        except sqlite3.Error as error:
            self._db.close()
            raise _told(error) from error
        if found != FORMAT:
            self._db.close()
            raise SessionStoreError(f"its format is {found}, not {FORMAT}")

    def sessions(self) -> list[KeptSession]:
        """In the order in which they were used."""
        query = "SELECT token, name, role, proof, began, used FROM sessions ORDER BY used"
        with self._lock:
            return self._read(
                query,
                lambda token, name, role, proof, began, used: KeptSession(
                    bytes(token), str(name), str(role), str(proof), float(began), float(used)
                ),
            )

    def known(self) -> list[tuple[bytes, float]]:
        """The places where a name was right, and when last; in that order."""
        with self._lock:
            return self._read(
                "SELECT place, last FROM known ORDER BY last", lambda place, last: (bytes(place), float(last))
            )

    def _read(self, query: str, row: Callable[..., Row]) -> list[Row]:
        try:
            return [row(*found) for found in self._db.execute(query)]
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise _told(error) from error

    def write(self, changes: Changes) -> None:
        """All of it, or nothing."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    self._write(changes)
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise _told(error) from error

    def _write(self, changes: Changes) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)",
            [(one.token, one.name, one.role, one.proof, one.began, one.used) for one in changes.sessions],
        )
        self._db.executemany("DELETE FROM sessions WHERE token = ?", _rows(changes.ended))
        self._db.executemany("INSERT OR REPLACE INTO known VALUES (?, ?)", changes.known)
        self._db.executemany("DELETE FROM known WHERE place = ?", _rows(changes.forgotten))

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def discard(self) -> None:
        """Close it, and leave no file whose sessions may be over: what has ended since cannot be written."""
        self.close()
        for path in (self._path, *(self._path.with_name(f"{self._path.name}-{tail}") for tail in ("wal", "shm"))):
            with suppress(OSError):
                os.unlink(path)


def _rows(keys: Iterable[bytes]) -> list[tuple[bytes]]:
    return [(key,) for key in keys]


def _told(error: Exception) -> SessionStoreError:
    said = error.strerror if isinstance(error, OSError) else None
    return SessionStoreError(said or str(error))
