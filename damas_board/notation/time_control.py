"""Time controls as PDN's TimeControl tag writes them: `300+5`, `40/7200:3600`, `*180`.

PDN 3.0 gives increments to the last phase only; FIDE's form, one in every phase (`40/5400+30:900+30`), is read too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from damas_board.notation.errors import NotationError

FORMS = (
    "300 (seconds for the game), 300+5 (and 5 for every move), 40/7200:3600 (7200 for 40 moves, then 3600), "
    "*180 (sandclock), - (none) or ? (unknown)"
)
"""What TimeControl text may be, in words."""
_PHASE = re.compile(r"(?:(?P<moves>\d{1,4})/)?(?P<seconds>\d{1,7})(?:\+(?P<increment>\d{1,5}))?", re.ASCII)
_SANDCLOCK = re.compile(r"\*(?P<seconds>\d{1,7})", re.ASCII)
_MINUTES = re.compile(
    r"(?P<minutes>\d{1,4})\s*(?:'|m|mins?|minutes?|minutos?)(?:\s*\+\s*(?P<seconds>\d{1,5})\s*(?:\"|''|s|secs?|seconds?|segundos?)?)?",
    re.ASCII | re.IGNORECASE,
)
_HOURS = re.compile(r"(?P<hours>\d{1,2}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?", re.ASCII)


class TimeControlError(NotationError):
    """Text that is no time control; the message says what is wrong, what is allowed, and what may have been meant."""


@dataclass(frozen=True, slots=True)
class Phase:
    """`seconds` more for a side's next `moves` moves, None for the rest of the game."""

    moves: int | None
    seconds: int
    increment: int = 0
    """Seconds that every completed move of the phase adds, the bonus of a digital clock."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What each side has. A last phase that has `moves` is repeated, as PGN's `40/7200`.

    ValueError where the phases cannot follow one another.
    """

    phases: tuple[Phase, ...]
    sandclock: bool = False
    """Each side gains what the other one uses."""

    def __post_init__(self) -> None:
        if not self.phases:
            raise ValueError("a time control needs a phase")
        if self.phases[0].seconds < 1:
            raise ValueError("the first phase needs at least 1 second")
        for phase in self.phases:
            if phase.moves is not None and phase.moves < 1:
                raise ValueError("a phase of 0 moves never ends")
            if phase.seconds < 0 or phase.increment < 0:
                raise ValueError("seconds are 0 or more")
        if any(phase.moves is None for phase in self.phases[:-1]):
            raise ValueError("only the last phase can be without a number of moves")
        if self.sandclock and self.phases != (Phase(None, self.phases[0].seconds),):
            raise ValueError("a sandclock has one phase, without moves or increment")

    @property
    def seconds(self) -> int:
        """What each side begins with."""
        return self.phases[0].seconds

    @property
    def additions(self) -> frozenset[int]:
        """What `added` can be, whatever the move."""
        following = (*self.phases[1:], self.phases[-1])
        ends = (
            phase.increment + after.seconds
            for phase, after in zip(self.phases, following, strict=True)
            if phase.moves is not None
        )
        return frozenset((*(phase.increment for phase in self.phases if phase.moves != 1), *ends))

    def added(self, moves: int) -> int:
        """The seconds that a side's move number `moves` (from 1) adds when it is completed."""
        made = moves  # in the phase that the move belongs to
        for phase, following in zip(self.phases, self.phases[1:], strict=False):
            if phase.moves is not None and made <= phase.moves:
                return phase.increment + (following.seconds if made == phase.moves else 0)
            made -= phase.moves or 0
        last = self.phases[-1]
        ends = last.moves is not None and made % last.moves == 0
        return last.increment + (last.seconds if ends else 0)


def read_time_control(text: str) -> TimeControl | None:
    """The time control that `text` writes, None where it says none (`-`) or that it is not known (`?`).

    TimeControlError for other text.
    """
    plain = text.strip()
    if plain in ("-", "?"):
        return None
    try:
        return _control(plain)
    except ValueError as error:
        meant = _meant(plain)
        hint = "" if meant is None else f"; did you mean {meant}?"
        raise TimeControlError(f"{plain[:40]!r} is no time control: {error}{hint}") from error


def write_time_control(control: TimeControl | None) -> str:
    """The text of a time control, `-` for none."""
    if control is None:
        return "-"
    if control.sandclock:
        return f"*{control.seconds}"
    return ":".join(
        ("" if phase.moves is None else f"{phase.moves}/")
        + str(phase.seconds)
        + (f"+{phase.increment}" if phase.increment else "")
        for phase in control.phases
    )


def _control(text: str) -> TimeControl:
    sandclock = _SANDCLOCK.fullmatch(text)
    if sandclock is not None:
        return TimeControl((Phase(None, int(sandclock["seconds"])),), sandclock=True)
    phases = []
    for part in text.split(":"):
        found = _PHASE.fullmatch(part)
        if found is None:
            raise ValueError(f"allowed are {FORMS}")
        moves = found["moves"]
        phases.append(Phase(None if moves is None else int(moves), int(found["seconds"]), int(found["increment"] or 0)))
    return TimeControl(tuple(phases))


def _meant(text: str) -> str | None:
    """What may have been meant: minutes or a time of day instead of seconds, other signs between the phases."""
    minutes = _MINUTES.fullmatch(text)
    if minutes is not None:
        return f"{int(minutes['minutes']) * 60}" + (f"+{int(minutes['seconds'])}" if minutes["seconds"] else "")
    hours = _HOURS.fullmatch(text)
    if hours is not None:
        return str(int(hours["hours"]) * 3600 + int(hours["minutes"]) * 60 + int(hours["seconds"] or 0))
    other = re.sub(r"[,;]", ":", re.sub(r"\s", "", text))
    try:
        return write_time_control(_control(other)) if other != text else None
    except ValueError:
        return None
