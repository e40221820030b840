"""[board.adapter]: what is read, what is refused and in which line, and a file of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.cli import main
from damas_board.config import Config, adapter, read_config
from damas_board.regulations import TableError
from damas_board.session.header import Settings
from damas_board.sources.adapter import Adapter, Options, Place
from damas_board.sources.spoken_board import SpokenBoard

HEAD = """\
meeting = "autumn"

[broker]
kind = "embedded"

[[board]]
id = "table-1"
regulation = "br-cbjd"
port = "/dev/serial/by-id/usb-chatty"
"""
ADAPTER = """\
[board.adapter]
speaks = "chatty.py"
"""
SECOND = """\
[[board]]
id = "table-2"
regulation = "br-cbjd"
port = "/dev/serial/by-id/usb-chatty"
"""
CHATTY = '''\
"""A board that nobody has."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damas_board.sources.adapter import Adapter, Options
from damas_board.sources.spoken_board import SpokenBoard


class Chatty(Options):
    tone: Literal["loud", "soft"] = "soft"
    every: Annotated[float, Field(gt=0)] = 1.0


def make(place, options, now):
    if options.tone == "loud" and place.senses == "kind":
        raise ValueError("tone is too loud to hear kings")
    if place.size != 8:
        raise ValueError(f"a chatty board has 8 squares a side,\\nnot {place.size}")
    return SpokenBoard(place.port, None, now, baud=9600, size=place.size)


ADAPTER = Adapter("chatty", Chatty, make, senses=("colour", "kind"), settings={"settle_seconds": 0.9})
'''


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Config]:
    def reading(text: str, code: str = CHATTY, *, finding: bool = False) -> Config:
        (tmp_path / "chatty.py").write_text(code, "utf-8")
        path = tmp_path / "club.toml"
        path.write_text(text, "utf-8")
        return read_config(path, finding=finding)

    return reading


@pytest.fixture
def refused(read: Callable[..., Config], tmp_path: Path) -> Callable[..., str]:
    def refusing(text: str, code: str = CHATTY) -> str:
        with pytest.raises(TableError) as caught:
            read(text, code)
        line = str(caught.value)
        assert "\n" not in line
        return line.replace(f"{tmp_path}/", "")

    return refusing


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Adapters of the program that this test has: two that share a port, and one that does not."""
    asked: list[list[str]] = []

    def together(tables: object) -> None:
        asked.append([place.uid for place, _ in tables])  # type: ignore[attr-defined]
        if len(set(asked[-1])) == 1:
            raise ValueError("an address is the same twice")

    def make(place: Place, options: Options, now: Callable[[], float]) -> SpokenBoard:
        return SpokenBoard(place.port, lambda at, known: None, now, baud=9600, size=8)  # type: ignore[arg-type,return-value]

    known = [
        Adapter("bus", Options, make, shares_port=True, together=together),  # type: ignore[arg-type,var-annotated]
        Adapter("other-bus", Options, make, shares_port=True),  # type: ignore[arg-type]
        Adapter("alone", Options, make),  # type: ignore[arg-type]
    ]
    monkeypatch.setattr(adapter, "ADAPTERS", {one.name: one for one in known})
    return asked


def test_an_adapter_of_ones_own_is_read_by_its_path_with_its_options(
    read: Callable[..., Config], tmp_path: Path
) -> None:
    more = 'senses = "kind"\nuid = "0102512345"\ncorner = "white-right"\nturn = 180\nclock_a = "black"\n'
    (board,) = read(HEAD + more + ADAPTER + 'tone = "soft"\nevery = 0.5\n').boards
    assert board.adapter is not None
    assert (board.adapter.adapter.name, board.adapter.file) == ("chatty", tmp_path / "chatty.py")
    assert board.adapter.options.model_dump() == {"tone": "soft", "every": 0.5}
    assert (board.header.senses, board.header.turn, board.header.wiring, board.sensors) == ("kind", 180, None, True)
    place = board.place(5.0)
    assert (place.port, place.uid, place.corner) == ("/dev/serial/by-id/usb-chatty", "0102512345", "white-right")
    assert (place.size, place.dark, place.senses, place.clock_a, place.speed) == (8, "left", "kind", "black", 5.0)
    assert place.variant is board.regulation.variant


def test_what_is_not_written_is_what_is_usual_for_the_adapter(read: Callable[..., Config]) -> None:
    (board,) = read(HEAD + ADAPTER).boards
    assert board.adapter is not None
    assert board.adapter.options.model_dump() == {"tone": "soft", "every": 1.0}
    assert (board.header.senses, board.uid) == ("colour", None)


def test_ghosts_of_a_wiring_are_looked_for_on_boards_of_our_own_only(read: Callable[..., Config]) -> None:
    code = CHATTY.replace('"colour", "kind"', '"occupancy",')
    one, other = read(HEAD + ADAPTER + SECOND.replace("chatty", "own"), code).boards
    assert (one.header.senses, other.header.senses) == ("occupancy", "occupancy")
    assert one.header.wiring is None
    assert other.header.wiring is not None


def test_times_that_are_usual_for_the_board_hold_unless_the_table_has_its_own(read: Callable[..., Config]) -> None:
    (board,) = read(HEAD + ADAPTER).boards
    assert board.header.settings == Settings(settle_seconds=0.9)
    (board,) = read(HEAD + ADAPTER + "[board.settings]\nsettle_seconds = 0.3\nrest_seconds = 2\n").boards
    assert board.header.settings == Settings(settle_seconds=0.3, rest_seconds=2.0)


def test_a_changed_file_is_read_anew_and_nothing_is_left_beside_it(read: Callable[..., Config], tmp_path: Path) -> None:
    assert read(HEAD + ADAPTER).boards[0].header.senses == "colour"
    assert (
        read(HEAD + ADAPTER, CHATTY.replace('"colour", "kind"', '"kind", "colour"')).boards[0].header.senses == "kind"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chatty.py", "club.toml"]


def test_a_camera_may_watch_beside_it(read: Callable[..., Config], tmp_path: Path) -> None:
    from sources.filmed import profile_file

    profile = profile_file(tmp_path).name
    camera = f'[board.camera]\ndevice = 0\nprofile = "{profile}"\n'
    (board,) = read(HEAD + ADAPTER + camera).boards
    assert board.camera is not None
    assert (board.header.senses, board.sensors, board.header.wiring) == ("colour", True, None)


def test_two_tables_with_one_file_have_one_adapter(read: Callable[..., Config]) -> None:
    one, other = read(HEAD + ADAPTER + SECOND.replace("chatty", "other") + ADAPTER).boards
    assert one.adapter is not None
    assert other.adapter is not None
    assert one.adapter.adapter is other.adapter.adapter


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEAD + "[board.adapter]\n", 'club.toml:10: [board.adapter] needs "speaks"'),
        (HEAD + 'adapter = "dgt"\n', 'club.toml:10: [board] adapter must be a table with speaks, not "dgt"'),
        (
            HEAD + ADAPTER + 'tune = "loud"\n',
            'club.toml:12: [board.adapter] unknown key "tune"; did you mean "tone"?',
        ),
        (
            HEAD + ADAPTER + "volume = 1\n",
            'club.toml:12: [board.adapter] unknown key "volume"; allowed: speaks, tone, every',
        ),
        (HEAD + ADAPTER + 'tone = "lowd"\n', 'club.toml:12: [board.adapter] tone is "lowd"; did you mean "loud"?'),
        (HEAD + ADAPTER + "every = 0\n", "club.toml:12: [board.adapter] every must be greater than 0, not 0"),
        (
            HEAD + 'senses = "kind"\n' + ADAPTER + 'every = 2\ntone = "loud"\n',
            "club.toml:14: [board.adapter] tone is too loud to hear kings",
        ),
        (
            HEAD.replace("br-cbjd", "int-fmjd") + ADAPTER,
            "club.toml:10: [board.adapter] a chatty board has 8 squares a side, not 10",
        ),
        (
            HEAD + 'senses = "occupancy"\n' + ADAPTER,
            'club.toml:10: [board] senses is "occupancy", but a board that speaks "chatty.py" can tell colour or kind',
        ),
        (HEAD + "sensors = false\n" + ADAPTER, "club.toml:11: [board] an adapter is of no use with sensors = false: "),
        (
            HEAD.replace("/dev/serial/by-id/usb-chatty", "auto") + ADAPTER,
            'club.toml:9: [board] port is "auto", but only boards of this program\'s own kind are looked for; ',
        ),
        (
            HEAD.replace('port = "/dev/serial/by-id/usb-chatty"\n', 'uid = "1025"\n') + ADAPTER,
            'club.toml:6: [board] where is it? A board with an adapter needs "port", as "/dev/serial/by-id/..."',
        ),
        (
            HEAD + 'uid = "a b"\n' + ADAPTER,
            "club.toml:10: [board] uid: 'a b' is no serial number: up to 40 letters and digits, ",
        ),
        (
            HEAD + ADAPTER.replace("chatty.py", "dtg"),
            'club.toml:11: [board.adapter] speaks is "dtg"',
        ),
    ],
)
def test_what_does_not_fit_is_told_with_its_line_and_what_could_stand_there(
    refused: Callable[..., str], text: str, line: str
) -> None:
    assert refused(text).startswith(line)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("", "speaks: chatty.py has no ADAPTER; it needs the line ADAPTER = Adapter(...)"),
        ('ADAPTER = "chatty"\n', "speaks: ADAPTER in chatty.py is no Adapter, but str"),
        ("x = 1\nx = = 2\n", "speaks: chatty.py:2 cannot be run (SyntaxError: invalid syntax)"),
        ("import nowhere\n", "speaks: chatty.py:1 cannot be run (ModuleNotFoundError: No module named 'nowhere')"),
        ("def f():\n    raise OSError('a\\nb')\n\nf()\n", "speaks: chatty.py:2 cannot be run (OSError: a b)"),
        ("raise SystemExit(3)\n", "speaks: chatty.py:1 cannot be run (SystemExit: 3)"),
        (
            CHATTY.replace("Chatty, make", "str, make"),
            "speaks: the options of ADAPTER in chatty.py must be a class of ",
        ),
        (
            CHATTY.replace("    every:", "    speaks: str = ''\n    every:"),
            'speaks: the options of ADAPTER in chatty.py cannot have "speaks"',
        ),
        (
            CHATTY.replace('"colour", "kind"', '"color"'),
            "speaks: the senses of ADAPTER in chatty.py must be some of occupancy, colour, kind",
        ),
        (
            CHATTY.replace("settings=", 'usb_names="ftdi", settings='),
            "speaks: the usb_names of ADAPTER in chatty.py must be a tuple of words in small letters",
        ),
        (
            CHATTY.replace("settings=", 'usb_names=("",), settings='),
            "speaks: the usb_names of ADAPTER in chatty.py must be a tuple of words in small letters",
        ),
        (
            CHATTY.replace("settings=", 'usb_names=("DGT",), settings='),
            "speaks: the usb_names of ADAPTER in chatty.py must be a tuple of words in small letters",
        ),
        (
            CHATTY.replace("0.9}", "-1}"),
            "speaks: the settings of ADAPTER in chatty.py: settle_seconds must be seconds, 0 or more, not -1",
        ),
        (
            CHATTY.replace("0.9}", "'soon'}"),
            "speaks: the settings of ADAPTER in chatty.py: settle_seconds must be seconds, 0 or more, not 'soon'",
        ),
        (
            CHATTY.replace("    return SpokenBoard", "    SpokenBoard"),
            "speaks: chatty.py does not work (TypeError: make gives NoneType, which has no __aenter__)",
        ),
        (
            CHATTY.replace("settle_s", "settled_s"),
            "speaks: the settings of ADAPTER in chatty.py have no settled_seconds",
        ),
        (
            CHATTY.replace("    if place.size", "    place.sighs\n    if place.size"),
            "speaks: chatty.py:21 does not work (AttributeError: 'Place' object has no attribute 'sighs')",
        ),
    ],
)
def test_what_is_wrong_with_a_file_of_ones_own_is_told_in_one_line(
    refused: Callable[..., str], code: str, line: str
) -> None:
    assert refused(HEAD + ADAPTER, code).startswith(f"club.toml:11: [board.adapter] {line}")


def test_a_file_that_is_not_there_or_that_everybody_may_write_is_not_run(
    refused: Callable[..., str], tmp_path: Path
) -> None:
    assert refused(HEAD + ADAPTER.replace("chatty", "other")) == (
        "club.toml:11: [board.adapter] speaks: there is no other.py"
    )
    (tmp_path / "other.py").write_text("raise SystemExit", "utf-8")
    (tmp_path / "other.py").chmod(0o666)
    line = "speaks: other.py can be written by every user of this machine; chmod o-w other.py"
    assert refused(HEAD + ADAPTER.replace("chatty", "other")) == f"club.toml:11: [board.adapter] {line}"
    (tmp_path / "folder.py").mkdir()
    assert refused(HEAD + ADAPTER.replace("chatty", "folder")).endswith("speaks: folder.py is no file")


def test_a_fault_of_the_program_s_own_adapter_is_no_fault_of_the_file(
    read: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Adapter("broken", Options, lambda place, options, now: place.sighs)  # type: ignore[attr-defined]
    monkeypatch.setattr(adapter, "ADAPTERS", {"broken": broken})
    with pytest.raises(AttributeError):
        read(HEAD + ADAPTER.replace("chatty.py", "broken"))


def test_tables_share_a_port_where_their_adapter_does_and_it_is_asked_whether_they_fit(
    read: Callable[..., Config], refused: Callable[..., str], shared: list[list[str]]
) -> None:
    bus = ADAPTER.replace("chatty.py", "bus")
    first, second = HEAD + 'uid = "1"\n' + bus, SECOND + 'uid = "2"\n' + bus
    assert len(read(first + second).boards) == 2
    assert shared == [["1", "2"]]
    line = refused(HEAD + bus + SECOND + bus)
    assert line == "club.toml:16: [board.adapter] an address is the same twice"


@pytest.mark.parametrize(
    ("first", "second", "line", "more"),
    [
        ("alone", "alone", 15, "it must be in one"),
        (None, None, 13, "it must be in one"),
        ("bus", "alone", 15, 'all must speak "bus"'),
        ("alone", "bus", 9, 'all must speak "bus"'),
        ("bus", "other-bus", 15, 'all must speak "bus"'),
        ("bus", None, 15, 'all must speak "bus"'),
        (None, "bus", 9, 'all must speak "bus"'),
    ],
)
def test_other_tables_do_not_share_a_port(
    refused: Callable[..., str],
    shared: list[list[str]],
    first: str | None,
    second: str | None,
    line: int,
    more: str,
) -> None:
    tables = [
        text + ("" if name is None else ADAPTER.replace("chatty.py", name))
        for text, name in ((HEAD, first), (SECOND, second))
    ]
    said = f'[board] port "/dev/serial/by-id/usb-chatty" stands in 2 tables; {more}'
    assert refused("".join(tables)) == f"club.toml:{line}: {said}"


def test_a_port_under_two_names_is_one_port(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/null")
    one, other = (
        text.replace("/dev/serial/by-id/usb-chatty", port)
        for text, port in ((HEAD, "/dev/null"), (SECOND, f"{tmp_path}/link"))
    )
    assert refused(one + other) == 'club.toml:13: [board] port "link" stands in 2 tables; it must be in one'


def test_while_boards_are_looked_for_the_port_may_be_missing(read: Callable[..., Config]) -> None:
    (board,) = read(HEAD.replace('port = "/dev/serial/by-id/usb-chatty"\n', "") + ADAPTER, finding=True).boards
    assert board.port is None


def test_a_board_of_our_own_is_known_by_its_identity_as_before(refused: Callable[..., str]) -> None:
    assert "is no identity: up to eight hexadecimal digits" in refused(HEAD + 'uid = "0102512345"\n')


def test_a_command_says_what_is_wrong_with_the_file_and_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chatty.py").write_text("import nowhere\n", "utf-8")
    path = tmp_path / "club.toml"
    path.write_text(HEAD + ADAPTER, "utf-8")
    assert main(["preflight", str(path)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "chatty.py:1 cannot be run" in said.err


def unit_of(tmp_path: Path, text: str, read: Callable[..., Config]) -> str:
    read(text)
    assert main(["service", "install", str(tmp_path / "club.toml"), "--output", str(tmp_path / "root")]) == 0
    return (tmp_path / "root/etc/systemd/system/damas-board.service").read_text("utf-8")


def test_a_service_lets_a_board_by_bluetooth_in_though_it_is_not_always_there(
    tmp_path: Path, read: Callable[..., Config]
) -> None:
    unit = unit_of(tmp_path, (HEAD + ADAPTER).replace("/dev/serial/by-id/usb-chatty", "/dev/rfcomm0"), read)
    assert "\nDeviceAllow=char-rfcomm rw\n" in unit
    assert "modprobe@rfcomm.service" in unit
    assert "/dev/rfcomm" not in unit
    assert "\nSupplementaryGroups=dialout\n" in unit
    unit = unit_of(tmp_path, (HEAD + ADAPTER).replace("/dev/serial/by-id/usb-chatty", "/dev/ttyS0"), read)
    assert "\nDeviceAllow=/dev/ttyS0 rw\n" in unit
    assert "rfcomm" not in unit


def test_a_service_says_that_it_would_not_see_the_file_of_an_adapter(
    tmp_path: Path, read: Callable[..., Config], capsys: pytest.CaptureFixture[str]
) -> None:
    unit_of(tmp_path, HEAD + ADAPTER, read)
    assert f"club.toml:11: [board.adapter] {tmp_path}/chatty.py: a service sees neither" in capsys.readouterr().err
