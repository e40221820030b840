"""Boards in software that speak the chess-peripheral protocol, as benches of the kits."""

from __future__ import annotations

from typing import Any

from sources.bench import SoftwareBench

from damas_board.rules.position import initial
from damas_board.rules.variant import Variant
from damas_board.rules.variants import BRAZILIAN
from damas_board.session.header import Senses
from damas_board.sources.adapter import Place
from damas_board.sources.peripheral import PERIPHERAL, PeripheralOptions
from damas_board.sources.source import Source
from simulator.clock import RunningClock
from simulator.peripheral import PeripheralBoard
from simulator.pty import BoardPty

SPEED = 8.0
"""Everything runs so much faster than time."""


class PeripheralBench(SoftwareBench):
    """On a pty; `board` as of PeripheralBoard."""

    has_clock = False

    def __init__(
        self,
        variant: Variant = BRAZILIAN,
        *,
        senses: Senses = "colour",
        options: PeripheralOptions | None = None,
        sees_every_change: bool = True,
        **board: Any,
    ) -> None:
        self.sees_every_change = sees_every_change
        self.clock = RunningClock(SPEED)
        self.board = PeripheralBoard(variant, self.clock, **board)
        self.board.stand(initial(variant))
        self.carrier = BoardPty(self.board, self.clock)
        self._variant = variant
        self._senses = senses
        self._options = options or PeripheralOptions()

    def source(self) -> Source:
        variant = self._variant
        place = Place(
            self.carrier.path, variant.size, variant.corner, "black-left", self._senses, speed=SPEED, variant=variant
        )
        return PERIPHERAL.make(place, self._options, self.clock.now)

    def rows(self) -> str:
        return self.board.rows()
