"""What is told of a board and of its game: as White sees it however the board lies, what is news, what is gone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hub.streams import envelopes, move, started

from damas_board.hub.console.evidence import frames
from damas_board.hub.console.hall_games import HallGame
from damas_board.hub.console.showing import Showing, is_news
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Command, See

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


def test_late_readings_of_an_alert_are_shown_when_they_were_seen_and_as_the_board_lay_then() -> None:
    geometry = shipped("br-cbjd").variant.geometry
    half = TURNED[180]
    inputs = [
        See(1.0, AS_WHITE_SEES),
        Command(2.0, "orient", "c-refused", {"turn": 180}),
        See(3.0, half, was=1.5),
        Command(4.0, "orient", "c-done", {"turn": 180}),
        See(5.0, half, was=2.5),
    ]
    told = list(frames(Header("t-1", "br-cbjd"), inputs, frozenset({"c-done"}), geometry))
    assert told == [{"at": 1.0, "see": AS_WHITE_SEES}, {"at": 1.5, "see": half}, {"at": 2.5, "see": AS_WHITE_SEES}]


def test_that_a_clock_goes_on_is_no_news_and_everything_else_is() -> None:
    game: dict[str, Any] = {"game": "g", "version": 1, "count": 3, "clock": {"white": 60.0, "stale": False, "age": 0.1}}
    assert not is_news(game, {**game, "version": 2, "clock": {**game["clock"], "age": 7.0}})
    assert not is_news({**game, "clock": None}, {**game, "clock": None})
    for other in ({"count": 4}, {"clock": {**game["clock"], "stale": True}}, {"clock": None}, {"over": {}}):
        assert is_news(game, {**game, **other}), other


@pytest.mark.parametrize(
    ("link", "gateway", "silent"),
    [
        (None, {}, None),
        ({"link": "up", "ts": "T1", "gateway": "gw"}, {}, None),
        ({"link": "up", "ts": "T1", "gateway": "gw"}, {"state": {"state": "online", "ts": "T2"}}, None),
        ({"link": "down", "ts": "T1", "gateway": "gw"}, {"state": {"state": "online", "ts": "T2"}}, "T1"),
        ({"link": "up", "ts": "T1", "gateway": "gw"}, {"state": {"state": "offline", "ts": "T2"}}, "T2"),
        ({"link": "up", "ts": "T1", "gateway": "other"}, {"state": {"state": "offline", "ts": "T2"}}, None),
    ],
)
def test_a_game_says_since_when_nothing_is_heard_of_its_board(
    link: dict[str, Any] | None, gateway: dict[str, Any], silent: str | None
) -> None:
    found = HallGame("g")
    for envelope in envelopes("g", [started("g")]):
        found.take(envelope)
    hall: Any = SimpleNamespace(
        boards={"t-1": {"link": link}},
        gateways={"gw": gateway},
        states={"g": {}},
        games={"g": found},
        board_of=lambda game: "t-1",
    )
    assert Showing(hall, shipped).whole(found)["silent"] == silent


def test_a_claim_goes_with_the_moves_behind_which_it_was_made() -> None:
    claim = {"event": "claim", "rule": "repetition", "article": "1", "count": 3, "limit": 3, "holds": True}
    bodies = [
        *(started("g"), move(1, "c3-d4"), {**claim, "side": "white"}, move(2, "b6-a5"), {**claim, "side": "black"}),
        {"event": "moves_retracted", "from_ply": 2, "reason": "rewind", "revision": 1},
    ]
    found = HallGame("g")
    claims = []
    for envelope in envelopes("g", bodies):
        found.take(envelope)
        claims.append([(one["side"], one["ply"]) for one in found.claims])
    both = [("white", 1), ("black", 2)]
    assert claims == [[], [], both[:1], both[:1], both, both[:1]]
