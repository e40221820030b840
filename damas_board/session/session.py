"""One board's game: inputs in, events out. What is seen is followed (session.following); here are the commands.

A command is answered once, `done` or `refused` with a reason; the same `id` again is answered as `repeated` and does
nothing. No command loses anything: what the arbiter takes back stays in the journal, and what was going on on the board
meanwhile is looked at anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.regulations import Regulation
from damas_board.regulations.policy import SETTLED
from damas_board.rules.side import Side
from damas_board.session.alerts import OF_A_PLY, PIECES_ASTRAY, name_of
from damas_board.session.ending import WINNERS
from damas_board.session.events import (
    AlertRaised,
    CommandAnswered,
    Event,
    GameReopened,
    MovesRetracted,
    PlayedMove,
    PositionSet,
    Publication,
)
from damas_board.session.eyes import TURNS
from damas_board.session.following import Following
from damas_board.session.header import OF_THE_BOARD, Header
from damas_board.session.inputs import Button, ClockReading, Command, Input, Lever, Link, See, Tick
from damas_board.tracking.chains import Step
from damas_board.tracking.ghosts import Wiring
from damas_board.tracking.sight import NOTHING

REASONS = ("no_pieces", "blocked", "time", "resigned", "agreed", "repetition", "limit", "decision", "absent", "void")
"""Why a game is over."""
DRAWS = ("agreed", "repetition", "limit")
"""Those whose articles are about draws."""
BESIDE_THE_BOARD = ("hold", "release", "dismiss", "count", "set_clock", "adjust")
"""Commands that leave alone what is going on at the board."""
MOST_SECONDS = 1e6
"""No time that a command names is longer."""


class CommandRefused(Exception):
    """A command that cannot be done; the text is the reason that its author is told."""


class Session(Following):
    """The game on one board. `feed` takes inputs whose `at` never decreases."""

    def __init__(self, header: Header, regulation: Regulation) -> None:
        """NotationError if the header's `start` is no position of the regulation's variant."""
        super().__init__(header, regulation)
        self._answers: dict[tuple[str | None, str], CommandAnswered] = {}
        self._doing: Mapping[str, Callable[[Command], None]] = {
            "start": self._start,
            "rewind": self._rewind,
            "set_position": self._set_position,
            "move": self._enter_move,
            "result": self._result,
            "abort": self._abort,
            "reopen": self._reopen,
            "count": self._count,
            "stands": self._stands,
            "rectify": self._rectify,
            "dismiss": self._dismiss,
            "adjust": self._adjust,
            "mask": self._mask,
            "unmask": self._unmask,
            "orient": self._orient,
            "move_to": self._move_to,
            "pause": self._pause,
            "resume": self._resume,
            "set_clock": self._set_clock,
            "hold": self._hold,
            "release": self._release,
        }

    def feed(self, item: Input) -> list[Event]:
        """The events that `item` causes, those that fell due before it first.

        ValueError if `at` goes back, SightError (a ValueError) for rows that are no picture of this board.
        """
        if not item.at >= self._now:
            raise ValueError(f"the time goes back from {self._now:g} to {item.at:g}")
        if isinstance(item, See):
            self._witness.eyes.check(item)
        first = self._now == -math.inf
        if self._scorer.waits_for == "at_once":
            self._scorer.start(item.at)
        self._fall_due(item.at)
        self._now = item.at
        match item:
            case See():
                self._see(item)
            case Lever():
                self._pressed(item)
            case ClockReading():
                self._read_clock(item)
            case Link():
                self._link(item)
            case Command():
                self._command(item)
            case Button():
                self._announced(item)
            case Tick():
                pass
        if first and self._scorer.board is None and self._scorer.waits_for is not None:
            self._scorer.show_board(self._witness.state, item.at)
        return self._scorer.told()

    def _command(self, item: Command) -> None:
        if item.do not in BESIDE_THE_BOARD:
            self._lose_thread()
        author = (item.by, item.id)
        known = self._answers.get(author)
        if known is not None and known.do == item.do:
            self._scorer.tell(CommandAnswered(item.at, item.id, item.do, known.outcome, "repeated", item.by))
            return
        try:
            if known is not None:
                raise CommandRefused("id_taken")
            if item.do not in self._doing:
                raise CommandRefused("not_yet" if item.do == "new_game" else "unknown_command")
            self._doing[item.do](item)
        except CommandRefused as refusal:
            answer = CommandAnswered(
                item.at, item.id, item.do, "refused", str(refusal), item.by, item.note, item.arguments
            )
        else:
            answer = CommandAnswered(item.at, item.id, item.do, "done", None, item.by, item.note, item.arguments)
        self._answers.setdefault(author, answer)
        self._scorer.tell(answer)

    # --- the record

    def _start(self, item: Command) -> None:
        """Begins the game, whatever stands on the board: a late player's time runs as well."""
        self._not_over()
        if self._scorer.waits_for is None:
            raise CommandRefused("begun_already")
        self._begin(item.at)
        pressed = self._beginning.lever
        if pressed is not None:
            self._scorer.show_clock(item.at, self._scorer.clock.pressed(pressed, item.at))

    def _rewind(self, item: Command) -> None:
        plies = _whole_number(item.arguments, "ply")
        self._in_play()
        if not 0 <= plies <= len(self._record.plies):
            raise CommandRefused("no_such_ply")
        if plies < len(self._record.plies):
            self._go_back(plies, "rewind", item.at)

    def _go_back(self, plies: int, reason: str, at: float) -> None:
        """Leaves `plies` plies, with the clocks as they stood; the board is waited for."""
        gone = self._scorer.retract(plies, reason, at)
        stood = self._record.plies[-1].clock if plies else self._scorer.clock_at_start
        if stood is not None:
            sides = [ply.side for ply in self._record.plies]
            moves = sides.count(Side.WHITE), sides.count(Side.BLACK)
            turn = name_of(self._record.position.turn)
            self._scorer.show_clock(at, self._scorer.clock.set(stood.white, stood.black, at, turn, moves))
        self._witness.wait_for_record(at, {ply.after for ply in gone})

    def _set_position(self, item: Command) -> None:
        self._not_over()
        try:
            position = read_fen(_text(item.arguments, "fen"), self.regulation.variant)
        except NotationError as error:
            raise CommandRefused("bad_fen") from error
        barred = {self._record.position, *(ply.after for ply in self._record.plies)}
        was = self._record.set_position(position)
        if was is not None:
            self._scorer.tell(self._record.told_again(item.at, was))
        self._scorer.tell(*self._umpire.put_right(item.at, len(self._record.plies)))
        number = len(self._record.plies)
        self._scorer.tell(PositionSet(item.at, write_fen(position), number, item.by, self._record.revision))
        stood = self._scorer.clock.at(item.at)
        if stood is not None:
            turn = name_of(position.turn)
            self._scorer.show_clock(item.at, self._scorer.clock.set(stood.white, stood.black, item.at, turn))
        if self._scorer.waits_for is not None:
            self._witness.wait_for_setup(item.at)
        else:
            self._witness.wait_for_record(item.at, barred - {position})

    def _enter_move(self, item: Command) -> None:
        """A move by hand; it begins a game that waits for its first move."""
        if not self._moves_begin:
            self._in_play()
        before = self._record.position
        try:
            move = read_move(before, _text(item.arguments, "move"))
        except NotationError as error:
            raise CommandRefused("illegal_move") from error
        step = Step(before, move, before.after(move), item.at, None, False)
        self._scorer.write(False, step, item.at, entered=True)
        self._witness.wait_for_record(item.at, set())

    # --- the end

    def _result(self, item: Command) -> None:
        winner = WINNERS.get(str(item.arguments.get("result")))
        reason = str(item.arguments.get("reason", "decision"))
        self._not_over()
        if winner is None:
            raise CommandRefused("unknown_result")
        if reason not in REASONS:
            raise CommandRefused("unknown_reason")
        self._begin_to_end(item.at)
        article = self._scorer.claims.article(reason, self._record.game)
        won_by_a_draw = reason in DRAWS and winner != "draw"
        self._scorer.finish(item.at, winner, reason, None if won_by_a_draw else article)

    def _begin_to_end(self, at: float) -> None:
        """A game that has not begun may end: a player is absent, the pairing is void."""
        if self._scorer.waits_for is not None:
            self._begin(at)

    def _abort(self, item: Command) -> None:
        self._not_over()
        self._begin_to_end(item.at)
        self._scorer.finish(item.at, "none", "void", self.regulation.articles.get("void"))

    def _reopen(self, item: Command) -> None:
        """Takes the end back: what the board has shown since becomes the record."""
        witness = self._witness
        over = self._scorer.ending.over
        if over is None:
            raise CommandRefused("game_is_not_over")
        unsaid = self._scorer.ending.take_back(self._record.position)
        self._scorer.tell(GameReopened(item.at, item.by, over.revision))
        for event in unsaid:
            self._scorer.tell(replace(event, at=item.at))
            if isinstance(event, MovesRetracted):
                self._scorer.tell(*self._umpire.put_right(item.at, event.from_ply))
        irregular = {event.ply for event in unsaid if isinstance(event, PlayedMove) and event.irregular}
        for number in sorted(irregular):
            self._scorer.tell(*self._umpire.irregular(item.at, self._record.plies, number))
        self._scorer.show_clock(item.at, self._scorer.clock.reopen(item.at))
        self._umpire.hands.forget()
        self._scorer.tell_claims(item.at)
        known = witness.lost or witness.waiting.state is not None or not witness.off
        self._scorer.show_board(witness.state if known else "mismatch", item.at)
        if not witness.lost:
            witness.stillness.begin(item.at)

    def _count(self, item: Command) -> None:
        """A player begins to count (003 art. 17a), from now or from behind an earlier ply."""
        plies = len(self._record.plies)
        from_ply = _whole_number(item.arguments, "from_ply") if "from_ply" in item.arguments else plies
        self._in_play()
        if not 0 <= from_ply <= plies:
            raise CommandRefused("no_such_ply")
        if not self._scorer.claims.begin(str(item.arguments.get("law")), from_ply):
            raise CommandRefused("no_such_law")
        self._scorer.tell_claims(item.at)

    # --- decisions about alerts

    def _stands(self, item: Command) -> None:
        """What was told stands: pieces astray stay as the board has them."""
        alert = self._alert(item)
        if alert.kind in PIECES_ASTRAY and alert.ply == len(self._record.plies):
            astray = (c for c in self._witness.chains.alive if c.revises and c.astray and len(c.steps) == 1)
            chain = next((c for c in astray if not self._view.off(c.position)), None)
            if chain is not None:
                self._witness.believe(chain, item.at)
        self._close(alert, "stands", item.at)

    def _rectify(self, item: Command) -> None:
        """What was told is put right: an irregular ply and what followed are taken back, the board is waited for."""
        alert = self._alert(item)
        of_ply = alert.kind in OF_A_PLY & SETTLED - PIECES_ASTRAY
        if of_ply and alert.ply <= len(self._record.plies):
            self._in_play()
            self._go_back(alert.ply - 1, "rectify", item.at)
        self._close(alert, "rectified", item.at)

    def _dismiss(self, item: Command) -> None:
        self._close(self._alert(item), "dismissed", item.at)

    def _alert(self, item: Command) -> AlertRaised:
        alert = self._umpire.alerts.find(_text(item.arguments, "alert"))
        if alert is None:
            raise CommandRefused("no_such_alert")
        return alert

    def _close(self, alert: AlertRaised, how: Any, at: float) -> None:
        self._scorer.tell(*self._umpire.alerts.close(at, [alert], how))

    def _adjust(self, item: Command) -> None:
        """'I adjust', of one side or of both, until their next complete moves or for some seconds."""
        if self._scorer.waits_for is not None:
            raise CommandRefused("not_begun")
        side, seconds = item.arguments.get("side"), item.arguments.get("seconds")
        if side not in (None, "white", "black"):
            raise CommandRefused("unknown_side")
        sides = [s for s in Side if side in (None, s.label)]
        lasting = None if seconds is None else _seconds(item.arguments, "seconds")
        self._umpire.hands.adjust(sides, item.at, lasting)

    # --- the board

    def _mask(self, item: Command) -> None:
        square = self._square(item)
        self._witness.eyes.suspects.masked |= 1 << square
        self._witness.look_again(square, item.at)

    def _unmask(self, item: Command) -> None:
        square = self._square(item)
        if not self._witness.eyes.suspects.unread >> square & 1:
            raise CommandRefused("not_masked")
        self._witness.eyes.suspects.trust(square)
        self._witness.trust(square, item.at)
        self._witness.look_again(square, item.at)

    def _square(self, item: Command) -> int:
        try:
            return self._geometry.square(_text(item.arguments, "square"))
        except KeyError as error:
            raise CommandRefused("no_such_square") from error

    def _orient(self, item: Command) -> None:
        """The board lies otherwise than thought: what was recorded is void, and the board is read anew."""
        turn = _whole_number(item.arguments, "turn")
        if turn not in TURNS:
            raise CommandRefused("unknown_turn")
        if turn == self._witness.eyes.turn:
            return
        self._not_over()
        if self._record.plies:
            self._scorer.retract(0, "orient", item.at)
        self._witness.look_from(turn, item.at)
        if self._scorer.waits_for is not None:
            self._witness.wait_for_setup(item.at)

    def _move_to(self, item: Command) -> None:
        """The game goes on at another board, which lies as `turn` says: nothing has been read of that one yet.

        `wiring`, `touch_seconds` and `overlap_seconds` are that board's, as in a header.
        """
        turn, wiring = item.arguments.get("turn", 0), item.arguments.get("wiring")
        if turn not in TURNS:
            raise CommandRefused("unknown_turn")
        times = {key: _seconds(item.arguments, key) for key in OF_THE_BOARD if key in item.arguments}
        self._not_over()
        self._witness.gap_readings = 0
        self._maturing = None
        self._stood_still = NOTHING, {}, 0.0
        wired = wiring if wiring in get_args(Wiring) else None
        self._witness.look_at_another(turn, wired, replace(self.settings, **times), item.at)

    # --- time and the public

    def _pause(self, item: Command) -> None:
        self._in_play()
        if self._witness.paused:
            raise CommandRefused("paused_already")
        self._witness.paused = True
        self._witness.stillness.stop()
        self._view.touches.drop()
        self._umpire.hands.forget()
        self._scorer.show_clock(item.at, self._scorer.clock.pause(item.at))

    def _resume(self, item: Command) -> None:
        if not self._witness.paused:
            raise CommandRefused("not_paused")
        self._witness.paused = False
        self._view.touches.start(self._view.firm.occupied)
        self._scorer.show_clock(item.at, self._scorer.clock.resume(item.at))
        self._witness.wait_for_record(item.at, set())

    def _set_clock(self, item: Command) -> None:
        white, black = (_seconds(item.arguments, key) for key in ("white", "black"))
        self._scorer.show_clock(item.at, self._scorer.clock.set(white, black, item.at))

    def _hold(self, item: Command) -> None:
        self._publication(item, True)

    def _release(self, item: Command) -> None:
        self._publication(item, False)

    def _publication(self, item: Command, held: bool) -> None:
        if held is not self._scorer.held_back:
            self._scorer.held_back = held
            self._scorer.tell(Publication(item.at, held))

    def _in_play(self) -> None:
        self._not_over()
        if self._scorer.waits_for is not None:
            raise CommandRefused("not_begun")

    def _not_over(self) -> None:
        if self._scorer.ending.over is not None:
            raise CommandRefused("game_is_over")


def _whole_number(arguments: Mapping[str, Any], key: str) -> int:
    value = arguments.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise CommandRefused(f"needs_{key}")
    return value


def _seconds(arguments: Mapping[str, Any], key: str) -> float:
    value = arguments.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < MOST_SECONDS:
        raise CommandRefused(f"needs_{key}")
    return float(value)


def _text(arguments: Mapping[str, Any], key: str) -> str:
    value = arguments.get(key)
    if not isinstance(value, str) or not value:
        raise CommandRefused(f"needs_{key}")
    return value
