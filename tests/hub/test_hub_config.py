"""The table [hub]: who the hub is, where it archives, who may reach its pages; and `run` with it, as a process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from broker.halls import free_port

from damas_board.config import Config, ConfigError, read_config

SECRET = "quite a long secret 47"
SERVER = '[broker]\nkind = "server"\nhost = "127.0.0.1"\n'
HUB = '[[user]]\nname = "hub-1"\nrole = "hub"\npassword_env = "HUB"\n'
OWN = {"HUB": SECRET, "ARCHIVE": "postgresql+psycopg://u:p@host/name"}


def read(folder: Path, text: str) -> Config:
    path = folder / "hub.toml"
    path.write_text(f'meeting = "m"\n{text}', "utf-8")
    return read_config(path, OWN)


def test_a_hub_alone_needs_no_board_and_no_gateways_password(tmp_path: Path) -> None:
    config = read(tmp_path, f'{SERVER}{HUB}[hub]\nuser = "hub-1"\n')
    assert config.hub is not None
    assert (config.boards, config.hub.address.user, config.hub.listen) == ((), "hub-1", ("127.0.0.1", 8080))
    assert config.hub.archive == f"sqlite:///{tmp_path / 'archive.sqlite'}"
    assert [login.user.name for login in config.logins] == ["hub-1"]


def test_at_the_embedded_broker_a_hub_has_a_login_of_its_own(tmp_path: Path) -> None:
    config = read(tmp_path, "[hub]\n")
    assert config.hub is not None
    assert config.hub.user.publishes
    assert config.embedded is not None
    assert "hub" in [login.user.name for login in config.embedded.logins]


def test_a_hub_that_does_not_publish_serves_no_pages(tmp_path: Path) -> None:
    config = read(tmp_path, f'{SERVER}{HUB}publishes = false\n[hub]\nuser = "hub-1"\n')
    assert config.hub is not None
    assert config.hub.listen is None


def test_an_archives_url_with_a_password_comes_from_the_environment(tmp_path: Path) -> None:
    config = read(tmp_path, '[hub]\narchive_env = "ARCHIVE"\n')
    assert config.hub is not None
    assert config.hub.archive == OWN["ARCHIVE"]
    assert "u:p@" not in repr(config)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{SERVER}{HUB}[hub]\n", 'the hub needs "user"'),
        (f'{SERVER}{HUB}[hub]\nuser = "hub-2"\n', 'user is "hub-2", but no [[user]] whose role is hub has that name'),
        ('[hub]\narchive = "postgresql+psycopg://u:p@host/name"\n', "archive has a password in it"),
        ('[hub]\narchive = "postgresql+psycopg://u@host/name?password=p"\n', "archive has a password in it"),
        ('[hub]\narchive_env = "NONE"\n', "archive_env: the environment has no NONE"),
        ('[hub]\narchive = "sqlite:///a"\narchive_env = "ARCHIVE"\n', "archive_env and archive are both given"),
        ('[hub]\nlisten = "0.0.0.0"\n', 'listen "0.0.0.0" is beyond this machine'),
        ('[hub]\ncertificate = "a.pem"\n', 'certificate needs "key" beside it'),
        ("[hub]\ndelay = -1\n", "delay"),
        ('[hub]\nregulations = ["br-cbjt"]\n', "regulation is"),
    ],
)
def test_what_is_wrong_with_a_hub_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_pages_may_go_in_clear_where_the_file_says_so(tmp_path: Path) -> None:
    config = read(tmp_path, '[hub]\nlisten = "0.0.0.0"\nplain_text = true\n')
    assert config.hub is not None
    assert config.hub.tls is None


def test_run_starts_the_hub_that_its_file_asks_for(tmp_path: Path) -> None:
    pages = free_port()
    text = f'meeting = "club"\n[broker]\nkind = "embedded"\nport = {free_port()}\n[hub]\nport = {pages}\n'
    text += '[[board]]\nid = "t-1"\nregulation = "br-cbjd"\nsensors = false\n'
    (tmp_path / "club.toml").write_text(text)
    command = [sys.executable, "-m", "damas_board", "run", str(tmp_path / "club.toml")]
    environ = {**os.environ, "DAMAS_LANG": "en"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            assert "1 board(s) of club are followed" in said
            with urllib.request.urlopen(f"http://127.0.0.1:{pages}/api/games", timeout=20) as answer:
                assert answer.status == 200
        finally:
            process.send_signal(signal.SIGTERM)
            _, rest = process.communicate(timeout=60)
    assert process.returncode == 0, rest
    assert (tmp_path / "archive.sqlite").exists()
    assert (tmp_path / "publication.sqlite").exists()


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        text = f'meeting = "club"\n[broker]\nkind = "embedded"\nport = {free_port()}\n[hub]\n'
        text += f'port = {taken.getsockname()[1]}\n[[board]]\nid = "t-1"\nregulation = "br-cbjd"\nsensors = false\n'
        (tmp_path / "club.toml").write_text(text)
        command = [sys.executable, "-m", "damas_board", "run", str(tmp_path / "club.toml")]
        environ = {**os.environ, "DAMAS_LANG": "en"}
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60, check=False)
    assert done.returncode == 1
    assert "club.toml:6: [hub] the hub cannot listen on 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr
