"""docs/arbiter.md and docs/arbitro.md have every kind of alert, with its severity, and every command of an arbiter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from damas_board.messages.requests import COMMANDS
from damas_board.regulations.policy import KINDS, SEVERITY

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("arbiter.md", "arbitro.md")
NOT_THE_ARBITERS = {"new_game", "start", "abort", "move_to"}
"""Commands that are an organiser's."""


@pytest.mark.parametrize("page", PAGES)
def test_every_kind_has_its_severity_and_one_sentence(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (note|warning|irregular) \| (.+) \|$", text, re.MULTILINE)
    assert [kind for kind, _, _ in rows] == list(KINDS)
    assert {kind: severity for kind, severity, _ in rows} == SEVERITY
    for kind, _, sentence in rows:
        assert re.fullmatch(r"[^.]+\.", sentence), kind


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_an_arbiter_is_there(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z_]+)", row)} - set(KINDS)
    assert named == COMMANDS - NOT_THE_ARBITERS


@pytest.mark.parametrize(("page", "said"), [("arbiter.md", "a new game begins from"), ("arbitro.md", "partida nova")])
def test_how_long_mask_and_orient_hold_is_said(page: str, said: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    (paragraph,) = (part for part in text.split("\n\n") if part.startswith("`mask` "))
    assert "`orient`" in paragraph
    assert said in paragraph


def test_dismissing_has_one_word_in_portuguese() -> None:
    text = (DOCS / "arbitro.md").read_text("utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| `dismiss "))
    assert "arquivado" in row
    assert "registo de ocorrências" in row
    assert "`dismissed` (arquivado" in text
    assert "rejeit" not in text


@pytest.mark.parametrize("page", PAGES)
def test_every_command_line_of_the_page_is_one(page: str) -> None:
    from damas_board.cli import _parser

    lines = re.findall(r"^    damas-board (.+)$", (DOCS / page).read_text("utf-8"), re.MULTILINE)
    assert len(lines) > 4
    for line in lines:
        arguments = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
        assert callable(_parser(arguments).parse_args(arguments).call)
