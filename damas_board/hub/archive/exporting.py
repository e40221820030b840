"""A round as text: each of its games as PDN, in the places of the round, and the feed that Lidraughts takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from damas_board.messages.feed import Feed, feed_game
from damas_board.messages.score import game_text, round_text, state_of
from damas_board.messages.stream import Record
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import write_fen
from damas_board.notation.results import winner
from damas_board.regulations import Regulation, shipped
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.session.events import GameOver
from damas_board.session.state import GameState

Regulations = Callable[[str], Regulation]
"""The regulation of a name; KeyError where none is known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of a round: how the organiser paired it, and what its stream told (None where nothing was)."""

    place: int
    pairing: Mapping[str, Any]
    """As the organiser published it."""
    record: Record | None = None
    started: str | None = None
    """RFC 3339."""
    withdrawn: bool = False
    """It is in the round no more."""


@dataclass(frozen=True, slots=True)
class RoundExport:
    """`games` are texts by file name, in the order of the round; `problems` say of which game there is no text, why."""

    name: str
    games: Mapping[str, str]
    problems: Mapping[str, str]

    @property
    def whole(self) -> str:
        return round_text(self.games.values())

    @property
    def files(self) -> dict[str, str]:
        """The whole round, and one file for each board."""
        return {f"{self.name}.pdn": self.whole, **self.games}


def export_round(
    meeting: str,
    round_: Mapping[str, Any],
    name: str,
    entries: Iterable[Entry],
    *,
    regulations: Regulations = shipped,
    public: bool = False,
) -> RoundExport:
    """The games of a round as PDN; `round_` is the organiser's payload, `name` the round's id."""
    games, problems = {}, {}
    for entry in (entry for entry in entries if not entry.withdrawn):
        file = f"{name}-{_file(entry)}.pdn"
        try:
            regulation = _regulation(entry, round_, regulations)
            state = _state(entry, round_, regulation)
            games[file] = game_text(state, regulation, _tags(meeting, name, entry), public=public)
        except (KeyError, ValueError) as error:
            problems[file] = str(error.args[0] if error.args else error)
    return RoundExport(name, games, problems)


def export_feed(
    meeting: str,
    round_: Mapping[str, Any],
    name: str,
    entries: Iterable[Entry],
    *,
    feed: Feed | None = None,
    regulations: Regulations = shipped,
    public: bool = True,
) -> Feed:
    """The round as Lidraughts takes it, upon the `feed` that was published last; see messages.feed."""
    texts = []
    for entry in entries:
        tags, players = _tags(meeting, name, entry), _players(entry)
        game = str(entry.pairing.get("game") or f"place-{entry.place}")
        try:
            regulation = _regulation(entry, round_, regulations)
            state = _state(entry, round_, regulation)
            texts.append((game, feed_game(state, regulation, tags, public=public)))
        except (KeyError, ValueError):  # its place stays, with its players
            texts.append((game, feed_game(None, shipped("pt-classicas"), tags, players=players, public=public)))
    return (feed or Feed()).with_games(texts)


def _regulation(entry: Entry, round_: Mapping[str, Any], regulations: Regulations) -> Regulation:
    told = None if entry.record is None else entry.record.regulation
    name = told or entry.pairing.get("regulation") or round_.get("regulation")
    if not isinstance(name, str):
        raise NotationError("it is not said by which regulation it is played")
    return regulations(name)


def _state(entry: Entry, round_: Mapping[str, Any], regulation: Regulation) -> GameState:
    """The game as it stands; one that has not begun from its first position, with the result that was entered."""
    clock = entry.pairing.get("clock") or round_.get("clock")
    control = clock if isinstance(clock, str) else None
    if entry.record is not None and entry.record.start is not None:
        state = state_of(entry.record, control)
    else:
        fen = entry.pairing.get("fen")
        start = fen if isinstance(fen, str) else write_fen(initial(regulation.variant))
        state = GameState("-", regulation.name, start, start, (), 0, time_control=control)
    entered = entry.pairing.get("result")
    if state.over is None and isinstance(entered, str):
        state = replace(state, over=_entered(entered, regulation))
    return replace(state, players=_players(entry))


def _entered(result: str, regulation: Regulation) -> GameOver | None:
    """What the organiser entered, White's points first, as a game file of the regulation writes it."""
    who = result if result in ("white", "black", "draw") else winner(result, Side.WHITE)
    if who is None:
        return None
    return GameOver(0.0, who, regulation.result(who), "decision", None, 0, 0)  # type: ignore[arg-type]


def _players(entry: Entry) -> Mapping[str, Any]:
    """The organiser's word, else the stream's; who is under age by either is under age."""
    told: Any = None if entry.record is None else entry.record.players
    found = {}
    for side in ("white", "black"):
        here, there = entry.pairing.get(side), told.get(side) if isinstance(told, Mapping) else None
        player = here if isinstance(here, Mapping) else there
        if isinstance(player, Mapping):
            minor = any(isinstance(one, Mapping) and one.get("minor") for one in (here, there))
            found[side] = {**player, "minor": True} if minor else player
    return found


def _tags(meeting: str, round_: str, entry: Entry) -> dict[str, str]:
    tags = {"Event": meeting, "Round": round_}
    if entry.started is not None:
        tags["Date"] = entry.started[:10].replace("-", ".")
    table = entry.pairing.get("table")
    return {**tags, "Board": str(table)} if isinstance(table, str | int) else tags


def _file(entry: Entry) -> str:
    """The place, and the table where its name may stand in a file's: `03-table-3`."""
    table = re.sub(r"[^a-z0-9]+", "-", str(entry.pairing.get("table") or "").lower()).strip("-")[:40]
    return f"{entry.place:02}-table-{table}" if table else f"{entry.place:02}"
