"""The console's parts put together, and its routes.

Who is logged in is told the hall as a stream (hub/event_ring.py): a snapshot, then each thing that has changed, as it
is then. Changes of a moment are told together, so that a hall in which much happens floods nobody.

A game's moves are told once. A snapshot has its games without their `plies`; whoever looks at one asks for it. Its
event says the `version` that it follows, `base`, how many plies of that stay, `keep`, and those behind, `plies`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from weakref import WeakValueDictionary

import aiomqtt
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.assets import asset, words_page
from damas_board.hub.console import feed_words, round_words
from damas_board.hub.console.desk import CommandDesk, NoAnswerError, joined, text_of
from damas_board.hub.console.door import HEADERS, Door, Refused, answer, encoded
from damas_board.hub.console.evidence import shown_evidence
from damas_board.hub.console.hall import Hall
from damas_board.hub.console.legal import legal
from damas_board.hub.console.packing import Packed, packed
from damas_board.hub.console.people import People, Person
from damas_board.hub.console.register import Register
from damas_board.hub.console.rounds import Rounds
from damas_board.hub.console.sessions import Session, Sessions
from damas_board.hub.console.sheet import Sheets
from damas_board.hub.console.showing import Showing, is_news
from damas_board.hub.console.words import BRAZIL, WORDS
from damas_board.hub.ending import ended
from damas_board.hub.event_ring import EventRing
from damas_board.hub.page_words import LANGUAGES, catalogue
from damas_board.hub.web import answered
from damas_board.messages.access import User, may_command
from damas_board.messages.envelope import rfc3339
from damas_board.messages.evidence import game_of
from damas_board.messages.requests import COMMANDS
from damas_board.messages.topics import Kind, TopicError, checked_id
from damas_board.messages.words import alert_words
from damas_board.notation.errors import NotationError
from damas_board.regulations import Regulation, shipped

TOGETHER_SECONDS = 0.1
"""What changes within this time is told together."""
SEE_SECONDS = 0.5
"""The same for what boards see, which changes all the time."""
ALIVE_SECONDS = 3.0
LOOK_SECONDS = 1.0
MOST_BYTES, MOST_BEHIND = 16_000_000, 2_000_000
MOST_STREAMS = 100
AT_ONCE = 3
"""Questions that need the archive, a gateway's journal or long thought, of all who are logged in."""
MOST_MOVES = 400
"""Moves of one correction."""
_SEEN = ("plies", "revision")
"""What a page may say of a game as it was shown when somebody decided."""
_OURS = (
    *("board", "game", "do", "note", "key", "id", "for", "by", "schema", "ts", "expires", "epoch", "seq"),
    *_SEEN,
)
"""Keys of what a page asks that are no arguments of its command."""
_OF_RECORD = frozenset(("rewind", "move", "set_position"))
"""Commands that write a game's record: never in the middle of a correction."""


class Console:
    """`async with Console(...)` reads the whole hall and gives the commands of whoever is logged in, as `user`."""

    def __init__(
        self,
        connect: Callable[[str], aiomqtt.Client],
        user: str,
        meeting: str,
        archive: Archive,
        people: Sequence[Person] = (),
        *,
        file: Path | None = None,
        regulations: Callable[[str], Regulation] = shipped,
        health: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        """`connect(purpose)` makes a client, not yet connected, that logs in as `user`.

        `file`: where it is kept who is logged in, for the next start; None where everybody has to log in again then.
        """
        self.sessions = Sessions()
        self.door = Door(People(people), self.sessions, meeting, file=file)
        self.hall = Hall(
            lambda: connect("console"), user, meeting, archive, self._changed, lambda told: self.desk.answered(told)
        )
        self.desk = CommandDesk(self.hall, user, meeting)
        self.showing = Showing(self.hall, regulations)
        self._ring = EventRing(
            self._snapshot, most_bytes=MOST_BYTES, most_behind=MOST_BEHIND, most_streams=MOST_STREAMS
        )
        self._rounds = Rounds(connect, user, meeting, archive, regulations)
        self._sheets = Sheets(self.hall, self.showing, archive, meeting)
        self._register = Register(archive, meeting, regulations)
        self._meeting = meeting
        self._regulations = regulations
        self._health = health
        self._said_health: Mapping[str, Any] = {}
        self._said_connected = False
        self._beaten = -ALIVE_SECONDS
        self._new: dict[tuple[str, str], None] = {}
        self._seen: dict[str, None] = {}
        self._told: dict[tuple[str, str], dict[str, Any]] = {}
        """What those who listen have."""
        self._told_at: dict[str, float] = {}
        """When each game was told, in the loop's time: clocks have gone on since."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By game, held by who writes its record."""
        self._reading = asyncio.Semaphore(AT_ONCE)
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.door.begin()
        await self.hall.__aenter__()
        self._tasks = [
            asyncio.create_task(self._tell(), name="console"),
            asyncio.create_task(self._keep_looking(), name="console sessions"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        await ended(*self._tasks)
        await self.door.end()
        await self.hall.__aexit__(kind, error, trace)

    def close(self) -> None:
        """Let all streams end."""
        self._ring.close()

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return (*self._tasks, *self.hall.tasks)

    def routes(self) -> list[BaseRoute]:
        """What is under /console, without that prefix."""
        door = self.door
        return [
            Route("/", _page, methods=["GET"]),
            Route("/words/{language}.json", _said, methods=["GET"]),
            *door.routes(),
            door.get("/api/me", self._me),
            door.get("/api/snapshot.json", self._whole),
            door.get("/api/events", self._events),
            door.get("/api/games/{game}.json", self._game),
            door.post("/api/command", self._command),
            door.post("/api/correct", self._correct),
            door.post("/api/legal", self._legal),
            door.get("/api/evidence/{alert}", self._evidence),
            door.get("/api/register.json", self._registered),
            *self._rounds.routes(door),
            *self._sheets.routes(door),
            Route("/{path:path}", _nothing),
        ]

    # --- what changes

    def _changed(self, kind: str, id_: str) -> None:
        if kind == "see":
            self._seen[id_] = None
            return
        self._new[kind, id_] = None
        self._wake.set()

    async def _tell(self) -> None:
        loop = asyncio.get_running_loop()
        seen_at = loop.time()
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), SEE_SECONDS)
                await asyncio.sleep(TOGETHER_SECONDS)
            self._wake.clear()
            new, self._new = self._new, {}
            if loop.time() - seen_at >= SEE_SECONDS:
                seen_at = loop.time()
                seen, self._seen = self._seen, {}
                new |= {("board", board): None for board in seen}
            self._tell_new(new)
            if loop.time() - self._beaten >= ALIVE_SECONDS or self._said_connected != self.hall.connected:
                self._beaten, self._said_connected = loop.time(), self.hall.connected
                self._ring.beat({"now": _now(), "connected": self._said_connected})

    def _tell_new(self, new: Mapping[tuple[str, str], None]) -> None:
        for kind, id_ in new:
            told, before = self.showing.told(kind, id_), self._told.get((kind, id_))
            if told is None:
                if self._told.pop((kind, id_), None) is not None:
                    self._told_at.pop(id_, None)
                    self._ring.tell("gone", {kind: id_})
            elif before is None or is_news(before, told):
                self._told[kind, id_] = told
                if kind == "game":
                    told["version"] = self.showing.next_version(id_)
                    self._told_at[id_] = asyncio.get_running_loop().time()
                    told = _changes(before, told)
                self._ring.tell(kind, told)

    async def _keep_looking(self) -> None:
        while True:
            self.hall.rest()
            self.sessions.end_old()
            await self.door.keep()
            health = json.loads(json.dumps(self._health(), default=str))  # whatever a part of the hub says of itself
            if health != self._said_health:
                self._said_health = health
                self._ring.tell("hub", health)
            await asyncio.sleep(LOOK_SECONDS)

    def _snapshot(self, id_: str) -> dict[str, Any]:
        head = {"id": id_, "meeting": self._meeting, "now": _now(), "connected": self.hall.connected}
        games = [self._present(told) for (kind, _), told in sorted(self._told.items()) if kind == "game"]
        lean = [{key: value for key, value in game.items() if key != "plies"} for game in games]
        return {**head, **self.showing.all(), "games": lean, "hub": self._said_health}

    def _present(self, game: Mapping[str, Any]) -> dict[str, Any]:
        """A game as it was told last, with its clock as old as it is now."""
        clock = game["clock"]
        if clock is None:
            return dict(game)
        since = asyncio.get_running_loop().time() - self._told_at[game["game"]]
        return {**game, "clock": {**clock, "age": round(clock["age"] + since, 3)}}

    # --- routes

    def _may(self, person: Person, do: str) -> bool:
        return may_command(User(person.name, person.role, self._meeting), do)

    def _person(self, person: Person) -> dict[str, Any]:
        may = [do for do in sorted(COMMANDS) if self._may(person, do)]
        return {"name": person.name, "role": person.role, "meeting": self._meeting, "may": may}

    async def _me(self, request: Request, session: Session) -> Response:
        return answer(self._person(session.person))

    async def _whole(self, request: Request, session: Session) -> Response:
        return packed(request, self._ring.whole({"me": self._person(session.person)}), HEADERS)

    async def _events(self, request: Request, session: Session) -> Response:
        own = {"me": self._person(session.person)}
        return Packed(request, _AsLongAs(session, self._ring.response(request, HEADERS, own)))

    async def _game(self, request: Request, session: Session) -> Response:
        """A game whole, as those who listen have it; one that nobody looks at now, from the archive."""
        game = request.path_params["game"]
        if ("game", game) in self._told:
            self._tell_new({("game", game): None})
        if ("game", game) in self._told:
            return packed(request, encoded(self._present(self._told["game", game])), HEADERS)
        try:
            async with self._reading:
                found = await self.hall.look_at(game)
        except ArchiveError as error:
            raise Refused(503, "archive_lost", detail=str(error)) from error
        if found is None or found.record.start is None:
            raise Refused(404, "no_game")
        return packed(request, encoded(self.showing.whole(found)), HEADERS)

    async def _command(self, request: Request, session: Session, body: dict[str, Any]) -> Response:
        do, (kind, target) = _named(body, "do"), _target(body)
        self._allowed(session.person, do)
        asked = (session.person, kind, target, do, _arguments(body), _key(body))
        if kind is not Kind.COMMAND_GAME or (do not in _OF_RECORD and not any(key in body for key in _SEEN)):
            return answer(await self._given(*asked))
        async with self._as_seen(target, body, given=self.desk.was_given(*asked)):
            return answer(await self._given(*asked))

    async def _correct(self, request: Request, session: Session, body: dict[str, Any]) -> Response:
        """Take plies back and enter others: `done` counts the moves that were entered.

        Where the page says what it showed, `plies` and `revision`, nothing is done to a game that has gone on since.
        """
        person, game, key = session.person, _named(body, "game"), _key(body)
        keep, moves = body.get("keep"), body.get("moves")
        if not _is_whole(keep) or not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise Refused(400, "bad_argument", detail='"keep" is a number of plies, "moves" a list')
        if not all(isinstance(move, str) and move for move in moves):
            raise Refused(400, "bad_argument", detail='"moves" are texts')
        steps: list[tuple[str, dict[str, Any]]] = [("rewind", {"ply": keep}), *(("move", {"move": m}) for m in moves)]
        for do, _ in steps:
            self._allowed(person, do)
        _, target = _target({"game": game})
        note = {"note": body["note"]} if isinstance(body.get("note"), str) and body["note"] else {}
        asked = [
            (person, Kind.COMMAND_GAME, target, do, {**arguments, **note}, None if key is None else f"{key}-{number}")
            for number, (do, arguments) in enumerate(steps)
        ]
        async with self._as_seen(target, body, given=self.desk.was_given(*asked[0])):
            for number, one in enumerate(asked):
                done = max(0, number - 1)
                try:
                    told = await self._given(*one)
                except Refused as refused:
                    raise Refused(refused.status, refused.body["reason"], done=done) from refused
                if told["outcome"] != "done":
                    return answer({**told, "done": done})
        return answer({"outcome": "done", "done": len(moves)})

    @asynccontextmanager
    async def _as_seen(self, game: str, body: Mapping[str, Any], *, given: bool) -> AsyncIterator[None]:
        """Nobody else writes the game's record meanwhile. Refused where it is not as `body` says that it was seen,
        unless what is asked was `given` before: it is done once, and answered again."""
        seen = {key: body[key] for key in _SEEN if body.get(key) is not None}
        if not all(_is_whole(value) for value in seen.values()):
            raise Refused(400, "bad_argument", detail='"plies" and "revision" are numbers')
        async with self._locks.setdefault(game, asyncio.Lock()):
            found = self.hall.games.get(game)
            if found is not None and not given:
                now = {"plies": len(found.record.plies), "revision": found.record.revision}
                if any(now[key] != value for key, value in seen.items()):
                    raise Refused(409, "gone_on", **now)
            yield

    def _allowed(self, person: Person, do: str) -> None:
        if do not in COMMANDS:
            raise Refused(400, "unknown_command")
        if not self._may(person, do):
            raise Refused(403, "not_allowed")

    async def _given(
        self, person: Person, kind: Kind, target: str, do: str, arguments: Mapping[str, Any], key: str | None
    ) -> dict[str, Any]:
        try:
            return await self.desk.command(person, kind, target, do, arguments, key)
        except NoAnswerError as error:
            raise Refused(504, "no_answer") from error

    async def _legal(self, request: Request, session: Session, body: dict[str, Any]) -> Response:
        regulation = self.showing.regulation(_named(body, "regulation"))
        if regulation is None:
            raise Refused(400, "no_regulation")
        fen = _named(body, "fen")
        try:
            async with self._reading:
                told = await asyncio.to_thread(legal, regulation, fen)
        except NotationError as error:
            raise Refused(400, "bad_fen", detail=str(error)) from error
        return answer(told)

    async def _evidence(self, request: Request, session: Session) -> Response:
        alert = request.path_params["alert"]
        game = game_of(alert)
        if game is None:
            raise Refused(404, "no_such_alert")
        try:
            async with self._reading:
                pieces = await self.desk.request("evidence", game=game, alert=alert)
        except NoAnswerError as error:
            raise Refused(504, "no_answer") from error
        if pieces[0].get("outcome") != "done":
            detail = pieces[0].get("detail")
            raise Refused(404, str(pieces[0].get("reason")), **({} if detail is None else {"detail": detail}))
        account, text = joined(pieces, "account"), text_of(pieces)
        try:
            told = await asyncio.to_thread(shown_evidence, account, text, _language(request), self._regulations)
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(502, "unreadable_evidence", detail=str(error)) from error
        return answer(told)

    async def _registered(self, request: Request, session: Session) -> Response:
        try:
            async with self._reading:
                told = await asyncio.to_thread(self._register.shown, _language(request))
        except ArchiveError as error:
            raise Refused(503, "archive_lost", detail=str(error)) from error
        return answer(told)


class _AsLongAs(Response):
    """A stream that ends with its session, which it uses as long as it is open."""

    def __init__(self, session: Session, stream: Response) -> None:
        super().__init__()
        self._session = session
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sent(message: Any) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        over = asyncio.create_task(self._session.over.wait())
        streaming = asyncio.ensure_future(self._stream(scope, receive, sent))
        self._session.streams += 1
        try:
            await asyncio.wait([over, streaming], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._session.streams -= 1
            over.cancel()
            ended = streaming.done()
            if not ended:
                streaming.cancel()
            await asyncio.gather(over, streaming, return_exceptions=True)
        if ended:
            streaming.result()
        elif begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _page(request: Request) -> Response:
    return asset("console.html", request, HEADERS)


async def _said(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return await _nothing(request)
    of_rounds = catalogue(language, round_words.WORDS, round_words.BRAZIL)
    of_feeds = catalogue(language, feed_words.WORDS, feed_words.BRAZIL)
    words = {**alert_words(language), **of_rounds, **of_feeds, **catalogue(language, WORDS, BRAZIL)}
    return answered(words_page(words), request, HEADERS)


async def _nothing(request: Request) -> Response:
    return answer({"reason": "not_found"}, 404)


def _changes(before: Mapping[str, Any] | None, game: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of a game to those who have it as it was before."""
    had, plies = () if before is None else before["plies"], game["plies"]
    keep = next((n for n, (one, other) in enumerate(zip(had, plies, strict=False)) if one != other), None)
    keep = min(len(had), len(plies)) if keep is None else keep
    return {**game, "base": None if before is None else before["version"], "keep": keep, "plies": plies[keep:]}


def _now() -> str:
    return rfc3339(datetime.now(UTC))


def _language(request: Request) -> str:
    asked = request.query_params.get("lang", "en")
    return asked if asked in LANGUAGES else "en"


def _named(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise Refused(400, "bad_argument", detail=f'"{key}" is missing, or no text')
    return value


def _key(body: Mapping[str, Any]) -> str | None:
    """What tells a page's asking again from another wish."""
    return None if body.get("key") is None else _named(body, "key")


def _target(body: Mapping[str, Any]) -> tuple[Kind, str]:
    """Whether a command is for a game or for a board: where both are named, `move_to` names the board to go to."""
    of_game = isinstance(body.get("game"), str) and (body.get("do") != "new_game" or "board" not in body)
    name = _named(body, "game" if of_game else "board")
    try:
        return (Kind.COMMAND_GAME if of_game else Kind.COMMAND_BOARD), checked_id(name)
    except TopicError as error:
        raise Refused(400, "bad_argument", detail=str(error)) from error


def _arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """What the command itself takes: of board and game those that its place does not say already, and the note."""
    ours = set(_OURS) - ({"board"} if body.get("do") == "move_to" else set())
    ours -= {"game"} if body.get("do") == "new_game" else set()
    found = {key: value for key, value in body.items() if key not in ours}
    note = body.get("note")
    return found | ({"note": note} if isinstance(note, str) and note.strip() else {})


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
