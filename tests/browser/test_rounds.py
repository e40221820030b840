"""A round from the console to the public: written down by list and by hand, published, begun, with a result."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser.conftest import NewPage, Violations
from browser.stage import PASSWORDS, Stage, stage
from hub.test_sheet import GAME, ply
from hub.test_sheet import page as made_sheet

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LIST = """\
table;white;white_title;white_club;black;black_minor;board
1;Ana <b>de</b> Lima;MN;Clube do Rio;Rui Sá;x;t-1
2;Eva Cruz;;;Ivo Nunes;;t-2
"""
PATIENCE = 30.0
Keep = Callable[["Page", str], Awaitable[Path]]


async def logged_in(page: Page, running: Stage, who: str, place: str = "#/rounds") -> None:
    await page.goto(f"{running.url}/console/{place}")
    await page.fill("#name", who)
    await page.fill("#password", PASSWORDS[who])
    await page.click("#enter")


async def snapshot(running: Stage, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """What the public page is told, as soon as that holds."""

    def look() -> dict[str, Any]:
        with urllib.request.urlopen(f"{running.url}/live/snapshot.json", timeout=10) as answer:
            return dict(json.loads(answer.read()))

    end = time.monotonic() + PATIENCE
    while not holds(told := await asyncio.to_thread(look)):
        assert time.monotonic() < end, told
        await asyncio.sleep(0.1)
    return told


async def test_a_round_is_written_down_published_begun_and_public(
    new_page: NewPage, violations: Violations, keep_picture: Keep, tmp_path: Path
) -> None:
    async with stage(tmp_path, ("br-cbjd", "br-cbjd"), begins=False, starts="command") as running:
        page = await new_page("laptop")
        await logged_in(page, running, "olga")
        await page.click("#round-new")

        # a list with a fault is told with its line, which is marked; without it, it fills the form
        await page.click("#import > summary")
        await page.fill("#import-text", LIST.replace("Ivo Nunes", "Eva Cruz"))
        await page.click("#import-read")
        await page.wait_for_selector("#import-told.refused")
        assert (await page.inner_text("#import-told")).startswith("Line 3: White and Black are the same player")
        chosen = "document.activeElement.value.slice(document.activeElement.selectionStart).split('\\n')[0]"
        assert str(await page.evaluate(chosen)).startswith("2;Eva Cruz")
        await page.fill("#import-text", LIST)
        await page.click("#import-read")
        await page.wait_for_selector("#white-1")
        assert await page.input_value("#board-1") == "t-2"

        # a table by hand, without a board; what is forgotten is said where it is missing
        await page.click("#table-add")
        await page.fill("#black-2", "Noa Dias")
        await page.fill("#round-minutes", "15")
        await page.fill("#round-increment", "5")
        await page.fill("#round-begins", "2026-12-05T15:00")
        await page.fill("#round-delay", "0")
        await page.fill("#round-featured", "2, 1")
        await page.click("#round-preview")
        await page.wait_for_selector("#white-2[aria-invalid]:focus")
        assert await page.inner_text("#form-told") == "Table 3: White needs a name"
        await page.fill("#white-2", "Lia Reis")
        assert await violations(page) == []
        await keep_picture(page, "round-form")

        # the opening is drawn, from a table of one
        await page.uncheck("#lots-colours")
        await page.click("#lots-openings > summary")
        await page.fill("#lots-table", "c3-c4")
        await page.click("#lots-draw")
        await page.wait_for_selector("#lots-told.refused:text('Line 1')")
        await page.fill("#lots-table", "c3-d4")
        await page.fill("#lots-seed", "7")
        await page.click("#lots-draw")
        await page.wait_for_selector("#lots-told:text('Drawn with seed 7.')")
        assert await page.input_value("#lots-table") == "c3-d4"

        # seen before anybody else sees it
        await page.click("#round-preview")
        await page.wait_for_selector("#preview-publish")
        remarks = await page.inner_text("#remarks")
        assert "results are entered here: table 3" in remarks
        assert "Not named in public: Rui Sá" in remarks
        assert await page.locator(".round-preview td:text('c3-d4')").count() == 3
        assert await violations(page) == []
        await keep_picture(page, "round-preview")
        await page.click("#preview-publish")
        await page.wait_for_selector("#round-begin")
        told = await snapshot(running, lambda told: told["rounds"])
        (round_,) = told["rounds"]
        assert (round_["clock"], round_["state"]) == ("900+5", "planned")
        assert not {"by", "lots"} & set(round_), "what is the organisers' own"
        assert re.fullmatch(r"2026-12-0\dT\d\d:\d\d:00Z", round_["begins"])
        assert round_["publication"]["featured"] == ["2", "1"]
        first = round_["pairings"][0]
        assert first["white"] == {"name": "Ana <b>de</b> Lima", "title": "MN", "club": "Clube do Rio"}
        assert first["black"] == {}

        # put on the boards, begun; the result of the table that has none
        await page.click("#round-set-up")
        await page.wait_for_selector("#table-2 :text('waits for its start')")
        await page.click("#round-begin")
        await page.click("#sure")
        await page.wait_for_selector("#table-1 :text('playing')")
        await running.tables["t-1"].play("c3-d4")
        await page.wait_for_selector("#table-1 :text-is('1 ply')")
        await page.select_option("#result-3", "0-2")
        await page.click("#save-3")
        await page.wait_for_selector("#table-3 .score")
        assert await violations(page) == []
        await keep_picture(page, "round-begun")
        told = await snapshot(
            running, lambda told: told["games"] and told["rounds"][0]["pairings"][2].get("result") == "0-2"
        )
        assert told["rounds"][0]["state"] == "started"
        assert {game["table"] for game in told["games"]} == {"1", "2"}

        # the sheet, of a game and of a table without a board
        sheet = await new_page("laptop")
        address = f"{running.url}/console/sheet/{first['game']}?lang=pt"
        assert (await sheet.request.get(address)).status == 401, "who is no browser is refused"
        await sheet.goto(address)
        await sheet.fill("#name", "olga")
        await sheet.fill("#password", PASSWORDS["olga"])
        await sheet.click("#enter")
        await sheet.wait_for_url(address)
        shown = await sheet.inner_text("main")
        for text in ("MN Ana <b>de</b> Lima", "Rui Sá", "Clube do Rio", "c3-d4", "15 min + 5 s por lance", "Árbitro"):
            assert text in shown
        assert await violations(sheet) == []
        pdf = await sheet.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        await keep_picture(sheet, "sheet")
        name = "Maria Helena de Albuquerque e Vasconcelos Marques"
        long = {"players": {"white": {"name": name, "club": "Clube"}, "black": "Rui"}, "alerts": [], "settled": []}
        for moves, pages in ((21, 1), (50, 1), (80, 2)):
            plies = [ply(number, "32x23x12x21" if number % 23 == 0 else "c3-d4") for number in range(2 * moves)]
            await sheet.set_content(made_sheet("pt", game={**GAME, **long, "plies": plies}))
            pdf = await sheet.pdf(format="A4", prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == pages, moves
            assert await sheet.evaluate("document.body.scrollWidth <= innerWidth")
        await sheet.goto(f"{running.url}/console/sheet/{round_['pairings'][2]['game']}")
        assert await sheet.inner_text(".result") == "0-2 · Black wins"

        portuguese = await new_page("laptop", locale="pt-BR")
        await portuguese.context.add_cookies(await page.context.cookies())
        await portuguese.goto(f"{running.url}/console/sheet/{first['game']}")
        assert await portuguese.inner_text("h1") == "Súmula"

        # what is written stays while another tab is looked at, and a round that is changed keeps its results
        await page.set_viewport_size({"width": 390, "height": 844})
        await page.click("#round-edit")
        await page.fill("#round-name", "Final")
        await page.click("#tab-hall")
        await page.click("#tab-rounds")
        await page.click("#round-1")
        await page.click("#round-edit")
        assert await page.input_value("#round-name") == "Final"
        await keep_picture(page, "round-form-phone")
        change = """async () => {
            const hall = await (await fetch("/console/api/snapshot.json")).json();
            const body = JSON.stringify({...hall.rounds[0], name: "Semifinal"});
            await fetch("/console/api/round", {method: "POST", headers: {"Content-Type": "application/json"}, body});
        }"""
        await portuguese.evaluate(change)
        await snapshot(running, lambda told: told["rounds"][0].get("name") == "Semifinal")
        await page.click("#round-preview")
        assert "olga has changed this round since" in await page.inner_text("#remarks")
        await page.click("#preview-publish")
        told = await snapshot(running, lambda told: told["rounds"][0].get("name") == "Final")
        assert told["rounds"][0]["pairings"][2]["result"] == "0-2"
        assert told["rounds"][0]["state"] == "started"


OTHER = """\
Mesa;Brancas;Pretas;Resultado;Título Brancas
1;João Açor;Zé Sá;;MN
2;Inês Luís;Noa Dias;Pretas;
3;Eva Cruz;;;
"""


@pytest.mark.slow
async def test_a_list_is_read_as_spreadsheets_write_it_and_keeps_what_it_does_not_say(
    new_page: NewPage, violations: Violations, keep_picture: Keep, tmp_path: Path
) -> None:
    from playwright.async_api import expect

    async with stage(tmp_path, ("br-cbjd",), begins=False, starts="command") as running:
        page = await new_page("laptop")
        await logged_in(page, running, "olga", "?lang=pt#/rounds/+")

        # a round without a pairing is not published without a question, nor praised
        await page.click("#take-0")
        await page.select_option("#round-regulation", "")
        await page.click("#round-preview")
        assert await page.inner_text("#remarks") == "▲\nNão tem nenhum emparceiramento."
        await page.click("#preview-publish")
        await page.wait_for_selector("#question:text('nenhum emparceiramento')")
        await page.click("dialog:has(#question) button:not(#sure)")

        # what is refused is told with the names of columns that the reader knows
        await page.click("#import > summary")
        await page.fill("#import-text", "Mesa;Brancas;Treinador\n1;Ana;Rui\n")
        await page.click("#import-read")
        await page.wait_for_selector("#import-told.refused:text('conheço: mesa, brancas, pretas, tabuleiro')")

        # a file of Windows-1252, in Portuguese; the table of that number keeps what the list does not say
        await page.click("#table-add")
        await page.fill("#white-0", "Zé Sá")
        await page.select_option("#board-0", "t-1")
        await page.click("#more-0 > summary")
        await page.check("#white-minor-0")
        await page.fill("#minutes-0", "20")
        await page.fill("#increment-0", "10")
        await page.select_option("#regulation-0", "br-cbjd")
        await page.select_option("#hold-0", "yes")
        for encoding, said in (("utf-16", "3 mesas lidas."), ("cp1252", "3 mesas lidas. O ficheiro não é UTF-8")):
            file = {"name": "r.csv", "mimeType": "text/csv", "buffer": OTHER.encode(encoding)}
            await page.set_input_files("#import-file", file)  # type: ignore[arg-type]
            await expect(page.locator("#import-text")).to_have_value(re.compile("João Açor"))
            await page.click("#import-read")
            await page.wait_for_selector(f"#import-told:text('{said}')")
        assert await page.input_value("#white-1") == "Inês Luís"
        await page.click("#round-preview")
        remarks = await page.inner_text("#remarks")
        assert "Não é indicado regulamento para a mesa 2:" in remarks
        assert "Não é indicado relógio: mesa 2." in remarks
        assert "Sem nome em público: Zé Sá." in remarks
        assert "Não mostrada ao público: mesa 1." in remarks
        shown = await page.inner_text(".round-preview tbody tr:first-child")
        assert all(text in shown for text in ("MN João Açor", "20 min + 10 s por lance", "t-1", "não mostrada"))
        assert await page.inner_text(".round-preview tbody tr:nth-child(2) td:last-child") == "0-2"
        assert await violations(page) == []
        await keep_picture(page, "round-preview-list")
        await page.click("#preview-publish")
        await page.wait_for_selector("#table-2 .score:text-is('0-2')")
        await page.wait_for_selector("#table-1 :text('não mostrada')")
        told = await snapshot(running, lambda told: told["rounds"])
        one, two, _ = told["rounds"][0]["pairings"]
        assert (one["black"], one["clock"], one["regulation"]) == ({}, "1200+10", "br-cbjd"), "a minor stays one"
        assert two["result"] == "0-2"

        # what is dropped is said; the list of rounds says what is kept back, and that the round has begun
        await page.click("#round-edit")
        await page.click("#more-0 > summary")
        await page.fill("#minutes-0", "")
        await page.fill("#increment-0", "")
        await page.click("#take-2")
        await page.click("#round-preview")
        remarks = await page.inner_text("#remarks")
        assert "Perde o relógio próprio: mesa 1." in remarks
        assert "Deixa de estar na ronda: mesa 3." in remarks
        await page.click("#preview-back")
        await page.goto(f"{running.url}/console/?lang=pt#/rounds")
        entry = await page.inner_text("#round-1")
        assert all(text in entry for text in ("a decorrer", "não mostrada: mesa 1", "jogos acabados: 1 de 2"))
        await page.click("#round-1")
        await page.click("#round-begin")
        await page.click("#sure")
        await page.wait_for_selector("#table-1 :text('a jogar')")
        result = {"game": one["game"], "do": "result", "result": "1-1"}
        arbiter = await new_page("laptop")
        await logged_in(arbiter, running, "ana", "#/hall")
        await arbiter.wait_for_selector("#tabs:not([hidden])")
        asked = """async (body) => (await fetch("/console/api/command", {method: "POST", body: JSON.stringify(body),
            headers: {"Content-Type": "application/json"}})).json()"""
        assert (await arbiter.evaluate(asked, result | {"reason": "agreed"}))["outcome"] == "done"
        await page.wait_for_selector(".round-head :text('terminada')")
        await page.wait_for_selector("#round-end.primary")
        await keep_picture(page, "round-over")
