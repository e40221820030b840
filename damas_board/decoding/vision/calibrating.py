"""A camera's profile from pictures of the start position: where the board is, how it lies, how its squares look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import cv2
import numpy as np

from damas_board.decoding.vision.classes import InseparableError, learn, separation
from damas_board.decoding.vision.finding import SIZES, find
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.guessing import NAMED
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.markers import turn_of
from damas_board.decoding.vision.orientation import OrientationError, orient, seen_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.placing import grid_values
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.quality import light
from damas_board.decoding.vision.sampling import Samples, samples

_UNSTEADY: Final = 0.1
"""Cells that the board's corners may differ by between pictures."""

Reason = Literal[
    "no_picture",
    "sizes",
    "dark",
    "glare",
    "no_board",
    "other_size",
    "unsteady",
    "not_start",
    "wrong_corner",
    "wrong_colour",
    "every_square",
    "markers_disagree",
    "inseparable",
]


class CalibrationError(ValueError):
    """The pictures make no profile: `key`, and what it is about in `facts`.

    `no_picture`, `sizes`: there is none, or they are of different sizes. `dark`, `glare`, `no_board`. `other_size`: the
    board has `found` squares a side, not `size`. `unsteady`: board or camera moved between the pictures. `not_start`:
    the start position is not there (`squares`: row and column as seen in the picture, as far as they are known).
    `wrong_corner`, `wrong_colour`, `every_square`: see OrientationError. `markers_disagree`: the cards say that the
    board lies otherwise than the men do. `inseparable`: `one` and `other` look the same (`separation`).
    """

    def __init__(self, key: Reason, **facts: Any) -> None:
        super().__init__(", ".join([key, *(f"{name} {value}" for name, value in facts.items())]))
        self.key: Reason = key
        self.facts: Mapping[str, Any] = facts


def profile_of(pictures: Sequence[Picture], start: str, *, mirrored: bool = False, near: Grid | None = None) -> Profile:
    """The profile of a camera by one or more pictures of the start position `start` (White's view; see start_rows).

    `mirrored`: the camera gives mirrored pictures (cards beside the board tell it as well). `near`: where the board is,
    about, in pictures that are not mirrored. CalibrationError where there is no profile in them.
    """
    if not pictures:
        raise CalibrationError("no_picture")
    if len({picture.shape for picture in pictures}) > 1:
        raise CalibrationError("sizes")
    size = len(start.split("/"))
    upright = [_over(picture) if mirrored else picture for picture in pictures]
    if any(light(picture).status == "DARK" for picture in upright):
        raise CalibrationError("dark")
    found = find(upright[0], (size,), near=near)
    if found.grid is None:
        other = find(upright[0], tuple(one for one in SIZES if one != size), markers=False)
        if other.grid is not None:
            raise CalibrationError("other_size", found=other.grid.size, size=size)
        raise CalibrationError("no_board")
    by_cards, cards_mirrored = turn_of(found.grid, found.markers)
    if by_cards is not None and cards_mirrored:
        if mirrored:
            raise CalibrationError("markers_disagree")
        return profile_of(pictures, start, mirrored=True)
    grid = _middle(upright, found.grid)
    if light(upright[0], grid).status == "GLARE":
        raise CalibrationError("glare")
    try:
        lies = orient(_median([samples(picture, grid) for picture in upright]), start)
    except OrientationError as error:
        raise CalibrationError(error.key, squares=error.squares) from error
    except InseparableError as error:
        raise CalibrationError("inseparable", one=error.one, other=error.other, separation=error.separation) from error
    turn = lies.turn if by_cards is None else by_cards
    if turn != lies.turn and (lies.naming > NAMED or (turn - lies.turn) % 360 != 180):
        raise CalibrationError("markers_disagree")
    seen = seen_rows(start, turn)
    lean = lean_of(upright[0], grid, seen)
    try:
        classes = learn(_median([samples(picture, grid, lean) for picture in upright]), lies.parity, seen)
    except InseparableError as error:
        raise CalibrationError("inseparable", one=error.one, other=error.other, separation=error.separation) from error
    looks = classes.values()
    height, width = upright[0].shape[:2]
    return Profile(
        width=width,
        height=height,
        grid=grid_values(grid),
        parity=lies.parity,
        turn=turn,
        mirrored=mirrored,
        empty=looks["empty"],
        white=looks["white"],
        black=looks["black"],
        ground=looks["ground"],
        lean=lean,
        separation=separation(classes),
    )


def _over(picture: Picture) -> Picture:
    return np.asarray(cv2.flip(picture, 1), dtype=np.uint8)


def _middle(pictures: Sequence[Picture], first: Grid) -> Grid:
    """The median of the grids in all pictures, which have to agree."""
    corners = [first.corners]
    for picture in pictures[1:]:
        again = find(picture, (first.size,), near=first, markers=False).grid
        if again is None or np.linalg.norm(again.corners - first.corners, axis=1).max() > _UNSTEADY * first.cell:
            raise CalibrationError("unsteady")
        corners.append(again.corners)
    return first if len(corners) == 1 else Grid.of_corners(np.median(corners, axis=0), first.size, first.lens)


def _median(all_samples: Sequence[Samples]) -> Samples:
    """What the squares look like in most of the pictures."""
    first = all_samples[0]
    return replace(
        first,
        features=np.median([one.features for one in all_samples], axis=0),
        corners=np.median([one.corners for one in all_samples], axis=0),
        burnt=np.median([one.burnt for one in all_samples], axis=0),
        seen=np.all([one.seen for one in all_samples], axis=0),
    )
