"""The beginning of a game on a board: its first one, and those that `new_game` asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from damas_board.app.clock import Clock
from damas_board.app.display import Display
from damas_board.app.feeding import Feeding
from damas_board.app.latest import Latest
from damas_board.app.play import MakeSession, Play
from damas_board.app.regulation import misfit
from damas_board.app.telling import Objection, Telling
from damas_board.messages.names import NAME_LENGTH, cleaned
from damas_board.messages.topics import TopicError, checked_id
from damas_board.notation.time_control import read_time_control
from damas_board.session.events import CommandAnswered
from damas_board.session.header import Header, Starts
from damas_board.session.inputs import Command, Input, Link, Tick
from damas_board.sinks.journal import Journal


class _RefusedError(ValueError):
    """A new game that was understood cannot begin here."""

    def __init__(self, why: Objection) -> None:
        super().__init__(str(why))
        self.why = why


class NewGame:
    """`begin` a game by its header, or as a command `asked` for it."""

    def __init__(
        self,
        play: Play,
        latest: Latest,
        telling: Telling,
        display: Display,
        feeding: Feeding,
        journal: Journal,
        clock: Clock,
        make_session: MakeSession,
    ) -> None:
        self._play = play
        self._latest = latest
        self._telling = telling
        self._display = display
        self._feeding = feeding
        self._journal = journal
        self._clock = clock
        self._make_session = make_session

    async def begin(self, header: Header, asked: int | None = None) -> None:
        """A new game on this board; ValueError, and nothing has changed, where its header cannot be used.

        `asked`: the number of the input that asked for it.
        """
        board, latest = self._play.board, self._latest
        now = max(self._clock.now(), latest.at)
        game = header.game or self._journal.next_game(board, now)
        header = replace(header, board=board, game=game)
        session = self._make_session(header)
        self._telling.stored = self._journal.begin_game(header, now, asked=asked)
        await self._telling.durable()
        self._play.begin(game, header, session)
        lost = [by for by, link in latest.links.items() if link == "lost"]
        seen = latest.seen_at(now)
        items: list[Input] = [] if seen else [Tick(now)]
        items += [Link(now, "lost", latest.reason(by), by=by) for by in lost]
        await self._feeding.take([*items, *seen])

    async def asked(self, command: Command) -> None:
        """Carry out `new_game`, unless a game is under way or the command cannot be understood."""
        command = replace(command, at=max(command.at, self._latest.at))
        self._latest.note(command)
        numbers, durable = self._journal.append(self._play.board, None, [command])
        await asyncio.wrap_future(durable)
        state = self._play.state
        if state is not None and state.moves and state.over is None and not self._play.failed:
            why = Objection("game_not_over", f"enter the result of {state.game} first")
            self._telling.close(command, numbers[0], why)
            return
        await self._display.hand_over()
        try:
            await self.begin(self._asked_for(command.arguments), numbers[0])
        except _RefusedError as error:
            self._telling.close(command, numbers[0], error.why)
            return
        except ValueError as error:
            self._telling.close(command, numbers[0], Objection("bad_argument", str(error)))
            return
        answer = CommandAnswered(self._latest.at, command.id, command.do, "done", None, command.by, command.note)
        self._telling.tell([answer])

    def _asked_for(self, arguments: Mapping[str, Any]) -> Header:
        """The header that a `new_game` command describes; what it leaves out is the board's own. ValueError."""
        own = self._play.own
        regulation = _text_of(arguments, "regulation") or own.regulation
        game = _text_of(arguments, "game")
        if game is not None:
            try:
                checked_id(game, "game")
            except TopicError as error:
                raise ValueError(str(error)) from error
            if self._journal.knows_game(game):
                raise _RefusedError(Objection("game_exists", f"there is a game {game!r} already"))
        clock = _text_of(arguments, "clock")
        if clock is not None:
            read_time_control(clock)
        recorded = arguments.get("recorded", own.recorded)
        if not isinstance(recorded, bool):
            raise ValueError("recorded must be true or false")
        starts = arguments.get("starts", own.starts)
        if starts not in get_args(Starts):
            raise ValueError(f"starts must be one of {', '.join(get_args(Starts))}")
        header = replace(
            own,
            regulation=regulation,
            regulation_text=own.regulation_text if regulation == own.regulation else None,
            start=_text_of(arguments, "fen"),
            recorded=recorded,
            game=game,
            players=_players_of(arguments),
            round=_text_of(arguments, "round"),
            table=_text_of(arguments, "table") or own.table,
            match=_text_of(arguments, "match"),
            starts=starts,
            clock=clock or own.clock,
            opening=_text_of(arguments, "opening"),
        )
        unfit = misfit(header, own) if self._latest.watched else None
        if unfit is not None:
            raise _RefusedError(Objection("board_does_not_fit", unfit))
        return header


def _text_of(arguments: Mapping[str, Any], key: str) -> str | None:
    value = arguments.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} must be a text")
    return value


def _players_of(arguments: Mapping[str, Any]) -> Mapping[str, Any] | None:
    players = arguments.get("players")
    if players is None:
        return None
    if not isinstance(players, dict) or not set(players) <= {"white", "black"}:
        raise ValueError("players must be an object with white and black")
    for side, player in players.items():
        name = player.get("name") if isinstance(player, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"players: {side} must be an object with a name")
        if not isinstance(player.get("public", ""), str):
            raise ValueError(f"players: public of {side} must be a text, the name shown to the public")
    checked: Mapping[str, Any] = cleaned(players, NAME_LENGTH)
    for side, player in checked.items():
        if not player["name"]:
            raise ValueError(f"players: {side} must be an object with a name")
    return checked
