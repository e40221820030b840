"""The gateway: the boards of one machine, their journal and their connection to the broker, for the time of a block."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from damas_board import regulations
from damas_board.app.board import Board, BoardSetup, MakeSession, Objection, SessionLike
from damas_board.app.clock import Clock
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
from damas_board.regulations import Regulation
from damas_board.session.header import Header
from damas_board.session.inputs import Command
from damas_board.session.session import Session
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import MqttRelay, Received, row_envelope

log = logging.getLogger(__name__)

HEALTH_SECONDS = 10.0
AGAIN_SECONDS = 1.0
REQUESTS = 100
"""Requests that may wait to be answered; more are refused."""


def regulation_of(header: Header) -> Regulation:
    """The regulation that a header names, or brings along. ValueError where it cannot be used."""
    if header.regulation_text is not None:
        return regulations.parse(header.regulation_text, header.regulation)
    try:
        return regulations.shipped(header.regulation)
    except KeyError as error:
        raise ValueError(error.args[0]) from error


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


class Gateway:
    """`async with Gateway(...) as gateway:` restores the boards' games, connects, opens the sources and lets them play.

    A game that goes on needs neither its board nor its broker to be there at the start: both are waited for.

    Leaving the block feeds what is in the inboxes, gives each record to `on_record`, lets the outbox go out as far as
    the broker takes it, and closes the sources. The journal stays open: it is the caller's. `may_command(user, do)`
    says whether a login may give a command; what the broker's access table can hold is not asked again here.
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
        speed: float = 1.0,
    ) -> None:
        self.boards: Mapping[str, Board] = {}
        self._journal = journal
        self._setups = tuple(boards)
        self._relay = relay
        self._make_session = make_session
        self._on_record = on_record
        self._may_command = may_command
        self._speed = speed
        self._requests: asyncio.Queue[RequestMessage] = asyncio.Queue(REQUESTS)
        self._runs: list[asyncio.Task[None]] = []
        self._services: list[asyncio.Task[None]] = []
        self._stopped = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._clock = Clock(self._journal, self._speed)
        self._journal.on_change = self._journal_changed
        self.boards = {
            setup.header.board: Board(
                setup, self._journal, self._clock, self._make_session, self._relay, self._on_record
            )
            for setup in self._setups
        }
        try:
            for board in self.boards.values():
                await board.restore()
            if self._relay is not None:
                self._relay.required = not any(board.resumed for board in self.boards.values())
                await self._relay.__aenter__()
        except BaseException:
            self._journal.on_change = _nothing
            raise
        try:
            await _all(board.open() for board in self.boards.values())
            for board in self.boards.values():
                await board.begin()
        except BaseException:
            await self._close()
            raise
        self._runs = [self._start(_play(board), f"board {name}") for name, board in self.boards.items()]
        self._services = [self._start(board.read(), f"source of {name}") for name, board in self.boards.items()]
        self._services.append(self._start(self._watch_health(), "health"))
        if self._relay is not None:
            self._services.append(self._start(self._listen(self._relay), "commands"))
            self._services.append(self._start(self._serve(self._relay), "requests"))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await _cancelled(self._services)
        for board in self.boards.values():
            await board.stop()
        await asyncio.wait(self._runs)
        for board in self.boards.values():
            await board.hand_over()
            if self._relay is not None:
                self._relay.show_link(board.name, False, self._clock.now(), "gateway_stopped")
        await asyncio.wrap_future(self._journal.flush())
        await self._close()

    def stop(self) -> None:
        """Let `wait` return."""
        self._stopped.set()

    async def wait(self) -> None:
        """Wait for `stop`, or until a task of the gateway breaks, which is raised here."""
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            running: list[asyncio.Task[Any]] = [stopped, *self._runs, *self._services]
            while not stopped.done():
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                    running.remove(task)
        finally:
            stopped.cancel()

    async def finished(self) -> None:
        """Wait until every source has ended and what it gave has been fed and is durable."""
        for board in self.boards.values():
            await board.source_ended.wait()
            await board.drained()

    # tasks

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
        if self._relay is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._relay.wake)

    async def _watch_health(self) -> None:
        """Show the boards' health, and at once when the journal cannot be written or can be again."""
        alarm: str | None = None
        told = -HEALTH_SECONDS
        while True:
            now = self._loop.time()
            if self._journal.alarm != alarm or now - told >= HEALTH_SECONDS:
                changed = self._journal.alarm != alarm
                alarm, told = self._journal.alarm, now
                gateway = {"journal": alarm or "ok"} if alarm is not None or changed else {}
                for board in self.boards.values():
                    board.show_health(gateway)
            await asyncio.sleep(1.0)

    async def _listen(self, relay: MqttRelay) -> None:
        while True:
            message = await relay.received.get()
            match message.topic.kind:
                case Kind.COMMAND_BOARD | Kind.COMMAND_GAME:
                    await self._command(relay, message)
                case Kind.REQUEST:
                    self._request(relay, message)
                case _:
                    log.warning("a message on %s is not for a gateway", message.topic)

    async def _command(self, relay: MqttRelay, message: Received) -> None:
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
        at = self._clock.now()
        if not self._journal.take_command(user, command.id, board.name, at):
            answer = self._journal.command_answer(user, command.id)
            if answer is not None:
                self._journal.answer(user, board.name, at, answer)
            return
        objection = self._objection(command, message.retained, board)
        item = Command(at, command.do, command.id, command.arguments, command.by, command.note)
        if objection is None:
            await board.give(item)
        else:
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
        if command.expires is not None and command.expires < self._journal.wall(self._clock.now()):
            return Objection("expired", f"it expired at {rfc3339(command.expires)}")
        if command.do not in COMMANDS:
            return Objection("unknown_command")
        if not self._may_command(command.user, command.do):
            return Objection("not_allowed", f"{command.user} may not give this command")
        if command.game is not None and command.game != board.game:
            return Objection("other_game", f"game {command.game} is not on board {board.name} any more")
        return None

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
            await relay.deliver(request.user, await asyncio.to_thread(self._answer, request))

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


async def _all(openings: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of them, side by side; what the first one raised is raised when all are done."""
    for result in await asyncio.gather(*openings, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


async def _play(board: Board) -> None:
    """Run a board; where the gateway's own code breaks, go on from the journal. No other board notices."""
    running = True
    while running:
        running = not await _ran(board)
        if running:
            await asyncio.sleep(AGAIN_SECONDS)


async def _ran(board: Board) -> bool:
    """False where the board's task broke."""
    try:
        await board.run()
    except Exception:
        log.exception("board %s: its task broke and goes on from the journal", board.name)
        return False
    return True


async def _cancelled(tasks: Iterable[asyncio.Task[None]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _nothing() -> None:
    """What the journal calls while nobody listens."""
