"""From the table [hub] to settings: the hub's login, its archive, and how what is public is served."""

from __future__ import annotations

import re
import secrets
import ssl
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from damas_board.broker.client import Address
from damas_board.broker.logins import Login, is_hash, login
from damas_board.config.exposure import exposed, on_this_machine
from damas_board.config.settings import HubSettings, PushSettings
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
            table.feed_setups,
            tuple(self.push(index) for index in range(len(table.push))),
        )
        if table.push and not user.publishes:
            message = f"only a hub that publishes has pages to put, and {user.name} does not"
            raise self.wrong(("hub", "push", 0, "url"), message)
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

    def push(self, index: int) -> PushSettings:
        """A web server that the pages are put to; ConfigError where passwords would travel in clear."""
        table, here = self.table.push[index], ("hub", "push", index)
        try:
            parts = urlsplit(table.url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise self.wrong((*here, "url"), f"url: {error}") from error
        plain = table.url.isascii() and table.url.isprintable() and " " not in table.url
        if not plain or parts.scheme not in ("https", "http") or not host or parts.query or parts.fragment or port == 0:
            raise self.wrong((*here, "url"), f'url "{table.url}" is no address as https://example.org/open/')
        if parts.username is not None or parts.password is not None:
            raise self.wrong((*here, "url"), "url has a login in it; write user, and password_file or password_env")
        encrypted = parts.scheme == "https"
        remedy = "write https://"
        problem = exposed("[[hub.push]] url", host, encrypted=encrypted, plain_text=table.plain_text, remedy=remedy)
        if problem is not None:
            raise self.wrong((*here, "url"), f"url: {problem}")
        if table.ca is not None and not encrypted:
            raise self.wrong((*here, "ca"), "ca is of use with https:// only")
        user, password = table.user, self.reading.secret(here, table, table.user or "push")
        if user is not None and password is None:
            raise self.wrong((*here, "user"), f"the login of {user} needs password_file or password_env")
        if user is not None and (":" in user or not user.isprintable()):
            raise self.wrong((*here, "user"), f'user "{user}" cannot be used: a login of HTTP has no ":"')
        if password is not None and (is_hash(password) or (user is None and not password.isascii())):
            raise self.wrong(here, "the password must be in clear, and a token of plain letters", key="password")
        url = table.url if parts.path.endswith("/") else f"{table.url}/"
        return PushSettings(url, table.files, user, password, self.trusting(index) if encrypted else None)

    def trusting(self, index: int) -> ssl.SSLContext:
        """What checks the certificate of such a server."""
        given = self.table.push[index].ca
        authority = None if given is None else self.reading.located(given)
        try:
            return ssl.create_default_context(cafile=authority)
        except OSError as error:
            message = f"ca: {authority} cannot be used ({error.strerror or error})"
            raise self.wrong(("hub", "push", index, "ca"), message) from error

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
