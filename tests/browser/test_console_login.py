"""The console's login in a real browser that is on another machine, by what a proxy says of it."""

from __future__ import annotations

from pathlib import Path

import aiomqtt
import pytest
from browser.conftest import NewPage, Violations

from damas_board.hub.archive import Archive
from damas_board.hub.assets import public_routes
from damas_board.hub.console import Console, Person
from damas_board.hub.web import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def nowhere(purpose: str) -> aiomqtt.Client:
    raise AssertionError(purpose)


async def test_no_password_can_be_typed_where_everybody_on_the_way_would_read_it(
    new_page: NewPage, violations: Violations, tmp_path: Path
) -> None:
    with Archive.open(f"sqlite:///{tmp_path}/archive.sqlite") as archive:
        people = [Person("ana", "arbiter", "capivara".__eq__)]
        routes = Console(nowhere, "hub", "open", archive, people).routes()
        async with WebServer({}, public=public_routes(), console=routes) as web:
            for proxy, closed in (({"X-Forwarded-For": "203.0.113.9"}, True), ({}, False)):
                page = await new_page("phone", extra_http_headers=proxy)
                await page.goto(f"{web.url}console/")
                await page.wait_for_selector("#login")
                told = page.locator("#login-told")
                if closed:
                    await page.wait_for_function("document.getElementById('login-told').textContent !== ''")
                    assert await told.text_content() == "From another machine the console works over HTTPS only."
                assert [await page.is_disabled(f"#{name}") for name in ("name", "password", "enter")] == [closed] * 3
                assert await violations(page) == []
