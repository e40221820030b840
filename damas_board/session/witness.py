"""The witness: sees one board, keeps the chains of what may have happened, and has the scorer write what is believed.

A reading extends the chains (`extend`). A board that settles on the head of one of them is believed (`believe`): its
plies are written down, and the chains begin anew from there (`anchor`). Whatever falls due - the board has settled, the
player has pressed the lever, the board has stood too long - ends in one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from damas_board.regulations.policy import AlertKind
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position, initial
from damas_board.session.alerts import PIECES_ASTRAY
from damas_board.session.events import BoardReason, BoardState, CaptureProgress
from damas_board.session.eyes import Eyes
from damas_board.session.header import Header, Settings
from damas_board.session.onlookers import Findings
from damas_board.session.scorer import Scorer
from damas_board.session.stillness import Stillness
from damas_board.session.waiting import Waiting
from damas_board.tracking.air import in_the_air
from damas_board.tracking.astray import after_leaving, after_removal, last_plies, left_behind, without
from damas_board.tracking.belief import Belief, best
from damas_board.tracking.capture import CaptureReaders, UnderWay
from damas_board.tracking.chains import BUILT_ON, Chain, Chains, Step
from damas_board.tracking.doubt import doubting
from damas_board.tracking.ghosts import Wiring
from damas_board.tracking.odds import explained, explanations, likeliest, likely, supported
from damas_board.tracking.offences import goes_on, offences
from damas_board.tracking.readings import Readings
from damas_board.tracking.sight import Sight, difference, disagreement
from damas_board.tracking.sight import without as hide
from damas_board.tracking.unseen import behind_hands
from damas_board.tracking.view import View

UNSEEN_PLIES = 3
"""How many unseen plies are searched after a lost link, or behind hands."""
OF_A_BOARD: tuple[AlertKind, ...] = ("sensor_suspect", "misplaced_piece", "board_mismatch", "wrong_setup")
"""Alerts that are over when the game leaves the board of which they tell."""
GHOST: BoardReason = "ghost"
"""A diode of the board's matrix is missing, or the wrong way round."""
UNSTABLE: BoardReason = "unstable"
"""A sensor is not still, as the board itself says."""
SOURCES_DIFFER: BoardReason = "sources_differ"
"""Several sources watch the board, and contradict each other."""


class Witness:
    """What one board shows of its game."""

    def __init__(self, header: Header, scorer: Scorer, view: View) -> None:
        geometry = scorer.regulation.variant.geometry
        self.settings = header.settings
        self.geometry = geometry
        self.scorer = scorer
        self.record = scorer.record
        self.umpire = scorer.umpire
        self._pieces = initial(scorer.regulation.variant).occupied.bit_count()
        """How many pieces the game has."""
        self.view = view
        self.eyes = Eyes(header, geometry, view)
        self.readings = Readings(self.settings.touch_seconds)
        self.stillness = Stillness(self.settings)
        self.chains = Chains(view.playable)
        self.captures = CaptureReaders(self.chains)
        self.under_way: UnderWay | None = None
        """The capture that the board shows."""
        self._told_progress: UnderWay | None = None
        self.waiting = Waiting()
        self.gap = False
        """Since the link was lost, or the board turned, no board has been believed."""
        self.gap_readings = 0
        """How many readings since then were searched from."""
        self.lost = False
        self.paused = False
        self.haunted = False
        """The board has shown ghosts since it last showed a move: what it shows says nothing about the players."""
        self.chains.restart(self.record.position, None)

    # --- what the record and the board say of each other

    @property
    def off(self) -> int:
        """The squares where the board shows something else than the record."""
        return self.view.off(self.record.position)

    @property
    def last_move(self) -> Move | None:
        return None if self.scorer.last is None else self.scorer.last.move

    @property
    def confirmed(self) -> bool:
        """The last ply is."""
        return self.scorer.last is not None and self.scorer.last.confirmed

    def explained_by_doubt(self) -> bool:
        """Whether squares are in doubt, and something lawful explains the board by them: so nobody is accused of it.

        Nor is anybody while sources contradict each other: one of them may only be late.
        """
        return bool(self.view.disputed or (self.view.uncertain and explained(self.chains, self.view)))

    def behind_hands(self, at: float) -> list[Chain]:
        """The lawful plies of which what was not seen happened on hidden squares."""
        return self._hidden(at, held=False)

    def _hidden(self, at: float, *, held: bool) -> list[Chain]:
        if not self.view.touches.hidden or self.gap or self.waiting.state or not self.off:
            return []
        found = behind_hands(self.chains, self.view.sight, UNSEEN_PLIES, self.view.touches, at, held=held)
        return likely(found, self.view)

    def accuses_nobody(self, at: float) -> bool:
        """Whether too little is read for it: sources differ on what is off, many squares were in doubt, or lawful
        plies may have been made unseen."""
        return bool(self.off & self.view.contested) or self.view.too_doubtful or bool(self._hidden(at, held=True))

    def may_have_gone_on(self) -> bool:
        """Whether the board may show another position than the record's, which squares in doubt or dispute hold up."""
        touches = self.view.touches
        if not (self.view.uncertain or touches.doubted or touches.disputed):
            return False
        found = explanations(self.chains, self.view)
        return any(each.chain.position != self.record.position for each in found)

    def believable(self, chain: Chain) -> bool:
        """Whether the squares in doubt, if there are any, speak for `chain` as well.

        While sources contradict each other no ply is taken back: one of them may be late, or wrong.
        """
        if (self.view.disputed and chain.revises) or self.one_sided(chain):
            return False
        if not self.view.uncertain:
            return True
        if chain.irregular or chain.doubt:
            return not explained(self.chains, self.view)
        return supported(chain, explanations(self.chains, self.view), self.view, self.scorer.lever)

    def one_sided(self, chain: Chain) -> bool:
        """Whether `chain` is one ply that only one source shows while another reads the opposite: it waits for it."""
        step = chain.steps[0] if len(chain.steps) == 1 else None
        return step is not None and self.eyes.onlookers.one_sided(step.before, step.after)

    def likeliest(self) -> Chain | None:
        """What squares in doubt make so much likelier than all else that it is to be recorded."""
        out_of_play = self.waiting.state or self.scorer.waits_for or self.gap or self.paused or self.lost
        if not self.view.uncertain or out_of_play or self.haunted:
            return None
        return likeliest(self.chains, self.view, confirmed=self.confirmed, pressed=self.scorer.lever)

    @property
    def unread(self) -> int:
        """The squares that cannot be relied on, or are in doubt."""
        return self.eyes.suspects.unread | self.view.uncertain

    @property
    def recorded(self) -> Chain | None:
        """The last ply as it is recorded, as a chain from the position before it."""
        ply = self.scorer.last
        if ply is None:
            return None
        seen = ply.basis == "seen"
        step = Step(ply.before, ply.move, ply.after, self.view.changed_at, ply.down, seen, ply.broken)
        return Chain(True, ply.before, (step,))

    @property
    def state(self) -> BoardState:
        """What the board is, as far as the record and the board agree."""
        over = self.scorer.ending.over is not None
        if self.lost:
            return "lost"
        if not over and self.waiting.state is not None:
            return self.waiting.state
        return "in_play" if self.record.plies and not over else "ready"

    def shows_record(self, *, rested: bool = False) -> bool:
        """Whether the board agrees with the record: every square of it, or most of them once it has rested."""
        playable, known = self.view.playable, self.view.sight.known
        unread = playable & ~known & ~self.eyes.suspects.unread
        if unread and not (rested and 2 * unread.bit_count() < playable.bit_count()):
            return False
        return not self.off and bool(known)

    def taken_up_again(self, off: int) -> bool:
        """Whether the piece that has just moved is in its player's hand again; `off`: where the board differs."""
        last = self.scorer.last
        return last is not None and not last.confirmed and off == 1 << last.move.end

    def going_back(self) -> bool:
        """Whether the last move is on its way back: its piece is back, captured ones are still missing."""
        before, last = self.record.open_before, self.last_move
        if before is None or last is None:
            return False
        back = self.view.off(before)
        return bool(back) and not back & ~last.captured_mask

    def left_standing(self) -> int:
        """The captured pieces of which it was told that they still stand."""
        alerts = self.umpire.alerts.of("left_on_board", ply=len(self.record.plies))
        return sum(1 << self.geometry.square(name) for alert in alerts for name in alert.squares)

    def told_astray(self) -> set[str]:
        """The names of the pieces astray since the last ply of which it was told."""
        return self.umpire.alerts.told(*PIECES_ASTRAY, ply=len(self.record.plies))

    def stood(self, at: float) -> Position:
        """The position that stood on the board at `at`, as far as is known now."""
        chain = best(c for c in self.chains.ending_at(self.view.sight) if not c.open_ended)
        for step in reversed(chain.steps if chain is not None else ()):
            if step.at <= at:
                return step.after
        for ply in reversed(self.record.plies):
            if ply.complete <= at:
                return ply.after
        return self.record.start

    def ghosts(self, *, again: bool = False) -> int:
        """The squares that show a piece where the record has none, and that are ghosts; `again` as in Ghosts.among."""
        expected = self.record.position.occupied
        return self.eyes.ghosts.among(self.off & ~expected, expected, self._pieces, again=again)

    # --- belief

    def belief(self, at: float) -> Belief:
        """What may be believed of the board at `at`."""
        told = bool(self.umpire.alerts.of("removed_wrongly", ply=len(self.record.plies)))
        rest, mismatch = self.settings.rest_seconds, self.settings.mismatch_seconds
        return Belief(self.chains, self.view, at, rest, mismatch, self.last_move, told, self.confirmed)

    def believe(self, chain: Chain, at: float) -> None:
        """The board has settled on `chain`: its plies are recorded."""
        for square in squares_of(chain.doubt & self.view.off(chain.position)):
            self.distrust(square, at)
        if chain.revises and not chain.steps:
            self.scorer.retract(len(self.record.plies) - 1, "taken_back", at)
            self.record.unseal()
        was = None
        for index, step in enumerate(chain.steps):
            if index == len(chain.steps) - 1 and step.seen and not step.astray:
                step = step._replace(down=self.view.touches.came_down.get(step.move.end, step.down))
            was = self.scorer.write(chain.revises and index == 0, step, at)
        if not self.scorer.silent:
            whole = self.umpire.recovered(at) if chain.steps else self.umpire.agreed(at, self.record.plies)
            self.scorer.tell(*whole)
        self.scorer.show_board(self.state, at)
        self.under_way = None
        self.scorer.lever = None
        self.gap = False
        self.haunted = self.haunted and not chain.steps
        for square in squares_of(self.view.uncertain):
            self.view.touches.correct(square, bool(self.record.position.occupied >> square & 1))
        self.anchor(was)
        if self.off:
            self.chains.see(self.view.sight, self.view.changed_at, self.view.touches)

    def believe_irregular(self, chains: Sequence[Chain], at: float, *, complete: bool = False) -> bool:
        """What stands there is more than a moment's look; whether one reading is believed.

        `complete`: the player has pressed the lever, or the next one has begun.
        """
        belief = self.belief(at)
        if self.scorer.silent or self.haunted or belief.a_sensor_may_err(1) or self.accuses_nobody(at):
            return False
        moves = [c for c in chains if c.steps and c.steps[-1].broken is not None and not c.astray]
        chain = best(c for c in moves if belief.matured(c) and (complete or not goes_on(c)))
        if chain is None:
            return False
        self.believe(belief.as_it_stands(chains) or chain, at)
        return True

    def anchor(self, was: Step | None = None) -> None:
        """Forgets the evidence that led to the present record; `was` is a reading that has just been revised."""
        self.captures.forget()
        self._told_progress = None
        self.view.touches.forget()
        self.readings.forget()
        last = self.scorer.last
        open_irregular = last is not None and last.irregular and not last.confirmed
        self.chains.restart(self.record.position, self.record.open_before, was, irregular=open_irregular)

    def agreed(self, at: float) -> None:
        """The board agrees with the record: what follows is play."""
        if self.waiting.state == "setting_up":
            self.eyes.light_counts_from(at)
        self.waiting.end()
        self.gap = False
        self.umpire.hands.forget()
        self.anchor()
        self.scorer.tell(*self.umpire.agreed(at, self.record.plies))
        self.scorer.show_board(self.state, at)

    def lose_track(self) -> None:
        """What happened was not seen: as after a lost link, a lawful way to what stands there is searched."""
        self.gap, self.gap_readings = True, 0

    def wait_for_record(self, at: float, barred: set[Position]) -> None:
        """Nothing is a move until the board agrees with the record, or shows a successor that is not `barred`."""
        self.waiting.begin(barred, self.view)
        self.scorer.lever = None
        self.umpire.hands.forget()
        self._wait("resyncing", at, self.stillness.begin)

    def wait_for_setup(self, at: float) -> None:
        """The game has not begun, and the board does not show what it begins from."""
        self.waiting.set_up()
        self._wait("setting_up", at, self.stillness.begin_rest)

    def _wait(self, state: BoardState, at: float, begin_stillness: Callable[[float], None]) -> None:
        """The board is called `state` unless it agrees with the record already."""
        self.under_way = None
        self.anchor()
        if self.lost:
            return
        if self.shows_record():
            self.agreed(at)
        else:
            self.scorer.show_board(state, at)
            begin_stillness(at)

    # --- the chains grow

    def extend(self, sight: Sight, read_at: float, now: float) -> None:
        """Extends the chains; a ply that later ones have built on is recorded without waiting for stillness."""
        grown = self.chains.see(sight, read_at, self.view.touches, not self.gap)
        built_on = [c for c in grown if len(c.steps) >= BUILT_ON + bool(c.unclear) and not c.irregular and not c.doubt]
        built_on = [c for c in built_on if not (c.revises and c.unclear and self.confirmed)]
        clearest = min((c.unclear for c in built_on), default=0)
        built_on = [c for c in built_on if c.unclear == clearest]
        if built_on and all(chain.steps[0] == built_on[0].steps[0] for chain in built_on):
            self.scorer.write(built_on[0].revises, built_on[0].steps[0], now)
            self.chains.advance(built_on[0])
            self.captures.forget()

    def look_for_capture(self, at: float) -> None:
        """Tells a capture under way."""
        if self.taken_up_again(self.off):
            self.under_way = None
            return
        reader = self.captures.legal(self.record.position)
        self.under_way = reader.read(self.view.sight, self.view.touches.placements)
        if self.under_way is not None and self.under_way != self._told_progress and self.scorer.waits_for is None:
            self._told_progress = self.under_way
            path, removed, remaining = map(self.geometry.names, self.under_way)
            self.scorer.tell(CaptureProgress(at, path, removed, remaining))

    def look_for_irregular(self, at: float) -> None:
        """Keeps alive what no rule allows, or one wrong sensor explains, for stillness or later moves to build on."""
        if self.gap or self.haunted or not self.scorer.in_play:
            return
        view, chains, position, last = self.view, self.chains, self.record.position, self.scorer.last
        left = 0 if last is None else last.left
        found = doubting(chains, view, at, left, last is not None and not last.confirmed)
        readings = last_plies(chains, self.recorded)
        found += [without(c, view.off(c.position), view) for c in readings if view.only_missing(c.position)]
        standing = self.captures.legal(position).standing(view.sight)
        found += [left_behind(position, move, still, view, at, revises=False) for move, still in standing]
        if not (standing or in_the_air(chains, self.last_move, view) or self.going_back()):
            found += offences(chains, view.sight, view, self.captures, self.confirmed)
            found += [*after_removal(readings, view), *after_leaving(readings, left, view)]
        for chain in found:
            chains.keep(chain)

    # --- several sources

    def compare_sources(self, at: float) -> None:
        """Takes what has come of comparing the sources: what is believed now, what is told of it."""
        onlookers, view, before = self.eyes.onlookers, self.view, self.eyes.raw
        was, firm = (onlookers.now, onlookers.doubts, onlookers.disputed), view.firm
        moved = bool(onlookers.undecided | onlookers.disputed) and not self.waiting.state and self.may_have_gone_on()
        agreed = self._otherwise_agreed(at) if not moved else 0
        found = onlookers.compare(at, self.record, otherwise_agreed=agreed, moved=moved)
        view.contested = onlookers.contested
        self._ask_all()
        self._tell_differences(found, at)
        if was == (onlookers.now, onlookers.doubts, onlookers.disputed):
            return
        self.eyes.recall(before)
        sight = view.sight
        self.rely()
        self.take_as_it_stands(was[0].known ^ onlookers.now.known | firm.occupied ^ view.firm.occupied)
        if view.sight != sight:
            self.readings.forget()
            if self.waiting.state and self.shows_record():
                self.agreed(at)
            self.look_anew(at)

    def _ask_all(self) -> None:
        """Whether the last ply, as far as it was seen, is contradicted by a source, or shown by all of them."""
        ply = self.scorer.last
        if ply is None or ply.basis != "seen":
            return
        changed = difference(ply.before, ply.after)
        onlookers = self.eyes.onlookers
        if changed & (onlookers.differing if ply.shown else onlookers.contested):
            ply.unsure = True
        elif onlookers.all_show(ply.after, changed):
            ply.unsure, ply.shown = False, True

    def _otherwise_agreed(self, at: float) -> int:
        """The squares on which sources differ, where the board agrees with the record on all others.

        Those that they have differed on for a moment only where the board is waited for, and has rested.
        """
        onlookers, waited = self.eyes.onlookers, self.waiting.state is not None
        open_ = onlookers.undecided | (onlookers.disputed if waited else 0)
        still = self.view.still_for(self.settings.rest_seconds if waited else self.settings.settle_seconds, at)
        unread = self.view.playable & ~self.view.sight.known & ~self.unread if waited else 0
        return 0 if self.off & ~open_ or unread or not still or self.gap else open_

    def take_as_it_stands(self, squares: int) -> None:
        """Other sources are believed on `squares` than before: nothing was touched there."""
        stands, unread = self.view.firm.occupied, self.unread
        stands = stands & ~unread | self.record.position.occupied & unread
        for square in squares_of(squares & self.view.playable):
            self.view.touches.correct(square, bool(stands >> square & 1))
            self.umpire.hands.distrust(square)
        self.umpire.trail.start(self.eyes.raw.occupied)

    def _tell_differences(self, found: Findings, at: float) -> None:
        scorer, told = self.scorer, self.eyes.suspects.told
        for square, says in found.differences:
            squares = () if square is None else (square,)
            for each in squares:
                self.umpire.hands.distrust(each)
            if scorer.silent or {(each, SOURCES_DIFFER) for each in squares} & told:
                continue
            told.update((each, SOURCES_DIFFER) for each in squares)
            scorer.alert_coming(at, "sensor_suspect", squares=squares, reason=SOURCES_DIFFER, says=says)
        for square in squares_of(found.agreed & ~self.eyes.suspects.mask):
            scorer.recovered(at, "sensor_suspect", self.geometry.name(square))
        if found.same_board:
            alerts = [alert for alert in self.umpire.alerts.of("sensor_suspect") if not alert.squares]
            scorer.tell(*self.umpire.alerts.close(at, alerts, "recovered"))

    # --- sensors that cannot be relied on

    def rely(self) -> None:
        """Reads the board anew, without the squares that cannot be relied on."""
        self.eyes.rely()
        self.chains.unread = self.unread
        self.chains.doubtful = self.view.uncertain

    def distrust(self, square: int, at: float) -> None:
        """From now on the square is not read, until it has agreed for a while."""
        unstable = self.eyes.unstable >> square & 1
        reason = UNSTABLE if unstable else GHOST if self.ghosts(again=True) >> square & 1 else None
        first = self.eyes.suspects.suspect(square, reason)
        self.umpire.hands.distrust(square)
        self.view.touches.correct(square, bool(self.record.position.occupied >> square & 1))
        self.rely()
        self.readings.forget()
        self.eyes.compare(self.record.position, 0, at)
        if first and not self.scorer.silent:
            self.scorer.alert_coming(at, "sensor_suspect", squares=(square,), reason=reason)
        self.stillness.begin(at)

    def trust_again(self, at: float) -> None:
        """Reads the suspect squares again that have agreed for a while, or that show what a move has made of them."""
        suspects = self.eyes.suspects
        if suspects.mask:
            self.eyes.compare(self.record.position, 0, at)  # the record may have gone on since the last reading
        for square in suspects.trusted(at):
            self.trust(square, at)
        for square, since in suspects.at_odds(at):
            if self._moved(square, since):
                suspects.explained(square)
                self.trust(square, at)

    def _moved(self, square: int, since: float) -> bool:
        """Whether what the suspect square says since then is what a legal line led to that other squares show as well.

        They have to have changed before: a square that was wrong already when a hand came is no part of its move.
        """
        if self.waiting.state or not any(self.view.touches.changed_by(other, since) for other in squares_of(self.off)):
            return False
        sight = hide(self.eyes.raw, self.eyes.suspects.unread & ~(1 << square))
        heads = [chain.position for chain in self.chains.alive if not chain.irregular and not chain.doubt]
        return any(
            not disagreement(after, sight, self.view.playable)
            for head in heads
            for after in (head, *(after for _, after in self.chains.followers(head)))
        )

    def trust(self, square: int, at: float) -> None:
        """The square is relied on: it is read again."""
        self.rely()
        self.view.touches.correct(square, bool(self.view.sight.occupied >> square & 1))
        self.look_anew(at)
        self.scorer.recovered(at, "sensor_suspect", self.geometry.name(square))

    def look_again(self, square: int, at: float) -> None:
        """The arbiter has taken the square out, or relies on it again: it is taken as it stands."""
        self.rely()
        sight = self.view.sight
        stands = sight.occupied if sight.known >> square & 1 else self.record.position.occupied
        self.view.touches.correct(square, bool(stands >> square & 1))
        self.umpire.hands.distrust(square)
        self.readings.forget()
        self.look_anew(at)

    def look_from(self, turn: int, at: float) -> None:
        """The board lies otherwise than thought: it is read anew, and what was made of it so far is void."""
        self.eyes.turn_to(turn)
        self.view.touches.start(self.view.firm.occupied)
        self.umpire.trail.start(self.eyes.raw.occupied)
        self.umpire.hands.forget()
        self.under_way = None
        self.anchor()
        self.waiting.end()
        self.lose_track()
        if not self.lost:
            self.stillness.begin(at)

    def look_at_another(self, turn: int, wiring: Wiring | None, settings: Settings, at: float) -> None:
        """The game is at another board: what was known of the old one is void, the new one has to show the record.

        Of `settings` only the times that are OF_THE_BOARD count.
        """
        self.eyes.change(turn, wiring)
        self.view.touches.read_by(settings.touch_seconds, settings.overlap_seconds)
        self.readings.window = settings.touch_seconds
        self.umpire.hands.slack = self.view.touches.slack
        self.haunted = False
        self.rely()
        self.view.touches.start(0)
        self.umpire.hands.forget()
        self.stillness.stop()
        for kind in OF_A_BOARD:
            self.scorer.recovered(at, kind)
        if self.scorer.waits_for is not None:
            self.wait_for_setup(at)
        else:
            self.wait_for_record(at, set())

    def look_anew(self, at: float) -> None:
        """The board as it stands is a new reading: other squares of it are read than before."""
        if self.lost or self.paused:
            return
        if not self.waiting.state:
            self.extend(self.view.sight, at, at)
        self.stillness.begin(at)
