"""Since when the board of each game is not heard, as the hall says it, and what of that a later time may know; pure.

A board is not heard while its link is down or its gateway is offline. What was learned at a time is told to who asks
`as_of` that time or later, so that who sees everything late sees this late, too.
"""

from __future__ import annotations

import math
from collections import deque
from datetime import datetime

MOST = 1000
"""Changes of one game's board that are kept until they may be told."""


class Silence:
    """Times called `at` are the caller's, on one scale; `since` is UTC."""

    def __init__(self) -> None:
        self._down: dict[str, tuple[datetime, float]] = {}
        self._gateway_of: dict[str, str] = {}
        self._offline: dict[str, tuple[datetime, float]] = {}
        """Since when, and when that was learned."""
        self._game_on: dict[str, str] = {}
        """The game that each board had last."""
        self._newest: dict[str, str] = {}
        """When each board told something last, by its own word."""
        self._board_of: dict[str, str] = {}
        self._learned: dict[str, deque[tuple[float, datetime | None]]] = {}
        """By game, what was learned and when; the first is what was told last."""

    def gateway(self, gateway: str, since: datetime | None, at: float) -> None:
        """It is offline since then, or (None) online."""
        if since is None:
            self._offline.pop(gateway, None)
        else:
            self._offline.setdefault(gateway, (since, at))
        for board in [board for board, its in self._gateway_of.items() if its == gateway]:
            self._learn(board, at)

    def link(self, board: str, gateway: str, since: datetime | None, at: float) -> None:
        """The board's link is down since then, or (None) up."""
        self._gateway_of[board] = gateway
        if since is None:
            self._down.pop(board, None)
        else:
            self._down.setdefault(board, (since, at))
        self._learn(board, at)

    def plays(self, game: str, board: str, ts: str, at: float) -> None:
        """The game was on that board at `ts`, UTC; what is older than the newest word of the board is passed over."""
        former = self._board_of.get(game)
        if ts < self._newest.get(board, ""):
            return
        self._newest[board] = ts
        if former == board:
            return
        if former is not None:
            del self._game_on[former]
        beside = self._game_on.get(board)
        if beside is not None:
            del self._board_of[beside]
            self._learned.pop(beside, None)
        self._game_on[board], self._board_of[game] = game, board
        missed = self._missed(board)
        self._learn(board, missed[1] if former is None and missed is not None else at)

    def as_of(self, game: str, at: float) -> datetime | None:
        """Since when the game's board was not heard, as far as it was known then; None while it is heard."""
        learned = self._learned.get(game)
        if learned is None:
            return None
        while len(learned) > 1 and learned[1][0] <= at:
            learned.popleft()
        return learned[0][1] if learned[0][0] <= at else None

    def _missed(self, board: str) -> tuple[datetime, float] | None:
        ends = (self._down.get(board), self._offline.get(self._gateway_of.get(board, "")))
        return min((end for end in ends if end is not None), default=None)

    def _learn(self, board: str, at: float) -> None:
        game = self._game_on.get(board)
        if game is None:
            return
        learned = self._learned.setdefault(game, deque([(-math.inf, None)], MOST))
        missed = self._missed(board)
        since = None if missed is None else missed[0]
        if since != learned[-1][1]:
            learned.append((max(at, learned[-1][0]), since))
