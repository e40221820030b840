"""One broker of each kind, from the same users: the tests of this folder run against both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from broker.halls import LOGINS, Hall, mosquitto

from damas_board.broker.embedded import EmbeddedBroker


@pytest.fixture(params=["embedded", "mosquitto"])
async def hall(
    request: pytest.FixtureRequest, tmp_path: Path, require_program: Callable[[str], str]
) -> AsyncIterator[Hall]:
    if request.param == "mosquitto":
        async with mosquitto(require_program("mosquitto"), tmp_path / "broker") as running:
            yield running
    else:
        async with EmbeddedBroker(LOGINS, port=0) as broker:
            yield Hall("embedded", broker.host, broker.port)
