"""What came of many games: counts that add up, and how sure they are."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

CONFIDENT = 1.959964
"""Standard deviations that hold 95 % of a normal distribution."""


def interval(count: int, of: int) -> tuple[float, float]:
    """The share that `count` of so many is, with 95 % confidence (Wilson)."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, CONFIDENT**2
    middle = share + square / (2 * of)
    spread = CONFIDENT * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + sign * spread) / (1 + square / of) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)


class _Adding:
    def add(self, other: Any) -> None:
        """Adds what came of other games."""
        for each in fields(self):  # type: ignore[arg-type]
            total = getattr(self, each.name)
            total += getattr(other, each.name)
            setattr(self, each.name, total)


@dataclass
class Tally(_Adding):
    """What came of lawful play."""

    games: int = 0
    plies: int = 0
    wrong: int = 0
    again: int = 0
    """Of these, plies that are as played themselves, behind others that are not."""
    untold: int = 0
    right_games: int = 0
    accusations: Counter[str] = field(default_factory=Counter)
    """Unearned alerts that say a player did something, by kind."""
    alarms: Counter[str] = field(default_factory=Counter)
    """Unearned alerts about the board."""
    baseline_wrong: int = 0
    baseline_right_games: int = 0
    times: array[float] = field(default_factory=lambda: array("f"))
    baseline_times: array[float] = field(default_factory=lambda: array("f"))
    faults: list[str] = field(default_factory=list)


@dataclass
class Findings(_Adding):
    """What was heard of an irregularity that was put in so often."""

    put_in: int = 0
    found: int = 0
    """Under the right kind, ply and side."""
    named: int = 0
    """And with the right squares, where the contract fixes them."""
    closed: int = 0
    """And closed as it should be, where anything is said about that."""
    recorded: int = 0
    """Games whose record is right to the last ply."""
    instead: Counter[str] = field(default_factory=Counter)
    """What was heard of the same ply where it was not found."""
    claimed: Counter[str] = field(default_factory=Counter)
    """What else was claimed that did not happen."""
    faults: list[str] = field(default_factory=list)
