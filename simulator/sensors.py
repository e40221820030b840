"""Sensors between a table and its reader: what they say over time, and how they go wrong at a level.

Time is a queue: what the hands do and what the sensors do to it are put in with their times, and taken out in their
order. A sensor that goes wrong is an override: it says `mark` from one time to another, whatever stands there; of
several on one square the latest holds. The board is told anew whenever what it says has changed, and only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from random import Random

from damas_board.rules.geometry import Geometry
from damas_board.session.header import Senses
from damas_board.session.inputs import Input, Lever, Link, See
from simulator.hand import Act, Crown, Press
from simulator.levels import Level, Span
from simulator.table import EMPTY, Table, Turn, rows, sensed

TOGGLE: Span = (0.004, 0.018)
"""How long a bouncing contact stays on either side."""
LONG_BLIP: Span = (0.4, 1.5)
STUCK_PLIES = (3, 10)
LOST: Span = (1.0, 4.0)


@dataclass(eq=False)
class Override:
    """From when it is in force the sensor of `square` says `mark`."""

    square: int
    mark: str


class Sensors:
    """The sensors of one table. Squares that are not `playable` have none."""

    def __init__(
        self,
        table: Table,
        geometry: Geometry,
        level: Level,
        seed: int = 0,
        *,
        senses: Senses = "occupancy",
        turn: Turn = 0,
        plies: int = 0,
    ) -> None:
        """`plies` is how long the game will be: what happens once in a game falls on one of them."""
        self._table = table
        self._geometry = geometry
        self._level = level
        self._random = Random(seed)
        self._senses = senses
        self._turn = turn
        self._queue: list[tuple[float, int, Callable[[float], Iterator[Input]]]] = []
        self._order = count()
        self._overrides: dict[int, list[Override]] = {}
        self._says = {s: sensed(p, senses) for s, p in table.pieces.items()}
        self._told = rows(self._says, geometry, turn)
        self._now = 0.0
        self._linked = True
        self._ply = 0
        self._stuck: Override | None = None
        self._stuck_from = self._once_in_a_game(level.stuck, plies)
        self._stuck_until = self._stuck_from + self._random.randint(*STUCK_PLIES)
        self._lost_at = self._once_in_a_game(level.lost, plies)

    @property
    def rows(self) -> str:
        """What the board last said."""
        return self._told

    def see(self, acts: list[Act], since: float | None = None) -> Iterator[Input]:
        """What is read while one turn is played: `acts` in the order of their times, thought over from `since`.

        What begins in this turn and lasts longer goes on in the next; `rest` ends it.
        """
        if not acts:
            return
        begins = max(self._now, acts[0].at if since is None else since)
        ends = max(act.at for act in acts)
        self._sensors_fail(acts, begins, ends)
        for act in acts:
            self._at(act.at, self._done(act))
        yield from self._until(ends)
        self._now = ends
        self._ply += 1

    def rest(self) -> Iterator[Input]:
        """What is read until every fault that began has ended."""
        yield from self._until(float("inf"))
        if self._stuck is not None:
            stuck, self._stuck = self._stuck, None
            yield from self._ended(stuck)(self._now)

    def misread(self, square: int, at: float, seconds: float) -> None:
        """The sensor of `square` will say the opposite of what stands there at `at`, for so long."""

        def happen(now: float) -> Iterator[Input]:
            override = Override(square, self._opposite(square))
            self._at(now + seconds, self._ended(override))
            yield from self._begun(override)(now)

        self._at(at, happen)

    def lose(self, at: float, seconds: float) -> None:
        """The link will be lost at `at`, for so long."""
        self._at(at, self._link(False))
        self._at(at + seconds, self._link(True))

    def _sensors_fail(self, acts: list[Act], begins: float, ends: float) -> None:
        level = self._level
        touched = {a.action.square for a in acts if not isinstance(a.action, Press)}
        elsewhere = [s for s in self._geometry.playable if s not in touched]
        middle = (begins + ends) / 2
        for half in ((begins, middle), (middle, ends)):
            if self._happens(level.dropout):
                self._wrongly([s for s in elsewhere if s in self._table.pieces], half, level.blip)
            if self._happens(level.ghost):
                self._wrongly([s for s in elsewhere if s not in self._table.pieces], half, level.blip)
        if self._happens(level.long_blip):
            self._wrongly(elsewhere, (begins, ends), LONG_BLIP)
        if self._ply == self._stuck_from:
            square = self._random.choice(self._geometry.playable)
            self._at(self._drawn((begins, ends)), self._sticks(square))
        if self._ply == self._stuck_until and self._stuck is not None:
            self._at(begins, self._ended(self._stuck))
            self._stuck = None
        if self._ply == self._lost_at:
            lost = self._drawn((begins, ends))
            self.lose(lost, self._drawn(LOST))

    def _wrongly(self, squares: list[int], when: Span, duration: Span) -> None:
        """One of `squares` says the opposite of what stands there, for a time that begins in `when`."""
        if not squares:
            return
        square = self._random.choice(squares)
        self._override(Override(square, self._opposite(square)), self._drawn(when), self._drawn(duration))

    def _opposite(self, square: int) -> str:
        if square in self._table.pieces:
            return EMPTY
        return "o" if self._senses == "occupancy" else self._random.choice("wb")

    def _override(self, override: Override, at: float, duration: float) -> None:
        self._at(at, self._begun(override))
        self._at(at + duration, self._ended(override))

    def _done(self, act: Act) -> Callable[[float], Iterator[Input]]:
        def happen(at: float) -> Iterator[Input]:
            if isinstance(act.action, Press):
                if self._linked:
                    yield Lever(at, "black" if act.action.by else "white")
                return
            before = self._truth(act.action.square)
            self._table.do(act.action)
            yield from self._changed(act.action.square, at)
            if not isinstance(act.action, Crown) and self._happens(self._level.bounce):
                self._bounce(act.action.square, before, at)

        return happen

    def _bounce(self, square: int, before: str, at: float) -> None:
        for _ in range(self._random.choice((1, 2))):
            at += self._drawn(TOGGLE)
            back = self._drawn(TOGGLE)
            self._override(Override(square, before), at, back)
            at += back

    def _begun(self, override: Override) -> Callable[[float], Iterator[Input]]:
        def happen(at: float) -> Iterator[Input]:
            self._overrides.setdefault(override.square, []).append(override)
            yield from self._changed(override.square, at)

        return happen

    def _ended(self, override: Override) -> Callable[[float], Iterator[Input]]:
        def happen(at: float) -> Iterator[Input]:
            self._overrides[override.square].remove(override)
            yield from self._changed(override.square, at)

        return happen

    def _sticks(self, square: int) -> Callable[[float], Iterator[Input]]:
        def happen(at: float) -> Iterator[Input]:
            self._stuck = Override(square, self._says.get(square, EMPTY))
            self._overrides.setdefault(square, []).append(self._stuck)
            yield from self._changed(square, at)

        return happen

    def _link(self, up: bool) -> Callable[[float], Iterator[Input]]:
        def happen(at: float) -> Iterator[Input]:
            self._linked = up
            if up:
                yield Link(at, "back")
                self._told = rows(self._says, self._geometry, self._turn)
                yield See(at, self._told)
            else:
                yield Link(at, "lost", "simulated")

        return happen

    def _truth(self, square: int) -> str:
        return sensed(self._table.pieces.get(square), self._senses)

    def _changed(self, square: int, at: float) -> Iterator[Input]:
        """Reads the sensor of `square` anew; tells the board if it says something else and the link is up."""
        overrides = self._overrides.get(square)
        self._says[square] = overrides[-1].mark if overrides else self._truth(square)
        if not self._linked:
            return
        now = rows(self._says, self._geometry, self._turn)
        if now != self._told:
            self._told = now
            yield See(at, now)

    def _until(self, end: float) -> Iterator[Input]:
        while self._queue and self._queue[0][0] <= end:
            at, _, happen = heappop(self._queue)
            self._now = at
            yield from happen(at)

    def _at(self, at: float, happen: Callable[[float], Iterator[Input]]) -> None:
        heappush(self._queue, (round(at, 3), next(self._order), happen))

    def _happens(self, probability: float) -> bool:
        return self._random.random() < probability

    def _drawn(self, span: Span) -> float:
        return self._random.uniform(*span)

    def _once_in_a_game(self, probability: float, plies: int) -> int:
        """The ply on which it happens; -1 if it does not."""
        happens = self._happens(probability)
        ply = self._random.randrange(max(plies, 1))
        return ply if happens else -1
