"""Piece codes of DGT boards, as marks of a `see` text.

Until 2011 the codes of a black man and of a white king were documented the other way round than since, and a board of
64 fields may stand with chess pieces. Which of it holds shows as soon as both sides have men and Black no king, at a
start position at the latest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

Codes = Literal["current", "before_2011", "chess"]
"""A table of codes."""
EMPTY = 0x00
WHITE_MAN = 0x01
BLACK_KING = 0x0A
SWAPPED = (0x04, 0x07)
"""A black man and a white king, in one order or the other."""
CHESS_WHITE, CHESS_BLACK = range(0x01, 0x07), range(0x07, 0x0D)
CHESS_ONLY = frozenset({*CHESS_WHITE, *CHESS_BLACK}) - {WHITE_MAN, *SWAPPED, BLACK_KING}
CHESS_FIELDS = 64
FEWEST_CHESS = 2
"""A single one may be misread."""
FEWEST = 5
"""Nobody has so many kings beside so many men, against a side without a piece."""
_COMMON = {EMPTY: ".", WHITE_MAN: "w", BLACK_KING: "B"}
_MARKS: Mapping[Codes, Mapping[int, str]] = {
    "current": _COMMON | {0x04: "b", 0x07: "W"},
    "before_2011": _COMMON | {0x04: "W", 0x07: "b"},
    "chess": {EMPTY: ".", **dict.fromkeys(CHESS_WHITE, "w"), **dict.fromkeys(CHESS_BLACK, "b")},
}
_SOMETHING = "o"
_CERTAIN_CHESS = {code: mark for code, mark in _MARKS["chess"].items() if code not in SWAPPED}


def marks_of(
    codes: Sequence[int], table: Codes | None, kings: Collection[int] = (), *, chess_board: bool = False
) -> str:
    """A mark for each code; `table` None where it is not known which one holds.

    Then what is certain in all tables is told, chess pieces only on a `chess_board`. What is not certain, and a code
    that its table does not have, is `o`: something stands there, perhaps a king as a club makes one, of two men. Of
    chess pieces only the colour counts, but those in `kings` are kings.
    """
    marks = _MARKS[table] if table is not None else _CERTAIN_CHESS if chess_board else _COMMON
    kings = kings if table == "chess" else ()
    return "".join(_mark(code, marks, kings) for code in codes)


def table_of(codes: Sequence[int], known: str = "") -> Codes | None:
    """Which table a dump of the whole board is in, None where it does not show.

    `known`: the marks that were told of the same fields before, where there are any.
    """
    if len(codes) == CHESS_FIELDS and _shows_chess_pieces(codes):
        return "chess"
    current = _by_men(codes)
    if current is None and known:
        current = _by_known(codes, known)
    if current is None:
        return None
    if current:
        return "current"
    return "chess" if len(codes) == CHESS_FIELDS else "before_2011"


def _shows_chess_pieces(codes: Sequence[int]) -> bool:
    """Whether pieces stand there that only chess has, or men opposite men, whatever pieces are men.

    A chess set has eight pawns a side, so that others must stand for men as well.
    """
    if sum(code in CHESS_ONLY for code in codes) >= FEWEST_CHESS:
        return True
    white = {field for field, code in enumerate(codes) if code in CHESS_WHITE}
    black = {field for field, code in enumerate(codes) if code in CHESS_BLACK}
    return len(white) >= FEWEST and black == {len(codes) - 1 - field for field in white}


def _by_men(codes: Sequence[int]) -> bool | None:
    """Whether 04 is black, as both sides have men and Black has no king."""
    count = Counter(codes)
    one, other = (count[code] for code in SWAPPED)
    if count[WHITE_MAN] < FEWEST or count[BLACK_KING] or max(one, other) < FEWEST or min(one, other):
        return None
    return bool(one)


def _by_known(codes: Sequence[int], known: str) -> bool | None:
    """The same, as the pieces of colours that were told still stand there; few of them count if nothing has moved."""
    moved = any((mark == ".") != (code == EMPTY) for mark, code in zip(known, codes, strict=True))
    told = [
        (mark in "bB") == (code == SWAPPED[0])
        for mark, code in zip(known, codes, strict=True)
        if code in SWAPPED and mark in "wbWB"
    ]
    if len(set(told)) != 1 or (moved and len(told) < FEWEST):
        return None
    return told[0]


def _mark(code: int, marks: Mapping[int, str], kings: Collection[int]) -> str:
    mark = marks.get(code, _SOMETHING)
    return mark.upper() if code in kings else mark
