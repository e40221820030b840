"""`damas-board restore`: a second machine takes over; or the games of a journal as recordings for one that will."""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
from dataclasses import asdict
from pathlib import Path

from damas_board.app.restoring import KnownGame, RestoreError, exported, games_behind, rebuild, recorded_game
from damas_board.broker.client import Address
from damas_board.cli import DONE, WRONG_USAGE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import Config, read_config
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal import JournalReader

MQTT_PORT, MQTT_TLS_PORT = 1883, 8883


def register(commands: Commands) -> None:
    parser = commands.add_parser("restore", help=word("help.restore"), description=word("help.restore"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("recordings", metavar="RECORDING", type=Path, nargs="*", help=word("help.restore.recordings"))
    parser.add_argument("--from-broker", action="store_true", help=word("help.restore.from_broker"))
    parser.add_argument("--export", metavar="FOLDER", type=Path, help=word("help.restore.export"))
    parser.add_argument("--broker", metavar="HOST[:PORT]", help=word("help.restore.broker"))
    parser.add_argument("--user", metavar="NAME", help=word("help.restore.user"))
    parser.add_argument("--password-file", metavar="FILE", type=Path, help=word("help.restore.password_file"))
    parser.add_argument("--ca", metavar="FILE", type=Path, help=word("help.restore.ca"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints one JSON object for each restored game, or the path of each exported one; InputError says what is wrong.

    The journal of the configuration must have no games yet.
    """
    if sum((bool(chosen.recordings), chosen.from_broker, chosen.export is not None)) != 1:
        say(f"damas-board restore: {word('restore.one')}")
        return WRONG_USAGE
    if (chosen.user is None) != (chosen.password_file is None):
        say(f"damas-board restore: {word('restore.login')}")
        return WRONG_USAGE
    config = read_config(chosen.config)
    try:
        if chosen.export is not None:
            for path in exported(JournalReader.read(config.journal), chosen.export):
                print(path)
            return DONE
        _restore(config, _games(config, chosen))
    except (RestoreError, JournalError) as error:
        raise InputError(line_for(error)) from error
    return DONE


def _restore(config: Config, games: list[KnownGame]) -> None:
    restored = rebuild(config.journal, games)
    known = {board.header.board for board in config.boards}
    for game in restored:
        print(json.dumps(asdict(game), ensure_ascii=False))
        result = game.result or word("restore.in_play")
        key = "restore.whole" if game.source == "recording" else "restore.shown"
        say(word(key, game=game.game, board=game.board, plies=game.plies, result=result))
    for board in sorted({game.board for game in restored} - known):
        say(word("restore.no_board", board=board))
    say(word("restore.done", games=len(restored), journal=config.journal))


def _games(config: Config, chosen: argparse.Namespace) -> list[KnownGame]:
    if chosen.from_broker:
        headers = [board.header for board in config.boards]
        return asyncio.run(games_behind(_address(config, chosen), config.meeting, headers))
    found = []
    for path in chosen.recordings:
        try:
            found.append(recorded_game(path.read_text("utf-8").splitlines(), str(path)))
        except UnicodeDecodeError as error:
            raise InputError(word("not_utf8", file=path, byte=error.start)) from error
    return found


def _address(config: Config, chosen: argparse.Namespace) -> Address:
    """Where to ask, and as whom."""
    if config.embedded is not None and (chosen.broker is None or chosen.user is None):
        raise InputError(word("restore.embedded"))
    own = config.address
    tls = own.tls if chosen.broker is None else None
    if chosen.ca is not None:
        tls = ssl.create_default_context(cafile=chosen.ca)
    host, port = own.host, own.port
    if chosen.broker is not None:
        host, port = _place(chosen.broker, MQTT_PORT if tls is None else MQTT_TLS_PORT)
    if chosen.user is None:
        return Address(host, port, own.user, own.password, tls)
    return Address(host, port, chosen.user, chosen.password_file.read_text("utf-8").rstrip("\r\n"), tls)


def _place(text: str, usual: int) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon:
        return text, usual
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise InputError(word("restore.port", text=text))
    return host, int(port)
