"""Pictures of every state of the public pages, at three sizes, light and dark, kept in pictures/ for people to look at.

And in all of them: nothing wider than the screen, nothing that keeps people out.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from browser.conftest import SIZES, NewPage, Violations
from browser.told import Told, pairing, telling

from damas_board.hub.pages import JSON, Page
from damas_board.messages.envelope import rfc3339

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

NAMES = ("Ana Beatriz Lima", "João Pedro de Albuquerque", "Rui Matos", "Fernando Estêvão Guimarães Teixeira")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TABLES = 8
SETTLED = """async (scheme) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!matchMedia(`(prefers-color-scheme: ${scheme})`).matches) await frame();
  for (let frames = 0; frames < 4; frames++) await frame();
}"""


def people(number: int) -> dict[str, Any]:
    title = {"title": "MI"} if number % 3 == 0 else {}
    return {"name": NAMES[number % 4], "club": "Clube de Damas do Porto", "federation": "POR", **title}


def tell_round(told: Told, state: str) -> None:
    pairings = [pairing(n, people(2 * n), people(2 * n + 1)) for n in range(1, TABLES + 1)]
    body = {"round": "1", "state": state, "regulation": "br-cbjd", "clock": "900+5", "pairings": pairings}
    begins = rfc3339(datetime.now(UTC) + timedelta(minutes=20))
    told.round("1", {**body, "begins": begins, "publication": {"delay": 60, "featured": ["3"]}})


def tell_games(told: Told) -> None:
    regulations = ("br-cbjd", "pt-classicas", "int-fmjd", "tr-tudaf")
    for number in range(1, TABLES + 1):
        game = f"g-{number}"
        told.begin(
            game, regulations[number % 4], moves=6 + 2 * number, table=str(number), time_control="900+5", delay=60
        )
        told.clock(game, 700 - 31 * number, 640.0)
    told.say("g-4", silent=rfc3339(datetime.now(UTC) - timedelta(seconds=70)))
    told.say(
        "g-5", notes=[{"ply": n, "basis": basis} for n, basis in ((3, "inferred"), (4, "entered"), (16, "inferred"))]
    )


def end_games(told: Told) -> None:
    ends = (("white", "2-0", "resigned"), ("draw", "1-1", "agreed"), ("black", "0-2", "blocked"))
    for number in range(1, TABLES + 1):
        winner, result, reason = ends[number % 3]
        over = {"event": "game_over", "at": 1.0, "winner": winner, "result": result, "reason": reason}
        told.say(f"g-{number}", over=over)
    columns = {"federation": "POR", "rating": None, "games": 1, "wins": 1, "draws": 0, "losses": 0}
    rows = [
        {"place": n, "player": str(n), "name": NAMES[n % 4], "points": 2.0, "sonneborn_berger": 0.5, **columns}
        for n in range(1, TABLES + 1)
    ]
    told.pages["/standings/1.json"] = Page(json.dumps(rows).encode(), JSON, '"1"')


async def test_every_state_at_three_sizes_light_and_dark(
    new_page: NewPage,
    violations: Violations,
    keep_picture: Callable[[Tab, str], Awaitable[Path]],
) -> None:
    async with telling() as told:
        tab = await new_page(reduced_motion="reduce")

        async def pictures(state: str, path: str, *, language: str = "en") -> None:
            await tab.goto(f"{told.url}{path}{'&' if '?' in path else '?'}lang={language}")
            await tab.locator("#content > *").first.wait_for()
            for size, (width, height) in SIZES.items():
                await tab.set_viewport_size({"width": width, "height": height})
                for scheme in SCHEMES:
                    await tab.emulate_media(color_scheme=scheme)
                    told.beat()
                    await tab.evaluate(SETTLED, scheme)
                    await keep_picture(tab, f"live-{state}-{size}-{scheme}")
                    assert await violations(tab) == [], (state, size, scheme)
                wide = await tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, (state, size)

        tell_round(told, "planned")
        await pictures("before", "/")
        tell_games(told)
        tell_round(told, "started")
        await pictures("wall", "/")
        await pictures("wall-pt", "/", language="pt")
        await pictures("game", "/g/g-5")
        await pictures("game-pt", "/t/6?ply=4", language="pt-BR")
        end_games(told)
        tell_round(told, "over")
        await pictures("after", "/?view=results")
        await pictures("over", "/g/g-2")
        await pictures("nothing", "/g/none")
