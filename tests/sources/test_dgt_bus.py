"""Boards of one line are read as every board is, and one that is silent, or a table that leaves, changes no other."""

from __future__ import annotations

from typing import Any

import pytest
from sources.bench import Bench
from sources.contract import SourceContract
from sources.dgt_bench import CORNER, field, set_out

from damas_board.sources.adapter import Place
from damas_board.sources.dgt_bus import BusLines, DgtBusBoard, DgtBusOptions
from simulator.clock import RunningClock
from simulator.dgt.bus import DgtBus
from simulator.pty import BoardPty

SPEED = 3.0
TIMEOUT = 0.2
"""The machine may be busy."""
SERIALS = ("01025", "02054", "00003")


class BusBench(Bench):
    """The first of `count` boards; `cut` takes its own supply away, or pulls the line's converter."""

    has_clock = False
    sees_every_change = False

    def __init__(self, count: int = 2, *, cuts_line: bool = False, lines: BusLines | None = None) -> None:
        self.clock = RunningClock(SPEED)
        self.bus = DgtBus(self.clock)
        self.lines = lines or BusLines()
        self.boards = [self.bus.add(10, serial=serial, corner=CORNER) for serial in SERIALS[:count]]
        for board in self.boards:
            set_out(board)
        self.board = self.boards[0]
        self.carrier = BoardPty(self.bus, self.clock)
        self._cuts_line = cuts_line
        self._held: list[int] = []

    def place(self) -> Place:
        return Place(self.carrier.path, 10, "left", CORNER, "kind", speed=SPEED)

    def source(self, number: int = 0, **options: Any) -> DgtBusBoard:
        options = {"address": SERIALS[number], "timeout": TIMEOUT, "log": False, **options}
        return self.lines.make(self.place(), DgtBusOptions(**options), self.clock.now)

    def lift(self, place: int) -> None:
        where = field(self.board, place)
        self._held.append(self.board.pieces[where - 1])
        self.board.lift(where)

    def put(self, place: int) -> None:
        self.board.place(field(self.board, place), self._held.pop())

    def press_clock(self) -> None:
        raise NotImplementedError("levers are told late, and not told unless asked for")

    def cut(self) -> None:
        (self.bus if self._cuts_line else self.board).unplug()

    def restore(self) -> None:
        (self.bus if self._cuts_line else self.board).plug()

    def rows(self, number: int = 0) -> str:
        board = self.boards[number]
        return board.square_map.rows(board.pieces, 5)


class TestDgtBusBoard(SourceContract):
    @pytest.fixture(params=["its own supply", pytest.param("the line", marks=pytest.mark.slow)])
    def made(self, request: pytest.FixtureRequest) -> Bench:
        return BusBench(cuts_line=request.param == "the line")
