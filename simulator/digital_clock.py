"""A digital clock beside the board that tells its own reading: the levers of a recording go to it, not to the board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from damas_board.notation.time_control import TimeControl
from damas_board.session.game_clock import GameClock
from damas_board.session.inputs import ClockReading, Input, Lever, SideName

Spans = Iterable[tuple[float, float]]


def with_readings(
    items: Iterable[Input],
    control: TimeControl,
    first: SideName,
    *,
    every: float = 1.0,
    silent: Spans = (),
    stopped: Spans = (),
) -> Iterator[Input]:
    """The inputs with a `ClockReading` of whole seconds after each `every` seconds, instead of each `Lever`.

    `first` is the side that begins. In the spans `silent` the clock says nothing, in the spans `stopped` the arbiter
    has stopped it; from and to, seconds on the scale of `at`.
    """
    clock = GameClock(control, first)
    quiet, halts = list(silent), list(stopped)
    due = every
    for item in items:
        while due <= item.at:
            inside = any(begin <= due < end for begin, end in halts)
            if inside:
                clock.pause(due)
            else:
                clock.resume(due)
            clock.due(due)
            if not any(begin <= due < end for begin, end in quiet):
                yield _reading(clock, due)
            due = round(due + every, 3)
        clock.due(item.at)
        if isinstance(item, Lever):
            clock.pressed(item.side, item.at)
        else:
            yield item


def _reading(clock: GameClock, at: float) -> ClockReading:
    """A second that has begun is shown until it is over."""
    shown = clock.at(at)
    if shown is None:
        raise AssertionError("a clock with a time control shows it")
    return ClockReading(at, float(math.ceil(shown.white)), float(math.ceil(shown.black)), shown.running)
