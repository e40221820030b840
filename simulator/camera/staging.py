"""A game on the table in virtual time: what stands where from when on, and where every hand is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from math import hypot, inf
from random import Random
from typing import NamedTuple

import numpy as np

from damas_board.rules.position import Move
from damas_board.rules.side import Side
from simulator.camera.conditions import Bump, Condition
from simulator.camera.gestures import AIR, Stop, Track, track
from simulator.camera.optics import SQUARE, Place
from simulator.camera.scene import RADIUS, Loose, Piece, Where
from simulator.games import PlayedGame
from simulator.hand import Act, Crown, Hand, Lift, Press, PutBack, TakeOff
from simulator.hand import Place as PutDown
from simulator.levels import Level
from simulator.table import Table

FIRST_LOOK = 1.5
"""Before the first player begins to think, seconds."""
LAST_LOOK = 6.0
PAUSE = 3.5
"""Nobody plays for so long when something is bumped; it happens in the middle of it."""
CROWNING = 0.7
"""From the end of a move to the second man on the new king."""
HELD_TOGETHER = 0.9
"""Captured men that come off within it stay in the hand."""
SLACK = SQUARE / 2 - RADIUS
"""So far off the middle of its square a man touches a line."""

Handedness = tuple[Side, bool]
"""Whose hand, and whether it is the left one."""


class Played(NamedTuple):
    """A ply as it happened on the table: from its player's first contact to the last one."""

    move: Move
    begins: float
    ends: float


class Stage(NamedTuple):
    """From `at` on these pieces stand on the board, and those beside it."""

    at: float
    pieces: Mapping[Where, Piece]
    beside: tuple[Loose, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A whole game."""

    size: int
    stages: tuple[Stage, ...]
    tracks: Mapping[Handedness, Track]
    plies: tuple[Played, ...]
    bumped: float | None
    """When something is bumped."""
    ends: float


def staged(game: PlayedGame, level: Level, condition: Condition, seed: int) -> Play:
    """`game` played by hands of `level` on a board under `condition`; the same arguments give the same play."""
    acts: list[tuple[Act, Side]] = []
    plies: list[Played] = []
    hand = Hand(game.start, level, seed, now=FIRST_LOOK)
    bumped = None
    shaken = None if condition.bump is None else int(condition.bump.share * len(game.moves))
    for number, move in enumerate(game.moves):
        if number == shaken:
            bumped = round(hand.now + PAUSE / 2, 3)
            hand.now += PAUSE
        side = hand.position.turn
        done = hand.play(move)
        acts += [(act, side) for act in done]
        own = [a.at for a in done if not (isinstance(a.action, Lift | PutDown) and a.action.by is not side)]
        plies.append(Played(move, own[0], own[-1]))
    ends = hand.now + LAST_LOOK
    director = _Director(game, condition, seed, bumped)
    return director.direct(acts, tuple(plies), ends)


class _Director:
    def __init__(self, game: PlayedGame, condition: Condition, seed: int, bumped: float | None) -> None:
        self._condition = condition
        self._random = Random(f"{seed} pieces")
        self._size = game.start.variant.size
        self._half = self._size * SQUARE / 2
        self._bumped = bumped
        self._pieces = {self._where(s): self._put(mark) for s, mark in Table(game.start).pieces.items()}
        self._contacts: dict[Handedness, list[Stop]] = {}
        self._holding: dict[Handedness, Piece] = {}
        self._taken: dict[Handedness, list[str]] = {}
        self._piles: dict[Side, list[Loose]] = {side: [] for side in Side}
        self._boards: list[tuple[float, Mapping[Where, Piece]]] = [(0.0, dict(self._pieces))]
        self._brought: list[tuple[float, Loose, bool]] = []
        """What comes to lie beside the board (True), or goes from there, and when."""

    def direct(self, acts: list[tuple[Act, Side]], plies: tuple[Played, ...], ends: float) -> Play:
        acts = self._crowned_later(acts)
        for act, mover in acts:
            self._drop_what_was_taken(act)
            self._do(act, mover)
        self._drop_what_was_taken(None)
        tracks = {
            who: track(sorted(stops, key=lambda stop: stop.at), self._home(who))
            for who, stops in self._contacts.items()
        }
        return Play(self._size, tuple(self._stages()), tracks, plies, self._bumped, ends)

    def _do(self, act: Act, mover: Side) -> None:
        at = act.at
        match act.action:
            case Lift(square, by, left):
                piece = self._pieces.pop(self._where(square))
                self._holding[by, left] = piece
                self._touch((by, left), at, self._spot(square, piece), piece.mark)
            case PutDown(square, by, left):
                piece = self._pieces[self._where(square)] = self._put_again(self._holding.pop((by, left)))
                self._touch((by, left), at, self._spot(square, piece), None)
            case TakeOff(square):
                piece = self._pieces.pop(self._where(square))
                who = self._free(mover)
                self._touch(who, at, self._spot(square, piece), piece.mark)
                self._taken.setdefault(who, []).append(piece.mark)
            case PutBack(square, mark):
                piece = self._pieces[self._where(square)] = self._put(mark)
                self._touch(self._free(mover), at, self._spot(square, piece), None)
            case Crown(square):
                where = self._where(square)
                man = self._pieces[where]
                askew = (self._random.gauss(0, 0.7), self._random.gauss(0, 0.7))
                self._pieces[where] = replace(man, mark=man.mark.upper(), askew=askew)
                self._fetch_crown(mover, at, self._spot(square, man), man.mark)
            case Press():
                return
        self._boards.append((at, dict(self._pieces)))

    def _crowned_later(self, acts: list[tuple[Act, Side]]) -> list[tuple[Act, Side]]:
        """A crown takes a moment longer than the move, unless the king goes on at once."""
        later: list[tuple[Act, Side]] = []
        for number, (act, mover) in enumerate(acts):
            at = act.at
            if isinstance(act.action, Crown):
                square = act.action.square
                touched = (
                    a.at for a, _ in acts[number + 1 :] if not isinstance(a.action, Press) and a.action.square == square
                )
                at = min(at + CROWNING, max(next(touched, at + CROWNING) - 0.05, at))
            later.append((Act(round(at, 3), act.action), mover))
        return sorted(later, key=lambda pair: pair[0].at)

    def _fetch_crown(self, mover: Side, at: float, spot: tuple[float, float], mark: str) -> None:
        """The second man comes from those beside the board, if there is one of its colour."""
        who = (mover, True)
        last = self._contacts.get(who, [])
        fetched = at - CROWNING / 2
        there = [one for begins, one, comes in self._brought if comes and begins < fetched and one.mark == mark]
        found = next(((p, one) for p in self._piles.values() for one in reversed(p) if one in there), None)
        if found is not None:
            pile, loose = found
            pile.remove(loose)
            self._brought.append((fetched, loose, False))
            if not last or last[-1].at < fetched:
                self._contacts.setdefault(who, []).append(Stop(fetched, loose.x, loose.y, 0.0, mark))
        if not last or last[-1].at < at:
            self._touch(who, at, spot, None)

    def _drop_what_was_taken(self, coming: Act | None) -> None:
        """A hand with captured men in it puts them beside the board before it does anything else than taking more."""
        for who, marks in list(self._taken.items()):
            last = self._contacts[who][-1]
            if coming is not None and coming.at - last.at < HELD_TOGETHER:
                if isinstance(coming.action, TakeOff):
                    continue
                if not (isinstance(coming.action, Lift | PutDown) and (coming.action.by, coming.action.left) == who):
                    continue
            del self._taken[who]
            at = last.at + 0.5 if coming is None else min(last.at + 0.5, (last.at + coming.at) / 2)
            pile = self._piles[who[0]]
            for mark in marks:
                for _ in range(2 if mark.isupper() else 1):
                    pile.append(self._beside(who[0], mark.lower()))
                    self._brought.append((at, pile[-1], True))
            self._contacts[who].append(Stop(at, pile[-1].x, pile[-1].y, 0.0))

    def _beside(self, side: Side, mark: str) -> Loose:
        """A disc of `mark` on the first free place at the right of the player of `side`."""
        edge = self._half + self._condition.look.border_width + 26
        sign = -1 if side is Side.BLACK else 1
        shaken = self._random.uniform(0, 3), self._random.uniform(-2, 2)
        for number in count():
            x = sign * (edge + number % 2 * 39 + shaken[0])
            y = sign * (-self._half + 20 + number // 2 * 39 + shaken[1])
            if all(hypot(one.x - x, one.y - y) > RADIUS for one in self._piles[side]):
                break
        return Loose(mark, x, y, -self._condition.look.thickness)

    def _stages(self) -> Iterator[Stage]:
        """What stood there, from each change on, in the order of the times."""
        boards, beside = iter([*self._boards[1:], (inf, {})]), list[Loose]()
        pieces, (coming, after) = self._boards[0][1], next(boards)
        yield Stage(0.0, pieces, ())
        for at, loose, comes in [*sorted(self._brought, key=lambda one: one[0]), (inf, None, False)]:
            while coming < at:
                pieces = after
                yield Stage(coming, pieces, tuple(beside))
                coming, after = next(boards)
            if loose is not None:
                (beside.append if comes else beside.remove)(loose)
                yield Stage(at, pieces, tuple(beside))

    def _touch(self, who: Handedness, at: float, spot: tuple[float, float], holds: str | None) -> None:
        x, y = spot
        if self._condition.bump is not None and self._bumped is not None and at > self._bumped:
            x, y = _bumped(self._condition.bump, spot)
        self._contacts.setdefault(who, []).append(Stop(at, x, y, 1.0, holds))

    def _free(self, side: Side) -> Handedness:
        return (side, (side, False) in self._holding)

    def _put(self, mark: str, tone: float | None = None) -> Piece:
        random, condition = self._random, self._condition
        x, y = (min(max(random.gauss(0, condition.spread), -SLACK + 0.5), SLACK - 0.5) for _ in "xy")
        if random.random() < condition.on_line:
            x, y = random.choice([(x, SLACK), (x, -SLACK), (SLACK, y), (-SLACK, y)])
        askew = (random.gauss(0, 0.7), random.gauss(0, 0.7)) if mark.isupper() else (0.0, 0.0)
        return Piece(mark, x, y, askew, random.gauss(1.0, condition.tones) if tone is None else tone)

    def _put_again(self, piece: Piece) -> Piece:
        return self._put(piece.mark, piece.tone)

    def _where(self, square: int) -> Where:
        row, column = divmod(square, self._size)
        return self._size - 1 - row, column

    def _spot(self, square: int, piece: Piece) -> tuple[float, float]:
        row, column = divmod(square, self._size)
        return (column + 0.5) * SQUARE - self._half + piece.x, (row + 0.5) * SQUARE - self._half + piece.y

    def _home(self, who: Handedness) -> tuple[float, float, float]:
        side, left = who
        sign = -1 if side is Side.BLACK else 1
        return sign * (-90.0 if left else 90.0), -sign * (self._half + 480), AIR + 60


def shoulder(who: Handedness, size: int, x: float) -> tuple[float, float]:
    """Where the arm comes from whose hand is at `x`."""
    side, left = who
    sign = -1 if side is Side.BLACK else 1
    return sign * (-170.0 if left else 170.0) + 0.45 * x, -sign * (size * SQUARE / 2 + 1000)


def bump_place(bump: Bump, share: float) -> Place:
    """Where the board lies when the push is so far on, 0 to 1."""
    place = bump.place
    return Place(place.x * share, place.y * share, place.turned * share)


def hands_over(play: Play) -> Iterator[tuple[float, float]]:
    """When there are hands over the table: from and to, in order, what overlaps put together."""
    spells = sorted(chain.from_iterable(one.spells for one in play.tracks.values()))
    yield from _joined(spells)


def _joined(spells: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    current: tuple[float, float] | None = None
    for begins, ends in spells:
        if current is not None and begins <= current[1]:
            current = current[0], max(current[1], ends)
            continue
        if current is not None:
            yield current
        current = begins, ends
    if current is not None:
        yield current


def _bumped(bump: Bump, spot: tuple[float, float]) -> tuple[float, float]:
    x, y, _ = bump.place.world(np.array([*spot, 0.0]))
    return float(x), float(y)
