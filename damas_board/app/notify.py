"""Tells systemd that the service is ready and alive: datagrams to the socket that it names (sd_notify(3))."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Mapping

_MICROSECONDS = 1e6


class Notifier:
    """The service manager's ear; without one (`NOTIFY_SOCKET` is not set) nothing is sent."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._place = environ.get("NOTIFY_SOCKET", "")
        meant = environ.get("WATCHDOG_PID")
        ours = meant is None or meant == str(os.getpid())
        self.period = int(environ.get("WATCHDOG_USEC", "0")) / _MICROSECONDS / 2 if ours and self._place else 0.0
        """Seconds between two signs of life, half of what systemd waits for; 0: none are wanted."""

    def tell(self, *lines: str) -> None:
        """Send `READY=1`, `STATUS=...` and the like. OSError where the manager has gone."""
        if not self._place:
            return
        # An "@" stands for the zero byte of a socket that has no file.
        address = "\0" + self._place[1:] if self._place.startswith("@") else self._place
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            ear.sendto("\n".join(lines).encode(), address)


@contextlib.asynccontextmanager
async def announced(status: str, notifier: Notifier | None = None) -> AsyncIterator[None]:
    """Ready for the time of the block, with `status` as what `systemctl status` shows; then stopping.

    The signs of life come from the event loop: a loop that hangs is a service that hangs, and is started again.
    """
    manager = notifier or Notifier()
    manager.tell("READY=1", f"STATUS={status}")
    beating = asyncio.create_task(_beat(manager)) if manager.period else None
    try:
        yield
    finally:
        if beating is not None:
            beating.cancel()
        manager.tell("STOPPING=1")


async def _beat(manager: Notifier) -> None:
    while True:
        manager.tell("WATCHDOG=1")
        await asyncio.sleep(manager.period)
