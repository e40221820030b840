"""What came last from a board, and from where a board with a memory would go on."""

from __future__ import annotations

from damas_board.app.latest import Latest
from damas_board.session.inputs import BoardEvent, Lever, See


def test_a_reading_written_again_for_a_new_game_is_not_older_than_the_lever_before_it() -> None:
    latest = Latest("table-1", {}, None)
    latest.note(See(1.0, "o.", event=BoardEvent("0da3a500", 1, 10)))
    latest.note(Lever(2.0, "white", event=BoardEvent("0da3a500", 1, 11)))
    (again,) = latest.seen_at(3.0)
    latest.note(again)
    assert (again.rows, again.at, again.was) == ("o.", 3.0, None)
    assert latest.known is not None
    assert latest.known.event == BoardEvent("0da3a500", 1, 11)
