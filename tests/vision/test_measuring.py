"""What the benchmark of the camera counts: the right squares, whichever corner a board is found from."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from benchmarks.vision_page import Results, page, sets_of
from benchmarks.vision_photos import Label, Seen
from benchmarks.vision_squares import Squares, compare, corner_error
from benchmarks.vision_tallies import Watched, watched_from

from damas_board.decoding.vision.grid import Grid

CORNERS = ((10.0, 10.0), (90.0, 12.0), (88.0, 92.0), (8.0, 90.0))
LABEL = Label("one", "set/one.jpg", 4, CORNERS, ".b.b/..../..../w.w.", 1, 2.0)


@pytest.mark.parametrize(
    ("first", "rows", "parity"),
    [
        (0, ".b.b/..../..../w.w.", 1),
        (1, "b.../...w/b.../...w", 0),
        (2, ".w.w/..../..../b.b.", 1),
        (3, "w.../...b/w.../...b", 0),
    ],
)
def test_the_rows_of_a_label_are_turned_to_the_corner_that_a_board_is_found_from(
    first: int, rows: str, parity: int
) -> None:
    found = Grid.of_corners(np.roll(np.array(CORNERS), -first, axis=0), LABEL.size)
    error, corner = corner_error(found, LABEL.corners)
    assert error < 1e-6
    assert (corner, LABEL.rows_from(corner), LABEL.parity_from(corner)) == (first, rows, parity)


def test_the_worst_corner_counts_in_squares() -> None:
    off = np.array(CORNERS)
    off[2] += (10, 0)
    assert corner_error(Grid.of_corners(off, 4), CORNERS)[0] == pytest.approx(10 / LABEL.cell)


def test_squares_are_counted_by_what_stands_on_them() -> None:
    found = compare(".wB/bW./..w", ".w./b?./b.b")
    assert found == Squares(Counter(empty=4, white=3, black=2), Counter(black=1, empty=1, white=1), Counter(white=1))


def test_what_was_kept_is_what_came_of_the_games() -> None:
    watched = Watched(1, 4, 1, unearned=Counter(held_piece=2), untold=Counter(DARK=1.5), delays=[0.5], faults=["one"])
    again = watched_from(json.loads(json.dumps(watched.kept())))
    assert again == watched
    again.add(watched)
    assert (again.games, again.unearned, again.untold, again.delays) == (
        2,
        {"held_piece": 4},
        {"DARK": 3.0},
        [0.5, 0.5],
    )


def test_the_page_takes_the_better_name_of_the_colours_for_a_whole_set_and_names_what_failed() -> None:
    def seen(name: str, alone: str, swapped: str) -> Seen:
        one, other = compare("w.b.", alone), compare("w.b.", swapped)
        return Seen(name, "set", True, 30.0, "lattice", 0.1, 0.1, 0.01, alone=one, alone_swapped=other)

    text = page(Results(photographs=[seen("a", "b.w.", "w.b."), seen("b", "b.wb", "w.bb")]), 5)
    assert (
        "| set | 2 | 2 | 0.10 (0.01) | **1** (1 of 4 empty, 0 of 2 white, 0 of 2 black) | 0 | 0 (0) | - | - |" in text
    )
    assert "- b (set), without a start picture: 1 empty wrong" in text
    assert "- a (set)" not in text


def test_a_picture_that_doubts_its_names_is_counted_by_its_own_and_told_of() -> None:
    def seen(alone: str, swapped: str, doubts: bool) -> Seen:
        one, other = compare("w.b.", alone), compare("w.b.", swapped)
        return Seen("a", "set", True, 30.0, "lattice", 0.1, alone=one, alone_swapped=other, doubts_names=doubts)

    same, unlike = ("w.b.", "b.w."), ("b.w.", "w.b.")
    found = sets_of([seen(*same, False), seen(*same, True), seen(*unlike, True)])["set"]
    assert (found.alone.wrong.total(), found.unlike) == (0, 1)
    assert sets_of([seen(*same, False), seen(*same, True), seen(*unlike, False)])["set"].alone.wrong.total() == 2
