"""A camera above a board as a stream of inputs; it knows no rules, and what the pictures mean is in `decoding.vision`.

Three things are kept apart: the device with its own thread, which never lets an old picture wait (`camera_device`), the
watcher that says what pictures show (`decoding.vision.watching`), and opening, losing and finding the device, here. One
thread a table asks for a picture, lets the watcher look, and tells what it saw; at most so many a second as the board
needs, so that many tables share a machine.

After the first picture nothing that the hardware does is an exception: a camera that is unplugged, gives no pictures,
or gives the same one for ever, is told as lost, closed and opened again, and found again under another number. That
the board cannot be read (too dark, moved, somebody leaning over it) is told in the same way once it lasts; the camera
stays open then, and finds its exposure anew where that may be the reason.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Protocol

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.trembling import Tremor
from damas_board.decoding.vision.watching import Condition, Observation, Seen, Status, Watcher
from damas_board.session.inputs import Link, See
from damas_board.sources.camera_device import Camera, Capture, Frame, open_capture
from damas_board.sources.camera_keeping import Keeper
from damas_board.sources.camera_places import Whereabouts
from damas_board.sources.camera_settings import CameraSettings
from damas_board.sources.device_thread import DeviceThread
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import SOON, Backoff, Present

LOOKS_A_SECOND = 15.0
OPEN_SECONDS = 15.0
BLOCKED_SECONDS = 4.0
"""A camera that gives no picture for so long is opened again."""
FROZEN_SECONDS = 4.0
"""So is one that after it was frozen gives the same picture still."""
LASTING_SECONDS = 2.0
"""What hinders the reading for a shorter time is no lost link: an arm above the board is nothing unusual."""
LIGHT_SECONDS = 6.0
"""So long after it has become dark, or glaring, the camera finds its exposure anew."""
FLAT = 16
"""A picture whose levels differ by less is dark: whether it is frozen nobody can say."""
REASONS: Mapping[Condition, str] = {
    "NO_BOARD": "no_board",
    "DARK": "dark",
    "GLARE": "glare",
    "MOVED": "moved",
    "OCCLUDED": "occluded",
    "UNSTABLE": "illegible",
}
"""Why a link is lost whose camera gives pictures."""
STUCK = 3
"""So many threads may be left behind in a driver before the next try waits for one of them."""

_log = logging.getLogger(__name__)


class Looks(Protocol):
    """What is used of a Watcher."""

    @property
    def profile(self) -> Profile: ...

    def look(self, picture: Picture, at: float) -> list[Observation]: ...


class CameraBoard(DeviceThread):
    """`async with CameraBoard(...) as camera:` opens the camera, `async for` over it gives its inputs.

    Entering raises BoardError if no picture comes. The stream begins with a See of the whole board, or a lost link
    where it cannot be read, and ends when the block is left, or a video file is over. The reason of a lost link is the
    key of a BoardError, or what hinders the reading (docs/codes.md). `now` gives `at`; it is called from other threads.
    """

    def __init__(
        self,
        settings: CameraSettings,
        profile: Profile,
        now: Callable[[], float],
        *,
        name: Callable[[int, int], str],
        by: str | None = None,
        pace: bool = True,
        backoff: Backoff | None = None,
        whereabouts: Whereabouts | None = None,
        capture: Callable[[str, CameraSettings], Capture] = open_capture,
        watcher: Callable[[Profile], Looks] | None = None,
        looks: float = LOOKS_A_SECOND,
        blocked: float = BLOCKED_SECONDS,
        frozen: float = FROZEN_SECONDS,
        lasting: float = LASTING_SECONDS,
    ) -> None:
        """`name(row, column)` is the square in that row and column as White sees the board.

        `pace` False reads a video file as fast as it can be looked at; its times are then the video's own.
        """
        super().__init__()
        self.settings = settings
        self.place: str | None = None
        """Where the camera is, or was last."""
        self.size: tuple[int, int] | None = None
        """Of its pictures, width and height; set before the stream begins."""
        self.pictures = 0
        """How many were looked at."""
        self.openings = 0
        """How often the camera was opened."""
        self.status: Condition | None = None
        """What the watcher said last."""
        self._profile = profile
        self._now = now
        self._name = name
        self._by = by
        self._pace = pace
        self._backoff = backoff or Backoff()
        self._whereabouts: Whereabouts | None = None
        if settings.kind == "device" and sys.platform == "linux":
            self._whereabouts = whereabouts or Whereabouts(settings.device)
        self._capture = capture
        self._watcher = watcher or partial(Watcher, tremor=Tremor())
        self._every = 1 / looks
        self._blocked = blocked
        self._frozen = frozen
        self._lasting = lasting
        self._still: Picture | None = None
        """The picture at which the camera was frozen: what it gives counts again once that is another one."""
        self._hindered_at: float | None = None
        """Since when the board cannot be read, by the pictures' times."""
        self._keeper = None if settings.keep is None else Keeper(settings.keep)
        self._dark_at: float | None = None
        """The same, where more or less light may help; set anew with each try."""
        self._camera: Camera | None = None
        """The one that the table's thread may wait for."""
        self._stuck: list[Camera] = []
        self._tried: Present = frozenset()
        self._linked: bool | None = None
        """None before anything was told."""
        self._told: See | None = None

    def keep(self) -> None:
        """An alert was raised: the pictures around this moment are kept, where any may be."""
        if self._keeper is not None:
            self._keeper.alert()

    @property
    def _place(self) -> str:
        return self.settings.shown

    def _wake(self) -> None:
        if self._camera is not None:
            self._camera.leave()

    # The table's own thread.

    def _work(self) -> None:
        cv2.setNumThreads(1)  # each table has a thread of its own
        try:
            while not self._leaving.is_set():
                self._watch()
        except _OverError:
            if not self._leaving.is_set():
                _log.warning("camera %s: its video is over; nothing more is seen", self.settings.shown)
                if not self._begun:
                    raise BoardError("no_camera", camera=self.settings.shown) from None

    def _watch(self) -> None:
        """Watch until the camera fails or we leave. BoardError where it does so before the first picture."""
        self._tried = self._present()
        try:
            self._await_stuck()
            camera = self._opened()
            try:
                self._look_through(camera)
            finally:
                self._close(camera)
        except BoardError as error:
            if not self._begun or self.settings.kind == "file":
                raise
            _log.info("camera lost, or not back yet: %s", error)
            self.status = None
            self._lose(error.key, self._now())
            local = error.key in SOON and self.settings.kind == "device"
            self._wait(self._backoff.next(local=local))

    def _present(self) -> Present:
        return frozenset() if self._whereabouts is None else self._whereabouts.present()

    def _wait(self, seconds: float) -> None:
        """Wait so long, until a place has come that was not there at the last try, or until we leave."""
        while seconds > 0 and not self._leaving.wait(min(seconds, self._backoff.look)):
            if self._present() - self._tried:
                self._backoff.reset()
                return
            seconds -= self._backoff.look

    def _opened(self) -> Camera:
        """The camera, wherever it is now. BoardError where it is at none of its places."""
        places = [self.settings.device] if self._whereabouts is None else self._whereabouts.candidates()
        wrong = BoardError("no_camera", camera=self.settings.shown)
        for place in places:
            camera = Camera(place, self.settings, self._now, pace=self._pace, capture=self._capture)
            self._camera = camera
            try:
                camera.open(0.0 if self._leaving.is_set() else OPEN_SECONDS)
            except BoardError as error:
                wrong = error
                self._close(camera)
            else:
                self.place = place
                self.openings += 1
                if self._whereabouts is not None:
                    self._whereabouts.remember(place)
                return camera
        raise wrong

    def _close(self, camera: Camera) -> None:
        camera.close()
        if camera.stuck:
            _log.warning("camera %s: its driver does not return; it is left to itself", self.settings.shown)
            self._stuck.append(camera)

    def _await_stuck(self) -> None:
        """BoardError while too many threads are left behind in the driver."""
        self._stuck = [camera for camera in self._stuck if camera.stuck]
        if len(self._stuck) >= STUCK:
            raise BoardError("camera_blocked", camera=self.settings.shown, seconds=self._blocked)

    def _look_through(self, camera: Camera) -> None:
        """Look at pictures until we leave. BoardError where the camera fails, _OverError where a file is over."""
        watcher = self._watcher(self._profile)
        self._hindered_at = self._dark_at = None
        due, opened_at = time.monotonic(), self._now()
        try:
            while not self._leaving.is_set():
                frame = camera.next(self._blocked)
                if frame is None:
                    raise _OverError  # a file is over, or we leave
                height, width = frame.picture.shape[:2]
                self.size = (width, height)
                self._begin()
                if not self._is_frozen(frame, opened_at):
                    self.pictures += 1
                    self._observed(watcher.look(frame.picture, frame.at), frame)
                    self._look_after_light(camera, frame.at)
                if self.settings.kind != "file":
                    due = max(due + self._every, time.monotonic())
                    self._leaving.wait(due - time.monotonic())
        finally:
            self._profile = watcher.profile  # another opening begins where this one has come to

    def _is_frozen(self, frame: Frame, opened_at: float) -> bool:
        """Whether this is still the picture at which the camera froze. BoardError where it is for a while."""
        if self._still is None:
            return False
        if not np.array_equal(frame.picture, self._still):
            self._still = None
            return False
        if frame.at - opened_at >= self._frozen:
            raise BoardError("frozen", camera=self.settings.shown)
        return True

    def _observed(self, observations: Iterable[Observation], frame: Frame) -> None:
        """Tell what the watcher saw in a picture; that nothing can be read, once it has lasted."""
        at = frame.at
        if self._keeper is not None:
            self._keeper.look(frame.picture, at)
        for item in observations:
            match item:
                case Seen():
                    self._see(item)
                    if self._keeper is not None:
                        self._keeper.changed(frame.picture, at)
                case Status(since, "FROZEN"):
                    self._freeze(frame, since)
                case Status(since, status):
                    self._change(status, since)
        if self._hindered_at is not None and self.status is not None and at - self._hindered_at >= self._lasting:
            self._lose(REASONS[self.status], at)

    def _freeze(self, frame: Frame, at: float) -> None:
        """The very same picture for a while. BoardError, but for a lens that is covered, and a video file."""
        if self.settings.kind == "file":
            return
        if _flat(frame.picture):
            self._change("DARK", at)
            return
        self._still = frame.picture
        raise BoardError("frozen", camera=self.settings.shown)

    def _change(self, status: Condition, at: float) -> None:
        self.status = status
        if status == "OK":
            self._hindered_at = self._dark_at = None
            return
        _log.info("camera %s: the board cannot be read: %s", self.settings.shown, status)
        self._hindered_at = at if self._hindered_at is None else self._hindered_at
        self._dark_at = at if status in ("DARK", "GLARE") else None
        if self._linked and self._told is not None:
            self._tell_see(at, "".join(mark if mark == "/" else "?" for mark in self._told.rows), None)

    def _look_after_light(self, camera: Camera, at: float) -> None:
        if self._dark_at is not None and at - self._dark_at >= LIGHT_SECONDS:
            self._dark_at = at
            camera.measure_light()

    def _see(self, seen: Seen) -> None:
        """What stands on the board; the link is back with it."""
        doubt = None
        if seen.doubt:
            doubt = {self._name(*place): dict(marks) for place, marks in seen.doubt.items()}
        if not self._linked:
            self._backoff.reset()
            self._told = None
            if self._linked is False:
                self._tell(Link(self._told_at(seen.at), "back", by=self._by))
            self._linked = True
        self._tell_see(seen.at, seen.rows, doubt)

    def _tell_see(self, taken: float, rows: str, doubt: Mapping[str, Mapping[str, float]] | None) -> None:
        if self._told is not None and (self._told.rows, self._told.doubt) == (rows, doubt):
            return
        at = self._told_at(taken)
        self._told = See(at, rows, self._by, taken if taken < at else None, doubt)
        self._tell(self._told)

    def _told_at(self, taken: float) -> float:
        """When that is told which a picture shows: a file that is read faster than it was filmed has its own time."""
        return taken if self.settings.kind == "file" else max(taken, self._now())

    def _lose(self, reason: str, at: float) -> None:
        if self._linked is not False:
            self._linked = False
            self._tell(Link(self._told_at(at), "lost", reason, by=self._by))


class _OverError(Exception):
    """There is nothing more to look at."""


def _flat(picture: Picture) -> bool:
    return int(picture.max()) - int(picture.min()) < FLAT
