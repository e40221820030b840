"""A profile as a table, and what is said of a table that is none."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from damas_board.decoding.vision.profile import (
    ClassValues,
    GridValues,
    Profile,
    ProfileError,
    profile_from,
    profile_table,
)

UNIT = tuple(float(i == j) for i in range(4) for j in range(4))
PROFILE = Profile(
    width=1280,
    height=720,
    grid=GridValues(8, (1.0, 0.0, 2.0, 0.0, 1.0, 3.0, 0.0, 1e-4, 1.0), (639.5, 359.5), 733.0, -0.03),
    parity=1,
    turn=180,
    mirrored=False,
    empty=ClassValues((-0.8, 0.3, -0.1, -2.0), UNIT),
    white=ClassValues((0.1, 0.0, 0.1, -1.6), UNIT),
    black=ClassValues((-1.4, 0.0, 0.2, -1.2), UNIT),
    ground=ClassValues((0.0, 0.0, 0.0, -2.5), UNIT),
    lean=(0.01, -0.15),
    separation=12.5,
)


def _with(path: str, value: object) -> dict[str, Any]:
    """The profile's table with another value."""
    table = profile_table(PROFILE)
    *outer, key = path.split(".")
    place = table
    for name in outer:
        place = place[name]
    place[key] = value
    return table


def _without(path: str) -> dict[str, Any]:
    table = _with(path, None)
    *outer, key = path.split(".")
    del (table[outer[0]] if outer else table)[key]
    return table


def test_a_profile_is_the_same_again_from_its_table() -> None:
    assert profile_from(profile_table(PROFILE)) == PROFILE
    other = replace(PROFILE, mirrored=True, parity=0, turn=90)
    assert profile_from(profile_table(other)) == other


def test_a_table_has_its_values_before_its_tables_and_nothing_that_toml_cannot_say() -> None:
    table = profile_table(PROFILE)
    kinds = [isinstance(value, dict) for value in table.values()]
    assert kinds == sorted(kinds)
    assert isinstance(table["lean"], list)
    assert isinstance(table["grid"]["homography"], list)


@pytest.mark.parametrize(
    "path",
    ["profile", "width", "parity", "turn", "mirrored", "lean", "separation", "grid", "grid.size", "black.covariance"],
)
def test_a_key_that_is_missing_is_named(path: str) -> None:
    with pytest.raises(ProfileError, match="is missing") as caught:
        profile_from(_without(path))
    assert caught.value.path == tuple(path.split("."))


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("width", 0, "a whole number, 1 or more, not 0"),
        ("height", True, "a whole number, 1 or more, not True"),
        ("width", "1280", "a whole number"),
        ("turn", 45, "is 45"),
        ("parity", 2, "is 2"),
        ("mirrored", 0, "is 0"),
        ("lean", [0.1], "must be 2 numbers"),
        ("lean", [0.1, "a"], "must be 2 numbers"),
        ("separation", float("nan"), "must be a number"),
        ("grid", 3, "must be a table"),
        ("grid.size", 9, "is 9"),
        ("grid.homography", [1.0] * 8, "must be 9 numbers"),
        ("grid.radius", 0, "must be more than 0"),
        ("white.mean", [0.0] * 5, "must be 4 numbers"),
        ("white.covariance", [1.0] * 16, "is no covariance"),
        ("ground.covariance", [float(i) for i in range(16)], "is no covariance"),
        ("empty.covariance", [*UNIT[:-1], -1.0], "is no covariance"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_and_told(path: str, value: object, says: str) -> None:
    with pytest.raises(ProfileError, match=says) as caught:
        profile_from(_with(path, value))
    assert caught.value.path == tuple(path.split("."))
    assert str(caught.value).startswith(f"{path}: ")


def test_what_could_stand_there_is_told() -> None:
    for path, value, allowed in [
        ("turn", 45, ("0", "90", "180", "270")),
        ("grid.size", 9, ("8", "10", "12")),
        ("mirrored", "no", ("true", "false")),
    ]:
        with pytest.raises(ProfileError) as caught:
            profile_from(_with(path, value))
        assert caught.value.allowed == allowed


def test_a_key_that_is_not_known_is_named_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(ProfileError, match="is not known here") as caught:
        profile_from(_with("grid.bends", 0.1))
    assert (caught.value.path, caught.value.allowed) == (("grid", "bends"), ("bend",))
    with pytest.raises(ProfileError, match="is not known here") as caught:
        profile_from(_with("heigth", 1))
    assert (caught.value.path, caught.value.allowed) == (("heigth",), ("height",))
    table = _without("separation")
    table["seperation"] = 3.0
    with pytest.raises(ProfileError, match="is missing; 'seperation' is not known here"):
        profile_from(table)


def test_a_profile_of_another_format_is_refused_before_anything_else() -> None:
    with pytest.raises(ProfileError, match="format 2 is not known here") as caught:
        profile_from({"profile": 2})
    assert caught.value.path == ("profile",)


def test_a_profile_can_be_read_where_no_camera_is_installed() -> None:
    code = "import sys, damas_board.decoding.vision.profile; print({'numpy', 'cv2', 'pydantic'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == "set()"
