"""Draw laws as data, and their counters.

How it works. A law counts moves from the end of the game backwards: as long as the plies qualify, they count. A ply
does not qualify if it made progress of a kind that the law names, or if the position before it was outside the law
(another material, the diagonal not held, before a player began to count). So the move that creates an ending is not
counted, and a capture starts a count anew where the law says so and not elsewhere. A law that the diagonal only
begins (`road_begins`) counts from the first of the qualifying plies before which the diagonal was held. Nothing is
remembered between plies: a rewind or a revision needs no care.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from damas_board.rules.generation import captures
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side

Progress = Literal["capture", "man", "promotion", "offer"]
By = Literal["each", "stronger"]
Holder = Literal["stronger", "weaker"]


@dataclass(frozen=True, slots=True)
class Force:
    """The pieces of one side."""

    kings: int
    men: int

    def __str__(self) -> str:
        return "K" * self.kings + "m" * self.men


@dataclass(frozen=True, slots=True)
class Ending:
    """Material of the stronger and of the weaker side, whichever colours they are: `KKK-K`, `KK-Km`."""

    stronger: Force
    weaker: Force

    def __str__(self) -> str:
        return f"{self.stronger}-{self.weaker}"


def read_ending(text: str) -> Ending:
    """`KK-Km` as an Ending; ValueError for other text."""
    sides = text.split("-")
    if len(sides) != 2 or any(not side or side.strip("Km") or "mK" in side for side in sides):
        raise ValueError(f"{text!r} is no ending; write it like KKK-K, kings before men (m)")
    return Ending(*(Force(side.count("K"), side.count("m")) for side in sides))


@dataclass(frozen=True, slots=True)
class CountLaw:
    """A draw after `moves` moves without success. An empty condition always holds."""

    rule: str
    """Its name in claims and counters, `[a-z0-9_]+`."""
    article: str
    moves: int
    by: By = "each"
    """`each`: so many moves by each player; `stronger`: of the side with the larger force."""
    holds: bool = False
    """Whether the draw is there by rule; else a player claims it."""
    progress: tuple[Progress, ...] = ()
    """What begins the count anew: a capture, any move of a man, a promotion, a move after which something can be
    captured (003 art. 17a: a piece offered)."""
    endings: tuple[Ending, ...] = ()
    """It counts in these endings only."""
    restarts: bool = False
    """Whether another of the `endings` begins the count anew."""
    pieces: tuple[int, int] | None = None
    """It counts with so many pieces on the board, while the material does not change."""
    both_kings: bool = False
    """It counts while both sides have a king."""
    road: Holder | None = None
    """It counts while that side's king stands on the main diagonal."""
    road_begins: bool = False
    """It counts from when the diagonal is held, whether or not it is held afterwards."""
    begun_by_player: bool = False
    """It counts from where a player began to count (003 art. 17a)."""


@dataclass(frozen=True, slots=True)
class Counter:
    """How far a law has counted. `side`: whose moves, None where both sides' count."""

    law: CountLaw
    side: Side | None
    count: int
    since: int
    """How many plies stood before the first one that counts."""

    @property
    def reached(self) -> bool:
        return self.count >= self.law.moves


def force(position: Position, side: Side) -> Force:
    pieces = position.pieces(side)
    kings = (pieces & position.kings).bit_count()
    return Force(kings, pieces.bit_count() - kings)


def stronger_side(position: Position, endings: Collection[Ending]) -> tuple[Ending, Side] | None:
    """The one of `endings` that the position is, and the side that has the stronger part of it."""
    white, black = force(position, Side.WHITE), force(position, Side.BLACK)
    if Ending(white, black) in endings:
        return Ending(white, black), Side.WHITE
    if Ending(black, white) in endings:
        return Ending(black, white), Side.BLACK
    return None


def main_diagonal(position: Position) -> int:
    """The squares of the longest diagonal of playable squares (the 'river', the main road)."""
    size = position.variant.size
    return sum(1 << n * size + (n if position.variant.corner != "right" else size - 1 - n) for n in range(size))


def counter(law: CountLaw, positions: Sequence[Position], moves: Sequence[Move], begun: int | None) -> Counter | None:
    """What `law` counts at the end of a game, None where it does not apply there.

    `positions[n]` stands before `moves[n]`; `begun`: the ply behind which a player began to count.
    """
    now = positions[-1]
    applies = _condition(law, now)
    first = begun if law.begun_by_player else 0
    if applies is None or first is None:
        return None
    since = len(moves)
    for ply in range(len(moves) - 1, first - 1, -1):
        before = positions[ply]
        condition = _condition(law, before)
        if condition is None or _progress(law, before, moves[ply], positions[ply + 1]):
            break
        if law.restarts and condition.ending != applies.ending:
            break
        if law.pieces is not None and _material(before) != _material(now):
            break
        if condition.held or not law.road_begins:
            since = ply
    counted = [0, 0]
    for position in positions[since:-1]:
        counted[position.turn] += 1
    side = applies.stronger
    count = min(counted) if law.by == "each" or side is None else counted[side]
    return Counter(law, side if law.by == "stronger" else None, count, since)


class _Condition(NamedTuple):
    """What a law sees in a position where it counts."""

    ending: Ending | None
    stronger: Side | None
    held: bool
    """Whether the diagonal is held as the law asks for."""


def _condition(law: CountLaw, position: Position) -> _Condition | None:
    """None where the law does not count."""
    ending: Ending | None = None
    side: Side | None = None
    if law.endings:
        found = stronger_side(position, law.endings)
        if found is None:
            return None
        ending, side = found
    if law.pieces is not None and not law.pieces[0] <= position.occupied.bit_count() <= law.pieces[1]:
        return None
    if law.both_kings and not all(position.pieces(s) & position.kings for s in Side):
        return None
    held = True
    if law.road is not None and side is not None:
        holder = side if law.road == "stronger" else side.other
        held = bool(position.pieces(holder) & position.kings & main_diagonal(position))
    return _Condition(ending, side, held) if held or law.road_begins else None


def _progress(law: CountLaw, before: Position, move: Move, after: Position) -> bool:
    return (
        ("capture" in law.progress and bool(move.captured))
        or ("man" in law.progress and not before.kings >> move.start & 1)
        or ("promotion" in law.progress and move.promotes)
        or ("offer" in law.progress and bool(captures(after)))
    )


def _material(position: Position) -> tuple[Force, Force]:
    return force(position, Side.WHITE), force(position, Side.BLACK)
