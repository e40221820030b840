"""How often a piece was put on each square, what the board made of it, and when enough is known of a square.

Nothing is said against a square before it has happened three times there: hands brush other squares, put a piece
beside, lift it early; and that a piece was long in coming, which is the hand's doing mostly, three times in a row. So a
square is sound when the first try was, or two in a row were; it is at fault when the same thing went wrong three times.
What has happened to other squares of the same wire speaks for it: where two squares of a line were found at fault in
one way, the third is believed at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Literal

from calibration.wiring import Wire, Wiring

TIMES = 3
"""So often the same must go wrong before it is believed,"""
SUPPORT = 2
"""or once, where so many squares of the same wire are believed to be at fault in the same way."""
SOUND_AGAIN = 2
"""So many good tries in a row settle it after one that was not."""
MOST_TRIES = 9
"""After so many without a clear answer a square is left undecided."""

Trouble = Literal["unseen", "weak", "elsewhere", "together"]
State = Literal["open", "good", "dead", "stuck", "weak", "elsewhere", "together", "undecided", "skipped"]


@dataclass(frozen=True, slots=True)
class Try:
    """A piece was put on `asked`, and seen on `seen` (None: nowhere). Times in seconds."""

    asked: int
    seen: int | None
    waited: float | None = None
    """From the question until it was seen."""
    stood: float = 0.0
    """From when it was seen until it was lifted."""
    dropouts: tuple[float, ...] = ()
    """How long each time nothing was read while it stood."""
    late: float | None = None
    """From when the person said that it stands there until it was seen."""
    slow: bool = False
    """It took far longer than on the other squares."""
    restless: bool = False
    """The board said that the sensor is not still."""
    early: bool = False
    """It did not stand long enough to tell anything."""
    together: frozenset[int] = frozenset()
    """Places that came and went with it."""

    @property
    def weak(self) -> bool:
        return bool(self.dropouts or self.late is not None or self.slow or self.restless)

    @property
    def only_slow(self) -> bool:
        """Its piece was long in coming, and all else was well."""
        elsewhere = self.seen != self.asked or bool(self.together)
        return self.slow and not (elsewhere or self.dropouts or self.late is not None or self.restless)

    def troubles(self) -> Iterator[tuple[Trouble, int]]:
        """What went wrong, each with the other place that has to do with it, or 0."""
        if self.seen is None:
            yield "unseen", 0
        elif self.seen != self.asked:
            yield "elsewhere", self.seen
        elif self.weak:
            yield "weak", 0
        for other in sorted(self.together):
            yield "together", other


@dataclass(frozen=True, slots=True)
class Verdict:
    state: State
    other: int = 0
    """The place that is seen instead or as well, where that is what is wrong."""


class Tries:
    """All tries of a board by place, and what follows from them."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._tries: dict[int, list[Try]] = {}
        self._skipped: set[int] = set()
        self._stuck: set[int] = set()
        self._support: Counter[Hashable] = Counter()
        self._decided: dict[int, Verdict] = {}

    def of(self, place: int) -> list[Try]:
        return self._tries.get(place, [])

    def add(self, tried: Try) -> None:
        self._tries.setdefault(tried.asked, []).append(tried)
        self._skipped.discard(tried.asked)
        self._judge(tried.asked)

    def forget(self, place: int) -> None:
        """As if nothing had been tried there."""
        self._tries.pop(place, None)
        self._skipped.discard(place)
        self._stuck.discard(place)
        verdict = self._decided.pop(place, None)
        if verdict is not None:
            self._support.subtract(self._traits(place, verdict))

    def skip(self, place: int) -> None:
        self._skipped.add(place)

    def stick(self, place: int) -> None:
        """A piece is read there all the time, though the person says that none is there."""
        self.forget(place)
        self._stuck.add(place)

    def verdict(self, place: int) -> Verdict:
        if place in self._stuck:
            return Verdict("stuck")
        if place in self._decided:
            return self._decided[place]
        if place in self._skipped:
            return Verdict("skipped")
        return Verdict("undecided" if len(self.of(place)) >= MOST_TRIES else "open")

    def settled(self, place: int) -> bool:
        """Whether there is nothing more to ask about this place."""
        return self.verdict(place).state != "open"

    def _judge(self, place: int) -> None:
        if place in self._decided:
            return
        told = [tried for tried in self.of(place) if not tried.early]
        verdict = self._good(told) or self._faulty(place, told)
        if verdict is not None:
            self._decided[place] = verdict
            self._support.update(self._traits(place, verdict))

    @staticmethod
    def _good(told: list[Try]) -> Verdict | None:
        wanted = 1 if len(told) == 1 else SOUND_AGAIN
        last = told[-wanted:]
        sound = len(last) == wanted and not any(True for tried in last for _ in tried.troubles())
        return Verdict("good") if sound else None

    def _faulty(self, place: int, told: list[Try]) -> Verdict | None:
        counts: Counter[tuple[Trouble, int]] = Counter(
            trouble for tried in _counting(told) for trouble in tried.troubles()
        )
        if any(tried.seen == place for tried in self.of(place)):
            # Where a piece was ever read, one that is not is a weakness.
            counts["weak", 0] += counts.pop(("unseen", 0), 0)
        for (trouble, other), times in counts.most_common():
            verdict = Verdict("dead" if trouble == "unseen" else trouble, other)
            if times >= TIMES or any(self._support[trait] >= SUPPORT for trait in self._traits(place, verdict)):
                return verdict
        return None

    def _may_be_broken(self, wire: Wire, place: int) -> bool:
        """Whether `place` hangs on `wire`, and none is known to be read that does."""
        return place in wire.places and not any(self.verdict(p).state == "good" for p in wire.places)

    def _traits(self, place: int, verdict: Verdict) -> list[Hashable]:
        """What other squares of the same wire would have in common with it if that wire is the cause."""
        state, other = verdict.state, verdict.other
        if state == "dead":
            return [("dead", wire.kind, wire.number) for wire in self._wiring.wires if self._may_be_broken(wire, place)]
        if state not in ("elsewhere", "together"):
            return []
        (line, column), (other_line, other_column) = self._wiring.cell(place), self._wiring.cell(other)
        traits: list[Hashable] = []
        if column == other_column:
            traits.append((state, "line", frozenset((line, other_line))))
        if line == other_line:
            traits.append((state, "column", frozenset((column, other_column))))
        if state == "elsewhere":
            last_line, last_column = self._wiring.rows - 1, self._wiring.columns - 1
            reversed_lines, reversed_columns = line + other_line == last_line, column + other_column == last_column
            if reversed_lines and (reversed_columns or column == other_column):
                traits.append((state, "reversed", reversed_columns))
            if reversed_columns and line == other_line:
                traits.append((state, "reversed columns"))
            size = self._wiring.square_map.size
            here, there = (divmod(self._wiring.square_map.square(p), size) for p in (place, other))
            traits += [(state, "turned", name) for name, turned in turns(here, size).items() if turned == there]
        return traits


def _counting(told: list[Try]) -> Iterator[Try]:
    """The tries that speak for or against the square: one that was only slow does as long as all since were."""
    for index, tried in enumerate(told):
        if not tried.only_slow or all(later.only_slow for later in told[index:]):
            yield tried


def turns(cell: tuple[int, int], size: int) -> dict[str, tuple[int, int]]:
    """Where a row and column come to lie when the board is turned or mirrored, by how."""
    row, column, last = *cell, size - 1
    return {
        "90": (column, last - row),
        "180": (last - row, last - column),
        "270": (last - column, row),
        "falling": (last - column, last - row),
        "rising": (column, row),
        "left-right": (row, last - column),
        "top-bottom": (last - row, column),
    }
