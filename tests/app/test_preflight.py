"""The preflight over real ports: what it finds, and when all is well."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket

import pytest

from damas_board.app import preflight as module
from damas_board.app.preflight import Preflight
from damas_board.app.service import board_setups, serving
from damas_board.cli import main
from damas_board.config import read_config
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

MAP = SquareMap(8, "left")
START = [1] * 12 + [0] * 8 + [1] * 12
A1 = 29
"""The place of a1: the first of the last row, as one reads a page."""
H8 = 4


@pytest.fixture
def hall(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "clock_is_kept", lambda: True)
    monkeypatch.setenv("DAMAS_LANG", "en")
    return Hall(tmp_path)


class Hall:
    def __init__(self, folder):
        self.folder = folder
        self.boards = {}

    @contextlib.asynccontextmanager
    async def table(self, number):
        """A simulated board at this table, its pieces set up."""
        clock = RunningClock()
        board = Board(MAP, clock, uid=number)
        board.set_up(START)
        async with BoardPty(board, clock, link=self.folder / f"port-{number}"):
            yield board

    def config(self, *numbers, more=""):
        lines = ['meeting = "autumn"', "[broker]", 'kind = "embedded"', "port = 0", more]
        for number in numbers:
            port = self.folder / f"port-{number}"
            lines += ["[[board]]", f'id = "board-{number}"', f'port = "{port}"', 'regulation = "br-cbjd"']
            lines += [f'table = "{number}"']
        path = self.folder / "hall.toml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path


def keys(board):
    return {finding.check: (finding.verdict, finding.key) for finding in board.findings}


async def prove(board, every=0.05):
    """What a person does who is told: lift a1 and put it back, then show every square with a piece and without."""
    board.lift(A1)
    await asyncio.sleep(every)
    board.place(A1)
    await asyncio.sleep(every)
    for pieces in ([1] * 32, [0] * 32, START):
        for place, wanted in enumerate(pieces, 1):
            if bool(board.pieces[place - 1]) != bool(wanted):
                (board.place if wanted else board.lift)(place)
        await asyncio.sleep(every)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.02)


async def test_watched_until_every_board_has_proved_itself_it_ends_by_itself_and_says_that_all_is_well(hall):
    async with hall.table(1) as one, hall.table(2) as two:
        config = read_config(hall.config(1, 2))
        preflight = Preflight(config, board_setups(config))
        looking = asyncio.create_task(preflight.run(None))
        await until(lambda: all("setup" in keys(board) for board in preflight.report.boards))
        assert [board.asked for board in preflight.report.boards] == ["a1", "a1"]
        await prove(one)
        await until(lambda: preflight.report.boards[0].ready)
        assert not looking.done()
        await prove(two)
        async with asyncio.timeout(60):
            report = await looking
    assert report.ready
    assert [board.table for board in report.boards] == ["1", "2"]


async def test_a_board_the_wrong_way_round_is_told_by_the_piece_that_was_lifted(hall):
    async with hall.table(1) as board:
        config = read_config(hall.config(1))
        preflight = Preflight(config, board_setups(config))
        looking = asyncio.create_task(preflight.run(5.0))
        await until(lambda: "setup" in keys(preflight.report.boards[0]))
        board.lift(H8)
        await until(lambda: keys(preflight.report.boards[0])["orientation"] == ("wrong", "turned"))
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def test_a_missing_board_is_found_beside_one_that_answers(hall):
    async with hall.table(2):
        config = read_config(hall.config(1, 2))
        report = await Preflight(config, board_setups(config)).run(1.0)
    assert keys(report.boards[0]) == {"board": ("wrong", "board_error")}
    assert keys(report.boards[1])["board"] == ("ok", "answers")
    assert keys(report.boards[1])["setup"] == ("ok", "setup")
    assert not report.ready


def machine(report):
    return {finding.check: (finding.verdict, finding.key) for finding in report.machine}


async def test_a_machine_that_has_all_it_needs(hall):
    config = read_config(hall.config(1))
    report = await Preflight(config, board_setups(config)).run(0.1)
    assert machine(report) == {
        "broker": ("ok", "broker_free"),
        "journal": ("ok", "journal_new"),
        "games": ("ok", "games"),
        "disk": ("ok", "disk"),
        "clock": ("ok", "clock"),
    }


async def test_what_the_machine_lacks_is_found_each_by_itself(hall, monkeypatch):
    monkeypatch.setattr(module, "clock_is_kept", lambda: False)
    monkeypatch.setattr(module, "free_bytes", lambda path: 1024)
    (hall.folder / "damas-board.sqlite").write_text("no journal at all, but long enough to be looked at" * 100)
    (hall.folder / "pdn").write_text("a file where the folder should be")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        path = hall.config(1)
        port = taken.getsockname()[1]
        path.write_text(path.read_text("utf-8").replace("port = 0", f"port = {port}"), "utf-8")
        config = read_config(path)
        report = await Preflight(config, board_setups(config)).run(0.1)
    assert machine(report) == {
        "broker": ("wrong", "broker_error"),
        "journal": ("wrong", "journal_error"),
        "games": ("wrong", "games_error"),
        "disk": ("wrong", "full"),
        "clock": ("unproven", "clock_free"),
    }


async def test_an_archive_that_cannot_be_used_is_found(hall):
    path = hall.config(1, more='[hub]\narchive = "sqlite:///archive.sqlite"')
    config = read_config(path)
    report = await Preflight(config, board_setups(config)).run(0.1)
    assert machine(report)["database"] == ("ok", "archive")
    (hall.folder / "archive.sqlite").write_text("no archive at all, but long enough to be looked at" * 100)
    report = await Preflight(config, board_setups(config)).run(0.1)
    assert machine(report)["database"] == ("wrong", "archive_error")


async def test_the_command_prints_a_table_by_table_number_and_is_1_while_something_is_not_well(hall, capsys):
    async with hall.table(2):
        assert await asyncio.to_thread(main, ["preflight", str(hall.config(1, 2)), "--seconds", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["table", "board", "answers", "sensors", "set-up", "lies", "right"]
    assert lines[1].split() == ["1", "board-1", "NO", "-", "-", "-"]
    assert lines[2].split() == ["2", "board-2", "ok", "?", "ok", "?"]
    assert lines[3].startswith("table 1: ")
    assert "no such port" in lines[3]
    assert lines[-1] == "Not all is well yet; the lines above say what to do."


async def test_what_could_not_be_proved_counts_only_where_that_is_said(hall, capsys):
    async with hall.table(1):
        arguments = ["preflight", str(hall.config(1)), "--seconds", "1", "--json"]
        assert await asyncio.to_thread(main, arguments) == 1
        report = json.loads(capsys.readouterr().out)
        assert [f["verdict"] for f in report["boards"][0]["findings"]] == ["ok", "unproven", "ok", "unproven"]
        assert await asyncio.to_thread(main, [*arguments, "--accept-unproven"]) == 0


async def test_a_gateway_that_runs_is_asked_instead_of_the_ports_that_it_has(hall):
    (hall.folder / "ana.password").write_text("a secret of ana's")
    (hall.folder / "ana.password").chmod(0o600)
    path = hall.config(1, 2)
    user = '[[user]]\nname = "ana"\nrole = "arbiter"\npassword_file = "ana.password"\n'
    path.write_text(path.read_text("utf-8").replace("port = 0", f"port = {free_port()}") + user, "utf-8")
    config = read_config(path)
    async with hall.table(1) as board, serving(config):
        preflight = Preflight(config, board_setups(config))
        looking = asyncio.create_task(preflight.run(None))
        await until(lambda: "setup" in keys(preflight.report.boards[0]))
        await prove(board, every=0.3)
        await until(lambda: preflight.report.boards[0].ready)
        assert keys(preflight.report.boards[1]) == {"board": ("wrong", "lost")}
        assert machine(preflight.report)["broker"] == ("ok", "gateway_runs")
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def test_nobody_is_told_to_stop_a_gateway_that_runs_where_nobody_may_ask_it(hall):
    path = hall.config(1)
    path.write_text(path.read_text("utf-8").replace("port = 0", f"port = {free_port()}"), "utf-8")
    config = read_config(path)
    async with hall.table(1):
        async with serving(config):
            report = await Preflight(read_config(path), board_setups(config)).run(0.5)
        assert keys(report.boards[0]) == {"board": ("unproven", "gateway_has")}
        assert machine(report)["broker"] == ("ok", "gateway_listens")
        report = await Preflight(read_config(path), board_setups(config)).run(0.5)
        assert keys(report.boards[0])["board"] == ("ok", "answers")
        assert machine(report)["broker"] == ("ok", "broker_free")
