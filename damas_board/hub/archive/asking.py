"""Answers questions about an archive: games by what is known of them, a whole game, a round, a meeting's results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, exists, func, or_, select

from damas_board.hub.archive import tables
from damas_board.hub.archive.folding import folded
from damas_board.hub.archive.pairings import key_of, published
from damas_board.hub.archive.positions import position_key
from damas_board.hub.archive.standings import Outcome, Person, Winner
from damas_board.hub.archive_errors import ArchiveError
from damas_board.hub.ordering import natural
from damas_board.messages.names import clean, is_minor, public_person
from damas_board.messages.rounds import player_object
from damas_board.regulations import names, shipped
from damas_board.session.ending import WINNERS

Result = Literal["white", "black", "draw", "none", "open"]
MOST = 1000
"""Games that one search answers with."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for; all that is given must hold. `player` is part of a name, whatever its accents and case."""

    meeting: str | None = None
    round: str | None = None
    player: str | None = None
    since: str | None = None
    """A date or RFC 3339 time (UTC) from which on the game began: `2026-01-31`."""
    until: str | None = None
    """The last one: a date includes its day."""
    moves: tuple[str, ...] = ()
    """The game begins with these, as the variant writes them."""
    fen: str | None = None
    """The position stood on the board, at the start or after a ply."""
    result: Result | None = None
    alert: str | None = None
    """The kind of an alert that was raised."""
    limit: int = MOST


def search(connection: Connection, asked: Search) -> list[dict[str, Any]]:
    """The games that fit, in the order in which they began: facts, names and the round, without the moves.

    ArchiveError for a `fen` that is no position.
    """
    games, pairings = tables.games, tables.pairings
    white, black = tables.players.alias("white_player"), tables.players.alias("black_player")
    joined = games.outerjoin(pairings, and_(pairings.c.meeting == games.c.meeting, pairings.c.game == games.c.game))
    for player, side in ((white, pairings.c.white), (black, pairings.c.black)):
        joined = joined.outerjoin(player, and_(player.c.meeting == games.c.meeting, player.c.player == side))
    columns = [games.c[name] for name in _FACTS]
    places = (func.coalesce(pairings.c[name], games.c[name]).label(name) for name in ("round", "table_id"))
    query = (
        select(*columns, *places, white.c.name.label("w"), black.c.name.label("b"))
        .select_from(joined)
        .where(*_conditions(asked, white, black))
        .order_by(games.c.started.nulls_last(), games.c.meeting, games.c.game, pairings.c.round)
        .limit(asked.limit)
    )
    return [_found(row) for row in connection.execute(query).mappings()]


_FACTS = (
    *("meeting", "game", "board", "regulation", "state", "white", "black", "winner", "result", "reason", "plies"),
    *("revision", "started", "ended"),
)


def _found(row: RowMapping) -> dict[str, Any]:
    facts = {name: row[name] for name in _FACTS}
    facts |= {"white": row["w"] or row["white"], "black": row["b"] or row["black"]}
    return {**facts, "round": row["round"], "table": row["table_id"]}


def _conditions(asked: Search, white: Any, black: Any) -> list[ColumnElement[bool]]:
    games, pairings = tables.games, tables.pairings
    found: list[ColumnElement[bool]] = []
    if asked.meeting is not None:
        found.append(games.c.meeting == asked.meeting)
    if asked.round is not None:
        found.append(func.coalesce(pairings.c.round, games.c.round) == asked.round)
    if asked.player is not None:
        part = folded(asked.player)
        places = (games.c.white_folded, games.c.black_folded, white.c.folded, black.c.folded)
        found.append(or_(*(place.contains(part, autoescape=True) for place in places)))
    if asked.since is not None:
        found.append(games.c.started >= asked.since)
    if asked.until is not None:
        found.append(or_(games.c.started <= asked.until, games.c.started.startswith(asked.until, autoescape=True)))
    if asked.moves:
        begins = "".join(f"{clean(move)} " for move in asked.moves)
        found.append(games.c.moves.startswith(begins, autoescape=True))
    if asked.fen is not None:
        found.append(_stood(asked.fen))
    if asked.result == "open":
        found.append(games.c.winner.is_(None))
    elif asked.result is not None:
        found.append(games.c.winner == asked.result)
    if asked.alert is not None:
        alerts = tables.alerts
        here = and_(alerts.c.meeting == games.c.meeting, alerts.c.game == games.c.game, alerts.c.kind == asked.alert)
        found.append(exists().where(here))
    return found


def _stood(fen: str) -> ColumnElement[bool]:
    key = position_key(fen)
    if key is None:
        raise ArchiveError("archive_position", fen=fen)
    games, plies = tables.games, tables.plies
    here = and_(plies.c.meeting == games.c.meeting, plies.c.game == games.c.game, plies.c.position == key)
    return or_(games.c.start_key == key, exists().where(here))


def game(connection: Connection, meeting: str, game_: str) -> dict[str, Any] | None:
    """All that is known of a game: its facts, moves, alerts, decisions and pairing; None where there is none."""
    where = (tables.games.c.meeting == meeting, tables.games.c.game == game_)
    row = connection.execute(select(tables.games).where(*where)).mappings().one_or_none()
    if row is None:
        return None
    facts = {key: value for key, value in row.items() if key not in _INTERNAL}
    facts["moves"] = row["moves"].split()
    facts["players"] = None if row["players"] is None else json.loads(row["players"])
    pairing = _rows(connection, tables.pairings, meeting, game_, "place")
    return {
        **facts,
        "pairing": pairing[0] if pairing else None,
        "plies": [_listing(ply, "captured") for ply in _rows(connection, tables.plies, meeting, game_, "ply")],
        "alerts": [_listing(alert, "squares") for alert in _rows(connection, tables.alerts, meeting, game_, "seq")],
        "decisions": [_with_arguments(one) for one in _rows(connection, tables.decisions, meeting, game_, "seq")],
    }


_INTERNAL = ("start_key", "white_folded", "black_folded", "moves", "players", "plies")


def _rows(connection: Connection, table: Any, meeting: str, game_: str, order: str) -> list[dict[str, Any]]:
    query = select(table).where(table.c.meeting == meeting, table.c.game == game_).order_by(table.c[order])
    hidden = ("meeting", "game", "position")
    return [{k: v for k, v in row.items() if k not in hidden} for row in connection.execute(query).mappings()]


def _with_arguments(row: dict[str, Any]) -> dict[str, Any]:
    told = row["arguments"]
    return {**row, "arguments": None if told is None else json.loads(told)}


def _listing(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {**row, key: row[key].split()}


def meetings(connection: Connection) -> list[str]:
    return list(connection.execute(select(tables.meetings.c.meeting).order_by(tables.meetings.c.meeting)).scalars())


def rounds(connection: Connection, meeting: str) -> list[str]:
    """The rounds of a meeting in their order: `2` before `10`."""
    found = connection.execute(select(tables.rounds.c.round).where(tables.rounds.c.meeting == meeting)).scalars()
    return sorted(found, key=natural)


def round_(connection: Connection, meeting: str, name: str) -> dict[str, Any] | None:
    """A round with its `pairings` in their places and the `matches`; None where there is none."""
    where = (tables.rounds.c.meeting == meeting, tables.rounds.c.round == name)
    row = connection.execute(select(tables.rounds).where(*where)).mappings().one_or_none()
    if row is None:
        return None
    parts = {}
    for table, order in ((tables.pairings, "place"), (tables.matches, "match")):
        query = select(table).where(table.c.meeting == meeting, table.c.round == name).order_by(table.c[order])
        found = connection.execute(query).mappings()
        parts[table.name] = [{k: v for k, v in part.items() if k not in ("meeting", "round")} for part in found]
    return {**row, "payload": json.loads(row["payload"]), **parts}


def results(
    connection: Connection, meeting: str, upto: Sequence[str], *, public: bool = False
) -> tuple[list[Person], list[Outcome]]:
    """The players and what counts of the rounds `upto`: the game's own result, else what the organiser entered.

    `public`: with the names that everybody may read; who has none is a number.
    """
    table, games = tables.pairings, tables.games
    query = (
        select(table, games.c.winner.label("won"))
        .select_from(table.outerjoin(games, and_(games.c.meeting == table.c.meeting, games.c.game == table.c.game)))
        .where(table.c.meeting == meeting, table.c.round.in_(upto), table.c.withdrawn.is_(False))
    )
    people = _people(connection, meeting, public=public)
    outcomes = []
    for row in connection.execute(query).mappings():
        winner = _winner(row)
        if winner is not None:
            white, black = (people[row[side]].player if row[side] else None for side in ("white", "black"))
            outcomes.append(Outcome(white, black, winner, _win(row["regulation"])))
    return list(people.values()), outcomes


def _winner(row: RowMapping) -> Winner | None:
    """Who won, `draw`, or None for what does not count: not over, or over without a result."""
    found = row["won"] if row["won"] in ("white", "black", "draw") else WINNERS.get(row["result"] or "")
    return None if found == "none" else found


def _win(regulation: str | None) -> float:
    known = regulation is not None and regulation in names()
    return 1.0 if known and shipped(str(regulation)).scoring == "1-0" else 2.0


def _people(connection: Connection, meeting: str, *, public: bool) -> dict[str, Person]:
    """The meeting's players by key.

    In public a key that is made of a name is not shown either, nor the number of who is under age or not named.
    """
    table = tables.players
    found = connection.execute(select(table).where(table.c.meeting == meeting).order_by(table.c.player)).mappings()
    told = said_of_players(connection, meeting) if public else {}
    people = {}
    for number, row in enumerate(found, 1):
        key = row["player"]
        if public:
            # Of who stands in no pairing any more only the public name was kept.
            said = told.get(key, [{"name": row["public"], "minor": True, "public": row["public"]}])
            shown = public_person(*said) or {}
            hidden = not shown or is_minor(*said) or key == row["folded"]
            name, code = shown.get("name", f"#{number}"), f"#{number}" if hidden else key
            people[key] = Person(code, name, shown.get("federation"), shown.get("rating"))
        else:
            people[key] = Person(key, row["name"], row["federation"], row["rating"])
    return people


def said_of_players(connection: Connection, meeting: str) -> dict[str, list[Any]]:
    """All that is said of each player, by key: by the games of the pairings, and by these, the newest last."""
    games, rounds = tables.games, tables.rounds
    query = select(games.c.game, games.c.players).where(games.c.meeting == meeting, games.c.players.is_not(None))
    words = {game: json.loads(players) for game, players in connection.execute(query)}
    payloads = select(rounds.c.round, rounds.c.payload).where(rounds.c.meeting == meeting).order_by(rounds.c.told)
    told: dict[str, list[Any]] = {}
    for name, payload in connection.execute(payloads):
        for pairing in published(meeting, name, json.loads(payload)).pairings:
            word = words.get(pairing.game)
            for side, player in (("white", pairing.white), ("black", pairing.black)):
                if player is not None:
                    own = word.get(side) if isinstance(word, Mapping) else None
                    told.setdefault(key_of(player), []).extend((own, player_object(player)))
    return told


def game_ids(connection: Connection, meeting: str) -> list[str]:
    games = tables.games
    return list(
        connection.execute(select(games.c.game).where(games.c.meeting == meeting).order_by(games.c.game)).scalars()
    )
