"""What a board has read since it was first looked at: for each place, from when to when it saw a piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Stay:
    """A piece was read from `on` to `off` (None: still)."""

    on: float
    off: float | None = None

    def reaches(self, start: float, end: float) -> bool:
        """Whether any of it lies between the two times."""
        return self.on < end and (self.off is None or self.off > start)


class Trace:
    """Readings in, in the order of their times. A place that is not still (UNREADABLE) counts as one with a piece."""

    def __init__(self, places: int) -> None:
        self._stays: list[list[Stay]] = [[] for _ in range(places)]
        self._restless: list[list[float]] = [[] for _ in range(places)]

    def see(self, at: float, levels: Sequence[int]) -> None:
        """The whole board at `at`: levels of places 1, 2, ..."""
        for place, level in enumerate(levels, 1):
            since = self.since(place)
            if level and since is None:
                self._stays[place - 1].append(Stay(at))
            elif not level and since is not None:
                self._stays[place - 1][-1].off = at
            if level < 0:
                self._restless[place - 1].append(at)

    def since(self, place: int) -> float | None:
        """Since when a piece is read there; None where none is."""
        stays = self._stays[place - 1]
        return stays[-1].on if stays and stays[-1].off is None else None

    def gone_at(self, place: int) -> float | None:
        """When the last piece that was read there went; None where there was none, or is one."""
        stays = self._stays[place - 1]
        return stays[-1].off if stays else None

    def stays(self, place: int, start: float, end: float) -> list[Stay]:
        """Those of which something lies between the two times."""
        return [stay for stay in self._stays[place - 1] if stay.reaches(start, end)]

    def occupied(self) -> frozenset[int]:
        """The places where a piece is read now."""
        return frozenset(place for place in range(1, len(self._stays) + 1) if self.since(place) is not None)

    def ever(self, place: int) -> bool:
        """Whether a piece was ever read there."""
        return bool(self._stays[place - 1])

    def restless(self, place: int, start: float, end: float) -> bool:
        """Whether the board said between the two times that the sensor is not still."""
        return any(start <= at <= end for at in self._restless[place - 1])
