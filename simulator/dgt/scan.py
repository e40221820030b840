"""When a board that looks at its fields one after another comes past each of them."""

from __future__ import annotations

from random import Random

SECONDS = (0.200, 0.250)
"""How long it takes to come round all the fields."""


class Scan:
    """The rounds of one board, each as long as `Random` says; times that are asked for never decrease."""

    def __init__(self, fields: int, begins: float, random: Random, seconds: tuple[float, float] = SECONDS) -> None:
        self._fields = fields
        self._random = random
        self._seconds = seconds
        self._begins = begins
        self._length = random.uniform(*seconds)
        self._next = random.uniform(*seconds)

    def passes(self, field: int, after: float) -> float:
        """The first time later than `after` at which it looks at `field`."""
        share = (field + 0.5) / self._fields
        while self._begins + self._length <= after:
            self._begins += self._length
            self._length, self._next = self._next, self._random.uniform(*self._seconds)
        at = self._begins + share * self._length
        return at if at > after else self._begins + self._length + share * self._next
