"""`damas-board camera`: its options; what it does is `camera_reading`'s, which needs OpenCV."""

from __future__ import annotations

import argparse
from pathlib import Path

from damas_board.cli import Commands
from damas_board.cli.calibrate_camera import add_clicks, check_clicks
from damas_board.cli.camera_extra import needing_extra
from damas_board.cli.words import word
from damas_board.decoding.vision.profile import SIZES


def register(commands: Commands) -> None:
    parser = commands.add_parser("camera", help=word("help.camera"), description=word("help.camera.more"))
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path, help=word("help.camera.image"))
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--start", metavar="IMAGE", type=Path, help=word("help.camera.start"))
    known.add_argument("--profile", metavar="FILE", type=Path, help=word("help.camera.profile"))
    parser.add_argument("--size", type=int, choices=SIZES, help=word("help.camera.size"))
    parser.add_argument("--regulation", "-r", metavar="R", help=word("help.camera.regulation"))
    add_clicks(parser)
    parser.add_argument("--mirrored", action="store_true", help=word("help.camera.mirrored"))
    parser.add_argument("--overlay", metavar="FILE", type=Path, help=word("help.camera.drawn"))
    parser.add_argument("--force", action="store_true", help=word("help.force"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """One JSON object a picture, whatever it shows. 1 where a file could not be read as a picture; the others are."""
    check_clicks(chosen.clicks)
    with needing_extra():
        from damas_board.cli import camera_reading
    return camera_reading.read_pictures(chosen)
