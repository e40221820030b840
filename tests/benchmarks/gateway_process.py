"""A process that is the gateway, as `damas-board run` runs it, and nothing else.

    python tests/benchmarks/gateway_process.py CONFIG SPEED [PROFILE]

Prints `ready` and its threads (system's id: name) as JSON once the boards play, and ends at the end of stdin. With
PROFILE, what the event loop's thread spent its time on goes there.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import logging
import pstats
import sys
import threading
from pathlib import Path

from damas_board.app.service import serving
from damas_board.config import read_config


async def run(path: Path, speed: float, profile: cProfile.Profile | None) -> None:
    async with serving(read_config(path), speed=speed):
        names = {thread.native_id: thread.name for thread in threading.enumerate()}
        print(json.dumps(["ready", names]), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        if profile is not None:
            profile.enable()
        await asyncio.to_thread(sys.stdin.read)
        if profile is not None:
            profile.disable()


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    profile = cProfile.Profile() if len(sys.argv) > 3 else None
    asyncio.run(run(Path(sys.argv[1]), float(sys.argv[2]), profile))
    if profile is not None:
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            stats = pstats.Stats(profile, stream=file)
            for order in ("tottime", "cumtime"):
                stats.sort_stats(order).print_stats(60)


if __name__ == "__main__":
    main()
