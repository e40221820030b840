"""A position and the moves between positions: immutable values."""

from __future__ import annotations

from typing import NamedTuple

from damas_board.rules.side import Side
from damas_board.rules.variant import Variant


class Move(NamedTuple):
    """One turn of one side. Two captures with the same ends and the same captured pieces are one move.

    `captured` are the pieces in the order of the jumps, `path` every square where the piece came down, both ends
    included, on one of the routes that lead there.
    """

    start: int
    end: int
    captured: tuple[int, ...]
    path: tuple[int, ...]
    promotes: bool

    @property
    def captured_mask(self) -> int:
        return sum(1 << s for s in self.captured)


class Run(NamedTuple):
    """The quiet moves in a row of one side's king (king_run_limit)."""

    square: int
    length: int


Runs = tuple[Run | None, Run | None]
NO_RUNS: Runs = (None, None)
_OTHER = (Side.BLACK, Side.WHITE)


class Position(NamedTuple):
    """Sets of squares, whose turn it is, and what legality itself needs of the past (`runs`)."""

    variant: Variant
    turn: Side
    white: int
    black: int
    kings: int
    runs: Runs = NO_RUNS

    @property
    def occupied(self) -> int:
        return self.white | self.black

    def pieces(self, side: Side) -> int:
        return self.black if side else self.white

    def side_at(self, square: int) -> Side | None:
        if self.white >> square & 1:
            return Side.WHITE
        return Side.BLACK if self.black >> square & 1 else None

    def after(self, move: Move) -> Position:
        """The position after `move`, which must be one of this position's."""
        variant, turn, white, black, kings, runs = self
        start, end, captured, _, promotes = move
        start_bit = 1 << start
        end_bit = 1 << end
        taken = 0
        for square in captured:
            taken |= 1 << square
        was_king = kings & start_bit
        kings &= ~(taken | start_bit)
        if was_king or promotes:
            kings |= end_bit
        if turn:
            black = black & ~start_bit | end_bit
            white &= ~taken
        else:
            white = white & ~start_bit | end_bit
            black &= ~taken
        if variant.king_run_limit is not None:
            runs = _runs_after(self, move, white, black, kings)
        return Position(variant, _OTHER[turn], white, black, kings, runs)


def _runs_after(before: Position, move: Move, white: int, black: int, kings: int) -> Runs:
    """Runs that still bind: only for a side that has men, of a king that is still there."""
    runs = list(before.runs)
    if before.kings >> move.start & 1 and not move.captured:
        last = runs[before.turn]
        again = last is not None and last.square == move.start
        runs[before.turn] = Run(move.end, last.length + 1 if last is not None and again else 1)
    else:
        runs[before.turn] = None
    for side, pieces in ((Side.WHITE, white), (Side.BLACK, black)):
        run = runs[side]
        if run is not None and (not pieces & ~kings or not pieces & kings & 1 << run.square):
            runs[side] = None
    return runs[0], runs[1]


def initial(variant: Variant) -> Position:
    """The position that a game of the variant begins from."""
    return Position(variant, variant.first, variant.men_at_start(Side.WHITE), variant.men_at_start(Side.BLACK), 0)
