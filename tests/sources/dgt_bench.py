"""DGT boards in software behind a pseudo-terminal, and the source that reads them."""

from __future__ import annotations

from typing import Any

from sources.bench import SoftwareBench

from damas_board.decoding.square_map import SquareMap
from damas_board.sources.adapter import Place
from damas_board.sources.dgt import DGT
from damas_board.sources.source import Source
from simulator.clock import Clock, RunningClock
from simulator.dgt.board import DgtBoard
from simulator.pty import BoardPty

EMPTY, WHITE, BLACK = 0, 1, 2
PLACES = SquareMap(8, "left")
CORNER = "white-right"
SPEED = 5.0


def dgt_board(size: int, clock: Clock, **options: Any) -> DgtBoard:
    """With 24 men on it, where the bench's places 1 to 12 and 21 to 32 are."""
    board = DgtBoard(size, clock, corner=CORNER, garbage=True, **options)
    set_out(board)
    return board


def set_out(board: DgtBoard) -> None:
    """Put the men on it."""
    levels = [EMPTY] * board.square_map.places
    for place in range(1, 33):
        levels[field(board, place) - 1] = BLACK if place <= 12 else WHITE if place > 20 else EMPTY
    board.set_up(levels)


def field(board: DgtBoard, place: int) -> int:
    """The board's own place under one of the bench's: on 10 x 10, the 8 x 8 squares in White's left corner."""
    row, column = divmod(PLACES.square(place), 8)
    return board.square_map.place(row * board.square_map.size + column)


class FieldsBench(SoftwareBench):
    """The bench's places are some of the fields of `board`, and a piece that is put down is the one that was lifted."""

    has_clock = False
    sees_every_change = False
    board: DgtBoard

    def __init__(self) -> None:
        self._held: list[int] = []

    def lift(self, place: int) -> None:
        where = field(self.board, place)
        self._held.append(self.board.pieces[where - 1])
        self.board.lift(where)

    def put(self, place: int) -> None:
        self.board.place(field(self.board, place), self._held.pop())

    def press_clock(self) -> None:
        raise NotImplementedError("levers are told late, and not told unless asked for")


class DgtBench(FieldsBench):
    def __init__(self, size: int, **options: Any) -> None:
        super().__init__()
        self.clock = RunningClock(SPEED)
        self.board = dgt_board(size, self.clock, **options)
        self.carrier = BoardPty(self.board, self.clock)

    def source(self) -> Source:
        place = Place(self.carrier.path, self.board.square_map.size, "left", CORNER, "kind", speed=SPEED)
        return DGT.make(place, DGT.options(log=False), self.clock.now)

    def rows(self) -> str:
        return self.board.square_map.rows(self.board.pieces, 5)
