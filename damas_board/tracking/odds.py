"""Which lawful explanation of a board with doubtful squares is far likelier than any other.

How the choice is made. Where squares are in doubt several boards agree with what was read. Each explanation - no move,
a legal move, one taken back, two plies - is as likely as the product of the likelihoods of what it has on the doubtful
squares. The likeliest is believed where it is `RATIO` times as likely as each that contradicts it (`supported`). A near
tie is not believed: a later reading tells, or the plies that follow, as what was played before them becomes plain.

What contradicts a ply: every lawful line that does not go through it; the same turn not yet over, with the piece in
the hand or a captured piece still standing; and a board that no rule explains, which is rarer by `UNLAWFUL`. Lines that
go on from a ply do not contradict it, so a ply is believed before it is known whether the reply has begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import NamedTuple

from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.likelihood import Likelihoods, weight
from damas_board.tracking.view import View

RATIO = 30.0
"""So many times as likely as any other has an explanation to be. By likelihoods that mean what they say, one in thirty
of the plies that are only just believed is wrong; they are few, and what follows revises them. Much more and one
doubtful square, which is seldom surer than 97 to 3, could never be believed; much less and a camera's slip would be."""
UNLAWFUL = RATIO**2
"""So many times rarer than lawful play are boards that no rule explains."""
MOST_OFF = 9
"""Behind a ply that leaves more squares otherwise than this, no reply puts them right."""


class Weighed(NamedTuple):
    """An explanation and the logarithm of its likelihood."""

    chain: Chain
    log: float


def explanations(chains: Chains, view: View) -> list[Weighed]:
    """The lawful lines whose last board agrees with all that was read, the likeliest first."""
    found: dict[tuple[object, ...], Weighed] = {}
    for chain in _lines(chains, view):
        key = chain.revises, chain.position, _way(chain)
        if key not in found:
            found[key] = Weighed(chain, weight(chain.position, view.doubts))
    return sorted(found.values(), key=lambda each: (-each.log, each.chain.revises, len(each.chain.steps)))


def _lines(chains: Chains, view: View) -> Iterator[Chain]:
    for chain in chains.alive:
        if chain.irregular or chain.doubt:
            continue
        if not view.plainly_off(chain.position):
            yield chain
        anew = chain.revises and not chain.steps
        for move, after in chains.followers(chain.position):
            if anew and after == chains.current:
                continue  # the recorded ply itself
            further = chain.extended([_unseen(chain.position, move, after, view)])
            off = view.plainly_off(after)
            if not off:
                yield further
            if not chain.steps and off.bit_count() <= MOST_OFF and _begins(move, chain.position, view):
                for reply, then in chains.followers(after):
                    if not view.plainly_off(then):
                        yield further.extended([_unseen(after, reply, then, view)])


def _begins(move: Move, position: Position, view: View) -> bool:
    """Whether the board does not plainly show that the piece of `move` stands where it stood."""
    doubtful = view.plainly_off(position) | view.uncertain
    return bool(doubtful & (1 << move.start | 1 << move.end))


def _unseen(before: Position, move: Move, after: Position, view: View) -> Step:
    return Step(before, move, after, view.changed_at, None, False, likely=True)


def _way(chain: Chain) -> tuple[Position, ...]:
    return tuple(step.after for step in chain.steps)


def explained(chains: Chains, view: View) -> bool:
    """Whether a lawful board, or one whose turn is not over yet, agrees with all that was read."""
    heads = (chain for chain in chains.alive if not chain.irregular and not chain.doubt)
    if any(_lifted(head.position, view) for head in heads):
        return True
    return next(_lines(chains, view), None) is not None


def supported(chain: Chain, weighed: list[Weighed], view: View, pressed: Side | None = None) -> bool:
    """Whether the plies of `chain` are far likelier than all that contradicts them, `weighed` and not over yet.

    `pressed`: who has pressed the lever, and so has no piece in the hand.
    """
    way = _way(chain)
    if chain.steps:
        agreeing = [each for each in weighed if _way(each.chain)[: len(way)] == way]
    else:
        agreeing = [each for each in weighed if each.chain.position == chain.position]
    best = max((each.log for each in agreeing), default=None)
    if best is None:
        return False
    rivals = [each.log for each in weighed if each not in agreeing and each.chain.position != chain.position]
    rivals.append(-log(UNLAWFUL))
    for step in chain.steps:
        rivals += _not_over(step, view, pressed)
    return best - max(rivals) >= log(RATIO)


def likeliest(chains: Chains, view: View, *, confirmed: bool, pressed: Side | None = None) -> Chain | None:
    """The line that is believed by doubtful squares: it changes the record, and is far likelier than any other.

    Of the likeliest line the first plies, where only they are. None where the likeliest is that nothing was played,
    where nothing is believed, and where no doubtful square has a part in it. `confirmed`: the last ply is, so that no
    doubtful square revises it.
    """
    weighed = explanations(chains, view)
    if not weighed:
        return None
    chain = weighed[0].chain
    if chain.position == chains.current or (chain.revises and confirmed):
        return None
    if not chain.steps:
        return chain if _concerned(chains.current, chain.position, view) and supported(chain, weighed, view) else None
    for plies in range(len(chain.steps), 0, -1):
        steps = tuple(step._replace(dim=False, likely=step.likely or step.dim) for step in chain.steps[:plies])
        part = Chain(chain.revises, chain.root, steps, inherited=chain.inherited)
        if supported(part, weighed, view, pressed):
            return part if any(_concerned(step.before, step.after, view) for step in steps) else None
    return None


def likely(found: list[Chain], view: View) -> list[Chain]:
    """Those of the chains that are not far less likely, by the squares in doubt, than another one or than any board."""
    weights = [weight(chain.position, view.doubts) for chain in found]
    least = max(weights, default=0.0) - log(RATIO)
    return [chain for chain, each in zip(found, weights, strict=True) if each >= max(least, -log(RATIO))]


def _concerned(before: Position, after: Position, view: View) -> bool:
    """Whether the two differ where a square is in doubt."""
    return bool((before.white ^ after.white | before.black ^ after.black) & view.uncertain)


def _not_over(step: Step, view: View, pressed: Side | None) -> Iterator[float]:
    """How likely boards are on which the turn of `step` has begun and is not over: in the hand, or still standing."""
    before, move, after = step.before, step.move, step.after
    doubts = view.doubts
    if not move.captured:
        if pressed is not before.turn:
            yield from _lifted(before, view)
        return
    if view.plainly_off(after):
        return
    over = weight(after, doubts)
    standing = [
        _of(doubts, square, before) - _of(doubts, square, after)
        for square in squares_of(move.captured_mask & view.uncertain & ~(1 << move.end))
    ]
    gained = sum(max(0.0, each) for each in standing)
    if standing:
        yield over + (gained if gained > 0 else max(standing))
    if view.uncertain >> move.end & 1 and pressed is not before.turn:
        likelihood = doubts[move.end]
        yield over - likelihood.of(after, move.end) + likelihood.empty + gained


def _lifted(position: Position, view: View) -> list[float]:
    """How likely boards are on which the player to move has one piece of `position` in the hand."""
    off = view.plainly_off(position)
    own = position.pieces(position.turn)
    squares = off if off else own & view.uncertain
    if off & (off - 1) or off & ~own or off & view.plain.not_empty:
        return []
    whole = weight(position, view.doubts)
    found = []
    for square in squares_of(squares):
        likelihood = view.doubts.get(square)
        found.append(whole if likelihood is None else whole - likelihood.of(position, square) + likelihood.empty)
    return found


def _of(doubts: Likelihoods, square: int, position: Position) -> float:
    return doubts[square].of(position, square)
