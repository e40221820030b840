"""The feeding of a board's Session: inputs are journalled, then fed when they are durable; ticks when they are due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

from damas_board.app.display import Display
from damas_board.app.latest import Latest
from damas_board.app.play import BOARD_LOG, Play
from damas_board.app.resumption import Resumption
from damas_board.app.telling import Objection, Telling
from damas_board.session.inputs import Button, Command, Input, Lever, Link, See, Tick
from damas_board.sinks.journal import Journal

log = logging.getLogger(BOARD_LOG)

FEED_SECONDS = 0.005
"""After so long of feeding one board the others have a turn."""


class Feeding:
    """`take` inputs as they come; where the Session raises, it is made again from the journal."""

    def __init__(
        self,
        play: Play,
        latest: Latest,
        telling: Telling,
        display: Display,
        resumption: Resumption,
        journal: Journal,
    ) -> None:
        self.inputs = 0
        """Taken in this run."""
        self._play = play
        self._latest = latest
        self._telling = telling
        self._display = display
        self._resumption = resumption
        self._journal = journal

    async def take(self, items: Sequence[Input]) -> None:
        """Journal inputs, then feed them."""
        if self._play.session is None:
            items = [item for item in items if not self._refused(item)]
        if not items:
            return
        ordered = [placed for item in items for placed in self._placed(item)]
        numbers, durable = self._journal.append(self._play.board, self._play.game, ordered)
        await self.feed_durable(ordered, numbers, durable)

    async def feed_durable(self, items: Sequence[Input], numbers: Sequence[int], durable: Future[None]) -> None:
        """Feed journalled inputs; so that no board holds up the others, with a pause now and then."""
        await asyncio.wrap_future(durable)
        self.inputs += len(items)
        time = asyncio.get_running_loop().time
        since = time()
        for number, item in zip(numbers, items, strict=True):
            if not await self._feed(number, item):
                break  # the rest of it was fed from the journal, or is only journalled
            if time() - since > FEED_SECONDS:
                await asyncio.sleep(0)
                since = time()
        await self._telling.durable()

    async def tick(self) -> bool:
        """Feed the tick that is due; False where the Session goes on wanting the same one."""
        session = self._play.session
        assert session is not None
        deadline = session.deadline
        if deadline is None:
            return True
        item = Tick(max(deadline, self._latest.at))
        try:
            events = session.feed(item)
        except Exception:
            log.exception("board %s: the session raised at the tick of %g", self._play.board, item.at)
            numbers, _ = self._journal.append(self._play.board, self._play.game, [item])
            await self._resumption.rebuild(numbers[0])
            return True
        self._latest.note(item)
        if events:
            self._telling.store(events, tick=item)
        again = session.deadline
        return again is None or again > item.at

    def _refused(self, item: Input) -> bool:
        """Refuse a command, while there is no Session to feed; it is no input of the game, where that goes on later."""
        if not isinstance(item, Command):
            return False
        self._telling.decline(item, Objection("board_failed" if self._play.failed else "no_game"))
        return True

    def _placed(self, item: Input) -> list[Input]:
        """The input at a time that does not go back; a link that was lost is back with the first thing that is seen.

        What came late is placed where it happened, as far as nothing later has been fed: so a board that tells what was
        played while nobody listened is followed as if somebody had, and its clock goes right.
        """
        item = self._at_its_time(item)
        items = [item]
        if isinstance(item, See) and self._latest.links.get(item.by) == "lost":
            items.insert(0, Link(item.at, "back", by=item.by))
        for placed in items:
            self._latest.report(placed)
            self._latest.note(placed)
            self._display.show_input(placed)
        return items

    def _at_its_time(self, item: Input) -> Input:
        latest = self._latest
        match item:
            case Link(state=state, whole=whole, by=by) if whole or (state == "lost" == latest.links.get(by)):
                return replace(item, at=latest.at)  # it takes no time in which anything could be missed
            case See(was=was) | Lever(was=was) | Button(was=was) if was is not None:
                was = round(was, 3)
                at = max(was, latest.at)
                return replace(item, at=at, was=was if was < at else None)
            case _:
                return replace(item, at=max(item.at, latest.at))

    async def _feed(self, number: int, item: Input) -> bool:
        """False where there is no Session, or it had to be made again, which feeds everything that is journalled."""
        if self._play.session is None:
            return False
        try:
            events = self._play.session.feed(item)
        except Exception:
            log.exception("board %s: the session raised at input %d", self._play.board, number)
            await self._resumption.rebuild(number)
            return False
        self._telling.store(events, number=number)
        return True
