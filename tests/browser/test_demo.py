"""`damas-board demo` on a terminal, as whoever tries it first sees it: its pages are there until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
import sys
from pathlib import Path

import pytest
from browser.conftest import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


async def test_the_demonstration_shows_its_round_and_its_pages_stay_until_ctrl_c(
    new_page: NewPage, tmp_path: Path
) -> None:
    master, terminal = pty.openpty()
    command = [sys.executable, "-m", "damas_board", "demo", "--no-browser", "--folder", "demo", "--speed", "12"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=tmp_path, stdin=terminal, stdout=terminal, stderr=asyncio.subprocess.PIPE
    )
    os.close(terminal)
    drawn: list[bytes] = []
    loop = asyncio.get_running_loop()
    loop.add_reader(master, lambda: drawn.append(os.read(master, 65536)))
    try:
        assert process.stderr is not None
        url = None
        while url is None:
            line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
            assert line, "the demonstration ended before it said where to look"
            url = re.search(r"http://127\.0\.0\.1:\d+/", line)
        page = await new_page("laptop")
        await page.goto(url[0])
        boards = page.locator("draughts-board")
        await boards.nth(2).wait_for()
        assert await boards.count() == 3
        await page.get_by_text("Helena Marques").first.wait_for()
        await page.goto(f"{url[0]}t/2")
        await page.get_by_text("11-15").first.wait_for()
        said = b""
        while b"Ctrl-C" not in said:
            line = await asyncio.wait_for(process.stderr.readline(), 100)
            assert line, said.decode()
            said += line
        assert b"Traceback" not in said
        await page.goto(url[0])
        await page.get_by_text("Tiago Brandão").first.wait_for()
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        loop.remove_reader(master)
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(master)
    assert b"3 games, 122 plies; 3 games recorded as played" in b"".join(drawn)
