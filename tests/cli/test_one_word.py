"""In Portuguese each thing has one word, in every catalogue: who reads 'ronda' here and 'jornada' there seeks two."""

from __future__ import annotations

import re

import pytest

from damas_board.cli import words

ONE = {
    r"(?<!way )\bround\b": r"ronda",
    r"\blogin\b": r"utilizador|recusa a entrada",
    r"\bstandings\b": r"classificaç",
    r"\bpairings?\b": r"emparceiramento|ficheiro|pairings",
    r"\bmeeting\b": r"torneio",
    r"\bjournal\b": r"diário|\{path\}|\{journal\}",
    r"\barchive\b": r"arquivo|arquiva",
    r"\bpassword\b": r"palavra-passe",
    r"\bentered\b": r"introduz",
}
"""By an English word the Portuguese one that stands for it."""
NEVER = (
    r"\b(jornadas?|inser(e|em|ir|id[oa]s?)|por defeito|predefinid[oa]s?|logins?|senhas?|emparelhamentos?)\b",
    r"\b(dar|dê|dadas?) (uma |as )?ordens?\b",
)


@pytest.mark.parametrize("never", NEVER)
def test_another_word_for_the_same_is_not_used(never: str) -> None:
    assert not [
        key for key, (_, portuguese) in words._WORDS.items() if re.search(never, re.sub(r"\{\w+\}", "", portuguese))
    ]
    assert not [text for text in words.LOG_LINES.values() if re.search(never, text)]


@pytest.mark.parametrize("english", ONE)
def test_one_thing_has_one_word(english: str) -> None:
    said = {
        key: portuguese
        for key, (text, portuguese) in words._WORDS.items()
        if re.search(english, re.sub(r"\{\w+\}|--[\w-]+|\[.*?\]|\.\.\.", "", text))
    }
    assert said
    assert {key: text for key, text in said.items() if not re.search(ONE[english], text)} == {}
