import pytest

from damas_board.rules.game import Game, verdict
from damas_board.rules.variants import VARIANTS
from simulator.games import PlayedGame, invented


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_an_invented_game_is_legal_and_the_same_for_the_same_seed(name: str) -> None:
    played = invented(VARIANTS[name], 11, 60)
    assert played == invented(VARIANTS[name], 11, 60)
    game = Game(played.start)
    for move in played.moves:
        game.play(move)
    assert game.positions == list(played.positions())
    assert len(played.moves) <= 60


def test_other_seeds_invent_other_games() -> None:
    games = {invented(VARIANTS["portuguese"], seed, 20).moves for seed in range(10)}
    assert len(games) == 10


def test_invented_games_have_kings_ends_by_rule_and_no_early_collapse() -> None:
    kings, ended = 0, 0
    for seed in range(12):
        positions = list(invented(VARIANTS["portuguese"], seed).positions())
        kings += positions[-1].kings != 0
        ended += verdict(positions[-1]) is not None
        early = positions[14]
        assert abs(early.white.bit_count() - early.black.bit_count()) <= 2
    assert kings >= 6
    assert ended >= 4


def test_positions_are_the_start_and_one_after_each_move() -> None:
    game = invented(VARIANTS["russian"], 3, 5)
    assert len(list(game.positions())) == 6
    assert list(PlayedGame(game.start, ()).positions()) == [game.start]
