"""Lots from a seed: the same seed gives the same lots, on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random


def lots(seed: int) -> Iterator[float]:
    """Numbers from 0 up to 1, not included, without an end."""
    chance = Random(seed)
    while True:
        yield chance.random()
