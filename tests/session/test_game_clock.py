from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.notation.time_control import read_time_control
from damas_board.session.game_clock import JUMP_SECONDS, SILENT_SECONDS, Flag, GameClock, Silent, Times
from damas_board.session.inputs import SideName


def clock(text: str = "300", first: SideName = "white") -> GameClock:
    return GameClock(read_time_control(text), first)


def pressed(it: GameClock, *presses: tuple[SideName, float]) -> GameClock:
    for side, at in presses:
        it.pressed(side, at)
    return it


def told(it: GameClock, *readings: tuple[float, float, SideName | None, float]) -> list[float | None]:
    """The jumps of the readings, given as (white, black, running, at)."""
    jumps = []
    for white, black, running, at in readings:
        read = it.reading(white, black, running, at)
        assert read is not None
        jumps.append(read.jump)
    return jumps


# --- kept from the levers


def test_before_the_first_press_both_sides_have_their_time_and_none_runs() -> None:
    it = clock()
    assert it.at(1000.0) == Times(300, 300, None)
    assert it.deadline is None


def test_the_first_press_begins_the_other_sides_time_and_completes_no_move_of_the_one_that_waits() -> None:
    it = clock("300+5")
    assert it.pressed("black", 10.0) == Times(300, 300, "white")
    assert it.at(12.5) == Times(297.5, 300, "white")
    assert (it.moves("white"), it.moves("black")) == (0, 0)


def test_the_first_press_by_the_side_that_begins_completes_its_first_move() -> None:
    it = clock("300+5", first="black")
    assert it.pressed("black", 10.0) == Times(300, 305, "white")
    assert it.moves("black") == 1


def test_a_press_switches_the_running_side_and_adds_the_increment() -> None:
    it = pressed(clock("300+5"), ("black", 0.0))
    assert it.pressed("white", 20.0) == Times(285, 300, "black")
    assert it.pressed("black", 50.5) == Times(285, 274.5, "white")
    assert it.at(51.5) == Times(284, 274.5, "white")


def test_the_same_lever_twice_in_a_row_changes_nothing() -> None:
    it = pressed(clock("300+5"), ("black", 0.0), ("white", 20.0))
    assert it.pressed("white", 21.0) is None
    assert it.at(22.0) == Times(285, 298, "black")
    assert it.moves("white") == 1


def test_a_phase_is_added_after_the_number_of_moves_of_that_side() -> None:
    it = pressed(clock("2/100:60+1"), ("black", 0.0), ("white", 10.0), ("black", 20.0))
    assert it.pressed("white", 30.0) == Times(140, 90, "black")  # White's second move
    assert it.pressed("black", 40.0) == Times(140, 140, "white")
    assert it.pressed("white", 45.0) == Times(136, 140, "black")  # and from the third on a second each


def test_what_a_sandclock_takes_from_one_side_it_gives_the_other() -> None:
    it = pressed(clock("*60"), ("black", 0.0), ("white", 20.0))
    assert it.at(20.0) == Times(40, 80, "black")
    assert it.at(30.0) == Times(50, 70, "black")
    assert it.due(500.0) == [Flag("black", 100.0)]
    assert it.at(500.0) == Times(120, 0, "black")


def test_a_flag_falls_once_at_the_time_when_nothing_is_left_and_the_clock_stays_at_zero() -> None:
    it = pressed(clock("60+5"), ("black", 1.0))
    assert it.deadline == 61.0
    assert it.due(60.9) == []
    assert it.at(60.9) == Times(0.1, 60, "white")
    assert it.due(200.0) == [Flag("white", 61.0)]
    assert it.at(200.0) == Times(0, 60, "white")
    assert (it.deadline, it.due(300.0)) == (None, [])
    assert it.pressed("white", 300.0) == Times(0, 60, "black"), "no increment for a fallen flag"
    assert it.due(400.0) == [Flag("black", 360.0)]


def test_nobodys_time_runs_while_the_game_is_paused() -> None:
    it = pressed(clock("60"), ("black", 0.0))
    assert it.pause(10.0) == Times(50, 60, None)
    assert it.pause(11.0) is None
    assert (it.deadline, it.at(1000.0)) == (None, Times(50, 60, None))
    assert it.resume(1000.0) == Times(50, 60, "white")
    assert it.resume(1001.0) is None
    assert it.deadline == 1050.0


def test_a_lever_pressed_during_a_pause_decides_whose_time_goes_on() -> None:
    it = pressed(clock("60"), ("black", 0.0))
    it.pause(10.0)
    assert it.pressed("white", 15.0) == Times(50, 60, None)
    assert it.resume(20.0) == Times(50, 60, "black")


def test_the_arbiter_sets_the_clock_and_a_fallen_flag_may_fall_again() -> None:
    it = pressed(clock("60"), ("black", 0.0))
    assert it.due(60.0) == [Flag("white", 60.0)]
    assert it.set(120.0, 60.0, 70.0) == Times(120, 60, "white")
    assert it.set(120.0, 60.0, 70.0) is None
    assert it.due(190.0) == [Flag("white", 190.0)]


def test_a_rewound_clock_has_the_turn_and_the_phase_of_that_ply() -> None:
    it = pressed(clock("2/100:60"), ("black", 0.0), ("white", 10.0), ("black", 20.0), ("white", 30.0))
    assert it.set(90.0, 90.0, 40.0, turn="white", moves=(1, 1)) == Times(90, 90, "white")
    assert it.pressed("white", 45.0) == Times(145, 90, "black")
    assert it.pressed("black", 50.0) == Times(145, 145, "white")


def test_after_the_end_nothing_falls_due_and_reopened_it_goes_on_with_the_levers_pressed_since() -> None:
    it = pressed(clock("60"), ("black", 0.0))
    assert it.stop(10.0) == Times(50, 60, None)
    assert (it.deadline, it.pressed("white", 20.0), it.at(500.0)) == (None, None, Times(50, 60, None))
    assert it.reopen(500.0) == Times(50, 60, "black")
    assert it.deadline == 560.0


def test_without_a_time_control_and_readings_there_is_no_clock_until_it_is_set() -> None:
    it = GameClock(None, "white")
    assert it.pressed("black", 0.0) is None
    assert (it.at(10.0), it.deadline) == (None, None)
    assert it.set(60.0, 60.0, 10.0) == Times(60, 60, "white")
    assert it.deadline == 70.0


# --- the readings of a clock of its own


def test_readings_take_over_and_count_down_between_them() -> None:
    it = pressed(clock("300"), ("black", 0.0))
    read = it.reading(3600.0, 3590.0, "white", 5.0)
    assert read is not None
    assert (read.times, read.jump, read.flags) == (Times(3600, 3590, "white"), None, ())
    assert it.at(6.5) == Times(3598.5, 3590, "white")
    assert it.pressed("white", 7.0) is None, "the readings tell who runs"
    assert it.at(7.0) == Times(3598, 3590, "white")


def test_a_reading_clock_is_never_shown_at_zero_before_it_says_so_itself() -> None:
    it = clock()
    told(it, (5.0, 60.0, "white", 0.0), (4.0, 60.0, "white", 1.0), (1.0, 60.0, "white", 3.0))
    assert it.due(5.9) == []
    assert it.at(5.9) == Times(1, 60, "white")
    read = it.reading(0.0, 60.0, "white", 5.9)
    assert read is not None
    assert read.flags == (Flag("white", 5.9),)
    again = it.reading(0.0, 60.0, "white", 6.9)
    assert again is not None
    assert again.flags == ()


def test_a_clock_that_falls_silent_is_stale_with_what_it_said_last_and_recovers() -> None:
    it = clock()
    told(it, (100.0, 60.0, "white", 0.0), (99.0, 60.0, "white", 1.0))
    assert it.deadline == 1.0 + SILENT_SECONDS
    assert it.due(3.9) == []
    assert it.due(500.0) == [Silent(1.0 + SILENT_SECONDS)]
    assert it.stale
    assert it.at(500.0) == Times(99, 60, "white", stale=True)
    assert (it.deadline, it.due(600.0)) == (None, [])
    read = it.reading(40.0, 60.0, "white", 60.0)
    assert read is not None
    assert (read.recovered, read.jump, read.times) == (True, None, Times(40, 60, "white"))
    assert it.deadline == 60.0 + SILENT_SECONDS


def test_a_clock_that_speaks_when_a_lever_is_pressed_only_is_never_stale() -> None:
    it = clock()
    told(it, (100.0, 100.0, "white", 0.0), (95.0, 100.0, "black", 5.0), (95.0, 60.0, "white", 45.0))
    assert it.deadline is None


def test_a_clock_that_speaks_seldom_may_be_silent_for_longer() -> None:
    it = clock()
    told(it, (100.0, 100.0, "white", 0.0), (90.0, 100.0, "white", 10.0))
    assert it.deadline == 30.0


def test_a_clock_that_stands_still_may_be_silent() -> None:
    it = clock()
    told(it, (100.0, 60.0, "white", 0.0), (99.0, 60.0, "white", 1.0), (99.0, 60.0, None, 2.0))
    assert it.deadline is None


def test_a_pause_ends_the_watch_and_resume_begins_it_anew() -> None:
    it = clock()
    told(it, (100.0, 60.0, "white", 0.0), (99.0, 60.0, "white", 1.0))
    it.pause(2.0)
    assert it.deadline is None
    it.resume(50.0)
    assert it.deadline == 50.0 + SILENT_SECONDS


def test_zero_on_both_sides_is_no_reading() -> None:
    it = clock()
    told(it, (100.0, 60.0, "white", 0.0), (99.0, 60.0, "white", 1.0))
    assert it.reading(0.0, 0.0, "white", 2.0) is None
    assert it.at(2.0) == Times(98, 60, "white")
    assert it.deadline == 1.0 + SILENT_SECONDS


@pytest.mark.parametrize(
    ("control", "first", "then", "jump"),
    [
        ("300", (100.0, 100.0, "white", 0.0), (99.0, 100.0, "white", 1.0), None),
        ("300", (100.0, 100.0, "white", 0.0), (97.0, 100.0, "white", 1.0), None),  # it lags
        ("300", (100.0, 100.0, "white", 0.0), (96.0, 100.0, "white", 1.0), -3.0),
        ("300", (100.0, 100.0, "white", 0.0), (110.0, 100.0, "white", 1.0), 11.0),
        ("300", (100.0, 100.0, "white", 0.0), (99.0, 40.0, "white", 1.0), -60.0),
        ("300", (100.0, 100.0, "white", 0.0), (99.0, 160.0, "white", 1.0), 60.0),
        ("300", (100.0, 100.0, "white", 0.0), (100.0, 100.0, "white", 3.0), 3.0),  # it stands, and says it runs
        ("300", (100.0, 100.0, "white", 0.0), (40.0, 100.0, "black", 60.0), None),
        ("300", (100.0, 100.0, "white", 0.0), (40.0, 110.0, "black", 60.0), 10.0),
        ("300+10", (100.0, 100.0, "white", 0.0), (108.0, 100.0, "black", 2.0), None),
        ("300+10", (100.0, 100.0, "white", 0.0), (128.0, 100.0, "black", 1.0), None),  # three moves in a second
        ("300+10", (100.0, 100.0, "white", 0.0), (133.0, 100.0, "black", 1.0), 3.0),
        ("300+10", (100.0, 100.0, "white", 0.0), (109.5, 109.5, "white", 1.0), None),  # a move by each in a second
        ("300+10", (100.0, 100.0, "white", 0.0), (119.5, 119.5, "white", 1.0), None),  # two by each
        ("300+10", (100.0, 100.0, "white", 0.0), (109.5, 100.0, "white", 1.0), 10.5),
        ("-", (100.0, 100.0, "white", 0.0), (109.5, 109.5, "white", 1.0), None),
        ("-", (100.0, 100.0, "white", 0.0), (109.5, 100.0, "white", 1.0), 10.5),
        ("-", (100.0, 100.0, "white", 0.0), (199.5, 199.5, "white", 1.0), 100.5),
        ("40/7200:3600", (100.0, 100.0, "white", 0.0), (3690.0, 100.0, "black", 10.0), None),
        ("-", (100.0, 100.0, "white", 0.0), (158.0, 100.0, "black", 2.0), None),  # a minute for every move
        ("-", (100.0, 100.0, "white", 0.0), (3700.0, 100.0, "black", 2.0), 3540.0),
        ("300", (100.0, 100.0, "white", 0.0), (80.0, 70.0, "white", 50.0), None),  # a move by each in between
        ("300", (100.0, 100.0, None, 0.0), (97.0, 100.0, None, 3.0), None),  # it does not tell who runs
        ("300", (100.0, 100.0, None, 0.0), (200.0, 100.0, None, 10.0), 100.0),
    ],
)
def test_a_reading_that_the_time_and_the_moves_do_not_explain_is_a_jump(
    control: str,
    first: tuple[float, float, SideName | None, float],
    then: tuple[float, float, SideName | None, float],
    jump: float | None,
) -> None:
    assert told(clock(control), first, then) == [None, jump]


def test_the_phase_that_is_due_by_the_levers_explains_a_gain_and_one_that_is_not_does_not() -> None:
    it = pressed(clock("2/100:20"), ("black", 0.0))
    told(it, (100.0, 100.0, "white", 0.5))
    pressed(it, ("white", 1.0))
    assert told(it, (119.0, 100.0, "black", 1.5)) == [19.0]
    told(it, (100.0, 100.0, "black", 2.0))
    pressed(it, ("black", 2.5), ("white", 3.0))
    assert told(it, (119.0, 100.0, "black", 3.5)) == [None]


def test_what_the_arbiter_has_set_is_expected() -> None:
    it = clock()
    told(it, (100.0, 60.0, "white", 0.0), (99.0, 60.0, "white", 1.0))
    it.set(200.0, 60.0, 2.0)
    assert told(it, (199.0, 60.0, "white", 3.0)) == [None]


# --- what holds for every game


@dataclass(frozen=True)
class Act:
    """Something that happens to a clock, `after` seconds after what was before."""

    after: float
    what: str
    side: SideName = "white"
    white: float = 60.0
    black: float = 60.0
    running: SideName | None = None


after = st.sampled_from([0.0, 0.25, 1.0, 2.0, 3.0, 10.0]) | st.floats(0, 40)
sides = st.sampled_from(["white", "black"])
acts = st.builds(
    Act,
    after,
    st.sampled_from(["press", "press", "press", "reading", "reading", "pause", "resume", "set", "stop"]),
    sides,
    st.floats(0, 90),
    st.floats(0, 90),
    st.none() | sides,
)
texts = st.sampled_from(["60", "60+3", "2/60:30+1", "3/40", "*50", "-"])


def happen(text: str, todo: list[Act], extra: list[float]) -> list[object]:
    """What the clock tells; `extra` are the times of more calls of `due`, and of questions."""
    it = GameClock(read_time_control(text), "white")
    said: list[object] = []

    def fall_due(until: float) -> None:
        while (deadline := it.deadline) is not None and deadline <= until:
            for what in it.due(deadline):
                said.extend((what, it.at(what.at)))

    at = 0.0
    for act in todo:
        for tick in extra:
            if at < tick <= at + act.after:
                fall_due(tick)
                it.at(tick)
        at += act.after
        fall_due(at)
        match act.what:
            case "press":
                said.append(it.pressed(act.side, at))
            case "reading":
                said.append(it.reading(act.white, act.black, act.running, at))
            case "set":
                said.append(it.set(act.white, act.black, at))
            case "pause":
                said.append(it.pause(at))
            case "resume":
                said.append(it.resume(at))
            case _:
                said.append(it.stop(at))
        said.append(it.at(at))
    return said


@given(texts, st.lists(acts, max_size=30), st.lists(st.floats(0, 600), max_size=40))
def test_any_spacing_of_ticks_gives_the_same_values(text: str, todo: list[Act], ticks: list[float]) -> None:
    assert happen(text, todo, sorted(ticks)) == happen(text, todo, [])


@given(texts, st.lists(acts, max_size=30))
def test_no_time_is_negative_and_a_side_at_zero_has_had_its_flag(text: str, todo: list[Act]) -> None:
    zero: set[str] = set()
    given_: set[str] = set()
    for what in happen(text, todo, []):
        match what:
            case Flag():
                given_.add(what.side)
            case Times():
                assert min(what.white, what.black) >= 0
                zero |= {side for side in ("white", "black") if getattr(what, side) == 0}
    put = {side for act in todo for side in ("white", "black") if act.what != "press" and getattr(act, side) < 0.001}
    assert zero <= given_ | put


@given(texts, st.lists(st.tuples(st.floats(0, 20), sides), max_size=20))
def test_on_a_clock_of_the_levers_all_time_is_accounted_for(text: str, presses: list[tuple[float, SideName]]) -> None:
    control = read_time_control(text)
    it = GameClock(control, "white")
    if control is None:
        return
    at = began = 0.0
    for wait, side in presses:
        at += wait
        if it.deadline is not None and it.deadline <= at:
            return
        if it.running is None and it.pressed(side, at) is not None:
            began = at
        else:
            it.pressed(side, at)
    if it.deadline is None or it.deadline <= at + 5:
        return
    shown = it.at(at + 5)
    assert shown is not None
    added = sum(control.added(n) for side in ("white", "black") for n in range(1, it.moves(side) + 1))
    used = 0.0 if control.sandclock else at + 5 - began
    assert shown.white + shown.black == pytest.approx(2 * control.seconds + added - used, abs=0.01)


@given(st.lists(st.floats(-JUMP_SECONDS + 1.1, 0.9), min_size=1, max_size=30))
def test_a_clock_that_tells_its_seconds_a_little_early_or_late_never_jumps(lags: list[float]) -> None:
    it = clock("-")
    for second, lag in enumerate(lags):
        assert told(it, (float(1000 - second), 500.0, "white", second + 1 + lag / 2)) == [None]
