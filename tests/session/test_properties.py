"""What holds for every game: ticks, the order of hands, and how the board lies change nothing in the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from benchmarks.staging import Stage, Staged
from event_contract import EventContract
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.regulations import names, shipped
from damas_board.rules.game import same_move
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import NO_RUNS, Move, Position, initial
from damas_board.session.events import Event
from damas_board.session.inputs import Input, See, Tick
from damas_board.session.session import Session
from simulator.games import invented
from simulator.irregular import OFFENCES
from simulator.levels import levels
from simulator.recorded import header, inputs
from simulator.table import rows

REGULATIONS = st.sampled_from(names())
SEEDS = st.integers(0, 10_000)


def record(session: Session) -> list[str]:
    return [ply.text for ply in session.plies]


def play(session: Session, items: Iterable[Input]) -> list[Event]:
    """The events, which keep their contract."""
    contract = EventContract(session.regulation)
    events = []
    for item in items:
        for event in session.feed(item):
            contract.check(event)
            events.append(event)
        contract.end_of_instant()
        assert [alert["id"] for alert in session.state.alerts] == list(contract.alerts)
    return events


def random_position(regulation: str, random: Random) -> Position:
    """A position somewhere in a random game, with a legal move; captures are sought."""
    position = initial(shipped(regulation).variant)
    for _ in range(random.randrange(60)):
        moves = legal_moves(position)
        after = position.after(random.choice(moves))
        if not legal_moves(after):
            break
        position = after
    return position._replace(runs=NO_RUNS)


@settings(deadline=None, max_examples=60)
@given(REGULATIONS, SEEDS, st.sampled_from(sorted(levels())), st.floats(0.003, 3.0), st.booleans())
def test_any_spacing_of_ticks_gives_the_same_events(
    regulation: str, seed: int, level: str, spacing: float, jumping: bool
) -> None:
    game = invented(shipped(regulation).variant, seed, 12)
    first = header(game.start, regulation)
    items = list(inputs(game, levels()[level], seed))
    random = Random(seed)
    ticks: list[Input] = []
    at = 0.0
    while at < items[-1].at:
        at += random.uniform(0, 2 * spacing) if jumping else spacing
        ticks.append(Tick(at))
    more = sorted([*items, *(tick for tick in ticks if tick.at <= items[-1].at)], key=lambda item: item.at)
    plain = play(Session(first, shipped(regulation)), items)
    assert play(Session(first, shipped(regulation)), more) == plain


@settings(deadline=None, max_examples=60)
@given(REGULATIONS, SEEDS, st.sampled_from(sorted(levels())), st.floats(0, 1))
def test_a_recording_cut_short_gives_a_beginning_of_the_same_events(
    regulation: str, seed: int, level: str, part: float
) -> None:
    game = invented(shipped(regulation).variant, seed, 12)
    first = header(game.start, regulation)
    items = list(inputs(game, levels()[level], seed))
    whole = play(Session(first, shipped(regulation)), items)
    early = play(Session(first, shipped(regulation)), items[: int(len(items) * part)])
    assert whole[: len(early)] == early


def unruly(regulation: str, seed: int, level: str, turns: int) -> Staged:
    """A game whose players break rules every few turns, on a board whose sensors are of that level."""
    random = Random(seed)
    rules = shipped(regulation)
    stage = Stage(initial(rules.variant), levels()[level], seed, senses=random.choice(["occupancy", "colour", "kind"]))
    for _ in range(turns):
        moves = legal_moves(stage.hand.position)
        if not moves:
            break
        offence = random.choice(list(OFFENCES.values()))
        if random.random() > 0.4 or not stage.commit(offence, random.choice(offence.futures)):
            stage.play(random.choice(moves))
    return stage.finish("unruly", rules, None)


@settings(deadline=None, max_examples=30)
@given(REGULATIONS, SEEDS, st.sampled_from(sorted(levels())), st.sampled_from([0.02, 0.3, 2.0]))
def test_any_spacing_of_ticks_gives_the_same_alerts(regulation: str, seed: int, level: str, spacing: float) -> None:
    game = unruly(regulation, seed, level, 12)
    random = Random(seed)
    ticks: list[Input] = []
    at = 0.0
    while at < game.inputs[-1].at - 2 * spacing:
        at += random.uniform(0, 2 * spacing)
        ticks.append(Tick(at))
    more = sorted([*game.inputs, *ticks], key=lambda item: item.at)
    plain = play(Session(game.header, game.regulation), game.inputs)
    assert play(Session(game.header, game.regulation), more) == plain


@settings(deadline=None, max_examples=30)
@given(REGULATIONS, SEEDS, st.sampled_from(sorted(levels())), st.floats(0, 1))
def test_an_unruly_game_cut_short_gives_a_beginning_of_the_same_events(
    regulation: str, seed: int, level: str, part: float
) -> None:
    game = unruly(regulation, seed, level, 12)
    whole = play(Session(game.header, game.regulation), game.inputs)
    early = play(Session(game.header, game.regulation), game.inputs[: int(len(game.inputs) * part)])
    assert whole[: len(early)] == early


@settings(deadline=None, max_examples=60)
@given(REGULATIONS, SEEDS, st.sampled_from([90, 180, 270]))
def test_a_board_that_lies_turned_and_is_declared_so_gives_the_same_game(regulation: str, seed: int, turn: int) -> None:
    game = invented(shipped(regulation).variant, seed, 16)
    level = levels()["club"]
    straight = Session(header(game.start, regulation), shipped(regulation))
    turned = Session(replace(header(game.start, regulation), turn=turn), shipped(regulation))  # type: ignore[arg-type]
    assert play(straight, inputs(game, level, seed)) == play(turned, inputs(game, level, seed, turn=turn))  # type: ignore[arg-type]


def hands(position: Position, move: Move, random: Random) -> list[frozenset[int]]:
    """Occupied squares from before `move` to after it, one lift or placement a time, in any order that hands can do."""
    todo = ["lift", "put"] + [f"off {square}" for square in move.captured]
    random.shuffle(todo)
    if todo.index("put") < todo.index("lift"):
        a, b = todo.index("put"), todo.index("lift")
        todo[a], todo[b] = todo[b], todo[a]
    if move.end in move.captured and todo.index("put") < todo.index(f"off {move.end}"):
        a, b = todo.index("put"), todo.index(f"off {move.end}")
        todo[a], todo[b] = todo[b], todo[a]
        if todo.index("put") < todo.index("lift"):
            todo.remove("lift")
            todo.insert(0, "lift")
    stands = set(squares_of(position.occupied))
    shown = []
    for word in todo:
        if word == "lift":
            stands.remove(move.start)
        elif word == "put":
            stands.add(move.end)
        else:
            stands.remove(int(word.split()[1]))
        shown.append(frozenset(stands))
    return shown


@settings(deadline=None, max_examples=400)
@given(REGULATIONS, SEEDS, st.sampled_from([0.05, 0.25, 0.6, 2.0]))
def test_any_order_of_lifts_and_placements_of_a_legal_move_gives_that_move(
    regulation: str, seed: int, pause: float
) -> None:
    random = Random(seed)
    position = random_position(regulation, random)
    move = max(random.sample(legal_moves(position), k=1), key=lambda m: len(m.captured))
    session = Session(header(position, regulation), shipped(regulation))
    geometry = position.variant.geometry
    session.feed(See(0.0, rows({s: "o" for s in squares_of(position.occupied)}, geometry)))
    at = 1.0
    for stands in hands(position, move, random):
        at += pause * random.uniform(0.5, 1.5)
        session.feed(See(at, rows({s: "o" for s in stands}, geometry)))
    session.feed(Tick(at + 10))
    assert [ply.after for ply in session.plies] == [position.after(move)]
    assert same_move(session.plies[0].move, move)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "kind"])
@pytest.mark.parametrize("regulation", names())
def test_every_kind_of_board_gives_the_same_record(regulation: str, senses: str) -> None:
    game = invented(shipped(regulation).variant, 7, 40)
    session = Session(header(game.start, regulation, senses=senses), shipped(regulation))  # type: ignore[arg-type]
    play(session, inputs(game, levels()["club"], 7, senses=senses))  # type: ignore[arg-type]
    assert len(session.plies) == len(game.moves)
    assert all(map(same_move, (ply.move for ply in session.plies), game.moves))
