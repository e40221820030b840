"""A picture of a board for a terminal, square by square: what is asked, what the board sees, and what is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Literal, TextIO

from damas_board.rules.geometry import Geometry

Mark = Literal["good", "bad", "skipped", "again"]
"""What is known of a square; nothing where it was not tried."""

_PLAIN: Mapping[str, str] = {"good": "+", "bad": "x", "skipped": "-", "again": "?", "seen": "o", "": " "}
_PRETTY: Mapping[str, str] = {"good": "✓", "bad": "✗", "skipped": "-", "again": "?", "seen": "●", "": " "}
_COLOURS: Mapping[str, str] = {"good": "32", "bad": "1;31", "skipped": "2", "again": "33", "seen": "1;36", "": "0"}
_ASKED = "1;30;43"


def picture(
    geometry: Geometry,
    *,
    sensed: frozenset[int],
    asked: frozenset[int] = frozenset(),
    seen: frozenset[int] = frozenset(),
    marks: Mapping[int, Mark] | None = None,
    pretty: bool = True,
    colour: bool = False,
) -> list[str]:
    """The board from White's side, a line a row, five characters a square.

    Squares are those of `geometry`. A `sensed` one has its name and a sign; one that is `asked` stands in brackets.
    """
    signs = _PRETTY if pretty else _PLAIN
    known = marks or {}
    lines = []
    for row in reversed(range(geometry.size)):
        cells = []
        for square in range(row * geometry.size, (row + 1) * geometry.size):
            if square not in sensed:
                cells.append(" " * 5)
                continue
            state = "seen" if square in seen else known.get(square, "")
            left, right = ("[", "]") if square in asked else (" ", " ")
            text = f"{left}{geometry.name(square):>2}{signs[state]}{right}"
            cells.append(f"\x1b[{_ASKED if square in asked else _COLOURS[state]}m{text}\x1b[0m" if colour else text)
        lines.append("".join(cells))
    rule = "-" * 5 * geometry.size
    edge = [rule.replace("-", "─") if pretty else rule]
    return edge + lines + edge


def can_show(stream: TextIO) -> tuple[bool, bool]:
    """Whether signs beyond ASCII, and whether colours and a picture that changes in its place can be shown there."""
    pretty = (stream.encoding or "").lower().replace("-", "") == "utf8"
    moves = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
    return pretty, moves


def start_again() -> None:
    """Clear the terminal at stderr, so that the next picture takes the place of this one."""
    sys.stderr.write("\x1b[H\x1b[2J")
