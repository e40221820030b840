"""A simulated analogue board and whoever calibrates it, in virtual time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from calibration.placing import Placing, Question
from damas_board.cli.keys import ENTER
from damas_board.decoding.conversation import Conversation, Greeted, Observation
from damas_board.decoding.square_map import SquareMap
from simulator.clock import VirtualClock
from simulator.hall_board import HallBoard


class HallBench:
    """The board, the port that it is at, and a person at it, all in one.

    `opening`: what stands where when the opening position is asked for; `puts`: what is put for a white man, by place
    (by default a white man there); `leaves`: pieces that stay on the board until the person is told.
    """

    def __init__(
        self,
        square_map: SquareMap,
        *,
        opening: Mapping[int, int] | None = None,
        puts: Mapping[int, Sequence[tuple[int, int]]] | None = None,
        leaves: Mapping[int, int] | None = None,
        ends_at: float = 5000.0,
        **board: Any,
    ) -> None:
        self.clock = VirtualClock()
        self.board = HallBoard(square_map, self.clock, **board)
        self.conversation = Conversation(0.0)
        self.placing: Placing | None = None
        self.asked: list[Question] = []
        self._opening = dict(opening or {})
        self._puts = {place: list(some) for place, some in (puts or {}).items()}
        self._leaves = dict(leaves or {})
        self._ends_at = ends_at
        self._acted = 0.0
        self._keys: list[str] = []
        self._early: list[Observation] = []
        for place, level in self._leaves.items():
            self.board.place(place, level)
        while not any(isinstance(item, Greeted) for item in self._early):
            self._early += self._heard()
        hello = self.conversation.hello
        assert hello is not None
        self.hello = hello

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def now(self) -> float:
        return self.clock.now()

    def listen(self) -> list[Observation]:
        if self._early:
            early, self._early = self._early, []
            return early
        if self.placing is not None:
            self._act(self.placing.question)
        return self._heard()

    def pressed(self) -> list[str]:
        if self.clock.now() >= self._ends_at:
            raise KeyboardInterrupt
        keys, self._keys = self._keys, []
        return keys

    def _heard(self) -> list[Observation]:
        self.board.receive(self.conversation.data_to_send())
        self.clock.set(self.clock.now() + 0.04)
        self.board.advance()
        at = self.clock.now()
        return [*self.conversation.receive(self.board.data_to_send(), at), *self.conversation.tick(at)]

    def _act(self, question: Question) -> None:
        if question not in self.asked[-1:]:
            self.asked.append(question)
        if self.clock.now() < self._acted + 0.5:
            return
        stand = {place: level for place, level in enumerate(self.board.pieces, 1) if level}
        wanted: Mapping[int, int] = {}
        match question.kind:
            case "opening":
                wanted = self._opening
            case "man":
                place = question.place
                waiting = self._puts.get(place, [])
                if not stand:
                    where, level = waiting.pop(0) if waiting else (place, 1)
                    wanted = {where: level}
                else:
                    wanted = stand
            case "empty":
                wanted = self._leaves
            case "zero":
                return
            case _:
                self._leaves = {}
        for place, level in stand.items():
            if wanted.get(place) != level:
                self._acted = self.clock.now()
                self.board.lift(place)
        for place, level in wanted.items():
            if stand.get(place) != level:
                self._acted = self.clock.now()
                self.board.place(place, level)
        says = question.kind in ("empty", "refused") or (
            question.kind in ("man", "lift", "opening") and question.nothing
        )
        if says and self._acted < self.clock.now():
            self._keys.append(ENTER)
            self._acted = self.clock.now()
            if question.kind == "man":
                for place in stand:
                    self.board.lift(place)
