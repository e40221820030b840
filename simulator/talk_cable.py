"""A simulated board and a Talk joined in memory, in virtual time: what a source at a port tells, without the port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from damas_board.decoding.talk import (
    Away,
    ClockShown,
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Missed,
    Remark,
    Shown,
    Talk,
    Told,
)
from damas_board.session.inputs import ClockReading, Input, Lever, Link, See
from damas_board.sources.source import KEPT_ROWS
from simulator.carrier import Carried
from simulator.clock import VirtualClock

OPEN_AGAIN = 0.25
"""How long after a talk has ended, or the board is plugged in again, the port is opened, seconds."""
_ROUNDS = 1000
"""More at one time than any talk has need of."""


class TalkCable:
    """Carries bytes both ways without delay of its own; the port is open while the board is plugged in."""

    def __init__(
        self,
        board: Carried,
        clock: VirtualClock,
        make_talk: Callable[[float, Shown | None], Talk],
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        """`make_talk` as of a SpokenBoard: from the time, and what was shown last.

        `opened` is called when the port is, for a board that notices.
        """
        self._board = board
        self._clock = clock
        self._make_talk = make_talk
        self._opened = opened
        self._opens = clock.now()
        self._linked = False
        self._inputs: list[Input] = []
        self.told: list[Told] = []
        """All that any talk has told."""
        self.talk: Talk | None = None
        """What is said while the port is open."""
        self.known: Shown | None = None
        """What was shown last."""

    def run(self, until: float) -> list[Input]:
        """Let board and host do what is due up to `until`, and send the clock there; what the source tells.

        RuntimeError for a talk that always has something due.
        """
        rounds = 0
        while True:
            self._exchange()
            at = min(self._board.deadline, self._opens if self.talk is None else self.talk.deadline)
            if at > until:
                break
            rounds = rounds + 1 if at <= self._clock.now() else 0
            if rounds > _ROUNDS:
                raise RuntimeError(f"at {self._clock.now()} there is always something due")
            self._clock.set(max(at, self._clock.now()))
            self._board.advance()
        self._clock.set(max(until, self._clock.now()))
        told, self._inputs = self._inputs, []
        return told

    def leave(self, until: float) -> None:
        """The host is gone, and opens the port again at `until`; the board goes on by itself."""
        self._close(self._clock.now(), "gateway_not_running")
        self._opens = until

    def _exchange(self) -> None:
        """Both ways until nothing is on its way and nothing is due."""
        at = self._clock.now()
        if not self._board.plugged:
            self._close(at, "port_lost")
            self._opens = float("inf")
        elif self._opens == float("inf") and self.talk is None:
            self._opens = at + OPEN_AGAIN
        if self.talk is None and at >= self._opens:
            self.talk = self._make_talk(at, self.known)
            self._opened()
        rounds = 0
        while (talk := self.talk) is not None:
            rounds += 1
            if rounds > _ROUNDS:
                raise RuntimeError(f"at {at} there is always something to say")
            to_host = self._board.data_to_send()
            self._take([*(talk.receive(to_host, at) if to_host else ()), *talk.tick(at)])
            to_board = talk.data_to_send()
            if to_board:
                self._board.receive(to_board)
            elif not to_host:
                break
        if self.talk is None:
            self._board.data_to_send()  # nobody hears it

    def _close(self, at: float, why: str) -> None:
        self.talk = None
        self._opens = at + OPEN_AGAIN
        self._link("lost", at, why)

    def _link(self, state: Literal["lost", "back"], at: float, reason: str | None = None) -> None:
        linked = state == "back"
        if linked is not self._linked:
            self._linked = linked
            if self.known is not None and not linked:
                self.known = replace(self.known, lost=reason)
            if self.known is not None:
                self._inputs.append(Link(at, state, reason))

    def _take(self, told: Sequence[Told]) -> None:
        for item in told:
            self.told.append(item)
            match item:
                case Shown():
                    self._link("back", item.at)
                    self._see(item)
                case Missed(when, shown):
                    self._linked = True
                    self._inputs.append(Link(when, "back", whole=True))
                    for one in shown:
                        self._see(one)
                case ClockShown(when, white, black, running):
                    self._inputs.append(ClockReading(when, white, black, running))
                case LeverPressed(when, side):
                    self._inputs.append(Lever(when, side))
                case Away(when, reason):
                    self._link("lost", when, reason)
                case Hopeless(when, why):
                    self._close(when, why)
                case Greeted() | Condition() | Remark():
                    pass

    def _see(self, shown: Shown) -> None:
        before = () if self.known is None else self.known.before
        if self.known is not None and self.known.rows != shown.rows:
            before = (*before, self.known.rows)[-KEPT_ROWS:]
        self.known = replace(shown, before=before)
        self._inputs.append(See(shown.at, shown.rows, was=shown.was))
