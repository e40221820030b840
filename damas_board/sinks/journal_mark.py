"""The mark beside a journal: one line that says how far the journal had come, so that a cut is noticed."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a journal had come: the numbers of its newest input and event."""

    utc: str
    epoch: int
    inputs: int
    events: int

    def line(self) -> bytes:
        """One line, as long as every other one."""
        return f"{self.utc:>32} {self.epoch:>20} {self.inputs:>12} {self.events:>12}\n".encode()


def mark_of(path: Path) -> Mark | None:
    """How far the journal had come, as remembered beside it; None where that is not known."""
    try:
        utc, epoch, inputs, events = beside(path, "-mark").read_text("ascii").split()
        datetime.fromisoformat(utc)
        return Mark(utc, int(epoch), int(inputs), int(events))
    except (OSError, ValueError):  # there is none, or it is torn: what it knew is not known
        return None


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


PRIVATE = 0o600
"""Full names are in the journal and in what lies beside it, those of minors too: whoever runs the gateway reads it."""


def make_private(path: Path) -> None:
    """An empty file for SQLite to fill, which nobody else can read; one that is there stays as it is."""
    if not path.exists():
        with suppress(OSError):  # SQLite tells it when it opens the file
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE))
