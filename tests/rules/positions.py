"""Random positions for tests: any pieces on any squares, except men on the row where they would have been crowned."""

from __future__ import annotations

from hypothesis import strategies as st
from rules.plain_generator import Board

from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

variants = st.sampled_from(tuple(VARIANTS.values()))


def random_position(random, variant: Variant, kings: float | None = None) -> Position:
    """From a few pieces to a half-full board; `kings` is their share."""
    squares = variant.geometry.playable
    count = random.randint(2, max(4, len(squares) // 2))
    share = random.choice((0.0, 0.1, 0.3, 0.6, 1.0)) if kings is None else kings
    white = black = crowned = 0
    for square in random.sample(squares, count):
        side = random.choice(tuple(Side))
        king = random.random() < share or variant.last_rows[side] >> square & 1
        if side is Side.WHITE:
            white |= 1 << square
        else:
            black |= 1 << square
        crowned |= int(king) << square
    return Position(variant, random.choice(tuple(Side)), white, black, crowned)


def random_play(random, variant: Variant, plies: int):
    """The moves of a random game from the start, at most `plies` of them, each with the position before it."""
    position = initial(variant)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            return
        move = random.choice(moves)
        yield position, move
        position = position.after(move)


def board_of(position: Position) -> Board:
    """The position as the plain generator writes it."""
    size = position.variant.size
    board = {}
    for side, letters in ((Side.WHITE, "mk"), (Side.BLACK, "MK")):
        for s in squares_of(position.pieces(side)):
            board[s % size, s // size] = letters[position.kings >> s & 1]
    return board


@st.composite
def positions(draw, of: st.SearchStrategy[Variant] = variants) -> Position:
    return random_position(draw(st.randoms(use_true_random=True)), draw(of))
