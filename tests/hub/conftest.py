"""One broker of each kind for the tests of the hub; those that need one run against both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from broker import halls as brokers
from broker.halls import Hall
from hub.databases import new_archive, new_database, postgres, url
from hub.halls import LOGINS

from damas_board.broker.embedded import EmbeddedBroker

__all__ = ["new_archive", "new_database", "postgres", "url"]


@pytest.fixture(params=["embedded", "mosquitto"])
async def hall(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    require_program: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Hall]:
    if request.param == "mosquitto":
        monkeypatch.setattr(brokers, "LOGINS", LOGINS)
        async with brokers.mosquitto(require_program("mosquitto"), tmp_path / "broker") as running:
            yield running
    else:
        async with EmbeddedBroker(LOGINS, port=0) as broker:
            yield Hall("embedded", broker.host, broker.port)
