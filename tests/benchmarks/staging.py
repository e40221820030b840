"""A game as it is played at a table with sensors: what a Session is fed, and the truth to compare its record with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import merge

from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import Regulation
from damas_board.regulations.policy import AlertKind
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from damas_board.session.events import AlertRaised, PlayedMove
from damas_board.session.header import Header, Senses
from damas_board.session.inputs import ClockReading, Input, Link, See, Tick
from simulator.hand import Act
from simulator.irregular import Episode, Expected, Future, Offence, Offender, TruePly, true_ply
from simulator.levels import Level
from simulator.recorded import FIRST_LOOK, LAST_LOOK, header
from simulator.sensors import Sensors
from simulator.table import Table, rows, sensed

EVIDENCE = 20.0
"""How far back, seconds, a fault of a sensor may have caused what is told of it."""
LONG = 0.3
"""A sensor that says something wrong for so long may be called suspect, and so may one that does it `OFTEN`."""
OFTEN = 3
RECOVERY = 30.0
"""How long after an outage a board that does not agree is the outage's work, seconds."""


@dataclass
class Faults:
    """What the sensors said that was not so, and when nothing was heard of them."""

    wrong: list[tuple[int, float, float]] = field(default_factory=list)
    """A square, and from when to when it said something else than the truth."""
    outages: list[tuple[float, float]] = field(default_factory=list)

    def earned(self, alert: AlertRaised, square: dict[str, int]) -> bool:
        """Whether a fault of the hardware really was there for the alert to tell of."""
        now = alert.at
        match alert.kind:
            case "board_lost":
                return any(lost <= now <= back for lost, back in self.outages)
            case "sensor_suspect":
                return all(self._suspect(square[name], now) for name in alert.squares)
            case "board_mismatch":
                misread = any(since <= now <= until + LONG for _, since, until in self.wrong if until - since > LONG)
                return misread or any(lost <= now <= back + RECOVERY for lost, back in self.outages)
            case _:
                return False

    def _suspect(self, square: int, now: float) -> bool:
        times = [(a, b) for s, a, b in self.wrong if s == square and a <= now and b >= now - EVIDENCE]
        return len(times) >= OFTEN or any(min(b, now) - a >= LONG for a, b in times)


@dataclass
class Staged:
    """One game that was played."""

    name: str
    header: Header
    regulation: Regulation
    inputs: list[Input]
    truth: list[TruePly]
    done: list[float]
    """When each ply was over."""
    faults: Faults
    expected: tuple[Expected, ...] = ()
    allowed: frozenset[AlertKind] = frozenset()


class Stage:
    """A table, two players and sensors; every turn adds to `inputs` and to `truth`."""

    def __init__(
        self,
        start: Position,
        level: Level,
        seed: int,
        senses: Senses = "occupancy",
        plies: int = 0,
        previous: tuple[Position, Move] | None = None,
    ) -> None:
        self.start = start
        self.level = level
        self.seed = seed
        self.senses = senses
        self.hand = Offender(start, level, seed, now=FIRST_LOOK)
        self.hand.previous = previous
        self.inputs: list[Input] = []
        self.truth: list[TruePly] = []
        self.done: list[float] = []
        self.faults = Faults()
        self.episodes: list[Episode] = []
        self._light_squares = False
        self._geometry = start.variant.geometry
        self._table = Table(start)
        self._sensors = Sensors(self._table, self._geometry, level, seed + 1, senses=senses, plies=plies)
        self._wrong: dict[int, float] = {}
        self._lost: float | None = None

    def play(self, move: Move) -> None:
        """The player to move plays a legal move."""
        before, since = self.hand.position, self.hand.now
        self._watch(self.hand.play(move), since)
        self.truth.append(true_ply(before, move))
        self.done.append(self.hand.now)

    def commit(self, offence: Offence, future: Future) -> bool:
        """The turns that hold an offence; False where there is no occasion."""
        since = self.hand.now
        episode = self.hand.commit(offence, future)
        if episode is None:
            return False
        self.episodes.append(episode)
        self._light_squares |= offence.light_squares
        for action in episode.set_up:
            self._table.do(action)
        if episode.set_up:
            self._sensors = Sensors(self._table, self._geometry, self.level, self.seed + 1, senses=self.senses)
        for square, at, seconds in episode.misreads:
            self._sensors.misread(square, at, seconds)
        for at, seconds in episode.outages:
            self._sensors.lose(at, seconds)
        self._watch(list(episode.acts), since, episode.readings)
        self.truth += episode.plies
        self.done += [self.hand.now] * len(episode.plies)
        return True

    def finish(self, name: str, regulation: Regulation, text: str | None) -> Staged:
        """The game, looked at until every fault is over and longer than a Session waits for anything."""
        self._note(self._sensors.rest())
        last = self.inputs[-1].at if self.inputs else 0.0
        end = round(max(last, self.hand.now) + LAST_LOOK, 3)
        self.inputs.append(Tick(end))
        for square, since in self._wrong.items():
            self.faults.wrong.append((square, since, end))
        if self._lost is not None:
            self.faults.outages.append((self._lost, end))
        first = header(self.start, regulation.name, regulation_text=text, senses=self.senses)
        if self._light_squares:
            first = replace(first, covers="all")
        expected = tuple(told for episode in self.episodes for told in episode.expected)
        allowed = frozenset(kind for episode in self.episodes for kind in episode.allowed)
        return Staged(name, first, regulation, self.inputs, self.truth, self.done, self.faults, expected, allowed)

    def _watch(self, acts: list[Act], since: float, readings: tuple[ClockReading, ...] = ()) -> None:
        if not self.inputs:
            self.inputs.append(See(0.0, self._sensors.rows))
        self._note(merge(self._sensors.see(acts, since), readings, key=lambda item: item.at))

    def _note(self, items: Iterable[Input]) -> None:
        for item in items:
            self.inputs.append(item)
            if isinstance(item, Link):
                if item.state == "lost":
                    self._lost = item.at
                elif self._lost is not None:
                    self.faults.outages.append((self._lost, item.at))
                    self._lost = None
            if isinstance(item, See):
                self._compare(item)

    def _compare(self, item: See) -> None:
        """Notes which squares say something else than the truth from now on, and which no longer do."""
        truth = rows({s: sensed(p, self.senses) for s, p in self._table.pieces.items()}, self._geometry)
        if truth == item.rows and not self._wrong:
            return
        size = self._geometry.size
        wrong = set()
        for index, (true, said) in enumerate(zip(truth.replace("/", ""), item.rows.replace("/", ""), strict=True)):
            if true != said:
                down, right = divmod(index, size)
                wrong.add((size - 1 - down) * size + right)
        for square in wrong - self._wrong.keys():
            self._wrong[square] = item.at
        for square in self._wrong.keys() - wrong:
            self.faults.wrong.append((square, self._wrong.pop(square), item.at))


def differs(true: TruePly, got: PlayedMove) -> bool:
    """Whether a published ply is not what was played."""
    geometry = true.before.variant.geometry
    ends = (got.from_, got.to) == (geometry.name(true.start), geometry.name(true.end))
    victims = set(got.captured) == set(geometry.names(tuple(true.captured)))
    side = true.side is None or got.side == true.side.label
    crown = (got.promoted, got.irregular) == (true.promotes, true.irregular)
    return not (ends and victims and side and crown and got.fen == write_fen(true.after))


def first_difference(truth: list[TruePly], record: list[PlayedMove]) -> tuple[int, str]:
    """How many plies of the truth are right in the record, and the first difference in words, if there is one."""
    for i, true in enumerate(truth):
        if i < len(record) and not differs(true, record[i]):
            continue
        played = f"ply {i + 1} of {len(truth)} in {write_fen(true.before)} was {_told(true)}"
        if i == len(record):
            return i, f"{played}: nothing recorded"
        got = record[i]
        then = ", ".join(_told(ply) for ply in truth[i + 1 : i + 3]) or "the end"
        mark = " irregular" * got.irregular
        return i, f"{played} (then {then}): recorded {got.move} [{' '.join(got.captured)}] {got.fen}{mark}"
    if len(record) > len(truth):
        extra = record[len(truth)]
        return len(truth), f"{len(record) - len(truth)} plies recorded that nobody played, first {extra.move}"
    return len(truth), ""


def _told(ply: TruePly) -> str:
    geometry = ply.before.variant.geometry
    if not ply.irregular:
        ends = ply.start, ply.end
        same = (m for m in legal_moves(ply.before) if m[:2] == ends and ply.captured == set(m.captured))
        return write_move(ply.before, next(same))
    sign = "x" if ply.captured else "-"
    off = " ".join(geometry.names(tuple(sorted(ply.captured))))
    return f"{geometry.name(ply.start)}{sign}{geometry.name(ply.end)} [{off}] irregular"
