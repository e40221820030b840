"""`damas-board flash` with an avrdude that only writes down what it is asked, and a board in software on a pty."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cli.fake_avrdude import Programmer

from damas_board.cli import flash, flash_words, main
from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.decoding.intel_hex import TEXTS, read_intel_hex
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

MAP = SquareMap(8, "left")
NOT_IN_SYNC = (
    "avrdude error: programmer is not responding\n"
    "avrdude warning: attempt 10 of 10: not in sync: resp=0x00\n"
    "avrdude error: unable to open programmer arduino on port /dev/ttyUSB0\n"
)


@pytest.fixture
def programmer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Programmer]:
    monkeypatch.setenv("DAMAS_LANG", "en")
    monkeypatch.setattr(flash, "TIMING", Timing(hello_every=0.05, hello_for=2.0))

    def make(**says: str) -> Programmer:
        said = {baud.removeprefix("at_"): text for baud, text in says.items()}
        made = Programmer.made(tmp_path / "bin", said)
        monkeypatch.setenv("PATH", str(made.folder))
        return made

    return make


@dataclass
class Bench:
    """A board that becomes what is written into it."""

    board: Board
    clock: RunningClock
    programmer: Programmer

    async def flash(self, *options: str, becomes: Callable[[Board], None] | None = None) -> tuple[int, str]:
        """The exit status, and the port, which stands as PORT in what is told."""
        async with asyncio.timeout(60), BoardPty(self.board, self.clock) as pty:
            running = asyncio.create_task(asyncio.to_thread(main, ["flash", pty.path, *options]))
            written = asyncio.create_task(self.programmer.serve(lambda: self._become(becomes)))
            status = await running
            written.cancel()
            return status, pty.path

    async def _become(self, becomes: Callable[[Board], None] | None) -> None:
        if becomes is not None:
            becomes(self.board)
        else:
            self.board.uid = self.programmer.uid
            self.board.reset()


@pytest.fixture
def bench(programmer: Callable[..., Programmer]) -> Callable[..., Bench]:
    def make(*, says: Mapping[str, str] | None = None, **board: Any) -> Bench:
        clock = RunningClock()
        return Bench(Board(MAP, clock, **{"uid": 0xDA3A0042, **board}), clock, programmer(**(says or {})))

    return make


def told(capsys: pytest.CaptureFixture[str], port: str) -> tuple[list[str], list[str]]:
    """Lines on standard output and on the error output."""
    out, err = capsys.readouterr()
    return out.replace(port, "PORT").splitlines(), err.replace(port, "PORT").splitlines()


async def test_a_board_that_answers_gets_its_own_firmware_and_keeps_its_identity(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    table = bench()
    status, port = await table.flash()
    out, err = told(capsys, port)
    assert status == 0
    assert out == ["PORT: board da3a0042, firmware 1.0, matrix-32-lights: 32 places of 8 x 8"]
    assert err == ["PORT: writing matrix-32-lights.hex (115200 baud) ..."]
    ((*arguments, file),) = table.programmer.calls
    assert arguments == [
        *("-p", "m328p", "-c", "arduino", "-P", port, "-b", "115200", "-D", "-U", "flash:w:FILE:i"),
    ]
    assert not await asyncio.to_thread(Path(file).exists)
    shipped = read_intel_hex((flash._folder() / "matrix-32-lights.hex").read_text())
    written = read_intel_hex((table.programmer.folder / "0.hex").read_text())
    assert written == shipped | {0x3FFC: 0x42, 0x3FFD: 0x00, 0x3FFE: 0x3A, 0x3FFF: 0xDA}


async def test_another_identity_and_another_build_are_written_where_they_are_asked_for(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = bench()
    (tmp_path / "mine.hex").write_text((flash._folder() / "hall-32.hex").read_text())
    status, port = await table.flash("--uid", "b2", "--hex", str(tmp_path / "mine.hex"))
    out, err = told(capsys, port)
    assert (status, table.programmer.uid) == (0, 0xB2)
    assert out[0].startswith("PORT: board 000000b2, ")
    assert err == ["PORT: writing mine.hex (115200 baud) ..."]


@pytest.mark.parametrize("board", [{"protocol": 2}, {"uid": 0xFFFFFFFF}])
async def test_a_board_without_a_known_identity_gets_a_new_one(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str], board: dict[str, int]
) -> None:
    table = bench(**board)

    def becomes(board: Board) -> None:
        board._protocol = wire.PROTOCOL
        board.uid = table.programmer.uid
        board.reset()

    status, port = await table.flash("--board", "matrix-32-lights", becomes=becomes)
    out, err = told(capsys, port)
    uid = table.programmer.uid
    assert status == 0
    assert uid not in (0, 0xDA3A0042, 0xFFFFFFFF)
    assert f"PORT: the board gets a new identity, {uid:08x}" in err
    assert out[0].startswith(f"PORT: board {uid:08x}, ")


async def test_a_board_that_does_not_say_what_it_is_needs_a_name(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    table = bench(protocol=2)
    status, port = await table.flash()
    out, err = told(capsys, port)
    assert (status, out, table.programmer.calls) == (1, [], [])
    assert "protocol 2" in err[0]
    assert err[1].startswith(
        "damas-board: PORT: a board that does not say what it is needs --board with one of hall-32"
    )
    assert err[1].endswith("matrix-64, matrix-64-lights")


@pytest.mark.parametrize(
    ("option", "speeds"), [((), ["115200", "57600"]), (("--old-bootloader",), ["57600", "115200"])]
)
async def test_the_other_speed_is_tried_where_the_boot_loader_does_not_answer(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str], option: tuple[str, ...], speeds: list[str]
) -> None:
    table = bench(says={f"at_{speeds[0]}": NOT_IN_SYNC})
    status, port = await table.flash(*option)
    _, err = told(capsys, port)
    assert (status, table.programmer.speeds) == (0, speeds)
    assert err[1] == f"PORT: the boot loader does not answer at {speeds[0]} baud"


async def test_a_boot_loader_that_answers_at_no_speed_is_one_line(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    table = bench(says={"at_115200": NOT_IN_SYNC, "at_57600": NOT_IN_SYNC})
    status, port = await table.flash()
    out, err = told(capsys, port)
    assert (status, out, table.programmer.speeds) == (1, [], ["115200", "57600"])
    assert err[-1].startswith("damas-board: PORT: no boot loader answers, at either speed; is it an Arduino Nano")


async def test_what_else_avrdude_says_is_told_in_one_line_and_nothing_more_is_tried(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    table = bench(says={"at_115200": "\navrdude: reading\navrdude error: verification mismatch\navrdude done.\n"})
    status, port = await table.flash()
    _, err = told(capsys, port)
    assert (status, table.programmer.speeds) == (1, ["115200"])
    assert err[-1] == "damas-board: PORT: not written: avrdude error: verification mismatch"


@pytest.mark.parametrize(
    ("becomes", "said"),
    [
        (lambda board: None, "written, but the board says that it is da3a0042 (matrix-32-lights), not 000000b2 ("),
        (lambda board: setattr(board, "levels", 5), "written, but the board says that it is da3a0042 (hall-32-lights)"),
        (lambda board: board.unplug(), "written, but the board does not answer since: PORT: there is no such port"),
    ],
)
async def test_a_board_that_is_not_what_was_written_is_an_error(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str], becomes: Callable[[Board], None], said: str
) -> None:
    status, port = await bench().flash("--uid", "b2", becomes=becomes)
    out, err = told(capsys, port)
    assert (status, out) == (1, [])
    assert err[-1].removeprefix("damas-board: ").removeprefix("PORT: ").startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{folder}/none"], "{folder}/none: there is no such port; is the board plugged in?"),
        (["{folder}/none", "--uid", "x1"], "'x1' is no identity; give up to eight hexadecimal digits"),
        (["{folder}/none", "--uid", "ffffffff"], "'ffffffff' is no identity"),
        (["{folder}/none", "--uid", "123456789"], "'123456789' is no identity"),
        (["socket://club:1"], "socket://club:1: firmware is written at a port of this machine only"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    programmer: Callable[..., Programmer],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    said: str,
) -> None:
    made = programmer()
    assert main(["flash", *(argument.format(folder=tmp_path) for argument in arguments)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), made.calls) == ("", 1, [])
    assert err.startswith("damas-board: " + said.format(folder=tmp_path))


@pytest.mark.parametrize(
    ("image", "said"),
    [
        (":0100050022D9\n:00000001FF\n", "the checksum of line 1 is D9, and should be D8"),
        (":0100050022D8\n", "the record of the end is missing: the file is not whole"),
        (
            ":0100050022D8\n:00000001FF\n",
            "has no place for an identity at 3FFC, and so is no firmware for these boards",
        ),
    ],
)
async def test_an_image_that_is_none_is_named_with_its_line_and_nothing_is_written(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str], tmp_path: Path, image: str, said: str
) -> None:
    (tmp_path / "x.hex").write_text(image)
    table = bench()
    status, _ = await table.flash("--hex", str(tmp_path / "x.hex"))
    assert (status, table.programmer.calls) == (1, [])
    assert capsys.readouterr().err == f"damas-board: {tmp_path / 'x.hex'}: {said}\n"


async def test_a_build_that_is_not_there_names_those_that_are(
    bench: Callable[..., Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    status, _ = await bench().flash("--board", "matrix-100")
    assert status == 1
    assert capsys.readouterr().err.startswith("damas-board: there is no firmware for matrix-100; there is hall-32, ")


def test_without_avrdude_its_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for language, said in (("en", "on Debian: apt install avrdude"), ("pt", "em Debian: apt install avrdude")):
        monkeypatch.setenv("DAMAS_LANG", language)
        assert main(["flash", str(tmp_path / "port")]) == 1
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.endswith(f"{said}\n")


@pytest.mark.parametrize("places", [32, 50, 64])
@pytest.mark.parametrize("levels", [2, 5])
@pytest.mark.parametrize("caps", [0, wire.Cap.LIGHTS, wire.Cap.RAW | wire.Cap.CALIBRATE])
def test_every_board_that_can_be_built_has_an_image_with_a_place_for_its_identity(
    places: int, levels: int, caps: int
) -> None:
    hello = wire.Hello(0, 0, 1, (1, 0), 1, places, 3, caps, 0x28, levels, 0, 1000, 10, 10, 7)
    image = flash._image(flash._image_for(flash._build_of(hello, "port")))
    assert max(image) == flash.UID_AT + 3


def test_what_is_wrong_with_an_image_is_said_in_both_languages() -> None:
    said = {key.removeprefix("flash.hex."): text for key, text in flash_words.WORDS.items() if "flash.hex." in key}
    assert {key: english for key, (english, _) in said.items()} == TEXTS
