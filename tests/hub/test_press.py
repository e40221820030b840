"""The pages are made beside what becomes public: moves do not wait for them, results do, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall
from hub.halls import LOGINS, MEETING, Gateway, Viewer, hub, publish, round_of, until

from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub.pages import FeedChange, Page, Pages, View
from damas_board.hub.press import Press
from damas_board.hub.web import WebServer


async def kept(change: FeedChange) -> None:
    raise AssertionError("there is no feed")


def view(name: str) -> View:
    shown = {name: {"round": name, "state": "planned", "pairings": []}}
    return View({}, shown, {}, {}, {}, {})


def rounds(pages: Pages) -> list[str]:
    return [one["round"] for one in json.loads(pages.pages["/api/rounds"].body)]


class Held:
    """Makes the pages no further than a test lets them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.views: list[View] = []
        update = Pages.update

        def held(pages: Pages, view: View) -> tuple[list[str], list[FeedChange]]:
            self.views.append(view)
            assert self.gate.wait(30)
            return update(pages, view)

        monkeypatch.setattr(Pages, "update", held)


async def test_of_what_is_given_meanwhile_only_the_newest_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    held, pages = Held(monkeypatch), Pages(MEETING)
    press = Press(pages, kept)
    press.begin()
    held.gate.clear()
    press.give(view("1"))
    await until(lambda: held.views, "the first")
    for number in range(2, 6):
        press.give(view(str(number)))
    waiting = [asyncio.create_task(press.made()) for _ in range(3)]
    held.gate.set()
    await asyncio.wait_for(asyncio.gather(*waiting), 20)
    assert rounds(pages) == ["5"]
    assert [list(one.shown) for one in held.views] == [["1"], ["5"]]
    await asyncio.wait_for(press.made(), 20)  # nothing is left to wait for
    press.give(view("6"))
    await asyncio.wait_for(press.end(), 20)
    assert rounds(pages) == ["6"]


async def test_it_rests_between_two_unless_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.hub.press.REST", 1e9)
    monkeypatch.setattr("damas_board.hub.press.LONGEST_REST_SECONDS", 600.0)
    held, pages = Held(monkeypatch), Pages(MEETING)
    press = Press(pages, kept)
    press.begin()
    press.give(view("1"))
    await until(lambda: "/api/rounds" in pages.pages, "the first")
    press.give(view("2"))
    await asyncio.sleep(0.1)
    assert len(held.views) == 1
    await asyncio.wait_for(press.made(), 20)
    assert rounds(pages) == ["2"]
    press.give(view("3"))
    await asyncio.wait_for(press.end(), 20)
    assert rounds(pages) == ["3"]


async def test_who_waits_for_pages_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(pages: Pages, view: View) -> None:
        raise MemoryError("no room for pages")

    monkeypatch.setattr(Pages, "update", broken)
    press = Press(Pages(MEETING), kept)
    press.begin()
    press.give(view("1"))
    with pytest.raises(MemoryError, match="pages"):
        await asyncio.wait_for(press.made(), 20)
    with pytest.raises(MemoryError, match="pages"):
        await asyncio.wait_for(press.end(), 20)


async def test_moves_are_public_before_their_pages_and_results_are_behind_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a hub that begins again has its pages before anybody can ask for them."""
    held, games = Held(monkeypatch), ["g-1", "g-2"]
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.host, broker.port)
        await publish(hall, "olga", "round/1", round_of(games, delay=0))
        async with (
            Gateway(hall).running() as gateway,
            Viewer(hall).watching() as viewer,
            hub(hall, tmp_path / "hub") as running,
        ):

            def standings() -> list[int]:
                return [line["wins"] for line in json.loads(running.hub.pages.pages["/standings.json"].body)]

            for game in games:
                await gateway.start(game)
                await gateway.move(game)
            await until(
                lambda: [len(viewer.states.get(game, {}).get("moves", ())) for game in games] == [1, 1], "moves"
            )
            await running.hub._press.made()
            held.gate.clear()
            for number in (2, 3):
                await gateway.move("g-1")
                await until(lambda: len(viewer.states["g-1"]["moves"]) == number, "a move")  # noqa: B023
            await gateway.over("g-2", "white", "2-0")
            publisher = running.hub.publisher
            assert publisher is not None
            await until(lambda: publisher.kept["", "g-2"].copy.record.over, "the end")
            await asyncio.sleep(0.3)
            assert not viewer.states["g-2"].get("over")
            assert not viewer.rounds["1"]["pairings"][1].get("result")
            assert sum(standings()) == 0
            held.gate.set()
            await until(lambda: viewer.states["g-2"].get("over"), "the end on the page")
            assert sum(standings()) == 1
            await until(lambda: viewer.rounds["1"]["pairings"][1].get("result"), "the result")
            wanted = dict(running.hub.pages.pages)
        begun: list[dict[str, Page]] = []
        begin = WebServer.__init__

        def noted(server: WebServer, pages: dict[str, Page], *more: Any) -> None:
            begun.append(dict(pages))
            begin(server, pages, *more)

        monkeypatch.setattr(WebServer, "__init__", noted)
        async with hub(hall, tmp_path / "hub"):
            (first,) = begun
        assert first.keys() == wanted.keys()
        others = [path for path, page in first.items() if page != wanted[path]]
        assert set(others) <= {"/api/games"}  # which says when a game became public, that of the new start
