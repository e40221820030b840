"""What the coils in the pieces say: which code each kind of piece has, for sets of draughts and of chess pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Codes = Sequence[Sequence[int]]
"""For levels 1 to 4 (white and black men, white and black kings) the codes of such pieces, given out in turn."""

SETS: Mapping[str, Codes] = {
    "draughts": ((0x01,), (0x04,), (0x07,), (0x0A,)),
    "draughts before 2011": ((0x01,), (0x07,), (0x04,), (0x0A,)),
    "chess": ((0x01,), (0x07,), (0x06,), (0x0C,)),
    # Eight pawns are not enough for twelve men.
    "chess mixed": (
        (*[0x01] * 8, 0x02, 0x03, 0x04, 0x02),
        (*[0x07] * 8, 0x08, 0x09, 0x0A, 0x08),
        (0x06, 0x05),
        (0x0C, 0x0B),
    ),
}
"""Sets by their names; a chess set's kings are what its owner takes for them."""


class Pieces:
    """The pieces of one set: what each is, while hands carry it about."""

    def __init__(self, codes: Codes, fields: int) -> None:
        self._codes = codes
        self._taken = [0] * len(codes)
        self.on: list[int] = [0] * fields
        """The codes of what stands on fields 0, 1, ..."""
        self._off: list[list[int]] = [[] for _ in codes]
        """What was taken off and may come back, by level; the newest last."""

    def change(self, field: int, before: int, after: int) -> None:
        """A piece of level `before` goes from `field`, one of level `after` comes; 0 is none."""
        if before == after:
            return
        if before:
            self._off[before - 1].append(self.on[field])
        self.on[field] = self._drawn(after) if after else 0

    def usual(self, level: int) -> int:
        """The code of a piece that is not there, but read."""
        return self._codes[level - 1][0] if level else 0

    def _drawn(self, level: int) -> int:
        off = self._off[level - 1]
        if off:
            return off.pop()
        codes = self._codes[level - 1]
        number = self._taken[level - 1]
        self._taken[level - 1] += 1
        return codes[number % len(codes)]
