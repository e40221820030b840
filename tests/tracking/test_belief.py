"""What may be believed of a board now, and what has to wait."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tracking.test_chains import PLAYABLE, START, after, chain, sight, square, touched

from damas_board.rules.side import Side
from damas_board.tracking.belief import Belief, best
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.doubt import doubting
from damas_board.tracking.irregular import Irregularity, irregular_move
from damas_board.tracking.touches import OVERLAP
from damas_board.tracking.view import View

AFTER = after(START, "32-28")


def view(occupied: int, changed_at: float = 0.0) -> View:
    seen = View(PLAYABLE, 0.2)
    seen.sight = sight(occupied)
    seen.changed_at = changed_at
    return seen


def belief(chains: Chains, seen: View, at: float, *, confirmed: bool = False, told: bool = False) -> Belief:
    return Belief(chains, seen, at, 1.0, 4.0, None, told, confirmed)


def following(*alive: Chain) -> Chains:
    chains = Chains(PLAYABLE)
    chains.restart(START, None)
    chains.alive += alive
    return chains


def backwards() -> Chain:
    """32-38 backwards, which no rule allows."""
    board = START.occupied & ~(1 << square("32")) | 1 << square("38")
    irregular = irregular_move(START, sight(board), PLAYABLE)
    assert irregular is not None
    move, then, broken = irregular
    return Chain(False, START, (Step(START, move, then, 1.0, 1.0, True, broken),))


def test_a_regular_reading_is_believed_before_an_irregular_one() -> None:
    assert best([backwards(), chain(START, "32-28", revises=True)]) == chain(START, "32-28", revises=True)


def test_an_irregular_move_is_not_finished_by_settling_and_with_one_reply_the_board_has_to_rest() -> None:
    alone = backwards()
    replied = alone.extended(chain(alone.position, "20-25").steps)
    seen = view(replied.position.occupied, changed_at=2.0)
    chains = following(alone, replied)
    assert belief(chains, seen, 2.3).finished([alone]) == []
    assert belief(chains, seen, 2.3).finished([replied]) == []
    assert belief(chains, seen, 3.0).finished([replied]) == [replied]


def test_an_irregular_move_that_two_plies_have_built_on_need_not_rest() -> None:
    alone = backwards()
    built_on = alone.extended(chain(alone.position, "20-25", "37-32").steps)
    seen = view(built_on.position.occupied, changed_at=2.0)
    assert belief(following(built_on), seen, 2.3).finished([built_on]) == [built_on]


def test_a_doubted_square_has_to_be_wrong_for_long_or_two_plies_have_to_fit() -> None:
    one = replace(chain(START, "32-28"), doubt=1 << square("32"), doubted=1.0)
    two = replace(chain(START, "32-28", "20-25"), doubt=1 << square("32"), doubted=1.0)
    seen = view(AFTER.occupied | 1 << square("32"))
    assert belief(following(one), seen, 4.9).finished([one]) == []
    assert belief(following(one), seen, 5.0).finished([one]) == [one]
    assert belief(following(two), seen, 1.5).finished([two]) == [two]


def test_of_two_doubts_that_go_as_far_neither_is_believed() -> None:
    one = replace(chain(START, "32-28", "20-25"), doubt=1 << square("32"), doubted=1.0)
    other = replace(chain(START, "31-27", "20-25"), doubt=1 << square("31"), doubted=1.0)
    chains = following(one, other)
    assert belief(chains, view(one.position.occupied), 9.0).finished([one]) == []


def test_nobody_is_accused_while_a_sensor_that_errs_explains_the_board_as_well() -> None:
    accused = backwards()
    accused = accused.extended(chain(accused.position, "20-25").steps)
    ghost = 1 << square("50")
    doubt = replace(chain(START, "32-28", "20-25"), doubt=ghost, doubted=1.0)
    seen = view(accused.position.occupied | ghost)
    assert belief(following(accused), seen, 9.0).finished([accused]) == [accused]
    assert belief(following(accused, doubt), seen, 9.0).finished([accused]) == []


def test_a_removed_piece_has_been_missing_for_long_or_was_told() -> None:
    step = chain(START, "32-28").steps[0]
    gone = Irregularity("removed_wrongly", Side.WHITE, squares=1 << square("37"), since=1.0)
    white = step.after.white & ~(1 << square("37"))
    removed = Chain(True, START, (step._replace(after=step.after._replace(white=white), broken=gone),))
    replied = removed.extended(chain(removed.position, "20-25").steps)
    chains, seen = following(replied), view(replied.position.occupied)
    assert belief(chains, seen, 4.9).finished([replied]) == []
    assert belief(chains, seen, 4.9).matures([replied]) == 5.0
    assert belief(chains, seen, 5.0).finished([replied]) == [replied]
    assert belief(chains, seen, 2.0, told=True).finished([replied]) == [replied]


def test_nothing_dim_reads_a_confirmed_ply_otherwise() -> None:
    steps = chain(START, "32-28", "20-25").steps
    dim = Chain(True, START, (steps[0]._replace(dim=True, seen=False), steps[1]))
    chains, seen = following(dim), view(dim.position.occupied)
    assert belief(chains, seen, 9.0).finished([dim]) == [dim]
    assert belief(chains, seen, 9.0, confirmed=True).finished([dim]) == []


def test_a_square_that_still_says_a_piece_stands_there_is_doubted_with_the_move_that_left_it() -> None:
    chains = following()
    seen = view(AFTER.occupied | 1 << square("32"))
    seen.touches = touched(START, "32-28")
    doubts = {(tuple(step.move[:2] for step in c.steps), c.doubt) for c in doubting(chains, seen, 1.0, 0, False)}
    assert (((square("32"), square("28")),), 1 << square("32")) in doubts
    assert ((), 1 << square("28")) in doubts
    assert all(c.doubt != 1 << square("28") for c in doubting(chains, seen, 1.0, 1 << square("28"), False))


@pytest.mark.parametrize(("overlap", "down", "believed"), [
    (OVERLAP, 2.95, True), (OVERLAP, 2.6, False), (0.6, 2.6, True), (0.6, 2.3, False), (0.6, 3.4, True)
])  # fmt: skip
def test_a_move_is_taken_back_by_a_piece_that_came_down_no_longer_before_it_was_lifted_than_a_scan_takes(
    overlap: float, down: float, believed: bool
) -> None:
    seen = View(PLAYABLE, 0.2, overlap)
    seen.touches.start(START.occupied)
    seen.touches.see(AFTER.occupied, 1.0, 1.0)
    seen.touches.due(2.0)
    gone, back = 1 << square("28"), 1 << square("32")
    for at, board in sorted([(down, AFTER.occupied | back), (3.0, AFTER.occupied & ~gone)]):
        seen.touches.see(START.occupied if at == max(down, 3.0) else board, at, at)
    seen.sight = sight(START.occupied)
    taken_back = Chain(True, START, ())
    (last,) = [step.move for step in chain(START, "32-28").steps]
    believing = Belief(following(taken_back), seen, 9.0, 1.0, 4.0, last, False, False)
    assert (believing.finished([taken_back]) == [taken_back]) is believed
