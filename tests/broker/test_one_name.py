"""Two programs that log in under one name: gateways find each other out, readers live side by side."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from broker.halls import Hall

from damas_board.app.gateway import mqtt_relay
from damas_board.app.hub_service import _clients
from damas_board.broker.client import Address, instance
from damas_board.messages.schemas import check
from damas_board.sinks import presence
from damas_board.sinks.errors import BrokerError
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import MqttRelay
from damas_board.sinks.presence import Presence

STATE = "damas/v1/autumn/gateway/gw-1/$state"
LONG = 60.0


@contextlib.asynccontextmanager
async def gateway(hall: Hall, journal: Path, *, required: bool = True) -> AsyncIterator[MqttRelay]:
    """The relay of a gateway gw-1 with that journal."""
    with Journal.open(journal) as opened:
        relay = mqtt_relay(Address(hall.host, hall.port, "gw-1", "secret of gw-1"), "autumn", opened)
        relay.required = required
        async with relay:
            yield relay


async def kept_state(hall: Hall) -> dict[str, object]:
    async with hall.client("ana") as late:
        await late.subscribe(STATE, qos=1)
        async for message in late.messages:
            body: dict[str, object] = json.loads(bytes(message.payload))
            check(body)
            return body
    raise AssertionError


async def test_a_second_gateway_of_the_same_name_is_refused_and_the_first_goes_on_and_says_so(
    hall: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with asyncio.timeout(LONG), gateway(hall, tmp_path / "one.db") as first:
        with pytest.raises(BrokerError, match="another gateway is connected as gw-1") as refused:
            async with gateway(hall, tmp_path / "two.db"):
                pass
        assert refused.value.key == "gateway_twice"
        assert any(r.levelno == logging.ERROR and "another gateway is there" in r.getMessage() for r in caplog.records)
        assert first.connections == 1
        await first.drained()
        state = await kept_state(hall)
        assert (state["state"], state["instance"]) == ("online", first._presence.instance)


async def test_two_whose_games_go_on_both_say_so_and_neither_ends_the_others_connection(
    hall: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        asyncio.timeout(LONG),
        gateway(hall, tmp_path / "one.db") as first,
        gateway(hall, tmp_path / "two.db", required=False) as second,
    ):
        told: list[logging.LogRecord] = []
        while len(told) < 2:
            await asyncio.sleep(0.05)
            told = [r for r in caplog.records if "another gateway is there" in r.getMessage()]
        await first.drained()
        await second.drained()
        assert (first.connections, second.connections) == (1, 1)


async def test_a_gateway_that_comes_back_or_takes_a_dead_ones_place_is_no_second_one(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ANSWER_SECONDS", 1.0)
    async with asyncio.timeout(LONG):
        async with gateway(hall, tmp_path / "one.db"):
            pass
        async with gateway(hall, tmp_path / "one.db"):
            pass
        async with hall.client("gw-1") as last_word:  # of one that is gone without its will being told
            body = {"schema": "damas.gateway/1", "ts": "2026-01-31T18:30:00Z", "gateway": "gw-1", "state": "online"}
            await last_word.publish(STATE, json.dumps({**body, "instance": "gone"}), qos=1, retain=True)
        async with gateway(hall, tmp_path / "two.db") as relay:
            await relay.drained()
            assert (await kept_state(hall))["instance"] == relay._presence.instance


async def test_the_late_will_of_a_dead_connection_does_not_leave_a_gateway_offline(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(LONG), gateway(hall, tmp_path / "one.db") as relay, hall.client("ana") as arbiter:
        await arbiter.subscribe(STATE, qos=1)
        async with hall.client("gw-1") as former:
            body = {"schema": "damas.gateway/1", "ts": "2026-01-31T18:30:00Z", "gateway": "gw-1", "state": "offline"}
            await former.publish(STATE, json.dumps({**body, "instance": "gone"}), qos=1, retain=True)
        said = []
        async for message in arbiter.messages:
            said.append(json.loads(bytes(message.payload)))
            if len(said) > 1 and said[-1]["state"] == "online":
                break
        assert said[-1]["instance"] == relay._presence.instance


async def test_readers_and_hubs_with_one_login_live_side_by_side(hall: Hall) -> None:
    root = "damas/v1/autumn"
    async with asyncio.timeout(LONG), contextlib.AsyncExitStack() as stack:
        hubs = [
            *[await stack.enter_async_context(hall.client("hub-1")) for _ in range(2)],
            *[
                await stack.enter_async_context(
                    hall.client("hub-1", identifier=f"archive-{instance('autumn', place)}", clean=False)
                )
                for place in ("one", "two")
            ],
        ]
        for hub in hubs:
            await hub.subscribe(f"{root}/round/+", qos=1)
        organiser = await stack.enter_async_context(hall.client("olga"))
        for n in range(3):
            await organiser.publish(f"{root}/round/r-{n}", "x", qos=1)
        for hub in hubs:
            heard = []
            async for message in hub.messages:
                heard.append(str(message.topic))
                if len(heard) == 3:
                    break
            assert heard == [f"{root}/round/r-{n}" for n in range(3)]


async def test_the_connections_of_two_hubs_with_one_login_and_of_one_that_came_back(hall: Hall, tmp_path: Path) -> None:
    address = Address(hall.host, hall.port, "hub-1", "secret of hub-1")
    first = _clients("autumn", address, tmp_path / "one.sqlite")
    second = _clients("autumn", address, tmp_path / "two.sqlite")
    again = _clients("autumn", address, tmp_path / "one.sqlite")
    async with asyncio.timeout(LONG), first("hall") as one, second("hall") as two, first("public") as three:
        for client in (one, two, three):
            await client.publish("damas/v1/autumn/req/hub-1", "x", qos=1)
    assert first("hall").identifier == again("hall").identifier


def test_an_instance_is_the_same_each_time_and_another_for_another_journal() -> None:
    assert instance("2026", "a.db") == instance("2026", "a.db")
    assert len({instance("2026", "a.db"), instance("2026", "b.db"), instance("2027", "a.db"), instance()}) == 4


@pytest.mark.parametrize(
    ("payload", "retained", "again"),
    [
        (b'{"state": "online", "instance": "me"}', False, False),
        (b'{"state": "offline", "instance": "me"}', True, False),
        (b'{"state": "offline", "instance": "me"}', False, True),
        (b'{"state": "offline", "instance": "other"}', False, True),
        (b'{"state": "online", "instance": "other"}', True, False),
        (b'{"state": "online", "instance": "other"}', False, True),
        (b'{"state": "online", "instance": 7}', False, True),
        (b"[]", False, True),
        (b"[" * 100_000, False, True),
        (b"\xff", True, False),
    ],
)  # fmt: skip
def test_what_is_heard_on_ones_own_topic(payload: bytes, retained: bool, again: bool) -> None:
    heard = Presence("me")
    assert heard.hear(payload, retained) is again
    assert heard.twins == ({"other"} if again and b"online" in payload and b"other" in payload else set())
    if heard.twins:
        assert heard.hear(payload, retained) is False
