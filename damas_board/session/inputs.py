"""What a Session is fed: one closed union, the lines of a recording (format 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

SideName = Literal["white", "black"]


class BoardEvent(NamedTuple):
    """The newest event of a sensor board that an input tells: nothing that the board reported before it is missing."""

    uid: str
    boot_id: int
    """Which run of the board it is."""
    seq: int


@dataclass(frozen=True, slots=True)
class See:
    """The whole board at one instant, after the sensors' debounce and before any settling.

    `rows` runs from Black's side down to White's, each row from White's left, light squares included, joined by `/`
    (in the board's own frame where the header's `turn` is not 0). Marks: `.` empty, `o` a piece of unknown colour,
    `w` `b` a piece of that colour, `W` `B` a king, `?` not readable.
    """

    at: float
    rows: str
    by: str | None = None
    """Which of several sources that watch the same board; the sensor board has no name. What has a name beside a
    sensor board gives its rows as White sees them, whatever the header's `turn`."""
    was: float | None = None
    """When the board saw it, seconds on the scale of `at`, for readings that were sent late."""
    doubt: Mapping[str, Mapping[str, float]] | None = None
    """Likelihoods of doubtful squares, by mark; such a square is uncertain, whatever its mark in `rows`."""
    unstable: bool = False
    """Whether the squares that are not readable are sensors that are not still, and not hands above them."""
    event: BoardEvent | None = None


@dataclass(frozen=True, slots=True)
class Lever:
    """`side` pressed the clock: that side's move is over."""

    at: float
    side: SideName
    was: float | None = None
    """As in See."""
    event: BoardEvent | None = None


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A clock's own reading, seconds left to each side."""

    at: float
    white: float
    black: float
    running: SideName | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button at the table: `adjust`, announced by a side or by the arbiter."""

    at: float
    button: str
    side: str
    was: float | None = None
    """As in See."""
    event: BoardEvent | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A source's connection was lost, or is back; the source sees nothing in between.

    `whole`: it is back, and what happened on the board meanwhile follows, without anything missing. `by`: which of
    several sources, as in See; the board is lost when all that have ever spoken are. Without `by` it is the sensor
    board's, or where none has ever spoken, every source's.
    """

    at: float
    state: Literal["lost", "back"]
    reason: str | None = None
    whole: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """An arbiter's or organiser's command; `arguments` are the keys that `do` asks for."""

    at: float
    do: str
    id: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed."""

    at: float


Input = See | Lever | ClockReading | Button | Link | Command | Tick
