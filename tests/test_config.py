from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.logins import password_matches
from damas_board.config import Config, ConfigError, read_config
from damas_board.messages.access import User, may_publish
from damas_board.regulations import TableError
from damas_board.session.header import Settings

EXAMPLE = Path(__file__).parents[1] / "docs" / "example.toml"

SMALL = """\
meeting = "autumn"

[broker]
kind = "embedded"

[[board]]
id = "table-1"
port = "/dev/ttyACM0"
regulation = "br-cbjd"

[[user]]
name = "ana"
role = "arbiter"
password = "secret"
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Config]:
    def reading(text: str | bytes, **environ: str) -> Config:
        path = tmp_path / "config.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_config(path, environ)

    return reading


@pytest.fixture
def refused(read: Callable[..., Config], tmp_path: Path) -> Callable[..., str]:
    def refusing(text: str | bytes, **environ: str) -> str:
        with pytest.raises(ConfigError) as caught:
            read(text, **environ)
        assert "\n" not in str(caught.value)
        assert (caught.value.file, caught.value.line) == (str(tmp_path / "config.toml"), caught.value.line)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return refusing


def test_a_board_has_its_time_control_in_the_notation_of_game_files(
    read: Callable[..., Config], refused: Callable[..., str]
) -> None:
    plain = 'regulation = "br-cbjd"\n'
    assert read(SMALL).boards[0].header.clock is None
    assert read(SMALL.replace(plain, plain + 'clock = "40/7200:3600"\n')).boards[0].header.clock == "40/7200:3600"
    said = refused(SMALL.replace(plain, plain + 'clock = "5 min"\n'))
    assert said.startswith("config.toml:10: [board] clock")
    assert '"300"' in said or "300" in said


def test_the_example_is_a_configuration() -> None:
    config = read_config(EXAMPLE, {"DAMAS_ANA": "secret"})
    assert (config.meeting, config.gateway) == ("autumn-open", "gw-1")
    assert config.journal == EXAMPLE.parent / "autumn-open.sqlite"
    assert config.pdn == EXAMPLE.parent / "games"
    one, two = config.boards
    assert (one.header.board, one.header.regulation, one.uid) == ("table-1", "br-cbjd", 0x2A01)
    assert (two.header.turn, two.corner, two.clock_a, two.header.settings) == (180, "white-right", "black", Settings())
    assert (one.square_map.dark, two.square_map.dark, two.square_map.connector) == ("left", "right", "white-right")
    assert [user.name for user in config.users] == ["ana", "screen", "gw-2"]
    assert config.embedded is not None
    passwords = {login.user.name: login.password for login in config.embedded.logins}
    assert password_matches("secret", passwords["ana"])
    assert password_matches("gw-2", passwords["gw-2"])
    assert password_matches(config.address.password, passwords["gw-1"])


def test_what_may_be_left_out_has_a_default(read: Callable[..., Config], tmp_path: Path) -> None:
    config = read('meeting = "m"\n[[board]]\nid = "b"\nport = "p"\nregulation = "int-fmjd"\n')
    assert (config.gateway, config.address.host, config.address.port) == ("gateway", "127.0.0.1", 1883)
    assert config.journal == tmp_path / "damas-board.sqlite"
    assert config.boards[0].square_map.size == 10


def test_the_gateway_may_write_its_boards_and_any_game(read: Callable[..., Config]) -> None:
    own = next(login.user for login in read(SMALL).logins if login.user.role == "gateway")
    assert may_publish(own, "damas/v1/autumn/game/given-by-the-organiser/event")
    assert not may_publish(own, "damas/v1/autumn/board/table-2/see")


def test_ones_own_regulation_is_a_path_beside_the_configuration(read: Callable[..., Config], tmp_path: Path) -> None:
    text = 'title = "House rules"\nvariant = "brazilian"\n'
    (tmp_path / "house.toml").write_text(text)
    board = read(SMALL.replace("br-cbjd", "house.toml")).boards[0]
    assert (board.regulation.title, board.header.regulation, board.header.regulation_text) == (
        "House rules",
        "house",
        text,
    )
    (tmp_path / "house.toml").write_text('title = "House rules"\nvarient = "brazilian"\n')
    with pytest.raises(TableError, match=r'house\.toml:2: unknown key "varient"; did you mean "variant"\?'):
        read(SMALL.replace("br-cbjd", "house.toml"))


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("regulation =", "regulatoin ="),
            'config.toml:9: [board] unknown key "regulatoin"; did you mean "regulation"?',
        ),
        (
            changed('"br-cbjd"', '"br-cbjb"'),
            'config.toml:9: [board] regulation is "br-cbjb"; did you mean "br-cbjd"? (a .toml file may be given too)',
        ),
        (changed('"table-1"', '"Table 1"'), 'config.toml:7: [board] id: id "Table 1" is refused: 1 to 40 of'),
        (changed('"table-1"', f'"{"a" * 25}"'), "config.toml:7: [board] id: "),
        (changed('"autumn"', '"Autumn"'), 'config.toml:1: meeting: id "Autumn" is refused'),
        ('meeting = "m"\n', 'config.toml:1: needs "board"'),
        (SMALL + '[[board]]\nid = "table-1"\nport = "q"\nregulation = "br-cbjd"\n', "config.toml:16: [board] id "),
        (
            SMALL + '[[board]]\nid = "table-2"\nport = "/dev/ttyACM0"\nregulation = "br-cbjd"\n',
            'config.toml:17: [board] port "/dev/ttyACM0" stands in 2 tables',
        ),
        (SMALL + "[board.settings]\nsetle_seconds = 1\n", "config.toml:16: [board.settings] unknown key"),
        (SMALL + "[board.settings]\nsettle_seconds = -1\n", "config.toml:16: [board.settings] settle_seconds must be"),
        (SMALL + "[board.settings]\nsettle_seconds = nan\n", "config.toml:16: [board.settings] settle_seconds must be"),
        (changed('"embedded"', '"mosquito"'), 'config.toml:4: [broker] kind is "mosquito"; allowed: embedded, server'),
        (changed('kind = "embedded"', "port = 1"), 'config.toml:3: [broker] needs "kind"'),
        (changed('"embedded"', '"embedded"\nport = 70000'), "config.toml:5: [broker] port must be less than or equal"),
        (
            changed('"embedded"', '"server"\nhost = "h"'),
            "config.toml:3: [broker] the gateway's login needs one of password, password_file, password_env",
        ),
        (
            changed('"embedded"', '"server"\nhost = "h"\npassword = "x"\nuser = "someone"'),
            'config.toml:7: [broker] user is "someone", but a gateway logs in under its own name, "gateway"',
        ),
        (changed('"embedded"', '"server"\nhost = "h"\npassword = "x"\nca = "ca.pem"'), "config.toml:7: [broker] ca "),
        (
            changed('"embedded"', '"server"\nhost = "h"\npassword = "x"\ntls = true\nca = "ca.pem"'),
            "config.toml:8: [broker] ca: ca.pem cannot be used (No such file",
        ),
        (changed('"embedded"', '"embedded"\nkey = "k.pem"'), 'config.toml:5: [broker] key needs "certificate"'),
        (
            changed('"embedded"', '"embedded"\ncertificate = "c.pem"\nkey = "k.pem"'),
            "config.toml:5: [broker] certificate: ",
        ),
        (changed('"arbiter"', '"arbitre"'), 'config.toml:13: [user] role is "arbitre"; did you mean "arbiter"?'),
        (changed('"ana"', '"Ana"'), 'config.toml:12: [user] name: id "Ana" is refused'),
        (changed('"ana"', '"gateway"'), 'config.toml:12: [user] name "gateway" is the gateway\'s own'),
        (changed('password = "secret"', ""), "config.toml:11: [user] ana needs one of password"),
        (changed('"secret"', '""'), "config.toml:14: [user] password gives an empty password"),
        (changed('password = "secret"', 'password_env = "NOT_SET"'), "config.toml:14: [user] password_env: the env"),
        (
            changed('password = "secret"', 'password_file = "none"'),
            "config.toml:14: [user] password_file: none cannot be read (No such file or directory)",
        ),
        (SMALL + 'password_env = "X"\n', "config.toml:15: [user] password_env and password are both given"),
        (
            SMALL + 'boards = ["table-2"]\n',
            "config.toml:15: [user] boards are listed for gateways only; ana is arbiter",
        ),
        (changed('"arbiter"', '"gateway"'), 'config.toml:11: [user] the gateway ana needs "boards"'),
        (
            changed('"arbiter"', '"gateway"\nboards = ["table-1"]'),
            'config.toml:14: [user] boards: "table-1" is a board of this gateway',
        ),
        (
            SMALL + '[[user]]\nname = "ana"\nrole = "viewer"\npassword = "x"\n',
            'config.toml:16: [user] name "ana" stands in 2 tables; it must be in one',
        ),
        (
            SMALL + "".join(f'[[user]]\nname = "hub-{n}"\nrole = "hub"\npassword = "x"\n' for n in (1, 2)),
            "config.toml:19: [user] hub-1 and hub-2 would both publish; write publishes = false",
        ),
        (SMALL + "publishes = true\n", "config.toml:15: [user] publishes is for hubs only; ana is arbiter"),
        ("meeting =\n", "config.toml:1: not TOML: invalid value"),
        (b"meeting = 1\n\xff\xd8\xff\xe0JFIF", "config.toml:2: not a text file (UTF-8)"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(refused: Callable[..., str], text: str | bytes, message: str) -> None:
    assert refused(text).startswith(message)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_config(tmp_path / "none.toml")


def test_passwords_come_from_a_file_or_the_environment(read: Callable[..., Config], tmp_path: Path) -> None:
    (tmp_path / "ana.password").write_text("from a file\n")
    for line, password in (('password_file = "ana.password"', "from a file"), ('password_env = "ANA"', "from there")):
        config = read(changed('password = "secret"', line), ANA="from there")
        stored = next(login.password for login in config.logins if login.user.name == "ana")
        assert password_matches(password, stored)


def test_a_server_is_logged_in_to_as_the_gateway(read: Callable[..., Config]) -> None:
    config = read(changed('"embedded"', '"server"\nhost = "mqtt.example.org"\npassword = "x"\ntls = true'))
    assert config.embedded is None
    assert (config.address.host, config.address.user, config.address.password) == ("mqtt.example.org", "gateway", "x")
    assert isinstance(config.address.tls, ssl.SSLContext)


def test_passwords_are_not_shown(read: Callable[..., Config]) -> None:
    shown = repr(read(SMALL))
    assert "secret" not in shown
    assert "$7$" not in shown


def test_who_is_listed_as_an_organiser_gives_no_decisions(read: Callable[..., Config]) -> None:
    config = read(SMALL + '[[user]]\nname = "olga"\nrole = "organiser"\npassword = "x"\n')
    assert config.may_command("ana", "result")
    assert config.may_command("olga", "start")
    assert not config.may_command("olga", "result")
    assert not config.may_command("nobody", "start")
    assert [user.role for user in config.users] == ["arbiter", "organiser"]
    assert isinstance(config.users[0], User)


@pytest.fixture
def certificate(tmp_path: Path, require_program: Callable[[str], str]) -> str:
    openssl = [require_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=hall"]
    subprocess.run([*openssl, "-keyout", "k.pem", "-out", "c.pem"], cwd=tmp_path, check=True, capture_output=True)
    return 'certificate = "c.pem"\nkey = "k.pem"'


async def test_a_certificate_makes_the_embedded_broker_speak_tls(read: Callable[..., Config], certificate: str) -> None:
    config = read(changed('"embedded"', f'"embedded"\nport = 0\n{certificate}'))
    assert config.embedded is not None
    settings = config.embedded
    async with (
        asyncio.timeout(30),
        EmbeddedBroker(settings.logins, host=settings.host, port=settings.port, tls=settings.tls) as broker,
    ):
        address = config.address.at(broker.port)
        async with client(address) as connected:
            await connected.publish("damas/v1/autumn/board/table-1/link", "x", qos=1)
