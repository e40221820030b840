"""What the squares of a picture look like, as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from decoding.vision.boards_seen import EMPTY, LOW, START, VIEW, shown

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.lighting import playing
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.sampling import FARTHEST, THICKNESS, expected_lean, leans, samples, viewpoint
from simulator.camera import LOOKS, Pose, Renderer, Scene, View

DARK = playing(8, 1)


def _plain(blue: int, green: int, red: int) -> tuple[Picture, Grid]:
    picture = np.empty((200, 200, 3), np.uint8)
    picture[:] = (blue, green, red)
    return picture, Grid.of_corners([[20, 20], [180, 20], [180, 180], [20, 180]], 8)


def test_colour_is_red_and_blue_beside_green() -> None:
    features = samples(*_plain(60, 100, 200)).features
    assert (features[..., 1] > 0.5).all()
    assert (features[..., 2] < -0.3).all()


def test_half_the_light_takes_the_same_from_all_squares_and_leaves_their_colours() -> None:
    seen = shown(START)
    half = (seen.picture * 0.55).astype(np.uint8)
    difference = samples(seen.picture, seen.grid).features - samples(half, seen.grid).features
    assert np.ptp(difference[..., 0]) < 0.12
    assert np.abs(difference[..., 1:3]).max() < 0.08


def test_a_few_pixels_of_something_else_change_nothing() -> None:
    seen = shown(EMPTY)
    picture = seen.picture.copy()
    for x, y in np.rint(seen.grid.centres).astype(int).reshape(-1, 2):
        picture[y - 2 : y + 3, x - 2 : x + 3] = (0, 255, 0)
    change = samples(picture, seen.grid).features - samples(seen.picture, seen.grid).features
    assert np.abs(change[..., :3]).max() < 0.1


def test_a_square_that_is_not_one_colour_has_more_texture() -> None:
    picture, grid = _plain(100, 100, 100)
    picture[:, 28:33] = 180
    features = samples(picture, grid).features
    assert (features[:, 0, 3] > features[:, 1, 3] + 1).all()


def test_squares_that_are_mostly_outside_the_picture_are_not_seen() -> None:
    picture, _ = _plain(100, 100, 100)
    grid = Grid.of_corners([[-35, 20], [125, 20], [125, 180], [-35, 180]], 8)
    assert samples(picture, grid).seen.tolist() == [[False, False] + [True] * 6] * 8


def test_overexposed_squares_are_told() -> None:
    picture, grid = _plain(100, 100, 100)
    picture[100:, :] = 255
    burnt = samples(picture, grid).burnt
    assert (burnt[4:] == 1).all()
    assert (burnt[:4] == 0).all()


def test_the_corners_of_a_square_show_it_whatever_stands_on_it() -> None:
    with_men, without = (samples(one.picture, one.grid).corners for one in (shown(START), shown(EMPTY)))
    assert np.abs(with_men - without)[DARK][:, 1:3].max() < 0.1
    assert np.abs(with_men - without)[DARK][:, 0].max() < 0.35


@pytest.mark.parametrize("elevation", [65, 40])
@pytest.mark.parametrize("focal", [0.6, 1.0])
def test_where_the_camera_is_comes_of_the_grid(elevation: float, focal: float) -> None:
    scene = Scene(8, LOOKS["wood"])
    renderer = Renderer(scene, View(Pose(elevation=elevation, azimuth=10, focal=focal), 640, 360))
    truth = renderer.truth(scene)
    below, height = viewpoint(truth.grid)
    eye = renderer.optics.eye / 45
    assert height == pytest.approx(eye[2], rel=0.03)
    away = np.hypot(*(below - 4))
    assert away == pytest.approx(np.hypot(eye[0], eye[1]), rel=0.03)


def test_men_lean_away_from_the_camera_and_the_farther_the_more() -> None:
    seen = shown(START, LOW)
    lean = expected_lean(seen.grid)
    near, far = leans(seen.grid, (lean[0] / 2, lean[1] / 2), [[4, 7.5], [4, 0.5]])
    assert np.hypot(*near) < np.hypot(*lean) / 2 < np.hypot(*far)
    farthest = leans(seen.grid, lean, [[4, 0.5], [0.5, 0.5], [7.5, 0.5]])
    assert np.hypot(farthest[:, 0], farthest[:, 1]).max() <= FARTHEST + 1e-9
    below, _ = viewpoint(seen.grid)
    assert np.dot(lean, 4 - below) > 0.95 * np.hypot(*lean) * np.hypot(*(4 - below))


def test_how_men_lean_is_seen_in_the_start_picture() -> None:
    seen = shown(START, LOW)
    lean = lean_of(seen.picture, seen.grid, seen.rows)
    expected = expected_lean(seen.grid)
    assert np.hypot(*lean) > THICKNESS
    assert np.hypot(lean[0] - expected[0], lean[1] - expected[1]) < 0.07
    assert np.hypot(*lean_of(*shown(START, View(Pose(elevation=89), 640, 360))[:3])) < 0.05


def test_men_that_lean_are_sampled_where_they_are_seen() -> None:
    seen = shown(START, LOW)
    men = np.array([[mark != "." for mark in line] for line in seen.rows.split("/")])
    upright = samples(seen.picture, seen.grid).features[men][:, 3]
    leaning = samples(seen.picture, seen.grid, lean_of(*seen[:3])).features[men][:, 3]
    assert np.median(leaning) < np.median(upright) - 0.2


def test_a_grid_that_was_met_before_is_sampled_anew_in_each_picture() -> None:
    one, other = shown(START, VIEW), shown(EMPTY, VIEW)
    first = samples(one.picture, one.grid).features
    assert not np.array_equal(first, samples(other.picture, one.grid).features)
    assert np.array_equal(first, samples(one.picture, one.grid).features)


def test_a_darker_picture_gives_the_same_numbers_but_for_the_light() -> None:
    seen = shown(START)
    light = samples(seen.picture, seen.grid)
    dark = samples((seen.picture // 4).astype(np.uint8), seen.grid)
    off = dark.features - light.features
    assert np.abs(off[..., 0] - np.log(1 / 4)).max() < 0.2
    assert np.abs(off[..., 1:3]).max() < 0.25
    assert np.median(np.abs(off[..., 1:3])) < 0.03


def test_what_may_be_added_to_a_pixel_counts_in_dark_pictures_only_and_most_where_they_are_darkest() -> None:
    seen = shown(START)
    assert (samples(seen.picture, seen.grid).grain == 0).all()
    dark = samples((seen.picture // 6).astype(np.uint8), seen.grid)
    assert (dark.grain > 0).all()
    by_light = dark.grain[..., 0].ravel()[np.argsort(dark.features[..., 0], axis=None)]
    assert by_light[:8].mean() > 2 * by_light[-8:].mean()


def test_colours_are_those_of_the_picture() -> None:
    seen = shown(START)
    plain = np.full_like(seen.picture, (40, 90, 160))
    assert np.allclose(samples(plain, seen.grid).colours, (160, 90, 40), atol=0.1)
    black = samples(np.zeros_like(seen.picture), seen.grid)
    assert np.allclose(black.colours, 0, atol=0.1)
    assert np.isfinite(black.features).all()
    assert np.isfinite(black.grain).all()
