"""A real browser for the tests: Debian's Chromium, driven by Playwright; without either, tests skip, in CI they fail.

Tests here are marked `browser` (`pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]`): one
browser a process, one context a test. A test fails where a page reports an error, breaks its content security policy or
asks any other server.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = HERE / "pictures"
"""Where screenshots are kept; not in the repository."""
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}


def _missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(require_program: Callable[[str], str]) -> AsyncIterator[Browser]:
    """The browser of this process."""
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        _missing("playwright")
        raise
    program = require_program("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        await browser.close()


NewPage = Callable[..., Awaitable["Page"]]


@pytest_asyncio.fixture(loop_scope="session")
async def new_page(chromium: Browser) -> AsyncIterator[NewPage]:
    """`await new_page(size="phone", locale="pt-PT", color_scheme="dark", ...)`: a page in a context of its own."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    async def make(size: str = "laptop", *, locale: str = "en-GB", expect_faults: bool = False, **more: Any) -> Page:
        width, height = SIZES[size]
        context = await chromium.new_context(viewport={"width": width, "height": height}, locale=locale, **more)
        contexts.append(context)
        page = await context.new_page()
        if not expect_faults:
            page.on("pageerror", lambda error: faults.append(f"error in the page: {error}"))
            page.on("console", lambda said: faults.append(said.text) if _is_fault(said) else None)
        page.on("request", lambda asked: None if _is_ours(asked.url) else faults.append(f"asks {asked.url}"))
        return page

    yield make
    for context in contexts:
        await context.close()
    assert faults == []


def _is_fault(said: Any) -> bool:
    """What the console says is an error, but for a connection that the test has broken."""
    return said.type == "error" and "net::ERR_" not in said.text and "Failed to load resource" not in said.text


def _is_ours(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "https://127.0.0.1:", "http://localhost:", "data:", "blob:", "about:"))


Violations = Callable[["Page"], Awaitable[list[str]]]


@pytest.fixture
def violations() -> Violations:
    """`await violations(page)`: what axe-core finds in the page as it is, one line each; empty where all is well."""
    if not AXE.exists():
        _missing("axe-core (npm ci in tests/browser)")

    async def look(page: Page) -> list[str]:
        await page.evaluate(await asyncio.to_thread(AXE.read_text, "utf-8"))
        found = await page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        return [f"{one['id']}: {one['help']}: {node['target']}" for one in found for node in one["nodes"]]

    return look


@pytest.fixture
def keep_picture() -> Callable[[Page, str], Awaitable[Path]]:
    """`await keep_picture(page, "wall-phone")`: a screenshot in `PICTURES`, for people to look at."""

    async def keep(page: Page, name: str) -> Path:
        await asyncio.to_thread(PICTURES.mkdir, exist_ok=True)
        path = PICTURES / f"{name}.png"
        await page.screenshot(path=path)
        return path

    return keep
