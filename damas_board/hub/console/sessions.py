"""Who is logged in to the console: sessions in memory, by a token that only the browser's cookie has.

Nothing of them is stored, so a hub that starts again, as it does when its file has changed, has none: whoever has been
taken out of the file is out.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from damas_board.hub.console.people import Person

IDLE_SECONDS = 2 * 3600.0
"""A session that nothing has been asked in for so long is over; a page that is open asks."""
LONGEST_SECONDS = 16 * 3600.0
"""A session is over after a day of play, whatever is asked in it."""
MOST_OF_PERSON = 20
"""Sessions of one person; the one that was used longest ago ends for a new one."""


@dataclass(slots=True)
class Session:
    """A person at a browser. `over` is set when it ends; streams end with it."""

    person: Person
    began: float
    used: float
    over: asyncio.Event = field(default_factory=asyncio.Event)
    streams: int = 0
    """Streams that are open: as long as there is one, the session is used."""


class Sessions:
    """`now` is a clock that never goes back, in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        """By the token's hash, the one that was used last at the end: no comparison tells anything of a token."""

    def begin(self, person: Person) -> str:
        """A new session's token."""
        self.end_old()
        own = [key for key, session in self._sessions.items() if session.person.name == person.name]
        for key in own[: max(0, len(own) - MOST_OF_PERSON + 1)]:
            self._end(key)
        token = secrets.token_urlsafe(32)
        self._sessions[_hash(token)] = Session(person, self._now(), self._now())
        return token

    def find(self, token: str) -> Session | None:
        """The session with that token, which is used now; None where there is none any more."""
        self.end_old()
        session = self._sessions.get(_hash(token))
        if session is not None:
            session.used = self._now()
            self._sessions.move_to_end(_hash(token))
        return session

    def end(self, token: str) -> None:
        """The session with that token is over, if there is one."""
        self._end(_hash(token))

    def _end(self, key: bytes) -> None:
        session = self._sessions.pop(key, None)
        if session is not None:
            session.over.set()

    def end_old(self) -> None:
        """End the sessions whose time is over."""
        now = self._now()
        for key, session in list(self._sessions.items()):
            if session.streams:
                session.used = now
            if now - session.used >= IDLE_SECONDS or now - session.began >= LONGEST_SECONDS:
                self._end(key)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
