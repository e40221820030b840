"""A camera without pictures: what one would say of a table at which hands play, cheap enough for tests of many games.

How it sees. It looks twelve times a second and tells the board anew when what it says has changed. A hand and its arm
hide squares from the moment they come until they have gone, on the way from one square to the next as well; a square is
read when it has been free and unchanged for `settle` seconds, until then it is `?`. Now and then it is not sure of a
square for some seconds: that is `?` with likelihoods, and these mean what they say - where it gives 8 in 10 to a piece,
eight times in ten one stands there. Squares that are `dazzled` it never reads; of those that are `deceived` it always
says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import merge
from math import exp, log
from random import Random

from damas_board.rules.geometry import Geometry
from damas_board.rules.side import Side
from damas_board.session.inputs import Input, See, Tick
from simulator.games import PlayedGame
from simulator.hand import Act, Hand, Lift, Place, Press
from simulator.levels import Level, Span
from simulator.recorded import FIRST_LOOK, LAST_LOOK
from simulator.sensors import Sensors
from simulator.table import EMPTY, Table, rows, sensed

LOOKS_A_SECOND = 12
APPROACH = 0.4
"""How long a hand is above the board before it takes the first piece, and after it has left the last."""
AWAY = 1.5
"""A hand that does nothing for so long is drawn back meanwhile."""
REACH = 1.25
"""How far around its square a hand hides others, squares."""
SLEEVE = 0.8
"""Half the width of the arm behind it."""
MARKS = (EMPTY, "w", "b")


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How well a camera sees. Spans are drawn uniformly."""

    settle: float = 0.3
    """How long a square has to be free and unchanged before it is read, seconds."""
    doubts: float = 0.0
    """How many squares it begins to doubt in a turn, on the average."""
    doubted_where_played: float = 0.5
    """How many of these are squares that the turn is about."""
    doubt: Span = (0.5, 10.0)
    """How long it doubts a square, seconds."""
    sure: Span = (0.6, 0.99)
    """What it gives to the likeliest mark."""
    noise: float = 0.15
    """By how much the logarithms of likelihoods tremble from one look to the next."""
    dazzled: frozenset[int] = frozenset()
    """Squares that it does not read at all, and is told nothing of."""
    deceived: Mapping[int, str] = field(default_factory=dict)
    """Squares of which it always says the same mark, unless a hand hides them."""


@dataclass(slots=True)
class _Doubt:
    """A square that is not sure from `since` to `until`; `likely` are likelihoods of the truth and of the others."""

    square: int
    since: float
    until: float
    of: str = "?"
    """The mark that stood there when they were drawn."""
    likely: dict[str, float] = field(default_factory=dict)


class Eyes:
    """A camera above one table, to be used as `Sensors` are. It sees colours, no crowns."""

    def __init__(
        self, table: Table, geometry: Geometry, sharpness: Sharpness, seed: int = 0, *, by: str | None = "camera"
    ) -> None:
        self._table = table
        self._geometry = geometry
        self._sharpness = sharpness
        self._random = Random(seed)
        self._by = by
        self._size = geometry.size
        self._looks = 0
        self._acts: list[Act] = []
        self._ways: dict[Side, list[tuple[float, int, bool]]] = {Side.WHITE: [], Side.BLACK: []}
        """Where each player's hand is when, and whether it then holds a piece."""
        self._disturbed = dict.fromkeys(geometry.playable, -1.0)
        self._doubts: list[_Doubt] = []
        self._told: See | None = None

    def first(self) -> See:
        """What is told of the table before anybody comes."""
        return next(self._look(0.0))

    def see(self, acts: list[Act], since: float | None = None) -> Iterator[Input]:
        """What is seen while one turn is played: `acts` in the order of their times, thought over from `since`."""
        if not acts:
            return
        self._acts += acts
        for act in acts:
            if isinstance(act.action, Press):
                continue
            side = act.action.by if isinstance(act.action, Lift | Place) else self._last_player(acts)
            holds = isinstance(act.action, Lift)
            self._ways[side].append((act.at, act.action.square, holds))
        begins = self._looks / LOOKS_A_SECOND if since is None else since
        self._draw_doubts(acts, begins, acts[-1].at)
        yield from self._until(acts[-1].at)

    def rest(self) -> Iterator[Input]:
        """What is seen until every hand has gone and every doubt is over."""
        last = max([way[-1][0] for way in self._ways.values() if way], default=0.0) + APPROACH
        yield from self._until(max([last, *(doubt.until for doubt in self._doubts)]) + self._sharpness.settle + 0.2)

    def _last_player(self, acts: list[Act]) -> Side:
        """Whose hand takes off pieces: the one that moves."""
        return next(act.action.by for act in reversed(acts) if isinstance(act.action, Lift | Place | Press))

    def _draw_doubts(self, acts: list[Act], begins: float, ends: float) -> None:
        chance, sharpness = self._random, self._sharpness
        touched = sorted({act.action.square for act in acts if not isinstance(act.action, Press)})
        count = int(sharpness.doubts) + (chance.random() < sharpness.doubts % 1)
        for _ in range(count):
            where = touched if chance.random() < sharpness.doubted_where_played else self._geometry.playable
            square, since = chance.choice(where), chance.uniform(begins, ends)
            if all(doubt.square != square or doubt.until < since for doubt in self._doubts):
                self._doubts.append(_Doubt(square, since, since + chance.uniform(*sharpness.doubt)))

    def _until(self, end: float) -> Iterator[Input]:
        while (at := round(self._looks / LOOKS_A_SECOND, 3)) <= end:
            while self._acts and self._acts[0].at <= at:
                act = self._acts.pop(0)
                self._table.do(act.action)
                if not isinstance(act.action, Press):
                    self._disturbed[act.action.square] = at
            for square in self._hidden(at):
                self._disturbed[square] = at
            yield from self._look(at)
            self._looks += 1

    def _look(self, at: float) -> Iterator[See]:
        """What is told of a look at `at`, if it is news."""
        marks: dict[int, str] = {}
        for square, disturbed in self._disturbed.items():
            if (disturbed >= 0 and at < disturbed + self._sharpness.settle) or square in self._sharpness.dazzled:
                marks[square] = "?"
            else:
                marks[square] = self._sharpness.deceived.get(square, self._stands(square))
        doubt: dict[str, dict[str, float]] = {}
        self._doubts = [each for each in self._doubts if each.until > at]
        for each in self._doubts:
            if each.since <= at and marks[each.square] != "?" and each.square not in self._sharpness.deceived:
                marks[each.square] = "?"
                doubt[self._geometry.name(each.square)] = self._trembling(self._likely(each))
        seen = See(at, rows(marks, self._geometry), self._by, doubt=doubt or None)
        last = self._told
        if last is None or last.rows != seen.rows or (last.doubt or {}).keys() != doubt.keys() or self._anew(last, at):
            self._told = seen
            yield seen

    def _anew(self, last: See, at: float) -> bool:
        """Whether likelihoods are told again only because they tremble."""
        return bool(last.doubt) and at >= last.at + 0.5

    def _stands(self, square: int) -> str:
        return sensed(self._table.pieces.get(square), "colour")

    def _likely(self, doubt: _Doubt) -> dict[str, float]:
        """Likelihoods that mean what they say, drawn anew when another mark stands there."""
        truth = self._stands(doubt.square)
        if doubt.of != truth:
            chance = self._random
            sure = chance.uniform(*self._sharpness.sure)
            second = (1 - sure) * chance.uniform(0.6, 1.0)
            shares = [sure, second, 1 - sure - second]
            others = chance.sample([mark for mark in MARKS if mark != truth], 2)
            given = chance.choices(range(3), shares)[0]
            doubt.likely = {truth: shares.pop(given)} | dict(zip(others, shares, strict=True))
            doubt.of = truth
        return doubt.likely

    def _trembling(self, likely: Mapping[str, float]) -> dict[str, float]:
        noise = self._sharpness.noise
        found = {m: exp(log(max(p, 1e-6)) + self._random.gauss(0, noise)) for m, p in likely.items()}
        total = sum(found.values())
        return {mark: round(p / total, 3) for mark, p in found.items()}

    # --- hands

    def _hidden(self, at: float) -> set[int]:
        """The squares that a hand or an arm hides."""
        hidden: set[int] = set()
        for side in self._ways:
            place = self._hand(side, at)
            if place is not None:
                hidden |= {square for square in self._geometry.playable if self._covers(side, *place, square)}
        return hidden

    def _covers(self, side: Side, row: float, column: float, square: int) -> bool:
        down, right = divmod(square, self._size)
        behind = down > row if side else down < row
        near = (down - row) ** 2 + (right - column) ** 2 <= REACH**2
        return near or (behind and abs(right - column) <= SLEEVE)

    def _hand(self, side: Side, at: float) -> tuple[float, float] | None:
        """Where the hand of `side` is, row and column; None where it is not above the board."""
        way = self._ways[side]
        while len(way) > 1 and way[1][0] < at - APPROACH:
            del way[0]
        before = next((each for each in reversed(way) if each[0] <= at), None)
        after = next((each for each in way if each[0] > at), None)
        if before is not None and after is not None and after[0] - before[0] <= AWAY:
            part = (at - before[0]) / (after[0] - before[0])
            (r0, c0), (r1, c1) = (divmod(each[1], self._size) for each in (before, after))
            return r0 + (r1 - r0) * part, c0 + (c1 - c0) * part
        for each in (before, after):
            if each is not None and abs(each[0] - at) <= APPROACH:
                row, column = divmod(each[1], self._size)
                return row, column
        return None


# --- whole games


def seen(game: PlayedGame, level: Level, seed: int, sharpness: Sharpness, *, by: str | None = "camera") -> list[Input]:
    """What a camera tells while `game` is played: from the start position to a last `Tick`."""
    return list(_inputs(game, level, seed, sharpness, by=by, sensors=False, stuck={}, lever=False))


def seen_and_felt(
    game: PlayedGame,
    level: Level,
    seed: int,
    sharpness: Sharpness,
    *,
    stuck: Mapping[int, str] | None = None,
    lever: bool = False,
) -> list[Input]:
    """What a camera and a sensor board tell of the same game; the sensors of `stuck` always say the mark given."""
    return list(_inputs(game, level, seed, sharpness, by="camera", sensors=True, stuck=stuck or {}, lever=lever))


def _inputs(
    game: PlayedGame,
    level: Level,
    seed: int,
    sharpness: Sharpness,
    *,
    by: str | None,
    sensors: bool,
    stuck: Mapping[int, str],
    lever: bool,
) -> Iterator[Input]:
    geometry = game.start.variant.geometry
    hand = Hand(game.start, level, seed, now=FIRST_LOOK, clock=lever)
    eyes = Eyes(Table(game.start), geometry, sharpness, seed + 1, by=by)
    felt = Sensors(Table(game.start), geometry, level, seed + 2, plies=len(game.moves))
    of_eyes: list[Input] = [eyes.first()]
    of_sensors: list[Input] = [See(0.0, felt.rows)]
    for move in game.moves:
        since = hand.now
        acts = hand.play(move)
        of_eyes += eyes.see(list(acts), since)
        if sensors:
            of_sensors += felt.see(acts, since)
    of_eyes += eyes.rest()
    of_sensors += felt.rest()
    told = _sticking(of_sensors, stuck, geometry) if sensors else []
    last = 0.0
    for item in merge(told, of_eyes, key=lambda each: each.at):
        last = max(last, item.at)
        yield item
    yield Tick(round(max(last, hand.now) + LAST_LOOK, 3))


def _sticking(items: Iterable[Input], stuck: Mapping[int, str], geometry: Geometry) -> Iterator[Input]:
    """The readings of a board the sensors of which are stuck on some squares; it tells only what is news."""
    size = geometry.size
    told = ""
    for item in items:
        if not isinstance(item, See):
            yield item
            continue
        lines = [list(line) for line in item.rows.split("/")]
        for square, mark in stuck.items():
            row, column = divmod(square, size)
            lines[size - 1 - row][column] = mark
        now = "/".join("".join(line) for line in lines)
        if now != told:
            told = now
            yield replace(item, rows=now)
