"""What a configuration asks for, running: the embedded broker if there is one, the journal, the boards, the files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from damas_board.app.board import BoardSetup
from damas_board.app.camera import CameraSetup, check_installed
from damas_board.app.gateway import Gateway, mqtt_relay, new_session, regulation_of
from damas_board.app.metrics import MetricsError, metrics_served
from damas_board.app.records import RecordWriter
from damas_board.broker.client import Address
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.errors import BrokerStartError
from damas_board.config import BoardSettings, Config, ConfigError
from damas_board.config.settings import TableAdapter
from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.regulations import Regulation
from damas_board.session.header import Header
from damas_board.session.state import GameState
from damas_board.sinks.errors import BrokerError, JournalError, PdnFolderError
from damas_board.sinks.journal import Journal
from damas_board.sinks.pdn import PdnFolder
from damas_board.sinks.salvage import Mending
from damas_board.sources.adapter import AdaptedSource
from damas_board.sources.adapters import USB_NAMES
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import Asked, Candidates, Finder
from damas_board.sources.foreign_ports import ForeignPorts
from damas_board.sources.reconnection import Backoff, Foreign, is_local
from damas_board.sources.serial_board import Buttons, SerialBoard
from damas_board.sources.spoken_board import SpokenBoard
from damas_board.tracking.sight import SightReader

if TYPE_CHECKING:
    from damas_board.app.hub_service import KeptHub

START_ERRORS: tuple[type[Exception], ...] = (BoardError, BrokerError, ConfigError)
"""What may be wrong with the boards, the broker or the disk when a service starts; each says so in one line."""


@dataclass(frozen=True, slots=True)
class Service:
    gateway: Gateway
    address: Address
    """The broker, at the port where it really listens."""
    pdn: PdnFolder
    hub: KeptHub | None = None


@asynccontextmanager
async def serving(
    config: Config, *, begins: bool = True, speed: float = 1.0, patience: float | None = 10.0
) -> AsyncIterator[Service]:
    """Runs `config` for the time of the block; one of START_ERRORS if something cannot be used.

    `begins`: the boards' first games start at once, else each waits for a `new_game`. `speed` is that of the clock,
    for boards in software. `patience`: how long, seconds, to wait for a broker before that is an error.
    """
    async with AsyncExitStack() as stack:
        address = config.address
        if config.embedded is not None:
            settings = config.embedded
            broker = EmbeddedBroker(settings.logins, host=settings.host, port=settings.port, tls=settings.tls)
            with _named(config, "broker", "port"):
                await stack.enter_async_context(broker)
            address = address.at(broker.port)
        with _named(config, "journal", "path"):
            journal = stack.enter_context(Journal.open(config.journal, _mending(config)))
        pdn = PdnFolder(config.pdn, _regulations(journal), lambda state: _tags(config, journal, state))
        with _named(config, "pdn", "folder"):
            pdn.probe()
        journal.warn_free = config.warn_free
        writer = await stack.enter_async_context(RecordWriter(pdn))
        finder = stack.enter_context(board_finder(config))
        hub = None
        if config.hub is not None:  # loaded only where there is one: it needs a database
            from damas_board.app.hub_service import KeptHub

            hub = await stack.enter_async_context(KeptHub(config, address, patience=patience))
        gateway = Gateway(
            journal,
            [setup for _, setup in board_setups(config, begins=begins, speed=speed, finder=finder)],
            relay=mqtt_relay(address, config.meeting, journal, patience=patience),
            on_record=writer,
            may_command=config.may_command,
            unknown=partial(_unknown, config, finder),
            speed=speed,
        )
        await stack.enter_async_context(gateway)
        if config.metrics is not None:
            with _named(config, "metrics", "port"):
                await stack.enter_async_context(
                    metrics_served(gateway.figures, config.gateway, config.meeting, config.metrics)
                )
        yield Service(gateway, address, pdn, hub)


def _mending(config: Config) -> Mending:
    """How a damaged journal is mended: with this program's Sessions, and the boards as they are set up."""
    return Mending(new_session, regulation_of, [board.header for board in config.boards])


@contextmanager
def _named(config: Config, table: str, key: str) -> Iterator[None]:
    """What cannot be used is told with the key of the configuration that names it: ConfigError from the error."""
    try:
        yield
    except (JournalError, PdnFolderError, BrokerStartError, MetricsError) as error:
        raise config.wrong((table, key), f"{key}: {error}") from error


def board_finder(config: Config) -> AbstractContextManager[Finder | None]:
    """What looks for the boards that the configuration knows by their identity; nothing where it knows none so."""
    known = [board for board in config.boards if board.uid is not None and board.adapter is None]
    if not known and config.search is None:
        return nullcontext()
    named = [board.port for board in known if board.port is not None]
    anywhere = any(board.port is None for board in known)
    reserved = [board.port for board in config.boards if board.uid is None and board.port is not None]
    foreign = foreign_ports(config).among
    return Finder(Candidates(named, config.search, everything=anywhere), reserved=reserved, foreign=foreign)


def foreign_ports(config: Config | None) -> ForeignPorts:
    """The ports that are no business of whoever looks for boards of our own."""
    boards = () if config is None else config.boards
    adapted = [(board.port, board.adapter) for board in boards if board.adapter is not None]
    names = {name for _, adapter in adapted for name in adapter.adapter.usb_names}
    return ForeignPorts([port for port, _ in adapted if port is not None], [*USB_NAMES, *sorted(names)])


def board_setups(
    config: Config, *, begins: bool = True, speed: float = 1.0, finder: Finder | None = None
) -> list[tuple[BoardSettings, BoardSetup]]:
    """The boards of a configuration, each with how its sources are made; nothing is opened yet.

    ConfigError where a table has a camera, and what reads pictures is not installed.

    `finder`: the running one of `board_finder`, for the boards that are found by their identity.
    """
    check_installed(config)
    foreign = foreign_ports(config).among
    setups = [(board, _setup(board, begins, speed, finder, foreign)) for board in config.boards]
    return [(board, _watched(board, setup, speed)) for board, setup in setups]


def described(asked: Asked) -> dict[str, Any]:
    """What is known of a board at a port, for readers: empty keys are left out."""
    body: dict[str, Any] = {"port": asked.port, "uid": asked.uid}
    if (hello := asked.hello) is not None:
        body["firmware"] = ".".join(map(str, hello.firmware))
        body |= {"places": hello.places, "geometry": hello.geometry, "levels": hello.levels}
    return {key: value for key, value in body.items() if value is not None}


def _unknown(config: Config, finder: Finder | None) -> list[dict[str, Any]]:
    """The boards that are there and that no table of the configuration has."""
    known = {board.uid for board in config.boards}
    asked = () if finder is None else finder.asked()
    return [described(port) for port in asked if port.state == "free" and port.uid not in known]


def _watched(board: BoardSettings, setup: BoardSetup, speed: float) -> BoardSetup:
    """With the camera, where there is one above the table."""
    if board.camera is None:
        return setup
    camera = CameraSetup(board, board.camera, speed)
    return replace(
        setup,
        camera=camera.make,
        info=lambda: {**setup.info(), **camera.info()},
        health=lambda: {**setup.health(), **camera.health()},
        keep=None if board.camera.settings.keep is None else camera.keep,
    )


def _setup(board: BoardSettings, begins: bool, speed: float, finder: Finder | None, foreign: Foreign) -> BoardSetup:
    if not board.sensors:
        return BoardSetup(board.header, None, begins)
    if board.adapter is not None:
        return _adapted(board, board.adapter, begins, speed)
    findable = board.port is None or is_local(board.port)
    opened: list[SerialBoard] = []

    def source(now: Callable[[], float]) -> SerialBoard:
        opened[:] = [
            SerialBoard(
                board.port,
                board.square_map,
                now,
                uid=board.uid,
                senses=board.header.senses,
                buttons=Buttons(clock_a=board.clock_a),
                timing=Timing().scaled(speed),
                backoff=Backoff.scaled(speed),
                finder=finder if findable else None,
                foreign=foreign,
            )
        ]
        return opened[0]

    def info() -> Mapping[str, Any]:
        hello = opened[0].hello if opened else None
        if hello is None:
            return {} if board.port is None else {"port": board.port}
        return {"port": opened[0].port, "uid": hello.identity, "firmware": ".".join(map(str, hello.firmware))}

    def health() -> Mapping[str, Any]:
        known = opened[0].health if opened else None
        if known is None:
            return {}
        counters = asdict(known.heartbeat)
        del counters["unstable"]  # places; which squares these are is told beside it
        buttons = sorted(button.name.lower() for button in known.unstable_buttons)
        return {**counters, "bad_frames": known.bad_frames, "unstable_buttons": buttons}

    lit = lit_places(board)

    def light(colour: wire.Colour, squares: Sequence[int]) -> None:
        hello = opened[0].hello if opened else None
        if hello is not None and hello.caps & wire.Cap.LIGHTS:
            opened[0].light(colour, frozenset(lit[square] for square in squares if square in lit))

    return BoardSetup(board.header, source, begins, info, health, light)


def _adapted(board: BoardSettings, adapter: TableAdapter, begins: bool, speed: float) -> BoardSetup:
    """A table whose board an adapter reads; it has no lights."""
    place = board.place(speed)
    opened: list[AdaptedSource] = []

    def source(now: Callable[[], float]) -> AdaptedSource:
        made = adapter.adapter.make(place, adapter.options, now)
        if isinstance(made, SpokenBoard) and made.size is None:
            made.size = place.size
        opened[:] = [made]
        return made

    def info() -> Mapping[str, Any]:
        known = opened[0].info() if opened else {"port": place.port}
        return {**known, "speaks": adapter.adapter.name}

    return BoardSetup(board.header, source, begins, info, lambda: opened[0].health() if opened else {})


def lit_places(board: BoardSettings) -> dict[int, int]:
    """By the squares of its games the places of a board, which may lie turned."""
    squares, size, turn = board.square_map.squares, board.square_map.size, board.header.turn
    reader = SightReader(regulation_of(board.header).variant.geometry, turn)
    return {
        reader.square_at((size - 1 - square // size) * size + square % size): place
        for place, square in enumerate(squares, 1)
    }


def _regulations(journal: Journal) -> Callable[[GameState], Regulation]:
    def find(state: GameState) -> Regulation:
        headers = [game.header for game in journal.games() if game.game == state.game]
        return regulation_of(headers[0] if headers else Header("", state.regulation))

    return find


def _tags(config: Config, journal: Journal, state: GameState) -> dict[str, str]:
    """The date is that of the game's beginning, on the journal's scale: a wall clock that is put changes nothing."""
    began = next((game.at for game in journal.games() if game.game == state.game), journal.last_at)
    return {"Event": config.meeting, "Date": journal.wall(began).strftime("%Y.%m.%d")}
