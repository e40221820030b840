"""The self-test of a board, square by square: readings and keys with their times in, the next question out; no I/O.

How it works. One piece is put on one square after another. A step of the test asks for one thing: the piece on a
square, a button, three pieces on the corners of a rectangle. A step only looks: at the trace of what the board has read
(`calibration.trace`) and at what the person said, both up to a time. So it goes on by itself when a piece was put and
lifted, whenever it is looked at, and any spacing of looks gives the same answers. What each placing showed is a `Try`;
`calibration.tries` says when enough is known of a square, `calibration.findings` what is wrong with the board.

What the board cannot know the person says with one key: that the piece stands on the square that is asked for, or that
no piece is where the board sees one. Both are asked three times before they are believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from calibration.rectangles import Ghost, next_rectangle
from calibration.trace import Trace
from calibration.tries import TIMES, Tries, Try
from calibration.wiring import Wiring
from damas_board.decoding import wire

GONE_SECONDS = 0.35
"""A piece that is not read for so long was lifted; a shorter gap is the sensor's, or a sleeve's."""
HELD_SECONDS = 0.8
"""So long a piece must stand,"""
STILL_SECONDS = 0.6
"""and so long without a gap,"""
RESTLESS_SECONDS = 4.0
"""or so long with gaps, to be known."""
PUT_SECONDS = 0.4
"""While it is put down or lifted a contact may open and close so long."""
ELSEWHERE_SECONDS = 0.8
"""A piece that is read so long on another square was put there; shorter, it passed by."""
LATE_SECONDS = 3.0
"""So long a piece that is said to stand there is waited for."""
SAID_SECONDS = 0.5
"""What comes so soon after it was said to stand there came at the same time."""
SAID_AGAIN_SECONDS = 1.0
"""What is said again sooner is one pressing of the key."""
NOTHING_SECONDS = 3.0
"""After so long without anything the person is told what to do."""
SLOW_SECONDS, SLOW_TIMES, SLOW_KNOWN = 3.0, 3.0, 5
"""Slow: more than so long, and than so many times the median of the others, where so many are known."""
TOGETHER_SECONDS = 0.15
"""What comes and goes within so long of a piece comes and goes with it."""
BLIP_SECONDS = 0.3
"""What is read shorter than this while a piece stands still elsewhere came by itself."""
STILL_BOARD_SECONDS = 20.0
"""So long nobody touches the board where squares may be read by themselves."""
CORNERS_SECONDS = 0.5
"""So long three pieces must stand on their corners."""

QuestionKind = Literal["put", "other", "hold", "lift", "clear", "free", "press", "still", "corners", "off", "done"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the person is to do now.

    `put` a piece on `place`; `other`: it is seen on `other` instead; `hold`, `lift` it; `clear`: `places` are seen
    though no piece should be there; `free`: any square; `press` the button `key`; `still`: do not touch the board;
    `corners`: pieces on `places`; `off`: take them off again.
    """

    kind: QuestionKind
    place: int = 0
    other: int = 0
    places: tuple[int, ...] = ()
    key: wire.Key | None = None
    again: Literal["early", "unseen", "weak", "elsewhere", "together", "pressed"] | None = None
    """Why it is asked once more."""
    nothing: bool = False
    """Nothing has happened for a while."""
    said: bool = False
    """The person has just said that it is so."""


@dataclass(slots=True)
class Known:
    """What the check has found out so far; `calibration.findings` makes sense of it."""

    wiring: Wiring
    tries: Tries
    order: tuple[int, ...]
    buttons: tuple[wire.Key, ...]
    pressed: dict[wire.Key, str] = field(default_factory=dict)
    """Of each button that was settled: `good`, `dead`, `skipped`, or the name of the key that came instead."""
    every_diode: bool = False
    """Each is to be tried."""
    ghosts: list[Ghost] = field(default_factory=list)
    came: dict[int, set[int]] = field(default_factory=dict)
    """By places that were read for a moment while a piece stood elsewhere: the places that were being tried then."""
    restless: dict[int, int] = field(default_factory=dict)
    """By those that it happened to three times: how often it happened again while nobody touched the board."""
    restarts: int = 0
    lost_events: int = 0
    finished: bool = False


class Check:
    """Feed it what the board reads and what the person says; `question` is what to ask now, `known` what came out."""

    def __init__(
        self,
        wiring: Wiring,
        order: Sequence[int],
        at: float,
        *,
        buttons: Sequence[wire.Key] = wire.BUTTONS,
        any_order: bool = False,
        every_diode: bool = False,
    ) -> None:
        """`order`: the places in the order in which they are asked for."""
        self.known = Known(wiring, Tries(wiring), tuple(order), tuple(buttons), every_diode=every_diode)
        self.trace = Trace(wiring.places)
        self._any_order = any_order
        self._waits: list[float] = []
        self._empty: Counter[int] = Counter()
        """How often the person said that nothing stands where a piece is read."""
        self._masked: set[int] = set()
        self._previous: list[int] = []
        self._said_at = float("-inf")
        self._now = at
        self._barrier = at
        """What has been read since before is not of the present question."""
        self._step: _Step = self._next(at, None)

    # What comes in.

    def see(self, at: float, levels: Sequence[int]) -> None:
        """The board reads `levels` (places 1, 2, ...; below 0: not still)."""
        self.tick(at)
        self.trace.see(at, levels)
        self._look(at)

    def press(self, at: float, key: wire.Key) -> None:
        """A button of the board went down."""
        self.tick(at)
        if isinstance(self._step, _Button):
            self._step.press(key)
        self._look(at)

    def stands(self, at: float) -> None:
        """The person says: it is as you asked (the piece stands there; nothing stands there; it is pressed)."""
        self.tick(at)
        if at >= self._said_at + SAID_AGAIN_SECONDS:
            self._said_at = at
            self._step.stands(at)
        self._look(at)

    def skip(self, at: float) -> None:
        """Pass over what is asked."""
        self.tick(at)
        self._step.skip()
        self._look(at)

    def back(self, at: float) -> None:
        """Ask for the square before once more, and forget what was seen there."""
        self.tick(at)
        if self._previous:
            place = self._previous.pop()
            self.known.tries.forget(place)
            self._masked.discard(place)
            self._barrier = at
            self._step = _Put(self, place, at, None)
        self._look(at)

    def broke_off(self, at: float, *, restarted: bool) -> None:
        """Nothing was read for a while: the board restarted, or events were lost. What is being tried is tried anew."""
        self.tick(at)
        self.known.restarts += restarted
        self.known.lost_events += not restarted
        self._step.begin_again(at)

    def tick(self, at: float) -> None:
        """Time passed."""
        while (due := self.deadline) is not None and due <= at:
            self._look(due)
        self._now = max(self._now, at)

    # What comes out.

    @property
    def deadline(self) -> float | None:
        """The time at which it wants a `tick`."""
        due = self._step.due(self._now)
        return None if due is None else max(due, self._now)

    @property
    def question(self) -> Question:
        return self._step.question(self._now)

    @property
    def done(self) -> bool:
        return isinstance(self._step, _Done)

    @property
    def left(self) -> tuple[int, ...]:
        """The places of which not enough is known yet."""
        return tuple(place for place in self.known.order if not self.known.tries.settled(place))

    # The steps' view.

    @property
    def barrier(self) -> float:
        return self._barrier

    @property
    def masked(self) -> frozenset[int]:
        """Places that read a piece all the time; nothing is asked of them."""
        return frozenset(self._masked)

    def others(self, *places: int) -> Iterable[tuple[int, float]]:
        """Where else a piece is read now, with since when."""
        for place in sorted(self.trace.occupied() - self._masked - set(places)):
            since = self.trace.since(place)
            if since is not None:
                yield place, since

    def emptied(self, places: Iterable[int]) -> None:
        """The person says that no piece stands on `places`, where one is read."""
        for place in places:
            self._empty[place] += 1
            if self._empty[place] >= TIMES:
                self._masked.add(place)
                self.known.tries.stick(place)

    def waited(self, seconds: float) -> bool:
        """Note how long a piece was waited for; whether that was far longer than usual."""
        known = self._waits
        slow = (
            len(known) >= SLOW_KNOWN
            and seconds > SLOW_SECONDS
            and seconds > SLOW_TIMES * median(known)
            and not self._any_order
        )
        if not slow:
            known.append(seconds)
        return slow

    # Going on.

    def _look(self, at: float) -> None:
        self._now = max(self._now, at)
        self._unmask(self._now)
        while (end := self._step.look(self._now)) is not None:
            self._barrier = end
            before = self._step
            if isinstance(before, _Put) and before.place and self.known.tries.settled(before.place):
                self._previous.append(before.place)
            self._step = self._next(self._now, before)

    def _unmask(self, at: float) -> None:
        """A place that was read all the time and is not any more can be empty after all: it is asked about again."""
        for place in self._masked - self.trace.occupied():
            gone = self.trace.gone_at(place)
            if gone is not None and at >= gone + GONE_SECONDS:
                self._masked.discard(place)
                self._empty.pop(place, None)
                self.known.tries.forget(place)

    def _next(self, at: float, before: _Step | None) -> _Step:
        left = self.left
        if left:
            if self._any_order and not (isinstance(before, _Put) and before.given_up):
                return _Put(self, 0, at, before)
            self._any_order = False
            place = before.place if isinstance(before, _Put) and before.place in left else left[0]
            return _Put(self, place, at, before)
        for key in self.known.buttons:
            if key not in self.known.pressed:
                return _Button(self, key, at)
        suspects = [place for place, during in self.known.came.items() if len(during) >= TIMES]
        if suspects and not self.known.restless:
            return _Still(self, suspects)
        ghost = self._next_ghost()
        if ghost is not None:
            return _Corners(self, ghost, at)
        self.known.finished = True
        return _Done()

    def _next_ghost(self) -> Ghost | None:
        ghosts = self.known.ghosts
        if ghosts and not ghosts[-1].tested:
            return ghosts[-1]
        if self.known.wiring.analogue:
            return None
        state = {place: self.known.tries.verdict(place).state for place in self.known.order}
        found = next_rectangle(self.known.wiring, state, ghosts, every=self.known.every_diode)
        if found is not None:
            ghosts.append(found)
        return found


class _Step:
    """Asks for one thing. `look` gives the time from which on the next question counts, once it is settled."""

    place = 0

    def look(self, at: float) -> float | None:
        return None

    def due(self, at: float) -> float | None:
        """The next time after `at` at which a look may see more although nothing has come in."""
        return None

    def question(self, at: float) -> Question:
        raise NotImplementedError

    def stands(self, at: float) -> None:
        """The person says that it is as asked."""

    def skip(self) -> None:
        """The person passes over it."""

    def begin_again(self, at: float) -> None:
        """Nothing was read for a while."""


class _Put(_Step):
    """A piece on `place`, or on any square (0) of which not enough is known."""

    def __init__(self, check: Check, place: int, at: float, before: _Step | None) -> None:
        self.place = place
        self.given_up = False
        """The person wants to be asked square by square."""
        self._check = check
        self._free = not place
        self._began = at
        self._again: Try | None = None
        if isinstance(before, _Put) and not check.known.tries.settled(before.place) and place in (0, before.place):
            self._again = before.result
        self.result: Try | None = None
        self._over = False
        self._said_at: float | None = None
        self._put: float | None = None
        """Since when the piece stands on its square, or (`_other`) on another one."""
        self._other = 0

    def look(self, at: float) -> float | None:
        if self._over:
            return at
        if self._put is None:
            self._wait(at)
        if self._put is None:
            if self._said_at is not None and at >= self._said_at + LATE_SECONDS:
                return self._end(Try(self.place, None), at)
            return at if self.place and self._check.known.tries.settled(self.place) else None
        return self._look_elsewhere(at) if self._other else self._look_here(self._put, at)

    def _wait(self, at: float) -> None:
        """Has a piece come?"""
        check = self._check
        found = [(since, place) for place, since in check.others() if since > check.barrier]
        if self._free:
            self._put, self.place = min(found, default=(None, 0))
            return
        for since, place in sorted(found):
            if place == self.place:
                self._put, self._other = since, 0
                return
        for since, place in sorted(found):
            if at >= max(since, self._began) + ELSEWHERE_SECONDS:
                self._put, self._other = since, place
                return

    def _look_here(self, put: float, at: float) -> float | None:
        trace, place = self._check.trace, self.place
        if place in self._check.masked:
            return at
        if trace.since(place) is not None:
            return None
        gone = trace.gone_at(place)
        if gone is None or at < gone + GONE_SECONDS:
            return None
        held = self._held_at(put, gone)
        return self._end(self._tried(put, gone, early=held is None), gone if held is None else held)

    def _look_elsewhere(self, at: float) -> float | None:
        trace, put = self._check.trace, self._put
        since = trace.since(self.place)
        if since is not None and since > self._check.barrier:
            self._put, self._other = since, 0  # the hand has put it right
            return self._look_here(since, at)
        gone = trace.gone_at(self._other)
        if trace.since(self._other) is not None or gone is None or at < gone + GONE_SECONDS or put is None:
            return None
        return self._end(Try(self.place, self._other, stood=gone - put), gone)

    def _held_at(self, put: float, until: float) -> float | None:
        """When the piece had stood long enough to be known, if it had by `until`."""
        for stay in self._check.trace.stays(self.place, put, until + GONE_SECONDS):
            held = max(put + HELD_SECONDS, stay.on + STILL_SECONDS)
            if held <= (until if stay.off is None else min(stay.off, until)):
                return held
        return put + RESTLESS_SECONDS if put + RESTLESS_SECONDS <= until else None

    def _tried(self, put: float, gone: float, *, early: bool) -> Try:
        check = self._check
        trace, place = check.trace, self.place
        stays = trace.stays(place, put, gone)
        gaps = [(one.off, two.on) for one, two in pairwise(stays) if one.off is not None]
        settled, leaving = put + PUT_SECONDS, gone - PUT_SECONDS
        waited, said = put - max(self._began, check.barrier), self._said_at
        together = frozenset(
            other
            for other in check.known.order
            if other not in check.masked and other != place and self._goes_with(other, put, gone)
        )
        if not early:
            self._note_blips(settled, leaving, together)
        return Try(
            place,
            place,
            waited=None if self._free else max(waited, 0.0),
            stood=gone - put,
            dropouts=tuple(on - off for off, on in gaps if off >= settled and on <= leaving),
            late=None if said is None or early or put < said + SAID_SECONDS else put - said,
            slow=not early and said is None and self._came_at_once(put) and check.waited(max(waited, 0.0)),
            restless=not early and trace.restless(place, put, gone),
            early=early,
            together=frozenset() if early else together,
        )

    def _came_at_once(self, put: float) -> bool:
        """Whether nothing else was read between the question and the piece: else the hand was elsewhere meanwhile."""
        check, began = self._check, max(self._began, self._check.barrier)
        places = check.known.order
        return not self._free and not any(check.trace.stays(p, began, put) for p in places if p not in check.masked)

    def _goes_with(self, other: int, put: float, gone: float) -> bool:
        """Whether `other` came and went with the piece."""
        stays = self._check.trace.stays(other, put - TOGETHER_SECONDS, gone + TOGETHER_SECONDS)
        if not stays or stays[-1].off is None:
            return False
        read = sum(min(stay.off or gone, gone) - max(stay.on, put) for stay in stays)
        return (
            abs(stays[0].on - put) <= TOGETHER_SECONDS
            and abs(stays[-1].off - gone) <= TOGETHER_SECONDS
            and read >= (gone - put) / 2
        )

    def _note_blips(self, start: float, end: float, together: frozenset[int]) -> None:
        check = self._check
        for other in check.known.order:
            if other == self.place or other in together:
                continue
            for stay in check.trace.stays(other, start, end):
                if stay.on >= start and stay.off is not None and stay.off - stay.on < BLIP_SECONDS:
                    check.known.came.setdefault(other, set()).add(self.place)

    def _end(self, tried: Try, barrier: float) -> float:
        self.result = tried
        self._check.known.tries.add(tried)
        return barrier

    def due(self, at: float) -> float | None:
        times = [self._began + NOTHING_SECONDS]
        if self._said_at is not None:
            times.append(self._said_at + LATE_SECONDS)
        if self._put is None:
            times += [max(since, self._began) + ELSEWHERE_SECONDS for _, since in self._check.others()]
        else:
            gone = self._check.trace.gone_at(self._other or self.place)
            since = self._check.trace.since(self._other or self.place)
            known = [self._put + HELD_SECONDS, self._put + RESTLESS_SECONDS]
            known += [] if since is None else [since + STILL_SECONDS]
            times += [*known, *(time + NOTHING_SECONDS for time in known)]
            times += [] if gone is None else [gone + GONE_SECONDS]
        return min((time for time in times if time > at), default=None)

    def question(self, at: float) -> Question:
        check, place = self._check, self.place
        again = self._why_again()
        nothing = at >= self._began + NOTHING_SECONDS
        if self._put is not None and self._other:
            return Question("other", place, self._other, again=again)
        if self._put is not None:
            held = self._held_at(self._put, at)
            stays = held is not None and at >= held + NOTHING_SECONDS
            return Question("hold" if held is None else "lift", place, nothing=stays)
        before = tuple(p for p, since in check.others() if since <= check.barrier)
        if before:
            return Question("clear", place, places=before, nothing=nothing)
        if self._free:
            return Question("free", again=again, nothing=nothing)
        return Question("put", place, again=again, nothing=nothing, said=self._said_at is not None)

    def _why_again(self) -> Literal["early", "unseen", "weak", "elsewhere", "together"] | None:
        if self._again is None:
            return None
        if self._again.early:
            return "early"
        return next((trouble for trouble, _ in self._again.troubles()), None)

    def stands(self, at: float) -> None:
        check = self._check
        if self._put is not None:
            if not self._other and self._held_at(self._put, at) is not None:
                check.emptied([self.place])
            return
        before = [place for place, since in check.others() if since <= check.barrier]
        if before:
            check.emptied(before)
        elif self._free:
            self.given_up = self._over = True
        elif self._said_at is None:
            self._said_at = at

    def skip(self) -> None:
        if self._free:
            self.given_up = True
        else:
            self._check.known.tries.skip(self.place)
        self._over = True

    def begin_again(self, at: float) -> None:
        self._put, self._other, self._said_at, self._began = None, 0, None, at
        if self._free:
            self.place = 0


class _Button(_Step):
    """A button of the board is to be pressed."""

    def __init__(self, check: Check, key: wire.Key, at: float) -> None:
        self._check = check
        self._key = key
        self._began = at
        self._counts: Counter[wire.Key | None] = Counter()
        self._found: str | None = None

    def press(self, key: wire.Key) -> None:
        self._counts[key] += 1
        if key == self._key:
            self._found = "good"
        elif self._counts[key] >= TIMES:
            self._found = key.name.lower()

    def look(self, at: float) -> float | None:
        if self._found is None:
            return None
        self._check.known.pressed[self._key] = self._found
        return at

    def due(self, at: float) -> float | None:
        due = self._began + NOTHING_SECONDS
        return due if due > at else None

    def question(self, at: float) -> Question:
        again: Literal["pressed"] | None = "pressed" if self._counts else None
        return Question("press", key=self._key, again=again, nothing=at >= self._began + NOTHING_SECONDS)

    def stands(self, at: float) -> None:
        self._counts[None] += 1
        if self._counts[None] >= TIMES:
            self._found = "dead"

    def skip(self) -> None:
        self._found = "skipped"


class _Still(_Step):
    """Nobody touches the board: do the suspects read a piece by themselves?"""

    def __init__(self, check: Check, suspects: Sequence[int]) -> None:
        self._check = check
        self._suspects = suspects
        self._since: float | None = None
        self._skipped = False

    def look(self, at: float) -> float | None:
        if self._since is None:
            if list(self._check.others(*self._suspects)):
                return None
            self._since = at
        if at < self._since + STILL_BOARD_SECONDS and not self._skipped:
            return None
        self._check.known.restless |= {place: self._count(place, self._since, at) for place in self._suspects}
        return at

    def _count(self, place: int, since: float, at: float) -> int:
        return sum(stay.on > since for stay in self._check.trace.stays(place, since, at))

    def due(self, at: float) -> float | None:
        due = at if self._since is None else self._since + STILL_BOARD_SECONDS
        return due if due > at else None

    def question(self, at: float) -> Question:
        pieces = tuple(place for place, _ in self._check.others(*self._suspects))
        return Question("off", places=pieces) if pieces and self._since is None else Question("still")

    def skip(self) -> None:
        self._skipped = True


class _Corners(_Step):
    """Pieces on three corners of a rectangle: is the fourth read too?"""

    def __init__(self, check: Check, ghost: Ghost, at: float) -> None:
        self._check = check
        self._ghost = ghost
        self._began = at
        dead = check.known.tries.verdict(ghost.diode).state == "dead"
        self._read = ghost.corners[1:] if dead else ghost.corners
        """The corners that the board can see."""
        self._dead = dead
        self._said = False
        self._skipped = False
        self._seen = False

    def look(self, at: float) -> float | None:
        check, ghost = self._check, self._ghost
        if self._skipped:
            ghost.tested = ghost.skipped = True
            ghost.times = 0
            return at
        occupied = check.trace.occupied()
        if self._seen:
            if occupied & {ghost.place, *ghost.corners} - check.masked:
                return None
            ghost.tested = ghost.times == 0 or ghost.times >= TIMES
            return at
        since = self._stands_since()
        if since is None or at < since + CORNERS_SECONDS:
            return None
        came = check.trace.since(ghost.place)
        if came is not None and came >= since - TOGETHER_SECONDS:
            ghost.times += 1
            self._seen = True
        elif came is None and (self._said or not self._dead):
            ghost.times = 0
            self._seen = True
            if check.known.every_diode:
                ghost.tested = True
                return at  # the next one needs two of these pieces where they are
        return self.look(at) if self._seen else None

    def _stands_since(self) -> float | None:
        """Since when all corners that can be read are."""
        times = [self._check.trace.since(place) for place in self._read]
        known = [time for time in times if time is not None]
        return max(known) if len(known) == len(times) else None

    def due(self, at: float) -> float | None:
        since = self._stands_since()
        times = [self._began + NOTHING_SECONDS, *([] if since is None else [since + CORNERS_SECONDS])]
        return min((time for time in times if time > at), default=None)

    def question(self, at: float) -> Question:
        ghost = self._ghost
        if self._seen:
            return Question("off", places=ghost.corners)
        nothing = at >= self._began + NOTHING_SECONDS
        return Question("corners", ghost.place, places=ghost.corners, nothing=nothing or self._dead)

    def stands(self, at: float) -> None:
        self._said = self._stands_since() is not None

    def skip(self) -> None:
        self._skipped = True


class _Done(_Step):
    def question(self, at: float) -> Question:
        return Question("done")
