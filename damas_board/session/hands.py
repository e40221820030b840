"""Touched pieces: which were lifted and put back in a turn, what was in the air together, and what was announced.

A board sees pieces and no hands: it knows that a piece went up and came down, not who lifted it, and of a touch without
a lift it knows nothing. So a touch here is a piece that left its square for longer than a bounce, and came back to it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position
from damas_board.rules.side import Side

WAVERING = 3
"""So often in one turn a player may not lift and put back, or rest and go on (003 art. 20: 'sistematicamente')."""


@dataclass(slots=True)
class Lifted:
    """A piece that went up from `square`; `until`: when one came down, None while it is in the air."""

    square: int
    since: float
    side: Side
    """Whose piece it was, or of a square that is empty in the record the player's whose turn it was."""
    until: float | None = None
    back: bool = False
    """It came down where it had stood."""
    held: bool = False
    """It was told that the piece was held for too long."""


CONTACT_SECONDS = 0.2
"""For so long the contact of a piece that is taken off may bounce."""


class Adjustment(NamedTuple):
    """'I adjust': covers what `side` lifts from `at` on, until its next complete move or for some seconds."""

    side: Side
    at: float
    until: float | None


class Touched(NamedTuple):
    """What a player's turn had in it, once its move is complete; squares in the order of lifting."""

    returned: tuple[int, ...] = ()
    """Own playable pieces that were put back while another one moved, if one of them was touched before it."""
    together: tuple[int, ...] = ()
    """Own playable pieces that were in the air at one moment."""


NOTHING_TOUCHED = Touched()


class Hands:
    """The lifts since the last complete move. Times are when the board saw it, seconds."""

    def __init__(self, hold_seconds: float, slack: float = 0.0) -> None:
        """`slack`: as of Touches; who did what first, closer together than that, is nobody's fault."""
        self.hold_seconds = hold_seconds
        self.slack = slack
        self._lifts: list[Lifted] = []
        self._adjustments: list[Adjustment] = []
        self._wavered: dict[Side, list[int]] = {Side.WHITE: [], Side.BLACK: []}
        self._unplayable: dict[Side, int] = {Side.WHITE: 0, Side.BLACK: 0}

    # --- what happens

    def lift(self, square: int, since: float, side: Side) -> None:
        self._lifts.append(Lifted(square, since, side))

    def put(self, square: int, since: float, side: Side) -> Lifted | None:
        """A piece came down on `square`; the lift that it ends if it came back to where it was lifted.

        Elsewhere it is taken for the piece that `side`, the player whose turn it is, has lifted last.
        """
        in_air = [lift for lift in reversed(self._lifts) if lift.until is None]
        for lift in in_air:
            if lift.square == square:
                lift.until, lift.back = since, True
                return lift
        for lift in sorted(in_air, key=lambda lift: lift.side is not side)[:1]:
            lift.until = since
        return None

    def adjust(self, sides: Iterable[Side], at: float, seconds: float | None = None) -> None:
        until = None if seconds is None else at + seconds
        self._adjustments += [Adjustment(side, at, until) for side in sides]

    def adjusted(self, side: Side, since: float) -> bool:
        """Whether an adjustment was announced before `side` lifted at `since`."""
        return any(
            a.side is side and a.at <= since and (a.until is None or since <= a.until) for a in self._adjustments
        )

    # --- what falls due

    @property
    def deadline(self) -> float | None:
        """When the next piece has been in the air for longer than `hold_seconds`."""
        return min((self._due(lift) for lift in self._lifts if lift.until is None and not lift.held), default=None)

    def due(self, at: float) -> list[Lifted]:
        """The pieces that have been in the air for too long at `at`; each is told once."""
        found = [x for x in self._lifts if x.until is None and not x.held and self._due(x) <= at]
        for lift in found:
            lift.held = True
        return found

    def _due(self, lift: Lifted) -> float:
        return round(lift.since + self.hold_seconds, 6) + 1e-6  # longer than, not as long as

    # --- what it means

    def wavers(self, side: Side, square: int) -> tuple[int, ...]:
        """`side` lifted and put back, or rested and went on; its pieces so far at the moment when it is too often."""
        self._wavered[side].append(square)
        found = self._wavered[side]
        return tuple(dict.fromkeys(found)) if len(found) == WAVERING else ()

    def unplayable(self, side: Side) -> bool:
        """`side` lifted and put back a piece that could not move; whether it is not the first time."""
        self._unplayable[side] += 1
        return self._unplayable[side] > 1

    def touched(self, before: Position, start: int, since: float, down: float, *, first_counts: bool) -> Touched:
        """What the turn that began at `since` in `before` had in it; its move, from `start`, came down at `down`.

        `first_counts`: who plays the piece touched first may have touched others afterwards.
        """
        side = before.turn
        own = before.pieces(side)
        playable = {move.start for move in legal_moves(before)} | {start}
        lifts = [
            lift
            for lift in self._lifts
            if self._within(lift, since, down, surely=lift.square != start)
            and own >> lift.square & 1
            and lift.square in playable
            and not self.adjusted(side, lift.since)
        ]
        together: dict[int, None] = {}
        for i, one in enumerate(lifts):
            for other in lifts[i + 1 :]:
                if other.square != one.square and (one.until is None or other.since < one.until - self.slack):
                    together |= {one.square: None, other.square: None}
        put_back = [lift.square for lift in lifts if lift.back]
        others = tuple(dict.fromkeys(square for square in put_back if square != start))
        first = lifts[0].square if lifts else start
        return Touched(others if first != start or not first_counts else (), tuple(together))

    def _within(self, lift: Lifted, since: float, down: float, *, surely: bool) -> bool:
        slack = self.slack if surely else 0.0
        return since + slack <= lift.since < down - slack

    # --- turns

    def complete(self, side: Side, at: float, captured: Container[int]) -> None:
        """`side` completed a move at `at`: what was lifted before that is settled, and what it `captured` is off."""
        self._lifts = [
            lift
            for lift in self._lifts
            if lift.since >= at and (lift.square not in captured or lift.since > at + CONTACT_SECONDS)
        ]
        self._adjustments = [a for a in self._adjustments if a.side is not side or a.until is not None or a.at >= at]
        self._wavered[side.other].clear()

    def forget(self) -> None:
        """What was lifted so far does not count: something was put right, or nothing could be seen."""
        self._lifts.clear()

    def distrust(self, square: int) -> None:
        """The sensor of `square` cannot be relied on: what it said is no evidence."""
        self._lifts = [lift for lift in self._lifts if lift.square != square]
