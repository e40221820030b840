"""A game goes on at a spare board: its id and its stream stay, the board is another one, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app.tables import HEADER, Hands, game, items, moves, published, until

from damas_board.app import Gateway, regulation_of
from damas_board.messages.course import Course
from damas_board.messages.recording import read_header, read_inputs
from damas_board.notation.fen import read_fen
from damas_board.rules.geometry import squares_of
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, See
from damas_board.sinks.journal import Journal
from simulator import recorded
from simulator.levels import level
from simulator.table import rows

SECONDS = 30.0
SPARE = replace(HEADER, board="spare", turn=180)
HALF = 60
"""Inputs that the first board shows."""


def turned(seed: int = 1, plies: int = 30) -> tuple[Input, ...]:
    """The same game as a board shows it that lies the other way."""
    return tuple(recorded.inputs(game(seed, plies), level("clean"), seed, turn=180))


def give(hands: Hands, board: str, given: Iterable[Input], shift: float) -> None:
    for item in given:
        hands[board].given.put_nowait(replace(item, at=item.at + shift))


async def asked(gateway: Gateway, board: str, to: object, id_: str = "m1") -> dict[str, Any]:
    """The answer to `move_to`, as the stream has it."""
    arguments = {} if to is None else {"board": to}
    gateway.boards[board].offer(Command(0.0, "move_to", id_, arguments, "ana"))
    found: list[dict[str, Any]] = []

    def answered() -> bool:
        streams = {f"game/{known.game}" for known in gateway._journal.games()} | {f"board/{board}"}
        bodies = [dict(row.body) for stream in streams for row in gateway._journal.events(stream)]
        found[:] = [body for body in bodies if body.get("id") == id_ and body["event"] == "command"]
        return bool(found)

    await until(answered)
    return found[0]


@pytest.mark.parametrize("linked", [True, False])
async def test_a_game_goes_on_at_a_spare_board_that_lies_the_other_way(tmp_path: Path, linked: bool) -> None:
    given, elsewhere = items(), turned()
    hands = Hands()
    boards = [hands.setup(), hands.setup(SPARE, begins=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            one, spare = gateway.boards["table-1"], gateway.boards["spare"]
            give(hands, "table-1", given[:HALF], journal.last_at + 1.0)
            if not linked:
                hands["table-1"].given.put_nowait(Link(one._clock.now(), "lost", "port_lost"))
            hands["spare"].given.put_nowait(See(0.0, "........" + "/........" * 7))
            await until(lambda: one._latest.see is not None and one._latest.see.rows == given[HALF - 1].rows)  # type: ignore[union-attr]
            await until(lambda: spare._latest.see is not None)
            name = one.game
            before = moves(given[:HALF])
            answer = await asked(gateway, "table-1", "spare")
            assert (answer["outcome"], spare.game, one.game, one.state) == ("done", name, None, None)
            assert spare.state is not None
            assert spare.state.moves == before
            assert [g.board for g in journal.games()] == ["spare"]

    # A restart in between: the game is at the spare board, the old one is free and begins none.
    hands = Hands()
    boards = [hands.setup(), hands.setup(SPARE, begins=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            assert (gateway.boards["spare"].game, gateway.boards["table-1"].game) == (name, None)
            give(hands, "spare", elsewhere[HALF - 1 :], journal.last_at + 1.0)
            hands["spare"].given.put_nowait(None)
            hands["table-1"].given.put_nowait(None)
            await gateway.finished()
            state = gateway.boards["spare"].state
            assert state is not None
            assert state.moves == moves(given)
            await gateway.boards["table-1"].give(Command(0.0, "new_game", "n1", {"game": "next"}, "olga"))
            await gateway.boards["table-1"].drained()
            assert gateway.boards["table-1"].game == "next"
        told = [body for body in (row.body for row in journal.events(f"game/{name}"))]
        assert {row.board for row in journal.events(f"game/{name}")} == {"table-1", "spare"}
        lines = list(journal.export(str(name)))
    assert len(published(tmp_path / "j.db", f"game/{name}")) == len(told)
    kinds = [body["event"] for body in told]
    assert kinds.count("game_started") == 1
    assert [body["move"] for body in told if body["event"] == "move"] == list(state.moves)
    assert not [b for b in told if b["event"] == "alert" and b["kind"] not in ("board_lost",)]
    # The recording says it all: it replays to the same game, and says how the board lay when.
    header, inputs = read_header(iter(lines)), list(read_inputs(iter(lines[1:])))
    assert moves(inputs, header) == state.moves
    course = Course(header, tuple(inputs), tuple(told))
    moved = next(i.at for i in inputs if isinstance(i, Command))
    assert (course.turn_at(moved - 0.001), course.turn_at(moved)) == (0, 180)


async def test_the_position_is_waited_for_and_what_was_suspect_at_the_old_board_is_forgotten(tmp_path: Path) -> None:
    given = items()
    hands = Hands()
    boards = [hands.setup(), hands.setup(replace(HEADER, board="spare"), begins=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            one, spare = gateway.boards["table-1"], gateway.boards["spare"]
            give(hands, "table-1", given[:HALF], journal.last_at + 1.0)
            await until(lambda: one._latest.see is not None and one._latest.see.rows == given[HALF - 1].rows)  # type: ignore[union-attr]
            one.offer(Command(0.0, "mask", "k1", {"square": "c3"}, "ana"))
            assert (await asked(gateway, "table-1", "spare"))["outcome"] == "done"
            state = spare.state
            assert state is not None
            assert state.board_state is not None
            assert state.board_state.state == "lost"  # the spare board has shown nothing yet
            start = See(0.0, given[0].rows)  # type: ignore[union-attr]
            hands["spare"].given.put_nowait(start)
            await until(
                lambda: (
                    spare.state is not None
                    and spare.state.board_state is not None
                    and spare.state.board_state.state == "resyncing"
                )
            )
            position = read_fen(state.fen, regulation_of(HEADER).variant)
            stands = dict.fromkeys(squares_of(position.occupied), "o")
            hands["spare"].given.put_nowait(See(0.0, rows(stands, position.variant.geometry)))
            await until(
                lambda: (
                    spare.state is not None
                    and spare.state.board_state is not None
                    and spare.state.board_state.state == "in_play"
                )
            )
            spare.offer(Command(0.0, "unmask", "u1", {"square": "c3"}, "ana"))
            await spare.drained()
            answers = {
                r.body["id"]: r.body["reason"]
                for r in journal.events(f"game/{spare.game}")
                if r.body["event"] == "command"
            }
            assert answers["u1"] == "not_masked"


OTHER_CORNER = Header("spare", "pt-classicas")
LARGER = Header("spare", "int-fmjd")


@pytest.mark.parametrize(
    ("to", "spare", "reason"),
    [
        (None, SPARE, "needs_board"),
        (["spare"], SPARE, "needs_board"),
        ("table-8", SPARE, "no_such_board"),
        ("table-1", SPARE, "same_board"),
        ("spare", OTHER_CORNER, "board_does_not_fit"),
        ("spare", LARGER, "board_does_not_fit"),
    ],
)
async def test_a_board_that_cannot_take_the_game_is_refused_and_nothing_changes(
    tmp_path: Path, to: object, spare: Header, reason: str
) -> None:
    hands = Hands()
    boards = [hands.setup(), hands.setup(spare, begins=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            name = gateway.boards["table-1"].game
            answer = await asked(gateway, "table-1", to)
            assert (answer["outcome"], answer["reason"]) == ("refused", reason)
            assert (gateway.boards["table-1"].game, gateway.boards["spare"].game) == (name, None)
            again = await asked(gateway, "spare", "table-1", "m2")
            assert (again["outcome"], again["reason"]) == ("refused", "no_game")


async def test_a_board_in_play_takes_no_other_game_and_an_ended_game_stays_where_it_is(tmp_path: Path) -> None:
    hands = Hands()
    boards = [hands.setup(), hands.setup(replace(HEADER, board="spare"), begins=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards) as gateway:
            spare = gateway.boards["spare"]
            players = {"white": {"name": "Ana"}, "black": {"name": "Rui"}}
            await spare.give(Command(0.0, "new_game", "n1", {"game": "theirs", "players": players}, "olga"))
            assert (await asked(gateway, "table-1", "spare"))["reason"] == "board_in_play"
            both = await asyncio.gather(
                asked(gateway, "spare", "table-1", "m2"), asked(gateway, "table-1", "spare", "m3")
            )
            assert [answer["outcome"] for answer in both] == ["done", "refused"]
            assert (gateway.boards["table-1"].game, spare.game) == ("theirs", None)
            end = {"result": "1-0", "reason": "resigned"}
            await gateway.boards["table-1"].give(Command(0.0, "result", "r1", end, "ana"))
            assert (await asked(gateway, "table-1", "spare", "m4"))["reason"] == "game_is_over"
