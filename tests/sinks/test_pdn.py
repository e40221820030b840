from __future__ import annotations

import random
from dataclasses import replace

import pytest
from rules.positions import random_play

from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn import played, read_games
from damas_board.regulations import Regulation, names, parse, shipped
from damas_board.rules.position import initial
from damas_board.session.state import GameState
from damas_board.sinks.pdn import game_text


def kept(regulation: Regulation) -> tuple[GameState, int]:
    """A random game as a session keeps it, and how many plies it has."""
    start = initial(regulation.variant)
    plies = played(start, (move for _, move in random_play(random.Random(7), regulation.variant, 100)))
    moves = tuple(write_move(ply.before, ply.move) for ply in plies if ply.move is not None)
    end = plies[-1].after
    return GameState("g", regulation.name, write_fen(start), write_fen(end), moves, 1), len(plies)


@pytest.mark.parametrize("name", names())
def test_a_kept_game_of_every_shipped_regulation_is_read_back(name: str) -> None:
    regulation = shipped(name)
    state, plies = kept(regulation)
    text = game_text(state, regulation, {"Event": "Open"})
    assert f'[Regulation "{name}"]' in text
    (game,) = read_games(text)
    assert (game.fault, game.remarks, len(game.plies)) == (None, (), plies)
    assert (game.variant, game.end.variant, write_fen(game.end)) == (regulation.variant, regulation.variant, state.fen)


def test_a_clubs_own_rules_are_not_taken_for_the_shipped_ones_of_the_same_name() -> None:
    own = replace(shipped("br-cbjd"), variant=replace(shipped("br-cbjd").variant, capture_compulsory=False))
    (game,) = read_games(game_text(kept(own)[0], own, {}))
    assert game.tag("Regulation") == "br-cbjd (own)"
    assert any("the Regulation 'br-cbjd (own)' is not shipped" in remark.reason for remark in game.remarks)


def test_a_clubs_own_regulation_is_named_and_reported_as_not_shipped() -> None:
    club = parse('base = "br-cbjd"\ntitle = "Our club"\n', "club")
    state, plies = kept(club)
    (game,) = read_games(game_text(state, club, {}))
    assert (game.tag("Regulation"), game.fault, len(game.plies)) == ("club", None, plies)
    assert [remark.reason for remark in game.remarks] == [
        "the Regulation 'club' is not shipped; the game is read as brazilian"
    ]
