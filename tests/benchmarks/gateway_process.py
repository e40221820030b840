"""A process that is the gateway, as `damas-board run` runs it, and nothing else.

    python tests/benchmarks/gateway_process.py CONFIG SPEED [PROFILE]

Prints `ready` and its threads (system's id: name) as JSON once the boards play, and ends at the end of stdin. With
PROFILE, what the event loop's thread is doing is looked at a few hundred times a CPU second, and written there: a
sampler, because a tracing profiler makes the many small calls of an event loop dearer than they are.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

from damas_board.app.service import serving
from damas_board.config import read_config

SAMPLE_SECONDS = 0.002
LINES = 70


class Sampler:
    """Where the main thread was, by function: at the top of its stack, and anywhere in it."""

    def __init__(self) -> None:
        self.count = 0
        self.top: Counter[str] = Counter()
        self.within: Counter[str] = Counter()

    def start(self) -> None:
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)

    def write(self, path: Path) -> None:
        lines = [f"{self.count} samples"]
        for title, counted in (("at the top", self.top), ("anywhere", self.within)):
            lines += ["", f"%  {title}"]
            lines += [f"{100 * n / self.count:5.1f}  {name}" for name, n in counted.most_common(LINES)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _look(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        seen: set[str] = set()
        while frame is not None:
            code = frame.f_code
            name = f"{'/'.join(Path(code.co_filename).parts[-2:])}:{code.co_qualname}"
            if not seen:
                self.top[name] += 1
            seen.add(name)
            frame = frame.f_back
        self.within.update(seen)


async def run(path: Path, speed: float, sampler: Sampler | None) -> None:
    async with serving(read_config(path), speed=speed):
        names = {thread.native_id: thread.name for thread in threading.enumerate()}
        gc.collect()
        gc.freeze()
        print(json.dumps(["ready", names]), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        if sampler is not None:
            sampler.start()
        await asyncio.to_thread(sys.stdin.read)
        if sampler is not None:
            sampler.stop()


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    sampler = Sampler() if len(sys.argv) > 3 else None
    asyncio.run(run(Path(sys.argv[1]), float(sys.argv[2]), sampler))
    if sampler is not None:
        sampler.write(Path(sys.argv[3]))


if __name__ == "__main__":
    main()
