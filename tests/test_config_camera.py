"""[board.camera]: what is read, what is refused and in which line, and what a service needs for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sources.filmed import profile_file

from damas_board.cli import main
from damas_board.config import Config, read_config
from damas_board.regulations import TableError

HEAD = """\
meeting = "autumn"

[broker]
kind = "embedded"

[[board]]
id = "table-1"
regulation = "br-cbjd"
"""
CAMERA = """\
[board.camera]
device = 0
profile = "table-1.camera.toml"
"""


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return profile_file(tmp_path_factory.mktemp("profile")).read_text("utf-8")


@pytest.fixture
def read(tmp_path: Path, profile: str) -> Callable[..., Config]:
    def reading(text: str) -> Config:
        (tmp_path / "table-1.camera.toml").write_text(profile, "utf-8")
        path = tmp_path / "club.toml"
        path.write_text(text, "utf-8")
        return read_config(path)

    return reading


@pytest.fixture
def refused(read: Callable[..., Config], tmp_path: Path) -> Callable[..., str]:
    def refusing(text: str) -> str:
        with pytest.raises(TableError) as caught:
            read(text)
        line = str(caught.value)
        assert "\n" not in line
        return line.replace(f"{tmp_path}/", "")

    return refusing


def test_a_camera_alone_tells_colours_and_needs_neither_port_nor_identity(
    read: Callable[..., Config], tmp_path: Path
) -> None:
    (board,) = read(HEAD + CAMERA).boards
    assert (board.header.senses, board.header.wiring, board.sensors) == ("colour", None, False)
    assert board.camera is not None
    settings = board.camera.settings
    assert (settings.device, settings.kind, settings.width, settings.height) == ("0", "device", 640, 360)
    assert (settings.exposure, settings.white_balance, settings.focus, settings.keep) == ("lock", "lock", "lock", None)
    assert board.camera.profile.grid.size == 8
    assert board.camera.files == (("profile", tmp_path / "table-1.camera.toml"),)


def test_beside_sensors_what_is_told_is_told_by_the_sensors(read: Callable[..., Config]) -> None:
    (board,) = read(HEAD + 'uid = "00002a01"\nturn = 180\n' + CAMERA).boards
    assert (board.header.senses, board.header.turn, board.sensors) == ("occupancy", 180, True)
    assert board.header.wiring is not None
    assert board.camera is not None


@pytest.mark.parametrize(
    ("device", "kind", "shown"),
    [
        ('"/dev/v4l/by-id/usb-Webcam-video-index0"', "device", "/dev/v4l/by-id/usb-Webcam-video-index0"),
        ('"rtsp://10.0.0.7:554/board"', "stream", "rtsp://10.0.0.7:554/board"),
        ('"HTTP://phone:8080/video"', "stream", "HTTP://phone:8080/video"),
        ('"games/one.avi"', "file", "{folder}/games/one.avi"),
        ('"3"', "device", "3"),
    ],
)
def test_a_device_is_a_number_a_path_an_address_or_a_file(
    read: Callable[..., Config], tmp_path: Path, device: str, kind: str, shown: str
) -> None:
    (board,) = read(HEAD + CAMERA.replace("device = 0", f"device = {device}")).boards
    assert board.camera is not None
    assert board.camera.settings.kind == kind
    assert board.camera.settings.device == shown.format(folder=tmp_path)


def test_what_is_asked_of_the_camera_is_read(read: Callable[..., Config], tmp_path: Path) -> None:
    more = 'width = 1280\nheight = 720\nfps = 15\nexposure = 156\nwhite_balance = "auto"\nfocus = "lock"\n'
    (board,) = read(HEAD + CAMERA + more + 'keep = "pictures"\nkeep_megabytes = 20\n').boards
    assert board.camera is not None
    settings = board.camera.settings
    assert (settings.width, settings.height, settings.fps) == (1280, 720, 15.0)
    assert (settings.exposure, settings.white_balance, settings.focus) == (156.0, "auto", "lock")
    assert settings.keep is not None
    assert (settings.keep.folder, settings.keep.megabytes) == (tmp_path / "pictures" / "table-1", 20)


def test_an_address_with_a_password_comes_from_a_file_that_is_the_owner_s(
    read: Callable[..., Config], refused: Callable[..., str], tmp_path: Path
) -> None:
    address = tmp_path / "camera.address"
    address.write_text("rtsp://ana:secret@10.0.0.7/board\n", "utf-8")
    text = HEAD + CAMERA.replace("device = 0", 'device_file = "camera.address"')
    address.chmod(0o644)
    assert refused(text).startswith(
        "club.toml:10: [board.camera] device_file: camera.address can be read by every user"
    )
    address.chmod(0o600)
    (board,) = read(text).boards
    assert board.camera is not None
    assert board.camera.settings.device == "rtsp://ana:secret@10.0.0.7/board"
    assert "secret" not in board.camera.settings.shown
    address.write_text("secret", "utf-8")
    assert "there is no address in camera.address" in refused(text)
    assert "secret" not in refused(text).replace("device_file", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD, 'club.toml:6: [board] where is it? Give "uid"'),
        (
            HEAD + 'senses = "occupancy"\n' + CAMERA,
            "club.toml:9: [board] a camera tells the colours of the pieces; leave senses out",
        ),
        (HEAD + 'senses = "kind"\n' + CAMERA, "club.toml:9: [board] a camera does not tell men from kings"),
        (HEAD + 'covers = "all"\n' + CAMERA, "club.toml:9: [board] a camera tells the squares that are played on"),
        (
            HEAD + "turn = 180\n" + CAMERA,
            "club.toml:9: [board] how the camera looks at the board stands in its profile",
        ),
        (HEAD + 'starts = "lever"\n' + CAMERA, 'club.toml:9: [board] starts is "lever", but a camera has none'),
        (HEAD + CAMERA.replace("device = 0\n", ""), 'club.toml:9: [board.camera] needs "device": a number'),
        (
            HEAD + CAMERA.replace("device = 0", 'device = "ftp://camera/"'),
            "club.toml:10: [board.camera] device: no stream can be read by ftp, only by http, https, rtsp, rtsps",
        ),
        (HEAD + CAMERA.replace("device = 0", 'device = ""'), "club.toml:10: [board.camera] device is empty"),
        (
            HEAD + CAMERA.replace("device = 0", 'device = "photos/start.JPG"'),
            "club.toml:10: [board.camera] device: photos/start.JPG is a single picture; a game needs a camera",
        ),
        (HEAD + CAMERA.replace("device = 0", "device = -1"), "club.toml:10: [board.camera] device"),
        (
            HEAD + CAMERA.replace("device = 0", 'device = "http://ana:secret@phone/"'),
            "club.toml:10: [board.camera] device has a password in it; write the address into a file of its own",
        ),
        (
            HEAD + CAMERA + 'device_file = "camera.address"\n',
            "club.toml:12: [board.camera] device_file and device are both given; one is enough",
        ),
        (
            HEAD + CAMERA.replace("device = 0", 'device = "http://phone/"') + "exposure = 100\n",
            "club.toml:12: [board.camera] exposure is asked of a camera of this machine only",
        ),
        (HEAD + CAMERA + "exposure = true\n", "club.toml:12: [board.camera] exposure"),
        (HEAD + CAMERA + 'exposure = "locked"\n', "club.toml:12: [board.camera] exposure"),
        (HEAD + CAMERA + "keep_megabytes = 5\n", 'club.toml:12: [board.camera] keep_megabytes is of use with "keep"'),
        (
            HEAD + CAMERA + 'expozure = "lock"\n',
            'club.toml:12: [board.camera] unknown key "expozure"; did you mean "exposure"?',
        ),
        (
            HEAD + CAMERA.replace("table-1.camera", "no"),
            "club.toml:11: [board.camera] profile: there is no no.toml; damas-board calibrate camera makes it",
        ),
        (
            HEAD.replace("br-cbjd", "int-fmjd") + CAMERA,
            "club.toml:11: [board.camera] profile: table-1.camera.toml is of a board of 8 x 8 squares",
        ),
        (
            HEAD.replace("br-cbjd", "tr-000") + CAMERA,
            "club.toml:10: [board.camera] a camera needs squares that no piece stands on, and tr-000 is played on all",
        ),
        (
            HEAD + CAMERA + HEAD[HEAD.index("[[board]]") :].replace("table-1", "table-2") + CAMERA,
            'club.toml:16: [board.camera] device "0" stands in two tables; a camera watches one board',
        ),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(refused: Callable[..., str], text: str, told: str) -> None:
    assert refused(text).startswith(told)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("parity = 1", "parity = 2", "parity: is 2; 0 or 1 is expected"),
        ("parity = 1", "parrity = 1", "parity: is missing"),
        ("[black]", "[blacks]", "black"),
        ("profile = 1", "profile = 9", "profile: a profile of format 9 is not known here"),
        ("parity = 1", "parity =", ""),
    ],
)
def test_a_profile_that_is_wrong_is_told_with_its_own_file_and_line(
    read: Callable[..., Config], tmp_path: Path, profile: str, old: str, new: str, told: str
) -> None:
    assert old in profile
    read(HEAD + CAMERA)
    (tmp_path / "table-1.camera.toml").write_text(profile.replace(old, new), "utf-8")
    with pytest.raises(TableError) as caught:
        read_config(tmp_path / "club.toml")
    assert caught.value.file == str(tmp_path / "table-1.camera.toml")
    assert told in str(caught.value)
    if new in ("parity = 2", "profile = 9"):
        wrong = next(n for n, line in enumerate(profile.splitlines(), 1) if line.startswith(old))
        assert caught.value.line == wrong


def unit_of(tmp_path: Path, text: str, read: Callable[..., Config]) -> str:
    read(text)
    root = tmp_path / "root"
    assert main(["service", "install", str(tmp_path / "club.toml"), "--output", str(root)]) == 0
    return (root / "etc/systemd/system/damas-board.service").read_text("utf-8")


def test_a_service_lets_the_cameras_of_its_machine_in_and_no_others(
    tmp_path: Path, read: Callable[..., Config]
) -> None:
    unit = unit_of(tmp_path, HEAD + CAMERA, read)
    assert "\nDeviceAllow=char-video4linux rw\n" in unit
    assert "\nSupplementaryGroups=video\n" in unit
    assert "modprobe@uvcvideo.service" in unit
    for other in (HEAD + CAMERA.replace("device = 0", 'device = "http://phone/"'), HEAD + 'port = "/dev/ttyACM0"\n'):
        unit = unit_of(tmp_path, other, read)
        assert not any(text in unit for text in ("video4linux", "Groups=video", "uvcvideo"))


def test_a_service_says_which_files_of_a_camera_it_would_not_see(
    tmp_path: Path, read: Callable[..., Config], capsys: pytest.CaptureFixture[str]
) -> None:
    unit_of(tmp_path, HEAD + CAMERA + 'keep = "/usr/pictures"\n', read)
    said = capsys.readouterr().err
    assert f"[board.camera] {tmp_path}/table-1.camera.toml" in said
    assert 'keep = "/var/lib/damas-board/pictures"' in said
