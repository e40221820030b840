"""Opens an archive: SQLite or PostgreSQL by its URL, with the tables brought to this version's shape.

How it works. The steps between shapes are Alembic migrations that lie in this package; nobody needs an `alembic.ini`,
since the connection is given here. They run in one transaction, in which a second program that opens the same
archive waits. The version stands in a table of its own name, so that other programs in the same database keep theirs.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from damas_board.hub.archive.tables import metadata
from damas_board.hub.archive_errors import ArchiveError
from damas_board.hub.files import make_private

VERSION_TABLE = "damas_archive_version"
BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""
CONNECT_SECONDS = 10
_FOLDER = Path(__file__).parent / "migrations"
_TRIES = 100
_WRITES = "damas_writes"
_LOCK = 0x44414D41
"""PostgreSQL's number of the lock under which the tables are changed."""


def open_engine(url: str, *, create: bool = True) -> Engine:
    """The database at `url` with tables of this version. ArchiveError says in one line what is wrong with it.

    Without `create` a SQLite file that is not there is an error.
    """
    parsed = _parsed(url)
    shown = parsed.render_as_string(hide_password=True)
    if parsed.get_backend_name() == "sqlite":
        engine = _sqlite(parsed, shown, create=create)
    else:
        engine = _postgresql(parsed, shown)
    try:
        with engine.connect() as connection:
            ready = _version(connection) == _newest()
        if not ready:
            with writing(engine) as connection:
                _migrate(connection, shown)
        if engine.dialect.name == "sqlite":
            _keep_a_log(engine)
    except (SQLAlchemyError, sqlite3.Error) as error:
        engine.dispose()
        raise ArchiveError("archive_away", url=shown, reason=reason(error)) from error
    except ArchiveError:
        engine.dispose()
        raise
    return engine


def writing(engine: Engine) -> Any:
    """A transaction that writes: `with writing(engine) as connection:`. In SQLite it has the file for itself at once,
    so that it never has to give up half-way because of another writer."""
    return engine.execution_options(**{_WRITES: True}).begin()


def reading(engine: Engine) -> Connection:
    """A connection that sees the database as it is at its first question, whatever is written meanwhile."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    return engine.connect()


def reason(error: Exception) -> str:
    """What the database itself said, on one line."""
    said = getattr(error, "orig", None) or error
    return " ".join(str(said).split()).rstrip(".") or type(said).__name__


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ArchiveError("archive_url", url=url) from error
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
        raise ArchiveError("archive_kind", url=parsed.render_as_string(hide_password=True))
    return parsed


def _sqlite(url: URL, shown: str, *, create: bool) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    if not in_memory and not create and not Path(str(url.database)).exists():
        raise ArchiveError("archive_missing", url=shown)
    if not in_memory and create and not str(url.database).startswith("file:"):
        with suppress(OSError):  # what is wrong SQLite says itself
            make_private(Path(str(url.database)))
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where this module says so, not where the driver guesses
        for pragma in ("foreign_keys=ON", "synchronous=NORMAL"):  # what a power cut takes is asked for again
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _keep_a_log(engine: Engine) -> None:
    """Turn the file to WAL, for good. SQLite does not wait where others have the file just then: it is done behind
    them."""
    lent = engine.raw_connection()
    try:
        connection: Any = lent.driver_connection
        for _ in range(_TRIES):
            try:
                connection.execute("PRAGMA journal_mode=WAL").close()
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                connection.executescript("BEGIN EXCLUSIVE; COMMIT")  # waits
        raise sqlite3.OperationalError("database is locked")
    finally:
        lent.close()


def _postgresql(url: URL, shown: str) -> Engine:
    options = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}
    try:
        return create_engine(url, connect_args=options, pool_pre_ping=True)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise ArchiveError("archive_driver", url=shown) from error


def _migrate(connection: Connection, shown: str) -> None:
    """Bring the tables to this version's shape; ArchiveError where they are of another program, or newer."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    found = _version(connection)
    if found == _newest():
        return
    if found is not None and found not in {step.revision for step in _steps().walk_revisions()}:
        raise ArchiveError("archive_newer", url=shown, found=found, ours=str(_newest()))
    if found is None and _foreign(connection):
        raise ArchiveError("archive_foreign", url=shown)

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["damas"] = {"connection": connection, "version_table": VERSION_TABLE}
    command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    """The step that the tables have come to; None where there are none of ours."""
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


@cache
def _steps() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER))


@cache
def _newest() -> str | None:
    return _steps().get_current_head()


def _foreign(connection: Connection) -> bool:
    """Whether the database has tables that we do not expect: any in SQLite, such as would be ours in PostgreSQL."""
    there = set(inspect(connection).get_table_names())
    return bool(there if connection.dialect.name == "sqlite" else there & set(metadata.tables))
