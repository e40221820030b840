"""Legal moves, from a variant's row.

How it works. Squares are bits, so 'which men can step this way' is one shift for the whole board: a square `s` can
step by `delta` if bit `s + delta` is free, that is, if bit `s` of `free >> delta` is set; a mask of the squares from
which the step stays on the board (`room`) keeps rows from running into each other. Kings look along rays: the pieces
on a ray are `ray & occupied`, the nearest one is its lowest or highest bit.

Everything that does not depend on the pieces is computed once for a variant's row (`Tables`): the rays of every
square, the short jumps from every square, and the quiet moves themselves, which are values and can be handed out
again and again. Where a row differs from another the tables differ; the search asks for no variant's name.

A capture is a search over jumps. What can follow depends only on where the piece stands and on what it has jumped
(and, where turning back is forbidden, on where it came from), so a state that was reached before is not searched
again: two routes to the same square over the same pieces are one move. That takes two jumps at least; the common
single jump keeps no account of it. Only a law that looks at the order of the jumps (`kings_first`) makes the order
part of the state. Where the law of quantity is the first, a capture is dropped as soon as a longer one is known.

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

Jump = tuple[int, tuple[int, ...], int | None]
"""The victim, the squares where one may come down, and the direction where turning back is forbidden."""


class Ray:
    """All squares from each square in one direction, nearest first, and the quiet moves to them."""

    __slots__ = ("ascending", "masks", "moves", "squares", "step")

    def __init__(self, geometry: Geometry, step: Step, longest: int) -> None:
        size = geometry.size
        self.step = abs(step[0] * size + step[1])
        self.ascending = step[0] * size + step[1] > 0
        self.squares: list[tuple[int, ...]] = []
        for start in range(size * size):
            row, col = divmod(start, size)
            line: list[int] = []
            while len(line) < longest:
                row, col = row + step[0], col + step[1]
                if not (0 <= row < size and 0 <= col < size):
                    break
                line.append(row * size + col)
            self.squares.append(tuple(line))
        self.masks = [sum(1 << s for s in line) for line in self.squares]
        self.moves = [
            [Move(start, end, (), (start, end), False) for end in to] for start, to in enumerate(self.squares)
        ]

    def free(self, square: int, occupied: int) -> int:
        """How many squares one can go from `square` before a piece."""
        pieces = self.masks[square] & occupied
        if not pieces:
            return len(self.squares[square])
        if self.ascending:
            return ((pieces & -pieces).bit_length() - 1 - square) // self.step - 1
        return (square + 1 - pieces.bit_length()) // self.step - 1


class Shift:
    """One direction of all men at once: the distance in squares, upwards or downwards, and where there is room."""

    __slots__ = ("distance", "moves", "room", "up")

    def __init__(self, geometry: Geometry, step: Step, times: int, last_row: int) -> None:
        size = geometry.size
        delta = step[0] * size + step[1]
        self.up = delta > 0
        self.distance = abs(delta)
        self.room = 0
        self.moves: dict[int, Move] = {}
        """The quiet move of a man, by the bit of its square."""
        for start in geometry.playable:
            row, col = start // size + step[0] * times, start % size + step[1] * times
            if 0 <= row < size and 0 <= col < size:
                self.room |= 1 << start
                end = start + delta
                self.moves[1 << start] = Move(start, end, (), (start, end), bool(last_row >> end & 1))


def _short_jumps(geometry: Geometry, steps: tuple[Step, ...]) -> list[list[tuple[int, int, Jump]]]:
    """For every square the jumps over a neighbour to the square behind it: the bits of these two, and the jump."""
    size = geometry.size
    found: list[list[tuple[int, int, Jump]]] = []
    for start in range(size * size):
        row, col = divmod(start, size)
        inside = [s for s in steps if 0 <= row + 2 * s[0] < size and 0 <= col + 2 * s[1] < size]
        overs = [(start + delta, start + 2 * delta) for delta in (s[0] * size + s[1] for s in inside)]
        found.append([(1 << over, 1 << land, (over, (land,), None)) for over, land in overs])
    return found


class Tables:
    """What is computed once for a variant's row; what depends on the side is a pair, White's first."""

    def __init__(self, variant: Variant) -> None:
        geometry = variant.geometry
        self.playable = geometry.playable_mask
        self.last_rows = variant.last_rows
        self.passing = variant.passing
        self.steps: list[list[Shift]] = []
        self.jumps_up: list[list[tuple[int, int]]] = []
        """For every direction in which men jump up the board: the distance of a step, and where there is room."""
        self.jumps_down: list[list[tuple[int, int]]] = []
        self.man_jumps: list[list[list[tuple[int, int, Jump]]]] = []
        for side, last_row in zip(Side, variant.last_rows, strict=True):
            forward = 1 if side is Side.WHITE else -1
            steps = tuple((r * forward, c) for r, c in variant.man_steps)
            jumps = tuple((r * forward, c) for r, c in variant.man_jumps)
            self.steps.append([Shift(geometry, step, 1, last_row) for step in steps])
            shifts = [Shift(geometry, step, 2, last_row) for step in jumps]
            self.jumps_up.append([(s.distance, s.room) for s in shifts if s.up])
            self.jumps_down.append([(s.distance, s.room) for s in shifts if not s.up])
            self.man_jumps.append(_short_jumps(geometry, jumps))
        longest = geometry.size if variant.king_reach == "flying" else 1
        self.king_steps = [Ray(geometry, step, longest) for step in variant.king_steps]
        king_jumps = [Ray(geometry, step, geometry.size) for step in variant.king_jumps]
        self.flying_jump = variant.king_approach == "flying"
        self.any_landing = variant.king_landing == "any"
        self.king_lines = [
            [(ray.masks[square], ray, i) for i, ray in enumerate(king_jumps) if len(ray.squares[square]) > 1]
            for square in range(geometry.size**2)
        ]
        """For every square the rays on which a king can find something to jump, and their directions."""
        self.king_views = [
            sum({s for ray in king_jumps for s in (1 << t for t in ray.squares[square][:-1])})
            for square in range(geometry.size**2)
        ]
        """For every square where its victims may stand."""
        self.short_king_jumps = None
        if not self.flying_jump and not self.any_landing and variant.turn_back:
            self.short_king_jumps = _short_jumps(geometry, variant.king_jumps)
        self.man_takes_king = variant.man_takes_king
        self.turn_back = variant.turn_back
        self.at_once = variant.removal == "at_once"
        self.finished = variant.capture_finished
        self.compulsory = variant.capture_compulsory
        self.reverse = {i: variant.king_jumps.index((-r, -c)) for i, (r, c) in enumerate(variant.king_jumps)}
        """For each direction of a king's jump, the opposite one."""
        self.most_first = variant.priority[:1] == ("most_pieces",)
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
    """The captures of the pieces of the side to move, one piece after the other: `begin`, then `explore`."""

    __slots__ = (
        "found",
        "known",
        "last_row",
        "least",
        "man_jumps",
        "most_only",
        "occupied",
        "opponents",
        "others",
        "prey",
        "seen",
        "start",
        "t",
        "tame",
    )

    def __init__(self, position: Position, t: Tables, most_only: bool = False) -> None:
        """With `most_only` a capture is dropped as soon as there is one of more pieces."""
        _, turn, white, black, kings, _ = position
        self.t = t
        self.last_row = t.last_rows[turn]
        self.man_jumps = t.man_jumps[turn]
        self.occupied = white | black
        self.opponents = white if turn else black
        self.tame = self.opponents if t.man_takes_king else self.opponents & ~kings
        """What a man may take."""
        self.found: list[Move] = []
        """The captures of all pieces explored so far."""
        self.most_only = most_only
        self.least = 0
        """Captures of fewer pieces are dropped."""
        self.seen: dict[tuple[object, ...], bool] = {}
        """The states that were searched from: was there anything to jump?"""
        self.known: set[tuple[object, ...]] = set()
        """What has been found, by what makes two captures one move."""

    def begin(self, start: int, king: bool) -> None:
        """The next piece is the one on `start`."""
        self.start = start
        self.prey = self.opponents if king else self.tame
        self.others = self.occupied & ~(1 << start)

    def jumps(self, square: int, taken: int, king: bool, came: int | None) -> list[Jump]:
        """The jumps from `square` once `taken` are captured and the piece came in the direction `came`."""
        t = self.t
        blocked = self.others & ~taken if t.at_once else self.others
        targets = self.prey & ~taken
        short = t.short_king_jumps if king else self.man_jumps
        if short is not None:
            return [jump for over, land, jump in short[square] if targets & over and not blocked & land]
        found: list[Jump] = []
        if not t.king_views[square] & targets:
            return found
        back = None if came is None else t.reverse[came]
        for line, ray, direction in t.king_lines[square]:
            if not line & targets or direction == back:
                continue
            pieces = line & blocked
            nearest = pieces & -pieces if ray.ascending else 1 << pieces.bit_length() - 1
            if not nearest & targets:
                continue
            over = nearest.bit_length() - 1
            if not t.flying_jump and ray.squares[square][0] != over:
                continue
            free = ray.free(over, blocked)
            if free:
                lands = ray.squares[over][: free if t.any_landing else 1]
                found.append((over, lands, None if t.turn_back else direction))
        return found

    def after_jump(self, land: int, king: bool, promoted: bool) -> tuple[bool | None, bool]:
        """What the piece is once it has come down on `land`: king or man, None if it has to stop; and promoted."""
        if king or not self.last_row >> land & 1:
            return king, promoted
        if self.t.passing == "stays_man":
            return False, promoted
        return (True, True) if self.t.passing == "goes_on_as_king" else (None, True)

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
        """Searches on from `square`, adding to `found`; False if there is nothing to jump from there."""
        state = None
        if len(captured) > 1:
            state = (self.start, square, captured if self.t.ordered else taken, king, came)
            known = self.seen.get(state)
            if known is not None:
                return known
        jumps = self.jumps(square, taken, king, came)
        crowning = 0 if king else self.last_row
        for over, lands, direction in jumps:
            now_taken = taken | 1 << over
            took = (*captured, over)
            stops = []
            for land in lands:
                went = (*path, land)
                if crowning >> land & 1:
                    kind, crowned = self.after_jump(land, king, promoted)
                    further = kind is not None and self.explore(land, now_taken, took, went, kind, direction, crowned)
                else:
                    further = self.explore(land, now_taken, took, went, king, direction, promoted)
                if not further or not self.t.finished:
                    stops.append(went)
            if len(stops) == len(lands) and len(took) >= self.least:
                for went in stops:
                    self._add(went, now_taken, took, promoted or bool(crowning >> went[-1] & 1))
        if state is not None:
            self.seen[state] = bool(jumps)
        return bool(jumps)

    def _add(self, path: tuple[int, ...], taken: int, captured: tuple[int, ...], promotes: bool) -> None:
        end = path[-1]
        if self.most_only and len(captured) > self.least:
            self.least = len(captured)
            self.found.clear()
        if len(captured) > 1:
            outcome = (self.start, end, captured if self.t.ordered else taken, promotes)
            if outcome in self.known:
                return
            self.known.add(outcome)
        self.found.append(Move(self.start, end, captured, path, promotes))


def captures(position: Position) -> list[Move]:
    """Every capture by the piece rules alone, before the laws that choose among captures."""
    return _captures(position, tables(position.variant), most_only=False)


def chosen(position: Position, moves: list[Move]) -> list[Move]:
    """Those of `moves`, captures of the position, that the laws of quantity, quality and so on leave."""
    return _chosen(position, tables(position.variant), moves)


def quiet_moves(position: Position) -> list[Move]:
    """Every move without a capture by the piece rules alone, whether or not a capture is obligatory."""
    return _quiet_moves(position, tables(position.variant))


def _captures(position: Position, t: Tables, most_only: bool) -> list[Move]:
    _, turn, white, black, kings, _ = position
    own, opponents = (black, white) if turn else (white, black)
    free = t.playable & ~(white | black)
    able = 0
    for distance, room in t.jumps_up[turn]:
        able |= opponents >> distance & free >> 2 * distance & room
    for distance, room in t.jumps_down[turn]:
        able |= opponents << distance & free << 2 * distance & room
    men = own & ~kings & able
    kings &= own
    if not men and not kings:
        return []
    search = CaptureSearch(position, t, most_only)
    for square in squares_of(men):
        search.begin(square, False)
        search.explore(square, 0, (), (square,), False)
    for square in squares_of(kings):
        if t.king_views[square] & opponents:
            search.begin(square, True)
            search.explore(square, 0, (), (square,), True)
    return search.found


def _chosen(position: Position, t: Tables, moves: list[Move]) -> list[Move]:
    """The captures that the laws of quantity, quality and so on leave."""
    if len(moves) < 2:
        return moves
    for key in t.keys:
        keyed = [(key(position, move), move) for move in moves]
        best = max(k for k, _ in keyed)
        moves = [move for k, move in keyed if k == best]
        if len(moves) < 2:
            return moves
    if t.ordered:
        moves = list({(m.start, m.end, frozenset(m.captured), m.promotes): m for m in reversed(moves)}.values())[::-1]
    return moves


def _quiet_moves(position: Position, t: Tables) -> list[Move]:
    variant, turn, white, black, kings, runs = position
    own = black if turn else white
    occupied = white | black
    free = t.playable & ~occupied
    found: list[Move] = []
    men = own & ~kings
    for step in t.steps[turn]:
        movers = men & step.room & (free >> step.distance if step.up else free << step.distance)
        moves = step.moves
        while movers:
            low = movers & -movers
            movers ^= low
            found.append(moves[low])
    kings &= own
    if kings:
        run = runs[turn]
        if run is not None and variant.king_run_limit is not None and run.length >= variant.king_run_limit:
            kings &= ~(1 << run.square)
        for start in squares_of(kings):
            for ray in t.king_steps:
                found += ray.moves[start][: ray.free(start, occupied)]
    return found


def legal_moves(position: Position) -> list[Move]:
    """Every legal move of the side to move, each once; empty if it has none."""
    t = tables(position.variant)
    taking = _captures(position, t, t.most_first)
    if not taking:
        return _quiet_moves(position, t)
    taking = _chosen(position, t, taking)
    return taking if t.compulsory else taking + _quiet_moves(position, t)


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of `depth` moves."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1) for move in moves)
