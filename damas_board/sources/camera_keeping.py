"""Pictures that are kept because the configuration says so: at changes and around alerts, as long as there is room.

The newest pictures are remembered, packed, for some seconds; with an alert they are written, and those of the seconds
behind it. Nothing else of a camera is ever stored. Where there is no more room the oldest files go.
"""

from __future__ import annotations

import logging
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

import cv2

from damas_board.decoding.vision.picture import Picture
from damas_board.sources.camera_settings import Keeping

BEFORE_SECONDS = 10.0
AFTER_SECONDS = 5.0
"""What is kept around an alert."""
EVERY_SECONDS = 0.5
"""Between two pictures there."""
QUALITY = 85
SUFFIX = ".jpg"
FOR_OWNER_ONLY = 0o700

_log = logging.getLogger(__name__)


class Keeper:
    """`look` at each picture, `changed` with one that showed a change, `alert` from any thread when one was raised."""

    def __init__(self, keeping: Keeping) -> None:
        self._folder = keeping.folder
        self._room = keeping.megabytes << 20
        self._recent: deque[tuple[float, str, bytes]] = deque()
        self._until: float | None = None
        """Pictures up to that time are written as they come."""
        self._alerted = False
        self._used: int | None = None
        """Bytes of the files in the folder; None where that is not known."""
        self._failed = False

    def alert(self) -> None:
        self._alerted = True

    def changed(self, picture: Picture, at: float) -> None:
        self._write(_name(at, "change"), _packed(picture))

    def look(self, picture: Picture, at: float) -> None:
        if self._alerted:
            self._alerted = False
            self._until = at + AFTER_SECONDS
            for _, name, packed in self._recent:
                self._write(name, packed)
            self._recent.clear()
        if self._until is not None and at > self._until:
            self._until = None
        if self._recent and at - self._recent[-1][0] < EVERY_SECONDS:
            return
        one = (at, _name(at, "alert"), _packed(picture))
        self._recent.append(one)
        while at - self._recent[0][0] > BEFORE_SECONDS:
            self._recent.popleft()
        if self._until is not None:
            self._write(*one[1:])

    def _write(self, name: str, packed: bytes) -> None:
        """A disk that takes nothing is told once; it keeps nobody from playing."""
        try:
            self._folder.mkdir(mode=FOR_OWNER_ONLY, parents=True, exist_ok=True)
            if self._used is None:
                self._used = sum(file.stat().st_size for file in self._files())
            (self._folder / name).write_bytes(packed)
            self._used += len(packed)
            self._make_room()
        except OSError as error:
            self._used = None
            if not self._failed:
                _log.warning("%s: pictures cannot be kept there (%s)", self._folder, error.strerror or error)
            self._failed = True
        else:
            self._failed = False

    def _make_room(self) -> None:
        assert self._used is not None
        if self._used > self._room:
            for file in self._files():
                self._used -= file.stat().st_size
                file.unlink()
                if self._used <= self._room:
                    break

    def _files(self) -> list[Path]:
        """Those of ours, the oldest first."""
        return sorted(self._folder.glob(f"*Z-*{SUFFIX}"))


def _name(at: float, why: str) -> str:
    """By the time of day, so that a folder is in its order, and by the time of the recording."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}Z-{at:.3f}-{why}{SUFFIX}"


def _packed(picture: Picture) -> bytes:
    done, code = cv2.imencode(SUFFIX, picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return code.tobytes() if done else b""
