"""What an empty square, a white man and a black man look like on one board, learned from one picture of the start.

Each class is a Gaussian of the features relative to the light (see `lighting`). A start position on 8 x 8 has eight
empty squares, all in its two middle rows: so few say little of how features vary together, and nothing of the other
rows. The covariances are therefore drawn towards the one that all classes have in common, and never fall below what
pictures of one and the same thing differ by.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from damas_board.decoding.vision.lighting import Floats, Lit, Mask, lit, playing
from damas_board.decoding.vision.profile import ClassValues, Parity, Profile
from damas_board.decoding.vision.sampling import FEATURES, Samples

Kind = Literal["empty", "white", "black"]
KINDS: tuple[Kind, ...] = ("empty", "white", "black")
MARKS = ".wb"
"""How rows write the classes, in the order of KINDS."""
SEPARABLE = 4.0
"""Classes nearer to each other than that (see `separation`) cannot be told apart."""
COMFORTABLE = 7.0
"""Classes nearer than that leave some squares in doubt."""

_SHRINKING = 10
"""A class of so many squares has half its covariance from itself, half from what is usual."""
_FLOOR = np.array([0.08, 0.03, 0.03, 0.30])
"""Standard deviations that are always added."""
_STEP = 0.02
"""How much of the way to what is seen `adapted` goes at once."""
_CLEARLY = 3.0
"""A square that so many times likelier is of one class than of any other shows where that class is."""
_MOST = 0.9
"""So many of the squares have to."""
_AGREEING = 4
"""Of fewer squares of a class it is not asked where it is."""
_FARTHEST = 2.5
"""How far a mean may go from where it was learned, in standard deviations of its class."""


class InseparableError(ValueError):
    """Two classes look the same on this board: `one` and `other`, at a distance of `separation`."""

    def __init__(self, one: Kind, other: Kind, separation: float) -> None:
        super().__init__(
            f"{one} and {other} squares look the same: {separation:.1f}, at least {SEPARABLE:.0f} is needed"
        )
        self.one = one
        self.other = other
        self.separation = separation


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Gaussians of the features relative to the light, in the order of KINDS."""

    means: Floats
    """3 x 4."""
    covariances: Floats
    """3 x 4 x 4."""
    learned: Floats
    """3 x 4: the means as they were learned, before anything was adapted."""
    ground: tuple[Floats, Floats]
    """Mean and covariance of the squares that are never occupied."""

    @classmethod
    def of_profile(cls, profile: Profile) -> Classes:
        """As a profile has them."""
        read = [_gaussian(values) for values in (profile.empty, profile.white, profile.black, profile.ground)]
        means = np.array([mean for mean, _ in read[:3]])
        return cls(means, np.array([covariance for _, covariance in read[:3]]), means, read[3])

    def values(self) -> dict[Kind | Literal["ground"], ClassValues]:
        """As plain values for a profile: `Profile(..., **classes.values())`."""
        named: dict[Kind | Literal["ground"], ClassValues] = {"ground": _values(*self.ground)}
        named.update({kind: _values(self.means[i], self.covariances[i]) for i, kind in enumerate(KINDS)})
        return named


def _gaussian(values: ClassValues) -> tuple[Floats, Floats]:
    features = len(FEATURES)
    return np.array(values.mean), np.array(values.covariance).reshape(features, features)


def _values(mean: Floats, covariance: Floats) -> ClassValues:
    return ClassValues(tuple(map(float, mean)), tuple(map(float, covariance.ravel())))


def learn(samples: Samples, parity: Parity, start: str) -> Classes:
    """The classes from a picture in which `start` (rows as seen in it) stands. InseparableError where two are the same.

    ValueError where one of the three is not on the board at least twice.
    """
    labels = labels_of(start, samples.size)
    relative = lit(samples, parity)
    usable = playing(samples.size, parity) & samples.seen
    ground = ~playing(samples.size, parity) & samples.seen
    classes = classes_of(relative, [usable & (labels == k) for k in range(3)], ground)
    one, other, distance = nearest(classes)
    if distance < SEPARABLE:
        raise InseparableError(one, other, distance)
    return classes


def labels_of(rows: str, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """size x size: which of KINDS each square is by `rows`, -1 where they do not say."""
    lines = rows.split("/")
    if len(lines) != size or any(len(line) != size for line in lines):
        raise ValueError(f"rows of a board of {size} squares a side are needed, not {rows!r}")
    return np.array([[MARKS.find(mark) for mark in line.lower()] for line in lines], dtype=np.intp)


def classes_of(relative: Lit, members: list[Mask], ground: Mask) -> Classes:
    """The classes whose members are known. ValueError where one has fewer than two."""
    groups = [relative.features[mask] for mask in members]
    for kind, group in zip(KINDS, groups, strict=True):
        if len(group) < 2:
            raise ValueError(f"there are too few {kind} squares to learn from: {len(group)}")
    means = np.array([np.median(group, axis=0) for group in groups])
    own = np.array([_covariance(group, mean) for group, mean in zip(groups, means, strict=True)])
    usual = np.diag(np.median(np.diagonal(own, axis1=1, axis2=2), axis=0))
    trusted = np.array([len(group) / (len(group) + _SHRINKING) for group in groups])[:, None, None]
    covariances = trusted * own + (1 - trusted) * usual + np.diag(_FLOOR**2)
    still = relative.features[ground & ~relative.strange]
    floor = np.diag(_FLOOR**2)
    return Classes(means, covariances, means, (np.median(still, axis=0), np.cov(still, rowvar=False) + floor))


def _covariance(group: Floats, mean: Floats) -> Floats:
    """Of most of the group: a man in a lamp's reflection, or off its square, is not what the others are like."""
    off = group - mean
    usual = np.hypot(1.4826 * np.median(np.abs(off), axis=0), _FLOOR)
    weights = 1 / np.maximum(1.0, ((off / usual) ** 2).sum(axis=1) / (2 * len(mean))) ** 2
    return np.asarray((weights[:, None] * off).T @ off / weights.sum())


def nearest(classes: Classes) -> tuple[Kind, Kind, float]:
    """The two classes that are most alike, and how many standard deviations apart they are."""
    found = []
    for i, j in combinations(range(3), 2):
        between = classes.means[i] - classes.means[j]
        common = (classes.covariances[i] + classes.covariances[j]) / 2
        found.append((float(np.sqrt(between @ np.linalg.solve(common, between))), KINDS[i], KINDS[j]))
    distance, one, other = min(found)
    return one, other, distance


def separation(classes: Classes) -> float:
    """How many standard deviations the two classes that are most alike are apart."""
    return nearest(classes)[2]


def adapted(classes: Classes, samples: Samples, parity: Parity, rows: str, covered: Mask | None = None) -> Classes:
    """The classes a little nearer to what is seen, as light changes over an afternoon.

    `rows` (as seen in the picture): what stands there by an accepted position, where it was certain; else `?`.
    """
    labels = labels_of(rows, samples.size)
    relative = lit(samples, parity, covered)
    usable = playing(samples.size, parity) & samples.seen & (relative.doubt[..., 0] < _FLOOR[0])
    if covered is not None:
        usable &= ~covered
    means = classes.means.copy()
    for k in range(3):
        group = relative.features[usable & (labels == k)]
        if len(group) < 3:
            continue
        wanted = means[k] + _STEP * (np.median(group, axis=0) - means[k])
        away = wanted - classes.learned[k]
        distance = float(np.sqrt(away @ np.linalg.solve(classes.covariances[k], away)))
        means[k] = classes.learned[k] + away * min(1.0, _FARTHEST / max(distance, 1e-9))
    return replace(classes, means=means)


def moved_together(classes: Classes, features: Floats, likelihoods: Floats) -> Classes | None:
    """The classes where squares (n x 4) that are most like them, and agree, have them; None where that is not clear.

    Of very dark pictures the colours are others than of light ones, for all squares of a kind in the same way.
    """
    none, second, first = np.sort(likelihoods, axis=1).T  # what is none of them is in all three
    clear = first - none > _CLEARLY * (second - none)
    if clear.mean() < _MOST:
        return None
    labels = likelihoods.argmax(axis=1)
    means = classes.means.copy()
    for k in range(3):
        group = features[clear & (labels == k)]
        if len(group) < _AGREEING:
            continue
        shift = np.median(group - means[k], axis=0)
        spread = 1.4826 * np.median(np.abs(group - means[k] - shift), axis=0)
        if (spread[:3] > 2 * np.sqrt(np.diagonal(classes.covariances[k])[:3])).any():
            return None
        means[k] += shift
    moved = replace(classes, means=means)
    return moved if separation(moved) > COMFORTABLE else None
