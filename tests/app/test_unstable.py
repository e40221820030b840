"""What the gateway says of sensors that are not still: squares by their names in the game, buttons by theirs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.tables import HEADER, Hands, until
from sources.simulated import MAP, START

from damas_board.app import Gateway
from damas_board.app.service import board_setups
from damas_board.config import read_config
from damas_board.session.inputs import Link, See
from damas_board.sinks.journal import Journal
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

ROWS = MAP.rows(START, 2)
C3 = "/".join([*ROWS.split("/")[:5], "o.?.o.o.", *ROWS.split("/")[6:]])


class Relay:
    """Keeps the health that was shown last."""

    def __init__(self) -> None:
        self.health: Mapping[str, Any] = {}

    def show_health(self, board: str, health: Mapping[str, Any], at: float) -> None:
        self.health = health

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **more: None


async def test_unstable_squares_are_in_the_health_and_among_the_suspects_by_name(tmp_path: Path) -> None:
    hands, relay = Hands(), Relay()
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(30), Gateway(journal, [hands.setup()]) as gateway:
            board, source = gateway.boards[HEADER.board], hands[HEADER.board]
            board._display._relay = relay  # type: ignore[assignment]
            await until(lambda: board.figures.suspects == 0)
            source.given.put_nowait(See(source.now(), ROWS))
            source.given.put_nowait(See(source.now(), C3, unstable=True))
            await until(lambda: board.figures.suspects == 1)
            board.show_health({})
            assert (relay.health["unstable"], relay.health["suspects"]) == (["c3"], ["c3"])
            source.given.put_nowait(See(source.now(), ROWS))
            await until(lambda: not board._display.unstable)
            source.given.put_nowait(See(source.now(), C3, unstable=True))
            await until(lambda: bool(board._display.unstable))
            source.given.put_nowait(Link(source.now(), "lost", "port_lost"))
            await until(lambda: not board._display.unstable)


async def test_a_square_that_a_hand_hides_is_no_suspect(tmp_path: Path) -> None:
    hands = Hands()
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(30), Gateway(journal, [hands.setup()]) as gateway:
            board, source = gateway.boards[HEADER.board], hands[HEADER.board]
            source.given.put_nowait(See(source.now(), ROWS))
            source.given.put_nowait(See(source.now(), C3))
            await until(lambda: board.figures.inputs >= 2)
            await board.drained()
            assert board.figures.suspects == 0


async def test_unstable_buttons_are_in_the_health_by_name(tmp_path: Path) -> None:
    clock = RunningClock()
    board = Board(MAP, clock)
    board.set_up(START)
    async with asyncio.timeout(30), BoardPty(board, clock) as pty:
        path = tmp_path / "c.toml"
        path.write_text(f'meeting = "m"\n[[board]]\nid = "t"\nregulation = "br-cbjd"\nport = "{pty.path}"\n')
        ((_, setup),) = board_setups(read_config(path))
        assert setup.source is not None
        board.make_restless([22], ["clock-b"])
        async with setup.source(clock.now):
            await until(lambda: setup.health().get("unstable_buttons") == ["clock_b"])
        assert json.loads(json.dumps(setup.health()))["scans"] == 1000
