"""Chains that end on this board by a move that no rule allows, and when such a move may still go on."""

from __future__ import annotations

from damas_board.tracking.capture import CaptureReaders
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.irregular import irregular_move
from damas_board.tracking.sight import Sight
from damas_board.tracking.view import View


def irregular_chains(chains: Chains, sight: Sight, view: View) -> list[Chain]:
    """The chains that end on the board `sight` if one irregular move follows a head, whose piece came down in time."""
    found = []
    for chain in chains.alive:
        if (chain.open_ended and not chain.astray) or chain.unclear:
            continue
        irregular = irregular_move(chain.position, sight, view.playable)
        if irregular is not None:
            move, after, broken = irregular
            down = view.touches.came_down.get(move.end)
            found.append(chain.extended([Step(chain.position, move, after, view.changed_at, down, True, broken)]))
    return [chain for chain in found if chains.possible(chain, view.touches)]


def offences(chains: Chains, sight: Sight, view: View, captures: CaptureReaders, confirmed: bool) -> list[Chain]:
    """Those of them that may be meant: while a capture is under way, only captures that stopped.

    `confirmed`: the last ply is, and not revised by them.
    """
    alive = [c for c in chains.alive if not (c.open_ended or (c.revises and not c.steps and confirmed))]
    heads = {chain.position for chain in alive}
    under_way = {head for head in heads if captures.of_any_law(head).read(sight, ()) is not None}
    return [
        chain
        for chain in irregular_chains(chains, sight, view)
        if not (chain.revises and len(chain.steps) == 1 and confirmed)
        and (not under_way or (chain.steps[-1].before in under_way and chain.steps[-1].move.captured))
    ]


def goes_on(chain: Chain) -> bool:
    """Whether the last ply is a capture that may go on, in a game in which each piece is taken off at once."""
    step = chain.steps[-1]
    return step.broken is not None and step.broken.could_continue and step.before.variant.removal == "at_once"
