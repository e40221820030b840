"""The alerts of one game: how they are numbered, which are open, and what closes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from damas_board.regulations import Regulation
from damas_board.regulations.policy import IRREGULAR_MOVES, SETTLED, AlertKind
from damas_board.rules.side import Side
from damas_board.session.events import AlertClosed, AlertRaised
from damas_board.session.inputs import SideName

How = Literal["stands", "rectified", "dismissed", "recovered"]

OF_A_PLY: frozenset[AlertKind] = frozenset(
    {
        *IRREGULAR_MOVES,
        *("left_on_board", "removed_wrongly", "lifted_during_capture", "touch_move", "several_touched"),
        *("taken_back", "destination_changed", "not_crowned", "crowned_wrongly", "wrong_opening", "wrong_orientation"),
    }
)
"""Those that a revision or a retraction of their ply puts right."""
PIECES_ASTRAY: frozenset[AlertKind] = frozenset({"left_on_board", "removed_wrongly"})
"""Those that are put right by taking a piece off, or putting it back."""


class Alerts:
    """Raises and closes; every method returns the events that say so."""

    def __init__(self, regulation: Regulation, game: str, recorded: bool) -> None:
        self.regulation = regulation
        self.recorded = recorded
        self._game = game
        self._count = 0
        self.open: dict[str, AlertRaised] = {}
        self.dismissed: list[AlertRaised] = []
        """A decision holds: the same is not told again."""

    def raised(
        self,
        at: float,
        kind: AlertKind,
        *,
        side: Side | None,
        squares: tuple[str, ...],
        ply: int,
        evidence: Mapping[str, Any],
        legal: tuple[str, ...] = (),
        also: tuple[AlertKind, ...] = (),
        law: str | None = None,
        recurs: bool = False,
    ) -> AlertRaised:
        ruling = self.regulation.ruling(kind, recorded=self.recorded, law=law, recurs=recurs)
        self._count += 1
        alert = AlertRaised(
            at,
            f"{self._game}-a{self._count}",
            kind,
            ruling.severity,
            label(side),
            squares,
            ply,
            ruling.article,
            also,
            legal,
            evidence,
            ruling.decides,
            ruling.until,
            ruling.consequence,
        )
        self.open[alert.id] = alert
        return alert

    def find(self, name: str) -> AlertRaised | None:
        """The open alert of that id, or of the short form of it (`a3`)."""
        return self.open.get(name) or self.open.get(f"{self._game}-{name}")

    def of(self, *kinds: AlertKind, ply: int | None = None) -> list[AlertRaised]:
        """The open alerts of these kinds, of `ply` only if it is given."""
        return [a for a in self.open.values() if a.kind in kinds and ply in (None, a.ply)]

    def told(self, *kinds: AlertKind, ply: int) -> set[str]:
        """The squares of what is open, or was dismissed, of these kinds and that ply."""
        alerts = [*self.of(*kinds, ply=ply), *(a for a in self.dismissed if a.kind in kinds and a.ply == ply)]
        return {name for alert in alerts for name in alert.squares}

    def close(self, at: float, alerts: Iterable[AlertRaised], how: How) -> list[AlertClosed]:
        closed = []
        for alert in list(alerts):
            if self.open.pop(alert.id, None) is not None:
                if how == "dismissed":
                    self.dismissed.append(alert)
                closed.append(AlertClosed(at, alert.id, how))
        return closed

    def put_right(self, at: float, from_ply: int, *, kept: frozenset[AlertKind] = frozenset()) -> list[AlertClosed]:
        """The plies from `from_ply` on have changed or are gone."""
        gone = [a for a in self.open.values() if a.kind in OF_A_PLY - kept and a.ply >= from_ply]
        return self.close(at, gone, "rectified")

    def answered(self, at: float, ply: int, side: Side) -> list[AlertClosed]:
        """`side` has completed `ply`: who moves has accepted what the opponent did before."""
        accepted = [
            a
            for a in self.open.values()
            if a.kind in SETTLED and a.until == "reply" and a.ply < ply and a.side == label(side.other)
        ]
        return self.close(at, accepted, "stands")


def name_of(side: Side) -> SideName:
    return "black" if side else "white"


def label(side: Side | None) -> SideName | None:
    return None if side is None else name_of(side)
