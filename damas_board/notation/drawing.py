"""Draws a position as a picture: SVG text that stands for itself, without fonts, files or scripts of others.

The board is as White sees it, on the squares that the variant plays on. Colours follow the reader's light or dark
surroundings.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from damas_board.notation.fen import write_fen
from damas_board.rules.geometry import LETTERS, squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side

_CELL = 44
_FRAME = 4
_MARGIN = 18
"""Where the letters and digits of an algebraic board stand."""
_STYLE = """\
.frame{fill:#6b4f3a}.light{fill:#f0e0c4}.dark{fill:#b98b5e}.line{fill:none;stroke:#8a6543}
.last{fill:#f2c230;fill-opacity:.6}.way{fill:none;stroke:#7a2318;stroke-width:3;stroke-linecap:round;\
stroke-linejoin:round;stroke-opacity:.75}.gone{fill:none;stroke:#a3281c;stroke-width:4;stroke-linecap:round}
.name{fill:#3d2813;font:9px sans-serif}.edge{fill:#4a4a4a;font:12px sans-serif;text-anchor:middle}
.white{fill:#fbf7ee;stroke:#2b2118;stroke-width:1.5}.black{fill:#26211d;stroke:#0c0a08;stroke-width:1.5}
.white-ring{fill:none;stroke:#b9ac94;stroke-width:1.5}.black-ring{fill:none;stroke:#6a6058;stroke-width:1.5}
.white-crown{fill:#a3281c}.black-crown{fill:#f2c230}
@media (prefers-color-scheme:dark){.frame{fill:#3a2c21}.light{fill:#b9a98f}.dark{fill:#75563a}.line{stroke:#4e3926}\
.name{fill:#f0e0c4}.edge{fill:#c8c8c8}.black{stroke:#8d8278}\
.way{stroke:#e58a6c}.gone{stroke:#ff6b52}}
"""
_CROWN = "-10,6 -11,-5 -5,0 0,-9 5,0 11,-5 10,6"


def board_svg(position: Position, last: Move | None = None) -> str:
    """The board as an SVG document that ends with a line end.

    `last` is the move that led here: its squares are marked, its way is drawn, and a cross stands where a piece was
    taken.
    """
    return "\n".join(_lines(position, last)) + "\n"


def _lines(position: Position, last: Move | None) -> Iterator[str]:
    geometry = position.variant.geometry
    algebraic = geometry.numbering == "algebraic"
    edge = _FRAME + (_MARGIN if algebraic else 0)
    board = geometry.size * _CELL
    whole = board + 2 * edge
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" width="{whole}" height="{whole}">'
    yield f"<title>{escape(write_fen(position))}</title>"
    yield f"<style>\n{_STYLE}</style>"
    frame = board + 2 * _FRAME
    yield f'<rect class="frame" x="{edge - _FRAME}" y="{edge - _FRAME}" width="{frame}" height="{frame}" rx="3"/>'
    if algebraic:
        yield from _edges(geometry.size, board, edge)
    yield f'<g transform="translate({edge} {edge})">'
    yield from _squares(position, last, board)
    if last is not None:
        yield from _way(last, geometry.size)
    for square in squares_of(position.occupied):
        yield from _piece(position, square)
    yield "</g>"
    yield "</svg>"


def _edges(size: int, board: int, edge: int) -> Iterator[str]:
    for n in range(size):
        along = edge + n * _CELL + _CELL // 2
        yield f'<text class="edge" x="{along}" y="{edge + board + _FRAME + 13}">{LETTERS[n]}</text>'
        yield f'<text class="edge" x="{edge - _FRAME - 8}" y="{along + 4}">{size - n}</text>'


def _squares(position: Position, last: Move | None, board: int) -> Iterator[str]:
    geometry = position.variant.geometry
    all_played = geometry.corner == "all"
    yield f'<rect class="light" width="{board}" height="{board}"/>'
    for square in geometry.playable:
        x, y = _corner(square, geometry.size)
        if not all_played:
            yield _square("dark", x, y)
        if last is not None and square in (last.start, last.end):
            yield _square("last", x, y)
        if geometry.numbering != "algebraic":
            yield f'<text class="name" x="{x + 2}" y="{y + 9}">{geometry.name(square)}</text>'
    if all_played:
        lines = "".join(f"M{n * _CELL} 0v{board}M0 {n * _CELL}h{board}" for n in range(1, geometry.size))
        yield f'<path class="line" d="{lines}"/>'


def _square(kind: str, x: int, y: int) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'


def _piece(position: Position, square: int) -> Iterator[str]:
    x, y = _middle(square, position.variant.size)
    colour = (position.side_at(square) or Side.WHITE).label
    if not position.kings >> square & 1:
        yield f'<circle class="{colour}" cx="{x}" cy="{y}" r="15"/>'
        yield f'<circle class="{colour}-ring" cx="{x}" cy="{y}" r="9"/>'
        return
    yield f'<circle class="{colour}" cx="{x}" cy="{y + 2}" r="15"/>'  # a king is two men high
    yield f'<circle class="{colour}" cx="{x}" cy="{y - 2}" r="15"/>'
    yield f'<polygon class="{colour}-crown" transform="translate({x} {y - 1})" points="{_CROWN}"/>'


def _way(last: Move, size: int) -> Iterator[str]:
    for square in last.captured:
        x, y = _middle(square, size)
        yield f'<path class="gone" d="M{x - 8} {y - 8}l16 16m0 -16l-16 16"/>'
    points = [_middle(square, size) for square in last.path]
    if len(points) > 2:  # the ends do not show it
        yield f'<polyline class="way" points="{" ".join(f"{x},{y}" for x, y in points)}"/>'


def _corner(square: int, size: int) -> tuple[int, int]:
    """The top-left corner of a square, White's rows at the bottom."""
    row, col = divmod(square, size)
    return col * _CELL, (size - 1 - row) * _CELL


def _middle(square: int, size: int) -> tuple[int, int]:
    x, y = _corner(square, size)
    return x + _CELL // 2, y + _CELL // 2
