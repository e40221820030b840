"""What is known of a camera before it is opened: where it is, what is asked of its driver, what may be kept of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["device", "stream", "file"]
"""A camera of this machine; one that is read over the network; a video file."""
SCHEMES = ("http", "https", "rtsp", "rtsps")
"""Of the streams that can be read."""
Adjustment = Literal["lock", "auto"] | float
"""`lock`: as the camera has found it by itself, and from then on unchanged; a number is the driver's own."""

BELOW = "/dev/"
"""Where the cameras of this machine are."""

_STREAM = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


def scheme_of(device: str) -> str | None:
    """The scheme, in small letters, of what looks like a URL."""
    found = _STREAM.match(device)
    return None if found is None else found[1].lower()


def kind_of(device: str) -> Kind:
    """What a device's text means: a number or a path below /dev is a camera of this machine."""
    if device.isdecimal() or device.startswith(BELOW):
        return "device"
    return "file" if scheme_of(device) is None else "stream"


@dataclass(frozen=True, slots=True)
class Keeping:
    """Which pictures are kept: those at changes, and those around alerts, as long as there is room for them."""

    folder: Path
    megabytes: int


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """A camera, and what is asked of its driver; None leaves it to the driver."""

    device: str
    """A number, a path (absolute where it is a file's), or a URL."""
    width: int | None = None
    height: int | None = None
    fps: float | None = None
    exposure: Adjustment = "lock"
    white_balance: Adjustment = "lock"
    focus: Adjustment = "lock"
    keep: Keeping | None = None
    """None: no picture is ever stored."""

    @property
    def kind(self) -> Kind:
        return kind_of(self.device)

    @property
    def shown(self) -> str:
        """The device as it may be told: a password in a URL is left out."""
        return re.sub(r"(?<=://)[^/@]*@", "", self.device)
