"""Hands that break a rule at a known place: what they do, what the record must say, and which alert they earn.

How it works. An `Offender` plays a game like any `Hand`; `commit` makes the next turns hold one offence, or says that
the position gives no occasion for it. An offence has up to two futures: it stands, for the opponent replies and the
game goes on from where it led; or it is rectified, for the pieces go back before the reply and a regular move is made.

What is put in is an offence by the contract of the alerts and nothing else by accident. So a move that breaks a rule
is only made where nothing else explains the board: no legal move, no capture that is under way or leaves a victim
standing, no other reading of the turn before, and no breach of another rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, islice
from typing import Literal, NamedTuple, TypeVar

from damas_board.notation.moves import read_move
from damas_board.regulations.policy import AlertKind
from damas_board.rules.generation import captures, legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position
from damas_board.rules.routes import stations
from damas_board.rules.side import Side
from damas_board.rules.variant import DIAGONALS, EIGHT, LINES, Variant
from damas_board.session.inputs import ClockReading, SideName
from simulator.hand import Act, Action, Crown, Hand, Lift, Place, Press, PutBack, TakeOff
from simulator.levels import Level, Span
from simulator.table import mark

Future = Literal["stands", "rectified", "over"]
"""What becomes of it; `over`: it has happened, and nothing is decided about it."""
Closing = Literal["stands", "rectified", "recovered"]
T = TypeVar("T")

TOUCH: Span = (0.35, 1.5)
"""How long a piece that is touched is in the air."""
BESIDE: Span = (0.25, 0.7)
"""Between two things that one player does at a stretch."""
NOTICED: Span = (1.3, 2.6)
"""How long an irregular move, or a piece on a square where it may stand, is left before anybody does anything."""
SETTLED: Span = (1.2, 2.0)
"""After this the last move is in the record, whatever a sensor did meanwhile."""
STOOD: Span = (5.0, 7.0)
"""How long the board stands on something that nothing explains."""
SHOVE: Span = (0.03, 0.15)
"""Between two things that one elbow does."""
HELD: Span = (10.6, 13.0)
"""How long a piece is held that is held too long."""
LOST: Span = (1.5, 4.0)
TOGGLE = 0.16
TOGGLES = 12
"""A weak magnet: so many changes, so many seconds apart."""
TRIED = 40
"""How many of the breaches that a position offers are looked at."""
FAR = 4
"""How many squares, at most, a piece goes astray."""


class TruePly(NamedTuple):
    """One turn as it was played: what the record must say of it."""

    side: Side | None
    """Whose piece it was; None where the contract leaves open how the record says it."""
    start: int
    end: int
    captured: frozenset[int]
    """What was jumped and is off."""
    promotes: bool
    before: Position
    after: Position
    irregular: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """An alert that was earned."""

    kind: AlertKind
    side: Side | None
    ply: int
    squares: tuple[int, ...] | None = None
    """None where the contract does not fix them."""
    closes: Closing | None = None
    """How it closes where the opponent decides; None if nothing is said about that."""
    reason: str | None = None
    recurs: bool = False
    """It is more than a note since it is not the first time."""


class Misread(NamedTuple):
    """The sensor of `square` says the opposite of what stands there, from `at` on for `seconds`."""

    square: int
    at: float
    seconds: float


class Outage(NamedTuple):
    """The link is lost from `at` on for `seconds`."""

    at: float
    seconds: float


@dataclass(frozen=True)
class Episode:
    """An offence with its future, and the turns that it takes."""

    acts: tuple[Act, ...]
    plies: tuple[TruePly, ...]
    expected: tuple[Expected, ...]
    allowed: frozenset[AlertKind] = frozenset()
    """What may be told beside it, for it is true as well."""
    set_up: tuple[Action, ...] = ()
    """What is done to the table before anybody looks at it."""
    misreads: tuple[Misread, ...] = ()
    outages: tuple[Outage, ...] = ()
    readings: tuple[ClockReading, ...] = ()
    """What a clock beside the board says."""


class Breach(NamedTuple):
    """A move that breaks one rule. `before` is the position in which it would be a move at all."""

    kind: AlertKind
    before: Position
    move: Move
    after: Position
    reason: str | None = None
    stops: bool = False
    """A capture that stops before its end."""

    def side(self, position: Position) -> Side:
        """Whose mistake it is in `position`."""
        return self.before.turn if self.kind == "wrong_side" else position.turn

    def played(self, position: Position) -> TruePly:
        """The turn as the record must say it, where it stands."""
        start, end, captured, _, promotes = self.move
        whose = None if self.kind == "opponent_piece_moved" else self.before.turn
        return TruePly(whose, start, end, frozenset(captured), promotes, position, self.after, True)


def true_ply(before: Position, move: Move) -> TruePly:
    """A legal move as the record must say it."""
    captured = frozenset(move.captured)
    return TruePly(before.turn, move.start, move.end, captured, move.promotes, before, before.after(move))


# --- what a position offers


@lru_cache(maxsize=8)
def breaches(position: Position) -> tuple[Breach, ...]:
    """Every move that breaks one law of captures or of turns, or takes in a way that its piece may not."""
    return (
        *missed_captures(position),
        *captures_against_a_law(position),
        *moves_of_the_other_side(position),
        *odd_captures(position),
    )


def missed_captures(position: Position) -> Iterator[Breach]:
    """Quiet moves where a capture is obligatory."""
    variant = position.variant
    if variant.capture_compulsory and captures(position):
        free = position._replace(variant=replace(variant, capture_compulsory=False))
        for move in legal_moves(free):
            if not move.captured:
                yield Breach("missed_capture", free, move, position.after(move))


def moves_of_the_other_side(position: Position) -> Iterator[Breach]:
    """What would be legal if it were the other side's turn."""
    other = position._replace(turn=position.turn.other)
    for move in legal_moves(other):
        yield Breach("wrong_side", other, move, other.after(move))


def captures_against_a_law(position: Position) -> Iterator[Breach]:
    """Captures that stop on their way, or that are not the ones that the laws leave."""
    variant = position.variant
    whole = captures(position)
    if not whole:
        return
    lawful = {_outcome(move) for move in legal_moves(position)}
    complete = {_outcome(move) for move in whole}
    most = max(len(move.captured) for move in whole)
    unfinished = position._replace(variant=replace(variant, priority=(), capture_finished=False))
    for move in captures(unfinished):
        if _outcome(move) in lawful:
            continue
        stops = _outcome(move) not in complete
        few = "most_pieces" in variant.priority and len(move.captured) < most
        kind: AlertKind = "short_capture" if stops or few else "low_value_capture"
        yield Breach(kind, unfinished, move, position.after(move), stops=stops)


def odd_captures(position: Position) -> Iterator[Breach]:
    """Captures of one piece in a direction that a man may not take in, or of a king where a man takes none."""
    variant = position.variant
    row = replace(variant, priority=(), capture_finished=False)
    ways = LINES if variant.corner == "all" else EIGHT if variant.man_jumps == EIGHT else DIAGONALS
    able = {_outcome(move) for move in captures(position._replace(variant=row))}
    for reason, relaxed in (
        ("backwards", replace(row, man_jumps=ways)),
        ("man_takes_king", replace(row, man_takes_king=True)),
    ):
        odd = position._replace(variant=relaxed)
        for move in captures(odd):
            if len(move.captured) == 1 and _outcome(move) not in able:
                yield Breach("illegal_move", odd, move, position.after(move), reason)


def _outcome(move: Move) -> tuple[object, ...]:
    return move.start, move.end, move.captured_mask


def strays(position: Position, side: Side) -> Iterator[Breach]:
    """Pieces of `side` that go to a free square where no rule would ever let them go, without taking anything."""
    variant = position.variant
    free = variant.geometry.playable_mask & ~position.occupied & ~variant.last_rows[side]
    own = position._replace(turn=side)
    row = replace(variant, priority=(), capture_finished=False, capture_compulsory=False, king_run_limit=None)
    able = {(move.start, move.end) for move in legal_moves(own._replace(variant=row))}
    for start in squares_of(position.pieces(side)):
        for end in squares_of(free):
            far = _distance(variant, start, end)
            if far > FAR or (start, end) in able:
                continue
            reason = _reason(position, start, end)
            if reason is None:
                continue
            move = Move(start, end, (), (start, end), False)
            after = own.after(move)._replace(turn=position.turn.other)
            kind: AlertKind = "illegal_move" if side is position.turn else "opponent_piece_moved"
            yield Breach(kind, own, move, after, reason)


def _distance(variant: Variant, start: int, end: int) -> int:
    size = variant.size
    return max(abs(end // size - start // size), abs(end % size - start % size))


def _reason(position: Position, start: int, end: int) -> str | None:
    """What is wrong about a piece's way; None where it may be taken for a capture that leaves its victim."""
    variant = position.variant
    size = variant.size
    side = position.side_at(start)
    king = position.kings >> start & 1
    rows, columns = end // size - start // size, end % size - start % size
    straight = rows == 0 or columns == 0 if variant.corner == "all" else abs(rows) == abs(columns)
    if not straight:
        return "not_straight" if variant.corner == "all" else "not_diagonal"
    far = max(abs(rows), abs(columns))
    over = [start + (end - start) // far * n for n in range(1, far)]
    between = [position.side_at(square) for square in over if position.occupied >> square & 1]
    if between:
        return None if side is not None and side.other in between else "blocked"
    if not king and rows and (rows < 0) == (side is Side.WHITE):
        return "backwards"
    return "too_far"


def left_standing(position: Position, move: Move) -> Iterator[tuple[tuple[int, ...], Position]]:
    """What a capture may leave standing, and the position that it leads to then."""
    victims = tuple(dict.fromkeys(move.captured))
    for count in range(1, len(victims) + 1):
        for left in combinations(victims, count):
            off = tuple(square for square in victims if square not in left)
            yield left, position.after(move._replace(captured=off))


def under_way(position: Position, move: Move, occupied: int) -> bool:
    """Whether `occupied` is what the capture may show before all of its victims are off."""
    for square, jumped in stations(position, move):
        base = position.occupied & ~(1 << move.start) | 1 << square
        if not occupied & ~base and not base & ~occupied & ~jumped:
            return True
    return False


def explained(position: Position, occupied: int, but: Move | None = None) -> bool:
    """Whether lawful play of the side to move, complete or not, shows `occupied`; the capture `but` left out."""
    for move in legal_moves(position):
        if but is not None and _outcome(move) == _outcome(but):
            continue
        if position.after(move).occupied == occupied:
            return True
        if move.captured and under_way(position, move, occupied):
            return True
    return False


# --- the hands


class Offender(Hand):
    """The players at one table, who break a rule when they are asked to."""

    def __init__(self, position: Position, level: Level, seed: int = 0, *, now: float = 1.0, plies: int = 0) -> None:
        """`plies` is how many there are in the record already."""
        super().__init__(position, level, seed, now=now)
        self.plies = plies
        self.previous: tuple[Position, Move] | None = None
        """The last turn: the position before it, and its move."""

    def play(self, move: Move | str) -> list[Act]:
        before = self.position
        chosen = read_move(before, move) if isinstance(move, str) else move
        acts = super().play(chosen)
        self.turned(before, chosen)
        return acts

    def commit(self, offence: Offence, future: Future) -> Episode | None:
        """The offence, from the position that stands now on; None, and nothing done, where there is no occasion."""
        level, self.now = self.level, max(self.now, self._empty_handed_at)
        self.level = replace(level, victim_first=0.0, hesitation=0.0, centre=0.0)
        before = self.position, self.now, self.plies, self.previous
        episode = offence.commit(self, future)
        self.level = level
        if episode is None:
            self.position, self.now, self.plies, self.previous = before
        return episode

    # what the offences below are made of

    @property
    def coming(self) -> int:
        """The number of the coming ply."""
        return self.plies + 1

    def drawn(self, items: Iterable[T]) -> list[T]:
        """The items in any order."""
        found = list(items)
        return self._random.sample(found, len(found))

    def some(self, found: Iterable[Breach]) -> Iterator[Breach]:
        """Some of the breaches in any order, without those that may be taken for something else."""
        return (breach for breach in self.drawn(found)[:TRIED] if self.unmistakable(breach))

    def unmistakable(self, breach: Breach) -> bool:
        """Whether the board after `breach` says that this was done, and nothing else."""
        position, occupied = self.position, breach.after.occupied
        if not legal_moves(breach.after):
            return False
        for move in legal_moves(position):
            if position.after(move).occupied == occupied:
                return False
            if not move.captured:
                continue
            if any(after.occupied == occupied for _, after in left_standing(position, move)):
                return False
            if not (breach.stops and move.start == breach.move.start) and under_way(position, move, occupied):
                return False
        if self.previous is not None and (
            breach.move.start == self.previous[1].end or explained(self.previous[0], occupied)
        ):
            return False
        return all(
            (other.kind, other.after) == (breach.kind, breach.after)
            for other in breaches(position)
            if other.after.occupied == occupied
        )

    def do(self, action: Action, wait: Span) -> Act:
        return Act(self._wait(wait), action)

    def touches(self, square: int, wait: Span | None = None) -> list[Act]:
        """The player whose piece stands on `square` lifts it for a while and puts it back."""
        by = self._owner(square)
        return [
            self.do(Lift(square, by), self.level.think if wait is None else wait),
            self.do(Place(square, by), TOUCH),
        ]

    def may_be_lifted(self, square: int) -> bool:
        """Whether the board without the piece on `square` shows no other reading of the last turn."""
        return self.previous is None or not explained(self.previous[0], self.position.occupied & ~(1 << square))

    def moves_piece(self, start: int, end: int, by: Side, wait: Span | None = None) -> list[Act]:
        return [
            self.do(Lift(start, by), self.level.think if wait is None else wait),
            self.do(Place(end, by), self.level.carry),
        ]

    def puts_back(self, position: Position, done: Breach | Move, wait: Span) -> list[Act]:
        """The piece that moved goes back, and what it captured comes out of the box: `position` stands again."""
        move = done.move if isinstance(done, Breach) else done
        by = done.side(position) if isinstance(done, Breach) else position.turn
        acts = self.moves_piece(move.end, move.start, by, wait)
        acts += [self.do(PutBack(square, mark(position, square)), BESIDE) for square in move.captured]
        self.position = position
        return acts

    def shoves(self, ways: Iterable[Move] | Iterable[tuple[int, int]], by: Side, wait: Span) -> list[Act]:
        """Two pieces leave their squares and come down on others, each way from a square to another."""
        (start, end, *_), (start_2, end_2, *_) = ways
        return [
            self.do(Lift(start, by), wait),
            self.do(Lift(start_2, by, True), SHOVE),
            self.do(Place(end, by), SHOVE),
            self.do(Place(end_2, by, True), SHOVE),
        ]

    def breaks(self, breach: Breach) -> list[Act]:
        """Does what the breach says; `position` is the one that it leads to."""
        position = self.position
        self.now = max(self.now, self._empty_handed_at)
        if breach.kind == "opponent_piece_moved" or (breach.kind == "illegal_move" and not breach.move.captured):
            acts = self.moves_piece(breach.move.start, breach.move.end, position.turn)
        else:
            self.position = breach.before
            acts = Hand.play(self, breach.move)
        self.position = breach.after
        return acts

    def replies(self, moves: Iterable[Move] | None = None) -> tuple[list[Act], TruePly]:
        """A legal move, one of `moves` if given."""
        before = self.position
        move = self.drawn(legal_moves(before) if moves is None else moves)[0]
        return self.play(move), true_ply(before, move)

    def stands_on(self, after: Position) -> None:
        """The turn is over, and led to `after`."""
        self.position = after
        self.plies += 1
        self.previous = None

    def turned(self, before: Position, move: Move) -> None:
        self.plies += 1
        self.previous = before, move

    @property
    def playable(self) -> list[int]:
        """The squares of the pieces that may move."""
        squares = dict.fromkeys(move.start for move in legal_moves(self.position))
        return [s for s in squares if self.may_be_lifted(s)]

    @property
    def quiet(self) -> list[Move]:
        return [move for move in legal_moves(self.position) if not move.captured and not move.promotes]

    def waits(self, span: Span) -> float:
        """Nobody does anything for a time drawn from `span`; how long that is."""
        began = self.now
        return round(self._wait(span) - began, 3)

    def choice(self, found: list[T]) -> T:
        return self._random.choice(found)

    def chance(self) -> bool:
        return self._random.random() < 0.5

    def unplayable(self) -> list[int]:
        """The squares of the pieces of the side to move that may not move."""
        squares = squares_of(self.position.pieces(self.position.turn))
        return [s for s in squares if s not in self.playable and self.may_be_lifted(s)]


# --- moves that break a rule


def _irregular(found: Callable[[Offender], Iterable[Breach]]) -> Callable[[Offender, Future], Episode | None]:
    """An offence that is one of the irregular moves that `found` finds."""

    def commit(hand: Offender, future: Future) -> Episode | None:
        position = hand.position
        for breach in hand.some(found(hand)):
            stands = future == "stands"
            following = _clear_replies(position, breach.after) if stands else _put_right(position, breach)
            if not following:
                continue
            ply = hand.coming
            acts = hand.breaks(breach)
            plies: tuple[TruePly, ...] = ()
            if stands:
                hand.stands_on(breach.after)
                plies = (breach.played(position),)
            else:
                acts += hand.puts_back(position, breach, NOTICED)
            more, regular = hand.replies(following)
            closes: Closing = "stands" if stands else "rectified"
            ends = breach.move.start, breach.move.end
            told = Expected(breach.kind, breach.side(position), ply, ends, closes, breach.reason)
            return Episode((*acts, *more), (*plies, regular), (told,))
        return None

    return commit


def _clear_replies(before: Position, after: Position) -> list[Move]:
    """Legal moves of `after` that do not make the two turns look like one of `before`."""
    ends = {before.after(move).occupied for move in legal_moves(before)} | {before.occupied}
    return [move for move in legal_moves(after) if after.after(move).occupied not in ends]


def _put_right(position: Position, breach: Breach) -> list[Move]:
    """The regular moves that follow when `breach` has been put right: a touched piece that may move has to.

    None where nobody would know of the breach before it is put right, where a crown would have to come off, or where
    the way back would be a legal reply.
    """
    if breach.move.promotes or (breach.stops and position.variant.removal == "at_once"):
        return []
    if any(breach.after.after(reply).occupied == position.occupied for reply in legal_moves(breach.after)):
        return []
    legal = legal_moves(position)
    if breach.before.turn is not position.turn:
        return legal
    return [move for move in legal if move.start == breach.move.start] or legal


def _of_kind(
    kind: AlertKind, of: Callable[[Position], Iterable[Breach]], **like: object
) -> Callable[[Offender, Future], Episode | None]:
    """The breaches of one kind whose fields are `like` this."""

    def found(hand: Offender) -> Iterator[Breach]:
        for breach in of(hand.position):
            if breach.kind == kind and all(getattr(breach, key) == value for key, value in like.items()):
                yield breach

    return _irregular(found)


def _wrong_side(hand: Offender) -> Iterator[Breach]:
    if hand.previous is not None:
        yield from moves_of_the_other_side(hand.position)


def _astray(reason: str) -> Callable[[Offender, Future], Episode | None]:
    reasons = (reason, "not_straight") if reason == "not_diagonal" else (reason,)
    return _irregular(
        lambda hand: (breach for breach in strays(hand.position, hand.position.turn) if breach.reason in reasons)
    )


def _opponent_piece(hand: Offender) -> Iterator[Breach]:
    for breach in strays(hand.position, hand.position.turn.other):
        yield breach._replace(reason=None)


# --- pieces left, and pieces taken off


class _Left(NamedTuple):
    move: Move
    left: tuple[int, ...]
    after: Position
    """With what was left."""


def _leaving(hand: Offender) -> Iterator[_Left]:
    """Captures that leave victims standing, where the board shows no other capture and no breach of another law."""
    position = hand.position
    for move in hand.drawn(move for move in legal_moves(position) if move.captured and not move.promotes):
        if not legal_moves(position.after(move)):
            continue
        ways = list(islice(left_standing(position, move), TRIED))
        for left, after in hand.drawn(ways):
            taken = {other.after.occupied for other in breaches(position)} | {position.occupied}
            if after.occupied in taken or explained(position, after.occupied, move):
                continue
            if hand.previous is not None and explained(hand.previous[0], after.occupied):
                continue
            yield _Left(move, left, after)


def _captures_but(hand: Offender, found: _Left) -> list[Act]:
    """Plays the capture, but what is left is not taken off."""
    return [
        act
        for act in Hand.play(hand, found.move)
        if not (isinstance(act.action, TakeOff) and act.action.square in found.left)
    ]


def _left_on_board(hand: Offender, future: Future) -> Episode | None:
    if hand.position.variant.removal == "at_once":
        return None
    for found in _leaving(hand):
        position = hand.position
        ply = hand.coming
        whole = position.after(found.move)
        if future == "stands":
            replies = [m for m in _clear_replies(position, found.after) if m.start not in found.left]
            replies = [m for m in replies if not explained(whole, found.after.after(m).occupied)]
            if not replies:
                continue
            acts = _captures_but(hand, found)
            off = frozenset(found.move.captured) - set(found.left)
            hand.stands_on(found.after)
            more, reply = hand.replies(replies)
            played = true_ply(position, found.move)._replace(captured=off, after=found.after, irregular=True)
            closes: Closing = "stands"
            plies = (played, reply)
        else:
            both = {(m.start, m.end) for m in legal_moves(found.after)}
            quiet = [m for m in legal_moves(whole) if not m.captured and not m.promotes and (m.start, m.end) in both]
            if not quiet:
                continue
            acts = _captures_but(hand, found)
            hand.stands_on(whole)
            reply_move = hand.drawn(quiet)[0]
            by = whole.turn
            more = [hand.do(Lift(reply_move.start, by), hand.level.think)]
            more += [hand.do(TakeOff(square), BESIDE) for square in found.left]
            more.append(hand.do(Place(reply_move.end, by), hand.level.carry))
            hand.position = whole.after(reply_move)
            hand.turned(whole, reply_move)
            closes = "rectified"
            plies = (true_ply(position, found.move), true_ply(whole, reply_move))
        told = Expected("left_on_board", position.turn, ply, found.left, closes)
        return Episode(tuple(acts + more), plies, (told,))
    return None


def _left_at_the_lever(hand: Offender, future: Future) -> Episode | None:
    """The player presses the clock with a victim standing, and then takes it off."""
    if hand.position.variant.removal == "at_once":
        return None
    for found in _leaving(hand):
        position = hand.position
        whole = position.after(found.move)
        if not legal_moves(whole):
            continue
        ply = hand.coming
        acts = _captures_but(hand, found)
        acts.append(hand.do(Press(position.turn), BESIDE))
        acts += [hand.do(TakeOff(square), hand.level.removal) for square in found.left]
        hand.position = whole
        hand.turned(position, found.move)
        more, reply = hand.replies()
        told = Expected("left_on_board", position.turn, ply, found.left, "rectified")
        return Episode(tuple(acts + more), (true_ply(position, found.move), reply), (told,))
    return None


def _without(position: Position, square: int) -> Position:
    bit = ~(1 << square)
    return position._replace(white=position.white & bit, black=position.black & bit, kings=position.kings & bit)


def _removed_too_many(capturing: bool) -> Callable[[Offender, Future], Episode | None]:
    """A piece of the opponent goes into the box that the move did not capture."""

    def commit(hand: Offender, future: Future) -> Episode | None:
        position = hand.position
        moves = [m for m in legal_moves(position) if bool(m.captured) is capturing and not m.promotes]
        for move in hand.drawn(moves)[:TRIED]:
            whole = position.after(move)
            gone = list(squares_of(whole.pieces(whole.turn)))
            for square in hand.drawn(gone):
                replies = _replies_without(hand, position, move, square)
                if not replies:
                    continue
                ply = hand.coming
                acts = Hand.play(hand, move)
                acts.append(hand.do(TakeOff(square), hand.level.removal))
                after = _without(whole, square)
                hand.stands_on(after)
                more, reply = hand.replies(replies)
                played = true_ply(position, move)._replace(after=after, irregular=True)
                told = Expected("removed_wrongly", position.turn, ply, (square,), "stands")
                return Episode(tuple(acts + more), (played, reply), (told,))
        return None

    return commit


def _replies_without(hand: Offender, position: Position, move: Move, square: int) -> list[Move]:
    """Replies that show that the piece on `square` is out, if the board without it shows nothing else; else none."""
    whole = position.after(move)
    after = _without(whole, square)
    occupied = after.occupied
    if not legal_moves(whole) or explained(position, occupied):
        return []
    if any(breach.after.occupied == occupied for breach in breaches(position)):
        return []
    if explained(whole, occupied) or (hand.previous is not None and explained(hand.previous[0], occupied)):
        return []
    may = {m.end for m in legal_moves(whole) if m.start == square}
    lawful = {whole.after(m).occupied for m in legal_moves(whole)}
    return [
        m
        for m in _clear_replies(position, after)
        if m.end not in may and not explained(whole, after.after(m).occupied) and after.after(m).occupied not in lawful
    ]


def _removed_own(hand: Offender, future: Future) -> Episode | None:
    """A piece of the player who has moved is swept off, and nobody notices for a while."""
    position = hand.position
    for move in hand.drawn(m for m in legal_moves(position) if not m.promotes)[:TRIED]:
        whole = position.after(move)
        legal = legal_moves(whole)
        taken = {square for m in legal for square in m.captured}
        gone = [s for s in squares_of(whole.pieces(position.turn)) if s != move.end and s not in taken]
        for square in hand.drawn(gone):
            replies = _replies_without(hand, position, move, square)
            if not replies or not legal:
                continue
            ply = hand.coming
            after = _without(whole, square)
            acts = Hand.play(hand, move)
            acts.append(hand.do(TakeOff(square), BESIDE))
            hand.waits(STOOD)
            if future == "stands":
                hand.stands_on(after)
                played = true_ply(position, move)._replace(after=after, irregular=True)
                more, reply = hand.replies(replies)
            else:
                acts.append(hand.do(PutBack(square, mark(whole, square)), BESIDE))
                hand.turned(position, move)
                hand.position = whole
                played = true_ply(position, move)
                more, reply = hand.replies()
            closes: Closing = "stands" if future == "stands" else "rectified"
            told = Expected("removed_wrongly", position.turn, ply, (square,), closes)
            return Episode(tuple(acts + more), (played, reply), (told,))
    return None


def _lifted_during_capture(hand: Offender, future: Future) -> Episode | None:
    """A victim comes off while the capturing piece is in the hand, or before it has been lifted at all."""
    position = hand.position
    if position.variant.removal == "at_once":
        return None
    for move in hand.drawn(m for m in legal_moves(position) if m.captured and m.start != m.end):
        kings = position.kings >> move.start & 1 or position.kings & move.captured_mask
        if len(move.captured) == 1 and not kings:
            continue
        by = position.turn
        victims = list(move.captured)
        early = hand.choice(victims)
        victims.remove(early)
        ply = hand.coming
        if hand.chance():
            acts = [
                hand.do(Lift(move.start, by), hand.level.think),
                hand.do(TakeOff(early), BESIDE),
                hand.do(Place(move.end, by), BESIDE),
            ]
        else:
            acts = [
                hand.do(TakeOff(early), hand.level.think),
                hand.do(Lift(move.start, by), BESIDE),
                hand.do(Place(move.end, by), BESIDE),
            ]
        acts += [hand.do(TakeOff(square), hand.level.removal) for square in victims]
        if move.promotes:
            acts.append(hand.do(Crown(move.end), BESIDE))
        hand.position = position.after(move)
        hand.turned(position, move)
        return Episode(
            tuple(acts), (true_ply(position, move),), (Expected("lifted_during_capture", by, ply, (early,)),)
        )
    return None


# --- touched pieces


def _touch_move(hand: Offender, future: Future) -> Episode | None:
    """A is lifted and put back, B moves; rectified: B goes back and A moves."""
    position = hand.position
    quiet = hand.quiet
    others = {m.start for m in quiet}
    for move in hand.drawn(quiet):
        touched = [s for s in hand.playable if s != move.start and (future == "stands" or s in others)]
        after = position.after(move)
        if not touched or not legal_moves(after):
            continue
        square = hand.choice(touched)
        ply = hand.coming
        acts = hand.touches(square)
        told = Expected("touch_move", position.turn, ply, (square,), "stands" if future == "stands" else "rectified")
        if future == "stands":
            acts += hand.play(move)
            more, reply = hand.replies()
            return Episode(tuple(acts + more), (true_ply(position, move), reply), (told,))
        acts += Hand.play(hand, move)
        acts += hand.puts_back(position, move, NOTICED)
        more, played = hand.replies(m for m in quiet if m.start == square)
        return Episode(tuple(acts + more), (played,), (told,))
    return None


def _several_touched(hand: Offender, future: Future) -> Episode | None:
    """A and B are in the air together; one is played, the other goes back."""
    position = hand.position
    by = position.turn
    quiet = hand.quiet
    for move in hand.drawn(quiet):
        others = [m.start for m in quiet if m.start != move.start and m.end != move.end]
        if not others or not legal_moves(position.after(move)):
            continue
        other = hand.choice(others)
        first, second = (move.start, other) if hand.chance() else (other, move.start)
        left = {first: False, second: True}
        ply = hand.coming
        acts = [
            hand.do(Lift(first, by), hand.level.think),
            hand.do(Lift(second, by, True), BESIDE),
            hand.do(Place(other, by, left[other]), TOUCH),
            hand.do(Place(move.end, by, left[move.start]), hand.level.carry),
        ]
        closes: Closing = "stands" if future == "stands" else "rectified"
        told = Expected("several_touched", by, ply, (first, second), closes)
        if future == "stands":
            hand.position = position.after(move)
            hand.turned(position, move)
            more, reply = hand.replies()
            return Episode(tuple(acts + more), (true_ply(position, move), reply), (told,))
        acts += hand.puts_back(position, move, NOTICED)
        more, played = hand.replies(m for m in quiet if m.start == other)
        return Episode(tuple(acts + more), (played,), (told,))
    return None


def _touched_unplayable(hand: Offender, future: Future) -> Episode | None:
    squares = hand.unplayable()
    if not squares:
        return None
    square, side, ply = hand.choice(squares), hand.position.turn, hand.coming
    acts = hand.touches(square)
    more, played = hand.replies()
    return Episode(tuple(acts + more), (played,), (Expected("touched_unplayable", side, ply, (square,)),))


def _touched_unplayable_again(hand: Offender, future: Future) -> Episode | None:
    """The same player, in two turns."""
    first = _touched_unplayable(hand, future)
    if first is None or not legal_moves(hand.position):
        return None
    acts, reply = hand.replies()
    second = _touched_unplayable(hand, future) if legal_moves(hand.position) else None
    if second is None:
        return None
    again = replace(second.expected[0], recurs=True)
    plies = (*first.plies, reply, *second.plies)
    return Episode((*first.acts, *acts, *second.acts), plies, (*first.expected, again))


def _touched_out_of_turn(hand: Offender, future: Future) -> Episode | None:
    other = hand.position.turn.other
    legal = legal_moves(hand.position)
    taken = {square for move in legal for square in move.captured}
    if hand.previous is not None:
        taken.add(hand.previous[1].end)
    squares = [s for s in squares_of(hand.position.pieces(other)) if s not in taken and hand.may_be_lifted(s)]
    if not squares:
        return None
    square, ply = hand.choice(squares), hand.coming
    acts = hand.touches(square)
    more, played = hand.replies()
    return Episode(tuple(acts + more), (played,), (Expected("touched_out_of_turn", other, ply, (square,)),))


def _taken_back(hand: Offender, future: Future) -> Episode | None:
    """A move that has been complete goes back, and another piece moves: that one was touched, too."""
    position = hand.position
    quiet = hand.quiet
    for move in hand.drawn(quiet):
        others = [m for m in quiet if m.start != move.start]
        if not others or not legal_moves(position.after(move)):
            continue
        ply = hand.coming
        acts = Hand.play(hand, move)
        acts += hand.puts_back(position, move, NOTICED)
        more, played = hand.replies(others)
        side = position.turn
        told = (Expected("taken_back", side, ply), Expected("touch_move", side, ply, (move.start,)))
        return Episode(tuple(acts + more), (played,), told)
    return None


def _destination_changed(hand: Offender, future: Future) -> Episode | None:
    position = hand.position
    by = position.turn
    quiet = hand.quiet
    for move in hand.drawn(quiet):
        others = [m for m in quiet if m.start == move.start and m.end != move.end]
        if not others or not legal_moves(position.after(move)):
            continue
        last = hand.drawn(others)[0]
        ply = hand.coming
        acts = hand.moves_piece(move.start, move.end, by)
        acts += hand.moves_piece(move.end, last.end, by, NOTICED)
        hand.position = position.after(last)
        hand.turned(position, last)
        return Episode(tuple(acts), (true_ply(position, last),), (Expected("destination_changed", by, ply),))
    return None


def _wavering(hand: Offender, future: Future) -> Episode | None:
    """A is lifted and put back three times, and then it moves."""
    position = hand.position
    square, ply = hand.choice(hand.playable), hand.coming
    acts = hand.touches(square) + hand.touches(square, BESIDE) + hand.touches(square, BESIDE)
    more, played = hand.replies(m for m in legal_moves(position) if m.start == square)
    return Episode(tuple(acts + more), (played,), (Expected("wavering", position.turn, ply),))


def _held_piece(hand: Offender, future: Future) -> Episode | None:
    position = hand.position
    quiet = hand.quiet
    if not quiet:
        return None
    move, ply, by = hand.drawn(quiet)[0], hand.coming, position.turn
    acts = [hand.do(Lift(move.start, by), hand.level.think), hand.do(Place(move.end, by), HELD)]
    hand.position = position.after(move)
    hand.turned(position, move)
    return Episode(tuple(acts), (true_ply(position, move),), (Expected("held_piece", by, ply, (move.start,)),))


# --- crowns


def _not_crowned(hand: Offender, future: Future) -> Episode | None:
    position = hand.position
    for move in hand.drawn(m for m in legal_moves(position) if m.promotes):
        after = position.after(move)
        if not any(move.end not in m.captured for m in legal_moves(after)):
            continue
        ply = hand.coming
        acts = [act for act in hand.play(move) if not isinstance(act.action, Crown)]
        more, reply = hand.replies(m for m in legal_moves(after) if move.end not in m.captured)
        acts += [*more, hand.do(Crown(move.end), BESIDE)]
        told = Expected("not_crowned", position.turn, ply, (move.end,))
        return Episode(tuple(acts), (true_ply(position, move), reply), (told,))
    return None


def _crowned_wrongly(hand: Offender, future: Future) -> Episode | None:
    position = hand.position
    men = [m for m in legal_moves(position) if not m.promotes and not position.kings >> m.start & 1]
    for move in hand.drawn(men):
        after = position.after(move)
        if not legal_moves(after):
            continue
        ply = hand.coming
        acts = [*hand.play(move), hand.do(Crown(move.end), BESIDE)]
        more, reply = hand.replies()
        told = Expected("crowned_wrongly", position.turn, ply, (move.end,))
        return Episode(tuple(acts + more), (true_ply(position, move), reply), (told,), frozenset({"crowned_wrongly"}))
    return None


# --- the board and its sensors


def _wrong_setup(hand: Offender, future: Future) -> Episode | None:
    """A piece stands beside the board until somebody sees it."""
    if hand.plies or hand.previous is not None:
        return None
    position = hand.position
    square = hand.choice(list(squares_of(position.occupied)))
    acts = [hand.do(PutBack(square, mark(position, square)), STOOD)]
    more, played = hand.replies()
    told = Expected("wrong_setup", None, 1)
    return Episode(tuple(acts + more), (played,), (told,), set_up=(TakeOff(square),))


def _other_side_begins(hand: Offender, future: Future) -> Episode | None:
    """The first move by the other side: where the board sees no colours it may be turned, and that is asked."""
    episode = _other_side_moves_first(hand, future)
    if episode is None:
        return None
    told = Expected("wrong_orientation", None, 1)
    return replace(episode, expected=(told,), allowed=frozenset({"wrong_side"}))


def _other_side_moves_first(hand: Offender, future: Future) -> Episode | None:
    if hand.plies or hand.previous is not None:
        return None
    position = hand.position
    breach = hand.choice(list(moves_of_the_other_side(position)))
    acts = hand.breaks(breach)
    hand.stands_on(breach.after)
    more, reply = hand.replies(_clear_replies(position, breach.after))
    played = breach.played(position)
    told = Expected("wrong_side", breach.before.turn, 1, (breach.move.start, breach.move.end), "stands")
    return Episode(tuple(acts + more), (played, reply), (told,))


def _board_mismatch(hand: Offender, future: Future) -> Episode | None:
    """An elbow: two pieces of the player who is not on move stand somewhere else for a while, and go back."""
    position = hand.position
    by = position.turn.other
    last = None if hand.previous is None else hand.previous[1].end
    pairs = combinations((b.move for b in strays(position, by) if b.move.start != last), 2)
    for pair in hand.drawn(islice(pairs, TRIED * TRIED))[:TRIED]:
        (start, end, *_), (start_2, end_2, *_) = pair
        occupied = position.occupied & ~(1 << start | 1 << start_2) | 1 << end | 1 << end_2
        if len({start, start_2, end, end_2}) < 4 or explained(position, occupied) or _two_turns(position, occupied):
            continue
        ply = hand.coming
        acts = hand.shoves(pair, by, hand.level.think)
        acts += hand.shoves([(move.end, move.start) for move in pair], by, STOOD)
        more, played = hand.replies()
        told = Expected("board_mismatch", None, ply, closes="recovered")
        return Episode((*acts, *more), (played,), (told,))
    return None


def _two_turns(position: Position, occupied: int) -> bool:
    return any(
        after.after(reply).occupied == occupied
        for after in (position.after(move) for move in legal_moves(position))
        for reply in legal_moves(after)
    )


def _elsewhere(hand: Offender, played: TruePly, occupied: bool | None = None) -> int | None:
    """A square that the turn leaves alone; one that is occupied, or free, where that is asked."""
    position = played.before
    busy = position.occupied ^ played.after.occupied | 1 << played.start | 1 << played.end
    squares = [
        s
        for s in position.variant.geometry.playable
        if not busy >> s & 1 and (occupied is None or bool(position.occupied >> s & 1) is occupied)
    ]
    return hand.choice(squares) if squares else None


def _flickering(hand: Offender, future: Future) -> Episode | None:
    """A weak magnet toggles for two seconds while nobody moves."""
    ply = hand.coming
    hand.waits(SETTLED)
    began = hand.now
    hand.waits((TOGGLE * TOGGLES + 0.5, TOGGLE * TOGGLES + 1.0))
    acts, played = hand.replies()
    square = _elsewhere(hand, played, occupied=True)
    if square is None:
        return None
    misreads = tuple(Misread(square, round(began + 2 * TOGGLE * n, 3), TOGGLE) for n in range(TOGGLES // 2))
    told = Expected("sensor_suspect", None, ply, (square,))
    return Episode(tuple(acts), (played,), (told,), misreads=misreads)


def _stuck(hand: Offender, future: Future) -> Episode | None:
    """A free square reads occupied while nobody moves."""
    ply = hand.coming
    hand.waits(SETTLED)
    began, seconds = hand.now, hand.waits(STOOD)
    hand.waits(BESIDE)
    acts, played = hand.replies()
    square = _elsewhere(hand, played, occupied=False)
    if square is None:
        return None
    told = Expected("sensor_suspect", None, ply, (square,))
    misreads = (Misread(square, began, seconds),)
    return Episode(tuple(acts), (played,), (told,), frozenset({"board_mismatch"}), misreads=misreads)


def _board_lost(hand: Offender, future: Future) -> Episode | None:
    ply = hand.coming
    hand.waits(SETTLED)
    began, seconds = hand.now, hand.waits(LOST)
    hand.waits(BESIDE)
    acts, played = hand.replies()
    told = Expected("board_lost", None, ply, closes="recovered")
    return Episode(tuple(acts), (played,), (told,), outages=(Outage(began, seconds),))


def _misplaced(hand: Offender, future: Future) -> Episode | None:
    """A piece is put on a light square beside its own, stands there for a while, and is then put right."""
    position = hand.position
    variant, by = position.variant, position.turn
    for move in hand.drawn(hand.quiet):
        light = [s for s in _beside(variant, move.end) if not variant.geometry.playable_mask >> s & 1]
        if not light:
            return None
        square, ply = hand.choice(light), hand.coming
        acts = hand.moves_piece(move.start, square, by)
        acts += hand.moves_piece(square, move.end, by, STOOD)
        hand.position = position.after(move)
        hand.turned(position, move)
        told = Expected("misplaced_piece", None, ply, (square,), "recovered")
        return Episode(tuple(acts), (true_ply(position, move),), (told,))
    return None


def _beside(variant: Variant, square: int) -> list[int]:
    """The squares that share an edge with `square`."""
    size = variant.size
    row, column = divmod(square, size)
    around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


# --- the clock


def _readings(hand: Offender, left: Iterable[float], begin: float) -> tuple[ClockReading, ...]:
    """A clock tells every second what the side on move has left; the other one has a quarter of an hour."""
    turn: SideName = "black" if hand.position.turn else "white"
    return tuple(
        ClockReading(round(begin + second, 3), *((900.0, own) if hand.position.turn else (own, 900.0)), turn)
        for second, own in enumerate(left)
    )


def _flag_fallen(hand: Offender, future: Future) -> Episode | None:
    """The time of the player on move runs out; that is for the arbiter, and the game goes on."""
    hand.waits(SETTLED)
    ply, side, began = hand.coming, hand.position.turn, hand.now
    readings = _readings(hand, (3.0, 2.0, 1.0, 0.0), began)
    hand.now = round(began + len(readings), 3)
    acts, played = hand.replies()
    told = Expected("flag_fallen", side, ply)
    return Episode(tuple(acts), (played,), (told,), frozenset({"clock_lost"}), readings=readings)


def _clock_lost(hand: Offender, future: Future) -> Episode | None:
    """The clock beside the board falls silent for a while."""
    hand.waits(SETTLED)
    ply, began = hand.coming, hand.now
    before = _readings(hand, (300.0 - second for second in range(8)), began)
    silent = hand.now = round(before[-1].at + hand.choice([12.0, 15.0, 18.0]), 3)
    again = _readings(hand, (300.0 - silent + began,), silent)
    acts, played = hand.replies()
    told = Expected("clock_lost", None, ply, closes="recovered")
    return Episode(tuple(acts), (played,), (told,), frozenset({"clock_lost"}), readings=(*before, *again))


@dataclass(frozen=True)
class Offence:
    """`name` says what is done; where the alert's kind says enough, it is the kind."""

    name: str
    kind: AlertKind
    futures: tuple[Future, ...]
    commit: Callable[[Offender, Future], Episode | None]
    at_start: bool = False
    """Only the first turn of a game gives occasion."""
    senses: frozenset[str] = field(default_factory=lambda: frozenset({"occupancy", "colour", "kind"}))
    """The boards that can see it."""
    light_squares: bool = False
    """Only a board that has sensors under the light squares can see it."""


BOTH: tuple[Future, ...] = ("stands", "rectified")
ONCE: tuple[Future, ...] = ("over",)
KIND = frozenset({"kind"})

OFFENCES: dict[str, Offence] = {
    offence.name: offence
    for offence in (
        Offence("missed_capture", "missed_capture", BOTH, _of_kind("missed_capture", missed_captures)),
        Offence(
            "short_capture, stopped",
            "short_capture",
            BOTH,
            _of_kind("short_capture", captures_against_a_law, stops=True),
        ),
        Offence(
            "short_capture, fewer",
            "short_capture",
            BOTH,
            _of_kind("short_capture", captures_against_a_law, stops=False),
        ),
        Offence("low_value_capture", "low_value_capture", BOTH, _of_kind("low_value_capture", captures_against_a_law)),
        Offence("wrong_side", "wrong_side", BOTH, _irregular(_wrong_side)),
        Offence("opponent_piece_moved", "opponent_piece_moved", BOTH, _irregular(_opponent_piece)),
        Offence("illegal_move, backwards", "illegal_move", BOTH, _astray("backwards")),
        Offence("illegal_move, too far", "illegal_move", BOTH, _astray("too_far")),
        Offence("illegal_move, off the line", "illegal_move", BOTH, _astray("not_diagonal")),
        Offence("illegal_move, blocked", "illegal_move", BOTH, _astray("blocked")),
        Offence("illegal_move, odd capture", "illegal_move", BOTH, _of_kind("illegal_move", odd_captures)),
        Offence("left_on_board", "left_on_board", BOTH, _left_on_board),
        Offence("left_on_board, lever", "left_on_board", ("rectified",), _left_at_the_lever),
        Offence("removed_wrongly, with a capture", "removed_wrongly", ("stands",), _removed_too_many(True)),
        Offence("removed_wrongly, with no capture", "removed_wrongly", ("stands",), _removed_too_many(False)),
        Offence("removed_wrongly, own piece", "removed_wrongly", BOTH, _removed_own),
        Offence("lifted_during_capture", "lifted_during_capture", ONCE, _lifted_during_capture),
        Offence("touch_move", "touch_move", BOTH, _touch_move),
        Offence("several_touched", "several_touched", BOTH, _several_touched),
        Offence("touched_unplayable", "touched_unplayable", ONCE, _touched_unplayable),
        Offence("touched_unplayable, again", "touched_unplayable", ONCE, _touched_unplayable_again),
        Offence("touched_out_of_turn", "touched_out_of_turn", ONCE, _touched_out_of_turn),
        Offence("taken_back", "taken_back", ONCE, _taken_back),
        Offence("destination_changed", "destination_changed", ONCE, _destination_changed),
        Offence("wavering", "wavering", ONCE, _wavering),
        Offence("held_piece", "held_piece", ONCE, _held_piece),
        Offence("not_crowned", "not_crowned", ONCE, _not_crowned, senses=KIND),
        Offence("crowned_wrongly", "crowned_wrongly", ONCE, _crowned_wrongly, senses=KIND),
        Offence("wrong_setup", "wrong_setup", ONCE, _wrong_setup, at_start=True),
        Offence(
            "wrong_orientation",
            "wrong_orientation",
            ONCE,
            _other_side_begins,
            at_start=True,
            senses=frozenset({"occupancy"}),
        ),
        Offence(
            "wrong_side, first move",
            "wrong_side",
            ("stands",),
            _other_side_moves_first,
            at_start=True,
            senses=frozenset({"colour"}),
        ),
        Offence("misplaced_piece", "misplaced_piece", ONCE, _misplaced, light_squares=True),
        Offence("flag_fallen", "flag_fallen", ONCE, _flag_fallen),
        Offence("clock_lost", "clock_lost", ONCE, _clock_lost),
        Offence("board_mismatch", "board_mismatch", ONCE, _board_mismatch),
        Offence("sensor_suspect, flickering", "sensor_suspect", ONCE, _flickering),
        Offence("sensor_suspect, stuck", "sensor_suspect", ONCE, _stuck),
        Offence("board_lost", "board_lost", ONCE, _board_lost),
    )
}
