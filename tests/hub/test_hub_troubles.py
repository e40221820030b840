"""What may be gone for a while: the broker, the database, the disk; and a hub that has published already."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from broker.halls import Hall, free_port
from hub.halls import LOGINS, MEETING, REGULATION, Gateway, Viewer, address, hub, publish, round_of, until

from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.errors import HubError
from damas_board.hub.public_store import PUBLIC, News, PublicStore, StoredCopy
from damas_board.hub.publisher import Heard, Publisher
from damas_board.hub.reader import Reader, Told
from damas_board.hub.recorder import Recorder
from damas_board.messages.envelope import Envelope, encode, object_of
from damas_board.messages.publication import Place, Terms, public_state
from damas_board.messages.stream import Since
from damas_board.messages.topics import Kind, topic
from damas_board.notation.fen import write_fen

TS = "2026-01-31T18:00:00Z"


@asynccontextmanager
async def embedded(port: int) -> AsyncIterator[Hall]:
    async with EmbeddedBroker(LOGINS, port=port) as broker:
        yield Hall("embedded", broker.host, broker.port)


async def test_a_broker_that_comes_back_empty_has_everything_public_again(tmp_path: Path) -> None:
    port = free_port()
    hall = Hall("embedded", "127.0.0.1", port)
    gateway = Gateway(hall)
    async with embedded(port):
        await publish(hall, "olga", "round/1", round_of(["g-1"], delay=0))
        context = hub(hall, tmp_path / "hub")
        await context.__aenter__()
        async with gateway.running(), Viewer(hall).watching() as viewer:
            await gateway.start("g-1")
            await gateway.move("g-1")
            await until(lambda: len(viewer.states.get("g-1", {}).get("moves", ())) == 1, "the move")
    try:
        # The round is gone with the old broker, what it said of its delay is not.
        async with embedded(port), gateway.running(), Viewer(hall).watching() as viewer:
            await gateway.move("g-1", lost=True)
            await gateway.move("g-1")
            wanted = list(gateway.records["g-1"].moves)
            await until(lambda: viewer.states.get("g-1", {}).get("moves") == wanted, "what was missed")
            await until(lambda: "1" in viewer.rounds, "the round")
            assert [json.loads(body)["seq"] for _, place, body in viewer.heard if place.endswith("event")] == [3, 4]
    finally:
        await context.__aexit__(None, None, None)


class Away:
    """An archive whose database is gone while `away`."""

    def __init__(self) -> None:
        self.away = False
        self.taken: list[int] = []

    def known(self, meeting: str | None = None) -> dict[str, tuple[int, int]]:
        self._there()
        return {"g-1": (1, len(set(self.taken)))}

    def take(self, meeting: str, envelopes: list[Envelope]) -> None:
        self._there()
        self.taken += [envelope.seq or 0 for envelope in envelopes]

    def _there(self) -> None:
        if self.away:
            raise ArchiveError("archive_lost", url="x", reason="gone")


def event(seq: int, epoch: int = 1, **body: Any) -> Envelope:
    return Envelope("damas.event/1", TS, "t-1", "g-1", epoch, seq, {"event": "clock", "at": float(seq), **body})


async def test_an_archive_that_is_gone_catches_up_with_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.hub.recorder.AGAIN_SECONDS", 0.02)
    archive, asked = Away(), list[tuple[str, Since | None]]()
    archive.taken = [1, 2]
    recorder = Recorder(archive, MEETING, lambda game, since: asked.append((game, since)), most=50)  # type: ignore[arg-type]
    async with recorder:
        archive.away = True
        for seq in range(3, 203):
            recorder.take("g-1", [event(seq)])
            assert recorder.waiting <= 50
        await until(lambda: recorder.trouble, "the trouble")
        assert recorder.behind == ("g-1",)
        archive.away = False
        await until(lambda: asked, "the request")
        assert asked == [("g-1", Since(1, 2))]
        for start in range(3, 204, 40):
            recorder.take("g-1", [event(seq) for seq in range(start, min(start + 40, 204))])
            await asyncio.wait_for(recorder.drained(), 10)
        assert sorted(set(archive.taken)) == list(range(1, 204))
        assert recorder.trouble is None


async def test_a_second_hub_on_the_same_store_is_refused(tmp_path: Path) -> None:
    with PublicStore(tmp_path / "p.sqlite"), pytest.raises(HubError, match="in use by another hub"):
        PublicStore(tmp_path / "p.sqlite")


def test_another_programs_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "p.sqlite").write_text("this is no database, whatever it may be" * 40)
    with pytest.raises(HubError, match="cannot be used"):
        PublicStore(tmp_path / "p.sqlite")


@contextmanager
def stored(path: Path) -> Iterator[PublicStore]:
    with PublicStore(path) as store:
        yield store


def test_what_is_stored_is_there_again_with_what_the_broker_has_not_got(tmp_path: Path) -> None:
    events = [{"ts": TS, "event": "game_started", "at": 0.0, "game": "g-1", "regulation": REGULATION, "fen": "x"}]
    with stored(tmp_path / "p.sqlite") as store:
        epoch = store.epoch
        store.add([News(PUBLIC, "g-1", epoch, 1, Place(3, 7), events), News("tv", "g-1", epoch, 1, None, events)])
    with stored(tmp_path / "p.sqlite") as store:
        assert store.epoch == epoch
        found = {one.copy: one for one in store.copies()}
        assert (found[PUBLIC].place, found[PUBLIC].seq, list(found[PUBLIC].events)) == (Place(3, 7), 1, events)
        (unsent,) = store.unsent(0)  # a consumer's copy is not for the broker
        store.mark_sent([unsent.number])
        assert store.unsent(0) == []


def test_a_store_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with stored(tmp_path / "p.sqlite") as store:
        store._db.execute("PRAGMA query_only=ON")
        with pytest.raises(HubError, match="cannot be used"):
            store.put_round("1", {})
        store._db.execute("PRAGMA query_only=OFF")
        store.put_round("1", {"a": 1})
        assert store.rounds() == {"1": ({"a": 1}, None)}


# the publisher, without a broker


def started(seq: int = 1, **keys: Any) -> Told:
    body = {"event": "game_started", "at": 0.0, "game": "g-1", "regulation": REGULATION, "fen": "start", **keys}
    return Told(Envelope("damas.event/1", TS, "t-1", "g-1", 1, seq, body), 0.0)


def test_a_game_of_a_round_that_is_not_known_waits_for_it() -> None:
    publisher = Publisher(MEETING, 1)
    publisher.events("g-1", [started(round="1", table="1")], 0.0, whole=True)
    assert not publisher.due(100.0)
    publisher.round("1", round_of(["g-1"], delay=500), 100.0)
    assert not publisher.due(499.0).news
    assert [new.game for new in publisher.due(501.0).news] == ["g-1"]


def test_a_game_of_no_round_has_the_terms_of_the_hub() -> None:
    publisher = Publisher(MEETING, 1, default=Terms(30.0))
    publisher.events("g-1", [started()], 0.0, whole=True)
    assert not publisher.due(29.0)
    assert publisher.due(30.0).news


def test_a_round_that_says_no_delay_has_that_of_the_hub() -> None:
    publisher = Publisher(MEETING, 1, default=Terms(900.0))
    publisher.round("1", round_of(["g-1", "g-2"], boards={"2": {"delay": 5}}), 0.0)
    publisher.events("g-1", [started()], 0.0, whole=True)
    due = publisher.due(899.0)
    assert not due.news
    assert due.rounds["1"]["publication"] == {"delay": 900.0}
    assert publisher.terms(PUBLIC, "g-2") == Terms(5.0)
    assert publisher.due(900.0).news
    publisher.round("1", round_of(["g-1", "g-2"], delay=0), 901.0)
    assert publisher.due(901.0).rounds["1"]["publication"] == {"delay": 0.0}


@pytest.mark.parametrize(
    ("publication", "consumer", "public"),
    [
        ({"delay": 60}, 0, Terms(60.0)),
        ({"delay": 60}, 300, Terms(300.0)),
        ({"delay": 60, "boards": {"1": {"delay": 500}}}, 300, Terms(500.0)),
        ({}, 300, Terms(900.0)),
        ({"delay": 60, "boards": {"1": {"hold": True}}}, 0, Terms(60.0, hold=True)),
        ({"delay": 60, "hold": True}, 300, Terms(300.0, hold=True)),
    ],
)
def test_a_consumer_has_nothing_before_the_public_has_it(
    publication: dict[str, Any], consumer: float, public: Terms
) -> None:
    publisher = Publisher(MEETING, 1, default=Terms(900.0))
    publisher.round("1", round_of(["g-1"], **publication, consumers={"tv": {"delay": consumer}}), 0.0)
    assert publisher.terms("tv", "g-1") == public


def test_what_came_late_is_as_old_as_its_answer_says() -> None:
    publisher = Publisher(MEETING, 1, default=Terms(30.0))
    told = started()
    publisher.events("g-1", [Told(told.envelope, 20.0)], 100.0, whole=True)
    assert not publisher.due(109.0)
    assert publisher.due(110.0).news


def test_a_round_that_cannot_be_read_leaves_the_former_terms_in_force() -> None:
    publisher = Publisher(MEETING, 1)
    assert publisher.round("1", round_of(["g-1"], delay=500), 0.0)
    assert not publisher.round("1", {"pairings": "none", "publication": {"delay": 0}}, 1.0)
    publisher.events("g-1", [started()], 1.0, whole=True)
    assert not publisher.due(400.0).news
    assert list(publisher.refused) == ["1"]
    assert publisher.due(501.0).news


def test_a_result_that_was_entered_is_public_after_the_delay_and_stays_after_a_new_start() -> None:
    body = round_of(["g-1"], delay=60)
    body["pairings"][0]["result"] = "1-0"
    publisher = Publisher(MEETING, 1)
    publisher.round("1", body, 0.0)
    first = publisher.due(1.0).rounds["1"]
    assert "result" not in first["pairings"][0]
    assert first["state"] == "planned"
    later = publisher.due(60.0).rounds["1"]
    assert (later["pairings"][0]["result"], later["state"]) == ("1-0", "over")
    again = Publisher(MEETING, 1, (), {"1": (body, later)}, now=70.0)
    assert not again.due(71.0)
    assert again.shown["1"] == later


def entered(*results: str | None, games: Sequence[str] = ("g-1", "g-2"), **publication: Any) -> dict[str, Any]:
    body = round_of(list(games), **{"delay": 60, **publication})
    for pairing, result in zip(body["pairings"], results, strict=True):
        pairing["result"] = result
    return body


def results(publisher: Publisher) -> dict[str, str | None]:
    return {one["game"]: one.get("result") for one in publisher.shown["1"]["pairings"]}


def test_a_result_that_was_entered_is_the_games_and_not_the_tables() -> None:
    publisher = Publisher(MEETING, 1)
    publisher.round("1", entered("1-0", None), 0.0)
    publisher.due(60.0)
    assert results(publisher) == {"g-1": "1-0", "g-2": None}
    publisher.round("1", entered("1-0", "1-0", games=("g-2", "g-1")), 61.0)  # the pairings change tables
    publisher.due(61.0)
    assert results(publisher) == {"g-1": "1-0", "g-2": None}
    publisher.due(121.0)
    assert results(publisher) == {"g-1": "1-0", "g-2": "1-0"}


@pytest.mark.parametrize("now", ["0-1", None])
def test_a_result_that_is_corrected_stays_public_until_the_correction_is_due(now: str | None) -> None:
    publisher = Publisher(MEETING, 1)
    publisher.round("1", entered("1-0", None), 0.0)
    publisher.due(60.0)
    publisher.round("1", entered(now, None), 100.0)
    publisher.due(159.0)
    assert results(publisher)["g-1"] == "1-0"
    again = Publisher(MEETING, 1, (), {"1": (entered(now, None), publisher.shown["1"])}, now=150.0)
    for one, due in ((publisher, 160.0), (again, 210.0)):
        one.due(due - 1.0)
        assert results(one)["g-1"] == "1-0"
        one.due(due)
        assert results(one)["g-1"] == now


@pytest.mark.parametrize("who", ["organiser", "arbiter"])
def test_a_result_that_was_entered_is_held_with_its_table(who: str) -> None:
    hold = {"boards": {"1": {"hold": True}}} if who == "organiser" else {}
    publisher = Publisher(MEETING, 1)
    publisher.round("1", entered("1-0", "0-1", **hold), 0.0)
    if who == "arbiter":
        held = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 2, {"event": "publication", "at": 1.0, "held": True})
        publisher.events("g-1", [started(), Told(held, 0.0)], 0.0, whole=True)
    publisher.due(100.0)
    assert results(publisher) == {"g-1": None, "g-2": "0-1"}
    if who == "arbiter":
        free = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 3, {"event": "publication", "at": 2.0, "held": False})
        publisher.events("g-1", [Told(free, 0.0)], 101.0, whole=True)
    else:
        publisher.round("1", entered("1-0", "0-1"), 101.0)
    publisher.due(101.0)
    assert results(publisher) == {"g-1": "1-0", "g-2": "0-1"}


def test_a_game_that_is_taken_up_again_has_no_result_any_more() -> None:
    end = {"event": "game_over", "at": 2.0, "winner": "draw", "result": "1-1", "reason": "agreed", "ply": 0}
    publisher = Publisher(MEETING, 1)
    publisher.round("1", entered(None, None, delay=0), 0.0)
    over = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 2, {**end, "article": None, "revision": 0})
    publisher.events("g-1", [started(), Told(over, 0.0)], 0.0, whole=True)
    publisher.due(0.0)
    assert results(publisher)["g-1"] == "draw"
    back = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 3, {"event": "game_reopened", "at": 3.0, "revision": 0})
    publisher.events("g-1", [Told(back, 0.0)], 1.0, whole=True)
    publisher.due(1.0)
    assert results(publisher)["g-1"] is None


def two(**black: Any) -> dict[str, Any]:
    """A round of one game whose Black the organiser says these things of."""
    body = round_of(["g-1"], delay=0)
    body["pairings"][0] |= {"white": {"name": "Ana Lima"}, "black": {"name": "Pedro Costa", "id": "7", **black}}
    return body


def test_who_is_under_age_by_the_games_word_is_named_nowhere_also_after_a_new_start() -> None:
    word = {"white": {"name": "Ana Lima", "public": "A. L."}, "black": {"name": "Pedro Costa", "minor": True}}
    publisher = Publisher(MEETING, 1)
    publisher.round("1", two(), 0.0)
    assert publisher.due(0.0).rounds["1"]["pairings"][0]["black"]["name"] == "Pedro Costa"
    publisher.events("g-1", [started(players=word)], 0.0, whole=False)  # nothing of it may be shown yet
    due = publisher.due(0.0)
    assert (due.news, due.rounds["1"]["pairings"][0]["white"]["name"]) == ((), "A. L.")
    assert due.rounds["1"]["pairings"][0]["black"] == {}
    assert due.words == {"g-1": {"white": {"public": "A. L."}, "black": {"minor": True}}}
    publisher.kept[PUBLIC, "g-1"].copy.caught_up()
    publisher.events("g-1", [], 0.0, whole=True)
    (new,) = publisher.due(0.0).news
    stored = [StoredCopy(PUBLIC, "g-1", 1, 1, new.place, tuple(new.events))]
    again = Publisher(MEETING, 1, stored, {"1": (two(), due.rounds["1"])}, due.words)
    again.round("1", two(rating=1900), 1.0)
    later = again.due(1.0)
    assert (later.players, later.rounds["1"]["pairings"]) == ({}, due.rounds["1"]["pairings"])
    for one in (publisher, again):
        assert one.players("g-1") == {"white": {"name": "A. L."}}
        assert one.people() == {"Ana Lima": {"name": "A. L."}, "7": None}


def test_a_result_that_the_arbiter_holds_is_held_after_a_new_start_too(tmp_path: Path) -> None:
    """Also where the gateway is away by then, so that nobody says again that it is held."""

    def said(held: bool, seq: int) -> Told:
        body = {"event": "publication", "at": float(seq), "held": held}
        return Told(Envelope("damas.event/1", TS, "t-1", "g-1", 1, seq, body), 0.0)

    body = entered("1-0", "0-1")
    with stored(tmp_path / "p.sqlite") as store:
        publisher = Publisher(MEETING, 1)
        publisher.round("1", body, 0.0)
        publisher.events("g-1", [started(), said(True, 2), said(False, 3), said(True, 4)], 0.0, whole=True)
        due = publisher.due(0.0)
        assert due.held == {"g-1": True}
        store.put_held(due.held)
    with stored(tmp_path / "p.sqlite") as store:
        again = Publisher(MEETING, 1, (), {"1": (body, None)}, None, store.held(), now=10.0)
        again.due(100.0)
        assert results(again) == {"g-1": None, "g-2": "0-1"}
        again.events("g-1", [started(), said(True, 2), said(False, 3)], 101.0, whole=False)  # half of what there is
        again.due(101.0)
        assert results(again)["g-1"] is None
        again.events("g-1", [said(True, 4), said(False, 5)], 102.0, whole=True)
        due = again.due(102.0)
        assert due.held == {"g-1": False}
        assert results(again)["g-1"] == "1-0"
        store.put_held(due.held)
        assert store.held() == set()


@pytest.mark.parametrize("word", ["organiser", "game"])
def test_who_is_under_age_in_one_round_is_so_in_every_round(word: str) -> None:
    """One file of pairings says it, the next one, a CSV, does not."""
    second = {**two(), "round": "2"}
    second["pairings"][0] |= {"game": "g-2"}
    publisher = Publisher(MEETING, 1)
    publisher.round("2", second, 0.0)
    other = replace(started().envelope, game="g-2", body={**started().envelope.body, "game": "g-2"})
    publisher.events("g-2", [Told(other, 0.0)], 0.0, whole=True)
    first = publisher.due(0.0)
    assert first.rounds["2"]["pairings"][0]["black"] == {"name": "Pedro Costa"}
    publisher.round("1", two(**({"minor": True, "public": "P. C."} if word == "organiser" else {})), 1.0)
    if word == "game":
        publisher.events("g-1", [started(players={"black": {"minor": True}})], 1.0, whole=True)
    due = publisher.due(1.0)
    shown = {"name": "P. C."} if word == "organiser" else {}
    assert due.rounds["2"]["pairings"][0]["black"] == due.rounds["1"]["pairings"][0]["black"] == shown
    assert publisher.players("g-2").get("black", {}) == shown
    assert due.players["g-2"].get("black", {}) == shown
    publisher.round("1", two(), 2.0)  # it was a mistake
    if word == "organiser":
        assert publisher.due(2.0).rounds["2"]["pairings"][0]["black"] == {"name": "Pedro Costa"}


@pytest.mark.parametrize("hold", [False, True])
def test_a_player_who_is_marked_as_a_minor_after_the_start_is_taken_out_of_all_that_is_public(hold: bool) -> None:
    publisher = Publisher(MEETING, 1)
    publisher.round("1", two(), 0.0)
    publisher.events("g-1", [started()], 0.0, whole=True)
    first = publisher.due(0.0)
    assert first.news[0].events[0]["players"]["black"] == {"name": "Pedro Costa"}
    body = two(minor=True)
    body["pairings"][0]["white"] = {"name": "Ana de Lima"}
    body["publication"]["hold"] = hold
    publisher.round("1", body, 1.0)
    due = publisher.due(1.0)
    assert due.players == {"g-1": {"white": {"name": "Ana de Lima"}}}
    pairing = due.rounds["1"]["pairings"][0]
    assert (pairing["white"], pairing["black"]) == ({"name": "Ana de Lima"}, {})
    copy = publisher.kept[PUBLIC, "g-1"].copy
    assert public_state(copy)["players"] == copy.record.players == due.players["g-1"]
    assert not publisher.due(2.0)


def test_a_round_that_is_held_tells_the_public_nothing() -> None:
    publisher = Publisher(MEETING, 1)
    publisher.round("1", round_of(["g-1"], delay=0, hold=True), 0.0)
    publisher.events("g-1", [started()], 0.0, whole=True)
    assert not publisher.due(100.0)
    publisher.round("1", round_of(["g-1"], delay=0), 101.0)
    due = publisher.due(102.0)
    assert list(due.rounds) == ["1"]
    assert due.news


def test_a_consumer_that_comes_in_the_middle_has_the_game_read_again() -> None:
    publisher = Publisher(MEETING, 1)
    publisher.round("1", round_of(["g-1"], delay=0), 0.0)
    publisher.events("g-1", [started()], 0.0, whole=True)
    publisher.due(1.0)
    publisher.round("1", round_of(["g-1"], delay=0, consumers={"tv": {"delay": 5}}), 1.0)
    assert publisher.again == {"g-1"}
    publisher.events("g-1", [started()], 2.0, whole=True)
    assert [new.copy for new in publisher.due(7.0).news] == ["tv"]


def test_a_stream_that_breaks_its_contract_stops_its_own_copy_only() -> None:
    publisher = Publisher(MEETING, 1)
    bad = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 2, {"event": "moves_retracted", "at": 1.0, "from_ply": 9})
    publisher.events("g-1", [started(), Told(bad, 0.0)], 0.0, whole=True)
    assert not publisher.due(1.0)
    assert publisher.kept[PUBLIC, "g-1"].broken


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("move", {"ply": "1"}),
        ("move", {"fen": 7}),
        ("alert_closed", {"id": "a1"}),
        ("game_over", {"winner": "draw", "result": None}),
        ("moves_retracted", {}),
        (7, {}),
    ],
)
def test_an_event_that_is_not_as_it_has_to_be_stops_its_own_game_only(name: Any, keys: dict[str, Any]) -> None:
    publisher = Publisher(MEETING, 1)
    bad = replace(moved(2).envelope, body={**moved(2).envelope.body, "event": name, **keys})
    if name != "move":
        bad = replace(bad, body={"event": name, "at": 1.0, **keys})
    publisher.events("g-1", [started(), Told(bad, 0.0)], 0.0, whole=True)
    other = replace(started().envelope, game="g-2", body={**started().envelope.body, "game": "g-2"})
    publisher.events("g-2", [Told(other, 0.0)], 0.0, whole=True)
    assert [new.game for new in publisher.due(1.0).news] == ["g-2"]
    publisher.events("g-1", [moved(3)], 2.0, whole=True)
    assert publisher.kept[PUBLIC, "g-1"].broken
    assert not publisher.again  # it would be no better


@pytest.mark.parametrize(
    "body",
    [
        {"events": 5},
        {"events": ["x"]},
        {"events": None},
        {"outcome": "done", "id": []},
        {"want": "since", "game": [], "piece": 1, "pieces": 1},
        [],
    ],
)
async def test_a_message_that_is_not_as_it_has_to_be_is_passed_over(
    body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    reader = Reader(lambda: refused(), "hub-1", MEETING, folds=False)
    for place in (topic(Kind.ANSWER, MEETING, "hub-1"), topic(Kind.BOARD_LINK, MEETING, "t-1")):
        payload = json.dumps(body if place.kind == Kind.ANSWER else [body]).encode()
        await reader._take(aiomqtt.Message(str(place), payload, 1, False, 1, None))
    assert caplog.text.count("cannot be used") == 2


def test_what_another_hub_has_published_begins_a_newer_epoch() -> None:
    publisher = Publisher(MEETING, 5)
    publisher.events("g-1", [started()], 0.0, whole=True)
    assert publisher.due(0.0).news[0].epoch == 5
    assert publisher.renew("g-1", 9)
    assert publisher.again == {"g-1"}
    publisher.events("g-1", [started()], 1.0, whole=True)
    (new,) = publisher.due(1.0).news
    assert (new.epoch, new.seq) == (10, 1)
    publisher.again.clear()
    assert not publisher.renew("g-1", 20)  # it is at work beside us
    assert publisher.again == set()
    publisher.events("g-1", [moved(2)], 2.0, whole=True)
    assert not publisher.due(2.0).news
    assert publisher.kept[PUBLIC, "g-1"].epoch == 10


async def test_of_two_hubs_that_publish_one_leaves_the_game_to_the_other(tmp_path: Path) -> None:
    async def other(epoch: int) -> None:
        place = str(topic(Kind.PUBLIC_GAME_STATE, MEETING, "g-1"))
        state = Envelope("damas.state/1", TS, None, "g-1", epoch, 1, {"at": 0.0, "moves": []})
        async with client(address(hall, "hub-1"), identifier="another-hub") as connection:
            await connection.publish(place, encode(state), qos=1, retain=True)

    def epoch() -> int:
        return int(viewer.states.get("g-1", {}).get("epoch", 0))

    async with (
        embedded(0) as hall,
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub") as running,
    ):
        for game in ("g-1", "g-2"):
            await gateway.start(game)
        await until(lambda: {"g-1", "g-2"} <= set(viewer.states), "the games")
        first = epoch()
        await other(first + 100)
        await until(lambda: epoch() == first + 101, "the public stream in a newer epoch")
        await other(first + 200)
        await until(lambda: running.hub.health["games_elsewhere"], "the notice")
        assert running.hub.health["games_elsewhere"] == ["g-1"]
        relay = running.hub.relay
        assert relay is not None
        assert not [place for place in relay._shown if "g-1" in place]  # nor is it after the next connect
        await publish(hall, "olga", "round/1", round_of(["g-1", "g-2"], delay=0))
        await until(lambda: viewer.states["g-2"].get("players"), "the names of the other game")
        await gateway.move("g-1")
        await gateway.move("g-2")
        await until(lambda: len(viewer.states["g-2"]["moves"]) == 1, "the other game")
        assert (epoch(), viewer.states["g-1"]["moves"]) == (first + 200, [])


def moved(seq: int, ply: int = 1, move: str = "c3-d4") -> Told:
    body = {"event": "move", "at": float(seq), "ply": ply, "side": "white", "move": move, "fen": move, "revision": 0}
    return Told(Envelope("damas.event/1", TS, "t-1", "g-1", 1, seq, body), 0.0)


ASSURED = {"g-1"}


@pytest.mark.parametrize(
    "heard",
    [
        Heard(14.0, (), ASSURED),
        Heard(16.0, ("g-1",), ASSURED),
        Heard(16.0, (), ()),
        Heard(16.0, ("g-1",), ()),
        Heard(16.0, (), ASSURED, proved=14.0),
    ],
    ids=["no connection", "a hole", "no word of the gateway", "neither", "nothing but messages, perhaps late ones"],
)
def test_nothing_becomes_public_that_what_was_not_heard_may_correct(heard: Heard) -> None:
    publisher = Publisher(MEETING, 1, default=Terms(10.0))
    publisher.events("g-1", [started()], 0.0, whole=True)
    publisher.events("g-1", [moved(2)], 5.0, whole=True)
    assert [e["event"] for new in publisher.due(14.0, Heard(14.0, (), ASSURED)).news for e in new.events] == [
        "game_started"
    ]
    assert not publisher.due(16.0, heard)
    assert publisher.doubted == ({"g-1"} if not heard.assured else set())
    taken_back = {"event": "moves_retracted", "at": 13.0, "from_ply": 1, "reason": "x", "revision": 1, "fen": "start"}
    envelope = Envelope("damas.event/1", TS, "t-1", "g-1", 1, 3, taken_back)
    publisher.events("g-1", [Told(envelope, 4.0)], 17.0, whole=True)
    assert not publisher.due(17.0, Heard(17.0, (), ASSURED))
    assert not publisher.due(60.0, Heard(60.0, (), ASSURED))
    assert publisher.kept[PUBLIC, "g-1"].copy.record.moves == ()


def test_what_is_not_to_be_late_waits_for_no_proof() -> None:
    publisher = Publisher(MEETING, 1, default=Terms(0.0))
    publisher.events("g-1", [started(), moved(2)], 5.0, whole=True)
    (new,) = publisher.due(5.0, Heard(5.0, (), ASSURED, proved=4.5)).news
    assert [event["event"] for event in new.events] == ["game_started", "move"]


async def test_a_message_alone_does_not_prove_that_nothing_is_on_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = asyncio.Event()
    ask = aiomqtt.Client.unsubscribe

    async def slowly(client: aiomqtt.Client, *topics: Any, **how: Any) -> None:
        await answers.wait()
        await ask(client, *topics, **how)

    async with embedded(0) as hall, Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub") as running:
        reader = running.hub.reader
        monkeypatch.setattr(aiomqtt.Client, "unsubscribe", slowly)
        at = asyncio.get_running_loop().time()
        await gateway.start("g-1")
        await until(lambda: reader.heard > at, "the game")
        assert reader.proved <= at
        answers.set()
        await until(lambda: reader.proved > at, "the broker's answer")


def test_a_game_that_is_over_does_not_wait_for_a_gateway_that_was_switched_off() -> None:
    publisher = Publisher(MEETING, 1, default=Terms(10.0))
    end = {"event": "game_over", "at": 2.0, "winner": "draw", "result": "1-1", "reason": "agreed", "ply": 0}
    over = Told(Envelope("damas.event/1", TS, "t-1", "g-1", 1, 2, {**end, "article": None, "revision": 0}), 0.0)
    publisher.events("g-1", [started(), over], 0.0, whole=True)
    (new,) = publisher.due(10.0, Heard(10.0)).news
    assert [event["event"] for event in new.events] == ["game_started", "game_over"]
    assert publisher.doubted == set()


def test_a_result_that_was_entered_waits_for_the_hall_too() -> None:
    body = round_of(["g-1"], delay=60)
    body["pairings"][0]["result"] = "1-0"
    publisher = Publisher(MEETING, 1)
    publisher.round("1", body, 0.0)
    assert "result" not in publisher.due(70.0, Heard(59.0)).rounds["1"]["pairings"][0]
    assert publisher.due(70.0, Heard(60.0)).rounds["1"]["pairings"][0]["result"] == "1-0"


@pytest.mark.parametrize("away", ["hub", "gateway", "hole"])
async def test_a_move_that_is_taken_back_unheard_is_never_public(tmp_path: Path, away: str) -> None:
    delay = 0.7
    async with embedded(0) as hall, Gateway(hall).running() as gateway, Viewer(hall).watching() as viewer:
        await gateway.state("online", retain=True)
        async with hub(hall, tmp_path / "hub", default=Terms(delay)) as running:
            reader = running.hub.reader
            connect = reader._connect
            await gateway.start("g-1")
            await gateway.move("g-1")
            await until(lambda: len(viewer.states.get("g-1", {}).get("moves", ())) == 1, "the first move")
            await gateway.move("g-1")
            wrong = gateway.records["g-1"].moves[1]
            publisher = running.hub.publisher
            assert publisher is not None
            await until(lambda: publisher.kept[PUBLIC, "g-1"].copy.waiting, "the move that will be taken back")
            taken = len(gateway.streams["g-1"])
            if away == "hub":
                reader._connect = refused
                assert reader._client is not None
                reader._client._client.disconnect()
                await until(lambda: not reader.connected.is_set(), "the loss")
            elif away == "gateway":
                gateway.deaf = True
                await gateway.state("offline", retain=True)
                await until(lambda: not reader.assured, "the gateway's goodbye")
            else:
                gateway.deaf = True
                await gateway.tell("g-1", "claim", rule="x", lost=True)
                await gateway.tell("g-1", "claim", rule="x")
                await until(lambda: reader.missing, "the hole")
            await gateway.retract("g-1", 2) if away == "hub" else await unheard(gateway)
            gateway.deaf = True
            await looked_through(publisher, asyncio.get_running_loop().time() + delay)
            gateway.deaf, reader._connect = False, connect
            if away == "gateway":
                await gateway.state("online", retain=True)
            for envelope in gateway.streams["g-1"][taken:]:
                await gateway.publish(envelope)
            await gateway.move("g-1")
            wanted = list(gateway.records["g-1"].moves)
            await until(lambda: viewer.states["g-1"]["moves"] == wanted, "the game as it is")
    assert wrong not in wanted
    assert all(wrong not in json.loads(body).get("moves", ()) for _, _, body in viewer.heard)


async def looked_through(publisher: Publisher, until_time: float) -> None:
    """Wait until the publisher has been asked three times, at that time and later, what is due."""
    asked: list[float] = []
    due = publisher.due

    def noted(now: float, heard: Heard | None = None) -> Any:
        found = due(now, heard)
        asked.append(now)
        return found

    publisher.due = noted  # type: ignore[method-assign]
    await until(lambda: len([now for now in asked if now > until_time]) >= 3, "what is due at that time")
    publisher.due = due  # type: ignore[method-assign]


async def unheard(gateway: Gateway) -> None:
    """The last move is taken back, and nobody is told."""
    record = gateway.records["g-1"]
    gateway.positions["g-1"] = gateway._before("g-1", 2)
    fen = write_fen(gateway.positions["g-1"])
    told = {"from_ply": 2, "reason": "rewind", "revision": record.revision + 1, "fen": fen}
    await gateway.tell("g-1", "moves_retracted", lost=True, **told)


def refused() -> Any:
    raise aiomqtt.MqttError("away")


async def test_an_answers_age_is_that_of_its_own_event_only() -> None:
    told: list[tuple[int | None, float]] = []

    class Listener:
        def resume(self, game: str) -> None:
            return None

        def events(self, game: str, came: Sequence[Told], *, whole: bool) -> None:
            told.extend((one.envelope.seq, one.age) for one in came)

        def round(self, round_: str, payload: Mapping[str, Any]) -> None:
            raise AssertionError

    reader = Reader(lambda: refused(), "hub-1", MEETING, listener=Listener(), folds=False)
    live = topic(Kind.GAME_EVENT, MEETING, "g-1")
    await reader._understand(live, encode(event(2)))
    body = {"id": "x", "want": "since", "outcome": "done", "events": [object_of(event(1))]}
    answer = Envelope("damas.answer/1", "2026-01-31T18:01:40Z", None, "g-1", 1, None, {**body, "piece": 1, "pieces": 1})
    await reader._understand(topic(Kind.ANSWER, MEETING, "hub-1"), encode(answer))
    assert told == [(1, 100.0), (2, 0.0)]
    assert reader.assured == {"g-1"}


async def test_a_name_that_may_be_read_no_more_is_nowhere_any_more(tmp_path: Path) -> None:
    body = round_of(["g-1", "g-2"], delay=0, consumers={"tv": {"delay": 0}})
    body["pairings"][0]["black"] = {"name": "Rui Costa"}
    async with embedded(0) as hall, Gateway(hall).running() as gateway:
        await publish(hall, "olga", "round/1", body)
        async with hub(hall, tmp_path / "hub", files=tmp_path / "files") as running, Viewer(hall).watching() as viewer:
            for game in ("g-1", "g-2"):
                await gateway.start(game, players={"black": {"name": "Rui Costa"}} if game == "g-1" else None)
                await gateway.move(game)
                await gateway.over(game)
            await until(lambda: all("over" in viewer.states.get(game, {}) for game in ("g-1", "g-2")), "the ends")
            await until(lambda: "1" in viewer.rounds, "the round")
            await until(lambda: all(one.get("result") for one in viewer.rounds["1"]["pairings"]), "the results")
            assert viewer.states["g-1"]["players"]["black"] == {"name": "Rui Costa"}
            assert "Rui Costa" in (tmp_path / "files" / "feed" / "1.pdn").read_text()
            body["pairings"][0]["black"] |= {"minor": True}
            body["pairings"] = body["pairings"][:1]
            del body["publication"]["consumers"]
            await publish(hall, "olga", "round/1", body)
            await until(lambda: "black" not in viewer.states["g-1"]["players"], "the state")
            await until(lambda: len(viewer.rounds["1"]["pairings"]) == 1, "the round")
            pages = running.hub.pages.pages

            def shown() -> list[str]:
                return [path for path, page in pages.items() if "Rui Costa" in page.body.decode()]

            await until(lambda: not shown(), "the pages")
            assert len(pages) > 15
            assert "/feed/tv/1.pdn" in pages
            files = [path for path in (tmp_path / "files").rglob("*.*") if path.suffix != ".part"]
            assert len(files) > 5
            await until(lambda: not [path for path in files if "Rui Costa" in path.read_text()], "the files")
        async with hub(hall, tmp_path / "hub") as running, Viewer(hall).watching() as viewer:
            await until(lambda: len(viewer.states) == 2 and viewer.rounds, "what is retained")
            assert not [page for page in running.hub.pages.pages.values() if "Rui Costa" in page.body.decode()]
            assert not [place for _, place, payload in viewer.heard if "Rui Costa" in payload.decode()]
        with sqlite3.connect(tmp_path / "hub" / "publication.sqlite") as db:
            for table, column in (("events", "body"), ("feeds", "text"), ("rounds", "shown"), ("words", "players")):
                assert not [text for (text,) in db.execute(f"SELECT {column} FROM {table}") if "Rui Costa" in text]


@pytest.mark.parametrize("part", ["reader", "recorder", "relay"])
async def test_a_part_of_the_hub_that_breaks_ends_the_hub_and_is_told(
    tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> Any:
        raise MemoryError(f"no room in the {part}")

    async with embedded(0) as hall, Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub") as running:
        places = {"reader": (Reader, "_understand"), "recorder": (Archive, "take"), "relay": (PublicStore, "mark_sent")}
        monkeypatch.setattr(*places[part], broken)
        await gateway.start("g-1")
        with pytest.raises(MemoryError, match=part):
            await asyncio.wait_for(running.hub.wait(), 20)
        assert f"MemoryError: no room in the {part}" in caplog.text


async def test_what_is_public_goes_out_when_the_disk_can_be_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked, refusals = PublicStore.mark_sent, list[str]()

    def once(store: PublicStore, numbers: Any) -> None:
        if not refusals:
            refusals.append("once")
            raise HubError("public_store", path="p.sqlite", reason="disk I/O error")
        marked(store, numbers)

    monkeypatch.setattr(PublicStore, "mark_sent", once)
    async with (
        embedded(0) as hall,
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub"),
    ):
        await gateway.start("g-1")
        await until(lambda: refusals, "the disk's refusal")
        await gateway.move("g-1")
        await until(lambda: len(viewer.states.get("g-1", {}).get("moves", ())) == 1, "the move")
        await until(lambda: viewer.records["g-1"].moves == gateway.records["g-1"].moves, "its event")


async def test_the_archive_is_whole_when_the_hub_has_ended(tmp_path: Path) -> None:
    async with embedded(0) as hall, Gateway(hall).running() as gateway:
        async with hub(hall, tmp_path / "hub") as running:
            await gateway.start("g-1")
            for _ in range(20):
                await gateway.move("g-1")
            await until(lambda: running.hub.reader._followers["g-1"].seq == 21, "the moves")
        with Archive.open(f"sqlite:///{tmp_path / 'hub' / 'archive.sqlite'}") as archive:
            assert archive.known(MEETING) == {"g-1": (1, 21)}
        assert sqlite3.connect(tmp_path / "hub" / "publication.sqlite").execute("SELECT 1").fetchone() == (1,)


def test_a_store_in_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(HubError, match=r"p.sqlite: cannot be used \(No such file or directory\)"):
        PublicStore(tmp_path / "none" / "p.sqlite")
