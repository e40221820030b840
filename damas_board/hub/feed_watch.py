"""What of a feed its operator has to know, for Lidraughts cannot do all that a hall can: codes, told in the log once.

Each trouble is `{"code", "round", ...}`; docs/codes.md says what is to be done. No clock: times are passed in.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)

QUIET_SECONDS = 45 * 60.0
"""Without a new move for so long it is told: after an hour Lidraughts stops to ask."""
TEXTS: Mapping[str, str] = {
    "feed_unknown_there": "round {round}: Lidraughts does not know the rules of {regulation}: of the games at tables"
    " {tables} it gets the names, and no moves",
    "feed_no_regulation": "round {round}: the feed has no moves of the games at tables {tables}, for it is not known by"
    " which regulation they are played ({regulation}); name it in the round, or in [hub] regulations",
    "feed_frozen": "round {round}, table {table}: the game stays in the feed as it was: {detail}",
    "feed_cut": "round {round}, table {table}: the game ends in the feed behind ply {plies}, for a position was set up",
    "feed_begins_behind": "round {round}, table {table}: the game begins in the feed behind ply {plies}, for a position"
    " was set up; Lidraughts keeps the start that it has until the chapter is deleted there",
    "feed_too_many": "round {round}: the feed has room for {most} games; left out: those at tables {tables}",
    "feed_quiet": "round {round}: no new move in the feed since {since}; after an hour Lidraughts stops to ask, and has"
    " to be told there to go on",
}


@dataclass(frozen=True, slots=True)
class Pace:
    """How far the games of a feed have come: it is `open` while one is being played that Lidraughts can show."""

    moves: tuple[tuple[str, ...], ...]
    open: bool


class FeedWatch:
    """`take` when the feeds were made, `troubles` at any time."""

    def __init__(self) -> None:
        self._told: set[tuple[Any, ...]] = set()
        self._found: tuple[Mapping[str, Any], ...] = ()
        self._paces: dict[str, Pace] = {}
        self._moved: dict[str, tuple[float, str]] = {}
        """When the newest move of a round came, also as a time of day."""

    def take(self, found: Iterable[Mapping[str, Any]], paces: Mapping[str, Pace], now: float, ts: str) -> None:
        """What is wrong with the feeds as they are served now, and how far they have come; `ts` is `now` in UTC."""
        self._found = tuple(found)
        for round_, pace in paces.items():
            before = self._paces.get(round_)
            if before is None or (any(pace.moves) and pace.moves != before.moves):
                self._moved[round_] = (now, ts)
        self._paces = dict(paces)

    def troubles(self, now: float) -> list[dict[str, Any]]:
        """All that is wrong now; what is new in it is logged."""
        found = [dict(trouble) for trouble in self._found]
        for round_, (moved, ts) in self._moved.items():
            if now - moved >= QUIET_SECONDS and round_ in self._paces and self._paces[round_].open:
                found.append({"code": "feed_quiet", "round": round_, "since": ts})
        keys = {_key(trouble): trouble for trouble in found}
        for key in keys.keys() - self._told:
            log.warning(TEXTS[keys[key]["code"]].format_map(_shown(keys[key])))
        self._told = set(keys)
        return found


def _key(trouble: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in sorted(trouble.items()))


def _shown(trouble: Mapping[str, Any]) -> dict[str, Any]:
    return {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in trouble.items()}
