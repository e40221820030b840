"""Who is logged in stays so over a new start of the hub, and nobody who should be out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hub.browsers import Browser
from starlette.requests import Request
from starlette.responses import Response

from damas_board.app.hub_service import _people, _sessions
from damas_board.config import read_config
from damas_board.hub.console import sessions as sessions_module
from damas_board.hub.console import throttle
from damas_board.hub.console.door import Door, answer
from damas_board.hub.console.people import People, Person
from damas_board.hub.console.session_store import Changes, KeptSession, SessionStore
from damas_board.hub.console.sessions import IDLE_SECONDS, KEPT_SECONDS, LONGEST_SECONDS, Session, Sessions
from damas_board.hub.console.throttle import OF_NAME, Throttle
from damas_board.hub.web import WebServer

ANA = Person("ana", "arbiter", "capivara".__eq__, "hash-of-ana")
OLGA = Person("olga", "organiser", "cegonha".__eq__, "hash-of-olga")
ROOM = "/console/api/room"


@dataclass
class Times:
    """A clock that never goes back, which each start begins anew, and the time of day."""

    run: float = 1000.0
    day: float = 1_700_000_000.0

    def now(self) -> float:
        return self.run

    def wall(self) -> float:
        return self.day

    def pass_(self, seconds: float) -> None:
        self.run += seconds
        self.day += seconds


@dataclass
class Start:
    """One run of a hub."""

    url: str
    door: Door
    sessions: Sessions
    written: list[Changes] = field(default_factory=list)

    def browser(self, cookie: str = "") -> Browser:
        return Browser(self.url, cookie=cookie)

    async def lets_in(self, cookie: str) -> bool:
        return (await self.browser(cookie).get(ROOM)).status == 200


@contextlib.asynccontextmanager
async def start(file: Path, times: Times, *people: Person, killed: bool = False) -> AsyncIterator[Start]:
    """`killed`: it ends without a word."""
    times.run = 5.0
    sessions = Sessions(times.now, times.wall)
    door = Door(People(people), sessions, "open", file=file, now=times.now, wall=times.wall)

    async def look(request: Request, session: Session) -> Response:
        return answer({"you": session.person.name, "role": session.person.role})

    await door.begin()
    async with WebServer({}, console=[*door.routes(), door.get("/api/room", look)]) as web:
        yield Start(web.url.rstrip("/"), door, sessions)
    if killed:
        store = door._keeper._store
        assert store is not None
        store.close()
    else:
        await door.end()


async def logged_in(there: Start, name: str = "ana", password: str = "capivara") -> str:
    browser = there.browser()
    assert (await browser.login(name, password)).status == 200
    return browser.cookie


def tells_nothing(file: Path, *secrets: str) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    content = b"".join(path.read_bytes() for path in file.parent.iterdir())
    for secret in secrets:
        assert secret.encode() not in content


@contextlib.contextmanager
def spoilt(file: Path, wrong: str) -> Iterator[None]:
    """What stands there is of no use, and stays as it is."""
    with contextlib.ExitStack() as stack:
        match wrong:
            case "damaged":
                file.write_bytes(b"no database" * 1000)
            case "folder":
                file.mkdir()
            case "in use":
                stack.callback(SessionStore(file).close)
            case _:
                with contextlib.closing(sqlite3.connect(file)) as db, db:
                    db.execute("CREATE TABLE sessions (a)")
        yield
        assert file.exists()
        assert wrong != "damaged" or file.read_bytes() == b"no database" * 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "publication-console.sqlite"


@pytest.mark.parametrize("killed", [False, True])
async def test_whoever_is_logged_in_stays_so_when_the_hub_starts_again_and_whoever_logged_out_is_out(
    file: Path, killed: bool
) -> None:
    times = Times()
    async with start(file, times, ANA, OLGA, killed=killed) as there:
        ana, olga = await logged_in(there), await logged_in(there, "olga", "cegonha")
        gone = there.browser(await logged_in(there))
        left = gone.cookie
        assert (await gone.post("/console/api/logout")).status == 200
    tells_nothing(file, *(cookie.partition("=")[2] for cookie in (ana, olga, left)), "capivara")
    times.pass_(60.0)
    async with start(file, times, ANA, OLGA) as there:
        assert (await there.browser(ana).get(ROOM)).body == {"you": "ana", "role": "arbiter"}
        assert (await there.browser(olga).get(ROOM)).body == {"you": "olga", "role": "organiser"}
        assert not await there.lets_in(left)
        assert not await there.lets_in("damas-open=x")
        assert (await there.browser(ana).post("/console/api/logout")).status == 200
    async with start(file, times, ANA, OLGA) as there:
        assert not await there.lets_in(ana)
        assert await there.lets_in(olga)


@pytest.mark.parametrize(
    "people",
    [
        (OLGA,),
        (replace(ANA, proof="another"), OLGA),
        (replace(ANA, role="organiser"), OLGA),
        (replace(ANA, proof=""), OLGA),
        (replace(ANA, proof="another", proves=lambda proof: False), OLGA),
    ],
)
async def test_a_login_that_is_gone_or_has_changed_is_out_for_good(file: Path, people: tuple[Person, ...]) -> None:
    times = Times()
    async with start(file, times, ANA, OLGA) as there:
        ana, olga = await logged_in(there), await logged_in(there, "olga", "cegonha")
    async with start(file, times, *people) as there:
        assert not await there.lets_in(ana)
        assert await there.lets_in(olga)
    async with start(file, times, ANA, OLGA) as there:
        assert not await there.lets_in(ana), "it is as before, but what ended has ended"


async def test_a_password_that_is_hashed_anew_at_each_start_is_still_the_same(file: Path) -> None:
    times = Times()
    async with start(file, times, ANA) as there:
        ana = await logged_in(there)
    asked: list[str] = []

    def proves(proof: str) -> bool:
        asked.append(proof)
        return proof == "hash-of-ana"

    async with start(file, times, replace(ANA, proof="second hash", proves=proves)) as there:
        assert await there.lets_in(ana)
    assert asked == ["hash-of-ana"]
    async with start(file, times, replace(ANA, proof="second hash")) as there:
        assert await there.lets_in(ana), "it is kept with the newest"


def test_what_a_configuration_says_of_its_logins_holds_from_start_to_start(tmp_path: Path) -> None:
    config = tmp_path / "hall.toml"
    secret = tmp_path / "ana.password"
    secret.touch(0o600)
    config.write_text(
        'meeting = "open"\ngateway = "gw"\n[broker]\nkind = "embedded"\nport = 0\n[hub]\nport = 0\n'
        f'[[user]]\nname = "ana"\nrole = "arbiter"\npassword_file = "{secret}"\n'
    )

    def ana(password: str) -> Person:
        secret.write_text(password)
        (found,) = _people(read_config(config))
        return found

    before = ana("capivara-do-rio")
    for person, same in ((ana("capivara-do-rio"), True), (ana("capivara-do-mar"), False)):
        assert (People([person]).still("ana", "arbiter", before.proof) is not None) == same
    assert People([Person("ana", "arbiter", before.matches)]).still("ana", "arbiter", "") is None
    assert before.proves is not None
    assert not before.proves("no hash at all")
    assert "capivara" not in repr(before)
    hashed = ana(before.proof)
    assert (People([hashed]).still("ana", "arbiter", before.proof) is not None, hashed.proves) == (True, None)
    settings = read_config(config).hub
    assert settings is not None
    assert _sessions(settings.store).parent == settings.store.parent
    assert _sessions(settings.store) != settings.store


@pytest.mark.parametrize(
    ("lasted", "down", "back", "stays"),
    [
        (0.0, IDLE_SECONDS - 1, 0.0, True),
        (0.0, IDLE_SECONDS, 0.0, False),
        (LONGEST_SECONDS - 100, 99.0, 0.0, True),
        (LONGEST_SECONDS - 100, 100.0, 0.0, False),
        (LONGEST_SECONDS - 100, 99.0, 50_000.0, True),
    ],
)
async def test_time_goes_on_while_no_hub_runs(file: Path, lasted: float, down: float, back: float, stays: bool) -> None:
    times = Times()
    async with start(file, times, ANA) as there:
        ana = await logged_in(there)
        for _ in range(int(lasted // 3600)):
            times.pass_(3600.0)
            assert await there.lets_in(ana)
        times.pass_(lasted % 3600)
        assert await there.lets_in(ana)
    times.day -= back
    times.pass_(down)
    async with start(file, times, ANA) as there:
        assert await there.lets_in(ana) == stays
        if back:
            times.pass_(100.0)
            assert not await there.lets_in(ana), "a clock that went back gives it no longer"


async def test_a_clock_that_is_set_back_while_the_hub_runs_gives_no_longer_either(file: Path) -> None:
    times = Times()
    async with start(file, times, ANA, killed=True) as there:
        ana = await logged_in(there)
        times.day -= 10_000.0
        await there.door.keep()
    times.pass_(IDLE_SECONDS)
    async with start(file, times, ANA) as there:
        assert not await there.lets_in(ana)


async def test_that_a_session_is_used_is_written_once_a_minute_at_most(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Changes] = []
    write = SessionStore.write
    monkeypatch.setattr(SessionStore, "write", lambda store, changes: (written.append(changes), write(store, changes)))
    times = Times()
    async with start(file, times, ANA, killed=True) as there:
        ana = await logged_in(there)
        written.clear()
        for _ in range(59):
            times.pass_(KEPT_SECONDS / 60)
            assert await there.lets_in(ana) if times.run % 10 < 1 else there.sessions.find(ana.partition("=")[2])
            await there.door.keep()
        assert written == []
        times.pass_(KEPT_SECONDS)
        assert await there.lets_in(ana)
        await there.door.keep()
        await there.door.keep()
        assert [len(changes.sessions) for changes in written] == [1]
        (session,) = there.sessions._sessions.values()
        session.streams = 1
        for _ in range(3):
            times.pass_(IDLE_SECONDS / 2)
            there.sessions.end_old()
            await there.door.keep()
        assert len(written) == 4, "whoever only listens is kept too"
    times.pass_(IDLE_SECONDS - 1)
    async with start(file, times, ANA) as there:
        assert await there.lets_in(ana)


@pytest.mark.parametrize("wrong", ["damaged", "folder", "in use", "of another program"])
async def test_a_file_that_cannot_be_used_costs_nothing_but_the_new_login_and_is_told_once(
    file: Path, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    times = Times()
    with spoilt(file, wrong):
        async with start(file, times, ANA) as there:
            ana = await logged_in(there)
            assert await there.lets_in(ana)
            times.pass_(KEPT_SECONDS)
            assert await there.lets_in(ana)
            await there.door.keep()
        told = [record for record in caplog.records if record.levelno >= logging.WARNING]
        assert len(told) == 1
        assert str(file) in told[0].getMessage()
    async with start(file, times, ANA) as there:
        assert not await there.lets_in(ana)


async def test_what_cannot_be_written_any_more_leaves_no_session_that_has_ended(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    times = Times()
    async with start(file, times, ANA) as there:
        ana, other = await logged_in(there), await logged_in(there)

        def full(store: SessionStore, changes: Changes) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(SessionStore, "_write", full)
        assert (await there.browser(ana).post("/console/api/logout")).status == 200
        assert await there.lets_in(other), "it lives in memory"
        third = await logged_in(there)
        assert await there.lets_in(third)
        monkeypatch.undo()
    assert [record.getMessage().count("disk is full") for record in caplog.records if record.levelno > 20] == [1]
    async with start(file, times, ANA) as there:
        assert not await there.lets_in(ana)


async def test_the_loop_does_not_wait_for_the_disk(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    write = SessionStore.write

    def slow(store: SessionStore, changes: Changes) -> None:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(30)
        write(store, changes)

    monkeypatch.setattr(SessionStore, "write", slow)
    async with start(file, Times(), ANA) as there:
        assert await there.lets_in(await logged_in(there))


async def test_where_a_name_was_right_it_is_not_kept_out_by_others_after_a_new_start_either(file: Path) -> None:
    times = Times()
    here, elsewhere = "127.0.0.1", "203.0.113.{}"
    async with start(file, times, ANA) as there:
        await logged_in(there)
    for days, known in ((1, True), (31, False)):
        times.day += days * 86400.0
        async with start(file, times, ANA) as there:
            counted = there.door._throttle
            for number in range(2 * OF_NAME):
                counted.begun("ana", elsewhere.format(number))
            assert counted.seconds("ana", elsewhere.format(250)) > 0
            assert (counted.seconds("ana", here) <= 0) == known


def test_the_places_where_names_were_right_are_hashed_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    times = Times()
    monkeypatch.setattr(throttle, "MOST_REMEMBERED", 3)
    counted = Throttle(times.now, times.wall)
    for number in range(5):
        times.pass_(1.0)
        counted.right("ana", f"192.0.2.{number}")
    known, forgotten = counted.changes()
    assert (len(known), len(forgotten)) == (3, 2)
    assert counted.changes() == ((), ())
    assert not any(b"ana" in place or b"192" in place for place, _ in known)
    again = Throttle(times.now, times.wall)
    again.resume(sorted(known, key=lambda one: one[1]))
    assert len(again._right) == 3
    times.pass_(throttle.KNOWN_SECONDS - 1.5)
    late = Throttle(times.now, times.wall)
    late.resume(sorted(known, key=lambda one: one[1]))
    assert len(late._right) == 2
    assert len(late.changes()[1]) == 1


def test_a_persons_sessions_are_as_many_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "MOST_OF_PERSON", 2)
    times = Times()
    sessions = Sessions(times.now, times.wall)
    for number in range(2):
        kept = KeptSession(bytes([number]), "ana", "arbiter", ANA.proof, times.day - 100, times.day - 50 + number)
        sessions.resume(kept, ANA)
    sessions.begin(ANA)
    assert sessions.changes()[1] == (bytes([0]),)
