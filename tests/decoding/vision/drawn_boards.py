"""Boards drawn in a few lines, for what needs no renderer: a chequered plane, discs on it, a lens, light."""

from __future__ import annotations

import cv2
import numpy as np

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.picture import Picture

WOOD = ((200, 215, 225), (50, 75, 105))
RED_GREEN = ((40, 75, 190), (60, 150, 36))
"""Of equal grey."""
_FINE = 48
"""Pixels of a square before it is seen in perspective."""


def drawn(
    grid: Grid,
    width: int = 640,
    height: int = 480,
    *,
    colours: tuple[tuple[int, int, int], tuple[int, int, int]] = WOOD,
    pieces: float = 0.0,
    light: float = 1.0,
    noise: float = 2.0,
    blur: float = 0.7,
    border: float = 0.4,
    parity: int = 1,
    seed: int = 1,
    on: Picture | None = None,
) -> Picture:
    """The board of a grid, that share of its dark squares with a man on it, on a plain table (or in that picture)."""
    random = np.random.default_rng(seed)
    room = grid.size + 2 * border
    flat = np.full((round(room * _FINE), round(room * _FINE), 3), (30, 45, 70), dtype=np.uint8)
    for r in range(grid.size):
        for c in range(grid.size):
            left, top = round((c + border) * _FINE), round((r + border) * _FINE)
            flat[top : top + _FINE, left : left + _FINE] = colours[(r + c) % 2 == parity]
    for r in range(grid.size):
        for c in range(grid.size):
            if (r + c) % 2 == parity and random.random() < pieces:
                x, y = ((np.array([c, r]) + 0.5 + border + random.uniform(-0.1, 0.1, 2)) * _FINE).tolist()
                man = (215, 228, 235) if random.random() < 0.5 else (35, 30, 30)
                cv2.circle(flat, (round(x), round(y)), round(0.38 * _FINE), man, -1, cv2.LINE_AA)
    flat = cv2.GaussianBlur(flat, (0, 0), 0.3 * _FINE / max(grid.cell, 6))
    where = (grid.cells(np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)) + border) * _FINE - 0.5
    x, y = np.float32(where[..., 0]), np.float32(where[..., 1])
    table = np.full((height, width, 3), (120, 130, 125), dtype=np.uint8) if on is None else on.copy()
    picture = cv2.remap(flat, x, y, cv2.INTER_LINEAR, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), blur) * light
    return np.asarray(np.clip(picture + random.normal(0, noise, picture.shape), 0, 255), dtype=np.uint8)


def posed(size: int, seed: int, width: int = 640, height: int = 480, *, bend: float = 0.0, turned: float = 15) -> Grid:
    """A board somewhere in the picture, seen from the side more or less and turned by at most so many degrees."""
    random = np.random.default_rng(seed)
    angle, tilt = np.radians(random.uniform(-turned, turned)), np.radians(random.uniform(0, 50))
    flat = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) @ np.array(
        [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    )
    away = random.uniform(1.5, 3)
    depth = away - flat[:, 1] * np.sin(tilt)
    seen = np.stack([flat[:, 0], flat[:, 1] * np.cos(tilt)], axis=1) / depth[:, None]
    seen -= (seen.min(axis=0) + seen.max(axis=0)) / 2
    room = np.array([width, height]) * random.uniform(0.6, 0.92)
    seen *= np.min(room / np.ptp(seen, axis=0))
    spare = np.array([width, height]) - np.ptp(seen, axis=0)
    corners = seen + np.array([width - 1, height - 1]) / 2 + random.uniform(-0.4, 0.4, 2) * spare
    return Grid.of_corners(corners, size, Lens.of_picture(width, height, bend))


def error(found: Grid | None, truth: Grid) -> float:
    """How far the found grid's crossings lie beside the true ones at most, in squares of the board."""
    if found is None or found.size != truth.size:
        return float("inf")
    return float(np.abs(truth.cells(found.points.reshape(-1, 2)) - truth.cells(truth.points.reshape(-1, 2))).max())
