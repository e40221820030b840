"""`damas-board legal`: the legal moves of positions, or how many sequences of moves there are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from damas_board.cli import DONE, Commands, regulation
from damas_board.cli.errors import InputError
from damas_board.cli.words import word
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen
from damas_board.notation.moves import write_move
from damas_board.rules.generation import legal_moves, perft
from damas_board.rules.position import Position
from damas_board.rules.variant import Variant


def register(commands: Commands) -> None:
    parser = commands.add_parser("legal", help=word("help.legal"), description=word("help.legal"))
    parser.add_argument("fen", metavar="FEN", help=word("help.legal.fen"))
    regulation.add_option(parser)
    parser.add_argument("--perft", type=_depth, metavar="N", help=word("help.legal.perft"))
    parser.set_defaults(call=call)


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(word("depth", text=text))
    return int(text)


def call(chosen: argparse.Namespace) -> int:
    """Prints one move a line, an empty line between positions; with `--perft` one number for each position."""
    variant = regulation.named(chosen.regulation).variant
    for n, position in enumerate(_positions(chosen.fen, variant)):
        if chosen.perft is not None:
            print(perft(position, chosen.perft), flush=True)
            continue
        if n:
            print()
        moves = legal_moves(position)
        for move in moves:
            print(write_move(position, move, moves))
    return DONE


def _positions(fen: str, variant: Variant) -> Iterator[Position]:
    if fen != "-":
        yield read_fen(fen, variant)
        return
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            try:
                yield read_fen(line, variant)
            except NotationError as error:
                raise InputError(f"{word('stdin')}: {word('line', line=number, message=error.message)}") from error
