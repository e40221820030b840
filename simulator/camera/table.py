"""A board before a camera whose pieces somebody takes away and puts down, whenever they like; for tests of sources."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from damas_board.decoding.vision.picture import Picture
from simulator.camera.optics import Place
from simulator.camera.rendering import Renderer, Truth
from simulator.camera.scene import Arm, Light, Piece, Scene, View, Where


class CameraTable:
    """A scene that changes, and its pictures: `picture()` is what the camera sees now. Safe in several threads."""

    def __init__(self, scene: Scene, view: View) -> None:
        self._lock = Lock()
        self._renderer = Renderer(scene, view)
        self._scene = scene
        self._light = view.light

    @property
    def scene(self) -> Scene:
        """What stands there."""
        with self._lock:
            return self._scene

    @property
    def truth(self) -> Truth:
        """What the pictures show."""
        with self._lock:
            return self._renderer.truth(self._scene)

    def picture(self) -> Picture:
        """The next picture."""
        with self._lock:
            return self._renderer.picture(self._scene, self._light)

    def lift(self, where: Where) -> None:
        """The piece on (row, column), as White sees it, goes away; ValueError if there is none."""
        with self._lock:
            pieces = dict(self._scene.pieces)
            if pieces.pop(where, None) is None:
                raise ValueError(f"nothing stands on row {where[0]}, column {where[1]}")
            self._scene = replace(self._scene, pieces=pieces)

    def put(self, where: Where, mark: str) -> None:
        """A piece `w`, `b`, `W` or `B` comes to stand there; ValueError if one does."""
        with self._lock:
            if where in self._scene.pieces:
                raise ValueError(f"a piece stands on row {where[0]}, column {where[1]}")
            self._scene = replace(self._scene, pieces={**self._scene.pieces, where: Piece(mark)})

    def reach(self, *arms: Arm) -> None:
        """These arms are over the board from now on, and no others."""
        with self._lock:
            self._scene = replace(self._scene, arms=arms)

    def push(self, place: Place) -> None:
        """The board lies there now."""
        with self._lock:
            self._scene = replace(self._scene, place=place)

    def shine(self, light: Light) -> None:
        """The light is that now."""
        with self._lock:
            self._light = light
