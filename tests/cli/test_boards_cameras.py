"""`damas-board boards` lists the cameras of this machine as well, and which tables they watch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sources.filmed import camera_tree, profile_file

from damas_board.cli import main
from damas_board.sources import camera_places


def listed(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    devices, system = camera_tree(folder, video0=("HD Webcam", "usb-A", None), video2=("Lamp", None, None))
    found = camera_places.cameras(devices, system)
    monkeypatch.setattr("damas_board.cli.boards.cameras", lambda: found)
    monkeypatch.setenv("DAMAS_LANG", "en")
    config = folder / "m.toml"
    table = 'meeting = "m"\n[ports]\nsearch = ["none/*"]\n[[board]]\nid = "one"\nregulation = "br-cbjd"\ntable = "7"\n'
    camera = f'[board.camera]\ndevice = "{devices}/v4l/by-id/usb-A"\nprofile = "{profile_file(folder)}"\n'
    # Below /dev of this machine a camera of the test cannot be.
    monkeypatch.setattr("damas_board.sources.camera_settings.BELOW", f"{devices}/")
    config.write_text(table + camera, "utf-8")
    assert main(["boards", str(config), *more]) == 0
    return capsys.readouterr().out.replace(f"{folder}/", "")


def test_cameras_are_listed_with_their_steady_names_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = listed(tmp_path, monkeypatch, capsys).splitlines()
    at = lines.index("")
    assert [line.split("  ")[0] for line in lines[at + 1 : at + 4]] == ["camera", "dev/v4l/by-id/usb-A", "dev/video2"]
    assert lines[at + 2].split()[-3:] == ["Webcam", "one", "7"]
    assert lines[at + 3].split()[-3:] == ["Lamp", "-", "-"]
    assert lines[at + 4].endswith("damas-board calibrate camera dev/video2")
    assert any("watched by a camera" in line for line in lines[:at])


def test_for_programs_they_stand_behind_the_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(listed(tmp_path, monkeypatch, capsys, "--json"))
    assert [(e["state"], e.get("board")) for e in found] == [("watched", "one"), ("camera", "one"), ("camera", None)]
    assert found[1] == {
        "state": "camera",
        "camera": "dev/v4l/by-id/usb-A",
        "path": "dev/video0",
        "name": "HD Webcam",
        "board": "one",
        "table": "7",
    }


def test_where_there_is_no_camera_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("damas_board.cli.boards.cameras", tuple)
    monkeypatch.setenv("DAMAS_LANG", "en")
    for platform, said in (("linux", "no camera is plugged into this machine"), ("win32", "cameras are not listed")):
        monkeypatch.setattr("damas_board.cli.boards.sys.platform", platform)
        assert main(["boards", "--search", "none/*"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith(said)
