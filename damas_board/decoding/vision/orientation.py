"""How a board lies in the picture, from a picture of the start position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from damas_board.decoding.vision.classes import labels_of, learn
from damas_board.decoding.vision.lighting import Floats, Mask
from damas_board.decoding.vision.profile import Parity, Turn
from damas_board.decoding.vision.reading import read, read_alone
from damas_board.decoding.vision.sampling import Samples
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

Refusal = Literal["not_start", "wrong_corner", "wrong_colour", "every_square"]

_UNLIKELY = 0.03
"""A mark that is less likely is not there."""
_DOUBTED = 0.15
"""More squares of a picture that is read alone, as a share, do not contradict the start position by mistake."""


class OrientationError(ValueError):
    """The picture does not show the start position, or not as it should stand.

    `not_start`: `squares` (row, column as seen in the picture) differ from it, or are outside the picture.
    `wrong_corner`: the men stand on dark squares, but the corner at each player's playing hand is light: the picture is
    mirrored, the board is turned by a quarter, or the game is one of the other corner. `wrong_colour`: the board lies
    right, but the men stand on its light squares. `every_square`: the game is played on all squares, none of them is
    never occupied.
    """

    def __init__(self, key: Refusal, squares: tuple[tuple[int, int], ...] = ()) -> None:
        super().__init__(f"{key}: {squares}" if squares else key)
        self.key: Refusal = key
        self.squares = squares


@dataclass(frozen=True, slots=True)
class Orientation:
    """How the board lies; a mirrored picture is turned over before anything is read from it."""

    parity: Parity
    turn: Turn
    mirrored: bool
    confidence: float
    naming: float = 1.0
    """How likely it is that the board does not lie the other way round; see ReadAlone.naming."""


def start_rows(variant: Variant) -> str:
    """The start position as White sees it, Black's side first."""
    white, black = variant.men_at_start(Side.WHITE), variant.men_at_start(Side.BLACK)
    size = variant.size
    marks = ["w" if white >> s & 1 else "b" if black >> s & 1 else "." for s in range(size * size)]
    return "/".join("".join(marks[row * size : (row + 1) * size]) for row in reversed(range(size)))


def turned(rows: str, turn: int) -> str:
    """The rows turned clockwise by a multiple of 90."""
    lines = rows.split("/")
    for _ in range(turn // 90 % 4):
        lines = ["".join(line) for line in zip(*reversed(lines), strict=True)]
    return "/".join(lines)


def seen_rows(rows: str, turn: Turn) -> str:
    """Rows of White's view as they are seen in a picture that has to be turned by `turn` to give it."""
    return turned(rows, 360 - turn)


def orient(samples: Samples, start: str) -> Orientation:
    """How the board lies in a picture of `start` (rows in White's view). OrientationError where that is not there.

    Whether a picture is mirrored does not show in it: `mirrored` is always False here, a picture that may be mirrored
    is refused as `wrong_corner`. InseparableError where the classes cannot be told apart.
    """
    if not samples.seen.all():
        raise OrientationError("not_start", _squares(~samples.seen))
    places = [(turn, mirrored) for mirrored in (False, True) for turn in get_args(Turn)]
    wanted = {place: _as_it_lies(start, *place) for place in places}
    alone = read_alone(samples)
    off = {place: _contradictions(alone.likelihoods, rows) for place, rows in wanted.items()}
    turn, mirrored = nearest = min(places, key=lambda place: len(off[place]))
    rows = wanted[nearest]
    parity = _parity(rows)
    if len(off[nearest]) > _DOUBTED * samples.size**2:
        raise OrientationError("not_start", off[nearest])
    reading = read(samples, learn(samples, parity, rows), parity)
    contradictions = _contradictions(reading.likelihoods, rows)
    if contradictions:
        raise OrientationError("not_start", contradictions)
    if mirrored:
        raise OrientationError("wrong_corner" if alone.dark == parity else "wrong_colour")
    return Orientation(parity, turn, False, reading.confidence, alone.naming)


def _as_it_lies(rows: str, turn: Turn, mirrored: bool) -> str:
    """Rows of White's view as seen in a picture that has to be turned by `turn`, and turned over first."""
    seen = seen_rows(rows, turn)
    return "/".join(line[::-1] for line in seen.split("/")) if mirrored else seen


def _contradictions(likelihoods: Floats, rows: str) -> tuple[tuple[int, int], ...]:
    """Squares (row, column) that do not show what stands there by `rows`."""
    labels = labels_of(rows, len(likelihoods))
    return _squares(np.take_along_axis(likelihoods, labels[..., None], axis=2)[..., 0] < _UNLIKELY)


def _squares(mask: Mask) -> tuple[tuple[int, int], ...]:
    return tuple((int(row), int(column)) for row, column in np.argwhere(mask))


def _parity(rows: str) -> Parity:
    """On which squares men stand. OrientationError where they stand on both kinds."""
    lines = enumerate(rows.split("/"))
    kinds: set[Parity] = {0 if (r + c) % 2 == 0 else 1 for r, line in lines for c, m in enumerate(line) if m != "."}
    if len(kinds) != 1:
        raise OrientationError("every_square")
    return kinds.pop()
