"""<draughts-board> in a real browser: squares called as in the rules, marks, names, keyboard, and only what changed is
drawn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from browser.conftest import SIZES, NewPage, Violations

from damas_board.hub.assets import public_routes
from damas_board.hub.web import WebServer
from damas_board.notation.fen import read_fen, write_fen
from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.rules.variants import VARIANTS

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BOARD = """(attributes) => {
  const board = document.createElement("draughts-board");
  for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
  const main = document.createElement("main");
  main.append(board);
  document.body.replaceChildren(main);
  board.style.width = "480px";
}"""
CELLS = """() => {
  const board = document.querySelector("draughts-board");
  const whole = board.getBoundingClientRect();
  const cells = [...board.shadowRoot.querySelectorAll("[role=gridcell]")];
  return cells.map((cell) => {
    const box = cell.getBoundingClientRect();
    const [left, top] = [box.left + box.width / 2 - whole.left, box.top + box.height / 2 - whole.top];
    const at = [left / box.width, top / box.height];
    return {name: cell.ariaLabel, at, column: Number(cell.getAttribute("aria-colindex"))};
  });
}"""
SET = """(attributes) => {
  const board = document.querySelector("draughts-board");
  for (const [name, value] of Object.entries(attributes))
    value === null ? board.removeAttribute(name) : board.setAttribute(name, value);
}"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def site() -> AsyncIterator[str]:
    """Where the board's page is, without anything else of a hub."""
    async with WebServer({}, public=public_routes()) as server:
        yield f"{server.url}board"


async def _board(page: Page, **attributes: str) -> None:
    """The page with one board and nothing else."""
    await page.evaluate(BOARD, {name.replace("_", "-"): value for name, value in attributes.items()})


async def _set(page: Page, **attributes: str | None) -> None:
    await page.evaluate(SET, {name.replace("_", "-"): value for name, value in attributes.items()})


async def _names(page: Page) -> list[str]:
    """What a screen reader is told of the squares, row by row from the top."""
    return [cell["name"] for cell in await page.evaluate(CELLS)]


async def _said(page: Page, square: str) -> str:
    """What is said of a square behind its name."""
    found = [name for name in await _names(page) if name.startswith(f"{square}, ")]
    assert len(found) == 1, found
    return found[0].removeprefix(f"{square}, ")


async def _focused(page: Page) -> str:
    found = await page.evaluate("document.querySelector('draughts-board').shadowRoot.activeElement?.dataset.name")
    return str(found)


async def _drawn(page: Page, selector: str) -> int:
    return len(await page.query_selector_all(f"draughts-board {selector}"))


def _place(geometry: Geometry, square: int, orientation: str) -> tuple[int, int]:
    """Column and row as a person sees them, from the top left."""
    row, column = divmod(square, geometry.size)
    return (column, geometry.size - 1 - row) if orientation == "white" else (geometry.size - 1 - column, row)


async def test_every_square_is_called_and_lies_as_in_the_rules(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    assert {v.corner for v in VARIANTS.values()} == {"left", "right", "all"}
    for variant in VARIANTS.values():
        geometry = variant.geometry
        shape = {"size": str(variant.size), "corner": variant.corner, "numbering": variant.numbering}
        start = initial(variant)
        men = {square: "white man" for square in squares_of(start.pieces(Side.WHITE))}
        men |= {square: "black man" for square in squares_of(start.pieces(Side.BLACK))}
        for orientation in ("white", "black"):
            await _board(page, **shape, orientation=orientation, coordinates="none", position=write_fen(start))
            names = await page.evaluate("document.querySelector('draughts-board').names")
            assert names == [geometry.name(square) for square in range(geometry.size**2)]
            expected = {
                _place(geometry, square, orientation): f"{geometry.name(square)}, {men.get(square, 'empty')}"
                for square in geometry.playable
            }
            cells = await page.evaluate(CELLS)
            assert {(int(c["at"][0]), int(c["at"][1])): c["name"] for c in cells} == expected, variant.name
            assert [c["column"] for c in cells] == [int(c["at"][0]) + 1 for c in cells]
            assert await _drawn(page, ".pieces > *") == len(men)


async def test_the_demo_shows_every_variant_as_it_is(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    read = "(boards) => boards.map((b) => [b.dataset.variant, Number(b.size), b.corner, b.numbering, b.position])"
    shown = await page.eval_on_selector_all("#variants draughts-board", read)
    assert [one[:4] for one in shown] == [[v.name, v.size, v.corner, v.numbering] for v in VARIANTS.values()]
    assert [read_fen(one[4], VARIANTS[one[0]]) for one in shown] == [initial(v) for v in VARIANTS.values()]


async def test_pieces_are_told_apart_by_shape_and_named_in_the_readers_language(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    await _board(page, position="W:Wa1,Kb6:Bh8,Kf6.", lang="en")
    assert [await _said(page, square) for square in ("a1", "b6", "h8", "f6", "c3")] == [
        "white man",
        "white king",
        "black man",
        "black king",
        "empty",
    ]
    assert await _drawn(page, ".king .crown") == 2
    assert await _drawn(page, ".man .crown") == 0
    dashes = "(rings) => rings.map((ring) => getComputedStyle(ring).strokeDasharray)"
    assert set(await page.eval_on_selector_all("draughts-board .white .ring", dashes)) == {"none"}
    assert "none" not in await page.eval_on_selector_all("draughts-board .black .ring", dashes)
    await _set(page, lang="pt-PT")
    assert [await _said(page, square) for square in ("a1", "b6", "h8", "f6", "c3")] == [
        "peão branco",
        "dama branca",
        "peão preto",
        "dama preta",
        "vazia",
    ]
    await _set(page, lang="pt-BR")
    assert await _said(page, "a1") == "pedra branca"
    await _set(page, lang="en", size="10", numbering="top-left", position="B:W31-50:B1-20")
    assert (await _said(page, "1"), await _said(page, "31"), await _said(page, "26")) == (
        "black man",
        "white man",
        "empty",
    )


async def test_marks_are_drawn_and_said(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    await _board(page, position="W:Wa1,c3,Kg7:Bh6", lang="en", last_move="e5 g7", path="c7 e5 g7", captured="f6")
    assert await _said(page, "e5") == "empty, moved from here"
    assert await _said(page, "g7") == "white king, moved to here"
    assert await _said(page, "f6") == "empty, piece taken here"
    assert await _drawn(page, ".route .head") == 3
    await _set(page, last_move=None, path=None, captured=None, source="c3", targets="b4 d4", alerts="h6 e4")
    assert await _drawn(page, ".route > *") == 0
    assert await _said(page, "c3") == "white man, chosen"
    assert await page.get_attribute("draughts-board [data-name=c3]", "aria-selected") == "true"
    assert await _said(page, "d4") == "empty, can be chosen"
    assert await _said(page, "h6") == "black man, alert"
    assert await _said(page, "e4") == "light square, alert"
    assert await _drawn(page, ".alert .sign") == 2
    await _set(page, source=None, targets=None, alerts=None, put="b4:W d4:b", clear="a1")
    assert not [name for name in await _names(page) if "light" in name or "alert" in name]
    assert await page.get_attribute("draughts-board [data-name=c3]", "aria-selected") is None
    assert await _said(page, "b4") == "empty, put here: white king"
    assert await _said(page, "d4") == "empty, put here: black man"
    assert await _said(page, "a1") == "white man, take the piece away"
    assert (await _drawn(page, ".put .king.white"), await _drawn(page, ".put .man.black")) == (1, 1)
    await page.evaluate("document.querySelector('draughts-board').put = {b4: 'w'}")
    assert await _said(page, "b4") == "empty, put here: white man"
    await page.evaluate("document.querySelector('draughts-board').alerts = ['a1', 'c3']")
    assert await _said(page, "c3") == "white man, alert"


async def test_a_ghost_is_drawn_where_the_sensors_see_something_else(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    rows = ["........", "......W.", ".......?", "........", ".o......", "..b..w..", "........", "........"]
    await _board(page, position="W:Wa1,c3,Kg7:Bh6", lang="en", see="/".join(rows))
    agreeing = {"g7": "white king", "e5": "empty"}
    disagreeing = {
        "a1": "white man, the sensors see no piece",
        "b4": "empty, the sensors see a piece",
        "c3": "white man, the sensors see black man",
        "f3": "light square, the sensors see white man",
        "h6": "black man, the sensors cannot read it",
    }
    for square, said in (agreeing | disagreeing).items():
        assert await _said(page, square) == said
    assert await _drawn(page, ".over > *") == len(disagreeing)
    await _set(page, see="/".join(rows).replace("W", "w"))
    assert await _said(page, "g7") == "white king"  # a board that sees colours says nothing of kings
    await _set(page, senses="kind")
    assert await _said(page, "g7") == "white king, the sensors see white man"
    await _set(page, see=None)
    assert await _drawn(page, ".over > *") == 0


async def test_squares_are_walked_through_and_chosen_with_the_keyboard(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    await _board(page, position="W:Wc3:Bf6", interactive="", label="Table 3", lang="en")
    assert await page.get_by_role("grid", name="Table 3").get_by_role("row").count() == 8
    assert await page.get_by_role("gridcell").count() == 32
    await page.evaluate(
        "window.chosen = []; addEventListener('square', (event) => chosen.push(event.detail.square));"
        " document.body.style.height = '3000px'"
    )
    await page.keyboard.press("Tab")
    walked = [await _focused(page)]
    keys = "ArrowRight ArrowDown ArrowDown ArrowDown Home End Control+End Control+Home ArrowUp ArrowLeft End ArrowRight"
    for key in keys.split():
        await page.keyboard.press(key)
        walked.append(await _focused(page))
    assert walked == ["b8", "d8", "c7", "d6", "c5", "a5", "g5", "g1", "b8", "b8", "b8", "h8", "h8"]
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    await page.click("draughts-board [data-name=c3]")
    await _set(page, alerts="e4")
    await page.click("draughts-board [data-name=e4]")  # light: it is there because something is said of it
    assert await page.evaluate("chosen") == ["h8", "g7", "c3"]
    assert await page.evaluate("scrollY") == 0
    await page.evaluate("document.querySelector('draughts-board').focusSquare('c3')")
    await page.keyboard.press("ArrowUp")
    assert await _focused(page) == "b4"
    tabbed = "[...document.querySelector('draughts-board').shadowRoot.querySelectorAll('[tabindex=\"0\"]')].length"
    assert await page.evaluate(tabbed) == 1
    await _set(page, orientation="black")
    assert await _focused(page) == "b4"  # stays where it was when the board is turned
    await page.keyboard.press("ArrowDown")
    assert await _focused(page) == "c5"
    await _set(page, interactive=None)
    await page.keyboard.press("Enter")
    assert await page.evaluate("chosen.length") == 3


async def test_changes_are_told_politely_and_only_where_asked(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    live = "document.querySelector('draughts-board').shadowRoot.querySelector('[aria-live=polite]')?.textContent"
    await _board(page, position="W:Wc3:Bd4,Kh8", lang="pt")
    await _set(page, position="B:We5:BKh8", last_move="c3 e5", captured="d4")
    assert await page.evaluate(live) is None
    await _set(page, announce="")
    assert await page.evaluate(live) == ""
    await _set(page, position="W:We5:BKa1", last_move="h8 a1", captured=None)
    assert await page.evaluate(live) == "dama preta de h8 para a1."
    await _set(page, lang="en", position="B:W:BKa1", last_move="e5 b2", captured="c3 d4", alerts="b2", clear="a1")
    told = await page.evaluate(live)
    assert told == "a piece from e5 to b2; takes c3, d4; alert on b2; take away a1."
    await _set(page, alerts=None)
    assert await page.evaluate(live) == told
    await _set(page, position="B:We1:BKa1")
    assert await page.evaluate(live) == "the position has changed."


async def test_only_what_changed_is_drawn_again(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    changed = await page.evaluate(
        """async () => {
          const main = document.createElement("main");
          const men = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8";
          const boards = [...Array(64)].map(() => document.createElement("draughts-board"));
          for (const board of boards) board.position = men;
          main.append(...boards);
          document.body.replaceChildren(main);
          let touched = 0;
          const seen = (records) => (touched += records.length);
          const watch = new MutationObserver(seen);
          const all = {subtree: true, childList: true, attributes: true};
          for (const board of boards) watch.observe(board.shadowRoot, all);
          const pieces = () => boards.flatMap((board) => [...board.shadowRoot.querySelectorAll(".piece")]);
          const before = new Set(pieces());
          for (const board of boards) {
            board.position = men.replace("c3", "d4").replace("W:W", "B:W");
            board.lastMove = "c3 d4";
          }
          await new Promise((done) => setTimeout(done));
          seen(watch.takeRecords());
          const kept = pieces().filter((piece) => before.has(piece)).length;
          const first = touched / 64;
          for (const board of boards) board.position = board.position + "";
          await new Promise((done) => setTimeout(done));
          seen(watch.takeRecords());
          return [before.size, pieces().length, kept, first, touched / 64 - first];
        }"""
    )
    assert changed[:3] == [64 * 24] * 3  # each piece kept its element, the one that moved too
    assert changed[3] <= 10  # the piece off and on and its place; two marks; two names
    assert changed[4] == 0


async def test_pieces_slide_unless_motion_is_not_wanted(new_page: NewPage, site: str) -> None:
    sliding = "getComputedStyle(document.querySelector('draughts-board').shadowRoot.querySelector('.piece'))"
    for motion, seconds in (("no-preference", "0.18s"), ("reduce", "0s")):
        page = await new_page(reduced_motion=motion)
        await page.goto(site)
        assert await page.evaluate(f"{sliding}.transitionDuration") == seconds


async def test_a_picture_has_a_name_and_no_squares(new_page: NewPage, site: str) -> None:
    page = await new_page()
    await page.goto(site)
    await _board(page, picture="", position="B:We5:Bh8", last_move="d4 e5", label="Table 3", lang="pt")
    assert await page.get_by_role("img", name="Table 3: peão branco de d4 para e5", exact=True).count() == 1
    assert await page.get_by_role("gridcell").count() == 0
    await _set(page, picture=None)
    assert await page.get_by_role("gridcell").count() == 32


@pytest.mark.parametrize(
    ("size", "locale", "scheme"),
    [("phone", "pt-PT", "dark"), ("laptop", "en-GB", "light"), ("projector", "pt-BR", "dark")],
)
async def test_the_demo_is_played_through_and_accessible(
    new_page: NewPage, site: str, violations: Violations, keep_picture: Any, size: str, locale: str, scheme: str
) -> None:
    page = await new_page(size, locale=locale, color_scheme=scheme)
    await page.goto(site)
    await page.select_option("#variant", "portuguese")
    await page.click("button[name=forward]")
    for text in ("12x3", "2x9", "3x15"):
        start, _, end = text.partition("x")
        await page.click(f"#board [data-name='{start}']")
        await page.click(f"#board [data-name='{end}']")
        assert await page.text_content("#move") == text
    piece = "dama preta" if locale.startswith("pt") else "black king"
    label = await page.get_attribute("#board [data-name='15']", "aria-label")
    assert label is not None
    assert label.startswith(f"15, {piece}, ")
    assert await violations(page) == []
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size][0]
    await keep_picture(page, f"board-{size}")


async def test_what_was_set_before_the_file_had_come_is_shown(new_page: NewPage, site: str) -> None:
    page = await new_page()
    asked = asyncio.Event()
    go_on = asyncio.Event()

    async def late(route: Route) -> None:
        asked.set()
        await go_on.wait()
        await route.continue_()

    await page.route("**/draughts-board.js", late)
    await page.goto(site, wait_until="commit")
    await asked.wait()
    await page.wait_for_selector("#board", state="attached")
    await page.evaluate("document.querySelector('#board').alerts = ['c3', 'd4']")
    go_on.set()
    await page.wait_for_selector("#board[alerts='c3 d4'] .alert")
