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

_ROUND = np.stack([np.cos(a := np.linspace(0, 2 * np.pi, 20, endpoint=False)), np.sin(a)], axis=1)
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


class _Limbs(NamedTuple):
    """Tapered limbs: ends (n x 2 x 3, mm), radii (n x 2, mm), and whether each is in the sleeve."""

    ends: NDArray[np.float64]
    radii: NDArray[np.float64]
    sleeved: NDArray[np.bool_]


def arm_layer(optics: Optics, arm: Arm, held: list[Sprite], light: Light, shutter: float) -> Layer | None:
    """`arm` as the camera has it, with what is `held` behind its fingers, front ones first; None if not seen."""
    limbs = _before(optics, _limbs(arm))
    if not len(limbs.ends):
        return None
    middles = optics.pixels(limbs.ends)
    radii = limbs.radii * _scales(optics, limbs.ends)
    moved = optics.pixels(np.array([[arm.x, arm.y, arm.z], _later(arm, shutter)]))
    blur = moved[1] - moved[0]
    margin = 2 + np.abs(blur).max()
    inside = np.array([[0, 0], [optics.width, optics.height]])
    low = np.floor((middles - radii[..., None]).reshape(-1, 2).min(axis=0) - margin)
    high = np.ceil((middles + radii[..., None]).reshape(-1, 2).max(axis=0) + margin)
    for disc in held:
        low = np.minimum(low, (disc.x - margin, disc.y - margin))
        high = np.maximum(high, (disc.x + disc.cover.shape[1] + margin, disc.y + disc.cover.shape[0] + margin))
    left, top = np.maximum(low, inside[0]).astype(int).tolist()
    right, bottom = np.minimum(high, inside[1]).astype(int).tolist()
    if right - left < 2 or bottom - top < 2:
        return None
    colour = np.zeros((bottom - top, right - left, 3), np.uint8)
    mask = np.zeros((bottom - top, right - left), np.uint8)
    middles = middles - (left, top)
    sun = _towards_light(optics, arm, light)
    depth = np.linalg.norm(limbs.ends.mean(axis=1) - optics.eye, axis=1)
    for i in np.argsort(-depth).tolist():
        _limb(colour, mask, middles[i], radii[i], arm.sleeve if limbs.sleeved[i] else arm.skin, sun)
    soft = max(0.12 * float(radii.min()), 0.4)
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
        limbs = _limbs(arm)
        ground = limbs.ends * (1.0, 1.0, 0.0)
        ground[..., :2] += toward * limbs.ends[..., 2:]
        limbs = _before(optics, limbs._replace(ends=ground))
        for ends, radii in zip(limbs.ends, limbs.radii, strict=True):
            edge = np.concatenate([ends[k, :2] + _ROUND * radii[k] for k in (0, 1)])
            _ground_polygon(optics, mask, edge, factor)
        if arm.holds is not None:
            disc = [(arm.x, arm.y) + toward * z + _ROUND * RADIUS for z in (arm.z, arm.z + HEIGHT)]
            _ground_polygon(optics, mask, np.concatenate(disc), factor)
    if not mask.any():
        return
    scale = optics.scale((arms[0].x, arms[0].y, 0.0)) / factor
    lifted = min(arm.z for arm in arms) + 30
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max((light.softness + 0.12 * lifted) * scale, 0.5)))
    x, y, wide, high = cv2.boundingRect((mask > 0.01).astype(np.uint8))
    kept = np.power(1 - light.strength * mask[y : y + high, x : x + wide], 1 / GAMMA, dtype=np.float32)
    large = np.asarray(cv2.resize(kept, (wide * factor, high * factor), interpolation=cv2.INTER_LINEAR))
    there = picture[y * factor : (y + high) * factor, x * factor : (x + wide) * factor]
    large = np.ascontiguousarray(large[: there.shape[0], : there.shape[1]])
    there[:] = cv2.multiply(there, cv2.merge([large] * 3), dtype=cv2.CV_8U)


def _limbs(arm: Arm) -> _Limbs:
    away = np.array(arm.shoulder) - (arm.x, arm.y)
    back = away / max(float(np.hypot(*away)), 1e-6)
    outside = np.array([-back[1], back[0]]) * (-1 if arm.left else 1)
    axes = np.array([[-back[0], -back[1], 0], [outside[0], outside[1], 0], [0, 0, 1.0]])
    pairs: list[tuple[Joint, Joint]] = []
    for tip, joint, knuckle in _FINGERS:
        pairs += [(tip, joint), (joint, knuckle), ((*knuckle[:3], knuckle[3] + 3), _WRIST)]
    pairs += [(_WRIST, _CUFF)]
    bare = len(pairs)
    pairs += [((*_CUFF[:3], 33.0), _ELBOW)]
    joints = np.array(pairs, dtype=np.float64)
    ends = joints[..., :3] @ axes + (arm.x, arm.y, arm.z)
    shoulder = np.array([*arm.shoulder, arm.z + 160])
    upper = np.stack([ends[-1, 1], shoulder])[None]
    radii = np.concatenate([joints[..., 3], [[44.0, 58.0]]])
    sleeved = np.arange(len(radii)) >= bare
    return _Limbs(np.concatenate([ends, upper]), radii, sleeved)


def _before(optics: Optics, limbs: _Limbs) -> _Limbs:
    """Those parts of `limbs` that are well in front of the camera."""
    nearest = NEAREST * float(optics.matrix[2, 3])
    depth = limbs.ends @ optics.matrix[2, :3] + optics.matrix[2, 3]
    seen = depth.max(axis=1) > nearest
    ends, radii, depth = limbs.ends[seen].copy(), limbs.radii[seen].copy(), depth[seen]
    for one, other in ((0, 1), (1, 0)):
        cut = depth[:, one] < nearest
        share = ((nearest - depth[:, one]) / (depth[:, other] - depth[:, one]))[cut]
        ends[cut, one] += share[:, None] * (ends[cut, other] - ends[cut, one])
        radii[cut, one] += share * (radii[cut, other] - radii[cut, one])
    return _Limbs(ends, radii, limbs.sleeved[seen])


def _limb(
    colour: Picture,
    mask: NDArray[np.uint8],
    ends: NDArray[np.float64],
    radii: NDArray[np.float64],
    paint: Colour,
    sun: NDArray[np.float64],
) -> None:
    outline = _hull(ends, radii)
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(colour, _hull(ends, radii + 1.5), [0.5 * c for c in paint], cv2.LINE_8, 4)
    for share, level in ((0.93, 0.62), (0.82, 0.74), (0.68, 0.85), (0.5, 0.94), (0.28, 1.0)):
        moved = ends + sun * (radii * (1 - share) * 0.8)[:, None]
        cv2.fillConvexPoly(colour, _hull(moved, radii * share), [level * c for c in paint], cv2.LINE_AA, 4)


def _hull(ends: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.int32]:
    points = (ends[:, None, :] + _ROUND[None] * radii[:, None, None]).reshape(-1, 2)
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
    reach = min(int(np.ceil(length / half / 2)), 24)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    way = blur / length * min(length / half / 2, reach)
    ends = [tuple(np.round((reach + sign * way) * 16).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    kernel /= kernel.sum()
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
