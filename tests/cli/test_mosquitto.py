"""`damas-board mosquitto` writes files that Mosquitto runs on, for the users of the configuration."""

from __future__ import annotations

import asyncio
import getpass
import os
import socket
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import pytest

from damas_board.broker.client import Address, client
from damas_board.cli import main
from damas_board.config import read_config

CONFIG = """\
meeting = "club"
[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_file = "gateway.password"
[[board]]
id = "table-1"
port = "/dev/ttyACM0"
regulation = "br-cbjd"
[[user]]
name = "ana"
role = "arbiter"
password_file = "ana.password"
[[user]]
name = "screen"
role = "viewer"
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAMAS_LANG", "en")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = tmp_path / "club.toml"
    path.write_text(CONFIG.format(port=port), "utf-8")
    for name, password in (("gateway", "of the gateway"), ("ana", "the arbiter's")):
        secret = tmp_path / f"{name}.password"
        secret.touch(mode=0o600)
        secret.write_text(password, "utf-8")
    return path


async def test_mosquitto_runs_on_the_files_and_knows_the_users(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], require_program: Callable[[str], str]
) -> None:
    program = require_program("mosquitto")
    assert main(["mosquitto", str(config), str(tmp_path / "broker"), "--run-as", getpass.getuser()]) == 0
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'broker' / 'mosquitto.conf'}\n"
    assert "screen" in said.err
    process = await asyncio.create_subprocess_exec(
        program, "-c", said.out.strip(), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        address = read_config(config).address
        arbiter = Address(address.host, address.port, "ana", "the arbiter's")
        async with asyncio.timeout(60):
            await accepted(address, process)
            async with client(arbiter) as reader, client(address) as gateway:
                place = "damas/v1/club/board/table-1/link"
                await reader.subscribe(place, qos=1)
                await gateway.publish(place, "x", qos=1)
                assert (await anext(aiter(reader.messages))).payload == b"x"
            with pytest.raises(aiomqtt.MqttError):
                async with client(Address(address.host, address.port, "ana", "wrong")):
                    pass
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def accepted(address: Address, process: asyncio.subprocess.Process) -> None:
    """Wait until the broker takes connections."""
    while True:
        assert process.returncode is None, "mosquitto did not accept its files"
        try:
            _, writer = await asyncio.open_connection(address.host, address.port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            await writer.wait_closed()
            return


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["mosquitto", *map(str, arguments)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    return line


def test_a_configuration_with_the_embedded_broker_is_refused(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = config.read_text("utf-8").replace('"server"\nhost = "127.0.0.1"', '"embedded"')
    config.write_text(
        text.replace('password_file = "gateway.password"\n', "") + 'password_file = "ana.password"\n', "utf-8"
    )
    assert f'{config}:3: [broker] kind = "embedded"' in refused(capsys, config, tmp_path / "broker")
    assert not (tmp_path / "broker").exists()


def test_tls_needs_a_certificate_and_a_certificate_needs_tls(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = ("--certificate", "c.pem", "--key", "k.pem")
    assert f"{config}:2: [broker] " in refused(capsys, config, tmp_path / "broker", *pair)
    config.write_text(config.read_text("utf-8").replace("[[board]]", "tls = true\n[[board]]", 1), "utf-8")
    assert f"{config}:7: [broker] tls = true needs --certificate" in refused(capsys, config, tmp_path / "broker")
    assert "--key" in refused(capsys, config, tmp_path / "broker", *pair[:2])
    assert main(["mosquitto", str(config), str(tmp_path / "broker"), *pair]) == 0
    assert "certfile" in (tmp_path / "broker" / "mosquitto.conf").read_text("utf-8")


@pytest.mark.parametrize(("euid", "more", "told"), [(0, [], True), (0, ["--run-as", "ME"], False), (1000, [], False)])
def test_root_is_told_that_mosquitto_could_not_open_the_passwords_without_a_user(
    euid: int, more: list[str], told: bool, config: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(os, "geteuid", lambda: euid)
    folder = tmp_path / "broker"
    more = [getpass.getuser() if word == "ME" else word for word in more]
    assert main(["mosquitto", str(config), str(folder), *more]) == 0
    said = capsys.readouterr()
    assert (f"{folder / 'passwords'}: only root" in said.err and "--run-as" in said.err) is told
    assert said.out == f"{folder / 'mosquitto.conf'}\n"


def test_a_system_user_that_does_not_exist_is_named(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nobody-of-this-name" in refused(capsys, config, tmp_path / "broker", "--run-as", "nobody-of-this-name")
