"""`damas-board tell`: an arbiter's or organiser's command to a board or a game, from a terminal."""

from __future__ import annotations

import argparse
import asyncio
import logging
from pathlib import Path
from typing import Any

from damas_board.app.organiser import Desk
from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.words import known, word
from damas_board.config import Config, read_config
from damas_board.hub.desk import Answer
from damas_board.messages.access import may_command
from damas_board.messages.requests import COMMANDS
from damas_board.messages.topics import Kind, Topic, TopicError, topic
from damas_board.sinks.errors import BrokerError

_NUMBERS = ("ply", "from_ply", "turn", "seconds", "white", "black")
"""Arguments of commands that are numbers; all others are text, squares too."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("tell", help=word("help.tell"), description=word("help.tell"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("target", metavar="BOARD|GAME", help=word("help.tell.target"))
    parser.add_argument("do", metavar="COMMAND", choices=sorted(COMMANDS), help=", ".join(sorted(COMMANDS)))
    parser.add_argument("arguments", metavar="KEY=VALUE", nargs="*", type=_argument, help=word("help.tell.argument"))
    parser.add_argument("--note", metavar="TEXT", help=word("help.tell.note"))
    parser.add_argument("--user", metavar="NAME", help=word("help.tell.user"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Gives the command and prints the answer; 0 where it is done, InputError where it cannot be given."""
    log_to_stderr(logging.CRITICAL)
    config = read_config(chosen.config)
    user = _user(config, chosen.user, chosen.do)
    try:
        place = _place(config, user, chosen.target)
        answer = asyncio.run(_given(config, user, place, chosen))
    except (TopicError, BrokerError) as error:
        raise InputError(line_for(error)) from error
    print(_said(answer))
    return DONE if answer.done else WRONG_INPUT


async def _given(config: Config, user: str, place: Topic, chosen: argparse.Namespace) -> Answer:
    arguments: dict[str, Any] = dict(chosen.arguments)
    if chosen.note is not None:
        arguments["note"] = chosen.note
    async with Desk(config.addresses[user], config.meeting) as desk:
        return await desk.command(place, chosen.do, chosen.target, arguments)


def _place(config: Config, user: str, target: str) -> Topic:
    """The topic of a board that the configuration knows, else of a game."""
    boards = {board.header.board for board in config.boards}
    boards.update(board for known_user in config.users for board in known_user.boards)
    kind = Kind.COMMAND_BOARD if target in boards else Kind.COMMAND_GAME
    return topic(kind, config.meeting, user, target)


def _user(config: Config, asked: str | None, do: str) -> str:
    """The login to speak as: the one asked for, else the first whose password is known here and who may do it."""
    if asked is None:
        able = [u.name for u in config.users if u.name in config.addresses and may_command(u, do)]
        if not able:
            raise InputError(word("tell.nobody", do=do, file=config.path))
        return able[0]
    names = [user.name for user in config.users]
    if asked not in names:
        raise InputError(word("round.no_user", user=asked, known=", ".join(names) or "-"))
    if asked not in config.addresses:
        raise InputError(word("round.no_password", user=asked))
    return asked


def _said(answer: Answer) -> str:
    if answer.done:
        return word("outcome.done")
    reason = answer.reason or ""
    text = word(f"round.answer.{reason}") if known(f"round.answer.{reason}") else reason
    detail = "" if answer.detail is None else f" ({answer.detail})"
    return f"{word('outcome.refused')}: {text}{detail}"


def _argument(text: str) -> tuple[str, str | float]:
    key, sign, value = text.partition("=")
    if not sign or not key or not value:
        raise argparse.ArgumentTypeError(word("tell.argument", text=text))
    if key not in _NUMBERS:
        return key, value
    try:
        number = float(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(word("tell.number", key=key, value=value)) from error
    return key, int(number) if number.is_integer() else number
