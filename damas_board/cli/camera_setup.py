"""Sets a camera up: takes pictures of the start position, finds out what has to be known, and writes it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from errno import ENOENT
from pathlib import Path
from time import monotonic

from calibration.camera import Calibration, Place, Remark, calibrate, names_of, smallest
from calibration.camera_overlay import Drawing, drawn
from calibration.profile_text import profile_text
from damas_board.cli import DONE, WRONG_INPUT, regulation
from damas_board.cli.errors import InputError
from damas_board.cli.picture_file import looks_like_a_picture, read_picture, write_png
from damas_board.cli.real_board import listed
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding.vision.classes import COMFORTABLE, SEPARABLE
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Turn
from damas_board.hub.files import write_whole
from damas_board.regulations.regulation import Words
from damas_board.rules.variant import Variant
from damas_board.sources.camera_device import Camera
from damas_board.sources.camera_places import cameras, node
from damas_board.sources.camera_settings import SCHEMES, CameraSettings, kind_of, scheme_of

SNAPSHOTS = 5
ADDRESS_FILE = "camera.address"
WARM_SECONDS = 2.0
"""So long a camera of this machine takes to find its exposure and its colours."""
PATIENCE = 10.0
"""Seconds for a camera to open, or to give its next picture."""
_WHITES_EDGE: Mapping[Turn, int] = {0: 2, 90: 1, 180: 0, 270: 3}
"""Where White sits, by the turn: 0 is the picture's upper edge, then clockwise."""
_COMMENTED = ("width", "parity", "turn", "mirrored", "lean", "separation", "grid", "empty")


def set_up(chosen: argparse.Namespace) -> int:
    """See calibrate_camera.call."""
    rules = regulation.named(chosen.regulation)
    overlay = chosen.overlay or chosen.out.with_suffix(".overlay.png")
    for path in (chosen.out, chosen.overlay):
        if path is not None and path.exists() and not chosen.force:
            raise InputError(word("camera.exists", rules.words, file=path))
    pictures = snapshots(chosen.device, chosen.resolution)
    found = calibrate(pictures, [rules.variant], clicks=chosen.clicks, mirrored=chosen.mirrored)
    write_png(overlay, overlaid(found, rules.variant))
    for line in told(found, rules.variant, rules.words):
        print(line)
    print(word("camera.look", rules.words, file=overlay))
    names = _names(found, rules.variant)
    shown = CameraSettings(chosen.device).shown
    for remark in found.remarks:
        if remark.refuses:
            say(f"damas-board: {word('camera.of', device=shown, message=text_of(remark, names, rules.words))}")
    if found.profile is None or not found.usable:
        return WRONG_INPUT
    write_whole(chosen.out, profile_text(found.profile, comments(rules.words)))
    print(word("camera.written", file=chosen.out))
    print(word("camera.next"))
    print("\n".join(configured(chosen.device, chosen.out, rules.words)))
    return DONE


# pictures


def snapshots(device: str, resolution: tuple[int, int] | None = None) -> list[Picture]:
    """A few pictures of a camera, a stream or a video, or the one in a file. InputError, OSError, BoardError."""
    kind = kind_of(device)
    if kind == "file":
        path = Path(device).expanduser()
        if not path.exists():
            raise OSError(ENOENT, os.strerror(ENOENT), device)
        if path.is_dir() or looks_like_a_picture(path):
            return [read_picture(path)]
        device = str(path.resolve())
    scheme = scheme_of(device)
    if scheme is not None and scheme not in SCHEMES:
        raise InputError(word("camera.scheme", scheme=scheme, schemes=", ".join(SCHEMES)))
    width, height = resolution if resolution is not None and kind == "device" else (None, None)
    place = node(device) if kind == "device" and sys.platform == "linux" else device
    camera = Camera(place, CameraSettings(device, width, height), monotonic, pace=False)
    pictures: list[Picture] = []
    try:
        camera.open(PATIENCE)
        warm = monotonic() + (WARM_SECONDS if kind == "device" else 0.0)
        while len(pictures) < SNAPSHOTS:
            frame = camera.next(PATIENCE)
            if frame is None:
                break
            if monotonic() >= warm:
                pictures.append(frame.picture)
    finally:
        camera.close()
    return pictures


# what is told


def told(found: Calibration, variant: Variant, words: Words | None = None) -> list[str]:
    """What was found out, and what to think of, a line each; what refuses is not among it."""
    lines = []
    grid, profile = found.finding.grid, found.profile
    if grid is not None and profile is not None:
        edge = word(f"camera.edge.{_WHITES_EDGE[profile.turn]}")
        lines.append(word("camera.found", words, size=grid.size, pixels=smallest(grid), edge=edge))
    names = _names(found, variant)
    return lines + [text_of(remark, names, words) for remark in found.remarks if not remark.refuses]


def text_of(remark: Remark, names: Mapping[Place, str] | None, words: Words | None = None) -> str:
    """A remark in words; squares by their names where those are known."""
    facts = dict(remark.facts)
    for key in ("one", "other"):
        if key in facts:
            facts[key] = word(f"camera.{facts[key]}")
    if remark.key in ("inseparable", "enough"):
        facts |= {"least": SEPARABLE} if remark.key == "inseparable" else {"well": COMFORTABLE}
    if remark.places:
        facts["squares"] = _squares(remark.places, names)
    return word(f"camera.{remark.key}", words, **facts)


def _squares(places: Sequence[Place], names: Mapping[Place, str] | None) -> str:
    if names is not None:
        return listed([names[place] for place in places])
    return word("camera.places", places=listed([f"{row + 1}/{column + 1}" for row, column in places]))


def _names(found: Calibration, variant: Variant) -> dict[Place, str] | None:
    return None if found.profile is None else names_of(variant, found.profile.turn)


def overlaid(found: Calibration, variant: Variant) -> Picture:
    """The picture with what was found drawn on it."""
    lies, finding = found.profile, found.finding
    drawing = Drawing(
        rows=found.rows,
        names={} if lies is None else _played(names_of(variant, lies.turn), lies.parity),
        edges={} if lies is None else sides(lies.turn),
        wrong=[place for remark in found.remarks for place in remark.places],
        others=finding.others,
        cards=finding.markers,
    )
    return drawn(found.picture, finding.grid, drawing)


def sides(turn: Turn) -> dict[int, str]:
    """Who sits at which edge of the picture."""
    white = _WHITES_EDGE[turn]
    return {white: word("camera.side.white"), (white + 2) % 4: word("camera.side.black")}


def _played(names: Mapping[Place, str], parity: int) -> dict[Place, str]:
    return {(row, column): name for (row, column), name in names.items() if (row + column) % 2 == parity}


def comments(words: Words | None = None) -> dict[str, str]:
    """What stands in the profile's file above its values."""
    limits = {"least": SEPARABLE, "well": COMFORTABLE}
    known = {key: word(f"camera.profile.{key}", words) for key in _COMMENTED if key != "separation"}
    return {
        "": word("camera.profile", words),
        **known,
        "separation": word("camera.profile.separation", words, **limits),
    }


def configured(device: str, profile: Path, words: Words | None = None) -> list[str]:
    """The lines that a configuration gets."""
    settings = CameraSettings(device)
    if settings.shown != device:
        line = f"device_file = {_quoted(ADDRESS_FILE)}  # {word('camera.next.address', words)}"
    elif settings.kind == "file":
        line = f"device = 0  # {word('camera.next.device', words)}"
    elif settings.kind == "stream":
        line = f"device = {_quoted(device)}"
    else:
        path = os.path.realpath(node(device))
        steady = next((camera.steady for camera in cameras() if os.path.realpath(camera.path) == path), None)
        line = f"device = {device if steady is None and device.isdecimal() else _quoted(steady or device)}"
    return ["", "[board.camera]", line, f"profile = {_quoted(str(profile.resolve()))}"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
