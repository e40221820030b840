"""What is said on a line with several DGT boards in bus mode; pure.

Only one request is on the line at a time. The boards are visited in turn: each is asked what has changed, and where
something has, for the whole board at once. The changes are only the wake-up, the dump is the truth; it is asked for now
and then anyway. The checksums of both are short, so a dump that the changes do not explain has to last (`belief`). A
visit has no request twice, so whatever one board does, the others' turn comes. A board that does not answer is lost by
itself, and from then on asked seldom.

A dump takes more than a tenth of a second, and with many boards there is no time for one behind each change. So a board
whose changes have once led exactly to its dump is shown by its changes, as long as nothing on the line is spoiled, and
the dump that proves them comes when there is time for it. One that they do not lead to is believed instead, and from
then on dumps again, until its changes have led to one.

A board is in bus mode from power-up on. If another program has left it in single mode, the first request brings it back
and is lost; and such a board may take a byte of an address, or a checksum, for a command. So the line begins with the
one single-mode command that brings boards back, and a pause; and every request is repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple, Self

from damas_board.decoding.dgt.belief import Belief
from damas_board.decoding.dgt.bus_frames import (
    EVERYBODY,
    MOST_ADDRESS,
    PING_SPREAD,
    REQUEST,
    Answer,
    Ask,
    BusReader,
    Said,
    Spoiled,
    request,
)
from damas_board.decoding.dgt.clock import ClockMessage, ClockTimes, read_clock
from damas_board.decoding.dgt.frames import BAUD, Command
from damas_board.decoding.dgt.log import Changed, Entry, Marked, Tag, Timed, entries_of, replay
from damas_board.decoding.dgt.reading import BoardReading, Found, Setting
from damas_board.decoding.dgt.reports import MOST_CODE, Fields, Version
from damas_board.decoding.talk import Away, Condition, Greeted, Hopeless, Missed, Shown, Told

SILENT = "silent"
BITS_A_BYTE = 10
AT_ONCE = 2
"""So many times a question is asked again at once whose answer came spoiled."""
APART = 3
"""How many times longer than before a change that came soon behind another is taken for the time before one that did
not."""
LONGEST_AGO = 2.0
VERSION_TRIES = 2
"""An old board may not know the question."""
_NEVER = float("inf")
_DUMPS: Mapping[tuple[int, int], Fields] = {
    (Answer.BOARD, 100): "all100",
    (Answer.BOARD, 64): "all64",
    (Answer.BOARD, 50): "black50",
    (Answer.BLACK_FIELDS, 50): "black50",
}
_CHANGES = (Answer.CHANGES, Answer.CHANGES_EVEN)
_ANSWERS: Mapping[Ask, tuple[Answer, ...]] = {
    Ask.CHANGES: _CHANGES,
    Ask.CHANGES_AGAIN: _CHANGES,
    Ask.BOARD: (Answer.BOARD,),
    Ask.BLACK_FIELDS: (Answer.BLACK_FIELDS,),
    Ask.CLOCK: (Answer.CLOCK,),
    Ask.VERSION: (Answer.VERSION,),
    Ask.PING: (Answer.PING,),
}
KEPT_ROWS = 64
"""So many of the boards that were shown are known, for the log."""
FIELDS_OF = {8: 64, 10: 100}
"""How many fields a board has, by the squares of a side."""


@dataclass(frozen=True, slots=True)
class BusTiming:
    """Of one line, seconds."""

    timeout: float = 0.08
    """From a request to the first byte of its answer, and between two bytes: DGT's advice, for a cable."""
    tries: int = 5
    """A board that has not answered so many requests in a row is lost, ..."""
    patience: float = 3.0
    """... if it has not been heard for so long."""
    poll: float = 0.1
    """How often at most a board is asked for changes: it looks itself at its fields four or five times a second."""
    dump: float = 15.0
    """How often at most the whole board is asked for where nothing has changed, ..."""
    proof: float = 0.3
    """... and how soon where something has, which was shown already; ..."""
    dump_of_line: float = 0.25
    dump_of_board: float = 0.04
    """... both of them so often at most on the whole line, or so often for each board that is on it: the dumps take a
    sixth of the time of a line that is full."""
    clean: float = 30.0
    """For so long nothing must have been spoiled on a line where boards are shown by their changes."""
    clock: float = 1.0
    """How often at most a clock is asked that runs; nothing else tells its time."""
    clock_of_board: float = 0.1
    """The same for each board that is on the line: so the clocks take a third of its time at most."""
    clock_soon: float = 0.5
    """The same where it is not believed yet."""
    clock_still: float = 5.0
    """The same where it stands, or none is there."""
    lost: float = 2.0
    """How often at most a board is asked that is lost, ..."""
    lost_of_line: float = 0.4
    """... and any of them, where another board is there: each costs a time-out."""
    tell: float = 5.0
    """How often at most a board's counters are told."""
    dead: float = 30.0
    """With nothing heard from any board for so long the port is opened anew."""
    baud: int = BAUD

    def scaled(self, speed: float) -> Self:
        """The same patience in real time where the caller's clock runs `speed` times faster than time."""
        return replace(self, timeout=self.timeout * speed, patience=self.patience * speed)

    def wire(self, count: int) -> float:
        """How long so many bytes take."""
        return count * BITS_A_BYTE / self.baud


class Heard(NamedTuple):
    """What one board told; `address` None where it is of the line."""

    address: int | None
    told: Told


def address_of(text: str) -> int:
    """The address that belongs to the serial number on a board's box. ValueError where there is none."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MOST_ADDRESS:
        raise ValueError(
            f'"{text}" is no address of a board: it is the serial number on the box, from 00001 to {MOST_ADDRESS:05}'
        )
    return number


def address_text(address: int) -> str:
    """As it stands on the box."""
    return f"{address:05}"


class _Board:
    """One board of the line, and what is due there."""

    def __init__(self, address: int, setting: Setting, known: Shown | None, found: Found | None, at: float) -> None:
        self.address = address
        self.setting = setting
        self.reading = BoardReading(setting, None if known is None else known.rows, found)
        self.belief = Belief()
        self.dump = Ask.BLACK_FIELDS if setting.fields == "black" else Ask.BOARD
        self.fields: Fields = "all100"
        """Which its dumps are of, once there was one."""
        self.failures = 0
        self.misfits = 0
        """Dumps in a row of another board than the table's."""
        self.heard_at = at
        self.here = False
        """It answers."""
        self.away = False
        """It was told as lost."""
        self.known = known
        """What was told last."""
        self.shows = False
        """It is told what it shows."""
        self.gap: list[Entry] = []
        """What it has said of the time in which nobody heard it, ..."""
        self.gap_is_told = False
        """... and whether that is all."""
        self.greeted = False
        self.version_tries = VERSION_TRIES
        self.model: list[int] = []
        """What the changes make of the last dump that was believed; nothing where none was."""
        self.proven = False
        """Whether they have led to a dump, and always since then."""
        self.changed = False
        """Whether there were any since that dump."""
        self.packet = b""
        """The changes that it told last."""
        self.told_at = at
        """When it told of changes last, or of none."""
        self.shown_until = at
        """When the last change was that is shown."""
        self.wanted: set[Ask] = set()
        """What is asked for in this visit or the next."""
        self.next_poll = at
        self.next_dump = at
        self.next_clock = at if setting.clock else _NEVER
        self.condition: dict[str, str | int | float] = {}
        self.condition_told: dict[str, str | int | float] = {}
        self.tell_at = at

    def count(self, name: str) -> None:
        """Once more in its condition."""
        self.condition[name] = int(self.condition.get(name, 0)) + 1

    def forget(self) -> None:
        """What was believed of it is not known any more."""
        self.here, self.shows, self.gap_is_told, self.proven, self.changed = False, False, False, False, False
        self.belief, self.model, self.packet = Belief(), [], b""
        self.gap.clear()
        self.wanted.clear()

    def numbered(self, entry: Changed) -> Changed | None:
        """A change with its field as the dumps count them; None where it is in none of them."""
        if self.fields != "black50":
            return entry
        square = self.reading.squares("all100").squares[entry.field]
        dumped = self.reading.squares("black50").squares
        return replace(entry, field=dumped.index(square)) if square in dumped else None

    @property
    def due(self) -> float:
        if not self.here:
            return self.next_poll
        if self.wanted or self.version_tries:
            return -_NEVER
        return min(self.next_poll, self.next_clock, self.reading.lever.deadline)

    def next_ask(self, at: float, visit: Collection[Ask], *, may_dump: bool, may_ping: bool) -> Ask | None:
        """What comes next of this board behind what was asked in this `visit`, None where that is over.

        `may_dump`: also where nothing has changed. `may_ping`: also where it has not answered before.
        """
        if not self.here:
            may_ping = may_ping or not self.failures
            return Ask.PING if may_ping and at >= self.next_poll and not visit else None
        again = Ask.CHANGES_AGAIN in self.wanted
        asks = {
            Ask.VERSION: self.version_tries > 0,
            Ask.CHANGES_AGAIN: again and Ask.CHANGES not in visit,
            Ask.CHANGES: at >= self.next_poll and not again and Ask.CHANGES_AGAIN not in visit,
            self.dump: self.dump in self.wanted or (may_dump and at >= self.next_dump),
            Ask.CLOCK: Ask.CLOCK in self.wanted or at >= self.next_clock,
        }
        if self.failures > AT_ONCE and not visit and self.dump in self.wanted:
            return self.dump  # it may be one that does not tell its changes
        return next((ask for ask, due in asks.items() if due and ask not in visit), None)


@dataclass(slots=True)
class _Asked:
    """The request that is on the line."""

    board: _Board
    ask: Ask
    due: float
    """It counts as unanswered then."""


class BusTalk:
    """The talk on one line while its port is open. As a Talk, for several boards; none is there at first."""

    def __init__(self, at: float, timing: BusTiming | None = None) -> None:
        self._timing = timing or BusTiming()
        self._reader = BusReader()
        self._boards: dict[int, _Board] = {}
        self._turn: list[int] = []
        """The addresses in the order in which they are visited; whose turn it is comes first."""
        self._visit: set[Ask] = set()
        """What was asked in the first one's visit."""
        self._asked: _Asked | None = None
        self._free_at = at + self._timing.timeout
        """When the line may be used next; first boards that are in single mode come back from it."""
        self._dump_at = at
        """When a board may be asked for again on which nothing has changed."""
        self._ping_at = at
        """When a board may be asked for again that has not answered."""
        self._heard_at = at
        self._spoiled_at = -_NEVER
        """When an answer came last whose checksum was wrong."""
        self._out = bytearray((Command.BUS_MODE,))

    def join(
        self, address: int, setting: Setting, at: float, known: Shown | None = None, found: Found | None = None
    ) -> None:
        """Look after one more board; `known` is what was told of it last, `found` as of BoardReading.

        ValueError where it is looked after already.
        """
        if address in self._boards:
            raise ValueError(f"the board {address_text(address)} is on this line already")
        if not self._boards:
            self._heard_at = at
        self._boards[address] = _Board(address, setting, known, found, at)
        self._turn.append(address)

    def leave(self, address: int) -> None:
        """Ask this board no more."""
        del self._boards[address]
        if self._turn[0] == address:
            self._visit.clear()
        self._turn.remove(address)
        if self._asked is not None and self._asked.board.address == address:
            # Its answer may still come: the line is not free before.
            self._free_at = self._asked.due
            self._asked = None

    @property
    def deadline(self) -> float:
        """As of a Talk."""
        if self._asked is not None:
            return self._asked.due
        boards = self._boards.values()
        dues = [board.due if board.here or not board.failures else max(board.due, self._ping_at) for board in boards]
        dues += [board.tell_at for board in boards if _news(board)]
        return max(min(dues, default=_NEVER), self._free_at)

    def receive(self, data: bytes, at: float) -> Sequence[Heard]:
        """As of a Talk."""
        told: list[Heard] = []
        for item in self._reader.feed(data):
            told += self._said(item, at) if isinstance(item, Said) else self._spoiled(at)
        if self._asked is not None and self._reader.coming:
            self._asked.due = max(self._asked.due, at + self._timing.timeout)
        return told

    def tick(self, at: float) -> Sequence[Heard]:
        """As of a Talk."""
        told: list[Heard] = []
        if self._asked is not None and at >= self._asked.due:
            told += self._unanswered(self._asked, at)
        for board in self._boards.values():
            told += [Heard(board.address, lever) for lever in board.reading.lever.due(at)]
            if at >= board.tell_at and _news(board):
                board.tell_at = at + self._timing.tell
                board.condition_told = dict(board.condition)
                told.append(Heard(board.address, Condition(at, board.condition_told)))
        if self._boards and at - self._heard_at >= self._timing.dead:
            self._heard_at = at
            told.append(Heard(None, Hopeless(at, SILENT, {"seconds": round(self._timing.dead, 1)})))
        if self._turn and self._asked is None and at >= self._free_at:
            self._ask_next(at)
        return told

    def data_to_send(self) -> bytes:
        """As of a Talk."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def _ask_next(self, at: float) -> None:
        for _ in range(len(self._turn) + 1):
            board = self._boards[self._turn[0]]
            ask = board.next_ask(at, self._visit, may_dump=at >= self._dump_at, may_ping=at >= self._ping_at)
            if ask is not None:
                self._ask(board, ask, at)
                return
            self._next_turn()

    def _next_turn(self) -> None:
        self._turn.append(self._turn.pop(0))
        self._visit.clear()

    def _ask(self, board: _Board, ask: Ask, at: float) -> None:
        timing = self._timing
        board.wanted.discard(ask)
        self._visit.add(ask)
        match ask:
            case Ask.PING:
                board.next_poll = at + timing.poll
                if board.failures and any(other.here for other in self._boards.values()):
                    self._ping_at = at + timing.lost_of_line
            case Ask.CHANGES | Ask.CHANGES_AGAIN:
                board.next_poll = at + timing.poll
            case Ask.CLOCK:
                board.next_clock = at + timing.clock_still
            case Ask.VERSION:
                board.version_tries -= 1
            case _:
                board.next_dump = at + timing.dump
                pause = max(timing.dump_of_line, timing.dump_of_board * len(self._boards))
                self._dump_at = max(self._dump_at, at + pause)
        self._out += request(ask, board.address)
        self._asked = _Asked(board, ask, at + timing.wire(REQUEST) + timing.timeout)

    def _said(self, said: Said, at: float) -> list[Heard]:
        self._heard_at = at
        board = self._boards.get(said.address)
        asked = self._asked
        if asked is not None and asked.board is board and said.id in _ANSWERS[asked.ask]:
            self._asked = None
            self._free_at = at
            board.gap_is_told = board.gap_is_told or asked.ask is Ask.CHANGES
        elif board is None:
            return []
        else:
            board.count("late_answers")
        return [Heard(board.address, told) for told in self._heard(board, said, at)]

    def _heard(self, board: _Board, said: Said, at: float) -> list[Told]:
        """What an answer tells; one that comes late is as good as any, because a board tells how it is."""
        board.failures, board.heard_at = 0, at
        if not board.here:
            board.here = True
            board.wanted.add(board.dump)
            board.next_poll = at
        match said.id, said.data:
            case (Answer.VERSION, data):
                board.version_tries = 0
                version = Version(data[0], data[1]).text if data else "1.2"
                return self._greet(board, {"version": version}, at)
            case (Answer.CHANGES | Answer.CHANGES_EVEN, data):
                return self._changed(board, data, at)
            case (Answer.CLOCK, data):
                return self._clock_said(board, read_clock(data), at)
            case (_, data):
                fields = _DUMPS.get((said.id, len(data)))
                return [] if fields is None else self._dumped(board, fields, tuple(data), at)
        return []

    def _clock_said(self, board: _Board, message: ClockMessage, at: float) -> list[Told]:
        timing, watch = self._timing, board.reading.clock_watch
        told: list[Told] = list(board.reading.clock(message, at))
        running = isinstance(message, ClockTimes) and message.running
        wait = timing.clock_soon if watch.doubtful else self._clock_every if running else timing.clock_still
        board.next_clock = min(board.next_clock, at + wait)
        if watch.connected is not None:
            board.condition["clock"] = "connected" if watch.connected else "none"
        if watch.battery_low:
            board.condition["clock_battery"] = "low"
        return told

    @property
    def _clock_every(self) -> float:
        return max(self._timing.clock, self._timing.clock_of_board * len(self._boards))

    def _changed(self, board: _Board, data: bytes, at: float) -> list[Told]:
        since, board.told_at = board.told_at, at
        if not data or data == board.packet:  # nothing, or a repetition: no field comes to the same twice
            return []
        board.packet = data
        board.reading.lever.moved(at)
        entries = entries_of(data, FIELDS_OF[board.setting.size], board.setting.log_bits, begins=True)
        if not board.shows:
            board.gap += entries
        if Marked(Tag.POWER_UP) in entries:
            board.proven = False
        if board.setting.clock and any(isinstance(entry, Timed) for entry in entries):
            board.next_clock = min(board.next_clock, at + self._clock_every / 2)
        changes = [board.numbered(entry) for entry in entries if isinstance(entry, Changed)]
        return self._followed(board, [change for change in changes if change is not None], since, at)

    def _followed(self, board: _Board, changes: Sequence[Changed], since: float, at: float) -> list[Told]:
        """What changes of the time from `since` on show; nothing where a dump is to be waited for."""
        shows = board.shows and board.proven and at - self._spoiled_at >= self._timing.clean
        if shows:
            board.next_dump = min(board.next_dump, at + self._timing.proof)
        else:
            board.wanted.add(board.dump)
        told: list[Told] = []
        # What is told next happened behind what is shown: also where that was told by a dump in between.
        for change, was in zip(changes, _moments(changes, max(since, board.shown_until), at), strict=True):
            board.changed = True
            board.belief.changed(was, change.field, change.code)
            if change.field < len(board.model):
                board.model[change.field] = change.code
            if shows:
                told += self._step(board, board.fields, board.model, was, at)
        return told

    def _step(self, board: _Board, fields: Fields, codes: Sequence[int], was: float, at: float) -> list[Told]:
        """A board as it stood at a time that is later than what was shown before."""
        if was <= board.shown_until:
            return []
        board.shown_until = was
        rows = board.reading.rows(fields, codes)
        if board.known is not None and board.known.rows == rows:
            return []
        return [self._shown(board, Shown(at, rows, was if was < at else None))]

    def _greet(self, board: _Board, facts: Mapping[str, str | int], at: float) -> list[Told]:
        if board.greeted:
            return []
        board.greeted = True
        text = address_text(board.address)
        return [Greeted(at, text, {"address": text, **facts})]

    def _dumped(self, board: _Board, fields: Fields, codes: tuple[int, ...], at: float) -> list[Told]:
        if max(codes) > MOST_CODE:
            board.wanted.add(board.dump)
            return []
        if not board.reading.fits(fields):
            board.misfits += 1
            board.wanted.add(board.dump)
            if board.misfits < self._timing.tries:
                return []
            board.misfits = 0
            return [Hopeless(at, "wrong_fields", {"found": len(codes), "expected": FIELDS_OF[board.setting.size]})]
        board.fields, board.misfits = fields, 0
        readings = board.belief.dumped(at, codes)
        if readings is None:
            board.wanted.add(board.dump)
            board.proven = False
            return []
        told = self._greet(board, {}, at)
        if not board.shows:
            told.append(self._found(board, Shown(at, board.reading.rows(fields, codes))))
            board.shown_until = at
        for reading in readings:
            told += self._step(board, fields, reading.codes, reading.at, at)
        rows = board.reading.rows(fields, codes)
        if board.known is None or board.known.rows != rows:
            board.shown_until = at
            told.append(self._shown(board, Shown(at, rows)))
        led = list(codes) == board.model
        board.proven = led and (board.proven or board.changed)
        board.model, board.changed, board.away, board.shows = list(codes), False, False, True
        return told

    def _shown(self, board: _Board, shown: Shown) -> Shown:
        board.known = replace(shown, before=_before(board.known, shown.rows))
        return shown

    def _found(self, board: _Board, present: Shown) -> Told:
        """A board is believed for the first time since it was away: what happened meanwhile, if that is known."""
        known, entries, board.gap = board.known, board.gap, []
        self._shown(board, present)
        if known is None or not board.gap_is_told or not board.setting.log:
            return present
        squares = board.reading.squares(board.fields)
        numbered = [board.numbered(entry) if isinstance(entry, Changed) else entry for entry in entries]
        changes = [entry for entry in numbered if entry is not None]
        if any(isinstance(entry, Changed) and board.reading.mark(entry.code) == "o" for entry in changes):
            return present  # who moved cannot be told apart
        missed = replay(changes, known, present, squares, board.reading.mark)
        return present if missed is None else Missed(present.at, missed)

    def _spoiled(self, at: float) -> list[Heard]:
        self._spoiled_at = at
        asked = self._asked
        if asked is None:
            return []
        asked.board.count("spoiled_answers")
        return self._failed(asked, at, at_once=asked.board.failures < AT_ONCE)

    def _unanswered(self, asked: _Asked, at: float) -> list[Heard]:
        asked.board.count("unanswered")
        return self._failed(asked, at)

    def _failed(self, asked: _Asked, at: float, *, at_once: bool = False) -> list[Heard]:
        """Ask again, `at_once` or in the board's next visit, or give the board as lost."""
        board, self._asked, self._free_at = asked.board, None, at
        board.failures += 1
        match asked.ask:
            case Ask.CHANGES | Ask.CHANGES_AGAIN:
                # What the board believes to have told is not told again.
                board.wanted.add(Ask.CHANGES_AGAIN)
                if board.failures > AT_ONCE:
                    board.wanted.add(board.dump)
            case Ask.VERSION | Ask.PING:
                pass
            case ask:
                board.wanted.add(ask)
        if at_once:
            self._visit -= {asked.ask, Ask.CHANGES, Ask.CHANGES_AGAIN}
        else:
            self._next_turn()
        if board.failures < self._timing.tries or at - board.heard_at < self._timing.patience:
            if not board.here:
                board.next_poll = at + self._timing.timeout
            return []
        board.forget()
        board.next_poll = at + self._timing.lost
        if board.away:
            return []
        board.away = True
        return [Heard(board.address, Away(at, SILENT))]


def _moments(changes: Sequence[Changed], since: float, at: float) -> list[float]:
    """When changes were that a board told at `at`, and all since `since`: their order is known, and which came soon."""
    since = max(since, at - LONGEST_AGO)
    shares = list(accumulate(1 if change.soon else APART for change in changes))
    return [since + (at - since) * share / (shares[-1] + 1) for share in shares]


def _before(known: Shown | None, rows: str) -> tuple[str, ...]:
    """What was shown before `rows`, as Shown has it."""
    if known is None or known.rows == rows:
        return () if known is None else known.before
    return (*known.before, known.rows)[-KEPT_ROWS:]


def _news(board: _Board) -> bool:
    return board.condition != board.condition_told


class BusSearch:
    """Which boards are on a line, with its port open and nobody else on it; called as a Talk is, until it is `over`.

    Everybody is pinged and answers at a time of its own choice, so that answers may meet and spoil each other. Who has
    been found is told to be quiet at the next ping; it is over when as many pings as `quiet` have brought nothing new.
    """

    def __init__(self, at: float, timing: BusTiming | None = None, *, quiet: int = 2, speed: float = 1.0) -> None:
        self.found: set[int] = set()
        self.over = False
        self._timing = timing or BusTiming()
        self.deadline = at + self._timing.timeout
        self._spread = PING_SPREAD / speed
        self._quiet = self._left = quiet
        self._reader = BusReader()
        self._hush: list[int] = []
        """Who is to be told to be quiet before the next ping."""
        self._pinged = False
        self._news = False
        self._out = bytearray((Command.BUS_MODE,))

    def receive(self, data: bytes, at: float) -> None:
        """As of a Talk."""
        for item in self._reader.feed(data):
            if isinstance(item, Spoiled):
                self._news = True
            elif item.id == Answer.PING:
                self._news = self._news or item.address not in self.found
                self.found.add(item.address)
                if not self._pinged:
                    self.deadline = at

    def tick(self, at: float) -> None:
        """As of a Talk."""
        if self.over or at < self.deadline:
            return
        if self._pinged:
            self._pinged = False
            self._left = self._quiet if self._news else self._left - 1
            self._news = False
            self._hush = sorted(self.found)
            self.over = self._left <= 0
            if self.over:
                self.deadline = _NEVER
                return
        wait = self._timing.wire(REQUEST) + self._timing.timeout
        if self._hush:
            self._out += request(Ask.IGNORE_NEXT_PING, self._hush.pop(0))
        else:
            self._pinged = True
            self._out += request(Ask.PING, EVERYBODY)
            wait += self._spread
        self.deadline = at + wait

    def data_to_send(self) -> bytes:
        """As of a Talk."""
        out = bytes(self._out)
        self._out.clear()
        return out
