"""Squares that the board itself calls unstable: when they are read again, and what a hand above a square is not."""

from __future__ import annotations

import pytest

from damas_board.messages.recording import input_from, input_object
from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.session.events import AlertClosed, AlertRaised, Event
from damas_board.session.header import Header
from damas_board.session.inputs import Link, See, Tick
from damas_board.session.session import Session
from simulator.table import rows

REGULATION = shipped("br-cbjd")
GEOMETRY = REGULATION.variant.geometry


def seen(
    at: float, unreadable: str | None = None, *, moved: bool = False, unstable: bool = True, wrong: str = ""
) -> See:
    """The start position, or what it is after c3-d4; `unreadable` cannot be read, `wrong` are not as they are."""
    marks = {square: "o" for square in squares_of(initial(REGULATION.variant).occupied)}
    if moved:
        marks[GEOMETRY.square("d4")] = marks.pop(GEOMETRY.square("c3"))
    for square in map(GEOMETRY.square, wrong.split()):
        if marks.pop(square, None) is None:
            marks[square] = "o"
    for square in (unreadable or "").split():
        marks[GEOMETRY.square(square)] = "?"
    return See(at, rows(marks, GEOMETRY), unstable=unstable and unreadable is not None)


def told(session: Session, *items: See | Link | Tick) -> list[tuple[float, str, tuple[str, ...] | str]]:
    """The alerts that were raised and closed."""
    events: list[Event] = [event for item in items for event in session.feed(item)]
    raised = [(event.at, event.kind, event.squares) for event in events if isinstance(event, AlertRaised)]
    return raised + [(event.at, "closed", event.how) for event in events if isinstance(event, AlertClosed)]


@pytest.fixture
def session() -> Session:
    started = Session(Header("t", "br-cbjd"), REGULATION)
    started.feed(seen(0.0))
    started.feed(Tick(1.0))
    return started


def test_it_is_told_at_once_and_read_again_a_second_after_it_is_still(session: Session) -> None:
    (raised,) = [event for event in session.feed(seen(2.0, "c3")) if isinstance(event, AlertRaised)]
    assert (raised.at, raised.kind, raised.squares) == (2.0, "sensor_suspect", ("c3",))
    assert raised.evidence["reason"] == "unstable"
    assert told(session, Tick(60.0)) == []
    assert told(session, seen(60.0)) == []
    assert session.deadline is not None
    assert session.deadline <= 61.0
    assert told(session, Tick(60.9)) == []
    assert told(session, Tick(61.0)) == [(61.0, "closed", "recovered")]


def test_unrest_that_comes_back_within_the_second_begins_it_anew(session: Session) -> None:
    told(session, seen(2.0, "c3"), seen(3.0))
    assert told(session, seen(3.8, "c3"), seen(3.9), Tick(4.8)) == []
    assert told(session, Tick(4.9)) == [(4.9, "closed", "recovered")]


def test_what_it_says_once_it_is_still_is_believed_where_a_move_that_other_squares_show_has_made_it(
    session: Session,
) -> None:
    told(session, seen(2.0, "d4"), seen(3.0, "d4", moved=True), Tick(30.0), seen(30.0, moved=True))
    assert session.state.moves == ()
    assert told(session, Tick(31.0)) == [(31.0, "closed", "recovered")]
    session.feed(Tick(32.0))
    assert session.state.moves == ("c3-d4",)


@pytest.mark.parametrize("wrong", ["c3", "d4", "c3 d4", "a1 d4", "c3 d6", "c3 e5"])
def test_what_contradicts_the_record_once_it_is_still_is_no_move_and_accuses_nobody(
    session: Session, wrong: str
) -> None:
    for n in range(2, 17):
        told(session, seen(n, wrong), seen(n + 0.5))
    told(session, seen(17.0, wrong))
    assert told(session, seen(19.0, wrong=wrong), Tick(90.0)) == []
    assert session.state.moves == ()
    back = [kind for _, kind, _ in told(session, seen(90.0), Tick(92.0))]
    assert back == ["closed"] * len(wrong.split())


def test_a_square_that_was_wrong_already_when_a_hand_came_is_no_part_of_its_move(session: Session) -> None:
    told(session, seen(2.0, "d4"), seen(3.0, wrong="d4"), Tick(10.0))
    told(session, seen(10.0, wrong="c3 d4"), Tick(14.0))
    assert session.state.moves == ()
    told(session, seen(14.0, wrong="c3 b4 d4"), Tick(20.0))
    assert session.state.moves == ("c3-b4",)


def test_a_square_that_is_wrong_is_read_again_a_second_after_it_says_what_the_record_says(session: Session) -> None:
    told(session, seen(2.0, "d4"), seen(3.0, wrong="d4"), Tick(10.0))
    assert told(session, seen(10.0), seen(10.5, wrong="d4"), seen(11.0), Tick(11.9)) == []
    assert told(session, Tick(12.0)) == [(12.0, "closed", "recovered")]


def test_the_record_may_come_to_say_what_a_square_says(session: Session) -> None:
    told(session, seen(2.0, "c3"), seen(3.0, wrong="c3"), Tick(10.0))
    assert session.state.moves == ()
    assert told(session, seen(10.0, moved=True), Tick(20.0))[-1][1:] == ("closed", "recovered")
    assert session.state.moves == ("c3-d4",)


def test_a_hand_at_a_square_that_has_come_to_rest_is_followed(session: Session) -> None:
    told(session, seen(2.0, "d4"), seen(3.0), seen(3.2, wrong="c3"), seen(3.6, moved=True), Tick(6.0))
    assert session.state.moves == ("c3-d4",)


def test_a_lost_link_is_no_stillness(session: Session) -> None:
    told(session, seen(2.0, "c3"), seen(3.0))
    assert [what for _, *what in told(session, Link(3.5, "lost"), Tick(9.0), Link(10.0, "back"))] == [
        ["board_lost", ()],
        ["closed", "recovered"],
    ]
    assert told(session, seen(10.0), Tick(10.9)) == []
    assert told(session, Tick(11.0)) == [(11.0, "closed", "recovered")]


def test_a_square_that_a_hand_hides_is_no_suspect(session: Session) -> None:
    assert told(session, seen(2.0, "c3", unstable=False), Tick(60.0)) == []


def test_a_recording_keeps_which_of_the_two_it_was() -> None:
    for unstable in (True, False):
        item = seen(2.0, "c3", unstable=unstable)
        assert input_object(item).get("unstable", False) is unstable
        assert input_from(input_object(item)) == item
