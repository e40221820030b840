"""A round as text: each of its games as PDN, in the places of the round, and the feed that Lidraughts takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from damas_board.hub.archive.columns import text
from damas_board.messages.feed import Feed, feed_game
from damas_board.messages.names import with_showing
from damas_board.messages.publication import public_players
from damas_board.messages.rounds import Pairing, Round, player_object
from damas_board.messages.score import game_text, round_text, state_of
from damas_board.messages.stream import Record
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.regulations import Regulation, shipped
from damas_board.session.events import GameOver
from damas_board.session.state import GameState

Regulations = Callable[[str], Regulation]
"""The regulation of a name; KeyError where none is known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One game: how the organiser paired it, and what its stream told; one of the two may be missing."""

    game: str
    place: int = 1
    pairing: Pairing | None = None
    record: Record | None = None
    started: str | None = None
    """RFC 3339."""
    withdrawn: bool = False
    """It is in the round no more."""
    about: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By side what any round or game of the meeting says about showing the player in public."""


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
    planned: Round,
    entries: Iterable[Entry],
    *,
    regulations: Regulations = shipped,
    public: bool = False,
) -> RoundExport:
    """The games of a round as PDN, those that are still in it; byes are no games."""
    games, problems = {}, {}
    for entry in entries:
        if entry.withdrawn or (entry.pairing is not None and entry.pairing.black is None):
            continue
        file = f"{planned.round}-{_file(entry)}.pdn"
        try:
            games[file] = export_game(meeting, planned, entry, regulations=regulations, public=public)
        except (KeyError, ValueError) as error:
            problems[file] = str(error.args[0] if error.args else error)
    return RoundExport(planned.round, games, problems)


def export_game(
    meeting: str,
    planned: Round | None,
    entry: Entry,
    *,
    regulations: Regulations = shipped,
    public: bool = False,
) -> str:
    """One game as PDN. ValueError or KeyError where its regulation is not known or its moves do not follow."""
    regulation = _regulation(entry, planned, regulations)
    state = _state(entry, planned, regulation, public=public)
    return game_text(state, regulation, _tags(meeting, planned, entry), public=public)


def export_feed(
    meeting: str,
    planned: Round,
    entries: Iterable[Entry],
    *,
    feed: Feed | None = None,
    regulations: Regulations = shipped,
    public: bool = True,
) -> Feed:
    """The round as Lidraughts takes it, upon the `feed` that was published last; see messages.feed."""
    texts = []
    for entry in entries:
        if entry.pairing is not None and entry.pairing.black is None:
            continue
        tags = _tags(meeting, planned, entry)
        try:
            regulation = _regulation(entry, planned, regulations)
            written = feed_game(_state(entry, planned, regulation, public=public), regulation, tags, public=public)
        except (KeyError, ValueError):  # its place stays, with its players
            players = _players(entry, public=public)
            written = feed_game(None, shipped("pt-classicas"), tags, players=players, public=public)
        texts.append((entry.game, written))
    return (feed or Feed()).with_games(texts)


def _regulation(entry: Entry, planned: Round | None, regulations: Regulations) -> Regulation:
    name = None if entry.record is None else entry.record.regulation
    if name is None and entry.pairing is not None:
        name = entry.pairing.regulation
    if name is None and planned is not None:
        name = planned.regulation
    if name is None:
        raise NotationError("it is not known by which regulation it is played")
    return regulations(name)


def _state(entry: Entry, planned: Round | None, regulation: Regulation, *, public: bool) -> GameState:
    """The game as it stands; one that has not begun from its first position, with the result that was entered."""
    pairing = entry.pairing
    clock = None if planned is None else planned.clock
    clock = clock if pairing is None or pairing.clock is None else pairing.clock
    if entry.record is not None and entry.record.start is not None:
        state = state_of(entry.record, clock)
    else:
        given = None if pairing is None else pairing.fen
        fen = write_fen(read_fen(given or "start", regulation.variant))
        state = GameState(entry.game, regulation.name, fen, fen, (), 0, time_control=clock)
    if state.over is None and pairing is not None and pairing.winner not in (None, "none"):
        over = GameOver(0.0, pairing.winner, regulation.result(pairing.winner), "decision", None, 0, 0)
        state = replace(state, over=over)
    return replace(state, players=_players(entry, public=public))


def _players(entry: Entry, *, public: bool) -> Mapping[str, Any]:
    """The organiser's word, else the stream's; `public`: what of all that is said the public may read."""
    told = None if entry.record is None else entry.record.players
    pairing = entry.pairing
    sides = {} if pairing is None else {"white": pairing.white, "black": pairing.black}
    paired = {side: player_object(player) for side, player in sides.items() if player is not None}
    if public:
        return public_players(
            told, {side: with_showing(one, entry.about.get(side, {})) for side, one in paired.items()}
        )
    return {**(told if isinstance(told, Mapping) else {}), **paired}


def _tags(meeting: str, planned: Round | None, entry: Entry) -> dict[str, str]:
    record, pairing = entry.record, entry.pairing
    known = {
        "Event": meeting,
        "Date": None if entry.started is None else entry.started[:10].replace("-", "."),
        "Round": planned.round if planned is not None else record and text(record.round),
        "Board": pairing.table if pairing is not None else record and text(record.table),
    }
    return {name: str(value) for name, value in known.items() if value is not None}


def _file(entry: Entry) -> str:
    """The place, and the table where its name may stand in a file's: `03-table-3`."""
    table = "" if entry.pairing is None else re.sub(r"[^a-z0-9]+", "-", entry.pairing.table.lower()).strip("-")[:40]
    return f"{entry.place:02}-table-{table}" if table else f"{entry.place:02}"
