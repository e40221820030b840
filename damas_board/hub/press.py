"""The pages of what is public, made by a task of its own: always of the newest that there is, one whole after another.

Whoever publishes gives what is public (`give`) and goes on; what is told only when the pages have it waits for that
(`made`). Making them takes the processor from everything else, so it rests between two, `REST` times as long as the
last ones took, unless somebody waits. So a page is older than what the broker was told by little more than that, and
newer only where somebody waits. A feed's places are kept before it is served.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from damas_board.hub.feed_watch import FeedWatch
from damas_board.hub.files import write_whole
from damas_board.hub.pages import FeedChange, Pages, View, file_of
from damas_board.hub.push import Push
from damas_board.messages.envelope import rfc3339

log = logging.getLogger(__name__)

REST = 3.0
LONGEST_REST_SECONDS = 1.0


class Press:
    """`begin` starts its work, `end` lets it finish what was given."""

    def __init__(
        self,
        pages: Pages,
        keep: Callable[[FeedChange], Awaitable[None]],
        folder: Path | None = None,
        pushes: Sequence[Push] = (),
    ) -> None:
        """`keep`: stores what of a feed is to be the same after a new start. `folder`: where the pages are written to
        as files, too.
        """
        self._pages = pages
        self._keep = keep
        self._folder = folder
        self._pushes = pushes
        self._watch = FeedWatch()
        self._view: View | None = None
        self._given = self._made = 0
        """How many views were given, and the newest of which the pages are served."""
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._served: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when pages are served the next time."""
        self._ending = False
        self._unwritten: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends by itself only when something is wrong with it."""
        return () if self._task is None else (self._task,)

    def begin(self) -> None:
        self._task = asyncio.create_task(self._work(), name="pages")

    async def end(self) -> None:
        """What it found wrong is raised here."""
        self._ending = True
        self._wake.set()
        self._hurry.set()
        if self._task is not None:
            await self._task

    def give(self, view: View) -> None:
        """What is public now. All of it is stored."""
        self._view = view
        self._given += 1
        self._wake.set()

    async def made(self) -> None:
        """Wait until the pages of all that was given are served; what is wrong with its work is raised here."""
        wanted = self._given
        while self._made < wanted:
            assert self._task is not None
            self._hurry.set()
            await asyncio.wait([self._served, self._task], return_when=asyncio.FIRST_COMPLETED)
            if self._task.done():
                return self._task.result()

    def troubles(self, now: float) -> list[dict[str, Any]]:
        """What the operator has to know of the feeds; `now` by the loop's time."""
        return self._watch.troubles(now)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while not (self._ending and self._made == self._given):
            await self._wake.wait()
            self._wake.clear()
            if self._view is not None and self._made < self._given:
                self._hurry.clear()
                began = loop.time()
                await self._make(self._view, self._given)
                rest = 0.0 if self._ending else min(REST * (loop.time() - began), LONGEST_REST_SECONDS)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), rest)

    async def _make(self, view: View, number: int) -> None:
        changed, feeds = await asyncio.to_thread(self._pages.update, view)
        for change in feeds:
            await self._keep(change)
        self._pages.serve()
        self._made = number
        served, self._served = self._served, asyncio.get_running_loop().create_future()
        served.set_result(None)
        now = asyncio.get_running_loop().time()
        self._watch.take(self._pages.troubles, self._pages.paces, now, rfc3339(datetime.now(UTC)))
        for push in self._pushes:
            push.changed(changed)
        self._unwritten |= set(changed)
        if self._folder is not None and self._unwritten:
            try:
                await asyncio.to_thread(self._write, self._folder, sorted(self._unwritten))
                self._unwritten.clear()
            except OSError as error:
                log.error("the pages cannot be written to %s: %s", self._folder, error)

    def _write(self, folder: Path, paths: Sequence[str]) -> None:
        for path in paths:
            name = file_of(path)
            if name is not None:
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                write_whole(place, self._pages.pages[path].body)
