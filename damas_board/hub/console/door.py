"""What stands before every route of the console: a session, a page of our own that asks, JSON of a bounded size.

    door.get("/api/me", me)             async def me(request, session) -> Response
    door.post("/api/command", command)  async def command(request, session, body) -> Response

Without a session nothing but the login itself is answered, and whether a password may be sent from there at all
(`private`). An answer that is a refusal is raised as `Refused`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from damas_board.hub.console.keeper import Keeper
from damas_board.hub.console.people import People
from damas_board.hub.console.sessions import Session, Sessions
from damas_board.hub.console.throttle import Throttle
from damas_board.hub.web import CONSOLE_HEADERS
from damas_board.messages.json_text import JsonError, read_json

HEADERS = CONSOLE_HEADERS
LARGEST = 16 * 1024
"""Bytes of what is asked, where a route takes no more."""
LONGEST_SECONDS = 15.0
"""What is asked has come by then."""
WRONG_SECONDS = 0.4
"""No wrong login is answered sooner, whatever was wrong with it."""
MOST_WAITING = 20
"""Logins that are looked at, or wait to be."""

Answering = Callable[[Request, Session], Awaitable[Response]]
AnsweringBody = Callable[[Request, Session, dict[str, Any]], Awaitable[Response]]


class Refused(Exception):
    """What is asked is not given: an answer of `status` that says `reason`, a code, and what else there is to say."""

    def __init__(self, status: int, reason: str, **more: Any) -> None:
        super().__init__(reason)
        self.status = status
        self.body = {"reason": reason, **more}


def answer(body: Any, status: int = 200, headers: Mapping[str, str] = HEADERS) -> Response:
    """A JSON answer of the console."""
    return Response(encoded(body), status, headers, "application/json")


def encoded(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


class Door:
    """`name` tells the cookie from that of another meeting on this machine.

    Between `begin` and `end` who is logged in is kept in `file`, if there is one, whenever `keep` is called.
    """

    def __init__(
        self,
        people: People,
        sessions: Sessions,
        name: str,
        *,
        file: Path | None = None,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._people = people
        self._sessions = sessions
        self._cookie = f"damas-{name}"
        self._throttle = Throttle(now, wall)
        self._keeper = Keeper(file, people, sessions, self._throttle)
        self.begin, self.keep, self.end = self._keeper.begin, self._keeper.keep, self._keeper.end
        self._waiting = 0

    def get(self, path: str, answering: Answering) -> Route:
        """A route that is answered to whoever is logged in."""

        async def asked(request: Request) -> Response:
            return await answering(request, self._session(request))

        return Route(path, _answered(asked), methods=["GET"])

    def post(self, path: str, answering: AnsweringBody, *, largest: int = LARGEST) -> Route:
        """The same for what is done: a JSON object, of at most so many bytes, from a page of our own."""

        async def asked(request: Request) -> Response:
            _from_here(request)
            session = self._session(request)
            return await answering(request, session, await _body(request, largest))

        return Route(path, _answered(asked), methods=["POST"])

    def routes(self) -> list[Route]:
        """The login and the logout."""
        return [
            Route("/api/login", _answered(self._login), methods=["POST"]),
            Route("/api/logout", _answered(self._logout), methods=["POST"]),
        ]

    def still(self, request: Request) -> bool:
        """Whether the session of a request, which may be a long one, goes on; it is used now."""
        return self._sessions.find(self._token(request)) is not None

    def _token(self, request: Request) -> str:
        return request.cookies.get(self._cookie, "")

    def _session(self, request: Request) -> Session:
        session = self._sessions.find(self._token(request))
        if session is None:
            raise Refused(401, "no_session", private=is_private(request))
        return session

    async def _login(self, request: Request) -> Response:
        _from_here(request)
        if not is_private(request):
            raise Refused(403, "needs_tls")
        body = await _body(request, LARGEST)
        name, password = body.get("name"), body.get("password")
        if not isinstance(name, str) or not isinstance(password, str):
            raise Refused(400, "unreadable", detail='"name" and "password" are texts')
        if not self._people:
            raise Refused(404, "nobody")
        address = "" if request.client is None else request.client.host
        seconds = self._throttle.seconds(name, address)
        if seconds > 0 or self._waiting >= MOST_WAITING:
            wait = max(1, math.ceil(seconds))
            return answer({"reason": "too_many", "seconds": wait}, 429, {**HEADERS, "Retry-After": str(wait)})
        return await self._checked(request, name, password, address)

    async def _checked(self, request: Request, name: str, password: str, address: str) -> Response:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self._throttle.begun(name, address)
        self._waiting += 1
        try:
            person = await self._people.person(name, password)
        finally:
            self._waiting -= 1
        if person is None:
            await asyncio.sleep(begun + WRONG_SECONDS - loop.time())
            raise Refused(401, "wrong_login")
        self._throttle.right(name, address)
        self._sessions.end(self._token(request))
        response = answer({"name": person.name, "role": person.role})
        self._set_cookie(request, response, self._sessions.begin(person))
        await self.keep()
        return response

    async def _logout(self, request: Request) -> Response:
        _from_here(request)
        self._session(request)
        self._sessions.end(self._token(request))
        await self.keep()
        response = answer({})
        self._set_cookie(request, response, "", 0)
        return response

    def _set_cookie(self, request: Request, response: Response, token: str, age: int | None = None) -> None:
        """Without an age it is the browser's to forget; how long the session lasts is decided here."""
        response.set_cookie(
            self._cookie,
            token,
            max_age=age,
            path="/console",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )


def is_private(request: Request) -> bool:
    """Whether nobody on the way can read what is sent: over TLS, or within this machine.

    What a proxy on this machine says of its own connection counts (`X-Forwarded-Proto`); one that says nothing is told
    from a browser on this machine by the name that it was asked for.
    """
    if request.url.scheme == "https":
        return True
    return request.client is not None and _is_loopback(request.client.host) and _is_loopback(request.url.hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _from_here(request: Request) -> None:
    """Refused where the page that asks is not of this server: a browser says of which it is."""
    origin = urlsplit(request.headers.get("origin", ""))
    if origin.scheme not in ("http", "https") or origin.netloc != request.headers.get("host"):
        raise Refused(403, "foreign")


async def _body(request: Request, largest: int) -> dict[str, Any]:
    """The JSON object that a request brings; Refused where it is none, or too large, or does not come."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "not_json")
    payload = bytearray()
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            async for chunk in request.stream():
                payload += chunk
                if len(payload) > largest:
                    raise Refused(413, "too_large", largest=largest)
    except TimeoutError as error:
        raise Refused(408, "too_slow") from error
    except ClientDisconnect as error:
        raise Refused(400, "unreadable") from error
    try:
        body = read_json(payload)
    except JsonError as error:
        raise Refused(400, "unreadable", detail=str(error)) from error
    if not isinstance(body, dict):
        raise Refused(400, "unreadable", detail="not a JSON object")
    return body


def _answered(asked: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        try:
            return await asked(request)
        except Refused as refused:
            return answer(refused.body, refused.status)

    return respond
