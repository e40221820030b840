"""`damas-board calibrate camera`: from the start position before a camera to a profile, or why there is none."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest
from pictured import MIDDLE, rows_of, saved, taken

from calibration.camera import Key, calibrate
from damas_board.cli import camera_setup, main
from damas_board.cli.words import known
from damas_board.config import read_config
from damas_board.config.camera import read_profile
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.placing import grid_from
from damas_board.rules.variants import VARIANTS
from damas_board.sources.camera_places import CameraPlace
from simulator.camera import LOOKS, Pose, Scene, View, render
from simulator.camera.negatives import black as dark
from simulator.camera.negatives import bricks
from simulator.camera.stream import Stream, write_video

START = rows_of("brazilian")
CONFIG = """\
meeting = "club"

[broker]
kind = "embedded"

[[board]]
id = "table-1"
regulation = "br-cbjd"
"""


@pytest.fixture(autouse=True)
def in_english_in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    monkeypatch.chdir(tmp_path)


def calibrated(picture: Picture | str, *arguments: str, regulation: str = "br-cbjd") -> int:
    device = picture if isinstance(picture, str) else str(saved(Path("picture.png"), picture))
    return main(["calibrate", "camera", device, "--regulation", regulation, *arguments])


def test_the_profile_the_overlay_and_the_lines_for_the_configuration_are_written(capsys, tmp_path: Path) -> None:
    picture, truth = taken(START)
    assert calibrated(picture) == 0
    said = capsys.readouterr()
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("the board: 8 x 8 squares, the smallest ")
    assert lines[0].endswith("White sits at the bottom of the picture")
    assert lines[1].startswith("told apart: well (")
    profile = read_profile(Path("camera.toml").read_text("utf-8"), Path("camera.toml"))
    assert (profile.width, profile.height) == (picture.shape[1], picture.shape[0])
    assert (profile.parity, profile.turn, profile.mirrored) == (truth.parity, truth.turn, False)
    away = np.linalg.norm(grid_from(profile.grid).corners - truth.grid.corners, axis=1)
    assert away.max() < 0.1 * truth.grid.cell
    overlay = cv2.imread("camera.overlay.png")
    assert overlay is not None
    addition = "\n".join(lines[lines.index("[board.camera]") :])
    assert tomllib.loads(addition)["board"]["camera"]["profile"] == str(tmp_path / "camera.toml")
    Path("club.toml").write_text(f"{CONFIG}\n{addition}\n", "utf-8")
    (board,) = read_config(Path("club.toml"), {}).boards
    assert board.camera is not None
    assert board.camera.profile == profile


def test_the_file_says_in_both_languages_what_its_values_are(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for language in ("en", "pt"):
        monkeypatch.setenv("DAMAS_LANG", language)
        assert calibrated(taken(START)[0], "--force") == 0
        texts.append(Path("camera.toml").read_text("utf-8"))
    assert "# Where the squares are.\n[grid]" in texts[0]
    assert "# Onde estão as casas.\n[grid]" in texts[1]
    assert tomllib.loads(texts[0]) == tomllib.loads(texts[1])


def test_it_says_where_white_sits_in_the_picture(capsys) -> None:
    picture, truth = taken(START, azimuth=100.0)
    assert calibrated(picture) == 0
    sits = {90: "right", 270: "left"}[truth.turn]
    assert capsys.readouterr().out.splitlines()[0].endswith(f"White sits at the {sits} of the picture")


def test_a_profile_that_is_there_is_kept_unless_it_is_to_be_written_over(capsys) -> None:
    Path("camera.toml").write_text("mine", "utf-8")
    assert calibrated(taken(START)[0]) == 1
    assert capsys.readouterr().err == (
        "damas-board: camera.toml: is there already; name another file, or write over it with --force\n"
    )
    assert Path("camera.toml").read_text("utf-8") == "mine"
    assert calibrated(taken(START)[0], "--overlay", "picture.png") == 1
    assert calibrated(taken(START)[0], "--force") == 0
    assert Path("camera.toml").read_text("utf-8") != "mine"


ONE_MISSING = START[::-1].replace("w", ".", 1)[::-1]
EMPTY = "/".join(["." * 8] * 8)
REFUSED: list[tuple[str, Callable[[], Picture], str, str]] = [
    ("dark", lambda: dark(320, 240), "br-cbjd", "the picture is too dark"),
    ("no board", lambda: bricks(320, 240), "br-cbjd", "no board is found"),
    (
        "size",
        lambda: taken(START)[0],
        "int-fmjd",
        "the board has 8 x 8 squares, but the regulation is played on 10 x 10",
    ),
    ("corner", lambda: taken(START)[0], "pt-classicas", "the corner at the players' hands is the wrong one"),
    ("all", lambda: taken(START)[0], "tr-000", "this game is played on every square"),
    ("missing", lambda: taken(ONE_MISSING)[0], "br-cbjd", "look at 8/7 (row/column in the picture"),
    ("middle", lambda: taken(MIDDLE)[0], "br-cbjd", "this is not the start position"),
    ("empty", lambda: taken(EMPTY)[0], "br-cbjd", "set up all men"),
]


@pytest.mark.parametrize(("made", "regulation", "text"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED])
def test_what_is_in_the_way_of_a_profile_is_said_in_one_line(
    capsys, made: Callable[[], Picture], regulation: str, text: str
) -> None:
    assert calibrated(made(), regulation=regulation) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("damas-board: picture.png: ")
    assert text in line
    assert not Path("camera.toml").exists()
    assert Path("camera.overlay.png").exists()


def test_men_that_look_like_the_squares_are_refused_with_advice(capsys) -> None:
    wood = LOOKS["wood"]
    for part, text in ((0.95, "12 squares are otherwise. If all men are there"), (0.7, "empty squares and black")):
        look = replace(wood, black=tuple(part * level for level in wood.dark), rings=0)
        assert calibrated(taken(START, look=look)[0]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert text in line
        assert "more light" in line


def test_classes_that_are_alike_are_named_with_a_plain_word_for_how_well_they_are_told_apart(capsys) -> None:
    wood = LOOKS["wood"]
    for part, word in ((0.35, "well"), (0.62, "enough")):
        look = replace(wood, black=tuple(part * level for level in wood.dark))
        assert calibrated(taken(START, look=look)[0], "--force") == 0
        assert f"told apart: {word} (" in capsys.readouterr().out


def test_a_thing_on_a_square_that_is_not_played_on_is_told_by_its_name(capsys) -> None:
    rows = START.split("/")
    rows[3] = "b......."
    picture = render(Scene.of_rows("/".join(rows), LOOKS["wood"]), View(Pose(60, 10), 768, 432))[0]
    calibrated(picture)
    said = capsys.readouterr()
    assert "a5" in said.out or "4/1" in said.err


def test_a_small_board_and_a_second_board_are_warned_of(capsys) -> None:
    picture = taken(START, fill=0.45)[0]
    two = np.hstack([taken(START)[0], picture])
    assert calibrated(np.asarray(two)) == 0
    assert "2 boards are in the picture; the largest one was taken" in capsys.readouterr().out
    assert calibrated(picture, "--force") == 0
    assert "the board is small in the picture" in capsys.readouterr().out


@pytest.mark.parametrize(("blur", "said"), [(0.0, False), (3.5, True)])
def test_a_blurred_picture_is_warned_of(capsys, blur: float, said: bool) -> None:
    calibrated(render(Scene.of_rows(START, LOOKS["red-green"]), View(Pose(60, 10), 768, 432, blur=blur))[0])
    assert ("the picture is blurred" in capsys.readouterr().out) == said


def test_a_mirrored_camera_is_noticed_by_its_corner_cards_or_said_to_be_one(capsys) -> None:
    picture, _ = taken(START, cards=True, mirrored=True, width=960, height=540)
    assert calibrated(picture) == 0
    assert "the corner cards are mirrored, so the camera is" in capsys.readouterr().out
    profile = read_profile(Path("camera.toml").read_text("utf-8"), Path("camera.toml"))
    assert (profile.mirrored, profile.turn, profile.parity) == (True, 0, 1)
    plain, _ = taken(START, mirrored=True)
    assert calibrated(plain, "--force") == 1
    assert "--mirrored" in capsys.readouterr().err
    assert calibrated(plain, "--force", "--mirrored") == 0
    assert read_profile(Path("camera.toml").read_text("utf-8"), Path("camera.toml")).mirrored


def test_the_board_is_taken_from_where_it_is_clicked_at(capsys) -> None:
    picture, truth = taken(START)
    clicks = [f"{x + 5:.0f},{y - 4:.0f}" for x, y in truth.grid.corners]
    assert calibrated(picture, "--clicks", *clicks) == 0
    profile = read_profile(Path("camera.toml").read_text("utf-8"), Path("camera.toml"))
    assert np.abs(grid_from(profile.grid).corners - truth.grid.corners).max() < 0.1 * truth.grid.cell
    assert calibrated(picture, "--force", "--clicks", "1,1", "60,1", "60,60", "1,60") == 1
    assert "no board is where --clicks says" in capsys.readouterr().err


def test_five_pictures_of_a_stream_or_a_video_make_one_profile(capsys) -> None:
    noisy = [render(Scene.of_rows(START, LOOKS["wood"]), View(Pose(60, 10), 768, 432, seed=n))[0] for n in range(6)]
    write_video(Path("table.avi"), noisy)
    assert calibrated("table.avi") == 0
    with Stream(lambda: noisy[0]) as stream:
        assert calibrated(stream.url, "--out", "stream.toml") == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f'device = "{stream.url}"' in said.out
    profiles = [read_profile(Path(f"{name}.toml").read_text("utf-8"), Path(name)) for name in ("camera", "stream")]
    corners = [grid_from(profile.grid).corners for profile in profiles]
    assert np.abs(corners[0] - corners[1]).max() < 1.0


def test_devices_that_give_no_picture_are_named(capsys) -> None:
    Path("text.avi").write_text("this is no video", "utf-8")
    shutil.copy("text.avi", "cut.jpg")
    Path("cut.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    for device in ("none.avi", "text.avi", "cut.jpg", ".", "/dev/video987", "http://127.0.0.1:9/x.mjpg"):
        assert calibrated(device) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("damas-board: ")
        assert device in line


def test_the_lines_for_the_configuration_name_a_camera_by_what_stays_and_never_a_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stays = "/dev/v4l/by-id/usb-club-camera"
    monkeypatch.setattr(camera_setup, "cameras", lambda: [CameraPlace("/dev/video0", "A camera", stays)])
    profile = tmp_path / "camera.toml"
    wanted = {"0": stays, "/dev/video0": stays, "7": 7, "/dev/video7": "/dev/video7", "rtsp://hall/1": "rtsp://hall/1"}
    for device, name in wanted.items():
        camera = tomllib.loads("\n".join(camera_setup.configured(device, profile)))["board"]["camera"]
        assert camera == {"device": name, "profile": str(profile)}
    lines = "\n".join(camera_setup.configured("rtsp://ana:secret@hall/1", profile))
    assert "secret" not in lines
    assert set(tomllib.loads(lines)["board"]["camera"]) == {"device_file", "profile"}


def test_an_address_of_a_kind_that_cannot_be_read_and_one_with_a_password_are_refused_without_saying_it(capsys) -> None:
    assert calibrated("ftp://hall/x") == 1
    assert "no stream can be read by ftp; an address begins with one of http" in capsys.readouterr().err
    assert calibrated("http://ana:secret@127.0.0.1:9/x") == 1
    assert "secret" not in capsys.readouterr().err


def test_wrong_options_are_wrong_usage(capsys) -> None:
    assert main(["calibrate", "camera", "0"]) == 2
    for resolution in ("1280", "0x720", "axb", "1280x720x2"):
        assert calibrated("0", "--resolution", resolution) == 2
        assert "is no resolution" in capsys.readouterr().err


def test_it_is_said_in_the_portuguese_of_the_regulation(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    said = []
    for regulation, variant in (("br-cbjd", "portuguese"), ("pt-classicas", "brazilian")):
        picture = taken(rows_of(variant), parity=int(variant == "brazilian"))[0]
        assert calibrated(picture, regulation=regulation) == 1
        said.append(capsys.readouterr().err)
    assert "a câmera espelha" in said[0]
    assert "a câmara espelha" in said[1]


def test_all_that_may_be_remarked_has_its_words() -> None:
    keys = {key for part in get_args(Key) for key in get_args(part) or (part,)}
    assert {"wrong_corner", "men_unseen", "good"} <= keys
    for key in keys:
        assert known(f"camera.{key}"), key


def test_a_calibration_is_the_same_however_often_it_is_made() -> None:
    pictures = [taken(START)[0]]
    one, other = (calibrate(pictures, [VARIANTS["brazilian"]]) for _ in range(2))
    assert one.profile == other.profile
    assert one.remarks == other.remarks
