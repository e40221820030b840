"""docs/camera.md and docs/camara.md say the same, and what they name is there."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from calibration.one_picture import Hint, How, Status
from damas_board.cli import _parser
from damas_board.cli.words import _WORDS
from damas_board.config.shapes import BoardTable, CameraTable
from damas_board.decoding.vision.score import ACCEPTED
from damas_board.sources.camera import REASONS
from damas_board.sources.errors import TEXTS

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("camera.md", "camara.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def prose(page: str) -> str:
    return FENCE.sub("", text(page))


def typed(page: str) -> list[str]:
    return re.findall(r"^    (\S.*)$", prose(page), re.MULTILINE)


def table(page: str, first: str) -> list[str]:
    """The first cells of the table whose first row has that code in it."""
    rows = [line.split("|")[1].strip() for line in text(page).splitlines() if line.startswith("| `")]
    start = next(n for n, cell in enumerate(rows) if f"`{first}`" in cell)
    return rows[start:]


def test_both_pages_have_the_same_sections_in_the_same_order() -> None:
    levels = [[len(mark) for mark in re.findall(r"^(#+) ", prose(page), re.MULTILINE)] for page in PAGES]
    assert levels[0] == levels[1]
    assert levels[0].count(2) == 8


def test_both_pages_have_the_same_commands_examples_and_codes() -> None:
    assert FENCE.findall(text(PAGES[0])) == FENCE.findall(text(PAGES[1]))
    assert typed(PAGES[0]) == typed(PAGES[1])
    quoted = [sorted(re.findall(r"`([^`\n]+)`", prose(page))) for page in PAGES]
    assert quoted[0] == quoted[1]
    rows = [len(re.findall(r"^\|", prose(page), re.MULTILINE)) for page in PAGES]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("page", PAGES)
def test_the_portuguese_and_the_english_are_not_mixed(page: str) -> None:
    own = re.sub(r"^    .*$|`[^`]*`|\(.*?\.md\)|^\*\[.*$", "", prose(page), flags=re.MULTILINE)
    others = (r"\b(the|and|board|picture)\b", r"\b(os|uma|tabuleiro|imagem)\b")
    assert not re.search(others[PAGES.index(page) ^ 1], own)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str) -> None:
    found = [shlex.split(line)[1:] for line in typed(page) if line.startswith("damas-board ")]
    assert len(found) == 8
    for arguments in found:
        assert callable(_parser(arguments).parse_args(arguments).call), arguments


def test_the_tables_of_the_configuration_have_the_keys_that_there_are() -> None:
    ((_, block),) = FENCE.findall(text(PAGES[0]))
    (board,) = tomllib.loads(block)["board"]
    assert set(board) <= set(BoardTable.model_fields)
    assert set(board["camera"]) <= set(CameraTable.model_fields)
    named = set(re.findall(r"`(keep_megabytes|device_file|device)`", text(PAGES[0])))
    assert named <= set(CameraTable.model_fields)
    assert len(named) == 3


def test_every_reason_for_which_a_watched_board_is_lost_is_explained_in_the_words_of_the_console() -> None:
    for language, page in enumerate(PAGES):
        rows = dict(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*?) \|", text(page), re.MULTILINE))
        told = {key: said for keys, said in rows.items() for key in re.findall(r"`(\w+)`", keys)}
        seen = {*REASONS.values(), "frozen"}
        assert seen <= set(told)
        for key in seen - {"no_board"}:  # that of sensors as well
            assert told[key] == _WORDS[f"reason.{key}"][language]
        table_ = set(re.findall(r"`(\w+)`", " ".join(table(page, "no_board")[:11])))
        assert table_ - seen <= set(TEXTS)


def test_every_key_status_way_and_hint_of_the_object_is_explained() -> None:
    page = text(PAGES[0])
    for name in (*get_args(Status), *get_args(How), *get_args(Hint)):
        assert f"`{name}`" in page, name
    assert f"less than {ACCEPTED:.0f}" in page


@pytest.mark.parametrize(("page", "language"), list(zip(PAGES, (0, 1), strict=True)))
def test_what_calibration_is_said_to_say_is_what_it_says(page: str, language: int) -> None:
    said = [words[language] for key, words in _WORDS.items() if key.startswith("camera.")]
    section = text(page).split("\n### ")[1].split("\n### ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 9
    for row in rows:
        for part in re.split(r"\.\.\.|; ?", row):
            words = part.strip(" ,").split(",")[0].split()
            assert any(all(word in text_.split() or word in text_ for word in words) for text_ in said), (row, part)
