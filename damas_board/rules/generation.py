"""Legal moves, from a variant's row.

How it works. Squares are bits, so 'which men can step this way' is one shift for the whole board: a square `s` can
step by `delta` if bit `s + delta` is free, that is, if bit `s` of `free >> delta` is set; a mask of the squares from
which the step stays on the board (`room`) keeps rows from running into each other. Kings look along rays: the pieces
on a ray are `ray & occupied`, the nearest one is its lowest or highest bit.

A capture is a search over jumps. What can follow depends only on where the piece stands and on what it has jumped
(and, where turning back is forbidden, on where it came from), so a state that was reached before is not searched
again: two routes to the same square over the same pieces are one move. Only a law that looks at the order of the
jumps (`kings_first`) makes the order part of the state.

Where a capture must be finished, a piece that may come down on several squares behind its victim has to choose one
from which it can go on, if there is one; this falls out of collecting the squares where it cannot go on and using
them only if there was no other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.rules.variant import Criterion, Step, Variant


class Ray:
    """All squares from each square in one direction."""

    __slots__ = ("ascending", "masks", "squares", "step")

    def __init__(self, geometry: Geometry, step: Step) -> None:
        size = geometry.size
        self.step = step
        self.ascending = step[0] * size + step[1] > 0
        self.squares: list[tuple[int, ...]] = []
        for start in range(size * size):
            row, col = divmod(start, size)
            line = []
            while True:
                row, col = row + step[0], col + step[1]
                if not (0 <= row < size and 0 <= col < size):
                    break
                line.append(row * size + col)
            self.squares.append(tuple(line))
        self.masks = [sum(1 << s for s in line) for line in self.squares]


class Jump:
    """One direction in which men jump: the shifts, and the squares from which the jump stays on the board."""

    __slots__ = ("delta", "room")

    def __init__(self, geometry: Geometry, step: Step) -> None:
        self.delta, self.room = _shift(geometry, step, 2)


def _shift(geometry: Geometry, step: Step, times: int) -> tuple[int, int]:
    size = geometry.size
    room = 0
    for square in geometry.playable:
        row, col = square // size + step[0] * times, square % size + step[1] * times
        if 0 <= row < size and 0 <= col < size:
            room |= 1 << square
    return step[0] * size + step[1], room


def _shifted(mask: int, delta: int) -> int:
    """The squares `s` for which `s + delta` is in `mask`."""
    return mask >> delta if delta > 0 else mask << -delta


class Tables:
    """What is computed once for a variant's row."""

    def __init__(self, variant: Variant) -> None:
        geometry = variant.geometry
        self.playable = geometry.playable_mask
        self.steps: list[list[tuple[int, int]]] = []
        self.jumps: list[list[Jump]] = []
        for side in Side:
            forward = 1 if side is Side.WHITE else -1
            self.steps.append([_shift(geometry, (r * forward, c), 1) for r, c in variant.man_steps])
            self.jumps.append([Jump(geometry, (r * forward, c)) for r, c in variant.man_jumps])
        self.king_steps = [Ray(geometry, step) for step in variant.king_steps]
        self.king_jumps = [Ray(geometry, step) for step in variant.king_jumps]
        self.reverse = {i: variant.king_jumps.index((-r, -c)) for i, (r, c) in enumerate(variant.king_jumps)}
        """For each direction of a king's jump, the opposite one."""
        self.flying_step = variant.king_reach == "flying"
        self.flying_jump = variant.king_approach == "flying"
        self.any_landing = variant.king_landing == "any"
        self.last_rows = variant.last_rows
        self.at_once = variant.removal == "at_once"
        self.ordered = "kings_first" in variant.priority
        self.keys = [_CRITERIA[c] for c in variant.priority]


@cache
def tables(variant: Variant) -> Tables:
    return Tables(variant)


def _kings_taken(position: Position, move: Move) -> int:
    return (position.kings & move.captured_mask).bit_count()


def _with_king(position: Position, move: Move) -> int:
    return position.kings >> move.start & 1


def _kings_first(position: Position, move: Move) -> tuple[int, ...]:
    return tuple(position.kings >> s & 1 for s in move.captured)


def _value(position: Position, move: Move) -> tuple[int, int]:
    """A king counts just under two men: two of them beat three men, not four."""
    kings = _kings_taken(position, move)
    return len(move.captured) + kings, -kings


_CRITERIA: dict[Criterion, Callable[[Position, Move], int | tuple[int, ...]]] = {
    "most_pieces": lambda position, move: len(move.captured),
    "most_kings": _kings_taken,
    "with_king": _with_king,
    "kings_first": _kings_first,
    "value": _value,
}


class CaptureSearch:
    """All captures of the piece on `start`, which is a king or a man of the side to move."""

    __slots__ = ("at_once", "found", "last_row", "others", "prey", "seen", "start", "t", "turn", "variant")

    def __init__(self, position: Position, start: int) -> None:
        variant = position.variant
        self.variant = variant
        self.t = tables(variant)
        self.start = start
        self.turn = position.turn
        self.last_row = self.t.last_rows[self.turn]
        opponents = position.white if position.turn else position.black
        takes_kings = variant.man_takes_king or position.kings >> start & 1
        self.prey = opponents if takes_kings else opponents & ~position.kings
        self.others = position.occupied & ~(1 << start)
        self.at_once = self.t.at_once
        self.seen: dict[tuple[object, ...], bool] = {}
        self.found: dict[tuple[object, ...], Move] = {}

    def jumps(
        self, square: int, taken: int, king: bool, came: int | None
    ) -> list[tuple[int, tuple[int, ...], int | None]]:
        """The jumps from `square` once `taken` are captured: the victim, where one may come down, the direction."""
        t = self.t
        blocked = self.others & ~taken if self.at_once else self.others
        targets = self.prey & ~taken
        found: list[tuple[int, tuple[int, ...], int | None]] = []
        if not king:
            for jump in t.jumps[self.turn]:
                over = square + jump.delta
                if jump.room >> square & 1 and targets >> over & 1 and not blocked >> over + jump.delta & 1:
                    found.append((over, (over + jump.delta,), None))
            return found
        back = None if self.variant.turn_back or came is None else t.reverse[came]
        for i, ray in enumerate(t.king_jumps):
            line = ray.masks[square]
            if i == back or not line & targets:
                continue
            pieces = line & blocked
            nearest = pieces & -pieces if ray.ascending else 1 << pieces.bit_length() - 1
            if not nearest & targets:
                continue
            over = nearest.bit_length() - 1
            if not t.flying_jump and ray.squares[square][0] != over:
                continue
            lands = []
            for land in ray.squares[over]:
                if blocked >> land & 1:
                    break
                lands.append(land)
                if not t.any_landing:
                    break
            if lands:
                found.append((over, tuple(lands), i))
        return found

    def after_jump(self, land: int, king: bool, promoted: bool) -> tuple[bool | None, bool]:
        """What the piece is once it has come down on `land`: king or man, None if it has to stop; and promoted."""
        if king or not self.last_row >> land & 1:
            return king, promoted
        if self.variant.passing == "stays_man":
            return False, promoted
        return (True, True) if self.variant.passing == "goes_on_as_king" else (None, True)

    def explore(
        self,
        square: int,
        taken: int,
        captured: tuple[int, ...],
        path: tuple[int, ...],
        king: bool,
        came: int | None = None,
        promoted: bool = False,
    ) -> bool:
        """Searches on from `square`, filling `found`; False if there is nothing to jump from there."""
        key = (square, captured if self.t.ordered else taken, king, None if self.variant.turn_back else came)
        known = self.seen.get(key)
        if known is not None:
            return known
        groups = self.jumps(square, taken, king, came)
        for over, lands, direction in groups:
            took = (*captured, over)
            stops = []
            for land in lands:
                went = (*path, land)
                kind, crowned = self.after_jump(land, king, promoted)
                further = kind is not None and self.explore(
                    land, taken | 1 << over, took, went, kind, direction, crowned
                )
                if not further or not self.variant.capture_finished:
                    stops.append((land, went))
            if len(stops) == len(lands):
                for land, went in stops:
                    arrives = promoted or bool(not king and self.last_row >> land & 1)
                    outcome = (land, took if self.t.ordered else frozenset(took), arrives)
                    if outcome not in self.found:
                        self.found[outcome] = Move(self.start, land, took, went, arrives)
        self.seen[key] = bool(groups)
        return bool(groups)


def _men_that_jump(t: Tables, men: int, opponents: int, free: int, turn: Side) -> int:
    able = 0
    for jump in t.jumps[turn]:
        delta = jump.delta
        able |= _shifted(opponents, delta) & _shifted(free, 2 * delta) & jump.room
    return men & able


def captures(position: Position) -> list[Move]:
    """Every capture by the piece rules alone, before the laws that choose among captures."""
    variant, turn, white, black, kings, _ = position
    t = tables(variant)
    own, opponents = (black, white) if turn else (white, black)
    free = t.playable & ~(white | black)
    found: list[Move] = []
    men = _men_that_jump(t, own & ~kings, opponents, free, turn)
    for square in squares_of(men):
        search = CaptureSearch(position, square)
        search.explore(square, 0, (), (square,), False)
        found.extend(search.found.values())
    for square in squares_of(own & kings):
        if any(ray.masks[square] & opponents for ray in t.king_jumps):
            search = CaptureSearch(position, square)
            search.explore(square, 0, (), (square,), True)
            found.extend(search.found.values())
    return found


def chosen(position: Position, moves: list[Move]) -> list[Move]:
    """The captures that the laws of quantity, quality and so on leave."""
    for key in tables(position.variant).keys:
        if len(moves) < 2:
            break
        keyed = [(key(position, move), move) for move in moves]
        best = max(k for k, _ in keyed)
        moves = [move for k, move in keyed if k == best]
    if tables(position.variant).ordered and len(moves) > 1:
        moves = list({(m.start, m.end, frozenset(m.captured), m.promotes): m for m in reversed(moves)}.values())[::-1]
    return moves


def quiet_moves(position: Position) -> list[Move]:
    """Moves without a capture, by the piece rules alone."""
    variant, turn, white, black, kings, runs = position
    t = tables(variant)
    own = black if turn else white
    occupied = white | black
    free = t.playable & ~occupied
    last_row = t.last_rows[turn]
    found: list[Move] = []
    men = own & ~kings
    for delta, room in t.steps[turn]:
        movers = men & _shifted(free, delta) & room
        while movers:
            low = movers & -movers
            movers ^= low
            start = low.bit_length() - 1
            end = start + delta
            found.append(Move(start, end, (), (start, end), bool(last_row >> end & 1)))
    stalled = None
    run = runs[turn]
    if run is not None and variant.king_run_limit is not None and run.length >= variant.king_run_limit:
        stalled = run.square
    for start in squares_of(own & kings):
        if start == stalled:
            continue
        for ray in t.king_steps:
            for end in ray.squares[start]:
                if occupied >> end & 1:
                    break
                found.append(Move(start, end, (), (start, end), False))
                if not t.flying_step:
                    break
    return found


def legal_moves(position: Position) -> list[Move]:
    """Every legal move of the side to move, each once; empty if it has none."""
    taking = captures(position)
    if not taking:
        return quiet_moves(position)
    if position.variant.capture_compulsory:
        return chosen(position, taking)
    return chosen(position, taking) + quiet_moves(position)


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of `depth` moves."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1) for move in moves)
