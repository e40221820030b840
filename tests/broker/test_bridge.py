"""The public subtree leaves the hall over the bridge, and nothing else goes either way: three Mosquittos."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import aiomqtt
import pytest
from broker.halls import LOGINS, MEETING, free_port
from broker.test_both_brokers import topics

from damas_board.broker import bridge
from damas_board.broker.bridge import Inside, Outside, public_subtree, write_bridge
from damas_board.broker.client import Address, client
from damas_board.broker.logins import Login, hashed
from damas_board.broker.mosquitto import Listener, write_files
from damas_board.messages.access import User

ROOT = f"damas/v1/{MEETING}"
LONG = 40.0
INSIDE = "secret of bridge"
OUTSIDE = "secret of the hall"

OUTER = """\
listener {port} 127.0.0.1
allow_anonymous true
password_file {folder}/passwords
acl_file {folder}/access.acl
persistence true
persistence_location {folder}/
user {user}
{more}
"""
OUTER_ACCESS = Path(__file__).parents[2] / "docs" / "scaling.md"


@dataclass
class Program:
    """A Mosquitto that can be killed and started again."""

    program: str
    path: Path
    port: int | None
    _process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            self.program, "-c", str(self.path), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(LONG):
            while self.port is not None:
                assert self._process.returncode is None, "mosquitto did not take its file"
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    await writer.wait_closed()
                    return

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
        if process is not None:
            await process.wait()

    async def stop(self) -> None:
        """With time to write down what it keeps."""
        assert self._process is not None
        self._process.terminate()
        await self._process.wait()

    async def says(self, text: str) -> str:
        """The first line on stderr that has `text`."""
        assert self._process is not None
        assert self._process.stderr is not None
        async with asyncio.timeout(LONG):
            async for line in self._process.stderr:
                if text in line.decode().lower():
                    return line.decode()
        pytest.fail(f"nothing was said of {text}")

    def client(self, user: str, password: str | None = None) -> aiomqtt.Client:
        assert self.port is not None
        return client(Address("127.0.0.1", self.port, user, password or f"secret of {user}"))


@dataclass
class Ends:
    """A hall, the bridge, and the broker outside, where `everybody` may do all and `viewer` read what is public."""

    hall: Program
    bridge: Program
    outer: Program


def outer_files(folder: Path, port: int, more: str = "") -> Path:
    """The outer broker as docs/scaling.md has it, and one login more that reads all."""
    folder.mkdir()
    (block,) = (part for part in OUTER_ACCESS.read_text("utf-8").split("```") if part.startswith("\n# access.acl"))
    access = block.replace("autumn-open", MEETING)
    (folder / "access.acl").write_text(f"{access}\nuser everybody\ntopic readwrite #\n", "utf-8")
    passwords = {"hall-1": OUTSIDE, "everybody": "secret of everybody", "viewer": "secret of viewer"}
    lines = [f"{name}:{hashed(word, iterations=101)}\n" for name, word in passwords.items()]
    (folder / "passwords").write_text("".join(lines), "utf-8")
    for name in ("access.acl", "passwords"):
        (folder / name).chmod(0o600)
    path = folder / "mosquitto.conf"
    path.write_text(OUTER.format(port=port, folder=folder, user=getpass.getuser(), more=more), "utf-8")
    return path


def hall_files(folder: Path, port: int) -> Path:
    own = Login(User(bridge.USER, "viewer", MEETING), hashed(INSIDE, iterations=101))
    return write_files(folder, (*LOGINS, own), Listener(port=port), run_as=getpass.getuser())


def bridge_files(folder: Path, hall: int, outer: int, **more: object) -> Path:
    public = Outside("127.0.0.1", outer, "hall-1", OUTSIDE, **{"encrypted": False, **more})  # type: ignore[arg-type]
    inside = Inside("127.0.0.1", hall, INSIDE)
    return write_bridge(folder, MEETING, "gw-1", inside, public, run_as=getpass.getuser())


@pytest.fixture
async def ends(tmp_path: Path, require_program: Callable[[str], str]) -> AsyncIterator[Ends]:
    program = require_program("mosquitto")
    hall, outer = free_port(), free_port()
    running = Ends(
        Program(program, hall_files(tmp_path / "hall", hall), hall),
        Program(program, bridge_files(tmp_path / "b", hall, outer), None),
        Program(program, outer_files(tmp_path / "outer", outer), outer),
    )
    try:
        for one in (running.hall, running.outer, running.bridge):
            await one.start()
        await bridged(running)
        yield running
    finally:
        for one in (running.bridge, running.outer, running.hall):
            await one.kill()


async def bridged(ends: Ends) -> None:
    """Wait until something goes through."""
    async with ends.hall.client("hub-1") as hub, ends.outer.client("everybody") as outside:
        await outside.subscribe("#", qos=1)
        for text in ("bridged", ""):  # kept for a bridge that comes later, and taken away again
            await hub.publish(f"{ROOT}/public/round/1", text, qos=1, retain=True)
            await until(outside, text)


async def until(reader: aiomqtt.Client, last: str) -> list[aiomqtt.Message]:
    """What arrives up to the first message that says `last`."""
    found = []
    async with asyncio.timeout(LONG):
        async for message in reader.messages:
            found.append(message)
            if message.payload == last.encode():
                break
    return found


async def test_the_public_subtree_arrives_outside_with_its_retained_marks_and_nothing_else_leaves(ends: Ends) -> None:
    async with (
        ends.outer.client("everybody") as outside,
        ends.hall.client("hub-1") as hub,
        ends.hall.client("gw-1") as gateway,
        ends.hall.client("olga") as organiser,
        ends.hall.client("ana") as arbiter,
    ):
        await outside.subscribe("#", qos=1)
        for text in topics():
            for writer in (gateway, organiser, arbiter, hub):
                await writer.publish(text, f"on {text}", qos=1, retain="/state" in text or "/round/" in text)
        await hub.publish(f"{ROOT}/public/round/1", "last", qos=1, retain=True)
        heard = await until(outside, "last")
        public = {text for text in topics() if text.startswith(f"{ROOT}/public/")}
        assert len(public) > 3
        assert {str(message.topic) for message in heard} == public
        async with ends.outer.client("viewer") as late:
            await late.subscribe(public_subtree(MEETING), qos=1)
            found = [message async for message in counted(late, len({t for t in public if not t.endswith("/event")}))]
            assert {str(message.topic) for message in found} == {t for t in public if not t.endswith("/event")}
            assert all(message.retain for message in found)


async def counted(reader: aiomqtt.Client, count: int) -> AsyncIterator[aiomqtt.Message]:
    async with asyncio.timeout(LONG):
        for _ in range(count):
            yield await anext(aiter(reader.messages))


def durable(ends: Ends) -> aiomqtt.Client:
    """A viewer for whom the outer broker keeps what it missed."""
    assert ends.outer.port is not None
    address = Address("127.0.0.1", ends.outer.port, "viewer", "secret of viewer")
    return client(address, identifier="archive", clean=False)


async def test_what_is_published_while_the_outer_broker_is_away_arrives_afterwards_in_order(ends: Ends) -> None:
    async with durable(ends) as archive:
        await archive.subscribe(public_subtree(MEETING), qos=1)
    async with ends.hall.client("hub-1") as hub:
        await ends.outer.stop()
        for number in range(1, 301):
            await hub.publish(f"{ROOT}/public/game/g-1/event", str(number), qos=1)
        await ends.outer.start()
        async with durable(ends) as archive:
            heard = [bytes(message.payload).decode() for message in await until(archive, "300")]
    assert list(dict.fromkeys(heard)) == [str(n) for n in range(1, 301)]


async def test_an_outer_broker_that_was_wiped_and_a_bridge_that_was_killed_have_every_retained_topic_again(
    ends: Ends, tmp_path: Path
) -> None:
    async with ends.hall.client("hub-1") as hub:
        await hub.publish(f"{ROOT}/public/round/1", "first", qos=1, retain=True)
        async with ends.outer.client("viewer") as viewer:
            await viewer.subscribe(public_subtree(MEETING), qos=1)
            await until(viewer, "first")
        await ends.outer.kill()
        await ends.bridge.kill()
        for path in (tmp_path / "outer").glob("*.db"):
            path.unlink()
        await hub.publish(f"{ROOT}/public/game/g-1/state", "two moves", qos=1, retain=True)
        await ends.bridge.start()
        await ends.outer.start()
        async with ends.outer.client("viewer") as viewer:
            await viewer.subscribe(public_subtree(MEETING), qos=1)
            kept: dict[str, object] = {}
            async with asyncio.timeout(LONG):
                while len(kept) < 2:  # one may come again: from the bridge, and as retained
                    message = await anext(aiter(viewer.messages))
                    kept[str(message.topic)] = message.payload
    assert kept == {f"{ROOT}/public/round/1": b"first", f"{ROOT}/public/game/g-1/state": b"two moves"}


async def test_the_hall_hears_nothing_of_what_is_written_outside(ends: Ends) -> None:
    places = [text for text in topics() if text.startswith(ROOT)]
    async with (
        ends.hall.client("ana") as arbiter,
        ends.hall.client("hub-1") as hub,
        ends.outer.client("everybody") as everybody,
        ends.outer.client("viewer") as viewer,
    ):
        await everybody.subscribe("#", qos=1)
        await arbiter.subscribe(f"{ROOT}/#", qos=1)
        for text in places:
            await viewer.publish(text, "by a viewer", qos=1)
        await viewer.publish("elsewhere", "by a viewer", qos=1)
        for text in places:
            await everybody.publish(text, "by whoever has the outer broker", qos=1)
        await everybody.publish(f"{ROOT}/public/round/1", "written", qos=1)
        assert b"by a viewer" not in {message.payload for message in await until(everybody, "written")}
        # there and back once, so that what would have come in has come
        await hub.publish(f"{ROOT}/public/round/1", "out", qos=1)
        await until(everybody, "out")
        await hub.publish(f"{ROOT}/public/round/1", "last", qos=1)
        assert [message.payload for message in await until(arbiter, "last")] == [b"out", b"last"]


async def test_an_outer_broker_that_sends_what_nobody_asked_for_does_not_reach_the_hall(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    program = require_program("mosquitto")
    hall = free_port()
    sent = asyncio.Event()
    first, evil = Program(program, hall_files(tmp_path / "hall", hall), hall), Captured(sent)
    server = await asyncio.start_server(evil.serve, "127.0.0.1", 0)
    outer = server.sockets[0].getsockname()[1]
    second = Program(program, bridge_files(tmp_path / "b", hall, outer), None)
    try:
        await first.start()
        async with asyncio.timeout(LONG), first.client("gw-1") as gateway, first.client("hub-1") as hub:
            await gateway.subscribe(f"{ROOT}/#", qos=1)
            await second.start()
            await sent.wait()
            for number in range(3):  # each goes out behind what came in
                await hub.publish(f"{ROOT}/public/round/1", str(number), qos=1, retain=True)
                await evil.heard(str(number))
            await gateway.publish(f"{ROOT}/board/table-1/link", "last", qos=1)
            assert [message.payload for message in await until(gateway, "last")] == [b"last"]
    finally:
        await second.kill()
        await first.kill()
        server.close()
        await server.wait_closed()


class Captured:
    """A broker in wrong hands: it takes the bridge's connection, and sends commands that nobody subscribed to."""

    def __init__(self, sent: asyncio.Event) -> None:
        self._sent = sent
        self._heard: set[bytes] = set()
        self._news = asyncio.Condition()

    async def heard(self, payload: str) -> None:
        async with self._news:
            await self._news.wait_for(lambda: payload.encode() in self._heard)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                kind, body = await packet(reader)
                if kind >> 4 == 1:
                    writer.write(b"\x20\x02\x00\x00")
                    for place in ("cmd/ana/board/table-1", "cmd/ana/game/g-1", "round/1"):
                        text = f"{ROOT}/{place}".encode()
                        rest = len(text).to_bytes(2, "big") + text + b"forged"
                        writer.write(bytes([0x31, len(rest)]) + rest)
                    await writer.drain()
                    self._sent.set()
                elif kind >> 4 == 3:
                    end = 2 + int.from_bytes(body[:2], "big")
                    if kind & 6:
                        writer.write(b"\x40\x02" + body[end : end + 2])
                    async with self._news:
                        self._heard.add(body[end + 2 :] if kind & 6 else body[end:])
                        self._news.notify_all()
                elif kind >> 4 == 12:
                    writer.write(b"\xd0\x00")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the bridge has gone
        finally:
            writer.close()


async def packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    kind = (await reader.readexactly(1))[0]
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return kind, await reader.readexactly(length)


@pytest.mark.parametrize("trusted", [True, False])
async def test_the_bridge_speaks_tls_and_only_to_the_broker_that_it_trusts(
    trusted: bool, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    program, openssl = require_program("mosquitto"), require_program("openssl")
    for name in ("outer", "other"):
        subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        keys = ("-keyout", str(tmp_path / f"{name}.key"), "-out", str(tmp_path / f"{name}.pem"))
        done = await asyncio.create_subprocess_exec(
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", *subject, *keys),
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert await done.wait() == 0
    hall, plain, encrypted = free_port(), free_port(), free_port()
    more = f"listener {encrypted} 127.0.0.1\ncertfile {tmp_path}/outer.pem\nkeyfile {tmp_path}/outer.key"
    authority = tmp_path / ("outer.pem" if trusted else "other.pem")
    public = Outside("localhost", encrypted, "hall-1", OUTSIDE, authority=authority)
    path = write_bridge(
        tmp_path / "b", MEETING, "gw-1", Inside("127.0.0.1", hall, INSIDE), public, run_as=getpass.getuser()
    )
    first = Program(program, hall_files(tmp_path / "hall", hall), hall)
    second = Program(program, path, None)
    third = Program(program, outer_files(tmp_path / "outer", plain, more), plain)
    try:
        for one in (first, third, second):
            await one.start()
        async with first.client("hub-1") as hub, third.client("viewer") as viewer:
            await viewer.subscribe(public_subtree(MEETING), qos=1)
            await hub.publish(f"{ROOT}/public/round/1", "over TLS", qos=1, retain=True)
            if trusted:
                await until(viewer, "over TLS")
            else:
                assert "certificate verify failed" in await second.says("error")
    finally:
        for one in (second, third, first):
            await one.kill()


@pytest.mark.parametrize(
    ("public", "told"),
    [
        (Outside("::1", 1883, "u", "p"), "IPv4"),
        (Outside("a.org\nuser root", 1883, "u", "p"), "IPv4"),
        (Outside("a.org", 1883, "u", " p"), "blank"),
        (Outside("a.org", 1883, "u", "p\nuser root"), "blank"),
    ],
)
def test_what_the_file_cannot_say_is_refused(public: Outside, told: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=told) as refused:
        write_bridge(tmp_path, MEETING, "gw-1", Inside("127.0.0.1", 1883, "x"), public)
    assert " p" not in str(refused.value).replace(" password", "")
    assert list(tmp_path.iterdir()) == []


def test_the_file_with_the_passwords_is_its_owners_only(tmp_path: Path) -> None:
    path = write_bridge(tmp_path, MEETING, "gw-1", Inside("127.0.0.1", 1, "x"), Outside("a.org", 1, "u", "p"))
    assert path.stat().st_mode & 0o077 == 0
    assert "PPP" not in repr(Outside("a", 1, "u", "PPP"))


def test_each_connection_has_one_way_and_the_public_subtree_only(tmp_path: Path) -> None:
    """The hall's access file would keep the bridge out of the rest; the file does not ask for it either."""
    path = write_bridge(tmp_path, MEETING, "gw-1", Inside("127.0.0.1", 1, "x"), Outside("a.org", 1, "u", "p"))
    lines = path.read_text("utf-8").splitlines()
    topics_ = [line for line in lines if line.startswith(("topic", "connection"))]
    public = public_subtree(MEETING)
    assert topics_ == ["connection hall", f"topic {public} in 1", "connection public", f"topic {public} out 1"]
    assert public == "damas/v1/autumn/public/#"
    assert lines.count("notifications false") == lines.count("cleansession false") == 2
