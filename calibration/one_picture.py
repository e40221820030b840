"""What a single picture shows of a board: where it is, what stands on it, and how sure that is; pure.

With a profile (of the same camera at the same table, or made from a picture of the start position) the squares are read
by it, and the board may lie a little otherwise than in the profile. Without one the picture is all there is: then which
way White sits is only known from corner cards, or where the start position itself stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from calibration.camera import SMALLEST, smallest
from calibration.sharpness import BLURRED, edge_width
from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.crowns import crown_hints
from damas_board.decoding.vision.finding import SIZES, Finding, find, from_clicks
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.guessing import NAMED, STANDS, guess, naming
from damas_board.decoding.vision.lighting import lit, playing
from damas_board.decoding.vision.markers import Marker, markers_in, turn_of
from damas_board.decoding.vision.orientation import OrientationError, orient, turned
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.placing import grid_from, placed
from damas_board.decoding.vision.placing import turned as with_corner
from damas_board.decoding.vision.profile import Profile, Turn
from damas_board.decoding.vision.quality import light
from damas_board.decoding.vision.reading import read, read_alone
from damas_board.decoding.vision.sampling import Samples, expected_lean, luma, samples

How = Literal["near", "markers", "corners", "lattice", "clicks"]
Status = Literal["OK", "NO_BOARD", "DARK", "GLARE"]
Hint = Literal[
    "mirrored",
    "wrong_corner",
    "moved",
    "turned",
    "glare",
    "small",
    "blurred",
    "outside",
    "both_colours",
    "parity_unknown",
    "parity_differs",
    "names_unsure",
]
_TURNS: tuple[Turn, Turn, Turn, Turn] = (0, 90, 180, 270)
_MOVED = 0.5
"""Squares that a corner is off where the board is not where the profile has it."""
_CROWNED = 0.8
"""How likely a piece is two men high by its height, to be told."""
_ELSEWHERE = 3
"""So many squares that are never played on look like something stands there: it may be another game."""


@dataclass(frozen=True, slots=True)
class Colours:
    """What the men look like: red, green and blue, 0 to 255; None where there is none."""

    white: tuple[int, int, int] | None
    black: tuple[int, int, int] | None
    sure: float
    """How likely it is that they are not the other way round: 0.5 to 1.0."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What was seen. Grids, cards and rows are those of the picture as it was given, mirrored or not."""

    status: Status
    score: float
    """Of the board, or of what looked most like one; see decoding.vision.score."""
    how: How | None = None
    grid: Grid | None = None
    others: tuple[Grid, ...] = ()
    """Other boards in the picture."""
    cards: tuple[Marker, ...] = ()
    rows: str | None = None
    see: str | None = None
    """The rows from Black's side down to White's; None where it is not known how the board lies."""
    turn: Turn | None = None
    """Turning the picture's rows clockwise by it (turned over before, if mirrored) gives `see`."""
    mirrored: bool | None = None
    """Whether the picture is mirrored; None where nothing tells."""
    confidence: float = 0.0
    hints: tuple[Hint, ...] = ()
    colours: Colours | None = None
    """None where no board was found."""
    kings: tuple[tuple[int, int], ...] = ()
    """Pieces (row and column as seen in the picture) that look as high as two men: a hint, see vision.crowns."""


def look(
    picture: Picture,
    *,
    profile: Profile | None = None,
    sizes: Sequence[int] = SIZES,
    starts: Sequence[str] = (),
    clicks: ArrayLike | None = None,
) -> Look:
    """What the picture shows. `clicks` (4 x 2): about where the outer corners of the squares are, if it is to be told.

    `sizes`: of boards, squares a side, where no profile says it. `starts`: start positions (White's view) of the games
    that may be played; where one of them stands there, it says how the board lies.
    """
    cards = markers_in(picture)
    over = any(card.mirrored for card in cards) if cards else profile is not None and profile.mirrored
    width = picture.shape[1]
    if over:
        picture = np.ascontiguousarray(picture[:, ::-1])
        clicks = None if clicks is None else np.asarray(clicks) * (-1, 1) + (width - 1, 0)
    near = None if profile is None else _scaled(profile, picture)
    if profile is not None:
        sizes = (profile.grid.size,)
    finding = _found(picture, sizes, near, clicks)
    mirrored = over if cards or profile is not None else None
    if finding.grid is None:
        hints: tuple[Hint, ...] = ("mirrored",) if over else ()
        nothing: Status = "DARK" if light(picture).status == "DARK" else "NO_BOARD"
        return Look(nothing, finding.score, cards=cards, mirrored=mirrored, hints=hints)
    seen = _alone(picture, finding.grid, starts) if profile is None else _known(picture, finding.grid, near, profile)
    by_cards, _ = turn_of(finding.grid, finding.markers)
    turn = seen.turn if by_cards is None else by_cards
    sure = 1.0 if profile is not None and by_cards is not None else seen.naming
    grids = [_grid_over(grid, width) if over else grid for grid in (finding.grid, *finding.others)]
    status, more = _of_picture(picture, finding.grid)
    squares = samples(picture, finding.grid, expected_lean(finding.grid))
    kings = np.argwhere(crown_hints(picture, finding.grid, squares, seen.rows) > _CROWNED)
    return Look(
        status,
        finding.score,
        finding.how,
        grids[0],
        tuple(grids[1:]),
        cards,
        "/".join(line[::-1] for line in seen.rows.split("/")) if over else seen.rows,
        None if turn is None else turned(seen.rows, turn),
        turn,
        mirrored,
        seen.confidence,
        (
            *(("mirrored",) if over else ()),
            *seen.hints,
            *(("names_unsure",) if sure < NAMED else ()),
            *more,
        ),
        Colours(_colour(squares, seen.rows, "w"), _colour(squares, seen.rows, "b"), sure),
        tuple((int(row), int(finding.grid.size - 1 - column if over else column)) for row, column in kings),
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What stands on the squares, the picture turned over if it is mirrored."""

    rows: str
    confidence: float
    turn: Turn | None
    hints: tuple[Hint, ...] = ()
    naming: float = 1.0
    """How likely it is that white and black are not the other way round."""


def _found(picture: Picture, sizes: Sequence[int], near: Grid | None, clicks: ArrayLike | None) -> Finding:
    if clicks is None:
        return find(picture, sizes, near=near)
    best = max((from_clicks(picture, clicks, size) for size in sizes), key=lambda finding: finding.score)
    return replace(best, markers=markers_in(picture))


def _scaled(profile: Profile, picture: Picture) -> Grid | None:
    """Where the board is by the profile, in a picture that may be larger or smaller; None in one of another shape."""
    height, width = picture.shape[:2]
    factor = width / profile.width
    same = abs(height - profile.height * factor) < 2
    return grid_from(profile.grid).scaled(factor) if same else None


def _alone(picture: Picture, grid: Grid, starts: Sequence[str]) -> _Seen:
    """By nothing but the picture."""
    squares = samples(picture, grid, expected_lean(grid))
    alone = read_alone(squares)
    turn: Turn | None = None
    hints: tuple[Hint, ...] = ()
    for start in starts:
        if turn is None and len(start.split("/")) == grid.size:
            try:
                turn, hints = orient(squares, start).turn, ()
            except OrientationError as error:
                if error.key == "wrong_corner":
                    hints = ("wrong_corner",)
            except ValueError:  # too little of the board is seen, or its men cannot be told apart
                continue
    standing = guess(squares).off > STANDS
    on_one, on_other = (int(np.count_nonzero(standing & playing(grid.size, parity))) for parity in (0, 1))
    if min(on_one, on_other) >= _ELSEWHERE:
        hints = (*hints, "both_colours")
    elif alone.parity is None:
        hints = (*hints, "parity_unknown")
    return _Seen(alone.rows, alone.confidence, turn, hints, alone.naming)


def _known(picture: Picture, found: Grid, near: Grid | None, profile: Profile) -> _Seen:
    """By a profile; the board may lie otherwise than there."""
    classes = Classes.of_profile(profile)
    hints: tuple[Hint, ...] = ()
    if near is None or np.linalg.norm(found.corners - near.corners, axis=1).max() > _MOVED * found.cell:
        hints = ("moved",)
    nothing = "/".join(["?" * found.size] * found.size)
    grid = placed(picture, found, near, classes, profile, nothing)
    turn: Turn | None = None
    if grid is not None:
        quarters = int(np.argmin(np.linalg.norm(found.corners - grid.corners[0], axis=1)))
        turn = _TURNS[(profile.turn // 90 - quarters) % 4]
        squares = samples(picture, grid, profile.lean)
        reading = read(squares, classes, profile.parity)
    else:  # which way it lies is not known, only which squares are played on
        along, down = profile.lean
        leans = (along, down), (down, -along)  # men lean away from the camera, however the board lies
        ways = [samples(picture, with_corner(found, quarters), leans[quarters]) for quarters in (0, 1)]
        readings = [read(way, classes, profile.parity) for way in ways]
        quarters = int(readings[1].confidence > readings[0].confidence)
        squares, reading = ways[quarters], readings[quarters]
        hints = (*hints, "turned")
    alone = read_alone(squares)
    if alone.parity not in (None, profile.parity) and alone.confidence > reading.confidence:
        hints = (*hints, "parity_differs")
        return _Seen(turned(alone.rows, 90 * quarters), alone.confidence, None, hints, alone.naming)
    if np.count_nonzero(lit(squares, profile.parity).strange) >= _ELSEWHERE:
        hints = (*hints, "both_colours")
    _, white, black = luma(classes.means)
    return _Seen(turned(reading.rows, 90 * quarters), reading.confidence, turn, hints, naming(float(white - black)))


def _of_picture(picture: Picture, grid: Grid) -> tuple[Status, tuple[Hint, ...]]:
    """What is to be said of the picture of the board."""
    lighting = light(picture, grid)
    hints: list[Hint] = []
    if lighting.status == "OK" and lighting.glare.any():
        hints.append("glare")
    if smallest(grid) < SMALLEST:
        hints.append("small")
    if edge_width(picture, grid) > BLURRED:
        hints.append("blurred")
    if not samples(picture, grid).seen.all():
        hints.append("outside")
    return lighting.status, tuple(hints)


def _colour(squares: Samples, rows: str, mark: str) -> tuple[int, int, int] | None:
    """Red, green and blue of the men that are told so; None where there is none."""
    men = squares.colours[np.array([[each == mark for each in line] for line in rows.split("/")])]
    if not len(men):
        return None
    red, green, blue = (round(float(part)) for part in np.median(men, axis=0))
    return red, green, blue


def _grid_over(grid: Grid, width: int) -> Grid:
    """The grid of a picture in the same picture turned over left-right."""
    pixels = np.array([[-1, 0, width - 1], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    cells = np.array([[-1, 0, grid.size], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    x, y = grid.lens.centre
    return Grid(grid.size, pixels @ grid.homography @ cells, replace(grid.lens, centre=(width - 1 - x, y)))
