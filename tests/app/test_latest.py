"""What came last from a board, and from where a board with a memory would go on."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from damas_board.app.intake import Intake
from damas_board.app.latest import Latest
from damas_board.session.inputs import BoardEvent, Lever, Link, See
from damas_board.sources.errors import BoardError


def test_a_reading_written_again_for_a_new_game_is_not_older_than_the_lever_before_it() -> None:
    latest = Latest("table-1", {}, None)
    latest.note(See(1.0, "o.", event=BoardEvent("0da3a500", 1, 10)))
    latest.note(Lever(2.0, "white", event=BoardEvent("0da3a500", 1, 11)))
    (again,) = latest.seen_at(3.0)
    latest.note(again)
    assert (again.rows, again.at, again.was) == ("o.", 3.0, None)
    assert latest.known is not None
    assert latest.known.event == BoardEvent("0da3a500", 1, 11)


def watched(told: list[Any], *sources: str | None, missing: BoardError | None = None) -> Latest:
    def intake(by: str | None) -> Intake:
        made: Any = None
        found = Intake("table-1", made, made, made, made, by)
        found.missing = missing
        return found

    return Latest("table-1", {by: intake(by) for by in sources}, lambda *news: told.append(news))


def test_a_camera_that_never_saw_the_board_is_told_as_lost_before_it_is_told_as_back() -> None:
    told: list[Any] = []
    latest = watched(told, "camera")
    latest.report(Link(1.0, "lost", "dark", by="camera"))
    latest.report(Link(2.0, "back", by="camera"))
    assert told == [("table-1", False, "dark"), ("table-1", True, None)]


@pytest.mark.parametrize("reason", ["no_camera", "source_broke"])
def test_what_the_intake_tells_itself_is_not_told_twice(reason: str) -> None:
    told: list[Any] = []
    missing = BoardError("no_camera", camera="0") if reason == "no_camera" else None
    latest = watched(told, "camera", missing=missing)
    latest.report(Link(1.0, "lost", reason, by="camera"))
    assert told == [("table-1", None, reason)]


def test_a_camera_that_never_saw_the_board_beside_sensors_that_do_is_told(caplog: pytest.LogCaptureFixture) -> None:
    told: list[Any] = []
    latest = watched(told, None, "camera")
    latest.report(See(0.5, "o."))
    with caplog.at_level(logging.WARNING):
        latest.report(Link(1.0, "lost", "dark", by="camera"))
    assert [record.getMessage() for record in caplog.records] == [
        "board table-1: its camera: link lost: dark; it is still watched"
    ]
