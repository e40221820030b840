"""Takes events and rounds into the tables, so that twice, in pieces, in any order and by two hubs comes to the same.

How it works. An event is stored once, by `(epoch, seq)`. A game's content is made of the events 1 to n of its epoch
that are there without a hole; what came behind a hole waits in `events`. A newer epoch takes over when its first event
is there; the events of the old one stay aside. The rows of a game are changed only where its content differs.

Two writers of one game: each holds the game's row (in SQLite the file) from before it reads until its transaction ends,
and rows are taken in the order of their keys, so that no two wait for each other. What a writer remembers of a game is
of use only if the row still says so; else the content is folded again from what is stored.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from damas_board.hub.archive import tables
from damas_board.hub.archive.columns import LARGEST
from damas_board.hub.archive.content import Content, Row, alert_row, decision_row, ply_row
from damas_board.hub.archive.pairings import PLANNED, match_rows, round_rows
from damas_board.messages.envelope import Envelope, instant, object_of, read_object
from damas_board.messages.topics import DELIVERY, Kind, TopicError, checked_id

log = logging.getLogger(__name__)

REMEMBERED = 1000
"""Games whose content is kept in memory; others are folded again when something comes."""


_PARTS: tuple[tuple[Table, str, Callable[[Any], Row]], ...] = (
    (tables.plies, "ply", ply_row),
    (tables.alerts, "seq", alert_row),
    (tables.decisions, "seq", decision_row),
)
"""What a game's content has many of: table, last column of its key, and its row."""
_SCHEMA = DELIVERY[Kind.GAME_EVENT].schema


class Memory:
    """The content of the games that changed last. What a transaction changed is remembered when it is done."""

    def __init__(self) -> None:
        self._contents: OrderedDict[tuple[str, str], Content] = OrderedDict()

    def get(self, meeting: str, game: str, epoch: int, seq: int) -> Content | None:
        content = self._contents.get((meeting, game))
        return content if content is not None and (content.epoch, content.seq) == (epoch, seq) else None

    def keep(self, meeting: str, contents: Mapping[str, Content]) -> None:
        for game, content in contents.items():
            self._contents[meeting, game] = content
            self._contents.move_to_end((meeting, game))
        while len(self._contents) > REMEMBERED:
            self._contents.popitem(last=False)


def take_events(
    connection: Connection, memory: Memory, meeting: str, envelopes: Iterable[Envelope]
) -> dict[str, Content]:
    """Stores what is new and brings the games up to it; the content of those that were looked at."""
    batch = _by_game(envelopes)
    if not batch:
        return {}
    _add(connection, tables.meetings, [{"meeting": meeting}])
    blank = Content().game()
    _add(connection, tables.games, [{"meeting": meeting, "game": game, **blank} for game in batch])
    known = _locked(connection, meeting, batch)
    _add(
        connection,
        tables.events,
        [
            {"meeting": meeting, "game": game, "epoch": epoch, "seq": seq, "body": json.dumps(object_of(envelope))}
            for game, events in batch.items()
            for (epoch, seq), envelope in sorted(events.items())
            if epoch != known[game][0] or seq > known[game][1]
        ],
    )
    contents = {}
    for game, events in batch.items():
        before = _content(connection, memory, meeting, game, *known[game])
        newest = max((epoch for epoch, seq in events if seq == 1), default=before.epoch)
        begins = newest > before.epoch or before.seq == 0
        content = Content(epoch=max(newest, before.epoch)) if begins else before
        if (content.epoch, content.seq + 1) in events:
            for envelope in stored_events(connection, meeting, game, content.epoch, content.seq):
                content = content.after(envelope)
        if content != before:
            _write(connection, meeting, game, before, content)
        contents[game] = content
    return contents


def stored_events(
    connection: Connection, meeting: str, game: str, epoch: int, after: int = 0, upto: int | None = None
) -> Iterator[Envelope]:
    """The events of an epoch behind `after`, in order, as far as there is no hole, and not beyond `upto`."""
    events = tables.events
    where = [events.c.meeting == meeting, events.c.game == game, events.c.epoch == epoch, events.c.seq > after]
    if upto is not None:
        where.append(events.c.seq <= upto)
    for seq, body in connection.execute(select(events.c.seq, events.c.body).where(*where).order_by(events.c.seq)).all():
        if seq != after + 1:
            break
        yield read_object(json.loads(body))
        after = seq


def stored_content(connection: Connection, meeting: str, game: str, epoch: int, seq: int) -> Content:
    """The content of the events 1 to `seq` of an epoch, folded from what is stored."""
    content = Content(epoch=epoch)
    for envelope in stored_events(connection, meeting, game, epoch, 0, seq):
        content = content.after(envelope)
    return content


def take_round(connection: Connection, meeting: str, round_: str, payload: Mapping[str, Any]) -> None:
    """Stores a round as its organiser published it; an older payload than the stored one is passed over.

    RoundError where it cannot be used.
    """
    rows = round_rows(meeting, round_, payload)
    rounds, key = tables.rounds, {"meeting": meeting, "round": round_}
    _add(connection, tables.meetings, [{"meeting": meeting}])
    _add(connection, rounds, [{**key, **rows.round}])
    where = (rounds.c.meeting == meeting, rounds.c.round == round_)
    stored = connection.execute(select(rounds).where(*where).with_for_update()).mappings().one()
    if rows.round["told"] < stored["told"]:
        return
    _put_players(connection, meeting, rows.players)
    connection.execute(update(rounds).where(*where).values(**rows.round))
    begun = stored["state"] not in (None, PLANNED)
    pairings = _placed(_pairings(connection, meeting, round_), rows.pairings, begun=begun)
    for table, found in (
        (tables.pairings, pairings),
        (tables.matches, [{"match": name, **row} for name, row in sorted(match_rows(pairings).items())]),
    ):
        connection.execute(delete(table).where(table.c.meeting == meeting, table.c.round == round_))
        if found:
            connection.execute(table.insert(), [{**key, **row} for row in found])


def _by_game(envelopes: Iterable[Envelope]) -> dict[str, dict[tuple[int, int], Envelope]]:
    """The events of games by `(epoch, seq)`, games in order; what is no such event is told and left out."""
    batch: dict[str, dict[tuple[int, int], Envelope]] = defaultdict(dict)
    for envelope in envelopes:
        try:
            game = checked_id(envelope.game or "")
            epoch, seq = envelope.epoch, envelope.seq
            if epoch is None or seq is None or not 0 <= epoch < LARGEST or not 1 <= seq < LARGEST:
                raise ValueError('an event of a game needs "epoch" and "seq"')
            if envelope.schema != _SCHEMA:
                raise ValueError(f'"{envelope.schema}" is no event')
            instant(envelope.ts)
            object_of(envelope)
        except (TopicError, ValueError) as error:
            log.warning("an event cannot be archived: %s", error)
            continue
        batch[game].setdefault((epoch, seq), envelope)
    return dict(sorted(batch.items()))


def _locked(connection: Connection, meeting: str, batch: Iterable[str]) -> dict[str, tuple[int, int]]:
    """How far each game is archived; their rows are this transaction's until its end."""
    games = tables.games
    found = connection.execute(
        select(games.c.game, games.c.epoch, games.c.seq)
        .where(games.c.meeting == meeting, games.c.game.in_(list(batch)))
        .order_by(games.c.game)
        .with_for_update()
    )
    return {game: (epoch, seq) for game, epoch, seq in found}


def _content(connection: Connection, memory: Memory, meeting: str, game: str, epoch: int, seq: int) -> Content:
    kept = memory.get(meeting, game, epoch, seq)
    return kept or stored_content(connection, meeting, game, epoch, seq)


def _write(connection: Connection, meeting: str, game: str, before: Content, after: Content) -> None:
    games = tables.games
    connection.execute(update(games).where(games.c.meeting == meeting, games.c.game == game).values(**after.game()))
    for (table, name, row_of), old, new in zip(_PARTS, before.parts, after.parts, strict=True):
        gone = [number for number, part in old.items() if new.get(number) != part]
        if gone:
            key = and_(table.c.meeting == meeting, table.c.game == game, table.c[name].in_(gone))
            connection.execute(delete(table).where(key))
        come = [
            {"meeting": meeting, "game": game, name: number, **row_of(part)}
            for number, part in new.items()
            if old.get(number) != part
        ]
        if come:
            connection.execute(table.insert(), come)


def _add(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Adds those rows whose keys are not there yet."""
    if rows:
        connection.execute(_insert(connection)(table).on_conflict_do_nothing(), list(rows))


def _put_players(connection: Connection, meeting: str, players: Mapping[str, Row]) -> None:
    """Adds players, or puts what is said now in the place of what is there; in the order of their keys."""
    for player, row in sorted(players.items()):
        statement = _insert(connection)(tables.players).values(meeting=meeting, player=player, **row)
        connection.execute(statement.on_conflict_do_update(index_elements=["meeting", "player"], set_=dict(row)))


def _insert(connection: Connection) -> Callable[[Table], Any]:
    return insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite


def _pairings(connection: Connection, meeting: str, round_: str) -> Sequence[Row]:
    table = tables.pairings
    found = connection.execute(
        select(table).where(table.c.meeting == meeting, table.c.round == round_).order_by(table.c.place)
    )
    return [{k: v for k, v in row.items() if k not in ("meeting", "round")} for row in found.mappings()]


def _placed(there: Sequence[Row], listed: Sequence[Row], *, begun: bool) -> list[Row]:
    """The pairings with their places: in the order of the list, but in a round that has begun each game keeps its own.

    A game that is not in the list any more keeps its place too, marked as withdrawn.
    """
    if not begun:
        return [{**row, "place": place, "withdrawn": False} for place, row in enumerate(listed, 1)]
    places = {row["game"]: row["place"] for row in there}
    named = {row["game"] for row in listed}
    rows = [{**row, "withdrawn": True} for row in there if row["game"] not in named]
    taken = max((row["place"] for row in there), default=0)
    for row in listed:
        place = places.pop(row["game"], None)
        if place is None:
            place = taken = taken + 1
        rows.append({**row, "place": place, "withdrawn": False})
    return sorted(rows, key=lambda row: row["place"])
