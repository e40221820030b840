"""How a board lies in the picture, from a picture of the start position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.vision.profile import Parity, Turn
from damas_board.decoding.vision.sampling import Samples
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

Refusal = Literal["not_start", "wrong_corner", "wrong_colour"]


class OrientationError(ValueError):
    """The picture does not show the start position, or not as it should stand.

    `not_start`: `squares` (row, column as seen in the picture) differ from it. `wrong_corner`: the men stand on dark
    squares, but the corner at each player's playing hand is light: the picture is mirrored, the board is turned by a
    quarter, or the game is one of the other corner. `wrong_colour`: the board lies right, but the men stand on its
    light squares.
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
    """How the board lies in a picture of `start` (rows in White's view). OrientationError where that is not there."""
    raise OrientationError("not_start")
