"""docs/add-a-board.md quotes the example's files, and names what a talk tells and what the kits hold as they are."""

from __future__ import annotations

import re
import string
import textwrap
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import get_args

from sources.contract import SourceContract
from sources.example_board import ChattyOptions
from sources.talk_contract import TalkContract

from damas_board.config.shapes import BoardTable
from damas_board.decoding.talk import Told
from damas_board.sources.adapter import Place
from damas_board.sources.errors import TEXTS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "add-a-board.md").read_text("utf-8")
FILES = [
    ROOT / "tests" / "sources" / name
    for name in ("example_board.py", "example_peer.py", "test_example_board.py", "example_play.py")
]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def one_blank_line(text: str) -> str:
    """Methods that a page quotes stand further apart there."""
    return re.sub(r"\n\n+", "\n\n", text)


def first_cells(head: str) -> list[str]:
    """The codes in the first column of the table that begins with `head`."""
    (table,) = re.findall(rf"^\| {head} \|.*\n\|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def test_what_the_page_quotes_are_lines_of_the_example() -> None:
    quoted = blocks("python")
    assert len(quoted) >= 9
    texts = [one_blank_line(path.read_text("utf-8")) for path in FILES]
    for block in map(one_blank_line, quoted):
        found = [text for text in texts for by in (0, 4) if textwrap.indent(block, " " * by) in text]
        assert found, block


def test_the_lines_of_the_board_are_those_of_the_example() -> None:
    for line in ("i am 1042 of make 3", "board 01", "pressed a"):
        said = re.findall(rf"^    {line}.*$", PAGE, re.MULTILINE)
        assert len(said) == 1
        assert said[0] in FILES[0].read_text("utf-8")


def test_the_page_names_all_that_a_talk_can_tell() -> None:
    assert first_cells("told") == [kind.__name__ for kind in get_args(Told)]


def test_the_page_names_all_that_is_told_of_the_table() -> None:
    assert first_cells("of the table") == [field.name for field in fields(Place)]


def test_the_reasons_that_a_talk_can_give_up_for_are_known_with_their_facts() -> None:
    (table,) = re.findall(r"^\| key \|.*\n\|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    for row in table.splitlines():
        key, *facts = re.findall(r"`(\w+)`", "|".join(row.split("|")[:3]))
        needed = {name for _, name, _, _ in string.Formatter().parse(TEXTS[key]) if name}
        assert needed == {"port", *facts}, key


def test_the_page_tells_all_that_the_kits_hold() -> None:
    held = [
        name.removeprefix("test_").replace("_s_", "'s_").replace("_", " ")
        for kit in (SourceContract, TalkContract)
        for name in vars(kit)
        if name.startswith("test_")
    ]
    assert re.findall(r"^- ([a-z].*)$", PAGE.split("## The kit")[1].split("\n## ")[0], re.MULTILINE) == held


def test_the_keys_of_the_configuration_are_there() -> None:
    (block,) = blocks("toml")
    (board,) = tomllib.loads(block)["board"]
    assert set(board) <= set(BoardTable.model_fields)
    assert set(board["adapter"]) - {"speaks"} <= set(ChattyOptions.model_fields)
