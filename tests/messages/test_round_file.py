"""Rounds as texts: what is read, and what is told of one that cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from damas_board.messages import lots, round_file
from damas_board.messages.round_file import Kind, RoundFileError, read_bytes, read_round_text
from damas_board.messages.round_words import WORDS
from damas_board.messages.rounds import TEXTS

DOCS = Path(__file__).parents[2] / "docs"
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


def test_columns_and_their_values_may_be_portuguese() -> None:
    text = (
        "Mesa;Brancas;Pretas;Tabuleiro;Título Brancas;Clube das Pretas;Menor_pretas;Brancas Federação;Ritmo;Resultado\n"
        '1;"Açor, João";Zé Sá;mesa-1;MN;Sul;VERDADEIRO;POR;600;Pretas\n2;Eva;Ivo;;;;NÃO;;;1-1\n'
    )
    one, two = read_round_text(text, "csv", "autumn", {"round": "1"}).pairings
    assert (one.table, one.board, one.clock, one.result, two.result) == ("1", "mesa-1", "600", "0-2", "1-1")
    assert (one.white.name, one.white.title, one.white.federation) == ("Açor, João", "MN", "POR")
    assert one.black is not None
    assert (one.black.name, one.black.club, one.black.minor) == ("Zé Sá", "Sul", True)
    assert two.black is not None
    assert not two.black.minor
    every = {*round_file.PORTUGUESE.values(), *(f"white_{key}" for key in round_file.PORTUGUESE_PLAYER.values())}
    assert {one for one in every if one not in round_file.COLUMNS} == set()
    ours = {one for one in round_file.COLUMNS if not one.startswith("black_")}
    assert every == ours, "each column has a Portuguese name"


@pytest.mark.parametrize("page", ["venue.md", "local-de-jogo.md"])
def test_the_columns_of_the_pages_are_those_that_are_read(page: str) -> None:
    text = (DOCS / page).read_text("utf-8").partition("|---|---|\n| `table`")[2]
    rows = [row.split(" | ") for row in f"| `table`{text}".partition("\n\n")[0].splitlines()]
    pairs = [pair for row in rows for pair in zip(*(re.findall(r"`([^`]+)`", cell) for cell in row), strict=True)]
    assert {english for english, _ in pairs} == {one for one in round_file.COLUMNS if "black_" not in one} - {"game"}
    for english, portuguese in pairs:
        with pytest.raises(RoundFileError) as caught:
            read_round_text(f"{english};{portuguese}\n1;1\n", "csv", "autumn", {"round": "1"})
        assert caught.value.key == "repeated", "both are the same column"


def test_a_file_of_a_spreadsheet_is_read_whatever_it_is_written_in() -> None:
    text = "Mesa;Brancas\n1;João Açor\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert read_bytes(text.encode(encoding), "csv") == (text, False)
    assert read_bytes(text.encode("cp1252"), "csv") == (text, True)
    for data, kind in ((text.encode("cp1252"), "toml"), (b"\x81", "csv"), (b"PK\x03\x04\0\xff", "csv")):
        with pytest.raises(UnicodeDecodeError):
            read_bytes(data, kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "text", "key", "line", "pairing"),
    [
        ("csv", "", "empty", None, None),
        ("csv", "table,white\n", "empty", None, None),
        ("csv", "table,whiet\n1,A\n", "near", 1, None),
        ("csv", "mesa;brncas\n1;A\n", "near", 1, None),
        ("csv", "table;Treinador\n1;A\n", "column", 1, None),
        ("csv", "1;Ana;Rui\n2;Eva;Ivo\n", "heading", 1, None),
        ("csv", "mesa;brancas;White\n1;A;B\n", "repeated", 1, None),
        ("csv", 'table;white;black\n1;A;B\n2;"Ana;Rui\n3;Eva;Ivo\n', "quote", 3, None),
        ("csv", 'table;white;black\n1;A;B\n2;"Ana;Rui\n3;Eva;"Ivo"\n', "quote", 3, None),
        ("csv", "table;white\n1;A\n2;Jo\ufffdo\n", "spoilt", 3, None),
        ("csv", "table,white,black\n1,A,B\n2,C,C\n", "same_player", 3, 2),
        ("toml", "round = 1\nx = [\n", "toml", 2, None),
        ("toml", "round = 1\nwhatever = 1\n", "key", 2, None),
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
    page = (DOCS / "codes.md").read_text("utf-8")
    desk = {key.removeprefix("round.desk.") for key in WORDS if key.startswith("round.desk.")}
    assert {*round_file.TEXTS, *TEXTS, *lots.TEXTS, *desk} <= set(re.findall(r"`([a-z_]+)`", page))
