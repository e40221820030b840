"""DGT boards in software are read as every board is: by cable with 100 and with 64 fields, and by Bluetooth."""

from __future__ import annotations

import pytest
from sources.bench import Bench
from sources.contract import SourceContract
from sources.dgt_bench import DgtBench, dgt_board
from sources.talk_contract import Line, TalkContract

from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.dgt.reading import Setting
from simulator.clock import VirtualClock

KINDS = {"100 fields": (10, False), "64 fields": (8, False), "100 fields by Bluetooth": (10, True)}
OVER_A_PORT = [name if name == "100 fields" else pytest.param(name, marks=pytest.mark.slow) for name in KINDS]


class TestDgtBoard(SourceContract):
    @pytest.fixture(params=OVER_A_PORT)
    def made(self, request: pytest.FixtureRequest) -> Bench:
        size, bluetooth = KINDS[request.param]
        return DgtBench(size, pieces="draughts", bluetooth=bluetooth)


class TestDgtTalk(TalkContract):
    @pytest.fixture(params=KINDS)
    def line(self, request: pytest.FixtureRequest) -> Line:
        size, bluetooth = KINDS[request.param]
        clock = VirtualClock()
        board = dgt_board(size, clock, pieces="draughts", bluetooth=bluetooth)
        setting = Setting(size=size, corner="white-right")
        return Line(
            clock,
            board,
            lambda at, known: DgtTalk(at, setting, known),
            change=lambda: board.lift(2) if board.pieces[1] else board.place(2),
            rows=lambda: board.square_map.rows(board.pieces, 5),
        )
