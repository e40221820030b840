from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.notation.errors import NotationError
from damas_board.notation.time_control import (
    Phase,
    TimeControl,
    TimeControlError,
    read_time_control,
    write_time_control,
)

phases = st.builds(Phase, st.integers(1, 200), st.integers(1, 20_000), st.integers(0, 120))
last = st.builds(Phase, st.none() | st.integers(1, 200), st.integers(1, 20_000), st.integers(0, 120))
controls = st.builds(lambda first, end: TimeControl((*first, end)), st.lists(phases, max_size=3), last) | st.builds(
    lambda seconds: TimeControl((Phase(None, seconds),), sandclock=True), st.integers(1, 20_000)
)


@given(controls)
def test_what_is_written_is_read_back(control: TimeControl) -> None:
    assert read_time_control(write_time_control(control)) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", TimeControl((Phase(None, 300),))),
        ("300+5", TimeControl((Phase(None, 300, 5),))),
        ("40/7200:3600", TimeControl((Phase(40, 7200), Phase(None, 3600)))),
        ("45/5400:30/1800", TimeControl((Phase(45, 5400), Phase(30, 1800)))),
        ("40/5400+30:900+30", TimeControl((Phase(40, 5400, 30), Phase(None, 900, 30)))),
        ("30/300:0+30", TimeControl((Phase(30, 300), Phase(None, 0, 30)))),
        ("*180", TimeControl((Phase(None, 180),), sandclock=True)),
        (" 600+0 ", TimeControl((Phase(None, 600),))),
        ("-", None),
        ("?", None),
    ],
)
def test_the_forms_of_pdn_are_read(text: str, control: TimeControl | None) -> None:
    assert read_time_control(text) == control


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "allowed are 300 (seconds for the game), 300+5"),
        ("blitz", "allowed are 300 (seconds for the game), 300+5"),
        ("5 min", "did you mean 300?"),
        ("90m+30s", "did you mean 5400+30?"),
        ("5'+3\"", "did you mean 300+3?"),
        ("1:30:00", "only the last phase can be without a number of moves; did you mean 5400?"),
        ("40/7200, 3600", "did you mean 40/7200:3600?"),
        ("3600:1800", "only the last phase can be without a number of moves"),
        ("0+30", "the first phase needs at least 1 second"),
        ("0/300", "a phase of 0 moves never ends"),
        ("40/7200:*180", "allowed are"),
        ("300.5", "allowed are"),
        ("-300", "allowed are"),
        ("٣٠٠", "allowed are"),
        ("9" * 400, "allowed are"),
    ],
)
def test_other_text_is_refused_with_what_is_allowed_or_meant(text: str, says: str) -> None:
    with pytest.raises(TimeControlError) as caught:
        read_time_control(text)
    assert says in str(caught.value)
    assert isinstance(caught.value, NotationError)
    assert len(str(caught.value)) < 400


@given(st.text(max_size=20))
def test_any_text_is_a_time_control_or_refused(text: str) -> None:
    try:
        control = read_time_control(text)
    except TimeControlError:
        return
    assert read_time_control(write_time_control(control)) == control


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("300", {1: 0, 40: 0}),
        ("300+5", {1: 5, 40: 5}),
        ("2/60:3/30+1:10+2", {1: 0, 2: 30, 3: 1, 4: 1, 5: 11, 6: 2, 7: 2}),
        ("2/60", {1: 0, 2: 60, 3: 0, 4: 60}),
        ("2/60:1/30", {1: 0, 2: 30, 3: 30, 4: 30}),
        ("2/60:1/30:2/60", {1: 0, 2: 30, 3: 60, 4: 0, 5: 60, 6: 0}),
    ],
)
def test_a_completed_move_adds_its_increment_and_the_next_phase(text: str, added: dict[int, int]) -> None:
    control = read_time_control(text)
    assert control is not None
    assert {moves: control.added(moves) for moves in added} == added


@given(controls)
def test_no_move_adds_anything_else_than_the_additions(control: TimeControl) -> None:
    end = sum(phase.moves or 0 for phase in control.phases) + 3
    assert {control.added(moves) for moves in range(1, 2 * end + 1)} == control.additions
