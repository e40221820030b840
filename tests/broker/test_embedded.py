from __future__ import annotations

import asyncio
import contextlib
import json
import os

import aiomqtt
import pytest
from broker.halls import LOGINS, Hall
from hypothesis import given
from hypothesis import strategies as st

from damas_board.broker import embedded
from damas_board.broker.connect import CONNECT, ConnectError, ProtocolLevelError, Will, read_connect, remaining_length
from damas_board.broker.embedded import BrokerStartError, EmbeddedBroker
from damas_board.messages.schemas import check


def text(value: str) -> bytes:
    return len(value.encode()).to_bytes(2, "big") + value.encode()


FULL = (
    b"\x00\x04MQTT\x04\xee\x00\x3c"
    + text("client")
    + text("a/will")
    + b"\x00\x02\xff\x00"
    + text("ana")
    + text("secret")
)


def test_connect_is_read() -> None:
    connect = read_connect(FULL)
    assert (connect.client, connect.clean, connect.keep_alive) == ("client", True, 60)
    assert (connect.user, connect.password, connect.will) == ("ana", "secret", Will("a/will", True))


def test_a_client_is_renamed_and_nothing_else_changes() -> None:
    packet = read_connect(FULL).renamed("ana/" + "x" * 200)
    assert packet[0] == CONNECT
    again = read_connect(packet[3:])
    assert again.client == "ana/" + "x" * 200
    assert (again.behind_client, again.variable_header) == (FULL[18:], FULL[:8] + b"\0\0")


@pytest.mark.parametrize(
    ("length", "written"), [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (268_435_455, b"\xff\xff\xff\x7f")]
)
def test_a_length_is_written_as_mqtt_does(length: int, written: bytes) -> None:
    assert remaining_length(length) == written


@given(st.binary(max_size=120), st.integers(0, len(FULL)))
def test_bytes_that_are_no_connect_raise_the_typed_error(noise: bytes, cut: int) -> None:
    for body in (noise, FULL[:cut], FULL[:cut] + noise):
        with contextlib.suppress(ConnectError):
            read_connect(body)


def test_another_version_of_mqtt_is_told_from_garbage() -> None:
    with pytest.raises(ProtocolLevelError, match="level 5"):
        read_connect(FULL[:6] + b"\x05" + FULL[7:])


async def test_a_port_in_use_is_one_clear_line() -> None:
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        with pytest.raises(BrokerStartError, match=rf"127\.0\.0\.1:{broker.port}.*in use") as caught:
            async with EmbeddedBroker(LOGINS, port=broker.port):
                pass
    assert "\n" not in str(caught.value)


async def test_garbage_at_the_door_ends_only_its_own_connection() -> None:
    async with EmbeddedBroker(LOGINS, port=0) as broker, asyncio.timeout(30):
        for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\x10\xff\xff\xff\xff\x01", b"\x10\x03abc", os.urandom(5000), b""):
            reader, writer = await asyncio.open_connection("127.0.0.1", broker.port)
            writer.write(noise)
            writer.write_eof()
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
        async with Hall("embedded", broker.host, broker.port).client("ana") as client:
            await client.publish("damas/v1/autumn/req/ana", "x", qos=1)


async def test_garbage_behind_a_good_connect_ends_only_its_own_connection() -> None:
    will = "damas/v1/autumn/req/ana"
    body = b"\x00\x04MQTT\x04\xc6\x00\x3c" + text("c") + text(will) + text("lost") + text("ana") + text("secret of ana")
    async with (
        asyncio.timeout(30),
        EmbeddedBroker(LOGINS, port=0) as broker,
        Hall("embedded", broker.host, broker.port).client("gw-1") as gateway,
    ):
        await gateway.subscribe("damas/v1/autumn/req/+", qos=1)
        reader, writer = await asyncio.open_connection("127.0.0.1", broker.port)
        with contextlib.closing(writer):
            writer.write(bytes([CONNECT]) + remaining_length(len(body)) + body)
            assert await reader.readexactly(4) == b"\x20\x02\x00\x00"
            writer.write(b"\xf0\x05hello" + os.urandom(2000))
            writer.write_eof()
            async for message in gateway.messages:
                assert message.payload == b"lost"
                break


async def test_a_connection_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "HELLO_SECONDS", 0.1)
    async with EmbeddedBroker(LOGINS, port=0) as broker, asyncio.timeout(30):
        reader, writer = await asyncio.open_connection("127.0.0.1", broker.port)
        assert await reader.read() == b""
        writer.close()


async def test_it_stops_with_clients_connected_and_starts_again_on_its_port() -> None:
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        port = broker.port
        client = Hall("embedded", broker.host, port).client("ana")
        await client.__aenter__()
    with pytest.raises(aiomqtt.MqttError):
        await client.publish("damas/v1/autumn/req/ana", "x", qos=1)
    with contextlib.suppress(aiomqtt.MqttError):
        await client.__aexit__(None, None, None)
    async with EmbeddedBroker(LOGINS, port=port), asyncio.timeout(30), client:
        await client.publish("damas/v1/autumn/req/ana", "x", qos=1)


async def test_no_message_is_lost_while_others_subscribe_and_unsubscribe() -> None:
    async with (
        asyncio.timeout(60),
        EmbeddedBroker(LOGINS, port=0) as broker,
        Hall("embedded", broker.host, broker.port).client("ana") as reader,
        Hall("embedded", broker.host, broker.port).client("bia") as restless,
        Hall("embedded", broker.host, broker.port).client("hub-1") as hub,
        Hall("embedded", broker.host, broker.port).client("gw-1") as gateway,
    ):
        await hub.subscribe("damas/v1/autumn/game/g-1/event", qos=1)
        await reader.subscribe("damas/v1/autumn/game/+/event", qos=1)

        async def come_and_go() -> None:
            for n in range(150):
                await restless.subscribe(f"damas/v1/autumn/game/g-{n}/state", qos=1)
                await restless.unsubscribe(f"damas/v1/autumn/game/g-{n // 2}/state")

        async def publish() -> None:
            for n in range(300):
                await gateway.publish("damas/v1/autumn/game/g-1/event", str(n), qos=1)

        await asyncio.gather(come_and_go(), publish())
        got = []
        async for message in reader.messages:
            got.append(int(message.payload))
            if got[-1] == 299:
                break
        assert got == list(range(300))


async def test_a_retained_command_reaches_nobody_and_its_writer_is_told() -> None:
    root = "damas/v1/autumn"
    async with (
        asyncio.timeout(30),
        EmbeddedBroker(LOGINS, port=0) as broker,
        Hall("embedded", broker.host, broker.port).client("ana") as arbiter,
        Hall("embedded", broker.host, broker.port).client("screen") as viewer,
        Hall("embedded", broker.host, broker.port).client("gw-1") as gateway,
    ):
        await gateway.subscribe([(f"{root}/cmd/+/board/table-1", 1), (f"{root}/req/+", 1)])
        await arbiter.subscribe(f"{root}/ack/ana", qos=1)
        command = f"{root}/cmd/ana/board/table-1"
        for place in (command, f"{root}/req/ana"):
            await arbiter.publish(place, json.dumps({"id": "c1", "do": "start"}), qos=1, retain=True)
        await arbiter.publish(command, "no JSON", qos=1, retain=True)
        await arbiter.publish(command, "", qos=1, retain=True)
        await viewer.publish(command, json.dumps({"id": "c2", "do": "start"}), qos=1, retain=True)
        await arbiter.publish(command, "last", qos=1)
        async for message in gateway.messages:
            assert message.payload == b"last"
            break
        answers = []
        async for message in arbiter.messages:
            answers.append(json.loads(bytes(message.payload)))
            check(answers[-1])
            if len(answers) == 3:
                break
    assert [(a["id"], a["outcome"], a["reason"]) for a in answers] == [
        ("c1", "refused", "retained"),
        ("c1", "refused", "retained"),
        ("", "refused", "retained"),
    ]
