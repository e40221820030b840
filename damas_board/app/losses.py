"""Which links are lost and which are back, as a person wants to be told: several boards lost at once are one alarm.

A pulled USB hub takes many boards away within a moment. So a loss is kept for `WINDOW_SECONDS` before it is told: what
was lost meanwhile is told together, if it is many. What comes back afterwards closes the alarm when all of it is back.
No clock and no log of its own: times are seconds on any scale that does not go back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

WINDOW_SECONDS = 2.0
MANY = 3
"""So many boards are an alarm, or more than half of those that were up."""


@dataclass(frozen=True, slots=True)
class Lost:
    board: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Back:
    board: str


@dataclass(frozen=True, slots=True)
class ManyLost:
    """The alarm: the boards that were lost at once."""

    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllBack:
    """All boards of the alarm are back, which is over."""

    boards: tuple[str, ...]


News = Lost | Back | ManyLost | AllBack


@dataclass(slots=True)
class Alarm:
    since: float
    boards: list[str]
    """Those lost at once, in the order of their loss."""
    missing: set[str]


@dataclass(slots=True)
class _Group:
    """The losses of one moment, not yet told."""

    until: float
    up_before: int
    reasons: dict[str, str | None] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)


class Losses:
    """`lost` and `back` as they happen, `due` at `deadline`; each returns what is to be told now."""

    def __init__(self, boards: int) -> None:
        """`boards`: how many there are; the losses of a single one are told at once."""
        self.alarm: Alarm | None = None
        self._boards = boards
        self._down: set[str] = set()
        self._group: _Group | None = None

    @property
    def deadline(self) -> float | None:
        return None if self._group is None else self._group.until

    def lost(self, board: str, reason: str | None, at: float) -> list[News]:
        """A board that was up is not any more."""
        news = self.due(at)
        up = self._boards - len(self._down)
        self._down.add(board)
        if self._boards == 1:
            return [*news, Lost(board, reason)]
        if self._group is None:
            self._group = _Group(at + WINDOW_SECONDS, up)
        self._group.reasons.setdefault(board, reason)
        self._group.back.discard(board)
        return news

    def back(self, board: str, at: float) -> list[News]:
        """A board that was lost, or away from the start, is up."""
        news = self.due(at)
        self._down.discard(board)
        if self._group is not None and board in self._group.reasons:
            self._group.back.add(board)
            return news
        return [*news, *self._came_back(board)]

    def away(self, board: str) -> None:
        """A board was not there at the start: it counts as down, and is told elsewhere."""
        self._down.add(board)

    def due(self, at: float, *, now: bool = False) -> list[News]:
        """What is to be told by `at`; with `now` also what would wait for company."""
        group = self._group
        if group is None or not (now or at >= group.until):
            return []
        self._group = None
        boards = tuple(group.reasons)
        news: list[News] = []
        if _are_many(boards, group.up_before):
            news.append(ManyLost(boards))
            if self.alarm is None:
                self.alarm = Alarm(group.until - WINDOW_SECONDS, [], set())
            self.alarm.boards += [board for board in boards if board not in self.alarm.boards]
            self.alarm.missing |= set(boards)
        else:
            news += [Lost(board, group.reasons[board]) for board in boards]
        for board in boards:
            news += self._came_back(board) if board in group.back else []
        return news

    def _came_back(self, board: str) -> list[News]:
        alarm = self.alarm
        if alarm is None or board not in alarm.missing:
            return [Back(board)]
        alarm.missing.discard(board)
        if alarm.missing:
            return []
        self.alarm = None
        return [AllBack(tuple(alarm.boards))]


def _are_many(boards: Collection[str], up_before: int) -> bool:
    return len(boards) >= MANY or (len(boards) > 1 and 2 * len(boards) > up_before)
