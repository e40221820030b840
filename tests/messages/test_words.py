"""The arbiter's words: every code of an alert in English and in both Portugueses."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

import pytest

from damas_board.messages import words
from damas_board.messages.words import alert_words
from damas_board.regulations import names, shipped
from damas_board.regulations.policy import KINDS, Consequence, Decides, IllegalReason, Severity, Until
from damas_board.session.events import AlertClosed, BoardReason

CODES = {
    "kind": KINDS,
    "severity": get_args(Severity),
    "how": get_args(get_type_hints(AlertClosed)["how"]),
    "decides": get_args(Decides),
    "until": get_args(Until),
    "consequence": get_args(Consequence),
    "reason": (*get_args(IllegalReason), *get_args(BoardReason)),
}
CATALOGUES = {
    "en": alert_words("en"),
    "pt-PT": alert_words("pt", "pt-PT"),
    "pt-BR": alert_words("pt", "pt-BR"),
}


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_code_has_its_words_and_no_words_are_of_no_code(catalogue):
    said = CATALOGUES[catalogue]
    assert set(said) == {f"{part}.{code}" for part, codes in CODES.items() for code in codes}
    assert all(text.strip() == text and text for text in said.values())


@pytest.mark.parametrize("catalogue", CATALOGUES)
@pytest.mark.parametrize("part", CODES)
def test_no_two_codes_of_a_part_are_said_alike(catalogue, part):
    texts = [CATALOGUES[catalogue][f"{part}.{code}"] for code in CODES[part]]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("key", words._WORDS)
def test_000_and_002_say_partida_and_pedra_001_and_003_jogo_and_peao(key):
    brazil, portugal = CATALOGUES["pt-BR"][key], CATALOGUES["pt-PT"][key]
    assert not re.search(r"\b(jogos?|pe(ão|ões)|registo)\b", brazil)
    assert not re.search(r"\b(partidas?|pedras?|registro)\b", portugal)
    assert CATALOGUES["en"][key] not in (brazil, portugal)


def test_what_is_said_otherwise_in_brazil_is_otherwise():
    assert set(words._BRAZIL) <= set(words._WORDS)
    assert all(words._WORDS[key][1] != text for key, text in words._BRAZIL.items())


@pytest.mark.parametrize(
    ("language", "of_the_regulation", "text"),
    [
        ("pt", "pt-BR", "perde a partida"),
        ("pt", "pt-PT", "perde o jogo"),
        ("pt-PT", "pt-BR", "perde a partida"),
        ("pt", None, "perde o jogo"),
        ("pt-BR", None, "perde a partida"),
        ("pt_BR.UTF-8", None, "perde a partida"),
        ("pt_BR.UTF-8", "pt-PT", "perde o jogo"),
        ("en", "pt-BR", "the game is lost"),
        ("de", None, "the game is lost"),
    ],
)
def test_the_regulation_says_which_portuguese_the_language_whether(language, of_the_regulation, text):
    assert alert_words(language, of_the_regulation)["consequence.loses_game"] == text


@pytest.mark.parametrize("name", names())
def test_the_words_of_a_regulation_are_those_of_its_text(name):
    wanted = "pt-PT" if name.startswith("pt-") else "pt-BR" if name.startswith("br-") or name.endswith("-000") else None
    assert shipped(name).words == wanted


def test_the_words_cannot_be_changed_by_a_reader():
    with pytest.raises(TypeError):
        alert_words("en")["how.stands"] = "x"
