"""The going on of a game behind the input at which its board failed: the arbiter's `set_position`."""

from __future__ import annotations

from dataclasses import replace

from damas_board.app.latest import SENSORS, Latest
from damas_board.app.play import MakeSession, Play
from damas_board.app.resumption import NOT_FOLLOWED, Resumption
from damas_board.app.telling import Objection, Telling
from damas_board.session.inputs import Command, Input, Link
from damas_board.sinks.journal import Journal


class GoingOn:
    """What no Session could read, and what came after it, is then a link that was lost."""

    def __init__(
        self,
        play: Play,
        latest: Latest,
        telling: Telling,
        resumption: Resumption,
        journal: Journal,
        make_session: MakeSession,
    ) -> None:
        self._play = play
        self._latest = latest
        self._telling = telling
        self._resumption = resumption
        self._journal = journal
        self._make_session = make_session

    async def set_position(self, command: Command) -> None:
        """The game on a board that has failed at an input goes on from a position, behind that input."""
        objection = self._not_from(command.arguments.get("fen"))
        if objection is not None:
            self._telling.decline(command, objection)
            return
        latest = self._latest
        command = replace(command, at=max(command.at, latest.at))
        latest.note(command)
        linked = [by for by, link in latest.links.items() if link != "lost"]
        passed = dict.fromkeys([SENSORS, *linked])
        items: list[Input] = [Link(command.at, "lost", NOT_FOLLOWED, by=by) for by in passed]
        items.append(command)
        items += [Link(command.at, "back", by=by) for by in latest.sources if by in linked]
        items += latest.seen_at(command.at)
        self._journal.append(self._play.board, self._play.game, items)
        await self._resumption.rebuild(None)

    def _not_from(self, fen: object) -> Objection | None:
        """Why the game cannot go on from a position."""
        standing = self._play.standing
        if standing is not None and standing.over is not None:
            return Objection("game_is_over")
        if not isinstance(fen, str) or not fen:
            return Objection("needs_fen")
        try:
            self._make_session(replace(self._play.header, start=fen, opening=None))
        except ValueError as error:
            return Objection("bad_fen", str(error))
        return None
