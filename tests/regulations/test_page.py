from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import get_args

import pytest

from damas_board.messages.words import alert_words
from damas_board.regulations import names, parse, shipped
from damas_board.regulations.policy import KINDS, Consequence

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


def test_the_page_has_every_kind_of_alert_every_consequence_and_what_a_regulation_says_of_one(made):
    for kind in KINDS:
        assert f"`{kind}` {alert_words('en')[f'kind.{kind}']}" in made
    for code in get_args(Consequence):
        assert f"`{code}` {alert_words('en')[f'consequence.{code}']}" in made
    assert "| irregularity (003 art. 20) |" in made
    assert "| put right in a game that is written down; else the opponent decides (003 art. 19) |" in made
    assert "| when it recurs: may be punished (000 main text: no penalty, a repetition is punishable) |" in made
    assert "| the game is void (FMJD Annex 1, 5.1) |" in made


def test_the_houses_rule_on_the_page_is_a_file_that_can_be_used(made):
    texts = re.findall(r"```toml\n(.*?)```", made, re.DOTALL)
    assert len(texts) == 2
    for text in texts:
        assert parse(text, "club").title == "Our club"
