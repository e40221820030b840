"""What a browser does at the console: asks with its cookie and its origin, and reads a stream of events."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import ssl
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    bytes: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.bytes)

    @property
    def reason(self) -> str:
        return str(self.body["reason"])


@dataclass
class Browser:
    """`url` without a slash at the end; `host` is the name it is asked for, where that is another one."""

    url: str
    tls: ssl.SSLContext | None = None
    host: str | None = None
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{self.host or parts.netloc}"

    async def ask(self, method: str, path: str, **headers: str) -> Answer:
        return await asyncio.to_thread(self._ask, method, path, None, headers)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, **headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """`body` is sent as JSON, bytes as they are; a header that is empty is left out."""
        payload = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        ours = {"Origin": self.origin, "Content_Type": "application/json"}
        return await asyncio.to_thread(self._ask, "POST", path, payload, {**ours, **headers})

    async def login(self, name: str, password: str, **headers: str) -> Answer:
        return await self.post("/console/api/login", {"name": name, "password": password}, **headers)

    def _ask(self, method: str, path: str, payload: bytes | None, headers: dict[str, str]) -> Answer:
        connection = self._connection()
        with contextlib.closing(connection):
            connection.request(method, path, payload, self._headers(headers))
            response = connection.getresponse()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        kept = answer.headers.get("set-cookie")
        if kept is not None:
            self.cookie = kept.partition(";")[0]
        return answer

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        if self.tls is None:
            return http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=60, context=self.tls)

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        ours = {"Host": self.host or "", "Cookie": self.cookie, **self.headers}
        return {name.replace("_", "-"): value for name, value in {**ours, **more}.items() if value}

    @contextlib.asynccontextmanager
    async def listening(self, path: str = "/console/api/events", **headers: str) -> AsyncIterator[Stream]:
        parts = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**24)
        try:
            ours = {"Host": parts.netloc, "Cookie": self.cookie, **headers}
            lines = [f"GET {path} HTTP/1.1", *(f"{key.replace('_', '-')}: {value}" for key, value in ours.items())]
            writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
            status = int((await reader.readline()).split()[1])
            packed = False
            while line := (await reader.readline()).strip():
                packed = packed or line.lower() == b"content-encoding: gzip"
            yield Stream(reader, status, zlib.decompressobj(zlib.MAX_WBITS + 16) if packed else None)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


@dataclass
class Stream:
    """The events of a stream (its chunks are whole lines)."""

    _reader: asyncio.StreamReader
    status: int
    _packing: zlib._Decompress | None = None
    _lines: list[bytes] = field(default_factory=list)

    async def next(self, *wanted: str) -> tuple[str, Any]:
        """The next event, of those that are `wanted`. EOFError where the stream has ended."""
        event = ""
        async with asyncio.timeout(30):
            while True:
                line = await self._line()
                if not line:
                    raise EOFError
                if line.startswith(b"event: "):
                    event = line[7:].decode().strip()
                elif line.startswith(b"data: ") and (not wanted or event in wanted):
                    return event, json.loads(line[6:])
                elif line == b"0\r\n":
                    raise EOFError

    async def _line(self) -> bytes:
        if self._packing is None:
            return await self._reader.readline()
        while not self._lines:
            size = int((await self._reader.readline()).strip() or b"0", 16)
            if size == 0:
                assert self._packing.eof, "what is packed has an end"
                return b""
            self._lines += self._packing.decompress(await self._reader.readexactly(size)).splitlines(keepends=True)
            await self._reader.readline()
        return self._lines.pop(0)
