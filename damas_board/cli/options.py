"""Options that several commands have."""

from __future__ import annotations

import argparse

from damas_board.cli.words import word

FASTEST = 20.0
"""Beyond this the settling times come near to what a machine needs to answer."""


def speed_option(parser: argparse.ArgumentParser, default: float | None, words: str | None = None) -> None:
    """`words`: what the help says, where the default is not a number."""
    if words is None:
        words = word("help.speed", default=f"{default:g}")
    parser.add_argument("--speed", type=_speed, default=default, metavar="N", help=words)


def seed_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=word("help.seed"))


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= FASTEST:
        raise argparse.ArgumentTypeError(word("speed", text=text))
    return speed
