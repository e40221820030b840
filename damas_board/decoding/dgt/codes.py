"""Piece codes of DGT boards, as marks of a `see` text.

Until 2011 the codes of a black man and of a white king were documented the other way round than since, and a board of
64 fields may stand with chess pieces. Which of it holds shows as soon as both sides have men and Black no king.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

Senses = Literal["occupancy", "colour", "kind"]
"""As in session.header."""
Codes = Literal["current", "before_2011", "chess"]
"""A table of codes."""
EMPTY = 0x00
WHITE_MAN = 0x01
BLACK_KING = 0x0A
SWAPPED = (0x04, 0x07)
"""A black man and a white king, in one order or the other."""
CHESS_WHITE, CHESS_BLACK = range(0x01, 0x07), range(0x07, 0x0D)
FEWEST = 5
"""Nobody has so many kings beside so many men, against a side without a piece."""
_COMMON = {EMPTY: ".", WHITE_MAN: "w", BLACK_KING: "B"}
_MARKS: Mapping[Codes, Mapping[int, str]] = {
    "current": _COMMON | {0x04: "b", 0x07: "W"},
    "before_2011": _COMMON | {0x04: "W", 0x07: "b"},
    "chess": {EMPTY: ".", **dict.fromkeys(CHESS_WHITE, "w"), **dict.fromkeys(CHESS_BLACK, "b")},
}
_UNREADABLE = "?"
_COLOUR_ONLY = str.maketrans("WB", "wb")
_OCCUPANCY_ONLY = str.maketrans("wbWB", "oooo")


def marks_of(codes: Sequence[int], table: Codes | None, kings: Collection[int] = ()) -> str:
    """A mark for each code; `table` None where it is not known which one holds.

    Then what is certain in all tables is told: 04 and 07 are `o`. A code that its table does not have is `?`. Of chess
    pieces only the colour counts, but those in `kings` are kings.
    """
    return "".join(_mark(code, table, kings) for code in codes)


def as_sensed(marks: str, senses: Senses) -> str:
    """What is told of `marks` where the table's pieces are sensed so: a kind or a colour that is not is left out."""
    if senses == "kind":
        return marks
    return marks.translate(_COLOUR_ONLY if senses == "colour" else _OCCUPANCY_ONLY)


def table_of(codes: Sequence[int], known: str = "") -> Codes | None:
    """Which table a dump of the whole board is in, None where it does not show.

    `known`: the marks that were told of the same fields before, where there are any.
    """
    if known:
        said = {(mark, code) for mark, code in zip(known, codes, strict=True) if mark in "bW" and code in SWAPPED}
        for table in ("current", "before_2011"):
            if said and all(_MARKS[table][code] == mark for mark, code in said):
                return table
    count = Counter(codes)
    one, other = (count[code] for code in SWAPPED)
    if count[WHITE_MAN] < FEWEST or count[BLACK_KING] or max(one, other) < FEWEST or min(one, other):
        return None
    if one:
        return "current"
    return "chess" if len(codes) == 64 else "before_2011"


def _mark(code: int, table: Codes | None, kings: Collection[int]) -> str:
    if table is None:
        return "o" if code in SWAPPED else _MARKS["current"].get(code, _UNREADABLE)
    mark = _MARKS[table].get(code, _UNREADABLE)
    return mark.upper() if table == "chess" and code in kings else mark
