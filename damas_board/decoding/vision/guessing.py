"""Classes for a board of which nothing is known but the one picture that is to be read.

The corners of a square are never covered by a man that stands on it: where the middle of a square differs from its own
corners, something stands there, whatever the colours and the light are. Men stand on squares of one colour only, which
are the ones that are played on. What stands there falls into a lighter and a darker group, or into one, which is called
by what it is nearer to: the light squares or the dark ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.lighting import Floats, Lit, Mask, playing
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.sampling import QUIETEST, Samples

STANDS = 5.0
"""So many times what empty squares differ by between middle and corners, something stands there."""
FREE = 3.0
"""Up to so many times, nothing does."""

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
_APART = 0.3
"""Difference of light between men of two colours, at least."""
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


def guessed_classes(samples: Samples, relative: Lit, parity: Parity, off: Floats) -> Classes:
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
    men = relative.features[where & (off > STANDS) & (unlike > _UNLIKE)]
    lighter = _lighter(men)
    if lighter is None:
        middles, groups = _of_one_colour(men, empty[0]), [men]
    else:
        groups = [men[lighter], men[~lighter]]
        middles = [np.median(group, axis=0) for group in groups]
    spreads = [near, *map(_spread, groups)] if len(groups) == 2 else [near, *[_spread(men)] * 2]
    means = np.array([empty, *middles])
    floor = np.cov(ground, rowvar=False) + np.diag(_SPREAD**2)
    return Classes(
        means, np.array([np.diag(spread**2) for spread in spreads]), means, (np.median(ground, axis=0), floor)
    )


def _spread(group: Floats) -> Floats:
    """Standard deviations of a class that these are of: the fewer they are, the less is known of it."""
    if len(group) < 2:
        return _SPREAD
    own = 1.4826 * np.median(np.abs(group - np.median(group, axis=0)), axis=0)
    return np.asarray(np.hypot(own, _SPREAD * max(0.5, 1 - len(group) / 16)))


def _off_corners(samples: Samples, even: Mask) -> Floats:
    """How much the middles of squares differ from their corners: the quieter half of the board says what is usual."""
    parts = samples.features - samples.corners
    noise = (np.exp(samples.corners[..., 3:]) - QUIETEST) * _NOISE
    usual: list[tuple[float, Floats, Floats]] = []
    for mask in (even, ~even):
        group = parts[mask & samples.seen]
        middle = np.median(group, axis=0)
        spread = np.maximum(1.4826 * np.median(np.abs(group - middle), axis=0), _FLOORS)
        usual.append((float(((spread + np.abs(middle)) / _FLOORS).sum()), middle, spread))
    _, middle, spread = min(usual, key=lambda one: one[0])
    off = np.sqrt((((parts - middle) / np.hypot(spread, noise)) ** 2).sum(axis=2))
    return np.where(samples.seen, off, 0.0)


def _lighter(men: Floats) -> Mask | None:
    """Which of the men are the lighter ones; None where all are of one colour."""
    if len(men) < 2:
        return None
    scaled = men[:, :3] / _SPREAD[:3]
    ends = scaled[[scaled[:, 0].argmax(), scaled[:, 0].argmin()]]
    lighter = np.zeros(len(men), dtype=np.bool_)
    for _ in range(10):
        lighter = ((scaled - ends[0]) ** 2).sum(axis=1) < ((scaled - ends[1]) ** 2).sum(axis=1)
        if lighter.all() or not lighter.any():
            return None
        ends = np.array([np.median(scaled[lighter], axis=0), np.median(scaled[~lighter], axis=0)])
    between = ends[0] - ends[1]
    distance = float(np.linalg.norm(between))
    if between[0] * _SPREAD[0] < _APART:
        return None
    along = scaled @ between / distance
    width = float(np.sqrt((along[lighter].var() * lighter.sum() + along[~lighter].var() * (~lighter).sum()) / len(men)))
    return lighter if distance > _GROUPS * width else None


def _of_one_colour(men: Floats, played: float) -> list[Floats]:
    """Where white and black men lie if those that are there are all alike."""
    if not len(men):
        return [np.array([_FAR, 0, 0, 0]), np.array([-_FAR, 0, 0, 0])]
    middle = np.median(men, axis=0)
    towards = (middle[0] - played / 2) / max(abs(played), 0.2)
    return [
        middle if towards > -_TOWARDS else np.array([_FAR, 0, 0, 0]),
        middle if towards < _TOWARDS else np.array([-_FAR, 0, 0, 0]),
    ]
