"""What came of games before a camera: counts that add up, and that can be kept in a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

LATE = 2.0
"""A ply that is told so long after its last piece came down, seconds, is told late."""


@dataclass
class Watched:
    """What came of one game, or of many."""

    games: int = 0
    plies: int = 0
    wrong: int = 0
    """As in accuracy.py: after the first wrong ply of a game the rest of it is."""
    right_games: int = 0
    late: int = 0
    unearned: Counter[str] = field(default_factory=Counter)
    """Alerts, notes excepted, for which nobody gave a reason."""
    pictures: int = 0
    seconds: float = 0.0
    """Of the games' own time."""
    untold: Counter[str] = field(default_factory=Counter)
    """Seconds in which nothing could be told, by what the camera said of them."""
    delays: list[float] = field(default_factory=list)
    """From the last piece of a ply coming down to the ply being told, seconds of the games' own time."""
    looks: list[float] = field(default_factory=list)
    """Milliseconds of processor time for a picture."""
    faults: list[str] = field(default_factory=list)

    def add(self, other: Watched) -> None:
        for each in fields(self):
            total = getattr(self, each.name)
            total += getattr(other, each.name)
            setattr(self, each.name, total)

    def kept(self) -> dict[str, Any]:
        """As plain values."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in values.items()}


def watched_from(values: dict[str, Any]) -> Watched:
    """What was kept."""
    return Watched(**{**values, "unearned": Counter(values["unearned"]), "untold": Counter(values["untold"])})
