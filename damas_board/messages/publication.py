"""From the hall's stream of a game to its public copy: late, filtered, and never taken back but by a correction; pure.

Up to the *cut*, which is `delay` ago and only ever goes on, a `PublicCopy` folds the hall's events to the record that
may be seen. Behind the cut wait those that are known but too young, and they are looked through: a ply that one of them
revises or takes back is not shown, nor anything after it, until that correction is itself due. So the public sees what
is at least `delay` old, in its corrected form, and as a correction only what was corrected later than that.

What is published is the difference between the record that may be seen and the one that was published before. That is
why neither a changed delay nor an event that comes twice, a new start or a new epoch of the hall's stream shows a ply
again or takes one back that still holds. Where a new epoch knows less than was published (a journal was restored from
an old copy), what was published stays until the hall's record says otherwise.

An irregular ply, with what follows it, is nobody's but the arbiter's until it was let stand: by the opponent's reply
where the regulation leaves it to the opponent, by the arbiter, or by the end of the game.

Times are the caller's, in seconds on any one scale that does not go back: when an event was certainly there already,
and until when the hall's stream is known. Nothing is published beyond that: what was not heard may be a correction.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any

from damas_board.messages.envelope import Envelope, object_of
from damas_board.messages.names import public_person
from damas_board.messages.shown import record_state
from damas_board.messages.stream import Ply, Record, StreamError, fold_event

SIDES = ("white", "black")
_MOVE = (
    *("event", "at", "ply", "side", "move", "from", "to", "path", "captured", "promoted", "fen", "provisional"),
    *("irregular", "basis", "down", "seconds", "revision"),
)
PUBLIC_KEYS: Mapping[str, tuple[str, ...]] = {
    "game_started": (
        *("event", "at", "game", "regulation", "fen", "players", "round", "table", "match", "time_control", "opening"),
    ),
    "move": _MOVE,
    "move_revised": (*_MOVE, "was"),
    "move_confirmed": ("event", "at", "ply", "revision"),
    "moves_retracted": ("event", "at", "from_ply", "reason", "revision", "fen"),
    "game_over": ("event", "at", "winner", "result", "reason", "article", "ply", "revision"),
    "game_reopened": ("event", "at", "by", "revision"),
    "position_set": ("event", "at", "fen", "ply", "by", "revision"),
    "clock": ("event", "at", "white", "black", "running", "stale"),
}
"""All that is ever public of a game: these events, and these of their keys."""
_JUDGED = (
    *("missed_capture", "short_capture", "low_value_capture", "wrong_side", "opponent_piece_moved", "illegal_move"),
    *("left_on_board", "removed_wrongly", "wrong_orientation"),
)
"""The kinds of alert that say what is irregular about a ply."""
_NUMBER = (int, float)
_PLAYED = {"at": _NUMBER, "ply": int, "side": str, "move": str, "fen": str, "revision": int}
_FOLDED: Mapping[str, Mapping[str, Any]] = {
    "game_started": {"at": _NUMBER, "regulation": str, "fen": str, "time_control": (str, NoneType)},
    "move": _PLAYED,
    "move_revised": {**_PLAYED, "was": str},
    "move_confirmed": {"at": _NUMBER, "ply": int},
    "moves_retracted": {"at": _NUMBER, "from_ply": int, "fen": (str, NoneType), "revision": int},
    "game_over": {"at": _NUMBER, "winner": str, "result": str, "revision": int},
    "game_reopened": {"at": _NUMBER, "revision": int},
    "position_set": {"at": _NUMBER, "fen": str, "ply": int, "revision": int},
    "clock": {"at": _NUMBER},
    "alert": {"at": _NUMBER, "id": str, "kind": str, "ply": int},
    "alert_closed": {"at": _NUMBER, "id": str, "how": str},
}
"""What is read of the events that are folded, and of which types: what is public is never taken out again, so what is
not as it has to be is refused before."""


class HoleError(StreamError):
    """An event came before those that are in front of it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a game is published: how late, seconds; whether it is kept back; whether its clocks are shown."""

    delay: float = 0.0
    hold: bool = False
    clocks: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """How far the hall's stream was published."""

    epoch: int
    seq: int


def public_players(players: Mapping[str, Any] | None, paired: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the public is told of both players, by side; `paired` is what the pairing adds to the game's own word.

    Of who is under age and has no public name, nothing.
    """
    sources = [source for source in (players, paired) if isinstance(source, Mapping)]
    found = {side: public_person(*(source.get(side) for source in sources)) for side in SIDES}
    return {side: person for side, person in found.items() if person is not None}


def public_state(copy: PublicCopy) -> dict[str, Any]:
    """What `public/game/{g}/state` says of a game that is public, beside the envelope; without what only the hub that
    publishes knows (`PublicGame`)."""
    return {"at": copy.newest["at"], **record_state(copy.record)}


class PublicCopy:
    """One game as one public has it. `published` are the events that were published before, in their order."""

    def __init__(self, published: Iterable[Mapping[str, Any]] = (), place: Place | None = None) -> None:
        self.record = Record()
        """What is public."""
        self.started: Mapping[str, Any] = {}
        """The public `game_started`."""
        self.newest: Mapping[str, Any] = {}
        """The newest public event."""
        self._hall = Record()
        self._begun: Mapping[str, Any] = {}
        self._known = place
        self._epoch: int | None = None
        self._folded = self._taken = 0
        self._complete = False
        """All that the stream had when it began here is known."""
        self._whole: int | None = None
        """Up to which number the stream has to be folded before it says as much as was published already."""
        self._floor = 0
        """So much was public when the hall's stream began again, plies and end; it holds until contradicted."""
        self._judged: set[int] = set()
        """The plies of which it was decided that they stand, whatever was irregular about them."""
        self._held = self._ended = False
        self._cut = -math.inf
        self._waiting: deque[tuple[float, int, Mapping[str, Any] | None]] = deque()
        self.due: float | None = None
        """When the newest public event became due; None for one that was public before this began."""
        self._now: Mapping[str, Any] = {}
        """The newest event that was folded."""
        self._there = -math.inf
        """When that one was certainly there."""
        for event in published:
            self._publish(event)

    @property
    def place(self) -> Place | None:
        """How far the hall's stream was read when it was last compared with what is public."""
        ready = self._epoch is not None and self._complete and self._compared
        return Place(self._epoch or 0, self._folded) if ready else self._known

    @property
    def held(self) -> bool:
        """The newest that the hall said about it, however young."""
        return self._held

    @property
    def ended(self) -> bool:
        """Whether the game is over by the newest that the hall said about it, however young."""
        return self._ended

    @property
    def waiting(self) -> bool:
        """Whether something is known that is too young."""
        return bool(self._waiting)

    @property
    def first(self) -> Mapping[str, Any]:
        """The hall's `game_started` as far as it may be seen now; empty before."""
        return self._begun

    def take(self, envelope: Envelope, at: float) -> None:
        """The next event of the hall's stream; one that was taken already is passed over.

        HoleError where events are missing in front of it, StreamError for what is no event.
        """
        if envelope.epoch is None or envelope.seq is None:
            raise StreamError('an event of a stream needs "epoch" and "seq"')
        if self._epoch is not None and envelope.epoch < self._epoch:
            return
        if envelope.epoch != self._epoch:
            self._begin(envelope.epoch)
        if envelope.seq <= self._taken:
            return
        if envelope.seq != self._taken + 1:
            raise HoleError(f"event {envelope.seq} cannot follow event {self._taken}")
        event = object_of(envelope)
        if not isinstance(event.get("event"), str):
            raise StreamError(f"event {envelope.seq} has no name")
        for key, kinds in _FOLDED.get(event["event"], {}).items():
            if not isinstance(event.get(key), kinds):
                raise StreamError(f"event {envelope.seq} ({event['event']}): {key} cannot be {event.get(key)!r}"[:200])
        self._taken = envelope.seq
        if event["event"] == "publication":
            self._held = bool(event.get("held"))
        elif event["event"] in ("game_over", "game_reopened"):
            self._ended = event["event"] == "game_over"
        self._waiting.append((at, envelope.seq, event if event["event"] in _FOLDED else None))

    def caught_up(self) -> None:
        """Everything that the hall's stream had when it began here has been taken: it may be compared."""
        if self._epoch is not None:
            self._complete = True
            self._whole = self._taken if self._whole is None else self._whole

    def publish(self, now: float, terms: Terms, paired: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """The events to publish next, which count as published then; each with the hall's `ts` beside its keys.

        `now` is no later than the moment until which all that the stream told is known here.
        `paired`: the players as the round's pairing has them. StreamError where an event is not as it has to be.
        """
        try:
            return self._due(now, terms, paired)
        except (KeyError, TypeError, AttributeError) as error:
            raise StreamError(f"up to event {self._folded} one is not as it has to be: {error!r}") from error

    def _due(self, now: float, terms: Terms, paired: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        self._cut = max(self._cut, now - terms.delay)
        self._advance()
        if terms.hold or self._held or not self._complete or not self._compared:
            return []
        events = [_filtered(event) for event in self._difference(terms, paired)]
        for event in events:
            self._publish(event)
        if events:
            self.due = self._there - max(0.0, self._now["at"] - self.newest["at"]) + terms.delay
        return events

    def name(self, players: Mapping[str, Any]) -> None:
        """The players are public as these from now on, whatever was public of them before."""
        named = dict(players) or None
        self.record, self.started = replace(self.record, players=named), {**self.started, "players": named}

    # the hall's stream

    def _begin(self, epoch: int) -> None:
        self._known = self.place
        again = self._known is not None and self._known.epoch == epoch and self._epoch is None
        self._epoch = epoch
        self._folded = self._taken = 0
        self._complete = False
        self._whole = self._known.seq if again and self._known is not None else None if self.record.start else 0
        self._floor = 0 if again else _length(self.record)
        self._hall, self._begun, self._judged = Record(), {}, set()
        self._held = self._ended = False
        self._waiting.clear()

    def _advance(self) -> None:
        known = self._known.seq if self._known is not None and self._known.epoch == self._epoch else 0
        while self._waiting and (self._waiting[0][0] <= self._cut or self._waiting[0][1] <= known):
            there, self._folded, event = self._waiting.popleft()
            if event is None:
                continue
            self._judge(event)
            self._hall, self._now, self._there = fold_event(self._hall, event), event, there
            if event["event"] == "game_started":
                self._begun = event
            if event["event"] == "moves_retracted" and self._compared:
                self._floor = min(self._floor, event["from_ply"] - 1)
            if self._floor and self._known_to_hall():
                self._floor = 0  # whatever becomes of it now, the hall has had it

    def _judge(self, event: Mapping[str, Any]) -> None:
        if event["event"] == "alert_closed" and event["how"] in ("stands", "dismissed"):
            about = (alert for alert in self._hall.alerts if alert["id"] == event["id"])
            self._judged |= {alert["ply"] for alert in about if alert["kind"] in _JUDGED}
        elif event["event"] == "move_revised" and event["was"] != event["move"]:
            self._judged.discard(event["ply"])  # what stood was another ply
        elif event["event"] == "moves_retracted":
            self._judged = {ply for ply in self._judged if ply < event["from_ply"]}

    def _known_to_hall(self) -> bool:
        """Whether the hall's record has all that is public, or has ended."""
        public, hall = self.record, self._hall
        everything = public.over is None and _common(public.plies, hall.plies) == len(public.plies)
        return hall.over is not None or everything

    @property
    def _compared(self) -> bool:
        """Whether what is folded says as much as was published already."""
        return self._whole is not None and self._folded >= self._whole

    def _coming(self) -> tuple[float, bool]:
        """Of what is too young: the first ply that it corrects (0: the start), and whether it changes the end."""
        first, end = math.inf, False
        for event in (event for _, _, event in self._waiting if event is not None):
            match str(event["event"]):
                case "move_revised" | "position_set":
                    first = min(first, event["ply"])
                case "moves_retracted":
                    first = min(first, event["from_ply"])
                case "game_started":
                    first = 0
                case "game_over" | "game_reopened":
                    end = True
                case _:
                    pass
        return first, end

    def _unjudged(self) -> int:
        """The first ply that is irregular and was not let stand; one more than there are where there is none."""
        hall = self._hall
        set_up = max((ply.ply for ply in hall.plies if _is_set_up(ply)), default=0)
        for ply in hall.plies if hall.over is None else ():
            if (
                ply.irregular
                and ply.ply > set_up
                and ply.ply not in self._judged
                and ply.body.get("basis") != "entered"
            ):
                return ply.ply
        return len(hall.plies) + 1

    # what is public

    def _publish(self, event: Mapping[str, Any]) -> None:
        self.record, self.newest = fold_event(self.record, event), event
        if event["event"] == "game_started":
            self.started = event

    def _difference(self, terms: Terms, paired: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
        hall, public = self._hall, self.record
        if hall.start is None:
            return
        corrected, end = self._coming()
        restarts = public.start is not None and public.start != hall.start
        if corrected == 0 and (public.start is None or restarts):
            return
        common = 0 if restarts else _common(public.plies, hall.plies)
        unjudged = self._unjudged()
        replaced = common < min(len(public.plies), len(hall.plies))
        if replaced and corrected <= common + 1:
            return  # what a public ply is replaced by will itself be corrected
        if common == len(hall.plies) and _length(hall) < self._floor:
            return
        shown = max(common, int(min(len(hall.plies), corrected - 1, unjudged - 1)))
        yield from self._steps(common, shown, restarts, paired, clocks=terms.clocks, end=end)

    def _steps(
        self, common: int, shown: int, restarts: bool, paired: Mapping[str, Any] | None, *, clocks: bool, end: bool
    ) -> Iterator[dict[str, Any]]:
        """From what is public to the hall's record of `shown` plies, `common` of which are public already."""
        hall, public = self._hall, self.record
        whole = shown == len(hall.plies)
        now = {"at": self._now["at"], "ts": self._now["ts"]}
        numbers = _Revisions(public.revision, hall.revision)
        if public.start is None:
            yield {**self._begun, "fen": self._hall.start, "players": public_players(hall.players, paired) or None}
        same_end = public.over is not None and _same_end(public.over, hall.over)
        if public.over is not None and not (same_end and common == shown == len(public.plies)):
            yield {"event": "game_reopened", **now, "by": None, "revision": numbers.newest()}
            same_end = False
        yield from self._corrections(common, shown, restarts, now, numbers)
        for had, has in zip(public.plies[:common], hall.plies, strict=False):
            if has.confirmed and not had.confirmed:
                yield _confirmed(has, now, numbers)
        told = -math.inf if public.clock is None else public.clock["at"]
        for ply in hall.plies[common + self._replaced(common, shown) : shown]:
            told = max(told, ply.body["at"]) if ply.clock is not None else told
            yield from _played(ply, numbers, now, clocks=clocks)
        if whole and hall.over is not None and not same_end and not end:
            yield {**hall.over, "revision": numbers.newest()}
        newer = clocks and whole and hall.clock is not None and hall.clock["at"] > told
        if newer and hall.clock is not None and not _same_clock(public.clock, hall.clock):
            yield dict(hall.clock)

    def _replaced(self, common: int, shown: int) -> int:
        """1 where the first ply that differs is told as another reading of the same turn."""
        if not common < min(shown, len(self.record.plies)):
            return 0
        had, has = self.record.plies[common], self._hall.plies[common]
        return int(_told(had) == _told(has) or (has.body["event"] == "move_revised" and had.side == has.side))

    def _corrections(
        self, common: int, shown: int, restarts: bool, now: Mapping[str, Any], numbers: _Revisions
    ) -> Iterator[dict[str, Any]]:
        """What of the public plies does not hold any more."""
        hall, public = self._hall, self.record
        replaced = self._replaced(common, shown)
        kept = common + replaced
        if len(public.plies) > kept:
            fen = public.plies[kept - 1].fen if kept else hall.start if restarts else public.start
            retracted = {"from_ply": kept + 1, "reason": "corrected", "fen": fen}
            yield {"event": "moves_retracted", **now, **retracted, "revision": numbers.newest()}
        if restarts:
            set_up = {"fen": hall.start, "ply": 0, "by": None}
            yield {"event": "position_set", **now, **set_up, "revision": numbers.newest()}
        if replaced:
            had, has = public.plies[common], hall.plies[common]
            if _told(had) != _told(has) or (_is_set_up(had) and not _is_set_up(has)):
                yield {**_move(has), "event": "move_revised", "was": had.move, "revision": numbers.of(has)}
            elif has.confirmed and not had.confirmed:
                yield _confirmed(has, now, numbers)
            if _is_set_up(has):
                yield _set_up(has, now, numbers)


class _Revisions:
    """Numbers for events that are published together: they never go back, and end at the hall's."""

    def __init__(self, public: int, hall: int) -> None:
        self._last = public
        self._hall = hall

    def same(self) -> int:
        return self._last

    def newest(self) -> int:
        self._last = max(self._last, self._hall)
        return self._last

    def of(self, ply: Ply) -> int:
        self._last = max(self._last, ply.body["revision"])
        return self._last


def _filtered(event: Mapping[str, Any]) -> dict[str, Any]:
    """What of an event the public may read, and its `ts`."""
    return {key: event[key] for key in ("ts", *PUBLIC_KEYS[event["event"]]) if key in event}


def _played(ply: Ply, numbers: _Revisions, now: Mapping[str, Any], *, clocks: bool) -> Iterator[dict[str, Any]]:
    """A ply that was not public: what the clock showed, the move, and what the arbiter set up behind it."""
    when = {"at": ply.body["at"], "ts": ply.body["ts"]}
    if clocks and ply.clock is not None:
        shown = {"white": ply.clock.white, "black": ply.clock.black, "running": ply.clock.running, "stale": False}
        yield {"event": "clock", **when, **shown}
    yield {**_move(ply), "event": "move", "revision": numbers.of(ply)}
    if _is_set_up(ply):
        yield _set_up(ply, now, numbers)


def _move(ply: Ply) -> dict[str, Any]:
    return {**ply.body, "provisional": not ply.confirmed}


def _set_up(ply: Ply, when: Mapping[str, Any], numbers: _Revisions) -> dict[str, Any]:
    return {"event": "position_set", **when, "fen": ply.fen, "ply": ply.ply, "by": None, "revision": numbers.newest()}


def _confirmed(ply: Ply, when: Mapping[str, Any], numbers: _Revisions) -> dict[str, Any]:
    return {"event": "move_confirmed", **when, "ply": ply.ply, "revision": numbers.same()}


def _is_set_up(ply: Ply) -> bool:
    """Whether the arbiter set up another position behind it than the one it led to."""
    return bool(ply.fen != ply.body["fen"])


def _told(ply: Ply) -> tuple[Any, ...]:
    return ply.side, ply.move, ply.body["fen"], ply.irregular


def _common(public: tuple[Ply, ...], hall: tuple[Ply, ...]) -> int:
    """How many plies, from the first, are the same in both."""
    for number, (had, has) in enumerate(zip(public, hall, strict=False)):
        if _told(had) != _told(has) or had.fen != has.fen:
            return number
    return min(len(public), len(hall))


def _length(record: Record) -> int:
    return len(record.plies) + (record.over is not None)


def _same_end(one: Mapping[str, Any], other: Mapping[str, Any] | None) -> bool:
    return other is not None and all(one.get(key) == other.get(key) for key in ("winner", "result", "reason", "ply"))


def _same_clock(one: Mapping[str, Any] | None, other: Mapping[str, Any]) -> bool:
    keys = ("white", "black", "running", "stale")
    return one is not None and all(one.get(key) == other.get(key) for key in keys)
