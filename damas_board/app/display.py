"""What is shown of a board: its link, its device, its readings, its health, its state and its game's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from damas_board.app.clock import Clock
from damas_board.app.latest import SENSORS, Latest
from damas_board.app.lights import Light, Lights
from damas_board.app.play import Play
from damas_board.app.regulation import regulation_of
from damas_board.app.telling import Telling
from damas_board.messages.encoding import event_object
from damas_board.session.events import BoardChanged
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Link, See
from damas_board.session.state import GameState
from damas_board.session.witness import GHOST
from damas_board.sinks.journal import Journal
from damas_board.sources.source import Source
from damas_board.tracking.sight import SightReader


class Relay(Protocol):
    """Where a board shows its present: newest wins. Events do not go this way, they are in the outbox."""

    def show_link(self, board: str, up: bool | None, at: float, reason: str | None = None) -> None: ...

    def show_info(self, board: str, info: Mapping[str, Any], at: float) -> None: ...

    def show_see(self, board: str, game: str | None, item: See) -> None: ...

    def show_health(self, board: str, health: Mapping[str, Any], at: float) -> None: ...

    def show_board(self, board: str, game: str | None, event: Mapping[str, Any]) -> None: ...

    def show_game(self, board: str, state: GameState, seq: int, at: float) -> None: ...


MakeSource = Callable[[Callable[[], float]], Source]
CAMERA = "camera"
"""What the camera is called in `by`."""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """A board of this gateway: what its games begin with, and how its source is made.

    `source` gets the clock's `now`, so that its inputs are on the one scale. With `begins` the first game starts at
    once; without, a `new_game` command starts it. `info` and `health` are asked once the source is open, and again
    from time to time; what they say is shown on the board's topics of the same names. `source` None is a table
    without a sensor board: a `camera` may watch it, else moves are entered. Both may, too. `light` gives squares of
    the board a colour, where it has lights. `keep` is called when an alert was raised: what was seen of it is kept.
    """

    header: Header
    source: MakeSource | None
    begins: bool = True
    info: Callable[[], Mapping[str, Any]] = dict
    health: Callable[[], Mapping[str, Any]] = dict
    light: Light | None = None
    camera: MakeSource | None = None
    keep: Callable[[], None] | None = None

    @property
    def sources(self) -> Mapping[str | None, MakeSource]:
        """What watches the board, by what its inputs say in `by`."""
        made = {SENSORS: self.source, CAMERA: self.camera}
        return {by: make for by, make in made.items() if make is not None}


@dataclass(frozen=True, slots=True)
class Figures:
    """A board at present, in plain numbers."""

    up: bool
    sensors: bool
    """Whether anything watches the board, a camera included."""
    failed: bool
    inbox: int
    inputs: int
    lost: int
    restarts: int
    """How often this program's own code broke: the board's task, or its source."""
    plies: int
    alerts: int
    """That are open."""
    suspects: int


class Display:
    """Shows a board's present on its topics, where there is a broker, and hands over the record when it is time."""

    def __init__(
        self,
        setup: BoardSetup,
        play: Play,
        latest: Latest,
        telling: Telling,
        journal: Journal,
        clock: Clock,
        relay: Relay | None,
        on_record: Callable[[GameState], None] | None,
    ) -> None:
        self._setup = setup
        self._play = play
        self._latest = latest
        self._telling = telling
        self._journal = journal
        self._clock = clock
        self._relay = relay
        self._on_record = on_record
        self._lights = None if setup.light is None else Lights(setup.light)
        self._alerts: frozenset[str] = frozenset()
        """That were open when the present was shown last."""

    @property
    def suspects(self) -> list[str]:
        """The squares of which it was told that they are not relied on, and those that are unstable at present."""
        state = self._play.state
        alerts = () if state is None else state.alerts
        told = [square for a in alerts if a.get("kind") == "sensor_suspect" for square in a.get("squares", ())]
        return told + [square for square in self.unstable if square not in told]

    @property
    def unstable(self) -> tuple[str, ...]:
        """The squares whose sensors are not still, as the board itself says."""
        see, header = self._latest.sees.get(SENSORS), self._play.header
        if see is None or not see.unstable or not self._latest.ups.get(SENSORS):
            return ()
        geometry = regulation_of(header).variant.geometry
        return geometry.names(SightReader(geometry, header.turn).unreadable(see.rows))

    @property
    def ghosts(self) -> list[str]:
        """The squares of which it was told that the board's own wiring shows pieces there."""
        state = self._play.state
        alerts = () if state is None else state.alerts
        return [square for a in alerts if a.get("reason") == GHOST for square in a.get("squares", ())]

    def show_link(self, up: bool | None, at: float, reason: str | None = None) -> None:
        """Show whether the board is connected; None is a table without a sensor board."""
        if self._relay is not None:
            self._relay.show_link(self._play.board, up, at, reason)

    def show_info(self) -> None:
        """Show what is known about the board and its device."""
        if self._relay is not None:
            header = self._setup.header
            own: dict[str, Any] = {"senses": header.senses, "covers": header.covers, "turn": header.turn}
            own["regulation"] = header.regulation
            own |= {} if header.table is None else {"table": header.table}
            own |= {} if self._latest.watched else {"sensors": False}
            self._relay.show_info(self._play.board, {**own, **self._setup.info()}, self._clock.now())

    def show_missing(self) -> None:
        """Show that there is no device, and why."""
        if self._relay is not None and not self._latest.up:
            self._relay.show_link(self._play.board, False, self._clock.now(), self._latest.missing)

    def show_health(self, figures: Callable[[], Figures], gateway: Mapping[str, Any]) -> None:
        """Show the device's counters beside what the gateway knows."""
        if self._relay is not None:
            known = asdict(figures())
            own = {key: known[key] for key in ("inbox", "inputs", "lost", "restarts", "failed")}
            own |= {"suspects": self.suspects, "unstable": list(self.unstable)}
            own |= {"ghosts": self.ghosts} if self.ghosts else {}
            if len(self._latest.sources) > 1:
                own["links"] = {by or "sensors": self._link_text(by) for by in self._latest.sources}
            health = {**self._setup.health(), **own, **gateway}
            self._relay.show_health(self._play.board, health, self._clock.now())

    def _link_text(self, by: str | None) -> str:
        return "up" if self._latest.ups.get(by) else "down"

    def keep_lights(self) -> None:
        """Tell the board again which lights are wanted, if it is time."""
        if self._lights is not None:
            self._lights.keep(self._clock.now())

    def _light(self, state: GameState | None) -> None:
        if self._lights is not None:
            board = None if state is None else state.board_state
            self._lights.show(board, lambda: regulation_of(self._play.header).variant.geometry, self._clock.now())

    def show_input(self, item: Input) -> None:
        """Show a reading, or that the link has changed; of several sources those of the one that counts."""
        latest = self._latest
        if self._lights is not None and isinstance(item, Link) and item.by is SENSORS:
            self._lights.forget()
        if self._relay is None:
            return
        match item:
            case See():
                if latest.is_shown(item.by):
                    self._relay.show_see(self._play.board, self._play.game, item)
                self._relay.show_link(self._play.board, True, item.at)
            case Link(state="lost") if latest.up:  # another source is there
                for see in latest.sees.values():
                    if latest.is_shown(see.by):
                        self._relay.show_see(self._play.board, self._play.game, replace(see, at=item.at))
            case Link():
                self._relay.show_link(self._play.board, item.state == "back", item.at, item.reason)
            case _:
                pass

    def show_board(self, event: BoardChanged) -> None:
        """Show the state of the board."""
        if self._relay is not None:
            self._relay.show_board(self._play.board, self._play.game, event_object(event))

    async def show(self, *, always: bool = False) -> None:
        """Show the present once what led to it is durable, and hand over the record where it is time."""
        stored, self._telling.stored = self._telling.stored, None
        if stored is not None:
            await asyncio.wrap_future(stored)
        elif not always:
            return
        self._play.changed()
        state = self._play.state
        self._light(state)
        if state is None or self._play.game is None:
            return
        self._play.shown(state)
        self._keep(state)
        if self._relay is not None:
            seq = self._journal.last_seq(f"game/{self._play.game}")
            self._relay.show_game(self._play.board, state, seq, self._latest.at)
            if state.board_state is not None:
                self.show_board(state.board_state)
        if self._play.to_hand_over:
            self._play.to_hand_over = False
            await self.hand_over()

    def _keep(self, state: GameState) -> None:
        alerts = frozenset(str(alert.get("id")) for alert in state.alerts)
        if self._setup.keep is not None and alerts - self._alerts:
            self._setup.keep()
        self._alerts = alerts

    def show_earlier(self, state: GameState, at: float) -> None:
        """Show a game that was on the board before, as it stood at `at`."""
        if self._relay is not None:
            seq = self._journal.last_seq(f"game/{state.game}")
            self._relay.show_game(self._play.board, state, seq, at)

    async def hand_over(self) -> None:
        """Give the record as it stands to whoever writes it down."""
        if self._on_record is not None and self._play.session is not None:
            await asyncio.to_thread(self._on_record, self._play.session.state)
