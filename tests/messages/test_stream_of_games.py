"""What a reader makes of a stream is what the gateway retains, whatever happens at the table."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from unruly import Unruly

from damas_board.messages.encoding import event_object
from damas_board.messages.stream import Record, fold_event
from damas_board.regulations import names, shipped
from damas_board.session.header import Header, Senses
from damas_board.session.session import Session

SENSES: tuple[Senses, ...] = ("occupancy", "colour", "kind")
REGULATIONS = st.sampled_from(names())


def followed(regulation: str, senses: Senses, seed: int, acts: int = 40) -> Counter[str]:
    """Plays an unruly game and compares after every input; how often each event was told, each command done."""
    header = Header("t", regulation, senses=senses, game="g", clock="300+5" if seed % 2 else None)
    rules = shipped(regulation)
    session = Session(header, rules)
    record, seen = Record(), Counter[str]()
    for item in Unruly(session, header, rules, seed).inputs(acts):
        for event in session.feed(item):
            body = json.loads(json.dumps(event_object(event)))
            record = fold_event(record, body)
            seen[f"{body['do']} {body['outcome']}" if body["event"] == "command" else body["event"]] += 1
            if body["event"] == "moves_retracted":
                assert body["fen"] == record.fen
        state = session.state
        assert record.game == state.game
        assert (record.start, record.fen, record.moves) == (state.start, state.fen, state.moves), item
        assert record.revision == state.revision, item
        assert record.open_alerts == state.alerts, item
        assert record.clock == (None if state.clock is None else event_object(state.clock)), item
        assert record.held is state.held, item
        assert record.board == (None if state.board_state is None else event_object(state.board_state)), item
        assert record.over == (None if state.over is None else event_object(state.over)), item
        irregular = [note.ply for note in state.notes if note.fen is not None]
        assert [ply.ply for ply in record.plies if ply.irregular] == irregular, item
    return seen


@settings(deadline=None, max_examples=60)
@given(REGULATIONS, st.sampled_from(SENSES), st.integers(0, 10_000))
def test_the_events_of_an_unruly_game_fold_to_its_state_at_every_point(
    regulation: str, senses: Senses, seed: int
) -> None:
    followed(regulation, senses, seed)


def test_unruly_games_have_everything_that_changes_a_record() -> None:
    seen: Counter[str] = sum((followed("br-cbjd", "colour", seed) for seed in range(30)), Counter())
    missing = {
        *("alert", "alert_closed", "move", "move_revised", "moves_retracted", "game_over", "game_reopened"),
        *("position_set", "publication"),
        *(f"{do} done" for do in ("stands", "rectify", "dismiss", "rewind", "set_position", "move", "reopen")),
        *(f"{do} done" for do in ("adjust", "mask", "unmask", "orient", "pause", "resume", "set_clock")),
    } - set(seen)
    assert missing == set()
