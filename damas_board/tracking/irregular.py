"""Which rule was broken? The moves that a position does not allow, and what each of them broke.

How it works. The question is the same as for a legal move - does what this move leads to stand on the board? - asked
under relaxed rules, one rule at a time: capturing is not obligatory; a capture may stop anywhere and take any number;
the other side moves; men capture in all directions; a man may take a king; a king may reach farther. Since a variant
is a row of data, a relaxed rule is a row with one value replaced, and the answer names that value's article. What no
relaxed rule explains is looked at as a piece that went from one square to another, with what was wrong about its way.

Of several rules that explain one board, the one that comes first in the table of alerts is named, the others go into
`also`. If one rule explains it in two ways that lead to different positions, nothing is said.

Pieces that a capture left standing, or that were taken off without being captured, are no moves: they change what the
last ply led to (`left_standing`, `taken_off`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from damas_board.regulations.policy import IRREGULAR_MOVES, AlertKind, IllegalReason
from damas_board.rules.generation import captures, chosen, legal_moves, quiet_moves
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.rules.variant import DIAGONALS, EIGHT, LINES, Variant
from damas_board.tracking.sight import Sight, disagreement

MOST_SQUARES = 26
"""A board that differs in more squares than this shows no move."""


class Irregularity(NamedTuple):
    """What is irregular about a ply."""

    kind: AlertKind
    side: Side
    """Whose mistake it is."""
    law: str | None = None
    """The value of the variant's row that was broken."""
    reason: IllegalReason | None = None
    """What was wrong about a piece's way (`illegal_move`)."""
    could_continue: bool = False
    """A capture that stopped before its end."""
    also: tuple[AlertKind, ...] = ()
    squares: int = 0
    """Pieces that were left on the board, or wrongly taken off it."""
    since: float | None = None
    """When the first of them went missing."""


class IrregularMove(NamedTuple):
    move: Move
    after: Position
    broken: Irregularity


@cache
def unfinished(variant: Variant) -> Variant:
    """The same row, but a capture may stop anywhere."""
    return replace(variant, capture_finished=False)


@cache
def _geometries(variant: Variant) -> tuple[tuple[IllegalReason, str, Variant], ...]:
    """Rows with one rule about a capture's way relaxed: the reason, the rule, and the row."""
    row = unfinished(variant)
    ways = LINES if variant.corner == "all" else EIGHT if variant.man_jumps == EIGHT else DIAGONALS
    relaxed: tuple[tuple[IllegalReason, str, Variant], ...] = (
        ("backwards", "man_jumps", replace(row, man_jumps=ways)),
        ("man_takes_king", "man_takes_king", replace(row, man_takes_king=True)),
        ("too_far", "king_approach", replace(row, king_approach="flying", king_landing="any")),
        ("turned_back", "turn_back", replace(row, turn_back=True)),
    )
    return tuple(each for each in relaxed if each[2] != row)


def irregular_move(position: Position, sight: Sight, playable: int) -> IrregularMove | None:
    """The one irregular move of `position` whose outcome stands on the board, with the rule that it broke.

    None if there is none, if a legal move explains the board, or if the first rule in the table explains it in ways
    that differ.
    """
    off = disagreement(position, sight, playable)
    if not off or off.bit_count() > MOST_SQUARES or off & ~sight.known:
        return None
    if any(not disagreement(position.after(move), sight, playable) for move in legal_moves(position)):
        return None
    found: list[IrregularMove] = []
    for candidates in (_against_a_law, _against_the_way):
        found = [m for m in candidates(position, sight, off) if not disagreement(m.after, sight, playable)]
        if found:
            break
    else:
        return None
    order = sorted({IRREGULAR_MOVES.index(move.broken.kind) for move in found})
    first = [move for move in found if move.broken.kind == IRREGULAR_MOVES[order[0]]]
    if any(move.after != first[0].after for move in first):
        return None
    also = tuple(IRREGULAR_MOVES[i] for i in order[1:])
    return first[0]._replace(broken=first[0].broken._replace(also=also))


def _against_a_law(position: Position, sight: Sight, off: int) -> Iterator[IrregularMove]:
    """Moves that the pieces could make, of either side, but not now."""
    if off.bit_count() == 2:
        yield from _quiet(position)
    yield from unfinished_captures(position, off)
    other = position._replace(turn=position.turn.other)
    for move in legal_moves(other):
        yield IrregularMove(move, other.after(move), Irregularity("wrong_side", other.turn, "first"))


def _against_the_way(position: Position, sight: Sight, off: int) -> Iterator[IrregularMove]:
    """Moves that no piece could make."""
    emptied = off & position.occupied & ~sight.not_empty
    if off.bit_count() == 2 and emptied.bit_count() == 1:
        yield _displaced(position, emptied, off & ~emptied)
    else:
        yield from _captures_against_the_way(position)


def _quiet(position: Position) -> Iterator[IrregularMove]:
    """Quiet moves that the law of obligation, or that of a king's moves in a row, does not allow."""
    variant = position.variant
    if variant.capture_compulsory and captures(position):
        for move in quiet_moves(position):
            broken = Irregularity("missed_capture", position.turn, "capture_compulsory")
            yield IrregularMove(move, position.after(move), broken)
    if variant.king_run_limit is not None:
        free = position._replace(variant=replace(variant, king_run_limit=None))
        for move in set(quiet_moves(free)) - set(quiet_moves(position)):
            broken = Irregularity("illegal_move", position.turn, "king_run_limit", "too_often")
            yield IrregularMove(move, position.after(move), broken)


def any_captures(position: Position) -> list[Move]:
    """The captures of the piece rules, whole or stopped on the way, whatever the laws choose among them."""
    return captures(position._replace(variant=unfinished(position.variant)))


def odd_captures(position: Position) -> Iterator[tuple[Move, IllegalReason, str]]:
    """Captures on a way that the piece may not go, each with what is wrong about it and the rule that says so."""
    for reason, law, row in _geometries(position.variant):
        for move in captures(position._replace(variant=row)):
            yield move, reason, law


def unfinished_captures(position: Position, off: int) -> Iterator[IrregularMove]:
    """Captures of the piece rules, whole or stopped on the way, that a law about captures does not allow.

    Only those that take nothing but squares of `off`.
    """
    variant = position.variant
    whole = captures(position)
    if not whole:
        return
    most = max(len(move.captured) for move in whole)
    complete = {(move.start, move.end, move.captured_mask) for move in whole}
    by_law = {(m.start, m.end, m.captured_mask) for m in chosen(position, whole)}
    for move in any_captures(position):
        taken = move.captured_mask
        key = (move.start, move.end, taken)
        if taken & ~off or key in by_law:
            continue
        stopped = key not in complete
        if stopped or ("most_pieces" in variant.priority and len(move.captured) < most):
            law = "priority" if "most_pieces" in variant.priority and not stopped else "capture_finished"
            broken = Irregularity("short_capture", position.turn, law, could_continue=stopped)
        else:
            broken = Irregularity("low_value_capture", position.turn, "priority")
        yield IrregularMove(move, position.after(move), broken)


def _captures_against_the_way(position: Position) -> Iterator[IrregularMove]:
    """Captures on a way that the piece may not go, and captures of the other side that only laws forbid."""
    for move, reason, law in odd_captures(position):
        broken = Irregularity("illegal_move", position.turn, law, reason)
        yield IrregularMove(move, position.after(move), broken)
    other = position._replace(turn=position.turn.other, variant=unfinished(position.variant))
    for move in captures(other):
        after = other.after(move)._replace(variant=position.variant, turn=position.turn.other)
        yield IrregularMove(move, after, Irregularity("opponent_piece_moved", position.turn))


def _displaced(position: Position, start_bit: int, end_bit: int) -> IrregularMove:
    """A piece that went from one square to another, whatever is between."""
    start, end = start_bit.bit_length() - 1, end_bit.bit_length() - 1
    variant = position.variant
    side = position.side_at(start)
    if side is None:
        side = position.turn
    crowned = not position.kings & start_bit and bool(variant.last_rows[side] & end_bit)
    move = Move(start, end, (), (start, end), crowned)
    after = position._replace(turn=side).after(move)._replace(turn=position.turn.other)
    if side is not position.turn:
        return IrregularMove(move, after, Irregularity("opponent_piece_moved", position.turn))
    reason, law = _way(position, start, end)
    return IrregularMove(move, after, Irregularity("illegal_move", side, law, reason))


def _way(position: Position, start: int, end: int) -> tuple[IllegalReason, str]:
    """What is wrong about a piece's way, and the rule that says so."""
    variant = position.variant
    size = variant.size
    king = bool(position.kings >> start & 1)
    law = "king_steps" if king else "man_steps"
    rows, columns = end // size - start // size, end % size - start % size
    if position.side_at(start) is Side.BLACK:
        rows = -rows
    orthogonal = variant.corner == "all"
    straight = rows == 0 or columns == 0 if orthogonal else abs(rows) == abs(columns)
    if not straight:
        return ("not_straight" if orthogonal else "not_diagonal"), law
    far = max(abs(rows), abs(columns))
    step = (end - start) // far
    if any(position.occupied >> start + step * n & 1 for n in range(1, far)):
        return "blocked", law
    if not king and rows < 0:
        return "backwards", law
    return "too_far", "king_reach" if king else law


def left_standing(before: Position, move: Move, standing: int, since: float) -> IrregularMove:
    """`move`, a capture of `before`, with the captured pieces of the set `standing` still on the board."""
    captured = tuple(square for square in move.captured if not standing >> square & 1)
    after = before.after(move)
    white, black = after.white, after.black
    if before.turn is Side.WHITE:
        black |= standing
    else:
        white |= standing
    after = after._replace(white=white, black=black, kings=after.kings | before.kings & standing)
    broken = Irregularity("left_on_board", before.turn, "removal", squares=standing, since=since)
    return IrregularMove(move._replace(captured=captured), after, broken)


def taken_off(after: Position, gone: int) -> Position:
    """`after` without the pieces of the set `gone`."""
    return after._replace(white=after.white & ~gone, black=after.black & ~gone, kings=after.kings & ~gone)
