"""Opening: tables are made and kept up to date, and what is wrong is said in one line."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, resources
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hub.streams import envelopes, started
from sqlalchemy import create_engine, text

from damas_board.hub.archive import TEXTS, Archive, ArchiveError
from damas_board.hub.archive.opening import VERSION_TABLE
from damas_board.hub.archive.tables import metadata

GAME = envelopes("g-1", [started("g-1")])


def run(url: str, *statements: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def refused(url: str, **options: bool) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        Archive.open(url, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def test_the_migrations_make_the_tables_that_the_program_uses(url: str) -> None:
    with Archive.open(url) as archive, archive._engine.connect() as connection:
        options = {"version_table": VERSION_TABLE}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []


def test_an_archive_is_opened_again_with_what_it_has(url: str) -> None:
    for _ in range(2):
        with Archive.open(url) as archive:
            archive.take("open", GAME)
            assert archive.known("open") == {"g-1": (1, 1)}


def test_an_archive_in_a_file_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    with Archive.open(f"sqlite:///{tmp_path}/a.sqlite") as archive, archive._engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1


def test_several_programs_may_open_a_new_archive_at_the_same_time(url: str) -> None:
    def opened(_: int) -> dict:
        with Archive.open(url) as archive:
            archive.take("open", GAME)
            return archive.known()

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(opened, range(12))) == [{"g-1": (1, 1)}] * 12


def test_an_archive_of_a_newer_version_is_refused(url: str) -> None:
    Archive.open(url).close()
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '99'")
    assert refused(url).key == "archive_newer"
    assert "'99'" in str(refused(url))


def test_a_database_of_another_program_is_left_alone(url: str) -> None:
    run(url, "CREATE TABLE games (id INTEGER)")
    file = Path(url.removeprefix("sqlite:///"))
    before = file.read_bytes() if file.exists() else None
    assert refused(url).key == "archive_foreign"
    assert before == (file.read_bytes() if file.exists() else None)


def test_beside_other_tables_of_a_server_there_is_room(new_database) -> None:
    url = new_database()
    run(url, "CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE invoices (id INTEGER)")
    Archive.open(url).close()


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a few notes, long enough to be no header of a database " * 50)
    error = refused(f"sqlite:///{tmp_path}/notes.txt")
    assert error.key == "archive_away"
    assert "not a database" in str(error)


def test_a_file_that_is_not_there_is_made_only_where_that_is_asked(tmp_path: Path) -> None:
    assert refused(f"sqlite:///{tmp_path}/a.sqlite", create=False).key == "archive_missing"
    assert refused(f"sqlite:///{tmp_path}/no/such/a.sqlite").key == "archive_away"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("archive.sqlite", "archive_url"),
        ("mysql://localhost/x", "archive_kind"),
        ("postgresql+asyncpg://localhost/x", "archive_kind"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", "archive_away"),
    ],
)
def test_what_cannot_be_an_archive_is_said_in_one_line_without_its_password(url: str, key: str) -> None:
    error = refused(url)
    assert error.key == key
    assert "secret" not in str(error)


def test_without_psycopg_it_is_said_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    error = refused("postgresql+psycopg://user:secret@localhost/x")
    assert error.key == "archive_driver"
    assert "pip install 'damas-board[postgres]'" in str(error)


def test_what_the_database_refuses_later_is_told_in_one_line(url: str) -> None:
    with Archive.open(url) as archive:
        run(url, "DROP TABLE plies")
        with pytest.raises(ArchiveError, match="plies"):
            archive.game("open", "g-1") if archive.take("open", GAME) is None else None


def test_a_server_that_was_restarted_is_used_again(new_database) -> None:
    url = new_database()
    with Archive.open(url) as archive:
        archive.take("open", GAME[:1])
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle'"
        )
        run(url, others)
        archive.take("open", envelopes("g-2", [started("g-2")]))
        assert set(archive.known("open")) == {"g-1", "g-2"}


def test_every_key_of_an_error_is_used() -> None:
    folder = Path(str(resources.files("damas_board.hub.archive")))
    sources = "".join(path.read_text() for path in folder.glob("*.py"))
    assert [key for key in TEXTS if f'"{key}"' not in sources] == []


def test_the_migrations_are_modules_of_the_package() -> None:
    """What is installed has them, wherever it is."""
    assert import_module("damas_board.hub.archive.migrations.versions.first_tables").revision == "1"
