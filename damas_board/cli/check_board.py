"""`damas-board check-board`: a person puts a piece on one square after another, and hears what is wrong."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calibration.check import Check, Question
from calibration.findings import Finding, findings
from calibration.tries import Try
from calibration.wiring import Wire
from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.board_picture import Mark
from damas_board.cli.errors import line_for
from damas_board.cli.keys import ENTER, Keys
from damas_board.cli.live_board import LiveBoard
from damas_board.cli.real_board import (
    STDOUT,
    Board,
    KeysPressed,
    Screen,
    Table,
    add_board_options,
    described,
    listed,
    prepare,
    rounded,
    table_of,
    utc_now,
    write_report,
)
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Health, Lost, Observation, Pressed, Seen
from damas_board.sources.errors import BoardError

REPORT_FORMAT = 1


def register(commands: Commands) -> None:
    parser = commands.add_parser("check-board", help=word("help.check-board"), description=word("help.check-board"))
    add_board_options(parser)
    parser.add_argument("--any-order", action="store_true", help=word("help.check.any_order"))
    parser.add_argument("--diodes", action="store_true", help=word("help.check.diodes"))
    parser.add_argument("--no-buttons", action="store_true", help=word("help.check.no_buttons"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Tests the board and prints what was found. 0 where all was tried and all is well, else 1."""
    prepare(chosen)
    with LiveBoard(chosen.port) as board, Keys() as keys:
        table = table_of(chosen, board.hello)
        buttons = () if chosen.no_buttons else wire.BUTTONS[: board.hello.buttons]
        check = Check(
            table.wiring,
            table.order,
            board.now(),
            buttons=buttons,
            any_order=chosen.any_order,
            every_diode=chosen.diodes,
        )
        test = SelfTest(check, table, Screen(table.title(chosen.port, board.hello)))
        error = test.run(board, keys)
    found = findings(check.known)
    well = check.done and error is None and all(finding.harmless for finding in found)
    if chosen.report != STDOUT:
        print("\n".join(said(found, table) or [word("check.well", squares=len(table.order))]))
    if well and not table.wiring.analogue and not chosen.diodes:
        say(word("check.other_diodes"))
    if chosen.report is not None:
        write_report(chosen.report, test.report(chosen.port, board.hello, found, well=well))
    if error is not None:
        say(f"damas-board: {line_for(error)}")
    return DONE if well else WRONG_INPUT


# The test


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
        if question.kind in ("corners", "off") and check.known.every_diode:
            tried = sum(ghost.tested for ghost in check.known.ghosts)
            progress = word("check.diodes", done=tried, all=len(table.order))
        lines = [f"{progress}   {question_text(question, table)}", *filter(None, [keys_text(question)])]
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


# In words


def question_text(question: Question, table: Table) -> str:
    """What the person is asked, in one line."""
    values: dict[str, Any] = {
        "square": table.name(question.place) if question.place else "",
        "other": table.name(question.other) if question.other else "",
        "squares": table.names(question.places),
        "button": "" if question.key is None else button_name(question.key.name.lower()),
    }
    again = (
        ""
        if question.again is None or question.kind in ("lift", "other")
        else word(f"check.again.{question.again}") + " "
    )
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
    if kind not in ("put", "clear", "free", "press", "corners"):
        return "" if kind == "done" else word("check.keys.only")
    return word("check.keys", enter=word(f"check.enter.{kind}"))


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
    analogue = ".analogue" if finding.kind in ("dead", "nothing") and table.wiring.analogue else ""
    return word(f"check.found.{finding.kind}{analogue}", **values)


def figures_text(figures: Mapping[str, str | int | float]) -> str:
    tries = figures.get("tries", 0)
    told = [word(f"check.figure.{key}", value=value, tries=tries) for key, value in figures.items() if key != "tries"]
    return ", ".join(told)


def wire_name(one: Wire) -> str:
    name = word(f"check.wire.{one.kind}", number=one.number)
    return name if one.pin is None else word("check.wire.pin", wire=name, pin=one.pin)
