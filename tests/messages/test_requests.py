from __future__ import annotations

import json
from typing import Any

import pytest

from damas_board.messages.envelope import Envelope, decode, instant
from damas_board.messages.requests import (
    PIECE_BYTES,
    RequestError,
    RequestMessage,
    read_command,
    read_request,
    recording_pieces,
    refusal,
    since_pieces,
    unreadable,
)
from damas_board.messages.topics import Kind, topic

TS = "2026-01-31T18:30:00Z"
ON_BOARD = topic(Kind.COMMAND_BOARD, "autumn", "ana", "table-1")
ON_GAME = topic(Kind.COMMAND_GAME, "autumn", "hub-1", "g-1")
REQUEST = topic(Kind.REQUEST, "autumn", "ana")
ASKED = RequestMessage("ana", "q1", "since", "g-1")


def payload(**body: Any) -> bytes:
    return json.dumps(body).encode()


def test_a_command_has_its_arguments_and_its_author_from_the_topic() -> None:
    body = payload(schema="damas.command/1", ts=TS, id="c1", do="rewind", ply=3, by="somebody else", note="told twice")
    command = read_command(ON_BOARD, body)
    assert (command.do, command.id, command.arguments, command.note) == ("rewind", "c1", {"ply": 3}, "told twice")
    assert (command.by, command.user, command.board, command.game) == ("ana", "ana", "table-1", None)


def test_a_hub_names_the_person_who_is_logged_in_to_it() -> None:
    command = read_command(ON_GAME, payload(id="c1", do="reopen", **{"for": "Ana B."}))
    assert (command.by, command.user, command.game) == ("Ana B. via hub-1", "hub-1", "g-1")


def test_game_and_board_are_arguments_only_where_a_command_has_them() -> None:
    assert read_command(ON_BOARD, payload(id="c", do="new_game", game="g-9", board="table-1")).arguments == {
        "game": "g-9"
    }
    assert read_command(ON_GAME, payload(id="c", do="move_to", game="g-1", board="table-2")).arguments == {
        "board": "table-2"
    }


def test_expires_is_a_time_with_its_offset() -> None:
    command = read_command(ON_BOARD, payload(id="c", do="start", expires="2026-01-31T19:30:00+01:00"))
    assert command.expires == instant(TS)
    with pytest.raises(RequestError, match="expires"):
        read_command(ON_BOARD, payload(id="c", do="start", expires="2026-01-31T19:30:00"))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"\xff\xd8\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (payload(do="start"), '"id" is missing'),
        (payload(id="", do="start"), '"id" is missing'),
        (payload(id="x" * 65, do="start"), '"id" is missing'),
        (payload(id="c1"), '"do"'),
        (payload(id="c1", do="start", schema="damas.command/2"), '"damas.command/1" is expected'),
        (payload(id="c1", do="start", note=7), '"note" is no text'),
    ],
)
def test_a_command_that_cannot_be_read_says_why(body: bytes, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        read_command(ON_BOARD, body)


def test_the_id_of_an_unreadable_command_is_kept_for_its_answer() -> None:
    with pytest.raises(RequestError) as caught:
        read_command(ON_BOARD, payload(id="c1"))
    assert caught.value.id == "c1"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (payload(id="q", want="all", game="g"), "one of since, evidence, recording is expected"),
        (payload(id="q", want="since"), 'a request needs "game"'),
        (payload(id="q", want="since", game="g", seq=-1), '"seq" is no whole number'),
        (payload(id="q", want="since", game="g", seq=True), '"seq" is no whole number'),
        (payload(id="q", want="since", game=["g"]), '"game" is no text'),
    ],
)
def test_a_request_that_cannot_be_read_says_why(body: bytes, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        read_request(REQUEST, body)


def test_the_pieces_of_since_hold_all_events_in_order_and_are_small_enough() -> None:
    events = [
        Envelope("damas.event/1", TS, "table-1", "g-1", 1, n, {"event": "x", "note": "é" * 900}) for n in range(1, 200)
    ]
    pieces = since_pieces(TS, ASKED, 1, events)
    assert max(map(len, pieces)) <= PIECE_BYTES
    answers = [decode(piece, "damas.answer/1") for piece in pieces]
    assert [a.body["piece"] for a in answers] == list(range(1, len(pieces) + 1))
    assert {(a.body["id"], a.body["pieces"], a.game, a.epoch) for a in answers} == {("q1", len(pieces), "g-1", 1)}
    assert [flat["seq"] for a in answers for flat in a.body["events"]] == list(range(1, 200))
    assert len(pieces) > 3


def test_nothing_new_is_one_piece_without_events() -> None:
    (piece,) = since_pieces(TS, ASKED, 1, [])
    assert decode(piece).body == {"id": "q1", "want": "since", "outcome": "done", "piece": 1, "pieces": 1, "events": []}


@pytest.mark.parametrize("letter", ["a", "é", '"', "\x01", "\U0001f600"])
def test_the_pieces_of_a_recording_are_small_enough_whatever_is_in_it(letter: str) -> None:
    lines = ["{}", letter * 150_000, "", "end"]
    pieces = recording_pieces(TS, ASKED, lines)
    assert max(map(len, pieces)) <= PIECE_BYTES
    assert "".join(decode(piece).body["text"] for piece in pieces) == "".join(f"{line}\n" for line in lines)


def test_evidence_needs_no_game_where_the_alert_is_named_in_full() -> None:
    asked = read_request(REQUEST, payload(id="q", want="evidence", alert="t-1-20260131-2-a7"))
    assert (asked.game, asked.alert) == ("t-1-20260131-2", "t-1-20260131-2-a7")
    named = read_request(REQUEST, payload(id="q", want="evidence", game="g", alert="a7"))
    assert (named.game, named.alert) == ("g", "a7")
    for body in ({"alert": "a7"}, {"alert": 7, "game": "g"}):
        with pytest.raises(RequestError):
            read_request(REQUEST, payload(id="q", want="evidence", **body))


def test_a_refusal_names_what_was_asked_and_why_not() -> None:
    body = {"id": "q1", "want": "since", "outcome": "refused", "reason": "not_yet"}
    assert decode(refusal(TS, ASKED, "not_yet"), "damas.answer/1").body == body
    told = decode(refusal(TS, ASKED, "not_yet", "in\nwords"), "damas.answer/1").body
    assert told == {**body, "detail": "in words"}


def test_what_cannot_be_read_is_answered_with_a_code_and_words() -> None:
    answer = decode(unreadable(TS, RequestError("no id", "q1")), "damas.answer/1")
    assert answer.body == {"id": "q1", "outcome": "refused", "reason": "unreadable", "detail": "no id"}


def test_a_request_that_cannot_be_read_still_names_whose_it_is() -> None:
    for body in (
        {"id": "q", "game": "g", "board": "b"},
        {"game": "g", "board": "b"},
        {"game": "g", "board": "b", "schema": 1},
    ):
        with pytest.raises(RequestError) as caught:
            read_request(REQUEST, payload(**body))
        assert (caught.value.game, caught.value.board) == ("g", "b")
    with pytest.raises(RequestError) as caught:
        read_request(REQUEST, payload(id="q", game=7))
    assert (caught.value.game, caught.value.board) == (None, None)
