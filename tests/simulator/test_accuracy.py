"""The benchmark of accuracy runs, counts what it says it counts, and its aims hold for a sample."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import accuracy
from benchmarks.accuracy_page import page
from benchmarks.one_ply import OnePly
from benchmarks.real_games import SHARED
from benchmarks.staging import Faults, Stage, first_difference
from benchmarks.tallies import Findings, Tally, interval

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.rules.variants import INTERNATIONAL
from damas_board.session.events import AlertRaised
from damas_board.session.inputs import Link, See, Tick
from simulator.irregular import OFFENCES
from simulator.levels import level
from simulator.table import Table, rows, sensed

OWN_GAMES = "portuguese"
"""They need no public files."""


@pytest.fixture
def _public_games() -> None:
    if not (SHARED / "games").is_dir():
        missing = f"the public games are not at {SHARED}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def alert(kind: str, at: float, squares: tuple[str, ...] = (), severity: str = "warning") -> AlertRaised:
    return AlertRaised(at, "t-1-a1", kind, severity, None, squares, 1, None, (), (), {})


# --- how sure a count is


def test_a_wilson_interval_holds_the_share_and_none_of_many_is_not_never() -> None:
    low, high = interval(0, 20_000)
    assert low == 0.0
    assert 0 < high * 20_000 < 4
    assert interval(20_000, 20_000)[1] == 1.0
    low, high = interval(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)


def test_tallies_of_games_add_up() -> None:
    one, two = Tally(games=1, plies=10, wrong=2), Tally(games=1, plies=5)
    two.accusations["touch_move"] = 1
    one.add(two)
    assert (one.games, one.plies, one.wrong, one.accusations["touch_move"]) == (2, 15, 2, 1)


# --- what was really wrong with the hardware


def test_an_alert_about_the_board_is_earned_where_its_hardware_failed() -> None:
    faults = Faults(wrong=[(3, 10.0, 16.0)], outages=[(20.0, 22.0)])
    names = {"a1": 3, "c1": 5}
    assert faults.earned(alert("sensor_suspect", 14.0, ("a1",)), names)
    assert not faults.earned(alert("sensor_suspect", 14.0, ("c1",)), names)
    assert not faults.earned(alert("sensor_suspect", 9.0, ("a1",)), names)
    assert faults.earned(alert("board_lost", 20.0), names)
    assert not faults.earned(alert("board_lost", 12.0), names)
    assert faults.earned(alert("board_mismatch", 14.0), names)
    assert not faults.earned(alert("board_mismatch", 9.0), names)
    assert not faults.earned(alert("touch_move", 14.0, ("a1",)), names), "no fault of the hardware is a player's"


def test_a_square_that_dropped_out_once_for_a_moment_is_not_suspect() -> None:
    blips = [(3, float(at), at + 0.05) for at in range(3)]
    names = {"a1": 3}
    assert not Faults(wrong=blips[:1]).earned(alert("sensor_suspect", 3.0, ("a1",)), names)
    assert Faults(wrong=blips).earned(alert("sensor_suspect", 3.0, ("a1",)), names)


def test_a_stage_notes_which_squares_said_something_wrong_and_when_the_link_was_lost() -> None:
    start = read_fen("W:W31,37:B6", INTERNATIONAL)
    stage = Stage(start, level("clean"), 1)
    square = INTERNATIONAL.geometry.square("6")
    stage._sensors.misread(square, 1.5, 0.5)
    stage._sensors.lose(2.2, 0.25)
    stage.play(read_move(start, "37-32"))
    staged = stage.finish("t", *accuracy.regulation_of("international"))
    assert staged.faults.wrong == [(square, 1.5, 2.0)]
    assert [(lost, round(back, 3)) for lost, back in staged.faults.outages] == [(2.2, 2.45)]
    assert [item.state for item in staged.inputs if isinstance(item, Link)] == ["lost", "back"]


# --- the comparison


def test_a_game_is_right_up_to_its_first_wrong_ply() -> None:
    staged = accuracy.staged_play("clean", "occupancy", OWN_GAMES, 0)
    heard = accuracy.follow(staged)
    assert first_difference(staged.truth, heard.record) == (len(staged.truth), "")
    third = replace(heard.record[2], to="nowhere")
    right, words = first_difference(staged.truth, [*heard.record[:2], third, *heard.record[3:]])
    assert right == 2
    assert words.startswith(f"ply 3 of {len(staged.truth)}")
    assert first_difference(staged.truth, heard.record[:5])[0] == 5
    assert "that nobody played" in first_difference(staged.truth[:5], heard.record)[1]


def test_a_wrong_ply_is_told_of_by_an_open_alert_an_unknown_board_or_an_inference() -> None:
    staged = accuracy.staged_play("clean", "occupancy", OWN_GAMES, 0)
    heard = accuracy.follow(staged)
    plies = len(staged.truth)
    assert accuracy.wrong_plies(staged, heard, plies) == (0, 0, 0)
    *_, last_but_one, last = heard.record
    heard.record[-2:] = [replace(last_but_one, to="nowhere"), replace(last, to="nowhere")]
    assert accuracy.wrong_plies(staged, heard, plies - 2) == (2, 0, 2)
    heard.events.insert(0, alert("board_mismatch", 1.0))
    assert accuracy.wrong_plies(staged, heard, plies - 2) == (2, 0, 0)
    heard.events.pop(0)
    heard.record[-2:] = [replace(last_but_one, to="nowhere", basis="inferred"), replace(last, to="nowhere")]
    assert accuracy.wrong_plies(staged, heard, plies - 2) == (2, 0, 1)


def test_a_ply_that_is_right_again_behind_inferred_ones_is_told_of() -> None:
    staged = accuracy.staged_play("clean", "occupancy", OWN_GAMES, 0)
    heard = accuracy.follow(staged)
    plies = len(staged.truth)
    swapped = heard.record[plies - 3]
    heard.record[plies - 3] = replace(swapped, to="nowhere", basis="inferred")
    assert accuracy.wrong_plies(staged, heard, plies - 3) == (3, 2, 0)
    heard.record[plies - 3] = replace(swapped, to="nowhere")
    assert accuracy.wrong_plies(staged, heard, plies - 3) == (3, 2, 3)


def test_the_one_ply_matcher_needs_a_still_board_and_never_recovers_from_a_missed_one() -> None:
    start = read_fen("W:W31,37:B6,7", INTERNATIONAL)
    first = start.after(read_move(start, "37-32"))
    second = first.after(read_move(first, "6-11"))

    def shown(position) -> str:
        marks = {s: sensed(piece, "occupancy") for s, piece in Table(position).pieces.items()}
        return rows(marks, position.variant.geometry)

    still, quick = OnePly(start), OnePly(start)
    for matcher, times in ((still, (0.0, 1.0, 2.0, 3.0)), (quick, (0.0, 1.0, 1.1, 3.0))):
        for position, at in zip((start, first, second), times, strict=False):
            matcher.feed(See(at, shown(position)))
        matcher.feed(Tick(times[-1]))
    assert still.positions == [first, second]
    assert quick.positions == []


# --- the whole


def test_the_page_has_a_row_for_every_board_and_level_and_says_what_was_missed() -> None:
    good = Tally(games=1, plies=100, right_games=1)
    bad = Tally(games=1, plies=100, wrong=3, untold=1, faults=["club/occupancy/x/0: ply 98 was c3-d4"])
    for tally in (good, bad):
        tally.times.extend([50.0, 70.0])
        tally.baseline_times.extend([10.0, 20.0])
    found = Findings(put_in=4, found=3, faults=["touch_move/stands/occupancy/2: heard nothing"])
    found.instead["nothing"] = 1
    lawful = {("occupancy", "clean"): good, ("occupancy", "club"): bad}
    text = page(lawful, {("touch_move", "stands", "occupancy"): found}, 5)
    assert "| occupancy | clean | 1 | 100 | 0 (0 - 740) |" in text
    assert "- reached: occupancy, clean: none wrong: 0 in 100" in text
    assert "- **missed**: occupancy, club: none wrong: 3 in 100" in text
    assert "club/occupancy/x/0: ply 98 was c3-d4" in text
    assert "- **missed**: irregularities: at least 99 % found: 75.0 %" in text
    assert "touch_move/stands/occupancy/2: heard nothing" in text


def test_lawful_games_of_our_own_come_out_as_played_at_club_without_a_word() -> None:
    for senses in accuracy.SENSES:
        _, tally = accuracy.work_play(accuracy.Play("club", senses, OWN_GAMES, (0, 1, 2)))
        assert (tally.wrong, tally.right_games, tally.faults) == (0, 3, [])
        assert len(tally.times) > tally.plies


@pytest.mark.usefixtures("_public_games")
def test_the_benchmark_runs_from_its_command_line_and_records_what_it_names() -> None:
    script = str(Path(accuracy.__file__))
    ran = subprocess.run(
        [sys.executable, script, "--irregular-only", "--kind", "touch_move", "--senses", "occupancy", "--sample", "4"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert "| touch_move | stands | 2 | 2 (" in ran.stdout
    recorded = subprocess.run(
        [sys.executable, script, "--record", "touch_move/stands/occupancy/0"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert recorded.stdout.startswith('{"recording": 1')


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_public_games")
@pytest.mark.parametrize("senses", accuracy.SENSES)
@pytest.mark.parametrize("name", ["clean", "club"])
def test_no_ply_of_a_sample_is_wrong_and_hardly_anybody_is_accused(name: str, senses: str) -> None:
    total = Tally()
    for play in accuracy.plays([name], [senses], 4_000):
        total.add(accuracy.work_play(play)[1])
    assert total.plies >= 4_000
    assert total.wrong == 0, total.faults
    assert total.accusations.total() * 1000 <= 2 * total.plies, total.faults


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_public_games")
@pytest.mark.parametrize(
    "name", ["missed_capture", "wrong_side", "touch_move", "several_touched", "taken_back", "held_piece"]
)
def test_irregularities_of_a_sample_are_found(name: str) -> None:
    for future in OFFENCES[name].futures:
        _, totals = accuracy.work_put(accuracy.Put(name, future, accuracy.SENSES, tuple(range(20))))
        for found in totals.values():
            assert found.found >= 19, found.faults
