"""What `damas-board flash` writes, run by the emulated chip: the board says the identity that was written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from cli.fake_avrdude import Programmer
from firmware.conftest import require_modules

from damas_board.cli import main
from simulator.emulated import EmulatedBoard


async def test_a_flashed_board_says_the_identity_that_was_written_and_keeps_it_when_it_is_flashed_again(
    require_program: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    node = require_program("node")
    require_modules()
    monkeypatch.setenv("DAMAS_LANG", "en")
    programmer = Programmer.made(tmp_path / "bin", {})
    monkeypatch.setenv("PATH", f"{programmer.folder}:{Path(node).parent}")
    link = tmp_path / "port"
    async with asyncio.timeout(100), AsyncExitStack() as stack:
        present = await stack.enter_async_context(AsyncExitStack())
        await present.enter_async_context(EmulatedBoard("matrix-50-lights", link=link))

        async def become() -> None:
            await present.aclose()
            board = EmulatedBoard("matrix-50-lights", link=link, image_path=programmer.image)
            await present.enter_async_context(board)

        serving = asyncio.create_task(programmer.serve(become))
        for options in (["--uid", "da3a0042"], []):
            assert await asyncio.to_thread(main, ["flash", str(link), *options]) == 0
            said = "board da3a0042, firmware 1.0, matrix-50-lights: 50 places of 10 x 10"
            assert capsys.readouterr().out == f"{link}: {said}\n"
        serving.cancel()
    assert programmer.speeds == ["115200", "115200"]
