"""The end of a game: its silence, and what is told when the arbiter takes it back."""

from __future__ import annotations

from damas_board.rules.position import Position
from damas_board.session.events import (
    CaptureProgress,
    Event,
    GameOver,
    MoveConfirmed,
    MovesRetracted,
    PieceLifted,
    PiecePlaced,
    PlayedMove,
    Winner,
)
from damas_board.session.record import Ply
from damas_board.session.state import GameState

WINNERS: dict[str, Winner] = {
    "white": "white",
    "black": "black",
    "draw": "draw",
    "none": "none",
    "1-0": "white",
    "2-0": "white",
    "0-1": "black",
    "0-2": "black",
    "1/2-1/2": "draw",
    "1-1": "draw",
    "*": "none",
}
"""What the `result` command takes; numbers stand White first."""


class Ending:
    """Whether the game is over. The board is followed on, but what becomes of the record then is not told."""

    def __init__(self) -> None:
        self.over: GameOver | None = None
        self.final: tuple[GameState, tuple[Ply, ...]] | None = None
        """The state and the record at the end of the game."""
        self.reopened: Position | None = None
        """The position at an end that was taken back: it does not end the game again by itself."""
        self._unsaid: list[Event] = []

    def lets_tell(self, event: Event) -> bool:
        """Whether `event` is told now; one about the record is kept for when the end is taken back."""
        if self.final is None:
            return True
        if isinstance(event, PlayedMove | MoveConfirmed | MovesRetracted):
            self._unsaid.append(event)
            return False
        return not isinstance(event, PieceLifted | PiecePlaced | CaptureProgress)

    def take_back(self, position: Position) -> list[Event]:
        """The game goes on from `position`; what has become of the record since the end."""
        self.over = self.final = None
        self.reopened = position
        unsaid, self._unsaid = self._unsaid, []
        return unsaid
