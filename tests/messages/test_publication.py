"""The public copy: nothing younger than the delay, nothing twice, nothing back that holds, only what is listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from damas_board.messages.envelope import Envelope, timestamp
from damas_board.messages.publication import Place, PublicCopy, Terms, public_players
from damas_board.messages.stream import StreamError

UTC = "2026-01-31T18:00:00Z"
START = {"event": "game_started", "game": "g-1", "regulation": "br-cbjd", "fen": "start"}


class Hall:
    """The hall's stream of one game, and a public copy of it that hears each event when it happens."""

    def __init__(self, copy: PublicCopy | None = None, epoch: int = 1) -> None:
        self.copy = PublicCopy() if copy is None else copy
        self.epoch = epoch
        self.told: list[tuple[Envelope, float]] = []
        self.revision = 0

    def tell(self, at: float, event: str, **keys: Any) -> None:
        body = {"event": event, "at": at, **keys}
        envelope = Envelope("damas.event/1", timestamp(UTC, at), "t-1", "g-1", self.epoch, len(self.told) + 1, body)
        self.told.append((envelope, at))
        self.copy.take(envelope, at)
        self.copy.caught_up()

    def start(self, at: float = 0.0, **keys: Any) -> None:
        self.tell(at, **{**START, **keys})

    def move(self, at: float, ply: int, move: str, **keys: Any) -> None:
        self._ply(at, "move", ply, move, **keys)

    def revise(self, at: float, ply: int, move: str, was: str, **keys: Any) -> None:
        self.revision += 1
        self._ply(at, "move_revised", ply, move, was=was, **keys)

    def retract(self, at: float, from_ply: int) -> None:
        self.revision += 1
        self.tell(at, "moves_retracted", from_ply=from_ply, reason="rewind", revision=self.revision, fen="?")

    def over(self, at: float, ply: int) -> None:
        end = {"winner": "draw", "result": "1-1", "reason": "agreed", "article": None, "ply": ply}
        self.tell(at, "game_over", **end, revision=self.revision)

    def _ply(self, at: float, event: str, ply: int, move: str, **keys: Any) -> None:
        rest = {
            **{"ply": ply, "side": "white" if ply % 2 else "black", "move": move, "from": "c3", "to": "d4"},
            **{"path": [], "captured": [], "promoted": False, "fen": f"after {move}", "provisional": True},
            **{"irregular": False, "basis": "seen", "down": at, "seconds": 1.0, "revision": self.revision},
        }
        self.tell(at, event, **{**rest, **keys})

    def public(self, now: float, delay: float = 0.0, **terms: Any) -> list[tuple[Any, ...]]:
        """What is published at `now`: the event and what it is about."""
        events = self.copy.publish(now, Terms(delay, **terms))
        return [(e["event"], *[e[key] for key in ("ply", "from_ply", "move", "was") if key in e]) for e in events]

    @property
    def moves(self) -> tuple[str, ...]:
        return self.copy.record.moves


def test_a_move_is_public_when_it_is_as_old_as_the_delay_and_once() -> None:
    hall = Hall()
    hall.start()
    hall.move(10.0, 1, "a")
    hall.move(20.0, 2, "b")
    assert hall.public(9.9, delay=10.0 - 1e-9) == []
    assert hall.public(19.0, delay=10.0) == [("game_started",)]
    assert hall.public(20.0, delay=10.0) == [("move", 1, "a")]
    assert hall.public(20.0, delay=10.0) == []
    assert hall.public(30.0, delay=10.0) == [("move", 2, "b")]


def test_with_no_delay_a_move_is_public_at_once_and_its_correction_afterwards() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    assert hall.public(1.0) == [("game_started",), ("move", 1, "a")]
    hall.revise(2.0, 1, "b", "a")
    assert hall.public(2.0) == [("move_revised", 1, "b", "a")]
    assert hall.copy.record.revision == 1
    hall.retract(3.0, 1)
    assert hall.public(3.0) == [("moves_retracted", 1)]
    assert hall.copy.record.revision == 2


def test_a_revision_inside_the_delay_is_never_public() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "wrong")
    hall.move(2.0, 2, "b")
    hall.retract(5.0, 2)
    hall.revise(6.0, 1, "right", "wrong")
    assert hall.public(12.0, delay=10.0) == [("game_started",)]
    assert hall.public(15.0, delay=10.0) == []
    assert hall.public(16.0, delay=10.0) == [("move", 1, "right")]
    assert hall.copy.record.revision == 2


def test_a_late_correction_is_public_when_it_is_due_with_the_same_revision() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "b")
    hall.public(12.0, delay=10.0)
    hall.retract(13.0, 1)
    hall.move(14.0, 1, "c")
    assert hall.public(22.0, delay=10.0) == []
    assert hall.moves == ("a", "b")
    assert hall.public(23.0, delay=10.0) == [("moves_retracted", 1)]
    assert hall.public(24.0, delay=10.0) == [("move", 1, "c")]
    assert hall.copy.record.revision == 1


def test_a_longer_delay_takes_nothing_back_and_a_shorter_one_shows_nothing_twice() -> None:
    hall = Hall()
    hall.start()
    for ply in range(1, 9):
        hall.move(float(ply), ply, f"m{ply}")
    hall.public(4.0, delay=0.0)
    assert hall.moves == ("m1", "m2", "m3", "m4")
    assert hall.public(8.0, delay=6.0) == []
    assert hall.public(11.0, delay=6.0) == [("move", 5, "m5")]
    assert hall.public(11.0, delay=4.0) == [("move", 6, "m6"), ("move", 7, "m7")]
    assert hall.public(11.0, delay=60.0) == []


def test_hold_keeps_a_board_from_the_public_at_once_and_release_brings_what_is_due() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "b")
    hall.public(11.0, delay=10.0)
    hall.tell(11.5, "publication", held=True)
    assert hall.public(13.0, delay=10.0) == []
    assert hall.moves == ("a",)
    hall.tell(14.0, "publication", held=False)
    hall.move(14.5, 3, "c")
    assert hall.public(15.0, delay=10.0, hold=True) == []
    assert hall.public(15.0, delay=10.0) == [("move", 2, "b")]


def test_only_what_is_listed_is_public() -> None:
    hall = Hall()
    hall.start(players={"white": {"name": "Maria Silva", "public": "M. S."}, "black": {"name": "Rui", "minor": True}})
    hall.tell(0.5, "piece_lifted", square="c3", side="white", since=0.4)
    hall.move(1.0, 1, "a", note="told by the author")
    hall.tell(1.1, "alert", id="g-1-a1", kind="touch_move", severity="irregular", ply=1, evidence={"trail": []})
    hall.tell(1.2, "board", state="mismatch", put={"c3": "w"})
    hall.tell(1.3, "claim", rule="repetition", side=None, article="1", count=3, limit=3, holds=True)
    hall.tell(1.4, "command", id="x", do="stands", outcome="done", by="ana")
    hall.over(2.0, 1)
    hall.tell(3.0, "game_reopened", by="ana", revision=0)
    events = hall.copy.publish(2.5, Terms(0.0)) + hall.copy.publish(3.0, Terms(0.0))
    assert [event["event"] for event in events] == ["game_started", "move"]  # the end was taken back meanwhile
    text = repr(events)
    for secret in ("Maria", "Rui", "lifted", "author", "alert", "touch", "mismatch", "claim", "command", "ana", "t-1"):
        assert secret not in text
    assert events[0]["players"] == {"white": {"name": "M. S."}}


def test_who_took_an_end_back_is_not_public() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.over(2.0, 1)
    hall.public(2.0)
    hall.tell(3.0, "game_reopened", by="ana", revision=0)
    (event,) = hall.copy.publish(3.0, Terms())
    assert (event["event"], event["by"]) == ("game_reopened", None)


def test_an_end_that_is_taken_back_inside_the_delay_is_never_public() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.over(2.0, 1)
    hall.tell(5.0, "game_reopened", by="ana", revision=0)
    assert hall.public(14.0, delay=10.0) == [("game_started",), ("move", 1, "a")]
    assert hall.public(20.0, delay=10.0) == []


@pytest.mark.parametrize(
    "lets_stand",
    [("alert_closed", {"id": "a1", "how": "stands"}), ("alert_closed", {"id": "a1", "how": "dismissed"}), None],
)
def test_an_irregular_ply_waits_until_it_was_let_stand(lets_stand: tuple[str, dict[str, Any]] | None) -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "odd", irregular=True)
    hall.tell(2.0, "alert", id="a1", kind="illegal_move", severity="irregular", ply=2)
    hall.move(3.0, 3, "c")
    assert hall.public(3.0) == [("game_started",), ("move", 1, "a")]
    if lets_stand is None:
        hall.over(4.0, 3)
    else:
        hall.tell(4.0, lets_stand[0], **lets_stand[1])
    assert hall.public(4.0)[:2] == [("move", 2, "odd"), ("move", 3, "c")]


def test_an_irregular_ply_that_is_put_right_is_never_public() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "odd", irregular=True)
    hall.tell(1.0, "alert", id="a1", kind="illegal_move", severity="irregular", ply=1)
    assert hall.public(1.0) == [("game_started",)]
    hall.tell(2.0, "alert_closed", id="a1", how="rectified")
    hall.retract(2.0, 1)
    hall.move(3.0, 1, "even")
    assert hall.public(3.0) == [("move", 1, "even")]


@pytest.mark.parametrize("again", ["retracted", "revised"])
def test_what_was_let_stand_says_nothing_of_another_ply_in_its_place(again: str) -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "odd", irregular=True)
    hall.tell(1.0, "alert", id="a1", kind="illegal_move", severity="irregular", ply=1)
    hall.tell(2.0, "alert_closed", id="a1", how="stands")
    if again == "retracted":
        hall.retract(3.0, 1)
        hall.move(4.0, 1, "odder", irregular=True)
    else:
        hall.revise(4.0, 1, "odder", "odd", irregular=True)
    assert hall.public(4.0) == [("game_started",)]
    hall.tell(4.0, "alert", id="a2", kind="illegal_move", severity="irregular", ply=1)
    hall.move(6.0, 2, "b")
    assert hall.public(6.0) == []
    hall.tell(7.0, "alert_closed", id="a2", how="stands")
    assert hall.public(7.0) == [("move", 1, "odder"), ("move", 2, "b")]


def test_a_restarted_publisher_goes_on_where_it_was() -> None:
    hall = Hall()
    hall.start()
    for ply in range(1, 6):
        hall.move(float(ply), ply, f"m{ply}")
    published = hall.copy.publish(3.0, Terms(0.0))
    place = hall.copy.place
    again = PublicCopy(published, place)
    for envelope, at in hall.told[:3]:
        again.take(envelope, at)
    assert again.publish(100.0, Terms(96.0)) == []
    for envelope, at in hall.told[3:]:
        again.take(envelope, at)
    assert again.publish(100.0, Terms(96.0)) == []  # not all that the hall knew has been read
    again.caught_up()
    assert [event["move"] for event in again.publish(100.0, Terms(96.0))] == ["m4"]


def test_a_new_epoch_takes_nothing_back_that_still_holds() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "b")
    hall.move(3.0, 3, "c")
    hall.public(3.0)
    renewed = Hall(hall.copy, epoch=2)
    renewed.copy.take(Envelope("damas.event/1", UTC, "t-1", "g-1", 2, 1, {**START, "at": 0.0}), 4.0)
    assert renewed.public(4.0) == []
    assert renewed.moves == ("a", "b", "c")
    renewed.told.append((hall.told[0][0], 4.0))
    renewed.move(5.0, 1, "a")
    renewed.move(5.0, 2, "b")
    assert renewed.public(5.0) == []
    assert renewed.moves == ("a", "b", "c")
    renewed.move(6.0, 3, "d")
    assert renewed.public(6.0) == [("moves_retracted", 3), ("move", 3, "d")]


def test_a_new_epoch_that_comes_in_pieces_takes_nothing_back_on_its_way() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "b")
    hall.retract(3.0, 2)
    hall.move(4.0, 2, "d")
    assert hall.public(4.0) == [("game_started",), ("move", 1, "a"), ("move", 2, "d")]
    for number, (envelope, _) in enumerate(hall.told):  # heard anew, one a second
        hall.copy.take(replace(envelope, epoch=2), 100.0 + number)
    hall.copy.caught_up()
    for now in range(110, 116):
        assert hall.public(float(now), delay=10.0) == []
        assert hall.moves == ("a", "d")


def test_what_a_new_epoch_takes_back_itself_is_taken_back() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.move(2.0, 2, "b")
    hall.public(3.0)
    renewed = Hall(hall.copy, epoch=2)
    renewed.start(0.0)
    renewed.move(1.0, 1, "a")
    assert renewed.public(4.0) == []
    renewed.retract(5.0, 1)
    assert renewed.public(5.0) == [("moves_retracted", 1)]


def test_a_hole_is_an_error_and_an_older_epoch_is_passed_over() -> None:
    hall = Hall(epoch=2)
    hall.start()
    hall.copy.take(Envelope("damas.event/1", UTC, "t-1", "g-1", 1, 9, {"event": "clock"}), 0.0)
    assert hall.copy.place == Place(2, 0)
    with pytest.raises(StreamError, match="cannot follow"):
        hall.copy.take(Envelope("damas.event/1", UTC, "t-1", "g-1", 2, 3, {"event": "clock"}), 0.0)


def test_clocks_are_shown_unless_the_round_says_otherwise() -> None:
    for clocks in (True, False):
        hall = Hall()
        hall.start()
        hall.tell(1.0, "clock", white=300.0, black=300.0, running="white", stale=False, jump=12.5)
        hall.move(6.0, 1, "a")
        hall.tell(6.5, "clock", white=295.0, black=300.0, running="black", stale=False)
        events = hall.copy.publish(7.0, Terms(clocks=clocks))
        shown = [event for event in events if event["event"] == "clock"]
        assert [event["white"] for event in shown] == ([295.0, 295.0] if clocks else [])
        assert all("jump" not in event for event in shown)
        if clocks:
            assert hall.copy.record.plies[0].clock == hall.copy._hall.plies[0].clock


def test_a_position_that_the_arbiter_set_up_is_public() -> None:
    hall = Hall()
    hall.start()
    hall.move(1.0, 1, "a")
    hall.public(1.0)
    hall.tell(2.0, "position_set", fen="other", ply=1, by="ana", revision=1)
    assert hall.public(2.0) == [("position_set", 1)]
    assert (hall.copy.record.fen, hall.copy.record.revision) == ("other", 1)


@pytest.mark.parametrize(
    ("game", "paired", "shown"),
    [
        ({"name": "Ana"}, {}, {"name": "Ana"}),
        ({"name": "Ana"}, {"name": "Ana", "minor": True}, None),
        ({"name": "Ana", "minor": True}, {"name": "Ana"}, None),
        ({"name": "Ana", "minor": True}, {"name": "Ana", "minor": False}, None),
        ({"name": "Ana"}, {"public": "A."}, {"name": "A."}),
        ({"name": "Ana", "minor": True, "public": "A.", "rating": 1900, "id": 7}, {}, {"name": "A.", "rating": 1900}),
        ({}, {"name": "A\u202ena\x1b"}, {"name": "Ana"}),
        ({"name": "Ana", "public": "A."}, {"name": "Ana Lima"}, {"name": "A."}),
        ("Ana", {"name": "Ana", "id": 7, "federation": "POR"}, {"name": "Ana", "federation": "POR"}),
    ],
)
def test_a_player_has_the_public_name_or_none(
    game: dict[str, Any], paired: dict[str, Any], shown: dict[str, Any] | None
) -> None:
    assert public_players({"white": game}, {"white": paired}) == ({} if shown is None else {"white": shown})
