"""What comes of setting a camera up: its profile, what stands in the way of one, and what a person should know; pure.

The profile is made in decoding.vision (`calibrating`). Here the picture that it was made from is read by it: a man that
is missing or stands elsewhere shows there. A remark that `refuses` stands in the way of a profile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.sharpness import BLURRED, edge_width
from damas_board.decoding.vision.calibrating import CalibrationError, Reason, profile_of
from damas_board.decoding.vision.classes import COMFORTABLE, Classes, nearest
from damas_board.decoding.vision.finding import Finding, find, from_clicks
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.lighting import lit
from damas_board.decoding.vision.markers import markers_in
from damas_board.decoding.vision.orientation import seen_rows, start_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.placing import grid_from
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.quality import light
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.sampling import samples
from damas_board.rules.variant import Variant

Place = tuple[int, int]
"""A square: row and column as seen in the picture."""
Key = Reason | Literal[
    "every_square", "not_there", "outside", "not_set_up", "men_unseen", "differs",
    "mirrored", "others", "glare_squares", "small", "blurred", "unsure", "elsewhere", "enough", "good",
]  # fmt: skip
"""Those of the first line refuse, those of the second do not."""
MOST_ASTRAY = 6
"""Squares that may be otherwise because men were forgotten or put wrong; where more are, it has another reason."""
SMALLEST = 25.0
"""Pixels a side that a square should have at least."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to tell: `facts` fill its text, `places` are the squares that it is about."""

    key: Key
    refuses: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What came out, with all that a person may look at."""

    picture: Picture
    """The one that is looked at: turned over, if the camera gives mirrored ones."""
    finding: Finding
    remarks: tuple[Remark, ...]
    rows: str | None = None
    """What was read, as seen in the picture."""
    profile: Profile | None = None
    """Also where a remark that refuses came of reading with it; `usable` tells."""

    @property
    def usable(self) -> bool:
        return self.profile is not None and not any(remark.refuses for remark in self.remarks)


def calibrate(
    pictures: Sequence[Picture], games: Sequence[Variant], *, clicks: ArrayLike | None = None, mirrored: bool = False
) -> Calibration:
    """What comes of these pictures (one or more) of the start position of one of the games.

    `clicks`: 4 x 2, about where the outer corners of the board's squares are, if it is not to be looked for.
    `mirrored`: it is known that the camera gives mirrored pictures; corner cards tell as well.
    """
    given = pictures[0]
    by_cards = not mirrored and any(card.mirrored for card in markers_in(given))
    over = mirrored or by_cards
    picture = np.ascontiguousarray(given[:, ::-1]) if over else given
    fit = [game for game in games if game.corner != "all"]
    if not fit:
        return Calibration(picture, Finding(None, 0.0), (Remark("every_square", True),))
    sizes = tuple(dict.fromkeys(game.size for game in fit))
    if clicks is None:
        finding = find(picture, sizes)
    else:
        corners = np.asarray(clicks) * (-1, 1) + (given.shape[1] - 1, 0) if over else clicks
        finding = max((from_clicks(picture, corners, size) for size in sizes), key=lambda found: found.score)
        finding = replace(finding, markers=markers_in(picture))
        if finding.grid is None:
            return Calibration(picture, finding, (Remark("not_there", True),))
    remarks = [Remark("mirrored")] if by_cards else []
    if finding.grid is not None:
        fit = [game for game in fit if finding.grid.size == game.size]
        remarks += _of_picture(picture, finding, finding.grid)
    found = Calibration(picture, finding, tuple(remarks))
    if any(remark.refuses for remark in remarks):
        return found
    made = [_profiled(found, pictures, start, over) for start in dict.fromkeys(map(start_rows, fit))]
    return min(made, key=_wrong)


def _profiled(found: Calibration, pictures: Sequence[Picture], start: str, over: bool) -> Calibration:
    """With the profile, or with what is in the way of one."""
    try:
        profile = profile_of(pictures, start, mirrored=over, near=found.finding.grid)
    except CalibrationError as error:
        return replace(found, remarks=(*found.remarks, _refusal(error, start)))
    rows, remarks = _of_reading(found.picture, profile, seen_rows(start, profile.turn))
    finding = replace(found.finding, grid=grid_from(profile.grid))
    return Calibration(found.picture, finding, (*found.remarks, *remarks), rows, profile)


def _refusal(error: CalibrationError, start: str) -> Remark:
    """What is in the way; where it is not the start position, whether that is because of a few squares."""
    facts = dict(error.facts)
    places = tuple(facts.pop("squares", ()))
    if error.key != "not_start" or 0 < len(places) <= MOST_ASTRAY:
        return Remark(error.key, True, facts, places)
    one_side = max(start.count("w"), start.count("b"))
    if 0 < len(places) <= one_side:
        return Remark("men_unseen", True, {"count": len(places)}, places)
    return Remark("not_set_up", True)


def _wrong(found: Calibration) -> tuple[bool, bool, int]:
    """What is nearest to a profile comes first."""
    refusals = [remark for remark in found.remarks if remark.refuses]
    return (
        not found.usable,
        any(one.key in ("not_start", "men_unseen", "not_set_up") for one in refusals),
        sum(len(one.places) for one in refusals),
    )


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


def smallest(grid: Grid) -> float:
    """The shortest side of a square in the picture, pixels."""
    points = grid.points
    along, down = np.diff(points, axis=1), np.diff(points, axis=0)
    return float(min(np.linalg.norm(along, axis=2).min(), np.linalg.norm(down, axis=2).min()))


def _of_picture(picture: Picture, finding: Finding, grid: Grid) -> Iterator[Remark]:
    """What is to be said of the picture of the board."""
    if finding.others:
        yield Remark("others", facts={"count": len(finding.others) + 1})
    cell = smallest(grid)
    if cell < SMALLEST:
        yield Remark("small", facts={"pixels": cell, "least": SMALLEST})
    if edge_width(picture, grid) > BLURRED:
        yield Remark("blurred")
    outside = places_of(~samples(picture, grid).seen)
    if outside:
        yield Remark("outside", True, {}, outside)
    lighting = light(picture, grid)
    if lighting.status == "OK" and lighting.glare.any():
        yield Remark("glare_squares", places=places_of(lighting.glare))


def _of_reading(picture: Picture, profile: Profile, start: str) -> tuple[str, list[Remark]]:
    """What stands there by the profile, `start` being what should, and what is to be said of it."""
    squares = samples(picture, grid_from(profile.grid), profile.lean)
    classes = Classes.of_profile(profile)
    rows = read(squares, classes, profile.parity).rows
    differs: list[Place] = []
    unsure: list[Place] = []
    for row, (wanted, found) in enumerate(zip(start.split("/"), rows.split("/"), strict=True)):
        for column, (one, other) in enumerate(zip(wanted, found, strict=True)):
            if one != other:
                (unsure if other == "?" else differs).append((row, column))
    remarks = []
    if differs:
        remarks.append(Remark("differs", True, {}, tuple(differs)))
    if unsure:
        remarks.append(Remark("unsure", places=tuple(unsure)))
    strange = places_of(lit(squares, profile.parity).strange)
    if strange:
        remarks.append(Remark("elsewhere", places=strange))
    one_, other_, distance = nearest(classes)
    facts = {"one": one_, "other": other_, "separation": distance}
    remarks.append(Remark("good" if distance >= COMFORTABLE else "enough", facts=facts))
    return rows, remarks


def places_of(mask: NDArray[np.bool_]) -> tuple[Place, ...]:
    """The squares of a mask."""
    return tuple((int(row), int(column)) for row, column in np.argwhere(mask))
