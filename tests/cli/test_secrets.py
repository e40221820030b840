"""Secrets stay where they were given: a verbose run with known ones, and a search of all that it leaves behind."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest

from damas_board.broker.client import Address, client
from damas_board.cli import COMMANDS, _parser

ANA = "kept-in-a-file-7319"
OLGA = "kept-in-the-environment-2846"
WRONG = "typed-and-wrong-5527"
CONFIG = """\
meeting = "club"
[broker]
kind = "embedded"
port = {port}
[journal]
path = "journal.sqlite"
[pdn]
folder = "games"
[[board]]
id = "table-1"
port = "{folder}/no-board-here"
regulation = "br-cbjd"
[[user]]
name = "ana"
role = "arbiter"
password_file = "ana.password"
[[user]]
name = "olga"
role = "organiser"
password_env = "OLGA_SECRET"
"""
SECRETS = (ANA, OLGA, WRONG)


def listed(pid: int) -> bytes:
    """What the process list shows to everybody."""
    return b"".join(path.read_bytes() for path in Path(f"/proc/{pid}").glob("cmdline"))


def contents(folder: Path, but: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path != but}


async def logged_in(address: Address, process: asyncio.subprocess.Process) -> aiomqtt.Client:
    while True:
        assert process.returncode is None, "the gateway ended"
        with contextlib.suppress(aiomqtt.MqttError):
            return await client(address).__aenter__()
        await asyncio.sleep(0.1)


async def test_no_secret_is_in_the_log_the_journal_the_process_list_or_a_message(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp_path / "club.toml"
    config.write_text(CONFIG.format(port=port, folder=tmp_path), "utf-8")
    secret = tmp_path / "ana.password"
    secret.touch(mode=0o600)
    secret.write_text(ANA, "utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-X", "dev", "-W", "ignore", "-m", "damas_board", "run", str(config), "--verbose"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "DAMAS_LANG": "en", "OLGA_SECRET": OLGA},
    )
    heard = []
    try:
        async with asyncio.timeout(60):
            ana = await logged_in(Address("127.0.0.1", port, "ana", ANA), process)
            await ana.subscribe("damas/v1/club/#", qos=1)
            olga = await logged_in(Address("127.0.0.1", port, "olga", OLGA), process)
            for name in ("ana", WRONG):
                with pytest.raises(aiomqtt.MqttError):
                    async with client(Address("127.0.0.1", port, name, WRONG)):
                        pass
            place = "damas/v1/club/cmd/ana/board/table-1"
            await ana.publish(place, b"{not JSON", qos=1)
            await ana.publish(place, json.dumps({"id": "c1", "do": "new_game", "regulation": "none"}), qos=1)
            await olga.publish("damas/v1/club/cmd/olga/board/table-1", json.dumps({"id": "c2", "do": "result"}), qos=1)
            shown = listed(process.pid)
            async for message in ana.messages:
                heard.append(bytes(message.payload))
                if b'"c1"' in heard[-1] and str(message.topic).endswith("/ack/ana"):
                    break
            for each in (ana, olga):
                await each.__aexit__(None, None, None)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        out, err = await asyncio.wait_for(process.communicate(), 60)
    assert b"ana: wrong name or password" in err
    assert (tmp_path / "journal.sqlite").stat().st_size > 0
    left = contents(tmp_path, secret)
    for word in map(str.encode, SECRETS):
        assert word not in out + err
        assert word not in shown
        assert not [message for message in heard if word in message]
        assert not [name for name, content in left.items() if word in content]


def options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from options(inner)


def test_no_option_takes_a_password() -> None:
    parsers = [_parser([command]) for command in COMMANDS]
    found = [name for parser in parsers for action in options(parser) for name in (*action.option_strings, action.dest)]
    assert "config" in found
    assert [
        name for name in found if re.search(r"(pass(word|wd|phrase)|secret|token|credential)(?![-_]file$)", name)
    ] == []
