"""DGT boards in bus mode: several tables at one port, each with a source of its own.

What is said on the line is `decoding.dgt.bus`. One thread has the port as long as any table of it is read, and gives
each table what its own board told. A board that is silent is lost for its table only, a broken line for all of them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Waited
from contextlib import suppress
from dataclasses import replace
from threading import Event, Lock, Thread  # noqa: TID251  the line's own thread: the edge of the program
from typing import Literal

import serial
from pydantic import Field

from damas_board.decoding.dgt.bus import BusTalk, BusTiming, Heard, address_of, address_text
from damas_board.decoding.dgt.frames import BAUD
from damas_board.decoding.dgt.reading import Found, Setting
from damas_board.decoding.talk import Away, Hopeless, Missed, Shown, Talk, Told
from damas_board.sources.adapter import Adapter, Place
from damas_board.sources.device_thread import LEAVING_SECONDS
from damas_board.sources.dgt_options import LogOptions, setting_of
from damas_board.sources.errors import BoardError
from damas_board.sources.port_thread import PortThread
from damas_board.sources.reconnection import Backoff, is_local
from damas_board.sources.serial_port import POLL_SECONDS, PORT_FAULTS, read_available
from damas_board.sources.spoken_board import SpokenBoard

SETTINGS = {"overlap_seconds": 1.2, "touch_seconds": 0.7, "settle_seconds": 0.7, "rest_seconds": 2.1}
"""Of [board.settings]: between two looks at a board lie a scan and the other boards' turns."""
SHORTEST_WAIT = 0.001

_log = logging.getLogger(__name__)


class DgtBusOptions(LogOptions):
    """What [board.adapter] may say of one board of a line; what is of the line has to be the same at its tables."""

    address: str
    """The serial number on the board's box."""
    timeout: float = Field(0.08, ge=0.01, le=5.0)
    """Of the line: how long an answer is waited for, seconds. A slow converter needs more."""
    poll: float = Field(0.1, ge=0.01, le=10.0)
    """Of the line: how often at most each board is asked, seconds."""
    lower_lines: bool = True
    """Of the line: whether DTR and RTS are put down when the port has been opened."""


LINE_OPTIONS = ("timeout", "poll", "lower_lines")


class BusLine(PortThread):
    """One line: its port and the boards there that are read."""

    def __init__(self, port: str, now: Callable[[], float], options: DgtBusOptions, speed: float) -> None:
        super().__init__(port, now, baud=BAUD, backoff=Backoff.scaled(speed), exact=True)
        self.opened: Future[None] = Future()
        """Done when the port has been open once; BoardError where it could not be opened."""
        self.down: BoardError | None = None
        """Why nothing is said on the line for now."""
        self.over: Exception | None = None
        """Why nothing will ever be."""
        self._timing = replace(BusTiming(), timeout=options.timeout, poll=options.poll).scaled(speed)
        self._options = options
        self._speed = speed
        self._boards: Mapping[int, DgtBusBoard] = {}
        """By address; replaced, never changed."""
        self._thread = Thread(target=self._keep, name=f"line {self._place}", daemon=True)

    @property
    def empty(self) -> bool:
        return not self._boards

    def add(self, board: DgtBusBoard) -> None:
        """Look after `board`. BoardError where another table has it, or wants another line."""
        options = self._options, board.options
        if board.address in self._boards or any(getattr(options[0], n) != getattr(options[1], n) for n in LINE_OPTIONS):
            raise BoardError("bus_conflict", port=self.port, address=address_text(board.address))
        self._boards = {**self._boards, board.address: board}
        self._wake()

    def remove(self, board: DgtBusBoard) -> None:
        """Look after it no more."""
        self._boards = {address: other for address, other in self._boards.items() if other is not board}
        self._wake()

    def start(self) -> None:
        assert self._thread is not None
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait until it has given the port back."""
        assert self._thread is not None
        self._leaving.set()
        self._wake()
        self._thread.join(LEAVING_SECONDS)

    # From here on: the line's own thread.

    def _keep(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001  raised where the boards are read
            self.over = error
            if not self.opened.done():
                self.opened.set_exception(error)
            for board in self._boards.values():
                board.broke(error)

    def _converse(self, port: serial.Serial, path: str) -> None:
        try:
            super()._converse(port, path)
        except BoardError as error:
            self.down = error
            for board in self._boards.values():
                board.lost(error)
            raise

    def _set_link(self, state: Literal["lost", "back"], at: float, reason: str | None) -> None:
        """Each board has a link of its own."""

    def _talk(self, port: serial.Serial, path: str) -> None:
        if self._options.lower_lines:
            with suppress(*PORT_FAULTS):  # not every port has them
                port.dtr = port.rts = False
        with suppress(AttributeError, NotImplementedError, ValueError, *PORT_FAULTS):  # nor can every converter
            port.set_low_latency_mode(True)
        talk = BusTalk(self._now(), self._timing)
        boards: Mapping[int, DgtBusBoard] = {}
        self.down, self._begun = None, True
        if not self.opened.done():
            self.opened.set_result(None)
        while not self._leaving.is_set():
            boards = self._joined(talk, boards)
            data = read_available(port)
            at = self._now()
            for heard in [*talk.receive(data, at), *talk.tick(at)]:
                self._give(heard, boards, at, path)
            if out := talk.data_to_send():
                port.write(out)
            wait = (talk.deadline - self._now()) / self._speed
            port.timeout = min(max(wait, SHORTEST_WAIT), POLL_SECONDS)

    def _joined(self, talk: BusTalk, before: Mapping[int, DgtBusBoard]) -> Mapping[int, DgtBusBoard]:
        """The boards that are looked after now, with the talk told of it."""
        boards = self._boards
        for address, board in before.items():
            if boards.get(address) is not board:
                talk.leave(address)
        for address, board in boards.items():
            if before.get(address) is not board:
                at = self._now()
                talk.join(address, board.setting, at, board.known_at(at), board.found)
        return boards

    def _give(self, heard: Heard, boards: Mapping[int, DgtBusBoard], at: float, path: str) -> None:
        address, told = heard
        if address is not None:
            boards[address].heard(told, at, path)
            self._backoff.reset()
        elif isinstance(told, Hopeless):
            raise BoardError(told.why, port=path, **told.facts)


class DgtBusBoard(SpokenBoard):
    """One board of a line; what it told comes from the line's thread, its own only waits."""

    def __init__(
        self, lines: BusLines, place: Place, options: DgtBusOptions, setting: Setting, now: Callable[[], float]
    ) -> None:
        address = address_of(options.address)
        super().__init__(place.port, _no_talk, now, baud=BAUD, size=place.size, uid=address_text(address))
        self.address = address
        self.options = options
        self.setting = setting
        self.found = Found()
        self.speed = place.speed
        self._lines = lines
        self._over = Event()
        self._error: Exception | None = None

    @property
    def now(self) -> Callable[[], float]:
        return self._now

    def known_at(self, at: float) -> Shown | None:
        """What is known of it, on the scale of the line where it is `at` now."""
        return None if self._known is None else _moved(self._known, at - self._now())

    def _work(self) -> None:
        line = self._lines.join(self)
        try:
            self._wait_for(line)
            self._over.wait()
        finally:
            self._lines.leave(self, line)
        if self._error is not None:
            raise self._error

    def _wait_for(self, line: BusLine) -> None:
        """Until the line is open. BoardError where it is not, or not any more."""
        while not self._leaving.is_set():
            try:
                line.opened.result(POLL_SECONDS)
            except Waited:
                continue
            for error in (line.over, line.down):
                if error is not None:
                    raise error
            return

    def _wake(self) -> None:
        self._over.set()

    # From the line's thread.

    def heard(self, told: Told, at: float, path: str) -> None:
        """The board told this, `at` on the line's scale."""
        try:
            if isinstance(told, Away) and not self._begun:
                raise BoardError("no_bus_board", port=path, address=address_text(self.address))
            self.port = path
            self._told(_told_at(told, self._now(), at), path)
        except BoardError as error:
            self.lost(error)
        except Exception as error:  # noqa: BLE001  raised where this board is read: the others go on
            self.broke(error)

    def lost(self, error: BoardError) -> None:
        """Nothing comes of the board, or of the line."""
        if self._begun:
            self._set_link("lost", self._now(), error.key)
        else:
            self.broke(error)

    def broke(self, error: Exception) -> None:
        """The stream ends with this."""
        self._error = error
        self._over.set()


class BusLines:
    """The lines that are open."""

    def __init__(self) -> None:
        self._lines: list[BusLine] = []
        self._lock = Lock()

    def join(self, board: DgtBusBoard) -> BusLine:
        """The line that looks after `board` from now on. BoardError as of BusLine.add."""
        with self._lock:
            line = next((line for line in self._lines if line.over is None and _is_same(line.port, board.port)), None)
            if line is None:
                line = BusLine(board.port, board.now, board.options, board.speed)
                line.add(board)
                self._lines.append(line)
                line.start()
            else:
                line.add(board)
            return line

    def leave(self, board: DgtBusBoard, line: BusLine) -> None:
        """The line looks after it no more; the last one ends it."""
        with self._lock:
            line.remove(board)
            if line.empty:
                self._lines.remove(line)
                line.stop()

    def make(self, place: Place, options: DgtBusOptions, now: Callable[[], float]) -> DgtBusBoard:
        """A source of one board. ValueError where no DGT board can be the table's, or it cannot be on a bus."""
        try:
            address = address_text(address_of(options.address))
        except ValueError as error:
            raise ValueError(f"address: {error}") from error
        if options.fields == "white":
            raise ValueError('fields: a board on a bus does not tell its white fields by themselves; write "all"')
        if place.uid is not None and place.uid != address:
            raise ValueError(f'address: "{options.address}" is not the board "{place.uid}" that uid names')
        return DgtBusBoard(self, place, options, setting_of(place, options), now)


def together(tables: Sequence[tuple[Place, DgtBusOptions]]) -> None:
    """ValueError where tables at one port do not fit each other."""
    seen: set[int] = set()
    for _, options in tables:
        address = address_of(options.address)
        if address in seen:
            raise ValueError(f"address: another table at this port has the board {address_text(address)} already")
        seen.add(address)
        _same_line(tables[0][1], options)


def _same_line(one: DgtBusOptions, other: DgtBusOptions) -> None:
    for name in LINE_OPTIONS:
        if getattr(one, name) != getattr(other, name):
            raise ValueError(f"{name}: tables at one port must have the same; {name} is of the line, not of a board")


def _is_same(port: str, other: str) -> bool:
    """Whether two names are of one port. What a link leads to changes when its device comes back."""
    if port == other or not (is_local(port) and is_local(other)):
        return port == other
    return os.path.realpath(port) == os.path.realpath(other)


def _moved(shown: Shown, by: float) -> Shown:
    return replace(shown, at=shown.at + by, was=None if shown.was is None else shown.was + by)


def _told_at(told: Told, now: float, at: float) -> Told:
    """As told where it is `now` what the line's scale calls `at`."""
    match told:
        case Shown():
            return _moved(told, now - at)
        case Missed(shown=shown):
            return Missed(now, tuple(_moved(one, now - at) for one in shown))
        case _:
            return replace(told, at=now)


def _no_talk(at: float, known: Shown | None) -> Talk:
    raise AssertionError("the line's thread talks")


DGT_BUS = Adapter(
    "dgt-bus",
    DgtBusOptions,
    BusLines().make,
    senses=("colour", "kind", "occupancy"),
    shares_port=True,
    together=together,
    settings=SETTINGS,
    usb_names=("dgt",),
)
