"""A draughts board of another maker in software: pieces on fields, scans, and its serial protocol; no I/O of its own.

Not one of that maker's boards was at hand: it does what public descriptions say of them. How it works. A hand puts
pieces down and lifts them; the faults decide what the coils make of it. The board looks at its fields one after
another, round and round; what is new on a field is known, logged and told when it next comes past. So a piece that was
moved may stand on two fields for a while or on none, the field it came to may be told before the one it left, and a
square on which a piece was exchanged between two looks was never empty. Some fields that have been left are read as
occupied for a round or two more (`lingering`). Bytes go out at the line's pace; while they do, what the host sends
waits in a buffer of ten bytes.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from random import Random
from typing import Literal, Protocol

from damas_board.decoding.square_map import Corner, Dark, SquareMap
from damas_board.session.inputs import SideName
from simulator.clock import Clock
from simulator.dgt.clock import ALL_ZERO, NO_CLOCK, DgtClock, Reading
from simulator.dgt.line import BAUD, BITS, Line
from simulator.dgt.memory import LogMemory
from simulator.dgt.pieces import SETS, Codes, Pieces
from simulator.dgt.protocol import Answer, Fields, Order, frame, seven_bits
from simulator.dgt.scan import SECONDS, Scan
from simulator.faults import Fault, Flicker
from simulator.handled_board import HandledBoard

Mode = Literal["bus", "idle", "update", "update_board", "update_nice"]

BUFFER = 10
"""Bytes from the host that wait while the board is busy; more are lost."""
NAME = "damas_board simulated board"
"""Its own name, where a board of that maker says the maker's."""
CLOCK_SECONDS = 1.0
"""How often times are told at least in the mode `update`."""


class Memory(Protocol):
    """The board's log, which outlasts the supply."""

    def powered_up(self, at: float) -> None: ...

    def changed(self, field: int, code: int, codes: Sequence[int], at: float) -> None:
        """`code` (0 for none) was found on `field`; `codes` is what is known of all fields then."""
        ...

    def pressed(self, reading: Reading, at: float) -> None:
        """The tumbler of the clock was found in another position."""
        ...

    def downloaded(self, at: float) -> None:
        """It was sent to the host."""
        ...

    def read(self) -> bytes:
        """All of it, 0x1F00 bytes, each below 128."""
        ...


class Bricked(AssertionError):
    """The host sent the board into its boot loader: it is none any more."""


class DgtBoard(HandledBoard):
    """A board with `size` fields a side, field 0 at the connector's corner; `levels` is 5: colours and kings."""

    def __init__(
        self,
        size: int,
        clock: Clock,
        *,
        corner: Corner = "black-left",
        dark: Dark = "left",
        pieces: str | Codes = "draughts",
        played_on: Literal["black", "white"] = "black",
        bluetooth: bool = False,
        dgt_clock: DgtClock | None = None,
        memory: Memory | None = None,
        serial: str = "01025",
        long_serial: str | None = "0000001025",
        version: tuple[int, int] = (1, 3),
        unknown: Collection[int] = (),
        garbage: bool = False,
        lingering: float = 0.3,
        zeros: float = 0.1,
        bundle: float | None = None,
        line: Line | None = None,
        faults: Sequence[Fault] = (),
        seed: int = 0,
    ) -> None:
        """`dark`: the squares that are played on, and `played_on` what the board calls their colour.

        `pieces`: a name of SETS, or codes. `bluetooth`: scans and sends at half the speed, has a battery and keeps its
        mode while the link is lost; a share `zeros` of its times is all zero. `garbage`: what it sends after each
        connecting begins with bytes that mean nothing and the end of a frame. `lingering`: share of lifted pieces that
        are still read for a while. `bundle` as in Line. `line`: one that is shared with others.
        `unknown`: orders that its firmware does not know.
        """
        if size not in (8, 10):
            raise ValueError(f"such a board has 8 or 10 fields a side, not {size}")
        super().__init__(SquareMap(size, "all", corner), clock, faults)
        self.serial = serial
        self.long_serial = long_serial
        self.version = version
        self.bluetooth = bluetooth
        self.dgt_clock = dgt_clock
        self.memory: Memory = LogMemory(size**2) if memory is None else memory
        self.battery = 80
        """Percent."""
        self.charging = False
        self.mode: Mode = "bus"
        self.scans: Fields = "all"
        """Which fields are scanned, from its lasting memory."""
        self.memory_writes = 0
        """How many orders that change the lasting memory have come."""
        self.bricked = False
        self.hung = False
        """It neither hears nor says anything, though the port is there."""
        self.overflowed = 0
        """Bytes from the host that were lost."""
        self.orders: list[int] = []
        """The orders that were carried out."""
        self.on_bus: Callable[[bytes, float], None] | None = None
        """Called with each order of the bus protocol, four bytes, that comes in the mode `bus`."""
        self._random = Random(f"dgt {seed}")
        self._set = Pieces(SETS[pieces] if isinstance(pieces, str) else pieces, size**2)
        every = range(size**2)
        playable = {self.square_map.place(square) - 1 for square in SquareMap(size, dark, corner).squares}
        other: Literal["black", "white"] = "white" if played_on == "black" else "black"
        self._fields: dict[Fields, list[int]] = {
            "all": list(every),
            played_on: sorted(playable),
            other: [field for field in every if field not in playable],
        }
        self._seconds = (SECONDS[0] * 2, SECONDS[1] * 2) if bluetooth else SECONDS
        baud = BAUD // 2 if bluetooth else BAUD
        self._byte = BITS / baud
        usual = 0.05 if bluetooth else 0.016
        self._own_line = line is None
        self._line = line or Line(faults, baud=baud, bundle=usual if bundle is None else bundle)
        self._unknown = frozenset(unknown)
        self._garbage = garbage
        self._lingering = lingering
        self._zeros = zeros if bluetooth else 0.0
        self._heard_at = clock.now()
        self._life = 0
        """Of the supply: what was planned in an earlier one does not happen."""
        self._due: list[tuple[float, int, int | None, Callable[[float], None]]] = []
        for fault in self._faults:
            self._plan_act(fault, fault.first(clock.now()))
        self._boot(clock.now())

    # The hand's side.

    def press(self, button: str) -> None:
        """Press a lever of the clock, if there is one: `clock-a` is White's, `clock-b` Black's."""
        sides: dict[str, SideName] = {"clock-a": "white", "clock-b": "black"}
        self.advance()
        if self.dgt_clock is not None:
            self.dgt_clock.press(sides[button], self._clock.now())
        self._carry()

    def _exchange(self, place: int, level: int) -> int:
        before = super()._exchange(place, level)
        self._set.change(place - 1, before, level)
        return before

    # What happens to the board.

    @property
    def known(self) -> Sequence[int]:
        """The codes that the board has found on fields 0, 1, ..."""
        return self._known

    @property
    def bus_address(self) -> int:
        return int(self.serial) % 0x4000

    def flicker(self, readings: Sequence[Flicker]) -> None:
        for reading in readings:
            self._plan(reading.at, partial(self._sense, reading), lasting=True)

    def reset(self, at: float | None = None) -> None:
        """Start again (at `at`, by default now): the mode is lost, the pieces are looked for anew."""
        if self._powered:
            self._boot(self._clock.now() if at is None else at)
            self._carry()

    def unplug(self, at: float | None = None) -> None:
        """Pull the cable, which also takes the supply away; over Bluetooth, lose the link only."""
        if at is None:
            self.advance()
            at = self._clock.now()
        self.plugged = False
        self._silence(at)
        if not self.bluetooth:
            self._life += 1
        self._carry()

    def plug(self, at: float | None = None) -> None:
        """Put the cable in again, or find the link again."""
        if self.plugged:
            return
        at = self._clock.now() if at is None else at
        self.plugged = True
        if self.bluetooth:
            self.connected(at)
        else:
            self._boot(at)
        self._carry()

    def connected(self, at: float | None = None) -> None:
        """A host has opened the port: with `garbage` what it gets begins with bytes that mean nothing."""
        if self._garbage:
            noise = bytes(self._random.randrange(256) for _ in range(self._random.randint(1, 20)))
            dump = frame(Answer.DUMP, self.dump("all"))
            self._line.put(
                noise + dump[self._random.randrange(1, len(dump)) :], self._clock.now() if at is None else at
            )
            self._carry()

    # The cable's side.

    @property
    def deadline(self) -> float:
        """The time of the clock at which it wants `advance`."""
        due = self._due[0][0] if self._due else math.inf
        return min(due, self._line.deadline, self.dgt_clock.deadline if self.dgt_clock is not None else math.inf)

    def advance(self) -> None:
        """Let everything happen that is due, each thing at its own time. Bricked where it is."""
        now = self._clock.now()
        while True:
            due = self._due[0][0] if self._due else math.inf
            clock = self.dgt_clock.deadline if self.dgt_clock is not None else math.inf
            if min(due, clock) > now:
                break
            if clock < due:
                self._hear_clock(clock)
                continue
            at, _, life, call = heapq.heappop(self._due)
            if life is None or life == self._life:
                call(at)
        if self.bricked:
            raise Bricked("the host sent 4E: the board is in its boot loader, and none any more")
        self._carry()

    def receive(self, data: bytes) -> None:
        """Bytes from the host; each takes its time on the line."""
        self.advance()
        if self.plugged and not self.hung:
            for byte in data:
                self._heard_at = max(self._clock.now(), self._heard_at) + self._byte
                self._plan(self._heard_at, partial(self._arrive, byte))
        self._carry()

    def data_to_send(self) -> bytes:
        """The bytes that have reached the host's end of the cable by now."""
        return self._line.arrived(self._clock.now())

    def send(self, answer: int, payload: bytes, at: float) -> None:
        """Say something to the host."""
        self.send_bytes(frame(answer, payload), at)

    def send_bytes(self, data: bytes, at: float) -> None:
        """Put a whole frame on the line, if there is one."""
        if self.plugged and not self.hung:
            self._line.send(data, at)

    def dump(self, fields: Fields) -> bytes:
        """The codes that are known of these fields, in reading order."""
        return bytes(self._known[field] for field in self._fields[fields])

    def clock_payload(self) -> bytes:
        """What is known of the clock, seven bytes."""
        return NO_CLOCK if self.dgt_clock is None else self.dgt_clock.payload()

    # The firmware.

    def _boot(self, at: float) -> None:
        self._life += 1
        self._silence(at)
        self.mode = "bus"
        self._heard_at = at
        self._waiting: deque[int] = deque()
        self._begun = bytearray()
        self._for_bus = False
        """Whether the bus order that has begun will be carried out."""
        self._scan = Scan(len(self._pieces), at, self._random, self._seconds)
        self._known = [0] * len(self._pieces)
        self._sensed = [0] * len(self._pieces)
        """What the coils say, as levels; `_known` is what the board has found of that."""
        self._lingers: dict[int, float] = {}
        self._awaited: set[int] = set()
        self._told_clock: tuple[float, bytes] = (at, b"")
        self._tumbler: bool | None = None
        self.memory.powered_up(at)
        self.connected(at)
        for place in range(1, len(self._pieces) + 1):
            self._sensed[place - 1] = self._read(Flicker(at, place, None))
        # What stands there is found in no order.
        for field, level in enumerate(self._sensed):
            if level:
                self._plan(at + self._random.uniform(0, self._seconds[1]), partial(self._look_at, field))
        self._plan(at + CLOCK_SECONDS, self._every_second)

    def _silence(self, at: float) -> None:
        if self._own_line:
            self._line.clear(at)

    @property
    def _powered(self) -> bool:
        return self.plugged or self.bluetooth

    def _read(self, reading: Flicker) -> int:
        at, place, level = reading
        if level is None:
            level = self._pieces[place - 1]
        for fault in self._faults:
            level = fault.reading(place, level, at)
        return level

    def _sense(self, reading: Flicker, _: float) -> None:
        field = reading.place - 1
        level, before = self._read(reading), self._sensed[field]
        self._sensed[field] = level
        if before and not level and self._random.random() < self._lingering:
            self._lingers[field] = reading.at + self._random.uniform(0, 2) * self._seconds[1]
        self._look_at(field, reading.at)

    def _look_at(self, field: int, after: float) -> None:
        if self._powered and field not in self._awaited:
            self._awaited.add(field)
            self._plan(self._scan.passes(field, after), partial(self._pass, field))

    def _pass(self, field: int, at: float) -> None:
        self._awaited.discard(field)
        if not self._sensed[field] and at < self._lingers.get(field, at):
            self._look_at(field, at)
            return
        levels: Sequence[int] = self._sensed
        for fault in self._faults:
            levels = fault.scan(levels, self.square_map.size)
        if levels is self._sensed:
            self._find(field, levels[field], at)
            return
        for other, level in enumerate(levels):
            self._find(other, level, at)

    def _find(self, field: int, level: int, at: float) -> None:
        code = 0
        if self._is_scanned(field):
            code = self._set.on[field] if level == self._pieces[field] else self._set.usual(level)
        if code == self._known[field]:
            return
        self._known[field] = code
        self.memory.changed(field, code, tuple(self._known), at)
        if self.mode in ("update", "update_board", "update_nice"):
            self.send(Answer.FIELD, bytes((field, code)), at)

    def _is_scanned(self, field: int) -> bool:
        return self.scans == "all" or field in self._fields[self.scans]

    def _arrive(self, byte: int, at: float) -> None:
        if len(self._waiting) >= BUFFER:
            self.overflowed += 1
            return
        self._waiting.append(byte)
        self._serve(at)

    def _serve(self, at: float) -> None:
        """Take what waits, as long as nothing is being sent."""
        while self._waiting:
            if self._line.free_at > at:
                self._plan(self._line.free_at, self._serve)
                return
            self._take(self._waiting.popleft(), at)

    def _take(self, byte: int, at: float) -> None:
        begun = self._begun
        if not begun and byte < 0x80 and byte not in (Order.TO_CLOCK, Order.LIGHTS):
            self._obey(byte, at)
            return
        if byte >= 0x80:
            begun.clear()
            # The order that brings it there is not carried out.
            self._for_bus, self.mode = self.mode == "bus", "bus"
        begun.append(byte)
        if begun[0] >= 0x80:
            if len(begun) == 4:
                if self.on_bus is not None and self._for_bus:
                    self.on_bus(bytes(begun), at)
                begun.clear()
        elif len(begun) >= 2 and len(begun) == begun[1] + 2:
            if begun[0] == Order.TO_CLOCK and self.dgt_clock is not None:
                self.dgt_clock.command(bytes(begun[2:]), at)
            begun.clear()

    def _obey(self, order: int, at: float) -> None:
        if order in self._unknown:
            return
        self.orders.append(order)
        if self.mode == "bus":
            self.mode = "idle"
        match order:
            case Order.IDLE:
                self.mode = "idle"
            case Order.UPDATES:
                self.mode = "update"
            case Order.FIELD_UPDATES:
                self.mode = "update_board"
            case Order.UPDATES_NICE:
                self.mode = "update_nice"
            case Order.BUS_MODE:
                self.mode = "bus"
            case Order.CLOCK:
                self._tell_clock(self.clock_payload(), at)
            case Order.DUMP:
                self.send(Answer.DUMP, self.dump("all"), at)
            case Order.DUMP_BLACK | Order.DUMP_WHITE if len(self._known) == 100:
                black = order == Order.DUMP_BLACK
                answer = Answer.DUMP_BLACK if black else Answer.DUMP_WHITE
                self.send(answer, self.dump("black" if black else "white"), at)
            case Order.KEEP_BLACK | Order.KEEP_WHITE | Order.KEEP_ALL:
                self.memory_writes += 1
                kept: dict[int, Fields] = {Order.KEEP_BLACK: "black", Order.KEEP_WHITE: "white", Order.KEEP_ALL: "all"}
                self.scans = kept[order]
                for field in range(len(self._known)):
                    self._look_at(field, at)
            case Order.SERIAL:
                self.send(Answer.SERIAL, self.serial.encode("ascii"), at)
            case Order.LONG_SERIAL if self.long_serial is not None:
                self.send(Answer.LONG_SERIAL, self.long_serial.encode("ascii"), at)
            case Order.BUS_ADDRESS:
                self.send(Answer.BUS_ADDRESS, seven_bits(self.bus_address), at)
            case Order.NAME:
                main, sub = self.version
                text = f"{NAME}\nversion {main}.{sub:02}\nserial number {self.serial}\n"
                self.send(Answer.NAME, text.encode("ascii"), at)
            case Order.VERSION:
                self.send(Answer.VERSION, bytes(self.version), at)
            case Order.BATTERY if self.bluetooth:
                state = 0b01 if self.charging else 0b10
                self.send(Answer.BATTERY, bytes((self.battery, 0x7F, 0x7F, 1, 5, 0, 0, 0, state)), at)
            case Order.LOG:
                self.send(Answer.LOG, self.memory.read(), at)
                self.memory.downloaded(at)
            case Order.BOOT_LOADER:
                self.bricked = True
            case _:
                pass

    # The clock beside it.

    def _hear_clock(self, at: float) -> None:
        if self.dgt_clock is None:
            return
        for _, payload, acknowledgement in self.dgt_clock.advance(at):
            if acknowledgement:
                if self.plugged:
                    self.send(Answer.CLOCK, payload, at)
                continue
            reading = self.dgt_clock.reading
            if reading is not None:
                before, self._tumbler = self._tumbler, reading.right_is_up
                if before is not None and before is not self._tumbler:
                    self.memory.pressed(reading, at)
            if self.mode in ("update", "update_nice") and payload != self._told_clock[1]:
                self._tell_clock(payload, at)

    def _tell_clock(self, payload: bytes, at: float) -> None:
        if self._random.random() < self._zeros:
            payload = ALL_ZERO
        self._told_clock = (at, payload)
        self.send(Answer.CLOCK, payload, at)

    def _every_second(self, at: float) -> None:
        if self.mode == "update" and at - self._told_clock[0] >= CLOCK_SECONDS:
            self._tell_clock(self.clock_payload(), at)
        self._plan(at + CLOCK_SECONDS, self._every_second)

    # What is planned.

    def _plan(self, at: float, call: Callable[[float], None], *, lasting: bool = False) -> None:
        """`lasting`: it happens also after the supply has been away."""
        self._count += 1
        heapq.heappush(self._due, (at, self._count, None if lasting else self._life, call))

    def _plan_act(self, fault: Fault, at: float | None) -> None:
        if at is not None:
            self._plan(at, lambda now: self._plan_act(fault, fault.act(self, now)), lasting=True)
