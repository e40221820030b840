"""The gateway: the boards of one machine, their journal and their connection to the broker, for the time of a block."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from damas_board.app.board import Board, BoardSetup, Figures, MakeSession, Objection, SessionLike
from damas_board.app.clock import Clock
from damas_board.app.losses import AllBack, Back, Losses, Lost, ManyLost, News
from damas_board.app.regulation import regulation_of
from damas_board.broker.client import Address, client, instance
from damas_board.messages.envelope import rfc3339
from damas_board.messages.evidence import NoAlertError, evidence, found
from damas_board.messages.requests import (
    COMMANDS,
    RETAINED,
    CommandMessage,
    RequestError,
    RequestMessage,
    evidence_pieces,
    read_command,
    read_request,
    recording_pieces,
    refusal,
    since_pieces,
    unreadable,
)
from damas_board.messages.topics import Kind, id_fields
from damas_board.session.header import Header
from damas_board.session.inputs import Command
from damas_board.session.session import Session
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal, Reply
from damas_board.sinks.mqtt import MqttRelay, Received, row_envelope

log = logging.getLogger(__name__)

__all__ = ["Gateway", "GatewayFigures", "mqtt_relay", "new_session", "regulation_of"]

HEALTH_SECONDS = 10.0
AGAIN_SECONDS = 1.0
AGAIN_LONGEST = 60.0
"""The waits before a board's task that broke goes on from the journal; they double, until it has held for a while."""
STEADY_SECONDS = 60.0
START_SECONDS = 6.0
"""How long the start waits for boards to answer; those that have not by then are waited for while others play."""
STOP_SECONDS = 20.0
"""How long the end waits for a board's task."""
REQUESTS = 100
"""Requests that may wait to be answered; more are refused."""


def new_session(header: Header) -> SessionLike:
    """A Session for a header. ValueError where its regulation or its start cannot be used."""
    return Session(header, regulation_of(header))


def mqtt_relay(address: Address, meeting: str, journal: Journal, *, patience: float | None = 10.0) -> MqttRelay:
    """The relay of the gateway that logs in as `address.user`; see MqttRelay for `patience`."""
    own = instance(journal.utc, str(journal.path))
    identifier = f"damas-{meeting}-{address.user}-{own}"
    broker = f"{address.host}:{address.port}"
    return MqttRelay(
        lambda will: client(address, identifier=identifier, will=will),
        broker,
        meeting,
        address.user,
        journal,
        patience=patience,
        instance=own,
    )


@dataclass(frozen=True, slots=True)
class GatewayFigures:
    """A gateway at present, in plain numbers; cheap enough to be asked for every second."""

    boards: Mapping[str, Figures]
    connected: bool
    connections: int
    published: int
    inbox: int
    outbox: int
    """Events and answers that the broker has not acknowledged yet."""
    unwritten: int
    """Units of work that wait for the journal's file."""
    journal_alarm: bool
    boards_lost: int
    """Of an alarm that several boards were lost at once: those that are not back yet."""
    unknown_boards: int


class Gateway:
    """`async with Gateway(...) as gateway:` restores the boards' games, connects, opens the sources and lets them play.

    A board need not be there at the start: it is shown as down and waited for. Nor need the broker, where a game goes
    on.
    What breaks at one board is told, shown and started again with growing waits; no other board notices.

    Leaving the block feeds what is in the inboxes, gives each record to `on_record`, lets the outbox go out as far as
    the broker takes it, and closes the sources. The journal stays open: it is the caller's. `may_command(user, do)`
    says whether a login may give a command; what the broker's access table can hold is not asked again here. `unknown`
    tells of boards that are there and belong to nobody.
    """

    def __init__(
        self,
        journal: Journal,
        boards: Sequence[BoardSetup],
        *,
        relay: MqttRelay | None = None,
        make_session: MakeSession = new_session,
        on_record: Callable[[GameState], None] | None = None,
        may_command: Callable[[str, str], bool] = lambda user, do: True,
        unknown: Callable[[], Sequence[Mapping[str, Any]]] = tuple,
        speed: float = 1.0,
    ) -> None:
        self.boards: Mapping[str, Board] = {}
        self._journal = journal
        self._setups = tuple(boards)
        self._relay = relay
        self._make_session = make_session
        self._on_record = on_record
        self._may_command = may_command
        self._unknown = unknown
        self._losses = Losses(sum(bool(setup.sources) for setup in self._setups))
        self._speed = speed
        self._requests: asyncio.Queue[RequestMessage] = asyncio.Queue(REQUESTS)
        self._runs: list[asyncio.Task[None]] = []
        self._services: list[asyncio.Task[None]] = []
        self._stopped = asyncio.Event()
        self._leaving = asyncio.Event()
        self._journal_broke = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._clock = Clock(self._journal, self._speed)
        self._journal.on_change = self._journal_changed
        self.boards = {
            setup.header.board: Board(
                setup,
                self._journal,
                self._clock,
                self._make_session,
                self._relay,
                self._on_record,
                self._link_changed,
                self.boards_by_name,
            )
            for setup in self._setups
        }
        try:
            for board in self.boards.values():
                await self._restore(board)
            await self._answer_interrupted()
            if self._relay is not None:
                self._relay.required = not any(board.resumed for board in self.boards.values())
                await self._relay.__aenter__()
        except BaseException:
            self._journal.on_change = _nothing
            raise
        try:
            for board in self.boards.values():
                await board.begin()
        except BaseException:
            await self._close()
            raise
        boards = self.boards.items()
        self._runs = [self._start(self._play(board), f"board {name}") for name, board in boards]
        self._services = [
            self._start(_kept(board.read, f"source of {name}"), f"source of {name}") for name, board in boards
        ]
        self._services.append(self._start(_kept(self._watch_health, "health"), "health"))
        if (relay := self._relay) is not None:
            self._services.append(self._start(_kept(lambda: self._listen(relay), "commands"), "commands"))
            self._services.append(self._start(_kept(lambda: self._serve(relay), "requests"), "requests"))
        try:
            await self._opened()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def _restore(self, board: Board) -> None:
        """Restore a board's game; one whose journal cannot be made anything of is started again by its task."""
        try:
            await board.restore()
        except Exception:
            log.exception("board %s: its game could not be restored; it is tried again", board.name)
            board.broke()

    async def _answer_interrupted(self) -> None:
        """Answer the commands of an earlier run that came, and have no answer."""
        await asyncio.wrap_future(self._journal.flush())
        left = await asyncio.to_thread(self._journal.unanswered)
        for board in self.boards.values():
            await board.settle([command for command in left if command.board == board.name])
        for command in left:
            if command.board not in self.boards:
                body = {"event": "command", "at": self._clock.now(), "id": command.id, "outcome": "refused"}
                body |= {"reason": "interrupted", "by": command.user}
                self._journal.answer_command(Reply(command.user, command.id, body), command.board)

    async def _opened(self) -> None:
        """Wait until each source was tried to be opened once, but not for ever for one that hangs."""
        opening = [asyncio.create_task(board.opened()) for board in self.boards.values()]
        try:
            await asyncio.wait(opening, timeout=START_SECONDS)
        finally:
            await _cancelled(opening)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await _cancelled(self._services)
        self._tell_losses(self._losses.due(self._loop.time(), now=True))
        self._leaving.set()
        for board in self.boards.values():
            await board.stop()
        _, stuck = await asyncio.wait(self._runs, timeout=STOP_SECONDS)
        for task in stuck:
            log.error("%s does not end; what it had left to do is done at the next start", task.get_name())
        await _cancelled(stuck)
        for board in self.boards.values():
            try:
                await board.hand_over()
            except Exception:
                log.exception("board %s: its record could not be handed over", board.name)
            if self._relay is not None and board.figures.sensors:
                self._relay.show_link(board.name, False, self._clock.now(), "gateway_stopped")
        try:
            await asyncio.wrap_future(self._journal.flush())
        finally:
            await self._close()

    def stop(self) -> None:
        """Let `wait` return."""
        self._stopped.set()

    async def wait(self) -> None:
        """Wait for `stop`, or until a task of the gateway, the journal or the relay breaks, which is raised here."""
        stopped = asyncio.create_task(self._stopped.wait())
        watching = [asyncio.create_task(self._journal_breaks())]
        if self._relay is not None:
            watching.append(asyncio.create_task(self._relay.kept()))
        try:
            running: list[asyncio.Task[Any]] = [stopped, *watching, *self._runs, *self._services]
            while not stopped.done():
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                    running.remove(task)
        finally:
            stopped.cancel()
            await _cancelled(watching)

    async def _journal_breaks(self) -> None:
        """Raises what ended the journal's writing for good: without it no board may go on."""
        await self._journal_broke.wait()
        if self._journal.broken is not None:
            raise self._journal.broken

    async def finished(self) -> None:
        """Wait until every source has ended and what it gave has been fed and is durable."""
        for board in self.boards.values():
            await board.finished()

    def boards_by_name(self, name: str) -> Board | None:
        return self.boards.get(name)

    def figures(self) -> GatewayFigures:
        relay, boards = self._relay, {name: board.figures for name, board in self.boards.items()}
        return GatewayFigures(
            boards=boards,
            connected=relay is not None and relay.connected.is_set(),
            connections=0 if relay is None else relay.connections,
            published=0 if relay is None else relay.published,
            inbox=sum(board.inbox for board in boards.values()),
            outbox=self._journal.outbox,
            unwritten=self._journal.unwritten,
            journal_alarm=self._journal.alarm is not None,
            boards_lost=0 if self._losses.alarm is None else len(self._losses.alarm.missing),
            unknown_boards=len(self._unknown()),
        )

    # tasks

    async def _play(self, board: Board) -> None:
        """Run a board; where the gateway's own code breaks, go on from the journal. No other board notices."""
        wait = AGAIN_SECONDS
        running = True
        while running:
            began = self._loop.time()
            leaving = self._leaving.is_set()
            try:
                await board.run()
                running = False
            except Exception:
                log.exception("board %s: its task broke and goes on from the journal", board.name)
                board.broke()
                running = not leaving
            if running:
                wait = AGAIN_SECONDS if self._loop.time() - began >= STEADY_SECONDS else wait
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait(), wait)
                wait = min(2 * wait, AGAIN_LONGEST)

    def _link_changed(self, board: str, up: bool | None, reason: str | None) -> None:
        """A board's link is up, down, or (None) not there from the start."""
        now = self._loop.time()
        if up is None:
            self._losses.away(board)
            return
        self._tell_losses(self._losses.back(board, now) if up else self._losses.lost(board, reason, now))
        if self._losses.deadline is not None:
            self._loop.call_later(self._losses.deadline - now, self._losses_due)

    def _losses_due(self) -> None:
        self._tell_losses(self._losses.due(self._loop.time()))

    def _tell_losses(self, news: Iterable[News]) -> None:
        for item in news:
            match item:
                case Lost():
                    log.warning("board %s: link lost: %s", item.board, item.reason or "no reason known")
                case Back():
                    log.warning("board %s: link back", item.board)
                case ManyLost():
                    line = "%d boards lost at once (%s): is a hub, its supply or its cable unplugged?"
                    log.error(line, len(item.boards), ", ".join(item.boards))
                case AllBack():
                    log.warning("the boards lost at once are back: %s", ", ".join(item.boards))
        if any(isinstance(item, ManyLost | AllBack) for item in news):
            self._show_gateway_health()

    def _show_gateway_health(self) -> None:
        if self._relay is None:
            return
        figures, alarm = self.figures(), self._losses.alarm
        body: dict[str, Any] = {
            **self._journal.condition(),
            "boards": len(figures.boards),
            "boards_up": sum(board.up for board in figures.boards.values()),
            "boards_down": [name for name, board in figures.boards.items() if board.sensors and not board.up],
            "boards_failed": [name for name, board in figures.boards.items() if board.failed],
            "unknown_boards": [dict(board) for board in self._unknown()],
            "inbox": figures.inbox,
            "outbox": figures.outbox,
            "unwritten": figures.unwritten,
        }
        if alarm is not None:
            body["boards_lost"] = {"boards": alarm.boards, "missing": sorted(alarm.missing)}
        self._relay.show_gateway(body, self._clock.now())

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        return asyncio.create_task(work, name=name)

    async def _close(self) -> None:
        for board in self.boards.values():
            await board.close()
        if self._relay is not None:
            await self._relay.__aexit__(None, None, None)
        self._journal.on_change = _nothing

    def _journal_changed(self) -> None:
        """Called from the journal's thread."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(RuntimeError):  # the loop was closed at this moment
            if self._journal.broken is not None:
                self._loop.call_soon_threadsafe(self._journal_broke.set)
            if self._relay is not None:
                self._loop.call_soon_threadsafe(self._relay.wake)

    async def _watch_health(self) -> None:
        """Show the boards' health and the gateway's; at once when the journal's state, or what is unknown, changes.

        Else a few boards each second: all of them together would hold up what is played meanwhile.
        """
        condition: dict[str, Any] = {"journal": "ok"}
        offered: Sequence[Mapping[str, Any]] = ()
        told = -HEALTH_SECONDS
        gateway: Mapping[str, Any] = {}
        waiting: deque[Board] = deque()
        while True:
            now = self._loop.time()
            for kept in self.boards.values():
                kept.keep_lights()
            unknown = self._unknown()
            for board in unknown:
                if board not in offered:
                    line = "a board that no table has: %s at %s; damas-board boards tells the lines that add it"
                    log.warning(line, board["uid"], board["port"])
            present = self._journal.condition()
            if present != condition or unknown != offered or now - told >= HEALTH_SECONDS:
                changed = present != condition
                at_once = changed or unknown != offered
                condition, offered, told = present, unknown, now
                gateway = condition if changed or condition != {"journal": "ok"} else {}
                waiting = deque(self.boards.values())
                self._show_gateway_health()
                _show_some(waiting, len(waiting) if at_once else 0, gateway)
            _show_some(waiting, math.ceil(len(self.boards) / HEALTH_SECONDS), gateway)
            await asyncio.sleep(1.0)

    async def _listen(self, relay: MqttRelay) -> None:
        while True:
            message = await relay.received.get()
            try:
                self._take(relay, message)
            except Exception:
                log.exception("the message on %s cannot be worked with and is passed over", message.topic)

    def _take(self, relay: MqttRelay, message: Received) -> None:
        match message.topic.kind:
            case Kind.COMMAND_BOARD | Kind.COMMAND_GAME:
                self._command(relay, message)
            case Kind.REQUEST:
                self._request(relay, message)
            case _:
                log.warning("a message on %s is not for a gateway", message.topic)

    def _command(self, relay: MqttRelay, message: Received) -> None:
        """Give a command to its board, once; or answer why not."""
        user = message.topic.id("user")
        try:
            command = read_command(message.topic, message.payload)
        except RequestError as error:
            log.warning("a command of %s cannot be read: %s", user, error)
            ids = dict(zip(id_fields(message.topic.kind), message.topic.ids, strict=True))
            if self._has(ids.get("game"), ids.get("board")):
                relay.answer(user, unreadable(self._now_text(), error))
            return
        board = self._board_of(command)
        if board is None:
            return
        objection = self._objection(command, message.retained, board)
        at = self._clock.now()
        if not self._journal.take_command(user, command.id, board.name, at):
            answer = self._journal.command_answer(user, command.id)
            if answer is not None:
                self._journal.answer(user, board.name, at, answer)
            return
        item = Command(at, command.do, command.id, command.arguments, command.by, command.note)
        if objection is None and not board.offer(item):
            objection = Objection("busy", "too much waits to be done at this board; try again later")
        if objection is not None:
            log.warning("command %s %s of %s refused: %s", command.do, command.id, command.by, objection)
            board.refuse(item, objection)

    def _has(self, game: str | None, board: str | None) -> bool:
        """Whether what a message names is this gateway's: no other one answers it."""
        return self._journal.knows_game(game) if game is not None else board in self.boards

    def _board_of(self, command: CommandMessage) -> Board | None:
        """The board that a command is for; None where it is another gateway's."""
        if command.board is not None:
            return self.boards.get(command.board)
        for board in self.boards.values():
            if board.game == command.game:
                return board
        played = next((game for game in self._journal.games() if game.game == command.game), None)
        return None if played is None else self.boards.get(played.board)

    def _objection(self, command: CommandMessage, retained: bool, board: Board) -> Objection | None:
        """Why a command is not carried out."""
        if retained:
            return Objection("retained", RETAINED)
        if command.expires is not None and command.expires < self._earliest_now():
            return Objection("expired", f"it expired at {rfc3339(command.expires)}")
        if command.do not in COMMANDS:
            return Objection("unknown_command")
        if not self._may_command(command.user, command.do):
            return Objection("not_allowed", f"{command.user} may not give this command")
        if command.game is not None and command.game != board.game:
            return Objection("other_game", f"game {command.game} is not on board {board.name} any more")
        return None

    def _earliest_now(self) -> datetime:
        """The wall time now, by the journal or by this machine, whichever is earlier.

        The journal's goes on whatever happens to the machine's clock; who gives a command goes by a clock that may
        have been put right meanwhile. Neither is a reason to call a command too old that has just been given.
        """
        return min(self._journal.wall(self._clock.now()), datetime.now(UTC))

    def _request(self, relay: MqttRelay, message: Received) -> None:
        user = message.topic.id("user")
        try:
            request = read_request(message.topic, message.payload)
        except RequestError as error:
            log.warning("a request of %s cannot be read: %s", user, error)
            if self._has(error.game, error.board):
                relay.answer(user, unreadable(self._now_text(), error))
            return
        if not self._has(request.game, request.board):
            return
        if message.retained:
            relay.answer(user, refusal(self._now_text(), request, "retained", RETAINED))
            return
        try:
            self._requests.put_nowait(request)
        except asyncio.QueueFull:
            relay.answer(
                user, refusal(self._now_text(), request, "busy", "too many requests are waiting; ask again later")
            )

    async def _serve(self, relay: MqttRelay) -> None:
        while True:
            request = await self._requests.get()
            try:
                pieces = await asyncio.to_thread(self._answer, request)
            except Exception:
                log.exception("the request %s of %s cannot be answered", request.id, request.user)
                pieces = [refusal(self._now_text(), request, "failed", "see the log of the gateway")]
            await relay.deliver(request.user, pieces)

    def _answer(self, request: RequestMessage) -> list[bytes]:
        """The pieces of a request's answer; reads the journal, so not in the loop."""
        journal = self._journal
        match request.want:
            case "since":
                stream = f"game/{request.game}" if request.game is not None else f"board/{request.board}"
                known = request.seq if request.epoch in (None, journal.epoch) else 0
                events = (row_envelope(journal, row) for row in journal.events(stream, known))
                return since_pieces(self._now_text(), request, journal.epoch, events)
            case "recording":
                if request.game is None:
                    return [refusal(self._now_text(), request, "bad_argument", '"game" is missing')]
                return recording_pieces(self._now_text(), request, journal.export(request.game))
            case "evidence":
                return self._evidence(request)

    def _evidence(self, request: RequestMessage) -> list[bytes]:
        now = self._now_text()
        if request.game is None or request.alert is None:
            missing = "alert" if request.alert is None else "game"
            return [refusal(now, request, "bad_argument", f'"{missing}" is missing')]
        played = next((game for game in self._journal.games() if game.game == request.game), None)
        if played is None:
            return [refusal(now, request, "no_game", "it cannot be written down at present")]
        course = self._journal.course(played)
        try:
            alert = found(course, request.alert)
        except NoAlertError as error:
            return [refusal(now, request, "no_such_alert", str(error))]
        return evidence_pieces(now, request, evidence(course, alert, regulation_of(played.header).variant))

    def _now_text(self) -> str:
        return rfc3339(self._journal.wall(self._clock.now()))


def _show_some(waiting: deque[Board], count: int, gateway: Mapping[str, Any]) -> None:
    """Let the next boards show their health."""
    for _ in range(min(count, len(waiting))):
        waiting.popleft().show_health(gateway)


async def _kept(work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
    """Do `work` until it ends by itself; where it breaks, tell it and begin again, with growing waits."""
    loop = asyncio.get_running_loop()
    wait = AGAIN_SECONDS
    ended = False
    while not ended:
        began = loop.time()
        try:
            await work()
            ended = True
        except Exception:
            log.exception("%s broke and is started again", name)
            wait = AGAIN_SECONDS if loop.time() - began >= STEADY_SECONDS else wait
            await asyncio.sleep(wait)
            wait = min(2 * wait, AGAIN_LONGEST)


async def _cancelled(tasks: Iterable[asyncio.Task[None]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _nothing() -> None:
    """What the journal calls while nobody listens."""
