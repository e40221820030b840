from __future__ import annotations

from dataclasses import replace

import pytest

from damas_board.messages.recording import RecordingError, header_from, header_object
from damas_board.session.header import Header

HEADER = Header("table-1", "br-cbjd", clock="40/7200:3600")


def test_a_time_control_is_kept_as_it_was_written() -> None:
    assert header_object(HEADER)["clock"] == "40/7200:3600"
    assert header_from(header_object(HEADER)) == HEADER
    assert "clock" not in header_object(replace(HEADER, clock=None))


@pytest.mark.parametrize(("clock", "says"), [("5 min", "did you mean 300?"), (300, "clock must be a text")])
def test_a_wrong_time_control_is_refused_with_its_line(clock: object, says: str) -> None:
    with pytest.raises(RecordingError, match="line 1: clock") as caught:
        header_from({**header_object(HEADER), "clock": clock})
    assert says in str(caught.value)
