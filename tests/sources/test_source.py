"""What is known of a board behind its readings: what it goes on from."""

from __future__ import annotations

import pytest

from damas_board.session.inputs import BoardEvent, See
from damas_board.sources.source import KEPT_ROWS, rows_before


def see(rows: str, uid: str | None = "one") -> See:
    return See(1.0, rows, event=None if uid is None else BoardEvent(uid, 0, 1))


def test_what_was_told_before_is_kept_the_newest_last_and_never_twice_in_a_row() -> None:
    assert rows_before((), see("a"), see("b")) == ("a",)
    assert rows_before(("a",), see("b"), see("c")) == ("a", "b")
    assert rows_before(("a",), see("b"), see("b")) == ("a",)
    many = tuple(str(number) for number in range(KEPT_ROWS))
    assert rows_before(many, see("b"), see("c")) == (*many[1:], "b")


@pytest.mark.parametrize(
    ("known", "after"),
    [
        (None, see("b")),
        (see("a"), None),
        (see("a", None), see("b")),
        (see("a"), see("b", None)),
        (see("a"), see("b", "two")),
    ],
)
def test_of_another_board_nothing_was_told_before(known: See | None, after: See | None) -> None:
    assert rows_before(("x",), known, after) == ()
