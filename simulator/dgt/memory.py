"""The log that the simulated board keeps over a loss of its supply: a ring of bytes, without times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from simulator.dgt.clock import Reading

SIZE = 0x1F00
"""All of it, the end mark included."""
SOON_SECONDS = 0.25
_FIELD, _TIME, _SOON, _LEFT = 0x40, 0x60, 0x10, 0x10
_POWER_UP, _END, _FOUR_ROWS, _EMPTY, _DOWNLOADED, _NOP = 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x7F
_OUT = 2
"""A position is marked again once more pieces than these were out of it."""


class LogMemory:
    """What a board with `fields` fields logs. `bits`: how many an entry has for the number of a field.

    Where that is too few the upper ones are lost. A piece that flickers on its field has no more entries than one
    that was lifted once.
    """

    def __init__(self, fields: int = 100, bits: Literal[6, 7] = 7, size: int = SIZE) -> None:
        self.written = 0
        """Bytes that have ever been written."""
        self._side = {64: 8, 100: 10}[fields]
        self._mask = (1 << bits) - 1
        self._ring = bytearray((_NOP,)) * (size - 1)
        self._tagged_at: float | None = None
        self._last: list[tuple[int, int]] = []
        """The newest fields and codes, at most two, behind which nothing else was written."""
        self._marked: int | None = None
        """The position that was marked and has not been left since."""

    def powered_up(self, at: float) -> None:
        self._write(_NOP, _NOP, _NOP, _POWER_UP)
        self._last.clear()
        self._tagged_at, self._marked = at, None

    def changed(self, field: int, code: int, codes: Sequence[int], at: float) -> None:
        """`code` (0 for none) was found on `field`; `codes` is what is known of all fields then."""
        soon = self._tagged_at is not None and at - self._tagged_at < SOON_SECONDS
        self._tagged_at = at
        if soon and len(self._last) == 2 and self._last[0] == (field, code) and self._last[1][0] == field:
            self._take_back(2)
            self._last.pop()
        else:
            self._write(_FIELD | _SOON * soon | code, field & self._mask)
            self._last = [*self._last[-1:], (field, code)]
        self._mark(codes)

    def pressed(self, reading: Reading, at: float) -> None:
        """The tumbler of the clock was found in another position: what is left to who pressed it."""
        seconds = reading.left if reading.right_is_up else reading.right
        hours, rest = divmod(seconds, 3600)
        minutes, ones = divmod(rest, 60)
        self._write(_TIME | _LEFT * reading.right_is_up | hours, _decimal(minutes), _decimal(ones))
        self._last.clear()
        self._tagged_at = at

    def downloaded(self, at: float) -> None:
        """It was sent to the host."""
        self._one(_DOWNLOADED)

    def read(self) -> bytes:
        """All of it, oldest first; where it is full it begins anywhere."""
        return bytes(self._ring) + bytes((_END,))

    def _mark(self, codes: Sequence[int]) -> None:
        """A tag where a position stands that has one: once, until it was left."""
        if self._marked is None or self._out_of(self._marked, codes) > _OUT:
            self._marked = next((tag for tag in (_EMPTY, _FOUR_ROWS) if not self._out_of(tag, codes)), None)
            if self._marked is not None:
                self._one(self._marked)

    def _out_of(self, tag: int, codes: Sequence[int]) -> int:
        """How many pieces are not as in the position: none at all, or all rows full but the two in the middle."""
        side = self._side
        rows = [sum(code != 0 for code in codes[start : start + side]) for start in range(0, len(codes), side)]
        middle = (side // 2 - 1, side // 2)
        full = 0 if tag == _EMPTY else side // 2
        return sum(abs(count - (0 if row in middle else full)) for row, count in enumerate(rows))

    def _one(self, tag: int) -> None:
        self._write(tag)
        self._last.clear()

    def _write(self, *data: int) -> None:
        self._ring += bytes(data)
        del self._ring[: len(data)]
        self.written += len(data)

    def _take_back(self, count: int) -> None:
        """The newest bytes will be written over: what they had written over does not come back."""
        del self._ring[-count:]
        self._ring[:0] = bytes((_NOP,)) * count
        self.written -= count


def _decimal(number: int) -> int:
    return number // 10 << 4 | number % 10
