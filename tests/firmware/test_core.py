"""The firmware's core, compiled for this computer: against other people's COBS and CRC, a model, and our own host."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest
from cobs import cobs
from crccheck.crc import Crc16Ibm3740
from firmware.core_board import CoreBoard
from firmware.host_build import built, make
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damas_board.decoding import wire
from damas_board.decoding.conversation import Answered, Back, Ended, Greeted, Health, Lost, Observation, Pressed, Seen
from damas_board.decoding.square_map import SquareMap
from simulator.cable import Cable
from simulator.clock import VirtualClock

UNSTABLE_AFTER, KIND_AFTER, DEBOUNCE_MOST = 200, 250, 100


class Reader(ctypes.Structure):
    """struct frame_reader"""

    _fields_ = (
        ("data", ctypes.c_uint8 * wire.MAX_ENCODED),
        ("length", ctypes.c_uint8),
        ("overlong", ctypes.c_bool),
        ("bad", ctypes.c_uint8),
    )


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="module")
def matrix(build: Path, require_program: Callable[[str], str]) -> Path:
    """The core of a board with 50 contacts and lights."""
    return built("core-50-lights.so", build, require_program)


@pytest.fixture(scope="module")
def hall(build: Path, require_program: Callable[[str], str]) -> Path:
    """The core of a board with 32 Hall sensors."""
    return built("core-hall-32.so", build, require_program)


# Frames.


def encoded(core: ctypes.CDLL, payload: bytes) -> bytes:
    room = ctypes.create_string_buffer(wire.MAX_ENCODED + 1)
    core.frame_encode.restype = ctypes.c_uint8
    length = core.frame_encode(payload, len(payload), room)
    return room.raw[:length]


def read(core: ctypes.CDLL, data: bytes) -> tuple[list[bytes], int]:
    """The payloads in `data`, and how many frames were broken."""
    reader = Reader()
    core.frame_read.restype = ctypes.c_uint8
    core.frame_start(ctypes.byref(reader))
    payloads = []
    for byte in data:
        if length := core.frame_read(ctypes.byref(reader), byte):
            payloads.append(bytes(reader.data[:length]))
    return payloads, reader.bad


def read_by_others(data: bytes) -> tuple[list[bytes], int]:
    """The same by what PROTOCOL.md says, with the packages cobs and crccheck."""
    payloads, bad = [], 0
    for piece in data.split(b"\0")[:-1]:
        if not piece:
            continue
        try:
            content = cobs.decode(piece) if len(piece) <= wire.MAX_ENCODED else b""
        except cobs.DecodeError:
            content = b""
        if len(content) > 2 and Crc16Ibm3740.calc(content[:-2]) == int.from_bytes(content[-2:], "little"):
            payloads.append(content[:-2])
        else:
            bad += 1
    return payloads, min(bad, 255)


def frame_by_others(payload: bytes) -> bytes:
    return cobs.encode(payload + Crc16Ibm3740.calc(payload).to_bytes(2, "little")) + b"\0"


payloads = st.binary(min_size=1, max_size=wire.MAX_PAYLOAD)


@given(payloads)
def test_a_frame_is_what_other_implementations_make_of_its_payload(matrix: Path, payload: bytes) -> None:
    assert encoded(ctypes.CDLL(str(matrix)), payload) == frame_by_others(payload)


@given(st.lists(st.one_of(payloads.map(frame_by_others), st.binary(max_size=80), st.just(b"\0"))), st.data())
def test_any_bytes_are_read_as_other_implementations_read_them(
    matrix: Path, pieces: list[bytes], data: st.DataObject
) -> None:
    stream = bytearray(b"".join(pieces) + b"\0")
    for _ in range(data.draw(st.integers(0, 3))):
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    assert read(ctypes.CDLL(str(matrix)), bytes(stream)) == read_by_others(bytes(stream))


# Debounce.


class Model:
    """The debounce of one key, by times instead of counters."""

    def __init__(self, down: int, up: int) -> None:
        self.down, self.up = down, up
        self.level = 0
        self.unstable = False
        self._last = 0
        self._now = 0
        self._moved = 0
        self._restless_since: int | None = None
        self._kind_since = 0

    def read(self, reading: int, elapsed: int) -> bool:
        """Whether the level changed."""
        self._now += elapsed
        if bool(reading) != bool(self._last):
            self._moved = self._now
            if self._restless_since is None:
                self._restless_since = self._now
        elif reading != self._last:
            self._kind_since = self._now
        self._last = reading
        if self._restless_since is not None:
            if self._now - self._moved < (self.down if reading else self.up):
                self.unstable |= self._now - self._restless_since >= UNSTABLE_AFTER
                return False
            self._restless_since, self._kind_since, self.unstable = None, self._now, False
            if bool(reading) == bool(self.level):
                return False
        elif reading == self.level or self._now - self._kind_since < KIND_AFTER:
            return False
        self.level = reading
        return True


milliseconds = st.integers(1, DEBOUNCE_MOST)
times = st.sampled_from([0, 1, 1, 1, 2, 3, 7, 10, 50, 255])


@given(
    milliseconds,
    milliseconds,
    st.lists(st.tuples(st.integers(0, 4), times, st.integers(1, 60)), max_size=40),
    st.tuples(st.integers(0, 39), milliseconds, milliseconds),
)
def test_the_debounce_is_that_of_the_model(
    hall: Path, down: int, up: int, stretches: list[tuple[int, int, int]], change: tuple[int, int, int]
) -> None:
    core = ctypes.CDLL(str(hall))
    core.debounce_read.restype = ctypes.c_bool
    contacts = ctypes.create_string_buffer(core.library_debounce_size())
    core.debounce_start(contacts, down, up)
    key = 33
    unstable = core.library_debounce_size() - 2 - (core.library_keys() + 7) // 8 + key // 8
    model = Model(down, up)
    for number, (reading, elapsed, count) in enumerate(stretches):
        if number == change[0]:
            assert core.debounce_set(contacts, *change[1:])
            model.down, model.up = change[1:]
        for _ in range(count):
            assert core.debounce_read(contacts, key, reading, elapsed) == model.read(reading, elapsed)
            assert core.debounce_level(contacts, key) == model.level
            assert bool(contacts.raw[unstable] >> key % 8 & 1) == model.unstable


# The conversation.

MAP = SquareMap(10, "left")
START = [1] * 20 + [0] * 10 + [1] * 20


class Host:
    """Our host, and the core at the other end of a cable in memory."""

    def __init__(self, library: Path, levels: list[int]) -> None:
        self.clock = VirtualClock()
        self.board = CoreBoard(library, self.clock)
        self.board.set_up(levels)
        self.cable = Cable(self.board, self.clock)
        self.told: list[Observation] = []

    def run(self, seconds: float) -> list[Observation]:
        told = self.cable.run(self.clock.now() + seconds)
        self.told += told
        return told

    @property
    def seen(self) -> list[Seen]:
        return [item for item in self.told if isinstance(item, Seen)]


@pytest.fixture
def host(matrix: Path) -> Host:
    host = Host(matrix, START)
    host.run(0.5)
    return host


def without_health(told: list[Observation]) -> list[Observation]:
    return [item for item in told if not isinstance(item, Health)]


def test_it_is_greeted_and_the_whole_board_is_seen_at_once(host: Host) -> None:
    greeted, seen = host.told
    assert isinstance(greeted, Greeted)
    hello = greeted.hello
    assert (hello.firmware, hello.boot_id, hello.identity) == ((1, 0), 1, "00000007")
    assert (hello.places, hello.buttons, hello.levels, hello.geometry) == (50, 3, 2, MAP.geometry)
    assert (hello.caps, hello.scan_hz, hello.debounce_down, hello.debounce_up) == (1, 1000, 10, 10)
    assert isinstance(seen, Seen)
    assert seen.levels == tuple(START)


def test_moves_and_presses_are_told_in_their_order_with_a_heartbeat_each_second(host: Host) -> None:
    before = len(host.told)
    for act in (
        lambda: host.board.lift(32),
        lambda: host.board.place(28),
        lambda: host.board.press("clock-a"),
        lambda: host.board.lift(19),
        lambda: host.board.place(23),
        lambda: host.board.press("clock-b"),
    ):
        act()
        host.run(0.1)
    host.run(2.0)
    kinds = [type(item) for item in without_health(host.told[before:])]
    assert kinds == [Seen, Seen, Pressed, Seen, Seen, Pressed]
    beats = [item for item in host.told if isinstance(item, Health)]
    assert [beat.heartbeat.t for beat in beats] == [1000, 2000, 3000]
    assert {beat.heartbeat.scans for beat in beats} == {1000}


def test_a_lost_event_is_fetched_and_says_when_it_was(host: Host) -> None:
    before = len(host.told)
    host.board.loses = 13
    host.board.lift(32)
    host.run(0.3)
    assert host.told[before:] == []
    host.board.place(28)
    host.run(0.3)
    lifted, placed = (item for item in host.told[before:] if isinstance(item, Seen))
    assert lifted.levels[27] == 0
    assert lifted.was == pytest.approx(0.51, abs=0.02)
    assert placed.levels[27] == 1


def test_a_lost_last_event_is_fetched_at_the_next_heartbeat(host: Host) -> None:
    host.board.loses = 13
    host.board.lift(32)
    host.run(1.0)
    assert host.seen[-1].levels[31] == 0
    assert not any(isinstance(item, Lost) for item in host.told)


def test_events_that_are_gone_are_told_as_lost_and_the_board_is_read_anew(host: Host) -> None:
    before = len(host.told)
    host.board.loses = 10**9
    for _ in range(70):
        host.board.lift(32)
        host.clock.set(host.clock.now() + 0.015)
        host.board.place(32)
        host.clock.set(host.clock.now() + 0.015)
    host.board.lift(32)
    host.board.advance()
    host.board.data_to_send()
    host.board.loses = 0
    host.run(2.0)
    lost, back, seen = without_health(host.told[before:])
    assert isinstance(lost, Lost)
    assert lost.reason == "events_lost"
    assert isinstance(back, Back)
    assert isinstance(seen, Seen)
    assert seen.levels[31] == 0


def test_a_board_that_starts_again_in_the_middle_is_seen_whole_and_never_empty(host: Host) -> None:
    host.board.lift(32)
    host.run(0.5)
    before = len(host.told)
    host.board.reset()
    host.run(2.0)
    greeted, lost, back, seen = without_health(host.told[before:])
    assert isinstance(greeted, Greeted)
    assert greeted.hello.boot_id == 2
    assert isinstance(lost, Lost)
    assert lost.reason == "board_restarted"
    assert isinstance(back, Back)
    assert isinstance(seen, Seen)
    assert list(seen.levels) == [*START[:31], 0, *START[32:]]


def test_commands_are_answered(host: Host) -> None:
    conversation = host.cable.conversation
    tags = [
        conversation.light(wire.Colour.RED, frozenset({1, 50})),
        conversation.debounce(20, 30),
        conversation.light(wire.Colour.RED, frozenset({51})),
        conversation.debounce(200, 30),
        conversation.report_raw(10),
    ]
    told = [item for item in host.run(0.5) if isinstance(item, Answered)]
    assert [item.tag for item in told] == tags
    assert [item.refused for item in told] == [None, None, wire.NakCode.VALUE, wire.NakCode.VALUE, wire.NakCode.UNKNOWN]
    before = len(host.told)
    host.board.place(25)
    host.run(0.018)
    assert host.told[before:] == []
    host.run(0.01)
    assert len(host.told) == before + 1


def test_a_contact_that_is_never_still_is_named_until_it_is(host: Host) -> None:
    before = len(host.told)
    for _ in range(60):
        host.board.place(32, 1 - host.board.levels[31])
        host.run(0.005)
    host.board.lift(32)
    host.run(0.3)
    named = [item.heartbeat.unstable for item in host.told[before:] if isinstance(item, Health)]
    assert named[0] == {32}
    assert named[-1] == set()
    assert host.seen[-1].levels[31] == 0


acts = st.one_of(
    st.tuples(st.just("move"), st.integers(1, 50)),
    st.tuples(st.just("lose"), st.integers(1, 200)),
    st.tuples(st.just("noise to the board"), st.binary(min_size=1, max_size=70)),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(acts, st.sampled_from([0.015, 0.05, 0.3])), max_size=15))
def test_whatever_is_lost_on_the_line_the_host_knows_the_board_at_the_end(
    matrix: Path, course: list[tuple[tuple[str, int | bytes], float]]
) -> None:
    host = Host(matrix, START)
    host.run(0.5)
    truth = [tuple(START)]
    for (what, value), wait in course:
        if what == "move":
            host.board.place(value, 1 - host.board.levels[value - 1])
            truth.append(tuple(host.board.levels[:50]))
        elif what == "lose":
            host.board.loses = value
        else:
            host.board.receive(value)
        host.run(wait)
    host.board.loses = 0
    host.run(4.0)
    assert host.seen[-1].levels == truth[-1]
    if not any(isinstance(item, Lost | Ended) for item in host.told):
        assert [seen.levels for seen in host.seen] == truth


# The tests in C.


def test_the_tests_in_c_pass(build: Path, require_program: Callable[[str], str]) -> None:
    require_program("gcc")
    require_program("make")
    assert make("host-test", build, "HOST_TESTED=hall-32-lights").count("all sound") == 1


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_tests_in_c_pass_for_every_kind_of_board_and_the_fuzzer_finds_nothing(
    build: Path, require_program: Callable[[str], str]
) -> None:
    require_program("gcc")
    require_program("make")
    assert make("host-test", build).count("all sound") == 6
    make("host", build)
    assert make("fuzz", build, "FUZZ_RUNS=3000").count("all sound") >= 6
