"""One board: its sources, its inbox, its Session, and what the journal remembers of it.

How an input goes. A source puts it into the inbox (`inbox`); `run` takes what lies there; `feeding` journals it,
waits until that is durable, and feeds it to the Session; `telling` stores the events in the transaction that marks the
input as fed. Only then are they published: the outbox is the journal. With nothing in the inbox, `run` sleeps until the
Session's deadline and a Tick with exactly that time is fed; since any spacing of ticks gives the same events, a tick
that made none is not stored. `display` shows the present.

After any ending, and where a Session raises, `resumption` makes it again from the journal. If it raises again at the
same input, the board is quarantined: it shows `failed`, and its inputs are journalled for whoever comes to look. The
arbiter's `set_position` lets the game go on behind that input (`going_on`).

A board has failed as well where a new Session differs from the published record so that what it told next would
contradict it (other moves, another end, a revision that goes back): the record stands as it was published, and is what
the board shows, until a `new_game`, or until a version reads the journal as the one that published it.

Games begin here by `new_game`, and go on at another board by `transfer`. What all of these share is `play`, the game on
the board, and `latest`, what came last from it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from damas_board.app.arrival import Arrival
from damas_board.app.clock import Clock
from damas_board.app.display import BoardSetup, Display, Figures, Relay
from damas_board.app.feeding import Feeding
from damas_board.app.going_on import GoingOn
from damas_board.app.inbox import Given, Inbox
from damas_board.app.intake import Intake
from damas_board.app.latest import NOT_RUNNING, SENSORS, Latest
from damas_board.app.new_game import NewGame
from damas_board.app.play import MakeSession, Play, SessionLike
from damas_board.app.resumption import Resumption
from damas_board.app.telling import Objection, Telling, Told
from damas_board.app.transfer import Transfer
from damas_board.messages.requests import login_of
from damas_board.session.events import BoardChanged
from damas_board.session.inputs import Command, Input
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal, OpenCommand

__all__ = ["Board", "BoardSetup", "Figures", "MakeSession", "Objection", "SessionLike", "Told"]

GRACE_SECONDS = 0.005
"""How long after its deadline a tick is fed: what happened before, and is still on its way here, comes first."""
CAMERA_GRACE_SECONDS = 0.15
"""The same where a camera watches, whose pictures are looked at after they were taken."""
EARLIER_SECONDS = 24 * 3600.0
"""Games that began since then are shown again after a start, also those that are over."""
STUCK_SECONDS = 0.25
"""How long to leave a Session alone whose deadline does not move on."""
SPLITTING = ("new_game", "set_position", "move_to")
"""Commands behind which another game may be on the board."""
TASK_BROKE = "task_broke"
"""Why a board shows `failed` while this program's own code for it is started again."""


class Board:
    """One board of the gateway: `restore`, `open`, `begin` once, then `run` and `read` as tasks, `stop` and `close`."""

    def __init__(
        self,
        setup: BoardSetup,
        journal: Journal,
        clock: Clock,
        make_session: MakeSession,
        relay: Relay | None = None,
        on_record: Callable[[GameState], None] | None = None,
        on_link: Callable[[str, bool | None, str | None], None] | None = None,
        find: Callable[[str], Board | None] = lambda name: None,
    ) -> None:
        """`on_link` hears that the link is up, down with its reason, or (None) was never up; `find` finds a board."""
        self.name = setup.header.board
        self.resumed = False
        """Whether a game of an earlier run, of which the board has shown something, goes on."""
        self.restarts = 0
        """How often its task broke and was started again."""
        self._setup = setup
        self._journal = journal
        self._clock = clock
        self._broken = False
        """Whether `run` was left in the middle of something."""
        self._broken_down = False
        """Whether it was, and has not gone on yet."""
        self._taken: deque[Given] = deque()
        """What lies before the task: taken from the inbox, and not begun with."""
        self._begun: set[tuple[str, str]] = set()
        """Login and id of the commands that it is busy with; behind a break, of those that were left so."""
        self._inbox = inbox = Inbox()
        self._grace = GRACE_SECONDS if setup.camera is None else CAMERA_GRACE_SECONDS
        self._intakes: Mapping[str | None, Intake] = {
            by: Intake(self.name, make, clock.now, inbox.give, self._source_changed, by)
            for by, make in setup.sources.items()
        }
        self._play = play = Play(setup.header)
        self._latest = latest = Latest(self.name, self._intakes, on_link)
        telling = self._telling = Telling(play, latest, journal)
        display = self._display = Display(setup, play, latest, telling, journal, clock, relay, on_record)
        resumption = self._resumption = Resumption(play, latest, telling, display, journal, make_session)
        feeding = self._feeding = Feeding(play, latest, telling, display, resumption, journal)
        self._new_game = NewGame(play, latest, telling, display, feeding, journal, clock, make_session)
        self._going_on = GoingOn(play, latest, telling, resumption, journal, make_session)
        self._transfer = Transfer(play, latest, telling, display, feeding, inbox, journal, clock, find)

    @property
    def game(self) -> str | None:
        """The game whose stream the events go to; it stays after its end, until a new one begins."""
        return self._play.game

    @property
    def failed(self) -> bool:
        return self._play.failed

    @property
    def state(self) -> GameState | None:
        """The game as its Session knows it, or as it was published where the board has failed; None without one."""
        return self._play.state

    @property
    def figures(self) -> Figures:
        state = self.state
        return Figures(
            up=bool(self._latest.up) and self._latest.watched,
            sensors=self._latest.watched,
            failed=self.failed or self._broken_down,
            inbox=len(self._inbox) + len(self._taken),
            inputs=self._feeding.inputs,
            lost=self._latest.losses,
            restarts=self.restarts + sum(intake.breaks for intake in self._intakes.values()),
            plies=0 if state is None else len(state.moves),
            alerts=0 if state is None else len(state.alerts),
            suspects=len(self._display.suspects),
        )

    def show_health(self, gateway: Mapping[str, Any]) -> None:
        """Show the device's counters beside what the gateway knows."""
        self._display.show_health(lambda: self.figures, gateway)

    def keep_lights(self) -> None:
        """Keep the board's lights on as long as they are wanted; call each second or so."""
        self._display.keep_lights()

    def broke(self) -> None:
        """The board's task, or its restoring, was left in the middle of something: `run` goes on from the journal.

        It shows so until it has.
        """
        self._broken = self._broken_down = True
        self.restarts += 1
        self._display.show_board(BoardChanged(self._latest.at, "failed", reason=TASK_BROKE))

    # beginnings

    async def restore(self) -> None:
        """Go on with the board's last game, if there is one. Call before `run`."""
        games = await asyncio.to_thread(self._journal.games, self.name)
        now = self._clock.now()
        self._display.show_link(False if self._intakes else None, now)
        self._display.show_info()
        play = self._play
        play.left = await asyncio.to_thread(self._journal.left, self.name)
        if games and not play.left:
            play.game, play.header = games[-1].game, games[-1].header
            await self._resumption.rebuild(None)
            if SENSORS in self._intakes:
                self._intakes[SENSORS].known, self._intakes[SENSORS].before = self._latest.known, self._latest.before
            if self._intakes:
                await self._feeding.take(self._latest.lost(self._latest.at, NOT_RUNNING))
            state = self.state
            play.to_hand_over = state is not None and state.over is not None
            self.resumed = not play.to_hand_over and self._latest.see is not None
            await self._display.show(always=True)
        earlier = games if play.left else games[:-1]
        await self._resumption.show_earlier(game for game in earlier if game.at >= now - EARLIER_SECONDS)

    async def begin(self) -> None:
        """Begin the board's first game, if the setup says so. Call when all that a start needs is known to be there.

        A game that a failed start had begun would be one that goes on, at the next start. The board itself need not be
        there: it is waited for.
        """
        if self.game is None and self._setup.begins and not (self._play.left or self._broken):
            await self._new_game.begin(self._setup.header)
            await self._display.show()

    # the flow

    async def close(self) -> None:
        """Close the sources that are open."""
        for intake in self._intakes.values():
            await intake.close()

    async def read(self) -> None:
        """Take what the sources give into the inbox, until they end; each is opened, and again where it has to be."""
        async with asyncio.TaskGroup() as reading:
            for intake in self._intakes.values():
                reading.create_task(intake.run())

    async def opened(self) -> None:
        """Wait until each source was tried to be opened once."""
        for intake in self._intakes.values():
            await intake.tried.wait()

    async def finished(self) -> None:
        """Wait until the sources have ended and what they gave has been fed and is durable."""
        for intake in self._intakes.values():
            await intake.ended.wait()
        await self._inbox.drained()

    def _source_changed(self, intake: Intake) -> None:
        """A source was opened, or is missing (for another reason than before)."""
        if intake.missing is None:
            self._display.show_info()
        else:
            self._display.show_missing()

    async def give(self, item: Input) -> None:
        """Put an input into the inbox; waits where the inbox is full."""
        await self._inbox.give(item)

    def offer(self, item: Input) -> bool:
        """Put an input into the inbox without waiting; False where far too much lies there."""
        return self._inbox.offer(item)

    def expect(self, arrival: Arrival) -> None:
        """Let a game come here from another board; `arrival` is answered when that is done, or refused."""
        self._transfer.expect(arrival)

    def refuse(self, command: Command, why: Objection) -> None:
        """Answer a command that is not fed to the Session."""
        self._telling.refuse(command, why)

    async def drained(self) -> None:
        """Wait until everything that was given has been fed and is durable."""
        await self._inbox.drained()

    async def run(self) -> None:
        """Feed what comes, and ticks when they are due, until `stop`. After an exception it may be called again.

        It then goes on behind what it was busy with; commands among that are answered by what became of them.
        """
        if self._broken:
            await self._resumption.rebuild(None)
            await self._settle_begun()
            await self._display.show(always=True)
        self._broken = True
        self._broken_down = False
        stuck = running = True
        while running:
            if not self._taken:
                self._taken.extend(await self._inbox.taken(self._patience(stuck)))
            count = len(self._taken)
            try:
                running = None not in self._taken
                stuck = not count and (self._expects or not await self._feeding.tick())
                await self._accept()
                await self._display.show()
            finally:
                self._inbox.make_room()
                self._inbox.done(count - len(self._taken))
        self._broken = False

    async def settle(self, left: Iterable[OpenCommand]) -> None:
        """Answer commands that an earlier run left in the middle of something; later, if the board is so itself."""
        if self._broken:
            self._begun |= {(command.user, command.id) for command in left}
            return
        for command in left:
            self._telling.settle(command)
        await self._telling.durable()

    async def _settle_begun(self) -> None:
        begun, self._begun = self._begun, set()
        if begun:
            left = await asyncio.to_thread(self._journal.unanswered)
            for command in left:
                if (command.user, command.id) in begun:
                    self._telling.settle(command)

    async def stop(self) -> None:
        """Let `run` return after what was given so far."""
        self._inbox.put(None)

    async def hand_over(self) -> None:
        """Give the record as it stands to whoever writes it down."""
        await self._display.hand_over()

    @property
    def _expects(self) -> bool:
        """Whether the source may still tell what happened while nobody listened: till then no time has passed."""
        board = self._intakes.get(SENSORS)
        return board is not None and board.recalling and self._latest.known is not None

    def _patience(self, stuck: bool) -> float | None:
        """The seconds until a tick is due; None where none will be."""
        session = self._play.session
        deadline = None if session is None else session.deadline
        if deadline is None:
            return None
        timeout = self._clock.seconds_until(deadline) + self._grace
        return max(timeout, STUCK_SECONDS) if stuck else timeout

    async def _accept(self) -> None:
        """Take inputs in their order; a game that begins, or goes on, splits them: what comes behind belongs to it."""
        while self._taken:
            part: list[Input] = []
            while self._taken and not _splits(self._taken[0]):
                item = self._taken.popleft()
                if item is not None and not isinstance(item, Arrival):
                    part.append(item)
            self._begun = {(login_of(item.by), item.id) for item in part if isinstance(item, Command)}
            await self._feeding.take(part)
            self._begun.clear()
            if self._taken:
                await self._split(self._taken.popleft())

    async def _split(self, item: Given) -> None:
        if isinstance(item, Arrival):
            await self._transfer.arrive(item)
        elif isinstance(item, Command):
            self._begun = {(login_of(item.by), item.id)}
            if item.do == "new_game":
                await self._new_game.asked(item)
            elif item.do == "move_to":
                await self._transfer.move_to(item)
            elif self._play.behind_failure:
                await self._going_on.set_position(item)
            else:
                await self._feeding.take([item])
            self._begun.clear()


def _splits(item: Given) -> bool:
    return isinstance(item, Arrival) or (isinstance(item, Command) and item.do in SPLITTING)
