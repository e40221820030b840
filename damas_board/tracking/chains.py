"""Which complete boards did the readings go through? The heart of following a game.

How it works. 'Which legal move gives this board' is the wrong question: two pieces in the air can look like two
finished captures, a dragged king passes over squares where it could have stopped, and fast players never leave the
board still. The right one is: through which chain of complete boards did the readings go? A chain starts at a root -
the position after the last recorded ply, or the one before it, since that ply may still be taken back or go on - and
every reading that equals the result of a legal move at a chain's head makes a longer chain. Slides, replies before
settling, capture and recapture, and revisions all come out of it; two pieces in the air are refused since the board
between the two moves was never seen.

A chain is only believed when the board is still on its head. When no chain ends there, two plies in one reading are
tried: both moves must have had their piece put down, in this order, and nothing else may explain the board.

A sensor may say the same for ever, whatever stands there. A board that one wrong square keeps from being complete
makes chains that doubt that square: for them it is unread, and they are believed once other plies have built on them,
or once the square has been wrong for long. A move onto a square that cannot be read looks like a piece in the hand;
such a chain lives on in the dim, and the reply tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.tracking.irregular import Irregularity, irregular_move
from damas_board.tracking.sight import Sight, difference, disagreement, without
from damas_board.tracking.touches import Handled, Touches

MOST_CHAINS = 48
"""More are never alive in play; the oldest is dropped, so that a faulty board cannot make the search grow."""
MOST_IN_GAP = 1500
"""Unseen lines that are carried on through a gap: beyond, the search takes longer than a board may be kept waiting."""
OVERLAP = 0.1
"""A piece that is dragged may be read on both squares for so long, seconds."""
MOST_WRONG = 9
"""A reply changes no more squares than this where another ply is looked for before it."""
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
        last = self.steps[-1].broken if self.steps else None
        return last is not None and last.squares != 0

    def extended(self, steps: Sequence[Step]) -> Chain:
        return replace(self, steps=self.steps + tuple(steps))


class Chains:
    """The chains that the readings since the last recorded ply allow."""

    def __init__(self, playable: int) -> None:
        self.playable = playable
        self.unread = 0
        """Squares that are not relied on."""
        self.alive: list[Chain] = []
        self._revised: list[Step] = []
        self._astray: list[Chain] = []
        self._followers: dict[Position, tuple[tuple[Move, Position], ...]] = {}

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
        current = self.alive[0].root
        heads = {_head(chain) for chain in self.alive}
        new: dict[tuple[object, ...], Chain] = {}
        for chain in reversed(self.alive):
            view = without(sight, chain.doubt)
            for move, after in self.followers(chain.position):
                if chain.revises and not chain.steps and after == current:
                    continue  # the recorded ply itself
                step = self._step(chain, move, after, view, at, touches, seen)
                if step is None:
                    continue
                longer = chain.extended([step])
                key = _head(longer)
                if key not in heads and not (key in new and len(new[key].steps) <= len(longer.steps)):
                    new[key] = longer
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
        if seen and swapped(self.alive[0].root, after) & ~(touches.changed | doubtful):
            return None
        early = seen and move.start != move.end and _arrived_early(move, touches)
        dim = bool(off) or early or bool(unread >> move.end & 1)
        certain = seen and not unread and not dim
        down = touches.came_down.get(move.end) if certain else None
        return Step(head, move, after, at, down, certain, dim=dim)

    def ending_at(self, sight: Sight) -> list[Chain]:
        """The chains whose head the board agrees with."""
        return [
            chain
            for chain in self.alive
            if not disagreement(chain.position, without(sight, chain.doubt), self.playable)
        ]

    def unseen(self, sight: Sight, handled: Sequence[Handled], at: float, revising: bool) -> list[Chain]:
        """Chains that end here if two plies, unseen between, follow a head: both pieces were lifted and put down.

        `revising`: whether the recorded ply itself may be one of them.
        """
        found = []
        placed = {touch.square for touch in handled if not touch.lifted}
        current = self.alive[0].root
        for chain in self.alive:
            if (chain.revises and not chain.steps and not revising) or chain.unclear or chain.irregular:
                continue
            since = chain.steps[-1].at if chain.steps else float("-inf")
            for move, after in self.followers(chain.position):
                stood = move.start
                if chain.revises and not chain.steps:  # the piece of the recorded ply goes on from where it stands
                    if after == current:
                        continue
                    stood = next(
                        squares_of(current.pieces(chain.root.turn) & ~chain.root.pieces(chain.root.turn)), stood
                    )
                if move.end not in placed:
                    continue
                for reply in legal_moves(after):
                    if reply.end not in placed:
                        continue
                    position = after.after(reply)
                    if not self._read(chain.position, position, sight):
                        continue
                    if _handled_in_order(handled, since, ((stood, move.end), (reply.start, reply.end))):
                        steps = (
                            Step(chain.position, move, after, at, None, False),
                            Step(after, reply, position, at, None, False),
                        )
                        found.append(chain.extended(steps))
        return found

    def irregular(self, sight: Sight, at: float, touches: Touches) -> list[Chain]:
        """The chains that end on this board if one irregular move follows a head, whose piece came down in time."""
        found = []
        for chain in self.alive:
            if (chain.open_ended and not chain.astray) or chain.unclear:
                continue
            irregular = irregular_move(chain.position, sight, self.playable)
            if irregular is not None:
                move, after, broken = irregular
                step = Step(chain.position, move, after, at, touches.came_down.get(move.end), True, broken)
                found.append(chain.extended([step]))
        return [chain for chain in found if self._possible(chain, touches)]

    def doubting(self, sight: Sight, at: float, touches: Touches, left: int, revising: bool) -> list[Chain]:
        """Chains that end on this board if one square of it is wrong: it says that a piece stands where none does, or
        that the piece of a ply that has been replied to does not stand where it came down.

        `left`: the captured pieces of which it was told that they still stood; there no sensor errs. `revising`:
        whether the recorded ply itself may be read otherwise.
        """
        found = []
        for chain in self.alive:
            if chain.open_ended or chain.irregular or chain.unclear or (chain.revises and not revising):
                continue
            head = chain.position
            off = disagreement(head, sight, self.playable)
            if off.bit_count() == 1 and not off & (head.occupied | left):
                found.append(replace(chain, doubt=off, doubted=at))
            gone = off & head.pieces(head.turn) & ~sight.not_empty
            came = off & sight.not_empty & ~head.occupied
            for move, after in self.followers(head):
                if chain.revises and not chain.steps and after == self.alive[0].root:
                    continue  # the recorded ply itself
                wrong = disagreement(after, sight, self.playable)
                elsewhere = not wrong & (1 << move.end | move.captured_mask)
                if wrong.bit_count() == 1 and elsewhere:
                    step = Step(head, move, after, at, None, False)
                    found.append(replace(chain.extended([step]), doubt=wrong, doubted=at))
                elif wrong.bit_count() <= MOST_WRONG and (gone >> move.start & 1 or came >> move.end & 1):
                    found += self._replied_to(chain, move, after, sight, at)
        return [chain for chain in found if not chain.steps or self._possible(chain, touches)]

    def rivals(self, chain: Chain) -> bool:
        """Whether another chain that doubts a square goes as far as `chain`, by other moves: one of them is wrong."""
        moves = [step.move[:2] for step in chain.steps]
        return any(
            other.doubt
            and other.doubt != chain.doubt
            and other.revises == chain.revises
            and len(other.steps) >= len(moves)
            and [step.move[:2] for step in other.steps[: len(moves)]] != moves
            for other in self.alive
        )

    def _replied_to(self, chain: Chain, move: Move, after: Position, sight: Sight, at: float) -> list[Chain]:
        """`chain` with `move`, one of whose squares says what it said before, and the replies that end here."""
        found = []
        start, end = 1 << move.start, 1 << move.end
        for reply in legal_moves(after):
            position = after.after(reply)
            wrong = disagreement(position, sight, self.playable)
            stuck = start if sight.not_empty & start and sight.not_empty & end else 0
            if wrong not in (0, stuck, end):
                continue
            dim = wrong != start
            first = Step(chain.position, move, after, at, None, False, dim=dim)
            then = Step(after, reply, position, at, None, False)
            found.append(replace(chain.extended([first, then]), doubt=end if dim else start, doubted=at))
        return found

    def through_gap(self, sight: Sight, plies: int, at: float) -> list[Chain]:
        """Chains of at most `plies` unseen plies from the recorded position, the fewest plies only.

        None where the position has so many moves that the search would take too long. Each ply fills one square at
        most, so a line is dropped when more squares have to be filled than it has plies left.
        """
        root = self.alive[0].root
        level: list[tuple[Position, tuple[Move, ...]]] = [(root, ())]
        for left in reversed(range(plies)):
            following = []
            for position, moves in level:
                for move in legal_moves(position):
                    after = position.after(move)
                    if (sight.occupied & ~after.occupied).bit_count() <= left:
                        following.append((after, (*moves, move)))
            found = [moves for position, moves in following if self._read(root, position, sight)]
            if found:
                return [self._unseen_line(root, moves, at) for moves in found]
            level = following
            if len(level) > MOST_IN_GAP:
                return []
        return []

    def _unseen_line(self, root: Position, moves: Sequence[Move], at: float) -> Chain:
        steps = []
        position = root
        for move in moves:
            after = position.after(move)
            steps.append(Step(position, move, after, at, None, False))
            position = after
        return Chain(False, root, tuple(steps))

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

    def _possible(self, chain: Chain, touches: Touches) -> bool:
        """Whether the last ply's piece came down after it was lifted, and pieces changed where they would have to."""
        move = chain.steps[-1].move
        changed = touches.changed | self.unread | chain.doubt
        early = move.start != move.end and not chain.doubt >> move.end & 1 and _arrived_early(move, touches)
        return not early and not swapped(self.alive[0].root, chain.position) & ~changed

    def _read(self, head: Position, position: Position, sight: Sight) -> bool:
        unread = difference(head, position) & ~sight.known & ~self.unread
        return not disagreement(position, sight, self.playable) and not unread


def _head(chain: Chain) -> tuple[object, ...]:
    """What makes two chains ways to the same."""
    return chain.revises, chain.irregular, chain.doubt, chain.unclear, chain.position


def swapped(one: Position, other: Position) -> int:
    """The squares on which pieces of different sides stand in the two positions."""
    return one.white & other.black | one.black & other.white


def _arrived_early(move: Move, touches: Touches) -> bool:
    """Whether what stands on the move's last square stood there well before the piece was lifted from its first."""
    down, up = touches.came_down.get(move.end), touches.went_up.get(move.start)
    return down is not None and up is not None and down < up - OVERLAP


def _handled_in_order(handled: Sequence[Handled], since: float, plies: Sequence[tuple[int, int]]) -> bool:
    """Whether each ply's piece was lifted from its square and then put down, one ply's piece after the other's."""
    begin = since
    for start, end in plies:
        lifted = next(
            (touch.at for touch in handled if touch.lifted and touch.square == start and touch.at >= since), None
        )
        if lifted is None:
            return False
        down = next(
            (
                touch.at
                for touch in handled
                if not touch.lifted and touch.square == end and touch.at >= max(lifted, begin)
            ),
            None,
        )
        if down is None:
            return False
        begin = down
    return True


def best(chains: Iterable[Chain]) -> Chain | None:
    """The one chain to believe: regular before irregular, going on before revising, fewer plies before more.

    None if there is none, or if the likeliest ones lead to different positions or by different moves.
    """
    ranked = sorted(chains, key=cost)
    if not ranked:
        return None
    first = ranked[0]
    rivals = [c for c in ranked if cost(c) == cost(first)]
    if any([s.move[:2] for s in c.steps] != [s.move[:2] for s in first.steps] for c in rivals):
        return None
    return first if all(c.position == first.position for c in rivals) else None


def one_position(chains: Sequence[Chain]) -> Chain | None:
    """One of `chains` if all of them are ways to the same position; None if there are none, or others."""
    if not chains or any(chain.position != chains[0].position for chain in chains):
        return None
    return chains[0]


def cost(chain: Chain) -> tuple[int, int, bool, int]:
    """What makes a chain less likely than another, the weightiest first."""
    broken = chain.irregular + (chain.inherited if chain.irregular else 0)
    return broken, chain.unclear, chain.revises, len(chain.steps)
