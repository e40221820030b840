"""docs/broadcast.md and docs/transmissao.md say the same, and what they name is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from damas_board.config.shapes import HubTable
from damas_board.hub import assets
from damas_board.hub.feed_watch import TEXTS
from damas_board.hub.pages import Pages
from damas_board.messages.rounds import read_round
from damas_board.rules.variants import VARIANTS

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("broadcast.md", "transmissao.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def prose(page: str) -> str:
    return FENCE.sub("", text(page))


def blocks(page: str, kind: str) -> list[str]:
    return [block for found, block in FENCE.findall(text(page)) if found == kind]


def test_both_pages_have_the_same_sections_in_the_same_order() -> None:
    levels = [[len(mark) for mark in re.findall(r"^(#+) ", prose(page), re.MULTILINE)] for page in PAGES]
    assert levels[0] == levels[1]
    assert levels[0].count(2) == 10
    assert levels[0].count(3) == 6


def test_both_pages_have_the_same_examples_addresses_and_codes() -> None:
    assert FENCE.findall(text(PAGES[0])) == FENCE.findall(text(PAGES[1]))
    typed = [re.findall(r"^ {4,}(\S.*)$", prose(page), re.MULTILINE) for page in PAGES]
    assert typed[0] == typed[1]
    assert len(typed[0]) == 2
    quoted = [sorted(re.findall(r"`([^`\n]+)`", prose(page))) for page in PAGES]
    assert quoted[0] == quoted[1]
    rows = [len(re.findall(r"^\|", prose(page), re.MULTILINE)) for page in PAGES]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("page", PAGES)
def test_the_portuguese_and_the_english_are_not_mixed(page: str) -> None:
    own = re.sub(r"^    .*$|`[^`]*`|\(.*?\)|^\*\[.*$", "", prose(page), flags=re.MULTILINE)
    others = (r"\b(the|and|board|table)\b", r"\b(os|uma|tabuleiro|mesa)\b")
    assert not re.search(others[PAGES.index(page) ^ 1], own)


def test_the_configuration_on_the_pages_can_be_used() -> None:
    push, publication = blocks(PAGES[0], "toml")
    table = HubTable.model_validate(tomllib.loads(push)["hub"])
    assert table.push[0].files == ("feed/*", "rounds/*", "standings*")
    for value in re.findall(r'`feed_setups = "(\w+)"`', text(PAGES[0])):
        assert HubTable(feed_setups=value).feed_setups == value
    assert HubTable().feed_setups == "truncate"
    planned = read_round({"round": "1", "pairings": [], **tomllib.loads(publication)})
    assert planned.publication.consumers == {"tv": 1800}


def test_every_address_and_every_parameter_is_there() -> None:
    named = set(re.findall(r"`(/[^`…]*)`", text(PAGES[0])))
    places = {re.sub(r"\{.*?\}", "X", place) for place in assets.PLACES}
    looked_at = {re.sub(r"/[15](?=[/?]|$)", "/X", path.partition("?")[0]) for path in named if "." not in path}
    made = {"/files", "/api/X", "/broadcast/new", "/livechess/", "/srv/feeds"}  # the last are not the hub's
    assert {"/t/X", "/overlay/t/X", "/embed/t/X", "/qr"} <= looked_at
    assert {re.sub(r"/api/\w+", "/api/X", path) for path in looked_at} <= places | made
    assert set(re.findall(r"^\| `(\w+)=", text(PAGES[0]), re.MULTILINE)) <= set(
        re.findall(
            r"parameters\.get\(\"(\w+)\"\)", (Path(assets.__file__).parent / "assets/overlay.js").read_text("utf-8")
        )
    ) | {"lang"}
    styles = (Path(assets.__file__).parent / "assets/overlay.css").read_text("utf-8")
    for name in re.findall(r"(--[\w-]+):", blocks(PAGES[0], "css")[0]):
        assert f"{name}:" in styles
    assert "/files" in Pages("open").pages


def test_every_code_is_named_and_every_variant_spoken_of() -> None:
    for page in PAGES:
        listed = set(re.findall(r"`((?:feed|push)_\w+)`", text(page)))
        assert {*TEXTS, "push_behind"} <= listed
    told = text(PAGES[0]).lower()
    assert [name for name in VARIANTS if name not in told] == []
