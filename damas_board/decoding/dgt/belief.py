"""Which board is believed, of what comes over a line without a checksum.

A changed byte in a dump is another piece on a field, and nothing in the message tells. But everything that happens on a
board is said twice: by the message that a field has changed, and by the dump that is asked for then. So a dump is
believed where each of its fields is as one of two other witnesses has it: what was believed, with the changes that
were told since; or the dump before this one, with the changes that were told since that. The ordinary move is believed
with its first dump. A lost message, a garbled one, or a change that was never told needs a second dump that says the
same, and a garbled dump is contradicted by the next one. What was told in between is only believed together with the
dump that it leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_STEPS = 100
"""More changes than this in one turn of the conversation are a contact that is never still: only their end is told."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What stood on each field at `at`."""

    at: float
    codes: tuple[int, ...]


class Belief:
    """The fields of one board, or of half of it, in the order of its dumps."""

    def __init__(self) -> None:
        self.codes: tuple[int, ...] | None = None
        """What is believed."""
        self.unbacked = 0
        """How many times a board was believed of which not all changes had been told."""
        self.open = True
        """Whether the last dump was not believed: another is wanted at once."""
        self._steps: list[tuple[float, int, int]] = []
        """The changes that were told since: when, which field, what stands there."""
        self._told: list[int] | None = None
        """What they make of what is believed."""
        self._dumped: list[int] | None = None
        """What those since the last dump make of it, where it was not believed."""

    @property
    def changing(self) -> bool:
        """Whether changes were told that no dump has confirmed."""
        return bool(self._steps)

    def changed(self, at: float, field: int, code: int) -> None:
        """The board says that this is on `field` now."""
        for story in (self._told, self._dumped):
            if story is not None and field < len(story):
                story[field] = code
        self._steps.append((at, field, code))

    def dumped(self, at: float, codes: tuple[int, ...]) -> list[Reading] | None:
        """What is believed with this dump: the boards that led to it, itself last; None where that is nothing yet.

        Nothing is led to where the board is as it was, and nothing happened on it.
        """
        told, dumped = self._told, self._dumped
        backed = [told is not None and told[field] == code for field, code in enumerate(codes)]
        again = [dumped is not None and dumped[field] == code for field, code in enumerate(codes)]
        self.open = not all(one or other for one, other in zip(backed, again, strict=True))
        if self.open:
            self._dumped = list(codes)
            return None
        before, steps = self.codes, self._steps
        readings = []
        if not all(backed):
            self.unbacked += before is not None
            if before != codes:
                readings.append(Reading(at, codes))
        elif before is not None:
            readings = _led_to(before, steps, codes, at)
        self.codes, self._told, self._dumped, self._steps = codes, list(codes), None, []
        return readings


def _led_to(
    before: Sequence[int], steps: Sequence[tuple[float, int, int]], codes: tuple[int, ...], at: float
) -> list[Reading]:
    """The boards that `steps` make of the one `before`; they end with `codes`, which is known of the dump at `at`."""
    readings: list[Reading] = []
    board = list(before)
    for when, field, code in steps:
        if field < len(board) and board[field] != code:
            board[field] = code
            readings.append(Reading(when, tuple(board)))
    if len(readings) > MOST_STEPS:
        return [Reading(at, codes)] if codes != tuple(before) else []
    return readings
