"""A match: an even number of games between the same two players, their colours and openings (003 art. 10-14).

Chance comes in from outside: `lots` are numbers from 0 up to 1, not included, one for each thing that is drawn. The
same lots give the same match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

Opening = TypeVar("Opening")


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    public: str | None = None
    """The name that everybody may see; it may be initials."""

    def public_name(self, *, under_age: bool = False) -> str:
        """What everybody may read: of a minor that has chosen no name for it, the initials (003 art. 22)."""
        return self.public or (initials(self.name) if under_age else self.name)


def initials(name: str) -> str:
    """`A. L.` of `Ana de Lima`: small words between the names have none."""
    words = name.split()
    names = [word for word in words if not word[0].islower()] or words
    return " ".join(f"{word[0].upper()}." for word in names)


@dataclass(frozen=True, slots=True)
class Pairing(Generic[Opening]):
    """One game of a match: who plays which colour, from which opening; None: the players choose it."""

    number: int
    white: Player
    black: Player
    opening: Opening | None


def drawn(lot: float, things: int) -> int:
    """Which of so many things a lot in [0, 1) draws, counted from 0. ValueError for another lot, or no thing."""
    if not 0 <= lot < 1 or things < 1:
        raise ValueError(f"lot {lot:g} draws none of {things} things")
    return int(lot * things)


def games(
    players: tuple[Player, Player],
    count: int,
    lots: Iterable[float],
    openings: Sequence[Opening] = (),
    white: Player | None = None,
) -> tuple[Pairing[Opening], ...]:
    """The games of a match.

    The first lot decides who has White in the first game, unless `white` was agreed on; then the colours alternate
    (003 art. 12, 13; 000; 001). Each further lot draws an opening of those not drawn yet, which both players begin in
    turn (003 art. 14); all come again when each was drawn. ValueError if `count` is no even number above 0 (003 art.
    10), or the lots do not suffice.
    """
    if count < 2 or count % 2:
        raise ValueError(f"a match has an even number of games, not {count}")
    chance = iter(lots)
    if white is None:
        white = players[drawn(_next(chance), 2)]
    black = players[1] if white == players[0] else players[0]
    order = tuple(islice(_drawn_openings(openings, chance), count // 2)) if openings else (None,) * (count // 2)
    return tuple(
        Pairing(2 * pair + leg + 1, *((white, black), (black, white))[leg], opening)
        for pair, opening in enumerate(order)
        for leg in range(2)
    )


def _drawn_openings(openings: Sequence[Opening], chance: Iterator[float]) -> Iterator[Opening]:
    left: list[Opening] = []
    while True:
        left = left or list(openings)
        yield left.pop(drawn(_next(chance), len(left)))


def _next(chance: Iterator[float]) -> float:
    lot = next(chance, None)
    if lot is None:
        raise ValueError("there are fewer lots than things to draw")
    return lot


WIN, DRAW = 2, 1
"""Points of a game, as results of draughts are written: 2-0, 1-1, 0-2."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The score of a match: what each of the two players has, in the order in which they were first named."""

    players: tuple[str, ...]
    points: tuple[int, ...]
    wins: tuple[int, ...]
    draws: int
    open: int
    """Games that are not over."""


def tally(games: Iterable[tuple[str, str, str | None]]) -> Tally:
    """The score of games between two players, each as White, Black and the winner.

    `white`, `black` or `draw`; `none` is a game without a result, None one that is not over.
    """
    points: dict[str, int] = {}
    wins: dict[str, int] = {}
    draws = unfinished = 0
    for white, black, winner in games:
        for player in (white, black):
            points.setdefault(player, 0)
            wins.setdefault(player, 0)
        match winner:
            case "white" | "black":
                won = white if winner == "white" else black
                points[won] += WIN
                wins[won] += 1
            case "draw":
                draws += 1
                points[white] += DRAW
                points[black] += DRAW
            case None:
                unfinished += 1
            case _:
                pass
    return Tally(tuple(points), tuple(points.values()), tuple(wins.values()), draws, unfinished)
