"""`damas-board simulate`: a virtual board on a pseudo-terminal or a TCP port that plays games, with faults by name."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError
from damas_board.cli.options import seed_option, speed_option
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding.square_map import CORNERS, SquareMap
from damas_board.notation.moves import write_move
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS
from simulator.board import Board
from simulator.carrier import Carrier
from simulator.clock import RunningClock
from simulator.faults import FAULTS, fault
from simulator.games import GameFileError, PlayedGame, games_in, invented, shipped, shipped_names
from simulator.levels import level, levels
from simulator.player import Player
from simulator.pty import BoardPty, LinkError
from simulator.tcp import BoardTcp

BETWEEN_GAMES = 3.0
"""Seconds of the board's time from setting up to the first thought."""


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
    variant = None if chosen.variant is None else VARIANTS[chosen.variant]
    games = _games(chosen.files, variant, chosen.seed)
    kinds = {game.start.variant.geometry for game in games}
    if len(kinds) > 1:
        raise InputError(word("simulate.kinds"))
    try:
        asyncio.run(_play(chosen, games))
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


async def _play(chosen: argparse.Namespace, games: Sequence[PlayedGame]) -> None:
    clock = RunningClock(chosen.speed)
    variant = games[0].start.variant
    faults = [fault(name, chosen.seed + n) for n, name in enumerate(chosen.fault)]
    board = Board(
        SquareMap(variant.size, variant.corner, chosen.corner),
        clock,
        levels=chosen.levels,
        uid=chosen.uid,
        faults=faults,
    )
    player = Player(board, clock, level(chosen.level), chosen.seed)
    player.set_up(games[0].start)
    carrier: Carrier = (
        BoardTcp(board, clock, port=chosen.tcp) if chosen.tcp is not None else BoardPty(board, clock, chosen.port)
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
