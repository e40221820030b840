"""A whole game before a virtual camera: its pictures with their times, and what was true at each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Literal

import numpy as np

from damas_board.decoding.vision.picture import Picture
from damas_board.rules.side import Side
from simulator.camera.conditions import Condition
from simulator.camera.conditions import condition as named_condition
from simulator.camera.optics import Place
from simulator.camera.rendering import Renderer, Truth
from simulator.camera.scene import Arm, Light, Scene, View
from simulator.camera.staging import Handedness, Play, Stage, bump_place, hands_over, shoulder, staged
from simulator.camera.staging import Played as Played
from simulator.games import PlayedGame
from simulator.levels import Level
from simulator.levels import level as named_level

RATE = 12
"""Pictures a second while something happens."""
IDLE = 1.0
"""Seconds between pictures while nothing does."""
STAYS = 1.0
"""For so long after the last hand is gone pictures still come at the full rate."""
PUSH = 0.3
"""How long a bump takes, seconds."""
LEANS_IN, LEANS_OUT = 1.2, 0.9


class VirtualCamera:
    """Iterates (at, picture): seconds of virtual time and what the camera sees. The same arguments, the same pictures.

    `frames`: `all` takes `RATE` pictures a second around everything that happens and one a second otherwise;
    `changes` takes one at each contact of a hand, `settled` ones each time the hands are gone, and a last one.
    """

    def __init__(
        self,
        game: PlayedGame,
        level: Level | str,
        condition: Condition | str,
        seed: int = 0,
        *,
        frames: Literal["all", "changes"] = "all",
        settled: int = 7,
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        self.condition = named_condition(condition) if isinstance(condition, str) else condition
        level = named_level(level) if isinstance(level, str) else level
        self._play: Play = staged(game, level, self.condition, seed)
        random = Random(f"{seed} camera")
        view = replace(self.condition.posed(random), seed=seed)
        self.view: View = replace(view, width=width or view.width, height=height or view.height)
        """How the camera stands before anything is bumped."""
        self._frames = frames
        self._settled = settled
        self._empty = Scene.of_position(game.start, self.condition.look, on_light=self.condition.on_light)
        self._leaning = tuple(self._leans(random))
        self._spells = tuple(hands_over(self._play))
        self._starts = [stage.at for stage in self._play.stages]

    @property
    def plies(self) -> tuple[Played, ...]:
        """The truth: each move, and when its first and last contact were."""
        return self._play.plies

    @property
    def bumped(self) -> float | None:
        """When something is bumped."""
        return self._play.bumped

    def __iter__(self) -> Iterator[tuple[float, Picture]]:
        taken = _Eye(self)
        for at in self.times():
            yield at, taken.picture(at)

    def watched(self) -> Callable[[float], Picture]:
        """What takes one picture after the other at any times, as for a stream: those of one watcher."""
        return _Eye(self).picture

    def times(self) -> list[float]:
        """When the pictures are taken."""
        ends = self._play.ends
        spells = list(self._spells)
        if self._frames == "changes":
            return self._times_of_changes(spells)
        if self.bumped is not None:
            spells = sorted([*spells, (self.bumped - 0.2, self.bumped + PUSH)])
        busy = [(begins - 0.2, end + STAYS) for begins, end in spells]
        times, frame, last, spell = [], 0, -IDLE, 0
        while (at := round(frame / RATE, 4)) <= ends:
            while spell < len(busy) and busy[spell][1] < at:
                spell += 1
            if (spell < len(busy) and busy[spell][0] <= at) or at - last >= IDLE - 1e-6:
                times.append(at)
                last = at
            frame += 1
        return times

    def scene_at(self, at: float) -> Scene:
        """What stands there then, and which hands are over it."""
        stage = self._stage_at(at)
        arms = tuple(
            self._arm(who, stop.x, stop.y, stop.z, stop.holds, one.velocity(at))
            for who, one in self._play.tracks.items()
            if (stop := one.at(at)) is not None
        )
        place = Place()
        if self.condition.bump is not None:
            place = bump_place(self.condition.bump, self._pushed(at))
        beside = tuple(replace(one, x=one.x + place.x, y=one.y + place.y) for one in stage.beside)
        return replace(self._empty, pieces=stage.pieces, beside=beside, arms=arms, place=place)

    def light_at(self, at: float) -> Light:
        """The light then."""
        light = self.condition.light_at(at, self._play.ends)
        if self.condition.exposure:
            light = replace(light, level=light.level * (1 + self.condition.exposure * self._hand_seen(at)))
        over = [
            (min((at - begins) / 0.4, (ends - at) / 0.4, 1.0), person)
            for begins, ends, person in self._leaning
            if begins < at < ends
        ]
        if over:
            near, (x, y, radius, strength) = max(over)
            light = replace(light, person=(x, y, radius, round(strength * near, 1)))
        return light

    def rows_at(self, at: float) -> str:
        """What stands on the board then, as White sees it."""
        return self.scene_at(at).rows

    def truth_at(self, at: float) -> Truth:
        """What the picture of then shows."""
        return Renderer(self._empty, self.view_at(at)).truth(self.scene_at(at))

    def view_at(self, at: float) -> View:
        """How the camera stands then."""
        share = self._pushed(at)
        if not share or self.condition.bump is None or not any(self.condition.bump.camera):
            return self.view
        pan, tilt, roll = (share * one for one in self.condition.bump.camera)
        return replace(self.view, turned=(pan, tilt, roll))

    @property
    def empty(self) -> Scene:
        """The scene without anything that comes and goes."""
        return self._empty

    def clear_at(self, at: float) -> bool:
        """Whether no hand is over the table then."""
        return not any(begins <= at <= ends for begins, ends in self._spells)

    def _hand_seen(self, at: float) -> float:
        """How far the camera has got used to a hand in its pictures, 0 to 1."""
        ramps = (min((at - begins) / 0.6, (ends + 0.6 - at) / 0.6, 1.0) for begins, ends in self._spells)
        return max((ramp for ramp in ramps if ramp > 0), default=0.0)

    def _times_of_changes(self, spells: list[tuple[float, float]]) -> list[float]:
        settled = [k / RATE for k in range(self._settled)]
        times = {*settled, self._play.ends}
        for _, ends in spells:
            times |= {ends + 0.1 + wait for wait in settled}
        times |= {stage.at + 0.03 for stage in self._play.stages[1:]}
        if self.bumped is not None:
            times |= {self.bumped + wait for wait in (0.0, PUSH / 2, *(PUSH + one for one in settled))}
        return sorted({round(at, 3) for at in times if at <= self._play.ends})

    def _stage_at(self, at: float) -> Stage:
        return self._play.stages[max(bisect_right(self._starts, at) - 1, 0)]

    def _pushed(self, at: float) -> float:
        """How far a push is on, 0 to 1."""
        if self.bumped is None:
            return 0.0
        return round(float(np.clip((at - self.bumped) / PUSH, 0.0, 1.0)), 2)

    def _arm(
        self, who: Handedness, x: float, y: float, z: float, holds: str | None, velocity: tuple[float, float]
    ) -> Arm:
        side, left = who
        sleeve = self.condition.sleeves[0 if side is Side.WHITE else 1]
        come_from = shoulder(who, self._play.size, x)
        return Arm(x, y, z, come_from, holds, self.condition.skin, sleeve, left, velocity)

    def _leans(self, random: Random) -> Iterator[tuple[float, float, tuple[float, float, float, float]]]:
        half = self._play.size * 22.5
        for number, ply in enumerate(self._play.plies):
            if random.random() < self.condition.leaning:
                y = (half + 40) * (-1 if number % 2 == 0 else 1)
                person = (random.uniform(-80, 80), y, half * random.uniform(0.9, 1.3), 0.45)
                yield ply.begins - LEANS_IN, ply.ends + LEANS_OUT, person


class _Eye:
    """Takes pictures of a game; what is drawn stays for the next one."""

    def __init__(self, camera: VirtualCamera) -> None:
        self._camera = camera
        self._renderer = Renderer(camera.empty, camera.view)

    def picture(self, at: float) -> Picture:
        view = self._camera.view_at(at)
        if view != self._renderer.view:
            self._renderer = Renderer(self._camera.empty, view)
        return self._renderer.picture(self._camera.scene_at(at), self._camera.light_at(at))
