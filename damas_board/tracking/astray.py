"""Pieces astray: captured ones that still stand, and pieces that are gone without having been captured.

How it works. Neither is a move; both change what the last ply led to. So that ply gets a second reading, an irregular
one, beside the regular one: with the captured pieces still there, or with the missing ones gone. Both readings stay
alive, and the reply tells from which of them the players went on.

`recorded` is the last recorded ply as a chain that revises; None where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.tracking.belief import best
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.irregular import Irregularity, left_standing, taken_off
from damas_board.tracking.view import View


class Missing(NamedTuple):
    """Pieces that are gone though nothing captured them, as sets of squares."""

    removed: tuple[int, ...]
    """The sets that may have been taken off, each a reading of the last ply to be kept alive."""
    accused: int
    """Those of which it is told."""


def last_plies(chains: Chains, recorded: Chain | None) -> list[Chain]:
    """The readings of the last ply: as chains of complete boards have it, and at last as it is recorded."""
    found = [chain for chain in chains.alive if chain.steps and not chain.irregular]
    return found if recorded is None else [*found, recorded]


def without(chain: Chain, gone: int, view: View) -> Chain:
    """The chain with its last ply followed by nothing but the removal of the pieces `gone`."""
    last = chain.steps[-1]
    since = max((view.touches.went_up.get(s, view.changed_at) for s in squares_of(gone)), default=None)
    earlier = () if last.broken is None else (last.broken.kind, *last.broken.also)
    also = tuple(kind for kind in earlier if kind != "removed_wrongly")
    broken = Irregularity("removed_wrongly", last.side, also=also, squares=gone, since=since)
    step = last._replace(after=taken_off(last.after, gone), broken=broken)
    return replace(chain, steps=(*chain.steps[:-1], step))


def missing_from(position: Position, view: View, at: float) -> Missing | None:
    """The pieces of `position` that were taken off; None if something else is otherwise, or nothing.

    A piece of the side to move is in a hand, unless another piece is off as well.
    """
    off = view.off(position)
    gone = off & position.occupied & ~view.sight.not_empty
    if not off or off != gone:
        return None
    since = {square: view.touches.went_up.get(square, at) for square in squares_of(gone)}
    own = [square for square in since if position.pieces(position.turn) >> square & 1]
    if not own:
        return Missing((gone,), gone)
    first = 1 << min(own, key=lambda s: since[s])
    accused = gone & ~(1 << max(own, key=lambda s: since[s]))
    return Missing((first, accused) if accused else (first,), accused)


def after_removal(readings: Iterable[Chain], view: View) -> list[Chain]:
    """Replies to the last ply, one of `readings`, with pieces missing that nothing captured."""
    found = []
    for chain in readings:
        gone = view.off(chain.position) & chain.position.occupied & ~view.sight.not_empty
        one_by_one = [1 << square for square in squares_of(gone)]
        if len(one_by_one) < 2:
            continue
        for missing in dict.fromkeys((*one_by_one, *(gone & ~bit for bit in one_by_one))):
            found += _replies(without(chain, missing, view), view)
    return found


def after_leaving(readings: Iterable[Chain], told: int, view: View) -> list[Chain]:
    """Replies to the last ply, one of `readings`, with captured pieces of it, of the set `told`, still standing."""
    found = []
    for chain in readings:
        last = chain.steps[-1]
        still = last.move.captured_mask & view.sight.occupied & told
        if chain.revises and len(chain.steps) == 1 and still and last.broken is None:
            less, after, broken = left_standing(last.before, last.move, still, last.at)
            left = replace(chain, steps=(*chain.steps[:-1], last._replace(move=less, after=after, broken=broken)))
            found += _replies(left, view)
    return found


def _replies(chain: Chain, view: View) -> list[Chain]:
    """`chain` with each legal reply to it that ends on this board."""
    position = chain.position
    found = []
    for move in legal_moves(position):
        after = position.after(move)
        if not view.off(after):
            down = view.touches.came_down.get(move.end)
            found.append(chain.extended([Step(position, move, after, view.changed_at, down, True)]))
    return found


def left_behind(position: Position, move: Move, still: int, view: View, at: float, *, revises: bool) -> Chain:
    """`move`, a capture of `position`, with the captured pieces `still` standing, for the reply to build on."""
    less, after, broken = left_standing(position, move, still, at)
    down = view.touches.came_down.get(move.end)
    return Chain(revises, position, (Step(position, less, after, at, down, True, broken),))


def complete_but_for_missing(chains: Chains, view: View, at: float) -> Chain | None:
    """A legal ply after which pieces are missing, and nothing else is otherwise: in a hand, or taken off."""
    found: list[Chain] = []
    for chain in chains.alive:
        if chain.open_ended or (chain.revises and not chain.steps):
            continue
        if chain.steps and view.only_missing(chain.position):
            found.append(chain)
        for move, after in chains.followers(chain.position):
            if view.only_missing(after) and view.sight.occupied >> move.end & 1:
                found.append(chain.extended([Step(chain.position, move, after, at, None, False)]))
    return best(found)
