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
regular move from there (session.turns). Where a link was lost nothing was seen, and a few plies are accepted if there
is no other legal way to what stands there; if the same plies may have been made in another order, one of them is taken.

A captured piece that still stands when the reply begins, and a piece that is gone without having been captured, change
what the last ply led to; both readings of that ply stay alive until the reply tells which one the players went on from.

A game may wait for what begins it (session.beginning): until then the board is only looked at. Before the start
position has been seen, and after the arbiter has gone back or set up another position, the board is waited for: nothing
is a move until it agrees, or shows a legal successor that is not the line just taken back.

After the end the board is followed silently: what it shows becomes the record if the arbiter takes the end back.

Who does what: here inputs arrive and times fall due; the `Witness` sees the board and keeps the chains, the `Scorer`
writes and tells.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from damas_board.regulations import Regulation
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.rules.side import Side
from damas_board.session.alerts import PIECES_ASTRAY, label, name_of
from damas_board.session.beginning import BY_MOVE, Beginning
from damas_board.session.events import BoardChanged, PieceLifted, PiecePlaced
from damas_board.session.game_clock import Flag
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Lever, Link, See
from damas_board.session.mismatch import explained, stood_too_long, tell_ghosts
from damas_board.session.onlookers import DIFFER_SECONDS
from damas_board.session.record import Ply
from damas_board.session.scorer import Scorer
from damas_board.session.state import GameState
from damas_board.session.stillness import Due
from damas_board.session.turns import Turns
from damas_board.session.witness import UNSEEN_PLIES, Witness
from damas_board.tracking.air import in_a_hand
from damas_board.tracking.belief import best, one_position
from damas_board.tracking.chains import Chain, Step
from damas_board.tracking.odds import likely
from damas_board.tracking.sight import NOTHING, Sight
from damas_board.tracking.touches import Bounce, Touch
from damas_board.tracking.unseen import through_gap, two_in_one_reading
from damas_board.tracking.view import View

GAP_WAYS = 16
"""So many of them are followed on, for later plies to tell which one it was."""
GAP_READINGS = 12
"""How many readings after it are searched from: people do not wait for a cable, so the first ones count most."""
SIDES = {"white": (Side.WHITE,), "black": (Side.BLACK,), "arbiter": (Side.WHITE, Side.BLACK)}
"""For whom an adjustment is announced."""


class Thread(NamedTuple):
    """What was going on when a link was lost: it goes on if nothing is missed meanwhile."""

    due: dict[Due, float]
    maturing: float | None
    lever: Side | None
    board: BoardChanged | None
    unbegun: bool
    """The game had not begun."""


class Following:
    """The game on one board, without the arbiter's commands."""

    def __init__(self, header: Header, regulation: Regulation) -> None:
        self.header = header
        self.regulation = regulation
        self.settings = header.settings
        self._geometry = regulation.variant.geometry
        self._view = View(self._geometry.playable_mask, self.settings.touch_seconds, self.settings.overlap_seconds)
        self._scorer = Scorer(header, regulation, self._view)
        self._witness = Witness(header, self._scorer, self._view)
        self._turns = Turns(self._witness)
        self._record = self._scorer.record
        self._umpire = self._scorer.umpire
        self._now = -math.inf
        self._beginning = Beginning(header.starts, name_of(regulation.variant.first))
        self._maturing: float | None = None
        """When the board, if it stays as it is, can be looked at again: a piece has then been missing for long."""
        self._thread: Thread | None = None
        """While the link is lost."""
        self._lost_by: str | None = None
        """The source whose loss made it so."""
        self._likeliest: tuple[bool, tuple[Position, ...], float] | None = None
        """What squares in doubt show by far the likeliest: whether it revises, its boards, and since when they do."""
        self._seen_at = -math.inf
        """When the board saw the last reading."""
        self._held_up = False
        """A ply has settled that only one of them shows."""
        self._disputed = False
        """Several sources contradicted each other when they were last compared."""
        self._stood_still: tuple[Sight, dict[Due, float], float] = (NOTHING, {}, 0.0)
        """The board that last stood for longer than a bounce, what was due then, and since when it stood."""

    # --- what the shell sees

    @property
    def deadline(self) -> float | None:
        """The time at which something falls due; a tick is wanted then."""
        witness = self._witness
        times = [self._scorer.clock.deadline]
        if not witness.lost:
            times += [self._view.touches.deadline, witness.stillness.deadline, witness.eyes.suspects.deadline]
            times += [self._umpire.hands.deadline, self._misplaced_due, self._maturing, self._likeliest_due]
            times.append(witness.eyes.onlookers.deadline)
        return min([t for t in times if t is not None], default=None)

    @property
    def state(self) -> GameState:
        """The game at present; after its end, as it ended."""
        eyes = self._witness.eyes
        masked = self._geometry.names(tuple(squares_of(eyes.suspects.masked)))
        return replace(self._scorer.state, masked=masked, turn=eyes.turn)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The record as it stands; after the end, as it stood then."""
        return self._scorer.plies

    # --- what falls due

    def _fall_due(self, until: float) -> None:
        while (due := self.deadline) is not None and due <= until:
            self._now = due
            if not self._witness.lost:
                self._board_due(due)
            for fallen in self._scorer.clock.due(due):
                if isinstance(fallen, Flag):
                    self._scorer.flag_fell(due, Side.WHITE if fallen.side == "white" else Side.BLACK)
                else:
                    self._scorer.alert_once(due, "clock_lost")
                self._scorer.show_clock(due, self._scorer.clock.at(due))

    def _board_due(self, due: float) -> None:
        for touch in self._view.touches.due(due):
            self._touched(touch)
        self._witness.trust_again(due)
        if (holding := self._umpire.hands.deadline) is not None and holding <= due:
            self._held(due)
        if (stray := self._misplaced_due) is not None and stray <= due:
            self._misplaced(due)
        if self._maturing is not None and self._maturing <= due:
            self._settled(due)
        for what in self._witness.stillness.take(due):
            match what:
                case "settled":
                    self._settled(due)
                case "rested":
                    self._rested(due)
                case "mismatch":
                    stood_too_long(self._witness, due)
        if (likely := self._likeliest_due) is not None and likely <= due:
            self._take_likeliest(due)
        self._compare_sources(due)

    def _settled(self, at: float) -> None:
        witness, chains = self._witness, self._witness.chains
        self._maturing = None
        witness.eyes.prove_sound()
        if witness.waiting.state:
            self._waited(at)
            return
        if self._scorer.waits_for is not None:
            self._looked_at(at)
            return
        ending = chains.ending_at(self._view.sight)
        finished = witness.belief(at).finished(ending)
        chain = best(finished)
        if not finished and not in_a_hand(chains, self._view):
            revising = self._scorer.last is not None and not self._scorer.last.confirmed
            touches, hidden = self._view.touches, sum(1 << square for square in self._view.hidden)
            ways = two_in_one_reading(chains, self._view.sight, touches.handled, at, revising, touches.hidden & ~hidden)
            chain = best(ways)
        if chain is not None and chain.steps and chain.guessed == len(chain.steps):
            return  # nothing but a search speaks for it: it has to rest
        self._held_up = chain is not None and witness.one_sided(chain)
        if chain is not None and not witness.believable(chain):
            return  # by the squares in doubt, or another source, it may as well be something else
        if chain is not None and chain.irregular and witness.accuses_nobody(at):
            return
        if chain is not None:
            witness.believe(chain, at)
        elif not finished and not self._second_move_stands(at) and not tell_ghosts(witness, at):
            witness.look_for_capture(at)
            witness.look_for_irregular(at)
            self._maturing = witness.belief(at).matures(chains.ending_at(self._view.sight))

    def _looked_at(self, at: float) -> None:
        """A settled board that had been set up, before the game has begun: is it still, or is this the first move?"""
        witness = self._witness
        if self._moves_begin:
            chain = best(witness.belief(at).finished(witness.chains.ending_at(self._view.sight)))
            if chain is not None and chain.steps and witness.believable(chain):
                witness.believe(chain, at)
                return
            witness.look_for_capture(at)
        if not witness.shows_record(rested=True) and not (self._moves_begin and explained(witness)):
            witness.wait_for_setup(at)

    def _second_move_stands(self, at: float) -> bool:
        """A player has moved twice and then put the first piece back: the second move is the one that was made."""
        plies = self._record.plies
        if len(plies) < 2 or self._scorer.silent or self._witness.gap:
            return False
        first, last = plies[-2:]
        twice = last.broken is not None and last.broken.kind == "wrong_side" and last.side is first.side
        if not twice or last.sealed:
            return False
        for move, after in self._witness.chains.followers(first.before):
            if after != first.after and not self._view.off(after):
                self._scorer.retract(len(plies) - 1, "taken_back", at)
                self._record.unseal()
                down = self._view.touches.came_down.get(move.end)
                self._witness.believe(Chain(True, first.before, (Step(first.before, move, after, at, down, True),)), at)
                return True
        return False

    def _waited(self, at: float) -> None:
        """A settled board while waiting: another legal successor than the line taken back is a move."""
        witness, view, waiting = self._witness, self._view, self._witness.waiting
        position = self._record.position
        if waiting.state == "setting_up" and witness.eyes.turns_by(position):
            view.touches.start(view.firm.occupied)
            self._umpire.trail.start(view.sight.occupied)
            witness.agreed(at)
            return
        if self._scorer.waits_for is not None:
            self._scorer.show_board("setting_up", at)
            return
        waiting.see(view)
        unread = witness.eyes.suspects.unread
        whole = view.sight.known | unread == view.playable | unread
        found = [
            Chain(False, position, (Step(position, move, after, at, None, False),))
            for move, after in witness.chains.followers(position)
            if whole and not view.off(after)
        ]
        chain = best(found)
        if chain is not None and not waiting.bars(chain.position):
            witness.agreed(at)
            witness.believe(chain, at)
        elif waiting.state is not None:
            self._scorer.show_board(waiting.state, at)

    def _rested(self, at: float) -> None:
        witness = self._witness
        if witness.waiting.state is None and not self._turns.reply_begun(at):
            ending = witness.chains.ending_at(self._view.sight)
            if witness.gap:
                found = ending or through_gap(witness.chains, self._view.sight, UNSEEN_PLIES, at)
                found = likely(found, self._view)
                chain = best(found) or one_position(found)
                if chain is not None:
                    witness.believe(chain, at)
            else:
                finished = witness.belief(at).finished(ending)
                chain = best(finished)
                unseen = [] if chain is not None and not chain.irregular else witness.behind_hands(at)
                if unseen:
                    if (one := best(unseen) or one_position(unseen)) is not None and witness.believable(one):
                        witness.believe(one, at)
                elif chain is not None and chain.irregular and not witness.accuses_nobody(at):
                    witness.believe(chain, at)
                elif not finished:
                    if not any(chain.open_ended for chain in ending):
                        witness.look_for_irregular(at)  # where a board may rest before it counts as settled
                        ending = witness.chains.ending_at(self._view.sight)
                    witness.believe_irregular(ending, at)
        if witness.waiting.state is not None and witness.shows_record(rested=True):
            witness.agreed(at)
        if witness.waiting.state is None and witness.shows_record(rested=True):
            self._scorer.end_by_rule(at)

    def _held(self, at: float) -> None:
        """Tells the pieces that were held for too long: of the player to move, or the one that has just moved."""
        witness, position, last = self._witness, self._record.position, self._scorer.last
        off = witness.off
        side: Side | None = position.turn
        if last is not None and witness.taken_up_again(off):
            side = last.side
        elif off & ~position.occupied or not off or witness.waiting.state or self._scorer.silent or witness.haunted:
            side = None
        unread = witness.unread
        if unread and any(not self._view.off(after) for _, after in witness.chains.followers(position)):
            side = None  # it may stand where nothing can be read
        if side is not None and witness.accuses_nobody(at):
            side = None
        astray = {name for a in self._umpire.alerts.of(*PIECES_ASTRAY) for name in a.squares}
        coming = len(self._record.plies) + 1
        besides = {self._geometry.square(name) for name in astray}
        self._scorer.tell(*self._umpire.held(at, side, coming, besides))

    @property
    def _misplaced_due(self) -> float | None:
        """When something has stood on a light square for too long; a game that is being set up may."""
        setting_up = self._witness.waiting.state == "setting_up" or self._scorer.waits_for is not None
        return None if setting_up else self._witness.eyes.light_due

    def _misplaced(self, at: float) -> None:
        self._witness.eyes.light_told()
        if not self._scorer.silent:
            self._scorer.alert_coming(at, "misplaced_piece", squares=tuple(squares_of(self._witness.eyes.light)))

    # --- touches

    def _touched(self, touch: Touch) -> None:
        if self._scorer.waits_for is not None:
            return
        square = self._geometry.name(touch.square)
        owner = self._record.position.side_at(touch.square)
        waiting, paused = self._witness.waiting.state, self._witness.paused
        if touch.lifted:
            self._scorer.tell(PieceLifted(touch.due, square, label(owner), touch.since))
            side = self._record.position.turn if owner is None else owner
            mine = owner is not None or self._witness.off  # else it had no business there, and the board is right now
            if mine and not self._witness.eyes.onlookers.differing >> touch.square & 1:
                self._umpire.lifted(touch.square, touch.since, side)
            if self._scorer.lever is side:
                self._scorer.lever = None  # it was pressed before this move
            if not waiting and not paused:
                self._turns.lifted(touch)
            return
        bit = 1 << touch.square
        if self._view.sight.white & bit:
            owner = Side.WHITE
        elif self._view.sight.black & bit:
            owner = Side.BLACK
        self._scorer.tell(PiecePlaced(touch.due, square, label(owner), touch.since))
        if waiting or self._scorer.silent or paused or self._witness.haunted:
            self._umpire.hands.forget()
            return
        if self._view.too_doubtful or self._witness.may_have_gone_on():
            self._umpire.hands.distrust(touch.square)
            return
        last = self._scorer.last
        crowned = last.move.end if last is not None and last.move.promotes else None
        self._scorer.tell(
            *self._umpire.put(
                touch.due,
                touch.square,
                touch.since,
                turn=self._record.position.turn,
                coming=len(self._record.plies) + 1,
                stood=self._witness.stood,
                crowned=crowned,
            )
        )

    # --- the beginning

    @property
    def _moves_begin(self) -> bool:
        """The first move begins the game."""
        return self._scorer.waits_for in BY_MOVE

    def _begin(self, at: float) -> None:
        """The game begins: the board is taken as it stands, and what follows is play."""
        witness = self._witness
        self._scorer.start(at)
        self._umpire.trail.clear()
        witness.eyes.light_counts_from(at)
        if not witness.lost:
            self._scorer.show_board(witness.state, at)
            witness.stillness.begin_rest(at)

    def _shows_first_move(self) -> bool:
        """Whether the whole board is as after a legal move."""
        view, unread = self._view, self._witness.eyes.suspects.unread
        whole = view.sight.known | unread == view.playable | unread
        followers = self._witness.chains.followers(self._record.position)
        return whole and any(not view.off(after) for _, after in followers)

    # --- inputs

    def _see(self, item: See) -> None:
        witness, eyes, view = self._witness, self._witness.eyes, self._view
        before = eyes.read(item)
        if witness.lost:
            return
        if eyes.sees_light_change(item.at):
            self._scorer.recovered(item.at, "misplaced_piece")
        first = not before.known
        was = item.at if item.was is None else item.was
        if not eyes.onlookers.single:
            was = max(was, self._seen_at)  # what one source tells late, another may have told
        self._seen_at = was
        if first:
            self._umpire.trail.start(eyes.raw.occupied)
            eyes.ghosts.start(eyes.raw.occupied)
        else:
            self._umpire.trail.see(eyes.raw.occupied, was)
            eyes.ghosts.see(eyes.raw.occupied, was, before.occupied & ~self._record.position.occupied)
        if eyes.suspects.mask:
            eyes.compare(self._record.position, before.not_empty ^ eyes.raw.not_empty, item.at)
        for square in squares_of(eyes.onlookers.returned):
            self._umpire.hands.distrust(square)
        old, firm = view.sight, view.firm
        unstable = eyes.unstable & ~eyes.suspects.mask
        eyes.suspects.called_unstable(eyes.unstable, item.at)
        for square in squares_of(unstable):
            witness.distrust(square, item.at)
        witness.rely()
        if old == view.sight:
            eyes.note_hidden(was)
            self._compare_sources(item.at)
            self._weigh(item.at)
            return
        if witness.paused:
            view.touches.start(view.firm.occupied)
            return
        bounces: list[Bounce] = []
        if firm == view.firm:
            witness.stillness.begin_rest(item.at)
        else:
            self._begin_stillness(firm, view.firm, item.at)
            bounces = self._bounces(first, item.at, was)
        eyes.note_hidden(was)
        if not witness.waiting.state:
            if self._scorer.waits_for is None or self._moves_begin:
                self._follow(bounces, item.at)
        elif witness.shows_record():
            witness.agreed(item.at)
        self._compare_sources(item.at)
        self._weigh(item.at)

    def _compare_sources(self, at: float) -> None:
        """What several sources say of each other; nobody was accused while they contradicted each other."""
        onlookers = self._witness.eyes.onlookers
        if onlookers.single:
            return
        self._witness.compare_sources(at)
        if self._disputed and not onlookers.disputed and not self._witness.paused:
            self._witness.stillness.begin_rest(at)
        self._disputed = bool(onlookers.disputed)
        if self._held_up and not self._witness.paused:
            self._settled(at)
        self._weigh(at)

    # --- squares in doubt

    def _weigh(self, at: float) -> None:
        """Notes what the squares in doubt show by far the likeliest, and since when."""
        chain = self._witness.likeliest()
        if chain is None:
            self._likeliest = None
            return
        line = chain.revises, tuple(step.after for step in chain.steps)
        if self._likeliest is None or self._likeliest[:2] != line:
            self._likeliest = (*line, at)

    @property
    def _likeliest_due(self) -> float | None:
        """When that has been so for long enough, and the board has settled."""
        if self._likeliest is None:
            return None
        return round(max(self._likeliest[2], self._view.changed_at) + self.settings.settle_seconds, 6)

    def _take_likeliest(self, at: float) -> None:
        chain, was = self._witness.likeliest(), self._likeliest
        self._likeliest = None
        line = None if chain is None else (chain.revises, tuple(step.after for step in chain.steps))
        if chain is not None and was is not None and was[:2] == line and not self._witness.one_sided(chain):
            self._witness.believe(chain, at)
        self._weigh(at)

    def _begin_stillness(self, old: Sight, new: Sight, at: float) -> None:
        """The board has changed: it has to be still anew, unless a blip has only taken itself back."""
        self._maturing = None
        self._held_up = self._held_up and old.occupied == new.occupied
        stood, due, since = self._stood_still
        stillness, touch_seconds = self._witness.stillness, self._view.touches.touch_seconds
        if new == stood and not self._view.still_for(touch_seconds, at):
            stillness.go_on(due, at)
            self._view.changed_at = since
            return
        if self._view.still_for(touch_seconds, at):
            self._stood_still = old, stillness.kept(), self._view.changed_at
        stillness.begin(at)
        self._view.changed_at = at

    def _bounces(self, first: bool, at: float, was: float) -> list[Bounce]:
        """Notes what the reading, the `first` one or not, has touched; distrusts a square that bounces too often."""
        view, suspects = self._view, self._witness.eyes.suspects
        if first:
            view.touches.start(view.firm.occupied)
            return []
        unread = self._witness.unread
        occupied = view.firm.occupied & ~unread | view.touches.occupied & unread
        late = self._witness.eyes.onlookers.unfelt(occupied ^ view.touches.occupied)
        hidden = {square: was - DIFFER_SECONDS for square in squares_of(late)} | view.hidden
        bounces = view.touches.see(occupied, at, was, hidden)
        for bounce in bounces:
            if suspects.toggled(bounce.square, bounce.lasted, at):
                self._witness.distrust(bounce.square, at)
        return bounces

    def _follow(self, bounces: list[Bounce], at: float) -> None:
        """Extends the chains by the board as it stands, and by the last readings without `bounces`."""
        witness, sight = self._witness, self._view.sight
        for bounce in bounces:
            for reading in witness.readings.without_bounce(bounce.square, bounce.since, sight):
                witness.extend(reading.sight, reading.at, at)
        witness.readings.add(at, sight)
        witness.extend(sight, at, at)
        if witness.gap and witness.gap_readings < GAP_READINGS and not witness.chains.ending_at(sight):
            witness.gap_readings += 1
            ways = through_gap(witness.chains, sight, UNSEEN_PLIES, at)
            for chain in ways if len(ways) <= GAP_WAYS else ():
                witness.chains.assume(chain)

    def _pressed(self, item: Lever) -> None:
        """Confirms the move that stands on the board, or the one that is still to settle."""
        witness, scorer = self._witness, self._scorer
        side = Side.WHITE if item.side == "white" else Side.BLACK
        if scorer.waits_for is not None:
            if not self._beginning.pressed(item.side, moved=self._shows_first_move()):
                return
            self._begin(item.at)
        if not witness.paused:
            scorer.show_clock(item.at, scorer.clock.pressed(item.side, item.at))
        if not witness.waiting.state and not witness.lost and not witness.paused:
            self._turns.complete(self._view.sight, item.at, by=side)
        last = scorer.last
        if last is not None and last.side is side and not last.sealed and last.clock is not None:
            last.clock = scorer.clock.at(item.at)
        if last is not None and last.side is side and not (witness.off & ~witness.left_standing()):
            scorer.confirm(item.at)
        elif witness.off or self._view.uncertain:
            scorer.lever = side
        self._weigh(item.at)

    def _read_clock(self, item: ClockReading) -> None:
        if self._scorer.waits_for is not None and self._beginning.read(item):
            self._begin(item.at)
        read = self._scorer.clock.reading(item.white, item.black, item.running, item.at)
        if read is None:
            return
        for fallen in read.flags:
            self._scorer.flag_fell(item.at, Side.WHITE if fallen.side == "white" else Side.BLACK)
        self._scorer.recovered(item.at, "clock_lost")
        self._scorer.show_clock(item.at, read.times, read.jump)

    def _announced(self, item: Button) -> None:
        """'I adjust', by a player or by the arbiter."""
        if item.button == "adjust" and item.side in SIDES and self._scorer.waits_for is None:
            self._umpire.hands.adjust(SIDES[item.side], item.at)

    def _link(self, item: Link) -> None:
        witness, scorer, onlookers = self._witness, self._scorer, self._witness.eyes.onlookers
        alone = onlookers.alone(item.by)
        if item.state == "lost":
            onlookers.lose(item.by, item.at)
        else:
            onlookers.back(item.by, item.at)
        if onlookers.lost is witness.lost:
            self._go_on_without(item.at)
            return
        witness.lost = onlookers.lost
        if witness.lost:
            self._lost_by = item.by
            unbegun = scorer.waits_for is not None
            self._thread = Thread(witness.stillness.kept(), self._maturing, scorer.lever, scorer.board, unbegun)
            witness.stillness.stop()
            scorer.lever = self._maturing = self._likeliest = None
            scorer.show_board("lost", item.at, item.reason)
            if not scorer.silent:
                scorer.alert_once(item.at, "board_lost")
            return
        if item.whole and (alone or self._lost_by == item.by):
            self._take_up_thread(item.at)
        else:
            self._lose_thread()
            scorer.lever = None
            witness.lose_track()
            witness.eyes.forget()
            waited_for = scorer.ending.over is not None or witness.waiting.state
            scorer.show_board(witness.state if waited_for else "resyncing", item.at)
        scorer.recovered(item.at, "board_lost")

    def _go_on_without(self, at: float) -> None:
        """One of several sources is lost, or back: the board is seen all the same."""
        witness, eyes, sight, firm = self._witness, self._witness.eyes, self._view.sight, self._view.firm
        if witness.lost or eyes.onlookers.single:
            return
        eyes.recall(eyes.raw)
        witness.rely()
        witness.take_as_it_stands(firm.occupied ^ self._view.firm.occupied)
        if self._view.sight != sight and not witness.paused:
            witness.look_anew(at)
        self._compare_sources(at)

    def _lose_thread(self) -> None:
        """What was going on when the link was lost is over: nobody knows what came of it."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._view.touches.drop()
        self._witness.eyes.wait()
        self._umpire.hands.forget()
        if thread.unbegun:
            self._witness.waiting.set_up()

    def _take_up_thread(self, at: float) -> None:
        """The link is back, and nothing that happened meanwhile will be missing: all goes on as it was."""
        witness, scorer, thread = self._witness, self._scorer, self._thread
        self._thread = None
        if thread is None:  # the arbiter has changed the record meanwhile: the board is looked at anew
            self._view.touches.start(self._view.firm.occupied)
            as_it_is = scorer.ending.over is not None or witness.waiting.state or not witness.off
            scorer.show_board(witness.state if as_it_is else "resyncing", at)
            if not witness.paused:
                witness.stillness.begin(at)
            return
        self._maturing, scorer.lever = thread.maturing, scorer.lever or thread.lever
        witness.stillness.go_on(thread.due, at)
        board = thread.board
        scorer.show_board(witness.state if board is None else board.state, at, None if board is None else board.reason)
