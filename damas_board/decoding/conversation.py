"""The host's half of the talk with one sensor board: bytes and times in, bytes and observations out; no I/O, no clock.

How it works. A conversation is the time between opening a port and closing it. It goes through stages:

    greeting   HELLO is asked again and again until the board says who it is, or nobody answers
    syncing    the whole board is asked (SNAPSHOT); events before it are in it, so they are passed over
    live       each event is applied if its number is the next one
    fetching   a number is missing: the events from it on are asked again (RESEND); those behind the hole are passed
               over, because the board sends them again as well, in order
    ended      nobody answers, the version is another one, or the board fell silent: the port is to be closed

Every frame carries the number of the newest event, so a lost last event shows at the next heartbeat. If the events are
gone, or do not come in two tries, the stage is `syncing` again and the hole is told as `Lost` and `Back`. A board that
restarted (HELLO with another boot id, or a clock or a number that went back) is `syncing` again too: the game goes on.

Where it is `known` how the board stood at one of its events, and it is still in the same run, nothing need be missed:
that event is taken for the last one, the log is fetched from there on, and one more stage says whether all is right:

    checking   the whole board is asked; it has to be what the log led to

Then what was missed is told together (`Resumed`). If the events are gone, or lead to another board than is there, it is
`syncing`, as if nothing had been known.

A heartbeat names the places whose sensors are not still, beside the numbers of the events: such a place is shown as
UNREADABLE, until a heartbeat without it, or an event of it that is younger (an event says that it was still then). A
board that starts again names them anew; a hole in the events changes nothing about them. While events are fetched the
names are noted, and shown with what comes of the events: a level from before the hole is not told as the present one.

Times are seconds on the caller's scale. What the board saw long before it was heard carries `was`, by its own stamps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from damas_board.decoding import wire
from damas_board.decoding.board_clock import BoardClock

FOREIGN_ORDERS = frozenset((0x4E, 0x51, 0x53, 0x54))
"""Single bytes that change what another maker's board (`decoding.dgt`) keeps without power."""
TAGS = tuple(tag for tag in range(1, 256) if FOREIGN_ORDERS.isdisjoint(wire.encode_command(wire.AskHello(tag))))
"""Of commands: a HELLO, which is sent before it is known who listens, never has such a byte in it."""
UNREADABLE = -1
"""In levels: what stands there is not known, since the sensor is not still."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long what is waited for, seconds."""

    hello_every: float = 0.3
    hello_for: float = 5.0
    ask_every: float = 0.5
    resend_tries: int = 2
    snapshot_for: float = 5.0
    silent_after: float = 3.0
    late_after: float = 0.1
    """An event older than this when it comes in carries `was`."""
    offset_window: float = 10.0

    def scaled(self, speed: float) -> Timing:
        """The same patience in real time where the caller's clock runs `speed` times faster than time."""
        return replace(
            self,
            hello_every=self.hello_every * speed,
            hello_for=self.hello_for * speed,
            ask_every=self.ask_every * speed,
            snapshot_for=self.snapshot_for * speed,
            silent_after=self.silent_after * speed,
            late_after=self.late_after * speed,
        )


@dataclass(frozen=True, slots=True)
class Known:
    """How a board stood at event `seq` of its run `boot_id`, levels as in `Seen`; and when that was, or was told."""

    uid: str
    boot_id: int
    seq: int
    levels: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Greeted:
    """The board said who it is: at the beginning, and again after each restart."""

    at: float
    hello: wire.Hello


@dataclass(frozen=True, slots=True)
class Seen:
    """The whole board: levels (or UNREADABLE) of places 1, 2, ...

    `was` is when the board saw it, where that is long before `at`.
    """

    at: float
    levels: tuple[int, ...]
    was: float | None = None
    seq: int = field(default=0, compare=False)
    """The newest event that is in it."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down."""

    at: float
    key: wire.Key
    was: float | None = None
    seq: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Resumed:
    """Nothing is missing since what was known: all that happened since, and at last how the board stands now."""

    at: float
    missed: tuple[Seen | Pressed, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """From here to `Back` nothing is known of the board: `board_restarted` or `events_lost`."""

    at: float
    reason: Literal["board_restarted", "events_lost"]


@dataclass(frozen=True, slots=True)
class Back:
    at: float


@dataclass(frozen=True, slots=True)
class Health:
    """The board's heartbeat, and the frames that came in bad at this end since the port was opened."""

    at: float
    heartbeat: wire.Heartbeat
    bad_frames: int
    unstable_places: frozenset[int] = frozenset()
    """Whose sensors are not still."""
    unstable_buttons: frozenset[wire.Key] = frozenset()


@dataclass(frozen=True, slots=True)
class Answered:
    """The board carried out a command, or refused it with a code (`wire.NakCode`, or one that is not known here)."""

    at: float
    tag: int
    command: int
    refused: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A line of text for whoever debugs the firmware."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Sensor readings of the places from `first` on."""

    at: float
    first: int
    readings: bytes


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The table of calibration of the places from `first` on."""

    at: float
    first: int
    flags: int
    squares: tuple[wire.Thresholds, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The board speaks another protocol; the conversation is over."""

    at: float
    theirs: int
    ours: int
    firmware: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ended:
    """The conversation is over: no answer to HELLO, no usable snapshot, or nothing more came for `seconds`."""

    at: float
    why: Literal["no_board", "no_snapshot", "silent"]
    seconds: float


Observation = (
    Greeted
    | Seen
    | Pressed
    | Resumed
    | Lost
    | Back
    | Health
    | Answered
    | Said
    | Measured
    | Calibrated
    | Refused
    | Ended
)


@dataclass(frozen=True, slots=True)
class _Greeting:
    ask_at: float
    until: float


@dataclass(frozen=True, slots=True)
class _Syncing:
    ask_at: float
    until: float
    hole_since: float | None
    """Where the reason is a hole in the events: when they were last known to be complete."""


@dataclass(frozen=True, slots=True)
class _Live:
    pass


@dataclass(frozen=True, slots=True)
class _Fetching:
    ask_at: float
    tries: int
    newest: int
    """The number of the newest event that is known to exist."""


@dataclass(frozen=True, slots=True)
class _Checking:
    ask_at: float
    until: float


@dataclass(frozen=True, slots=True)
class _Over:
    pass


_Stage = _Greeting | _Syncing | _Live | _Fetching | _Checking | _Over


@dataclass(slots=True)
class _Picture:
    """What is known of one run of the board, from one snapshot on."""

    levels: tuple[int, ...]
    """As the board reported them last."""
    shown: tuple[int, ...]
    """As they were told last."""
    last: int
    """The number of the newest event that is in `levels`."""
    last_t: int | None
    """When that was, by the board's clock, as far as that is known."""
    complete_at: float
    """Host time up to which no event is missing."""


@dataclass(slots=True)
class _Missed:
    """What is to be told once it is known to be all that happened since `since`, each with its board time."""

    since: float
    items: list[tuple[int, Seen | Pressed]] = field(default_factory=list)


class Conversation:
    """Talks with the board behind one open port. Feed it `receive` and `tick`; send what `data_to_send` gives."""

    def __init__(self, at: float, timing: Timing | None = None, known: Known | None = None) -> None:
        """`known`: what has been told of the board before."""
        self.timing = timing or Timing()
        self.hello: wire.Hello | None = None
        self._known = known
        self._missed: _Missed | None = None
        """While it goes on from what is known."""
        self._decoder = wire.board_decoder()
        self._clock = BoardClock(self.timing.offset_window)
        self._stage: _Stage = _Greeting(at, at + self.timing.hello_for)
        self._picture: _Picture | None = None
        self._restless: frozenset[int] = frozenset()
        """Numbers of the places, and behind them of the buttons, that are not still,"""
        self._restless_t = 0
        """as of this board time."""
        self._owes_back = False
        self._heard_at = at
        self._heard_t: int | None = None
        self._was = at
        self._tag = 0
        self._out = bytearray(b"\0")
        """A lone zero ends whatever rubbish the board had received before."""

    @property
    def deadline(self) -> float | None:
        """The time at which it wants a `tick`; None when it is over."""
        silent_at = self._heard_at + self.timing.silent_after
        match self._stage:
            case _Greeting(ask_at, until):
                return min(ask_at, until)
            case _Syncing(ask_at, until) | _Checking(ask_at, until):
                return min(ask_at, until, silent_at)
            case _Fetching(ask_at):
                return min(ask_at, silent_at)
            case _Live():
                return silent_at
            case _Over():
                return None

    @property
    def bad(self) -> wire.BadFrames:
        """What came in broken since the port was opened."""
        return self._decoder.bad

    def data_to_send(self) -> bytes:
        """The bytes to write to the port now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def light(self, colour: wire.Colour, places: frozenset[int]) -> int:
        """Light `places`; the number returned comes back in `Answered`."""
        return self._send(lambda tag: wire.Light(tag, colour, places))

    def debounce(self, down: int, up: int) -> int:
        """Set the board's debounce, milliseconds 1 to 255; the number returned comes back in `Answered`."""
        return self._send(lambda tag: wire.SetDebounce(tag, down, up))

    def report_raw(self, rate: int) -> int:
        """Ask for `Measured` `rate` times a second, 0 for no more; the number returned comes back in `Answered`."""
        return self._send(lambda tag: wire.ReportRaw(tag, rate))

    def read_calibration(self, first: int) -> int:
        """Ask for `Calibrated` from the place `first` on; a refusal is `Answered` with the number returned."""
        return self._send(lambda tag: wire.ReadCalibration(tag, first))

    def write_calibration(self, first: int, squares: Sequence[wire.Thresholds]) -> int:
        """Set 1 to WRITE_MOST places of the table; the number returned comes back in `Answered`."""
        return self._send(lambda tag: wire.WriteCalibration(tag, first, tuple(squares)))

    def keep_calibration(self, flags: int, squares: Sequence[wire.Thresholds]) -> int:
        """Let the board keep its table, if that is `squares`; the number returned comes back in `Answered`."""
        return self._send(lambda tag: wire.KeepCalibration(tag, flags, wire.calibration_crc(flags, squares)))

    def factory_calibration(self) -> int:
        """Let the factory's table hold until the next start; the number returned comes back in `Answered`."""
        return self._send(wire.FactoryCalibration)

    def receive(self, data: bytes, at: float) -> list[Observation]:
        """What `data`, received at `at`, tells. Call `tick` only when nothing is waiting to be received."""
        told: list[Observation] = []
        for item in self._decoder.feed(data):
            if isinstance(self._stage, _Over):
                break
            told += self._frame(item, at)
        return told

    def tick(self, at: float) -> list[Observation]:
        """Time passed: ask again, or give up."""
        timing = self.timing
        if self.hello is not None and at >= self._heard_at + timing.silent_after:
            return self._end(Ended(at, "silent", timing.silent_after))
        match self._stage:
            case _Greeting(_, until) if at >= until:
                return self._end(Ended(at, "no_board", timing.hello_for))
            case _Greeting(ask_at) if at >= ask_at:
                self._send(wire.AskHello)
                self._stage = replace(self._stage, ask_at=at + timing.hello_every)
            case _Syncing(_, until) | _Checking(_, until) if at >= until:
                return self._end(Ended(at, "no_snapshot", timing.snapshot_for))
            case (_Syncing(ask_at) | _Checking(ask_at)) as stage if at >= ask_at:
                self._ask_snapshot(stage, at)
            case _Fetching(ask_at, tries) if at >= ask_at:
                if tries >= timing.resend_tries:
                    self._sync(at, self._complete_at)
                else:
                    self._ask_resend(self._stage, at)
            case _:
                pass
        return []

    def _frame(self, item: wire.BoardFrame, at: float) -> list[Observation]:
        self._heard_at = at
        match item:
            case wire.ForeignHello():
                return self._end(Refused(at, item.protocol, wire.PROTOCOL, item.firmware))
            case wire.Hello():
                told = self._greeted(item, at)
            case _ if self.hello is None:
                return []
            case wire.Heartbeat():
                told = [self._health(item, at)]
            case wire.Ack():
                told = [Answered(at, item.tag, item.command)]
            case wire.Nak():
                told = self._refused(item, at)
            case wire.Log():
                told = [Said(at, item.text)]
            case wire.Raw():
                told = [Measured(at, item.first, item.readings)]
            case wire.Calibration():
                told = [Calibrated(at, item.first, item.flags, item.squares)]
            case wire.Snapshot() | wire.Event() | wire.OtherFrame():
                told = []
        self._clock.heard(item.t, at)
        return told + self._follow(item, at)

    def _follow(self, item: wire.BoardFrame, at: float) -> list[Observation]:
        """Keep up with the event numbers, which are in every frame."""
        if isinstance(self._stage, _Syncing):
            self._note_restless(item)
            return self._synced(item, at) if isinstance(item, wire.Snapshot) else []
        picture = self._picture
        if picture is None or not isinstance(self._stage, _Live | _Fetching | _Checking):
            return []
        if self._contradicts(item, picture):
            self._stage = _Greeting(at, at + self.timing.hello_for)
            return self.tick(at)
        self._note_restless(item)
        told: list[Observation] = []
        if isinstance(item, wire.Event):
            if wire.seq_ahead(item.seq, picture.last) == 1:
                told = self._apply(item, picture, at)
                if self._missed is not None and isinstance(self._stage, _Fetching):
                    self._stage = replace(self._stage, tries=1)  # a long way: each try that comes further counts
        else:
            self._heard_t = item.t
        missing = wire.seq_ahead(item.seq, picture.last)
        match self._stage:
            case _Live() | _Checking() if missing > 0:
                self._ask_resend(_Fetching(at, 0, item.seq), at)
            case _Checking() if isinstance(item, wire.Snapshot) and item.tag:
                return self._checked(item, picture, at)
            case _Fetching(_, _, newest):
                if missing > 0:
                    newest = item.seq if wire.seq_ahead(item.seq, newest) > 0 else newest
                    self._stage = replace(self._stage, newest=newest)
                elif wire.seq_ahead(newest, picture.last) <= 0:
                    self._fetched(at)
            case _:
                pass
        if isinstance(self._stage, _Live):
            picture.complete_at = at
            if isinstance(item, wire.Snapshot) and item.seq == picture.last:
                picture.levels = self._levels(item) or picture.levels
            told += self._show(picture, at, None)
        return told

    def _note_restless(self, item: wire.BoardFrame) -> None:
        """Which sensors are not still: what a heartbeat says, less those that have had an event since."""
        match item:
            case wire.Heartbeat():
                self._restless, self._restless_t = item.unstable, item.t
            case wire.Event() if wire.time_ahead(item.t, self._restless_t) > 0:
                self._restless -= {self._number(item.key)}
            case _:
                pass

    def _number(self, key: int) -> int:
        """Of a key among those of the board: the buttons are counted on behind the places."""
        places = 0 if self.hello is None else self.hello.places
        return places + 1 + wire.BUTTONS.index(wire.Key(key)) if key in wire.BUTTONS else key

    def _health(self, heartbeat: wire.Heartbeat, at: float) -> Health:
        places = 0 if self.hello is None else self.hello.places
        unstable = heartbeat.unstable
        buttons = frozenset(button for button in wire.BUTTONS if self._number(button) in unstable)
        return Health(at, heartbeat, self.bad.total, frozenset(n for n in unstable if n <= places), buttons)

    def _contradicts(self, item: wire.BoardFrame, picture: _Picture) -> bool:
        """Whether `item` cannot come from the run of the board that `picture` is of."""
        ahead = wire.seq_ahead(item.seq, picture.last)
        if isinstance(item, wire.Event):
            return ahead == 1 and picture.last_t is not None and wire.time_ahead(item.t, picture.last_t) < 0
        return ahead < 0 or (self._heard_t is not None and wire.time_ahead(item.t, self._heard_t) < 0)

    def _greeted(self, hello: wire.Hello, at: float) -> list[Observation]:
        known = self.hello
        if known is not None and (known.uid, known.boot_id) == (hello.uid, hello.boot_id):
            if isinstance(self._stage, _Greeting):
                self._sync(at, self._complete_at)
            return []
        self.hello = hello
        told: list[Observation] = [Greeted(at, hello)]
        if self._picture is not None:
            told.append(Lost(at, "board_restarted"))
            self._owes_back = True
        self._picture = None
        self._restless = frozenset()
        self._clock = BoardClock(self.timing.offset_window)
        if not self._goes_on(hello, at):
            self._sync(at, None)
        return told

    def _goes_on(self, hello: wire.Hello, at: float) -> bool:
        """Whether the board is in the run of which something is known; then what is missing is asked for."""
        known, self._known = self._known, None
        if known is None or (known.uid, known.boot_id) != (hello.identity, hello.boot_id):
            return False
        missing = wire.seq_ahead(hello.seq, known.seq)
        if len(known.levels) != hello.places or missing < 0:
            return False
        self._picture = _Picture(known.levels, known.levels, known.seq, None, at)
        self._heard_t = hello.t
        self._missed = _Missed(min(known.at, at))
        self._restless = frozenset(n for n, level in enumerate(known.levels, 1) if level == UNREADABLE)
        self._restless_t = hello.t
        if missing:
            self._ask_resend(_Fetching(at, 0, hello.seq), at)
        else:
            self._fetched(at)
        return True

    def _fetched(self, at: float) -> None:
        """No event is missing any more."""
        if self._missed is None:
            self._stage = _Live()
        else:
            self._ask_snapshot(_Checking(at, at + self.timing.snapshot_for), at)

    def _checked(self, snapshot: wire.Snapshot, picture: _Picture, at: float) -> list[Observation]:
        """Tell what was missed, if it has led to the board that is there."""
        levels = self._levels(snapshot)
        if levels is None or self._missed is None:
            return []
        missed, self._missed = self._missed, None
        if any(led_to not in (UNREADABLE, stands) for led_to, stands in zip(picture.levels, levels, strict=True)):
            self._stage = _Syncing(at, at, self._complete_at)
            return self._synced(snapshot, at)
        told, was = [], missed.since
        for t, item in missed.items:
            was = max(was, min(self._clock.host_time(t), at))
            told.append(replace(item, at=at, was=was))
        picture.levels, picture.shown, picture.complete_at = levels, self._readable(levels), at
        self._was = at
        self._stage = _Live()
        return [Resumed(at, (*told, Seen(at, picture.shown, None, picture.last)))]

    def _refused(self, nak: wire.Nak, at: float) -> list[Observation]:
        if nak.command == wire.CommandType.RESEND and isinstance(self._stage, _Fetching):
            self._sync(at, self._complete_at)
            return []
        return [Answered(at, nak.tag, nak.command, nak.code)]

    def _apply(self, event: wire.Event, picture: _Picture, at: float) -> list[Observation]:
        """What an event tells; nothing yet where it is looked at whether nothing is missing."""
        told = self._effect(event, picture, at)
        if self._missed is None:
            return list(told)
        self._missed.items += [(event.t, item) for item in told]
        return []

    def _effect(self, event: wire.Event, picture: _Picture, at: float) -> Sequence[Seen | Pressed]:
        saw = self._clock.host_time(event.t)
        was = None
        if isinstance(self._stage, _Fetching) or at - saw > self.timing.late_after:
            was = self._was = max(self._was, min(saw, at))
        picture.last, picture.last_t = event.seq, event.t
        if 1 <= event.key <= len(picture.levels):
            levels = list(picture.levels)
            levels[event.key - 1] = event.level
            picture.levels = tuple(levels)
            return self._show(picture, at, was)
        if event.key in wire.BUTTONS and event.level:
            return [Pressed(at, wire.Key(event.key), was, event.seq)]
        return []

    def _show(self, picture: _Picture, at: float, was: float | None) -> Sequence[Seen]:
        shown = self._readable(picture.levels)
        if shown == picture.shown:
            return []
        picture.shown = shown
        if was is None:
            self._was = at
        return [Seen(at, shown, was, picture.last)]

    def _readable(self, levels: tuple[int, ...]) -> tuple[int, ...]:
        restless = self._restless
        if not restless:
            return levels
        return tuple(UNREADABLE if place in restless else level for place, level in enumerate(levels, 1))

    def _levels(self, snapshot: wire.Snapshot) -> tuple[int, ...] | None:
        """The places' levels; None where the snapshot does not fit the board that said HELLO."""
        hello = self.hello
        if hello is None:
            return None
        try:
            levels = wire.unpack_levels(snapshot.packed, hello.places + hello.buttons, hello.levels)
        except wire.MalformedError:
            self.bad.length += 1
            return None
        return levels[: hello.places]

    def _synced(self, snapshot: wire.Snapshot, at: float) -> list[Observation]:
        # The one that a board sends at its start may be old by the time it is heard; an answer is not.
        levels = self._levels(snapshot) if snapshot.tag else None
        if levels is None or not isinstance(self._stage, _Syncing):
            return []
        told: list[Observation] = []
        hole_since = self._stage.hole_since
        if hole_since is not None and not self._owes_back:
            told.append(Lost(at, "events_lost"))
            self._owes_back = True
        if self._owes_back:
            told.append(Back(at))
            self._owes_back = False
        shown = self._readable(levels)
        self._picture = _Picture(levels, shown, snapshot.seq, snapshot.t, at)
        self._heard_t = snapshot.t
        self._was = at
        self._stage = _Live()
        return [*told, Seen(at, shown, None, snapshot.seq)]

    @property
    def _complete_at(self) -> float | None:
        return None if self._picture is None else self._picture.complete_at

    def _sync(self, at: float, hole_since: float | None) -> None:
        self._missed = None
        self._ask_snapshot(_Syncing(at, at + self.timing.snapshot_for, hole_since), at)

    def _ask_snapshot(self, stage: _Syncing | _Checking, at: float) -> None:
        self._send(wire.AskSnapshot)
        self._stage = replace(stage, ask_at=at + self.timing.ask_every)

    def _ask_resend(self, stage: _Fetching, at: float) -> None:
        picture = self._picture
        if picture is not None:
            first = (picture.last + 1) % wire.SEQ_MODULUS
            self._send(lambda tag: wire.Resend(tag, first))
        self._stage = replace(stage, ask_at=at + self.timing.ask_every, tries=stage.tries + 1)

    def _send(self, command: Callable[[int], wire.HostCommand]) -> int:
        self._tag = TAGS[(TAGS.index(self._tag) + 1) % len(TAGS)] if self._tag else TAGS[0]
        self._out += wire.encode_command(command(self._tag))
        return self._tag

    def _end(self, last: Refused | Ended) -> list[Observation]:
        self._stage = _Over()
        self._out.clear()
        return [last]
