"""The sheet of corner cards: what is printed is what is read."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from calibration.marker_sheet import (
    PAPERS,
    RULER,
    Box,
    Card,
    Label,
    Line,
    Sheet,
    SheetWords,
    TooLargeError,
    pdf,
    sheet,
    svg,
)
from damas_board.decoding.vision.markers import CORNER_IDS, marker_bits, markers_in
from damas_board.decoding.vision.picture import Picture

WORDS = SheetWords("Cartões <&>", ["first", "second"], "100 mm", "White", "Black")


def made(size: float = 30.0, paper: str = "A4") -> Sheet:
    cards = [Card(marker_bits(number).tolist(), (f"{number} · à esquerda", "seen")) for number in CORNER_IDS]
    return sheet(cards, WORDS, size, paper)


def painted(boxes: list[tuple[float, float, float, float, int]], scale: float = 4.0) -> Picture:
    """Boxes (x, y, width, height, grey level) on white paper, pixels a millimetre."""
    picture = np.full((round(300 * scale), round(220 * scale), 3), 255, np.uint8)
    for x, y, width, height, level in boxes:
        ends = [(round(x * scale), round(y * scale)), (round((x + width) * scale) - 1, round((y + height) * scale) - 1)]
        cv2.rectangle(picture, *ends, (level, level, level), -1)
    return picture


def shown(picture: Picture) -> list[int]:
    """The numbers of the cards in a picture, from its left to its right and down."""
    found = sorted(markers_in(picture), key=lambda card: (round(card.middle[1] / 100), card.middle[0]))
    return [card.id for card in found]


def svg_boxes(text: str) -> list[tuple[float, float, float, float, int]]:
    boxes = []
    for rect in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}rect"):
        place = (float(rect.get(key, "0")) for key in ("x", "y", "width", "height"))
        boxes.append((*place, int(rect.get("fill", "#ffffff")[1:3], 16)))
    return boxes


@pytest.mark.parametrize("paper", PAPERS)
def test_the_squares_of_the_svg_are_read_as_the_four_cards_laid_as_on_the_table(paper: str) -> None:
    assert shown(painted(svg_boxes(svg(made(paper=paper))))) == [3, 2, 0, 1]


def test_a_marker_has_the_size_that_was_asked_for_and_five_millimetres_of_white_around_it() -> None:
    found = markers_in(painted(svg_boxes(svg(made(size=40.0))), scale=5.0))
    assert {round(float(np.ptp(card.corners[:, 0])) / 5) for card in found} == {40}
    sheet_ = made(size=40.0)
    squares = [shape for shape in sheet_.shapes if isinstance(shape, Box) and shape.width == shape.height == 40]
    others = [shape for shape in sheet_.shapes if not (isinstance(shape, Box) and _within(shape, squares))]
    assert len(squares) == 4
    for square in squares:
        for shape in others:
            edges = _edges(shape)
            apart = max(square.x - edges[2], edges[0] - square.x - 40, square.y - edges[3], edges[1] - square.y - 40)
            assert apart >= 5 - 1e-6, shape


def _within(box: Box, squares: list[Box]) -> bool:
    return any(s.x <= box.x and s.y <= box.y and box.x + box.width <= s.x + s.width + 1e-6
               and box.y + box.height <= s.y + s.height + 1e-6 for s in squares)  # fmt: skip


def _edges(shape: Box | Line | Label) -> tuple[float, float, float, float]:
    match shape:
        case Box(x, y, width, height):
            return x, y, x + width, y + height
        case Line(x, y, to_x, to_y):
            return x, y, to_x, to_y
        case Label(x, y, text, height):
            return x, y - height * 0.8, x + len(text) * height * 0.6, y


def test_everything_is_on_the_paper_and_the_ruler_is_100_mm_long() -> None:
    for paper, (width, height) in PAPERS.items():
        for size in (15.0, 30.0, 55.0):
            sheet_ = made(size, paper)
            for shape in sheet_.shapes:
                left, top, right, bottom = _edges(shape)
                assert min(left, top) >= 5, shape
                assert right <= width - 5, shape
                assert bottom <= height - 5, shape
    flat = [shape.to_x - shape.x for shape in made().shapes if isinstance(shape, Line) and not shape.dashed]
    assert max(flat) == RULER == 100


def test_markers_that_do_not_fit_are_refused_with_the_size_that_does() -> None:
    with pytest.raises(TooLargeError) as refused:
        made(size=90.0)
    assert made(size=refused.value.most)
    with pytest.raises(TooLargeError):
        made(size=refused.value.most + 1)


def test_the_svg_says_how_large_the_paper_is_and_no_word_can_break_it() -> None:
    root = ElementTree.fromstring(svg(made()))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Cartões <&>" in texts
    assert [text for text in texts if text and text.endswith("à esquerda")] == [f"{n} · à esquerda" for n in CORNER_IDS]


def test_the_pdf_is_one_page_of_the_papers_size_and_the_same_each_time() -> None:
    data = pdf(made())
    assert data == pdf(made())
    assert data.startswith(b"%PDF-")
    (box,) = re.findall(rb"/MediaBox \[ ([\d. ]+) \]", data)
    assert [round(float(number) * 25.4 / 72) for number in box.split()] == [0, 0, 210, 297]
    assert re.findall(rb"/Count (\d+)", data) == [b"1"]


def test_the_printed_pdf_is_read_as_the_four_cards(tmp_path: Path, require_program: Callable[[str], str]) -> None:
    program = require_program("pdftoppm")
    (tmp_path / "sheet.pdf").write_bytes(pdf(made()))
    subprocess.run(
        [program, "-r", "100", "-png", "-singlefile", "sheet.pdf", "sheet"], cwd=tmp_path, check=True, timeout=60
    )
    picture = cv2.imread(str(tmp_path / "sheet.png"))
    assert picture is not None
    assert shown(np.asarray(picture, dtype=np.uint8)) == [3, 2, 0, 1]
