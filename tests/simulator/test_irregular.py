"""What an offender does is possible on a table, breaks the rule that it says, and leaves no other reading."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from rules.positions import random_position

from damas_board.notation.fen import read_fen
from damas_board.regulations.policy import IRREGULAR_MOVES
from damas_board.rules.generation import captures, legal_moves
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, ITALIAN, PORTUGUESE, TURKISH, VARIANTS
from simulator.hand import Lift, Place, PutBack, TakeOff
from simulator.irregular import (
    HELD,
    NOTICED,
    OFFENCES,
    Episode,
    Offender,
    breaches,
    captures_against_a_law,
    explained,
    left_standing,
    missed_captures,
    odd_captures,
    strays,
)
from simulator.levels import level
from simulator.table import Table

CLUB = level("club")
AT = BRAZILIAN.geometry.square
CASES = [(name, future) for name, offence in OFFENCES.items() for future in offence.futures]
CROWD = 12


def offender(position: Position, seed: int) -> Offender:
    return Offender(position, CLUB, seed)


def episodes(name: str, future: str, wanted: int):
    """Offences in random games and positions of all variants: the hand and its table, what was before, the episode."""
    offence = OFFENCES[name]
    found = 0
    for seed in range(3000):
        random = Random(f"{name} {seed}")
        variant = random.choice(list(VARIANTS.values()))
        start, plies = initial(variant), random.randrange(40)
        if offence.at_start:
            plies = 0
        elif seed % 2:
            start, plies = random_position(random, variant), 0
            if start.occupied.bit_count() > CROWD:
                continue
        hand, table = offender(start, seed), Table(start)
        for _ in range(plies):
            if not (legal := legal_moves(hand.position)):
                break
            for act in hand.play(random.choice(legal)):
                table.do(act.action)
        if not legal_moves(hand.position):
            continue
        before, plies, now = hand.position, hand.plies, hand.now
        episode = hand.commit(offence, future)
        if episode is None:
            assert (hand.position, hand.plies) == (before, plies), "nothing was done"
            continue
        for action in episode.set_up:
            table.do(action)
        yield hand, table, before, plies, now, episode
        found += 1
        if found == wanted:
            return


@pytest.mark.parametrize(("name", "future"), CASES)
def test_every_offence_is_possible_on_a_table_and_leaves_what_the_record_must_say(name: str, future: str) -> None:
    count = 0
    for hand, table, before, plies, now, episode in episodes(name, future, 6):
        count += 1
        for act in episode.acts:
            table.do(act.action)
        times = [act.at for act in episode.acts]
        assert times == sorted(times)
        assert times[0] >= now
        assert hand.position == episode.plies[-1].after
        assert hand.plies == plies + len(episode.plies)
        if OFFENCES[name].kind != "crowned_wrongly":
            assert table.shows(hand.position)
        assert_one_after_another(before, episode)
        assert {expected.kind for expected in episode.expected} >= {OFFENCES[name].kind}
        assert all(plies < expected.ply <= plies + len(episode.plies) for expected in episode.expected)
    assert count, f"no position gave occasion for {name}"


def assert_one_after_another(before: Position, episode: Episode) -> None:
    """Each ply begins where the last one led to; a ply is irregular if no legal move leads to where it led."""
    position = before
    for ply in episode.plies:
        assert ply.before == position
        legal = {position.after(move) for move in legal_moves(position)}
        assert ply.irregular is (ply.after not in legal)
        mover = position.turn if ply.side is None else ply.side
        assert ply.after.turn is mover.other, "the other side is to move, also after one that was not on move"
        position = ply.after


@pytest.mark.parametrize("name", [n for n, o in OFFENCES.items() if o.kind in IRREGULAR_MOVES])
def test_an_irregular_move_that_stands_shows_a_board_that_nothing_lawful_shows(name: str) -> None:
    for _, _, before, _, _, episode in episodes(name, "stands", 6):
        irregular, expected = episode.plies[0], episode.expected[0]
        occupied = irregular.after.occupied
        assert occupied not in {before.after(move).occupied for move in legal_moves(before)}
        for move in legal_moves(before):
            if move.captured:
                assert occupied not in {after.occupied for _, after in left_standing(before, move)}
        other = {b.kind for b in breaches(before) if b.after.occupied == occupied}
        assert other <= {expected.kind}
        assert expected.closes == "stands"


@pytest.mark.parametrize("name", [n for n, o in OFFENCES.items() if "rectified" in o.futures and not o.at_start])
def test_what_is_rectified_leaves_the_record_regular(name: str) -> None:
    for _, _, _, _, _, episode in episodes(name, "rectified", 4):
        assert not any(ply.irregular for ply in episode.plies)
        assert episode.expected[0].closes == "rectified"


def test_the_same_seed_breaks_the_same_rule_in_the_same_way() -> None:
    made = [offender(initial(BRAZILIAN), 7).commit(OFFENCES["touch_move"], "stands") for _ in range(2)]
    assert made[0] is not None
    assert made[0] == made[1]


def test_a_missed_capture_is_a_quiet_move_where_one_must_take() -> None:
    must = read_fen("W:W32,38:B12,28", INTERNATIONAL)
    names = INTERNATIONAL.geometry.names
    assert {names(b.move[:2]) for b in missed_captures(must)} == {("32", "27"), ("38", "33")}
    assert not list(missed_captures(read_fen("W:W38:B12", INTERNATIONAL)))


def test_captures_against_a_law_stop_early_take_fewer_or_take_what_is_worth_less() -> None:
    names = BRAZILIAN.geometry.names
    two_or_one = read_fen("W:Wc3,g3:Bd4,d6,h4,f4", BRAZILIAN)
    kinds = {(names(b.move[:2]), b.kind, b.stops) for b in captures_against_a_law(two_or_one)}
    assert (("c3", "e5"), "short_capture", True) in kinds
    assert all(kind == "short_capture" for _, kind, _ in kinds)
    king_or_man = read_fen("W:W10:B14,K13", PORTUGUESE)
    by_value = [b for b in captures_against_a_law(king_or_man) if not b.stops]
    assert [(b.kind, PORTUGUESE.geometry.names(b.move.captured)) for b in by_value] == [("low_value_capture", ("14",))]


def test_an_odd_capture_is_one_that_its_piece_may_not_make() -> None:
    backwards = read_fen("W:W18:B14", PORTUGUESE)
    assert [(b.reason, b.kind) for b in odd_captures(backwards)] == [("backwards", "illegal_move")]
    king = read_fen("W:W22:BK18,1", ITALIAN)
    assert "man_takes_king" in {b.reason for b in odd_captures(king)}
    assert not list(odd_captures(read_fen("W:Wc3:Bb2,d4", BRAZILIAN))), "a Brazilian man takes backwards"


def test_a_stray_is_named_by_what_is_wrong_about_its_way() -> None:
    position = read_fen("W:Wd4,e5:Bh8", BRAZILIAN)
    reasons = {(b.move.start, b.move.end): b.reason for b in strays(position, Side.WHITE)}
    assert reasons[AT("d4"), AT("c3")] == "backwards"
    assert reasons[AT("d4"), AT("b6")] == "too_far"
    assert reasons[AT("d4"), AT("f6")] == "blocked"
    assert reasons[AT("d4"), AT("d6")] == "not_diagonal"
    assert (AT("d4"), AT("c5")) not in reasons, "that is a legal move"
    over_a_victim = read_fen("W:Wd4:Bc5,h8", BRAZILIAN)
    ways = {(b.move.start, b.move.end) for b in strays(over_a_victim, Side.WHITE)}
    assert (AT("d4"), AT("b6")) not in ways, "that is a capture which leaves its victim"
    across = read_fen("W:Wd4:Bh8", TURKISH)
    square = TURKISH.geometry.square
    turkish = {b.move.end: b.reason for b in strays(across, Side.WHITE)}
    assert turkish[square("e5")] == "not_straight"
    assert turkish[square("d3")] == "backwards"


def test_a_capture_under_way_and_one_that_leaves_its_victim_explain_a_board() -> None:
    position = read_fen("W:Wc3:Bd4,h8", BRAZILIAN)
    whole = position.after(captures(position)[0])
    with_victim = whole.occupied | 1 << AT("d4")
    assert explained(position, whole.occupied)
    assert explained(position, with_victim)
    assert not explained(position, with_victim | 1 << AT("a1"))
    assert not explained(position, with_victim, captures(position)[0]), "but for that capture"


def lifted(episode: Episode, side: Side) -> list[int]:
    return [a.action.square for a in episode.acts if isinstance(a.action, Lift) and a.action.by is side]


def test_a_touched_piece_could_have_moved_and_another_one_moves() -> None:
    for _, _, before, _, _, episode in episodes("touch_move", "stands", 8):
        (touched,) = episode.expected[0].squares
        assert touched in {move.start for move in legal_moves(before)}
        assert episode.plies[0].start != touched
        assert lifted(episode, before.turn)[0] == touched


def test_two_pieces_are_in_the_air_together_one_in_each_hand() -> None:
    for _, _, _, _, _, episode in episodes("several_touched", "stands", 4):
        one, two = episode.acts[0].action, episode.acts[1].action
        assert (one.left, two.left) == (False, True)
        assert (one.square, two.square) == episode.expected[0].squares


def test_a_piece_that_recurs_is_the_second_of_the_same_player_that_cannot_move() -> None:
    for _, _, before, _, _, episode in episodes("touched_unplayable, again", "over", 4):
        first, again = episode.expected
        assert (first.side, again.side) == (before.turn, before.turn)
        assert (first.recurs, again.recurs) == (False, True)
        assert again.ply == first.ply + 2


def test_a_held_piece_is_in_the_air_longer_than_is_allowed() -> None:
    for _, _, _, _, _, episode in episodes("held_piece", "over", 3):
        up, down = episode.acts
        assert HELD[0] <= round(down.at - up.at, 3) <= HELD[1]


def test_what_is_left_comes_off_only_when_the_opponent_has_lifted_a_piece() -> None:
    for _, _, before, _, _, episode in episodes("left_on_board", "rectified", 4):
        (told,) = episode.expected
        actions = [act.action for act in episode.acts]
        first = next(i for i, a in enumerate(actions) if isinstance(a, Lift) and a.by is before.turn.other)
        off = [i for i, a in enumerate(actions) if isinstance(a, TakeOff) and a.square in told.squares]
        assert off
        assert min(off) > first


def test_a_victim_comes_off_before_the_capture_is_complete_and_it_is_no_man_that_a_man_takes_alone() -> None:
    for _, _, before, _, _, episode in episodes("lifted_during_capture", "over", 8):
        (told,) = episode.expected
        ply = episode.plies[0]
        actions = [act.action for act in episode.acts]
        down = next(i for i, a in enumerate(actions) if isinstance(a, Place) and a.square == ply.end)
        off = next(i for i, a in enumerate(actions) if isinstance(a, TakeOff) and a.square == told.squares[0])
        assert off < down
        men = not before.kings >> ply.start & 1 and not any(before.kings >> s & 1 for s in ply.captured)
        assert len(ply.captured) > 1 or not men


def test_what_is_put_right_stood_long_enough_to_be_told() -> None:
    for _, _, _, _, _, episode in episodes("missed_capture", "rectified", 4):
        back = [i for i, a in enumerate(episode.acts) if isinstance(a.action, Lift)][1]
        assert episode.acts[back].at - episode.acts[back - 1].at >= NOTICED[0] - 0.001


def test_a_short_capture_that_is_put_right_brings_its_victims_back_out_of_the_box() -> None:
    kinds = Counter()
    for _, _, _, _, _, episode in episodes("short_capture, stopped", "rectified", 4):
        kinds.update(type(act.action).__name__ for act in episode.acts)
    assert kinds[PutBack.__name__]


def test_an_offender_who_is_asked_for_nothing_is_a_hand_like_any_other() -> None:
    quiet = replace(CLUB, centre=0.0)
    hand = Offender(initial(BRAZILIAN), quiet, 3)
    assert next(a.action.square for a in hand.play("c3-d4") if isinstance(a.action, Lift)) == AT("c3")
    assert hand.plies == 1
    assert hand.position == initial(BRAZILIAN).after(
        next(m for m in legal_moves(initial(BRAZILIAN)) if m.end == AT("d4") and m.start == AT("c3"))
    )
