"""What a board shows comes to the console as White sees it, however the board lies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from damas_board.hub.console.showing import Showing
from damas_board.regulations import shipped

AS_WHITE_SEES = ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w../w.w.w.w."
TURNED = {
    0: AS_WHITE_SEES,
    180: "/".join(row[::-1] for row in reversed(AS_WHITE_SEES.split("/"))),
}


@pytest.mark.parametrize(
    ("turn", "configured", "said"),
    [(0, 0, {}), (180, 180, {}), (180, 0, {"turn": 180}), (0, 180, {"turn": 0})],
    ids=["straight", "turned", "turned by command", "turned back by command"],
)
def test_the_rows_of_a_turned_board_are_told_as_white_sees_them(
    turn: int, configured: int, said: dict[str, int]
) -> None:
    hall: Any = SimpleNamespace(
        boards={"t-1": {"see": {"at": 1.0, "see": TURNED[turn]}, "info": {"turn": configured, "table": "1"}}},
        states={"g": {"regulation": "br-cbjd", **said}},
        game_on=lambda board: "g",
    )
    told = Showing(hall, shipped).board("t-1")
    assert told is not None
    assert told["see"] == {"at": 1.0, "see": AS_WHITE_SEES}
