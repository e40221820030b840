"""A game on a board in software that is read through its talk, in virtual time, and what a Session makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from damas_board.session.events import AlertRaised, Event
from damas_board.session.inputs import Input, Tick
from damas_board.session.session import Session
from simulator.clock import VirtualClock
from simulator.recorded import LAST_LOOK
from simulator.talk_cable import TalkCable


@dataclass
class Played:
    """What came of one game, or of many."""

    games: int = 0
    plies: int = 0
    right: int = 0
    """Games whose record is as played."""
    alerts: Counter[str] = field(default_factory=Counter)
    """Those that are no notes."""
    faults: list[str] = field(default_factory=list)
    """What differs, in words."""

    def add(self, other: Played) -> None:
        self.games += other.games
        self.plies += other.plies
        self.right += other.right
        self.alerts += other.alerts
        self.faults += other.faults


class TalkedGame:
    """What a Session is told by the board at the other end of `cable`, and what it tells."""

    def __init__(self, clock: VirtualClock, cable: TalkCable, session: Session) -> None:
        self.clock = clock
        self.cable = cable
        self.session = session
        self.events: list[Event] = []
        self.inputs: list[Input] = []

    def run(self, until: float) -> None:
        """Let everything happen that is due by then."""
        for item in self.cable.run(until):
            self.inputs.append(item)
            self.events += self.session.feed(item)

    def run_through(self, steps: Iterable[float]) -> None:
        """Let what the steps of a Player do at their times be seen."""
        for at in steps:
            self.run(max(at, self.clock.now()))

    def rest(self) -> None:
        """Some time goes by after the last move."""
        self.run(self.clock.now() + LAST_LOOK)
        self.events += self.session.feed(Tick(self.clock.now()))

    @property
    def alerts(self) -> list[AlertRaised]:
        """Those that are no notes."""
        return [event for event in self.events if isinstance(event, AlertRaised) and event.severity != "note"]
