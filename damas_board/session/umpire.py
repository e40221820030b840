"""What the arbiter is told: touched pieces, irregular plies, pieces astray, each with its article and its evidence.

The Session says what happened on the board, the Umpire what that is under the regulation. It corrects nothing and
punishes nothing. Its methods return the events that are to be told; each is called once for what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple

from damas_board.notation.moves import write_move
from damas_board.regulations import Regulation
from damas_board.regulations.policy import SETTLED, AlertKind
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.session.alerts import PIECES_ASTRAY, Alerts
from damas_board.session.events import AlertRaised, Event
from damas_board.session.hands import Hands, Touched
from damas_board.session.header import Settings
from damas_board.session.record import Ply
from damas_board.session.trail import Trail
from damas_board.tracking.irregular import Irregularity
from damas_board.tracking.touches import slack


class TakenBack(NamedTuple):
    """A regular ply that its player has undone."""

    side: Side
    ply: int
    start: int
    end: int
    rested: bool
    touched: Touched
    """What its turn had in it before."""


class Umpire:
    """The arbiter's side of one game."""

    def __init__(self, regulation: Regulation, game: str, recorded: bool, settings: Settings) -> None:
        self.geometry = regulation.variant.geometry
        self.alerts = Alerts(regulation, game, recorded)
        self.hands = Hands(settings.hold_seconds, slack(settings.overlap_seconds))
        self.trail = Trail(self.geometry)
        self._taken_back: TakenBack | None = None
        self._first_counts = regulation.policy.several_touched != "opponent_chooses"

    def alert(
        self,
        at: float,
        kind: AlertKind,
        *,
        side: Side | None = None,
        squares: Sequence[int] = (),
        ply: int,
        legal: Position | None = None,
        moves: Sequence[Move] | None = None,
        broken: Irregularity | None = None,
        recurs: bool = False,
        **evidence: Any,
    ) -> AlertRaised:
        """Raises an alert; `legal`: the position whose legal moves it names, all of them or `moves`."""
        found: Mapping[str, Any] = {**self.trail.evidence(at), **evidence}
        if broken is not None and broken.could_continue:
            found = {**found, "could_continue": True}
        if broken is not None and broken.reason is not None:
            found = {**found, "reason": broken.reason}
        everything = [] if legal is None else legal_moves(legal)
        named = everything if moves is None else moves
        return self.alerts.raised(
            at,
            kind,
            side=side,
            squares=self.geometry.names(tuple(squares)),
            ply=ply,
            evidence=found,
            legal=() if legal is None else tuple(write_move(legal, move, everything) for move in named),
            also=() if broken is None else broken.also,
            law=None if broken is None else broken.law,
            recurs=recurs,
        )

    # --- plies

    def published(
        self, at: float, plies: Sequence[Ply], was: Ply | None, rested: bool, early: tuple[int, ...]
    ) -> list[Event]:
        """The last of `plies` has just been told; `was` is the reading that it replaces.

        `rested`: the piece of `was` had stood still for a while before it went on. `early`: captured pieces that came
        off before the capture was complete.
        """
        ply, number = plies[-1], len(plies)
        astray = ply.broken is not None and ply.broken.kind in PIECES_ASTRAY
        events: list[Event] = []
        if was is not None and not (astray and was.move[:2] == ply.move[:2] and was.side is ply.side):
            events += self.alerts.put_right(at, number)
        events += self._broken(at, ply, number)
        if not astray and ply.basis != "entered":
            events += self._handled(at, plies, was, rested)
            if early:
                captured = self.alert(at, "lifted_during_capture", side=ply.side, squares=early, ply=number)
                events.append(captured)
        if was is None:
            events += self._accepted(at, plies)
        self._taken_back = None
        if not astray:
            self.hands.complete(ply.side, ply.complete, ply.move.captured)
        return events

    def irregular(self, at: float, plies: Sequence[Ply], number: int) -> list[Event]:
        """The ply of that number was told when nobody was: what is irregular about it, if it still stands."""
        return self._broken(at, plies[number - 1], number) if number <= len(plies) else []

    def _broken(self, at: float, ply: Ply, number: int) -> list[Event]:
        broken = ply.broken
        if broken is None or (broken.kind in PIECES_ASTRAY and self.alerts.of(broken.kind, ply=number)):
            return []
        squares = tuple(squares_of(broken.squares)) or (ply.move.start, ply.move.end)
        legal = None if broken.squares else ply.before
        return [self.alert(at, broken.kind, side=broken.side, squares=squares, ply=number, legal=legal, broken=broken)]

    def _handled(self, at: float, plies: Sequence[Ply], was: Ply | None, rested: bool) -> list[Event]:
        """What was touched in the turn of the last ply, and what became of an earlier move of the turn."""
        ply, number = plies[-1], len(plies)
        if ply.likely or (was is not None and was.likely):
            return []
        side, start = ply.side, ply.move.start
        undone = self._taken_back
        if was is not None and was.side is side:
            undone = TakenBack(side, number, was.move.start, was.move.end, rested and not was.unsure, was.touched)
        if undone is None or undone.ply != number or undone.side is not side:
            undone = None
        events: list[Event] = []
        regular = was is None or (was.broken is None and not was.unsure and not self._accused_of(was))
        if undone is not None and regular and undone.start != start:
            way = (undone.start, undone.end)
            ply.taken_back = (*way, *(was.taken_back if was is not None else ()))[:2]
        elif was is not None and was.move.start == start:
            ply.taken_back = was.taken_back
        if ply.taken_back:
            events.append(self.alert(at, "taken_back", side=side, squares=ply.taken_back, ply=number))
        if undone is not None and undone.start == start and undone.rested and undone.end != ply.move.end:
            if was is None or was.broken is None:
                squares = (start, undone.end, ply.move.end)
                events.append(self.alert(at, "destination_changed", side=side, squares=squares, ply=number))
            events += self._wavers(at, side, start, number)
        return events + self._touches(at, plies, was, undone, regular)

    def _accused_of(self, was: Ply) -> bool:
        """Whether its player was told of something that another move may put right."""
        return bool(was.touched.returned or was.touched.together or was.taken_back)

    def _touches(
        self, at: float, plies: Sequence[Ply], was: Ply | None, undone: TakenBack | None, regular: bool
    ) -> list[Event]:
        """The pieces touched in the turn of the last ply beside the one that moved, an earlier move's included."""
        ply, number = plies[-1], len(plies)
        start = ply.move.start
        if ply.side is not ply.before.turn or ply.basis != "seen":
            return []
        since = plies[-2].complete if number > 1 else float("-inf")
        down = ply.came_down if was is None else min(ply.came_down, was.complete)
        if ply.hidden is not None:
            down = min(down, ply.hidden)
        touched = self.hands.touched(ply.before, start, since, down, first_counts=self._first_counts)
        if undone is not None:
            moved = (undone.start,) if regular else ()
            earlier = dict.fromkeys((*undone.touched.returned, *moved, *touched.returned))
            first = next(iter(earlier), start)
            returned = tuple(square for square in earlier if square != start) if first != start else ()
            touched = Touched(returned, undone.touched.together or touched.together)
        ply.touched = touched
        squares = touched.together or touched.returned
        if not squares:
            return []
        kind: AlertKind = "several_touched" if touched.together else "touch_move"
        legal = [move for move in legal_moves(ply.before) if move.start in squares]
        return [self.alert(at, kind, side=ply.side, squares=squares, ply=number, legal=ply.before, moves=legal)]

    def _accepted(self, at: float, plies: Sequence[Ply]) -> list[Event]:
        """A new ply was completed: what the opponent decides by moving is decided."""
        number = len(plies)
        cleared = [a for a in self.alerts.of(*PIECES_ASTRAY) if a.ply < number and not _astray(plies[a.ply - 1])]
        events: list[Event] = [*self.alerts.close(at, cleared, "rectified")]
        return events + list(self.alerts.answered(at, number, plies[-1].side))

    def agreed(self, at: float, plies: Sequence[Ply]) -> list[Event]:
        """The board agrees with the record: what was missing is back, what was left is off."""
        number = len(plies)
        astray = [a for a in self.alerts.of(*PIECES_ASTRAY) if a.ply == number and not _astray(plies[-1])]
        recovered = self.alerts.of("board_mismatch", "wrong_setup")
        if not plies:
            recovered += self.alerts.of("wrong_orientation")
        return [*self.alerts.close(at, astray, "rectified"), *self.recovered(at, recovered)]

    def recovered(self, at: float, alerts: Sequence[AlertRaised] | None = None) -> list[Event]:
        """The board is again what it should be: what was lifted to put it right does not count."""
        open_ = self.alerts.of("board_mismatch", "wrong_setup") if alerts is None else alerts
        if open_:
            self.hands.forget()
        return [*self.alerts.close(at, open_, "recovered")]

    def retracted(self, at: float, gone: Sequence[Ply], from_ply: int, *, by_board: bool, rested: bool) -> list[Event]:
        """The plies from `from_ply` on are no more; `by_board`: they were undone on the board."""
        last = gone[-1]
        accused = any(a.ply == from_ply for a in self.alerts.of(*SETTLED, "wrong_opening", "wrong_orientation"))
        self._taken_back = None
        self.hands.forget()
        events = self.alerts.put_right(at, from_ply)
        if not by_board or last.broken is not None or last.likely or last.unsure or accused:
            return [*events]
        undone = TakenBack(last.side, from_ply, last.move.start, last.move.end, rested, last.touched)
        self._taken_back = undone
        return [*events, *self._wavers(at, last.side, last.move.start, from_ply)]

    def put_right(self, at: float, from_ply: int) -> list[Event]:
        """The plies from `from_ply` on are gone, or what they led to is."""
        return [*self.alerts.put_right(at, from_ply)]

    # --- pieces in the hand

    def lifted(self, square: int, since: float, side: Side) -> None:
        self.hands.lift(square, since, side)

    def put(
        self,
        at: float,
        square: int,
        since: float,
        *,
        turn: Side,
        coming: int,
        stood: Callable[[float], Position],
        crowned: int | None,
    ) -> list[Event]:
        """A piece came down on `square`; `coming` is the number of the next ply, `turn` whose it is.

        `stood` gives the position at a time; `crowned` is the square of a man that was just promoted.
        """
        lift = self.hands.put(square, since, turn)
        if lift is None:
            return []
        apart = self.hands.slack
        if apart and stood(lift.since - apart).turn is not stood(lift.since + apart).turn:
            return []  # whose turn it was is not known
        position = stood(lift.since)
        side = position.side_at(square)
        if side is None or self.hands.adjusted(side, lift.since):
            return []
        if side is not position.turn:
            if square == crowned:
                return []
            return [self.alert(at, "touched_out_of_turn", side=side, squares=(square,), ply=coming)]
        events: list[Event] = []
        if all(move.start != square for move in legal_moves(position)):
            recurs = self.hands.unplayable(side)
            squares = (square,)
            events.append(
                self.alert(
                    at, "touched_unplayable", side=side, squares=squares, ply=coming, legal=position, recurs=recurs
                )
            )
        return events + self._wavers(at, side, square, coming)

    def held(self, at: float, side: Side | None, coming: int, besides: Container[int]) -> list[Event]:
        """Tells the pieces of `side` that have been in the air for too long; None where the board says otherwise.

        Of the squares `besides` it is known where their pieces are.
        """
        return [
            self.alert(at, "held_piece", side=side, squares=(lift.square,), ply=coming)
            for lift in self.hands.due(at)
            if lift.side is side and lift.square not in besides and not self.hands.adjusted(lift.side, lift.since)
        ]

    def _wavers(self, at: float, side: Side, square: int, ply: int) -> list[Event]:
        squares = self.hands.wavers(side, square)
        return [self.alert(at, "wavering", side=side, squares=squares, ply=ply)] if squares else []


def _astray(ply: Ply) -> bool:
    return ply.broken is not None and ply.broken.kind in PIECES_ASTRAY
