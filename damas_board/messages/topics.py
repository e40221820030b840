"""The MQTT topics: one table of what is sent where, at which QoS, retained or not; text to topic and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

ROOT = "damas/v1"
Retain = Literal["yes", "no", "never"]
"""`never`: a retained message there is refused, not only unusual (a command must not wait for a later reader)."""

_ID = re.compile(r"[a-z0-9-]{1,40}")
_FIELD = re.compile(r"\{(\w+)\}")


class TopicError(ValueError):
    """A text that is no topic of ours, or an id that may not stand in one."""


class Kind(StrEnum):
    """What a topic is for; the value is its place under `damas/v1/{meeting}/`."""

    GATEWAY_STATE = "gateway/{gateway}/$state"
    GATEWAY_HEALTH = "gateway/{gateway}/health"
    BOARD_LINK = "board/{board}/link"
    BOARD_INFO = "board/{board}/info"
    BOARD_SEE = "board/{board}/see"
    BOARD_HEALTH = "board/{board}/health"
    BOARD_STATE = "board/{board}/state"
    BOARD_EVENT = "board/{board}/event"
    GAME_STATE = "game/{game}/state"
    GAME_EVENT = "game/{game}/event"
    ROUND = "round/{round}"
    COMMAND_BOARD = "cmd/{user}/board/{board}"
    COMMAND_GAME = "cmd/{user}/game/{game}"
    REQUEST = "req/{user}"
    ANSWER = "ack/{user}"
    PUBLIC_ROUND = "public/round/{round}"
    PUBLIC_GAME_STATE = "public/game/{game}/state"
    PUBLIC_GAME_EVENT = "public/game/{game}/event"


@dataclass(frozen=True, slots=True)
class Delivery:
    qos: Literal[0, 1]
    retain: Retain
    schema: str
    """The `schema` that payloads on this topic carry."""


DELIVERY: Mapping[Kind, Delivery] = MappingProxyType(
    {
        Kind.GATEWAY_STATE: Delivery(1, "yes", "damas.gateway/1"),
        Kind.GATEWAY_HEALTH: Delivery(1, "yes", "damas.gateway-health/1"),
        Kind.BOARD_LINK: Delivery(1, "yes", "damas.link/1"),
        Kind.BOARD_INFO: Delivery(1, "yes", "damas.info/1"),
        Kind.BOARD_SEE: Delivery(0, "yes", "damas.see/1"),
        Kind.BOARD_HEALTH: Delivery(0, "yes", "damas.health/1"),
        Kind.BOARD_STATE: Delivery(1, "yes", "damas.event/1"),
        Kind.BOARD_EVENT: Delivery(1, "no", "damas.event/1"),
        Kind.GAME_STATE: Delivery(1, "yes", "damas.state/1"),
        Kind.GAME_EVENT: Delivery(1, "no", "damas.event/1"),
        Kind.ROUND: Delivery(1, "yes", "damas.round/1"),
        Kind.COMMAND_BOARD: Delivery(1, "never", "damas.command/1"),
        Kind.COMMAND_GAME: Delivery(1, "never", "damas.command/1"),
        Kind.REQUEST: Delivery(1, "never", "damas.request/1"),
        Kind.ANSWER: Delivery(1, "no", "damas.answer/1"),
        Kind.PUBLIC_ROUND: Delivery(1, "yes", "damas.round/1"),
        Kind.PUBLIC_GAME_STATE: Delivery(1, "yes", "damas.state/1"),
        Kind.PUBLIC_GAME_EVENT: Delivery(1, "no", "damas.event/1"),
    }
)


def id_fields(kind: Kind) -> tuple[str, ...]:
    """The names of the ids in a topic of this kind, in order: `("user", "board")` for `cmd/{user}/board/{board}`."""
    return tuple(_FIELD.findall(kind.value))


def checked_id(text: str, what: str = "id") -> str:
    """`text`, if it may stand in a topic: 1 to 40 of `a-z`, `0-9` and `-`. TopicError says what is wrong with it."""
    if not _ID.fullmatch(text):
        raise TopicError(f'{what} "{text[:60]}" is refused: 1 to 40 of the letters a-z, the digits and "-" are allowed')
    return text


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of one meeting; `str(topic)` is its text. `ids` stand in the order of `id_fields(kind)`."""

    kind: Kind
    meeting: str
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        fields = id_fields(self.kind)
        if len(fields) != len(self.ids):
            raise TopicError(f"{self.kind} needs {len(fields)} ids, not {len(self.ids)}")
        checked_id(self.meeting, "meeting")
        for name, value in zip(fields, self.ids, strict=True):
            checked_id(value, name)

    def __str__(self) -> str:
        return f"{ROOT}/{self.meeting}/{filled(self.kind, self.ids)}"

    def id(self, field: str) -> str:
        """The id called `field` (`"board"`, `"game"`, `"user"`, ...); KeyError where this kind has none."""
        return dict(zip(id_fields(self.kind), self.ids, strict=True))[field]

    @property
    def qos(self) -> Literal[0, 1]:
        return DELIVERY[self.kind].qos

    @property
    def retain(self) -> bool:
        return DELIVERY[self.kind].retain == "yes"

    @property
    def schema(self) -> str:
        return DELIVERY[self.kind].schema


def topic(kind: Kind, meeting: str, *ids: str) -> Topic:
    """The topic of that kind. TopicError for an id that may not stand in one."""
    return Topic(kind, meeting, ids)


def filled(kind: Kind, ids: tuple[str, ...]) -> str:
    left = iter(ids)
    return _FIELD.sub(lambda _: next(left), kind.value)


def topic_filter(kind: Kind, meeting: str, *ids: str) -> str:
    """The subscription to topics of that kind; ids that are left out are `+`, and `+` may be given."""
    fields = id_fields(kind)
    if len(ids) > len(fields):
        raise TopicError(f"{kind} needs {len(fields)} ids, not {len(ids)}")
    checked_id(meeting, "meeting")
    chosen = ids + ("+",) * (len(fields) - len(ids))
    for name, value in zip(fields, chosen, strict=True):
        if value != "+":
            checked_id(value, name)
    return f"{ROOT}/{meeting}/{filled(kind, chosen)}"


_SHAPES: Mapping[Kind, tuple[str, ...]] = {kind: tuple(kind.value.split("/")) for kind in Kind}


def parse(text: str) -> Topic:
    """The topic that `text` is. TopicError for anything that is not one of ours, filters included."""
    levels = text.split("/")
    if levels[:2] != ROOT.split("/") or len(levels) < 4:
        raise TopicError(f'"{text[:120]}" is no topic of {ROOT}/{{meeting}}/...')
    meeting, rest = levels[2], levels[3:]
    for kind, shape in _SHAPES.items():
        if len(shape) == len(rest) and all(s == r or s.startswith("{") for s, r in zip(shape, rest, strict=True)):
            return Topic(kind, meeting, tuple(r for s, r in zip(shape, rest, strict=True) if s.startswith("{")))
    raise TopicError(f'"{text[:120]}" is no topic that is known here')


def covers(wide: str, narrow: str) -> bool:
    """Whether every topic under the filter `narrow` is under the filter `wide` too; a topic is a filter of one."""
    if narrow.startswith("$") and wide[:1] in ("+", "#"):
        return False
    inner = narrow.split("/")
    outer = wide.split("/")
    for index, level in enumerate(outer):
        if level == "#":
            return True
        if index == len(inner) or inner[index] == "#" or (level not in ("+", inner[index])):
            return False
    return len(inner) == len(outer)
