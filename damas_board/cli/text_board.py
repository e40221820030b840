"""A board drawn with characters, for a terminal."""

from __future__ import annotations

from damas_board.rules.position import Position
from damas_board.rules.side import Side

_PRETTY = {(Side.WHITE, False): "○", (Side.WHITE, True): "◎", (Side.BLACK, False): "●", (Side.BLACK, True): "◉"}
_PLAIN = {(Side.WHITE, False): "w", (Side.WHITE, True): "W", (Side.BLACK, False): "b", (Side.BLACK, True): "B"}


def drawn(position: Position, *, pretty: bool = True, last: tuple[int, ...] = ()) -> list[str]:
    """The board from White's side, a line a row, two characters a square; the squares of `last` stand in brackets."""
    size = position.variant.size
    playable = position.variant.geometry.playable_mask
    signs = _PRETTY if pretty else _PLAIN
    lines = []
    for row in reversed(range(size)):
        cells = []
        for square in range(row * size, (row + 1) * size):
            side = position.side_at(square)
            if side is not None:
                sign = signs[side, bool(position.kings >> square & 1)]
            else:
                sign = ("·" if pretty else ".") if playable >> square & 1 else " "
            cells.append(("[" if square in last else " ") + sign)
        lines.append("".join(cells) + " ")
    return lines
