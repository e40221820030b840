"""The public pages: before, during and after a round, at every size, by keyboard, in both languages, when data stops.

The server is the hub's own without a hall behind it (told.py); test_live_hall.py has the hall.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from browser.conftest import NewPage, Violations
from browser.told import MEETING, Told, pairing, telling

from damas_board.hub.pages import JSON, Page
from damas_board.messages.envelope import rfc3339
from damas_board.messages.topics import Kind, topic

if TYPE_CHECKING:
    from playwright.async_api import Locator, Route
    from playwright.async_api import Page as Tab

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ANA = {"name": "Ana Lima", "title": "MI", "club": "Clube do Porto", "federation": "POR", "rating": "2130"}
HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>&amp;'
OPENING = ("c3-d4", "b6-a5", "d4-e5", "d6xf4", "g3xe5")


@pytest_asyncio.fixture(loop_scope="session")
async def told() -> AsyncIterator[Told]:
    async with telling() as server:
        yield server


def round_of(tables: int, state: str = "started", **more: Any) -> dict[str, Any]:
    pairings = [pairing(n, f"White {n}", f"Black {n}") for n in range(1, tables + 1)]
    return {"round": "1", "state": state, "regulation": "br-cbjd", "clock": "300+5", "pairings": pairings, **more}


def over(winner: str, result: str, reason: str) -> dict[str, Any]:
    return {"event": "game_over", "at": 1.0, "winner": winner, "result": result, "reason": reason}


def standing(place: int, name: str, points: float) -> dict[str, Any]:
    columns = {"federation": None, "rating": None, "games": 1, "draws": 0, "sonneborn_berger": 0.0}
    won = int(points > 0)
    return {"place": place, "player": name, "name": name, "wins": won, "losses": 1 - won, "points": points, **columns}


def tell_standings(told: Told, *rows: dict[str, Any]) -> None:
    body = json.dumps(rows).encode()
    told.pages["/standings/1.json"] = Page(body, JSON, f'"{len(body)}"')


async def seconds(clock: Locator) -> int:
    minutes, rest = (await clock.inner_text()).split(":")
    return 60 * int(minutes) + int(rest)


async def lines(tab: Tab) -> list[str]:
    """The moves as the list has them, without their marks."""
    return [text.strip() for text in await tab.locator(".moves button .move").all_inner_texts()]


def card(tab: Tab, table: int | str) -> Locator:
    return tab.locator(".wall .card").filter(has_text=f"Table {table}").first


async def test_before_the_round_it_says_who_plays_whom_and_when(
    told: Told, new_page: NewPage, violations: Violations
) -> None:
    soon = rfc3339(datetime.now(UTC) + timedelta(minutes=20))
    told.round(
        "1",
        round_of(1, "planned", name="Final", begins=soon)
        | {"pairings": [pairing(1, ANA, {}), pairing(2, "Rui Costa", None)]},
    )
    tell_standings(told, standing(1, "Ana Lima", 2.0))
    tab = await new_page("phone")
    await tab.goto(told.url)
    row = tab.get_by_role("row").filter(has_text="Ana Lima")
    assert (await row.locator(".side-white").inner_text()).split("\n") == [
        "MI Ana Lima",
        "Clube do Porto · POR · 2130",
    ]
    assert await row.locator(".side-black").inner_text() == "Black", "a name that is not public"
    assert await tab.get_by_role("row").filter(has_text="Rui Costa").locator(".side-black").inner_text() == "bye"
    facts = await tab.locator("#facts").inner_text()
    assert "Damas brasileiras, regras oficiais (CBJD) · Brazilian draughts · 5 min + 5 s a move" in facts
    assert "in 20 min" in facts
    assert await tab.get_by_role("heading", level=1).inner_text() == "Final"
    assert await violations(tab) == []
    assert await tab.locator(".standings").count() == 0, "it has none of its own yet"
    own = pairing(2, "Rui", "Eva", regulation="pt-classicas", clock="600")
    told.round("1", round_of(1, "planned") | {"pairings": [pairing(1, ANA, {}), own]})
    differs = tab.get_by_role("row").filter(has_text="Rui").locator(".result .about")
    await differs.last.wait_for()
    assert (await differs.all_inner_texts())[1] == "10 min"
    assert "5 min + 5 s a move" in await tab.get_by_role("row").filter(has_text="Ana Lima").inner_text()
    assert "min" not in await tab.locator("#facts").inner_text(), "what differs is not said of all"
    told.begin("g-1", moves=2)
    told.round("1", round_of(2))
    await card(tab, 1).wait_for()  # the round has begun: the page shows its boards by itself


async def test_the_wall_has_all_boards_in_a_stable_order_and_fills_a_projector_without_scrolling(
    told: Told, new_page: NewPage, violations: Violations
) -> None:
    tab = await new_page("projector")
    await tab.goto(told.url)
    for count in (3, 8, 16):
        for number in range(1, count + 1):
            told.begin(f"g-{number}", moves=number)
        told.round("1", round_of(count, publication={"featured": ["3"]}))
        cards = tab.locator(".wall .card")
        await cards.nth(count - 1).wait_for()
        await tab.wait_for_function("() => document.querySelector('.wall').getAnimations().length === 0")
        tables = [text.split()[-1] for text in await cards.locator(".table").all_inner_texts()]
        assert tables == ["3", "1", "2", *(str(n) for n in range(4, count + 1))]
        boxes = [box for one in await cards.all() if (box := await one.bounding_box()) is not None]
        assert len(boxes) == count
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= 1080 for box in boxes)
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 1920 for box in boxes)
        sizes = [await one.evaluate("board => board.offsetHeight") for one in await tab.locator("draughts-board").all()]
        assert min(sizes) >= {3: 550, 8: 290, 16: 190}[count]
    told.say("g-2", over=over("white", "2-0", "resigned"))
    told.say("g-5", silent=rfc3339(datetime.now(UTC)))
    await card(tab, 2).get_by_text("2–0").wait_for()
    await card(tab, 5).get_by_text("no data").wait_for()
    assert await cards.first.locator(".table").inner_text() == "Table 3"
    assert await violations(tab) == []
    await card(tab, 5).click()
    await tab.get_by_role("heading", name="White 5 – Black 5").wait_for()


async def test_a_game_is_walked_through_by_keyboard_and_click_and_stays_where_it_is_looked_at(
    told: Told, new_page: NewPage, violations: Violations
) -> None:
    told.begin("g-1", moves=OPENING, time_control="300+5", opening="c3-d4 b6-a5", delay=90)
    told.say(
        "g-1", notes=[{"ply": 2, "side": "black", "basis": "inferred"}, {"ply": 3, "side": "white", "basis": "entered"}]
    )
    told.clock("g-1", 250, 200)
    told.round("1", round_of(2))
    tab = await new_page()
    await tab.goto(f"{told.url}/g/g-1")
    board = tab.locator("draughts-board")
    shown = tab.locator(".moves button[aria-current]")
    await shown.filter(has_text="g3xe5").wait_for()
    assert await lines(tab) == list(OPENING)
    assert await board.get_attribute("last-move") == "g3 e5"
    assert await board.get_attribute("path") == "g3 e5"
    assert await board.get_attribute("captured") == "f4"
    assert "≈ inferred" in await tab.locator(".moves button", has_text="b6-a5").inner_text()
    assert "✎ entered by hand" in await tab.locator(".moves button", has_text="d4-e5").inner_text()
    about = await tab.locator("dl.about").inner_text()
    for said in ("Brazilian draughts", "5 min + 5 s a move", "c3-d4 b6-a5", "1 min 30 s"):
        assert said in about
    assert await violations(tab) == []

    await tab.keyboard.press("ArrowLeft")
    await tab.keyboard.press("ArrowLeft")
    assert "d4-e5" in await shown.inner_text()
    assert tab.url.endswith("/g/g-1?ply=3")
    assert await board.get_attribute("last-move") == "d4 e5"
    told.play("g-1", 1)
    await tab.locator(".moves button").nth(5).wait_for()
    assert "d4-e5" in await shown.inner_text(), "what comes in does not move who looks back"
    assert "after 3 of 6 moves" in await tab.locator(".looking").inner_text()
    await shown.focus()
    told.play("g-1", 1)
    await tab.locator(".moves button").nth(6).wait_for()
    assert await shown.evaluate("button => button === document.activeElement"), "who listens keeps the place"
    await tab.keyboard.press("Home")
    assert await board.get_attribute("position") == told.games["g-1"].keys["start"]
    assert await board.get_attribute("last-move") is None
    await tab.keyboard.press("End")
    assert await shown.get_attribute("data-ply") == "7"
    await tab.locator(".moves button", has_text="c3-d4").click()
    await tab.keyboard.press("ArrowRight")
    assert "b6-a5" in await shown.inner_text()
    assert await tab.evaluate("document.activeElement.matches('.moves button[aria-current]')")
    await tab.get_by_role("button", name="Turn the board").click()
    assert await board.get_attribute("orientation") == "black"


async def test_a_revision_replaces_a_ply_and_what_is_taken_back_leaves_nothing(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=OPENING)
    tab = await new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    await tab.goto(f"{told.url}/g/g-1")
    move = tab.locator(".moves button")
    await move.filter(has_text="g3xe5").wait_for()
    told.begin("g-1", moves=(*OPENING[:3], "f6xd4"), revision=1)
    await move.filter(has_text="f6xd4").wait_for()
    assert await lines(tab) == [*OPENING[:3], "f6xd4"]
    assert "g3xe5" not in await tab.locator("main").inner_text()
    assert await tab.locator("draughts-board").get_attribute("last-move") == "f6 d4"
    told.begin("g-1", moves=OPENING[:1], revision=2)
    await tab.locator(".moves button[aria-current]", has_text="c3-d4").wait_for()
    assert await lines(tab) == ["c3-d4"]
    assert len([url for url in asked if "/live/games/" in url]) == 1, "what changed is all that it needs"

    # a revision that the page has missed: what builds upon it is asked for whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(told.live._view, "_tell", lambda event, body: None)
        told.begin("g-1", moves=("g3-h4",), revision=3)
    told.play("g-1", ("f6-e5",))
    await move.filter(has_text="f6-e5").wait_for()
    assert await lines(tab) == ["g3-h4", "f6-e5"]


async def test_addresses_lead_to_rounds_games_and_tables_and_back(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2, table="1")
    told.begin("free-1", moves=1, table="9")
    told.round("1", round_of(1))
    told.round("2", {"round": "2", "state": "planned", "pairings": [pairing(1, "Rui", "Eva") | {"game": "h-1"}]})
    tab = await new_page()
    await tab.goto(f"{told.url}/t/9")
    title = tab.get_by_role("heading", level=1)
    await title.filter(has_text="White – Black").wait_for()
    told.begin("free-2", moves=0, table="9", players={"white": {"name": "Leo"}})
    await title.filter(has_text="Leo – Black").wait_for()  # the next game at that table, without a hand
    await tab.get_by_role("link", name="Round 2").click()
    await title.filter(has_text="Round 2").wait_for()
    assert tab.url == f"{told.url}/r/2"
    await tab.get_by_role("link", name="Now").click()
    await title.filter(has_text="Round 1").wait_for()
    assert await tab.locator(".wall .card").count() == 2, "the games of no round are played too"
    await card(tab, 1).click()
    await title.filter(has_text="White 1").wait_for()
    await tab.go_back()
    await title.filter(has_text="Round 1").wait_for()
    await tab.go_back()
    await title.filter(has_text="Round 2").wait_for()
    await tab.go_forward()
    await tab.go_forward()
    await title.filter(has_text="White 1").wait_for()
    await tab.goto(f"{told.url}/g/g-1?ply=1")
    await tab.locator(".looking").get_by_text("after 1 of 2").wait_for()
    await tab.goto(f"{told.url}/g/none")
    await title.filter(has_text="There is no such game").wait_for()
    with pytest.MonkeyPatch.context() as patch:  # of very many that are over it is told the newest
        patch.setattr("damas_board.hub.public_view.MOST_OVER", 1)
        told.begin("old-1", moves=1, players={"white": {"name": "Old"}}, over=over("draw", "1-1", "agreed"))
        told.begin("old-2", moves=1, over=over("draw", "1-1", "agreed"))
        await tab.goto(f"{told.url}/g/old-1")
        await title.filter(has_text="Old – Black").wait_for()
    await tab.goto(f"{told.url}/r/1?view=results")
    await tab.get_by_role("row").filter(has_text="White 1").wait_for()


async def test_after_the_round_there_are_results_standings_and_the_games_as_files(
    told: Told, new_page: NewPage, violations: Violations
) -> None:
    tell_standings(told, standing(1, "White 1", 2.0), standing(2, "Black 1", 0.0))
    told.begin("g-1", moves=3)
    told.say("g-1", over=over("white", "2-0", "blocked"))
    told.begin("g-2", moves=3)
    told.say("g-2", over=over("draw", "1-1", "agreed"))
    told.round("1", round_of(2, "over"))
    told.round("2", {"round": "2", "state": "planned", "pairings": [pairing(1, "Rui", "Eva") | {"game": "h-1"}]})
    tab = await new_page()
    await tab.goto(told.url)
    await card(tab, 1).get_by_text("2–0").wait_for()  # who looks on sees how it ended
    assert "2 of 2 games over" in await tab.locator("#facts").inner_text()
    for game in ("g-1", "g-2"):
        told.say(game, times=[rfc3339(datetime.now(UTC) - timedelta(hours=1))] * 3)
    told.live._view.take(topic(Kind.PUBLIC_ROUND, MEETING, "2"), b"", datetime.now(UTC))
    row = tab.get_by_role("row")
    await row.filter(has_text="White 1").get_by_text("White wins: no legal move").wait_for()
    assert "1–1" in await row.filter(has_text="White 2").inner_text()
    first = await tab.locator(".standings tbody tr").first.locator("td, th").all_inner_texts()
    assert first == ["1", "White 1", "2", "1", "1", "0", "0", "0"]
    assert await tab.get_by_role("link", name="Games of the round as PDN").get_attribute("href") == "/rounds/1.pdn"
    assert await violations(tab) == []
    told.round("2", {"round": "2", "state": "planned", "pairings": [pairing(1, "Rui", "Eva") | {"game": "h-1"}]})
    await tab.get_by_role("heading", level=1).filter(has_text="Round 2").wait_for()
    sections = await tab.get_by_role("heading", level=2).all_inner_texts()
    assert sections[0] == "Round 2: Pairings", "what comes next, and below it what was last"
    assert "Round 1: Results" in sections
    await row.filter(has_text="White 1").get_by_role("link").click()
    await tab.locator(".verdict", has_text="2–0 White wins: no legal move").wait_for()
    assert await tab.get_by_role("link", name="This game as PDN").get_attribute("href") == "/games/g-1.pdn"


async def test_standings_that_are_made_after_the_result_was_told_are_shown(told: Told, new_page: NewPage) -> None:
    tell_standings(told)
    told.begin("g-1", moves=2)
    told.round("1", round_of(1))
    tab = await new_page()
    await tab.clock.install()
    await tab.goto(f"{told.url}/r/1?view=results")
    await tab.get_by_role("row").first.wait_for()
    async with tab.expect_response("**/standings/1.json"):
        told.say("g-1", over=over("white", "2-0", "resigned"))
    tell_standings(told, standing(1, "White 1", 2.0))
    await tab.clock.run_for(6000)
    await tab.locator(".standings").get_by_text("White 1").wait_for()


async def test_when_data_stops_it_says_for_how_long_and_the_clocks_stand_still(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2)
    told.clock("g-1", 300, 300)
    tab = await new_page()
    await tab.clock.install()
    await tab.goto(f"{told.url}/g/g-1")
    clock = tab.locator(".player", has_text="White").locator(".clock")
    await clock.wait_for()
    first = await seconds(clock)
    await tab.clock.run_for(3000)
    assert await seconds(clock) in range(first - 8, first - 1), "it runs"
    status = tab.locator("#status")
    await tab.clock.run_for(8000)
    assert re.fullmatch(r"⚠ no data for \d+ s", await status.inner_text())
    stands = await clock.inner_text()
    assert await seconds(clock) in range(first - 8, first - 1), "it ran for as long as it could be known"
    await tab.clock.run_for(60_000)
    assert await clock.inner_text() == stands
    assert re.fullmatch(r"⚠ no data for [678]\d s", await status.inner_text())
    assert "running" not in (await clock.get_attribute("class") or "").split()
    told.beat()
    await status.wait_for(state="hidden")
    told.beat(connected=False)
    await status.get_by_text("no data from the hall").wait_for()


@pytest.mark.parametrize("path", ["/", "/g/g-1", "/embed/g/g-1", "/overlay/g/g-1"])
async def test_a_clock_stands_where_the_board_or_the_hall_is_not_heard(
    told: Told, new_page: NewPage, path: str
) -> None:
    told.begin("g-1", moves=2)
    told.clock("g-1", 300, 300)
    told.round("1", round_of(1))
    tab = await new_page()
    await tab.clock.install()
    await tab.goto(f"{told.url}{path}")
    white = tab.locator(".player", has_text="White").locator(".clock")
    await white.wait_for()

    async def heard() -> None:
        """Whatever was told before has come behind this; a beat comes behind what is told next."""
        for _ in range(2):
            name = f"Black {told.live.ring.id}"
            told.say("g-1", players={"black": {"name": name}})
            await tab.get_by_text(name).first.wait_for()

    await tab.clock.run_for(2000)
    assert await seconds(white) < 300, "it runs"
    told.say("g-1", silent=rfc3339(datetime.now(UTC)))
    await heard()
    await tab.clock.run_for(1000)
    stands = await seconds(white)
    assert stands > 280
    await tab.clock.run_for(4000)
    assert await seconds(white) >= stands - 1, "its board is not heard"
    await tab.locator(".clock.stale").wait_for()

    told.say("g-1", silent=None)
    await heard()
    told.beat(connected=False)
    await heard()
    await tab.clock.run_for(9000)
    stands = await seconds(white)
    await heard()
    await tab.clock.run_for(4000)
    assert await seconds(white) >= stands - 1, "the hall is not heard"
    await tab.reload()
    await white.wait_for()
    await heard()
    assert await seconds(white) == 300, "who comes then sees the last that is known"
    told.beat()
    await heard()
    await tab.clock.run_for(1000)
    assert await seconds(white) < 300, "and it runs again"


async def test_a_computer_that_has_slept_shows_the_clocks_as_they_are(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2)
    told.clock("g-1", 300, 300)
    tab = await new_page()
    await tab.goto(f"{told.url}/g/g-1")
    clock = tab.locator(".player", has_text="White").locator(".clock")
    await clock.wait_for()
    told.beat()
    # performance.now() stands while it sleeps
    await tab.evaluate("(() => { const now = Date.now; Date.now = () => now.call(Date) + 60_000; })()")
    told.live.ring.beat({"now": rfc3339(datetime.now(UTC) + timedelta(seconds=60)), "connected": True})
    await clock.filter(has_text=re.compile(r"^(4:0|3:)")).wait_for()


async def test_the_focus_is_on_the_title_of_what_is_opened_and_stays_on_a_card(told: Told, new_page: NewPage) -> None:
    for number in (1, 2, 4):
        told.begin(f"g-{number}", moves=number)
    told.round("1", round_of(4))
    tab = await new_page()
    await tab.goto(told.url)
    await card(tab, 4).focus()
    told.begin("g-3", moves=1)
    await tab.locator(".wall a.card").nth(3).wait_for()
    assert "Table 4" in await tab.evaluate("document.activeElement.textContent")
    told.round("1", round_of(4, publication={"featured": ["4"]}))
    await tab.locator(".wall li").first.filter(has_text="Table 4").wait_for()
    assert "Table 4" in await tab.evaluate("document.activeElement.textContent")
    await tab.keyboard.press("Enter")
    await tab.get_by_role("heading", name="White 4 – Black 4").wait_for()
    assert await tab.evaluate("document.activeElement.textContent") == "White 4 – Black 4"


async def test_keys_that_scroll_a_page_scroll_this_one_but_at_the_moves(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=20)
    tab = await new_page("phone")
    await tab.goto(f"{told.url}/g/g-1")
    shown = tab.locator(".moves button[aria-current]")
    await shown.filter(has_text=told.games["g-1"].moves[-1]).wait_for()
    await tab.keyboard.press("ArrowDown")
    await tab.keyboard.press("End")
    await tab.wait_for_function("() => scrollY > 0")
    assert await shown.get_attribute("data-ply") == "20"
    await tab.keyboard.press("Home")
    await tab.wait_for_function("() => scrollY === 0")
    await tab.keyboard.press("ArrowLeft")
    assert await shown.get_attribute("data-ply") == "19"
    await shown.focus()
    await tab.keyboard.press("ArrowUp")
    assert await shown.get_attribute("data-ply") == "17"


async def test_rules_that_are_not_known_here_are_called_as_they_are(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2)
    told.say("g-1", regulation="club-rules")
    tab = await new_page()
    await tab.goto(f"{told.url}/g/g-1")
    await tab.locator("dl.about").get_by_text("club-rules").wait_for()
    assert "ariant" not in await tab.locator("dl.about").inner_text()


@pytest.mark.parametrize("path", ["/", "/overlay/g/g-1", "/qr"])
async def test_a_page_whose_words_do_not_come_at_once_waits_for_them(told: Told, new_page: NewPage, path: str) -> None:
    told.begin("g-1", moves=2, table="1")
    tab = await new_page()
    refused: set[str] = set()

    async def refuse_once(route: Route) -> None:
        url = route.request.url
        await (route.continue_() if url in refused else route.fulfill(status=502, body="bad gateway"))
        refused.add(url)

    await tab.route(re.compile(r"/words/|/live/snapshot\.json"), refuse_once)
    await tab.goto(f"{told.url}{path}")
    await tab.locator(".codes li" if path == "/qr" else "draughts-board").first.wait_for()


async def test_a_name_stays_a_text_and_nothing_may_run_but_the_pages_own_scripts(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2, players={"white": {"name": HOSTILE}}, opening=HOSTILE)
    told.round("1", round_of(1, name=HOSTILE) | {"pairings": [pairing(1, HOSTILE, HOSTILE, result=None)]})
    tab = await new_page()
    tab.on("dialog", lambda dialog: pytest.fail(f"a name ran: {dialog.message}"))
    for path in ("/", "/r/1?view=results", "/g/g-1", "/embed/g/g-1", "/overlay/g/g-1", "/qr"):
        answer = await tab.goto(f"{told.url}{path}")
        assert answer is not None
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        if path != "/qr":
            await tab.get_by_text(HOSTILE).first.wait_for(state="attached")
        assert await tab.locator("img[src='x'], main script").count() == 0


async def test_it_speaks_portuguese_of_portugal_and_of_brazil(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2)
    told.say("g-1", over=over("black", "0-2", "resigned"))
    told.round("1", round_of(1, "over"))
    tab = await new_page("phone", locale="pt-PT")
    await tab.goto(told.url)
    await tab.get_by_role("heading", name="Ronda 1").wait_for()
    assert "1 de 1 jogos terminados" in await tab.locator("#facts").inner_text()
    assert await tab.locator("html").get_attribute("lang") == "pt"
    await tab.get_by_text("Ganham as pretas: desistência").wait_for()
    await tab.get_by_label("Idioma").select_option("pt-BR")
    await tab.get_by_role("heading", name="Rodada 1").wait_for()
    assert "1 de 1 partidas terminadas" in await tab.locator("#facts").inner_text()
    await tab.reload()
    await tab.get_by_role("heading", name="Rodada 1").wait_for()
    await tab.goto(f"{told.url}/?lang=en")
    await tab.get_by_role("heading", name="Round 1").wait_for()


async def test_what_others_show_of_a_table_is_there_to_copy(
    told: Told, new_page: NewPage, violations: Violations
) -> None:
    told.begin("g-1", moves=2, table='A "1"')
    told.begin("g-2", moves=2)
    tab = await new_page(permissions=["clipboard-read", "clipboard-write"])
    await tab.goto(f"{told.url}/g/g-1")
    panel = tab.locator("#share")
    await panel.get_by_text("For your page or video").click()
    frame = await panel.get_by_label("as a line of HTML").input_value()
    made = await tab.evaluate(
        """text => {
          const frame = new DOMParser().parseFromString(text, "text/html").body.children;
          return [frame.length, frame[0].src, frame[0].title, frame[0].width];
        }""",
        frame,
    )
    assert made == [1, f"{told.url}/embed/t/A%20%221%22", 'Table A "1"', "480"]
    assert await panel.get_by_label("The overlay").input_value() == f"{told.url}/overlay/t/A%20%221%22"
    for name in ("?delay=30", "?board=0", "?times=1"):
        await panel.get_by_text(name).wait_for()
    await panel.get_by_role("button", name="Copy").first.click()
    await panel.get_by_text("Copied").wait_for()
    assert await tab.evaluate("navigator.clipboard.readText()") == frame
    assert await violations(tab) == []
    told.play("g-1", 1)
    await tab.locator(".moves button").nth(2).wait_for()
    assert await panel.get_attribute("open") is not None
    await panel.get_by_text("Copied").wait_for()
    await tab.goto(f"{told.url}/g/g-2")
    await panel.get_by_text("For your page or video").click()
    assert await panel.get_by_label("The overlay").input_value() == f"{told.url}/overlay/g/g-2"


async def test_a_pairing_leads_to_the_table_where_its_game_will_be(told: Told, new_page: NewPage) -> None:
    told.round("1", round_of(2, "planned", name="Round 1"))
    tab = await new_page(locale="pt-PT")
    await tab.goto(f"{told.url}/r/1")
    await tab.get_by_role("heading", level=1).get_by_text("Ronda 1").wait_for()  # its name says no more than its number
    await tab.get_by_role("link", name="Mesa 2").click()
    await tab.get_by_text("White 2 – Black 2 · Ronda 1").wait_for()
    assert tab.url == f"{told.url}/t/2"
    told.begin("g-2", moves=1, table="2")
    await tab.locator("draughts-board").wait_for()


async def test_what_is_not_new_is_not_drawn_again(told: Told, new_page: NewPage) -> None:
    told.begin("g-1", moves=2, table="1")
    told.begin("g-2", moves=2, table="2")
    told.round("1", round_of(2))
    tab = await new_page()
    await tab.goto(f"{told.url}/g/g-1")
    await tab.locator(".tags span").first.wait_for()
    keep = "kept => { window.kept = kept.flatMap((one) => [...document.querySelector(one).childNodes]); }"
    await tab.evaluate(keep, [".tags", "dl.about", ".near", ".links"])
    told.round("1", round_of(2, name="Final"))  # which is drawn in the same go
    await tab.get_by_text("Final · Table 1").wait_for()
    assert await tab.evaluate("kept.length > 3 && kept.every((one) => one.isConnected)")
    await tab.goto(told.url)
    await card(tab, 1).locator(".last").wait_for()
    await tab.evaluate(keep, [".wall .card .state"])
    told.play("g-2", 1)
    await card(tab, 2).get_by_text(told.games["g-2"].moves[-1]).wait_for()
    assert await tab.evaluate("kept.length > 0 && kept.every((one) => one.isConnected)")


@pytest.mark.parametrize("path", ["/", "/g/g-1", "/r/1?view=results", "/r/2"])
async def test_a_small_screen_is_not_overrun(told: Told, new_page: NewPage, path: str) -> None:
    told.begin("g-1", moves=4, table="1", players={"white": {"name": "Helena Marques"}, "black": {"name": "Rui"}})
    told.say("g-1", notes=[{"ply": 3, "side": "white", "basis": "entered"}])
    told.round("1", round_of(2))
    told.round("2", {"round": "2", "state": "planned", "pairings": [pairing(1, "Rui", "Eva") | {"game": "h-1"}]})
    tab = await new_page("phone", locale="pt-PT")
    await tab.set_viewport_size({"width": 320, "height": 640})
    await tab.goto(f"{told.url}{path}")
    await tab.locator("draughts-board, .pairings").first.wait_for()
    assert await tab.evaluate("document.documentElement.scrollWidth") == 320
    for one in await tab.locator(".moves button, .views a").all():
        assert await one.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
