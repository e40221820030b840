"""`damas-board simulate`: a virtual board on a pseudo-terminal or a TCP port that plays games, with faults by name."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError
from damas_board.cli.options import seed_option, speed_option
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding.square_map import CORNERS, SquareMap
from damas_board.notation.moves import write_move
from damas_board.notation.time_control import TimeControl, read_time_control
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS
from simulator.board import Board
from simulator.carrier import Carrier
from simulator.clock import RunningClock
from simulator.dgt.pieces import SETS
from simulator.faults import FAULTS, fault
from simulator.games import GameFileError, PlayedGame, games_in, invented, shipped, shipped_names
from simulator.levels import level, levels
from simulator.player import Player
from simulator.pty import BoardPty, LinkError
from simulator.speaking import EXTRAS, SPEAKING, Made, Wanted
from simulator.tcp import BoardTcp

BETWEEN_GAMES = 3.0
"""Seconds of the board's time from setting up to the first thought."""
_OPTIONS = {"control": "--clock", "pieces": "--pieces", "bluetooth": "--bluetooth"}


def register(commands: Commands) -> None:
    parser = commands.add_parser("simulate", help=word("help.simulate"), description=word("help.simulate"))
    parser.add_argument("files", metavar="FILE", nargs="*", help=word("help.simulate.files"))
    parser.add_argument("--variant", choices=sorted(VARIANTS), metavar="V", help=word("help.simulate.variant"))
    parser.add_argument("--level", choices=sorted(levels()), default="club", help=word("help.simulate.level"))
    parser.add_argument(
        "--fault", action="append", choices=list(FAULTS), default=[], metavar="F", help=word("help.simulate.fault")
    )
    parser.add_argument("--list-faults", action="store_true", help=word("help.simulate.list_faults"))
    parser.add_argument("--levels", type=int, choices=(2, 5), default=2, help=word("help.simulate.levels"))
    parser.add_argument("--corner", choices=CORNERS, default="black-left", help=word("help.simulate.corner"))
    parser.add_argument("--port", type=Path, metavar="PATH", help=word("help.simulate.port"))
    parser.add_argument("--tcp", type=int, metavar="N", help=word("help.simulate.tcp"))
    parser.add_argument("--uid", type=lambda text: int(text, 0), default=1, metavar="N", help=word("help.simulate.uid"))
    parser.add_argument("--speaks", choices=list(SPEAKING), metavar="NAME", help=word("help.simulate.speaks"))
    parser.add_argument("--clock", type=_control, metavar="TIME", help=word("help.simulate.clock"))
    parser.add_argument("--pieces", choices=list(SETS), metavar="SET", help=word("help.simulate.pieces"))
    parser.add_argument("--bluetooth", action="store_true", help=word("help.simulate.bluetooth"))
    parser.add_argument("--stay", action="store_true", help=word("help.simulate.stay"))
    speed_option(parser, 1.0)
    seed_option(parser)
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the port, then each game as it is played; ends after the last unless `--stay`."""
    if chosen.list_faults:
        for name in FAULTS:
            print(f"{name:14} {word(f'fault.{name}')}")
        return DONE
    given = {"control": chosen.clock, "pieces": chosen.pieces, "bluetooth": chosen.bluetooth or None}
    extras = {key: value for key, value in given.items() if value is not None}
    for key in extras:
        if chosen.speaks is None or key not in EXTRAS[chosen.speaks]:
            fit = ", ".join(name for name, heeded in EXTRAS.items() if key in heeded)
            raise InputError(word("simulate.no_extra", option=_OPTIONS[key], speaks=fit))
    variant = None if chosen.variant is None else VARIANTS[chosen.variant]
    games = _games(chosen.files, variant, chosen.seed)
    kinds = {game.start.variant.geometry for game in games}
    if len(kinds) > 1:
        raise InputError(word("simulate.kinds"))
    try:
        asyncio.run(_play(chosen, games, extras))
    except LinkError as error:
        raise InputError(word(f"simulate.{error.key}", **error.facts)) from error
    return DONE


def _games(files: Sequence[str], variant: Variant | None, seed: int) -> list[PlayedGame]:
    """The games of the files (or shipped ones, by name); without a file one is invented."""
    if not files:
        return [invented(variant or VARIANTS["brazilian"], seed)]
    try:
        return [
            game
            for name in files
            for game in ([shipped(name)] if name in shipped_names() else games_in(Path(name), variant))
        ]
    except GameFileError as error:
        raise InputError(str(error)) from error


async def _play(chosen: argparse.Namespace, games: Sequence[PlayedGame], extras: Mapping[str, Any]) -> None:
    clock = RunningClock(chosen.speed)
    variant = games[0].start.variant
    board = _board(chosen, variant, clock, extras)
    player = Player(board.handled, clock, level(chosen.level), chosen.seed, levers="control" in extras)
    player.set_up(games[0].start)
    carried = board.carried
    carrier: Carrier = (
        BoardTcp(carried, clock, port=chosen.tcp) if chosen.tcp is not None else BoardPty(carried, clock, chosen.port)
    )
    async with carrier:
        print(carrier.path, flush=True)
        for number, game in enumerate(games, 1):
            player.set_up(game.start)
            say(word("simulate.game", number=number, games=len(games), variant=game.start.variant.name))
            await clock.sleep(BETWEEN_GAMES)
            await player.play(game)
            say(" ".join(write_move(p, m) for p, m in zip(game.positions(), game.moves, strict=False)))
            await clock.sleep(BETWEEN_GAMES)
        while chosen.stay:
            await clock.sleep(BETWEEN_GAMES)


def _board(chosen: argparse.Namespace, variant: Variant, clock: RunningClock, extras: Mapping[str, Any]) -> Made:
    """A board of our own kind, or of the one that is asked for. InputError where that has none for this game."""
    faults = [fault(name, chosen.seed + n) for n, name in enumerate(chosen.fault)]
    if chosen.speaks is not None:
        wanted = Wanted(variant, chosen.corner, chosen.uid, faults, chosen.seed, **extras)
        try:
            return SPEAKING[chosen.speaks](wanted, clock)
        except ValueError as error:
            facts = {"speaks": chosen.speaks, "variant": variant.name, "size": variant.size}
            raise InputError(word("simulate.no_such_board", **facts)) from error
    squares = SquareMap(variant.size, variant.corner, chosen.corner)
    board = Board(squares, clock, levels=chosen.levels, uid=chosen.uid, faults=faults)
    return Made(board, board)


def _control(text: str) -> TimeControl | None:
    try:
        return read_time_control(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
