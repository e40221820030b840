"""One board: its source, its inbox, its Session, and what the journal remembers of it.

How an input goes. The source puts it into the inbox; `run` takes what lies there, journals it, waits until that is
durable, feeds it to the Session, and stores the events in the transaction that marks the input as fed. Only then are
they published: the outbox is the journal. With nothing in the inbox, `run` sleeps until the Session's deadline and
feeds a Tick with exactly that time; since any spacing of ticks gives the same events, a tick that made none is not
stored.

After any ending, `restore` feeds the journalled inputs to a new Session. What it makes of inputs that were fed before
must be what was stored; a difference is reported and changes nothing that was published. Inputs that were journalled
and never fed are fed now.

A Session that raises is thrown away and made again from the journal. If it raises again at the same input, the board is
quarantined: it shows `failed`, and its inputs are journalled for whoever comes to look. The arbiter's `set_position`
lets the game go on behind that input: what no Session could read, and what came after it, is then a link that was lost.

A board has failed as well where a new Session differs from the published record so that what it told next would
contradict it (other moves, another end, a revision that goes back): the record stands as it was published, and is what
the board shows, until a `new_game`, or until a version reads the journal as the one that published it.

A game goes on at another board (`move_to`) from hand to hand: this board's task gives the Session away in the other's
inbox, which takes it or says why not; from the moment in which it is journalled there, the game is the other board's.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Protocol, TypeVar, get_args

from damas_board.app.clock import Clock
from damas_board.app.intake import Intake
from damas_board.app.regulation import misfit
from damas_board.messages.encoding import event_object
from damas_board.messages.names import NAME_LENGTH, cleaned
from damas_board.messages.requests import detailed
from damas_board.messages.stream import Ply, Record, StreamError, fold_event
from damas_board.messages.topics import TopicError, checked_id
from damas_board.notation.time_control import read_time_control
from damas_board.regulations.policy import IRREGULAR_MOVES
from damas_board.session.events import (
    AlertClosed,
    AlertRaised,
    BoardChanged,
    ClockChanged,
    CommandAnswered,
    Event,
    GameOver,
    GameReopened,
    MoveMade,
    MoveRevised,
    MovesRetracted,
)
from damas_board.session.header import Header, Starts
from damas_board.session.inputs import Command, Input, Link, See, Tick
from damas_board.session.state import GameState, PlyNote
from damas_board.sinks.journal import Journal, StoredInput
from damas_board.sources.source import Source

log = logging.getLogger(__name__)

GRACE_SECONDS = 0.005
"""How long after its deadline a tick is fed: what happened before, and is still on its way here, comes first."""
STUCK_SECONDS = 0.25
"""How long to leave a Session alone whose deadline does not move on."""
FEED_SECONDS = 0.005
"""After so long of feeding one board the others have a turn."""
INBOX = 1000
"""Inputs that wait before the source has to."""
HANDOVER_SECONDS = 5.0
"""How long a game that is to go on at another board waits for that board's task."""
INPUT_FAILED = "input_failed"
"""Why a board has `failed` that is quarantined."""
RECORD_DIFFERS = "record_differs"
"""Why a board has `failed` whose new Session would contradict what was published."""
HEADER_UNUSABLE = "header_unusable"
"""Why a board has `failed` whose game this version cannot begin anew: its regulation, its start."""
TASK_BROKE = "task_broke"
"""Why a board shows `failed` while this program's own code for it is started again."""
NOT_RUNNING = "gateway_not_running"
NOT_FOLLOWED = "not_followed"
"""Why the link is lost, for a Session, from the input at which a board failed until the arbiter lets its game go on."""


class SessionLike(Protocol):
    """What the gateway asks of a Session (session/session.py)."""

    @property
    def deadline(self) -> float | None: ...

    @property
    def state(self) -> GameState: ...

    def feed(self, item: Input) -> list[Event]: ...


E = TypeVar("E", ClockChanged, GameOver)
MakeSession = Callable[[Header], SessionLike]
"""A new Session for a header; ValueError where the header's regulation or start cannot be used."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a command is not carried out: a code, and where there is more to say, that in words."""

    reason: str
    detail: str | None = None

    def __str__(self) -> str:
        return self.reason if self.detail is None else f"{self.reason} ({self.detail})"


@dataclass(frozen=True, slots=True)
class Told:
    """What becomes of an alert, as an entry of the log has it; whoever shows the log says it in words."""

    event: AlertRaised | AlertClosed
    header: Header
    """Of its game: the regulation decides which words its readers know."""

    def __str__(self) -> str:
        number = self.event.id.rpartition("-")[2]
        if isinstance(self.event, AlertClosed):
            return f"{number}: {self.event.how}"
        parts = (self.event.side, " ".join(self.event.squares), self.event.article)
        return ", ".join((f"{number}: {self.event.severity}: {self.event.kind}", *(part for part in parts if part)))


class Relay(Protocol):
    """Where a board shows its present: newest wins. Events do not go this way, they are in the outbox."""

    def show_link(self, board: str, up: bool | None, at: float, reason: str | None = None) -> None: ...

    def show_info(self, board: str, info: Mapping[str, Any], at: float) -> None: ...

    def show_see(self, board: str, game: str | None, item: See) -> None: ...

    def show_health(self, board: str, health: Mapping[str, Any], at: float) -> None: ...

    def show_board(self, board: str, game: str | None, event: Mapping[str, Any]) -> None: ...

    def show_game(self, board: str, state: GameState, seq: int, at: float) -> None: ...


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """A board of this gateway: what its games begin with, and how its source is made.

    `source` gets the clock's `now`, so that its inputs are on the one scale. With `begins` the first game starts at
    once; without, a `new_game` command starts it. `info` and `health` are asked once the source is open, and again
    from time to time; what they say is shown on the board's topics of the same names. `source` None is a table
    without a sensor board, whose moves are entered.
    """

    header: Header
    source: Callable[[Callable[[], float]], Source] | None
    begins: bool = True
    info: Callable[[], Mapping[str, Any]] = dict
    health: Callable[[], Mapping[str, Any]] = dict


@dataclass(frozen=True, slots=True)
class Figures:
    """A board at present, in plain numbers."""

    up: bool
    sensors: bool
    failed: bool
    inbox: int
    inputs: int
    lost: int
    restarts: int
    """How often this program's own code broke: the board's task, or its source."""
    plies: int
    alerts: int
    """That are open."""
    suspects: int


@dataclass(slots=True)
class Arrival:
    """A game on its way to another board, with the command that sends it there."""

    command: Command
    game: str
    header: Header
    session: SessionLike
    was: str
    """The board that gives it away."""
    linked: bool
    """Whether that board was connected."""
    last_at: float
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    refused: Objection | None = None
    withdrawn: bool = False


Given = Input | Arrival | None
"""What lies in an inbox; None lets the board's task end."""


class _GameExistsError(ValueError):
    """A new game has the id of one that there is."""


class _Contradiction(Exception):
    """A Session differs from the published record so that it may tell nothing more."""


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
        self.game: str | None = None
        """The game whose stream the events go to; it stays after its end, until a new one begins."""
        self.failed = False
        self.resumed = False
        """Whether a game of an earlier run, of which the board has shown something, goes on."""
        self.restarts = 0
        """How often its task broke and was started again."""
        self._setup = setup
        self._header = setup.header
        self._journal = journal
        self._clock = clock
        self._make_session = make_session
        self._relay = relay
        self._on_record = on_record
        self._on_link = on_link
        self._find = find
        self._inbox: asyncio.Queue[Given] = asyncio.Queue()
        self._room = asyncio.Event()
        self._intake: Intake | None = None
        if setup.source is not None:
            self._intake = Intake(self.name, setup.source, clock.now, self.give, self._source_changed)
        self._up: bool | None = None
        """Whether the link is up; None before anything is known in this run."""
        self._inputs = 0
        self._losses = 0
        self._session: SessionLike | None = None
        self._known: tuple[SessionLike, GameState] | None = None
        """The Session and its state as it was shown last, unless something has been told since: it is dear to make."""
        self._standing: GameState | None = None
        """What was published of a game on a board that has failed."""
        self._last_at = 0.0
        self._link: str | None = None
        self._last_see: See | None = None
        self._stored: Future[None] | None = None
        self._hand_over = False
        """Whether the record is to be handed over: the game has ended, or its end was taken back."""
        self._behind_failure = False
        """Whether the game on a board that has failed can go on from a position that is set up."""
        self._broken = False
        """Whether `run` was left in the middle of something."""
        self._broken_down = False
        """Whether it was, and has not gone on yet."""
        self._giving = False
        """Whether a game is being given to another board."""
        self._left = False
        """Whether the last game that was here goes on at another board."""

    @property
    def state(self) -> GameState | None:
        """The game as its Session knows it, or as it was published where the board has failed; None without one."""
        if self._session is None:
            return self._standing
        session, state = self._known or (None, None)
        return state if session is self._session else self._session.state

    def show_info(self) -> None:
        """Show what is known about the board and its device."""
        if self._relay is not None:
            header = self._setup.header
            own: dict[str, Any] = {"senses": header.senses, "covers": header.covers, "turn": header.turn}
            own |= {} if header.table is None else {"table": header.table}
            own |= {"sensors": False} if self._intake is None else {}
            self._relay.show_info(self.name, {**own, **self._setup.info()}, self._clock.now())

    def show_health(self, gateway: Mapping[str, Any]) -> None:
        """Show the device's counters beside what the gateway knows."""
        if self._relay is not None:
            figures = asdict(self.figures)
            own = {key: figures[key] for key in ("inbox", "inputs", "lost", "restarts", "failed")}
            own["suspects"] = self._suspects
            self._relay.show_health(self.name, {**self._setup.health(), **own, **gateway}, self._clock.now())

    def broke(self) -> None:
        """The board's task, or its restoring, was left in the middle of something: `run` goes on from the journal.

        It shows so until it has.
        """
        self._broken = self._broken_down = True
        self.restarts += 1
        self._show_broken()

    def _show_broken(self) -> None:
        """Show that this program's own code for the board broke, until it has gone on from the journal."""
        if self._relay is not None:
            failed = BoardChanged(self._last_at, "failed", reason=TASK_BROKE)
            self._relay.show_board(self.name, self.game, event_object(failed))

    @property
    def figures(self) -> Figures:
        state = self.state
        return Figures(
            up=bool(self._up) and self._intake is not None,
            sensors=self._intake is not None,
            failed=self.failed or self._broken_down,
            inbox=self._inbox.qsize(),
            inputs=self._inputs,
            lost=self._losses,
            restarts=self.restarts + (0 if self._intake is None else self._intake.breaks),
            plies=0 if state is None else len(state.moves),
            alerts=0 if state is None else len(state.alerts),
            suspects=len(self._suspects),
        )

    @property
    def _suspects(self) -> list[str]:
        """The squares of which it was told that they are not relied on."""
        state = self.state
        alerts = () if state is None else state.alerts
        return [square for a in alerts if a.get("kind") == "sensor_suspect" for square in a.get("squares", ())]

    # beginnings

    async def restore(self) -> None:
        """Go on with the board's last game, if there is one. Call before `run`."""
        games = await asyncio.to_thread(self._journal.games, self.name)
        now = self._clock.now()
        if self._relay is not None:
            self._relay.show_link(self.name, None if self._intake is None else False, now)
        self.show_info()
        self._left = await asyncio.to_thread(self._journal.left, self.name)
        if games and not self._left:
            self.game, self._header = games[-1].game, games[-1].header
            await self._rebuild(None)
            if self._link != "lost" and self._intake is not None:
                await self._take([Link(self._last_at, "lost", NOT_RUNNING)])
            state = self.state
            self._hand_over = state is not None and state.over is not None
            self.resumed = not self._hand_over and self._last_see is not None
            await self._show(always=True)

    async def begin(self) -> None:
        """Begin the board's first game, if the setup says so. Call when all that a start needs is known to be there.

        A game that a failed start had begun would be one that goes on, at the next start. The board itself need not be
        there: it is waited for.
        """
        if self.game is None and self._setup.begins and not (self._left or self._broken):
            await self._begin(self._setup.header)
            await self._show()

    async def _begin(self, header: Header) -> None:
        """A new game on this board; ValueError, and nothing has changed, where its header cannot be used."""
        now = max(self._clock.now(), self._last_at)
        game = header.game or self._journal.next_game(self.name, now)
        header = replace(header, board=self.name, game=game)
        session = self._make_session(header)
        self._stored = self._journal.begin_game(header, now)
        await asyncio.wrap_future(self._stored)
        self.game, self._header, self._session = game, header, session
        self._standing = None
        self.failed = self._behind_failure = self._hand_over = self._left = False
        items: list[Input] = [Tick(now)]
        if self._link == "lost":
            items.append(Link(now, "lost", None if self._intake is None else self._intake.reason))
        elif self._last_see is not None:
            items = [replace(self._last_see, at=now, was=None)]
        await self._take(items)

    async def _rebuild(self, suspect: int | None) -> None:
        """A new Session from the journal. `suspect` is the input at which the last one raised."""
        if self.game is None:
            return
        await asyncio.wrap_future(self._journal.flush())
        stored = await asyncio.to_thread(lambda game: list(self._journal.inputs(game)), self.game)
        for entry in stored:
            self._note(entry.item)
        entries = _followed(stored)
        published = await asyncio.to_thread(self._published, self.game)
        settled: set[int] = set()
        different: set[int] = set()
        while True:
            try:
                self._session = self._make_session(self._header)
            except ValueError as error:
                self._cannot_begin_anew(error, published)
                return
            try:
                raised = await self._feed_again(self._session, entries, settled, different, published)
            except _Contradiction:
                self._stand(published)
                return
            if raised is None:
                self._revive(published)
                return
            if raised.number == suspect:
                self._quarantine(raised, published)
                return
            suspect = raised.number

    def _published(self, game: str) -> Record | None:
        """The record as its stream tells it; None where the stream is none that can be followed."""
        record = Record()
        try:
            for row in self._journal.events(f"game/{game}"):
                record = fold_event(record, row.body)
        except StreamError as error:
            log.error("board %s: what was published of game %s cannot be followed: %s", self.name, game, error)
            return None
        return record

    async def _feed_again(
        self,
        session: SessionLike,
        entries: Sequence[tuple[StoredInput, Input]],
        settled: set[int],
        different: set[int],
        published: Record | None,
    ) -> StoredInput | None:
        """Feed the journalled inputs, each as it is read; the one at which the Session raised, if it did.

        `settled` are those that need no storing or comparing any more, `different` those of which this Session tells
        something else. `_Contradiction` where it has read those that were fed before so differently that it may tell
        nothing more.
        """
        compared = False
        for count, (entry, item) in enumerate(entries):
            if count % 200 == 0:
                await asyncio.sleep(0)
            if entry.state != "fed" and not compared:
                compared = True
                _hold_against(published, session.state, different)
            try:
                events = session.feed(item)
            except Exception:
                log.exception("board %s: the session raised again at input %d", self.name, entry.number)
                return entry
            if entry.number in settled:
                continue
            if item.at < entry.item.at:  # told when the game went on, behind what was told meanwhile
                events = [replace(event, at=entry.item.at) for event in events]
            settled.add(entry.number)
            if entry.state != "fed":
                self._store(events, number=entry.number)
            elif not self._is_as_stored(entry, events):
                different.add(entry.number)
        if not compared:
            _hold_against(published, session.state, different)
        return None

    def _is_as_stored(self, entry: StoredInput, events: Sequence[Event]) -> bool:
        """Whether an input makes the events that it made when it was fed; a difference is reported."""
        replayed = [json.loads(json.dumps(event_object(event))) for event in events]
        if replayed == list(entry.events):
            return True
        log.error(
            "board %s: this version reads input %d (%s) in another way than the one that published it; the published "
            "record stands",
            self.name,
            entry.number,
            type(entry.item).__name__,
        )
        self._journal.report_difference(entry.number, entry.item.at, entry.events, replayed)
        return False

    def _quarantine(self, entry: StoredInput, published: Record | None) -> None:
        log.error("board %s: quarantined at input %d; its inputs are still journalled", self.name, entry.number)
        failed = BoardChanged(self._last_at, "failed", reason=INPUT_FAILED)
        if entry.state != "failed":
            body = event_object(failed)
            _, self._stored = self._journal.failed(self.name, self.game, entry.number, [body])
        self._fail(failed, published)
        self._behind_failure = entry.state != "fed"

    def _cannot_begin_anew(self, error: ValueError, published: Record | None) -> None:
        log.error("board %s: game %s cannot go on with this version: %s", self.name, self.game, error)
        failed = BoardChanged(self._last_at, "failed", reason=HEADER_UNUSABLE)
        if not _stands_already(published, HEADER_UNUSABLE):
            self._tell([failed])
        self._fail(failed, published)

    def _stand(self, published: Record | None) -> None:
        """The published record stands; what this version makes of the journal contradicts it."""
        log.error(
            "board %s: this version does not come to the published record of game %s; the record stands, and the "
            "board's inputs are only journalled: begin a new game, or go back to the version that played this one",
            self.name,
            self.game,
        )
        failed = BoardChanged(self._last_at, "failed", reason=RECORD_DIFFERS)
        if not _stands_already(published, RECORD_DIFFERS):
            self._tell([failed])
        self._fail(failed, published)

    def _fail(self, failed: BoardChanged, published: Record | None) -> None:
        self._session = None
        self.failed = True
        self._behind_failure = False
        self._standing = None if published is None else _state_of(published, failed)
        if self._relay is not None:
            self._relay.show_board(self.name, self.game, event_object(failed))

    def _revive(self, published: Record | None) -> None:
        """A board that had failed and does not any more says so."""
        self.failed = self._behind_failure = False
        self._standing = None
        shown = None if published is None else published.board
        board = None if self._session is None else self._session.state.board_state
        if shown is not None and shown.get("state") == "failed" and board is not None:
            self._tell([replace(board, at=self._last_at)])

    # the flow

    async def close(self) -> None:
        """Close the source, if it is open."""
        if self._intake is not None:
            await self._intake.close()

    async def read(self) -> None:
        """Take what the source gives into the inbox, until it ends; it is opened, and again where it has to be."""
        if self._intake is not None:
            await self._intake.run()

    async def opened(self) -> None:
        """Wait until the source was tried to be opened once."""
        if self._intake is not None:
            await self._intake.tried.wait()

    async def finished(self) -> None:
        """Wait until the source has ended and what it gave has been fed and is durable."""
        if self._intake is not None:
            await self._intake.ended.wait()
        await self._inbox.join()

    def _source_changed(self) -> None:
        """The source was opened, or is missing (for another reason than before)."""
        assert self._intake is not None
        if self._intake.missing is None:
            self.show_info()
        elif self._relay is not None:
            self._relay.show_link(self.name, False, self._clock.now(), self._intake.reason)

    async def give(self, item: Input) -> None:
        """Put an input into the inbox; waits where the inbox is full."""
        while self._inbox.qsize() >= INBOX:
            self._room.clear()
            await self._room.wait()
        self._inbox.put_nowait(item)

    def offer(self, item: Input) -> bool:
        """Put an input into the inbox without waiting; False where far too much lies there."""
        if self._inbox.qsize() >= 2 * INBOX:
            return False
        self._inbox.put_nowait(item)
        return True

    async def drained(self) -> None:
        """Wait until everything that was given has been fed and is durable."""
        await self._inbox.join()

    async def run(self) -> None:
        """Feed what comes, and ticks when they are due, until `stop`. After an exception it may be called again."""
        if self._broken:
            await self._rebuild(None)
            await self._show(always=True)
        self._broken = True
        self._broken_down = False
        stuck = running = True
        while running:
            taken = await self._next(stuck)
            try:
                running = None not in taken
                stuck = not taken and not await self._tick()
                await self._accept([item for item in taken if item is not None])
                await self._show()
                self._room.set()
            finally:
                for _ in taken:
                    self._inbox.task_done()
        self._broken = False

    async def stop(self) -> None:
        """Let `run` return after what was given so far."""
        self._inbox.put_nowait(None)

    async def hand_over(self) -> None:
        """Give the record as it stands to whoever writes it down."""
        if self._on_record is not None and self._session is not None:
            await asyncio.to_thread(self._on_record, self._session.state)

    async def _next(self, stuck: bool) -> list[Given]:
        """What lies in the inbox; empty when a tick is due."""
        deadline = None if self._session is None else self._session.deadline
        timeout = None if deadline is None else self._clock.seconds_until(deadline) + GRACE_SECONDS
        if timeout is not None and stuck:
            timeout = max(timeout, STUCK_SECONDS)
        try:
            taken = [await asyncio.wait_for(self._inbox.get(), timeout)]
        except TimeoutError:
            return []
        while not self._inbox.empty():
            taken.append(self._inbox.get_nowait())
        return taken

    async def _accept(self, items: Sequence[Input | Arrival]) -> None:
        """Take inputs in their order; a game that begins, or goes on, splits them: what comes behind belongs to it."""
        part: list[Input] = []
        for item in items:
            if isinstance(item, Arrival):
                await self._take(part)
                part = []
                await self._arrive(item)
            elif isinstance(item, Command) and item.do in ("new_game", "set_position", "move_to"):
                await self._take(part)
                part = []
                if item.do == "new_game":
                    await self._new_game(item)
                elif item.do == "move_to":
                    await self._move_to(item)
                elif self._behind_failure:
                    await self._go_on(item)
                else:
                    part.append(item)
            else:
                part.append(item)
        await self._take(part)

    async def _take(self, items: Sequence[Input]) -> None:
        """Journal inputs, then feed them."""
        if self._session is None:
            items = [item for item in items if not self._refused(item)]
        if not items:
            return
        ordered = [placed for item in items for placed in self._placed(item)]
        numbers, durable = self._journal.append(self.name, self.game, ordered)
        await self._feed_durable(ordered, numbers, durable)

    async def _feed_durable(self, items: Sequence[Input], numbers: Sequence[int], durable: Future[None]) -> None:
        """Feed journalled inputs; so that no board holds up the others, with a pause now and then."""
        await asyncio.wrap_future(durable)
        self._inputs += len(items)
        time = asyncio.get_running_loop().time
        since = time()
        for number, item in zip(numbers, items, strict=True):
            if self._session is None or not await self._feed(number, item):
                break  # the rest of it was fed from the journal, or is only journalled
            if time() - since > FEED_SECONDS:
                await asyncio.sleep(0)
                since = time()
        if self._stored is not None:
            await asyncio.wrap_future(self._stored)

    def _placed(self, item: Input) -> list[Input]:
        """The input at a time that does not go back; a link that was lost is back with the first thing that is seen."""
        item = replace(item, at=max(item.at, self._last_at))
        items = [item]
        if isinstance(item, See) and self._link == "lost":
            items.insert(0, Link(item.at, "back"))
        for placed in items:
            self._report_link(placed)
            self._note(placed)
            if self._relay is not None:
                self._show_input(self._relay, placed)
        return items

    def _note(self, item: Input) -> None:
        self._last_at = max(self._last_at, item.at)
        if isinstance(item, Link):
            self._link = item.state
        elif isinstance(item, See):
            self._last_see = item
            self._link = "back"

    def _report_link(self, item: Input) -> None:
        """Tell that the board is lost, or back, once each: of what has been up, or away, in this run."""
        lost = isinstance(item, Link) and item.state == "lost"
        if not (lost or isinstance(item, See | Link)) or (isinstance(item, Link) and item.reason == NOT_RUNNING):
            return
        was, self._up = self._up, not lost
        if lost and was:
            self._losses += 1
        if self._on_link is None or was is self._up:
            return
        reason = item.reason if isinstance(item, Link) else None
        if was is not None:
            self._on_link(self.name, self._up, reason)
        elif lost:
            self._on_link(self.name, None, reason)

    def _show_input(self, relay: Relay, item: Input) -> None:
        match item:
            case See():
                relay.show_see(self.name, self.game, item)
                relay.show_link(self.name, True, item.at)
            case Link():
                relay.show_link(self.name, item.state == "back", item.at, item.reason)
            case _:
                pass

    async def _feed(self, number: int, item: Input) -> bool:
        """False where the Session had to be made again, which feeds everything that is journalled."""
        assert self._session is not None
        try:
            events = self._session.feed(item)
        except Exception:
            log.exception("board %s: the session raised at input %d", self.name, number)
            await self._rebuild(number)
            return False
        self._store(events, number=number)
        return True

    async def _tick(self) -> bool:
        """Feed the tick that is due; False where the Session goes on wanting the same one."""
        assert self._session is not None
        deadline = self._session.deadline
        if deadline is None:
            return True
        item = Tick(max(deadline, self._last_at))
        try:
            events = self._session.feed(item)
        except Exception:
            log.exception("board %s: the session raised at the tick of %g", self.name, item.at)
            numbers, _ = self._journal.append(self.name, self.game, [item])
            await self._rebuild(numbers[0])
            return True
        self._last_at = item.at
        if events:
            self._store(events, tick=item)
        again = self._session.deadline
        return again is None or again > item.at

    def _store(self, events: Sequence[Event], *, number: int | None = None, tick: Tick | None = None) -> None:
        bodies = [event_object(event) for event in events]
        if tick is not None:
            _, self._stored = self._journal.ticked(self.name, self.game, tick, bodies)
        elif number is not None:
            _, stored = self._journal.fed(self.name, self.game, number, bodies)
            if events:  # that an input told nothing needs no waiting: fed again, it would tell nothing again
                self._stored = stored
        self._consider(events)

    def _tell(self, events: Sequence[Event]) -> None:
        """Put events of the gateway's own into the stream."""
        _, self._stored = self._journal.tell(self.name, self.game, [event_object(event) for event in events])
        self._consider(events)

    def _consider(self, events: Sequence[Event]) -> None:
        if events:
            self._known = None
        for event in events:
            match event:
                case CommandAnswered():
                    self._answer(event, event_object(event))
                case MoveMade() | MoveRevised():
                    revised = f" (was {event.was})" if isinstance(event, MoveRevised) else ""
                    log.info("%s: %d. %s%s", self.name, event.ply, event.move, revised)
                case MovesRetracted():
                    log.info("%s: back to ply %d", self.name, event.from_ply - 1)
                case AlertRaised():
                    if event.kind != "board_lost":  # the link has entries of its own
                        level = logging.INFO if event.severity == "note" else logging.WARNING
                        log.log(level, "%s: alert %s", self.name, Told(event, self._header))
                case AlertClosed():
                    log.info("%s: alert %s", self.name, Told(event, self._header))
                case GameReopened():
                    self._hand_over = True
                case GameOver():
                    self._hand_over = True
                    log.info("%s: %s (%s)", self.name, event.result, event.reason)
                case _:
                    pass

    def _answer(self, event: CommandAnswered, body: Mapping[str, Any]) -> None:
        user = (event.by or "").rpartition(" via ")[2]
        if user:
            self._journal.answer_command(user, event.id, self.name, event.at, body)

    async def _show(self, *, always: bool = False) -> None:
        """Show the present once what led to it is durable, and hand over the record where it is time."""
        stored, self._stored = self._stored, None
        if stored is not None:
            await asyncio.wrap_future(stored)
        elif not always:
            return
        self._known = None
        state = self.state
        if state is None or self.game is None:
            return
        if self._session is not None:
            self._known = (self._session, state)
        if self._relay is not None:
            self._relay.show_game(self.name, state, self._journal.last_seq(f"game/{self.game}"), self._last_at)
            if state.board_state is not None:
                self._relay.show_board(self.name, self.game, event_object(state.board_state))
        if self._hand_over:
            self._hand_over = False
            await self.hand_over()

    # commands that the gateway itself carries out

    def refuse(self, command: Command, why: Objection) -> None:
        """Answer a command that is not fed to the Session."""
        answer = CommandAnswered(command.at, command.id, command.do, "refused", why.reason, command.by)
        body = detailed(event_object(answer), why.detail)
        _, self._stored = self._journal.tell(self.name, self.game, [body])
        self._answer(answer, body)

    def _refused(self, item: Input) -> bool:
        """Refuse a command, while there is no Session to feed; it is no input of the game, where that goes on later."""
        if not isinstance(item, Command):
            return False
        command = replace(item, at=max(item.at, self._last_at))
        self._note(command)
        numbers, _ = self._journal.append(self.name, None, [command])
        self._close(command, numbers[0], Objection("board_failed" if self.failed else "no_game"))
        return True

    async def _new_game(self, command: Command) -> None:
        command = replace(command, at=max(command.at, self._last_at))
        self._note(command)
        numbers, durable = self._journal.append(self.name, None, [command])
        await asyncio.wrap_future(durable)
        state = self.state
        if state is not None and state.moves and state.over is None and not self.failed:
            self._close(command, numbers[0], Objection("game_not_over", f"enter the result of {state.game} first"))
            return
        await self.hand_over()
        try:
            await self._begin(self._asked_for(command.arguments))
        except _GameExistsError as error:
            self._close(command, numbers[0], Objection("game_exists", str(error)))
            return
        except ValueError as error:
            self._close(command, numbers[0], Objection("bad_argument", str(error)))
            return
        self._journal.fed(self.name, None, numbers[0], [])
        self._tell([CommandAnswered(self._last_at, command.id, command.do, "done", None, command.by)])

    async def _move_to(self, command: Command) -> None:
        """The game goes on at another board, which takes it or says why not."""
        name = command.arguments.get("board")
        spare = self._find(name) if isinstance(name, str) else None
        why = self._cannot_leave(name, spare)
        if why is None and spare is not None and self.game is not None and self._session is not None:
            linked = self._link != "lost" and self._intake is not None
            arrival = Arrival(command, self.game, self._header, self._session, self.name, linked, self._last_at)
            why = await self._given_to(spare, arrival)
        if why is not None:
            command = replace(command, at=max(command.at, self._last_at))
            self._note(command)
            numbers, _ = self._journal.append(self.name, None, [command])
            self._close(command, numbers[0], why)
            return
        self._free()

    async def _given_to(self, spare: Board, arrival: Arrival) -> Objection | None:
        self._giving = True
        spare.expect(arrival)
        try:
            async with asyncio.timeout(HANDOVER_SECONDS):
                await arrival.answered.wait()
        except TimeoutError:
            arrival.withdrawn = True
            return _busy(spare)
        finally:
            self._giving = False
        return arrival.refused

    def _cannot_leave(self, name: object, spare: Board | None) -> Objection | None:
        if not isinstance(name, str) or not name:
            return Objection("needs_board")
        if spare is None:
            return Objection("no_such_board", f"this gateway has no board {name}")
        if spare is self:
            return Objection("same_board", f"the game is on {name}")
        if self.failed:
            return Objection("board_failed")
        state = self.state
        if state is None:
            return Objection("no_game")
        return Objection("game_is_over") if state.over is not None else None

    def _free(self) -> None:
        """The game that was here goes on at another board."""
        self.game = self._session = self._standing = None
        self._header = self._setup.header
        self._left = True
        self._hand_over = self._behind_failure = False
        ready = BoardChanged(max(self._clock.now(), self._last_at), "ready")
        self._tell([ready])
        if self._relay is not None:
            self._relay.show_board(self.name, None, event_object(ready))

    def expect(self, arrival: Arrival) -> None:
        """Let a game come here from another board; `arrival` is answered when that is done, or refused."""
        if self._giving:  # it cannot look into its inbox before that is done
            arrival.refused = _busy(self)
            arrival.answered.set()
        else:
            self._inbox.put_nowait(arrival)

    async def _arrive(self, arrival: Arrival) -> None:
        """Take a game over, unless something is against it: from the moment of journalling it is this board's."""
        if arrival.withdrawn:
            return
        try:
            arrival.refused = self._cannot_take(arrival)
            if arrival.refused is not None:
                return
            at = max(self._clock.now(), self._last_at, arrival.last_at)
            arguments = {**arrival.command.arguments, "turn": self._setup.header.turn}
            items: list[Input] = [replace(arrival.command, at=at, arguments=arguments)]
            here = self._link == "back" or self._intake is None
            if here and not arrival.linked:
                items.append(Link(at, "back"))
            elif not here and arrival.linked:
                items.append(Link(at, "lost", None if self._intake is None else self._intake.reason))
            if self._link == "back" and self._last_see is not None:
                items.append(replace(self._last_see, at=at, was=None))
            numbers, durable = self._journal.append(self.name, arrival.game, items)
            self.game, self._header, self._session = arrival.game, arrival.header, arrival.session
            self._standing = None
            self._hand_over = self._left = False
            for item in items:
                self._note(item)
        finally:
            arrival.answered.set()
        log.warning("board %s: game %s goes on here, it was on %s", self.name, arrival.game, arrival.was)
        await self._feed_durable(items, numbers, durable)
        await self._show(always=True)

    def _cannot_take(self, arrival: Arrival) -> Objection | None:
        if self.failed:
            return Objection("board_failed", f"board {self.name} stands still after a fault")
        state = self.state
        if state is not None and state.over is None and (state.moves or state.players):
            return Objection("board_in_play", f"{state.game} is on {self.name}; enter its result first")
        unfit = misfit(arrival.header, self._setup.header)
        return None if unfit is None else Objection("board_does_not_fit", unfit)

    async def _go_on(self, command: Command) -> None:
        """`set_position` on a board that has failed at an input: the game goes on from there, behind that input."""
        command = replace(command, at=max(command.at, self._last_at))
        self._note(command)
        objection = self._not_from(command.arguments.get("fen"))
        if objection is not None:
            numbers, _ = self._journal.append(self.name, None, [command])
            self._close(command, numbers[0], objection)
            return
        items: list[Input] = [Link(command.at, "lost", NOT_FOLLOWED), command]
        if self._link != "lost":
            items.append(Link(command.at, "back"))
            items += [] if self._last_see is None else [replace(self._last_see, at=command.at, was=None)]
        self._journal.append(self.name, self.game, items)
        await self._rebuild(None)

    def _not_from(self, fen: object) -> Objection | None:
        """Why the game cannot go on from a position."""
        if self._standing is not None and self._standing.over is not None:
            return Objection("game_is_over")
        if not isinstance(fen, str) or not fen:
            return Objection("needs_fen")
        try:
            self._make_session(replace(self._header, start=fen, opening=None))
        except ValueError as error:
            return Objection("bad_fen", str(error))
        return None

    def _close(self, command: Command, number: int, why: Objection) -> None:
        self._journal.fed(self.name, None, number, [])
        self.refuse(command, why)

    def _asked_for(self, arguments: Mapping[str, Any]) -> Header:
        """The header that a `new_game` command describes; what it leaves out is the board's own. ValueError."""
        own = self._setup.header
        regulation = _text_of(arguments, "regulation") or own.regulation
        game = _text_of(arguments, "game")
        if game is not None:
            try:
                checked_id(game, "game")
            except TopicError as error:
                raise ValueError(str(error)) from error
            if self._journal.knows_game(game):
                raise _GameExistsError(f"there is a game {game!r} already")
        clock = _text_of(arguments, "clock")
        if clock is not None:
            read_time_control(clock)
        recorded = arguments.get("recorded", own.recorded)
        if not isinstance(recorded, bool):
            raise ValueError("recorded must be true or false")
        starts = arguments.get("starts", own.starts)
        if starts not in get_args(Starts):
            raise ValueError(f"starts must be one of {', '.join(get_args(Starts))}")
        return replace(
            own,
            regulation=regulation,
            regulation_text=own.regulation_text if regulation == own.regulation else None,
            start=_text_of(arguments, "fen"),
            recorded=recorded,
            game=game,
            players=_players_of(arguments),
            round=_text_of(arguments, "round"),
            table=_text_of(arguments, "table") or own.table,
            match=_text_of(arguments, "match"),
            starts=starts,
            clock=clock or own.clock,
            opening=_text_of(arguments, "opening"),
        )


def _busy(board: Board) -> Objection:
    return Objection("busy", f"board {board.name} is occupied with itself; try again")


def _followed(entries: Sequence[StoredInput]) -> list[tuple[StoredInput, Input]]:
    """The inputs of a game, and what a Session is fed of each: nothing of what was passed over when a game went on.

    That is a lost link, from the first input that was passed over on.
    """
    found: list[tuple[StoredInput, Input]] = []
    for entry in entries:
        item = entry.item
        if isinstance(item, Link) and item.reason == NOT_FOLLOWED:
            passed = next((known for known, _ in found if known.state != "fed"), entry)
            found = [pair for pair in found if pair[0].state == "fed"]
            item = replace(item, at=passed.item.at)
        found.append((entry, item))
    return found


def _hold_against(published: Record | None, state: GameState, different: Collection[int]) -> None:
    """`_Contradiction` where what a Session in that state tells next would contradict the published record.

    Only where some input was read in another way: then nothing else needs to be as it was.
    """
    if different and (
        published is None
        or (published.moves, published.fen) != (state.moves, state.fen)
        or published.revision > state.revision
        or _end(published.over) != _end(None if state.over is None else event_object(state.over))
    ):
        raise _Contradiction


def _end(over: Mapping[str, Any] | None) -> tuple[Any, ...] | None:
    return None if over is None else (over.get("winner"), over.get("result"), over.get("reason"))


def _stands_already(published: Record | None, reason: str) -> bool:
    board = None if published is None else published.board
    return board is not None and (board.get("state"), board.get("reason")) == ("failed", reason)


def _state_of(published: Record, board: BoardChanged) -> GameState | None:
    """What was published, as a game's state; None where not even the start was."""
    if published.game is None or published.regulation is None or published.start is None or published.fen is None:
        return None
    return GameState(
        game=published.game,
        regulation=published.regulation,
        start=published.start,
        fen=published.fen,
        moves=published.moves,
        revision=published.revision,
        clock=None if published.clock is None else _event_of(ClockChanged, published.clock),
        board_state=board,
        over=None if published.over is None else _event_of(GameOver, published.over),
        alerts=published.open_alerts,
        players=published.players,
        time_control=published.time_control,
        round=published.round,
        table=published.table,
        match=published.match,
        opening=published.opening,
        notes=tuple(_note_of(ply, published) for ply in published.plies if ply.irregular),
    )


def _note_of(ply: Ply, published: Record) -> PlyNote:
    """What is to be noted of an irregular ply, by its alerts as far as they are still open."""
    alerts = [a for a in published.alerts if a.get("ply") == ply.ply and a.get("kind") in IRREGULAR_MOVES]
    kinds = tuple(alert["kind"] for alert in alerts)
    article = alerts[0].get("article") if alerts else None
    return PlyNote(ply.ply, "black" if ply.side == "black" else "white", ply.fen, kinds, article)


def _event_of(kind: type[E], body: Mapping[str, Any]) -> E:
    return kind(**{item.name: body[item.name] for item in fields(kind) if item.name in body})


def _text_of(arguments: Mapping[str, Any], key: str) -> str | None:
    value = arguments.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} must be a text")
    return value


def _players_of(arguments: Mapping[str, Any]) -> Mapping[str, Any] | None:
    players = arguments.get("players")
    if players is None:
        return None
    if not isinstance(players, dict) or not set(players) <= {"white", "black"}:
        raise ValueError("players must be an object with white and black")
    for side, player in players.items():
        name = player.get("name") if isinstance(player, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"players: {side} must be an object with a name")
        if not isinstance(player.get("public", ""), str):
            raise ValueError(f"players: public of {side} must be a text, the name shown to the public")
    checked: Mapping[str, Any] = cleaned(players, NAME_LENGTH)
    for side, player in checked.items():
        if not player["name"]:
            raise ValueError(f"players: {side} must be an object with a name")
    return checked
