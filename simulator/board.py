"""The sensor board in software: pieces on places, and the firmware's half of the wire protocol; no I/O of its own.

A hand puts pieces down and lifts them; the faults decide what the sensors make of it; each change of a sensor is an
event in the log, as after the firmware's debounce. Bytes from the host go into `receive`, bytes to the host come out of
`data_to_send`. `advance` brings everything up to the clock, each thing at its own time; `deadline` says when the next
is due. Whoever carries the bytes gives `attach` a function to be called when there is something new to carry.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator.clock import Clock
from simulator.faults import Fault, Flicker
from simulator.handled_board import SensedBoard

BUTTON_KEYS = {"clock-a": wire.Key.CLOCK_A, "clock-b": wire.Key.CLOCK_B, "adjust": wire.Key.ADJUST}
HEARTBEAT_SECONDS = 1.0
LIGHT_SECONDS = 60.0
"""Lights that are not set again go out after this."""
_SCANS = 1000
_COUNTER_TOP = 255


class Board(SensedBoard):
    """A board with the places of `square_map`; `levels` 2 tells only occupied from empty, 5 colour and king as well."""

    def __init__(
        self,
        square_map: SquareMap,
        clock: Clock,
        *,
        levels: int = 2,
        uid: int = 0x0DA3A500,
        faults: Sequence[Fault] = (),
        protocol: int = wire.PROTOCOL,
    ) -> None:
        if levels not in (2, 5):
            raise ValueError(f"a board tells 2 or 5 levels apart, not {levels}")
        super().__init__(square_map, clock, faults)
        self.levels = levels
        self.uid = uid
        self.boot_id = 0
        self.caps: int = wire.Cap.LIGHTS
        self.lights: dict[int, wire.Colour] = {}
        self._protocol = protocol
        self._restless: frozenset[int] = frozenset()
        self._debounce = (10, 10)
        self._boot(clock.now())

    # The hand's side.

    def press(self, button: str) -> None:
        """Press and release a button: `clock-a`, `clock-b` or `adjust`."""
        self.advance()
        for level in (1, 0):
            self._log_event(BUTTON_KEYS[button], level, self._clock.now())
        self._carry()

    def make_restless(self, places: Collection[int] = (), buttons: Collection[str] = ()) -> None:
        """From now on the contacts of exactly these never are still: the board reports that, and no change of theirs.

        One that is still again reads what stands there by then.
        """
        self.advance()
        at = self._clock.now()
        before = self._restless
        numbers = [len(self._pieces) + 1 + wire.BUTTONS.index(BUTTON_KEYS[button]) for button in buttons]
        self._restless = frozenset([*places, *numbers])
        if self._restless != before:
            self._beat(at)
        for place in sorted(before - self._restless):
            if place <= len(self._pieces):
                self._sense(Flicker(at, place, None))
        self._carry()

    # The cable's side.

    def receive(self, data: bytes) -> None:
        """Bytes from the host."""
        self.advance()
        if self.plugged:
            for command in self._decoder.feed(data):
                self._answer(command, self._clock.now())
        self._carry()

    # The firmware.

    @property
    def _own_deadline(self) -> float:
        return min(self._heartbeat_at, self._dark_at)

    def _do_own(self, at: float) -> None:
        if at == self._dark_at:
            self._go_dark()
        else:
            self._heartbeat_at += HEARTBEAT_SECONDS
            self._beat(at)

    def _boot(self, at: float) -> None:
        self.boot_id = (self.boot_id + 1) % wire.SEQ_MODULUS
        self._go_dark()
        self._booted_at = at
        self._heartbeat_at = at + HEARTBEAT_SECONDS
        self._decoder = wire.command_decoder()
        self._closed = [0] * len(self._pieces)
        """What the contacts are at, place by place; `_contacts` is what of that was told."""
        self._contacts = [0] * len(self._pieces)
        self._seq = 0
        self._log: deque[wire.Event] = deque(maxlen=wire.LOG_SIZE)
        self._line.clear()
        self._hello(0, at)
        for place in range(1, len(self._pieces) + 1):
            self._sense(Flicker(at, place, None))
        self._snapshot(0, at)

    def _sense(self, reading: Flicker) -> None:
        at, place, level = reading
        if level is None:
            level = self._pieces[place - 1]
        for fault in self._faults:
            level = fault.reading(place, level, at)
        self._closed[place - 1] = level
        levels: Sequence[int] = self._closed
        for fault in self._faults:
            levels = fault.scan(levels, self.square_map.size)
        for number, (now, told) in enumerate(zip(levels, self._contacts, strict=True), 1):
            if now != told and self.plugged and number not in self._restless:
                self._contacts[number - 1] = now
                self._log_event(number, now, at)

    def _log_event(self, key: int, level: int, at: float) -> None:
        if not self.plugged:
            return
        if level and key in (wire.Key.CLOCK_A, wire.Key.CLOCK_B):
            self._go_dark()
        self._seq = (self._seq + 1) % wire.SEQ_MODULUS
        event = wire.Event(self._seq, self._t(at), key, level)
        self._log.append(event)
        self._send(event, at)

    def _answer(self, command: wire.HostFrame, at: float) -> None:
        head = (self._seq, self._t(at))
        match command:
            case wire.AskHello(tag):
                self._hello(tag, at)
            case wire.AskSnapshot(tag):
                self._snapshot(tag, at)
            case wire.Resend(tag, first):
                count = wire.seq_ahead(self._seq, first) + 1
                if not 0 <= count <= len(self._log):
                    self._send(wire.Nak(*head, tag, wire.CommandType.RESEND, wire.NakCode.GONE), at)
                    return
                for event in list(self._log)[len(self._log) - count :]:
                    self._send(event, at)
                self._send(wire.Ack(*head, tag, wire.CommandType.RESEND), at)
            case wire.SetDebounce(tag, down, up):
                self._debounce = (down, up)
                self._send(wire.Ack(*head, tag, wire.CommandType.DEBOUNCE), at)
            case wire.Light(tag, colour, places):
                if any(place > len(self._pieces) for place in places):
                    self._send(wire.Nak(*head, tag, wire.CommandType.LED, wire.NakCode.VALUE), at)
                    return
                for place in places:
                    self.lights[place] = wire.Colour(colour)
                self._dark_at = at + LIGHT_SECONDS
                self._send(wire.Ack(*head, tag, wire.CommandType.LED), at)
            case wire.ReportRaw(tag):
                self._send(wire.Nak(*head, tag, wire.CommandType.RAW, wire.NakCode.UNKNOWN), at)
            case (
                wire.ReadCalibration(tag)
                | wire.WriteCalibration(tag)
                | wire.KeepCalibration(tag)
                | wire.FactoryCalibration(tag)
            ):
                self._send(wire.Nak(*head, tag, wire.CommandType.CALIBRATE, wire.NakCode.UNKNOWN), at)
            case wire.BadCommand(tag, number, code):
                # What a board cannot do it does not look at closer.
                code = wire.NakCode.UNKNOWN if number == wire.CommandType.CALIBRATE else code
                self._send(wire.Nak(*head, tag, number, code), at)

    def _go_dark(self) -> None:
        self.lights = {}
        self._dark_at = float("inf")

    def _beat(self, at: float) -> None:
        if self.plugged:
            bad = min(self._decoder.bad.total, _COUNTER_TOP)
            self._send(wire.Heartbeat(self._seq, self._t(at), _SCANS, bad, 0, unstable=self._restless), at)

    def _hello(self, tag: int, at: float) -> None:
        firmware = (1, 0)
        if self._protocol != wire.PROTOCOL:
            self._send(wire.ForeignHello(self._seq, self._t(at), tag, self._protocol, firmware), at)
            return
        hello = wire.Hello(
            self._seq,
            self._t(at),
            tag,
            firmware,
            self.boot_id,
            places=len(self._pieces),
            buttons=len(wire.BUTTONS),
            caps=self.caps,
            geometry=self.square_map.geometry,
            levels=self.levels,
            hardware=0,
            scan_hz=_SCANS,
            debounce_down=self._debounce[0],
            debounce_up=self._debounce[1],
            uid=self.uid,
        )
        self._send(hello, at)

    def _snapshot(self, tag: int, at: float) -> None:
        levels = (*self._contacts, *(0 for _ in wire.BUTTONS))
        self._send(wire.Snapshot(self._seq, self._t(at), tag, wire.pack_levels(levels, self.levels)), at)

    def _t(self, at: float) -> int:
        return round((at - self._booted_at) * 1000) % wire.TIME_MODULUS

    def _send(self, item: wire.BoardFrame, at: float) -> None:
        data = wire.encode_frame(item)
        for fault in self._faults:
            at, data = fault.transmit(data, at)
        # What was sent first arrives first, also where the next one was quicker.
        self._line.append((at, data))
