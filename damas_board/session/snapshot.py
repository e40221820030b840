"""The game at present, in the words of its state: open alerts, and what is to be noted about plies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from damas_board.notation.fen import write_fen
from damas_board.regulations import Regulation
from damas_board.session.alerts import name_of
from damas_board.session.events import AlertRaised
from damas_board.session.record import Ply
from damas_board.session.state import PlyNote


def open_alerts(alerts: Iterable[AlertRaised]) -> tuple[dict[str, object], ...]:
    """What is open, with its reason but without the rest of the evidence: a reader who wants that asks for it."""
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
            **({"reason": alert.evidence["reason"]} if "reason" in alert.evidence else {}),
        }
        for alert in alerts
    )


def notes(plies: Sequence[Ply], regulation: Regulation, recorded: bool) -> tuple[PlyNote, ...]:
    """The plies about which there is more to say than their move."""
    return tuple(
        _note(number, ply, regulation, recorded)
        for number, ply in enumerate(plies, 1)
        if ply.irregular or ply.clock is not None or ply.basis != "seen"
    )


def _note(number: int, ply: Ply, regulation: Regulation, recorded: bool) -> PlyNote:
    broken, clock = ply.broken, ply.clock
    ruling = None if broken is None else regulation.ruling(broken.kind, recorded=recorded, law=broken.law)
    return PlyNote(
        number,
        name_of(ply.side),
        write_fen(ply.after) if ply.irregular else None,
        () if broken is None else (broken.kind, *broken.also),
        None if ruling is None else ruling.article,
        None if clock is None else (clock.white, clock.black),
        None if clock is None else clock.running,
        None if ply.basis == "seen" else ply.basis,
    )
