"""Answers questions about positions with pydraughts; run by the Python of its own environment (see libraries.py)."""

import json
import sys
import time

from draughts import Board
from draughts.core.game import Game

ALGEBRAIC = {"brazilian": 4, "russian": 4, "turkish": 8}
"""Variants written by letter and digit, and their squares in a row: numbers run from a1."""


def name(variant, square):
    if variant not in ALGEBRAIC:
        return str(square)
    width = ALGEBRAIC[variant]
    row, col = divmod(square - 1, width)
    return f"{'abcdefgh'[col if width == 8 else 2 * col + row % 2]}{row + 1}"


def moves(variant, fen):
    found = []
    for move in Board(variant, fen).legal_moves():
        ends = move.board_move[0][0], move.board_move[-1][1]
        found.append([*(name(variant, s) for s in ends), sorted(name(variant, s) for s in move.captures)])
    return found


def seconds(variant, fens):
    """For generating the moves of every position once; the game below the public board, which is faster."""
    games = [Board(variant, fen)._game for fen in fens]
    began = time.process_time()
    for game in games:
        game.legal_moves()
    return time.process_time() - began


def perft(game, depth):
    found, taken = game.legal_moves()
    outcomes = {(m[0][0], m[-1][1], tuple(sorted(filter(None, t)))): m for m, t in zip(found, taken, strict=True)}
    if depth == 1:
        return len(outcomes)
    count = 0
    for move in outcomes.values():
        game.push(move)
        count += perft(game, depth - 1)
        game.pop()
    return count


def timed_perft(variant, depth):
    game = Game(variant)
    began = time.process_time()
    return perft(game, depth), time.process_time() - began


for line in sys.stdin:
    question, *values = json.loads(line)
    print(json.dumps({"moves": moves, "seconds": seconds, "perft": timed_perft}[question](*values)), flush=True)
