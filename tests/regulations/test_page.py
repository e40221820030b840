from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from damas_board.regulations import names, shipped

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def made() -> str:
    spec = importlib.util.spec_from_file_location("regulations_page", DOCS / "regulations_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


def test_the_page_is_what_the_files_make_of_it(made):
    assert (DOCS / "regulations.md").read_text("utf-8") == made, "run: python docs/build.py"


def test_the_page_has_every_regulation_every_law_and_all_that_is_not_confirmed(made):
    for name in names():
        rules = shipped(name)
        assert f"**`{name}`** {rules.title}. {rules.about}" in made
        assert rules.about
        for words in rules.unconfirmed:
            assert f"- `{name}`: {words}." in made
        for law in rules.counts:
            assert f"| {law.rule.replace('_', ' ')} |" in made
            assert law.article.replace(" (number not confirmed)", ", number not confirmed") in made
