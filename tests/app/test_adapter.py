"""A hall with boards of other makers beside our own, over real pseudo-terminals and a broker: all are played on."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from app.tables import game, until
from sources import example_board
from sources.test_foreign_ports import silent, written

from damas_board.app import preflight as preflight_module
from damas_board.app.preflight import Preflight
from damas_board.app.service import board_finder, board_setups, serving
from damas_board.broker.client import Address, client
from damas_board.config import read_config
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, Command
from damas_board.decoding.square_map import SquareMap
from damas_board.notation.moves import write_move
from damas_board.rules.position import initial
from damas_board.rules.variants import VARIANTS
from damas_board.sources.errors import BoardError
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.boards import board_for
from simulator.games import PlayedGame, invented
from simulator.levels import level
from simulator.peripheral import PeripheralBoard
from simulator.player import Handled, Player
from simulator.pty import BoardPty

SPEED = 10.0
HEAD = """
meeting = "autumn"

[broker]
kind = "embedded"
port = 0

[ports]
search = ["{folder}/ports/*"]

[[user]]
name = "ana"
role = "arbiter"
password_file = "ana.password"
"""
DGT = """
[[board]]
id = "dgt-1"
regulation = "int-fmjd"
port = "{folder}/ports/dgt"
corner = "white-right"
[board.adapter]
speaks = "dgt"
"""
OTHERS = """
[[board]]
id = "text-1"
regulation = "br-cbjd"
port = "{folder}/ports/text"
[board.adapter]
speaks = "peripheral"

[[board]]
id = "own-1"
regulation = "br-cbjd"
uid = "a1"
"""

BROKEN = inspect.getsource(example_board).replace("self._ask_at = at\n", "self._asked_at = at\n", 1)


def texts(played: PlayedGame) -> tuple[str, ...]:
    return tuple(write_move(p, move) for p, move in zip(played.positions(), played.moves, strict=False))


class Told:
    """What the broker keeps of the boards, by topic behind the meeting's."""

    def __init__(self) -> None:
        self.topics: dict[str, dict[str, Any]] = {}

    async def read(self, address: Address) -> None:
        async with client(address) as reader:
            await reader.subscribe("damas/v1/autumn/board/#", qos=1)
            async for message in reader.messages:
                if isinstance(message.payload, bytes) and message.payload:
                    self.topics[str(message.topic).removeprefix("damas/v1/autumn/")] = json.loads(message.payload)


@contextlib.asynccontextmanager
async def told(address: Address) -> AsyncIterator[Told]:
    found = Told()
    task = asyncio.create_task(found.read(address))
    try:
        yield found
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, aiomqtt.MqttError):
            await task


def config(folder: Path, text: str) -> Path:
    (folder / "ports").mkdir(exist_ok=True)
    password = folder / "ana.password"
    password.write_text("one two three four")
    password.chmod(0o600)
    path = folder / "club.toml"
    path.write_text((HEAD + text).format(folder=folder), "utf-8")
    return path


def never_harmed(board: DgtBoard) -> bool:
    return not {*NEVER, *WRITES_MEMORY, Command.TRADEMARK} & set(board.orders) and not board.bricked


async def test_games_on_boards_of_three_kinds_come_out_as_played_and_each_is_told_of(tmp_path: Path) -> None:
    read = read_config(config(tmp_path, DGT + OTHERS))
    clock = RunningClock(SPEED)
    brazilian, international = VARIANTS["brazilian"], VARIANTS["international"]
    dgt = board_for(international, clock, corner="white-right", bluetooth=False)
    text = PeripheralBoard(brazilian, clock)
    own = Board(SquareMap(8, "left"), clock, uid=0xA1)
    games = {"dgt-1": invented(international, 3, 8), "text-1": game(5, 8), "own-1": game(7, 8)}
    boards: dict[str, Handled] = {"dgt-1": dgt, "text-1": text, "own-1": own}
    players = {name: Player(board, clock, level("clean"), 3) for name, board in boards.items()}
    for name, player in players.items():
        player.set_up(games[name].start)
    async with asyncio.timeout(120), contextlib.AsyncExitStack() as stack:
        for carried, name in ((dgt, "dgt"), (text, "text"), (own, "own")):
            await stack.enter_async_context(BoardPty(carried, clock, tmp_path / "ports" / name))
        service = await stack.enter_async_context(serving(read, speed=SPEED))
        topics = (await stack.enter_async_context(told(read.addresses["ana"].at(service.address.port)))).topics
        tables = service.gateway.boards
        await until(lambda: all(topics.get(f"board/{name}/link", {}).get("link") == "up" for name in games))
        await asyncio.gather(*(player.play(games[name]) for name, player in players.items()))
        await until(lambda: all(len(tables[name].state.moves) == len(games[name].moves) for name in games))
        await until(lambda: "version" in topics.get("board/dgt-1/info", {}))
        for name, played in games.items():
            assert tables[name].state.moves == texts(played)
            assert tables[name].state.alerts == ()
        await until(lambda: "board/dgt-1/health" in topics)
    info = topics["board/dgt-1/info"]
    assert {key: info[key] for key in ("speaks", "port", "uid", "version", "senses")} == {
        "speaks": "dgt",
        "port": str(tmp_path / "ports" / "dgt"),
        "uid": "01025",
        "version": "1.03",
        "senses": "colour",
    }
    assert topics["board/text-1/info"]["speaks"] == "peripheral"
    assert "speaks" not in topics["board/own-1/info"]
    assert never_harmed(dgt)


@pytest.mark.parametrize(("turn", "verdict"), [(0, ("ok", "orientation")), (180, ("wrong", "turned"))])
async def test_before_the_round_such_a_board_is_looked_at_like_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: int, verdict: tuple[str, str]
) -> None:
    monkeypatch.setattr(preflight_module, "clock_is_kept", lambda: True)
    read = read_config(config(tmp_path, DGT.replace("[board.adapter]", f"turn = {turn}\n[board.adapter]")))
    clock = RunningClock(SPEED)
    board = board_for(VARIANTS["international"], clock, corner="white-right")
    Player(board, clock, level("clean"), 1).set_up(initial(VARIANTS["international"]))
    async with asyncio.timeout(60), BoardPty(board, clock, tmp_path / "ports" / "dgt"):
        preflight = Preflight(read, board_setups(read))
        (report,) = (await preflight.run(0.3)).boards
    found = {finding.check: (finding.verdict, finding.key) for finding in report.findings}
    assert found["board"] == ("ok", "answers")
    assert found["orientation"] == verdict
    assert found["setup"] == (("ok", "setup") if turn == 0 else ("wrong", "not_set_up"))
    assert found["sensors"] == ("unproven", "unseen")
    assert report.asked is None
    assert never_harmed(board)


async def test_a_board_that_is_not_there_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight_module, "clock_is_kept", lambda: True)
    read = read_config(config(tmp_path, DGT))
    (report,) = (await Preflight(read, board_setups(read)).run(0.1)).boards
    (finding,) = report.findings
    assert (finding.verdict, finding.key) == ("wrong", "board_error")
    assert str(finding.facts["error"]) == f"{tmp_path}/ports/dgt: there is no such port; is the board plugged in?"


async def test_where_boards_of_our_own_are_looked_for_such_a_board_hears_nothing(tmp_path: Path) -> None:
    own = OTHERS[OTHERS.index('[[board]]\nid = "own-1"') :]
    named = '[[board]]\nid = "own-2"\nregulation = "br-cbjd"\nport = "{folder}/ports/other-name"\n'
    dgt = DGT.replace("[board.adapter]", 'uid = "01025"\n[board.adapter]')
    found, opened = config(tmp_path, dgt + own).read_text("utf-8"), config(tmp_path, dgt + named)
    every = board_setups(read_config(opened))
    opened.write_text(found, "utf-8")
    read = read_config(opened)
    with silent(tmp_path / "ports" / "dgt") as master:
        (tmp_path / "ports" / "other-name").symlink_to(os.readlink(tmp_path / "ports" / "dgt"))
        with board_finder(read) as finder:
            assert finder is not None
            assert finder.wait_settled(30.0)
            assert finder.asked() == ()
        ((_, setup),) = [made for made in every if made[0].header.board == "own-2"]
        assert setup.source is not None
        with pytest.raises(BoardError) as caught:
            async with setup.source(lambda: 0.0):
                pass
        assert caught.value.key == "port_foreign"
        assert written(master) == b""


def test_nobody_looks_for_boards_where_all_are_of_other_makers(tmp_path: Path) -> None:
    text = HEAD[: HEAD.index("[ports]")] + HEAD[HEAD.index("[[user]]") :] + DGT
    path = config(tmp_path, "")
    path.write_text(text.replace('corner = "white-right"', 'uid = "01025"').format(folder=tmp_path))
    with board_finder(read_config(path)) as finder:
        assert finder is None


async def test_before_the_round_a_fault_of_an_adapter_of_ones_own_is_one_line_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight_module, "clock_is_kept", lambda: True)
    (tmp_path / "chatty.py").write_text(BROKEN, "utf-8")
    table = DGT.replace("int-fmjd", "br-cbjd").replace('"dgt"\n', '"chatty.py"\n')
    read = read_config(config(tmp_path, table.replace("white-right", "black-left")))
    with silent(tmp_path / "ports" / "dgt"):
        report = await Preflight(read, board_setups(read)).run(0.1)
    (finding,) = report.boards[0].findings
    assert (finding.check, finding.verdict, finding.key) == ("board", "wrong", "adapter_fault")
    assert finding.facts["place"].startswith(f"{tmp_path}/chatty.py:")
    assert finding.facts["what"].startswith("AttributeError: ")
    assert {found.check for found in report.machine} >= {"broker", "journal", "games", "disk"}


def test_a_board_that_does_not_know_the_size_of_its_table_is_told_it(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(BROKEN.replace("        size=place.size,\n", ""), "utf-8")
    table = DGT.replace("int-fmjd", "br-cbjd").replace('"dgt"\n', '"chatty.py"\n')
    ((settings, setup),) = board_setups(read_config(config(tmp_path, table.replace("white-right", "black-left"))))
    assert settings.adapter is not None
    assert settings.adapter.adapter.make(settings.place(), settings.adapter.options, lambda: 0.0).size is None
    assert setup.source is not None
    assert setup.source(lambda: 0.0).size == 8  # type: ignore[attr-defined]
