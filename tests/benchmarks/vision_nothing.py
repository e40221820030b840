"""Pictures in which there is no draughts board, though some have lines, squares or men as one has."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from simulator.camera.surfaces import table

WIDTH, HEIGHT = 1280, 720
CLOTH = (120, 140, 160)
INK = (40, 40, 44)
SHAKEN = 120.0
"""How far the corners are pulled about, pixels."""


def nothing(index: int) -> tuple[str, Picture]:
    """The picture of that number, and what it shows."""
    random = np.random.default_rng(index)
    what, draw = list(KINDS.items())[index % len(KINDS)]
    flat = draw(random)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], dtype=np.float32)
    there = corners + random.uniform(-SHAKEN, SHAKEN, corners.shape).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, there)
    seen = np.asarray(cv2.warpPerspective(flat, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), dtype=np.uint8)
    noisy = seen + random.normal(0, 3, seen.shape)
    return what, np.clip(noisy, 0, 255).astype(np.uint8)


def _cloth(random: np.random.Generator) -> Picture:
    return np.ascontiguousarray(table(CLOTH, HEIGHT, WIDTH, 1.5, int(random.integers(1000))))


def _tiles(random: np.random.Generator) -> Picture:
    """A floor: square tiles of one colour with dark joints."""
    picture = _cloth(random)
    side = int(random.integers(50, 90))
    for x in range(0, WIDTH, side):
        cv2.line(picture, (x, 0), (x, HEIGHT), INK, 5)
    for y in range(0, HEIGHT, side):
        cv2.line(picture, (0, y), (WIDTH, y), INK, 5)
    return picture


def _bricks(random: np.random.Generator) -> Picture:
    picture = _cloth(random)
    high = int(random.integers(40, 70))
    for row, y in enumerate(range(0, HEIGHT, high)):
        for x in range(-high, WIDTH, 2 * high):
            left = x + high * (row % 2)
            colour = [float(c) for c in np.array((60, 70, 150)) + random.normal(0, 18, 3)]
            cv2.rectangle(picture, (left + 3, y + 3), (left + 2 * high - 3, y + high - 3), colour, -1)
    return picture


def _sudoku(random: np.random.Generator) -> Picture:
    """Nine by nine squares with numbers in some."""
    picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    side, left, top = 70, 320, 40
    for line in range(10):
        thick = 6 if line % 3 == 0 else 2
        cv2.line(picture, (left + line * side, top), (left + line * side, top + 9 * side), INK, thick)
        cv2.line(picture, (left, top + line * side), (left + 9 * side, top + line * side), INK, thick)
    for row, column in np.argwhere(random.random((9, 9)) < 0.4):
        at = (left + int(column) * side + 20, top + int(row) * side + 52)
        cv2.putText(picture, str(random.integers(1, 10)), at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, INK, 3)
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


def _noise(random: np.random.Generator) -> Picture:
    return np.asarray(random.integers(0, 255, (HEIGHT, WIDTH, 3)), dtype=np.uint8)


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


KINDS: dict[str, Callable[[np.random.Generator], Picture]] = {
    "an empty table": _cloth,
    "tiles": _tiles,
    "bricks": _bricks,
    "a sudoku": _sudoku,
    "men without a board": _men,
    "stripes": _stripes,
    "text": _text,
    "noise": _noise,
    "four by four squares": _corner,
}
