"""docs/build-a-board.md and construir-um-tabuleiro.md: tables, pins and drawings are one with the firmware's source."""

from __future__ import annotations

import importlib.util
import math
import re
import shlex
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from calibration import analogue, wiring
from damas_board.cli import _parser
from damas_board.cli.flash_words import WORDS as FLASH_WORDS
from damas_board.config import read_config
from damas_board.decoding.square_map import SquareMap
from damas_board.rules.position import initial
from damas_board.rules.variants import INTERNATIONAL, PORTUGUESE, VARIANTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SVG = "{http://www.w3.org/2000/svg}"


def module(name: str) -> ModuleType:
    """A program of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


figures = module("board_figures")
drawings = module("board_drawings")
PAGES = tuple(figures.PAGES.values())


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def source(name: str) -> str:
    return (ROOT / "firmware" / name).read_text("utf-8")


def defined(name: str, file: str) -> int:
    """What a `#define` of the firmware gives."""
    found = re.search(rf"^#define {name} (\w+)", source(file), re.MULTILINE)
    assert found is not None, (name, file)
    return int(found[1], 0)


def rows(page: str, first: str) -> list[list[str]]:
    """The cells of the one table whose head begins with `first`, without the head."""
    (table,) = re.findall(rf"^\| {re.escape(first)}.*\n\|.*\n((?:\|.*\n)+)", text(page), re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "language"), [(page, language) for language, page in figures.PAGES.items()])
def test_the_tables_of_the_page_are_what_the_figures_give(page: str, language: str) -> None:
    assert figures.filled(text(page), language) == text(page)


def commands(page: str) -> list[list[str]]:
    """The arguments of every `damas-board` of the page, those in the middle of a sentence too."""
    lines = [*re.findall(r"^    (\S.*)$", text(page), re.MULTILINE), *re.findall(r"`(damas-board [^`]+)`", text(page))]
    words = [shlex.split(line) for line in lines]
    return [line[1:] for line in words if line[0] == "damas-board"]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str) -> None:
    found = commands(page)
    assert {arguments[0] for arguments in found} == {"boards", "flash", "check-board", "calibrate", "sniff"}
    for arguments in found:
        assert callable(_parser(arguments).parse_args(arguments).call), arguments


@pytest.mark.parametrize("page", PAGES)
def test_what_flash_says_in_the_page_is_what_it_says(page: str) -> None:
    (said,) = re.findall(r"```text\n(.*)\n```", text(page))
    facts = {
        "port": "/dev/ttyUSB0",
        "uid": "00002a01",
        "firmware": "1.0",
        "board": "matrix-32",
        "places": 32,
        "size": 8,
    }
    assert said == FLASH_WORDS["flash.done"][PAGES.index(page)].format(**facts)
    version = [defined(f"FIRMWARE_{part}", "core/protocol.h") for part in ("MAJOR", "MINOR")]
    assert f" {'.'.join(map(str, version))}, " in said


@pytest.mark.parametrize("page", PAGES)
def test_there_is_an_image_of_every_board_of_the_page(page: str) -> None:
    boards = set(re.findall(r"\b((?:matrix|hall)-\d\d(?:-lights)?)\b", text(page)))
    assert len(boards) >= 9
    for board in boards:
        assert (ROOT / "firmware" / "images" / f"{board}.hex").is_file(), board


def test_both_pages_have_the_same_sections_commands_pictures_and_links() -> None:
    def shape(page: str) -> list[object]:
        sections = [len(mark) for mark in re.findall(r"^(#+) ", text(page), re.MULTILINE)]
        pictures = [
            name.removesuffix(".svg").removesuffix(".pt") for name in re.findall(r"pictures/(\S+)\)", text(page))
        ]
        links = sorted(re.findall(r"\]\((\.\./[^)]+)\)", text(page)))
        blocks = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text(page), re.DOTALL)]
        points = re.findall(r"^(\s*(?:-|\d\.)) ", text(page), re.MULTILINE)
        return [sections, commands(page), pictures, links, blocks, points]

    assert shape(PAGES[0]) == shape(PAGES[1])
    quoted = [
        sorted(re.findall(r"`([^`\n]+)`", re.sub(r"^\|.*$", "", text(page), flags=re.MULTILINE))) for page in PAGES
    ]
    assert quoted[0] == quoted[1]


@pytest.mark.parametrize("page", PAGES)
def test_the_portuguese_and_the_english_are_not_mixed(page: str) -> None:
    prose = re.sub(r"^```.*?^```|^    .*$|`[^`]*`|\(.*?\)|^\*\[.*$", "", text(page), flags=re.DOTALL | re.MULTILINE)
    others = (r"\b(the|and|board|magnet)\b", r"\b(os|uma|tabuleiro|íman)\b")
    assert not re.search(others[PAGES.index(page) ^ 1], prose)


@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_section_leads_to_one(page: str) -> None:
    sections = {
        re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in re.findall(r"^#+ (.*)$", text(page), re.M)
    }
    found = re.findall(r"\]\(#([^)]+)\)", text(page))
    assert len(found) >= 3
    assert set(found) <= sections


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_the_page_fit_the_boards_that_the_firmware_makes(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", text(page), re.DOTALL)
    (tmp_path / "club.toml").write_text('meeting = "club"\n' + "\n".join(blocks), "utf-8")
    config = read_config(tmp_path / "club.toml", {})
    quarter, colours, everywhere = config.boards
    assert [board.square_map.geometry for board in config.boards] == [geometry(32), geometry(50), geometry(64)]
    assert quarter.header.regulation == "pt-classicas"
    assert colours.header.senses == "colour"
    assert everywhere.square_map.places == 64


# --- one with the firmware --------------------------------------------------------------------------------------------


def geometry(places: int) -> int:
    return _geometry(places)[0]


def _geometry(places: int) -> tuple[int, int, int]:
    """The code, the lines, and the sensed squares of a line, from geometry.h."""
    found = re.search(
        rf"PLACES == {places}\n#define GEOMETRY (\w+)\n#define LINES (\d+)\n#define PER_LINE (\d+)",
        source("core/geometry.h"),
    )
    assert found is not None
    return int(found[1], 16), int(found[2]), int(found[3])


@pytest.mark.parametrize("board", figures.BOARDS, ids=lambda board: board.places)
def test_the_boards_are_those_of_the_firmware(board) -> None:
    assert (board.lines, board.per_line) == _geometry(board.places)[1:]
    for variant in VARIANTS.values():
        if figures.fits(board, variant) and (board.places < 64 or variant.corner == "all"):
            assert board.map_for(variant).geometry == geometry(board.places), variant.name


def firmware_rows(lines: int) -> list[str]:
    """The pins of the rows: bits from FIRST_ROW on, port D in the low byte, B in the high one."""
    matrix = source("avr/matrix.c")
    first = re.search(r"#define FIRST_ROW \(1u << PD(\d)\)", matrix)
    assert first is not None
    assert "#define ROWS (((1u << (LINES + 1)) - 1) << PD2)" in matrix
    bits = range(int(first[1]), int(first[1]) + lines + 1)
    return [f"PD{bit}" if bit < 8 else f"PB{bit - 8}" for bit in bits]


def firmware_columns(count: int) -> list[str]:
    """The pins of the columns, in the order of the bits that READ_COLUMNS makes of them."""
    matrix = source("avr/matrix.c")
    mask = int(re.search(r"#define COLUMNS_C (\w+)", matrix)[1], 16)
    read = re.search(r"#define READ_COLUMNS\(\) \(uint8_t\)(\(.*PINB.*\))", matrix)
    assert read is not None
    places = {bit: f"PC{bit}" for bit in range(8) if mask >> bit & 1}
    for one, shift in re.findall(r"\(PINB & (0x\w+)\) << (\d)", read[1]):
        pin = int(one, 16).bit_length() - 1
        places[pin + int(shift)] = f"PB{pin}"
    return [places[bit] for bit in range(count)]


@pytest.mark.parametrize("board", figures.BOARDS, ids=lambda board: board.places)
def test_the_pins_of_the_matrix_are_those_of_the_firmware(board) -> None:
    assert list(board.rows) == firmware_rows(board.lines)
    assert list(board.columns) == firmware_columns(board.per_line)
    nano = [figures.nano(pin) for pin in board.rows]
    assert nano == list(wiring.LINE_PINS[: len(nano)])
    assert [figures.nano(pin) for pin in board.columns] == list(wiring.COLUMN_PINS[: board.per_line])


def test_the_pins_of_the_analogue_board_are_those_of_the_firmware() -> None:
    hall = source("avr/hall.c")
    assert tuple(f"PB{bit}" for bit in range(8) if defined("SELECT", "avr/hall.c") >> bit & 1) == figures.SELECTS
    assert "PORTB & ~SELECT" in hall
    assert defined("CHANNELS", "avr/hall.c") == figures.CHANNELS == wiring.CHANNELS
    assert "adc_convert(place / CHANNELS)" in hall
    assert tuple(f"PC{n}" for n in range(math.ceil(64 / figures.CHANNELS))) == figures.COMMONS
    assert tuple(figures.nano(pin) for pin in figures.COMMONS) == wiring.MULTIPLEXER_PINS
    first = re.search(r"#define FIRST_PIN PD(\d)", hall)
    assert first is not None
    assert tuple(f"PD{int(first[1]) + n}" for n in range(figures.BUTTONS)) == figures.HALL_BUTTONS


def test_the_emulator_has_the_wiring_of_the_page() -> None:
    def pins(name: str) -> tuple[str, ...]:
        found = re.search(rf"const {name} = \[\n?(.*?)\];", source("emulator/matrix.mjs"), re.DOTALL)
        assert found is not None
        return tuple(f"P{port.upper()}{bit}" for port, bit in re.findall(r"\['(\w)', (\d)\]", found[1]))

    assert (pins("ROWS"), pins("COLUMNS")) == (figures.ROWS, figures.COLUMNS)


def test_no_board_uses_the_pin_of_the_lights_or_a_pin_twice() -> None:
    assert f"#define DATA (1 << {figures.LIGHTS})" in source("avr/lights.c")
    for board in figures.BOARDS:
        pins = [*board.rows, *board.columns, figures.LIGHTS, "PD0", "PD1"]
        assert len(set(pins)) == len(pins)
    pins = [*figures.SELECTS, *figures.COMMONS, *figures.HALL_BUTTONS, figures.LIGHTS, "PD0", "PD1"]
    assert len(set(pins)) == len(pins)


@pytest.mark.parametrize("page", PAGES)
def test_the_pins_of_the_page_are_those_of_the_firmware(page: str) -> None:
    """Read from the text itself, so that it holds whoever wrote it."""
    row, column, buttons = (("row", "column", "buttons' row"), ("linha", "coluna", "linha dos botões"))[
        PAGES.index(page)
    ]
    for n, board in enumerate(figures.BOARDS):
        use = {cells[1]: cells[2 + n] for cells in rows(page, "Nano | ATmega328P | `matrix")}
        pins = {what: pin for pin, what in use.items()}
        assert [pins[f"{row} {n + 1}"] for n in range(board.lines)] == firmware_rows(board.lines)[:-1]
        assert pins[buttons] == firmware_rows(board.lines)[-1]
        assert [pins[f"{column} {n + 1}"] for n in range(board.per_line)] == firmware_columns(board.per_line)
        assert len([what for what in use.values() if re.search(r" \d", what)]) == board.lines + board.per_line
    hall = rows(page, ("Nano | ATmega328P | goes to", "Nano | ATmega328P | vai para")[PAGES.index(page)])
    uses = {pin: what for _, pin, what in hall}
    assert [uses[f"PB{bit}"][:3] for bit in range(4)] == ["S0 ", "S1 ", "S2 ", "S3 "]
    for n, pin in enumerate(figures.COMMONS):
        assert [int(n) for n in re.findall(r"\d+", uses[pin])] == [n + 1, 16 * n + 1, 16 * n + 16, 0, 15]
    assert [re.search(r"(A|B|adjust|ajeito)\b", uses[pin])[1] for pin in figures.HALL_BUTTONS][:2] == ["A", "B"]
    assert len(hall) == 1 + len({*figures.SELECTS, *figures.COMMONS, *figures.HALL_BUTTONS, figures.LIGHTS})
    for nano, pins, *_ in [*rows(page, "Nano | ATmega328P | `matrix"), *hall][1:]:
        assert ", ".join(figures.nano(one) for one in pins.split(", ")) == nano


def test_the_buttons_are_the_keys_that_the_protocol_has() -> None:
    assert defined("BUTTONS", "core/geometry.h") == figures.BUTTONS
    for page in PAGES:
        keys = [cells[1] for cells in re.findall(r"^\| (.+?) \| `(F\d)` \|", text(page), re.MULTILINE)]
        assert keys == [f"F{n}" for n in range(3)]
    assert defined("FIRST_BUTTON", "core/geometry.h") == 0xF0


def test_what_the_page_says_of_the_lights_and_of_readings_is_in_the_firmware() -> None:
    for page in PAGES:
        assert f" {figures.LIGHTS_MILLIAMPS} mA" in text(page)
        assert f" {defined('LIGHTS_FOR', 'core/lights.h') // 1000} s " in text(page)
        assert re.search(rf"\b{defined('HALL_MAN', 'core/hall.h')}\s(?:counts\son|unidades\se)\b", text(page))
        less = re.findall(r"`(\w+)-(\d+)-lights` (\d+)\b", text(page))
        assert {(kind, int(places)): int(most) for kind, places, most in less} == figures.LESS_LIGHT
    assert defined("HALL_KING", "core/hall.h") == 255
    assert re.search(rf"define LIGHTS_MILLIAMPS {figures.LIGHTS_MILLIAMPS}\b", source("core/lights.h"))
    built = re.findall(r"^LIGHTS_OF_(\w+)-(\d+)-lights := (\d+)$", source("Makefile"), re.MULTILINE)
    assert {(kind, int(places)): int(most) for kind, places, most in built} == figures.LESS_LIGHT


def test_the_page_names_what_a_port_gives_and_nothing_else() -> None:
    given = set(re.findall(r"\b(port_\w+)[(;]", source("core/port.h")))
    for page in PAGES:
        assert set(re.findall(r"`(port_\w+)`", text(page))) == given


# --- arithmetic -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_the_quantities_are_right(page: str) -> None:
    parts = ("part | `matrix", "peça | `matrix"), ("part | `hall", "peça | `hall")
    matrix, hall = (rows(page, heads[PAGES.index(page)]) for heads in parts)
    places = [32, 50, 64]

    def quantity(table: list[list[str]], name: str) -> list[int]:
        (cells,) = [cells for cells in table if name in cells[0]]
        return [int(cell) for cell in cells[1:]]

    assert quantity(matrix, "reed") == places
    assert quantity(matrix, "1N4148") == [n + 3 for n in places]
    assert quantity(hall, "Hall") == places
    assert quantity(hall, "74HC4067") == [2, 4, 4]
    assert quantity(hall, "100 nF") == [34, 54, 68]
    for table in (matrix, hall):
        assert quantity(table, "WS2812") == places
        assert quantity(table, ("magnet", "íman")[PAGES.index(page)]) == [24, 40, 32]
        assert quantity(table, "330 Ω") == [1, 1, 1]
    assert initial(INTERNATIONAL).occupied.bit_count() == 40
    assert all(initial(v).occupied.bit_count() == 24 for v in VARIANTS.values() if (v.size, v.corner) == (8, "right"))


@pytest.mark.parametrize("page", PAGES)
def test_the_sums_of_the_supply_are_right(page: str) -> None:
    table = rows(page, ("board | Nano", "tabuleiro | Nano")[PAGES.index(page)])
    assert len(table) == 6
    for name, alone, lit in table:
        places = int(re.findall(r"\d+", name)[0])
        nano, sensors, sum_ = map(int, re.findall(r"\d+", alone))
        again, dark, light, whole = map(int, re.findall(r"\d+", lit))
        assert (nano + sensors, again + dark + light, again, dark) == (sum_, whole, sum_, places)
        assert sensors == (6 * places if "hall" in name else math.ceil({32: 4, 50: 5, 64: 8}[places] * 0.25))
        assert whole <= 500


def test_beside_the_axis_the_field_joins_the_formula_on_it() -> None:
    for magnet in figures.MAGNETS:
        for below in (4, 6, 12):
            along_x, along_axis = figures.field(magnet, 0, below)
            assert along_axis == pytest.approx(figures.on_axis(magnet, below), rel=0.02)
            assert along_x == pytest.approx(0, abs=1e-9)


def test_far_away_the_field_is_that_of_a_dipole() -> None:
    moment = figures.REMANENCE * math.pi * 5**2 * 2 / (4 * math.pi)
    assert figures.field((10, 2), 0, 99)[1] == pytest.approx(2 * moment / 100**3, rel=0.01)
    assert figures.field((10, 2), 100, -1)[1] == pytest.approx(-moment / 100**3, rel=0.01)


def test_a_piece_is_seen_from_the_share_on_that_calibration_gives_it() -> None:
    assert figures.SEEN_FROM == analogue.MAN_SHARE
    for page in PAGES:
        assert f"{100 * analogue.MAN_SHARE:.0f} % " in text(page)


def test_a_lying_contact_is_open_under_the_middle_only() -> None:
    for magnet in figures.MAGNETS:
        assert figures.reed(magnet, 0, standing=False) == pytest.approx(0, abs=1e-9)
        reached = [figures.reed(magnet, figures.ASIDE + off, standing=False) for off in range(-5, 6)]
        assert min(reached) > 3, "of 1 to 3 mT"
        assert figures.reed(magnet, 5, standing=True) > 3


# --- drawings ---------------------------------------------------------------------------------------------------------

PICTURES = dict(drawings.pictures())


@pytest.mark.parametrize("name", PICTURES)
def test_the_drawings_are_what_the_program_draws(name: str) -> None:
    assert (DOCS / "pictures" / name).read_text("utf-8") == PICTURES[name]


@pytest.mark.parametrize("name", PICTURES)
def test_a_drawing_needs_nothing_else_and_is_readable_on_light_and_dark(name: str) -> None:
    svg = PICTURES[name]
    ElementTree.fromstring(svg)
    assert not re.search(r"url\(|@import|<script|<image|@font-face", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    light, dark = svg.split("@media (prefers-color-scheme:dark)")
    assert ".page{fill:" in light
    assert ".page{fill:" in dark
    used = {one for style in re.findall(r'class="([^"]+)"', svg) for one in style.split()}
    assert used <= set(re.findall(r"\.(\w+)[{,]", svg)), "a class without a style"


def words(name: str) -> list[tuple[float, float, str, str]]:
    return [
        (float(e.get("x", "0")), float(e.get("y", "0")), e.text or "", e.get("class", ""))
        for e in ElementTree.fromstring(PICTURES[name]).iter(f"{SVG}text")
    ]


@pytest.mark.parametrize("name", PICTURES)
def test_no_word_lies_over_another_or_outside_of_the_drawing(name: str) -> None:
    """With letters as wide as they are in the widest of the usual fonts."""
    boxes = []
    for x, y, text_, style in words(name):
        size = 16 if "big" in style else 10 if "small" in style else 12
        wide = len(text_) * size * (0.66 if "bold" in style or "big" in style else 0.58)
        left = x - wide if "end" in style else x - wide / 2 if "mid" in style else x
        boxes.append((left, y - size * 0.75, left + wide, y, text_))
    width, height = map(int, re.search(r'width="(\d+)" height="(\d+)"', PICTURES[name]).groups())
    for n, (left, top, right, bottom, text_) in enumerate(boxes):
        assert left >= 0
        assert right <= width, text_
        assert top >= 0
        assert bottom <= height, text_
        for other in boxes[n + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (text_, other[4])


@pytest.mark.parametrize("board", figures.BOARDS, ids=lambda board: board.places)
def test_a_matrix_is_drawn_with_the_pins_of_the_firmware(board) -> None:
    name = f"matrix-{board.places}.svg"
    pins = {y - 4: text_ for x, y, text_, _ in words(name) if x == 122}
    root = ElementTree.fromstring(PICTURES[name])
    starts = {
        kind: [
            e.get("d", "")
            for e in root.iter(f"{SVG}path")
            if e.get("class") == kind and e.get("d", "").startswith("M130")
        ]
        for kind in ("row", "column")
    }
    heights = {kind: [float(re.findall(r"M130 ([\d.]+)", d)[0]) for d in paths] for kind, paths in starts.items()}
    assert [pins[y] for y in heights["row"]] == [figures.nano(pin) for pin in firmware_rows(board.lines)]
    assert [pins[y] for y in heights["column"]] == [figures.nano(pin) for pin in firmware_columns(board.per_line)]
    crossings = [e.get("href") for e in root.iter(f"{SVG}use")]
    assert crossings.count("#contact") == board.places + 1, "and one that is large"
    assert crossings.count("#button") == 3
    assert crossings.count("#diode") == board.places + 3 + 1


@pytest.mark.parametrize("board", figures.BOARDS, ids=lambda board: board.places)
def test_a_place_is_drawn_at_its_row_and_column_and_with_its_names(board) -> None:
    found = words(f"matrix-{board.places}.svg")
    lines = {
        y + 5: int(text_.split()[1])
        for _, y, text_, style in found
        if re.fullmatch(r"row \d+", text_) and "bold" in style
    }
    columns = {x - 7: int(text_.split()[1]) for x, _, text_, _ in found if re.fullmatch(r"column \d", text_)}
    places = [
        (int(text_), lines[y + 22], columns[x - 64]) for x, y, text_, _ in found if text_.isdigit() and y + 22 in lines
    ]
    assert len(places) == board.places
    for place, line, column in places:
        assert place == (line - 1) * board.per_line + column
        names = [text_ for x, y, text_, _ in found if columns.get(x - 64) == column and lines.get(y + 9) == line]
        expected = " · ".join(board.name(place, variant) for variant in board.plays)
        assert names == ([expected] if board.places != 50 else []), "50: the number of the place is the name"
    if board.places == 50:
        assert all(board.name(place, INTERNATIONAL) == str(place) for place in range(1, 51))


def test_where_the_dark_corner_is_at_the_right_the_board_is_turned_by_a_quarter() -> None:
    board = figures.BOARDS[0]
    assert board.map_for(PORTUGUESE) == SquareMap(8, "right", "black-right")
    assert board.name(1, PORTUGUESE) == "25"
    assert board.name(32, PORTUGUESE) == "8"
    assert 'corner = "black-right"' in PICTURES["matrix-32.svg"]


def test_the_multiplexers_are_drawn_with_their_places() -> None:
    found = words("hall.svg")
    for n, pin in enumerate(figures.COMMONS):
        (common,) = [x for x, y, text_, _ in found if text_ == figures.nano(pin) and y == 110]
        channels = {text_: y for x, y, text_, _ in found if re.fullmatch(r"C\d+", text_) and abs(x - common) < 30}
        at = {
            y: int(text_)
            for x, y, text_, style in found
            if text_.isdigit() and common < x < common + 100 and "bold" in style
        }
        assert [at[channels[f"C{channel}"]] for channel in range(16)] == [16 * n + channel + 1 for channel in range(16)]
    top = {text_: x for x, y, text_, _ in found if y == 110}
    for n, pin in enumerate(figures.SELECTS):
        assert any(text_ == f"S{n}" and x == top[figures.nano(pin)] + 4 for x, _, text_, _ in found)


def test_the_field_in_the_drawing_of_magnets_is_that_of_the_table() -> None:
    own, two, over = (f(drawings.PICTURED_MAGNET) for f in (figures.man, figures.stack, figures.turned))
    for value in (own, two, over):
        assert f"{value:.0f} mT" in PICTURES["piece-magnets.svg"]
        assert f"{value:.0f} mT" in text(PAGES[0])


# --- firmware/README.md -----------------------------------------------------------------------------------------------


def test_the_targets_and_files_that_the_firmwares_readme_names_are_there() -> None:
    readme = source("README.md")
    made = source("Makefile") + source("host/host.mk")
    targets = re.findall(r"^    make -C firmware (\w[\w-]*)? ", readme, re.MULTILINE)
    assert len(targets) >= 7
    for target in filter(None, targets):
        assert re.search(rf"^{target}:", made, re.MULTILINE), target
    folders = re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE)
    assert {"core", "avr", "host", "emulator", "tests", "images"} == set(folders)
    for name in [*folders, *re.findall(r"`((?:avr|emulator|core)/[\w.]+)`", readme)]:
        assert (ROOT / "firmware" / name).exists(), name
    for name in re.findall(r"`(\w+\.[ch])`", readme):
        assert (ROOT / "firmware" / "core" / name).exists(), name
    for name in re.findall(r"`(protocol_\w+)", readme + text(PAGES[0])):
        assert f" {name}(" in source("core/protocol.h"), name
