"""Which complete boards did the readings go through? The heart of following a game.

How it works. 'Which legal move gives this board' is the wrong question: two pieces in the air can look like two
finished captures, a dragged king passes over squares where it could have stopped, and fast players never leave the
board still. The right one is: through which chain of complete boards did the readings go? A chain starts at a root -
the position after the last recorded ply, or the one before it, since that ply may still be taken back or go on - and
every reading that equals the result of a legal move at a chain's head makes a longer chain. Slides, replies before
settling, capture and recapture, and revisions all come out of it; two pieces in the air are refused since the board
between the two moves was never seen.

A chain is only believed when the board is still on its head; which one is `belief.py`'s. When no chain ends there,
plies that were not seen (`unseen.py`), moves that no rule allows (`offences.py`), pieces astray (`astray.py`) and a
sensor that errs (`doubt.py`) are tried: their chains live on beside the others, and the next readings tell.

A move onto a square that cannot be read looks like a piece in the hand; such a chain lives on in the dim, and the reply
tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.tracking.irregular import Irregularity
from damas_board.tracking.sight import Sight, difference, disagreement, without
from damas_board.tracking.touches import Touches

MOST_CHAINS = 48
"""More are never alive in play; the oldest is dropped, so that a faulty board cannot make the search grow."""
BUILT_ON = 3
"""How many plies a chain must have before its first is believed without stillness."""


class Step(NamedTuple):
    """One ply of a chain."""

    before: Position
    move: Move
    after: Position
    at: float
    """When its complete board was first read."""
    down: float | None
    """When the piece came down on its last square, if that was seen."""
    seen: bool
    """False if the complete board was never read, or only after a gap."""
    broken: Irregularity | None = None
    dim: bool = False
    """Its last square cannot be relied on: that the piece came down there is only concluded."""
    likely: bool = False
    """Squares of it were in doubt: it is what they were likeliest to show."""

    @property
    def side(self) -> Side:
        """Who made it."""
        return self.before.turn if self.broken is None else self.broken.side

    @property
    def astray(self) -> bool:
        """Behind it pieces were left on the board, or taken off it."""
        return self.broken is not None and self.broken.squares != 0


@dataclass(frozen=True, slots=True)
class Chain:
    """Complete boards from a root; `revises` if the root is the position before the last recorded ply."""

    revises: bool
    root: Position
    steps: tuple[Step, ...] = ()
    guessed: int = 0
    """How many of the first steps were found by searching through a gap."""
    inherited: int = 0
    """1 if the recorded ply that it follows is irregular, and not confirmed: it might be revised instead."""
    doubt: int = 0
    """Squares that this chain takes for wrong."""
    doubted: float = 0.0
    """When it began to."""

    @property
    def position(self) -> Position:
        return self.steps[-1].after if self.steps else self.root

    @property
    def irregular(self) -> int:
        """How many of its plies no rule allows."""
        return sum(step.broken is not None for step in self.steps)

    @property
    def open_ended(self) -> bool:
        """Its last ply is irregular, or was not seen to end: stillness, or the next player, has to speak for it."""
        return bool(self.steps) and (self.steps[-1].broken is not None or self.steps[-1].dim)

    @property
    def unclear(self) -> int:
        """How many squares have to be wrong, or not to be relied on, for it to be true."""
        return self.doubt.bit_count() + sum(step.dim for step in self.steps)

    @property
    def astray(self) -> bool:
        """Its last ply is one after which pieces were left on the board, or taken off it."""
        return bool(self.steps) and self.steps[-1].astray

    def extended(self, steps: Sequence[Step]) -> Chain:
        return replace(self, steps=self.steps + tuple(steps))


class Chains:
    """The chains that the readings since the last recorded ply allow."""

    def __init__(self, playable: int) -> None:
        self.playable = playable
        self.unread = 0
        """Squares that are not relied on, or in doubt."""
        self.doubtful = 0
        """Those of them that are only in doubt."""
        self.alive: list[Chain] = []
        self._revised: list[Step] = []
        self._astray: list[Chain] = []
        self._followers: dict[Position, tuple[tuple[Move, Position], ...]] = {}

    @property
    def current(self) -> Position:
        """The recorded position."""
        return self.alive[0].root

    def restart(
        self, current: Position, before: Position | None, was: Step | None = None, *, irregular: bool = False
    ) -> None:
        """Begins anew from the recorded position, and from the one before its last ply where that is still open.

        `irregular`: that ply is, and it is not confirmed.

        `was`, the reading of that ply that has just been revised, stays alive: a ghost may have looked like a move,
        and what follows tells which reading was right.
        """
        if not self._revised or before != self._revised[0].before:
            self._revised = []
        self._astray = [chain for chain in self._astray if chain.root == before]
        if was is not None:
            self._revised.append(was)
        self.alive = [Chain(False, current, inherited=int(irregular))]
        if before is not None:
            self.alive.append(Chain(True, before))
            readings = {step.after: step for step in self._revised if step.after != current}
            self.alive += [Chain(True, before, (step,)) for step in readings.values()]
            self.alive += [chain for chain in self._astray if chain.position != current]
        kept = {chain.position for chain in self.alive}
        self._followers = {p: f for p, f in self._followers.items() if p in kept}

    def advance(self, chain: Chain) -> None:
        """The first ply of `chain` was recorded: chains that do not begin with it are dropped."""
        first = chain.steps[0]
        kept = [
            replace(other, revises=False, root=first.after, steps=other.steps[1:], guessed=max(other.guessed - 1, 0))
            for other in self.alive
            if other.steps and other.revises == chain.revises and other.steps[0] == first
        ]
        self.alive = [Chain(False, first.after), Chain(True, first.before), *(c for c in kept if c.steps)]

    def followers(self, position: Position) -> tuple[tuple[Move, Position], ...]:
        """The legal moves and what they lead to."""
        found = self._followers.get(position)
        if found is None:
            found = tuple((move, position.after(move)) for move in legal_moves(position))
            self._followers[position] = found
        return found

    def see(self, sight: Sight, at: float, touches: Touches, seen: bool = True) -> list[Chain]:
        """Extends the chains by a reading; returns the new ones. `seen`: false after a gap.

        Where another side's piece would have to stand than in the record, the square must have changed since. A piece
        that would have come down well before it was lifted was not seen to come down. Of several chains of the same
        length to one position, the one whose last board came later is kept: a dragged or badly put piece stands on its
        last square last.
        """
        current = self.current
        longer: list[Chain] = []
        for chain in reversed(self.alive):
            view = without(sight, chain.doubt)
            for move, after in self.followers(chain.position):
                if chain.revises and not chain.steps and after == current:
                    continue  # the recorded ply itself
                step = self._step(chain, move, after, view, at, touches, seen)
                if step is not None:
                    longer.append(chain.extended([step]))
        heads = {_head(chain) for chain in self.alive} if longer else set()
        new: dict[tuple[object, ...], Chain] = {}
        for chain in longer:
            key = _head(chain)
            if key not in heads and not (key in new and len(new[key].steps) <= len(chain.steps)):
                new[key] = chain
        self.alive += reversed(new.values())
        roots = 2 if len(self.alive) > 1 and self.alive[1].revises and not self.alive[1].steps else 1
        if len(self.alive) > MOST_CHAINS:
            del self.alive[roots : len(self.alive) - MOST_CHAINS + roots]
        return list(reversed(new.values()))

    def _step(
        self, chain: Chain, move: Move, after: Position, view: Sight, at: float, touches: Touches, seen: bool
    ) -> Step | None:
        """`move` as the next ply of `chain`, if the reading `view` shows what it leads to.

        It is seen dimly if its last square is not relied on, if what stands there came down too early, or if the next
        player holds a piece already.
        """
        off = disagreement(after, view, self.playable)
        held = off & after.pieces(after.turn) & ~view.not_empty
        if off and (off != held or off & (off - 1) or not seen):
            return None
        head = chain.position
        doubtful = self.unread | chain.doubt
        unread = difference(head, after) & ~view.known
        if unread & ~doubtful or unread & (unread - 1):
            return None
        if seen and swapped(self.current, after) & ~(touches.changed | doubtful):
            return None
        early = seen and move.start != move.end and _arrived_early(move, touches)
        dim = bool(off) or early or bool(unread >> move.end & 1)
        certain = seen and not unread and not dim
        down = touches.came_down.get(move.end) if certain else None
        return Step(head, move, after, at, down, certain, dim=dim, likely=bool(unread & self.doubtful))

    def ending_at(self, sight: Sight) -> list[Chain]:
        """The chains whose head the board agrees with."""
        return [
            chain
            for chain in self.alive
            if not disagreement(chain.position, without(sight, chain.doubt), self.playable)
        ]

    def keep(self, chain: Chain) -> None:
        """Keeps alive a reading that later ones may build on, if it is not known yet."""
        if chain not in self.alive:
            self.alive.append(chain)

    def keep_astray(self, chain: Chain) -> None:
        """Keeps alive another reading of the last ply, by pieces astray, as long as that ply may be revised."""
        self.keep(chain)
        if chain not in self._astray:
            self._astray.append(chain)

    def assume(self, chain: Chain) -> None:
        """Keeps alive what a search through a gap has found, for later readings to build on."""
        moves = [step.move[:2] for step in chain.steps]
        if all([step.move[:2] for step in known.steps] != moves for known in self.alive):
            self.alive.append(replace(chain, guessed=len(chain.steps)))

    def possible(self, chain: Chain, touches: Touches) -> bool:
        """Whether the last ply's piece came down after it was lifted, and pieces changed where they would have to."""
        move = chain.steps[-1].move
        changed = touches.changed | self.unread | chain.doubt
        early = move.start != move.end and not chain.doubt >> move.end & 1 and _arrived_early(move, touches)
        return not early and not swapped(self.current, chain.position) & ~changed


def _head(chain: Chain) -> tuple[object, ...]:
    """What makes two chains ways to the same."""
    return chain.revises, chain.irregular, chain.doubt, chain.unclear, chain.position


def swapped(one: Position, other: Position) -> int:
    """The squares on which pieces of different sides stand in the two positions."""
    return one.white & other.black | one.black & other.white


def _arrived_early(move: Move, touches: Touches) -> bool:
    """Whether what stands on the move's last square stood there well before the piece was lifted from its first."""
    down, up = touches.came_down.get(move.end), touches.went_up.get(move.start)
    return down is not None and up is not None and down < up - touches.overlap_seconds
