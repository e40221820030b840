from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, EnvelopeError, object_of
from damas_board.messages.schemas import check, documents, model
from damas_board.messages.topics import DELIVERY, Kind
from damas_board.session.events import (
    BoardChanged,
    ClockChanged,
    CommandAnswered,
    Event,
    GameOver,
    GameStarted,
    MoveMade,
    MoveRevised,
    PieceLifted,
)
from damas_board.session.state import GameState, PlyNote
from damas_board.sinks.mqtt import state_object

DOCS = Path(__file__).parents[2] / "docs"
UTC = "2026-01-31T18:30:00Z"

MOVE: dict[str, Any] = {
    "at": 3.5,
    "ply": 1,
    "side": "white",
    "move": "c3-d4",
    "from_": "c3",
    "to": "d4",
    "path": ("c3", "d4"),
    "captured": (),
    "promoted": False,
    "fen": "B:W...",
    "provisional": True,
    "irregular": False,
    "basis": "seen",
    "down": 3.2,
    "seconds": None,
    "revision": 0,
}
EVENTS: list[Event] = [
    GameStarted(0, "g-1", "br-cbjd", "W:W...", {"white": {"name": "Ana"}}),
    PieceLifted(1.0, "c3", None, 0.8),
    MoveMade(**MOVE),
    MoveRevised(**MOVE, was="c3-b4"),
    BoardChanged(2.0, "mismatch", {"c3": "w"}, ("d4",)),
    ClockChanged(2.0, 300.0, 295.5, "black"),
    GameOver(9.0, "white", "2-0", "no_pieces", None, 41, 0),
    CommandAnswered(9.0, "c-1", "rewind", "refused", "no such ply"),
]


def test_the_documents_in_docs_are_those_that_the_code_describes() -> None:
    made = documents()
    for name, text in made.items():
        path = DOCS / name
        assert path.exists(), f"{name} is missing: run python docs/build.py"
        assert path.read_text("utf-8") == text, f"{name} is out of date: run python docs/build.py"
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.glob("schemas/*.json")} <= set(made)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event)
def test_every_event_that_is_sent_fits_its_schema(event: Event) -> None:
    flat = object_of(Envelope("damas.event/1", UTC, "table-1", "g-1", 1, 7, event_object(event)))
    check(json.loads(json.dumps(flat)))


def test_a_games_state_fits_its_schema() -> None:
    state = GameState("g-1", "br-cbjd", "W:W...", "B:W...", ("c3-d4",), 0, EVENTS[5], EVENTS[4], EVENTS[6])  # type: ignore[arg-type]
    body = {"at": 9.0, **{key: value for key, value in state_object(state).items() if key != "game"}}
    flat = object_of(Envelope("damas.state/1", UTC, "table-1", "g-1", 1, 7, body))
    check(json.loads(json.dumps(flat)))
    with pytest.raises(EnvelopeError, match="moves"):
        check({**flat, "moves": "c3-d4"})


def test_a_state_with_notes_of_plies_and_a_time_control_fits_its_schema() -> None:
    notes = (
        PlyNote(1, "white", clock=(299.5, None), running="black"),
        PlyNote(2, "black", "W:W...", ("wrong_side",), "003 art. 19"),
    )
    state = GameState("g-1", "br-cbjd", "W:W...", "W:W...", ("c3-d4",), 0, time_control="300+5", notes=notes)
    body = {"at": 9.0, **{key: value for key, value in state_object(state).items() if key != "game"}}
    flat = json.loads(json.dumps(object_of(Envelope("damas.state/1", UTC, "table-1", "g-1", 1, 7, body))))
    check(flat)
    flat["notes"][1]["alerts"] = ["cheated"]
    with pytest.raises(EnvelopeError, match="notes"):
        check(flat)


def test_every_kind_of_event_has_a_schema() -> None:
    text = json.dumps(model("damas.event/1").model_json_schema())
    for kind in get_args(Event):
        assert f'"{kind.event}": "#/$defs/' in text


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seq": 0}, "seq"),
        ({"side": "red"}, "side"),
        ({"ply": "1"}, "ply"),
        ({"event": "moved"}, "moved"),
        ({"board": "Table 1"}, "board"),
        ({"schema": "damas.event/2"}, "damas.event/2"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], word: str) -> None:
    flat = object_of(Envelope("damas.event/1", UTC, "table-1", "g-1", 1, 7, event_object(MoveMade(**MOVE))))
    with pytest.raises(EnvelopeError, match=word):
        check({**flat, **change})


def test_a_key_that_is_missing_is_named() -> None:
    with pytest.raises(EnvelopeError, match="from"):
        check(
            {
                k: v
                for k, v in object_of(Envelope("damas.event/1", UTC, body=event_object(EVENTS[2]))).items()
                if k != "from"
            }
        )


@pytest.mark.parametrize(
    "flat",
    [
        {"schema": "damas.gateway/1", "ts": UTC, "gateway": "gw-1", "state": "offline"},
        {"schema": "damas.link/1", "ts": UTC, "board": "table-1", "link": "down", "gateway": "gw-1", "reason": "cable"},
        {"schema": "damas.see/1", "ts": UTC, "board": "table-1", "at": 1.5, "see": ".b/w."},
        {"schema": "damas.command/1", "ts": UTC, "do": "rewind", "id": "c-1", "ply": 3, "for": "Ana"},
        {"schema": "damas.request/1", "ts": UTC, "id": "r-1", "want": "since", "game": "g-1", "epoch": 1, "seq": 0},
        {"schema": "damas.answer/1", "ts": UTC, "id": "r-1", "outcome": "done", "piece": 1, "pieces": 1, "events": []},
    ],
    ids=lambda flat: flat["schema"],
)
def test_other_payloads_fit_and_may_say_more(flat: dict[str, Any]) -> None:
    check(flat)
    check({**flat, "of_a_later_version": [1]})


def test_the_asyncapi_document_says_what_the_topics_table_says() -> None:
    made = documents()
    document = json.loads(made["asyncapi.json"])
    assert document["asyncapi"].startswith("3.")
    for kind in Kind:
        name = kind.name.lower()
        channel, operation = document["channels"][name], document["operations"][f"publish_{name}"]
        assert channel["address"] == f"damas/v1/{{meeting}}/{kind.value}"
        assert operation["bindings"]["mqtt"]["qos"] == DELIVERY[kind].qos
        assert operation["x-retained"] == DELIVERY[kind].retain
        _, _, message = channel["messages"]["payload"]["$ref"].rpartition("/")
        assert document["components"]["messages"][message]["payload"]["$ref"] in made
    assert document["operations"]["publish_round"]["title"] == (
        "Written by organiser, hub; read by gateway, organiser, arbiter, hub"
    )
