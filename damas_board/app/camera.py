"""The camera above a table, as the gateway has it: how its source is made, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from damas_board.app.display import CAMERA
from damas_board.config import BoardSettings, Config
from damas_board.config.settings import TableCamera
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff

if TYPE_CHECKING:
    from damas_board.sources.camera import CameraBoard

NEEDED = ("cv2", "numpy")
INSTALL = "in the project's folder: .venv/bin/pip install -e '.[camera]'"


def check_installed(config: Config) -> None:
    """ConfigError where a table has a camera, and this program was installed without what reads pictures."""
    for index, board in enumerate(config.boards):
        if board.camera is not None and any(find_spec(name) is None for name in NEEDED):
            message = f"a camera needs OpenCV, which is not installed; {INSTALL}"
            raise config.wrong(("board", index, "camera", "device"), message)


class CameraSetup:
    """`make` the source of a table's camera; `info` and `health` are of the one that was made last."""

    def __init__(self, board: BoardSettings, camera: TableCamera, speed: float = 1.0) -> None:
        self._board = board
        self._camera = camera
        self._speed = speed
        self._made: CameraBoard | None = None

    def make(self, now: Callable[[], float]) -> CameraBoard:
        """BoardError where what reads pictures cannot be loaded."""
        settings = self._camera.settings
        try:
            from damas_board.sources.camera import CameraBoard  # loaded only where there is a camera: it needs OpenCV
        except ImportError as error:
            raise BoardError("no_opencv", camera=settings.shown, reason=str(error)) from error
        variant = self._board.regulation.variant
        geometry, size = variant.geometry, variant.size
        self._made = CameraBoard(
            settings,
            self._camera.profile,
            now,
            # By letter and digit: a game of another regulation may number its squares otherwise.
            name=lambda row, column: geometry.algebraic((size - 1 - row) * size + column),
            by=CAMERA,
            backoff=Backoff.scaled(self._speed),
        )
        return self._made

    def info(self) -> Mapping[str, Any]:
        known: dict[str, Any] = {"camera": self._camera.settings.shown}
        if self._made is not None and self._made.size is not None:
            known["picture"] = "{}x{}".format(*self._made.size)
        return known

    def health(self) -> Mapping[str, Any]:
        made = self._made
        if made is None:
            return {}
        return {"camera": made.status or "-", "pictures": made.pictures, "openings": made.openings}

    def keep(self) -> None:
        """An alert was raised: pictures of it are kept, where any may be."""
        if self._made is not None:
            self._made.keep()
