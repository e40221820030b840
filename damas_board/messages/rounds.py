"""A round as the organiser publishes it: read and checked, turned into games for boards, and how far it has come; pure.

A round is a list of pairings, one a table. Each has a game id of its own, fixed when the round is written down:
whatever happens to boards, a game is found by its id, so that beginning a round twice begins no game twice, and boards
that change places swap nothing. A pairing without `black` is a bye: there is no game. A pairing without `board` is
played where nothing sees it; its result stands in the pairing itself.

Payloads of `round/{r}`, beside the envelope:

    {round, name?, regulation, clock?, match?, recorded?, starts?, state?, begins?, by?, lots?: {seed, at?, by?},
     pairings: [{table, white, black, game, board?, regulation?, clock?, fen?, opening?, match?, result?}],
     publication?: {delay?, hold, consumers?: {name: {delay}}, boards?: {table: {delay?, hold?}}, featured?: [table]}}

A player is `{name, public?, minor?, id?, title?, club?, federation?, rating?}`, or only the name. `begins` says for
people when it begins; nothing begins by it. `by` is who published it, `lots` what its lots were drawn with.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, get_args

from damas_board import regulations
from damas_board.messages.names import clean, player_name
from damas_board.messages.topics import TopicError, checked_id
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen
from damas_board.notation.time_control import read_time_control
from damas_board.rules.match import Tally, tally
from damas_board.session.ending import WINNERS
from damas_board.session.events import Winner
from damas_board.session.header import Starts
from damas_board.session.opening import drawn

RoundState = Literal["planned", "started", "over"]
TableState = Literal["planned", "waiting", "playing", "over", "bye"]

MOST_PAIRINGS = 5000
MOST_SECONDS = 7 * 86_400.0
"""No delay is longer."""
LONGEST_ID = 40
MOST_SEED = 2**53 - 1
"""As many whole numbers as JSON carries everywhere."""
PLAYER_KEYS = ("name", "public", "minor", "id", "title", "club", "federation", "rating")
_ABOUT = ("id", "title", "club", "federation", "rating")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?|\d\d:\d\d", re.ASCII)
PAIRING_KEYS = (
    *("table", "white", "black", "game", "board", "regulation", "clock", "fen", "opening", "match", "result"),
)
ROUND_KEYS = (
    *("round", "name", "regulation", "clock", "match", "recorded", "starts", "state", "begins", "by", "lots"),
    *("pairings", "publication"),
)
PUBLICATION_KEYS = ("delay", "hold", "consumers", "boards", "featured")

TEXTS: Mapping[str, str] = {
    "no_object": "a round is an object with round and pairings",
    "needs": "{key} is missing",
    "text": "{key} must be a text",
    "yes_or_no": "{key} must be true or false",
    "seconds": "{key} must be a number of seconds, 0 or more",
    "one_of": '{key} is "{found}"; allowed: {allowed}',
    "no_id": '{key} "{found}" is refused: 1 to 40 of the letters a-z, the digits and "-" are allowed',
    "list": "{key} must be a list of pairings",
    "object": "{key} must be an object",
    "too_many": "there are {found} pairings; {most} are the most",
    "no_name": "{key} needs a name",
    "twice": '{key} "{found}" stands in two pairings',
    "same_player": "White and Black are the same player, {found}",
    "clock": "clock: {error}",
    "fen": "fen: {error}",
    "opening": "opening: {error}",
    "no_table": '{key} names table "{found}", which no pairing has',
    "begins": '{key} is "{found}"; a time is written 15:00, 2026-01-31 15:00 (of the place) or 2026-01-31T15:00:00Z',
    "tables": "{key} must be a list of tables",
    "seed": "{key} must be a whole number, 0 or more",
}
"""The English of what may be wrong, by key; the keys and the names in braces are what a catalogue needs."""


class RoundError(ValueError):
    """A round that cannot be used; `pairing` is the number of the pairing, from 1, `place` the key that is wrong."""

    def __init__(self, key: str, /, *, pairing: int | None = None, place: str | None = None, **facts: Any) -> None:
        self.key = key
        self.facts: Mapping[str, Any] = facts
        self.pairing = pairing
        self.place = place
        where = "" if pairing is None else f"pairing {pairing}: "
        super().__init__(f"{where}{TEXTS[key].format(**facts)}")


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    public: str | None = None
    """What the player is called in public."""
    minor: bool = False
    """Under age: without `public` the public reads no name."""
    id: str | None = None
    title: str | None = None
    club: str | None = None
    federation: str | None = None
    rating: str | None = None

    @property
    def key(self) -> str:
        """What tells one player from another: the id, where there is one."""
        return self.id or self.name


@dataclass(frozen=True, slots=True)
class Pairing:
    table: str
    white: Player
    black: Player | None
    """None: White has a bye."""
    game: str
    board: str | None = None
    """The board that the game is to be begun on; None: this table has none."""
    regulation: str | None = None
    clock: str | None = None
    fen: str | None = None
    opening: str | None = None
    match: str | None = None
    result: str | None = None
    """As it was entered by hand: one of the texts that the command `result` takes."""

    @property
    def winner(self) -> Winner | None:
        return None if self.result is None else WINNERS[self.result]


@dataclass(frozen=True, slots=True)
class TablePublication:
    """What differs for one table; None: as for the round."""

    delay: float | None = None
    hold: bool | None = None


@dataclass(frozen=True, slots=True)
class RoundPublication:
    """How much later the public sees the round, seconds; `hold` keeps it away altogether."""

    delay: float | None = None
    """None: the round says nothing, and the terms of the hub that publishes hold."""
    hold: bool = False
    consumers: Mapping[str, float] = field(default_factory=dict)
    """How much later each of these has it, by name; never sooner than the public, for anybody can read it."""
    boards: Mapping[str, TablePublication] = field(default_factory=dict)
    """By table."""
    featured: tuple[str, ...] = ()
    """The tables that are shown before the others, in this order."""


@dataclass(frozen=True, slots=True)
class RoundLots:
    """What colours and openings were drawn with: the same seed draws them again (messages/lots.py)."""

    seed: int
    at: str | None = None
    """UTC, RFC 3339."""
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    round: str
    pairings: tuple[Pairing, ...]
    name: str | None = None
    regulation: str | None = None
    """None: each board's own."""
    clock: str | None = None
    match: str | None = None
    recorded: bool | None = None
    starts: Starts = "command"
    state: RoundState = "planned"
    publication: RoundPublication = RoundPublication()
    begins: str | None = None
    """For people: RFC 3339, or the date and time of the place without an offset, or only the time of day."""
    by: str | None = None
    """Who published it."""
    lots: RoundLots | None = None

    def at(self, table: str) -> Pairing | None:
        """The pairing at that table."""
        return next((pairing for pairing in self.pairings if pairing.table == table), None)

    def with_pairing(self, changed: Pairing) -> Round:
        """The round with the pairing of that table changed."""
        return replace(self, pairings=tuple(changed if p.table == changed.table else p for p in self.pairings))


# --- reading


def read_round(body: Any, *, meeting: str = "") -> Round:
    """The round in a payload, or in what a file says. RoundError names the pairing and the key that is wrong.

    Names are cleaned. A pairing that names no game gets an id made of meeting, round and table.
    """
    if not isinstance(body, Mapping):
        raise RoundError("no_object")
    at = _Reader(body)
    id_ = at.id("round")
    if id_ is None:
        raise RoundError("needs", place="round", key="round")
    listed = body.get("pairings")
    if not isinstance(listed, list | tuple):
        raise RoundError("list", place="pairings", key="pairings")
    if len(listed) > MOST_PAIRINGS:
        raise RoundError("too_many", place="pairings", found=len(listed), most=MOST_PAIRINGS)
    regulation, clock, match = at.text("regulation"), at.clock(), at.text("match")
    pairings = tuple(
        _pairing(_Reader(one, number), number, id_, meeting, regulation, match) for number, one in enumerate(listed, 1)
    )
    for key in ("table", "board", "game"):
        _each_once(key, pairings)
    return Round(
        id_,
        pairings,
        at.text("name"),
        regulation,
        clock,
        match,
        at.flag("recorded"),
        at.one_of("starts", get_args(Starts)) or "command",
        at.one_of("state", get_args(RoundState)) or "planned",
        _publication(body.get("publication"), {pairing.table for pairing in pairings}),
        at.moment("begins"),
        at.text("by"),
        _lots(body.get("lots")),
    )


class _Reader:
    """The keys of one object: of the round, or of a pairing."""

    def __init__(self, body: Any, pairing: int | None = None) -> None:
        if not isinstance(body, Mapping):
            raise RoundError("object", pairing=pairing, key="pairing")
        self.body = body
        self.pairing = pairing

    def wrong(self, key: str, place: str, /, **facts: Any) -> RoundError:
        return RoundError(key, pairing=self.pairing, place=place, **facts)

    def text(self, key: str) -> str | None:
        """A text without anything that steers or is invisible; a number is taken as its text."""
        value = self.body.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            value = f"{value:g}" if isinstance(value, float) else str(value)[:LONGEST_ID]
        if value is not None and not isinstance(value, str):
            raise self.wrong("text", key, key=key)
        return clean(value) or None if value is not None else None

    def line(self, key: str) -> str | None:
        """A longer text that is no name: a position, an opening."""
        value = self.body.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong("text", key, key=key)
        return value or None

    def id(self, key: str) -> str | None:
        text = self.text(key)
        if text is None:
            return None
        try:
            return checked_id(text, key)
        except TopicError as error:
            raise self.wrong("no_id", key, key=key, found=text) from error

    def flag(self, key: str) -> bool | None:
        value = self.body.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong("yes_or_no", key, key=key)
        return value

    def one_of(self, key: str, allowed: Sequence[str]) -> Any:
        text = self.text(key)
        if text is not None and text not in allowed:
            raise self.wrong("one_of", key, key=key, found=text, allowed=", ".join(allowed))
        return text

    def moment(self, key: str) -> str | None:
        """A time for people: with an offset, of the place (without one), or of the day."""
        text = self.text(key)
        if text is None:
            return None
        plain = text.upper().replace(" ", "T")
        try:
            if _MOMENT.fullmatch(plain) is None:
                raise ValueError("no time")
            datetime.fromisoformat(plain if "T" in plain else f"2000-01-01T{plain}")
        except ValueError as error:
            raise self.wrong("begins", key, key=key, found=text) from error
        return plain

    def clock(self) -> str | None:
        text = self.text("clock")
        try:
            if text is not None:
                read_time_control(text)
        except NotationError as error:
            raise self.wrong("clock", "clock", error=error) from error
        return text

    def player(self, side: str) -> Player | None:
        value = self.body.get(side)
        if value is None or value == "":
            return None
        if isinstance(value, str):
            value = {"name": value}
        if not isinstance(value, Mapping):
            raise self.wrong("object", side, key=side)
        name = player_name(value)
        if name is None:
            raise self.wrong("no_name", side, key=side)
        own = _Reader(value, self.pairing)
        public, minor = own.text("public"), own.flag("minor")
        return Player(name, public, bool(minor), *(own.text(key) for key in _ABOUT))


def _pairing(at: _Reader, number: int, round_: str, meeting: str, regulation: str | None, match: str | None) -> Pairing:
    table = at.text("table")
    if table is None:
        raise RoundError("needs", pairing=number, place="table", key="table")
    white, black = at.player("white"), at.player("black")
    if white is None:
        raise RoundError("no_name", pairing=number, place="white", key="white")
    if black is not None and black.key == white.key:
        raise RoundError("same_player", pairing=number, place="black", found=white.name)
    own = at.text("regulation")
    fen, opening = at.line("fen"), at.line("opening")
    _playable(number, own or regulation, fen, opening)
    return Pairing(
        table,
        white,
        black,
        at.id("game") or game_id(meeting, round_, table),
        at.id("board"),
        own,
        at.clock(),
        fen,
        opening,
        at.text("match") or match,
        at.one_of("result", tuple(WINNERS)),
    )


def _playable(number: int, regulation: str | None, fen: str | None, opening: str | None) -> None:
    """Whether the position and the opening are some of the regulation, as far as it is known here."""
    if regulation not in regulations.names() or (fen is None and opening is None):
        return
    variant = regulations.shipped(regulation).variant
    try:
        start = read_fen(fen or "start", variant)
    except NotationError as error:
        raise RoundError("fen", pairing=number, place="fen", error=error) from error
    try:
        drawn(opening, start)
    except NotationError as error:
        raise RoundError("opening", pairing=number, place="opening", error=error) from error


def _each_once(key: str, pairings: Sequence[Pairing]) -> None:
    seen = set()
    for number, pairing in enumerate(pairings, 1):
        value = getattr(pairing, key)
        if value is not None and value in seen:
            raise RoundError("twice", pairing=number, place=key, key=key, found=value)
        seen.add(value)


def _publication(body: Any, tables: set[str]) -> RoundPublication:
    if body is None:
        return RoundPublication()
    if not isinstance(body, Mapping):
        raise RoundError("object", place="publication", key="publication")
    consumers = {
        clean(str(name)): _delay(told, f"consumers.{name}") or 0.0 for name, told in _objects(body, "consumers").items()
    }
    boards = {}
    for table, told in _objects(body, "boards").items():
        if str(table) not in tables:
            raise RoundError("no_table", place="publication", key="publication.boards", found=clean(str(table)))
        boards[str(table)] = TablePublication(_delay(told, f"boards.{table}"), _Reader(told).flag("hold"))
    hold = bool(_Reader(body).flag("hold"))
    return RoundPublication(_delay(body, "publication"), hold, consumers, boards, _featured(body, tables))


def _featured(body: Mapping[str, Any], tables: set[str]) -> tuple[str, ...]:
    listed = body.get("featured")
    if listed is None:
        return ()
    if not isinstance(listed, list | tuple):
        raise RoundError("tables", place="publication", key="publication.featured")
    found = [_Reader({"featured": one}).text("featured") or "" for one in listed]
    for table in found:
        if table not in tables:
            raise RoundError("no_table", place="publication", key="publication.featured", found=table)
    return tuple(dict.fromkeys(found))


def _lots(body: Any) -> RoundLots | None:
    if body is None:
        return None
    if not isinstance(body, Mapping):
        raise RoundError("object", place="lots", key="lots")
    seed = body.get("seed")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise RoundError("seed", place="lots", key="lots.seed")
    told = _Reader(body)
    return RoundLots(seed, told.text("at"), told.text("by"))


def _objects(body: Mapping[str, Any], key: str) -> Mapping[str, Mapping[str, Any]]:
    found = body.get(key) or {}
    if not isinstance(found, Mapping) or not all(isinstance(value, Mapping) for value in found.values()):
        raise RoundError("object", place="publication", key=f"publication.{key}")
    return found


def _delay(body: Mapping[str, Any], what: str) -> float | None:
    value = body.get("delay")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise RoundError("seconds", place="publication", key=f"{clean(what)}: delay")
    return float(value)


def game_id(meeting: str, round_: str, table: str) -> str:
    """The id of a pairing's game: `{meeting}-{round}-t{table}`, of a long meeting's name only the beginning.

    The same three always give the same id, however often a round is written down.
    """
    plain = unicodedata.normalize("NFKD", table).encode("ascii", "ignore").decode().lower()
    rest = f"{round_}-t{re.sub('[^a-z0-9]+', '-', plain).strip('-') or 'x'}"[-LONGEST_ID:]
    head = meeting[: max(0, LONGEST_ID - len(rest) - 1)].rstrip("-")
    return f"{head}-{rest}" if head else rest


# --- writing


def round_object(planned: Round) -> dict[str, Any]:
    """The round as the keys of its payload; `read_round` reads it back to an equal value."""
    body: dict[str, Any] = {"round": planned.round}
    body |= _present(planned, ("name", "regulation", "clock", "match", "recorded"))
    body |= {"starts": planned.starts, "state": planned.state, **_present(planned, ("begins", "by"))}
    if planned.lots is not None:
        body["lots"] = _present(planned.lots, ("seed", "at", "by"))
    body["pairings"] = [_pairing_object(pairing) for pairing in planned.pairings]
    shown = planned.publication
    publication: dict[str, Any] = {**_present(shown, ("delay",)), "hold": shown.hold}
    if shown.consumers:
        publication["consumers"] = {name: {"delay": delay} for name, delay in shown.consumers.items()}
    if shown.boards:
        publication["boards"] = {table: _present(own, ("delay", "hold")) for table, own in shown.boards.items()}
    if shown.featured:
        publication["featured"] = list(shown.featured)
    return {**body, "publication": publication}


def _pairing_object(pairing: Pairing) -> dict[str, Any]:
    black = {} if pairing.black is None else {"black": player_object(pairing.black)}
    left = ("board", "regulation", "clock", "fen", "opening", "match", "result")
    return {
        "table": pairing.table,
        "white": player_object(pairing.white),
        **black,
        "game": pairing.game,
        **_present(pairing, left),
    }


def player_object(player: Player) -> dict[str, Any]:
    minor = {"minor": True} if player.minor else {}
    return {"name": player.name, **_present(player, ("public", *_ABOUT)), **minor}


def _present(value: Any, keys: Iterable[str]) -> dict[str, Any]:
    return {key: found for key in keys if (found := getattr(value, key)) is not None}


def new_game(planned: Round, pairing: Pairing) -> dict[str, Any]:
    """The arguments of the command `new_game` for a pairing, which must have a Black."""
    assert pairing.black is not None
    body = {
        "game": pairing.game,
        "round": planned.round,
        "table": pairing.table,
        "players": {"white": player_object(pairing.white), "black": player_object(pairing.black)},
        "starts": planned.starts,
        "regulation": pairing.regulation or planned.regulation,
        "clock": pairing.clock or planned.clock,
        "recorded": planned.recorded,
        "fen": pairing.fen,
        "opening": pairing.opening,
        "match": pairing.match,
    }
    return {key: value for key, value in body.items() if value is not None}


# --- how far it has come


@dataclass(frozen=True, slots=True)
class Standing:
    """One table of a round at present."""

    pairing: Pairing
    state: TableState
    board: str | None
    """Where the game is; before it is begun, where it is to be."""
    plies: int = 0
    turn: str | None = None
    """The side that is to move."""
    winner: Winner | None = None
    result: str | None = None
    """As the regulation writes it; as it was entered where only that is known."""
    reason: str | None = None
    alerts: int = 0
    """How many are open."""
    held: bool = False


def standings(planned: Round, games: Mapping[str, Mapping[str, Any]]) -> tuple[Standing, ...]:
    """Each table of the round; `games` are payloads of `game/{g}/state` by game. Unreadable ones count as none."""
    return tuple(_standing(pairing, games.get(pairing.game)) for pairing in planned.pairings)


def _standing(pairing: Pairing, state: Mapping[str, Any] | None) -> Standing:
    if pairing.black is None:
        return Standing(pairing, "bye", None, winner=pairing.winner, result=pairing.result)
    if state is None:
        known: TableState = "planned" if pairing.result is None else "over"
        return Standing(pairing, known, pairing.board, winner=pairing.winner, result=pairing.result)
    over = state.get("over")
    fen = state.get("fen")
    moves, alerts = state.get("moves"), state.get("alerts")
    found = Standing(
        pairing,
        "waiting" if state.get("waits_for") is not None else "playing",
        state["board"] if isinstance(state.get("board"), str) else pairing.board,
        len(moves) if isinstance(moves, list | tuple) else 0,
        {"W": "white", "B": "black"}.get(fen[:1]) if isinstance(fen, str) else None,
        alerts=len(alerts) if isinstance(alerts, list | tuple) else 0,
        held=state.get("held") is True,
    )
    if isinstance(over, Mapping):
        result, reason = over.get("result"), over.get("reason")
        return replace(
            found,
            state="over",
            turn=None,
            winner=WINNERS.get(str(over.get("winner"))),
            result=result if isinstance(result, str) else None,
            reason=reason if isinstance(reason, str) else None,
        )
    if pairing.result is not None:
        return replace(found, state="over", turn=None, winner=pairing.winner, result=pairing.result)
    return found


def state_of(tables: Iterable[Standing]) -> RoundState:
    """Of a round by its tables: `started` with its first game, `over` when its last one has ended."""
    states = {table.state for table in tables} - {"bye"}
    if states <= {"over"}:
        return "over"
    return "planned" if states <= {"planned", "waiting"} else "started"


def matches(games: Iterable[Mapping[str, Any]], tables: Iterable[Standing] = ()) -> dict[str, Tally]:
    """The score of each match: of games that are over (payloads of `game/{g}/state`), and of entered results.

    `tables` are those of the rounds whose results were entered without a game, or whose games `games` has as well.
    """
    played: dict[str, tuple[str, str, str, Winner | None]] = {}
    for state in games:
        match, players, game = state.get("match"), state.get("players"), state.get("game")
        white, black = (_key_of(players, side) for side in ("white", "black"))
        if isinstance(match, str) and isinstance(game, str) and white is not None and black is not None:
            over = state.get("over")
            winner = WINNERS.get(str(over.get("winner"))) if isinstance(over, Mapping) else None
            played[game] = match, white, black, winner
    for table in tables:
        pairing = table.pairing
        if pairing.match is not None and pairing.black is not None:
            played[pairing.game] = pairing.match, pairing.white.key, pairing.black.key, table.winner
    names = {match for match, _, _, _ in played.values()}
    return {
        name: tally((white, black, winner) for match, white, black, winner in played.values() if match == name)
        for name in sorted(names)
    }


def _key_of(players: Any, side: str) -> str | None:
    player = players.get(side) if isinstance(players, Mapping) else None
    known = player.get("id") if isinstance(player, Mapping) else None
    return known if isinstance(known, str) and known else player_name(player)
