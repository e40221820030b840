"""What stands on the squares of a picture, and how sure that is.

A mark is only told where one class is far likelier than the others, else it is `?`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from damas_board.decoding.vision.classes import MARKS, Classes, moved_together
from damas_board.decoding.vision.guessing import FREE, STANDS, guess, guessed_classes
from damas_board.decoding.vision.lighting import Floats, Mask, lit, playing
from damas_board.decoding.vision.likelihoods import OUTSIDE_A_GUESS, likelihoods
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.sampling import DARK, Samples

CERTAIN = 0.95
"""A class that is likelier than that is told."""
_STRANGE = 0.5
"""Where so many of the squares of a dark picture are uncertain, its colours are others than those that were learned."""
PIECE = "o"
"""The mark of a piece of unknown colour."""


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
    """As in Reading; `o` where surely a piece stands, but not of which colour."""
    likelihoods: Floats
    """As in Reading, provided that the two kinds of men are named rightly: see `naming`."""
    confidence: float
    """As in Reading; less where it is not certain which squares are played on, or what is white and what black."""
    naming: float
    """How likely it is that what is called white and black is not the other way round: 0.5 says nothing, 1.0 where
    nothing stands."""
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
    relative = lit(samples, parity, covered)
    found[where] = likelihoods(samples, relative, classes, where)
    asked = where & ~hidden
    if samples.offset < DARK and (found.max(axis=2)[asked] < CERTAIN).mean() > _STRANGE:
        moved = moved_together(classes, relative.features[asked], found[asked])
        if moved is not None:
            found[where] = likelihoods(samples, relative, moved, where)
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
        return ReadAlone(told.rows, found, confidence, 1.0 if nothing else 0.5, None, known.certainty, known.dark)
    where = playing(size, known.parity)
    relative = lit(samples, known.parity)
    guessed = guessed_classes(samples, relative, known.parity, known.off)
    found[where] = likelihoods(samples, relative, guessed.classes, where, OUTSIDE_A_GUESS)
    if (np.count_nonzero(found[..., 1:] > CERTAIN, axis=(0, 1)) > size * (size // 2 - 1)).any():
        found[where & (found[..., 0] < CERTAIN)] = 1 / 3  # more of one kind than any game has of both: not men
    told = _told(found, where, ~samples.seen)
    mixed = guessed.naming * found + (1 - guessed.naming) * found[..., [0, 2, 1]]
    confidence = _confidence(mixed, where & samples.seen) * min(1.0, 2 * known.certainty)
    rows = _with_pieces(told.rows, found, where & samples.seen)
    return ReadAlone(rows, found, confidence, guessed.naming, known.parity, known.certainty, known.dark)


def _with_pieces(rows: str, found: Floats, where: Mask) -> str:
    """The rows with `o` where surely something stands of which it is not certain what."""
    marks = np.array([list(line) for line in rows.split("/")])
    marks[where & (marks == "?") & (found[..., 1:].sum(axis=2) >= CERTAIN)] = PIECE
    return "/".join("".join(line) for line in marks)


def _told(found: Floats, where: Mask, hidden: Mask) -> Reading:
    """Marks where they are certain; what is hidden of the squares of `where` is not known."""
    found[where & hidden] = 1 / len(MARKS)
    height = found.max(axis=2)
    marks = np.where(height >= CERTAIN, np.array(list(MARKS))[found.argmax(axis=2)], "?")
    return Reading("/".join("".join(row) for row in marks), found, _confidence(found, where & ~hidden))


def _confidence(found: Floats, asked: Mask) -> float:
    """How likely the likeliest mark is, on average over the squares that are asked."""
    return float(found.max(axis=2)[asked].mean()) if asked.any() else 0.0
