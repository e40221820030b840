"""One of the sources that watch a board: what it says at present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.session.inputs import See
from damas_board.tracking.fusing import fused
from damas_board.tracking.likelihood import Doubts, Likelihood, Likelihoods, doubted, likelihood_of
from damas_board.tracking.sight import NOTHING, Sight, SightError, SightReader, without
from damas_board.tracking.suspects import TRUST_SECONDS


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
        self.unstable = 0
        """Squares whose sensors it calls unstable itself."""
        self.lost = False
        self.late: float | None = None
        """Since when it is back, where others have carried on and what it says does not count yet."""
        self.heard_at = float("-inf")
        """When it last spoke."""
        self.wrong = 0
        """Squares on which the record has contradicted it, so that it is not listened to there."""
        self._said_wrongly: dict[int, tuple[int, int, int]] = {}
        self._agrees: dict[int, float] = {}
        """Those of them on which it says something else now that nobody contradicts, and since when."""

    @property
    def doubts(self) -> Likelihoods:
        """Of the squares in doubt, over the readings that count."""
        return self._doubts.now

    @property
    def heard(self) -> Sight:
        """What of that counts."""
        return without(self.now, self.wrong)

    def read(self, item: See) -> None:
        """Takes a reading that `likelihoods` and `SightReader.check` have let pass."""
        self.rows = item.rows
        self.heard_at = item.at
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
        self._agrees.clear()
        self._look()

    # --- squares on which it was wrong

    def distrust(self, square: int) -> None:
        """What it says of the square, the record contradicts."""
        self.wrong |= 1 << square
        self._said_wrongly[square] = _said(self.now, square)
        self._agrees.pop(square, None)

    def pardon(self, square: int) -> None:
        """What contradicted it on the square is no more: it is listened to there."""
        self.wrong &= ~(1 << square)
        self._said_wrongly.pop(square, None)
        self._agrees.pop(square, None)

    @property
    def deadline(self) -> float | None:
        """When it has agreed for long enough somewhere."""
        return min((round(since + TRUST_SECONDS, 6) for since in self._agrees.values()), default=None)

    def trust(self, others: Sequence[Sight], at: float) -> int:
        """The squares on which it is listened to again at `at`.

        A sensor that is stuck agrees half of the time: it has to say something else than what was wrong.
        """
        regained = 0
        contradicted = fused([*others, self.now])[1] if self.wrong else 0
        for square in squares_of(self.wrong):
            bit = 1 << square
            silent = contradicted & bit or not self.now.known & bit
            if silent or _said(self.now, square) == self._said_wrongly[square]:
                self._agrees.pop(square, None)
            elif round(self._agrees.setdefault(square, at) + TRUST_SECONDS, 6) <= at:
                del self._agrees[square], self._said_wrongly[square]
                regained |= bit
        self.wrong &= ~regained
        return regained

    def _look(self) -> None:
        self.now = doubted(self._marked, self.doubts)


def _said(sight: Sight, square: int) -> tuple[int, int, int]:
    """What `sight` rules out on the square."""
    return sight.not_white >> square & 1, sight.not_black >> square & 1, sight.not_empty >> square & 1
