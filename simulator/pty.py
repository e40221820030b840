"""A simulated board behind a real pseudo-terminal, so that a host opens it as any serial port.

Three things that cost time: the slave end stays open here too, else the master end hangs up whenever no host is there;
the slave is raw, else the terminal changes bytes; a pseudo-terminal has no DTR, so a board that restarts when its port
is opened must be played with `Board.reset`. The host's path is a symbolic link of this board's own, which is there
only while the board is plugged in: the terminal behind it is another one each time.
"""

from __future__ import annotations

import asyncio
import os
import stat
import tty
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from simulator.carrier import PIECE, Carried, Carrier
from simulator.clock import RunningClock

TEXTS: Mapping[str, str] = {
    "link_taken": "{port}: is there already and not a port that a simulated board left behind; remove it, or name "
    "another",
    "link_refused": "{port}: cannot be made there ({reason}); name another place",
}
"""The English line of each key of LinkError."""


class LinkError(ValueError):
    """The port cannot appear where it is to; `key` is one of TEXTS, `facts` fill its text."""

    def __init__(self, key: str, **facts: str) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str] = facts


def left_behind(link: Path) -> bool:
    """Whether `link` is a symbolic link to a terminal that is gone, which a killed program could not remove."""
    if not link.is_symlink():
        return False
    try:
        terminal = link.stat()
    except FileNotFoundError:
        return True
    # The system gives numbers of terminals again: one that is younger than the link is not the one it was made for.
    return stat.S_ISCHR(terminal.st_mode) and terminal.st_ctime_ns > link.lstat().st_mtime_ns


class BoardPty(Carrier):
    """`async with BoardPty(board, clock) as pty:` the board answers at `pty.path` until the end."""

    def __init__(self, board: Carried, clock: RunningClock, link: Path | None = None) -> None:
        """`link`: where the port is to appear; by default in a directory of its own that is removed at the end.

        Entering raises LinkError where that is not possible. What a killed board left there is replaced.
        """
        super().__init__(board, clock)
        self._directory: TemporaryDirectory[str] | None = None
        self._link = link
        self._ends: tuple[int, int] | None = None

    @property
    def path(self) -> str:
        return str(self._place)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            if self._directory is not None:
                self._directory.cleanup()

    @property
    def _place(self) -> Path:
        if self._link is None:
            self._directory = TemporaryDirectory(prefix="damas-board-")
            self._link = Path(self._directory.name) / "board"
        return self._link

    def _open(self) -> None:
        if self._ends is not None:
            return
        master, slave = os.openpty()
        self._ends = master, slave
        tty.setraw(slave)
        os.set_blocking(master, False)
        asyncio.get_running_loop().add_reader(master, self._from_host, master)
        try:
            self._appear(os.ttyname(slave))
        except LinkError:
            self._close_ends()
            raise

    def _close(self) -> None:
        if self._ends is None:
            return
        self._place.unlink(missing_ok=True)
        self._close_ends()

    def _appear(self, terminal: str) -> None:
        link = self._place
        try:
            if left_behind(link):
                link.unlink()
            link.symlink_to(terminal)
        except FileExistsError as error:
            raise LinkError("link_taken", port=str(link)) from error
        except OSError as error:
            raise LinkError("link_refused", port=str(link), reason=error.strerror or str(error)) from error

    def _close_ends(self) -> None:
        if self._ends is None:
            return
        master, slave = self._ends
        self._ends = None
        asyncio.get_running_loop().remove_reader(master)
        os.close(slave)
        os.close(master)

    def _send(self, data: bytes) -> None:
        if self._ends is not None:
            os.write(self._ends[0], data)

    def _from_host(self, master: int) -> None:
        with suppress(BlockingIOError):
            self._board.receive(os.read(master, PIECE))
