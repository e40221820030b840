"""Sensors and a camera at one table, from the test's hand: what a Session is told of each when a game changes hands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.tables import HEADER, HandFed, Odd, items, until

from damas_board.app import BoardSetup, Gateway
from damas_board.app.latest import Latest
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, See, Tick
from damas_board.sinks.journal import Journal

SECONDS = 60
SEEN = next(item for item in items() if isinstance(item, See)).rows
FILMED = SEEN.replace("o", "b", 12).replace("o", "w")


class TwoHands:
    """Tables whose sources the test feeds, by table and by what they say in `by`."""

    def __init__(self) -> None:
        self.sources: dict[tuple[str, str | None], HandFed] = {}
        self.fed: dict[str, list[Input]] = {}

    def setup(self, header: Header = HEADER, *, camera: bool = True, sensors: bool = True) -> BoardSetup:
        def make(by: str | None) -> Callable[[Callable[[], float]], HandFed]:
            def source(now: Callable[[], float]) -> HandFed:
                self.sources[header.board, by] = HandFed(now)
                return self.sources[header.board, by]

            return source

        return BoardSetup(header, make(None) if sensors else None, camera=make("camera") if camera else None)

    def session(self, header: Header) -> Odd:
        fed = self.fed[header.board] = []
        return Odd(header, lambda item: fed.append(item) or [])

    def give(self, item: See | Link, board: str = HEADER.board) -> None:
        source = self.sources[board, item.by]
        source.given.put_nowait(replace(item, at=source.now()))


def told(inputs: Sequence[Input]) -> list[tuple[str, str | None]]:
    """Of links their states and of readings that they were, by source."""
    return [
        (item.state if isinstance(item, Link) else "see", item.by) for item in inputs if isinstance(item, Link | See)
    ]


async def test_after_a_kill_each_source_is_back_with_its_own_first_reading(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    hands = TwoHands()
    for _ in range(2):
        with Journal.open(path) as journal:
            async with asyncio.timeout(SECONDS):
                async with Gateway(journal, [hands.setup()], make_session=hands.session) as gateway:
                    board = gateway.boards[HEADER.board]
                    hands.give(See(0.0, SEEN))
                    await until(lambda: ("see", None) in told(hands.fed[HEADER.board])[-1:])
                    hands.give(See(0.0, FILMED, "camera"))
                    await until(lambda: ("see", "camera") in told(hands.fed[HEADER.board])[-1:])
                    assert board.figures.up
    assert told(hands.fed[HEADER.board]) == [
        ("see", None),
        ("see", "camera"),
        ("lost", None),
        ("lost", "camera"),
        ("back", None),
        ("see", None),
        ("back", "camera"),
        ("see", "camera"),
    ]


async def test_a_new_game_is_told_what_each_source_shows_and_which_one_is_lost(tmp_path: Path) -> None:
    hands = TwoHands()
    with Journal.open(tmp_path / "j.db") as journal:
        async with (
            asyncio.timeout(SECONDS),
            Gateway(journal, [hands.setup()], make_session=hands.session) as gateway,
        ):
            board = gateway.boards[HEADER.board]
            hands.give(See(0.0, SEEN))
            hands.give(See(0.0, FILMED, "camera"))
            await until(lambda: len(told(hands.fed[HEADER.board])) == 2)
            await board.give(Command(0.0, "new_game", "c1", {}, "olga"))
            await board.drained()
            assert told(hands.fed[HEADER.board]) == [("see", None), ("see", "camera")]
            assert not any(isinstance(item, Tick) for item in hands.fed[HEADER.board])
            hands.give(Link(0.0, "lost", "camera_lost", by="camera"))
            await until(lambda: told(hands.fed[HEADER.board])[-1] == ("lost", "camera"))
            assert board.figures.up
            assert board.figures.lost == 0
            await board.give(Command(0.0, "new_game", "c2", {}, "olga"))
            await board.drained()
            assert told(hands.fed[HEADER.board]) == [("lost", "camera"), ("see", None)]


async def test_a_game_that_goes_on_at_a_table_without_a_camera_has_lost_it(tmp_path: Path) -> None:
    hands = TwoHands()
    spare = replace(HEADER, board="spare")
    setups = [hands.setup(), hands.setup(spare, camera=False)]
    with Journal.open(tmp_path / "j.db") as journal:
        async with (
            asyncio.timeout(SECONDS),
            Gateway(journal, setups, make_session=hands.session) as gateway,
        ):
            board = gateway.boards[HEADER.board]
            hands.give(See(0.0, SEEN))
            hands.give(See(0.0, FILMED, "camera"))
            hands.give(See(0.0, SEEN), "spare")
            fed = hands.fed[HEADER.board]
            await until(lambda: len(told(fed)) == 2)
            await until(lambda: gateway.boards["spare"].figures.up)
            await board.give(Command(0.0, "move_to", "c1", {"board": "spare"}, "olga"))
            await until(lambda: told(fed)[-1] == ("see", None) and len(told(fed)) > 2)
            assert told(fed)[2:] == [("lost", "camera"), ("see", None)]


def test_the_readings_shown_are_those_of_the_first_source_that_is_connected() -> None:
    latest = Latest("table-1", {None: None, "camera": None}, None)  # type: ignore[dict-item]
    for item in (See(1.0, SEEN), See(2.0, FILMED, "camera")):
        latest.report(item)
    assert latest.is_shown(None)
    assert not latest.is_shown("camera")
    latest.report(Link(3.0, "lost", "port_lost"))
    assert latest.up
    assert latest.is_shown("camera")
    latest.report(Link(4.0, "lost", "camera_lost", by="camera"))
    assert latest.up is False
    assert latest.losses == 1


async def test_behind_a_failure_the_game_goes_on_with_both_sources_as_they_are_then(tmp_path: Path) -> None:
    hands = TwoHands()

    def session(header: Header) -> Odd:
        fed = hands.fed[header.board] = []

        def says(item: Input) -> list[Any]:
            if isinstance(item, See) and item.rows == "poison":
                raise ZeroDivisionError
            fed.append(item)
            return []

        return Odd(header, says)

    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup()], make_session=session) as gateway:
            board = gateway.boards[HEADER.board]
            hands.give(See(0.0, SEEN))
            await until(lambda: told(hands.fed[HEADER.board]) == [("see", None)])
            hands.give(See(0.0, "poison", "camera"))
            await until(lambda: board.failed)
            hands.give(See(0.0, FILMED, "camera"))
            await until(lambda: board._latest.sees["camera"].rows == FILMED)
            await board.give(Command(0.0, "set_position", "c1", {"fen": "W:Wc1:Bd8"}, "ana"))
            await board.drained()
            assert not board.failed
            fed = hands.fed[HEADER.board]
    assert told(fed[fed.index(next(item for item in fed if isinstance(item, Link))) :]) == [
        ("lost", None),
        ("lost", "camera"),
        ("back", None),
        ("back", "camera"),
        ("see", None),
        ("see", "camera"),
    ]
    reasons = {item.reason for item in fed if isinstance(item, Link) and item.state == "lost"}
    assert reasons == {"not_followed"}
