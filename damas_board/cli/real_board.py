"""A real board on somebody's table, for the commands that test and calibrate it: how it lies, what is shown."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap
from typing import Any, Protocol

from calibration.wiring import Wiring
from damas_board.app.fitting import first_fit, sees_colours
from damas_board.cli import regulation
from damas_board.cli.board_picture import can_show, picture, start_again
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import LANGUAGES, word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Conversation, Observation
from damas_board.decoding.square_map import CORNERS, SquareMap
from damas_board.regulations import Regulation, names, shipped
from damas_board.rules.geometry import Geometry

STDOUT = "-"


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """The port, and how the board at it lies and is called."""
    parser.add_argument("port", metavar="PORT", help=word("help.check.port"))
    parser.add_argument("--connector", choices=CORNERS, metavar="CORNER", help=word("help.check.connector"))
    parser.add_argument("--regulation", "-r", metavar="R", help=word("help.check.regulation"))
    parser.add_argument("--report", metavar="FILE", help=word("help.check.report"))
    parser.add_argument("--lang", choices=LANGUAGES, help=word("help.check.lang"))


def prepare(chosen: argparse.Namespace) -> None:
    """Speak the language asked for; OSError where the report could not be written in the end."""
    if chosen.lang is not None:
        os.environ["DAMAS_LANG"] = chosen.lang
    if chosen.report not in (None, STDOUT):
        with _naming(chosen.report):
            Path(chosen.report).open("a", encoding="utf-8").close()


def write_report(file: str, report: Mapping[str, Any]) -> None:
    text = json_text(report)
    if file == STDOUT:
        print(text, end="")
    else:
        with _naming(file):
            Path(file).write_text(text, "utf-8")


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """An OSError from within says about which file it is."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, file) from error


def json_text(report: Mapping[str, Any]) -> str:
    """A JSON object that a person can read as well: a line a key, and a line an element of a list of objects."""
    lines = []
    for key, value in report.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            text = "[\n    " + ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n  ]"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


# The board as it lies on the table


@dataclass(frozen=True)
class Table:
    """How the board lies, and what its squares are called."""

    wiring: Wiring
    rules: Regulation
    geometry: Geometry

    @property
    def square_map(self) -> SquareMap:
        return self.wiring.square_map

    @property
    def order(self) -> tuple[int, ...]:
        """The places as one reads the board from White's side."""
        size = self.square_map.size
        return tuple(sorted(range(1, self.square_map.places + 1), key=lambda p: self._as_read(self.square(p), size)))

    @staticmethod
    def _as_read(square: int, size: int) -> tuple[int, int]:
        return -(square // size), square % size

    def square(self, place: int) -> int:
        return self.square_map.square(place)

    def name(self, place: int) -> str:
        return self.geometry.name(self.square(place))

    def names(self, places: Iterable[int]) -> str:
        """Several squares in words."""
        return listed([self.name(place) for place in places])

    def title(self, port: str, hello: wire.Hello) -> str:
        values = {"places": self.square_map.places, "size": self.square_map.size}
        corner = word(f"check.corner.{self.square_map.connector}")
        return word("check.title", uid=hello.identity, port=port, connector=corner, **values)


def listed(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return word("check.and", first=", ".join(items[:-1]), last=items[-1])


def table_of(chosen: argparse.Namespace, hello: wire.Hello) -> Table:
    """How the board may lie: as asked for, else the first way that fits it. InputError where none does."""
    every = [regulation.named(chosen.regulation)] if chosen.regulation else map(shipped, (regulation.DEFAULT, *names()))
    fit = first_fit(hello, every, CORNERS if chosen.connector is None else (chosen.connector,))
    if fit is None:
        text = word("check.no_game", port=chosen.port, places=hello.places, geometry=f"{hello.geometry:#04x}")
        raise InputError(text)
    wiring = Wiring(fit.square_map, analogue=sees_colours(hello))
    return Table(wiring, fit.regulation, fit.regulation.variant.geometry)


# What is shown


class Board(Protocol):
    """What a command needs of an open board."""

    @property
    def conversation(self) -> Conversation: ...

    def now(self) -> float: ...

    def listen(self) -> Sequence[Observation]: ...


class KeysPressed(Protocol):
    def pressed(self) -> list[str]: ...


class Screen:
    """Shows the picture and the question on stderr: in its place at a terminal, else again whenever it asks anew."""

    def __init__(self, title: str) -> None:
        self._title = title
        self.pretty, self.moves = can_show(sys.stderr)
        self._colour = self.moves and not os.environ.get("NO_COLOR")
        self._shown: object = None
        if not self.moves:
            say(title)

    def show(self, drawn: Sequence[str], lines: Sequence[str], asked: object) -> None:
        """Where the picture cannot change in its place, it is shown for what is `asked` anew; not for None."""
        new = (tuple(drawn), tuple(lines)) if self.moves else asked
        if new is None or new == self._shown:
            return
        self._shown = new
        if self.moves:
            start_again()
            say(self._title)
        # The picture may be coloured; what comes from outside is in the title and in the lines.
        print("\n".join(drawn), file=sys.stderr)
        width = shutil.get_terminal_size().columns if self.moves else None
        say("\n".join(lines if width is None else [wrapped for line in lines for wrapped in wrap(line, width)]))

    def picture(self, geometry: Geometry, **what: Any) -> list[str]:
        return picture(geometry, pretty=self.pretty, colour=self._colour, **what)


def rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def described(hello: wire.Hello) -> dict[str, Any]:
    """The board in a report."""
    return {
        "uid": hello.identity,
        "firmware": ".".join(map(str, hello.firmware)),
        "places": hello.places,
        "geometry": f"{hello.geometry:#04x}",
        "levels": hello.levels,
        "buttons": hello.buttons,
    }
