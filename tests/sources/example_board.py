"""A board that is read as any other, in one file: the invented chatty board, which says in words what stands on it.

It has a sensor under each of its 64 squares, talks at 9600 baud, and ends each line with a line feed. It is asked with
`who` and `board`, and says by itself what stands on it when that changes, and when the clock is pressed:

    i am 1042 of make 3
    board 0101010110101010010101010000000000000000101010100101010110101010 24
    pressed a

A digit stands for a square, as one reads a page, from the corner where the cable is; the number behind them is how
many pieces there are, so that a line that lost a byte is known. Its clock has the levers `a` and `b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pydantic import Field

from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import (
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Remark,
    Shown,
    SideName,
    Talk,
    Told,
)
from damas_board.sources.adapter import Adapter, Options, Place
from damas_board.sources.reconnection import Backoff
from damas_board.sources.spoken_board import SpokenBoard

BAUD = 9600
PATIENCE = 3.0
"""So long without a word, seconds, and nothing more will come."""
LONGEST = 200
"""No line is longer, bytes: what goes on without an end is no line."""

WHO = re.compile(r"i am (\d+) of make (\d+)")
BOARD = re.compile(r"board ([01]+) (\d+)")
PRESSED = re.compile(r"pressed ([ab])")


class ChattyOptions(Options):
    """The keys that [board.adapter] may have for this board."""

    ask_seconds: float = Field(1.0, gt=0.0, lt=PATIENCE)
    """How often the board is asked what stands on it, beside what it says by itself."""


class ChattyTalk(Talk):
    """What is said while the port is open."""

    def __init__(self, at: float, squares: SquareMap, clock_a: SideName, ask_seconds: float) -> None:
        self._squares = squares
        self._levers: dict[str, SideName] = {"a": clock_a, "b": "black" if clock_a == "white" else "white"}
        self._ask_seconds = ask_seconds
        self._ask_at = at
        self._heard_at = at
        self._to_send = b""
        self._line = bytearray()
        self._greeted = False
        self._shown: str | None = None
        self._bad = 0

    @property
    def deadline(self) -> float:
        return min(self._ask_at, self._heard_at + PATIENCE)

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        told: list[Told] = []
        for byte in data:
            if byte == ord("\n"):
                told += self._said(self._line.decode("ascii", "replace").strip(), at)
                self._line.clear()
            elif len(self._line) < LONGEST:
                self._line.append(byte)
        return told

    def tick(self, at: float) -> Sequence[Told]:
        if at >= self._heard_at + PATIENCE:
            self._heard_at = at
            return [Hopeless(at, "silent" if self._greeted else "no_board", {"seconds": PATIENCE})]
        if at >= self._ask_at:
            self._ask_at = at + self._ask_seconds
            self._to_send += b"board\n" if self._greeted else b"who\n"
        return []

    def data_to_send(self) -> bytes:
        data, self._to_send = self._to_send, b""
        return data

    def _said(self, line: str, at: float) -> Iterator[Told]:
        if who := WHO.fullmatch(line):
            self._heard_at = at
            if not self._greeted:
                self._greeted = True
                self._ask_at = at  # now for the squares
                yield Greeted(at, uid=who[1], facts={"make": int(who[2])})
        elif (board := BOARD.fullmatch(line)) and self._is_whole(board[1], int(board[2])):
            self._heard_at = at
            rows = self._squares.rows([int(digit) for digit in board[1]], 2)
            # Nothing of a board that may be another one, and nothing twice.
            if self._greeted and rows != self._shown:
                self._shown = rows
                yield Shown(at, rows)
        elif pressed := PRESSED.fullmatch(line):
            self._heard_at = at
            yield LeverPressed(at, self._levers[pressed[1]])
        elif line:
            self._bad += 1
            yield Remark(at, f"not understood: {line[:40]!r}")
            yield Condition(at, {"bad_lines": self._bad})

    def _is_whole(self, digits: str, pieces: int) -> bool:
        return len(digits) == self._squares.places and digits.count("1") == pieces


def make(place: Place, options: ChattyOptions, now: Callable[[], float]) -> SpokenBoard:
    """A source of the board at `place`. ValueError for a table that it cannot be."""
    if place.size != 8:
        raise ValueError(f"a chatty board has 8 squares a side, not {place.size}")
    squares = place.every_square()
    return SpokenBoard(
        place.port,
        lambda at, _: ChattyTalk(at, squares, place.clock_a, options.ask_seconds),
        now,
        baud=BAUD,
        size=place.size,
        uid=place.uid,
        backoff=Backoff.scaled(place.speed),
    )


ADAPTER = Adapter("chatty", ChattyOptions, make)
"""What the configuration looks for in this file."""
