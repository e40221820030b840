"""What reads LiveChess files is told of no clock that runs when nobody knows what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from damas_board.messages import livechess
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import write_fen
from damas_board.regulations import shipped
from damas_board.rules.position import initial

TS = "2026-01-31T18:30:00.000Z"
OVER = {"event": "game_over", "winner": "white", "result": "2-0", "reason": "agreed", "ply": 0, "article": None}


def record(*events: dict[str, Any]) -> Record:
    fen = write_fen(initial(shipped("br-cbjd").variant))
    found = Record()
    start = {"event": "game_started", "game": "g-1", "regulation": "br-cbjd", "fen": fen}
    for at, event in enumerate((start, *events)):
        found = fold_event(found, {"at": float(at), "ts": TS, "revision": 0, **event})
    return found


def clock(running: str | None, *, stale: bool = False) -> dict[str, Any]:
    return {"event": "clock", "white": 300.2, "black": 290.0, "running": running, "stale": stale}


@pytest.mark.parametrize(
    ("events", "runs"),
    [
        ([clock("white")], True),
        ([clock("black")], True),
        ([clock(None)], False),
        ([clock("white", stale=True)], False),
        ([clock("white"), OVER], False),
    ],
)
def test_a_clock_runs_while_it_is_known_to(events: list[dict[str, Any]], runs: bool) -> None:
    told = livechess.game(None, record(*events))["clock"]
    assert told == {"white": 301, "black": 290, "run": runs, "time": 1769884200000}


def test_there_is_no_clock_where_none_was_told() -> None:
    assert livechess.game(None, record())["clock"] is None
    assert livechess.game(None, None)["clock"] is None
