"""The game's clock: kept from the levers by a time control, or the one whose readings come; pure, no wall clock.

How it works. What each side has left is known exactly at one instant, `_since`; everything else is subtraction, so that
asking changes nothing and any spacing of ticks gives the same values. Without readings the levers switch it, and a flag
falls when the running side's time is over. From the first reading on the readings are the clock: the levers then count
moves only, a flag falls when a reading says so, and a clock that speaks by itself and stops speaking is stale. A stale
clock shows what it said last, until it speaks again.
"""

from __future__ import annotations

from dataclasses import dataclass

from damas_board.notation.time_control import TimeControl
from damas_board.session.inputs import SideName

SILENT_SECONDS = 3.0
"""A clock that tells its running time by itself is stale when it has said nothing for this long, and for two of its
longest gaps: some speak every second, some when a lever is pressed only."""
JUMP_SECONDS = 2.0
"""How far a reading may be from what was expected: clocks tell whole seconds, and late."""
MOST_INCREMENT = 60.0
"""The most that is gained by moves, in `SILENT_SECONDS`, on a clock whose time control is not known."""
FAST_SECONDS = 0.5
"""What a move by each side takes at least, where no lever tells how many were made."""
LAST_SECOND = 1.0
"""Between readings a clock that has not said 0 is not shown below this."""

SIDES: tuple[SideName, SideName] = ("white", "black")


@dataclass(frozen=True, slots=True)
class Times:
    """What the clock shows: the seconds left, to the millisecond, and whose time runs."""

    white: float
    black: float
    running: SideName | None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """The time of `side` is over since `at`."""

    side: SideName
    at: float


@dataclass(frozen=True, slots=True)
class Silent:
    """The clock has said nothing for so long that what it shows is not known since `at`."""

    at: float


@dataclass(frozen=True, slots=True)
class Read:
    """What a clock's own reading told."""

    times: Times
    jump: float | None = None
    """By how many seconds it is off what can be explained, the side that is off most; positive: it has gained."""
    recovered: bool = False
    """The clock had been stale."""
    flags: tuple[Flag, ...] = ()


class GameClock:
    """The clock of one game. Times of calls never decrease; `due` is called before anything else at a later time."""

    def __init__(self, control: TimeControl | None, first: SideName) -> None:
        """`first` is the side that begins. Without `control` nothing is shown before a reading or `set`."""
        self._control = control
        self._first = first
        self._left: dict[SideName, float] | None = None
        if control is not None:
            self._left = {side: float(control.seconds) for side in SIDES}
        self._since = 0.0
        self._side: SideName | None = None
        """Whose time it is, also while the clock is halted."""
        self._pressed: SideName | None = None
        """Who pressed last; a lever that is down cannot be pressed."""
        self._halted = False
        self._stopped = False
        self._moves: dict[SideName, int] = {side: 0 for side in SIDES}
        self._fallen: set[SideName] = set()
        self._heard: float | None = None
        """When the last reading came, or the clock went on after a pause; None without readings."""
        self._moves_heard = dict(self._moves)
        """How many moves were completed by that reading."""
        self._gap: float | None = None
        """The longest time after which it has told a running time without anything having happened; None if never."""
        self.stale = False

    @property
    def running(self) -> SideName | None:
        return None if self._halted or self._stopped else self._side

    @property
    def deadline(self) -> float | None:
        """When the running side's flag falls, or the clock has been silent for too long."""
        side = self.running
        if side is None or self._left is None:
            return None
        if self._heard is None:
            return None if side in self._fallen else round(self._since + self._left[side], 6)
        return None if self._gap is None or self.stale else round(self._heard + max(SILENT_SECONDS, 2 * self._gap), 6)

    def due(self, at: float) -> list[Flag | Silent]:
        """What has fallen due by `at`, each with its own time."""
        deadline, side = self.deadline, self.running
        if deadline is None or side is None or deadline > at:
            return []
        if self._heard is None:
            self._fallen.add(side)
            return [Flag(side, deadline)]
        self.stale = True
        return [Silent(deadline)]

    def at(self, at: float) -> Times | None:
        """What the clock shows at `at`; None where there is none."""
        left = self._left_at(at)
        if left is None:
            return None
        return Times(round(left["white"], 3), round(left["black"], 3), self.running, self.stale)

    def moves(self, side: SideName) -> int:
        """How many moves `side` has completed by its lever."""
        return self._moves[side]

    # --- what happens to it; each says what it shows then, None where that is nothing new

    def pressed(self, side: SideName, at: float) -> Times | None:
        """`side` has pressed its lever: its move is over, the other side's time begins.

        The same lever twice in a row changes nothing. The first press of all begins the other side's time; it completes
        a move if the side that begins has pressed.
        """
        if self._pressed == side:
            return None
        starts = self._pressed is None and side != self._first
        self._pressed = side
        if not starts:
            self._moves[side] += 1
        if self._heard is not None:
            return None  # its readings will tell
        self._settle(at)
        if self._left is not None and not starts and side not in self._fallen:
            self._left[side] += self._added(side)
        self._side = _other(side)
        return None if self._stopped else self.at(at)

    def reading(self, white: float, black: float, running: SideName | None, at: float) -> Read | None:
        """The clock says so itself. None for zero on both sides, which some tell when there is no clock."""
        said: dict[SideName, float] = {"white": max(0.0, white), "black": max(0.0, black)}
        if white <= 0 and black <= 0 and not self._fallen:
            return None
        jump = self._jump(said, running, at)
        recovered, self.stale = self.stale, False
        if self._heard is not None and running is not None and running == self.running and not self._moved():
            self._gap = self._gap if recovered else max(self._gap or 0.0, at - self._heard)
        fallen = {side for side in SIDES if said[side] <= 0}
        flags = () if self._stopped else tuple(Flag(side, at) for side in SIDES if side in fallen - self._fallen)
        self._fallen = fallen
        self._left, self._since, self._heard = said, at, at
        self._side, self._halted = running, False
        self._moves_heard = dict(self._moves)
        return Read(Times(round(said["white"], 3), round(said["black"], 3), self.running), jump, recovered, flags)

    def set(
        self, white: float, black: float, at: float, turn: SideName | None = None, moves: tuple[int, int] | None = None
    ) -> Times | None:
        """The arbiter sets it; who runs stays, unless it is `turn` from now on.

        `moves`: how many White and Black have completed then, for the phases of a game that is rewound.
        """
        before = self.at(at)
        self._left, self._since = {"white": max(0.0, white), "black": max(0.0, black)}, at
        self._fallen = {side for side in SIDES if self._left[side] <= 0}
        if turn is not None and self._side is not None:
            self._side, self._pressed = turn, _other(turn)
        if moves is not None:
            self._moves = dict(zip(SIDES, moves, strict=True))
            self._moves_heard = dict(self._moves)
        shown = self.at(at)
        return None if shown == before else shown

    def pause(self, at: float) -> Times | None:
        """Nobody's time runs until `resume`; on a clock with readings, until then or the next reading."""
        if self.running is None:
            return None
        self._settle(at)
        self._halted = True
        return self.at(at)

    def resume(self, at: float) -> Times | None:
        """It goes on after `pause`."""
        if not self._halted:
            return None
        self._halted = False
        return self._go_on(at)

    def reopen(self, at: float) -> Times | None:
        """The end is taken back: the time since the end is nobody's, the levers pressed since then count."""
        if not self._stopped:
            return None
        self._stopped = False
        return self._go_on(at)

    def _go_on(self, at: float) -> Times | None:
        self._since = at
        if self._heard is not None:
            self._heard = at
        return self.at(at)

    def stop(self, at: float) -> Times | None:
        """The game is over: nothing falls due any more, time stands still; levers go on counting moves."""
        was = self.running
        self._settle(at)
        self._stopped = True
        return None if was is None else self.at(at)

    # --- arithmetic

    def _left_at(self, at: float) -> dict[SideName, float] | None:
        if self._left is None:
            return None
        side = self.running
        left = dict(self._left)
        if side is None or self.stale:
            return left
        used = max(0.0, at - self._since)
        if self._heard is not None:
            left[side] = max(min(left[side], LAST_SECOND), left[side] - used)
            return left
        over = at >= self._since + left[side]
        if self._control is not None and self._control.sandclock:
            left[_other(side)] += left[side] if over else used
        left[side] = 0.0 if over else left[side] - used
        return left

    def _settle(self, at: float) -> None:
        """What is left at `at` becomes what is known."""
        self._left, self._since = self._left_at(at), at

    def _added(self, side: SideName) -> float:
        return 0.0 if self._control is None else float(self._control.added(self._moves[side]))

    @property
    def _increment(self) -> float:
        """The largest of the time control."""
        return 0.0 if self._control is None else float(max(phase.increment for phase in self._control.phases))

    def _moved(self) -> bool:
        """Whether a lever has been pressed since the last reading."""
        return self._moves != self._moves_heard

    def _jump(self, said: dict[SideName, float], running: SideName | None, at: float) -> float | None:
        """By how much a reading is off what the one before and the moves since can explain; None where it is not.

        While the same side's time runs, it alone has less. Where a lever was pressed, the other side's time runs, or
        the last reading is long ago, moves were made: either side may have used some of the time, and gained by moves.
        """
        if self._heard is None or self._left is None:
            return None
        was, passed = self.running, at - self._since
        moved = was != running or self._moved() or passed > SILENT_SECONDS
        worst = 0.0
        for side in SIDES:
            lowest = highest = self._left[side]
            if moved or was is None:
                lowest -= passed
                highest += self._gain(side, passed) if moved else 0.0
            elif side == was:
                lowest, highest = lowest - passed, highest - passed
            off = min(0.0, said[side] - lowest) + max(0.0, said[side] - highest)
            if abs(off) > max(JUMP_SECONDS, abs(worst)):
                worst = off
        if worst and not moved and self._pressed is None and self._both_moved(said, passed):
            return None
        return round(worst, 3) or None

    def _gain(self, side: SideName, passed: float) -> float:
        """The most that `side` can have gained in that time."""
        if self._control is not None and self._pressed is not None:
            completed = range(self._moves_heard[side] + 1, max(self._moves[side], self._moves_heard[side] + 1) + 1)
            return float(sum(self._control.added(number) for number in completed))
        if self._control is None:
            return MOST_INCREMENT * (1 + passed // SILENT_SECONDS)
        return max(self._control.additions) + self._increment * (passed // FAST_SECONDS)

    def _both_moved(self, said: dict[SideName, float], passed: float) -> bool:
        """Whether moves by each, in the time between two readings, explain the second one: no lever has told.

        What each side has used, at least nothing, is what has passed; the increments of an unknown time control are
        the same for both.
        """
        if self._left is None:
            return False
        white, black = (said[side] - self._left[side] for side in SIDES)
        if self._control is None:
            equal = min(MOST_INCREMENT, max(0.0, (white + black + passed) / 2))
            added = [(equal, equal)]
        else:
            added = [
                (w + more, b + more)
                for w in self._control.additions
                for b in self._control.additions
                for more in (self._increment * n for n in range(1 + int(passed // FAST_SECONDS)))
            ]
        return any(
            abs(w - white + b - black - passed) <= JUMP_SECONDS
            and min(w - white, b - black) >= -JUMP_SECONDS
            and max(w - white, b - black) <= passed + JUMP_SECONDS
            for w, b in added
        )


def _other(side: SideName) -> SideName:
    return "black" if side == "white" else "white"
