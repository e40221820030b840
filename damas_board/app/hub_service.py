"""The hub that a configuration asks for, running: archive, what is public already, its connections and its pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import aiomqtt

from damas_board.broker.client import Address, client, instance
from damas_board.config import Config
from damas_board.config.settings import HubSettings
from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.errors import HubError
from damas_board.hub.hub import Hub, Publishing
from damas_board.hub.public_store import PublicStore
from damas_board.regulations import Regulation, shipped


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
        publishing = Publishing(store, settings.terms, settings.listen, settings.tls, settings.folder)
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
