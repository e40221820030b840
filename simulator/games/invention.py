"""Invents games: legal, seeded, and plausible enough to play on a board.

A player looks two plies ahead and follows exchanges to their end, counts material, and has a taste of the moment.
That is weak play, but nobody gives pieces away, so the games have openings, exchanges, kings and endings.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from damas_board.rules.generation import captures, legal_moves
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.variant import Variant
from simulator.games.played import PlayedGame

LOOKAHEAD = 2
EXCHANGE = 8
"""Captures in a row that are followed behind the lookahead."""
MAN, KING = 100, 270
TASTE = 35
"""How much material, at most, a player thinks a liking for a move is worth."""
QUIET_PLIES = 24
"""Kings wander for so many plies in a row before the players agree to a draw."""
REPETITIONS = 3


def invented(variant: Variant, seed: int, plies: int = 100) -> PlayedGame:
    """A game of at most `plies` plies from the initial position; the same arguments give the same game.

    It ends earlier by rule, with a third repetition, or when kings have wandered for a while.
    """
    random = Random(f"{variant.name} {seed}")
    position = initial(variant)
    moves: list[Move] = []
    seen = Counter([position])
    wandered = 0
    while len(moves) < plies and wandered < QUIET_PLIES and seen[position] < REPETITIONS:
        legal = legal_moves(position)
        if not legal:
            break
        move = _chosen(position, legal, random)
        wandered = wandered + 1 if position.kings >> move.start & 1 and not move.captured else 0
        moves.append(move)
        position = position.after(move)
        seen[position] += 1
    return PlayedGame(initial(variant), tuple(moves), f"{variant.name}-{seed}")


def _chosen(position: Position, legal: list[Move], random: Random) -> Move:
    if len(legal) == 1:
        return legal[0]
    best, choice = -(10**9), legal[0]
    for move in random.sample(legal, len(legal)):
        taste = random.randrange(TASTE)
        value = taste - _value(position.after(move), LOOKAHEAD - 1, -(10**9), taste - best)
        if value > best:
            best, choice = value, move
    return choice


def _value(position: Position, depth: int, low: int, high: int, exchange: int = EXCHANGE) -> int:
    """What the position is worth to the side to move, exact between `low` and `high`."""
    taking = captures(position)
    if depth <= 0 and (not taking or exchange == 0):
        return _material(position)
    moves = legal_moves(position)
    if not moves:
        return -(10**6)
    for move in moves:
        value = -_value(position.after(move), depth - 1, -high, -low, exchange - (depth <= 0))
        if value >= high:
            return value
        low = max(low, value)
    return low


def _material(position: Position) -> int:
    own, other = position.pieces(position.turn), position.pieces(position.turn.other)
    return _worth(own, position.kings) - _worth(other, position.kings)


def _worth(pieces: int, kings: int) -> int:
    return MAN * (pieces & ~kings).bit_count() + KING * (pieces & kings).bit_count()
