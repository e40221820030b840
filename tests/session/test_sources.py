"""Several sources that watch one board and check each other. Tables: time, what one of them says, and what is told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.session.events import AlertClosed, AlertRaised, BoardChanged, Event, MovesRetracted, PlayedMove
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from simulator.table import mark, rows

REGULATION = shipped("br-cbjd")
GEOMETRY = REGULATION.variant.geometry
START = initial(REGULATION.variant)

Row = tuple[float, str, str, str]
"""When; which source, `board` (its sensors know no colours) or `cam` or another camera; the marks that change then
(`c3. d4w`), `lost`, `back`, `whole`, or `again`: what it said last; and what is told: moves, `-` and the number of the
first ply that is retracted, alerts by kind (`sensor_suspect` with its square and what each says, or `everywhere`),
`recovered` of a closed one, and the board's state where it is `lost` or `resyncing`. `-` and `tick` is time."""


def told(events: Iterable[Event]) -> str:
    words = []
    for event in events:
        match event:
            case PlayedMove():
                words.append(event.move + ("" if event.basis == "seen" else "?"))
            case MovesRetracted():
                words.append(f"-{event.from_ply}")
            case AlertRaised(evidence={"says": {**says}}):
                where = event.squares[0] if event.squares else "everywhere"
                words.append(f"differ:{where}:" + ",".join(f"{by}={what}" for by, what in says.items()))
            case AlertRaised():
                words.append(event.kind)
            case AlertClosed():
                words.append(event.how)
            case BoardChanged(state="lost" | "resyncing" | "mismatch"):
                words.append(event.state)
            case _:
                pass
    return " ".join(words)


class Watcher:
    """What one source says."""

    def __init__(self, by: str) -> None:
        self.by = None if by == "board" else by
        self.marks = {s: mark(START, s) if self.by else "o" for s in squares_of(START.occupied)}

    def says(self, at: float, what: str) -> Input:
        if what in ("lost", "back", "whole"):
            return Link(at, "lost" if what == "lost" else "back", whole=what == "whole", by=self.by)
        for word in what.split() if what != "again" else ():
            self.marks[GEOMETRY.square(word[:2])] = word[2]
        return See(at, rows({s: m for s, m in self.marks.items() if m != "."}, GEOMETRY), self.by)


def play(table: Iterable[Row], watchers: str = "board cam") -> list[Row]:
    """What was told with each row."""
    session = Session(Header("t", "br-cbjd", senses="colour"), REGULATION)
    sources = {by: Watcher(by) for by in watchers.split()}
    for source in sources.values():
        session.feed(source.says(0.0, ""))
    session.feed(Tick(2.0))
    found = []
    for at, by, what, _ in table:
        if by == "-":
            item: Input = Lever(at, "white") if what == "lever" else Tick(at)
        else:
            item = sources[by].says(at, what)
        found.append((at, by, what, told(session.feed(item))))
    return found


TABLES: dict[str, list[Row]] = {
    "the sensors are followed at once, the camera comes after": [
        (3.0, "board", "c3.", ""),
        (3.3, "cam", "c3? d4?", ""),
        (3.4, "board", "d4o", ""),
        (3.8, "-", "tick", "c3-d4"),
        (4.0, "cam", "c3. d4w", ""),
        (60.0, "-", "tick", ""),
    ],
    "where one cannot read the other does": [
        (2.5, "board", "d4?", ""),
        (3.0, "cam", "c3? d4?", ""),
        (3.1, "board", "c3.", ""),
        (4.0, "cam", "c3. d4w", ""),
        (4.4, "-", "tick", "c3-d4"),
    ],
    "a sensor that is dead is told, and once the reply is made the camera is believed there": [
        (3.0, "board", "c3.", ""),
        (3.5, "cam", "c3. d4w", ""),
        (5.5, "-", "tick", "differ:d4:sensors=.,cam=w"),
        (50.0, "-", "tick", ""),
        (51.0, "board", "b6.", ""),
        (51.5, "board", "a5o", ""),
        (52.0, "cam", "b6. a5b", "c3-d4? b6-a5"),
        (53.0, "-", "tick", ""),
        (54.0, "board", "e5o", ""),
        (54.3, "cam", "d4. e5w", ""),
        (55.0, "-", "tick", "d4-e5"),
        (66.0, "board", "f6.", ""),
        (66.3, "board", "e5.", ""),
        (66.8, "cam", "f6. e5. d4b", ""),
        (67.2, "-", "tick", "f6xd4"),
        (90.0, "-", "tick", ""),
    ],
    "with the lever at once": [
        (3.0, "board", "c3.", ""),
        (3.5, "cam", "c3. d4w", ""),
        (5.5, "-", "tick", "differ:d4:sensors=.,cam=w"),
        (6.0, "-", "lever", ""),
        (6.5, "-", "tick", "c3-d4?"),
    ],
    "a camera that is dazzled is not believed, and accuses nobody": [
        (3.0, "cam", "e3.", ""),
        (4.9, "-", "tick", ""),
        (5.0, "-", "tick", "differ:e3:sensors=o,cam=."),
        (60.0, "-", "tick", ""),
        (61.0, "cam", "e3w", ""),
        (66.0, "-", "tick", "recovered"),
        (70.0, "cam", "e3.", ""),
        (90.0, "-", "tick", ""),
    ],
    "nor do sensors that miss a piece which the camera sees": [
        (3.0, "board", "e3.", ""),
        (5.0, "-", "tick", "differ:e3:sensors=.,cam=w"),
        (90.0, "-", "tick", ""),
    ],
    "a piece that only the sensors saw go and come was not touched": [
        (3.0, "board", "e3.", ""),
        (3.9, "board", "e3o", ""),
        (5.0, "board", "c3.", ""),
        (5.5, "board", "d4o", ""),
        (5.9, "cam", "c3. d4w", "c3-d4"),
        (60.0, "-", "tick", ""),
    ],
    "one that both saw was": [
        (3.0, "board", "e3.", ""),
        (3.4, "cam", "e3.", ""),
        (4.0, "board", "e3o", ""),
        (4.4, "cam", "e3w", ""),
        (5.0, "board", "c3.", ""),
        (5.5, "board", "d4o", ""),
        (5.9, "cam", "c3. d4w", "c3-d4 touch_move"),
    ],
    "an irregular move is told when the camera has seen it as well": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "e5o", ""),
        (4.6, "-", "tick", ""),
        (4.7, "cam", "c3. e5w", ""),
        (5.7, "-", "tick", "c3-e5 illegal_move"),
    ],
    "also when that is nothing new": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "e5o", ""),
        (4.6, "-", "tick", ""),
        (4.7, "cam", "c3. e5o", ""),
        (5.7, "-", "tick", "c3-e5 illegal_move"),
    ],
    "and not when it has not": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "e5o", ""),
        (90.0, "-", "tick", "differ:c3:sensors=.,cam=w differ:e5:sensors=o,cam=."),
    ],
    "a camera that looks at another board is told once, the sensors are followed": [
        (3.0, "cam", "a1. c1. e1. g1. b2. d2.", ""),
        (5.0, "-", "tick", "differ:everywhere:followed=sensors,not_followed=cam"),
        (6.0, "board", "c3.", ""),
        (6.5, "board", "d4o", ""),
        (7.0, "-", "tick", "c3-d4"),
        (10.0, "cam", "a3. c3. e3. g3.", ""),
        (60.0, "-", "tick", ""),
        (61.0, "cam", "a1w c1w e1w g1w b2w d2w a3w e3w g3w d4w", ""),
        (66.0, "-", "tick", "recovered"),
        (67.0, "board", "b6.", ""),
        (67.2, "board", "a5o", ""),
        (67.6, "cam", "b6. a5b", "b6-a5"),
    ],
    "sensors of another board are not": [
        (3.0, "board", "a1. c1. e1. g1. b2. d2.", ""),
        (5.0, "-", "tick", "differ:everywhere:followed=cam,not_followed=sensors"),
        (6.0, "cam", "c3. d4w", ""),
        (7.0, "-", "tick", "c3-d4"),
        (60.0, "-", "tick", ""),
    ],
    "nothing is taken back that only the sensors say": [
        (3.0, "board", "c3.", ""),
        (3.2, "board", "d4o", ""),
        (3.6, "cam", "c3. d4w", "c3-d4"),
        (5.0, "board", "c3o d4.", ""),
        (6.5, "board", "c3. d4o", ""),
        (60.0, "-", "tick", ""),
    ],
    "what the sensors say when they are back may be old": [
        (3.0, "board", "lost", ""),
        (4.0, "cam", "c3. d4w", ""),
        (5.0, "-", "tick", "c3-d4"),
        (6.0, "board", "back", ""),
        (6.0, "board", "again", ""),
        (6.4, "cam", "b6. a5b", ""),
        (6.8, "-", "tick", "b6-a5"),
        (7.0, "board", "c3. d4o b6. a5o", ""),
        (60.0, "-", "tick", ""),
    ],
    "when the sensors are lost the camera carries on": [
        (3.0, "board", "lost", ""),
        (4.0, "cam", "c3. d4w", ""),
        (5.0, "-", "tick", "c3-d4"),
        (6.0, "board", "back", ""),
        (6.1, "board", "c3. d4o", ""),
        (7.0, "board", "b6.", ""),
        (7.2, "board", "a5o", ""),
        (7.6, "-", "tick", ""),
        (8.0, "cam", "b6. a5b", "b6-a5"),
        (60.0, "-", "tick", ""),
    ],
    "and what they tell then of the time in between is known": [
        (3.0, "board", "lost", ""),
        (4.0, "cam", "c3. d4w", ""),
        (5.0, "cam", "b6. a5b", "c3-d4"),
        (6.0, "board", "whole", "b6-a5"),
        (6.0, "board", "c3.", ""),
        (6.0, "board", "d4o", ""),
        (6.6, "board", "b6.", ""),
        (6.6, "board", "a5o", ""),
        (60.0, "-", "tick", ""),
    ],
    "the same the other way round": [
        (3.0, "cam", "lost", ""),
        (4.0, "board", "c3.", ""),
        (4.5, "board", "d4o", ""),
        (5.0, "-", "tick", "c3-d4"),
        (6.0, "cam", "back", ""),
        (6.1, "cam", "c3. d4w", ""),
        (60.0, "-", "tick", ""),
    ],
    "the board is lost when both are": [
        (3.0, "cam", "lost", ""),
        (4.0, "board", "lost", "lost board_lost"),
        (5.0, "board", "whole", "recovered"),
        (5.0, "board", "c3.", ""),
        (5.0, "board", "d4o", ""),
        (6.0, "-", "tick", "c3-d4"),
        (7.0, "cam", "back", ""),
        (7.0, "cam", "c3. d4w", ""),
        (60.0, "-", "tick", ""),
    ],
    "and the one that comes back first is followed, whichever it is": [
        (3.0, "board", "lost", ""),
        (4.0, "cam", "lost", "lost board_lost"),
        (5.0, "cam", "back", "resyncing recovered"),
        (5.0, "cam", "c3. d4w", ""),
        (7.0, "-", "tick", "c3-d4?"),
        (60.0, "-", "tick", ""),
    ],
    "sensors that were lost first do not tell all that was missed, however whole they are back": [
        (3.0, "board", "lost", ""),
        (4.0, "cam", "c3. d4w", ""),
        (5.0, "cam", "lost", "c3-d4 lost board_lost"),
        (6.0, "board", "whole", "resyncing recovered"),
        (6.0, "board", "c3.", ""),
        (6.0, "board", "d4o", ""),
        (9.0, "-", "tick", ""),
        (10.0, "board", "b6.", ""),
        (10.5, "board", "a5o", ""),
        (11.0, "-", "tick", "b6-a5"),
    ],
    "what the camera had not followed yet when the sensors were lost is not taken back": [
        (3.0, "board", "c3.", ""),
        (3.2, "board", "d4o", ""),
        (3.6, "-", "tick", ""),
        (3.7, "board", "lost", "c3-d4"),
        (4.5, "-", "tick", ""),
        (4.6, "cam", "c3. d4w", ""),
        (60.0, "-", "tick", ""),
    ],
    "a square of which it is told that sources differ is no evidence of a touch": [
        (3.0, "cam", "c3.", ""),
        (5.0, "-", "tick", "differ:c3:sensors=o,cam=."),
        (7.0, "cam", "c3w", ""),
        (10.0, "board", "c3.", ""),
        (11.0, "board", "c3o", ""),
        (12.0, "board", "e3.", ""),
        (12.3, "cam", "e3?", ""),
        (12.6, "board", "d4o", ""),
        (12.9, "cam", "e3. d4w", "e3-d4"),
        (60.0, "-", "tick", "recovered"),
    ],
    "nor of a move that no rule allows": [
        (3.0, "cam", "c3. e5b", ""),
        (5.0, "-", "tick", "differ:c3:sensors=o,cam=. differ:e5:sensors=.,cam=b"),
        (7.0, "cam", "c3w e5.", ""),
        (8.0, "board", "c3. e5o", ""),
        (12.0, "board", "c3o e5.", "mismatch board_mismatch"),
        (60.0, "-", "tick", "recovered recovered recovered"),
    ],
    "a move that only the sensors show, and the camera plainly not, waits for it": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "d4o", ""),
        (4.3, "board", "d4. c3o", ""),
        (7.0, "board", "e3.", ""),
        (7.3, "board", "d4o", ""),
        (7.8, "-", "tick", ""),
        (8.0, "cam", "e3. d4w", "e3-d4"),
        (60.0, "-", "tick", ""),
    ],
    "where its piece goes on meanwhile the board has to be still again": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "d4o", ""),
        (4.0, "-", "tick", ""),
        (4.3, "board", "d4. b4o", ""),
        (4.4, "cam", "c3. b4w", ""),
        (4.6, "-", "tick", ""),
        (5.0, "-", "tick", "c3-b4"),
    ],
    "a move that only the sensors show waits for as long as it takes, and is told": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "d4o", ""),
        (5.3, "-", "tick", "differ:c3:sensors=.,cam=w differ:d4:sensors=o,cam=."),
        (11.3, "board", "d4. c3o", ""),
        (17.0, "board", "g3.", "recovered recovered"),
        (17.3, "board", "h4o", ""),
        (17.7, "cam", "g3. h4w", "g3-h4"),
        (60.0, "-", "tick", ""),
    ],
    "or until the reply builds on it, and a camera that stands still is not waited for again": [
        (3.0, "board", "c3.", ""),
        (3.3, "board", "d4o", ""),
        (5.3, "-", "tick", "differ:c3:sensors=.,cam=w differ:d4:sensors=o,cam=."),
        (10.0, "board", "b6.", ""),
        (10.3, "board", "a5o", ""),
        (11.0, "-", "tick", "c3-d4 b6-a5"),
        (13.0, "-", "tick", "differ:b6:sensors=.,cam=b differ:a5:sensors=o,cam=."),
        (16.0, "board", "d4.", ""),
        (16.4, "board", "c5o", ""),
        (17.0, "-", "tick", "d4-c5"),
    ],
    "a camera that is very late is no camera of another board": [
        (3.0, "board", "c3.", ""),
        (3.2, "board", "b4o", ""),
        (3.6, "cam", "c3. b4w", "c3-b4"),
        (4.0, "board", "b6.", ""),
        (4.2, "board", "a5o", ""),
        (4.7, "cam", "b6. a5b", "b6-a5"),
        (5.0, "board", "e3.", ""),
        (5.2, "board", "d4o", ""),
        (5.7, "cam", "e3. d4w", "e3-d4"),
        (7.0, "board", "a5. e5o b4. d4.", ""),
        (
            9.0,
            "-",
            "tick",
            "differ:b4:sensors=.,cam=w differ:d4:sensors=.,cam=w differ:a5:sensors=.,cam=b differ:e5:sensors=o,cam=.",
        ),
        (10.0, "cam", "a5. e5b b4. d4.", ""),
        (11.0, "-", "tick", "a5xe5"),
    ],
    "a move that both have shown was made: who undoes it has taken it back": [
        (3.0, "board", "c3.", ""),
        (3.4, "board", "d4o", ""),
        (4.2, "cam", "c3. d4w", "c3-d4"),
        (5.2, "board", "d4.", ""),
        (5.5, "board", "c3o", ""),
        (5.9, "cam", "d4. c3w", ""),
        (6.5, "-", "tick", "-1"),
        (7.0, "board", "e3.", ""),
        (7.3, "board", "d4o", ""),
        (7.7, "cam", "e3. d4w", "e3-d4 taken_back touch_move"),
    ],
    "one that the camera could not read, and then contradicted, may never have been": [
        (3.0, "cam", "c3? d4?", ""),
        (3.1, "board", "c3.", ""),
        (3.4, "board", "d4o", ""),
        (3.9, "-", "tick", "c3-d4"),
        (4.2, "cam", "c3w d4.", ""),
        (4.9, "board", "d4.", ""),
        (4.9, "board", "c3o", ""),
        (5.9, "-", "tick", "-1"),
        (7.0, "board", "e3.", ""),
        (7.3, "board", "d4o", ""),
        (7.7, "cam", "e3. d4w", "e3-d4"),
        (60.0, "-", "tick", ""),
    ],
    "nor is it evidence against the camera": [
        (3.0, "cam", "c3? d4?", ""),
        (3.1, "board", "c3.", ""),
        (3.4, "board", "d4o", ""),
        (3.9, "-", "tick", "c3-d4"),
        (4.2, "cam", "c3w d4.", ""),
        (6.2, "-", "tick", "differ:c3:sensors=.,cam=w differ:d4:sensors=o,cam=."),
        (8.0, "board", "d4. c3o", ""),
        (10.0, "-", "tick", "-1"),
        (15.0, "-", "tick", "recovered recovered"),
        (16.0, "board", "c3? b4?", ""),
        (16.1, "cam", "c3. b4w", ""),
        (17.0, "-", "tick", "c3-b4"),
    ],
    "who was wrong by a move that is taken back was not": [
        (3.0, "board", "c3.", ""),
        (3.3, "cam", "c3.", ""),
        (3.4, "board", "d4o", ""),
        (3.9, "-", "tick", "c3-d4"),
        (5.4, "-", "tick", "differ:d4:sensors=o,cam=."),
        (8.0, "board", "d4.", ""),
        (8.3, "board", "c3o", ""),
        (8.6, "cam", "c3w", ""),
        (9.6, "-", "tick", "-1"),
        (15.0, "-", "tick", "recovered"),
    ],
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_several_sources_make_of_a_game(table: list[Row]) -> None:
    assert play(table) == table


def test_who_is_wrong_at_the_start_is_known_once_the_board_has_rested() -> None:
    session = Session(Header("t", "br-cbjd", senses="colour"), REGULATION)
    board, cam = Watcher("board"), Watcher("cam")
    events = session.feed(board.says(0.0, "c3.")) + session.feed(cam.says(0.1, ""))
    assert told(events) == ""
    assert told(session.feed(Tick(1.0))) == ""
    assert told(session.feed(Tick(1.2))) == "differ:c3:sensors=.,cam=w"
    session.feed(cam.says(1.5, "c3. d4w"))
    session.feed(board.says(1.6, "d4o"))
    assert told(session.feed(Tick(2.0))) == "c3-d4"


@pytest.mark.parametrize(
    "table",
    [
        [
            (3.0, "cam", "c3. d4?", ""),
            (3.3, "cam", "e3.", ""),
            (4.0, "cam", "e3w d4w", ""),
            (5.0, "-", "tick", "c3-d4"),
        ],
        [
            (3.0, "cam", "c3?", ""),
            (3.5, "cam", "d4w", ""),
            (3.7, "cam", "c3.", ""),
            (4.1, "-", "tick", "c3-d4"),
        ],
        [
            (3.0, "cam", "c3. d4w", ""),
            (4.0, "cam", "f6. e5b", "c3-d4"),
            (6.0, "cam", "d4? e5? f6? g7?", "f6-e5"),
            (8.0, "cam", "d4. e5b f6. g7.", ""),
            (9.5, "-", "tick", "d4xf6? g7xe5?"),
            (60.0, "-", "tick", ""),
        ],
        [
            (3.0, "cam", "c3. d4w", ""),
            (4.0, "cam", "f6. e5b", "c3-d4"),
            (6.0, "cam", "d4? e5? f6? g7?", "f6-e5"),
            (8.0, "cam", "d4. e5b f6. g7. a3.", ""),
            (30.0, "-", "tick", "mismatch board_mismatch"),
            (31.0, "cam", "b4w", ""),
            (33.0, "-", "tick", "d4xf6? g7xe5? a3-b4? recovered"),
            (60.0, "-", "tick", ""),
        ],
    ],
)
def test_what_happened_behind_a_hand_may_have_happened_at_any_time(table: list[Row]) -> None:
    assert play(table, "cam") == table


@pytest.mark.parametrize(
    ("marks", "then", "told_of_it"),
    [
        ("c3w d4.", "e3. f4w", "-1 e3-f4"),
        ("c3w e3.", "", "e3-d4"),
        ("d4. b4w", "", "c3-b4"),
    ],
)
def test_a_ply_that_was_only_inferred_accuses_nobody_when_it_has_not_been(
    marks: str, then: str, told_of_it: str
) -> None:
    table: list[Row] = [
        (2.0, "cam", "lost", "lost board_lost"),
        (2.5, "cam", "back", "resyncing recovered"),
        (2.5, "cam", "c3. d4w", ""),
        (5.5, "-", "tick", "c3-d4?"),
    ]
    later: list[Row] = [(5.6, "cam", marks, ""), (6.5, "cam", then, ""), (60.0, "-", "tick", "")]
    found = play([*table, *later], "cam")
    assert found[:4] == table
    assert " ".join(row[3] for row in found[4:] if row[3]) == told_of_it
