"""A real gateway in a process of its own, which has a board on a pty; what it publishes, and what it writes down."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast

from app.halls import MEETING, Hall, Reader
from app.tables import until
from broker.halls import free_port
from firmware.games import Contacts, Fingers, Match, square_map
from sources.bench import PATIENCE_SECONDS

from damas_board.broker.client import Address
from damas_board.notation.pdn import read_games
from damas_board.session.events import BoardChanged
from simulator.hand import Hand
from simulator.levels import level
from simulator.player import acts
from simulator.recorded import FIRST_LOOK

GATEWAY = """
import asyncio, signal, sys
from pathlib import Path
from damas_board.app.service import serving
from damas_board.config import read_config
async def main(path, speed):
    leave = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave.set)
    async with serving(read_config(Path(path)), speed=float(speed)):
        print("ready", flush=True)
        await leave.wait()
asyncio.run(main(*sys.argv[1:]))
"""
"""What `damas-board run` does, with a clock that may run faster than time."""
CONFIG = """\
meeting = "{meeting}"
broker = {{kind = "embedded", port = {broker}}}
[[board]]
id = "table-1"
port = "{port}"
regulation = "{regulation}"
corner = "{corner}"
covers = "{covers}"
[[user]]
name = "ana"
role = "arbiter"
password_env = "ANA"
"""


class Clocked(Contacts, Protocol):
    """A board whose own time can be asked for."""

    async def time(self) -> float: ...


@dataclass(frozen=True)
class Door:
    """Where a reader finds the broker."""

    port: int

    def address(self, user: str) -> Address:
        return Address("127.0.0.1", self.port, user, f"secret of {user}")


@dataclass
class Table:
    """A gateway's one board, as a reader of its hall sees it, and where it writes its games."""

    match: Match
    reader: Reader
    process: asyncio.subprocess.Process
    pdn: Path

    @property
    def moves(self) -> tuple[str, ...]:
        """As a follower of the events has them."""
        (record,) = self.reader.records.values() or (None,)
        return () if record is None else record.moves

    @property
    def lost(self) -> list[str]:
        """Why the link was lost, each time."""
        bodies = [event.body for event in self.reader.events if event.body["event"] == BoardChanged.event]
        return [str(body["reason"]) for body in bodies if body["state"] == "lost"]

    @property
    def reasons(self) -> list[str]:
        """The reasons of all alerts."""
        alerts = [event.body for event in self.reader.events if event.body["event"] == "alert"]
        return [alert["evidence"]["reason"] for alert in alerts if "reason" in alert["evidence"]]

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for what must come."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await until(true)

    async def written(self) -> tuple[str, ...]:
        """The moves in the file that is there when the gateway has ended."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await self.process.wait() == 0
        (path,) = self.pdn.glob("*.pdn")
        (game,) = read_games(path.read_bytes(), self.match.variant)
        assert game.fault is None
        assert game.start == self.match.game.start
        moves = tuple(ply.move for ply in game.plies)
        assert moves == self.match.game.moves[: len(moves)]
        return self.match.moves[: len(moves)]


@contextlib.asynccontextmanager
async def gateway(match: Match, port: str, folder: Path, speed: float) -> AsyncIterator[Table]:
    """A gateway whose board is at `port`, with its embedded broker and a reader, and its board greeted."""
    broker, config, tests = free_port(), folder / "club.toml", Path(__file__).parents[1]
    header = match.header()
    text = CONFIG.format(
        meeting=MEETING,
        broker=broker,
        port=port,
        regulation=header.regulation,
        corner=square_map(match.build, match.variant).connector,
        covers=header.covers,
    )
    config.write_text(text, "utf-8")
    environment = {"PYTHONPATH": str(tests.parent), "ANA": "secret of ana", "PATH": os.environ.get("PATH", "")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", GATEWAY, str(config), str(speed)),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        cwd=folder,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await process.stdout.readline() == b"ready\n"
        async with Reader(cast(Hall, Door(broker))).reading() as reader:
            table = Table(match, reader, process, folder / "pdn")
            await table.until(lambda: reader.retained.get("board/table-1/link", {}).get("link") == "up")
            yield table
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def play(
    board: Clocked,
    match: Match,
    speed: float,
    seed: int = 1,
    *,
    plies: int | None = None,
    plan: Sequence[tuple[float, Callable[[], None]]] = (),
) -> None:
    """Plays the game, or its first `plies`, by the board's own time, which may lag behind.

    `plan` is what happens to the board beside, at which second of the game.
    """
    game, began, due = match.game, await board.time(), list(plan)
    fingers = Fingers(board, square_map(match.build, match.variant), game.start, level("club"), seed)
    hand = Hand(game.start, level("club"), seed, now=FIRST_LOOK)
    for act in acts(hand, replace(game, moves=game.moves[:plies])):
        while due and due[0][0] <= act.at:
            at, happen = due.pop(0)
            await _reached(board.time, began + at, speed)
            happen()
        await _reached(board.time, began + act.at, speed)
        fingers.do(act.action)


async def _reached(time: Callable[[], Awaitable[float]], at: float, speed: float) -> None:
    left = at - await time()
    while left > 0:
        await asyncio.sleep(left / speed)
        left = at - await time()
