"""The talk with one DGT board on a line of its own: bytes and times in, what it tells and bytes to send out; pure.

How it works. One thing is asked at a time: a board has room for ten bytes only, and a dump takes a tenth of a second at
9600 baud. The talk goes through stages:

    draining     the board is told to be quiet, and what comes for a moment is passed over: it was meant for nobody
    greeting     changes and the version, or something else, are asked for until anything comes that a DGT board says
    naming       the serial number is asked for until two answers in a row are the same
    showing      dumps are asked for until one is believed (`belief`); only then the board is shown
    remembering  where something was known of the board before: its own log is read (`log`), then another dump
    live         that a field has changed is a wake-up: a dump is asked for, and that is the truth
    ended        nobody answers, or it is no board for this table: the port is to be closed

A board that was restarted tells no changes until it is asked for them again. So a dump is asked for now and then,
however still the board is; one that shows what was not told makes the talk ask for changes again, and for dumps more
often until some come. A message that did not come whole is a wake-up as well. Any answer is a sign of life; the serial
number is asked for again and again, since another number, twice, is another board.

The log is told as `Missed` only if it leads from what was known exactly to what stands there. Whatever goes wrong with
it, what stood on the board when it was asked for is shown, and what has been told to have changed since.

Nothing here ever sends what writes to a board's memory, starts its boot loader or asks for its trade mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from damas_board.decoding.dgt.belief import Belief, Patience, Reading
from damas_board.decoding.dgt.clock import ClockMessage, ClockTimes
from damas_board.decoding.dgt.fields import Colour, playing_colour
from damas_board.decoding.dgt.frames import LOG_BYTES, Command, FrameReader, Message
from damas_board.decoding.dgt.log import LookBack
from damas_board.decoding.dgt.reading import BoardReading, Found, Setting
from damas_board.decoding.dgt.reports import (
    FIELDS,
    Battery,
    BusAddress,
    ClockSaid,
    Dump,
    FieldChanged,
    Fields,
    Log,
    LongSerialNumber,
    Odd,
    Report,
    SerialNumber,
    Trademark,
    Version,
    report,
)
from damas_board.decoding.talk import Away, Condition, Greeted, Hopeless, Missed, Remark, Shown, Talk, Told

NONSENSE = 16_384
"""So many bytes that mean nothing, and none between them that do, are no DGT board's: its longest message is half."""
NAME_TRIES = 2
"""How often a board that answers is asked for its serial number before it is taken for one that has none."""
TRIES = 2
"""So many dumps of another size are a board of another size; so many not answered, one that knows no such dump."""
MOST_CHANGES = 1000
"""So many while a log is read are a contact that is never still: nothing is made of them."""
REMARKS = 20
"""So many oddities of a talk are told for the log; the others are counted."""

Stage = Literal["draining", "greeting", "naming", "showing", "remembering", "live", "ended"]
_FOREVER = float("inf")
_TALKING: tuple[Stage, ...] = ("naming", "showing", "remembering", "live")
_ANSWERS: Mapping[int, Command] = {
    Message.CLOCK: Command.CLOCK,
    Message.DUMP: Command.DUMP,
    Message.DUMP_BLACK: Command.DUMP_BLACK,
    Message.DUMP_WHITE: Command.DUMP_WHITE,
    Message.SERIAL_NUMBER: Command.SERIAL_NUMBER,
    Message.LONG_SERIAL_NUMBER: Command.LONG_SERIAL_NUMBER,
    Message.VERSION: Command.VERSION,
    Message.BATTERY: Command.BATTERY,
    Message.LOG: Command.LOG,
}
_DUMPS: Mapping[Fields, Command] = {
    "all100": Command.DUMP,
    "all64": Command.DUMP,
    "black50": Command.DUMP_BLACK,
    "white50": Command.DUMP_WHITE,
}
_GREETINGS = (Command.VERSION, Command.SERIAL_NUMBER, Command.DUMP)
"""One after another: not every board has an answer to each."""
_URGENT = frozenset({*_DUMPS.values(), Command.LOG})
"""What is waited for even where a dump is wanted."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long what is waited for, seconds; a board by Bluetooth at half speed has its time as well."""

    drain: float = 0.3
    greet_every: float = 2.0
    greet_for: float = 8.0
    """Without any answer."""
    flow_for: float = 15.0
    """The same where something still comes: a board may be sending its log to whoever asked before."""
    answer_for: float = 1.0
    """Without a byte."""
    show_for: float = 10.0
    """Until what a board says is believed, at first and later."""
    stall: float = 0.2
    """A message of which no more comes is not going to be whole."""
    dump_every: float = 1.0
    """However still the board is."""
    look_every: float = 0.3
    """The same where it does not tell what changes."""
    heard: float = 0.25
    few: float = 0.5
    many: float = 2.0
    """As in Patience."""
    gap: float = 3.0
    """A change that was not told is a hole where the board was believed longer ago than this."""
    serial_every: float = 5.0
    silent_after: float = 4.0
    clock_soon: float = 0.5
    clock_every: float = 1.5
    """A clock that runs and says nothing is asked."""
    still_clock_every: float = 15.0
    battery_every: float = 60.0
    """As often is a board asked for its serial number that did not say it."""
    log_begins: float = 3.0
    log_for: float = 30.0
    known_for: float = 3.0
    """In so short a time nothing was played that left the board as it was."""
    noisy_for: float = 300.0
    """So long after a message that did not come whole a log is not believed."""
    condition_every: float = 10.0

    @property
    def patience(self) -> Patience:
        return Patience(self.heard, self.few, self.many)

    def scaled(self, speed: float) -> Timing:
        """The same patience in real time where the caller's clock runs `speed` times faster than time."""
        return replace(self, **{item.name: getattr(self, item.name) * speed for item in fields(self)})


@dataclass(slots=True)
class _Asked:
    """What was asked and is not answered."""

    command: Command
    since: float
    heard_at: float
    """When the last byte of the answer came; before, when it was asked."""


class DgtTalk(Talk):
    """A board in single mode."""

    def __init__(
        self,
        at: float,
        setting: Setting,
        known: Shown | None = None,
        timing: Timing | None = None,
        found: Found | None = None,
    ) -> None:
        """`known`: what was told of the board last, by a talk before this one; `found`: what those found out of it."""
        self._setting = setting
        self._timing = timing or Timing()
        self._known = known
        self._reader = FrameReader()
        self._found = found or Found()
        self._reading = BoardReading(setting, None if known is None else known.rows, self._found)
        self._out = bytearray((Command.RESET,))
        self._stage: Stage = "draining"
        self._since = at
        """When the stage began."""
        self._asked: _Asked | None = None
        self._unanswered: Counter[Command] = Counter()
        """How many times in a row each question was not answered."""
        self._wishes: list[Command] = []
        """What is asked for once, when nothing is more urgent."""
        self._stalled_at = -_FOREVER
        """The last byte of a message of which no more came."""
        self._byte_at = self._heard_at = at
        """When the last byte came, and the last message."""
        self._nonsense = self._dropped = 0
        """The bytes since the last message that mean nothing, and the reader's count of all of them."""
        self._greet_at = at
        self._greetings = 0
        self._serial: str | None = None
        """The serial number that was heard last."""
        self._named: str | None = None
        """The one that is believed."""
        self._facts: dict[str, str | int] = {}
        self._playing: Colour = "white" if setting.fields == "white" else "black"
        self._kinds = _kinds(setting)
        """The dumps that are asked for, in turn."""
        self._beliefs = {kind: Belief(self._timing.patience) for kind in FIELDS}
        self._misfits = 0
        """Dumps in a row of a board of another size."""
        self._dump_wanted = True
        self._sign_wanted = False
        """Whether a board that did not say what stands on it is asked for something else, to see if it is there."""
        self._dumped_at = self._believed_at = at
        """When a dump came last, and when one was believed."""
        self._changed_at = at
        """When a change was told last."""
        self._tells_changes = True
        self._updates_at = at
        """When changes were asked for last."""
        self._rows: str | None = None
        """What was shown last; None where the board is away, or was never shown."""
        self._untold: list[tuple[float, str]] = []
        """Boards that are believed and were not shown, and when they stood: a log is read before."""
        self._look_back: LookBack | None = None
        self._changes = 0
        """Those told since it was asked for."""
        self._clock_at = self._battery_at = self._serial_at = _FOREVER
        """When they are asked again."""
        self._condition: dict[str, str | int | float] = {"nonsense_bytes": 0}
        self._condition_told = dict(self._condition)
        self._condition_at = at
        self._remarks = 0

    # Talk

    @property
    def deadline(self) -> float:
        match self._stage:
            case "ended":
                return _FOREVER
            case "draining":
                return self._since + self._timing.drain
            case "greeting":
                return min(self._greet_at, self._nobody_at)
            case _:
                pass
        due = self._next_at if self._asked is None else self._unanswered_at(self._asked)
        return min(due, self._silent_at, self._unbelieved_at, self._stall_at, self._reading.lever.deadline)

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        told: list[Told] = []
        if self._stage == "ended" or not data:
            return told
        asked = self._asked
        was_coming = asked is not None and self._is_coming(asked.command)
        frames = self._reader.feed(data)
        if self._reader.dropped > self._dropped and self._stage in _TALKING:
            self._has_lost(at)
        self._nonsense += self._reader.dropped - self._dropped
        self._dropped = self._reader.dropped
        self._byte_at = at
        if self._asked is not None and self._asked.command is Command.LOG:
            self._asked.heard_at = self._heard_at = at  # also where it is broken: nothing else comes until it is over
        elif self._asked is not None and self._is_coming(self._asked.command):
            self._asked.heard_at = at
        for frame in frames:
            if self._stage not in ("draining", "ended"):
                self._hear(frame.id, report(frame), at, told)
        if asked is not None and was_coming and asked is self._asked and not self._is_coming(asked.command):
            self._is_broken_off(asked)
        if self._nonsense > NONSENSE:
            self._end(at, told, "not_dgt", bytes=self._nonsense)
        return told

    def tick(self, at: float) -> Sequence[Told]:
        told: list[Told] = []
        if self._stage == "draining" and at >= self._since + self._timing.drain:
            self._go_to("greeting", at)
            self._greet_at = at
        if self._stage == "greeting":
            self._greet(at, told)
        elif self._stage in _TALKING:
            self._do_what_is_due(at, told)
        return told

    def data_to_send(self) -> bytes:
        out = bytes(self._out)
        self._out.clear()
        return out

    # What is due

    @property
    def _nobody_at(self) -> float:
        timing = self._timing
        latest = max(self._since + timing.greet_for, self._byte_at + timing.answer_for)
        return min(latest, self._since + timing.flow_for)

    @property
    def _silent_at(self) -> float:
        return self._heard_at + self._timing.silent_after

    @property
    def _stall_at(self) -> float:
        """When a message that has begun, and was not asked for, is not going to be whole."""
        if self._reader.begun is None or self._stalled_at == self._byte_at:
            return _FOREVER
        return self._byte_at + self._timing.stall

    @property
    def _unbelieved_at(self) -> float:
        """When a board that answers, and says nothing that can be believed, is not waited for any longer."""
        match self._stage:
            case "showing" | "remembering" if self._wants_log:
                return _FOREVER
            case "showing" | "remembering":
                return self._since + self._timing.show_for
            case "live":
                return (self._dumped_at if self._rows is None else self._believed_at) + self._timing.show_for
            case _:
                return _FOREVER

    def _unanswered_at(self, asked: _Asked) -> float:
        if asked.command is not Command.LOG:
            return asked.heard_at + (self._timing.stall if self._is_coming(asked.command) else self._timing.answer_for)
        patience = self._timing.answer_for if asked.heard_at > asked.since else self._timing.log_begins
        return min(asked.heard_at + patience, asked.since + self._timing.log_for)

    @property
    def _look_at(self) -> float:
        timing = self._timing
        still = self._tells_changes and len(self._kinds) == 1
        return self._dumped_at + (timing.dump_every if still else timing.look_every)

    @property
    def _next_at(self) -> float:
        """When something is asked, where nothing is that is not answered."""
        if self._stage == "naming" or self._wants_log or self._dump_wanted or self._wishes:
            return self._heard_at
        return min(self._look_at, self._serial_at, self._clock_at, self._battery_at)

    def _is_coming(self, command: Command) -> bool:
        """Whether the answer to it has begun."""
        partial = self._reader.partial
        return partial is not None and _ANSWERS.get(partial.id) is command

    @property
    def _wants_log(self) -> bool:
        return self._look_back is not None and not self._look_back.is_read

    def _greet(self, at: float, told: list[Told]) -> None:
        if at >= self._nobody_at:
            self._end(at, told, "no_dgt_board", seconds=round(at - self._since, 1))
        elif at >= self._greet_at:
            self._greet_at = at + self._timing.greet_every
            self._ask_changes(at)
            self._out.append(_GREETINGS[self._greetings % len(_GREETINGS)])
            self._greetings += 1

    def _do_what_is_due(self, at: float, told: list[Told]) -> None:
        if at >= self._silent_at:
            self._end(at, told, "silent", seconds=self._timing.silent_after)
            return
        if self._asked is not None and at >= self._unanswered_at(self._asked):
            self._was_not_answered(self._asked, at, told)
        if at >= self._unbelieved_at and not self._is_away(at, told):
            return
        if at >= self._stall_at:
            self._stalled_at = self._byte_at
            self._has_lost(at)
        told += self._reading.lever.due(at)
        if self._stage == "live" and self._dump_wanted and not self._waits_for_urgent:
            self._asked = None  # its answer is welcome all the same
        if self._asked is None and at >= self._next_at:
            self._ask(self._next(at), at)
        if self._is_coming(Command.LOG) and self._wants_log and (partial := self._reader.partial) is not None:
            self._condition["log_percent"] = len(partial.payload) * 100 // LOG_BYTES
        if self._condition.keys() != self._condition_told.keys() or at >= self._condition_due:
            self._tell_condition(at, told)

    @property
    def _condition_due(self) -> float:
        return self._condition_at + self._timing.condition_every

    @property
    def _waits_for_urgent(self) -> bool:
        return self._asked is not None and self._asked.command in _URGENT

    def _next(self, at: float) -> Command:
        if self._stage == "naming":
            return Command.SERIAL_NUMBER
        if self._wants_log:
            return Command.LOG
        if self._sign_wanted:
            self._sign_wanted = False
            return Command.SERIAL_NUMBER
        if self._dump_wanted or at >= self._look_at:
            return _DUMPS[self._kinds[0]]
        if self._wishes:
            return self._wishes.pop(0)
        if at >= self._serial_at:
            return Command.SERIAL_NUMBER
        if at >= self._clock_at:
            return Command.CLOCK
        return Command.BATTERY

    def _ask(self, command: Command, at: float) -> None:
        self._asked = _Asked(command, at, at)
        self._out.append(command)
        if command in _DUMPS.values():
            self._dump_wanted = False
            self._kinds = (*self._kinds[1:], self._kinds[0])
        elif command is Command.CLOCK:
            self._clock_at = at + self._timing.still_clock_every
        elif command is Command.BATTERY:
            self._battery_at = _FOREVER
        elif command is Command.SERIAL_NUMBER:
            self._serial_at = self._serial_next(at)

    def _serial_next(self, at: float) -> float:
        return at + (self._timing.serial_every if self._named else self._timing.battery_every)

    def _ask_changes(self, at: float) -> None:
        """Have the board tell what changes."""
        self._updates_at = at
        self._out.append(Command.NICE_UPDATES)

    def _was_not_answered(self, asked: _Asked, at: float, told: list[Told]) -> None:
        command, self._asked = asked.command, None
        self._unanswered[command] += 1
        if command is Command.SERIAL_NUMBER and self._stage == "naming":
            if self._unanswered[command] >= NAME_TRIES:
                self._is_named(at, told)
        elif command is Command.LOG:
            self._out.append(Command.RESET)
            self._ask_changes(at)
            self._forget_log(at, told)
        elif command in _DUMPS.values():
            self._dump_wanted = True
            self._ask_changes(at)
            if self._byte_at > asked.since:
                self._unanswered[command] = 0  # something came, it may have been the answer
            elif self._unanswered[command] >= TRIES and self._kinds == ("all100",) and self._may_be_half:
                self._kinds = ("black50", "white50")
            self._sign_wanted = self._unanswered[command] >= TRIES

    @property
    def _may_be_half(self) -> bool:
        """Whether fifty fields may be all that the board has to tell."""
        return self._setting.fields == "auto" and self._stage == "showing"

    # What comes

    def _hear(self, id_: int, said: Report, at: float, told: list[Told]) -> None:
        self._heard_at = at
        if self._asked is not None and _ANSWERS.get(id_) is self._asked.command:
            self._unanswered[self._asked.command] = 0
            self._asked = None
        if isinstance(said, Odd):
            self._is_odd(said, at, told)
            return
        self._nonsense = 0
        if self._stage == "greeting":
            self._go_to("naming", at)
        match said:
            case Dump() if self._stage in ("showing", "remembering", "live"):
                self._is_dumped(said, at, told)
            case FieldChanged():
                self._has_changed(said, at)
            case SerialNumber(text):
                self._hear_name(text, at, told)
            case Version():
                self._facts["version"] = said.text
            case LongSerialNumber(text) if self._stage == "live":
                self._facts["long_serial_number"] = text
                told.append(Greeted(at, self._named, dict(self._facts)))
            case ClockSaid(message) if self._stage == "live":
                told += self._reading.clock(message, at)
                self._clock_was_heard(message, at)
            case Battery():
                self._battery_was_heard(said, at, told)
            case Log() | BusAddress() | Trademark() if not self._wants_log:
                self._has_lost(at)  # nobody asked: it was to be something else
            case Log(data) if len(data) != LOG_BYTES:
                self._forget_log(at, told)
            case Log(data) if self._look_back is not None:
                self._look_back.read(data)
                self._condition["log_percent"] = 100
                self._since = at
                self._dump_wanted = True

    def _is_odd(self, odd: Odd, at: float, told: list[Told]) -> None:
        self._condition["odd_messages"] = int(self._condition.get("odd_messages", 0)) + 1
        if odd.id == Message.FIELD or _ANSWERS.get(odd.id) in _DUMPS.values():
            self._has_lost(at)
        if self._remarks < REMARKS:
            self._remarks += 1
            told.append(Remark(at, f"an odd message {odd.id:#04x}: {odd.why}"))

    def _hear_name(self, text: str, at: float, told: list[Told]) -> None:
        """Two answers in a row that are the same are believed."""
        sure = text == self._serial
        self._serial = text
        if not sure or text == self._named:
            return
        self._named = text
        self._is_named(at, told)

    def _is_named(self, at: float, told: list[Told]) -> None:
        told.append(Greeted(at, self._named, dict(self._facts)))
        if self._stage == "naming":
            self._go_to("showing", at)

    def _has_changed(self, change: FieldChanged, at: float) -> None:
        self._changed_at = at
        self._reading.lever.moved(at)
        self._tells_changes = True
        self._dump_wanted = True
        whole = _whole(self._setting)
        for kind in self._kinds:
            if kind == whole:
                self._beliefs[kind].changed(at, change.field, change.code)
            else:
                self._beliefs[kind].hear()
        if self._look_back is not None and self._changes < MOST_CHANGES:
            self._look_back.heard(change)
            self._changes += 1

    def _has_lost(self, at: float) -> None:
        """Something did not come whole: that something changed, or what a board says that has just been switched on."""
        self._dump_wanted = True
        if self._stage == "live":
            self._found.noise_at = at
            if at >= self._updates_at + self._timing.dump_every:
                self._ask_changes(at)
        for kind in self._kinds:
            self._beliefs[kind].hear()

    def _is_broken_off(self, asked: _Asked) -> None:
        """Another message has begun in the middle of the answer: it is not going to come; only a log goes on."""
        if asked.command is not Command.LOG:
            self._asked = None
            self._dump_wanted = self._dump_wanted or asked.command in _DUMPS.values()

    def _clock_was_heard(self, message: ClockMessage, at: float) -> None:
        if not self._setting.clock:
            return
        watch, timing = self._reading.clock_watch, self._timing
        running = isinstance(message, ClockTimes) and message.running
        wait = timing.clock_every if running else timing.still_clock_every
        self._clock_at = at + (timing.clock_soon if watch.doubtful else wait)
        if watch.connected is not None:
            self._condition["clock"] = "connected" if watch.connected else "none"
        if watch.battery_low:
            self._condition["clock_battery"] = "low"

    def _battery_was_heard(self, battery: Battery, at: float, told: list[Told]) -> None:
        self._battery_at = at + self._timing.battery_every
        self._found.battery = True
        facts = {
            "battery_percent": battery.percent,
            "battery_minutes": battery.left_minutes,
            "charging": None if battery.charging is None else int(battery.charging),
        }
        self._condition |= {name: value for name, value in facts.items() if value is not None}
        self._tell_condition(at, told)

    # What stands on the board

    def _is_dumped(self, dump: Dump, at: float, told: list[Told]) -> None:
        self._dumped_at = at
        if not self._reading.fits(dump.fields):
            self._misfits += 1
            self._dump_wanted = True
            if self._misfits >= TRIES:
                self._end(at, told, "wrong_fields", found=FIELDS[dump.fields], expected=self._setting.size**2)
            return
        self._misfits = 0
        if dump.fields not in self._kinds:
            if dump.fields != _whole(self._setting):
                return
            self._kinds = (dump.fields,)  # it was late
        belief = self._beliefs[dump.fields]
        readings = belief.dumped(at, dump.codes)
        if readings is None:
            self._dump_wanted = True
            if self._stage == "live":
                self._condition["dumps_again"] = int(self._condition.get("dumps_again", 0)) + 1
            return
        if len(self._kinds) == 2 and not self._sees_which_half():
            return
        if dump.fields == _whole(self._setting):
            self._dump_wanted = False
        self._is_believed(readings if dump.fields == self._shown_by else [], at, told)

    def _sees_which_half(self) -> bool:
        """Whether both dumps of fifty fields are believed; then the one that is played on is shown."""
        black, white = (self._beliefs[kind].codes for kind in ("black50", "white50"))
        if black is None or white is None:
            self._dump_wanted = True
            return False
        colour = playing_colour(black, white)
        if colour is not None:
            self._playing = colour
            self._kinds = ("black50",) if colour == "black" else ("white50",)
        else:
            self._playing = "white" if sum(map(bool, white)) > sum(map(bool, black)) else "black"
        return True

    def _is_believed(self, readings: Sequence[Reading], at: float, told: list[Told]) -> None:
        before, self._believed_at = self._believed_at, at
        kind = self._shown_by
        codes = self._beliefs[kind].codes
        assert codes is not None  # it is believed
        rows = self._reading.rows(kind, codes, self._playing)
        if len(self._kinds) == 1:
            self._untold += [(item.at, self._reading.rows(kind, item.codes, self._playing)) for item in readings]
        self._untold.append((at, rows))
        match self._stage:
            case "showing":
                self._is_first(rows, at, told)
            case "remembering":
                self._looks_back(rows, at, told)
            case "live":
                if rows != self._rows and self._beliefs[kind].holed:
                    self._is_holed(at, told)
                elif rows != self._rows and self._changed_at < before:
                    self._was_not_told(at, at - before > self._timing.gap, told)
                if self._rows is None:
                    self._untold = [(at, rows)]
                self._show(at, told)
            case _:
                pass

    @property
    def _shown_by(self) -> Fields:
        whole = _whole(self._setting)
        if self._kinds == (whole,):
            return whole
        return "white50" if self._playing == "white" else "black50"

    def _show(self, at: float, told: list[Told]) -> None:
        for was, rows in self._untold:
            if rows != self._rows:
                self._rows = rows
                self._reading.lever.moved(at)
                told.append(Shown(at, rows, was if was < at else None))
        self._untold.clear()

    def _was_not_told(self, at: float, hole: bool, told: list[Told]) -> None:
        """The board is another one, and had not said that anything changed."""
        self._tells_changes = False
        self._ask_changes(at)
        self._condition["changes_not_told"] = int(self._condition.get("changes_not_told", 0)) + 1
        if hole:
            self._is_holed(at, told)

    def _is_holed(self, at: float, told: list[Told]) -> None:
        """What happened since the board was shown last may never have been told."""
        if self._rows is not None:
            self._rows = None
            told.append(Away(at, "events_lost"))

    def _is_first(self, rows: str, at: float, told: list[Told]) -> None:
        known, kind = self._known, self._shown_by
        if known is None or len(known.rows) != len(rows) or kind != _whole(self._setting) or not self._may_remember(at):
            self._go_live(at)
            self._show(at, told)
        elif known.rows == rows and at - known.at <= self._timing.known_for:
            self._go_live(at)
            self._tell_missed(at, (Shown(at, rows),), told)
        else:
            told.append(Away(at, "log_asked"))
            reading, bits = self._reading, self._setting.log_bits
            self._look_back = LookBack(known, reading.squares(kind), reading.full_mark, bits, senses=reading.said)
            self._go_to("remembering", at)

    def _may_remember(self, at: float) -> bool:
        """Whether the board's log may tell what happened, and can be believed.

        A board whose cable was pulled had no supply; and a log is one long message, in which nothing shows what a bad
        line has changed.
        """
        gone = self._known is not None and self._known.lost == "port_lost" and not self._found.battery
        noisy = at < self._found.noise_at + self._timing.noisy_for
        return self._setting.log and not gone and not noisy

    def _looks_back(self, rows: str, at: float, told: list[Told]) -> None:
        """A dump behind the log is believed."""
        assert self._look_back is not None
        if not self._look_back.is_read:
            return
        missed = self._look_back.missed(Shown(at, rows)) if self._changes < MOST_CHANGES else None
        self._go_live(at)
        if missed is None:
            told.append(Remark(at, "the board's log does not lead to what stands on it"))
            self._show(at, told)
        else:
            self._tell_missed(at, missed, told)

    def _tell_missed(self, at: float, missed: tuple[Shown, ...], told: list[Told]) -> None:
        self._untold.clear()
        self._rows = missed[-1].rows
        told.append(Missed(at, missed))

    def _forget_log(self, at: float, told: list[Told]) -> None:
        told.append(Remark(at, "the board's log did not come"))
        self._look_back = None
        self._go_to("showing", at)
        self._known = None
        self._dump_wanted = True

    def _is_away(self, at: float, told: list[Told]) -> bool:
        """What the board says cannot be believed; whether it is gone on with."""
        if self._rows is None or self._dumped_at <= self._believed_at:
            self._end(at, told, "no_snapshot", seconds=self._timing.show_for)
            return False
        self._rows = None
        told.append(Away(at, "contradictory"))
        return True

    # The talk itself

    def _go_live(self, at: float) -> None:
        self._go_to("live", at)
        self._look_back = None
        self._wishes = [Command.LONG_SERIAL_NUMBER]
        if "version" not in self._facts:
            self._wishes.insert(0, Command.VERSION)
        self._battery_at = at
        self._serial_at = self._serial_next(at)
        if self._setting.clock:
            self._clock_at = at

    def _go_to(self, stage: Stage, at: float) -> None:
        self._stage, self._since = stage, at

    def _tell_condition(self, at: float, told: list[Told]) -> None:
        self._condition_at = at
        self._condition["nonsense_bytes"] = self._dropped
        if self._condition != self._condition_told:
            self._condition_told = dict(self._condition)
            told.append(Condition(at, dict(self._condition)))

    def _end(self, at: float, told: list[Told], why: str, **facts: str | int | float) -> None:
        self._go_to("ended", at)
        self._asked = None
        told.append(Hopeless(at, why, facts))


def _whole(setting: Setting) -> Fields:
    return "all64" if setting.size == 8 else "all100"


def _kinds(setting: Setting) -> tuple[Fields, ...]:
    match setting.fields:
        case "black":
            return ("black50",)
        case "white":
            return ("white50",)
        case _:
            return (_whole(setting),)
