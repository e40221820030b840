"""The journal: every input and every event of all boards, in one SQLite file that survives a pulled plug.

How it works. One thread owns the connection that writes. Callers hand it small units of work (a few statements each)
and get a future; the thread commits at once what there is, and what arrives until the next commit may begin
(`GROUP_SECONDS` after the last one began, or when that is through) goes together, as one transaction with WAL and
synchronous=FULL: one fsync serves all boards. Marks for which nobody waits (what was fed and told nothing, what was
sent) go along with the next work, or `LATER_SECONDS` later. Numbers of inputs and `seq` of streams are given out by the
caller's thread when the work is made, in the order of the work, and become durable with it: a crash loses a tail, never
a middle, so numbers and `seq` have no holes over restarts. Where a work is refused, what its stream has behind it is
refused too, and `seq` goes on behind what is durable.

Inputs go in before they are fed. `fed` marks an input as fed and stores the events it made in the same transaction; the
events are at the same time the outbox (`sent`). Readers open connections of their own: WAL lets them read while the
thread writes.

Where the file cannot be written (the disk is full), the work is kept in memory in its order and tried again once a
second; futures resolve all the same, so that play goes on, and `alarm` says what is wrong. What memory cannot hold any
more is given up from the newest on, and the range is marked in the export; in the streams an `unwritten` stands for
each event of it, so that nobody asks for what there is not. A file beside the journal remembers that
events may have gone out that were never stored: if the process dies meanwhile, the next start begins a new epoch.

Nothing is believed at the start. SQLite finds pages that are torn, each row has a checksum for torn bytes that leave
the page whole, the log of SQLite is looked at for a tear that it would pass over, and `-mark`, a line beside the file,
says how far the journal had come: what ends before that was cut. A journal that only ends too early goes on in a new
epoch; one that is damaged is an error, unless `open` is told how to mend it (sinks/salvage.py).
"""

from __future__ import annotations

import json
import logging
import math
import os
import queue
import shutil
import sqlite3
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from damas_board.messages.envelope import rfc3339
from damas_board.messages.recording import header_object
from damas_board.messages.requests import login_of
from damas_board.session.header import Header
from damas_board.session.inputs import Input
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal_file import DAMAGES, Mend, Mended, connected, explained, finish_mending, mended_object
from damas_board.sinks.journal_mark import PRIVATE, Mark, beside, make_private
from damas_board.sinks.journal_reader import JournalReader
from damas_board.sinks.journal_rows import (
    FAILED,
    FED,
    JOURNALLED,
    MadeBy,
    OutboxRow,
    StoredGame,
    StoredInput,
    compact,
    game_sum,
    insert_event,
    insert_input,
    outbox_row,
)

__all__ = [
    "FED",
    "JOURNALLED",
    "Journal",
    "JournalError",
    "JournalReader",
    "OutboxRow",
    "StoredGame",
    "StoredInput",
    "beside",
]

log = logging.getLogger(__name__)

GROUP_SECONDS = 0.003
"""Two commits begin at least so far apart: what arrives in between goes together."""
LATER_SECONDS = 0.25
"""How long work for which nobody waits may be kept for company."""
RECENT_ROWS = 1000
"""The newest rows of the outbox that are kept in memory too, for whoever publishes them at once."""
GROUP_SIZE = 2000
RETRY_SECONDS = 1.0
WARN_FREE = 256 * 1024 * 1024
"""Less than this free on the disk, bytes, is told before it is full: a day of sixty-four boards."""
UNWRITTEN_LIMIT = 50_000
"""Units of work kept in memory while the file cannot be written."""
UNWRITTEN = "unwritten"
"""The event that stands in a stream for one that could not be written."""
ANSWERS = 1000
"""Commands kept in memory with their answers; older ones are looked up in the file."""


@dataclass(slots=True)
class _Work:
    """Statements that become durable together, in order; `game` and `at` say what is missing if they cannot."""

    statements: list[tuple[str, tuple[Any, ...]]]
    board: str = ""
    game: str | None = None
    at: float = 0.0
    inputs: int = 0
    rows: tuple[OutboxRow, ...] = ()
    stream: str = ""
    """That of the rows with a `seq`, if there are any; and the run of it to which they belong."""
    run: int = 0
    sent: int = 0
    """The row of the outbox that it marks as sent."""
    last_input: int = 0
    hurry: bool = True
    """Whether it is worth a commit of its own."""
    done: Future[None] = field(default_factory=Future)
    refused: bool = False
    """It can never be written."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command, for the login that gave it: `ack/{user}`."""

    user: str
    id: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OpenCommand:
    """A command without an answer."""

    user: str
    id: str
    board: str
    journalled: Mapping[str, Any] | None = None
    """The command, where it is in the journal as no input of a game."""
    done: bool = False
    """The game that it asked for has begun."""


@dataclass(slots=True)
class _Gap:
    since: float
    until: float
    inputs: int


class Journal(JournalReader):
    """One journal file. `Journal.open(path)`; `close()` or a `with` block writes what is pending.

    Methods that write are called from one thread (the event loop's) and return a Future that is done when the work is
    durable, or given up while `alarm` is set; they never raise for a full disk. Methods that read may be called from
    any thread and see what is durable.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection) -> None:
        self.alarm: str | None = None
        """What is wrong with writing; None while all is well."""
        self.broken: Exception | None = None
        """The fault of this program that ended the writing, for good."""
        self.mended: Mended | None = None
        """What was wrong with the file when it was opened."""
        self.warn_free = WARN_FREE
        self._disk_low = False
        self.on_change: Callable[[], None] = lambda: None
        """Called from the writer's thread when the outbox has grown, and after each change of `alarm`."""
        self.commits = 0
        """How often the file was written."""
        self.newest = 0
        """The number of the newest row of the outbox that is durable."""
        self._connection = connection
        self._lock = lock
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._backlog: deque[_Work] = deque()
        self._backlog_lock = threading.Lock()
        self._recent: deque[OutboxRow] = deque(maxlen=RECENT_ROWS)
        """The newest durable rows of the outbox, without a hole."""
        self._recent_lock = threading.Lock()
        self._gaps: dict[tuple[str, str | None], _Gap] = {}
        self._holes: dict[tuple[str, str], array[int]] = {}
        """By board and stream: number and `seq` of each row that was given up, one behind the other."""
        self._marked = False
        """It is marked beside the file that events may go out that are not in it."""
        self._closed = False
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        super().__init__(path, meta["utc"])
        self.epoch = int(meta["epoch"])
        self.anchor: str | None = meta.get("anchor")
        """What the gateway's clock remembers of this machine's own, to go on by it."""
        self.last_at: float = connection.execute(
            "SELECT max(coalesce((SELECT max(at) FROM inputs), 0.0), coalesce((SELECT max(at) FROM events), 0.0))"
        ).fetchone()[0]
        self._next_input = 1 + connection.execute("SELECT coalesce(max(number), 0) FROM inputs").fetchone()[0]
        self._next_event = 1 + connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0]
        self.newest = self._next_event - 1
        self.outbox: int = connection.execute("SELECT count(*) FROM events WHERE sent = 0").fetchone()[0]
        """How many events and answers are not marked as sent."""
        self._marked_sent: set[int] = set()
        """Rows that were marked as sent, of which the mark is not durable yet."""
        self._outbox_lock = threading.Lock()
        self._seq: dict[str, int] = dict(
            connection.execute("SELECT stream, max(seq) FROM events WHERE seq IS NOT NULL GROUP BY stream")
        )
        self._durable_seq = dict(self._seq)
        """The newest `seq` of each stream that is in the file; the writer's."""
        self._run: dict[str, int] = {}
        """How often each stream has gone on behind what is durable, since work of it was refused."""
        self._ended_run: dict[str, int] = {}
        """The newest run of each stream of which work was refused: nothing more of it is written; the writer's."""
        self._ids = {row[0] for row in connection.execute("SELECT game FROM games")}
        self._answers: dict[tuple[str, str], Mapping[str, Any] | None] = {}
        """The newest commands, oldest first."""
        self._retry_at = -math.inf
        """When writing is tried again while it is not possible; monotonic time."""
        self._next_commit = -math.inf
        """When the next commit may begin; monotonic time."""
        self._mark = Mark(self.utc, self.epoch, self._next_input - 1, self._next_event - 1)
        self._mark_file: int | None = os.open(beside(path, "-mark"), os.O_WRONLY | os.O_CREAT, PRIVATE)
        self._write_mark()
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)  # noqa: TID251
        self._thread.start()

    # opening and closing

    def condition(self) -> dict[str, Any]:
        """How the journal fares, as health tells it; looks how much room there is, and logs when that changes.

        `journal` is `ok` or what keeps it from being written; `journal_warning` (`disk_low`) and `journal_mended` are
        there only where there is something to say.
        """
        condition: dict[str, Any] = {"journal": self.alarm or "ok"}
        free = shutil.disk_usage(self.path.parent).free
        if (free < self.warn_free) != self._disk_low:
            self._disk_low = not self._disk_low
            if self._disk_low:
                log.warning("journal %s: the disk is almost full (%d MiB are free); free some", self.path, free >> 20)
            else:
                log.warning("journal %s: the disk has room again (%d MiB are free)", self.path, free >> 20)
        if self._disk_low:
            condition["journal_warning"] = "disk_low"
        if self.mended is not None:
            condition["journal_mended"] = mended_object(self.mended)
        return condition

    @classmethod
    def open(cls, path: Path, mend: Mend | None = None) -> Self:
        """The journal at `path`, made where there is none. JournalError if it is damaged, in use or not writable.

        With `mend` a damaged one is mended, and `mended` says so.
        """
        lock = connection = None
        mended: Mended | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            make_private(beside(path, "-lock"))
            lock = sqlite3.connect(beside(path, "-lock"), timeout=0, isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
            finish_mending(path)
            try:
                connection, cut = connected(path)
            except JournalError as error:
                if mend is None or error.key not in DAMAGES:
                    raise
                mended = mend(path, error)
                connection, cut = connected(path)
            journal = cls(path, connection, lock)
        except BaseException as error:
            for opened in (connection, lock):
                if opened is not None:
                    opened.close()
            if isinstance(error, sqlite3.Error | OSError):
                raise explained(path, error) from error
            raise
        journal.mended = mended or cut
        if journal.mended is not None:
            journal._tell_mended(journal.mended)
        return journal

    def _tell_mended(self, mended: Mended) -> None:
        if mended.aside is None:
            log.error("journal %s: its end is missing (%d inputs); a new epoch begins", self.path, mended.inputs)
        else:
            log.error(
                "journal %s: was damaged (%s) and is rebuilt; it is kept as %s; %d inputs are lost; told anew: %s",
                self.path,
                mended.damage,
                mended.aside.name,
                mended.inputs,
                ", ".join(mended.games) or "-",
            )
        for board, at in sorted(mended.last.items()):
            log.warning("board %s: the newest input that can be read is of %s", board, rfc3339(self.wall(at)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending and let the file go; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        self._connection.close()
        self._lock.close()
        if self._mark_file is not None:
            os.close(self._mark_file)

    # writing, from the loop's thread

    def next_game(self, board: str, at: float) -> str:
        """An id that no game of this journal has: `{board}-{utc date}-{n}`."""
        day = self.wall(at).strftime("%Y%m%d")
        n = 1
        while f"{board}-{day}-{n}" in self._ids:
            n += 1
        return f"{board}-{day}-{n}"

    def knows_game(self, game: str) -> bool:
        return game in self._ids

    def begin_game(self, header: Header, at: float, *, asked: int | None = None) -> Future[None]:
        """Store the header of a new game; `header.game` is its id, which no other game of the journal has.

        `asked` is the input that asked for it, if one did: it is thereby carried out.
        """
        if header.game is None or header.game in self._ids:
            raise ValueError(f"a new game needs an id of its own, not {header.game!r}")
        self._ids.add(header.game)
        body = compact(header_object(header))
        statement = "INSERT INTO games (game, board, at, header, crc) VALUES (?, ?, ?, ?, ?)"
        row = (header.game, header.board, at, body, game_sum(header.game, header.board, body))
        statements: list[tuple[str, tuple[Any, ...]]] = [(statement, row)]
        if asked is not None:
            statements.append(_marked(FED, asked))
        return self._submit(_Work(statements, header.board, header.game, at))

    def append(self, board: str, game: str | None, items: Sequence[Input]) -> tuple[list[int], Future[None]]:
        """Journal inputs that are about to be fed; their numbers, and when they are durable."""
        numbers = list(range(self._next_input, self._next_input + len(items)))
        self._next_input += len(items)
        statements = [insert_input(n, board, game, item, JOURNALLED) for n, item in zip(numbers, items, strict=True)]
        at = items[-1].at if items else self.last_at
        last = numbers[-1] if numbers else 0
        return numbers, self._submit(_Work(statements, board, game, at, len(items), last_input=last))

    def fed(
        self,
        board: str,
        game: str | None,
        number: int,
        events: Sequence[Mapping[str, Any]],
        answers: Sequence[Reply] = (),
    ) -> tuple[list[OutboxRow], Future[None]]:
        """Mark input `number` as fed; store the events that its Session made, with their `seq`, and what they answer.

        All of it or nothing is there after a crash: a command that was carried out is answered so.
        """
        return self._store(board, game, events, number, "session", [_marked(FED, number)], 0, answers)

    def ticked(
        self,
        board: str,
        game: str | None,
        item: Input,
        events: Sequence[Mapping[str, Any]],
        answers: Sequence[Reply] = (),
    ) -> tuple[list[OutboxRow], Future[None]]:
        """Store a tick together with the events it made."""
        number = self._next_input
        self._next_input += 1
        stored = [insert_input(number, board, game, item, FED)]
        return self._store(board, game, events, number, "session", stored, 1, answers)

    def failed(
        self, board: str, game: str | None, number: int, events: Sequence[Mapping[str, Any]]
    ) -> tuple[list[OutboxRow], Future[None]]:
        """Mark input `number` as one that no Session survives; `events` are the gateway's own."""
        return self._store(board, game, events, number, "gateway", [_marked(FAILED, number)], 0)

    def tell(
        self,
        board: str,
        game: str | None,
        events: Sequence[Mapping[str, Any]],
        answers: Sequence[Reply] = (),
        *,
        closes: int | None = None,
    ) -> tuple[list[OutboxRow], Future[None]]:
        """Store events that the gateway itself makes: they have their place in the stream, but no input.

        `closes` is an input that is thereby done with.
        """
        marks = [] if closes is None else [_marked(FED, closes)]
        return self._store(board, game, events, None, "gateway", marks, 0, answers)

    def take_command(self, user: str, id_: str, board: str, at: float) -> bool:
        """Remember that `user` sent a command with this id; False if that was known already."""
        if (user, id_) in self._answers or self._stored_answer(user, id_) is not None:
            return False
        self._remember(user, id_, None)
        statement = "INSERT INTO commands (user, id, at, board) VALUES (?, ?, ?, ?)"
        self._submit(_Work([(statement, (user, id_, at, board))], board, None, at))
        return True

    def command_answer(self, user: str, id_: str) -> Mapping[str, Any] | None:
        """The answer that was given to a command, None while there is none."""
        if (user, id_) in self._answers:
            return self._answers[user, id_]
        stored = self._stored_answer(user, id_)
        return None if stored is None or stored[0] is None else dict(json.loads(stored[0]))

    def answer_command(self, answer: Reply, board: str) -> Future[None]:
        """Store the answer to a command that no board has any more, and put it into the outbox for `ack/{user}`."""
        return self._store(board, None, [], None, "gateway", [], 0, [answer])[1]

    def unanswered(self) -> list[OpenCommand]:
        """The commands that have no answer, oldest first, as far as they are durable."""
        with self._reader() as db:
            rows = db.execute("SELECT user, id, board, at FROM commands WHERE answer IS NULL ORDER BY at").fetchall()
            return [
                OpenCommand(user, id_, board, *_journalled(db, user, id_, board, at))
                for user, id_, board, at in rows
                if self._answers.get((user, id_)) is None
            ]

    def _remember(self, user: str, id_: str, answer: Mapping[str, Any] | None) -> None:
        self._answers.pop((user, id_), None)
        self._answers[user, id_] = answer
        if len(self._answers) > ANSWERS:
            del self._answers[next(iter(self._answers))]

    def _stored_answer(self, user: str, id_: str) -> tuple[str | None] | None:
        """The answer to a command as the file has it; None where the file does not know the command."""
        with self._reader() as db:
            found: tuple[str | None] | None = db.execute(
                "SELECT answer FROM commands WHERE user = ? AND id = ?", (user, id_)
            ).fetchone()
        return found

    def answer(self, user: str, board: str, at: float, body: Mapping[str, Any]) -> Future[None]:
        """Put an object into the outbox for `ack/{user}`."""
        row = OutboxRow(self._next_event, board, f"ack/{user}", None, at, body)
        self._next_event += 1
        self._count_outbox(1)
        return self._submit(_Work([insert_event(row, None, "gateway")], board, None, at, rows=(row,)))

    def begin_epoch(self, seen: int) -> Future[None]:
        """All streams begin again: readers know more of epoch `seen` than this journal does (it was restored)."""
        self.epoch = max(self.epoch + 1, seen + 1, int(time.time() * 1000))
        return self._submit(_Work([("UPDATE meta SET value = ? WHERE key = 'epoch'", (str(self.epoch),))]))

    @property
    def unwritten(self) -> int:
        """Units of work that are not durable yet, or wait for a file that cannot be written."""
        return self._queue.qsize() + len(self._backlog)

    def set_anchor(self, anchor: str) -> Future[None]:
        """Let a later start know `anchor`."""
        self.anchor = anchor
        return self._submit(_Work([("INSERT OR REPLACE INTO meta VALUES ('anchor', ?)", (anchor,))]))

    def mark_sent(self, number: int) -> Future[None]:
        """The outbox row was acknowledged by the broker."""
        work = _Work([("UPDATE events SET sent = 1 WHERE number = ?", (number,))], hurry=False)
        with self._outbox_lock:
            if number not in self._marked_sent:  # else it went out twice, before the first mark was in the file
                self._marked_sent.add(number)
                self.outbox -= 1
                work.sent = number
        return self._submit(work)

    def report_difference(
        self, number: int, at: float, stored: Sequence[Mapping[str, Any]], replayed: Sequence[Mapping[str, Any]]
    ) -> Future[None]:
        """This code makes other events of input `number` than those that were published."""
        statement = "INSERT INTO differences (input, at, stored, replayed) VALUES (?, ?, ?, ?)"
        return self._submit(_Work([(statement, (number, at, compact(list(stored)), compact(list(replayed))))]))

    def flush(self) -> Future[None]:
        """Done when everything handed over before is durable (or `alarm` is set)."""
        return self._submit(_Work([]))

    # reading what may not be durable yet, from any thread

    def last_seq(self, stream: str) -> int:
        """The newest `seq` given out in a stream, 0 before the first.

        Where work of the stream was refused, what was given out behind it never was: the stream has no holes.
        """
        ended = self._ended_run.get(stream, -1)
        if ended >= self._run.get(stream, 0):
            self._run[stream] = ended + 1
            self._seq[stream] = self._durable_seq.get(stream, 0)
        return self._seq.get(stream, 0)

    def events(self, stream: str, after: int = 0) -> list[OutboxRow]:
        """As the file has them, and behind those the ones that cannot be written at present."""
        rows = super().events(stream, after)
        last = rows[-1].seq if rows else after
        return rows + [r for r in self._unwritten_rows() if r.stream == stream and (r.seq or 0) > (last or 0)]

    def unsent(self, after: int = 0, limit: int = 500) -> list[OutboxRow]:
        """What is still to be published, oldest first, beginning behind outbox number `after`."""
        query = (
            "SELECT number, board, stream, seq, at, body FROM events WHERE sent = 0 AND number > ? "
            "ORDER BY number LIMIT ?"
        )
        with self._reader() as db:
            rows = [outbox_row(row) for row in db.execute(query, (after, limit))]
        last = rows[-1].number if rows else after
        return (rows + [row for row in self._unwritten_rows() if row.number > last])[:limit]

    def recent(self, after: int, limit: int = 500) -> list[OutboxRow] | None:
        """Rows of the outbox behind number `after`, sent or not, oldest first; None where memory does not reach so far.

        In memory are only rows that are durable, and none while there is an alarm.
        """
        with self._recent_lock:
            reaches = self.newest <= after or (bool(self._recent) and self._recent[0].number <= after + 1)
            if self.alarm is not None or not reaches:
                return None
            found: deque[OutboxRow] = deque(maxlen=limit)
            for row in reversed(self._recent):
                if row.number <= after:
                    break
                found.appendleft(row)
            return list(found)

    # the writer

    def _store(
        self,
        board: str,
        game: str | None,
        events: Sequence[Mapping[str, Any]],
        number: int | None,
        made_by: MadeBy,
        statements: list[tuple[str, tuple[Any, ...]]],
        inputs: int,
        answers: Sequence[Reply] = (),
    ) -> tuple[list[OutboxRow], Future[None]]:
        stream = f"board/{board}" if game is None else f"game/{game}"
        rows = []
        for body in events:
            seq = self._seq[stream] = self.last_seq(stream) + 1
            rows.append(OutboxRow(self._next_event, board, stream, seq, body["at"], body))
            self._next_event += 1
        statements = statements + [insert_event(row, number, made_by) for row in rows]
        for answer in answers:
            self._remember(answer.user, answer.id, answer.body)
            row = OutboxRow(self._next_event, board, f"ack/{answer.user}", None, answer.body["at"], answer.body)
            self._next_event += 1
            mark = "UPDATE commands SET answer = ? WHERE user = ? AND id = ?"
            statements.append((mark, (compact(answer.body), answer.user, answer.id)))
            statements.append(insert_event(row, None, "gateway"))
            rows.append(row)
        self._count_outbox(len(rows))
        at = events[-1]["at"] if events else self.last_at
        last = (number or 0) if inputs else 0
        hurry = bool(rows) or inputs > 0 or made_by == "gateway"
        work = _Work(statements, board, game, at, inputs, tuple(rows), last_input=last, hurry=hurry)
        if events:
            work.stream, work.run = stream, self._run.get(stream, 0)
        return rows, self._submit(work)

    def _count_outbox(self, rows: int) -> None:
        with self._outbox_lock:
            self.outbox += rows

    def _never_written(self, work: _Work) -> None:
        """Work was refused or given up: its rows will never be in the outbox, what it marks as sent is sent again."""
        with self._outbox_lock:
            if work.sent in self._marked_sent:
                self._marked_sent.discard(work.sent)
                self.outbox += 1
            for row in work.rows:
                if row.number in self._marked_sent:
                    self._marked_sent.discard(row.number)
                else:
                    self.outbox -= 1

    def _submit(self, work: _Work) -> Future[None]:
        if self._closed:
            raise JournalError(self.path, "journal_closed")
        self.last_at = max(self.last_at, work.at)
        self._queue.put(work)
        return work.done

    def _write(self) -> None:
        try:
            self._write_on()
        except Exception as error:
            log.exception("journal %s: its writer broke; nothing is written any more", self.path)
            self._break(error)

    def _break(self, error: Exception) -> None:
        """Nothing can be written any more through a fault of this program: who waits, or comes, is told so."""
        self.broken, self.alarm = error, f"{type(error).__name__}: {error}"
        with self._backlog_lock:
            waiting = list(self._backlog)
            self._backlog.clear()
        self.on_change()
        work: _Work | None = _Work([])
        while work is not None:
            waiting.append(work)
            for one in waiting:
                if not one.done.done():
                    one.done.set_exception(error)
            waiting.clear()
            work = self._queue.get()

    def _write_on(self) -> None:
        running = True
        while running:
            works, running = self._gather()
            if works or self._backlog:
                before = (self.newest, self.alarm)
                self._take(works, last=not running)
                if (self.newest, self.alarm) != before or self.alarm is not None:
                    self.on_change()

    def _gather(self) -> tuple[list[_Work], bool]:
        """A group of work, and whether more may come; empty when it is time to try the backlog again."""
        works: list[_Work] = []
        try:
            item = self._queue.get(timeout=max(0.0, self._retry_at - time.monotonic()) if self._backlog else None)
            end = time.monotonic() + LATER_SECONDS
            while item is not None:
                works.append(item)
                if len(works) >= GROUP_SIZE:
                    return works, True
                if item.hurry:
                    end = min(end, self._next_commit)
                item = self._queue.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            return works, True
        return works, False

    def _take(self, works: list[_Work], *, last: bool) -> None:
        """Commit a group of work behind what waits already; while that is not possible, only now and then."""
        with self._backlog_lock:
            self._backlog.extend(works)
        if self.alarm is None or last or time.monotonic() >= self._retry_at:
            self._commit()
        else:
            self._give_up_what_is_too_much()
        for work in works:
            if not work.done.done():
                work.done.set_result(None)

    def _commit(self) -> None:
        pending = list(self._backlog)
        if any(self._is_cut(work) for work in pending):
            self._one_by_one(pending)
            return
        try:
            self._transaction(pending)
        except sqlite3.Error as error:
            if _may_pass(error):
                self._wait_for_room(error)
            else:
                self._one_by_one(pending)
        else:
            self._written()

    def _wait_for_room(self, error: sqlite3.Error) -> None:
        self._retry_at = time.monotonic() + RETRY_SECONDS
        self._keep(str(error))

    def _transaction(self, works: Sequence[_Work], *, gaps: bool = True) -> None:
        """Make work durable, and behind it (with `gaps`) tell what was given up."""
        self._next_commit = time.monotonic() + GROUP_SECONDS
        self.commits += 1
        fillers = self._fillers() if gaps else []
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for work in works:
                for statement, values in work.statements:
                    self._connection.execute(statement, values)
            for (board, game), gap in self._gaps.items() if gaps else ():
                self._connection.execute(
                    "INSERT INTO unwritten VALUES (?, ?, ?, ?, ?, ?)",
                    (board, game, gap.since, gap.until, gap.inputs, self.alarm or ""),
                )
            for row in fillers:
                self._connection.execute(*insert_event(row, None, "gateway"))
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        if gaps:
            self._gaps.clear()
            self._holes.clear()
            self._count_outbox(len(fillers))
        self._are_durable(works, fillers)

    def _fillers(self) -> list[OutboxRow]:
        """For each event that was given up one that says so: a stream without holes is one that can be followed."""
        fillers = []
        for (board, stream), found in self._holes.items():
            game = stream.removeprefix("game/") if stream.startswith("game/") else None
            at = self._gaps[board, game].until
            body = {"event": UNWRITTEN, "at": at}
            fillers += [
                OutboxRow(number, board, stream, seq, at, body)
                for number, seq in zip(found[::2], found[1::2], strict=True)
            ]
        return fillers

    def _are_durable(self, works: Iterable[_Work], fillers: Iterable[OutboxRow]) -> None:
        rows = sorted([*(row for work in works for row in work.rows), *fillers], key=lambda row: row.number)
        for row in rows:
            if row.seq is not None:
                self._durable_seq[row.stream] = max(row.seq, self._durable_seq.get(row.stream, 0))
        with self._outbox_lock:
            self._marked_sent.difference_update(work.sent for work in works)
        if rows:
            with self._recent_lock:
                self._recent.extend(rows)
                self.newest = rows[-1].number

    def _is_cut(self, work: _Work) -> bool:
        """Whether an earlier event of the same run of its stream was refused."""
        return bool(work.stream) and work.run <= self._ended_run.get(work.stream, -1)

    def _one_by_one(self, works: list[_Work]) -> None:
        """A statement is wrong in itself: its work fails, loudly, and takes no other board's with it.

        Of its own stream it takes what is behind it: that is told again, by who is told that it failed.
        """
        for number, work in enumerate(works):
            try:
                if self._is_cut(work):
                    raise sqlite3.IntegrityError(f"an earlier event of {work.stream} was refused")
                self._transaction([work], gaps=False)
            except sqlite3.Error as error:
                if _may_pass(error):
                    self._written(works[:number])
                    self._wait_for_room(error)
                    return
                self._refuse(work, error)
        try:
            if self._gaps:
                self._transaction([])
        except sqlite3.Error as error:
            if not _may_pass(error):
                raise
            self._written(works)
            self._wait_for_room(error)
        else:
            self._written()

    def _refuse(self, work: _Work, error: sqlite3.Error) -> None:
        work.refused = True
        if work.stream:
            self._ended_run[work.stream] = max(work.run, self._ended_run.get(work.stream, -1))
        self._never_written(work)
        log.error("the journal refused work of board %s", work.board, exc_info=error)
        if not work.done.done():
            work.done.set_exception(error)

    def _written(self, works: Sequence[_Work] | None = None) -> None:
        """`works`, the first of the backlog, are done with; all of it where none are given."""
        with self._backlog_lock:
            done = list(self._backlog) if works is None else works
            self._set_mark(work for work in done if not work.refused)
            for _ in done:
                self._backlog.popleft()
            all_done = not self._backlog
        if self.alarm is not None and all_done:
            log.warning("journal %s: can be written again", self.path)
            self.alarm, self._marked = None, False
            beside(self.path, "-unwritten").unlink(missing_ok=True)

    def _set_mark(self, works: Iterable[_Work]) -> None:
        """Remember beside the journal how far it has come; never more than what is durable."""
        mark = self._mark
        for work in works:
            events = work.rows[-1].number if work.rows else 0
            mark = replace(
                mark, inputs=max(mark.inputs, work.last_input), events=max(mark.events, events), epoch=self.epoch
            )
        if mark != self._mark:
            self._mark = mark
            self._write_mark()

    def _write_mark(self) -> None:
        if self._mark_file is None:
            return
        try:
            os.pwrite(self._mark_file, self._mark.line(), 0)
        except OSError as error:
            log.warning("journal %s: its mark cannot be written (%s); a cut would not be noticed", self.path, error)
            os.close(self._mark_file)
            self._mark_file = None

    def _give_up_what_is_too_much(self) -> None:
        with self._backlog_lock:
            while len(self._backlog) > UNWRITTEN_LIMIT:
                lost = self._backlog.pop()
                gap = self._gaps.setdefault((lost.board, lost.game), _Gap(lost.at, lost.at, 0))
                gap.since, gap.until = min(gap.since, lost.at), max(gap.until, lost.at)
                gap.inputs += lost.inputs
                self._never_written(lost)
                if not self._is_cut(lost):
                    holes = [n for row in reversed(lost.rows) if row.seq is not None for n in (row.number, row.seq)]
                    if holes:
                        self._holes.setdefault((lost.board, lost.stream), array("q")).extend(holes)

    def _keep(self, reason: str) -> None:
        self._give_up_what_is_too_much()
        first = self.alarm is None
        if first:
            self.alarm = reason
            log.error("journal %s: cannot be written (%s); play goes on, free the disk", self.path, reason)
        if not self._marked:
            try:
                beside(self.path, "-unwritten").touch(PRIVATE)
                self._marked = True
            except OSError as error:
                level = logging.ERROR if first else logging.DEBUG
                log.log(level, "journal %s: cannot even be marked as incomplete (%s)", self.path, error)

    def _unwritten_rows(self) -> list[OutboxRow]:
        """Rows that are not in the file; none where a start after a crash could not know that they had gone out."""
        if self.alarm is None or not self._marked:
            return []
        with self._backlog_lock:
            return [row for work in self._backlog for row in work.rows]


def _marked(state: int, number: int) -> tuple[str, tuple[Any, ...]]:
    return "UPDATE inputs SET state = ? WHERE number = ?", (state, number)


def _journalled(
    db: sqlite3.Connection, user: str, id_: str, board: str, at: float
) -> tuple[Mapping[str, Any] | None, bool]:
    """A command that is no input of a game, and whether it was carried out; None where it is not there."""
    query = "SELECT body, state FROM inputs WHERE game IS NULL AND board = ? AND at >= ? ORDER BY number"
    for body, state in db.execute(query, (board, at)):
        command = json.loads(body).get("command", {})
        if command.get("id") == id_ and login_of(command.get("by")) == user:
            return command, state == FED
    return None, False


def _may_pass(error: sqlite3.Error) -> bool:
    """Whether the same can be written later, as when the disk is full; else a statement is wrong in itself."""
    wrong = sqlite3.IntegrityError | sqlite3.ProgrammingError
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, wrong)
