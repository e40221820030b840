"""The move of a game to another board, from hand to hand (`move_to`).

The one board's task gives the Session away in the other's inbox, which takes it or says why not; from the moment in
which it is journalled there, the game is the other board's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from damas_board.app.arrival import Arrival
from damas_board.app.clock import Clock
from damas_board.app.display import Display
from damas_board.app.feeding import Feeding
from damas_board.app.inbox import Inbox
from damas_board.app.latest import Latest
from damas_board.app.play import BOARD_LOG, Play
from damas_board.app.regulation import misfit
from damas_board.app.telling import Objection, Telling
from damas_board.session.events import BoardChanged
from damas_board.session.header import OF_THE_BOARD
from damas_board.session.inputs import Command, Input, Link
from damas_board.sinks.journal import Journal

log = logging.getLogger(BOARD_LOG)

HANDOVER_SECONDS = 5.0
"""How long a game that is to go on at another board waits for that board's task."""


class Spare(Protocol):
    """Another board of the gateway, as the one sees it that gives its game away."""

    name: str

    def expect(self, arrival: Arrival) -> None: ...


class Transfer:
    """Of one board: games that leave it (`move_to`), and games that come (`expect`, then `arrive` in its task)."""

    def __init__(
        self,
        play: Play,
        latest: Latest,
        telling: Telling,
        display: Display,
        feeding: Feeding,
        inbox: Inbox,
        journal: Journal,
        clock: Clock,
        find: Callable[[str], Spare | None],
    ) -> None:
        self._play = play
        self._latest = latest
        self._telling = telling
        self._display = display
        self._feeding = feeding
        self._inbox = inbox
        self._journal = journal
        self._clock = clock
        self._find = find
        self._giving = False
        """Whether a game is being given to another board."""

    async def move_to(self, command: Command) -> None:
        """The game goes on at another board, which takes it or says why not."""
        name, play, latest = command.arguments.get("board"), self._play, self._latest
        spare = self._find(name) if isinstance(name, str) else None
        why = self._cannot_leave(name, spare)
        if why is None and spare is not None and play.game is not None and play.session is not None:
            linked = frozenset(by for by in latest.sources if latest.watched and latest.links.get(by) != "lost")
            arrival = Arrival(command, play.game, play.header, play.session, play.board, linked, latest.at)
            why = await self._given_to(spare, arrival)
        if why is None:
            self._free()
        else:
            self._telling.decline(command, why)

    def expect(self, arrival: Arrival) -> None:
        """Let a game come here from another board; `arrival` is answered when that is done, or refused."""
        if self._giving:  # it cannot look into its inbox before that is done
            arrival.refused = _busy(self._play.board)
            arrival.answered.set()
        else:
            self._inbox.put(arrival)

    async def arrive(self, arrival: Arrival) -> None:
        """Take a game over, unless something is against it: from the moment of journalling it is this board's."""
        if arrival.withdrawn:
            return
        arrival.refused = Objection("board_failed", f"board {self._play.board} could not take the game")
        try:
            why = self._cannot_take(arrival)
            if why is not None:
                arrival.refused = why
                return
            items = self._first_inputs(arrival)
            numbers, durable = self._journal.append(self._play.board, arrival.game, items)
            self._play.begin(arrival.game, arrival.header, arrival.session)
            arrival.refused = None  # from here on the journal says that it is ours
            for item in items:
                self._latest.note(item)
        finally:
            arrival.answered.set()
        log.warning("board %s: game %s goes on here, it was on %s", self._play.board, arrival.game, arrival.was)
        await self._feeding.feed_durable(items, numbers, durable)
        await self._display.show(always=True)

    def _first_inputs(self, arrival: Arrival) -> list[Input]:
        """The command, and what the game is to know of the board that it comes to."""
        latest = self._latest
        at = max(self._clock.now(), latest.at, arrival.last_at)
        own = self._play.own
        arguments = {**arrival.command.arguments, "turn": own.turn}
        arguments |= {} if own.wiring is None else {"wiring": own.wiring}
        arguments |= {key: getattr(own.settings, key) for key in OF_THE_BOARD}
        items: list[Input] = [replace(arrival.command, at=at, arguments=arguments)]
        if latest.watched:
            here = {by for by, link in latest.links.items() if link == "back"}
            items += [Link(at, "back", by=by) for by in latest.sources if by in here - arrival.linked]
            items += [Link(at, "lost", latest.reason(by), by=by) for by in arrival.linked - here]
        elif not arrival.linked:
            items.append(Link(at, "back"))
        return [*items, *latest.seen_at(at)]

    async def _given_to(self, spare: Spare, arrival: Arrival) -> Objection | None:
        self._giving = True
        spare.expect(arrival)
        try:
            async with asyncio.timeout(HANDOVER_SECONDS):
                await arrival.answered.wait()
        except TimeoutError:
            if not arrival.answered.is_set():  # else it was, at the last moment
                arrival.withdrawn = True
                return _busy(spare.name)
        finally:
            self._giving = False
        return arrival.refused

    def _cannot_leave(self, name: object, spare: Spare | None) -> Objection | None:
        if not isinstance(name, str) or not name:
            return Objection("needs_board")
        if spare is None:
            return Objection("no_such_board", f"this gateway has no board {name}")
        if spare.name == self._play.board:
            return Objection("same_board", f"the game is on {name}")
        if self._play.failed:
            return Objection("board_failed")
        state = self._play.state
        if state is None:
            return Objection("no_game")
        return Objection("game_is_over") if state.over is not None else None

    def _cannot_take(self, arrival: Arrival) -> Objection | None:
        board = self._play.board
        if self._play.failed:
            return Objection("board_failed", f"board {board} stands still after a fault")
        state = self._play.state
        if state is not None and state.over is None and (state.moves or state.players):
            return Objection("board_in_play", f"{state.game} is on {board}; enter its result first")
        unfit = misfit(arrival.header, self._play.own)
        return None if unfit is None else Objection("board_does_not_fit", unfit)

    def _free(self) -> None:
        """The game that was here goes on at another board."""
        self._play.leave()
        ready = BoardChanged(max(self._clock.now(), self._latest.at), "ready")
        self._telling.tell([ready])
        self._display.show_board(ready)


def _busy(board: str) -> Objection:
    return Objection("busy", f"board {board} is occupied with itself; try again")
