from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, EnvelopeError, decode, encode, object_of, timestamp
from damas_board.session.events import GameStarted, MoveConfirmed

UTC = "2026-01-31T18:30:00Z"
GOOD = {"schema": "damas.event/1", "ts": UTC, "board": "table-1", "game": "g-1", "epoch": 1, "seq": 7}


def test_an_event_travels_flat_with_the_envelope_in_front() -> None:
    body = event_object(MoveConfirmed(12.5, 3, 4))
    envelope = Envelope("damas.event/1", timestamp(UTC, 12.5), "table-1", "g-1", 1, 7, body)
    assert encode(envelope) == (
        b'{"schema":"damas.event/1","ts":"2026-01-31T18:30:12.500Z","board":"table-1","game":"g-1","epoch":1,"seq":7,'
        b'"event":"move_confirmed","at":12.5,"ply":3,"revision":4}'
    )
    assert decode(encode(envelope)) == envelope


@pytest.mark.parametrize(
    ("utc", "at", "text"),
    [
        (UTC, 0, "2026-01-31T18:30:00.000Z"),
        (UTC, 0.1, "2026-01-31T18:30:00.100Z"),
        (UTC, 0.0006, "2026-01-31T18:30:00.001Z"),
        (UTC, 86400 * 30, "2026-03-02T18:30:00.000Z"),
        ("2026-01-31T18:30:00.250+02:00", 1, "2026-01-31T16:30:01.250Z"),
    ],
)
def test_ts_is_at_in_utc_to_the_millisecond(utc: str, at: float, text: str) -> None:
    assert timestamp(utc, at) == text


def test_a_wall_time_without_an_offset_is_refused() -> None:
    with pytest.raises(EnvelopeError, match="offset"):
        timestamp("2026-01-31T18:30:00", 1)


def test_the_games_own_name_is_told_once_and_never_silently_changed() -> None:
    started = event_object(GameStarted(0.0, "g-1", "br-cbjd", "W:W1:B2"))
    assert list(object_of(Envelope("damas.event/1", UTC, "b", "g-1", 1, 1, started))).count("game") == 1
    with pytest.raises(ValueError, match="game"):
        object_of(Envelope("damas.event/1", UTC, "b", "g-2", 1, 1, started))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"schema": None}, "schema"),
        ({"schema": "damas.event/2"}, "damas.event/1"),
        ({"ts": 3}, "ts"),
        ({"ts": "yesterday"}, "RFC 3339"),
        ({"ts": "2026-01-31T18:30:00"}, "offset"),
        ({"seq": 0}, "seq"),
        ({"seq": True}, "seq"),
        ({"seq": "1"}, "seq"),
        ({"epoch": -1}, "epoch"),
        ({"game": 3}, "game"),
    ],
)
def test_what_is_wrong_with_a_payload_is_named(change: dict[str, object], word: str) -> None:
    with pytest.raises(EnvelopeError, match=word):
        decode(json.dumps({**GOOD, **change}), "damas.event/1")


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe\x00", b"[1]", b"online", b"[" * 100_000, b'{"schema"'])
def test_garbage_is_refused_with_the_typed_error(payload: bytes) -> None:
    with pytest.raises(EnvelopeError):
        decode(payload)


@given(st.binary(max_size=200))
def test_no_payload_raises_anything_else(payload: bytes) -> None:
    with pytest.raises(EnvelopeError):
        decode(payload)


def test_unknown_keys_are_kept_for_those_who_know_them() -> None:
    assert decode(json.dumps({**GOOD, "later": [1]})).body == {"later": [1]}
