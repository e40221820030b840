"""Several simulated boards of another maker on one line, in bus mode; no I/O of its own.

Every board hears all that the host says and all of them talk on the same wire, so that two that answer at once spoil
each other's bytes. What they say is said here, the pieces, the scans and the single mode are `simulator.dgt.board`'s.
The boards have a supply of their own: pulling the line's cable is no restart of theirs, `DgtBoard.unplug` is the supply
of one. The ids are written here anew, without the decoder's tables.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from simulator.clock import Clock
from simulator.dgt.board import DgtBoard
from simulator.dgt.line import BAUD, BITS, Line
from simulator.dgt.memory import SIZE, LogMemory
from simulator.dgt.protocol import frame, seven_bits
from simulator.faults import Fault

SPREAD = 1.1
"""Over so many seconds the answers to a ping to everybody are spread."""
DELAY = (0.001, 0.006)
"""From a request to its answer, seconds."""
STORING = 0.020
"""The same while a change is being stored."""
START_SECONDS = 0.07
_STORING_SHARE = 0.1
_START_TAG = 0x7B


@dataclass
class Habits:
    """What is wrong with one board's answers; the shares are of 1."""

    silent: bool = False
    lost: float = 0.0
    """Answers that never come."""
    spoiled: float = 0.0
    """Answers with a byte that has changed."""
    late: float = 0.0
    """Answers that come `late_by` seconds later than they should."""
    late_by: float = 0.3


@dataclass
class _OnBus:
    """A board, and what its firmware keeps for the bus."""

    board: DgtBoard
    memory: _Memory
    habits: Habits
    pair: bool
    """It tells changes with two ids in turn."""
    packet: bytes = b""
    """The changes that were told last."""
    even: bool = False
    ignores_ping: bool = False
    game_from: int | None = None
    requests: list[int] = field(default_factory=list)


class _Memory(LogMemory):
    """A log, and how much of it the host knows: what is taken back of that will be told again."""

    told = 0

    def _take_back(self, count: int) -> None:
        super()._take_back(count)
        self.told = min(self.told, self.written)


class Wire:
    """What goes to the host: bytes at their times, handed over in bundles; where two meet, neither survives."""

    def __init__(self, random: Random, *, baud: int = BAUD, bundle: float = 0.016) -> None:
        self.byte = BITS / baud
        self.collisions = 0
        """Bytes that met another one."""
        self._bundle = bundle
        self._random = random
        self._bytes: deque[tuple[float, int]] = deque()

    @property
    def deadline(self) -> float:
        """When the next bytes arrive."""
        return self._handed_over(self._bytes[0][0]) if self._bytes else math.inf

    def put(self, data: bytes, begin: float) -> None:
        """Bytes one after another, the first of them from `begin` on."""
        for number, byte in enumerate(data, 1):
            self._add(begin + number * self.byte, byte)

    def arrived(self, now: float) -> bytes:
        """What has reached the host by `now`; each byte is given once."""
        data = bytearray()
        while self._bytes and self._handed_over(self._bytes[0][0]) <= now:
            data.append(self._bytes.popleft()[1])
        return bytes(data)

    def clear(self) -> None:
        self._bytes.clear()

    def _add(self, at: float, byte: int) -> None:
        place = len(self._bytes)
        while place and self._bytes[place - 1][0] > at - self.byte * 0.999:
            place -= 1
            if self._bytes[place][0] < at + self.byte * 0.999:
                self.collisions += 1
                self._bytes[place] = (self._bytes[place][0], self._random.randrange(256))
                return
        self._bytes.insert(place, (at, byte))

    def _handed_over(self, at: float) -> float:
        return at if not self._bundle else math.ceil(at / self._bundle - 1e-9) * self._bundle


class _Tap(Line):
    """One board's end of the wire: it waits for what it sends itself, and knows nothing of the others."""

    def __init__(self, wire: Wire, faults: Sequence[Fault], open_: Callable[[], bool]) -> None:
        super().__init__(faults)
        self._wire = wire
        self._open = open_

    def put(self, data: bytes, at: float, late: float = 0.0) -> None:
        begin = max(at, self.free_at) + late
        self.free_at = begin + len(data) * self._wire.byte
        if self._open():
            self._wire.put(data, begin)


class DgtBus:
    """The line; `add` puts boards on it. Carried as one board is."""

    def __init__(self, clock: Clock, *, bundle: float = 0.016, seed: int = 0) -> None:
        self.plugged = True
        self._clock = clock
        self._random = Random(f"dgt bus {seed}")
        self.wire = Wire(self._random, bundle=bundle)
        self._boards: list[_OnBus] = []
        self._due: list[tuple[float, int, Callable[[float], None]]] = []
        self._count = 0
        self._wake: Callable[[], None] | None = None

    def add(
        self,
        size: int = 10,
        *,
        habits: Habits | None = None,
        bits: Any = 7,
        pair: bool = False,
        faults: Sequence[Fault] = (),
        **options: Any,
    ) -> DgtBoard:
        """Put a board on the line, powered; `options` are a DgtBoard's, `serial` among them. `bits` as of LogMemory."""
        memory = _Memory(size**2, bits)
        tap = _Tap(self.wire, faults, lambda: self.plugged)
        board = DgtBoard(size, self._clock, memory=memory, line=tap, faults=faults, **options)
        known = _OnBus(board, memory, habits or Habits(), pair)
        board.on_bus = partial(self._hear, known)
        self._boards.append(known)
        if self._wake is not None:
            board.attach(self._wake)
        return board

    def habits(self, board: DgtBoard) -> Habits:
        """What is wrong with its answers; may be changed at any time."""
        return self._of(board).habits

    def requests(self, board: DgtBoard) -> list[int]:
        """The ids of the requests that it has carried out."""
        return self._of(board).requests

    def _of(self, board: DgtBoard) -> _OnBus:
        return next(known for known in self._boards if known.board is board)

    def unplug(self) -> None:
        """Pull the converter at the host's end."""
        self.advance()
        self.plugged = False
        self.wire.clear()
        self._carry()

    def plug(self) -> None:
        """Put it in again."""
        self.plugged = True
        self._carry()

    # The cable's side.

    def attach(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `data_to_send`, `plugged` or `deadline` may have changed."""
        self._wake = wake
        for known in self._boards:
            known.board.attach(wake)

    @property
    def deadline(self) -> float:
        """The time of the clock at which it wants `advance`."""
        due = self._due[0][0] if self._due else math.inf
        return min(due, self.wire.deadline, *(known.board.deadline for known in self._boards), math.inf)

    def advance(self) -> None:
        """Let everything happen that is due, each thing at its own time."""
        for known in self._boards:
            known.board.advance()
        while self._due and self._due[0][0] <= self._clock.now():
            at, _, call = heapq.heappop(self._due)
            call(at)
        self._carry()

    def receive(self, data: bytes) -> None:
        """Bytes from the host: every board hears them."""
        self.advance()
        if self.plugged:
            for known in self._boards:
                known.board.receive(data)
        self._carry()

    def data_to_send(self) -> bytes:
        """The bytes that have reached the host's end of the cable by now."""
        return self.wire.arrived(self._clock.now())

    # What the boards' firmware does with a request.

    def _hear(self, known: _OnBus, data: bytes, at: float) -> None:
        order, address = data[0], data[1] << 7 | data[2]
        mine = address == known.board.bus_address
        if sum(data[:3]) & 0x7F != data[3] or not (mine or (address == 0 and order in (0x87, 0x88, 0x89))):
            return
        if known.habits.silent:
            return
        known.requests.append(order)
        if order == 0x87 and address == 0:
            if known.ignores_ping:
                known.ignores_ping = False
            else:
                self._plan(at + self._random.uniform(0, SPREAD), partial(self._say, known, 0x87, b""))
            return
        seconds = STORING if self._random.random() < _STORING_SHARE else self._random.uniform(*DELAY)
        if order == 0x85:
            seconds = START_SECONDS
        if self._random.random() < known.habits.late:
            seconds += known.habits.late_by
        self._plan(at + seconds, partial(self._answer, known, order))

    def _answer(self, known: _OnBus, order: int, at: float) -> None:
        board = known.board
        match order:
            case 0x81:
                self._say(known, 0x84, board.clock_payload(), at)
            case 0x82:
                self._say(known, 0x83, board.dump("all"), at)
            case 0x83:
                known.packet = self._changes(known, known.memory.told)
                known.memory.told = known.memory.written
                known.even = known.pair and not known.even
                self._say(known, 0x8B if known.even else 0x85, known.packet, at)
            case 0x84:
                self._say(known, 0x8B if known.even else 0x85, known.packet, at)
            case 0x85:
                board.memory_writes += 1
                known.game_from = known.memory.written
                for number, code in enumerate(board.known):
                    if code:
                        known.memory.changed(number, code, tuple(board.known), at)
                self._say(known, 0x88, b"", at)
            case 0x86 if known.game_from is not None:
                end = known.memory.written - known.memory.told
                data = self._changes(known, known.game_from)
                self._say(known, 0x86, bytes((_START_TAG,)) + data[: len(data) - end], at)
            case 0x87:
                self._say(known, 0x87, b"", at)
            case 0x88:
                board.mode = "idle"
            case 0x89:
                board.reset(at)
            case 0x8A:
                known.ignores_ping = True
                self._say(known, 0x87, b"", at)
            case 0x8B:
                self._say(known, 0x89, bytes(board.version) if board.version > (1, 2) else b"", at)
            case 0x8C if board.square_map.size == 10:
                self._say(known, 0x8A, board.dump("black"), at)
            case 0x8D:
                for each in (0x83, 0x81, 0x82):
                    self._answer(known, each, at)
            case _:
                pass

    def _changes(self, known: _OnBus, since: int) -> bytes:
        count = min(max(known.memory.written - since, 0), SIZE - 1)
        kept = known.memory.read()[:-1]
        return kept[len(kept) - count :]

    def _say(self, known: _OnBus, answer: int, data: bytes, at: float) -> None:
        habits = known.habits
        if habits.silent or self._random.random() < habits.lost:
            return
        whole = frame(answer, seven_bits(known.board.bus_address) + data + b"\0")[:-1]
        whole += bytes((sum(whole) & 0x7F,))
        if self._random.random() < habits.spoiled:
            place = self._random.randrange(len(whole))
            whole = whole[:place] + bytes((whole[place] ^ 1 << self._random.randrange(8),)) + whole[place + 1 :]
        known.board.send_bytes(whole, at)

    def _plan(self, at: float, call: Callable[[float], None]) -> None:
        self._count += 1
        heapq.heappush(self._due, (at, self._count, call))

    def _carry(self) -> None:
        if self._wake is not None:
            self._wake()
