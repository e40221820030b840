"""TLS for real: certificates made on the spot, against both brokers, from the configuration to the connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import aiomqtt
import pytest
from broker.authorities import Authority
from broker.halls import LOGINS, Hall, mosquitto

from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.config import read_config

LONG = 60.0
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves such sockets
EMBEDDED = """\
meeting = "autumn"
gateway = "gw-1"
[broker]
kind = "embedded"
listen = "0.0.0.0"
port = 0
certificate = "{certificate}"
key = "{key}"
[[board]]
id = "table-1"
port = "x"
regulation = "br-cbjd"
"""
SERVER = """\
meeting = "autumn"
gateway = "gw-1"
[broker]
kind = "server"
host = "{host}"
port = {port}
password_env = "GW"
{more}
[[board]]
id = "table-1"
port = "x"
regulation = "br-cbjd"
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], str]) -> Authority:
    return Authority(require_program("openssl"), tmp_path_factory.mktemp("made") / "hall")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], str]) -> Authority:
    return Authority(require_program("openssl"), tmp_path_factory.mktemp("made") / "stranger")


@contextlib.asynccontextmanager
async def serving(
    kind: str, authority: Authority, folder: Path, program: Callable[[str], str], names: str = "IP:127.0.0.1"
) -> AsyncIterator[Hall]:
    """A broker with a certificate of `authority` for `names`."""
    certificate, key = authority.certificate(names)
    if kind == "mosquitto":
        async with mosquitto(program("mosquitto"), folder / "broker", certificate, key) as hall:
            yield hall
        return
    path = folder / "embedded.toml"
    path.write_text(EMBEDDED.format(certificate=certificate, key=key), "utf-8")
    settings = read_config(path, {}).embedded
    assert settings is not None
    assert (settings.host, settings.tls is not None) == ("0.0.0.0", True)
    async with EmbeddedBroker(LOGINS, host=settings.host, port=0, tls=settings.tls) as broker:
        yield Hall("embedded", "127.0.0.1", broker.port)


def configured(folder: Path, hall: Hall, more: str, host: str = "127.0.0.1") -> aiomqtt.Client:
    """The gateway's client, as the configuration with `more` under [broker] makes it."""
    path = folder / "gateway.toml"
    path.write_text(SERVER.format(host=host, port=hall.port, more=more), "utf-8")
    address = read_config(path, {"GW": "secret of gw-1"}).address
    assert "secret of" not in repr(address)
    return client(address)


@pytest.mark.parametrize("kind", ["embedded", "mosquitto"])
async def test_the_right_authority_is_accepted_and_everything_else_refused(
    kind: str, authority: Authority, stranger: Authority, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    async with asyncio.timeout(LONG), serving(kind, authority, tmp_path, require_program) as hall:
        place = "damas/v1/autumn/board/table-1/link"
        async with (
            configured(tmp_path, hall, f'tls = true\nca = "{authority.root}"') as gateway,
            hall.client("ana", tls=authority.trusted()) as arbiter,
        ):
            await arbiter.subscribe(place, qos=1)
            await gateway.publish(place, "over TLS", qos=1)
            assert (await anext(aiter(arbiter.messages))).payload == b"over TLS"
            shown = gateway._client.socket().version()  # type: ignore[union-attr]
            assert shown in ("TLSv1.2", "TLSv1.3")
        for more, why in (
            (f'tls = true\nca = "{stranger.root}"', "certificate verify failed"),
            ("tls = true", "certificate verify failed"),  # the system's authorities
            ("", "."),  # in clear
        ):
            with pytest.raises(aiomqtt.MqttError, match=why):
                async with configured(tmp_path, hall, more):
                    pass
        with pytest.raises(aiomqtt.MqttError, match=r"(?i)not authori"):
            async with hall.client("ana", "wrong password", tls=authority.trusted()):
                pass
        async with hall.client("ana", tls=authority.trusted()) as arbiter:  # and it goes on as before
            await arbiter.publish("damas/v1/autumn/req/ana", "x", qos=1)


@pytest.mark.parametrize("kind", ["embedded", "mosquitto"])
async def test_a_certificate_of_another_machine_is_refused_and_nothing_is_said_to_it(
    kind: str, authority: Authority, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    names = "DNS:another.machine"
    async with asyncio.timeout(LONG), serving(kind, authority, tmp_path, require_program, names) as hall:
        with pytest.raises(aiomqtt.MqttError, match="certificate verify failed"):
            async with configured(tmp_path, hall, f'tls = true\nca = "{authority.root}"'):
                pass


async def test_a_password_is_not_told_to_a_broker_that_speaks_in_clear_where_tls_is_asked_for(
    authority: Authority, tmp_path: Path
) -> None:
    heard = bytearray()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.extend(await reader.read(1000))
        writer.close()

    async with asyncio.timeout(LONG), await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        hall = Hall("none", "127.0.0.1", server.sockets[0].getsockname()[1])
        with pytest.raises(aiomqtt.MqttError):
            async with configured(tmp_path, hall, f'tls = true\nca = "{authority.root}"'):
                pass
    assert heard[:2] == b"\x16\x03"
    assert b"secret" not in heard
    assert b"gw-1" not in heard


async def test_the_gateway_of_an_embedded_broker_trusts_its_certificate_and_no_other(
    authority: Authority, stranger: Authority, tmp_path: Path
) -> None:
    certificate, key = authority.certificate("DNS:the.hall")
    path = tmp_path / "embedded.toml"
    path.write_text(EMBEDDED.format(certificate=certificate, key=key), "utf-8")
    config = read_config(path, {})
    other = tmp_path / "other.toml"
    other_certificate, other_key = stranger.certificate("DNS:the.hall")
    other.write_text(EMBEDDED.format(certificate=other_certificate, key=other_key), "utf-8")
    trusting_another = read_config(other, {}).address.tls
    settings = config.embedded
    assert settings is not None
    async with (
        asyncio.timeout(LONG),
        EmbeddedBroker(settings.logins, host="127.0.0.1", port=0, tls=settings.tls) as broker,
    ):
        address = config.address.at(broker.port)
        async with client(address) as gateway:
            await gateway.publish("damas/v1/autumn/board/table-1/link", "x", qos=1)
        with pytest.raises(aiomqtt.MqttError, match="certificate verify failed"):
            async with client(replace(address, tls=trusting_another)):
                pass
