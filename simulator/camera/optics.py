"""Where a camera above the table has what is there: a pinhole with a bent lens, and the truth about the board's grid.

The world is in millimetres: its origin is the middle of the table where the middle of the board is meant to lie, x
grows to White's right, y from White to Black, z up from the board's surface. A board may be moved and turned on the
table (`Place`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.picture import Points
from damas_board.decoding.vision.profile import Turn

SQUARE = 45.0
"""003 art. 2."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a camera is, in relation to the table."""

    elevation: float = 60.0
    """Degrees above the table; 90 looks straight down."""
    azimuth: float = 0.0
    """Degrees; 0 is over White's side of the table, 90 White's right, 180 Black's side."""
    roll: float = 0.0
    """Degrees that the camera is turned about its own axis."""
    fill: float = 0.92
    """How much of the picture's width or height the board takes; the distance comes of it."""
    focal: float = 0.85
    """Focal length in widths of the picture: 0.85 is a common webcam."""
    bend: float = 0.0
    """Of the lens (decoding.vision.grid.Lens)."""
    aside: tuple[float, float] = (0.0, 0.0)
    """How far the board's middle is from the picture's, in widths and heights of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """How a board lies: moved by `x` and `y` mm and turned by `turned` degrees, anti-clockwise from above."""

    x: float = 0.0
    y: float = 0.0
    turned: float = 0.0

    def world(self, points: Points) -> Points:
        """Points of the board (... x 3, about its middle) on the table."""
        angle = np.radians(self.turned)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return np.asarray(points @ turn + (self.x, self.y, 0.0), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Optics:
    """A camera that takes pictures of one size: `matrix` (3 x 4) takes the world to ideal pixels."""

    width: int
    height: int
    matrix: NDArray[np.float64]
    lens: Lens
    inner: NDArray[np.float64]
    """3 x 3: from the camera's own axes to ideal pixels."""

    @classmethod
    def of_pose(cls, pose: Pose, width: int, height: int, half: float) -> Optics:
        """The camera in `pose` from whose distance a board of `half` mm from its middle to its edges fits."""
        lens = Lens.of_picture(width, height, pose.bend)
        edge = np.array([[x, y, 0.0] for x in (-half, half) for y in (-half, half)])
        aim, distance = np.zeros(3), 4 * half
        middle = np.array([(0.5 + pose.aside[0]) * width, (0.5 + pose.aside[1]) * height])
        inner = np.array(
            [[pose.focal * width, 0, (width - 1) / 2], [0, pose.focal * width, (height - 1) / 2], [0, 0, 1]]
        )
        for _ in range(12):
            optics = cls(width, height, inner @ _outer(pose, aim, distance), lens, inner)
            ends = optics.pixels(edge)
            low, high = ends.min(axis=0), ends.max(axis=0)
            distance *= float(max((high - low) / (pose.fill * width, pose.fill * height)))
            back = np.linalg.inv(optics.plane(0.0))
            wanted = np.append((low + high) / 2 - middle + ((width - 1) / 2, (height - 1) / 2), 1.0) @ back.T
            here = np.array([(width - 1) / 2, (height - 1) / 2, 1.0]) @ back.T
            aim[:2] += wanted[:2] / wanted[2] - here[:2] / here[2]
        return cls(width, height, inner @ _outer(pose, aim, distance), lens, inner)

    def turned(self, pan: float, tilt: float, roll: float) -> Optics:
        """The camera turned by so many degrees where it is."""
        (cp, sp), (ct, st), (cr, sr) = ((np.cos(a), np.sin(a)) for a in np.radians((pan, tilt, roll)))
        turn = (
            np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
            @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
            @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        )
        inner = self.inner
        return Optics(self.width, self.height, inner @ turn @ np.linalg.inv(inner) @ self.matrix, self.lens, inner)

    def pixels(self, world: ArrayLike) -> Points:
        """Where points of the world (... x 3) are in the picture."""
        points = np.asarray(world, dtype=np.float64)
        ideal = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return self.lens.bent(ideal[..., :2] / ideal[..., 2:])

    def plane(self, z: float) -> NDArray[np.float64]:
        """3 x 3: from (x, y) in the world at the height `z` to ideal pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]], axis=1)

    def scale(self, world: ArrayLike) -> float:
        """Pixels a millimetre at a point of the world, for what stands across the line of sight."""
        x, y, z = np.asarray(world, dtype=np.float64)
        m = self.matrix
        depth = m[2, :3] @ (x, y, z) + m[2, 3]
        return float(abs(np.linalg.norm(m[0, :3] - m[2, :3] * (self.width - 1) / 2) / depth))

    @property
    def eye(self) -> NDArray[np.float64]:
        """Where the camera is in the world."""
        return np.asarray(-np.linalg.solve(self.matrix[:, :3], self.matrix[:, 3]))

    def ground(self, pixels: Points, z: float) -> Points:
        """Where what is seen at `pixels` (... x 2) lies, (x, y), if at the height `z`; behind the horizon: nan."""
        points = self.lens.straight(np.asarray(pixels, dtype=np.float64))
        back = np.linalg.inv(self.plane(z))
        back = back * np.sign(back[2] @ (*_under(self, z), 1.0))
        found = points @ back[:, :2].T + back[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(found[..., 2:] > 1e-9, found[..., :2] / found[..., 2:], np.nan)


def grid_of(optics: Optics, size: int, place: Place) -> tuple[Grid, Turn]:
    """The board's grid in the pictures, and the turn that makes White's view of their rows."""
    half = size / 2
    angle = np.radians(place.turned)
    c, s = np.cos(angle) * SQUARE, np.sin(angle) * SQUARE
    world = np.array(
        [
            [c, s, -half * c - half * s + place.x],
            [s, -c, -half * s + half * c + place.y],
            [0, 0, 1],
        ]
    )
    white = Grid(size, optics.plane(0.0) @ world, optics.lens)
    first = int(np.argmin(white.corners.sum(axis=1)))
    turns: tuple[Turn, ...] = (0, 90, 180, 270)
    n = float(size)
    seen = np.array(
        (
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[0, -1, n], [1, 0, 0], [0, 0, 1]],
            [[-1, 0, n], [0, -1, n], [0, 0, 1]],
            [[0, 1, 0], [-1, 0, n], [0, 0, 1]],
        )[first],
        dtype=np.float64,
    )
    homography = white.homography @ seen
    return Grid(size, homography / homography[2, 2], optics.lens), turns[first]


def mirrored(grid: Grid, width: int) -> Grid:
    """The grid in the pictures turned over left to right."""
    flip = np.array([[-1, 0, width - 1], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    cells = np.array([[-1, 0, grid.size], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    homography = flip @ grid.homography @ cells
    return Grid(grid.size, homography / homography[2, 2], grid.lens)


def _outer(pose: Pose, aim: Points, distance: float) -> NDArray[np.float64]:
    """3 x 4: from the world to the axes of a camera in `pose` that looks at `aim`: right, down, forward."""
    e, a, r = np.radians((pose.elevation, pose.azimuth, pose.roll))
    back = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
    right, forward = np.array([np.cos(a), np.sin(a), 0.0]), -back
    down = np.cross(forward, right)
    right, down = right * np.cos(r) + down * np.sin(r), down * np.cos(r) - right * np.sin(r)
    turn = np.stack([right, down, forward])
    return np.column_stack([turn, -turn @ (aim + back * distance)])


def _under(optics: Optics, z: float) -> tuple[float, float]:
    """Pixels where something in front of the camera is that lies at the height `z`: the board's middle."""
    ideal = optics.plane(z) @ (0.0, 0.0, 1.0)
    return float(ideal[0] / ideal[2]), float(ideal[1] / ideal[2])
