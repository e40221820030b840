"""Plays a game on the chatty board of the example, in real time, at a port that a configuration can name.

PYTHONPATH=.:tests .venv/bin/python tests/sources/example_play.py /tmp/chatty
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from sources.test_example_board import chatty_board

from simulator.clock import RunningClock
from simulator.games import shipped
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty


async def play(port: Path, speed: float = 1.0) -> None:
    clock = RunningClock(speed)
    board = chatty_board(clock)
    async with BoardPty(board, clock, port):
        await clock.sleep(20.0)  # time to start the program
        await Player(board, clock, level("club")).play(shipped("brazilian"))
        await clock.sleep(10.0)  # time to look at it


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1])))
