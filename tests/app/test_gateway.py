"""The gateway on both brokers: kills, holes, commands and requests, as a reader of the hall sees them."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from app.halls import LOGINS, MEETING, Hall, Reader, gateway_process
from app.tables import HEADER, Hands, game, items, moves, published, replayed, until
from courses import alert
from sinks.full_disk import fill_disk
from unruly import Unruly

from damas_board.app import BoardSetup, Gateway, mqtt_relay, regulation_of
from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.messages.evidence import evidence
from damas_board.messages.recording import input_object, read_header, read_inputs
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import read_fen
from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.session.events import MoveMade
from damas_board.session.inputs import Command, Lever, See
from damas_board.session.session import Session
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import BrokerError, MqttRelay
from simulator.table import mark, rows

SECONDS = 20.0
TOPICS = {
    "gateway/gw-1/$state",
    "board/table-1/link",
    "board/table-1/info",
    "board/table-1/see",
    "board/table-1/state",
}


@asynccontextmanager
async def running(
    hall: Hall, path: Path, boards: Sequence[BoardSetup], **options: Any
) -> AsyncIterator[tuple[Gateway, MqttRelay, Journal]]:
    with Journal.open(path / "j.db") as journal:
        relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
        async with Gateway(journal, boards, relay=relay, **options) as gateway:
            yield gateway, relay, journal


def name_of(gateway: Gateway) -> str:
    found = gateway.boards["table-1"].game
    assert found is not None
    return found


def answers_to(reader: Reader, id_: str) -> list[dict[str, Any]]:
    return [answer for answer in reader.answers if answer["id"] == id_]


def followed(reader: Reader, name: str) -> tuple[str, ...]:
    return reader.records[name].moves if name in reader.records else ()


async def test_a_follower_has_the_game_that_was_played(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        async with running(hall, tmp_path, [replayed(items())]) as (gateway, relay, _):
            await gateway.finished()
            await relay.drained()
            name = name_of(gateway)
            await until(lambda: followed(reader, name) == moves(items()))
            await until(lambda: {*TOPICS, f"game/{name}/state"} <= reader.flagged)
            assert reader.retained["gateway/gw-1/$state"]["state"] == "online"
            state = reader.retained[f"game/{name}/state"]
            assert state["moves"] == list(moves(items()))
            assert state["seq"] == reader.followers[name].seq
            assert relay.denied == set()
        await until(lambda: reader.retained["gateway/gw-1/$state"]["state"] == "offline")
        assert reader.retained["board/table-1/link"]["link"] == "down"
    assert [e.seq for e in reader.events] == list(range(1, len(reader.events) + 1))
    assert reader.asked == []


async def test_a_gateway_killed_in_mid_game_goes_on_with_the_same_game(hall: Hall, tmp_path: Path) -> None:
    recording = tmp_path / "game.jsonl"
    lines = [json.dumps({"recording": 1, "board": "table-1", "regulation": "br-cbjd"})]
    recording.write_text("\n".join(lines + [json.dumps(input_object(item)) for item in items()]), encoding="utf-8")
    path = tmp_path / "j.db"
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        skip = 0
        for plies in (6, 17):
            async with gateway_process(path, hall.port, recording, skip, 40):
                await until(lambda wanted=plies: sum(len(r.plies) for r in reader.records.values()) >= wanted)
            await until(lambda: reader.retained["gateway/gw-1/$state"]["state"] == "offline")
            skip = _shown(path)
        async with gateway_process(path, hall.port, recording, skip, 1000) as process:
            assert await process.wait() == 0
        assert len(reader.records) == 1
        name = next(iter(reader.records))
        await until(lambda: followed(reader, name) == moves(items()))
    told = published(path, f"game/{name}")
    assert [e["move"] for e in told if e["event"] == "move"] == [
        e.body["move"] for e in reader.events if e.body["event"] == "move"
    ]
    assert [e.seq for e in reader.events] == list(range(1, len(told) + 1))
    assert len({e.epoch for e in reader.events}) == 1
    assert moves(items()) == followed(reader, name)
    assert len(game().moves) == len(followed(reader, name))


def _shown(path: Path) -> int:
    """How many of the board's readings are in the journal, however often the first of a connection was repeated."""
    with Journal.open(path) as journal:
        seen = [i.item.rows for i in journal.inputs(journal.games()[0].game) if isinstance(i.item, See)]
    wanted = [item.rows for item in items() if isinstance(item, See)]
    count = 0
    for shown in seen:
        if shown == wanted[count]:
            count += 1
    return count


@pytest.mark.parametrize("keeps", [True, False], ids=["keeps", "forgets"])
async def test_a_broker_killed_in_mid_game_costs_nothing(hall: Hall, tmp_path: Path, keeps: bool) -> None:
    given = items()
    hands = Hands()
    async with (
        asyncio.timeout(SECONDS),
        Reader(hall).reading() as reader,
        running(hall, tmp_path, [hands.setup()]) as (gateway, relay, journal),
    ):
        name = name_of(gateway)
        source = hands["table-1"]
        shift = source.now()
        for item in given[:20]:
            source.given.put_nowait(replace(item, at=item.at + shift))
        await until(lambda: len(followed(reader, name)) > 3)
        await relay.drained()
        for item in given[20:30]:
            source.given.put_nowait(replace(item, at=item.at + shift))
        await until(lambda: len(followed(reader, name)) > 5)
        await hall.kill()
        for item in given[30:60]:
            source.given.put_nowait(replace(item, at=item.at + shift))
        await until(lambda: len(gateway.boards["table-1"].state.moves) > 15)
        assert journal.unsent()
        if not keeps:
            hall.forget()
        await hall.start()
        await reader.connected.wait()
        for item in given[60:]:
            source.given.put_nowait(replace(item, at=item.at + shift))
        source.given.put_nowait(None)
        await gateway.finished()
        await relay.drained()
        await until(lambda: followed(reader, name) == moves(given))
        await until(lambda: {*TOPICS, f"game/{name}/state"} <= reader.flagged)
        assert reader.retained["gateway/gw-1/$state"]["state"] == "online"
        assert relay.connections == 2
        await asyncio.wrap_future(journal.flush())
        assert journal.unsent() == []
    assert [e.seq for e in reader.events] == list(range(1, len(reader.events) + 1))


async def test_a_reader_that_misses_events_asks_and_heals(hall: Hall, tmp_path: Path) -> None:
    lost: list[int] = []

    def lose(envelope: Any) -> bool:
        missed = envelope.seq % 5 == 0 or envelope.seq > 80
        lost.extend([envelope.seq] * missed)
        return missed

    async with (
        asyncio.timeout(SECONDS),
        Reader(hall, lose).reading() as reader,
        running(hall, tmp_path, [replayed(items())]) as (gateway, relay, _),
    ):
        await gateway.finished()
        await relay.drained()
        await until(lambda: followed(reader, name_of(gateway)) == moves(items()))
        await until(lambda: reader.followers[name_of(gateway)].hole is None)
    assert lost
    assert reader.asked
    assert [e.seq for e in reader.events] == list(range(1, len(reader.events) + 1))


async def test_a_reader_who_comes_late_has_the_whole_game(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), running(hall, tmp_path, [replayed(items())]) as (gateway, relay, _):
        await gateway.finished()
        await relay.drained()
        async with Reader(hall).reading() as reader:
            await until(lambda: followed(reader, name_of(gateway)) == moves(items()))
            await until(lambda: {*TOPICS, f"game/{name_of(gateway)}/state"} <= reader.flagged)


async def test_the_recording_is_answered_in_pieces_that_make_the_export(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), running(hall, tmp_path, [replayed(items())]) as (gateway, relay, journal):
        name = name_of(gateway)
        await gateway.finished()
        padding = [See(journal.last_at, "o" * 50_000, by="x") for _ in range(6)]
        await asyncio.wrap_future(journal.append("table-1", name, padding)[1])
        await relay.drained()
        async with Reader(hall).reading() as reader:
            await reader.send("req/ana", {"id": "q1", "want": "recording", "game": name})
            await until(lambda: any(a["id"] == "q1" and a["piece"] == a["pieces"] for a in reader.answers))
            pieces = [a for a in reader.answers if a["id"] == "q1"]
            assert "".join(a["text"] for a in pieces) == "".join(f"{line}\n" for line in journal.export(name))
            assert [a["piece"] for a in pieces] == list(range(1, len(pieces) + 1))
            assert len(pieces) > 3
            assert max(reader.sizes) <= 64 * 1024


async def test_evidence_is_answered_in_pieces_that_make_the_account_and_the_recording(
    hall: Hall, tmp_path: Path
) -> None:
    async with asyncio.timeout(SECONDS), running(hall, tmp_path, [replayed(items())]) as (gateway, relay, journal):
        name = name_of(gateway)
        await gateway.finished()
        course = journal.course(journal.games()[0])
        third = next(e for e in course.events if e["event"] == "move" and e["ply"] == 3)
        raised = alert(course, 1, journal.last_at, "held_piece", ply=3, evidence={"from": third["at"]})
        padding = [Lever(journal.last_at, "white")] * 4000
        await asyncio.wrap_future(journal.append("table-1", name, padding)[1])
        await asyncio.wrap_future(journal.tell("table-1", name, [raised])[1])
        await relay.drained()
        async with Reader(hall).reading() as reader:
            await reader.send("req/ana", {"id": "q1", "want": "evidence", "alert": raised["id"]})
            await until(lambda: any(a["id"] == "q1" and a["piece"] == a["pieces"] for a in reader.answers))
            pieces = answers_to(reader, "q1")
            assert max(reader.sizes) <= 64 * 1024
            await reader.send("req/ana", {"id": "q2", "want": "evidence", "game": name, "alert": "a1"})
            await until(lambda: any(a["id"] == "q2" and a["piece"] == a["pieces"] for a in reader.answers))
            assert len(answers_to(reader, "q2")) == len(pieces)
        shown = evidence(journal.course(journal.games()[0]), raised, regulation_of(HEADER).variant)
    assert [a["piece"] for a in pieces] == list(range(1, len(pieces) + 1))
    assert len(pieces) > 3
    account = [line for piece in pieces for line in piece.get("account", [])]
    assert account == json.loads(json.dumps([line.body() for line in shown.account]))
    assert {"alert", "raised", "move", "lever", "open"} <= {line["key"] for line in account}
    text = "".join(piece.get("text", "") for piece in pieces)
    assert text == "".join(f"{line}\n" for line in shown.recording())
    lines = iter(text.splitlines())
    session = Session(read_header(lines), regulation_of(HEADER))
    replays = [event for item in read_inputs(lines) for event in session.feed(item)]
    assert third["move"] in [event.move for event in replays if isinstance(event, MoveMade)]


async def test_requests_that_cannot_be_met_are_refused_with_a_reason(hall: Hall, tmp_path: Path) -> None:
    async with (
        asyncio.timeout(SECONDS),
        running(hall, tmp_path, [replayed(items()[:1])]) as (gateway, _, _journal),
        Reader(hall).reading() as reader,
    ):
        await reader.send("req/ana", {"id": "q1", "want": "evidence", "game": name_of(gateway), "alert": "a1"})
        await reader.send("req/ana", {"id": "q10", "want": "evidence", "game": name_of(gateway)})
        await reader.send("req/ana", {"id": "q11", "want": "evidence", "board": "table-1", "alert": "a1"})
        await reader.send("req/ana", {"id": "q12", "want": "evidence", "alert": "another-gateways-a1"})
        await reader.send("req/ana", {"id": "q2", "want": "everything", "game": name_of(gateway)})
        await reader.send("req/ana", {"id": "q3", "want": "recording", "game": "another-gateways"})
        await reader.send("req/ana", b"\xff\xd8")
        await reader.send("req/ana", {"id": "q6", "game": "another-gateways"})
        await reader.send("req/ana", {"id": "q7", "board": "table-9"})
        await reader.send("req/ana", {"id": "q8"})
        await reader.send("req/ana", {"id": "q9", "board": "table-1"})
        await reader.send("cmd/ana/game/another-gateways", {"id": "c1"})
        await reader.send("req/ana", {"id": "q4", "want": "since", "game": name_of(gateway), "seq": -1})
        await reader.send("req/ana", {"id": "q5", "want": "since", "game": name_of(gateway), "seq": 0})
        await until(lambda: any(a["id"] == "q5" for a in reader.answers))
        told = {a["id"]: (a["outcome"], a.get("reason")) for a in reader.answers}
    assert told["q1"] == ("refused", "no_such_alert")
    assert told["q10"] == told["q11"] == ("refused", "bad_argument")
    assert told["q2"] == told["q4"] == told["q9"] == ("refused", "unreadable")
    assert told["q5"] == ("done", None)
    assert set(told) - {"r1"} == {"q1", "q2", "q4", "q5", "q9", "q10", "q11"}


async def test_a_command_is_done_once_and_answered_each_time(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), running(hall, tmp_path, [replayed(items())]) as (gateway, _, journal):
        await gateway.finished()
        name = name_of(gateway)
        async with Reader(hall).reading() as reader:
            body = {"id": "c1", "do": "result", "result": "1-0", "reason": "resigned", "for": "Ana B."}
            await reader.send(f"cmd/ana/game/{name}", body)
            await until(lambda: len(answers_to(reader, "c1")) == 1)
            await reader.send(f"cmd/ana/game/{name}", body)
            await until(lambda: len(answers_to(reader, "c1")) == 2)
            assert [a["outcome"] for a in answers_to(reader, "c1")] == ["done", "done"]
            assert answers_to(reader, "c1")[0]["by"] == "Ana B. via ana"
        told = [row.body for row in journal.events(f"game/{name}")]
    assert [e["event"] for e in told].count("game_over") == 1
    assert [e["event"] for e in told].count("command") == 1


class Arbiter:
    """Ana at table 1: she sees to the pieces, and gives her commands twice, as over a bad connection."""

    def __init__(self, reader: Reader, hands: Hands, gateway: Gateway, fen: str) -> None:
        self.reader, self.hands, self.gateway = reader, hands, gateway
        self.name = name_of(gateway)
        self.given: list[tuple[str, str]] = []
        position = read_fen(fen, shipped("int-fmjd").variant)
        self.geometry = position.variant.geometry
        self.pieces = {s: mark(position, s) for s in squares_of(position.occupied)}

    @property
    def record(self) -> Record:
        return self.reader.records[self.name]

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        return [e.body for e in self.reader.events if e.body["event"] == kind]

    def see(self, *changes: str) -> None:
        """`-38` off, `+33w` on."""
        for change in changes:
            square = self.geometry.square(change.strip("+-wb"))
            if change[0] == "-":
                del self.pieces[square]
            else:
                self.pieces[square] = change[-1]
        source = self.hands["table-1"]
        source.given.put_nowait(See(source.now(), rows(self.pieces, self.geometry)))

    async def gives(self, do: str, note: str | None = None, **arguments: Any) -> str | None:
        """The reason of the answer, which is the same both times."""
        id_ = f"c{len(self.given) + 1}"
        self.given.append((id_, do))
        body = {"id": id_, "do": do, "for": "Ana B.", "note": note, **arguments}
        for count in (1, 2):
            await self.reader.send(f"cmd/ana/game/{self.name}", body)
            await until(lambda count=count: len(answers_to(self.reader, id_)) == count)
        first, second = answers_to(self.reader, id_)
        assert (first["do"], first["by"]) == (do, "Ana B. via ana")
        assert (first["outcome"], first["reason"]) == (second["outcome"], second["reason"])
        return first["reason"]


async def test_the_arbiter_decides_over_the_broker_and_each_decision_is_made_and_told_once(
    hall: Hall, tmp_path: Path
) -> None:
    hands, handed = Hands(), []
    start = "W:W32,38,48:B3,12,28"
    header = replace(HEADER, regulation="int-fmjd", senses="colour", start=start)
    async with (
        asyncio.timeout(SECONDS),
        Reader(hall).reading() as reader,
        running(hall, tmp_path, [hands.setup(header)], speed=20.0, on_record=handed.append) as (gateway, _, journal),
    ):
        ana = Arbiter(reader, hands, gateway, start)
        ana.see()
        await until(lambda: bool(ana.told("board")) and ana.told("board")[-1]["state"] == "ready")

        ana.see("-38", "+33w")
        await until(lambda: [a["kind"] for a in ana.record.alerts] == ["missed_capture"])
        assert ana.record.moves == ("38-33",)
        first = ana.record.alerts[0]["id"]
        assert await ana.gives("rectify", "she saw it herself", alert=first) is None
        await until(lambda: (ana.record.moves, ana.record.alerts) == ((), ()))
        ana.see("-33", "+38w")
        await until(lambda: ana.told("board")[-1]["state"] == "ready")
        assert await ana.gives("stands", alert=first) == "no_such_alert"

        ana.see("-38", "+33w")
        await until(lambda: len(ana.record.alerts) == 1)
        state = f"game/{ana.name}/state"
        await until(lambda: [a["id"] for a in reader.retained[state]["alerts"]] == [ana.record.alerts[0]["id"]])
        assert await ana.gives("stands", "the opponent accepts it", alert=ana.record.alerts[0]["id"]) is None
        await until(lambda: [e["how"] for e in ana.told("alert_closed")] == ["rectified", "stands"])

        assert await ana.gives("adjust", side="black") is None
        there = "W:W33,48:B3,12"
        assert await ana.gives("set_position", fen=there) is None
        await until(lambda: ana.record.fen == there)
        ana.see("-32", "-28")
        await until(lambda: ana.told("board")[-1]["state"] == "in_play")
        ana.see("-48")
        await until(lambda: len(ana.record.alerts) == 1)
        assert await ana.gives("dismiss", alert=ana.record.alerts[0]["id"]) is None
        await until(lambda: ana.record.alerts == ())
        assert await ana.gives("rewind", ply=0) is None
        await until(lambda: (ana.record.moves, ana.record.fen) == ((), start))

        assert await ana.gives("reopen") == "game_is_not_over"
        assert await ana.gives("hold") is None
        assert await ana.gives("result", result="1-0", reason="resigned") is None
        await until(lambda: len(handed) == 1)
        assert await ana.gives("reopen", "it was the other table") is None
        await until(lambda: len(handed) == 2)
        assert [state.over is None for state in handed] == [False, True]
        await until(lambda: (ana.record.over, ana.record.held) == (None, True))

        told = [(e["id"], e["do"]) for e in ana.told("command")]
        assert told == ana.given
        commands = [entry.item for entry in journal.inputs(ana.name) if isinstance(entry.item, Command)]
    assert [(c.id, c.do) for c in commands] == told
    assert {c.by for c in commands} == {"Ana B. via ana"}
    notes = [(c.do, c.note) for c in commands if c.note]
    assert notes == [
        ("rectify", "she saw it herself"),
        ("stands", "the opponent accepts it"),
        ("reopen", "it was the other table"),
    ]


async def test_a_gateway_killed_with_alerts_open_has_the_same_ones_when_it_goes_on(hall: Hall, tmp_path: Path) -> None:
    header, rules = replace(HEADER, game="g"), regulation_of(HEADER)
    session = Session(header, rules)
    given = []
    for item in Unruly(session, header, rules, 8).inputs(60):
        given.append(item)
        session.feed(item)
    recording = tmp_path / "game.jsonl"
    lines = [json.dumps({"recording": 1, "board": "table-1", "regulation": "br-cbjd"})]
    recording.write_text("\n".join(lines + [json.dumps(input_object(item)) for item in given]), encoding="utf-8")
    path = tmp_path / "j.db"
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        async with gateway_process(path, hall.port, recording, 0, 20):
            await until(lambda: any(len(r.alerts) > 2 for r in reader.records.values()))
        await until(lambda: reader.retained["gateway/gw-1/$state"]["state"] == "offline")
        name = next(iter(reader.records))
        assert folded_from(path, name).alerts
        async with running(hall, tmp_path, [replayed(())]) as (gateway, relay, journal):
            await gateway.finished()
            await relay.drained()
            await until(lambda: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
            state = gateway.boards["table-1"].state
            assert state is not None
            assert journal.differences() == []
    assert state.alerts == folded_from(path, name).open_alerts == reader.records[name].open_alerts
    ids = [e.body["id"] for e in reader.events if e.body["event"] == "alert"]
    assert ids == [f"{name}-a{n}" for n in range(1, len(ids) + 1)]


def folded_from(path: Path, name: str) -> Record:
    record = Record()
    for body in published(path, f"game/{name}"):
        record = fold_event(record, body)
    return record


async def test_expired_forbidden_and_unreadable_commands_are_refused_and_reported(hall: Hall, tmp_path: Path) -> None:
    def may(user: str, do: str) -> bool:
        return do != "abort"

    async with (
        Reader(hall).reading() as reader,
        asyncio.timeout(SECONDS),
        running(hall, tmp_path, [replayed(items())], may_command=may) as (gateway, _, journal),
    ):
        await gateway.finished()
        name = name_of(gateway)
        end = {"do": "result", "result": "1-0", "reason": "resigned"}
        await reader.send("cmd/ana/board/table-1", {**end, "id": "c1", "expires": "2020-01-31T18:30:00Z"})
        await reader.send("cmd/ana/board/table-1", {"id": "c2", "do": "abort"})
        await reader.send("cmd/ana/board/table-1", {"id": "c3"})
        await reader.send("cmd/ana/board/table-1", {**end, "id": "c4", "expires": "soon"})
        await reader.send("cmd/ana/board/table-9", {**end, "id": "c5"})
        await reader.send("cmd/ana/board/table-1", {"id": "c6", "do": "castle"})
        await reader.send("cmd/ana/board/table-1", {"id": "c7", "do": "move_to", "board": "table-2"})
        await until(lambda: all(answers_to(reader, f"c{n}") for n in (1, 2, 3, 4, 6, 7)))
        told = {a["id"]: (a["outcome"], a["reason"]) for a in reader.answers}
        assert told["c1"] == ("refused", "expired")
        assert answers_to(reader, "c1")[0]["detail"] == "it expired at 2020-01-31T18:30:00.000Z"
        assert told["c2"] == ("refused", "not_allowed")
        assert told["c3"] == told["c4"] == ("refused", "unreadable")
        assert "do" in answers_to(reader, "c3")[0]["detail"]
        assert told["c6"] == ("refused", "unknown_command")
        assert told["c7"] == ("refused", "no_such_board")
        state = gateway.boards["table-1"].state
        assert state is not None
        assert state.over is None
        reported = [row.body["id"] for row in journal.events(f"game/{name}") if row.body["event"] == "command"]
        assert reported == ["c1", "c2", "c6", "c7"]


async def test_a_command_that_the_broker_retained_is_never_carried_out(hall: Hall, tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        end = {"id": "c1", "do": "result", "result": "1-0", "reason": "resigned"}
        await reader.send("cmd/ana/board/table-1", end, retain=True)
        async with running(hall, tmp_path, [replayed(items())]) as (gateway, relay, _):
            await gateway.finished()
            await relay.drained()
            await until(lambda: bool(answers_to(reader, "c1")))
            told = answers_to(reader, "c1")[0]
            assert (told["outcome"], told["reason"]) == ("refused", "retained")
            await reader.send("cmd/ana/board/table-1", b"", retain=True)
            await reader.send("cmd/ana/board/table-1", {"id": "c2", "do": "castle"})
            await until(lambda: bool(answers_to(reader, "c2")))
            own = [a for a in reader.answers if a.get("want") != "since"]  # whoever follows may ask for what it missed
            assert [a["id"] for a in own] == ["c1", "c2"]
            state = gateway.boards["table-1"].state
            assert state is not None
            assert state.over is None


@pytest.mark.parametrize("hall", ["mosquitto"], indirect=True)
async def test_mosquitto_hands_a_retained_command_on_without_its_mark_so_that_only_its_expiry_and_its_id_hold(
    hall: Hall, tmp_path: Path
) -> None:
    """As docs/scaling.md says."""
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        for starts in range(2):
            with Journal.open(tmp_path / "j.db") as journal:
                relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
                async with Gateway(journal, [replayed(())], relay=relay):
                    await relay.drained()
                    if not starts:
                        old = {"do": "pause", "id": "c1", "expires": "2026-01-31T12:00:00Z"}
                        await reader.send("cmd/ana/board/table-1", old, retain=True)
                        await until(lambda: answers_to(reader, "c1"))
                        await reader.send("cmd/ana/board/table-1", {"do": "hold", "id": "c2"}, retain=True)
                    await until(lambda starts=starts: len(answers_to(reader, "c2")) > starts)
        assert [a["reason"] for a in answers_to(reader, "c1")] == ["expired"]
        assert [a["outcome"] for a in answers_to(reader, "c2")] == ["done", "done"], "the second is the first again"
        held = [e for e in reader.events if e.body["event"] == "publication"]
        assert [e.body["held"] for e in held] == [True]


async def test_the_embedded_broker_lets_no_retained_command_through_to_a_gateway_that_listens(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(SECONDS),
        EmbeddedBroker(LOGINS, port=0) as broker,
        Reader(Hall("embedded", broker.port, tmp_path)).reading() as reader,
        running(Hall("embedded", broker.port, tmp_path), tmp_path, [replayed(items())]) as (gateway, _, _journal),
    ):
        await gateway.finished()
        end = {"id": "c1", "do": "result", "result": "1-0", "reason": "resigned"}
        await reader.send("cmd/ana/board/table-1", end, retain=True)
        await reader.send("cmd/ana/board/table-1", {"id": "c2", "do": "castle"})
        await until(lambda: bool(answers_to(reader, "c2")))
        assert [a["reason"] for a in answers_to(reader, "c1")] == ["retained"]
        state = gateway.boards["table-1"].state
        assert state is not None
        assert state.over is None


async def test_a_denied_publication_is_noticed(hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.sinks.mqtt.ECHO_SECONDS", 1.0)
    boards = [replayed(items()[:1], replace(HEADER, board=board)) for board in ("table-1", "table-7")]
    async with asyncio.timeout(SECONDS), running(hall, tmp_path, boards) as (_, relay, _journal):
        await until(lambda: f"damas/v1/{MEETING}/board/table-7/link" in relay.denied)
        assert not any("table-1" in place for place in relay.denied if "/game/" not in place)


async def test_a_journal_restored_from_an_old_copy_begins_a_new_epoch(hall: Hall, tmp_path: Path) -> None:
    given = items()
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        async with running(hall, tmp_path, [replayed(given[:40])]) as (gateway, relay, journal):
            await gateway.finished()
            await relay.drained()
            name, first = name_of(gateway), journal.epoch
        shutil.copy(tmp_path / "j.db", tmp_path / "old.db")
        async with running(hall, tmp_path, [replayed(given[39:70])]) as (gateway, relay, journal):
            await gateway.finished()
            await relay.drained()
            assert journal.epoch == first
            await until(lambda: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
        shutil.copy(tmp_path / "old.db", tmp_path / "j.db")
        async with running(hall, tmp_path, [replayed(given[39:])]) as (gateway, relay, journal):
            await gateway.finished()
            await until(lambda: journal.epoch > first)
            await relay.drained()
            await until(lambda: followed(reader, name) == moves(given))
            assert reader.followers[name].epoch == journal.epoch
            second = journal.epoch
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.epoch == second


async def test_a_full_disk_is_told_and_play_goes_on(hall: Hall, tmp_path: Path) -> None:
    given = items()
    hands = Hands()
    async with (
        asyncio.timeout(SECONDS),
        Reader(hall).reading() as reader,
        running(hall, tmp_path, [hands.setup()]) as (gateway, _, journal),
    ):
        source, name = hands["table-1"], name_of(gateway)
        shift = source.now()
        source.given.put_nowait(replace(given[0], at=shift))
        await until(lambda: reader.retained.get("board/table-1/see", {}).get("at") == shift)
        fill_disk(journal, True)
        for item in given[1:]:
            source.given.put_nowait(replace(item, at=item.at + shift))
        await until(lambda: followed(reader, name) == moves(given))
        await until(lambda: "full" in reader.retained.get("board/table-1/health", {}).get("journal", ""))
        fill_disk(journal, False)
        await until(lambda: reader.retained["board/table-1/health"]["journal"] == "ok")
    assert [e.seq for e in reader.events] == list(range(1, len(reader.events) + 1))
    assert len(published(tmp_path / "j.db", f"game/{name}")) >= len(reader.events)


async def test_what_happens_while_no_game_is_on_is_the_boards_own_stream(hall: Hall, tmp_path: Path) -> None:
    async with (
        asyncio.timeout(SECONDS),
        Reader(hall).reading() as reader,
        running(hall, tmp_path, [replayed(items()[:1], begins=False)]) as (gateway, _, _journal),
    ):
        await reader.send("cmd/ana/board/table-1", {"id": "c1", "do": "result", "result": "1-0"})
        await until(lambda: bool(answers_to(reader, "c1")) and len(reader.boards) == 1)
        event = reader.boards[0]
        assert (event.board, event.game, event.seq) == ("table-1", None, 1)
        assert (event.body["outcome"], event.body["reason"]) == ("refused", "no_game")
        await reader.send("cmd/ana/board/table-1", {"id": "c2", "do": "new_game", "game": "table-1-final"})
        await until(lambda: "game/table-1-final/state" in reader.retained)
        await until(lambda: bool(answers_to(reader, "c2")))
        assert answers_to(reader, "c2")[0]["outcome"] == "done"
        assert name_of(gateway) == "table-1-final"


async def test_a_wrong_password_is_one_clear_error(hall: Hall, tmp_path: Path) -> None:
    told = rf"broker 127.0.0.1:{hall.port} refuses the login of gw-1 .*password"
    with Journal.open(tmp_path / "j.db") as journal:
        for _ in range(2):
            relay = mqtt_relay(hall.address("gw-1", "wrong"), MEETING, journal)
            with pytest.raises(BrokerError, match=told):
                async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(items())], relay=relay):
                    pytest.fail("the login was refused")


async def test_a_broker_that_is_not_there_is_one_clear_error_or_is_waited_for(tmp_path: Path) -> None:
    hall = Hall("embedded", 9, tmp_path)
    with Journal.open(tmp_path / "j.db") as journal:
        for _ in range(2):
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal, patience=0.3)
            with pytest.raises(BrokerError, match=r"127\.0\.0\.1:9 cannot be reached"):
                async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(())], relay=relay):
                    pytest.fail("nothing is there")
        assert journal.games() == []
        for patience in (None, 0.3):
            await _plays_without(hall, journal, patience)


async def _plays_without(hall: Hall, journal: Journal, patience: float | None) -> None:
    """A game is played without a broker: with no patience for one, and as a game that goes on."""
    relay = mqtt_relay(hall.address("gw-1"), MEETING, journal, patience=patience)
    given = items()[:1] if patience is None else items()
    async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(given)], relay=relay) as gateway:
        await gateway.finished()
        state = gateway.boards["table-1"].state
        assert state is not None
        assert state.moves == moves(given)
        assert relay.connections == 0


async def test_of_many_readings_only_the_newest_are_shown(hall: Hall, tmp_path: Path) -> None:
    hands = Hands()
    async with (
        asyncio.timeout(SECONDS),
        running(hall, tmp_path, [hands.setup()]) as (_, relay, _journal),
        Reader(hall).reading() as reader,
    ):
        now = hands["table-1"].now()
        rows = items()[0].rows
        before = relay.published
        for n in range(500):
            hands["table-1"].given.put_nowait(See(now + n / 1000, rows.replace("o", "?", n % 3)))
        last = rows.replace("o", "?", 7)
        hands["table-1"].given.put_nowait(See(now + 0.5, last))
        await until(lambda: reader.retained.get("board/table-1/see", {}).get("see") == last)
        assert relay.published - before < 200


async def test_link_and_state_are_published_when_they_change_and_not_with_every_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.sinks.mqtt.SHOW_SECONDS", 0.0)
    hands = Hands()
    async with asyncio.timeout(SECONDS), EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.port, tmp_path)
        links, states = [], []
        async with client(hall.address("ana")) as reader:
            await reader.subscribe([(f"damas/v1/{MEETING}/board/+/link", 1), (f"damas/v1/{MEETING}/game/+/state", 1)])
            async with running(hall, tmp_path, [hands.setup()]) as (gateway, relay, _):
                source = hands["table-1"]
                shift = source.now()
                for item in items():
                    source.given.put_nowait(replace(item, at=item.at + shift))
                    await until(source.given.empty)
                    await gateway.boards["table-1"].drained()
                await relay.drained()
            async for message in reader.messages:
                told = json.loads(bytes(message.payload))
                place = str(message.topic)
                (links if place.endswith("link") else states).append(told)
                if [link["link"] for link in links][-2:] == ["up", "down"]:
                    break
    assert [link["link"] for link in links] == ["down", "up", "down"]
    said = [{key: value for key, value in state.items() if key not in ("at", "ts")} for state in states]
    assert states[-1]["moves"] == list(moves(items()))
    assert all(one != other for one, other in pairwise(said))


async def test_a_game_that_does_not_fit_the_boards_squares_is_refused_but_where_moves_are_entered(
    hall: Hall, tmp_path: Path
) -> None:
    boards = [replayed(items()[:1], begins=False), BoardSetup(replace(HEADER, board="table-2"), None, begins=False)]
    async with (
        asyncio.timeout(SECONDS),
        Reader(hall).reading() as reader,
        running(hall, tmp_path, boards) as (gateway, _, _journal),
    ):
        for id_, board, regulation in (
            ("c1", "table-1", "int-fmjd"),
            ("c2", "table-1", "pt-classicas"),
            ("c3", "table-1", "ru-000"),
            ("c4", "table-2", "int-fmjd"),
        ):
            await reader.send(f"cmd/ana/board/{board}", {"id": id_, "do": "new_game", "regulation": regulation})
            await until(lambda wanted=id_: bool(answers_to(reader, wanted)))
        answers = [answers_to(reader, f"c{n}")[0] for n in range(1, 5)]
        assert [answer["outcome"] for answer in answers] == ["refused", "refused", "done", "done"]
        assert {answer["reason"] for answer in answers[:2]} == {"board_does_not_fit"}
        assert gateway.boards["table-1"].state is not None
