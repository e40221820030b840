"""One connection for all public pages of a browser: who shares it, who comes later, and who has to have an own one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from browser.conftest import NewPage
from browser.stage import PASSWORDS, stage
from browser.told import Told, pairing, telling
from starlette.requests import Request
from starlette.responses import Response

from damas_board.hub.event_ring import EventRing

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BOARDS = 4


@pytest_asyncio.fixture(loop_scope="session")
async def told() -> AsyncIterator[Told]:
    async with telling() as server:
        begin(server)
        yield server


def begin(server: Told) -> None:
    for number in range(1, BOARDS + 1):
        server.begin(f"g-{number}", moves=number)
    pairings = [pairing(n, f"White {n}", f"Black {n}") for n in range(1, BOARDS + 1)]
    server.round("1", {"round": "1", "state": "started", "regulation": "br-cbjd", "pairings": pairings})


async def other_tab(tab: Tab, url: str) -> Tab:
    """Another page of the same browser."""
    other = await tab.context.new_page()
    await other.goto(url)
    return other


async def shown_moves(tab: Tab, count: int) -> None:
    """Waits until so many moves are in the list, and no more."""
    await tab.wait_for_function("n => document.querySelectorAll('.moves button').length === n", arg=count)


async def streams(ring: EventRing, count: int) -> None:
    """Waits until so many are open."""
    async with asyncio.timeout(20):
        while ring.streams != count:  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(0.05)


async def test_any_number_of_boards_and_overlays_in_somebodys_page_take_one_connection(
    told: Told, new_page: NewPage
) -> None:
    frames = "".join(
        f'<iframe src="{told.url}/{kind}/g/g-{number}" width="200" height="300"></iframe>'
        for number in range(1, BOARDS + 1)
        for kind in ("embed", "overlay")
    )
    page = f"<!doctype html><title>Club</title><link rel=icon href=data:,>{frames}".encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + page)
        await writer.drain()
        writer.close()

    tab = await new_page()
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as club:
        await tab.goto(f"http://127.0.0.1:{club.sockets[0].getsockname()[1]}/", wait_until="commit")
        for number in range(1, BOARDS + 1):
            for frame in (f"embed/g/g-{number}", f"overlay/g/g-{number}"):
                board = tab.frame_locator(f'iframe[src$="{frame}"]').locator("draughts-board")
                await board.wait_for()
        assert told.live.ring.streams == 1


async def test_a_page_that_comes_later_has_what_is_there_and_all_that_follows(told: Told, new_page: NewPage) -> None:
    first = await new_page()
    await first.goto(f"{told.url}/g/g-1")
    await shown_moves(first, 1)
    whole, asked = told.live.ring.whole, asyncio.Event()

    def while_it_is_asked(own: Any = None) -> bytes:
        body = whole(own)
        told.play("g-2", 1)  # behind what it says
        asked.set()
        return body

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(told.live.ring, "whole", while_it_is_asked)
        second = await other_tab(first, f"{told.url}/embed/g/g-2")
        await asyncio.wait_for(asked.wait(), 20)
    await second.get_by_text(told.games["g-2"].moves[2]).wait_for()
    third = await other_tab(first, f"{told.url}/g/g-1")
    await shown_moves(third, 1)
    told.play("g-1", 1)
    for tab in (first, third):
        await shown_moves(tab, 2)
    assert told.live.ring.streams == 1

    await first.close()
    told.play("g-1", 1)
    await shown_moves(third, 3)
    await third.goto(f"{told.url}/g/g-3")
    await third.go_back()
    await shown_moves(third, 3)
    await second.close()
    told.play("g-1", 1)
    await shown_moves(third, 4)
    await third.goto("about:blank")
    await streams(told.live.ring, 0)


async def test_all_pages_find_a_server_that_began_again_and_what_it_knows_otherwise(new_page: NewPage) -> None:
    async with telling() as server:
        begin(server)
        port = int(server.url.rpartition(":")[2])
        first = await new_page()
        await first.goto(f"{server.url}/g/g-3")
        await shown_moves(first, 3)
        second = await other_tab(first, f"{server.url}/g/g-4")
        await shown_moves(second, 4)
    async with telling(port) as server:
        begin(server)
        server.begin("g-3", moves=2, revision=1)
        server.begin("g-4", moves=6)
        await shown_moves(first, 2)
        await shown_moves(second, 6)
        assert server.live.ring.streams == 1


async def test_a_connection_that_breaks_goes_on_behind_what_was_told_last(told: Told, new_page: NewPage) -> None:
    tab = await new_page()
    await tab.goto(f"{told.url}/g/g-1")
    await shown_moves(tab, 1)
    said = tab.locator(".game > [role=status]")
    assert await said.inner_text() == "", "what was there is not news"
    asked: list[str | None] = []
    response = told.live.ring.response

    def again(request: Request, *more: Any) -> Response:
        asked.append(request.query_params.get("last"))
        return response(request, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(told.live.ring, "response", again)
        told.live.ring.close()  # all streams end
        await streams(told.live.ring, 0)
        last = told.live.ring.id
        told.live.ring._closed = False
        told.play("g-1", 1)
        await shown_moves(tab, 2)
    assert set(asked) == {last}
    assert told.games["g-1"].moves[-1] in await said.inner_text()


async def test_what_a_login_opens_is_shared_with_nobody(new_page: NewPage, tmp_path: Path) -> None:
    async with stage(tmp_path, begins=False) as hall:
        hub = hall.service.hub.hub if hall.service.hub is not None else None
        assert hub is not None
        assert hub.live is not None
        assert hub.console is not None
        console = await new_page()
        await console.goto(f"{hall.url}/console/")
        await console.fill("#name", "ana")
        await console.fill("#password", PASSWORDS["ana"])
        await console.click("#enter")
        await console.locator("#tab-alerts").wait_for()
        public = [await other_tab(console, hall.url) for _ in range(2)]
        again = await other_tab(console, f"{hall.url}/console/")
        for tab, there in ((again, "#tab-alerts"), *((tab, "html.ready") for tab in public)):
            await tab.locator(there).wait_for()
        await streams(hub.console._ring, 2)
        await streams(hub.live.ring, 1)


NONE = "delete window.SharedWorker"
DEAF = "window.SharedWorker = class extends EventTarget { port = new MessageChannel().port1; }"


@pytest.mark.parametrize("workers", [NONE, DEAF], ids=["none", "that do not answer"])
async def test_a_browser_without_such_workers_has_a_connection_for_each_page(
    told: Told, new_page: NewPage, workers: str
) -> None:
    tab = await new_page()
    await tab.context.add_init_script(workers)
    await tab.clock.install()
    await tab.goto(f"{told.url}/g/g-1")
    await tab.locator("html.ready").wait_for()
    await tab.clock.run_for(13_000)
    await shown_moves(tab, 1)
    await streams(told.live.ring, 1)
    told.play("g-1", 1)
    await shown_moves(tab, 2)
    await tab.goto("about:blank")
    await streams(told.live.ring, 0)
