"""How a board lies in the picture, from a picture of the start position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from damas_board.decoding.vision.classes import labels_of
from damas_board.decoding.vision.profile import Parity, Turn
from damas_board.decoding.vision.reading import ReadAlone, read_alone
from damas_board.decoding.vision.sampling import Samples
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

Refusal = Literal["not_start", "wrong_corner", "wrong_colour", "every_square"]

_UNLIKELY = 0.03
"""A mark that is less likely is not there."""


class OrientationError(ValueError):
    """The picture does not show the start position, or not as it should stand.

    `not_start`: `squares` (row, column as seen in the picture) differ from it. `wrong_corner`: the men stand on dark
    squares, but the corner at each player's playing hand is light: the picture is mirrored, the board is turned by a
    quarter, or the game is one of the other corner. `wrong_colour`: the board lies right, but the men stand on its
    light squares. `every_square`: the game is played on all squares, none of them is never occupied.
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
    is refused as `wrong_corner`.
    """
    wanted = {turn: seen_rows(start, turn) for turn in get_args(Turn)}
    if any(_parity(rows) is None for rows in wanted.values()):
        raise OrientationError("every_square")
    found = read_alone(samples)
    upright = {turn: _contradictions(found, rows) for turn, rows in wanted.items()}
    over = {turn: _contradictions(found, _mirrored(rows)) for turn, rows in wanted.items()}
    turn = min(upright, key=lambda one: len(upright[one]))
    if found.parity is None or min(len(upright[turn]), *map(len, over.values())) > 0:
        raise OrientationError("not_start", upright[turn])
    if upright[turn]:
        raise OrientationError("wrong_corner" if found.dark == found.parity else "wrong_colour")
    return Orientation(found.parity, turn, False, found.confidence)


def _contradictions(found: ReadAlone, rows: str) -> tuple[tuple[int, int], ...]:
    """Squares (row, column) that do not show what stands there by `rows`; all of them that are played on by neither."""
    labels = labels_of(rows, len(found.likelihoods))
    squares = np.argwhere(np.take_along_axis(found.likelihoods, labels[..., None], axis=2)[..., 0] < _UNLIKELY)
    return tuple((int(row), int(column)) for row, column in squares)


def _parity(rows: str) -> Parity | None:
    """On which squares there are men; None: on both kinds."""
    kinds: set[Parity] = {
        0 if (r + c) % 2 == 0 else 1 for r, line in enumerate(rows.split("/")) for c, m in enumerate(line) if m != "."
    }
    return kinds.pop() if len(kinds) == 1 else None


def _mirrored(rows: str) -> str:
    return "/".join(line[::-1] for line in rows.split("/"))
