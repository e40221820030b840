"""The rows of the journal: what is stored of games, inputs and events, as text with a checksum."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from damas_board.messages.recording import input_object
from damas_board.session.header import Header
from damas_board.session.inputs import Input

JOURNALLED, FED, FAILED = 0, 1, 2

MadeBy = Literal["session", "gateway"]


@dataclass(frozen=True, slots=True)
class StoredGame:
    game: str
    board: str
    """Where it is, or was at its end; where it began is in its header."""
    at: float
    header: Header


@dataclass(frozen=True, slots=True)
class StoredInput:
    """An input as journalled; `events` are the objects of the events its Session made."""

    number: int
    item: Input
    state: Literal["journalled", "fed", "failed"]
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """Something to publish: an event of a stream (`game/{g}`, `board/{b}`) or an answer (`ack/{user}`, no seq)."""

    number: int
    board: str
    stream: str
    seq: int | None
    at: float
    body: Mapping[str, Any]


def compact(value: Any) -> str:
    """JSON as rows have it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


SUMMED_GAME = "game || ' ' || board || ' ' || header"
SUMMED_INPUT = "number || ' ' || board || ' ' || coalesce(game, '') || ' ' || body"
SUMMED_EVENT = "number || ' ' || coalesce(input, '') || ' ' || stream || ' ' || coalesce(seq, '') || ' ' || body"


def game_sum(game: str, board: str, header: str) -> int:
    """The checksum of a game's row."""
    return zlib.crc32(f"{game} {board} {header}".encode())


def input_sum(number: int, board: str, game: str | None, body: str) -> int:
    """The checksum of an input's row; its state is not in it, since that changes."""
    return zlib.crc32(f"{number} {board} {game or ''} {body}".encode())


def event_sum(number: int, input_: int | None, stream: str, seq: int | None, body: str) -> int:
    """The checksum of an event's row, without whether it is sent."""
    return zlib.crc32(
        f"{number} {'' if input_ is None else input_} {stream} {'' if seq is None else seq} {body}".encode()
    )


def insert_input(number: int, board: str, game: str | None, item: Input, state: int) -> tuple[str, tuple[Any, ...]]:
    statement = "INSERT INTO inputs (number, board, game, at, body, state, crc) VALUES (?, ?, ?, ?, ?, ?, ?)"
    body = compact(input_object(item))
    return statement, (number, board, game, item.at, body, state, input_sum(number, board, game, body))


def insert_event(row: OutboxRow, number: int | None, made_by: MadeBy) -> tuple[str, tuple[Any, ...]]:
    statement = (
        "INSERT INTO events (number, input, board, stream, seq, at, body, made_by, sent, crc) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"
    )
    body = compact(row.body)
    crc = event_sum(row.number, number, row.stream, row.seq, body)
    return statement, (row.number, number, row.board, row.stream, row.seq, row.at, body, made_by, crc)


def outbox_row(row: tuple[int, str, str, int | None, float, str]) -> OutboxRow:
    number, board, stream, seq, at, body = row
    return OutboxRow(number, board, stream, seq, at, json.loads(body))
