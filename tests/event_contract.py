"""What every follower of a Session's events may rely on, whatever happened on the board."""

from __future__ import annotations

from damas_board.session.events import (
    Event,
    GameOver,
    GameStarted,
    MoveConfirmed,
    MoveMade,
    MoveRevised,
    MovesRetracted,
    PlayedMove,
)


class EventContract:
    """Checks events one after the other; AssertionError names the rule that was broken."""

    def __init__(self) -> None:
        self.plies: list[PlayedMove] = []
        self.confirmed: list[bool] = []
        self.revision = 0
        self.at = float("-inf")
        self.started = False
        self.over = False

    def check(self, event: Event) -> None:
        assert event.at >= self.at, f"time goes back: {event}"
        self.at = event.at
        assert self.started or isinstance(event, GameStarted), f"nothing comes before the start: {event}"
        match event:
            case GameStarted():
                assert not self.started
                self.started = True
            case MoveRevised():
                assert event.ply == len(self.plies), event
                assert event.revision == self.revision + 1, event
                assert event.was == self.plies[-1].move, event
                assert event.provisional is not self.confirmed[-1], event
                self.plies[-1] = event
                self.revision += 1
                self._ply(event)
            case MoveMade():
                assert not self.over, event
                assert event.ply == len(self.plies) + 1, event
                assert event.revision == self.revision, event
                assert event.provisional, event
                assert not self.confirmed or self.confirmed[-1], f"the ply before is open: {event}"
                self.plies.append(event)
                self.confirmed.append(False)
                self._ply(event)
            case MovesRetracted():
                assert 1 <= event.from_ply <= len(self.plies), event
                assert event.revision == self.revision + 1, event
                self.revision += 1
                del self.plies[event.from_ply - 1 :]
                del self.confirmed[event.from_ply - 1 :]
            case MoveConfirmed():
                assert event.ply == len(self.plies), event
                assert event.revision == self.revision, event
                assert not self.confirmed[-1], f"confirmed twice: {event}"
                self.confirmed[-1] = True
            case GameOver():
                assert not self.over, event
                assert event.ply == len(self.plies), event
                assert all(self.confirmed), event
                self.over = True
            case _:
                pass

    def _ply(self, event: PlayedMove) -> None:
        assert event.path[0] == event.from_, event
        assert event.path[-1] == event.to, event
        assert event.down is None or event.down <= event.at, event
        assert event.seconds is None or event.seconds >= 0, event
        if event.basis == "inferred":
            assert event.down is None, event
            assert event.seconds is None, event
