"""What surfaces look like: wood, cloth, the squares of a board, as pictures of so many pixels a millimetre."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.optics import SQUARE
from simulator.camera.scene import Colour, Look

Texture = NDArray[np.uint8]
Field = NDArray[np.float32]


def cloudy(height: int, width: int, coarse: float, random: np.random.Generator) -> Field:
    """Smooth noise of mean 0 and deviation about 1 whose blotches are `coarse` pixels wide."""
    rows, columns = max(int(height / coarse), 2) + 2, max(int(width / coarse), 2) + 2
    small = random.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def grain(height: int, width: int, scale: float, random: np.random.Generator) -> Field:
    """Wood whose fibres run along x: mean 0, deviation about 1; `scale` is pixels a millimetre."""
    wide = random.standard_normal((height, max(int(width / (30 * scale)), 3))).astype(np.float32)
    fibres = np.asarray(cv2.resize(wide, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    fibres = np.asarray(cv2.GaussianBlur(fibres, (0, 0), sigmaX=0.1, sigmaY=max(0.35 * scale, 0.3)), dtype=np.float32)
    fibres /= max(float(fibres.std()), 1e-6)
    along = np.arange(height, dtype=np.float32)[:, None] / (scale * 4.0)
    years = np.sin(along + 1.6 * cloudy(height, width, 60 * scale, random))
    return np.asarray(0.6 * fibres + 0.7 * years, dtype=np.float32)


@lru_cache(maxsize=6)
def board(look: Look, size: int, parity: int, scale: float, seed: int) -> Texture:
    """The board from above, Black's side up, its border around it; blue, green, red, and 255 where there is board."""
    random = np.random.default_rng(seed)
    side, border = round(size * SQUARE * scale), round(look.border_width * scale)
    cells = (np.indices((size, size)).sum(axis=0) % 2 == parity).astype(np.uint8)
    dark = np.asarray(cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST), dtype=bool)
    picture = np.empty((side + 2 * border, side + 2 * border, 3), np.float32)
    picture[:] = look.border
    inside = picture[border : border + side, border : border + side]
    inside[:] = np.where(dark[..., None], _levels(look.dark), _levels(look.light))
    if look.grain:
        everything = picture.shape[0]
        picture *= (1 + 0.05 * look.grain * grain(everything, everything, scale, random))[..., None]
        pieces = (1 + 0.05 * look.grain * random.standard_normal((size, size))).astype(np.float32)
        inside *= np.asarray(cv2.resize(pieces, (side, side), interpolation=cv2.INTER_NEAREST))[..., None]
        other = 1 + 0.06 * look.grain * grain(side, side, scale, random)
        inside *= np.where(dark, other.T, 1)[..., None]
    else:
        picture *= (1 + 0.012 * cloudy(*picture.shape[:2], 8 * scale, random))[..., None]
    if border:
        inlay = [round(look.border_width * scale * share) for share in (0.12, 0.2)]
        shade = tuple(0.6 * c for c in look.border)
        last = picture.shape[0] - 1 - border
        cv2.rectangle(picture, (border - inlay[0],) * 2, (last + inlay[0],) * 2, shade, max(inlay[1] - inlay[0], 1))
    whole = np.full((*picture.shape[:2], 4), 255, np.uint8)
    whole[..., :3] = np.clip(picture, 0, 255)
    return whole


@lru_cache(maxsize=4)
def table(colour: Colour, side: int, scale: float, seed: int) -> Texture:
    """A table top; blue, green, red, and 255."""
    random = np.random.default_rng(seed + 1)
    waves = 0.03 * cloudy(side, side, 90 * scale, random) + 0.03 * grain(side, side, scale, random)
    whole = np.full((side, side, 4), 255, np.uint8)
    whole[..., :3] = np.clip(_levels(colour) * (1 + waves)[..., None], 0, 255)
    return whole


def _levels(colour: Colour) -> Field:
    return np.array(colour, dtype=np.float32)
