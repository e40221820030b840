"""Keeps the console's logins over a new start of the hub: takes them up at the beginning, writes what changes.

Where its file cannot be used that is told once; who is logged in then stays so until the hub ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from damas_board.hub.console.people import People, Person
from damas_board.hub.console.session_store import Changes, KeptSession, SessionStore, SessionStoreError
from damas_board.hub.console.sessions import Sessions
from damas_board.hub.console.throttle import Throttle

log = logging.getLogger(__name__)


class Keeper:
    """`begin`, then `keep` whenever something may have changed, then `end`. `path`: None where nothing is kept."""

    def __init__(self, path: Path | None, people: People, sessions: Sessions, throttle: Throttle) -> None:
        self._path = path
        self._people = people
        self._sessions = sessions
        self._throttle = throttle
        self._store: SessionStore | None = None
        self._writing = asyncio.Lock()

    async def begin(self) -> None:
        if self._path is None:
            return
        store = None
        try:
            store = self._store = await asyncio.to_thread(SessionStore, self._path)
            sessions, known = await asyncio.to_thread(lambda: (store.sessions(), store.known()))
        except SessionStoreError as error:
            self._lost(error)
            if store is not None:
                await asyncio.to_thread(store.close)
            return
        self._throttle.resume(known)
        whose = await asyncio.to_thread(self._whose, sessions)  # a password in clear takes time
        for session, person in zip(sessions, whose, strict=True):
            self._sessions.resume(session, person)
        await self.keep()

    def _whose(self, sessions: Sequence[KeptSession]) -> list[Person | None]:
        found: dict[tuple[str, str, str], Person | None] = {}
        for one in sessions:
            login = (one.name, one.role, one.proof)
            if login not in found:
                found[login] = self._people.still(*login)
        return [found[one.name, one.role, one.proof] for one in sessions]

    async def keep(self) -> None:
        """What has changed is on the disk, where it can be."""
        async with self._writing:
            await self._write(last=False)

    async def end(self) -> None:
        async with self._writing:
            await self._write(last=True)
            store, self._store = self._store, None
            if store is not None:
                await asyncio.to_thread(store.close)

    async def _write(self, *, last: bool) -> None:
        sessions, ended = self._sessions.changes(last=last)
        changes = Changes(sessions, ended, *self._throttle.changes())
        store = self._store
        if store is None or not changes:
            return
        try:
            await asyncio.to_thread(store.write, changes)
        except SessionStoreError as error:
            self._lost(error)
            await asyncio.to_thread(store.discard)

    def _lost(self, error: SessionStoreError) -> None:
        self._store = None
        log.warning("%s cannot be used: %s; after a new start everybody has to log in again", self._path, error)
