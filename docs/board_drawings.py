"""Draws the pictures of build-a-board.md from its figures: `python docs/board_drawings.py` writes docs/pictures anew.

Each picture is drawn in both languages; `matrix-32.pt.svg` is the Portuguese one. SVG that needs no font, file or
script of others. It brings its own ground, so that it can be read on a light page and on a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from board_figures import (
    ASIDE,
    ASTRAY,
    BOARDS,
    BUTTONS,
    CHANNELS,
    COMMONS,
    GAP,
    HALL_BUTTONS,
    LIGHTS,
    MAN,
    REED_GLASS,
    SELECTS,
    SQUARE,
    THICK,
    Board,
    Language,
    man,
    nano,
    reed,
    stack,
    turned,
)

from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

STYLE = """\
text{font-family:sans-serif;font-size:12px;fill:#222}
.page{fill:#fbf9f4}.box{fill:#fff;stroke:#555}.chip{fill:#dfe7ee;stroke:#3d4d5c}
.wire{fill:none;stroke:#555;stroke-width:1.4}.row{fill:none;stroke:#1f5fae;stroke-width:1.8}
.column{fill:none;stroke:#b4530a;stroke-width:1.8}.red{fill:none;stroke:#b3261e;stroke-width:1.8}
.thin{fill:none;stroke:#888;stroke-width:1}.dash{fill:none;stroke:#888;stroke-width:1;stroke-dasharray:4 3}
.dot{fill:#222}.solid{fill:#222;stroke:#222}.thick{stroke-width:2.2}
.big{font-size:16px;font-weight:bold}.bold{font-weight:bold}.small{font-size:10px}
.mid{text-anchor:middle}.end{text-anchor:end}
.blue{fill:#1f5fae}.brown{fill:#b4530a}.grey{fill:#666}
.good{fill:#1d7a3a;font-weight:bold}.bad{fill:#b3261e;font-weight:bold}
.dark{fill:#b98b5e}.light{fill:#f0e0c4}.edge{fill:none;stroke:#6b4f3a;stroke-width:3}.square{fill:#3d2813}
.ink{fill:#222}.white{fill:#fffdf8;stroke:#2b2118;stroke-width:1.5}.wood{fill:#d9bf98;stroke:#6b4f3a}
.ring{fill:none;stroke:#2b2118;stroke-dasharray:5 3}.glass{fill:#cfe6df;stroke:#3f6f62;fill-opacity:.8}
.north{fill:#d5544a;stroke:#7a1f18}.south{fill:#5b86c4;stroke:#1d3f70}
.pole{fill:#fff;font-weight:bold;text-anchor:middle}
.one{fill:none;stroke:#1f5fae;stroke-width:2.5}.two{fill:none;stroke:#b4530a;stroke-width:2.5}
.three{fill:none;stroke:#1d7a3a;stroke-width:2.5;stroke-dasharray:8 4}
@media (prefers-color-scheme:dark){
text{fill:#e6e3dc}.ink{fill:#222}.pole{fill:#fff}
.page{fill:#1f2023}.box{fill:#2a2c30;stroke:#aaa}.chip{fill:#33414d;stroke:#9fb3c4}
.wire{stroke:#bbb}.row{stroke:#7fb2f0}.column{stroke:#f0a05a}.red{stroke:#f28b82}
.dot{fill:#e6e3dc}.solid{fill:#e6e3dc;stroke:#e6e3dc}.blue{fill:#7fb2f0}.brown{fill:#f0a05a}
.grey{fill:#aaa}.good{fill:#7fd49a}.bad{fill:#f28b82}.dark{fill:#5d432c}.light{fill:#85745c}.square{fill:#fff8e8}
.white{fill:#d9d4c8}.wood{fill:#6d5a41;stroke:#b39a75}.ring{stroke:#e6e3dc}.glass{fill:#4c6f66;stroke:#a7d3c7}
.one{stroke:#7fb2f0}.two{stroke:#f0a05a}.three{stroke:#7fd49a}
}
"""
SYMBOLS = """\
<defs>
<g id="contact"><circle class="dot" r="2.5"/><circle class="dot" cx="28" r="2.5"/>
<path class="wire" d="M0 0L25 -9"/></g>
<g id="button"><circle class="dot" r="2.5"/><circle class="dot" cx="28" r="2.5"/>
<path class="wire" d="M0 -6H28M14 -6V-14M9 -14H19"/></g>
<g id="diode"><path class="solid" d="M-6 0H6L0 11Z"/><path class="solid thick" d="M-6 12H6"/></g>
<g id="ground"><path class="wire" d="M0 0V6M-8 6H8M-5 9H5M-2 12H2"/></g>
<g id="capacitor"><path class="wire" d="M0 -12V-3M0 3V12"/><path class="solid thick" d="M-8 -3H8M-8 3H8"/></g>
<g id="resistor"><rect class="box" y="-5" width="30" height="10"/></g>
</defs>"""

WORDS: Mapping[str, tuple[str, str]] = {
    "matrix": ("Matrix of {places} places", "Matriz de {places} lugares"),
    "row": ("row {n}", "linha {n}"),
    "column": ("column {n}", "coluna {n}"),
    "buttons' row": ("buttons", "botões"),
    "clock A": ("clock A", "relógio A"),
    "clock B": ("clock B", "relógio B"),
    "adjust": ("adjust", "ajeito"),
    "crossing": ("one crossing", "um cruzamento"),
    "contact": ("contact", "contacto"),
    "diode": ("diode, its band", "díodo, a faixa"),
    "to the row": ("towards the row", "do lado da linha"),
    "from above": ("From above: the place, and the square's name", "De cima: o lugar e o nome da casa"),
    "connector": ("connector's corner", "canto do conector"),
    "white sits": ("White sits here:", "As brancas sentam-se aqui:"),
    "right corner": ("the connector lies at Black's right:", "o conector fica à direita das pretas:"),
    "names shown": ("place 1 is {example}, as shown", "o lugar 1 é {example}, como se vê"),
    "names of places": ("the square has the number of the place", "a casa tem o número do lugar"),
    "own names": ("numbers of its own", "números próprios"),
    "option": ("option:", "opcional:"),
    "a light a place": ("lights, in the order of the places", "luzes, pela ordem dos lugares"),
    "hall": ("Analogue board: up to 64 Hall sensors", "Tabuleiro analógico: até 64 sensores de Hall"),
    "multiplexer": ("multiplexer {n}", "multiplexador {n}"),
    "channel": ("channel", "canal"),
    "place": ("place", "lugar"),
    "only 50": ("50 places: channels 0, 1 only", "50 lugares: só os canais 0 e 1"),
    "not 32": ("not needed for 32 places", "não é preciso com 32 lugares"),
    "one sensor": ("one sensor a place", "um sensor por lugar"),
    "to its channel": ("to its channel", "ao seu canal"),
    "5V": ("+5 V: the Nano's 5V pin", "+5 V: pino 5V do Nano"),
    "thick": ("thick wires, a star", "fios grossos, em estrela"),
    "enable": (
        "of the multiplexers EN and GND to ground, VCC to +5 V",
        "dos multiplexadores EN e GND à massa, VCC a +5 V",
    ),
    "each": ("beside each", "junto de cada"),
    "lying": ("lying under the middle", "deitado sob o centro"),
    "aside": ("lying {aside} mm aside", "deitado {aside} mm ao lado"),
    "standing": ("standing under the middle", "de pé sob o centro"),
    "open": ("OPEN though a piece is there", "ABERTO apesar da peça"),
    "closed": ("closed", "fechado"),
    "graph": (
        "mT along the contact, by how far the piece stands from the middle (mm); magnet {magnet}",
        "mT ao longo do contacto, conforme a distância da peça ao centro (mm); íman {magnet}",
    ),
    "try": ("Try all five", "Experimente os cinco"),
    "try what": ("the piece in the middle,", "a peça ao centro,"),
    "try where": ("and pushed to each edge", "e encostada a cada lado"),
    "within": ("the man stands within ± {astray} mm", "o peão fica dentro de ± {astray} mm"),
    "man": ("man", "peão"),
    "stack": ("stack of two: a king", "pilha de duas: dama"),
    "over": ("turned over", "virada ao contrário"),
    "sensor": ("branded face up", "face marcada para cima"),
    "white up": (
        "A white man, north pole down; a black man has the south pole down. Computed, not measured: {magnet}.",
        "Um peão branco, polo norte para baixo; um preto tem o polo sul para baixo. Calculado, não medido: {magnet}.",
    ),
    "not so": ("do not crown like this", "não coroe assim"),
    "hint": ("king: a hint only", "dama: só um indício"),
    "8 squares": ("8 x 8: 320 to 400 mm", "8 x 8: 320 a 400 mm"),
    "10 squares": ("10 x 10: 400 to 500 mm", "10 x 10: 400 a 500 mm"),
    "text": (
        "Squares 40 to 50 mm, men 30 to 40 mm across and 6 to 8 mm thick: document 003, art. 2",
        "Casas de 40 a 50 mm, peças de 30 a 40 mm de diâmetro e 6 a 8 mm de espessura: documento 003, art. 2",
    ),
    "10 ours": ("(003 speaks of 64 squares)", "(o 003 fala de 64 casas)"),
    "smallest": ("smallest", "menor"),
    "drawn": ("as in these drawings", "como nestes desenhos"),
    "largest": ("largest", "maior"),
    "room": ("± {room} mm", "± {room} mm"),
}


class Sheet:
    """A picture that is being drawn."""

    def __init__(self, language: Language, title: str, width: int, height: int) -> None:
        self.language = language
        self._head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE}</style>",
            SYMBOLS,
            f'<rect class="page" width="{width}" height="{height}" rx="6"/>',
        ]
        self._body: list[str] = []

    def word(self, key: str, **values: object) -> str:
        return WORDS[key][self.language == "pt"].format(**values)

    def text(self, x: float, y: float, text: object, style: str = "") -> None:
        self._body.append(f'<text{_class(style)} x="{_n(x)}" y="{_n(y)}">{escape(str(text))}</text>')

    def path(self, style: str, d: str) -> None:
        self._body.append(f'<path class="{style}" d="{d}"/>')

    def rect(self, style: str, x: float, y: float, width: float, height: float, round_: float = 0) -> None:
        corner = f' rx="{_n(round_)}"' if round_ else ""
        self._body.append(
            f'<rect class="{style}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{corner}/>'
        )

    def circle(self, style: str, x: float, y: float, radius: float) -> None:
        self._body.append(f'<circle class="{style}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>')

    def dot(self, x: float, y: float) -> None:
        self.circle("dot", x, y, 3)

    def use(self, symbol: str, x: float, y: float) -> None:
        self._body.append(f'<use href="#{symbol}" x="{_n(x)}" y="{_n(y)}"/>')

    def measure(self, x: float, y: float, length: float, text: str, *, upright: bool = False) -> None:
        """A dimension line from (x, y), to the right or downwards, its text beside the middle."""
        if upright:
            self.path("thin", f"M{_n(x - 4)} {_n(y)}h8m-4 0v{_n(length)}m-4 0h8")
            self.text(x + 8, y + length / 2 + 4, text, "small")
        else:
            self.path("thin", f"M{_n(x)} {_n(y - 4)}v8m0 -4h{_n(length)}m0 -4v8")
            self.text(x + length / 2, y + 15, text, "small mid")

    def svg(self) -> str:
        return "\n".join([*self._head, *self._body, "</svg>"]) + "\n"


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""


def _n(value: float) -> str:
    return f"{round(value, 1):g}"


# --- the matrices -----------------------------------------------------------------------------------------------------

LEFT, CELL, HIGH, STEP = 205, 112, 70, 20


def matrix(board: Board, language: Language) -> str:
    columns, rows = board.columns, board.rows
    head = 80 + STEP * len(columns)
    """The height where the columns begin to go down."""
    grid = HIGH * len(rows)
    below = head + grid + 20
    plan = 46
    width = max(LEFT + CELL * len(columns) + 30, 820)
    sheet = Sheet(language, f"matrix-{board.places}", width, below + 240 + plan * board.size + 90)
    sheet.text(20, 28, sheet.word("matrix", places=board.places), "big")
    sheet.rect("chip", 20, 44, 110, head + grid - 14, 6)
    sheet.text(75, 62, "Arduino Nano", "bold mid")
    _columns(sheet, board, head)
    for n, pin in enumerate(rows):
        _row(sheet, board, n, pin, head + HIGH * (n + 1) - 10)
    lights_y = head + grid + 12
    sheet.text(122, lights_y + 4, f"{nano(LIGHTS)}", "bold end")
    _lights(sheet, 130, lights_y, board.places)
    _crossing(sheet, 30, below + 50)
    _plan(sheet, board, 90, below + 240, plan)
    return sheet.svg()


def _columns(sheet: Sheet, board: Board, head: float) -> None:
    for n, pin in enumerate(board.columns):
        x, y = LEFT + CELL * n, head - STEP * (n + 1) - 2
        bottom = head + HIGH * (board.lines + (n < BUTTONS)) - 50
        sheet.path("column", f"M130 {_n(y)}H{_n(x)}V{_n(bottom)}")
        sheet.text(122, y + 4, nano(pin), "bold end")
        sheet.text(x + 7, head + 2, sheet.word("column", n=n + 1), "brown bold")


def _row(sheet: Sheet, board: Board, n: int, pin: str, y: float) -> None:
    last = n == board.lines
    crossings = BUTTONS if last else board.per_line
    end = LEFT + CELL * (crossings - 1) + 54
    sheet.path("row", f"M130 {_n(y)}H{_n(end)}")
    sheet.text(122, y + 4, nano(pin), "bold end")
    sheet.text(138, y - 5, sheet.word("buttons' row") if last else sheet.word("row", n=n + 1), "blue bold")
    for along in range(crossings):
        x = LEFT + CELL * along
        top = y - 40
        sheet.dot(x, top)
        sheet.path("wire", f"M{x} {_n(top)}h14m28 0h12v12m0 13v15")
        sheet.use("button" if last else "contact", x + 14, top)
        sheet.use("diode", x + 54, top + 12)
        sheet.dot(x + 54, y)
        if last:
            sheet.text(x + 64, y - 18, sheet.word(("clock A", "clock B", "adjust")[along]), "small")
            continue
        place = n * board.per_line + along + 1
        sheet.text(x + 64, y - 22, place, "big")
        if board.plays[0].numbering == "algebraic":
            sheet.text(x + 64, y - 9, _names(board, place), "small")


def _names(board: Board, place: int) -> str:
    return " · ".join(board.name(place, variant) for variant in board.plays)


def _lights(sheet: Sheet, x: float, y: float, count: int) -> None:
    sheet.path("wire", f"M{_n(x)} {_n(y)}h70m30 0h30")
    sheet.use("resistor", x + 70, y)
    sheet.text(x + 85, y - 8, "330 Ω", "small mid")
    sheet.text(x + 8, y - 5, sheet.word("option"), "small grey")
    for n, name in enumerate(("1", "2", "3", "...", str(count))):
        left = x + 130 + n * 46
        sheet.rect("box", left, y - 11, 34, 22, 3)
        sheet.text(left + 17, y + 4, name, "mid")
        if n < 4:
            sheet.path("wire", f"M{_n(left + 34)} {_n(y)}h12")
    sheet.text(x + 370, y + 4, "WS2812", "bold")
    sheet.text(x + 130, y + 25, sheet.word("a light a place"), "small grey")


def _crossing(sheet: Sheet, x: float, y: float) -> None:
    """One crossing, large, with the words."""
    sheet.text(x, y, sheet.word("crossing"), "bold")
    sheet.path("column", f"M{x + 20} {y + 14}v90")
    sheet.path("row", f"M{x} {y + 92}h240")
    sheet.dot(x + 20, y + 36)
    sheet.path("wire", f"M{x + 20} {y + 36}h40m28 0h40v14m0 13v29")
    sheet.use("contact", x + 60, y + 36)
    sheet.use("diode", x + 128, y + 50)
    sheet.dot(x + 128, y + 92)
    sheet.text(x + 52, y + 54, sheet.word("contact"), "small")
    sheet.text(x + 146, y + 60, sheet.word("diode"), "small")
    sheet.text(x + 146, y + 73, sheet.word("to the row"), "small")
    sheet.text(x + 28, y + 82, sheet.word("column", n=""), "brown small")
    sheet.text(x + 244, y + 96, sheet.word("row", n=""), "blue small")


def _plan(sheet: Sheet, board: Board, x: int, y: int, cell: int) -> None:
    """The places as they lie, with the names of their squares, and where White sits."""
    side = cell * board.size
    sheet.text(20, y - 48, sheet.word("from above"), "big")
    sheet.rect("light", x, y, side, side)
    first = board.map_for(board.plays[0])
    for place in range(1, board.places + 1):
        row, column = divmod(first.square(place), board.size)
        left, top = x + column * cell, y + (board.size - 1 - row) * cell
        if board.places < board.size**2:
            sheet.rect("dark", left, top, cell, cell)
        sheet.text(left + cell / 2, top + 28, place, "big mid square")
        if board.plays[0].numbering == "algebraic":
            sheet.text(left + cell / 2, top + 41, _names(board, place), "small mid square")
    if board.places == board.size**2:
        lines = "".join(f"M{x + n * cell} {y}v{side}M{x} {y + n * cell}h{side}" for n in range(1, board.size))
        sheet.path("thin", lines)
    sheet.path("edge", f"M{x} {y}h{side}v{side}h{-side}z")
    sheet.rect("chip", x - 26, y - 20, 40, 16, 3)
    sheet.text(x - 6, y - 8, "USB", "small mid")
    sheet.text(x + 22, y - 8, sheet.word("connector"), "small")
    below, right = y + side + 24, x + side + 18
    sheet.text(x, below, sheet.word("white sits"), "bold")
    for n, line in enumerate(_seats(sheet, board, board.plays[0])):
        sheet.text(x, below + 18 + 16 * n, line)
    if len(board.plays) > 1:
        middle = y + side / 2
        sheet.text(right, middle - 30, sheet.word("white sits"), "bold")
        for n, line in enumerate(_seats(sheet, board, board.plays[1])):
            sheet.text(right, middle - 12 + 16 * n, line)
        sheet.text(right, middle + 48, sheet.word("right corner"), "small")
        sheet.text(right, middle + 62, 'corner = "black-right"', "small bold")


def _seats(sheet: Sheet, board: Board, like: Variant) -> Iterator[str]:
    """The games whose White sits where that of `like` does, and what their squares are called."""
    for name, names in (("names shown", like), ("names of places", None)):
        games = [
            v.name for v in _beside(board, like) if (v.geometry == like.geometry if names else _as_places(board, v))
        ]
        if games and not (names and _as_places(board, like)):
            example = board.name(1, like)
            yield f"{', '.join(games)}: {sheet.word(name, example=example)}"
    others = [v.name for v in _beside(board, like) if v.geometry != like.geometry and not _as_places(board, v)]
    if others:
        yield f"{', '.join(others)}: {sheet.word('own names')}"


def _beside(board: Board, like: Variant) -> list[Variant]:
    return [v for v in VARIANTS.values() if (v.size, v.corner) == (like.size, like.corner)]


def _as_places(board: Board, variant: Variant) -> bool:
    """Whether its squares have the numbers of the places."""
    return all(board.name(place, variant) == str(place) for place in (1, 2, board.places))


# --- the analogue board -----------------------------------------------------------------------------------------------


def hall(language: Language) -> str:
    sheet = Sheet(language, "hall", 1040, 880)
    sheet.text(20, 28, sheet.word("hall"), "big")
    sheet.rect("chip", 20, 44, 1000, 74, 6)
    sheet.text(34, 70, "Arduino Nano", "bold")
    bus = 150
    tops = []
    for n, pin in enumerate(SELECTS):
        y = bus + 18 * n
        x = 40 + 30 * n
        sheet.text(x, 110, nano(pin), "bold mid")
        sheet.path("row", f"M{x} 118V{y}H940")
        sheet.dot(x, y)
        sheet.text(x + 4, 134, f"S{n}", "small blue")
        tops.append(y)
    for n, pin in enumerate(COMMONS):
        _multiplexer(sheet, n, nano(pin), 190 + 210 * n, 262, tops)
    _supply(sheet, 30, 640)
    return sheet.svg()


def _multiplexer(sheet: Sheet, n: int, pin: str, x: int, y: int, tops: list[int]) -> None:
    sheet.rect("chip", x, y, 112, 318, 5)
    sheet.text(x + 56, y + 34, "74HC4067", "bold mid")
    sheet.text(x + 56, y + 49, sheet.word("multiplexer", n=n + 1), "small mid")
    for select, top in enumerate(tops):
        along = x + 14 + 18 * select
        sheet.path("row", f"M{along} {top}V{y}")
        sheet.dot(along, top)
        sheet.text(along, y + 13, f"S{select}", "small mid blue")
    common = x + 98
    sheet.path("column", f"M{common} 118V{y}")
    sheet.text(common, 110, pin, "bold mid")
    sheet.text(common, y + 13, "SIG", "small mid brown")
    for channel in range(CHANNELS):
        at = y + 66 + channel * 16
        place = n * CHANNELS + channel + 1
        sheet.path("thin", f"M{x + 112} {at}h14")
        sheet.text(x + 106, at + 4, f"C{channel}", "small end")
        sheet.text(x + 130, at + 4, place, "bold")
    sheet.text(x + 118, y + 52, sheet.word("place"), "small grey")
    if n >= BOARDS[0].multiplexers:
        sheet.text(x + 56, y + 334, sheet.word("not 32"), "small mid grey")
    if n == BOARDS[1].multiplexers - 1:
        sheet.text(x + 56, y + 348, sheet.word("only 50"), "small mid grey")


def _supply(sheet: Sheet, x: int, y: int) -> None:
    """The rails, one sensor with its capacitor, the buttons and the lights."""
    sheet.path("red", f"M{x} {y}H{x + 560}")
    sheet.path("wire", f"M{x} {y + 130}H{x + 560}")
    sheet.text(x, y - 8, f"{sheet.word('5V')}; {sheet.word('thick')}", "bold")
    sheet.text(x, y + 146, f"GND; {sheet.word('enable')}")
    sheet.path("wire", f"M{x + 60} {y}v53m0 24v53")
    sheet.use("capacitor", x + 60, y + 65)
    sheet.dot(x + 60, y)
    sheet.dot(x + 60, y + 130)
    sheet.text(x + 74, y + 69, "100 µF")
    sheet.path("wire", f"M{x + 190} {y}v53m0 24v53")
    sheet.use("capacitor", x + 190, y + 65)
    sheet.dot(x + 190, y)
    sheet.dot(x + 190, y + 130)
    sheet.text(x + 204, y + 62, "100 nF")
    sheet.text(x + 204, y + 77, sheet.word("each"), "small")
    sheet.rect("chip", x + 280, y + 40, 90, 50, 4)
    sheet.text(x + 325, y + 62, "Hall", "bold mid")
    sheet.text(x + 325, y + 78, "VCC GND OUT", "small mid")
    sheet.path("red", f"M{x + 300} {y}v40")
    sheet.dot(x + 300, y)
    sheet.path("wire", f"M{x + 300} {y + 90}v40")
    sheet.dot(x + 300, y + 130)
    sheet.path("column", f"M{x + 370} {y + 65}h60")
    sheet.text(x + 436, y + 69, sheet.word("to its channel"))
    sheet.text(x + 308, y + 30, sheet.word("one sensor"), "small grey")
    left = 640
    for n, (pin, name) in enumerate(zip(HALL_BUTTONS, ("clock A", "clock B", "adjust"), strict=True)):
        at = y + 10 + n * 44
        sheet.text(left + 20, at + 4, nano(pin), "bold end")
        sheet.path("wire", f"M{left + 28} {at}h30m28 0h24")
        sheet.use("button", left + 58, at)
        sheet.use("ground", left + 110, at)
        sheet.text(left + 130, at + 4, sheet.word(name))
    sheet.text(60, y + 204, nano(LIGHTS), "bold end")
    _lights(sheet, 68, y + 200, 64)


# --- contacts, magnets, sizes -----------------------------------------------------------------------------------------

BOARD_THICK = GAP - 1.5


def _side(sheet: Sheet, x: float, y: float, scale: float, width: float) -> None:
    """A strip of the board from the side; `x` its middle, `y` its upper face."""
    sheet.rect("wood", x - width / 2 * scale, y, width * scale, BOARD_THICK * scale)


def _piece(sheet: Sheet, x: float, y: float, scale: float, magnet: tuple[int, int], *, over: bool = False) -> None:
    """A man from the side, standing on `y`; turned over, its magnet is at the top and the other way up."""
    sheet.rect("white", x - MAN / 2 * scale, y - THICK * scale, MAN * scale, THICK * scale, 4)
    diameter, height = (size * scale for size in magnet)
    bottom = y - (THICK * scale - height if over else 0)
    lower, upper = ("south", "north") if over else ("north", "south")
    sheet.rect(upper, x - diameter / 2, bottom - height, diameter, height / 2)
    sheet.rect(lower, x - diameter / 2, bottom - height / 2, diameter, height / 2)
    if height > 20:
        sheet.text(x, bottom - height / 2 - 2, upper[0].upper(), "pole small")
        sheet.text(x, bottom - 2, lower[0].upper(), "pole small")


REED_MAGNET = (15, 3)


def reed_position(language: Language) -> str:
    sheet = Sheet(language, "reed-position", 1020, 600)
    scale, top = 6.0, 110
    glass, thick = REED_GLASS * scale, 2.2 * scale
    for n, (key, state) in enumerate((("lying", "open"), ("aside", "closed"), ("standing", "closed"))):
        middle = 175 + 335 * n
        sheet.text(middle, 28, f"{n + 1}. {sheet.word(key, aside=ASIDE)}", "bold mid")
        sheet.text(middle, 46, sheet.word(state), ("bad" if state == "open" else "good") + " mid")
        sheet.path("dash", f"M{middle} 54V232")
        _side(sheet, middle, top, scale, SQUARE)
        _piece(sheet, middle, top - 1, scale, REED_MAGNET)
        level = top + GAP * scale
        if key == "standing":
            sheet.path("wire", f"M{middle} {_n(level - 4)}v{_n(glass + 18)}")
            sheet.rect("glass", middle - thick / 2, level, thick, glass, 6)
        else:
            at = middle + (ASIDE * scale if key == "aside" else 0)
            sheet.path("wire", f"M{_n(at - glass / 2 - 12)} {_n(level)}h{_n(glass + 24)}")
            sheet.rect("glass", at - glass / 2, level - thick / 2, glass, thick, 6)
        if key == "aside":
            sheet.measure(middle, level + 22, ASIDE * scale, f"{ASIDE} mm")
    sheet.measure(175 + SQUARE / 2 * scale + 12, top, GAP * scale, f"{GAP} mm", upright=True)
    _graph(sheet, 60, 300)
    _five(sheet, 770, 330)
    return sheet.svg()


def _graph(sheet: Sheet, x: int, y: int) -> None:
    reach, high, wide = 15, 240, 560
    most = 5 * math.ceil(max(reed(REED_MAGNET, ASIDE, standing=False), reed(REED_MAGNET, 0, standing=True)) / 5)
    text = sheet.word("graph", magnet=f"{REED_MAGNET[0]} x {REED_MAGNET[1]} mm")
    sheet.text(x - 30, y - 14, text)
    for value in range(0, most + 1, 10):
        at = y + high - value * high / most
        sheet.path("thin", f"M{x} {_n(at)}h{wide}")
        sheet.text(x - 6, at + 4, value, "small end")
    for value in range(-reach, reach + 1, 5):
        at = x + (value + reach) * wide / (2 * reach)
        sheet.path("thin", f"M{_n(at)} {y + high}v5")
        sheet.text(at, y + high + 18, value, "small mid")
    away = (ASTRAY * wide) / (2 * reach)
    middle = x + wide / 2
    sheet.path("dash", f"M{_n(middle - away)} {y}v{high}M{_n(middle + away)} {y}v{high}")
    sheet.text(middle, y + high + 34, sheet.word("within", astray=ASTRAY), "small mid grey")
    curves: tuple[tuple[str, str, Callable[[float], float]], ...] = (
        ("one", "1", lambda off: reed(REED_MAGNET, off, standing=False)),
        ("two", "2", lambda off: reed(REED_MAGNET, ASIDE - off, standing=False)),
        ("three", "3", lambda off: reed(REED_MAGNET, off, standing=True)),
    )
    for style, name, value_at in curves:
        points = [
            (x + n * wide / (2 * reach), y + high - value_at(n - reach) * high / most) for n in range(2 * reach + 1)
        ]
        sheet.path(style, "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in points))
        at, dx, dy = {"1": (reach, 8, -6), "2": (7, 8, 18), "3": (7, -16, -8)}[name]
        sheet.text(points[at][0] + dx, points[at][1] + dy, name, "big")


def _five(sheet: Sheet, x: int, y: int) -> None:
    """The five tests, from above."""
    scale = 3.4
    side, radius, off = SQUARE * scale, MAN / 2 * scale, ASTRAY * scale
    sheet.text(x, y - 14, sheet.word("try"), "bold")
    sheet.rect("dark", x, y, side, side)
    middle_x, middle_y = x + side / 2, y + side / 2
    for n, (dx, dy) in enumerate(((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))):
        sheet.circle("ring", middle_x + dx * off, middle_y + dy * off, radius)
        sheet.text(middle_x + dx * (off + 14), middle_y + dy * (off + 14) + 6, n, "big mid square")
    sheet.text(x, y + side + 20, sheet.word("try what"))
    sheet.text(x, y + side + 36, sheet.word("try where"))


PICTURED_MAGNET = (20, 3)


def piece_magnets(language: Language) -> str:
    sheet = Sheet(language, "piece-magnets", 1020, 330)
    scale, floor = 8.0, 190
    own = man(PICTURED_MAGNET)
    cases = (
        ("man", own, "", "grey"),
        ("stack", stack(PICTURED_MAGNET), "hint", "grey"),
        ("over", turned(PICTURED_MAGNET), "not so", "bad"),
    )
    for n, (key, value, note, style) in enumerate(cases):
        middle = 175 + 335 * n
        sheet.text(middle, 28, sheet.word(key), "bold mid")
        if note:
            sheet.text(middle, 46, sheet.word(note), f"{style} mid")
        _side(sheet, middle, floor, scale, MAN + 1)
        _piece(sheet, middle, floor - 1, scale, PICTURED_MAGNET, over=key == "over")
        if key == "stack":
            _piece(sheet, middle, floor - 1 - THICK * scale, scale, PICTURED_MAGNET)
        sheet.rect("chip", middle - 16, floor + GAP * scale, 32, 12, 2)
        text = f"{value:.0f} mT"
        share = "100 %" if key == "man" else f"{100 * value / own:.0f} %"
        sheet.text(middle, floor + GAP * scale + 32, f"{text} ({share})", "big mid")
    sheet.measure(175 + (MAN + 1) / 2 * scale + 6, floor, GAP * scale, f"{GAP} mm", upright=True)
    sheet.text(175 - 24, floor + GAP * scale + 10, sheet.word("sensor"), "small end")
    text = sheet.word("white up", magnet=f"{PICTURED_MAGNET[0]} x {PICTURED_MAGNET[1]} mm")
    sheet.text(20, 312, text)
    return sheet.svg()


def board_sizes(language: Language) -> str:
    sheet = Sheet(language, "board-sizes", 1020, 700)
    sheet.text(20, 28, sheet.word("text"), "bold")
    for x, squares, key in ((40, 8, "8 squares"), (420, 10, "10 squares")):
        sheet.text(x, 60, sheet.word(key), "bold")
        _checked(sheet, x, 74, squares, 0.66)
    sheet.text(420 + 210, 60, sheet.word("10 ours"), "grey")
    for n, (square, across, thick, key) in enumerate(
        ((40, 30, 6, "smallest"), (SQUARE, MAN, THICK, "drawn"), (50, 40, 8, "largest"))
    ):
        _fit(sheet, 80 + 320 * n, 470, square, across, thick, sheet.word(key))
    return sheet.svg()


def _checked(sheet: Sheet, x: int, y: int, squares: int, scale: float) -> None:
    """The board with squares of 50 mm, and around its corner the one with 40."""
    cell = 50 * scale
    side = cell * squares
    sheet.rect("light", x, y, side, side)
    for row in range(squares):
        for column in range(squares):
            if (row + column) % 2:
                sheet.rect("dark", x + column * cell, y + row * cell, cell, cell)
    sheet.path("edge", f"M{x} {y}h{_n(side)}v{_n(side)}h{_n(-side)}z")
    small = 40 * scale * squares
    sheet.path("red", f"M{x} {_n(y + small)}h{_n(small)}v{_n(-small)}")
    sheet.text(x + small - 8, y + small - 8, f"{40 * squares} mm", "bold end square")
    sheet.text(x + side - 8, y + side - 8, f"{50 * squares} mm", "bold end square")


def _fit(sheet: Sheet, x: int, y: int, square: int, across: int, thick: int, name: str) -> None:
    scale = 3.0
    side = square * scale
    sheet.text(x, y - 22, name, "bold")
    sheet.rect("dark", x, y, side, side)
    sheet.circle("white", x + side / 2, y + side / 2, across / 2 * scale)
    sheet.text(x + side / 2, y + side / 2 + 4, f"Ø {across} mm", "mid ink")
    sheet.measure(x, y - 9, side, "")
    sheet.text(x + side + 6, y - 5, f"{square} mm", "small")
    sheet.text(x + side + 6, y + side / 2, sheet.word("room", room=(square - across) // 2), "small")
    sheet.rect("white", x + (side - across * scale) / 2, y + side + 16, across * scale, thick * scale, 3)
    sheet.text(x + side + 6, y + side + 16 + thick * scale / 2 + 4, f"{thick} mm", "small")


def pictures() -> Iterator[tuple[str, str]]:
    """File names and texts of all pictures."""
    endings: Mapping[Language, str] = {"en": ".svg", "pt": ".pt.svg"}
    for language, ending in endings.items():
        for board in BOARDS:
            yield f"matrix-{board.places}{ending}", matrix(board, language)
        yield f"hall{ending}", hall(language)
        yield f"reed-position{ending}", reed_position(language)
        yield f"piece-magnets{ending}", piece_magnets(language)
        yield f"board-sizes{ending}", board_sizes(language)


if __name__ == "__main__":
    for name, text in pictures():
        (Path(__file__).parent / "pictures" / name).write_text(text, "utf-8")
