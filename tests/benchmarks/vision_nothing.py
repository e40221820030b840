"""Pictures in which there is no draughts board, though some have lines, squares or men as one has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from simulator.camera.negatives import NEGATIVES
from simulator.camera.surfaces import cloudy

WIDTH, HEIGHT = 1280, 720
CLOTH = (120, 140, 160)
INK = (40, 40, 44)
SHAKEN = 120.0
"""How far the corners are pulled about, pixels."""


def nothing(index: int) -> tuple[str, Picture]:
    """The picture of that number, and what it shows."""
    what, draw = list(KINDS.items())[index % len(KINDS)]
    return what, draw(WIDTH, HEIGHT, index)


def _cloth(random: np.random.Generator) -> Picture:
    weave = 1 + 0.04 * cloudy(HEIGHT, WIDTH, 120, random)[..., None]
    return np.clip(np.float32(CLOTH) * weave, 0, 255).astype(np.uint8)


def _tiles(random: np.random.Generator) -> Picture:
    """A floor: square tiles of one colour with dark joints."""
    picture = _cloth(random)
    side = int(random.integers(50, 90))
    for x in range(0, WIDTH, side):
        cv2.line(picture, (x, 0), (x, HEIGHT), INK, 5)
    for y in range(0, HEIGHT, side):
        cv2.line(picture, (0, y), (WIDTH, y), INK, 5)
    return picture


def _men(random: np.random.Generator) -> Picture:
    """Men on a table, on no board."""
    picture = _cloth(random)
    for x, y in random.uniform((60, 60), (WIDTH - 60, HEIGHT - 60), (40, 2)):
        colour = (225, 232, 236) if random.random() < 0.5 else INK
        cv2.circle(picture, (int(x), int(y)), 28, colour, -1, cv2.LINE_AA)
    return picture


def _stripes(random: np.random.Generator) -> Picture:
    picture = _cloth(random)
    wide = int(random.integers(30, 80))
    for x in range(0, WIDTH, 2 * wide):
        cv2.rectangle(picture, (x, 0), (x + wide, HEIGHT), (200, 214, 218), -1)
    return picture


def _text(random: np.random.Generator) -> Picture:
    picture = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    for y in range(40, HEIGHT, 36):
        words = "".join(chr(int(c)) for c in random.integers(97, 122, 60))
        cv2.putText(picture, words, (30, y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, INK, 2, cv2.LINE_AA)
    return picture


def _corner(random: np.random.Generator) -> Picture:
    """Four by four squares of a board: too few for any."""
    picture = _cloth(random)
    side = 90
    for row in range(4):
        for column in range(4):
            colour = (48, 78, 128) if (row + column) % 2 else (140, 190, 220)
            at = (400 + column * side, 180 + row * side)
            cv2.rectangle(picture, at, (at[0] + side, at[1] + side), colour, -1)
    return picture


def _seen(draw: Callable[[np.random.Generator], Picture]) -> Callable[[int, int, int], Picture]:
    """Something flat as a camera sees it from somewhere."""

    def picture(width: int, height: int, seed: int) -> Picture:
        random = np.random.default_rng(seed)
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        there = corners + random.uniform(-SHAKEN, SHAKEN, corners.shape).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(corners, there)
        seen = cv2.warpPerspective(draw(random), matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.clip(seen + random.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)

    return picture


KINDS: Mapping[str, Callable[[int, int, int], Picture]] = {
    "a covered lens": NEGATIVES["black"],
    "noise": NEGATIVES["noise"],
    "bricks": NEGATIVES["bricks"],
    "a sudoku": NEGATIVES["sudoku"],
    "an empty table": _seen(_cloth),
    "tiles": _seen(_tiles),
    "men without a board": _seen(_men),
    "stripes": _seen(_stripes),
    "text": _seen(_text),
    "four by four squares": _seen(_corner),
}
"""By what they show: functions of width, height and seed."""
