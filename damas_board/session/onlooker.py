"""One of the sources that watch a board: what it says at present."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.rules.geometry import Geometry
from damas_board.session.inputs import See
from damas_board.tracking.likelihood import Doubts, Likelihood, Likelihoods, doubted, likelihood_of
from damas_board.tracking.sight import NOTHING, Sight, SightError, SightReader


def likelihoods(doubt: Mapping[str, Mapping[str, float]] | None, geometry: Geometry) -> dict[int, Likelihood]:
    """Of each square that a reading doubts. SightError for a square or a mark that is none."""
    try:
        return {geometry.square(name): likelihood_of(marks) for name, marks in (doubt or {}).items()}
    except KeyError as error:
        raise SightError(f"no square of this board is called {error.args[0]!r}") from error


class Onlooker:
    """A sensor board or a camera. `turn`: turning its own picture clockwise by it gives White's view."""

    def __init__(self, geometry: Geometry, turn: int) -> None:
        self._geometry = geometry
        self._doubts = Doubts()
        self._marked: Sight = NOTHING
        self.reader = SightReader(geometry, turn)
        self.rows = ""
        self.now: Sight = NOTHING
        """What it reads; of a square in doubt, as far as something is out of the question there."""
        self.unread = geometry.playable_mask
        """The squares that it does not read, hidden or in doubt."""
        self.unstable = 0
        """Squares whose sensors it calls unstable itself."""

    @property
    def doubts(self) -> Likelihoods:
        """Of the squares in doubt, over the readings that count."""
        return self._doubts.now

    def read(self, item: See) -> None:
        """Takes a reading that `likelihoods` and `SightReader.check` have let pass."""
        self.rows = item.rows
        self._marked = self.reader.read(item.rows, NOTHING)
        hidden = self.reader.unread
        self.unstable = hidden if item.unstable else 0
        self._doubts.see(likelihoods(item.doubt, self._geometry), hidden, item.at)
        self._look()

    def board_changed(self) -> None:
        """The board has just changed: what was in doubt before counts no more."""
        self._doubts.changed()
        self._look()

    def turn_to(self, turn: int) -> None:
        """It lies so: its last reading is read anew."""
        self.reader = SightReader(self._geometry, turn)
        self._doubts.forget()
        self._marked = self.reader.read(self.rows, NOTHING) if self.rows else NOTHING
        self.unstable = self.reader.unread if self.unstable else 0
        self._look()

    def forget(self) -> None:
        """Nothing that it said counts any more."""
        self._doubts.forget()
        self._marked = NOTHING
        self.unstable = 0
        self._look()

    def _look(self) -> None:
        self.now = doubted(self._marked, self.doubts)
        self.unread = self._geometry.playable_mask & ~self.now.known
