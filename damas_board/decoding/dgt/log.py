"""The log that a DGT board keeps by itself: its bytes to entries, and what was played while nobody listened.

What is in it. A ring of 0x1F00 bytes: each field that changed, the clock's times when its lever was pressed, and marks
(the board was switched on, a start position stands, ...). It has no times, but each entry of a field says whether it
came less than about a quarter of a second after the one before (`soon`). Where the ring is full it begins in the
middle of an entry: it is read from each of the first bytes at once, and believed from where these readings agree.

How a gap is filled (`replay`). Known are the board that was told last, those that were told before it, and a dump of
the one that stands there now. From each place in the log where the first may have stood the entries are followed: they
have to lead to the last, square by square. Where the board was switched on meanwhile, all pieces have to be found again
where they stood, else something was done that nobody saw. Where the board stood so more than once, that place counts
before which the log says the same as was told (`_costs`); as good as each other are only places between which a
piece was lifted and put back: of these the latest counts. In all other cases of doubt the answer is that it is not
known (None).

When it was (`gaps`). The entries keep their order, and what came soon stays together. The steps of one move (lifting,
putting down, taking off what was captured) are given a hand's usual time, and all the rest of the time lies where the
board stood complete: between moves. So nobody has held a piece for minutes that was put down at once, and a Session
finds the board at rest after each ply, as far as the time allows. It is an estimate, and no evidence of how long a
piece was in the air.

How a field of a board of 100 fields is written is not documented: there are seven bits for it, or six as on a board of
64 fields. A wrong reading does not lead from the one board to the other, so that nothing is told of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import dropwhile, pairwise
from math import inf
from typing import Literal, NamedTuple

from damas_board.decoding.dgt.fields import marks_at, rows
from damas_board.decoding.dgt.reports import FieldChanged
from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import Shown

FIELD_TAG, SOON, LEFT = 0x40, 0x10, 0x10
"""The tag of a field that changed; with SOON less than a quarter of a second behind the entry before. LEFT: the clock's
left side."""
TIME_TAG = 0x60
MOST_DIGIT = 9
SOON_SECONDS = 0.25
"""What comes later than this after another entry is not `soon`."""
LATE_SECONDS = 1.0
"""So much later than a board stood it may have been told."""
UNTOLD, SHORT_UNTOLD, NOT_LOGGED, OLDER = 1.0, 0.1, 1.0, 0.25
"""What a board costs that was logged and not told, for longer than a moment or not; or told and not logged; or told
before the log begins."""
AS_GOOD = 1.0
"""Ways that differ by less than this are as good as each other."""
LOOKED_BACK = 3
"""Boards of the log that are looked at for each that was told."""
HELD = 8.0
"""So long a piece may be in the air without being held for too long."""
RECENT = 12
"""So many of the boards that were told last say what was going on."""
QUICK, BRUSH, STEP, REST, END = 0.05, 0.2, 0.5, 1.0, 0.3
"""What is taken for the time before an entry that came soon, the return of a piece that was lifted just before, a step
of a move, a move; and behind the last one."""


class Tag(IntEnum):
    """Entries of one byte."""

    NOTHING = 0x00
    POWER_UP = 0x6A
    END = 0x6B
    FOUR_ROWS = 0x6C
    EMPTY_BOARD = 0x6D
    READ_OUT = 0x6E
    """The log was read by a host."""
    BEGIN_POSITION = 0x6F
    BEGIN_POSITION_TURNED = 0x7A
    START = 0x7B
    WATCHDOG = 0x7C
    SPARE = 0x7F


@dataclass(frozen=True, slots=True)
class Changed:
    """What stands on a field now."""

    field: int
    code: int
    soon: bool = False


@dataclass(frozen=True, slots=True)
class Timed:
    """What one side of the clock showed when its lever was pressed."""

    left: bool
    seconds: int


@dataclass(frozen=True, slots=True)
class Marked:
    """An entry of one byte: a Tag, or one that is not known here."""

    tag: int


Entry = Changed | Timed | Marked


class LogReader:
    """Entries out of a log whose bytes come in any pieces; once it has `ended` nothing counts any more."""

    def __init__(self, count: int, bits: Literal[6, 7] = 7, *, begins: bool = False) -> None:
        """`count`: how many fields the board has; `bits`: how many bits of an entry are a field's number.

        `begins`: an entry begins with the first byte.
        """
        self.entries: list[Entry] = []
        """The oldest first."""
        self.ended = False
        self._count = count
        self._mask = (1 << bits) - 1
        self._data = bytearray()
        self._heads = {0} if begins else {0, 1, 2}
        """Where the next entry may begin, for each of the first bytes as the beginning of one."""

    def feed(self, data: bytes) -> None:
        """More of the log's bytes, in their order."""
        self._data += data
        while not self.ended:
            head = min(self._heads)
            found = self._entry(head)
            if found is None:
                return
            entry, length = found
            agreed = len(self._heads) == 1
            self._heads.remove(head)
            self._heads.add(head + length)
            if agreed and entry is not None:
                self.ended = entry == Marked(Tag.END)
                self.entries.append(entry)

    def _entry(self, at: int) -> tuple[Entry | None, int] | None:
        """What begins at a place, or None where it is nothing, and its length; None where bytes are missing."""
        data = self._data
        if at >= len(data):
            return None
        tag = data[at]
        if tag & 0xE0 == FIELD_TAG:
            if at + 1 >= len(data):
                return None
            field = data[at + 1]
            if field & ~self._mask or field >= self._count:
                return None, 1
            return Changed(field, tag & 0x0F, bool(tag & SOON)), 2
        if tag & 0xE0 == TIME_TAG and tag & 0x0F <= MOST_DIGIT:
            if at + 2 >= len(data):
                return None
            minutes, seconds = _decimal(data[at + 1]), _decimal(data[at + 2])
            if minutes is None or seconds is None:
                return None, 1
            return Timed(bool(tag & LEFT), (tag & 0x0F) * 3600 + minutes * 60 + seconds), 3
        return Marked(tag), 1


def entries_of(data: bytes, count: int, bits: Literal[6, 7] = 7, *, begins: bool = False) -> tuple[Entry, ...]:
    """The entries of a whole log, what only fills it left out; the rest as for LogReader."""
    reader = LogReader(count, bits, begins=begins)
    reader.feed(data)
    return tuple(entry for entry in reader.entries if entry not in (Marked(Tag.NOTHING), Marked(Tag.SPARE)))


class LookBack:
    """What happened since a board was told last: asked of its log while play may go on; make one when that is asked.

    `heard` takes the changes that are told meanwhile, `read` the log; `missed`, with a dump that came behind both, says
    what there is to tell. Nothing of it may be told in any other way until then, or until this is given up.
    """

    def __init__(
        self,
        known: Shown,
        squares: SquareMap,
        mark: Callable[[int], str],
        bits: Literal[6, 7] = 7,
        *,
        senses: Mapping[int, int] | None = None,
    ) -> None:
        """`squares`: the fields of the board; `mark`, `senses` as for `replay`."""
        self._known = known
        self._squares = squares
        self._mark = mark
        self._bits = bits
        self._senses = senses
        self._heard: list[FieldChanged] = []
        self._entries: tuple[Entry, ...] | None = None

    @property
    def is_read(self) -> bool:
        return self._entries is not None

    def heard(self, change: FieldChanged) -> None:
        """The board has told of a change since its log was asked for."""
        self._heard.append(change)

    def read(self, data: bytes) -> None:
        """The whole log has come."""
        self._entries = entries_of(data, self._squares.places, self._bits)

    def missed(self, present: Shown) -> tuple[Shown, ...] | None:
        """What was shown since `known`, `present` the last of it; None where that is not certain."""
        if self._entries is None:
            return None
        entries = joined(self._entries, self._heard)
        return replay(entries, self._known, present, self._squares, self._mark, senses=self._senses)


def joined(entries: Sequence[Entry], heard: Sequence[FieldChanged]) -> tuple[Entry, ...]:
    """The entries of a log and what was heard while it came, some of which may be in it already."""
    logged = [(entry.field, entry.code) for entry in entries if isinstance(entry, Changed)]
    told = [(change.field, change.code) for change in heard]
    for count in range(min(len(told), len(logged)), 0, -1):
        if logged[-count:] == told[:count]:
            break
    else:
        count = 0
    return (*entries, *(Changed(field, code) for field, code in told[count:]))


class Step(NamedTuple):
    """One field's change, as far as the board can tell; and the marks of all fields behind it, as they are told."""

    field: int
    before: str
    mark: str
    soon: bool
    board: str

    @property
    def puts(self) -> bool:
        """Whether a piece came down, and was not only turned into a king."""
        return self.mark != "." and not (self.before != "." and _same_side(self.before, self.mark))


def replay(
    entries: Sequence[Entry],
    known: Shown,
    present: Shown,
    squares: SquareMap,
    mark: Callable[[int], str],
    *,
    senses: Mapping[int, int] | None = None,
) -> tuple[Shown, ...] | None:
    """What the board showed behind `known`, by its log, up to `present`; None where that is not certain.

    `mark`: of a piece code, as far as the board can tell; `senses`: what is told of marks, where that is less.
    """
    since = known.at if known.was is None else known.was
    seconds = max(present.at - since, 0.0)
    if len(known.rows) != len(present.rows):
        return None
    *before, then, now = (marks_at(squares, told) for told in (*known.before, known.rows, present.rows))
    found = _Gap(entries, mark, senses or {}, before, then, now).steps(seconds)
    if found is None:
        return None
    earlier, steps = found
    told, at = [], since
    for gap, step in zip(gaps(steps, seconds, earlier), steps, strict=True):
        at += gap
        told.append(Shown(present.at, rows(squares, step.board), at))
    return (*told, present)


class _Change(NamedTuple):
    field: int
    mark: str
    """As it is told."""
    soon: bool
    full: str
    """As far as the board can tell."""


class _Gap:
    """What a log may say of the time between two boards, as marks of all fields."""

    def __init__(
        self,
        entries: Sequence[Entry],
        mark: Callable[[int], str],
        senses: Mapping[int, int],
        before: Sequence[str],
        then: str,
        now: str,
    ) -> None:
        self._before = before
        self._then = then
        self._now = now
        self._changes: list[_Change | None] = []
        """None where the board was switched on."""
        for entry in entries:
            if entry == Marked(Tag.POWER_UP):
                self._changes.append(None)
            elif isinstance(entry, Changed):
                full = mark(entry.code)
                self._changes.append(_Change(entry.field, full.translate(senses), entry.soon, full))

    def steps(self, seconds: float) -> tuple[Sequence[Step], Sequence[Step]] | None:
        """What led from the one board to the other, in `seconds` at most, behind what was done right before it.

        None where that is not certain.
        """
        leading = self._leading()
        ways = {}
        for place in self._standing():
            if place in leading and self._shortest(place) <= seconds + LATE_SECONDS:
                way = self._done_since(place)
                if way is not None:
                    ways[place] = way
        if not ways:
            return None
        costs = self._costs(list(ways))
        best = min(ways, key=lambda place: (costs[place], -place))
        as_good = [place for place in ways if costs[place] < costs[best] + AS_GOOD]
        if self._plies_between(min(as_good), max(as_good)):
            return None
        return self._done_before(best), ways[best]

    def _shortest(self, place: int) -> float:
        """How long at least all has taken that is logged behind the place's next entry."""
        return SOON_SECONDS * sum(change is not None and not change.soon for change in self._changes[place + 1 :])

    def _standing(self) -> list[int]:
        """Where the first board may have stood, as far as the log says before what stands on each field."""
        places, logged = [], _Logged(self._then)
        for place, change in enumerate([*self._changes, None]):
            if not logged.wrong:
                places.append(place)
            logged.take(change)
        return places

    def _leading(self) -> set[int]:
        """From where on the last that the log says of each field is what stands there now; else it stood there then."""
        changes, places = self._changes, set()
        differing = {
            n for n, (one, other) in enumerate(zip(self._then, self._now, strict=True)) if not _agree(one, other)
        }
        open_ = set(range(len(self._now)))
        """Fields of which nothing is said behind the place."""
        for place in range(len(changes), -1, -1):
            if not differing & open_:
                places.add(place)
            change = changes[place - 1] if place else None
            said = (
                {field: "." for field in open_}
                if change is None
                else {change.field: change.mark}
                if change.field in open_
                else {}
            )
            if any(not _agree(mark, self._now[field]) for field, mark in said.items()):
                break
            open_ -= said.keys()
        return places

    def _done_since(self, place: int) -> tuple[Step, ...] | None:
        """What was done behind a place where the board stood; None where it cannot have been so.

        That is where a field that the log had not named before would have become what it was (it begins while the
        pieces are put up), or where other pieces were found when the board was switched on than stood there before.
        """
        logged = _Logged(self._then)
        for change in self._changes[:place]:
            logged.take(change)
        behind = {change.field for change in self._changes[place:] if change is not None}
        board = list(self._then)
        for field, (said, now) in enumerate(zip(logged.marks, self._now, strict=True)):
            if board[field] in "o?" and (said is not None or field not in behind):
                board[field] = said or now
        stood = [full or told for full, told in zip(logged.full, board, strict=True)]
        new = {field for field, said in enumerate(logged.marks) if said is None}
        found: list[str] | None = None
        steps = []
        for change in self._changes[place:]:
            if change is None:
                found = ["."] * len(board)
            elif found is not None:
                if change.mark == "." or not _agree(change.mark, board[change.field]):
                    return None
                found[change.field] = change.mark
            else:
                field, mark, soon, full = change
                before, board[field] = board[field], mark
                stood[field], stood_before = full, stood[field]
                if before != mark:
                    steps.append(Step(field, stood_before, full, soon, "".join(board)))
                elif field in new and self._then[field] == mark:
                    return None
                new.discard(field)
            if found is not None and all(map(_agree, found, board)):
                found = None
        return None if found is not None else tuple(steps)

    def _done_before(self, place: int) -> list[Step]:
        """The last steps before a place: as they were told, or where that does not say whose they were, by the log."""
        if "o" not in self._then:
            return _told_steps([*self._before, self._then][-RECENT:])
        recent = self._changes[max(0, place - RECENT) : place]
        while None in recent:  # the pieces that were found then are no moves
            recent = list(
                dropwhile(lambda change: change is not None and change.soon, recent[recent.index(None) + 1 :])
            )
        logged = _Logged(self._then)
        for change in self._changes[: place - len(recent)]:
            logged.take(change)
        steps = []
        for change in recent:
            if change is not None:
                steps.append(Step(change.field, logged.full[change.field] or "?", change.full, change.soon, self._then))
                logged.take(change)
        return steps

    def _plies_between(self, place: int, later: int) -> bool:
        """Whether both players have put pieces elsewhere between two places, and both boards are the same."""
        put = [
            change.full.lower()
            for change in self._changes[place:later]
            if change is not None and change.mark not in ".?" and not _agree(change.mark, self._then[change.field])
        ]
        return len(set(put)) > 1 or put.count("o") > 1

    def _costs(self, places: Sequence[int]) -> dict[int, float]:
        """How little what was told and what the log says agree about the time before each of `places`.

        It is the price of the cheapest way to lay what was told, the last at the place, along the log's boards.
        """
        told = [*self._before, self._then]
        first = max(0, min(places) - LOOKED_BACK * len(told))
        logged = _Logged(self._then)
        for change in self._changes[:first]:
            logged.take(change)
        prices = [OLDER * count for count in range(len(told))]
        costs = {first: prices[-1]}
        for place, change in enumerate(self._changes[first : max(places)], first + 1):
            logged.take(change)
            stood = logged.board
            following = self._changes[place] if place < len(self._changes) else None
            unseen = SHORT_UNTOLD if following is None or following.soon else UNTOLD
            costs[place] = prices[-1]
            laid = [0.0]
            for count, rows_told in enumerate(told[:-1]):
                here = prices[count] if all(map(_agree, stood, rows_told)) else inf
                laid.append(min(here, prices[count + 1] + unseen, laid[count] + NOT_LOGGED))
            prices = laid
        return {place: costs[place] for place in places}


class _Logged:
    """What stands on each field by a log, None where it has not said; `wrong`: the fields that differ from a board."""

    def __init__(self, board: str) -> None:
        self.marks: list[str | None] = [None] * len(board)
        self.full: list[str | None] = [None] * len(board)
        """The same, as far as the board can tell."""
        self.wrong: set[int] = set()
        self._board = board

    @property
    def board(self) -> str:
        """The marks, `?` where nothing is said."""
        return "".join(mark or "?" for mark in self.marks)

    def take(self, change: _Change | None) -> None:
        every = range(len(self._board))
        said = dict.fromkeys(every, (".", ".")) if change is None else {change.field: (change.mark, change.full)}
        for field, (mark, full) in said.items():
            self.marks[field], self.full[field] = mark, full
            if _agree(mark, self._board[field]):
                self.wrong.discard(field)
            else:
                self.wrong.add(field)


def _told_steps(boards: Sequence[str]) -> list[Step]:
    """The steps from each of the boards to the next; of those that were told together pieces were lifted first."""
    steps = []
    for before, after in pairwise(boards):
        changed = [field for field, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        for number, field in enumerate(sorted(changed, key=lambda field: after[field] != ".")):
            steps.append(Step(field, before[field], after[field], number > 0, after))
    return steps


def gaps(steps: Sequence[Step], seconds: float, earlier: Sequence[Step] = ()) -> list[float]:
    """The seconds before each step, of `seconds` from what was known to now; `earlier` are the steps before that."""
    begins, under_way = _begins_of_moves([*earlier, *steps], len(earlier))
    before: list[Step | None] = [earlier[-1] if earlier else None, *steps]
    waits = [
        QUICK if step.soon else REST if index in begins else BRUSH if _returns(step, before[index]) else STEP
        for index, step in enumerate(steps)
    ]
    waits.append(END)
    spare = seconds - sum(waits)
    if spare < 0:
        return [wait * seconds / sum(waits) for wait in waits[:-1]]
    # With none: what is lifted alone may be in the air now, or was captured just then. Neither may last for long.
    for index in begins or [len(steps) if under_way or spare <= HELD else 0]:
        waits[index] += spare / max(len(begins), 1)
    return waits[:-1]


def _returns(step: Step, before: Step | None) -> bool:
    """Whether a piece came back to where it was lifted just before: nothing says for how long it was in the air."""
    return before is not None and step.puts and before.field == step.field and before.before == step.mark


def _begins_of_moves(steps: Sequence[Step], first: int) -> tuple[set[int], bool]:
    """Which steps, counted from `first`, begin a move, so that a player may have thought before it.

    Before each of them no piece was in the air that came down elsewhere, none that was captured was still to be taken
    off, and the other player had moved. And whether a move was under way at `first`.
    """
    lifted_at, put_at = _carried(steps)
    in_air = {n for put, lift in lifted_at.items() for n in range(min(lift, put) + 1, max(lift, put) + 1)}
    back = [(put, lift) for put, lift in lifted_at.items() if lift >= 0 and steps[put].field == steps[lift].field]
    only_touched = {index for pair in back for index in pair}
    begins, under_way, gone, last = set(), first in in_air, "", ""
    for index, step in enumerate(steps):
        if index in only_touched:
            continue
        moved = step.mark if step.puts else step.before
        carried = index in put_at or index in lifted_at
        another = not last or moved == "o" or not _same_side(moved, last)
        clear = index not in in_air and not step.soon and (not gone or _same_side(moved, gone))
        if index == first and not another:
            under_way = True
        if index >= first and carried and another and clear:
            begins.add(index - first)
        if step.puts:
            gone, last = "", moved
        elif not carried and step.mark == ".":
            gone = moved
    return begins, under_way


def _carried(steps: Sequence[Step]) -> tuple[dict[int, int], dict[int, int]]:
    """Which step lifted the piece that another put down, and the other way round; -1 where it was in the air before.

    A new square may be told before the old one, and what was captured may never have been told as gone.
    """
    lifted_at: dict[int, int] = {}
    put_at: dict[int, int] = {}
    waiting: list[int] = []
    gone: list[int] = []
    """Lifted before another piece of that player came down: most of these never come back."""
    for index, step in enumerate(steps):
        if step.mark == "." and index not in put_at:
            waiting.append(index)
        elif step.puts:
            own, left = ([n for n in lifts if _same_side(steps[n].before, step.mark)] for lifts in (waiting, gone))
            back = [n for n in own if steps[n].field == step.field and (n == own[-1] or _goes_on(steps, index))]
            late = _told_late(steps, index)
            if back and late and _recaptures(steps, back[-1], index, late[0]):
                back = []
            lift = (back[-1:] or late or own[-1:] or left[-1:] or [-1])[0]
            waiting = [n for n in waiting if n not in own]
            gone = [n for n in (*gone, *own) if n != lift]
            lifted_at[index] = lift
            put_at[lift] = index
    put_at.pop(-1, None)
    return lifted_at, put_at


def _goes_on(steps: Sequence[Step], put: int) -> bool:
    """Whether the next piece that comes down elsewhere is of the same player as this one: this was no move."""
    behind = pairwise(steps[put:])
    following = next((step for before, step in behind if step.puts and not _returns(step, before)), None)
    return following is not None and _same_side(following.mark, steps[put].mark)


def _recaptures(steps: Sequence[Step], lift: int, put: int, late: int) -> bool:
    """Whether a piece was captured on a square where another one of its player came down next, which is lifted `late`.

    Else it was put back. No other piece has come down meanwhile, and the one that is lifted late does not next.
    """
    following = (step for step in steps[late + 1 :] if step.puts or step.mark == ".")
    after = next((one for one in following if _same_side(one.mark if one.puts else one.before, steps[put].mark)), None)
    return not any(step.puts for step in steps[lift + 1 : put]) and (after is None or not after.puts)


def _told_late(steps: Sequence[Step], put: int) -> list[int]:
    """The step that lifts the piece that has come down already, if there is one: the next one, or one that came soon.

    Nobody lifts another piece behind a move, but to put it back.
    """
    side, touched, first = steps[put].mark, -1, True
    for index in range(put + 1, len(steps)):
        step = steps[index]
        if step.puts and step.field == touched:
            continue
        if not (step.soon or first):
            break
        first = False
        if step.mark == "." and step.field != steps[put].field and _same_side(step.before, side):
            after = next((later for later in steps[index + 1 :] if later.puts), None)
            if after is None or after.field != step.field or not _same_side(after.mark, side):
                return [index]
            touched, first = step.field, True
        elif not step.soon:
            break
    return []


def _agree(one: str, other: str) -> bool:
    """Whether two marks may be of the same piece."""
    return one == other or "?" in (one, other) or ("o" in (one, other) and "." not in (one, other))


def _same_side(one: str, other: str) -> bool:
    """Whether two pieces may be of the same player."""
    return one.lower() == other.lower() or not {"o", "?"}.isdisjoint((one, other))


def _decimal(byte: int) -> int | None:
    """Two decimal digits up to 59, or None."""
    tens, ones = byte >> 4, byte & 0x0F
    return tens * 10 + ones if tens < 6 and ones <= MOST_DIGIT else None
