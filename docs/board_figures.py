"""The figures of build-a-board.md: pins, parts, currents, fields. `python docs/board_figures.py` prints its tables.

The pins are those of firmware/avr and are fixed. Fields are computed, nobody measured them: a disc magnet is two sheets
of magnetic charge, its remanence 1.2 T, in air, without iron anywhere near; on the axis that is the closed formula for
discs, beside it a sum over small pieces of the sheets. What is printed is put into the page as well; with `pt` behind
it that is the Portuguese one.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from damas_board.decoding.square_map import SquareMap
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.variant import Variant
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE, TURKISH, VARIANTS

Language = Literal["en", "pt"]

ROWS = ("PD2", "PD3", "PD4", "PD5", "PD6", "PD7", "PB0", "PB1", "PB2", "PB3", "PB4")
COLUMNS = ("PC0", "PC1", "PC2", "PC3", "PC4", "PC5", "PB4", "PB3")
SELECTS = ("PB0", "PB1", "PB2", "PB3")
COMMONS = ("PC0", "PC1", "PC2", "PC3")
HALL_BUTTONS = ("PD2", "PD3", "PD4")
LIGHTS = "PB5"
CHANNELS = 16
BUTTONS = 3

SQUARE, MAN = 45, 35
"""What the drawings and the length of wire are for, mm; 003 art. 2 has 40 to 50 and 30 to 40."""
THICK = 8
"""A man, mm: the most that 003 art. 2 allows."""
GAP = 6
"""From the underside of the magnet to the sensor, mm: the square's top, its felt, the sensor's own case."""
REMANENCE = 1200
"""mT; the usual grades of neodymium."""
MAGNETS = ((10, 2), (15, 3), (20, 3), (25, 3))
"""Diameter and height, mm."""
SEEN_FROM = 0.4
"""From this share of a man's field on the board sees a piece, when it is calibrated."""
DIAGONAL = (40 * math.sqrt(2),) * 4
ALL_AROUND = (40.0,) * 4 + DIAGONAL
"""How far the neighbours of a square are where squares are smallest, mm."""
REED_GLASS = 14
ASIDE = 10
"""How far from the middle of the square a lying contact is mounted, mm."""
ASTRAY = 5
"""How far from the middle of its square a man may stand, mm: half of what the square is wider."""

SENSORS = (
    ("DRV5055A1", 100, 21),
    ("DRV5055A2", 50, 42),
    ("DRV5055A3", 25, 85),
    ("DRV5055A4", 12.5, 169),
    ("SS49E", 14, 100),
)
"""Name, mV a mT, the field at which it is at its end, mT: at 5 V, from the makers' sheets; typical values."""
COUNT_MILLIVOLTS = 5000 / 256

USB_MILLIAMPS = 500
NANO_MILLIAMPS = 30
PULL_UP_OHMS = 20_000
SENSOR_MILLIAMPS = 6
DARK_LIGHT_MILLIAMPS = 1
LIGHTS_MILLIAMPS = 150
"""What the firmware lets all lights take together (firmware/core/lights.h),"""
LESS_LIGHT = {("hall", 50): 100, ("hall", 64): 20}
"""and where that would be too much for USB (firmware/Makefile)."""


@dataclass(frozen=True)
class Board:
    """`lines` of squares with `per_line` sensed ones each; `plays` are the games whose names of squares are drawn."""

    places: int
    lines: int
    per_line: int
    plays: tuple[Variant, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """The pins of the rows; the last one is the buttons'."""
        return ROWS[: self.lines + 1]

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS[: self.per_line]

    @property
    def size(self) -> int:
        return self.lines

    def map_for(self, variant: Variant) -> SquareMap:
        """The places under a game. Where its dark corner is on the other side the connector lies at Black's right."""
        dark = "all" if self.places == self.size**2 else variant.corner
        return SquareMap(self.size, dark, "black-right" if dark == "right" else "black-left")

    def name(self, place: int, variant: Variant) -> str:
        return variant.geometry.name(self.map_for(variant).square(place))

    @property
    def multiplexers(self) -> int:
        return math.ceil(self.places / CHANNELS)

    @property
    def pieces(self) -> int:
        """In a set: the most that any of its games begins with."""
        return max(len(tuple(squares_of(initial(variant).occupied))) for variant in self.plays)


BOARDS = (
    Board(32, 8, 4, (BRAZILIAN, PORTUGUESE)),
    Board(50, 10, 5, (INTERNATIONAL,)),
    Board(64, 8, 8, (TURKISH,)),
)


def nano(pin: str) -> str:
    """What is printed on the Nano beside a pin of the ATmega328P."""
    port, number = pin[1], int(pin[2:])
    return {"D": f"D{number}", "B": f"D{8 + number}", "C": f"A{number}"}[port]


def fits(board: Board, variant: Variant) -> bool:
    """Whether the game can be played on it; every square sensed is enough for all games of that size."""
    sensed = board.size**2 if variant.corner == "all" else board.size**2 // 2
    return variant.size == board.size and board.places >= sensed


def on_axis(magnet: tuple[int, int], below: float) -> float:
    """mT on the axis of a disc, `below` mm under its underside."""
    diameter, height = magnet

    def end(z: float) -> float:
        return z / math.hypot(diameter / 2, z)

    return REMANENCE / 2 * (end(below + height) - end(below))


@cache
def _sheet(diameter: int) -> tuple[tuple[float, float, float], ...]:
    """Pieces of a disc: x, y (one half, the other is its mirror image) and area, mm."""
    rings, parts = 12, 24
    step = diameter / 2 / rings
    pieces = []
    for ring in range(rings):
        radius = (ring + 0.5) * step
        for part in range(parts):
            angle = math.pi * (part + 0.5) / parts
            area = 2 * radius * step * math.pi / parts
            pieces.append((radius * math.cos(angle), radius * math.sin(angle), area))
    return tuple(pieces)


@cache
def field(magnet: tuple[int, int], aside: float, below: float) -> tuple[float, float]:
    """mT along x and along the axis, `aside` mm from the axis (along x) and `below` mm under the underside."""
    diameter, height = magnet
    along_x = along_axis = 0.0
    for z, sign in ((below, -1), (below + height, 1)):
        for x, y, area in _sheet(diameter):
            away = (aside - x) ** 2 + y**2 + z**2
            share = sign * area / (away * math.sqrt(away))
            along_x += share * (aside - x)
            along_axis += share * z
    scale = REMANENCE / (4 * math.pi)
    return scale * along_x, -scale * along_axis


@cache
def reed(magnet: tuple[int, int], aside: float, *, standing: bool, gap: float = GAP) -> float:
    """mT along a contact, averaged over its glass, whose middle is `aside` mm beside the axis of the magnet."""
    samples = [(n + 0.5) / 10 * REED_GLASS for n in range(10)]
    if standing:
        values = [field(magnet, aside, gap + down)[1] for down in samples]
    else:
        values = [field(magnet, round(aside + along - REED_GLASS / 2, 6), gap)[0] for along in samples]
    return abs(sum(values) / len(values))


def man(magnet: tuple[int, int], gap: float = GAP) -> float:
    return on_axis(magnet, gap)


def stack(magnet: tuple[int, int], gap: float = GAP) -> float:
    """Two men, the magnets the same way up."""
    return on_axis(magnet, gap) + on_axis(magnet, gap + THICK)


def turned(magnet: tuple[int, int], gap: float = GAP) -> float:
    """A man upside down: the other pole, from further away."""
    return -on_axis(magnet, gap + THICK - magnet[1])


def astray(magnet: tuple[int, int], gap: float = GAP) -> float:
    return abs(field(magnet, ASTRAY, gap)[1])


def neighbours(magnet: tuple[int, int], apart: Sequence[float], gap: float = GAP) -> float:
    """What men on the squares around do to an empty one; `apart` their distances, mm."""
    return sum(field(magnet, distance, gap)[1] for distance in apart)


def counts(millivolts: float, most: float, millitesla: float) -> int:
    """Counts of the ADC (eight bits) off zero, as far as the sensor goes."""
    return round(min(abs(millitesla), most) * millivolts / COUNT_MILLIVOLTS)


# --- tables -----------------------------------------------------------------------------------------------------------

WORDS = {
    "board": ("board", "tabuleiro"),
    "row": ("row {n}", "linha {n}"),
    "column": ("column {n}", "coluna {n}"),
    "buttons' row": ("buttons' row", "linha dos botões"),
    "lights": ("lights, data (option)", "luzes, dados (opcional)"),
    "nothing": ("nothing", "nada"),
    "usb": ("USB: leave free", "USB: deixar livre"),
}


def word(language: Language, key: str, **values: object) -> str:
    return WORDS[key][language == "pt"].format(**values)


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines) + "\n"


def saying(language: Language) -> Callable[[str, str], str]:
    """Chooses between the English words and the Portuguese ones."""

    def say(english: str, portuguese: str) -> str:
        return portuguese if language == "pt" else english

    return say


def boards_table(language: Language) -> str:
    say = saying(language)
    rows = []
    for board in BOARDS:
        own = [v.name for v in VARIANTS.values() if fits(board, v) and (board.places < 64 or v.corner == "all")]
        games = ", ".join(f"`{name}`" for name in own)
        if board.places == 64:
            games += say(
                ' and, with `covers = "all"`, all games of 32 places',
                ' e, com `covers = "all"`, todos os jogos de 32 lugares',
            )
        pins = len(board.rows) + len(board.columns)
        matrix = f"{len(board.rows)} x {len(board.columns)} = {pins} {say('pins', 'pinos')}"
        rows.append(
            [
                f"`matrix-{board.places}`",
                f"`hall-{board.places}`",
                f"{board.size} x {board.size}",
                board.places,
                matrix,
                games,
            ]
        )
    head = [
        say("reed contacts", "contactos reed"),
        say("Hall sensors", "sensores de Hall"),
        say("squares", "casas"),
        say("places", "lugares"),
        say("matrix with the buttons' row", "matriz com a linha dos botões"),
        say("variants", "variantes"),
    ]
    return _table(head, rows)


def _use(board: Board, pin: str, language: Language) -> str:
    if pin in board.rows:
        last = pin == board.rows[-1]
        return word(language, "buttons' row") if last else word(language, "row", n=board.rows.index(pin) + 1)
    if pin in board.columns:
        return word(language, "column", n=board.columns.index(pin) + 1)
    return word(language, "lights" if pin == LIGHTS else "nothing")


def matrix_pins_table(language: Language) -> str:
    pins = sorted({*ROWS, *COLUMNS, LIGHTS}, key=lambda pin: ("DBC".index(pin[1]), pin))
    rows = [["D0, D1", "PD0, PD1", *[word(language, "usb")] * len(BOARDS)]]
    rows += [[nano(pin), pin, *(_use(board, pin, language) for board in BOARDS)] for pin in pins]
    return _table(["Nano", "ATmega328P", *(f"`matrix-{board.places}`" for board in BOARDS)], rows)


def hall_pins_table(language: Language) -> str:
    say = saying(language)
    buttons = (say("clock A", "relógio A"), say("clock B", "relógio B"), say("adjust", "ajeito"))
    rows = [["D0, D1", "PD0, PD1", word(language, "usb")]]
    rows += [
        [nano(pin), pin, say(f"button: {name}, to ground", f"botão: {name}, à massa")]
        for pin, name in zip(HALL_BUTTONS, buttons, strict=True)
    ]
    rows += [
        [nano(pin), pin, say(f"S{n} of all multiplexers", f"S{n} de todos os multiplexadores")]
        for n, pin in enumerate(SELECTS)
    ]
    rows += [[nano(LIGHTS), LIGHTS, word(language, "lights")]]
    for n, pin in enumerate(COMMONS):
        first, last = n * CHANNELS + 1, (n + 1) * CHANNELS
        rows.append(
            [
                nano(pin),
                pin,
                say(
                    f"common of multiplexer {n + 1}: places {first} to {last} on its channels 0 to 15",
                    f"comum do multiplexador {n + 1}: lugares {first} a {last} nos canais 0 a 15",
                ),
            ]
        )
    return _table(["Nano", "ATmega328P", say("goes to", "vai para")], rows)


def wire_metres(board: Board) -> int:
    """Each row and each column: once along the board, and as much again to the Nano."""
    return math.ceil(2 * (len(board.rows) + len(board.columns)) * board.size * SQUARE / 1000)


def parts_table(language: Language, kind: Literal["matrix", "hall"]) -> str:
    say = saying(language)

    def row(english: str, portuguese: str, quantity: Sequence[object]) -> list[object]:
        return [say(english, portuguese), *quantity]

    places = [board.places for board in BOARDS]
    one, three = [1] * len(BOARDS), [BUTTONS] * len(BOARDS)
    rows = [row("Arduino Nano (ATmega328P, 16 MHz, 5 V)", "Arduino Nano (ATmega328P, 16 MHz, 5 V)", one)]
    if kind == "matrix":
        rows += [
            row(
                "reed contact, normally open, glass 14 mm", "contacto reed, normalmente aberto, ampola de 14 mm", places
            ),
            row(
                "diode 1N4148: one a contact, one a button",
                "díodo 1N4148: um por contacto, um por botão",
                [n + BUTTONS for n in places],
            ),
            row("insulated wire, m", "fio isolado, m", [wire_metres(board) for board in BOARDS]),
        ]
    else:
        multiplexers = [board.multiplexers for board in BOARDS]
        rows += [
            row("linear ratiometric Hall sensor", "sensor de Hall linear, raciométrico", places),
            row("74HC4067 (16 channels, on a small board)", "74HC4067 (16 canais, numa plaquinha)", multiplexers),
            row(
                "capacitor 100 nF: one a sensor, one a multiplexer",
                "condensador 100 nF: um por sensor, um por multiplexador",
                [n + m for n, m in zip(places, multiplexers, strict=True)],
            ),
            row("capacitor 100 µF, at the supply", "condensador 100 µF, na alimentação", one),
        ]
    rows += [
        row(
            "button or lever switch: clock A, clock B, adjust",
            "botão ou interruptor de alavanca: relógio A, relógio B, ajeito",
            three,
        ),
        row("plug and socket with 4 contacts, for the clock", "ficha e tomada de 4 contactos, para o relógio", one),
        row("strip of 15 sockets, for the Nano", "barra de 15 contactos fêmea, para o Nano", [2] * len(BOARDS)),
        row("USB cable for data, with strain relief", "cabo USB de dados, com alívio de tensão", one),
        row("magnet: one a piece of the set", "íman: um por peça do jogo", [board.pieces for board in BOARDS]),
        row("option: WS2812 light, one a place", "opcional: luz WS2812, uma por lugar", places),
        row("option: 330 Ω, in the lights' data", "opcional: 330 Ω, nos dados das luzes", one),
        row("option: capacitor 100 µF, at the first light", "opcional: condensador 100 µF, na primeira luz", one),
    ]
    return _table([say("part", "peça"), *(f"`{kind}-{board.places}`" for board in BOARDS)], rows)


@dataclass(frozen=True)
class Budget:
    """What a board takes from the USB port, mA."""

    sensors: int
    dark_lights: int
    lit_lights: int

    @property
    def alone(self) -> int:
        return NANO_MILLIAMPS + self.sensors

    @property
    def lit(self) -> int:
        return self.alone + self.dark_lights + self.lit_lights


def budget(board: Board, kind: Literal["matrix", "hall"]) -> Budget:
    scanned = math.ceil(board.per_line * 5 / PULL_UP_OHMS * 1000)
    sensors = scanned if kind == "matrix" else board.places * SENSOR_MILLIAMPS
    lit = LESS_LIGHT.get((kind, board.places), LIGHTS_MILLIAMPS)
    return Budget(sensors, board.places * DARK_LIGHT_MILLIAMPS, lit)


def supply_table(language: Language) -> str:
    say = saying(language)
    rows = []
    for kind in ("matrix", "hall"):
        for board in BOARDS:
            sum_ = budget(board, kind)
            with_lights = f"{sum_.alone} + {sum_.dark_lights} + {sum_.lit_lights} = {sum_.lit}"
            alone = f"{NANO_MILLIAMPS} + {sum_.sensors} = {sum_.alone}"
            rows.append([f"`{kind}-{board.places}`", alone, with_lights])
    head = [
        say("board", "tabuleiro"),
        say("Nano + sensors", "Nano + sensores"),
        say("with lights: + dark lights + lit ones", "com luzes: + luzes apagadas + acesas"),
    ]
    return _table(head, rows)


def _magnet(magnet: tuple[int, int]) -> str:
    return f"{magnet[0]} x {magnet[1]} mm"


def _more(value: float, than: float) -> str:
    return f"{100 * (value - than) / than:+.0f} %"


def fields_table(language: Language) -> str:
    """At GAP: a man, a man astray, a stack, turned over, and what neighbours do."""
    say = saying(language)
    rows = []
    for magnet in MAGNETS:
        own, over = man(magnet), turned(magnet)
        share = abs(over) / own
        seen = say("nothing", "nada") if share < SEEN_FROM else say("a man of the other colour", "um peão da outra cor")
        rows.append(
            [
                _magnet(magnet),
                f"{own:.0f} mT",
                _more(astray(magnet), own),
                f"{stack(magnet):.0f} mT ({_more(stack(magnet), own)})",
                f"{over:.0f} mT ({100 * share:.0f} %): {seen}",
                f"{100 * abs(neighbours(magnet, DIAGONAL)) / own:.1f} %",
                f"{100 * abs(neighbours(magnet, ALL_AROUND)) / own:.0f} %",
            ]
        )
    head = [
        say("magnet in the foot", "íman no pé da peça"),
        say("man in the middle", "peão ao centro"),
        say(f"man {ASTRAY} mm astray", f"peão {ASTRAY} mm ao lado"),
        say("stack of two", "pilha de duas"),
        say("turned over, and what the board says", "virada ao contrário, e o que o tabuleiro diz"),
        say("4 neighbours on dark squares", "4 vizinhas em casas escuras"),
        say("8 neighbours, all squares", "8 vizinhas, todas as casas"),
    ]
    return _table(head, rows)


def gaps_table(language: Language, magnet: tuple[int, int] = (20, 3)) -> str:
    """The same magnet, further away."""
    say = saying(language)
    rows = []
    for gap in (4, 6, 8, 10, 12):
        own = man(magnet, gap)
        rows.append(
            [
                f"{gap} mm",
                f"{own:.0f} mT",
                _more(astray(magnet, gap), own),
                f"{stack(magnet, gap):.0f} mT ({_more(stack(magnet, gap), own)})",
                f"{100 * abs(neighbours(magnet, ALL_AROUND, gap)) / own:.0f} %",
            ]
        )
    head = [
        say(f"{_magnet(magnet)}, this far from the sensor", f"{_magnet(magnet)}, a esta distância do sensor"),
        say("man in the middle", "peão ao centro"),
        say(f"man {ASTRAY} mm astray", f"peão {ASTRAY} mm ao lado"),
        say("stack of two", "pilha de duas"),
        say("8 neighbours, all squares", "8 vizinhas, todas as casas"),
    ]
    return _table(head, rows)


def sensors_table(language: Language) -> str:
    """Counts off zero, man / stack; `*` where the stack brings the sensor to its end."""
    say = saying(language)
    rows = []
    for name, millivolts, most in SENSORS:
        cells = []
        for magnet in MAGNETS:
            one, two = counts(millivolts, most, man(magnet)), counts(millivolts, most, stack(magnet))
            beyond = "*" if stack(magnet) > most else ""
            cells.append(say("at its end", "no limite") if man(magnet) >= most else f"{one} / {two}{beyond}")
        rows.append([f"`{name}`", f"{millivolts:g}", f"±{most}", *cells])
    head = [
        "sensor",
        say("mV a mT", "mV por mT"),
        say("at its end, mT", "limite, mT"),
        *(_magnet(magnet) for magnet in MAGNETS),
    ]
    return _table(head, rows)


def reeds_table(language: Language) -> str:
    """Along the contact, mT: standing and lying, the man in the middle and astray; the nearest neighbour at worst."""
    say = saying(language)

    def values(magnet: tuple[int, int], *ways: tuple[float, bool]) -> str:
        return " / ".join(f"{reed(magnet, round(aside, 1), standing=standing):.1f}" for aside, standing in ways)

    dark = (DIAGONAL[0] - ASTRAY, True), (math.hypot(40 - ASIDE, 40) - ASTRAY, False)
    full = (40 - ASTRAY, True), (40 - ASIDE - ASTRAY, False)
    rows = [
        [
            _magnet(magnet),
            values(magnet, (0, True), (ASTRAY, True)),
            values(magnet, (0, False), (ASTRAY, False)),
            values(magnet, (ASIDE - ASTRAY, False), (ASIDE, False), (ASIDE + ASTRAY, False)),
            values(magnet, *dark),
            values(magnet, *full),
        ]
        for magnet in MAGNETS
    ]
    middle, astray_ = say("man in the middle", "peão ao centro"), say(f"{ASTRAY} mm astray", f"{ASTRAY} mm ao lado")
    aside = say(f"lying {ASIDE} mm aside: ", f"deitado {ASIDE} mm ao lado: ")
    both = say("standing / lying aside", "de pé / deitado ao lado")
    head = [
        say("magnet", "íman"),
        say("standing: ", "de pé: ") + f"{middle} / {astray_}",
        say("lying under the middle: ", "deitado sob o centro: ") + f"{middle} / {astray_}",
        aside
        + say(
            f"man {ASTRAY} mm nearer / in the middle / {ASTRAY} mm further",
            f"peão {ASTRAY} mm mais perto / ao centro / {ASTRAY} mm mais longe",
        ),
        say("neighbour, dark squares only: ", "vizinha, só casas escuras: ") + both,
        say("neighbour, all squares: ", "vizinha, todas as casas: ") + both,
    ]
    return _table(head, rows)


def tables(language: Language) -> tuple[str, ...]:
    """All tables, in the order of the page."""
    return (
        boards_table(language),
        parts_table(language, "matrix"),
        parts_table(language, "hall"),
        supply_table(language),
        matrix_pins_table(language),
        hall_pins_table(language),
        reeds_table(language),
        fields_table(language),
        gaps_table(language),
        sensors_table(language),
    )


PAGES: Mapping[Language, str] = {"en": "build-a-board.md", "pt": "construir-um-tabuleiro.md"}


def filled(page: str, language: Language) -> str:
    """The text of a page with each table, known by its head, as it has to be. ValueError where one is not there."""
    for table in tables(language):
        head = re.escape(table.splitlines()[0])
        page, found = re.subn(rf"^{head}\n(?:\|.*\n)*", table, page, flags=re.MULTILINE)
        if found != 1:
            raise ValueError(f"{PAGES[language]}: {found} tables begin with {table.splitlines()[0]}")
    return page


if __name__ == "__main__":
    wanted: Language = "pt" if sys.argv[1:] == ["pt"] else "en"
    path = Path(__file__).with_name(PAGES[wanted])
    path.write_text(filled(path.read_text("utf-8"), wanted), "utf-8")
    sys.stdout.write("\n".join(tables(wanted)))
