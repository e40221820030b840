"""What the archive holds of a game: a fold of its stream, and the rows that it is kept as.

How it works. A game's content is a function of the events 1 to n of one epoch and of nothing else; the rows are a
function of the content. So whoever has taken the same events has the same rows, in whatever pieces and order they came,
and a correction (a revised ply, a retraction, another position) leaves nothing of the line before: the rows that are
not in the new content are deleted.

Everything in a payload may be of any type and size. What is kept in a column of its own is cleaned and cut; what cannot
be understood is empty there. An event that cannot follow the others is left out and named in `fault`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from damas_board.hub.archive.columns import listed, moment, number, seconds, text
from damas_board.hub.archive.folding import folded
from damas_board.hub.archive.positions import position_key
from damas_board.messages.envelope import Envelope, object_of
from damas_board.messages.names import cleaned, player_name
from damas_board.messages.requests import LONGEST_COMMAND
from damas_board.messages.stream import Ply, Record, fold_event

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alert:
    seq: int
    raised: str
    event: Mapping[str, Any]
    open: bool = True
    closed: str | None = None
    how: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    seq: int
    told: str
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """A game after the events 1 to `seq` of `epoch`."""

    epoch: int = 0
    seq: int = 0
    record: Record = field(default_factory=Record)
    alerts: tuple[Alert, ...] = ()
    decisions: tuple[Decision, ...] = ()
    board: str | None = None
    started: str | None = None
    ended: str | None = None
    changed: str | None = None
    fault: str | None = None

    def after(self, envelope: Envelope) -> Content:
        """The content after the next event of the stream."""
        assert (envelope.epoch, envelope.seq) == (self.epoch, self.seq + 1)
        told = replace(self, seq=self.seq + 1, changed=envelope.ts, board=envelope.board or self.board)
        try:
            return told._with(object_of(envelope), envelope.ts)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            return replace(told, fault=self.fault or text(f"event {told.seq}: {error}"))

    def _with(self, event: Mapping[str, Any], ts: str) -> Content:
        told = replace(self, record=fold_event(self.record, event))
        match event["event"]:
            case "game_started":
                return replace(told, alerts=_still_open(told.alerts, told.record), started=ts, ended=None)
            case "game_over":
                return replace(told, ended=ts)
            case "game_reopened":
                return replace(told, ended=None)
            case "alert":
                return replace(told, alerts=(*told.alerts, Alert(told.seq, ts, event)))
            case "alert_closed":
                return replace(told, alerts=_closed(told.alerts, event, ts))
            case "command":
                return replace(told, decisions=(*told.decisions, Decision(told.seq, ts, event)))
            case _:
                return told

    @property
    def state(self) -> str:
        if self.record.over is not None:
            return "over"
        return "planned" if self.record.start is None else "playing"

    def game(self) -> Row:
        """The row of `games`, without its key."""
        record = self.record
        over = record.over or {}
        white, black = (player_name((_mapping(record.players)).get(side)) for side in ("white", "black"))
        return {
            "epoch": self.epoch,
            "seq": self.seq,
            "state": self.state,
            "board": text(self.board),
            "round": text(record.round),
            "table_id": text(record.table),
            "match": text(record.match),
            "regulation": text(record.regulation),
            "start": text(record.start),
            "start_key": position_key(record.start),
            "fen": text(record.fen),
            "moves": listed(record.moves),
            "plies": len(record.plies),
            "revision": number(record.revision) or 0,
            "players": None if record.players is None else json.dumps(record.players),
            "white": white,
            "black": black,
            "white_folded": folded(white),
            "black_folded": folded(black),
            "winner": text(over.get("winner")),
            "result": text(over.get("result")),
            "reason": text(over.get("reason")),
            "article": text(over.get("article")),
            "held": record.held,
            "started": moment(self.started),
            "ended": moment(self.ended),
            "changed": moment(self.changed),
            "fault": self.fault,
        }

    @property
    def parts(self) -> tuple[Mapping[int, Ply], Mapping[int, Alert], Mapping[int, Decision]]:
        """Plies by their number, alerts and decisions by that of their event."""
        return (
            dict(enumerate(self.record.plies, 1)),
            {alert.seq: alert for alert in self.alerts},
            {decision.seq: decision for decision in self.decisions},
        )


def _still_open(alerts: tuple[Alert, ...], record: Record) -> tuple[Alert, ...]:
    """A game that begins has the open alerts of its record only."""
    known = {alert["id"] for alert in record.alerts}
    return tuple(replace(alert, open=alert.open and alert.event["id"] in known) for alert in alerts)


def _closed(alerts: tuple[Alert, ...], event: Mapping[str, Any], ts: str) -> tuple[Alert, ...]:
    return tuple(
        replace(alert, open=False, closed=ts, how=text(event.get("how")))
        if alert.open and alert.event["id"] == event["id"]
        else alert
        for alert in alerts
    )


def ply_row(ply: Ply) -> Row:
    """The row of `plies`, without its key; so the next two for theirs."""
    body = ply.body
    return {
        "side": text(ply.side) or "",
        "move": text(ply.move) or "",
        "fen": text(ply.fen) or "",
        "position": position_key(ply.fen),
        "captured": listed(body.get("captured")),
        "basis": text(body.get("basis")),
        "seconds": seconds(body.get("seconds")),
        "white_left": None if ply.clock is None else seconds(ply.clock.white),
        "black_left": None if ply.clock is None else seconds(ply.clock.black),
        "irregular": ply.irregular,
        "confirmed": ply.confirmed,
    }


def alert_row(alert: Alert) -> Row:
    event = alert.event
    return {
        "alert": text(event.get("id")) or "",
        "kind": text(event.get("kind")),
        "severity": text(event.get("severity")),
        "side": text(event.get("side")),
        "squares": listed(event.get("squares")),
        "ply": number(event.get("ply")),
        "article": text(event.get("article")),
        "decides": text(event.get("decides")),
        "consequence": text(event.get("consequence")),
        "raised": moment(alert.raised) or "",
        "open": alert.open,
        "closed": moment(alert.closed),
        "how": alert.how,
    }


def decision_row(decision: Decision) -> Row:
    event = decision.event
    return {
        "command": text(event.get("id")),
        "do": text(event.get("do")),
        "outcome": text(event.get("outcome")),
        "reason": text(event.get("reason")),
        "by": text(event.get("by")),
        "note": text(event.get("note")),
        "told": moment(decision.told) or "",
        "arguments": _arguments(event.get("arguments")),
    }


def _arguments(value: object) -> str | None:
    """As JSON, cleaned; None where there is nothing, or more than a command says."""
    if not isinstance(value, Mapping) or not value:
        return None
    told = json.dumps(cleaned(value), ensure_ascii=False)
    return told if len(told) <= LONGEST_COMMAND else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
