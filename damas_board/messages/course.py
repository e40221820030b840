"""The course of a game: its header, what its board and arbiter put in, and the events that came of it; pure.

Events are their objects, as a journal has them and as they travel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input

Body = Mapping[str, Any]
Turn = Literal[0, 90, 180, 270]


@dataclass(frozen=True, slots=True)
class Stood:
    """A position of the record, and since when the board may have shown it."""

    fen: str
    since: float


@dataclass(frozen=True, slots=True)
class Course:
    header: Header
    inputs: Sequence[Input]
    """In the order of their times."""
    events: Sequence[Body]

    @property
    def game(self) -> str:
        told = next((str(e["game"]) for e in self.events if e["event"] == "game_started"), None)
        return told or self.header.game or f"{self.header.board}-1"

    @property
    def start(self) -> str:
        """The position that the game began with, as told; as the header has it where nothing was told."""
        told = next((str(e["fen"]) for e in self.events if e["event"] == "game_started"), None)
        return told or self.header.start or "start"

    @property
    def alerts(self) -> list[Body]:
        return [event for event in self.events if event["event"] == "alert"]

    @property
    def commands(self) -> dict[str, Command]:
        """The commands by their ids; of one that came twice, the first."""
        found: dict[str, Command] = {}
        for item in self.inputs:
            if isinstance(item, Command):
                found.setdefault(item.id, item)
        return found

    @property
    def done(self) -> list[Command]:
        """The commands that were done, each once."""
        done = {e["id"] for e in self.events if e["event"] == "command" and e["outcome"] == "done"}
        return [command for command in self.commands.values() if command.id in done]

    def turn_at(self, at: float) -> Turn:
        """How the board lay, as far as it was told: by the header, or by the arbiter since."""
        told = (command for command in self.done if command.do in ("orient", "move_to") and command.at <= at)
        turns = [command.arguments.get("turn", 0) for command in told]
        return turns[-1] if turns else self.header.turn

    def masked_at(self, at: float) -> dict[str, Command]:
        """The squares that the arbiter had taken out, and the commands that did it."""
        masked: dict[str, Command] = {}
        for command in self.done:
            if command.do == "move_to" and command.at <= at:
                masked.clear()
            if command.do in ("mask", "unmask") and command.at <= at:
                masked.pop(command.arguments["square"], None)
                if command.do == "mask":
                    masked[command.arguments["square"]] = command
        return masked

    def stood_before(self, alert: Body) -> list[Stood]:
        """The positions of the record when an alert was raised: the start, and after each ply."""
        stood: list[Stood] = []
        for event in self.events:
            match event["event"]:
                case "game_started":
                    stood = [Stood(event["fen"], float(event["at"]))]
                case "move" | "move_revised":
                    down = event["down"]
                    stood[int(event["ply"]) :] = [Stood(event["fen"], float(event["at"] if down is None else down))]
                case "position_set":
                    stood[int(event["ply"]) :] = [Stood(event["fen"], float(event["at"]))]
                case "moves_retracted":
                    del stood[int(event["from_ply"]) :]
                case "alert" if event["id"] == alert["id"]:
                    return stood
                case _:
                    pass
        return stood

    def closing(self, alert: Body) -> Body | None:
        """The event that closed an alert, None while it is open."""
        return next((e for e in self.events if e["event"] == "alert_closed" and e["id"] == alert["id"]), None)

    def closed_by(self, alert: Body) -> Command | None:
        """The arbiter's command that closed an alert; None where the play on the board did."""
        closing = self.closing(alert)
        if closing is None:
            return None
        at = [command for command in self.done if command.at == closing["at"]]
        naming = [c for c in at if names(c, alert)]
        return next(iter(naming or at), None)


def names(command: Command, alert: Body) -> bool:
    """Whether a command is about that alert."""
    named = command.arguments.get("alert")
    return isinstance(named, str) and (named == alert["id"] or str(alert["id"]).endswith(f"-{named}"))
