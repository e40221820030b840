"""Two minutes of a board on which everything changes as fast as the line can tell, and bounces: nothing is lost.

Some traps of the emulator, and of interrupts, show only under such traffic.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from firmware.conftest import Start
from firmware.rig import of

from damas_board.decoding import wire

SECONDS = 120
APART = 0.00125
"""From one change to the next, seconds: 800 a second, of 880 that the line can tell beside the heartbeats."""
TURN = 0.0003
REST = 0.05
"""Seconds that a contact is left alone after a change: longer than its bounces and the debounce together."""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("build", ["matrix-64", "matrix-50-lights"])
def test_every_change_arrives_in_order(build: str, start: Start) -> None:
    rig = start(build)
    random = Random(6)
    idle = {place: 0.0 for place in range(1, rig.places + 1)}
    planned: dict[int, list[float]] = {place: [] for place in idle}
    frames: list[wire.BoardFrame] = []
    began = rig.board.time
    asked = 0
    for second in range(SECONDS):
        for step in range(round(1 / APART)):
            at = second + step * APART
            free = [place for place, since in idle.items() if since <= at]
            if free:
                place = random.choice(free)
                turns = random.choice((1, 3, 5, 7, 9))
                rig.board.bounce(place, turns, TURN, after=step * APART)
                planned[place].append(began + at + TURN * (turns - 1))
                idle[place] = at + REST
        asked = asked % 255 + 1
        rig.board.send(wire.encode_command(wire.AskSnapshot(asked)))
        if "lights" in build:
            rig.board.send(wire.encode_command(wire.Light(asked, asked % 6, frozenset({asked % 50 + 1}))))
        frames += rig.run(1.0)
    frames += rig.run(0.2)
    events = of(wire.Event, frames)
    assert [event.seq for event in events] == [number % wire.SEQ_MODULUS for number in range(1, len(events) + 1)]
    assert all(one.t <= other.t for one, other in pairwise(events))
    assert Counter(event.key for event in events) == {place: len(times) for place, times in planned.items()}
    for place, times in planned.items():
        told = [event for event in events if event.key == place]
        assert [event.level for event in told] == [index % 2 == 0 for index in range(len(told))]
        # From the last bounce to the event, but for where the board's own time began. Bounces between two scans are not
        # seen, so it may be less by as long as they last; lights that are shown hold a scan up.
        late = [event.t / 1000 - time for time, event in zip(times, told, strict=True)]
        assert max(late) - min(late) < 8 * TURN + 0.005
    assert of(wire.Heartbeat, frames)[-1].received_bad == 0
    assert rig.board.figures()["bytes_overrun"] == 0
    assert len(of(wire.Snapshot, frames)) == SECONDS
