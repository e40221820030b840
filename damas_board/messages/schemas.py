"""JSON Schemas of the payloads and an AsyncAPI document, made from the types and tables that the code itself uses.

`documents()` gives every file's text by its name; `docs/build.py` writes them. `check` holds a payload against the same
types, for tests and for whoever reads a foreign broker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError, create_model

from damas_board.messages import payloads
from damas_board.messages.access import ROLES, TABLE
from damas_board.messages.envelope import EnvelopeError
from damas_board.messages.topics import DELIVERY, ROOT, Kind, id_fields
from damas_board.session.events import Event
from damas_board.session.state import GameState

VERSION = "1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SUMMARY = {
    Kind.GATEWAY_STATE: "Whether a gateway is connected; `offline` is its last will",
    Kind.GATEWAY_HEALTH: "How a gateway fares: its boards, its queues, unknown boards, boards lost at once",
    Kind.BOARD_LINK: "Whether a board is connected to its gateway",
    Kind.BOARD_INFO: "What a board is: geometry, senses, firmware, identity",
    Kind.BOARD_SEE: "The physical position: the newest wins, at most five a second",
    Kind.BOARD_HEALTH: "Counters, suspect squares and queues",
    Kind.BOARD_STATE: "The newest `board` event",
    Kind.BOARD_EVENT: "Events while no game is on the board, a stream with its own seq",
    Kind.GAME_STATE: "The game at present, and the seq that it includes",
    Kind.GAME_EVENT: "Every event of the game, a stream",
    Kind.ROUND: "Pairings, tables, regulation and publication of a round",
    Kind.COMMAND_BOARD: "Commands for a board; retained or expired: refused; silence: no gateway has the board",
    Kind.COMMAND_GAME: "Commands for a game; retained or expired: refused; silence: no gateway has the game",
    Kind.REQUEST: "Requests of a reader: since, evidence, recording; silence: no gateway knows the game or board",
    Kind.ANSWER: "Answers to commands and requests",
    Kind.PUBLIC_ROUND: "The public copy of a round",
    Kind.PUBLIC_GAME_STATE: "The public copy of a game's state: delayed and filtered",
    Kind.PUBLIC_GAME_EVENT: "The public copy of a game's events: delayed, filtered, with its own seq",
}

_BODIES: Mapping[str, tuple[str, type]] = {
    "damas.gateway/1": ("GatewayState", payloads.GatewayState),
    "damas.gateway-health/1": ("GatewayHealth", payloads.GatewayHealth),
    "damas.link/1": ("BoardLink", payloads.BoardLink),
    "damas.info/1": ("BoardInfo", payloads.BoardInfo),
    "damas.see/1": ("BoardSee", payloads.BoardSee),
    "damas.health/1": ("BoardHealth", payloads.BoardHealth),
    "damas.round/1": ("Round", payloads.Round),
    "damas.command/1": ("Command", payloads.CommandPayload),
    "damas.request/1": ("Request", payloads.RequestPayload),
    "damas.answer/1": ("Answer", payloads.AnswerPayload),
}

_Time = Annotated[str, Field(description="UTC, RFC 3339", json_schema_extra={"format": "date-time"})]
_Id = Annotated[str, Field(pattern="^[a-z0-9-]{1,40}$")]
_Seq = Annotated[int, Field(ge=1, description="the place in its stream, from 1, without holes")]
_Epoch = Annotated[int, Field(ge=0, description="grows when a stream had to begin again")]


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow")


def _envelope(schema: str) -> dict[str, Any]:
    return {
        "schema_": (Literal[schema], Field(alias="schema")),
        "ts": (_Time, ...),
        "board": (_Id | None, None),
        "game": (_Id | None, None),
        "epoch": (_Epoch | None, None),
        "seq": (_Seq | None, None),
    }


def _own(body: type, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a dataclass for a model: `from_` as the key `from`."""
    hints = get_type_hints(body)
    found: dict[str, Any] = {}
    for item in fields(body):
        if item.name in without:
            continue
        required = item.default is MISSING and item.default_factory is MISSING
        key = item.name.rstrip("_")
        info = Field(default=... if required else item.default)
        if key != item.name:
            info = Field(default=... if required else item.default, alias=key)
        found[item.name] = (hints[item.name], info)
    return found


def _described(text: str | None) -> str:
    return " ".join((text or "").split())


@cache
def _event(kind: type[Any], schema: str | None) -> type[BaseModel]:
    own = {"event": (Literal[kind.event], ...), **_own(kind)}
    if schema is not None:
        own = {**_envelope(schema), **own}
    made: type[BaseModel] = create_model(kind.__name__, __base__=_Open, **own)
    return made


@cache
def model(schema: str) -> type[BaseModel]:
    """The pydantic model of all payloads with that `schema`; KeyError where there is none."""
    if schema == "damas.event/1":
        kinds = tuple(_event(kind, schema) for kind in get_args(Event))
        union: Any = kinds[0]
        for kind in kinds[1:]:
            union = union | kind
        root: type[BaseModel] = RootModel[Annotated[union, Field(discriminator="event")]]
        return root
    if schema == "damas.state/1":
        own = {"at": (float, ...), **_own(GameState, without=("game",)), **_own(payloads.PublicGame)}
        for key, hint in get_type_hints(GameState).items():
            for kind in set(get_args(hint)) & set(get_args(Event)):
                own[key] = (_event(kind, None) | None, None)
        state: type[BaseModel] = create_model("State", __base__=_Open, **{**_envelope(schema), **own})
        return state
    name, body = _BODIES[schema]
    made: type[BaseModel] = create_model(
        name, __base__=_Open, __doc__=_described(body.__doc__), **{**_envelope(schema), **_own(body)}
    )
    return made


def check(flat: Mapping[str, Any]) -> None:
    """Hold a payload's object against its schema. EnvelopeError names the first key that does not fit."""
    schema = flat.get("schema")
    if schema not in {delivery.schema for delivery in DELIVERY.values()}:
        raise EnvelopeError(f'"schema" {schema!r} is not known here')
    try:
        model(str(schema)).model_validate_json(json.dumps(dict(flat)), strict=True)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in detail["loc"])
        raise EnvelopeError(f"{place}: {detail['msg']}") from error


def _schema(name: str) -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": name, **_without_titles(model(name).model_json_schema(by_alias=True))}


def _without_titles(value: Any) -> Any:
    """pydantic gives every key a title made of its name; a property that is itself called `title` stays."""
    if isinstance(value, list):
        return [_without_titles(item) for item in value]
    if isinstance(value, dict):
        return {k: _without_titles(v) for k, v in value.items() if not (k == "title" and isinstance(v, str))}
    return value


def _file(schema: str) -> str:
    return f"schemas/{schema.replace('/', '-')}.json"


def documents() -> dict[str, str]:
    """Every generated file's text, by its place under docs/."""
    schemas = sorted({delivery.schema for delivery in DELIVERY.values()})
    found = {_file(schema): _text(_schema(schema)) for schema in schemas}
    found["asyncapi.json"] = _text(_asyncapi())
    return found


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _asyncapi() -> dict[str, Any]:
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for kind, delivery in DELIVERY.items():
        name = kind.name.lower()
        channels[name] = {
            "address": f"{ROOT}/{{meeting}}/{kind.value}",
            "title": _SUMMARY[kind],
            "parameters": {
                field: {"description": "1 to 40 of a-z, 0-9 and -"} for field in ("meeting", *id_fields(kind))
            },
            "messages": {"payload": {"$ref": f"#/components/messages/{_message(delivery.schema)}"}},
        }
        operations[f"publish_{name}"] = {
            "action": "send",
            "channel": {"$ref": f"#/channels/{name}"},
            "title": f"Written by {_roles(kind, 'write')}; read by {_roles(kind, 'read')}",
            "bindings": {"mqtt": {"qos": delivery.qos, "retain": delivery.retain == "yes", "bindingVersion": "0.2.0"}},
            "x-retained": delivery.retain,
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "damas_board",
            "version": VERSION,
            "description": "Games on physical draughts boards over MQTT 3.1.1. Streams count their events by seq "
            "within an epoch: drop what was seen, notice a hole, ask for it. Unknown keys are to be ignored.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {
            "messages": {
                _message(schema): {
                    "name": schema,
                    "contentType": "application/json",
                    "payload": {"$ref": _file(schema)},
                }
                for schema in sorted({delivery.schema for delivery in DELIVERY.values()})
            }
        },
    }


def _message(schema: str) -> str:
    return schema.partition("/")[0].removeprefix("damas.")


def _roles(kind: Kind, action: str) -> str:
    found = {row.role for row in TABLE if row.kind == kind and row.action == action}
    return ", ".join(role for role in ROLES if role in found)
