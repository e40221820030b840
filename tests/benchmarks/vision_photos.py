"""The photographs of real boards beside the project: which boards are found, and which squares are read wrong."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from benchmarks.vision_squares import NEAR, Squares, compare, corner_error, swapped

from damas_board.decoding.vision.classes import Classes, learn
from damas_board.decoding.vision.finding import SIZES, Finding, find
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.leaning import lean_of
from damas_board.decoding.vision.orientation import turned
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Parity
from damas_board.decoding.vision.reading import CERTAIN, read, read_alone
from damas_board.decoding.vision.sampling import expected_lean, samples

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
SUFFIXES = (".jpg", ".jpeg", ".png")
STAYED = 1.0
"""Squares: a camera that moved by less still sees men lean as they did."""
TEACHERS = ("ens32", "r2", "bax3")
"""The pictures from which the classes of the others of their set are learned, where they show the same men."""

OTHERS = {"ens15": "its men stand on squares of the other colour", "r1": "it is another board"}
"""Why what was learned from its set does not fit a picture; it is read by it all the same."""


@dataclass(frozen=True)
class Label:
    """What somebody has said a picture shows."""

    name: str
    image: str
    size: int
    corners: tuple[tuple[float, float], ...]
    rows: str
    parity: Parity
    accuracy: float
    """Of the corners, pixels."""

    @property
    def set(self) -> str:
        return self.image.partition("/")[0]

    @property
    def cell(self) -> float:
        """The length of a square's side, pixels."""
        ends = np.array(self.corners)
        return float(np.mean(np.linalg.norm(ends - np.roll(ends, -1, axis=0), axis=1))) / self.size

    def rows_from(self, corner: int) -> str:
        """The rows of a grid whose first corner is that one of the label's."""
        return turned(self.rows, 360 - 90 * corner)

    def parity_from(self, corner: int) -> Parity:
        """Which squares are played on in those rows: a quarter makes them the others."""
        return 1 if (self.parity + corner) % 2 else 0


@dataclass
class Seen:
    """What was made of one photograph."""

    name: str
    set: str
    found: bool
    """With a label: every corner within a quarter of a square. Without: whether a board was found."""
    score: float
    how: str
    seconds: float
    error: float | None = None
    """Of the worst corner, squares; None without a label or a board."""
    blurred: float = 0.0
    """How well the label knows the corners, squares."""
    alone: Squares | None = None
    alone_swapped: Squares | None = None
    """As `alone`, with the label's colours exchanged: which real colour is called white is arbitrary."""
    taught: Squares | None = None
    doubts_names: bool = False
    """The picture alone does not say for certain which kind of men is the white one."""


def labels(folder: Path) -> list[Label]:
    content = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return [
        Label(
            label["id"],
            label["image"],
            label["board_size"],
            tuple((float(x), float(y)) for x, y in label["corners"]),
            "/".join(label["rows"]),
            label["playing_parity"],
            float(label["corner_accuracy_px"]),
        )
        for label in content["labels"]
    ]


def unlabelled(folder: Path, known: list[Label]) -> list[str]:
    """The other pictures in the folder."""
    images = {label.image for label in known}
    found = (str(path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES)
    return [image for image in found if image not in images]


def picture_of(folder: Path, image: str) -> Picture:
    found = cv2.imread(str(folder / image), cv2.IMREAD_COLOR)
    if found is None:
        raise SystemExit(f"{folder / image} is not a picture that can be read")
    return np.asarray(found, dtype=np.uint8)


def timed(picture: Picture) -> tuple[Finding, float]:
    began = time.perf_counter()
    finding = find(picture, SIZES)
    return finding, time.perf_counter() - began


@dataclass(frozen=True)
class Lesson:
    """What a picture taught."""

    classes: Classes
    lean: tuple[float, float]
    grid: Grid


class Teaching:
    """What was learned from the pictures named in TEACHERS, by set."""

    def __init__(self, folder: Path, known: list[Label]) -> None:
        self.failures: list[str] = []
        self._lessons: dict[str, Lesson] = {}
        for label in known:
            if label.name in TEACHERS:
                self._learn(folder, label)

    def _learn(self, folder: Path, label: Label) -> None:
        picture = picture_of(folder, label.image)
        grid = find(picture, SIZES).grid
        if grid is None or grid.size != label.size or corner_error(grid, label.corners)[0] > 2 * NEAR:
            self.failures.append(f"{label.name}: the board that should teach the others was not found")
            return
        _, first = corner_error(grid, label.corners)
        rows = label.rows_from(first)
        lean = lean_of(picture, grid, rows)
        try:
            classes = learn(samples(picture, grid, lean), label.parity_from(first), rows)
        except ValueError as error:
            self.failures.append(f"{label.name}: {error}")
        else:
            self._lessons[label.set] = Lesson(classes, lean, grid)

    def lesson(self, label: Label) -> Lesson | None:
        """What the label's picture may be read by; None where nothing taught it, and for what taught others."""
        return None if label.name in TEACHERS else self._lessons.get(label.set)


def looked_at(folder: Path, label: Label, teaching: Teaching) -> Seen:
    picture = picture_of(folder, label.image)
    finding, seconds = timed(picture)
    blurred = label.accuracy / label.cell
    seen = Seen(label.name, label.set, False, finding.score, finding.how or "-", seconds, None, blurred)
    grid = finding.grid
    if grid is None or grid.size != label.size:
        return seen
    seen.error, first = corner_error(grid, label.corners)
    seen.found = seen.error <= NEAR
    if seen.error > 2 * NEAR:
        return seen
    truth = label.rows_from(first)
    squares = samples(picture, grid, expected_lean(grid))
    alone = read_alone(squares)
    seen.alone, seen.alone_swapped = compare(truth, alone.rows), compare(swapped(truth), alone.rows)
    seen.doubts_names = alone.naming < CERTAIN
    lesson = teaching.lesson(label)
    if lesson is not None and lesson.grid.size == grid.size:
        moved, quarters = corner_error(grid, lesson.grid.corners)
        if moved < STAYED and not quarters:
            squares = samples(picture, grid, lesson.lean)
        seen.taught = compare(truth, read(squares, lesson.classes, label.parity_from(first)).rows)
    return seen


def photographs(folder: Path = PHOTOS, *, labelled_only: bool = False) -> tuple[list[Seen], list[str]]:
    """What is made of every photograph, the labelled ones first; and why one of TEACHERS taught nothing."""
    known = labels(folder)
    teaching = Teaching(folder, known)
    found = [looked_at(folder, label, teaching) for label in known]
    for image in () if labelled_only else unlabelled(folder, known):
        finding, seconds = timed(picture_of(folder, image))
        found.append(Seen(image, "", finding.grid is not None, finding.score, finding.how or "-", seconds))
    return found, teaching.failures
