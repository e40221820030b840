from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.logins import hashed, password_matches
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
password_env = "ANA"
"""
SECRET = "thus spoke ana"
HASH = hashed("the password of a hash", iterations=101)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Config]:
    def reading(text: str | bytes, **environ: str) -> Config:
        path = tmp_path / "config.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_config(path, {"ANA": SECRET, **environ})

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
    config = read_config(EXAMPLE, {"DAMAS_ANA": SECRET, "DAMAS_SCREEN": "look, do not touch"})
    assert (config.meeting, config.gateway) == ("autumn-open", "gw-1")
    assert config.journal == EXAMPLE.parent / "autumn-open.sqlite"
    assert config.pdn == EXAMPLE.parent / "games"
    one, two, three = config.boards
    assert (one.header.board, one.header.regulation, one.uid) == ("table-1", "br-cbjd", "00002a01")
    assert (two.header.turn, two.corner, two.clock_a, two.header.settings) == (180, "white-right", "black", Settings())
    assert (two.header.starts, three.sensors) == ("command", False)
    assert config.hub is not None
    assert config.hub.archive == f"sqlite:///{EXAMPLE.parent / 'archive.sqlite'}"
    assert (one.square_map.dark, two.square_map.dark, two.square_map.connector) == ("left", "right", "white-right")
    assert [user.name for user in config.users] == ["ana", "screen", "gw-2"]
    assert config.embedded is not None
    passwords = {login.user.name: login.password for login in config.embedded.logins}
    assert password_matches(SECRET, passwords["ana"])
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


def write_secret(path: Path, text: str, mode: int = 0o600) -> None:
    path.touch(mode=mode)
    path.chmod(mode)
    path.write_text(text, "utf-8")


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
            changed('"embedded"', '"server"\nhost = "localhost"'),
            "config.toml:3: [broker] the gateway's login needs one of password, password_file, password_env",
        ),
        (
            changed('"embedded"', '"server"\nhost = "localhost"\npassword_env = "ANA"\nuser = "someone"'),
            'config.toml:7: [broker] user is "someone", but a gateway logs in under its own name, "gateway"',
        ),
        (
            changed('"embedded"', '"server"\nhost = "localhost"\npassword_env = "ANA"\nca = "ca.pem"'),
            "config.toml:7: [broker] ca ",
        ),
        (
            changed('"embedded"', '"server"\nhost = "localhost"\npassword_env = "ANA"\ntls = true\nca = "ca.pem"'),
            "config.toml:8: [broker] ca: ca.pem cannot be used (No such file",
        ),
        (changed('"embedded"', '"embedded"\nkey = "k.pem"'), 'config.toml:5: [broker] key needs "certificate"'),
        (
            changed('"embedded"', '"embedded"\ncertificate = "c.pem"\nkey = "k.pem"'),
            "config.toml:6: [broker] key: k.pem cannot be read",
        ),
        (changed('"arbiter"', '"arbitre"'), 'config.toml:13: [user] role is "arbitre"; did you mean "arbiter"?'),
        (changed('"ana"', '"Ana"'), 'config.toml:12: [user] name: id "Ana" is refused'),
        (changed('"ana"', '"gateway"'), 'config.toml:12: [user] name "gateway" is the gateway\'s own'),
        (changed('password_env = "ANA"', ""), "config.toml:11: [user] ana needs one of password"),
        (changed('password_env = "ANA"', 'password = ""'), "config.toml:14: [user] password gives an empty password"),
        (changed('"ANA"', '"NOT_SET"'), "config.toml:14: [user] password_env: the env"),
        (
            changed('password_env = "ANA"', 'password_file = "none"'),
            "config.toml:14: [user] password_file: none cannot be read (No such file or directory)",
        ),
        (SMALL + 'password = "x"\n', "config.toml:14: [user] password_env and password are both given"),
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
            SMALL + '[[user]]\nname = "ana"\nrole = "viewer"\npassword_env = "ANA"\n',
            'config.toml:16: [user] name "ana" stands in 2 tables; it must be in one',
        ),
        (
            SMALL + "".join(f'[[user]]\nname = "hub-{n}"\nrole = "hub"\npassword_env = "ANA"\n' for n in (1, 2)),
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
    write_secret(tmp_path / "ana.password", "from a file\n")
    for line, password in (
        ('password_file = "ana.password"', "from a file"),
        ('password_env = "ANA"', "from there"),
        (f'password = "{HASH}"', "the password of a hash"),
    ):
        config = read(changed('password_env = "ANA"', line), ANA="from there")
        stored = next(login.password for login in config.logins if login.user.name == "ana")
        assert password_matches(password, stored)


def test_a_server_is_logged_in_to_as_the_gateway(read: Callable[..., Config]) -> None:
    config = read(changed('"embedded"', '"server"\nhost = "mqtt.example.org"\npassword_env = "ANA"\ntls = true'))
    assert config.embedded is None
    assert (config.address.host, config.address.user, config.address.password) == (
        "mqtt.example.org",
        "gateway",
        SECRET,
    )
    assert isinstance(config.address.tls, ssl.SSLContext)


def test_passwords_are_not_shown(read: Callable[..., Config]) -> None:
    shown = repr(read(SMALL))
    assert SECRET not in shown
    assert "$7$" not in shown


def test_who_is_listed_as_an_organiser_gives_no_decisions(read: Callable[..., Config]) -> None:
    config = read(SMALL + '[[user]]\nname = "olga"\nrole = "organiser"\npassword_env = "ANA"\n')
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


@pytest.mark.parametrize(
    ("listen", "refused_there"),
    [
        ("127.0.0.1", False),
        ("127.8.9.1", False),
        ("::1", False),
        ("localhost", False),
        ("::ffff:127.0.0.1", False),
        ("0.0.0.0", True),
        ("::", True),
        ("", True),
        ("192.168.1.20", True),
        ("hall.local", True),
        ("localhost.example.org", True),
        ("127.0.0.1.example.org", True),
    ],
)
def test_what_listens_beyond_this_machine_needs_a_certificate_or_the_word_for_it(
    read: Callable[..., Config], refused: Callable[..., str], listen: str, refused_there: bool,
    certificate: str, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    clear = changed('"embedded"', f'"embedded"\nlisten = "{listen}"')
    if refused_there:
        said = refused(clear)
        assert said.startswith(f'config.toml:5: [broker] listen "{listen}" is beyond this machine')
        assert "certificate and key" in said
        assert "plain_text = true" in said
    else:
        read(clear)
    read(changed('"embedded"', f'"embedded"\nlisten = "{listen}"\n{certificate}'))
    assert not caplog.records
    read(changed('"embedded"', f'"embedded"\nlisten = "{listen}"\nplain_text = true'))
    assert [(r.levelname, "is not encrypted" in r.getMessage()) for r in caplog.records] == [
        ("WARNING", True)
    ] * refused_there


@pytest.mark.parametrize(("host", "refused_there"), [("127.0.0.1", False), ("10.0.0.2", True), ("mqtt.hall", True)])
def test_a_broker_at_another_machine_needs_tls_or_the_word_for_it(
    read: Callable[..., Config], refused: Callable[..., str], host: str, refused_there: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    server = f'"server"\nhost = "{host}"\npassword_env = "ANA"'
    if refused_there:
        said = refused(changed('"embedded"', server))
        assert said.startswith(f'config.toml:5: [broker] host "{host}" is beyond this machine')
        assert "tls = true" in said
    else:
        read(changed('"embedded"', server))
    assert read(changed('"embedded"', f"{server}\ntls = true")).address.tls is not None
    assert not caplog.records
    assert read(changed('"embedded"', f"{server}\nplain_text = true")).address.tls is None
    assert len(caplog.records) == refused_there
    assert SECRET not in caplog.text
    said = refused(changed('"embedded"', f"{server}\ntls = true\nplain_text = true"))
    assert said.startswith("config.toml:8: [broker] plain_text is of use without encryption only")


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("", "gives an empty password"),
        ("seven77", "gives a password of 7 characters, at least 8 are needed; python3 -c"),
        ("password", "would try first"),
        ("Senha123", "would try first"),
        ("aaaaaaaaaaaa", "would try first"),
        ("ana-maria", "would try first"),
        ("grand-autumn-open", "would try first"),
        ("two\nlines of it", "line break"),
    ],
)
def test_a_password_that_anybody_would_guess_is_refused_and_not_repeated(
    refused: Callable[..., str], tmp_path: Path, password: str, told: str
) -> None:
    text = changed('"ana"', '"ana-maria"').replace('"autumn"', '"grand-autumn-open"')
    said = refused(text, ANA=password)
    assert said.startswith("config.toml:14: [user] password_env ")
    assert told in said
    assert password in ("", "password") or password not in said
    write_secret(tmp_path / "ana.password", password)
    assert told in refused(text.replace('password_env = "ANA"', 'password_file = "ana.password"'))


def test_a_password_in_clear_in_the_configuration_is_refused_and_not_repeated(refused: Callable[..., str]) -> None:
    said = refused(changed('password_env = "ANA"', 'password = "open as the day"'))
    assert said.startswith("config.toml:14: [user] password stands here in clear; ")
    assert 'password_file = "ana.password"' in said
    assert "password_env" in said
    assert "open as" not in said
    said = refused(changed('password_env = "ANA"', "password = 19283746"))
    assert said == "config.toml:14: password must be a text in quotes"
    assert "open as" not in refused(changed('"embedded"', '"server"\nhost = "localhost"\npassword = "open as the day"'))


@pytest.mark.parametrize(
    ("mode", "told"), [(0o600, False), (0o400, False), (0o640, False), (0o644, True), (0o602, True)]
)
def test_a_secret_that_every_user_can_read_is_refused(
    read: Callable[..., Config], refused: Callable[..., str], tmp_path: Path, certificate: str, mode: int, told: bool
) -> None:
    write_secret(tmp_path / "ana.password", SECRET)
    (tmp_path / "ana.password").chmod(mode)
    text = changed('password_env = "ANA"', 'password_file = "ana.password"')
    if told:
        assert "can be read by every user of this machine; chmod o-rwx ana.password" in refused(text)
    else:
        read(text)
    (tmp_path / "k.pem").chmod(mode)
    text = changed('"embedded"', f'"embedded"\n{certificate}')
    if told:
        assert "config.toml:6: [broker] key: k.pem can be read by every user" in refused(text)
    else:
        read(text)


def test_a_key_behind_a_passphrase_is_refused_and_nobody_is_asked(
    refused: Callable[..., str], tmp_path: Path, certificate: str, require_program: Callable[[str], str]
) -> None:
    lock = [require_program("openssl"), "pkey", "-in", "k.pem", "-aes256", "-passout", "pass:locked", "-out", "l.pem"]
    subprocess.run(lock, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    (tmp_path / "l.pem").chmod(0o600)
    said = refused(changed('"embedded"', f'"embedded"\n{certificate}'.replace("k.pem", "l.pem")))
    assert "[broker] certificate: c.pem with l.pem cannot be used" in said
