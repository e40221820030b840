"""One board in somebody else's page or picture: embedded, as an overlay with a delay of its own, behind a QR code."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browser.conftest import NewPage, Violations
from browser.told import Told, pairing, telling

from damas_board.hub.qr import drawn

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NOTHING = "rgba(0, 0, 0, 0)"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest_asyncio.fixture(loop_scope="session")
async def told() -> AsyncIterator[Told]:
    async with telling() as server:
        server.begin("g-1", moves=("c3-d4", "b6-a5"), table="1")
        server.clock("g-1", 250, 200)
        server.round("1", {"round": "1", "state": "started", "pairings": [pairing(1, "Ana Lima", "Rui Costa")]})
        yield server


async def test_a_board_stands_in_another_page(told: Told, new_page: NewPage, violations: Violations) -> None:
    tab = await new_page()
    await tab.goto(f"{told.url}/embed/t/1?turn=black&transparent=1&theme=dark")
    await tab.get_by_text("Ana Lima").first.wait_for(state="attached")
    assert await tab.locator(".player .name").all_inner_texts() == ["Ana Lima", "Rui Costa"], "Black is below"
    assert await tab.evaluate(BACKGROUND) == NOTHING
    assert await tab.locator("html").get_attribute("data-theme") == "dark"
    assert await tab.get_by_role("link", name="Whole game").get_attribute("href") == "/t/1"
    told.play("g-1", ("d4-e5",))
    await tab.get_by_text("d4-e5").wait_for()
    assert await tab.locator("draughts-board").get_attribute("last-move") == "d4 e5"
    await tab.goto(f"{told.url}/embed/t/1")
    await tab.get_by_text("d4-e5").wait_for()
    assert await violations(tab) == []


async def test_a_small_frame_has_the_names_whole_and_says_once_that_there_is_no_game(
    told: Told, new_page: NewPage
) -> None:
    tab = await new_page()
    await tab.set_viewport_size({"width": 300, "height": 220})
    await tab.goto(f"{told.url}/embed/t/1")
    await tab.get_by_text("Ana Lima").first.wait_for()
    for place in (".player .who", ".line a", "draughts-board"):
        for one in await tab.locator(place).all():
            box = await one.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= 300 - box["width"], place
            assert place != "draughts-board" or box["width"] > 170
            assert 0 <= box["y"] <= 220 - box["height"], place
            assert await one.evaluate("one => one.scrollWidth <= one.offsetWidth + 1"), place
    await tab.goto(f"{told.url}/embed/t/77")
    await tab.get_by_text("No game at table 77 yet").wait_for()
    text = await tab.locator("main").inner_text()
    assert (text.count("table 77"), "no such game" in text) == (1, False)


async def test_an_overlay_shows_what_was_told_so_many_seconds_ago_and_stands_on_nothing(
    told: Told, new_page: NewPage
) -> None:
    told.play("g-1", ("d4-e5",))
    tab = await new_page()
    await tab.clock.install()
    await tab.goto(f"{told.url}/overlay/g/g-1?delay=30&times=2")
    board = tab.locator("draughts-board")
    await board.wait_for()
    assert await tab.evaluate(BACKGROUND) == NOTHING
    assert await tab.locator(".player .name").all_inner_texts() == ["Rui Costa", "Ana Lima"]
    assert await board.get_attribute("last-move") is None, "all that was played is younger than the delay"
    await tab.clock.run_for(20_000)
    told.play("g-1", ("d6xf4",))
    assert await board.get_attribute("last-move") is None
    await tab.clock.run_for(11_000)
    assert await board.get_attribute("last-move") == "d4 e5"
    times = tab.locator(".times li")
    assert [text.split()[1] for text in await times.all_inner_texts()] == ["b6-a5", "d4-e5"]
    assert all(text.count(":") == 2 for text in await times.all_inner_texts())
    await tab.clock.run_for(31_000)
    assert await board.get_attribute("last-move") == "d6 f4"


async def test_an_overlay_of_a_table_holds_back_the_next_game_too_and_shows_the_end_of_the_former(
    told: Told, new_page: NewPage
) -> None:
    told.begin("free-1", moves=1, table="9", players={"white": {"name": "Old"}})
    tab = await new_page()
    await tab.clock.install()
    await tab.goto(f"{told.url}/overlay/t/9?delay=30")
    white = tab.locator(".player .name").last
    await white.get_by_text("Old").wait_for()
    await tab.clock.run_for(31_000)
    prompt = await tab.context.new_page()
    await prompt.goto(f"{told.url}/overlay/t/9")
    end = {"event": "game_over", "at": 1.0, "winner": "white", "result": "2-0", "reason": "resigned"}
    told.say("free-1", over=end)
    await prompt.locator("#result").wait_for()
    await tab.clock.run_for(5000)
    told.begin("free-2", table="9", players={"white": {"name": "Next"}})
    await prompt.get_by_text("Next", exact=True).wait_for()
    seen = [("Old", False)]
    while seen[-1][0] != "Next":
        await tab.clock.run_for(1000)
        seen.append((await white.inner_text(), await tab.locator("#result").is_visible()))
        assert len(seen) < 60
    assert list(dict.fromkeys(seen)) == [("Old", False), ("Old", True), ("Next", False)]
    assert seen.count(("Old", False)) > 20


async def test_an_overlay_of_names_alone_in_another_theme(told: Told, new_page: NewPage) -> None:
    tab = await new_page()
    await tab.goto(f"{told.url}/overlay/t/1?board=0&clocks=0&theme=light")
    await tab.get_by_text("Ana Lima").last.wait_for()
    assert not await tab.locator("draughts-board").is_visible()
    assert not await tab.locator(".clock").first.is_visible()
    ink = await tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--overlay-ink')")
    assert ink.strip() == "#17181a"


async def test_there_is_a_sheet_of_codes_for_all_tables(told: Told, new_page: NewPage, violations: Violations) -> None:
    tab = await new_page()
    await tab.goto(f"{told.url}/qr")
    code = tab.get_by_role("img", name="QR code of table 1")
    await code.wait_for()
    assert await code.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    await tab.get_by_text("These codes open this computer only").wait_for()
    assert await violations(tab) == []
    await tab.goto(f"{told.url}/qr?tables=7-9,A%20b")
    await tab.get_by_role("heading", name="Table A b").wait_for()
    assert await tab.locator(".codes li").count() == 4


async def test_a_code_opens_the_table_at_the_address_under_which_it_was_asked(told: Told) -> None:
    def ask(path: str, **headers: str) -> bytes:
        asked = urllib.request.Request(f"{told.url}{path}", headers=headers)
        with urllib.request.urlopen(asked, timeout=10) as answer:
            assert answer.headers["content-type"] == "image/svg+xml"
            return bytes(answer.read())

    here = await asyncio.to_thread(ask, "/qr/1.svg")
    hall = await asyncio.to_thread(lambda: ask("/qr/1.svg", Host="damas.example", **{"X-Forwarded-Proto": "https"}))
    assert here == drawn(f"{told.url}/t/1")
    assert hall == drawn("https://damas.example/t/1")
    assert await asyncio.to_thread(ask, "/qr/A%2F1.svg") == drawn(f"{told.url}/t/A%2F1")
