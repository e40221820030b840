"""What may be gone for a while: the broker, the database, the disk; and a hub that has published already."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall, free_port
from hub.halls import LOGINS, MEETING, REGULATION, Gateway, Viewer, hub, publish, round_of, until

from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.errors import HubError
from damas_board.hub.public_store import PUBLIC, News, PublicStore
from damas_board.hub.publisher import Publisher
from damas_board.hub.reader import Told
from damas_board.hub.recorder import Recorder
from damas_board.messages.envelope import Envelope
from damas_board.messages.publication import Place, Terms
from damas_board.messages.stream import Since

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


def test_what_another_hub_has_published_begins_a_newer_epoch() -> None:
    publisher = Publisher(MEETING, 5)
    publisher.events("g-1", [started()], 0.0, whole=True)
    assert publisher.due(0.0).news[0].epoch == 5
    publisher.renew("g-1", 9)
    assert publisher.again == {"g-1"}
    publisher.events("g-1", [started()], 1.0, whole=True)
    (new,) = publisher.due(1.0).news
    assert (new.epoch, new.seq) == (10, 1)


async def test_the_archive_is_whole_when_the_hub_has_ended(tmp_path: Path) -> None:
    async with embedded(0) as hall, Gateway(hall).running() as gateway:
        async with hub(hall, tmp_path / "hub"):
            await gateway.start("g-1")
            for _ in range(20):
                await gateway.move("g-1")
            await asyncio.sleep(0.3)
        with Archive.open(f"sqlite:///{tmp_path / 'hub' / 'archive.sqlite'}") as archive:
            assert archive.known(MEETING) == {"g-1": (1, 21)}
        assert sqlite3.connect(tmp_path / "hub" / "publication.sqlite").execute("SELECT 1").fetchone() == (1,)
