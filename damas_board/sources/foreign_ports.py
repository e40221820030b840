"""Ports at which boards of other makers are, whatever they are called: whoever looks for boards of our own leaves them.

What we ask a board of our own may mean anything to another one, down to *write to your memory*. So a port that a table
with an adapter has is known by its device, not by its name, and once it was there by its USB converter, wherever that
is plugged in again. A name that udev gives comes a moment after its device: until then no new device is touched. And a
device whose own USB name tells what it is needs no table.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

from serial.tools.list_ports_common import ListPortInfo

from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import is_local
from damas_board.sources.usb_converter import Converter, converter, on_usb

BY_ID = Path("/dev/serial/by-id")
UDEV = Path("/run/udev")
NAMING_SECONDS = 10.0
"""A device that is there for longer will not be given another name."""
_ON_USB = re.compile(r"/dev/tty(ACM|USB)\d+")

Place = tuple[int, int]
"""A device as the system knows it; a port that was pulled and plugged in between two looks is mostly another one."""


def place_of(path: str) -> Place | None:
    """The device at `path`; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:  # it is not there, or not any more
        return None
    return status.st_rdev, status.st_ino


class ForeignPorts:
    """`among` may be called from any thread."""

    def __init__(self, paths: Iterable[str] = (), usb_names: Sequence[str] = ()) -> None:
        """`paths`: the ports of tables with an adapter. `usb_names`: what a foreign device's USB name has in it."""
        self._paths = tuple(path for path in paths if is_local(path))
        self._names = tuple(usb_names)
        self._converters: dict[str, Converter] = {}
        """What was behind each of `_paths` when it was there last."""
        self._lock = Lock()

    def among(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of `paths` that nobody may open who looks for a board of our own."""
        local = {path: os.path.realpath(path) for path in paths if is_local(path)}
        if not local:
            return frozenset()
        there = on_usb()
        with self._lock:
            missing = self._look(there)
            places = {place_of(path) for path in self._paths} - {None}
            return frozenset(
                path
                for path, device in local.items()
                if place_of(path) in places
                or self._speaks_up(device, there)
                or self._was_there(there.get(device), missing)
                or (self._paths and _may_be_named_yet(device))
            )

    def _look(self, there: Mapping[str, ListPortInfo]) -> set[str]:
        """Remember what is behind the ports that are there; those that are not."""
        missing = set()
        for path in self._paths:
            found = there.get(os.path.realpath(path))
            if found is not None:
                self._converters[path] = converter(found)
            elif place_of(path) is None:
                missing.add(path)
        return missing

    def _speaks_up(self, device: str, there: Mapping[str, ListPortInfo]) -> bool:
        if not self._names or device not in there:
            return False
        said = _said(device, there)
        return any(name in said for name in self._names)

    def _was_there(self, found: ListPortInfo | None, missing: set[str]) -> bool:
        """Whether this is the converter of a foreign port at another place. One without a number may be another's."""
        if found is None:
            return False
        ours = converter(found)
        return any(
            ours == known and (known[2] is not None or path in missing) for path, known in self._converters.items()
        )


def check_ours(port: str, usb_names: Sequence[str]) -> None:
    """BoardError where the USB name of a port tells that a board of another maker is there."""
    if ForeignPorts((), usb_names).among([port]):
        raise BoardError("port_foreign", port=port)


def usb_name(port: str) -> str:
    """All that USB has of names for a port, in small letters; nothing for one that is not on USB."""
    return _said(os.path.realpath(port), on_usb())


def links_by_id(port: str) -> list[Path]:
    """The names of a port that stay its device's wherever that is plugged in."""
    device = os.path.realpath(port)
    try:
        return sorted(link for link in BY_ID.iterdir() if os.path.realpath(link) == device)
    except OSError:  # none has such a name
        return []


def _said(device: str, there: Mapping[str, ListPortInfo]) -> str:
    found = there.get(device)
    links = (link.name for link in links_by_id(device))
    said = () if found is None else (found.manufacturer, found.product, *links)
    return " ".join(part for part in said if part).lower()


def _may_be_named_yet(device: str) -> bool:
    """Whether udev has not yet said what all a new device is called; what it knows of a device it writes down last."""
    if _ON_USB.fullmatch(device) is None or not (UDEV / "control").exists():
        return False
    try:
        status = os.stat(device)
    except OSError:  # it has gone
        return False
    noted = UDEV / "data" / f"c{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
    return not noted.exists() and time.time() - status.st_ctime < NAMING_SECONDS
