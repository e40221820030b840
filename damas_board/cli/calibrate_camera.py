"""`damas-board calibrate camera`: its options; what it does is `camera_setup`'s, which needs OpenCV."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from damas_board.cli import Commands
from damas_board.cli.camera_extra import needing_extra
from damas_board.cli.errors import InputError
from damas_board.cli.words import word

FILE = "camera.toml"
RESOLUTION = "1280x720"
Click = tuple[float, float]
FARTHEST = 1e6
"""Pixels: no picture is so large."""


def register(what: Commands) -> None:
    text = word("help.calibrate.camera")
    parser = what.add_parser("camera", help=text, description=text)
    parser.add_argument("device", metavar="DEVICE", help=word("help.camera.device"))
    parser.add_argument("--regulation", "-r", metavar="R", required=True, help=word("help.camera.rules"))
    out = word("help.camera.out", default=FILE)
    parser.add_argument("--out", metavar="FILE", type=Path, default=Path(FILE), help=out)
    parser.add_argument("--overlay", metavar="FILE", type=Path, help=word("help.camera.overlay"))
    add_clicks(parser)
    parser.add_argument("--mirrored", action="store_true", help=word("help.camera.mirrored"))
    parser.add_argument(
        "--resolution",
        metavar="WxH",
        type=_resolution,
        default=RESOLUTION,
        help=word("help.camera.resolution", default=RESOLUTION),
    )
    parser.add_argument("--force", action="store_true", help=word("help.force"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Writes the profile and a picture to look at. 0 where the profile is there, 1 where something is in the way."""
    check_clicks(chosen.clicks)
    with needing_extra():
        from damas_board.cli import camera_setup
    return camera_setup.set_up(chosen)


def add_clicks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clicks", metavar="X,Y", nargs=4, type=_click, help=word("help.camera.clicks"))


def check_clicks(clicks: Sequence[Click] | None) -> None:
    """InputError where they cannot be the corners of a board."""
    for (ax, ay), (bx, by), (cx, cy) in combinations(clicks or (), 3):
        if abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) < 1:  # pixels: three of them lie on a line
            raise InputError(word("camera.clicks"))


def _click(text: str) -> Click:
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        x = y = float("nan")
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST):
        raise argparse.ArgumentTypeError(word("camera.click", text=text))
    return x, y


def _resolution(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{1,4})[xX]([1-9]\d{1,4})", text)
    if found is None:
        raise argparse.ArgumentTypeError(word("camera.resolution", text=text, default=RESOLUTION))
    return int(found[1]), int(found[2])
