"""A hall whose boards share one line: configured, read, played on, and a board that falls silent is lost by itself."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from app.tables import until

from damas_board.app.board import Board
from damas_board.app.service import serving
from damas_board.config import read_config
from damas_board.config.settings import ConfigError
from damas_board.notation.moves import write_move
from damas_board.rules.variants import VARIANTS
from simulator.clock import RunningClock
from simulator.dgt.bus import DgtBus
from simulator.games import PlayedGame, invented
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

SPEED = 3.0
SERIALS = ("01025", "02054", "16383")
HEAD = """
meeting = "autumn"

[broker]
kind = "embedded"
port = 0
"""
TABLE = """
[[board]]
id = "table-{number}"
regulation = "int-fmjd"
port = "{port}"

[board.adapter]
speaks = "dgt-bus"
address = "{serial}"
timeout = {timeout}
"""


def configured(folder: Path, *tables: tuple[str, float]) -> Path:
    path = folder / "club.toml"
    port = folder / "line"
    text = "".join(
        TABLE.format(number=number, port=port, serial=serial, timeout=timeout)
        for number, (serial, timeout) in enumerate(tables, 1)
    )
    path.write_text(HEAD + text, "utf-8")
    return path


def complete(table: Board, played: PlayedGame) -> bool:
    """Whether the record is the game as it was played."""
    moves = tuple(write_move(p, move) for p, move in zip(played.positions(), played.moves, strict=False))
    return table.state is not None and table.state.moves == moves


@pytest.mark.slow
async def test_games_at_tables_of_one_line_come_out_as_played_though_one_board_falls_silent(tmp_path: Path) -> None:
    read = read_config(configured(tmp_path, *((serial, 0.2) for serial in SERIALS)))
    clock = RunningClock(SPEED)
    bus = DgtBus(clock)
    variant = VARIANTS["international"]
    boards = [bus.add(10, serial=serial, dark=variant.corner, seed=n) for n, serial in enumerate(SERIALS)]
    games = [invented(variant, seed, 10) for seed in (3, 4, 5)]
    players = [Player(board, clock, level("clean"), seed) for seed, board in enumerate(boards)]
    for player, played in zip(players, games, strict=True):
        player.set_up(played.start)
    async with asyncio.timeout(110), contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(BoardPty(bus, clock, tmp_path / "line"))
        service = await stack.enter_async_context(serving(read, speed=SPEED))
        tables = [service.gateway.boards[f"table-{number}"] for number in (1, 2, 3)]
        await until(lambda: all(table.figures.up for table in tables))
        hands = [
            asyncio.create_task(player.play(played)) for player, played in zip(players[:2], games[:2], strict=True)
        ]
        bus.habits(boards[2]).silent = True
        await asyncio.gather(*hands)
        await until(lambda: all(complete(tables[n], games[n]) for n in (0, 1)))
        assert [table.figures.up for table in tables] == [True, True, False]
        bus.habits(boards[2]).silent = False
        await until(lambda: tables[2].figures.up)
        await players[2].play(games[2])
        await until(lambda: complete(tables[2], games[2]))
        assert [table.figures.alerts for table in tables] == [0, 0, 0]
    assert not any(board.memory_writes or board.bricked for board in boards)


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ([("01025", 0.1), ("01025", 0.1)], "another table at this port has the board 01025 already"),
        ([("01025", 0.1), ("1025", 0.1)], "another table at this port has the board 01025 already"),
        ([("01025", 0.1), ("02054", 0.2)], "tables at one port must have the same"),
        ([("99999", 0.1)], "serial number on the box"),
    ],
)
def test_tables_that_do_not_fit_at_one_line_are_told_with_their_line(
    tmp_path: Path, tables: list[tuple[str, float]], says: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        read_config(configured(tmp_path, *tables))
    assert says in str(refused.value)
    option = "timeout" if "same" in says else "address"
    lines = configured(tmp_path, *tables).read_text("utf-8").splitlines()
    number = max(index for index, line in enumerate(lines, 1) if line.startswith(option))
    assert f"club.toml:{number}:" in str(refused.value)
