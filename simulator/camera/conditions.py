"""Conditions under which a camera looks at a game, by name: board, camera, light, what changes, habits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import pi, sin
from random import Random

from simulator.camera.looks import LOOKS
from simulator.camera.optics import Place, Pose
from simulator.camera.scene import Colour, Light, Look, View


@dataclass(frozen=True, slots=True)
class Bump:
    """Something is pushed in mid-game, between two moves: the board goes to `place`, or the camera turns."""

    share: float = 0.5
    """When: how much of the game is over."""
    place: Place = field(default_factory=Place)
    camera: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Degrees that the camera pans, tilts and rolls."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What may happen, and how often."""

    name: str
    look: Look
    view: View
    spread: float = 0.8
    """How far from their squares' middles men are put, standard deviation, mm."""
    on_line: float = 0.0
    """Per placement: the man touches the line around its square."""
    tones: float = 0.015
    """How differently light men of one colour are, standard deviation."""
    exposure: float = 0.0
    """By how much the camera brightens its pictures while a hand is in them."""
    cloud: float = 0.0
    """By how much of itself the light rises and falls."""
    cloud_seconds: float = 40.0
    lamp: Light | None = None
    """The light from the middle of the game on: a lamp is switched on."""
    leaning: float = 0.0
    """Per ply: a player leans over the board and throws a shadow on it."""
    bump: Bump | None = None
    skin: Colour = (128, 160, 205)
    sleeves: tuple[Colour, Colour] = ((110, 70, 50), (70, 72, 78))
    """White's and Black's."""
    on_light: bool = False
    """Whether the game is played on the light squares."""
    pose_spread: float = 4.0
    """How far the camera's elevation and azimuth are from what the view says, degrees, drawn for each game."""

    def light_at(self, at: float, lasts: float) -> Light:
        """The light at a time of a game that lasts so many seconds, but for those who lean over."""
        light = self.view.light if self.lamp is None or at < lasts / 2 else self.lamp
        if not self.cloud:
            return light
        return replace(light, level=light.level * (1 + self.cloud * sin(2 * pi * at / self.cloud_seconds)))

    def posed(self, random: Random) -> View:
        """The view with the camera somewhere around where it is meant to be."""
        pose, spread = self.view.pose, self.pose_spread
        elevation = min(max(pose.elevation + random.uniform(-spread, spread), 25.0), 90.0)
        azimuth = pose.azimuth + random.uniform(-spread, spread)
        roll = pose.roll + random.uniform(-spread, spread) / 4
        return replace(self.view, pose=replace(pose, elevation=elevation, azimuth=azimuth, roll=roll))


_EVENING = Light(level=0.2, colour=(0.62, 0.86, 1.1), gradient=(-0.25, 0.2), vignette=0.25, strength=0.3, softness=4)
_CLUB = Condition(
    "club",
    LOOKS["dark-frame"],
    View(
        Pose(elevation=52, azimuth=14, bend=-0.04, fill=0.86),
        light=Light(gradient=(0.22, -0.12), strength=0.5, softness=1.4, elevation=40, vignette=0.2),
        noise=2.0,
        jpeg=85,
    ),
    spread=2.2,
    on_line=0.05,
    cloud=0.08,
    exposure=0.06,
    leaning=0.12,
)

CONDITIONS: dict[str, Condition] = {
    one.name: one
    for one in (
        Condition("clean", LOOKS["wood"], View(Pose(elevation=66), noise=1.0)),
        _CLUB,
        Condition(
            "evening",
            LOOKS["green"],
            View(Pose(elevation=58, azimuth=-12, roll=2, fill=0.88), light=_EVENING, noise=4.0, jpeg=75, blur=0.5),
            spread=1.8,
            on_line=0.03,
            cloud=0.25,
            exposure=0.1,
            cloud_seconds=25,
            lamp=replace(_EVENING, level=0.5, colour=(0.5, 0.8, 1.15), gradient=(0.35, 0.1), azimuth=40, strength=0.55),
            leaning=0.08,
            sleeves=((60, 50, 150), (190, 190, 196)),
        ),
        Condition(
            "glossy",
            LOOKS["glossy"],
            View(
                Pose(elevation=62, azimuth=6, fill=0.88),
                light=Light(glare=0.6, lamp=(70, 60), gradient=(0.1, 0.1), strength=0.45, softness=1.5),
                noise=1.6,
                jpeg=88,
            ),
            spread=1.5,
            on_line=0.02,
        ),
        replace(_CLUB, name="bump", bump=Bump(place=Place(14, -9, 3.5)), view=replace(_CLUB.view, jpeg=90)),
        replace(
            _CLUB,
            name="shift",
            bump=Bump(place=Place(45, 0, 0)),
            view=replace(_CLUB.view, pose=replace(_CLUB.view.pose, fill=0.74)),
        ),
        replace(_CLUB, name="camera-bump", bump=Bump(camera=(2.0, -1.2, 2.5))),
        Condition("oblique", LOOKS["wood"], View(Pose(elevation=33, azimuth=-8), noise=1.5, jpeg=88), spread=1.5),
        Condition("overhead", LOOKS["red-men"], View(Pose(elevation=87, azimuth=92), noise=1.5, jpeg=88), spread=1.5),
        Condition(
            "low-contrast", LOOKS["brown-on-brown"], View(Pose(elevation=60, azimuth=5), noise=1.5, jpeg=88), spread=1.5
        ),
        Condition(
            "dark",
            LOOKS["wood"],
            View(Pose(elevation=55, azimuth=-25), light=Light(level=0.025, colour=(0.7, 0.9, 1.1)), noise=3.0, jpeg=85),
            spread=1.5,
        ),
        Condition(
            "torch",
            LOOKS["dark-frame"],
            View(
                Pose(elevation=70, azimuth=28),
                light=Light(level=0.3, person=(70, 40, 60, -8.0), strength=0.6, glare=0.3),
                noise=2.5,
                jpeg=85,
            ),
            spread=2.0,
        ),
        Condition(
            "half-shadow",
            LOOKS["wood"],
            View(Pose(elevation=48, azimuth=-6), light=Light(edge=(25, 10, 0.75), strength=0.6, softness=1), jpeg=88),
            spread=2.0,
        ),
        Condition(
            "cut-off",
            LOOKS["green"],
            View(Pose(elevation=64, azimuth=18, fill=1.05, aside=(0.02, 0.05)), noise=2.0, jpeg=85),
            spread=2.0,
        ),
        Condition(
            "shaken",
            LOOKS["dark-frame"],
            View(Pose(elevation=60, azimuth=10), noise=2.0, jpeg=80, shake=(7.0, 3.0), blur=0.8),
            spread=2.0,
        ),
        Condition("light-squares", LOOKS["red-men"], View(Pose(elevation=58), jpeg=88), spread=2.0, on_light=True),
        Condition("red-green", LOOKS["red-green"], View(Pose(elevation=56, azimuth=185), noise=1.5), spread=1.5),
    )
}
"""By their names."""


def condition(name: str) -> Condition:
    """The condition called `name`; ValueError lists the names there are."""
    if name not in CONDITIONS:
        raise ValueError(f"there is no condition {name!r}; there are {', '.join(CONDITIONS)}")
    return CONDITIONS[name]
