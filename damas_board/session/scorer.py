"""The scorer: writes down the plies, and tells what they are to players, arbiter and public.

It knows the record and the regulation, the clocks and the end, and takes from the board only how a ply was carried out.
What happened on the board is the `Witness`'s to say, what a breach is the `Umpire`'s.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.time_control import read_time_control
from damas_board.regulations import Regulation
from damas_board.regulations.policy import AlertKind
from damas_board.rules.game import same_move, verdict
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.session.alerts import name_of
from damas_board.session.claims import Claims
from damas_board.session.ending import WINNERS, Ending
from damas_board.session.events import (
    Basis,
    BoardChanged,
    BoardState,
    ClockChanged,
    Event,
    GameOver,
    GameStarted,
    MoveConfirmed,
    MovesRetracted,
)
from damas_board.session.game_clock import GameClock, Times
from damas_board.session.header import Header, Starts
from damas_board.session.opening import drawn, starts_turned
from damas_board.session.record import Ply, Record
from damas_board.session.snapshot import notes, open_alerts
from damas_board.session.state import GameState
from damas_board.session.umpire import Umpire
from damas_board.tracking.chains import Step
from damas_board.tracking.execution import as_played, hidden_before, left_after_rest, off_early, off_on_the_way
from damas_board.tracking.irregular import Irregularity
from damas_board.tracking.view import View


class Scorer:
    """One game's record, and what is told of it."""

    def __init__(self, header: Header, regulation: Regulation, view: View) -> None:
        """NotationError if the header's `start`, `opening` or `clock` cannot be read."""
        self.header = header
        self.regulation = regulation
        self.view = view
        self.record = Record(read_fen(header.start or "start", regulation.variant))
        self.claims = Claims(regulation, header.recorded)
        self.game_id = header.game or f"{header.board}-1"
        self.umpire = Umpire(regulation, self.game_id, header.recorded, header.settings)
        self.ending = Ending()
        control = None if header.clock is None else read_time_control(header.clock)
        self.clock = GameClock(control, name_of(regulation.variant.first))
        self.clock_at_start: Times | None = self.clock.at(0.0)
        self.lever: Side | None = None
        """Who has pressed the lever although no move of that side stood on the board yet."""
        self.held_back = False
        """The game is kept from the public."""
        self.waits_for: Starts | None = header.starts
        """What will begin the game; None once it has begun."""
        self.board: BoardChanged | None = None
        """What was last told of the board."""
        self._opening = drawn(header.opening, self.record.start)
        self._clock_told: ClockChanged | None = None
        self._events: list[Event] = []

    # --- the game at present

    @property
    def last(self) -> Ply | None:
        """The last ply."""
        return self.record.plies[-1] if self.record.plies else None

    @property
    def silent(self) -> bool:
        """The game is over: what the board shows is not told."""
        return self.ending.final is not None

    @property
    def in_play(self) -> bool:
        """The game has begun and is not over: what happens on the board is play."""
        return self.waits_for is None and not self.silent

    @property
    def state(self) -> GameState:
        """The game at present; after its end, as it ended."""
        alerts = open_alerts(self.umpire.alerts.open.values())
        if self.ending.final is not None:
            return replace(
                self.ending.final[0],
                over=self.ending.over,
                board_state=self.board,
                alerts=alerts,
                clock=self._clock_told,
                held=self.held_back,
            )
        return GameState(
            game=self.game_id,
            regulation=self.header.regulation,
            start=write_fen(self.record.start),
            fen=write_fen(self.record.position),
            moves=tuple(ply.text for ply in self.record.plies),
            revision=self.record.revision,
            clock=self._clock_told,
            board_state=self.board,
            over=self.ending.over,
            alerts=alerts,
            players=self.header.players,
            counters=tuple(asdict(state) for state in self.claims.counters(self.record.game)),
            time_control=self.header.clock,
            notes=notes(self.record.plies, self.regulation, self.header.recorded),
            held=self.held_back,
            round=self.header.round,
            table=self.header.table,
            match=self.header.match,
            opening=self.header.opening,
            waits_for=self.waits_for,
        )

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The record as it stands; after the end, as it stood then."""
        return tuple(self.record.plies) if self.ending.final is None else self.ending.final[1]

    # --- telling

    def tell(self, *events: Event) -> None:
        """Tells `events`; after the end what becomes of the record is kept for when the end is taken back."""
        self._events += [event for event in events if self.ending.lets_tell(event)]

    def told(self) -> list[Event]:
        """What was told since this was last asked."""
        events, self._events = self._events, []
        return events

    def start(self, at: float, *, by_move: bool = False) -> None:
        """The game begins; `by_move`: with a move, of whose player it is not known when the time began."""
        header = self.header
        self.waits_for = None
        self.record.began = None if by_move else at
        start = write_fen(self.record.start)
        place = (header.round, header.table, header.match, header.clock, header.opening)
        self.tell(GameStarted(at, self.game_id, header.regulation, start, header.players, *place))
        self.tell_claims(at)
        self.show_clock(at, self.clock.at(at))

    def alert_once(self, at: float, kind: AlertKind, squares: tuple[int, ...] = (), reason: str | None = None) -> None:
        """Raises an alert about the board unless one of its kind, and with that reason if any, is open."""
        if not any(reason in (None, alert.evidence.get("reason")) for alert in self.umpire.alerts.of(kind)):
            self.alert_coming(at, kind, squares=squares, reason=reason)

    def alert_coming(
        self,
        at: float,
        kind: AlertKind,
        *,
        side: Side | None = None,
        squares: tuple[int, ...] = (),
        reason: str | None = None,
        **evidence: Any,
    ) -> None:
        """Raises an alert while the next ply is awaited."""
        why: dict[str, Any] = evidence if reason is None else {"reason": reason, **evidence}
        self.tell(self.umpire.alert(at, kind, side=side, squares=squares, ply=len(self.record.plies) + 1, **why))

    def recovered(self, at: float, kind: AlertKind, square: str | None = None) -> None:
        """What alerts of `kind` tell, about `square` only if it is given, is over by itself."""
        alerts = [a for a in self.umpire.alerts.of(kind) if square is None or square in a.squares]
        self.tell(*self.umpire.alerts.close(at, alerts, "recovered"))

    def tell_claims(self, at: float) -> None:
        if not self.silent:
            self.tell(*self.claims.due(at, self.record.game))

    def show_board(self, state: BoardState, at: float, reason: str | None = None) -> None:
        """Tells the board's state; where it disagrees, with what to put and what to clear."""
        if self.silent and state != "lost" and (self.board is None or self.board.state != "lost"):
            return
        put: dict[str, str] | None = None
        clear: tuple[str, ...] | None = None
        if state in ("mismatch", "resyncing", "setting_up"):
            position, geometry = self.record.position, self.regulation.variant.geometry
            off = self.view.off(position)
            put = {geometry.name(s): _mark(position, s) for s in squares_of(off & position.occupied)}
            clear = geometry.names(tuple(squares_of(off & ~position.occupied)))
        was, board = self.board, BoardChanged(at, state, put, clear, reason)
        if was is None or replace(board, at=was.at) != was:
            self.board = board
            self.tell(board)

    def show_clock(self, at: float, times: Times | None, jump: float | None = None) -> None:
        if times is None:
            return
        self._clock_told = ClockChanged(at, times.white, times.black, times.running, times.stale, jump)
        self.tell(self._clock_told)

    def flag_fell(self, at: float, side: Side) -> None:
        if not self.silent:
            self.alert_coming(at, "flag_fallen", side=side)

    # --- plies

    def write(self, revises: bool, step: Step, at: float, *, entered: bool = False) -> Step | None:
        """Records a ply; returns the reading of it that this one replaces. `entered`: by the arbiter.

        A game that has not begun begins with it.
        """
        if self.waits_for is not None:
            self.start(at, by_move=True)
        ply = self._ply(step, at, entered)
        early = () if revises and step.astray else off_early(step, self.view.touches)
        was = replaced = None
        if revises:
            was = self._revise(ply, step, at)
            early = early or off_on_the_way(was.move, step)
            replaced = Step(was.before, was.move, was.after, step.at, was.down, was.basis == "seen", was.broken)
        else:
            self._add(ply, at)
        if not self.silent:
            rested = was is not None and self._left_after_rest(was)
            self.tell(*self.umpire.published(at, self.record.plies, was, rested, early))
            self._judge_opening(at)
        self.tell_claims(at)
        if self.lever is ply.side:
            self.lever = None
            self.confirm(at)
        return replaced

    def _ply(self, step: Step, at: float, entered: bool) -> Ply:
        move = as_played(step, self.view.playable, self.view.touches)
        basis: Basis = "entered" if entered else "seen" if step.seen else "inferred"
        ply = self.record.ply(step.before, move, step.after, basis, step.down, self._asked(step.broken, move))
        ply.told = at
        ply.seen = step.at if step.seen else None
        ply.likely = step.likely
        ply.unsure = not step.seen
        ply.hidden = hidden_before(step.move.end, self.view.touches)
        return ply

    def _revise(self, ply: Ply, step: Step, at: float) -> Ply:
        """Puts `ply` in the place of the last one, which is returned."""
        was = self.record.cut(len(self.record.plies) - 1)[0]
        self.claims.revise(len(self.record.plies))
        ply.confirmed = was.confirmed
        ply.clock = was.clock
        if step.astray:
            ply.touched, ply.basis, ply.seen, ply.unsure = was.touched, was.basis, was.seen, was.unsure
        self.record.add(ply)
        self.tell(self.record.told_again(at, was.text))
        return was

    def _add(self, ply: Ply, at: float) -> None:
        """Puts `ply` behind the last one, which is complete."""
        times = self.clock.at(at)
        self.judge_crowns(at)
        self.confirm(at)
        ply.clock = times
        self.record.add(ply)
        self.tell(self.record.told(at))

    def confirm(self, at: float) -> None:
        """The last ply, if there is one and it is not confirmed yet; a game that it ends is over."""
        if self.last is None or self.last.confirmed:
            return
        self.last.confirmed = True
        self.tell(MoveConfirmed(at, len(self.record.plies), self.record.revision))
        self.end_by_rule(at)

    def retract(self, plies: int, reason: str, at: float) -> list[Ply]:
        """Leaves `plies` plies, and returns the ones that are gone."""
        by_board = reason == "taken_back"
        rested = by_board and self._left_after_rest(self.record.plies[-1])
        gone = self.record.cut(plies)
        self.claims.cut(plies)
        fen = write_fen(self.record.position)
        self.tell(MovesRetracted(at, plies + 1, reason, self.record.revision, fen))
        if not self.silent:
            self.tell(*self.umpire.retracted(at, gone, plies + 1, by_board=by_board, rested=rested))
        return gone

    def _left_after_rest(self, ply: Ply) -> bool:
        """Whether the piece of `ply` stood still for a while before it left again."""
        rest = self.header.settings.rest_seconds
        return left_after_rest(ply.move.end, ply.came_down, rest, self.view.touches)

    # --- what is looked at with each ply

    def _asked(self, broken: Irregularity | None, move: Move) -> Irregularity | None:
        """A first move by the wrong side on a board that sees no colours: it may be a turned board."""
        first = broken is not None and broken.kind == "wrong_side" and len(self.record.plies) == 0
        if broken is None or not first or self.header.senses != "occupancy":
            return broken
        if not starts_turned(self.record.start, move):
            return broken
        return broken._replace(kind="wrong_orientation", also=("wrong_side", *broken.also))

    def _judge_opening(self, at: float) -> None:
        """Tells the first ply that leaves the opening which was drawn (003 art. 14)."""
        number = len(self.record.plies)
        ply = self.record.plies[-1]
        left = number <= len(self._opening) and not same_move(ply.move, self._opening[number - 1])
        if left and not self.umpire.alerts.of("wrong_opening"):
            squares = (ply.move.start, ply.move.end)
            self.tell(self.umpire.alert(at, "wrong_opening", side=ply.side, squares=squares, ply=number))

    def judge_crowns(self, at: float) -> None:
        """The reply begins: who should have been crowned is, and nobody else; only boards that sense kind can tell."""
        ply, number = self.last, len(self.record.plies)
        if self.header.senses != "kind" or ply is None or self.silent:
            return
        alerts, position, geometry = self.umpire.alerts, self.record.position, self.regulation.variant.geometry
        bare = position.kings & self.view.men
        false = position.occupied & ~position.kings & self.view.kings
        if ply.move.promotes and bare >> ply.move.end & 1 and not alerts.of("not_crowned", ply=number):
            self.tell(self.umpire.alert(at, "not_crowned", side=ply.side, squares=(ply.move.end,), ply=number))
        told = {name for a in alerts.of("crowned_wrongly") for name in a.squares}
        squares = tuple(s for s in squares_of(false) if geometry.name(s) not in told)
        if squares:
            self.tell(self.umpire.alert(at, "crowned_wrongly", side=ply.side, squares=squares, ply=number))

    # --- the end

    def end_by_rule(self, at: float) -> None:
        """Ends the game if the side to move has no piece or no move."""
        if self.ending.over is not None or self.record.position == self.ending.reopened or self.waits_for is not None:
            return
        end = verdict(self.record.position)
        if end is not None:
            self.finish(at, end.winner.label, end.reason, self.regulation.articles.get(end.reason))

    def finish(self, at: float, winner: str, reason: str, article: str | None) -> None:
        """Ends the game, if confirming its last ply has not ended it."""
        self.confirm(at)
        if self.ending.over is not None:
            return
        number, revision = len(self.record.plies), self.record.revision
        result = self.regulation.result(winner)
        self.show_clock(at, self.clock.stop(at))
        self.ending.over = GameOver(at, WINNERS[winner], result, reason, article, number, revision)
        self.tell(self.ending.over)
        self.ending.final = self.state, tuple(self.record.plies)


def _mark(position: Position, square: int) -> str:
    mark = "b" if position.side_at(square) is Side.BLACK else "w"
    return mark.upper() if position.kings >> square & 1 else mark
