"""What a game on a board begins with: the header of a recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from damas_board.tracking.ghosts import Wiring

Senses = Literal["occupancy", "colour", "kind"]
Starts = Literal["at_once", "command", "lever", "move"]
"""What begins a game; each that stands further right is begun by those before it as well (session.beginning)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in seconds; thresholds are `>=`."""

    settle_seconds: float = 0.3
    touch_seconds: float = 0.2
    rest_seconds: float = 1.0
    hold_seconds: float = 10.0
    mismatch_seconds: float = 4.0
    overlap_seconds: float = 0.1
    """A piece on its way may be read on both its squares for so long; a board that scans slowly needs more."""


OF_THE_BOARD = ("touch_seconds", "overlap_seconds")
"""Those that follow from how a board reads its squares: at another board they are others."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a recording (format 1); one header stands for `new_game` and `start`."""

    board: str
    regulation: str
    """The name of a shipped regulation, or of a TOML file whose content is `regulation_text`."""
    senses: Senses = "occupancy"
    regulation_text: str | None = None
    start: str | None = None
    """A PDN FEN; None is the initial position."""
    turn: Literal[0, 90, 180, 270] = 0
    covers: Literal["playable", "all"] = "playable"
    wiring: Wiring | None = None
    """Which way the lines of the board's matrix of contacts run; None where it has none, or that is not known."""
    recorded: bool = True
    settings: Settings = field(default_factory=Settings)
    utc: str | None = None
    """Wall time of `at` 0, RFC 3339."""
    version: str | None = None
    game: str | None = None
    players: Mapping[str, Any] | None = None
    round: str | None = None
    table: str | None = None
    match: str | None = None
    """The match that the game belongs to: several games between the same two players (003 art. 10)."""
    opening: str | None = None
    """The first plies that were drawn (003 art. 14), in the variant's notation, divided by spaces."""
    clock: str | None = None
    """The time control, PDN TimeControl text; None where no clock is kept here."""
    starts: Starts = "at_once"
    """What begins the game; before that nothing is a move."""
