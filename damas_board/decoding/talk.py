"""What any board on a line says, and how whoever keeps the line asks it: one Talk while a port is open; pure.

A board with a protocol of its own is one subclass of Talk: bytes in, what they tell out, bytes to send out. It never
waits and has no clock: every call says what time it is, `deadline` says when it wants to be called next. All times are
seconds on the scale of `at`, which never decreases from one call to the next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

SideName = Literal["white", "black"]


@dataclass(frozen=True, slots=True)
class Greeted:
    """Who the board is, known before it is first shown; `facts` are for people (serial number, firmware, ...)."""

    at: float
    uid: str | None = None
    facts: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """The whole board at `at`, as the rows of a `see` text in the board's own frame; `was` where it was seen earlier.

    Marks: `.` empty, `o` a piece whose colour is not known, `w` `b` a piece, `W` `B` a king, `?` not readable.
    """

    at: float
    rows: str
    was: float | None = None
    before: tuple[str, ...] = ()
    """Of what is known when a talk begins: the rows that were shown before, each other than the next, newest last."""
    lost: str | None = None
    """Of the same: why the link was lost behind it; None where another run of this program had shown it."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What happened while nobody listened, without anything missing, from the board's own memory; the newest last."""

    at: float
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class ClockShown:
    """A clock's own reading: seconds left to each side, and whose time runs."""

    at: float
    white: float
    black: float
    running: SideName | None = None


@dataclass(frozen=True, slots=True)
class LeverPressed:
    """`side` pressed the clock."""

    at: float
    side: SideName


@dataclass(frozen=True, slots=True)
class Condition:
    """How the board is, for its health: battery, counters, what is odd. A fact that was told before is replaced."""

    at: float
    facts: Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Remark:
    """For the log only: something odd that changes nothing."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Away:
    """The line is open, but nothing is seen for now; `reason` is a code of docs/codes.md. Until the next Shown."""

    at: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hopeless:
    """Nothing more will come of this talk: the port is closed and tried again. `why` is a key of sources/errors.py."""

    at: float
    why: str
    facts: Mapping[str, str | int | float] = field(default_factory=dict)


Told = Greeted | Shown | Missed | ClockShown | LeverPressed | Condition | Remark | Away | Hopeless


class Talk(ABC):
    """One conversation over an open line. A new one is made each time the port is opened."""

    @property
    @abstractmethod
    def deadline(self) -> float:
        """When it wants `tick`; infinity where nothing is due."""

    @abstractmethod
    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        """Bytes that have come in, split anywhere; never an error, whatever they are."""

    @abstractmethod
    def tick(self, at: float) -> Sequence[Told]:
        """Do what is due by `at`."""

    @abstractmethod
    def data_to_send(self) -> bytes:
        """What is to be written now; each byte is given once."""
