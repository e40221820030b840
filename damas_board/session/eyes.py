"""How a board is seen: which way it lies, which squares cannot be relied on, and what stands on light ones."""

from __future__ import annotations

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import Position
from damas_board.session.header import Header
from damas_board.session.inputs import See
from damas_board.session.onlooker import likelihoods
from damas_board.session.onlookers import Onlookers
from damas_board.tracking.ghosts import Ghosts, Wiring
from damas_board.tracking.likelihood import doubted, uncertain, without_squares
from damas_board.tracking.sight import NOTHING, Sight, SightReader, disagreement, remembered
from damas_board.tracking.suspects import Suspects
from damas_board.tracking.view import View

TURNS = (0, 90, 180, 270)
"""How a board may lie."""


class Eyes:
    """Reads the rows of one board; what can be relied on of them becomes the `view`."""

    def __init__(self, header: Header, geometry: Geometry, view: View) -> None:
        self.suspects = Suspects()
        self.raw: Sight = NOTHING
        """What the board says; of a square that it does not read, what it said there last."""
        self.ghosts: Ghosts
        """Which of what it says its own wiring may have made."""
        self.unstable = 0
        """Squares whose sensors the board itself calls unstable."""
        self.light = 0
        """Light squares on which something stands; only boards that can see it."""
        self._light_since: float | None = None
        self._header = header
        self._geometry = geometry
        self._view = view
        self._wiring = header.wiring
        self._checker = SightReader(geometry)
        self._read_as_lying(header.turn)

    @property
    def turn(self) -> int:
        return self.onlookers.turn

    def check(self, item: See) -> None:
        """SightError for rows that are no picture of this board, and for likelihoods that are none of its squares'."""
        self._checker.check(item.rows)
        likelihoods(item.doubt, self._geometry)

    def read(self, item: See) -> Sight:
        """Takes a reading that `check` has let pass; returns what the board said before. The view is left as it is."""
        before = self.raw
        self.onlookers.read(item)
        self.recall(before)
        if self.raw != before and self.onlookers.doubts:
            self.onlookers.board_changed()
            self.recall(before)
        return before

    def recall(self, before: Sight) -> None:
        """What is said now; where nothing is, what was known `before`."""
        self.raw = remembered(self.onlookers.now, before)
        self.unstable = self.onlookers.unstable
        self._take_kinds()

    def rely(self) -> None:
        """The view becomes what the board says, without the squares that cannot be relied on."""
        doubts = self.onlookers.doubts
        self._view.disputed, self._view.contested = self.onlookers.disputed, self.onlookers.contested
        if doubts or self._view.doubts:
            doubts = without_squares(doubts, self.suspects.unread)
            self._view.doubts, self._view.uncertain = doubts, uncertain(doubts)
        self._view.firm = self.suspects.through(self.raw)
        self._view.sight = self.suspects.through(doubted(self.raw, doubts)) if doubts else self._view.firm

    def note_hidden(self, at: float) -> None:
        """What the board saw at `at` leaves squares unread that can be relied on: since when each has been."""
        hidden = self._view.hidden
        unread = self._view.playable & ~self.onlookers.now.known & ~self.suspects.unread & ~self.unstable
        self._view.hidden = {square: hidden.get(square, at) for square in squares_of(unread)}
        self._view.touches.hidden |= unread
        self._view.touches.doubted |= self._view.uncertain
        self._view.touches.disputed |= self._view.disputed

    def prove_sound(self) -> None:
        """The board stands still: what it says proves some of its contacts."""
        self.ghosts.stood(self.raw.occupied, self._view.playable & self.raw.known & ~self.raw.not_empty)

    def compare(self, position: Position, changed: int, at: float) -> None:
        """Whether suspect squares agree with `position`; those of `changed` have just changed."""
        off = disagreement(position, self.raw, self._view.playable) | self.unstable | uncertain(self.onlookers.doubts)
        self.suspects.compare(off, changed, at)

    def wait(self) -> None:
        """The link is lost: what was seen of suspect and of light squares does not count."""
        self.suspects.wait()
        self.light, self._light_since = 0, None

    def forget(self) -> None:
        """The link is back: nothing has been read yet."""
        self.raw = self._view.sight = self._view.firm = NOTHING
        self._view.hidden.clear()
        self._view.doubts, self._view.uncertain = {}, 0
        self._view.disputed = self._view.contested = 0
        self.onlookers.forget()
        self.unstable = 0

    def change(self, turn: int, wiring: Wiring | None) -> None:
        """Another board, which lies and is wired so: nothing of it has been read yet, no square of it is suspect."""
        self.suspects = Suspects()
        self._wiring = wiring
        self.light, self._light_since = 0, None
        self._read_as_lying(turn)
        self.forget()

    def _take_kinds(self) -> None:
        main = self.onlookers.main
        lost = main is None or (main.lost and not self.onlookers.lost)
        self._view.men, self._view.kings = (0, 0) if main is None or lost else (main.reader.men, main.reader.kings)

    # --- which way it lies

    def _read_as_lying(self, turn: int) -> None:
        self.onlookers = Onlookers(self._geometry, turn)
        self._wired_as_lying(turn)

    def _wired_as_lying(self, turn: int) -> None:
        across, whole = turn in (90, 270), self._header.covers == "all"
        self.ghosts = Ghosts(self._geometry, self._wiring, turned=across, whole=whole)

    def turn_to(self, turn: int) -> None:
        """The board lies so: its last reading is read anew."""
        self.onlookers.turn_to(turn)
        self._wired_as_lying(turn)
        self.recall(NOTHING)
        self.ghosts.start(self.raw.occupied)
        self.rely()

    def turns_by(self, position: Position) -> bool:
        """A board that sees colours tells by `position` how it lies; whether otherwise than thought."""
        main = self.onlookers.main
        if self._header.senses == "occupancy" or main is None or not main.rows:
            return False
        if not self.onlookers.single and "o" in main.rows:
            return False
        for turn in TURNS:
            sight = SightReader(self._geometry, turn).read(main.rows, NOTHING)
            playable = self._view.playable
            if turn != self.turn and sight.known == playable and not disagreement(position, sight, playable):
                self.turn_to(turn)
                return True
        return False

    # --- light squares, which are no part of the game

    def sees_light_change(self, at: float) -> bool:
        """Whether something came to stand on a light square, or left it, with the last reading."""
        main = self.onlookers.main
        light = 0 if main is None else main.reader.light
        if self._header.covers != "all" or light == self.light:
            return False
        self.light = light
        self._light_since = at if self.light else None
        return True

    @property
    def light_due(self) -> float | None:
        """When something has stood on a light square for too long, unless that was told."""
        if self._light_since is None:
            return None
        return round(self._light_since + self._header.settings.mismatch_seconds, 6)

    def light_counts_from(self, at: float) -> None:
        """Play begins: what stands on a light square by now may still be taken away."""
        if self._light_since is not None:
            self._light_since = at

    def light_told(self) -> None:
        self._light_since = None
