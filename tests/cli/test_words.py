from __future__ import annotations

import re
from string import Formatter

import pytest

from damas_board.cli import COMMANDS, words
from damas_board.sources.errors import TEXTS
from simulator.faults import descriptions


def fields(text):
    return {(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name is not None}


def test_both_languages_say_every_key_with_the_same_values():
    for key, (english, portuguese) in words._WORDS.items():
        assert english, key
        assert portuguese, key
        assert {f[0] for f in fields(english)} == {f[0] for f in fields(portuguese)}, key


def test_every_command_has_its_line_of_help():
    for command in COMMANDS:
        assert words.word(f"help.{command}")
        assert not re.search(r"%(?![(%])", words.word(f"help.{command}")), "argparse reads a % as a place to fill in"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "DAMAS_LANG": "en"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "pt_PT"}, "pt"),
        ({"LANG": "en_GB.UTF-8", "DAMAS_LANG": "pt"}, "pt"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_systems_else_english(environment, language):
    assert words.language(environment) == language


def test_everything_that_may_be_wrong_with_a_board_is_said_in_both_languages():
    assert {key.removeprefix("board.") for key in words._WORDS if key.startswith("board.")} == set(TEXTS)


def test_every_fault_is_described_in_both_languages_in_english_as_the_simulator_does():
    assert {f"fault.{name}": sentence for name, sentence in descriptions()} == {
        key: english for key, (english, _) in words._WORDS.items() if key.startswith("fault.")
    }
