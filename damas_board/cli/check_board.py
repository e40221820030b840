"""`damas-board check-board`: a person puts a piece on one square after another, and hears what is wrong."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from calibration.check import Check, Question
from calibration.findings import Finding, findings
from calibration.tries import Try
from calibration.wiring import Wire, Wiring
from damas_board.cli import DONE, WRONG_INPUT, Commands, regulation
from damas_board.cli.board_picture import Mark, can_show, picture, start_again
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.keys import ENTER, Keys
from damas_board.cli.live_board import LiveBoard
from damas_board.cli.talk import say
from damas_board.cli.words import LANGUAGES, word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Health, Lost, Observation, Pressed, Seen
from damas_board.decoding.square_map import CORNERS, Corner, SquareMap
from damas_board.regulations import Regulation, names, shipped
from damas_board.rules.geometry import Geometry
from damas_board.sources.errors import BoardError
from damas_board.sources.serial_board import OCCUPANCY_LEVELS

REPORT_FORMAT = 1
STDOUT = "-"


def register(commands: Commands) -> None:
    parser = commands.add_parser("check-board", help=word("help.check-board"), description=word("help.check-board"))
    add_board_options(parser)
    parser.add_argument("--any-order", action="store_true", help=word("help.check.any_order"))
    parser.add_argument("--no-buttons", action="store_true", help=word("help.check.no_buttons"))
    parser.set_defaults(call=call)


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """The port, and how the board at it lies and is called."""
    parser.add_argument("port", metavar="PORT", help=word("help.check.port"))
    parser.add_argument("--connector", choices=CORNERS, metavar="CORNER", help=word("help.check.connector"))
    parser.add_argument("--regulation", "-r", metavar="R", help=word("help.check.regulation"))
    parser.add_argument("--report", metavar="FILE", help=word("help.check.report"))
    parser.add_argument("--lang", choices=LANGUAGES, help=word("help.check.lang"))


def call(chosen: argparse.Namespace) -> int:
    """Tests the board and prints what was found. 0 where all was tried and all is well, else 1."""
    prepare(chosen)
    with LiveBoard(chosen.port) as board, Keys() as keys:
        table = table_of(chosen, board.hello)
        buttons = () if chosen.no_buttons else wire.BUTTONS[: board.hello.buttons]
        check = Check(table.wiring, table.order, board.now(), buttons=buttons, any_order=chosen.any_order)
        test = SelfTest(check, table, Screen(table.title(chosen.port, board.hello)))
        error = test.run(board, keys)
    found = findings(check.known)
    well = check.done and error is None and all(finding.harmless for finding in found)
    if chosen.report is not None:
        write_report(chosen.report, test.report(chosen.port, board.hello, found, well=well))
    if chosen.report != STDOUT:
        print("\n".join(said(found, table) or [word("check.well", squares=len(table.order))]))
    if error is not None:
        say(f"damas-board: {line_for(error)}")
    return DONE if well else WRONG_INPUT


def prepare(chosen: argparse.Namespace) -> None:
    """Speak the language asked for; OSError where the report could not be written in the end."""
    if chosen.lang is not None:
        os.environ["DAMAS_LANG"] = chosen.lang
    if chosen.report not in (None, STDOUT):
        Path(chosen.report).open("a", encoding="utf-8").close()


def write_report(file: str, report: Mapping[str, Any]) -> None:
    text = json_text(report)
    if file == STDOUT:
        print(text, end="")
    else:
        Path(file).write_text(text, "utf-8")


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
        return word("check.title", uid=hello.identity, port=port, connector=self.square_map.connector, **values)


def listed(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return word("check.and", first=", ".join(items[:-1]), last=items[-1])


def table_of(chosen: argparse.Namespace, hello: wire.Hello) -> Table:
    """How the board may lie: as asked for, else the first way that fits it. InputError where none does."""
    every = [regulation.named(chosen.regulation)] if chosen.regulation else map(shipped, (regulation.DEFAULT, *names()))
    corners: Sequence[Corner] = CORNERS if chosen.connector is None else (chosen.connector,)
    for rules in every:
        variant = rules.variant
        for corner in corners:
            # A board that senses every square serves a game on half of them as well.
            for dark in (variant.corner, "all"):
                square_map = SquareMap(variant.size, dark, corner) if dark == "all" and variant.size <= 10 else None
                square_map = square_map or SquareMap(variant.size, variant.corner, corner)
                if (square_map.geometry, square_map.places) == (hello.geometry, hello.places):
                    wiring = Wiring(square_map, analogue=hello.levels > OCCUPANCY_LEVELS)
                    return Table(wiring, rules, variant.geometry)
    raise InputError(word("check.no_game", port=chosen.port, places=hello.places, geometry=f"{hello.geometry:#04x}"))


# The test


class Board(Protocol):
    """What the test needs of an open board."""

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
        say("\n".join(lines))

    def picture(self, geometry: Geometry, **what: Any) -> list[str]:
        return picture(geometry, pretty=self.pretty, colour=self._colour, **what)


class SelfTest:
    """The check between a board and a person."""

    def __init__(self, check: Check, table: Table, screen: Screen) -> None:
        self._check = check
        self._table = table
        self._screen = screen
        self._health: Health | None = None
        self._sensed = frozenset(map(table.square, table.order))

    def run(self, board: Board, keys: KeysPressed) -> BoardError | None:
        """Until all is done or the person ends it; the error where the board was lost."""
        check = self._check
        try:
            while not check.done:
                self._show()
                for item in board.listen():
                    self._observed(item)
                at = board.now()
                check.tick(at)
                for key in keys.pressed():
                    if key == "q":
                        return None
                    self._pressed(key, at)
        except KeyboardInterrupt:
            return None
        except BoardError as error:
            return error
        self._show()
        return None

    def _observed(self, item: Observation) -> None:
        match item:
            case Seen(at, levels):
                self._check.see(at, levels)
            case Pressed(at, key):
                self._check.press(at, key)
            case Lost(at, reason):
                self._check.broke_off(at, restarted=reason == "board_restarted")
            case Health():
                self._health = item
            case _:
                pass

    def _pressed(self, key: str, at: float) -> None:
        match key:
            case "s":
                self._check.skip(at)
            case "r":
                self._check.back(at)
            case _ if key == ENTER:
                self._check.stands(at)
            case _:
                pass

    def _show(self) -> None:
        check, table = self._check, self._table
        question = check.question
        asked = {table.square(place) for place in (question.place, *question.places) if place}
        if question.kind == "corners":
            asked.discard(table.square(question.place))
        drawn = self._screen.picture(
            table.geometry,
            sensed=self._sensed,
            asked=frozenset(asked),
            seen=frozenset(map(table.square, check.trace.occupied())),
            marks=self._marks(),
        )
        left = check.left
        progress = word("check.progress", done=len(table.order) - len(left), all=len(table.order))
        lines = [f"{progress}   {question_text(question, table)}", keys_text(question)]
        if question.kind == "free" and len(left) <= 12:
            lines.insert(1, word("check.left", squares=table.names(left)))
        goes_on = question.kind in ("hold", "lift") and not question.nothing
        self._screen.show(drawn, lines, None if goes_on else question)

    def _marks(self) -> dict[int, Mark]:
        marks: dict[int, Mark] = {}
        for place in self._table.order:
            state = self._check.known.tries.verdict(place).state
            if state in ("good", "skipped"):
                marks[self._table.square(place)] = "good" if state == "good" else "skipped"
            elif state != "open":
                marks[self._table.square(place)] = "bad"
            elif self._check.known.tries.of(place):
                marks[self._table.square(place)] = "again"
        return marks

    # The report

    def report(self, port: str, hello: wire.Hello, found: Sequence[Finding], *, well: bool) -> dict[str, Any]:
        """What the report file says; docs describe it."""
        known, table = self._check.known, self._table
        beat = None if self._health is None else self._health.heartbeat
        return {
            "report": REPORT_FORMAT,
            "kind": "check-board",
            "at": utc_now(),
            "port": port,
            "board": described(hello),
            "regulation": table.rules.name,
            "connector": table.square_map.connector,
            "well": well,
            "finished": self._check.done,
            "findings": [
                {**told, "text": text} for told, text in zip(map(self._told, found), said(found, table), strict=True)
            ],
            "squares": [self._square(place) for place in table.order],
            "buttons": {key.name.lower(): known.pressed.get(key, "untried") for key in known.buttons},
            "rectangles": [
                {
                    "corners": [table.name(place) for place in ghost.corners],
                    "ghost": table.name(ghost.place),
                    "diode": table.name(ghost.diode),
                    "times": ghost.times,
                }
                for ghost in known.ghosts
                if ghost.tested
            ],
            "link": {
                "restarts": known.restarts,
                "events_lost": known.lost_events,
                "bad_frames": 0 if self._health is None else self._health.bad_frames,
                "received_bad": 0 if beat is None else beat.received_bad,
                "overrun": 0 if beat is None else beat.overrun,
            },
        }

    def _told(self, finding: Finding) -> dict[str, Any]:
        return {
            "kind": finding.kind,
            "harmless": finding.harmless,
            "squares": [self._table.name(place) for place in finding.places],
            "others": [self._table.name(place) for place in finding.others],
            "wires": [{"kind": one.kind, "number": one.number, "pin": one.pin} for one in finding.wires],
            **finding.facts,
        }

    def _square(self, place: int) -> dict[str, Any]:
        verdict = self._check.known.tries.verdict(place)
        return {
            "square": self._table.name(place),
            "place": place,
            "state": verdict.state,
            "other": self._table.name(verdict.other) if verdict.other else None,
            "tries": [self._tried(tried) for tried in self._check.known.tries.of(place)],
        }

    def _tried(self, tried: Try) -> dict[str, Any]:
        return {
            "seen": None if tried.seen is None else self._table.name(tried.seen),
            "waited": rounded(tried.waited),
            "stood": rounded(tried.stood),
            "gaps": [rounded(gap) for gap in tried.dropouts],
            "late": rounded(tried.late),
            "slow": tried.slow,
            "restless": tried.restless,
            "early": tried.early,
            "together": [self._table.name(place) for place in sorted(tried.together)],
        }


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


# In words


def question_text(question: Question, table: Table) -> str:
    """What the person is asked, in one line."""
    values: dict[str, Any] = {
        "square": table.name(question.place) if question.place else "",
        "other": table.name(question.other) if question.other else "",
        "squares": table.names(question.places),
        "button": "" if question.key is None else button_name(question.key.name.lower()),
    }
    again = "" if question.again is None or question.kind == "lift" else word(f"check.again.{question.again}") + " "
    if question.kind == "lift" and question.nothing:
        return word("check.lift.nothing", **values)
    if question.kind == "put" and question.said:
        return word("check.said")
    text = again + word(f"check.{question.kind}", **values)
    hint = f"check.nothing.{question.kind}"
    if question.nothing and question.kind in ("put", "press", "corners"):
        text += " " + word(hint, **values)
    return text


def keys_text(question: Question) -> str:
    kind = "clear" if question.kind == "lift" else question.kind
    enter = kind if kind in ("put", "clear", "free", "press", "corners") else "none"
    return word("check.keys", enter=word(f"check.enter.{enter}"))


def button_name(name: str) -> str:
    return word(f"check.button.{name}")


def said(found: Iterable[Finding], table: Table) -> list[str]:
    """Each finding in words, a line each."""
    return [finding_text(finding, table) for finding in found]


def finding_text(finding: Finding, table: Table) -> str:
    values: dict[str, Any] = dict(finding.facts)
    values |= {"squares": table.names(finding.places), "others": table.names(finding.others)}
    if finding.wires:
        values |= {"wire": wire_name(finding.wires[0]), "other_wire": wire_name(finding.wires[-1])}
        values["wires"] = word(f"check.wires.{finding.wires[0].kind}")
        values["pins"] = ", ".join(one.pin for one in finding.wires if one.pin)
    if "button" in values:
        values["button"] = button_name(values["button"])
    if "came" in values:
        values["came"] = button_name(values["came"])
    if "buttons" in values:
        values["buttons"] = listed([button_name(name) for name in values["buttons"].split()])
    if finding.kind == "weak":
        values["figures"] = figures_text(finding.facts)
    analogue = ".analogue" if finding.kind == "dead" and table.wiring.analogue else ""
    return word(f"check.found.{finding.kind}{analogue}", **values)


def figures_text(figures: Mapping[str, str | int | float]) -> str:
    tries = figures.get("tries", 0)
    told = [word(f"check.figure.{key}", value=value, tries=tries) for key, value in figures.items() if key != "tries"]
    return ", ".join(told)


def wire_name(one: Wire) -> str:
    name = word(f"check.wire.{one.kind}", number=one.number)
    return name if one.pin is None else word("check.wire.pin", wire=name, pin=one.pin)
