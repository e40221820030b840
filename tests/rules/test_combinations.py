"""The twenty combinations of document 002: the lines as printed there, played on the rules."""

from __future__ import annotations

import json

from damas_board.notation.fen import read_fen
from damas_board.notation.pdn import read_games
from damas_board.rules.game import verdict
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


def test_there_are_twenty_and_those_that_end_at_once_end_by_rule(shared):
    found = problems(shared)
    assert len(found) == 20
    for problem in found:
        (game,) = read_games(f'[FEN "{problem["fen_algebraic"]}"] {" ".join(problem["source_solution"])}', BRAZILIAN)
        if not problem["final_black_pieces"] or not problem["final_black_moves"]:
            end = verdict(game.end)
            assert end is not None
            assert end.winner is Side.WHITE
