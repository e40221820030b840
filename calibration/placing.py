"""The calibration of an analogue board as a talk with a person: scans and keys in, the next question out.

First the empty board, then, in the short form, the opening position, whose colours are known, and then a white man on
each square that is left, one after another. Once the board was said to be empty it goes on by itself when what is asked
for stands there and is still. Where a square is read the wrong way round, a man of the other colour may have been put
there, and where its reading is far off what the others have, off the middle: it is asked for once more, alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calibration.analogue import (
    MAN_SCANS,
    ZERO_SCANS,
    Man,
    Problem,
    Scans,
    Zero,
    at_end,
    clear_of_noise,
    far_off,
    man_problems,
    off_zero,
    white_above,
    zero_problems,
    zeros,
)

STILL_COUNTS = 2.0
"""A man that is let go of moves its reading by no more than so much beyond the noise."""
TIMES = 3
"""So often a man is put on a square before the sensor is called dead, or the wrong way round."""
NOTHING_SECONDS = 4.0

Kind = Literal["empty", "zero", "refused", "opening", "man", "other", "lift", "done"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the person is to do now.

    `empty` the board, and say so; `zero`: leave it alone; `refused`: it cannot be calibrated so (`problems`); the
    `opening` position, of which `places` are still missing and `wrong` too much; a white `man` on `place`; `other`: it
    is seen on `places` instead; `lift` what is on `places`.
    """

    kind: Kind
    place: int = 0
    places: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()
    again: bool = False
    nothing: bool = False


class Placing:
    """Feed it scans and what the person says; `question` is what to ask now, `men` and `zeros` what was measured."""

    def __init__(self, places: int, order: Sequence[int], at: float, opening: Mapping[int, bool] | None = None) -> None:
        """`opening`: places with men, and whether they are White's; None: every square is asked for."""
        self._scans = Scans(places)
        self._order = tuple(order)
        self._opening = opening
        self._stage: Kind = "empty"
        self._place = 0
        self._since = 0
        """The count of scans when what is asked now was asked;"""
        self._asked_at = at
        """and the time."""
        self._again: dict[int, int] = {}
        self._skipped: set[int] = set()
        self._said = False
        self.zeros: tuple[Zero, ...] = ()
        self.men: dict[int, Man] = {}
        self.problems: list[Problem] = []
        self._now = at

    # What comes in.

    def measured(self, at: float, first: int, readings: bytes) -> None:
        """Readings of the places from `first` on."""
        self._now = at
        if self._scans.add(first, readings):
            self._look()

    def stands(self, at: float) -> None:
        """The person says that it is as asked: the board is empty, the man stands there."""
        self._now = at
        if self._stage in ("empty", "refused"):
            self._ask("zero")
        elif self._stage == "lift" and self._now >= self._asked_at + NOTHING_SECONDS:
            # The board was not empty when its zero was measured.
            self.men = {}
            self._ask("zero")
        elif self._stage == "opening":
            self._take_opening()  # what is missing is asked for one by one
        elif self._stage == "man":
            self._said = True

    def skip(self, at: float) -> None:
        """Pass over the square; it gets what the others have."""
        self._now = at
        if self._stage in ("man", "other"):
            self._skipped.add(self._place)
            self._next()
        elif self._stage == "opening":
            self.stands(at)

    # What comes out.

    @property
    def done(self) -> bool:
        return self._stage == "done"

    @property
    def skipped(self) -> tuple[int, ...]:
        return tuple(sorted(self._skipped))

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(p for p in self._order if p not in self.men and p not in self._skipped)

    @property
    def seen(self) -> tuple[int, ...]:
        """Places that are off their zero now."""
        if not self.zeros or not self._scans.scans:
            return ()
        off = off_zero(self.zeros, self._scans.newest(4))
        return tuple(p for p, counts in enumerate(off, 1) if abs(counts) >= clear_of_noise(self.zeros[p - 1]))

    @property
    def question(self) -> Question:
        nothing = self._now >= self._asked_at + NOTHING_SECONDS
        match self._stage:
            case "refused":
                return Question("refused", problems=tuple(self.problems))
            case "opening":
                wanted, seen = set(self._opening or ()), set(self.seen)
                missing, wrong = tuple(sorted(wanted - seen)), tuple(sorted(seen - wanted))
                return Question("opening", places=missing, wrong=wrong, nothing=nothing)
            case "other":
                return Question("other", self._place, places=self.seen)
            case "man":
                return Question("man", self._place, again=bool(self._again.get(self._place)), nothing=nothing)
            case "lift":
                return Question("lift", self._place, places=self.seen, nothing=nothing)
            case kind:
                return Question(kind)

    # Going on.

    def _ask(self, stage: Kind, place: int = 0) -> None:
        self._stage, self._place, self._said = stage, place, False
        self._since, self._asked_at = self._scans.count, self._now

    def _next(self) -> None:
        """Ask for the next square, once the board is empty."""
        if self.seen:
            self._ask("lift", self._place)
        elif self.left:
            self._ask("man", self.left[0])
        else:
            self._judge()

    def _judge(self) -> None:
        """All is measured: ask once more for what contradicts the rest, else say what came out."""
        if not self.men:
            self._ask("done")
            return
        alone = {man.gain > 0 for man in self.men.values() if man.alone}
        together = {man.gain > 0 for man in self.men.values() if not man.alone}
        if len(alone) == len(together) == 1 and alone != together:
            self.problems.append(Problem("colours", 0))
            self._ask("done")
            return
        above = white_above(self.men.values())
        apart = far_off(self.men)
        doubtful = [
            place
            for place, man in self.men.items()
            if ((man.gain > 0) != above and self._again.get(place, 0) < TIMES - 1)
            or (place in apart and not self._again.get(place))
        ]
        for place in doubtful:
            self._again[place] = self._again.get(place, 0) + 1
            del self.men[place]
        if doubtful:
            self._next()
            return
        self.problems += man_problems(self.zeros, self.men)
        self._ask("done")

    def _look(self) -> None:
        """A scan has come."""
        new = self._scans.count - self._since
        match self._stage:
            case "zero" if new >= ZERO_SCANS:
                self.zeros = zeros(self._scans.newest(ZERO_SCANS))
                self.problems = zero_problems(self.zeros)
                if self.problems:
                    self._ask("refused")
                else:
                    self._ask("opening" if self._opening else "lift")
            case "opening" if new >= MAN_SCANS and set(self.seen) == set(self._opening or ()) and self._still():
                self._take_opening()
            case "man" | "other" if new >= MAN_SCANS:
                self._look_for_man()
            case "lift" if not self.seen:
                self._next()
            case _:
                pass

    def _still(self) -> bool:
        """Whether nothing has moved in the newest scans."""
        scans = self._scans.newest(MAN_SCANS)
        half = MAN_SCANS // 2
        before, after = off_zero(self.zeros, scans[:half]), off_zero(self.zeros, scans[half:])
        return all(
            abs(one - other) <= STILL_COUNTS + zero.noise
            for one, other, zero in zip(before, after, self.zeros, strict=True)
        )

    def _take_opening(self) -> None:
        scans = self._scans.newest(MAN_SCANS)
        off = off_zero(self.zeros, scans)
        for place, white in (self._opening or {}).items():
            if place not in self.seen:
                continue
            self.men[place] = Man(place, off, white, at_end(scans, place), alone=False)
        self._ask("lift")

    def _look_for_man(self) -> None:
        seen = self.seen
        if not seen:
            if self._stage == "other":
                self._ask("man", self._place)
            if self._said and self._now >= self._asked_at + NOTHING_SECONDS:
                self._not_seen()
            return
        if not self._still():
            return
        scans = self._scans.newest(MAN_SCANS)
        off = off_zero(self.zeros, scans)
        strongest = max(range(1, len(off) + 1), key=lambda place: abs(off[place - 1]))
        if strongest != self._place:
            self._stage = "other"
            return
        self.men[self._place] = Man(self._place, off, end=at_end(scans, self._place))
        self._ask("lift", self._place)

    def _not_seen(self) -> None:
        """The man is said to stand there, and no reading moves."""
        place = self._place
        self._again[place] = self._again.get(place, 0) + 1
        if self._again[place] >= TIMES:
            self.problems.append(Problem("dead", place))
            self._skipped.add(place)
        self._next()
