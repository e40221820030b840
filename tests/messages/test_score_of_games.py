"""What is written of a stream is what the gateway itself writes of the game, whatever happens at the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from unruly import Unruly

from damas_board.messages.encoding import event_object
from damas_board.messages.score import game_text, round_text, state_of
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import write_fen
from damas_board.notation.pdn import read_games
from damas_board.regulations import names, shipped
from damas_board.rules.position import initial
from damas_board.session.header import Header
from damas_board.session.session import Session
from damas_board.session.state import GameState


@settings(deadline=None, max_examples=30)
@example("br-cbjd", "occupancy", 706)  # an irregular ply that stands, is taken back, and another is set up in its place
@example("it-000", "occupancy", 4447)  # behind what was set up a piece is taken off, and then the game is aborted
@example("pt-escola", "occupancy", 81)  # a ply is closed as put right by word, and stays as it was played
@example("en-000", "occupancy", 1722)  # an irregular ply, behind which a position is set up
@given(st.sampled_from(names()), st.sampled_from(("occupancy", "colour", "kind")), st.integers(0, 10_000))
def test_the_score_of_a_stream_has_the_moves_and_positions_of_the_games_own(regulation, senses, seed):
    header = Header("t", regulation, senses=senses, game="g", clock="300+5" if seed % 2 else None)
    rules = shipped(regulation)
    session = Session(header, rules)
    record = Record()
    for item in Unruly(session, header, rules, seed).inputs(40):
        for event in session.feed(item):
            record = fold_event(record, json.loads(json.dumps(event_object(event))))
    state = session.state
    (told,), (kept,) = (
        list(read_games(game_text(game, rules, {}), rules.variant))
        for game in (state_of(record, state.time_control), state)
    )
    assert (told.fault, told.tags) == (kept.fault, kept.tags)
    assert [(ply.move, ply.after) for ply in told.plies] == [(ply.move, ply.after) for ply in kept.plies]


START = write_fen(initial(shipped("br-cbjd").variant))


def played(*moves: tuple[float, str, str], clocks: bool = True) -> Iterator[dict[str, Any]]:
    """A game of moves `(at, side, text)`, each followed by its player's lever."""
    yield {"event": "game_started", "at": 0.0, "game": "g-1", "regulation": "br-cbjd", "fen": START}
    left, running, since = {"white": 300.0, "black": 300.0}, "white", 0.0
    for ply, (at, side, text) in enumerate(moves, 1):
        yield {
            **{"event": "move", "at": at, "ply": ply, "side": side, "move": text, "fen": f"after {text}"},
            **{"irregular": False, "provisional": True, "revision": 0},
        }
        left[side] -= at + 0.5 - since
        running, since = ("black" if side == "white" else "white"), at + 0.5
        if clocks:
            yield {"event": "clock", "at": since, **left, "running": running, "stale": False}


def folded(*events: dict[str, Any]) -> Record:
    record = Record()
    for event in events:
        record = fold_event(record, event)
    return record


def test_the_clocks_of_a_ply_are_those_at_the_lever_of_its_player() -> None:
    record = folded(*played((4.5, "white", "c3-d4"), (9.5, "black", "f6-e5"), (11.0, "white", "d4xf6")))
    assert [ply.clock and (ply.clock.white, ply.clock.black, ply.clock.running) for ply in record.plies] == [
        None,  # there was none yet
        (295.0, 295.0, "white"),
        (293.5, 295.0, "black"),
    ]
    text = " ".join(game_text(record, shipped("br-cbjd"), {}).split())
    assert "1. c3-d4 f6-e5 {[%clock W0:04:55 b0:04:55]} 2. d4xf6 {[%clock w0:04:54 B0:04:55]} *" in text


def test_a_game_that_has_not_begun_has_no_score() -> None:
    with pytest.raises(ValueError, match="not begun"):
        game_text(Record(), shipped("br-cbjd"), {})


@pytest.mark.parametrize(
    ("player", "full", "public"),
    [
        ({"name": "Ana de Lima"}, "Ana de Lima", "Ana de Lima"),
        ({"name": "Ana de Lima", "public": "A. L."}, "Ana de Lima", "A. L."),
        ({"name": "Ana de Lima", "public": "A. L.", "minor": True}, "Ana de Lima", "A. L."),
        ({"name": "Ana de Lima", "minor": True}, "Ana de Lima", "?"),
        ({"name": "Ana de Lima", "public": " ", "minor": True}, "Ana de Lima", "?"),
        ({"public": "A. L."}, "?", "A. L."),
        ("Ana", "?", "?"),
    ],
)
def test_the_public_reads_the_names_that_are_for_it_and_none_of_a_minor(player: Any, full: str, public: str) -> None:
    record = replace(folded(*played()), players={"white": player})
    for shown, named in ((full, False), (public, True)):
        text = game_text(record, shipped("br-cbjd"), {}, public=named)
        assert f'[White "{shown}"]' in text
        assert named is False or "Ana" not in text or "Ana" in public


def test_the_games_of_a_round_stand_apart_by_one_empty_line() -> None:
    state = GameState("g", "br-cbjd", START, START, (), 0)
    text = round_text([game_text(state, shipped("br-cbjd"), {}), game_text(state, shipped("br-cbjd"), {})])
    assert "\n\n\n" not in text
    assert text.endswith("*\n")
    assert len(list(read_games(text))) == 2
