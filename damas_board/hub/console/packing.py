"""What is answered, packed by gzip for who takes that: a hall is told to phones, over the air.

A stream is packed as it goes: after each piece that is written all of it can be read.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from damas_board.hub.web import takes_gzip

LEVEL = 5
SMALL = 1000
"""Bytes that are not worth it."""
_GZIP = zlib.MAX_WBITS + 16


def packed(request: Request, body: bytes, headers: Mapping[str, str]) -> Response:
    """A JSON answer."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if takes_gzip(request) and len(body) > SMALL:
        body, headers = gzip.compress(body, LEVEL), {**headers, "Content-Encoding": "gzip"}
    return Response(body, 200, headers, "application/json")


class Packed(Response):
    """A stream, as `request` takes it."""

    def __init__(self, request: Request, stream: Response) -> None:
        super().__init__()
        self._takes = takes_gzip(request)
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        packing = zlib.compressobj(LEVEL, zlib.DEFLATED, _GZIP) if self._takes else None

        async def sent(message: Message) -> None:
            if packing is not None and message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Encoding"] = "gzip"
                headers.add_vary_header("Accept-Encoding")
                if "Content-Length" in headers:
                    del headers["Content-Length"]
            elif packing is not None and message["type"] == "http.response.body":
                goes_on = message.get("more_body", False)
                mode = zlib.Z_SYNC_FLUSH if goes_on else zlib.Z_FINISH
                message = {**message, "body": packing.compress(message.get("body", b"")) + packing.flush(mode)}
            await send(message)

        await self._stream(scope, receive, sent)
