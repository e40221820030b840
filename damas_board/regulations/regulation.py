"""A regulation: a variant, its draw laws and what an arbiter goes by, as one TOML file says it.

A file names a variant and may replace values of its row, so that a club's house rules need no code. It may stand on a
shipped regulation (`base = "br-cbjd"`): then it only says what is different, table by table and key by key; an array
replaces the whole array; `repetition = false` under `[draws]` drops that law, `held_piece = false` under `[alerts]`
what is said of that kind. Each value names the article that it comes from; what a file changes does not stand where it
stood in its base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from damas_board.regulations import tables
from damas_board.regulations.policy import (
    KINDS,
    LAWS,
    RECURRING,
    SETTLED,
    SEVERITY,
    UNTIL,
    AlertKind,
    AlertRule,
    Consequence,
    Decides,
    IrregularMove,
    MissedCapture,
    Policy,
    Ruling,
    SeveralTouched,
    Severity,
    Until,
    in_one,
)
from damas_board.regulations.tables import Path, TableError, check_data, key_lines, line_of, suggestion
from damas_board.rules.draw import By, CountLaw, Ending, Holder, Progress, read_ending
from damas_board.rules.side import Side
from damas_board.rules.variant import STEPS, Criterion, Landing, Passing, Reach, Removal, Variant
from damas_board.rules.variants import VARIANTS

StepName = Literal["forward", "diagonals", "forward_and_sideways", "lines", "eight"]
Scoring = Literal["2-0", "1-0"]
First = Literal["lot", "random", "convention"]
Opening = Literal["free", "lot"]
Words = Literal["pt-BR", "pt-PT"]


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
    """How a match between two players is put together (003 art. 10-14; 000; 001). Where a text says nothing: this."""

    games: int = 2
    """A match has so many games, or a multiple of it (003 art. 10: an even number)."""
    first: tuple[First, ...] = ("lot",)
    """What may decide who has White in the first game."""
    colours: Literal["alternate"] = "alternate"
    """How White goes on from game to game."""
    opening: tuple[Opening, ...] = ("free", "lot")
    """`lot`: the first plies are drawn, and both players begin them in turn."""
    minors: bool = False
    """It is for minors: the public sees their initials where no other name was chosen for it (003 art. 22)."""
    articles: Mapping[str, str] = field(default_factory=dict)
    """Where it stands, by the key above; what is not in it is our custom."""


@dataclass(frozen=True)
class Regulation:
    name: str
    title: str
    about: str
    """What it is, and why it differs from its neighbours, in words."""
    variant: Variant
    scoring: Scoring
    """How the winner's and the loser's points are written in a game file."""
    sources: tuple[str, ...]
    articles: Mapping[str, str]
    """Where a rule stands, by its name: a value of the variant's row or of the policy, a kind of alert, `crowning`,
    `adjusting`, a game's end."""
    repetition: RepetitionLaw | None
    counts: tuple[CountLaw, ...] = ()
    win: WinLaw | None = None
    match: MatchRules = MatchRules()
    policy: Policy = field(default_factory=Policy)
    alerts: Mapping[AlertKind, AlertRule] = field(default_factory=dict)
    """What is said of a kind of alert beside the policy."""
    words: Words | None = None
    """The Portuguese of the text; None where it is not Portuguese."""
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

    def ruling(self, kind: AlertKind, *, recorded: bool, law: str | None = None, recurs: bool = False) -> Ruling:
        """What this regulation says about an alert.

        `recorded`: whether the game is being written down. `law`: the rule that was broken, where the case shows it, by
        its key among the articles (KeyError where there is no such rule). `recurs`: it is not the first of its kind by
        this player in the game.
        """
        if law is not None and law not in _ARTICLES:
            raise KeyError(law)
        own = self.alerts.get(kind, AlertRule())
        severity = own.severity or SEVERITY[kind]
        if recurs and kind in RECURRING and severity == "note":
            severity = "warning"
        decides = own.decides or self.policy.decides(kind, recorded=recorded)
        consequence = own.consequence or self.policy.consequence(kind, decides)
        if recurs:
            consequence = own.repeated or consequence
        return Ruling(severity, self._article(kind, law), decides, own.until or UNTIL[decides], consequence)

    def _article(self, kind: AlertKind, law: str | None) -> str | None:
        """Where the broken rule stands, and what follows: the policy's article, where nothing else is said of the kind.

        The kind's own article goes before that of the rule that it always breaks, which may say more than is meant.
        """
        own = self.alerts.get(kind)
        apart = own is not None and (own.decides or own.until or own.consequence)
        usual = kind in SETTLED and not apart and not self.policy.has_lost(kind)
        always = LAWS.get(kind)
        nearer = law in (None, always) and kind in self.articles and kind not in _CHOICES
        keys = (None if nearer else law or always, kind, "irregular_move" if usual else None)
        articles = [self.articles[key] for key in keys if key is not None and key in self.articles]
        return in_one(articles, self.sources) if articles else None


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
    road_begins: bool = False
    begun_by_player: bool = False

    @field_validator("pieces")
    @classmethod
    def _fewest_first(cls, value: tuple[int, int] | None) -> tuple[int, int] | None:
        if value is not None and not 1 <= value[0] <= value[1]:
            raise ValueError(f"[{value[0]}, {value[1]}] is no range; write the fewest and the most, like [4, 5]")
        return value

    @model_validator(mode="after")
    def _road_needs_an_ending(self) -> Self:
        if not self.endings and (self.road is not None or self.by == "stronger"):
            raise ValueError('"endings" must say who the stronger side is')
        if self.road_begins and self.road is None:
            raise ValueError('"road" must say whose king begins the count')
        return self


class _Draws(_Strict):
    repetition: _Repetition | None = None
    count: tuple[_Count, ...] = ()


class _Win(_Strict):
    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    article: str
    pieces: int = Field(ge=1)


class _Match(_Strict):
    games: int = Field(default=2, ge=2, multiple_of=2)
    first: tuple[First, ...] = Field(default=("lot",), min_length=1)
    colours: Literal["alternate"] = "alternate"
    opening: tuple[Opening, ...] = Field(default=("free", "lot"), min_length=1)
    minors: bool = False
    articles: dict[Literal["games", "first", "colours", "opening", "minors"], str] = {}


class _Policy(_Strict):
    several_touched: SeveralTouched = "playable"
    missed_capture: MissedCapture = "opponent_decides"
    irregular_move: IrregularMove = "opponent_decides"


class _Alert(_Strict):
    severity: Severity | None = None
    decides: Decides | None = None
    until: Until | None = None
    consequence: Consequence | None = None
    repeated: Consequence | None = None


Article = Annotated[str, Field(min_length=1)]


class _File(_Strict):
    base: str | None = None
    title: str
    about: str = ""
    variant: str
    scoring: Scoring = "2-0"
    sources: tuple[str, ...] = ()
    rules: _Rules = _Rules()
    articles: dict[str, Article] = {}
    draws: _Draws = _Draws()
    win: _Win | None = None
    match: _Match = _Match()
    policy: _Policy = _Policy()
    alerts: dict[str, _Alert] = {}
    words: Words | None = None
    unconfirmed: tuple[str, ...] = ()


_LIMITS = ("repetition", "limit")
"""A game's ends by a draw law, which has an article of its own: the one here goes before it."""
_ENDS = ("no_pieces", "blocked", "time", "resigned", "agreed", "decision", "absent", "void", *_LIMITS)
_CHOICES = tuple(_Policy.model_fields)
_RULES = (*(f.name for f in fields(Variant)), *_CHOICES, "crowning", "adjusting", *_ENDS)
_ARTICLES = tuple(dict.fromkeys((*_RULES, *KINDS)))
_STEP_KEYS = ("man_steps", "man_jumps", "king_steps", "king_jumps")
_FIT: dict[bool, tuple[StepName, ...]] = {
    True: ("forward_and_sideways", "lines"),
    False: ("forward", "diagonals", "eight"),
}
"""The steps that stay on playable squares: of a board where all are, and where every second one is."""


def parse(text: str, name: str, source: str | None = None) -> Regulation:
    """The regulation that a TOML text describes, under `name`; `source` is the file as the reader should see it.

    TableError (a ValueError) with file, line and key for anything that is not allowed, and what would be.
    """
    source = source or f"{name}.toml"
    own = tables.parse(text, source)
    lines = key_lines(text)
    if isinstance(own.get("alerts"), dict):
        _check_keys("alerts", own["alerts"], KINDS, lines, source)
    file = check_data(_without_dropped(_with_base(own, text, source)), text, source, _File)
    if file.variant not in VARIANTS:
        message = f'variant is "{file.variant}"{suggestion(file.variant, tuple(VARIANTS))}'
        raise TableError(source, line_of(lines, ("variant",)), message, key="variant", allowed=tuple(VARIANTS))
    _check_keys("articles", file.articles, _ARTICLES, lines, source)
    changes: dict[str, Any] = {k: v for k, v in file.rules if v is not None}
    for key in _STEP_KEYS:
        if key in changes:
            changes[key] = STEPS[changes[key]]
    if "first" in changes:
        changes["first"] = Side.WHITE if changes["first"] == "white" else Side.BLACK
    variant = replace(VARIANTS[file.variant], **changes)
    _check_steps(variant, file.rules, lines, source)
    _check_names(file, lines, source)
    law = file.draws.repetition
    return Regulation(
        name=name,
        title=file.title,
        about=file.about,
        variant=variant,
        scoring=file.scoring,
        sources=file.sources,
        articles=_still_true(file, variant, own.get("articles", {})),
        repetition=None if law is None else RepetitionLaw(**law.model_dump()),
        counts=tuple(
            CountLaw(**{key: getattr(count, key) for key in _Count.model_fields}) for count in file.draws.count
        ),
        win=None if file.win is None else WinLaw(**file.win.model_dump()),
        match=MatchRules(**file.match.model_dump()),
        policy=Policy(**file.policy.model_dump()),
        alerts={kind: AlertRule(**file.alerts[kind].model_dump()) for kind in KINDS if kind in file.alerts},
        words=file.words,
        unconfirmed=file.unconfirmed,
    )


def _check_keys(
    table: str, keys: Iterable[str], allowed: Sequence[str], lines: Mapping[Path, int], source: str
) -> None:
    for key in keys:
        if key not in allowed:
            message = f'[{table}] unknown key "{key}"{suggestion(key, allowed)}'
            raise TableError(source, line_of(lines, (table, key)), message, key=key, allowed=allowed)


def _check_steps(variant: Variant, rules: _Rules, lines: Mapping[Path, int], source: str) -> None:
    """TableError where pieces would step onto squares that are not played on."""
    fit = _FIT[variant.corner == "all"]
    for key in _STEP_KEYS:
        name = next(name for name, steps in STEPS.items() if steps == getattr(variant, key))
        if name in fit:
            continue
        squares = "all squares are" if variant.corner == "all" else "every second square is"
        if getattr(rules, key) is not None:
            message = f'{key} is "{name}", but {squares} played on; allowed: {", ".join(fit)}'
            raise TableError(source, line_of(lines, ("rules", key)), f"[rules] {message}", key=key, allowed=fit)
        message = f'[rules] corner is "{variant.corner}", but {key} is "{name}"; give {key} too: {", ".join(fit)}'
        raise TableError(source, line_of(lines, ("rules", "corner")), message, key="corner", allowed=fit)


def _check_names(file: _File, lines: Mapping[Path, int], source: str) -> None:
    """TableError where two draw laws, or a law and another end of the game, have the same name: one hides the other."""
    if file.win is not None and file.win.rule in _ENDS:
        message = f'[win] rule is "{file.win.rule}", which is the name of another end of the game; give it another'
        raise TableError(source, line_of(lines, ("win", "rule")), message, key="rule")
    taken = {*_ENDS, *(() if file.win is None else (file.win.rule,))}
    for number, count in enumerate(file.draws.count):
        if count.rule in taken:
            line = line_of(lines, ("draws", "count", number, "rule"))
            message = f'[draws.count] rule is "{count.rule}", which is the name of another law; give it another'
            raise TableError(source, line, message, key="rule")
        taken.add(count.rule)


def _still_true(file: _File, variant: Variant, own: Mapping[str, str]) -> dict[str, str]:
    """The articles without those of the base for values that are no longer what they are there."""
    if file.base is None:
        return file.articles
    below = shipped(file.base).variant
    changed = {f.name for f in fields(Variant) if getattr(below, f.name) != getattr(variant, f.name)}
    if "giveaway" in changed:
        changed |= {"no_pieces", "blocked"}
    changed |= {kind for kind, law in LAWS.items() if law in changed}
    return {key: article for key, article in file.articles.items() if key not in changed or key in own}


def _without_dropped(data: dict[str, Any]) -> dict[str, Any]:
    """The data without a law of repetition, and without kinds of alerts, that are `false`: dropped."""
    kept = dict(data)
    for table, may_drop in (("draws", ("repetition",)), ("alerts", KINDS)):
        if isinstance(data.get(table), dict):
            kept[table] = {k: v for k, v in data[table].items() if v is not False or k not in may_drop}
    return kept


def _with_base(data: dict[str, Any], text: str, source: str) -> dict[str, Any]:
    """The data of a file upon that of the regulation it stands on."""
    base = data.get("base")
    if not isinstance(base, str):
        return data
    if base not in names():
        line = line_of(key_lines(text), ("base",))
        raise TableError(source, line, f'base is "{base}"{suggestion(base, names())}', key="base", allowed=names())
    below = source_text(base)
    merged = _upon(_with_base(tables.parse(below, f"{base}.toml"), below, f"{base}.toml"), data)
    for changes in ("rules", "policy", "alerts"):
        _forget_articles(merged, data, changed=data.get(changes))
    if isinstance(data.get("policy"), dict) and "irregular_move" in data["policy"]:
        _forget_articles(merged, data, changed={"missed_capture": None})  # which is one of them
    _forget_articles(merged.get("match"), data.get("match"), changed=data.get("match"))
    _forget_article(merged.get("win"), data.get("win"))
    if isinstance(data.get("draws"), dict):
        _forget_article(merged["draws"].get("repetition"), data["draws"].get("repetition"))
    return merged


def _forget_article(merged: Any, own: Any) -> None:
    """A law that a file changes needs its own article."""
    if isinstance(merged, dict) and isinstance(own, dict) and own and "article" not in own:
        merged.pop("article", None)


def _forget_articles(merged: Any, own: Any, *, changed: Any) -> None:
    """What a file changes does not stand where it stood in its base: only the file's own articles remain for it."""
    tables_of_articles = [table.get("articles", {}) for table in (merged, own) if isinstance(table, dict)]
    if isinstance(changed, dict) and all(isinstance(table, dict) for table in tables_of_articles):
        inherited, named = tables_of_articles
        merged["articles"] = {k: v for k, v in inherited.items() if k not in changed or k in named}


def _upon(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        key: _upon(value, above[key])
        for key, value in below.items()
        if isinstance(value, dict) and isinstance(above.get(key), dict)
    }
    return {**below, **above, **both}


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
    return parse(source_text(name), name)


def source_text(name: str) -> str:
    """The TOML of the shipped regulation of that name."""
    return files("damas_board.regulations").joinpath(f"{name}.toml").read_text("utf-8")
