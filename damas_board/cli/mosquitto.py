"""`damas-board mosquitto`: the files that make Mosquitto the broker of a configuration, its users included."""

from __future__ import annotations

import argparse
import os
import pwd
from pathlib import Path

from damas_board.broker.bridge import write_bridge
from damas_board.broker.mosquitto import PASSWORDS, Listener, write_files
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import Config, read_config

EVERYWHERE = "0.0.0.0"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def register(commands: Commands) -> None:
    parser = commands.add_parser("mosquitto", help=word("help.mosquitto"), description=word("help.mosquitto"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=word("help.mosquitto.folder"))
    parser.add_argument("--run-as", metavar="USER", help=word("help.mosquitto.run_as"))
    parser.add_argument("--certificate", metavar="FILE", type=Path, help=word("help.mosquitto.certificate"))
    parser.add_argument("--key", metavar="FILE", type=Path, help=word("help.mosquitto.key"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Writes the files, prints the paths of mosquitto.conf and bridge.conf; InputError where that makes no sense."""
    config = read_config(chosen.config)
    if config.embedded is not None:
        raise config.wrong(("broker", "kind"), word("mosquitto.embedded"))
    checked_certificate(config, chosen)
    if chosen.run_as is not None:
        try:
            pwd.getpwnam(chosen.run_as)
        except KeyError as error:
            raise InputError(word("mosquitto.no_user", user=chosen.run_as)) from error
    try:
        path = write_files(chosen.folder, config.logins, listener(config, chosen), run_as=chosen.run_as)
        bridge = None
        if config.bridge is not None:
            ends = (config.bridge.hall, config.bridge.public)
            bridge = write_bridge(chosen.folder, config.meeting, config.gateway, *ends, run_as=chosen.run_as)
    except ValueError as error:
        raise InputError(str(error)) from error
    written = {login.user.name for login in config.logins}
    left_out = [user.name for user in config.users if user.name not in written]
    if left_out:
        say(word("mosquitto.left_out", users=", ".join(left_out)))
    if chosen.run_as is None and os.geteuid() == 0:
        say(word("mosquitto.root", file=path.with_name(PASSWORDS)))
    print(path)
    if bridge is not None:
        print(bridge)
        say(word("mosquitto.bridge", file=bridge))
    return DONE


def checked_certificate(config: Config, chosen: argparse.Namespace) -> None:
    """ConfigError where TLS and the certificate with its key do not go together."""
    encrypted = config.address.tls is not None
    if encrypted != (chosen.certificate is not None) or encrypted != (chosen.key is not None):
        raise config.wrong(("broker", "tls"), word("mosquitto.tls" if encrypted else "mosquitto.no_tls"))


def listener(config: Config, chosen: argparse.Namespace) -> Listener:
    """Where Mosquitto is to listen, from where the gateway looks for it."""
    host = "127.0.0.1" if config.address.host in LOOPBACK else EVERYWHERE
    certificate = None if chosen.certificate is None else chosen.certificate.resolve()
    key = None if chosen.key is None else chosen.key.resolve()
    return Listener(host, config.address.port, certificate, key)
