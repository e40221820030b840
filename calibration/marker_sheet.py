"""A sheet of four cards to lay beside a board's corners, by which a camera knows how the board lies: SVG and PDF.

A card is a marker with a white border of 5 mm, without which it is not seen, and words that say where it belongs. They
are on the sheet as they lie on the table, seen from White. Whether the printer kept the scale shows a line of 100 mm.
Millimetres throughout, y down from the paper's upper edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from itertools import groupby
from typing import Literal

PAPERS: Mapping[str, tuple[float, float]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height."""
QUIET = 5.0
"""The white border."""
SIZE, SMALLEST = 30.0, 15.0
"""The side of a marker: as a rule, and at least."""
RULER = 100.0
MARGIN, GAP, LEGEND = 14.0, 10.0, 11.0
"""Around the page, between cards, and the height of a card's words."""
LINE = 5.2
"""From line to line of the text."""
PLAN = 26.0
"""The side of the board in the little drawing."""
MM = 72 / 25.4
"""A millimetre in the points of a PDF."""
CORNERS = ((0, 1), (1, 1), (1, 0), (0, 0))
"""Column and row on the sheet of the cards 0 to 3."""


@dataclass(frozen=True, slots=True)
class Card:
    bits: Sequence[Sequence[bool]]
    """The marker row by row with its black edge, true where it is black."""
    lines: tuple[str, str]
    """Where it belongs; the second line in small."""


@dataclass(frozen=True, slots=True)
class SheetWords:
    title: str
    advice: Sequence[str]
    ruler: str
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; `ink` 0 white, 1 black."""

    x: float
    y: float
    width: float
    height: float
    ink: float


@dataclass(frozen=True, slots=True)
class Line:
    x: float
    y: float
    to_x: float
    to_y: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Words on a base line that begins or has its middle at (x, y); `height` is that of the letters' type."""

    x: float
    y: float
    text: str
    height: float
    anchor: Literal["start", "middle"] = "start"
    bold: bool = False
    ink: float = 1


Shape = Box | Line | Label


@dataclass(frozen=True, slots=True)
class Sheet:
    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


class TooLargeError(ValueError):
    """Markers of which four do not fit on the paper; `most` is the side of those that do."""

    def __init__(self, most: int) -> None:
        super().__init__(f"four markers fit on this paper up to {most} mm")
        self.most = most


def sheet(cards: Sequence[Card], words: SheetWords, size: float = SIZE, paper: str = "A4") -> Sheet:
    """The sheet with the cards 0 to 3; TooLargeError where they do not fit."""
    width, height = PAPERS[paper]
    above = MARGIN + 10 + LINE * len(words.advice)
    below = PLAN + 44
    most = min((height - above - below - GAP) / 2 - 2 * QUIET - LEGEND, (width - 2 * MARGIN - GAP) / 2 - 2 * QUIET)
    if size > most:
        raise TooLargeError(int(most))
    shapes: list[Shape] = [Label(MARGIN, MARGIN + 4, words.title, 6.0, bold=True)]
    shapes += [Label(MARGIN, MARGIN + 12 + LINE * n, line, 3.4) for n, line in enumerate(words.advice)]
    step_x, step_y = size + 2 * QUIET + GAP, size + 2 * QUIET + LEGEND + GAP
    left = (width - 2 * step_x + GAP) / 2
    for card, (column, row) in zip(cards, CORNERS, strict=True):
        shapes += _card(card, left + column * step_x, above + row * step_y, size)
    end = above + 2 * step_y - GAP
    shapes += _plan(width / 2, (end + height - below) / 2 + 12, words)
    shapes += _ruler((width - RULER) / 2, height - MARGIN - 6, words.ruler)
    return Sheet(width, height, words.title, tuple(shapes))


def _card(card: Card, x: float, y: float, size: float) -> Iterator[Shape]:
    """A card whose upper left corner is there."""
    width, height = size + 2 * QUIET, size + 2 * QUIET + LEGEND
    for ends in (
        (x, y, x + width, y),
        (x + width, y, x + width, y + height),
        (x, y + height, x + width, y + height),
        (x, y, x, y + height),
    ):
        yield Line(*ends, dashed=True)
    yield Box(x + QUIET, y + QUIET, size, size, 1)
    cell = size / len(card.bits)
    for row, bits in enumerate(card.bits):
        column = 0
        for black, same in groupby(bits):
            count = len(list(same))
            if not black:
                yield Box(x + QUIET + column * cell, y + QUIET + row * cell, count * cell, cell, 0)
            column += count
    fits = (width - 2) / (max(map(len, card.lines)) * 0.62)  # the widest of the typefaces that may be there
    yield Label(x + width / 2, y + size + 2 * QUIET + 3.5, card.lines[0], min(3.8, fits), "middle", bold=True)
    yield Label(x + width / 2, y + size + 2 * QUIET + 8, card.lines[1], min(3.2, fits), "middle")


def _plan(middle: float, y: float, words: SheetWords) -> Iterator[Shape]:
    """The board with the cards' places, seen from White."""
    x, squares, card = middle - PLAN / 2, 8, 7.0
    cell = PLAN / squares
    yield Box(x - 0.4, y - 0.4, PLAN + 0.8, PLAN + 0.8, 0.6)
    yield Box(x, y, PLAN, PLAN, 0)
    for square in range(squares * squares):
        row, column = divmod(square, squares)
        if (row + column) % 2:
            yield Box(x + column * cell, y + row * cell, cell, cell, 0.35)
    yield Label(middle, y - 3, words.black, 3.8, "middle")
    yield Label(middle, y + PLAN + 6, words.white, 3.8, "middle")
    for number, (column, row) in enumerate(CORNERS):
        at_x = x - card - 2 if column == 0 else x + PLAN + 2
        at_y = y if row == 0 else y + PLAN - card
        yield Box(at_x, at_y, card, card, 1)
        yield Label(at_x + card / 2, at_y + card / 2 + 1.6, str(number), 4.6, "middle", bold=True, ink=0)


def _ruler(x: float, y: float, text: str) -> Iterator[Shape]:
    yield Line(x, y, x + RULER, y)
    for at in range(0, int(RULER) + 1, 10):
        yield Line(x + at, y - (2.5 if at % 50 else 4), x + at, y)
    yield Label(x + RULER / 2, y + 5, text, 3.8, "middle")


# as files


def svg(sheet: Sheet) -> str:
    """The sheet as an SVG file of the paper's size."""
    size = f'width="{sheet.width:g}mm" height="{sheet.height:g}mm" viewBox="0 0 {sheet.width:g} {sheet.height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(sheet.title)}</title>",
        f'<rect width="{sheet.width:g}" height="{sheet.height:g}" fill="#ffffff"/>',
        *map(_as_svg, sheet.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _as_svg(shape: Shape) -> str:
    match shape:
        case Box(x, y, width, height, ink):
            place = f'x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}"'
            return f'<rect {place} fill="{_grey(ink)}" shape-rendering="crispEdges"/>'
        case Line(x, y, to_x, to_y, dashed):
            dashes = ' stroke-dasharray="2 1.5"' if dashed else ""
            ends = f'x1="{x:.3f}" y1="{y:.3f}" x2="{to_x:.3f}" y2="{to_y:.3f}"'
            return f'<line {ends} stroke="{_grey(0.5 if dashed else 1)}" stroke-width="0.2"{dashes}/>'
        case Label(x, y, text, height, anchor, bold, ink):
            weight = ' font-weight="bold"' if bold else ""
            place = f'x="{x:.3f}" y="{y:.3f}" font-size="{height:.2f}" text-anchor="{anchor}"'
            return f'<text {place} fill="{_grey(ink)}"{weight}>{escape(text)}</text>'


def _grey(ink: float) -> str:
    return "#" + f"{round(255 * (1 - ink)):02x}" * 3


def pdf(sheet: Sheet) -> bytes:
    """The sheet as a PDF file of one page of the paper's size; needs reportlab."""
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out, pagesize=(sheet.width * MM, sheet.height * MM), invariant=True)
    canvas.setTitle(sheet.title)
    canvas.translate(0, sheet.height * MM)
    canvas.scale(MM, -MM)
    for shape in sheet.shapes:
        match shape:
            case Box(x, y, width, height, ink):
                canvas.setFillGray(1 - ink)
                canvas.rect(x, y, width, height, stroke=0, fill=1)
            case Line(x, y, to_x, to_y, dashed):
                canvas.setLineWidth(0.2)
                canvas.setDash([2, 1.5] if dashed else [])
                canvas.setStrokeGray(0.5 if dashed else 0)
                canvas.line(x, y, to_x, to_y)
            case Label(x, y, text, height, anchor, bold, ink):
                canvas.saveState()
                canvas.translate(x, y)
                canvas.scale(1, -1)
                canvas.setFillGray(1 - ink)
                canvas.setFont("Helvetica-Bold" if bold else "Helvetica", height)
                (canvas.drawCentredString if anchor == "middle" else canvas.drawString)(0, 0, text)
                canvas.restoreState()
    canvas.showPage()
    canvas.save()
    return out.getvalue()
