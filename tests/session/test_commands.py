"""The arbiter's commands (design: 'commands'): what each does, when it is refused, and that it is done once."""

from __future__ import annotations

from typing import Any

import pytest
from board_tables import TICKS, play_table

from damas_board.regulations import shipped
from damas_board.session.events import CommandAnswered, Event, GameReopened, MoveMade, MoveRevised, PositionSet
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Tick
from damas_board.session.session import Session

INTERNATIONAL = "int-fmjd"
MISSED = "W:W32,38:B12,28"
"""White has to take 28 and may not move 38."""
LEFT = "W:W28,48,K5:B6,23,14"
"""White takes 23 and 14; what is left of them cannot take back."""

TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "rewind_waits_until_the_board_agrees_and_the_game_goes_on": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        1000 | lift 20 |
        1300 | put 25  |
        1600 |         | move 20-25
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32
        5000 | rewind 1 | retracted 2, board resyncing, done rewind
        6000 | lift 32, put 37, lift 25, put 20 | board in_play
        7000 | lift 19 |
        7300 | put 23  |
        7600 |         | move 19-23
        """,
    ),
    "rewind_to_where_the_game_is_changes_nothing": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | rewind 1 | done rewind
        3000 | rewind 2 | refused rewind no_such_ply
        3500 | rewind -1 | refused rewind no_such_ply
        """,
    ),
    "rewind_gives_both_clocks_as_they_stood_at_that_ply": (
        {"clock": "300"},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lever white | clock 300 300 black
        5000 | lift 20 |
        5300 | put 25  |
        5600 |         | move 20-25
        6000 | lever black | clock 300 295 white
        9000 | lift 37 |
        9300 | put 32  |
        9600 |         | move 37-32
       10000 | lever white | clock 296 295 black
       20000 | rewind 2 | retracted 3, clock 300 295 white, done rewind
        """,
    ),
    "set_position_behind_plies_is_what_the_record_goes_on_from": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | lift 20 |
        2300 | put 25  |
        2600 |         | move 20-25
        5000 | set W:W28,31,37:B25,14,19 | revised 20-25, position 2, board resyncing, done set_position
        5500 | stand W:W28,31,37:B25,14,19 | board in_play
        8000 | lift 37 |
        8300 | put 32  |
        8600 |         | move 37-32
        9000 | lift 25 |
        9300 | put 30  |
        9600 |         | move 25-30
        """,
    ),
    "set_position_before_the_first_ply_is_what_the_game_begins_from": (
        {},
        """
           0 | set B:W28,31,37:B25,14,19 | position 0, board resyncing, done set_position
         500 | stand B:W28,31,37:B25,14,19 | board ready
        3000 | lift 19 |
        3300 | put 23  |
        3600 |         | move 19-23, board in_play
        """,
    ),
    "set_position_ends_a_mismatch_that_nothing_explains": (
        {"start": "W:W31,37:B6,14"},
        """
           0 | stand W:W31:B6 |
        4000 |         | board mismatch, alert board_mismatch - 37.14
        6000 | set W:W31:B6 | position 0, closed board_mismatch recovered, board ready, done set_position
        8000 | lift 31 |
        8300 | put 26  |
        8600 |         | move 31-26, board in_play
        """,
    ),
    "set_position_again_replaces_the_one_before": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | set B:W28,37:B25,14 | revised 32-28, position 1, done set_position
        3000 | set B:W28,31:B25,14 | revised 32-28, position 1, done set_position
        4000 | stand B:W28,31:B25,14 |
        6000 | lift 14 |
        6300 | put 19  |
        6600 |         | move 14-19
        """,
    ),
    "set_position_puts_right_what_was_irregular_about_the_last_ply": (
        {"start": MISSED},
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | set B:W32,33:B12 | revised 38-33, closed missed_capture rectified, position 1, done set_position
        """,
    ),
    "set_position_of_no_position_is_refused": (
        {},
        """
           0 | set W:Wzz | refused set_position bad_fen
         100 | set W:W5:B6 | refused set_position bad_fen
        """,
    ),
    "a_move_that_is_entered_by_hand_waits_for_the_board": (
        {},
        """
           0 | move 32-28 | move 32-28, board resyncing, done move
        2000 | lift 32 |
        2300 | put 28  | board resyncing, board in_play
        4000 | lift 19 |
        4300 | put 23  |
        4600 |         | move 19-23
        """,
    ),
    "a_move_that_is_entered_while_the_board_shows_it_already": (
        {},
        """
           0 | lift 32 |
         100 | put 28  |
         200 | move 32-28 | move 32-28, board in_play, done move
        4000 | lift 19 |
        4300 | put 23  |
        4600 |         | move 19-23
        """,
    ),
    "a_move_that_is_none_is_refused": (
        {},
        """
           0 | move 32-23 | refused move illegal_move
         100 | move zz | refused move illegal_move
        """,
    ),
    "stands_closes_the_alert_and_the_ply_stays": (
        {"start": MISSED},
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | stands a1 | closed missed_capture stands, done stands
        2100 | stands a1 | refused stands no_such_alert
        3000 | lift 28 |
        3300 | put 39  |
        3500 | off 33  |
        3800 |         | move 28x39
        """,
    ),
    "rectify_takes_the_ply_back_and_waits_for_the_board": (
        {"start": MISSED},
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | rectify a1 | retracted 1, closed missed_capture rectified, done rectify
        3000 | lift 33 |
        3300 | put 38  |
        5000 | lift 32 |
        5300 | put 23  |
        5500 | off 28  |
        5800 |         | move 32x23
        """,
    ),
    "rectify_takes_back_what_followed_too": (
        {"start": "W:W11,7,1:B14,32", "regulation": "pt-escola"},
        """
           0 | lift 1  |
         300 | put 5   |
        1300 |         | move 1-5, alert missed_capture white 1.5
        3000 | lift 32 |
        3300 | put 28  |
        3600 |         | move 32-28
        6000 | rectify a1 | retracted 1, closed missed_capture rectified, done rectify
        8000 | stand W:W11,7,1:B14,32 |
        9000 | lift 11 |
        9300 | put 18  |
        9500 | off 14  |
        9800 |         | move 11x18
        """,
    ),
    "rectify_of_a_touched_piece_takes_the_move_back": (
        {"start": "W:W31,37:B6"},
        """
           0 | lift 31 |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        4000 | rectify a1 | retracted 1, closed touch_move rectified, done rectify
        5000 | lift 32 |
        5300 | put 37  |
        6500 | lift 31 |
        6800 | put 26  |
        7100 |         | move 31-26
        """,
    ),
    "dismiss_closes_and_changes_nothing": (
        {"start": MISSED},
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | dismiss a1 | closed missed_capture dismissed, done dismiss
        3000 | lift 28 |
        3300 | put 39  |
        3500 | off 33  |
        3800 |         | move 28x39
        """,
    ),
    "stands_of_a_piece_left_keeps_it_in_the_game": (
        {"start": LEFT},
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
         900 | lever white | move 28x10, alert left_on_board white 14
        3000 | stands a1 | revised 28x19x10, closed left_on_board stands, done stands
        5000 | lift 6  |
        5300 | put 11  |
        5600 |         | move 6-11
        """,
    ),
    "stands_of_a_piece_removed_keeps_it_off": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | off 45  |
        6000 |         | alert removed_wrongly white 45
        7000 | stands a1 | revised 32-28, closed removed_wrongly stands, done stands
        9000 | lift 19 |
        9300 | put 23  |
        9600 |         | move 19-23
        """,
    ),
    "rectify_of_a_piece_left_waits_for_it_to_come_off": (
        {"start": LEFT},
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
         900 | lever white | move 28x10, alert left_on_board white 14
        3000 | rectify a1 | closed left_on_board rectified, done rectify
        4000 | off 14  |
        5000 | lift 6  |
        5300 | put 11  |
        5600 |         | move 6-11
        """,
    ),
    "reopen_makes_what_happened_since_the_record": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | result 1-0 resigned | confirmed 1, over white resigned, done result
        4000 | lift 19 |
        4300 | put 23  |
        6000 | lift 28 |
        6300 | put 19  |
        6600 | off 23  |
        9000 | reopen  | reopened, move 19-23, confirmed 2, move 28x19, done reopen
       11000 | lift 14 |
       11200 |         | confirmed 3
       11300 | put 23  |
       11500 | off 19  |
       11800 |         | move 14x23
        """,
    ),
    "reopen_after_a_move_was_taken_back_meanwhile": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | result 1-0 resigned | over white resigned, done result
        4000 | lift 28 |
        4300 | put 32  |
        9000 | reopen  | reopened, retracted 1, board ready, done reopen
       12000 | lift 31 |
       12300 | put 27  |
       12600 |         | move 31-27, board in_play
        """,
    ),
    "reopen_after_an_irregular_move_meanwhile": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | result 1-0 resigned | over white resigned, done result
        4000 | lift 37 |
        4300 | put 32  |
        9000 | reopen  | reopened, done reopen
       10000 |         | move 37-32, alert wrong_side white 37.32
       12000 | lift 19 |
       12300 | put 23  |
       12600 |         | move 19-23, closed wrong_side stands
        """,
    ),
    "an_end_by_rule_that_was_reopened_does_not_end_by_itself_again": (
        {"start": "W:Wa3,c3:Ba5", "regulation": "br-cbjd"},
        """
           0 | lift a3 |
         300 | put b4  |
         600 |         | move a3-b4
        1300 |         | over white blocked
        9000 | reopen  | reopened, done reopen
       12000 | rewind 0 | retracted 1, done rewind
       13000 | lift b4 |
       13300 | put a3  |
       15000 | lift c3 |
       15300 | put d4  |
       15600 |         | move c3-d4
        """,
    ),
    "reopen_is_refused_while_the_game_goes_on": ({}, "0 | reopen | refused reopen game_is_not_over"),
    "a_finished_game_takes_no_commands_of_play": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | abort   | over none void, done abort
        3000 | rewind 0 | refused rewind game_is_over
        3100 | set W:W31:B6 | refused set_position game_is_over
        3200 | move 19-23 | refused move game_is_over
        3300 | result 1-0 agreed | refused result game_is_over
        3400 | abort   | refused abort game_is_over
        3500 | pause   | refused pause game_is_over
        3600 | orient 180 | refused orient game_is_over
        """,
    ),
    "pause_takes_no_move_and_no_touch_until_resume": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | pause   | done pause
        2500 | pause   | refused pause paused_already
        3000 | lift 19 |
        3300 | put 23  |
        5000 | lift 23 |
        5300 | put 19  |
        6000 | lift 20 |
       18000 | put 20  |
       20000 | resume  | done resume
       21000 | resume  | refused resume not_paused
       22000 | lift 19 |
       22300 | put 23  |
       22600 |         | move 19-23
        """,
    ),
    "what_was_lifted_shortly_before_a_pause_was_not_touched": (
        {},
        """
           0 | lift 32 |
         200 |         | lifted 32 white
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 19 |
        2100 | pause   | done pause
        9000 | put 19  |
       10000 | resume  | done resume
        """,
    ),
    "what_was_moved_during_the_pause_is_read_after_it": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | pause   | done pause
        3000 | lift 19 |
        3300 | put 23  |
        8000 | resume  | board resyncing, done resume
        8300 |         | board in_play, move 19-23
        """,
    ),
    "nothing_is_read_during_a_pause_whatever_else_is_commanded": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        2000 | pause   | done pause
        3000 | lift 19 |
        3300 | put 23  |
        4000 | mask 50 | done mask
        6000 | unmask 50 | done unmask
       12000 | lift 23 |
       12300 | put 19  |
       14000 | resume  | done resume
        """,
    ),
    "the_clock_stands_still_during_a_pause": (
        {"clock": "300"},
        """
           0 | lever white | clock 300 300 black
       10000 | pause   | clock 300 290 -, done pause
       60000 | resume  | clock 300 290 black, done resume
       70000 | lever black | clock 300 280 white
        """,
    ),
    "the_clock_stands_still_behind_the_end_and_goes_on_when_it_is_reopened": (
        {"clock": "300"},
        """
           0 | lever white | clock 300 300 black
       10000 | abort   | clock 300 290 -, over none void, done abort
       60000 | reopen  | reopened, clock 300 290 black, done reopen
       70000 | lever black | clock 300 280 white
        """,
    ),
    "set_clock_says_what_each_has_left": (
        {"clock": "300"},
        """
           0 | lever white | clock 300 300 black
       10000 | clock 200 100 | clock 200 100 black, done set_clock
       15000 | lever black | clock 200 95 white
       16000 | clock -1 5 | refused set_clock needs_white
        """,
    ),
    "a_masked_square_is_not_read_until_it_is_unmasked": (
        {},
        """
           0 | mask 45 | done mask
        1000 | drop 45 |
        7000 | lift 32 |
        7300 | put 28  |
        7600 |         | move 32-28, board in_play
        8000 | back 45 |
        9000 | unmask 45 | done unmask
       10000 | unmask 45 | refused unmask not_masked
       11000 | lift 19 |
       11300 | put 23  |
       11600 |         | move 19-23
        """,
    ),
    "mask_of_no_square_is_refused": (
        {},
        """
           0 | mask 99 | refused mask no_such_square
         100 | unmask 31 | refused unmask not_masked
        """,
    ),
    "orient_reads_the_first_ply_again": (
        {"regulation": "br-cbjd", "lies": 180},
        """
           0 | lift c3 |
         300 | put d4  |
        1300 |         | move f6-e5, alert wrong_orientation black f6.e5
        3000 | orient 180 | retracted 1, closed wrong_orientation rectified, done orient
        4000 |         | move c3-d4
        5000 | orient 180 | done orient
        6000 | orient 45 | refused orient unknown_turn
        """,
    ),
    "hold_and_release_are_told_once": (
        {},
        """
           0 | hold    | held, done hold
        1000 | hold    | done hold
        2000 | release | released, done release
        3000 | release | done release
        """,
    ),
    "a_game_that_has_begun_is_not_started": (
        {},
        """
           0 | start   | refused start begun_already
        """,
    ),
    "commands_while_the_link_is_lost": (
        {},
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        1000 | lost    | board lost
        2000 | move 19-23 | move 19-23, done move
        3000 | rewind 1 | retracted 2, done rewind
        4000 | mask 50 | done mask
        5000 | unmask 50 | done unmask
        6000 | pause   | done pause
        7000 | resume  | done resume
        9000 | link back | board resyncing, board in_play
       11000 | lift 19 |
       11300 | put 23  |
       11600 |         | move 19-23
        """,
    ),
    "commands_while_the_start_position_is_waited_for": (
        {"shows": "W:W31:B6", "start": "W:W31,37:B6"},
        """
           0 | rewind 0 | done rewind
        1000 | move 31-26 | move 31-26, done move
        2000 | stand B:W26,37:B6 |
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11
        """,
    ),
}
"""What the header and the board have that is not usual, and the table."""


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_commands(name: str, tick: float | None) -> None:
    more, table = TABLES[name]
    more = dict(more)
    regulation = more.pop("regulation", INTERNATIONAL)
    kinds = ("move", "revised", "retracted", "position", "over", "reopened", "alert", "closed", "done", "refused")
    if name.startswith("commands_while"):
        kinds = tuple(kind for kind in kinds if kind not in ("alert", "closed"))
    play_table(table, regulation, tick=tick, always=kinds, **more)


def answers(*commands: Command, start: str | None = None) -> list[tuple[str, str, str | None]]:
    session = Session(Header("t", INTERNATIONAL, start=start), shipped(INTERNATIONAL))
    events = [event for item in commands for event in session.feed(item)]
    return [(event.id, event.outcome, event.reason) for event in events if isinstance(event, CommandAnswered)]


def test_the_state_says_what_is_masked_and_how_the_board_lies() -> None:
    session = Session(Header("t", INTERNATIONAL), shipped(INTERNATIONAL))
    assert (session.state.masked, session.state.turn) == ((), 0)
    for number, (do, arguments) in enumerate(
        [
            ("mask", {"square": "45"}),
            ("mask", {"square": "31"}),
            ("unmask", {"square": "45"}),
            ("orient", {"turn": 180}),
        ]
    ):
        session.feed(Command(1.0 + number, do, str(number), arguments))
    assert (session.state.masked, session.state.turn) == (("31",), 180)


def test_a_command_twice_is_done_once() -> None:
    session = Session(Header("t", INTERNATIONAL), shipped(INTERNATIONAL))
    events: list[Event] = []
    for at in (1.0, 2.0, 3.0):
        events += session.feed(Command(at, "move", "a", {"move": "32-28"}))
    assert session.state.moves == ("32-28",)
    assert [e.reason for e in events if isinstance(e, CommandAnswered)] == [None, "repeated", "repeated"]


def test_a_command_that_was_refused_stays_refused() -> None:
    one = Command(1.0, "rewind", "a", {"ply": 1})
    move = Command(2.0, "move", "b", {"move": "32-28"})
    again = Command(3.0, "rewind", "a", {"ply": 1})
    assert answers(one, move, again) == [
        ("a", "refused", "no_such_ply"),
        ("b", "done", None),
        ("a", "refused", "repeated"),
    ]


@pytest.mark.parametrize(
    ("do", "arguments", "reason"),
    [
        ("rewind", {}, "needs_ply"),
        ("rewind", {"ply": "1"}, "needs_ply"),
        ("rewind", {"ply": True}, "needs_ply"),
        ("rewind", {"ply": 1.0}, "needs_ply"),
        ("set_position", {}, "needs_fen"),
        ("set_position", {"fen": 3}, "needs_fen"),
        ("move", {}, "needs_move"),
        ("stands", {}, "needs_alert"),
        ("rectify", {"alert": ""}, "needs_alert"),
        ("dismiss", {"alert": "a1"}, "no_such_alert"),
        ("mask", {}, "needs_square"),
        ("unmask", {"square": ["31"]}, "needs_square"),
        ("orient", {}, "needs_turn"),
        ("orient", {"turn": 45}, "unknown_turn"),
        ("adjust", {"side": "red"}, "unknown_side"),
        ("adjust", {"seconds": "3"}, "needs_seconds"),
        ("adjust", {"seconds": -1}, "needs_seconds"),
        ("adjust", {"seconds": float("nan")}, "needs_seconds"),
        ("adjust", {"seconds": float("inf")}, "needs_seconds"),
        ("set_clock", {"white": 300}, "needs_black"),
        ("set_clock", {"white": float("nan"), "black": 3}, "needs_white"),
        ("set_clock", {"white": float("inf"), "black": 3}, "needs_white"),
        ("result", {"result": "3-0"}, "unknown_result"),
        ("result", {"result": ["1-0"]}, "unknown_result"),
        ("result", {"result": "1-0", "reason": "rain"}, "unknown_reason"),
        ("count", {"law": "none"}, "no_such_law"),
        ("count", {"law": "none", "from_ply": 1}, "no_such_ply"),
        ("resume", {}, "not_paused"),
        ("new_game", {"regulation": "br-cbjd"}, "not_yet"),
        ("dance", {}, "unknown_command"),
    ],
)
def test_what_a_command_lacks_is_the_reason_it_is_refused(do: str, arguments: dict[str, Any], reason: str) -> None:
    assert answers(Command(1.0, do, "a", arguments)) == [("a", "refused", reason)]


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("white", "white"),
        ("black", "black"),
        ("draw", "draw"),
        ("none", "none"),
        ("1-0", "white"),
        ("0-1", "black"),
        ("1/2-1/2", "draw"),
        ("2-0", "white"),
        ("0-2", "black"),
        ("1-1", "draw"),
    ],
)
def test_results_stand_white_first(result: str, winner: str) -> None:
    session = Session(Header("t", INTERNATIONAL), shipped(INTERNATIONAL))
    session.feed(Command(1.0, "result", "a", {"result": result, "reason": "agreed"}))
    assert session.state.over is not None
    assert (session.state.over.winner, session.state.over.reason) == (winner, "agreed")


def test_what_the_arbiter_does_carries_its_author() -> None:
    events = play_table(
        """
           0 | move 32-28 |
        1000 | set B:W28:B6 |
        2000 | abort   |
        3000 | reopen  |
        """,
        INTERNATIONAL,
    )
    authors = [e.by for e in events if isinstance(e, PositionSet | GameReopened | CommandAnswered)]
    assert authors == ["ana"] * 6


def test_the_answer_to_a_command_has_the_decision_in_its_authors_words() -> None:
    session = Session(Header("t", "br-cbjd"), shipped("br-cbjd"))
    given = [
        Command(1.0, "hold", "c1", {}, "ana", "a child plays"),
        Command(2.0, "rewind", "c2", {"ply": 7}, "ana", "so they say"),
        Command(3.0, "release", "c3", {}, "ana"),
    ]
    answers = [e for item in given for e in session.feed(item) if isinstance(e, CommandAnswered)]
    assert [(e.outcome, e.note) for e in answers] == [
        ("done", "a child plays"),
        ("refused", "so they say"),
        ("done", None),
    ]


def test_an_entered_move_has_no_times_and_a_position_that_was_set_up_is_entered() -> None:
    events = play_table("0 | move 32-28 |\n1000 | set B:W28:B6 |", INTERNATIONAL)
    (move,) = (e for e in events if isinstance(e, MoveMade))
    (revised,) = (e for e in events if isinstance(e, MoveRevised))
    (position,) = (e for e in events if isinstance(e, PositionSet))
    assert (move.basis, move.down, move.seconds, move.irregular) == ("entered", None, None, False)
    assert (revised.basis, revised.down, revised.fen, revised.irregular) == ("entered", None, "B:W28:B6", True)
    assert (position.fen, position.ply, position.revision) == ("B:W28:B6", 1, 1)


def test_a_clock_that_was_stopped_by_the_end_is_not_started_by_resume() -> None:
    session = Session(Header("t", INTERNATIONAL, clock="60"), shipped(INTERNATIONAL))
    for at, do in ((1.0, "pause"), (2.0, "abort"), (3.0, "resume")):
        session.feed(Command(at, do, do))
    assert session.feed(Tick(100.0)) == []
    assert session.deadline is None
