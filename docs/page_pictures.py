"""Takes the pictures of the pages in docs/pictures from the demonstration: `python docs/page_pictures.py`.

Needs Chromium and Playwright (`pip install --group browser`). What letters look like depends on the machine, so nothing
compares these pictures.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

PICTURES = Path(__file__).parent / "pictures"
PLIES = "11."
"""When a table has come to this move, the wall is taken."""


async def main() -> None:
    """Writes live-page.png and console.png."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "damas_board", "demo", "--once", "--speed", "2", "--folder", folder]
        demo = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        try:
            assert demo.stderr is not None
            said = ""
            while "cable" not in said:
                said += (await demo.stderr.readline()).decode()
            url = re.search(r"http://\S+/", said)
            password = re.search(r"name arbiter, password (\S+)", said)
            assert url is not None
            assert password is not None
            async with async_playwright() as playwright:
                program = shutil.which("chromium")
                browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                await asyncio.gather(_wall(browser, url[0]), _console(browser, url[0], password[1]))
                await browser.close()
        finally:
            demo.terminate()
            await demo.wait()


async def _wall(browser: Browser, url: str) -> None:
    page = await browser.new_page(viewport={"width": 1366, "height": 768}, locale="en-GB")
    await page.goto(f"{url}t/1")
    await page.get_by_text(PLIES, exact=True).first.wait_for(timeout=120_000)
    await page.goto(url)
    await page.locator("draughts-board").nth(2).wait_for()
    await asyncio.sleep(2)
    await page.screenshot(path=PICTURES / "live-page.png")


async def _console(browser: Browser, url: str, password: str) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844}, locale="en-GB")
    await page.goto(f"{url}console/")
    await page.get_by_label("Name").fill("arbiter")
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in").click()
    alert = page.get_by_text("A capture was obligatory and was not made").first
    await alert.click(timeout=120_000)
    await page.locator("draughts-board").first.wait_for()
    await asyncio.sleep(1)
    await page.screenshot(path=PICTURES / "console.png")


if __name__ == "__main__":
    asyncio.run(main())
