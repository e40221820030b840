"""The way of hands through the air: where each one is at every moment of a game, from what it does and when."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

REACH = 0.45
"""How long a hand takes from the table's edge to a square, or back, seconds, if it has the time."""
LINGER = 1.1
"""A hand that has nothing to do for longer goes away, unless it holds a piece."""
AIR = 40.0
"""How high over the board it goes, mm."""


class Stop(NamedTuple):
    """At `at` the fingertips are at (x, y, z), and `holds` is what is between them from then on."""

    at: float
    x: float
    y: float
    z: float
    holds: str | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """Where one hand is: `stops` in the order of their times; `None` before, after, and while it is away."""

    stops: tuple[Stop, ...]
    spells: tuple[tuple[float, float], ...]
    """When it is over the table, from and to."""

    def at(self, at: float) -> Stop | None:
        """Where it is then."""
        if not any(begins <= at <= ends for begins, ends in self.spells):
            return None
        index = bisect_right(self.stops, at, key=lambda stop: stop.at)
        if index == 0 or index == len(self.stops):
            return None
        last, coming = self.stops[index - 1], self.stops[index]
        moving = min(coming.at - last.at, REACH)
        share = 1 - (coming.at - at) / moving if moving > 0 else 1.0
        share = min(max(share, 0.0), 1.0)
        share = share * share * (3 - 2 * share)
        x, y = (a + (b - a) * share for a, b in ((last.x, coming.x), (last.y, coming.y)))
        lift = AIR * 4 * share * (1 - share)
        hover = 0.0 if share else min((coming.at - moving - last.at), 0.2) * 60
        return Stop(at, x, y, last.z + (coming.z - last.z) * share + max(lift, min(hover, AIR)), last.holds)

    def velocity(self, at: float) -> tuple[float, float]:
        """mm/s over the table."""
        step = 0.02
        before, after = self.at(at - step / 2), self.at(at + step / 2)
        if before is None or after is None:
            return 0.0, 0.0
        return (after.x - before.x) / step, (after.y - before.y) / step


def track(contacts: list[Stop], home: tuple[float, float, float]) -> Track:
    """The way of a hand that comes from `home`, is at each of `contacts` (in order) and goes home."""
    stops: list[Stop] = []
    spells: list[tuple[float, float]] = []
    for number, contact in enumerate(contacts):
        last = contacts[number - 1] if number else None
        if last is None or (last.holds is None and contact.at - last.at > LINGER + 2 * REACH):
            begins = contact.at - REACH if last is None else max(contact.at - REACH, last.at + REACH)
            if last is not None:
                stops.append(Stop(last.at + REACH, *home))
                spells[-1] = spells[-1][0], last.at + REACH
            stops.append(Stop(begins, *home))
            spells.append((begins, contact.at))
        stops.append(contact)
        spells[-1] = spells[-1][0], contact.at
    if contacts:
        ends = contacts[-1].at + REACH
        stops.append(Stop(ends, *home))
        spells[-1] = spells[-1][0], ends
    assert all(a.at <= b.at for a, b in pairwise(stops)), "a hand is at two places at once"
    return Track(tuple(stops), tuple(spells))
