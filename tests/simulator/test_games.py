from pathlib import Path

import pytest

from damas_board.rules.game import Game, verdict
from damas_board.rules.variants import VARIANTS
from simulator.games import GameFileError, PlayedGame, games_in, invented, shipped, shipped_names


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


@pytest.mark.parametrize(
    ("name", "variant", "plies", "reason"),
    [
        ("brazilian", "brazilian", 41, "blocked"),
        ("brazilian-combination", "brazilian", 3, "no_pieces"),
        ("portuguese", "portuguese", 41, "no_pieces"),
        ("international", "international", 40, None),
    ],
)
def test_a_shipped_game_replays_to_its_end(name: str, variant: str, plies: int, reason: str | None) -> None:
    game = shipped(name)
    *_, last = game.positions()
    end = verdict(last)
    assert name in shipped_names()
    assert (game.start.variant.name, len(game.moves)) == (variant, plies)
    assert (end and end.reason) == reason


def test_a_game_that_is_not_shipped_is_told_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="brazilian-combination"):
        shipped("chess")


def test_games_are_read_from_a_file_and_named_after_it(tmp_path: Path) -> None:
    file = tmp_path / "evening.pdn"
    file.write_text('[GameType "26"]\n1. c3-d4 b6-a5 *\n\n[GameType "26"]\n*\n\n[GameType "26"]\n1. a3-b4 *\n')
    games = games_in(file)
    assert [(g.name, len(g.moves)) for g in games] == [("evening-1", 2), ("evening-3", 1)]


def test_a_game_that_cannot_be_played_to_its_end_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pdn"
    file.write_text('[GameType "26"]\n1. c3-d4 b6-b5 *\n')
    with pytest.raises(GameFileError, match=r"wrong\.pdn: line 2, column \d+: game 1: ") as caught:
        games_in(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xd8\xff\xe0\x00\x10JFIF", b'[Event "nothing"] *'])
def test_a_file_without_a_game_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "picture.pdn"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(GameFileError, match=r"picture\.pdn: ") as caught:
        games_in(file)
    assert "\n" not in str(caught.value)
