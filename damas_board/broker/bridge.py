"""Writes the bridge: a Mosquitto of its own that takes the public subtree out of a hall, and lets nothing in.

Mosquitto can bridge from within the hall's broker, but what the other end of such a bridge sends is let in past the
access file, also where the bridge is for `out` only: whoever takes over the broker on the internet could write an
arbiter's command in the hall (seen with Mosquitto 2.0.11). So the bridge is a second broker with two connections. In
the hall it logs in as a viewer, and the hall's access file says what that may do: read the public subtree. Out on the
internet it writes that subtree. Between the two it keeps what could not be sent yet. What the internet sends ends in
the bridge: no connection carries it on.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from damas_board.broker.client import Address
from damas_board.broker.mosquitto import write_whole
from damas_board.messages.topics import ROOT

CONFIGURATION = "bridge.conf"
SOCKET = "bridge.sock"
STORE = "bridge"
LONGEST_SOCKET = 100
"""Bytes: a socket's path is short by the system's rule."""
AUTHORITIES = "/etc/ssl/certs"
"""Where a system keeps the certificates of the authorities that it trusts."""
USER = "bridge"
"""The bridge's login in the hall, a viewer's."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The public broker: where, as whom, and how it is recognised (`authority`: a file; None: the system's)."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    encrypted: bool = True
    authority: Path | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """The hall's broker, as the bridge reaches it."""

    host: str
    port: int
    password: str = field(repr=False)
    encrypted: bool = False
    authority: Path | None = None


def public_subtree(meeting: str) -> str:
    """The filter of what may leave the hall; what a viewer may read, and nothing else."""
    return f"{ROOT}/{meeting}/public/#"


def inside(address: Address, password: str, authority: Path | None) -> Inside:
    """The hall's broker at the address where the gateway finds it."""
    return Inside(address.host, address.port, password, address.tls is not None, authority)


def write_bridge(
    folder: Path, meeting: str, gateway: str, hall: Inside, public: Outside, *, run_as: str | None = None
) -> Path:
    """Write bridge.conf into `folder`, readable by its owner only, and return its path; as `write_files` otherwise."""
    folder = folder.resolve()
    text = configuration(folder / STORE, folder / SOCKET, meeting, gateway, hall, public, run_as=run_as)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / STORE).mkdir(mode=0o700, exist_ok=True)
    write_whole(folder / CONFIGURATION, text, 0o600)
    if run_as is not None and os.geteuid() == 0:
        for path in (folder, folder / STORE, folder / CONFIGURATION):
            shutil.chown(path, run_as)
    return folder / CONFIGURATION


def configuration(
    store: Path, socket: Path, meeting: str, gateway: str, hall: Inside, public: Outside, *, run_as: str | None = None
) -> str:
    """The text of bridge.conf, which holds both passwords. ValueError for what Mosquitto's format cannot say.

    `store` is the folder for what could not be sent yet, `socket` a file that the bridge makes.
    """
    subtree = public_subtree(meeting)
    if "\n" in str(socket) or len(os.fsencode(socket)) > LONGEST_SOCKET:
        raise ValueError(f"a folder with a shorter name is needed, on one line: {str(socket.parent)!r}")
    lines = [
        "# Written by damas-board; a change here is lost when it is written again. It holds passwords.",
        "# Nobody logs in here: without a listener Mosquitto would open its usual port.",
        f"listener 0 {socket}",
        "allow_anonymous false",
        # What the outside has not taken yet: kept on disk, and not cut at the thousand messages of the default.
        "persistence true",
        f"persistence_location {store}{os.sep}",
        "autosave_interval 1",
        "max_queued_messages 100000",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "",
        "# From the hall, as a viewer.",
        "connection hall",
        f"address {_host(hall.host)}:{hall.port}",
        f"topic {subtree} in 1",
        f"remote_username {USER}",
        f"remote_password {_word(hall.password)}",
        f"remote_clientid {gateway}-bridge",
        # So that the hall's broker, a Mosquitto too, says of each message whether it is retained.
        "try_private true",
        *_common(),
        *_encryption(hall.encrypted, hall.authority),
        "",
        "# To the public broker. Any MQTT 3.1.1 broker will do.",
        "connection public",
        f"address {_host(public.host)}:{public.port}",
        f"topic {subtree} out 1",
        f"remote_username {_word(public.user)}",
        f"remote_password {_word(public.password)}",
        f"remote_clientid {meeting}-{gateway}-bridge",
        "try_private false",
        # An `out` connection need not take back subscriptions that it never had.
        "bridge_attempt_unsubscribe false",
        *_common(),
        *_encryption(public.encrypted, public.authority),
    ]
    if run_as is not None:
        lines.append(f"user {run_as}")
    return "\n".join(lines) + "\n"


def _common() -> list[str]:
    return [
        "bridge_protocol_version mqttv311",
        "cleansession false",
        "keepalive_interval 15",
        # Seconds until the next attempt: between two and thirty, longer with each failure.
        "restart_timeout 2 30",
        # No message about the bridge itself, at neither end.
        "notifications false",
    ]


def _encryption(encrypted: bool, authority: Path | None) -> list[str]:
    if not encrypted:
        return []
    return [f"bridge_capath {AUTHORITIES}" if authority is None else f"bridge_cafile {authority}"]


def _host(text: str) -> str:
    """A host as `address` takes it: Mosquitto cuts at the first colon, so an IPv6 address must have a name."""
    if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
        raise ValueError(f"a bridge needs a host's name or IPv4 address, not {text!r}")
    return text


def _word(text: str) -> str:
    """A text that stands alone to the end of its line."""
    if not text or text != text.strip() or not text.isprintable():
        raise ValueError(f"a password or user that begins or ends with a blank cannot stand in {CONFIGURATION}")
    return text
