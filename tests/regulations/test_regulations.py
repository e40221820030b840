"""The shipped regulations as data, and files that stand on them."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import product

import pytest

from damas_board.regulations import TableError, names, parse, shipped
from damas_board.rules.game import verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

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
    assert given <= {
        *("3.10", "3.11", "3.12", "3.13", "4.4", "4.5", "4.9", "4.11", "4.12", "4.16"),
        *("5.1", "5.2", "5.3", "5.4", "5.5", "5.7", "5.8", "6.1", "6.3", "6.4"),
    }
    assert not given or name in ("int-fmjd", "br-fmjd64", "ru-fmjd64")


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


COUNT = '[[draws.count]]\nrule = "x"\narticle = "y"\nmoves = 5\n'


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
        article = "house rule"
        [[draws.count]]
        rule = "kings_only"
        article = "house rule"
        moves = 15
        [match]
        first = ["lot"]
        """
    )
    base = shipped("br-cbjd")
    assert (rules.repetition.count, rules.repetition.article) == (4, "house rule")
    assert rules.repetition.only_recorded is base.repetition.only_recorded
    assert [(law.rule, law.moves) for law in rules.counts] == [("kings_only", 15)]
    assert (rules.match.first, rules.match.articles) == (("lot",), {"colours": "000 main text"})


def test_a_changed_rule_does_not_keep_the_article_of_the_base():
    rules = club('[rules]\nking_reach = "one"\nking_landing = "next"\n[articles]\nking_reach = "house rule"')
    assert rules.articles["king_reach"] == "house rule"
    assert "king_landing" not in rules.articles
    assert "several_touched" not in club('[policy]\nseveral_touched = "first"').articles


def test_another_variant_does_not_keep_the_articles_for_what_is_different_in_it():
    rules = club('variant = "international"\n[articles]\nmen_rows = "house rule"')
    assert "size" not in rules.articles
    assert (rules.articles["men_rows"], rules.articles["corner"]) == ("house rule", "002 art. 1")
    assert "corner" not in club('variant = "italian"').articles


def test_an_aim_turned_round_does_not_keep_the_articles_of_the_games_end():
    assert not {"no_pieces", "blocked"} & set(club("[rules]\ngiveaway = true").articles)


def test_a_changed_draw_or_win_law_needs_its_own_article():
    for base, text, line in (
        ("br-cbjd", "[draws.repetition]\ncount = 4", 3),
        ("tr-000", "[win]\npieces = 2", 3),
    ):
        with pytest.raises(TableError, match='needs "article"') as caught:
            parse(f'base = "{base}"\ntitle = "Club"\n{text}', "club")
        assert caught.value.line == line


def test_repetition_false_drops_the_law_of_the_base_and_keeps_the_others():
    rules = club("[draws]\nrepetition = false")
    assert rules.repetition is None
    assert rules.counts == shipped("br-cbjd").counts


def test_an_end_by_a_draw_law_may_name_its_article():
    rules = club('[articles]\nrepetition = "house rule 1"\nlimit = "house rule 2"')
    assert (rules.articles["repetition"], rules.articles["limit"]) == ("house rule 1", "house rule 2")


def test_every_start_that_a_file_may_ask_for_has_moves():
    played = 0
    for name, corner, first in product(VARIANTS, ("left", "right"), ("white", "black")):
        for man, king in product(("forward", "diagonals", "eight"), repeat=2):
            text = f"""
            title = "x"
            variant = "{name}"
            [rules]
            first = "{first}"
            corner = "{corner}"
            man_steps = "{man}"
            man_jumps = "{king}"
            """
            if name != "turkish":
                assert legal_moves(initial(parse(text, "club").variant))
                played += 1
    assert played == 11 * 2 * 2 * 9
    for man, king in product(("forward_and_sideways", "lines"), repeat=2):
        text = f'title = "x"\nvariant = "turkish"\n[rules]\nman_steps = "{man}"\nman_jumps = "{king}"'
        assert legal_moves(initial(parse(text, "club").variant))


@pytest.mark.parametrize("name", names())
def test_every_text_that_an_article_is_cited_from_is_among_the_sources(name):
    rules = shipped(name)
    cited = [*rules.articles.values(), *rules.match.articles.values(), *(law.article for law in rules.counts)]
    cited += [law.article for law in (rules.repetition, rules.win) if law]
    named = re.compile(r"\b00[0-3]\b|FMJD-64|FMJD Annex 1|FPD|WCDF|FID")
    without_asides = (re.sub(r"\(.*?\)", "", article) for article in cited)
    texts = {found for article in without_asides for found in named.findall(article)}
    assert all(any(text in source for source in rules.sources) for text in texts), texts


def test_fmjd_says_that_either_player_crowns():
    assert "by either player" in shipped("br-fmjd64").articles["crowning"]


def test_003_22_is_for_minors():
    assert [name for name in names() if shipped(name).match.minors] == ["pt-escola"]
    assert shipped("pt-escola").match.articles["minors"] == "003 art. 22"


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
        ('base = "br-cbjd"\n[draws]\nrepetition = true', 3, "must be a table with count, holds, article"),
        ('base = "br-cbjd"\n[rules]\nman_jumps = "lines"', 3, "allowed: forward, diagonals, eight"),
        ('base = "br-cbjd"\n[rules]\n\nking_steps = "lines"', 4, "allowed: forward, diagonals, eight"),
        ('base = "br-cbjd"\n[rules]\nking_jumps = "forward_and_sideways"', 3, "every second square is played on"),
        ('base = "br-cbjd"\n[rules]\ncorner = "all"', 3, "allowed: left, right"),
        ('base = "tr-000"\n[rules]\ncorner = "left"', 3, 'corner is "left", but man_steps'),
        ('base = "tr-000"\n[rules]\nman_steps = "eight"', 3, "all squares are played on"),
        (f'base = "br-cbjd"\n{COUNT}pieces = [7, 4]', 6, "[7, 4] is no range"),
        (f'base = "br-cbjd"\n{COUNT}pieces = [0, 4]', 6, "[0, 4] is no range"),
        (f'base = "br-cbjd"\n{COUNT}pieces = [4]', 6, "pieces needs at least 2 elements"),
        (f'base = "br-cbjd"\n{COUNT}{COUNT}', 7, 'rule is "x", which is the name of another law'),
        ('base = "br-cbjd"\n' + COUNT.replace('"x"', '"repetition"'), 3, "name of another law"),
        ('base = "tr-000"\n' + COUNT.replace('"x"', '"one_piece_against_a_king"'), 3, "name of another law"),
        ('base = "tr-000"\n[win]\nrule = "agreed"\narticle = "y"', 3, "name of another end"),
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
