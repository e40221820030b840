"""The shipped regulations as data, and files that stand on them."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from damas_board.regulations import TableError, names, parse, shipped
from damas_board.rules.game import verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial
from damas_board.rules.variant import Variant

LISTED = {
    *("br-cbjd", "br-fmjd64", "br-tradicional", "br-perde-ganha"),
    *("pt-classicas", "pt-escola", "pt-fpd2021", "pt-perde-ganha"),
    *("int-fmjd", "ru-fmjd64", "ru-000", "en-wcdf", "en-000", "it-fid", "it-000", "tr-000", "tr-tudaf"),
    *("es", "pool", "cz", "frisian", "ca"),
}
NO_DRAW_LAWS = {"es", "cz", "ca", "tr-tudaf"}
NOT_RULES = {"name", "numbering", "pdn_type", "king_run_limit", "giveaway"}


def test_all_twenty_two_are_shipped():
    assert set(names()) == LISTED
    assert len(names()) == 22


@pytest.mark.parametrize("name", names())
def test_every_rule_names_its_article(name):
    rules = shipped(name)
    needed = {field.name for field in fields(Variant)} - NOT_RULES
    needed |= {"no_pieces", "blocked", "agreed"}
    needed |= {"giveaway"} if rules.variant.giveaway else set()
    needed |= {"king_run_limit"} if rules.variant.king_run_limit else set()
    assert needed <= set(rules.articles), needed - set(rules.articles)
    assert all(law.article for law in rules.counts)


@pytest.mark.parametrize("name", names())
def test_what_is_not_confirmed_is_said_in_words(name):
    rules = shipped(name)
    articles = [*rules.articles.values(), *(law.article for law in rules.counts)]
    if any("not confirmed" in article or "public rules" in article for article in articles):
        assert any("at hand" in words or "numbers" in words or "direction" in words for words in rules.unconfirmed)
    assert all(len(words.split()) > 3 for words in rules.unconfirmed)


@pytest.mark.parametrize("name", names())
def test_numbers_of_fmjd_articles_are_only_those_that_were_confirmed(name):
    rules = shipped(name)
    articles = [*rules.articles.values(), *(law.article for law in rules.counts)]
    articles += [rules.repetition.article] if rules.repetition else []
    given = {n for a in articles if a.startswith("FMJD Annex 1") for n in re.findall(r"\d\.\d+", a)}
    assert given <= {"3.11", "4.4", "4.5", "4.11", "5.4", "6.1", "6.3", "6.4"}


@pytest.mark.parametrize("name", names())
def test_repetition_is_in_all_but_001_and_those_without_draw_laws(name):
    law = shipped(name).repetition
    assert (law is None) is (name in NO_DRAW_LAWS or name == "pt-classicas")
    if name in NO_DRAW_LAWS:
        assert not shipped(name).counts
        assert any("agreement and the arbiter only" in words for words in shipped(name).unconfirmed)
    if law is not None:
        assert law.count == 3
        assert law.holds is (name in ("int-fmjd", "br-fmjd64", "ru-fmjd64"))
        assert law.only_recorded is ("000" in law.article)


@pytest.mark.parametrize("name", names())
def test_the_names_of_a_regulations_laws_are_its_own(name):
    rules = [law.rule for law in shipped(name).counts]
    assert len(set(rules)) == len(rules)
    assert all(re.fullmatch(r"[a-z0-9_]+", rule) and rule != "repetition" for rule in rules)


@pytest.mark.parametrize("name", names())
def test_a_game_can_begin(name):
    start = initial(shipped(name).variant)
    assert verdict(start) is None
    assert legal_moves(start)


# --- a file that stands on another


def club(text: str):
    return parse(f'base = "br-cbjd"\ntitle = "Club"\n{text}', "club")


def test_a_file_takes_over_everything_that_it_does_not_say():
    base, rules = shipped("br-cbjd"), club("")
    assert (rules.name, rules.title) == ("club", "Club")
    assert rules.variant == base.variant
    assert (rules.counts, rules.repetition, rules.match, rules.policy) == (
        base.counts,
        base.repetition,
        base.match,
        base.policy,
    )
    assert rules.articles == base.articles


def test_a_table_is_changed_key_by_key_and_an_array_as_a_whole():
    rules = club(
        """
        [draws.repetition]
        count = 4
        [[draws.count]]
        rule = "kings_only"
        article = "house rule"
        moves = 15
        [match]
        first = ["lot"]
        """
    )
    base = shipped("br-cbjd")
    assert (rules.repetition.count, rules.repetition.article) == (4, base.repetition.article)
    assert [(law.rule, law.moves) for law in rules.counts] == [("kings_only", 15)]
    assert (rules.match.first, rules.match.articles) == (("lot",), {"colours": "000 main text"})


def test_a_changed_rule_does_not_keep_the_article_of_the_base():
    rules = club('[rules]\nking_reach = "one"\nking_landing = "next"\n[articles]\nking_reach = "house rule"')
    assert rules.articles["king_reach"] == "house rule"
    assert "king_landing" not in rules.articles
    assert "several_touched" not in club('[policy]\nseveral_touched = "first"').articles


def test_a_base_may_stand_on_a_base():
    rules = parse('base = "br-perde-ganha"\ntitle = "Club"', "club")
    assert rules.variant.giveaway
    assert rules.counts == shipped("br-cbjd").counts


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('base = "br"\ntitle = "x"', 1, "base"),
        ('title = "x"\nbase = 3', 2, "base"),
        ('base = "br-cbjd"\nrules = 3', 2, "rules"),
        ('base = "br-cbjd"\narticles = 3\n[rules]\nking_reach = "one"', 2, "articles"),
        ('base = "br-cbjd"\nmatch = 3', 2, "match"),
        ('base = "br-cbjd"\nvariant = "brasilian"', 2, 'did you mean "brazilian"'),
        ('base = "br-cbjd"\n[[draws.count]]\nrule = "a"\narticle = "b"\nmoves = 0', 5, "moves"),
        ('base = "br-cbjd"\n[[draws.count]]\nrule = "a"\narticle = "b"\nmoves = 1\nroad_begins = true', 2, "road"),
    ],
)
def test_what_is_wrong_in_a_file_upon_a_base_is_told_with_its_own_line(text, line, said):
    with pytest.raises(TableError) as caught:
        parse(text, "club")
    assert caught.value.line == line
    assert said in caught.value.message


def test_a_file_without_a_base_needs_its_title_and_variant():
    with pytest.raises(TableError, match="needs"):
        parse('title = "x"', "club")
