"""Whole games before a camera that hides what hands cover and is not always sure, and before a camera and sensors that
are not always right: the record is what was played, and nobody is accused of anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from event_contract import EventContract
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from damas_board.regulations import names, shipped
from damas_board.rules.game import same_move
from damas_board.session.events import AlertRaised, Event
from damas_board.session.inputs import Input, Link, See, Tick
from damas_board.session.session import Session
from simulator.eyes import Sharpness, seen, seen_and_felt
from simulator.games import PlayedGame, invented
from simulator.levels import level
from simulator.recorded import header

REGULATIONS = st.sampled_from(names())
SEEDS = st.integers(0, 10_000)
VARIANTS = ["br-cbjd", "en-wcdf", "frisian", "int-fmjd", "it-000", "ru-000", "tr-000"]


def followed(game: PlayedGame, regulation: str, items: Iterable[Input]) -> tuple[Session, list[Event]]:
    session = Session(header(game.start, regulation, senses="colour"), shipped(regulation))
    contract, events = EventContract(session.regulation), []
    for item in items:
        for event in session.feed(item):
            contract.check(event)
            events.append(event)
        contract.end_of_instant()
    return session, events


def kinds(events: Iterable[Event]) -> set[str]:
    return {event.kind for event in events if isinstance(event, AlertRaised)}


def is_record(session: Session, game: PlayedGame) -> bool:
    plies = [ply.move for ply in session.plies]
    return len(plies) == len(game.moves) and all(map(same_move, plies, game.moves))


@pytest.mark.parametrize("regulation", VARIANTS)
def test_a_camera_that_doubts_a_square_in_each_turn_records_what_was_played(regulation: str) -> None:
    game = invented(shipped(regulation).variant, 3, 24)
    session, events = followed(game, regulation, seen(game, level("clean"), 3, Sharpness(doubts=1.0)))
    assert is_record(session, game)
    assert kinds(events) == set()


@settings(deadline=None, max_examples=6)
@given(REGULATIONS, SEEDS, st.sampled_from([0.0, 0.3, 0.6]))
def test_whatever_it_doubts_it_accuses_nobody(regulation: str, seed: int, doubts: float) -> None:
    game = invented(shipped(regulation).variant, seed, 16)
    session, events = followed(game, regulation, seen(game, level("clean"), seed, Sharpness(doubts=doubts)))
    assert kinds(events) <= {"board_mismatch", "sensor_suspect"}
    assert doubts or is_record(session, game)


@pytest.mark.parametrize("regulation", VARIANTS)
def test_a_camera_that_is_dazzled_and_a_sensor_that_is_stuck_make_up_for_each_other(regulation: str) -> None:
    rules = shipped(regulation)
    game, chance = invented(rules.variant, 5, 24), Random(regulation)
    stuck, *dazzled = chance.sample(rules.variant.geometry.playable, 4)
    sharpness = Sharpness(doubts=0.3, dazzled=frozenset(dazzled[:2]), deceived={dazzled[2]: "."})
    items = seen_and_felt(game, level("clean"), 5, sharpness, stuck={stuck: chance.choice(".o")})
    session, events = followed(game, regulation, items)
    assert is_record(session, game)
    assert kinds(events) <= {"sensor_suspect"}


def interrupted(items: Iterable[Input], chance: Random, *, whole: bool) -> list[Input]:
    """One of the two sources after the other is lost for a while, never both; the sensors may come back whole."""
    found: list[Input] = []
    away: str | None = "nobody"
    since = 0.0
    late: list[See] = []
    last: dict[str | None, See] = {}
    for item in items:
        if isinstance(item, See):
            last[item.by] = item
        if away != "nobody" and item.at > since:
            found.append(Link(item.at, "back", whole=whole and away is None, by=away))
            found += [replace(see, at=item.at, was=see.at) for see in late] if whole else []
            found += [replace(last[away], at=item.at)] if not whole and away in last else []
            away, late = "nobody", []
        if isinstance(item, See) and item.by == away:
            late.append(item)
            continue
        found.append(item)
        if away == "nobody" and len(last) == 2 and chance.random() < 0.03:
            away, since = chance.choice([None, "camera"]), item.at + chance.uniform(0.5, 8.0)
            found.append(Link(item.at, "lost", by=away))
    return found


@settings(deadline=None, max_examples=6)
@given(REGULATIONS, SEEDS, st.booleans())
def test_when_one_source_is_lost_the_other_carries_on(regulation: str, seed: int, whole: bool) -> None:
    game = invented(shipped(regulation).variant, seed, 16)
    items = interrupted(seen_and_felt(game, level("clean"), seed, Sharpness()), Random(seed), whole=whole)
    session, events = followed(game, regulation, items)
    assert is_record(session, game)
    assert kinds(events) == set()


def both(regulation: str, seed: int) -> tuple[PlayedGame, list[Input]]:
    """A game of which everything goes wrong that can."""
    rules, chance = shipped(regulation), Random(seed)
    game = invented(rules.variant, seed, 10)
    stuck, *dazzled = chance.sample(rules.variant.geometry.playable, 4)
    sharpness = Sharpness(doubts=chance.choice([0.5, 3.0]), deceived=dict.fromkeys(dazzled[:2], "."))
    items = seen_and_felt(game, level("club"), seed, sharpness, stuck={stuck: "o"}, lever=chance.random() < 0.5)
    if chance.random() < 0.4:
        items = [item for item in items if not (isinstance(item, See) and item.by is None)]
    return game, interrupted(items, chance, whole=chance.random() < 0.5)


@settings(deadline=None, max_examples=6, phases=[Phase.explicit, Phase.generate])
@given(REGULATIONS, SEEDS, st.sampled_from([0.02, 0.3, 2.0]), st.floats(0, 1))
def test_any_spacing_of_ticks_and_any_beginning_give_the_same_events(
    regulation: str, seed: int, spacing: float, part: float
) -> None:
    game, items = both(regulation, seed)
    chance, at = Random(seed), 0.0
    ticks: list[Input] = []
    while at < items[-1].at - 2 * spacing:
        at += chance.uniform(0, 2 * spacing)
        ticks.append(Tick(at))
    plain = followed(game, regulation, items)[1]
    assert followed(game, regulation, sorted([*items, *ticks], key=lambda item: item.at))[1] == plain
    early = followed(game, regulation, items[: int(len(items) * part)])[1]
    assert plain[: len(early)] == early
