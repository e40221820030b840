"""The fields of the events of a move, one by one."""

from __future__ import annotations

from damas_board.messages.encoding import event_object
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Command, Link, See, Tick
from damas_board.session.session import Session


def rows(*squares: str) -> str:
    lines = [["."] * 8 for _ in range(8)]
    for square in squares:
        lines[8 - int(square[1])]["abcdefgh".index(square[0])] = "o"
    return "/".join(map("".join, lines))


def told(session: Session, *items: object) -> list[dict[str, object]]:
    return [event_object(event) for item in items for event in session.feed(item)]  # type: ignore[arg-type]


def named(events: list[dict[str, object]], name: str) -> list[dict[str, object]]:
    return [event for event in events if event["event"] == name]


def test_a_quiet_move_and_its_reply() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3:Bf6"), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("c3", "f6")),
        See(2.0, rows("f6")),
        See(2.5, rows("d4", "f6")),
        See(4.0, rows("d4")),
        See(5.25, rows("d4", "g5")),
        Tick(9.0),
    )
    first, second = named(events, "move")
    assert first == {
        "event": "move",
        "at": 2.8,
        "ply": 1,
        "side": "white",
        "move": "c3-d4",
        "from": "c3",
        "to": "d4",
        "path": ["c3", "d4"],
        "captured": [],
        "promoted": False,
        "fen": "B:Wd4:Bf6",
        "provisional": True,
        "irregular": False,
        "basis": "seen",
        "down": 2.5,
        "seconds": 2.5,
        "revision": 0,
    }
    assert (second["down"], second["seconds"], second["side"]) == (5.25, 2.75, "black")
    assert named(events, "move_confirmed") == [{"event": "move_confirmed", "at": 4.2, "ply": 1, "revision": 0}]
    assert named(events, "piece_lifted")[0] == {
        "event": "piece_lifted",
        "at": 2.2,
        "square": "c3",
        "side": "white",
        "since": 2.0,
    }
    assert named(events, "piece_placed")[0] == {
        "event": "piece_placed",
        "at": 2.7,
        "square": "d4",
        "side": None,
        "since": 2.5,
    }


def test_the_path_is_the_one_on_which_the_piece_was_put_down() -> None:
    start = "W:WKa1:Bd4,g5"
    session = Session(Header("t", "br-cbjd", start=start), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("a1", "d4", "g5")),
        See(1.0, rows("d4", "g5")),
        See(1.3, rows("d4", "g5", "f6")),
        See(1.6, rows("d4", "g5")),
        See(2.0, rows("d4", "g5", "h4")),
        See(2.4, rows("g5", "h4")),
        See(2.8, rows("h4")),
        Tick(5.0),
    )
    (move,) = named(events, "move")
    assert (move["move"], move["path"], move["captured"]) == ("a1xh4", ["a1", "f6", "h4"], ["d4", "g5"])
    assert move["down"] == 2.0


def test_a_promotion_is_told_and_the_fen_has_the_king() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wa7:Bh2"), shipped("br-cbjd"))
    events = told(session, See(0.0, rows("a7", "h2")), See(1.0, rows("h2")), See(1.2, rows("b8", "h2")), Tick(5.0))
    (move,) = named(events, "move")
    assert (move["promoted"], move["fen"]) == (True, "B:WKb8:Bh2")


def test_a_move_through_a_lost_link_is_inferred_and_has_no_times() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3:Bf6"), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("c3", "f6")),
        Link(1.0, "lost", "unplugged"),
        Link(5.0, "back"),
        See(5.0, rows("d4", "f6")),
        Tick(9.0),
    )
    (move,) = named(events, "move")
    assert (move["basis"], move["down"], move["seconds"]) == ("inferred", None, None)
    lost = next(event for event in named(events, "board") if event["state"] == "lost")
    assert lost["reason"] == "unplugged"


def test_events_that_came_late_count_from_when_the_board_saw_them() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3:Bf6"), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("c3", "f6")),
        See(4.0, rows("f6"), was=1.0),
        See(4.0, rows("d4", "f6"), was=1.5),
        Tick(9.0),
    )
    (move,) = named(events, "move")
    assert (move["at"], move["down"], move["seconds"], move["basis"]) == (4.3, 1.5, 1.5, "seen")


def test_a_revision_grows_with_every_change_of_a_published_ply() -> None:
    session = Session(Header("t", "br-cbjd", start="W:WKa1:Bh2"), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("a1", "h2")),
        See(1.0, rows("h2")),
        See(1.2, rows("b2", "h2")),
        See(3.0, rows("h2")),
        See(3.2, rows("d4", "h2")),
        See(5.0, rows("h2")),
        See(5.2, rows("a1", "h2")),
        Tick(9.0),
    )
    assert [(e["event"], e["revision"]) for e in events if "revision" in e] == [
        ("move", 0),
        ("move_revised", 1),
        ("moves_retracted", 2),
    ]
    (revised,) = named(events, "move_revised")
    assert (revised["was"], revised["move"], revised["ply"]) == ("a1-b2", "a1-d4", 1)
    assert named(events, "moves_retracted")[0]["reason"] == "taken_back"
    assert session.state.moves == ()


def test_a_clock_is_told_as_it_reads_and_an_announced_adjustment_is_taken() -> None:
    session = Session(Header("t", "br-cbjd"), shipped("br-cbjd"))
    events = told(session, ClockReading(1.0, 300.0, 295.5, "black"), Button(2.0, "adjust", "white"))
    assert named(events, "clock") == [
        {
            "event": "clock",
            "at": 1.0,
            "white": 300.0,
            "black": 295.5,
            "running": "black",
            "stale": False,
            "jump": None,
        }
    ]


def test_a_command_is_answered_done_once_and_unknown_ones_are_refused() -> None:
    session = Session(Header("t", "br-cbjd"), shipped("br-cbjd"))
    events = told(
        session,
        Command(1.0, "result", "a", {"result": "1-1", "reason": "agreed"}, by="ana"),
        Command(2.0, "result", "a", {"result": "1-1", "reason": "agreed"}, by="ana"),
        Command(3.0, "result", "b", {"result": "1-0"}),
        Command(4.0, "stands", "c", {"alert": "x"}),
        Command(5.0, "dance", "d"),
        Command(6.0, "rewind", "e", {"ply": "one"}),
    )
    answers = [(e["id"], e["outcome"], e["reason"], e["by"]) for e in named(events, "command")]
    assert answers == [
        ("a", "done", None, "ana"),
        ("a", "done", "repeated", "ana"),
        ("b", "refused", "game_is_over", None),
        ("c", "refused", "no_such_alert", None),
        ("d", "refused", "unknown_command", None),
        ("e", "refused", "needs_ply", None),
    ]
    (over,) = named(events, "game_over")
    assert (over["winner"], over["result"], over["reason"], over["ply"]) == ("draw", "1-1", "agreed", 0)


def test_the_third_occurrence_can_be_claimed_only_where_the_game_is_written_down() -> None:
    claim = {"rule": "repetition", "side": "white", "count": 3, "limit": 3, "holds": False}
    for recorded, claims in ((False, 0), (True, 1)):
        header = Header("t", "br-cbjd", start="W:WKa1,a3:BKb8,h6", recorded=recorded)
        session = Session(header, shipped("br-cbjd"))
        events = told(session, See(0.0, rows("a1", "a3", "b8", "h6")))
        at = 1.0
        for _ in range(2):
            for squares in (("b2", "b8"), ("b2", "c7"), ("a1", "c7"), ("a1", "b8")):
                events += told(session, See(at, rows("a3", "h6", *squares)), Tick(at + 1))
                at += 2
        assert len(named(events, "claim")) == claims
    (said,) = named(events, "claim")
    assert {key: said[key] for key in claim} == claim
    assert said["article"]


def test_a_board_that_disagrees_says_what_to_put_and_what_to_clear() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3,Kh2:Bf6,Ka7"), shipped("br-cbjd"))
    events = told(
        session,
        See(0.0, rows("c3", "h2", "f6", "a7")),
        See(1.0, rows("c3", "e1", "g5")),
        Tick(9.0),
        See(10.0, rows("c3", "h2", "f6", "a7")),
        Tick(12.0),
    )
    boards = [(e["at"], e["state"], e["put"], e["clear"]) for e in named(events, "board")]
    assert boards == [
        (0.0, "ready", None, None),
        (5.0, "mismatch", {"h2": "W", "f6": "b", "a7": "B"}, ["e1", "g5"]),
        (10.3, "ready", None, None),
    ]


def test_the_state_notes_what_a_plys_text_does_not_say() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3,a1:Bd4,h8"), shipped("br-cbjd"))
    told(
        session,
        See(0.0, rows("c3", "a1", "d4", "h8")),
        See(1.0, rows("c3", "d4", "h8")),
        See(1.3, rows("c3", "b2", "d4", "h8")),
        Tick(4.0),
    )
    (note,) = session.state.notes
    assert (note.ply, note.side, note.fen, note.alerts) == (1, "white", "B:Wb2,c3:Bd4,h8", ("missed_capture",))
    assert note.article is not None
    (alert,) = session.state.alerts
    assert (alert["kind"], alert["ply"], alert["squares"]) == ("missed_capture", 1, ["a1", "b2"])
    assert "evidence" not in alert
