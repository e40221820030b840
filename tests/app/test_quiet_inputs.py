"""What an input costs that tells nothing: one commit, and no wait behind it."""

import asyncio
from pathlib import Path

import pytest
from app.tables import Hands, Odd

from damas_board.app import Gateway
from damas_board.session.inputs import See
from damas_board.sinks import journal as journal_module
from damas_board.sinks.journal import Journal

EMPTY = "/".join(["." * 8] * 8)
PIECE = EMPTY.replace(".", "o", 1)


async def test_an_input_that_tells_nothing_is_one_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "LATER_SECONDS", 3600.0)
    hands = Hands()
    with Journal.open(tmp_path / "j.db") as journal:
        gateway = Gateway(journal, [hands.setup()], make_session=lambda header: Odd(header, lambda item: []))
        async with asyncio.timeout(30), gateway:
            board, source = gateway.boards["table-1"], hands["table-1"]
            await _give(source.given, See(source.now(), EMPTY))
            await board.drained()
            before = journal.commits
            for n in range(20):
                await _give(source.given, See(source.now(), PIECE if n % 2 else EMPTY))
                await board.drained()
            assert journal.commits == before + 20
            game = board.game
        assert game is not None
        assert {stored.state for stored in journal.inputs(game)} == {"fed"}


async def _give(given: "asyncio.Queue[See | Exception | None]", item: See) -> None:
    given.put_nowait(item)
    while not given.empty():  # noqa: ASYNC110
        await asyncio.sleep(0)
    await asyncio.sleep(0)
