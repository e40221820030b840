"""What a Session tells: one closed union of events, the objects that travel over MQTT (design: 'events').

`at` is when an event was decided, in seconds on the recording's scale. Squares and moves are text in the variant's
own notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from damas_board.regulations.policy import AlertKind, Consequence, Decides, Severity, Until
from damas_board.session.inputs import SideName

Basis = Literal["seen", "inferred", "entered"]
BoardState = Literal["ready", "setting_up", "in_play", "mismatch", "resyncing", "lost", "failed"]
BoardReason = Literal["ghost", "unstable", "sources_differ"]
"""Why a board that is in order for the players shows what it does: `reason` in the evidence of an alert about it."""
Winner = Literal["white", "black", "draw", "none"]


@dataclass(frozen=True, slots=True)
class GameStarted:
    event: ClassVar[str] = "game_started"
    at: float
    game: str
    regulation: str
    fen: str
    players: Mapping[str, Any] | None = None
    round: str | None = None
    table: str | None = None
    match: str | None = None
    time_control: str | None = None
    """PDN TimeControl text."""
    opening: str | None = None
    """The first plies that were drawn, divided by spaces."""


@dataclass(frozen=True, slots=True)
class PieceLifted:
    """A square has been empty for `touch_seconds`; `since` is when the piece went up."""

    event: ClassVar[str] = "piece_lifted"
    at: float
    square: str
    side: SideName | None
    since: float


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """A square has been occupied for `touch_seconds`; `since` is when the piece came down."""

    event: ClassVar[str] = "piece_placed"
    at: float
    square: str
    side: SideName | None
    since: float


@dataclass(frozen=True, slots=True)
class CaptureProgress:
    event: ClassVar[str] = "capture_progress"
    at: float
    path: tuple[str, ...]
    removed: tuple[str, ...]
    remaining: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The fields that `move` and `move_revised` share: one completed turn of one side."""

    at: float
    ply: int
    side: SideName
    move: str
    from_: str
    to: str
    path: tuple[str, ...]
    captured: tuple[str, ...]
    promoted: bool
    fen: str
    provisional: bool
    irregular: bool
    basis: Basis
    down: float | None
    """When the last piece came down, seconds; None where the move was inferred."""
    seconds: float | None
    """From the last ply's `down` to this one's; None where either is unknown."""
    revision: int


@dataclass(frozen=True, slots=True)
class MoveMade(PlayedMove):
    event: ClassVar[str] = "move"


@dataclass(frozen=True, slots=True)
class MoveRevised(PlayedMove):
    event: ClassVar[str] = "move_revised"
    was: str = ""


@dataclass(frozen=True, slots=True)
class MoveConfirmed:
    event: ClassVar[str] = "move_confirmed"
    at: float
    ply: int
    revision: int


@dataclass(frozen=True, slots=True)
class MovesRetracted:
    event: ClassVar[str] = "moves_retracted"
    at: float
    from_ply: int
    reason: str
    revision: int
    fen: str | None = None
    """The position that stands then."""


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """`put` and `clear` name what to do to make the board agree: square to mark, and squares."""

    event: ClassVar[str] = "board"
    at: float
    state: BoardState
    put: Mapping[str, str] | None = None
    clear: tuple[str, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ClockChanged:
    event: ClassVar[str] = "clock"
    at: float
    white: float
    black: float
    running: SideName | None
    stale: bool = False
    """It has fallen silent: the times are what it said last."""
    jump: float | None = None
    """By how many seconds a reading is off what time and moves explain; positive: a side has gained."""


@dataclass(frozen=True, slots=True)
class Claim:
    event: ClassVar[str] = "claim"
    at: float
    rule: str
    side: SideName | None
    article: str
    count: int
    limit: int
    holds: bool


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """What the arbiter may want to know, with its article and its evidence; nothing follows from it by itself.

    `evidence`: `from` and `to`, seconds; `trail`, the changes of the last 20 s as `[at, "-c3"]` (gone) and
    `[at, "+d4"]` (came); where they apply `could_continue` and `reason`; where sources differ what each `says`.
    """

    event: ClassVar[str] = "alert"
    at: float
    id: str
    kind: AlertKind
    severity: Severity
    side: SideName | None
    """Whose mistake it would be."""
    squares: tuple[str, ...]
    ply: int
    """The ply that it is about; before a move, the coming one."""
    article: str | None
    also: tuple[AlertKind, ...]
    """Other kinds that the same ply would be, by breaking more rules or a later one of the list."""
    legal: tuple[str, ...]
    """What would have been legal."""
    evidence: Mapping[str, Any]
    decides: Decides = "arbiter"
    until: Until = "game_over"
    consequence: Consequence | None = None
    """What the regulation proposes; the words are at the edge."""


@dataclass(frozen=True, slots=True)
class AlertClosed:
    event: ClassVar[str] = "alert_closed"
    at: float
    id: str
    how: Literal["stands", "rectified", "dismissed", "recovered"]


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The arbiter took an end back: what has happened since becomes the record."""

    event: ClassVar[str] = "game_reopened"
    at: float
    by: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The arbiter has set up a position behind `ply` plies; behind none it is what the game begins from."""

    event: ClassVar[str] = "position_set"
    at: float
    fen: str
    ply: int
    by: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class Publication:
    """Whether the game is kept from the public for now."""

    event: ClassVar[str] = "publication"
    at: float
    held: bool


@dataclass(frozen=True, slots=True)
class GameOver:
    event: ClassVar[str] = "game_over"
    at: float
    winner: Winner
    result: str
    reason: str
    article: str | None
    ply: int
    revision: int


@dataclass(frozen=True, slots=True)
class CommandAnswered:
    event: ClassVar[str] = "command"
    at: float
    id: str
    do: str
    outcome: Literal["done", "refused"]
    reason: str | None = None
    by: str | None = None
    note: str | None = None
    """The decision in words, as its author put it."""
    arguments: Mapping[str, Any] | None = None
    """What else the command says, such as the alert that it is about; None where that is not known."""


Event = (
    GameStarted
    | PieceLifted
    | PiecePlaced
    | CaptureProgress
    | MoveMade
    | MoveRevised
    | MoveConfirmed
    | MovesRetracted
    | AlertRaised
    | AlertClosed
    | BoardChanged
    | ClockChanged
    | Claim
    | GameOver
    | GameReopened
    | PositionSet
    | Publication
    | CommandAnswered
)
