"""Tasks that have no end of their own are ended here."""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN_SECONDS = 1.0


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended; what one of them found wrong is not raised.

    A wait with a timeout (`asyncio.wait_for`, before Python 3.12) that has just got what it waited for loses a
    cancellation that comes then. So it is said again to whoever has not ended after a while.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)
