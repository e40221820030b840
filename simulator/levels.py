"""How people play and how well a board reads, as values: `clean`, `club`, `scramble` and `bad-board`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

Span = tuple[float, float]
"""The shortest and the longest time, seconds."""
Order = Literal["in_order", "reverse", "random", "any"]


@dataclass(frozen=True, slots=True)
class Level:
    """Spans are seconds, drawn uniformly; floats are probabilities."""

    name: str

    think: Span
    """From the end of a move to the first contact of the next."""
    carry: Span
    """From a lift to the placement, and the rest on a square where a capturing piece turns."""
    removal: Span
    """Between two captured pieces that are taken off, and before the first."""
    slide: float
    """Per quiet move: the piece is dragged over the squares between."""
    stops: float
    """Per capture of several pieces: the piece is put down on every square where it turns."""
    removal_order: Order
    """How captured pieces come off; `any` draws one of the three each time."""
    victim_first: float
    """Per capture of one man by a man: the captured man comes off before the own one is lifted (FMJD Annex 1, 4.16)."""
    hesitation: float
    """Per move: the piece is held for a while, or put back for a moment and lifted again."""
    centre: float
    """Per ply: the other player straightens a piece of their own."""
    fumble: float
    """Per quiet move: the piece is first put beside its square."""

    bounce: float
    """Per contact: it toggles once or twice."""
    dropout: float
    """Per half ply: an occupied square elsewhere reads empty for `blip`."""
    ghost: float
    """Per half ply: an empty square elsewhere reads occupied for `blip`."""
    blip: Span
    long_blip: float
    """Per ply: a square elsewhere reads wrong for longer than players leave a board still."""
    stuck: float
    """Per game: a square goes on saying what it says, for some plies."""
    lost: float
    """Per game: the link is lost for a while, and play goes on."""


@cache
def levels() -> dict[str, Level]:
    """The shipped levels by their names."""
    tables = tomllib.loads(Path(__file__).with_name("levels.toml").read_text(encoding="utf-8"))
    return {name: _level(name, table) for name, table in tables.items()}


def level(name: str) -> Level:
    """The shipped level called `name`; ValueError lists the names there are."""
    known = levels()
    if name not in known:
        raise ValueError(f"there is no level {name!r}; there are {', '.join(known)}")
    return known[name]


def _level(name: str, table: dict[str, Any]) -> Level:
    spans = {f.name for f in fields(Level) if f.type == "Span"}
    values: dict[str, Any] = {k: (v[0] / 1000, v[1] / 1000) if k in spans else v for k, v in table.items()}
    return Level(name=name, **values)
