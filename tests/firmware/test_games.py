"""Real games on the real firmware, in lock-step: contacts that bounce, bytes, Conversation, Session, record.

Hands play at the club's level: they slide, straighten and fumble; contacts bounce, drop out and close for a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from firmware.conftest import require_modules
from firmware.games import Match, played

from simulator.emulated import Emulator

TWO = (
    Match("english", "english/wiegerw__Tricks_traps_and_shots.pdn", 18),
    Match("international", "international/bruno__BrunoVsScan31.pdn", 8),
)
TWENTY = (
    *TWO,
    Match("turkish", "turkish/pydraughts_selftest_turkish.pdn", 0),
    Match("brazilian", "brazilian/pydraughtstests__lidraughts_brazilian.pdn", 5),
    Match("brazilian", "brazilian/pydraughtstests__lidraughts_brazilian.pdn", 7, whole=True),
    Match("russian", "russian/pydraughtstests__lidraughts_russian.pdn", 1),
    Match("russian", "russian/pydraughtstests__lidraughts_russian.pdn", 7),
    Match("russian", "russian/pydraughts_selftest_russian.pdn", 0),
    Match("english", "english/acf_archive_anonymised.pdn", 1504, whole=True),
    Match("english", "english/acf_archive_anonymised.pdn", 895),
    Match("italian", "italian/wiegerw__Campionato_Assoluto_2005.pdn", 28),
    Match("italian", "italian/wiegerw__Campionato_Assoluto_2005.pdn", 18),
    Match("italian", "italian/wiegerw__Campionato_Assoluto_2005.pdn", 45, whole=True),
    Match("czech", "czech/wiegerw__mrcd2000kval.pdn", 35),
    Match("czech", "czech/wiegerw__mrdrcd07.pdn", 7),
    Match("international", "international/bruno__BrunoVsScan31.pdn", 0),
    Match("international", "international/wiegerw__schildpad.pdn", 0),
    Match("frisian", "frisian/pydraughts_tests_frisian.pdn", 3),
    Match("antidraughts", "antidraughts/pydraughtstests__lidraughts_antidraughts.pdn", 0),
    Match("antidraughts", "antidraughts/pydraughtstests__lidraughts_antidraughts.pdn", 1),
)

HALL = (
    Match("russian", "russian/pydraughtstests__lidraughts_russian.pdn", 1, sensors="hall"),
    Match("international", "international/bruno__BrunoVsScan31.pdn", 8, sensors="hall"),
    Match("turkish", "turkish/pydraughts_selftest_turkish.pdn", 0, sensors="hall"),
)


@pytest.fixture(autouse=True)
def _needs(require_program: Callable[[str], str], shared: Path) -> None:
    require_program("node")
    require_modules()


def record_is_the_game(match: Match, seed: int, *, levers: bool = False) -> None:
    with Emulator(match.build) as board:
        told = played(board, match, seed, levers=levers)
    assert told.wrong(match.game) == (0, "")
    assert told.ghosts == []
    assert told.lost == []


@pytest.mark.parametrize("match", TWO, ids=str)
def test_a_real_game_through_the_firmware_is_recorded_as_it_was_played(match: Match) -> None:
    record_is_the_game(match, 1)


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("match", TWENTY, ids=str)
def test_twenty_real_games_through_the_firmware_are_recorded_as_they_were_played(match: Match) -> None:
    record_is_the_game(match, 2, levers=TWENTY.index(match) % 2 == 0)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("match", HALL, ids=str)
def test_games_over_hall_sensors_that_tell_colour_and_king_are_recorded_as_they_were_played(match: Match) -> None:
    record_is_the_game(match, 3)


def test_a_board_without_diodes_shows_ghosts_and_the_controller_calls_them_so() -> None:
    match = TWO[0]
    with Emulator(match.build, diodes=False) as board:
        told = played(board, match, plies=2)
    ghosts = told.ghosts
    assert [alert.kind for alert in ghosts][:1] == ["board_mismatch"]
    variant = match.variant.geometry
    landed = {variant.name(move.end) for move in match.game.moves[:1]}
    assert landed < set(ghosts[0].squares)
    assert [alert for alert in told.alerts if alert.side is not None] == []


def test_a_reset_lost_and_garbled_bytes_and_a_pulled_cable_leave_the_record_right_and_what_was_lost_is_told() -> None:
    match = TWO[0]
    plan: list[tuple[float, Callable[[Emulator], None]]] = [
        (5.0, lambda board: board.drop(40)),
        (9.0, lambda board: board.garble(30)),
        (13.0, Emulator.reset),
        (20.0, Emulator.unplug),
        (23.5, Emulator.plug),
    ]
    with Emulator(match.build) as board:
        told = played(board, match, plan=plan)
    assert told.wrong(match.game) == (0, "")
    assert told.lost == ["board_restarted", "silent"]
    assert told.late != []
    assert told.ghosts == []
