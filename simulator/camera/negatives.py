"""Pictures on which there is no board to be found, or not one that can be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from simulator.camera.looks import LOOKS
from simulator.camera.optics import Place, Pose
from simulator.camera.rendering import render
from simulator.camera.scene import Scene, View
from simulator.camera.surfaces import cloudy

CHESS = "bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww"
DRAUGHTS = ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."


def black(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """A covered lens: next to nothing, but for the sensor's noise."""
    noise = np.random.default_rng(seed).normal(2.0, 1.2, (height, width, 3))
    return np.clip(noise, 0, 255).astype(np.uint8)


def noise(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """Nothing but noise."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def bricks(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """A brick wall."""
    random = np.random.default_rng(seed)
    wall = np.empty((1200, 1800, 3), np.float32)
    wall[:] = (150, 158, 164)
    for row in range(16):
        for column in range(-1, 13):
            left, top = column * 150 + (75 if row % 2 else 0), row * 75
            colour = np.array([62, 78, 150]) * random.uniform(0.75, 1.2)
            cv2.rectangle(wall, (left + 4, top + 4), (left + 145, top + 70), colour.tolist(), -1)
    wall *= (1 + 0.06 * cloudy(1200, 1800, 6, random))[..., None]
    return _seen(wall, ((40, 60), (1760, 0), (1800, 1200), (0, 1130)), width, height, random)


def sudoku(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """A printed puzzle: nine by nine fields, as even as a board's, but for their colours."""
    random = np.random.default_rng(seed)
    page = np.full((1000, 1000, 3), 232, np.uint8)
    for line in range(10):
        at, thick = 60 + line * 98, 7 if line % 3 == 0 else 2
        cv2.line(page, (at, 60), (at, 942), (40, 40, 40), thick)
        cv2.line(page, (60, at), (942, at), (40, 40, 40), thick)
    for row, column in np.argwhere(random.random((9, 9)) < 0.4).tolist():
        where = (60 + column * 98 + 30, 60 + row * 98 + 72)
        cv2.putText(page, str(random.integers(1, 10)), where, cv2.FONT_HERSHEY_SIMPLEX, 2, (40, 40, 40), 4, cv2.LINE_AA)
    return _seen(page, ((-300, -60), (1340, -40), (1260, 1060), (-340, 1040)), width, height, random)


def chess(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """A chess set: the board is one, what stands on it is not men."""
    scene = replace(Scene.of_rows(CHESS, LOOKS["wood"]), chess=True)
    return render(scene, View(Pose(elevation=45, azimuth=10, fill=0.8), width, height, seed=seed))[0]


def two_boards(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """Two boards side by side, each with its men."""
    scene = replace(Scene.of_rows(DRAUGHTS, LOOKS["wood"]), place=Place(-235, 0, 2), second=Place(235, 12, -3))
    return render(scene, View(Pose(elevation=70, fill=0.62), width, height, seed=seed))[0]


def mirrored(width: int = 1280, height: int = 720, seed: int = 0) -> Picture:
    """The start position in a camera that turns its pictures over, left to right."""
    return render(Scene.of_rows(DRAUGHTS, LOOKS["wood"]), View(width=width, height=height, mirrored=True, seed=seed))[0]


NEGATIVES: Mapping[str, Callable[[int, int, int], Picture]] = {
    one.__name__: one for one in (black, noise, bricks, sudoku, chess, two_boards, mirrored)
}
"""By their names: functions of width, height and seed."""


def _seen(
    flat: np.ndarray, corners: tuple[tuple[int, int], ...], width: int, height: int, random: np.random.Generator
) -> Picture:
    """What is between `corners` of something flat, as a camera sees it."""
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(corners, dtype=np.float32), ends)
    seen = cv2.warpPerspective(
        flat, matrix, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(90, 96, 104)
    )
    light = 1 + 0.15 * np.linspace(-1, 1, width)[None, :, None]
    return np.clip(seen * light + random.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)
