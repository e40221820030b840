"""Real games through everything: emulated matrix, firmware, UART, pty, pyserial, Session, MQTT, PDN.

The gateway is a process of its own with its embedded broker; the emulated chip and the gateway's clock run `SPEED`
times as fast as time, and the hands go by the chip's time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from firmware.conftest import require_modules
from firmware.games import Match, square_map, standing
from firmware.paced import gateway, play

from simulator.emulated import EmulatedBoard

SPEED = 3.0
THREE = (
    Match("english", "english/wiegerw__Tricks_traps_and_shots.pdn", 18),
    Match("international", "international/bruno__BrunoVsScan31.pdn", 8),
    Match("turkish", "turkish/pydraughts_selftest_turkish.pdn", 0),
)
UNTOUCHED: list[str] = []

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.fixture(autouse=True)
def _needs(require_program: Callable[[str], str], shared: Path) -> None:
    require_program("node")
    require_modules()


async def told_of_losses(
    folder: Path, match: Match, plan: Callable[[EmulatedBoard], Sequence[tuple[float, Callable[[], None]]]]
) -> list[str]:
    """Plays the game and checks what is published and written; why the link was lost meanwhile."""
    async with EmulatedBoard(match.build, speed=SPEED, link=folder / "port") as board:
        board.set_up(standing(match.game.start, square_map(match.build, match.variant)))
        async with gateway(match, board.path, folder, SPEED) as table:
            await play(board, match, SPEED, plan=plan(board))
            await table.until(lambda: table.moves == match.moves)
            assert "ghost" not in table.reasons
            assert await table.written() == match.moves
            return table.lost


@pytest.mark.parametrize("match", THREE, ids=str)
async def test_a_real_game_is_published_and_written_as_it_was_played(tmp_path: Path, match: Match) -> None:
    assert await told_of_losses(tmp_path, match, lambda board: []) == UNTOUCHED


async def test_a_reset_in_mid_game_is_told_and_costs_no_move(tmp_path: Path) -> None:
    assert await told_of_losses(tmp_path, THREE[0], lambda board: [(12.0, board.reset)]) == ["board_restarted"]


async def test_a_cable_that_is_pulled_in_mid_game_is_told_and_costs_no_move(tmp_path: Path) -> None:
    lost = await told_of_losses(tmp_path, THREE[0], lambda board: [(12.0, board.unplug), (14.0, board.plug)])
    assert lost == ["port_lost"]


async def test_lost_and_garbled_bytes_in_mid_game_are_asked_for_again(tmp_path: Path) -> None:
    lost = await told_of_losses(
        tmp_path, THREE[0], lambda board: [(12.0, lambda: board.drop(40)), (18.0, lambda: board.garble(30))]
    )
    assert lost == UNTOUCHED


async def test_without_diodes_the_hall_reads_that_these_are_ghosts(tmp_path: Path) -> None:
    match = THREE[0]
    async with EmulatedBoard(match.build, diodes=False, speed=SPEED, link=tmp_path / "port") as board:
        board.set_up(standing(match.game.start, square_map(match.build, match.variant)))
        async with gateway(match, board.path, tmp_path, SPEED) as table:
            await play(board, match, SPEED, plies=2)
            await table.until(lambda: "ghost" in table.reasons)
            await table.until(lambda: bool(table.reader.retained["board/table-1/health"].get("ghosts")))
            assert table.reader.retained["board/table-1/state"]["reason"] == "ghost"
            assert table.moves == ()
