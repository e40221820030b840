"""`damas-board calibrate markers`: writes the sheet of corner cards for a camera."""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration import marker_sheet
from calibration.marker_sheet import PAPERS, SIZE, SMALLEST, Card, Sheet, SheetWords, TooLargeError
from damas_board.cli import DONE, Commands
from damas_board.cli.camera_extra import needing_extra
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.hub.files import write_whole

FILE = "corner-cards.pdf"


def register(what: Commands) -> None:
    text = word("help.calibrate.markers")
    parser = what.add_parser("markers", help=text, description=text)
    parser.add_argument(
        "--out", metavar="FILE", type=Path, default=Path(FILE), help=word("help.markers.out", default=FILE)
    )
    parser.add_argument("--size", metavar="MM", type=float, default=SIZE, help=word("help.markers.size", default=SIZE))
    parser.add_argument("--paper", choices=PAPERS, default="A4", help=word("help.markers.paper", default="A4"))
    parser.add_argument("--force", action="store_true", help=word("help.force"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Writes the sheet; InputError where it cannot be made so, or the file is there already."""
    kind = chosen.out.suffix.lower()
    if kind not in (".pdf", ".svg"):
        raise InputError(word("markers.kind", file=chosen.out))
    if chosen.out.exists() and not chosen.force:
        raise InputError(word("camera.exists", file=chosen.out))
    with needing_extra():
        sheet = _sheet(chosen.size, chosen.paper)
        content = marker_sheet.pdf(sheet) if kind == ".pdf" else marker_sheet.svg(sheet)
    write_whole(chosen.out, content)
    say(word("markers.written", file=chosen.out))
    return DONE


def _sheet(size: float, paper: str) -> Sheet:
    from damas_board.decoding.vision.markers import CORNER_IDS, marker_bits

    if not size >= SMALLEST:
        raise InputError(word("markers.small", size=size, least=SMALLEST))
    cards = [Card(marker_bits(n).tolist(), (word(f"markers.card.{n}"), word("markers.seen"))) for n in CORNER_IDS]
    advice = [word(f"markers.{key}") for key in ("print", "cut", "lay", "all")]
    words = SheetWords(
        word("markers.title"), advice, word("markers.ruler"), word("markers.white"), word("markers.black")
    )
    try:
        return marker_sheet.sheet(cards, words, size, paper)
    except TooLargeError as error:
        raise InputError(word("markers.large", size=size, paper=paper, most=error.most)) from error
