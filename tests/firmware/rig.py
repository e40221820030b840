"""An emulated board in lock-step and what it says, as frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from damas_board.decoding import wire
from simulator.emulated import KNOWS_KINGS, LINES, Emulator

UP = 0.08
"""Seconds from a reset until the board has sent HELLO, its first events and SNAPSHOT."""
ANSWERED = 0.02
"""Seconds within which a board that has nothing else to send answers."""

Frame = TypeVar("Frame")


class Rig:
    """`board` and the frames that it sends."""

    def __init__(self, board: Emulator) -> None:
        self.board = board
        self.places = len(board.pieces)
        self.lines, self.per_line = LINES[self.places]
        self._decoder = wire.board_decoder()
        self._tag = 0

    @property
    def bad(self) -> int:
        """Frames that came in broken."""
        return self._decoder.bad.total

    def clear(self) -> list[wire.BoardFrame]:
        """Takes everything off the board and starts it again; what it said then."""
        self.board.clear()
        return self._started()

    def restart(self) -> list[wire.BoardFrame]:
        """Starts it again with what stands on it; what it said then."""
        self.board.reset()
        return self._started()

    def _started(self) -> list[wire.BoardFrame]:
        self._decoder = wire.board_decoder()
        return self.run(UP)

    def run(self, seconds: float) -> list[wire.BoardFrame]:
        """Lets time go by; what came in meanwhile."""
        return self.read(b"".join(piece.data for piece in self.board.run(seconds)))

    def read(self, data: bytes) -> list[wire.BoardFrame]:
        return self._decoder.feed(data)

    def ask(self, command: Callable[[int], wire.HostCommand], within: float = ANSWERED) -> list[wire.BoardFrame]:
        """Sends a command; what came in until it was answered, or might have been."""
        self._tag = self._tag % 255 + 1
        self.board.send(wire.encode_command(command(self._tag)))
        return self.run(within)

    def know_kings(self) -> None:
        """Writes a table, until the next start, by which a Hall sensor tells the kings of `Emulator.place`."""
        squares = [KNOWS_KINGS] * self.places
        for first in range(0, self.places, wire.WRITE_MOST):
            some = tuple(squares[first : first + wire.WRITE_MOST])
            only(self.ask(lambda tag, first=first, some=some: wire.WriteCalibration(tag, first + 1, some)), wire.Ack)

    def hello(self) -> wire.Hello:
        return only(self.ask(wire.AskHello), wire.Hello)

    def levels(self) -> tuple[int, ...]:
        """Of the places and the buttons, by a snapshot."""
        snapshot = only(self.ask(wire.AskSnapshot), wire.Snapshot)
        return wire.unpack_levels(snapshot.packed, self.places + len(wire.BUTTONS), self.board.levels)


def of(kind: type[Frame], frames: Iterable[wire.BoardFrame]) -> list[Frame]:
    """The frames of that kind."""
    return [frame for frame in frames if isinstance(frame, kind)]


def only(frames: Iterable[wire.BoardFrame], kind: type[Frame]) -> Frame:
    """The one frame of that kind."""
    (frame,) = of(kind, frames)
    return frame


def changes(frames: Iterable[wire.BoardFrame]) -> list[tuple[int, int]]:
    """Keys and levels of the events."""
    return [(event.key, event.level) for event in of(wire.Event, frames)]
