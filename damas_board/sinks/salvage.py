"""A damaged journal: set aside, and a new one in its place with everything that can still be read.

How it works. All rows are read from the pages of the file and of its log (sinks/pages.py); those whose checksum or
content is torn are passed over. A game that lacks nothing keeps its rows. Of a game that may lack something the inputs
are fed to a new Session: if the events come out as they were published, nothing of it was lost either. Else the game
is told anew, in the new epoch: where inputs are missing, the link is lost and back, and what the published events tell
of that time is entered by command, so that what can be read in either table is in the record. A game whose header is
lost begins as its first event says, on a board as it is set up now.

The damaged file is kept as `{name}.damaged-{date}` (with its `-wal`); it is given that name before anything is
changed, and the new journal takes its place only when it is complete. An end in between begins again, or is finished
at the next start.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from damas_board.messages.entering import Published, behind, entering, published
from damas_board.messages.recording import header_from, input_from
from damas_board.regulations import Regulation
from damas_board.rules.variant import Variant
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Link, See
from damas_board.sinks import pages
from damas_board.sinks.errors import JournalError
from damas_board.sinks.fresh_journal import Fed, Telling, Writing, made_of, write_journal
from damas_board.sinks.journal_file import APPLICATION_ID, Mended, finish_mending
from damas_board.sinks.journal_mark import Mark, beside, mark_of
from damas_board.sinks.journal_rows import FED, JOURNALLED, event_sum, game_sum, input_sum

log = logging.getLogger(__name__)

LOST = "journal_damaged"
"""Why the link is lost, for a Session, where inputs are missing."""
_HEADER = '{"recording":'
_CHANGING = ("move", "move_revised", "moves_retracted", "position_set")
_OURS = b"CREATE TABLE unwritten (board TEXT NOT NULL, game TEXT,"
_NO_FORMAT = 0xFFFF
"""A number of a format that is greater was never written."""


@dataclass(frozen=True, slots=True)
class _Input:
    number: int
    board: str
    game: str | None
    item: Input
    state: int


@dataclass(frozen=True, slots=True)
class _Event:
    number: int
    input: int | None
    board: str
    stream: str
    seq: int | None
    body: Mapping[str, Any]
    made_by: str
    sent: int


@dataclass(slots=True)
class _Rows:
    """What could be read of each table."""

    meta: dict[str, str] = field(default_factory=dict)
    games: dict[str, tuple[float, Header]] = field(default_factory=dict)
    inputs: dict[int, _Input] = field(default_factory=dict)
    events: dict[int, _Event] = field(default_factory=dict)
    commands: dict[tuple[str, str], tuple[float, str, str | None]] = field(default_factory=dict)
    differences: dict[tuple[Any, ...], None] = field(default_factory=dict)
    unwritten: dict[tuple[Any, ...], None] = field(default_factory=dict)


class Mending:
    """Mends journals: what `Journal.open` is given. `headers` are the boards' own, for games whose header is lost."""

    def __init__(
        self,
        make_session: Callable[[Header], Telling],
        regulation_of: Callable[[Header], Regulation],
        headers: Sequence[Header] = (),
    ) -> None:
        self._make_session = make_session
        self._regulation_of = regulation_of
        self._headers = {header.board: header for header in headers}

    def __call__(self, path: Path, error: JournalError) -> Mended:
        """Puts what can be read into the place of the damaged journal. `error` is raised again where it is none."""
        wal_path = beside(path, "-wal")
        database, wal = path.read_bytes(), wal_path.read_bytes() if wal_path.exists() else b""
        marked = mark_of(path)
        if not _is_ours(database, wal, marked, error):
            raise error
        aside = _set_aside(path)
        rows = _readable(database, wal)
        told = _Telling(rows, marked, self._make_session, self._regulation_of, self._headers)
        epoch = _epoch(rows.meta, marked)
        write_journal(beside(path, "-mending"), _utc(rows, marked, path), epoch, told.fill)
        os.replace(beside(path, "-mending"), beside(path, "-mended"))
        finish_mending(path)
        last: dict[str, float] = {}
        for row in rows.inputs.values():
            last[row.board] = max(last.get(row.board, 0.0), row.item.at)
        mended = Mended(str(error.facts.get("damage", error.facts.get("reason", ""))), told.missing, last, aside)
        return replace(mended, games=tuple(sorted(told.anew)))


def _is_ours(database: bytes, wal: bytes, marked: Mark | None, error: JournalError) -> bool:
    """Whether a file that cannot be used was a journal of this format."""
    if error.key == "journal_format":
        found = error.facts["found"]
        return isinstance(found, int) and not 0 <= found <= _NO_FORMAT
    ours = int.from_bytes(database[68:72], "big") == APPLICATION_ID or _OURS in database[:65536] or _OURS in wal
    return ours or (error.key != "journal_foreign" and marked is not None)


def _set_aside(path: Path) -> Path:
    """The damaged file under a second name, which nothing in use has."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (f"{path.name}.damaged-{stamp}{'' if n == 1 else f'-{n}'}" for n in count(1))
    aside = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    for suffix in ("", "-wal"):
        source = beside(path, suffix)
        if source.exists():
            try:
                os.link(source, beside(aside, suffix))
            except OSError:  # a file system without links
                shutil.copy2(source, beside(aside, suffix))
    return aside


def _utc(rows: _Rows, marked: Mark | None, path: Path) -> str:
    """The wall time of `at` 0; where no trace of it is left, as if the newest thing were of the file's time."""
    known = rows.meta.get("utc") or (None if marked is None else marked.utc)
    if known is not None:
        return known
    newest = max((row.item.at for row in rows.inputs.values()), default=0.0)
    zero = datetime.fromtimestamp(path.stat().st_mtime, UTC) - timedelta(seconds=newest)
    return zero.isoformat(timespec="milliseconds")


def _epoch(meta: Mapping[str, str], marked: Mark | None) -> int:
    known = [int(meta.get("epoch", 0)), 0 if marked is None else marked.epoch]
    return max(int(datetime.now(UTC).timestamp() * 1000), *(number + 1 for number in known))


# --- what can be read


def _readable(database: bytes, wal: bytes) -> _Rows:
    found = _Rows()
    for row in pages.rows(database, wal):
        try:
            _take(found, row)
        except (ValueError, TypeError, KeyError):  # torn within a row
            continue
    return found


def _take(found: _Rows, row: pages.Row) -> None:
    """Into its table, by the shape that only its rows have; of a row that was written twice, what happened last."""
    match row.rowid, row.values:
        case int(), (None, str(game), str(board), int() | float() as at, str(header), *crc) if header.startswith(
            _HEADER
        ):
            if _sum_holds(crc, game_sum(game, board, header)):
                found.games[game] = (float(at), header_from(json.loads(header)))
        case int(number), (None, str(board), None | str() as game, int() | float(), str(body), int(state), *crc):
            if _sum_holds(crc, input_sum(number, board, game, body)):
                known = found.inputs.get(number)
                state = max(state, JOURNALLED if known is None else known.state)
                found.inputs[number] = _Input(number, board, game, input_from(json.loads(body)), state)
        case (
            int(number),
            (
                None,
                None | int() as of,
                str(board),
                str(stream),
                None | int() as seq,
                int() | float(),
                str(body),
                str(made_by),
                int(sent),
                *crc,
            ),
        ):
            if _sum_holds(crc, event_sum(number, of, stream, seq, body)):
                told = found.events.get(number)
                sent = max(sent, 0 if told is None else told.sent)
                content = json.loads(body)
                if not isinstance(content["at"], int | float):
                    raise ValueError(body)
                found.events[number] = _Event(number, of, board, stream, seq, content, made_by, sent)
        case None, (str(user), str(id_), int() | float() as at, str(board), None | str() as answer):
            if answer is not None or (user, id_) not in found.commands:
                found.commands[user, id_] = (float(at), board, answer)
        case None, (("utc" | "epoch") as key, str(value)):
            if key == "utc":
                datetime.fromisoformat(value)
            found.meta[key] = value if key == "utc" else str(max(int(value), int(found.meta.get(key, 0))))
        case int(), (int(), int() | float(), str() as stored, str() as replayed):
            json.loads(stored), json.loads(replayed)
            found.differences[row.values] = None
        case int(), (str(), None | str(), int() | float(), int() | float(), int(), str()):
            found.unwritten[row.values] = None
        case _:
            pass


def _sum_holds(crc: Sequence[object], wanted: int) -> bool:
    """Rows that were written before there were sums have none."""
    return not crc or crc[0] is None or crc[0] == wanted


# --- what becomes of the games


class _Telling:
    """Fills a new journal from rows; tells anew the games that lack something."""

    def __init__(
        self,
        rows: _Rows,
        marked: Mark | None,
        make_session: Callable[[Header], Telling],
        regulation_of: Callable[[Header], Regulation],
        headers: Mapping[str, Header],
    ) -> None:
        self._rows = rows
        self._make_session = make_session
        self._regulation_of = regulation_of
        self._headers = headers
        self._numbers = sorted(rows.inputs)
        last = max(self._numbers[-1] if self._numbers else 0, 0 if marked is None else marked.inputs)
        self._holes = _holes(self._numbers, last)
        newest = max(max(rows.events, default=0), 0 if marked is None else marked.events)
        self._event_holes = _holes(sorted(rows.events), newest)
        self.missing = sum(end - begin + 1 for begin, end in self._holes)
        """Inputs that cannot be read."""
        self.anew: set[str] = set()
        """Games that are told anew."""
        self._headless: set[str] = set()
        """Games whose header is lost."""

    def fill(self, connection: sqlite3.Connection) -> None:
        writing = Writing(connection)
        by_game: dict[str, list[_Input]] = {}
        told: dict[str, list[_Event]] = {}
        for number in self._numbers:
            row = self._rows.inputs[number]
            if row.game is not None:
                by_game.setdefault(row.game, []).append(row)
        for number in sorted(self._rows.events):
            told.setdefault(self._rows.events[number].stream, []).append(self._rows.events[number])
        games = self._games(by_game, told)
        for game, (at, header) in sorted(games.items(), key=lambda item: item[1][0]):
            writing.game(game, at, header)
        anew: dict[str, list[tuple[int, Fed]]] = {}
        for game, (at, header) in games.items():
            inputs, events = by_game.get(game, []), told.get(f"game/{game}", [])
            if self._lacks(game, inputs, events, by_game) and not self._comes_out_as_told(header, inputs, events):
                self.anew.add(game)
                anew[game] = self._told_anew(header, at, inputs, events)
        self._write(writing, games, anew)
        connection.executemany(
            "INSERT INTO commands (user, id, at, board, answer) VALUES (?, ?, ?, ?, ?)",
            [(*key, *value) for key, value in self._rows.commands.items()],
        )
        connection.executemany("INSERT INTO unwritten VALUES (?, ?, ?, ?, ?, ?)", list(self._rows.unwritten))

    def _write(
        self,
        writing: Writing,
        games: Mapping[str, tuple[float, Header]],
        anew: Mapping[str, Sequence[tuple[int, Fed]]],
    ) -> None:
        """All inputs in the order of their old numbers, then the events that stay as they are, then those told anew."""
        numbers: dict[int, int] = {}
        entries = [
            (row.number, row.board, row.game, Fed(row.item, row.state, None))
            for row in self._rows.inputs.values()
            if row.game not in self.anew
        ]
        for game, made in anew.items():
            entries += [(number, games[game][1].board, game, fed) for number, fed in made]
        fresh: list[tuple[int, str, str, list[Mapping[str, Any]]]] = []
        for number, board, of_game, fed in sorted(entries, key=lambda entry: entry[0]):
            numbers[number] = written = writing.input(board, of_game, fed.item, fed.state)
            if fed.events:
                fresh.append((written, board, f"game/{of_game}", fed.events))
        for number in sorted(self._rows.events):
            event = self._rows.events[number]
            if event.stream.removeprefix("game/") in self.anew:
                continue
            of = None if event.input is None else numbers.get(event.input)
            writing.event(event.board, event.stream, event.body, of=of, made_by=event.made_by, sent=event.sent)
        for written, board, stream, bodies in fresh:
            for body in bodies:
                writing.event(board, stream, body, of=written, made_by="session", sent=0)
        for difference in self._rows.differences:
            if difference[0] in numbers:
                writing.difference(numbers[difference[0]], *difference[1:])

    def _games(
        self, by_game: Mapping[str, Sequence[_Input]], told: Mapping[str, Sequence[_Event]]
    ) -> dict[str, tuple[float, Header]]:
        """All games of which anything is left, with their headers."""
        games = dict(self._rows.games)
        streams = [stream.removeprefix("game/") for stream in told if stream.startswith("game/")]
        for game in dict.fromkeys((*by_game, *streams)):
            if game not in games:
                inputs, events = by_game.get(game, ()), told.get(f"game/{game}", ())
                ats = [*(row.item.at for row in inputs[:1]), *(float(event.body["at"]) for event in events[:1])]
                games[game] = (min(ats), self._header(game, inputs, events))
                self._headless.add(game)
        return games

    def _header(self, game: str, inputs: Sequence[_Input], events: Sequence[_Event]) -> Header:
        """As the board is set up, and as the game's first event tells it."""
        board = inputs[0].board if inputs else events[0].board
        own = self._headers.get(board) or next(
            (header for _, header in self._rows.games.values() if header.board == board), Header(board, "")
        )
        begun = next((event.body for event in events if event.body["event"] == "game_started"), {})
        regulation = str(begun.get("regulation") or own.regulation)
        return replace(
            own,
            game=game,
            regulation=regulation,
            regulation_text=own.regulation_text if regulation == own.regulation else None,
            start=begun.get("fen"),
            players=begun.get("players"),
            round=begun.get("round"),
            table=begun.get("table") or own.table,
            match=begun.get("match"),
            clock=begun.get("time_control") or own.clock,
            starts="at_once" if begun else own.starts,
            opening=None,
        )

    def _lacks(
        self, game: str, inputs: Sequence[_Input], events: Sequence[_Event], by_game: Mapping[str, Sequence[_Input]]
    ) -> bool:
        """Whether the game may lack inputs or events."""
        if game in self._headless or [event.seq for event in events] != list(range(1, len(events) + 1)):
            return True
        fed = {row.number for row in inputs}
        if any(event.input is not None and event.input not in fed for event in events):
            return True
        if not inputs:
            return True
        begin, board = inputs[0].number, inputs[0].board
        later = [rows[0].number for rows in by_game.values() if rows[0].board == board and rows[0].number > begin]
        end = min(later, default=None)
        if any(begin < last and (end is None or first < end) for first, last in self._holes):
            return True
        # Its events come behind its first input; any that are missing there may have been of this game.
        first_event = events[0].number if events else 0
        return any(first_event < last for _, last in self._event_holes)

    def _comes_out_as_told(self, header: Header, inputs: Sequence[_Input], events: Sequence[_Event]) -> bool:
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            return False
        wanted: dict[int, list[Mapping[str, Any]]] = {}
        for event in events:
            if event.made_by == "session" and event.input is not None:
                wanted.setdefault(event.input, []).append(event.body)
        try:
            session = self._make_session(header)
        except ValueError:
            return False
        for row in inputs:
            if row.state != FED:
                break
            made = made_of(session, row.item)
            if made is None or made != wanted.pop(row.number, []):
                return False
        return not wanted

    def _told_anew(
        self, header: Header, at: float, inputs: Sequence[_Input], events: Sequence[_Event]
    ) -> list[tuple[int, Fed]]:
        """The game's inputs, with what replaces the missing ones, and the events that a new Session makes of them.

        The number is that of an input that is there, or of a missing one.
        """
        try:
            session, variant = self._make_session(header), self._regulation_of(header).variant
        except ValueError as error:
            log.error("game %s: cannot be told anew (%s); its inputs are kept", header.game, error)
            return [(row.number, Fed(row.item, row.state, None)) for row in inputs]
        anew = _Anew(session, events, variant, at)
        begin = min((*(row.number for row in inputs[:1]), *(event.input for event in events if event.input)), default=0)
        holes = [hole for hole in self._holes if hole[1] >= begin]
        for row in inputs:
            while holes and holes[0][1] < row.number:
                anew.pass_over(*holes.pop(0), until=row.item.at)
            anew.go_on(row)
        anew.end(inputs[-1].number if inputs else 0)
        return anew.made


class _Anew:
    """One game told anew: `made` are its inputs with their old numbers, or those of the missing ones they replace."""

    def __init__(self, session: Telling, stream: Sequence[_Event], variant: Variant, at: float) -> None:
        self.made: list[tuple[int, Fed]] = []
        self._session = session
        self._stream = sorted(stream, key=lambda event: event.seq or 0)
        self._variant = variant
        self._at = at
        self._running = True
        self._sources: dict[str | None, None] = {}
        """Who has spoken, in the order of their first words."""
        self._lost: set[str | None] = set()
        self._mended = False
        self._ids = (f"restored-{number}" for number in count(1))
        self._telling = {event.input for event in stream if event.body["event"] in _CHANGING}

    def go_on(self, row: _Input) -> None:
        """An input that is there; the link is back with the first reading."""
        if isinstance(row.item, Link | See):
            self._sources[row.item.by] = None
            if row.item.by in self._lost and isinstance(row.item, See):
                self._feed(row.number, Link(row.item.at, "back", by=row.item.by))
            self._lost.discard(row.item.by)
        self._feed(row.number, row.item)
        if self._mended and row.number in self._telling:
            # What was missing may be more than what could be entered: then the record is published further on.
            known = self._known(row.number)
            if self._running and behind(self._session.state, known) > 1:
                self._enter(row.number, known, self._at)

    def pass_over(self, begin: int, end: int, until: float) -> None:
        """Inputs are missing: the link is lost, and what was published of that time is entered."""
        self._lose(begin)
        self._mended = True
        if any((event.input or 0) >= begin for event in self._stream):
            self._enter(begin, self._known(end), until)

    def end(self, last: int) -> None:
        """Behind input `last`, the last one that is there: what was published later, or could not be read from it."""
        known = self._known(None)
        later = any((event.input or 0) > last for event in self._stream)
        if self._running and (later or self._mended) and (behind(self._session.state, known) or (later and known.over)):
            if later:
                self._lose(last + 1)
            newest = max((float(event.body["at"]) for event in self._stream), default=self._at)
            self._enter(last + 1, known, max(self._at, newest))

    def _lose(self, number: int) -> None:
        """Every source of the table is lost; a table where none has spoken is one of a sensor board."""
        for by in self._sources or {None: None}:
            self._feed(number, Link(self._at, "lost", LOST, by=by))
            self._lost.add(by)

    def _known(self, until: int | None) -> Published:
        events = [event for event in self._stream if until is None or event.input is None or event.input <= until]
        whole = [event.seq for event in events] == list(range(1, len(events) + 1))
        return published((event.body for event in events), whole=whole)

    def _enter(self, number: int, known: Published, until: float) -> None:
        if not self._running:
            return
        at = max(self._at, min(until, known.plies[-1].at)) if known.plies else self._at
        for command in entering(self._session.state, known, at, self._ids, self._variant):
            self._feed(number, command)

    def _feed(self, number: int, item: Input) -> None:
        self._at = max(self._at, item.at)
        bodies = made_of(self._session, item) if self._running else None
        self._running = bodies is not None
        self.made.append((number, Fed(item, FED if self._running else JOURNALLED, bodies)))


def _holes(numbers: Sequence[int], last: int) -> list[tuple[int, int]]:
    """What is missing among the numbers from 1 to `last`, as first and last ones."""
    found = []
    before = 0
    for number in (*numbers, last + 1):
        if number > before + 1:
            found.append((before + 1, number - 1))
        before = max(before, number)
    return found
