"""Where a board of another maker is, nobody who looks for boards of our own opens the port or writes to it."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sources.bench import PATIENCE_SECONDS
from sources.test_finder import QUICK, eventually, ports

from damas_board.cli import main
from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from damas_board.sources import foreign_ports
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import Candidates, Finder
from damas_board.sources.foreign_ports import ForeignPorts
from damas_board.sources.reconnection import UsbNeighbours
from damas_board.sources.serial_board import SerialBoard


class Usb:
    """A serial port as USB tells of it."""

    def __init__(
        self, device: str, serial: str | None, product: str = "FT232R USB UART", maker: str = "FTDI", pid: int = 0x6001
    ) -> None:
        self.device, self.serial_number, self.product, self.manufacturer = device, serial, product, maker
        self.vid, self.pid = 0x0403, pid


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> list[Usb]:
    found: list[Usb] = []
    monkeypatch.setattr("damas_board.sources.usb_converter.list_ports.comports", lambda: found)
    return found


@contextmanager
def silent(link: Path) -> Iterator[int]:
    """A port at which somebody listens who says nothing; its other end."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    link.symlink_to(os.ttyname(slave))
    yield master
    link.unlink(missing_ok=True)
    os.close(master)
    os.close(slave)


def written(master: int) -> bytes:
    try:
        return os.read(master, 100)
    except BlockingIOError:
        return b""


async def test_a_finder_never_writes_to_a_foreign_port_under_whatever_name_it_comes(tmp_path: Path) -> None:
    with silent(tmp_path / "by-id") as master:
        (tmp_path / "other-name").symlink_to(os.readlink(tmp_path / "by-id"))
        foreign = ForeignPorts([str(tmp_path / "by-id")]).among
        async with ports(tmp_path, own=0xA1):
            candidates = Candidates((str(tmp_path / "other-name"),), [str(tmp_path / "*")])
            with Finder(candidates, foreign=foreign, timing=QUICK, look=0.05) as finder:
                await eventually(lambda: [asked.uid for asked in finder.asked()] == ["000000a1"])
                assert finder.wait_settled(PATIENCE_SECONDS)
                assert finder.left_alone() == {str(tmp_path / "by-id"), str(tmp_path / "other-name")}
        assert written(master) == b""


async def test_where_nothing_is_foreign_the_same_port_is_written_to(tmp_path: Path) -> None:
    with silent(tmp_path / "by-id") as master:
        with Finder(Candidates((), [str(tmp_path / "*")]), timing=QUICK, look=0.05) as finder:
            assert finder.wait_settled(PATIENCE_SECONDS)
        assert written(master) != b""


def test_a_converter_that_was_at_a_foreign_port_is_foreign_wherever_it_is_plugged_in_again(
    plugged: list[Usb], tmp_path: Path
) -> None:
    board = tmp_path / "board"
    board.symlink_to("/dev/null")
    foreign = ForeignPorts([str(board)])
    plugged[:] = [Usb("/dev/null", "A1"), Usb("/dev/zero", "B2")]
    assert foreign.among(["/dev/null", "/dev/zero"]) == {"/dev/null"}
    board.unlink()
    plugged[:] = [Usb("/dev/zero", "A1"), Usb("/dev/null", "B2")]
    assert foreign.among(["/dev/null", "/dev/zero"]) == {"/dev/zero"}


def test_a_converter_without_a_number_is_foreign_while_the_one_that_it_may_be_is_missing(
    plugged: list[Usb], tmp_path: Path
) -> None:
    board = tmp_path / "board"
    board.symlink_to("/dev/null")
    foreign = ForeignPorts([str(board)])
    plugged[:] = [Usb("/dev/null", None), Usb("/dev/zero", None), Usb("/dev/full", None, pid=1)]
    assert foreign.among(["/dev/null", "/dev/zero", "/dev/full"]) == {"/dev/null"}
    board.unlink()
    plugged[:] = plugged[1:]
    assert foreign.among(["/dev/zero", "/dev/full"]) == {"/dev/zero"}


@pytest.mark.parametrize("said", [{"product": "DGT Board"}, {"maker": "Dgt B.V."}])
def test_a_device_whose_usb_name_tells_what_it_is_is_foreign(plugged: list[Usb], said: dict[str, str]) -> None:
    plugged[:] = [Usb("/dev/null", None, **said), Usb("/dev/zero", None)]
    assert ForeignPorts((), ("dgt",)).among(["/dev/null", "/dev/zero"]) == {"/dev/null"}
    assert ForeignPorts().among(["/dev/null", "/dev/zero"]) == frozenset()


def test_a_device_whose_name_by_id_tells_what_it_is_is_foreign(
    plugged: list[Usb], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "usb-Digital_Game_Technology_DGT_Board-if00").symlink_to("/dev/null")
    monkeypatch.setattr(foreign_ports, "BY_ID", tmp_path)
    plugged[:] = [Usb("/dev/null", None), Usb("/dev/zero", None)]
    assert ForeignPorts((), ("dgt",)).among(["/dev/null", "/dev/zero"]) == {"/dev/null"}


def test_a_new_device_waits_for_its_names_where_a_port_is_foreign(
    plugged: list[Usb], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "control").touch()
    device = tmp_path / "ttyUSB0"
    device.touch()
    status = device.stat()
    monkeypatch.setattr(foreign_ports, "UDEV", tmp_path)
    monkeypatch.setattr(foreign_ports, "_ON_USB", foreign_ports.re.compile(r".*/ttyUSB\d+"))
    foreign = ForeignPorts([str(tmp_path / "by-id")])
    assert foreign.among([str(device)]) == {str(device)}
    assert ForeignPorts().among([str(device)]) == frozenset()
    monkeypatch.setattr(foreign_ports.time, "time", lambda: status.st_ctime + foreign_ports.NAMING_SECONDS)
    assert foreign.among([str(device)]) == frozenset()


def test_a_device_that_udev_knows_needs_not_wait(
    plugged: list[Usb], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "control").touch()
    device = tmp_path / "ttyUSB0"
    device.touch()
    rdev = device.stat().st_rdev
    (tmp_path / "data" / f"c{os.major(rdev)}:{os.minor(rdev)}").touch()
    monkeypatch.setattr(foreign_ports, "UDEV", tmp_path)
    monkeypatch.setattr(foreign_ports, "_ON_USB", foreign_ports.re.compile(r".*/ttyUSB\d+"))
    assert ForeignPorts([str(tmp_path / "by-id")]).among([str(device)]) == frozenset()


async def test_a_board_of_our_own_is_not_looked_for_where_another_kind_of_board_is(tmp_path: Path) -> None:
    with silent(tmp_path / "by-id") as master:
        port = str(tmp_path / "own")
        (tmp_path / "own").symlink_to(os.readlink(tmp_path / "by-id"))
        foreign = ForeignPorts([str(tmp_path / "by-id")]).among
        with pytest.raises(BoardError) as caught:
            async with SerialBoard(port, SquareMap(8, "left"), lambda: 0.0, foreign=foreign):
                pass
        assert caught.value.key == "port_foreign"
        assert UsbNeighbours(port, foreign=foreign)() == []
        assert written(master) == b""


def test_a_board_of_another_maker_comes_back_only_with_its_own_converter(plugged: list[Usb]) -> None:
    neighbours = UsbNeighbours("/dev/ttyUSB0", exact=True)
    plugged[:] = [Usb("/dev/ttyUSB0", "A1")]
    neighbours.remember()
    plugged[:] = [Usb("/dev/ttyUSB1", "B2"), Usb("/dev/ttyUSB2", None), Usb("/dev/ttyUSB3", "A1")]
    assert neighbours() == ["/dev/ttyUSB0", "/dev/ttyUSB3"]


@pytest.mark.parametrize("tag", [1, 2, 15, 0x4E, 255])
def test_the_question_to_our_own_boards_is_no_command_to_a_board_that_listens_at_9600_baud(tag: int) -> None:
    """Twelve times too fast the whole question is one character there, with the top bit on: commands have it off."""
    heard = heard_at(12.0, b"\0" + wire.encode_command(wire.AskHello(tag)))
    assert len(heard) == 1
    assert heard[0] >= 0xE0


def heard_at(ratio: float, data: bytes) -> list[int]:
    """What a receiver makes of `data` whose bits are `ratio` times as long as the sender's, from their middles."""
    line = [1]
    for byte in data:
        line += [0, *(byte >> bit & 1 for bit in range(8)), 1]
    line += [1] * 200
    found, at = [], 0
    while at < len(line) - 120:
        if line[at] == 0 and line[int(at + 0.5 * ratio)] == 0:
            found.append(sum(line[int(at + (1.5 + bit) * ratio)] << bit for bit in range(8)))
            at = int(at + 9.5 * ratio)
        at += 1
    return found


@pytest.mark.parametrize(
    "command", [["check-board"], ["sniff"], ["flash", "--board", "nano-matrix"], ["calibrate", "board"]]
)
def test_no_command_for_a_board_of_our_own_opens_a_port_whose_usb_name_tells_of_another(
    plugged: list[Usb], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    plugged[:] = [Usb("/dev/null", None, "DGT Board")]
    assert main([command[0], *command[1:], "/dev/null"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("damas-board: /dev/null: a board of another kind is plugged in there")
