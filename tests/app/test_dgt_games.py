"""Whole games on DGT boards in software behind real pseudo-terminals, through `damas-board run` and a broker.

Nothing is sped up: the hands play in real time, the lines carry 960 bytes a second, and the program runs as it is
started at a tournament. A reader of the hall has the three records, over MQTT.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from app.halls import MEETING, Hall, Reader
from app.tables import until
from benchmarks.dgt_games import BLUETOOTH_SETTINGS, Rig, regulation_of
from benchmarks.real_games import REGULATIONS, game_of

from damas_board.notation.moves import write_move
from simulator.clock import RunningClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.boards import board_for
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

PATIENCE = 60.0


@dataclass(frozen=True)
class Paced:
    """A game, and the board that it is played on."""

    source: str
    index: int
    level: str
    rig: Rig

    @property
    def kind(self) -> str:
        return self.source.partition("/")[0]


GAMES = (
    Paced("international/bruno__Van_der_Wal_vs_Wiersma.pdn", 9, "clean", Rig("draughts", corner="white-right")),
    Paced("brazilian/pydraughtstests__lidraughts_brazilian.pdn", 4, "club", Rig("chess mixed")),
    Paced(
        "frisian/pydraughts_tests_frisian.pdn",
        4,
        "club",
        Rig("draughts before 2011", bluetooth=True, settings=BLUETOOTH_SETTINGS),
    ),
)
CONFIG = """
meeting = "{meeting}"
gateway = "gw-1"

[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_file = "gw-1.password"
"""
TABLE = """
[[board]]
id = "table-{number}"
regulation = "{regulation}"
port = "{port}"
corner = "{corner}"
senses = "{senses}"

[board.adapter]
speaks = "dgt"

[board.settings]
{settings}
"""


def texts(game: PlayedGame) -> list[str]:
    return [write_move(position, move) for position, move in zip(game.positions(), game.moves, strict=False)]


@contextlib.asynccontextmanager
async def program(config: Path) -> AsyncIterator[None]:
    """`damas-board run`, until the end of the block."""
    command = [sys.executable, "-m", "damas_board", "run", str(config)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


def configured(folder: Path, port: int, played: Sequence[Paced]) -> Path:
    (folder / "gw-1.password").write_text("secret of gw-1\n", "utf-8")
    (folder / "gw-1.password").chmod(0o600)
    text = CONFIG.format(meeting=MEETING, port=port)
    for number, paced in enumerate(played, 1):
        text += TABLE.format(
            number=number,
            regulation=REGULATIONS[paced.kind],
            port=folder / f"board-{number}",
            corner=paced.rig.corner,
            senses=paced.rig.senses,
            settings="\n".join(f"{key} = {value}" for key, value in paced.rig.settings.items()),
        )
    path = folder / "hall.toml"
    path.write_text(text, "utf-8")
    return path


async def played_on(board: DgtBoard, clock: RunningClock, paced: Paced, seed: int, start: asyncio.Event) -> None:
    game = game_of(paced.source, paced.index)
    player = Player(board, clock, level(paced.level), seed)
    player.set_up(game.start)
    await start.wait()
    await player.play(game)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_three_games_in_real_time_at_9600_baud_come_out_as_played_for_a_reader_of_the_hall(
    hall: Hall, tmp_path: Path, shared: Path
) -> None:
    if hall.kind != "mosquitto":
        pytest.skip("once is enough: it takes as long as the games do")
    clock = RunningClock()
    async with AsyncExitStack() as stack:
        start = asyncio.Event()
        hands = []
        for number, paced in enumerate(GAMES, 1):
            board = board_for(
                regulation_of(paced.kind)[0].variant,
                clock,
                corner=paced.rig.corner,
                pieces=paced.rig.pieces,
                bluetooth=paced.rig.bluetooth,
                seed=number,
            )
            await stack.enter_async_context(BoardPty(board, clock, tmp_path / f"board-{number}"))
            hands.append(asyncio.create_task(played_on(board, clock, paced, number, start)))
        reader = await stack.enter_async_context(Reader(hall).reading())
        await stack.enter_async_context(program(configured(tmp_path, hall.port, GAMES)))
        tables = [f"table-{number}" for number in range(1, len(GAMES) + 1)]
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(ready(reader, table) for table in tables))
        start.set()
        await asyncio.gather(*hands)
        for table, paced in zip(tables, GAMES, strict=True):
            expected = texts(game_of(paced.source, paced.index))
            async with asyncio.timeout(PATIENCE):
                await until(lambda table=table, expected=expected: moves(reader, table) == expected)
            assert [alert for alert in state(reader, table)["alerts"] if alert["severity"] != "note"] == []


def state(reader: Reader, table: str) -> Mapping[str, Any]:
    """Of the game that is on a table; empty before there is one."""
    found = [body for place, body in reader.retained.items() if place.startswith(f"game/{table}-")]
    return found[0] if found else {}


def moves(reader: Reader, table: str) -> list[str]:
    """As a follower of the game's events has them."""
    return [move for game, record in reader.records.items() if game.startswith(f"{table}-") for move in record.moves]


def ready(reader: Reader, table: str) -> bool:
    return reader.retained.get(f"board/{table}/state", {}).get("state") == "ready"
