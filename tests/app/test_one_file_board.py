"""A board in a file of one's own, named by a configuration, is played on: the example of docs/add-a-board.md."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from app.tables import game, until
from sources import example_board, example_play
from sources.test_example_board import chatty_board

from damas_board.app.service import serving
from damas_board.config import read_config
from damas_board.notation.moves import write_move
from simulator.clock import RunningClock
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

CONFIG = """
meeting = "autumn"

[[board]]
id = "table-1"
regulation = "br-cbjd"
port = "{port}"
corner = "white-right"

[board.adapter]
speaks = "chatty/example_board.py"
ask_seconds = 0.5

[broker]
kind = "embedded"
port = 0
"""


async def test_a_game_on_a_board_in_one_file_comes_out_as_played(tmp_path: Path) -> None:
    (tmp_path / "chatty").mkdir()
    shutil.copy(example_board.__file__, tmp_path / "chatty" / "example_board.py")
    clock = RunningClock(30.0)
    board = chatty_board(clock)
    played = game(seed=4, plies=14)
    async with asyncio.timeout(100), BoardPty(board, clock) as pty:
        path = tmp_path / "club.toml"
        path.write_text(CONFIG.format(port=pty.path), encoding="utf-8")
        async with serving(read_config(path), speed=clock.speed) as service:
            table = service.gateway.boards["table-1"]
            await Player(board, clock, level("clean"), seed=4).play(played)
            await until(lambda: len(table.state.moves) == len(played.moves))
            positions = zip(played.positions(), played.moves, strict=False)
            assert table.state.moves == tuple(write_move(position, move) for position, move in positions)
            assert table.state.alerts == ()


async def test_the_script_that_plays_by_hand_has_the_board_at_its_port_until_the_game_is_over(tmp_path: Path) -> None:
    port = tmp_path / "chatty"
    playing = asyncio.create_task(example_play.play(port, speed=200.0))
    await until(port.exists)
    async with asyncio.timeout(100):
        await playing
    assert not port.exists()
