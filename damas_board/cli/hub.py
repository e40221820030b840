"""`damas-board hub`: archives a meeting, and serves what of it is public."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from pathlib import Path

from damas_board.app.hub_service import hub_running
from damas_board.app.notify import announced
from damas_board.app.service import START_ERRORS
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import Config, read_config


def register(commands: Commands) -> None:
    parser = commands.add_parser("hub", help=word("help.hub"), description=word("help.hub"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("--verbose", action="store_true", help=word("help.verbose"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Runs until Ctrl-C or SIGTERM; InputError where the broker, the archive or a port cannot be used."""
    log_to_stderr(logging.INFO if chosen.verbose else logging.WARNING)
    config = read_config(chosen.config)
    if config.hub is None:
        raise InputError(word("hub.none", file=config.path))
    if config.embedded is not None and config.hub.user not in config.users:
        raise InputError(word("hub.embedded", file=config.path))
    try:
        asyncio.run(_run(config))
    except START_ERRORS as error:
        raise InputError(line_for(error)) from error
    return DONE


async def _run(config: Config) -> None:
    async with hub_running(config, config.address) as hub:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, hub.stop)
        pages = "" if hub.web is None else word("hub.pages", url=hub.web.url)
        on = word("hub.on", meeting=config.meeting, broker=f"{config.address.host}:{config.address.port}", pages=pages)
        say(on)
        async with announced(on):
            await hub.wait()
        say(word("hub.off"))
