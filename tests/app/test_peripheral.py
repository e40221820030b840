"""A game on a peripheral that says moves only, through the gateway, which is stopped in the middle of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from app.tables import game, until

from damas_board.app.service import serving
from damas_board.config import read_config
from damas_board.notation.moves import write_move
from simulator.clock import RunningClock
from simulator.peripheral import GET_STATE, PeripheralBoard
from simulator.pty import BoardPty

CONFIG = """
meeting = "autumn"

[[board]]
id = "table-1"
regulation = "br-cbjd"
port = "{port}"

[board.adapter]
speaks = "peripheral"
baud = 9600

[broker]
kind = "embedded"
port = 0
"""
BETWEEN = 2.0
"""From one move to the next, seconds of the board's time."""


@pytest.mark.slow
@pytest.mark.parametrize("deaf", [False, True], ids=["has sensors", "believes what it is told"])
async def test_a_game_that_is_said_move_by_move_outlasts_the_gateway(tmp_path: Path, deaf: bool) -> None:
    clock = RunningClock(20.0)
    played = game(seed=4, plies=14)
    variant = played.start.variant
    features = frozenset({"undo", "resign"})
    assert GET_STATE not in features
    board = PeripheralBoard(variant, clock, features=features, tells="colour", ending="\r\n", baud=9600, deaf=deaf)
    board.stand(played.start)
    texts = tuple(write_move(position, move) for position, move in zip(played.positions(), played.moves, strict=False))
    async with asyncio.timeout(100), BoardPty(board, clock) as pty:
        path = tmp_path / "club.toml"
        path.write_text(CONFIG.format(port=pty.path), encoding="utf-8")
        half = len(played.moves) // 2
        for moves in (played.moves[:half], played.moves[half:]):
            async with serving(read_config(path), speed=clock.speed) as service:
                table = service.gateway.boards["table-1"]
                await until(lambda: board.position is not None)
                await clock.sleep(BETWEEN)
                for move in moves:
                    board.play(move)
                    await clock.sleep(BETWEEN)
                done = half if moves[0] is played.moves[0] else len(texts)
                await until(lambda table=table, done=done: table.state.moves == texts[:done])
                assert [alert for alert in table.state.alerts if alert.kind != "board_lost"] == []
