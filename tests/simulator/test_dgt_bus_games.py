"""Real games at tables whose DGT boards share a line come out of a Session each as it was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.dgt_bus_games import hall
from benchmarks.dgt_games import hundred


@pytest.mark.slow
def test_eight_games_at_one_line_are_recorded_as_played_and_nobody_is_told_of_anything(shared: Path) -> None:
    games = list(hundred())
    outcome = hall(games[20:100:10])
    assert (outcome.games, outcome.right, outcome.faults) == (8, 8, [])


@pytest.mark.slow
def test_two_games_on_a_line_that_loses_and_spoils_answers_are_recorded_as_played(shared: Path) -> None:
    games = list(hundred())
    outcome = hall(games[50:100:30], habits={"lost": 0.02, "spoiled": 0.03}, clocks=False)
    assert (outcome.games, outcome.right) == (2, 2)
    assert not {kind for kind in outcome.alerts if kind != "sensor_suspect"}
