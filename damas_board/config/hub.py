"""From the table [hub] to settings: the hub's login, its archive, and how what is public is served."""

from __future__ import annotations

import re
import secrets
import ssl
from dataclasses import replace
from typing import TYPE_CHECKING

from damas_board.broker.client import Address
from damas_board.broker.logins import Login, login
from damas_board.config.exposure import on_this_machine
from damas_board.config.settings import HubSettings
from damas_board.config.shapes import EmbeddedTable, HubTable
from damas_board.messages.access import User
from damas_board.messages.publication import Terms
from damas_board.regulations import Regulation

if TYPE_CHECKING:
    from damas_board.config.reading import Reading

OWN = "hub"
"""The login of a hub that names none, at the embedded broker."""


class HubReading:
    """What of [hub] other tables, files and the environment decide."""

    def __init__(self, reading: Reading, table: HubTable) -> None:
        self.reading = reading
        self.table = table
        self.wrong = reading.wrong

    def settings(
        self, hall: Address, users: tuple[User, ...], logins: tuple[Login, ...]
    ) -> tuple[HubSettings, tuple[Login, ...]]:
        """The hub's settings, and the broker's logins with its own. `hall` is the broker as another login has it."""
        table = self.table
        user, address, logins = self.login(hall, users, logins)
        listen = (table.listen, table.port) if table.pages and user.publishes else None
        settings = HubSettings(
            user,
            address,
            self.archive(),
            self.reading.located(table.store),
            Terms(table.delay, clocks=table.clocks),
            listen,
            None if listen is None else self.tls(),
            None if table.feeds is None else self.reading.located(table.feeds),
            self.regulations(),
        )
        return settings, logins

    def login(
        self, hall: Address, users: tuple[User, ...], logins: tuple[Login, ...]
    ) -> tuple[User, Address, tuple[Login, ...]]:
        """The login that [hub] names; at the embedded broker it may be one of which nobody knows the password."""
        file, name = self.reading.file, self.table.user
        known = {user.name: user for user in users}
        if name is None:
            if not isinstance(file.broker, EmbeddedTable):
                raise self.wrong(("hub",), 'the hub needs "user", a [[user]] whose role is hub', key="user")
            if OWN in (*known, file.gateway):
                message = f'"{OWN}" is a login of this file; write user = "{OWN}" if it is this hub\'s'
                raise self.wrong(("hub",), message, key="user")
            user = User(OWN, "hub", file.meeting, publishes=not any(other.publishes for other in users))
            password = secrets.token_urlsafe(24)
            return user, replace(hall, user=user.name, password=password), (*logins, login(user, password))
        if name not in known or known[name].role != "hub":
            hubs = tuple(user.name for user in users if user.role == "hub")
            message = f'user is "{name}", but no [[user]] whose role is hub has that name'
            raise self.wrong(("hub", "user"), message, allowed=hubs)
        address = self.reading.addresses(users, hall).get(name)
        if address is None:
            message = f"the hub logs in as {name}, so that [[user]] needs password_file or password_env"
            raise self.wrong(("hub", "user"), message)
        return known[name], address, logins

    def archive(self) -> str:
        """The archive's URL; a password in it may come from the environment only."""
        table = self.table
        if table.archive is not None and table.archive_env is not None:
            raise self.wrong(("hub", "archive_env"), "archive_env and archive are both given; one is enough")
        if table.archive_env is not None:
            if table.archive_env not in self.reading.environ:
                message = f"archive_env: the environment has no {table.archive_env}"
                raise self.wrong(("hub", "archive_env"), message)
            return self.reading.environ[table.archive_env]
        if table.archive is None:
            return f"sqlite:///{self.reading.located('archive.sqlite')}"
        if re.search(r"://[^/@]*:[^/@]+@|[?&]password=", table.archive):
            message = (
                "archive has a password in it; leave it out and give it in the environment (PGPASSWORD) or in"
                " ~/.pgpass, or name an environment variable that has the whole URL (archive_env)"
            )
            raise self.wrong(("hub", "archive"), message)
        scheme, _, path = table.archive.partition(":///")
        if scheme == "sqlite" and path and not path.startswith("/"):
            return f"sqlite:///{self.reading.located(path)}"
        return table.archive

    def tls(self) -> ssl.SSLContext | None:
        """For the pages; ConfigError where other machines could reach them in clear and the file does not allow it."""
        table = self.table
        if table.certificate is None or table.key is None:
            if table.certificate is not None or table.key is not None:
                given, missing = ("key", "certificate") if table.certificate is None else ("certificate", "key")
                raise self.wrong(("hub", given), f'{given} needs "{missing}" beside it')
            if not table.plain_text and not on_this_machine(table.listen):
                message = (
                    f'listen "{table.listen}" is beyond this machine; give certificate and key, or write plain_text ='
                    " true where what is public may travel in clear (as to a web server that encrypts)"
                )
                raise self.wrong(("hub", "listen"), message)
            return None
        if table.plain_text:
            raise self.wrong(("hub", "plain_text"), "plain_text is of use without encryption only; leave it out")
        certificate, key = self.reading.located(table.certificate), self.reading.secret_file(table.key)
        self.reading.private(("hub", "key"), key, "key")
        return self.reading.serving_tls("hub", certificate, key)

    def regulations(self) -> dict[str, Regulation]:
        """A club's own regulations by name: those listed here, and those of the boards of this file."""
        found: dict[str, Regulation] = {}
        for index, name in enumerate(self.table.regulations):
            regulation, _ = self.reading.regulation(("hub", "regulations", index), name)
            found[regulation.name] = regulation
        for index, board in enumerate(self.reading.file.board):
            regulation, _ = self.reading.regulation(("board", index, "regulation"), board.regulation)
            found.setdefault(regulation.name, regulation)
        return found
