"""What is known of a camera at its table: plain values, as they stand in a profile's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Any, Literal, cast, get_args

FORMAT = 1
"""`profile` in the file."""
SIZES = (8, 10, 12)
FEATURE_COUNT = 4

Turn = Literal[0, 90, 180, 270]
Parity = Literal[0, 1]
"""Which squares are played on, by (row + column) % 2 of the rows as seen in the picture."""

Path = tuple[str, ...]
"""Keys from the outermost table to the value: ("grid", "size")."""


@dataclass(frozen=True, slots=True)
class GridValues:
    """A Grid as plain values."""

    size: int
    homography: tuple[float, ...]
    """9, row by row."""
    centre: tuple[float, float]
    radius: float
    bend: float


@dataclass(frozen=True, slots=True)
class ClassValues:
    """What one class of squares (empty, white, black) looks like: a Gaussian of `classes.FEATURES`."""

    mean: tuple[float, ...]
    covariance: tuple[float, ...]
    """Row by row."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What `calibrate camera` finds out, and the camera source goes by."""

    width: int
    height: int
    """Of the pictures, pixels."""
    grid: GridValues
    parity: Parity
    turn: Turn
    """Turning the picture's rows clockwise by it gives White's view."""
    mirrored: bool
    """Whether the camera gives mirrored pictures; they are turned over before anything else is done with them."""
    empty: ClassValues
    white: ClassValues
    black: ClassValues
    ground: ClassValues
    """The squares that are never occupied."""
    lean: tuple[float, float] = (0.0, 0.0)
    """How far the middle of a man lies from the middle of its square, cells, along and down the picture."""
    separation: float = 0.0
    """How well the two classes that are nearest to each other can be told apart (see classes.separation)."""


class ProfileError(ValueError):
    """A table that is no profile: `path` is the key in question, `allowed` what could stand there or be meant."""

    def __init__(self, path: Path, message: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(f"{'.'.join(path)}: {message}" if path else message)
        self.path = path
        self.message = message
        self.allowed = tuple(allowed)


def profile_table(profile: Profile) -> dict[str, Any]:
    """The profile as a table for TOML; its values before its tables."""
    table = {"profile": FORMAT, **asdict(profile)}
    plain = {key: _listed(value) for key, value in table.items() if not isinstance(value, dict)}
    tables = {k: {key: _listed(v) for key, v in t.items()} for k, t in table.items() if isinstance(t, dict)}
    return plain | tables


def profile_from(table: Mapping[str, Any]) -> Profile:
    """The profile that a table from a TOML file holds. ProfileError names the first key that is wrong."""
    top = _Table(table, ())
    number = top.whole("profile")
    if number != FORMAT:
        raise ProfileError(
            ("profile",), f"a profile of format {number} is not known here; write it anew", [str(FORMAT)]
        )
    profile = Profile(
        width=top.whole("width", least=1),
        height=top.whole("height", least=1),
        parity=cast("Parity", top.one_of("parity", get_args(Parity))),
        turn=cast("Turn", top.one_of("turn", get_args(Turn))),
        mirrored=top.truth("mirrored"),
        lean=cast("tuple[float, float]", top.numbers("lean", 2)),
        separation=top.number("separation"),
        grid=_grid(top.table("grid")),
        empty=_class(top.table("empty")),
        white=_class(top.table("white")),
        black=_class(top.table("black")),
        ground=_class(top.table("ground")),
    )
    top.finish()
    return profile


def _grid(table: _Table) -> GridValues:
    values = GridValues(
        size=table.one_of("size", SIZES),
        homography=table.numbers("homography", 9),
        centre=cast("tuple[float, float]", table.numbers("centre", 2)),
        radius=table.number("radius"),
        bend=table.number("bend"),
    )
    table.finish()
    if values.radius <= 0:
        raise table.wrong("radius", "must be more than 0")
    return values


def _class(table: _Table) -> ClassValues:
    n = FEATURE_COUNT
    values = ClassValues(table.numbers("mean", n), table.numbers("covariance", n * n))
    table.finish()
    rows = [values.covariance[k * n : (k + 1) * n] for k in range(n)]
    if any(abs(rows[i][j] - rows[j][i]) > 1e-6 for i in range(n) for j in range(i)) or not _positive(rows):
        raise table.wrong("covariance", "is no covariance: a symmetric matrix, positive definite")
    return values


def _positive(rows: Sequence[Sequence[float]]) -> bool:
    """Whether a symmetric matrix is positive definite (it has a Cholesky factor)."""
    factor: list[list[float]] = []
    for i, row in enumerate(rows):
        line: list[float] = []
        for j in range(i):
            line.append((row[j] - sum(a * b for a, b in zip(line, factor[j], strict=False))) / factor[j][j])
        square = row[i] - sum(a * a for a in line)
        if square <= 0:
            return False
        factor.append([*line, square**0.5])
    return True


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


class _Table:
    """One table, whose keys are taken one after the other; what is left at the end was not meant."""

    def __init__(self, table: Mapping[str, Any], path: Path) -> None:
        self._left = dict(table)
        self._known: list[str] = []
        self._path = path

    def wrong(self, key: str, message: str, allowed: Sequence[str] = ()) -> ProfileError:
        return ProfileError((*self._path, key), message, allowed)

    def finish(self) -> None:
        for key in self._left:
            raise self.wrong(key, "is not known here", get_close_matches(key, self._known, 1) or self._known)

    def _take(self, key: str) -> Any:
        self._known.append(key)
        if key not in self._left:
            near = get_close_matches(key, self._left, 1)
            raise self.wrong(key, "is missing" + (f"; {near[0]!r} is not known here" if near else ""))
        return self._left.pop(key)

    def whole(self, key: str, least: int = 0) -> int:
        value = self._take(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(key, f"must be a whole number, {least} or more, not {value!r}")
        return value

    def one_of(self, key: str, allowed: Sequence[int]) -> int:
        value = self._take(key)
        if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
            raise self.wrong(key, f"is {value!r}", list(map(str, allowed)))
        return value

    def truth(self, key: str) -> bool:
        value = self._take(key)
        if not isinstance(value, bool):
            raise self.wrong(key, f"is {value!r}", ["true", "false"])
        return value

    def number(self, key: str) -> float:
        value = self._take(key)
        if not _is_number(value):
            raise self.wrong(key, f"must be a number, not {value!r}")
        return float(value)

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        value = self._take(key)
        if not isinstance(value, list | tuple) or len(value) != count or not all(map(_is_number, value)):
            raise self.wrong(key, f"must be {count} numbers")
        return tuple(map(float, value))

    def table(self, key: str) -> _Table:
        value = self._take(key)
        if not isinstance(value, Mapping):
            raise self.wrong(key, f"must be a table, not {value!r}")
        return _Table(value, (*self._path, key))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
