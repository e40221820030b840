"""How long a picture takes on one core, beside OpenCV's own search for a chessboard."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from benchmarks.vision_squares import NEAR, corner_error
from benchmarks.vision_views import Board, board

from damas_board.decoding.vision.classes import learn
from damas_board.decoding.vision.finding import find
from damas_board.decoding.vision.following import Follower
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, grey
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.sampling import samples

CONDITIONS = ("clean", "club", "evening", "glossy")
SMALL = 480
"""Pixels of width that a picture has for the quick search."""
REPEATED = 3
WHOLE, QUICK, FIND, FOLLOW, READ = "SB, as it is", "SB, 480 pixels", "find", "follow", "read"


@dataclass
class Times:
    """Milliseconds, and for what searches: how often there was an answer, and how often it was right."""

    ms: dict[str, list[float]] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)

    def note(self, name: str, seconds: float) -> None:
        self.ms.setdefault(name, []).append(1000 * seconds)


def chessboard(picture: Picture, size: int, width: int | None = None) -> Grid | None:
    """What OpenCV finds of a board of that size, in the picture or in one reduced to that width."""
    factor = 1.0 if width is None else width / picture.shape[1]
    plane = grey(picture)
    if width is not None:
        plane = np.asarray(cv2.resize(plane, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found, corners = cv2.findChessboardCornersSB(plane, (size - 1, size - 1), flags=0)
    if not found:
        return None
    inner = np.asarray(corners, dtype=np.float64).reshape(size - 1, size - 1, 2)
    grid = Grid.of_corners([inner[0, 0], inner[0, -1], inner[-1, -1], inner[-1, 0]], size - 2)
    ends = grid.pixels([[-1, -1], [size - 1, -1], [size - 1, size - 1], [-1, size - 1]])
    clockwise = np.cross(ends[1] - ends[0], ends[2] - ends[0]) > 0
    return Grid.of_corners(ends if clockwise else ends[::-1], size).scaled(1 / factor)


def times(boards: int) -> Times:
    """Of so many boards, each looked at by everything in turn."""
    cv2.setNumThreads(1)
    found = Times()
    for index in range(boards):
        seen = board(CONDITIONS[index % len(CONDITIONS)], index)
        _search(found, seen)
        _follow_and_read(found, seen)
    return found


def _search(found: Times, seen: Board) -> None:
    size = seen.grid.size
    searches: dict[str, Callable[[], Grid | None]] = {
        WHOLE: lambda: chessboard(seen.picture, size),
        QUICK: lambda: chessboard(seen.picture, size, SMALL),
        FIND: lambda: find(seen.picture).grid,
    }
    for turn in range(REPEATED):
        for name, search in searches.items():
            began = time.process_time()
            grid = search()
            found.note(name, time.process_time() - began)
            if not turn:
                near = grid is not None and grid.size == size and corner_error(grid, seen.grid.corners)[0] <= NEAR
                found.answered[name] = found.answered.get(name, 0) + (grid is not None)
                found.right[name] = found.right.get(name, 0) + near


def _follow_and_read(found: Times, seen: Board) -> None:
    """The same place before and behind a game, so that nothing but the men and the light changes."""
    classes = learn(samples(seen.start, seen.grid), seen.parity, seen.start_rows)
    follower = Follower(seen.start, seen.grid)
    for _ in range(REPEATED):
        for picture in (seen.picture, seen.start):
            began = time.process_time()
            followed = follower.follow(picture)
            between = time.process_time()
            read(samples(picture, followed.grid or seen.grid), classes, seen.parity)
            found.note(FOLLOW, between - began)
            found.note(READ, time.process_time() - between)
