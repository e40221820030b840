"""Printed cards that lie around a board, and how a camera sees them."""

from __future__ import annotations

import cv2
import numpy as np

from damas_board.decoding.vision.markers import CORNER_IDS, marker_bits
from simulator.camera.men import Sprite
from simulator.camera.optics import SQUARE, Optics
from simulator.camera.scene import Card, Look

FINE = 4
PAPER, INK = (236.0, 240.0, 242.0), (38.0, 36.0, 36.0)


def corner_cards(size: int, look: Look, side: float = 30.0) -> tuple[Card, ...]:
    """The four cards of decoding.vision.markers beside the board's corners, as White sees them upright."""
    half = size * SQUARE / 2 + look.border_width
    quiet = 6.0
    x, y = half + side / 2 + quiet + 2, half - side / 2 - quiet
    corners = ((-x, -y), (x, -y), (x, y), (-x, y))
    return tuple(
        Card(tuple(tuple(bool(b) for b in row) for row in marker_bits(number)), *at, side=side, quiet=quiet)
        for number, at in zip(CORNER_IDS, corners, strict=True)
    )


def card_sprite(optics: Optics, card: Card, z: float) -> Sprite:
    """The card as it lies at the height `z`."""
    fields = len(card.bits)
    angle = np.radians(card.turned)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    along = np.linspace(-card.side / 2, card.side / 2, fields + 1)
    lines = np.stack(np.meshgrid(along, -along), axis=-1) @ turn + (card.x, card.y)
    far = card.side / 2 + card.quiet
    paper = np.array([[-far, far], [far, far], [far, -far], [-far, -far]]) @ turn + (card.x, card.y)
    outline = optics.pixels(np.column_stack([paper, np.full(4, z)]))
    crossings = optics.pixels(np.concatenate([lines, np.full((*lines.shape[:2], 1), z)], axis=-1))
    x, y = (np.floor(outline.min(axis=0)) - 1).astype(int).tolist()
    right, bottom = (np.ceil(outline.max(axis=0)) + 2).astype(int).tolist()
    canvas = np.zeros(((bottom - y) * FINE, (right - x) * FINE, 3), np.uint8)
    canvas[:] = PAPER
    mask = np.zeros(canvas.shape[:2], np.uint8)
    outline, crossings = (
        np.round((((points - (x, y)) + 0.5) * FINE - 0.5) * 16).astype(np.int32) for points in (outline, crossings)
    )
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_8, 4)
    for row, bits in enumerate(card.bits):
        for column, black in enumerate(bits):
            if black:
                near = crossings[row, column : column + 2], crossings[row + 1, column : column + 2][::-1]
                cv2.fillConvexPoly(canvas, np.concatenate(near), INK, cv2.LINE_8, 4)
    size = (right - x, bottom - y)
    colour = np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    cover = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), dtype=np.float32) / np.float32(255)
    return Sprite(x, y, colour, cover[..., None])
