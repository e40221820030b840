"""A sensor board on a serial port as a stream of inputs; it knows no rules, and what the bytes mean is in `decoding`.

Three things are kept apart: the frames (`decoding.wire`), the talk while a port is open (`decoding.conversation`), and
opening ports (`sources.port_thread`). One thread a board owns the port: it reads, lets the conversation speak, and
writes. What is observed crosses into asyncio one input at a time; the board is known by its identity.

Where a finder (`sources.finder`) looks after the ports of many boards, the board is taken from it by its identity,
whatever port it is at, with its port open.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import serial

from damas_board.decoding import wire
from damas_board.decoding.conversation import (
    UNREADABLE,
    Answered,
    Back,
    Calibrated,
    Conversation,
    Ended,
    Greeted,
    Health,
    Known,
    Lost,
    Measured,
    Observation,
    Pressed,
    Refused,
    Resumed,
    Said,
    Seen,
    Timing,
)
from damas_board.decoding.square_map import KIND_MARKS, UNKNOWN, SquareMap
from damas_board.session.header import Senses
from damas_board.session.inputs import BoardEvent, Button, Input, Lever, See, SideName
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import Finder, Found
from damas_board.sources.port_thread import PortThread
from damas_board.sources.reconnection import SOON, Backoff, Foreign, none_foreign
from damas_board.sources.serial_port import read_available, set_calm

FIND_SECONDS = 8.0
"""How long the start waits for the finder to have asked the ports that are there."""
OCCUPANCY_LEVELS = 2
"""A board with no more levels than these tells occupied from empty only."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Buttons:
    """What the board's buttons mean at its table: whose the clock's levers are, for whom the adjust button speaks."""

    clock_a: SideName = "white"
    adjust: str = "arbiter"

    def input_of(self, pressed: Pressed, event: BoardEvent) -> Input:
        """The input that a pressed button is."""
        at, was = pressed.at, pressed.was
        match pressed.key:
            case wire.Key.CLOCK_A:
                return Lever(at, self.clock_a, was, event)
            case wire.Key.CLOCK_B:
                return Lever(at, "black" if self.clock_a == "white" else "white", was, event)
            case wire.Key.ADJUST:
                return Button(at, "adjust", self.adjust, was, event)


class SerialBoard(PortThread):
    """`async with SerialBoard(...) as board:` greets the board, `async for` over it gives its inputs.

    Entering raises BoardError if there is no usable board. The stream begins with a See of the whole board and ends
    when the block is left, never by itself. The reason of a lost link is the key of a BoardError, or one of the
    conversation's (`board_restarted`, `events_lost`). `now` gives `at`; it is called from the board's own thread.

    A board that has kept what happened while its port was not open tells it when it is: such a link is back `whole`.
    So it is behind `go_on_from` as well, and then the stream begins with that.
    """

    def __init__(
        self,
        port: str | None,
        square_map: SquareMap,
        now: Callable[[], float],
        *,
        uid: str | None = None,
        senses: Senses = "occupancy",
        buttons: Buttons | None = None,
        by: str | None = None,
        timing: Timing | None = None,
        candidates: Callable[[], Sequence[str]] | None = None,
        backoff: Backoff | None = None,
        finder: Finder | None = None,
        foreign: Foreign = none_foreign,
    ) -> None:
        """`uid`: the only board accepted; `senses`: what it must tell; `candidates`: where a lost board may be.

        With `finder` and `uid` the board is taken wherever it is found; with `finder` alone whichever is at `port` at
        first, and then that one wherever it is found.
        """
        if port is None and (uid is None or finder is None):
            raise ValueError("a board needs a port, or an identity and a finder")
        super().__init__(port, now, candidates=candidates, backoff=backoff, by=by, foreign=foreign)
        self.hello: wire.Hello | None = None
        """Who the board is, and which run of it; set before the stream begins."""
        self.health: Health | None = None
        """The newest heartbeat."""
        self._square_map = square_map
        self._uid = uid
        self._senses = senses
        self._buttons = buttons or Buttons()
        self._timing = timing or Timing()
        self._finder = finder
        self._orders: deque[Callable[[Conversation], int]] = deque()
        self._known: Known | None = None
        """What has been told of the board."""

    def go_on_from(self, known: See, before: Sequence[str] = ()) -> None:
        if known.event is None:
            return
        levels = known_levels(self._square_map, known.rows)
        self._known = None if levels is None else Known(*known.event, levels, known.at)

    def light(self, colour: wire.Colour, places: frozenset[int]) -> None:
        """Light these places of the board; forgotten if the link is lost before it is sent."""
        self._order(lambda conversation: conversation.light(colour, places))

    def debounce(self, down: int, up: int) -> None:
        """Set the board's debounce, milliseconds 1 to 255; forgotten if the link is lost before it is sent."""
        self._order(lambda conversation: conversation.debounce(down, up))

    def _order(self, order: Callable[[Conversation], int]) -> None:
        self._orders.append(order)
        self._wake()

    @property
    def _place(self) -> str:
        return self._uid or self.port

    # From here on: the board's own thread.

    def _work(self) -> None:
        if self._finder is not None:
            self._keep_to_board(self._finder)
        else:
            self._keep_to_port()

    def _keep_to_board(self, finder: Finder) -> None:
        """Talk with the board wherever the finder finds it; at first BoardError where that is nowhere."""
        found: Found | None = None
        if self._uid is None:
            self._first_conversation()
            finder.release(self.port)
        else:
            found = finder.find(self._uid, self._leaving, FIND_SECONDS)
        while not self._leaving.is_set():
            if found is not None:
                self._talk_to(found)
            if self._uid is not None:
                found = finder.find(self._uid, self._leaving)

    def _talk_to(self, found: Found) -> None:
        with found:
            try:
                self.port = found.path
                self._converse(found.port, found.path)
            except BoardError as error:
                if not self._begun:
                    raise
                _log.info("board lost: %s", error)
                if error.key not in SOON:
                    self._leaving.wait(self._backoff.next())

    def _talk(self, port: serial.Serial, path: str) -> None:
        conversation = Conversation(self._now(), self._timing, self._known)
        self._orders.clear()
        while not self._leaving.is_set():
            data = read_available(port)
            at = self._now()
            # First what came, then what is due: a late thread must not take a board for silent that was not.
            for item in [*conversation.receive(data, at), *conversation.tick(at)]:
                self._observed(item, path)
            while self._orders:
                self._orders.popleft()(conversation)
            if out := conversation.data_to_send():
                port.write(out)
            due = conversation.deadline
            set_calm(port, due is not None and due - at > self._timing.silent_after / 3)

    def _observed(self, item: Observation, path: str) -> None:
        self._not_flooded(path)
        match item:
            case Greeted(_, hello):
                self._recognise(hello, path)
            case Seen(at):
                self._set_link("back", at, None)
                self._tell(self._seen(item))
                self._begin()
            case Pressed():
                self._tell(self._pressed(item))
            case Resumed(at, missed):
                told = [self._seen(part) if isinstance(part, Seen) else self._pressed(part) for part in missed]
                self._tell_missed(at, told)
                self._begin()
            case Lost(at, reason):
                self._set_link("lost", at, reason)
            case Back(at):
                self._set_link("back", at, None)
            case Health():
                self.health = item
            case Answered(_, _, command, refused):
                if refused is not None:
                    _log.warning("board on %s refused command %#04x: code %d", path, command, refused)
            case Said(_, text):
                _log.info("board on %s says: %s", path, text)
            case Measured() | Calibrated():
                pass  # nobody asked: they are for calibration, which talks to the board by itself
            case Refused(_, theirs, ours, firmware):
                version = ".".join(map(str, firmware))
                raise BoardError("version_refused", port=path, theirs=theirs, ours=ours, firmware=version)
            case Ended(_, why, seconds):
                raise BoardError(why, port=path, seconds=seconds)

    def _seen(self, seen: Seen) -> See:
        event, levels = self._event(seen.seq), seen.levels
        self._known = Known(*event, levels, seen.at if seen.was is None else seen.was)
        rows = self._square_map.rows(levels, self.hello.levels if self.hello else OCCUPANCY_LEVELS)
        return See(seen.at, rows, self._by, seen.was, unstable=UNREADABLE in levels, event=event)

    def _pressed(self, pressed: Pressed) -> Input:
        event = self._event(pressed.seq)
        if self._known is not None:
            at = pressed.at if pressed.was is None else pressed.was
            self._known = replace(self._known, seq=event.seq, at=at)
        return self._buttons.input_of(pressed, event)

    def _event(self, seq: int) -> BoardEvent:
        assert self.hello is not None  # it greets before it tells
        return BoardEvent(self.hello.identity, self.hello.boot_id, seq)

    def _recognise(self, hello: wire.Hello, path: str) -> None:
        """Take the board for ours. BoardError if it is another one, or its squares do not fit the map."""
        if self._uid is not None and hello.identity != self._uid:
            raise BoardError("wrong_board", port=path, found=hello.identity, expected=self._uid)
        if (hello.geometry, hello.places) != (self._square_map.geometry, self._square_map.places):
            raise BoardError(
                "wrong_geometry",
                port=path,
                found=f"{hello.places} squares, geometry {hello.geometry:#04x}",
                expected=f"{self._square_map.places} squares, geometry {self._square_map.geometry:#04x}",
            )
        if self._senses != "occupancy" and hello.levels <= OCCUPANCY_LEVELS:
            raise BoardError("wrong_senses", port=path, senses=self._senses, levels=hello.levels)
        self._uid = hello.identity
        self.hello = hello
        self._backoff.reset()


def known_levels(square_map: SquareMap, rows: str) -> tuple[int, ...] | None:
    """The levels that `rows` tell, UNREADABLE where they tell none; None where they are of another board."""
    hidden = "".join({UNKNOWN: "o", "/": "/"}.get(mark, ".") for mark in rows)
    try:
        levels = square_map.levels(rows.replace(UNKNOWN, "."), len(KIND_MARKS))
        unread = square_map.levels(hidden, OCCUPANCY_LEVELS)
    except ValueError:
        return None
    return tuple(UNREADABLE if hides else level for level, hides in zip(levels, unread, strict=True))
