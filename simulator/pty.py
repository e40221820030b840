"""A simulated board behind a real pseudo-terminal, so that a host opens it as any serial port.

Three things that cost time: the slave end stays open here too, else the master end hangs up whenever no host is there;
the slave is raw, else the terminal changes bytes; a pseudo-terminal has no DTR, so a board that restarts when its port
is opened must be played with `Board.reset`. The host's path is a symbolic link of this board's own, which is there
only while the board is plugged in: the terminal behind it is another one each time.
"""

from __future__ import annotations

import asyncio
import os
import tty
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from simulator.board import Board
from simulator.clock import RunningClock

_PIECE = 4096


class BoardPty:
    """`async with BoardPty(board, clock) as pty:` the board answers at `pty.path` until the end."""

    def __init__(self, board: Board, clock: RunningClock, link: Path | None = None) -> None:
        """`link`: where the port is to appear; by default in a directory of its own that is removed at the end."""
        self._board = board
        self._clock = clock
        self._directory = None if link else TemporaryDirectory(prefix="damas-board-")
        self._link = link or Path(self._directory.name if self._directory else "") / "board"
        self._ends: tuple[int, int] | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def path(self) -> str:
        """The port as a host opens it."""
        return str(self._link)

    async def __aenter__(self) -> BoardPty:
        self._board.attach(self._changed.set)
        self._carry()
        self._task = asyncio.create_task(self._run(), name=f"board at {self._link}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._close()
        if self._directory is not None:
            self._directory.cleanup()

    async def _run(self) -> None:
        while True:
            self._board.advance()
            self._carry()
            self._changed.clear()
            waits = max(self._clock.real_seconds(self._board.deadline - self._clock.now()), 0.0)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), None if waits == float("inf") else waits)

    def _carry(self) -> None:
        if self._board.plugged and self._ends is None:
            self._open()
        if not self._board.plugged:
            self._close()
        data = self._board.data_to_send()
        if data and self._ends is not None:
            # A full terminal means that no host reads: a real board's bytes would be lost as well.
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def _open(self) -> None:
        master, slave = os.openpty()
        self._ends = master, slave
        tty.setraw(slave)
        os.set_blocking(master, False)
        asyncio.get_running_loop().add_reader(master, self._from_host, master)
        self._link.symlink_to(os.ttyname(slave))

    def _close(self) -> None:
        if self._ends is None:
            return
        self._link.unlink(missing_ok=True)
        master, slave = self._ends
        self._ends = None
        asyncio.get_running_loop().remove_reader(master)
        os.close(slave)
        os.close(master)

    def _from_host(self, master: int) -> None:
        with suppress(BlockingIOError):
            self._board.receive(os.read(master, _PIECE))
