"""Draws that can be claimed or hold by rule, and the counters that lead there."""

from __future__ import annotations

from dataclasses import dataclass

from damas_board.regulations import Regulation
from damas_board.rules.draw import counter, force
from damas_board.rules.game import Game, verdict
from damas_board.rules.side import Side
from damas_board.session.events import Claim
from damas_board.session.inputs import SideName


@dataclass(frozen=True, slots=True)
class CounterState:
    """A running counter as a reader sees it; `side`: whose moves are counted, None where both sides' are."""

    law: str
    article: str
    side: SideName | None
    count: int
    limit: int
    holds: bool


class Claims:
    """The draw laws of one game. What they count is read off the game each time, so a rewind needs no care."""

    def __init__(self, regulation: Regulation, recorded: bool) -> None:
        self.regulation = regulation
        law = regulation.repetition
        self._repetition = None if law is not None and law.only_recorded and not recorded else law
        self._begun: dict[str, int] = {}
        self._told: set[tuple[str, int]] = set()

    def begin(self, rule: str, ply: int) -> bool:
        """A player counts from behind `ply` on; False if no law of that name is counted by a player."""
        if not any(law.rule == rule and law.begun_by_player for law in self.regulation.counts):
            return False
        self._begun[rule] = ply
        return True

    def cut(self, plies: int) -> None:
        """Only `plies` plies remain: what was begun or told behind them is void."""
        self._begun = {rule: ply for rule, ply in self._begun.items() if ply <= plies}
        self._told = {(rule, ply) for rule, ply in self._told if ply <= plies}

    def counters(self, game: Game) -> tuple[CounterState, ...]:
        """The counters that run, the repetition first."""
        found = []
        law = self._repetition
        if law is not None and game.moves:
            found.append(
                CounterState(
                    "repetition", law.article, _label(game.position.turn), game.occurrences(), law.count, law.holds
                )
            )
        for count in self.regulation.counts:
            state = counter(count, game.positions, game.moves, self._begun.get(count.rule))
            if state is not None and (state.count or count.begun_by_player):
                side = _label(state.side)
                found.append(CounterState(count.rule, count.article, side, state.count, count.moves, count.holds))
        return tuple(found)

    def due(self, at: float, game: Game) -> list[Claim]:
        """What can be claimed since the last ply; a win on the last move that a law allows comes first."""
        ply = len(game.moves)
        if verdict(game.position) is not None:
            return []
        found = [
            Claim(at, state.law, state.side, state.article, state.count, state.limit, state.holds)
            for state in self.counters(game)
            if state.count == state.limit or (state.count > state.limit and state.law == "repetition")
        ]
        found += self._wins(at, game)
        new = [claim for claim in found if (claim.rule, ply) not in self._told]
        before = {rule for rule, told in self._told if told == ply - 1}
        self._told |= {(claim.rule, ply) for claim in found}
        return [claim for claim in new if claim.rule == "repetition" or claim.rule not in before]

    def _wins(self, at: float, game: Game) -> list[Claim]:
        law = self.regulation.win
        if law is None:
            return []
        return [
            Claim(at, law.rule, _label(side), law.article, force(game.position, side.other).men, law.pieces, True)
            for side in Side
            if force(game.position, side).kings
            and game.position.pieces(side.other).bit_count() <= law.pieces
            and not force(game.position, side.other).kings
        ]


def _label(side: Side | None) -> SideName | None:
    return None if side is None else "black" if side else "white"
