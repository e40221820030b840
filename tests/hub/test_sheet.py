"""A score sheet's page: what it says, in whose words, and that nobody's name becomes markup."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from damas_board.hub.console.sheet import Sheet, sheet_page

AT = "2026-01-31T15:00:00Z"


def ply(number: int, move: str, **keys: Any) -> dict[str, Any]:
    side = keys.pop("side", "white" if number % 2 else "black")
    return {"ply": number, "side": side, "move": move, "at": AT, "clock": [899.6, 3725.0], **keys}


def alert(id_: str, **keys: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "missed_capture", "side": "white", "squares": ["a3", "b4"], "ply": 3, "ts": AT, **keys}


PLIES = [
    ply(1, "c3-d4"),
    ply(2, "f6-e5", inferred=True, at=None),
    ply(3, "a3-b4", irregular=True, entered=True),
    ply(4, "b2-c3", side="white", set_up="W:Wa1:Bh8"),
]
GAME: dict[str, Any] = {
    **{"round": "1", "table": "1", "first": "white", "plies": PLIES, "on": "t-1", "time_control": "900+5"},
    "regulation": {"name": "br-cbjd", "title": "Damas brasileiras"},
    "players": {"white": {"name": "<b>Ana</b> & Co", "title": "MN", "club": "Clube"}, "black": {"name": "Rui"}},
    "settled": [
        alert("a1", how="stands", closed="2026-01-31T15:01:00Z", article="002 art. 5"),
        alert("a2", kind="touch_move", how="dismissed", closed=AT),
        alert("a3", kind="sensor_suspect", side=None, how="recovered"),
    ],
    "alerts": [alert("a4", kind="wavering", side="black", how=None)],
    "over": {"winner": "white", "result": "2-0", "reason": "resigned"},
}
DECISIONS = [
    {"told": "2026-01-31T15:01:00Z", "outcome": "refused", "by": "zoe", "note": None},
    {"told": "2026-01-31T15:01:00Z", "outcome": "done", "by": "ana", "note": '"go on" <script>'},
]


def page(language: str = "en", **keys: Any) -> str:
    planned = {"round": "1", "name": "<i>Final</i>", "regulation_title": "Damas", "clock": "600"}
    sheet = Sheet("open", "open-1-t1", planned, {"table": "1", "result": None}, GAME, DECISIONS)
    return sheet_page(Sheet(**{**{key: getattr(sheet, key) for key in Sheet.__slots__}, **keys}), language)


def text(of: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", of.partition("<main>")[2])).split())


def test_what_a_person_entered_is_text() -> None:
    made = page()
    tags = set(re.findall(r"<(\w+)", made))
    assert {"b", "i", "script"} & tags == {"b", "script"}, "the legend's letters, and the page's own script"
    assert made.count("<script") == 1
    assert "style=" not in made
    said = text(made)
    assert "MN <b>Ana</b> & Co" in said
    assert "<i>Final</i>" in said
    assert '"go on" <script>' in said


def test_each_move_has_its_mark_its_time_and_what_is_left_to_who_played_it() -> None:
    rows = re.findall(r"<tr>(.*?)</tr>", page().partition('class="moves"')[2].partition("</table>")[0])[1:]
    cells = [[text(f"<main>{cell}") for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]
    time = datetime(2026, 1, 31, 15, tzinfo=UTC).astimezone().strftime("%H:%M:%S")
    assert cells == [
        ["1.", "c3-d4", time, "15:00", "f6-e5 i", "", "1:02:05"],
        ["2.", "a3-b4 e!", time, "15:00", "", "", ""],
        ["3.", "b2-c3 s", time, "15:00", "", "", ""],
    ]
    said = text(page())
    assert all(word in said for word in ("i inferred", "e entered", "! irregular", "s the arbiter set up"))


def test_irregularities_have_article_and_decision_and_those_that_were_none_are_not_there() -> None:
    said = text(page())
    assert "a capture was obligatory and was not made (White, a3 b4) 002 art. 5 stands, by ana" in said
    assert "again and again (Black, a3 b4) - not decided" in said
    assert "zoe" not in said
    assert "touched piece" not in said
    assert "relied on" not in said
    assert "2-0 · White wins · resigned" in said


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "pt",
            ("Folha de registo", "Ronda 1", "Mesa 1", "Jogo open-1-t1", "Vencem as Brancas", "15 min + 5 s por lance"),
        ),
        ("pt-BR", ("Súmula", "Rodada 1", "Partida open-1-t1", "Árbitro")),
    ],
)
def test_it_is_said_in_the_language_that_is_asked(language: str, words: tuple[str, ...]) -> None:
    made = page(language)
    assert f'lang="{language}"' in made
    for word in words:
        assert word in text(made)


def test_a_table_that_nobody_sees_has_empty_lines_and_the_result_that_was_entered() -> None:
    pairing = {"table": "2", "white": "Eva", "black": {"name": "Ivo", "club": "Sul"}, "result": "1-1"}
    made = page(game=None, pairing=pairing, decisions=())
    assert made.count('<th scope="row">') == 50
    said = text(made)
    assert all(word in said for word in ("Eva", "Ivo", "Sul", "10 min", "Result 1-1"))


def test_a_long_game_has_all_its_moves_in_two_tables_of_the_same_length() -> None:
    plies = [ply(number, "c3-d4") for number in range(1, 162)]
    made = page(game={**GAME, "plies": plies})
    assert [table.count('scope="row"') for table in made.split('class="moves"')[1:]] == [41, 40]
