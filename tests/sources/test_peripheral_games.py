"""Real games on boards in software that say them in each way the protocol leaves open come out as they were played."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from benchmarks.peripheral_games import KINDS, MOVES_ONLY, RIGS, Rig, Table, play, sample
from benchmarks.real_games import game_of
from benchmarks.talked_games import Played

from damas_board.session.inputs import See
from simulator.levels import level
from simulator.peripheral import STREAM

FEW = 2
"""Of each variant, in each way."""
MANY = 8
"""Of each variant, by the ends of their moves only: the hardest way."""
TROUBLES = ("unplug", "reset", "garbage", "resign", "draw_offer", "restart", "undo")
SHARE = 0.06
"""Of plies before which there is trouble."""


@pytest.fixture(autouse=True)
def _games(shared: Path) -> None:
    """They lie beside the project."""


def faultless(total: Played, games: int) -> None:
    assert total.faults == []
    assert total.games == games
    assert not total.alerts


@pytest.mark.parametrize("rig", ["ends", "streams"])
def test_a_game_comes_out_as_played(rig: str) -> None:
    faultless(play("international", 1, RIGS[rig]), 1)


@pytest.mark.slow
@pytest.mark.parametrize("rig", RIGS)
def test_games_of_all_variants_come_out_as_played_in_whatever_way_they_are_said(rig: str) -> None:
    total = Played()
    for kind in KINDS:
        total.add(play(kind, FEW, RIGS[rig]))
    assert total.faults == []
    assert not total.alerts
    assert total.games > FEW * (len(KINDS) - 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_capture_by_its_two_ends_makes_no_irregular_move(kind: str) -> None:
    total = play(kind, MANY, RIGS["ends"])
    assert total.faults == []
    assert not total.alerts


def test_a_capture_whose_ends_name_two_is_asked_about_and_comes_out_as_played() -> None:
    game = game_of("italian/wiegerw__Campionato_Assoluto_2005.pdn", 45)
    table = Table("italian", game, RIGS["ends"])
    table.play()
    faultless(table.played("the only such game of five hundred"), 1)
    assert [item.rows.count("?") for item in table.inputs if isinstance(item, See) and "?" in item.rows] == [4]


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["clean", "club"])
@pytest.mark.parametrize("rig", ["streams", "streams kinds", "stream not asked"])
def test_games_by_hand_come_out_as_played(rig: str, chosen: str) -> None:
    total = Played()
    one = RIGS.get(rig) or Rig(rig, {"features": MOVES_ONLY | {STREAM}, "tells": "colour"})
    for kind in KINDS:
        for name, game in sample(kind, 1):
            table = Table(kind, game, one)
            table.play_by_hand(level(chosen), 1)
            total.add(table.played(name))
    assert total.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("rig", ["ends", "asked", "streams", "answers nothing", "deaf, path in letters", "rows"])
def test_whatever_happens_to_the_line_the_game_goes_on(rig: str, trouble: str) -> None:
    total = Played()
    for kind in ("international", "russian", "english", "frisian"):
        for name, game in sample(kind, 1):
            random = Random(f"{name} {trouble}")
            board = {**RIGS[rig].board, "banner": "boot v1"}
            table = Table(kind, game, Rig(rig, board, RIGS[rig].manner, RIGS[rig].senses))
            table.open()
            for ply, move in enumerate(game.moves):
                if random.random() < SHARE:
                    make_trouble(table, trouble, random, ply)
                table.make(move)
            table.rest()
            total.add(table.played(name))
    assert total.faults == []
    assert set(total.alerts) <= {"board_lost"}


ASKED_BY_BEGINNING = {
    rig.name: rig
    for rig in (
        *(RIGS[name] for name in ("ends", "answers nothing", "deaf, path in letters", "rows")),
        Rig("stream only", {"features": frozenset({STREAM}), "tells": "occupancy"}, senses="occupancy"),
        Rig("stream of colours only", {"features": frozenset({STREAM}), "tells": "colour"}),
    )
}


@pytest.mark.slow
@pytest.mark.parametrize("rig", ASKED_BY_BEGINNING)
def test_a_board_that_starts_again_without_a_word_is_begun_anew_and_the_game_goes_on(rig: str) -> None:
    kinds = ("international", "russian", "turkish")
    total = Played()
    for kind in kinds:
        for name, game in sample(kind, 1):
            random = Random(name)
            table = Table(kind, game, ASKED_BY_BEGINNING[rig])
            table.open()
            for move in game.moves:
                if random.random() < SHARE:
                    table.board.reset()
                    table.wait(random.uniform(14.0, 20.0))
                table.make(move)
            table.rest()
            total.add(table.played(name))
    faultless(total, len(kinds))


def make_trouble(table: Table, trouble: str, random: Random, ply: int) -> None:
    board = table.board
    match trouble:
        case "unplug":
            board.unplug()
            table.wait(random.uniform(0.5, 6.0))
            board.plug()
            table.wait(10.0)
        case "reset":
            board.reset()
            table.wait(13.0)
        case "garbage":
            board.say("\x00\xfe st")
        case "restart":
            table.wait(0.5)
            table.restart()
            table.wait(10.0)
        case "undo" if ply:
            move = table.game.moves[ply - 1]
            board.take_back()
            table.wait(random.choice([0.1, 3.0]))
            table.make(move)
        case "resign" | "draw_offer":
            board.say(trouble)
            table.wait(3.0)
        case _:
            pass
