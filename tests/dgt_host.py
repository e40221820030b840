"""A host by hand, in virtual time: it sends orders and cuts what comes into frames, with no decoder of ours."""

from __future__ import annotations

from typing import NamedTuple

from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard


class Frame(NamedTuple):
    at: float
    id: int
    payload: bytes


class Host:
    def __init__(self, board: DgtBoard, clock: VirtualClock) -> None:
        self.board = board
        self.clock = clock
        self.frames: list[Frame] = []
        self.came: list[tuple[float, bytes]] = []
        """Bytes as they arrived."""
        self._partial = bytearray()

    def run(self, seconds: float) -> list[Frame]:
        """The frames that came meanwhile."""
        until, before = self.clock.now() + seconds, len(self.frames)
        while (at := self.board.deadline) <= until:
            self.clock.set(max(at, self.clock.now()))
            self.board.advance()
            self._take(self.board.data_to_send())
        self.clock.set(until)
        return self.frames[before:]

    def ask(self, *orders: int, seconds: float = 1.0) -> list[Frame]:
        self.board.receive(bytes(orders))
        return self.run(seconds)

    def dump(self) -> bytes:
        return self.ask(0x42)[-1].payload

    def _take(self, data: bytes) -> None:
        if data:
            self.came.append((self.clock.now(), data))
        for byte in data:
            if byte & 0x80:
                self._partial.clear()
            if byte & 0x80 or self._partial:
                self._partial.append(byte)
            length = self._partial[1] << 7 | self._partial[2] if len(self._partial) > 2 else 0
            if length and len(self._partial) == length:
                self.frames.append(Frame(self.clock.now(), self._partial[0], bytes(self._partial[3:])))
                self._partial.clear()


def host(size: int = 10, **options: object) -> Host:
    clock = VirtualClock()
    return Host(DgtBoard(size, clock, **options), clock)
