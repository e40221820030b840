"""The service manager hears that the program is ready, alive and stopping."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from damas_board.app.notify import Notifier, announced

CONFIG = """\
meeting = "club"
[broker]
kind = "embedded"
port = {port}
[[board]]
id = "table-1"
port = "{board}"
regulation = "br-cbjd"
"""


@pytest.fixture
async def manager(tmp_path: Path) -> AsyncIterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.setblocking(False)
        yield ear


async def heard(ear: socket.socket) -> str:
    async with asyncio.timeout(60):
        return (await asyncio.get_running_loop().sock_recv(ear, 4096)).decode()


async def test_ready_alive_and_stopping_are_told_in_this_order(manager: socket.socket) -> None:
    environ = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "40000", "WATCHDOG_PID": str(os.getpid())}
    async with announced("two boards", Notifier(environ)):
        assert await heard(manager) == "READY=1\nSTATUS=two boards"
        for _ in range(3):
            assert await heard(manager) == "WATCHDOG=1"
    said = [await heard(manager)]
    while said[-1] == "WATCHDOG=1":  # sent before the end
        said.append(await heard(manager))
    assert said[-1] == "STOPPING=1"
    await asyncio.sleep(0.1)
    with pytest.raises(BlockingIOError):
        manager.recv(100)


async def test_a_socket_without_a_file_is_reached() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0damas-board-test-{os.getpid()}")
        ear.setblocking(False)
        Notifier({"NOTIFY_SOCKET": f"@damas-board-test-{os.getpid()}"}).tell("READY=1")
        assert await heard(ear) == "READY=1"


@pytest.mark.parametrize(
    ("environ", "period"),
    [
        ({}, 0),
        ({"WATCHDOG_USEC": "60000000"}, 0),
        ({"NOTIFY_SOCKET": "/x"}, 0),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "60000000"}, 30),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, 0),
    ],
)
def test_signs_of_life_are_sent_twice_as_often_as_wanted_and_only_if_wanted_of_us(
    environ: dict[str, str], period: float
) -> None:
    assert Notifier(environ).period == period


async def test_without_a_manager_nothing_is_sent() -> None:
    async with announced("x", Notifier({})):
        pass


async def test_a_gateway_is_ready_once_it_drives_its_boards_and_says_when_it_stops(
    manager: socket.socket, tmp_path: Path
) -> None:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    link = tmp_path / "board"
    board = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "damas_board", "simulate", "--port", str(link), "--stay"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    gateway = None
    try:
        async with asyncio.timeout(60):
            assert board.stdout is not None
            await board.stdout.readline()  # the port
        config = tmp_path / "club.toml"
        config.write_text(CONFIG.format(port=port, board=link), "utf-8")
        environ = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "100000", "DAMAS_LANG": "en"}
        gateway = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "damas_board", "run", str(config)), env=environ, stderr=asyncio.subprocess.PIPE
        )
        assert (await heard(manager)).startswith("READY=1\nSTATUS=1 board(s) of club")
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        await writer.wait_closed()
        assert await heard(manager) == "WATCHDOG=1"
        gateway.send_signal(signal.SIGTERM)
        while (said := await heard(manager)) == "WATCHDOG=1":
            pass
        assert said == "STOPPING=1"
        async with asyncio.timeout(60):
            await gateway.communicate()
        assert gateway.returncode == 0
    finally:
        for process in (gateway, board):
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()
