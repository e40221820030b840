"""Following one board's game: readings in, plies and alerts out, with no clock of its own.

How it works. `feed` first does everything that fell due before the input, each thing at its own time, then takes the
input; so the events depend on the inputs and not on how punctually anyone woke up. What falls due: a touch has
outlasted a bounce, a piece was held too long, the board has settled, it has rested, it has stood too long on something
that nothing explains, a suspect square can be trusted again, a player's time is over.

Readings extend the chains of complete boards (tracking.chains). When the board has settled on the head of one chain,
that chain's plies are recorded: from the recorded position they are new moves; from the position before the last ply
they revise it, or take it back. A board that settles on nothing is compared with a capture under way, with a piece in
the hand, with two plies in one reading, and at last with what no rule allows (tracking.irregular). An irregular ply is
believed only when the board has rested on it, when the lever is pressed, or when the next player begins or has made a
regular move from there. Where a link was lost nothing was seen, and a few plies are accepted if there is no other legal
way to what stands there; if the same plies may have been made in another order, one of them is taken.

A captured piece that still stands when the reply begins, and a piece that is gone without having been captured, change
what the last ply led to; both readings of that ply stay alive until the reply tells which one the players went on from.

Before the start position has been seen, and after the arbiter has gone back or set up another position, the board is
waited for: nothing is a move until it agrees, or shows a legal successor that is not the line just taken back.

After the end the board is followed silently: what it shows becomes the record if the arbiter takes the end back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.notation.time_control import read_time_control
from damas_board.regulations import Regulation
from damas_board.regulations.policy import AlertKind
from damas_board.rules.game import same_move, verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.session.alerts import PIECES_ASTRAY, label, name_of
from damas_board.session.claims import Claims
from damas_board.session.events import (
    Basis,
    BoardChanged,
    BoardState,
    CaptureProgress,
    ClockChanged,
    Event,
    GameOver,
    GameStarted,
    MoveConfirmed,
    MovesRetracted,
    PieceLifted,
    PiecePlaced,
    PlayedMove,
    Winner,
)
from damas_board.session.game_clock import Flag, GameClock, Times
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Lever, Link, See
from damas_board.session.record import Ply, Record
from damas_board.session.state import GameState, PlyNote
from damas_board.session.stillness import Due, Stillness
from damas_board.session.umpire import Umpire
from damas_board.tracking.air import in_a_hand, in_the_air
from damas_board.tracking.astray import (
    after_leaving,
    after_removal,
    complete_but_for_missing,
    last_plies,
    left_behind,
    missing_from,
    without,
)
from damas_board.tracking.belief import Belief, best, one_position
from damas_board.tracking.capture import CaptureReaders, UnderWay
from damas_board.tracking.chains import BUILT_ON, Chain, Chains, Step
from damas_board.tracking.doubt import doubting
from damas_board.tracking.execution import as_played, left_after_rest, off_early, off_on_the_way
from damas_board.tracking.irregular import Irregularity
from damas_board.tracking.offences import goes_on, offences
from damas_board.tracking.readings import Readings
from damas_board.tracking.sight import NOTHING, Sight, SightReader, disagreement, put_back
from damas_board.tracking.suspects import Suspects
from damas_board.tracking.touches import Bounce, Touch
from damas_board.tracking.unseen import through_gap, two_in_one_reading
from damas_board.tracking.view import View

GAP_PLIES = 3
"""How many unseen plies are searched after a lost link."""
GAP_WAYS = 16
"""So many of them are followed on, for later plies to tell which one it was."""
GAP_READINGS = 12
"""How many readings after it are searched from: people do not wait for a cable, so the first ones count most."""

WINNERS: dict[str, Winner] = {
    "white": "white",
    "black": "black",
    "draw": "draw",
    "none": "none",
    "1-0": "white",
    "2-0": "white",
    "0-1": "black",
    "0-2": "black",
    "1/2-1/2": "draw",
    "1-1": "draw",
    "*": "none",
}
"""What the `result` command takes; numbers stand White first."""


class Following:
    """The game on one board, without the arbiter's commands."""

    def __init__(self, header: Header, regulation: Regulation) -> None:
        self.header = header
        self.regulation = regulation
        self.settings = header.settings
        variant = regulation.variant
        self._geometry = variant.geometry
        self._playable = self._geometry.playable_mask
        self._record = Record(read_fen(header.start or "start", variant))
        self._opening = _drawn(header.opening, self._record.start)
        self._claims = Claims(regulation, header.recorded)
        self._game_id = header.game or f"{header.board}-1"
        self._reader = SightReader(self._geometry, header.turn)
        self._rows = ""
        self._raw: Sight = NOTHING
        """What the board says; `_view` is without the squares that cannot be relied on."""
        self._men = self._kings = 0
        self._light = 0
        """Light squares on which something stands, and since when; only boards that can see it."""
        self._light_since: float | None = None
        self._suspects = Suspects()
        self._view = View(self._playable, self.settings.touch_seconds)
        self._readings = Readings(self.settings.touch_seconds)
        self._stillness = Stillness(self.settings)
        self._stood_still: tuple[Sight, dict[Due, float], float] = (NOTHING, {}, 0.0)
        """The board that last stood for longer than a bounce, what was due then, and since when it stood."""
        self._chains = Chains(self._playable)
        self._chains.restart(self._record.position, None)
        self._captures = CaptureReaders(self._playable)
        self._under_way: UnderWay | None = None
        self._told_progress: UnderWay | None = None
        self._umpire = Umpire(regulation, self._game_id, header.recorded, self.settings)
        self._now = -math.inf
        self._started = False
        self._waiting: BoardState | None = "setting_up"
        """Nothing is a move until the board agrees, or shows another legal successor than the `_barred` ones."""
        self._barred: set[Position] = set()
        self._shown: set[Position] = set()
        """Those of `_barred` that the board has shown since."""
        self._gap = False
        self._gap_readings = 0
        self._lost = False
        self._paused = False
        self._over: GameOver | None = None
        self._final: tuple[GameState, tuple[Ply, ...]] | None = None
        """The state and the record at the end of the game: what follows is not told."""
        self._unsaid: list[Event] = []
        self._reopened: Position | None = None
        """The position at an end that was taken back: it does not end the game again by itself."""
        self._lever: Side | None = None
        control = None if header.clock is None else read_time_control(header.clock)
        self._clock = GameClock(control, name_of(variant.first))
        self._clock_at_start: Times | None = self._clock.at(0.0)
        self._held_back = False
        """The game is kept from the public."""
        self._clock_told: ClockChanged | None = None
        self._board: BoardChanged | None = None
        self._events: list[Event] = []

    # --- what the shell sees

    @property
    def deadline(self) -> float | None:
        """The time at which something falls due; a tick is wanted then."""
        times = [self._clock.deadline]
        if not self._lost:
            times += [self._view.touches.deadline, self._stillness.deadline, self._suspects.deadline]
            times += [self._umpire.hands.deadline, self._misplaced_due]
        return min((t for t in times if t is not None), default=None)

    @property
    def state(self) -> GameState:
        """The game at present; after its end, as it ended."""
        if self._final is not None:
            return replace(
                self._final[0],
                over=self._over,
                board_state=self._board,
                alerts=self._open_alerts(),
                clock=self._clock_told,
                held=self._held_back,
            )
        return GameState(
            game=self._game_id,
            regulation=self.header.regulation,
            start=write_fen(self._record.start),
            fen=write_fen(self._record.position),
            moves=tuple(ply.text for ply in self._record.plies),
            revision=self._record.revision,
            clock=self._clock_told,
            board_state=self._board,
            over=self._over,
            alerts=self._open_alerts(),
            players=self.header.players,
            counters=tuple(asdict(state) for state in self._claims.counters(self._record.game)),
            time_control=self.header.clock,
            notes=tuple(self._notes()),
            held=self._held_back,
        )

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The record as it stands; after the end, as it stood then."""
        return tuple(self._record.plies) if self._final is None else self._final[1]

    def _open_alerts(self) -> tuple[dict[str, object], ...]:
        """What is open, without the evidence: a reader who wants that asks for it."""
        return tuple(
            {
                "id": alert.id,
                "at": alert.at,
                "kind": alert.kind,
                "severity": alert.severity,
                "side": alert.side,
                "squares": list(alert.squares),
                "ply": alert.ply,
                "article": alert.article,
                "decides": alert.decides,
                "until": alert.until,
                "consequence": alert.consequence,
            }
            for alert in self._umpire.alerts.open.values()
        )

    def _notes(self) -> list[PlyNote]:
        found = []
        for number, ply in enumerate(self._record.plies, 1):
            broken = ply.broken
            if broken is None and ply.clock is None and not ply.set_up:
                continue
            ruling = None
            if broken is not None:
                ruling = self.regulation.ruling(broken.kind, recorded=self.header.recorded, law=broken.law)
            found.append(
                PlyNote(
                    number,
                    "black" if ply.side else "white",
                    write_fen(ply.after) if broken is not None or ply.set_up else None,
                    () if broken is None else (broken.kind, *broken.also),
                    None if ruling is None else ruling.article,
                    None if ply.clock is None else (ply.clock.white, ply.clock.black),
                    None if ply.clock is None else ply.clock.running,
                )
            )
        return found

    # --- what falls due

    def _fall_due(self, until: float) -> None:
        while (due := self.deadline) is not None and due <= until:
            self._now = due
            if not self._lost:
                for touch in self._view.touches.due(due):
                    self._touched(touch)
                for square in self._suspects.trusted(due):
                    self._trust(square, due)
                if (holding := self._umpire.hands.deadline) is not None and holding <= due:
                    self._held(due)
                if (stray := self._misplaced_due) is not None and stray <= due:
                    self._misplaced(due)
                for what in self._stillness.take(due):
                    match what:
                        case "settled":
                            self._settled(due)
                        case "rested":
                            self._rested(due)
                        case "mismatch":
                            self._stood_too_long(due)
            for fallen in self._clock.due(due):
                if isinstance(fallen, Flag):
                    self._flag_fell(due, Side.WHITE if fallen.side == "white" else Side.BLACK)
                else:
                    self._alert_once(due, "clock_lost")
                self._show_clock(due, self._clock.at(due))

    def _settled(self, at: float) -> None:
        if self._waiting:
            self._waited(at)
            return
        ending = self._chains.ending_at(self._view.sight)
        finished = self._belief(at).finished(ending)
        chain = best(finished)
        if not finished and not in_a_hand(self._chains, self._view):
            plies = self._record.plies
            revising = bool(plies) and not plies[-1].confirmed
            chain = best(two_in_one_reading(self._chains, self._view.sight, self._view.touches.handled, at, revising))
        if chain is not None and chain.steps and chain.guessed == len(chain.steps):
            return  # nothing but a search speaks for it: it has to rest
        if chain is not None:
            self._believe(chain, at)
        elif not finished:
            self._look_for_capture(at)
            self._look_for_irregular(at)

    def _rested(self, at: float) -> None:
        if self._waiting is None and not self._reply_begun(at):
            ending = self._chains.ending_at(self._view.sight)
            if self._gap:
                found = ending or through_gap(self._chains, self._view.sight, GAP_PLIES, at)
                chain = best(found) or one_position(found)
                if chain is not None:
                    self._believe(chain, at)
            else:
                finished = self._belief(at).finished(ending)
                chain = best(finished)
                if chain is not None and chain.irregular:
                    self._believe(chain, at)
                elif not finished:
                    self._believe_irregular(ending, at)
        if self._waiting is not None and self._shows_record(rested=True):
            self._agreed(at)
        if self._waiting is None and self._shows_record(rested=True):
            self._end_by_rule(at)

    def _believe_irregular(self, chains: Sequence[Chain], at: float, *, complete: bool = False) -> bool:
        """What stands there is more than a moment's look; whether one reading is believed.

        `complete`: the player has pressed the lever, or the next one has begun.
        """
        belief = self._belief(at)
        if self._final is not None or belief.a_sensor_may_err(1):
            return False
        moves = [c for c in chains if c.steps and c.steps[-1].broken is not None and not c.astray]
        chain = best(c for c in moves if belief.matured(c) and (complete or not goes_on(c)))
        if chain is None:
            return False
        self._believe(chain, at)
        return True

    def _belief(self, at: float) -> Belief:
        last = self._record.plies[-1].move if self._record.plies else None
        told = bool(self._umpire.alerts.of("removed_wrongly", ply=len(self._record.plies)))
        times = self.settings
        return Belief(self._chains, self._view, at, times.rest_seconds, times.mismatch_seconds, last, told)

    def _recorded(self) -> Chain | None:
        """The last ply as it is recorded, as a chain from the position before it."""
        if not self._record.plies:
            return None
        ply = self._record.plies[-1]
        seen = ply.basis == "seen"
        step = Step(ply.before, ply.move, ply.after, self._view.changed_at, ply.down, seen, ply.broken)
        return Chain(True, ply.before, (step,))

    def _stood_too_long(self, at: float) -> None:
        if self._final is not None:
            return
        if self._waiting is not None:
            if self._waiting == "setting_up" and not self._shows_record(rested=True):
                pieces = self._record.position.occupied.bit_count()
                quarter = not self._view.sight.occupied and self._light.bit_count() == pieces
                kind: AlertKind = "wrong_orientation" if quarter else "wrong_setup"
                self._alert_once(at, kind, squares=tuple(squares_of(self._off())))
            return
        if self._explained():
            return
        ending = self._belief(at).finished(self._chains.ending_at(self._view.sight))
        chain = best(ending) or complete_but_for_missing(self._chains, self._view, at)
        if chain is not None:
            self._believe(chain, at)
            if not self._off() or self._final is not None:
                return
        if self._pieces_missing(at) or self._explained():
            return
        off = self._off()
        last = self._record.plies[-1] if self._record.plies else None
        captured = 0 if last is None else last.move.captured_mask
        if off and not off & (off - 1) and off & ~self._record.position.occupied & ~captured:
            self._distrust(off.bit_length() - 1, at)  # nothing moved, and yet a piece is there
            return
        self._show("mismatch", at)
        self._alert_once(at, "board_mismatch", squares=tuple(squares_of(off)))

    def _alert_once(self, at: float, kind: AlertKind, squares: tuple[int, ...] = ()) -> None:
        """Raises an alert about the board unless one of its kind is open."""
        if not self._umpire.alerts.of(kind):
            self._tell(self._umpire.alert(at, kind, squares=squares, ply=len(self._record.plies) + 1))

    # --- touches

    @property
    def _misplaced_due(self) -> float | None:
        """When something has stood on a light square for too long."""
        since = self._light_since
        if since is None or self._waiting == "setting_up":
            return None
        return round(since + self.settings.mismatch_seconds, 6)

    def _misplaced(self, at: float) -> None:
        self._light_since = None
        if self._final is None:
            squares = tuple(squares_of(self._light))
            self._tell(self._umpire.alert(at, "misplaced_piece", squares=squares, ply=len(self._record.plies) + 1))

    def _see_light_squares(self, at: float) -> None:
        """Light squares are no part of the game: what stands there is waited for, then told."""
        if self.header.covers != "all" or self._reader.light == self._light:
            return
        self._light = self._reader.light
        self._light_since = at if self._light else None
        for event in self._umpire.alerts.close(at, self._umpire.alerts.of("misplaced_piece"), "recovered"):
            self._tell(event)

    def _touched(self, touch: Touch) -> None:
        square = self._geometry.name(touch.square)
        position = self._record.position
        owner = position.side_at(touch.square)
        if touch.lifted:
            self._tell(PieceLifted(touch.due, square, label(owner), touch.since))
            self._umpire.lifted(touch.square, touch.since)
            if not self._waiting and not self._paused:
                self._next_player_lifts(touch)
            return
        bit = 1 << touch.square
        if self._view.sight.white & bit:
            owner = Side.WHITE
        elif self._view.sight.black & bit:
            owner = Side.BLACK
        self._tell(PiecePlaced(touch.due, square, label(owner), touch.since))
        if self._waiting or self._final is not None or self._paused:
            self._umpire.hands.forget()
            return
        last = self._record.plies[-1] if self._record.plies else None
        crowned = last.move.end if last is not None and last.move.promotes else None
        coming = len(self._record.plies) + 1
        for event in self._umpire.put(touch.due, touch.square, touch.since, coming, self._stood, crowned):
            self._tell(event)

    def _stood(self, at: float) -> Position:
        """The position that stood on the board at `at`, as far as is known now."""
        chain = best(c for c in self._chains.ending_at(self._view.sight) if not c.open_ended)
        for step in reversed(chain.steps if chain is not None else ()):
            if step.at <= at:
                return step.after
        for ply in reversed(self._record.plies):
            if ply.complete <= at:
                return ply.after
        return self._record.start

    def _next_player_lifts(self, touch: Touch) -> None:
        """A piece was lifted: if it is the next player's, the move before it is complete."""
        position = self._record.position
        owner = position.side_at(touch.square)
        if owner is None:
            return
        before_lift = put_back(self._view.sight, touch.square)
        if self._complete(before_lift, touch.due, lifted=touch.square):
            position = self._record.position
        last = self._record.plies[-1] if self._record.plies else None
        if last is not None and owner is position.turn and owner is last.side.other:
            if self._may_be_taken(touch.square):
                return
            self._judge_crowns(touch.due)
            self._confirm(touch.due)

    def _ends_here(self, sight: Sight) -> bool:
        """Whether the board is complete, apart from pieces astray of which it was told."""
        told = bool(self._umpire.alerts.of(*PIECES_ASTRAY, ply=len(self._record.plies)))
        return any(
            not chain.open_ended or (told and chain.revises and len(chain.steps) == 1 and chain.astray)
            for chain in self._chains.ending_at(sight)
        )

    def _may_be_taken(self, square: int) -> bool:
        """Whether the piece there may still come off as a victim of the last ply, read as a longer capture."""
        last = self._record.plies[-1]
        return not last.sealed and any(
            square in move.captured for move, _ in self._chains.followers(last.before) if move.start == last.move.start
        )

    def _held(self, at: float) -> None:
        off = self._off()
        missing = off & self._record.position.occupied
        in_air = off == missing and not self._waiting and self._final is None
        astray = {name for a in self._umpire.alerts.of(*PIECES_ASTRAY) for name in a.squares}
        missing &= ~sum(1 << self._geometry.square(name) for name in astray)
        coming = len(self._record.plies) + 1
        for event in self._umpire.held(at, self._record.position, missing if in_air else 0, coming):
            self._tell(event)

    # --- inputs

    def _start(self, at: float) -> None:
        self._started = True
        self._record.began = at
        self._tell(
            GameStarted(at, self._game_id, self.header.regulation, write_fen(self._record.start), self.header.players)
        )
        self._tell_claims(at)
        self._show_clock(at, self._clock.at(at))

    def _see(self, item: See) -> None:
        first = not self._raw.known
        before, self._raw = self._raw, self._reader.read(item.rows, self._raw)
        raw = self._raw
        self._rows = item.rows
        self._men, self._kings = self._reader.men, self._reader.kings
        if self._lost:
            return
        self._see_light_squares(item.at)
        was = item.at if item.was is None else item.was
        if first:
            self._umpire.trail.start(raw.occupied)
        else:
            self._umpire.trail.see(raw.occupied, was)
        if self._suspects.mask:
            changed = before.not_empty ^ raw.not_empty
            self._suspects.compare(disagreement(self._record.position, raw, self._playable), changed, item.at)
        sight = self._suspects.through(raw)
        old, self._view.sight = self._view.sight, sight
        if old == sight:
            return
        if self._paused:
            self._view.touches.start(sight.occupied)
            return
        self._begin_stillness(old, sight, item.at)
        if first:
            self._view.touches.start(sight.occupied)
            bounces: list[Bounce] = []
        else:
            unread = self._suspects.unread
            occupied = sight.occupied & ~unread | self._view.touches.occupied & unread
            bounces = self._view.touches.see(occupied, item.at, was)
        for bounce in bounces:
            if self._suspects.toggled(bounce.square, bounce.lasted, item.at):
                self._distrust(bounce.square, item.at)
                sight = self._view.sight
        if self._waiting:
            if self._shows_record():
                self._agreed(item.at)
            return
        for bounce in bounces:
            for reading in self._readings.without_bounce(bounce.square, bounce.since, sight):
                self._extend(reading.sight, reading.at, item.at)
        self._readings.add(item.at, sight)
        self._extend(sight, item.at, item.at)
        if self._gap and self._gap_readings < GAP_READINGS and not self._chains.ending_at(sight):
            self._gap_readings += 1
            ways = through_gap(self._chains, sight, GAP_PLIES, item.at)
            for chain in ways if len(ways) <= GAP_WAYS else ():
                self._chains.assume(chain)

    def _begin_stillness(self, old: Sight, new: Sight, at: float) -> None:
        """The board has changed: it has to be still anew, unless a blip has only taken itself back."""
        stood, due, since = self._stood_still
        if new == stood and at < round(self._view.changed_at + self.settings.touch_seconds, 6):
            self._stillness.go_on(due, at)
            self._view.changed_at = since
            return
        if at >= round(self._view.changed_at + self.settings.touch_seconds, 6):
            self._stood_still = old, self._stillness.kept(), self._view.changed_at
        self._stillness.begin(at)
        self._view.changed_at = at

    def _extend(self, sight: Sight, read_at: float, now: float) -> None:
        """Extends the chains; a ply that later ones have built on is recorded without waiting for stillness."""
        grown = self._chains.see(sight, read_at, self._view.touches, not self._gap)
        built_on = [c for c in grown if len(c.steps) >= BUILT_ON + bool(c.unclear) and not c.irregular and not c.doubt]
        clearest = min((c.unclear for c in built_on), default=0)
        built_on = [c for c in built_on if c.unclear == clearest]
        if built_on and all(chain.steps[0] == built_on[0].steps[0] for chain in built_on):
            self._publish(built_on[0].revises, built_on[0].steps[0], now)
            self._chains.advance(built_on[0])

    def _pressed(self, item: Lever) -> None:
        """Confirms the move that stands on the board, or the one that is still to settle."""
        side = Side.WHITE if item.side == "white" else Side.BLACK
        if self._final is None and not self._paused:
            self._show_clock(item.at, self._clock.pressed(item.side, item.at))
        if not self._waiting and not self._lost and not self._paused:
            self._complete(self._view.sight, item.at)
        last = self._record.plies[-1] if self._record.plies else None
        if last is not None and last.side is side and not last.sealed and last.clock is not None:
            last.clock = self._clock.at(item.at)
        if last is not None and last.side is side and not (self._off() & ~self._left_standing()):
            self._confirm(item.at)
        else:
            self._lever = side

    def _read_clock(self, item: ClockReading) -> None:
        read = self._clock.reading(item.white, item.black, item.running, item.at)
        if read is None:
            return
        for fallen in read.flags:
            self._flag_fell(item.at, Side.WHITE if fallen.side == "white" else Side.BLACK)
        for event in self._umpire.alerts.close(item.at, self._umpire.alerts.of("clock_lost"), "recovered"):
            self._tell(event)
        self._show_clock(item.at, read.times, read.jump)

    def _flag_fell(self, at: float, side: Side) -> None:
        if self._final is None:
            self._tell(self._umpire.alert(at, "flag_fallen", side=side, ply=len(self._record.plies) + 1))

    def _show_clock(self, at: float, times: Times | None, jump: float | None = None) -> None:
        if times is None:
            return
        shown = ClockChanged(at, times.white, times.black, times.running, times.stale, jump)
        self._clock_told = shown
        self._tell(shown)

    def _announced(self, item: Button) -> None:
        """'I adjust', by a player or by the arbiter."""
        sides = {"white": (Side.WHITE,), "black": (Side.BLACK,), "arbiter": (Side.WHITE, Side.BLACK)}
        if item.button == "adjust" and item.side in sides:
            self._umpire.hands.adjust(sides[item.side], item.at)

    def _link(self, item: Link) -> None:
        if (item.state == "lost") is self._lost:
            return
        self._lost = item.state == "lost"
        self._lever = None
        if self._lost:
            self._stillness.stop()
            self._view.touches.drop()
            self._suspects.wait()
            self._light, self._light_since = 0, None
            self._umpire.hands.forget()
            self._show("lost", item.at, item.reason)
            if self._final is None:
                self._alert_once(item.at, "board_lost")
            return
        self._gap = True
        self._gap_readings = 0
        self._raw = self._view.sight = NOTHING
        self._show(self._state() if self._over is not None or self._waiting else "resyncing", item.at)
        for event in self._umpire.alerts.close(item.at, self._umpire.alerts.of("board_lost"), "recovered"):
            self._tell(event)

    def _state(self) -> BoardState:
        """What the board is, as far as the record and the board agree."""
        if self._lost:
            return "lost"
        if self._over is None and self._waiting is not None:
            return self._waiting
        return "in_play" if self._record.plies and self._over is None else "ready"

    # --- sensors that cannot be relied on

    def _rely(self) -> None:
        """Reads the board anew, without the squares that cannot be relied on."""
        self._view.sight = self._suspects.through(self._raw)
        self._chains.unread = self._suspects.unread

    def _distrust(self, square: int, at: float) -> None:
        """From now on the square is not read, until it has agreed for a while."""
        first = self._suspects.suspect(square)
        self._umpire.hands.distrust(square)
        self._view.touches.correct(square, bool(self._record.position.occupied >> square & 1))
        self._rely()
        self._readings.forget()
        self._suspects.compare(disagreement(self._record.position, self._raw, self._playable), 0, at)
        if first and self._final is None:
            squares = (square,)
            self._tell(self._umpire.alert(at, "sensor_suspect", squares=squares, ply=len(self._record.plies) + 1))
        self._stillness.begin(at)

    def _trust(self, square: int, at: float) -> None:
        self._rely()
        self._view.touches.correct(square, bool(self._view.sight.occupied >> square & 1))
        self._look_anew(at)
        name = self._geometry.name(square)
        alerts = [a for a in self._umpire.alerts.of("sensor_suspect") if name in a.squares]
        for event in self._umpire.alerts.close(at, alerts, "recovered"):
            self._tell(event)

    def _look_anew(self, at: float) -> None:
        """The board as it stands is a new reading: other squares of it are read than before."""
        if self._lost or self._paused:
            return
        if not self._waiting:
            self._extend(self._view.sight, at, at)
        self._stillness.begin(at)

    # --- belief

    def _off(self) -> int:
        """The squares where the board shows something else than the record."""
        return self._view.off(self._record.position)

    def _shows_record(self, *, rested: bool = False) -> bool:
        """Whether the board agrees with the record: every square of it, or most of them once it has rested."""
        unread = self._playable & ~self._view.sight.known & ~self._suspects.unread
        if unread and not (rested and 2 * unread.bit_count() < self._playable.bit_count()):
            return False
        return not self._off() and bool(self._view.sight.known)

    def _agreed(self, at: float) -> None:
        """The board agrees with the record: what follows is play."""
        self._waiting = None
        self._barred.clear()
        self._shown.clear()
        self._gap = False
        self._umpire.hands.forget()
        self._anchor()
        for event in self._umpire.agreed(at, self._record.plies):
            self._tell(event)
        self._show(self._state(), at)

    def _waited(self, at: float) -> None:
        """A settled board while waiting: another legal successor than the line taken back is a move.

        A position of that line may be played again once the board has shown it and left it.
        """
        if self._waiting == "setting_up" and self._turned_board(at):
            return
        position = self._record.position
        for taken_back in tuple(self._barred):
            if not self._view.off(taken_back):
                self._shown.add(taken_back)
            elif taken_back in self._shown:
                self._barred.discard(taken_back)
        whole = self._view.sight.known | self._suspects.unread == self._playable | self._suspects.unread
        found = [
            Chain(False, position, (Step(position, move, after, at, None, False),))
            for move, after in self._chains.followers(position)
            if whole and not self._view.off(after)
        ]
        chain = best(found)
        if chain is not None and chain.position not in self._barred:
            self._agreed(at)
            self._believe(chain, at)
        elif self._waiting is not None:
            self._show(self._waiting, at)

    def _turned_board(self, at: float) -> bool:
        """A board that sees colours tells by the start position how it lies; whether otherwise than thought."""
        position = self._record.position
        for turn in (0, 90, 180, 270):
            if self.header.senses == "occupancy" or turn == self._reader.turn:
                continue
            reader = SightReader(self._geometry, turn)
            sight = reader.read(self._rows, NOTHING)
            if sight.known == self._playable and not disagreement(position, sight, self._playable):
                self._reader = reader
                self._raw = sight
                self._men, self._kings = reader.men, reader.kings
                self._view.sight = self._suspects.through(sight)
                self._view.touches.start(sight.occupied)
                self._umpire.trail.start(sight.occupied)
                self._agreed(at)
                return True
        return False

    def _believe(self, chain: Chain, at: float) -> None:
        """The board has settled on `chain`: its plies are recorded."""
        for square in squares_of(chain.doubt & self._view.off(chain.position)):
            self._distrust(square, at)
        if chain.revises and not chain.steps:
            self._retract(len(self._record.plies) - 1, "taken_back", at)
            self._record.unseal()
        was = None
        for index, step in enumerate(chain.steps):
            if index == len(chain.steps) - 1 and step.seen and not step.astray:
                step = step._replace(down=self._view.touches.came_down.get(step.move.end, step.down))
            was = self._publish(chain.revises and index == 0, step, at)
        if not chain.steps and self._final is None:
            for event in self._umpire.agreed(at, self._record.plies):
                self._tell(event)
        self._show(self._state(), at)
        self._under_way = None
        self._lever = None
        self._gap = False
        self._anchor(was)
        if self._off():
            self._chains.see(self._view.sight, self._view.changed_at, self._view.touches)

    def _anchor(self, was: Step | None = None) -> None:
        """Forgets the evidence that led to the present record; `was` is a reading that has just been revised."""
        self._captures.forget()
        self._told_progress = None
        self._view.touches.forget()
        self._readings.forget()
        last = self._record.plies[-1] if self._record.plies else None
        open_irregular = last is not None and last.irregular and not last.confirmed
        self._chains.restart(self._record.position, self._record.open_before, was, irregular=open_irregular)

    def _publish(self, revises: bool, step: Step, at: float, *, entered: bool = False) -> Step | None:
        """Records a ply; returns the reading of it that this one replaces. `entered`: by the arbiter."""
        record = self._record
        replaced = None
        was: Ply | None = None
        move = as_played(step, self._playable, self._view.touches)
        basis: Basis = "entered" if entered else "seen" if step.seen else "inferred"
        ply = record.ply(step.before, move, step.after, basis, step.down, self._asked(step.broken, move))
        ply.told = at
        ply.seen = step.at if step.seen else None
        times = self._clock.at(at)
        early = () if revises and step.astray else off_early(step, self._view.touches)
        if revises:
            was = record.cut(len(record.plies) - 1)[0]
            early = early or off_on_the_way(was.move, step)
            self._claims.revise(len(record.plies))
            replaced = Step(was.before, was.move, was.after, step.at, was.down, was.basis == "seen", was.broken)
            ply.confirmed = was.confirmed
            ply.clock = was.clock
            if step.astray:
                ply.touched, ply.basis, ply.seen = was.touched, was.basis, was.seen
            record.add(ply)
            self._tell(record.told_again(at, was.text))
        else:
            self._judge_crowns(at)
            self._confirm(at)
            ply.clock = times
            record.add(ply)
            self._tell(record.told(at))
        if self._final is None:
            rested = was is not None and self._left_after_rest(was)
            for event in self._umpire.published(at, record.plies, was, rested, early):
                self._tell(event)
            self._judge_opening(at)
        self._tell_claims(at)
        if self._lever is ply.side:
            self._lever = None
            self._confirm(at)
        return replaced

    def _judge_opening(self, at: float) -> None:
        """Tells the first ply that leaves the opening which was drawn (003 art. 14)."""
        number = len(self._record.plies)
        ply = self._record.plies[-1]
        left = number <= len(self._opening) and not same_move(ply.move, self._opening[number - 1])
        if left and not self._umpire.alerts.of("wrong_opening"):
            squares = (ply.move.start, ply.move.end)
            self._tell(self._umpire.alert(at, "wrong_opening", side=ply.side, squares=squares, ply=number))

    def _asked(self, broken: Irregularity | None, move: Move) -> Irregularity | None:
        """A first move by the wrong side on a board that sees no colours: it may be a turned board."""
        first = broken is not None and broken.kind == "wrong_side" and len(self._record.plies) == 0
        if broken is None or not first or self.header.senses != "occupancy":
            return broken
        if not starts_turned(self._record.start, move):
            return broken
        return broken._replace(kind="wrong_orientation", also=("wrong_side", *broken.also))

    def _left_after_rest(self, ply: Ply) -> bool:
        """Whether the piece of `ply` stood still for a while before it left again."""
        return left_after_rest(ply.move.end, ply.came_down, self.settings.rest_seconds, self._view.touches)

    def _tell_claims(self, at: float) -> None:
        if self._final is None:
            for claim in self._claims.due(at, self._record.game):
                self._tell(claim)

    def _confirm(self, at: float) -> None:
        """The last ply, if there is one and it is not confirmed yet; a game that it ends is over."""
        if not self._record.plies or self._record.plies[-1].confirmed:
            return
        self._record.plies[-1].confirmed = True
        self._tell(MoveConfirmed(at, len(self._record.plies), self._record.revision))
        self._end_by_rule(at)

    def _retract(self, plies: int, reason: str, at: float) -> list[Ply]:
        """Leaves `plies` plies."""
        by_board = reason == "taken_back"
        rested = by_board and self._left_after_rest(self._record.plies[-1])
        gone = self._record.cut(plies)
        self._claims.cut(plies)
        fen = write_fen(self._record.position)
        self._tell(MovesRetracted(at, plies + 1, reason, self._record.revision, fen))
        if self._final is None:
            for event in self._umpire.retracted(at, gone, plies + 1, by_board=by_board, rested=rested):
                self._tell(event)
        return gone

    # --- boards that are no position of the game

    def _look_for_capture(self, at: float) -> None:
        if self._taken_up_again(self._off()):
            self._under_way = None
            return
        self._under_way = self._captures.legal(self._record.position).read(
            self._view.sight, self._view.touches.placements
        )
        if self._under_way is not None and self._under_way != self._told_progress:
            self._told_progress = self._under_way
            names = self._geometry.names
            path, removed, remaining = map(names, self._under_way)
            self._tell(CaptureProgress(at, path, removed, remaining))

    def _look_for_irregular(self, at: float) -> None:
        """Keeps alive what no rule allows, or one wrong sensor explains, for stillness or later moves to build on."""
        if self._gap or self._final is not None:
            return
        view, position = self._view, self._record.position
        last = self._record.plies[-1] if self._record.plies else None
        confirmed = last is not None and last.confirmed
        left = last.left if last is not None else 0
        found = doubting(self._chains, view, at, left, last is not None and not confirmed)
        readings = last_plies(self._chains, self._recorded())
        found += [without(c, view.off(c.position), view) for c in readings if view.only_missing(c.position)]
        standing = self._captures.legal(position).standing(view.sight)
        found += [left_behind(position, move, still, view, at, revises=False) for move, still in standing]
        in_air = in_the_air(self._chains, None if last is None else last.move, view)
        if not (standing or in_air or self._going_back()):
            found += offences(self._chains, view.sight, view, self._captures, confirmed)
            found += [*after_removal(readings, view), *after_leaving(readings, left, view)]
        for chain in found:
            self._chains.keep(chain)

    def _complete(self, sight: Sight, at: float, lifted: int | None = None) -> bool:
        """The player has pressed the lever, or the next one has begun: what stands there is a move. Whether one is.

        With `lifted`, the next player's piece, the rest of the board has to have stood still before: captured pieces
        are still coming off as long as the player has not clearly stopped (FMJD Annex 1, 4.12).
        """
        if self._gap or self._final is not None or self._ends_here(sight):
            return False
        position = self._record.position
        other = None if lifted is None else self._view.touches.last_change(lifted)
        still = math.inf if other is None else round(at - other, 6)
        if lifted is not None and self._may_have_been_taken(lifted):
            return False
        standing = [
            (move, left)
            for move, left in self._captures.legal(self._record.position).standing(sight)
            if lifted is None or not move.captured_mask >> lifted & 1
        ]
        whole = {position.after(move) for move, _ in standing}
        if len(whole) == 1 and (lifted is None or position.side_at(lifted) is position.turn.other):
            if still < self.settings.rest_seconds:
                return False
            self._leave_standing(*standing[0], at)
            return True
        if standing or still < self.settings.settle_seconds or self._going_back():
            return False
        confirmed = bool(self._record.plies) and self._record.plies[-1].confirmed
        chains = offences(self._chains, sight, self._view, self._captures, confirmed)
        if lifted is not None:
            chains = [c for c in chains if c.position.pieces(c.position.turn) >> lifted & 1]
        return self._believe_irregular(chains, at, complete=True)

    def _may_have_been_taken(self, lifted: int) -> bool:
        """Whether the piece lifted from there is a victim of what the board shows, however odd a capture that is."""
        heads = {chain.position for chain in self._chains.alive if not chain.open_ended or chain.astray}
        return any(self._captures.may_take(head, self._view.sight, lifted) for head in heads)

    def _reply_begun(self, at: float) -> bool:
        """The board has rested with one piece in the air: if it is the next player's, the move before it is complete.

        Whether that made a ply.
        """
        handled = self._view.touches.handled
        if not handled or not handled[-1].lifted or self._ends_here(self._view.sight):
            return False
        square = handled[-1].square
        if self._record.position.side_at(square) is not self._record.position.turn.other:
            return False
        if not self._complete(put_back(self._view.sight, square), at, lifted=square):
            return False
        self._confirm(at)
        return True

    def _leave_standing(self, move: Move, still: int, at: float) -> None:
        """Records a capture some of whose captured pieces still stand, and tells so."""
        position = self._record.position
        down = self._view.touches.came_down.get(move.end)
        whole = Step(position, move, position.after(move), at, down, True)
        self._believe(Chain(False, position, (whole,)), at)
        if self._final is not None:
            return
        ply = self._record.plies[-1]
        ply.left = still
        squares = tuple(squares_of(still))
        number = len(self._record.plies)
        self._tell(self._umpire.alert(at, "left_on_board", side=ply.side, squares=squares, ply=number))
        self._chains.keep_astray(left_behind(position, move, still, self._view, at, revises=True))

    def _left_standing(self) -> int:
        """The captured pieces of which it was told that they still stand."""
        alerts = self._umpire.alerts.of("left_on_board", ply=len(self._record.plies))
        return sum(1 << self._geometry.square(name) for alert in alerts for name in alert.squares)

    def _going_back(self) -> bool:
        """Whether the last move is on its way back: its piece is back, captured ones are still missing."""
        before = self._record.open_before
        if before is None:
            return False
        move = self._record.plies[-1].move
        back = self._view.off(before)
        return bool(back) and not back & ~move.captured_mask

    def _pieces_missing(self, at: float) -> bool:
        """Tells pieces that were taken off though nothing captured them; whether there are any."""
        recorded = self._recorded()
        missing = missing_from(self._record.position, self._view, at)
        if recorded is None or missing is None or self._gap:
            return False
        for gone in missing.removed:
            self._chains.keep_astray(without(recorded, gone, self._view))
        if not missing.accused:
            return False
        ply, number = self._record.plies[-1], len(self._record.plies)
        squares = tuple(squares_of(missing.accused))
        told = {name for a in self._umpire.alerts.of(*PIECES_ASTRAY, ply=number) for name in a.squares}
        if not set(self._geometry.names(squares)) <= told:
            self._tell(self._umpire.alert(at, "removed_wrongly", side=ply.side, squares=squares, ply=number))
        self._show("mismatch", at)
        return True

    def _explained(self) -> bool:
        """Whether the board needs no putting right: it agrees, a piece is in the hand, or a capture is under way."""
        position = self._record.position
        off = self._off() & ~self._left_standing()
        in_hand = position.pieces(position.turn) & ~self._view.sight.occupied
        return (
            not off
            or self._under_way is not None
            or self._going_back()
            or self._taken_up_again(off)
            or (off & ~in_hand == 0 and off.bit_count() == 1)
        )

    def _taken_up_again(self, off: int) -> bool:
        """Whether the piece that has just moved is in its player's hand again."""
        last = self._record.plies[-1] if self._record.plies else None
        return last is not None and not last.confirmed and off == 1 << last.move.end

    def _judge_crowns(self, at: float) -> None:
        """The reply begins: who should have been crowned is, and nobody else; only boards that sense kind can tell."""
        if self.header.senses != "kind" or not self._record.plies or self._final is not None:
            return
        ply, number = self._record.plies[-1], len(self._record.plies)
        position = self._record.position
        bare = position.kings & self._men
        false = position.occupied & ~position.kings & self._kings
        if ply.move.promotes and bare >> ply.move.end & 1 and not self._umpire.alerts.of("not_crowned", ply=number):
            self._tell(self._umpire.alert(at, "not_crowned", side=ply.side, squares=(ply.move.end,), ply=number))
        told = {name for a in self._umpire.alerts.of("crowned_wrongly") for name in a.squares}
        squares = tuple(s for s in squares_of(false) if self._geometry.name(s) not in told)
        if squares:
            self._tell(self._umpire.alert(at, "crowned_wrongly", side=ply.side, squares=squares, ply=number))

    # --- ends

    def _end_by_rule(self, at: float) -> None:
        """Ends the game if the side to move has no piece or no move."""
        if self._over is not None or self._record.position == self._reopened:
            return
        end = verdict(self._record.position)
        if end is not None:
            self._finish(at, end.winner.label, end.reason, self.regulation.articles.get(end.reason))

    def _finish(self, at: float, winner: str, reason: str, article: str | None) -> None:
        self._confirm(at)
        if self._over is not None:
            return
        over = GameOver(
            at,
            WINNERS[winner],
            self.regulation.result(winner),
            reason,
            article,
            len(self._record.plies),
            self._record.revision,
        )
        self._show_clock(at, self._clock.stop(at))
        self._tell(over)
        self._over = over
        self._final = self.state, tuple(self._record.plies)

    # --- telling

    def _tell(self, event: Event) -> None:
        """Tells `event`; after the end what becomes of the record is kept for when the end is taken back."""
        if self._final is None:
            self._events.append(event)
        elif isinstance(event, PlayedMove | MoveConfirmed | MovesRetracted):
            self._unsaid.append(event)
        elif not isinstance(event, PieceLifted | PiecePlaced | CaptureProgress):
            self._events.append(event)

    def _show(self, state: BoardState, at: float, reason: str | None = None) -> None:
        """Tells the board's state; where it disagrees, with what to put and what to clear."""
        if self._final is not None and state != "lost" and (self._board is None or self._board.state != "lost"):
            return
        put: dict[str, str] | None = None
        clear: tuple[str, ...] | None = None
        if state in ("mismatch", "resyncing", "setting_up"):
            position = self._record.position
            off = self._view.off(position)
            put = {self._geometry.name(s): _mark(position, s) for s in squares_of(off & position.occupied)}
            clear = self._geometry.names(tuple(squares_of(off & ~position.occupied)))
        board = BoardChanged(at, state, put, clear, reason)
        if self._board is None or (board.state, board.put, board.clear) != (
            self._board.state,
            self._board.put,
            self._board.clear,
        ):
            self._board = board
            self._tell(board)


def _mark(position: Position, square: int) -> str:
    mark = "b" if position.side_at(square) is Side.BLACK else "w"
    return mark.upper() if position.kings >> square & 1 else mark


def _drawn(opening: str | None, start: Position) -> list[Move]:
    """The moves of an opening; NotationError if it is none from `start`."""
    position = start
    moves = []
    for text in (opening or "").split():
        moves.append(read_move(position, text))
        position = position.after(moves[-1])
    return moves


def turned(position: Position) -> Position:
    """The same pieces as seen from the other side of the board."""
    size = position.variant.size**2
    white, black, kings = (
        sum(1 << (size - 1 - square) for square in squares_of(pieces))
        for pieces in (position.white, position.black, position.kings)
    )
    return position._replace(white=black, black=white, kings=kings)


def starts_turned(start: Position, move: Move) -> bool:
    """Whether `move`, by the side that does not begin, would be a legal first move on a board turned about."""
    size = start.variant.size**2
    mirrored = (size - 1 - move.start, size - 1 - move.end)
    return turned(start)[2:5] == start[2:5] == initial(start.variant)[2:5] and any(
        legal[:2] == mirrored for legal in legal_moves(start)
    )
