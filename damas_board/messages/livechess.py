"""Games in the shape in which DGT's LiveChess Cloud gives them out, for what reads only that; pure.

Three kinds of file: the tournament with its rounds, a round with its pairings, a game with its moves. Times left are
whole seconds behind each move; a time of day is in milliseconds since 1970. A round says a result as `1-0`, a game as
`WHITEWIN`. Moves are texts of the record, as they are written in the game's variant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from damas_board.messages.names import public_name
from damas_board.messages.stream import Ply, Record

RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}
_OF_GAMES = {"white": "WHITEWIN", "black": "BLACKWIN", "draw": "DRAW"}


def tournament(meeting: str, time_control: str | None, rounds: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """`tournament.json`; `rounds` are the number of games, and of those that are being played, of each round."""
    listed = [{"count": count, "live": live} for count, live in rounds]
    return {"name": meeting, "location": None, "country": None, "timecontrol": time_control, "rounds": listed}


def index(games: Iterable[tuple[Mapping[str, Any], str | None, Record | None]]) -> dict[str, Any]:
    """`round-{n}/index.json`; of each game the players as they may be shown, the winner (or `draw`), the record."""
    pairings = []
    date = None
    for players, winner, record in games:
        sides = {side: _player(players.get(side)) for side in ("white", "black")}
        pairings.append({**sides, "result": RESULTS.get(winner or "", "*"), "live": is_live(winner, record)})
        if date is None and record is not None and record.plies:
            date = str(record.plies[0].body["ts"])[:10]
    return {"date": date, "pairings": pairings}


def game(winner: str | None, record: Record | None) -> dict[str, Any]:
    """`round-{n}/game-{m}.json`."""
    plies = () if record is None else record.plies
    first = _milliseconds(plies[0].body) if plies else None
    return {
        "live": is_live(winner, record),
        "firstMove": first,
        "chess960": None,
        "result": _OF_GAMES.get(winner or ""),
        "comment": None,
        "clock": None if record is None else _clock(record),
        "moves": [_move(ply) for ply in plies],
    }


def is_live(winner: str | None, record: Record | None) -> bool:
    """Whether it has begun, and not ended."""
    return winner is None and record is not None and record.start is not None and record.over is None


def _player(told: object) -> dict[str, Any]:
    """The last word of a name is the family's; who is not shown has no names."""
    words = (public_name(told) or "").split()
    title = told.get("title") if isinstance(told, Mapping) and words else None
    last = words[-1] if words else None
    return {"fname": " ".join(words[:-1]) or None, "mname": None, "lname": last, "title": title, "fideid": None}


def _move(ply: Ply) -> str:
    left = None if ply.clock is None else ply.clock.white if ply.side == "white" else ply.clock.black
    return ply.move if left is None else f"{ply.move} {math.ceil(left)}"


def _clock(record: Record) -> dict[str, Any] | None:
    told = record.clock
    if told is None:
        return None
    left = {side: math.ceil(told[side]) for side in ("white", "black")}
    runs = told["running"] is not None and not told.get("stale") and record.over is None
    return {**left, "run": runs, "time": _milliseconds(told)}


def _milliseconds(event: Mapping[str, Any]) -> int | None:
    """When an event was."""
    ts = event.get("ts")
    return None if ts is None else round(datetime.fromisoformat(str(ts)).timestamp() * 1000)
