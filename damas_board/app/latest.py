"""What came last from a board: its time, its readings, its links as the Session knows them and as they are in this run.

Several sources may watch one board, told apart by what an input says in `by`: the sensor board has no name there. The
board is lost when all of them are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from damas_board.app.intake import SOURCE_BROKE, Intake
from damas_board.app.play import BOARD_LOG
from damas_board.session.inputs import Input, Link, See
from damas_board.sources.source import known_after, rows_before

NOT_RUNNING = "gateway_not_running"
"""Why the link is lost, for a Session, while the gateway did not run."""
SENSORS: str | None = None
"""What the sensor board is called in `by`."""

log = logging.getLogger(BOARD_LOG)


class Latest:
    """`note` what is journalled; `report` what happens to the links in this run."""

    def __init__(
        self,
        board: str,
        intakes: Mapping[str | None, Intake],
        on_link: Callable[[str, bool | None, str | None], None] | None,
    ) -> None:
        """`intakes` by what their inputs say in `by`, none where nothing watches the table; `on_link` is `Board`'s."""
        self.at = 0.0
        """Nothing is journalled at an earlier time any more."""
        self.links: dict[str | None, str] = {}
        """Of each source that has spoken, as a Session knows it."""
        self.sees: dict[str | None, See] = {}
        """The last reading of each."""
        self.known: See | None = None
        """From which reading, and event, a board could go on that remembers what happened since."""
        self.before: tuple[str, ...] = ()
        """The rows that came of it before."""
        self.ups: dict[str | None, bool] = {}
        """Whether each source is connected, of those of which something is known in this run."""
        self.losses = 0
        self._board = board
        self._intakes = intakes
        self._on_link = on_link

    @property
    def watched(self) -> bool:
        """Whether anything watches the board."""
        return bool(self._intakes)

    @property
    def sources(self) -> tuple[str | None, ...]:
        """Those that watch the board, the sensor board first, by what their inputs say in `by`."""
        return tuple(self._intakes) or (SENSORS,)

    @property
    def link(self) -> str | None:
        """`lost` where all that have spoken are, `back`, or None before any has."""
        if not self.links:
            return None
        return "lost" if all(state == "lost" for state in self.links.values()) else "back"

    @property
    def up(self) -> bool | None:
        """Whether the board is seen at present; None before anything is known in this run."""
        return any(self.ups.values()) if self.ups else None

    @property
    def see(self) -> See | None:
        """The last reading of the first source that has given one."""
        return self.sees.get(SENSORS) or next(iter(self.sees.values()), None)

    @property
    def missing(self) -> str | None:
        """The code of why there is no device, where there is one that is missing."""
        return next((intake.reason for intake in self._intakes.values() if intake.reason is not None), None)

    def reason(self, by: str | None) -> str | None:
        """The code of why that source has no device."""
        return self._intakes[by].reason if by in self._intakes else None

    def is_shown(self, by: str | None) -> bool:
        """Whether the readings of that source are those to be shown: of several that are connected the first one's."""
        return by == next((source for source in self.sources if self.ups.get(source)), by)

    def lost(self, at: float, reason: str) -> list[Link]:
        """That all sources are lost, of those that are not."""
        known = dict.fromkeys([*self._intakes, *self.links])
        return [Link(at, "lost", reason, by=by) for by in known if self.links.get(by) != "lost"]

    def seen_at(self, at: float) -> list[See]:
        """The last readings of those that are connected, as they would give them at that time if nothing changed."""
        again = []
        for by, see in self.sees.items():
            if by in self.sources and self.links.get(by) != "lost":
                # Of the newest event, also when that was no reading: a lever that was pressed is not asked for again.
                event = self.known.event if by is SENSORS and self.known else None
                again.append(replace(see, at=at, was=None, event=event))
        return again

    def note(self, item: Input) -> None:
        self.at = max(self.at, item.at)
        known = known_after(self.known, item)
        self.before, self.known = rows_before(self.before, self.known, known), known
        if isinstance(item, Link):
            self.links[item.by] = item.state
        elif isinstance(item, See):
            self.sees[item.by] = item
            self.links[item.by] = "back"

    def report(self, item: Input) -> None:
        """Tell that the board is lost, or back, once each: of what has been up, or away, in this run."""
        if not isinstance(item, See | Link) or (isinstance(item, Link) and item.reason == NOT_RUNNING):
            return
        lost = isinstance(item, Link) and item.state == "lost"
        reason = item.reason if isinstance(item, Link) else None
        was, before = self.up, self.ups.get(item.by)
        self.ups[item.by] = not lost
        blind = lost and before is None and self._is_open(item.by) and reason != SOURCE_BROKE
        if ((before is not None and before is lost) or blind) and was and self.up:
            self._tell_one(item.by, lost=lost, reason=reason)
        if lost and was and not self.up:
            self.losses += 1
        if self._on_link is None or was is self.up:
            return
        if was is not None or blind:
            self._on_link(self._board, self.up, reason)
        elif lost:
            self._on_link(self._board, None, reason)

    def _is_open(self, by: str | None) -> bool:
        """Whether that source has its device: that there is none its intake tells."""
        return by in self._intakes and self._intakes[by].missing is None

    def _tell_one(self, by: str | None, *, lost: bool, reason: str | None) -> None:
        """One of several sources is lost, or back: the board is seen all the same."""
        name = "sensors" if by is SENSORS else by
        if lost:
            log.warning("board %s: its %s: link lost: %s; it is still watched", self._board, name, reason)
        else:
            log.warning("board %s: its %s: link back", self._board, name)
