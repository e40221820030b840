"""Who is logged in to the console: sessions in memory, by a token that only the browser's cookie has.

What is to outlive the hub is said by `changes`, and taken up again by `resume`: with the login's proof, so that whoever
has been taken out of the file, or has another password or role there, is out. A session's time goes on while nothing
runs; a wall clock that goes back gives it none.
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
from damas_board.hub.console.session_store import KeptSession

IDLE_SECONDS = 2 * 3600.0
"""A session that nothing has been asked in for so long is over; a page that is open asks."""
LONGEST_SECONDS = 16 * 3600.0
"""A session is over after a day of play, whatever is asked in it."""
MOST_OF_PERSON = 20
"""Sessions of one person; the one that was used longest ago ends for a new one."""
KEPT_SECONDS = 60.0
"""That a session is used is kept at most so often."""
BACK_SECONDS = 1.0
"""A wall clock that goes back further has been set."""


@dataclass(slots=True)
class Session:
    """A person at a browser. `over` is set when it ends; streams end with it."""

    person: Person
    began: float
    used: float
    over: asyncio.Event = field(default_factory=asyncio.Event)
    streams: int = 0
    """Streams that are open: as long as there is one, the session is used."""
    kept: float = 0.0
    """As of when it is kept."""


class Sessions:
    """`now` is a clock that never goes back, `wall` the time of day; in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._now = now
        self._wall = wall
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        """By the token's hash, the one that was used last at the end: no comparison tells anything of a token."""
        self._changed: set[bytes] = set()
        self._ended: set[bytes] = set()
        self._between = wall() - now()
        """From the clock to the time of day: where that goes back, what is kept is as of a time to come."""

    def begin(self, person: Person) -> str:
        """A new session's token."""
        self.end_old()
        own = [key for key, session in self._sessions.items() if session.person.name == person.name]
        for key in own[: max(0, len(own) - MOST_OF_PERSON + 1)]:
            self._end(key)
        token = secrets.token_urlsafe(32)
        self._sessions[_hash(token)] = Session(person, self._now(), self._now(), kept=self._now())
        self._changed.add(_hash(token))
        return token

    def find(self, token: str) -> Session | None:
        """The session with that token, which is used now; None where there is none any more."""
        self.end_old()
        session = self._sessions.get(_hash(token))
        if session is not None:
            self._use(_hash(token), session)
            self._sessions.move_to_end(_hash(token))
        return session

    def end(self, token: str) -> None:
        """The session with that token is over, if there is one."""
        self._end(_hash(token))

    def _use(self, key: bytes, session: Session) -> None:
        session.used = self._now()
        if session.used - session.kept >= KEPT_SECONDS:
            self._changed.add(key)

    def _end(self, key: bytes) -> None:
        session = self._sessions.pop(key, None)
        if session is not None:
            session.over.set()
            self._changed.discard(key)
            self._ended.add(key)

    def end_old(self) -> None:
        """End the sessions whose time is over."""
        now = self._now()
        for key, session in list(self._sessions.items()):
            if session.streams:
                self._use(key, session)
            if now - session.used >= IDLE_SECONDS or now - session.began >= LONGEST_SECONDS:
                self._end(key)

    def changes(self, *, last: bool = False) -> tuple[tuple[KeptSession, ...], tuple[bytes, ...]]:
        """The sessions that are to be kept as they are now, and the hashes of those no more; once. `last`: all."""
        now, wall = self._now(), self._wall()
        back = wall - now < self._between - BACK_SECONDS
        self._between = wall - now
        changed, self._changed = set(self._sessions) if last or back else self._changed, set()
        ended, self._ended = self._ended, set()
        kept = []
        for key in sorted(changed):
            session = self._sessions[key]
            if session.person.proof:
                session.kept, person = session.used, session.person
                began, used = wall - (now - session.began), wall - (now - session.used)
                kept.append(KeptSession(key, person.name, person.role, person.proof, began, used))
        return tuple(kept), tuple(sorted(ended))

    def resume(self, kept: KeptSession, person: Person | None) -> None:
        """A session of before goes on where it is still `person`'s; it has lasted as long as it had, and since."""
        now, since = self._now(), max(0.0, self._wall() - kept.used)
        if person is None:
            self._ended.add(kept.token)
            return
        lasted = max(0.0, kept.used - kept.began)
        self._sessions[kept.token] = Session(person, now - since - lasted, now - since, kept=now - since)
        self.end_old()


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
