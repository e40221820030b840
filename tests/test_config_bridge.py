"""`[bridge]` of a configuration, and secrets that the system hands to a service."""

from __future__ import annotations

from pathlib import Path

import pytest

from damas_board.broker.logins import password_matches
from damas_board.config import ConfigError, read_config

CONFIG = """\
meeting = "club"
[broker]
kind = "server"
host = "127.0.0.1"
password_file = "gateway.password"
[bridge]
host = "mqtt.example.org"
user = "hall-1"
password_file = "secrets/public.password"
[[board]]
id = "table-1"
port = "/dev/ttyACM0"
regulation = "br-cbjd"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "secrets").mkdir()
    for name in ("gateway.password", "secrets/public.password"):
        path = tmp_path / name
        path.touch(0o600)
        path.write_text(f"a secret in {name}\n", "utf-8")
    path = tmp_path / "club.toml"
    path.write_text(CONFIG, "utf-8")
    return path


def test_a_bridge_has_two_ends_and_a_viewers_login_in_the_hall(config: Path) -> None:
    read = read_config(config, {})
    assert read.bridge is not None
    public, hall = read.bridge.public, read.bridge.hall
    assert (public.host, public.port, public.user, public.encrypted) == ("mqtt.example.org", 8883, "hall-1", True)
    assert public.password == "a secret in secrets/public.password"
    assert (hall.host, hall.port, hall.encrypted) == ("127.0.0.1", 1883, False)
    (own,) = (login for login in read.logins if login.user.name == "bridge")
    assert own.user.role == "viewer"
    assert password_matches(hall.password, own.password)
    assert "secret" not in repr(read.bridge)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'kind = "server"\nhost = "127.0.0.1"\npassword_file = "gateway.password"',
            'kind = "embedded"',
            'needs Mosquitto: [broker] kind = "server"',
        ),
        ('meeting = "club"', 'meeting = "club"\ngateway = "bridge"', '"bridge" is the bridge\'s own login'),
        ('user = "hall-1"\npassword_file = "secrets/public.password"', 'user = "hall-1"', "one of password,"),
        ('user = "hall-1"', 'user = "hall-1"\ntls = false', "beyond this machine"),
        ('user = "hall-1"', 'user = "hall-1"\ntls = false\nca = "x.pem"', "ca is of use with encryption only"),
        ('user = "hall-1"', 'user = "hall-1"\nplain_text = true', "without encryption only"),
        ('user = "hall-1"', 'users = "hall-1"', '"user"'),
    ],
)
def test_a_bridge_that_cannot_be_is_refused(old: str, new: str, told: str, config: Path) -> None:
    config.write_text(config.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ConfigError) as refused:
        read_config(config, {})
    assert "bridge" in str(refused.value)
    assert told in str(refused.value)


def test_a_secret_that_the_system_hands_to_the_service_is_read_in_place_of_the_file(
    config: Path, tmp_path: Path
) -> None:
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "public.password").touch(0o600)
    (handed / "public.password").write_text("what the system handed over\n", "utf-8")
    (tmp_path / "secrets" / "public.password").unlink()
    read = read_config(config, {"CREDENTIALS_DIRECTORY": str(handed)})
    assert read.bridge is not None
    assert read.bridge.public.password == "what the system handed over"
    assert read.address.password == "a secret in gateway.password", "one that is not handed over is read as written"


def test_a_hub_that_names_no_user_is_known_to_the_embedded_broker(config: Path) -> None:
    text = config.read_text("utf-8")
    board = text[text.index("[[board]]") :]
    config.write_text(f'meeting = "club"\n[broker]\nkind = "embedded"\n[hub]\n{board}', "utf-8")
    read = read_config(config, {})
    assert read.embedded is not None
    assert read.hub is not None
    (own,) = (login for login in read.embedded.logins if login.user == read.hub.user)
    assert password_matches(read.hub.address.password, own.password)
