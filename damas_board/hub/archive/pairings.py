"""A round's payload as rows: read with patience, since it comes from anybody who may publish rounds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from damas_board.hub.archive.columns import label, moment, text
from damas_board.hub.archive.folding import folded
from damas_board.messages.names import player_name, public_name

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


def round_rows(payload: Mapping[str, Any]) -> RoundRows:
    """What a payload says; what it does not, or not in a way that can be understood, is None."""
    players: dict[str, Row] = {}
    pairings = []
    listed = payload.get("pairings")
    for pairing in listed if isinstance(listed, list | tuple) else ():
        if isinstance(pairing, Mapping):
            pairings.append(_pairing(pairing, payload, players))
    return RoundRows(
        {
            **{key: text(payload.get(key)) for key in ("name", "regulation", "clock", "state")},
            "told": moment(payload.get("ts")) or "",
            "payload": json.dumps(payload),
        },
        tuple(pairings),
        players,
    )


def match_rows(pairings: Iterable[Row]) -> dict[str, Row]:
    """The rows of `matches` by match: pairings of the same two players, under the name that the round gives them."""
    found: dict[str, dict[str, Any]] = {}
    for pairing in pairings:
        if pairing["withdrawn"] or pairing["white"] is None or pairing["black"] is None:
            continue
        name = pairing["match"] or " - ".join(sorted((pairing["white"], pairing["black"])))
        row = found.setdefault(name, {"first": pairing["white"], "second": pairing["black"], "games": 0})
        row["games"] += 1
    return dict(found)


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts `2` before `10`, and `r2` before `r10`."""
    return [
        (int(part), "") if part.isascii() and part.isdigit() else (-1, part)
        for part in re.split(r"(\d+)", name)
        if part
    ]


def _pairing(pairing: Mapping[str, Any], payload: Mapping[str, Any], players: dict[str, Row]) -> Row:
    sides: dict[str, str | None] = {}
    for side in ("white", "black"):
        player = pairing.get(side)
        name = player_name(player)
        sides[side] = None
        if name is not None:
            assert isinstance(player, Mapping)
            key = label(player.get("id")) or folded(name)
            sides[side] = key
            players[key] = {
                "name": name,
                "folded": folded(name),
                "public": public_name(player),
                "federation": text(player.get("federation")),
                "rating": label(player.get("rating")),
            }
    match = pairing.get("match")
    return {
        "table_id": label(pairing.get("table")),
        "board": text(pairing.get("board")),
        "game": text(pairing.get("game")),
        "match": label(match.get("id") if isinstance(match, Mapping) else match),
        **sides,
        "regulation": text(pairing.get("regulation")) or text(payload.get("regulation")),
        "fen": text(pairing.get("fen")),
        "opening": text(pairing.get("opening")),
        "result": text(pairing.get("result")),
    }
