"""Boards are found, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from decoding.vision.drawn_boards import drawn, error, posed
from numpy.typing import NDArray

from damas_board.decoding.vision.finding import find, from_clicks
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.markers import marker_bits
from damas_board.decoding.vision.picture import Picture
from simulator.camera import Arm, Light, Piece, Pose, Scene, View, render
from simulator.camera.cards import corner_cards
from simulator.camera.looks import LOOKS

cv2.setNumThreads(1)

QUARTER = 0.25
VIEW = View(Pose(elevation=62, azimuth=8), 640, 360, noise=2.0, jpeg=80)


def scene(look: str = "wood", size: int = 8, parity: int = 1, seed: int = 1, share: float = 0.5) -> Scene:
    """A board with men and kings on so many of its dark squares, off their middles."""
    random = np.random.default_rng(seed)
    pieces = {
        (r, c): Piece(str(random.choice(list("wwbbWB"))), *random.normal(0, 2, 2))
        for r in range(size)
        for c in range(size)
        if (r + c) % 2 == parity and random.random() < share
    }
    return Scene(size, LOOKS[look], pieces, 1 if parity else 0)


def posed_at(view: View = VIEW, **pose: float) -> View:
    return replace(view, pose=replace(view.pose, **pose))


def chequered(squares: int, side: int) -> NDArray[np.uint8]:
    """A picture with so many squares a side, as large as they are, in its middle."""
    row, column = np.indices((squares * side, squares * side)) // side
    picture = np.full((480, 640, 3), 120, dtype=np.uint8)
    top, left = (480 - squares * side) // 2, (640 - squares * side) // 2
    levels = np.where((row + column) % 2, 60, 200).astype(np.uint8)
    shown = picture[max(top, 0) : 480 - max(top, 0), max(left, 0) : 640 - max(left, 0)]
    shown[:] = levels[max(-top, 0) :, max(-left, 0) :][: shown.shape[0], : shown.shape[1], None]
    return picture


@pytest.mark.parametrize("size", [8, 10, 12])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_board_of_any_size_is_found_empty_and_full(size: int, share: float) -> None:
    picture, truth = render(scene("dark-frame", size, share=share), VIEW)
    found = find(picture)
    assert error(found.grid, truth) < 0.06
    assert found.how == "lattice"
    assert found.others == ()


@pytest.mark.parametrize(
    ("name", "look", "view"),
    [
        ("turned by thirty degrees", "wood", posed_at(roll=30)),
        ("from the side", "dark-frame", posed_at(elevation=28)),
        ("from above, from Black's side", "red-men", posed_at(elevation=88, azimuth=180)),
        ("nearly black", "wood", replace(VIEW, light=Light(level=0.02), noise=1.0)),
        ("a lamp in glossy squares", "glossy", replace(VIEW, light=Light(glare=2.0, lamp=(40, 40)))),
        ("half in the shadow", "green", replace(VIEW, light=Light(person=(-150, 0, 170, 0.8), softness=1))),
        ("squares that are equally grey", "red-green", VIEW),
        ("brown on brown", "brown-on-brown", replace(VIEW, light=Light(level=0.3))),
        ("out of focus", "wood", replace(VIEW, blur=2.0)),
        ("much compressed", "green", replace(VIEW, jpeg=20)),
        ("a small picture", "wood", replace(VIEW, width=320, height=180)),
        ("a barrel lens", "wood", posed_at(bend=-0.2, fill=0.8)),
        ("a corner outside the picture", "dark-frame", posed_at(roll=20, aside=(0.1, 0.1), fill=0.9)),
        ("mirrored", "wood", replace(VIEW, mirrored=True)),
    ],
)
def test_a_board_is_found_under_difficult_conditions(name: str, look: str, view: View) -> None:
    picture, truth = render(scene(look), view)
    assert error(find(picture, markers=False).grid, truth) < 0.1, name


def test_an_arm_over_a_corner_hides_no_board() -> None:
    arm = Arm(110, 120, 20, (60, 500))
    picture, truth = render(replace(scene(size=10), arms=(arm,)), VIEW)
    assert error(find(picture, markers=False).grid, truth) < 0.1


def test_an_arm_over_two_edges_makes_no_smaller_board_of_a_larger_one() -> None:
    arm = Arm(-130, -60, 10, (-150, 520))
    picture, truth = render(replace(scene("green", size=10), arms=(arm,)), VIEW)
    found = find(picture, markers=False)
    assert found.grid is None or error(found.grid, truth) < 0.1


def test_a_board_far_away_in_a_large_picture_is_found() -> None:
    truth = Grid.of_corners([[700, 300], [750, 303], [748, 352], [697, 350]], 8)
    assert error(find(drawn(truth, 1280, 720, pieces=0.4), markers=False).grid, truth) < 0.2


def test_twelve_megapixels_are_searched_small_and_refined_large() -> None:
    truth = posed(8, 21)
    large = np.asarray(cv2.resize(drawn(truth, pieces=0.5), (4000, 3000), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert error(find(large, markers=False).grid, truth.scaled(6.25)) < 0.05


def test_the_first_corner_is_the_one_nearest_to_the_picture_s_top_left() -> None:
    for roll in (-40, 0, 40):
        grid = find(render(scene(), posed_at(roll=roll))[0], markers=False).grid
        assert grid is not None
        assert int(np.argmin(grid.corners.sum(axis=1))) == 0
        sides = np.roll(grid.corners, -1, axis=0) - grid.corners
        assert sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0] > 0


def test_of_two_boards_the_larger_one_comes_first_and_the_other_is_told() -> None:
    left, large = render(scene(), replace(VIEW, width=480))
    right, small = render(scene("red-green", 10, seed=2), posed_at(replace(VIEW, width=400), fill=0.6))
    found = find(np.hstack([left, right]), markers=False)
    assert error(found.grid, large) < 0.25
    (other,) = found.others
    assert other.corners == pytest.approx(small.corners + np.array([480, 0]), abs=QUARTER * small.cell)


def test_with_a_grid_of_before_it_is_found_at_once_though_it_moved_by_a_square() -> None:
    picture, truth = render(scene(seed=3), VIEW)
    for rows, columns in ((0.0, 0.0), (0.2, -0.15), (1.0, 0.0), (0.0, -2.0)):
        shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1]])
        found = find(picture, near=Grid(8, truth.homography @ shift, truth.lens), markers=False)
        assert found.how == "near"
        assert error(found.grid, truth) < 0.05


def test_a_grid_of_before_that_is_somewhere_else_does_not_hinder() -> None:
    picture, truth = render(scene(seed=4), VIEW)
    found = find(picture, near=Grid.of_corners(truth.corners / 3, 8), markers=False)
    assert found.how == "lattice"
    assert error(found.grid, truth) < 0.05


def test_only_the_sizes_that_are_asked_for_are_found() -> None:
    picture, truth = render(scene(size=10), VIEW)
    assert error(find(picture, (10,), markers=False).grid, truth) < 0.05
    assert find(picture, (8,), markers=False).grid is None, "eight of ten squares may lie at nine places"


def test_no_board_is_no_board() -> None:
    random = np.random.default_rng(4)
    text = np.full((480, 640, 3), 235, dtype=np.uint8)
    for line in range(20, 480, 26):
        cv2.putText(text, "".join(random.choice(list("abcdefgh jklmno"), 40)), (10, line), 0, 0.8, (20, 20, 20), 2)
    stripes = np.zeros((480, 640, 3), dtype=np.uint8)
    stripes[:, (np.arange(640) // 40) % 2 == 0] = 220
    pictures: dict[str, Picture] = {
        "black": np.zeros((480, 640, 3), dtype=np.uint8),
        "dark noise": random.normal(3, 2, (240, 320, 3)).clip(0, 255).astype(np.uint8),
        "noise": random.integers(0, 256, (240, 320, 3)).astype(np.uint8),
        "text": text,
        "stripes": stripes,
        "a table without a board": np.ascontiguousarray(render(scene(), VIEW)[0][:60]),
        "one pixel": np.zeros((1, 1, 3), dtype=np.uint8),
        "a line": np.zeros((3, 2000, 3), dtype=np.uint8),
    }
    for name, picture in pictures.items():
        found = find(picture)
        assert (found.grid, found.how, found.others) == (None, None, ()), name


@pytest.mark.parametrize("squares", [6, 9, 14])
def test_a_chequered_thing_of_another_size_is_no_board(squares: int) -> None:
    assert find(chequered(squares, 50 if squares < 10 else 40), markers=False).grid is None


def test_a_chequered_picture_of_a_board_s_size_is_one() -> None:
    found = find(chequered(8, 50), markers=False)
    assert found.grid is not None
    assert found.score > 35


def test_four_clicks_in_any_order_are_pulled_onto_the_board() -> None:
    picture, truth = render(scene(seed=5), VIEW)
    random = np.random.default_rng(6)
    for _ in range(4):
        clicks = random.permutation(truth.corners + random.uniform(-0.3, 0.3, (4, 2)) * truth.cell)
        found = from_clicks(picture, clicks, 8)
        assert found.how == "clicks"
        assert error(found.grid, truth) < 0.05


def test_clicks_on_no_board_or_on_a_line_are_no_board() -> None:
    picture, truth = render(scene(), VIEW)
    for clicks in ([[0, 0], [10, 0], [20, 0], [30, 0]], [[5, 5], [5, 5], [5, 5], [5, 5]], truth.corners / 4):
        assert from_clicks(picture, clicks, 8).grid is None


def test_four_cards_show_a_board_whose_crossings_are_all_hidden() -> None:
    truth = Grid.of_corners([[140, 60], [500, 60], [500, 420], [140, 420]], 8)
    picture = drawn(truth)
    for x, y in truth.points.reshape(-1, 2).round().astype(int).tolist():
        cv2.circle(picture, (x, y), 8, (90, 140, 60), -1)
    assert find(picture).grid is None
    for number, (x, y) in enumerate(((60, 420), (540, 420), (540, 20), (60, 20))):
        card = np.where(np.pad(marker_bits(number), 1), 20, 235).repeat(6, 0).repeat(6, 1)
        picture[y : y + 48, x : x + 48] = card[:, :, None]
    found = find(picture)
    assert found.how == "markers"
    assert error(found.grid, truth) < 0.05


def test_cards_beside_the_board_are_told_with_it() -> None:
    cards = corner_cards(8, LOOKS["green"])
    picture, truth = render(
        replace(scene("green"), cards=cards), posed_at(replace(VIEW, width=960, height=720), fill=0.65)
    )
    found = find(picture)
    assert error(found.grid, truth) < 0.05
    assert [card.id for card in found.markers] == [0, 1, 2, 3]
    assert find(picture, markers=False).markers == ()


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((0, 0, 3), dtype=np.uint8),
        np.zeros((48, 64), dtype=np.uint8),
        np.zeros((48, 64, 4), dtype=np.uint8),
        np.zeros((48, 64, 3), dtype=np.uint16),
    ],
)
def test_what_is_no_picture_is_refused_by_saying_what_one_is(picture: Picture) -> None:
    with pytest.raises(ValueError, match="a picture is height x width x 3 of uint8"):
        find(picture)
    with pytest.raises(ValueError, match="a picture is height x width x 3 of uint8"):
        from_clicks(picture, [[0, 0], [40, 0], [40, 40], [0, 40]], 8)
