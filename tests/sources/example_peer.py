"""The chatty board of the example in software, for a carrier: what its maker writes to try out how it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from damas_board.decoding.square_map import SquareMap
from simulator.clock import Clock

CABLE_SPEED = 960
"""Bytes a second."""


class ChattyBoard:
    """Pieces on the squares of `square_map`, and what is said of them."""

    levels = 2

    def __init__(self, square_map: SquareMap, clock: Clock, number: int = 1042) -> None:
        self.square_map = square_map
        self.number = number
        self.plugged = True
        self.pieces = [0] * square_map.places
        self._clock = clock
        self._wake: Callable[[], None] = lambda: None
        self._line: list[tuple[float, bytes]] = []
        self._heard = b""

    # The hand's side.

    def place(self, place: int, level: int = 1) -> None:
        """Put a piece on a square, counted from 1 as the board does."""
        self.pieces[place - 1] = level
        self._say_board()

    def lift(self, place: int) -> None:
        """Take it off."""
        self.pieces[place - 1] = 0
        self._say_board()

    def set_up(self, levels: Sequence[int]) -> None:
        self.pieces = list(levels)
        self._say_board()

    def show(self, rows: str) -> None:
        """Make the board look like a `see` text."""
        self.set_up(self.square_map.levels(rows, self.levels))

    def press(self, button: str) -> None:
        self._say("pressed a" if button == "clock-a" else "pressed b")

    def unplug(self) -> None:
        self.plugged = False
        self._line.clear()
        self._wake()

    def plug(self) -> None:
        self.plugged = True
        self._wake()

    # The cable's side.

    @property
    def deadline(self) -> float:
        return self._line[0][0] if self._line else float("inf")

    def attach(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def advance(self) -> None:
        """Nothing happens here by itself."""

    def receive(self, data: bytes) -> None:
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            if line == b"who":
                self._say(f"i am {self.number} of make 3")
            elif line == b"board":
                self._say_board()

    def data_to_send(self) -> bytes:
        now, data = self._clock.now(), b""
        while self._line and self._line[0][0] <= now:
            data += self._line.pop(0)[1]
        return data

    def _say_board(self) -> None:
        self._say(f"board {''.join(map(str, self.pieces))} {sum(self.pieces)}")

    def _say(self, line: str) -> None:
        if self.plugged:
            data = f"{line}\n".encode()
            begin = max(self._clock.now(), self._line[-1][0] if self._line else 0.0)
            self._line.append((begin + len(data) / CABLE_SPEED, data))
            self._wake()
