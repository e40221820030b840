"""A rendered table before a Watcher: scenes and light in, what is told out; small pictures, twelve a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from damas_board.decoding.vision.calibrating import profile_of
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.watching import Observation, Seen, Status, Watcher
from simulator.camera import LOOKS, Arm, Light, Place, Pose, Renderer, Scene, View

cv2.setNumThreads(1)

START = ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."
LATER = ".b...b.b/b.b...b./...b...b/..b...w./.w...b../w...w.w./.w.....w/w.w.w.w."
RATE = 12
WOOD = View(Pose(elevation=58, fill=0.78), 640, 360)
MIRRORED = replace(WOOD, mirrored=True)


def scene(rows: str = START, x: float = 0.0, y: float = 0.0, turned: float = 0.0) -> Scene:
    """A wooden board, moved by so many mm and turned by so many degrees."""
    return replace(Scene.of_rows(rows, LOOKS["wood"]), place=Place(x, y, turned))


def hand(x: float, y: float, rows: str = START) -> Scene:
    """White's right hand over the table, its fingertips there."""
    return replace(scene(rows), arms=(Arm(x, y, 30.0, (100.0, -500.0)),))


@cache
def renderer(view: View = WOOD) -> Renderer:
    """The camera; what stands still before it is drawn once for all tests."""
    return Renderer(scene(), view)


@cache
def profile(view: View = WOOD) -> Profile:
    """Calibrated on the start position."""
    return profile_of([renderer(view).picture(scene())], START, mirrored=view.mirrored)


class Film:
    """A watched table. `statuses` and `rows` are what was told since they were asked last."""

    def __init__(self, view: View = WOOD, begins: Scene | None = None) -> None:
        self.watcher = Watcher(profile(view))
        self._renderer = renderer(view)
        self._light = view.light
        self._scene = scene() if begins is None else begins
        self._at = 0.0
        self._told: list[Observation] = []
        self.run(1.0)
        self.opening = self.told()

    def run(
        self,
        seconds: float,
        shows: Scene | Callable[[float], Scene] | None = None,
        light: Light | Callable[[float], Light] | None = None,
    ) -> Film:
        """Goes on: a scene that stays, or one for each share (0 to 1) of the time that has passed; light likewise."""
        count = round(seconds * RATE)
        for number in range(1, count + 1):
            if shows is not None:
                self._scene = shows(number / count) if callable(shows) else shows
            lit = light(number / count) if callable(light) else light
            self.show(self._renderer.picture(self._scene, lit))
        return self

    def show(self, picture: Picture) -> Film:
        """The next picture is this one."""
        self._at = round(self._at + 1 / RATE, 4)
        self._told += self.watcher.look(picture, self._at)
        return self

    def told(self) -> list[Observation]:
        """What was told since this was asked last."""
        told, self._told = self._told, []
        return told

    @property
    def light(self) -> Light:
        """The view's."""
        return self._light

    def off(self) -> float:
        """How far the watcher's grid is off the truth, cells; a large number where it has none."""
        truth, found = self._renderer.truth(self._scene).grid, self.watcher.grid
        if found is None:
            return 1e9
        return float(np.linalg.norm(found.corners - truth.corners, axis=1).max() / truth.cell)


def statuses(told: list[Observation]) -> list[str]:
    """The statuses among what was told."""
    return [one.status for one in told if isinstance(one, Status)]


def rows(told: list[Observation]) -> list[str]:
    """The rows among what was told."""
    return [one.rows for one in told if isinstance(one, Seen)]


def noise(seed: int) -> Picture:
    """A picture of nothing."""
    return np.random.default_rng(seed).integers(90, 110, (360, 640, 3), dtype=np.uint8)
