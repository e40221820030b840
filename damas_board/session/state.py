"""A Session's present, as a value: what `game/{g}/state` shows a reader who comes late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from damas_board.regulations.policy import AlertKind
from damas_board.session.events import Basis, BoardChanged, ClockChanged, GameOver
from damas_board.session.header import Starts
from damas_board.session.inputs import SideName


@dataclass(frozen=True, slots=True)
class PlyNote:
    """What a ply's text does not say: of one that is irregular or was not seen, of one at which there was a clock."""

    ply: int
    side: SideName
    """Who played it."""
    fen: str | None = None
    """The position after it, where no legal move leads there: it is irregular, or the arbiter set it up behind it."""
    alerts: tuple[AlertKind, ...] = ()
    """What is irregular about it; nothing where only the arbiter changed the position."""
    article: str | None = None
    """The article of the first of `alerts`."""
    clock: tuple[float | None, float | None] | None = None
    """What White and Black had left behind it, seconds."""
    running: SideName | None = None
    """Whose time ran then."""
    basis: Basis | None = None
    """How it is known, where it was not seen."""


@dataclass(frozen=True, slots=True)
class GameState:
    game: str
    regulation: str
    start: str
    """FEN of the position that ply 1 begins from."""
    fen: str
    """FEN after the last published ply."""
    moves: tuple[str, ...]
    revision: int
    clock: ClockChanged | None = None
    board_state: BoardChanged | None = None
    over: GameOver | None = None
    alerts: tuple[Mapping[str, Any], ...] = ()
    counters: tuple[Mapping[str, Any], ...] = ()
    players: Mapping[str, Any] | None = None
    time_control: str | None = None
    """PDN TimeControl text."""
    notes: tuple[PlyNote, ...] = ()
    """By ply, for those only of which there is something to note."""
    held: bool = False
    """The game is kept from the public for now."""
    round: str | None = None
    table: str | None = None
    match: str | None = None
    opening: str | None = None
    """The first plies that were drawn, divided by spaces."""
    masked: tuple[str, ...] = ()
    """Squares that are not read, by the arbiter's command."""
    turn: int | None = None
    """How the board lies, degrees, as far as is known here: of the header, or by command."""
    waits_for: Starts | None = None
    """What will begin the game; None once it has begun."""
