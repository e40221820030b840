"""Answers questions about positions with py-draughts; run by the Python of its own environment (see libraries.py)."""

import json
import sys
import time

import draughts

BOARDS = {
    "standard": draughts.StandardBoard,
    "american": draughts.AmericanBoard,
    "russian": draughts.RussianBoard,
    "brazilian": draughts.BrazilianBoard,
    "frisian": draughts.FrisianBoard,
}
NUMBERED = ("american",)
"""Boards that know letters and digits, asked about by number."""


def name(variant, square):
    names = BOARDS[variant].SQUARE_NAMES
    return names[square] if names and variant not in NUMBERED else str(square + 1)


def moves(variant, fen):
    found = []
    for move in BOARDS[variant].from_fen(fen).legal_moves:
        ends = move.square_list[0], move.square_list[-1]
        found.append([*(name(variant, s) for s in ends), sorted(name(variant, s) for s in move.captured_list)])
    return found


def seconds(variant, fens):
    """For generating the moves of every position once."""
    boards = [BOARDS[variant].from_fen(fen) for fen in fens]
    began = time.process_time()
    for board in boards:
        board.legal_moves  # noqa: B018  it is a property
    return time.process_time() - began


def perft(board, depth):
    found = board.legal_moves
    if depth == 1:
        return len(found)
    count = 0
    for move in found:
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def timed_perft(variant, depth):
    board = BOARDS[variant]()
    began = time.process_time()
    return perft(board, depth), time.process_time() - began


for line in sys.stdin:
    question, *values = json.loads(line)
    print(json.dumps({"moves": moves, "seconds": seconds, "perft": timed_perft}[question](*values)), flush=True)
