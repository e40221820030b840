"""Plies whose complete boards were never read: two in one reading, and a few while a link was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.sight import Sight, difference, disagreement
from damas_board.tracking.touches import Handled, Touches

MOST_IN_GAP = 1500
"""Unseen lines that are carried on through a gap: beyond, the search takes longer than a board may be kept waiting."""


def two_in_one_reading(
    chains: Chains, sight: Sight, handled: Sequence[Handled], at: float, revising: bool, hidden: int = 0
) -> list[Chain]:
    """Chains that end here if two plies, unseen between, follow a head: both pieces were lifted and put down.

    What happened on the squares `hidden` was not seen, but they are read now. `revising`: whether the recorded ply
    itself may be one of them.
    """
    found = []
    placed = {touch.square for touch in handled if not touch.lifted} | set(squares_of(hidden))
    for chain in chains.alive:
        if (chain.revises and not chain.steps and not revising) or chain.unclear or chain.irregular:
            continue
        since = chain.steps[-1].at if chain.steps else float("-inf")
        for stood, move, after in _first_moves(chains, chain):
            if move.end not in placed:
                continue
            for reply in legal_moves(after):
                if reply.end not in placed:
                    continue
                position = after.after(reply)
                ways = (stood, move.end), (reply.start, reply.end)
                if _shows(chains, chain.position, position, sight) and _handled_in_order(handled, hidden, since, ways):
                    found.append(chain.extended(_unseen_steps(chain.position, (move, reply), at)))
    return found


def _first_moves(chains: Chains, chain: Chain) -> Iterator[tuple[int, Move, Position]]:
    """The moves at the head of `chain`, each with where its piece stands before it and what it leads to.

    At the root before the recorded ply that is where this ply has brought its piece; the ply itself is left out.
    """
    anew = chain.revises and not chain.steps
    moved = chains.current.pieces(chain.root.turn) & ~chain.root.pieces(chain.root.turn)
    for move, after in chains.followers(chain.position):
        if not anew:
            yield move.start, move, after
        elif after != chains.current:
            yield next(squares_of(moved), move.start), move, after


def through_gap(chains: Chains, sight: Sight, plies: int, at: float, *, held: bool = False) -> list[Chain]:
    """Chains of at most `plies` unseen plies from the recorded position, the fewest plies only.

    `held`: the next player may already have a piece in the hand.
    No chain where the position has so many moves that the search would take too long. Each ply fills one square at
    most, so a line is dropped when more squares have to be filled than it has plies left.
    """
    root = chains.current
    level: list[tuple[Position, tuple[Move, ...]]] = [(root, ())]
    for left in reversed(range(plies)):
        following = []
        for position, moves in level:
            for move in legal_moves(position):
                after = position.after(move)
                if (sight.occupied & ~after.occupied).bit_count() <= left:
                    following.append((after, (*moves, move)))
        found = [moves for position, moves in following if _shows(chains, root, position, sight, held=held)]
        if found:
            return [Chain(False, root, tuple(_unseen_steps(root, moves, at))) for moves in found]
        level = following
        if len(level) > MOST_IN_GAP:
            return []
    return []


def behind_hands(
    chains: Chains, sight: Sight, plies: int, touches: Touches, at: float, *, held: bool = False
) -> list[Chain]:
    """As `through_gap`: all of what was not seen of the plies happened on squares that were hidden meanwhile."""
    left = {touch.square for touch in touches.handled if touch.lifted} | set(squares_of(touches.hidden))
    came = {touch.square for touch in touches.handled if not touch.lifted} | set(squares_of(touches.hidden))
    return [
        chain
        for chain in through_gap(chains, sight, plies, at, held=held)
        if all({step.move.start, *step.move.captured} <= left and step.move.end in came for step in chain.steps)
    ]


def _shows(chains: Chains, head: Position, position: Position, sight: Sight, *, held: bool = False) -> bool:
    """Whether the board agrees with `position`, and each square that has changed since `head` was read."""
    unread = difference(head, position) & ~sight.known & ~chains.unread
    off = disagreement(position, sight, chains.playable)
    if off and held and not off & (off - 1):
        off &= ~position.pieces(position.turn) | sight.not_empty
    return not off and not unread


def _unseen_steps(position: Position, moves: Iterable[Move], at: float) -> list[Step]:
    steps = []
    for move in moves:
        after = position.after(move)
        steps.append(Step(position, move, after, at, None, False))
        position = after
    return steps


def _handled_in_order(handled: Sequence[Handled], hidden: int, since: float, plies: Sequence[tuple[int, int]]) -> bool:
    """Whether each ply's piece was lifted from its square and then put down, one ply's piece after the other's.

    On `hidden` squares that may have been, unseen, whenever it fits.
    """
    begin = since
    for start, end in plies:
        unseen = hidden >> start & 1
        ups = (touch.at for touch in handled if touch.lifted and touch.square == start and touch.at >= since)
        lifted = begin if unseen else next(ups, None)
        if lifted is None:
            return False
        after = max(lifted, begin)
        downs = (touch.at for touch in handled if not touch.lifted and touch.square == end and touch.at >= after)
        down = after if hidden >> end & 1 else next(downs, None)
        if down is None:
            return False
        begin = down
    return True
