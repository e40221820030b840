"""A game as a page shows it: what is replayed, what cannot be, and that nothing that was played breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hub.streams import folded, unruly
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.messages.shown import record_state, shown_game
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.regulations import Regulation, shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position, initial

CBJD = shipped("br-cbjd")
AT = "2026-01-31T18:30:00.000Z"


def state(moves: list[str], fen: str, regulation: str = "br-cbjd", **more: Any) -> dict[str, Any]:
    start = write_fen(initial(shipped(regulation).variant))
    return {"at": 5.0, "regulation": regulation, "start": start, "fen": fen, "moves": moves, "revision": 0, **more}


def after(*moves: str, regulation: Regulation = CBJD) -> str:
    position = initial(regulation.variant)
    for text in moves:
        position = position.after(next(m for m in legal_moves(position) if write_move(position, m) == text))
    return write_fen(position)


def test_a_ply_has_its_squares_and_what_stands_behind_it() -> None:
    moves = ["c3-d4", "b6-c5", "d4xb6", "a7xc5", "g3-f4"]
    times = [AT, AT, AT, AT, None]
    shown = shown_game(state(moves, after(*moves), times=times), CBJD)
    assert [ply["move"] for ply in shown.plies] == moves
    assert [ply["side"] for ply in shown.plies] == ["white", "black", "white", "black", "white"]
    assert [ply["fen"] for ply in shown.plies] == [after(*moves[:n]) for n in range(1, 6)]
    assert shown.plies[3] == {
        **{"ply": 4, "side": "black", "move": "a7xc5", "from": "a7", "to": "c5", "path": ["a7", "c5"]},
        **{"captured": ["b6"], "fen": after(*moves[:4]), "inferred": False, "entered": False, "irregular": False},
        **{"at": AT, "clock": None, "set_up": None},
    }
    assert shown.plies[4]["at"] is None
    assert shown.summary["last"] is shown.plies[4]
    assert shown.summary["board"] == {"size": 8, "corner": "left", "numbering": "algebraic"}
    assert (shown.summary["turn"], shown.summary["count"], shown.summary["first"]) == ("black", 5, "white")
    assert shown.summary["regulation"] == {"name": "br-cbjd", "title": CBJD.title, "variant": "brazilian"}


def test_what_is_noted_of_plies_is_told() -> None:
    set_up = "W:Wc3,Ka1:Bb6"
    notes = [
        {"ply": 1, "side": "white", "basis": "inferred", "clock": [300.0, 299.5], "running": "black"},
        {"ply": 2, "side": "black", "basis": "entered", "fen": set_up, "set_up": True},
    ]
    shown = shown_game(state(["c3-d4", "d6-c5"], set_up, notes=notes), CBJD)
    first, second = shown.plies
    assert (first["inferred"], first["entered"], first["clock"], first["set_up"]) == (True, False, [300.0, 299.5], None)
    assert (second["inferred"], second["entered"], second["set_up"], second["fen"]) == (False, True, set_up, set_up)
    assert (second["from"], second["irregular"]) == ("d6", False)


def test_an_irregular_ply_is_told_with_what_its_text_names_and_play_goes_on_behind_it() -> None:
    """White goes c3-c5, and two pieces of Black's are off."""
    stands = "B:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3,c5:Bd6,f6,h6,a7,e7,g7,b8,d8,f8,h8"
    note = {"ply": 1, "side": "white", "irregular": True, "fen": stands}
    behind = read_fen(stands, CBJD.variant)
    reply = write_move(behind, legal_moves(behind)[0])
    shown = shown_game(state(["c3-c5", reply], write_fen(behind.after(legal_moves(behind)[0])), notes=[note]), CBJD)
    first, second = shown.plies
    assert (first["irregular"], first["from"], first["to"], first["fen"]) == (True, "c3", "c5", stands)
    assert first["captured"] == ["b6", "c7"]
    assert first["set_up"] is None
    assert (second["side"], second["fen"], second["irregular"]) == ("black", shown.summary["fen"], False)


@pytest.mark.parametrize("named", [{"alerts": ["illegal_move"]}, {}])
def test_the_halls_note_of_an_irregular_ply_is_understood(named: dict[str, Any]) -> None:
    note = {"ply": 1, "side": "white", "fen": "B:Wc5:Bb6", **named, "article": None, "clock": None, "running": None}
    (ply,) = shown_game(state(["c3-c5"], "B:Wc5:Bb6", notes=[note]), CBJD).plies
    assert (ply["irregular"], ply["set_up"], ply["from"]) == (True, None, "c3")


def test_a_position_set_up_by_the_hall_behind_a_legal_ply_is_no_irregularity() -> None:
    note = {"ply": 1, "side": "white", "fen": "B:Wc5:Bb6", "alerts": []}
    (ply,) = shown_game(state(["c3-d4"], "B:Wc5:Bb6", notes=[note]), CBJD).plies
    assert (ply["irregular"], ply["set_up"], ply["to"]) == (False, "B:Wc5:Bb6", "d4")


def test_a_move_that_cannot_be_derived_is_told_without_squares_or_with_those_it_names() -> None:
    moves = ["c3-d4", "h8-a1", "nonsense", "c1xZ9", "d4-e5"]
    shown = shown_game(state(moves, "B:Wa1:Bh8"), CBJD)
    assert [(ply["from"], ply["to"]) for ply in shown.plies] == [
        ("c3", "d4"),
        ("h8", "a1"),
        (None, None),
        (None, None),
        ("d4", "e5"),
    ]
    assert [ply["fen"] is None for ply in shown.plies] == [False, True, True, True, True]
    assert [ply["side"] for ply in shown.plies] == ["white", "black", "white", "black", "white"]


def test_a_game_of_an_unknown_regulation_is_shown_without_positions() -> None:
    shown = shown_game({**state(["c3-d4"], "B:Wd4:Bh8"), "regulation": "club-rules"}, None)
    assert shown.summary["board"] is None
    assert shown.summary["regulation"] == {"name": "club-rules", "title": "club-rules", "variant": None}
    assert (shown.summary["turn"], shown.summary["fen"]) == ("black", "B:Wd4:Bh8")
    (ply,) = shown.plies
    assert (ply["side"], ply["move"], ply["from"], ply["fen"]) == ("white", "c3-d4", None, None)


def test_a_clock_that_is_older_than_the_newest_event_says_how_much() -> None:
    clock = {"event": "clock", "at": 2.0, "white": 300.0, "black": 290.0, "running": "white", "stale": False}
    fen = after("c3-d4")
    shown = shown_game(state(["c3-d4"], fen, clock=clock), CBJD)
    assert shown.summary["clock"] == {"white": 300.0, "black": 290.0, "running": "white", "stale": False}
    assert shown.lag == 3.0
    over = {"event": "game_over", "winner": "draw", "result": "1-1", "reason": "agreed", "ply": 1, "article": "7"}
    ended = shown_game(state(["c3-d4"], fen, clock=clock, over=over), CBJD)
    assert ended.summary["clock"]["running"] is None
    assert ended.summary["over"] == {"winner": "draw", "result": "1-1", "reason": "agreed"}


def test_what_was_replayed_is_not_replayed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ["c3-d4", "b6-c5", "d4xb6"]
    former = shown_game(state(moves, after(*moves)), CBJD)
    read: list[str] = []

    def reading(before: Position, text: str) -> Move:
        read.append(text)
        return read_move(before, text)

    monkeypatch.setattr("damas_board.messages.shown.read_move", reading)
    longer = shown_game(state([*moves, "a7xc5"], after(*moves, "a7xc5")), CBJD, former)
    assert read == ["a7xc5"]
    assert longer.kept(former) == 3
    other = shown_game(state([moves[0], "f6-e5"], after(moves[0], "f6-e5")), CBJD, longer)
    assert read == ["a7xc5", "f6-e5"]
    assert other.kept(longer) == 1
    assert other.kept(None) == 0


def test_what_comes_behind_a_revised_ply_is_replayed_though_its_text_is_the_same() -> None:
    moves = ["c3-d4", "b6-a5", "e3-f4"]
    former = shown_game(state(moves, after(*moves)), CBJD)
    revised = ["c3-b4", *moves[1:]]
    told = state(revised, after(*revised))
    shown = shown_game(told, CBJD, former)
    assert shown.plies == shown_game(told, CBJD).plies
    assert [ply["fen"] for ply in shown.plies] == [after(*revised[:n]) for n in range(1, 4)]
    assert shown.kept(former) == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("regulation", ["br-cbjd", "pt-classicas", "int-fmjd", "tr-000"])
def test_whatever_is_played_is_shown_as_it_is_recorded(seed: int, regulation: str) -> None:
    """Streams of unruly games, cut anywhere; step by step and in one go give the same."""
    rules = shipped(regulation)
    stream = unruly(seed, "g-1", regulation=regulation)
    former = None
    for length in range(1, len(stream) + 1):
        record = folded(stream[:length])
        if record.start is None or record.fen is None:
            continue
        told = json.loads(json.dumps({"at": float(length), **record_state(record)}))
        step, whole = shown_game(told, rules, former), shown_game(told, rules)
        assert (step.summary, step.plies) == (whole.summary, whole.plies)
        kept = step.kept(former)
        assert former is None or list(step.plies[:kept]) == list(former.plies[:kept])
        assert [ply["fen"] for ply in step.plies] == [ply.fen for ply in record.plies]
        assert [ply["side"] for ply in step.plies] == [ply.side for ply in record.plies]
        assert [ply["irregular"] for ply in step.plies] == [ply.irregular for ply in record.plies]
        for ply, played in zip(step.plies, record.plies, strict=True):
            if not played.irregular:
                assert (ply["from"], ply["to"]) == (played.body["from"], played.body["to"])
                assert sorted(ply["captured"]) == sorted(played.body["captured"])
        former = step
    assert former is not None


_KEY = st.sampled_from(["ply", "side", "fen", "clock", "basis", "white", "black", "running", "at", "alerts", "x"])
_SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=8)
_JSON = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(sorted(state([], ""))), _JSON),
    st.fixed_dictionaries(
        {}, optional={key: _JSON for key in ("notes", "times", "clock", "over", "players", "opening", "time_control")}
    ),
)
def test_no_body_raises_anything_but_a_value_error(wrong: dict[str, Any], more: dict[str, Any]) -> None:
    try:
        shown = shown_game({**state(["c3-d4"], after("c3-d4")), **more, **wrong}, CBJD)
    except ValueError:
        return
    json.dumps([shown.summary, shown.plies], allow_nan=False)


def test_a_record_says_when_each_ply_was_played_and_how_it_is_known() -> None:
    start = {"event": "game_started", "at": 0.0, "game": "g-1", "regulation": "br-cbjd", "fen": after()}
    record = fold_event(Record(), start)
    played = [
        {"at": 4.5, "down": 3.25, "basis": "seen"},
        {"at": 6.0, "down": None, "basis": "inferred"},
        {"at": 7.0, "down": None, "basis": "entered", "irregular": True},
        {"at": 8.0, "down": None, "basis": "seen"},
    ]
    moves = ["c3-d4", "b6-c5", "d4xb6", "a7xc5"]
    for ply, (move, more) in enumerate(zip(moves, played, strict=True), 1):
        side, fen = ("white" if ply % 2 else "black"), after(*moves[:ply])
        body = {"event": "move", "ply": ply, "side": side, "move": move, "fen": fen, "revision": 0, **more}
        record = fold_event(
            fold_event(record, start) if ply == 1 else record, {**body, "ts": f"2026-01-31T18:30:0{ply}Z"}
        )
    told = record_state(record)
    assert told["times"] == ["2026-01-31T18:29:59.750Z", None, None, "2026-01-31T18:30:04Z"]
    assert told["notes"] == [
        {"ply": 2, "side": "black", "basis": "inferred"},
        {"ply": 3, "side": "white", "irregular": True, "fen": after(*moves[:3]), "basis": "entered"},
    ]
    set_up = {"event": "position_set", "at": 9.0, "ply": 4, "fen": "W:Wa1:Bh8", "revision": 1}
    assert record_state(fold_event(record, set_up))["notes"][-1] == {
        **{"ply": 4, "side": "black", "fen": "W:Wa1:Bh8", "set_up": True}
    }
