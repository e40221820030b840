"""The console's hall says in the reader's words what a broadcast cannot do, and what has not arrived."""

from __future__ import annotations

from pathlib import Path

import pytest
from broker.halls import free_port
from browser.arbiter import PATIENCE, entered, has
from browser.conftest import NewPage, Violations
from browser.stage import stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_what_a_broadcast_cannot_do_is_in_the_hall(
    new_page: NewPage, violations: Violations, tmp_path: Path
) -> None:
    push = f'[[hub.push]]\nurl = "http://127.0.0.1:{free_port()}/"\n'
    async with stage(tmp_path, ("pt-classicas",), more=push) as hall:
        page = await new_page("phone", locale="pt-PT")
        await entered(page, hall, "olga")
        body = {"round": "1", "regulation": "pt-classicas", "publication": {"delay": 0}}
        pairing = {"table": "7", "white": "Ana", "black": "Eva", "game": "g-7"}
        headers = {"Origin": hall.url, "Content-Type": "application/json"}
        published = await page.request.post(
            f"{hall.url}/console/api/round", data={**body, "pairings": [pairing]}, headers=headers
        )
        assert published.ok, await published.text()
        await page.goto(f"{hall.url}/console/#/hall")
        await has(page, "section li", "Ronda 1: o Lidraughts não conhece as regras de Damas clássicas portuguesas")
        await has(page, "section li", "(mesas: 7)")
        await page.wait_for_selector("section li.notice.warn", timeout=PATIENCE)
        await has(page, "section li.notice.warn", "ficheiros não chegaram a http://127.0.0.1:")
        assert "{" not in " ".join(await page.locator("section li").all_inner_texts())
        assert await violations(page) == []
        await page.goto(f"{hall.url}/files")
        await has(page, "th", "Ronda")
        await page.wait_for_function("document.title.startsWith('Ficheiros')")
        assert await page.locator("a[href='/feed/1.pdn']").count() == 1
        assert await violations(page) == []
