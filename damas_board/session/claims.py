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
        self._begun: list[tuple[str, int]] = []
        """The laws that players began to count, with the plies behind which they did. The earliest one counts: what
        begins a count anew does so by itself."""
        self._told: dict[tuple[str, object], int] = {}
        """What was told, each count once: its rule and what tells this count from another, to the ply."""

    def begin(self, rule: str, ply: int) -> bool:
        """A player counts from behind `ply` on; False if no law of that name is counted by a player."""
        if not any(law.rule == rule and law.begun_by_player for law in self.regulation.counts):
            return False
        self._begun.append((rule, ply))
        return True

    def cut(self, plies: int) -> None:
        """Only `plies` plies remain: what was begun or told behind them is void."""
        self._begun = [(rule, ply) for rule, ply in self._begun if ply <= plies]
        self.revise(plies)

    def revise(self, plies: int) -> None:
        """What stands behind `plies` plies is read in another way: what was told there may be told again."""
        self._told = {what: ply for what, ply in self._told.items() if ply <= plies}

    def article(self, reason: str, game: Game) -> str | None:
        """Where the law stands by which a game is over for `reason`; None where no article is known."""
        reached = (state for state in self.counters(game) if state.law != "repetition" and state.count >= state.limit)
        limit = next(reached, None)
        known = self.regulation.articles.get(reason)
        if reason == "repetition" and self.regulation.repetition is not None:
            return self.regulation.repetition.article
        return limit.article if reason == "limit" and limit is not None else known

    def counters(self, game: Game) -> tuple[CounterState, ...]:
        """The counters that run, the repetition first."""
        return tuple(state for state, _ in self._running(game))

    def due(self, at: float, game: Game) -> list[Claim]:
        """What can be claimed and was not told yet; a win on the last move that a law allows comes first."""
        ply = len(game.moves)
        if verdict(game.position) is not None:
            return []
        found: list[tuple[Claim, object]] = [
            (Claim(at, state.law, state.side, state.article, state.count, state.limit, state.holds), which)
            for state, which in self._running(game)
            if state.count >= state.limit
        ]
        found += [(claim, claim.side) for claim in self._wins(at, game)]
        new = [(claim, which) for claim, which in found if (claim.rule, which) not in self._told]
        self._told |= {(claim.rule, which): ply for claim, which in new}
        return [claim for claim, _ in new]

    def _running(self, game: Game) -> list[tuple[CounterState, object]]:
        """The counters that run, each with what tells this count from another of the same law."""
        found: list[tuple[CounterState, object]] = []
        law = self._repetition
        if law is not None and game.moves:
            turn = _label(game.position.turn)
            count = game.occurrences()
            state = CounterState("repetition", law.article, turn, count, law.count, law.holds)
            found.append((state, len(game.moves)))
        for each in self.regulation.counts:
            counted = counter(each, game.positions, game.moves, self._began(each.rule))
            if counted is not None and (counted.count or each.begun_by_player):
                side = _label(counted.side)
                state = CounterState(each.rule, each.article, side, counted.count, each.moves, each.holds)
                found.append((state, counted.since))
        return found

    def _began(self, rule: str) -> int | None:
        return min((ply for known, ply in self._begun if known == rule), default=None)

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
