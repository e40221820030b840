"""The twenty combinations of document 002: the lines as printed there, played on the rules."""

from __future__ import annotations

import json

import pytest

from damas_board.notation.fen import read_fen
from damas_board.notation.pdn import read_games
from damas_board.rules.game import verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN


def problems(shared):
    return json.loads((shared / "rules" / "combinations.json").read_text("utf-8"))["problems"]


def test_all_twenty_lines_replay_as_they_are_printed(shared):
    for problem in problems(shared):
        moves = " ".join(problem["source_solution"])
        (game,) = read_games(f'[FEN "{problem["fen_algebraic"]}"] {moves} 2-0', BRAZILIAN)
        assert (game.fault, game.remarks) == (None, ()), problem["number"]
        assert len(game.plies) == len(problem["line"])
        for ply, step in zip(game.plies, problem["line"], strict=True):
            names = BRAZILIAN.geometry.names
            assert names((ply.move.start, ply.move.end)) == (step["from"], step["to"])
            assert set(names(ply.move.captured)) == set(step["captures"])
            if step["fen_after"].count(":") == 2:
                assert ply.after == read_fen(step["fen_after"], BRAZILIAN)
        assert game.end.turn is Side.BLACK


def wins(position, plies, known):
    """Whether White wins in at most so many plies, whatever Black does."""
    end = verdict(position)
    if end is not None:
        return end.winner is Side.WHITE
    if not plies:
        return False
    key = position, plies
    if key not in known:
        after = (wins(position.after(move), plies - 1, known) for move in legal_moves(position))
        known[key] = any(after) if position.turn is Side.WHITE else all(after)
    return known[key]


def line(problem, solution):
    (game,) = read_games(f'[FEN "{problem["fen_algebraic"]}"] {solution}', BRAZILIAN)
    assert game.fault is None
    return game


def test_there_are_twenty(shared):
    assert sorted(problem["number"] for problem in problems(shared)) == list(range(1, 21))


@pytest.mark.parametrize("number", range(1, 21))
def test_at_the_x_the_game_is_over_or_is_won_within_the_plies_that_are_stated(shared, number):
    (problem,) = (problem for problem in problems(shared) if problem["number"] == number)
    end = line(problem, " ".join(problem["source_solution"])).end
    stated = problem["final_win_proof_plies"]
    assert (verdict(end) is not None) is (stated == 0)
    assert wins(end, stated, {})
    assert not stated or not wins(end, stated - 1, {})


def test_the_variation_of_the_twentieth_wins_as_well(shared):
    (problem,) = (problem for problem in problems(shared) if problem["source_variation"])
    assert problem["number"] == 20
    game = line(problem, "1. e3-f4 c5xe3 2. f4xf8D X.")
    assert wins(game.end, 12, {})
