"""Filters by which somebody may hope to hear more than is theirs, against both brokers."""

from __future__ import annotations

import asyncio
import contextlib

import aiomqtt
import pytest
from broker.halls import USERS, Hall
from broker.test_both_brokers import LAST, LONG, ROOT, heard_until, topics

from damas_board.messages.access import may_publish, may_receive

FILTERS = (
    "#",
    "+/#",
    "damas/#",
    "damas/v1/+/#",
    "+/v1/autumn/#",
    f"{ROOT}/+",
    f"{ROOT}/+/#",
    f"{ROOT}/+/+/+",
    f"{ROOT}/cmd/+/board/+",
    f"{ROOT}/cmd/+/#",
    f"{ROOT}/ack/+",
    f"{ROOT}/req/#",
    f"{ROOT}/game/g-1/#",
    f"{ROOT}/board/+/event",
    f"$share/all/{ROOT}/#",
    f"$share/all/{ROOT}/game/+/event",
    "$share/all/#",
    "$SYS/#",
    f"/{ROOT}/#",
    f"{ROOT}//#",
)


async def subscribe(client: aiomqtt.Client, text: str) -> None:
    with contextlib.suppress(aiomqtt.MqttError):
        await client.subscribe(text, qos=1)


@pytest.mark.parametrize("name", ["screen", "gw-2", "olga"])
async def test_no_filter_gets_more_than_may_be_received(hall: Hall, name: str) -> None:
    reader = next(user for user in USERS if user.name == name)
    denied = [text for text in topics() if not may_receive(reader, text) and text.startswith(ROOT)]
    writer, tail = LAST[name]
    async with asyncio.timeout(2 * LONG), contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(hall.client(name))
        for text in (*FILTERS, *denied, f"{ROOT}/{tail}"):
            await subscribe(client, text)
        writers = {
            user.name: await stack.enter_async_context(hall.client(user.name))
            for user in USERS
            if user.meeting == "autumn"
        }
        for user in USERS:
            for text in topics():
                if user.name in writers and may_publish(user, text):
                    await writers[user.name].publish(text, "x", qos=1)
        await writers[writer].publish(f"{ROOT}/{tail}", "last", qos=1)
        heard = {str(message.topic) for message in await heard_until(client, f"{ROOT}/{tail}")}
    assert heard
    assert [text for text in heard if not may_receive(reader, text)] == []
