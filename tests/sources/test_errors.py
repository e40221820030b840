"""What is wrong with a board is the same in another process."""

from __future__ import annotations

import pickle

import pytest

from damas_board.sources.errors import BoardError


@pytest.mark.parametrize(
    "error", [BoardError("camera_blocked", camera="0", seconds=4.0), BoardError("no_camera", camera="0")]
)
def test_an_error_crosses_to_another_process_whole(error: BoardError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert isinstance(there, BoardError)
    assert (there.key, there.facts, str(there)) == (error.key, error.facts, str(error))
