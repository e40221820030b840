"""The chatty board of the example in software, for a carrier: what its maker writes to try out how it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.clock import Clock

SQUARES = 64
CABLE_SPEED = 960
"""Bytes a second."""


class ChattyBoard:
    """Pieces on squares 1 to 64, counted from the cable's corner."""

    def __init__(self, clock: Clock, number: int = 1042) -> None:
        self.number = number
        self.plugged = True
        self.pieces = [0] * SQUARES
        self._clock = clock
        self._wake: Callable[[], None] = lambda: None
        self._line: list[tuple[float, bytes]] = []
        self._heard = b""

    # The hand's side.

    def put(self, square: int, piece: int) -> None:
        """Put a piece (1) on a square, or take it off (0)."""
        self.pieces[square - 1] = piece
        self._say_board()

    def set_up(self, pieces: Sequence[int]) -> None:
        self.pieces = list(pieces)
        self._say_board()

    def press(self, side: str) -> None:
        self._say(f"pressed {side}")

    def unplug(self) -> None:
        self.plugged = False
        self._line.clear()
        self._wake()

    def plug(self) -> None:
        self.plugged = True
        self._wake()

    # The cable's side: what a carrier asks of a board.

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
