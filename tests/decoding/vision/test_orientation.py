"""How a board lies in a picture of its start position, or why that cannot be told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from decoding.vision.boards_seen import LATER, LOW, START, VIEW, Shown, shown

from damas_board.decoding.vision.orientation import OrientationError, orient, seen_rows, start_rows, turned
from damas_board.decoding.vision.profile import Parity, Turn
from damas_board.decoding.vision.sampling import expected_lean, samples
from damas_board.rules.variants import VARIANTS
from simulator.camera import Light, Pose, View

PORTUGUESE = start_rows(VARIANTS["portuguese"])


def _orient(seen: Shown, start: str = START) -> tuple[Parity, Turn]:
    found = orient(samples(seen.picture, seen.grid, expected_lean(seen.grid)), start)
    assert not found.mirrored
    assert found.confidence > 0.95
    return found.parity, found.turn


def _refused(seen: Shown, start: str = START) -> OrientationError:
    with pytest.raises(OrientationError) as caught:
        _orient(seen, start)
    return caught.value


@pytest.mark.parametrize(("azimuth", "turn"), [(5, 0), (95, 90), (185, 180), (275, 270)])
def test_from_every_side_of_the_table(azimuth: float, turn: Turn) -> None:
    seen = shown(START, View(Pose(elevation=60, azimuth=azimuth), 640, 360))
    assert seen.rows == seen_rows(START, _orient(seen)[1])
    assert _orient(seen)[1] in (turn, (360 - turn) % 360)
    assert _orient(seen)[0] == seen.parity


@pytest.mark.parametrize("variant", ["portuguese", "international", "canadian"])
def test_other_corners_and_sizes(variant: str) -> None:
    start = start_rows(VARIANTS[variant])
    parity: Parity = 0 if variant == "portuguese" else 1
    seen = shown(start, parity=parity)
    assert _orient(seen, start) == (parity, 0)


@pytest.mark.parametrize("look", ["red-green", "brown-on-brown", "red-men"])
def test_boards_of_all_colours(look: str) -> None:
    assert _orient(shown(START, LOW, look=look)) == (1, 0)


def test_in_the_evening() -> None:
    evening = replace(VIEW, light=Light(level=0.25, colour=(0.62, 0.86, 1.1), gradient=(-0.25, 0.2)), noise=3)
    assert _orient(shown(START, evening)) == (1, 0)


def test_a_man_that_is_missing_or_elsewhere_is_named() -> None:
    moved = START.replace("w.w.w.w.", "..w.w.w.", 1).replace("......../w", "......../w", 1)
    error = _refused(shown(moved))
    assert (error.key, error.squares) == ("not_start", ((5, 0),))
    later = _refused(shown(LATER))
    assert later.key == "not_start"
    assert len(later.squares) >= 8


def test_men_of_the_wrong_colour_in_one_place_are_named() -> None:
    error = _refused(shown(START.replace("b.b.b.b.", "b.b.w.b.", 1)))
    assert (error.key, error.squares) == ("not_start", ((1, 4),))


def test_a_mirrored_picture_and_a_board_turned_by_a_quarter_have_the_wrong_corner() -> None:
    mirrored = shown(START, replace(VIEW, mirrored=True))
    assert _refused(mirrored).key == "wrong_corner"
    assert _refused(shown(PORTUGUESE, parity=0)).key == "wrong_corner"
    assert _orient(shown(PORTUGUESE, parity=0), PORTUGUESE) == (0, 0)


def test_men_on_the_light_squares_of_a_board_that_lies_right_have_the_wrong_colour() -> None:
    assert _refused(shown(PORTUGUESE, parity=1)).key == "wrong_colour"


def test_men_on_the_light_squares_of_a_board_turned_by_a_quarter_are_where_they_belong() -> None:
    assert _orient(shown(START, parity=0)) == (1, 0)


def test_no_men_are_no_start_position() -> None:
    assert _refused(shown("/".join(["........"] * 8))).key == "not_start"


def test_a_game_on_all_squares_has_none_that_are_never_occupied() -> None:
    assert _refused(shown(START), start_rows(VARIANTS["turkish"])).key == "every_square"


def test_turning_clockwise_gives_whites_view() -> None:
    rows = "w../.../..b"
    assert turned(rows, 90) == "..w/.../b.."
    assert turned(rows, 180) == "b../.../..w"
    assert all(turned(seen_rows(rows, turn), turn) == rows for turn in (0, 90, 180, 270))


def test_start_rows_have_blacks_side_first() -> None:
    assert START == ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."
    assert PORTUGUESE.startswith("b.b.b.b./")
    assert np.array([list(line) for line in start_rows(VARIANTS["canadian"]).split("/")]).shape == (12, 12)


def test_a_board_that_is_partly_outside_the_picture_is_refused_with_the_squares() -> None:
    seen = shown(START)
    right = int(seen.grid.pixels([7.2, 4])[0])
    error = _refused(seen._replace(picture=np.ascontiguousarray(seen.picture[:, :right])))
    assert error.key == "not_start"
    assert {column for _, column in error.squares} == {7}
