"""Whole games before a rendered camera: from its pictures to the record."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Literal

import cv2
from benchmarks.accuracy import described
from benchmarks.accuracy import game as numbered_game
from benchmarks.real_games import fold, regulation_of, seed_of
from benchmarks.staging import first_difference
from benchmarks.vision_tallies import LATE, Watched, watched_from

from damas_board.decoding.vision.orientation import start_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.watching import Observation, Status, Watcher, profile_of
from damas_board.rules.geometry import Geometry
from damas_board.rules.position import initial
from damas_board.session.events import AlertRaised, Event, MoveMade, MoveRevised
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Tick
from damas_board.session.session import Session
from damas_board.sources.camera import CameraBoard
from damas_board.sources.camera_settings import CameraSettings
from simulator.camera import Bump, Place, Renderer, VirtualCamera, condition
from simulator.camera.playing import RATE
from simulator.games import PlayedGame
from simulator.irregular import TruePly, true_ply
from simulator.recorded import LAST_LOOK, header

Frames = Literal["all", "changes"]
CONDITIONS = ("clean", "club", "evening", "glossy")
KINDS = ("brazilian", "international", "portuguese")
GAMES = 3
HANDS = {"club": "club"}
"""How people play under a condition (simulator/levels.toml); elsewhere neatly."""
SEED = 8
BUMPS = {1: Bump(place=Place(14, -9, 3.5)), 2: Bump(camera=(2.0, -1.2, 2.5))}
"""By the number of a game: in its middle the board is pushed by a third of a square, or the camera is knocked."""
BEFORE = 2.0
"""For so long, seconds, the camera looks at the start position before anything else."""
SHORTEST = 30
"""Plies that a game has at least."""
LOST = "board_lost"
RECOVERY = 10.0
"""For so long, seconds, a board that was bumped may be called lost."""


@dataclass(frozen=True)
class Job:
    """One game before the camera; `plies` None is the whole game, pictures are as large as the condition says."""

    condition: str
    kind: str
    number: int
    plies: int | None = None
    frames: Frames = "all"
    width: int | None = None
    height: int | None = None

    @property
    def name(self) -> str:
        short = "" if self.plies is None else f"/{self.plies}"
        return f"{self.condition}/{self.kind}/{self.number}{short}"


def job_named(name: str) -> Job:
    condition, kind, number, *plies = name.split("/")
    return Job(condition, kind, int(number), int(plies[0]) if plies else None)


@lru_cache(maxsize=16)
def game(kind: str, number: int) -> PlayedGame:
    """The game of that number among those that begin at the beginning and are long enough."""
    start = initial(regulation_of(kind)[0].variant)
    found = index = 0
    while True:
        played = numbered_game(kind, index)
        if played.start == start and len(played.moves) >= SHORTEST:
            if found == number:
                return played
            found += 1
        index += 1


class Rendered:
    """The pictures of a rendered camera as if they were a video file's, for a CameraBoard to read."""

    def __init__(self, pictures: Iterator[tuple[float, Picture]]) -> None:
        self._pictures = pictures
        self._at = 0.0
        self._picture: Picture | None = None

    def isOpened(self) -> bool:
        return True

    def grab(self) -> bool:
        self._at, self._picture = next(self._pictures, (self._at, None))
        return self._picture is not None

    def retrieve(self) -> tuple[bool, object]:
        return True, self._picture

    def get(self, prop: int, /) -> float:
        return 1000 * self._at

    def set(self, prop: int, value: float, /) -> bool:
        return False

    def release(self) -> None:
        pass


class Timed:
    """A Watcher that notes how long it looks, and what it says of the pictures."""

    def __init__(self, profile: Profile, seen: Played) -> None:
        self._watcher = Watcher(profile)
        self._seen = seen

    @property
    def profile(self) -> Profile:
        return self._watcher.profile

    def look(self, picture: Picture, at: float) -> list[Observation]:
        began = time.thread_time()
        observations = self._watcher.look(picture, at)
        self._seen.looks.append(1000 * (time.thread_time() - began))
        self._seen.said += [(said.at, said.status) for said in observations if isinstance(said, Status)]
        self._seen.end = at
        return observations


@dataclass
class Played:
    """A game as the camera saw it."""

    job: Job
    header: Header
    inputs: list[Input] = field(default_factory=list)
    truth: list[TruePly] = field(default_factory=list)
    done: list[float] = field(default_factory=list)
    """When the last piece of each ply came down."""
    bumped: float | None = None
    """When something was bumped."""
    said: list[tuple[float, str]] = field(default_factory=list)
    """When the watcher said what of the picture."""
    looks: list[float] = field(default_factory=list)
    """Milliseconds of processor time."""
    end: float = 0.0


def played(job: Job, whole: PlayedGame | None = None) -> Played:
    """The job's game, or another one of its kind, as a Session is told of it by the source of a camera."""
    cv2.setNumThreads(1)
    whole = game(job.kind, job.number) if whole is None else whole
    cut = PlayedGame(whole.start, whole.moves[: job.plies], whole.name)
    regulation, text = regulation_of(job.kind)
    seed = seed_of(SEED, job.kind, job.number)
    under, hands = condition(job.condition), HANDS.get(job.condition, "clean")
    under = replace(under, bump=under.bump or BUMPS.get(job.number))
    camera = VirtualCamera(cut, hands, under, seed, frames=job.frames, width=job.width, height=job.height)
    pictures = before_and_during(camera)
    at, first = next(pictures)
    seen = Played(job, header(cut.start, regulation.name, regulation_text=text, senses="colour"))
    source = CameraBoard(
        CameraSettings("game.mp4"),
        profile_of([first], start_rows(regulation.variant)),
        lambda: 0.0,
        name=partial(_name, regulation.variant.geometry),
        pace=False,
        capture=lambda place, settings: Rendered(chain([(at, first)], pictures)),
        watcher=lambda profile: Timed(profile, seen),
    )
    seen.inputs = asyncio.run(_told(source))
    seen.inputs.append(Tick(round(seen.end + LAST_LOOK, 3)))
    seen.truth = [true_ply(before, move) for before, move in zip(cut.positions(), cut.moves, strict=False)]
    seen.done = [BEFORE + ply.ends for ply in camera.plies]
    seen.bumped = None if camera.bumped is None else BEFORE + camera.bumped
    return seen


def before_and_during(camera: VirtualCamera) -> Iterator[tuple[float, Picture]]:
    """The pictures of a game, and those in which the board stands ready and nobody has come yet."""
    scene, light = camera.scene_at(0.0), camera.light_at(0.0)
    renderer = Renderer(scene, camera.view)
    for number in range(int(BEFORE * RATE)):
        yield number / RATE, renderer.picture(scene, light)
    for at, picture in camera:
        yield BEFORE + at, picture


async def _told(source: CameraBoard) -> list[Input]:
    async with source:
        return [item async for item in source]


def _name(geometry: Geometry, row: int, column: int) -> str:
    return geometry.name((geometry.size - 1 - row) * geometry.size + column)


def judged(seen: Played) -> Watched:
    """What came of a game, and what was wrong with it."""
    regulation = regulation_of(seen.job.kind)[0]
    session = Session(seen.header, regulation)
    events: list[Event] = []
    for item in seen.inputs:
        events += session.feed(item)
    record = fold(events)
    right, fault = first_difference(seen.truth, record)
    wrong = max(len(seen.truth), len(record)) - right
    result = Watched(1, len(seen.truth), wrong, int(not wrong), pictures=len(seen.looks), seconds=seen.end)
    result.looks = seen.looks
    result.untold.update(untold(seen))
    if fault:
        result.faults.append(f"{seen.job.name}: {fault}")
    for alert in unearned(seen, events):
        result.unearned[alert.kind] += 1
        result.faults.append(f"{seen.job.name}: {described(alert)}")
    told: dict[int, float] = {}
    for event in events:
        if isinstance(event, MoveMade | MoveRevised):
            told[event.ply] = event.at
    result.delays = [told[ply + 1] - seen.done[ply] for ply in range(right) if ply + 1 in told]
    for ply, delay in enumerate(result.delays, 1):
        if delay >= LATE:
            result.late += 1
            result.faults.append(f"{seen.job.name}: ply {ply} told {delay:.1f} s after it was played")
    return result


def unearned(seen: Played, events: Iterable[Event]) -> Iterator[AlertRaised]:
    """The alerts, notes excepted, that nothing gave a reason for."""
    for event in events:
        if isinstance(event, AlertRaised) and event.severity != "note":
            bumped = seen.bumped is not None and 0 <= event.at - seen.bumped <= RECOVERY
            if not (bumped and event.kind == LOST):
                yield event


def untold(seen: Played) -> dict[str, float]:
    """Seconds by what hindered the camera."""
    found: dict[str, float] = {}
    ends = [*(at for at, _ in seen.said[1:]), seen.end]
    for (at, status), end in zip(seen.said, ends, strict=True):
        if status != "OK":
            found[status] = found.get(status, 0.0) + end - at
    return found


def work(job: Job) -> tuple[Job, Watched]:
    return job, judged(played(job))


def kept(job: Job, folder: Path | None) -> Watched | None:
    """What came of the job in an earlier run."""
    if folder is None or not (path := _path(job, folder)).exists():
        return None
    return watched_from(json.loads(path.read_text(encoding="utf-8")))


def keep(job: Job, watched: Watched, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        _path(job, folder).write_text(json.dumps(watched.kept()), encoding="utf-8")


def _path(job: Job, folder: Path) -> Path:
    return folder / f"{job.name.replace('/', '-')}.json"


def jobs(conditions: Iterable[str], kinds: Iterable[str], games: int, plies: int | None) -> list[Job]:
    return [
        Job(condition, kind, number, plies) for condition in conditions for kind in kinds for number in range(games)
    ]
