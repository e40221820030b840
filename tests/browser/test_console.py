"""The console in a real browser, from simulated boards to what an arbiter sees, decides and finds in the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.arbiter import (
    PATIENCE,
    KeepPicture,
    answered,
    choose,
    entered,
    free_port,
    given,
    has,
    overflow,
    the_game,
    whole,
)
from browser.conftest import NewPage, Violations
from browser.stage import stage
from hub.halls import until

from damas_board.hub.hub import Hub
from damas_board.notation.moves import read_move
from damas_board.rules.position import initial
from simulator.levels import level
from simulator.player import Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_missed_capture_is_decided_by_clicks_on_the_phone_and_the_record_shows_it(
    new_page: NewPage, violations: Violations, keep_picture: KeepPicture, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        page = await new_page("phone")
        await entered(page, hall)
        await has(page, "main", "Nothing is open.")
        table = hall.tables["t-1"]
        await table.play("c3-d4", "f6-e5")
        await table.carry("a3", "b4")  # d4xf6 was obligatory

        await has(page, "a.alert", "a capture was obligatory and was not made")
        row = await page.locator("a.alert").inner_text()
        assert "irregularity" in row
        assert "002 art. 5" in row
        assert await page.locator("#tab-alerts .badge").inner_text() == "1"
        assert await page.title() == "(1) Console"
        assert await page.evaluate("vibrations") == [[200, 90, 200]]
        assert "a capture was obligatory" in await page.locator("#announcements").inner_text()
        assert await violations(page) == []
        await keep_picture(page, "console-alerts-phone")

        await page.click("a.alert")
        law = await page.locator(".law").inner_text()
        assert "002 art. 5" in law
        assert "Damas brasileiras, regras oficiais (CBJD)" in law
        assert "Who can capture must capture" in law
        assert "until the opponent has replied" in law
        assert "d4xf6" in await page.locator("dl.facts").first.inner_text()

        await page.wait_for_selector("#evidence-play", timeout=PATIENCE)
        board = page.locator("article draughts-board")
        lifted = page.locator(".trail button", has_text="a3 lifted")
        await lifted.click()
        assert (await board.get_attribute("see") or "").split("/")[5][0] == "."  # a3 is in the air
        assert await page.locator("#evidence-at").inner_text() == await lifted.locator(".clock").inner_text()
        assert ",a3," in (await board.get_attribute("position") or "")  # where the record has it
        await page.click("#evidence-back")
        assert (await board.get_attribute("see") or "").split("/")[5][0] != "."
        await page.click("#evidence-play")
        await has(page, ".trail [aria-current]", "THIS ALERT")
        assert (await board.get_attribute("see") or "").split("/")[4][1] != "."  # it stands on b4
        assert await violations(page) == []
        await keep_picture(page, "console-alert-phone")

        await page.click("#rectify")
        await answered(page)
        await has(page, ".decide", "Settled: put right")
        game = await the_game(page, hall)
        assert [ply["move"] for ply in game["plies"]] == ["c3-d4", "f6-e5"]
        assert [alert["how"] for alert in game["settled"]] == ["rectified"]
        assert await page.locator("#tab-alerts .badge").count() == 0

        await page.click("#tab-game")
        await has(page, ".notice", "Take the piece off b4.")
        await has(page, ".notice", "Put a white man on a3.")
        assert await page.locator("main draughts-board").get_attribute("put") == "a3:w"
        assert await overflow(page) <= 0
        await keep_picture(page, "console-guide-phone")
        await table.carry("b4", "a3")
        await page.locator(".notice", has_text="a3").wait_for(state="detached", timeout=PATIENCE)
        await table.play("d4xf6")
        await has(page, ".moves", "d4xf6")


@pytest.mark.slow
async def test_a_touched_piece_is_dismissed_with_a_note_and_the_register_knows(
    new_page: NewPage, violations: Violations, keep_picture: KeepPicture, tmp_path: Path
) -> None:
    async with stage(tmp_path, ("pt-escola",), begins=False, starts="command") as hall:
        page = await new_page("laptop", locale="pt-PT", color_scheme="dark")
        await page.goto(f"{hall.url}/console/")
        await has(page, "h2", "Entrar")
        await entered(page, hall)
        players = {
            "white": {"name": "<img src=x onerror=alert(1)> Rui", "title": "MN"},
            "black": {"name": "Zé & <b>Cª</b>"},
        }
        await given(
            page, hall, board="t-1", do="new_game", regulation="pt-escola", players=players, round="1", table="1"
        )
        await has(page, "#tab-hall", "Sala")
        await page.click("#tab-hall")
        await page.click("#tile-t-1")
        await page.click("#start")
        await page.click("#sure")
        await answered(page, "feito")
        table = hall.tables["t-1"]
        await table.lift("12", 2.0)
        await table.play("10-14")
        await page.click("#tab-alerts")
        await has(page, "a.alert", "a peça tocada não foi jogada")
        assert "MN <img src=x onerror=alert(1)> Rui (Brancas)" in await page.locator("a.alert").inner_text()
        await page.click("a.alert")
        await has(page, ".law", "A peça tocada que pode mover-se é a que se joga")
        await page.fill("#note", "ajeitou, <i>avisou</i>")
        await table.play("23-19")  # under 003 the arbiter decides, whatever the opponent replies
        await has(page, ".decide", "Lances jogados depois: 1")
        await page.click("#rectify")
        await has(page, "dialog", "O jogo continuou: desfaz-se o que se jogou depois")
        await page.keyboard.press("Escape")
        assert await page.input_value("#note") == "ajeitou, <i>avisou</i>", "what was entered is gone when play goes on"
        await page.click("#dismiss")
        await has(page, "dialog", "Não se pode reabrir")
        await page.keyboard.press("Escape")
        assert (await the_game(page, hall))["alerts"] != []
        await page.click("#dismiss")
        await page.click("#sure")
        await answered(page, "feito")
        await has(page, ".decide", "Resolvido: arquivado")
        await has(page, ".ending", "ajeitou, <i>avisou</i>")
        game = await the_game(page, hall)
        assert [alert["how"] for alert in game["settled"]] == ["dismissed"]
        assert len(game["plies"]) == 2
        await page.click("#tab-register")
        await has(page, ".entries h3", "<img src=x onerror=alert(1)> Rui")
        await has(page, ".entries", "arquivado")
        await has(page, ".decided", "ana via hub")
        await has(page, ".decided", "ajeitou, <i>avisou</i>")
        assert await page.locator("main img, main b, main i").count() == 0
        for view in ("alerts", "hall", "game", "register"):
            await page.click(f"#tab-{view}")
            await page.wait_for_timeout(200)
            assert await violations(page) == [], view
            assert await overflow(page) <= 0, view
            await keep_picture(page, f"console-{view}-laptop-dark-pt")
        await page.click("#settings")
        assert await violations(page) == []


STALE = """
const real = fetch;
window.fetch = (path, options) => {
  window.fetch = real;
  const { plies, revision } = JSON.parse(options.body);
  window.stale = { plies, revision };
  return Promise.resolve(new Response(JSON.stringify({ reason: "gone_on" }), { status: 409 }));
};
window.stale = null;
"""
"""The next question is answered as where somebody has played meanwhile, and the page does not know it yet."""


async def test_a_running_game_is_corrected_on_a_board_in_at_most_ten_clicks_and_followed_again(
    new_page: NewPage, violations: Violations, keep_picture: KeepPicture, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        table = hall.tables["t-1"]
        await table.play("c3-d4", "b6-a5", "e3-f4", "d6-c5")
        page = await new_page("phone")
        await entered(page, hall)
        await has(page, "#tab-alerts", "Alerts")
        before = await page.evaluate("clicks")

        await page.click("#tab-game")
        await page.click("#correct")
        await page.click("#keep-2")
        await choose(page, "e3", "d2")  # another choice before the target costs a click, and nothing else
        await choose(page, "g3")
        await page.wait_for_selector("draughts-board[source='g3']")
        await choose(page, "f4")
        await choose(page, "d6", "e5")
        assert await violations(page) == []
        await keep_picture(page, "console-correction-phone")
        assert len((await the_game(page, hall))["plies"]) == 4, "a draft has changed the game"
        await table.play("d4xb6")
        await has(page, ".notice", "Meanwhile the game has gone on: 5. d4xb6.")
        assert await page.locator("ol.draft li").all_inner_texts() == ["g3-f4", "d6-e5"], "a draft is gone"
        await page.click("#correction-apply")
        await has(page, "dialog", "this was played, and is taken back as well: 5. d4xb6. Plies taken back: 3.")
        await page.keyboard.press("Escape")
        assert len((await the_game(page, hall))["plies"]) == 5, "what was played meanwhile is gone"
        await page.click("#keep-5")
        await page.click("#keep-3")
        await page.click("#correction-cancel")

        await page.click("#correct")
        await page.click("#keep-4")
        await page.click("#correction-apply")
        await has(page, "dialog", "What was played since is taken back, with the clocks as they stood then (plies: 1).")
        await page.keyboard.press("Escape")
        await page.evaluate(STALE)
        await choose(page, "d4", "b6")
        await page.click("#correction-apply")
        await has(page, ".notice[role=alert]", "Meanwhile the record has changed.")
        assert await page.evaluate("stale") == {"plies": 5, "revision": (await the_game(page, hall))["revision"]}
        await page.click("#correction-cancel")

        await page.evaluate("clicks = 0")
        await page.click("#correct")
        await page.click("#keep-2")
        await choose(page, "g3", "f4")
        await choose(page, "d6", "e5")
        await choose(page, "f4", "d6")
        await page.click("#correction-apply")
        clicks = await page.evaluate("clicks")
        assert before == 1  # the login
        assert clicks <= 10
        await answered(page)
        game = await the_game(page, hall)
        assert [ply["move"] for ply in game["plies"]] == ["c3-d4", "b6-a5", "g3-f4", "d6-e5", "f4xd6"]
        await has(page, ".notice", "Put a white man on d6.")
        position = initial(table.settings.regulation.variant)
        for move in [ply["move"] for ply in game["plies"]]:
            position = position.after(read_move(position, move))
        table.position = position
        Player(table.board, table.clock, level("clean")).set_up(position)  # the players put the board right
        await page.locator(".notice", has_text="Put").wait_for(state="detached", timeout=PATIENCE)
        await table.play("c7xc3")
        await has(page, ".moves", "c7xc3")
        shown = page.locator(".left > .board draughts-board")
        assert sorted((await shown.get_attribute("captured") or "").split()) == ["d4", "d6"]


async def test_of_two_ways_to_the_same_square_the_arbiter_chooses_one_by_keyboard(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with stage(tmp_path, begins=False, starts="command") as hall:
        page = await new_page("laptop")
        await entered(page, hall)
        fen = "W:WKb6:Bc5,f4,h6,g3,e7"
        await given(page, hall, board="t-1", do="new_game", regulation="br-cbjd", fen=fen)
        await page.click("#tab-hall")
        await page.click("#tile-t-1")
        await page.click("#start")
        await page.click("#sure")
        await answered(page)
        await page.click("#correct")
        await page.wait_for_selector("draughts-board[targets='b6']")
        for square in ("b6", "d8"):
            await page.locator(f'[aria-labelledby="correction-title"] [data-name="{square}"]').focus()
            await page.keyboard.press("Enter")
        await page.locator("button", has_text="b6 × f2 × h4 × d8").press("Enter")
        await page.locator("#correction-apply").press("Enter")
        await answered(page)
        assert [ply["captured"] for ply in (await the_game(page, hall))["plies"]] == [["c5", "g3", "e7"]]


@pytest.mark.slow
async def test_a_wrong_login_is_told_and_an_organiser_may_not_decide(
    new_page: NewPage, violations: Violations, keep_picture: KeepPicture, tmp_path: Path
) -> None:
    async with stage(tmp_path) as hall:
        page = await new_page("phone")
        await page.goto(f"{hall.url}/console/")
        await page.fill("#name", "ana")
        await page.fill("#password", "guess")
        await page.click("#enter")
        await has(page, "[role=alert]", "Name and password do not go together.")
        assert await page.evaluate("document.activeElement.id") == "password"
        assert await violations(page) == []
        await entered(page, hall, "olga")
        table = hall.tables["t-1"]
        await table.play("c3-d4", "f6-e5")
        await table.carry("a3", "b4")
        await page.locator("a.alert").click(timeout=PATIENCE)
        for decision in ("stands", "rectify", "dismiss"):
            assert await page.locator(f"#{decision}").is_disabled()
        await page.click("#tab-game")
        assert await page.locator("#correct").is_disabled()
        assert await page.locator("#hold").is_enabled()
        await page.click("#hold")
        await answered(page)
        await has(page, "main", "kept from the public")
        await page.click("#tab-rounds")
        await has(page, "main h2", "Rounds")
        arbiter = await new_page("phone")
        await entered(arbiter, hall, "ana")
        assert await arbiter.locator("#tab-rounds").count() == 0
        await arbiter.goto(f"{hall.url}/console/#/rounds")
        await has(arbiter, "main h2", "Alerts")
        await arbiter.click("#settings")
        await arbiter.click("#logout")
        await has(arbiter, "main h2", "Log in")


async def test_over_a_new_start_of_the_hub_a_phone_stays_logged_in_and_says_what_happens_without_a_hand(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with stage(tmp_path, port=await free_port()) as hall:
        page = await new_page("phone")
        await entered(page, hall)
        await has(page, "#connection", "live")
        await page.click("#tab-game")
        await hall.tables["t-1"].play("c3-d4")
        await has(page, ".moves", "c3-d4")
        kept = hall.service.hub
        assert kept is not None
        assert kept.hub is not None
        kept.hub.stop()
        await until(lambda: kept.hub is None, "the end of the hub")
        table = hall.tables["t-1"]
        await table.play("f6-e5")
        await table.carry("a3", "b4")  # d4xf6 was obligatory
        await has(page, "#announcements", "a capture was obligatory")
        assert await page.evaluate("vibrations") == [[200, 90, 200]], "nobody has touched it"
        await has(page, ".moves", "f6-e5")
        await has(page, "#connection", "live")
        assert await page.locator("#password").count() == 0


async def test_what_the_hub_cannot_do_stands_in_the_hall(
    new_page: NewPage, violations: Violations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = Hub.health
    troubles: dict[str, Any] = {
        "connected": False,
        "public_waits": True,
        "archive_trouble": "disk full",
        "denied": ["public/x"],
        "rounds_refused": {"7": "no such thing"},
        "games_broken": {"g-8": "an event too many"},
        "games_elsewhere": ["g-9"],
        "missing": ["g-10", "g-11"],
    }

    def health(hub: Hub) -> dict[str, Any]:
        found = dict(well.__get__(hub))
        assert troubles.keys() <= found.keys()
        return {**found, **troubles}

    async with stage(tmp_path) as hall:
        page = await new_page("phone")
        await entered(page, hall)
        await page.click("#tab-hall")
        await page.locator("#tile-t-1").wait_for(timeout=PATIENCE)
        assert await page.locator("main .notice").count() == 0, "all is well"
        monkeypatch.setattr(Hub, "health", property(health))
        for told in (
            *("cannot reach the broker", "Is the disk full?", "be used; what is played waits", "disk full", "public/x"),
            *("Round 7", "no such thing", "The game g-8", "an event too many", "g-9", "g-10, g-11"),
        ):
            await has(page, "main .notice", told)
        assert await page.locator("main .notice").count() == len(troubles)
        assert "{" not in await page.inner_text("main")
        assert await overflow(page) <= 0
        assert await violations(page) == []
        monkeypatch.undo()
        await page.locator("main .notice").first.wait_for(state="detached", timeout=PATIENCE)


@pytest.mark.slow
async def test_what_is_done_about_a_game_and_its_board_is_done_from_the_page(
    new_page: NewPage, violations: Violations, keep_picture: KeepPicture, tmp_path: Path
) -> None:
    async with stage(tmp_path, ("br-cbjd", "br-cbjd")) as hall:
        page = await new_page("laptop")
        await entered(page, hall)
        table = hall.tables["t-1"]
        await table.play("c3-d4")
        await page.click("#tab-hall")
        await page.click("#hall-needing")
        await has(page, "main", "All tables are in order.")
        await page.click("#hall-all")
        await page.click("#tile-t-1")

        await page.click("#result-details summary")
        await page.select_option("#result-game-winner", "white")
        await page.select_option("#result-game-reason", "resigned")
        await table.play("b6-a5")
        await has(page, ".moves", "b6-a5")
        assert await page.input_value("#result-game-reason") == "resigned", "what was entered is gone when play goes on"
        await page.click("#result-game-enter")
        await page.click("#sure")
        await answered(page)
        assert (await the_game(page, hall))["over"]["reason"] == "resigned"
        await has(page, "main .row", "over, 2-0")
        await page.click("#reopen")
        await page.click("#sure")
        await page.locator("main .row", has_text="over, 2-0").wait_for(state="detached", timeout=PATIENCE)

        await page.click("#board-details summary")
        await page.fill("#mask-square", "z9")
        await page.click("#mask")
        await answered(page, "refused: there is no such square")
        await page.fill("#mask-square", "h8")
        await page.click("#mask")
        await answered(page)
        await page.locator('.small-board [role="gridcell"][data-name="d4"]').click()  # where a man stands
        assert "d4" not in await page.input_value("#fen")
        assert await violations(page) == []
        await page.click("#set-position")
        await page.click("#sure")
        await answered(page, "This is the position: done")
        assert "d4" not in (await the_game(page, hall))["fen"]
        await has(page, ".notice", "Take the piece off d4.")

        game = (await the_game(page, hall))["game"]
        await page.click("#move-to")
        await page.click("#sure")
        await answered(page, "Go on there: done")
        assert (await whole(page, hall, game))["on"] == "t-2"
        await page.click("#tab-hall")
        hall.tables["t-2"].board.unplug()
        await has(page, "#tile-t-2", "not connected")
        await page.click("#hall-needing")
        await has(page, "#tile-t-2", "alerts: 1")
        assert await violations(page) == []
        await keep_picture(page, "console-hall-laptop")
        await page.click("#tab-alerts")
        await page.click("a.alert.warning")
        await has(page, "#todo", "See to cable and power")
        assert await page.locator("#stands, #rectify").count() == 0, "a cable has made no mistake"
        assert await violations(page) == []
        await page.locator("#dismiss").press("Enter")
        await page.locator("#sure").press("Enter")
        await has(page, ".decide", "Settled: dismissed")
        assert await page.evaluate("document.activeElement.id") == "decide-title", "the focus is lost with a decision"
