"""A regulation: a variant, its draw laws and what an arbiter goes by, as one TOML file says it.

A file names a variant and may replace values of its row, so that a club's house rules need no code. Each value names
the article that it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from damas_board.regulations.tables import TableError, key_lines, line_of, read_table, suggestion
from damas_board.rules.draw import By, CountLaw, Ending, Holder, Progress, read_ending
from damas_board.rules.side import Side
from damas_board.rules.variant import STEPS, Criterion, Landing, Passing, Reach, Removal, Variant
from damas_board.rules.variants import VARIANTS

StepName = Literal["forward", "diagonals", "forward_and_sideways", "lines", "eight"]
Scoring = Literal["2-0", "1-0"]


@dataclass(frozen=True, slots=True)
class RepetitionLaw:
    """A draw when a position has stood `count` times with the same side to move.

    `holds`: true where the draw is there by rule, false where a player has to claim it.
    """

    count: int
    holds: bool
    article: str
    only_recorded: bool = False
    """It counts only in a game that is being written down."""


@dataclass(frozen=True, slots=True)
class WinLaw:
    """A win by material: the side with a king, once the other has at most so many pieces (000, Turkish)."""

    rule: str
    article: str
    pieces: int


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How a match between two players is put together (003 art. 10-14; 000; 001)."""

    games: int
    colours: Literal["lot", "random", "convention"]
    """Who has White in the first game; then the colours alternate."""
    opening: Literal["free", "lot"]
    """`lot`: first plies are drawn, and both players begin them in turn."""
    article: str


@dataclass(frozen=True)
class Regulation:
    name: str
    title: str
    variant: Variant
    scoring: Scoring
    """How the winner's and the loser's points are written in a game file."""
    sources: tuple[str, ...]
    articles: Mapping[str, str]
    """Where a rule stands, by the name of the rule: a value of the variant's row, or `no_pieces` and `blocked`."""
    repetition: RepetitionLaw | None
    counts: tuple[CountLaw, ...] = ()
    win: WinLaw | None = None
    match: MatchRules | None = None
    unconfirmed: tuple[str, ...] = ()
    """What could not be confirmed in a federation's own text, in words."""

    def result(self, winner: str) -> str:
        """`white`, `black`, `draw` or `none` as a game file writes it: the first mover's points stand first."""
        if winner == "draw":
            return {"2-0": "1-1", "1-0": "1/2-1/2"}[self.scoring]
        if winner == "none":
            return "*"
        first = self.variant.first.label
        return self.scoring if winner == first else self.scoring[::-1]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Rules(_Strict):
    """Values of the variant's row that this regulation replaces."""

    first: Literal["white", "black"] | None = None
    corner: Literal["left", "right"] | None = None
    man_steps: StepName | None = None
    man_jumps: StepName | None = None
    king_steps: StepName | None = None
    king_jumps: StepName | None = None
    king_reach: Reach | None = None
    king_approach: Reach | None = None
    king_landing: Landing | None = None
    man_takes_king: bool | None = None
    removal: Removal | None = None
    passing: Passing | None = None
    priority: tuple[Criterion, ...] | None = None
    capture_compulsory: bool | None = None
    capture_finished: bool | None = None
    turn_back: bool | None = None
    king_run_limit: int | None = Field(default=None, ge=1)
    giveaway: bool | None = None


class _Repetition(_Strict):
    count: int = Field(ge=2)
    holds: bool
    article: str
    only_recorded: bool = False


class _Count(_Strict):
    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    article: str
    moves: int = Field(ge=1)
    by: By = "each"
    holds: bool = False
    progress: tuple[Progress, ...] = ()
    endings: tuple[Annotated[Ending, BeforeValidator(read_ending)], ...] = ()
    restarts: bool = False
    pieces: tuple[int, int] | None = None
    both_kings: bool = False
    road: Holder | None = None
    begun_by_player: bool = False

    @model_validator(mode="after")
    def _road_needs_an_ending(self) -> Self:
        if not self.endings and (self.road is not None or self.by == "stronger"):
            raise ValueError('"endings" must say who the stronger side is')
        return self


class _Draws(_Strict):
    repetition: _Repetition | None = None
    count: tuple[_Count, ...] = ()


class _Win(_Strict):
    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    article: str
    pieces: int = Field(ge=1)


class _Match(_Strict):
    games: int = Field(ge=2, multiple_of=2)
    colours: Literal["lot", "random", "convention"]
    opening: Literal["free", "lot"]
    article: str


class _File(_Strict):
    title: str
    variant: str
    scoring: Scoring = "2-0"
    sources: tuple[str, ...] = ()
    rules: _Rules = _Rules()
    articles: dict[str, str] = {}
    draws: _Draws = _Draws()
    win: _Win | None = None
    match: _Match | None = None
    unconfirmed: tuple[str, ...] = ()


_ARTICLES = (*(f.name for f in fields(Variant)), "no_pieces", "blocked", "crowning")


def parse(text: str, name: str, source: str | None = None) -> Regulation:
    """The regulation that a TOML text describes, under `name`; `source` is the file as the reader should see it.

    TableError (a ValueError) with file, line and key for anything that is not allowed, and what would be.
    """
    source = source or f"{name}.toml"
    file = read_table(text, source, _File)
    lines = key_lines(text)
    if file.variant not in VARIANTS:
        message = f'variant is "{file.variant}"{suggestion(file.variant, tuple(VARIANTS))}'
        raise TableError(source, line_of(lines, ("variant",)), message, key="variant", allowed=tuple(VARIANTS))
    for key in file.articles:
        if key not in _ARTICLES:
            message = f'[articles] unknown key "{key}"{suggestion(key, _ARTICLES)}'
            raise TableError(source, line_of(lines, ("articles", key)), message, key=key, allowed=_ARTICLES)
    changes: dict[str, Any] = {k: v for k, v in file.rules if v is not None}
    for key in ("man_steps", "man_jumps", "king_steps", "king_jumps"):
        if key in changes:
            changes[key] = STEPS[changes[key]]
    if "first" in changes:
        changes["first"] = Side.WHITE if changes["first"] == "white" else Side.BLACK
    law = file.draws.repetition
    return Regulation(
        name=name,
        title=file.title,
        variant=replace(VARIANTS[file.variant], **changes),
        scoring=file.scoring,
        sources=file.sources,
        articles=file.articles,
        repetition=None if law is None else RepetitionLaw(**law.model_dump()),
        counts=tuple(
            CountLaw(**{key: getattr(count, key) for key in _Count.model_fields}) for count in file.draws.count
        ),
        win=None if file.win is None else WinLaw(**file.win.model_dump()),
        match=None if file.match is None else MatchRules(**file.match.model_dump()),
        unconfirmed=file.unconfirmed,
    )


@cache
def names() -> tuple[str, ...]:
    """The regulations that are shipped, in alphabetical order."""
    found = (entry.name for entry in files("damas_board.regulations").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def shipped(name: str) -> Regulation:
    """The shipped regulation of that name; KeyError with the nearest name where there is none."""
    if name not in names():
        raise KeyError(f'there is no regulation "{name}"{suggestion(name, names())}')
    return parse(files("damas_board.regulations").joinpath(f"{name}.toml").read_text("utf-8"), name)
