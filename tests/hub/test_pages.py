"""The pages as they are made: what they leave out is said, and none is served before what it promises is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall
from hub.halls import LOGINS, MEETING, Gateway, hub, publish, round_of, until

from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub import hub as hub_module
from damas_board.hub.errors import HubError
from damas_board.hub.feed_watch import FeedWatch
from damas_board.hub.pages import Pages, View
from damas_board.hub.public_store import PublicStore
from damas_board.hub.publisher import Publisher
from damas_board.messages.feed import MOST_GAMES


def view_of(publisher: Publisher) -> View:
    publisher.due(0.0)
    players = {pairing.game: publisher.players(pairing.game) for pairing in publisher.rounds["1"].pairings}
    return View(dict(publisher.rounds), dict(publisher.shown), {}, {}, players, publisher.people())


def test_a_game_that_the_feed_has_no_room_for_is_named(caplog: pytest.LogCaptureFixture) -> None:
    pairings = [
        {"table": str(number), "game": f"g-{number}", "white": f"W{number}", "black": f"B{number}"}
        for number in range(1, MOST_GAMES + 2)
    ]
    publisher, pages = Publisher(MEETING, 1), Pages(MEETING)
    body = {"round": "1", "regulation": "br-cbjd", "pairings": pairings[:-1]}
    publisher.round("1", body, 0.0)
    pages.update(view_of(publisher))
    pages.serve()
    assert pages.troubles == ()
    watch = FeedWatch()
    for _ in range(2):
        publisher.round("1", {**body, "pairings": pairings}, 0.0)
        pages.update(view_of(publisher))
        pages.serve()
        watch.take(pages.troubles, pages.paces, 0.0, "")
        told = watch.troubles(0.0)
    assert told == [{"code": "feed_too_many", "round": "1", "most": 64, "tables": ["65"]}]
    assert caplog.text.count("has room for 64 games; left out: those at tables 65") == 1
    assert b"W64" in pages.pages["/feed/1.pdn"].body
    assert b"W65" not in pages.pages["/feed/1.pdn"].body
    assert b"W65" in pages.pages["/feed/1/65.pdn"].body
    assert len(json.loads(pages.pages["/feed/1.json"].body)["games"]) == 64


async def test_a_feed_is_served_when_its_places_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "AGAIN_SECONDS", 0.05)
    served: list[tuple[bool, list[str]]] = []
    full = True
    put_feed = PublicStore.put_feed

    def put(store: PublicStore, copy: str, round_: str, games: Mapping[str, tuple[int, str]]) -> None:
        served.append((full, sorted(path for path in running.hub.pages.pages if path.startswith("/feed/"))))
        if full:
            raise HubError("public_store", path="x", reason="no space")
        put_feed(store, copy, round_, games)

    monkeypatch.setattr(PublicStore, "put_feed", put)
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.host, broker.port)
        async with Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub") as running:
            await gateway.start("g-1")
            await publish(hall, "olga", "round/1", round_of(["g-1", "g-2"], delay=0))
            await until(lambda: len(served) > 3, "the attempts")
            full = False
            await until(lambda: "/feed/1.pdn" in running.hub.pages.pages, "the feed")

            def feed() -> Any:
                return json.loads(running.get("/feed/1.json")[2])

            assert len((await asyncio.to_thread(feed))["games"]) == 2
    assert {tuple(paths) for was_full, paths in served if was_full} == {()}
