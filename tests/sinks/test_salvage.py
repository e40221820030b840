"""A damaged journal: what can be read is there afterwards, the games go on, and nobody is told a thing twice."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from app.tables import HEADER, items, moves

from damas_board.app.gateway import new_session
from damas_board.messages.encoding import event_object
from damas_board.messages.stream import Record, fold_event
from damas_board.session.inputs import Input, Link
from damas_board.sinks import journal as journal_module
from damas_board.sinks.journal import Journal, JournalError, beside
from damas_board.sinks.salvage import Mending

BOARDS = ("table-1", "table-2", "table-3")
PLIES = 16
SUFFIXES = ("", "-wal", "-mark")
MENDING = Mending(new_session, [replace(HEADER, board=board) for board in BOARDS])


def given(board: str) -> tuple[Input, ...]:
    return items(1 + BOARDS.index(board), PLIES)


@cache
def played() -> Path:
    """A journal as a kill leaves it: three boards, each with a game that is over and one in play, a log beside it."""
    folder = Path(mkdtemp(prefix="played-"))
    with Journal.open(folder / "live.db") as journal:
        journal._connection.execute("PRAGMA wal_autocheckpoint = 60")
        for number, ending in enumerate((True, False), 1):
            sessions = {}
            for board in BOARDS:
                header = replace(HEADER, board=board, game=f"{board}-{number}")
                journal.begin_game(header, 100.0 * number)
                sessions[board] = new_session(header)
            for at, board, item in _in_turn(1000.0 * number, ending):
                session, game = sessions[board], f"{board}-{number}"
                numbers, _ = journal.append(board, game, [item])
                events = [event_object(event) for event in session.feed(item)]
                journal.fed(board, game, numbers[0], events)
                if numbers[0] % 7 == 0:
                    journal.flush().result(10)
            journal.take_command("ana", f"c{number}", "table-1", at)
            journal.answer_command("ana", f"c{number}", "table-1", at, {"id": f"c{number}", "at": at})
        journal.flush().result(10)
        for suffix in SUFFIXES:
            shutil.copy(beside(journal.path, suffix), beside(folder / "j.db", suffix))
    assert beside(folder / "j.db", "-wal").stat().st_size > 100_000
    return folder / "j.db"


def _in_turn(begin: float, ending: bool) -> list[tuple[float, str, Input]]:
    """What the boards tell, in the order of time; a game in play lacks its last quarter."""
    found = []
    for board in BOARDS:
        told = given(board)
        told = told if ending else told[: len(told) * 3 // 4]
        found += [(item.at, board, replace(item, at=item.at + begin)) for item in told]
    return sorted(found, key=lambda entry: entry[0])


def copied(tmp_path: Path) -> Path:
    for suffix in SUFFIXES:
        shutil.copy(beside(played(), suffix), beside(tmp_path / "j.db", suffix))
    return tmp_path / "j.db"


@cache
def told() -> dict[str, tuple[str, ...]]:
    """The moves of each game as they were published."""
    with Journal.open(copied(Path(mkdtemp(prefix="whole-")))) as journal:
        assert journal.mended is None
        return {game.game: record(journal, game.game).moves for game in journal.games()}


def record(journal: Journal, game: str) -> Record:
    found = Record()
    rows = journal.events(f"game/{game}")
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        found = fold_event(found, row.body)
    return found


def epoch(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT value FROM meta WHERE key = 'epoch'").fetchone()[0])


def kept(path: Path) -> dict[str, bytes]:
    return {suffix: beside(path, suffix).read_bytes() for suffix in ("", "-wal") if beside(path, suffix).exists()}


def _cut(path: Path, offset: int, chance: random.Random) -> None:
    with path.open("r+b") as opened:
        opened.truncate(offset)


def _torn(path: Path, offset: int, chance: random.Random) -> None:
    with path.open("r+b") as opened:
        opened.seek(offset)
        opened.write(chance.randbytes(min(chance.choice((1, 16, 512, 4096)), path.stat().st_size - offset)))


FAULTS: list[tuple[str, Callable[[Path, int, random.Random], None], str]] = [
    ("cut", _cut, ""),
    ("torn", _torn, ""),
    ("log cut", _cut, "-wal"),
    ("log torn", _torn, "-wal"),
]
SEED = 20260131


def offsets(suffix: str, seed: int, count: int) -> list[int]:
    size = beside(played(), suffix).stat().st_size
    return [random.Random(f"{seed} {suffix} {n}").randrange(size) for n in range(count)]


@pytest.mark.parametrize(("name", "damage", "suffix"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_of_a_journal_cut_or_torn_at_25_places_everything_that_can_be_read_is_there(
    tmp_path: Path, name: str, damage: Callable[[Path, int, random.Random], None], suffix: str
) -> None:
    whole = told()
    first_epoch = epoch(copied(tmp_path))
    lost = {}
    for offset in offsets(suffix, SEED, 25):
        folder = tmp_path / f"{offset}"
        folder.mkdir()
        path = copied(folder)
        before = kept(path)
        damage(beside(path, suffix), offset, random.Random(f"{SEED} {offset}"))
        if kept(path) == before:
            continue
        damaged = kept(path)
        where = f"{name} at {offset}"
        with Journal.open(path, MENDING) as journal:
            known = {game.game: record(journal, game.game).moves for game in journal.games()}
            mended = journal.mended
            assert len(list(journal.unsent())) >= 0
        for game, moves_ in known.items():
            assert moves_ == whole[game][: len(moves_)], where
        lost[offset] = sum(len(m) for m in whole.values()) - sum(len(m) for m in known.values())
        if mended is not None:
            assert epoch(path) > first_epoch, where
            assert not mended.aside or kept(mended.aside) == damaged, where
        else:
            assert known == whole, where
        with Journal.open(path) as journal:
            assert journal.mended is None, where
    print(name, lost)
