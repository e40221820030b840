"""From a simulated board to the page, through gateway, broker and hub; and a hub that is killed under the page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from broker.halls import Hall
from browser.conftest import NewPage
from browser.stage import stage
from browser.test_live import lines
from hub.halls import LOGINS, Gateway, publish, round_of
from hub.test_hub_killed import config, process

from damas_board.broker.embedded import EmbeddedBroker

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_move_on_a_board_is_on_the_page(new_page: NewPage, tmp_path: Path) -> None:
    async with stage(tmp_path, ("br-cbjd", "pt-classicas"), speed=8.0) as hall:
        tab = await new_page()
        await tab.goto(hall.url)
        cards = tab.locator(".wall .card")
        await cards.nth(1).wait_for()
        boards = tab.locator("draughts-board")
        assert [await boards.nth(n).get_attribute("corner") for n in (0, 1)] == ["left", "right"]
        await hall.tables["t-1"].play("c3-d4", "b6-a5")
        await cards.first.get_by_text("b6-a5").wait_for()
        await cards.first.click()
        await tab.locator(".moves button", has_text="b6-a5").wait_for()
        assert await boards.get_attribute("last-move") == "b6 a5"


async def _open(tab: Tab, url: str) -> None:
    """As soon as somebody listens there."""
    from playwright.async_api import Error

    async with asyncio.timeout(30):
        while True:
            try:
                await tab.goto(url)
            except Error:
                await asyncio.sleep(0.3)
            else:
                return


@pytest.mark.slow
async def test_a_hub_that_is_killed_and_started_again_is_found_by_the_page_which_is_right(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.host, broker.port)
        await publish(hall, "olga", "round/1", round_of(["g-1"], delay=0))
        file, log = config(hall, tmp_path), tmp_path / "log"
        port = file.read_text("utf-8").split("port = ")[-1].split()[0]
        tab = await new_page()
        async with Gateway(hall).running() as gateway:
            await gateway.start("g-1", players={"white": {"name": "Ana"}})
            for _ in range(6):
                await gateway.move("g-1")
            async with process(file, log):
                await _open(tab, f"http://127.0.0.1:{port}/g/g-1")
                await tab.locator(".moves button").nth(5).wait_for()
                await gateway.revise("g-1")
                move = gateway.records["g-1"].moves[-1]
                await tab.locator(".moves button[aria-current]", has_text=move).wait_for()
                assert await lines(tab) == list(gateway.records["g-1"].moves)
            await gateway.retract("g-1", 4)
            await gateway.move("g-1")
            await tab.locator("#status").wait_for()
            async with process(file, log):
                wanted = list(gateway.records["g-1"].moves)
                await tab.wait_for_function("n => document.querySelectorAll('.moves button').length === n", arg=4)
                assert await lines(tab) == wanted
                await tab.locator("#status").wait_for(state="hidden")
                await gateway.move("g-1")
                await tab.locator(".moves button").nth(4).wait_for()
        assert "Traceback" not in log.read_text("utf-8")
