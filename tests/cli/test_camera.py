"""`damas-board camera IMAGE...`: one object a picture, whatever it shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pictured import KINDS, MIDDLE, WIDTH, rows_of, saved, taken, unlike, upright

from calibration.camera import calibrate
from calibration.profile_text import profile_text
from damas_board.cli import main
from damas_board.decoding.vision.picture import Picture
from damas_board.rules.variants import VARIANTS
from simulator.camera import LOOKS, Truth
from simulator.camera.negatives import black, bricks, chess, noise, two_boards

START = rows_of("brazilian")
KEYS = [
    *("image", "status", "size", "corners", "rows", "see", "confidence"),
    *("turn", "mirrored", "score", "how", "hints", "others", "colours", "kings"),
]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="module")
def start(folder: Path) -> Path:
    return saved(folder / "start.png", taken(START)[0])


@pytest.fixture(scope="module")
def middle(folder: Path) -> Path:
    return saved(folder / "middle.jpg", taken(MIDDLE)[0])


def looked(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    assert main(["camera", *map(str, arguments)]) == 0
    found = capsys.readouterr()
    assert found.err == ""
    return [json.loads(line) for line in found.out.splitlines()]


def near(corners: Sequence[Sequence[float]], truth: Truth, factor: float = 1.0) -> bool:
    """Whether the corners are the true ones, to a fifth of a square."""
    away = np.linalg.norm(np.array(corners) - truth.grid.corners * factor, axis=1)
    return bool(away.max() < 0.2 * truth.grid.cell * factor)


def test_a_picture_of_the_start_position_says_all_by_itself(capsys, start: Path) -> None:
    (found,) = looked(capsys, start)
    _, truth = taken(START)
    assert list(found) == KEYS
    assert (found["image"], found["status"], found["size"]) == (str(start), "OK", 8)
    assert near(found["corners"], truth)
    assert (found["rows"], found["see"], found["turn"]) == (truth.rows, START, truth.turn)
    assert found["confidence"] > 0.9
    assert (found["mirrored"], found["hints"], found["others"]) == (None, [], [])


def test_without_a_start_picture_it_is_not_known_which_way_a_position_lies(capsys, middle: Path) -> None:
    (found,) = looked(capsys, middle)
    assert (found["status"], found["rows"]) == ("OK", taken(MIDDLE)[1].rows)
    assert (found["see"], found["turn"], found["mirrored"]) == (None, None, None)


def test_with_a_start_picture_it_is(capsys, start: Path, middle: Path) -> None:
    found = looked(capsys, middle, start, "--start", start)
    assert [one["see"] for one in found] == [MIDDLE, START]
    assert [one["how"] for one in found] == ["near", "near"]
    assert all(one["confidence"] > 0.9 for one in found)


@pytest.mark.parametrize("azimuth", [100.0, 190.0, 280.0])
def test_see_is_whites_view_from_wherever_the_camera_looks(capsys, tmp_path: Path, azimuth: float) -> None:
    start = saved(tmp_path / "start.png", taken(START, azimuth=azimuth)[0])
    picture, truth = taken(MIDDLE, azimuth=azimuth)
    (found,) = looked(capsys, saved(tmp_path / "middle.png", picture), "--start", start)
    assert (found["rows"], found["see"], found["turn"]) == (truth.rows, MIDDLE, truth.turn)
    assert truth.turn != 0


def test_see_stays_whites_view_where_a_small_turn_makes_another_corner_the_first(capsys, tmp_path: Path) -> None:
    for before, now in ((30.0, 44.0), (44.0, 30.0)):
        start, truth = taken(START, azimuth=before)
        picture, later = taken(MIDDLE, azimuth=now)
        assert truth.turn != later.turn
        file = saved(tmp_path / "middle.png", picture)
        (found,) = looked(capsys, file, "--start", saved(tmp_path / "start.png", start))
        assert (found["rows"], found["see"], found["turn"]) == (later.rows, MIDDLE, later.turn)


def test_a_board_that_was_turned_by_a_quarter_since_the_start_picture_is_read_but_not_said_how_it_lies(
    capsys, tmp_path: Path
) -> None:
    start = saved(tmp_path / "start.png", taken(START, elevation=35.0)[0])
    picture, truth = taken(MIDDLE, azimuth=100.0, elevation=35.0)
    (found,) = looked(capsys, saved(tmp_path / "middle.png", picture), "--start", start)
    assert (found["rows"], found["see"]) == (truth.rows, None)
    assert found["hints"] == ["turned", "small"]


def test_corner_cards_say_how_it_lies_without_a_start_picture(capsys, tmp_path: Path) -> None:
    picture, truth = taken(MIDDLE, azimuth=190.0, cards=True, width=960, height=540)
    (found,) = looked(capsys, saved(tmp_path / "cards.png", picture))
    assert (found["rows"], found["see"], found["turn"]) == (truth.rows, MIDDLE, truth.turn)
    assert found["mirrored"] is False


def test_corner_cards_say_that_a_picture_is_mirrored(capsys, tmp_path: Path) -> None:
    picture, truth = taken(MIDDLE, cards=True, mirrored=True, width=960, height=540)
    overlay = tmp_path / "overlay.png"
    (found,) = looked(capsys, saved(tmp_path / "mirrored.png", picture), "--overlay", overlay)
    assert (found["rows"], found["see"]) == (truth.rows, MIDDLE)
    assert truth.rows != MIDDLE
    assert near(found["corners"], truth)
    assert found["mirrored"] is True
    assert found["hints"] == ["mirrored"]
    assert overlay.exists()


def test_a_picture_that_is_mirrored_lies_wrong_for_the_start_picture_and_for_the_game(
    capsys, tmp_path: Path, start: Path
) -> None:
    mirrored = saved(tmp_path / "mirrored.png", taken(START, mirrored=True)[0])
    (found,) = looked(capsys, mirrored, "--regulation", "br-cbjd")
    assert (found["see"], found["hints"]) == (None, ["wrong_corner"])
    (found,) = looked(capsys, mirrored, "--start", start)
    assert found["see"] is None
    assert "turned" in found["hints"]


def test_a_camera_that_is_said_to_mirror_is_read_by_a_mirrored_start_picture(capsys, tmp_path: Path) -> None:
    start = saved(tmp_path / "start.png", taken(START, mirrored=True)[0])
    picture, truth = taken(MIDDLE, mirrored=True)
    rules = ("--mirrored", "--regulation", "br-cbjd")
    (found,) = looked(capsys, saved(tmp_path / "middle.png", picture), "--start", start, *rules)
    assert (found["rows"], found["see"], found["mirrored"]) == (truth.rows, MIDDLE, True)


def test_the_other_corner_and_ten_squares_a_side_are_told_by_the_picture(capsys, tmp_path: Path) -> None:
    for variant, parity in (("portuguese", 0), ("international", 1)):
        picture, truth = taken(rows_of(variant), parity=parity, width=800, height=450)
        (found,) = looked(capsys, saved(tmp_path / "start.png", picture))
        assert (found["size"], found["rows"], found["see"]) == (VARIANTS[variant].size, truth.rows, rows_of(variant))


def test_a_profile_reads_as_the_picture_it_was_made_from(capsys, tmp_path: Path, middle: Path) -> None:
    profile = calibrate([taken(START)[0]], [VARIANTS["brazilian"]]).profile
    assert profile is not None
    file = tmp_path / "camera.toml"
    file.write_text(profile_text(profile, {}), "utf-8")
    (found,) = looked(capsys, middle, "--profile", file)
    assert (found["see"], found["how"]) == (MIDDLE, "near")


def test_a_picture_of_twelve_megapixels_is_read_with_a_small_start_picture(capsys, tmp_path: Path, start: Path) -> None:
    picture, truth = taken(MIDDLE)
    factor = 4608 / WIDTH
    large = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    (found,) = looked(capsys, saved(tmp_path / "large.jpg", np.asarray(large)), "--start", start)
    assert near(found["corners"], truth, factor)
    assert (found["see"], found["how"], found["hints"]) == (MIDDLE, "near", [])


def test_a_picture_that_a_phone_took_upright_is_turned_first(capsys, tmp_path: Path, middle: Path) -> None:
    picture, truth = taken(MIDDLE)
    aside = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    data = saved(tmp_path / "aside.jpg", np.asarray(aside)).read_bytes()
    file = tmp_path / "phone.jpg"
    file.write_bytes(upright(data, 6))
    (found,) = looked(capsys, file)
    assert near(found["corners"], truth)
    assert found["rows"] == truth.rows


@pytest.mark.parametrize("kind", KINDS)
def test_every_usual_kind_of_picture_is_read(capsys, tmp_path: Path, kind: str) -> None:
    picture, truth = taken(START)
    suffix, content = KINDS[kind](picture)
    (found,) = looked(capsys, saved(tmp_path / f"picture{suffix}", content))
    assert (found["status"], found["size"]) == ("OK", 8)
    assert near(found["corners"], truth)
    assert unlike(found["rows"], truth.rows) == 0
    assert found["rows"].count("?") <= {"gif": 12, "grey png": 64}.get(kind, 0)


def test_of_an_animation_the_first_picture_is_read(capsys, tmp_path: Path) -> None:
    animation = cv2.Animation()
    animation.frames = [taken(START)[0], np.zeros_like(taken(START)[0])]
    animation.durations = np.array([100, 100])
    file = tmp_path / "animated.gif"
    assert cv2.imwriteanimation(str(file), animation)
    (found,) = looked(capsys, file)
    assert unlike(found["rows"], taken(START)[1].rows) == 0
    assert found["rows"].count("w") > 8


NOTHING: dict[str, tuple[Callable[[], Picture], str]] = {
    "black": (lambda: black(320, 240), "DARK"),
    "noise": (lambda: noise(320, 240), "NO_BOARD"),
    "bricks": (lambda: bricks(320, 240), "NO_BOARD"),
    "white": (lambda: np.full((240, 320, 3), 255, np.uint8), "NO_BOARD"),
    "1 x 1": (lambda: np.zeros((1, 1, 3), np.uint8), "DARK"),
    "a line": (lambda: np.full((3, 2000, 3), 99, np.uint8), "NO_BOARD"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_picture_without_a_board_is_no_failure_and_says_so(capsys, tmp_path: Path, start: Path, name: str) -> None:
    made, status = NOTHING[name]
    for arguments in ((), ("--start", start)):
        overlay = tmp_path / "overlay.png"
        file = saved(tmp_path / "nothing.png", made())
        (found,) = looked(capsys, file, *arguments, "--overlay", overlay, "--force")
        assert list(found) == KEYS
        assert found["status"] == status
        assert {found[key] for key in ("size", "rows", "see", "how")} == {None}
        assert found["corners"] is None
        assert (found["confidence"], found["others"]) == (0.0, [])
        assert overlay.exists()


def test_a_chess_set_is_a_board_of_which_little_is_said(capsys, tmp_path: Path, start: Path) -> None:
    file = saved(tmp_path / "chess.png", chess(800, 450))
    (alone,) = looked(capsys, file)
    assert (alone["status"], alone["size"], alone["see"]) == ("OK", 8, None)
    assert "both_colours" in alone["hints"]
    assert alone["confidence"] < 0.5
    (known,) = looked(capsys, file, "--start", start)
    assert "both_colours" in known["hints"]


def test_of_two_boards_one_is_read_and_the_other_one_is_told(capsys, tmp_path: Path) -> None:
    (found,) = looked(capsys, saved(tmp_path / "two.png", two_boards(960, 540)))
    assert (found["status"], found["size"]) == ("OK", 8)
    (other,) = found["others"]
    middles = sorted(float(np.mean([x for x, _ in corners])) for corners in (found["corners"], other))
    assert middles[0] < 480 < middles[1]
    assert np.shape(other) == (4, 2)


def test_clicks_near_the_corners_find_the_board(capsys, start: Path) -> None:
    truth = taken(START)[1]
    away = truth.grid.cell * 0.2
    clicks = [f"{x + away:.0f},{y - away:.0f}" for x, y in truth.grid.corners[[2, 0, 3, 1]]]
    (found,) = looked(capsys, start, "--clicks", *clicks)
    assert found["how"] == "clicks"
    assert near(found["corners"], truth)
    (nowhere,) = looked(capsys, start, "--clicks", "0,0", "40,0", "40,40", "0,40")
    assert nowhere["status"] == "NO_BOARD"


def test_the_overlay_has_the_squares_and_what_stands_on_them_drawn_over_the_picture(
    capsys, tmp_path: Path, middle: Path, start: Path
) -> None:
    overlay = tmp_path / "overlay.png"
    looked(capsys, middle, "--start", start, "--overlay", overlay)
    drawn = cv2.imread(str(overlay))
    assert drawn is not None
    factor = drawn.shape[1] / WIDTH
    truth = taken(MIDDLE)[1]
    for row, line in enumerate(truth.rows.split("/")):
        for column, mark in enumerate(line):
            x, y = truth.grid.scaled(factor).pixels([column + 0.5, row + 0.5])
            if mark in "wb":
                wanted = 255 if mark == "w" else 0
                assert np.abs(drawn[round(y), round(x)].astype(int) - wanted).max() < 30, (row, column)


def test_only_the_size_and_the_game_asked_for_are_looked_for(capsys, tmp_path: Path, start: Path) -> None:
    (found,) = looked(capsys, start, "--size", "8")
    assert found["size"] == 8
    (found,) = looked(capsys, start, "--regulation", "pt-classicas")
    assert (found["rows"], found["see"]) == (taken(START)[1].rows, None)
    assert found["hints"] == ["wrong_corner"]


def colour(text: str) -> NDArray[np.int_]:
    """Blue, green and red of `#rrggbb`."""
    return np.array([int(text[at : at + 2], 16) for at in (5, 3, 1)])


def test_what_the_men_look_like_is_told_and_how_sure_their_names_are(capsys, tmp_path: Path, start: Path) -> None:
    (found,) = looked(capsys, start)
    assert found["colours"]["sure"] > 0.99
    for name in ("white", "black"):
        true = np.array(getattr(LOOKS["wood"], name))
        assert np.abs(colour(found["colours"][name]) - true).max() < 60
    look = replace(LOOKS["red-men"], white=(57, 101, 50), black=(60, 56, 150))
    file = saved(tmp_path / "even.png", taken(MIDDLE, look=look)[0])
    (alone,) = looked(capsys, file)
    assert alone["hints"] == ["names_unsure"]
    assert 0.5 <= alone["colours"]["sure"] < 0.9
    assert set(alone["rows"]) == set(".wb/")
    assert alone["confidence"] < 0.9
    first = saved(tmp_path / "first.png", taken(START, look=look)[0])
    (known,) = looked(capsys, file, "--start", first)
    assert known["hints"] == ["names_unsure"]
    assert 0.5 <= known["colours"]["sure"] < 0.9
    assert set(known["rows"]) == set(".wb/")
    red, green = sorted((colour(known["colours"][name]) for name in ("white", "black")), key=lambda of: of[1])
    assert red[2] > 2 * red[1]
    assert green[1] > 1.5 * green[2]
    cards = saved(tmp_path / "cards.png", taken(MIDDLE, look=look, cards=True, width=960, height=540)[0])
    begun = saved(tmp_path / "begun.png", taken(START, look=look, cards=True, width=960, height=540)[0])
    (placed,) = looked(capsys, cards, "--start", begun)
    assert (placed["see"], placed["hints"], placed["colours"]["sure"]) == (MIDDLE, [], 1.0)
    red, green = (colour(placed["colours"][name]) for name in ("black", "white"))
    assert red[2] > 2 * red[1]
    assert green[1] > 1.5 * green[2]


def test_of_a_colour_that_is_not_there_nothing_is_told(capsys, tmp_path: Path) -> None:
    nothing = "/".join(["........"] * 8)
    (found,) = looked(capsys, saved(tmp_path / "nothing.png", taken(nothing)[0]))
    assert found["colours"] == {"white": None, "black": None, "sure": 1.0}


def test_men_on_the_other_squares_than_in_the_start_picture_are_read_without_it(
    capsys, tmp_path: Path, start: Path
) -> None:
    other = "/".join(line[1:] + line[:1] for line in MIDDLE.split("/"))
    picture, truth = taken(other)
    (found,) = looked(capsys, saved(tmp_path / "other.png", picture), "--start", start)
    assert "parity_differs" in found["hints"]
    assert (found["see"], found["turn"]) == (None, None)
    assert not [true for true, mark in zip(truth.rows.lower(), found["rows"], strict=True) if mark not in (true, "?")]
    assert found["rows"].count("?") <= 4


def test_pieces_that_look_two_men_high_are_a_hint_seen_from_the_side_and_none_from_above(
    capsys, tmp_path: Path
) -> None:
    crowned = "......../..b...../.......W/......../...w..../......../.b...B../........"
    picture, truth = taken(crowned, elevation=45.0, width=1280, height=720)
    (found,) = looked(capsys, saved(tmp_path / "side.png", picture))
    lines = truth.rows.split("/")
    kings = [[row, column] for row, line in enumerate(lines) for column, mark in enumerate(line) if mark in "WB"]
    assert found["kings"] == kings
    (above,) = looked(capsys, saved(tmp_path / "above.png", taken(crowned, elevation=88.0)[0]))
    assert above["kings"] == []


def test_red_and_green_squares_that_are_equally_light_are_read_with_a_start_picture(capsys, tmp_path: Path) -> None:
    look = LOOKS["red-green"]
    start = saved(tmp_path / "start.png", taken(START, look=look)[0])
    (found,) = looked(capsys, saved(tmp_path / "middle.png", taken(MIDDLE, look=look)[0]), "--start", start)
    assert found["see"] == MIDDLE
