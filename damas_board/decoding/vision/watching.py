"""From pictures of a table, one after another, to what stands on its board: pictures and times in, observations out.

How it works. A picture goes through stages, and the first that cannot go on says why:

    the same picture again, to the last bit       FROZEN after a while, else nothing; where the camera's pictures
                                                  have no noise (`trembling`) it is one like others
    light                                         DARK
    where the board is (`following`; `finding`    MOVED, or NO_BOARD where it has been away for longer, or was never
    and `placing` where it is lost)               there
    what lies over it (`covering`)                OCCLUDED where hands or something else cover most of it
    the squares (`sampling`, `reading`, `marks`)  GLARE, UNSTABLE where most of them cannot be read

A status is told when it has lasted as long as PATIENCE says, and while one is told that is not OK nothing else is.
Otherwise what stands on the squares is told whenever it changes. After a status nothing is taken over from before:
every square is read anew.

Squares that are certain, while everything is still, slowly take the classes with them as the light changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np

from damas_board.decoding.vision.calibrating import CalibrationError as CalibrationError
from damas_board.decoding.vision.calibrating import profile_of as profile_of
from damas_board.decoding.vision.classes import Classes, adapted
from damas_board.decoding.vision.covering import Background, Mask, around, limbs, moving
from damas_board.decoding.vision.finding import find
from damas_board.decoding.vision.following import SEEN, STILL, Followed, Follower
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.lighting import playing
from damas_board.decoding.vision.marks import Marks
from damas_board.decoding.vision.picture import Picture, Plane
from damas_board.decoding.vision.placing import elsewhere, grid_from, grid_values, placed
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.quality import DIM, light, same
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.sampling import Samples, samples
from damas_board.decoding.vision.trembling import Tremor

Condition = Literal["OK", "NO_BOARD", "DARK", "GLARE", "MOVED", "OCCLUDED", "UNSTABLE", "FROZEN"]
Place = tuple[int, int]
"""A square: its row and column in `Seen.rows`."""

PATIENCE: Final[Mapping[Condition, float]] = {
    "OK": 0.1,
    "NO_BOARD": 1.0,
    "DARK": 0.5,
    "GLARE": 1.0,
    "MOVED": 0.4,
    "OCCLUDED": 1.0,
    "UNSTABLE": 1.5,
    "FROZEN": 0.0,
}
"""Seconds that a status has to last before it is told."""
FROZEN_AFTER: Final = 3.0
"""Seconds of one and the same picture where there were none before."""
_AWAY: Final = 3.0
"""Seconds after which a board that is not found again has not been moved but is not there."""
_TRACES: Final = 0.1
"""Which part of the crossings shows that a board is still there, under something."""
_SEEK_EVERY: Final = 0.5
_SEEK_SELDOM: Final = 2.0
"""Seconds between two attempts to find the board, at first and when it has long been away."""
_REST: Final = 0.2
"""Seconds for which a board that moved has to lie still."""
_COVERED: Final = 0.5
"""Which part of the squares makes OCCLUDED."""
_BARE: Final = 0.9
"""Which part of the crossings shows where nothing can lie over most of the board, whatever the colours say."""
_READABLE: Final = 0.55
"""Which part of the squares has to be certain for anything to be told."""
_ADAPT_EVERY: Final = 1.0
_DOUBT_EVERY: Final = 0.5
_DOUBT_CHANGES: Final = 0.15
"""Likelihoods are told again where one has changed by more, and not more often."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands on the board, in White's view: rows from Black's side down to White's, each from White's left.

    Marks: `.` empty or never occupied, `w` and `b` a piece, `?` not known: covered, moving, or not certain; the last
    have their likelihoods of `.`, `w` and `b` in `doubt`.
    """

    at: float
    rows: str
    doubt: Mapping[Place, Mapping[str, float]] | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """From now on nothing can be told, and why; or `OK`: what stands on the board is told again."""

    at: float
    status: Condition


Observation = Seen | Status


class Watcher:
    """Tells what the pictures of one camera show; it has no clock, times (seconds, growing) come with the pictures."""

    def __init__(self, profile: Profile, tremor: Tremor | None = None) -> None:
        """`tremor`: what is known of the camera's noise already, from when it was watched before."""
        self._profile = profile
        self._classes = Classes.of_profile(profile)
        self._playing: Mask = playing(profile.grid.size, profile.parity)
        self._last: Picture | None = None
        self._last_at = 0.0
        self._tremor = tremor or Tremor()
        self._place: Grid | None = None
        self._follower: Follower | None = None
        self._background: Background | None = None
        self._levels: Plane | None = None
        self._rows = ""
        self._lost_at: float | None = None
        self._seek_at = float("-inf")
        self._moved_at = float("-inf")
        self._adapted_at = float("-inf")
        self._marks = Marks(self._playing)
        self._status: Condition | None = None
        self._coming: tuple[Condition, float, float] | None = None
        """What the last pictures showed, since when, and for how long it has to last."""
        self._told: Seen | None = None

    @property
    def grid(self) -> Grid | None:
        """Where the board is in the pictures, turned over where the profile says so; None while it is not known."""
        return None if self._follower is None else self._follower.grid

    @property
    def status(self) -> Condition | None:
        """What was told last; None before anything was."""
        return self._status

    @property
    def profile(self) -> Profile:
        """As things are now: where the board is, what its squares look like."""
        looks = self._classes.values()
        now = replace(
            self._profile,
            empty=looks["empty"],
            white=looks["white"],
            black=looks["black"],
            ground=looks["ground"],
        )
        return now if self._place is None else replace(now, grid=grid_values(self._place))

    def look(self, picture: Picture, at: float) -> list[Observation]:
        """What `picture`, taken at `at`, shows that was not told yet; mostly nothing."""
        if self._last is None or picture.shape != self._last.shape:
            self._resize(picture)
        elif not same(picture, self._last):
            self._tremor.look(picture, self._last)
        elif self._tremor.proven:
            return self._condition("FROZEN", at) if at - self._last_at >= FROZEN_AFTER else []
        self._last, self._last_at = picture, at
        if self._profile.mirrored:
            picture = np.asarray(cv2.flip(picture, 1), dtype=np.uint8)
        lit = light(picture, self.grid)
        if lit.status == "DARK":
            return self._condition("DARK", at)
        followed = self._where(picture, at)
        if followed is None or followed.grid is None:
            return self._condition(self._absence(at), at)
        if followed.moved > STILL:
            self._moved_at = at
            self._levels = None
        condition: Condition | None = "OCCLUDED" if followed.seen < SEEN else self._squares(picture, followed, at)
        if condition == "OCCLUDED" and self._blurred(followed):
            condition = "UNSTABLE"
        if condition in ("OCCLUDED", "UNSTABLE"):
            if lit.level < DIM:
                condition = "DARK"
            elif lit.status == "GLARE":
                condition = "GLARE"
        return self._condition(condition, at) if condition is not None else []

    def _resize(self, picture: Picture) -> None:
        """The first picture, or the camera has been set to another size."""
        self._lose(None)
        height, width = picture.shape[:2]
        here = grid_from(self._profile.grid)
        factor = width / self._profile.width
        fits = abs(height / self._profile.height / factor - 1) < 0.02
        self._place = here.scaled(factor) if fits else None

    def _where(self, picture: Picture, at: float) -> Followed | None:
        """Where the board is; None where it is lost, or never was there."""
        followed = None if self._follower is None else self._follower.follow(picture)
        if followed is not None:
            if followed.grid is None:
                self._lose(at)
                followed = None
            elif followed.seen >= SEEN:
                self._lost_at, self._place = None, followed.grid
                return followed
            else:
                self._lost_at = at if self._lost_at is None else self._lost_at
                if at - self._lost_at < _AWAY:
                    return followed
                if followed.seen < _TRACES and not self._blurred(followed):
                    self._lose(self._lost_at)
                    followed = None
        if at < self._seek_at:
            return followed
        grid = self._found(picture)
        if grid is None:
            long_away = self._status is not None and (self._lost_at is None or at - self._lost_at > _AWAY)
            self._seek_at = at + (_SEEK_SELDOM if long_away else _SEEK_EVERY)
            return followed
        self._lose(None)
        self._follower = Follower(picture, grid)
        self._place = grid
        if self._status == "OK":
            self._moved_at = at
        return self._follower.follow(picture)

    def _found(self, picture: Picture) -> Grid | None:
        """The board, looked for in the whole picture; of several, the one that is nearest to where it was.

        One whose middle is beside that is a neighbour's, though ours may have been carried there: while ours is covered
        or away the neighbours' are all that is seen, and at the beginning of a round what stands on them is the same.
        """
        found = find(picture, (self._profile.grid.size,), near=self._place)
        boards = [grid for grid in (found.grid, *found.others) if grid is not None]
        if self._place is not None:
            middle = self._place.corners.mean(axis=0)
            boards.sort(key=lambda grid: float(np.linalg.norm(grid.corners.mean(axis=0) - middle)))
        for board in boards:
            if self._place is not None and elsewhere(board, self._place):
                continue
            grid = placed(picture, board, self._place, self._classes, self._profile, self._rows)
            if grid is not None:
                return grid
        return None

    def _lose(self, at: float | None) -> None:
        self._follower = self._background = self._levels = None
        self._lost_at = at
        self._seek_at = float("-inf")

    def _blurred(self, followed: Followed) -> bool:
        return self._follower is not None and self._follower.blurred(followed.levels)

    def _absence(self, at: float) -> Condition:
        """Why there is no board to be seen."""
        return "NO_BOARD" if self._lost_at is None or at - self._lost_at > _AWAY else "MOVED"

    def _squares(self, picture: Picture, followed: Followed, at: float) -> Condition | None:
        """Reads the squares where that can be done, and says whether it can; None: not yet."""
        assert followed.grid is not None
        assert self._follower is not None
        still = at - self._moved_at >= _REST
        before, self._levels = self._levels, followed.levels
        if not still:
            return "MOVED"
        seen = samples(picture, followed.grid, self._profile.lean)
        if self._background is None:
            self._background = Background(seen, followed.contrasts)
        covered = self._background.covered(seen, followed.contrasts)
        if covered.mean() > _COVERED and followed.seen > _BARE:
            self._background = Background(seen, followed.contrasts)
            covered = self._background.covered(seen, followed.contrasts)
        restless = np.zeros_like(covered)
        if before is not None:
            restless = moving(followed.levels, before, self._follower.small)
        hands = limbs(covered, restless)
        hidden = covered | ~seen.seen
        reading = read(seen, self._classes, self._profile.parity, covered)
        self._marks.look(at, reading.likelihoods, hidden, restless, around(covered))
        self._background.learn(seen, followed.contrasts, covered, around(hands & restless))
        if covered[self._playing].mean() > _COVERED:
            return "OCCLUDED"
        if not self._marks.complete:
            return None
        if self._marks.known < _READABLE:
            return "UNSTABLE"
        if not hands.any() and not restless.any():
            self._rows = _text(self._marks.marks)
            self._adapt(seen, covered, at)
        return "OK"

    def _adapt(self, seen: Samples, covered: Mask, at: float) -> None:
        if at - self._adapted_at >= _ADAPT_EVERY:
            self._adapted_at = at
            self._classes = adapted(self._classes, seen, self._profile.parity, self._rows, covered)

    def _condition(self, condition: Condition, at: float) -> list[Observation]:
        """What is told of a picture that shows that."""
        told: list[Observation] = []
        if condition == self._status:
            self._coming = None
        else:
            if not self._lasts(condition):
                self._coming = condition, at, 0.0
            _, since, patience = self._coming or (condition, at, 0.0)
            self._coming = condition, since, max(patience, PATIENCE[condition])
            if at - since < self._coming[2]:
                return []
            told.append(Status(at, condition))
            self._status, self._coming, self._told = condition, None, None
        if condition == "OK":
            told += self._changes(at)
        else:
            self._marks = Marks(self._playing)
        return told

    def _lasts(self, condition: Condition) -> bool:
        """Whether it is as in the picture before; what hinders the reading may do so now in this way, now in that."""
        before = None if self._coming is None else self._coming[0]
        if self._status in (None, "OK") and "OK" not in (before, condition):
            return before is not None
        return before == condition

    def _changes(self, at: float) -> list[Observation]:
        turn = self._profile.turn
        rows = _text(np.rot90(self._marks.marks, -turn // 90))
        doubt = {_turned(place, self._profile.grid.size, turn): by for place, by in self._marks.doubt.items()}
        last = self._told
        if last is not None and last.rows == rows:
            before = last.doubt or {}
            if before.keys() == doubt.keys():
                changed = max((abs(p - before[s][m]) for s, by in doubt.items() for m, p in by.items()), default=0.0)
                if changed <= _DOUBT_CHANGES or at - last.at < _DOUBT_EVERY:
                    return []
        self._told = Seen(at, rows, doubt or None)
        return [self._told]


def _text(marks: np.ndarray[tuple[int, ...], np.dtype[np.str_]]) -> str:
    return "/".join("".join(row) for row in marks)


def _turned(place: Place, size: int, turn: int) -> Place:
    """Where a square of the picture's rows is when they are turned clockwise."""
    row, column = place
    for _ in range(turn // 90 % 4):
        row, column = column, size - 1 - row
    return row, column
