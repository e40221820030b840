"""One order after another: when the next goes out, what counts as an answer, and when nobody is there."""

from __future__ import annotations

import math

import pytest

from damas_board.decoding.dgt.asking import DRAINED, PATIENCE, QUIET, TRIES, UNHEARD, WRITING, Asking
from damas_board.decoding.dgt.frames import Command, Frame, Message, encode
from damas_board.decoding.dgt.reports import SerialNumber, Version

SERIAL = encode(Frame(Message.SERIAL_NUMBER, b"01025"))
VERSION = encode(Frame(Message.VERSION, b"\x01\x03"))


class Line:
    """Whoever asks, and the time."""

    def __init__(self, *commands: Command, may_write: bool = False) -> None:
        self.asking = Asking(100.0, commands, may_write=may_write)
        self.at = 100.0
        self.sent: list[tuple[float, int]] = []

    def until(self, at: float) -> None:
        while self.asking.deadline <= at:
            self.at = self.asking.deadline
            self.asking.tick(self.at)
            self._sent()
        self.at = at

    def says(self, data: bytes) -> None:
        self.asking.receive(data, self.at)
        self.asking.tick(self.at)
        self._sent()

    def _sent(self) -> None:
        self.sent += [(round(self.at - 100.0, 3), byte) for byte in self.asking.data_to_send()]


def test_the_next_order_goes_out_when_the_one_before_is_answered() -> None:
    line = Line(Command.SERIAL_NUMBER, Command.VERSION)
    line.until(100.8)
    assert line.sent == [(QUIET, Command.RESET), (2 * QUIET, Command.SERIAL_NUMBER)]
    line.says(SERIAL[:4])
    line.says(SERIAL[4:])
    assert line.sent[2:] == [(0.8, Command.VERSION)]
    line.says(VERSION)
    assert line.asking.done
    assert line.asking.deadline == math.inf
    assert line.asking.answers == {Command.SERIAL_NUMBER: SerialNumber("01025"), Command.VERSION: Version(1, 3)}


def test_what_is_on_the_line_before_is_waited_out_and_is_no_answer() -> None:
    line = Line(Command.SERIAL_NUMBER)
    for _ in range(4):
        line.says(SERIAL)
        line.until(line.at + 0.2)
    assert line.sent == []
    line.until(line.at + QUIET)
    assert [byte for _, byte in line.sent] == [Command.RESET]
    line.says(SERIAL)
    assert line.asking.answers == {}
    noisy = Line(Command.SERIAL_NUMBER)
    while noisy.at < 100.0 + DRAINED:
        noisy.says(b"\x00")
        noisy.until(noisy.at + 0.1)
    assert noisy.sent[0] == (DRAINED, Command.RESET)


def test_what_is_not_answered_is_asked_again_and_then_left() -> None:
    line = Line(Command.SERIAL_NUMBER, Command.BATTERY, Command.VERSION)
    line.until(101.0)
    line.says(SERIAL)
    line.says(SERIAL)
    line.says(encode(Frame(Message.BATTERY, b"\x01")))
    line.until(101.0 + TRIES * PATIENCE)
    assert [byte for _, byte in line.sent][2:] == [*[Command.BATTERY] * TRIES, Command.VERSION]
    line.says(VERSION)
    assert line.asking.done
    assert Command.BATTERY not in line.asking.answers


def test_where_nothing_at_all_is_answered_it_is_soon_over() -> None:
    line = Line(*[Command.SERIAL_NUMBER, Command.VERSION, Command.DUMP] * 5)
    line.until(200.0)
    assert line.asking.done
    assert len(line.sent) == 1 + UNHEARD * TRIES


def test_a_long_answer_is_waited_for_as_long_as_it_comes() -> None:
    line = Line(Command.LOG, Command.VERSION)
    log = encode(Frame(Message.LOG, bytes(400)))
    line.until(101.0)
    for start in range(0, len(log), 20):
        line.says(log[start : start + 20])
        assert line.asking.progress in (None, (min(start + 17, 400), 400))
        line.until(line.at + PATIENCE / 2)
    assert [byte for _, byte in line.sent][1:3] == [Command.LOG, Command.VERSION]


def test_a_board_that_writes_is_left_alone_for_a_while() -> None:
    line = Line(Command.SCAN_ALL, Command.VERSION, may_write=True)
    line.until(110.0)
    assert line.sent[1:3] == [(2 * QUIET, Command.SCAN_ALL), (2 * QUIET + WRITING, Command.VERSION)]


@pytest.mark.parametrize("command", [Command.SCAN_ALL, Command.SCAN_BLACK, Command.SCAN_WHITE])
def test_an_order_that_writes_goes_out_once(command: Command) -> None:
    line = Line(command, may_write=True)
    line.until(200.0)
    assert [byte for _, byte in line.sent] == [Command.RESET, command]
