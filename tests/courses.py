"""Courses of games for tests about alerts: a table of time | hand, and alerts put in where the test wants them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from board_tables import TableBoard

from damas_board.messages.course import Course
from damas_board.messages.encoding import event_object
from damas_board.regulations.policy import AlertKind
from damas_board.session.events import AlertClosed, AlertRaised
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, Tick
from damas_board.sinks.journal import Journal

TOUCHED = """
    0    | lift c3
    2400 | put c3
    3000 | lift e3
    3400 | put d4
"""
"""c3 is touched, e3 moves."""
QUIET_SECONDS = 10.0


def played(table: str, header: Header) -> Course:
    """The game of a table, which begins after one second of the start position; without its alerts.

    Beside the happenings of `board_tables`: `link lost`, and `do NAME BY words...`, a command with its note.
    """
    board = TableBoard(header)
    inputs: list[Input] = [board.see(0.0)]
    end = 0
    for line in filter(str.strip, table.strip().splitlines()):
        time, happenings = (cell.strip() for cell in line.split("|"))
        end = int(time)
        at = 1 + end / 1000
        for happening in filter(None, map(str.strip, happenings.split(","))):
            if happening == "link lost":
                inputs.append(Link(at, "lost", "port_lost"))
            elif happening.startswith("do "):
                _, do, by, *note = happening.split()
                inputs.append(Command(at, do, f"d{len(inputs)}", {}, by, " ".join(note) or None))
            else:
                inputs += board.happen(at, happening)
    inputs.append(Tick(1 + end / 1000 + QUIET_SECONDS))
    events = [event_object(event) for item in inputs for event in board.session.feed(item)]
    return Course(header, inputs, [e for e in events if e["event"] not in ("alert", "alert_closed")])


def alert(course: Course, number: int, at: float, kind: AlertKind, **fields: Any) -> dict[str, Any]:
    """The object of an alert of that game."""
    own: dict[str, Any] = {
        "severity": "irregular",
        "side": "white",
        "squares": (),
        "ply": 1,
        "article": "5.1",
        "also": (),
        "legal": (),
        "evidence": {"from": at, "to": at, "trail": []},
        **fields,
    }
    return event_object(AlertRaised(at, f"{course.game}-a{number}", kind, **own))


def closed(course: Course, number: int, at: float, how: Any) -> dict[str, Any]:
    return event_object(AlertClosed(at, f"{course.game}-a{number}", how))


def having(course: Course, *events: dict[str, Any]) -> Course:
    """The course with these events at their times, behind the others of the same time."""
    return replace(course, events=sorted([*course.events, *events], key=lambda event: event["at"]))


def answered(course: Course, command: Command, outcome: Any = "done", reason: str | None = None) -> Course:
    """The course with a command and its answer."""
    answer = {"event": "command", "at": command.at, "id": command.id, "do": command.do}
    told = having(course, {**answer, "outcome": outcome, "reason": reason, "by": command.by})
    return replace(told, inputs=sorted([*course.inputs, command], key=lambda item: item.at))


def journalled(path: Path, *courses: Course) -> Path:
    """A journal with these games, as a gateway would have left it."""
    with Journal.open(path) as journal:
        for course in courses:
            board, game = course.header.board, course.game
            journal.begin_game(replace(course.header, game=game), course.inputs[0].at)
            numbers, _ = journal.append(board, game, course.inputs)
            journal.fed(board, game, numbers[-1], course.events)
    return path
