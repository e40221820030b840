"""Chains that doubt a square: what the readings mean if one sensor says the same for ever, whatever stands there.

A board that one wrong square keeps from being complete shows either a piece that is not there, or an empty square where
a piece came down. For a chain that doubts it the square is unread; how long it has to wait is `Belief.matured`.
"""

from __future__ import annotations

from dataclasses import replace

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.view import View

MOST_WRONG = 9
"""A reply changes no more squares than this where another ply is looked for before it."""


def doubting(chains: Chains, view: View, at: float, left: int, revising: bool) -> list[Chain]:
    """Chains that end on this board if one square of it is wrong: it says that a piece stands where none does, or that
    the piece of a ply that has been replied to does not stand where it came down.

    `left`: the captured pieces of which it was told that they still stood; there no sensor errs. `revising`: whether
    the recorded ply itself may be read otherwise.
    """
    found = []
    for chain in chains.alive:
        if chain.open_ended or chain.irregular or chain.unclear or (chain.revises and not revising):
            continue
        off = view.off(chain.position)
        if off.bit_count() == 1 and not off & (chain.position.occupied | left):
            found.append(replace(chain, doubt=off, doubted=at))
        found += [c for c in _by_one_move_more(chains, chain, off, view, at) if not c.doubt & left]
    return [chain for chain in found if not chain.steps or chains.possible(chain, view.touches)]


def _by_one_move_more(chains: Chains, chain: Chain, off: int, view: View, at: float) -> list[Chain]:
    """`chain`, which differs from the board in `off`, with a further move, or two, that end here but for one square."""
    found = []
    head, sight = chain.position, view.sight
    gone = off & head.pieces(head.turn) & ~sight.not_empty
    came = off & sight.not_empty & ~head.occupied
    for move, after in chains.followers(head):
        if chain.revises and not chain.steps and after == chains.current:
            continue  # the recorded ply itself
        wrong = view.off(after)
        elsewhere = not wrong & (1 << move.end | move.captured_mask)
        if wrong.bit_count() == 1 and elsewhere:
            step = Step(head, move, after, at, None, False)
            found.append(replace(chain.extended([step]), doubt=wrong, doubted=at))
        elif wrong.bit_count() <= MOST_WRONG and (gone >> move.start & 1 or came >> move.end & 1):
            found += _replied_to(chain, move, after, view, at)
    return found


def _replied_to(chain: Chain, move: Move, after: Position, view: View, at: float) -> list[Chain]:
    """`chain` with `move`, one of whose squares says what it said before, and the replies that end here."""
    found = []
    start, end = 1 << move.start, 1 << move.end
    sight = view.sight
    stuck = start if sight.not_empty & start and sight.not_empty & end else 0
    for reply in legal_moves(after):
        position = after.after(reply)
        wrong = view.off(position)
        if wrong not in (0, stuck, end):
            continue
        dim = wrong != start
        first = Step(chain.position, move, after, at, None, False, dim=dim)
        then = Step(after, reply, position, at, None, False)
        found.append(replace(chain.extended([first, then]), doubt=end if dim else start, doubted=at))
    return found


def rivals(chains: Chains, chain: Chain) -> bool:
    """Whether another chain that doubts a square goes as far as `chain`, by other moves: one of them is wrong."""
    moves = [step.move[:2] for step in chain.steps]
    return any(
        other.doubt
        and other.doubt != chain.doubt
        and other.revises == chain.revises
        and len(other.steps) >= len(moves)
        and [step.move[:2] for step in other.steps[: len(moves)]] != moves
        for other in chains.alive
    )
