"""A hub beside the gateway that breaks: it is told, started again, and the boards go on."""

import asyncio
import logging
import socket
from pathlib import Path
from typing import Any

import pytest
from app.tables import until

from damas_board.app import hub_service
from damas_board.app.service import serving
from damas_board.config import ConfigError, read_config
from damas_board.hub.archive import Archive
from damas_board.messages.stream import Record
from damas_board.session.inputs import Command

CONFIG = """
meeting = "autumn"

[[board]]
id = "table-1"
regulation = "br-cbjd"
sensors = false

[broker]
kind = "embedded"
port = 0

[hub]
port = {port}
"""


def configured(folder: Path, port: int) -> Path:
    path = folder / "club.toml"
    path.write_text(CONFIG.format(port=port), encoding="utf-8")
    return path


async def test_a_hub_that_breaks_is_started_again_while_the_boards_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(hub_service, "AGAIN_SECONDS", 0.05)
    take, faults = Archive.take, [MemoryError("no room"), MemoryError("still no room")]

    def breaks_twice(self: Archive, *arguments: Any, **options: Any) -> Any:
        if faults:
            raise faults.pop(0)
        return take(self, *arguments, **options)

    monkeypatch.setattr(Archive, "take", breaks_twice)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    config = read_config(configured(tmp_path, port))
    async with asyncio.timeout(60), serving(config) as service:
        kept, board = service.hub, service.gateway.boards["table-1"]
        assert kept is not None
        for number, move in enumerate(("c3-d4", "b6-a5", "d4-c5"), 1):
            await board.give(Command(0.0, "move", str(number), {"move": move}, "ana"))
            await until(lambda number=number: len(board.state.moves) == number)
        await until(lambda: kept.breaks == 2 and kept.hub is not None)
        with Archive.open(config.hub.archive) as archive:
            await until(lambda: plies(archive.record("autumn", board.game)) == 3)
        assert not board.failed
        assert kept.hub.web.port == port
    assert caplog.text.count("the hub broke: nothing is archived or published until it runs again") == 2
    assert "no room" in caplog.text
    assert "the hub runs again" in caplog.text
    assert kept.hub is None


def plies(record: Record | None) -> int:
    return 0 if record is None else len(record.moves)


async def test_a_hub_that_cannot_even_start_is_an_error_of_the_start(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = read_config(configured(tmp_path, taken.getsockname()[1]))
        with pytest.raises(ConfigError, match="port is in use"):
            async with asyncio.timeout(60), serving(config):
                pass
