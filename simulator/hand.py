"""The hands of two players at one table, in virtual time: legal moves in, lifts and placements with their times out.

A hand is pure: what it does and when comes from the position, the level and the seed, never from a clock. Each call
returns what was done, in the order of the times, and moves `now` on to the end of it; what the sensors say of it is
the table's matter.

How a move is played. A capture has routes; the hand takes one of them at random. It may put the piece down wherever
the route turns, or carry it straight to the end. Captured pieces come off afterwards, in the order of the jumps, in
reverse or at random - except where each is removed at once: there it comes off before the next jump, since the piece
may have to cross or end on the square that became free. Beside that run the habits of people: a piece dragged along
the board, put beside its square, held in the air, put back and lifted again; and while one player is at it, the
other straightens a piece of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import NamedTuple

from damas_board.notation.moves import read_move
from damas_board.rules.position import Move, Position
from damas_board.rules.routes import routes
from damas_board.rules.side import Side
from simulator.levels import Level, Span
from simulator.levels import level as named_level

SLIDE: Span = (0.025, 0.08)
"""How long a dragged piece is over a square, and between two squares."""
FUMBLE: Span = (0.1, 0.25)
"""How long a piece stands on the wrong square."""
CENTRE: Span = (0.25, 0.9)
"""How long a piece that is straightened is in the air."""
HOLD: Span = (1.0, 3.0)
"""How long a piece is held in thought."""
BRUSH: Span = (0.03, 0.12)
"""How long a sleeve moves a piece off its sensor."""
PRESS: Span = (0.1, 0.4)
"""From the end of a move to the clock's lever."""
ROUTES_TRIED = 200
"""A king among many pieces has thousands of routes; the hand chooses among the first ones."""


@dataclass(frozen=True, slots=True)
class Lift:
    """A piece goes from `square` into the hand of the player `by`: the right one, or `left` if that is full."""

    square: int
    by: Side
    left: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The piece in the hand of the player `by` comes down on `square`."""

    square: int
    by: Side
    left: bool = False


@dataclass(frozen=True, slots=True)
class TakeOff:
    """A piece goes from `square` into the box."""

    square: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """The piece `mark` (`w` `b` `W` `B`) comes out of the box onto `square`."""

    square: int
    mark: str


@dataclass(frozen=True, slots=True)
class Crown:
    """The man on `square` becomes a king."""

    square: int


@dataclass(frozen=True, slots=True)
class Press:
    """The player `by` presses the clock: the move is over."""

    by: Side


Action = Lift | Place | TakeOff | PutBack | Crown | Press


class Act(NamedTuple):
    """`action`, done at `at` seconds of virtual time."""

    at: float
    action: Action


class Hand:
    """The players at one table; `position` is the game's, `now` when the last action was over."""

    def __init__(
        self,
        position: Position,
        level: Level | None = None,
        seed: int = 0,
        *,
        now: float = 1.0,
        clock: bool = False,
    ) -> None:
        """`level` is `clean` if not given; `clock`: the players press a lever after each move."""
        self.position = position
        self.level = named_level("clean") if level is None else level
        self.now = now
        self._clock = clock
        self._random = Random(seed)
        self._empty_handed_at = now
        """When the last piece that was only straightened is back."""

    def lift(self, square: int | str) -> list[Act]:
        """The player whose piece stands on `square` takes it into the hand. Names are the variant's own."""
        where = self._square(square)
        return [Act(self._wait(self.level.think), Lift(where, self._owner(where)))]

    def place(self, square: int | str, by: Side | None = None) -> list[Act]:
        """The piece in the hand of `by`, the player to move if not said, comes down on `square`."""
        holder = self.position.turn if by is None else by
        return [Act(self._wait(self.level.carry), Place(self._square(square), holder))]

    def take_off(self, square: int | str) -> list[Act]:
        """The piece on `square` goes into the box."""
        return [Act(self._wait(self.level.removal), TakeOff(self._square(square)))]

    def brush(self, square: int | str) -> list[Act]:
        """A sleeve moves the piece on `square` off its sensor for a moment."""
        where = self._square(square)
        by = self._owner(where)
        return [
            Act(self._wait(self.level.think), Lift(where, by)),
            Act(self._wait(BRUSH), Place(where, by)),
        ]

    def straighten(self, square: int | str) -> list[Act]:
        """The player whose piece stands on `square` lifts it and puts it back."""
        where = self._square(square)
        by = self._owner(where)
        return [
            Act(self._wait(self.level.think), Lift(where, by)),
            Act(self._wait(CENTRE), Place(where, by)),
        ]

    def play(self, move: Move | str) -> list[Act]:
        """The player to move thinks and plays `move`; the other one may straighten a piece meanwhile.

        A text is read in the variant's notation (NotationError). `position` is the one after the move.
        """
        position = self.position
        chosen = read_move(position, move) if isinstance(move, str) else move
        since = self.now = max(self.now, self._empty_handed_at)
        acts = list(self._capture(chosen) if chosen.captured else self._quiet(chosen))
        if chosen.promotes:
            acts.append(Act(self.now, Crown(chosen.end)))
        if self._clock:
            acts.append(Act(self._wait(PRESS), Press(position.turn)))
        if self._happens(self.level.centre):
            acts += self._other_player(chosen, since)
            acts.sort(key=lambda act: act.at)
        self.position = position.after(chosen)
        return acts

    def _quiet(self, move: Move) -> Iterator[Act]:
        by = self.position.turn
        between = self._squares_between(move) if self._happens(self.level.slide) else []
        yield Act(self._wait(self.level.think), Lift(move.start, by))
        yield from self._hesitates(move, by)
        for square in between:
            yield Act(self._wait(SLIDE), Place(square, by))
            yield Act(self._wait(SLIDE), Lift(square, by))
        beside = self._squares_beside(move)
        if beside and self._happens(self.level.fumble):
            wrong = self._random.choice(beside)
            yield Act(self._wait(self.level.carry), Place(wrong, by))
            yield Act(self._wait(FUMBLE), Lift(wrong, by))
        yield Act(self._wait(SLIDE if between else self.level.carry), Place(move.end, by))

    def _capture(self, move: Move) -> Iterator[Act]:
        by = self.position.turn
        route = self._random.choice(list(islice(routes(self.position, move), ROUTES_TRIED)))
        stops = len(move.captured) > 1 and self._happens(self.level.stops)
        if self.position.variant.removal == "at_once":
            yield Act(self._wait(self.level.think), Lift(move.start, by))
            yield from self._hesitates(move, by)
            yield from self._jumps_and_removes(route, by, stops)
            return
        victims = self._removed_in_order(list(route.captured))
        wait = self.level.think
        if self._may_take_off_first(move) and self._happens(self.level.victim_first):
            yield Act(self._wait(wait), TakeOff(victims.pop()))
            wait = self.level.removal
        yield Act(self._wait(wait), Lift(move.start, by))
        yield from self._hesitates(move, by)
        if stops:
            for square in route.path[1:-1]:
                yield Act(self._wait(self.level.carry), Place(square, by))
                yield Act(self._wait(self.level.carry), Lift(square, by))
        yield Act(self._wait(self.level.carry), Place(move.end, by))
        for square in victims:
            yield Act(self._wait(self.level.removal), TakeOff(square))

    def _jumps_and_removes(self, route: Move, by: Side, stops: bool) -> Iterator[Act]:
        """Each captured piece comes off before the next jump, the last one before or after the piece is down."""
        for square, victim in zip(route.path[1:-1], route.captured[:-1], strict=True):
            if stops:
                yield Act(self._wait(self.level.carry), Place(square, by))
            yield Act(self._wait(self.level.removal), TakeOff(victim))
            if stops:
                yield Act(self._wait(self.level.carry), Lift(square, by))
        last = route.captured[-1]
        if self._happens(0.5):
            yield Act(self._wait(self.level.carry), Place(route.end, by))
            yield Act(self._wait(self.level.removal), TakeOff(last))
        else:
            yield Act(self._wait(self.level.removal), TakeOff(last))
            yield Act(self._wait(self.level.carry), Place(route.end, by))

    def _hesitates(self, move: Move, by: Side) -> Iterator[Act]:
        """The piece is in the hand: it is held in thought, or put back for a moment."""
        if not self._happens(self.level.hesitation):
            return
        if self._happens(0.5):
            self._wait(HOLD)
            return
        yield Act(self._wait(self.level.carry), Place(move.start, by))
        yield Act(self._wait(self.level.carry), Lift(move.start, by))

    def _other_player(self, move: Move, since: float) -> list[Act]:
        """The other player straightens a piece that the move does not capture, at some time of this turn."""
        other = self.position.turn.other
        pieces = self.position.pieces(other) & ~move.captured_mask
        squares = [s for s in self.position.variant.geometry.playable if pieces >> s & 1]
        if not squares:
            return []
        square = self._random.choice(squares)
        lifted = round(self._random.uniform(since, self.now), 3)
        back = round(lifted + self._random.uniform(*CENTRE), 3)
        self._empty_handed_at = back
        return [Act(lifted, Lift(square, other)), Act(back, Place(square, other))]

    def _may_take_off_first(self, move: Move) -> bool:
        kings = self.position.kings
        men = not kings >> move.start & 1 and not kings & move.captured_mask
        return len(move.captured) == 1 and men

    def _removed_in_order(self, victims: list[int]) -> list[int]:
        orders = (victims, victims[::-1], self._random.sample(victims, len(victims)))
        drawn = self._random.choice(orders)
        match self.level.removal_order:
            case "in_order":
                return orders[0]
            case "reverse":
                return orders[1]
            case "random":
                return orders[2]
            case "any":
                return drawn

    def _squares_between(self, move: Move) -> list[int]:
        size = self.position.variant.size
        rows = move.end // size - move.start // size
        columns = move.end % size - move.start % size
        steps = max(abs(rows), abs(columns))
        delta = rows // steps * size + columns // steps
        return [move.start + delta * n for n in range(1, steps)]

    def _squares_beside(self, move: Move) -> list[int]:
        """The free squares next to the move's end, without the one that the piece comes from."""
        size = self.position.variant.size
        row, column = divmod(move.end, size)
        free = self.position.variant.geometry.playable_mask & ~self.position.occupied
        return [
            r * size + c
            for r in range(max(row - 1, 0), min(row + 2, size))
            for c in range(max(column - 1, 0), min(column + 2, size))
            if (r, c) != (row, column) and free >> r * size + c & 1
        ]

    def _happens(self, probability: float) -> bool:
        return self._random.random() < probability

    def _wait(self, span: Span) -> float:
        """Lets a time drawn from `span` pass; the time it is then."""
        self.now = round(self.now + self._random.uniform(*span), 3)
        return self.now

    def _owner(self, square: int) -> Side:
        side = self.position.side_at(square)
        if side is None:
            raise ValueError(f"no piece stands on {self.position.variant.geometry.name(square)}")
        return side

    def _square(self, square: int | str) -> int:
        return self.position.variant.geometry.square(square) if isinstance(square, str) else square
