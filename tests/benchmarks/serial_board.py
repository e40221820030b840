"""From a piece lifted on the simulated board to the See in asyncio, over a real pty; run it as a script.

Prints median, 95th percentile and maximum in milliseconds, and the CPU seconds that an idle board takes in a second.
"""

from __future__ import annotations

import asyncio
import statistics
import time

from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import See
from damas_board.sources.serial_board import SerialBoard
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

CHANGES = 500
IDLE_SECONDS = 5


async def measure() -> None:
    squares = SquareMap(10, "left")
    clock = RunningClock()
    board = Board(squares, clock)
    async with BoardPty(board, clock) as pty, SerialBoard(pty.path, squares, clock.now) as source:
        await anext(source)
        delays = []
        for change in range(CHANGES):
            begun = time.perf_counter()
            board.place(1) if change % 2 == 0 else board.lift(1)
            seen = await anext(source)
            assert isinstance(seen, See)
            delays.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(0.002)
        used = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        idle = (time.process_time() - used) / IDLE_SECONDS
    delays.sort()
    print(
        f"{CHANGES} changes: median {statistics.median(delays):.2f} ms, p95 {delays[int(CHANGES * 0.95)]:.2f}", end=""
    )
    print(f", max {delays[-1]:.2f}; idle board and source: {100 * idle:.1f} % of a core")


if __name__ == "__main__":
    asyncio.run(measure())
