"""Small rendered pictures of boards, and what they show."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import cv2

from damas_board.decoding.vision.classes import Classes, learn
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.orientation import start_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.reading import Reading, read
from damas_board.decoding.vision.sampling import samples
from damas_board.rules.variants import VARIANTS
from simulator.camera import LOOKS, Light, Pose, Renderer, Scene, View

cv2.setNumThreads(1)

START = start_rows(VARIANTS["brazilian"])
LATER = ".b...b.b/b.b...b./...W...b/..b...../.w...b../w.B.w.w./.w.....w/w.w.w.w."
"""Some moves on, with a king of each colour."""
EMPTY = "/".join(["........"] * 8)
VIEW = View(Pose(elevation=62, azimuth=4), 640, 360)
LOW = View(Pose(elevation=36, azimuth=-6), 640, 360)
STILL = Light()


class Shown(NamedTuple):
    """A picture, and the truth about it."""

    picture: Picture
    grid: Grid
    rows: str
    """As seen in the picture."""
    parity: Parity


@cache
def shown(rows: str, view: View = VIEW, light: Light | None = None, *, look: str = "wood", parity: Parity = 1) -> Shown:
    """A board with these men (rows in White's view) on it; squares with (row + column) % 2 == parity are dark.

    The same picture whenever it is asked for, whatever was asked for before.
    """
    scene = Scene.of_rows(rows, LOOKS[look], parity=parity)
    renderer = Renderer(scene, view)
    truth = renderer.truth(scene)
    return Shown(renderer.picture(scene, light), truth.grid, truth.rows, truth.parity)


class Taught(NamedTuple):
    """What a start picture teaches."""

    classes: Classes
    lean: tuple[float, float]

    def read(self, seen: Shown) -> Reading:
        """What stands in another picture from the same place."""
        return read(samples(seen.picture, seen.grid, self.lean), self.classes, seen.parity)


@cache
def taught(view: View = VIEW, look: str = "wood") -> Taught:
    """By one picture of the start position."""
    start = shown(START, view, look=look)
    lean = lean_of(start.picture, start.grid, start.rows)
    return Taught(learn(samples(start.picture, start.grid, lean), start.parity, start.rows), lean)
