"""Documentation that fails the build: every example in Markdown runs, every link leads somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [path for folder in (".", "docs", "firmware") for path in sorted((ROOT / folder).glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_file_that_the_architecture_names_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for name in re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", text):
        assert (ROOT / name).exists() or (ROOT / "damas_board" / name).exists(), name


def test_the_readme_has_a_doctest() -> None:
    parsed = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text("utf-8"))
    assert len(parsed) > 5
