"""A score sheet's page: what it says, in whose words, and that nobody's name becomes markup."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from damas_board.hub import live_words
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
        alert("a5", kind="held_piece", severity="note", how="stands", closed=AT, ply=7),
    ],
    "alerts": [
        alert("a4", kind="wavering", side="black", how=None),
        alert("a6", kind="touched_out_of_turn", severity="note", side="black", how=None),
    ],
    "over": {"winner": "white", "result": "2-0", "reason": "resigned"},
}
DECISIONS = [
    {"told": "2026-01-31T15:01:00Z", "outcome": "refused", "by": "zoe", "note": None},
    *(
        {"told": "2026-01-31T15:01:00Z", "outcome": "done", "by": by, "note": note, "arguments": {"alert": alert}}
        for by, note, alert in (("eva", "of another one", "a9"), ("ana", '"go on" <script>', "a1"))
    ),
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
    assert "2-0 · White wins · resignation" in said


def test_mere_notes_have_a_list_of_their_own_unless_somebody_decided_about_them() -> None:
    irregular, _, notes = page().partition('class="notes"')
    assert "Ply 7, " in text(f"<main>{notes}")
    assert "a piece of the side not on move was touched (Black, a3 b4)" in text(f"<main>{notes}")
    assert "held" not in irregular
    assert text(f"<main>{notes}").count("not decided") == 0
    decided = page(decisions=[{"told": AT, "outcome": "done", "by": "ana", "note": None}])
    assert "a piece was held for long (White, a3 b4) - stands, by ana" in text(decided)


def test_how_a_game_ended_is_said_as_on_the_live_pages() -> None:
    ends = {key.removeprefix("ending.") for key in live_words.WORDS if key.startswith("ending.")}
    assert "blocked" in ends
    for language, column in (("en", 0), ("pt", 1)):
        for reason in ends:
            said = text(page(language, game={**GAME, "over": {"winner": "white", "result": "2-0", "reason": reason}}))
            winner, why = (live_words.WORDS[key][column] for key in ("winner.white", f"ending.{reason}"))
            assert f"2-0 · {winner} · {why}" in said


@pytest.mark.parametrize(
    ("entered", "said"),
    [("white", "2-0 · White wins"), ("draw", "1-1 · Draw"), ("0-1", "0-1 · Black wins"), ("*", "No result")],
)
def test_a_result_that_was_entered_is_said_as_one_that_a_board_saw(entered: str, said: str) -> None:
    made = page(game=None, pairing={"table": "2", "white": "Eva", "black": "Ivo", "result": entered}, decisions=())
    assert re.findall(r'<p class="result">(.*?)</p>', made) == [said]


@pytest.mark.parametrize("name", ["Round 1", "ronda 1", "Rodada  1"])
def test_a_round_that_is_called_after_its_number_is_named_once(name: str) -> None:
    made = page("pt", round={"round": "1", "name": name})
    assert re.findall(r'<p class="place">(.*?)</p>', made) == ["Ronda 1 · Mesa 1"]
    assert "Round 12" in page(round={"round": "1", "name": "Round 12"})


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "pt",
            ("Folha de registo", "Ronda 1", "Mesa 1", "Jogo open-1-t1", "Ganham as brancas", "15 min + 5 s por lance"),
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
    assert made.count('<tr class="open">') == 46
    said = text(made)
    assert all(word in said for word in ("Eva", "Ivo", "Sul", "10 min", "Result 1-1 · Draw"))


@pytest.mark.parametrize(
    ("moves", "tables"),
    [
        (10, [[10]]),
        (21, [[11, 10]]),
        (50, [[25, 25]]),
        (51, [[20, 19], [6, 6]]),
        (81, [[35, 34], [6, 6]]),
        (170, [[36, 36], [43, 43], [6, 6]]),
    ],
)
def test_what_is_signed_stands_with_the_last_moves(moves: int, tables: list[list[int]]) -> None:
    plies = [ply(number, "c3-d4") for number in range(1, 2 * moves + 1)]
    made = page(game={**GAME, "plies": plies})
    leaves = [leaf.split('class="moves"')[1:] for leaf in made.split('class="blocks"')[1:]]
    assert [[table.count('scope="row"') for table in leaf] for leaf in leaves] == tables
    signed = made.partition('class="signed"')[2].partition('class="irregular"')[0]
    assert signed.count('class="blocks"') == 1
    assert all(f'class="{part}"' in signed for part in ("result", "signatures"))
