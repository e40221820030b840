"""A Session's present, as a value: what `game/{g}/state` shows a reader who comes late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from damas_board.session.events import BoardChanged, ClockChanged, GameOver


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
