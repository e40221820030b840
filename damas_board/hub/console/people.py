"""Who may log in to the console."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

ConsoleRole = Literal["arbiter", "organiser"]


@dataclass(frozen=True, slots=True)
class Person:
    """A login of the configuration. `matches(password)` takes some milliseconds, and as long for every wrong one."""

    name: str
    role: ConsoleRole
    matches: Callable[[str], bool] = field(repr=False)
