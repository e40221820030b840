"""`damas-board boards` over real pseudo-terminals: what is listed, and which board stands on which table."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from damas_board.config import read_config
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

MAP = SquareMap(8, "left")
SECONDS = 60.0
HEAD = 'meeting = "m"\n[ports]\nsearch = ["ports/*"]\n'


def table(number: int, more: str) -> str:
    return f'[[board]]\nid = "table-{number}"\nregulation = "br-cbjd"\n{more}\n'


@asynccontextmanager
async def hall(folder: Path, **uids: int) -> AsyncIterator[dict[str, Board]]:
    (folder / "ports").mkdir()
    clock = RunningClock()
    async with AsyncExitStack() as stack:
        boards = {}
        for name, uid in uids.items():
            boards[name] = board = Board(MAP, clock, uid=uid)
            board.set_up([1] * 12 + [0] * 8 + [1] * 12)
            await stack.enter_async_context(BoardPty(board, clock, folder / "ports" / name))
        yield boards


async def asked(*arguments: object) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "damas_board", "boards", *map(str, arguments))
    return await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env={"DAMAS_LANG": "en"})


async def test_each_port_is_listed_with_its_board_its_table_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(HEAD + table(1, 'uid = "a1"') + table(2, "uid = 0xb2") + table(3, "sensors = false"))
    async with asyncio.timeout(SECONDS), hall(tmp_path, a=0xA1, c=0xC3):
        out, _ = await (await asked(path, "--json")).communicate()
        text, _ = await (await asked(path)).communicate()
    found = [(e["state"], e.get("uid"), e.get("board")) for e in json.loads(out)]
    assert found == [
        ("free", "000000a1", "table-1"),
        ("unknown", "000000c3", None),
        ("missing", "000000b2", "table-2"),
        ("entered", None, "table-3"),
    ]
    lines = text.decode().splitlines()
    at = lines.index('uid = "000000c3"')
    path.write_text(path.read_text() + "\n".join(lines[at - 2 : at + 3]))
    assert [board.uid for board in read_config(path).boards][-1] == "000000c3"


async def test_a_lifted_piece_tells_which_board_stands_on_a_table_and_it_is_written_down(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(HEAD + table(1, "") + table(2, 'uid = "a1"'))
    async with asyncio.timeout(SECONDS), hall(tmp_path, a=0xA1, b=0xB2) as boards:
        process = await asked(path, "--identify", "--write")
        assert process.stderr is not None
        for lifted, awaited in (("b", b"table table-1 ..."), ("b", b"table table-2 ..."), ("a", b"that was 000000b2")):
            while awaited not in await process.stderr.readline():
                pass
            boards[lifted].lift(22)
            await asyncio.sleep(1.0)
            boards[lifted].place(22)
        await process.wait()
    assert process.returncode == 0
    assert [board.uid for board in read_config(path).boards] == ["000000b2", "000000a1"]
