"""What an arbiter does at the console in a browser, for the tests of it."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.stage import PASSWORDS, Stage

if TYPE_CHECKING:
    from playwright.async_api import Page

KeepPicture = Callable[["Page", str], Awaitable[Path]]
PATIENCE = 30_000
WITNESS = """
window.vibrations = [];
navigator.vibrate = (pattern) => window.vibrations.push(pattern);
window.clicks = 0;
addEventListener("click", (event) => { if (event.isTrusted) window.clicks += 1; }, true);
"""
"""Keeps what the page does to the phone, and counts what the person does to the page."""


async def entered(page: Page, hall: Stage, who: str = "ana") -> None:
    """Log in by the form, as a person does."""
    await page.add_init_script(WITNESS)
    await page.goto(f"{hall.url}/console/")
    await page.fill("#name", who)
    await page.fill("#password", PASSWORDS[who])
    await page.click("#enter")
    await page.wait_for_selector("#tab-alerts", timeout=PATIENCE)


async def told(page: Page, hall: Stage) -> Any:
    """The hall as the server tells it to this person."""
    answer = await page.request.get(f"{hall.url}/console/api/snapshot.json")
    return await answer.json()


async def the_game(page: Page, hall: Stage, table: str = "1") -> Any:
    games = (await told(page, hall))["games"]
    return await whole(page, hall, next(g["game"] for g in games if g["table"] == table or g["on"] == f"t-{table}"))


async def whole(page: Page, hall: Stage, game: str) -> Any:
    """A game with its moves, as it is now."""
    return await (await page.request.get(f"{hall.url}/console/api/games/{game}.json")).json()


async def given(page: Page, hall: Stage, **body: Any) -> None:
    """A command that is no part of what is tested."""
    answer = await page.request.post(
        f"{hall.url}/console/api/command", data=body, headers={"Origin": hall.url, "Content-Type": "application/json"}
    )
    assert (await answer.json())["outcome"] == "done", await answer.text()


async def has(page: Page, selector: str, text: str) -> None:
    """Waits until something at `selector` has that text."""
    await page.locator(selector, has_text=text).first.wait_for(timeout=PATIENCE)


async def answered(page: Page, text: str = "done") -> None:
    await has(page, "#answers", text)


async def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(await page.evaluate("document.scrollingElement.scrollWidth - innerWidth"))


async def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


async def choose(page: Page, *squares: str) -> None:
    """Clicks squares of the board that is shown, where they are drawn."""
    for square in squares:
        await page.locator(f'[aria-labelledby="correction-title"] [role="gridcell"][data-name="{square}"]').click()
