"""What a camera adjusts by itself: it may find its exposure, its white balance and its focus, then they stay.

A picture that becomes lighter because a dark sleeve came into it makes white men of black ones. So a moment after it
was opened the adjustments that are to be locked are taken out of the camera's hands, as they are by then. Some cameras
jump to another exposure when they are told so; that is looked for, and they get theirs back. What a driver refuses is
said once, and does not keep anybody from playing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from damas_board.sources.camera_settings import Adjustment, CameraSettings

FINDING_SECONDS = 2.0
"""How long a camera may find its adjustments."""
JUMPING_SECONDS = 1.0
"""How long it is watched afterwards."""
JUMP = 1.3
"""Lighter or darker by this factor is a jump."""

_log = logging.getLogger(__name__)

Adjusted = Literal["exposure", "white_balance", "focus"]


class Device(Protocol):
    """What is asked of an open camera."""

    def get(self, prop: int, /) -> float: ...

    def set(self, prop: int, value: float, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Knob:
    automatic: int
    """The property that says whether the camera adjusts by itself."""
    by_itself: float
    by_hand: float
    value: int


_KNOBS: Mapping[Adjusted, _Knob] = {
    "exposure": _Knob(cv2.CAP_PROP_AUTO_EXPOSURE, 3.0, 1.0, cv2.CAP_PROP_EXPOSURE),
    "white_balance": _Knob(cv2.CAP_PROP_AUTO_WB, 1.0, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": _Knob(cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0, cv2.CAP_PROP_FOCUS),
}
"""The numbers are those of Video4Linux: exposure 3 is what webcams call automatic (aperture priority), 1 is manual."""


class Controls:
    """`begin`, then `lock` with the newest picture whenever it is `due`. Times are seconds on any one scale."""

    def __init__(self, camera: Device, settings: CameraSettings) -> None:
        self.refused: list[str] = []
        """What the driver did not do."""
        self._said: list[str] = []
        """So much of that has been said."""
        self._camera = camera
        self._settings = settings
        self._wanted: Mapping[Adjusted, Adjustment] = {
            "exposure": settings.exposure,
            "white_balance": settings.white_balance,
            "focus": settings.focus,
        }
        self._lock_at: float | None = None
        self._look_at: float | None = None
        self._before = 0.0
        self._asked_size = False
        self._jumps = False
        """This camera's exposure cannot be locked as it has found it."""

    def begin(self, at: float) -> None:
        """Ask for size and rate, and let the camera find what is to be locked."""
        if not self._asked_size:
            self._asked_size = True
            self._ask_size()
        for name, wanted in self._wanted.items():
            knob = _KNOBS[name]
            if isinstance(wanted, float | int):
                self._set(name, knob.automatic, knob.by_hand, needed=False)
                self._set(name, knob.value, float(wanted))
            else:
                self._set(name, knob.automatic, knob.by_itself, needed=False)
        self._look_at = None
        self._lock_at = at + FINDING_SECONDS if "lock" in self._wanted.values() else None
        self._tell_refused()

    def due(self, at: float) -> bool:
        """Whether `lock` is to be called with a picture."""
        return any(due is not None and at >= due for due in (self._lock_at, self._look_at))

    def lock(self, at: float, picture: Picture) -> None:
        """What is to be done by now."""
        if self._lock_at is not None:
            self._lock_at = None
            self._before = _lightness(picture)
            for name, wanted in self._wanted.items():
                if wanted == "lock" and not (name == "exposure" and self._jumps):
                    self._hold(name)
            self._look_at = at + JUMPING_SECONDS
            self._tell_refused()
        elif self._look_at is not None:
            self._look_at = None
            now = _lightness(picture)
            if self._wanted["exposure"] == "lock" and not self._jumps and not 1 / JUMP < now / self._before < JUMP:
                self._jumps = True
                knob = _KNOBS["exposure"]
                self._set("exposure", knob.automatic, knob.by_itself, needed=False)
                line = "camera %s: its exposure jumps when it is locked, so it stays automatic; exposure = %g was found"
                _log.warning(line, self._settings.shown, self._camera.get(knob.value))

    def _hold(self, name: Adjusted) -> None:
        knob = _KNOBS[name]
        found = self._camera.get(knob.value)
        # A camera without a focus of its own has nothing to lock there.
        self._set(name, knob.automatic, knob.by_hand, needed=name != "focus")
        if name == "exposure" and found > 0:  # of the others the driver tells the value of the last time by hand
            self._set(name, knob.value, found)

    def _ask_size(self) -> None:
        """Compressed pictures: those of several cameras go through one cable. One at a time: none waits there."""
        settings = self._settings
        self._camera.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        for name, prop, value in (
            ("width", cv2.CAP_PROP_FRAME_WIDTH, settings.width),
            ("height", cv2.CAP_PROP_FRAME_HEIGHT, settings.height),
            ("fps", cv2.CAP_PROP_FPS, settings.fps),
        ):
            if value is not None:
                self._set(name, prop, float(value))
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)

    def _set(self, name: str, prop: int, value: float, *, needed: bool = True) -> None:
        if not self._camera.set(prop, value) and needed and name not in self.refused:
            self.refused.append(name)

    def _tell_refused(self) -> None:
        news = [name for name in self.refused if name not in self._said]
        if news:
            self._said += news
            _log.warning("camera %s: its driver does not do: %s", self._settings.shown, ", ".join(news))


def _lightness(picture: Picture) -> float:
    return float(np.mean(picture[::8, ::8])) + 1.0
