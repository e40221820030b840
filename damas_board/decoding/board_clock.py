"""The board's milliseconds on the host's scale of seconds."""

from __future__ import annotations

from collections import deque

from damas_board.decoding.wire import time_ahead

_STEPS = 10
"""The window moves in this many steps, so that only as many minima are kept."""


class BoardClock:
    """What the board's time stamps mean to the host: offset = min(host time of receipt - board time) over a window.

    Delay on the way only ever makes that difference larger, so its minimum is the quickest frame. The window is short
    because a ceramic resonator may run half a percent off: `window` seconds shift the offset by `window` / 200.
    """

    def __init__(self, window: float) -> None:
        self._step = window / _STEPS
        self._minima: deque[tuple[int, float]] = deque(maxlen=_STEPS + 1)
        self._newest: int | None = None
        self._turned = 0
        """Milliseconds that have gone over the wrap of the board's 32 bits."""

    def heard(self, t: int, at: float) -> None:
        """A frame stamped `t` came in at host time `at`."""
        difference = at - self._seconds(t)
        step = int(at // self._step)
        while self._minima and self._minima[0][0] < step - _STEPS:
            self._minima.popleft()
        if self._minima and self._minima[-1][0] == step:
            difference = min(difference, self._minima.pop()[1])
        self._minima.append((step, difference))

    def host_time(self, t: int) -> float:
        """Host time of the board's `t`; `heard` must have been called before."""
        return self._seconds(t) + min(difference for _, difference in self._minima)

    def _seconds(self, t: int) -> float:
        if self._newest is None:
            self._newest, self._turned = t, t
        ahead = time_ahead(t, self._newest)
        if ahead > 0:
            self._newest = t
            self._turned += ahead
            ahead = 0
        return (self._turned + ahead) / 1000
