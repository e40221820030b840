"""What the public subtree of a meeting says, put together for pages: rounds and games, and each change as an event.

    game: {game, round, table, ...ShownGame.summary, version, silent, delay, now}; its clock has an `age`, the seconds
          since it showed that, by the time `now`
    event `game`: the same, and {base, keep, plies}: who has the game as it was at version `base` keeps so many plies
          and puts these behind them; who has not fetches it whole
    event `round`: the payload, and what its regulations are called; `gone`: {game} or {round}

A `version` is of one change of one game, and never used again, not even by the next start of this program.

`silent` is since when nothing is heard of the board, in the time of those who look on: the delay is counted in.
A name, or whatever else was said of a player, that is said no more has to be nowhere: `forget` is called before the
event that is without it is told.

Payloads that cannot be used change nothing. No I/O; the time is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from damas_board.hub.event_ring import encoded
from damas_board.hub.known_regulations import KnownRegulations
from damas_board.hub.ordering import natural
from damas_board.messages.envelope import Envelope, decode, instant, rfc3339
from damas_board.messages.shown import ShownGame, shown_game
from damas_board.messages.topics import Kind, Topic
from damas_board.regulations import Regulation, shipped

SIDES = ("white", "black")
MOST_OVER = 600
"""Of games that are over a snapshot has so many, the newest; the others are given to who asks for them."""
MOST_WHOLE = 64
"""Games that are kept as they were asked for last, whole."""
FRESH = timedelta(seconds=0.2)
"""So long they are given again while a clock runs."""
Tell = Callable[[str, Mapping[str, Any]], None]


@dataclass(slots=True)
class _Game:
    state: Envelope
    shown: ShownGame | None
    """None once it is over: it is made again where somebody asks for the whole game."""
    summary: Mapping[str, Any]
    lag: float | None
    since: datetime
    """When its newest event became public."""
    version: int
    place: tuple[str | None, str | None]
    """Round and table."""
    silent: str | None
    delay: float | None


class PublicView:
    """`take` what is retained under `public/`; `tell(event, body)` is called for each change, after it was made."""

    def __init__(
        self,
        meeting: str,
        tell: Tell,
        regulations: Callable[[str], Regulation] = shipped,
        *,
        versions: int,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        """`versions`: the first version is higher; more than any that was given before this start. `forget`: what was
        told until now has something in it that may be read no more.
        """
        self._meeting = meeting
        self._tell = tell
        self._forget = forget
        self._regulation = KnownRegulations(regulations)
        self._version = versions
        self._games: dict[str, _Game] = {}
        self._rounds: dict[str, dict[str, Any]] = {}
        self._paired: dict[str, tuple[str, str]] = {}
        """Round and table of the games that rounds name."""
        self._whole: dict[str, tuple[int, datetime, bytes]] = {}
        self._unheard: set[Topic] = set()

    def take(self, place: Topic, payload: bytes, now: datetime) -> None:
        """What a topic says from now on; nothing where `payload` is empty. ValueError where it cannot be used."""
        self._unheard.discard(place)
        match place.kind:
            case Kind.PUBLIC_GAME_STATE:
                self._take_game(place.id("game"), payload, now)
            case Kind.PUBLIC_ROUND:
                self._take_round(place.id("round"), payload, now)
            case _:
                pass

    def connected(self) -> None:
        """The broker says again all that it has: what it has not is `forget`."""
        self._unheard = {Topic(Kind.PUBLIC_GAME_STATE, self._meeting, (game,)) for game in self._games}
        self._unheard |= {Topic(Kind.PUBLIC_ROUND, self._meeting, (name,)) for name in self._rounds}

    def forget(self, now: datetime) -> None:
        """What was not said again since the connection is gone."""
        for place in sorted(self._unheard, key=str):
            self.take(place, b"", now)

    # what there is

    def snapshot(self, now: datetime) -> dict[str, Any]:
        """All rounds, and the games without their plies, in an order that does not change; `MOST_OVER`."""
        rounds = sorted(self._rounds, key=natural)
        ended = [(game.since, name) for name, game in self._games.items() if game.summary["over"] is not None]
        left = {name for _, name in sorted(ended)[:-MOST_OVER]}
        listed = [(name, game) for name, game in self._games.items() if name not in left]
        games = sorted(listed, key=lambda item: _order(item[0], *item[1].place))
        return {
            "meeting": self._meeting,
            "now": rfc3339(now),
            "rounds": [self._rounds[name] for name in rounds],
            "games": [self._summary(name, game, now) for name, game in games],
        }

    def whole(self, name: str, now: datetime) -> bytes | None:
        """A game with its plies, as JSON; None where there is none of that name."""
        game = self._games.get(name)
        if game is None:
            return None
        made = self._whole.get(name)
        if made is None or made[0] != game.version or (_runs(game) and not now - FRESH <= made[1] <= now):
            shown = game.shown or self._shown(game.state, None)
            body = {**self._summary(name, game, now), "now": rfc3339(now), "plies": shown.plies}
            self._whole.pop(name, None)
            while len(self._whole) >= MOST_WHOLE:
                self._whole.pop(next(iter(self._whole)))
            made = self._whole[name] = (game.version, now, encoded(body))
        return made[2]

    def _summary(self, name: str, game: _Game, now: datetime) -> dict[str, Any]:
        round_, table = game.place
        told = {"game": name, "round": round_, "table": table, **game.summary, "version": game.version}
        if told["clock"] is not None:
            age = (game.lag or 0.0) + max(0.0, (now - game.since).total_seconds())
            told["clock"] = {**told["clock"], "age": round(age, 3)}
        return told | {"silent": game.silent, "delay": game.delay}

    # games

    def _take_game(self, name: str, payload: bytes, now: datetime) -> None:
        former = self._games.get(name)
        if not payload:
            if self._games.pop(name, None) is not None:
                self._whole.pop(name, None)
                self._forget()
                self._tell("gone", {"game": name})
            return
        state = decode(payload)
        if former is not None and former.state == state:
            return
        shown = self._shown(state, None if former is None else former.shown)
        body = state.body
        delay = body.get("delay") if isinstance(body.get("delay"), int | float) else None
        game = _Game(
            state,
            shown if shown.summary["over"] is None else None,
            shown.summary,
            shown.lag,
            _moment(body.get("shown")) or now,
            0 if former is None else former.version,
            self._paired.get(name, (_named(body, "round"), _named(body, "table"))),
            _silent(body.get("silent"), delay),
            delay,
        )
        if former is not None and former.shown is not None and _same(former, game, former.shown, shown):
            former.state = state
            return
        self._games[name] = game
        if former is not None and _is_withdrawn(former.summary["players"], shown.summary["players"]):
            self._whole.pop(name, None)
            self._forget()
        self._tell_game(name, game, shown, shown.kept(None if former is None else former.shown), former, now)

    def _tell_game(
        self, name: str, game: _Game, shown: ShownGame, keep: int, former: _Game | None, now: datetime
    ) -> None:
        self._version += 1
        game.version = self._version
        delta = {"base": None if former is None else former.version, "keep": keep, "plies": shown.plies[keep:]}
        self._tell("game", {**self._summary(name, game, now), "now": rfc3339(now), **delta})

    def _shown(self, state: Envelope, former: ShownGame | None) -> ShownGame:
        return shown_game(state.body, self._regulation(state.body.get("regulation")), former)

    # rounds

    def _take_round(self, name: str, payload: bytes, now: datetime) -> None:
        if payload:
            told = self._round(name, decode(payload).body)
            had = self._rounds.get(name)
            if had == told:
                return
            self._rounds[name] = told
            if had is not None and _is_withdrawn(_people(had), _people(told)):
                self._forget()
            self._tell("round", told)
        elif self._rounds.pop(name, None) is not None:
            self._forget()
            self._tell("gone", {"round": name})
        self._paired = {
            pairing["game"]: (round_, pairing["table"])
            for round_, told in self._rounds.items()
            for pairing in told["pairings"]
        }
        for game, known in self._games.items():
            place = self._paired.get(game, (_named(known.state.body, "round"), _named(known.state.body, "table")))
            if place != known.place:
                former, known.place = known.version, place
                self._version += 1
                known.version = self._version
                delta = {"base": former, "keep": known.summary["count"], "plies": ()}
                self._tell("game", {**self._summary(game, known, now), "now": rfc3339(now), **delta})

    def _round(self, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
        pairings = body.get("pairings")
        if not isinstance(pairings, list) or not isinstance(body.get("state"), str):
            raise ValueError('a round has "state" and "pairings"')
        for one in pairings:
            if not isinstance(one, dict) or not all(isinstance(one.get(key), str) for key in ("game", "table")):
                raise ValueError('a pairing has "table" and "game"')
        named = [{**one, **self._titles(one)} if "regulation" in one else one for one in pairings]
        return {**body, "round": name, **self._titles(body), "pairings": named}

    def _titles(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """What a regulation is called, and its variant; null where it is not known."""
        regulation = self._regulation(told.get("regulation"))
        if regulation is None:
            return {"regulation_title": None, "variant": None}
        return {"regulation_title": regulation.title, "variant": regulation.variant.name}


def _order(game: str, round_: str | None, table: str | None) -> tuple[Any, ...]:
    return (round_ is None, natural(round_ or ""), table is None, natural(table or ""), natural(game))


def _runs(game: _Game) -> bool:
    clock = game.summary["clock"]
    return clock is not None and clock["running"] is not None


def _same(former: _Game, game: _Game, had: ShownGame, has: ShownGame) -> bool:
    """Whether nobody would see a difference."""
    same = (former.place, former.silent, former.delay, had.summary) == (
        game.place,
        game.silent,
        game.delay,
        has.summary,
    )
    return same and len(had.plies) == len(has.plies) == has.kept(had)


def _is_withdrawn(had: Mapping[Any, Any], has: Mapping[Any, Any]) -> bool:
    """Whether something that was said of players is said no more; to say more of them withdraws nothing."""
    for player, said in had.items():
        now = has.get(player)
        if not isinstance(said, Mapping) or not isinstance(now, Mapping):
            if said != now:
                return True
        elif any(now.get(key) != value for key, value in said.items()):
            return True
    return False


def _people(round_: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """What a round says of its players, by game and side."""
    return {(one["game"], side): one[side] for one in round_["pairings"] for side in SIDES if one.get(side)}


def _named(body: Mapping[str, Any], key: str) -> str | None:
    value = body.get(key)
    return value if isinstance(value, str) else None


def _moment(text: Any) -> datetime | None:
    return instant(text) if isinstance(text, str) else None


def _silent(since: Any, delay: float | None) -> str | None:
    moment = _moment(since)
    return None if moment is None else rfc3339(moment + timedelta(seconds=delay or 0.0))
