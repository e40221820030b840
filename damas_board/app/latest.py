"""What came last from a board: its time, its reading, its link as the Session knows it and as it is in this run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from damas_board.app.intake import Intake
from damas_board.session.inputs import Input, Link, See
from damas_board.sources.source import known_after

NOT_RUNNING = "gateway_not_running"
"""Why the link is lost, for a Session, while the gateway did not run."""


class Latest:
    """`note` what is journalled; `report` what happens to the link in this run."""

    def __init__(
        self, board: str, intake: Intake | None, on_link: Callable[[str, bool | None, str | None], None] | None
    ) -> None:
        """`intake` None is a table without a sensor board; `on_link` is `Board`'s."""
        self.at = 0.0
        """Nothing is journalled at an earlier time any more."""
        self.link: str | None = None
        self.see: See | None = None
        self.known: See | None = None
        """From which reading, and event, a board could go on that remembers what happened since."""
        self.up: bool | None = None
        """Whether the link is up; None before anything is known in this run."""
        self.losses = 0
        self._board = board
        self._intake = intake
        self._on_link = on_link

    @property
    def sensors(self) -> bool:
        return self._intake is not None

    @property
    def missing(self) -> str | None:
        """The code of why there is no device."""
        return None if self._intake is None else self._intake.reason

    def seen_at(self, at: float) -> list[See]:
        """The last reading, as a board that still shows it would give it at that time."""
        if self.see is None:
            return []
        # Of the newest event, also when that was no reading: a lever that was pressed is not asked for again.
        return [replace(self.see, at=at, was=None, event=self.known.event if self.known else None)]

    def note(self, item: Input) -> None:
        self.at = max(self.at, item.at)
        self.known = known_after(self.known, item)
        if isinstance(item, Link):
            self.link = item.state
        elif isinstance(item, See):
            self.see = item
            self.link = "back"

    def report(self, item: Input) -> None:
        """Tell that the board is lost, or back, once each: of what has been up, or away, in this run."""
        lost = isinstance(item, Link) and item.state == "lost"
        if not (lost or isinstance(item, See | Link)) or (isinstance(item, Link) and item.reason == NOT_RUNNING):
            return
        was, self.up = self.up, not lost
        if lost and was:
            self.losses += 1
        if self._on_link is None or was is self.up:
            return
        reason = item.reason if isinstance(item, Link) else None
        if was is not None:
            self._on_link(self._board, self.up, reason)
        elif lost:
            self._on_link(self._board, None, reason)
