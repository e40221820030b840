"""A reader of server-sent events over a plain connection, as a page is, but that it can be slow or dead at will."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self


@dataclass
class Told:
    id: str | None
    event: str
    data: dict[str, Any]


@dataclass
class Stream:
    """`async with Stream(port) as stream:`; `told` are the events in their order."""

    port: int
    path: str = "/live/events"
    last: str | None = None
    cookie: str | None = None
    told: list[Told] = field(default_factory=list)
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    ended: bool = False
    """The server has said that this is all."""
    _task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        asked = [f"GET {self.path} HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream"]
        asked += [] if self.last is None else [f"Last-Event-ID: {self.last}"]
        asked += [] if self.cookie is None else [f"Cookie: {self.cookie}"]
        self._writer.write("\r\n".join([*asked, "", ""]).encode())
        self.status = int((await reader.readline()).split()[1])
        while line := (await reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()
        self._task = asyncio.create_task(self._read(reader))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._writer.close()

    def of(self, event: str) -> list[dict[str, Any]]:
        """What was told under that name."""
        return [one.data for one in self.told if one.event == event]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        if self.status != 200:
            return
        fields: dict[str, str] = {}
        async for line in self._lines(reader):
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            else:
                if "event" in fields:
                    self.told.append(Told(fields.get("id"), fields["event"], json.loads(fields["data"])))
                fields.clear()

    async def _lines(self, reader: asyncio.StreamReader) -> AsyncIterator[str]:
        left = b""
        while size := int((await reader.readline()) or b"-1", 16):
            if size < 0:
                return
            *lines, left = (left + await reader.readexactly(size)).split(b"\n")
            await reader.readexactly(2)
            for line in lines:
                yield line.decode()
        self.ended = True
