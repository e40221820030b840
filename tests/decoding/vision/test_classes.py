"""Classes of squares: learned from one picture of the start position, kept in a profile, adapted slowly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from decoding.vision.boards_seen import LATER, START, STILL, VIEW, Shown, shown, taught

from damas_board.decoding.vision.classes import (
    COMFORTABLE,
    Classes,
    InseparableError,
    adapted,
    learn,
    moved_together,
    nearest,
    separation,
)
from damas_board.decoding.vision.lighting import Floats, lit, playing
from damas_board.decoding.vision.profile import GridValues, Profile
from damas_board.decoding.vision.sampling import Samples, samples

WARM = replace(STILL, colour=(0.85, 0.97, 1.02))
GRID = GridValues(8, (1.0,) * 9, (0.0, 0.0), 1.0, 0.0)


def _samples(seen: Shown) -> Samples:
    return samples(seen.picture, seen.grid, taught().lean)


@pytest.mark.parametrize("look", ["wood", "green", "red-green", "dark-frame", "red-men"])
def test_boards_as_they_are_sold_are_comfortably_separable(look: str) -> None:
    assert separation(taught(look=look).classes) > COMFORTABLE


def test_brown_men_on_brown_squares_are_the_two_that_are_nearest_and_just_separable() -> None:
    one, other, distance = nearest(taught(look="brown-on-brown").classes)
    assert (one, other) == ("empty", "black")
    assert 4 < distance < COMFORTABLE


def test_men_of_their_squares_colour_are_refused_and_named() -> None:
    seen = shown(START.replace("b", "."))
    with pytest.raises(InseparableError) as caught:
        learn(samples(seen.picture, seen.grid), seen.parity, START)
    assert {caught.value.one, caught.value.other} == {"empty", "black"}
    assert caught.value.separation < 4
    assert "empty and black" in str(caught.value)


def test_a_class_that_is_not_there_cannot_be_learned() -> None:
    seen = shown(START)
    with pytest.raises(ValueError, match="too few black squares"):
        learn(samples(seen.picture, seen.grid), seen.parity, START.replace("b", "."))


@pytest.mark.parametrize("rows", ["...", START + "/........", START.replace(".b.b.b.b", ".b.b.b.", 1)])
def test_rows_of_another_board_are_refused(rows: str) -> None:
    seen = shown(START)
    with pytest.raises(ValueError, match="8 squares a side"):
        learn(samples(seen.picture, seen.grid), seen.parity, rows)


def test_one_man_that_looks_otherwise_is_not_what_the_others_are_like() -> None:
    seen = shown(START)
    squares = _samples(seen)
    row, column = next((r, line.index("b")) for r, line in enumerate(seen.rows.split("/")) if "b" in line)
    squares.features[row, column, 0] += 1.2
    changed = learn(squares, seen.parity, seen.rows)
    before = taught().classes
    assert np.abs(changed.means - before.means).max() < 0.1
    assert changed.covariances[2, 0, 0] < 2 * before.covariances[2, 0, 0]


def test_a_class_of_eight_squares_that_happen_to_be_alike_is_not_taken_to_be_always_so() -> None:
    seen = shown(START)
    squares = _samples(seen)
    empty = np.array([[mark == "." for mark in line] for line in seen.rows.split("/")]) & playing(8, seen.parity)
    squares.features[empty] = np.median(squares.features[empty], axis=0)
    classes = learn(squares, seen.parity, seen.rows)
    assert np.sqrt(np.diagonal(classes.covariances[0])).min() > 0.03


def test_classes_are_the_same_again_from_a_profile() -> None:
    classes = taught().classes
    again = Classes.of_profile(Profile(640, 360, GRID, 1, 0, False, **classes.values()))
    assert np.array_equal(again.means, classes.means)
    assert np.array_equal(again.covariances, classes.covariances)
    assert np.array_equal(again.learned, classes.means)
    assert all(np.array_equal(a, b) for a, b in zip(again.ground, classes.ground, strict=True))


def test_the_squares_that_are_never_occupied_are_in_the_middle_of_the_light() -> None:
    mean, covariance = taught().classes.ground
    assert np.abs(mean[:3]).max() < 0.05
    assert np.sqrt(np.diagonal(covariance))[:3].max() < 0.2


def test_classes_follow_what_changes_slowly() -> None:
    classes = taught().classes
    squares = _samples(shown(LATER))
    squares.features[playing(8, 1), 1] += 0.06
    seen = lit(squares, 1).features
    after = classes
    for _ in range(200):
        after = adapted(after, squares, 1, shown(LATER).rows)
    men = np.array([[mark == "w" for mark in line] for line in shown(LATER).rows.split("/")])
    wanted = np.median(seen[men], axis=0)
    assert np.abs(after.means[1] - wanted)[1] < 0.02
    assert abs(classes.means[1, 1] - wanted[1]) > 0.04
    once = adapted(classes, squares, 1, shown(LATER).rows)
    assert np.abs(once.means - classes.means).max() < 0.03


def test_classes_never_go_farther_than_light_may_change_them() -> None:
    classes = taught().classes
    squares = _samples(shown(LATER))
    squares.features[playing(8, 1), 0] -= 2.0
    after = classes
    for _ in range(300):
        after = adapted(after, squares, 1, shown(LATER).rows)
    away = after.means - classes.means
    far = [float(np.sqrt(d @ np.linalg.solve(c, d))) for d, c in zip(away, classes.covariances, strict=True)]
    assert 2.0 < max(far) < 2.6
    assert separation(after) > 4


def test_only_squares_that_are_named_and_not_covered_adapt_classes() -> None:
    classes = taught().classes
    squares = _samples(shown(LATER))
    squares.features[..., 0] += 0.2 * playing(8, 1)
    unnamed = adapted(classes, squares, 1, "/".join(["????????"] * 8))
    assert np.array_equal(unnamed.means, classes.means)
    white = np.array([[mark in "wW" for mark in line] for line in shown(LATER).rows.split("/")])
    covered = adapted(classes, squares, 1, shown(LATER).rows, white)
    assert np.array_equal(covered.means[1], classes.means[1])
    assert not np.array_equal(covered.means[2], classes.means[2])
    only_white = adapted(classes, squares, 1, shown(LATER, VIEW).rows.replace("b", "?").replace(".", "?").lower())
    assert np.array_equal(only_white.means[[0, 2]], classes.means[[0, 2]])
    assert not np.array_equal(only_white.means[1], classes.means[1])


def _dark(shift: float, spread: float = 0.02) -> tuple[Classes, Floats, Floats]:
    """Classes, and squares of each that all lie off their mean by so much, with likelihoods that show to which."""
    start = shown(START)
    classes = learn(samples(start.picture, start.grid), start.parity, start.rows)
    labels = np.repeat([0, 1, 2], 10)
    features = classes.means[labels] + shift + spread * np.sin(np.arange(30))[:, None]
    return classes, features, np.where(np.arange(3) == labels[:, None], 0.5, 0.25)


def test_classes_go_where_all_their_squares_are() -> None:
    classes, features, likely = _dark(0.4)
    moved = moved_together(classes, features, likely)
    assert moved is not None
    assert np.allclose(moved.means - classes.means, 0.4, atol=0.02)
    assert (moved.covariances == classes.covariances).all()


def test_classes_stay_where_squares_do_not_say_which_of_them_they_are() -> None:
    classes, features, likely = _dark(0.4)
    likely[:5] = (0.4, 0.35, 0.25)
    assert moved_together(classes, features, likely) is None


def test_classes_stay_where_their_squares_do_not_agree() -> None:
    assert moved_together(*_dark(0.4, spread=0.6)) is None


def test_classes_do_not_go_into_each_other() -> None:
    classes, features, likely = _dark(0.0)
    features[10:20] = classes.means[0] + 0.05
    assert moved_together(classes, features, likely) is None


def test_a_class_of_few_squares_stays() -> None:
    classes, features, likely = _dark(0.4)
    features, likely = features[:23], likely[:23]
    moved = moved_together(classes, features, likely)
    assert moved is not None
    assert (moved.means[2] == classes.means[2]).all()
    assert np.allclose(moved.means[1] - classes.means[1], 0.4, atol=0.03)
