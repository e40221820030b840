from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, TURKISH, VARIANTS
from simulator.hand import CENTRE, FUMBLE, SLIDE, Act, Hand, Lift, Place, Press, TakeOff
from simulator.levels import Level, level, levels
from simulator.table import Table

CLEAN = level("clean")


def walk(variant, seed: int, plies: int) -> list[Move]:
    """A random game: any legal move each time."""
    random, position, moves = Random(seed), initial(variant), []
    while len(moves) < plies and (legal := legal_moves(position)):
        moves.append(random.choice(legal))
        position = position.after(moves[-1])
    return moves


def play(position: Position, text: str, chosen: Level, seed: int) -> list[Act]:
    return Hand(position, chosen, seed).play(text)


def squares(acts: list[Act], kind: type) -> list[int]:
    return [a.action.square for a in acts if isinstance(a.action, kind)]


@settings(deadline=None)
@given(
    st.sampled_from(sorted(VARIANTS)),
    st.sampled_from(sorted(levels())),
    st.integers(0, 10**6),
)
def test_every_turn_ends_with_the_position_after_on_the_board(variant: str, name: str, seed: int) -> None:
    hand = Hand(initial(VARIANTS[variant]), level(name), seed)
    table = Table(hand.position)
    for move in walk(VARIANTS[variant], seed, 60):
        after = hand.position.after(move)
        for act in hand.play(move):
            table.do(act.action)
        assert hand.position == after
        assert table.shows(after)


@settings(deadline=None)
@given(st.sampled_from(sorted(levels())), st.integers(0, 10**6))
def test_the_times_never_go_back_and_the_same_seed_plays_the_same(name: str, seed: int) -> None:
    games = []
    for _ in range(2):
        hand = Hand(initial(BRAZILIAN), level(name), seed)
        games.append([act for move in walk(BRAZILIAN, seed, 40) for act in hand.play(move)])
    assert games[0] == games[1]
    times = [act.at for act in games[0]]
    assert times == sorted(times)


def test_another_seed_plays_at_other_times() -> None:
    one, two = (play(initial(BRAZILIAN), "c3-d4", CLEAN, seed) for seed in (1, 2))
    assert [a.action for a in one] == [a.action for a in two]
    assert [a.at for a in one] != [a.at for a in two]


def test_thinking_carrying_and_taking_off_keep_to_the_ranges_of_the_level() -> None:
    chosen = replace(CLEAN, stops=0.0, victim_first=0.0)
    start = read_fen("W:WK38:B11,12,19,30,33", INTERNATIONAL)
    for seed in range(50):
        hand = Hand(start, chosen, seed, now=10.0)
        acts = hand.play("38x6")
        waits = [b - a for a, b in zip([10.0, *(a.at for a in acts)], [a.at for a in acts], strict=False)]
        for wait, (low, high) in zip(waits, [chosen.think, chosen.carry, *[chosen.removal] * 4], strict=True):
            assert low - 0.001 <= wait <= high + 0.001
        assert hand.now == acts[-1].at


def test_single_contacts_read_like_the_table() -> None:
    hand = Hand(initial(INTERNATIONAL), CLEAN, 5)
    at = INTERNATIONAL.geometry.square
    assert [a.action for a in hand.lift("32") + hand.place("28")] == [
        Lift(at("32"), Side.WHITE),
        Place(at("28"), Side.WHITE),
    ]
    assert [a.action for a in hand.brush(at("20"))] == [Lift(at("20"), Side.BLACK), Place(at("20"), Side.BLACK)]
    assert [a.action for a in hand.straighten("33")] == [Lift(at("33"), Side.WHITE), Place(at("33"), Side.WHITE)]
    assert [a.action for a in hand.take_off("18")] == [TakeOff(at("18"))]


def test_lifting_from_an_empty_square_is_refused() -> None:
    with pytest.raises(ValueError, match="no piece stands on 28"):
        Hand(initial(INTERNATIONAL)).lift("28")


def test_a_capturing_piece_is_put_down_on_every_square_of_a_route_that_is_drawn() -> None:
    start = read_fen("W:WKa1:Bb2,f6", BRAZILIAN)
    stopping = replace(CLEAN, stops=1.0)
    drawn = {tuple(squares(play(start, "a1xh8", stopping, seed), Place)) for seed in range(60)}
    assert {BRAZILIAN.geometry.names(route) for route in drawn} == {("c3", "h8"), ("d4", "h8"), ("e5", "h8")}
    carried = replace(CLEAN, stops=0.0)
    assert len(squares(play(start, "a1xh8", carried, 1), Place)) == 1


def test_captured_pieces_come_off_in_the_order_that_the_level_says() -> None:
    start = read_fen("W:Wc1:Bd2,d4,d6", BRAZILIAN)
    in_order = [BRAZILIAN.geometry.square(name) for name in ("d2", "d4", "d6")]
    for order, expected in (("in_order", in_order), ("reverse", in_order[::-1])):
        chosen = replace(CLEAN, removal_order=order)
        assert all(squares(play(start, "c1xe7", chosen, seed), TakeOff) == expected for seed in range(20))
    drawn = {tuple(squares(play(start, "c1xe7", CLEAN, seed), TakeOff)) for seed in range(80)}
    assert len(drawn) == 6


def test_where_captured_pieces_leave_at_once_each_is_off_before_the_next_jump() -> None:
    start = read_fen("W:Wd4,a2:Bd5,d7,h7", TURKISH)
    move = read_move(start, "d4xd8")
    at = TURKISH.geometry.square
    for seed in range(30):
        for stops in (0.0, 1.0):
            actions = [a.action for a in Hand(start, replace(CLEAN, stops=stops), seed).play(move)]
            first = actions.index(TakeOff(at("d5")))
            assert first < actions.index(Place(at("d8"), Side.WHITE))
            if stops:
                assert actions.index(Place(at("d6"), Side.WHITE)) < first < actions.index(Lift(at("d6"), Side.WHITE))


def test_only_a_man_that_takes_one_man_may_find_its_victim_off_before_it_is_lifted() -> None:
    eager = replace(CLEAN, victim_first=1.0)
    for fen, text, first in (
        ("W:Wc3:Bd4,h8", "c3xe5", TakeOff),
        ("W:WKc3:Bd4,h8", "c3xe5", Lift),
        ("W:Wc3:BKd4,h8", "c3xe5", Lift),
        ("W:Wc1:Bd2,d4", "c1xc5", Lift),
    ):
        acts = play(read_fen(fen, BRAZILIAN), text, eager, 3)
        assert isinstance(acts[0].action, first), fen


def test_a_dragged_king_touches_the_squares_between() -> None:
    start = read_fen("W:WKa1:Bh2", BRAZILIAN)
    acts = play(start, "a1-e5", replace(CLEAN, slide=1.0), 4)
    assert [BRAZILIAN.geometry.name(s) for s in squares(acts, Place)] == ["b2", "c3", "d4", "e5"]
    waits = [b.at - a.at for a, b in pairwise(acts)]
    assert all(SLIDE[0] - 0.001 <= wait <= SLIDE[1] + 0.001 for wait in waits)


def test_a_fumbled_piece_first_stands_beside_its_square() -> None:
    geometry = BRAZILIAN.geometry
    for seed in range(30):
        acts = play(initial(BRAZILIAN), "c3-d4", replace(CLEAN, fumble=1.0), seed)
        wrong, right = squares(acts, Place)
        assert geometry.name(right) == "d4"
        assert geometry.name(wrong) in ("c5", "e5")
        assert FUMBLE[0] - 0.001 <= acts[2].at - acts[1].at <= FUMBLE[1] + 0.001


def test_a_hesitating_player_holds_the_piece_or_puts_it_back_where_it_was() -> None:
    seen = set()
    for seed in range(40):
        acts = play(initial(BRAZILIAN), "c3-d4", replace(CLEAN, hesitation=1.0), seed)
        seen.add(tuple(BRAZILIAN.geometry.name(s) for s in squares(acts, Place)))
        if len(acts) == 2:
            assert acts[1].at - acts[0].at >= 1.0
    assert seen == {("d4",), ("c3", "d4")}


def test_the_other_player_straightens_a_piece_that_is_not_captured_and_has_a_free_hand_for_the_reply() -> None:
    start = read_fen("W:Wc3,a1:Bd4,h8", BRAZILIAN)
    at = BRAZILIAN.geometry.square
    for seed in range(60):
        hand = Hand(start, replace(CLEAN, centre=1.0), seed)
        acts = hand.play("c3xe5")
        lifted, back = [a for a in acts if getattr(a.action, "by", None) is Side.BLACK]
        assert (lifted.action, back.action) == (Lift(at("h8"), Side.BLACK), Place(at("h8"), Side.BLACK))
        assert CENTRE[0] - 0.002 <= back.at - lifted.at <= CENTRE[1] + 0.002
        assert [a.at for a in acts] == sorted(a.at for a in acts)
        reply = hand.play(legal_moves(hand.position)[0])
        assert min(a.at for a in reply) >= back.at


def test_players_with_a_clock_press_it_last() -> None:
    hand = Hand(initial(BRAZILIAN), CLEAN, 1, clock=True)
    assert hand.play("c3-d4")[-1].action == Press(Side.WHITE)
    assert hand.play("b6-a5")[-1].action == Press(Side.BLACK)


def test_an_unknown_level_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="clean, club, scramble, bad-board"):
        level("blitz")


def test_levels_are_read_in_seconds() -> None:
    assert CLEAN.think == (1.5, 3.0)
    assert level("bad-board").blip == (0.03, 0.14)
    assert level("bad-board").lost == 1.0
