"""Files that are no pictures, wrong options, missing libraries: one line each, and other pictures are still read."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from pictured import rows_of, saved, taken

from damas_board.cli import main

START = rows_of("brazilian")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("pictures") / "start.png", taken(START)[0])


def refused(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that is said of it, by the program or by any library of it."""
    assert main(list(map(str, arguments))) == 1
    (line,) = capfd.readouterr().err.splitlines()
    return line


def large_png(side: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


FILES = {
    "empty.jpg": (b"", "is empty"),
    "text.png": (b"this is no picture\n" * 40, "is no picture that can be read here"),
    "page.pdf": (b"%PDF-1.4\n" + bytes(4000), "is no picture that can be read here"),
    "phone.heic": (b"\0\0\0\x18ftypheic\0\0\0\0" + bytes(4000), "HEIC"),
    "large.png": (large_png(60_000), "is too large"),
    "cut.webp": (b"RIFF\xff\xff\0\0WEBPVP8 " + bytes(40), "is cut off or damaged"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_picture_is_named_in_one_line(capfd, tmp_path: Path, name: str) -> None:
    content, text = FILES[name]
    file = tmp_path / name
    file.write_bytes(content)
    line = refused(capfd, "camera", file)
    assert line.startswith(f"damas-board: {file}: ")
    assert text in line


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".gif", ".tiff", ".bmp"])
@pytest.mark.parametrize("kept", [0.02, 0.6, 0.999])
def test_a_picture_that_is_cut_off_is_not_read_as_if_it_were_whole(
    capfd, tmp_path: Path, suffix: str, kept: float
) -> None:
    file = saved(tmp_path / f"whole{suffix}", taken(START)[0])
    cut = tmp_path / f"cut{suffix}"
    data = file.read_bytes()
    cut.write_bytes(data[: int(len(data) * kept)])
    assert refused(capfd, "camera", cut) == (
        f"damas-board: {cut}: the picture is cut off or damaged; was it copied whole?"
    )


def test_a_missing_file_and_a_folder_are_said_to_be_that(capfd, tmp_path: Path) -> None:
    assert refused(capfd, "camera", tmp_path / "none.jpg") == f"damas-board: {tmp_path / 'none.jpg'}: no such file"
    assert refused(capfd, "camera", tmp_path) == f"damas-board: {tmp_path}: is a directory, a file is needed"


def test_the_pictures_that_can_be_read_are_read_all_the_same(capfd, tmp_path: Path, start: Path) -> None:
    assert main(["camera", str(tmp_path / "none.jpg"), str(start), str(tmp_path), str(start)]) == 1
    said = capfd.readouterr()
    assert [json.loads(line)["image"] for line in said.out.splitlines()] == [str(start)] * 2
    assert len(said.err.splitlines()) == 2


def test_a_name_that_is_no_text_breaks_nothing(capfd, tmp_path: Path, start: Path) -> None:
    name = Path(str(tmp_path).encode().decode() + "/\udcff\x1b[31m.png")
    name.write_bytes(start.read_bytes())
    assert main(["camera", str(name)]) == 0
    said = capfd.readouterr().out
    assert "\x1b" not in said
    found = json.loads(said)
    assert found["status"] == "OK"
    assert "\ufffd" in found["image"]


def test_a_start_picture_that_is_none_is_refused_with_what_is_wrong(capfd, tmp_path: Path, start: Path) -> None:
    rows = START.replace("w", ".", 1)
    other = saved(tmp_path / "other.png", taken(rows)[0])
    line = refused(capfd, "camera", start, "--start", other)
    text = "this is not the start position; look at 6/1 (row/column in the picture, from its top left)"
    assert line == f"damas-board: {other}: {text}"
    nothing = saved(tmp_path / "nothing.png", taken(START)[0][:40, :40])
    assert "no board is found" in refused(capfd, "camera", start, "--start", nothing, "--size", "8")
    line = refused(capfd, "camera", start, "--start", start, "--regulation", "pt-classicas")
    assert "the corner at the players' hands is the wrong one" in line


def test_options_that_contradict_each_other_are_refused(capfd, tmp_path: Path, start: Path) -> None:
    line = refused(capfd, "camera", start, "--size", "10", "--regulation", "br-cbjd")
    assert line == "damas-board: the board has 10 x 10 squares, but the regulation is played on 8 x 8"
    assert "one picture at a time" in refused(capfd, "camera", start, start, "--overlay", tmp_path / "o.png")
    assert "played on every square" in refused(capfd, "camera", start, "--regulation", "tr-000")
    assert "no regulation 'br-cbj'" in refused(capfd, "camera", start, "--regulation", "br-cbj")
    assert main(["camera", str(start), "--start", str(start), "--profile", "x"]) == 2
    assert main(["camera", str(start), "--size", "9"]) == 2


def test_clicks_that_are_no_corners_are_refused(capfd, start: Path) -> None:
    for clicks in (("1,1", "2,2", "3,3", "4,4"), ("5,5", "5,5", "90,5", "5,90")):
        assert "these four points are no corners" in refused(capfd, "camera", start, "--clicks", *clicks)
    for click in ("1", "1,2,3", "a,b", "nan,1", "inf,1", "1e300,1", ""):
        assert main(["camera", str(start), "--clicks", "1,1", "9,1", "9,9", click]) == 2
        assert "is no place in a picture" in capfd.readouterr().err


def test_a_profile_that_is_none_is_refused_with_its_line(capfd, tmp_path: Path, start: Path) -> None:
    file = tmp_path / "camera.toml"
    file.write_text("profile = 1\nwidth = 0\n", "utf-8")
    assert refused(capfd, "camera", start, "--profile", file).startswith(f"damas-board: {file}:2: width")
    file.write_bytes(b"profile = 1 # \xff\n")
    assert "is not UTF-8" in refused(capfd, "camera", start, "--profile", file)
    assert "no such file" in refused(capfd, "camera", start, "--profile", tmp_path / "none.toml")


def test_an_overlay_never_takes_the_place_of_a_file_unless_asked_to(capfd, tmp_path: Path, start: Path) -> None:
    picture = tmp_path / "start.png"
    picture.write_bytes(start.read_bytes())
    line = refused(capfd, "camera", picture, "--overlay", picture)
    assert line == f"damas-board: {picture}: is there already; name another file, or write over it with --force"
    assert picture.read_bytes() == start.read_bytes()
    assert main(["camera", str(start), "--overlay", str(picture), "--force"]) == 0
    assert picture.read_bytes() != start.read_bytes()
    assert "none" in refused(capfd, "camera", start, "--overlay", tmp_path / "none" / "o.png")


@pytest.mark.parametrize(
    "arguments",
    [("camera", "x.png"), ("calibrate", "camera", "0", "-r", "br-cbjd"), ("calibrate", "markers", "--out", "x.svg")],
    ids=" ".join,
)
@pytest.mark.parametrize("missing", ["cv2", "numpy"])
def test_without_opencv_one_line_says_how_to_get_it(tmp_path: Path, arguments: tuple[str, ...], missing: str) -> None:
    code = (
        f"import sys; sys.modules['{missing}'] = None; from damas_board.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert "need OpenCV, which is not installed" in line
    assert "./run camera" in line
    assert "'.[camera]'" in line


def test_the_help_is_there_without_opencv_and_does_not_load_it(tmp_path: Path) -> None:
    code = (
        "import sys; from damas_board.cli import main\n"
        "for command in ('camera', 'calibrate'):\n"
        "    assert main([command, '--help']) == 0\n"
        "assert 'cv2' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60, cwd=tmp_path)


def test_it_is_said_in_portuguese_too(capfd, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    file = tmp_path / "texto.jpg"
    file.write_bytes(b"nada")
    assert "não é uma imagem que se leia aqui" in refused(capfd, "camera", file)
