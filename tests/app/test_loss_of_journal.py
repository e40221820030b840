"""A service that finds its journal damaged: it starts, says so, and the games are there."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest
from app.halls import LOGINS, MEETING, Hall, Reader
from app.tables import HEADER, items, moves, published, until

from damas_board.app.gateway import Gateway
from damas_board.app.restoring import KnownGame, rebuild
from damas_board.app.service import serving
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.config import read_config
from damas_board.sinks.journal import beside

CONFIG = """
meeting = "{meeting}"
gateway = "gw-1"

[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_file = "secret"

[[board]]
id = "table-1"
regulation = "br-cbjd"
sensors = false
"""


async def test_a_service_mends_its_journal_and_says_so_in_the_log_and_in_its_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "damas-board.sqlite"
    rebuild(path, [KnownGame(replace(HEADER, game="table-1-final"), items(), "recording")])
    before = published(path, "game/table-1-final")
    with path.open("r+b") as opened:
        opened.seek(3 * 4096)
        opened.write(b"\x55" * 4096)
    (tmp_path / "secret").write_text("secret of gw-1\n", encoding="utf-8")
    (tmp_path / "secret").chmod(0o600)
    caplog.set_level(logging.WARNING)
    async with asyncio.timeout(60), EmbeddedBroker(LOGINS, port=0) as broker:
        file = tmp_path / "club.toml"
        file.write_text(CONFIG.format(meeting=MEETING, port=broker.port), encoding="utf-8")
        async with (
            Reader(Hall("embedded", broker.port, tmp_path)).reading() as reader,
            serving(read_config(file)) as on,
        ):
            assert isinstance(on.gateway, Gateway)
            await until(lambda: "journal_mended" in reader.retained.get("gateway/gw-1/health", {}))
            told = reader.retained["gateway/gw-1/health"]["journal_mended"]
            await until(
                lambda: reader.retained.get("game/table-1-final/state", {}).get("moves") == list(moves(items()))
            )
    aside = beside(tmp_path / told["aside"], "")
    assert aside.read_bytes()[3 * 4096 : 4 * 4096] == b"\x55" * 4096
    assert f"it is kept as {aside.name}" in caplog.text
    assert [body for body in published(path, "game/table-1-final") if body["event"] == "move"] == [
        body for body in before if body["event"] == "move"
    ]
