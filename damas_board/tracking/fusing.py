"""What several sources read of one board, taken together.

Where they agree, or one of them does not read a square, what is known is the union of what they say: a sensor that
knows a piece and a camera that knows a colour know a white piece. Where one rules out what the other shows they
contradict each other; the foremost of those that read the square is then followed, for a moment.
"""

from __future__ import annotations

from collections.abc import Sequence

from damas_board.rules.geometry import squares_of
from damas_board.tracking.likelihood import LEAST, Likelihood, Likelihoods, product
from damas_board.tracking.sight import NOTHING, Sight


def fused(sights: Sequence[Sight]) -> tuple[Sight, int]:
    """What the sources, the foremost first, read together, and the squares on which they contradict each other."""
    if len(sights) == 1:
        return sights[0], 0
    not_white, not_black, not_empty, known = NOTHING
    contradicted = 0
    for sight in sights:
        read = sight.known
        clash = (not_white | sight.not_white) & (not_black | sight.not_black) & (not_empty | sight.not_empty) & known
        clash &= read
        new = read & ~clash
        not_white |= sight.not_white & new
        not_black |= sight.not_black & new
        not_empty |= sight.not_empty & new
        known |= read
        contradicted |= clash
    return Sight(not_white, not_black, not_empty, known), contradicted


def fused_doubts(doubts: Sequence[Likelihoods], known: int) -> Likelihoods:
    """Of the squares that one or more sources doubt, and none of them reads."""
    if len(doubts) == 1:
        return doubts[0]
    found: dict[int, Likelihood] = {}
    for each in doubts:
        for square, likelihood in each.items():
            if not known >> square & 1:
                found[square] = product(found[square], likelihood) if square in found else likelihood
    return found


def torn(sights: Sequence[Sight], squares: int) -> dict[int, Likelihood]:
    """Of squares on which sources contradict each other: what one of them says is as likely as what another does."""
    found = {}
    for square in squares_of(squares):
        states = (
            any(sight.known >> square & 1 and not ruled_out >> square & 1 for sight, ruled_out in each)
            for each in (
                [(sight, sight.not_empty) for sight in sights],
                [(sight, sight.not_white) for sight in sights],
                [(sight, sight.not_black) for sight in sights],
            )
        )
        found[square] = Likelihood(*(0.0 if said else LEAST for said in states))
    return found
