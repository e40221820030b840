"""The part of a recording that is an alert's evidence: where it begins and ends, and that it replays by itself."""

from __future__ import annotations

import importlib.util
import json
import tomllib
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from board_tables import TableBoard
from courses import TOUCHED, alert, answered, closed, having, played

from damas_board.messages.course import Course
from damas_board.messages.encoding import event_object
from damas_board.messages.evidence import (
    AFTER_SECONDS,
    CLOSED_SECONDS,
    Evidence,
    NoAlertError,
    evidence,
    found,
    game_of,
)
from damas_board.messages.recording import header_from, input_from, read_header, read_inputs
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Button, Command, Input, See, Tick
from damas_board.session.session import Session

BR = Header("t", "br-cbjd")
TWO_PLIES = TOUCHED + "6000 | lift b6\n6400 | put a5\n"
LATER = TWO_PLIES + "9000 | lift c3\n11000 | put c3\n12000 | lift f2\n12400 | put e3\n"
PLIES = ["e3-d4", "b6-a5", "f2-e3"]


def shown(course: Course, asked: str = "a1") -> Evidence:
    return evidence(course, found(course, asked), shipped(course.header.regulation).variant)


def replayed(part: Evidence) -> list[dict[str, Any]]:
    """The events of the written part, read back by its text alone."""
    lines = iter(part.recording())
    header = read_header(lines)
    session = Session(header, shipped(header.regulation))
    return [event_object(event) for item in read_inputs(lines) for event in session.feed(item)]


def moves(events: list[dict[str, Any]]) -> list[str]:
    return [e["move"] for e in events if e["event"] == "move"]


def touched(**fields: Any) -> Course:
    course = played(LATER, BR)
    assert moves(list(course.events)) == PLIES
    fields = {"squares": ("c3",), "ply": 3, "evidence": {"from": 10.0, "to": 13.4, "trail": []}, **fields}
    return having(course, alert(course, 1, 13.7, "touch_move", **fields))


def test_the_part_begins_with_the_turn_at_the_position_before_it_and_a_whole_reading() -> None:
    course = touched()
    part = shown(course)
    assert part.header.start == next(e["fen"] for e in course.events if e["event"] == "move" and e["ply"] == 2)
    first = part.inputs[0]
    assert isinstance(first, See)
    assert first.at == 7.4  # the reading that completed ply 2
    assert moves(replayed(part)) == ["f2-e3"]


@pytest.mark.parametrize("starts", ["command", "lever", "move"])
def test_the_part_of_a_game_that_waited_for_its_start_has_begun(starts: Any) -> None:
    course = touched()
    part = shown(replace(course, header=replace(course.header, starts=starts)))
    assert moves(replayed(part)) == ["f2-e3"]


def test_the_times_of_the_part_are_those_of_the_game_and_it_has_a_name_of_its_own() -> None:
    part = shown(touched())
    assert part.header.game == "t-1-a1"
    assert [e["at"] for e in replayed(part) if e["event"] == "move"] == [13.7]


def test_the_part_goes_on_a_little_behind_the_alert_and_no_further() -> None:
    course = touched()
    assert shown(course).inputs[-1] == Tick(13.7 + AFTER_SECONDS)
    closing = having(course, closed(course, 1, 15.0, "dismissed"))
    assert shown(closing).inputs[-1] == Tick(15.0 + AFTER_SECONDS)
    late = having(course, closed(course, 1, 13.7 + CLOSED_SECONDS + 1, "dismissed"))
    assert shown(late).inputs[-1] == Tick(13.7 + AFTER_SECONDS)


def test_a_recording_that_ends_at_the_alert_is_not_lengthened() -> None:
    course = touched()
    short = replace(course, inputs=[i for i in course.inputs if i.at <= 13.7] + [Tick(13.7)])
    assert shown(short).inputs[-1] == Tick(13.7)


def test_evidence_from_an_earlier_turn_takes_that_turn_along() -> None:
    part = shown(touched(evidence={"from": 6.5, "to": 13.4, "trail": []}))
    assert moves(replayed(part)) == ["b6-a5", "f2-e3"]


def test_where_no_reading_shows_the_position_the_part_begins_a_turn_earlier() -> None:
    course = touched()
    spoilt = [
        replace(i, rows=".?" + i.rows[2:]) if isinstance(i, See) and i.at >= 7.4 else i
        for i in course.inputs
    ]  # fmt: skip
    assert spoilt != course.inputs
    part = shown(replace(course, inputs=[*spoilt]))
    assert moves(replayed(part)) == ["b6-a5", "f2-e3"]


@pytest.mark.parametrize(("kind", "ply"), [("touch_move", 1), ("flag_fallen", 3)])
def test_the_first_turn_and_what_hangs_on_the_whole_game_begin_with_its_first_input(kind: Any, ply: int) -> None:
    course = played(LATER, BR)
    part = shown(having(course, alert(course, 1, 13.7, kind, ply=ply)))
    assert (part.header.start, part.inputs[0]) == (None, course.inputs[0])
    assert moves(replayed(part)) == PLIES


def test_the_record_as_it_stood_then_decides_not_a_line_that_was_taken_back() -> None:
    table = TOUCHED + "6000 | rewind 0\n7000 | lift d4\n7400 | put e3\n9000 | lift c3\n9400 | put b4\n"
    course = played(table + "12000 | lift b6\n12400 | put a5\n", BR)
    assert moves(list(course.events)) == ["e3-d4", "c3-b4", "b6-a5"]
    part = shown(having(course, alert(course, 1, 13.7, "touch_move", ply=2, evidence={"from": 13.0})))
    assert moves(replayed(part)) == ["b6-a5"]


def test_a_position_that_the_arbiter_set_up_is_what_the_next_turn_begins_from() -> None:
    course = played(TOUCHED + "6000 | lift b6, box e5 b\n9000 | lift f2\n9400 | put e3\n", BR)
    fen = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,d4,g3:Ba7,b8,c7,d6,d8,e5,e7,f6,f8,g7,h6,h8"
    told = {"event": "position_set", "at": 8.0, "fen": fen, "ply": 1, "by": "ana", "revision": 1}
    course = having(course, told, alert(course, 1, 10.7, "held_piece", ply=2, evidence={"from": 9.9}))
    part = shown(course)
    assert (part.header.start, part.inputs[0].at) == (fen, 7.0)
    assert {"position_set", "came_down"} <= {line.key for line in part.account}


def test_a_command_in_the_part_names_plies_and_alerts_as_the_part_counts_them() -> None:
    course = played(LATER, BR)
    about = {"from": 13.0, "to": 13.0, "trail": []}
    course = having(
        course,
        alert(course, 1, 4.7, "held_piece"),
        alert(course, 2, 13.7, "touch_move", ply=3, evidence=about),
        closed(course, 2, 15.0, "rectified"),
    )
    course = answered(course, Command(14.5, "stands", "c1", {"alert": "t-1-a2"}), "refused", "x")
    course = answered(course, Command(15.0, "rewind", "c2", {"ply": 2}))
    commands = [item for item in shown(course, "a2").inputs if isinstance(item, Command)]
    assert [command.arguments for command in commands] == [{"alert": "t-1-a2-a1"}, {"ply": 0}]
    assert any(e["event"] == "moves_retracted" and e["from_ply"] == 1 for e in replayed(shown(course, "a2")))


def said(at: float, do: str, number: int, note: str | None = None, **arguments: Any) -> Command:
    return Command(at, do, f"c{number}", arguments, "ana", note)


def late(*commands: Command, table: str = LATER, **fields: Any) -> Course:
    """A course with an alert about ply 3, and with these commands."""
    course = played(table, BR)
    for command in commands:
        course = answered(course, command)
    return having(course, alert(course, 1, 13.7, "touch_move", ply=3, evidence={"from": 10.0}, **fields))


def again(part: Evidence) -> list[tuple[float, str, dict[str, Any]]]:
    """The commands at the beginning of a part."""
    return [(c.at, c.do, dict(c.arguments)) for c in part.inputs if isinstance(c, Command) and c.at <= 7.4]


def test_a_square_that_is_masked_is_masked_at_the_beginning_of_the_part() -> None:
    course = late(
        said(2.0, "mask", 1, square="h8"), said(2.5, "mask", 2, square="a1"), said(3.0, "unmask", 3, square="a1")
    )
    part = shown(course)
    assert isinstance(part.inputs[0], See)
    assert again(part) == [(7.4, "mask", {"square": "h8"})]
    assert {c.id for c in part.inputs if isinstance(c, Command)} == {"t-1-a1-again-1"}
    assert any(e["event"] == "command" and e["outcome"] == "done" for e in replayed(part))


def test_a_masked_square_that_reads_wrong_does_not_make_the_part_begin_earlier() -> None:
    course = late(said(2.0, "mask", 1, square="b8"))
    spoilt = [replace(i, rows=".?" + i.rows[2:]) if isinstance(i, See) and i.at >= 2 else i for i in course.inputs]
    assert spoilt != course.inputs
    assert moves(replayed(shown(replace(course, inputs=spoilt)))) == ["f2-e3"]


def test_an_adjustment_is_announced_again_for_the_side_that_has_not_moved_since() -> None:
    assert again(shown(late(said(6.9, "adjust", 1)))) == [(7.4, "adjust", {"side": "white"})]
    assert again(shown(late(said(4.0, "adjust", 1)))) == []
    assert again(shown(late(said(6.9, "adjust", 1, side="black")))) == []


def test_an_adjustment_of_some_seconds_is_announced_again_for_what_is_left_of_them() -> None:
    part = shown(late(said(2.0, "adjust", 1, side="black", seconds=9.0)))
    assert again(part) == [(7.4, "adjust", {"side": "black", "seconds": 3.6})]
    assert again(shown(late(said(2.0, "adjust", 1, seconds=5.0)))) == []


def test_the_button_of_a_side_is_pressed_again() -> None:
    course = late()
    inputs = sorted([*course.inputs, Button(6.9, "adjust", "white")], key=lambda item: item.at)
    part = shown(replace(course, inputs=inputs))
    assert part.inputs[1] == Button(7.4, "adjust", "white")


def test_a_refused_command_is_not_said_again() -> None:
    course = answered(played(LATER, BR), said(2.0, "mask", 1, square="h8"), "refused", "x")
    assert again(shown(having(course, alert(course, 1, 13.7, "touch_move", ply=3)))) == []


def test_a_part_of_the_whole_game_has_its_commands_once() -> None:
    course = answered(played(LATER, BR), said(2.0, "mask", 1, square="h8"))
    part = shown(having(course, alert(course, 1, 13.7, "flag_fallen", ply=3)))
    assert [c.id for c in part.inputs if isinstance(c, Command)] == ["c1"]


def test_a_part_behind_an_orientation_that_the_arbiter_told_has_it_in_its_header() -> None:
    board = TableBoard(BR, lies=180)
    inputs: list[Input] = [board.see(0.0), said(0.1, "orient", 1, turn=180)]
    for line in filter(str.strip, LATER.strip().splitlines()):
        time, happening = (cell.strip() for cell in line.split("|"))
        inputs += board.happen(1 + int(time) / 1000, happening)
    inputs.append(Tick(30.0))
    events = [event_object(event) for item in inputs for event in board.session.feed(item)]
    course = Course(BR, inputs, [e for e in events if e["event"] not in ("alert", "alert_closed")])
    part = shown(having(course, alert(course, 1, 13.7, "touch_move", ply=3, evidence={"from": 10.0})))
    assert (part.header.turn, part.inputs[0].at) == (180, 7.4)
    assert moves(replayed(part)) == ["f2-e3"]
    assert [line.values["square"] for line in part.account if line.key == "put_back"] == ["c3"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_board_has_its_evidence_as_well(turn: Any) -> None:
    course = played(LATER, replace(BR, turn=turn))
    part = shown(having(course, alert(course, 1, 13.7, "touch_move", ply=3)))
    assert moves(replayed(part)) == ["f2-e3"]


def test_an_alert_is_found_by_its_id_and_in_short_and_others_are_named_where_it_is_not() -> None:
    course = touched()
    assert found(course, "a1") == found(course, "t-1-a1")
    with pytest.raises(NoAlertError) as caught:
        found(course, "t-1-a2")
    assert caught.value.near == ("t-1-a1",)
    with pytest.raises(NoAlertError) as caught:
        found(replace(course, events=[]), "a1")
    assert caught.value.near == ()


def test_the_game_is_read_from_a_whole_id_only() -> None:
    assert game_of("table-1-20260131-2-a13") == "table-1-20260131-2"
    assert [game_of(text) for text in ("a3", "-a3", "table-1", "t-1-ax", "")] == [None] * 5


def test_an_alert_whose_inputs_were_never_written_has_an_account_all_the_same() -> None:
    course = replace(touched(), inputs=[])
    part = shown(course)
    assert part.inputs == ()
    assert part.account[0].key == "alert"


# --- every case of the reference that raises alerts


@cache
def cases() -> Any:
    path = Path(__file__).resolve().parents[3] / "shared" / "cases"
    spec = importlib.util.spec_from_file_location("run_cases", path / "run_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    files = sorted(path.glob("*.toml"))
    found = [case for file in files for case in tomllib.loads(file.read_text("utf-8")).get("case", [])]
    return [(case, module.recording(case)) for case in found]


def courses() -> list[tuple[str, Course]]:
    made = []
    for case, lines in cases():
        header = header_from(lines[0])
        inputs = [input_from(line) for line in lines[1:]]
        session = Session(header, shipped(header.regulation))
        events = [json.loads(json.dumps(event_object(e))) for item in inputs for e in session.feed(item)]
        made.append((case["id"], Course(header, inputs, events)))
    return made


def test_the_part_of_every_alert_of_the_cases_raises_it_again(shared: Path) -> None:
    missing = []
    for name, course in courses():
        for told in course.alerts:
            part = shown(course, told["id"])
            again = [(e["kind"], e["side"], e["squares"]) for e in replayed(part) if e["event"] == "alert"]
            if (told["kind"], told["side"], list(told["squares"])) not in again:
                missing.append((name, told["id"], told["kind"], told["squares"], again))
    assert missing == []


def test_the_accounts_of_the_cases_are_in_order_and_told_of_the_game(shared: Path) -> None:
    for _, course in courses():
        for told in course.alerts:
            lines = shown(course, told["id"]).account
            assert all(one.at <= other.at for one, other in pairwise(lines[1:-1]))
            assert [line.at for line in lines if line.key == "raised"] == [told["at"]]
