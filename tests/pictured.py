"""Small rendered pictures of boards as files, for what reads picture files; each is rendered once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.picture import Picture
from damas_board.rules.position import initial
from damas_board.rules.variants import VARIANTS
from simulator.camera import LOOKS, Look, Pose, Renderer, Scene, Truth, View
from simulator.camera.cards import corner_cards

cv2.setNumThreads(1)

WIDTH, HEIGHT = 768, 432
MIDDLE = ".b.b.b.b/b...b.b./.b.b...b/..w...../.....b../w.....w./.w.w.w.w/w.w.w..."
"""A position of a game on 8 x 8 with the playing corner at the left, White's view."""


def rows_of(variant: str) -> str:
    """The start position, White's view."""
    return Scene.of_position(initial(VARIANTS[variant]), LOOKS["wood"]).rows


@cache
def taken(
    rows: str,
    *,
    azimuth: float = 10.0,
    elevation: float = 60.0,
    look: Look = LOOKS["wood"],
    cards: bool = False,
    mirrored: bool = False,
    parity: int = 1,
    width: int = WIDTH,
    height: int = HEIGHT,
    fill: float = 0.92,
) -> tuple[Picture, Truth]:
    """A picture of a board on which that stands (White's view), and what it shows."""
    scene = Scene.of_rows(rows, look, parity=1 if parity else 0)
    if cards:
        scene = replace(scene, cards=corner_cards(scene.size, look))
    view = View(Pose(elevation, azimuth, fill=fill if not cards else 0.75), width, height, mirrored=mirrored)
    renderer = Renderer(scene, view)
    return renderer.picture(scene), renderer.truth(scene)


def saved(path: Path, picture: NDArray[Any], *options: int) -> Path:
    """The picture in a file of the kind that its name says."""
    done, data = cv2.imencode(path.suffix, picture, options)
    assert done
    path.write_bytes(data.tobytes())
    return path


def upright(data: bytes, orientation: int) -> bytes:
    """A JPEG with what a phone writes about how it was held (EXIF)."""
    tiff = (
        b"MM\0*\0\0\0\x08" + b"\0\x01" + b"\x01\x12\0\x03\0\0\0\x01" + bytes([0, orientation]) + b"\0\0" + b"\0\0\0\0"
    )
    body = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


KINDS: dict[str, Callable[[Picture], tuple[str, NDArray[Any]]]] = {
    "grey png": lambda picture: (".png", np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))),
    "16-bit png": lambda picture: (".png", picture.astype(np.uint16) * 257),
    "png with transparency": lambda picture: (".png", np.dstack([picture, np.full(picture.shape[:2], 128, np.uint8)])),
    "webp": lambda picture: (".webp", picture),
    "tiff": lambda picture: (".tiff", picture),
    "bmp": lambda picture: (".bmp", picture),
    "gif": lambda picture: (".gif", picture),
}
"""What makes of a picture what a file of a kind holds."""


def unlike(rows: str, truth: str) -> int:
    """How many marks are wrong; `?` is not."""
    return sum(one not in (other, "?") for one, other in zip(rows, truth, strict=True))
