"""The game on a board: its header and its Session, or what stands published of it where the board has failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from damas_board.session.events import Event
from damas_board.session.header import Header
from damas_board.session.inputs import Input
from damas_board.session.state import GameState

BOARD_LOG = "damas_board.app.board"
"""The one name under which everything is logged that happens at a board."""


class SessionLike(Protocol):
    """What the gateway asks of a Session (session/session.py)."""

    @property
    def deadline(self) -> float | None: ...

    @property
    def state(self) -> GameState: ...

    def feed(self, item: Input) -> list[Event]: ...


MakeSession = Callable[[Header], SessionLike]
"""A new Session for a header; ValueError where the header's regulation or start cannot be used."""


class Play:
    """What is played on a board at present; whoever works at the board shares it."""

    def __init__(self, own: Header) -> None:
        """`own` is the header that the board's games begin with."""
        self.board = own.board
        self.own = own
        self.game: str | None = None
        """The game whose stream the events go to; it stays after its end, until a new one begins."""
        self.header = own
        self.session: SessionLike | None = None
        self.standing: GameState | None = None
        """What was published of a game on a board that has failed."""
        self.failed = False
        self.behind_failure = False
        """Whether the game on a board that has failed can go on from a position that is set up."""
        self.to_hand_over = False
        """Whether the record is to be handed over: the game has ended, or its end was taken back."""
        self.left = False
        """Whether the last game that was here goes on at another board."""
        self._known: tuple[SessionLike, GameState] | None = None
        """The Session and its state as it was shown last, unless something has been told since: it is dear to make."""

    @property
    def state(self) -> GameState | None:
        """The game as its Session knows it, or as it was published where the board has failed; None without one."""
        if self.session is None:
            return self.standing
        session, state = self._known or (None, None)
        return state if session is self.session else self.session.state

    def changed(self) -> None:
        """The state is another one than was shown last."""
        self._known = None

    def shown(self, state: GameState) -> None:
        """The Session's state, which stays as it is until something is told."""
        if self.session is not None:
            self._known = (self.session, state)

    def begin(self, game: str, header: Header, session: SessionLike) -> None:
        """A game begins here, or goes on that was at another board."""
        self.game, self.header, self.session = game, header, session
        self.standing = None
        self.failed = self.behind_failure = self.to_hand_over = self.left = False

    def leave(self) -> None:
        """The game goes on at another board."""
        self.game = self.session = self.standing = None
        self.header = self.own
        self.left = True
        self.to_hand_over = self.behind_failure = False

    def fail(self, standing: GameState | None) -> None:
        """No Session can go on with the game; what was published stands."""
        self.session = None
        self.failed = True
        self.behind_failure = False
        self.standing = standing

    def revive(self) -> None:
        """The Session that was made again goes on."""
        self.failed = self.behind_failure = False
        self.standing = None
