"""What can be asked of an archive: rounds, standings, search, a whole game."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from hub.streams import START, envelopes, move, over, started

from damas_board.hub.archive import Archive, ArchiveError, Search, standings_csv
from damas_board.hub.archive.folding import folded
from damas_board.hub.archive.positions import position_key
from damas_board.hub.archive.standings import Outcome, Person, Standing, standings
from damas_board.hub.ordering import natural
from damas_board.notation.fen import read_fen, write_fen
from damas_board.regulations import names, shipped
from damas_board.rules.position import initial

MEETING = "open"


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    with Archive.open(url) as opened:
        yield opened


def player(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


def payload(*pairings: dict[str, Any], **more: Any) -> dict[str, Any]:
    listed = [{"table": str(number), **pairing} for number, pairing in enumerate(pairings, 1)]
    return {"regulation": "br-cbjd", "state": "started", "pairings": listed, **more}


def pairing(game: str, white: str, black: str | None, **more: Any) -> dict[str, Any]:
    sides = {"white": player(white)} if black is None else {"white": player(white), "black": player(black)}
    return {"game": game, **sides, **more}


def play(archive: Archive, game: str, white: str, black: str, winner: str | None, *moves: str, **more: Any) -> None:
    bodies = [started(game, white, black, **more), *(move(n, text) for n, text in enumerate(moves, 1))]
    archive.take(MEETING, envelopes(game, [*bodies, over(winner)] if winner else bodies))


@pytest.fixture
def meeting(archive: Archive) -> Archive:
    """Two rounds of four players and one who plays nobody; one game of round 2 goes on."""
    archive.take_round(MEETING, "1", payload(pairing("g-1", "Ana", "João"), pairing("g-2", "Rui", "Zé"), ts=TS))
    archive.take_round(
        MEETING,
        "2",
        payload(
            pairing("g-3", "João", "Rui"),
            pairing("g-4", "Zé", "Ana"),
            pairing("g-5", "Nuno", None, result="*"),
            ts=TS,
        ),
    )
    play(archive, "g-1", "Ana", "João", "white", "c3-d4", "f6-e5")
    play(archive, "g-2", "Rui", "Zé", "draw", "c3-b4")
    play(archive, "g-3", "João", "Rui", "black", "c3-d4", "b6-a5")
    play(archive, "g-4", "Zé", "Ana", None, "c3-d4")
    return archive


TS = "2026-01-31T18:00:00Z"


def table(archive: Archive, upto: str | None = None) -> list[tuple]:
    return [
        (line.place, line.name, line.games, line.wins, line.draws, line.losses, line.points, line.sonneborn_berger)
        for line in archive.standings(MEETING, upto)
    ]


def test_standings_after_each_round_count_the_games_that_are_over(meeting: Archive) -> None:
    assert table(meeting, "1") == [
        (1, "Ana", 1, 1, 0, 0, 2.0, 0.0),
        (2, "Rui", 1, 0, 1, 0, 1.0, 0.5),
        (2, "Zé", 1, 0, 1, 0, 1.0, 0.5),
        (4, "João", 1, 0, 0, 1, 0.0, 0.0),
        (4, "Nuno", 0, 0, 0, 0, 0.0, 0.0),
    ]
    assert [line[1:3] for line in table(meeting)] == [("Rui", 2), ("Ana", 1), ("Zé", 1), ("João", 2), ("Nuno", 0)]
    assert table(meeting)[0] == (1, "Rui", 2, 1, 1, 0, 3.0, 0.5)


def test_an_end_that_is_taken_back_does_not_count(meeting: Archive) -> None:
    bodies = [started("g-1", "Ana", "João"), move(1, "c3-d4"), move(2, "f6-e5"), over("white")]
    reopened = {"event": "game_reopened", "by": "ana", "revision": 1}
    meeting.take(MEETING, envelopes("g-1", [*bodies, reopened]))
    assert [line[1:3] for line in table(meeting, "1")][-2:] == [("João", 0), ("Nuno", 0)]
    assert table(meeting, "1")[0][1:3] == ("Rui", 1)
    meeting.take(MEETING, envelopes("g-1", [*bodies, reopened, over("black", "0-2")]))
    assert table(meeting, "1")[0][1] == "João"


def test_what_the_organiser_entered_counts_where_the_game_says_nothing(archive: Archive) -> None:
    entered = ({"result": "2-0"}, {"result": "draw"}, {"result": "0-1"}, {"result": "*"}, {})
    pairings = (pairing(f"g-{n}", f"W{n}", f"B{n}", **more) for n, more in enumerate(entered))
    archive.take_round(MEETING, "1", payload(*pairings))
    play(archive, "g-0", "W0", "B0", "black")
    points = {line.name: line.points for line in archive.standings(MEETING)}
    assert points == {
        **{"W0": 0, "B0": 2, "W1": 1, "B1": 1, "W2": 0, "B2": 2},
        **{"W3": 0, "B3": 0, "W4": 0, "B4": 0},
    }


def test_a_regulation_that_counts_one_for_a_win_gives_halves(archive: Archive) -> None:
    halves = next(name for name in names() if shipped(name).scoring == "1-0")
    archive.take_round(
        MEETING,
        "1",
        payload(pairing("g-1", "A", "B", result="draw"), pairing("g-2", "C", "D", result="white"), regulation=halves),
    )
    assert {line.name: line.points for line in archive.standings(MEETING)} == {"A": 0.5, "B": 0.5, "C": 1.0, "D": 0.0}


def test_boards_that_change_places_in_a_round_swap_no_result_and_no_place(meeting: Archive) -> None:
    before = [(p["place"], p["game"], p["white"]) for p in meeting.round(MEETING, "1")["pairings"]]
    swapped = payload(pairing("g-2", "Rui", "Zé"), pairing("g-1", "Ana", "João"), ts="2026-01-31T18:10:00Z")
    standing = table(meeting, "1")
    meeting.take_round(MEETING, "1", swapped)
    assert [(p["place"], p["game"], p["white"]) for p in meeting.round(MEETING, "1")["pairings"]] == before
    assert [p["table_id"] for p in meeting.round(MEETING, "1")["pairings"]] == ["2", "1"]
    assert table(meeting, "1") == standing


def test_a_game_that_leaves_a_round_keeps_its_place_and_counts_no_more(meeting: Archive) -> None:
    meeting.take_round(MEETING, "1", payload(pairing("g-2", "Rui", "Zé"), pairing("g-9", "Ana", "Eva")))
    assert meeting.round(MEETING, "1")["pairings"][0]["withdrawn"] is False  # older than what is known: passed over
    newer = payload(pairing("g-2", "Rui", "Zé"), pairing("g-9", "Ana", "Eva"), ts="2026-01-31T19:00:00Z")
    meeting.take_round(MEETING, "1", newer)
    found = [(p["place"], p["game"], p["withdrawn"]) for p in meeting.round(MEETING, "1")["pairings"]]
    assert found == [(1, "g-1", True), (2, "g-2", False), (3, "g-9", False)]
    assert ("Ana", 0) in [line[1:3] for line in table(meeting, "1")]


def test_before_a_round_begins_its_order_is_the_organisers(archive: Archive) -> None:
    games = [pairing("g-1", "A", "B"), pairing("g-2", "C", "D")]
    archive.take_round(MEETING, "1", payload(*games, state="planned", ts=TS))
    archive.take_round(MEETING, "1", payload(*games[::-1], state="planned", ts="2026-01-31T18:00:01Z"))
    assert [p["game"] for p in archive.round(MEETING, "1")["pairings"]] == ["g-2", "g-1"]


def test_a_round_that_cannot_be_used_changes_nothing_and_is_told(meeting: Archive, caplog) -> None:
    before = meeting.round(MEETING, "1")
    for bad in ({}, {"pairings": 3}, payload({"table": "1"}), payload(pairing("../x", "A", "B"))):
        assert not meeting.take_round(MEETING, "1", {**bad, "ts": "2027-01-01T00:00:00Z"})
    assert meeting.round(MEETING, "1") == before
    assert len([line for line in caplog.messages if "round 1 cannot be archived" in line]) == 4


def test_matches_are_the_pairings_of_the_same_players(archive: Archive) -> None:
    archive.take_round(
        MEETING,
        "1",
        payload(
            pairing("g-1", "A", "B", match="m-1"),
            pairing("g-2", "B", "A", match="m-1"),
            pairing("g-3", "D", "C"),
            pairing("g-4", "C", "D"),
            pairing("g-5", "E", None),
        ),
    )
    found = [(m["match"], m["first"], m["second"], m["games"]) for m in archive.round(MEETING, "1")["matches"]]
    assert found == [("c - d", "d", "c", 2), ("m-1", "a", "b", 2)]


def test_players_are_told_apart_by_id_else_by_their_names_however_they_are_typed(archive: Archive) -> None:
    first = {"game": "g-1", "white": player("Ana", id="7"), "black": player("José Sá"), "result": "white"}
    second = {"game": "g-2", "white": player("JOSE SA"), "black": player("Ana", id="8"), "result": "white"}
    archive.take_round(MEETING, "1", payload(first, second))
    points = {line.player: line.points for line in archive.standings(MEETING)}
    assert points == {"7": 2.0, "8": 0.0, "jose sa": 2.0}


def test_the_public_table_names_no_minor(archive: Archive) -> None:
    archive.take_round(
        MEETING,
        "1",
        payload(
            {
                "game": "g-1",
                "white": player("Ana Lima", minor=True),
                "black": player("Rui Costa", minor=True, public="R. C."),
                "result": "white",
            },
        ),
    )
    shown = standings_csv(archive.standings(MEETING, public=True))
    assert "R. C." in shown
    for part in ("ana", "lima", "costa"):
        assert part not in shown.lower()
    assert [line.points for line in archive.standings(MEETING, public=True)] == [2.0, 0.0]


def test_the_public_table_shows_no_number_of_a_minor_and_hears_the_games_word(archive: Archive) -> None:
    archive.take_round(
        MEETING,
        "1",
        payload(
            {
                "game": "g-1",
                "white": player("Ana Lima", id="POR-1", minor=True, public="A. L."),
                "black": player("Rui Costa", id="POR-2", federation="POR", rating="1900"),
                "result": "white",
            },
            {"game": "g-2", "white": player("Eva Cruz", id="POR-3"), "black": player("Zé", id="POR-4", minor=True)},
        ),
    )
    word = {"players": {"white": {"name": "Ana Lima"}, "black": {"name": "Rui Costa", "minor": True}}}
    archive.take(MEETING, envelopes("g-1", [{**started("g-1"), **word}]))
    shown = {(line.player, line.name) for line in archive.standings(MEETING, public=True)}
    assert shown == {("#1", "A. L."), ("#2", "#2"), ("POR-3", "Eva Cruz"), ("#4", "#4")}
    text = standings_csv(archive.standings(MEETING, public=True))
    assert [code for code in ("POR-1", "POR-2", "POR-3", "POR-4", "1900", "Costa", "Zé") if code in text] == ["POR-3"]


def test_ties_are_broken_by_wins_then_by_the_strength_of_those_who_were_beaten() -> None:
    people = [Person(name, name) for name in "ABCDEFG"]
    outcomes = [
        *(Outcome("B", "D", "white", 2), Outcome("C", "D", "white", 2), Outcome("B", "A", "black", 2)),
        *(Outcome("E", "F", "draw", 2), Outcome("F", "E", "draw", 2)),
    ]
    ranked = [(line.place, line.player, line.points, line.sonneborn_berger) for line in standings(people, outcomes)]
    assert ranked == [
        (1, "A", 2, 2),
        (2, "B", 2, 0),
        (2, "C", 2, 0),
        (4, "E", 2, 2),
        (4, "F", 2, 2),
        (6, "D", 0, 0),
        (6, "G", 0, 0),
    ]


def test_a_table_as_csv_has_a_header_and_no_cell_that_a_spreadsheet_would_run() -> None:
    evil = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "|calc", "%x", 'a","b', "Ana\nRui"]
    lines = [Standing(1, name, name, name, name, 1, 1, 0, 0, 2.0, 0.5) for name in evil]
    text = standings_csv(lines)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == [field.name for field in fields(Standing)]
    assert len(rows) == 1 + len(evil)
    for row, name in zip(rows[1:], evil, strict=True):
        for cell in row[1:5]:
            assert cell in (name, f"'{name}")
            assert cell.lstrip(" ")[0] not in "=+-@\t\r＝|%"
        assert row[9:] == ["2", "0.5"]
    assert "sonneborn_berger\r\n" in text


def found(archive: Archive, **asked: Any) -> list[str]:
    return [game["game"] for game in archive.search(Search(**asked))]


def test_games_are_found_by_player_round_result_and_date(meeting: Archive) -> None:
    assert found(meeting) == ["g-1", "g-2", "g-3", "g-4"]
    assert found(meeting, player="joao") == ["g-1", "g-3"]
    assert found(meeting, player="JOÃO", result="white") == ["g-1"]
    assert found(meeting, player="ze", round="2") == ["g-4"]
    assert found(meeting, round="3") == []
    assert found(meeting, meeting="other") == []
    assert found(meeting, result="open") == ["g-4"]
    assert found(meeting, result="draw") == ["g-2"]
    assert found(meeting, since="2026-01-31", until="2026-01-31") == ["g-1", "g-2", "g-3", "g-4"]
    assert found(meeting, since="2026-02-01") == []
    assert found(meeting, until="2026-01-30") == []
    assert found(meeting, limit=2) == ["g-1", "g-2"]
    for wild in ("%", "_", "j%o", "\\"):
        assert found(meeting, player=wild) == []


def test_games_are_found_by_how_they_begin_and_by_a_position(meeting: Archive) -> None:
    assert found(meeting, moves=("c3-d4",)) == ["g-1", "g-3", "g-4"]
    assert found(meeting, moves=("c3-d4", "b6-a5")) == ["g-3"]
    assert found(meeting, moves=("c3-d",)) == []
    turned = "W:B" + START.split(":B")[1] + ":W" + ",".join(reversed(START.split(":")[1][1:].split(",")))
    assert found(meeting, fen=turned) == ["g-1", "g-2", "g-3", "g-4"]
    assert found(meeting, fen="W:Wa1:Bh8", result="draw") == ["g-2"]
    assert found(meeting, fen="B:Wa1:Bh8") == []
    with pytest.raises(ArchiveError, match="no position"):
        found(meeting, fen="somewhere")


def test_games_are_found_by_the_kind_of_an_alert(meeting: Archive) -> None:
    alert = {"event": "alert", "id": "g-7-a1", "kind": "missed_capture", "severity": "irregular", "ply": 1}
    meeting.take(MEETING, envelopes("g-7", [started("g-7", "Eva", "Ivo", round="2"), alert]))
    assert found(meeting, alert="missed_capture") == ["g-7"]
    assert found(meeting, alert="touch_move") == []
    assert found(meeting, round="2", player="ivo") == ["g-7"]  # the stream's word, where no round names the game


def test_a_game_is_told_whole(meeting: Archive) -> None:
    game = meeting.game(MEETING, "g-1")
    assert (game["white"], game["black"], game["winner"], game["result"]) == ("Ana", "João", "white", "2-0")
    assert [(ply["ply"], ply["side"], ply["move"], ply["seconds"]) for ply in game["plies"]] == [
        (1, "white", "c3-d4", 2.5),
        (2, "black", "f6-e5", 2.5),
    ]
    assert (game["pairing"]["round"], game["pairing"]["place"]) == ("1", 1)
    assert (game["alerts"], game["decisions"], game["fault"]) == ([], [], None)


def test_what_is_not_there_is_said_with_what_is(meeting: Archive) -> None:
    for ask, said in (
        (lambda: meeting.game(MEETING, "g-11"), "g-1"),
        (lambda: meeting.round(MEETING, "7"), "1, 2"),
        (lambda: meeting.standings(MEETING, "7"), "1, 2"),
        (lambda: meeting.meeting("opem"), "open"),
    ):
        with pytest.raises(ArchiveError, match=said):
            ask()
    assert meeting.meeting() == MEETING
    meeting.take_round("second", "1", payload(pairing("g-1", "A", "B")))
    assert meeting.meeting("second") == "second"
    with pytest.raises(ArchiveError, match="--meeting"):
        meeting.meeting()


def test_two_meetings_may_have_games_of_the_same_id(archive: Archive) -> None:
    archive.take("one", envelopes("g-1", [started("g-1"), move(1, "c3-d4")]))
    archive.take("two", envelopes("g-1", [started("g-1"), move(1, "c3-b4")], epoch=7))
    assert archive.game("one", "g-1")["moves"] == ["c3-d4"]
    assert archive.game("two", "g-1")["moves"] == ["c3-b4"]
    assert archive.known("two") == {"g-1": (7, 2)}


@pytest.mark.parametrize(
    ("name", "plain"),
    [("João d'Ávila", "joao davila"), ("Ødegård-Łoś", "odegard los"), ("STRASSE", "strasse"), ("Straße", "strasse")],
)
def test_names_are_compared_as_people_type_them(name: str, plain: str) -> None:
    assert folded(name) == plain


def test_rounds_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["10", "2", "r10", "r2", "final"], key=natural) == ["2", "10", "final", "r2", "r10"]


@pytest.mark.parametrize("name", names())
def test_a_position_has_one_key_however_it_is_written(name: str) -> None:
    variant = shipped(name).variant
    fen = write_fen(initial(variant))
    turn, white, black = fen.split(":")
    other = f"{turn}:{black}:W{','.join(reversed(white[1:].split(',')))}."
    assert write_fen(read_fen(other, variant)) == fen
    assert (
        position_key(other)
        == position_key(fen)
        != position_key(f"B:{white}:{black}" if turn == "W" else f"W:{white}:{black}")
    )


def test_ranges_of_a_position_are_written_out() -> None:
    assert position_key("W:W31-33,K5:B1,K2") == "W:WK5,31,32,33:B1,K2"
    for none in ("", "W", "W:W1", "X:W1:B2", "W:Q1:B2", "W:W1-x:B2", None, 3, "W:W1:B" + "2," * 1000):
        assert position_key(none) is None
