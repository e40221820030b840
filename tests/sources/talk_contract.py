"""What every Talk promises, as a kit of tests that a new board's test file takes over; all in virtual time.

class TestMyTalk(TalkContract):
    @pytest.fixture
    def line(self) -> Line:
        clock = VirtualClock()
        board = MyBoard(clock)
        return Line(clock, board, lambda at, known: MyTalk(at), change=..., rows=...)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import pytest

from damas_board.decoding.talk import Away, Condition, Hopeless, Missed, Remark, Shown, Talk, Told
from damas_board.sources.errors import BoardError
from simulator.carrier import Carried
from simulator.clock import VirtualClock
from simulator.talk_cable import TalkCable

SOON = 60.0
"""In this time a board is shown, or told as away, however slow it is; seconds."""
LONG = 300.0


@dataclass
class Line:
    """A board in software, and what is said to it."""

    clock: VirtualClock
    board: Carried
    make_talk: Callable[[float, Shown | None], Talk]
    change: Callable[[], object]
    """Lift a piece, or put one down."""
    rows: Callable[[], str]
    """What a `see` text of the board should be now."""


class TalkContract:
    @pytest.fixture
    def line(self) -> Line:
        """Every test has its own."""
        raise NotImplementedError

    def test_the_whole_board_is_shown_soon(self, line: Line) -> None:
        cable = TalkCable(line.board, line.clock, line.make_talk)
        cable.run(SOON)
        assert shown(cable.told)[-1] == line.rows()

    def test_a_board_on_which_nothing_happens_is_shown_once(self, line: Line) -> None:
        cable = TalkCable(line.board, line.clock, line.make_talk)
        cable.run(LONG)
        assert shown(cable.told) == [line.rows()]
        assert not [item for item in cable.told if isinstance(item, Away | Hopeless)]

    def test_a_change_is_shown_soon(self, line: Line) -> None:
        cable = TalkCable(line.board, line.clock, line.make_talk)
        cable.run(SOON)
        for times in range(1, 11):
            line.change()
            cable.run(SOON + 5.0 * times)
            assert shown(cable.told)[-1] == line.rows()

    def test_times_never_go_back_and_nothing_is_told_before_it_was(self, line: Line) -> None:
        cable = TalkCable(line.board, line.clock, line.make_talk)
        for until in range(1, 100):
            before = len(cable.told)
            cable.run(float(until))
            line.change()
            for item in cable.told[before:]:
                assert until - 1.0 <= item.at <= until
                assert not isinstance(item, Shown) or item.was is None or item.was <= item.at
        times = [item.at for item in cable.told]
        assert times == sorted(times)

    def test_bytes_may_be_split_anywhere(self, line: Line) -> None:
        logs: list[_Logged] = []

        def logged(at: float, known: Shown | None) -> Talk:
            logs.append(_Logged(line.make_talk(at, known), at))
            return logs[-1]

        cable = TalkCable(line.board, line.clock, logged)
        for until in range(1, 40):
            cable.run(float(until))
            line.change()
        (log,) = logs
        again = line.make_talk(log.began, None)
        told: list[Told] = []
        for at, data in log.calls:
            if data is None:
                told += again.tick(at)
            else:
                told += [item for byte in data for item in again.receive(bytes([byte]), at)]
            again.data_to_send()
        assert essential(told) == essential(cable.told)

    def test_each_byte_to_send_is_given_once_and_what_was_done_is_not_due(self, line: Line) -> None:
        talk = line.make_talk(0.0, None)
        at = 0.0
        while not given_up(talk.tick(at)) and at < LONG:
            talk.data_to_send()
            assert talk.data_to_send() == b""
            assert talk.deadline > at
            at = min(talk.deadline, at + SOON)

    @pytest.mark.parametrize("seed", range(8))
    def test_whatever_comes_is_no_error_and_when_it_is_over_the_board_is_shown(self, line: Line, seed: int) -> None:
        noise = _Noise(line.board, seed)
        cable = TalkCable(noise, line.clock, line.make_talk)
        for until in range(1, 60):
            cable.run(float(until))
            line.change()
        noise.share = 0.0
        cable.run(60.0 + SOON)
        assert shown(cable.told)[-1] == line.rows()

    def test_a_board_that_says_nothing_more_is_told_and_shown_when_it_speaks_again(self, line: Line) -> None:
        noise = _Noise(line.board)
        cable = TalkCable(noise, line.clock, line.make_talk)
        cable.run(SOON)
        noise.mute = True
        cable.run(2 * SOON)
        assert any(isinstance(item, Away | Hopeless) for item in cable.told)
        line.change()
        before = len(cable.told)
        noise.mute = False
        cable.run(3 * SOON)
        assert shown(cable.told[before:]) == [line.rows()]

    def test_a_board_that_never_says_anything_is_given_up(self, line: Line) -> None:
        noise = _Noise(line.board)
        noise.mute = True
        cable = TalkCable(noise, line.clock, line.make_talk)
        cable.run(SOON)
        assert not shown(cable.told)
        assert given_up(cable.told)
        for item in given_up(cable.told):
            assert str(BoardError(item.why, port="/dev/ttyUSB0", **item.facts)).startswith("/dev/ttyUSB0: ")


def shown(told: Sequence[Told]) -> list[str]:
    each = (item.shown[-1:] if isinstance(item, Missed) else (item,) for item in told)
    return [item.rows for items in each for item in items if isinstance(item, Shown)]


def essential(told: Sequence[Told]) -> list[Told]:
    """Without what is only for the log and for the board's health."""
    return [item for item in told if not isinstance(item, Remark | Condition)]


def given_up(told: Sequence[Told]) -> list[Hopeless]:
    return [item for item in told if isinstance(item, Hopeless)]


class _Logged(Talk):
    """A talk, and how it was called: bytes that came, or None for a tick."""

    def __init__(self, talk: Talk, began: float) -> None:
        self.began = began
        self.calls: list[tuple[float, bytes | None]] = []
        self._talk = talk

    @property
    def deadline(self) -> float:
        return self._talk.deadline

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        self.calls.append((at, data))
        return self._talk.receive(data, at)

    def tick(self, at: float) -> Sequence[Told]:
        self.calls.append((at, None))
        return self._talk.tick(at)

    def data_to_send(self) -> bytes:
        return self._talk.data_to_send()


class _Noise:
    """A board whose bytes are lost, changed or added to on their way to the host."""

    def __init__(self, board: Carried, seed: int | None = None) -> None:
        self._board = board
        self._random = Random(seed)
        self.share = 0.0 if seed is None else 0.3
        self.mute = False

    @property
    def plugged(self) -> bool:
        return self._board.plugged

    @property
    def deadline(self) -> float:
        return self._board.deadline

    def attach(self, wake: Callable[[], None]) -> None:
        self._board.attach(wake)

    def advance(self) -> None:
        self._board.advance()

    def receive(self, data: bytes) -> None:
        self._board.receive(data)

    def data_to_send(self) -> bytes:
        data = bytearray(self._board.data_to_send())
        if self.mute:
            return b""
        if data and self._random.random() < self.share:
            where = self._random.randrange(len(data))
            data[where : where + self._random.randint(0, 9)] = self._random.randbytes(self._random.randint(0, 9))
        return bytes(data)
