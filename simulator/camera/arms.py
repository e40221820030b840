"""Hands over a board, the arms they are on, and their shadows: tapered limbs, lit from one side, blurred by motion."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.picture import Picture
from simulator.camera.men import GAMMA, Field, Sprite
from simulator.camera.optics import Optics
from simulator.camera.scene import HEIGHT, RADIUS, Arm, Colour, Light

_ROUND = np.stack([np.cos(a := np.linspace(0, 2 * np.pi, 26, endpoint=False)), np.sin(a)], axis=1)
NEAREST = 0.45
"""What is nearer to the camera, in distances of the table, is not drawn: nobody puts an elbow on the lens."""
_HALF = 2
"""Shadows are drawn so many times smaller, twice over."""

Joint = tuple[float, float, float, float]
"""Forwards, to the hand's outside, up (from the fingertips, mm), and the limb's radius there."""

_FINGERS: tuple[tuple[Joint, ...], ...] = (
    ((10, 9, 4, 6.5), (-6, -4, 44, 8.0), (-52, -16, 58, 9.5)),
    ((2, 17, 6, 6.5), (-6, 14, 46, 8.5), (-50, 4, 62, 10.0)),
    ((-34, 26, 18, 7.0), (-16, 30, 40, 8.0), (-54, 20, 60, 9.5)),
    ((-46, 36, 20, 6.0), (-30, 42, 38, 7.0), (-60, 34, 54, 8.5)),
    ((-8, -13, 4, 8.0), (-34, -28, 30, 10.0), (-84, -20, 44, 13.0)),
)
_WRIST: Joint = (-128, 6, 58, 24)
_CUFF: Joint = (-172, 8, 62, 27)
_ELBOW: Joint = (-400, 30, 90, 44)


class Layer(NamedTuple):
    """An arm at (`x`, `y`) of the picture: `colour`, multiplied by `cover` already, and `cover`, 0 to 1."""

    x: int
    y: int
    colour: Field
    cover: Field

    def onto(self, picture: Picture, gains: Field, levels: float) -> None:
        """Lays it there, in the light that `gains` times `levels` are."""
        height, width = self.cover.shape
        there = picture[self.y : self.y + height, self.x : self.x + width]
        lit = cv2.multiply(self.colour, gains[self.y : self.y + height, self.x : self.x + width], scale=levels)
        left = cv2.merge([1 - self.cover] * 3)
        there[:] = cv2.add(cv2.multiply(there, left, dtype=cv2.CV_32F), lit, dtype=cv2.CV_8U)


class _Limb(NamedTuple):
    """What lies between some balls: their middles (k x 3, mm), radii (k, mm), and whether it is in the sleeve."""

    middles: NDArray[np.float64]
    radii: NDArray[np.float64]
    sleeved: bool


def arm_layer(optics: Optics, arm: Arm, held: list[Sprite], light: Light, shutter: float) -> Layer | None:
    """`arm` as the camera has it, with what is `held` behind its fingers, front ones first; None if not seen."""
    limbs = [limb for one in _limbs(arm) if (limb := _before(optics, one)) is not None]
    if not limbs:
        return None
    depth = [float(np.linalg.norm(limb.middles.mean(axis=0) - optics.eye)) for limb in limbs]
    limbs = [limbs[i] for i in np.argsort(depth)[::-1].tolist()]
    middles = [optics.pixels(limb.middles) for limb in limbs]
    radii = [limb.radii * _scales(optics, limb.middles) for limb in limbs]
    moved = optics.pixels(np.array([[arm.x, arm.y, arm.z], _later(arm, shutter)]))
    blur = moved[1] - moved[0]
    margin = 2 + np.abs(blur).max()
    every, sizes = np.concatenate(middles), np.concatenate(radii)[:, None]
    low = np.floor((every - sizes).min(axis=0) - margin)
    high = np.ceil((every + sizes).max(axis=0) + margin)
    for disc in held:
        low = np.minimum(low, (disc.x - margin, disc.y - margin))
        high = np.maximum(high, (disc.x + disc.cover.shape[1] + margin, disc.y + disc.cover.shape[0] + margin))
    left, top = np.maximum(low, 0).astype(int).tolist()
    right, bottom = np.minimum(high, [optics.width, optics.height]).astype(int).tolist()
    if right - left < 2 or bottom - top < 2:
        return None
    colour = np.zeros((bottom - top, right - left, 3), np.uint8)
    mask = np.zeros((bottom - top, right - left), np.uint8)
    sun = _towards_light(optics, arm, light)
    for limb, balls, size in zip(limbs, middles, radii, strict=True):
        _draw(colour, mask, balls - (left, top), size, arm.sleeve if limb.sleeved else arm.skin, sun)
    soft = max(0.22 * float(np.concatenate(radii).min()), 0.4)
    colour = np.asarray(cv2.GaussianBlur(colour, (0, 0), soft), dtype=np.uint8)
    cover = mask.astype(np.float32) * np.float32(1 / 255)
    laid = np.asarray(cv2.multiply(colour, cv2.merge([cover] * 3), dtype=cv2.CV_32F), dtype=np.float32)
    for disc in held:
        laid, cover = _behind(laid, cover, disc, left, top)
    if np.hypot(*blur) > 1.5:
        laid, cover = _smeared(laid, cover, blur)
    return Layer(left, top, laid, cover)


def arm_shadow(optics: Optics, arms: tuple[Arm, ...], light: Light, picture: Picture) -> None:
    """Darkens `picture` where `arms`, and what they hold, keep the light away."""
    factor = 2 * _HALF
    mask = np.zeros((optics.height // factor + 1, optics.width // factor + 1), np.float32)
    away = np.radians(light.azimuth)
    run = 1 / np.tan(np.radians(light.elevation))
    toward = -np.array([np.cos(away), np.sin(away)]) * run
    for arm in arms:
        for limb in _limbs(arm):
            ground = limb.middles * (1.0, 1.0, 0.0)
            ground[:, :2] += toward * limb.middles[:, 2:]
            thrown = _before(optics, limb._replace(middles=ground))
            if thrown is not None:
                edge = thrown.middles[:, None, :2] + _ROUND[None] * thrown.radii[:, None, None]
                _ground_polygon(optics, mask, edge.reshape(-1, 2), factor)
        if arm.holds is not None:
            disc = [(arm.x, arm.y) + toward * z + _ROUND * RADIUS for z in (arm.z, arm.z + HEIGHT)]
            _ground_polygon(optics, mask, np.concatenate(disc), factor)
    if not mask.any():
        return
    scale = optics.scale((arms[0].x, arms[0].y, 0.0)) / factor
    lifted = min(arm.z for arm in arms) + 30
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max((light.softness + 0.12 * lifted) * scale, 0.5)))
    x, y, wide, high = cv2.boundingRect((mask > 0.01).astype(np.uint8))
    if not wide:  # a sliver of it at the picture's edge, blurred away
        return
    kept = np.power(1 - light.strength * mask[y : y + high, x : x + wide], 1 / GAMMA, dtype=np.float32)
    large = np.asarray(cv2.resize(kept, (wide * factor, high * factor), interpolation=cv2.INTER_LINEAR))
    there = picture[y * factor : (y + high) * factor, x * factor : (x + wide) * factor]
    large = np.ascontiguousarray(large[: there.shape[0], : there.shape[1]])
    there[:] = cv2.multiply(there, cv2.merge([large] * 3), dtype=cv2.CV_8U)


def _limbs(arm: Arm) -> list[_Limb]:
    away = np.array(arm.shoulder) - (arm.x, arm.y)
    back = away / max(float(np.hypot(*away)), 1e-6)
    outside = np.array([-back[1], back[0]]) * (-1 if arm.left else 1)
    axes = np.array([[-back[0], -back[1], 0], [outside[0], outside[1], 0], [0, 0, 1.0]])

    def limb(joints: list[Joint], sleeved: bool = False) -> _Limb:
        balls = np.array(joints)
        return _Limb(balls[:, :3] @ axes + (arm.x, arm.y, arm.z), balls[:, 3], sleeved)

    limbs = [limb([tip, joint]) for tip, joint, _ in _FINGERS] + [limb([joint, end]) for _, joint, end in _FINGERS]
    limbs.append(limb([*(knuckle for _, _, knuckle in _FINGERS), _WRIST]))
    limbs.append(limb([_WRIST, _CUFF]))
    forearm = limb([(*_CUFF[:3], 33.0), _ELBOW], True)
    shoulder = np.array([*arm.shoulder, arm.z + 160])
    upper = _Limb(np.stack([forearm.middles[1], shoulder]), np.array([44.0, 58.0]), True)
    return [*limbs, forearm, upper]


def _before(optics: Optics, limb: _Limb) -> _Limb | None:
    """That part of `limb` that is well in front of the camera; None if there is none."""
    nearest = NEAREST * float(optics.matrix[2, 3])
    depth = limb.middles @ optics.matrix[2, :3] + optics.matrix[2, 3]
    if depth.min() >= nearest:
        return limb
    if depth.max() <= nearest or len(depth) > 2:
        return None
    near, far = (0, 1) if depth[0] < depth[1] else (1, 0)
    share = (nearest - depth[near]) / (depth[far] - depth[near])
    middles, radii = limb.middles.copy(), limb.radii.copy()
    middles[near] += share * (middles[far] - middles[near])
    radii[near] += share * (radii[far] - radii[near])
    return _Limb(middles, radii, limb.sleeved)


def _draw(
    colour: Picture,
    mask: NDArray[np.uint8],
    balls: NDArray[np.float64],
    radii: NDArray[np.float64],
    paint: Colour,
    sun: NDArray[np.float64],
) -> None:
    """Draws what lies between `balls`, darker towards its edges, most of all on the side that is not the sun's."""
    middle = balls.mean(axis=0)
    cv2.fillConvexPoly(mask, _hull(balls, radii), 255, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(colour, _hull(balls, radii + 1.5), [0.6 * c for c in paint], cv2.LINE_8, 4)
    for share, level in ((0.92, 0.72), (0.8, 0.82), (0.66, 0.9), (0.48, 0.96), (0.28, 1.0)):
        moved = balls + sun * (radii * (1 - share) * 0.8)[:, None]
        if len(balls) > 2:
            moved = middle + (moved - middle) * (0.6 + 0.4 * share)
        cv2.fillConvexPoly(colour, _hull(moved, radii * share), [level * c for c in paint], cv2.LINE_AA, 4)


def _hull(balls: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.int32]:
    points = (balls[:, None, :] + _ROUND[None] * radii[:, None, None]).reshape(-1, 2)
    return np.asarray(cv2.convexHull(np.round(points * 16).astype(np.int32)), dtype=np.int32)


def _ground_polygon(optics: Optics, mask: Field, edge: NDArray[np.float64], factor: int) -> None:
    pixels = optics.pixels(np.column_stack([edge, np.zeros(len(edge))]))
    small = ((pixels + 0.5) / factor - 0.5) * 16
    hull = cv2.convexHull(np.round(np.clip(small, -1e5, 1e5)).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_8, 4)


def _scales(optics: Optics, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels a millimetre at each point."""
    depth = points @ optics.matrix[2, :3] + optics.matrix[2, 3]
    middle = optics.scale((0.0, 0.0, 0.0)) * optics.matrix[2, 3]
    return np.asarray(middle / depth)


def _later(arm: Arm, seconds: float) -> tuple[float, float, float]:
    return arm.x + arm.velocity[0] * seconds, arm.y + arm.velocity[1] * seconds, arm.z


def _towards_light(optics: Optics, arm: Arm, light: Light) -> NDArray[np.float64]:
    angle = np.radians(light.azimuth)
    step = optics.pixels(np.array([[arm.x, arm.y, arm.z], [arm.x + np.cos(angle), arm.y + np.sin(angle), arm.z + 0.5]]))
    move = step[1] - step[0]
    return np.asarray(move / max(float(np.hypot(*move)), 1e-9))


def _behind(laid: Field, cover: Field, held: Sprite, left: int, top: int) -> tuple[Field, Field]:
    """`held` under what is there already."""
    x, y = held.x - left, held.y - top
    height, width = held.cover.shape[:2]
    y0, x0 = max(y, 0), max(x, 0)
    y1, x1 = min(y + height, cover.shape[0]), min(x + width, cover.shape[1])
    if y0 < y1 and x0 < x1:
        part = held.cover[y0 - y : y1 - y, x0 - x : x1 - x]
        rest = (1 - cover[y0:y1, x0:x1])[..., None] * part
        laid[y0:y1, x0:x1] += rest * held.colour[y0 - y : y1 - y, x0 - x : x1 - x]
        cover[y0:y1, x0:x1] += rest[..., 0]
    return laid, cover


def _smeared(laid: Field, cover: Field, blur: NDArray[np.float64]) -> tuple[Field, Field]:
    """Both as they are while what they show moves by `blur` pixels."""
    length = float(np.hypot(*blur))
    half = 2 if length > 5 and min(cover.shape) > 8 else 1
    if half > 1:
        size = (max(cover.shape[1] // half, 1), max(cover.shape[0] // half, 1))
        laid_small, cover_small = (
            np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), dtype=np.float32) for one in (laid, cover)
        )
    else:
        laid_small, cover_small = laid, cover
    kernel = _line(blur / half)
    laid_small, cover_small = (
        np.asarray(cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)
        for one in (laid_small, cover_small)
    )
    if half > 1:
        size = (cover.shape[1], cover.shape[0])
        return (
            np.asarray(cv2.resize(laid_small, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32),
            np.asarray(cv2.resize(cover_small, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32),
        )
    return laid_small, cover_small


def shaken(picture: Picture, way: NDArray[np.float64]) -> Picture:
    """The whole picture as it is while it moves by `way` pixels."""
    return np.asarray(cv2.filter2D(picture, -1, _line(way), borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def _line(way: NDArray[np.float64]) -> Field:
    """The kernel of a movement by `way` pixels, at most 48 of them."""
    length = float(np.hypot(*way))
    reach = min(int(np.ceil(length / 2)), 24)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = way / length * min(length / 2, reach)
    ends = [tuple(np.round((reach + sign * half) * 16).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
