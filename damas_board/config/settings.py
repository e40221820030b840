"""What a configuration says once it has been read and checked: values that the program can use as they are."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from damas_board.broker.bridge import Inside, Outside
from damas_board.broker.client import Address
from damas_board.broker.logins import Login
from damas_board.decoding.square_map import Corner, SquareMap
from damas_board.decoding.vision.profile import Profile
from damas_board.messages.access import User, may_command
from damas_board.messages.publication import Terms
from damas_board.regulations import Regulation
from damas_board.regulations.tables import Path as KeyPath
from damas_board.regulations.tables import TableError, line_of, section
from damas_board.session.header import Header
from damas_board.session.inputs import SideName
from damas_board.sources.adapter import Adapter, Options, Place
from damas_board.sources.camera_settings import CameraSettings


class ConfigError(TableError):
    """A configuration that cannot be used: a TableError, one line with file, line and what to do."""


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """The broker in this process: where it listens, and who may come in (the gateway itself included)."""

    host: str
    port: int
    logins: tuple[Login, ...]
    tls: ssl.SSLContext | None


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    """Where the gateway's figures are served for Prometheus."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class BridgeSettings:
    """The way out of the hall for the public subtree: where from, and where to."""

    hall: Inside
    public: Outside


@dataclass(frozen=True, slots=True)
class TableCamera:
    """The camera above a board, and what is known of its view."""

    settings: CameraSettings
    profile: Profile
    files: tuple[tuple[str, Path], ...] = ()
    """What is read of it, by the keys that name it: its profile, a video in its place."""


@dataclass(frozen=True, slots=True)
class TableAdapter:
    """What reads a board of another maker, and how it is set."""

    speaks: str
    """As it is written."""
    adapter: Adapter[Any]
    options: Options
    file: Path | None = None
    """Where its code is, if it is one's own."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """One board: where it is found, how it lies, and what its games begin with."""

    header: Header
    port: str | None
    """Where it is at first; None where it is found by its identity, or has no sensors."""
    corner: Corner
    uid: str | None
    """The only board that is accepted, as text; None takes whichever is at the port."""
    clock_a: SideName
    regulation: Regulation
    sensors: bool
    """Whether there is a sensor board at this table; where there is no camera either, moves and result are entered."""
    camera: TableCamera | None = None
    adapter: TableAdapter | None = None
    """None: the sensor board, if there is one, is of this program's own kind."""

    def place(self, speed: float = 1.0) -> Place:
        """The table as its adapter is told of it; the port must be known."""
        assert self.port is not None
        variant, senses = self.regulation.variant, self.header.senses
        lies = (variant.size, variant.corner, self.corner, senses)
        return Place(self.port, *lies, self.uid, self.clock_a, speed, variant)

    @property
    def square_map(self) -> SquareMap:
        variant = self.regulation.variant
        dark = "all" if self.header.covers == "all" else variant.corner
        return SquareMap(variant.size, dark, self.corner)


@dataclass(frozen=True, slots=True)
class PushSettings:
    """A web server that the pages are put to; `url` ends with "/". See hub/push.py."""

    url: str
    files: tuple[str, ...]
    user: str | None
    password: str | None = field(repr=False)
    tls: ssl.SSLContext | None


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The hub of this file: who it is, where it archives, and, where it publishes, how it serves what is public."""

    user: User
    address: Address
    archive: str = field(repr=False)
    """The database's URL."""
    store: Path
    terms: Terms
    """Of games that are of no round."""
    listen: tuple[str, int] | None
    """None: it serves no pages."""
    tls: ssl.SSLContext | None
    folder: Path | None
    regulations: Mapping[str, Regulation]
    """A club's own, by name."""
    setups: Literal["truncate", "begin_behind"] = "truncate"
    """What becomes in the feeds of a game in which a position was set up."""
    push: tuple[PushSettings, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration that was read and checked. Paths are absolute."""

    path: Path
    meeting: str
    gateway: str
    address: Address
    """Where the gateway connects, and as whom. An embedded broker at port 0 knows its port only when it runs."""
    embedded: EmbeddedSettings | None
    """None where the broker is another program."""
    users: tuple[User, ...]
    logins: tuple[Login, ...] = field(repr=False)
    """Of the users and of the gateway itself, as far as their passwords are known here."""
    journal: Path
    warn_free: int
    """Bytes: less than this free on the journal's disk is told."""
    pdn: Path
    boards: tuple[BoardSettings, ...]
    search: tuple[str, ...] | None
    """Patterns of the ports where boards are looked for; None looks at the USB ports."""
    lines: Mapping[KeyPath, int] = field(repr=False)
    """Where each key stands in the file."""
    bridge: BridgeSettings | None = None
    addresses: Mapping[str, Address] = field(default_factory=dict, repr=False)
    """The broker as each user whose password is known here in clear: who a command may speak as."""
    metrics: MetricsSettings | None = None
    hub: HubSettings | None = None

    def wrong(self, path: KeyPath, message: str) -> ConfigError:
        """The error about what the key at `path` names, which turned out to be of no use."""
        return wrong_key(self.path, self.lines, path, message)

    def may_command(self, user: str, do: str) -> bool:
        """Whether a login may give a command. Where no users are listed the broker alone knows them: all may."""
        if not self.users:
            return True
        ours = () if self.hub is None else (self.hub.user,)
        return any(known.name == user and may_command(known, do) for known in (*self.users, *ours))


def wrong_key(
    file: Path,
    lines: Mapping[KeyPath, int],
    path: KeyPath,
    message: str,
    *,
    key: str | None = None,
    allowed: tuple[str, ...] = (),
) -> ConfigError:
    """The error about the key at `path` of `file`, with its line, or about its table where the key is not written."""
    known = key or (str(path[-1]) if path else None)
    table = path if key else path[:-1]
    return ConfigError(str(file), line_of(lines, path), f"{section(table)}{message}", key=known, allowed=allowed)
