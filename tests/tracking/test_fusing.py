"""What two sources know together, square by square."""

from __future__ import annotations

import pytest

from damas_board.tracking.fusing import fused, fused_doubts, torn
from damas_board.tracking.likelihood import likelihood_of
from damas_board.tracking.sight import Sight

MARKS = {
    ".": Sight(1, 1, 0, 1),
    "o": Sight(0, 0, 1, 1),
    "w": Sight(0, 1, 1, 1),
    "b": Sight(1, 0, 1, 1),
    "?": Sight(0, 0, 0, 0),
}


@pytest.mark.parametrize(
    ("first", "second", "together", "contradicted"),
    [
        ("o", "w", "w", False),
        ("w", "o", "w", False),
        (".", ".", ".", False),
        ("?", "b", "b", False),
        ("b", "?", "b", False),
        ("?", "?", "?", False),
        ("o", ".", "o", True),
        (".", "w", ".", True),
        ("w", "b", "w", True),
    ],
)
def test_two_marks_make_one(first: str, second: str, together: str, contradicted: bool) -> None:
    assert fused([MARKS[first], MARKS[second]]) == (MARKS[together], int(contradicted))


def test_a_third_may_contradict_what_two_know_together() -> None:
    assert fused([MARKS["o"], MARKS["?"], MARKS["."]]) == (MARKS["o"], 1)
    assert fused([MARKS["?"], MARKS["o"], MARKS["w"]]) == (MARKS["w"], 0)


def test_what_one_reads_the_other_need_not_doubt() -> None:
    doubt = {0: likelihood_of({".": 0.5, "w": 0.5}), 1: likelihood_of({".": 0.5, "w": 0.5})}
    assert set(fused_doubts([doubt, {}], known=1)) == {1}


def test_between_two_that_contradict_each_other_only_what_they_say_is_likely() -> None:
    likelihood = torn([MARKS["."], MARKS["w"]], 1)[0]
    assert (likelihood.empty, likelihood.white) == (0.0, 0.0)
    assert likelihood.black < -5
