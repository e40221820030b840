"""Games that wait for their start, in the gateway: new_game's arguments, restarts, restoring."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app.tables import HEADER, Hands, items, moves, published, until

from damas_board.app import Gateway
from damas_board.app import restoring as restoring_module
from damas_board.app.board import Board
from damas_board.app.gateway import new_session
from damas_board.app.restoring import rebuild
from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope
from damas_board.messages.rounds import new_game, read_round
from damas_board.session.inputs import Command
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import state_object

SECONDS = 60.0
ROUND = read_round(
    {
        "round": "3",
        "match": "semi-1",
        "clock": "60",
        "pairings": [{"table": "7", "board": "table-1", "white": "Ana", "black": "Rui"}],
    },
    meeting="autumn",
)
ARGUMENTS = new_game(ROUND, ROUND.pairings[0])


@asynccontextmanager
async def playing(path: Path, hands: Hands) -> AsyncIterator[Board]:
    with Journal.open(path) as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup(begins=False)]) as gateway:
            yield gateway.boards["table-1"]


async def told(board: Board, do: str, id_: str, **arguments: Any) -> GameState:
    await board.give(Command(0.0, do, id_, arguments, by="olga"))
    await board.drained()
    assert board.state is not None
    return board.state


def shown(hands: Hands, part: slice = slice(None)) -> None:
    """The board shows what it showed in a game, all at the same time."""
    for item in items()[part]:
        hands["table-1"].given.put_nowait(replace(item, at=hands["table-1"].now()))


async def test_a_game_of_a_round_waits_over_restarts_and_begins_once(tmp_path: Path) -> None:
    path, hands = tmp_path / "j.db", Hands()
    async with playing(path, hands) as board:
        shown(hands, slice(1))
        state = await told(board, "new_game", "n1", **ARGUMENTS)
        assert (state.game, state.round, state.table, state.match) == ("autumn-3-t7", "3", "7", "semi-1")
        assert (state.time_control, state.waits_for) == ("60", "command")
        await told(board, "new_game", "n2", **ARGUMENTS)
    async with playing(path, hands) as board:
        shown(hands, slice(1))
        await until(lambda: board.state is not None and board.state.board_state is not None)
        await board.drained()
        assert board.state is not None
        assert board.state.waits_for == "command"
        assert (await told(board, "start", "s1")).waits_for is None
        await told(board, "start", "s2")
        assert board.state.board_state is not None
        assert board.state.board_state.state == "ready"
    async with playing(path, hands) as board:
        state = await told(board, "start", "s1")
        assert (state.round, state.match, state.waits_for) == ("3", "semi-1", None)
    events = published(path, "game/autumn-3-t7")
    answers = [(e["do"], e["outcome"], e["reason"]) for e in events if e["event"] == "command"]
    assert answers == [
        ("new_game", "done", None),
        ("new_game", "refused", "game_exists"),
        ("start", "done", None),
        ("start", "refused", "begun_already"),
        ("start", "done", "repeated"),
    ]
    (started,) = (e for e in events if e["event"] == "game_started")
    assert (started["round"], started["table"], started["match"]) == ("3", "7", "semi-1")
    with Journal.open(path) as journal:
        assert journal.differences() == []


async def test_a_game_begins_with_the_first_move_and_a_kill_before_or_after_it_changes_nothing(tmp_path: Path) -> None:
    given = items()
    game = replace(HEADER, starts="move", game="g-1")
    for cut in (5, 30):
        path = tmp_path / f"{cut}.db"
        with Journal.open(path) as journal:
            journal.begin_game(game, 0.0)
            session = new_session(game)
            numbers, _ = journal.append("table-1", "g-1", given)
            for number, item in list(zip(numbers, given, strict=True))[:cut]:
                journal.fed("table-1", "g-1", number, [event_object(event) for event in session.feed(item)])
        async with playing(path, Hands()) as board:
            state = board.state
            assert state is not None
            assert state.moves == moves(given)
        assert [e["event"] for e in published(path, "game/g-1")].count("game_started") == 1


async def test_what_a_new_game_starts_with_is_one_of_four(tmp_path: Path) -> None:
    hands = Hands()
    async with playing(tmp_path / "j.db", hands) as board:
        await board.give(Command(0.0, "new_game", "n1", {"starts": "soon"}, by="olga"))
        await board.drained()
        assert board.game is None
        assert (await told(board, "new_game", "n2", starts="lever")).waits_for == "lever"
        assert (await told(board, "new_game", "n3")).waits_for is None


@pytest.mark.parametrize("begun", [False, True])
def test_a_state_is_restored_as_waiting_or_as_begun(tmp_path: Path, begun: bool) -> None:
    header = replace(HEADER, game="autumn-3-t7", starts="command", round="3", match="semi-1", table="7")
    session = new_session(header)
    given = items()
    session.feed(given[0])
    if begun:
        session.feed(Command(given[0].at, "start", "s"))
    for item in given[1:] if begun else ():
        session.feed(item)
    body = {"at": given[-1].at, **state_object(session.state)}
    kept = Envelope("damas.state/1", "2026-01-31T18:30:00.000Z", "table-1", header.game, 1, 9, body)
    rebuild(tmp_path / "new.db", [restoring_module.shown_game(kept, HEADER)])
    with Journal.open(tmp_path / "new.db") as journal:
        again = new_session(journal.games()[0].header)
        for stored in journal.inputs("autumn-3-t7"):
            again.feed(stored.item)
    assert again.state.moves == session.state.moves
    assert again.state.waits_for == (None if begun else "command")
    assert (again.state.round, again.state.match, again.state.table) == ("3", "semi-1", "7")
