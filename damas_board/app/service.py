"""What a configuration asks for, running: the embedded broker if there is one, the journal, the boards, the files."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from damas_board.app.board import BoardSetup
from damas_board.app.gateway import Gateway, mqtt_relay, new_session, regulation_of
from damas_board.broker.client import Address
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.errors import BrokerStartError
from damas_board.config import BoardSettings, Config, ConfigError
from damas_board.decoding.conversation import Timing
from damas_board.regulations import Regulation
from damas_board.session.header import Header
from damas_board.session.state import GameState
from damas_board.sinks.errors import BrokerError, JournalError, PdnFolderError
from damas_board.sinks.journal import Journal
from damas_board.sinks.pdn import PdnFolder
from damas_board.sinks.salvage import Mending
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_board import Buttons, SerialBoard

log = logging.getLogger(__name__)

START_ERRORS: tuple[type[Exception], ...] = (BoardError, BrokerError, ConfigError)
"""What may be wrong with the boards, the broker or the disk when a service starts; each says so in one line."""


@dataclass(frozen=True, slots=True)
class Service:
    gateway: Gateway
    address: Address
    """The broker, at the port where it really listens."""
    pdn: PdnFolder


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
        pdn = PdnFolder(config.pdn, _regulations(journal), lambda state: _tags(config, state))
        with _named(config, "pdn", "folder"):
            pdn.probe()
        gateway = Gateway(
            journal,
            [setup for _, setup in board_setups(config, begins=begins, speed=speed)],
            relay=mqtt_relay(address, config.meeting, journal, patience=patience),
            on_record=_writer(pdn),
            may_command=config.may_command,
            speed=speed,
        )
        await stack.enter_async_context(gateway)
        yield Service(gateway, address, pdn)


def _mending(config: Config) -> Mending:
    """How a damaged journal is mended: with this program's Sessions, and the boards as they are set up."""
    return Mending(new_session, regulation_of, [board.header for board in config.boards])


@contextmanager
def _named(config: Config, table: str, key: str) -> Iterator[None]:
    """What cannot be used is told with the key of the configuration that names it: ConfigError from the error."""
    try:
        yield
    except (JournalError, PdnFolderError, BrokerStartError) as error:
        raise config.wrong((table, key), f"{key}: {error}") from error


def board_setups(config: Config, *, begins: bool = True, speed: float = 1.0) -> list[tuple[BoardSettings, BoardSetup]]:
    """The boards of a configuration, each with how its source is made; nothing is opened yet."""
    return [(board, _setup(board, begins, speed)) for board in config.boards]


def _setup(board: BoardSettings, begins: bool, speed: float) -> BoardSetup:
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
            )
        ]
        return opened[0]

    def info() -> Mapping[str, Any]:
        hello = opened[0].hello if opened else None
        if hello is None:
            return {"port": board.port}
        return {"port": board.port, "uid": f"{hello.uid:08x}", "firmware": f"{hello.firmware[0]}.{hello.firmware[1]}"}

    def health() -> Mapping[str, Any]:
        known = opened[0].health if opened else None
        return {} if known is None else {**asdict(known.heartbeat), "bad_frames": known.bad_frames}

    return BoardSetup(board.header, source, begins, info, health)


def _regulations(journal: Journal) -> Callable[[GameState], Regulation]:
    def find(state: GameState) -> Regulation:
        headers = [game.header for game in journal.games() if game.game == state.game]
        return regulation_of(headers[0] if headers else Header("", state.regulation))

    return find


def _tags(config: Config, state: GameState) -> dict[str, str]:
    return {"Event": config.meeting, "Date": datetime.now(UTC).strftime("%Y.%m.%d")}


def _writer(pdn: PdnFolder) -> Callable[[GameState], None]:
    def write(state: GameState) -> None:
        try:
            pdn.write(state)
        except OSError as error:  # the journal has the game; a full disk must not stop a board
            log.error("game %s is not written as PDN: %s", state.game, error)

    return write
