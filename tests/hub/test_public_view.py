"""The public games put together for pages: each change as what stays and what is new, and nothing left over."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.hub.event_ring import EventRing, encoded
from damas_board.hub.ordering import natural
from damas_board.hub.public_view import PublicView
from damas_board.messages.envelope import rfc3339
from damas_board.messages.topics import Kind, topic
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial

MEETING = "open"
NOW = datetime(2026, 1, 31, 18, 30, tzinfo=UTC)
VARIANT = shipped("br-cbjd").variant
CLOCK = {"event": "clock", "at": 1.0, "white": 300.0, "black": 290.0, "running": "white", "stale": False}
OVER = {"event": "game_over", "at": 2.0, "winner": "draw", "result": "1-1", "reason": "agreed", "ply": 2}


@dataclass
class Public:
    """What is public of games, changed at will."""

    games: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    now: datetime = NOW
    seq: int = 0
    forgotten: list[int] = field(default_factory=list)
    """How many events had been told each time that those before were to be forgotten."""

    def __post_init__(self) -> None:
        self.view = PublicView(MEETING, self.hear, versions=1, forget=lambda: self.forgotten.append(len(self.told)))

    def hear(self, event: str, body: Mapping[str, Any]) -> None:
        self.told.append((event, json.loads(encoded(body))))

    def begin(self, game: str, **more: Any) -> None:
        start = write_fen(initial(VARIANT))
        told = {"at": 1.0, "regulation": "br-cbjd", "start": start, "fen": start, "moves": [], "revision": 0}
        self.change(game, **{**told, "notes": [], "times": [], "players": {"white": {"name": "Ana"}}, **more})

    def change(self, game: str, **keys: Any) -> None:
        self.seq += 1
        body = self.games[game] = {**self.games.get(game, {}), **keys}
        envelope = {"schema": "damas.state/1", "ts": rfc3339(NOW), "game": game, "epoch": 1, "seq": self.seq}
        self.take(game, encoded({**envelope, **{key: value for key, value in body.items() if value is not None}}))

    def take(self, game: str, payload: bytes) -> None:
        self.view.take(topic(Kind.PUBLIC_GAME_STATE, MEETING, game), payload, self.now)

    def round(self, body: Mapping[str, Any] | None, name: str = "1") -> None:
        payload = b"" if body is None else encoded({"schema": "damas.round/1", "ts": rfc3339(NOW), **body})
        self.view.take(topic(Kind.PUBLIC_ROUND, MEETING, name), payload, self.now)

    def play(self, game: str, choice: int, keep: int | None = None, **note: Any) -> None:
        """The first `keep` plies, and a legal one behind them."""
        moves = self.games[game]["moves"][:keep]
        position = initial(VARIANT)
        for text in moves:
            position = position.after(next(m for m in legal_moves(position) if write_move(position, m) == text))
        legal = legal_moves(position)
        if not legal:
            return
        move = legal[choice % len(legal)]
        notes = [one for one in self.games[game]["notes"] if one["ply"] <= len(moves)]
        notes += [{"ply": len(moves) + 1, "side": position.turn.label, **note}] if note else []
        fen = write_fen(position.after(move))
        self.change(game, moves=[*moves, write_move(position, move)], fen=fen, notes=notes)

    def whole(self, game: str) -> dict[str, Any] | None:
        found = self.view.whole(game, self.now)
        return None if found is None else json.loads(found)


@dataclass
class Page:
    """A reader as the contract tells it to be; `games` are those it has with their plies."""

    public: Public
    games: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hear(self, event: str, body: dict[str, Any]) -> None:
        if event == "gone":
            self.games.pop(body.get("game", ""), None)
        if event != "game":
            return
        had = self.games.get(body["game"])
        if had is not None and body["version"] <= had["version"]:
            return
        delta = {key: body.pop(key) for key in ("base", "keep", "plies")}
        if had is not None and had["version"] == delta["base"]:
            self.games[body["game"]] = {**body, "plies": had["plies"][: delta["keep"]] + delta["plies"]}
        else:
            self.fetch(body["game"])

    def fetch(self, game: str) -> None:
        found = self.public.whole(game)
        if found is None:
            self.games.pop(game, None)
        else:
            self.games[game] = found

    def snapshot(self) -> None:
        told = {one["game"]: one for one in json.loads(encoded(self.public.view.snapshot(self.public.now)))["games"]}
        for game in {*self.games, *told}:
            if game not in told or self.games.get(game, {}).get("version") != told[game]["version"]:
                self.fetch(game)


def timeless(game: Mapping[str, Any]) -> dict[str, Any]:
    clock = game["clock"] and {key: value for key, value in game["clock"].items() if key != "age"}
    return {**{key: value for key, value in game.items() if key != "now"}, "clock": clock}


_GAME = st.sampled_from(["g-1", "g-2"])
_ACT = st.one_of(
    st.tuples(st.just("play"), _GAME, st.integers(0, 9)),
    st.tuples(st.just("play"), _GAME, st.integers(0, 9)),
    st.tuples(st.just("instead"), _GAME, st.integers(1, 4)),
    st.tuples(st.just("retract"), _GAME, st.integers(0, 6)),
    st.tuples(st.just("note"), _GAME, st.integers(0, 3)),
    st.tuples(st.just("clock"), _GAME, st.integers(0, 300)),
    st.tuples(st.just("over"), _GAME, st.integers(0, 1)),
    st.tuples(st.just("silent"), _GAME, st.integers(0, 1)),
    st.tuples(st.just("again"), _GAME, st.integers(0, 9)),
    st.tuples(st.just("gone"), _GAME, st.just(0)),
    st.tuples(st.just("round"), _GAME, st.integers(1, 3)),
    st.tuples(st.just("junk"), _GAME, st.integers(0, 3)),
)


def act(public: Public, kind: str, game: str, number: int) -> None:
    state = public.games.get(game)
    if kind == "gone":
        public.games.pop(game, None)
        public.take(game, b"")
    elif kind == "round":
        pairing = {"table": str(number), "game": game, "white": {}, "black": {}}
        public.round({"state": "started", "regulation": "br-cbjd", "pairings": [pairing]})
    elif kind == "junk":
        junk = [b"x", b'{"schema": "damas.state/1", "ts": "now"}', b"[]", encoded({"schema": "a", "ts": rfc3339(NOW)})]
        with pytest.raises(ValueError, match=r"JSON|time|is no"):
            public.take(game, junk[number])
    elif state is None or kind == "again":
        public.begin(game, start="W:Wa1:Bh8" if number > 7 else write_fen(initial(VARIANT)))
    elif state["start"] == "W:Wa1:Bh8":
        public.change(game, moves=[*state["moves"], "a1-b2"], fen="B:Wb2:Bh8")
    elif kind == "play":
        public.play(game, number, **({"clock": [300.0 - number, 290.0]} if number % 2 else {}))
    elif kind == "instead":
        public.play(game, number, -1)
    elif kind == "retract":
        moves = state["moves"][:number]
        public.change(game, moves=moves, notes=[one for one in state["notes"] if one["ply"] <= len(moves)])
    elif kind == "note" and state["moves"]:
        note: list[dict[str, Any]] = [{"irregular": True, "fen": "W:Wa1,c3:Bh8"}, {"basis": "inferred"}, {}]
        note += [{"fen": "B:Wa1:Bb8", "set_up": True}]
        ply = len(state["moves"])
        notes = [one for one in state["notes"] if one["ply"] < ply]
        public.change(game, notes=[*notes, {"ply": ply, "side": "white", **note[number]}])
    elif kind == "clock":
        public.change(game, clock={**CLOCK, "white": float(number)})
    elif kind == "over":
        public.change(game, over=OVER if number else None)
    elif kind == "silent":
        public.change(game, silent=rfc3339(NOW) if number else None, delay=2.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(_ACT, st.integers(0, 15)), min_size=5, max_size=40))
def test_who_missed_some_of_it_ends_with_the_same_games(acts: list[tuple[tuple[str, str, int], int]]) -> None:
    public = Public()
    pages = [Page(public) for _ in range(4)]
    for (kind, game, number), misses in acts:
        before = len(public.told)
        act(public, kind, game, number)
        public.now += timedelta(seconds=1)
        for index, page in enumerate(pages):
            for event, body in public.told[before:] if not misses >> index & 1 else ():
                page.hear(event, dict(body))
    for game in ("g-1", "g-2"):  # what comes next is heard by all, and puts right who missed something
        before = len(public.told)
        act(public, "clock", game, 301)
        for page in pages[:2]:
            for event, body in public.told[before:]:
                page.hear(event, dict(body))
    for page in pages[2:]:
        page.snapshot()
    fetched = {game: timeless(whole) for game in ("g-1", "g-2") if (whole := public.whole(game)) is not None}
    for page in pages:
        assert {game: timeless(known) for game, known in page.games.items()} == fetched
    for game, known in fetched.items():
        shown = [(ply["move"], ply["ply"]) for ply in known["plies"]]
        assert shown == [(move, n) for n, move in enumerate(public.games[game]["moves"], 1)]
        assert known["count"] == len(shown)
        assert known["last"] == (known["plies"][-1] if known["plies"] else None)
    versions = [body["version"] for event, body in public.told if event == "game"]
    assert versions == sorted(set(versions))


def test_a_move_more_is_told_as_the_move_alone() -> None:
    public = Public()
    public.begin("g-1")
    for ply in range(20):
        public.play("g-1", ply)
    event, body = public.told[-1]
    assert (event, body["keep"], len(body["plies"]), body["count"]) == ("game", 19, 1, 20)
    assert body["base"] == public.told[-2][1]["version"]
    assert body["plies"][0] == body["last"]


def test_a_revision_is_told_with_what_stays() -> None:
    public = Public()
    public.begin("g-1")
    for ply in range(4):
        public.play("g-1", ply)
    public.play("g-1", 2, keep=1)
    assert (public.told[-1][1]["keep"], public.told[-1][1]["count"]) == (1, 2)
    public.change("g-1", moves=public.games["g-1"]["moves"][:1], notes=[])
    assert (public.told[-1][1]["keep"], public.told[-1][1]["plies"], public.told[-1][1]["count"]) == (1, [], 1)


def test_what_changes_nothing_is_not_told() -> None:
    public = Public()
    public.begin("g-1")
    public.play("g-1", 1)
    before = len(public.told)
    public.change("g-1")  # another event, such as a confirmation
    payload = encoded({"schema": "damas.round/1", "ts": rfc3339(NOW)})
    with pytest.raises(ValueError, match="pairings"):
        public.view.take(topic(Kind.PUBLIC_ROUND, MEETING, "1"), payload, NOW)
    assert len(public.told) == before


def test_a_running_clock_has_its_age_counted_from_when_it_became_public() -> None:
    public = Public()
    public.begin("g-1", at=5.0, clock=CLOCK, shown=rfc3339(NOW - timedelta(seconds=2)))
    assert public.told[-1][1]["clock"] == {
        **{"white": 300.0, "black": 290.0, "running": "white", "stale": False, "age": 6.0}
    }
    public.now += timedelta(seconds=10)
    whole = public.whole("g-1")
    assert whole is not None
    assert whole["clock"]["age"] == 16.0
    assert public.view.snapshot(public.now)["games"][0]["clock"]["age"] == 16.0


def test_silence_is_told_in_the_time_of_those_who_look_on() -> None:
    public = Public()
    public.begin("g-1", silent=rfc3339(NOW), delay=900.0)
    assert public.told[-1][1]["silent"] == rfc3339(NOW + timedelta(seconds=900))
    public.change("g-1", silent=None)
    assert public.told[-1][1]["silent"] is None


def test_a_game_of_a_regulation_that_is_not_known_is_shown_without_squares() -> None:
    public = Public()
    public.begin("g-1", regulation="club-rules")
    public.change("g-1", moves=["c3-d4"], fen="B:Wd4:Bh8")
    body = public.told[-1][1]
    assert (body["board"], body["regulation"]["title"], body["last"]["from"]) == (None, "club-rules", None)
    public.round({"state": "started", "regulation": "club-rules", "pairings": []})
    assert (public.told[-1][1]["regulation_title"], public.told[-1][1]["variant"]) == (None, None)


def test_a_round_is_told_as_it_is_published_with_what_its_regulations_are_called() -> None:
    public = Public()
    pairings = [
        {"table": "10", "game": "g-1", "white": {"name": "Ana"}, "black": {"name": "Rui"}},
        {"table": "2", "game": "g-2", "white": {}, "black": {}, "regulation": "pt-classicas"},
    ]
    body = {"round": "1", "state": "planned", "regulation": "br-cbjd", "pairings": pairings}
    public.round({**body, "name": "Round one", "begins": "15:00"})
    event, told = public.told[-1]
    assert event == "round"
    assert told["begins"] == "15:00"
    assert (told["variant"], told["regulation_title"]) == ("brazilian", shipped("br-cbjd").title)
    assert told["pairings"][0] == pairings[0]
    assert told["pairings"][1] == {
        **{**pairings[1], "variant": "portuguese", "regulation_title": shipped("pt-classicas").title}
    }
    for game in ("g-1", "g-2"):
        public.begin(game, table="7")
    public.round({**body, "pairings": pairings[:1]}, "2")
    public.round(None, "1")
    assert public.told[-2][0] == "gone"
    shown = public.view.snapshot(NOW)
    assert [(one["game"], one["round"], one["table"]) for one in shown["games"]] == [
        ("g-1", "2", "10"),
        ("g-2", None, "7"),
    ]
    assert [one["round"] for one in shown["rounds"]] == ["2"]


def test_games_and_rounds_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["10", "2", "1", "b", "a-2", "a-10", "²"], key=natural) == ["1", "2", "10", "a-2", "a-10", "b", "²"]
    assert natural("9" * 5000)


def test_the_games_of_a_table_are_in_the_order_in_which_they_were_numbered() -> None:
    public = Public()
    for number in (11, 8, 10, 9):
        public.begin(f"mesa-1-20260131-{number}", table="1")
    games = [game["game"] for game in public.view.snapshot(NOW)["games"]]
    assert games == [f"mesa-1-20260131-{number}" for number in (8, 9, 10, 11)]


ANA = {"name": "Ana Lima", "rating": 1900}


@pytest.mark.parametrize("now", [{"rating": 1900}, {"name": "A. L.", "rating": 1900}, {}, None])
def test_what_is_said_of_a_player_no_more_is_forgotten_before_the_rest_is_told(now: dict[str, Any] | None) -> None:
    sides = {key: value for key, value in {"white": now, "black": {"name": "Rui"}}.items() if value is not None}
    public = Public()
    public.begin("g-1", players={"white": ANA, "black": {"name": "Rui"}})
    public.play("g-1", 1)
    whole = public.whole("g-1")
    assert whole is not None
    public.change("g-1", players=sides)
    assert (public.forgotten, len(public.told)) == ([2], 3)
    pairing = {"table": "1", "game": "g-1", "white": ANA, "black": {"name": "Rui"}}
    public.round({"state": "started", "pairings": [pairing]})
    told = len(public.told)
    public.round({"state": "started", "pairings": [{"table": "1", "game": "g-1", **sides}]})
    assert public.forgotten == [2, told]
    assert "Ana Lima" not in json.dumps([public.whole("g-1"), public.view.snapshot(NOW), public.told[told:]])


def test_what_is_gone_is_forgotten_with_its_names() -> None:
    public = Public()
    public.begin("g-1")
    public.round({"state": "planned", "pairings": [{"table": "2", "game": "g-2", "white": ANA}]})
    public.round({"state": "planned", "pairings": []})
    public.round(None)
    public.take("g-1", b"")
    assert public.forgotten == [2, 3, 4]


def test_whatever_else_changes_is_there_for_who_comes_back() -> None:
    public = Public()
    pairing = {"table": "1", "game": "g-1", "white": ANA, "black": {}}
    public.round({"state": "planned", "pairings": [pairing]})
    public.begin("g-1", players={"white": {"name": "Ana Lima"}})
    public.play("g-1", 1)
    public.change("g-1", players={"white": ANA, "black": {"name": "Rui"}})
    public.change("g-1", over=OVER)
    public.round({"state": "over", "pairings": [{**pairing, "black": {"name": "Rui"}, "result": "draw"}]})
    assert len(public.told) == 6
    assert public.forgotten == []


async def test_a_name_that_was_withdrawn_is_not_told_to_who_comes_back() -> None:
    ring = EventRing(lambda id_: {"id": id_, **public.view.snapshot(NOW)}, boot="b00")
    public = Public()
    public.view = PublicView(MEETING, ring.tell, versions=1, forget=ring.forget)
    public.begin("g-1", players={"white": ANA})
    public.change("g-1", players={"black": {"name": "Rui"}})
    stream = ring.stream("b00-0")
    await anext(stream)
    told = await anext(stream)
    assert b"Rui" in told
    assert b"Ana" not in told


def test_of_the_games_that_are_over_only_the_newest_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.hub.public_view.MOST_OVER", 3)
    public = Public()
    for number in (1, 5, 2, 4, 3):
        public.begin(f"g-{number}", shown=rfc3339(NOW + timedelta(minutes=number)), over=OVER)
    public.begin("g-0", shown=rfc3339(NOW))
    assert [game["game"] for game in public.view.snapshot(NOW)["games"]] == ["g-0", "g-3", "g-4", "g-5"]
    assert public.whole("g-1") is not None
    monkeypatch.setattr("damas_board.hub.public_view.MOST_OVER", 5)
    assert len(public.view.snapshot(NOW)["games"]) == 6


def test_what_the_broker_does_not_say_again_is_gone_after_a_while() -> None:
    public = Public()
    public.begin("g-1")
    public.begin("g-2")
    public.round({"state": "planned", "pairings": []})
    public.view.connected()
    public.change("g-2")
    public.view.forget(NOW)
    assert public.told[-2:] == [("gone", {"game": "g-1"}), ("gone", {"round": "1"})]
    assert [one["game"] for one in public.view.snapshot(NOW)["games"]] == ["g-2"]
    public.view.forget(NOW)
    assert len(public.told) == 5


def test_a_finished_game_costs_little_and_is_made_again_when_asked_for() -> None:
    public = Public()
    for number in range(100):
        public.begin(f"g-{number}")
        public.play(f"g-{number}", number)
        public.change(f"g-{number}", over=OVER)
    assert all(game.shown is None for game in public.view._games.values())
    for number in range(100):
        whole = public.whole(f"g-{number}")
        assert whole is not None
        assert len(whole["plies"]) == 1
    assert len(public.view._whole) <= 64


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.just("1999-01-01T00:00:00Z"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["game", "table", "at"]), inner),
)
_KEYS = st.sampled_from(
    ["shown", "silent", "delay", "round", "table", "regulation", "players", "clock", "pairings", "state", "moves", "ts"]
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(_KEYS, _VALUES), st.sampled_from([Kind.PUBLIC_GAME_STATE, Kind.PUBLIC_ROUND]))
def test_no_payload_breaks_it(wrong: dict[str, Any], kind: Kind) -> None:
    public = Public()
    public.begin("g-1")
    base = {"schema": "x", "ts": rfc3339(NOW), **public.games["g-1"], "pairings": [], "state": "planned"}
    with contextlib.suppress(ValueError):
        public.view.take(topic(kind, MEETING, "g-1"), encoded({**base, **wrong}), NOW)
    assert [one["game"] for one in json.loads(encoded(public.view.snapshot(NOW)))["games"]] == ["g-1"]
    assert public.whole("g-1") is not None
