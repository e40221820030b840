"""Any board on a serial port, as a stream of inputs: what it says is a Talk's matter (`decoding.talk`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import serial

from damas_board.decoding.talk import (
    Away,
    ClockShown,
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Missed,
    Remark,
    Shown,
    Talk,
    Told,
)
from damas_board.session.inputs import BoardEvent, ClockReading, Lever, See
from damas_board.sources.errors import BoardError
from damas_board.sources.port_thread import PortThread
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_port import read_available, set_calm
from damas_board.sources.source import KEPT_ROWS

CALM_SECONDS = 1.0
"""With nothing due for this long the thread may sleep longer."""

UNNAMED = ""
"""The identity, in its events, of a board that has not said any."""
MARKS = frozenset(".owbWB?/")
MOST_SAID = 200
"""So many marks of odd rows are told."""

MakeTalk = Callable[[float, Shown | None], Talk]
"""From the time, and what is known of the board: what was shown last, by this program or one before."""

_log = logging.getLogger(__name__)


class SpokenBoard(PortThread):
    """`async with SpokenBoard(...) as board:` waits for the board, `async for` over it gives its inputs.

    Entering raises BoardError if there is no usable board. The stream begins with a See of the whole board (behind a
    Link where the board remembers what was missed) and ends when the block is left, never by itself. A board that is
    there and shows nothing yet (Away) is entered: what it remembers may take longer than opening may.
    """

    def __init__(
        self,
        port: str,
        make_talk: MakeTalk,
        now: Callable[[], float],
        *,
        baud: int,
        size: int | None = None,
        uid: str | None = None,
        by: str | None = None,
        candidates: Callable[[], Sequence[str]] | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        """`size`: squares a side of the table; rows of another size are an error of the board's.

        `uid`: the only board accepted; without, whichever is at the port first is.
        """
        super().__init__(port, now, candidates=candidates, backoff=backoff, baud=baud, by=by, exact=True)
        self._make_talk = make_talk
        self.size = size
        """Squares a side of the table; None takes what is told for it."""
        self._uid = uid
        self._facts: dict[str, str | int] = {}
        self._condition: dict[str, str | int | float] = {}
        self._known: Shown | None = None
        """What was told last, and before."""
        self._known_of: str | None = None
        """The board it was told of, as far as that is known."""
        self._lost: str | None = None
        """Why the link was lost last."""
        self._number = 0
        """Of the newest reading: what a board that remembers goes on from is known by it."""

    def go_on_from(self, known: See, before: Sequence[str] = ()) -> None:
        """As `Resumable` says."""
        self._known = Shown(known.at, known.rows, known.was, tuple(before))
        if known.event is not None:
            self._known_of, self._number = known.event.uid, known.event.seq

    def info(self) -> Mapping[str, str | int]:
        """What is known of the board, for readers; its port at least."""
        facts = {"port": self.port, **self._facts}
        return facts if self._uid is None else {**facts, "uid": self._uid}

    def health(self) -> Mapping[str, str | int | float]:
        """How it is."""
        return dict(self._condition)

    @property
    def _place(self) -> str:
        return self._uid or self.port

    # From here on: the board's own thread.

    def _talk(self, port: serial.Serial, path: str) -> None:
        known = None if self._known is None else replace(self._known, lost=self._lost)
        talk = self._make_talk(self._now(), known)
        while not self._leaving.is_set():
            data = read_available(port)
            at = self._now()
            # First what came, then what is due: a late thread must not take a board for silent that was not.
            for item in [*talk.receive(data, at), *talk.tick(at)]:
                self._told(_not_later(item, at), path)
                if known is not None and self._known is None:  # another board: what is known is not of this one
                    known, talk = None, self._make_talk(at, None)
                    break
            if out := talk.data_to_send():
                port.write(out)
            set_calm(port, talk.deadline - at > CALM_SECONDS)

    def _set_link(self, state: Literal["lost", "back"], at: float, reason: str | None) -> None:
        if state == "lost" and self._linked:
            self._lost = reason
        super()._set_link(state, at, reason)

    def _told(self, item: Told, path: str) -> None:
        self._not_flooded(path)
        match item:
            case Greeted(_, uid, facts):
                self._recognise(uid, facts, path)
            case Shown(at):
                self._are_rows(item.rows, path)
                self._set_link("back", at, None)
                self._tell(self._seen(item))
                self._begin()
            case Missed(at, shown):
                for one in shown:
                    self._are_rows(one.rows, path)
                self._tell_missed(at, [self._seen(one) for one in shown])
                self._begin()
            case ClockShown(at, white, black, running):
                self._tell(ClockReading(at, white, black, running))
            case LeverPressed(at, side):
                self._tell(Lever(at, side))
            case Condition(_, facts):
                self._condition = {**self._condition, **facts}
            case Remark(_, text):
                _log.info("board on %s: %s", path, text)
            case Away(at, reason):
                self._set_link("lost", at, reason)
                self._begin()
            case Hopeless(_, why, facts):
                raise BoardError(why, port=path, **facts)

    def _seen(self, shown: Shown) -> See:
        before = () if self._known is None else self._known.before
        if self._known is not None and self._known.rows != shown.rows:
            before = (*before, self._known.rows)[-KEPT_ROWS:]
        self._known, self._known_of = replace(shown, before=before), self._uid or UNNAMED
        self._number += 1
        event = BoardEvent(self._uid or UNNAMED, 0, self._number)
        return See(shown.at, shown.rows, self._by, shown.was, event=event)

    def _are_rows(self, rows: str, path: str) -> None:
        """BoardError where `rows` are no picture of a board of the table's size."""
        lines = rows.split("/")
        size = self.size or len(lines)
        if len(lines) != size or any(len(line) != size for line in lines) or not set(rows) <= MARKS:
            raise BoardError("odd_rows", port=path, rows=rows[:MOST_SAID], size=size)

    def _recognise(self, uid: str | None, facts: Mapping[str, str | int], path: str) -> None:
        """Take the board for ours. BoardError if it is another one; else what is known of another is forgotten."""
        if self._uid is not None and uid is not None and uid != self._uid:
            raise BoardError("wrong_board", port=path, found=uid, expected=self._uid)
        self._uid = uid or self._uid
        if uid is not None and self._known_of not in (None, UNNAMED, uid):
            self._known = self._known_of = None
        self._facts = dict(facts)
        self._backoff.reset()


def _not_later(item: Told, at: float) -> Told:
    """`item`, and what is in it, told at no later time than now, whatever the talk says."""
    if isinstance(item, Missed):
        return Missed(min(at, item.at), tuple(_not_late(shown, at) for shown in item.shown))
    if isinstance(item, Shown):
        return _not_late(item, at)
    return item if item.at <= at else replace(item, at=at)


def _not_late(shown: Shown, at: float) -> Shown:
    was = shown.was if shown.was is None or shown.was <= at else None
    return shown if shown.at <= at and was == shown.was else replace(shown, at=min(at, shown.at), was=was)
