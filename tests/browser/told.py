"""What the live pages are told, without a hall behind it: a server whose rounds and games are what a test says.

It is the hub's own: the same routes, view, ring of events and pages; only the broker between is left out. So a test can
have sixteen boards, a player of any name, a revision or a silence at once, and say when.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

import aiomqtt

from damas_board.hub.assets import public_routes
from damas_board.hub.live import Live
from damas_board.hub.pages import Page
from damas_board.hub.web import WebServer
from damas_board.messages.envelope import Envelope, encode, rfc3339
from damas_board.messages.topics import Kind, topic
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side

MEETING = "open"


@dataclass
class ToldGame:
    """A game as its public state tells it; `keys` are those of the state that the test sets itself."""

    regulation: str
    position: Position
    moves: list[str] = field(default_factory=list)
    keys: dict[str, Any] = field(default_factory=dict)


class Told:
    """The server: `round`, `begin`, `play`, `say` change what it tells; `beat` is its sign of life."""

    def __init__(self, live: Live, pages: dict[str, Page]) -> None:
        self.live = live
        self.pages = pages
        self.games: dict[str, ToldGame] = {}
        self.url = ""
        self._random = Random(11)
        self._began = rfc3339(datetime.now(UTC))

    def beat(self, *, connected: bool = True) -> None:
        self.live.connected = connected
        self.live._beat()

    def round(self, name: str, body: Mapping[str, Any]) -> None:
        self._tell(Kind.PUBLIC_ROUND, name, Envelope("damas.round/1", rfc3339(datetime.now(UTC)), body=body))

    def begin(self, game: str, regulation: str = "br-cbjd", moves: Sequence[str] | int = 0, **keys: Any) -> ToldGame:
        """A game from the start position, with these moves or so many that are legal; again: as it is now known."""
        self.games[game] = ToldGame(regulation, initial(shipped(regulation).variant), keys=keys)
        self.games[game].keys.setdefault("start", write_fen(self.games[game].position))
        self.play(game, moves)
        return self.games[game]

    def play(self, game: str, moves: Sequence[str] | int) -> None:
        played = self.games[game]
        for text in moves if not isinstance(moves, int) else [None] * moves:
            position = played.position
            move = self._random.choice(legal_moves(position)) if text is None else read_move(position, text)
            played.moves.append(write_move(position, move))
            played.position = position.after(move)
        self.say(game)

    def say(self, game: str, **keys: Any) -> None:
        """The game's state as it is now, with these keys from now on."""
        told = self.games[game]
        told.keys |= keys
        ts = rfc3339(datetime.now(UTC))
        body = {"at": datetime.now(UTC).timestamp(), "regulation": told.regulation, "fen": write_fen(told.position)}
        body |= {"moves": list(told.moves), "revision": 0, "times": [self._began] * len(told.moves), **told.keys}
        self._tell(Kind.PUBLIC_GAME_STATE, game, Envelope("damas.state/1", ts, None, game, 1, None, body))

    def clock(self, game: str, white: float, black: float, **more: Any) -> None:
        running = "white" if self.games[game].position.turn is Side.WHITE else "black"
        at = datetime.now(UTC).timestamp()
        told = {"event": "clock", "at": at, "white": white, "black": black, "running": running, "stale": False}
        self.say(game, clock={**told, **more})

    def _tell(self, kind: Kind, name: str, envelope: Envelope) -> None:
        self.live._view.take(topic(kind, MEETING, name), encode(envelope), datetime.now(UTC))


def _no_broker() -> aiomqtt.Client:
    raise AssertionError("nothing is asked of a broker")


@contextlib.asynccontextmanager
async def telling(port: int = 0) -> AsyncIterator[Told]:
    pages: dict[str, Page] = {}
    live = Live(_no_broker, MEETING)
    live.connected = True
    told = Told(live, pages)
    async with WebServer(pages, port=port, public=[*live.routes(), *public_routes()]) as web:
        told.url = web.url.rstrip("/")
        try:
            yield told
        finally:
            live.close()


def pairing(
    table: int, white: str | Mapping[str, Any], black: str | Mapping[str, Any] | None, **more: Any
) -> dict[str, Any]:
    """A pairing of the public round; its game is `g-{table}`."""
    sides = {
        side: {"name": one} if isinstance(one, str) else dict(one)
        for side, one in (("white", white), ("black", black))
        if one is not None
    }
    return {"table": str(table), "game": f"g-{table}", **sides, **more}
