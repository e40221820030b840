"""A hall to look at in a browser: simulated boards on ptys, the gateway that reads them, its broker, hub and pages.

It is what `damas-board run` makes of a configuration; nothing is short-circuited. `ana` is the arbiter, `olga` the
organiser; the boards' clock runs at `speed`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from damas_board.app.service import Service, serving
from damas_board.config import BoardSettings, read_config
from damas_board.notation.moves import read_move
from damas_board.rules.position import Position, initial
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

PASSWORDS = {"ana": "capivara-do-rio", "olga": "ninho-de-cegonha"}
ROLES = {"ana": "arbiter", "olga": "organiser"}


@dataclass
class Table:
    """A table: its board in software, and the hands at it."""

    settings: BoardSettings
    board: Board
    clock: RunningClock
    position: Position
    seed: int = 0
    played: list[str] = field(default_factory=list)

    async def play(self, *moves: str) -> None:
        """The players play these moves, in the variant's notation; returns when the last hand is off."""
        read = []
        position = self.position
        for text in moves:
            read.append(read_move(position, text))
            position = position.after(read[-1])
        player = Player(self.board, self.clock, level("clean"), self.seed)
        self.seed += 1
        await player.play(PlayedGame(self.position, tuple(read)))
        self.position = position
        self.played += moves

    async def lift(self, square: str, seconds: float = 0.6) -> None:
        """A piece goes up and is put back where it stood after so many seconds of the boards' clock."""
        place = self.place(square)
        self.board.lift(place)
        await self.clock.sleep(seconds)
        self.board.place(place)

    async def carry(self, start: str, end: str, *off: str) -> None:
        """A piece is carried from square to square, lawful or not, and the pieces on `off` are taken away."""
        self.board.lift(self.place(start))
        await self.clock.sleep(0.6)
        self.board.place(self.place(end))
        for square in off:
            await self.clock.sleep(0.3)
            self.board.lift(self.place(square))

    def place(self, square: str) -> int:
        return self.settings.square_map.place(self.settings.regulation.variant.geometry.square(square))


@dataclass
class Stage:
    service: Service
    tables: dict[str, Table]
    clock: RunningClock
    folder: Path

    @property
    def url(self) -> str:
        """Of the pages, without the slash at the end."""
        hub = None if self.service.hub is None else self.service.hub.hub
        assert hub is not None
        assert hub.web is not None
        return hub.web.url.rstrip("/")


@contextlib.asynccontextmanager
async def stage(
    folder: Path,
    regulations: Sequence[str] = ("br-cbjd",),
    *,
    speed: float = 4.0,
    begins: bool = True,
    delay: float = 0.0,
    port: int = 0,
    starts: str = "at_once",
    more: str = "",
) -> AsyncIterator[Stage]:
    """One table a regulation, `t-1`, `t-2`, ...: its games begin at once, or with a command (`begins=False`).

    `more` is appended to the configuration.
    """
    lines = [
        'meeting = "open"',
        'gateway = "gw"',
        "[broker]",
        'kind = "embedded"',
        "port = 0",
        "[hub]",
        f"port = {port}",
        f"delay = {delay}",
    ]
    for number, regulation in enumerate(regulations, 1):
        lines += ["[[board]]", f'id = "t-{number}"', f'table = "{number}"', f'port = "{folder}/t-{number}.pty"']
        lines += [f'regulation = "{regulation}"', f'starts = "{starts}"']
    for name, password in PASSWORDS.items():
        secret = folder / f"{name}.password"
        await asyncio.to_thread(_keep_secret, secret, password)
        lines += ["[[user]]", f'name = "{name}"', f'role = "{ROLES[name]}"', f'password_file = "{secret}"']
    file = folder / "stage.toml"
    await asyncio.to_thread(file.write_text, "\n".join([*lines, more, ""]), "utf-8")
    config = read_config(file)
    clock = RunningClock(speed)
    async with contextlib.AsyncExitStack() as stack:
        tables = {}
        for uid, settings in enumerate(config.boards, 1):
            board = Board(settings.square_map, clock, uid=uid)
            position = initial(settings.regulation.variant)
            Player(board, clock, level("clean")).set_up(position)
            if settings.sensors:
                await stack.enter_async_context(BoardPty(board, clock, Path(str(settings.port))))
            tables[settings.header.board] = Table(settings, board, clock, position)
        service = await stack.enter_async_context(serving(config, begins=begins, speed=speed))
        yield Stage(service, tables, clock, folder)


def _keep_secret(path: Path, secret: str) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(secret)
