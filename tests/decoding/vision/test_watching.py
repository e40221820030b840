"""What a Watcher tells of rendered tables."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from decoding.vision.filmed import (
    LATER,
    MIRRORED,
    RATE,
    START,
    Film,
    hand,
    noise,
    profile,
    renderer,
    rows,
    scene,
    statuses,
)

from damas_board.decoding.vision.calibrating import profile_of
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.trembling import Tremor
from damas_board.decoding.vision.watching import Observation, Seen, Status, Watcher
from simulator.camera import LOOKS, Place, Pose, Scene, View, VirtualCamera, render
from simulator.games import PlayedGame, shipped


def test_a_still_table_is_told_once() -> None:
    film = Film()
    assert [type(one) for one in film.opening] == [Status, Seen]
    assert statuses(film.opening) == ["OK"]
    assert rows(film.opening) == [START]
    assert film.run(2).told() == []


def test_a_board_that_is_not_in_the_start_position_is_read_from_the_beginning() -> None:
    assert rows(Film(begins=scene(LATER)).opening) == [LATER]


def test_a_camera_that_was_nudged_since_it_was_calibrated_is_no_hindrance() -> None:
    film = Film(begins=scene(LATER, x=9, y=-6, turned=2))
    assert rows(film.opening) == [LATER]
    assert film.off() < 0.05


def test_a_mirrored_camera_is_read_the_right_way_round() -> None:
    assert rows(Film(MIRRORED, scene(LATER)).opening) == [LATER]


def test_a_bump_of_a_centimetre_changes_nothing_that_is_told() -> None:
    film = Film()
    film.run(1.5, scene(x=10))
    assert film.told() == []
    assert film.off() < 0.05
    assert rows(film.run(1, scene(LATER, x=10)).told())[-1] == LATER


@pytest.mark.parametrize(("x", "y"), [(45, 0), (0, -45), (90, 0), (45, 45)])
def test_a_bump_by_exactly_whole_squares_is_caught(x: float, y: float) -> None:
    film = Film(begins=scene(LATER))
    film.run(1.5, scene(LATER, x=x, y=y))
    assert set(rows(film.told())) <= {LATER}
    assert film.off() < 0.05


def test_a_board_that_is_slowly_turned_is_moved_and_read_again_when_it_rests() -> None:
    film = Film()
    film.run(1.5, lambda share: scene(turned=12 * share))
    assert statuses(film.told()) == ["MOVED"]
    told = film.run(1).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])
    assert film.off() < 0.05


def test_a_board_that_is_turned_about_while_nobody_sees_it_is_read_by_what_stands_on_it() -> None:
    film = Film(begins=scene(LATER))
    for number in range(54):
        film.show(noise(number))
    assert statuses(film.told())[-1] == "NO_BOARD"
    told = film.run(2, replace(scene(LATER), place=Place(4, 3, 180))).told()
    assert (statuses(told), rows(told)) == (["OK"], [LATER])


def test_squares_under_a_hand_are_not_known_and_no_other_mark_changes() -> None:
    film = Film()
    told = film.run(2.5, lambda share: hand(60, -260 + 320 * min(4 * share, 4 - 4 * share, 1))).run(0.5, scene()).told()
    assert statuses(told) == []
    assert any("?" in one for one in rows(told))
    for one in rows(told):
        assert all(mark in (was, "?") for mark, was in zip(one, START, strict=True))
    assert rows(told)[-1] == START


def test_a_man_that_is_lifted_for_a_quarter_of_a_second_is_told() -> None:
    film = Film()
    lifted = START[:-2] + ".."
    assert rows(film.run(0.25, scene(lifted)).run(0.5, scene()).told()) == [lifted, START]


def test_what_one_picture_shows_is_not_told() -> None:
    film = Film()
    assert film.run(1 / 12, scene(LATER)).run(0.5, scene()).told() == []


def test_a_shadow_that_passes_is_no_hand() -> None:
    film = Film()
    film.run(2, light=lambda share: replace(film.light, person=(-300 + 600 * share, -60, 180, 0.5)))
    assert film.told() == []


@pytest.mark.parametrize(("level", "colour"), [(0.5, (0.8, 0.95, 1.1)), (1.2, (0.75, 0.95, 1.05)), (0.15, (1, 1, 1))])
def test_another_lamp_changes_no_mark(level: float, colour: tuple[float, float, float]) -> None:
    film = Film()
    told = film.run(1.5, light=replace(film.light, level=level, colour=colour)).told()
    assert statuses(told) == []
    assert all(mark in (was, "?") for one in rows(told) for mark, was in zip(one, START, strict=True))


@pytest.mark.parametrize("level", [0.0005, 0.004])
def test_a_black_picture_is_dark_and_no_mark_is_read_from_it(level: float) -> None:
    film = Film()
    told = film.run(2, light=replace(film.light, level=level)).told()
    assert statuses(told) == ["DARK"]
    assert all(mark in (was, "?") for one in rows(told) for mark, was in zip(one, START, strict=True))
    told = film.run(1, light=film.light).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])


@pytest.mark.parametrize("each", [1, 4])
def test_what_hinders_now_in_this_way_now_in_that_is_told_all_the_same(each: int) -> None:
    film = Film()
    for number in range(60):
        dark = number // each % 2
        film.show(noise(number) // 30 if dark else np.asarray(cv2.blur(noise(number), (9, 9)), dtype=np.uint8))
    hindered = statuses(film.told())
    assert hindered
    assert "OK" not in hindered
    told = film.run(2).told()
    assert (statuses(told), rows(told)[-1]) == (["OK"], START)


def test_one_and_the_same_picture_for_seconds_is_a_frozen_camera() -> None:
    film = Film()
    picture = renderer().picture(scene())
    for _ in range(50):
        film.show(picture)
    assert statuses(film.told()) == ["FROZEN"]
    told = film.run(1).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])


def test_a_camera_that_is_known_to_have_noise_and_comes_back_frozen_is_noticed() -> None:
    tremor = Tremor()
    for number in range(12):
        tremor.look(noise(number + 1), noise(number))
    watcher, picture = Watcher(profile(), tremor), renderer().picture(scene())
    told = [item for number in range(50) for item in watcher.look(picture, number / RATE)]
    assert statuses(told) == ["FROZEN"]


def test_a_camera_without_noise_is_not_frozen_while_nothing_moves() -> None:
    start, later = (renderer().picture(scene(shown)) for shown in (START, LATER))
    reaching = []
    for number in range(12):
        reaching.append(later.copy())
        reaching[-1][:, 240 + number : 400 - number] = 100 + number
    watcher = Watcher(profile())
    told = []
    for number, picture in enumerate([start] * 60 + reaching + [later] * 60):
        told += watcher.look(picture, number / RATE)
    assert "FROZEN" not in statuses(told)
    assert (rows(told)[0], rows(told)[-1]) == (START, LATER)


def test_a_board_that_is_taken_away_and_put_back_is_missed_and_found() -> None:
    film = Film()
    for number in range(54):
        film.show(np.asarray(cv2.blur(noise(number), (9, 9)), dtype=np.uint8))
    assert statuses(film.told())[-1] == "NO_BOARD"
    assert film.watcher.grid is None
    told = film.run(2, scene(LATER, x=12, turned=-3)).told()
    assert (statuses(told), rows(told)) == (["OK"], [LATER])


def test_the_neighbours_board_is_never_taken_for_ours_while_ours_is_covered_or_away() -> None:
    view = View(Pose(elevation=70, fill=0.62), 960, 540)
    tables = [
        replace(Scene.of_rows(rows, LOOKS["wood"]), place=Place(-235, 0, 2), second=Place(235, 12, -3))
        for rows in (START, LATER)
    ]
    ours, neighbours = (render(table, view)[0] for table in tables)
    alone = ours.copy()
    alone[:, 480:] = alone[4:5, 4:5]
    watcher = Watcher(profile_of([alone], START))
    both = np.hstack([ours[:, :480], neighbours[:, 480:]])
    away = both.copy()
    away[:, :480] = away[4:5, 4:5]
    told: list[Observation] = []
    for number, picture in enumerate([both] * 15 + [away] * 96 + [both] * 36):
        grain = np.random.default_rng(number).integers(0, 3, picture.shape, dtype=np.uint8)
        told += watcher.look(np.asarray(cv2.add(picture, grain), dtype=np.uint8), number / 12)
    assert statuses(told)[0] == statuses(told)[-1] == "OK"
    assert "NO_BOARD" in statuses(told)
    assert set(rows(told)) == {START}


def test_a_table_without_a_board_is_told_at_once() -> None:
    watcher = Watcher(profile())
    told = [one for number in range(15) for one in watcher.look(noise(number), number / 12)]
    assert told == [Status(1.0, "NO_BOARD")]


def test_doubt_is_told_in_whites_view_and_sums_to_one() -> None:
    film = Film()
    told = film.run(1.5, light=replace(film.light, level=1.9, colour=(0.6, 0.9, 1.2))).told()
    for one in told:
        if isinstance(one, Seen) and one.doubt:
            for (row, column), likelihoods in one.doubt.items():
                assert one.rows.split("/")[row][column] == "?"
                assert sum(likelihoods.values()) == pytest.approx(1, abs=0.01)


def test_another_size_of_pictures_is_taken_as_the_same_view() -> None:
    film = Film()
    large = renderer(replace(renderer().view, width=960, height=540)).picture(scene(LATER))
    noisy = np.random.default_rng(0)
    told = []
    for number in range(20):
        picture = np.clip(large + noisy.integers(-2, 3, large.shape), 0, 255).astype(np.uint8)
        told += film.watcher.look(picture, 5 + number / 12)
    assert rows(told)[-1] == LATER


def test_the_profile_goes_with_the_board() -> None:
    film = Film()
    before = film.watcher.profile.grid
    film.run(1, scene(x=20))
    assert film.watcher.profile.grid != before
    assert rows(Film(begins=scene(LATER, x=20)).opening) == [LATER]


def test_a_picture_with_too_much_light_is_a_glare() -> None:
    film = Film()
    told = film.run(2.5, light=replace(film.light, level=6.0)).told()
    assert statuses(told) == ["GLARE"]
    told = film.run(1, light=film.light).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])


def test_a_picture_out_of_focus_is_unstable_and_the_board_is_not_lost() -> None:
    film = Film()
    for _ in range(50):
        film.show(np.asarray(cv2.blur(renderer().picture(scene()), (43, 43)), dtype=np.uint8))
    assert statuses(film.told()) == ["UNSTABLE"]
    told = film.run(1).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])


def _papered(rows_covered: float) -> Picture:
    """The table with a newspaper over so many rows of the board, from its far edge."""
    picture = renderer().picture(scene()).copy()
    points = renderer().truth(scene()).grid.pixels([[-1, -1], [9, -1], [9, rows_covered], [-1, rows_covered]])
    cv2.fillConvexPoly(picture, np.rint(points).astype(np.int32), (215, 225, 230))
    return picture


@pytest.mark.parametrize("rows_covered", [5, 7])
def test_a_newspaper_over_most_of_the_board_is_told_and_nothing_else(rows_covered: float) -> None:
    film = Film()
    for _ in range(20):
        film.show(_papered(rows_covered))
    told = film.told()
    assert statuses(told) == ["OCCLUDED"]
    assert all(mark in (was, "?") for one in rows(told) for mark, was in zip(one, START, strict=True))
    told = film.run(1).told()
    assert (statuses(told), rows(told)) == (["OK"], [START])


@pytest.mark.parametrize(("condition", "plies"), [("club", 5), ("oblique", 4)])
def test_what_is_told_of_a_game_is_what_stood_there_whenever_the_hands_are_gone(condition: str, plies: int) -> None:
    whole = shipped("portuguese")
    game = PlayedGame(whole.start, whole.moves[:plies], whole.name)
    camera = VirtualCamera(game, "club", condition, 7, frames="changes", width=640, height=360)
    watcher, told, quiet, compared = None, "", 0, []
    for at, picture in camera:
        if watcher is None:
            watcher = Watcher(profile_of([picture], camera.rows_at(at)))
        told = [told, *rows(watcher.look(picture, at))][-1]
        quiet = quiet + 1 if camera.clear_at(at) else 0
        if quiet == 6:
            compared.append((told, camera.rows_at(at)))
    assert len(compared) > 2
    assert all(seen == stood for seen, stood in compared)
