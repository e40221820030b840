"""Faults of the program's own: what was asked is answered all the same, and nothing stops in silence."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from app.halls import MEETING, Hall, Reader
from app.tables import HEADER, HandFed, items, until

from damas_board.app import BoardSetup, Gateway, mqtt_relay, transfer
from damas_board.app.arrival import Arrival
from damas_board.app.feeding import Feeding
from damas_board.app.gateway import new_session
from damas_board.app.inbox import INBOX
from damas_board.app.transfer import Transfer
from damas_board.messages.envelope import rfc3339
from damas_board.session.inputs import Command
from damas_board.sinks.journal import Journal

SECONDS = 90


def hand_fed(board: str = "table-1", **options: Any) -> BoardSetup:
    return BoardSetup(replace(HEADER, board=board), HandFed, **options)


def answers_to(reader: Reader, id_: str) -> list[dict[str, Any]]:
    return [answer for answer in reader.answers if answer["id"] == id_]


async def test_a_command_that_came_and_was_not_carried_out_before_a_kill_is_answered_at_the_next_start(
    hall: Hall, tmp_path: Path
) -> None:
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        with Journal.open(tmp_path / "j.db") as journal:
            journal.take_command("ana", "c1", "table-1", 1.0)
            journal.append("table-1", None, [Command(2.0, "new_game", "c2", {}, "ana")])
            journal.take_command("ana", "c2", "table-1", 2.0)
        for _ in range(2):
            with Journal.open(tmp_path / "j.db") as journal:
                relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
                async with Gateway(journal, [hand_fed()], relay=relay):
                    await until(lambda: answers_to(reader, "c1") and answers_to(reader, "c2"))
                    await relay.drained()
        for id_ in ("c1", "c2"):
            (answer,) = answers_to(reader, id_)
            assert (answer["outcome"], answer["reason"], answer["by"]) == ("refused", "interrupted", "ana")


async def test_a_command_that_was_journalled_before_a_kill_is_carried_out_and_answered_once(
    hall: Hall, tmp_path: Path
) -> None:
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        with Journal.open(tmp_path / "j.db") as journal:
            async with Gateway(journal, [hand_fed()]) as gateway:
                game = gateway.boards["table-1"].game
            at = journal.last_at
            journal.take_command("ana", "c1", "table-1", at)
            journal.append("table-1", game, [Command(at, "result", "c1", {"result": "1-0", "reason": "agreed"}, "ana")])
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            async with Gateway(journal, [hand_fed()], relay=relay) as gateway:
                await until(lambda: answers_to(reader, "c1"))
                await relay.drained()
                state = gateway.boards["table-1"].state
                assert state is not None
                assert state.over is not None
        assert [answer["outcome"] for answer in answers_to(reader, "c1")] == ["done"]


@pytest.mark.parametrize("hours", [2, -2])
async def test_a_command_is_not_too_old_because_the_machines_clock_was_put_right(
    hall: Hall, tmp_path: Path, hours: int
) -> None:
    """The journal goes on as the clock once was; who commands goes by the clock that is right."""
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        path = tmp_path / "j.db"
        Journal.open(path).close()
        with sqlite3.connect(path) as db:
            (utc,) = db.execute("SELECT value FROM meta WHERE key = 'utc'").fetchone()
            moved = datetime.fromisoformat(utc) + timedelta(hours=hours)
            db.execute("UPDATE meta SET value = ? WHERE key = 'utc'", (moved.isoformat(),))
        db.close()
        with Journal.open(path) as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            async with Gateway(journal, [hand_fed()], relay=relay):
                expires = rfc3339(datetime.now(UTC) + timedelta(minutes=5))
                body = {"id": "c1", "do": "pause", "expires": expires}
                await reader.send("cmd/ana/board/table-1", body)
                long_ago = rfc3339(datetime.now(UTC) - timedelta(hours=3))
                await reader.send("cmd/ana/board/table-1", {**body, "id": "c2", "expires": long_ago})
                await until(lambda: answers_to(reader, "c1") and answers_to(reader, "c2"))
        assert answers_to(reader, "c1")[0].get("reason") != "expired"
        assert answers_to(reader, "c2")[0]["reason"] == "expired"


async def test_a_fault_in_publishing_costs_a_connection_and_nothing_else(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            async with Gateway(journal, [hand_fed()], relay=relay):
                await relay.drained()
                faults = [sqlite3.OperationalError("unable to open database file")]

                def once(rows: object) -> Any:
                    if faults:
                        raise faults.pop()
                    return publish(rows)

                publish = relay._message
                monkeypatch.setattr(relay, "_message", once)
                await reader.send("cmd/ana/board/table-1", {"id": "c1", "do": "result", "result": "1-0"})
                await until(lambda: answers_to(reader, "c1"))
                assert not faults
                await relay.drained()
                assert relay.connections == 2


async def test_a_relay_that_ends_stops_the_gateway_loudly(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            async with Gateway(journal, [hand_fed()], relay=relay) as gateway:
                waiting = asyncio.create_task(gateway.wait())
                await asyncio.sleep(0)
                assert relay._task is not None
                relay._task.cancel()
                with pytest.raises(RuntimeError, match="published"):
                    await waiting


async def test_a_journal_whose_writer_breaks_stops_the_gateway_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:

            def breaks(works: object, **options: object) -> None:
                raise MemoryError

            async def waited(journal: Journal) -> None:
                async with Gateway(journal, [hand_fed()]) as gateway:
                    monkeypatch.setattr(journal, "_transaction", breaks)
                    journal.append("table-1", None, [Command(journal.last_at, "pause", "c1")])
                    await gateway.wait()

            with pytest.raises(MemoryError):
                await waited(journal)
            assert journal.alarm == "MemoryError: "


async def test_a_game_stays_where_it_is_if_the_spare_breaks_before_it_takes_it(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(self: Transfer, arrival: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Transfer, "_first_inputs", breaks)
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            boards = [hand_fed(), hand_fed("table-2", begins=False)]
            async with Gateway(journal, boards, relay=relay) as gateway:
                game = gateway.boards["table-1"].game
                await reader.send("cmd/ana/board/table-1", {"id": "c1", "do": "move_to", "board": "table-2"})
                await until(lambda: answers_to(reader, "c1"))
                assert answers_to(reader, "c1")[0]["reason"] == "board_failed"
                assert (gateway.boards["table-1"].game, gateway.boards["table-2"].game) == (game, None)


async def test_a_spare_that_comes_to_it_too_late_does_not_take_the_game(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "HANDOVER_SECONDS", 0.3)
    arrive, may, came = Transfer.arrive, asyncio.Event(), asyncio.Event()

    async def late(self: Transfer, arrival: Any) -> None:
        await may.wait()
        await arrive(self, arrival)
        came.set()

    monkeypatch.setattr(Transfer, "arrive", late)
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            boards = [hand_fed(), hand_fed("table-2", begins=False)]
            async with Gateway(journal, boards, relay=relay) as gateway:
                game = gateway.boards["table-1"].game
                await reader.send("cmd/ana/board/table-1", {"id": "c1", "do": "move_to", "board": "table-2"})
                await until(lambda: answers_to(reader, "c1"))
                may.set()
                await came.wait()
                assert answers_to(reader, "c1")[0]["reason"] == "busy"
                assert (gateway.boards["table-1"].game, gateway.boards["table-2"].game) == (game, None)


async def test_a_spare_that_takes_the_game_at_the_last_moment_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiting is over and the game is taken in the same turn of the loop: else both boards had it."""

    @contextlib.asynccontextmanager
    async def over(seconds: float) -> AsyncIterator[None]:
        yield
        raise TimeoutError

    class Spare:
        name = "table-2"

        def expect(self, arrival: Arrival) -> None:
            arrival.answered.set()

    monkeypatch.setattr(asyncio, "timeout", over)
    with Journal.open(tmp_path / "j.db") as journal:
        async with Gateway(journal, [hand_fed()]) as gateway:
            given = gateway.boards["table-1"]._transfer
            command = Command(0.0, "move_to", "c1", {"board": "table-2"}, "ana")
            arrival = Arrival(command, "g", HEADER, new_session(HEADER), "table-1", True, 0.0)
            assert await given._given_to(Spare(), arrival) is None
            assert not arrival.withdrawn


async def test_a_source_goes_on_after_its_boards_task_broke_with_a_full_inbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed = Feeding.take
    faults = [ZeroDivisionError()]

    async def once(self: Feeding, given: Any) -> None:
        if len(given) >= INBOX and faults:
            raise faults.pop()
        await fed(self, given)

    monkeypatch.setattr(Feeding, "take", once)
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:
            async with Gateway(journal, [hand_fed()]) as gateway:
                board = gateway.boards["table-1"]
                first = items()[0]
                for _ in range(INBOX + 100):
                    await board.give(replace(first, at=journal.last_at))
                await board.drained()
                assert not faults
