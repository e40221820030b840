"""What an organiser does with rounds at the console: read, draw lots, publish, set up, begin, results, end.

Every request has a connection of its own for as long as it takes; it is the desk that the command line has, too
(`hub/desk.py`). Only an organiser may. Whatever is refused is said by a code, `reason`, and in words, `text`, in the
language of `?lang=`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any, get_args

import aiomqtt
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from damas_board.hub.archive import Archive, ArchiveError, Search
from damas_board.hub.console.door import Door, Refused, answer
from damas_board.hub.console.sessions import Session
from damas_board.hub.desk import Answer, Desk, DeskError
from damas_board.hub.lots import lots
from damas_board.hub.ordering import natural
from damas_board.hub.page_words import LANGUAGES, catalogue
from damas_board.messages.envelope import rfc3339
from damas_board.messages.lots import LotsError, Opening, check_lots, drawn_round, read_openings
from damas_board.messages.round_file import Kind, RoundFileError, read_round_text
from damas_board.messages.round_words import BRAZIL, WORDS
from damas_board.messages.rounds import (
    MOST_SEED,
    ROUND_KEYS,
    Pairing,
    Round,
    RoundError,
    RoundLots,
    read_round,
    round_object,
)
from damas_board.regulations import Regulation, names, shipped
from damas_board.session.ending import WINNERS

LARGEST = 2 * 1024 * 1024
"""Bytes of a round; no list of pairings is longer."""
AT_ONCE = 4
"""Requests that are at the broker at the same time."""
WAIT_SECONDS = 30.0
"""How long a request waits until it may be there."""
MOST_DRAWN = 500
"""Lots that are remembered until they are published."""
_STATUS: Mapping[str, int] = {"no_round": 404, "away": 503, "not_taken": 503}

Body = dict[str, Any]
Doing = Callable[[Desk, Round, Body], Awaitable[Body]]


class Rounds:
    """`connect(purpose)` makes a client of the hub's login. `regulations` raises KeyError where none is known."""

    def __init__(
        self,
        connect: Callable[[str], aiomqtt.Client],
        user: str,
        meeting: str,
        archive: Archive,
        regulations: Callable[[str], Regulation] = shipped,
    ) -> None:
        self._connect = connect
        self._archive = archive
        self._user = user
        self._meeting = meeting
        self._regulations = regulations
        self._number = count()
        self._desks = asyncio.Semaphore(AT_ONCE)
        self._drawn: dict[tuple[str, RoundLots], None] = {}
        """The lots that were drawn here, by round, the newest last."""
        self._writing = asyncio.Lock()
        """A round is read, changed and published by one request at a time, which has its desk already."""

    def routes(self, door: Door) -> list[BaseRoute]:
        """What is under /console/api of rounds."""

        def post(path: str, answering: Callable[[_Asked, Body], Awaitable[Body]]) -> BaseRoute:
            async def asked(request: Request, session: Session, body: Body) -> Response:
                if session.person.role != "organiser":
                    raise Refused(403, "not_allowed")
                return answer(await _refusing(_Asked.of(request, session), answering, body))

            return door.post(path, asked, largest=LARGEST)

        def doing(path: str, do: Doing) -> BaseRoute:
            return post(f"/api/round/{{round}}/{path}", lambda asked, body: self._do(asked, do, body))

        return [
            door.get("/api/regulations.json", self._known_regulations),
            door.get("/api/round/{round}/results.json", self._archived),
            post("/api/round/check", self._check),
            post("/api/round", self._publish),
            post("/api/lots", self._draw),
            doing("set-up", self._set_up),
            doing("begin", self._begin),
            doing("result", self._result),
            doing("end", self._end),
            doing("remove", self._remove),
        ]

    async def _known_regulations(self, request: Request, session: Session) -> Response:
        """The regulations by name, those in `?also=` too: whether a board fits, and what their lots decide."""
        also = [name for name in request.query_params.get("also", "").split(",")[:50] if name]
        found = {}
        for name in (*names(), *also):
            try:
                regulation = self._regulations(name)
            except KeyError:
                continue
            geometry = regulation.variant.geometry
            found[name] = {"title": regulation.title, "size": geometry.size, "corner": geometry.corner}
            found[name] |= {"openings": "lot" in regulation.match.opening, "minors": regulation.match.minors}
        return answer({"regulations": found})

    async def _archived(self, request: Request, session: Session) -> Response:
        """`{results: {game: result}}`: what the archive has of a round: the hall tells only what goes on."""
        asked = Search(meeting=self._meeting, round=str(request.path_params["round"]))
        try:
            found = await asyncio.to_thread(self._archive.search, asked)
        except ArchiveError as error:
            raise Refused(503, "archive_lost", detail=str(error)) from error
        return answer({"results": {row["game"]: row["result"] for row in found if row["result"] is not None}})

    # --- before a round is published

    async def _check(self, asked: _Asked, body: Body) -> Body:
        """A round in a text, `{text, kind, ...keys of the round}`, or as it is, `{round: {...}}`, read and checked."""
        if "round" in body and isinstance(body["round"], dict):
            return {"round": round_object(read_round(body["round"], meeting=self._meeting))}
        text = body.get("text")
        kind: Kind | None = next((one for one in get_args(Kind) if one == body.get("kind")), None)
        if not isinstance(text, str) or kind is None:
            raise Refused(400, "unreadable", detail='"text" is a text, "kind" is csv, json or toml')
        given = {key: body[key] for key in ROUND_KEYS if key in body}
        return {"round": round_object(read_round_text(text.removeprefix("\ufeff"), kind, self._meeting, given))}

    async def _draw(self, asked: _Asked, body: Body) -> Body:
        """`{round, colours, openings?, one?, seed?}`: the round with its lots drawn, and what they were drawn with."""
        planned = read_round(body.get("round"), meeting=self._meeting)
        seed = body.get("seed")
        if seed is None:
            seed = secrets.randbelow(2**32)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
            raise RoundError("seed", place="seed", key="seed")
        text = body.get("openings") or ""
        table: tuple[Opening, ...] = ()
        articles: dict[str, str] = {}
        if planned.regulation is not None:
            articles = dict(self._regulation(planned.regulation).match.articles)
        if isinstance(text, str) and text.strip():
            regulation = None if planned.regulation is None else self._regulation(planned.regulation)
            check_lots(regulation)
            assert regulation is not None
            table = read_openings(text, regulation.variant)
        earlier = await self._earlier(asked, planned)
        drawn = drawn_round(
            planned,
            lots(seed),
            colours=body.get("colours") is not False,
            openings=table,
            one=body.get("one") is True,
            earlier=earlier,
        )
        noted = RoundLots(seed, rfc3339(datetime.now(UTC)), asked.person)
        self._drawn[planned.round, noted] = None
        while len(self._drawn) > MOST_DRAWN:
            del self._drawn[next(iter(self._drawn))]
        return {"round": round_object(replace(drawn, lots=noted)), "seed": seed, "articles": articles}

    def _regulation(self, name: str) -> Regulation:
        try:
            return self._regulations(name)
        except KeyError as error:
            raise RoundError(
                "one_of", place="regulation", key="regulation", found=name, allowed=", ".join(names())
            ) from error

    async def _earlier(self, asked: _Asked, planned: Round) -> list[Round]:
        """The rounds before this one, where its matches may have games in them."""
        if all(pairing.match is None for pairing in planned.pairings):
            return []
        async with self._desk(asked) as desk:
            found = []
            for name in sorted(desk.rounds, key=natural):
                if natural(name) >= natural(planned.round):
                    break
                try:
                    found.append(desk.round(name))
                except DeskError:
                    continue  # one that cannot be used has no games
            return found

    # --- publish and change

    async def _publish(self, asked: _Asked, body: Body) -> Body:
        """A round's payload, published; again with all that has changed, and without a result being lost."""
        planned = read_round(body, meeting=self._meeting)
        async with self._desk(asked, planned.round) as desk, self._writing:
            await desk.quiet()  # what was published a moment ago is on its way
            planned = self._with_own_lots(asked, planned, desk)
            planned = await desk.carried_on(planned, says_all=True)
            await desk.publish(planned)
            return {"round": round_object(desk.round(planned.round))}

    def _with_own_lots(self, asked: _Asked, planned: Round, desk: Desk) -> Round:
        """Lots that were neither drawn here nor published before are of whoever publishes them, now."""
        noted = planned.lots
        if noted is None or (planned.round, noted) in self._drawn:
            return planned
        if planned.round in desk.rounds and desk.round(planned.round).lots == noted:
            return planned
        return replace(planned, lots=RoundLots(noted.seed, rfc3339(datetime.now(UTC)), asked.person))

    async def _do(self, asked: _Asked, do: Doing, body: Body) -> Body:
        id_ = str(asked.request.path_params["round"])
        async with self._desk(asked, id_) as desk:
            return await do(desk, desk.round(id_), body)

    async def _set_up(self, desk: Desk, planned: Round, body: Body) -> Body:
        await desk.look_at_round(planned)
        return _answers(await desk.set_up(planned))

    async def _begin(self, desk: Desk, planned: Round, body: Body) -> Body:
        await desk.look_at_round(planned)
        answers = await desk.begin(planned)
        async with self._writing:
            await desk.has_begun(planned.round)
        return _answers(answers)

    async def _result(self, desk: Desk, planned: Round, body: Body) -> Body:
        """`{table, result}` of a table whose game no board has; None takes an entered one back."""
        table, result = str(body.get("table")), body.get("result")
        if result is not None and (not isinstance(result, str) or result not in WINNERS):
            allowed = ", ".join(WINNERS)
            raise RoundError("one_of", place="result", key="result", found=str(result)[:20], allowed=allowed)
        async with self._writing:
            await desk.quiet()  # what was published a moment ago is on its way
            planned = desk.round(planned.round)
            pairing = planned.at(table)
            if pairing is None:
                known = ", ".join(one.table for one in planned.pairings)
                raise DeskError("no_table", round=planned.round, table=table[:40], known=known)
            await desk.look_at([pairing.game])
            if pairing.game in desk.games:
                raise DeskError("on_board", table=table)
            await desk.publish(planned.with_pairing(replace(pairing, result=result)))
            return {"round": round_object(desk.round(planned.round))}

    async def _end(self, desk: Desk, planned: Round, body: Body) -> Body:
        async with self._writing:
            planned = desk.round(planned.round)
            await desk.look_at_round(planned)
            if body.get("anyway") is not True:
                _none(planned, await desk.left(planned))
            planned = desk.round(planned.round)
            await desk.publish(replace(planned, state="over"))
            return {"round": round_object(desk.round(planned.round))}

    async def _remove(self, desk: Desk, planned: Round, body: Body) -> Body:
        async with self._writing:
            await desk.look_at_round(planned)
            _none(planned, desk.playing(planned))
            await desk.remove(planned.round)
            return {}

    @asynccontextmanager
    async def _desk(self, asked: _Asked, round_: str | None = None) -> AsyncIterator[Desk]:
        purpose = f"round-{next(self._number)}"
        desk = Desk(lambda: self._connect(purpose), self._user, self._meeting, round_, asked.person)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._desks.acquire()
        except TimeoutError as error:
            raise Refused(503, "busy") from error
        try:
            async with desk:
                yield desk
        finally:
            self._desks.release()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request, whose it is, and the texts in the language of whoever asks."""

    request: Request
    person: str
    texts: Mapping[str, str]

    @classmethod
    def of(cls, request: Request, session: Session) -> _Asked:
        language = request.query_params.get("lang", "en")
        language = language if language in LANGUAGES else "en"
        return cls(request, session.person.name, catalogue(language, WORDS, BRAZIL))

    def said(self, key: str, facts: Mapping[str, Any]) -> str:
        return self.texts[key].format(**facts)


async def _refusing(asked: _Asked, answering: Callable[[_Asked, Body], Awaitable[Body]], body: Body) -> Body:
    """What is answered; Refused, in words too, where it cannot be done."""
    try:
        return await answering(asked, body)
    except RoundFileError as error:
        if error.wrong is not None:
            raise _wrong(asked, error.wrong, error.line) from error
        raise Refused(
            400, error.key, line=error.line, text=asked.said(f"round.file.{error.key}", error.facts)
        ) from error
    except RoundError as error:
        raise _wrong(asked, error, None) from error
    except LotsError as error:
        raise Refused(
            400, error.key, line=error.line, text=asked.said(f"round.lots.{error.key}", error.facts)
        ) from error
    except DeskError as error:
        text = asked.said(f"round.desk.{error.key}", error.facts)
        raise Refused(_STATUS.get(error.key, 409), error.key, text=text) from error


def _wrong(asked: _Asked, error: RoundError, line: int | None) -> Refused:
    facts = error.facts
    if line is None:  # a form names its fields otherwise than a file its columns
        named = asked.texts.get(f"round.column.{facts.get('key')}")
        facts = facts if named is None else {**facts, "key": named}
    text = asked.said(f"round.wrong.{error.key}", facts)
    return Refused(400, error.key, line=line, pairing=error.pairing, key=error.place, text=text)


def _none(planned: Round, pairings: list[Pairing]) -> None:
    if pairings:
        raise DeskError("not_over", round=planned.round, tables=", ".join(pairing.table for pairing in pairings))


def _answers(answers: Mapping[str, Answer]) -> Body:
    return {
        "done": all(one.done for one in answers.values()),
        "answers": {
            table: {"done": one.done, "reason": one.reason, "detail": one.detail} for table, one in answers.items()
        },
    }
