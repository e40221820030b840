"""Streams of games as a gateway publishes them, and the whole content of an archive to compare."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import select
from unruly import Unruly

from damas_board.hub.archive import Archive
from damas_board.hub.archive.tables import metadata
from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, timestamp
from damas_board.messages.stream import Record, fold
from damas_board.notation.fen import write_fen
from damas_board.regulations import shipped
from damas_board.rules.position import initial
from damas_board.session.header import Header
from damas_board.session.session import Session

UTC = "2026-01-31T18:30:00Z"
START = write_fen(initial(shipped("br-cbjd").variant))


def envelopes(game: str, bodies: Iterable[dict[str, Any]], epoch: int = 1, board: str = "table-1") -> list[Envelope]:
    """A game's stream; each body's `at` is by default its number."""
    return [
        Envelope("damas.event/1", timestamp(UTC, body.get("at", n)), board, game, epoch, n, {"at": float(n), **body})
        for n, body in enumerate(bodies, 1)
    ]


@cache
def unruly(seed: int, game: str, epoch: int = 1, acts: int = 25, regulation: str = "br-cbjd") -> list[Envelope]:
    """The stream of a game in which anything may happen."""
    players = {"white": {"name": f"Ána {seed}"}, "black": {"name": "Rui"}}
    clock = "300+5" if seed % 2 else None
    header = Header("t", regulation, senses="colour", game=game, players=players, clock=clock)
    rules = shipped(regulation)
    session = Session(header, rules)
    told = []
    for item in Unruly(session, header, rules, seed).inputs(acts):
        told += [json.loads(json.dumps(event_object(event))) for event in session.feed(item)]
    return envelopes(game, told, epoch)


def started(game: str, white: str = "Ana", black: str = "Rui", **more: Any) -> dict[str, Any]:
    players = {"white": {"name": white}, "black": {"name": black}}
    return {"event": "game_started", "game": game, "regulation": "br-cbjd", "fen": START, "players": players, **more}


def move(ply: int, text: str, fen: str = "W:Wa1:Bh8", **more: Any) -> dict[str, Any]:
    body = {"event": "move", "ply": ply, "side": "white" if ply % 2 else "black", "move": text, "fen": fen}
    return {**body, "captured": [], "basis": "seen", "seconds": 2.5, "irregular": False, "provisional": True} | {
        "revision": 0,
        **more,
    }


def over(winner: str, result: str = "2-0", reason: str = "resigned") -> dict[str, Any]:
    return {"event": "game_over", "winner": winner, "result": result, "reason": reason, "ply": 1, "revision": 0}


def folded(stream: Iterable[Envelope]) -> Record:
    record = Record()
    for envelope in stream:
        record = fold(record, envelope)
    return record


def content(archive: Archive) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table."""
    with archive._engine.connect() as connection:
        return {
            table.name: sorted((dict(row) for row in connection.execute(select(table)).mappings()), key=str)
            for table in metadata.sorted_tables
        }


def kept(archive: Archive, meeting: str, game: str) -> dict[str, Any]:
    """The rows that are made from a game's record, in the record's terms."""
    found = archive.game(meeting, game)
    return {
        "moves": found["moves"],
        "fens": [ply["fen"] for ply in found["plies"]],
        "sides": [ply["side"] for ply in found["plies"]],
        "irregular": [ply["irregular"] for ply in found["plies"]],
        "confirmed": [ply["confirmed"] for ply in found["plies"]],
        "captured": [ply["captured"] for ply in found["plies"]],
        "open": [alert["alert"] for alert in found["alerts"] if alert["open"]],
        "start": found["start"],
        "fen": found["fen"],
        "revision": found["revision"],
        "winner": found["winner"],
        "held": found["held"],
    }


def expected(record: Record) -> dict[str, Any]:
    return {
        "moves": list(record.moves),
        "fens": [ply.fen for ply in record.plies],
        "sides": [ply.side for ply in record.plies],
        "irregular": [ply.irregular for ply in record.plies],
        "confirmed": [ply.confirmed for ply in record.plies],
        "captured": [ply.body["captured"] for ply in record.plies],
        "open": [alert["id"] for alert in record.alerts],
        "start": record.start,
        "fen": record.fen,
        "revision": record.revision,
        "winner": None if record.over is None else record.over["winner"],
        "held": record.held,
    }


def archive_all(url: str, meeting: str, batches: Iterable[Iterable[Envelope]], round_: dict[str, Any]) -> None:
    """What a process of its own does: the round and the batches, one after the other."""
    with Archive.open(url) as archive:
        for batch in batches:
            archive.take(meeting, list(batch))
            archive.take_round(meeting, "1", round_)
