"""How a reader follows a stream: what was seen is dropped, a hole is noticed and asked for, events become a record.

At-least-once delivery sends some events twice, and a broker that dies may lose some. A stream counts its events from 1
without holes, so a reader needs only the last number it has: lower ones are repetitions, a higher one than the next
shows a hole. What came behind a hole is kept until the hole is closed, so that events always come out in their order,
once each. The retained state says up to which number it goes, which shows a hole at the very end.

    follower = Follower()
    step = follower.take(envelope)      # live, or from an answer
    if step.restarted: record = Record()
    for envelope in step.events: record = fold(record, envelope)
    if step.ask is not None: publish a request for what came after step.ask; when its answer is
        complete, or was waited for in vain, follower.hole says what to ask for then
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from damas_board.messages.envelope import Envelope, object_of


class StreamError(ValueError):
    """An event that cannot follow what came before it: the stream breaks its contract."""


@dataclass(frozen=True, slots=True)
class Since:
    """What to ask for: all events of `epoch` after `seq`."""

    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class Step:
    events: tuple[Envelope, ...] = ()
    """Those that are next, in order, none twice."""
    ask: Since | None = None
    """Set when a hole was noticed; not again before it is closed: the answer may be on its way."""
    restarted: bool = False
    """The stream began again in a newer epoch: what was folded so far is void."""


class Follower:
    """One stream as one reader has it. `kept` bounds what is held back behind a hole; beyond it, the newest is let go
    (it comes again with the answer)."""

    def __init__(self, *, kept: int = 10_000) -> None:
        self._kept = kept
        self._epoch: int | None = None
        self._seq = 0
        self._known = 0
        self._asked = False
        self._ahead: dict[int, Envelope] = {}

    @property
    def epoch(self) -> int | None:
        return self._epoch

    @property
    def seq(self) -> int:
        """The last number that came out in order; 0 before the first."""
        return self._seq

    @property
    def hole(self) -> Since | None:
        """What is known to be missing, None where nothing is."""
        if self._epoch is None or self._known <= self._seq:
            return None
        return Since(self._epoch, self._seq)

    def resume(self, epoch: int, seq: int) -> None:
        """Go on behind `seq`, which the reader knows otherwise: from its own store, or from a retained state."""
        self._begin(epoch)
        self._seq = self._known = seq

    def noticed(self, epoch: int, seq: int) -> Step:
        """A retained state or another reader says that the stream has come to `seq`."""
        if self._epoch is not None and epoch < self._epoch:
            return Step()
        restarted = self._enter(epoch)
        self._known = max(self._known, seq)
        return Step((), self._new_hole(), restarted)

    def take(self, envelope: Envelope) -> Step:
        """One event, live or from an answer. StreamError where it is of no stream."""
        if envelope.epoch is None or envelope.seq is None:
            raise StreamError('an event of a stream needs "epoch" and "seq"')
        if self._epoch is not None and envelope.epoch < self._epoch:
            return Step()
        restarted = self._enter(envelope.epoch)
        self._known = max(self._known, envelope.seq)
        if envelope.seq > self._seq and (len(self._ahead) < self._kept or envelope.seq == self._seq + 1):
            self._ahead[envelope.seq] = envelope
        events = []
        while (following := self._ahead.pop(self._seq + 1, None)) is not None:
            events.append(following)
            self._seq += 1
        return Step(tuple(events), self._new_hole(), restarted)

    def _enter(self, epoch: int) -> bool:
        if epoch == self._epoch:
            return False
        restarted = self._epoch is not None
        self._begin(epoch)
        return restarted

    def _begin(self, epoch: int) -> None:
        self._epoch = epoch
        self._seq = self._known = 0
        self._asked = False
        self._ahead.clear()

    def _new_hole(self) -> Since | None:
        hole = self.hole
        new = hole if not self._asked else None
        self._asked = hole is not None
        return new


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of the record: the keys of `move` or of its last `move_revised`."""

    ply: int
    side: str
    move: str
    fen: str
    irregular: bool
    confirmed: bool
    body: Mapping[str, Any]
    clock: Clocks | None = None
    """What the clock showed when it was told, or when its player pressed the lever; None where there was none."""
    broken: bool = False
    """It is irregular as it was played, and not only because the arbiter set up another position behind it."""
    was_broken: bool = False
    """The same of what its last revision replaced: a position that is set up revises the ply it stands behind."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What each side had left, in seconds, and whose time ran."""

    white: float
    black: float
    running: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """A game as its events tell it; `board`, `clock` and `over` are the newest event of that name.

    After the end it is the game as it ended, until the arbiter takes the end back.
    """

    game: str | None = None
    regulation: str | None = None
    start: str | None = None
    players: Mapping[str, Any] | None = None
    plies: tuple[Ply, ...] = ()
    revision: int = 0
    board: Mapping[str, Any] | None = None
    clock: Mapping[str, Any] | None = None
    over: Mapping[str, Any] | None = None
    alerts: tuple[Mapping[str, Any], ...] = ()
    """The events of the alerts that are open, in the order in which they were raised."""
    settled: tuple[Mapping[str, Any], ...] = ()
    """The events of the alerts that were closed with the ply as it was played: it stands, or nothing was wrong. Those
    of a ply that was taken back are not of the one that is played in its place. One that the arbiter closed as put
    right is among them, with the key `by_word`, as long as the ply is as it was."""
    held: bool = False
    """The game is kept from the public for now."""
    round: str | None = None
    table: str | None = None
    match: str | None = None
    time_control: str | None = None
    """PDN TimeControl text."""
    opening: str | None = None
    """The first plies that were drawn."""

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def fen(self) -> str | None:
        """After the last ply, the start position before the first."""
        return self.plies[-1].fen if self.plies else self.start

    @property
    def open_alerts(self) -> tuple[dict[str, Any], ...]:
        """As the retained state shows them: who wants more of the evidence than the reason asks for it."""
        return tuple({key: alert.get(key) for key in _SHOWN} | _reason(alert) for alert in self.alerts)


def _reason(alert: Mapping[str, Any]) -> dict[str, Any]:
    reason = alert.get("evidence", {}).get("reason")
    return {} if reason is None else {"reason": reason}


_NAMED = ("game", "players", "round", "table", "match", "time_control", "opening")
"""What the start of a game says of it, where it says so."""
_AS_PLAYED = ("stands", "dismissed")
_BY_WORD = "by_word"
_SHOWN = ("id", "at", "kind", "severity", "side", "squares", "ply", "article", "decides", "until", "consequence")


def fold(record: Record, envelope: Envelope) -> Record:
    """The record after one event of the stream; as `fold_event`."""
    return fold_event(record, object_of(envelope))


def fold_event(record: Record, event: Mapping[str, Any]) -> Record:
    """The record after one event's object. StreamError where the event cannot follow.

    Events that change no record (lifts, claims, answers) leave it as it is, and so do those of a later version.
    """
    try:
        return _fold(record, event)
    except (KeyError, TypeError) as error:
        raise StreamError(f'the event "{event.get("event")}" lacks or mistakes {error}') from error


def _fold(record: Record, event: Mapping[str, Any]) -> Record:
    match event["event"]:
        case "game_started":
            named: dict[str, Any] = {key: event.get(key) for key in _NAMED}
            return replace(record, regulation=event["regulation"], start=event["fen"], **named)
        case "move":
            if event["ply"] != len(record.plies) + 1:
                raise StreamError(f"ply {event['ply']} cannot follow ply {len(record.plies)}")
            ply = replace(_ply(event), clock=_shown(record.clock, event["at"]) if record.clock else None)
            return replace(record, plies=(*record.plies, ply), revision=event["revision"])
        case "move_revised":
            was = _existing(record, event["ply"])
            ply = replace(_ply(event), clock=was.clock, was_broken=was.broken)
            plies = _changed(record, event["ply"], ply)
            settled = tuple(a for a in record.settled if not (a.get(_BY_WORD) and a["ply"] == event["ply"]))
            return replace(record, plies=plies, settled=settled, revision=event["revision"])
        case "move_confirmed":
            ply = _existing(record, event["ply"])
            plies = _changed(record, event["ply"], replace(ply, confirmed=True))
            return replace(record, plies=plies, revision=event["revision"])
        case "moves_retracted":
            _existing(record, event["from_ply"])
            settled = tuple(alert for alert in record.settled if alert.get("ply", 0) < event["from_ply"])
            plies = record.plies[: event["from_ply"] - 1]
            return replace(record, plies=plies, settled=settled, revision=event["revision"])
        case "game_over":
            return replace(record, over=dict(event), revision=event["revision"])
        case "game_reopened":
            return replace(record, over=None, revision=event["revision"])
        case "position_set":
            return replace(_set_up(record, event["ply"], event["fen"]), revision=event["revision"])
        case "alert":
            return replace(record, alerts=_with(record, event["id"], event))
        case "alert_closed":
            closed = tuple(alert for alert in record.alerts if alert["id"] == event["id"])
            settled = closed if event["how"] in _AS_PLAYED else _by_word(record, closed)
            return replace(record, alerts=_without(record, event["id"]), settled=(*record.settled, *settled))
        case "publication":
            return replace(record, held=bool(event["held"]))
        case "board":
            return replace(record, board=dict(event))
        case "clock":
            return replace(record, clock=dict(event), plies=_pressed(record, event))
        case _:
            return record


def _ply(event: Mapping[str, Any]) -> Ply:
    return Ply(
        event["ply"],
        event["side"],
        event["move"],
        event["fen"],
        bool(event.get("irregular")),
        not event.get("provisional", True),
        dict(event),
        broken=bool(event.get("irregular")),
        was_broken=bool(event.get("irregular")),
    )


def _shown(clock: Mapping[str, Any], at: float) -> Clocks:
    """What a clock that told `clock` shows at `at`: the running side's time has gone on."""
    gone = 0.0 if clock.get("stale") else max(0.0, at - clock["at"])
    left = {side: clock[side] - (gone if clock["running"] == side else 0.0) for side in ("white", "black")}
    return Clocks(round(max(0.0, left["white"]), 3), round(max(0.0, left["black"]), 3), clock["running"])


def _pressed(record: Record, clock: Mapping[str, Any]) -> tuple[Ply, ...]:
    """The plies when the clock tells `clock`: whoever made the last one may have pressed the lever only now."""
    if not record.plies or record.plies[-1].clock is None:
        return record.plies
    last = record.plies[-1]
    pressed = record.plies[-1].clock.running in (None, last.side) and clock["running"] not in (None, last.side)
    return (*record.plies[:-1], replace(last, clock=_shown(clock, clock["at"]))) if pressed else record.plies


def _set_up(record: Record, ply: int, fen: str) -> Record:
    """The arbiter has set up another position behind the last ply, or to begin from."""
    if ply != len(record.plies):
        raise StreamError(f"a position cannot be set up behind ply {ply} of {len(record.plies)}")
    if record.regulation is None:
        return record  # it has not begun, and will say from where
    if not record.plies:
        return replace(record, start=fen)
    last = record.plies[-1]
    return replace(record, plies=_changed(record, ply, replace(last, fen=fen, broken=last.was_broken)))


def _with(record: Record, id_: str, alert: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    if any(known["id"] == id_ for known in record.alerts):
        raise StreamError(f"the alert {id_} is open already")
    return (*record.alerts, dict(alert))


def _without(record: Record, id_: str) -> tuple[Mapping[str, Any], ...]:
    left = tuple(alert for alert in record.alerts if alert["id"] != id_)
    if len(left) == len(record.alerts):
        raise StreamError(f"there is no open alert {id_}")
    return left


def _by_word(record: Record, closed: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], ...]:
    """Those that were put right by word only: their ply is in the record as it was played. Marked, until it changes."""
    plies = {ply.ply: ply for ply in record.plies if ply.irregular}
    still = [alert for alert in closed if alert.get("ply") in plies]
    return tuple({**alert, _BY_WORD: True} for alert in still if _of_what_stands(alert, plies[alert["ply"]]))


def _of_what_stands(alert: Mapping[str, Any], ply: Ply) -> bool:
    """Whether the alert was raised about the ply as it is now, or was before a position was set up behind it."""
    return bool(ply.body.get("basis") == "entered" or alert["at"] >= ply.body["at"])


def _existing(record: Record, ply: int) -> Ply:
    if not 1 <= ply <= len(record.plies):
        raise StreamError(f"there is no ply {ply}; the record has {len(record.plies)}")
    return record.plies[ply - 1]


def _changed(record: Record, number: int, ply: Ply) -> tuple[Ply, ...]:
    _existing(record, number)
    return (*record.plies[: number - 1], ply, *record.plies[number:])
