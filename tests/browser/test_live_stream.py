"""One connection for all public pages of a browser: who shares it, who comes later, and who has to have an own one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from browser.conftest import NewPage
from browser.told import Told, pairing, telling

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


async def streams(told: Told, count: int) -> None:
    """Waits until so many are open."""
    async with asyncio.timeout(20):
        while told.live.ring.streams != count:  # noqa: ASYNC110 - nothing tells it
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
    await streams(told, 0)


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
    await streams(told, 1)
    told.play("g-1", 1)
    await shown_moves(tab, 2)
    await tab.goto("about:blank")
    await streams(told, 0)
