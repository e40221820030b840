"""The routes of a capture: on which squares a piece may come down on its way, and what it has jumped by then.

A `Move` names one route; on the board a player may take any of them. A station is a square on some route of the move
together with the pieces jumped before it: what a board can show while the capture is under way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from damas_board.rules.generation import CaptureSearch, tables
from damas_board.rules.position import Move, Position


class Station(NamedTuple):
    square: int
    jumped: int
    """The set of the captured pieces jumped so far."""


class _Routes:
    """The jumps from the move's start that still can end as the move does."""

    def __init__(self, position: Position, move: Move) -> None:
        self.king = bool(position.kings >> move.start & 1)
        self.search = CaptureSearch(position, tables(position.variant))
        self.search.begin(move.start, self.king)
        self.move = move
        self.goal = move.captured_mask
        self.dead: set[tuple[object, ...]] = set()

    def walk(
        self, square: int, taken: int, king: bool, came: int | None, promoted: bool
    ) -> Iterator[tuple[tuple[int, int], ...]]:
        """Every route from here to the end, as pairs of the victim and the landing square."""
        if taken == self.goal:
            if square == self.move.end:
                yield ()
            return
        state = (square, taken, king, came)
        if state in self.dead:
            return
        alive = False
        for over, lands, direction in self.search.jumps(square, taken, king, came):
            if not self.goal >> over & 1:
                continue
            for land in lands:
                kind, crowned = self.search.after_jump(land, king, promoted)
                last = taken | 1 << over == self.goal
                if kind is None and not last:
                    continue
                for rest in self.walk(land, taken | 1 << over, bool(kind), direction, crowned):
                    alive = True
                    yield ((over, land), *rest)
        if not alive:
            self.dead.add(state)


def routes(position: Position, move: Move) -> Iterator[Move]:
    """Every route of `move`: equal moves but for `captured` (order) and `path`. A quiet move has one."""
    if not move.captured:
        yield move
        return
    plan = _Routes(position, move)
    for steps in plan.walk(move.start, 0, plan.king, None, False):
        yield move._replace(captured=tuple(over for over, _ in steps), path=(move.start, *(land for _, land in steps)))


def stations(position: Position, move: Move) -> frozenset[Station]:
    """The stations of all routes of a capture, its start and end included; none for a quiet move."""
    if not move.captured:
        return frozenset()
    plan = _Routes(position, move)
    found: set[Station] = set()

    def visit(square: int, taken: int, king: bool, came: int | None, promoted: bool) -> bool:
        """True if the end can be reached; every such station is kept."""
        key = (square, taken, king, came)
        if key in known:
            return known[key]
        reached = taken == plan.goal and square == move.end
        known[key] = reached
        if taken != plan.goal:
            for over, lands, direction in plan.search.jumps(square, taken, king, came):
                if not plan.goal >> over & 1:
                    continue
                for land in lands:
                    kind, crowned = plan.search.after_jump(land, king, promoted)
                    if kind is None and taken | 1 << over != plan.goal:
                        continue
                    if visit(land, taken | 1 << over, bool(kind), direction, crowned):
                        reached = True
        if reached:
            found.add(Station(square, taken))
        known[key] = reached
        return reached

    known: dict[tuple[object, ...], bool] = {}
    visit(move.start, 0, plan.king, None, False)
    return frozenset(found)


def route_through(position: Position, move: Move, squares: tuple[int, ...]) -> Move | None:
    """The first route of `move` that comes down on `squares`, in this order, between its ends, or None."""
    if not move.captured:
        return None if squares else move
    for route in routes(position, move):
        ahead = iter(route.path[1:-1])
        if all(square in ahead for square in squares):
            return route
    return None
