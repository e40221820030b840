"""A rendered table before a camera: its stream over HTTP, and the camera source that reads it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
from sources.bench import Bench
from sources.simulated import MAP, START

from calibration.profile_text import profile_text
from damas_board.decoding.vision.calibrating import profile_of
from damas_board.decoding.vision.orientation import start_rows
from damas_board.decoding.vision.profile import Profile
from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN
from damas_board.sources.camera import CameraBoard
from damas_board.sources.camera_settings import CameraSettings
from damas_board.sources.reconnection import Backoff
from simulator.camera import LOOKS, CameraTable, Scene, View
from simulator.camera.stream import Stream
from simulator.clock import RunningClock

VIEW = View(width=640, height=360, noise=1.0)
SIZE = 8


def table(view: View = VIEW) -> CameraTable:
    cv2.setNumThreads(1)
    return CameraTable(Scene.of_position(initial(BRAZILIAN), next(iter(LOOKS.values()))), view)


@cache
def profile() -> Profile:
    """Of a camera that stands as the bench's does."""
    filmed = table()
    return profile_of([filmed.picture()], start_rows(BRAZILIAN))


def name(row: int, column: int) -> str:
    return BRAZILIAN.geometry.name((SIZE - 1 - row) * SIZE + column)


class FilmedBench(Bench):
    """The pieces are taken and put without a hand: what a hand does to pictures is the watcher's tests' matter."""

    has_clock = False
    sees_every_change = False

    def __init__(self, rate: float = 20.0) -> None:
        self.clock = RunningClock()
        self.carrier: AbstractAsyncContextManager[object] = self
        self.table = table()
        self.stream = Stream(self.table.picture, rate=rate)
        self._marks = ["b" if place <= 12 else "w" if place > 20 else "." for place in range(1, len(START) + 1)]
        self._held: list[str] = []

    async def __aenter__(self) -> Self:
        self.stream.__enter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stream.__exit__(kind, error, trace)

    def source(self, **options: Any) -> CameraBoard:
        options = {"backoff": Backoff(0.05, 2.0, 0.2), "by": "camera", "name": name, **options}
        return CameraBoard(CameraSettings(self.stream.url), profile(), self.clock.now, **options)

    def lift(self, place: int) -> None:
        self._held.append(self._marks[place - 1])
        self._marks[place - 1] = "."
        self.table.lift(_where(place))

    def put(self, place: int) -> None:
        self._marks[place - 1] = self._held.pop()
        self.table.put(_where(place), self._marks[place - 1])

    def take_off(self) -> None:
        """What was lifted last stays off the board."""
        self._held.pop()

    def press_clock(self) -> None:
        raise NotImplementedError("a camera hears no clock")

    def cut(self) -> None:
        self.stream.unplug()

    def restore(self) -> None:
        self.stream.plug()

    def runs(self, thread: str) -> bool:
        return "process_request" in thread

    def rows(self) -> str:
        marks = [["."] * SIZE for _ in range(SIZE)]
        for place, mark in enumerate(self._marks, 1):
            row, column = _where(place)
            marks[row][column] = mark
        return "/".join(map("".join, marks))


def _where(place: int) -> tuple[int, int]:
    """Row, from Black's side, and column of a place."""
    row, column = divmod(MAP.square(place), SIZE)
    return SIZE - 1 - row, column


def profile_file(folder: Path) -> Path:
    """The bench's profile as `calibrate camera` writes it."""
    path = folder / "table-1.camera.toml"
    path.write_text(profile_text(profile(), {}), "utf-8")
    return path


def camera_tree(folder: Path, **nodes: tuple[str, str | None, str | None]) -> tuple[Path, Path]:
    """/dev and /sys/class/video4linux with these cameras: name, link by identity, link by socket."""
    devices, system = folder / "dev", folder / "sys"
    for kind in ("by-id", "by-path"):
        (devices / "v4l" / kind).mkdir(parents=True, exist_ok=True)
        for link in (devices / "v4l" / kind).iterdir():
            link.unlink()
    system.mkdir(exist_ok=True)
    for entry in [*system.iterdir()]:
        for file in entry.iterdir():
            file.unlink()
        entry.rmdir()
        (devices / entry.name).unlink()
    for node, (called, by_id, by_path) in nodes.items():
        (devices / node).touch()
        (system / node).mkdir()
        (system / node / "name").write_text(f"{called}\n")
        (system / node / "index").write_text("1\n" if called == "metadata" else "0\n")
        for kind, link in (("by-id", by_id), ("by-path", by_path)):
            if link is not None:
                (devices / "v4l" / kind / link).symlink_to(f"../../{node}")
    return devices, system
