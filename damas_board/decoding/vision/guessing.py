"""Classes for a board of which nothing is known but the one picture that is to be read.

The corners of a square are never covered by a man that stands on it: where the middle of a square differs from its own
corners, something stands there, whatever the colours and the light are. In a picture that is not sharp the neighbours'
light comes into the corners, more into those of dark squares; but no game fills its board, so those squares of each
colour that differ least from their corners are empty, and say by how much empty ones do.

Men stand on squares of one colour only, which are the ones that are played on. What stands there falls into two kinds,
by whatever they differ in, or into one. Of two kinds the lighter one is called white, by however little it is lighter:
that the names may be the wrong way round is one doubt, and not one of each square. One kind alone is called by what it
is nearer to, the light squares or the dark ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.lighting import Floats, Lit, Mask, playing
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.sampling import QUIETEST, Samples, luma

STANDS = 5.0
"""So many times what empty squares differ by between middle and corners, something stands there."""
FREE = 3.0
"""Up to so many times, nothing does."""
NAMED = 0.9
"""Below it, what is called white and black may well be the other way round."""

_FLOORS = np.array([0.06, 0.03, 0.03, 0.4])
"""The least that the middle and the corners of empty squares differ by: standard deviations."""
_FEWEST = 6
"""Of fewer squares of a colour nothing can be said."""
_NOISE = np.array([0.12, 0.3, 0.3, 0.0])
"""What the median of a disc differs by for noise, in the spread of light over the corners."""
_ONE_COLOUR = 0.4
"""How much more must stand on squares of one colour than of the other, as a share, for the one to be played on."""
_SPREAD = np.array([0.12, 0.04, 0.04, 0.5])
"""Standard deviations that a class of which so little is known has at least."""
_UNLIKE = 3.0
"""What stands on a square is that unlike empty ones, in such deviations, else the corners were wrong."""
_GROUPS = 4.0
"""Two groups of men are two colours if their middles are so many times farther apart than they are wide."""
_APART = 3.0
"""How far two kinds of men are apart at least, in what kinds vary by."""
_NAMED = 0.15
"""Standard deviation of how much lighter one kind of men seems than the other."""
_BLED = 0.35
"""The most that the corners of a square take over of the squares beside it, as a share of the difference."""
_TOWARDS = 0.2
"""A group alone has a colour if it is that far from between light and dark squares, as a share of their contrast."""
_FAR = 100.0
"""Where the light of a class lies of which there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """What a picture alone says of its board."""

    parity: Parity | None
    """None: nothing stands there, or something on squares of both colours."""
    certainty: float
    """Of the parity, 0.0 to 1.0."""
    dark: Parity
    """Which squares are the darker ones."""
    off: Floats
    """size x size: how much the middle of a square differs from its corners, in what empty ones differ by."""


@dataclass(frozen=True, slots=True, eq=False)
class Guessed:
    """What the men of a board look like, as far as the picture alone says it."""

    classes: Classes
    naming: float
    """How likely it is that white and black are not the other way round: 0.5 says nothing."""


def guess(samples: Samples) -> Guess:
    """Which squares are played on, and where something stands."""
    even = playing(samples.size, 0)
    if min(np.count_nonzero(mask & samples.seen) for mask in (even, ~even)) < _FEWEST:
        return Guess(None, 0.0, 0, np.full((samples.size, samples.size), (FREE + STANDS) / 2))
    levels = [np.median(samples.corners[mask & samples.seen, 0]) for mask in (even, ~even)]
    off = _off_corners(samples, even)
    strength = np.clip(off / STANDS - 1, 0, 1)
    counts = [float(strength[mask].sum()) for mask in (even, ~even)]
    certainty = abs(counts[0] - counts[1]) / (sum(counts) + 1)
    parity: Parity | None = 0 if counts[0] > counts[1] else 1
    return Guess(parity if certainty > _ONE_COLOUR else None, certainty, 0 if levels[0] < levels[1] else 1, off)


def guessed_classes(samples: Samples, relative: Lit, parity: Parity, off: Floats) -> Guessed:
    """Classes from what stands on the squares that are played on; a colour that is not there is far from everything."""
    where = playing(samples.size, parity) & samples.seen
    free = where & (off < FREE)
    ground = relative.features[~playing(samples.size, parity) & samples.seen]
    if np.count_nonzero(free) > 2:
        empty = np.median(relative.features[free], axis=0)
    else:
        colour = samples.corners[where, :3] - samples.features[where, :3] + relative.features[where, :3]
        empty = np.append(np.median(colour, axis=0), np.median(ground[:, 3]))
    near = _spread(relative.features[free])
    unlike = np.sqrt((((relative.features - empty)[..., :3] / near[:3]) ** 2).sum(axis=2))
    standing = where & (off > STANDS) & (unlike > _UNLIKE)
    men = relative.features[standing]
    lightness = (luma(samples.features) - relative.level)[standing]
    kinds = _kinds(men)
    if kinds is None:
        (middles, sure), spreads = _of_one_kind(men, empty[0]), [near, *[_spread(men)] * 2]
    else:
        lighter = float(np.median(lightness[kinds]) - np.median(lightness[~kinds]))
        groups = [men[kinds], men[~kinds]] if lighter >= 0 else [men[~kinds], men[kinds]]
        middles, sure = [np.median(group, axis=0) for group in groups], naming(lighter)
        spreads = [near, *map(_spread, groups)]
    means = np.array([empty, *middles])
    floor = np.cov(ground, rowvar=False) + np.diag(_SPREAD**2)
    covariances = np.array([np.diag(spread**2) for spread in spreads])
    return Guessed(Classes(means, covariances, means, (np.median(ground, axis=0), floor)), sure)


def _spread(group: Floats) -> Floats:
    """Standard deviations of a class that these are of: the fewer they are, the less is known of it."""
    if len(group) < 2:
        return _SPREAD
    own = 1.4826 * np.median(np.abs(group - np.median(group, axis=0)), axis=0)
    return np.asarray(np.hypot(own, _SPREAD * max(0.5, 1 - len(group) / 16)))


def _off_corners(samples: Samples, even: Mask) -> Floats:
    """How much the middles of squares differ from their corners; what is usual is said by the empty ones."""
    parts = samples.features - samples.corners
    noise = (np.exp(samples.corners[..., 3:]) - QUIETEST) * _NOISE
    usual: list[tuple[float, Floats, Floats]] = []
    for mask in (even, ~even):
        group = parts[mask & samples.seen]
        middle = np.median(group, axis=0)
        spread = np.maximum(1.4826 * np.median(np.abs(group - middle), axis=0), _FLOORS)
        usual.append((float(((spread + np.abs(middle)) / _FLOORS).sum()), middle, spread))
    _, middle, spread = min(usual, key=lambda one: one[0])
    spreads = np.hypot(spread, noise)
    off = _length((parts - middle) / spreads)
    for mask, beside in ((even, ~even), (~even, even)):
        known = mask & samples.seen
        empty = samples.size - np.count_nonzero(mask & ~samples.seen)
        if empty < _FEWEST:
            continue
        emptiest = np.argsort(np.where(known, off, np.inf), axis=None)[:empty]
        contrast = np.median(samples.corners[beside & samples.seen], axis=0) - np.median(samples.corners[known], axis=0)
        contrast[3] = 0.0
        bled = np.median(parts.reshape(-1, parts.shape[2])[emptiest], axis=0)
        share = np.clip(-float(bled @ contrast) / max(float(contrast @ contrast), 1e-9), 0, _BLED)
        off[mask] = _length((parts - [0, 0, 0, middle[3]] + share * contrast) / spreads)[mask]
    return np.where(samples.seen, off, 0.0)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors**2).sum(axis=-1)))


def naming(lighter: float) -> float:
    """How likely it is that the men that seem lighter than the others by so much (logarithm) are the white ones."""
    return _normal(abs(lighter) / _NAMED)


def _normal(deviations: float) -> float:
    """How likely something normally distributed is below so many standard deviations."""
    return (1 + erf(deviations / sqrt(2))) / 2


def _kinds(men: Floats) -> Mask | None:
    """Which of the men are of the one of two kinds; None where all are alike."""
    if len(men) < 2:
        return None
    scaled = men[:, :3] / _SPREAD[:3]
    found: list[tuple[float, float, Mask]] = []
    for first, last in _far_apart(scaled):
        ends = scaled[[first, last]]
        one = np.zeros(len(men), dtype=np.bool_)
        for _ in range(10):
            one = _length(scaled - ends[0]) < _length(scaled - ends[1])
            if one.all() or not one.any():
                break
            ends = np.array([np.median(scaled[one], axis=0), np.median(scaled[~one], axis=0)])
        else:
            within = float((np.where(one[:, None], scaled - ends[0], scaled - ends[1]) ** 2).sum())
            found.append((within, float(np.linalg.norm(ends[0] - ends[1])), one))
    if not found:
        return None
    _, distance, one = min(found, key=lambda each: each[0])
    return one if distance > max(_APART, _GROUPS * _width(scaled, one)) else None


def _far_apart(scaled: Floats) -> list[tuple[int, int]]:
    """Pairs of men that are likely to be of two kinds, if there are two: far apart in one feature, or altogether."""
    between = _length(scaled[:, None] - scaled[None])
    pairs = [(int(each.argmax()), int(each.argmin())) for each in scaled.T]
    return [*pairs, (int(between.argmax()) // len(scaled), int(between.argmax()) % len(scaled))]


def _width(scaled: Floats, one: Mask) -> float:
    """How wide the two kinds are along the line between them: a standard deviation."""
    between = np.median(scaled[one], axis=0) - np.median(scaled[~one], axis=0)
    along = scaled @ between / np.linalg.norm(between)
    return float(np.sqrt((along[one].var() * one.sum() + along[~one].var() * (~one).sum()) / len(scaled)))


def _of_one_kind(men: Floats, played: float) -> tuple[list[Floats], float]:
    """Where white and black men lie if those that are there are all alike, and how sure their name is."""
    if not len(men):
        return [np.array([_FAR, 0, 0, 0]), np.array([-_FAR, 0, 0, 0])], 1.0
    middle = np.median(men, axis=0)
    towards = (middle[0] - played / 2) / max(abs(played), 0.2)
    middles = [
        middle if towards > -_TOWARDS else np.array([_FAR, 0, 0, 0]),
        middle if towards < _TOWARDS else np.array([-_FAR, 0, 0, 0]),
    ]
    return middles, 0.5 if abs(towards) < _TOWARDS else _normal(abs(towards) / _TOWARDS)
