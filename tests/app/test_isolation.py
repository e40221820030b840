"""What breaks at one board touches no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from app.tables import HEADER, HandFed, Hands, items, moves, replayed, until

from damas_board.app import BoardSetup, Gateway
from damas_board.session.inputs import Command, Input, See
from damas_board.sinks.journal import Journal

SECONDS = 30.0
BAD = replace(HEADER, board="bad")


class Hangs(HandFed):
    async def __aenter__(self) -> HandFed:
        await asyncio.Event().wait()
        return self


class Raises(HandFed):
    async def __aenter__(self) -> HandFed:
        raise RuntimeError("our own fault")


class Floods(HandFed):
    async def __aiter__(self) -> AsyncIterator[Input]:
        rows = [item.rows for item in items() if isinstance(item, See)][:2]
        while True:
            for shown in rows:
                yield See(self.now(), shown)


@pytest.mark.parametrize("source", [Hangs, Raises, Floods])
async def test_a_source_that_hangs_raises_or_floods_holds_up_no_other_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Callable[[Callable[[], float]], HandFed]
) -> None:
    monkeypatch.setattr("damas_board.app.gateway.START_SECONDS", 0.2)
    boards = [BoardSetup(BAD, source), replayed(items())]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            await gateway.boards["table-1"].finished()
            state = gateway.boards["table-1"].state
            assert state is not None
            assert state.moves == moves(items())
            figures = gateway.figures().boards
            assert figures["table-1"].restarts == 0
            assert (figures["bad"].restarts > 0) == (source is Raises)


async def test_a_task_that_breaks_again_and_again_is_shown_as_failed_and_keeps_no_command_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.app.gateway.AGAIN_SECONDS", 0.02)
    hands = Hands()
    whole, broke = Journal.append, []

    def failing(self: Journal, board: str, *rest: object) -> object:
        if board == "bad" and rest[0] is not None and len(rest[1]) and isinstance(rest[1][0], See):  # type: ignore[arg-type,index]
            broke.append(asyncio.get_running_loop().time())
            raise RuntimeError("no such luck")
        return whole(self, board, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", failing)
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup(BAD), hands.setup()]) as gateway:
            for n in range(4):
                hands["bad"].given.put_nowait(See(0.0, items()[0].rows))  # type: ignore[union-attr]
                await until(lambda n=n: len(broke) > n)  # type: ignore[misc]
            assert gateway.figures().boards["bad"].failed
            assert gateway.boards["table-1"].offer(Command(0.0, "result", "r1", {"result": "1-0"}, "ana"))
            await gateway.boards["table-1"].drained()
            assert gateway.boards["table-1"].state.over is not None  # type: ignore[union-attr]
            assert gateway.figures().boards["bad"].restarts >= 4


async def test_a_table_without_sensors_is_played_by_command_and_waits_for_no_board(tmp_path: Path) -> None:
    table = BoardSetup(HEADER, None)
    played = moves(items())[:4]
    with Journal.open(tmp_path / "j.db") as journal:
        for half in (played[:2], played[2:]):
            async with asyncio.timeout(SECONDS), Gateway(journal, [table]) as gateway:
                board = gateway.boards["table-1"]
                for n, move in enumerate(half):
                    assert board.offer(Command(0.0, "move", f"{half[0]}{n}", {"move": move}, "ana"))
                await board.drained()
                assert not board.figures.sensors
        assert board.state is not None
        assert board.state.moves == played
        told = [row.body for row in journal.events(f"game/{board.game}")]
    assert not [body for body in told if body["event"] == "alert"]
    assert not [body for body in told if body.get("state") in ("lost", "mismatch")]
