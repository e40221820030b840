"""The simplest tracker, to compare with: each settled board is looked up among the results of the legal moves."""

from __future__ import annotations

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position
from damas_board.session.inputs import Input, See
from damas_board.tracking.sight import NOTHING, SightReader, disagreement

SETTLED = 0.3
"""How long a board has stood still, seconds."""


class OnePly:
    """Follows a game from `start`; `positions` are those after its plies."""

    def __init__(self, start: Position) -> None:
        self.positions: list[Position] = []
        self._position = start
        self._legal = legal_moves(start)
        self._playable = start.variant.geometry.playable_mask
        self._reader = SightReader(start.variant.geometry)
        self._sight = NOTHING
        self._since = 0.0

    def feed(self, item: Input) -> None:
        """Judges the board that stood until now, if it stood long enough."""
        if self._sight.known and item.at - self._since >= SETTLED:
            self._settled()
        if isinstance(item, See):
            self._sight = self._reader.read(item.rows, self._sight)
        self._since = item.at

    def _settled(self) -> None:
        results = (self._position.after(move) for move in self._legal)
        agreeing = [after for after in results if not disagreement(after, self._sight, self._playable)]
        if len(agreeing) == 1:
            self._position = agreeing[0]
            self._legal = legal_moves(self._position)
            self.positions.append(self._position)
