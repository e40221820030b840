"""`damas-board boards` where boards of other makers are: they are listed, and nothing is said to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from sources.test_foreign_ports import Usb, silent, written

from damas_board.app.inventory import inventory, lines_to_add
from damas_board.cli import boards, main
from damas_board.config import read_config
from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from damas_board.sources import adapters, foreign_ports
from damas_board.sources.adapter import Adapter, Options
from damas_board.sources.finder import Asked, Finder

HEAD = 'meeting = "m"\n[ports]\nsearch = ["ports/*"]\n'
CHATTY = """\
from damas_board.sources.adapter import Adapter, Options
from damas_board.sources.spoken_board import SpokenBoard


def make(place, options, now):
    return SpokenBoard(place.port, None, now, baud=9600)


ADAPTER = Adapter("chatty", Options, make)
"""


def table(number: int, port: str) -> str:
    return (
        f'[[board]]\nid = "table-{number}"\nregulation = "br-cbjd"\nport = "{port}"\nuid = "1025"\n'
        '[board.adapter]\nspeaks = "chatty.py"\n'
    ).replace("1025", f"102{number}")


def test_a_table_with_an_adapter_is_listed_and_its_port_is_not_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    (tmp_path / "ports").mkdir()
    (tmp_path / "chatty.py").write_text(CHATTY)
    path = tmp_path / "m.toml"
    here, gone = tmp_path / "ports" / "a", tmp_path / "ports" / "b"
    path.write_text(HEAD + table(1, str(here)) + table(2, str(gone)))
    with silent(here) as master:
        assert main(["boards", str(path), "--json"]) == 0
        listed = [entry for entry in json.loads(capsys.readouterr().out) if entry["state"] != "camera"]
        assert main(["boards", str(path)]) == 0
        rows = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
        assert written(master) == b""
    common = {"speaks": "chatty.py"}
    assert listed == [
        {"state": "adapted", "port": str(here), "board": "table-1", "table": "table-1", "uid": "1021"} | common,
        {"state": "missing", "board": "table-2", "table": "table-2", "uid": "1022"} | common,
    ]
    (shown,) = [row for row in rows if row[0] == str(here)]
    assert shown[-1] == "speaks chatty.py; not asked (preflight looks at it)"


def test_a_port_whose_usb_name_tells_what_is_there_gets_lines_for_a_table_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Adapter("dtg", Options, lambda place, options, now: place, usb_names=("dtg board",))  # type: ignore[arg-type]
    monkeypatch.setattr("damas_board.app.inventory.ADAPTERS", {"dtg": known})
    assert adapters.ADAPTERS is not known
    monkeypatch.setattr(
        "damas_board.sources.usb_converter.list_ports.comports", lambda: [Usb("/dev/null", None, "DTG Board")]
    )
    (tmp_path / "usb-dtg").symlink_to("/dev/null")
    monkeypatch.setattr(foreign_ports, "BY_ID", tmp_path)
    (entry,) = inventory(None, [], {"/dev/null"})
    assert (entry.state, entry.port) == ("foreign", "/dev/null")
    assert list(lines_to_add(None, entry, {"table-1"})) == [
        *("[[board]]", 'id = "table-2"', f'port = "{tmp_path}/usb-dtg"', "# regulation = ?", 'table = "2"'),
        *("[board.adapter]", 'speaks = "dtg"'),
    ]


def test_a_port_that_a_table_has_is_no_other_board_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    (tmp_path / "link").symlink_to("/dev/null")
    path = tmp_path / "m.toml"
    path.write_text(HEAD + table(1, str(tmp_path / "link")))
    entries = inventory(read_config(path), [], {"/dev/null", str(tmp_path / "link")})
    assert [(entry.state, entry.port) for entry in entries] == [("adapted", str(tmp_path / "link"))]


def test_a_board_of_our_own_is_never_that_of_a_table_with_an_adapter(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    path = tmp_path / "m.toml"
    path.write_text(HEAD + table(1, "/dev/nowhere").replace('"1021"', '"00001021"'))
    hello = wire.Hello(0, 15, 1, (1, 0), 3, 32, 3, 0x0007, SquareMap(8, "left").geometry, 2, 0, 1000, 10, 20, 0x1021)
    entries = inventory(read_config(path), [Asked("/dev/elsewhere", "free", hello)])
    assert [(entry.state, entry.port) for entry in entries] == [("unknown", "/dev/elsewhere"), ("missing", None)]


async def test_nobody_is_asked_to_lift_a_piece_where_an_adapter_reads_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    path = tmp_path / "m.toml"
    path.write_text(
        HEAD + table(1, str(tmp_path / "a")) + '[[board]]\nid = "own"\nregulation = "br-cbjd"\nuid = "b2"\n'
    )

    class OneLift:
        watched: ClassVar = {"000000a1": "port"}
        unreadable = ()

        async def next(self) -> str:
            return "000000a1"

    @asynccontextmanager
    async def watching(*arguments: object) -> AsyncIterator[OneLift]:
        yield OneLift()

    monkeypatch.setattr(boards, "watching", watching)
    with Finder(lambda: ()) as finder:
        assert await boards._identified(read_config(path), finder) == {"own": "000000a1"}
