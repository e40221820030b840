"""The example of docs/add-a-board.md is read as every board is: it passes the kits."""

from __future__ import annotations

import pytest
from sources.bench import Bench
from sources.contract import SourceContract
from sources.example_board import ADAPTER, ChattyOptions, ChattyTalk
from sources.example_peer import ChattyBoard
from sources.talk_contract import Line, TalkContract

from damas_board.decoding.square_map import SquareMap
from damas_board.sources.adapter import Place
from damas_board.sources.source import Source
from simulator.clock import Clock, RunningClock, VirtualClock
from simulator.pty import BoardPty

SQUARES = SquareMap(8, "all", "white-right")
PLAYED_ON = SquareMap(8, "left")


def chatty_board(clock: Clock) -> ChattyBoard:
    """With the start position."""
    board = ChattyBoard(SQUARES, clock)
    board.show(PLAYED_ON.rows([1] * 12 + [0] * 8 + [1] * 12, 2))
    return board


class ChattyBench(Bench):
    def __init__(self) -> None:
        self.clock = RunningClock()
        self.board = chatty_board(self.clock)
        self.carrier = BoardPty(self.board, self.clock)

    def source(self) -> Source:
        place = Place(self.carrier.path, 8, "left", "white-right", "occupancy")
        return ADAPTER.make(place, ChattyOptions(), self.clock.now)

    def lift(self, place: int) -> None:
        self.board.lift(SQUARES.place(PLAYED_ON.square(place)))

    def put(self, place: int) -> None:
        self.board.place(SQUARES.place(PLAYED_ON.square(place)))

    def press_clock(self) -> None:
        self.board.press("clock-a")

    def cut(self) -> None:
        self.board.unplug()

    def restore(self) -> None:
        self.board.plug()

    def rows(self) -> str:
        return SQUARES.rows(self.board.pieces, 2)


class TestChattyBoard(SourceContract):
    @pytest.fixture
    def made(self) -> Bench:
        return ChattyBench()


class TestChattyTalk(TalkContract):
    @pytest.fixture
    def line(self) -> Line:
        clock = VirtualClock()
        board = chatty_board(clock)
        return Line(
            clock,
            board,
            lambda at, known: ChattyTalk(at, SQUARES, "white", 1.0),
            change=lambda: board.lift(1) if board.pieces[0] else board.place(1),
            rows=lambda: SQUARES.rows(board.pieces, 2),
        )
