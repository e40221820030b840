"""From the tables of a configuration file to settings: other files, the environment, whether tables fit together."""

from __future__ import annotations

import secrets
import ssl
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from damas_board import regulations
from damas_board.broker import bridge
from damas_board.broker.client import Address
from damas_board.broker.logins import Login, is_hash, login
from damas_board.config.adapter import AdapterReading
from damas_board.config.camera import CameraReading, has_sensors
from damas_board.config.exposure import exposed, on_this_machine
from damas_board.config.hub import HubReading
from damas_board.config.passwords import readable_by_others, weakness
from damas_board.config.settings import (
    BoardSettings,
    BridgeSettings,
    Config,
    ConfigError,
    EmbeddedSettings,
    MetricsSettings,
    wrong_key,
)
from damas_board.config.shapes import (
    ANY_PORT,
    BoardTable,
    BridgeTable,
    EmbeddedTable,
    File,
    MetricsTable,
    Secret,
    ServerTable,
    UserTable,
)
from damas_board.decoding.square_map import lines_along
from damas_board.messages.access import User
from damas_board.messages.topics import TopicError
from damas_board.regulations import Regulation
from damas_board.regulations.tables import Path as KeyPath
from damas_board.regulations.tables import suggestion
from damas_board.session.header import Header, Settings

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
"""Addresses to listen on that are none to connect to."""
_SECRETS = ("password", "password_file", "password_env")
_ONE_OF = f"one of {', '.join(_SECRETS)}"


class Reading:
    """What one value alone cannot tell: other files, the environment, and whether the tables fit together."""

    def __init__(
        self, path: Path, lines: Mapping[KeyPath, int], file: File, environ: Mapping[str, str], *, finding: bool = False
    ) -> None:
        self.path = path
        self.folder = path.absolute().parent
        self.lines = lines
        self.file = file
        self.environ = environ
        self.finding = finding
        self.adapters = AdapterReading(self)

    def config(self) -> Config:
        file = self.file
        self.different("board", "id", [board.id for board in file.board])
        self.different("board", "uid", [board.uid for board in file.board])
        self.different_cameras()
        self.different("user", "name", [user.name for user in file.user])
        boards = tuple(self.board(index, board) for index, board in enumerate(file.board))
        self.adapters.different_ports(boards)
        if not boards and file.hub is None:
            raise self.wrong(
                (), 'needs "board", at least one [[board]]; or [hub], where a hub alone is to run', key="board"
            )
        users = tuple(self.user(index, user) for index, user in enumerate(file.user))
        own = User(file.gateway, "gateway", file.meeting, tuple(board.id for board in file.board), ("*",))
        embedded = None
        match file.broker:
            case EmbeddedTable() as broker:
                self.encrypted("listen", broker.listen, broker.certificate is not None, broker.plain_text)
                password = secrets.token_urlsafe(24)
                logins = (login(own, password), *self.logins(users, required=True))
                serving, trusting = self.embedded_tls(broker)
                embedded = EmbeddedSettings(broker.listen, broker.port, logins, serving)
                here = _EVERYWHERE.get(broker.listen, broker.listen)
                address = Address(here, broker.port, own.name, password, trusting)
            case ServerTable() as broker:
                self.encrypted("host", broker.host, broker.tls, broker.plain_text)
                given = self.secret(("broker",), broker, own.name)
                if given is None and boards:
                    raise self.wrong(("broker",), f"the gateway's login needs {_ONE_OF}", key="password")
                if given is not None and is_hash(given):
                    raise self.wrong(
                        ("broker",), "the gateway's password must be in clear, a hash is no help to log in"
                    )
                if broker.user not in (None, own.name):
                    message = f'user is "{broker.user}", but a gateway logs in under its own name, "{own.name}"'
                    raise self.wrong(("broker", "user"), message)
                gateways = () if given is None else (login(own, given),)
                logins = (*gateways, *self.logins(users, required=False))
                address = Address(broker.host, broker.port, own.name, given or "", self.client_tls(broker))
        hub = None
        if file.hub is not None:
            hub, logins = HubReading(self, file.hub).settings(address, users, logins)
            embedded = None if embedded is None else replace(embedded, logins=logins)
        bridged = None
        if file.bridge is not None:
            bridged = self.bridge(file.bridge, file.broker, address)
            own_login = User(bridge.USER, "viewer", file.meeting)
            logins = (*logins, login(own_login, bridged.hall.password))
        return Config(
            self.path,
            file.meeting,
            file.gateway,
            address,
            embedded,
            users,
            logins,
            self.located(file.journal.path),
            file.journal.warn_free << 20,
            self.located(file.pdn.folder),
            boards,
            self.search(),
            self.lines,
            bridged,
            self.addresses(users, address),
            self.metrics(file.metrics),
            hub,
        )

    def wrong(
        self, path: KeyPath, message: str, *, key: str | None = None, allowed: tuple[str, ...] = ()
    ) -> ConfigError:
        """The error about the key at `path`, or about its table where the key is not written."""
        return wrong_key(self.path, self.lines, path, message, key=key, allowed=allowed)

    def different(self, table: str, key: str, values: Sequence[str | None]) -> None:
        for value, count in Counter(values).items():
            if value is not None and count > 1:
                second = [index for index, other in enumerate(values) if other == value][1]
                raise self.wrong((table, second, key), f'{key} "{value}" stands in {count} tables; it must be in one')

    def different_cameras(self) -> None:
        first: dict[str, int] = {}
        for index, board in enumerate(self.file.board):
            device = None if board.camera is None or board.camera.device is None else str(board.camera.device)
            if device is not None and first.setdefault(device, index) != index:
                message = f'device "{device}" stands in two tables; a camera watches one board'
                raise self.wrong(("board", index, "camera", "device"), message)

    def located(self, text: str) -> Path:
        return (self.folder / Path(text).expanduser()).resolve()

    def secret_file(self, text: str) -> Path:
        """A secret's file: the one that systemd hands to a service under its name (LoadCredential), else as written."""
        handed = Path(self.environ.get("CREDENTIALS_DIRECTORY", ""), Path(text).name)
        return handed if handed.is_absolute() and handed.is_file() else self.located(text)

    def board(self, index: int, board: BoardTable) -> BoardSettings:
        regulation, text = self.regulation(("board", index, "regulation"), board.regulation)
        adapter = None if board.adapter is None else self.adapters.adapter(index, board, board.adapter)
        senses = self.adapters.senses(board, adapter)
        own = adapter is None and has_sensors(board)
        usual = {} if adapter is None else dict(adapter.adapter.settings)
        header = Header(
            board.id,
            regulation.name,
            senses,
            regulation_text=text,
            turn=board.turn,
            covers=board.covers,
            wiring=lines_along(board.corner) if own and senses == "occupancy" else None,
            recorded=board.recorded,
            clock=board.clock,
            settings=Settings(**(usual | board.settings.model_dump(exclude_unset=True))),
            table=board.table,
            starts=board.starts,
        )
        port = None if board.port == ANY_PORT else board.port
        self.reachable(index, board, port)
        camera = None if board.camera is None else CameraReading(self, index, board, board.camera).camera(regulation)
        sensors = has_sensors(board)
        corner, uid, clock_a = board.corner, board.uid, board.clock_a
        settings = BoardSettings(header, port, corner, uid, clock_a, regulation, sensors, camera, adapter)
        self.adapters.fits(index, settings)
        return settings

    def reachable(self, index: int, board: BoardTable, port: str | None) -> None:
        """A board is found by its port or its identity; a table without sensors has neither."""
        path: KeyPath = ("board", index)
        if not board.sensors:
            for key in ("port", "uid"):
                if getattr(board, key) is not None:
                    raise self.wrong(
                        (*path, key), f"{key} is of no use with sensors = false: there is no board to find"
                    )
        elif port is None and board.uid is None and has_sensors(board) and not self.finding:
            message = (
                'where is it? Give "uid", its identity (damas-board boards tells it), or "port"; or a camera'
                " ([board.camera]); or write sensors = false for a table without a sensor board"
            )
            raise self.wrong(path, message, key="uid")

    def search(self) -> tuple[str, ...] | None:
        if self.file.ports is None:
            return None
        return tuple(str(self.folder / Path(pattern).expanduser()) for pattern in self.file.ports.search)

    def regulation(self, path: KeyPath, name: str) -> tuple[Regulation, str | None]:
        """A shipped regulation, or one's own from a TOML file, with the file's text."""
        if not name.endswith(".toml"):
            if name not in regulations.names():
                message = (
                    f'regulation is "{name}"{suggestion(name, regulations.names())} (a .toml file may be given too)'
                )
                raise self.wrong(path, message, allowed=regulations.names())
            return regulations.shipped(name), None
        file = self.located(name)
        text = self.content(path, file, f'regulation "{name}"')
        return regulations.parse(text, file.stem, str(file)), text

    def content(self, path: KeyPath, file: Path, what: str) -> str:
        try:
            return file.read_text("utf-8-sig")
        except OSError as error:
            raise self.wrong(path, f"{what}: {file} cannot be read ({error.strerror})") from error
        except UnicodeDecodeError as error:
            raise self.wrong(path, f"{what}: {file} is not a text file") from error

    def encrypted(self, key: str, host: str, encrypted: bool, plain_text: bool, table: str = "broker") -> None:
        """ConfigError where what other machines can reach would go in clear, and the file does not say that it may."""
        if plain_text and encrypted:
            raise self.wrong((table, "plain_text"), "plain_text is of use without encryption only; leave it out")
        remedy = "give certificate and key" if key == "listen" else "write tls = true"
        problem = exposed(f"[{table}] {key}", host, encrypted=encrypted, plain_text=plain_text, remedy=remedy)
        if problem is not None:
            raise self.wrong((table, key), f"{key} {problem}")

    def metrics(self, table: MetricsTable | None) -> MetricsSettings | None:
        if table is None:
            return None
        if table.plain_text and on_this_machine(table.listen):
            raise self.wrong(("metrics", "plain_text"), "plain_text is of use beyond this machine only; leave it out")
        remedy = 'write listen = "127.0.0.1" and let a server with encryption stand before it'
        problem = exposed("[metrics] listen", table.listen, encrypted=False, plain_text=table.plain_text, remedy=remedy)
        if problem is not None:
            raise self.wrong(("metrics", "listen"), f"listen {problem}")
        return MetricsSettings(table.listen, table.port)

    def private(self, path: KeyPath, file: Path, what: str) -> None:
        """ConfigError where a secret's file is open to all users of the machine."""
        try:
            is_open = readable_by_others(file)
        except OSError as error:
            raise self.wrong(path, f"{what}: {file} cannot be read ({error.strerror})") from error
        if is_open:
            raise self.wrong(path, f"{what}: {file} can be read by every user of this machine; chmod o-rwx {file}")

    def secret(self, path: KeyPath, given: Secret, user: str) -> str | None:
        """The password in clear, or its hash; None where none is given. In the file itself only a hash may stand."""
        found = [key for key in _SECRETS if getattr(given, key) is not None]
        if not found:
            return None
        if len(found) > 1:
            raise self.wrong((*path, found[1]), f"{found[1]} and {found[0]} are both given; one is enough")
        key, value = found[0], str(getattr(given, found[0]))
        here = (*path, key)
        match key:
            case "password_file":
                file = self.secret_file(value)
                self.private(here, file, key)
                password = self.content(here, file, key).rstrip("\r\n")
            case "password_env":
                if value not in self.environ:
                    raise self.wrong(here, f"password_env: the environment has no {value}")
                password = self.environ[value]
            case _:
                password = value
                if value and not is_hash(value):
                    message = (
                        "password stands here in clear; write it into a file of its own and name that "
                        f'(password_file = "{user}.password"), or name an environment variable (password_env), or give '
                        "its hash ($7$..., as mosquitto_passwd writes it)"
                    )
                    raise self.wrong(here, message)
        problem = None if is_hash(password) else weakness(password, user, self.file.meeting)
        if problem is not None:
            raise self.wrong(here, f"{key} {problem}")
        return password

    def user(self, index: int, user: UserTable) -> User:
        path: KeyPath = ("user", index)
        own = {board.id for board in self.file.board}
        if user.name == self.file.gateway:
            raise self.wrong((*path, "name"), f'name "{user.name}" is the gateway\'s own; it needs no table here')
        if user.role != "gateway":
            for key in ("boards", "games"):
                if getattr(user, key):
                    raise self.wrong((*path, key), f"{key} are listed for gateways only; {user.name} is {user.role}")
        elif not user.boards:
            raise self.wrong(path, f'the gateway {user.name} needs "boards", those that it writes', key="boards")
        for board in user.boards:
            if board in own:
                raise self.wrong((*path, "boards"), f'boards: "{board}" is a board of this gateway')
        if user.publishes and user.role != "hub":
            raise self.wrong((*path, "publishes"), f"publishes is for hubs only; {user.name} is {user.role}")
        publishes = self.publishes(index, user)
        try:
            return User(user.name, user.role, self.file.meeting, user.boards, user.games, publishes)
        except TopicError as error:
            raise self.wrong((*path, "games"), f"games: {error}") from error

    def publishes(self, index: int, user: UserTable) -> bool:
        """A hub publishes unless the file says no; only one may."""
        if user.role != "hub" or user.publishes is False:
            return False
        before = [other for other in self.file.user[:index] if other.role == "hub" and other.publishes is not False]
        if before:
            message = f"{before[0].name} and {user.name} would both publish; write publishes = false for one of them"
            raise self.wrong(("user", index), message, key="publishes")
        return True

    def logins(self, users: tuple[User, ...], *, required: bool) -> list[Login]:
        found = []
        for index, user in enumerate(users):
            password = self.secret(("user", index), self.file.user[index], user.name)
            if password is not None:
                found.append(login(user, password))
            elif required:
                raise self.wrong(("user", index), f"{user.name} needs {_ONE_OF}", key="password")
        return found

    def addresses(self, users: tuple[User, ...], hall: Address) -> dict[str, Address]:
        """The broker as each user whose password is known here in clear."""
        found = {}
        for index, user in enumerate(users):
            password = self.secret(("user", index), self.file.user[index], user.name)
            if password is not None and not is_hash(password):
                found[user.name] = replace(hall, user=user.name, password=password)
        return found

    def embedded_tls(self, broker: EmbeddedTable) -> tuple[ssl.SSLContext | None, ssl.SSLContext | None]:
        """For the broker to serve with, and for the gateway to trust exactly that certificate."""
        if broker.certificate is None and broker.key is None:
            return None, None
        if broker.certificate is None or broker.key is None:
            given, missing = ("key", "certificate") if broker.certificate is None else ("certificate", "key")
            raise self.wrong(("broker", given), f'{given} needs "{missing}" beside it')
        certificate, key = self.located(broker.certificate), self.secret_file(broker.key)
        self.private(("broker", "key"), key, "key")
        serving = self.serving_tls("broker", certificate, key)
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname = False
        trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            trusting.load_verify_locations(certificate)
        except OSError as error:
            message = f"certificate: {certificate} with {key} cannot be used ({error.strerror or error})"
            raise self.wrong(("broker", "certificate"), message) from error
        return serving, trusting

    def serving_tls(self, table: str, certificate: Path, key: Path) -> ssl.SSLContext:
        """What a server needs that shows this certificate."""
        serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            # A key that needs a passphrase is refused, instead of asking for it on the terminal.
            serving.load_cert_chain(certificate, key, password="")
        except OSError as error:
            message = f"certificate: {certificate} with {key} cannot be used ({error.strerror or error})"
            raise self.wrong((table, "certificate"), message) from error
        return serving

    def bridge(self, table: BridgeTable, broker: EmbeddedTable | ServerTable, hall: Address) -> BridgeSettings:
        """The public broker and the hall's, where the bridge has a viewer's login of its own."""
        if isinstance(broker, EmbeddedTable):
            raise self.wrong(("bridge",), 'a bridge needs Mosquitto: [broker] kind = "server"', key="host")
        if bridge.USER in {self.file.gateway, *(user.name for user in self.file.user)}:
            raise self.wrong(("bridge",), f'"{bridge.USER}" is the bridge\'s own login here; give yours another name')
        if table.ca is not None and not table.tls:
            raise self.wrong(("bridge", "ca"), "ca is of use with encryption only; leave out tls = false")
        self.encrypted("host", table.host, table.tls, table.plain_text, "bridge")
        password = self.secret(("bridge",), table, table.user)
        if password is None:
            raise self.wrong(("bridge",), f"the login at the public broker needs {_ONE_OF}", key="password_file")
        if is_hash(password):
            raise self.wrong(("bridge",), "the password must be in clear, a hash is no help to log in", key="password")
        authorities = [None if t.ca is None else self.located(t.ca) for t in (broker, table)]
        public = bridge.Outside(table.host, table.port, table.user, password, table.tls, authorities[1])
        return BridgeSettings(bridge.inside(hall, secrets.token_urlsafe(24), authorities[0]), public)

    def client_tls(self, broker: ServerTable) -> ssl.SSLContext | None:
        if broker.ca is not None and not broker.tls:
            raise self.wrong(("broker", "ca"), "ca is of use with tls = true only")
        if not broker.tls:
            return None
        try:
            return ssl.create_default_context(cafile=None if broker.ca is None else self.located(broker.ca))
        except OSError as error:
            message = f"ca: {self.located(broker.ca or '')} cannot be used ({error.strerror or error})"
            raise self.wrong(("broker", "ca"), message) from error
