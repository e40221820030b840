"""Rounds as texts: what is read, and what is told of one that cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from damas_board.messages import lots, round_file
from damas_board.messages.round_file import Kind, RoundFileError, read_round_text
from damas_board.messages.round_words import WORDS
from damas_board.messages.rounds import TEXTS

CSV = """\
table;white;white_title;white_club;black;black_minor;board
1;Ana de Lima;MN;Clube do Rio;Rui Sá;x;table-1
"""


def test_titles_and_clubs_have_columns_and_a_time_of_toml_is_a_time() -> None:
    planned = read_round_text(CSV, "csv", "autumn", {"round": "1", "begins": "2026-01-31 15:00"})
    white, black = planned.pairings[0].white, planned.pairings[0].black
    assert (white.title, white.club) == ("MN", "Clube do Rio")
    assert black is not None
    assert black.minor
    toml = (
        "round = 1\nbegins = 2026-01-31T15:00:00Z\n[publication]\nfeatured = [1]\n[[pairing]]\ntable = 1\nwhite = 'A'\n"
    )
    other = read_round_text(toml, "toml", "autumn", {})
    assert other.begins == "2026-01-31T15:00+00:00"
    assert other.publication.featured == ("1",)
    day = read_round_text("round = 1\nbegins = 15:00:00\n[[pairing]]\ntable = 1\nwhite = 'A'\n", "toml", "autumn", {})
    assert day.begins == "15:00"


@pytest.mark.parametrize(
    ("kind", "text", "key", "line", "pairing"),
    [
        ("csv", "", "empty", None, None),
        ("csv", "table,white\n", "empty", None, None),
        ("csv", "table,whiet\n1,A\n", "key", 1, None),
        ("csv", "table,white,black\n1,A,B\n2,C,C\n", "same_player", 3, 2),
        ("toml", "round = 1\nx = [\n", "toml", 2, None),
        ("toml", "round = 1\n[publication]\nfeatured = ['7']\n", "no_table", 2, None),
        ("json", '{"round": 1,\n', "json", 2, None),
    ],
)
def test_what_is_wrong_has_a_key_and_a_line(
    kind: Kind, text: str, key: str, line: int | None, pairing: int | None
) -> None:
    with pytest.raises(RoundFileError) as caught:
        read_round_text(text, kind, "autumn", {"round": "1"})
    wrong = caught.value.wrong
    assert (caught.value.key, caught.value.line, None if wrong is None else wrong.pairing) == (key, line, pairing)
    assert "{" not in str(caught.value)


def test_everything_that_may_be_wrong_is_said_in_both_languages() -> None:
    for keys, area in ((round_file.TEXTS, "file"), (TEXTS, "wrong"), (lots.TEXTS, "lots")):
        assert {key for key in WORDS if key.startswith(f"round.{area}.")} == {f"round.{area}.{key}" for key in keys}


def test_every_code_of_rounds_is_in_the_list_of_codes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "codes.md").read_text("utf-8")
    desk = {key.removeprefix("round.desk.") for key in WORDS if key.startswith("round.desk.")}
    assert {*round_file.TEXTS, *TEXTS, *lots.TEXTS, *desk} <= set(re.findall(r"`([a-z_]+)`", page))
