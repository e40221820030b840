"""Positions as a peripheral writes them. The protocol says FEN, and not which one of the two that draughts has.

- `pdn`: `W:W31,32,K5:B1,2`, squares by number or by letter and digit; turn, then each side's pieces.
- `rows`: `1m1m1m1m1m/.../1M1M1M1M1M w`, from Black's side down to White's, every square or only those that are played
  on; small letters are Black's, `k` and `q` kings.

Where a board does not know more, `w` and `b` are pieces of a colour and `?` is any piece. Both ways are read, whichever
is written.
"""

from __future__ import annotations

import re
from typing import Literal

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import Position
from damas_board.rules.side import Side

Style = Literal["pdn", "rows"]
Names = Literal["own", "numbers", "letters"]
Marks = tuple[str, ...]
"""By square: `.` `o` `w` `b` `W` `B`, and `?` for what is not known."""

EMPTY, PIECE, UNKNOWN = ".", "o", "?"
_OF_ROWS = {"w": "w", "b": "b", "?": PIECE, "W": "W", "B": "B"}
_OF_ROWS |= {"M": "w", "P": "w", "D": "W", "K": "W", "Q": "W"}
_OF_ROWS |= {"m": "b", "p": "b", "d": "B", "k": "B", "q": "B"}
_OF_BLOCKS = {"W": ("w", "W"), "B": ("b", "B"), "?": (PIECE, PIECE)}
_TURNS = {"w": Side.WHITE, "b": Side.BLACK}
_TOKEN = re.compile(r"(\d+)|([^\d/])")
_ITEM = re.compile(r"(K?)([a-lA-L]?\d{1,2})(?:-(\d{1,2}))?")
_BESIDE = re.compile(r"[HF]\d+|\+\d.*")
"""Counters that stand behind the pieces in some programs."""


class FenError(ValueError):
    """A text that is no position of this board."""


def read_fen(text: str, geometry: Geometry) -> Marks:
    """What stands on each square; FenError where the text does not say it of the whole board."""
    if not text:
        raise FenError("no position")
    return _read_rows(text, geometry) if "/" in text else _read_blocks(text, geometry)


def read_turn(text: str) -> Side | None:
    """Whose turn it is, where `text`, which `read_fen` has read, says so."""
    first, *rest = text.split() or [""]
    if "/" not in first and len(first) > 1 and first[1] == ":":
        return _TURNS.get(first[0].lower())
    return _TURNS.get(rest[0].lower()) if rest else None


def write_fen(position: Position, style: Style, names: Names) -> str:
    """`position` with whose turn it is."""
    return _write_rows(position) if style == "rows" else _write_blocks(position, names)


def name_of(square: int, geometry: Geometry, names: Names) -> str:
    """How `square` is written; where a variant has letters, numbers run from the square at the top left."""
    if names == "letters":
        return geometry.algebraic(square)
    if names == "numbers" and geometry.numbering == "algebraic":
        return str(geometry.from_top.index(square) + 1)
    return geometry.name(square)


def marks_of(position: Position) -> Marks:
    """`position` as marks, men and kings."""
    marks = [EMPTY] * position.variant.size**2
    for square in squares_of(position.occupied):
        mark = "w" if position.white >> square & 1 else "b"
        marks[square] = mark.upper() if position.kings >> square & 1 else mark
    return tuple(marks)


def _read_blocks(text: str, geometry: Geometry) -> Marks:
    marks = [EMPTY] * geometry.size**2
    told = set()
    blocks = text.split()[0].rstrip(".").split(":")
    if blocks[0].lower() in _TURNS:
        del blocks[0]
    for block in blocks:
        if _BESIDE.fullmatch(block):
            continue
        side = block[:1].upper()
        if side not in _OF_BLOCKS or side in told:
            raise FenError(f"{block[:20]!r} does not give one side's pieces")
        told.add(side)
        for item in filter(None, block[1:].split(",")):
            _put(item, _OF_BLOCKS[side], marks, geometry)
    if told != {"?"} and not told >= {"W", "B"}:
        raise FenError("the pieces of one side only")  # as of a line that was cut
    return tuple(marks)


def _put(item: str, kinds: tuple[str, str], marks: list[str], geometry: Geometry) -> None:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise FenError(f"{item[:20]!r} is no square")
    king, first, last = match.groups()
    names = [first]
    if last is not None:
        if not first.isdigit() or int(last) < int(first):
            raise FenError(f"{item!r} is no range of squares")
        names = [str(number) for number in range(int(first), int(last) + 1)]
    for name in names:
        try:
            square = geometry.square(name)
        except KeyError as error:
            raise FenError(f"there is no square {name!r} on this board") from error
        if marks[square] != EMPTY:
            raise FenError(f"square {name} is named twice")
        marks[square] = kinds[bool(king)]


def _read_rows(text: str, geometry: Geometry) -> Marks:
    size = geometry.size
    rows = [_read_row(row, size) for row in text.split()[0].split("/")]
    widths = {len(row) for row in rows}
    if len(rows) != size or (widths != {size} and (widths != {size // 2} or geometry.corner == "all")):
        raise FenError(f"{size} rows of {size} squares are expected")
    if widths == {size}:
        return tuple("".join(reversed(rows)))
    marks = [EMPTY] * size**2
    for square, mark in zip(geometry.from_top, "".join(rows), strict=True):
        marks[square] = mark
    return tuple(marks)


def _read_row(row: str, size: int) -> str:
    """Its marks. A number that is more than a row is digits side by side, as some write it."""
    read = ""
    for number, letter in _TOKEN.findall(row):
        if letter and letter not in _OF_ROWS:
            raise FenError(f"{letter!r} is no piece")
        empty = int(number[:3] or 0)
        read += EMPTY * (empty if empty <= size else sum(map(int, number[:3]))) + _OF_ROWS.get(letter, "")
    return read


def _write_blocks(position: Position, names: Names) -> str:
    geometry = position.variant.geometry
    blocks = [position.turn.letter]
    for side in Side:
        squares = [square for square in geometry.from_top if position.pieces(side) >> square & 1]
        items = ("K" * (position.kings >> s & 1) + name_of(s, geometry, names) for s in squares)
        blocks.append(side.letter + ",".join(items))
    return ":".join(blocks)


def _write_rows(position: Position) -> str:
    size, rows = position.variant.size, []
    letters = {"w": "M", "W": "K", "b": "m", "B": "k"}
    marks = marks_of(position)
    for begin in range(size * (size - 1), -1, -size):
        row, empty = "", 0
        for mark in marks[begin : begin + size]:
            if mark == EMPTY:
                empty += 1
                continue
            row += f"{empty or ''}{letters[mark]}"
            empty = 0
        rows.append(f"{row}{empty or ''}")
    return f"{'/'.join(rows)} {position.turn.letter.lower()}"
