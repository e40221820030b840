"""What is decided at the console by keyboard: where the focus goes, what is asked, and what a game looks like then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser.arbiter import answered, entered, given, has, the_game, told, whole
from browser.conftest import NewPage, Violations
from browser.stage import stage

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

MOVES = "c3-d4 b6-a5 d4-e5 f6xd4 e3xc5 d6xb4 a3xc5 g7-f6 b2-c3 a5-b4 c3xa5 f6-e5 g3-f4 e5xg3 h2xf4 h6-g5"


async def focus(page: Page) -> str:
    """The id of what has the focus."""
    return str(await page.evaluate("document.activeElement.id || document.activeElement.tagName"))


async def pressed(page: Page, *buttons: str) -> None:
    for button in buttons:
        await page.locator(button).press("Enter")


async def seconds(page: Page, selector: str) -> int:
    """What a clock of the page shows."""
    minutes, rest = (await page.locator(selector).inner_text()).split(":")
    return 60 * int(minutes) + int(rest)


async def post(page: Page, path: str, body: Any) -> Any:
    origin = "/".join(page.url.split("/")[:3])
    return await page.request.post(f"{origin}/console/api/{path}", data=body, headers={"Origin": origin})


async def test_the_focus_stays_where_decisions_are_and_a_game_ends_only_when_it_was_said_how(
    new_page: NewPage, violations: Violations, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        page = await new_page("laptop")
        await entered(page, hall)
        assert await focus(page) == "main"
        await page.goto(f"{hall.url}/console/#/game/%")
        await has(page, "main h2", "Alerts")
        game, moves = await the_game(page, hall), MOVES.split()
        answer = await post(page, "correct", {"game": game["game"], "keep": 0, "moves": moves})
        assert (await answer.json())["outcome"] == "done", await answer.text()
        await page.click("#tab-game")
        await page.locator(f"#ply-{len(moves)}").wait_for()
        newest = f"document.getElementById('ply-{len(moves)}').getBoundingClientRect().bottom"
        list_ends = "document.querySelector('.moves').getBoundingClientRect().bottom"
        assert await page.evaluate(f"{newest} <= {list_ends}"), "the list of moves does not follow the game"
        assert await page.locator("main section", has_text="Draw counters").count() == 0, "once is no repetition"

        await pressed(page, "#look-back", "#look-now")
        assert await focus(page) == "look-now"
        await pressed(page, "#adjust")
        await answered(page)
        assert await focus(page) == "adjust"
        await pressed(page, "#hold")
        await page.locator("#release").wait_for()
        assert await focus(page) == "act-title"
        await has(page, "main .row", "kept from the public")
        await pressed(page, "#release", "#sure")
        await page.locator("#hold").wait_for()
        assert await focus(page) == "act-title"

        await page.locator("#board-details summary").press("Enter")
        await page.locator("#fen").wait_for()
        await given(page, hall, game=game["game"], do="rewind", ply=len(moves) - 1)
        await pressed(page, "#set-position", "#sure")
        await answered(page, "refused: the game has gone on meanwhile")
        await page.locator(f"#ply-{len(moves)}").wait_for(state="detached")
        await pressed(page, "#fen-reset", "#set-position", "#sure")
        await answered(page, "This is the position: done")
        assert await focus(page) == "set-position"

        await page.locator("#result-details summary").press("Enter")
        assert await page.input_value("#result-game-winner") == "", "somebody has won before anybody has said so"
        await pressed(page, "#result-game-enter")
        assert await focus(page) == "result-game-winner"
        await page.select_option("#result-game-winner", "white")
        await pressed(page, "#result-game-enter")
        assert await focus(page) == "result-game-reason"
        await page.select_option("#result-game-reason", "resigned")
        await pressed(page, "#result-game-enter")
        await has(page, "dialog", ": White wins (resignation). The game ends with it")
        assert await violations(page) == []
        await page.keyboard.press("Escape")
        assert (await the_game(page, hall))["over"] is None, "one key has ended a game"
        assert await focus(page) == "result-game-enter"
        await pressed(page, "#result-game-enter", "#sure")
        await has(page, "main .row", "over, 2-0")
        assert await focus(page) not in ("BODY", "HTML")
        await page.click("#tab-hall")
        assert "over, 2-0" in await page.inner_text("#tile-t-1")
        assert "in play" not in await page.inner_text("#tile-t-1")


async def test_the_clock_of_who_is_not_touched_goes_on_while_the_other_ones_is_set(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with stage(tmp_path, begins=False, starts="command", speed=1.0) as hall:
        page = await new_page("laptop")
        await entered(page, hall)
        await given(page, hall, board="t-1", do="new_game", regulation="br-cbjd", clock="300")
        await page.click("#tab-hall")
        await page.click("#tile-t-1")
        await pressed(page, "#start", "#sure")
        await answered(page)
        game = (await the_game(page, hall))["game"]
        await page.click("#clock-details summary")
        await page.fill("#clock-black", "9:00")
        begun = await seconds(page, "[data-clock=white]")
        hall.tables["t-1"].board.press("clock-b")  # White's time begins
        shown = "(later) => document.querySelector('.right [data-side=white]').value === later"
        await page.wait_for_function(shown, arg=_clock(begun - 3))
        await page.click("#set-clock")
        await answered(page)
        clock = (await whole(page, hall, game))["clock"]
        assert clock["black"] == 540
        assert clock["white"] <= begun - 2, "White has the time again that has passed"


def _clock(left: int) -> str:
    return f"{left // 60}:{left % 60:02}"


async def test_an_alert_of_a_game_that_is_over_and_gone_is_found_in_the_register_with_its_evidence(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        page = await new_page("laptop")
        await entered(page, hall)
        table = hall.tables["t-1"]
        await table.play("c3-d4", "f6-e5")
        await table.carry("a3", "b4")
        await page.locator("a.alert").wait_for()
        game = await the_game(page, hall)
        await given(page, hall, game=game["game"], do="stands", alert=game["alerts"][0]["id"])
        await given(page, hall, game=game["game"], do="result", result="black", reason="decision")
        await given(page, hall, board="t-1", do="new_game", regulation="br-cbjd", round="2", table="1")
        arbiter = await new_page("laptop")  # one who has not seen that game
        await entered(arbiter, hall)
        await arbiter.wait_for_function(
            "async (game) => !(await (await fetch('/console/api/snapshot.json')).text()).includes(game)",
            arg=f'"game": "{game["game"]}"',
        )
        await arbiter.click("#tab-register")
        await arbiter.click(".entries a")
        await has(arbiter, ".decide", "Settled: stands")
        await has(arbiter, ".trail", "a3 lifted")


async def test_a_table_that_its_round_keeps_back_is_marked_in_the_hall_and_in_its_game(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        page = await new_page("phone")
        await entered(page, hall, "olga")
        game = (await told(page, hall))["games"][0]["game"]
        players = {"white": {"name": "Ana B."}, "black": {"name": "Rui C."}}
        round_ = {
            "round": "1",
            "state": "started",
            "regulation": "br-cbjd",
            "pairings": [{"table": "1", "game": game, "board": "t-1", **players}],
            "publication": {"hold": False, "boards": {"1": {"hold": True}}},
        }
        assert (await post(page, "round", round_)).ok
        await given(page, hall, board="t-1", do="new_game", game="x-1", regulation="br-cbjd", round="1", table="1")
        await page.click("#tab-hall")
        await has(page, "#tile-t-1", "kept from the public")
        await page.click("#tile-t-1")
        await has(page, "#kept-by-round", "The round keeps this table from the public")
        assert await page.locator("#hold, #release").count() == 0
