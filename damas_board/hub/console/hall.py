"""The hall's present, as the console shows it: gateways, boards, rounds, and games with their alerts whole; from MQTT.

How games are read. Each has a stream that is followed without holes (hub/reader.py). What the archive has of it needs
not be asked for again: a game that is looked at now is *awake*, folded from the archive and followed from there; one
that is over and done with *sleeps*, and is woken when it changes or is asked for. So a hub that starts again late in a
meeting asks the gateways for little.

Whoever shows it is told what has changed (`changed`), and asks for that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import aiomqtt

from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.console.hall_games import HallGame
from damas_board.hub.ending import ended
from damas_board.hub.reader import Reader, Told
from damas_board.messages.envelope import Envelope
from damas_board.messages.json_text import read_json
from damas_board.messages.stream import Since, StreamError
from damas_board.messages.topics import Kind, Topic

log = logging.getLogger(__name__)

ALSO = (Kind.GATEWAY_HEALTH, Kind.BOARD_INFO, Kind.BOARD_SEE, Kind.BOARD_HEALTH, Kind.BOARD_STATE)
_OF_BOARD: Mapping[Kind, str] = {
    Kind.BOARD_INFO: "info",
    Kind.BOARD_SEE: "see",
    Kind.BOARD_HEALTH: "health",
    Kind.BOARD_STATE: "state",
}
_ENVELOPE = ("schema", "board", "game", "epoch", "seq")
FORGET_SECONDS = 10.0
"""So long after a connection all that the broker has retained has come."""


class Hall:
    """`async with Hall(...)` reads all of a meeting; it connects, and connects again, by itself.

    `changed(kind, id)`: something of a `board`, `game`, `round` or `gateway` is another now. `answered(answer)`: what
    came on this login's own topic. Both are called in the event loop and must return at once.
    """

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        user: str,
        meeting: str,
        archive: Archive,
        changed: Callable[[str, str], None],
        answered: Callable[[Mapping[str, Any]], None],
    ) -> None:
        self.gateways: dict[str, dict[str, Any]] = {}
        """By name, `state` and `health`."""
        self.boards: dict[str, dict[str, Any]] = {}
        """By name, `link`, `info`, `see`, `health` and `state`, as they were said last."""
        self.rounds: dict[str, Mapping[str, Any]] = {}
        self.states: dict[str, Mapping[str, Any]] = {}
        """What each game's gateway has retained of it."""
        self.games: dict[str, HallGame] = {}
        """The games that are awake."""
        self.reader = Reader(self._connecting, user, meeting, listener=self, folds=False, also=ALSO, hears=self._hear)
        self._meeting = meeting
        self._archive = archive
        self._changed = changed
        self._answered = answered
        self._connect = connect
        self._connections = 0
        self._heard: set[str] = set()
        """The rounds that have been said since the newest connection began."""
        self._archived: dict[str, tuple[int, int]] = {}
        self._asleep: set[str] = set()
        self._waking: dict[str, None] = {}
        self._to_wake = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._others: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._work = asyncio.create_task(self._run(), name="console hall")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._work is not None:
            await ended(self._work, *self._others)
            await self.reader.__aexit__(kind, error, trace)

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return () if self._work is None else (self._work,)

    @property
    def connected(self) -> bool:
        return self.reader.connected.is_set()

    def game_on(self, board: str) -> str | None:
        """The game that a board has, as its gateway says."""
        state = self.boards.get(board, {}).get("state") or {}
        game = state.get("game")
        return game if isinstance(game, str) else self.reader.boards.get(board)

    def board_of(self, game: str) -> str | None:
        """The board that has a game, or had it last."""
        known = self.states.get(game, {}).get("board")
        return known if isinstance(known, str) else None

    def is_present(self, game: str) -> bool:
        """Whether people look at a game now: it goes on, it is on a board, or something is open about it."""
        state = self.states.get(game)
        if state is None:
            return False
        if not state.get("over") or state.get("alerts"):
            return True
        return any(self.game_on(board) == game for board in self.boards)

    async def look_at(self, game: str) -> HallGame | None:
        """A game, also one that sleeps; None where the hall and the archive know none of that id."""
        found = self.games.get(game)
        if found is not None:
            return found
        return await asyncio.to_thread(self._from_archive, game)

    # --- the Listener of the reader

    def resume(self, game: str) -> Since | None:
        known = self._archived.get(game)
        return None if known is None else Since(*known)

    def events(self, game: str, told: Sequence[Told], *, whole: bool) -> None:
        found = self.games.get(game)
        if found is None:
            if told[0].envelope.seq != 1:
                self._wake(game)
                return
            found = self.games[game] = HallGame(game)
        for one in told:
            if one.envelope.seq != 1 and (one.envelope.epoch, one.envelope.seq) != (found.epoch, found.seq + 1):
                continue  # was folded from the archive meanwhile
            _take(found, one.envelope)
            if one.envelope.body.get("event") == "clock":
                found.clock_at = asyncio.get_running_loop().time() - one.age
        self._changed("game", game)

    def round(self, round_: str, payload: Mapping[str, Any]) -> None:
        self._heard.add(round_)
        self.rounds[round_] = _body(payload)
        self._changed("round", round_)

    # --- messages

    def _hear(self, place: Topic, payload: bytes) -> None:
        body = read_json(payload) if payload else None
        if body is not None and not isinstance(body, dict):
            raise ValueError("not a JSON object")
        match place.kind:
            case Kind.GATEWAY_STATE | Kind.GATEWAY_HEALTH:
                what = "state" if place.kind is Kind.GATEWAY_STATE else "health"
                self._keep("gateway", self.gateways, place.id("gateway"), what, body)
            case Kind.BOARD_LINK:
                self._keep("board", self.boards, place.id("board"), "link", body)
            case Kind.GAME_STATE:
                self._state(place.id("game"), body)
            case Kind.ROUND if body is None:
                self._forget("round", place.id("round"))
            case Kind.ANSWER if body is not None:
                self._answered(body)
            case kind if kind in _OF_BOARD:
                self._keep("board", self.boards, place.id("board"), _OF_BOARD[kind], body)
            case _:
                pass

    def _keep(
        self,
        kind: str,
        among: dict[str, dict[str, Any]],
        id_: str,
        what: str,
        body: Mapping[str, Any] | None,
    ) -> None:
        if body is not None:
            game = {"game": body.get("game")} if what == "state" and kind == "board" else {}
            among.setdefault(id_, {})[what] = {**_body(body), **game}
        elif id_ in among:
            among[id_] = {key: value for key, value in among[id_].items() if key != what}
            if not among[id_]:
                self._forget(kind, id_)
        self._changed("see" if what == "see" and body is not None else kind, id_)

    def _state(self, game: str, body: Mapping[str, Any] | None) -> None:
        if body is None:
            self._forget("game", game)
        else:
            before = self.states.get(game, {})
            self.states[game] = body
            self._wake_if_present(game)
            self._changed("game", game)
            if before.get("over") != body.get("over"):
                for round_ in self.rounds:
                    self._changed("round", round_)

    def _forget(self, kind: str, id_: str) -> None:
        """The broker has nothing of it any more."""
        for known in self._known()[kind]:
            known.pop(id_, None)
        self._changed(kind, id_)

    def _known(self) -> dict[str, tuple[dict[str, Any], ...]]:
        return {
            "gateway": (self.gateways,),
            "board": (self.boards,),
            "round": (self.rounds,),
            "game": (self.states, self.games),
        }

    def _connecting(self) -> aiomqtt.Client:
        self._heard.clear()
        self._connections += 1
        return self._connect()

    async def _keep_forgetting(self) -> None:
        """A round that the broker has not said again some time after a connection began was taken away meanwhile.

        What gateways say is kept: where a broker has lost all that it had, they may be away as well.
        """
        done = 0
        while True:
            await self.reader.connected.wait()
            number = self._connections
            await asyncio.sleep(FORGET_SECONDS)
            if number != self._connections or not self.connected or done == number:
                continue
            done = number
            for round_ in [round_ for round_ in self.rounds if round_ not in self._heard]:
                self._forget("round", round_)

    # --- sleeping and waking

    def rest(self) -> None:
        """Let the games sleep that nobody looks at any more, and wake those that people look at."""
        for game in [game for game in self.games if game in self.states and not self.is_present(game)]:
            del self.games[game]
            self._asleep.add(game)
            self._changed("game", game)
        self._look_for_work()

    def _look_for_work(self) -> None:
        for game in self.states:
            self._wake_if_present(game)

    def _wake_if_present(self, game: str) -> None:
        if game in self._asleep and self.is_present(game):
            self._wake(game)

    def _wake(self, game: str) -> None:
        self._asleep.discard(game)
        self._waking[game] = None
        self._to_wake.set()

    async def _run(self) -> None:
        try:
            self._archived = await asyncio.to_thread(self._archive.known, self._meeting)
            self._asleep = set(self._archived)
        except ArchiveError as error:
            log.warning("%s; the gateways are asked for every game from its beginning", error)
        await self.reader.__aenter__()
        self._others = [asyncio.create_task(one) for one in (self._keep_waking(), self._keep_forgetting())]
        done, _ = await asyncio.wait([*self._others, *self.reader.tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _keep_waking(self) -> None:
        while True:
            await self._to_wake.wait()
            self._to_wake.clear()
            while self._waking:
                game = next(iter(self._waking))
                del self._waking[game]
                if game not in self.games:
                    await self._woken(game)

    async def _woken(self, game: str) -> None:
        """Fold what the archive has of a game, and follow it from there."""
        try:
            found = await asyncio.to_thread(self._from_archive, game)
        except ArchiveError as error:
            log.warning("game %s is read from its gateway: %s", game, error)
            found = None
        if found is None:
            self.games[game] = HallGame(game)
            self.reader.again(game)
        else:
            self.games[game] = found
            self.reader.again(game, Since(found.epoch, found.seq))
        self._changed("game", game)

    def _from_archive(self, game: str) -> HallGame | None:
        found = HallGame(game)
        for envelope in self._archive.events(self._meeting, game):
            _take(found, envelope)
        return found if found.seq else None


def _take(game: HallGame, envelope: Envelope) -> None:
    try:
        game.take(envelope)
    except (StreamError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("game %s: event %s is left out: %s", game.game, envelope.seq, error)


def _body(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What a payload says beside who, where and which form it has."""
    return {key: value for key, value in payload.items() if key not in _ENVELOPE}
