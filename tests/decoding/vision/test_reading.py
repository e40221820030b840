"""What stands on the squares of rendered boards, and that what is not certain is not told."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from decoding.vision.boards_seen import EMPTY, LATER, LOW, START, STILL, VIEW, Shown, shown, taught

from damas_board.decoding.vision.lighting import playing
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.reading import ReadAlone, read, read_alone
from damas_board.decoding.vision.sampling import expected_lean, samples
from simulator.camera import LOOKS, Light, Piece, Pose, Renderer, Scene, View, render

DARK = playing(8, 1)
EVENING = View(VIEW.pose, 640, 360, light=Light(level=0.25, colour=(0.62, 0.86, 1.1), gradient=(-0.25, 0.2)), noise=3)
PRESSED = View(VIEW.pose, 640, 360, jpeg=60, blur=0.6)
LENS = replace(VIEW, pose=replace(VIEW.pose, bend=-0.08, azimuth=200))


def _wrong(seen: Shown, rows: str) -> list[tuple[str, str]]:
    pairs = zip(seen.rows.lower().replace("/", ""), rows.replace("/", ""), strict=True)
    return [(true, mark) for true, mark in pairs if true != mark]


def _over(seen: Shown, row: int, column: int, colour: tuple[int, int, int], reach: int = 16) -> Picture:
    """The picture with a patch of that colour on a square."""
    picture = seen.picture.copy()
    x, y = np.rint(seen.grid.pixels([column + 0.5, row + 0.5])).astype(int)
    picture[y - reach : y + reach, x - reach : x + reach] = colour
    return picture


@pytest.mark.parametrize("view", [VIEW, LOW, EVENING, PRESSED, LENS], ids=["usual", "low", "evening", "jpeg", "lens"])
@pytest.mark.parametrize("look", ["wood", "dark-frame"])
def test_one_start_picture_is_enough_to_read_everything(view: View, look: str) -> None:
    seen = shown(LATER, view, look=look)
    reading = taught(view, look).read(seen)
    assert _wrong(seen, reading.rows) == []
    assert reading.confidence > 0.98


@pytest.mark.parametrize("look", ["green", "red-green", "red-men", "brown-on-brown"])
def test_boards_of_other_colours_are_read_as_well(look: str) -> None:
    seen = shown(LATER, look=look)
    assert _wrong(seen, taught(look=look).read(seen).rows) == []


@pytest.mark.parametrize(
    "light",
    [
        replace(STILL, level=0.3),
        replace(STILL, level=1.3),
        replace(STILL, colour=(0.75, 0.92, 1.05)),
        replace(STILL, gradient=(0.3, -0.2)),
        replace(STILL, person=(60.0, 40.0, 150.0, 0.5)),
        replace(STILL, strength=0.6, azimuth=20, elevation=30),
    ],
    ids=["darker", "brighter", "warmer", "sloped", "shadow", "from the side"],
)
def test_light_that_has_changed_makes_no_mark_wrong(light: Light) -> None:
    seen = shown(LATER, light=light)
    wrong = _wrong(seen, taught().read(seen).rows)
    assert [pair for pair in wrong if pair[1] != "?"] == []
    assert len(wrong) <= 1


def _pressed(picture: Picture) -> Picture:
    pressed = cv2.imdecode(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 80))[1], cv2.IMREAD_COLOR)
    return np.asarray(pressed, dtype=np.uint8)


@pytest.mark.parametrize("black", [0, 3, -2])
@pytest.mark.parametrize("look", ["wood", "dark-frame", "red-men"])
def test_a_very_dark_picture_is_read_by_what_a_light_one_taught(look: str, black: int) -> None:
    for level, unsure in ((0.15, 2), (0.05, 3), (0.03, 8)):
        seen = shown(LATER, replace(VIEW, noise=2.5), replace(STILL, level=level), look=look)
        lifted = np.clip(seen.picture.astype(int) + black, 0, 255).astype(np.uint8)
        wrong = _wrong(seen, taught(look=look).read(seen._replace(picture=_pressed(lifted))).rows)
        assert [pair for pair in wrong if pair[1] != "?"] == []
        assert len(wrong) <= unsure


def _garish(picture: Picture, by: float) -> Picture:
    """All its colours so many times farther from grey."""
    grey = picture.mean(axis=2, keepdims=True)
    return _pressed(np.clip(grey + by * (picture - grey), 0, 255).astype(np.uint8))


def test_where_a_dark_picture_has_other_colours_men_are_told_by_what_they_have_in_common() -> None:
    for rows, look, by in ((LATER, "red-men", 2.6), (WHITE_ONLY, "red-men", 1.8), (WHITE_ONLY, "green", 1.8)):
        seen = shown(rows, replace(VIEW, noise=2.5), replace(STILL, level=0.03), look=look)
        reading = taught(look=look).read(seen._replace(picture=_garish(seen.picture, by)))
        assert _wrong(seen, reading.rows) == []


def test_men_that_touch_a_line_are_read() -> None:
    scene = Scene.of_rows(LATER, LOOKS["wood"])
    pieces = {where: Piece(piece.mark, 5.5, -3.0) for where, piece in scene.pieces.items()}
    picture, grid = render(replace(scene, pieces=pieces), VIEW)
    seen = shown(LATER)
    assert _wrong(seen, taught().read(seen._replace(picture=picture, grid=grid)).rows) == []


@pytest.mark.parametrize("mark", "wb")
def test_a_man_half_off_its_square_is_doubtful_and_not_certain_and_wrong(mark: str) -> None:
    scene = Scene.of_rows(EMPTY, LOOKS["wood"])
    picture, grid = render(replace(scene, pieces={(4, 3): Piece(mark, 22.5, 0.0)}), VIEW)
    seen = shown(EMPTY)
    reading = taught().read(seen._replace(picture=picture, grid=grid))
    assert reading.rows.split("/")[4][3] in ("?", mark)
    assert reading.likelihoods[4, 3].max() < 0.999
    assert _wrong(seen, reading.rows.replace("?", ".").replace(mark, ".")) == []


@pytest.mark.parametrize("colour", [(40, 40, 220), (255, 80, 40), (255, 255, 255)], ids=["red", "blue", "glare"])
def test_what_looks_like_nothing_known_is_no_mark(colour: tuple[int, int, int]) -> None:
    seen = shown(EMPTY)
    reading = taught().read(seen._replace(picture=_over(seen, 4, 3, colour)))
    assert reading.rows.split("/")[4][3] == "?"
    assert reading.rows.count("?") == 1
    assert reading.likelihoods[4, 3].max() < 0.9


def test_white_men_that_are_overexposed_are_still_read() -> None:
    seen = shown(LATER, look="green", light=replace(STILL, level=1.4))
    wrong = _wrong(seen, taught(look="green").read(seen).rows)
    assert [pair for pair in wrong if pair[1] != "?"] == []
    assert len(wrong) <= 3


def test_covered_squares_are_not_read() -> None:
    covered = np.zeros((8, 8), dtype=np.bool_)
    covered[:2] = True
    seen = shown(START)
    reading = read(samples(seen.picture, seen.grid, taught().lean), taught().classes, seen.parity, covered)
    assert reading.rows.startswith(".?.?.?.?/?.?.?.?./.b.b.b.b/")
    assert np.allclose(reading.likelihoods[0, 1], 1 / 3)


def test_squares_outside_the_picture_are_not_read() -> None:
    seen = shown(START)
    right = int(seen.grid.pixels([6.6, 4])[0])
    reading = taught().read(seen._replace(picture=np.ascontiguousarray(seen.picture[:, :right])))
    assert all(
        line[7] in ".?" and line[:5] == true[:5]
        for line, true in zip(reading.rows.split("/"), seen.rows.split("/"), strict=True)
    )
    assert reading.rows.split("/")[7][6] == "?"


def test_likelihoods_add_up_and_never_occupied_squares_are_empty() -> None:
    likelihoods = taught().read(shown(LATER)).likelihoods
    assert np.allclose(likelihoods.sum(axis=2), 1)
    assert (likelihoods[~DARK, 0] == 1).all()


def test_a_man_on_a_square_that_is_never_occupied_is_no_mark() -> None:
    seen = shown(LATER[:-1] + "w")
    assert taught().read(seen).rows.split("/")[7][7] == "."


def _alone(seen: Shown) -> ReadAlone:
    return read_alone(samples(seen.picture, seen.grid, expected_lean(seen.grid)))


ONE_OF_EACH = "......../......../...b..../......../......../..w...../......../........"
WHITE_ONLY = EMPTY[:-17] + ".w.w..../w......."
BLACK_ONLY = WHITE_ONLY.replace("w", "b")


@pytest.mark.parametrize("rows", [START, LATER, ONE_OF_EACH, WHITE_ONLY, BLACK_ONLY])
@pytest.mark.parametrize("look", ["wood", "red-men"])
def test_a_picture_alone_is_read_where_men_stand_on_squares_of_one_colour(rows: str, look: str) -> None:
    seen = shown(rows, look=look)
    reading = _alone(seen)
    assert _wrong(seen, reading.rows) == []
    assert (reading.parity, reading.dark) == (1, 1)


@pytest.mark.parametrize("view", [LOW, EVENING, LENS], ids=["low", "evening", "lens"])
def test_a_picture_alone_is_read_from_other_places_and_in_other_light(view: View) -> None:
    seen = shown(LATER, view)
    wrong = _wrong(seen, _alone(seen).rows)
    assert [pair for pair in wrong if pair[1] not in "?o"] == []
    assert len(wrong) <= 2


def test_men_on_light_squares_are_read_alone_as_well() -> None:
    seen = shown(LATER, parity=0)
    reading = _alone(seen._replace(parity=1))
    assert (reading.parity, reading.dark) == (1, 0)
    assert _wrong(seen, reading.rows) == []


def test_an_empty_board_alone_is_empty_and_does_not_say_where_men_would_stand() -> None:
    reading = _alone(shown(EMPTY))
    assert reading.rows == EMPTY
    assert reading.parity is None
    assert reading.dark == 1
    assert reading.confidence > 0.9


def test_men_on_squares_of_both_colours_alone_are_not_called_by_colour() -> None:
    chess = "/".join(["bbbbbbbb", "bbbbbbbb", *["........"] * 4, "wwwwwwww", "wwwwwwww"])
    reading = _alone(shown(chess))
    assert reading.parity is None
    assert reading.confidence == 0
    assert reading.rows.count("?") >= 24
    assert "w" not in reading.rows
    assert "b" not in reading.rows


def test_the_fewer_men_the_less_sure_a_picture_alone_is_where_they_are_played() -> None:
    sure = [_alone(shown(rows)).parity_confidence for rows in (ONE_OF_EACH, LATER, START)]
    assert sure == sorted(sure)
    assert sure[0] < 0.75 < sure[2]


def test_noise_alone_is_nothing_that_stands_there() -> None:
    noisy = replace(EVENING, noise=4)
    for look in ("wood", "dark-frame", "red-men"):
        reading = _alone(shown(EMPTY, noisy, look=look))
        assert reading.parity is None
        assert set(reading.rows) <= set(".?/")
        assert reading.rows.count("?") <= 4


@pytest.mark.parametrize(("look", "rows"), [("glossy", WHITE_ONLY), ("glossy", ONE_OF_EACH), ("wood", WHITE_ONLY)])
def test_what_compression_makes_of_empty_squares_is_no_man(look: str, rows: str) -> None:
    pressed = View(Pose(elevation=40), 640, 360, jpeg=50, blur=1.0)
    seen = shown(rows, pressed, look=look)
    wrong = _wrong(seen, _alone(seen).rows)
    assert [pair for pair in wrong if pair[1] != "?"] == []
    assert len(wrong) <= 2


def test_men_of_one_colour_some_of_which_shine_are_not_called_two_colours() -> None:
    seen = shown(START.replace("w", "b"))
    squares = samples(seen.picture, seen.grid, expected_lean(seen.grid))
    men = np.array([[mark != "." for mark in line] for line in seen.rows.split("/")])
    squares.features[men, 0] += np.linspace(0, 1.1, np.count_nonzero(men))
    reading = read_alone(squares)
    assert "w" not in reading.rows
    assert reading.rows.count("b") >= 8


RED, GREEN = (60, 56, 150), (57, 101, 50)
"""Equally light to the eye."""


def _two_colours(rows: str, white: tuple[int, int, int], black: tuple[int, int, int], view: View = VIEW) -> Shown:
    scene = Scene.of_rows(rows, replace(LOOKS["dark-frame"], dark=(60, 62, 66), white=white, black=black))
    renderer = Renderer(scene, view)
    truth = renderer.truth(scene)
    return Shown(renderer.picture(scene), truth.grid, truth.rows, truth.parity)


@pytest.mark.parametrize("view", [VIEW, PRESSED], ids=["usual", "jpeg"])
@pytest.mark.parametrize("rows", [START, LATER, ONE_OF_EACH])
def test_men_of_two_colours_equally_light_are_told_apart_and_only_their_names_are_in_doubt(
    rows: str, view: View
) -> None:
    seen = _two_colours(rows, RED, GREEN, view)
    reading = _alone(seen)
    other = reading.rows.translate(str.maketrans("wb", "bw"))
    wrong = min(_wrong(seen, reading.rows), _wrong(seen, other), key=len)
    assert [pair for pair in wrong if pair[1] not in "?o"] == []
    assert len(wrong) <= 1
    assert 0.5 <= reading.naming < 0.85
    assert reading.confidence < 1 - 0.9 * (1 - reading.naming) * sum(map(rows.lower().count, "wb")) / 32


def test_of_two_colours_the_lighter_is_called_white_and_the_surer_the_lighter_it_is() -> None:
    lighter = tuple(round(1.12 * part) for part in GREEN)
    much = tuple(round(1.7 * part) for part in GREEN)
    sure = []
    for white in (lighter, much):
        seen = _two_colours(START, white, RED)
        reading = _alone(seen)
        assert _wrong(seen, reading.rows) == []
        seen = _two_colours(START, RED, white)
        assert _wrong(seen, _alone(seen).rows.translate(str.maketrans("wb", "bw"))) == []
        sure.append(reading.naming)
    assert 0.5 < sure[0] < 0.95 < sure[1]


def test_men_that_are_all_alike_and_neither_light_nor_dark_are_pieces_of_unknown_colour() -> None:
    seen = _two_colours(WHITE_ONLY, (118, 122, 126), (118, 122, 126))
    reading = _alone(seen)
    assert reading.rows == seen.rows.replace("w", "o")
    assert reading.naming == 0.5


def test_where_nothing_stands_no_name_is_in_doubt() -> None:
    assert _alone(shown(EMPTY)).naming == 1.0


SOFT = View(Pose(elevation=55, fill=0.45), 640, 360, blur=1.6)


@pytest.mark.parametrize("rows", [ONE_OF_EACH, LATER])
@pytest.mark.parametrize("look", ["wood", "green"])
def test_light_that_runs_into_the_corners_of_a_soft_picture_is_no_man(rows: str, look: str) -> None:
    seen = shown(rows, SOFT, look=look)
    wrong = _wrong(seen, _alone(seen).rows)
    assert [pair for pair in wrong if pair[1] not in "?o"] == []
    assert len(wrong) <= 3


def test_more_men_of_one_kind_than_any_game_has_are_none() -> None:
    seen = shown(EMPTY)
    squares = samples(seen.picture, seen.grid)
    squares.features[DARK, 0] += np.where(np.arange(32) < 26, 1.2, 0.0)
    assert "w" not in read_alone(squares).rows
    squares = samples(seen.picture, seen.grid)
    squares.features[DARK, 0] += np.where(np.arange(32) < 12, 1.2, 0.0)
    assert read_alone(squares).rows.count("w") == 12


def test_a_board_that_is_not_in_the_picture_is_not_read() -> None:
    seen = shown(START)
    reading = _alone(seen._replace(picture=seen.picture[:40, :40].copy()))
    assert set(reading.rows) == set("?/")
    assert (reading.parity, reading.confidence) == (None, 0.0)


@pytest.mark.parametrize("level", [0, 120, 255])
def test_a_plain_picture_has_no_men_on_it(level: int) -> None:
    seen = shown(START)
    plain = seen._replace(picture=np.full_like(seen.picture, level))
    assert not set("wb") & set(_alone(plain).rows)
    assert not set("wb") & set(taught().read(plain).rows)


def test_a_board_of_which_too_little_is_seen_is_neither_empty_nor_full() -> None:
    seen = shown(START)
    corner = np.rint(seen.grid.pixels([3.2, 3.2])).astype(int)
    part = seen._replace(picture=seen.picture[: corner[1], : corner[0]].copy())
    assert 4 < samples(part.picture, part.grid).seen.sum() < 12
    reading = _alone(part)
    assert set(reading.rows) == set("?/")
    assert (reading.parity, reading.parity_confidence) == (None, 0.0)
