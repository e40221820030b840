"""The sources that watch one board, and how they check each other.

How it works. What is known is what they read together (`tracking.fusing`). Each lags in its own way: a sensor changes
at once, a camera when the hand is gone and some frames agree. So where two contradict each other the foremost, the
sensor board, is followed for a moment, and nobody is accused; a move that another reads the opposite of on all its
squares waits for it. Squares on which they still do after `DIFFER_SECONDS` are no longer believed: they are
`undecided`, in doubt between what each says, and it is told. Once the rest of the board agrees with the record, and no
move would explain the difference, the record tells which of them was right, and the other is not listened to on that
square until it has shown that it can say something else, or the ply is gone that told. As long as that is told, the
square is no evidence against anybody. If they differ on many squares one of them looks at another board: the one
that agrees less with the record is not followed, and that is told once.

A source that was lost while another carried on comes in again when it says the same, or after a moment: what it has to
tell of the time in between is known already. Where it was lost before the other had followed, its last word stands
until the other says something new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import Position
from damas_board.session.inputs import See
from damas_board.session.onlooker import Onlooker
from damas_board.session.record import Record
from damas_board.tracking.fusing import fused, fused_doubts, torn
from damas_board.tracking.likelihood import Likelihoods
from damas_board.tracking.sight import NOTHING, Sight, difference, disagreement, without
from damas_board.tracking.suspects import TRUST_SECONDS

DIFFER_SECONDS = 2.0
"""So long sources may contradict each other: a camera waits for the hand to go and for some frames to agree."""
MANY = 4
"""Sources that differ on so many squares do not look at the same board."""
SENSORS = "sensors"
"""What the source without a name is called in evidence."""


class Difference(NamedTuple):
    """What is told of sources that contradict each other."""

    square: int | None
    """None where one of them looks at another board."""
    says: Mapping[str, str]
    """By source the mark of the square; or who is `followed`, and who is `not_followed`."""


@dataclass(slots=True)
class Findings:
    """What has come of comparing the sources."""

    differences: list[Difference] = field(default_factory=list)
    agreed: int = 0
    """Squares on which they no longer differ."""
    same_board: bool = False
    """The one that looked at another board looks at this one again."""


class Onlookers:
    """All that have ever spoken, by what their inputs say in `by`."""

    def __init__(self, geometry: Geometry, turn: int) -> None:
        """`turn` is how the sensor board lies; the others give White's view."""
        self._geometry = geometry
        self.turn = turn
        self._all: dict[str | None, Onlooker] = {}
        self.now: Sight = NOTHING
        """What they read together."""
        self.doubts: Likelihoods = {}
        self.disputed = 0
        """Squares on which they contradict each other, for no longer than a moment yet."""
        self.undecided = 0
        """Squares on which they do for longer, so that nobody is believed."""
        self.returned = 0
        """Squares on which, with the last reading, the foremost is back at what another has said all along."""
        self._since: dict[int, tuple[float, str | None]] = {}
        """The squares on which they contradict each other: since when, and which of them then changed."""
        self._held = 0
        self._held_since = 0.0
        """Squares on which the last word of a source that was lost stands, and since when."""
        self._set_aside: dict[str | None, float | None] = {}
        """Those that look at another board, and since when they agree with the others, if they do."""
        self._verdicts: dict[int, tuple[int, Position]] = {}
        """The squares on which the record told who was wrong: after how many plies, and its position then."""
        self._told: dict[int, float | None] = {}
        """The squares of which it is told that sources differ, and since when they agree, if they do."""

    # --- who is there

    @property
    def main(self) -> Onlooker | None:
        """The sensor board, else who spoke first: what it alone senses (crowns, light squares) counts."""
        return next(iter(self._all.values()), None)

    @property
    def single(self) -> bool:
        """Whether no more than one has ever spoken."""
        return len(self._all) < 2

    def alone(self, by: str | None) -> bool:
        """Whether no other than `by` has ever spoken."""
        return not self._all.keys() - {by}

    @property
    def lost(self) -> bool:
        """Whether all that have ever spoken are lost."""
        return bool(self._all) and all(each.lost for each in self._all.values())

    def find(self, by: str | None) -> Onlooker:
        """The source of that name; it speaks for the first time if it is not known."""
        known = self._all.get(by)
        if known is None:
            known = self._all[by] = Onlooker(self._geometry, 0 if by is not None else self.turn)
            self._all = dict(sorted(self._all.items(), key=lambda each: each[0] is not None))
        return known

    def followed(self) -> dict[str | None, Onlooker]:
        """Those whose word counts, the foremost first."""
        there = {by: each for by, each in self._all.items() if not each.lost}
        here = {by: each for by, each in there.items() if each.late is None and by not in self._set_aside}
        return here or there or self._all

    @property
    def contested(self) -> int:
        """Squares that are no evidence against anybody: it is told that sources differ there, or one contradicts
        another now, listened to or not."""
        if self.single:
            return 0
        clash = fused([each.now for each in self.followed().values()])[1]
        return self.differing | clash

    @property
    def differing(self) -> int:
        """Squares of which it is told that sources differ."""
        return sum(1 << square for square in self._told)

    def one_sided(self, before: Position, after: Position) -> bool:
        """Whether on every square of what leads from `before` to `after` another source reads the opposite just now."""
        changed = difference(before, after)
        return bool(changed & self.disputed) and not changed & ~(self.disputed | self.undecided)

    def all_show(self, position: Position, squares: int) -> bool:
        """Whether all of them read all of `squares`, and as `position` has them."""
        followed = [each.heard for each in self.followed().values()]
        return all(not squares & (disagreement(position, sight, -1) | ~sight.known) for sight in followed)

    def unfelt(self, squares: int) -> int:
        """Those of `squares` that only others than the foremost read: what happens there is seen late."""
        if self.single:
            return 0
        return squares & ~next(iter(self.followed().values())).heard.known

    def lose(self, by: str | None, at: float) -> None:
        if by in self.followed():
            self._held, self._held_since = self.disputed, at
        self.find(by).lost = True
        self.combine(at, by)

    def back(self, by: str | None, at: float) -> None:
        """It is connected again; where others are, it is late."""
        carried_on = not self.lost
        each = self.find(by)
        each.lost = False
        each.late = at if carried_on and len(self._all) > 1 else None
        self.combine(at, by)

    def forget(self) -> None:
        """Nothing that was said counts any more."""
        for each in self._all.values():
            each.forget()
        self._since.clear()
        self._held = self.undecided = 0
        self.combine()

    def turn_to(self, turn: int) -> None:
        """The board lies so: what the sensors, or if there are none the others, said last is read anew."""
        self.turn = turn
        for each in [self._all[None]] if None in self._all else self._all.values():
            each.turn_to(turn)
        self.combine()

    # --- what they say

    def read(self, item: See) -> None:
        each = self.find(item.by)
        before = each.now
        each.read(item)
        for old, new in zip(before, each.now, strict=True):
            self._held &= ~(old ^ new)
        self.combine(item.at, item.by)

    def board_changed(self) -> None:
        """The board has just changed: what was in doubt before counts no more."""
        for each in self._all.values():
            if each.doubts:
                each.board_changed()
        self.combine()

    @property
    def unstable(self) -> int:
        """Squares whose sensors are called unstable, and that nobody reads."""
        found = 0
        for each in (self._all if self.single else self.followed()).values():
            found |= each.unstable
        return found & ~self.now.known

    def combine(self, at: float | None = None, by: str | None = None) -> None:
        """What they read together, with a reading of `by` at `at`."""
        if self.single:
            for each in self._all.values():
                self.now, self.doubts = each.now, each.doubts
            return
        followed = self.followed()
        sights = [without(each.heard, self._held) for each in followed.values()]
        if at is not None:
            self.returned = 0
        if len(sights) < 2:
            self.now, self.doubts = (sights[0], next(iter(followed.values())).doubts) if sights else (NOTHING, {})
            self.disputed = self.undecided = 0
            self._since.clear()
            return
        self.now, contradicted = fused(sights)
        foremost = next(iter(followed))
        for square in [square for square in self._since if not contradicted >> square & 1]:
            _, changed = self._since.pop(square)
            if at is not None and changed == by == foremost:
                self.returned |= 1 << square
        for square in squares_of(contradicted):
            if square not in self._since and at is not None:
                self._since[square] = at, by
        self.undecided &= contradicted
        self.disputed = contradicted & ~self.undecided
        doubts = fused_doubts([each.doubts for each in followed.values()], self.now.known)
        if self.undecided:
            doubts = {**doubts, **torn(sights, self.undecided)}
            self.now = without(self.now, self.undecided)
        self.doubts = doubts

    # --- what comes of it

    @property
    def deadline(self) -> float | None:
        """When the next difference has lasted for more than a moment, or the next agreement for long enough."""
        if self.single:
            return None
        times = [round(since + DIFFER_SECONDS, 6) for square, (since, _) in self._since.items() if self._open(square)]
        late = [each.late for each in self._all.values() if each.late is not None and not each.lost]
        times += [round(since + DIFFER_SECONDS, 6) for since in late]
        agreeing = [*self._set_aside.values(), *self._told.values()]
        times += [round(since + TRUST_SECONDS, 6) for since in agreeing if since is not None]
        times += [due for each in self.followed().values() if (due := each.deadline) is not None]
        if self._held:
            times.append(round(self._held_since + DIFFER_SECONDS, 6))
        return min(times, default=None)

    def _open(self, square: int) -> bool:
        return bool(self.disputed >> square & 1)

    def compare(self, at: float, record: Record, *, otherwise_agreed: int, moved: bool) -> Findings:
        """What has come of it at `at`; the record says who is right on `otherwise_agreed`.

        `moved`: by some of the sources a ply stands on the board that is not recorded yet.
        """
        found, position = Findings(), record.position
        self._revoke(record, at)
        if self._held and round(self._held_since + DIFFER_SECONDS, 6) <= at:
            self._held = 0
            self.combine(at)
        self._come_in(at)
        self._differ(at, position, found, moved)
        if otherwise_agreed & (self.undecided | self.disputed):
            self._judge(record, otherwise_agreed & (self.undecided | self.disputed), at, found)
        self._agree(at, found)
        return found

    def _come_in(self, at: float) -> None:
        """Those that were late count again once they say the same as the others, or after a moment."""
        for by, each in self._all.items():
            if each.late is None or each.lost:
                continue
            others = [other.heard for name, other in self.followed().items() if name != by]
            same = each.heard_at >= each.late and not fused([*others, each.heard])[1]
            if same or round(each.late + DIFFER_SECONDS, 6) <= at or not others:
                each.late = None
                self.combine(at, by)

    def _differ(self, at: float, position: Position, found: Findings, moved: bool) -> None:
        late = [s for s, (since, _) in self._since.items() if self._open(s) and round(since + DIFFER_SECONDS, 6) <= at]
        if not late:
            return
        many = len(late) + self.undecided.bit_count() >= MANY
        if many and not moved and self._put_aside(at, position, found):
            return
        for square in sorted(late):
            self._tell(square, found)
            self.undecided |= 1 << square
        self.combine(at)

    def _tell(self, square: int, found: Findings) -> None:
        sights = {by or SENSORS: each.heard for by, each in self.followed().items()}
        says = {name: _mark(sight, square) for name, sight in sights.items() if sight.known >> square & 1}
        found.differences.append(Difference(square, says))
        self._told[square] = None

    def _put_aside(self, at: float, position: Position, found: Findings) -> bool:
        """Follows no more those that look at another board: they agree less with the record. Whether any does."""
        followed = self.followed()
        off = {by: disagreement(position, each.heard, -1).bit_count() for by, each in followed.items()}
        best = min(followed, key=lambda by: off[by])
        astray = [by for by in followed if by != best and _elsewhere(followed[by], [followed[best]])]
        for by in astray:
            self._set_aside[by] = None
            says = {"followed": best or SENSORS, "not_followed": by or SENSORS}
            found.differences.append(Difference(None, says))
        if astray:
            found.agreed |= sum(1 << square for square in self._told)
            self._told.clear()
            self.combine(at)
        return bool(astray)

    def _revoke(self, record: Record, at: float) -> None:
        """Takes back what plies have told of who was wrong that are no more."""
        for square, (number, was) in list(self._verdicts.items()):
            if number <= len(record.plies) and (not number or record.plies[number - 1].after == was):
                continue
            del self._verdicts[square]
            if difference(was, record.position) >> square & 1:
                for each in self._all.values():
                    each.pardon(square)
                self.combine(at)

    def _judge(self, record: Record, squares: int, at: float, found: Findings) -> None:
        """The record says who is right on `squares`: the others are not listened to there."""
        position = record.position
        for square in squares_of(squares):
            bit = 1 << square
            if square not in self._told:
                self._tell(square, found)
            here = [each for each in self.followed().values() if each.heard.known & bit]
            wrong = [each for each in here if disagreement(position, each.heard, bit) & bit]
            if len(wrong) < len(here):
                self._verdicts[square] = len(record.plies), position
                for each in wrong:
                    each.distrust(square)
        self.combine(at)

    def _agree(self, at: float, found: Findings) -> None:
        followed = self.followed()
        trusted = 0
        for each in followed.values():
            trusted |= each.trust([other.heard for other in followed.values() if other is not each], at)
        if trusted:
            self.combine(at)
        for square, since in list(self._told.items()):
            bit = 1 << square
            readers = sum(bool(each.heard.known & bit) for each in followed.values())
            if (self.undecided | self.disputed) & bit or readers < 2:
                self._told[square] = None
            elif trusted & bit or (since is not None and round(since + TRUST_SECONDS, 6) <= at):
                del self._told[square]
                found.agreed |= bit
            elif since is None:
                self._told[square] = at
        self._look_again(at, found)

    def _look_again(self, at: float, found: Findings) -> None:
        """Whether those that were set aside look at this board again."""
        followed = self.followed()
        for by, since in list(self._set_aside.items()):
            each = self._all[by]
            silent = each.lost or each.late is not None or by in followed
            if silent or _elsewhere(each, followed.values()):
                self._set_aside[by] = None
            elif since is None:
                self._set_aside[by] = at
            elif round(since + TRUST_SECONDS, 6) <= at:
                del self._set_aside[by]
                found.same_board = not self._set_aside
                self.combine(at, by)


def _elsewhere(one: Onlooker, others: Iterable[Onlooker]) -> bool:
    """Whether `one` does not look at the same board."""
    return fused([*(other.heard for other in others), one.heard])[1].bit_count() >= MANY


def _mark(sight: Sight, square: int) -> str:
    if not sight.not_empty >> square & 1:
        return "."
    return "w" if sight.white >> square & 1 else "b" if sight.black >> square & 1 else "o"
