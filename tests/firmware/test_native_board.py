"""The board as a program of this computer: its command line, its commands, its EEPROM."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from firmware.host_build import built

from damas_board.decoding import wire

PATIENCE_SECONDS = 30.0


class Program:
    """The program, and the host's end of its wire while it is there."""

    def __init__(self, path: Path, *options: str) -> None:
        self._command = [str(path), *options]

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)
        self.path = self._line()
        self.plug()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._terminal)
        self.process.communicate(timeout=PATIENCE_SECONDS)

    def plug(self) -> None:
        self._terminal = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        self._decoder = wire.board_decoder()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def do(self, *commands: str) -> list[str]:
        """The answers to these commands."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        return [self._line() for _ in commands]

    def heard(self, kind: type[wire.BoardFrame], count: int) -> list[wire.BoardFrame]:
        """The next `count` frames of one kind; others are passed over, what comes behind the last one is lost."""
        frames: list[wire.BoardFrame] = []
        while len(frames) < count:
            for frame in self._decoder.feed(os.read(self._terminal, 4096)):
                if isinstance(frame, kind):
                    frames.append(frame)
        return frames[:count]

    def ask(self, command: wire.HostCommand) -> None:
        os.write(self._terminal, b"\0" + wire.encode_command(command))


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="module")
def program(build: Path, require_program: Callable[[str], str]) -> Path:
    return built("board-50-lights", build, require_program)


@pytest.fixture
def board(program: Path) -> Iterator[Program]:
    with Program(program) as board:
        yield board


def events(board: Program, count: int) -> list[tuple[int, int]]:
    return [(event.key, event.level) for event in board.heard(wire.Event, count)]


def test_pieces_and_buttons_are_moved_by_lines_of_stdin(board: Program) -> None:
    assert board.do("s 3 1", "w 15", "s 50 1", "w 15", "s 3 0", "w 15", "press adjust", "s b 1") == ["ok"] * 8
    assert events(board, 6) == [(3, 1), (50, 1), (3, 0), (wire.Key.ADJUST, 1), (wire.Key.CLOCK_B, 1), (242, 0)]


def test_what_bounces_is_one_event_or_none(board: Program) -> None:
    assert board.do("b 7 9 500", "b 8 8 500", "w 60", "s 9 1") == ["ok"] * 4
    assert events(board, 2) == [(7, 1), (9, 1)]


@pytest.mark.parametrize(
    "command",
    ["", "s", "s 3", "s 0 1", "s 51 1", "s 3 2", "s c 1", "b 3 1", "b 3 1 0", "press 3", "v 3 128", "plug", "x" * 300],
)
def test_what_is_no_command_is_refused_and_the_next_one_is_carried_out(board: Program, command: str) -> None:
    (refused,) = board.do(command)
    assert refused.startswith("error no such command, or not now:")
    assert board.do("s 4 1") == ["ok"]
    assert events(board, 1) == [(4, 1)]


def test_the_lights_say_what_they_show(board: Program) -> None:
    board.ask(wire.Light(1, wire.Colour.YELLOW, frozenset({5, 50})))
    board.heard(wire.Ack, 1)
    assert board.do("w 5", "lights") == ["ok", "ok 5:404000 50:404000"]
    assert board.do("press a", "w 20", "lights") == ["ok"] * 3


def test_a_start_is_counted_in_the_eeprom_s_file(program: Path, tmp_path: Path) -> None:
    eeprom = tmp_path / "eeprom"
    for boot_id in (1, 2):
        with Program(program, "--eeprom", str(eeprom), "--uid", "beef0001") as board:
            (hello,) = board.heard(wire.Hello, 1)
            assert isinstance(hello, wire.Hello)
            assert (hello.boot_id, hello.identity) == (boot_id, "beef0001")
    with Program(program, "--eeprom", str(eeprom)) as board:
        board.heard(wire.Hello, 1)
        assert board.do("reset") == ["ok"]
        (hello,) = board.heard(wire.Hello, 1)
        assert isinstance(hello, wire.Hello)
        assert hello.boot_id == 4


def test_the_link_is_there_while_the_board_is_plugged_in(program: Path, tmp_path: Path) -> None:
    link = tmp_path / "board"
    link.symlink_to(tmp_path / "left behind by a program that was killed")
    with Program(program, "--link", str(link)) as board:
        assert board.path == str(link)
        assert board.do("unplug") == ["ok"]
        assert not link.is_symlink()
        assert board.do("unplug") == ["error no such command, or not now: unplug"]
        assert board.do("plug") == ["ok"]
        board.plug()
        board.heard(wire.Hello, 1)
        board.process.send_signal(signal.SIGTERM)
        assert board.process.wait(PATIENCE_SECONDS) == 0
    assert not link.is_symlink()


@pytest.mark.parametrize("options", [["--uid", "yes"], ["--uid"], ["--what", "1"], ["--link"]])
def test_a_wrong_option_is_answered_with_the_right_ones(program: Path, options: list[str]) -> None:
    done = subprocess.run(
        [str(program), *options], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 1
    assert done.stderr.endswith(" [--link PATH] [--uid HEX] [--eeprom FILE]\n")


def test_a_place_for_the_link_that_is_taken_is_named(program: Path, tmp_path: Path) -> None:
    taken = tmp_path / "board"
    taken.write_text("something else")
    done = subprocess.run(
        [str(program), "--link", str(taken)], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"{taken}: File exists\n")
    assert taken.read_text() == "something else"


def test_hall_sensors_are_read_and_calibrated(build: Path, require_program: Callable[[str], str]) -> None:
    with Program(built("board-hall-32", build, require_program)) as board:
        assert board.do("v 1 120", "w 15", "s 2 2", "w 15", "v 1 121", "w 15", "v 1 128") == ["ok"] * 7
        assert events(board, 3) == [(1, 1), (2, 2), (1, 0)]
        board.ask(wire.ReportRaw(1, 10))
        (raw,) = board.heard(wire.Raw, 1)
        assert isinstance(raw, wire.Raw)
        assert raw.readings == bytes([128, 148]) + bytes([128]) * 30
