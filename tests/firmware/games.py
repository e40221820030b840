"""Games on an emulated board in lock-step: hands on contacts that bounce, through the firmware, into a Session."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, Protocol

from benchmarks import real_games

from damas_board.decoding import wire
from damas_board.decoding.conversation import (
    UNREADABLE,
    Back,
    Ended,
    Lost,
    Observation,
    Pressed,
    Seen,
)
from damas_board.decoding.square_map import CORNERS, KIND_MARKS, SquareMap, lines_along
from damas_board.notation.moves import write_move
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.rules.variant import Variant
from damas_board.session.events import AlertRaised, Event
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from simulator.clock import VirtualClock
from simulator.emulated import EmulatedCable, Emulator
from simulator.games import PlayedGame
from simulator.hand import Action, Crown, Hand, Lift, Place, Press, PutBack, TakeOff
from simulator.levels import Level, level
from simulator.player import acts
from simulator.recorded import FIRST_LOOK, header
from simulator.table import Table, mark

GEOMETRIES = {
    "matrix-32": 0x28,
    "matrix-50": 0x2A,
    "matrix-64": 0x08,
    "hall-32": 0x28,
    "hall-50": 0x2A,
    "hall-64": 0x08,
}
"""What HELLO of a build says."""
LAST_LOOK = 6.0
"""Seconds that the board stands after the last move: longer than any time that a Session waits for on a still board."""
CHATTER = (0.0002, 0.002)
"""Seconds between two turns of a contact that bounces."""
TURNS = (2, 4, 6, 8)


def square_map(build: str, variant: Variant) -> SquareMap:
    """How a board of that build lies below a game of `variant`: any of the ways in which its squares fit."""
    maps = [SquareMap.of_geometry(GEOMETRIES[build], corner) for corner in CORNERS]
    return next(found for found in maps if found.dark in ("all", variant.corner) and found.size == variant.size)


@dataclass(frozen=True, slots=True)
class Match:
    """A real game: where it stands, and as what."""

    kind: str
    source: str
    index: int
    whole: bool = False
    """It is played on a board that senses light squares as well."""
    sensors: Literal["matrix", "hall"] = "matrix"

    @property
    def game(self) -> PlayedGame:
        return real_games.game_of(self.source, self.index)

    @property
    def moves(self) -> tuple[str, ...]:
        """As the record has to have them."""
        return tuple(write_move(p, m) for p, m in zip(self.game.positions(), self.game.moves, strict=False))

    @property
    def variant(self) -> Variant:
        return real_games.regulation_of(self.kind)[0].variant

    @property
    def build(self) -> str:
        places = 64 if self.whole or self.variant.corner == "all" else {8: 32, 10: 50}[self.variant.size]
        return f"{self.sensors}-{places}"

    def header(self) -> Header:
        regulation, text = real_games.regulation_of(self.kind)
        return header(
            self.game.start,
            regulation.name,
            regulation_text=text,
            senses="occupancy" if self.sensors == "matrix" else "kind",
            wiring=lines_along(square_map(self.build, self.variant).connector) if self.sensors == "matrix" else None,
            covers="all" if self.whole else "playable",
        )

    def __str__(self) -> str:
        return f"{self.source}#{self.index}"


def standing(position: Position, where: SquareMap, levels: int = 2) -> list[int]:
    """What stands on places 1, 2, ... in `position`."""
    found = [0] * where.places
    for square in squares_of(position.occupied):
        found[where.place(square) - 1] = 1 if levels == 2 else KIND_MARKS.index(mark(position, square))
    return found


class Wire:
    """What a serial source makes of a conversation: the inputs of a Session."""

    def __init__(self, where: SquareMap, levels: int = 2) -> None:
        self._map = where
        self._levels = levels
        self._linked = True
        self.inputs: list[Input] = []

    def take(self, told: Iterable[Observation]) -> list[Input]:
        new = [item for observation in told for item in self._inputs_of(observation)]
        self.inputs += new
        return new

    def _inputs_of(self, observation: Observation) -> list[Input]:
        match observation:
            case Seen(at, levels, was):
                seen = See(at, self._map.rows(levels, self._levels), None, was, unstable=UNREADABLE in levels)
                return [*self._link(at, True), seen]
            case Pressed(at, key) if key is not wire.Key.ADJUST:
                return [Lever(at, "white" if key is wire.Key.CLOCK_A else "black")]
            case Lost(at, reason):
                return self._link(at, False, reason)
            case Ended(at, why):
                return self._link(at, False, why)
            case Back(at):
                return self._link(at, True)
            case _:
                return []

    def _link(self, at: float, up: bool, reason: str | None = None) -> list[Input]:
        if self._linked is up:
            return []
        self._linked = up
        return [Link(at, "back" if up else "lost", reason)]


@dataclass
class Told:
    """What came of a game: the Session's events and inputs."""

    events: list[Event]
    inputs: list[Input]
    seconds: float
    """Of the board's time."""
    bad: int
    """Frames that came in broken since the port was last opened."""

    @property
    def lost(self) -> list[str | None]:
        """Why the link was lost, each time."""
        return [item.reason for item in self.inputs if isinstance(item, Link) and item.state == "lost"]

    @property
    def late(self) -> list[See]:
        """Readings that came by being asked for again."""
        return [item for item in self.inputs if isinstance(item, See) and item.was is not None]

    @property
    def alerts(self) -> list[AlertRaised]:
        return [event for event in self.events if isinstance(event, AlertRaised)]

    @property
    def ghosts(self) -> list[AlertRaised]:
        """What was told of ghosts."""
        return [alert for alert in self.alerts if alert.evidence.get("reason") == "ghost"]

    def wrong(self, game: PlayedGame) -> tuple[int, str]:
        """How many plies of the record are not as played, and the first difference in words."""
        return real_games.compare(game, real_games.fold(self.events))


class Contacts(Protocol):
    """What fingers need of a board."""

    hall: bool
    levels: int
    pieces: list[int]

    def place(self, place: int, level: int = 1) -> None: ...

    def press(self, button: str) -> None: ...

    def contact(self, place: int, closed: bool, after: float = 0.0) -> None: ...

    def bounce(self, place: int, times: int = 9, apart: float = 0.0005, after: float = 0.0) -> None: ...


class Fingers:
    """Does on a board what a hand does, with contacts that bounce, drop out and close by themselves."""

    def __init__(self, board: Contacts, where: SquareMap, start: Position, chosen: Level, seed: int) -> None:
        self.table = Table(start)
        self._board = board
        self._map = where
        self._level = chosen
        self._random = Random(seed)

    def do(self, action: Action) -> None:
        self.table.do(action)
        match action:
            case Press(by):
                self._board.press("clock-b" if by else "clock-a")
            case Lift(square) | TakeOff(square):
                self._change(square, 0)
            case Place(square) | PutBack(square) | Crown(square):
                piece = self.table.pieces[square]
                self._change(square, 1 if self._board.levels == 2 else KIND_MARKS.index(piece))

    def _change(self, square: int, level: int) -> None:
        place = self._map.place(square)
        changed = bool(self._board.pieces[place - 1]) is not bool(level)
        self._board.place(place, level)
        if self._board.hall:
            return
        if changed and self._happens(self._level.bounce):
            self._board.bounce(place, self._random.choice(TURNS), self._random.uniform(*CHATTER), after=0.0003)
        if self._happens(self._level.dropout):
            self._wrongly([s for s in self.table.pieces if s != square], closed=False)
        if self._happens(self._level.ghost):
            empty = [s for s in self._map.squares if s not in self.table.pieces and s != square]
            self._wrongly(empty, closed=True)

    def _wrongly(self, squares: list[int], *, closed: bool) -> None:
        """The contact of one of these reads the opposite for a moment, and will be right before it is touched."""
        if not squares:
            return
        place = self._map.place(self._random.choice(sorted(squares)))
        self._board.contact(place, closed)
        self._board.contact(place, not closed, after=self._random.uniform(*self._level.blip))

    def _happens(self, probability: float) -> bool:
        return self._random.random() < probability


def played(
    board: Emulator,
    match: Match,
    seed: int = 1,
    *,
    name: str = "club",
    levers: bool = False,
    plies: int | None = None,
    plan: Sequence[tuple[float, Callable[[Emulator], None]]] = (),
) -> Told:
    """Plays the game, or its first `plies`, on a board that was just switched on.

    `plan` is what happens to the board beside, at which second of the game.
    """
    game, where = match.game, square_map(match.build, match.variant)
    session = Session(match.header(), real_games.regulation_of(match.kind)[0])
    clock, wires = VirtualClock(), Wire(where, board.levels)
    if board.hall:
        board.calibrate()
    board.set_up(standing(game.start, where, board.levels))
    began = board.time
    cable = EmulatedCable(board, clock)
    fingers = Fingers(board, where, game.start, level(name), seed)
    events: list[Event] = []
    due = deque(plan)

    def run(until: float) -> None:
        while due and due[0][0] <= until:
            at, happen = due.popleft()
            events.extend(event for item in wires.take(cable.run(at)) for event in session.feed(item))
            happen(board)
        events.extend(event for item in wires.take(cable.run(until)) for event in session.feed(item))

    hand = Hand(game.start, level(name), seed, now=FIRST_LOOK, clock=levers)
    for act in acts(hand, replace(game, moves=game.moves[:plies])):
        run(act.at)
        fingers.do(act.action)
    run(hand.now + LAST_LOOK)
    events += session.feed(Tick(clock.now()))
    return Told(events, wires.inputs, board.time - began, cable.conversation.bad.total)
