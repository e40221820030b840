"""One open camera: its own thread takes its pictures and drops those that nobody wants, so none that is given is old.

A camera, and everything between it and us, keeps pictures that were not fetched: whoever fetches at leisure looks into
the past. So the thread fetches all there are, and decodes one only where somebody waits for it: what `next` gives was
taken after it was asked for. A video file is no camera: none of its pictures is dropped, and each comes at its time.

All calls of the driver are made by that thread. One that hangs in the driver cannot be ended from outside; it is left
behind (`close`), lets go of the camera when the driver returns, and `stuck` says that it has not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread  # noqa: TID251  the camera's own thread: the edge of the program
from typing import Protocol

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from damas_board.sources.camera_controls import Controls
from damas_board.sources.camera_places import node
from damas_board.sources.camera_settings import CameraSettings
from damas_board.sources.errors import BoardError

OPEN_MILLISECONDS = 8000
READ_MILLISECONDS = 5000
"""What is read over the network fails after so long; a driver of this machine by its own time."""
LEAVING_SECONDS = 2.0
"""How long to wait for the thread of a camera that is closed."""
QUIET = "OPENCV_FFMPEG_LOGLEVEL"


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...

    def grab(self) -> bool: ...

    def retrieve(self) -> tuple[bool, object]: ...

    def get(self, prop: int, /) -> float: ...

    def set(self, prop: int, value: float, /) -> bool: ...

    def release(self) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken."""

    picture: Picture
    at: float
    number: int
    """Of the pictures that were fetched, from 1."""


def open_capture(place: str, settings: CameraSettings) -> Capture:
    """cv2's own capture of a camera, stream or file. It says whether it is open, never why not."""
    os.environ.setdefault(QUIET, "-8")  # what it prints of a stream that is away is told by us
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    match settings.kind:
        case "device" if sys.platform == "linux":
            return cv2.VideoCapture(os.path.realpath(place), cv2.CAP_V4L2)
        case "device":
            return cv2.VideoCapture(int(place))
        case "stream":
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MILLISECONDS]
            limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MILLISECONDS]
            return cv2.VideoCapture(place, cv2.CAP_FFMPEG, limits)
        case "file":
            return cv2.VideoCapture(place, cv2.CAP_FFMPEG)


class Camera:
    """`Camera(...).open()`, `next` for each picture, `close`; all from one thread. `leave` ends their waiting from any.

    `now` gives the times; it is called from the camera's own thread.
    """

    def __init__(
        self,
        place: str,
        settings: CameraSettings,
        now: Callable[[], float],
        *,
        pace: bool = True,
        capture: Callable[[str, CameraSettings], Capture] = open_capture,
    ) -> None:
        """`place`: where it is at present. A file comes at its own pace, or without `pace` as fast as it is read."""
        self.place = node(place) if settings.kind == "device" and sys.platform == "linux" else place
        self._settings = settings
        self._now = now
        self._pace = pace
        self._capture = capture
        self._is_file = settings.kind == "file"
        self._state = Condition()
        self._wanted = False
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._opened = self._ended = self._leaving = False
        self._light_anew = False
        self._thread = Thread(target=self._run, name=f"camera {settings.shown}", daemon=True)

    @property
    def stuck(self) -> bool:
        """Whether its thread is still in the driver's hands."""
        return self._thread.is_alive()

    def open(self, seconds: float) -> None:
        """BoardError where it cannot be opened, or not in that time."""
        self._thread.start()
        with self._state:
            self._state.wait_for(lambda: self._opened or self._ended or self._leaving, seconds)
            if self._error is not None:
                raise self._error
            if not self._opened:
                raise self._wrong("camera_blocked", seconds=seconds)

    def next(self, seconds: float) -> Frame | None:
        """A picture that is taken from now on; of a file the next one, None behind the last, or when we leave.

        BoardError where the camera fails, or gives none for so many seconds.
        """
        with self._state:
            self._wanted = True
            self._frame = None
            self._state.notify_all()
            patience = None if self._is_file else seconds
            self._state.wait_for(lambda: self._frame is not None or self._ended or self._leaving, patience)
            if self._frame is not None:
                return self._frame
            if self._error is not None:
                raise self._error
            if self._ended or self._leaving:
                return None
            raise self._wrong("camera_blocked", seconds=seconds)

    def measure_light(self) -> None:
        """What was locked of the camera's own adjustments may be found anew, for the light has changed."""
        self._light_anew = True

    def leave(self) -> None:
        """Nobody waits any more, from now on."""
        with self._state:
            self._leaving = True
            self._state.notify_all()

    def close(self) -> None:
        self.leave()
        if self._thread.is_alive():
            self._thread.join(LEAVING_SECONDS)

    def _wrong(self, key: str, **facts: str | int | float) -> BoardError:
        return BoardError(key, camera=self._settings.shown, **facts)

    # The camera's own thread.

    def _run(self) -> None:
        error: Exception | None = None
        try:
            self._take_pictures()
        except cv2.error as raised:
            error = self._wrong("camera_failed", reason=" ".join(str(raised).split()))
        except Exception as raised:  # noqa: BLE001  raised where the next picture is waited for
            error = raised
        with self._state:
            self._error = error
            self._ended = True
            self._state.notify_all()

    def _take_pictures(self) -> None:
        capture = self._capture(self.place, self._settings)
        try:
            if not capture.isOpened():
                raise self._why_not_open()
            controls = Controls(capture, self._settings) if self._settings.kind == "device" else None
            if controls is not None:
                controls.begin(self._now())
            with self._state:
                self._opened = True
                self._state.notify_all()
            if self._is_file:
                self._play(capture)
            else:
                self._fetch(capture, controls)
        finally:
            capture.release()

    def _fetch(self, capture: Capture, controls: Controls | None) -> None:
        number = 0
        while not self._leaving:
            if not capture.grab():
                raise self._wrong("camera_lost" if number else "camera_failed", reason="no picture comes")
            at, number = self._now(), number + 1
            if controls is not None and controls.due(at):
                if self._light_anew:
                    self._light_anew = False
                    controls.begin(at)
                controls.lock(at, self._decoded(capture))
            with self._state:
                if not self._wanted:
                    continue
            self._give(Frame(self._decoded(capture), at, number))

    def _play(self, capture: Capture) -> None:
        """A file: each picture once the one before was taken, and not before its time."""
        began, number = self._now(), 0
        while self._awaited() and capture.grab():
            number += 1
            at = began + max(0.0, capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
            frame = Frame(self._decoded(capture), at, number)
            if self._pace:
                with self._state:
                    self._state.wait_for(lambda: self._leaving, max(0.0, at - self._now()))
            self._give(frame)
        if number == 0 and not self._leaving:
            raise self._wrong("no_video")

    def _awaited(self) -> bool:
        """Wait until a picture is wanted; False where we are to leave."""
        with self._state:
            self._state.wait_for(lambda: self._wanted or self._leaving)
            return not self._leaving

    def _decoded(self, capture: Capture) -> Picture:
        done, picture = capture.retrieve()
        found = np.asarray(picture, dtype=np.uint8) if done else np.empty(0, dtype=np.uint8)
        if not found.size:
            raise self._wrong("camera_lost")
        return found if found.ndim == 3 else np.asarray(cv2.cvtColor(found, cv2.COLOR_GRAY2BGR), dtype=np.uint8)

    def _give(self, frame: Frame) -> None:
        with self._state:
            self._wanted = False
            self._frame = frame
            self._state.notify_all()

    def _why_not_open(self) -> BoardError:
        match self._settings.kind:
            case "stream":
                return self._wrong("no_stream")
            case "file":
                return self._wrong("no_video")
            case "device":
                if sys.platform == "linux" and not os.path.exists(self.place):
                    return self._wrong("no_camera")
                if sys.platform == "linux" and not os.access(self.place, os.R_OK | os.W_OK):
                    return self._wrong("camera_denied")
                return self._wrong("camera_failed", reason="it cannot be opened, or another program uses it")
