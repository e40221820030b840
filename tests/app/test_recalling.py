"""What a board that remembers is told to go on from, and how long it is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import pytest
from app.tables import until

from damas_board.app import intake as of_intake
from damas_board.app.intake import Intake
from damas_board.app.latest import Latest
from damas_board.session.inputs import BoardEvent, Input, Lever, See
from damas_board.sources.source import KEPT_ROWS, Source


class Remembering:
    """A source that is open at once, and tells what the test lets it tell."""

    def __init__(self) -> None:
        self.items: asyncio.Queue[Input] = asyncio.Queue()
        self.known: tuple[See, Sequence[str]] | None = None

    async def __aenter__(self) -> Remembering:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def __aiter__(self) -> AsyncIterator[Input]:
        while True:
            yield await self.items.get()

    def go_on_from(self, known: See, before: Sequence[str] = ()) -> None:
        self.known = known, before


def intake_of(source: Source) -> tuple[Intake, list[Input]]:
    given: list[Input] = []

    async def give(item: Input) -> None:
        given.append(item)

    def make(now: Callable[[], float]) -> Source:
        return source

    return Intake("t-1", make, lambda: 0.0, give, lambda intake: None), given


def see(number: int, rows: str, uid: str = "01025") -> See:
    return See(float(number), rows, event=BoardEvent(uid, 0, number))


async def test_until_a_board_that_remembers_has_told_something_no_time_passes() -> None:
    source = Remembering()
    intake, given = intake_of(source)
    assert intake.recalling, "it has not been opened"
    task = asyncio.create_task(intake.run())
    await intake.tried.wait()
    assert intake.recalling, "it is open, and its log on the way"
    source.items.put_nowait(see(1, "a"))
    await until(lambda: given)
    assert not intake.recalling
    task.cancel()


async def test_one_that_tells_nothing_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_intake, "RECALL_SECONDS", 0.0)
    intake, _ = intake_of(Remembering())
    task = asyncio.create_task(intake.run())
    await intake.tried.wait()
    assert not intake.recalling
    task.cancel()


async def test_a_source_is_opened_with_what_came_before_and_what_comes_of_it_is_added() -> None:
    source = Remembering()
    intake, given = intake_of(source)
    intake.known, intake.before = see(1, "a"), ("z",)
    task = asyncio.create_task(intake.run())
    for item in (see(2, "b"), Lever(2.5, "white", event=BoardEvent("01025", 0, 3)), see(4, "b"), see(5, "c")):
        source.items.put_nowait(item)
    await until(lambda: len(given) == 4)
    assert source.known == (see(1, "a"), ("z",))
    assert (intake.known, intake.before) == (see(5, "c"), ("z", "a", "b"))
    task.cancel()


def test_what_came_before_is_kept_as_long_as_it_is_of_the_same_board() -> None:
    latest = Latest("t-1", {}, None)
    for number in range(KEPT_ROWS + 10):
        latest.note(see(number, str(number)))
    assert latest.before == tuple(str(number) for number in range(9, KEPT_ROWS + 9))
    latest.note(See(99.0, "seen by a camera", "cam"))
    assert latest.before[-1] == str(KEPT_ROWS + 8)
    latest.note(see(100, "a", uid="01026"))
    assert latest.before == ()
