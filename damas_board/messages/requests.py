"""What comes to a gateway over MQTT, and what it answers: commands, requests, and answers in pieces; pure.

The `reason` of a refusal is a code in snake_case, so that a page can say it in its reader's language; where there is
more to say, `detail` has it in words.

All gateways of a hall hear all requests, and only the one that has the board or game named in a message answers it:
silence means that no gateway knows what was named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from damas_board.messages.envelope import Envelope, EnvelopeError, encode, instant, object_of
from damas_board.messages.evidence import Evidence, game_of
from damas_board.messages.json_text import JsonError, read_json
from damas_board.messages.names import clean
from damas_board.messages.topics import DELIVERY, Kind, Topic

LONGEST_COMMAND = 16 * 1024
"""Bytes of a command, its note included: it is kept in the journal, and sent on with each answer."""
PIECE_BYTES = 64 * 1024
"""The most that one payload of an answer has."""
_ROOM = 1024
"""Of a piece, what is left for the envelope."""
_SLICE = 8000
COMMANDS = frozenset(
    (
        *(
            "new_game",
            "start",
            "pause",
            "resume",
            "set_clock",
            "result",
            "reopen",
            "abort",
            "hold",
            "release",
            "move_to",
        ),
        *("adjust", "stands", "rectify", "dismiss", "count", "rewind", "set_position", "move"),
        *("mask", "unmask", "orient"),
    )
)
"""The commands of the contract; another one is refused as `unknown_command`."""
RETAINED = "it was sent as a retained message; send it without, and take it away with an empty retained message"
Want = Literal["since", "evidence", "recording"]
WANTS: tuple[Want, ...] = get_args(Want)
_NOT_ARGUMENTS = ("schema", "ts", "epoch", "seq", "do", "id", "note", "expires", "for", "by")


class RequestError(ValueError):
    """A command or request that cannot be read; `id`, `game`, `board` are what it names, where that could be read."""

    def __init__(self, message: str, id_: str = "") -> None:
        super().__init__(message)
        self.id = id_
        self.game: str | None = None
        self.board: str | None = None


@dataclass(frozen=True, slots=True)
class CommandMessage:
    """A command as it came; `user` is the login that the topic is bound to."""

    user: str
    do: str
    id: str
    arguments: Mapping[str, Any]
    by: str
    """The author: the login, or `{person} via {login}` where a hub names the person."""
    board: str | None = None
    game: str | None = None
    note: str | None = None
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A reader's wish; of `game`'s stream, or of `board`'s where no game is named."""

    user: str
    id: str
    want: Want
    game: str | None = None
    board: str | None = None
    epoch: int | None = None
    seq: int = 0
    alert: str | None = None
    """Of `evidence`: the id, or in short `a3`."""


def read_command(topic: Topic, payload: bytes) -> CommandMessage:
    """The command in a message on `cmd/{user}/board/{b}` or `cmd/{user}/game/{g}`. RequestError says what is wrong."""
    body = _checked(_parsed(payload), topic.kind)
    id_, do = _id(body), body.get("do")
    if len(payload) > LONGEST_COMMAND:
        raise RequestError(f"a command of {len(payload)} bytes; at most {LONGEST_COMMAND} are taken", id_)
    if not isinstance(do, str) or not do:
        raise RequestError('a command needs "do", the name of a command', id_)
    user = topic.id("user")
    left_out = {"board": do != "move_to", "game": do != "new_game"}
    arguments = {k: v for k, v in body.items() if k not in _NOT_ARGUMENTS and not left_out.get(k, False)}
    person = _text(body, "for", id_)
    person = None if person is None else clean(person) or None
    try:
        expires = None if body.get("expires") is None else instant(str(body["expires"]))
    except EnvelopeError as error:
        raise RequestError(f'"expires": {error}', id_) from error
    return CommandMessage(
        user,
        do,
        id_,
        arguments,
        by=user if person is None else f"{person} via {user}",
        board=topic.id("board") if topic.kind == Kind.COMMAND_BOARD else None,
        game=topic.id("game") if topic.kind == Kind.COMMAND_GAME else None,
        note=_text(body, "note", id_),
        expires=expires,
    )


def login_of(by: str | None) -> str:
    """The login in a command's `by`; empty where it has none."""
    return (by or "").rpartition(" via ")[2]


def read_request(topic: Topic, payload: bytes) -> RequestMessage:
    """The request in a message on `req/{user}`. RequestError says what is wrong."""
    body = _parsed(payload)
    try:
        return _request(topic, body)
    except RequestError as error:
        error.game, error.board = (v if isinstance(v := body.get(key), str) else None for key in ("game", "board"))
        raise


def _request(topic: Topic, body: dict[str, Any]) -> RequestMessage:
    id_ = _id(_checked(body, topic.kind))
    want = next((known for known in WANTS if known == body.get("want")), None)
    if want is None:
        raise RequestError(f'"want" is {json.dumps(body.get("want"))[:60]}; one of {", ".join(WANTS)} is expected', id_)
    numbers = {}
    for key in ("epoch", "seq"):
        value = body.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise RequestError(f'"{key}" is no whole number from 0', id_)
        numbers[key] = value
    game, board, alert = _text(body, "game", id_), _text(body, "board", id_), _text(body, "alert", id_)
    if want == "evidence" and game is None and alert is not None:
        game = game_of(alert)
    if game is None and board is None:
        raise RequestError('a request needs "game" (or "board", for the events while no game is on)', id_)
    return RequestMessage(topic.id("user"), id_, want, game, board, numbers["epoch"], numbers["seq"] or 0, alert)


def refusal(ts: str, request: RequestMessage, reason: str, detail: str | None = None) -> bytes:
    """The answer to a request that is not met."""
    body = {"id": request.id, "want": request.want, "outcome": "refused", "reason": reason}
    return encode(_answer(ts, request, None, detailed(body, detail)))


def unreadable(ts: str, error: RequestError) -> bytes:
    """The answer to a message that could not be read."""
    return _refused(ts, error.id, "unreadable", str(error))


def detailed(body: Mapping[str, Any], detail: str | None) -> dict[str, Any]:
    """An answer's object with its `detail`, on one line, where there is one."""
    return {**body, **({} if detail is None else {"detail": " ".join(detail.split())})}


def _refused(ts: str, id_: str, reason: str, detail: str) -> bytes:
    body = detailed({"id": id_, "outcome": "refused", "reason": reason}, detail)
    return encode(Envelope(DELIVERY[Kind.ANSWER].schema, ts, body=body))


def retained_refusal(ts: str, payload: bytes | bytearray) -> bytes:
    """The answer to a command or request that was sent as a retained message."""
    try:
        id_ = _id(_parsed(bytes(payload)))
    except RequestError as error:
        id_ = error.id
    return _refused(ts, id_, "retained", RETAINED)


def since_pieces(ts: str, request: RequestMessage, epoch: int, events: Iterable[Envelope]) -> list[bytes]:
    """The answer to `since`: each piece has `events`, the same objects as on the stream's topic."""
    objects = [(event, _size(event)) for event in map(object_of, events)]
    groups = _groups(objects)
    return [
        encode(_answer(ts, request, epoch, _piece(request, number, len(groups), events=group)))
        for number, group in enumerate(groups, 1)
    ]


def recording_pieces(ts: str, request: RequestMessage, lines: Iterable[str]) -> list[bytes]:
    """The answer to `recording`: the `text` of all pieces, one behind the other, is the recording."""
    groups = _groups([(part, _size(part)) for part in _slices(lines)])
    return [
        encode(_answer(ts, request, None, _piece(request, number, len(groups), text="".join(group))))
        for number, group in enumerate(groups, 1)
    ]


def evidence_pieces(ts: str, request: RequestMessage, shown: Evidence) -> list[bytes]:
    """The answer to `evidence`: of all pieces, one behind the other, the `account` and the recording's `text`."""
    account = [(line.body(), _size(line.body())) for line in shown.account]
    slices = [(part, _size(part)) for part in _slices(shown.recording())]
    groups: list[dict[str, Any]] = [{"account": group} for group in _groups(account)]
    groups += [{"text": "".join(group)} for group in _groups(slices)]
    return [
        encode(_answer(ts, request, None, _piece(request, number, len(groups), **group)))
        for number, group in enumerate(groups, 1)
    ]


def _piece(request: RequestMessage, number: int, of: int, **content: Any) -> dict[str, Any]:
    return {"id": request.id, "want": request.want, "outcome": "done", "piece": number, "pieces": of, **content}


def _answer(ts: str, request: RequestMessage, epoch: int | None, body: Mapping[str, Any]) -> Envelope:
    return Envelope(DELIVERY[Kind.ANSWER].schema, ts, request.board, request.game, epoch, None, body)


def _groups(items: Sequence[tuple[Any, int]]) -> list[list[Any]]:
    """The items in their order, each group of no more bytes than a piece has room for; at least one group."""
    groups: list[list[Any]] = [[]]
    size = 0
    for item, item_size in items:
        if groups[-1] and size + item_size > PIECE_BYTES - _ROOM:
            groups.append([])
            size = 0
        groups[-1].append(item)
        size += item_size
    return groups


def _slices(lines: Iterable[str]) -> Iterator[str]:
    """The text of the lines, cut so small that a piece has room for each."""
    text = "".join(f"{line}\n" for line in lines)
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) + 1


def _parsed(payload: bytes) -> dict[str, Any]:
    try:
        body = read_json(payload)
    except JsonError as error:
        raise RequestError(f"not JSON: {error}") from error
    if not isinstance(body, dict):
        raise RequestError("not a JSON object")
    return body


def _checked(body: dict[str, Any], kind: Kind) -> dict[str, Any]:
    expected = DELIVERY[kind].schema
    if body.get("schema", expected) != expected:
        raise RequestError(f'"schema" is {json.dumps(body["schema"])[:60]}, "{expected}" is expected')
    return body


def _id(body: Mapping[str, Any]) -> str:
    id_ = body.get("id")
    if not isinstance(id_, str) or not 1 <= len(id_) <= 64 or not id_.isprintable():
        raise RequestError('"id" is missing, or no text of 1 to 64 characters')
    return id_


def _text(body: Mapping[str, Any], key: str, id_: str) -> str | None:
    value = body.get(key)
    if value is not None and not isinstance(value, str):
        raise RequestError(f'"{key}" is no text', id_)
    return value
