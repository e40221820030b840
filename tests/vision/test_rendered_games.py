"""Games before a rendered camera: its pictures make a record that is right, and nobody is accused."""

from __future__ import annotations

import pytest
from benchmarks.vision_games import Job, judged, played

from simulator.games import shipped


@pytest.mark.parametrize(
    ("condition", "kind", "plies"),
    [
        ("clean", "international", 3),
        ("club", "brazilian", 6),
        ("evening", "portuguese", 6),
        ("glossy", "brazilian", 4),
        ("bump", "portuguese", 5),
    ],
)
def test_the_beginning_of_a_game_is_recorded_as_it_was_played(condition: str, kind: str, plies: int) -> None:
    job = Job(condition, kind, 0, plies, frames="changes", width=640, height=360)
    watched = judged(played(job, shipped(kind)))
    assert (watched.wrong, watched.unearned.total()) == (0, 0), watched.faults
    assert watched.plies == plies


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["brazilian", "international", "portuguese"])
def test_a_whole_game_at_the_club_is_recorded_as_it_was_played(kind: str) -> None:
    watched = judged(played(Job("club", kind, 0), shipped(kind)))
    assert (watched.wrong, watched.unearned.total()) == (0, 0), watched.faults


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("condition", ["bump", "shift", "camera-bump"])
def test_a_camera_or_a_board_that_is_knocked_in_a_game_goes_on(condition: str) -> None:
    watched = judged(played(Job(condition, "brazilian", 0, 14), shipped("brazilian")))
    assert (watched.wrong, watched.unearned.total()) == (0, 0), watched.faults
