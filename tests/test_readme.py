"""README.md and README.pt.md say the same: the same pages, commands, addresses, links and example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGLISH = (ROOT / "README.md").read_text("utf-8")
PORTUGUESE = (ROOT / "README.pt.md").read_text("utf-8")


def links(text: str) -> set[str]:
    return set(re.findall(r"\]\(([^)]+)\)", text)) - {"README.md", "README.pt.md"}


def first_cells(text: str) -> list[str]:
    """What stands in the first column of the tables, its words in capitals left out."""
    cells = re.findall(r"^\| (`[^|]*(?:\\\|[^|]*)*`) \|", text, re.MULTILINE)
    cells += re.findall(r"^\| (`[^|\n]+`, `[^|\n]+`) \|", text, re.MULTILINE)
    return [re.sub(r"[A-ZÊÚ_]{3,}", "X", cell) for cell in cells]


def test_both_link_to_the_same_pages_which_exist():
    assert links(PORTUGUESE) == links(ENGLISH)
    assert [link for link in links(ENGLISH) if not (ROOT / link).exists()] == []


def test_both_name_the_same_addresses_and_commands():
    assert first_cells(PORTUGUESE) == first_cells(ENGLISH)
    assert len(first_cells(ENGLISH)) > 25


def test_both_have_the_same_example():
    english, portuguese = (re.findall(r"```python\n(.*?)```", text, re.DOTALL) for text in (ENGLISH, PORTUGUESE))
    assert english == portuguese
    assert len(english) == 1


@pytest.mark.parametrize("text", [ENGLISH, PORTUGUESE], ids=["en", "pt"])
def test_every_command_named_is_one(text):
    from damas_board.cli import COMMANDS

    commands = text[text.index("| `run CONFIG.toml`") :]
    named = {line.split("`")[1].split()[0] for line in commands.splitlines() if line.startswith("| `")}
    assert named <= set(COMMANDS)
    assert set(COMMANDS) - named <= {"demo"}
