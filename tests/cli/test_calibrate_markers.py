"""`damas-board calibrate markers`: the sheet of corner cards as a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from damas_board.cli import main


@pytest.fixture(autouse=True)
def in_english_in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    monkeypatch.chdir(tmp_path)


def test_the_sheet_is_a_pdf_or_an_svg_as_its_name_says(capsys) -> None:
    assert main(["calibrate", "markers"]) == 0
    assert "print it at 100 %" in capsys.readouterr().err
    assert Path("corner-cards.pdf").read_bytes().startswith(b"%PDF-")
    assert main(["calibrate", "markers", "--out", "cards.svg", "--size", "40", "--paper", "Letter"]) == 0
    assert 'width="215.9mm"' in Path("cards.svg").read_text("utf-8")


@pytest.mark.parametrize(("language", "words"), [("en", "White's side, left"), ("pt", "lado das brancas, à esquerda")])
def test_the_cards_say_where_they_belong_in_the_language_of_the_person(
    monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setenv("DAMAS_LANG", language)
    assert main(["calibrate", "markers", "--out", "cards.svg"]) == 0
    assert f"0 · {words.replace(chr(39), '&#x27;')}" in Path("cards.svg").read_text("utf-8")


REFUSED = [
    (("--out", "cards.png"), "the sheet is written as .pdf or .svg"),
    (("--size", "3"), "give 15 or more"),
    (("--size", "nan"), "give 15 or more"),
    (("--size", "inf"), "give at most 65"),
    (("--size", "66"), "four such markers do not fit on A4; give at most 65"),
    (("--out", "there.pdf"), "is there already"),
    (("--out", "none/cards.pdf"), "no such file"),
]


@pytest.mark.parametrize(("arguments", "text"), REFUSED)
def test_what_makes_no_sheet_is_said_in_one_line(capsys, arguments: tuple[str, str], text: str) -> None:
    Path("there.pdf").write_text("mine", "utf-8")
    assert main(["calibrate", "markers", *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert text in line
    assert Path("there.pdf").read_text("utf-8") == "mine"


def test_a_sheet_that_is_there_is_written_over_where_that_is_wanted() -> None:
    Path("cards.svg").write_text("mine", "utf-8")
    assert main(["calibrate", "markers", "--out", "cards.svg", "--force"]) == 0
    assert Path("cards.svg").read_text("utf-8").startswith("<svg")


def test_without_reportlab_the_svg_is_there_still(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reportlab", "reportlab.pdfgen", "reportlab.pdfgen.canvas"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["calibrate", "markers"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "a PDF needs reportlab" in line
    assert not Path("corner-cards.pdf").exists()
    assert main(["calibrate", "markers", "--out", "cards.svg"]) == 0
