"""From pictures of a table, one after another, to what stands on its board: pictures and times in, observations out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile

Condition = Literal["OK", "NO_BOARD", "DARK", "GLARE", "MOVED", "OCCLUDED", "UNSTABLE", "FROZEN"]
Place = tuple[int, int]
"""A square: its row and column in `Seen.rows`."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands on the board, in White's view: rows from Black's side down to White's, each from White's left.

    Marks: `.` empty or never occupied, `w` and `b` a piece, `?` not known: covered, moving, or not certain; the last
    have their likelihoods of `.`, `w` and `b` in `doubt`.
    """

    at: float
    rows: str
    doubt: Mapping[Place, Mapping[str, float]] | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """From now on nothing can be told, and why; or `OK`: what stands on the board is told again."""

    at: float
    status: Condition


Observation = Seen | Status


class Watcher:
    """Tells what the pictures of one camera show; it has no clock, times (seconds, growing) come with the pictures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def look(self, picture: Picture, at: float) -> list[Observation]:
        """What `picture`, taken at `at`, shows that was not told yet; mostly nothing."""
        return []

    @property
    def grid(self) -> Grid | None:
        """Where the board is, in pictures as the camera gives them, mirrored or not; None while it is not known."""
        return None

    @property
    def status(self) -> Condition | None:
        """What was told last; None before anything was."""
        return None
