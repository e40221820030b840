"""An alert's evidence as a page replays it: what the sensors said in White's view, with its times, and the account.

It comes from the gateway, which has the journal. All times are seconds on the recording's scale, as the alert's `at`.
What stood on the board is what the recording itself comes to when it is replayed: the record may be another by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from damas_board import regulations as shelf
from damas_board.messages.account import AccountLine
from damas_board.messages.account_text import account_text
from damas_board.messages.course import Course
from damas_board.messages.encoding import event_object
from damas_board.messages.recording import read_header, read_inputs
from damas_board.notation.fen import write_fen
from damas_board.regulations import Regulation
from damas_board.rules.geometry import Geometry
from damas_board.rules.position import initial
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, See
from damas_board.session.session import Session
from damas_board.tracking.sight import SightReader


def shown_evidence(
    account: Sequence[Mapping[str, Any]], recording: str, language: str, regulations: Callable[[str], Regulation]
) -> dict[str, Any]:
    """`{alert, head, lines, ending, frames, board, positions, recording}`.

    `positions` are what the record said, `{at, fen}`, from where the recording begins up to the turn of the alert.

    ValueError or KeyError where what came cannot be used, or its regulation is not known.
    """
    lines = iter(recording.splitlines())
    header = read_header(lines)
    inputs = list(read_inputs(lines))
    regulation = _regulation(header, regulations)
    variant = regulation.variant
    told = [AccountLine(line["key"], line["at"], _values(line)) for line in account]
    text = account_text(told, language)
    alert = {key: value for key, value in told[0].values.items() if key not in ("board", "utc")}
    geometry = variant.geometry
    return {
        "alert": {**alert, "at": told[0].at},
        "head": text.head,
        "lines": [
            {"at": line.at, "key": line.key, "text": said}
            for line, (_, said) in zip(told[1:-1], text.story, strict=True)
        ],
        "ending": text.ending,
        "frames": list(frames(header, inputs, _done(told), geometry)),
        "board": {"size": geometry.size, "corner": geometry.corner, "numbering": geometry.numbering},
        "positions": positions(header, inputs, regulation, str(alert["kind"]), told[0].at),
        "recording": recording,
    }


def positions(
    header: Header, inputs: Sequence[Input], regulation: Regulation, kind: str, at: float
) -> list[dict[str, Any]]:
    """What the record said before the turn of the alert of that kind that was raised then, and since when."""
    session = Session(header, regulation)
    course = Course(header, list(inputs), [event_object(event) for item in inputs for event in session.feed(item)])
    alert = min(
        (alert for alert in course.alerts if alert["kind"] == kind), key=lambda one: abs(one["at"] - at), default=None
    )
    stood = [] if alert is None else course.stood_before(alert)[: max(1, int(alert["ply"]))]
    start = header.start or write_fen(initial(regulation.variant))
    return [{"at": one.since, "fen": one.fen} for one in stood] or [{"at": at, "fen": start}]


def frames(
    header: Header, inputs: Sequence[Input], done: frozenset[str], geometry: Geometry
) -> Iterator[dict[str, Any]]:
    """The readings in White's view, each time that something in them is another: `{at, see}`.

    `done` are the ids of the commands that were done: one of them may have said how the board lies.
    """
    turn: int = header.turn
    before = None
    for item in inputs:
        if isinstance(item, Command) and item.id in done and item.do in ("orient", "move_to"):
            turn = int(item.arguments.get("turn", 0))
        if isinstance(item, See):
            see = in_whites_view(item.rows, geometry, turn)
            if see != before:
                before = see
                yield {"at": item.at if item.was is None else item.was, "see": see}


def in_whites_view(rows: str, geometry: Geometry, turn: int) -> str:
    """The rows of a board that lies turned, as White sees them."""
    if turn == 0:
        return rows
    reader, size = SightReader(geometry, turn), geometry.size
    marks = [""] * size * size
    for index, mark in enumerate(rows.replace("/", "")):
        row, column = divmod(reader.square_at(index), size)
        marks[(size - 1 - row) * size + column] = mark
    return "/".join("".join(marks[start : start + size]) for start in range(0, size * size, size))


def _regulation(header: Header, regulations: Callable[[str], Regulation]) -> Regulation:
    if header.regulation_text is not None:
        return shelf.parse(header.regulation_text, header.regulation)
    return regulations(header.regulation)


def _values(line: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in ("key", "at")}


def _done(account: Sequence[AccountLine]) -> frozenset[str]:
    return frozenset(
        str(line.values["id"]) for line in account if line.key == "command" and line.values["outcome"] == "done"
    )
