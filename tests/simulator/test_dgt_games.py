"""Real games on DGT boards in software come out of a Session as they were played, and nobody is told of anything.

A board, its line, the talk and the Session in virtual time; nothing of the program is left out but the port.
"""

from __future__ import annotations

import os

import pytest
from benchmarks import dgt_games
from benchmarks.real_games import SHARED, game_of, seed_of
from benchmarks.talked_games import Played

from simulator.dgt.pieces import SETS
from simulator.levels import level

FEW = 17
"""Every so many-teenth of the hundred is played in the ordinary suite."""
TOUCHES = ("touch_move", "several_touched", "touched_unplayable", "touched_out_of_turn", "wavering", "held_piece")
MIMICS = ("dropout", "weak-square", "stuck")
"""Faults that show what a hand would: a piece that is away for a while, or is not there."""
RESTARTS = ("italian/wiegerw__Campionato_Assoluto_2005.pdn", 47)
"""Where the board restarts between two captures."""
GAMES = tuple(dgt_games.hundred())


@pytest.fixture(scope="module", autouse=True)
def _shared() -> None:
    if not (SHARED / "games").is_dir():
        missing = f"the public games are not at {SHARED}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def outcome(name: str, every: int = 1, hands: int = dgt_games.SEED) -> Played:
    total = Played()
    for number, (kind, source, index) in enumerate(GAMES):
        if number % every == 0:
            rig, seed = dgt_games.rig_of(kind, number), seed_of(hands, source, index)
            total.add(dgt_games.played(kind, game_of(source, index), level(name), seed, rig, f"{source}#{index}"))
    return total


def test_the_sample_is_a_hundred_public_games_of_all_variants_that_fit() -> None:
    assert len(GAMES) == len(set(GAMES)) == 100
    assert set(dgt_games.OF_EACH) == {"brazilian", "russian", "english", "italian", "turkish", "czech"} | {
        "international", "frisian", "antidraughts",
    }  # fmt: skip
    rigs = [dgt_games.rig_of(kind, number) for number, (kind, _, _) in enumerate(GAMES)]
    assert {rig.pieces for rig in rigs} == set(SETS)
    assert {rig.corner for rig in rigs} == set(dgt_games.CORNERS)
    assert {rig.bluetooth for rig in rigs} == {rig.control is None for rig in rigs} == {False, True}


def test_a_few_of_them_come_out_as_played_and_nobody_is_told_of_anything() -> None:
    total = outcome("clean", FEW)
    assert (total.right, total.alerts, total.faults) == (total.games, {}, [])
    assert total.games == 6


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_hundred_come_out_as_played_and_nobody_is_told_of_anything() -> None:
    total = outcome("clean")
    assert (total.right, total.alerts, total.faults) == (100, {}, [])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_hundred_come_out_as_played_on_a_club_evening() -> None:
    """By Bluetooth a captured piece may be read for longer than the players wait: that is told, and taken back."""
    total = outcome("club")
    assert total.right == 100
    assert set(total.alerts) <= {"left_on_board"}
    assert sum(total.alerts.values()) <= 4
    assert all("bluetooth" in fault for fault in total.faults)


def suffering(name: str, every: int, hands: int) -> dgt_games.Suffered:
    total = dgt_games.Suffered()
    for number, (kind, source, index) in enumerate(GAMES):
        if number % every == hands % every:
            rig, seed = dgt_games.rig_of(kind, number), seed_of(hands, source, index)
            fault = dgt_games.fault_of(name, kind, rig, seed)
            total.add(dgt_games.suffered(kind, game_of(source, index), level("clean"), seed, rig, fault))
    return total


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", dgt_games.FAULTS)
def test_with_a_fault_the_record_is_right_or_it_is_told_and_nobody_is_accused(name: str) -> None:
    total = suffering(name, 9, hands=1)
    assert total.silent == []
    accused = [what for what in total.accused if name not in MIMICS or not any(kind in what for kind in TOUCHES)]
    assert accused == []


def test_a_board_that_restarts_in_a_quick_exchange_is_told_as_lost_and_the_record_goes_on() -> None:
    number = next(number for number, (_, source, index) in enumerate(GAMES) if (source, index) == RESTARTS)
    kind, source, index = GAMES[number]
    rig, seed = dgt_games.rig_of(kind, number), seed_of(dgt_games.SEED, source, index)
    fault = dgt_games.fault_of("reset", kind, rig, seed)
    total = dgt_games.suffered(kind, game_of(source, index), level("clean"), seed, rig, fault)
    assert (total.right, total.silent, total.accused) == (1, [], [])
    assert {"board_lost"} <= set(total.alarms) <= {"board_lost", "clock_lost"}
