"""Men and kings as a camera sees them: discs with a rim and a side, and the shadows they throw."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.picture import Picture, Points
from simulator.camera.optics import Optics
from simulator.camera.scene import HEIGHT, RADIUS, Colour, Light, Look

Field = NDArray[np.float32]

GAMMA = 2.2
FINE = 3
"""A man is drawn so many times larger and made smaller; a large one twice."""
STEPS = 40
_ANGLES = np.linspace(0, 2 * np.pi, STEPS, endpoint=False)
_CIRCLE = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_BEVEL = (np.arange(180) > 160).astype(np.float32)
"""By the distance from a man's middle, tenths of a millimetre."""
_FIBRES = np.random.default_rng(7).standard_normal((256, 64)).astype(np.float32)


_TURNED = (
    (15.0, 0.0),
    (15.0, 0.08),
    (11.0, 0.14),
    (7.0, 0.3),
    (6.0, 0.62),
    (10.0, 0.68),
    (6.5, 0.72),
    (9.5, 0.84),
    (6.0, 0.97),
    (2.0, 1.0),
)
"""A chessman's radii, mm, at shares of its height."""


class Sprite(NamedTuple):
    """A small picture to be laid over a large one at (`x`, `y`): `colour` counts as much as `cover` (0 to 1) says."""

    x: int
    y: int
    colour: Field
    cover: Field

    def onto(self, picture: Picture) -> None:
        """Lays it there; what is outside the picture is left away."""
        part = _overlap(picture, self.x, self.y, *self.cover.shape[:2])
        if part is None:
            return
        (top, bottom, left, right), there = part
        cover = self.cover[top:bottom, left:right]
        there[:] = there * (1 - cover) + self.colour[top:bottom, left:right] * cover + 0.5


class Shade(NamedTuple):
    """What a shadow leaves of the picture's levels at (`x`, `y`)."""

    x: int
    y: int
    left: Field

    def onto(self, picture: Picture) -> None:
        """Darkens it there."""
        part = _overlap(picture, self.x, self.y, *self.left.shape[:2])
        if part is None:
            return
        (top, bottom, left, right), there = part
        there[:] = there * self.left[top:bottom, left:right] + 0.5


def man(optics: Optics, at: tuple[float, float, float], colour: Colour, look: Look, light: Light) -> Sprite:
    """A man whose underside's middle is `at` in the world."""
    middle = np.array(at)
    low, shoulder, rim = (
        _ring(optics, middle, *ring) for ring in ((RADIUS, 0.0), (RADIUS, HEIGHT - 1), (16.4, HEIGHT))
    )
    every = np.concatenate([low, shoulder, rim])
    x, y = (np.floor(every.min(axis=0)) - 1).astype(int).tolist()
    right, bottom = (np.ceil(every.max(axis=0)) + 2).astype(int).tolist()
    fine = FINE if right - x < 80 else 2
    canvas = np.zeros(((bottom - y) * fine, (right - x) * fine, 3), np.uint8)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    points = np.round((((every - (x, y)) + 0.5) * fine - 0.5) * 16).astype(np.int32)
    silhouette = cv2.convexHull(points)
    cv2.fillConvexPoly(mask, silhouette, 255, cv2.LINE_8, 4)
    sun = np.array([np.cos(np.radians(light.azimuth)), np.sin(np.radians(light.azimuth))])
    lit = 0.62 + 0.22 * np.clip(_CIRCLE @ sun, -0.6, 1)
    cv2.fillConvexPoly(canvas, silhouette, [0.62 * c for c in colour], cv2.LINE_8, 4)
    for i in np.flatnonzero(_CIRCLE @ (optics.eye[:2] - middle[:2]) > RADIUS).tolist():
        j = (i + 1) % STEPS
        quad = points[[i, j, STEPS + j, STEPS + i]]
        level = float(lit[i] + lit[j]) / 2
        cv2.fillConvexPoly(canvas, quad, [level * c for c in colour], cv2.LINE_8, 4)
    across, up = _on_top(optics, middle, x, y, canvas.shape[0], canvas.shape[1], fine)
    radius = np.sqrt(across * across + up * up)
    toward = (across * np.float32(sun[0]) + up * np.float32(sun[1])) / np.maximum(radius, np.float32(0.1))
    index = np.minimum(radius * 10, 179).astype(np.intp)
    plain, slope = _profile(look.rings)
    shading = plain[index] + slope[index] * toward
    if look.glossy and light.glare:
        shading = shading + _BEVEL[index] * np.float32(0.9 * light.glare) * np.clip(toward, 0, 1) ** 12
    if look.grain:
        fibres = _FIBRES[((up + at[0]) * 4).astype(np.intp) % 256, (across * 0.4 + at[1]).astype(np.intp) % 64]
        shading = shading * (1 + np.float32(0.05 * look.grain) * fibres)
    top = np.clip(shading[..., None] * np.array(colour, dtype=np.float32), 0, 255)
    if look.glossy and light.glare:
        top = glaring(top, across + np.float32(at[0]), up + np.float32(at[1]), light, 1.0)
    np.copyto(canvas, top.astype(np.uint8), where=(radius <= RADIUS)[..., None])
    return _smaller(canvas, mask, x, y, fine)


def _on_top(optics: Optics, middle: Points, x: int, y: int, height: int, width: int, fine: int) -> tuple[Field, Field]:
    """Where on a man's top, (x, y) from its middle, mm, the pixels of a canvas `fine` times larger at (x, y) are."""
    corners = np.array([[-RADIUS, -RADIUS], [RADIUS, -RADIUS], [RADIUS, RADIUS], [-RADIUS, RADIUS]])
    world = np.column_stack([corners + middle[:2], np.full(4, middle[2] + HEIGHT)])
    pixels = ((optics.pixels(world) - (x, y)) + 0.5) * fine - 0.5
    back = cv2.getPerspectiveTransform(pixels.astype(np.float32), corners.astype(np.float32))
    m = np.asarray(back, dtype=np.float32)
    right = np.arange(width, dtype=np.float32)[None, :]
    down = np.arange(height, dtype=np.float32)[:, None]
    w = 1 / (m[2, 0] * right + m[2, 1] * down + m[2, 2])
    across, up = ((m[i, 0] * right + m[i, 1] * down + m[i, 2]) * w for i in (0, 1))
    return across, up


def softened(mask: Field, softness: float) -> Field:
    """`mask` with blurred edges: a Gaussian of `softness` pixels."""
    small = int(softness / 3)
    if small < 2:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), softness), dtype=np.float32)
    height, width = mask.shape
    size = (max(width // small, 1), max(height // small, 1))
    less = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    less = cv2.GaussianBlur(less, (0, 0), softness / small)
    return np.asarray(cv2.resize(less, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


@cache
def _profile(rings: int) -> tuple[Field, Field]:
    """By the distance from a man's middle, tenths of a millimetre: how light it is, and how much it slopes outwards."""
    at = np.arange(180) / 10
    level, slope = np.ones(180), np.zeros(180)
    for middle in (12.9, 6.8)[:rings]:
        level[np.abs(at - middle) < 0.75] = 0.84
        slope[(at > middle - 0.75) & (at <= middle)] = 0.16
        slope[(at > middle) & (at < middle + 0.75)] = -0.16
    level[at > 16.2], slope[at > 16.2] = 0.92, 0.18
    return level.astype(np.float32), slope.astype(np.float32)


def chessman(optics: Optics, at: tuple[float, float], height: float, colour: Colour, light: Light) -> Sprite:
    """A turned piece of so many mm that stands `at` (x, y) on the board."""
    middle = np.array([*at, 0.0])
    profile = [(r, z * height) for r, z in _TURNED]
    rings = [_ring(optics, middle, r, z) for r, z in profile]
    every = np.concatenate(rings)
    x, y = (np.floor(every.min(axis=0)) - 1).astype(int).tolist()
    right, bottom = (np.ceil(every.max(axis=0)) + 2).astype(int).tolist()
    canvas = np.zeros(((bottom - y) * FINE, (right - x) * FINE, 3), np.uint8)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    fine = [((ring - (x, y) + 0.5) * FINE - 0.5) * 16 for ring in rings]
    sun = np.radians(light.azimuth)
    for lower, upper in pairwise(fine):
        both = np.concatenate([lower, upper])
        outline = cv2.convexHull(np.round(both).astype(np.int32))
        cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_8, 4)
        for share, level in ((1.0, 0.6), (0.8, 0.75), (0.55, 0.9), (0.3, 1.0)):
            half = (lower + upper) / 2
            size = float(np.ptp(half[:, 0])) / 2
            moved = np.array([np.cos(sun), -np.sin(sun)]) * size * (1 - share) * 0.7
            inner = np.concatenate(
                [(ring - ring.mean(axis=0)) * share + ring.mean(axis=0) + moved for ring in (lower, upper)]
            )
            hull = cv2.convexHull(np.round(inner).astype(np.int32))
            cv2.fillConvexPoly(canvas, hull, [level * c for c in colour], cv2.LINE_8, 4)
    return _smaller(canvas, mask, x, y, FINE)


def glaring(picture: Field, x: Field, y: Field, light: Light, share: float) -> Field:
    """`picture` of glossy things with the lamp in it, where (x, y) on the table is seen at every pixel."""
    away = (x - np.float32(light.lamp[0])) ** 2 + (y - np.float32(light.lamp[1])) ** 2
    blob = np.exp(away * np.float32(-1 / (2 * 26**2))) + np.float32(0.2) * np.exp(away * np.float32(-1 / (2 * 75**2)))
    shine = np.float32(light.glare * share) * blob * np.float32(255**GAMMA)
    both = (np.maximum(picture, 0) ** np.float32(GAMMA) + shine[..., None]) ** np.float32(1 / GAMMA)
    return np.asarray(np.minimum(both, 255), dtype=np.float32)


def _smaller(canvas: Picture, mask: NDArray[np.uint8], x: int, y: int, fine: int) -> Sprite:
    """What was drawn `fine` times larger."""
    size = (canvas.shape[1] // fine, canvas.shape[0] // fine)
    seen = np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    cover = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), dtype=np.float32) / np.float32(255)
    filled = np.asarray(canvas.any(axis=2), dtype=np.float32)
    inside = np.asarray(cv2.resize(filled, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    seen = np.asarray(seen / np.maximum(inside, 0.05)[..., None], dtype=np.float32)
    return Sprite(x, y, np.minimum(seen, np.float32(255)), cover[..., None])


def shade(optics: Optics, at: tuple[float, float, float], height: float, light: Light, ground: float = 0.0) -> Shade:
    """The shadow of a disc, or some on each other, of `height` mm, on what lies at the height `ground`."""
    x, y, z = at
    away = np.radians(light.azimuth)
    run = 1 / np.tan(np.radians(light.elevation))
    toward = -np.array([np.cos(away), np.sin(away)]) * run
    near, far = toward * (z - ground), toward * (z - ground + height)
    circle = _CIRCLE * RADIUS + (x, y)
    level = np.full((STEPS, 1), ground)
    ring_near, ring_far = (np.hstack([circle + d, level]) for d in (near, far))
    contact = np.hstack([_CIRCLE * (RADIUS + 1.0) + (x, y), level])
    scale = optics.scale((x, y, ground))
    softness = max((light.softness + 0.15 * (z - ground)) * scale, 0.3)
    tight = max(1.2 * scale, 0.3)
    hull = cv2.convexHull(np.concatenate([optics.pixels(ring_near), optics.pixels(ring_far)]).astype(np.float32))
    points = hull[:, 0].astype(np.float64)
    floor = optics.pixels(contact)
    every = np.concatenate([points, floor])
    margin = 3 * softness + 2
    left, top = np.floor(every.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(every.max(axis=0) + margin).astype(int)
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillConvexPoly(mask, np.round((points - (left, top)) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    mask = softened(mask, softness)
    kept = 1 - light.strength * mask
    if z - ground < 1:
        close = np.zeros_like(mask)
        cv2.fillConvexPoly(close, np.round((floor - (left, top)) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        kept *= 1 - 0.3 * softened(close, tight)
    return Shade(int(left), int(top), np.asarray(kept ** (1 / GAMMA), dtype=np.float32)[..., None])


def _ring(optics: Optics, middle: Points, radius: float, z: float) -> Points:
    points = np.empty((STEPS, 3))
    points[:, :2] = _CIRCLE * radius + middle[:2]
    points[:, 2] = middle[2] + z
    return optics.pixels(points)


def _overlap(
    picture: Picture, x: int, y: int, height: int, width: int
) -> tuple[tuple[int, int, int, int], Picture] | None:
    """Which rows and columns of a small picture at (x, y) are within `picture`, and that part of it."""
    top, left = max(-y, 0), max(-x, 0)
    bottom, right = min(height, picture.shape[0] - y), min(width, picture.shape[1] - x)
    if top >= bottom or left >= right:
        return None
    return (top, bottom, left, right), picture[y + top : y + bottom, x + left : x + right]
