"""Which of the chains that end on a board may be believed now, and which one of them is.

How the choice is made. Several chains may end on one board: the players may have gone on or taken back, captured or
broken a rule, or a sensor may err. Each explanation has its cost, and the cheapest is believed: regular before
irregular, a board whose squares are all right before one that errs, going on before revising, fewer plies before more
(`cost`). Two explanations of the same cost that differ in their moves are not chosen from: nothing is said until a
later reading tells (`best`).

What is cheap may still have to wait, since a wrong word is worse than a late one (`Belief`):
- A chain whose last ply is irregular, or was not seen to end, is not finished: stillness, the lever or the next player
  has to speak for it (`open_ended`).
- Nobody is accused as long as one erring sensor, or squares in doubt, would explain the board as well.
- A chain that doubts a square needs that square to be wrong for long, or further plies that fit.
- A piece counts as removed once it has been missing for long, or when that was told.
- A ply is only taken back if its piece came down after it was lifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from damas_board.rules.position import Move
from damas_board.tracking.chains import Chain, Chains, Step
from damas_board.tracking.doubt import rivals
from damas_board.tracking.irregular import Irregularity
from damas_board.tracking.odds import explained
from damas_board.tracking.view import View


def cost(chain: Chain) -> tuple[int, int, bool, int]:
    """What makes a chain less likely than another, the weightiest first."""
    broken = chain.irregular + (chain.inherited if chain.irregular else 0)
    return broken, chain.unclear, chain.revises, len(chain.steps)


def best(chains: Iterable[Chain]) -> Chain | None:
    """The one chain to believe: regular before irregular, going on before revising, fewer plies before more.

    None if there is none, or if the likeliest ones lead to different positions or by different moves.
    """
    ranked = sorted(chains, key=cost)
    if not ranked:
        return None
    first = ranked[0]
    equals = [c for c in ranked if cost(c) == cost(first)]
    if any([s.move[:2] for s in c.steps] != [s.move[:2] for s in first.steps] for c in equals):
        return None
    return first if all(c.position == first.position for c in equals) else None


def one_position(chains: Sequence[Chain]) -> Chain | None:
    """One of `chains` if all of them are ways to the same position; None if there are none, or others."""
    if not chains or any(chain.position != chains[0].position for chain in chains):
        return None
    return chains[0]


def came_before_it_went(move: Move, view: View) -> bool:
    """Whether what stands where `move` began came down before its piece was lifted again: it did not go back."""
    down, up = view.touches.came_down.get(move.start), view.touches.went_up.get(move.end)
    return down is not None and up is not None and down < up - view.touches.overlap_seconds


@dataclass(frozen=True, slots=True)
class Belief:
    """What may be believed of the board at `at`."""

    chains: Chains
    view: View
    at: float
    rest_seconds: float
    mismatch_seconds: float
    last: Move | None
    """The last recorded ply's."""
    removal_told: bool
    """It was told that pieces were taken off after it."""
    confirmed: bool
    """It is: nothing dim reads it otherwise."""

    def finished(self, ending: Sequence[Chain]) -> list[Chain]:
        """Those of the chains that end on this board that may be believed now."""
        doubting = [chain for chain in ending if chain.doubt and not chain.open_ended and not chain.irregular]
        likeliest = min(doubting, key=cost, default=None)
        return [
            chain
            for chain in ending
            if not chain.open_ended
            and not (chain in doubting and likeliest is not None and cost(chain) > cost(likeliest))
            and not (chain.irregular and self.a_sensor_may_err(len(chain.steps)))
            and not self._taken_back_too_early(chain)
            and not (chain.revises and chain.unclear and self.confirmed)
            and self.matured(chain)
        ]

    def _taken_back_too_early(self, chain: Chain) -> bool:
        """Whether the piece of the last ply would have gone back to its square before it was lifted again."""
        if not chain.revises or self.last is None:
            return False
        takes_back = not chain.steps or chain.steps[0].move.start != self.last.start
        return takes_back and came_before_it_went(self.last, self.view)

    def a_sensor_may_err(self, plies: int) -> bool:
        """Whether `plies` or more, about which nothing is irregular, fit what was seen but for one square that is
        still wrong, or was while a piece stood there; or anything does, by squares in doubt or in dispute."""
        if self.view.too_doubtful or self.view.disputed or (self.view.uncertain and explained(self.chains, self.view)):
            return True
        return any(
            _hidden(chain) or chain.doubt & self.view.off(chain.position) & ~chain.position.occupied
            for chain in self.chains.alive
            if len(chain.steps) >= plies and chain.doubt and not chain.irregular
        )

    def matured(self, chain: Chain) -> bool:
        """Whether enough speaks for the square that `chain` doubts, and for its irregular plies."""
        if chain.doubt and not self._doubt_matured(chain):
            return False
        return all(
            self._broken_matured(step.broken, chain.steps[index + 1 :])
            for index, step in enumerate(chain.steps)
            if step.broken is not None
        )

    def matures(self, ending: Sequence[Chain]) -> float | None:
        """When the next piece that one of the chains takes for removed has been missing for long enough."""
        times = [
            round(step.broken.since + self.mismatch_seconds, 6)
            for chain in ending
            for step in chain.steps
            if step.broken is not None and step.broken.kind == "removed_wrongly" and step.broken.since is not None
        ]
        return min((time for time in times if time > self.at), default=None)

    def as_it_stands(self, ending: Sequence[Chain]) -> Chain | None:
        """The regular chain whose result stands on the board, every square of it, however its piece came there."""
        return best(
            chain
            for chain in ending
            if chain.steps
            and chain.steps[-1].dim
            and not chain.irregular
            and not self.view.off(chain.position)
            and not chain.doubt
            and self.view.sight.known == self.view.playable
        )

    def _doubt_matured(self, chain: Chain) -> bool:
        """Whether the doubted square has been wrong for long, or two plies have been made that fit.

        A piece that is missing there is in a hand, or was taken off, until it stands there again.
        """
        long_wrong = self.at >= round(chain.doubted + self.mismatch_seconds, 6)
        built_on = len(chain.steps) >= (3 if chain.steps and chain.steps[0].dim else 2)
        if not chain.steps or not (long_wrong or built_on) or rivals(self.chains, chain):
            return False
        gone = chain.doubt & chain.position.occupied & self.view.off(chain.position)
        return not gone or _hidden(chain)

    def _broken_matured(self, broken: Irregularity, then: Sequence[Step]) -> bool:
        """Whether enough speaks for an irregular ply behind which the plies `then` were made.

        A move that the board had not rested on needs two more plies, or a board that rests. Each piece that was taken
        off has been missing for long enough, or that was told. Where a piece that was left on the board has itself
        moved on, the board has stood still for as long: the piece may as well have been taken off while another sensor
        erred.
        """
        match broken.kind:
            case "removed_wrongly":
                long = broken.since is None or self.at >= round(broken.since + self.mismatch_seconds, 6)
                return long or self.removal_told
            case "left_on_board":
                by_itself = bool(then) and bool(broken.squares >> then[0].move.start & 1)
                return not by_itself or self.view.still_for(self.mismatch_seconds, self.at)
            case _:
                return len(then) != 1 or self.view.still_for(self.rest_seconds, self.at)


def _hidden(chain: Chain) -> bool:
    """Whether a piece would have come down on the square that the chain doubts."""
    return any(step.dim and chain.doubt >> step.move.end & 1 for step in chain.steps)
