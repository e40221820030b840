"""A link that was lost and is back whole: nothing that happened meanwhile is missing, so nothing is guessed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest

from damas_board.app import regulation_of
from damas_board.messages.encoding import event_object
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, See
from damas_board.session.session import Session
from simulator import recorded
from simulator.games import invented
from simulator.levels import level

HEADER = Header("table-1", "br-cbjd", clock="900")


def game(seed: int, hands: str) -> Sequence[Input]:
    played = invented(regulation_of(HEADER).variant, seed, 24)
    return tuple(recorded.inputs(played, level(hands), seed))


def told(items: Iterable[Input]) -> list[dict[str, object]]:
    """All events, without what is told of the link."""
    session = Session(HEADER, regulation_of(HEADER))
    events = [event_object(event) for item in items for event in session.feed(item)]
    lost = {event["id"] for event in events if event.get("kind") == "board_lost"}
    others = [event for event in events if event["event"] != "board" and event.get("id") not in lost]
    return [{key: value for key, value in event.items() if key not in ("id", "evidence")} for event in others]


def interrupted(items: Sequence[Input], places: Iterable[int], *, whole: bool) -> list[Input]:
    """The link is lost, and back, behind each of these inputs."""
    found: list[Input] = []
    for number, item in enumerate(items):
        found.append(item)
        if number in places:
            found += [Link(item.at, "lost", "port_lost"), Link(item.at, "back", whole=whole)]
            if not whole:
                found += [See(item.at, item.rows)] if isinstance(item, See) else []
    return found


@pytest.mark.parametrize("hands", ["clean", "club"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_however_often_it_was_away_a_game_is_told_as_if_it_had_not_been(seed: int, hands: str) -> None:
    items = game(seed, hands)
    chance = random.Random(seed)
    places = set(chance.sample(range(1, len(items)), len(items) // 4))
    assert told(interrupted(items, places, whole=True)) == told(items)


def test_without_the_word_of_the_source_what_follows_is_a_guess() -> None:
    items = game(1, "clean")
    assert told(interrupted(items, range(10, len(items), 4), whole=False)) != told(items)


@pytest.mark.parametrize(
    ("do", "arguments"),
    [("hold", {}), ("dismiss", {"alert": "a1"}), ("mask", {"square": "a1"}), ("rewind", {"ply": 8})],
)
def test_a_command_meanwhile_takes_nothing_from_what_follows(do: str, arguments: dict[str, object]) -> None:
    items = game(1, "clean")
    place = next(n for n in range(len(items) // 2, len(items)) if items[n].at - items[n - 1].at > 1.0)
    at = items[place - 1].at
    command = Command(at, do, "1", arguments, "ana")
    away = [Link(at, "lost"), command, Link(at, "back", whole=True)]
    behind = [event for event in told([*items[:place], *away, *items[place:]]) if event["event"] == "move"]
    known = [event for event in told([*items[:place], command, *items[place:]]) if event["event"] == "move"]
    assert behind == known


def test_a_game_that_is_only_kept_from_the_public_goes_on_in_the_middle_of_a_move() -> None:
    items = game(1, "clean")
    for place in range(len(items) // 2, len(items) // 2 + 6):
        at = items[place - 1].at
        away = [Link(at, "lost"), Command(at, "hold", "1", {}, "ana"), Link(at, "back", whole=True)]
        moves = [event for event in told([*items[:place], *away, *items[place:]]) if event["event"] == "move"]
        assert moves == [event for event in told(items) if event["event"] == "move"]


def test_a_link_that_is_back_whole_and_was_never_lost_is_nothing_new() -> None:
    items = game(1, "clean")
    assert told([items[0], Link(items[0].at, "back", whole=True), *items[1:]]) == told(items)
