"""How likely each class is for a square that looks as it does.

Student's distributions instead of Gaussians: heavy tails, because what is rare on a board - a man half off its square,
a shadow's edge, a reflection - is not as rare as a Gaussian would have it. And beside the classes one that is the same
everywhere: what looks like none of them is not the one it looks least unlike.
"""

from __future__ import annotations

from math import lgamma, log, pi

import numpy as np

from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.lighting import Floats, Lit, Mask
from damas_board.decoding.vision.sampling import BURNT, Samples

_FREEDOM = 6.0
"""Degrees of freedom of Student's distribution."""
OUTSIDE = 5.2
"""So many standard deviations from a class that was learned, a square is as likely to be none of the three."""
OUTSIDE_A_GUESS = 4.5
"""The same of a class that was guessed."""
_SEEN_FROM_THE_SIDE = 0.1
"""How often a disc on a piece shows its side instead of its top: kings do, where the camera looks along the table."""
_SIDE = np.array([-0.35, 0.0, 0.0, 0.9])
"""Sides are darker than tops, and an edge is about."""
_SIDES_DIFFER = np.array([0.25, 0.0, 0.0, 0.7])
_BURNT = 1000.0
"""How much likelier `none of them` is where the whole disc is overexposed, and no class is that bright."""
_NEARLY_BURNT = log(0.92 * BURNT)


def likelihoods(samples: Samples, relative: Lit, classes: Classes, where: Mask, outside_at: float = OUTSIDE) -> Floats:
    """Squares of `where` x 3: empty, white, black; where none is likely, all are equally."""
    inside, outside = _densities(relative, classes, where, outside_at)
    brightest = relative.level[where] + classes.means[:, 0].max()
    burnt = np.where(brightest > _NEARLY_BURNT, 0.0, samples.burnt[where])
    top = np.maximum(inside.max(axis=1), outside.max(axis=1))[:, None]
    ours = np.exp(inside - top)
    none = np.exp(outside - top).mean(axis=1, keepdims=True) * (1 + _BURNT * burnt[:, None])
    return np.asarray((ours + none / 3) / (ours.sum(axis=1, keepdims=True) + none))


def _densities(relative: Lit, classes: Classes, where: Mask, outside_at: float) -> tuple[Floats, Floats]:
    """Logarithms of the densities of the classes, squares x 3, and of the one of 'none of them' beside each."""
    means = np.concatenate([classes.means, classes.means[1:] + _SIDE])
    covariances = np.concatenate([classes.covariances, classes.covariances[1:] + np.diag(_SIDES_DIFFER**2)])
    doubt = np.repeat(relative.doubt[where][:, None], len(means), axis=1)
    doubt[..., 0] = np.hypot(doubt[..., 0], np.log1p(relative.shine[where][:, None] * np.exp(-means[:, 0])))
    inside, outside = _students(relative.features[where], doubt, means, covariances, outside_at)
    top, side = log(1 - _SEEN_FROM_THE_SIDE), log(_SEEN_FROM_THE_SIDE)
    inside[:, 1:3] = np.logaddexp(inside[:, 1:3] + top, inside[:, 3:] + side)
    return inside[:, :3], outside[:, :3]


def _students(
    features: Floats, doubt: Floats, means: Floats, covariances: Floats, outside_at: float
) -> tuple[Floats, Floats]:
    """Logarithms of Student's densities, squares x classes, and of that at the distance of 'none of them'.

    `doubt`, squares x classes x 3, widens the first three features.
    """
    dimensions = features.shape[1]
    widened = np.repeat(covariances[None], len(features), axis=0)
    diagonal = np.arange(doubt.shape[2])
    widened[..., diagonal, diagonal] += doubt**2
    off = features[:, None, :] - means[None]
    distance = np.einsum("nki,nki->nk", off, np.linalg.solve(widened, off[..., None])[..., 0])
    volume = np.linalg.slogdet(widened)[1]
    half = (_FREEDOM + dimensions) / 2
    constant = lgamma(half) - lgamma(_FREEDOM / 2) - dimensions / 2 * log(_FREEDOM * pi)
    height = constant - volume / 2
    return height - half * np.log1p(distance / _FREEDOM), height - half * np.log1p(outside_at**2 / _FREEDOM)
