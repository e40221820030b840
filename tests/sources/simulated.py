from __future__ import annotations

from collections.abc import Sequence

from sources.bench import SoftwareBench

from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.decoding.square_map import SquareMap
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_board import SerialBoard
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.faults import Fault
from simulator.pty import BoardPty
from simulator.tcp import BoardTcp

MAP = SquareMap(8, "left")
START = [1] * 12 + [0] * 8 + [1] * 12


class SimulatedBench(SoftwareBench):
    """The simulated board behind a carrier, and the serial source."""

    def __init__(
        self,
        carrier: type[BoardPty | BoardTcp] = BoardPty,
        *,
        faults: Sequence[Fault] = (),
        protocol: int = wire.PROTOCOL,
        uid: int = 7,
        speed: float = 1.0,
    ) -> None:
        self.clock = RunningClock(speed)
        self.board = Board(MAP, self.clock, faults=faults, protocol=protocol, uid=uid)
        self.board.set_up(START)
        self.carrier = carrier(self.board, self.clock)

    def source(self, **options: object) -> SerialBoard:
        options = {"timing": Timing(), "backoff": Backoff(0.05, 2.0, 0.2), **options}
        return SerialBoard(self.carrier.path, MAP, self.clock.now, **options)

    def rows(self) -> str:
        return MAP.rows(self.board.pieces, 2)
