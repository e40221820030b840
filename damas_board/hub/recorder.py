"""Puts what a reader hears into the archive, behind play: in batches, again after the database was gone, bounded.

What waits is kept in memory up to a bound. Beyond it the events of whole games are let go, and read again from the
gateways once the archive is back and has said how far it got.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.ending import ended
from damas_board.messages.envelope import Envelope
from damas_board.messages.stream import Since

log = logging.getLogger(__name__)

MOST = 20_000
"""Events that may wait."""
BATCH = 500
AGAIN_SECONDS = 1.0
GOODBYE_SECONDS = 3.0


class Recorder:
    """`async with Recorder(...)`; leaving the block archives what still waits, as far as the database takes it."""

    def __init__(
        self, archive: Archive, meeting: str, again: Callable[[str, Since | None], None], *, most: int = MOST
    ) -> None:
        """`again(game, since)` has a game's events come again from behind `since`."""
        self.known: dict[str, tuple[int, int]] = {}
        """How far each game was archived when this began."""
        self.trouble: str | None = None
        """Why the archive cannot be used at present."""
        self.archived = 0
        self._archive = archive
        self._meeting = meeting
        self._again = again
        self._most = most
        self._waiting: list[Envelope] = []
        self._rounds: dict[str, Mapping[str, Any]] = {}
        self._let_go: set[str] = set()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.known = await asyncio.to_thread(self._archive.known, self._meeting)
        self._task = asyncio.create_task(self._run(), name="archive")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.drained(), GOODBYE_SECONDS)
        await ended(self._task)

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return () if self._task is None else (self._task,)

    @property
    def waiting(self) -> int:
        """Events and rounds that are not in the archive yet; those of games that were let go are not counted."""
        return len(self._waiting) + len(self._rounds)

    @property
    def behind(self) -> tuple[str, ...]:
        """Games of which events were let go, to be read again."""
        return tuple(sorted(self._let_go))

    def take(self, game: str, envelopes: Sequence[Envelope]) -> None:
        """The next events of a game."""
        if game in self._let_go:
            return
        self._waiting += envelopes
        if len(self._waiting) > self._most:
            self._let_go |= {str(envelope.game) for envelope in self._waiting}
            self._waiting.clear()
            log.warning("the archive is too far behind: %d games are read again when it is back", len(self._let_go))
        self._more()

    def round(self, round_: str, payload: Mapping[str, Any]) -> None:
        """A round; an older payload of it that waits is forgotten."""
        self._rounds[round_] = payload
        self._more()

    async def drained(self) -> None:
        """Wait until everything that was heard is in the archive."""
        await self._idle.wait()

    def _more(self) -> None:
        self._idle.clear()
        self._wake.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._archive_all()
            except ArchiveError as error:
                if self.trouble is None:
                    log.error("the archive cannot be used, what is played waits: %s", error)
                self.trouble = str(error)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if self.trouble is not None:
                log.warning("the archive can be used again")
                self.trouble = None
            if self._idle_now():
                self._idle.set()
                await self._wake.wait()

    def _idle_now(self) -> bool:
        self._wake.clear()
        return not (self._waiting or self._rounds or self._let_go)

    async def _archive_all(self) -> None:
        for round_, payload in list(self._rounds.items()):
            await asyncio.to_thread(self._archive.take_round, self._meeting, round_, payload)
            if self._rounds.get(round_) is payload:
                del self._rounds[round_]
        while self._waiting:
            batch = self._waiting[:BATCH]
            await asyncio.to_thread(self._archive.take, self._meeting, batch)
            if self._waiting[: len(batch)] == batch:  # not let go meanwhile
                del self._waiting[: len(batch)]
            self.archived += len(batch)
        if self._let_go:
            known = await asyncio.to_thread(self._archive.known, self._meeting)
            games, self._let_go = self._let_go, set()
            for game in games:
                place = known.get(game)
                self._again(game, None if place is None else Since(*place))
