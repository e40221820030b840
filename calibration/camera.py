"""What a camera needs to know of its table, found out from pictures of the start position: pure.

The board is found, the men say how it lies, and what each class of squares looks like is learned. Then the same picture
is read by what was learned: a man that is missing or stands elsewhere shows there. What a person should know or put
right comes as remarks; one that `refuses` stands in the way of a profile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.classes import COMFORTABLE, Classes, InseparableError, learn, nearest
from damas_board.decoding.vision.finding import SIZES, Finding, find, from_clicks
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.lighting import lit
from damas_board.decoding.vision.markers import markers_in, turn_of
from damas_board.decoding.vision.orientation import Orientation, OrientationError, orient, seen_rows, start_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import GridValues, Parity, Profile
from damas_board.decoding.vision.quality import light
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.sampling import Samples, samples
from damas_board.rules.variant import Variant

Place = tuple[int, int]
"""A square: row and column as seen in the picture."""
Key = Literal[
    "every_square", "dark", "no_board", "clicks", "not_there", "other_size", "others", "glare", "glare_squares",
    "small", "outside", "not_start", "wrong_corner", "wrong_colour", "cards", "mirrored", "inseparable", "enough",
    "good", "differs", "unsure", "elsewhere",
]  # fmt: skip
SMALLEST = 25.0
"""Pixels a side that a square should have at least."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to tell: `facts` fill its text, `places` are the squares that it is about."""

    key: Key
    refuses: bool = False
    facts: Mapping[str, str | float] = field(default_factory=dict)
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What came out, with all that a person may look at."""

    picture: Picture
    """The one that everything was read from: turned over, if the camera gives mirrored ones."""
    finding: Finding
    remarks: tuple[Remark, ...]
    orientation: Orientation | None = None
    rows: str | None = None
    """What was read, as seen in the picture."""
    profile: Profile | None = None
    """None where a remark refuses."""

    @property
    def refused(self) -> bool:
        return any(remark.refuses for remark in self.remarks)


def calibrate(
    pictures: Sequence[Picture], variant: Variant, *, clicks: ArrayLike | None = None, mirrored: bool = False
) -> Calibration:
    """The profile of a camera that took these pictures (one or more, of one size) of the start position.

    `clicks`: 4 x 2, about where the outer corners of the board's squares are, if it is not to be looked for.
    `mirrored`: it is known that the camera gives mirrored pictures; corner cards tell as well.
    """
    picture = median(pictures)
    cards = markers_in(picture)
    from_cards = any(card.mirrored for card in cards)
    if mirrored or from_cards:
        picture = np.ascontiguousarray(picture[:, ::-1])
        clicks = None if clicks is None else np.abs(np.asarray(clicks) - (picture.shape[1] - 1, 0))
        cards = markers_in(picture)
    work = _Work(picture, variant, mirrored or from_cards)
    if from_cards and not mirrored:
        work.remark("mirrored")
    with suppress(_RefusedError):
        work.run(clicks)
    return work.result()


def median(pictures: Sequence[Picture]) -> Picture:
    """The pictures' median, pixel by pixel: what noise, or somebody's hand for a moment, leaves no trace in."""
    if len(pictures) == 1:
        return pictures[0]
    return np.asarray(np.sort(np.stack(pictures), axis=0)[len(pictures) // 2], dtype=np.uint8)


def names_of(variant: Variant, turn: int) -> dict[Place, str]:
    """The names of all squares by their places in a picture that has to be turned by `turn` for White's view."""
    size, geometry = variant.size, variant.geometry
    names = {}
    for row in range(size):
        for column in range(size):
            r, c = row, column
            for _ in range(turn // 90 % 4):
                r, c = c, size - 1 - r
            names[row, column] = geometry.name((size - 1 - r) * size + c)
    return names


def values_of(grid: Grid) -> GridValues:
    """A grid as plain values for a profile."""
    numbers = tuple(map(float, grid.homography.ravel()))
    return GridValues(grid.size, numbers, grid.lens.centre, grid.lens.radius, grid.lens.bend)


class _RefusedError(Exception):
    """It cannot go on; the remark says why."""


class _Work:
    """A calibration under way."""

    def __init__(self, picture: Picture, variant: Variant, mirrored: bool) -> None:
        self._picture = picture
        self._variant = variant
        self._mirrored = mirrored
        self._finding = Finding(None, 0.0)
        self._remarks: list[Remark] = []
        self._orientation: Orientation | None = None
        self._rows: str | None = None
        self._profile: Profile | None = None

    def remark(self, key: Key, places: Sequence[Place] = (), **facts: str | float) -> None:
        self._remarks.append(Remark(key, False, facts, tuple(places)))

    def result(self) -> Calibration:
        refused = any(remark.refuses for remark in self._remarks)
        profile = None if refused else self._profile
        return Calibration(self._picture, self._finding, tuple(self._remarks), self._orientation, self._rows, profile)

    def run(self, clicks: ArrayLike | None) -> None:
        """Until the profile is there, or nothing more can be found out (_RefusedError)."""
        if self._variant.corner == "all":
            raise self._refusal("every_square")
        grid = self._board(clicks)
        self._light(grid)
        lies = self._orientation = self._lies(grid)
        start = seen_rows(start_rows(self._variant), lies.turn)
        lean = lean_of(self._picture, grid, start)
        squares = samples(self._picture, grid, lean)
        try:
            classes = learn(squares, lies.parity, start)
        except InseparableError as error:
            raise self._refusal("inseparable", one=error.one, other=error.other, distance=error.separation) from error
        self._check(squares, classes, lies.parity, start)
        one, other, distance = nearest(classes)
        self.remark("good" if distance >= COMFORTABLE else "enough", one=one, other=other, distance=distance)
        height, width = self._picture.shape[:2]
        self._profile = Profile(
            width=width,
            height=height,
            grid=values_of(grid),
            parity=lies.parity,
            turn=lies.turn,
            mirrored=self._mirrored,
            lean=lean,
            separation=distance,
            **classes.values(),
        )

    def _board(self, clicks: ArrayLike | None) -> Grid:
        size = self._variant.size
        if clicks is not None:
            try:
                clicked = from_clicks(self._picture, clicks, size)
            except ValueError as error:
                raise self._refusal("clicks") from error
            self._finding = replace(clicked, markers=markers_in(self._picture))
        else:
            self._finding = find(self._picture, (size,))
        grid = self._finding.grid
        if grid is None:
            if light(self._picture).status == "DARK":
                raise self._refusal("dark")
            others = () if clicks is not None else tuple(other for other in SIZES if other != size)
            other = find(self._picture, others).grid if others else None
            if other is not None:
                raise self._refusal("other_size", found=other.size, size=size)
            raise self._refusal("not_there" if clicks is not None else "no_board", size=size)
        if self._finding.others:
            self.remark("others", count=len(self._finding.others) + 1)
        return grid

    def _light(self, grid: Grid) -> None:
        """What is wrong with the picture of the board."""
        found = light(self._picture, grid)
        if found.status == "DARK":
            raise self._refusal("dark")
        glare = _places(found.glare)
        if found.status == "GLARE":
            raise self._refusal("glare", glare)
        if glare:
            self.remark("glare_squares", glare)
        cell = smallest(grid)
        if cell < SMALLEST:
            self.remark("small", pixels=cell, least=SMALLEST)
        outside = _places(~samples(self._picture, grid).seen)
        if outside:
            raise self._refusal("outside", outside)

    def _lies(self, grid: Grid) -> Orientation:
        try:
            lies = orient(samples(self._picture, grid), start_rows(self._variant))
        except OrientationError as error:
            raise self._refusal(error.key, error.squares) from error
        turn, _ = turn_of(grid, self._finding.markers)
        if turn is not None and turn != lies.turn:
            raise self._refusal("cards")
        return lies

    def _check(self, squares: Samples, classes: Classes, parity: Parity, start: str) -> None:
        """Whether what was learned reads the picture that it was learned from."""
        self._rows = read(squares, classes, parity).rows
        unlike: dict[str, list[Place]] = {"differs": [], "unsure": []}
        for row, (wanted, found) in enumerate(zip(start.split("/"), self._rows.split("/"), strict=True)):
            for column, (one, other) in enumerate(zip(wanted, found, strict=True)):
                if one != other:
                    unlike["unsure" if other == "?" else "differs"].append((row, column))
        if unlike["differs"]:
            self._refusal("differs", unlike["differs"])
        if unlike["unsure"]:
            self.remark("unsure", unlike["unsure"])
        strange = _places(lit(squares, parity).strange)
        if strange:
            self.remark("elsewhere", strange)

    def _refusal(self, key: Key, places: Sequence[Place] = (), **facts: str | float) -> _RefusedError:
        """Notes what stands in the way; the error to raise where nothing can go on."""
        self._remarks.append(Remark(key, True, facts, tuple(places)))
        return _RefusedError(key)


def _places(mask: NDArray[np.bool_]) -> tuple[Place, ...]:
    return tuple((int(row), int(column)) for row, column in np.argwhere(mask))


def smallest(grid: Grid) -> float:
    """The shortest side of a square in the picture, pixels."""
    points = grid.points
    along, down = np.diff(points, axis=1), np.diff(points, axis=0)
    return float(min(np.linalg.norm(along, axis=2).min(), np.linalg.norm(down, axis=2).min()))
