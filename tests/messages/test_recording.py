from __future__ import annotations

from dataclasses import replace

import pytest

from damas_board.messages.recording import RecordingError, header_from, header_object, input_from, input_object
from damas_board.session.header import Header
from damas_board.session.inputs import BoardEvent, Button, Input, Lever, Link, See

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


EVENT = BoardEvent("0da3a500", 3, 65535)


@pytest.mark.parametrize(
    ("item", "keys"),
    [
        (See(2.0, "o.", None, 1.5, event=EVENT), {"see", "was", "event"}),
        (See(2.0, "o."), {"see"}),
        (Lever(2.0, "white", 1.5, EVENT), {"lever", "was", "event"}),
        (Button(2.0, "adjust", "white", None, EVENT), {"button", "side", "event"}),
        (Link(2.0, "back", whole=True), {"link", "whole"}),
        (Link(2.0, "back"), {"link"}),
        (Link(2.0, "lost", "no_camera", by="cam"), {"link", "reason", "by"}),
        (See(2.0, "o?", "cam", doubt={"a1": {".": 0.2, "o": 0.8}}), {"see", "by", "doubt"}),
    ],
)
def test_where_an_input_came_from_is_kept(item: Input, keys: set[str]) -> None:
    body = input_object(item)
    assert set(body) == {"at", *keys}
    assert input_from(body) == item
    assert body.get("event") in (None, ["0da3a500", 3, 65535])


@pytest.mark.parametrize("event", [7, ["a", 1], ["a", 1, "2"], ["a", True, 2], {"seq": 1}])
def test_a_wrong_event_is_refused(event: object) -> None:
    with pytest.raises(RecordingError, match="lever"):
        input_from({"at": 1.0, "lever": "white", "event": event})
