"""Which chain of complete boards is believed."""

from __future__ import annotations

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.rules.position import Position
from damas_board.rules.variants import INTERNATIONAL
from damas_board.tracking.belief import best
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.sight import Sight
from damas_board.tracking.touches import Handled, Touches
from damas_board.tracking.unseen import through_gap, two_in_one_reading

PLAYABLE = INTERNATIONAL.geometry.playable_mask


def position(fen: str) -> Position:
    return read_fen(fen, INTERNATIONAL)


def square(name: str) -> int:
    return INTERNATIONAL.geometry.square(name)


def sight(occupied: int, unread: int = 0) -> Sight:
    empty = PLAYABLE & ~occupied
    return Sight(empty & ~unread, empty & ~unread, occupied & ~unread, PLAYABLE & ~unread)


def touched(start: Position, *moves: str) -> Touches:
    """What was touched when the moves were made, one reading each."""
    touches = Touches(0.2)
    touches.start(start.occupied)
    for at, text in enumerate(moves, 1):
        start = after(start, text)
        touches.see(start.occupied, float(at), float(at))
    return touches


def after(start: Position, *moves: str) -> Position:
    for text in moves:
        start = start.after(read_move(start, text))
    return start


def chain(start: Position, *moves: str, revises: bool = False) -> Chain:
    steps = []
    now = start
    for text in moves:
        then = after(now, text)
        steps.append(Step(now, read_move(now, text), then, 0.0, None, True))
        now = then
    return Chain(revises, start, tuple(steps))


START = position("W:W31,32,37:B19,20")


def test_going_on_is_likelier_than_revising_and_fewer_plies_than_more() -> None:
    one, two = chain(START, "32-28"), chain(START, "32-28", "20-25")
    revising = chain(START, "31-27", revises=True)
    assert best([two, one, revising]) == one
    assert best([revising, two]) == two
    assert best([]) is None


def test_two_positions_that_are_equally_likely_are_not_chosen_from() -> None:
    assert best([chain(START, "32-28"), chain(START, "31-27")]) is None


def test_the_same_position_by_other_moves_is_not_chosen_from() -> None:
    one = chain(START, "32-28", "20-25", "31-27")
    other = chain(START, "31-27", "20-25", "32-28")
    assert one.position == other.position
    assert best([one, other]) is None


def test_a_chain_grows_by_each_complete_board_that_was_read() -> None:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    first, second = after(START, "32-28"), after(START, "32-28", "20-25")
    assert [c.position for c in chains.see(sight(first.occupied), 1.0, touched(START, "32-28"))] == [first]
    held = chains.see(sight(first.occupied & ~(1 << square("20"))), 1.5, touched(START, "32-28"))
    assert all(chain.steps[-1].dim for chain in held)
    touches = touched(START, "32-28", "20-25")
    assert {c.position for c in chains.see(sight(second.occupied), 2.0, touches)} == {second}
    assert {c.position for c in chains.ending_at(sight(second.occupied))} == {second}


def test_a_ply_is_seen_dimly_while_the_next_player_holds_a_piece() -> None:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    moved = after(START, "32-28")
    touches = touched(START, "32-28")
    (dim,) = chains.see(sight(moved.occupied & ~(1 << square("20"))), 1.0, touches)
    assert (dim.position, dim.steps[-1].dim, dim.steps[-1].seen, dim.steps[-1].down) == (moved, True, False, None)
    (clear,) = chains.see(sight(moved.occupied), 2.0, touches)
    assert (clear.position, clear.steps[-1].dim, clear.steps[-1].seen) == (moved, False, True)
    two_off = sight(moved.occupied & ~(1 << square("20") | 1 << square("19")))
    fresh = Chains(PLAYABLE)
    fresh.restart(START, None)
    assert fresh.see(two_off, 1.0, touches) == []


def test_a_square_that_was_never_read_is_no_evidence() -> None:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    moved = after(START, "32-28")
    touches = touched(START, "32-28")
    assert chains.see(sight(moved.occupied, unread=1 << square("28")), 1.0, touches) == []
    assert chains.see(sight(moved.occupied, unread=1 << square("5")), 1.0, touches) != []


def handled(*touches: str) -> list[Handled]:
    return [Handled(float(n), square(t[1:]), t[0] == "-") for n, t in enumerate(touches, 1)]


def test_two_unseen_plies_need_both_pieces_lifted_and_put_down_in_their_order() -> None:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    now = sight(after(START, "32-28", "20-25").occupied)
    good = handled("-32", "-20", "+28", "+25")
    assert [c.position for c in two_in_one_reading(chains, now, good, 9.0, True)] == [after(START, "32-28", "20-25")]
    assert two_in_one_reading(chains, now, handled("-20", "+25", "-32", "+28"), 9.0, True) == []
    assert two_in_one_reading(chains, now, handled("-32", "+28", "+25"), 9.0, True) == []
    assert two_in_one_reading(chains, now, handled("-32", "-20", "+25"), 9.0, True) == []
    assert two_in_one_reading(chains, now, handled("-32", "-20", "+25"), 9.0, True, 1 << square("28")) != []
    assert two_in_one_reading(chains, now, handled("+28", "-20", "+25"), 9.0, True, 1 << square("32")) != []


def test_the_fewest_plies_explain_a_gap_and_a_crowded_search_is_given_up() -> None:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    found = through_gap(chains, sight(after(START, "32-28", "20-25").occupied), 3, 9.0)
    assert [c.position for c in found] == [after(START, "32-28", "20-25")]
    crowded = position("W:WK1,K2,K3,K4,K5:BK46,K47,K48,K49,K50")
    chains.restart(crowded, None)
    assert through_gap(chains, sight(0), 3, 9.0) == []


def test_a_reading_that_was_revised_stays_alive_for_what_follows() -> None:
    chains = Chains(PLAYABLE)
    ghost, real = after(START, "32-27"), after(START, "32-28")
    chains.restart(ghost, START)
    was = Step(START, read_move(START, "32-28"), real, 0.0, None, True)
    chains.restart(ghost, START, was)
    reply = after(real, "20-25")
    grown = chains.see(sight(reply.occupied), 2.0, touched(START, "32-28", "20-25"))
    assert [(c.revises, [s.after for s in c.steps]) for c in grown] == [(True, [real, reply])]
