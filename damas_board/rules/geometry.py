"""Where squares lie and what they are called.

A square is an int: `row * size + col`, the row counted from White's side, the column from White's left. Light squares
have numbers too, so a board that senses them needs no second scheme; a set of squares is an int with those bits set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Corner = Literal["left", "right", "all"]
Numbering = Literal["algebraic", "top-left", "bottom-right"]
LETTERS = "abcdefghijkl"


def squares_of(mask: int) -> Iterator[int]:
    """The squares of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Geometry:
    """`corner` is the playable one of each player's two corners; `all` is a board played on every square.

    `numbering` is how squares are written: letters and digits from White's left, or numbers from the top-left
    playable square row by row, or from White's bottom-right corner, right to left, upwards.
    """

    size: int
    corner: Corner
    numbering: Numbering

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """Playable squares in ascending order."""
        if self.corner == "all":
            return tuple(range(self.size**2))
        parity = 0 if self.corner == "left" else 1
        return tuple(s for s in range(self.size**2) if (s // self.size + s % self.size) % 2 == parity)

    @cached_property
    def playable_mask(self) -> int:
        return sum(1 << s for s in self.playable)

    @cached_property
    def from_top(self) -> tuple[int, ...]:
        """Playable squares from Black's left-hand row end as White sees it: top row first, left to right."""
        return tuple(sorted(self.playable, key=lambda s: (-(s // self.size), s % self.size)))

    @cached_property
    def _numbered(self) -> tuple[int, ...]:
        if self.numbering == "bottom-right":
            return tuple(sorted(self.playable, key=lambda s: (s // self.size, -(s % self.size))))
        return self.from_top

    @cached_property
    def _names(self) -> dict[int, str]:
        if self.numbering == "algebraic":
            return {s: self.algebraic(s) for s in range(self.size**2)}
        names = {s: self.algebraic(s) for s in range(self.size**2)}
        return names | {s: str(n) for n, s in enumerate(self._numbered, 1)}

    @cached_property
    def _squares(self) -> dict[str, int]:
        return {self.algebraic(s): s for s in self.playable} | {str(n): s for n, s in enumerate(self._numbered, 1)}

    def algebraic(self, square: int) -> str:
        """Letter and digit from White's left, whatever the numbering."""
        return f"{LETTERS[square % self.size]}{square // self.size + 1}"

    def name(self, square: int) -> str:
        """The square as the variant writes it; a light square, which has no number, by letter and digit."""
        return self._names[square]

    def names(self, squares: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self._names[s] for s in squares)

    def square(self, name: str) -> int:
        """The playable square called `name`, by number (leading zeros allowed) or by letter and digit.

        KeyError where there is no such square. Numbers of the algebraic boards run from the top-left square.
        """
        found = self._squares.get(name)
        if found is None:
            return self._squares[name.lower().lstrip("0")]
        return found
