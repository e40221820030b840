"""How sharp a board is in a picture: how wide the edges between its squares are."""

from __future__ import annotations

import cv2
import numpy as np

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture

BLURRED = 0.15
"""Cells that an edge is wide where men begin to run into their squares."""
_REACH = 0.2
"""How far an edge is looked at to both sides, cells; near the crossings, where no man stands."""
_BESIDE = 0.15
_STEPS = 33


def edge_width(picture: Picture, grid: Grid) -> float:
    """Of the edges between squares, cells: their contrast over their steepest slope, in the channel that shows most."""
    inner = np.arange(1, grid.size, dtype=np.float64)
    line, crossing = np.meshgrid(inner, inner)
    across = np.linspace(-_REACH, _REACH, _STEPS)
    points = []
    for side in (-_BESIDE, _BESIDE):
        along = np.broadcast_to((crossing + side)[..., None], (*line.shape, _STEPS))
        over = line[..., None] + across
        points += [np.stack([over, along], axis=-1), np.stack([along, over], axis=-1)]
    places = grid.pixels(np.concatenate(points).reshape(-1, _STEPS, 2)).astype(np.float32)
    x, y = np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
    sampled = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.float64)
    contrast = np.abs(sampled[:, -4:].mean(axis=1) - sampled[:, :4].mean(axis=1))
    channel = int(np.median(contrast, axis=0).argmax())
    slope = np.abs(np.diff(sampled[..., channel], axis=1)).max(axis=1) * (_STEPS - 1) / (2 * _REACH)
    clear = contrast[:, channel] >= np.median(contrast[:, channel])
    return float(np.median(contrast[clear, channel] / np.maximum(slope[clear], 1e-6)))
