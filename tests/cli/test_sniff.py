"""`damas-board sniff`: captured bytes and real pseudo-terminals as lines that a person reads."""

from __future__ import annotations

import asyncio
import io
import signal
import sys
from pathlib import Path

import pytest
from decoding.golden_frames import bad_frames, golden_frames

from damas_board.cli import main, sniff
from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

MAP = SquareMap(8, "left")
START = [1] * 12 + [0] * 8 + [1] * 12
HELLO = wire.Hello(0, 15, 1, (1, 0), 3, 32, 3, 0x0007, MAP.geometry, 2, 0, 1000, 10, 20, 0xDA3A0042)
HELLO_50 = next(golden.data for golden in golden_frames() if golden.name == "hello-asked-colour-50")


def sniffed(capsys: pytest.CaptureFixture[str], path: Path, data: bytes, *options: str) -> list[str]:
    path.write_bytes(data)
    assert main(["sniff", str(path), *options]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("sender", ["board", "host"])
def test_every_frame_and_command_is_one_line_with_its_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, sender: str
) -> None:
    monkeypatch.setenv("DAMAS_LANG", language)
    golden = [frame for frame in golden_frames() if frame.sender == sender]
    options = ["--host"] if sender == "host" else []
    lines = sniffed(capsys, tmp_path / "c", b"".join(frame.data for frame in golden), *options)
    assert len(lines) == len(golden)
    for frame, line in zip(golden, lines, strict=True):
        word = frame.says.split()[0].removeprefix("ASK-").split("-")[0]
        number = {"FOREIGN": "HELLO", "OTHER": "0x20", "BAD": "", "RAW": "RAW"}.get(word, word)
        assert f"- {'<' if sender == 'board' else '>'} {number}" in line


@pytest.mark.parametrize("language", ["en", "pt"])
def test_what_is_no_sound_frame_is_one_line_with_its_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("DAMAS_LANG", language)
    bad = bad_frames()
    lines = sniffed(capsys, tmp_path / "c", b"".join(data for _, data, _ in bad) + b"\x05\x41")
    assert len(lines) == len(bad) + 1
    for (_, data, _), line in zip(bad, lines, strict=False):
        assert line.startswith("- ! ")
        assert line.endswith(": " + data[:-1][: wire.MAX_ENCODED].hex(" "))
    assert lines[-1] == {"en": "- ! no end: 05 41", "pt": "- ! sem fim: 05 41"}[language]


PACKED = wire.pack_levels((*START, 0, 1, 0), 2)


@pytest.mark.parametrize(
    ("frame", "english", "portuguese"),
    [
        (
            HELLO,
            "tag 1; board da3a0042, firmware 1.0, start 3; 32 places of 8 x 8 (geometry"
            " 28), 3 buttons, 2 levels; 1000 scans/s, debounce 10/20 ms, hardware 0; can: lights, readings,"
            " calibration",
            "etiqueta 1; tabuleiro da3a0042, firmware 1.0, arranque 3; 32 lugares de 8 x 8"
            " (geometria 28), 3 botões, 2 níveis; 1000 leituras/s, debounce 10/20 ms, hardware 0; capacidades: luzes,"
            " valores dos sensores, calibração",
        ),
        (
            wire.Event(7, 1722, 22, 1),
            "place 22 (c3): occupied",
            "lugar 22 (c3): ocupado",
        ),
        (
            wire.Event(8, 2000, 0xF1, 1),
            "clock B: pressed",
            "relógio B: premido",
        ),
        (
            wire.Snapshot(8, 2100, 2, PACKED),
            "tag 2; occupied: b8 d8 f8 h8 a7 c7 e7 g7 b6 d6 f6 h6 a3 c3 e3 g3 b2 d2 f2 h2"
            " a1 c1 e1 g1; clock B: pressed",
            "etiqueta 2; ocupado: b8 d8 f8 h8 a7 c7 e7 g7 b6 d6 f6 h6 a3 c3 e3 g3 b2 d2 f2"
            " h2 a1 c1 e1 g1; relógio B: premido",
        ),
        (
            wire.Heartbeat(8, 3000, 1000, 1, 2, 4990, frozenset({22, 34})),
            "1000 scans/s, 1 bad frames, 2 events lost, 4.99 V; unstable: c3, clock B",
            "1000 leituras/s, 1 mensagens estragadas, 2 eventos perdidos, 4.99 V; instável: c3, relógio B",
        ),
        (
            wire.Nak(8, 3100, 4, 0x45, 4),
            "LED (tag 4) refused: a value that this board does not take",
            "LED (etiqueta 4) recusado: um valor que este tabuleiro não aceita",
        ),
        (
            wire.Calibration(8, 3200, 30, 1, (wire.Thresholds(128, 8, 36), wire.Thresholds(127, 9, 40))),
            "white moves the reading up; 30:128/8/36 31:127/9/40",
            "as brancas fazem subir o valor; 30:128/8/36 31:127/9/40",
        ),
        (
            wire.Log(8, 3300, "ímã\x1b[31m\r\nfraco"),
            "ímã\\u001b[31m fraco",
            "ímã\\u001b[31m fraco",
        ),
    ],
)
def test_a_frame_is_said_in_words_and_with_the_names_of_squares(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    frame: wire.BoardFrame,
    english: str,
    portuguese: str,
) -> None:
    data = wire.encode_frame(HELLO) + wire.encode_frame(frame)
    for language, said in (("en", english), ("pt", portuguese)):
        monkeypatch.setenv("DAMAS_LANG", language)
        line = sniffed(capsys, tmp_path / "c", data, "--map", "br-cbjd")[1]
        kind = type(frame).__name__.upper()
        assert line == f"- < {kind:<11} {frame.seq:>5} {frame.t / 1000:>10.3f}  {said}"


def test_the_connector_s_corner_decides_which_square_a_place_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    data = wire.encode_frame(wire.Event(1, 0, 1, 1))
    options = ("--map", "br-cbjd", "--corner", "white-right")
    assert sniffed(capsys, tmp_path / "c", data, *options)[0].endswith("place 1 (g1): occupied")


def test_places_of_a_board_that_the_game_does_not_fit_are_told_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    (tmp_path / "c").write_bytes(HELLO_50 + wire.encode_frame(wire.Event(1, 0, 40, 3)))
    assert main(["sniff", str(tmp_path / "c"), "--map", "br-cbjd"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[1].endswith("place 40: white king")
    assert "(geometry 0x2a), and br-cbjd with the connector at black-left needs others" in told.err


def test_a_corner_that_does_not_fit_is_told_as_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    (tmp_path / "c").write_bytes(HELLO_50)
    for corner, fits in (("black-left", True), ("black-right", False)):
        assert main(["sniff", str(tmp_path / "c"), "--map", "int-fmjd", "--corner", corner]) == 0
        said = f"int-fmjd with the connector at {corner} needs others"
        assert (said in capsys.readouterr().err) is not fits


def test_captured_bytes_may_be_hexadecimal_and_come_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = wire.encode_frame(HELLO) + wire.encode_frame(wire.Event(1, 0, 40, 3))
    plain = sniffed(capsys, tmp_path / "c", data, "--hex")
    text = "# a capture\n" + "\n".join(f"0x{byte:02x}," for byte in data)
    assert sniffed(capsys, tmp_path / "c", text.encode(), "--hex") == plain
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["sniff", "-", "--hex"]) == 0
    assert capsys.readouterr().out.splitlines() == plain
    assert plain[1].endswith("  [02 01 00 00 00 00 00 28 03]")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{path}"], "damas-board: {path}: line 2 is not hexadecimal; give bytes as they were captured, or as"),
        (["{path}x"], "damas-board: {path}x: there is no such port; is the board plugged in?"),
        (["/dev/null"], "damas-board: /dev/null: is no serial port that can be used"),
        (["{path}x", "--host"], "damas-board: --host is for captured bytes; at a port only the board is heard"),
        (["{path}", "--map", "nowhere"], "damas-board: "),
    ],
)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    path = tmp_path / "c"
    path.write_text("01 02\nno bytes\n")
    assert main(["sniff", *(argument.format(path=path) for argument in arguments)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(said.format(path=path))
    assert told.err.count("\n") == 1


async def started(*arguments: object) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "damas_board", "sniff", *map(str, arguments))
    return await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env={"DAMAS_LANG": "en"})


async def until_said(process: asyncio.subprocess.Process, *parts: str) -> str:
    assert process.stdout is not None
    while line := (await process.stdout.readline()).decode():
        if all(part in line for part in parts):
            return line
    raise AssertionError(f"it ended without saying {parts}")


async def test_at_a_port_the_board_is_asked_once_and_a_pulled_cable_is_one_line() -> None:
    clock = RunningClock()
    board = Board(MAP, clock, uid=0xA1)
    board.set_up(START)
    asked: list[type[wire.HostFrame]] = []
    decoder, receive = wire.command_decoder(), board.receive

    def heard(data: bytes) -> None:
        asked.extend(map(type, decoder.feed(data)))
        receive(data)

    board.receive = heard  # type: ignore[method-assign]
    async with asyncio.timeout(60), BoardPty(board, clock) as pty:
        process = await started(pty.path, "--map", "br-cbjd")
        await until_said(process, " < HELLO", "tag 1; board 000000a1")
        await until_said(process, " < SNAPSHOT", "tag 2; occupied: b8 d8")
        board.lift(22)
        line = await until_said(process, " < EVENT", "place 22 (c3): empty")
        assert line[2] == line[5] == ":"
        await until_said(process, " < HEARTBEAT", "1000 scans/s")
        board.unplug()
        _, errors = await process.communicate()
    assert process.returncode == 1
    assert errors.decode().splitlines()[1:] == [
        f"damas-board: {pty.path}: the connection broke off; is the cable still plugged in?"
    ]
    assert asked[-1] is wire.AskSnapshot
    assert asked.count(wire.AskSnapshot) == 1
    assert set(asked) == {wire.AskHello, wire.AskSnapshot}


async def test_a_listener_sends_nothing_and_ends_by_ctrl_c_in_silence() -> None:
    clock = RunningClock()
    board = Board(MAP, clock)
    received: list[bytes] = []
    board.receive = received.append  # type: ignore[method-assign]
    async with asyncio.timeout(60), BoardPty(board, clock) as pty:
        process = await started(pty.path, "--listen")
        await until_said(process, " < HEARTBEAT")
        process.send_signal(signal.SIGINT)
        _, errors = await process.communicate()
    assert process.returncode == 0
    assert len(errors.decode().splitlines()) == 1
    assert received == []


def test_of_any_device_the_bytes_are_shown_as_they_come_and_nothing_is_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    opened: list[int] = []

    class Device:
        def __init__(self) -> None:
            self.says = [b"", b"ok 1\n", b"\x8e\x00"]

        def __enter__(self) -> Device:
            return self

        def __exit__(self, *error: object) -> None:
            pass

    def read(device: Device) -> bytes:
        if not device.says:
            raise OSError
        return device.says.pop(0)

    def open_it(path: str, baud: int) -> Device:
        opened.append(baud)
        return Device()

    monkeypatch.setattr(sniff, "open_port", open_it)
    monkeypatch.setattr(sniff, "read_available", read)
    assert main(["sniff", "/dev/ttyX", "--raw", "9600"]) == 1
    assert opened == [9600]
    said = capsys.readouterr()
    assert [line.split(" ", 1)[1] for line in said.out.splitlines()] == ["< 6f 6b 20 31 0a  ok 1.", "< 8e 00  .."]
    assert said.err.splitlines()[-1].startswith("damas-board: /dev/ttyX: the connection broke off")
