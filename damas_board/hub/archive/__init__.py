"""The archive of meetings, in SQLite or PostgreSQL: what their streams and rounds told, and what can be asked of it.

    archive = Archive.open("sqlite:///archive.sqlite")     # or postgresql+psycopg://user@host/name
    archive.known("open-2026")                             # how far each game is archived: {game: (epoch, seq)}
    archive.take("open-2026", envelopes)                   # events in any order, any number of times
    archive.take_round("open-2026", "1", payload)          # the organiser's round, again whenever it changes
    archive.standings("open-2026"); archive.export_round("open-2026", "1").files

Several programs may archive the same meeting into one database at the same time. Methods wait for the database, so an
event loop calls them in a thread; they may be called from several.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import SQLAlchemyError

from damas_board.hub.archive import asking, exporting, taking
from damas_board.hub.archive.asking import Search
from damas_board.hub.archive.content import Content
from damas_board.hub.archive.exporting import Entry, Regulations, RoundExport
from damas_board.hub.archive.opening import open_engine, reading, reason, writing
from damas_board.hub.archive.pairings import key_of, published
from damas_board.hub.archive.standings import Standing, standings, standings_csv
from damas_board.hub.archive.tables import events, games
from damas_board.hub.archive_errors import TEXTS, ArchiveError
from damas_board.messages.envelope import Envelope
from damas_board.messages.evidence import nearest
from damas_board.messages.feed import Feed
from damas_board.messages.names import about_showing
from damas_board.messages.rounds import Round, RoundError
from damas_board.messages.stream import Record
from damas_board.regulations import shipped

log = logging.getLogger(__name__)

__all__ = ["TEXTS", "Archive", "ArchiveError", "RoundExport", "Search", "Standing", "standings_csv"]


class Archive:
    """An open archive. ArchiveError from any method where the database cannot be used or has not what is asked."""

    def __init__(self, engine: Engine) -> None:
        self.url = engine.url.render_as_string(hide_password=True)
        self._engine = engine
        self._memory = taking.Memory()
        self._taking = Lock()

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Archive:
        """The archive at a database URL, its tables made or brought to this version's shape.

        ArchiveError says in one line what is wrong; `create=False`: also that a SQLite file is not there.
        """
        return cls(open_engine(url, create=create))

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- taking

    def known(self, meeting: str | None = None) -> dict[str, tuple[int, int]]:
        """Of each game the epoch, and up to which event of it the archive has all; of all meetings without one."""
        query = select(games.c.game, games.c.epoch, games.c.seq).where(games.c.seq > 0)
        if meeting is not None:
            query = query.where(games.c.meeting == meeting)
        with self._reading() as connection:
            return {game: (epoch, seq) for game, epoch, seq in connection.execute(query)}

    def take(self, meeting: str, envelopes: Sequence[Envelope]) -> None:
        """Archives events of games, all or none. What is known already changes nothing; what comes behind a hole waits
        for the hole to be closed; an event of a newer epoch begins its game anew. What is no event is left out."""
        with self._taking:
            with self._writing() as connection:
                contents = taking.take_events(connection, self._memory, meeting, envelopes)
            self._memory.keep(meeting, contents)

    def take_round(self, meeting: str, round_: str, payload: Mapping[str, Any]) -> bool:
        """Archives a round as its organiser published it (the payload's object), in the place of what was there.

        False where it cannot be used, which is told; what was there stays.
        """
        try:
            with self._taking, self._writing() as connection:
                taking.take_round(connection, meeting, round_, payload)
        except RoundError as error:
            log.warning("round %s cannot be archived: %s", round_, error)
            return False
        return True

    # --- asking

    def meetings(self) -> list[str]:
        with self._reading() as connection:
            return asking.meetings(connection)

    def meeting(self, asked: str | None = None) -> str:
        """The meeting of that name; without one, the only one that there is."""
        known = self.meetings()
        if asked in known:
            return str(asked)
        listed = ", ".join(known) or "-"
        if asked is not None or not known:
            raise ArchiveError("archive_no_meeting", url=self.url, meeting=asked or "", known=listed)
        if len(known) > 1:
            raise ArchiveError("archive_which_meeting", url=self.url, known=listed)
        return known[0]

    def rounds(self, meeting: str) -> list[str]:
        """The rounds of a meeting, in their order."""
        with self._reading() as connection:
            return asking.rounds(connection, meeting)

    def round(self, meeting: str, round_: str) -> dict[str, Any]:
        """A round with its `pairings` and `matches`."""
        with self._reading() as connection:
            return self._round(connection, meeting, round_)

    def search(self, asked: Search) -> list[dict[str, Any]]:
        """The games that fit, oldest first. ArchiveError where `fen` is no position."""
        with self._reading() as connection:
            return asking.search(connection, asked)

    def game(self, meeting: str, game: str) -> dict[str, Any]:
        """All that is known of a game: facts, pairing, `plies`, `alerts`, `decisions`."""
        with self._reading() as connection:
            found = asking.game(connection, meeting, game)
            if found is not None:
                return found
            close = nearest(game, asking.game_ids(connection, meeting))
        raise ArchiveError(
            "archive_no_game",
            url=self.url,
            meeting=meeting,
            game=game,
            near=f"; near: {', '.join(close)}" if close else "",
        )

    def record(self, meeting: str, game: str) -> Record | None:
        """A game as its events tell it; None where none has been archived."""
        with self._reading() as connection:
            content = self._content(connection, meeting, game)
            return None if content is None else content.record

    def events(self, meeting: str, game: str) -> Iterator[Envelope]:
        """The events that a game is made from, in order: the stream from its beginning, for whoever folds it again."""
        with self._reading() as connection:
            content = self._content(connection, meeting, game)
            if content is not None:
                yield from taking.stored_events(connection, meeting, game, content.epoch, 0, content.seq)

    def set_aside(self, meeting: str, game: str) -> dict[int, int]:
        """Epochs of which events are kept but of no account any more, with their number of events."""
        with self._reading() as connection:
            content = self._content(connection, meeting, game)
            where = (events.c.meeting == meeting, events.c.game == game)
            found = connection.execute(select(events.c.epoch).where(*where)).scalars().all()
        return {epoch: found.count(epoch) for epoch in sorted(set(found)) if content and epoch < content.epoch}

    def standings(self, meeting: str, upto: str | None = None, *, public: bool = False) -> list[Standing]:
        """The table after the round `upto` (all rounds without it); see the module standings for points and ties."""
        with self._reading() as connection:
            known = asking.rounds(connection, meeting)
            if upto is not None and upto not in known:
                raise self._no_round(meeting, upto, known)
            counted = known if upto is None else known[: known.index(upto) + 1]
            return standings(*asking.results(connection, meeting, counted, public=public))

    # --- exporting

    def export_round(
        self, meeting: str, round_: str, *, regulations: Regulations = shipped, public: bool = False
    ) -> RoundExport:
        """A round as PDN, in one text and one a board."""
        planned, entries = self._entries(meeting, round_)
        return exporting.export_round(meeting, planned, entries, regulations=regulations, public=public)

    def export_feed(
        self,
        meeting: str,
        round_: str,
        *,
        feed: Feed | None = None,
        regulations: Regulations = shipped,
        public: bool = True,
    ) -> Feed:
        """A round as Lidraughts takes it, upon the feed that was published last."""
        planned, entries = self._entries(meeting, round_)
        return exporting.export_feed(meeting, planned, entries, feed=feed, regulations=regulations, public=public)

    def export_game(self, meeting: str, game: str, *, regulations: Regulations = shipped, public: bool = False) -> str:
        """One game as PDN, with what its round says of it. ArchiveError where its regulation is not known."""
        facts = self.game(meeting, game)
        planned, entry = None, Entry(game, record=self.record(meeting, game), started=facts["started"])
        if facts["pairing"] is not None:
            planned, entries = self._entries(meeting, facts["pairing"]["round"])
            entry = next((known for known in entries if known.game == game), entry)
        try:
            return exporting.export_game(meeting, planned, entry, regulations=regulations, public=public)
        except (KeyError, ValueError) as error:
            why = str(error.args[0] if error.args else error)
            raise ArchiveError("archive_no_text", url=self.url, game=game, reason=why) from error

    def _entries(self, meeting: str, round_: str) -> tuple[Round, list[Entry]]:
        with self._reading() as connection:
            found = self._round(connection, meeting, round_)
            planned = published(meeting, round_, found["payload"])
            named = {pairing.game: pairing for pairing in planned.pairings}
            said = asking.said_of_players(connection, meeting)
            entries = []
            for row in found["pairings"]:
                content = self._content(connection, meeting, row["game"])
                record, started = (None, None) if content is None else (content.record, content.started)
                pairing = named.get(row["game"])
                sides = {} if pairing is None else {"white": pairing.white, "black": pairing.black}
                about = {
                    side: about_showing(*said.get(key_of(player), ()))
                    for side, player in sides.items()
                    if player is not None
                }
                entry = Entry(row["game"], row["place"], pairing, record, started, row["withdrawn"], about)
                entries.append(entry)
        return planned, entries

    def _content(self, connection: Connection, meeting: str, game: str) -> Content | None:
        where = (games.c.meeting == meeting, games.c.game == game, games.c.seq > 0)
        found = connection.execute(select(games.c.epoch, games.c.seq).where(*where)).one_or_none()
        return None if found is None else taking.stored_content(connection, meeting, game, *found)

    def _round(self, connection: Connection, meeting: str, round_: str) -> dict[str, Any]:
        found = asking.round_(connection, meeting, round_)
        if found is None:
            raise self._no_round(meeting, round_, asking.rounds(connection, meeting))
        return found

    def _no_round(self, meeting: str, round_: str, known: Sequence[str]) -> ArchiveError:
        listed = ", ".join(known) or "-"
        return ArchiveError("archive_no_round", url=self.url, meeting=meeting, round=round_, known=listed)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._told(), reading(self._engine) as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._told(), writing(self._engine) as connection:
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise ArchiveError("archive_lost", url=self.url, reason=reason(error)) from error
