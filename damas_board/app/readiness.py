"""Whether a board is ready for its round, from what it shows; pure.

A board that answers may still have a dead sensor, stand the wrong way round or be set up wrongly, and a round is a bad
time to find out. So what it shows is gathered until it proves itself:

- each sensor has been seen both ways, with a piece and without; what earlier games showed counts too;
- the start position of its regulation stands there;
- it lies as its configuration says. A board that tells colours shows that by itself; of one that tells only that
  something stands there, a piece lifted from a square that was asked for shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from damas_board.regulations import Regulation
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Link, See
from damas_board.tracking.sight import NOTHING, Sight, SightReader, disagreement
from damas_board.tracking.suspects import Suspects

Verdict = Literal["ok", "unproven", "wrong"]
Check = Literal[
    "board", "camera", "sensors", "setup", "orientation", "broker", "database", "journal", "games", "disk", "clock"
]
TOUCH_SECONDS = 0.2
"""A piece that is gone, or there, for a shorter time was not in a hand."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `key` names the words for it, which `facts` fill."""

    check: Check
    verdict: Verdict
    key: str
    facts: dict[str, Any] = field(default_factory=dict)


class Coverage:
    """Which squares have been read with a piece on them, and which without."""

    def __init__(self, regulation: Regulation, turn: int) -> None:
        self._reader = SightReader(regulation.variant.geometry, turn)
        self._playable = regulation.variant.geometry.playable_mask
        self._occupied = 0
        self._empty = 0

    def read(self, rows: str) -> Sight:
        """Takes a reading. SightError for rows that are no picture of this board."""
        self._reader.check(rows)
        sight = self._reader.read(rows, NOTHING)
        self._occupied |= sight.occupied
        self._empty |= sight.known & ~sight.not_empty
        return sight

    @property
    def missing(self) -> int:
        """The squares that were not read both ways, as a set."""
        return self._playable & ~(self._occupied & self._empty)


class Readiness:
    """One board, while it is looked at: `take` its inputs, then ask for `findings`."""

    def __init__(self, header: Header, regulation: Regulation, earlier: Iterable[str] = ()) -> None:
        """`earlier`: rows that this board showed in games before."""
        self._geometry = regulation.variant.geometry
        self._start = initial(regulation.variant)
        self._colours = header.senses != "occupancy"
        self._turn = header.turn
        self._coverage = Coverage(regulation, header.turn)
        self._sight = NOTHING
        self._linked = False
        self._suspects = Suspects()
        self._changed: dict[int, float] = {}
        """When each square changed last."""
        self._orientation: Verdict = "unproven"
        self._shown_start = False
        for rows in earlier:
            self._coverage.read(rows)

    @property
    def asked(self) -> int | None:
        """The square from which a piece should be lifted to show how the board lies; None where that is known.

        It is the first of White's in the corner at White's left: never its own mirror image.
        """
        if self._orientation != "unproven" or self._colours:
            return None
        return min(squares_of(self._start.pieces(Side.WHITE)))

    @property
    def unseen(self) -> tuple[int, ...]:
        """The squares that were not yet seen both ways."""
        return tuple(squares_of(self._coverage.missing))

    def take(self, item: Input) -> None:
        match item:
            case See(at, rows):
                self._linked = True
                before, self._sight = self._sight, self._coverage.read(rows)
                self._look_for_flicker(before, at)
                self._orient()
            case Link(_, state):
                self._linked = state == "back"
            case _:
                pass

    def _look_for_flicker(self, before: Sight, at: float) -> None:
        both = before.known & self._sight.known
        for square in squares_of((before.not_empty ^ self._sight.not_empty) & both):
            lasted = at - self._changed.get(square, -TOUCH_SECONDS)
            self._changed[square] = at
            if lasted < TOUCH_SECONDS and self._suspects.toggled(square, lasted, at):
                self._suspects.suspect(square)

    def _orient(self) -> None:
        off = disagreement(self._start, self._sight, self._geometry.playable_mask)
        if not off:
            self._shown_start = True
            if self._colours:
                self._orientation = "ok"
        elif self._colours and self._turned_by_colour():
            self._orientation = "wrong"
        elif self._shown_start and self.asked is not None and not off & (off - 1):
            square = off.bit_length() - 1
            if square == self.asked:
                self._orientation = "ok"
            elif square == self._opposite(self.asked):
                self._orientation = "wrong"

    def _turned_by_colour(self) -> bool:
        """Whether the start position stands there as from the other side."""
        white, black = self._start.pieces(Side.WHITE), self._start.pieces(Side.BLACK)
        return self._sight.white == black and self._sight.black == white

    def _opposite(self, square: int) -> int:
        return self._geometry.size**2 - 1 - square

    def findings(self) -> list[Finding]:
        """What there is to say of the sensors, the set-up and the orientation of a board that answers."""
        if not self._linked:
            return [Finding("board", "wrong", "lost")]
        return [self._sensors(), self._setup(), self._lies()]

    def _sensors(self) -> Finding:
        unread = self._geometry.playable_mask & ~self._sight.known
        if unread:
            return Finding("sensors", "wrong", "unreadable", {"squares": self._names(squares_of(unread))})
        if self._suspects.mask:
            return Finding("sensors", "wrong", "flickering", {"squares": self._names(squares_of(self._suspects.mask))})
        if self.unseen:
            of = self._geometry.playable_mask.bit_count()
            facts = {"seen": of - len(self.unseen), "of": of, "squares": self._names(self.unseen)}
            return Finding("sensors", "unproven", "unseen", facts)
        return Finding("sensors", "ok", "sensors")

    def _setup(self) -> Finding:
        off = disagreement(self._start, self._sight, self._geometry.playable_mask)
        if not off:
            return Finding("setup", "ok", "setup")
        put = self._names(squares_of(off & self._start.occupied))
        clear = self._names(squares_of(off & ~self._start.occupied))
        return Finding("setup", "wrong", "not_set_up", {"put": put or "-", "clear": clear or "-"})

    def _lies(self) -> Finding:
        match self._orientation:
            case "ok":
                return Finding("orientation", "ok", "orientation")
            case "wrong":
                return Finding("orientation", "wrong", "turned", {"turn": (self._turn + 180) % 360})
            case "unproven":
                if self.asked is None:  # the colours show it
                    return Finding("orientation", "unproven", "start_shows")
                return Finding("orientation", "unproven", "not_shown", {"square": self._geometry.name(self.asked)})

    def _names(self, squares: Iterable[int]) -> str:
        return " ".join(self._geometry.names(tuple(squares)))
