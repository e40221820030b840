"""A damaged journal: what can be read is there afterwards, the games go on, and nobody is told a thing twice."""

import os
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
from app.tables import HEADER, items

from damas_board.app.gateway import new_session, regulation_of
from damas_board.messages.encoding import event_object
from damas_board.messages.stream import Record, fold_event
from damas_board.session.inputs import Input, Link, See
from damas_board.sinks.journal import Journal, JournalError, Reply, beside
from damas_board.sinks.journal_file import FORMAT
from damas_board.sinks.salvage import Mending

BOARDS = ("table-1", "table-2", "table-3")
PLIES = 16
SUFFIXES = ("", "-wal", "-mark")
MENDING = Mending(new_session, regulation_of, [replace(HEADER, board=board) for board in BOARDS])


def given(board: str) -> tuple[Input, ...]:
    return items(1 + BOARDS.index(board), PLIES)


@cache
def played(by: str | None) -> Path:
    """A journal as a kill leaves it: three boards, each with a game that is over and one in play, a log beside it.

    `by`: the source that saw it.
    """
    folder = Path(mkdtemp(prefix="played-"))
    with Journal.open(folder / "live.db") as journal:
        journal._connection.execute("PRAGMA wal_autocheckpoint = 60")
        for number, ending in enumerate((True, False), 1):
            sessions = {}
            for board in BOARDS:
                header = replace(HEADER, board=board, game=f"{board}-{number}")
                journal.begin_game(header, 100.0 * number)
                sessions[board] = new_session(header)
            for board, item in _in_turn(1000.0 * number, ending):
                session, game = sessions[board], f"{board}-{number}"
                item = replace(item, by=by) if isinstance(item, See) else item
                numbers, _ = journal.append(board, game, [item])
                events = [event_object(event) for event in session.feed(item)]
                journal.fed(board, game, numbers[0], events)
                journal.flush().result(10)  # a commit each, or the log would be another one each time
            at = journal.last_at
            journal.take_command("ana", f"c{number}", "table-1", at)
            journal.answer_command(Reply("ana", f"c{number}", {"id": f"c{number}", "at": at}), "table-1")
        journal.flush().result(10)
        for suffix in SUFFIXES:
            shutil.copy(beside(journal.path, suffix), beside(folder / "j.db", suffix))
    assert beside(folder / "j.db", "-wal").stat().st_size > 100_000
    return folder / "j.db"


def _in_turn(begin: float, ending: bool) -> list[tuple[str, Input]]:
    """What the boards tell, in the order of time; a game in play lacks its last quarter."""
    found = []
    for board in BOARDS:
        told = given(board)
        told = told if ending else told[: len(told) * 3 // 4]
        found += [(board, replace(item, at=item.at + begin)) for item in told]
    return sorted(found, key=lambda entry: entry[1].at)


def copied(tmp_path: Path, by: str | None = None) -> Path:
    for suffix in SUFFIXES:
        shutil.copy(beside(played(by), suffix), beside(tmp_path / "j.db", suffix))
    return tmp_path / "j.db"


@cache
def told() -> dict[str, Record]:
    """Each game as it was published."""
    with Journal.open(copied(Path(mkdtemp(prefix="whole-")))) as journal:
        assert journal.mended is None
        return {game.game: record(journal, game.game) for game in journal.games()}


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
    size = beside(played(None), suffix).stat().st_size
    return [random.Random(f"{seed} {suffix} {n}").randrange(size) for n in range(count)]


@pytest.mark.parametrize(("name", "damage", "suffix"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_of_a_journal_cut_or_torn_at_25_places_everything_that_can_be_read_is_there(
    tmp_path: Path, name: str, damage: Callable[[Path, int, random.Random], None], suffix: str
) -> None:
    whole = told()
    first_epoch = epoch(copied(tmp_path))
    plies = 0
    for offset in offsets(suffix, SEED, 25):
        where = f"{name} at {offset}"
        (tmp_path / f"{offset}").mkdir()
        path = copied(tmp_path / f"{offset}")
        damage(beside(path, suffix), offset, random.Random(f"{SEED} {offset}"))
        damaged = kept(path)
        with Journal.open(path, MENDING) as journal:
            known = {game.game: record(journal, game.game) for game in journal.games()}
            mended = journal.mended
        for game, after in known.items():
            assert in_order(after.moves, whole[game].moves), where
        if mended is None:
            assert known == whole, where
        else:
            assert epoch(path) > first_epoch, where
            assert mended.aside is None or kept(mended.aside) == damaged, where
        if damage is _torn:
            assert {game: after.fen for game, after in known.items()} == {g: r.fen for g, r in whole.items()}, where
            assert {game: after.over for game, after in known.items()}.keys() == whole.keys(), where
        plies += sum(len(record.moves) for record in known.values())
        with Journal.open(path) as journal:
            assert journal.mended is None, where
    told_plies = 25 * sum(len(record.moves) for record in whole.values())
    assert plies >= KEPT[name] * told_plies


KEPT = {"cut": 0.35, "torn": 0.97, "log cut": 0.95, "log torn": 1.0}
"""The share of all plies that is there again; what is cut off is gone."""


def in_order(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    """Whether what is left has nothing new in it, in its order."""
    rest = iter(many)
    return all(move in rest for move in few)


def test_nothing_is_done_to_a_journal_that_is_whole(tmp_path: Path) -> None:
    path = copied(tmp_path)
    with Journal.open(path, MENDING) as journal:
        assert journal.mended is None
        assert journal.epoch == told_meta()[1]
    assert [found.name for found in tmp_path.iterdir() if "damaged" in found.name] == []


def test_a_game_whose_header_is_lost_goes_on_by_its_first_event_and_its_board(tmp_path: Path) -> None:
    path = copied(tmp_path)
    with Journal.open(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE games SET header = substr(header, 1, 40)")
        db.commit()
    with Journal.open(path, MENDING) as journal:
        assert journal.mended is not None
        assert {game.game: record(journal, game.game) for game in journal.games()} == told()
        assert {game.board for game in journal.games()} == set(BOARDS)


def lose_readings(path: Path) -> None:
    """31 inputs are gone, and one more is cut off."""
    with Journal.open(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM inputs WHERE number BETWEEN 60 AND 90")
        db.execute("UPDATE inputs SET body = substr(body, 1, 20) WHERE number = 59")
        db.commit()


def test_readings_that_are_lost_are_entered_as_they_were_published(tmp_path: Path) -> None:
    path = copied(tmp_path)
    lose_readings(path)
    with Journal.open(path, MENDING) as journal:
        assert journal.mended is not None
        assert journal.mended.inputs == 32
        assert journal.mended.games == ("table-1-1", "table-2-1", "table-3-1")
        after = {game.game: record(journal, game.game) for game in journal.games()}
        lost = [i.item for i in journal.inputs("table-1-1") if isinstance(i.item, Link)]
    assert {game: known.moves for game, known in after.items()} == {g: known.moves for g, known in told().items()}
    assert [(item.state, item.reason) for item in lost] == [("lost", "journal_damaged"), ("back", None)]


def test_where_readings_of_a_camera_are_lost_the_camera_is_told_as_lost(tmp_path: Path) -> None:
    path = copied(tmp_path, "camera")
    lose_readings(path)
    with Journal.open(path, MENDING) as journal:
        after = {game.game: record(journal, game.game) for game in journal.games()}
        lost = [i.item for i in journal.inputs("table-1-1") if isinstance(i.item, Link)]
    assert {game: known.moves for game, known in after.items()} == {g: known.moves for g, known in told().items()}
    assert [(item.state, item.by) for item in lost] == [("lost", "camera"), ("back", "camera")]


def test_events_that_are_lost_are_made_again_as_they_were(tmp_path: Path) -> None:
    path = copied(tmp_path)
    with Journal.open(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM events WHERE number BETWEEN 60 AND 110")
        db.execute("UPDATE events SET body = substr(body, 1, 20) WHERE number = 59")
        db.commit()
    with Journal.open(path, MENDING) as journal:
        assert {game.game: record(journal, game.game) for game in journal.games()} == told()
        assert journal.unsent()


def test_commands_and_their_answers_are_there_after_the_mending(tmp_path: Path) -> None:
    path = copied(tmp_path)
    with path.open("r+b") as opened:
        opened.write(b"\0" * 4096)
    with Journal.open(path, MENDING) as journal:
        assert not journal.take_command("ana", "c1", "table-1", 1.0)
        answer = journal.command_answer("ana", "c2")
        assert answer is not None
        assert answer["id"] == "c2"
        assert journal.utc == told_meta()[0]
        assert {game.game: record(journal, game.game) for game in journal.games()} == told()


def told_meta() -> tuple[str, int]:
    with Journal.open(copied(Path(mkdtemp(prefix="whole-")))) as journal:
        return journal.utc, journal.epoch


def test_an_end_in_the_middle_of_mending_is_made_good_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied(tmp_path)
    with path.open("r+b") as opened:
        opened.seek(20_000)
        opened.write(b"\0" * 4096)
    replaced = os.replace
    for last in (1, 2):
        done: list[Path] = []

        def pulled(source: Path, target: Path, done: list[Path] = done, last: int = last) -> None:
            done.append(target)
            if len(done) == last:
                raise KeyboardInterrupt
            replaced(source, target)

        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", pulled)
            with pytest.raises(KeyboardInterrupt):
                Journal.open(path, MENDING)
    with Journal.open(path, MENDING) as journal:
        assert {game.game for game in journal.games()} == set(told())
        assert {game.game: record(journal, game.game).fen for game in journal.games()} == {
            game: known.fen for game, known in told().items()
        }


@pytest.mark.parametrize("content", [b'[Event "?"]\n1. 32-28 *\n' * 50, b"\xff\xd8\xff\xe0" * 400])
def test_a_file_that_was_never_a_journal_is_no_damaged_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="no journal, or damaged"):
        Journal.open(path, MENDING)
    assert path.read_bytes() == content


def test_a_database_of_another_program_or_format_is_no_damaged_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE other (x)")
    with pytest.raises(JournalError, match="another program"):
        Journal.open(tmp_path / "other.db", MENDING)
    path = copied(tmp_path)
    with Journal.open(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(JournalError, match="has format 2"):
        Journal.open(path, MENDING)


def test_a_journal_of_before_there_were_sums_is_read_and_gets_them(tmp_path: Path) -> None:
    path = copied(tmp_path)
    with Journal.open(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        for table in ("games", "inputs", "events"):
            db.execute(f"ALTER TABLE {table} DROP COLUMN crc")
    with Journal.open(path) as journal:
        numbers, durable = journal.append("table-1", "table-1-2", [Link(5000.0, "lost", "gateway_not_running")])
        durable.result(10)
        assert journal.mended is None
    with closing(sqlite3.connect(path)) as db:
        sums = [row[0] is not None for row in db.execute("SELECT crc FROM inputs ORDER BY number")]
    assert sums == [False] * (numbers[0] - 1) + [True]
