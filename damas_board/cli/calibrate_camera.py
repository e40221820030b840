"""`damas-board calibrate camera`: its options; what it does is `camera_setup`'s, which needs OpenCV."""

from __future__ import annotations

import argparse
import re
from math import isfinite
from pathlib import Path

from damas_board.cli import Commands
from damas_board.cli.camera_extra import needing_extra
from damas_board.cli.words import word

FILE = "camera.toml"
RESOLUTION = "1280x720"
Click = tuple[float, float]


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
    with needing_extra():
        from damas_board.cli import camera_setup
    return camera_setup.set_up(chosen)


def add_clicks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clicks", metavar="X,Y", nargs=4, type=_click, help=word("help.camera.clicks"))


def _click(text: str) -> Click:
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        x = y = float("nan")
    if not (isfinite(x) and isfinite(y)):
        raise argparse.ArgumentTypeError(word("camera.click", text=text))
    return x, y


def _resolution(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{1,4})[xX]([1-9]\d{1,4})", text)
    if found is None:
        raise argparse.ArgumentTypeError(word("camera.resolution", text=text, default=RESOLUTION))
    return int(found[1]), int(found[2])
