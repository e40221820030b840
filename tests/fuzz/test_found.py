"""What fuzzing found, each pinned by its name."""

from __future__ import annotations

import pytest
from fuzz.formats import FORMATS, STREAM

from damas_board.config.shapes import File
from damas_board.messages.envelope import EnvelopeError, decode
from damas_board.messages.publication import PublicCopy
from damas_board.messages.recording import RecordingError, read_inputs
from damas_board.messages.requests import RequestError, read_command
from damas_board.messages.stream import StreamError
from damas_board.messages.topics import Kind, topic
from damas_board.notation.pdn import read_games, write_game
from damas_board.regulations.tables import TableError, parse, read_table

COMMAND = topic(Kind.COMMAND_BOARD, "m", "ana", "b")


def test_an_event_without_a_name_is_no_event_of_the_public_copy() -> None:
    line = STREAM.split("\n")[1].replace('"event"', '"vent"').replace('"seq": 2', '"seq": 1')
    with pytest.raises(StreamError, match="event 1 has no name"):
        PublicCopy().take(decode(line), 0.0)


def test_a_whole_number_of_thousands_of_digits_is_told_with_its_line() -> None:
    with pytest.raises(TableError, match=r"x\.toml:2: a number of too many digits"):
        parse("a = 1\nb = " + "9" * 5000 + "\n", "x.toml")
    with pytest.raises(TableError, match=r"x\.toml:1: meeting .*a number of too many digits"):
        read_table("meeting = 0x" + "f" * 4000, "x.toml", File)


@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-1e999", "9" * 400, "9" * 5000, r'"\ud800"', "[" * 41 + "]" * 41, "[" * 990 + "]" * 990],
)
def test_what_could_not_be_journalled_or_sent_on_is_no_payload_no_command_and_no_input(value: str) -> None:
    with pytest.raises(EnvelopeError):
        decode('{"schema": "x", "ts": "2026-01-31T18:30:00Z", "a": ' + value + "}")
    with pytest.raises(RequestError):
        read_command(COMMAND, b'{"id": "c", "do": "start", "a": ' + value.encode() + b"}")
    with pytest.raises(RecordingError):
        list(read_inputs(['{"at": 1, "command": {"id": "c", "do": "x", "a": ' + value + "}}"]))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "piece", [b"[", b"{", b'"', b'{"a":', b"(", b"a", b"9", b"\\", b'\\"', b"a3-", b"x", b"\0", b"=\n"]
)
def test_the_same_again_and_again_costs_no_more_than_its_length(name: str, piece: bytes) -> None:
    """What grows with the square of the length would take minutes here, and the suite's limit ends it."""
    FORMATS[name].read(piece * (60_000 // len(piece)))


def test_a_command_is_no_place_for_a_book_and_its_author_no_place_for_a_control_character() -> None:
    with pytest.raises(RequestError, match="at most 16384"):
        read_command(COMMAND, b'{"id": "c", "do": "start", "note": "' + b"x" * 20_000 + b'"}')
    with pytest.raises(RequestError, match="id"):
        read_command(COMMAND, b'{"id": "c\\u001b[2J", "do": "start"}')
    assert read_command(COMMAND, b'{"id": "c", "do": "start", "for": "A\\u202en\\u001ba"}').by == "Ana via ana"


@pytest.mark.parametrize("time", ["9" * 400 + ":00:00", ":".join(["59"] * 300), "1001:00:00"])
def test_a_time_that_no_clock_shows_is_no_clock(time: str) -> None:
    text = f'[GameType "26,W,8,8,A0,0"]\n[Result "*"]\n\n1. c3-d4 {{[%clock w{time}]}} *\n'
    (game,) = read_games(text)
    assert [ply.clocks for ply in game.plies] == [None]
    write_game(game)
