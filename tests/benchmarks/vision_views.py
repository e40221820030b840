"""Boards rendered from anywhere, under any condition: which are found, and which of their squares are read wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from random import Random

import cv2
from benchmarks.accuracy import game
from benchmarks.real_games import regulation_of
from benchmarks.vision_nothing import nothing
from benchmarks.vision_squares import NEAR, Squares, compare, corner_error

from damas_board.decoding.vision.classes import InseparableError, learn
from damas_board.decoding.vision.finding import find
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.orientation import turned
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.reading import read, read_alone
from damas_board.decoding.vision.sampling import expected_lean, samples
from damas_board.rules.position import initial
from simulator.camera import Piece, Pose, Renderer, Scene, View
from simulator.camera.conditions import Condition, condition

CONDITIONS = ("clean", "club", "evening", "glossy", "oblique", "overhead", "low-contrast", "red-green")
NOTHING = "nothing"
KINDS = ("brazilian", "international")
LASTS = 600.0
"""Of the games whose light is that of a condition, seconds."""
ANYWHERE = ("clean", "club", "evening", "glossy", "low-contrast", "red-green")
"""Conditions whose boards are looked at from anywhere; the others are about where the camera is."""
GAMES = 40
"""Of each kind, to take positions from."""
LINE = 5.5
"""A man so far from the middle of its square touches the next one, mm."""


@dataclass(frozen=True, eq=False)
class Board:
    """A picture of a board, and the truth."""

    name: str
    picture: Picture
    grid: Grid
    rows: str
    """As seen in the picture."""
    parity: Parity
    start: Picture
    start_rows: str


@dataclass
class Views:
    """What came of so many views."""

    views: int = 0
    found: int = 0
    errors: list[float] = field(default_factory=list)
    """Of the worst corners of what was found, squares."""
    alone: Squares = field(default_factory=Squares)
    taught: Squares = field(default_factory=Squares)
    refused: int = 0
    """Start pictures that say their classes cannot be told apart."""
    faults: list[str] = field(default_factory=list)

    def add(self, other: Views) -> None:
        for each in fields(self):
            if isinstance(total := getattr(self, each.name), Squares):
                total.add(getattr(other, each.name))
            else:
                setattr(self, each.name, total + getattr(other, each.name))


def board(name: str, index: int) -> Board:
    """The view of that number: a position of some game, and the start position seen from the same place."""
    random = Random(f"{name} {index}")
    under = condition(name)
    kind = KINDS[index % len(KINDS)]
    position = random.choice(list(game(kind, random.randrange(GAMES)).positions()))
    view = _anywhere(under, random) if name in ANYWHERE else under.posed(random)
    view = replace(view, seed=index)
    scene = _placed(Scene.of_position(position, under.look), under, random)
    start = _placed(Scene.of_position(initial(regulation_of(kind)[0].variant), under.look), under, random)
    renderer = Renderer(scene, view)
    before = renderer.picture(start, under.light_at(random.uniform(0, LASTS / 2), LASTS))
    picture = renderer.picture(scene, under.light_at(random.uniform(0, LASTS), LASTS))
    truth = renderer.truth(scene)
    return Board(f"{name}/{index}", picture, truth.grid, truth.rows, truth.parity, before, renderer.truth(start).rows)


def _anywhere(under: Condition, random: Random) -> View:
    pose = Pose(
        elevation=random.uniform(35, 88),
        azimuth=random.uniform(0, 360),
        roll=random.uniform(-8, 8),
        fill=random.uniform(0.6, 0.96),
        focal=random.uniform(0.7, 1.1),
        bend=random.uniform(-0.1, 0.02),
    )
    return replace(under.view, pose=pose)


def _placed(scene: Scene, under: Condition, random: Random) -> Scene:
    """The scene with its men put down as people do."""
    pieces = {}
    for where, piece in scene.pieces.items():
        x, y = random.gauss(0, under.spread), random.gauss(0, under.spread)
        if random.random() < under.on_line:
            x = random.choice((-1, 1)) * LINE
        pieces[where] = Piece(piece.mark, x, y)
    return replace(scene, pieces=pieces)


def looked_at(seen: Board) -> Views:
    """What is made of one view."""
    finding = find(seen.picture)
    found = Views(views=1)
    grid = finding.grid
    if grid is None or grid.size != seen.grid.size:
        what = "no board found" if grid is None else f"a board of {grid.size} found where one of {seen.grid.size} is"
        found.faults.append(f"{seen.name}: {what}, score {finding.score:.1f}")
        return found
    error, first = corner_error(grid, seen.grid.corners)
    found.errors.append(error)
    if error > NEAR:
        found.faults.append(f"{seen.name}: a corner is {error:.2f} squares off ({finding.how})")
        return found
    found.found = 1
    parity: Parity = 1 if (seen.parity + first) % 2 else 0
    truth, start = (turned(rows, 360 - 90 * first) for rows in (seen.rows, seen.start_rows))
    found.alone = compare(truth, read_alone(samples(seen.picture, grid, expected_lean(grid))).rows)
    _note(found, seen, "without", found.alone)
    lean = lean_of(seen.start, grid, start)
    try:
        classes = learn(samples(seen.start, grid, lean), parity, start)
    except InseparableError as error_of_classes:
        found.refused = 1
        found.faults.append(f"{seen.name}: {error_of_classes}")
    else:
        found.taught = compare(truth, read(samples(seen.picture, grid, lean), classes, parity).rows)
        _note(found, seen, "with", found.taught)
    return found


def _note(found: Views, seen: Board, how: str, squares: Squares) -> None:
    if squares.wrong:
        wrong = ", ".join(f"{count} {sort}" for sort, count in squares.wrong.items())
        found.faults.append(f"{seen.name}: {how} a start picture {wrong} wrong")


def work(job: tuple[str, int]) -> tuple[str, Views]:
    """One view; of nothing, where that is its name."""
    cv2.setNumThreads(1)
    name, index = job
    if name != NOTHING:
        return name, looked_at(board(name, index))
    found = Views(views=1)
    what, picture = nothing(index)
    finding = find(picture)
    if finding.grid is not None:
        found.found = 1
        found.faults.append(f"{NOTHING}/{index}: a board is found in {what}, score {finding.score:.1f}")
    return name, found


def jobs(views: int, conditions: tuple[str, ...] = CONDITIONS) -> list[tuple[str, int]]:
    """About so many views, shared among the conditions and nothing."""
    names = (*conditions, NOTHING)
    return [(name, index) for name in names for index in range(-(-views // len(names)))]
