"""`damas-board calibrate`: what is set up once at a table.

`board` is here: it measures the sensors of an analogue board with a person's help, and the board keeps them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calibration.analogue import Problem, table
from calibration.analogue import Table as Thresholds
from calibration.placing import Placing, Question
from damas_board.cli import DONE, WRONG_INPUT, Commands, calibrate_camera, calibrate_markers
from damas_board.cli.errors import InputError, line_for
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
    prepare,
    rounded,
    table_of,
    utc_now,
    write_report,
)
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Answered, Back, Calibrated, Conversation, Measured, Observation
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.sources.errors import BoardError

REPORT_FORMAT = 1
SCANS_A_SECOND = 25
SILENT_SECONDS = 1.0
"""Readings that do not come for so long are asked for again."""
RAW_SECONDS = 30.0
"""So often they are asked for again also while they come: a board ends them after a minute."""
ANSWER_SECONDS = 2.0
KEEP_SECONDS = 6.0
"""EEPROM takes a second or so for a table."""
ASKED = 5
"""So often what is not answered is asked again, and a table that the board's own tracking changed is written again."""
DRIFTS = 2
"""Counts by which a zero may have followed its sensor since it was written."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("calibrate", help=word("help.calibrate"), description=word("help.calibrate"))
    what = parser.add_subparsers(metavar=word("help.command"), required=True)
    board = what.add_parser("board", help=word("help.calibrate.board"), description=word("help.calibrate.board"))
    add_board_options(board)
    board.add_argument("--one-by-one", action="store_true", help=word("help.calibrate.one_by_one"))
    board.add_argument("--dry-run", action="store_true", help=word("help.calibrate.dry"))
    board.set_defaults(call=call_board)
    calibrate_camera.register(what)
    calibrate_markers.register(what)


def call_board(chosen: argparse.Namespace) -> int:
    """Measures, and writes where nothing is wrong. 0 where every square was measured and the board keeps the table."""
    prepare(chosen)
    with LiveBoard(chosen.port) as board, Keys() as keys:
        hello = board.hello
        if not hello.caps & wire.Cap.CALIBRATE:
            raise InputError(word("calibrate.no_analogue", port=chosen.port))
        lies = table_of(chosen, hello)
        opening = None if chosen.one_by_one else _opening(lies)
        placing = Placing(hello.places, lies.order, board.now(), opening)
        work = Calibration(placing, lies, Screen(lies.title(chosen.port, hello)))
        error = work.run(board, keys)
        able = placing.done and not placing.problems and bool(placing.men)
        thresholds = table(placing.zeros, placing.men) if able else None
        written = thresholds is not None and not chosen.dry_run
        if thresholds is not None and written:
            keep(board, thresholds, chosen.port, lies)
    if chosen.report is not None:
        write_report(chosen.report, work.report(chosen.port, hello, thresholds, written=written))
    if chosen.report != STDOUT:
        print("\n".join(work.said(thresholds, written=written)))
    if error is not None:
        say(f"damas-board: {line_for(error)}")
    return DONE if written and not placing.skipped else WRONG_INPUT


def _opening(lies: Table) -> dict[int, bool]:
    """The places of the opening position's men, and whether they are White's."""
    position = initial(lies.rules.variant)
    sides = {place: position.side_at(lies.square(place)) for place in lies.order}
    return {place: side is Side.WHITE for place, side in sides.items() if side is not None}


class Calibration:
    """The measuring between a board and a person."""

    def __init__(self, placing: Placing, lies: Table, screen: Screen) -> None:
        self._placing = placing
        self._table = lies
        self._screen = screen
        self._asked_at: float | None = None
        self._heard_at: float | None = None
        self._sensed = frozenset(map(lies.square, lies.order))

    def run(self, board: Board, keys: KeysPressed) -> BoardError | None:
        """Until all is measured or the person ends it; the error where the board was lost."""
        placing = self._placing
        try:
            while not placing.done:
                self._show()
                at = board.now()
                if self._is_to_ask(at):
                    board.conversation.report_raw(SCANS_A_SECOND)
                    self._asked_at = self._heard_at = at
                for item in board.listen():
                    self._observed(item)
                for key in keys.pressed():
                    if key == "q":
                        return None
                    self._pressed(key, board.now())
        except KeyboardInterrupt:
            return None
        except BoardError as error:
            return error
        self._show()
        board.conversation.report_raw(0)
        return None

    def _is_to_ask(self, at: float) -> bool:
        asked, heard = self._asked_at, self._heard_at
        return asked is None or heard is None or at >= asked + RAW_SECONDS or at >= heard + SILENT_SECONDS

    def _observed(self, item: Observation) -> None:
        match item:
            case Measured(at, first, readings):
                self._heard_at = at
                self._placing.measured(at, first, readings)
            case Back():
                self._asked_at = None  # a board that started again has forgotten to send readings
            case _:
                pass

    def _pressed(self, key: str, at: float) -> None:
        if key == "s":
            self._placing.skip(at)
        elif key == ENTER:
            self._placing.stands(at)

    def _show(self) -> None:
        placing, lies = self._placing, self._table
        question = placing.question
        asked = {question.place} if question.kind in ("man", "other") else set()
        if question.kind in ("opening", "refused"):
            asked = set(question.places) | {problem.place for problem in question.problems}
        drawn = self._screen.picture(
            lies.geometry,
            sensed=self._sensed,
            asked=frozenset(lies.square(place) for place in asked if place),
            seen=frozenset(map(lies.square, placing.seen)),
            marks={
                **{lies.square(place): "good" for place in placing.men},
                **{lies.square(place): "skipped" for place in placing.skipped},
            },
        )
        progress = word("calibrate.progress", done=len(placing.men), all=len(lies.order))
        lines = question_lines(question, lies)
        lines[0] = f"{progress}   {lines[0]}"
        told = (question.kind, question.place, question.problems, question.again, question.nothing)
        self._screen.show(drawn, lines, None if question.kind == "lift" and not question.nothing else told)

    # What came out

    def said(self, thresholds: Thresholds | None, *, written: bool) -> list[str]:
        """The result in words, a line each."""
        placing, lies = self._placing, self._table
        lines = [problem_text(problem, lies) for problem in placing.problems]
        if not placing.done and not placing.problems:
            lines.append(word("calibrate.unfinished"))
        if placing.skipped and placing.done:
            lines.append(word("calibrate.skipped", squares=lies.names(placing.skipped)))
        at_end = [place for place, man in sorted(placing.men.items()) if man.end]
        if at_end:
            lines.append(word("calibrate.at_end", squares=lies.names(at_end)))
        if thresholds is not None:
            men = [square.man for square in thresholds.squares]
            values = {"squares": len(men), "least": min(men), "most": max(men)}
            way = word("calibrate.up" if thresholds.flags & wire.WHITE_ABOVE else "calibrate.down")
            lines.append(word("calibrate.written" if written else "calibrate.measured", way=way, **values))
        if not written:
            lines.append(word("calibrate.not_written"))
        return lines

    def report(self, port: str, hello: wire.Hello, thresholds: Thresholds | None, *, written: bool) -> dict[str, Any]:
        """What the report file says; docs describe it."""
        placing, lies = self._placing, self._table
        return {
            "report": REPORT_FORMAT,
            "kind": "calibrate-board",
            "at": utc_now(),
            "port": port,
            "board": described(hello),
            "regulation": lies.rules.name,
            "connector": lies.square_map.connector,
            "written": written,
            "finished": placing.done,
            "white_above": None if thresholds is None else bool(thresholds.flags & wire.WHITE_ABOVE),
            "problems": [
                {
                    "kind": problem.kind,
                    "square": lies.name(problem.place) if problem.place else None,
                    "other": lies.name(problem.other) if problem.other else None,
                    "value": rounded(problem.value),
                    "limit": rounded(problem.limit),
                    "text": problem_text(problem, lies),
                }
                for problem in placing.problems
            ],
            "skipped": [lies.name(place) for place in placing.skipped],
            "squares": [self._square(place, thresholds) for place in lies.order],
        }

    def _square(self, place: int, thresholds: Thresholds | None) -> dict[str, Any]:
        placing = self._placing
        zero = placing.zeros[place - 1] if placing.zeros else None
        man = placing.men.get(place)
        written = None if thresholds is None else thresholds.squares[place - 1]
        others = [] if man is None or not man.alone else [off for p, off in enumerate(man.off, 1) if p != place]
        return {
            "square": self._table.name(place),
            "place": place,
            "zero": None if zero is None else rounded(zero.mean),
            "noise": None if zero is None else rounded(zero.noise),
            "gain": None if man is None else rounded(man.gain),
            "alone": None if man is None else man.alone,
            "at_end": None if man is None else man.end,
            "most_elsewhere": rounded(max(map(abs, others))) if others else None,
            "thresholds": None if written is None else list(written),
        }


# Writing it into the board


def keep(board: Board, thresholds: Thresholds, port: str, lies: Table) -> None:
    """Write the table, let the board keep it, read it back. InputError where that does not come out right."""
    for _ in range(ASKED):
        for start in range(0, len(thresholds.squares), wire.WRITE_MOST):
            some = thresholds.squares[start : start + wire.WRITE_MOST]
            _done(_asked(board, _writing(start + 1, some), ANSWER_SECONDS, port), port)
        answer = _asked(board, _keeping(thresholds), KEEP_SECONDS, port)
        # The board lets a zero follow its sensor; where it just did, its table is not the one that was written.
        if answer.refused != wire.NakCode.VALUE:
            break
    _done(answer, port)
    squares, flags = _read_back(board, len(thresholds.squares), port)
    differ = [
        place
        for place, (one, other) in enumerate(zip(thresholds.squares, squares, strict=True), 1)
        if one[1:] != other[1:] or abs(one.zero - other.zero) > DRIFTS or flags != thresholds.flags
    ]
    if differ:
        raise InputError(word("calibrate.differs", port=port, squares=lies.names(differ)))


def _writing(first: int, squares: Sequence[wire.Thresholds]) -> Callable[[Conversation], int]:
    return lambda talk: talk.write_calibration(first, squares)


def _keeping(thresholds: Thresholds) -> Callable[[Conversation], int]:
    return lambda talk: talk.keep_calibration(thresholds.flags, thresholds.squares)


def _done(answer: Answered, port: str) -> None:
    if answer.refused is not None:
        raise InputError(word("calibrate.refused", port=port, code=answer.refused))


def _asked(board: Board, ask: Callable[[Conversation], int], seconds: float, port: str) -> Answered:
    """The board's answer; asked again where none comes."""
    for _ in range(ASKED):
        tag = ask(board.conversation)
        until = board.now() + seconds
        while board.now() < until:
            for item in board.listen():
                if isinstance(item, Answered) and item.tag == tag:
                    return item
    raise InputError(word("calibrate.no_answer", port=port))


def _read_back(board: Board, places: int, port: str) -> tuple[list[wire.Thresholds], int]:
    """The table that the board has now, and its flags."""
    squares: list[wire.Thresholds] = []
    flags = 0
    while len(squares) < places:
        found = _table_from(board, len(squares) + 1, port)
        squares += found.squares
        flags = found.flags
    return squares, flags


def _table_from(board: Board, first: int, port: str) -> Calibrated:
    for _ in range(ASKED):
        board.conversation.read_calibration(first)
        until = board.now() + ANSWER_SECONDS
        while board.now() < until:
            for item in board.listen():
                if isinstance(item, Calibrated) and item.first == first and item.squares:
                    return item
    raise InputError(word("calibrate.no_answer", port=port))


# In words


def question_lines(question: Question, lies: Table) -> list[str]:
    """What the person is asked, and what the keys mean."""
    values: Mapping[str, str] = {
        "square": lies.name(question.place) if question.place else "",
        "squares": lies.names(question.places),
    }
    lines = []
    match question.kind:
        case "refused":
            lines = [word("calibrate.refuses"), *(problem_text(problem, lies) for problem in question.problems)]
        case "opening":
            lines = [word("calibrate.opening")]
            if question.nothing and question.places:
                lines.append(word("calibrate.missing", squares=lies.names(question.places)))
            if question.wrong:
                lines.append(word("calibrate.wrong", squares=lies.names(question.wrong)))
        case "man":
            text = word("calibrate.man", **values)
            text = f"{word('calibrate.man.again')} {text}" if question.again else text
            lines = [text, *([word("calibrate.man.nothing")] if question.nothing else [])]
        case "lift":
            lines = [word("calibrate.lift", **values), *([word("calibrate.lift.nothing")] if question.nothing else [])]
        case kind:
            lines = [word(f"calibrate.{kind}", **values)]
    if question.kind == "done":
        return lines
    if question.kind in ("empty", "refused", "opening", "man", "lift"):
        return [*lines, word("calibrate.keys", enter=word(f"calibrate.enter.{question.kind}"))]
    return [*lines, word("calibrate.keys.only")]


def problem_text(problem: Problem, lies: Table) -> str:
    values = {
        "square": lies.name(problem.place) if problem.place else "",
        "other": lies.name(problem.other) if problem.other else "",
        "value": f"{problem.value:.1f}",
        "limit": f"{problem.limit:.1f}",
    }
    return word(f"calibrate.problem.{problem.kind}", **values)
