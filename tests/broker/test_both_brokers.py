"""What the embedded broker and Mosquitto must do alike."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiomqtt
import pytest
from broker.halls import LOGINS, USERS, Hall

from damas_board.broker.mosquitto import ACCESS, PASSWORDS, write_files
from damas_board.messages.access import may_publish, may_receive
from damas_board.messages.topics import DELIVERY, Kind, id_fields, topic

ROOT = "damas/v1/autumn"
LONG = 30.0

IDS = {
    "gateway": ("gw-1", "gw-2"),
    "board": ("table-1", "table-3"),
    "game": ("g-1", "g-3"),
    "round": ("1",),
    "user": ("ana", "bia", "olga", "hub-1", "hub-2", "gw-1", "screen"),
}
LAST = {
    "screen": ("hub-1", "public/round/last"),
    "gw-1": ("olga", "round/last"),
    "gw-2": ("olga", "round/last"),
    "hub-1": ("olga", "round/last"),
    "hub-2": ("olga", "round/last"),
    "olga": ("olga", "round/last"),
    "ana": ("olga", "round/last"),
    "bia": ("olga", "round/last"),
}


def topics() -> list[str]:
    found = []
    for kind in Kind:
        combinations: list[tuple[str, ...]] = [()]
        for field in id_fields(kind):
            combinations = [(*ids, entry) for ids in combinations for entry in IDS[field]]
        found += [str(topic(kind, "autumn", *ids)) for ids in combinations]
    return [*found, f"{ROOT}/nothing/known", "elsewhere", str(topic(Kind.BOARD_SEE, "spring", "table-1"))]


async def first(client: aiomqtt.Client, count: int = 1) -> list[aiomqtt.Message]:
    messages = []
    async with asyncio.timeout(LONG):
        async for message in client.messages:
            messages.append(message)
            if len(messages) == count:
                break
    return messages


async def heard_until(client: aiomqtt.Client, last: str) -> list[aiomqtt.Message]:
    """What arrives before the message on `last`."""
    messages = []
    async with asyncio.timeout(LONG):
        async for message in client.messages:
            if str(message.topic) == last:
                break
            messages.append(message)
    return messages


async def test_every_right_of_the_table_is_given_and_every_other_denied(hall: Hall) -> None:
    inside = [user for user in USERS if user.meeting == "autumn"]
    said = {}
    async with asyncio.timeout(LONG * 2):
        clients = {user.name: await hall.client(user.name).__aenter__() for user in USERS}
        for user in inside:
            await clients[user.name].subscribe(f"{ROOT}/#", qos=1)
        for user in USERS:
            for text in topics():
                number = str(len(said))
                said[number] = (user, text)
                await clients[user.name].publish(text, number, qos=1)
        for writer, tail in sorted(set(LAST.values())):
            await clients[writer].publish(f"{ROOT}/{tail}", "last", qos=1)
        for reader in inside:
            heard = await heard_until(clients[reader.name], f"{ROOT}/{LAST[reader.name][1]}")
            arrived = {said[text] for message in heard if (text := bytes(message.payload).decode()) != "last"}
            expected = {
                (writer, text)
                for writer, text in said.values()
                if may_publish(writer, text) and may_receive(reader, text)
            }
            assert sorted((w.name, t) for w, t in arrived) == sorted((w.name, t) for w, t in expected), reader.name
        for client in clients.values():
            await client.__aexit__(None, None, None)


def test_the_matrix_holds_each_kind_allowed_and_denied() -> None:
    inside = [user for user in USERS if user.meeting == "autumn"]
    for kind in Kind:
        texts = [text for text in topics() if text.startswith(f"{ROOT}/{kind.value.split('{')[0]}")]
        assert any(may_publish(user, text) for user in inside for text in texts), kind
        assert any(not may_publish(user, text) for user in inside for text in texts), kind
        assert any(may_receive(user, text) for user in inside for text in texts), kind


@pytest.mark.parametrize(
    ("name", "password"), [("ana", "wrong"), ("ana", ""), ("nobody", "x"), ("", ""), ("ana", "secret of bia")]
)
async def test_a_wrong_name_or_password_is_refused(hall: Hall, name: str, password: str) -> None:
    with pytest.raises(aiomqtt.MqttError, match=r"(?i)not authori"):
        async with asyncio.timeout(LONG), hall.client(name, password):
            pass


async def test_the_retained_state_reaches_who_comes_late_and_the_events_do_not(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("gw-1") as gateway, hall.client("olga") as organiser:
        await gateway.publish(f"{ROOT}/game/g-1/state", "first", qos=1, retain=True)
        await gateway.publish(f"{ROOT}/game/g-1/event", "gone", qos=1)
        await gateway.publish(f"{ROOT}/game/g-1/state", "second", qos=1, retain=True)
        async with hall.client("ana") as late:
            await late.subscribe(f"{ROOT}/game/#", qos=1)
            await organiser.subscribe(f"{ROOT}/round/#", qos=1)
            await organiser.publish(f"{ROOT}/round/1", "x", qos=1)
            await first(organiser)
            await late.subscribe(f"{ROOT}/round/#", qos=1)
            await organiser.publish(f"{ROOT}/round/2", "x", qos=1)
            heard = await heard_until(late, f"{ROOT}/round/2")
    assert [(str(m.topic), m.payload, m.retain) for m in heard if "game" in str(m.topic)] == [
        (f"{ROOT}/game/g-1/state", b"second", True)
    ]


async def test_a_retained_state_is_no_secret_told_to_viewers(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("gw-1") as gateway, hall.client("hub-1") as hub:
        await hub.subscribe(f"{ROOT}/#", qos=1)
        await gateway.publish(f"{ROOT}/game/g-1/state", "hidden", qos=1, retain=True)
        await first(hub)
        await hub.publish(f"{ROOT}/public/game/g-1/state", "shown", qos=1, retain=True)
        await first(hub)
        async with hall.client("screen", identifier="x", clean=False) as viewer:
            await viewer.subscribe([(f"{ROOT}/#", 1), ("#", 1)])
            await hub.publish(f"{ROOT}/public/round/1", "last", qos=1)
            heard = await heard_until(viewer, f"{ROOT}/public/round/1")
        assert {str(m.topic) for m in heard} == {f"{ROOT}/public/game/g-1/state"}
        async with hall.client("screen", identifier="x", clean=False) as viewer:
            await hub.publish(f"{ROOT}/public/round/2", "last", qos=1)
            again = await heard_until(viewer, f"{ROOT}/public/round/2")
        assert not [m for m in again if b"hidden" in bytes(m.payload)]


async def test_an_empty_retained_message_takes_the_state_away(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("gw-1") as gateway, hall.client("hub-1") as hub:
        await hub.subscribe(f"{ROOT}/game/#", qos=1)
        await gateway.publish(f"{ROOT}/game/g-1/state", "there", qos=1, retain=True)
        await gateway.publish(f"{ROOT}/game/g-1/state", "", qos=1, retain=True)
        await first(hub, 2)
        async with hall.client("ana") as late:
            await late.subscribe(f"{ROOT}/game/#", qos=1)
            await gateway.publish(f"{ROOT}/game/g-1/event", "last", qos=1)
            assert await heard_until(late, f"{ROOT}/game/g-1/event") == []


async def test_a_retained_command_comes_marked_or_not_at_all_to_who_comes_later(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("ana") as arbiter:
        await arbiter.publish(f"{ROOT}/cmd/ana/board/table-1", "old", qos=1, retain=True)
        async with hall.client("gw-1") as gateway:
            await gateway.subscribe(f"{ROOT}/cmd/+/board/table-1", qos=1)
            await arbiter.publish(f"{ROOT}/cmd/ana/board/table-1", "new", qos=1)
            heard = []
            async for message in gateway.messages:
                heard.append((message.payload, message.retain))
                if message.payload == b"new":
                    break
    assert heard[-1] == (b"new", False)
    assert all(kept for _, kept in heard[:-1])
    if hall.kind == "embedded":
        assert len(heard) == 1


PLAYER = """
import asyncio, sys
import aiomqtt

async def main(host, port, user, password, topic):
    will = aiomqtt.Will(topic, "offline", qos=1, retain=True)
    async with aiomqtt.Client(host, int(port), username=user, password=password, will=will, keepalive=2) as client:
        print("connected", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


async def gateway_process(hall: Hall, user: str, will: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PLAYER,
        hall.host,
        str(hall.port),
        user,
        f"secret of {user}",
        will,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    async with asyncio.timeout(LONG):
        line = await process.stdout.readline()
    if line != b"connected\n":
        await process.wait()
    return process


async def test_the_will_of_a_killed_gateway_is_told_and_kept(hall: Hall) -> None:
    state = f"{ROOT}/gateway/gw-1/$state"
    async with asyncio.timeout(LONG), hall.client("ana") as arbiter:
        await arbiter.subscribe(f"{ROOT}/gateway/+/$state", qos=1)
        process = await gateway_process(hall, "gw-1", state)
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        message = (await first(arbiter))[0]
        assert (str(message.topic), message.payload) == (state, b"offline")
        async with hall.client("olga") as late:
            await late.subscribe(state, qos=1)
            message = (await first(late))[0]
            assert (message.payload, message.retain) == (b"offline", True)


async def test_a_silent_gateway_is_found_by_its_keep_alive(hall: Hall) -> None:
    state = f"{ROOT}/gateway/gw-1/$state"
    async with asyncio.timeout(LONG), hall.client("ana") as arbiter:
        await arbiter.subscribe(state, qos=1)
        process = await gateway_process(hall, "gw-1", state)
        try:
            os.kill(process.pid, signal.SIGSTOP)
            assert (await first(arbiter))[0].payload == b"offline"
        finally:
            os.kill(process.pid, signal.SIGKILL)
            await process.wait()


async def test_a_will_is_no_way_around_the_table(hall: Hall) -> None:
    forged = f"{ROOT}/cmd/ana/board/table-1"
    async with asyncio.timeout(LONG), hall.client("gw-1") as gateway, hall.client("ana") as arbiter:
        await gateway.subscribe(f"{ROOT}/cmd/+/board/table-1", qos=1)
        for user in ("screen", "bia"):
            process = await gateway_process(hall, user, forged)
            if process.returncode is None:
                os.kill(process.pid, signal.SIGKILL)
                await process.wait()
        await arbiter.publish(forged, "true", qos=1)
        assert [m.payload for m in await first(gateway)] == [b"true"]


async def test_messages_for_a_reader_who_is_away_are_kept(hall: Hall) -> None:
    async with asyncio.timeout(LONG):
        async with hall.client("hub-1", identifier="archive", clean=False) as hub:
            await hub.subscribe(f"{ROOT}/game/#", qos=1)
        async with hall.client("gw-1") as gateway:
            for number in range(20):
                await gateway.publish(f"{ROOT}/game/g-1/event", str(number), qos=1)
        async with hall.client("hub-1", identifier="archive", clean=False) as hub:
            heard = await first(hub, 20)
    assert sorted(int(bytes(m.payload)) for m in heard) == list(range(20))


async def test_who_does_not_know_the_password_cannot_end_anothers_connection(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("gw-1", identifier="gw-1", clean=False) as gateway:
        await gateway.subscribe(f"{ROOT}/round/+", qos=1)
        for clean in (True, False):
            for name in ("gw-1", "olga", "nobody"):
                with pytest.raises(aiomqtt.MqttError):
                    async with hall.client(name, "wrong", identifier="gw-1", clean=clean):
                        pass
        async with hall.client("olga") as organiser:
            await organiser.publish(f"{ROOT}/round/1", "x", qos=1)
        assert (await first(gateway))[0].payload == b"x"
        async with hall.client("ana") as arbiter:
            await arbiter.subscribe(f"{ROOT}/board/#", qos=1)
            await gateway.publish(f"{ROOT}/board/table-1/see", "y", qos=1)
            assert (await first(arbiter))[0].payload == b"y"


async def test_qos_1_and_0_are_both_delivered_as_the_table_says(hall: Hall) -> None:
    async with asyncio.timeout(LONG), hall.client("gw-1") as gateway, hall.client("ana") as arbiter:
        await arbiter.subscribe(f"{ROOT}/board/#", qos=1)
        for kind in (Kind.BOARD_SEE, Kind.BOARD_LINK):
            await gateway.publish(str(topic(kind, "autumn", "table-1")), "x", qos=DELIVERY[kind].qos)
        assert [message.payload for message in await first(arbiter, 2)] == [b"x", b"x"]


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    path = write_files(tmp_path / "made", LOGINS)
    assert path.read_text().count("listener 1883 127.0.0.1") == 1
    for name in (ACCESS, PASSWORDS):
        assert (path.parent / name).stat().st_mode & 0o777 == 0o600
    assert "secret of" not in (path.parent / PASSWORDS).read_text()
