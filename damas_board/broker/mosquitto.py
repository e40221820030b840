"""Writes what Mosquitto needs to be the same broker as the embedded one: configuration, access and password files.

Two limits. A list of games that ends in `*` becomes any game (messages/access.py). And Mosquitto cannot refuse a
retained command: it keeps it, and hands it *without* the mark to those who listen already, so that a gateway that is
connected carries it out as if it were not retained (MQTT 3.1.1 has no way to ask for the mark). At each later
connection it comes with the mark; the gateway then refuses it, and its answer names the topic. Only the author can
take it away, with an empty retained message there: a gateway has no right to write commands.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from damas_board.broker.entrance import MOST_CONNECTIONS
from damas_board.broker.logins import Login
from damas_board.broker.packets import LARGEST_PACKET
from damas_board.messages.access import rights

CONFIGURATION = "mosquitto.conf"
ACCESS = "access.acl"
PASSWORDS = "passwords"


@dataclass(frozen=True, slots=True)
class Listener:
    """Where Mosquitto listens; with a certificate and its key, only over TLS."""

    host: str = "127.0.0.1"
    port: int = 1883
    certificate: Path | None = None
    key: Path | None = None


def configuration(folder: Path, listener: Listener, run_as: str | None = None) -> str:
    """The text of mosquitto.conf for files in `folder`; `run_as` is the system user that it changes to from root."""
    lines = [
        *_hall(folder, listener),
        "persistence true",
        f"persistence_location {folder}{os.sep}",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
    ]
    if run_as is not None:
        lines.append(f"user {run_as}")
    return "\n".join(lines) + "\n"


def addition(folder: Path, listener: Listener) -> str:
    """The text of a file for /etc/mosquitto/conf.d, beside a distribution's own mosquitto.conf.

    The distribution's file says where Mosquitto keeps and logs things; Mosquitto refuses to start if two files do.
    """
    return "\n".join(_hall(folder, listener)) + "\n"


def _hall(folder: Path, listener: Listener) -> list[str]:
    """Where it listens, and to whom."""
    lines = [
        "# Written by damas-board; a change here is lost when it is written again.",
        f"listener {listener.port} {listener.host}",
    ]
    if listener.certificate is not None and listener.key is not None:
        lines += [f"certfile {listener.certificate}", f"keyfile {listener.key}"]
    return [
        *lines,
        "# Only the users of the configuration, and each only what the access table allows.",
        "allow_anonymous false",
        f"password_file {folder / PASSWORDS}",
        f"acl_file {folder / ACCESS}",
        "# Small messages go at once.",
        "set_tcp_nodelay true",
        "# What a client that was away must still get: saved each second, and not cut at a thousand messages.",
        "autosave_interval 1",
        "persistent_client_expiration 1d",
        "max_queued_messages 100000",
        "# As large and as many as the embedded broker takes.",
        f"message_size_limit {LARGEST_PACKET}",
        f"max_connections {MOST_CONNECTIONS}",
    ]


def access_file(logins: Iterable[Login]) -> str:
    """The access table as an ACL file: nothing is allowed but what is written."""
    blocks = []
    for login in logins:
        rows = [f"topic {action} {text}" for action, text in rights(login.user)]
        blocks.append("\n".join([f"user {login.user.name}", *rows]))
    return "\n\n".join(blocks) + "\n"


def password_file(logins: Iterable[Login]) -> str:
    """The hashes, one user a line."""
    return "".join(f"{login.user.name}:{login.password}\n" for login in logins)


def write_files(
    folder: Path, logins: Iterable[Login], listener: Listener | None = None, *, run_as: str | None = None
) -> Path:
    """Write the three files into `folder` (made if need be) and return the configuration's path.

    The access and password files are readable by their owner only; where root writes for another user (`run_as`), that
    user owns them and the folder. ValueError for a path that Mosquitto's format cannot say; OSError where it cannot be
    written, LookupError where there is no such system user.
    """
    folder = folder.resolve()
    if "\n" in str(folder):
        raise ValueError(f"a folder with a line break in its name cannot stand in {CONFIGURATION}: {str(folder)!r}")
    logins = tuple(logins)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = configuration(folder, listener or Listener(), run_as)
    write_whole(folder / PASSWORDS, password_file(logins), 0o600)
    write_whole(folder / ACCESS, access_file(logins), 0o600)
    write_whole(folder / CONFIGURATION, text, 0o644)
    if run_as is not None and os.geteuid() == 0:
        # Mosquitto reads them after it has left root behind, and keeps its database in the folder.
        for path in (folder, folder / PASSWORDS, folder / ACCESS):
            shutil.chown(path, run_as)
    return folder / CONFIGURATION


def write_whole(path: Path, text: str, mode: int) -> None:
    """Write a file whole or not at all, and never readable by more than `mode` in between."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
