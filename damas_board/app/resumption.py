"""The restoring of a game from the journal: its inputs are fed to a new Session and compared with what was published.

What a new Session makes of inputs that were fed before must be what was stored; a difference is reported and changes
nothing that was published. Inputs that were journalled and never fed are fed now. Where the Session raises again at the
input at which the last one raised, the board is quarantined; where it would contradict the published record, that
record stands.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from damas_board.app.display import Display
from damas_board.app.latest import Latest
from damas_board.app.play import BOARD_LOG, MakeSession, Play, SessionLike
from damas_board.app.published import ContradictionError, hold_against, stands_already, state_of
from damas_board.app.telling import Objection, Telling
from damas_board.messages.encoding import event_object
from damas_board.messages.stream import Record, StreamError, fold_event
from damas_board.session.events import BoardChanged, Event
from damas_board.session.inputs import Command, Input, Link
from damas_board.sinks.journal import Journal, StoredGame, StoredInput

log = logging.getLogger(BOARD_LOG)

INPUT_FAILED = "input_failed"
"""Why a board has `failed` that is quarantined."""
RECORD_DIFFERS = "record_differs"
"""Why a board has `failed` whose new Session would contradict what was published."""
HEADER_UNUSABLE = "header_unusable"
"""Why a board has `failed` whose game this version cannot begin anew: its regulation, its start."""
NOT_FOLLOWED = "not_followed"
"""Why the link is lost, for a Session, from the input at which a board failed until the arbiter lets its game go on."""


class Resumption:
    """Makes the Session of a board's present game again."""

    def __init__(
        self,
        play: Play,
        latest: Latest,
        telling: Telling,
        display: Display,
        journal: Journal,
        make_session: MakeSession,
    ) -> None:
        self._play = play
        self._latest = latest
        self._telling = telling
        self._display = display
        self._journal = journal
        self._make_session = make_session

    async def rebuild(self, suspect: int | None) -> None:
        """A new Session from the journal. `suspect` is the input at which the last one raised."""
        if self._play.game is None:
            return
        await asyncio.wrap_future(self._journal.flush())
        stored = await asyncio.to_thread(lambda game: list(self._journal.inputs(game)), self._play.game)
        for entry in stored:
            self._latest.note(entry.item)
        entries = _followed(stored)
        published = await asyncio.to_thread(self._published, self._play.game)
        settled: set[int] = set()
        different: set[int] = set()
        while True:
            try:
                self._play.session = self._make_session(self._play.header)
            except ValueError as error:
                self._cannot_begin_anew(error, published)
                return
            try:
                raised = await self._feed_again(self._play.session, entries, settled, different, published)
            except ContradictionError:
                self._stand(published)
                return
            if raised is None:
                self._revive(published)
                return
            if raised.number == suspect:
                self._quarantine(raised, published)
                self._refuse_what_is_not_fed(entries)
                return
            suspect = raised.number

    async def show_earlier(self, games: Iterable[StoredGame]) -> None:
        """Show what was published of games that are not on the board any more: the broker may have forgotten it."""
        for played in games:
            record = await asyncio.to_thread(self._published, played.game)
            state = None if record is None else state_of(record, None)
            if record is not None and state is not None:
                bodies = [*(ply.body for ply in record.plies), *([] if record.over is None else [record.over])]
                self._display.show_earlier(state, max([played.at, *(float(body["at"]) for body in bodies)]))

    def _published(self, game: str) -> Record | None:
        """The record as its stream tells it; None where the stream is none that can be followed."""
        record = Record()
        try:
            for row in self._journal.events(f"game/{game}"):
                record = fold_event(record, row.body)
        except StreamError as error:
            log.error("board %s: what was published of game %s cannot be followed: %s", self._play.board, game, error)
            return None
        return record

    async def _feed_again(
        self,
        session: SessionLike,
        entries: Sequence[tuple[StoredInput, Input]],
        settled: set[int],
        different: set[int],
        published: Record | None,
    ) -> StoredInput | None:
        """Feed the journalled inputs, each as it is read; the one at which the Session raised, if it did.

        `settled` are those that need no storing or comparing any more, `different` those of which this Session tells
        something else. `ContradictionError` where it has read those that were fed before so differently that it may
        tell nothing more.
        """
        compared = False
        for count, (entry, item) in enumerate(entries):
            if count % 200 == 0:
                await asyncio.sleep(0)
            if entry.state != "fed" and not compared:
                compared = True
                hold_against(published, session.state, different)
            try:
                events = session.feed(item)
            except Exception:
                log.exception("board %s: the session raised again at input %d", self._play.board, entry.number)
                return entry
            if entry.number in settled:
                continue
            if item.at < entry.item.at:  # told when the game went on, behind what was told meanwhile
                events = [replace(event, at=entry.item.at) for event in events]
            settled.add(entry.number)
            if entry.state != "fed":
                self._telling.store(events, number=entry.number)
            elif not self._is_as_stored(entry, events):
                different.add(entry.number)
        if not compared:
            hold_against(published, session.state, different)
        return None

    def _is_as_stored(self, entry: StoredInput, events: Sequence[Event]) -> bool:
        """Whether an input makes the events that it made when it was fed; a difference is reported."""
        replayed = [json.loads(json.dumps(event_object(event))) for event in events]
        if replayed == list(entry.events):
            return True
        log.error(
            "board %s: this version reads input %d (%s) in another way than the one that published it; the published "
            "record stands",
            self._play.board,
            entry.number,
            type(entry.item).__name__,
        )
        self._journal.report_difference(entry.number, entry.item.at, entry.events, replayed)
        return False

    def _quarantine(self, entry: StoredInput, published: Record | None) -> None:
        log.error("board %s: quarantined at input %d; its inputs are still journalled", self._play.board, entry.number)
        failed = BoardChanged(self._latest.at, "failed", reason=INPUT_FAILED)
        if entry.state != "failed":
            self._telling.tell_failed(entry.number, failed)
        self._fail(failed, published)
        self._play.behind_failure = entry.state != "fed"

    def _refuse_what_is_not_fed(self, entries: Iterable[tuple[StoredInput, Input]]) -> None:
        """Nobody carries out the commands at which the board failed, and those behind: who gave them is told so."""
        for _, item in entries:
            if isinstance(item, Command) and not self._telling.answered(item):
                command = replace(item, at=max(item.at, self._latest.at))
                self._telling.refuse(command, Objection("board_failed"))

    def _cannot_begin_anew(self, error: ValueError, published: Record | None) -> None:
        log.error("board %s: game %s cannot go on with this version: %s", self._play.board, self._play.game, error)
        failed = BoardChanged(self._latest.at, "failed", reason=HEADER_UNUSABLE)
        if not stands_already(published, HEADER_UNUSABLE):
            self._telling.tell([failed])
        self._fail(failed, published)

    def _stand(self, published: Record | None) -> None:
        """The published record stands; what this version makes of the journal contradicts it."""
        log.error(
            "board %s: this version does not come to the published record of game %s; the record stands, and the "
            "board's inputs are only journalled: begin a new game, or go back to the version that played this one",
            self._play.board,
            self._play.game,
        )
        failed = BoardChanged(self._latest.at, "failed", reason=RECORD_DIFFERS)
        if not stands_already(published, RECORD_DIFFERS):
            self._telling.tell([failed])
        self._fail(failed, published)

    def _fail(self, failed: BoardChanged, published: Record | None) -> None:
        self._play.fail(None if published is None else state_of(published, failed))
        self._display.show_board(failed)

    def _revive(self, published: Record | None) -> None:
        """A board that had failed and does not any more says so."""
        self._play.revive()
        shown = None if published is None else published.board
        board = None if self._play.session is None else self._play.session.state.board_state
        if shown is not None and shown.get("state") == "failed" and board is not None:
            self._telling.tell([replace(board, at=self._latest.at)])


def _is_not_followed(item: Input) -> bool:
    return isinstance(item, Link) and item.reason == NOT_FOLLOWED


def _followed(entries: Sequence[StoredInput]) -> list[tuple[StoredInput, Input]]:
    """The inputs of a game, and what a Session is fed of each: nothing of what was passed over when a game went on.

    That is a lost link, from the first input that was passed over on.
    """
    found: list[tuple[StoredInput, Input]] = []
    for entry in entries:
        item = entry.item
        if _is_not_followed(item):
            passed = next((known for known, _ in found if known.state != "fed"), entry)
            found = [pair for pair in found if pair[0].state == "fed" or _is_not_followed(pair[1])]
            item = replace(item, at=passed.item.at)
        found.append((entry, item))
    return found
