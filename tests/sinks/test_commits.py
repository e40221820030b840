"""How often the journal is written, and from where the relay has what it publishes: counted, not timed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from app.tables import until
from sinks.full_disk import fill_disk

from damas_board.messages.envelope import decode
from damas_board.session.inputs import Tick
from damas_board.session.state import GameState
from damas_board.sinks import journal as journal_module
from damas_board.sinks import mqtt as mqtt_module
from damas_board.sinks.journal import Journal, OutboxRow
from damas_board.sinks.mqtt import MqttRelay

LONG = 3600.0


def event(at: float) -> dict[str, object]:
    return {"event": "move_confirmed", "at": at, "ply": 1}


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(journal_module, "LATER_SECONDS", LONG)
    with Journal.open(tmp_path / "j.db") as opened:
        yield opened


def test_what_was_fed_and_told_nothing_goes_along_with_the_next_input(journal: Journal) -> None:
    for n in range(1, 11):
        numbers, durable = journal.append("table-1", None, [Tick(float(n))])
        durable.result(10)
        mark = journal.fed("table-1", None, numbers[0], [])[1]
        assert journal.commits == n
    with pytest.raises(TimeoutError):
        mark.result(0.05)
    journal.flush().result(10)
    assert journal.commits == 11
    assert [state for (state,) in _rows(journal, "SELECT state FROM inputs")] == [1] * 10


def test_what_was_sent_is_marked_along_with_the_next_work(journal: Journal) -> None:
    rows, durable = journal.tell("table-1", None, [event(1.0)] * 10)
    durable.result(10)
    marks = [journal.mark_sent(row.number) for row in rows]
    with pytest.raises(TimeoutError):
        marks[-1].result(0.05)
    journal.append("table-1", None, [Tick(2.0)])[1].result(10)
    assert [mark.result(10) for mark in marks] == [None] * 10
    assert journal.commits == 2
    assert journal.unsent() == []


def test_a_lone_input_does_not_wait_for_company(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "GROUP_SECONDS", LONG)
    journal.append("table-1", None, [Tick(1.0)])[1].result(10)


def test_events_are_committed_at_once_and_marks_that_nobody_waits_for_at_the_latest_when_it_closes(
    tmp_path: Path, journal: Journal
) -> None:
    numbers, durable = journal.append("table-1", None, [Tick(1.0), Tick(2.0)])
    durable.result(10)
    journal.fed("table-1", None, numbers[0], [event(1.0)])[1].result(10)
    journal.fed("table-1", None, numbers[1], [])
    journal.close()
    with Journal.open(tmp_path / "j.db") as again:
        assert [state for (state,) in _rows(again, "SELECT state FROM inputs")] == [1, 1]


def test_the_newest_of_the_outbox_is_in_memory_as_far_as_it_reaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "RECENT_ROWS", 5)
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.recent(0) == []
        rows = [journal.tell("table-1", None, [event(float(n))])[0][0] for n in range(1, 9)]
        journal.flush().result(10)
        assert journal.recent(2) is None  # row 3 is on disk only
        assert journal.recent(3) == rows[3:]
        assert journal.recent(3, 2) == rows[3:5]
        assert journal.recent(8) == []
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.recent(7) is None
        assert journal.recent(8) == []
        assert journal.unsent() == rows


class Taking:
    """A client that takes what is published, when it may."""

    def __init__(self) -> None:
        self.taken: list[int | None] = []
        self.may = asyncio.Event()
        self.may.set()

    async def publish(self, place: str, payload: bytes, **options: Any) -> None:
        await self.may.wait()
        self.taken.append(decode(payload).seq)


async def test_what_is_new_is_published_from_memory_and_a_backlog_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "RECENT_ROWS", 20)
    monkeypatch.setattr(mqtt_module, "OUTBOX_ROWS", 30)
    read: list[int] = []
    from_file = Journal.unsent

    def counting(self: Journal, after: int = 0, limit: int = 500) -> list[OutboxRow]:
        read.append(after)
        return from_file(self, after, limit)

    monkeypatch.setattr(Journal, "unsent", counting)
    with Journal.open(tmp_path / "j.db") as journal:
        relay = MqttRelay(_never, "nowhere", "autumn", "gw-1", journal)
        loop = asyncio.get_running_loop()
        journal.on_change = lambda: loop.call_soon_threadsafe(relay.wake)
        client = Taking()
        for n in range(10):
            journal.tell("table-1", None, [event(float(n))])
        journal.flush().result(10)
        sending = asyncio.create_task(relay._send_outbox(client))  # type: ignore[arg-type]
        try:
            async with asyncio.timeout(30):
                await until(lambda: len(client.taken) == 10)
                for n in range(10, 40):
                    await asyncio.wrap_future(journal.tell("table-1", None, [event(float(n))])[1])
                    await until(lambda wanted=n + 1: len(client.taken) == wanted)
                assert read == [0]
                client.may.clear()
                for n in range(40, 140):
                    await asyncio.wrap_future(journal.tell("table-1", None, [event(float(n))])[1])
                client.may.set()
                await until(lambda: len(client.taken) == 140)
                behind = len(read)
                assert behind > 1
                await asyncio.wrap_future(journal.tell("table-1", None, [event(140.0)])[1])
                await until(lambda: len(client.taken) == 141)
                assert len(read) == behind
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            journal.on_change = lambda: None
    assert client.taken == list(range(1, 142))


async def test_what_becomes_durable_while_the_file_is_read_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_file = Journal.unsent
    late: list[int] = []

    def overtaken(self: Journal, after: int = 0, limit: int = 500) -> list[OutboxRow]:
        rows = from_file(self, after, limit)
        if not late:
            late.append(1)
            self.tell("table-1", None, [event(2.0)])[1].result(10)
        return rows

    monkeypatch.setattr(Journal, "unsent", overtaken)
    with Journal.open(tmp_path / "j.db") as journal:
        relay = MqttRelay(_never, "nowhere", "autumn", "gw-1", journal)
        journal.tell("table-1", None, [event(1.0)])[1].result(10)
        client = Taking()
        sending = asyncio.create_task(relay._send_outbox(client))  # type: ignore[arg-type]
        try:
            async with asyncio.timeout(30):
                await until(lambda: client.taken[:1] == [1])
                relay.wake()
                await until(lambda: client.taken == [1, 2])
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


def test_while_the_disk_is_full_memory_does_not_stand_for_the_outbox(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        journal.tell("table-1", None, [event(1.0)])[1].result(10)
        fill_disk(journal, True)
        (row,), told = journal.tell("table-1", None, [event(2.0)])
        told.result(10)
        assert journal.recent(row.number - 1) is None
        assert journal.unsent(row.number - 1) == [row]
        fill_disk(journal, False)


def test_what_is_not_durable_goes_out_only_if_a_start_after_a_crash_would_know_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, mode: int = 0) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.0)
    with Journal.open(tmp_path / "j.db") as journal:
        with monkeypatch.context() as nothing_at_all:
            nothing_at_all.setattr(Path, "touch", refused)
            fill_disk(journal, True)
            rows, told = journal.tell("table-1", None, [event(1.0)])
            told.result(10)
            assert journal.unsent() == []
        more, told = journal.tell("table-1", None, [event(2.0)])
        told.result(10)
        assert journal.unsent() == [*rows, *more]
        fill_disk(journal, False)


class Subscribed(Taking):
    """It lets events wait and takes everything else at once."""

    def __init__(self) -> None:
        super().__init__()
        self.topics: list[str] = []

    async def subscribe(self, filters: list[tuple[str, int]]) -> list[int]:
        return [0] * len(filters)

    async def publish(self, place: str, payload: bytes, **options: Any) -> None:
        if place.endswith("/event"):
            await self.may.wait()
        self.topics.append(place.rpartition("/")[2])


async def test_a_games_state_goes_out_behind_the_events_that_it_includes(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        relay = MqttRelay(_never, "nowhere", "autumn", "gw-1", journal)
        client = Subscribed()
        client.may.clear()
        journal.tell("table-1", "g-1", [event(1.0)])[1].result(10)
        state = GameState("g-1", "br-cbjd", "W:W1:B2", "W:W1:B2", (), 0)
        relay.show_game("table-1", state, 1, 1.0)
        relay.show_link("table-1", True, 1.0)
        tasks = [relay._send_outbox(client), relay._show_present(client)]  # type: ignore[arg-type]
        running = [asyncio.create_task(task) for task in tasks]
        try:
            async with asyncio.timeout(30):
                await until(lambda: client.topics == ["link"])
                client.may.set()
                await until(lambda: len(client.topics) == 3)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
    assert client.topics == ["link", "event", "state"]


def _never(will: Any) -> Any:
    raise AssertionError("nothing connects here")


def _rows(journal: Journal, query: str) -> list[Any]:
    with journal._reader() as db:
        return db.execute(query).fetchall()
