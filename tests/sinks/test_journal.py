"""The journal: what goes in comes out, in order, once, after any ending."""

import json
import sqlite3
import subprocess
import sys
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import pytest
from sinks.full_disk import fill_disk

from damas_board.messages.recording import read_header, read_inputs
from damas_board.session.header import Header, Settings
from damas_board.session.inputs import Button, Command, Lever, Link, See, Tick
from damas_board.sinks import journal as journal_module
from damas_board.sinks.journal import Journal, JournalError, JournalReader, Reply, _Work

HEADER = Header("table-1", "br-cbjd", game="table-1-20260131-1", settings=Settings(rest_seconds=2.0))
GAME = "table-1-20260131-1"
INPUTS = [
    See(1.0, "b.?./....", doubt={"c3": {".": 0.5}}, unstable=True),
    Lever(2.0, "white"),
    Button(2.0, "adjust", "black"),
    Command(3.5, "rewind", "c1", {"ply": 3}, "arbiter", "told twice"),
    Link(4.0, "lost", "unplugged"),
    Tick(5.0),
]


def event(at: float, **keys: object) -> dict[str, object]:
    return {"event": "move_confirmed", "at": at, **keys}


def started(path: Path) -> Journal:
    journal = Journal.open(path)
    journal.begin_game(HEADER, 0.5)
    return journal


def test_an_export_reads_back_as_the_same_header_and_inputs(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        journal.append("table-1", GAME, INPUTS)
        journal.append("table-2", None, [Tick(9.0)])
        journal.flush().result(10)
        lines = list(journal.export(GAME))
        utc = journal.utc
    header = read_header(iter(lines[:1]))
    assert header.utc == utc
    assert (header.game, header.board, header.settings) == (GAME, "table-1", HEADER.settings)
    assert list(read_inputs(lines[1:])) == INPUTS


def test_inputs_come_back_with_their_state_and_the_events_they_made(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        numbers, _ = journal.append("table-1", GAME, INPUTS[:2])
        journal.fed("table-1", GAME, numbers[0], [event(1.0), event(1.2)])
        journal.tell("table-1", GAME, [event(1.3, by_gateway=True)])
        journal.ticked("table-1", GAME, Tick(2.5), [event(2.5)])
        journal.flush().result(10)
        stored = list(journal.inputs(GAME))
    assert [(s.item, s.state, [e["at"] for e in s.events]) for s in stored] == [
        (INPUTS[0], "fed", [1.0, 1.2]),
        (INPUTS[1], "journalled", []),
        (Tick(2.5), "fed", [2.5]),
    ]


def test_seq_and_epoch_go_on_over_restarts_without_holes(tmp_path: Path) -> None:
    epochs = set()
    for start in range(3):
        with Journal.open(tmp_path / "j.db") as journal:
            epochs.add(journal.epoch)
            if start == 0:
                journal.begin_game(HEADER, 0.0)
            numbers, _ = journal.append("table-1", GAME, [Tick(start)])
            journal.fed("table-1", GAME, numbers[0], [event(start), event(start)])
            journal.tell("table-1", None, [event(start)])
    with Journal.open(tmp_path / "j.db") as journal:
        assert [row.seq for row in journal.events(f"game/{GAME}")] == [1, 2, 3, 4, 5, 6]
        assert [row.seq for row in journal.events("board/table-1")] == [1, 2, 3]
        assert [row.seq for row in journal.events(f"game/{GAME}", 4)] == [5, 6]
        assert journal.last_at == 2.0
    assert len(epochs) == 1


def test_a_new_file_begins_a_new_epoch(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.db") as first:
        pass
    first.path.with_name("a.db").unlink()
    with Journal.open(tmp_path / "a.db") as second:
        pass
    assert second.epoch > first.epoch


def test_what_was_handed_over_before_a_kill_is_there_once_flushed(tmp_path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from damas_board.sinks.journal import Journal
from damas_board.session.inputs import Tick
journal = Journal.open(Path(sys.argv[1]))
numbers, durable = journal.append("t", None, [Tick(float(n)) for n in range(100)])
durable.result(10)
for number in numbers:
    journal.fed("t", None, number, [{"event": "x", "at": 0.0}])
journal.flush().result(10)
journal.append("t", None, [Tick(200.0)] * 1000)
os.kill(os.getpid(), signal.SIGKILL)
"""
    path = tmp_path / "j.db"
    died = subprocess.run([sys.executable, "-c", code, str(path)], timeout=60, check=False)
    assert died.returncode == -9
    with Journal.open(path) as journal:
        assert [row.seq for row in journal.events("board/t")] == list(range(1, 101))
        numbers, durable = journal.append("t", None, [Tick(300.0)])
        durable.result(10)
        with sqlite3.connect(path) as db:
            stored = [row[0] for row in db.execute("SELECT number FROM inputs ORDER BY number")]
    assert stored == list(range(1, len(stored) + 1))
    assert numbers == [stored[-1]]


def test_work_of_all_boards_is_committed_in_groups(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        done = [journal.append(f"table-{n % 64}", None, [Tick(float(n))])[1] for n in range(1000)]
        assert not wait(done, 30).not_done
        assert journal.commits < 100


def test_the_outbox_is_read_in_order_and_forgets_what_was_sent(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        journal.tell("table-1", GAME, [event(1.0), event(2.0)])
        journal.answer("arbiter", "table-1", 2.0, {"id": "c1"})
        journal.tell("table-1", GAME, [event(3.0)])
        journal.flush().result(10)
        rows = journal.unsent()
        assert [(r.stream, r.seq) for r in rows] == [
            (f"game/{GAME}", 1),
            (f"game/{GAME}", 2),
            ("ack/arbiter", None),
            (f"game/{GAME}", 3),
        ]
        assert journal.unsent(rows[1].number) == rows[2:]
        journal.mark_sent(rows[0].number)
        journal.mark_sent(rows[2].number).result(10)
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.unsent() == [rows[1], rows[3]]


def test_a_command_is_taken_once_and_its_answer_is_kept(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        assert journal.take_command("arbiter", "c1", "table-1", 1.0)
        assert not journal.take_command("arbiter", "c1", "table-1", 2.0)
        assert journal.take_command("hub", "c1", "table-1", 2.0)
        answer = {"at": 2.0, "id": "c1", "outcome": "done"}
        journal.answer_command(Reply("arbiter", "c1", answer), "table-1")
    with Journal.open(tmp_path / "j.db") as journal:
        assert not journal.take_command("arbiter", "c1", "table-1", 3.0)
        assert journal.command_answer("arbiter", "c1") == {"at": 2.0, "id": "c1", "outcome": "done"}
        assert journal.command_answer("hub", "c1") is None


def test_of_many_commands_only_the_newest_are_in_memory_and_none_is_taken_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "ANSWERS", 3)
    with started(tmp_path / "j.db") as journal:
        for n in range(10):
            assert journal.take_command("arbiter", f"c{n}", "table-1", 1.0)
            journal.answer_command(Reply("arbiter", f"c{n}", {"at": 2.0, "id": f"c{n}"}), "table-1")
        assert journal.take_command("arbiter", "unanswered", "table-1", 1.0)
        journal.flush().result(10)
        assert len(journal._answers) == 3
        for n in range(10):
            assert not journal.take_command("arbiter", f"c{n}", "table-1", 3.0)
            assert journal.command_answer("arbiter", f"c{n}") == {"at": 2.0, "id": f"c{n}"}
    with Journal.open(tmp_path / "j.db") as journal:
        assert len(journal._answers) == 0
        assert not journal.take_command("arbiter", "unanswered", "table-1", 3.0)
        assert journal.command_answer("arbiter", "unanswered") is None
        assert journal.command_answer("arbiter", "never") is None


def test_game_ids_are_the_boards_the_days_and_counted(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        day = journal.wall(0.0).strftime("%Y%m%d")
        assert journal.next_game("table-1", 0.0) == f"table-1-{day}-1"
        journal.begin_game(Header("table-1", "br-cbjd", game=f"table-1-{day}-1"), 0.0)
        assert journal.next_game("table-1", 0.0) == f"table-1-{day}-2"
        assert journal.next_game("table-10", 0.0) == f"table-10-{day}-1"
        with pytest.raises(ValueError, match="id of its own"):
            journal.begin_game(Header("table-1", "br-cbjd", game=f"table-1-{day}-1"), 0.0)


def test_a_full_disk_is_not_tried_again_with_every_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 3600.0)
    tried = []
    whole = Journal._transaction

    def counting(self: Journal, works: list[Any], **options: Any) -> None:
        tried.append(len(works))
        whole(self, works, **options)

    with started(tmp_path / "j.db") as journal:
        journal.flush().result(10)
        fill_disk(journal, True)
        monkeypatch.setattr(Journal, "_transaction", counting)
        for n in range(20):
            journal.append("table-1", GAME, [See(1.0 + n, "o" * 5000)])[1].result(10)
        assert journal.alarm is not None
        assert tried == [1]
        fill_disk(journal, False)
    assert tried == [1, 20]
    with Journal.open(tmp_path / "j.db") as journal:
        assert len(list(journal.inputs(GAME))) == 20


def test_a_full_disk_does_not_stop_play_and_is_made_good_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    path = tmp_path / "j.db"
    with started(path) as journal:
        journal.flush().result(10)
        fill_disk(journal, True)
        numbers, durable = journal.append("table-1", GAME, [See(1.0, "o" * 5000)] * 20)
        durable.result(10)
        assert "full" in (journal.alarm or "")
        rows, durable = journal.fed("table-1", GAME, numbers[0], [event(1.0)])
        durable.result(10)
        assert journal.unsent() == rows == journal.events(f"game/{GAME}")
        assert path.with_name("j.db-unwritten").exists()
        fill_disk(journal, False)
        journal.flush().result(10)
        assert journal.alarm is None
        assert not path.with_name("j.db-unwritten").exists()
        assert len(list(journal.inputs(GAME))) == 20
        assert journal.unsent() == rows


def test_what_memory_cannot_hold_is_marked_in_the_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "UNWRITTEN_LIMIT", 3)
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    with started(tmp_path / "j.db") as journal:
        journal.append("table-1", GAME, [Tick(1.0)])[1].result(10)
        fill_disk(journal, True)
        for n in range(10):
            journal.append("table-1", GAME, [See(2.0 + n, "o" * 200_000)])[1].result(10)
        fill_disk(journal, False)
        journal.append("table-1", GAME, [Tick(20.0)])[1].result(10)
        journal.flush().result(10)
        lines = [json.loads(line) for line in journal.export(GAME)]
        kept = [line["at"] for line in lines[1:]]
        marks = [line["unwritten"] for line in lines if "unwritten" in line]
        assert len(marks) == 1
        assert marks[0]["inputs"] == 10 - sum(2.0 <= line["at"] <= 11.0 and "see" in line for line in lines[1:])
        assert marks[0]["until"] == 11.0
        assert kept == sorted(kept)
        assert len(list(read_inputs(map(json.dumps, lines[1:])))) == len(lines) - 1


def test_a_stream_has_no_hole_where_memory_could_not_hold_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each reader would ask for ever for what there is not."""
    monkeypatch.setattr(journal_module, "UNWRITTEN_LIMIT", 3)
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    with started(tmp_path / "j.db") as journal:
        journal.tell("table-1", GAME, [event(1.0)])[1].result(10)
        fill_disk(journal, True)
        for n in range(10):
            journal.tell("table-1", GAME, [event(2.0 + n, text="o" * 200_000), event(2.5 + n)])[1].result(10)
            journal.tell("table-2", None, [event(2.0 + n, text="o" * 200_000)])[1].result(10)
        fill_disk(journal, False)
        journal.tell("table-1", GAME, [event(20.0)])[1].result(10)
        journal.flush().result(10)
        for stream, count in ((f"game/{GAME}", 22), ("board/table-2", 10)):
            rows = journal.events(stream)
            assert [row.seq for row in rows] == list(range(1, count + 1))
            assert [row.number for row in rows] == sorted(row.number for row in rows)
            assert {row.body["event"] for row in rows} == {"move_confirmed", "unwritten"}
        assert journal.events(f"game/{GAME}")[-1].body == event(20.0)
        assert journal.outbox == len(journal.unsent()) == 32
        assert journal.recent(0) == journal.unsent()


def test_a_stream_of_which_work_was_refused_goes_on_without_a_hole_when_it_is_told_again(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        journal.tell("table-1", GAME, [event(1.0)])[1].result(10)
        journal._next_event = 1  # two rows of one number
        refused = journal.tell("table-1", GAME, [event(2.0), event(3.0)])[1]
        behind = journal.tell("table-1", GAME, [event(4.0)])[1]
        journal.tell("table-2", None, [event(4.0)])[1].result(10)
        for future in (refused, behind):
            with pytest.raises(sqlite3.IntegrityError):
                future.result(10)
        assert journal.last_seq(f"game/{GAME}") == 1
        for at in (2.0, 3.0, 4.0):
            journal.tell("table-1", GAME, [event(at)])[1].result(10)
        rows = journal.events(f"game/{GAME}")
        assert [(row.seq, row.at) for row in rows] == [(1, 1.0), (2, 2.0), (3, 3.0), (4, 4.0)]
        assert journal.outbox == len(journal.unsent()) == 5


def test_a_row_that_goes_out_twice_is_counted_down_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is full no mark is in the file, and each new connection sends the rows again."""
    monkeypatch.setattr(journal_module, "UNWRITTEN_LIMIT", 4)
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    with started(tmp_path / "j.db") as journal:
        fill_disk(journal, True)
        rows = journal.tell("table-1", GAME, [event(1.0, text="o" * 200_000), event(1.0)])[0]
        journal.flush().result(10)
        for row in [*rows, *rows]:
            journal.mark_sent(row.number)
        assert journal.outbox == 0
        for n in range(10):  # more than memory holds: marks are given up, and these rows
            journal.tell("table-1", None, [event(2.0 + n, text="o" * 200_000)])[1].result(10)
        fill_disk(journal, False)
        journal.flush().result(10)
        assert journal.alarm is None
        assert journal.outbox == len(journal.unsent())


def test_a_kill_while_the_disk_is_full_begins_a_new_epoch(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        epoch = journal.epoch
    (tmp_path / "j.db-unwritten").touch()
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.epoch > epoch
        epoch = journal.epoch
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.epoch == epoch


def test_a_second_program_on_the_same_journal_is_refused(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db"), pytest.raises(JournalError, match="in use by another program"):
        Journal.open(tmp_path / "j.db")
    Journal.open(tmp_path / "j.db").close()


@pytest.mark.parametrize("content", [b'[Event "?"]\n1. 32-28 *\n' * 50, b"\xff\xd8\xff\xe0" * 400])
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="no journal, or damaged"):
        Journal.open(path)
    assert path.read_bytes() == content


def test_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with started(path) as journal:
        for n in range(50):
            journal.append("table-1", GAME, [See(float(n), "o" * 500)])
    content = bytearray(path.read_bytes())
    content[4096 * 2 : 4096 * 12] = b"\x55" * 4096 * 10
    path.write_bytes(content)
    with pytest.raises(JournalError, match="damaged"):
        Journal.open(path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "j.db") as db:
        db.execute("CREATE TABLE other (x)")
    db.close()
    with pytest.raises(JournalError, match="another program; choose another file"):
        Journal.open(tmp_path / "j.db")


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "j.db", tmp_path):
        with pytest.raises(JournalError, match=r"^journal .*(choose a place|in use)") as caught:
            Journal.open(path)
        assert "\n" not in str(caught.value)


def test_an_export_of_an_unknown_game_names_the_known_ones(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        journal.flush().result(10)
        with pytest.raises(JournalError, match=f"no game 'nothing'; the newest are: {GAME}"):
            list(journal.export("nothing"))


def test_a_reader_sees_a_journal_that_is_in_use_and_changes_nothing(tmp_path: Path) -> None:
    with started(tmp_path / "j.db") as journal:
        numbers, _ = journal.append("table-1", GAME, INPUTS)
        journal.fed("table-1", GAME, numbers[0], [event(1.0)])
        journal.tell("table-1", GAME, [event(1.3)])
        journal.flush().result(10)
        reader = JournalReader.read(tmp_path / "j.db")
        (played,) = reader.games()
        course = reader.course(played)
        assert (course.game, course.header.utc) == (GAME, journal.utc)
        assert list(course.inputs) == INPUTS
        assert [e["at"] for e in course.events] == [1.0, 1.3]
        with reader._reader() as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM inputs")


def test_a_reader_makes_no_journal_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        JournalReader.read(tmp_path / "j.db")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_beside_a_statement_that_is_wrong_in_itself_loses_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    with started(tmp_path / "j.db") as journal:
        journal.append("table-1", GAME, [Tick(1.0)])[1].result(10)
        fill_disk(journal, True)
        wrong = _Work([("UPDATE inputs SET body = NULL", ())], "table-1", GAME, 1.0, hurry=False)
        journal._submit(wrong)
        journal.append("table-1", GAME, [Tick(2.0)])[1].result(10)
        with pytest.raises(sqlite3.IntegrityError):
            wrong.done.result(10)
        assert journal.alarm is not None
        fill_disk(journal, False)
        journal.append("table-1", GAME, [Tick(3.0)])[1].result(10)
        journal.flush().result(10)
        assert journal.alarm is None
        assert [entry.item for entry in journal.inputs(GAME)] == [Tick(1.0), Tick(2.0), Tick(3.0)]
