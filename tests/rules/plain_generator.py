"""A second move generator, plain and slow, to compare the real one with.

It knows nothing of `damas_board`: the board is a dictionary from (file, rank) to a letter, `m` a white man, `k` a
white king, `M` and `K` Black's; rank 0 is White's first row. Captures are found by trying every path to its end, and
the laws choose among the paths afterwards. Each variant's entry was written from the text of its rules.
"""

from __future__ import annotations

from dataclasses import dataclass

Square = tuple[int, int]
Board = dict[Square, str]

FORWARD_DIAGONALS = [(-1, 1), (1, 1)]
ALL_DIAGONALS = [(-1, 1), (1, 1), (-1, -1), (1, -1)]
STRAIGHT = [(0, 1), (0, -1), (-1, 0), (1, 0)]
STRAIGHT_OVER_DARK = [(0, 2), (0, -2), (-2, 0), (2, 0)]


@dataclass(frozen=True)
class Rules:
    size: int = 8
    dark_corner: str = "left"
    rows_of_men: tuple[int, ...] = (0, 1, 2)
    black_begins: bool = False
    man_walks: tuple[Square, ...] = tuple(FORWARD_DIAGONALS)
    man_takes: tuple[Square, ...] = tuple(ALL_DIAGONALS)
    king_walks: tuple[Square, ...] = tuple(ALL_DIAGONALS)
    king_takes: tuple[Square, ...] = tuple(ALL_DIAGONALS)
    long_king: bool = True
    man_may_take_king: bool = True
    taken_off_at_once: bool = False
    on_last_row: str = "nothing"
    """What happens to a man that reaches its last row inside a capture: nothing, king (goes on as one), end."""
    law: str = "free"
    no_about_turn: bool = False


RULES = {
    "brazilian": Rules(law="most"),
    "portuguese": Rules(dark_corner="right", man_takes=tuple(FORWARD_DIAGONALS), law="most, then kings"),
    "spanish": Rules(dark_corner="right", man_takes=tuple(FORWARD_DIAGONALS), law="most, then kings"),
    "russian": Rules(on_last_row="king"),
    "english": Rules(black_begins=True, man_takes=tuple(FORWARD_DIAGONALS), long_king=False, on_last_row="end"),
    "italian": Rules(
        dark_corner="right",
        man_takes=tuple(FORWARD_DIAGONALS),
        long_king=False,
        man_may_take_king=False,
        on_last_row="end",
        law="italian",
    ),
    "turkish": Rules(
        dark_corner="all",
        rows_of_men=(1, 2),
        man_walks=((0, 1), (-1, 0), (1, 0)),
        man_takes=((0, 1), (-1, 0), (1, 0)),
        king_walks=tuple(STRAIGHT),
        king_takes=tuple(STRAIGHT),
        taken_off_at_once=True,
        law="most",
        no_about_turn=True,
    ),
    "international": Rules(size=10, rows_of_men=(0, 1, 2, 3), law="most"),
    "frisian": Rules(
        size=10,
        rows_of_men=(0, 1, 2, 3),
        man_takes=tuple(ALL_DIAGONALS + STRAIGHT_OVER_DARK),
        king_takes=tuple(ALL_DIAGONALS + STRAIGHT_OVER_DARK),
        law="frisian",
    ),
    "pool": Rules(black_begins=True),
    "czech": Rules(man_takes=tuple(FORWARD_DIAGONALS), on_last_row="end", law="king before man"),
    "canadian": Rules(size=12, rows_of_men=(0, 1, 2, 3, 4), law="most"),
}


@dataclass(frozen=True)
class Turn:
    start: Square
    end: Square
    taken: tuple[Square, ...]
    crowned: bool

    @property
    def outcome(self) -> tuple[Square, Square, frozenset[Square], bool]:
        return self.start, self.end, frozenset(self.taken), self.crowned


def playable(rules: Rules, square: Square) -> bool:
    x, y = square
    inside = 0 <= x < rules.size and 0 <= y < rules.size
    if rules.dark_corner == "all":
        return inside
    return inside and (x + y) % 2 == (0 if rules.dark_corner == "left" else 1)


def start_board(rules: Rules) -> Board:
    board = {}
    for x in range(rules.size):
        for row in rules.rows_of_men:
            if playable(rules, (x, row)):
                board[x, row] = "m"
            if playable(rules, (x, rules.size - 1 - row)):
                board[x, rules.size - 1 - row] = "M"
    return board


def is_black(piece: str) -> bool:
    return piece.isupper()


def is_king(piece: str) -> bool:
    return piece in "kK"


def at_the_end(rules: Rules, square: Square, black: bool) -> bool:
    return square[1] == (0 if black else rules.size - 1)


def own_way(steps: tuple[Square, ...], black: bool) -> list[Square]:
    return [(dx, -dy) if black else (dx, dy) for dx, dy in steps]


def line(rules: Rules, square: Square, step: Square) -> list[Square]:
    """The squares one meets going from `square` in steps of `step`."""
    found = []
    x, y = square[0] + step[0], square[1] + step[1]
    while playable(rules, (x, y)):
        found.append((x, y))
        x, y = x + step[0], y + step[1]
    return found


def single_jumps(
    rules: Rules, board: Board, square: Square, king: bool, black: bool, taken: tuple[Square, ...], last: Square | None
) -> list[tuple[Square, Square, Square]]:
    """(direction, victim, landing) of each single jump; the jumping piece is not on `board`, taken ones still are."""
    found = []
    for step in own_way(rules.king_takes if king else rules.man_takes, black):
        if rules.no_about_turn and last == (-step[0], -step[1]):
            continue
        way = line(rules, square, step)
        standing = {s for s in board if not (rules.taken_off_at_once and s in taken)}
        while king and rules.long_king and way and way[0] not in standing:
            way = way[1:]
        if len(way) < 2 or way[0] not in standing or way[1] in standing:
            continue
        victim = way[0]
        if is_black(board[victim]) == black or victim in taken:
            continue
        if is_king(board[victim]) and not king and not rules.man_may_take_king:
            continue
        for landing in way[1:]:
            if landing in standing:
                break
            found.append((step, victim, landing))
            if not (king and rules.long_king):
                break
    return found


def capture_paths(
    rules: Rules,
    board: Board,
    square: Square,
    king: bool,
    black: bool,
    taken: tuple[Square, ...] = (),
    last: Square | None = None,
    crowned: bool = False,
) -> list[tuple[Square, tuple[Square, ...], bool]]:
    """(end, taken, crowned) of every capture from here that goes on as long as it can."""
    jumps = single_jumps(rules, board, square, king, black, taken, last)
    if not jumps:
        arrives = not king and at_the_end(rules, square, black)
        return [(square, taken, crowned or arrives)] if taken else []
    found = []
    for victim in dict.fromkeys(v for _, v, _ in jumps):
        ways = []
        for step, over, landing in jumps:
            if over != victim:
                continue
            now_king, now_crowned, goes_on = king, crowned, True
            if not king and at_the_end(rules, landing, black):
                if rules.on_last_row == "king":
                    now_king, now_crowned = True, True
                elif rules.on_last_row == "end":
                    now_crowned, goes_on = True, False
            took = (*taken, over)
            able = goes_on and single_jumps(rules, board, landing, now_king, black, took, step)
            ways.append((bool(able), landing, now_king, took, step, now_crowned))
        must = [way for way in ways if way[0]] or ways
        for able, landing, now_king, took, step, now_crowned in must:
            if able:
                found += capture_paths(rules, board, landing, now_king, black, took, step, now_crowned)
            else:
                arrives = not king and at_the_end(rules, landing, black)
                found.append((landing, took, now_crowned or arrives))
    return found


def all_captures(rules: Rules, board: Board, black: bool) -> list[Turn]:
    found = []
    for square, piece in board.items():
        if is_black(piece) == black:
            rest = {s: p for s, p in board.items() if s != square}
            for end, taken, crowned in capture_paths(rules, rest, square, is_king(piece), black):
                found.append(Turn(square, end, taken, crowned))
    return found


def keep_best(turns: list[Turn], value) -> list[Turn]:
    best = max(value(t) for t in turns)
    return [t for t in turns if value(t) == best]


def by_law(rules: Rules, board: Board, turns: list[Turn]) -> list[Turn]:
    def kings(turn: Turn) -> int:
        return sum(is_king(board[s]) for s in turn.taken)

    def taken_by_king(turn: Turn) -> bool:
        return is_king(board[turn.start])

    if rules.law == "most":
        return keep_best(turns, lambda t: len(t.taken))
    if rules.law == "most, then kings":
        return keep_best(keep_best(turns, lambda t: len(t.taken)), kings)
    if rules.law == "king before man":
        return [t for t in turns if taken_by_king(t)] or turns
    if rules.law == "italian":
        turns = keep_best(turns, lambda t: len(t.taken))
        turns = [t for t in turns if taken_by_king(t)] or turns
        turns = keep_best(turns, kings)
        return keep_best(turns, lambda t: "".join("1" if is_king(board[s]) else "0" for s in t.taken))
    if rules.law == "frisian":
        turns = keep_best(turns, lambda t: 100 * (len(t.taken) - kings(t)) + 199 * kings(t))
        return [t for t in turns if taken_by_king(t)] or turns
    return turns


def turns(rules: Rules, board: Board, black: bool, resting: Square | None = None) -> list[Turn]:
    """The legal turns, each outcome once. `resting` is a king that may not make another quiet move (Frisian)."""
    found = all_captures(rules, board, black)
    if found:
        return list({t.outcome: t for t in by_law(rules, board, found)}.values())
    for square, piece in board.items():
        if is_black(piece) != black or square == resting:
            continue
        for step in own_way(rules.king_walks if is_king(piece) else rules.man_walks, black):
            for target in line(rules, square, step):
                if target in board:
                    break
                crowned = not is_king(piece) and at_the_end(rules, target, black)
                found.append(Turn(square, target, (), crowned))
                if not (is_king(piece) and rules.long_king):
                    break
    return found


def board_after(board: Board, turn: Turn) -> Board:
    after = {s: p for s, p in board.items() if s != turn.start and s not in turn.taken}
    piece = board[turn.start]
    if turn.crowned:
        piece = "K" if is_black(piece) else "k"
    after[turn.end] = piece
    return after


def perft(rules: Rules, board: Board, black: bool, depth: int) -> int:
    if depth == 0:
        return 1
    found = turns(rules, board, black)
    if depth == 1:
        return len(found)
    return sum(perft(rules, board_after(board, t), not black, depth - 1) for t in found)
