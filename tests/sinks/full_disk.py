"""A journal whose disk is full, for as long as a test wants."""

from __future__ import annotations

import sqlite3
from typing import Any

from damas_board.sinks.journal import Journal


class _FullDisk:
    """The connection of a journal, of which nothing grows; what it refuses is refused in the writer's own thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.startswith("INSERT"):
            raise sqlite3.OperationalError("database or disk is full")
        return self.connection.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def fill_disk(journal: Journal, full: bool) -> None:
    """Let nothing be added to the file, as on a full disk, or lift that again."""
    present: Any = journal._connection
    real = present.connection if isinstance(present, _FullDisk) else present
    chosen: Any = _FullDisk(real) if full else real
    journal._connection = chosen
