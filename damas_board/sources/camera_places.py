"""The cameras of this machine, and where one that was unplugged may be again.

A camera that is plugged in again often gets another number. On Linux it keeps the links that udev makes for it: one by
its own identity, one by the socket. Its identity comes first; a place where a camera of another identity is now is not
taken, or two cameras that were unplugged together might each watch the other's table.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from damas_board.sources.reconnection import Present, present

DEVICES = Path("/dev")
CLASS = Path("/sys/class/video4linux")
BY_ID, BY_PATH = "v4l/by-id", "v4l/by-path"


@dataclass(frozen=True, slots=True)
class CameraPlace:
    """A camera that is there."""

    path: str
    name: str | None = None
    """As its driver tells it."""
    by_id: str | None = None
    """The link that has the camera's own identity, wherever it is plugged in."""
    by_path: str | None = None
    """The link of the socket it is plugged into."""

    @property
    def steady(self) -> str:
        """The name that is worth writing down."""
        return self.by_id or self.by_path or self.path


def cameras(devices: Path = DEVICES, system: Path = CLASS) -> tuple[CameraPlace, ...]:
    """The cameras of this machine in the order of their numbers; none where the system is not Linux.

    Of the nodes of one camera the first only: the others give no pictures.
    """
    found = []
    by_id, by_path = _links(devices / BY_ID), _links(devices / BY_PATH)
    for entry in _entries(system):
        if _text(entry / "index") in (None, "0"):
            node = str(devices / entry.name)
            real = os.path.realpath(node)
            found.append(CameraPlace(node, _text(entry / "name"), by_id.get(real), by_path.get(real)))
    return tuple(sorted(found, key=lambda camera: (len(camera.path), camera.path)))


def node(device: str, devices: Path = DEVICES) -> str:
    """The path of a camera that may be named by its number."""
    return str(devices / f"video{device}") if device.isdecimal() else device


def _entries(folder: Path) -> Sequence[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return ()


def _links(folder: Path) -> dict[str, str]:
    """By the real path of what they point to the links of a folder."""
    return {os.path.realpath(link): str(link) for link in _entries(folder)}


def _text(file: Path) -> str | None:
    try:
        return file.read_text("utf-8", "replace").strip() or None
    except OSError:
        return None


class Whereabouts:
    """Where a camera of this machine is, from what it was called at first, and from its links once it was there."""

    def __init__(self, device: str, devices: Path = DEVICES, system: Path = CLASS) -> None:
        """`device` is a number or a path."""
        self._named = node(device, devices)
        self._devices = devices
        self._system = system
        self._known: CameraPlace | None = None
        """The camera when it was there last."""

    def remember(self, path: str) -> None:
        """The camera was found at `path`."""
        here = self._at(path, cameras(self._devices, self._system))
        if here is not None and (here.by_id is not None or self._known is None):
            self._known = here

    def candidates(self) -> list[str]:
        """The paths at which it may be now, the likeliest first; paths that are not there are among them."""
        if self._known is None:
            return [self._named]
        there = cameras(self._devices, self._system)
        known = self._known
        if known.by_id is not None:
            same = [camera.path for camera in there if camera.by_id == known.by_id]
            if same:
                return same
        places = dict.fromkeys([*([] if known.by_path is None else [known.by_path]), self._named])
        return [place for place in places if not self._is_another(place, there)]

    def present(self) -> Present:
        """The candidates that are there."""
        return present(self.candidates())

    def _is_another(self, place: str, there: Sequence[CameraPlace]) -> bool:
        """Whether a camera is there whose identity is known, and is not this one's."""
        here = self._at(place, there)
        known = None if self._known is None else self._known.by_id
        return here is not None and here.by_id is not None and known is not None and here.by_id != known

    def _at(self, place: str, there: Sequence[CameraPlace]) -> CameraPlace | None:
        real = os.path.realpath(place)
        return next((camera for camera in there if os.path.realpath(camera.path) == real), None)
