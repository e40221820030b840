"""A game as the console shows it, folded from its stream: its record, its alerts and how they ended, its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from damas_board.messages.envelope import KEYS, Envelope, object_of
from damas_board.messages.stream import Record, fold_event

_ENVELOPE = frozenset({*KEYS, "event"}) - {"ts"}
"""What of an event's object says nothing more to who looks at its game."""


@dataclass(slots=True)
class HallGame:
    """A game of the hall after the event `seq` of `epoch`."""

    game: str
    epoch: int = 0
    seq: int = 0
    record: Record = field(default_factory=Record)
    board: str | None = None
    settled: tuple[Mapping[str, Any], ...] = ()
    """The alerts that were closed, with `how`, and `closed`, when that was; without the trail of their evidence."""
    claims: tuple[Mapping[str, Any], ...] = ()
    """The newest of each rule and side, with the `ply` behind which it was made; those taken back are gone."""
    clock_at: float | None = None
    """When the clock showed what it told last, in the loop's time; None where that is not known."""

    def take(self, envelope: Envelope) -> None:
        """The next event of the stream; the first of an epoch begins anew. StreamError where it cannot follow."""
        if envelope.seq == 1:
            self.record, self.settled, self.claims = Record(), (), ()
        self.epoch, self.seq = envelope.epoch or 0, envelope.seq or 0
        self.board = envelope.board or self.board
        event = object_of(envelope)
        before = self.record
        self.record = fold_event(before, event)
        match event["event"]:
            case "alert_closed":
                raised = [_without_trail(shown(alert)) for alert in before.alerts if alert["id"] == event["id"]]
                self.settled += tuple({**alert, "how": event["how"], "closed": event.get("ts")} for alert in raised)
            case "claim":
                kept = (c for c in self.claims if (c["rule"], c["side"]) != (event["rule"], event["side"]))
                self.claims = (*kept, {**shown(event), "ply": len(self.record.plies)})
            case "moves_retracted":
                self.claims = tuple(c for c in self.claims if c["ply"] <= len(self.record.plies))
            case _:
                pass

    @property
    def alerts(self) -> list[dict[str, Any]]:
        """Those that are open, whole, in the order in which they were raised."""
        return [shown(alert) for alert in self.record.alerts]


def _without_trail(alert: dict[str, Any]) -> dict[str, Any]:
    evidence = alert.get("evidence")
    kept = {key: value for key, value in evidence.items() if key != "trail"} if isinstance(evidence, dict) else {}
    return {**alert, "evidence": kept}


def shown(event: Mapping[str, Any]) -> dict[str, Any]:
    """What an event says beside the envelope, and when it was, `ts`."""
    return {key: value for key, value in event.items() if key not in _ENVELOPE}
