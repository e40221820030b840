"""Records as PDN files: written at each end, and again where the disk had no room."""

from __future__ import annotations

import asyncio
import logging
import threading
from types import TracebackType
from typing import Self

from damas_board.session.state import GameState
from damas_board.sinks.pdn import PdnFolder

log = logging.getLogger(__name__)

AGAIN_SECONDS = 5.0


class RecordWriter:
    """What boards hand their records over to, from any thread, for the time of an `async with` block."""

    def __init__(self, folder: PdnFolder) -> None:
        self._folder = folder
        self._left: dict[str, GameState] = {}
        """Records that could not be written, by game; the newest of each."""
        self._lock = threading.Lock()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._keep_trying(), name="records")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def __call__(self, state: GameState) -> None:
        """Write a record; where that is not possible, it is told and tried again: a full disk must not stop a board."""
        with self._lock:
            self._write(state)

    def _write(self, state: GameState) -> None:
        try:
            self._folder.write(state)
        except OSError as error:
            if state.game not in self._left:
                log.error("game %s is not written as PDN: %s", state.game, error)
            self._left[state.game] = state
            return
        if self._left.pop(state.game, None) is not None:
            log.warning("game %s is written as PDN after all", state.game)

    def _write_left(self) -> None:
        with self._lock:
            for state in list(self._left.values()):
                self._write(state)

    async def _keep_trying(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            if self._left:
                await asyncio.to_thread(self._write_left)
