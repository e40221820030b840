"""The console's desk: a command that has no answer is the same command when it is sent or asked again."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from damas_board.hub.console import desk as desks
from damas_board.hub.console.desk import EXPIRY, CommandDesk, NoAnswerError
from damas_board.hub.console.people import CHECKING, People, Person
from damas_board.messages.envelope import instant
from damas_board.messages.topics import Kind, Topic, topic

ANA = Person("ana", "arbiter", "capivara".__eq__)
OLGA = Person("olga", "organiser", "cegonha".__eq__)


class Broker:
    """Takes what is published, and answers from the `answers_from`th message on."""

    def __init__(self) -> None:
        self.published: list[tuple[Topic, dict[str, Any]]] = []
        self.answers_from: int | None = None
        self.desk = CommandDesk(SimpleNamespace(reader=self), "hub-1", "open")  # type: ignore[arg-type]

    async def publish(self, place: Topic, body: dict[str, Any]) -> None:
        self.published.append((place, body))
        if self.answers_from is not None and len(self.published) >= self.answers_from:
            self.desk.answered({"id": body["id"], "outcome": "done"})

    async def hold(self, key: str | None = "k-1", person: Person = ANA, game: str = "g-1", note: str = "n") -> str:
        told = await self.desk.command(person, Kind.COMMAND_GAME, game, "hold", {"note": note}, key)
        return str(told["outcome"])

    def ids(self) -> list[str]:
        return [body["id"] for _, body in self.published]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "AGAIN_SECONDS", 0.02)
    monkeypatch.setattr(desks, "ANSWER_SECONDS", 0.2)


async def test_what_is_lost_on_the_way_is_sent_again_as_the_same_command_while_its_answer_is_waited_for() -> None:
    broker = Broker()
    broker.answers_from = 3
    assert await broker.hold(None) == "done"
    assert len(broker.published) == 3
    assert all(one == broker.published[0] for one in broker.published)


async def test_what_is_asked_again_after_no_answer_is_the_same_command_and_any_other_is_another() -> None:
    broker = Broker()
    with pytest.raises(NoAnswerError):
        await broker.hold()
    sent = len(broker.published)
    assert sent > 1
    broker.answers_from = 1
    assert await broker.hold() == "done"
    assert len(broker.published) == sent + 1
    assert len(set(broker.ids())) == 1
    assert await broker.hold() == "done"
    assert len(broker.published) == sent + 1, "its answer is known"
    for other in ({"key": "k-2"}, {"person": OLGA}, {"game": "g-2"}, {"note": "m"}, {"key": None}, {"key": None}):
        await broker.hold(**other)  # type: ignore[arg-type]
    assert len(set(broker.ids())) == 7


async def test_a_command_says_whose_it_is_and_until_when_it_may_be_done() -> None:
    broker = Broker()
    broker.answers_from = 1
    before = datetime.now(UTC)
    await broker.hold()
    ((place, body),) = broker.published
    assert place == topic(Kind.COMMAND_GAME, "open", "hub-1", "g-1")
    assert (body["do"], body["for"], body["note"]) == ("hold", "ana", "n")
    written = timedelta(seconds=1)  # what a time as text is rounded by, at most
    assert before + EXPIRY - written <= instant(body["expires"]) <= datetime.now(UTC) + EXPIRY + written


async def test_only_so_many_passwords_are_looked_at_together() -> None:
    go_on, lock, came = threading.Event(), threading.Lock(), threading.Semaphore(0)
    now, most = 0, 0

    def matches(password: str) -> bool:
        nonlocal now, most
        with lock:
            now, most = now + 1, max(most, now + 1)
        came.release()
        go_on.wait(30)
        with lock:
            now -= 1
        return True

    people = People([Person("ana", "arbiter", matches)])
    asked = [asyncio.create_task(people.person("ana", "x")) for _ in range(CHECKING + 2)]
    try:
        for _ in range(CHECKING):
            assert await asyncio.to_thread(came.acquire, timeout=30)
        for _ in range(20):  # as many turns of the loop and of its threads as the others would need
            await asyncio.to_thread(lambda: None)
        assert most == CHECKING
    finally:
        go_on.set()
        found = await asyncio.gather(*asked)
    assert [person.name for person in found if person is not None] == ["ana"] * (CHECKING + 2)
    assert most == CHECKING
