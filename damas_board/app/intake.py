"""A board's source: opened, read out, and opened again with growing waits, whatever is wrong with it.

Two kinds of trouble are kept apart. A *device* that is not there (BoardError) is tried again soon and for ever, told
once for each reason. A source that *breaks* is this program's own fault: the waits grow until it has held for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from damas_board.session.inputs import Input, Link, See
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import SOON, Backoff
from damas_board.sources.source import Resumable, Source, known_after, rows_before

log = logging.getLogger(__name__)

OPEN_SECONDS = 20.0
"""A source that is not open by then has failed to open."""
RECALL_SECONDS = 40.0
"""What a device remembers has come so long after it was opened, or is not waited for."""
BREAK_FIRST, BREAK_FACTOR, BREAK_LONGEST = 0.5, 2.0, 60.0
"""The waits before a source that broke is opened again, seconds."""
STEADY_SECONDS = 60.0
"""A source that held so long is trusted again: the next wait is the first one."""
SOURCE_BROKE = "source_broke"
"""Why the link is lost through this program's own fault."""


class Intake:
    """`run` brings into `give` what the source of a board gives, until it ends; `close` closes it."""

    def __init__(
        self,
        board: str,
        make: Callable[[Callable[[], float]], Source],
        now: Callable[[], float],
        give: Callable[[Input], Awaitable[None]],
        changed: Callable[[Intake], None],
        by: str | None = None,
    ) -> None:
        """`changed` is called when the source has been opened, and when it is missing for another reason.

        `by`: what its inputs say there.
        """
        self.tried = asyncio.Event()
        """The first try to open it is over."""
        self.ended = asyncio.Event()
        self.missing: BoardError | None = None
        """Why there is no device, since `open` was tried last."""
        self.breaks = 0
        """How often it broke, or could not be opened through this program's own fault."""
        self.known: See | None = None
        """The last reading, and event, that came of the board: a source that can goes on from there."""
        self.before: tuple[str, ...] = ()
        """The rows that came of it before."""
        self._board = board
        self._make = make
        self._now = now
        self._give = give
        self._changed = changed
        self._by = by
        self._source: Source | None = None
        self._heard = False
        """Something has come of it."""
        self._opened_at = 0.0
        self._away = False
        """The link has been told as lost since the source was last open."""

    @property
    def reason(self) -> str | None:
        """The code of why there is no device."""
        return None if self.missing is None else self.missing.key

    @property
    def recalling(self) -> bool:
        """Whether it may still tell what happened before it was opened for the first time."""
        if self._heard:
            return False
        if not self.tried.is_set():
            return True
        waited = asyncio.get_running_loop().time() - self._opened_at
        return isinstance(self._source, Resumable) and waited < RECALL_SECONDS

    async def run(self) -> None:
        """Returns when the source has ended by itself."""
        loop = asyncio.get_running_loop()
        missing, broken = Backoff(), Backoff(BREAK_FIRST, BREAK_FACTOR, BREAK_LONGEST)
        ended = False
        while not ended:
            began = loop.time()
            if await self._open():
                self.tried.set()
                missing.reset()
                ended = await self._read_out()
            elif self.missing is not None:
                await self._tell_away(self.missing.key)
                self.tried.set()
                await asyncio.sleep(missing.next(local=self.missing.key in SOON))
                continue
            self.tried.set()
            if not ended:
                if loop.time() - began >= STEADY_SECONDS:
                    broken.reset()
                await asyncio.sleep(broken.next())
        self.ended.set()

    async def close(self) -> None:
        """Close the source, if it is open."""
        source, self._source = self._source, None
        if source is not None:
            await source.__aexit__(None, None, None)

    async def _open(self) -> bool:
        try:
            source = self._make(self._now)
            if self.known is not None and isinstance(source, Resumable):
                source.go_on_from(self.known, self.before)
            async with asyncio.timeout(OPEN_SECONDS):
                await source.__aenter__()
        except BoardError as error:
            self._is_missing(error)
            return False
        except Exception:
            log.exception("board %s: its source cannot be opened; it is tried again", self._board)
            await self._broke()
            return False
        self._source, self.missing, self._away = source, None, False
        self._opened_at = asyncio.get_running_loop().time()
        self._changed(self)
        return True

    def _is_missing(self, error: BoardError) -> None:
        news = str(error) != str(self.missing)
        level = logging.ERROR if self.missing is None else logging.WARNING
        self.missing = error
        log.log(level if news else logging.INFO, "board %s: %s; it is waited for", self._board, error)
        if news:
            self._changed(self)

    async def _read_out(self) -> bool:
        """False where the source broke and is to be opened again."""
        assert self._source is not None
        try:
            async for item in self._source:
                self._heard = True
                known = known_after(self.known, item)
                self.before, self.known = rows_before(self.before, self.known, known), known
                await self._give(item)
        except Exception:
            log.exception("board %s: its source broke; it is opened again", self._board)
            await self._broke()
            return False
        return True

    async def _broke(self) -> None:
        self.missing = None
        self.breaks += 1
        await self._tell_away(SOURCE_BROKE)
        try:
            await self.close()
        except Exception:
            log.exception("board %s: its source cannot even be closed", self._board)

    async def _tell_away(self, reason: str) -> None:
        if not self._away:
            self._away = True
            await self._give(Link(self._now(), "lost", reason, by=self._by))
