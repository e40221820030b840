"""A second machine takes over: from recordings, from a gateway that still answers, and from what a broker kept."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from app.halls import MEETING, Hall, Reader
from app.tables import HEADER, items, moves, replayed, until
from unruly import Unruly

from damas_board.app import BoardSetup, Gateway, mqtt_relay
from damas_board.app import restoring as restoring_module
from damas_board.app.gateway import new_session, regulation_of
from damas_board.app.restoring import KnownGame, RestoreError, exported, games_behind, rebuild, recorded_game
from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope
from damas_board.messages.stream import Record, fold_event
from damas_board.session.inputs import Command, Input
from damas_board.session.session import Session
from damas_board.sinks.journal import Journal, JournalReader
from damas_board.sinks.mqtt import state_object

SECONDS = 60.0
BOARDS = ("table-1", "table-2")


def given(board: str) -> tuple[Input, ...]:
    return items(20 + BOARDS.index(board), 24)


def setups(part: slice) -> list[BoardSetup]:
    return [replayed(given(board)[part], replace(HEADER, board=board)) for board in BOARDS]


@asynccontextmanager
async def running(hall: Hall, path: Path, boards: Sequence[BoardSetup]) -> AsyncIterator[tuple[Gateway, Journal]]:
    with Journal.open(path) as journal:
        relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
        async with Gateway(journal, boards, relay=relay) as gateway:
            await gateway.finished()
            await relay.drained()
            yield gateway, journal


def records(path: Path) -> dict[str, Record]:
    """By game, what its stream tells; checks that the stream has no holes."""
    found = {}
    with Journal.open(path) as journal:
        for game in journal.games():
            rows = journal.events(f"game/{game.game}")
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            record = Record()
            for row in rows:
                record = fold_event(record, row.body)
            found[game.game] = record
    return found


def read_back(paths: Sequence[Path]) -> list[KnownGame]:
    return [recorded_game(path.read_text("utf-8").splitlines(), path.name) for path in paths]


async def test_exported_recordings_restored_elsewhere_are_the_same_games_and_go_on(hall: Hall, tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        async with running(hall, old, setups(slice(0, 60))) as (gateway, _):
            names = {board: str(gateway.boards[board].game) for board in BOARDS}
        before = records(old)
        paths = list(exported(JournalReader.read(old), tmp_path / "exported"))
        restored = rebuild(new, read_back(paths))
        assert {game.game: game.plies for game in restored} == {g: len(r.moves) for g, r in before.items()}
        assert {game: record.plies for game, record in records(new).items()} == {
            game: record.plies for game, record in before.items()
        }
        assert JournalReader.read(new).utc == JournalReader.read(old).utc
        async with running(hall, new, setups(slice(59, None))) as (gateway, journal):
            assert {board: gateway.boards[board].game for board in BOARDS} == names
            for board, name in names.items():
                await until(lambda name=name: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
                await until(lambda name=name, board=board: reader.records[name].moves == moves(given(board)))
                assert reader.followers[name].epoch == journal.epoch
            assert journal.differences() == []


async def test_a_gateway_that_still_answers_is_asked_for_the_recordings(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring_module, "QUIET_SECONDS", 0.5)
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    headers = [replace(HEADER, board=board) for board in BOARDS]
    async with asyncio.timeout(SECONDS), running(hall, old, setups(slice(0, 60))):
        known = await games_behind(hall.address("gw-1"), MEETING, headers)
        assert sorted(game.source for game in known) == ["recording", "recording"]
        of_one = await games_behind(hall.address("ana"), MEETING, headers[:1])
        assert [game.header.board for game in of_one] == ["table-1"]
    rebuild(new, known)
    before = records(old)
    assert {game: record.plies for game, record in records(new).items()} == {g: r.plies for g, r in before.items()}


async def test_where_no_gateway_answers_the_moves_are_entered_from_the_retained_state(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring_module, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(restoring_module, "QUIET_SECONDS", 0.5)
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with asyncio.timeout(SECONDS), Reader(hall).reading() as reader:
        async with running(hall, old, setups(slice(0, 60))) as (gateway, _):
            names = {board: str(gateway.boards[board].game) for board in BOARDS}
        headers = [replace(HEADER, board=board) for board in BOARDS]
        known = await games_behind(hall.address("gw-1"), MEETING, headers)
        assert [game.source for game in known] == ["state", "state"]
        rebuild(new, known)
        before, after = records(old), records(new)
        assert {game: record.moves for game, record in after.items()} == {g: r.moves for g, r in before.items()}
        assert {game: record.fen for game, record in after.items()} == {g: r.fen for g, r in before.items()}
        async with running(hall, new, setups(slice(59, None))) as (_, journal):
            for board, name in names.items():
                await until(lambda name=name: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
                await until(lambda name=name, board=board: reader.records[name].moves == moves(given(board)))


def unruly(path: Path, seed: int) -> None:
    """A journal with a game full of irregularities and commands."""
    header = replace(HEADER, game=f"unruly-{seed}")
    rules = regulation_of(header)
    session, told = Session(header, rules), Session(header, rules)
    with Journal.open(path) as journal:
        journal.begin_game(header, 0.0)
        for item in Unruly(session, header, rules, seed).inputs(60):
            session.feed(item)
            numbers, _ = journal.append(header.board, header.game, [item])
            bodies = [event_object(event) for event in told.feed(item)]
            journal.fed(header.board, header.game, numbers[0], bodies)


@pytest.mark.parametrize("seed", [8, 9, 10])
def test_alerts_decisions_and_revisions_come_out_as_before(tmp_path: Path, seed: int) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    unruly(old, seed)
    paths = list(exported(JournalReader.read(old), tmp_path / "exported"))
    rebuild(new, read_back(paths))
    before, after = records(old), records(new)
    assert after == before
    with Journal.open(old) as one, Journal.open(new) as other:
        name = f"game/unruly-{seed}"
        assert [row.body for row in one.events(name)] == [row.body for row in other.events(name)]
        assert other.epoch > one.epoch
        assert len(other.unsent(limit=10_000)) == len(other.events(name)) > 20


@pytest.mark.parametrize("seed", [8, 9, 10, 11])
def test_of_a_state_with_irregular_plies_the_position_is_right_and_the_game_can_go_on(
    tmp_path: Path, seed: int
) -> None:
    header = replace(HEADER, game=f"unruly-{seed}")
    rules = regulation_of(header)
    session = Session(header, rules)
    for item in Unruly(session, header, rules, seed).inputs(60):
        session.feed(item)
    body = {"at": item.at, **state_object(session.state)}
    kept = Envelope("damas.state/1", "2026-01-31T18:30:00.000Z", "table-1", header.game, 1, 9, body)
    known = restoring_module.shown_game(kept, HEADER)
    rebuild(tmp_path / "new.db", [known])
    with Journal.open(tmp_path / "new.db") as journal:
        again = new_session(journal.games()[0].header)
        refused = []
        for stored in journal.inputs(str(header.game)):
            refused += [e for e in again.feed(stored.item) if getattr(e, "outcome", "") == "refused"]
            assert stored.state == "fed"
    assert refused == []
    assert again.state.fen == session.state.fen
    assert (again.state.over is None) == (session.state.over is None)


def test_games_of_two_machines_keep_their_times_and_the_order_of_their_beginnings(tmp_path: Path) -> None:
    later = replace(HEADER, board="table-2", game="later", utc="2026-01-31T19:00:00.000+00:00")
    earlier = replace(HEADER, board="table-1", game="earlier", utc="2026-01-31T18:00:00.000+00:00")
    rebuild(tmp_path / "j.db", [KnownGame(header, given("table-1"), "recording") for header in (later, earlier)])
    journal = JournalReader.read(tmp_path / "j.db")
    assert [game.game for game in journal.games()] == ["earlier", "later"]
    assert journal.wall(journal.games()[1].at).isoformat().startswith("2026-01-31T19:00:0")
    assert next(stored.item.at for stored in journal.inputs("later")) == 3600.0 + given("table-1")[0].at


def test_nothing_is_written_over_a_journal_with_games(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    known = KnownGame(replace(HEADER, game="g"), given("table-1"), "recording")
    rebuild(path, [known])
    whole = records(path)
    with pytest.raises(RestoreError, match="has games already"):
        rebuild(path, [known])
    assert records(path) == whole
    with pytest.raises(RestoreError, match="there twice"):
        rebuild(tmp_path / "other.db", [known, known])
    with pytest.raises(RestoreError, match="no game to restore"):
        rebuild(tmp_path / "other.db", [])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "is empty"),
        (["{}"], "no header"),
        ([json.dumps({"recording": 1, "board": "t", "regulation": "br-cbjd"})], 'no "game"'),
        ([json.dumps({"recording": 1, "board": "t", "regulation": "unknown", "game": "g"})], "unknown"),
        ([json.dumps({"recording": 1, "board": "t", "regulation": "br-cbjd", "game": "../g"})], "cannot be restored"),
    ],
)
def test_a_recording_that_cannot_be_restored_is_one_line_with_its_name(lines: list[str], told: str) -> None:
    with pytest.raises(RestoreError, match=told) as caught:
        recorded_game(lines, "game.jsonl")
    assert str(caught.value).startswith("game.jsonl")
    assert "\n" not in str(caught.value)


def test_an_input_that_no_session_survives_is_kept_for_the_gateway_to_look_into(tmp_path: Path) -> None:
    header = replace(HEADER, game="g")
    poison = Command(2.0, "move", "c1", {"move": "a1-b2"})
    odd = [*given("table-1")[:5], replace(given("table-1")[5], rows="?")]
    rebuild(tmp_path / "j.db", [KnownGame(header, [*odd, replace(poison, at=99.0)], "recording")])
    states = [stored.state for stored in JournalReader.read(tmp_path / "j.db").inputs("g")]
    assert states == ["fed"] * 5 + ["journalled"] * 2
