"""What is seen of a board now: how it stands, since when, and what was touched since the last recorded ply."""

from __future__ import annotations

from damas_board.rules.position import Position
from damas_board.tracking.likelihood import Likelihoods
from damas_board.tracking.sight import NOTHING, Sight, disagreement, without
from damas_board.tracking.touches import OVERLAP, Touches

MOST_DOUBTED = 2
"""Where more squares than this have been in doubt since the last ply, nobody is accused."""


class View:
    """One board's present; `sight` is without the squares that cannot be relied on."""

    def __init__(self, playable: int, touch_seconds: float, overlap_seconds: float = OVERLAP) -> None:
        self.playable = playable
        self.sight: Sight = NOTHING
        self.firm: Sight = NOTHING
        """The same, but of a square in doubt what was last read there."""
        self.doubts: Likelihoods = {}
        """Of the squares in doubt that can be relied on;"""
        self.uncertain = 0
        """and those of them that count as unread."""
        self.disputed = 0
        """Squares on which several sources contradict each other just now; the foremost is followed."""
        self.contested = 0
        """Those, and the ones of which it is told that sources differ: they are no evidence against anybody."""
        self.touches = Touches(touch_seconds, overlap_seconds)
        self.changed_at = 0.0
        self.hidden: dict[int, float] = {}
        """The squares that cannot be read just now, a hand above them or in doubt, and since when."""
        self.men = 0
        """Squares where a piece was seen to be no king; only on boards that sense kind."""
        self.kings = 0
        """Squares where a piece was seen to be a king; only on boards that sense kind."""

    def off(self, position: Position) -> int:
        """The squares where the board shows something else than `position`."""
        return disagreement(position, self.sight, self.playable)

    @property
    def too_doubtful(self) -> bool:
        """Whether so many squares have been in doubt since the last ply that nobody is accused."""
        return self.touches.doubted.bit_count() > MOST_DOUBTED

    @property
    def plain(self) -> Sight:
        """What is read just now: nothing on hidden squares, and what is out of the question on those in doubt."""
        return without(self.sight, sum(1 << square for square in self.hidden) & ~self.uncertain)

    def plainly_off(self, position: Position) -> int:
        """The squares where what is read just now is something else than `position`."""
        return disagreement(position, self.plain, self.playable)

    def still_for(self, seconds: float, at: float) -> bool:
        """Whether the board has stood still for so long at `at`."""
        return at >= round(self.changed_at + seconds, 6)

    def only_missing(self, position: Position) -> bool:
        """Whether pieces of `position` are missing, and nothing else is otherwise."""
        off = self.off(position)
        return bool(off) and not off & ~(position.occupied & ~self.sight.not_empty)
