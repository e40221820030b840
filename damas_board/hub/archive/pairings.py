"""A round's payload as rows of the archive's tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from damas_board.hub.archive.columns import moment
from damas_board.hub.archive.folding import folded
from damas_board.messages.names import public_name
from damas_board.messages.rounds import Pairing, Player, Round, player_object, read_round

Row = Mapping[str, Any]
PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class RoundRows:
    round: Row
    """The row of `rounds`, without its key."""
    pairings: tuple[Row, ...]
    """Rows of `pairings` in the payload's order, without place and key."""
    players: Mapping[str, Row]
    """Rows of `players` by player."""


def published(meeting: str, round_: str, payload: Mapping[str, Any]) -> Round:
    """The round in a payload. RoundError where it cannot be used."""
    return read_round({**payload, "round": round_}, meeting=meeting)


def round_rows(meeting: str, round_: str, payload: Mapping[str, Any]) -> RoundRows:
    """The rows of a payload. RoundError where it cannot be used."""
    planned = published(meeting, round_, payload)
    people = [player for pairing in planned.pairings for player in (pairing.white, pairing.black) if player is not None]
    return RoundRows(
        {
            "name": planned.name,
            "regulation": planned.regulation,
            "clock": planned.clock,
            "state": planned.state,
            "told": moment(payload.get("ts")) or "",
            "payload": json.dumps(payload),
        },
        tuple(_pairing(pairing, planned) for pairing in planned.pairings),
        {key_of(player): _player(player) for player in people},
    )


def match_rows(pairings: Iterable[Row]) -> dict[str, Row]:
    """The rows of `matches` by match: its name in the round, else its two players."""
    found: dict[str, dict[str, Any]] = {}
    for pairing in pairings:
        if pairing["withdrawn"] or pairing["black"] is None:
            continue
        name = pairing["match"] or " - ".join(sorted((pairing["white"], pairing["black"])))
        row = found.setdefault(name, {"first": pairing["white"], "second": pairing["black"], "games": 0})
        row["games"] += 1
    return dict(found)


def key_of(player: Player) -> str:
    """What tells one player from another: the organiser's id, else the name without accents and case."""
    return player.id or folded(player.name)


def _player(player: Player) -> Row:
    return {
        "name": player.name,
        "folded": folded(player.name),
        "public": public_name(player_object(player)),
        "federation": player.federation,
        "rating": player.rating,
    }


def _pairing(pairing: Pairing, planned: Round) -> Row:
    return {
        "table_id": pairing.table,
        "board": pairing.board,
        "game": pairing.game,
        "match": pairing.match,
        "white": key_of(pairing.white),
        "black": None if pairing.black is None else key_of(pairing.black),
        "regulation": pairing.regulation or planned.regulation,
        "fen": pairing.fen,
        "opening": pairing.opening,
        "result": pairing.result,
    }
