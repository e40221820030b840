"""What begins a game that waits for it, and that nothing before it is a move or a touch."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from board_tables import TICKS, play_table
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.messages.recording import header_from, header_object
from damas_board.regulations import names, shipped
from damas_board.session.events import AlertRaised, BoardChanged, CommandAnswered, Event, GameStarted, MoveMade
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, See, Tick
from damas_board.session.session import Session
from simulator.games import invented
from simulator.levels import levels
from simulator.recorded import header, inputs

INTERNATIONAL = "int-fmjd"
COMMAND: dict[str, Any] = {"starts": "command"}
LEVER: dict[str, Any] = {"starts": "lever", "clock": "60"}
MOVE: dict[str, Any] = {"starts": "move", "clock": "60"}
WITHOUT_32 = f"W:W31,{','.join(map(str, range(33, 51)))}:B{','.join(map(str, range(1, 21)))}"
ALL = ("started", "move", "confirmed", "lifted", "placed", "alert", "closed", "board", "clock", "over", "progress")

TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "before_the_command_nothing_is_a_move_or_a_touch_and_the_board_says_what_it_wants": (
        COMMAND,
        """
           0 | lift 32 |
         300 |         | board setting_up
        1000 | put 28  |
        1300 |         | board setting_up
        5000 |         | alert wrong_setup - 32.28
        6000 | lift 28 |
        6300 |         | board setting_up
        6500 | put 32  | closed wrong_setup recovered, board ready
        9000 | start   | started, done start
       10000 | lift 32 |
       10200 |         | lifted 32 white
       10400 | put 28  |
       10600 |         | placed 28 -
       10700 |         | move 32-28, board in_play
        """,
    ),
    "a_round_starts_although_a_board_is_not_set_up": (
        COMMAND,
        """
           0 | off 32   |
         300 |          | board setting_up
        1000 | start    | started, done start
        4000 |          | alert wrong_setup - 32
        6000 | box 32 w | closed wrong_setup recovered, board ready
        6200 |          | placed 32 white
        7000 | lift 32  |
        7200 |          | lifted 32 white
        7400 | put 28   |
        7600 |          | placed 28 -
        7700 |          | move 32-28, board in_play
        """,
    ),
    "a_player_who_lifts_just_before_the_command_has_played": (
        COMMAND,
        """
           0 | lift 32 |
         150 | start   | started, done start
         200 |         | lifted 32 white
         300 | put 28  |
         500 |         | placed 28 -
         600 |         | move 32-28, board in_play
        """,
    ),
    "a_lever_before_the_command_begins_nothing_but_time_runs_by_it_from_then_on": (
        {"starts": "command", "clock": "60"},
        """
           0 | lever black |
        5000 | start       | started, clock 60 60 -, clock 60 60 white, done start
        8000 | lever white | clock 57 60 black
        """,
    ),
    "the_lever_of_who_moves_first_is_down_before_the_command": (
        {"starts": "command", "clock": "60"},
        """
           0 | lever white |
        5000 | start       | started, clock 60 60 -, done start
        6000 | lever black | clock 60 60 white
        """,
    ),
    "a_lever_starts_the_other_sides_time_and_the_game": (
        LEVER,
        """
           0 | lift 32     |
         300 |             | board setting_up
         500 | put 32      | board ready
        1000 | lever white |
        2000 | lever black | started, clock 60 60 -, clock 60 60 white
        3000 | lift 32     |
        3200 |             | lifted 32 white
        3300 | put 28      |
        3500 |             | placed 28 -
        3600 |             | move 32-28, board in_play
        4000 | lever white | clock 58 60 black, confirmed 1
        """,
    ),
    "a_lever_starts_a_game_although_a_piece_is_missing": (
        LEVER,
        """
           0 | off 32      |
         300 |             | board setting_up
        1000 | lever black | started, clock 60 60 -, clock 60 60 white
        4000 |             | alert wrong_setup - 32
        """,
    ),
    "nobody_has_started_the_clock_and_the_first_player_presses_after_the_move": (
        LEVER,
        """
           0 | lift 32     |
         200 | put 28      |
         500 |             | board setting_up
        1000 | lever white | started, clock 60 60 -, clock 60 60 black
        1300 |             | board ready, move 32-28, confirmed 1, board in_play
        """,
    ),
    "a_clock_that_tells_that_it_runs_has_been_started": (
        LEVER,
        """
           0 | reading 60 60 white | clock 60 60 white
        1000 | reading 60 60 -     | clock 60 60 -
        2000 | reading 60 60 white | started, clock 60 60 -, clock 60 60 white
        """,
    ),
    "a_command_starts_a_game_that_waits_for_a_lever_or_a_move": (
        MOVE,
        """
           0 | start | started, clock 60 60 -, done start
        1000 | start | refused start begun_already
        """,
    ),
    "the_first_move_begins_the_game_and_is_ply_1": (
        MOVE,
        """
           0 | lift 32 |
        1000 | put 28  |
        1300 |         | started, clock 60 60 -, move 32-28, board in_play
        2000 | lift 19 |
        2200 |         | lifted 19 black, confirmed 1
        2300 | put 23  |
        2500 |         | placed 23 -
        2600 |         | move 19-23
        """,
    ),
    "a_first_capture_begins_the_game_when_the_captured_piece_is_off": (
        {"starts": "move", "start": "W:W28:B23,2"},
        """
           0 | lift 28 |
         300 | put 19  |
        2300 | off 23  |
        2600 |         | started, move 28x19, board in_play
        """,
    ),
    "no_illegal_first_move_begins_a_game": (
        MOVE,
        """
           0 | lift 32     |
         300 | put 22      |
         600 |             | board setting_up
        4300 |             | alert wrong_setup - 32.22
        5000 | lift 22     |
        5300 |             | board setting_up
        5300 | put 32      | closed wrong_setup recovered, board ready
        6000 | lift 19     |
        6300 |             | board setting_up
        6600 | put 23      |
        6900 |             | board setting_up
       10600 |             | alert wrong_setup - 23.19
        """,
    ),
    "who_sets_up_a_board_makes_no_first_move": (
        MOVE,
        """
           0 | off 32, off 20     |
         300 |                    | board setting_up
        1000 | box 28 w, box 20 b |
        1300 |                    | board setting_up
        2000 | lift 28            |
        2100 | put 32             | board ready
        3000 | lift 31            |
        3300 | put 27             |
        3600 |                    | started, clock 60 60 -, move 31-27, board in_play
        """,
    ),
    "a_lever_after_the_first_move_begins_the_game_before_the_board_has_settled": (
        MOVE,
        """
           0 | lift 32     |
         200 | put 28      |
         300 | lever white | started, clock 60 60 -, clock 60 60 black
         400 |             | placed 28 -
         500 |             | move 32-28, confirmed 1, board in_play
        """,
    ),
    "a_move_that_is_entered_is_a_first_move": (
        MOVE,
        """
           0 | move 32-28 | started, clock 60 60 -, move 32-28, board resyncing, done move
        """,
    ),
    "a_link_that_is_lost_before_the_start_takes_a_board_as_it_is_then": (
        MOVE,
        """
           0 | lost              | board lost, alert board_lost -
        1000 | lift 32, put 28   |
        2000 | link back         | board setting_up, closed board_lost recovered
        2300 |                   | board setting_up
        3000 | lift 28           |
        3200 | put 32            | board ready
        4000 | lost              | board lost, alert board_lost -
        5000 | start             | started, clock 60 60 -, done start
        6000 | link back         | board setting_up, closed board_lost recovered, board ready
        """,
    ),
    "the_arbiter_sets_up_another_position_to_begin_from": (
        COMMAND,
        """
           0 | set W:W31:B6   | position 0, board setting_up, done set_position
        1000 | stand W:W31:B6 | board ready
        2000 | start          | started, done start
        """,
    ),
    "a_player_is_absent": (
        COMMAND,
        """
           0 | result 0-1 absent | started, over black absent, done result
        1000 | start             | refused start game_is_over
        """,
    ),
    "quick_moves_before_the_command_are_none": (
        COMMAND,
        """
           0 | lift 32 |
         100 | put 28  |
         150 | lift 20 |
         250 | put 25  |
         300 | lift 37 |
         400 | put 32  |
         450 | lift 19 |
         550 | put 23  |
         850 |         | board setting_up
        4550 |         | alert wrong_setup - 37.28.23.25.19.20
        """,
    ),
    "an_adjustment_before_the_start_is_none_of_the_first_turn": (
        COMMAND,
        """
           0 | button white |
        1000 | start        | started, done start
        2000 | lift 31      |
        2200 |              | lifted 31 white
        2500 | put 31       |
        2700 |              | placed 31 white
        3000 | lift 32      |
        3200 |              | lifted 32 white
        3500 | put 28       |
        3700 |              | placed 28 -
        3800 |              | move 32-28, alert touch_move white 31, board in_play
        """,
    ),
    "a_piece_beside_the_squares_is_nobodys_before_the_start": (
        {"starts": "command", "covers": "all"},
        """
           0 | light e4 |
        9000 | start    | started, done start
       13000 |          | alert misplaced_piece - e4
        """,
    ),
    "a_position_without_a_move_ends_the_game_that_begins_from_it": (
        {"starts": "command", "start": "W:W46:B41,37"},
        """
        5000 | start | started, done start
        6000 |       | over black blocked
        """,
    ),
    "a_pairing_is_void": (
        COMMAND,
        """
           0 | abort | started, over none void, done abort
        """,
    ),
    "what_is_about_play_waits_for_the_start": (
        COMMAND,
        """
           0 | rewind 0                | refused rewind not_begun
          10 | pause, adjust           | refused pause not_begun, refused adjust not_begun
          20 | move 32-28              | refused move not_begun
        1000 | hold, mask 26, unmask 26 | done hold, done mask, done unmask
        2000 | clock 50 50             | clock 50 50 -, done set_clock
        """,
    ),
    "a_board_that_is_turned_before_the_start": (
        {"starts": "command", "start": "W:W31,32:B6"},
        """
           0 | orient 180 | board setting_up, done orient
        1000 | orient 0   | board ready, done orient
        """,
    ),
}


@pytest.mark.parametrize("tick", TICKS)
def test_a_piece_beside_the_squares_counts_from_when_the_board_was_set_up(tick: float | None) -> None:
    table = """
       0 | light e4 |
    3000 |          | alert wrong_setup - 32
    9000 | box 32 w | closed wrong_setup recovered
   13000 |          | alert misplaced_piece - e4
    """
    play_table(table, INTERNATIONAL, tick=tick, covers="all", shows=WITHOUT_32, always=("alert",))


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_beginnings(name: str, tick: float | None) -> None:
    header, table = TABLES[name]
    play_table(table, INTERNATIONAL, tick=tick, always=ALL, **header)


def told(session: Session, items: list[Input]) -> list[Event]:
    return [event for item in items for event in session.feed(item)]


def play_of(events: list[Event]) -> list[Event]:
    """Without what is told of the board alone, and of commands."""
    return [event for event in events if not isinstance(event, BoardChanged | CommandAnswered)]


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(names()), st.integers(0, 10_000), st.sampled_from(sorted(levels())), st.floats(0, 100))
def test_after_an_idle_wait_a_commanded_game_is_as_one_that_begins_at_once(
    regulation: str, seed: int, level: str, waits: float
) -> None:
    rules = shipped(regulation)
    game = invented(rules.variant, seed, 12)
    first = header(game.start, regulation)
    items = list(inputs(game, levels()[level], seed))
    begins = min(item.at for item in items) + waits
    later: list[Input] = [replace(item, at=item.at + begins) for item in items]
    at_once = told(Session(first, rules), later)
    waiting = told(
        Session(replace(first, starts="command"), rules),
        [replace(later[0], at=0.0), Command(later[0].at, "start", "s"), *later],  # type: ignore[list-item]
    )
    assert play_of(waiting) == play_of(at_once)


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(names()),
    st.integers(0, 10_000),
    st.sampled_from(sorted(levels())),
    st.sampled_from(["command", "lever", "move"]),
    st.floats(0.01, 2.0),
)
def test_any_spacing_of_ticks_gives_the_same_events_and_nothing_is_told_of_play_before_the_start(
    regulation: str, seed: int, level: str, starts: str, spacing: float
) -> None:
    rules = shipped(regulation)
    game = invented(rules.variant, seed, 8)
    first = replace(header(game.start, regulation), starts=starts)  # type: ignore[arg-type]
    items = list(inputs(game, levels()[level], seed))
    random = Random(seed)
    started = random.uniform(0, items[-1].at)
    items = sorted([*items, Command(started, "start", "s")], key=lambda item: item.at)
    ticks: list[Input] = [Tick(spacing * number) for number in range(int(items[-1].at / spacing))]
    plain = told(Session(first, rules), items)
    assert told(Session(first, rules), sorted([*items, *ticks], key=lambda item: item.at)) == plain
    begins = next(index for index, event in enumerate(plain) if isinstance(event, GameStarted))
    assert not any(isinstance(event, MoveMade) for event in plain[:begins])
    assert plain[begins].at <= started


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(names()), st.integers(0, 10_000))
def test_a_game_that_begins_with_its_first_move_loses_none(regulation: str, seed: int) -> None:
    rules = shipped(regulation)
    game = invented(rules.variant, seed, 10)
    first = header(game.start, regulation)
    items = list(inputs(game, levels()["clean"], seed))
    at_once, by_move = Session(first, rules), Session(replace(first, starts="move"), rules)
    told(at_once, items)
    told(by_move, items)
    assert by_move.state.moves == at_once.state.moves


def test_a_waiting_game_tells_who_and_where_and_what_it_waits_for() -> None:
    first = Header(
        "t", INTERNATIONAL, starts="command", round="3", table="7", match="semi-1", clock="60", opening="32-28"
    )
    session = Session(first, shipped(INTERNATIONAL))
    assert [event.event for event in session.feed(Tick(0.0))] == ["board"]
    state = session.state
    assert (state.round, state.table, state.match, state.waits_for) == ("3", "7", "semi-1", "command")
    started = session.feed(Command(1.0, "start", "s"))[0]
    assert isinstance(started, GameStarted)
    assert (started.round, started.table, started.match) == ("3", "7", "semi-1")
    assert (started.time_control, started.opening) == ("60", "32-28")
    assert session.state.waits_for is None


def test_of_the_move_that_begins_a_game_nobody_knows_how_long_it_took() -> None:
    events = play_table(
        "0 | lift 32 | \n1000 | put 28 | \n1300 | | move 32-28", INTERNATIONAL, check=None, starts="move"
    )
    (move,) = (event for event in events if isinstance(event, MoveMade))
    assert (move.down, move.seconds, move.basis) == (2.0, None, "seen")


def test_what_was_touched_before_the_start_is_no_evidence_of_what_comes_later() -> None:
    table = """
       0 | lift 32 |
    1000 | put 32  |
    2000 | start   |
    2500 | lift 31 |
    3000 | put 31  |
    3500 | lift 32 |
    4000 | put 28  |
    4300 |         | alert touch_move white 31
    """
    events = play_table(table, INTERNATIONAL, starts="command")
    (alert,) = (event for event in events if isinstance(event, AlertRaised))
    assert alert.evidence["from"] == 3.5


def test_of_a_table_that_shows_nothing_no_set_up_is_wrong() -> None:
    session = Session(Header("t", INTERNATIONAL, starts="command"), shipped(INTERNATIONAL))
    items: list[Input] = [Tick(0.0), Command(5.0, "start", "s"), Tick(100.0)]
    assert [event.event for event in told(session, items)] == ["board", "game_started", "command"]


def test_the_first_reading_already_says_that_a_waiting_board_is_ready() -> None:
    rows = "/".join([".b.b.b.b.b", "b.b.b.b.b."] * 2 + ["." * 10] * 2 + [".w.w.w.w.w", "w.w.w.w.w."] * 2)
    session = Session(Header("t", INTERNATIONAL, starts="command", senses="colour"), shipped(INTERNATIONAL))
    (board,) = session.feed(See(0.0, rows))
    assert isinstance(board, BoardChanged)
    assert board.state == "ready"


def test_a_recording_says_what_begins_its_game_and_which_match_it_belongs_to() -> None:
    first = Header("t", INTERNATIONAL, starts="lever", match="semi-1")
    body = json.loads(json.dumps(header_object(first)))
    assert (body["starts"], body["match"]) == ("lever", "semi-1")
    assert header_from(body) == first
    assert "starts" not in header_object(replace(first, starts="at_once"))
