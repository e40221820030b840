"""Which three squares show whether a diode does its work.

In a matrix a piece closes the contact between its row and its column, in series with a diode. With pieces on three
corners of a rectangle current can go round to the fourth, which then reads a piece too (a ghost); but on that way it
must pass the contact opposite the fourth corner backwards, and only there. So three corners try one diode, and each
rectangle tries four, one after another, by moving one piece at a time to the corner that was empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from calibration.wiring import Wiring

MOST_DEAD = 3
"""Squares that are never read whose diodes are tried: more of them have another cause."""
ENOUGH = 3
"""Where so many diodes were tried and each let current pass, there are none."""


@dataclass(slots=True)
class Ghost:
    """Pieces stand on three corners, `corners`; if the board reads one on `place` too, `diode` lets current pass."""

    place: int
    diode: int
    corners: tuple[int, ...]
    times: int = 0
    """How often it was seen, without once that it was not."""
    tested: bool = False
    skipped: bool = False


def next_rectangle(
    wiring: Wiring, state: Mapping[int, str], known: Sequence[Ghost], *, every: bool = False
) -> Ghost | None:
    """The diode to try next, by the states of the squares; None where enough is known.

    A square that is never read may have its diode the wrong way round. Else one rectangle tells whether there are
    diodes at all; where it shows a ghost, a second one tells whether that is one or all. `every`: all are to be tried.
    """
    tried = {ghost.diode for ghost in known}
    dead = [place for place, found in state.items() if found == "dead"]
    for place in dead[:MOST_DEAD]:
        if place not in tried and (found := next(_with(wiring, state, place), None)) is not None:
            return found
    good = [ghost for ghost in known if state.get(ghost.diode) == "good"]
    ghosts = sum(ghost.times > 0 for ghost in good)
    if (len(good) == ghosts >= ENOUGH) if every else len(good) >= 1 + (ghosts > 0):
        return None
    if every and good and (near := _by_one_move(wiring, good[-1], tried)) is not None:
        return near
    left = [place for place, found in state.items() if found == "good" and place not in tried]
    best = (max(_with(wiring, state, place), key=lambda ghost: _new(ghost, tried), default=None) for place in left)
    return next((ghost for ghost in best if ghost is not None), None)


def _with(wiring: Wiring, state: Mapping[int, str], diode: int) -> Iterator[Ghost]:
    """Every rectangle with this corner whose other corners are good."""
    row, column = wiring.cell(diode)
    for other_row in (*range(row + 1, wiring.rows), *range(row)):
        for other_column in (*range(column + 1, wiring.columns), *range(column)):
            beside, below = wiring.place(row, other_column), wiring.place(other_row, column)
            ghost = wiring.place(other_row, other_column)
            if beside is None or below is None or ghost is None:
                continue
            if all(state.get(place) == "good" for place in (beside, below, ghost)):
                yield Ghost(ghost, diode, (diode, beside, below))


def _by_one_move(wiring: Wiring, last: Ghost, tried: set[int]) -> Ghost | None:
    """Another corner of the same rectangle."""
    four = (*last.corners, last.place)
    for diode in four:
        if diode in tried:
            continue
        row, column = wiring.cell(diode)
        opposite = next(p for p in four if wiring.cell(p)[0] != row and wiring.cell(p)[1] != column)
        return Ghost(opposite, diode, (diode, *(p for p in four if p not in (diode, opposite))))
    return None


def _new(ghost: Ghost, tried: set[int]) -> int:
    """How many of its corners have not been tried."""
    return len({*ghost.corners, ghost.place} - tried)
