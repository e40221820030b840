"""Empty databases for the tests of the archive, in SQLite and in PostgreSQL: fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hub.postgres import server
from sqlalchemy import create_engine, make_url, text

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres(require_program: Callable[[str], str]) -> Iterator[str]:
    """A PostgreSQL server for these tests; skipped without one, in CI that fails."""
    with server(require_program) as running:
        yield running.url


@pytest.fixture
def new_database(postgres: str) -> Iterator[Callable[[], str]]:
    """`new_database()` is the URL of an empty place of its own in PostgreSQL: a schema, which is made at once."""
    made = []

    def new() -> str:
        name = f"archive_{next(_numbers)}"
        _run(postgres, f"CREATE SCHEMA {name}")
        made.append(name)
        options = {"options": f"-csearch_path={name} -clock_timeout=60000"}
        return make_url(postgres).update_query_dict(options).render_as_string()

    yield new
    for name in made:
        _run(postgres, f"DROP SCHEMA {name} CASCADE")


def _run(url: str, statement: str) -> None:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_archive(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """`new_archive()` is the URL of an empty archive, in SQLite and in PostgreSQL."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path}/archive-{next(_numbers)}.sqlite"
    return request.getfixturevalue("new_database")


@pytest.fixture
def url(new_archive: Callable[[], str]) -> str:
    return new_archive()
