"""Whether a camera is ready for its table's round, from what it shows; pure.

It gives pictures, sees the board in them, and reads every square; the start position stands there as it lies for White.
How surely it will read is in its profile: how far apart the two kinds of squares are that look most alike.
"""

from __future__ import annotations

from dataclasses import replace

from damas_board.app.readiness import Finding, Readiness
from damas_board.decoding.square_map import UNKNOWN
from damas_board.regulations import Regulation
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Link, See

HINDRANCES = ("no_board", "dark", "glare", "moved", "occluded", "illegible")
"""Why a board cannot be read in pictures that come."""
COMFORTABLE = 7.0
"""Kinds of squares nearer to each other than so many standard deviations leave some squares in doubt."""


class CameraReadiness:
    """One camera, while it is looked at: `take` its inputs, then ask for `findings`."""

    def __init__(self, header: Header, regulation: Regulation, separation: float, *, alone: bool) -> None:
        """`separation` of its profile; `alone`: it stands in for sensors, so what stands there is its to say."""
        # A camera gives its rows as White sees them, and in colours.
        self._board = Readiness(replace(header, senses="colour", turn=0), regulation)
        self._separation = separation
        self._alone = alone
        self._link: Link | None = None
        self._unread = 0
        self._squares = 0

    def take(self, item: Input) -> None:
        self._board.take(item)
        match item:
            case See(_, rows):
                self._link = None
                marks = rows.replace("/", "")
                self._squares, self._unread = len(marks), marks.count(UNKNOWN)
            case Link():
                self._link = item
            case _:
                pass

    @property
    def ready(self) -> bool:
        return all(finding.verdict == "ok" for finding in self.findings())

    def findings(self) -> list[Finding]:
        """What there is to say of a camera that gives pictures."""
        link = self._link
        if link is not None and link.state == "lost":
            key = f"camera_{link.reason}" if link.reason in HINDRANCES else "camera_away"
            return [Finding("camera", "wrong", key, {} if link.reason in HINDRANCES else {"why": link.reason})]
        if not self._squares:
            return [
                Finding("camera", "unproven", "camera_looks")
                if link is None
                else Finding("camera", "ok", "camera_watches")
            ]
        found = [self._reads()]
        for finding in self._board.findings():
            if finding.check == "orientation" and finding.verdict == "unproven":
                continue  # a camera's profile says it; no piece has to be lifted
            if finding.check in ("setup", "orientation") and (self._alone or finding.verdict == "wrong"):
                key = "camera_turned" if finding.key == "turned" else finding.key
                found.append(replace(finding, key=key) if self._alone else replace(finding, check="camera", key=key))
        return found

    def _reads(self) -> Finding:
        if self._unread:
            return Finding("camera", "unproven", "camera_unread", {"unread": self._unread, "of": self._squares})
        facts = {"separation": f"{self._separation:.1f}", "comfortable": f"{COMFORTABLE:g}"}
        if self._separation < COMFORTABLE:
            return Finding("camera", "unproven", "camera_unsure", facts)
        return Finding("camera", "ok", "camera_sees", facts)
