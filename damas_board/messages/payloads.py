"""What the payloads on each topic say beside the envelope; events and the game's state have their own types.

These are the contract for readers and the source of the JSON Schemas. Readers ignore keys that they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from damas_board.session.header import Senses, Starts
from damas_board.session.state import PlyNote


@dataclass(frozen=True, slots=True)
class GatewayState:
    """`offline` is the last will of the gateway's one connection: its `ts` is then the time of the connection."""

    gateway: str
    state: Literal["online", "offline"]
    instance: str | None = None
    """Which of several gateways of that name, where there are: the same for a journal on a machine."""


@dataclass(frozen=True, slots=True)
class GatewayHealth:
    """How a gateway fares, told when it changes and from time to time; figures stand beside these keys."""

    gateway: str
    journal: str
    """`ok`, or what keeps the journal from being written."""
    boards: int
    boards_up: int
    boards_down: tuple[str, ...] = ()
    boards_failed: tuple[str, ...] = ()
    boards_lost: Mapping[str, Any] | None = None
    """Several boards lost at once, one alarm: `{boards: [...], missing: [...], since}`; gone when all are back."""
    unknown_boards: tuple[Mapping[str, Any], ...] = ()
    """Boards that no table of the configuration names: `{port, uid, places, geometry, levels, firmware}`."""
    inbox: int = 0
    """Inputs of all boards that wait to be taken."""
    outbox: int = 0
    """Events and answers that the broker has not acknowledged yet."""
    unwritten: int = 0
    """Units of work that wait for the journal's file."""
    journal_warning: str | None = None
    """What is wrong soon: a code (docs/codes.md)."""
    journal_mended: Mapping[str, Any] | None = None
    """The journal was damaged when the gateway started: `{damage, inputs, last: {board: at}, aside?, games?}`; the
    number of lost inputs, the newest readable one of each board, where the damaged one is, the games told anew."""


@dataclass(frozen=True, slots=True)
class BoardLink:
    """Whether the board is connected to its gateway; a board whose gateway is offline is down.

    `none`: a table that nothing watches, whose moves are entered. `reason` is a code (docs/codes.md).
    """

    link: Literal["up", "down", "none"]
    gateway: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """What the board is; device facts (size, firmware, identity, ...) stand beside these keys."""

    senses: Senses
    covers: Literal["playable", "all"]
    turn: Literal[0, 90, 180, 270]
    gateway: str
    sensors: bool = True
    """False: a table that neither sensors nor a camera watch."""
    regulation: str | None = None
    """By which its games are played that name none; it is made for the squares of this one."""
    table: str | None = None
    port: str | None = None
    uid: str | None = None
    """The board's identity, eight hexadecimal digits; of a board of another maker what it calls itself."""
    speaks: str | None = None
    """What such a board speaks: the name of its adapter."""
    firmware: str | None = None
    camera: str | None = None
    """The camera above the board, as its configuration names it, without a password."""
    picture: str | None = None
    """The size of its pictures, as `1280x720`."""


@dataclass(frozen=True, slots=True)
class BoardSee:
    """The physical position, as a recording's `see`: rows from Black's side down to White's, joined by `/`."""

    at: float
    see: str


@dataclass(frozen=True, slots=True)
class BoardHealth:
    """Counters of the device and of its gateway, by name."""

    journal: str | None = None
    """`ok`, or what keeps the journal from being written."""
    inbox: int | None = None
    """Inputs that wait to be taken."""
    inputs: int | None = None
    """Inputs taken since the gateway started."""
    lost: int | None = None
    """How often the link was lost since the gateway started."""
    restarts: int | None = None
    """How often this program's own code for the board broke and was started again."""
    failed: bool | None = None
    """Whether the board stands still after a fault of this program's own."""
    suspects: tuple[str, ...] | None = None
    """Squares whose sensors are not relied on at present."""
    ghosts: tuple[str, ...] | None = None
    """Squares where the board's own wiring shows pieces: it has no diodes, or one is the wrong way round."""
    unstable: tuple[str, ...] | None = None
    """Those of them whose sensors are not still, as the board itself says."""
    unstable_buttons: tuple[str, ...] | None = None
    """`clock_a`, `clock_b`, `adjust`: those whose contacts are not still."""
    links: Mapping[str, str] | None = None
    """Where sensors and a camera watch the board: `up` or `down` of `sensors` and of `camera`."""
    camera: str | None = None
    """What the camera's pictures are good for: `OK`, or what keeps the board from being read; `-` before that."""
    pictures: int | None = None
    """Of the camera, that were looked at."""
    openings: int | None = None
    """How often the camera was opened."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round as the organiser published it; see messages/rounds.py for what is checked.

    `pairings`: `{table, white, black, game, board?, regulation?, clock?, fen?, opening?, match?, result?}`, a player as
    `{name, public?, minor?, id?, title?, club?, federation?, rating?}`; without `black` it is a bye, without `board` no
    board sees it. `publication`: `{delay?, hold, consumers?: {name: {delay}}, boards?: {table: {delay?, hold?}},
    featured?: [table]}`, delays in seconds; without `delay` that of the hub holds. A consumer's copy is never younger
    than the public's. The public copy has neither `by` nor `lots`.
    """

    round: str | None = None
    name: str | None = None
    regulation: str | None = None
    """None: each board's own."""
    clock: str | None = None
    """PDN TimeControl text."""
    match: str | None = None
    recorded: bool | None = None
    starts: Starts | None = None
    """What begins the games once they are on their boards; None is `command`."""
    state: Literal["planned", "started", "over"] | None = None
    begins: str | None = None
    """When it begins, for people: RFC 3339, or the date and time of the place without an offset, or the time of day."""
    by: str | None = None
    """Who published it: the organiser, where a hub carries an organiser's work."""
    lots: Mapping[str, Any] | None = None
    """`{seed, at?, by?}`: what colours and openings were drawn with."""
    pairings: tuple[Mapping[str, Any], ...] = ()
    publication: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CommandPayload:
    """A command; what `do` asks for stands beside these keys. A hub names the person logged in to it in `for_`.

    The gateway that has the board or game of the topic answers. Silence means that no gateway knows it.
    """

    do: str
    id: str
    note: str | None = None
    expires: str | None = None
    """RFC 3339, by the gateway's clock: after it the command is refused."""
    for_: str | None = None


@dataclass(frozen=True, slots=True)
class RequestPayload:
    """A reader's wish: events of a stream after `seq`, an alert's evidence, or a game's recording.

    It names a `game`, or a `board`; for `evidence` the whole id of the `alert` is enough. The gateway that has it
    answers, also where it cannot meet the wish; silence means that no gateway knows it, or that none is named.
    """

    id: str
    want: Literal["since", "evidence", "recording"]
    game: str | None = None
    board: str | None = None
    epoch: int | None = None
    seq: int | None = None
    alert: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerPayload:
    """The answer to a command or request; a long one comes in `pieces` of at most 64 KiB, `piece` from 1.

    A refusal's `reason` is a code in snake_case; `detail` says the same in words, where there is more to say.

    `events` are the payloads of the stream's topic; the `text` of all pieces, one behind the other, is the recording,
    and so is the `account` of `evidence`: lines of what happened, as `key`, `at` and what else `key` tells.
    """

    id: str
    outcome: Literal["done", "refused"]
    reason: str | None = None
    """Why it was refused, a code: `bad_argument`, `retained`, `expired`, `not_allowed`, `not_yet`, ..."""
    detail: str | None = None
    """The same in words, where there is more to say."""
    want: Literal["since", "evidence", "recording"] | None = None
    do: str | None = None
    by: str | None = None
    piece: int | None = None
    pieces: int | None = None
    events: tuple[Mapping[str, Any], ...] | None = None
    text: str | None = None
    account: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class PublicNote(PlyNote):
    """What the public copy notes beside, of a ply of which there is something to note."""

    irregular: bool = False
    """No legal move leads there, and it was let stand."""
    set_up: bool = False
    """The arbiter set `fen` up behind it."""


@dataclass(frozen=True, slots=True)
class PublicGame:
    """What the public copy of a game's state says beside, and the hall's does not."""

    times: tuple[str | None, ...] | None = None
    """UTC, for each ply, when its last piece came down; null where nobody saw it."""
    shown: str | None = None
    """UTC by the hub's clock: when the newest event that is in it became public."""
    delay: float | None = None
    """How late it is shown, seconds."""
    silent: str | None = None
    """UTC: since when the board or its gateway is not heard; told as late as everything."""
    notes: tuple[PublicNote, ...] = ()
