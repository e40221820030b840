"""The hall as the page is told it: boards, games, rounds and gateways as JSON-ready objects.

    board    {board, table, game, shape, link, gateway, info, see, health, state}
    game     {game, round, table, ...ShownGame.summary, version, silent, on, plies, alerts, settled, counters, claims,
              held, waits_for}: `on` is its board's name, `board` says its squares; its clock has an `age`
    round    as it was published, with what its regulations are called; a pairing whose game has ended says how, `over`
    gateway  {gateway, state, health}

What was made of a game's moves is kept, so that a move costs one move.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from damas_board.hub.console.evidence import in_whites_view
from damas_board.hub.console.hall import Hall
from damas_board.hub.console.hall_games import HallGame
from damas_board.hub.known_regulations import KnownRegulations
from damas_board.messages.envelope import EnvelopeError, instant
from damas_board.messages.shown import ShownGame, record_state, shown_game
from damas_board.regulations import Regulation

log = logging.getLogger(__name__)

_STATE = ("counters", "waits_for", "masked")
"""What only a game's state says."""
_OVER = ("winner", "result", "reason")


class Showing:
    def __init__(self, hall: Hall, regulations: Callable[[str], Regulation]) -> None:
        self._hall = hall
        self.regulation = KnownRegulations(regulations)
        self._shown: dict[str, ShownGame] = {}
        self._versions: dict[str, int] = {}
        self._version = time.time_ns() // 1_000_000
        """Higher than any that was given before this start."""

    def told(self, kind: str, id_: str) -> dict[str, Any] | None:
        """What is told of a `board`, `game`, `round` or `gateway`; None where there is nothing (any more)."""
        try:
            match kind:
                case "board":
                    return self.board(id_)
                case "game":
                    return self.game(id_)
                case "round":
                    return self.round(id_)
                case _:
                    return self.gateway(id_)
        except (ValueError, TypeError, KeyError, AttributeError) as error:  # whatever somebody has published
            log.warning("%s %s cannot be shown: %s", kind, id_, error)
            return None

    def board(self, board: str) -> dict[str, Any] | None:
        """A board; None where nothing is known of it."""
        told = self._hall.boards.get(board)
        if told is None:
            return None
        game = self._hall.game_on(board)
        state = told.get("state")
        info, link = told.get("info"), told.get("link")
        return {
            "board": board,
            "table": (info or {}).get("table"),
            "game": game,
            "shape": self._shape(game),
            "link": link,
            "gateway": (link or info or {}).get("gateway"),
            "info": info,
            "see": self._see(told, game),
            "health": told.get("health"),
            "state": None if state is None else {key: state.get(key) for key in ("state", "put", "clear", "reason")},
        }

    def game(self, game: str) -> dict[str, Any] | None:
        """A game that people look at now; None where it sleeps, or has not begun to be told."""
        found = self._hall.games.get(game)
        if not self._hall.is_present(game):
            found = None
        elif found is None or found.record.start is None:
            return self._waiting(game)
        if found is None:
            self._shown.pop(game, None)
            return None
        return self.whole(found)

    def _waiting(self, game: str) -> dict[str, Any] | None:
        """A game that has not begun: its stream has not said yet what it is, its state has."""
        state = self._hall.states.get(game, {})
        if state.get("waits_for") is None:
            return None
        try:
            shown = shown_game(state, self.regulation(state.get("regulation")))
        except ValueError as error:
            log.warning("game %s waits, and cannot be shown: %s", game, error)
            return None
        on = self._hall.board_of(game)
        alerts = state.get("alerts")
        return {
            "game": game,
            "round": state.get("round"),
            "table": state.get("table"),
            **shown.summary,
            "players": state.get("players") or {},
            "version": self._versions.get(game, 0),
            "silent": self._silent(on),
            "on": on,
            "plies": shown.plies,
            "alerts": alerts if isinstance(alerts, list) else [],
            "settled": [],
            "claims": [],
            "held": bool(state.get("held")),
            **{key: state.get(key) for key in _STATE},
        }

    def whole(self, found: HallGame) -> dict[str, Any]:
        """A game, awake or not."""
        record, game = found.record, found.game
        state = self._hall.states.get(game, {})
        shown = shown_game(record_state(record), self.regulation(record.regulation), self._shown.get(game))
        if game in self._hall.games:
            self._shown[game] = shown
        summary = dict(shown.summary)
        if summary["clock"] is not None:
            summary["clock"] = {**summary["clock"], "age": _age(found)}
        on = self._hall.board_of(game) or found.board
        return {
            "game": game,
            "round": record.round,
            "table": record.table,
            **summary,
            "players": record.players or {},
            "version": self._versions.get(game, 0),
            "silent": self._silent(on),
            "on": on,
            "plies": shown.plies,
            "alerts": found.alerts,
            "settled": found.settled,
            "claims": found.claims,
            "held": record.held,
            **{key: state.get(key) for key in _STATE},
        }

    def next_version(self, game: str) -> int:
        """A game is told as another now."""
        self._version += 1
        self._versions[game] = self._version
        return self._version

    def round(self, round_: str) -> dict[str, Any] | None:
        told = self._hall.rounds.get(round_)
        if told is None:
            return None
        named = told.get("pairings")
        pairings = [
            {**one, **(self._titles(one) if "regulation" in one else {}), **self._ended(one)}
            if isinstance(one, dict)
            else one
            for one in (named if isinstance(named, list) else ())
        ]
        return {**told, "round": round_, **self._titles(told), "pairings": pairings}

    def gateway(self, gateway: str) -> dict[str, Any] | None:
        told = self._hall.gateways.get(gateway)
        return None if told is None else {"gateway": gateway, "state": told.get("state"), "health": told.get("health")}

    def all(self) -> dict[str, list[dict[str, Any]]]:
        """All that there is beside the games, in an order that does not change."""
        hall = self._hall
        known: dict[str, Mapping[str, Any]] = {
            "board": hall.boards,
            "round": hall.rounds,
            "gateway": hall.gateways,
        }
        return {
            f"{kind}s": [told for id_ in sorted(ids) if (told := self.told(kind, id_)) is not None]
            for kind, ids in known.items()
        }

    def _shape(self, game: str | None) -> dict[str, Any] | None:
        """The squares of the board that has that game."""
        named = self._hall.states.get(game or "", {}).get("regulation")
        regulation = self.regulation(named)
        if regulation is None:
            return None
        geometry = regulation.variant.geometry
        return {"size": geometry.size, "corner": geometry.corner, "numbering": geometry.numbering}

    def _see(self, told: Mapping[str, Any], game: str | None) -> dict[str, Any] | None:
        """What a board shows, as White sees it where it is known what game is on it."""
        see, state = told.get("see"), self._hall.states.get(game or "", {})
        turn = state.get("turn", (told.get("info") or {}).get("turn"))
        regulation = self.regulation(state.get("regulation"))
        if see is None or regulation is None or turn not in (90, 180, 270):
            return see
        try:
            return {**see, "see": in_whites_view(str(see.get("see")), regulation.variant.geometry, turn)}
        except (ValueError, IndexError):
            return None

    def _silent(self, board: str | None) -> str | None:
        """Since when nothing is heard of a board."""
        link = self._hall.boards.get(board or "", {}).get("link")
        if link is None:
            return None
        if link.get("link") == "down":
            return _text(link.get("ts"))
        gateway = self._hall.gateways.get(str(link.get("gateway")), {}).get("state") or {}
        return _text(gateway.get("ts")) if gateway.get("state") == "offline" else None

    def _ended(self, pairing: Mapping[str, Any]) -> dict[str, Any]:
        """How the game of a pairing has ended, as its gateway says: it may sleep."""
        game = pairing.get("game")
        over = self._hall.states.get(game, {}).get("over") if isinstance(game, str) else None
        return {"over": {key: over.get(key) for key in _OVER}} if isinstance(over, dict) else {}

    def _titles(self, told: Mapping[str, Any]) -> dict[str, Any]:
        regulation = self.regulation(told.get("regulation"))
        if regulation is None:
            return {"regulation_title": None, "variant": None}
        return {"regulation_title": regulation.title, "variant": regulation.variant.name}


def is_news(before: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Whether something is told otherwise than before; that a clock has gone on is none."""
    return _still(before) != _still(told)


def _still(told: Mapping[str, Any]) -> dict[str, Any]:
    clock = told.get("clock")
    still = {key: value for key, value in told.items() if key != "version"}
    return {**still, "clock": {**clock, "age": None}} if isinstance(clock, dict) else still


def _age(game: HallGame) -> float:
    """Seconds since the clock showed what it told; of what the archive has, by its time and this machine's."""
    if game.clock_at is not None:
        return round(asyncio.get_running_loop().time() - game.clock_at, 3)
    try:
        told = instant(str((game.record.clock or {}).get("ts")))
    except EnvelopeError:
        return 0.0
    return round(max(0.0, (datetime.now(UTC) - told).total_seconds()), 3)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
