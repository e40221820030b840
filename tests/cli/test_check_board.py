"""`damas-board check-board`: with a simulated board in virtual time, and over a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, get_args

import pytest

from calibration.check import Check, Question
from calibration.findings import FindingKind
from damas_board.cli import check_board, main
from damas_board.cli.check_board_words import WORDS
from damas_board.cli.keys import ENTER, Keys
from damas_board.decoding import wire
from damas_board.decoding.conversation import Conversation, Greeted, Observation
from damas_board.decoding.square_map import SquareMap
from damas_board.sources.errors import BoardError
from simulator.board import Board
from simulator.clock import RunningClock, VirtualClock
from simulator.faults import Bounce, Fault, NoDiodes, Stuck, WeakSquare
from simulator.pty import BoardPty

SECONDS = 60.0
BUTTONS = {key: key.name.lower().replace("_", "-") for key in wire.BUTTONS}


class Bench:
    """A simulated board, the port it is at, and whoever does what the check asks, in virtual time."""

    def __init__(self, square_map: SquareMap, faults: Sequence[Fault] = (), ends_at: float = 5000.0) -> None:
        self.clock = VirtualClock()
        self.board = Board(square_map, self.clock, faults=faults)
        self.conversation = Conversation(0.0)
        self.check: Check | None = None
        self.cut_at = float("inf")
        self._ends_at = ends_at
        self._acted = 0.0
        self._keys: list[str] = []
        self._early: list[Observation] = []
        while not any(isinstance(item, Greeted) for item in self._early):
            self._early += self._heard()
        hello = self.conversation.hello
        assert hello is not None
        self.hello = hello

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def now(self) -> float:
        return self.clock.now()

    def listen(self) -> list[Observation]:
        if self.clock.now() >= self.cut_at:
            raise BoardError("port_lost", port="PORT")
        if self._early:
            early, self._early = self._early, []
            return early
        if self.check is not None:
            self._act(self.check.question)
        return self._heard()

    def pressed(self) -> list[str]:
        if self.clock.now() >= self._ends_at:
            raise KeyboardInterrupt
        keys, self._keys = self._keys, []
        return keys

    def _heard(self) -> list[Observation]:
        self.board.receive(self.conversation.data_to_send())
        self.clock.set(self.clock.now() + 0.05)
        self.board.advance()
        at = self.clock.now()
        return [*self.conversation.receive(self.board.data_to_send(), at), *self.conversation.tick(at)]

    def _act(self, question: Question) -> None:
        """One thing at a time, as somebody would; what the board does not notice is said with Enter."""
        waited = self.clock.now() - self._acted
        stand = [place for place, level in enumerate(self.board.pieces, 1) if level]
        wanted = {
            "put": [question.place],
            "hold": [question.place],
            "corners": [place for place in question.places],
            "other": [question.place],
        }.get(question.kind, [])
        if question.kind == "other" and waited > 1.5:
            wanted = []
        wrong = [place for place in stand if place not in wanted]
        missing = [place for place in wanted if place not in stand]
        if waited < 0.6:
            return
        if wrong:
            self.board.lift(wrong[0])
        elif missing:
            self.board.place(missing[0])
        elif question.kind == "press" and question.key is not None:
            self.board.press(BUTTONS[question.key])
        elif question.kind in ("put", "clear", "lift", "corners") and question.nothing and waited > 1.5:
            self._keys.append(ENTER)
            if question.kind == "put":
                self.board.lift(question.place)
        else:
            return
        self._acted = self.clock.now()


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")


def checked(monkeypatch: pytest.MonkeyPatch, bench: Bench, *arguments: str) -> int:
    class Watched(Check):
        def __init__(self, *values: object, **more: object) -> None:
            super().__init__(*values, **more)  # type: ignore[arg-type]
            bench.check = self

    class NoKeys:
        def __enter__(self) -> Bench:
            return bench

        def __exit__(self, *error: object) -> None: ...

    monkeypatch.setattr(check_board, "LiveBoard", lambda port: bench)
    monkeypatch.setattr(check_board, "Keys", NoKeys)
    monkeypatch.setattr(check_board, "Check", Watched)
    return main(["check-board", "PORT", *arguments])


def test_where_every_diode_was_tried_nothing_else_is_said_of_them(monkeypatch, capsys) -> None:
    assert checked(monkeypatch, Bench(SquareMap(8, "left")), "--diodes") == 0
    out, err = capsys.readouterr()
    assert out == "all is well: 32 squares\n"
    assert "--diodes" not in err


def test_a_sound_board_is_well_and_each_square_is_in_the_report(monkeypatch, capsys, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    status = checked(monkeypatch, Bench(SquareMap(8, "left"), [Bounce(seed=3)]), "--report", str(file))
    out, err = capsys.readouterr()
    assert (status, out) == (0, "all is well: 32 squares\n")
    assert "of the diodes only some were tried; --diodes tries every one" in err
    report = json.loads(file.read_text("utf-8"))
    assert (report["report"], report["well"], report["finished"]) == (1, True, True)
    assert [square["state"] for square in report["squares"]] == ["good"] * 32
    assert report["squares"][0]["square"] == "b8"
    assert report["squares"][0]["tries"][0]["seen"] == "b8"
    assert report["buttons"] == {"clock_a": "good", "clock_b": "good", "adjust": "good"}
    assert (report["board"]["uid"], report["connector"], report["regulation"]) == ("0da3a500", "black-left", "br-cbjd")
    assert "[b8 ]" in err
    assert "Put a piece on b8." in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("square_map", "fault", "arguments", "line"),
    [
        (SquareMap(8, "left"), Stuck(place=5), (), "a7 reads occupied with nothing on it"),
        (SquareMap(8, "left"), Stuck(place=5, level=0), (), "a7 is never seen"),
        (SquareMap(10, "left"), Stuck(place=5, level=0), (), "5 is never seen"),
        (SquareMap(8, "right"), Stuck(place=5, level=0), ("-r", "pt-classicas"), "28 is never seen"),
        (SquareMap(8, "left"), WeakSquare(place=5, seconds=60.0, missed=0.0, seed=2), (), "a7 is weak: "),
        (SquareMap(8, "left"), NoDiodes(), (), "diodes are missing, at b8 and d8 and perhaps at all squares"),
        (
            SquareMap(8, "left"),
            NoDiodes(bare=frozenset({1})),
            (),
            "b8 lets current pass backwards: its diode is missing",
        ),
    ],
)
def test_a_fault_is_named_with_its_square_and_the_status_is_1(
    monkeypatch, capsys, square_map: SquareMap, fault: Fault, arguments: tuple[str, ...], line: str
) -> None:
    assert checked(monkeypatch, Bench(square_map, [fault]), *arguments) == 1
    (found,) = [told for told in capsys.readouterr().out.splitlines() if not told.startswith("put once more")]
    assert line in found


def test_the_report_on_standard_output_says_the_findings_in_words(monkeypatch, capsys) -> None:
    bench = Bench(SquareMap(8, "left"), [Stuck(place=5, level=0)])
    assert checked(monkeypatch, bench, "--report", "-", "--lang", "pt", "--no-buttons") == 1
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]
    assert (finding["kind"], finding["squares"], finding["harmless"]) == ("dead", ["a7"], False)
    assert finding["text"].startswith("a7 nunca é vista")
    assert report["buttons"] == {}


@pytest.mark.parametrize("file", ["/proc/version", "/nowhere/report.json", "/dev/full"])
def test_a_report_that_cannot_be_written_is_one_line_with_its_file_and_what_was_found_is_told(
    monkeypatch, capsys, file: str
) -> None:
    assert checked(monkeypatch, Bench(SquareMap(8, "left")), "--report", file, "--no-buttons", "--lang", "en") == 1
    told = capsys.readouterr()
    assert told.err.splitlines()[-1].startswith(f"damas-board: {file}: ")
    assert told.out == ("all is well: 32 squares\n" if file == "/dev/full" else "")


def test_ctrl_c_gives_the_report_so_far(monkeypatch, capsys, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert checked(monkeypatch, Bench(SquareMap(8, "left"), ends_at=8.0), "--report", str(file)) == 1
    assert "not tried: " in capsys.readouterr().out
    states = [square["state"] for square in json.loads(file.read_text("utf-8"))["squares"]]
    assert states[:2] == ["good", "good"]
    assert states[-1] == "open"


def test_a_board_that_is_lost_gives_the_report_so_far_and_says_so(monkeypatch, capsys, tmp_path: Path) -> None:
    bench = Bench(SquareMap(8, "left"))
    bench.cut_at = 8.0
    file = tmp_path / "report.json"
    assert checked(monkeypatch, bench, "--report", str(file)) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("damas-board: PORT: the connection broke off")
    assert json.loads(file.read_text("utf-8"))["finished"] is False


@pytest.mark.parametrize(
    ("square_map", "arguments", "connector"),
    [
        (SquareMap(8, "left"), (), "black-left"),
        (SquareMap(8, "left"), ("--connector", "white-right"), "white-right"),
        (SquareMap(8, "left"), ("-r", "pt-classicas"), "black-right"),
        (SquareMap(8, "all"), ("--connector", "white-left"), "white-left"),
        (SquareMap(8, "all"), ("-r", "pt-classicas"), "black-left"),
        (SquareMap(10, "left"), ("-r", "int-fmjd"), "black-left"),
        (SquareMap(12, "left"), (), "black-left"),
    ],
)
def test_the_connector_is_the_first_that_fits(monkeypatch, capsys, square_map, arguments, connector) -> None:
    bench = Bench(square_map, ends_at=1.0)
    assert checked(monkeypatch, bench, "--report", "-", *arguments) == 1
    assert json.loads(capsys.readouterr().out)["connector"] == connector


@pytest.mark.parametrize("arguments", [("-r", "int-fmjd"), ("-r", "br-cbjd", "--connector", "black-right")])
def test_what_does_not_fit_the_board_is_refused(monkeypatch, capsys, arguments: tuple[str, ...]) -> None:
    assert checked(monkeypatch, Bench(SquareMap(8, "left")), *arguments) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("damas-board: PORT: the board has 32 squares (geometry 0x28)")


def test_a_port_that_is_not_there_and_a_report_that_cannot_be_written_are_named(capsys, tmp_path: Path) -> None:
    assert main(["check-board", str(tmp_path / "none")]) == 1
    assert "there is no such port" in capsys.readouterr().err
    assert main(["check-board", "PORT", "--report", str(tmp_path / "no" / "report")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_every_finding_has_its_words() -> None:
    assert {f"check.found.{kind}" for kind in get_args(FindingKind)} <= set(WORDS)


def test_keys_are_lines_where_standard_input_is_no_terminal(monkeypatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with Keys() as keys:
            assert keys.pressed() == []
            os.write(writing, b"\nSkip\n r")
            assert keys.pressed() == [ENTER, "s"]
            os.write(writing, b"\n")
            assert keys.pressed() == ["r"]
            os.close(writing)
            assert keys.pressed() == []


async def test_over_a_pseudo_terminal_it_goes_on_by_itself_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    clock = RunningClock()
    board = Board(SquareMap(8, "left"), clock)
    file = tmp_path / "report.json"
    terminal = os.openpty()
    async with asyncio.timeout(SECONDS), BoardPty(board, clock) as pty:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "damas_board", "check-board", pty.path, "--report", str(file))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=terminal[1], stdout=pipe, stderr=pipe, env={"DAMAS_LANG": "en"}
        )
        assert process.stderr is not None
        for place, name in ((1, "b8"), (2, "d8")):
            while f"Put a piece on {name}." not in (await process.stderr.readline()).decode():
                pass
            board.place(place)
            await asyncio.sleep(1.2)
            board.lift(place)
        while "Put a piece on f8." not in (await process.stderr.readline()).decode():
            pass
        os.write(terminal[0], b"s")
        while "Put a piece on h8." not in (await process.stderr.readline()).decode():
            pass
        process.send_signal(signal.SIGINT)
        await process.communicate()
    for end in terminal:
        os.close(end)
    assert process.returncode == 1
    states = [square["state"] for square in json.loads(file.read_text("utf-8"))["squares"]]
    assert states[:4] == ["good", "good", "skipped", "open"]
