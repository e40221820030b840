"""The organiser's desk: a login that publishes rounds, begins their games on the boards, and sees how far they are.

The command line has one with a login of the configuration (`app/organiser.py`), the hub one with its own login for
whoever is logged in to its console. Everything may be done again after half of it has failed: a round that is published
again is the same retained message, a game has its id from the round and is begun once, and a start that was given is
answered so. What a broker loses on the way is sent again under the same id while an answer is waited for.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

import aiomqtt

from damas_board.hub.ending import ended
from damas_board.messages.envelope import Envelope, encode, rfc3339
from damas_board.messages.rounds import (
    Pairing,
    Round,
    RoundError,
    RoundPublication,
    new_game,
    read_round,
    round_object,
    standings,
)
from damas_board.messages.topics import DELIVERY, Kind, Topic, TopicError, parse, topic, topic_filter

ANSWER_SECONDS = 6.0
"""How long the boards' answers are waited for."""
SILENT_SECONDS = 1.0
"""The same for a board of which no gateway says that it has it: it may have come back at this moment."""
TAKEN_SECONDS = 3.0
"""How long a round may take to come back from the broker."""
AGAIN_SECONDS = 2.0
"""A command without an answer is sent again."""
QUIET_SECONDS = 0.4
"""What a broker has retained has come when it has said nothing for so long."""
EXPIRY = timedelta(minutes=5)
"""A command that comes later than this does nothing: some other one will have been given."""
MOST_AT_ONCE = 64
"""Tables whose commands are on their way at the same time."""


class DeskError(ValueError):
    """What the desk cannot do; `key` says why, `facts` with what."""

    def __init__(self, key: str, **facts: str) -> None:
        super().__init__(key)
        self.key = key
        self.facts: Mapping[str, str] = facts


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a wish: `reason` is a code of docs/codes.md, or one of the desk's own."""

    done: bool
    reason: str | None = None
    detail: str | None = None


NO_ANSWER = Answer(False, "no_answer")
"""No gateway has the board or the game, or it cannot be reached."""
NO_BOARD = Answer(True, "no_board")
"""The table has no board: its result is entered."""
BYE = Answer(True, "bye")
OVER = Answer(True, "over")
"""There is a result already."""
THERE = Answer(True, "there")
"""The game was begun before."""
HARMLESS = {"game_exists": THERE, "begun_already": THERE}
"""Refusals which say that it was done before."""


class Desk:
    """`async with Desk(...) as desk:` one login of a meeting, connected; DeskError `away` where that is not possible.

    `rounds` has the payloads of all rounds, `games` the states of the games that `look_at` was asked for, `boards` the
    newest `board` event of their boards, `links` whether those are connected, or need not be.
    """

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        user: str,
        meeting: str,
        round_: str | None = None,
        for_: str | None = None,
    ) -> None:
        """`round_`: once it is known, other rounds are not waited for. `for_`: whose work it is, where not `user`'s."""
        self.rounds: dict[str, Mapping[str, Any]] = {}
        self.games: dict[str, Mapping[str, Any]] = {}
        self.boards: dict[str, Mapping[str, Any]] = {}
        self.links: dict[str, bool] = {}
        self._gateways: dict[str, bool] = {}
        """Whether each gateway is there."""
        self._gateway_of: dict[str, str] = {}
        self._connect = connect
        self._user = user
        self._for = for_
        self._meeting = meeting
        self._round = round_
        self._token = secrets.token_hex(4)
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._heard = asyncio.Event()
        self._sending = asyncio.Semaphore(MOST_AT_ONCE)

    async def __aenter__(self) -> Self:
        self._client = self._connect()
        try:
            await self._client.__aenter__()
        except aiomqtt.MqttError as error:
            raise self.broken(error) from error
        self._task = asyncio.create_task(self._read())
        answers = topic(Kind.ANSWER, self._meeting, self._user)
        await self._subscribe(
            [str(answers), *(topic_filter(kind, self._meeting) for kind in (Kind.GATEWAY_STATE, Kind.ROUND))],
            lambda: self._round in self.rounds,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await ended(self._task)
        await self._client.__aexit__(None, None, None)

    def broken(self, error: aiomqtt.MqttError) -> Exception:
        """What to raise where the broker cannot be reached."""
        return DeskError("away", reason=str(error))

    # --- rounds

    def round(self, id_: str) -> Round:
        """The round as it is published. DeskError where there is none, or none that can be used."""
        body = self.rounds.get(id_)
        if body is None:
            raise DeskError("no_round", round=id_, known=", ".join(sorted(self.rounds)) or "-")
        try:
            return read_round(body)
        except RoundError as error:
            raise DeskError("bad_round", round=id_, error=str(error)) from error

    async def publish(self, planned: Round) -> None:
        """Publish a round, retained. DeskError where the broker does not take it: this login may not."""
        planned = replace(planned, by=self._for or self._user)
        body = round_object(planned)
        payload = encode(Envelope(DELIVERY[Kind.ROUND].schema, rfc3339(datetime.now(UTC)), body=body))
        await self._retain(planned.round, payload, lambda: self._is_published(planned))

    async def carried_on(self, planned: Round, *, says_all: bool) -> Round:
        """A round that is published again keeps how far it is and its results.

        Unless it `says_all`, it also keeps what it says nothing about: when it begins, its lots, and what was set about
        the public since, and its own results count first. DeskError where a game that is under way would stand in no
        pairing any more.
        """
        if planned.round not in self.rounds:
            return planned
        before = self.round(planned.round)
        await self.look_at_round(before)
        games = {pairing.game for pairing in planned.pairings}
        lost = [pairing.table for pairing in self.playing(before) if pairing.game not in games]
        if lost:
            raise DeskError("lost", tables=", ".join(lost))
        results = {pairing.game: pairing.result for pairing in before.pairings}
        pairings = tuple(
            replace(p, result=p.result if p.result is not None and not says_all else results.get(p.game, p.result))
            for p in planned.pairings
        )
        planned = replace(planned, pairings=pairings, state=before.state)
        if says_all:
            return planned
        shown = planned.publication
        if shown == RoundPublication():
            tables = {pairing.table for pairing in pairings}
            own = {table: kept for table, kept in before.publication.boards.items() if table in tables}
            featured = tuple(table for table in before.publication.featured if table in tables)
            shown = replace(before.publication, boards=own, featured=featured)
        begins, lots = planned.begins or before.begins, planned.lots or before.lots
        return replace(planned, publication=shown, begins=begins, lots=lots)

    async def has_begun(self, id_: str) -> None:
        """Publish that a round is under way, unless that is known."""
        planned = self.round(id_)  # as it is now: a result may have been entered meanwhile
        if planned.state == "planned":
            await self.publish(replace(planned, state="started"))

    def playing(self, planned: Round) -> list[Pairing]:
        """The pairings whose games are under way, as far as the desk has looked at them."""
        return [table.pairing for table in standings(planned, self.games) if table.state == "playing"]

    async def left(self, planned: Round) -> list[Pairing]:
        """The pairings that have no result yet."""
        left = self._left(planned)
        if left:
            await self.quiet()  # a result that was entered a moment ago is on its way
        return self._left(planned)

    def _left(self, planned: Round) -> list[Pairing]:
        return [table.pairing for table in standings(planned, self.games) if table.state not in ("over", "bye")]

    async def remove(self, id_: str) -> None:
        """Take a round away from the broker."""
        await self._retain(id_, b"", lambda: id_ not in self.rounds)

    async def _retain(self, id_: str, payload: bytes, arrived: Callable[[], bool]) -> None:
        place = topic(Kind.ROUND, self._meeting, id_)
        await self._publish(place, payload, retain=True)
        if not await self._until(arrived, TAKEN_SECONDS):
            raise DeskError("not_taken", round=id_, user=self._user)

    def _is_published(self, planned: Round) -> bool:
        try:
            return read_round(self.rounds.get(planned.round)) == planned
        except RoundError:
            return False

    # --- games

    async def look_at(self, games: Sequence[str], boards: Sequence[str] = ()) -> None:
        """Learn the present of these games and boards, and follow it."""
        filters = [str(topic(Kind.GAME_STATE, self._meeting, game)) for game in games]
        filters += [
            str(topic(kind, self._meeting, board)) for board in boards for kind in (Kind.BOARD_LINK, Kind.BOARD_STATE)
        ]
        if filters:
            await self._subscribe(
                filters,
                lambda: set(games) <= set(self.games) and set(boards) <= set(self.boards) & set(self.links),
            )

    async def look_at_round(self, planned: Round) -> None:
        boards = [pairing.board for pairing in planned.pairings if pairing.board is not None]
        await self.look_at([pairing.game for pairing in planned.pairings if pairing.black is not None], boards)

    async def set_up(self, planned: Round) -> dict[str, Answer]:
        """Put each game on its board, by table; what is there already stays as it is."""
        answers = await asyncio.gather(*(self._set_up(planned, pairing) for pairing in planned.pairings))
        return dict(zip((pairing.table for pairing in planned.pairings), answers, strict=True))

    async def begin(self, planned: Round) -> dict[str, Answer]:
        """Put each game on its board; when all are there, start them together, if the round waits for a command."""
        answers = await self.set_up(planned)
        if planned.starts == "command":
            on_boards = [p for p in planned.pairings if answers[p.table] in (THERE, Answer(True))]
            started = await asyncio.gather(*(self._start(pairing) for pairing in on_boards))
            answers |= dict(zip((pairing.table for pairing in on_boards), started, strict=True))
        return answers

    async def _set_up(self, planned: Round, pairing: Pairing) -> Answer:
        if pairing.black is None:
            return BYE
        if pairing.game in self.games:
            return OVER if self.games[pairing.game].get("over") else THERE
        if pairing.result is not None:
            return OVER
        if pairing.board is None:
            return NO_BOARD
        place = topic(Kind.COMMAND_BOARD, self._meeting, self._user, pairing.board)
        patience = ANSWER_SECONDS if self.is_served(pairing.board) else SILENT_SECONDS
        return await self.command(place, "new_game", pairing.game, new_game(planned, pairing), patience)

    async def _start(self, pairing: Pairing) -> Answer:
        state = self.games.get(pairing.game)
        begun = state is not None and state.get("waits_for") is None
        return THERE if begun else await self.to_game(pairing.game, "start")

    async def to_game(self, game: str, do: str, **arguments: Any) -> Answer:
        """Give a command to the game, wherever it is."""
        place = topic(Kind.COMMAND_GAME, self._meeting, self._user, game)
        key = f"{game}-{len(self._answers)}"
        return await self.command(place, do, key, arguments)

    def is_served(self, board: str) -> bool:
        """Whether a gateway that is there has the board, as far as the desk has looked at it."""
        return self._gateways.get(self._gateway_of.get(board, ""), False)

    async def is_over(self, game: str) -> None:
        """Wait until a game that the desk looks at says that it has ended, as everybody reads it."""
        await self._until(lambda: bool(self.games.get(game, {}).get("over")), TAKEN_SECONDS)

    async def command(
        self, place: Topic, do: str, key: str, arguments: Mapping[str, Any], patience: float | None = None
    ) -> Answer:
        """Give a command and wait for its answer; `key` tells it from the others of this desk."""
        patience = ANSWER_SECONDS if patience is None else patience
        id_ = f"{do.replace('_', '-')}-{key}-{self._token}"[-64:]
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[id_] = answer
        expires = rfc3339(datetime.now(UTC) + EXPIRY)
        whose = {} if self._for is None else {"for": self._for}
        payload = _command({**arguments, "do": do, "id": id_, "expires": expires, **whose})
        async with self._sending:
            for _ in range(max(1, int(patience // AGAIN_SECONDS))):
                await self._publish(place, payload)
                await asyncio.wait([answer], timeout=min(AGAIN_SECONDS, patience))
                if answer.done():
                    told = answer.result()
                    return told if told.done else HARMLESS.get(told.reason or "", told)
        return NO_ANSWER

    # --- the connection

    async def _publish(self, place: Topic, payload: bytes, *, retain: bool = False) -> None:
        try:
            await self._client.publish(str(place), payload, qos=1, retain=retain)
        except aiomqtt.MqttError as error:
            raise self.broken(error) from error

    async def _subscribe(self, filters: Sequence[str], complete: Callable[[], bool]) -> None:
        """Subscribe, and wait until what is retained there is `complete`, or has come as far as can be told."""
        try:
            for start in range(0, len(filters), 50):
                await self._client.subscribe([(text, 1) for text in filters[start : start + 50]])
        except aiomqtt.MqttError as error:
            raise self.broken(error) from error
        await self.quiet(complete)

    async def quiet(self, complete: Callable[[], bool] = lambda: False) -> None:
        """Wait until the broker has said nothing for a while, or what is known is `complete`."""
        quiet = False
        while not quiet and not complete():
            self._heard.clear()
            try:
                await asyncio.wait_for(self._heard.wait(), QUIET_SECONDS)
            except TimeoutError:
                quiet = True

    async def _until(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait until what was heard makes `holds` true; False where it does not."""
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._heard.clear()
                    await self._heard.wait()
        except TimeoutError:
            return False
        return True

    async def _read(self) -> None:
        async for message in self._client.messages:
            try:
                place = parse(str(message.topic))
            except TopicError:
                continue
            self._take(place, message.payload)
            self._heard.set()

    def _take(self, place: Topic, payload: Any) -> None:
        body = _object(payload)
        match place.kind:
            case Kind.ROUND:
                _keep(self.rounds, place.id("round"), body)
            case Kind.GAME_STATE:
                _keep(self.games, place.id("game"), body)
            case Kind.BOARD_STATE:
                _keep(self.boards, place.id("board"), body)
            case Kind.BOARD_LINK:
                self.links[place.id("board")] = body is not None and body.get("link") in ("up", "none")
                self._gateway_of[place.id("board")] = str((body or {}).get("gateway"))
            case Kind.GATEWAY_STATE:
                self._gateways[place.id("gateway")] = body is not None and body.get("state") == "online"
            case Kind.ANSWER if body is not None:
                answer = self._answers.get(str(body.get("id")))
                if answer is not None and not answer.done():
                    answer.set_result(_answer(body))
            case _:
                pass


def _command(body: Mapping[str, Any]) -> bytes:
    return json.dumps({"schema": DELIVERY[Kind.COMMAND_BOARD].schema, **body}, ensure_ascii=False).encode()


def _answer(body: Mapping[str, Any]) -> Answer:
    reason, detail = (text if isinstance(text := body.get(key), str) else None for key in ("reason", "detail"))
    done = body.get("outcome") == "done"
    return Answer(done, None if done else reason or "unreadable", detail)


def _keep(found: dict[str, Mapping[str, Any]], key: str, body: Mapping[str, Any] | None) -> None:
    if body is None:
        found.pop(key, None)
    else:
        found[key] = body


def _object(payload: Any) -> Mapping[str, Any] | None:
    """A payload's object; None for an empty payload, which takes a retained message away, and for anything else."""
    try:
        found = json.loads(payload)
    except (ValueError, TypeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
