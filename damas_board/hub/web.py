"""The hub's HTTP server: finished pages from memory, with ETags, and the routes of what people look at.

What anybody may read is answered with the headers of `PUBLIC_HEADERS` and may be asked for from any other page (CORS).
The console's routes get neither. Nothing that is public is computed on request.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import re
import socket
import ssl
from collections.abc import Callable, Generator, Mapping, Sequence
from types import TracebackType
from typing import Self, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from damas_board.hub.errors import HubError
from damas_board.hub.pages import HTML, Page

log = logging.getLogger(__name__)

FRESH_SECONDS = 2
"""How long a cache on the way may give a page out again without asking."""
CONNECTIONS = 1000
PUBLIC_CONNECTIONS = 900
"""Beyond so many the public is asked to come again: the others are left to the console."""
AGAIN_SECONDS = 20
IDLE_SECONDS = 15
ASKS_SECONDS = 10
"""Within this time a new connection has asked for something, its headers complete."""
GOODBYE_SECONDS = 1
"""How long a connection may take for what it still has to write when the server stops; then it is cut."""
GONE_SECONDS = 30
"""A connection whose other end takes nothing for so long is cut, where the system can do that by itself."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'"
)
"""What any page may load: what this server has, and no script or style that stands in a page."""
PUBLIC_HEADERS = {
    "Cache-Control": f"public, max-age={FRESH_SECONDS}",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
}
"""Public pages may be embedded by any other."""
NO_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>damas_board</title>
<link rel="icon" href="/assets/live-icon.svg">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/files.css">
<script src="/assets/live-theme.js"></script>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p lang="pt">Esta página não existe</p>
<p><a href="/">To the live page · <span lang="pt">À página em direto</span></a></p>
</main>
</body>
</html>
"""
ASSETS = "/assets/"
CONSOLE = "/console"
CONSOLE_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Of every answer of the console: nobody keeps it, embeds it or reads it from another page."""


def answered(page: Page, request: Request, headers: Mapping[str, str] = PUBLIC_HEADERS) -> Response:
    """A page, compressed for who takes that, or 304 where the asker has it already."""
    body, etag = page.body, page.etag
    headers = {**headers, **({} if page.packed is None else {"Vary": "Accept-Encoding"})}
    if page.packed is not None and takes_gzip(request):
        body, etag = page.packed, f'{page.etag[:-1]}-gz"'
        headers["Content-Encoding"] = "gzip"
    headers["ETag"] = etag
    asked = request.headers.get("if-none-match", "")
    if asked.strip() == "*" or etag in [one.strip().removeprefix("W/") for one in asked.split(",")]:
        return Response(None, 304, {name: value for name, value in headers.items() if name != "Content-Encoding"})
    return Response(body, 200, headers, page.type)


def takes_gzip(request: Request) -> bool:
    """Whether who asks takes what is packed by gzip."""
    listed = request.headers.get("accept-encoding", "").lower().split(",")
    return any(re.fullmatch(r"(?:x-)?gzip(?:\s*;\s*q=(?!0(?:\.0*)?$)[\d.]+)?", one.strip()) for one in listed)


def not_found() -> Response:
    return Response("not found\n", 404, {**PUBLIC_HEADERS, "Cache-Control": "no-store"}, "text/plain")


def no_page(request: Request) -> Response:
    """As `not_found`, for a person with the way back."""
    if "text/html" not in request.headers.get("accept", ""):
        return not_found()
    return Response(NO_PAGE, 404, {**PUBLIC_HEADERS, "Cache-Control": "no-store", "Vary": "Accept"}, HTML)


def application(
    pages: Mapping[str, Page],
    public: Sequence[BaseRoute] = (),
    console: Sequence[BaseRoute] = (),
    is_full: Callable[[], bool] = lambda: False,
) -> ASGIApp:
    """Serves `pages` as they are at the time of a request (`.PDN` is `.pdn`), behind the routes that are `public`, and
    the `console`'s under /console. While the server `is_full`, all but the console's requests are answered by 503."""

    async def page(request: Request) -> Response:
        path = request.url.path
        found = pages.get(f"{path[:-4]}.pdn" if path.endswith(".PDN") else path)
        return no_page(request) if found is None else answered(found, request)

    anyone = Middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD"],
        allow_headers=["If-None-Match"],
        expose_headers=["ETag"],
    )
    served = [*public, Route("/{path:path}", page, methods=["GET"])]
    everybody = Mount("/", routes=served, middleware=[anyone, Middleware(_Room, is_full)])
    if not console:
        return Starlette(routes=[everybody])
    to_console = Route(CONSOLE, lambda request: RedirectResponse(f"{CONSOLE}/"), methods=["GET"])
    return _Private(Starlette(routes=[to_console, Mount(CONSOLE, routes=list(console)), everybody]))


class _Room:
    """Sends everybody away while there is no room, but for what the console's page loads too; the connection is closed,
    so that there is room again."""

    def __init__(self, served: ASGIApp, is_full: Callable[[], bool]) -> None:
        self._served = served
        self._is_full = is_full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_full():
            await self._served(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        headers = {**PUBLIC_HEADERS, "Cache-Control": "no-store", "Retry-After": str(AGAIN_SECONDS)}
        refused = Response("too many connections\n", 503, headers, "text/plain")
        await (self._served if scope["path"].startswith(ASSETS) else refused)(scope, receive, sent)


class _Private:
    """Whatever is answered under /console has its headers, also where no route answers: a wrong method, a failure."""

    def __init__(self, served: ASGIApp) -> None:
        self._served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not f"{scope['path']}/".startswith(f"{CONSOLE}/"):
            await self._served(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in CONSOLE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._served(scope, receive, sent)


class _Connection(H11Protocol):
    """One on which no request has come whole within `ASKS_SECONDS`, the first or one that was begun behind another, is
    closed: connections are bounded, and whoever only holds them would keep everybody else out."""

    _unasked: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._answers:
            self._forget_waiting()
        else:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_waiting()
        super().connection_lost(exc)

    @property
    def _answers(self) -> bool:
        """Whether a request is here that has not been answered."""
        cycle = cast(RequestResponseCycle | None, self.cycle)  # None until the first request
        return cycle is not None and not cycle.response_complete

    def _await_request(self) -> None:
        if self._unasked is None and not self.transport.is_closing():
            self._unasked = self.loop.call_later(ASKS_SECONDS, self._close_if_unasked)

    def _forget_waiting(self) -> None:
        if self._unasked is not None:
            self._unasked.cancel()
            self._unasked = None

    def _close_if_unasked(self) -> None:
        self._unasked = None
        if not self._answers and not self.transport.is_closing():
            self.transport.close()


class _Server(uvicorn.Server):
    """Leaves the process's signals alone: whoever runs the hub stops it."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class WebServer:
    """`async with WebServer(pages, ...)`: listens for the time of the block. HubError where it cannot."""

    def __init__(
        self,
        pages: Mapping[str, Page],
        host: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        public: Sequence[BaseRoute] = (),
        console: Sequence[BaseRoute] = (),
    ) -> None:
        self.host = host
        self.port = port
        self._tls = tls
        self._application = application(pages, public, console, self._is_full)
        self._listening: socket.socket | None = None
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the pages."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"{'http' if self._tls is None else 'https'}://{shown}:{self.port}/"

    def _is_full(self) -> bool:
        """Whether what connections are left are the console's."""
        return self._server is not None and len(self._server.server_state.connections) > PUBLIC_CONNECTIONS

    def listen(self) -> socket.socket:
        """Take the port, before anything else is begun that would have to be stopped again where it is taken."""
        if self._listening is None:
            self._listening = _listening(self.host, self.port)
            self.port = self._listening.getsockname()[1]
        return self._listening

    def release(self) -> None:
        """Give the port back; to be called also where the block was never entered."""
        if self._listening is not None:
            self._listening.close()

    async def __aenter__(self) -> Self:
        listening = self.listen()
        config = uvicorn.Config(
            self._application,
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            lifespan="off",
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=2 * GOODBYE_SECONDS,
            http=_Connection,
            ws="none",
            forwarded_allow_ips=["127.0.0.1", "::1"],  # what a proxy on this machine says of who asks, and over what
        )
        config.load()
        config.ssl = self._tls
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve([listening]), name="web")
        begun = asyncio.create_task(self._server.listening.wait())
        await asyncio.wait([begun, self._task], return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if self._task.done():
            self._task.result()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            await asyncio.wait([self._task], timeout=GOODBYE_SECONDS)
            for connection in list(self._server.server_state.connections):
                connection.transport.abort()  # whoever does not read would be waited for
            await asyncio.gather(self._task, return_exceptions=True)


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise HubError("hub_cannot_listen", host=host, port=port, reason=error.strerror or str(error)) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_SECONDS * 1000)
        listening.bind(address)
        listening.listen(128)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise HubError("hub_port_taken", host=host, port=port) from error
        raise HubError("hub_cannot_listen", host=host, port=port, reason=error.strerror or str(error)) from error
    return listening
