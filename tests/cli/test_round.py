"""`damas-board round`: the files, the words, and a whole round with real boards in software and both brokers."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from damas_board.app.organiser import Desk
from damas_board.app.service import serving
from damas_board.broker.client import Address
from damas_board.broker.mosquitto import Listener, write_files
from damas_board.cli import main
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.round import when_public
from damas_board.cli.round_file import read_round_file
from damas_board.cli.words import _WORDS
from damas_board.config import read_config
from damas_board.hub import desk as desks
from damas_board.messages.rounds import TEXTS, Round, read_round
from damas_board.messages.topics import Kind, topic
from damas_board.regulations import TableError, shipped
from damas_board.sinks import mqtt
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.games import invented
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

SPEED = 6.0
PATIENCE = 60.0
"""Generous: it is no measurement."""

TOML = """\
round = 3
regulation = "br-cbjd"
clock = "900+5"

[[pairing]]
table = 1
board = "table-1"
white = "Ana de Lima"
black = { name = "Rui Sá", rating = 1850, minor = true }

[[pairing]]
table = "A 2"
white = "Zé"

[publication]
delay = 900
"""


# --- files


def read(tmp_path: Path, name: str, text: str | bytes, **given: str | None) -> Round:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_round_file(path, "autumn", given)


def test_a_round_in_toml_json_and_csv_is_the_same(tmp_path: Path) -> None:
    planned = read(tmp_path, "r.toml", TOML)
    assert [(p.table, p.game, p.black is None) for p in planned.pairings] == [
        ("1", "autumn-3-t1", False),
        ("A 2", "autumn-3-ta-2", True),
    ]
    body = {
        "round": "3",
        "regulation": "br-cbjd",
        "clock": "900+5",
        "pairings": [
            {"table": "1", "board": "table-1", "white": "Ana de Lima"}
            | {"black": {"name": "Rui Sá", "rating": "1850", "minor": True}},
            {"table": "A 2", "white": {"name": "Zé"}},
        ],
        "publication": {"delay": 900},
    }
    assert read(tmp_path, "r.json", json.dumps(body)) == planned
    for mark in ",;\t":
        csv = "Table,White,Black,Board,black_rating,black_minor\n1,Ana de Lima,Rui Sá,table-1,1850,x\n\nA 2,Zé,,,,\n"
        found = read(
            tmp_path, "r.csv", "\ufeff" + csv.replace(",", mark), round="3", regulation="br-cbjd", clock="900+5"
        )
        assert found.pairings == planned.pairings
        assert (found.regulation, found.clock) == (planned.regulation, planned.clock)


def test_a_list_of_an_old_encoding_is_read_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    planned = read(tmp_path, "r.csv", "Mesa;Brancas\n1;João Açor\n".encode("cp1252"), round="3")
    assert planned.pairings[0].white.name == "João Açor"
    assert capsys.readouterr().err == f"{tmp_path / 'r.csv'}: não é UTF-8; lido como Windows-1252: veja os nomes\n"


def test_what_stands_on_the_command_line_counts_first(tmp_path: Path) -> None:
    assert read(tmp_path, "r.toml", TOML, round="4", starts="lever", clock=None).pairings[0].game == "autumn-4-t1"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("r.toml", "round = 3\n[[pairing]]\ntable = 1\nwhite = 'A'\nblak = 'B'\n", ":5: there is no key blak; did you"),
        ("r.toml", "round = 3\nruond = 3\n", ":2: there is no key ruond"),
        ("r.toml", "round = 3\n[[pairing]]\ntable = 1\nwhite = {nmae = 'A'}\n", ":4: there is no key nmae"),
        ("r.toml", "round = 3\n[publication]\ndelya = 3\n", ":3: there is no key delya"),
        ("r.toml", "round = 3\n[[pairing]]\ntable = 1\n\nwhite = 'A'\nblack = 'A'\n", ":6: pairing 1: White and"),
        ("r.toml", "round = 3\n[[pairing]]\ntable = 1\n[[pairing]]\ntable = 2\n", ":2: pairing 1: white needs"),
        ("r.toml", "round = 3\npairing = 3\n", ":2: pairings are written as [[pairing]]"),
        ("r.toml", "round = 'Round 3'\n", ":1: round"),
        ("r.toml", "round = \n", ":1: "),
        ("r.json", '{"round": \n', ":2: not JSON"),
        ("r.json", "[" * 5000, ": not JSON"),
        ("r.json", "[]", ": a round is an object"),
        ("r.csv", "table,whte\n1,A\n", ":1: there is no column whte; is white meant?"),
        ("r.csv", "table,white,black\n1,A,B\n1,C,D\n", ':3: pairing 2: table "1" stands in two pairings'),
        ("r.csv", "table,white\n1,A,B,C\n", ":2: more cells than the 2 columns"),
        ("r.csv", "table,white,white_minor\n1,A,perhaps\n", ":2: white_minor is perhaps"),
        ("r.csv", b"table,white\n1,\x81\n", ":2: not a text file"),
        ("r.toml", "round = 3\nname = 'João'\n".encode("cp1252"), ":2: not a text file"),
        ("r.csv", 'table,white\n1,"' + "A" * 200_000 + '"\n', ":2: not CSV"),
        ("r.xlsx", "x", ": a round is a .toml"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_in_one_line_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str | bytes, line: str
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    with pytest.raises((InputError, TableError)) as caught:
        read(tmp_path, name, text, round=None if "toml" in name or "json" in name else "3")
    told = line_for(caught.value)
    assert told.startswith(f"{tmp_path / name}{line}")
    assert "\n" not in told


def test_everything_that_may_be_wrong_with_a_round_is_said_in_both_languages() -> None:
    said = {key.removeprefix("round.wrong.") for key in _WORDS if key.startswith("round.wrong.")}
    assert said == set(TEXTS)


@pytest.mark.parametrize(
    ("hub", "publication", "said"),
    [
        ("[hub]\ndelay = 900\n", {}, "it says no delay, so the public sees it 900 s later, as [hub] says"),
        ("[hub]\ndelay = 900\n", {"delay": 60}, "the public sees it 60 s later"),
        ("", {"delay": 0}, "the public sees it 0 s later"),
        ("", {}, "it says no delay, so that of the hub holds ([hub] delay)"),
        ("[hub]\ndelay = 900\n", {"hold": True}, "it is kept from the public"),
    ],
)
def test_who_publishes_a_round_reads_when_the_public_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hub: str, publication: dict[str, Any], said: str
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    path = tmp_path / "autumn.toml"
    path.write_text(f'meeting = "autumn"\n{hub}[[board]]\nid = "table-1"\nregulation = "br-cbjd"\nsensors = false\n')
    planned = read_round({"round": "3", "pairings": [], "publication": publication})
    assert when_public(planned, read_config(path, {})) == said


# --- a round


@dataclass
class Hall:
    """A gateway with two boards and one table without sensors, and the organiser's command line."""

    config: Path
    players: dict[str, Player]
    capsys: pytest.CaptureFixture[str]
    clock: RunningClock
    said: str = ""
    printed: list[str] = field(default_factory=list)

    async def round(self, wish: str, *arguments: object) -> tuple[int, list[str]]:
        """The status and the lines on stdout of `damas-board round WISH CONFIG ...`."""
        self.capsys.readouterr()
        status = await asyncio.to_thread(main, ["round", wish, str(self.config), *map(str, arguments)])
        out, self.said = self.capsys.readouterr()
        return status, out.splitlines()

    async def tables(self) -> dict[str, dict[str, Any]]:
        _, (line,) = await self.round("status", "3", "--json")
        found = json.loads(line)
        return {table["table"]: table for table in found["tables"]} | {"": found}

    async def until(self, holds: Callable[[dict[str, dict[str, Any]]], bool]) -> dict[str, dict[str, Any]]:
        async with asyncio.timeout(PATIENCE):
            tables = await self.tables()
            while not holds(tables):  # a look takes its time: it is no busy loop
                tables = await self.tables()
        return tables


def configuration(folder: Path, kind: str, port: int) -> Path:
    for name in ("laptop", "olga", "ana"):
        secret = folder / f"{name}.password"
        secret.touch(mode=0o600)
        secret.write_text(f"the secret of {name}\n")
    server = f'kind = "server"\nhost = "127.0.0.1"\npassword_file = "laptop.password"\nport = {port}\n'
    lines = [
        'meeting = "autumn"\ngateway = "laptop"\n[broker]',
        server if kind == "mosquitto" else f'kind = "embedded"\nport = {port}\n',
        *(
            f'[[board]]\nid = "{board}"\nregulation = "br-cbjd"\nport = "{folder / board}"\nstarts = "command"\n'
            for board in ("table-1", "table-2")
        ),
        '[[board]]\nid = "table-3"\nregulation = "br-cbjd"\nsensors = false\nstarts = "command"\n',
        '[[user]]\nname = "olga"\nrole = "organiser"\npassword_file = "olga.password"\n',
        '[[user]]\nname = "ana"\nrole = "arbiter"\npassword_file = "ana.password"\n',
    ]
    path = folder / "autumn.toml"
    path.write_text("\n".join(lines))
    return path


@contextlib.asynccontextmanager
async def mosquitto(program: str, config: Path, folder: Path, port: int) -> AsyncIterator[None]:
    path = write_files(folder, read_config(config).logins, Listener(port=port), run_as=getpass.getuser())
    process = await asyncio.create_subprocess_exec(program, "-c", str(path), stderr=asyncio.subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


ONE_BROKER = pytest.mark.parametrize("hall", ["embedded"], indirect=True)


@pytest.fixture(params=["embedded", "mosquitto"])
async def hall(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    require_program: Callable[[str], str],
) -> AsyncIterator[Hall]:
    monkeypatch.setenv("DAMAS_LANG", "en")
    monkeypatch.setattr(desks, "QUIET_SECONDS", 0.15)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    path = configuration(tmp_path, request.param, port)
    config = read_config(path)
    clock = RunningClock(SPEED)
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "mosquitto":
            broker = mosquitto(require_program("mosquitto"), path, tmp_path / "broker", port)
            await stack.enter_async_context(broker)
        players = {}
        for uid, settings in enumerate(config.boards, 1):
            if settings.port is not None:
                board = Board(settings.square_map, clock, uid=uid)
                await stack.enter_async_context(BoardPty(board, clock, Path(settings.port)))
                players[settings.header.board] = Player(board, clock, level("clean"), uid)
        await stack.enter_async_context(serving(config, begins=False, speed=SPEED))
        yield Hall(path, players, capsys, clock)


ROUND = """\
round = 3
name = "Third round"
regulation = "br-cbjd"
match = "semi-1"

[[pairing]]
table = 1
board = "table-1"
white = "Ana de Lima"
black = "Rui Sá"

[[pairing]]
table = 2
board = "table-2"
white = "Rui Sá"
black = "Ana de Lima"

[[pairing]]
table = 3
board = "table-3"
white = "Eva Cruz"
black = "Ivo Nunes"
match = "semi-2"

[[pairing]]
table = 4
white = "Noa Reis"
black = "Gil Dias"
match = "semi-3"

[[pairing]]
table = 5
white = "Zé"
"""


def lines(printed: list[str]) -> dict[str, str]:
    """What is said of each table."""
    return {line.split()[0]: line.split("  ", 2)[2] for line in printed}


async def done(call: Awaitable[tuple[int, list[str]]]) -> dict[str, str]:
    status, printed = await call
    assert status == 0, printed
    return lines(printed)


async def test_a_whole_round(hall: Hall, tmp_path: Path) -> None:
    games = {board: invented(shipped("br-cbjd").variant, seed, 4) for seed, board in enumerate(hall.players, 1)}
    file = tmp_path / "ROUND.toml"
    file.write_text(ROUND)
    assert (await hall.round("publish", file))[0] == 0
    for board, player in hall.players.items():
        player.set_up(games[board].start)

    # On their boards, and nothing begins; then the whole round starts, and once more changes nothing.
    assert await done(hall.round("prepare", 3)) == {
        "1": "done",
        "2": "done",
        "3": "done",
        "4": "no board: enter the result",
        "5": "bye",
    }
    tables = await hall.until(lambda tables: tables["1"]["shows"] == "ready" and tables["2"]["shows"] == "ready")
    assert [tables[t]["state"] for t in "12345"] == ["waiting", "waiting", "waiting", "planned", "bye"]
    assert tables[""]["state"] == "planned"
    assert set((await done(hall.round("start", 3))).values()) == {"done", "no board: enter the result", "bye"}
    again = await done(hall.round("start", 3))
    assert [again[table] for table in "123"] == ["was begun before"] * 3

    # The boards of tables 1 and 2 change places on paper: the games stay what they are.
    swapped = ROUND.replace('board = "table-1"', 'board = "x"').replace('board = "table-2"', 'board = "table-1"')
    file.write_text(swapped.replace('board = "x"', 'board = "table-2"'))
    assert (await hall.round("publish", file))[0] == 0
    again = await done(hall.round("start", 3))
    assert [again[table] for table in "12"] == ["was begun before"] * 2

    # Two boards are played on, at the third and the fourth table everything is entered.
    await asyncio.gather(*(player.play(games[board]) for board, player in hall.players.items()))
    assert await done(hall.round("move", 3, 3, "c3-d4", "f6-e5")) == {"3": "done"}
    status, refused = await hall.round("move", 3, 3, "c3-d4")
    assert (status, refused) == (1, ["3  c3-d4  refused: no legal move"])
    tables = await hall.until(lambda tables: [tables[t]["plies"] for t in "123"] == [4, 4, 2])
    assert [tables[t]["board"] for t in "123"] == ["table-1", "table-2", "table-3"]
    assert (tables["1"]["white"]["name"], tables["2"]["white"]["name"]) == ("Ana de Lima", "Rui Sá")
    assert (await hall.round("end", 3))[0] == 1
    assert "table 1, 2, 3, 4" in hall.said
    for table, result in ((1, "2-0"), (2, "1-1"), (3, "0-2"), (4, "1-0")):
        assert await done(hall.round("result", 3, table, result)) == {str(table): "done"}
    tables = await hall.until(lambda tables: tables[""]["state"] == "over")
    assert [tables[t]["winner"] for t in "1234"] == ["white", "draw", "black", "white"]
    assert tables[""]["matches"] == {
        "semi-1": {"Ana de Lima": 3, "Rui Sá": 1, "open": 0},
        "semi-2": {"Eva Cruz": 0, "Ivo Nunes": 2, "open": 0},
        "semi-3": {"Noa Reis": 2, "Gil Dias": 0, "open": 0},
    }
    _, shown = await hall.round("status", 3)
    assert shown[0] == "Round 3 Third round: over, 4 of 4 games over"
    assert shown[2].split()[:2] == ["1", "table-1"]
    assert shown[-3] == "match semi-1: Ana de Lima 3 - Rui Sá 1 (0 open)"
    assert (await hall.round("end", 3))[0] == 0
    assert (await hall.round("remove", 3))[0] == 0
    assert (await hall.round("status", 3))[0] == 1
    assert "no round 3 is published" in hall.said


@ONE_BROKER
async def test_a_round_half_of_which_fails_is_started_again(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "ANSWER_SECONDS", 3600.0)  # nobody has table-9: it is not waited for so long
    file = tmp_path / "ROUND.toml"
    file.write_text(ROUND.replace('board = "table-2"', 'board = "table-9"'))
    await hall.round("publish", file)
    async with asyncio.timeout(PATIENCE):
        status, printed = await hall.round("start", 3)
    assert status == 1
    assert lines(printed)["1"] == "done"
    assert lines(printed)["2"].startswith("refused: nobody answers")
    file.write_text(ROUND)
    await hall.round("publish", file)
    again = await done(hall.round("start", 3))
    assert [again[table] for table in "123"] == ["was begun before", "done", "was begun before"]
    # A pairing whose game is under way cannot be left out; one that is not may.
    file.write_text(ROUND.replace("table = 2", "table = 7"))
    assert (await hall.round("publish", file))[0] == 1
    assert "table 2" in hall.said


def test_a_board_is_served_while_the_gateway_that_has_it_is_there() -> None:
    desk = Desk(Address("127.0.0.1", 1, "olga", "x"), "autumn")
    link, state = topic(Kind.BOARD_LINK, "autumn", "table-1"), topic(Kind.GATEWAY_STATE, "autumn", "gw-1")
    assert not desk.is_served("table-1")
    desk._take(link, b'{"link": "down", "gateway": "gw-1"}')
    assert not desk.is_served("table-1")
    desk._take(state, b'{"state": "online"}')
    assert desk.is_served("table-1"), "its cable may be out: its gateway answers"
    desk._take(state, b'{"state": "offline"}')
    assert not desk.is_served("table-1")


@ONE_BROKER
async def test_a_round_can_be_ended_at_once_behind_its_last_result(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "SHOW_SECONDS", 1.5)  # what all read comes behind the answer
    file = tmp_path / "ROUND.toml"
    file.write_text(ROUND[: ROUND.index("[[pairing]]")] + "[[pairing]]" + ROUND.split("[[pairing]]")[3])
    await hall.round("publish", file)
    await done(hall.round("start", 3))
    await done(hall.round("move", 3, 3, "c3-d4", "f6-e5"))
    await done(hall.round("result", 3, 3, "2-0"))
    assert (await hall.round("end", 3))[0] == 0


@ONE_BROKER
async def test_what_the_public_sees_is_set_for_the_round_and_for_a_table(hall: Hall, tmp_path: Path) -> None:
    file = tmp_path / "ROUND.toml"
    file.write_text(ROUND)
    await hall.round("publish", file)
    for wish in (("delay", 3, 900), ("delay", 3, 60, "--table", 2), ("hold", 3, "--table", 1), ("hold", 3)):
        assert (await hall.round(*map(str, wish)))[0] == 0
    assert (await hall.round("release", 3, "--table", 9))[0] == 1
    await hall.round("publish", file)  # again: what was set stays
    config = read_config(hall.config)
    async with Desk(config.addresses["olga"], "autumn") as desk:
        shown = desk.round("3").publication
    assert (shown.delay, shown.hold) == (900.0, True)
    assert {table: (own.delay, own.hold) for table, own in shown.boards.items()} == {
        "2": (60.0, None),
        "1": (None, True),
    }


@ONE_BROKER
async def test_who_may_not_is_told(hall: Hall, tmp_path: Path) -> None:
    file = tmp_path / "ROUND.toml"
    file.write_text(ROUND)
    assert (await hall.round("publish", file, "--user", "ana"))[0] == 1
    assert "the broker does not take round 3 of ana" in hall.said
    assert (await hall.round("publish", file, "--user", "eve"))[0] == 1
    assert "no user eve" in hall.said
    await hall.round("publish", file)
    await hall.round("start", 3)
    status, printed = await hall.round("result", 3, 1, "2-0", "--user", "olga")
    assert (status, printed) == (1, ["1  table-1  refused: this login may not (olga may not give this command)"])


def test_no_broker_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        path = configuration(tmp_path, "mosquitto", found.getsockname()[1])
    assert main(["round", "status", str(path), "3"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "cannot be reached" in err
