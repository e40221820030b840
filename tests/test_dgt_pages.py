"""docs/dgt.md and docs/tabuleiro-dgt.md say the same, and what they name is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from benchmarks import dgt

from damas_board.cli import _parser
from damas_board.cli.words import _WORDS
from damas_board.config import read_config
from damas_board.decoding.dgt.frames import WRITES_MEMORY, Command
from damas_board.sources.dgt import DGT
from damas_board.sources.dgt_bus import DGT_BUS

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("dgt.md", "tabuleiro-dgt.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SETTINGS_HEAD = ("setting", "opção")
REASONS = ("## When it does not work", "## Quando não funciona")


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def prose(page: str) -> str:
    return FENCE.sub("", text(page))


def typed(page: str) -> list[str]:
    return re.findall(r"^    (\S.*)$", prose(page), re.MULTILINE)


def first_cells(page: str, head: str) -> list[str]:
    (table,) = re.findall(rf"^\| {head} \|.*\n\|.*\n((?:\|.*\n)+)", text(page), re.MULTILINE)
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def test_both_pages_have_the_same_sections_examples_codes_and_rows() -> None:
    def shape(page: str) -> list[object]:
        levels = [len(mark) for mark in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]
        quoted = sorted(re.findall(r"`([^`\n]+)`", re.sub(r"\n *", " ", prose(page))))
        points = re.findall(r"^(\d+\.|-) ", prose(page), re.MULTILINE)
        return [levels, FENCE.findall(text(page)), typed(page), quoted, points, prose(page).count("\n| ")]

    assert shape(PAGES[0]) == shape(PAGES[1])


@pytest.mark.parametrize("page", PAGES)
def test_the_portuguese_and_the_english_are_not_mixed(page: str) -> None:
    own = re.sub(r"^    .*$|`[^`]*`|\(.*?\.md\)|^\*\[.*$|<!--.*-->", "", prose(page), flags=re.MULTILINE)
    others = (r"\b(the|and|board|piece)\b", r"\b(os|uma|tabuleiro|peça)\b")
    assert not re.search(others[PAGES.index(page) ^ 1], own)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str) -> None:
    lines = [*typed(page), *re.findall(r"`(damas-board [^`]+)`", re.sub(r"\n *", " ", prose(page)))]
    found = [shlex.split(line)[1:] for line in lines if line.startswith("damas-board ")]
    assert {arguments[1] for arguments in found if arguments[0] == "dgt"} == {"look", "log", "bus", "report", "scan"}
    for arguments in found:
        if arguments not in (["run"], ["boards"], ["dgt", "look"], ["dgt", "bus"]):
            assert callable(_parser(arguments).parse_args(arguments).call), arguments


@pytest.mark.parametrize("page", PAGES)
def test_every_setting_of_the_adapters_is_told_with_what_it_is_if_left_out(page: str) -> None:
    head = SETTINGS_HEAD[PAGES.index(page)]
    fields = {**DGT.options.model_fields, **DGT_BUS.options.model_fields}
    assert sorted(first_cells(page, head)) == sorted(fields)
    for name, field in fields.items():
        if not field.is_required() and field.default != ():
            told = str(field.default).lower() if isinstance(field.default, bool) else field.default
            cell = f'"{told}"' if isinstance(field.default, str) else str(told)
            assert f"| `{name}` | `{cell}` |" in text(page), name


def test_the_examples_are_a_configuration(tmp_path: Path) -> None:
    blocks = [block for _, block in FENCE.findall(text(PAGES[0]))]
    by_itself = blocks[0], *blocks[2:]
    for number, block in enumerate([*by_itself, blocks[1]]):
        path = tmp_path / f"{number}.toml"
        path.write_text(f'meeting = "club"\n{block}', "utf-8")
        assert all(board.adapter is not None for board in read_config(path).boards)


def test_the_settings_that_bluetooth_is_given_are_those_that_were_measured() -> None:
    for page in PAGES:
        for name, seconds in dgt.dgt_games.BLUETOOTH_SETTINGS.items():
            assert f"\n{name} = {seconds}\n" in text(page)


def test_the_times_by_cable_are_those_of_the_adapter() -> None:
    seconds = [f"{DGT.settings[name]:g}" for name in dgt.dgt_games.BLUETOOTH_SETTINGS]
    told = "{}, {}, {} and {} s".format(*seconds), "{}, {}, {} e {} s".format(*seconds).replace(".", ",")
    for page, words in zip(PAGES, told, strict=True):
        assert words in text(page)


@pytest.mark.parametrize("page", PAGES)
def test_every_reason_of_the_page_is_a_code_that_travels_with_the_words_that_people_read(page: str) -> None:
    language = PAGES.index(page)
    codes = (DOCS / "codes.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|`]+) \| [^|]+ \|$", text(page).split(REASONS[language])[1], re.MULTILINE)
    assert len(rows) == 13
    for code, read in rows:
        assert f"`{code}`" in codes
        said = [_WORDS[key][language] for key in (f"error.{code}", f"reason.{code}") if key in _WORDS]
        assert any(read in words for words in said), code


@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_section_leads_to_one(page: str) -> None:
    sections = {
        re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in re.findall(r"^#+ (.*)$", text(page), re.M)
    }
    found = re.findall(r"\]\(#([^)]+)\)", text(page))
    assert len(found) >= 4
    assert set(found) <= sections


@pytest.mark.parametrize(("language", "page"), list(enumerate(PAGES)))
def test_the_figures_have_the_rows_that_the_benchmark_writes(language: int, page: str) -> None:
    def rows(name: str) -> list[str]:
        (found,) = [
            part
            for mark, part in re.findall(r"<!-- figures: (\w+) -->\n(.*?)<!-- /", text(page), re.DOTALL)
            if mark == name
        ]
        return [line.split("|")[1].strip() for line in found.splitlines() if line.startswith("|")][2:]

    assert rows("faults") == [dgt.FAULT_WORDS[name][language] for name in dgt.FAULTS]
    assert rows("bus") == [str(count) for count in dgt.LINES]
    assert len(rows("times")) == 4
    assert len(rows("games")) == 4


def test_the_hundred_games_are_as_many_as_the_page_says() -> None:
    large = sum(dgt.dgt_games.OF_EACH[kind] for kind in ("international", "frisian", "antidraughts"))
    for page in PAGES:
        assert re.search(rf"\b{large} \w+ 100 \w+ \w+ {100 - large} \w+ 64\b", re.sub(r"\n", " ", text(page)))


def test_nothing_that_writes_is_named_as_if_it_were_sent() -> None:
    assert {Command.SCAN_ALL, Command.SCAN_BLACK, Command.SCAN_WHITE} == WRITES_MEMORY
