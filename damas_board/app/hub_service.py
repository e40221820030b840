"""The hub that a configuration asks for, running: archive, what is public already, its connections and its pages.

Beside a gateway (`KeptHub`) a hub that breaks is told and started again: the boards of the hall go on meanwhile, and
what was played is archived and published then.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import aiomqtt

from damas_board.broker.client import Address, client, instance
from damas_board.broker.logins import is_hash, password_matches
from damas_board.config import Config
from damas_board.config.settings import HubSettings
from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.console import Person
from damas_board.hub.errors import HubError
from damas_board.hub.hub import Hub, Publishing
from damas_board.hub.public_store import PublicStore
from damas_board.hub.push import Target
from damas_board.regulations import Regulation, shipped
from damas_board.sources.reconnection import Backoff

log = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
AGAIN_LONGEST = 60.0
"""The waits before a hub that broke is started again; they double, until it has held for a while."""
STEADY_SECONDS = 60.0


class KeptHub:
    """`async with KeptHub(...) as kept:` keeps a hub running until the end of the block, whatever breaks in it.

    Entering raises as `hub_running`; what is wrong later is logged, and tried again with growing waits.
    """

    def __init__(self, config: Config, hall: Address, *, patience: float | None = 10.0) -> None:
        self.hub: Hub | None = None
        """The one that runs; None while there is none."""
        self.breaks = 0
        self._running = partial(hub_running, config, hall, patience=patience)
        self._leaving = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._keep(), name="hub")
        try:
            await self._first
        except BaseException:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        if self.hub is not None:
            self.hub.stop()
        await self._task

    async def _keep(self) -> None:
        time = asyncio.get_running_loop().time
        waits = Backoff(AGAIN_SECONDS, 2.0, AGAIN_LONGEST)
        while not self._leaving.is_set():
            began = time()
            try:
                async with self._running() as self.hub:
                    if self._first.done():
                        log.warning("the hub runs again")
                    else:
                        self._first.set_result(None)
                    await self.hub.wait()
            except Exception as error:
                if not self._first.done():
                    self._first.set_exception(error)
                    return
                self.breaks += 1
                log.exception("the hub broke: nothing is archived or published until it runs again; the boards go on")
            finally:
                self.hub = None
            if time() - began >= STEADY_SECONDS:
                waits.reset()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), waits.next())


@asynccontextmanager
async def hub_running(config: Config, hall: Address, *, patience: float | None = 10.0) -> AsyncIterator[Hub]:
    """The hub of a file that has [hub], for the time of the block; ConfigError if something cannot be used.

    `hall` says at which port the broker really listens. `patience` as for the gateway.
    """
    settings = config.hub
    if settings is None:
        raise config.wrong((), "there is no [hub]")
    address = replace(settings.address, host=hall.host, port=hall.port)
    with _named(config, "archive"):
        archive = Archive.open(settings.archive)
    try:
        if not settings.user.publishes:
            async with _running(config, settings, address, archive, None, patience) as hub:
                yield hub
            return
        with _named(config, "store"):
            store = PublicStore(settings.store)
        publishing = Publishing(
            store,
            settings.terms,
            settings.listen,
            settings.tls,
            settings.folder,
            tuple(_people(config)),
            _sessions(settings.store),
            settings.setups,
            tuple(Target(to.url, to.files, to.user, to.password, to.tls) for to in settings.push),
        )
        with store:
            async with _running(config, settings, address, archive, publishing, patience) as hub:
                yield hub
    finally:
        archive.close()


@asynccontextmanager
async def _running(
    config: Config,
    settings: HubSettings,
    address: Address,
    archive: Archive,
    publishing: Publishing | None,
    patience: float | None,
) -> AsyncIterator[Hub]:
    hub = Hub(
        _clients(config.meeting, address, settings.store),
        settings.user.name,
        config.meeting,
        archive,
        publishing=publishing,
        regulations=_regulations(settings),
        patience=patience,
    )
    entered = False
    try:
        async with hub:
            entered = True
            yield hub
    except HubError as error:
        if entered:
            raise
        raise config.wrong(("hub", _key_of(error)), str(error)) from error


def _people(config: Config) -> Iterator[Person]:
    """Who may log in to the console: the arbiters and organisers of the file whose passwords are known here."""
    for known in config.logins:
        name, role = known.user.name, known.user.role
        if role == "arbiter" or role == "organiser":
            clear = config.addresses.get(name)
            proves = None if clear is None or clear.password is None else partial(_made_of, clear.password)
            yield Person(name, role, partial(password_matches, stored=known.password), known.password, proves)


def _made_of(password: str, proof: str) -> bool:
    """A password that stands in a file in clear is hashed anew at each start, another one each time."""
    return is_hash(proof) and password_matches(password, proof)


def _sessions(store: Path) -> Path:
    """Where it is kept who is logged in: beside what is public already."""
    return store.with_name(f"{store.stem}-console{store.suffix}")


def _key_of(error: HubError) -> str:
    return "user" if error.key in ("hub_login", "hub_broker_away") else "port"


def _clients(meeting: str, address: Address, store: Path) -> Callable[[str], aiomqtt.Client]:
    """Two connections of one login, each under an identifier of its own, which no other hub of that login has."""
    own = instance(str(store))
    return lambda purpose: client(address, identifier=f"damas-{meeting}-{address.user}-{purpose}-{own}")


def _regulations(settings: HubSettings) -> Callable[[str], Regulation]:
    return lambda name: settings.regulations[name] if name in settings.regulations else shipped(name)


@contextmanager
def _named(config: Config, key: str) -> Iterator[None]:
    try:
        yield
    except (ArchiveError, HubError) as error:
        raise config.wrong(("hub", key), f"{key}: {error}") from error
