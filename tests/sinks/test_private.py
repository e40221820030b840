"""Who may read a journal: names are in it that are in public nowhere."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from damas_board.app.restoring import exported
from damas_board.session.header import Header
from damas_board.session.inputs import Tick
from damas_board.sinks.fresh_journal import write_journal
from damas_board.sinks.journal import Journal


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    """What a program makes here anybody may read, unless it says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_nobody_else_reads_a_new_journal_or_what_lies_beside_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        journal.append("table-1", None, [Tick(1.0)])[1].result(10)
        found = modes(tmp_path)
    assert {"j.db", "j.db-lock", "j.db-mark", "j.db-shm", "j.db-wal"} <= set(found)
    assert set(found.values()) == {0o600}


def test_nobody_else_reads_a_journal_written_in_one_go(tmp_path: Path) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        assert set(modes(tmp_path).values()) == {0o600}

    write_journal(tmp_path / "j.db", "2026-01-31T09:00:00.000+00:00", 1, fill)
    assert modes(tmp_path) == {"j.db": 0o600}


def test_a_journal_that_is_there_keeps_the_mode_that_it_was_given(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db"):
        pass
    (tmp_path / "j.db").chmod(0o640)
    with Journal.open(tmp_path / "j.db"):
        assert modes(tmp_path)["j.db"] == 0o640


def test_nobody_else_reads_exported_games(tmp_path: Path) -> None:
    header = Header("table-1", "br-cbjd", game="g-1", players={"white": {"name": "Ana"}})
    with Journal.open(tmp_path / "j.db") as journal:
        journal.begin_game(header, 1.0).result(10)
        assert [path.name for path in exported(journal, tmp_path / "games")] == ["g-1.jsonl"]
    assert modes(tmp_path / "games") == {"g-1.jsonl": 0o600}
