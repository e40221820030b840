"""`damas-board calibrate board` with a simulated analogue board: what is measured, written, refused and reported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hall_bench import HallBench
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.analogue import table
from calibration.placing import Placing
from damas_board.cli import calibrate, main
from damas_board.decoding import wire
from damas_board.decoding.conversation import Measured, Observation
from damas_board.decoding.square_map import SquareMap
from simulator.hall_board import Magnet, field

MAP_32 = SquareMap(8, "left")
START = {place: 2 if place <= 12 else 1 for place in (*range(1, 13), *range(21, 33))}
"""Black's men above, White's below."""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")


def calibrated(monkeypatch: pytest.MonkeyPatch, bench: Any, *arguments: str) -> int:
    class Watched(Placing):
        def __init__(self, *values: Any, **more: Any) -> None:
            super().__init__(*values, **more)
            bench.placing = self

    class NoKeys:
        def __enter__(self) -> Any:
            return bench

        def __exit__(self, *error: object) -> None: ...

    monkeypatch.setattr(calibrate, "LiveBoard", lambda port: bench)
    monkeypatch.setattr(calibrate, "Keys", NoKeys)
    monkeypatch.setattr(calibrate, "Placing", Watched)
    return main(["calibrate", "board", "PORT", *arguments])


def reported(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8"))  # type: ignore[no-any-return]


@pytest.mark.parametrize("white_above", [False, True])
def test_with_the_opening_position_few_squares_are_asked_for_alone(
    monkeypatch, capsys, tmp_path: Path, white_above: bool
) -> None:
    bench = HallBench(MAP_32, opening=START, white_above=white_above)
    file = tmp_path / "report.json"
    assert calibrated(monkeypatch, bench, "--report", str(file)) == 0
    assert {question.place for question in bench.asked if question.kind == "man"} == set(range(13, 21))
    (line,) = capsys.readouterr().out.splitlines()
    way = "up" if white_above else "down"
    assert line.startswith(f"written and read back: 32 squares, White's men move the reading {way}, thresholds ")
    report = reported(file)
    assert (report["written"], report["finished"], report["white_above"]) == (True, True, white_above)
    assert {square["square"] for square in report["squares"] if square["alone"]} == {
        *("a5", "c5", "e5", "g5", "b4", "d4", "f4", "h4")
    }
    assert bench.board.kept == bench.board.table


def test_what_is_kept_tells_men_of_both_colours_apart_wherever_they_stand(monkeypatch) -> None:
    bench = HallBench(MAP_32, opening=START)
    assert calibrated(monkeypatch, bench) == 0
    board = bench.board
    board.reset()
    bench.placing = None
    for place in range(1, 33):
        for level in (1, 2):
            board.place_astray(place, level, 3.0, 0.0)
            bench.listen()
            board.advance()
            assert board._contacts[place - 1] == level
            board.lift(place)
    assert set(board._contacts) == {0}


def test_readings_come_all_the_while_though_a_board_ends_them_after_a_minute(monkeypatch) -> None:
    bench = HallBench(SquareMap(8, "all"))
    heard = []
    listen = bench.listen

    def listened() -> list[Observation]:
        found = listen()
        heard.extend(item.at for item in found if isinstance(item, Measured))
        return found

    monkeypatch.setattr(bench, "listen", listened)
    assert calibrated(monkeypatch, bench, "--one-by-one") == 0
    assert heard[-1] > 65
    assert max(later - at for at, later in pairwise(heard)) < calibrate.SILENT_SECONDS / 2


def test_thresholds_are_two_fifths_of_what_a_man_does(monkeypatch, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    bench = HallBench(MAP_32, opening=START)
    assert calibrated(monkeypatch, bench, "--report", str(file), "--one-by-one") == 0
    for square in reported(file)["squares"]:
        zero, man, king = square["thresholds"]
        assert (zero, man) == (round(square["zero"]), round(0.4 * abs(square["gain"])))
        assert abs(square["gain"]) < king < 1.2 * abs(square["gain"]) + 1
        assert square["alone"] is True
        assert square["most_elsewhere"] < 0.1 * abs(square["gain"])


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"zeros": {7: 3.0}, "ends_at": 8.0}, "e7: with nothing above it the sensor reads 1.2 % of its scale"),
    ({"noisy": {9: 6.0}, "ends_at": 8.0}, "b6: the sensor is not still, by "),
    ({"dead": [14]}, "c5: a man that stands there does not move the reading"),
    ({"dead": [3]}, "f8: a man that stands there does not move the reading"),
    ({"backwards": [14]}, "c5: a white man moves the reading to the other side than elsewhere"),
    ({"backwards": [3]}, "f8: a white man moves the reading to the other side than elsewhere"),
    ({"magnet": Magnet(diameter=5, thickness=1)}, "b8: a man moves the reading by "),
    ({"opening": {place: 3 - level for place, level in START.items()}}, "contradict each other everywhere"),
]


@pytest.mark.parametrize(("board", "line"), REFUSED)
def test_what_is_wrong_is_named_by_its_square_and_nothing_is_written(
    monkeypatch, capsys, board: Mapping[str, Any], line: str
) -> None:
    bench = HallBench(MAP_32, **{"opening": START, **board})
    assert calibrated(monkeypatch, bench) == 1
    out = capsys.readouterr().out.splitlines()
    assert line in out[0]
    assert out[-1] == "nothing was written into the board"
    assert bench.board.kept is None


def test_only_the_square_that_is_wrong_is_named(monkeypatch, capsys) -> None:
    assert calibrated(monkeypatch, HallBench(MAP_32, opening=START, backwards=[14])) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_squares_that_are_too_near_are_named_in_pairs(monkeypatch, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert calibrated(monkeypatch, HallBench(MAP_32, square=5.0), "--one-by-one", "--report", str(file)) == 1
    problems = reported(file)["problems"]
    pairs = {(problem["square"], problem["other"]) for problem in problems}
    assert {("a7", "b8"), ("b8", "a7")} <= pairs
    assert ("b8", "g1") not in pairs
    assert {problem["kind"] for problem in problems} == {"interferes"}


def test_a_piece_that_was_left_is_named_and_the_rest_goes_on_once_it_is_gone(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32, opening=START, leaves={5: 1})
    assert calibrated(monkeypatch, bench) == 0
    assert "a7: with nothing above it" in capsys.readouterr().err


def test_a_weak_piece_that_was_left_is_found_when_it_is_taken_off(monkeypatch) -> None:
    bench = HallBench(MAP_32, opening=START, leaves={14: 1}, magnet=Magnet(diameter=8, thickness=2))
    assert calibrated(monkeypatch, bench) == 0
    zero = bench.board.kept[1][13].zero
    assert abs(zero - bench.board._zeros[14]) < 1.5


def test_a_man_of_the_wrong_colour_is_asked_for_once_more(monkeypatch) -> None:
    bench = HallBench(MAP_32, opening=START, puts={15: [(15, 2)]})
    assert calibrated(monkeypatch, bench) == 0
    assert [q.again for q in bench.asked if q.kind == "man" and q.place == 15 and not q.nothing] == [False, True]


def test_a_man_on_the_wrong_square_is_not_measured(monkeypatch, tmp_path: Path) -> None:
    bench = HallBench(MAP_32, opening=START, puts={15: [(16, 1)]})
    file = tmp_path / "report.json"
    assert calibrated(monkeypatch, bench, "--report", str(file)) == 0
    assert [q.places for q in bench.asked if q.kind == "other"] == [(16,)]
    assert abs(reported(file)["squares"][14]["gain"]) > 40


def test_a_sensor_at_the_end_of_its_scale_gives_no_hint_at_kings(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32, opening=START, counts=2.5)
    assert calibrated(monkeypatch, bench) == 0
    assert "at the end of the scale, so no hint at kings: b8, d8" in capsys.readouterr().out
    assert {square.king for square in bench.board.kept[1]} == {255}


def test_in_a_dry_run_nothing_is_written(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32, opening=START)
    assert calibrated(monkeypatch, bench, "--dry-run", "--lang", "pt") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "nada foi escrito no tabuleiro"
    assert bench.board.kept is None


def test_what_the_boards_own_tracking_changed_is_written_again(monkeypatch) -> None:
    bench = HallBench(MAP_32, opening=START)
    answer, refused = bench.board._answer, []

    def tracking(command: wire.HostFrame, at: float) -> None:
        if isinstance(command, wire.KeepCalibration) and len(refused) < 2:
            refused.append(command)
            zero, man, king = bench.board._table[0]
            bench.board._table[0] = wire.Thresholds(zero + 1, man, king)
        answer(command, at)

    monkeypatch.setattr(bench.board, "_answer", tracking)
    assert calibrated(monkeypatch, bench) == 0
    assert len(refused) == 2
    assert bench.board.kept == bench.board.table


def test_a_board_that_keeps_something_else_is_not_trusted(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32, opening=START)
    answer = bench.board._answer

    def worn_out(command: wire.HostFrame, at: float) -> None:
        answer(command, at)
        if isinstance(command, wire.KeepCalibration):
            bench.board._table[13] = wire.Thresholds(128, 255, 255)

    monkeypatch.setattr(bench.board, "_answer", worn_out)
    assert calibrated(monkeypatch, bench) == 1
    assert "is not what was written, at c5;" in capsys.readouterr().err


def test_a_board_that_keeps_the_other_polarity_is_not_trusted(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32, opening=START)
    answer = bench.board._answer

    def turned_round(command: wire.HostFrame, at: float) -> None:
        answer(command, at)
        if isinstance(command, wire.KeepCalibration):
            bench.board._flags ^= wire.WHITE_ABOVE

    monkeypatch.setattr(bench.board, "_answer", turned_round)
    assert calibrated(monkeypatch, bench) == 1
    assert "is not what was written" in capsys.readouterr().err


def test_a_board_with_contacts_is_not_calibrated(monkeypatch, capsys) -> None:
    bench = HallBench(MAP_32)
    object.__setattr__(bench.hello, "caps", 0)
    assert calibrated(monkeypatch, bench) == 1
    assert "there is nothing to calibrate" in capsys.readouterr().err


SLIPS = st.lists(st.tuples(st.integers(1, 32), st.sampled_from([1, 2])), min_size=1, max_size=2)


@settings(max_examples=12, deadline=None)
@given(st.dictionaries(st.integers(13, 20), SLIPS, max_size=4), st.integers(0, 99))
def test_whatever_was_put_wrongly_twice_the_table_of_a_sound_board_is_right(
    slips: dict[int, list[tuple[int, int]]], seed: int
) -> None:
    bench = HallBench(MAP_32, opening=START, puts=slips, seed=seed)
    order = range(1, 33)
    bench.placing = Placing(32, order, bench.now(), {place: level == 1 for place, level in START.items()})
    bench.conversation.report_raw(calibrate.SCANS_A_SECOND)
    while not bench.placing.done:
        for item in bench.listen():
            if isinstance(item, Measured):
                bench.placing.measured(item.at, item.first, item.readings)
        for _ in bench.pressed():
            bench.placing.stands(bench.now())
    assert bench.placing.problems == []
    for place, square in enumerate(table(bench.placing.zeros, bench.placing.men).squares, 1):
        truth = abs(bench.board._gains[place] * bench.board._counts) * field(Magnet(), 0.0)
        assert square.man == pytest.approx(0.4 * truth, abs=2)
        assert square.zero == pytest.approx(bench.board._zeros[place], abs=1)
