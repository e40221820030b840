"""Who gets in at the console: names and passwords, how often, from where, over what; and how long that lasts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from broker.authorities import Authority
from hub.browsers import Browser
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from damas_board.hub.console import door as doors
from damas_board.hub.console import throttle
from damas_board.hub.console.door import HEADERS, Door, answer
from damas_board.hub.console.people import People, Person
from damas_board.hub.console.sessions import IDLE_SECONDS, LONGEST_SECONDS, MOST_OF_PERSON, Session, Sessions
from damas_board.hub.console.throttle import FORGOTTEN_SECONDS, FREE, FREE_OF_ADDRESS, Throttle, network
from damas_board.hub.web import WebServer

ANA = Person("ana", "arbiter", "capivara".__eq__)
OLGA = Person("olga", "organiser", "cegonha".__eq__)
REMOTE = {"X_Forwarded_For": "203.0.113.9"}
"""What a proxy on this machine says of a browser elsewhere."""


@dataclass
class Clock:
    at: float = 1000.0

    def __call__(self) -> float:
        return self.at


@dataclass
class House:
    """A door with one room behind it, `/api/room`, and what was said there."""

    url: str
    clock: Clock
    sessions: Sessions
    said: list[object] = field(default_factory=list)

    def browser(self, **more: object) -> Browser:
        return Browser(self.url, **more)  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def house(*people: Person, tls: ssl.SSLContext | None = None) -> AsyncIterator[House]:
    clock = Clock()
    sessions = Sessions(clock)
    door = Door(People(people), sessions, "open", now=clock)
    said: list[object] = []

    async def look(request: Request, session: Session) -> Response:
        return answer({"you": session.person.name})

    async def say(request: Request, session: Session, body: dict[str, object]) -> Response:
        said.append(body)
        return answer({"you": session.person.name})

    routes = [*door.routes(), door.get("/api/room", look), door.post("/api/room", say, largest=100)]
    async with WebServer({}, tls=tls, console=routes) as web:
        yield House(web.url.rstrip("/"), clock, sessions, said)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "WRONG_SECONDS", 0.01)


async def test_only_the_right_name_with_the_right_password_gets_in() -> None:
    async with house(ANA, OLGA) as there:
        wrong = [("ana", "cegonha"), ("ana", ""), ("olga", "capivara"), ("gw-1", "capivara"), ("", "")]
        for name, password in [*wrong, ("Ana", "capivara")]:
            stranger = there.browser()
            found = await stranger.login(name, password)
            assert (found.status, found.reason) == (401, "wrong_login"), name
            assert "set-cookie" not in found.headers
            assert (await stranger.get("/console/api/room")).status == 401
        ana = there.browser()
        found = await ana.login("ana", "capivara")
        assert (found.status, found.body) == (200, {"name": "ana", "role": "arbiter"})
        assert (await ana.get("/console/api/room")).body == {"you": "ana"}
        assert (await there.browser(cookie="damas-open=x").get("/console/api/room")).status == 401


async def test_a_wrong_login_is_answered_late_and_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "WRONG_SECONDS", 0.3)
    async with house(ANA) as there:
        for name in ("ana", "nobody"):
            begun = asyncio.get_running_loop().time()
            assert (await there.browser().login(name, "x")).status == 401
            assert asyncio.get_running_loop().time() - begun >= 0.3
        monkeypatch.setattr(doors, "MOST_WAITING", 0)
        found = await there.browser().login("ana", "capivara")
        assert (found.status, found.body) == (429, {"reason": "too_many", "seconds": 1})


async def test_where_the_configuration_has_nobody_nobody_gets_in() -> None:
    async with house() as there:
        found = await there.browser().login("ana", "capivara")
        assert (found.status, found.reason) == (404, "nobody")


async def test_the_cookie_is_for_this_server_alone_and_over_tls_for_tls_alone(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    authority = Authority(require_program("openssl"), tmp_path / "hall")
    certificate, key = authority.certificate()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with house(ANA, tls=context) as there:
        assert there.url.startswith("https:")
        ana = there.browser(tls=authority.trusted())
        kept = (await ana.login("ana", "capivara")).headers["set-cookie"]
        parts = {part.strip().lower() for part in kept.split(";")[1:]}
        assert parts == {"httponly", "path=/console", "samesite=strict", "secure"}
        assert (await ana.get("/console/api/room")).status == 200
        assert (await ana.post("/console/api/room")).status == 200
    async with house(ANA) as there:
        kept = (await there.browser().login("ana", "capivara")).headers["set-cookie"]
        assert "secure" not in kept.lower()
        assert "max-age" not in kept.lower()


@pytest.mark.parametrize(
    ("host", "headers", "private"),
    [
        (None, {}, True),
        ("localhost:9", {}, True),
        ("damas.example", {}, False),  # a proxy on this machine that does not say over what it was asked
        (None, REMOTE, False),
        ("damas.example", {**REMOTE, "X_Forwarded_Proto": "http"}, False),
        ("damas.example", {**REMOTE, "X_Forwarded_Proto": "https"}, True),
    ],
)
async def test_a_password_is_taken_over_tls_or_within_this_machine_only(
    host: str | None, headers: dict[str, str], private: bool
) -> None:
    async with house(ANA) as there:
        ana = there.browser(host=host, headers=headers)
        before = await ana.get("/console/api/room")
        assert (before.status, before.body["private"]) == (401, private)
        ana.headers |= {"Origin": ana.origin.replace("http:", f"{headers.get('X_Forwarded_Proto', 'http')}:")}
        found = await ana.login("ana", "capivara", Origin=ana.headers["Origin"])
        assert (found.status, found.body.get("reason")) == ((200, None) if private else (403, "needs_tls"))
        assert ("secure" in found.headers.get("set-cookie", "").lower()) == (
            headers.get("X_Forwarded_Proto") == "https"
        )


async def test_what_a_page_of_another_server_asks_is_not_done() -> None:
    async with house(ANA) as there:
        ana = there.browser()
        await ana.login("ana", "capivara")
        port = there.url.rpartition(":")[2]
        foreign = ("", "null", "http://evil.example", f"http://127.0.0.1:{int(port) + 1}", f"ftp://127.0.0.1:{port}")
        for origin in (*foreign, "http://127.0.0.1", f"http://127.0.0.1:{port}.evil.example"):
            for path in ("login", "logout", "room"):
                found = await ana.post(f"/console/api/{path}", Origin=origin)
                assert (found.status, found.reason) == (403, "foreign"), origin
        assert there.said == []
        assert (await ana.post("/console/api/room", Origin=there.url)).status == 200
        found = await ana.get("/console/api/room", Origin="http://evil.example")
        assert not any(name.startswith("access-control") for name in found.headers)


async def test_what_is_asked_is_a_json_object_of_a_bounded_size() -> None:
    async with house(ANA) as there:
        ana = there.browser()
        await ana.login("ana", "capivara")
        room = "/console/api/room"
        assert (await ana.post(room, Content_Type="text/plain")).reason == "not_json"
        assert (await ana.post(room, Content_Type="")).reason == "not_json"
        assert (await ana.post(room, b"{")).reason == "unreadable"
        assert (await ana.post(room, [1])).reason == "unreadable"
        assert (await ana.post(room, b'{"a": NaN}')).reason == "unreadable"
        assert (await ana.post(room, {"a": "x" * 100})).status == 413
        assert there.said == []
        assert (await ana.post(room, {"a": "x" * 80}, Content_Type="application/json; charset=utf-8")).status == 200
        assert (await ana.login("ana", "x" * 20_000)).status == 413


async def test_one_person_who_is_wrong_must_wait_longer_and_longer_and_others_need_not() -> None:
    async with house(ANA, OLGA) as there:
        thief = there.browser(headers={**REMOTE, "X_Forwarded_Proto": "https"})
        ana = there.browser()
        assert (await ana.login("ana", "capivara")).status == 200
        for _ in range(FREE):
            assert (await thief.login("ana", "x")).status == 401
        found = await thief.login("ana", "capivara")
        assert (found.status, found.body) == (429, {"reason": "too_many", "seconds": 2})
        assert found.headers["retry-after"] == "2"
        assert (await ana.login("ana", "capivara")).status == 200, "who was in from there is not kept out"
        assert (await there.browser().login("olga", "cegonha")).status == 200
        there.clock.at += 2.0
        assert (await thief.login("ana", "x")).status == 401
        assert (await thief.login("ana", "x")).body["seconds"] == 4
        there.clock.at += 4.0
        assert (await thief.login("ana", "capivara")).status == 200
        assert (await thief.login("ana", "x")).status == 401, "all is forgotten"


async def test_names_that_nobody_has_are_counted_like_others_and_an_address_is_counted_for_all_names() -> None:
    async with house(ANA) as there:
        stranger = there.browser()
        assert [(await stranger.login("nemo", "x")).status for _ in range(FREE + 1)] == [401] * FREE + [429]
        for number in range(FREE_OF_ADDRESS - FREE):
            assert (await stranger.login(f"nemo-{number}", "x")).status == 401
        assert (await stranger.login("ana", "capivara")).status == 429
        there.clock.at += FORGOTTEN_SECONDS
        assert (await stranger.login("ana", "capivara")).status == 200
        for number in range(FREE_OF_ADDRESS):
            assert (await stranger.login(f"nemo-{number}", "x")).status == 401
        assert (await stranger.login("nemo", "x")).status == 429
        assert (await there.browser().login("ana", "capivara")).status == 200, "who was in from there is not kept out"


def test_attempts_at_the_same_time_count_from_their_beginning_and_all_is_forgotten_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    counted = Throttle(clock)
    for _ in range(FREE):
        assert counted.seconds("ana", "192.0.2.1") == 0
        counted.begun("ana", "192.0.2.1")
    assert counted.seconds("ana", "192.0.2.1") > 0
    for _ in range(30):
        counted.begun("ana", "192.0.2.1")
    assert counted.seconds("ana", "192.0.2.1") == throttle.LONGEST_SECONDS
    clock.at += throttle.FORGOTTEN_SECONDS
    assert counted.seconds("ana", "192.0.2.1") == 0
    monkeypatch.setattr(throttle, "MOST_REMEMBERED", 10)
    for number in range(50):
        counted.begun(f"n-{number}", "192.0.2.1")
        counted.begun(f"n-{number}", f"192.0.2.{number}")
    assert len(counted._wrong) <= 10
    assert len(counted._elsewhere) <= 10


def test_whoever_tries_a_name_all_day_from_one_address_keeps_nobody_out_and_from_many_is_slowed_down() -> None:
    clock = Clock()
    counted = Throttle(clock)
    for _ in range(8 * 3600):
        clock.at += 1.0
        if counted.seconds("ana", "192.0.2.1") <= 0:
            counted.begun("ana", "192.0.2.1")
        assert counted.seconds("ana", "198.51.100.1") <= 0
    counted.begun("ana", "198.51.100.1")
    counted.right("ana", "198.51.100.1")
    tried = 0
    for second in range(3600):
        clock.at += 1.0
        address = f"203.0.113.{second % 250}"
        if counted.seconds("ana", address) <= 0:
            counted.begun("ana", address)
            tried += 1
        assert counted.seconds("ana", "198.51.100.1") <= 0, "who was in from there is not kept out"
    assert tried <= throttle.OF_NAME + 3600 / throttle.NAME_SECONDS + 1


@pytest.mark.parametrize(
    ("address", "counted"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("::ffff:192.0.2.1", None), ("", "")],
)
def test_of_ipv6_a_whole_network_is_one_address(address: str, counted: str | None) -> None:
    assert network(address) == (counted if counted is not None else network(address))
    assert "/" not in network("::ffff:192.0.2.1")


async def test_a_password_that_is_looked_at_for_long_holds_up_nobody() -> None:
    looked, go_on = threading.Event(), threading.Event()

    def slow(password: str) -> bool:
        looked.set()
        return go_on.wait(30) and password == "x"

    async with house(Person("ana", "arbiter", slow), OLGA) as there:
        logging_in = asyncio.create_task(there.browser().login("ana", "x"))
        assert await asyncio.to_thread(looked.wait, 30)
        assert (await there.browser().get("/console/api/room")).status == 401
        assert (await there.browser().login("olga", "cegonha")).status == 200
        go_on.set()
        assert (await logging_in).status == 200


async def test_a_name_that_nobody_has_costs_as_much_as_a_wrong_password() -> None:
    looked: list[str] = []

    def matches(password: str) -> bool:
        looked.append(password)
        return password == "right"

    people = People([Person("ana", "arbiter", matches)])
    assert await people.person("ana", "wrong") is None
    assert await people.person("nemo", "wrong") is None
    assert await people.person("nemo", "right") is None
    assert looked == ["wrong", "wrong", "right"]


async def test_whoever_logs_out_is_out_and_nobody_else() -> None:
    async with house(ANA) as there:
        phone, laptop = there.browser(), there.browser()
        for browser in (phone, laptop):
            await browser.login("ana", "capivara")
        old = phone.cookie
        assert old != laptop.cookie
        assert (await phone.post("/console/api/logout")).status == 200
        assert phone.cookie in ("damas-open=", 'damas-open=""')
        for cookie in (phone.cookie, old):
            assert (await there.browser(cookie=cookie).get("/console/api/room")).status == 401
        assert (await laptop.get("/console/api/room")).status == 200
        was = laptop.cookie
        await laptop.login("ana", "capivara")
        assert (await there.browser(cookie=was).get("/console/api/room")).status == 401, "a new login ends the old one"


async def test_a_session_ends_when_it_is_idle_and_after_a_day_even_if_it_is_not() -> None:
    async with house(ANA) as there:
        ana = there.browser()
        await ana.login("ana", "capivara")
        used = 0.0
        while used + IDLE_SECONDS - 1 < LONGEST_SECONDS:
            there.clock.at += IDLE_SECONDS - 1
            used += IDLE_SECONDS - 1
            assert (await ana.get("/console/api/room")).status == 200
        there.clock.at += LONGEST_SECONDS - used
        assert (await ana.get("/console/api/room")).status == 401
        await ana.login("ana", "capivara")
        there.clock.at += IDLE_SECONDS
        assert (await ana.get("/console/api/room")).status == 401


async def test_a_login_that_the_configuration_has_no_more_is_over_with_the_next_start() -> None:
    async with house(ANA, OLGA) as there:
        ana = there.browser()
        await ana.login("ana", "capivara")
        assert (await ana.get("/console/api/room")).status == 200
    async with house(OLGA) as there:
        ana = there.browser(cookie=ana.cookie)
        assert (await ana.get("/console/api/room")).status == 401
        assert (await ana.login("ana", "capivara")).status == 401


def test_an_open_stream_uses_its_session_and_ends_with_it() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    session = sessions.find(sessions.begin(ANA))
    assert session is not None
    session.streams = 1
    for _ in range(5):
        clock.at += IDLE_SECONDS - 1
        sessions.end_old()
    assert not session.over.is_set()
    session.streams = 0
    clock.at += IDLE_SECONDS
    sessions.end_old()
    assert session.over.is_set()
    session = sessions.find(sessions.begin(ANA))
    assert session is not None
    session.streams = 1
    clock.at += LONGEST_SECONDS
    sessions.end_old()
    assert session.over.is_set(), "after a day of play it is over, whatever is open"


def test_a_person_has_no_more_than_so_many_sessions() -> None:
    sessions = Sessions(Clock())
    others = sessions.begin(OLGA)
    tokens = [sessions.begin(ANA) for _ in range(MOST_OF_PERSON)]
    assert sessions.find(tokens[0]) is not None
    newest = sessions.begin(ANA)
    assert [token for token in [*tokens, newest, others] if sessions.find(token) is None] == [tokens[1]]


async def test_whatever_is_answered_under_the_console_has_its_headers() -> None:
    async def fails(request: Request) -> Response:
        raise RuntimeError

    routes = [*Door(People([ANA]), Sessions(), "open").routes(), Route("/fails", fails, methods=["GET"])]
    public = [Route("/consoles", lambda request: Response("everybody's"), methods=["GET"])]
    async with WebServer({}, public=public, console=routes) as web:
        stranger = Browser(web.url.rstrip("/"))
        for method, path, status in (
            *(("GET", "/console/api/login", 405), ("OPTIONS", "/console/api/login", 405), ("PUT", "/console", 405)),
            *(("GET", "/console", 307), ("GET", "/console/nothing", 404), ("GET", "/console/fails", 500)),
        ):
            answer = await stranger.ask(method, path)
            assert answer.status == status, path
            for name, value in HEADERS.items():
                assert answer.headers.get(name.lower()) == value, (method, path, name)
        assert "x-frame-options" not in (await stranger.get("/consoles")).headers


async def test_no_password_and_no_cookie_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with house(ANA) as there:
        ana = there.browser()
        await ana.login("ana", "wrong-secret")
        await ana.login("ana", "capivara")
        await ana.post("/console/api/room", b"capivara{")
        token = ana.cookie.partition("=")[2]
        assert len(token) > 40
        assert "capivara" not in caplog.text
        assert "wrong-secret" not in caplog.text
        assert token not in caplog.text
    assert "capivara" not in repr(ANA)
