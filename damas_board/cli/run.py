"""`damas-board run`: the real thing, from a configuration file."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import signal
from pathlib import Path

from damas_board.app.notify import announced
from damas_board.app.service import START_ERRORS, serving
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import Config, read_config


def register(commands: Commands) -> None:
    parser = commands.add_parser("run", help=word("help.run"), description=word("help.run"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("--verbose", action="store_true", help=word("help.verbose"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Runs until Ctrl-C or SIGTERM; InputError where a board, the broker or the journal cannot be used."""
    log_to_stderr(logging.INFO if chosen.verbose else logging.WARNING)
    try:
        asyncio.run(_run(read_config(chosen.config)))
    except START_ERRORS as error:
        raise InputError(line_for(error)) from error
    return DONE


async def _run(config: Config) -> None:
    async with serving(config) as service:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, service.gateway.stop)
        broker = f"{service.address.host}:{service.address.port}"
        on = word("run.on", boards=len(config.boards), meeting=config.meeting, broker=broker)
        say(on)
        # What the program itself consists of is never looked through again: with many boards that holds up play.
        gc.collect()
        gc.freeze()
        async with announced(on):
            await service.gateway.wait()
        say(word("run.off", journal=config.journal))
