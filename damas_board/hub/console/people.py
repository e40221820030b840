"""Who may log in to the console, and whether a name and a password are theirs."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

ConsoleRole = Literal["arbiter", "organiser"]

CHECKING = 2
"""Passwords that are looked at together: each takes a processor for some milliseconds, in a thread of its own."""


@dataclass(frozen=True, slots=True)
class Person:
    """A login of the configuration. `matches(password)` takes some milliseconds, and as long for every wrong one."""

    name: str
    role: ConsoleRole
    matches: Callable[[str], bool] = field(repr=False)
    proof: str = field(default="", repr=False)
    """What the login is told by after a new start of the hub, its password's hash; "": its sessions end with it."""
    proves: Callable[[str], bool] | None = field(default=None, repr=False)
    """Whether a proof of before, another one, was made of the same password; where that can be known."""


class People:
    """The persons by their names; `person(name, password)` takes as long for a name that is nobody's."""

    def __init__(self, people: Sequence[Person]) -> None:
        self._people = {person.name: person for person in people}
        self._checking = asyncio.Semaphore(CHECKING)

    def __bool__(self) -> bool:
        return bool(self._people)

    def still(self, name: str, role: str, proof: str) -> Person | None:
        """Who a login of before is yet; None where it is gone or has changed. May take as long as a password."""
        known = self._people.get(name)
        if known is None or known.role != role or not known.proof:
            return None
        same = hmac.compare_digest(known.proof.encode(), proof.encode())
        return known if same or (known.proves is not None and known.proves(proof)) else None

    async def person(self, name: str, password: str) -> Person | None:
        """Who has that name and that password; None where nobody has."""
        known = self._people.get(name)
        compared = known or next(iter(self._people.values()))
        async with self._checking:
            matches = await asyncio.to_thread(compared.matches, password)
        return known if matches else None
