"""The line of simulated boards: framing and checksums, who answers, when, and what two at once make of each other."""

from __future__ import annotations

import pytest

from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.bus import DgtBus, Habits

BYTE = 10 / 9600


class Host:
    """Whoever asks: what came is kept with its time."""

    def __init__(self, *, bundle: float = 0.0, seed: int = 0) -> None:
        self.clock = VirtualClock()
        self.bus = DgtBus(self.clock, bundle=bundle, seed=seed)
        self.came: list[tuple[float, int]] = []

    def board(self, serial: str = "01025", size: int = 10, **options: object) -> DgtBoard:
        return self.bus.add(size, serial=serial, **options)

    def run(self, seconds: float) -> bytes:
        """What comes in so long."""
        until, before = self.clock.now() + seconds, len(self.came)
        while (at := self.bus.deadline) <= until:
            self.clock.set(max(at, self.clock.now()))
            self.bus.advance()
            self.came += [(self.clock.now(), byte) for byte in self.bus.data_to_send()]
        self.clock.set(until)
        return bytes(byte for _, byte in self.came[before:])

    def ask(self, data: str | bytes, seconds: float = 0.5) -> bytes:
        self.bus.receive(bytes.fromhex(data) if isinstance(data, str) else data)
        return self.run(seconds)


def request(id_: int, serial: int = 1025) -> bytes:
    head = bytes((id_, serial >> 7, serial & 0x7F))
    return head + bytes((sum(head) & 0x7F,))


def parts(data: bytes) -> list[tuple[int, int, bytes]]:
    """Id, address and data of each answer; its length and checksum are looked at."""
    found = []
    while data:
        length = data[1] << 7 | data[2]
        whole, data = data[:length], data[length:]
        assert len(whole) == length
        assert sum(whole[:-1]) & 0x7F == whole[-1]
        assert whole[0] & 0x80
        assert not any(byte & 0x80 for byte in whole[1:])
        found.append((whole[0], whole[3] << 7 | whole[4], whole[5:-1]))
    return found


def test_the_documented_request_for_a_clock_is_understood_byte_for_byte() -> None:
    host = Host()
    host.board("02054")
    host.run(1.0)
    assert host.ask("81 10 06 17") == bytes.fromhex("84 00 0D 10 06 00 00 00 00 00 00 20 47")


def test_a_request_with_a_wrong_checksum_or_for_another_board_is_not_answered() -> None:
    host = Host()
    host.board("02054")
    host.run(1.0)
    assert host.ask("81 10 06 18") == b""
    assert host.ask("81 10 07 18") == b""


@pytest.mark.parametrize(
    ("size", "id_", "answer", "count"), [(10, 0x82, 0x83, 100), (8, 0x82, 0x83, 64), (10, 0x8C, 0x8A, 50)]
)
def test_a_dump_has_a_code_for_each_field(size: int, id_: int, answer: int, count: int) -> None:
    host = Host()
    board = host.board(size=size, pieces="draughts")
    board.place(2, 1)
    host.run(1.0)
    ((said, address, codes),) = parts(host.ask(request(id_)))
    assert (said, address, len(codes)) == (answer, 1025, count)
    assert [field for field, code in enumerate(codes) if code == 1] == [0 if count == 50 else 1]


def test_a_board_of_64_fields_has_no_black_ones_to_tell() -> None:
    host = Host()
    host.board(size=8)
    host.run(1.0)
    assert host.ask(request(0x8C)) == b""


def test_changes_are_told_once_and_again_when_asked_to_repeat_them() -> None:
    host = Host()
    board = host.board()
    host.run(1.0)
    host.ask(request(0x83))
    board.place(2, 1)
    host.run(0.5)
    board.lift(2)
    host.run(1.5)
    ((_, _, first),) = parts(host.ask(request(0x83)))
    assert (first[0] & 0xEF, first[1], first[2] & 0xEF, first[3]) == (0x41, 1, 0x40, 1)
    assert parts(host.ask(request(0x84))) == [(0x85, 1025, first)]
    assert parts(host.ask(request(0x83))) == [(0x85, 1025, b"")]


def test_what_happened_while_nobody_asked_is_kept_also_over_a_loss_of_the_supply() -> None:
    host = Host()
    board = host.board()
    host.run(1.0)
    host.ask(request(0x83))
    board.unplug()
    board.place(2, 1)
    board.plug()
    host.run(1.0)
    ((_, _, told),) = parts(host.ask(request(0x83)))
    assert 0x6A in told
    assert told[-2:] == bytes((0x41, 1))


def test_a_newer_board_tells_changes_with_two_ids_in_turn() -> None:
    host = Host()
    host.board(pair=True)
    host.run(1.0)
    ids = [parts(host.ask(request(each)))[0][0] for each in (0x83, 0x84, 0x83, 0x83)]
    assert ids == [0x8B, 0x8B, 0x85, 0x8B]


def test_the_version_is_told_by_boards_that_have_more_than_1_2() -> None:
    host = Host()
    host.board("00001", version=(1, 2))
    host.board("00002", version=(1, 3))
    host.run(1.0)
    assert parts(host.ask(request(0x8B, 1))) == [(0x89, 1, b"")]
    assert parts(host.ask(request(0x8B, 2))) == [(0x89, 2, bytes((1, 3)))]


def test_the_answers_to_a_ping_to_everybody_are_spread_over_1100_milliseconds() -> None:
    host = Host()
    for number in range(1, 9):
        host.board(f"{number:05}")
    host.run(1.0)
    began = host.clock.now()
    host.ask(request(0x87, 0), 3.0)
    times = [at - began for at, byte in host.came if byte == 0x87]
    assert len(times) >= 6
    assert times[-1] - times[0] > 0.5
    assert times[-1] < 1.1 + 10 * BYTE


def test_a_board_that_is_told_to_ignores_the_next_ping_to_everybody_and_only_that() -> None:
    host = Host()
    host.board()
    host.run(1.0)
    assert parts(host.ask(request(0x8A))) == [(0x87, 1025, b"")]
    assert host.ask(request(0x87, 0), 2.0) == b""
    assert parts(host.ask(request(0x87, 0), 2.0)) == [(0x87, 1025, b"")]


def test_two_boards_that_talk_at_once_spoil_each_other_s_bytes() -> None:
    host = Host()
    boards = [host.board(f"{number:05}") for number in (1, 2)]
    host.run(1.0)
    for board in boards:
        board.send_bytes(bytes(20), host.clock.now())
    came = host.run(1.0)
    assert len(came) == 20
    assert came != bytes(20)
    assert host.bus.wire.collisions == 20


def test_a_board_that_powers_up_in_bus_mode_leaves_it_at_a_single_mode_s_order_and_comes_back() -> None:
    host = Host()
    board = host.board()
    host.run(1.0)
    assert board.mode == "bus"
    assert host.ask("46")[0] == 0x90
    assert board.mode == "idle"
    assert host.ask(request(0x87)) == b""  # this brings it back, and is not carried out
    assert parts(host.ask(request(0x87))) == [(0x87, 1025, b"")]


def test_only_the_order_that_begins_a_game_writes_to_the_memory() -> None:
    host = Host()
    board = host.board()
    board.place(2, 1)
    host.run(1.0)
    began = host.clock.now()
    for id_ in (0x81, 0x82, 0x83, 0x84, 0x86, 0x87, 0x8A, 0x8B, 0x8C, 0x8D):
        host.ask(request(id_))
    assert board.memory_writes == 0
    began = host.clock.now()
    assert parts(host.ask(request(0x85))) == [(0x88, 1025, b"")]
    assert next(at for at, _ in host.came if at > began) - began > 0.07
    assert board.memory_writes == 1
    assert parts(host.ask(request(0x86)))[0][0] == 0x86


def test_bad_habits_are_as_often_as_they_say() -> None:
    host = Host(seed=1)
    board = host.board(habits=Habits(lost=0.2, spoiled=0.2, late=0.2, late_by=0.3))
    host.run(1.0)
    lost = spoiled = late = 0
    for _ in range(200):
        data = host.ask(request(0x87), 0.1)
        afterwards = host.run(0.5)
        late += bool(afterwards)
        lost += not data and not afterwards
        spoiled += bool(data + afterwards) and sum((data + afterwards)[:-1]) & 0x7F != (data + afterwards)[-1]
    for count in (lost, spoiled, late):
        assert 20 <= count <= 60
    host.bus.habits(board).silent = True
    assert host.ask(request(0x87)) == b""


def test_a_pulled_cable_carries_nothing_and_restarts_no_board() -> None:
    host = Host()
    board = host.board()
    host.run(1.0)
    host.bus.unplug()
    assert host.ask(request(0x87)) == b""
    board.place(2, 1)
    host.run(1.0)
    host.bus.plug()
    ((_, _, told),) = parts(host.ask(request(0x83)))
    assert told.count(0x6A) == 1  # of its first power-up


def test_a_dump_takes_its_time_on_the_line() -> None:
    host = Host()
    host.board()
    host.run(1.0)
    began = host.clock.now()
    host.ask(request(0x82))
    first, last = host.came[0][0] - began, host.came[-1][0] - began
    assert 4 * BYTE + 0.001 <= first <= 5 * BYTE + 0.020
    assert last - first == pytest.approx(105 * BYTE, abs=1e-6)
