"""The account of an alert: what lifts, rests and landings are told of readings, and what is not claimed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.accuracy import staged_play
from courses import TOUCHED, alert, answered, closed, having, played

from damas_board.messages.account import AccountLine, account
from damas_board.messages.course import Course
from damas_board.messages.encoding import event_object
from damas_board.messages.evidence import evidence, found
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Button, Command, Lever, Link, See
from damas_board.session.session import Session

BR = Header("t", "br-cbjd")
INT = Header("t", "int-fmjd")
PIECES = ("lifted", "not_down", "captured_off", "put_back", "came_down", "came_down_one_of", "came_down_new")


def story(table: str, header: Header = BR, *, ply: int = 1, keys: tuple[str, ...] = PIECES) -> list[tuple[Any, ...]]:
    """(key, milliseconds of the table, square, what else the test looks at) of the lines of an alert at the end."""
    course = played(table, header)
    course = having(course, alert(course, 1, course.inputs[-1].at, "touch_move", ply=ply))
    return [told(line) for line in lines(course) if line.key in keys]


def lines(course: Any) -> tuple[AccountLine, ...]:
    return evidence(course, found(course, "a1"), shipped(course.header.regulation).variant).account


def told(line: AccountLine) -> tuple[Any, ...]:
    extra = [line.values[key] for key in ("from", "among", "seconds", "rested", "times") if key in line.values]
    return (line.key, round((line.at - 1) * 1000), line.values["square"], *extra)


def test_what_was_lifted_put_back_and_moved_with_the_times_in_the_air() -> None:
    assert story(TOUCHED) == [
        ("lifted", 0, "c3"),
        ("put_back", 2400, "c3", 2.4),
        ("lifted", 3000, "e3"),
        ("came_down", 3400, "d4", "e3", 0.4),
    ]


def test_how_long_a_piece_rested_where_it_came_down() -> None:
    assert story("0 | lift c3\n400 | put d4\n2300 | lift d4\n2700 | put b4") == [
        ("lifted", 0, "c3"),
        ("came_down", 400, "d4", "c3", 0.4),
        ("lifted", 2300, "d4", 1.9),
        ("came_down", 2700, "b4", "d4", 0.4),
    ]


def test_a_captured_piece_is_told_as_taken_off_and_never_as_the_one_that_came_down() -> None:
    header = Header("t", "int-fmjd", start="W:W32,38:B12,28")
    table = "0 | lift 32\n500 | off 28\n900 | put 23\n2500 | lift 12\n3000 | put 18"
    assert story(table, header) == [
        ("lifted", 0, "32"),
        ("captured_off", 500, "28"),
        ("came_down", 900, "23", "32", 0.9),
        ("lifted", 2500, "12"),
        ("came_down", 3000, "18", "12", 0.5),
    ]


def test_a_piece_that_never_comes_down_again_is_not_said_to_have_been_captured() -> None:
    assert story("0 | off b6") == [("not_down", 0, "b6")]


def test_of_two_pieces_in_the_air_the_recorded_move_says_which_came_down() -> None:
    assert story("0 | lift c3\n400 | lift e3\n1200 | put e3\n1900 | put d4")[2:] == [
        ("put_back", 1200, "e3", 0.8),
        ("came_down", 1900, "d4", "c3", 1.9),
    ]


def test_where_nothing_says_which_piece_came_down_it_is_one_of_several() -> None:
    table = "0 | lift c3, lift e3\n900 | put d4"
    assert story(table)[-1] == ("came_down_one_of", 900, "d4", ["c3", "e3"])


def test_the_colour_that_a_board_senses_says_which_piece_came_down() -> None:
    header = Header("t", "br-cbjd", senses="colour")
    assert story("0 | lift c3\n300 | lift b6\n900 | put a5", header)[-1] == ("came_down", 900, "a5", "b6", 0.6)


def test_a_piece_from_the_box_is_none_that_was_lifted() -> None:
    assert story("0 | box d4 w") == [("came_down_new", 0, "d4")]


def test_what_is_shorter_than_a_touch_is_told_in_one_line_a_square() -> None:
    table = "0 | drop c3\n100 | back c3\n500 | drop c3\n650 | back c3\n900 | ghost e5\n950 | gone e5"
    assert story(table, keys=("flickered", *PIECES)) == [("flickered", 0, "c3", 2), ("flickered", 900, "e5", 1)]


def test_a_touch_is_no_flicker_from_the_time_on_that_the_header_sets() -> None:
    assert story("0 | lift c3\n200 | put c3") == [("lifted", 0, "c3"), ("put_back", 200, "c3", 0.2)]
    assert story("0 | lift c3\n199 | put c3") == []


def test_what_changed_while_the_board_was_not_connected_is_told_as_not_seen() -> None:
    table = "0 | link lost, lift c3, put d4\n5000 | link back"
    course = played(table, BR)
    course = having(course, alert(course, 1, course.inputs[-1].at, "board_lost"))
    course = type(course)(course.header, [i for i in course.inputs if i.at != 1 or hasattr(i, "state")], course.events)
    got = [
        (line.key, line.at) for line in lines(course) if line.key not in ("alert", "move", "board", "raised", "open")
    ]
    assert got == [
        ("link_lost", 1.0),
        ("gone_unseen", 6.0),
        ("appeared_unseen", 6.0),
        ("link_back", 6.0),
    ]


def test_a_crown_is_told_where_the_board_senses_kind() -> None:
    header = Header("t", "int-fmjd", senses="kind", start="W:W7,37:B30")
    table = "0 | lift 7\n400 | put 1\n1500 | crown 1"
    assert [x[:3] for x in story(table, header, keys=("crowned", "uncrowned"))] == [("crowned", 1500, "1")]


def test_levers_announcements_moves_other_alerts_and_commands_stand_in_the_order_of_their_times() -> None:
    course = played(TOUCHED, BR)
    inputs = [*course.inputs[:-1], Button(5.0, "adjust", "white"), Lever(6.0, "white"), course.inputs[-1]]
    course = type(course)(BR, inputs, course.events)
    command = Command(7.0, "stands", "c1", {"alert": "t-1-a1"}, "ana", "both saw it")
    course = having(
        answered(course, command),
        alert(course, 1, 4.7, "touch_move", squares=("c3",)),
        alert(course, 2, 5.5, "sensor_suspect", squares=("h8",)),
        closed(course, 1, 7.0, "stands"),
        closed(course, 2, 7.5, "recovered"),
    )
    got = lines(course)
    assert [line.key for line in got if line.key not in PIECES] == [
        *("alert", "move", "raised", "adjust", "other_alert", "lever", "command", "other_closed", "closed_by_command"),
    ]
    assert got[-1].values == {"how": "stands", "do": "stands", "id": "c1", "by": "ana", "note": "both saw it"}


def test_a_command_about_the_alert_is_told_however_late_it_came() -> None:
    course = played(TOUCHED, BR)
    command = Command(900.0, "dismiss", "c1", {"alert": "a1"}, "ana", "the board was knocked")
    course = having(
        answered(course, command), alert(course, 1, 4.7, "touch_move"), closed(course, 1, 900.0, "dismissed")
    )
    assert [(line.key, line.at) for line in lines(course)][-2:] == [("command", 900.0), ("closed_by_command", 900.0)]


def test_an_alert_that_the_reply_closed_names_the_reply() -> None:
    course = played(TOUCHED + "6000 | lift b6\n6400 | put a5", BR)
    reply = next(e for e in course.events if e["event"] == "move" and e["ply"] == 2)
    course = having(course, alert(course, 1, 4.7, "touch_move"), closed(course, 1, reply["at"], "stands"))
    assert lines(course)[-1].key == "closed_by_move"
    assert lines(course)[-1].values == {"how": "stands", "move": "b6-a5"}


@pytest.mark.parametrize("how", ["rectified", "recovered"])
def test_an_alert_that_the_board_itself_closed_says_how(how: str) -> None:
    course = played(TOUCHED, BR)
    course = having(course, alert(course, 1, 4.7, "board_mismatch"), closed(course, 1, 5.0, how))
    assert (lines(course)[-1].key, lines(course)[-1].values) == ("closed", {"how": how})


def test_an_open_alert_is_told_as_open() -> None:
    course = played(TOUCHED, BR)
    assert lines(having(course, alert(course, 1, 4.7, "touch_move")))[-1].key == "open"


def test_the_account_never_says_who_moved_a_piece() -> None:
    course = played("0 | lift b6\n900 | put b6\n2000 | lift c3\n2400 | put d4", BR)
    course = having(course, alert(course, 1, 2.0, "touched_out_of_turn", side=None))
    known = {"square", "side", "king", "from", "among", "seconds", "rested"}
    for line in lines(course):
        if line.key in PIECES:
            assert set(line.values) <= known
    assert next(line for line in lines(course) if line.key == "lifted").values["side"] == "black"  # whose piece


def test_a_piece_may_come_down_where_one_was_captured() -> None:
    header = Header("t", "int-fmjd", start="W:W32,33,50:B12,28")
    table = "0 | lift 32\n400 | put 23\n700 | off 28\n2500 | lift 12\n2900 | put 17\n5000 | lift 33\n5400 | put 28"
    assert story(table, header)[-2:] == [("lifted", 5000, "33"), ("came_down", 5400, "28", "33", 0.4)]


def test_of_two_pieces_in_the_air_the_one_that_the_record_moves_came_down_before_the_other_was_put_back() -> None:
    assert story("0 | lift e3\n400 | lift c3\n900 | put d4\n1500 | put e3")[2:] == [
        ("came_down", 900, "d4", "c3", 0.5),
        ("put_back", 1500, "e3", 1.5),
    ]


def test_what_a_lost_board_missed_is_no_flicker() -> None:
    course = played("0 | link lost\n5000 | lift c3, link back\n5100 | put c3", BR)
    course = having(course, alert(course, 1, course.inputs[-1].at, "board_lost"))
    inputs = [item for item in course.inputs if not (isinstance(item, See) and item.at == 6.0)]
    back = next(item for item in course.inputs if isinstance(item, See) and item.at == 6.0)
    place = next(n for n, item in enumerate(inputs) if isinstance(item, Link) and item.state == "back")
    course = replace(course, inputs=[*inputs[: place + 1], back, *inputs[place + 1 :]])
    assert [line.key for line in lines(course) if line.key in ("gone_unseen", "flickered")] == ["gone_unseen"]


def test_a_repeated_command_is_told_once() -> None:
    course = played(TOUCHED, BR)
    course = answered(course, Command(5.0, "adjust", "c1", {}, "ana"))
    course = answered(course, Command(5.5, "adjust", "c1", {}, "ana"), "done", "repeated")
    course = having(course, alert(course, 1, 4.7, "touch_move"))
    assert [line.at for line in lines(course) if line.key == "command"] == [5.0]


def test_the_positions_that_stood_are_those_of_the_record_as_it_was_then() -> None:
    course = played(TOUCHED + "6000 | lift b6\n6400 | put a5\n9000 | rewind 1", BR)
    at_the_end = having(course, alert(course, 1, 10.5, "held_piece"))
    before = having(course, alert(course, 1, 9.5, "held_piece"))
    assert len(before.stood_before(before.alerts[0])) == 3
    assert len(at_the_end.stood_before(at_the_end.alerts[0])) == 2


def test_a_recapture_on_the_square_of_a_piece_just_taken_off_is_not_that_piece_put_back() -> None:
    header = Header("t", "int-fmjd", start="W:W32,50:B1,14,19,28")
    table = "0 | lift 32\n200 | put 23\n300 | off 28\n500 | lift 19\n700 | put 28\n750 | off 23"
    assert story(table, header) == [
        ("lifted", 0, "32"),
        ("came_down", 200, "23", "32", 0.2),
        ("captured_off", 300, "28"),
        ("lifted", 500, "19"),
        ("came_down", 700, "28", "19", 0.2),
        ("captured_off", 750, "23", 0.55),
    ]


def test_the_piece_that_recaptured_is_told_with_its_own_colour() -> None:
    header = Header("t", "int-fmjd", start="W:W32,50:B1,14,19,28")
    table = "0 | lift 32\n200 | put 23\n300 | off 28\n500 | lift 19\n700 | put 28\n750 | off 23\n3000 | lift 28"
    course = played(table + "\n4000 | put 28", header)
    course = having(course, alert(course, 1, course.inputs[-1].at, "touch_move"))
    told_of = {line.key: line.values["side"] for line in lines(course) if line.values.get("square") == "28"}
    assert told_of == {"captured_off": "black", "came_down": "black", "lifted": "black", "put_back": "black"}


@pytest.mark.parametrize("level", ["scramble", "club"])
def test_no_piece_that_a_recorded_move_put_down_is_told_as_put_back(level: str) -> None:
    told_of = 0
    for index in range(4):
        staged = staged_play(level, "occupancy", "portuguese", index)
        session = Session(staged.header, staged.regulation)
        events = [event_object(event) for item in staged.inputs for event in session.feed(item)]
        course = Course(
            staged.header, staged.inputs, [e for e in events if e["event"] not in ("alert", "alert_closed")]
        )
        whole = account(
            course, alert(course, 1, 0.0, "touch_move"), staged.regulation.variant, course.start, 0, math.inf
        )
        landed = {(line.at, line.values["square"]): line for line in whole if "seconds" in line.values}
        for move in (event for event in events if event["event"] == "move" and event["path"][0] != event["to"]):
            line = landed.get((move["down"], move["to"]))
            if line is not None:
                told_of += 1
                assert (line.key, line.values["side"]) == ("came_down", move["side"]), (staged.name, move["ply"])
    assert told_of > 100
