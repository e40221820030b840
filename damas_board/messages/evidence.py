"""An alert's evidence: the part of the game's recording around it, which replays by itself, and its account; pure.

Where the part begins. It must make the same alert when it is replayed alone, so it begins with the whole turn that the
alert is about: with a reading in which the board agreed with the position before that turn, which is its `start`. Where
no reading of that turn did (a square that never reads right), the part begins a turn earlier, in the end with the
game's first input. An alert that hangs on what came long before (a player's time) has the whole game.

The part is a recording of its own with a name of its own, and counts its plies from 1 and its alerts anew. So the
numbers of plies and the ids of alerts that a command in it names are told as the part counts them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from damas_board.messages.account import AccountLine, account
from damas_board.messages.course import Course
from damas_board.messages.recording import header_object, input_object
from damas_board.notation.fen import read_fen
from damas_board.rules.variant import Variant
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, See, Tick
from damas_board.tracking.sight import NOTHING, SightReader, disagreement

AFTER_SECONDS = 3.0
"""How long a part goes on after its alert was raised, or closed."""
CLOSED_SECONDS = 120.0
"""An alert that was closed later than this has its closing in the account only."""
WHOLE_GAME = frozenset({"flag_fallen", "wrong_opening"})
"""Kinds that hang on all that came before."""
_PLIES = {"rewind": "ply", "count": "from_ply"}
"""Commands that name a number of plies, and the key of it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """`header` and `inputs` are a recording; `account` is what happened, line by line, without words."""

    alert: Mapping[str, Any]
    header: Header
    inputs: tuple[Input, ...]
    account: tuple[AccountLine, ...]

    def recording(self) -> Iterator[str]:
        """The lines of the recording (format 1), without line ends."""
        for body in (header_object(self.header), *map(input_object, self.inputs)):
            yield json.dumps(body, ensure_ascii=False, separators=(",", ":"))


class NoAlertError(ValueError):
    """An alert that nobody raised; `near` are ids that there are, the likeliest first."""

    def __init__(self, asked: str, near: tuple[str, ...]) -> None:
        super().__init__(
            f"there is no alert {asked!r}; " + (f"there are {', '.join(near)}" if near else "there is none")
        )
        self.asked = asked
        self.near = near


def game_of(alert: str) -> str | None:
    """The game whose alert has that id; None for what is no alert's whole id."""
    game, _, number = alert.rpartition("-a")
    return game if game and number.isdecimal() else None


def found(course: Course, asked: str) -> Mapping[str, Any]:
    """The alert with that id, or in short `a3`. NoAlertError has the nearest ids, else the newest."""
    wanted = (asked, f"{course.game}-{asked}")
    ids = [str(alert["id"]) for alert in course.alerts]
    for alert in course.alerts:
        if alert["id"] in wanted:
            return alert
    raise NoAlertError(asked, nearest(asked, ids))


def nearest(asked: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Ids that may have been meant, the likeliest first; where none is like it, the newest."""
    return tuple(get_close_matches(asked, ids, 5) or list(reversed(ids[-5:])))


def evidence(course: Course, alert: Mapping[str, Any], variant: Variant) -> Evidence:
    """The evidence of one of the alerts of `course`; `variant` is the one of its regulation."""
    opening = _opening(course, alert, variant)
    until = _until(course, alert)
    inputs = [_retold(i, course, alert, opening) for i in course.inputs[opening.index :] if i.at <= until]
    if inputs and inputs[-1].at < (last := min(until, course.inputs[-1].at)):
        inputs.append(Tick(last))
    header = replace(course.header, game=str(alert["id"]))
    if opening.plies:
        header = replace(header, start=opening.fen)
    lines = account(course, alert, variant, opening.fen, opening.at, until)
    return Evidence(alert, header, tuple(inputs), tuple(lines))


@dataclass(frozen=True, slots=True)
class _Opening:
    plies: int
    """Plies of the record before the part."""
    fen: str
    index: int
    """The input that the part begins with."""
    at: float


def _opening(course: Course, alert: Mapping[str, Any], variant: Variant) -> _Opening:
    stood = course.stood_before(alert)
    first = min(float(alert["evidence"].get("from", alert["at"])), float(alert["at"]))
    plies = 0 if alert["kind"] in WHOLE_GAME else min(int(alert["ply"]), len(stood)) - 1
    while plies > 0:
        index = _agreeing(course, stood[plies].fen, stood[plies].since, first, variant)
        if index is not None:
            return _Opening(plies, stood[plies].fen, index, course.inputs[index].at)
        plies -= 1
    return _Opening(0, course.start, 0, -math.inf)


def _agreeing(course: Course, fen: str, since: float, until: float, variant: Variant) -> int | None:
    """The first reading that shows the whole position, of those from the one in force at `since` up to `until`."""
    position = read_fen(fen, variant)
    reader = SightReader(variant.geometry, course.header.turn)
    playable = variant.geometry.playable_mask
    readings = [(index, item) for index, item in enumerate(course.inputs) if isinstance(item, See) and item.at <= until]
    in_force = max((n for n, (_, item) in enumerate(readings) if item.at <= since), default=0)
    for index, item in readings[in_force:]:
        sight = reader.read(item.rows, NOTHING)
        if sight.known == playable and not disagreement(position, sight, playable):
            return index
    return None


def _until(course: Course, alert: Mapping[str, Any]) -> float:
    raised = float(alert["at"])
    closing = course.closing(alert)
    closed = math.inf if closing is None else float(closing["at"])
    return (closed if closed - raised <= CLOSED_SECONDS else raised) + AFTER_SECONDS


def _retold(item: Input, course: Course, alert: Mapping[str, Any], opening: _Opening) -> Input:
    """An input as the part has it: a command names plies and alerts as the part counts them."""
    if not isinstance(item, Command):
        return item
    arguments = dict(item.arguments)
    key = _PLIES.get(item.do, "")
    if isinstance(arguments.get(key), int):
        arguments[key] = max(arguments[key] - opening.plies, 0)
    named = str(arguments.get("alert"))
    if game_of(named) is not None:
        number = int(named.rpartition("-a")[2]) - sum(1 for other in course.alerts if other["at"] < opening.at)
        arguments["alert"] = f"{alert['id']}-a{max(number, 0)}"
    return replace(item, arguments=arguments)
