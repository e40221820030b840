"""The analogue board in software: its field against the formula on the axis, its readings, levels and table."""

from __future__ import annotations

import math

import pytest

from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator.clock import VirtualClock
from simulator.hall_board import FACTORY, HallBoard, Magnet, field

MAP = SquareMap(8, "left")


class Host:
    def __init__(self, **board: object) -> None:
        self.clock = VirtualClock()
        self.board = HallBoard(MAP, self.clock, **board)  # type: ignore[arg-type]
        self.decoder = wire.board_decoder()
        self.sent()

    def sent(self) -> list[wire.BoardFrame]:
        self.board.advance()
        return self.decoder.feed(self.board.data_to_send())

    def ask(self, *commands: wire.HostCommand) -> list[wire.BoardFrame]:
        self.board.receive(b"".join(map(wire.encode_command, commands)))
        return self.sent()


@pytest.mark.parametrize(("diameter", "thickness"), [(10, 2), (15, 3), (20, 3), (25, 3)])
def test_on_the_axis_the_field_is_that_of_the_formula_for_a_disc(diameter: float, thickness: float) -> None:
    magnet = Magnet(diameter, thickness)
    radius, near, far = diameter / 2, magnet.gap, magnet.gap + thickness
    exact = 1000 * magnet.remanence / 2 * (far / math.hypot(radius, far) - near / math.hypot(radius, near))
    assert field(magnet, 0.0) == pytest.approx(exact, rel=0.01)


def test_beside_a_magnet_the_field_is_weaker_and_further_off_turned_round() -> None:
    fields = [field(Magnet(), away) for away in (0.0, 5.0, 18.0, 45.0)]
    assert fields[0] > fields[1] > 0 > fields[3] > fields[2]


def test_white_and_black_move_the_reading_to_either_side_and_a_king_further() -> None:
    host = Host(noise=0.0)
    readings = []
    for level in range(5):
        if level:
            host.board.place(14, level)
        readings.append(host.board.reading(14))
    empty, white, black, white_king, black_king = readings
    assert white_king < white < empty < black < black_king
    assert 40 < empty - white < 70


def test_what_a_sensor_reads_is_an_event_with_the_colour_by_the_factorys_thresholds() -> None:
    host = Host()
    host.board.place(14, wire.Level.BLACK_MAN)
    host.board.lift(14)
    host.board.place(14, wire.Level.OCCUPIED)
    assert [(event.key, event.level) for event in host.sent() if isinstance(event, wire.Event)] == [
        (14, 2),
        (14, 0),
        (14, 1),
    ]


def test_a_written_table_is_forgotten_at_the_next_start_and_a_kept_one_is_not() -> None:
    host = Host()
    squares = tuple(wire.Thresholds(120 + n % 3, 20, 60) for n in range(32))
    written = host.ask(wire.WriteCalibration(1, 1, squares[:18]), wire.WriteCalibration(2, 19, squares[18:]))
    assert [frame.tag for frame in written if isinstance(frame, wire.Ack)] == [1, 2]
    host.board.reset()
    assert host.board.table[1] == (FACTORY,) * 32
    host.ask(wire.WriteCalibration(1, 1, squares[:18]), wire.WriteCalibration(2, 19, squares[18:]))
    (nak,) = [f for f in host.ask(wire.KeepCalibration(3, 1, 0)) if isinstance(f, wire.Nak)]
    assert nak.code == wire.NakCode.VALUE
    host.ask(wire.KeepCalibration(4, 1, wire.calibration_crc(1, squares)))
    host.board.reset()
    hello = next(frame for frame in host.sent() if isinstance(frame, wire.Hello))
    assert not hello.caps & wire.Cap.FACTORY_TABLE
    (read,) = [f for f in host.ask(wire.ReadCalibration(5, 17)) if isinstance(f, wire.Calibration)]
    assert (read.first, read.flags, read.squares) == (17, 1, squares[16:])


def test_readings_come_as_often_as_they_are_asked_for_and_no_frame_goes_back_in_time() -> None:
    host = Host()
    host.ask(wire.ReportRaw(1, 10))
    frames = []
    for tick in range(1, 301):
        host.clock.set(tick * 0.01)
        frames += host.sent()
    assert 25 <= sum(isinstance(frame, wire.Raw) for frame in frames) <= 31
    times = [frame.t for frame in frames]
    assert times == sorted(times)
    host.ask(wire.ReportRaw(2, 0))
    host.clock.set(4.0)
    assert not [frame for frame in host.sent() if isinstance(frame, wire.Raw)]


def test_readings_end_by_themselves_unless_they_are_asked_for_again() -> None:
    host = Host()

    def readings(until: int) -> int:
        told = 0
        for second in range(int(host.clock.now()) + 1, until + 1):
            host.clock.set(float(second))
            told += sum(isinstance(frame, wire.Raw) for frame in host.sent())
        return told

    host.ask(wire.ReportRaw(1, 1))
    assert readings(40) >= 39
    host.ask(wire.ReportRaw(2, 1))
    assert readings(98) >= 57
    assert readings(101) <= 2
    assert readings(110) == 0
