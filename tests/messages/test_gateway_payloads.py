"""What a gateway really publishes, held against the schemas that readers are given."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from app.halls import LOGINS
from app.tables import items, replayed

from damas_board.app import Gateway, mqtt_relay
from damas_board.broker.client import Address, client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.messages.schemas import check
from damas_board.messages.topics import parse
from damas_board.sinks.journal import Journal

ROOT = "damas/v1/autumn"


async def test_every_payload_of_a_game_fits_the_schema_of_its_topic(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(60),
        EmbeddedBroker(LOGINS, port=0) as broker,
        client(Address(broker.host, broker.port, "ana", "secret of ana")) as reader,
    ):
        await reader.subscribe(f"{ROOT}/#", qos=1)
        with Journal.open(tmp_path / "j.db") as journal:
            relay = mqtt_relay(Address(broker.host, broker.port, "gw-1", "secret of gw-1"), "autumn", journal)
            async with Gateway(journal, [replayed(items())], relay=relay) as gateway:
                await gateway.finished()
                await relay.drained()
        seen = set()
        async for message in reader.messages:
            flat = json.loads(bytes(message.payload))
            check(flat)
            assert flat["schema"] == parse(str(message.topic)).schema
            seen.add(flat["schema"])
            if flat.get("state") == "offline":
                break
    assert seen >= {f"damas.{name}/1" for name in ("event", "state", "see", "link", "info", "gateway")}
