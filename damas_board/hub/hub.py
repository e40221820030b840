"""The hub: reads one meeting, archives it, and, if it is the one that publishes, makes and serves the public copy.

How a move gets through: the reader hands the event on with its age; it waits for the archive in the recorder, and in
the publisher until it is due. What is due is stored first (public_store), then goes to the broker (relay) and into the
pages that are served (press, pages, web). What changes a round is told when the pages have it: who hears of a result
asks for the standings. So whatever stops the hub in between, nothing is shown twice or taken back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiomqtt

from damas_board.hub.archive import Archive
from damas_board.hub.assets import public_routes
from damas_board.hub.console import Console, Person
from damas_board.hub.errors import HubError
from damas_board.hub.live import Live
from damas_board.hub.pages import FeedChange, Pages, View
from damas_board.hub.press import Press
from damas_board.hub.public_store import PUBLIC, PublicStore
from damas_board.hub.publisher import Due, Heard, Kept, Publisher
from damas_board.hub.push import Push, Target
from damas_board.hub.reader import LoginRefusedError, Reader, Told
from damas_board.hub.recorder import Recorder
from damas_board.hub.relay import PublicRelay
from damas_board.hub.web import WebServer
from damas_board.messages.envelope import Envelope, decode, encode, instant, rfc3339
from damas_board.messages.feed import Setups
from damas_board.messages.publication import Terms, public_state
from damas_board.messages.stream import Record, Since
from damas_board.messages.topics import Kind, Topic, topic
from damas_board.regulations import Regulation, shipped

log = logging.getLogger(__name__)

TICK_SECONDS = 0.25
"""At most this long after it is due, something is public."""
TOGETHER_SECONDS = 0.03
"""What the hall tells within this time is published together."""
AGAIN_SECONDS = 1.0
PLACES_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Publishing:
    """How the hub that publishes does it. `listen`: None where it serves no pages."""

    store: PublicStore
    default: Terms | None = None
    """The terms of games that are of no round, and of rounds that say no delay."""
    listen: tuple[str, int] | None = ("127.0.0.1", 0)
    tls: ssl.SSLContext | None = None
    folder: Path | None = None
    """Where the pages are written to as files, too."""
    people: tuple[Person, ...] = ()
    """Who may log in to the console."""
    sessions: Path | None = None
    """Where it is kept who is logged in there; None: a new start logs everybody out."""
    setups: Setups = "truncate"
    """What becomes of a game with a set-up position in a feed."""
    push: tuple[Target, ...] = ()
    """Where the pages are put by HTTP."""


class Hub:
    """`async with Hub(...)` runs until the block is left. `connect(purpose)` makes a client of the hub's login."""

    def __init__(
        self,
        connect: Callable[[str], aiomqtt.Client],
        user: str,
        meeting: str,
        archive: Archive,
        *,
        publishing: Publishing | None = None,
        regulations: Callable[[str], Regulation] = shipped,
        patience: float | None = 10.0,
    ) -> None:
        """`patience`: how long, seconds, to wait for the broker before that is a HubError; None waits for ever."""
        self.reader = Reader(lambda: connect("reader"), user, meeting, listener=self, folds=False, hears=self._hears)
        self.recorder = Recorder(archive, meeting, self.reader.again)
        self.publisher: Publisher | None = None
        self.relay: PublicRelay | None = None
        self.web: WebServer | None = None
        self.live: Live | None = None
        self.console: Console | None = None
        self._connect = connect
        self._archive = archive
        self._regulations = regulations
        self._meeting = meeting
        self._user = user
        self._patience = patience
        self._publishing = publishing
        self._new_rounds: dict[str, Mapping[str, Any]] = {}
        self._wake = asyncio.Event()
        self._stack = AsyncExitStack()
        self._stopped = asyncio.Event()
        self._working: asyncio.Task[None] | None = None
        self._closing = False
        self._began = datetime.now(UTC) - timedelta(seconds=asyncio.get_running_loop().time())
        """When the loop's time was 0."""
        self._bodies: dict[str, tuple[Record, tuple[Any, ...], Mapping[str, Any]]] = {}
        """What was last said of each public game, with what it was made of."""
        self._blocked = 0
        """How much of what is to be public waits because it cannot be stored."""
        self._troubles: list[dict[str, Any]] = []
        self._pushes: tuple[Push, ...] = ()
        if publishing is not None:
            store = publishing.store
            self.publisher = Publisher(
                meeting,
                store.epoch,
                store.copies(),
                store.rounds(),
                store.words(),
                store.held(),
                now=asyncio.get_running_loop().time(),
                default=publishing.default,
            )
            self.pages = Pages(meeting, regulations, store.feeds(), setups=publishing.setups)
            self._pushes = tuple(Push(target, self.pages.pages) for target in publishing.push)
            self._press = Press(self.pages, self._keep_feed, publishing.folder, self._pushes)
            self.relay = PublicRelay(lambda: connect("public"), meeting, store, on_foreign=self._foreign)

    async def __aenter__(self) -> Self:
        try:
            await self._stack.enter_async_context(self.recorder)
            if self._publishing is not None and self.publisher is not None and self.relay is not None:
                self._press.begin()
                first = self.publisher.due(asyncio.get_running_loop().time(), Heard(-math.inf))
                await self._make_public(self.publisher, self._publishing, first)
                await self._press.made()
                self._show(self.publisher, self.publisher.shown, [game for _, game in self.publisher.kept])
                if self._publishing.listen is not None:
                    await self._serve(self._publishing, *self._publishing.listen)
                for push in self._pushes:
                    await self._stack.enter_async_context(push)
                self._working = asyncio.create_task(self._publish(self.publisher, self._publishing), name="publish")
            await self._connected()
            if self.relay is not None:
                await self._stack.enter_async_context(self.relay)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        for task in self._tasks():
            task.add_done_callback(_tell_what_broke)
        return self

    async def _serve(self, publishing: Publishing, host: str, port: int) -> None:
        """The pages, and what people look at."""
        self.live = Live(lambda: self._connect("live"), self._meeting, self._regulations, lambda: self._blocked == 0)
        self.console = Console(
            self._connect,
            self._user,
            self._meeting,
            self._archive,
            publishing.people,
            file=publishing.sessions,
            regulations=self._regulations,
            health=lambda: self.health,
        )
        public = [*self.live.routes(), *public_routes()]
        self.web = WebServer(self.pages.pages, host, port, publishing.tls, public, self.console.routes())
        self._stack.callback(self.web.release)
        self.web.listen()
        await self._stack.enter_async_context(self.live)
        await self._stack.enter_async_context(self.console)
        await self._stack.enter_async_context(self.web)
        self._stack.callback(self.live.close)  # first of all: the server waits for what it is still writing
        self._stack.callback(self.console.close)

    def _tasks(self) -> list[asyncio.Task[None]]:
        """All its work, none of which ends by itself."""
        tasks = [*self.reader.tasks, *self.recorder.tasks]
        for looked_at in (self.live, self.console):
            tasks += [] if looked_at is None else looked_at.tasks
        if self._working is not None and self.relay is not None:
            tasks += [self._working, *self._press.tasks, *self.relay.tasks]
            tasks += [task for push in self._pushes for task in push.tasks]
        return tasks

    async def _connected(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._stack.enter_async_context(self.reader)
        except LoginRefusedError as error:
            raise HubError("hub_login", user=self._user, reason=str(error)) from error
        except TimeoutError as error:
            await self.reader.__aexit__(None, None, None)
            raise HubError("hub_broker_away", user=self._user) from error

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        self._wake.set()
        if self._publishing is not None and self.publisher is not None and self._working is not None:
            (broken,) = await asyncio.gather(self._working, return_exceptions=True)
            (unmade,) = await asyncio.gather(self._press.end(), return_exceptions=True)
            if broken is None and unmade is None:  # all that counts as published is stored
                with contextlib.suppress(HubError):
                    await asyncio.to_thread(self._publishing.store.add, self.publisher.places())
        elif self._publishing is not None:
            await asyncio.gather(self._press.end(), return_exceptions=True)
        await self._stack.aclose()

    def stop(self) -> None:
        """Let `wait` return."""
        self._stopped.set()

    async def wait(self) -> None:
        """Wait for `stop`, or until the hub's own work breaks, which is raised here."""
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            done, _ = await asyncio.wait([stopped, *self._tasks()], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            stopped.cancel()

    @property
    def health(self) -> dict[str, Any]:
        """What a person at the hub wants to know: all empty or zero where it is well."""
        found: dict[str, Any] = {
            "connected": self.reader.connected.is_set(),
            "missing": list(self.reader.missing),
            "archive_waiting": self.recorder.waiting,
            "archive_behind": list(self.recorder.behind),
            "archive_trouble": self.recorder.trouble,
        }
        if self.publisher is not None and self.relay is not None:
            broken = {game: kept.broken for (_, game), kept in self.publisher.kept.items() if kept.broken is not None}
            found["doubted"] = sorted(self.publisher.doubted)
            found |= {"denied": sorted(self.relay.denied), "rounds_refused": dict(self.publisher.refused)}
            found["games_elsewhere"] = sorted(
                {game for (_, game), kept in self.publisher.kept.items() if kept.elsewhere}
            )
            found["public_waits"] = self._blocked > 0
            behind = [told for push in self._pushes if (told := push.behind) is not None]
            found |= {"games_broken": broken, "feeds": [*self._troubles, *behind]}
        return found

    # the Listener of the reader

    def resume(self, game: str) -> Since | None:
        known = self.recorder.known.get(game)
        if known is None:
            return None
        if self.publisher is None:
            return Since(*known)
        place = self.publisher.finished(game)
        return Since(place.epoch, min(place.seq, known[1])) if place is not None and place.epoch == known[0] else None

    def events(self, game: str, told: Sequence[Told], *, whole: bool) -> None:
        self.recorder.take(game, [one.envelope for one in told])
        if self.publisher is not None:
            self.publisher.events(game, told, asyncio.get_running_loop().time(), whole=whole)
            self._wake.set()

    def round(self, round_: str, payload: Mapping[str, Any]) -> None:
        self.recorder.round(round_, payload)
        if self.publisher is not None and self.publisher.round(round_, payload, asyncio.get_running_loop().time()):
            self._new_rounds[round_] = payload
            self._wake.set()

    def _hears(self, place: Topic, payload: bytes) -> None:
        """Whether boards and gateways are there; ValueError where a payload does not say it."""
        if self.publisher is None or not payload or place.kind not in (Kind.BOARD_LINK, Kind.GATEWAY_STATE):
            return
        told, at = decode(payload), asyncio.get_running_loop().time()
        here = self._utc(at)
        if place.kind == Kind.GATEWAY_STATE:
            offline = told.body.get("state") == "offline"  # its time is that of the connection
            self.publisher.silence.gateway(place.id("gateway"), here if offline else None, at)
        else:
            since = min(here, instant(told.ts)) if told.body.get("link") == "down" else None
            if since is not None and self.reader.proved == -math.inf:  # it was so before we came
                at -= (here - since).total_seconds()
            self.publisher.silence.link(place.id("board"), str(told.body.get("gateway")), since, at)

    def _utc(self, at: float) -> datetime:
        """The loop's time as everybody's."""
        return self._began + timedelta(seconds=at)

    def _foreign(self, game: str, epoch: int, seq: int) -> None:
        """What the broker has retained as the public state of a game."""
        assert self.publisher is not None
        ours = self.publisher.kept.get((PUBLIC, game))
        if ours is None or ours.elsewhere or (epoch, seq) <= (ours.epoch, ours.seq):
            return
        log.error("game %s: another hub has published it up to event %d of epoch %d", game, seq, epoch)
        if not self.publisher.renew(game, epoch):
            log.error("game %s: another hub is publishing it: this one publishes no more of it", game)
            assert self.relay is not None
            self.relay.leave(topic(Kind.PUBLIC_GAME_STATE, self._meeting, game))
        self._wake.set()

    # publishing

    async def _publish(self, publisher: Publisher, publishing: Publishing) -> None:
        loop = asyncio.get_running_loop()
        kept_at = loop.time()
        while not self._closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), TICK_SECONDS)
                await asyncio.sleep(TOGETHER_SECONDS)
            self._wake.clear()
            rounds, self._new_rounds = self._new_rounds, {}
            for round_, payload in rounds.items():
                await self._stored(publishing.store.put_round, round_, payload)
            reader = self.reader
            due = publisher.due(loop.time(), Heard(reader.heard, reader.missing, reader.assured, reader.proved))
            self.reader.assure(publisher.doubted)
            for game in publisher.again:
                self.reader.again(game)
            publisher.again.clear()
            if due:
                await self._make_public(publisher, publishing, due)
            elif rounds:
                self._press.give(self._view(publisher))
            self._troubles = self._press.troubles(loop.time())
            if loop.time() - kept_at >= PLACES_SECONDS:
                kept_at = loop.time()
                await self._stored(publishing.store.add, publisher.places())

    async def _make_public(self, publisher: Publisher, publishing: Publishing, due: Due) -> None:
        if due.words:
            await self._stored(publishing.store.put_words, due.words)
        if due.held:
            await self._stored(publishing.store.put_held, due.held)
        if due.players:
            await self._stored(publishing.store.put_players, due.players)
        await self._stored(publishing.store.add, due.news)
        if due.rounds:
            await self._stored(publishing.store.put_shown, due.rounds)
        self._press.give(self._view(publisher))
        games = [new.game for new in due.news if new.copy == PUBLIC]
        self._show(publisher, {}, [game for game in (*due.players, *due.told) if game not in games])
        if due.rounds:  # who hears of a result asks for the standings
            await self._press.made()
        self._show(publisher, due.rounds, games)

    async def _stored(self, write: Callable[..., None], *arguments: Any) -> None:
        """Nothing is public before it is stored: where the disk cannot be written, the public waits.

        HubError only when the hub is closing.
        """
        blocked = 0
        try:
            while True:
                try:
                    await asyncio.to_thread(write, *arguments)
                except HubError as error:
                    if self._closing:
                        raise
                    if not blocked:
                        log.error("nothing more becomes public until this is put right: %s", error)
                        blocked = 1
                        self._blocked += 1
                    await asyncio.sleep(AGAIN_SECONDS)
                else:
                    return
        finally:
            self._blocked -= blocked

    def _show(self, publisher: Publisher, rounds: Mapping[str, Mapping[str, Any]], games: Sequence[str]) -> None:
        assert self.relay is not None
        self.relay.wake()
        for game in dict.fromkeys(games):
            place = topic(Kind.PUBLIC_GAME_STATE, self._meeting, game)
            state = self._state(publisher, game)
            if state is not None:
                self.relay.show(place, encode(state))
        for round_, body in rounds.items():
            place = topic(Kind.PUBLIC_ROUND, self._meeting, round_)
            self.relay.show(place, encode(Envelope(place.schema, rfc3339(datetime.now(UTC)), body=body)))

    def _state(self, publisher: Publisher, game: str) -> Envelope | None:
        kept = publisher.kept.get((PUBLIC, game))
        if kept is None or kept.elsewhere or kept.copy.record.start is None:
            return None
        body = self._body(game, kept)
        schema = topic(Kind.PUBLIC_GAME_STATE, self._meeting, game).schema
        return Envelope(schema, str(kept.copy.newest["ts"]), None, game, kept.epoch, kept.seq, body)

    def _body(self, game: str, kept: Kept) -> Mapping[str, Any]:
        """What is public of a game's state."""
        copy = kept.copy
        made_of = (copy.newest, copy.due, kept.silent, kept.delay)
        known = self._bodies.get(game)
        if known is None or known[0] is not copy.record or known[1] != made_of:
            late = timedelta(seconds=kept.delay or 0.0)
            shown = instant(str(copy.newest["ts"])) + late if copy.due is None else self._utc(copy.due)
            body = {**public_state(copy), "shown": rfc3339(shown), "delay": kept.delay}
            if kept.silent is not None:
                body["silent"] = rfc3339(kept.silent)
            known = self._bodies[game] = (copy.record, made_of, body)
        return known[2]

    def _view(self, publisher: Publisher) -> View:
        """What pages are made from. All of it is stored."""
        states = {
            game: {"game": game, "epoch": kept.epoch, "seq": kept.seq, **self._body(game, kept)}
            for (copy, game), kept in sorted(publisher.kept.items())
            if copy == PUBLIC and kept.copy.record.start is not None
        }
        records = {key: kept.copy.record for key, kept in publisher.kept.items() if kept.copy.record.start is not None}
        games = {*(game for _, game in records), *(p.game for r in publisher.rounds.values() for p in r.pairings)}
        players = {game: publisher.players(game) for game in games}
        return View(dict(publisher.rounds), dict(publisher.shown), records, states, players, dict(publisher.people()))

    async def _keep_feed(self, change: FeedChange) -> None:
        assert self._publishing is not None
        await self._stored(self._publishing.store.put_feed, change.copy, change.round, change.games)


def _tell_what_broke(task: asyncio.Task[None]) -> None:
    """Also where nobody waits for the hub, as beside a gateway, whose boards go on."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("the hub's work (%s) has broken, and is not done any more", task.get_name(), exc_info=error)
