"""Puts the hub's files to a web server by HTTP PUT, each whole and the newest only, for as long as it takes.

One task a target, which nobody waits for: what changed is noted (`changed`), and each file is read from the pages when
its turn comes, so that of a file that changed ten times meanwhile only the last state travels. What fails is tried
again with growing waits, one file that is refused keeps no other back, and `behind` says what has not arrived. A
redirect is an answer like any other that is not 2xx: nothing is sent to a place that the configuration does not name.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

from damas_board.hub.ending import ended
from damas_board.hub.pages import Page, file_of
from damas_board.messages.envelope import rfc3339
from damas_board.messages.names import clean

log = logging.getLogger(__name__)

ANSWER_SECONDS = 10.0
"""For one file, from the connection to the answer."""
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
GOODBYE_SECONDS = 3.0
"""What is still to be sent when the hub stops has so long."""
LONGEST_HEAD = 16 * 1024
OF_ALL = (401, 407, 408, 429)
"""Answers of 4xx that are about the login or the moment, and not about one file."""
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """Where to: `url` ends with "/", the files' names stand behind it. `files` are patterns of these names.

    With `user` it is HTTP's Basic login, a password alone is a bearer's token.
    """

    url: str
    files: tuple[str, ...] = ("feed/*",)
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def wants(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.files)


class PushError(Exception):
    """A file did not arrive; `alone`: it is about this file, and others may arrive all the same."""

    def __init__(self, text: str, *, alone: bool = False) -> None:
        super().__init__(text)
        self.alone = alone


class Push:
    """`async with Push(...)` sends for the time of the block what `changed` names."""

    def __init__(self, target: Target, pages: Mapping[str, Page]) -> None:
        self.target = target
        self._pages = pages
        self._waiting: dict[str, str] = {}
        """What is to be sent, by path: its name there."""
        self._refused: dict[str, str] = {}
        """What the server would not have, and others it would: sent again when it is time."""
        self._down = False
        """Nothing can be sent at present."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()
        self._since: str | None = None
        self._reason: str | None = None
        self._arrived: dict[str, str] = {}
        """The ETag of what is there, by path, as far as it was sent from here."""

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        return () if self._task is None else (self._task,)

    @property
    def behind(self) -> dict[str, Any] | None:
        """What has not arrived although it was tried, since when, and why; None where all is well."""
        if self._reason is None:
            return None
        files = sorted({**self._waiting, **self._refused}.values())
        return {
            "code": "push_behind",
            "url": self.target.url,
            "files": files,
            "since": self._since,
            "detail": self._reason,
        }

    def changed(self, paths: Iterable[str]) -> None:
        """These pages are others now."""
        for path in paths:
            name = file_of(path)
            if name is not None and self.target.wants(name):
                self._waiting[path] = name
                self._refused.pop(path, None)
        if self._waiting:
            self._wake.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._send(), name="push")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=GOODBYE_SECONDS)
            await ended(self._task)

    async def _send(self) -> None:
        time = asyncio.get_running_loop().time
        wait = FIRST_WAIT
        again_at: float | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), None if again_at is None else max(0.0, again_at - time()))
            self._wake.clear()
            leaving = self._leaving.is_set()
            again = leaving or (again_at is not None and time() >= again_at)
            if self._down and not again:
                continue
            if again:
                self._waiting, self._refused = {**self._refused, **self._waiting}, {}
            await self._round()
            if leaving:
                return
            if not self._waiting and not self._refused:
                self._all_is_well()
                wait, again_at = FIRST_WAIT, None
            elif again or again_at is None:
                again_at = time() + wait
                wait = min(2 * wait, LONGEST_WAIT)

    async def _round(self) -> None:
        """Each file that waits, once; what changes while it travels is noted anew."""
        self._down = False
        for path in list(self._waiting):
            name, page = self._waiting.pop(path), self._pages[path]
            if self._arrived.get(path) == page.etag:
                continue
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await put(self.target, name, page)
                self._arrived[path] = page.etag
            except (OSError, PushError) as error:
                self._arrived.pop(path, None)
                self._tell(name, error)
                if isinstance(error, PushError) and error.alone:
                    self._refused.setdefault(path, name)
                else:
                    self._waiting.setdefault(path, name)
                    self._down = True
                    return

    def _tell(self, name: str, error: Exception) -> None:
        silent = isinstance(error, TimeoutError)
        why = "it does not answer" if silent else getattr(error, "strerror", None) or str(error)
        if why != self._reason:
            log.warning("%s is behind, %s did not arrive: %s", self.target.url, name, why)
        self._reason = why
        self._since = self._since or rfc3339(datetime.now(UTC))

    def _all_is_well(self) -> None:
        if self._reason is not None:
            log.warning("%s has everything again", self.target.url)
        self._reason = self._since = None


async def put(target: Target, name: str, page: Page) -> None:
    """One file, on a connection of its own. PushError or OSError where it did not arrive."""
    parts = urlsplit(target.url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    name_there = None if target.tls is None else host
    reader, writer = await asyncio.open_connection(
        host, port, limit=LONGEST_HEAD, ssl=target.tls, server_hostname=name_there
    )
    try:
        head = {"Host": parts.netloc, "Content-Type": page.type, "Content-Length": str(len(page.body))}
        head |= {"Connection": "close", "User-Agent": "damas-board", **_login(target)}
        lines = "".join(f"{key}: {value}\r\n" for key, value in head.items())
        writer.write(f"PUT {parts.path}{quote(name)} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + page.body)
        await writer.drain()
        status, said = await _answer(reader)
        writer.close()
        await writer.wait_closed()
    finally:
        writer.transport.abort()  # where it broke off, nothing more is waited for
    if not 200 <= status < 300:
        raise PushError(said, alone=400 <= status < 500 and status not in OF_ALL)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, str]:
    """The status and what is to be said of it; what comes in advance (1xx) is passed over."""
    while True:
        try:
            raw = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.LimitOverrunError, asyncio.IncompleteReadError) as error:
            raise PushError("what answers there is no web server") from error
        first, *lines = raw.decode("latin-1").split("\r\n")
        words = first.split(" ", 2)
        if not words[0].startswith("HTTP/") or len(words) < 2 or not words[1].isdigit():
            raise PushError("what answers there is no web server")
        status = int(words[1])
        if status >= 200:
            break
    fields = dict(line.lower().split(":", 1) for line in lines if ":" in line)
    moved = (
        f", it wants to send us to {fields['location'].strip()}" if 300 <= status < 400 and "location" in fields else ""
    )
    return status, clean(f"it answers {' '.join(words[1:])}{moved}", 200)


def _login(target: Target) -> dict[str, str]:
    if target.password is None:
        return {}
    if target.user is None:
        return {"Authorization": f"Bearer {target.password}"}
    both = base64.b64encode(f"{target.user}:{target.password}".encode()).decode("ascii")
    return {"Authorization": f"Basic {both}"}
