"""The public pages in a real browser: they load what they name, from this server alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from broker.halls import Hall
from browser.conftest import NewPage
from hub.halls import LOGINS, hub

from damas_board.broker.embedded import EmbeddedBroker

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_live_page_loads_without_a_fault(new_page: NewPage, tmp_path: Path) -> None:
    async with (
        EmbeddedBroker(LOGINS, port=0) as broker,
        hub(Hall("embedded", broker.host, broker.port), tmp_path) as running,
    ):
        assert running.hub.web is not None
        page = await new_page()
        await page.goto(running.hub.web.url)
        assert await page.title()
