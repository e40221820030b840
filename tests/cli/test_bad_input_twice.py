"""A start that fails leaves nothing behind: the next one with the same mistake fails with the same line."""

from __future__ import annotations

import os
import pty
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CONFIG = """\
meeting = "club"

[broker]
{broker}

[[board]]
id = "table-1"
port = "{board}"
regulation = "br-cbjd"
"""
EMBEDDED = 'kind = "embedded"\nport = {port}'
SERVER = 'kind = "server"\nhost = "127.0.0.1"\nport = {port}\npassword_env = "WRONG"'


def complaint(path: Path) -> str:
    """The one line of a `run` that failed as it should."""
    run = subprocess.run(
        [sys.executable, "-m", "damas_board", "run", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "DAMAS_LANG": "en", "WRONG": "not the password"},
    )
    assert run.returncode == 1, run.stderr
    lines = run.stderr.splitlines()
    assert len(lines) == 1, run.stderr
    return lines[0]


@pytest.fixture
def silent_port() -> Iterator[str]:
    """A serial port behind which nobody answers."""
    master, slave = pty.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def twice(folder: Path, broker: str, board: object) -> str:
    path = folder / "club.toml"
    path.write_text(CONFIG.format(broker=broker, board=board), "utf-8")
    first = complaint(path)
    assert complaint(path) == first
    return first


@pytest.mark.slow
def test_a_broker_that_is_not_there(tmp_path: Path, silent_port: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert f"127.0.0.1:{port}" in twice(tmp_path, SERVER.format(port=port), silent_port)


def test_a_port_of_the_broker_that_is_taken(tmp_path: Path, silent_port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert str(port) in twice(tmp_path, EMBEDDED.format(port=port), silent_port)
