"""kill -9 behind each single commit while commands are carried out: each has one answer, and the answer is true."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from app.halls import MEETING
from app.tables import HEADER, Hands, Odd, until

from damas_board.app import Gateway
from damas_board.app import gateway as gateway_module
from damas_board.app.feeding import Feeding
from damas_board.app.gateway import new_session
from damas_board.messages.topics import Kind, topic
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import Received

SECONDS = 90
COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("c1", {"do": "result", "result": "1-0", "reason": "agreed"}),
    ("c2", {"do": "new_game", "game": "second", "starts": "command"}),
    ("c3", {"do": "new_game", "game": "second"}),  # refused: it is there
    ("c4", {"do": "new_game", "regulation": "none such"}),
    ("c5", {"do": "start"}),
    ("c6", {"do": "move_to", "board": "table-9"}),
    ("c7", {"do": "move", "move": "c3-d4"}),
    ("c8", {"do": "result", "result": "0-1", "reason": "agreed"}),
)


def give(gateway: Gateway, id_: str, body: dict[str, Any]) -> None:
    """As it comes from the broker; the answers are looked for in the journal, so no connection is needed."""
    place = topic(Kind.COMMAND_BOARD, MEETING, "ana", "table-1")
    message = Received(place, json.dumps({**body, "id": id_}).encode(), retained=False)
    gateway._command(None, message)  # type: ignore[arg-type]


def answers(journal: Journal, id_: str) -> list[dict[str, Any]]:
    journal.flush().result(10)
    with journal._reader() as db:
        rows = db.execute("SELECT body FROM events WHERE stream = 'ack/ana' ORDER BY number").fetchall()
    return [body for (text,) in rows if (body := json.loads(text))["id"] == id_]


def told(journal: Journal, id_: str) -> list[str]:
    """What the streams say became of a command."""
    with journal._reader() as db:
        rows = db.execute("SELECT body FROM events WHERE stream NOT LIKE 'ack/%'").fetchall()
    bodies = [json.loads(text) for (text,) in rows]
    return [body["outcome"] for body in bodies if body["event"] == "command" and body["id"] == id_]


def carried_out(journal: Journal, id_: str) -> bool:
    """Whether what a command asks for is there."""
    games = journal.games()
    bodies = [[row.body for row in journal.events(f"game/{played.game}")] for played in games]
    match id_:
        case "c1":
            return any(body["event"] == "game_over" for body in bodies[0])
        case "c2":
            return len(games) > 1
        case "c5":
            return len(games) > 1 and any(body["event"] == "game_started" for body in bodies[1])
        case "c7":
            return len(games) > 1 and any(body["event"] == "move" for body in bodies[1])
        case "c8":
            return len(games) > 1 and any(body["event"] == "game_over" for body in bodies[1])
        case _:
            return False


async def test_a_command_has_one_answer_and_a_true_one_behind_whichever_commit_the_gateway_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copies = tmp_path / "j.db", list[Path]()
    whole = Journal._transaction

    def each_alone(self: Journal, works: Sequence[Any], **options: Any) -> None:
        """Each unit of work in a transaction of its own, and behind each a copy of what a kill would leave."""
        for work in works:
            whole(self, [work], **options)
            copies.append(tmp_path / f"copy-{len(copies)}.db")
            with sqlite3.connect(path) as now, sqlite3.connect(copies[-1]) as copy:
                now.backup(copy)
            shutil.copy(f"{path}-mark", f"{copies[-1]}-mark")

    async with asyncio.timeout(SECONDS):
        with monkeypatch.context() as patched, Journal.open(path) as journal:
            patched.setattr(Journal, "_transaction", each_alone)
            async with Gateway(journal, [Hands().setup()]) as gateway:
                for id_, body in COMMANDS:
                    give(gateway, id_, body)
                    await until(lambda id_=id_: answers(journal, id_))
                assert [answers(journal, id_)[0]["outcome"] for id_, _ in COMMANDS] == [
                    *("done", "done", "refused", "refused", "done", "refused", "done", "done")
                ]
        assert len(copies) > 3 * len(COMMANDS)
        for copy in copies:
            with Journal.open(copy) as journal:
                async with Gateway(journal, [Hands().setup()]):
                    pass
                with journal._reader() as db:
                    taken = [id_ for (id_,) in db.execute("SELECT id FROM commands")]
                for id_ in taken:
                    (answer,) = answers(journal, id_)
                    assert (answer["outcome"] == "done") == carried_out(journal, id_), (copy.name, answer)
                    assert journal.command_answer("ana", id_) == answer
                    assert told(journal, id_) in ([answer["outcome"]], [])
                    assert told(journal, id_) or answer["reason"] == "interrupted"
                    assert not journal.take_command("ana", id_, "table-1", journal.last_at)


async def test_a_command_at_which_a_board_fails_and_those_behind_it_are_refused_at_once(tmp_path: Path) -> None:
    def broken(item: Input) -> list[Any]:
        if isinstance(item, Command) and item.do == "pause":
            raise ZeroDivisionError
        return []

    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:

            def session(header: Header) -> Odd:
                return Odd(header, broken)

            async with Gateway(journal, [Hands().setup()], make_session=session) as gateway:
                for id_, do in (("c1", "pause"), ("c2", "stands"), ("c3", "resume")):
                    give(gateway, id_, {"do": do, "alert": "a1"})
                await until(lambda: all(answers(journal, id_) for id_ in ("c1", "c2", "c3")))
                assert gateway.boards["table-1"].failed
            for id_ in ("c1", "c2", "c3"):
                (answer,) = answers(journal, id_)
                assert (answer["outcome"], answer["reason"]) == ("refused", "board_failed")


async def test_what_was_taken_with_what_broke_a_boards_task_is_done_and_what_broke_it_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "AGAIN_SECONDS", 0.01)
    take = Feeding.take

    async def breaks(self: Feeding, given: Sequence[Input]) -> None:
        if any(isinstance(item, Command) and item.id == "c1" for item in given):
            raise ZeroDivisionError
        await take(self, given)

    monkeypatch.setattr(Feeding, "take", breaks)
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:
            async with Gateway(journal, [Hands().setup()]) as gateway:
                give(gateway, "c1", {"do": "pause"})
                give(gateway, "c2", {"do": "new_game", "game": "second"})
                give(gateway, "c3", {"do": "move", "move": "c3-d4"})
                await until(lambda: all(answers(journal, id_) for id_ in ("c1", "c2", "c3")))
                state = gateway.boards["table-1"].state
                assert state is not None
                assert (state.game, state.moves) == ("second", ("c3-d4",))
            outcomes = {id_: [a["outcome"] for a in answers(journal, id_)] for id_ in ("c1", "c2", "c3")}
            assert outcomes == {"c1": ["refused"], "c2": ["done"], "c3": ["done"]}


async def test_a_game_that_could_not_be_restored_at_first_answers_what_was_open_when_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "AGAIN_SECONDS", 0.01)
    faults = [MemoryError()]

    def session(header: Header) -> Any:
        if faults:
            raise faults.pop()
        return new_session(header)

    with Journal.open(tmp_path / "j.db") as journal:
        journal.begin_game(Header("table-1", HEADER.regulation, game="first"), 0.0)
        command = Command(1.0, "result", "c1", {"result": "1-0", "reason": "agreed"}, "ana")
        journal.take_command("ana", "c1", "table-1", 1.0)
        journal.append("table-1", "first", [command])
        journal.take_command("ana", "c2", "table-1", 1.0)
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:
            async with Gateway(journal, [Hands().setup()], make_session=session):
                await until(lambda: answers(journal, "c1") and answers(journal, "c2"))
            assert not faults
            assert [answers(journal, id_)[0]["outcome"] for id_ in ("c1", "c2")] == ["done", "refused"]


async def test_a_message_that_cannot_be_worked_with_holds_up_no_other_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Relay:
        received: asyncio.Queue[Received] = asyncio.Queue()

    objection = Gateway._objection

    def breaks(self: Gateway, command: Any, *rest: Any) -> Any:
        if command.id == "c1":
            raise ZeroDivisionError
        return objection(self, command, *rest)

    monkeypatch.setattr(Gateway, "_objection", breaks)
    place = topic(Kind.COMMAND_BOARD, MEETING, "ana", "table-1")
    async with asyncio.timeout(SECONDS):
        with Journal.open(tmp_path / "j.db") as journal:
            async with Gateway(journal, [Hands().setup()]) as gateway:
                listening = asyncio.create_task(gateway._listen(Relay()))  # type: ignore[arg-type]
                for id_ in ("c1", "c2"):
                    Relay.received.put_nowait(Received(place, json.dumps({"do": "pause", "id": id_}).encode(), False))
                await until(lambda: answers(journal, "c2"))
                assert journal.take_command("ana", "c1", "table-1", 0.0), "it may be sent again"
                listening.cancel()
