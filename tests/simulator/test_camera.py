"""The rendered camera: what it shows is what it says it shows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.markers import markers_in, turn_of
from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL
from simulator.camera import LOOKS, Arm, CameraTable, Light, Loose, Piece, Place, Pose, Renderer, Scene, View, render
from simulator.camera.arms import arm_shadow
from simulator.camera.cards import corner_cards
from simulator.camera.negatives import NEGATIVES

cv2.setNumThreads(1)

EMPTY = Scene(8, LOOKS["wood"])
START = Scene.of_position(initial(BRAZILIAN), LOOKS["wood"])
SMALL = View(width=640, height=360, noise=0.0)


def corners_off(picture: np.ndarray, grid: Grid) -> float:
    """How far the crossings that OpenCV finds are from the grid's, cells, at most."""
    inner = grid.size - 1
    found, corners = cv2.findChessboardCornersSB(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (inner, inner))
    assert found
    true = grid.points[1:-1, 1:-1].reshape(-1, 2)
    away = np.linalg.norm(true[:, None] - corners.reshape(1, -1, 2), axis=2)
    return float(away.min(axis=1).max() / grid.cell)


@pytest.mark.parametrize(
    ("size", "look", "pose"),
    [
        (8, "wood", Pose(elevation=90)),
        (10, "green", Pose(elevation=60, azimuth=35, roll=4)),
        (12, "dark-frame", Pose(elevation=75, azimuth=200, bend=-0.08)),
        (8, "red-men", Pose(elevation=35, azimuth=-80)),
    ],
)
def test_the_grid_is_where_the_squares_are(size: int, look: str, pose: Pose) -> None:
    scene = replace(EMPTY, size=size, look=LOOKS[look], place=Place(6, -9, 5))
    picture, grid = render(scene, replace(SMALL, pose=pose, width=960, height=540))
    assert corners_off(picture, grid) < 0.05


@pytest.mark.parametrize(("azimuth", "turn"), [(5, 0), (95, 270), (175, 180), (-80, 90)])
def test_turning_the_pictures_rows_gives_whites_view(azimuth: float, turn: int) -> None:
    scene = replace(EMPTY, pieces={(0, 1): Piece("b"), (7, 6): Piece("w")})
    truth = Renderer(scene, replace(SMALL, pose=Pose(azimuth=azimuth))).truth(scene)
    assert truth.turn == turn
    seen = np.array([list(line) for line in truth.rows.split("/")])
    assert "/".join("".join(line) for line in np.rot90(seen, -turn // 90)) == scene.rows


@pytest.mark.parametrize(("azimuth", "mirrored"), [(100, False), (-80, False), (10, False), (175, False), (100, True)])
def test_what_stands_on_a_square_of_the_truths_rows_is_seen_there(azimuth: float, mirrored: bool) -> None:
    scene = replace(EMPTY, look=LOOKS["red-men"], pieces={(1, 2): Piece("b"), (6, 3): Piece("w")})
    view = replace(SMALL, pose=Pose(elevation=85, azimuth=azimuth), mirrored=mirrored)
    renderer = Renderer(scene, view)
    picture, truth = renderer.picture(scene), renderer.truth(scene)
    for row, line in enumerate(truth.rows.split("/")):
        for column, mark in enumerate(line):
            x, y = np.round(truth.grid.centres[row, column]).astype(int)
            blue, _, red = picture[y, x].astype(int)
            assert (mark == "b") == (red > blue + 60)
    dark = picture[
        tuple(np.round(truth.grid.centres[0, truth.parity if not mirrored else 1 - truth.parity])[::-1].astype(int))
    ]
    assert dark.max() < 100


def test_men_have_grooves_that_catch_the_light() -> None:
    view = replace(SMALL, pose=Pose(elevation=80, fill=3.0))
    grooved, plain = (render(replace(START, look=replace(LOOKS["wood"], rings=n)), view)[0] for n in (2, 0))
    assert np.abs(grooved.astype(int) - plain).max() > 25


def test_the_upper_side_of_a_man_leans_away_from_its_square() -> None:
    scene = replace(EMPTY, pieces={(1, 2): Piece("w")})
    king = replace(scene, pieces={(1, 2): Piece("W")})
    pose = Pose(elevation=40)
    empty, one, two = (render(s, replace(SMALL, pose=pose))[0].astype(int) for s in (EMPTY, scene, king))
    highest = [np.flatnonzero((np.abs(p - empty).sum(axis=2) > 60).any(axis=1))[0] for p in (one, two)]
    assert highest[1] < highest[0] - 2


def test_the_same_seed_makes_the_same_pictures() -> None:
    view = replace(SMALL, noise=3.0, jpeg=70, seed=5)
    one, other = Renderer(START, view), Renderer(START, view)
    first, second = one.picture(START), one.picture(START)
    assert np.array_equal(first, other.picture(START))
    assert np.array_equal(second, other.picture(START))
    assert not np.array_equal(first, second), "the noise of two pictures is not the same"
    assert not np.array_equal(first, Renderer(START, replace(view, seed=6)).picture(START))


def test_what_stands_still_is_drawn_as_if_it_were_drawn_anew() -> None:
    renderer = Renderer(START, SMALL)
    renderer.picture(START)
    moved = replace(START, pieces={**START.pieces, (4, 4): Piece("w", 3, -2)}, beside=(Loose("b", 230, 0, -18),))
    bumped = replace(moved, place=Place(10, 4, 3))
    for scene in (moved, bumped, START):
        assert np.array_equal(renderer.picture(scene), render(scene, SMALL)[0])


def test_light_gradient_and_white_balance() -> None:
    plain = render(EMPTY, SMALL)[0].astype(float)
    dark = render(EMPTY, replace(SMALL, light=Light(level=0.25)))[0].astype(float)
    assert dark.mean() / plain.mean() == pytest.approx(0.25 ** (1 / 2.2), abs=0.02)
    warm = render(EMPTY, replace(SMALL, white_balance=(0.5, 1.0, 1.0)))[0].astype(float)
    assert warm[..., 0].mean() / plain[..., 0].mean() == pytest.approx(0.5 ** (1 / 2.2), abs=0.02)
    assert abs(warm[..., 2] - plain[..., 2]).max() == 0
    side = render(EMPTY, replace(SMALL, light=Light(gradient=(0.5, 0.0))))[0] / np.maximum(plain, 1)
    assert side[:, 500:].mean() > 1.1 > 0.9 > side[:, :140].mean()
    person = render(EMPTY, replace(SMALL, light=Light(person=(0, -200, 150, 0.5))))[0].astype(float)
    assert person[300:, 220:420].mean() < 0.85 * plain[300:, 220:420].mean()
    assert person[:60].mean() > 0.97 * plain[:60].mean()


def test_half_the_table_in_the_shadow_of_something() -> None:
    plain = render(EMPTY, replace(SMALL, pose=Pose(elevation=90)))[0].astype(float)
    half = render(EMPTY, replace(SMALL, pose=Pose(elevation=90), light=Light(edge=(0, 0, 0.6))))[0] / plain
    assert half[:, :300].mean() > 0.98
    assert half[:, 340:].mean() == pytest.approx(0.4 ** (1 / 2.2), abs=0.02)


def test_a_camera_that_is_shaken_blurs_what_lies_across_its_movement() -> None:
    view = replace(SMALL, pose=Pose(elevation=90))
    still, shaken = (render(EMPTY, replace(view, shake=s))[0].astype(float) for s in ((0, 0), (8, 0)))
    across, along = ([np.abs(np.diff(p, axis=a)).max() for p in (still, shaken)] for a in (1, 0))
    assert across[1] < 0.5 * across[0]
    assert along[1] > 0.8 * along[0]


@pytest.mark.parametrize("on_light", [False, True])
@pytest.mark.parametrize("azimuth", [0, 90])
def test_the_parity_is_that_of_the_squares_that_are_played_on(on_light: bool, azimuth: float) -> None:
    scene = Scene.of_position(initial(BRAZILIAN), LOOKS["wood"], on_light=on_light)
    view = replace(SMALL, pose=Pose(elevation=85, azimuth=azimuth))
    truth = Renderer(scene, view).truth(scene)
    occupied = {(r + c) % 2 for r, line in enumerate(truth.rows.split("/")) for c, m in enumerate(line) if m != "."}
    assert occupied == {truth.parity}
    empty, grid = render(replace(scene, pieces={}), view)
    levels = [empty[tuple(np.round(grid.centres[0, c])[::-1].astype(int))].mean() for c in (0, 1)]
    played, other = levels[truth.parity], levels[1 - truth.parity]
    assert bool(played > other) is on_light


def test_noise_blur_and_compression() -> None:
    plain = render(EMPTY, SMALL)[0].astype(float)
    noisy = render(EMPTY, replace(SMALL, noise=4.0))[0].astype(float)
    assert (noisy - plain).std() == pytest.approx(4.0, abs=0.3)
    sharpness = [cv2.Laplacian(render(EMPTY, replace(SMALL, blur=b))[0], cv2.CV_64F).var() for b in (0.0, 1.5)]
    assert sharpness[1] < 0.3 * sharpness[0]
    packed = render(EMPTY, replace(SMALL, jpeg=60))[0].astype(float)
    assert 0.3 < np.abs(packed - plain).mean() < 5


def test_a_lamp_is_seen_in_glossy_men_and_in_no_others() -> None:
    lit = replace(SMALL, light=Light(glare=1.0, lamp=(0, -100)))
    for look, more in (("glossy", True), ("wood", False)):
        scene = replace(START, look=LOOKS[look])
        with_lamp, without = render(scene, lit)[0].astype(int), render(scene, SMALL)[0].astype(int)
        assert bool(((with_lamp - without) > 40).any()) is more


def test_a_hand_lies_over_the_board_holds_a_piece_and_throws_a_shadow() -> None:
    renderer = Renderer(START, SMALL)
    still = renderer.picture(START).astype(int)
    arm = Arm(0, 0, 20, (150, -900), skin=(60, 80, 250), sleeve=(250, 250, 250), holds="b")
    reaching = renderer.picture(replace(START, arms=(arm,))).astype(int)
    skin = (reaching[..., 2] > 150) & (reaching[..., 0] < 90)
    darker = (reaching.sum(axis=2) < 0.92 * still.sum(axis=2)) & ~skin
    assert skin.sum() > 2000
    assert darker.sum() > 2000
    fast = renderer.picture(replace(START, arms=(replace(arm, velocity=(1500.0, 0.0)),)))
    edges = [np.abs(np.diff(p.astype(int), axis=1)).max(axis=2)[skin[:, 1:]].mean() for p in (reaching, fast)]
    assert edges[1] < edges[0]
    assert np.array_equal(renderer.picture(START).astype(int), still), "nothing of the hand stays behind"


def test_a_hand_just_outside_the_picture_throws_no_shadow_into_it() -> None:
    pose = Pose(elevation=68.05908836705285, azimuth=-0.5984021603000205, roll=-0.7610019266053847)
    renderer = Renderer(replace(START, look=LOOKS["wood"]), View(pose))
    untouched = np.full((720, 1280, 3), 200, np.uint8)
    seen = untouched.copy()
    arm = Arm(-51.25006396186126, 326.83138734245875, 94.96103032471902, (-193.06252878283757, 1180.0))
    arm_shadow(renderer.optics, (arm,), Light(), seen)
    assert np.array_equal(seen, untouched)


def test_cards_are_read_and_say_how_the_board_lies() -> None:
    scene = replace(START, cards=corner_cards(8, START.look))
    view = View(Pose(elevation=62, azimuth=185, fill=0.8), 1280, 720)
    picture, grid = render(scene, view)
    found = markers_in(picture)
    assert [marker.id for marker in found] == [0, 1, 2, 3]
    assert turn_of(grid, found) == (180, False)


@pytest.mark.slow
def test_a_large_picture_of_a_large_board() -> None:
    scene = Scene.of_position(initial(INTERNATIONAL), LOOKS["green"])
    picture, grid = render(scene, View(width=4000, height=3000))
    assert picture.shape == (3000, 4000, 3)
    assert grid.size == 10
    assert len(scene.pieces) == 40


@pytest.mark.parametrize("name", NEGATIVES)
def test_pictures_that_show_no_board_are_the_same_each_time(name: str) -> None:
    picture = NEGATIVES[name](320, 240, 3)
    assert picture.shape == (240, 320, 3)
    assert np.array_equal(picture, NEGATIVES[name](320, 240, 3))


def test_a_piece_is_lifted_from_the_table_and_put_down() -> None:
    table = CameraTable(START, SMALL)
    before = table.picture()
    table.lift((5, 0))
    gone = table.picture()
    assert not np.array_equal(before, gone)
    with pytest.raises(ValueError, match="nothing stands on row 5, column 0"):
        table.lift((5, 0))
    table.put((5, 0), "w")
    assert np.array_equal(table.picture(), before)
    with pytest.raises(ValueError, match="a piece stands on row 5, column 0"):
        table.put((5, 0), "w")
    table.push(Place(20, 0, 0))
    assert table.truth.grid.corners[0][0] > Renderer(START, SMALL).truth(START).grid.corners[0][0] + 5
