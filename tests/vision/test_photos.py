"""Photographs of real boards: all are found, and no square of them is read wrong."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from benchmarks.vision_page import sets_of
from benchmarks.vision_photos import Seen, photographs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@lru_cache(maxsize=1)
def seen(folder: Path) -> tuple[Seen, ...]:
    return tuple(photographs(folder, labelled_only=True)[0])


def test_every_labelled_board_is_found_within_a_quarter_of_a_square(shared: Path) -> None:
    assert {one.name: one.error for one in seen(shared / "photos") if not one.found} == {}


def test_no_square_is_read_wrong_with_a_start_picture_of_the_same_board(shared: Path) -> None:
    taught = {one.name: one.taught.wrong.total() for one in seen(shared / "photos") if one.taught is not None}
    assert {name: wrong for name, wrong in taught.items() if wrong} == {}
    assert len(taught) >= 18


def test_no_square_is_read_wrong_without_a_start_picture(shared: Path) -> None:
    wrong = {name: of.alone.wrong.total() for name, of in sets_of(list(seen(shared / "photos"))).items()}
    assert {name: count for name, count in wrong.items() if count} == {}
