"""A whole game on a board with a fault, through the whole program: no fault ends the game or puts a move into it.

Each board is behind a pseudo-terminal, read with pyserial by what `damas-board run` runs, ten times as fast as time.
The seeds are fixed. What two faults cannot give: a square that never changes, or reads a piece only at times, hides a
move that begins or ends there, and nothing after it can be told; so the record must be what was played, up to the first
such move at least, and whatever more it has must have been played as well.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.app.service import serving
from damas_board.config import read_config
from damas_board.notation.moves import write_move
from damas_board.session.inputs import Link
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.faults import FAULTS, fault
from simulator.games import PlayedGame, shipped
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

SPEED = 10.0
PATIENCE_SECONDS = 30.0
GAME = "brazilian"
UNHARMED = {"bounce": 1, "dropout": 1, "ghost": 1, "late-frames": 1, "lost-bytes": 1, "reset": 1, "unplugged": 6}
"""The seed of each fault that must not cost anything."""
BLIND = {"stuck": 1, "weak-square": 2}
HIDDEN = "b8"
"""The square of place 1, which is the one that these two faults are on."""
HAUNTED = {"no-diodes": 1}
LOSING = ("reset", "unplugged")
"""The faults with which the connection breaks."""
CONFIG = """\
meeting = "club"
broker = {{kind = "embedded", port = 0}}
[[board]]
id = "table-1"
port = "{port}"
regulation = "br-cbjd"
"""


def moves_of(game: PlayedGame) -> tuple[str, ...]:
    return tuple(write_move(position, move) for position, move in zip(game.positions(), game.moves, strict=False))


async def recorded(
    folder: Path, name: str, seed: int, game: PlayedGame, complete: Callable[[GameState], bool]
) -> tuple[tuple[str, ...], int]:
    """The moves of the record of `game`, and how often the board was lost.

    Once all is played the record is waited for until it is `complete`, for as long as patience lasts.
    """
    path = folder / "club.toml"
    path.write_text(CONFIG.format(port=folder / "port"), "utf-8")
    config = read_config(path)
    clock = RunningClock(SPEED)
    board = Board(config.boards[0].square_map, clock, faults=[fault(name, seed)])
    player = Player(board, clock, level("club"), seed)
    player.set_up(game.start)
    async with BoardPty(board, clock, folder / "port"), serving(config, speed=SPEED) as service:
        table = service.gateway.boards["table-1"]
        await clock.sleep(2.0)
        await player.play(game)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while table.state is None or not complete(table.state):
                    await clock.sleep(1.0)
        state = table.state
    assert state is not None
    with Journal.open(config.journal) as journal:
        items = [entry.item for entry in journal.inputs(state.game)]
    return state.moves, sum(isinstance(item, Link) and item.state == "lost" for item in items)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", UNHARMED)
async def test_a_fault_costs_no_move(tmp_path: Path, name: str) -> None:
    game = shipped(GAME)
    played = moves_of(game)
    moves, lost = await recorded(tmp_path, name, UNHARMED[name], game, lambda state: state.moves == played)
    assert moves == played
    assert lost or name not in LOSING


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", BLIND)
async def test_a_square_that_is_not_read_puts_nothing_false_into_the_record(tmp_path: Path, name: str) -> None:
    game = shipped(GAME)
    played = moves_of(game)
    seen = next(number for number, move in enumerate(played) if HIDDEN in move)
    moves, _ = await recorded(tmp_path, name, BLIND[name], game, lambda state: len(state.moves) >= seen)
    assert moves == played[: len(moves)]
    assert len(moves) >= seen


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", HAUNTED)
async def test_a_board_that_shows_ghosts_puts_nothing_into_the_record_and_is_told_as_what_it_is(
    tmp_path: Path, name: str
) -> None:
    told: list[str] = []

    def complete(state: GameState) -> bool:
        told.extend(str(alert.get("reason")) for alert in state.alerts)
        return "ghost" in told

    moves, _ = await recorded(tmp_path, name, HAUNTED[name], shipped(GAME), complete)
    assert moves == ()
    assert set(told) == {"ghost"}


def test_every_fault_is_tried() -> None:
    assert {*UNHARMED, *BLIND, *HAUNTED} == set(FAULTS)
