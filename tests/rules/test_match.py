from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.rules.match import Player, drawn, games, initials

ANA, RUI = Player("Ana Lima"), Player("Rui Costa", "R. C.")
lots = st.lists(st.floats(0, 1, exclude_max=True), min_size=40, max_size=40)


def whites(match):
    return [pairing.white.name for pairing in match]


def test_003_12_the_lot_decides_who_has_white_in_the_first_game():
    assert whites(games((ANA, RUI), 2, [0.1]))[0] == "Ana Lima"
    assert whites(games((ANA, RUI), 2, [0.5]))[0] == "Rui Costa"


def test_000_white_in_the_first_game_may_be_agreed_on_and_needs_no_lot():
    assert whites(games((ANA, RUI), 2, [], white=RUI)) == ["Rui Costa", "Ana Lima"]


def test_003_13_the_colours_alternate_from_game_to_game():
    match = games((ANA, RUI), 6, [0.9])
    assert whites(match) == ["Rui Costa", "Ana Lima"] * 3
    assert [pairing.number for pairing in match] == [1, 2, 3, 4, 5, 6]
    assert all({pairing.white, pairing.black} == {ANA, RUI} for pairing in match)
    assert {pairing.opening for pairing in match} == {None}


@pytest.mark.parametrize("count", [-2, 0, 1, 3, 7])
def test_003_10_a_match_has_an_even_number_of_games(count):
    with pytest.raises(ValueError, match=f"even number of games, not {count}"):
        games((ANA, RUI), count, [0.1] * 9)


def test_003_14_both_players_begin_each_drawn_opening_in_turn():
    match = games((ANA, RUI), 4, [0.0, 0.99, 0.0], ["one", "two", "three"])
    assert [(p.white.name, p.opening) for p in match] == [
        ("Ana Lima", "three"),
        ("Rui Costa", "three"),
        ("Ana Lima", "one"),
        ("Rui Costa", "one"),
    ]


def test_003_14_no_opening_is_drawn_twice_before_each_was():
    match = games((ANA, RUI), 8, [0.0] * 5, ["one", "two", "three"])
    assert [p.opening for p in match[::2]] == ["one", "two", "three", "one"]


@given(lots, st.integers(1, 10), st.integers(1, 12))
def test_the_same_lots_give_the_same_match_and_each_plays_white_in_half_of_it(drawn_lots, pairs, openings):
    table = list(range(openings))
    match = games((ANA, RUI), 2 * pairs, drawn_lots, table)
    assert match == games((ANA, RUI), 2 * pairs, drawn_lots, table)
    assert whites(match).count("Ana Lima") == pairs
    for first, second in zip(match[::2], match[1::2], strict=True):
        assert (first.opening, first.white, first.black) == (second.opening, second.black, second.white)


def test_a_lot_outside_of_its_range_or_missing_draws_nothing():
    assert [drawn(lot, 3) for lot in (0.0, 0.34, 0.999)] == [0, 1, 2]
    for lot in (-0.1, 1.0):
        with pytest.raises(ValueError, match="draws none"):
            drawn(lot, 3)
    with pytest.raises(ValueError, match="fewer lots"):
        games((ANA, RUI), 4, [0.1, 0.2], ["one", "two"])


def test_a_player_may_be_known_to_the_public_by_initials():
    assert ANA.public_name() == "Ana Lima"
    assert RUI.public_name() == "R. C."


def test_003_22_a_minor_is_known_to_the_public_by_initials_unless_another_name_was_chosen():
    assert ANA.public_name(under_age=True) == "A. L."
    assert RUI.public_name(under_age=True) == "R. C."
    assert Player("Rui Costa", "Rui").public_name(under_age=True) == "Rui"


@pytest.mark.parametrize(
    ("name", "short"), [("Ana", "A."), ("ana lima", "A. L."), ("Ana de Lima e Sá", "A. L. S."), ("Élia  Ó", "É. Ó.")]
)
def test_initials_are_those_of_the_names_and_not_of_the_small_words_between(name, short):
    assert initials(name) == short
