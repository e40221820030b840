"""Pieces in the air: whether a board is incomplete only because a hand holds what is missing."""

from __future__ import annotations

from damas_board.rules.position import Move
from damas_board.tracking.belief import came_before_it_went
from damas_board.tracking.chains import Chains
from damas_board.tracking.view import View


def in_a_hand(chains: Chains, view: View) -> bool:
    """Whether the last thing that happened is that the player to move lifted a piece from a complete board."""
    handled = view.touches.handled
    if not handled or not handled[-1].lifted:
        return False
    bit = 1 << handled[-1].square
    return any(
        not chain.open_ended
        and bool(chain.position.pieces(chain.position.turn) & bit)
        and view.off(chain.position) == bit
        for chain in chains.alive
    )


def in_the_air(chains: Chains, last: Move | None, view: View) -> bool:
    """Whether pieces are missing from a board that was complete, and nothing has come down anywhere else.

    From the board before the last ply only its piece can be missing, which is then on its way back.
    """
    for chain in chains.alive:
        off = view.off(chain.position)
        back = chain.revises and not chain.steps
        if back and (off & (off - 1) or (last is not None and came_before_it_went(last, view))):
            continue
        if not chain.open_ended and not off & ~chain.position.occupied:
            return True
    return False
