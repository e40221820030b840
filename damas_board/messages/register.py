"""The register of a meeting: alerts, recurrences and decisions by player, round and game; pure.

A recurrence is the same kind of alert about the same player again, over all games of the meeting. Players are known by
their names; where a side has none, it is a player of that one game. What concerns no side (a board that is lost) is
nobody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from damas_board.messages.course import Body, Course, names
from damas_board.messages.envelope import timestamp
from damas_board.session.inputs import Command

ROUTINE = frozenset({"new_game", "start", "pause", "resume", "hold", "release", "adjust"})
"""Commands that decide nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the meeting something was."""

    round: str | None
    table: str | None
    board: str
    game: str


@dataclass(frozen=True, slots=True)
class RegisteredAlert:
    entry: ClassVar[str] = "alert"
    place: Place
    at: float
    ts: str | None
    """`at` in UTC, where the recording says when it was."""
    id: str
    kind: str
    severity: str
    side: str | None
    """Whose mistake it would be."""
    player: str | None
    """That side's name; None where the game names none."""
    ply: int
    squares: tuple[str, ...]
    article: str | None
    closed: str | None
    """How it was closed; None while it is open."""
    closed_by: str | None
    """The id of the command that closed it; None where the play on the board did."""
    occurrence: int
    """Which one of this kind it is for this player, over the meeting; 0 where it is nobody's or was dismissed."""
    decisions: tuple[str, ...]
    """The ids of the commands that name it or closed it."""


@dataclass(frozen=True, slots=True)
class RegisteredDecision:
    entry: ClassVar[str] = "decision"
    place: Place
    at: float
    ts: str | None
    id: str
    do: str
    by: str | None
    note: str | None
    """The decision in words."""
    outcome: str
    reason: str | None
    """Why it was refused."""
    alert: str | None
    """The alert that it names, or that it closed."""
    arguments: Mapping[str, Any]

    @property
    def counts(self) -> bool:
        """Whether something was decided: not refused, and no mere routine without a word about it."""
        return self.outcome == "done" and (self.do not in ROUTINE or self.note is not None)


Entry = RegisteredAlert | RegisteredDecision


def register(courses: Iterable[Course]) -> list[Entry]:
    """Every alert and decision of these games, in the order of the games and, within one, of time."""
    entries: list[Entry] = []
    for course in courses:
        of_game: list[Entry] = [*_alerts(course), *_decisions(course)]
        entries += sorted(of_game, key=lambda entry: entry.at)
    return list(counted(entries))


def counted(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The same entries, in each alert which one of its kind it is for its player."""
    seen: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        if isinstance(entry, RegisteredAlert) and entry.side is not None and entry.closed != "dismissed":
            player = (entry.place.game, entry.side) if entry.player is None else (entry.player,)
            seen[entry.kind, *player] += 1
            entry = replace(entry, occurrence=seen[entry.kind, *player])
        yield entry


def entry_object(entry: Entry) -> dict[str, Any]:
    """The entry as a flat JSON-ready object."""
    flat: dict[str, Any] = {"entry": entry.entry, **asdict(entry.place)}
    return flat | {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(entry).items() if key != "place"}


def name_of(course: Course, side: str | None) -> str | None:
    """The name of a side's player, None where the game names none."""
    player = (course.header.players or {}).get(side or "")
    name = player.get("name") if isinstance(player, Mapping) else None
    return name if isinstance(name, str) else None


def _place(course: Course) -> Place:
    return Place(course.header.round, course.header.table, course.header.board, course.game)


def _ts(course: Course, at: float) -> str | None:
    return None if course.header.utc is None else timestamp(course.header.utc, at)


def _alerts(course: Course) -> Iterator[RegisteredAlert]:
    commands = course.commands
    for alert in course.alerts:
        closing, closer = course.closing(alert), course.closed_by(alert)
        about = [c.id for c in commands.values() if names(c, alert) or c is closer]
        at = float(alert["at"])
        yield RegisteredAlert(
            _place(course),
            at,
            _ts(course, at),
            str(alert["id"]),
            str(alert["kind"]),
            str(alert["severity"]),
            alert["side"],
            name_of(course, alert["side"]),
            int(alert["ply"]),
            tuple(alert["squares"]),
            alert["article"],
            None if closing is None else str(closing["how"]),
            None if closer is None else closer.id,
            0,
            tuple(about),
        )


def _decisions(course: Course) -> Iterator[RegisteredDecision]:
    commands = course.commands
    closed = {
        command.id: str(alert["id"]) for alert in course.alerts if (command := course.closed_by(alert)) is not None
    }
    for event in course.events:
        if event["event"] != "command" or event["reason"] == "repeated":
            continue
        command = commands.get(event["id"])
        named = None if command is None else _named(course.alerts, command)
        at = float(event["at"])
        yield RegisteredDecision(
            _place(course),
            at,
            _ts(course, at),
            str(event["id"]),
            str(event["do"]),
            event["by"],
            None if command is None else command.note,
            str(event["outcome"]),
            event["reason"],
            named or closed.get(event["id"]),
            {} if command is None else dict(command.arguments),
        )


def _named(alerts: Iterable[Body], command: Command) -> str | None:
    return next((str(alert["id"]) for alert in alerts if names(command, alert)), None)
