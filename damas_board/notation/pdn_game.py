"""A game as a PDN file holds it: tags, plies with their positions, result, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from damas_board.notation.results import Winner, winner
from damas_board.regulations import names, shipped
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

PassedOver = Literal["variations", "marks", "tags", "words"]
"""Variations (with all that is in them), marks such as `$1` and `!?`, tags given again, what is no part of PDN."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clocks showed, in seconds; None where the file does not say."""

    white: float | None
    black: float | None
    running: Side | None = None


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn. Where `move` is None the position was set up: `after` does not follow by the rules from `before`."""

    before: Position
    move: Move | None
    after: Position
    text: str = ""
    """The move as the file writes it; empty where it does not come from a file."""
    comment: str = ""
    clocks: Clocks | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something could not be read, and where in the file; both count from 1."""

    reason: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class PdnGame:
    tags: Mapping[str, str]
    """In the order of the file, with the names as they stand there."""
    variant: Variant
    start: Position
    plies: tuple[Ply, ...]
    """Up to the first move that could not be read."""
    terminator: str | None = None
    """The result behind the moves, None if there is none."""
    comment: str = ""
    """What stands before the first move."""
    fault: Fault | None = None
    """Where reading ended, None if the whole game was read."""
    remarks: tuple[Fault, ...] = field(default=())
    """What was odd but did no harm: text that was skipped, results that differ, captures that stayed ambiguous."""
    line: int = 1
    column: int = 1
    passed_over: Mapping[PassedOver, int] = field(default_factory=dict)
    """How much of the file's text is not in here, by its kind; kinds of which there is nothing are not named."""

    def tag(self, name: str) -> str | None:
        """The value of a tag, whatever the case of its name is in the file."""
        return tag_of(self.tags, name)

    @property
    def result(self) -> str:
        """The terminator, or the tag where there is none or it says nothing; `*` if neither does."""
        said = self.tag("Result")
        if self.terminator not in (None, "*"):
            return str(self.terminator)
        return said.strip() if said and said.strip() else "*"

    @property
    def moves(self) -> int:
        """How many plies are moves: a position set up is none."""
        return sum(ply.move is not None for ply in self.plies)

    @property
    def winner(self) -> Winner | None:
        return winner(self.result, self.variant.first)

    @property
    def end(self) -> Position:
        return self.plies[-1].after if self.plies else self.start


def tag_of(tags: Mapping[str, str], name: str) -> str | None:
    return next((value for key, value in tags.items() if key.lower() == name.lower()), None)


def regulation_variant(tags: Mapping[str, str]) -> Variant | None:
    """The rules of the shipped regulation that the Regulation tag names; None where it names none of them."""
    name = (tag_of(tags, "Regulation") or "").strip()
    return shipped(name).variant if name in _shipped_names() else None


@cache
def _shipped_names() -> frozenset[str]:
    return frozenset(names())


def played(start: Position, moves: Iterable[Move]) -> tuple[Ply, ...]:
    """The plies of legal moves played from `start`."""
    plies = []
    position = start
    for move in moves:
        after = position.after(move)
        plies.append(Ply(position, move, after))
        position = after
    return tuple(plies)
