"""What stands on the squares of a picture, and how sure that is.

With a profile every playing square has three densities (Student's: heavy tails, because what is rare on a board - a man
half off its square, a shadow's edge, a reflection - is not as rare as a Gaussian would have it), and a fourth one that
is the same everywhere: what looks like none of the three is not the one it looks least unlike. A mark is only told
where one class is far ahead, else it is `?`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np

from damas_board.decoding.vision.classes import MARKS, Classes
from damas_board.decoding.vision.lighting import Floats, Mask, lit, playing
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.sampling import BURNT, Samples

CERTAIN = 0.95
"""A class that is likelier than that is told."""

_FREEDOM = 6.0
"""Degrees of freedom of Student's distribution."""
_OUTSIDE = 5.5
"""So many standard deviations from a class, a square is as likely to be none of the three."""
_SEEN_FROM_THE_SIDE = 0.1
"""How often a disc on a piece shows its side instead of its top: kings do, where the camera looks along the table."""
_SIDE = np.array([-0.35, 0.0, 0.0, 0.9])
"""Sides are darker than tops, and an edge is about."""
_SIDES_DIFFER = np.array([0.25, 0.0, 0.0, 0.7])
_BURNT = 200.0
"""How much likelier `none of them` is where the whole disc is overexposed, and no class is that bright."""
_NEARLY_BURNT = log(0.92 * BURNT)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One picture, read."""

    rows: str
    """As seen in the picture: `.` `w` `b`, `?` where it is not certain; squares that are never occupied are `.`."""
    likelihoods: Floats
    """size x size x 3: empty, white, black; their sum is 1."""
    confidence: float
    """How likely the likeliest mark of a playing square is, on average over those that are not covered."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadAlone:
    """One picture, read without knowing anything of the board."""

    rows: str
    likelihoods: Floats
    confidence: float
    parity: Parity | None
    """Which squares are played on; None where the picture does not say."""
    parity_confidence: float
    dark: Parity
    """Which squares are the darker ones."""


def read(samples: Samples, classes: Classes, parity: Parity, covered: Mask | None = None) -> Reading:
    """What stands where, by the classes learned here; covered squares and those outside the picture are `?`."""
    where = playing(samples.size, parity)
    hidden = ~samples.seen if covered is None else covered | ~samples.seen
    relative = lit(samples, parity, covered)
    densities = _densities(relative.features[where], relative.doubt[where], classes)
    likelihoods = np.zeros((samples.size, samples.size, 3))
    likelihoods[..., 0] = 1.0
    brightest = relative.level + classes.means[:, 0].max()
    burnt = np.where(brightest > _NEARLY_BURNT, 0.0, samples.burnt)
    likelihoods[where] = _posterior(densities, burnt[where])
    likelihoods[where & hidden] = 1 / 3
    return _reading(likelihoods, where, hidden)


def read_alone(samples: Samples) -> ReadAlone:
    """What stands where as far as one picture alone says it."""
    likelihoods = np.full((samples.size, samples.size, 3), 1 / 3)
    reading = _reading(likelihoods, playing(samples.size, 0), ~samples.seen)
    return ReadAlone(reading.rows, likelihoods, reading.confidence, None, 0.0, 0)


def _reading(likelihoods: Floats, where: Mask, hidden: Mask) -> Reading:
    best = likelihoods.argmax(axis=2)
    height = likelihoods.max(axis=2)
    sure = (height >= CERTAIN) & ~(where & hidden)
    marks = np.where(sure, np.array(list(MARKS))[best], "?")
    asked = where & ~hidden
    confidence = float(height[asked].mean()) if asked.any() else 0.0
    return Reading("/".join("".join(row) for row in marks), likelihoods, confidence)


def _densities(features: Floats, doubt: Floats, classes: Classes) -> tuple[Floats, Floats]:
    """Logarithms of Student's densities, squares x 3, and of the one of 'none of them' beside each."""
    means = np.concatenate([classes.means, classes.means[1:] + _SIDE])
    covariances = np.concatenate([classes.covariances, classes.covariances[1:] + np.diag(_SIDES_DIFFER**2)])
    inside, outside = _students(features, doubt, means, covariances)
    inside[:, 1:3] = np.logaddexp(
        inside[:, 1:3] + log(1 - _SEEN_FROM_THE_SIDE), inside[:, 3:] + log(_SEEN_FROM_THE_SIDE)
    )
    return inside[:, :3], outside[:, :3]


def _students(features: Floats, doubt: Floats, means: Floats, covariances: Floats) -> tuple[Floats, Floats]:
    """Logarithms of Student's densities, squares x classes, and of that at the distance of 'none of them'."""
    count, dimensions = features.shape
    widened = np.zeros((count, 1, dimensions, dimensions))
    diagonal = np.arange(3)
    widened[:, 0, diagonal, diagonal] = doubt**2
    covariances = covariances[None] + widened
    off = features[:, None, :] - means[None]
    distance = np.einsum("nki,nki->nk", off, np.linalg.solve(covariances, off[..., None])[..., 0])
    volume = np.linalg.slogdet(covariances)[1]
    half = (_FREEDOM + dimensions) / 2
    constant = lgamma(half) - lgamma(_FREEDOM / 2) - dimensions / 2 * log(_FREEDOM * pi)
    height = constant - volume / 2
    return height - half * np.log1p(distance / _FREEDOM), height - half * np.log1p(_OUTSIDE**2 / _FREEDOM)


def _posterior(densities: tuple[Floats, Floats], burnt: Floats) -> Floats:
    """What is likely of the three; where none of them is, all are equally."""
    inside, outside = densities
    top = inside.max(axis=1, keepdims=True)
    ours = np.exp(inside - np.maximum(top, outside.max(axis=1, keepdims=True)))
    none = np.exp(outside - np.maximum(top, outside.max(axis=1, keepdims=True))).mean(axis=1, keepdims=True)
    none = none * (1 + _BURNT * burnt[:, None])
    return np.asarray((ours + none / 3) / (ours.sum(axis=1, keepdims=True) + none))
