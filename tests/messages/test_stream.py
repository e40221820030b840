from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.messages.envelope import Envelope
from damas_board.messages.stream import Follower, Record, Since, StreamError, fold, fold_event


def event(seq: int, epoch: int = 1, **body: Any) -> Envelope:
    return Envelope("damas.event/1", "2026-01-31T18:30:00Z", "table-1", "g-1", epoch, seq, body)


def numbers(step: Any) -> list[int]:
    return [envelope.seq for envelope in step.events]


def test_what_was_seen_is_dropped() -> None:
    follower = Follower()
    assert numbers(follower.take(event(1))) == [1]
    assert numbers(follower.take(event(1))) == []
    assert numbers(follower.take(event(2))) == [2]
    assert numbers(follower.take(event(1))) == []


def test_a_hole_is_asked_for_once_and_what_came_behind_it_waits() -> None:
    follower = Follower()
    follower.take(event(1))
    step = follower.take(event(3))
    assert (numbers(step), step.ask) == ([], Since(1, 1))
    assert follower.take(event(4)).ask is None
    step = follower.take(event(2))
    assert (numbers(step), step.ask, follower.hole) == ([2, 3, 4], None, None)
    assert follower.take(event(6)).ask == Since(1, 4)


def test_a_hole_that_the_answer_did_not_close_is_still_known() -> None:
    follower = Follower()
    follower.take(event(1))
    follower.take(event(3))
    follower.take(event(5))
    follower.take(event(2))
    assert follower.hole == Since(1, 3)


def test_a_reader_who_comes_late_asks_for_the_beginning() -> None:
    follower = Follower()
    assert follower.take(event(9)).ask == Since(1, 0)
    assert numbers(follower.take(event(1))) == [1]


def test_a_lost_last_event_is_seen_in_the_retained_state() -> None:
    follower = Follower()
    follower.take(event(1))
    assert follower.noticed(1, 1).ask is None
    assert follower.noticed(1, 2).ask == Since(1, 1)
    assert numbers(follower.take(event(2))) == [2]
    assert follower.hole is None


def test_a_reader_who_knows_the_beginning_goes_on_behind_it() -> None:
    follower = Follower()
    follower.resume(1, 5)
    assert numbers(follower.take(event(5))) == []
    assert numbers(follower.take(event(6))) == [6]


def test_a_new_epoch_begins_the_stream_again_and_the_old_one_is_over() -> None:
    follower = Follower()
    follower.take(event(1))
    follower.take(event(3))
    step = follower.take(event(1, epoch=2))
    assert (numbers(step), step.restarted, step.ask) == ([1], True, None)
    assert numbers(follower.take(event(2))) == []
    assert numbers(follower.take(event(2, epoch=2))) == [2]
    assert follower.noticed(1, 9) == follower.noticed(2, 2)


def test_the_first_epoch_is_no_restart() -> None:
    assert not Follower().take(event(1, epoch=7)).restarted


def test_an_event_without_a_number_is_no_event_of_a_stream() -> None:
    with pytest.raises(StreamError):
        Follower().take(Envelope("damas.event/1", "2026-01-31T18:30:00Z"))


def test_behind_a_hole_memory_is_bounded_and_nothing_is_lost_for_good() -> None:
    follower = Follower(kept=10)
    for seq in range(2, 1000):
        follower.take(event(seq))
    assert follower.hole == Since(1, 0)
    got = [n for seq in range(1, 1000) for n in numbers(follower.take(event(seq)))]
    assert got == list(range(1, 1000))


@given(st.lists(st.integers(1, 12), max_size=60), st.randoms())
def test_any_order_with_repetitions_comes_out_once_each_in_order(seen: list[int], random: Any) -> None:
    follower = Follower()
    out = [n for seq in seen for n in numbers(follower.take(event(seq)))]
    assert out == list(range(1, len(out) + 1))
    missing = [seq for seq in range(1, 13) if seq > len(out)]
    random.shuffle(missing)
    out += [n for seq in missing for n in numbers(follower.take(event(seq)))]
    assert out == list(range(1, 13))
    assert follower.hole is None


def move(ply: int, text: str, revision: int = 0, kind: str = "move", provisional: bool = True) -> dict[str, Any]:
    return {
        "event": kind,
        "ply": ply,
        "side": "white" if ply % 2 else "black",
        "move": text,
        "fen": f"after {text}",
        "irregular": False,
        "provisional": provisional,
        "revision": revision,
    }


def folded(*events: dict[str, Any]) -> Record:
    record = Record()
    for number, body in enumerate(events, 1):
        record = fold(record, event(number, **body))
    return record


STARTED = {"event": "game_started", "regulation": "br-cbjd", "fen": "start"}


def test_moves_are_added_revised_confirmed_and_retracted() -> None:
    record = folded(STARTED, move(1, "c3-d4"), move(2, "f6-e5"))
    assert (record.game, record.regulation, record.moves) == ("g-1", "br-cbjd", ("c3-d4", "f6-e5"))
    assert record.fen == "after f6-e5"
    record = fold_event(record, move(2, "f6-g5", 1, "move_revised"))
    assert (record.moves, record.revision) == (("c3-d4", "f6-g5"), 1)
    record = fold_event(record, {"event": "move_confirmed", "ply": 2, "revision": 1})
    assert [ply.confirmed for ply in record.plies] == [False, True]
    record = fold_event(record, {"event": "moves_retracted", "from_ply": 1, "reason": "rewind", "revision": 2})
    assert (record.moves, record.fen, record.revision) == ((), "start", 2)


def test_what_was_told_of_a_game_that_waited_is_kept_when_it_begins() -> None:
    waited = (
        {"event": "board", "state": "ready"},
        {"event": "publication", "held": True},
        {"event": "position_set", "by": "ana", "fen": "another", "ply": 0, "revision": 1},
        alert(1, "wrong_setup"),
    )
    began = {**STARTED, "fen": "another", "round": "3", "table": "7", "match": "m", "time_control": "60"}
    assert folded(*waited).start is None
    record = folded(*waited, began, move(1, "c3-d4", 1))
    assert (record.held, record.revision, record.start, record.moves) == (True, 1, "another", ("c3-d4",))
    assert [a["kind"] for a in record.alerts] == ["wrong_setup"]
    assert (record.round, record.table, record.match, record.time_control) == ("3", "7", "m", "60")


def test_an_end_can_be_taken_back() -> None:
    record = folded(STARTED, {"event": "game_over", "winner": "white", "revision": 0})
    assert record.over is not None
    assert record.over["winner"] == "white"
    assert fold_event(record, {"event": "game_reopened", "by": "ana", "revision": 1}).over is None


def alert(number: int, kind: str = "missed_capture") -> dict[str, Any]:
    return {"event": "alert", "id": f"g-1-a{number}", "kind": kind, "ply": 1}


def test_alerts_are_open_until_they_are_closed() -> None:
    record = folded(STARTED, alert(1), alert(2, "held_piece"))
    assert [a["kind"] for a in record.alerts] == ["missed_capture", "held_piece"]
    record = fold_event(record, {"event": "alert_closed", "id": "g-1-a1", "how": "stands"})
    assert [a["id"] for a in record.alerts] == ["g-1-a2"]


def test_a_position_set_up_before_the_first_ply_is_the_start_and_later_the_one_behind_the_last_ply() -> None:
    setting = {"event": "position_set", "by": "ana"}
    record = folded(STARTED, {**setting, "fen": "another", "ply": 0, "revision": 1})
    assert (record.start, record.fen, record.revision) == ("another", "another", 1)
    record = fold_event(fold_event(record, move(1, "c3-d4", 1)), {**setting, "fen": "a third", "ply": 1, "revision": 2})
    assert (record.start, record.moves, record.fen, record.revision) == ("another", ("c3-d4",), "a third", 2)


@pytest.mark.parametrize("as_played", [True, False])
def test_behind_what_is_set_up_a_ply_is_as_irregular_as_it_was_played(as_played: bool) -> None:
    played, entered = move(1, "c3-d4"), move(1, "c3-d4", 1, "move_revised")
    record = folded(STARTED, {**played, "irregular": as_played}, {**entered, "irregular": True, "basis": "entered"})
    assert record.plies[0].broken
    record = fold_event(record, {"event": "position_set", "by": "ana", "fen": "another", "ply": 1, "revision": 1})
    assert (record.plies[0].irregular, record.plies[0].broken) == (True, as_played)


def test_what_was_put_right_by_word_is_settled_until_its_ply_is_another() -> None:
    irregular = {**move(1, "c3-d4"), "irregular": True, "at": 1.0}
    about = {**alert(1), "at": 2.0}
    by_word = {"event": "alert_closed", "id": "g-1-a1", "how": "rectified"}
    record = folded(
        STARTED, irregular, about, {**about, "id": "g-1-a2"}, by_word, {**by_word, "id": "g-1-a2", "how": "stands"}
    )
    assert [a["id"] for a in record.settled] == ["g-1-a1", "g-1-a2"]
    record = fold_event(record, {**move(1, "c3-b4", 1, "move_revised"), "irregular": True, "at": 3.0})
    assert [a["id"] for a in record.settled] == ["g-1-a2"]


@pytest.mark.parametrize(
    ("raised", "basis", "settled"), [(1.0, "seen", False), (3.0, "seen", True), (1.0, "entered", True)]
)
def test_by_word_only_what_was_raised_about_the_ply_as_it_is_now_is_settled(
    raised: float, basis: str, settled: bool
) -> None:
    played = {**move(1, "c3-d4"), "irregular": True, "at": 0.5}
    revised = {**move(1, "c3-b4", 1, "move_revised"), "irregular": True, "at": 2.0, "basis": basis}
    closed = {"event": "alert_closed", "id": "g-1-a1", "how": "rectified"}
    record = folded(STARTED, played, {**alert(1), "at": raised}, revised, closed)
    assert bool(record.settled) is settled


def test_a_game_is_kept_from_the_public_until_it_is_released() -> None:
    assert not folded(STARTED).held
    record = folded(STARTED, {"event": "publication", "held": True})
    assert record.held
    assert not fold_event(record, {"event": "publication", "held": False}).held


def test_other_events_change_no_record() -> None:
    record = folded(STARTED, move(1, "c3-d4"))
    for kind in ("piece_lifted", "claim", "of_a_later_version"):
        assert fold_event(record, {"event": kind, "square": "c3"}) == record


@pytest.mark.parametrize(
    "bad",
    [
        move(3, "c3-d4"),
        move(1, "c3-d4"),
        move(2, "x", 1, "move_revised"),
        {"event": "move_confirmed", "ply": 0, "revision": 0},
        {"event": "moves_retracted", "from_ply": 5, "revision": 1},
        {"event": "move", "ply": 2},
        {"event": "alert_closed", "id": "g-1-a1", "how": "stands"},
        {"event": "alert", "kind": "held_piece"},
        {"event": "position_set", "ply": 0, "fen": "start", "revision": 1},
        {},
    ],
)
def test_an_event_that_cannot_follow_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(StreamError):
        fold_event(folded(STARTED, move(1, "c3-d4")), bad)
