"""The embedded broker under people who want it down: each bound holds, and nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiomqtt
import pytest
from broker.authorities import Authority
from broker.halls import LOGINS, Hall
from hypothesis import given
from hypothesis import strategies as st

from damas_board.broker import embedded, entrance
from damas_board.broker.connect import CONNECT, remaining_length
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.packets import LARGEST_PACKET, PacketError, checked

ROOT = "damas/v1/autumn"
LONG = 60.0


def text(value: str) -> bytes:
    return len(value.encode()).to_bytes(2, "big") + value.encode()


def connect(user: str, client: str = "c", *, clean: bool = True) -> bytes:
    body = b"\x00\x04MQTT\x04" + bytes([0xC0 | clean << 1]) + b"\x00\x00"
    body += text(client) + text(user) + text(f"secret of {user}")
    return bytes([CONNECT]) + remaining_length(len(body)) + body


def packet(first: int, body: bytes) -> bytes:
    return bytes([first]) + remaining_length(len(body)) + body


def subscribe(*filters: str) -> bytes:
    return packet(0x82, b"\x00\x01" + b"".join(text(f) + b"\x01" for f in filters))


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def broker(**options: ssl.SSLContext) -> AsyncIterator[Hall]:
    async with asyncio.timeout(LONG), EmbeddedBroker(LOGINS, port=0, **options) as running:
        yield Hall("embedded", running.host, running.port)


@contextlib.asynccontextmanager
async def raw(hall: Hall, first: bytes = b"") -> AsyncIterator[Stream]:
    reader, writer = await asyncio.open_connection(hall.host, hall.port)
    try:
        writer.write(first)
        yield reader, writer
    finally:
        writer.transport.abort()


async def ended(stream: Stream) -> bool:
    """Whether the broker ends the connection; waits for it."""
    with contextlib.suppress(ConnectionError):
        while await stream[0].read(1000):
            pass
    return True


async def lives(hall: Hall) -> bool:
    """Whether a message comes through, from an organiser to an arbiter."""
    async with hall.client("ana") as arbiter, hall.client("olga") as organiser:
        await arbiter.subscribe(f"{ROOT}/round/+", qos=1)
        await organiser.publish(f"{ROOT}/round/1", "x", qos=1)
        return (await anext(aiter(arbiter.messages))).payload == b"x"


GOOD = (
    packet(0x30, text(f"{ROOT}/round/1") + b"x"),
    packet(0x31, text("a")),
    packet(0x32, text("a") + b"\x00\x01" + b"x" * 5000),
    packet(0x3D, text("a") + b"\xff\xff"),
    packet(0x40, b"\x00\x01"),
    packet(0x62, b"\x00\x01"),
    subscribe("a/+/#", "b"),
    packet(0xA2, b"\x00\x02" + text("a")),
    packet(0xC0, b""),
    packet(0xE0, b""),
)
BAD = {
    "a kind that does not exist": packet(0xF0, b"hello"),
    "kind 0": packet(0x00, b""),
    "a second CONNECT": connect("ana"),
    "what only a broker says": packet(0x20, b"\x00\x00"),
    "quality 3": packet(0x36, text("a") + b"\x00\x01"),
    "a repetition of what is never repeated": packet(0x38, text("a")),
    "no number": packet(0x32, text("a")),
    "number 0": packet(0x32, text("a") + b"\x00\x00"),
    "a topic that is a filter": packet(0x30, text("a/#")),
    "a topic with a NUL": packet(0x30, text("a\0b")),
    "a topic that is no text": packet(0x30, b"\x00\x02\xff\xfe"),
    "a topic without end": packet(0x30, b"\xff\xffa"),
    "no topic": packet(0x30, b""),
    "an empty topic": packet(0x30, text("")),
    "a topic of a book's length": packet(0x30, text("a" * 60_000)),
    "a subscription with other flags": packet(0x80, b"\x00\x01" + text("a") + b"\x01"),
    "a subscription to nothing": packet(0x82, b"\x00\x01"),
    "a subscription without quality": packet(0x82, b"\x00\x01" + text("a")),
    "a subscription with quality 3": packet(0x82, b"\x00\x01" + text("a") + b"\x03"),
    "an acknowledgement that is too long": packet(0x40, b"\x00\x01\x00"),
    "a ping with a body": packet(0xC0, b"x"),
    "a length of five bytes": b"\x30\xff\xff\xff\xff\x01",
    "a length that is not kept": b"\x30\xff\xff\xff\x7f" + b"x" * 100,
    "just too much": packet(0x30, text("a") + b"x" * LARGEST_PACKET),
}


@pytest.mark.parametrize("whole", GOOD, ids=range(len(GOOD)))
def test_what_a_client_may_send_passes_as_it_is(whole: bytes) -> None:
    start = 2 if whole[1] < 128 else 3
    assert checked(whole[0], whole[start:]) == whole


@given(st.integers(0, 255), st.binary(max_size=60))
def test_any_bytes_are_a_packet_or_the_typed_error(first: int, body: bytes) -> None:
    with contextlib.suppress(PacketError):
        assert checked(first, body) == packet(first, body)


@given(st.sampled_from(GOOD), st.data())
def test_a_packet_with_a_changed_byte_is_a_packet_or_the_typed_error(whole: bytes, data: st.DataObject) -> None:
    start = 2 if whole[1] < 128 else 3
    body = bytearray(whole[start:])
    if body:
        body[data.draw(st.integers(0, min(len(body), 80) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(PacketError):
        checked(whole[0], bytes(body))


async def test_what_is_no_packet_ends_its_own_connection_only() -> None:
    async with broker() as hall, hall.client("gw-1") as gateway:
        for what, bad in BAD.items():
            async with raw(hall, connect("bia", f"c-{what}")) as stream:
                assert await stream[0].readexactly(4) == b"\x20\x02\x00\x00", what
                stream[1].write(bad)
                assert await ended(stream), what
        await gateway.publish(f"{ROOT}/board/table-1/see", "x", qos=1)
        assert await lives(hall)


@pytest.mark.parametrize(
    "body",
    [
        b"\x00\x04MQTT\x04\x03\x00\x00" + text("c"),
        b"\x00\x04MQTT\x04\x1e\x00\x00" + text("c") + text("w") + text("x"),
        b"\x00\x04MQTT\x04\x22\x00\x00" + text("c"),
        b"\x00\x04MQTT\x04\x42\x00\x00" + text("c") + text("password"),
        b"\x00\x04MQTT\x04\xc2\x00\x00" + text("c\0") + text("ana") + text("secret of ana"),
        b"\x00\x04MQTT\x04\xc2\x00\x00" + text("c") + text("ana") + text("secret of ana") + b"\xe0\x00",
    ],
)
async def test_a_connect_that_is_not_well_made_is_not_let_in(body: bytes) -> None:
    async with broker() as hall, raw(hall, packet(CONNECT, body)) as stream:
        assert await stream[0].read() == b""


async def test_who_does_not_say_who_it_is_makes_room_for_who_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "MOST_WAITING", 5)
    async with broker() as hall, contextlib.AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(raw(hall, b"\x10")) for _ in range(20)]
        for stream in silent[:14]:
            assert await ended(stream)
        assert await lives(hall)
        assert not silent[-1][0].at_eof()


async def test_a_tls_handshake_that_is_left_lying_makes_room_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    monkeypatch.setattr(entrance, "MOST_WAITING", 5)
    authority = Authority(require_program("openssl"), tmp_path / "hall")
    certificate, key = authority.certificate()
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate, key)
    async with broker(tls=serving) as hall, contextlib.AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(raw(hall, b"\x16\x03\x01")) for _ in range(20)]
        for stream in silent[:14]:
            assert await ended(stream)
        async with hall.client("ana", tls=authority.trusted()) as client:
            await client.publish(f"{ROOT}/req/ana", "x", qos=1)


async def test_there_is_an_end_of_connections_and_one_that_leaves_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "MOST_CONNECTIONS", 3)
    async with broker() as hall, hall.client("ana"), hall.client("bia"):
        async with hall.client("olga"), raw(hall, connect("gw-1")) as stream:
            assert await ended(stream)
        while True:
            with contextlib.suppress(aiomqtt.MqttError):
                async with hall.client("gw-1") as gateway:
                    await gateway.publish(f"{ROOT}/board/table-1/see", "x", qos=1)
                    break


async def test_a_reader_that_does_not_read_is_let_go_and_the_others_get_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedded, "STALLED_SECONDS", 0.5)
    async with broker() as hall, hall.client("ana") as reader, hall.client("gw-1") as gateway:
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(stalled, (hall.host, hall.port))
        await loop.sock_sendall(stalled, connect("bia", "stalled") + subscribe(f"{ROOT}/board/#"))
        assert (await loop.sock_recv(stalled, 9))[:4] == b"\x20\x02\x00\x00"
        await reader.subscribe(f"{ROOT}/board/#", qos=1)
        for _ in range(40):
            await gateway.publish(f"{ROOT}/board/table-1/see", b"x" * 200_000, qos=1)
        count = 0
        async for _ in reader.messages:
            count += 1
            if count == 40:
                break
        await asyncio.sleep(0.6)
        with contextlib.suppress(ConnectionError):
            while await loop.sock_recv(stalled, 1_000_000):
                pass
        stalled.close()


async def test_for_a_client_that_is_away_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_KEPT", 10)
    async with broker() as hall:
        async with hall.client("hub-1", identifier="archive", clean=False) as hub:
            await hub.subscribe(f"{ROOT}/game/#", qos=1)
        async with hall.client("gw-1") as gateway:
            for number in range(30):
                await gateway.publish(f"{ROOT}/game/g-1/event", str(number), qos=1)
            async with hall.client("hub-1", identifier="archive", clean=False) as hub:
                await hub.subscribe(f"{ROOT}/board/#", qos=1)
                await gateway.publish(f"{ROOT}/board/table-1/link", "last", qos=1)
                heard = []
                async for message in hub.messages:
                    heard.append(bytes(message.payload))
                    if heard[-1] == b"last":
                        break
    assert heard[:-1] == [str(number).encode() for number in range(10)]


async def test_of_clients_that_are_away_the_first_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_SESSIONS", 3)
    async with EmbeddedBroker(LOGINS, port=0) as running, asyncio.timeout(LONG):
        hall = Hall("embedded", running.host, running.port)
        async with hall.client("hub-1", identifier="kept", clean=False):
            pass
        for number in range(10):
            async with hall.client("screen", identifier=f"s-{number}", clean=False) as viewer:
                await viewer.subscribe(f"{ROOT}/public/#", qos=1)
        assert running._amqtt is not None
        names = set(running._amqtt._sessions)
        assert "hub-1/kept" in names
        assert len([name for name in names if name.startswith("screen/")]) <= 4


async def test_a_client_has_no_more_filters_than_there_is_sense_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_FILTERS", 3)
    async with broker() as hall, hall.client("screen") as viewer:
        codes = [*await viewer.subscribe([(f"{ROOT}/public/game/g-{n}/state", 1) for n in range(5)])]
        assert codes == [1, 1, 1, 128, 128]
        await viewer.unsubscribe(f"{ROOT}/public/game/g-0/state")
        assert [*await viewer.subscribe(f"{ROOT}/public/game/g-1/state", qos=1)] == [1]
        assert [*await viewer.subscribe(f"{ROOT}/public/game/g-9/state", qos=1)] == [1]
        assert [*await viewer.subscribe(f"{ROOT}/public/game/g-8/state", qos=1)] == [128]


async def test_there_is_an_end_of_what_is_retained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_RETAINED", 3)
    async with EmbeddedBroker(LOGINS, port=0) as running, asyncio.timeout(LONG):
        hall = Hall("embedded", running.host, running.port)
        async with hall.client("olga") as organiser, hall.client("ana") as arbiter:
            await arbiter.subscribe(f"{ROOT}/round/#", qos=1)
            for number in range(6):
                await organiser.publish(f"{ROOT}/round/r-{number}", "x", qos=1, retain=True)
            await organiser.publish(f"{ROOT}/round/r-0", "changed", qos=1, retain=True)
            async for message in arbiter.messages:
                if message.payload == b"changed":
                    break
        async with hall.client("ana") as late, hall.client("olga") as organiser:
            await late.subscribe(f"{ROOT}/round/#", qos=1)
            await organiser.publish(f"{ROOT}/round/last", "x", qos=1)
            kept = {}
            async for message in late.messages:
                if not message.retain:
                    break
                kept[str(message.topic)[-3:]] = message.payload
    assert kept == {"r-0": b"changed", "r-1": b"x", "r-2": b"x"}


async def test_a_writer_that_is_faster_than_its_readers_waits_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedded, "MOST_UNDER_WAY", 50)
    async with EmbeddedBroker(LOGINS, port=0) as running, asyncio.timeout(LONG):
        hall = Hall("embedded", running.host, running.port)
        longest = 0
        async with hall.client("ana") as reader, raw(hall, connect("gw-1", "fast")) as (_, writer):
            await reader.subscribe(f"{ROOT}/game/#", qos=1)
            for number in range(2000):
                writer.write(packet(0x30, text(f"{ROOT}/game/g-1/event") + str(number).encode()))
            heard = []
            async for message in reader.messages:
                heard.append(int(bytes(message.payload)))
                assert running._amqtt is not None
                longest = max(longest, running._amqtt._sessions["gw-1/fast"][0].delivered_message_queue.qsize())
                if heard[-1] == 1999:
                    break
    assert heard == list(range(2000))
    assert longest < 200


def test_who_guesses_passwords_waits_longer_each_time_and_only_who_guesses() -> None:
    running = EmbeddedBroker(LOGINS)
    assert [running._failed("10.0.0.9") for _ in range(13)] == [0.0] * 5 + [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert running._failed("10.0.0.8") == 0.0
    for number in range(3000):
        running._failed(f"10.0.{number // 250}.{number % 250}")
    assert len(running._failures) == embedded.MOST_REMEMBERED


async def test_a_name_that_is_none_is_not_repeated_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "damas_board")
    async with broker() as hall:
        for user, password in (("typed-my-password-here", "x"), ("ana", "not-the-right-one")):
            with pytest.raises(aiomqtt.MqttError):
                async with hall.client(user, password):
                    pass
    assert "ana: wrong name or password" in caplog.text
    assert "typed-my-password-here" not in caplog.text
    assert "not-the-right-one" not in caplog.text
