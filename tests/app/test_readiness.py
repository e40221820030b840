"""Whether a board is ready, from what it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from damas_board.app.camera_readiness import CameraReadiness
from damas_board.app.readiness import Readiness
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Link, See

REGULATION = shipped("br-cbjd")
HEADER = Header("table-1", "br-cbjd")
SQUARES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh" if (ord(column) + row) % 2 == 0]
START = {square: "o" for square in SQUARES if square[1] in "123678"}


def rows(pieces, turned=False):
    """The rows of a board with these pieces on it; `turned`: seen from the other side."""
    marks = [[pieces.get(f"{column}{row}", ".") for column in "abcdefgh"] for row in range(8, 0, -1)]
    if turned:
        marks = [line[::-1] for line in marks[::-1]]
    return "/".join("".join(line) for line in marks)


def looked_at(*boards, header=HEADER, earlier=(), turned=False, every=1.0):
    readiness = Readiness(header, REGULATION, earlier)
    for number, pieces in enumerate(boards):
        readiness.take(See(number * every, rows(pieces, turned)))
    return readiness


def found(readiness, check):
    return next(finding for finding in readiness.findings() if finding.check == check)


BOTH_WAYS = (dict.fromkeys(SQUARES, "o"), {})


def test_a_board_that_showed_every_square_both_ways_and_its_start_position_and_the_square_asked_for_is_ready():
    without_a1 = {square: mark for square, mark in START.items() if square != "a1"}
    readiness = looked_at(*BOTH_WAYS, START, without_a1, START)
    assert [(f.check, f.verdict) for f in readiness.findings()] == [
        ("sensors", "ok"),
        ("setup", "ok"),
        ("orientation", "ok"),
    ]


def test_squares_that_were_not_seen_both_ways_are_listed_by_name():
    finding = found(looked_at(START), "sensors")
    assert (finding.verdict, finding.key) == ("unproven", "unseen")
    assert finding.facts == {"seen": 0, "of": 32, "squares": " ".join(SQUARES)}
    one_left = {square: "o" for square in SQUARES if square != "d4"}
    finding = found(looked_at(one_left, START, {}), "sensors")
    assert finding.facts == {"seen": 31, "of": 32, "squares": "d4"}


def test_what_earlier_games_showed_counts_for_the_sensors_but_not_for_the_set_up():
    readiness = looked_at(START, earlier=[rows(pieces) for pieces in BOTH_WAYS])
    assert found(readiness, "sensors").verdict == "ok"
    assert found(looked_at({}, earlier=[rows(START)]), "setup").verdict == "wrong"


def test_a_position_that_is_not_the_start_says_what_to_put_and_what_to_clear():
    pieces = {square: mark for square, mark in START.items() if square != "c3"} | {"d4": "o"}
    finding = found(looked_at(pieces), "setup")
    assert (finding.verdict, finding.facts) == ("wrong", {"put": "c3", "clear": "d4"})


def test_a_piece_lifted_from_the_square_opposite_the_one_asked_for_shows_a_board_the_wrong_way_round():
    without_a1 = {square: mark for square, mark in START.items() if square != "a1"}
    finding = found(looked_at(START, without_a1, START, turned=True), "orientation")
    assert (finding.verdict, finding.facts) == ("wrong", {"turn": 180})


def test_a_piece_lifted_elsewhere_shows_nothing():
    without_c3 = {square: mark for square, mark in START.items() if square != "c3"}
    finding = found(looked_at(START, without_c3, START), "orientation")
    assert (finding.verdict, finding.facts) == ("unproven", {"square": "a1"})


def test_a_board_that_is_not_set_up_yet_is_not_asked_about_by_its_missing_pieces():
    only_a1_missing = {square: mark for square, mark in START.items() if square != "a1"}
    assert found(looked_at({}, only_a1_missing), "orientation").verdict == "unproven"


@pytest.mark.parametrize(("turned", "verdict"), [(False, "ok"), (True, "wrong")])
def test_a_board_that_senses_colour_shows_by_itself_how_it_lies(turned, verdict):
    coloured = {square: "w" if square[1] in "123" else "b" for square in START}
    readiness = looked_at(coloured, header=replace(HEADER, senses="colour"), turned=turned)
    assert readiness.asked is None
    assert found(readiness, "orientation").verdict == verdict
    assert found(readiness, "setup").verdict == ("wrong" if turned else "ok")


def test_a_sensor_that_flickers_is_named():
    boards = []
    for _ in range(8):
        boards += [START, {square: mark for square, mark in START.items() if square != "c3"}]
    finding = found(looked_at(*boards, every=0.1), "sensors")
    assert (finding.verdict, finding.facts) == ("wrong", {"squares": "c3"})


def test_pieces_that_are_moved_by_hand_are_no_flicker():
    boards = []
    for _ in range(8):
        boards += [START, {square: mark for square, mark in START.items() if square != "c3"}]
    assert found(looked_at(*boards, every=0.4), "sensors").key == "unseen"


def test_a_square_that_cannot_be_read_is_named():
    finding = found(looked_at(START | {"c3": "?"}), "sensors")
    assert (finding.verdict, finding.facts) == ("wrong", {"squares": "c3"})


def test_a_board_whose_link_is_lost_is_not_ready_whatever_it_showed():
    readiness = looked_at(START)
    readiness.take(Link(2.0, "lost", "port_lost"))
    assert [(f.check, f.verdict) for f in readiness.findings()] == [("board", "wrong")]
    readiness.take(Link(3.0, "back"))
    assert found(readiness, "setup").verdict == "ok"


def test_a_board_that_has_shown_nothing_is_not_ready():
    assert [f.key for f in Readiness(HEADER, REGULATION).findings()] == ["lost"]


def test_nobody_has_to_lift_a_piece_for_a_camera():
    coloured = {square: "w" if square[1] in "123" else "b" for square in START}
    for pieces, verdicts in (
        (coloured, [("camera", "ok"), ("setup", "ok"), ("orientation", "ok")]),
        (coloured | {"c3": ".", "d4": "w"}, [("camera", "ok"), ("setup", "wrong")]),
    ):
        readiness = CameraReadiness(HEADER, REGULATION, 20.0, alone=True)
        readiness.take(See(1.0, rows(pieces), by="camera"))
        assert [(f.check, f.verdict) for f in readiness.findings()] == verdicts
