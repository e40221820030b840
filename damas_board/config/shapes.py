"""The tables of a configuration file as they are written: the keys, of which type, and what each alone may be."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    create_model,
    field_validator,
)

from damas_board.decoding.square_map import Corner
from damas_board.messages.access import Role
from damas_board.messages.topics import checked_id
from damas_board.notation.time_control import read_time_control
from damas_board.session.header import Senses, Settings, Starts
from damas_board.session.inputs import SideName

LONGEST_BOARD_ID = 24
LARGEST_UID = 2**32 - 1
ANY_PORT = "auto"
"""A board's `port` where it is found by its `uid`; leaving it out says the same."""
_HEX = re.compile(r"(?:0x)?([0-9a-f]{1,8})")
_OWN_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._:-]{0,39}")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Id = Annotated[str, AfterValidator(lambda value: checked_id(value))]
Port = Annotated[int, Field(ge=0, le=65535)]


class Secret(Strict):
    password: str | None = Field(default=None, repr=False)
    password_file: str | None = None
    password_env: str | None = None


class EmbeddedTable(Strict):
    kind: Literal["embedded"] = "embedded"
    listen: str = "127.0.0.1"
    port: Port = 1883
    certificate: str | None = None
    key: str | None = None
    plain_text: bool = False
    """Listen beyond this machine without encryption all the same."""


class ServerTable(Secret):
    kind: Literal["server"]
    host: str
    port: Port = 1883
    user: str | None = None
    tls: bool = False
    ca: str | None = None
    plain_text: bool = False
    """Log in at another machine without encryption all the same."""


class BridgeTable(Secret):
    host: str
    port: Port = 8883
    user: str
    tls: bool = True
    ca: str | None = None
    plain_text: bool = False
    """Log in there without encryption all the same."""


class JournalTable(Strict):
    path: str = "damas-board.sqlite"
    warn_free: Annotated[int, Field(ge=0)] = 256
    """MiB: less than this free on the journal's disk is told."""


class MetricsTable(Strict):
    listen: str = "127.0.0.1"
    port: Port = 9464
    plain_text: bool = False


class PdnTable(Strict):
    folder: str = "pdn"


Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
SettingsTable: Any = create_model(
    "SettingsTable", __base__=Strict, **{f.name: (Seconds, f.default) for f in fields(Settings)}
)  # type: ignore[call-overload]


def identity(value: object) -> str:
    """A board's identity as text, eight hexadecimal digits, from such a text or from a number. ValueError."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_UID:
        return f"{value:08x}"
    if isinstance(value, str) and (found := _HEX.fullmatch(value.strip().lower())) is not None:
        return found[1].zfill(8)
    raise ValueError(f"{value!r} is no identity: up to eight hexadecimal digits, as damas-board boards tells them")


def own_name(value: object) -> str:
    """What a board of another maker calls itself, a serial number mostly. ValueError."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if _OWN_NAME.fullmatch(text) is None:
        raise ValueError(f"{value!r} is no serial number: up to 40 letters and digits, as the board itself tells it")
    return text


class PortsTable(Strict):
    search: tuple[str, ...] = Field(min_length=1)


Adjust = Annotated[
    Literal["lock", "auto"] | Annotated[float, Field(allow_inf_nan=False, strict=True)],
    Field(union_mode="left_to_right"),
]
"""Of a camera's own adjustments: as it has found it, then unchanged; left to it; or the driver's number."""


class CameraTable(Strict):
    device: Annotated[int, Field(ge=0, strict=True)] | str | None = None
    """A camera's number, its path, a stream's address, or a video file."""
    device_file: str | None = None
    """A file that has the address, where a password is in it."""
    profile: str
    width: Annotated[int, Field(ge=1)] | None = None
    height: Annotated[int, Field(ge=1)] | None = None
    fps: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    exposure: Adjust = "lock"
    white_balance: Adjust = "lock"
    focus: Adjust = "lock"
    keep: str | None = None
    """A folder for pictures of changes and alerts; None keeps none."""
    keep_megabytes: Annotated[int, Field(ge=1)] = 500


class AdapterTable(BaseModel):
    """Beside `speaks` stand the adapter's own options, which are read when it is known."""

    model_config = ConfigDict(extra="allow", frozen=True)

    speaks: str
    """The name of an adapter of the program, or a .py file of one's own."""


class BoardTable(Strict):
    id: Id
    adapter: AdapterTable | None = None
    """Before `uid`, which is read by it."""
    port: str | None = None
    regulation: str
    senses: Senses | None = None
    """None: what is usual for what stands at the table."""
    covers: Literal["playable", "all"] = "playable"
    turn: Literal[0, 90, 180, 270] = 0
    corner: Corner = "black-left"
    table: str | None = None
    uid: str | None = None
    sensors: bool = True
    recorded: bool = True
    clock: str | None = None
    clock_a: SideName = "white"
    starts: Starts = "at_once"
    settings: SettingsTable = SettingsTable()
    camera: CameraTable | None = None

    @field_validator("id")
    @classmethod
    def _usable(cls, value: str) -> str:
        if len(value) > LONGEST_BOARD_ID:
            raise ValueError(f'"{value}" is too long: a board\'s id has at most {LONGEST_BOARD_ID} letters')
        return value

    @field_validator("uid", mode="before")
    @classmethod
    def _named(cls, value: object, info: ValidationInfo) -> str | None:
        if value is None or "adapter" not in info.data:  # where [board.adapter] is wrong, that is what is told
            return None
        return identity(value) if info.data["adapter"] is None else own_name(value)

    @field_validator("clock")
    @classmethod
    def _time_control(cls, value: str | None) -> str | None:
        if value is not None:
            read_time_control(value)
        return value


class UserTable(Secret):
    name: Id
    role: Role
    boards: tuple[Id, ...] = ()
    games: tuple[str, ...] = ()
    publishes: bool | None = None


class PushTable(Secret):
    url: str
    files: tuple[str, ...] = Field(default=("feed/*",), min_length=1)
    """Patterns of the files' names, as in the folder `feeds`."""
    user: str | None = None
    """None: the password is a bearer's token."""
    ca: str | None = None
    plain_text: bool = False
    """Send beyond this machine without encryption all the same."""


class HubTable(Strict):
    user: Id | None = None
    archive: str | None = None
    archive_env: str | None = None
    store: str = "publication.sqlite"
    delay: Seconds = 0.0
    clocks: bool = True
    pages: bool = True
    """Serve the public pages."""
    listen: str = "127.0.0.1"
    port: Port = 8080
    certificate: str | None = None
    key: str | None = None
    plain_text: bool = False
    """Listen beyond this machine without encryption all the same."""
    feeds: str | None = None
    feed_setups: Literal["truncate", "begin_behind"] = "truncate"
    """What becomes in the feeds of a game in which a position was set up: it ends before it, or begins behind it."""
    push: tuple[PushTable, ...] = ()
    """Web servers that the pages are put to."""
    regulations: tuple[str, ...] = ()


class File(Strict):
    meeting: Id
    gateway: Id = "gateway"
    broker: Annotated[EmbeddedTable | ServerTable, Field(discriminator="kind")] = EmbeddedTable()
    bridge: BridgeTable | None = None
    journal: JournalTable = JournalTable()
    pdn: PdnTable = PdnTable()
    metrics: MetricsTable | None = None
    ports: PortsTable | None = None
    hub: HubTable | None = None
    board: tuple[BoardTable, ...] = ()
    user: tuple[UserTable, ...] = ()
