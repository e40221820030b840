"""What a board tells: the events of its stream, stored in the journal, and the answers to commands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Literal

from damas_board.app.latest import Latest
from damas_board.app.play import BOARD_LOG, Play
from damas_board.messages.encoding import event_object
from damas_board.messages.requests import detailed, login_of
from damas_board.session.events import (
    AlertClosed,
    AlertRaised,
    CommandAnswered,
    Event,
    GameOver,
    GameReopened,
    MoveMade,
    MoveRevised,
    MovesRetracted,
)
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Tick
from damas_board.sinks.journal import Journal, OpenCommand, Reply

log = logging.getLogger(BOARD_LOG)

INTERRUPTED = "interrupted"
"""Why a command is refused of which nothing was carried out before its task, or the gateway, ended."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a command is not carried out: a code, and where there is more to say, that in words."""

    reason: str
    detail: str | None = None

    def __str__(self) -> str:
        return self.reason if self.detail is None else f"{self.reason} ({self.detail})"


@dataclass(frozen=True, slots=True)
class Told:
    """What becomes of an alert, as an entry of the log has it; whoever shows the log says it in words."""

    event: AlertRaised | AlertClosed
    header: Header
    """Of its game: the regulation decides which words its readers know."""

    def __str__(self) -> str:
        number = self.event.id.rpartition("-")[2]
        if isinstance(self.event, AlertClosed):
            return f"{number}: {self.event.how}"
        parts = (self.event.side, " ".join(self.event.squares), self.event.article)
        return ", ".join((f"{number}: {self.event.severity}: {self.event.kind}", *(part for part in parts if part)))


class Telling:
    """The stream of a board's present game, or of the board itself while there is none."""

    def __init__(self, play: Play, latest: Latest, journal: Journal) -> None:
        self.stored: Future[None] | None = None
        """Done when what was told last is durable."""
        self._play = play
        self._latest = latest
        self._journal = journal

    async def durable(self) -> None:
        """Wait until what was told is durable."""
        if self.stored is not None:
            await asyncio.wrap_future(self.stored)

    def store(self, events: Sequence[Event], *, number: int | None = None, tick: Tick | None = None) -> None:
        """Store what the Session made of a journalled input, or of a tick."""
        board, game = self._play.board, self._play.game
        bodies = [event_object(event) for event in events]
        if tick is not None:
            _, self.stored = self._journal.ticked(board, game, tick, bodies, _answers(events, bodies))
        elif number is not None:
            _, stored = self._journal.fed(board, game, number, bodies, _answers(events, bodies))
            if events:  # that an input told nothing needs no waiting: fed again, it would tell nothing again
                self.stored = stored
        self._consider(events)

    def tell(self, events: Sequence[Event]) -> None:
        """Put events of the gateway's own into the stream."""
        bodies = [event_object(event) for event in events]
        board, game = self._play.board, self._play.game
        _, self.stored = self._journal.tell(board, game, bodies, _answers(events, bodies))
        self._consider(events)

    def tell_failed(self, number: int, event: Event) -> None:
        """Put into the stream that the board has failed at an input."""
        _, self.stored = self._journal.failed(self._play.board, self._play.game, number, [event_object(event)])

    def refuse(self, command: Command, why: Objection) -> None:
        """Answer a command that is not fed to the Session."""
        self.close(command, None, why)

    def close(self, command: Command, number: int | None, why: Objection) -> None:
        """Refuse a command that is journalled, as no input of a game, under that number; None: it is not."""
        answer = CommandAnswered(command.at, command.id, command.do, "refused", why.reason, command.by, command.note)
        body = detailed(event_object(answer), why.detail)
        board, game = self._play.board, self._play.game
        _, self.stored = self._journal.tell(board, game, [body], _answers([answer], [body]), closes=number)

    def answered(self, command: Command) -> bool:
        """Whether a command has its answer, or came from nobody who waits for one."""
        user = login_of(command.by)
        return not user or self._journal.command_answer(user, command.id) is not None

    def settle(self, left: OpenCommand) -> None:
        """Answer a command that was left in the middle of something, by what the journal knows of it."""
        known, board = left.journalled or {}, self._play.board
        outcome: Literal["done", "refused"] = "done" if left.done else "refused"
        reason = None if left.done else INTERRUPTED
        at, by = max(self._latest.at, self._journal.last_at), known.get("by", left.user)
        body = event_object(CommandAnswered(at, left.id, known.get("do", ""), outcome, reason, by))
        reply = Reply(left.user, left.id, body)
        if left.journalled is None:
            del body["do"]
            self._journal.answer_command(reply, board)
        else:
            self._latest.at = at
            _, self.stored = self._journal.tell(board, self._play.game, [body], [reply])

    def decline(self, command: Command, why: Objection) -> None:
        """Journal a command as no input of a game, and refuse it."""
        command = replace(command, at=max(command.at, self._latest.at))
        self._latest.note(command)
        numbers, _ = self._journal.append(self._play.board, None, [command])
        self.close(command, numbers[0], why)

    def _consider(self, events: Sequence[Event]) -> None:
        board = self._play.board
        if events:
            self._play.changed()
        for event in events:
            match event:
                case MoveMade() | MoveRevised():
                    revised = f" (was {event.was})" if isinstance(event, MoveRevised) else ""
                    log.info("%s: %d. %s%s", board, event.ply, event.move, revised)
                case MovesRetracted():
                    log.info("%s: back to ply %d", board, event.from_ply - 1)
                case AlertRaised():
                    if event.kind != "board_lost":  # the link has entries of its own
                        level = logging.INFO if event.severity == "note" else logging.WARNING
                        log.log(level, "%s: alert %s", board, Told(event, self._play.header))
                case AlertClosed():
                    log.info("%s: alert %s", board, Told(event, self._play.header))
                case GameReopened():
                    self._play.to_hand_over = True
                case GameOver():
                    self._play.to_hand_over = True
                    log.info("%s: %s (%s)", board, event.result, event.reason)
                case _:
                    pass


def _answers(events: Sequence[Event], bodies: Sequence[Mapping[str, Any]]) -> list[Reply]:
    """What of the events answers a login that gave a command."""
    return [
        Reply(user, event.id, body)
        for event, body in zip(events, bodies, strict=True)
        if isinstance(event, CommandAnswered) and (user := login_of(event.by))
    ]
