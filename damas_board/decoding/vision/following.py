"""Where the board is from one picture to the next: the camera is bumped, somebody pulls at the board.

How it works. A reference picture is kept, in which the grid was refined and scored. In every further one, reduced so
that a square has some 25 pixels, the crossings of the lines are looked for by optical flow from where they were, and a
homography of most of them says how the board moved since. While they stay where they were the grid does not change:
corners that are found anew in every picture tremble.

The flow of a pattern that repeats may be a whole square wrong, and a board pushed on by exactly two squares looks as if
it had not moved. So in every picture the crossings' own contrasts are asked where the board's outer edges are, and
which of the two kinds of squares is the light one; where they disagree with the grid the board is lost: it has to be
found anew, by `finding` and by what stands on it.

When the board comes to rest again the grid is refined, scored and becomes the new reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.crossings import Crossings, best_plane, levels
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.patches import patches
from damas_board.decoding.vision.picture import Picture, Plane, Points
from damas_board.decoding.vision.quality import sharpness
from damas_board.decoding.vision.refining import refine
from damas_board.decoding.vision.score import ACCEPTED, score

STILL: Final = 0.03
"""Cells: what a corner moves from one picture to the next, or for good, without having moved."""
SEEN: Final = 0.3
"""Which part of the crossings has to show for the board to be where it is thought to be."""
_SQUARE: Final = 25.0
"""Pixels of a square in the reduced pictures, about."""
_FAR: Final = 0.4
"""Cells from the reference after which the grid is refined and scored anew though the board still moves."""
_AGREE: Final = 0.4
"""Which part of the crossings has to agree on how the board moved."""
_MOST: Final = 0.6
"""Which part of them has to stand still for the board to do so."""
_NEAR: Final = 0.05
"""Cells: how exactly they have to agree."""
_CLEAR: Final = 0.25
"""The margin from which on the outer edges are believed."""
_SHOWS: Final = 0.4
"""Which part of the usual contrast makes a crossing show."""
_BLURRED: Final = 0.4
"""Which part of the reference's sharpness a picture that is out of focus has at most."""
_ALIKE: Final = 0.5
"""How well its squares correlate with the reference's."""
_RELIT: Final = 1.6
"""By which factor contrasts differ in quite another light."""
_LITTLE: Final = 0.15
"""Cells: a motion that quite another light may pretend."""
_WINDOW: Final = (17, 17)


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """What one picture says of where the board is."""

    grid: Grid | None
    """None: it is lost."""
    moved: float
    """Cells that a corner of it moved since the picture before."""
    score: float
    """Of the newest grid that was scored."""
    seen: float
    """Which part of the crossings inside the board shows."""
    levels: Plane
    """The reduced picture (`crossings.levels`)."""
    contrasts: NDArray[np.float64]
    """At the crossings of the grid, or of that which is lost (`Crossings.contrasts`), positive on a whole board."""


class Follower:
    """Follows one board, from a picture in which `grid` lies on it."""

    def __init__(self, picture: Picture, grid: Grid) -> None:
        reduced = min(1.0, _SQUARE / max(grid.cell, 1.0))
        self.factor: Final = 1 / max(1, round(1 / reduced))
        """By which pictures are reduced."""
        self._plane: Final = best_plane(picture, grid, self.factor)
        self._reference = self._refer(levels(picture, self._plane, self.factor), grid, score(picture, grid))
        self._crossings = Crossings(self._reference.small)
        contrasts = self._crossings.contrasts(self._reference.levels)
        self._sign = -1.0 if np.nanmedian(self._crossings.inner(contrasts)) < 0 else 1.0
        self._usual = max(self._crossings.usual(contrasts), 1.0)
        self._small = self._reference.small
        self.grid = grid

    @property
    def small(self) -> Grid:
        """The grid in the reduced pictures; the same object while the board does not move."""
        return self._small

    def follow(self, picture: Picture) -> Followed:
        """Where the board is in the next picture."""
        now = levels(picture, self._plane, self.factor)
        motion = self._motion(now)
        if motion is None:
            return self._where_it_was(now)
        candidate = self._reference.small.moved(motion)
        if _apart(candidate, self._reference.small) < STILL:
            if self._small is not self._reference.small:
                self._small, self.grid = self._reference.small, self._reference.grid
                self._crossings = Crossings(self._small)
            return self._where_it_was(now)
        if self.blurred(now) or (_apart(candidate, self._small) < _LITTLE and self._relit(now)):
            return self._where_it_was(now)
        moved = _apart(candidate, self._small)
        crossings = Crossings(candidate)
        contrasts = crossings.contrasts(now) * self._sign
        seen = self._seen(crossings, contrasts)
        if seen < SEEN or self._aside(crossings, contrasts):
            return self._lost(now, moved, self._reference.score, seen, contrasts)
        grid = candidate.scaled(1 / self.factor)
        if moved < STILL or _apart(candidate, self._reference.small) > _FAR:
            grid = refine(picture, grid, lens=False)
            points = score(picture, grid)
            if points < ACCEPTED:
                return self._lost(now, moved, points, seen, contrasts)
            self._reference = self._refer(now, grid, points)
            candidate = self._reference.small
            crossings = Crossings(candidate)
            self._usual = max(crossings.usual(crossings.contrasts(now)), 1.0)
        self._small, self._crossings, self.grid = candidate, crossings, grid
        return Followed(grid, moved, self._reference.score, seen, now, contrasts)

    def _where_it_was(self, now: Plane) -> Followed:
        """The board did not move, or too little of it shows to tell."""
        contrasts = self._crossings.contrasts(now) * self._sign
        seen = self._seen(self._crossings, contrasts)
        if self._aside(self._crossings, contrasts):
            return self._lost(now, 0.0, self._reference.score, seen, contrasts)
        return Followed(self.grid, 0.0, self._reference.score, seen, now, contrasts)

    def _lost(self, now: Plane, moved: float, points: float, seen: float, contrasts: NDArray[np.float64]) -> Followed:
        """The board is not where it was; a picture that is out of focus does not show that."""
        grid = self.grid if self.blurred(now) else None
        return Followed(grid, moved if grid is None else 0.0, points, seen, now, contrasts)

    def _relit(self, now: Plane) -> bool:
        """Whether the light is so different that the flow is not exact: burnt out, or nearly dark."""
        contrast = self._crossings.usual(self._crossings.contrasts(now))
        return not 1 / _RELIT < contrast / self._usual < _RELIT

    def blurred(self, now: Plane) -> bool:
        """Whether a reduced picture is out of focus, or shaken: no edges, but what is left of the squares is there."""
        before = self._reference
        if sharpness(now) >= _BLURRED * before.sharpness:
            return False
        one, other = (patches(levels, before.small, 4).mean(axis=2).ravel() for levels in (now, before.levels))
        one, other = one - one.mean(), other - other.mean()
        return float(one @ other) > _ALIKE * float(np.linalg.norm(one) * np.linalg.norm(other))

    def _refer(self, now: Plane, grid: Grid, points: float) -> _Reference:
        """The picture that others are to be compared with from now on."""
        small = grid.scaled(self.factor)
        return _Reference(grid, now, small, small.points[1:-1, 1:-1].reshape(-1, 2), points, sharpness(now))

    def _motion(self, now: Plane) -> NDArray[np.float64] | None:
        """How the board moved since the reference: a homography of ideal pixels; None where nothing agrees."""
        points, cell = self._reference.points, self._reference.small.cell
        before = points.astype(np.float32).reshape(-1, 1, 2)
        guess = self._small.points[1:-1, 1:-1].reshape(-1, 1, 2).astype(np.float32)
        flow, status, _ = cv2.calcOpticalFlowPyrLK(
            self._reference.levels,
            now,
            before,
            guess,
            winSize=_WINDOW,
            maxLevel=2,
            criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 0.02),
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        after = np.asarray(flow, dtype=np.float64).reshape(-1, 2)
        found = np.asarray(status).ravel() == 1
        off = np.where(found, np.linalg.norm(after - points, axis=1) / cell, np.inf)
        if (off < STILL).mean() > _MOST:
            return np.eye(3)
        if found.sum() < max(8, _AGREE * len(found)):
            return None
        lens = self._reference.small.lens
        source, target = lens.straight(points[found]), lens.straight(after[found])
        matrix, agreeing = cv2.findHomography(source, target, cv2.RANSAC, max(0.5, _NEAR * cell))
        if np.shape(matrix) != (3, 3) or np.asarray(agreeing).sum() < _AGREE * len(found):
            return None
        motion = np.asarray(matrix, dtype=np.float64)
        there = np.column_stack([source, np.ones(len(source))]) @ motion.T
        left = np.linalg.norm(there[:, :2] / there[:, 2:] - target, axis=1) / cell
        # Where hands hide much of the board, what is left says little about the far corners.
        if (off < STILL).sum() > _MOST * (left < STILL).sum():
            return np.eye(3)
        return motion

    def _seen(self, crossings: Crossings, contrasts: NDArray[np.float64]) -> float:
        inner = crossings.inner(contrasts)
        return float((inner > _SHOWS * self._usual).mean())

    def _aside(self, crossings: Crossings, contrasts: NDArray[np.float64]) -> bool:
        """Whether the board clearly lies a whole square or more aside of the grid, or is a larger one."""
        if crossings.larger(contrasts):
            return True
        along, down, margin = crossings.shift(contrasts)
        if (along, down) != (0, 0):
            return margin > _CLEAR
        return float(np.nanmedian(crossings.inner(contrasts))) < -0.5 * self._usual


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """A picture in which the grid was refined."""

    grid: Grid
    levels: Plane
    """The picture, reduced."""
    small: Grid
    points: Points
    """n x 2: the crossings inside the board."""
    score: float
    sharpness: float


def _apart(one: Grid, other: Grid) -> float:
    """The most that a corner of one grid is off the other's, cells."""
    return float(np.linalg.norm(one.corners - other.corners, axis=1).max() / max(other.cell, 1.0))
