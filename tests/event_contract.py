"""What every follower of a Session's events may rely on, whatever happened on the board."""

from __future__ import annotations

import re

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.regulations import Regulation
from damas_board.regulations.policy import IRREGULAR_MOVES
from damas_board.rules.generation import legal_moves
from damas_board.session.alerts import OF_A_PLY, PIECES_ASTRAY
from damas_board.session.events import (
    AlertClosed,
    AlertRaised,
    BoardChanged,
    ClockChanged,
    CommandAnswered,
    Event,
    GameOver,
    GameReopened,
    GameStarted,
    MoveConfirmed,
    MoveMade,
    MoveRevised,
    MovesRetracted,
    PlayedMove,
    PositionSet,
    Publication,
)
from damas_board.session.trail import TRAIL_SECONDS

EXPLAINS_A_PLY = {*IRREGULAR_MOVES, *PIECES_ASTRAY, "wrong_orientation"}
"""The kinds of which at least one is told of an irregular ply that the arbiter has not set up."""
BEFORE_THE_START = (AlertClosed, AlertRaised, BoardChanged, ClockChanged, CommandAnswered, PositionSet, Publication)
OF_A_BOARD = {"wrong_setup", "wrong_orientation", "board_lost", "sensor_suspect", "clock_lost", "flag_fallen"}
"""The kinds that are told before the start."""
AFTER_THE_END = (AlertClosed, BoardChanged, ClockChanged, CommandAnswered, GameReopened, Publication)


class EventContract:
    """Checks events one after the other; AssertionError names the rule that was broken."""

    def __init__(self, regulation: Regulation) -> None:
        self.variant = regulation.variant
        self.plies: list[PlayedMove] = []
        self.confirmed: list[bool] = []
        self.revision = 0
        self.start: str | None = None
        self.fen: str | None = None
        """The position that stands."""
        self.at = float("-inf")
        self.started = False
        self.over = False
        self.alerts: dict[str, AlertRaised] = {}
        """Those that are open."""
        self.raised: list[AlertRaised] = []
        self._owed: dict[int, PlayedMove] = {}
        """Irregular plies of which no alert is known yet."""
        self._void: dict[str, AlertRaised] = {}
        """Open alerts of plies that were revised or are gone."""

    def check(self, event: Event) -> None:
        assert event.at >= self.at, f"time goes back: {event}"
        if event.at > self.at:
            self.end_of_instant()
        self.at = event.at
        assert self.started or isinstance(event, (GameStarted, *BEFORE_THE_START)), f"before the start: {event}"
        assert self.started or not isinstance(event, AlertRaised) or event.kind in OF_A_BOARD, f"before: {event}"
        assert not self.over or isinstance(event, AFTER_THE_END), f"after the end: {event}"
        match event:
            case GameStarted():
                assert not self.started
                assert self.fen in (None, event.fen)
                self.started = True
                self.start = self.fen = event.fen
            case MoveRevised():
                assert event.ply == len(self.plies), event
                assert event.revision == self.revision + 1, event
                was = self.plies[-1]
                assert event.was == was.move, event
                if event.basis != "entered":
                    assert event.provisional is not self.confirmed[-1], event
                self.plies[-1] = event
                self.confirmed[-1] = not event.provisional
                self.revision += 1
                if not event.irregular or (event.from_, event.to) != (was.from_, was.to):
                    self._gone(event.ply)
                self._ply(event)
            case MoveMade():
                assert event.ply == len(self.plies) + 1, event
                assert event.revision == self.revision, event
                assert event.provisional, event
                assert not self.confirmed or self.confirmed[-1], f"the ply before is open: {event}"
                self.plies.append(event)
                self.confirmed.append(False)
                self._ply(event)
            case MovesRetracted():
                assert 1 <= event.from_ply <= len(self.plies), event
                assert event.revision == self.revision + 1, event
                self.revision += 1
                del self.plies[event.from_ply - 1 :]
                del self.confirmed[event.from_ply - 1 :]
                self.fen = event.fen
                self._gone(event.from_ply)
            case MoveConfirmed():
                assert event.ply == len(self.plies), event
                assert event.revision == self.revision, event
                assert not self.confirmed[-1], f"confirmed twice: {event}"
                self.confirmed[-1] = True
            case PositionSet():
                self._position_set(event)
            case GameOver():
                assert event.ply == len(self.plies), event
                assert event.revision == self.revision, event
                assert all(self.confirmed), event
                self.over = True
            case GameReopened():
                assert self.over, f"not over: {event}"
                assert event.revision == self.revision, event
                self.over = False
            case AlertRaised():
                self._raised(event)
            case AlertClosed():
                assert event.id in self.alerts, f"it is not open: {event}"
                assert event.id not in self._void or event.how == "rectified", f"its ply is gone: {event}"
                self._void.pop(event.id, None)
                del self.alerts[event.id]
            case _:
                pass

    def end_of_instant(self) -> None:
        """What has to be told together has been told."""
        assert not self._owed, f"irregular, and nobody is told why: {self._owed}"
        assert not self._void, f"their plies are gone, and they are open: {self._void}"

    def _ply(self, event: PlayedMove) -> None:
        if event.basis != "entered" or event.irregular is False:
            self._follows(event)
        assert event.path[0] == event.from_, event
        assert event.path[-1] == event.to, event
        assert event.down is None or event.down <= event.at, event
        assert event.seconds is None or event.seconds >= 0, event
        if event.basis == "inferred":
            assert event.down is None, event
            assert event.seconds is None, event
        self.fen = event.fen
        stands = [a for a in self.alerts.values() if a.ply == event.ply and a.kind in PIECES_ASTRAY]
        self._owed.pop(event.ply, None)
        if event.irregular and event.basis != "entered" and not stands:
            self._owed[event.ply] = event

    def _follows(self, event: PlayedMove) -> None:
        """A ply is regular if and only if a legal move leads from the position before to the one after it."""
        before = self.start if event.ply == 1 else self.plies[event.ply - 2].fen
        if self.variant.king_run_limit is not None:
            return  # what it allows depends on moves that a FEN does not tell
        position = read_fen(str(before), self.variant)
        moves = legal_moves(position)
        if event.irregular:
            assert all(write_fen(position.after(move)) != event.fen for move in moves), f"it is legal: {event}"
        else:
            move = read_move(position, event.move)
            assert write_fen(position.after(move)) == event.fen, f"it does not follow: {event}"
            assert event.side == position.turn.label, event

    def _gone(self, from_ply: int) -> None:
        self._void |= {
            a.id: a for a in self.alerts.values() if a.kind in OF_A_PLY and a.ply >= from_ply and a.id not in self._void
        }
        self._owed = {ply: event for ply, event in self._owed.items() if ply < from_ply}

    def _position_set(self, event: PositionSet) -> None:
        assert event.ply == len(self.plies), event
        if self.plies:
            assert event.revision == self.revision, event
            assert self.plies[-1].fen == event.fen, event
            assert self.plies[-1].basis == "entered", event
        else:
            assert event.revision == self.revision + 1, event
            self.revision += 1
            self.start = event.fen
        self.fen = event.fen

    def _raised(self, event: AlertRaised) -> None:
        self.raised.append(event)
        assert re.fullmatch(rf".+-a{len(self.raised)}", event.id), event
        assert 1 <= event.ply <= len(self.plies) + 1, event
        moved = len(event.squares) == 2  # a capture may end where it began
        assert moved or len(set(event.squares)) == len(event.squares), event
        assert event.until == "game_over" or event.decides == "opponent", event
        evidence = event.evidence
        assert event.at - TRAIL_SECONDS <= evidence["from"] <= evidence["to"] == event.at, event
        times = [at for at, _ in evidence["trail"]]
        assert times == sorted(times), event
        assert all(evidence["from"] <= at <= event.at for at in times), event
        if event.kind in EXPLAINS_A_PLY and event.ply in self._owed:
            del self._owed[event.ply]
        self.alerts[event.id] = event
