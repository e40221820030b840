"""Which board is believed, of what comes over a line without a checksum.

A changed byte in a dump is another piece on a field, and nothing in the message tells. But everything that happens on a
board is said twice: by the message that a field has changed, and by the dump that is asked for then. So each field of a
dump needs another witness: what was believed before, with the changes that were told since; or earlier dumps that have
been saying the same for a while. The ordinary move is believed with its first dump. What only dumps say - a message was
lost or garbled, or changes were not told - has to last: a garbled dump is contradicted by the next one, and a board
that has just been switched on finds its pieces one after another, in a scan or two, and says of the others that they
are not there.

What was told in between is believed together with the dump that it leads to, if no dump contradicted it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_STEPS = 100
"""More changes than this before a dump are a contact that is never still: only their end is told."""
FEW = 4
"""What only dumps say of so many fields may be messages that were lost; of more, a board that starts."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long it has to be what only dumps say, seconds."""

    heard: float = 0.25
    """Where the board is known to have told of something, and not of what."""
    few: float = 0.5
    many: float = 2.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What stood on each field at `at`."""

    at: float
    codes: tuple[int, ...]


class Belief:
    """The fields of one board, or of half of it, in the order of its dumps."""

    def __init__(self, patience: Patience | None = None) -> None:
        self.codes: tuple[int, ...] | None = None
        """What is believed."""
        self._patience = patience or Patience()
        self.holed = False
        """Whether what led to it may not be all: the board may have been switched on meanwhile."""
        self._steps: list[tuple[float, int, int]] = []
        """The changes that were told since: when, which field, what stands there."""
        self._told: list[int | None] = []
        """What they make of what is believed; None for a field of which nothing is known but by dumps."""
        self._dumped: list[tuple[int, float]] = []
        """What dumps that were not believed say of each field, and since when."""
        self._crowded = False
        """Whether not all of the changes were kept."""
        self._heard = False
        self._contradicted = False
        """Whether a dump said what the changes that were told never made."""
        self._started = False
        """Whether one was as of a board that starts."""
        self._starts_until = float("-inf")
        """How long the board may be one that has just been switched on."""

    def changed(self, at: float, field: int, code: int) -> None:
        """The board says that this is on `field` now."""
        if len(self._steps) < MOST_STEPS:
            self._steps.append((at, field, code))
        else:
            self._crowded = True
        if field < len(self._told):
            self._told[field] = code

    def hear(self) -> None:
        """The board has said something that did not come whole, or not on which field it was."""
        self._heard = True

    def dumped(self, at: float, codes: tuple[int, ...]) -> list[Reading] | None:
        """What is believed with this dump: the boards that led to it, itself last; None where that is nothing yet.

        Nothing is led to where the board is as it was, and nothing happened on it.
        """
        since = self._since(at, codes)
        self._told = self._told or [None] * len(codes)
        alone = [at - when for code, told, when in zip(codes, self._told, since, strict=True) if told != code]
        if alone and min(alone) < self._wait(at, len(alone)):
            self._dumped = list(zip(codes, since, strict=True))
            self._contradicted = self._contradicted or not self._stood(codes)
            self._started = self._started or self._starts(codes, len(alone))
            return None
        if alone or self._crowded or self.codes is None:
            readings = [] if codes == self.codes else [Reading(at, codes)]
        else:
            readings = list(_led_to(self.codes, self._steps))
            if self._contradicted:
                # What was told may not be all: only the end is sure.
                readings = readings[-1:] if codes != self.codes else []
        self.codes, self._told, self._dumped, self._steps = codes, list(codes), [], []
        self.holed, self._started = self._started, False
        self._crowded = self._heard = self._contradicted = False
        return readings

    def _stood(self, codes: tuple[int, ...]) -> bool:
        """Whether the changes that were told have led by such a board."""
        if self.codes is None:
            return False
        return codes == self.codes or any(reading.codes == codes for reading in _led_to(self.codes, self._steps))

    def _starts(self, codes: Sequence[int], alone: int) -> bool:
        """Whether so much that nobody told is other as where a board has not found its pieces yet."""
        others = (code for code, told in zip(codes, self._told, strict=True) if code != told)
        return self.codes is not None and alone > FEW and not any(others)

    def _since(self, at: float, codes: Sequence[int]) -> list[float]:
        """Since when dumps have been saying of each field what this one says."""
        if not self._dumped:
            return [at] * len(codes)
        return [when if was == code else at for code, (was, when) in zip(codes, self._dumped, strict=True)]

    def _wait(self, at: float, fields: int) -> float:
        """How long dumps have to say by themselves what is on so many fields."""
        if self.codes is None:
            return self._patience.few
        if fields > FEW:
            self._starts_until = at + self._patience.many
        if at < self._starts_until:
            return self._patience.many
        return self._patience.heard if self._heard else self._patience.few


def _led_to(before: Sequence[int], steps: Sequence[tuple[float, int, int]]) -> Iterator[Reading]:
    """The boards that `steps` make of the one before, each other than the last."""
    board = list(before)
    for when, field, code in steps:
        if field < len(board) and board[field] != code:
            board[field] = code
            yield Reading(when, tuple(board))
