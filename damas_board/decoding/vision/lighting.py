"""The light on the board, from the squares that are never occupied; the other squares are seen relative to it.

First the whole: level and colour of the light as planes over the board, fitted so that no few squares matter. What is
left is local: the edge of a shadow, a lamp. There the neighbours of a square say how much light it gets, if they agree;
how far they disagree is kept as a doubt, because a shadow's edge may run on either side of the square. A neighbour
whose colour differs is no witness: a man leans over it, or lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.sampling import Samples

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_FLOORS = np.array([0.02, 0.01, 0.01])
"""The least that squares of one colour differ by, per feature."""
_STRANGE = 6.0
"""So many times the usual difference in colour, a never occupied square does not show itself."""
_FADING = 3.0
"""Local differences of light count from about so many times the usual one on."""
_SHINES = 3.0
"""A never occupied square that is lighter than the light on the board makes it by so many times the usual shines."""
_UNHELPED = 0.15
"""Doubt of the light at a square none of whose neighbours can be asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """The squares relative to the light on them."""

    features: Floats
    """size x size x 4."""
    doubt: Floats
    """size x size x 3: standard deviation of what was taken off the first three features, and of their grain."""
    shine: Floats
    """size x size: light that a lamp's reflection may add to a square, in what the never occupied ones give back."""
    level: Floats
    """size x size: what was taken off the first feature."""
    strange: Mask
    """size x size: never occupied squares that do not show their own colour."""


def playing(size: int, parity: int) -> Mask:
    """The squares that are played on, as (row + column) % 2 == parity."""
    rows, columns = np.indices((size, size))
    return np.asarray((rows + columns) % 2 == parity)


def lit(samples: Samples, parity: int, covered: Mask | None = None) -> Lit:
    """The squares relative to the light that the never occupied ones get; covered ones are not asked."""
    size = samples.size
    ground = ~playing(size, parity) & samples.seen
    asked = ground if covered is None else ground & ~covered
    features = samples.features.copy()
    if np.count_nonzero(asked) < 6:
        nothing = np.zeros((size, size))
        return Lit(features, np.ones((size, size, 3)), nothing, nothing, nothing > 0)
    features[..., :3] -= _planes(features[..., :3], asked)
    rest = np.where(asked[..., None], features[..., :3], np.nan)
    usual = np.maximum(_neighbouring_difference(rest), _FLOORS)
    strange = asked & (np.abs(np.nan_to_num(rest[..., 1:])) > _STRANGE * usual[1:]).any(axis=2)
    local, spread = _of_neighbours(np.where(strange[..., None], np.nan, rest))
    shrunk = local**3 / (local**2 + (_FADING * usual) ** 2)
    where = playing(size, parity)
    features[where, 0] -= shrunk[where, 0]
    doubt = samples.grain
    doubt[where] = np.hypot(doubt[where], spread[where])
    doubt[where, 1:] = np.hypot(doubt[where, 1:], shrunk[where, 1:])
    shine = np.expm1(np.maximum(_highest_neighbour(rest[..., 0]) - _SHINES * usual[0], 0))
    return Lit(features, doubt, shine, samples.features[..., 0] - features[..., 0], strange)


def _planes(values: Floats, mask: Mask) -> Floats:
    """A plane over the board for each of the last axis' values, by the squares of `mask`; some of them may be wild."""
    size = len(values)
    rows, columns = np.indices((size, size)) / size - 0.5
    terms = np.stack([np.ones_like(rows), columns, rows], axis=-1)
    known, at = values[mask], terms[mask]
    parts = np.zeros((3, values.shape[-1]))
    parts[0] = np.median(known, axis=0)
    for _ in range(4):
        off = np.abs(known - at @ parts)
        scale = np.maximum(1.4826 * np.median(off, axis=0), _FLOORS)
        weighted = at.T[None] / (1 + (off / (2 * scale)) ** 2).T[:, None]
        parts = np.linalg.solve(weighted @ at + 1e-6 * np.eye(3), weighted @ known.T[..., None])[..., 0].T
    return np.asarray(terms @ parts)


def _neighbouring_difference(rest: Floats) -> Floats:
    """How much never occupied squares next to each other (diagonally) differ: a standard deviation per feature."""
    one = np.abs(rest[1:, 1:] - rest[:-1, :-1]).reshape(-1, rest.shape[2])
    other = np.abs(rest[1:, :-1] - rest[:-1, 1:]).reshape(-1, rest.shape[2])
    pairs = np.concatenate([one, other])
    pairs = pairs[~np.isnan(pairs[:, 0])]
    if not len(pairs):
        return np.zeros(rest.shape[2])
    return np.asarray(np.median(pairs, axis=0) / (0.6745 * np.sqrt(2)))


def _highest_neighbour(rest: Floats) -> Floats:
    """The lightest of the neighbours along rows and columns that are known, 0 where none is."""
    wide = np.pad(np.nan_to_num(rest, nan=-np.inf), 1, constant_values=-np.inf)
    highest = np.maximum.reduce([wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]])
    return np.where(np.isfinite(highest), highest, 0.0)


def _of_neighbours(rest: Floats) -> tuple[Floats, Floats]:
    """Median of the (up to four) neighbours along rows and columns that are known, and how far they disagree."""
    wide = np.pad(rest, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    four = np.sort(np.stack([wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]]), axis=0)
    known = 4 - np.isnan(four).sum(axis=0)
    last = np.maximum(known - 1, 0)
    low = np.take_along_axis(four, (last // 2)[None], axis=0)[0]
    high = np.take_along_axis(four, ((last + 1) // 2)[None], axis=0)[0]
    widest = np.take_along_axis(four, last[None], axis=0)[0] - four[0]
    spread = np.where(known == 3, widest / 6, (high - low) / 2)
    local = np.where(known == 0, 0.0, (low + high) / 2)
    return local, np.where(known == 0, _UNHELPED, spread)
