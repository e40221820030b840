"""What stands on the squares of a picture, and how sure that is.

A mark is only told where one class is far likelier than the others, else it is `?`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from damas_board.decoding.vision.classes import MARKS, Classes
from damas_board.decoding.vision.guessing import FREE, STANDS, guess, guessed_classes
from damas_board.decoding.vision.lighting import Floats, Mask, lit, playing
from damas_board.decoding.vision.likelihoods import OUTSIDE_A_GUESS, likelihoods
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.sampling import Samples

CERTAIN = 0.95
"""A class that is likelier than that is told."""


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
    """As in Reading; less where it is not certain which squares are played on."""
    parity: Parity | None
    """Which squares are played on; None: nothing stands there, or something on squares of both kinds."""
    parity_confidence: float
    dark: Parity
    """Which squares are the darker ones."""


def read(samples: Samples, classes: Classes, parity: Parity, covered: Mask | None = None) -> Reading:
    """What stands where, by the classes learned here; covered squares and those outside the picture are `?`."""
    where = playing(samples.size, parity)
    hidden = ~samples.seen if covered is None else covered | ~samples.seen
    found = np.zeros((samples.size, samples.size, 3))
    found[..., 0] = 1.0
    found[where] = likelihoods(samples, lit(samples, parity, covered), classes, where)
    return _told(found, where, hidden)


def read_alone(samples: Samples) -> ReadAlone:
    """What stands where as far as one picture alone says it; `samples` best with `sampling.expected_lean`."""
    size = samples.size
    known = guess(samples)
    found = np.zeros((size, size, 3))
    found[..., 0] = 1.0
    if known.parity is None:
        found[known.off >= FREE] = 1 / 3
        told = _told(found, np.ones((size, size), dtype=np.bool_), ~samples.seen)
        nothing = not (known.off > STANDS).any()
        confidence = told.confidence if nothing else 0.0
        return ReadAlone(told.rows, found, confidence, None, known.certainty, known.dark)
    where = playing(size, known.parity)
    relative = lit(samples, known.parity)
    classes = guessed_classes(samples, relative, known.parity, known.off)
    found[where] = likelihoods(samples, relative, classes, where, OUTSIDE_A_GUESS)
    told = _told(found, where, ~samples.seen)
    confidence = told.confidence * min(1.0, 2 * known.certainty)
    return ReadAlone(told.rows, told.likelihoods, confidence, known.parity, known.certainty, known.dark)


def _told(found: Floats, where: Mask, hidden: Mask) -> Reading:
    """Marks where they are certain; what is hidden of the squares of `where` is not known."""
    found[where & hidden] = 1 / len(MARKS)
    height = found.max(axis=2)
    marks = np.where(height >= CERTAIN, np.array(list(MARKS))[found.argmax(axis=2)], "?")
    asked = where & ~hidden
    confidence = float(height[asked].mean()) if asked.any() else 0.0
    return Reading("/".join("".join(row) for row in marks), found, confidence)
