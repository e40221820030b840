"""A simulated board and a host's conversation joined in memory, in virtual time: the whole wire without a port."""

from __future__ import annotations

from damas_board.decoding.conversation import Conversation, Observation, Timing
from simulator.board import Board
from simulator.clock import VirtualClock


class Cable:
    """Carries bytes both ways without delay. A conversation that ended begins anew, as a host that reopens its port."""

    def __init__(self, board: Board, clock: VirtualClock, timing: Timing | None = None) -> None:
        self._board = board
        self._clock = clock
        self._timing = timing
        self.conversation = Conversation(clock.now(), timing)

    def run(self, until: float) -> list[Observation]:
        """Let board and host do what is due up to `until`, and send the clock there; what the host observed."""
        told: list[Observation] = []
        while True:
            told += self._exchange()
            at = min(self._board.deadline, self._conversation_deadline())
            if at > until:
                break
            self._clock.set(max(at, self._clock.now()))
            self._board.advance()
            told += self.conversation.tick(self._clock.now()) if not self._waiting() else []
        self._clock.set(max(until, self._clock.now()))
        return told

    def _waiting(self) -> bool:
        return self._board.deadline <= self._clock.now()

    def _conversation_deadline(self) -> float:
        deadline = self.conversation.deadline
        return self._clock.now() if deadline is None else deadline

    def _exchange(self) -> list[Observation]:
        """Both ways until nothing is on its way."""
        told: list[Observation] = []
        at = self._clock.now()
        if self.conversation.deadline is None:
            self.conversation = Conversation(at, self._timing)
        while True:
            to_board = self.conversation.data_to_send()
            if to_board:
                self._board.receive(to_board)
            to_host = self._board.data_to_send()
            if to_host:
                told += self.conversation.receive(to_host, at)
            if not to_board and not to_host:
                return told
