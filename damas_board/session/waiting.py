"""Waiting for the board: before the start position has been seen, and after the arbiter has changed the record."""

from __future__ import annotations

from collections.abc import Iterable

from damas_board.rules.position import Position
from damas_board.session.events import BoardState
from damas_board.tracking.view import View


class Waiting:
    """Nothing is a move until the board agrees, or shows another legal successor than those of the line taken back."""

    def __init__(self) -> None:
        self.state: BoardState | None = "setting_up"
        """What the board is called meanwhile; None while nothing is waited for."""
        self._barred: set[Position] = set()
        self._shown: set[Position] = set()
        """Those of `_barred` that the board has shown since."""

    def begin(self, barred: Iterable[Position], view: View) -> None:
        """The record was changed; `barred` are the positions of the line that was taken back."""
        self.state = "resyncing"
        self._barred = set(barred)
        self._shown = {position for position in self._barred if not view.off(position)}

    def set_up(self) -> None:
        """The game has not begun, and the start position is waited for."""
        self.end()
        self.state = "setting_up"

    def end(self) -> None:
        self.state = None
        self._barred.clear()
        self._shown.clear()

    def see(self, view: View) -> None:
        """A settled board: a barred position may be played again once the board has shown it and left it."""
        for taken_back in tuple(self._barred):
            if not view.off(taken_back):
                self._shown.add(taken_back)
            elif taken_back in self._shown:
                self._barred.discard(taken_back)

    def bars(self, position: Position) -> bool:
        return position in self._barred
