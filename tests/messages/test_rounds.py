"""Rounds: read, checked, turned into games, and how far they have come."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.messages.envelope import Envelope, object_of
from damas_board.messages.rounds import (
    TEXTS,
    RoundError,
    game_id,
    matches,
    new_game,
    read_round,
    round_object,
    standings,
    state_of,
)
from damas_board.messages.schemas import check
from damas_board.messages.topics import checked_id
from damas_board.rules.match import tally

ANA, RUI, EVA, IVO = ({"name": name} for name in ("Ana de Lima", "Rui Sá", "Eva Cruz", "Ivo Nunes"))


def body(*pairings: dict[str, Any], **keys: Any) -> dict[str, Any]:
    listed = pairings or (
        {"table": "1", "board": "table-1", "white": ANA, "black": RUI},
        {"table": "2", "white": EVA, "black": IVO},
    )
    return {"round": "3", "regulation": "br-cbjd", "pairings": list(listed), **keys}


def pairing(table: str = "1", **keys: Any) -> dict[str, Any]:
    return {"table": table, "white": ANA, "black": RUI, **keys}


def state(game: str, **keys: Any) -> dict[str, Any]:
    return {"game": game, "board": "table-1", "fen": "B:W1:B2", "moves": ["c3-d4"], "alerts": [], **keys}


def over(winner: str, result: str, reason: str = "resigned") -> dict[str, Any]:
    return {"winner": winner, "result": result, "reason": reason}


def test_a_round_is_read_and_its_payload_reads_back_and_fits_its_schema() -> None:
    given_ = body(
        pairing(clock="900+5", opening="c3-d4", match="semi-1", board="table-1"),
        {"table": "2", "white": {**EVA, "id": "7", "rating": 1800, "minor": True, "public": "E. C."}, "result": "1-0"}
        | {"black": {**IVO, "title": "MN", "club": "Clube de Damas"}},
        {"table": "3", "white": {"name": "Zé"}},
        name="Third round",
        clock="600",
        recorded=False,
        starts="lever",
        begins="2026-01-31 15:00",
        by="olga",
        lots={"seed": 7, "at": "2026-01-30T10:00:00Z", "by": "olga"},
        publication={
            "featured": ["2", 1],
            "delay": 900,
            "hold": True,
            "consumers": {"tv": {"delay": 60}},
            "boards": {"2": {"hold": False}},
        },
    )
    planned = read_round(given_, meeting="autumn")
    assert [p.game for p in planned.pairings] == ["autumn-3-t1", "autumn-3-t2", "autumn-3-t3"]
    assert planned.pairings[1].white.rating == "1800"
    assert planned.pairings[1].winner == "white"
    assert planned.pairings[2].black is None
    assert planned.publication.boards["2"].hold is False
    assert planned.publication.consumers == {"tv": 60.0}
    assert planned.publication.featured == ("2", "1")
    assert planned.begins == "2026-01-31T15:00"
    assert planned.pairings[1].black is not None
    assert (planned.pairings[1].black.title, planned.pairings[1].black.club) == ("MN", "Clube de Damas")
    written = json.loads(json.dumps(round_object(planned)))
    assert read_round(written) == planned
    check(object_of(Envelope("damas.round/1", "2026-01-31T18:00:00Z", body=written)))


@pytest.mark.parametrize("publication", [None, {}, {"hold": True}, {"delay": None, "consumers": {"tv": {"delay": 5}}}])
def test_a_round_that_says_no_delay_has_none_and_its_payload_says_none(publication: dict[str, Any] | None) -> None:
    planned = read_round(body(pairing(), publication=publication))
    written = round_object(planned)
    assert planned.publication.delay is None
    assert "delay" not in written["publication"]
    assert read_round(written) == planned
    assert read_round(body(pairing(), publication={"delay": 0})).publication.delay == 0.0


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("15:00", "15:00"),
        ("2026-01-31 15:00", "2026-01-31T15:00"),
        ("2026-01-31T15:00:30", "2026-01-31T15:00:30"),
        ("2026-01-31t15:00:00z", "2026-01-31T15:00:00Z"),
        ("2026-01-31T15:00+01:00", "2026-01-31T15:00+01:00"),
        ("", None),
    ],
)
def test_when_a_round_begins_is_a_time_with_an_offset_or_of_the_place(said: str, kept: str | None) -> None:
    assert read_round(body(begins=said)).begins == kept


def test_names_are_cleaned_and_a_name_alone_is_a_player() -> None:
    planned = read_round(body({"table": "1", "white": "Ana\u202e\x1b[31m  Lima", "black": {"name": " Rui\n"}}))
    assert planned.pairings[0].white.name == "Ana[31m Lima"
    assert planned.pairings[0].black is not None
    assert planned.pairings[0].black.name == "Rui"


def test_a_game_has_the_same_id_whenever_its_round_is_written_down_and_boards_do_not_matter() -> None:
    first = read_round(body(pairing(board="table-1"), pairing("2", white=EVA, black=IVO, board="table-2")))
    second = read_round(body(pairing("2", white=EVA, black=IVO, board="table-1"), pairing(board="table-2")))
    assert {p.table: p.game for p in first.pairings} == {p.table: p.game for p in second.pairings}


@given(st.text(max_size=40), st.text(min_size=1, max_size=60))
def test_every_table_has_a_game_id_that_may_stand_in_a_topic(meeting: str, table: str) -> None:
    made = game_id("".join(c for c in meeting if c in "abc-9"), "r" * 40, table)
    assert len(checked_id(made)) <= 40


@pytest.mark.parametrize(
    ("given_", "key", "number"),
    [
        ([], "no_object", None),
        ({"pairings": []}, "needs", None),
        (body(round="Round 3"), "no_id", None),
        ({"round": "3"}, "list", None),
        (body("x"), "object", 1),  # type: ignore[arg-type]
        (body({"white": ANA}), "needs", 1),
        (body(pairing(), pairing("2", white=None)), "no_name", 2),
        (body(pairing(white={"name": "\u200b"})), "no_name", 1),
        (body(pairing(white={"name": ["Ana"]})), "no_name", 1),
        (body(pairing(white=7)), "object", 1),
        (body(pairing(white={"name": "A", "minor": "yes"})), "yes_or_no", 1),
        (body(pairing(black=ANA)), "same_player", 1),
        (body(pairing(), pairing()), "twice", 2),
        (body(pairing(board="a"), pairing("2", board="a")), "twice", 2),
        (body(pairing(game="g"), pairing("2", game="g")), "twice", 2),
        (body(pairing(game="G 1")), "no_id", 1),
        (body(pairing(board="Table 1")), "no_id", 1),
        (body(pairing(clock="soon")), "clock", 1),
        (body(clock="soon"), "clock", None),
        (body(pairing(fen="W:Wz9:Ba1")), "fen", 1),
        (body(pairing(opening="c3-c4")), "opening", 1),
        (body(pairing(result="3-0")), "one_of", 1),
        (body(starts="soon"), "one_of", None),
        (body(recorded=1), "yes_or_no", None),
        (body(name=["x"]), "text", None),
        (body(publication=3), "object", None),
        (body(publication={"delay": -1}), "seconds", None),
        (body(publication={"delay": float("nan")}), "seconds", None),
        (body(publication={"consumers": {"tv": 60}}), "object", None),
        (body(publication={"boards": {"9": {"hold": True}}}), "no_table", None),
        (body(publication={"featured": ["9"]}), "no_table", None),
        (body(publication={"featured": "1"}), "tables", None),
        (body(begins="soon"), "begins", None),
        (body(begins="2026-02-30 15:00"), "begins", None),
        (body(begins="25:00"), "begins", None),
        (body(lots={"seed": -1}), "seed", None),
        (body(lots=7), "object", None),
        ({"round": "3", "pairings": [{}] * 5001}, "too_many", None),
    ],
)
def test_what_is_wrong_with_a_round_is_told_with_its_pairing(given_: Any, key: str, number: int | None) -> None:
    with pytest.raises(RoundError) as caught:
        read_round(given_)
    assert (caught.value.key, caught.value.pairing) == (key, number)
    assert str(caught.value).startswith(f"pairing {number}: ") is (number is not None)
    assert TEXTS[key].format(**caught.value.facts) in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["round", "pairings", "table", "white", "black", "name", "game", "publication", "boards"])
            | st.text(max_size=4),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@settings(deadline=None)
@given(JSON)
def test_whatever_is_published_as_a_round_is_read_or_refused(found: Any) -> None:
    try:
        planned = read_round({"round": "1", "pairings": found} if isinstance(found, list) else found)
    except RoundError:
        return
    assert read_round(round_object(planned)) == planned


def test_a_pairing_becomes_a_game_that_waits_and_what_it_leaves_out_is_the_rounds_or_the_boards() -> None:
    planned = read_round(body(pairing(match="m"), pairing("2", white=EVA, black=IVO, clock="60"), clock="600"))
    assert new_game(planned, planned.pairings[0]) == {
        "game": "3-t1",
        "round": "3",
        "table": "1",
        "players": {"white": ANA, "black": RUI},
        "starts": "command",
        "regulation": "br-cbjd",
        "clock": "600",
        "match": "m",
    }
    assert new_game(planned, planned.pairings[1])["clock"] == "60"


def test_how_far_a_round_has_come() -> None:
    planned = read_round(
        body(
            pairing("1", board="table-1"),
            pairing("2", white=EVA, black=IVO, board="table-2"),
            {"table": "3", "white": "A", "black": "B"},
            {"table": "4", "white": "C"},
        )
    )
    tables = standings(planned, {})
    assert [t.state for t in tables] == ["planned", "planned", "planned", "bye"]
    assert state_of(tables) == "planned"
    games = {"3-t1": state("3-t1", waits_for="command", moves=[])}
    assert next(t.state for t in standings(planned, games)) == "waiting"
    assert state_of(standings(planned, games)) == "planned"
    games = {
        "3-t1": state("3-t1", board="spare", alerts=[{}], held=True),
        "3-t2": state("3-t2", over=over("draw", "1-1")),
    }
    tables = standings(planned, games)
    assert [(t.state, t.board, t.plies, t.turn, t.alerts, t.held) for t in tables[:1]] == [
        ("playing", "spare", 1, "black", 1, True)
    ]
    assert [(t.state, t.winner, t.result, t.reason) for t in tables[1:2]] == [("over", "draw", "1-1", "resigned")]
    assert state_of(tables) == "started"


def test_a_round_is_over_with_its_last_game_or_the_last_result_that_was_entered() -> None:
    planned = read_round(body(pairing("1"), {"table": "2", "white": EVA, "black": IVO, "result": "0-2"}))
    assert state_of(standings(planned, {})) == "started"
    tables = standings(planned, {"3-t1": state("3-t1", over=over("white", "2-0"))})
    assert [(t.state, t.winner) for t in tables] == [("over", "white"), ("over", "black")]
    assert state_of(tables) == "over"


def test_the_score_of_a_match_over_its_games() -> None:
    players = {"white": ANA, "black": RUI}
    turned = {"white": RUI, "black": ANA}
    games = [
        state("a", match="semi-1", players=players, over=over("white", "2-0")),
        state("b", match="semi-1", players=turned, over=over("draw", "1-1")),
        state("c", match="semi-1", players=players),
        state("d", match="semi-2", players=players, over=over("black", "0-2")),
        state("e", players=players, over=over("black", "0-2")),
    ]
    found = matches(games)
    assert list(found) == ["semi-1", "semi-2"]
    score = found["semi-1"]
    assert (score.players, score.points, score.wins, score.draws, score.open) == (
        ("Ana de Lima", "Rui Sá"),
        (3, 1),
        (1, 0),
        1,
        1,
    )
    planned = read_round(body({"table": "9", "white": RUI, "black": ANA, "result": "1-0", "match": "semi-1"}))
    assert matches(games, standings(planned, {}))["semi-1"].points == (3, 3)
    assert tally([("a", "b", "none")]).points == (0, 0)
