from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.rules.geometry import squares_of
from damas_board.rules.variants import BRAZILIAN, VARIANTS
from damas_board.session.inputs import Lever, Link, See, Tick
from simulator.games import PlayedGame, invented
from simulator.levels import level, levels
from simulator.recorded import LAST_LOOK, inputs
from simulator.table import mark, rows

CLEAN = level("clean")
GAMES = {name: invented(VARIANTS[name], 1, 40) for name in VARIANTS}
GAME = GAMES["brazilian"]


def changes(items: list) -> list[tuple[float, int, str, str]]:
    """Time, place in the text, mark before and after, of every change that a board told."""
    found = []
    last = None
    for item in items:
        if isinstance(item, See):
            cells = item.rows.replace("/", "")
            if last is not None:
                found += [(item.at, i, a, b) for i, (a, b) in enumerate(zip(last, cells, strict=True)) if a != b]
            last = cells
    return found


def shown(position, senses: str) -> str:
    kinds = {"occupancy": lambda m: "o", "colour": str.lower, "kind": str}
    return rows({s: kinds[senses](mark(position, s)) for s in squares_of(position.occupied)}, position.variant.geometry)


@given(
    st.sampled_from(sorted(VARIANTS)),
    st.sampled_from(sorted(levels())),
    st.integers(0, 10**6),
    st.sampled_from(["occupancy", "colour", "kind"]),
)
@settings(max_examples=60, deadline=None)
def test_a_game_is_told_by_changes_only_in_the_order_of_time_and_ends_on_its_last_position(
    variant: str, name: str, seed: int, senses: str
) -> None:
    game = GAMES[variant]
    items = list(inputs(game, level(name), seed, senses=senses))
    assert items == list(inputs(game, level(name), seed, senses=senses)), "the same seed tells the same"
    times = [item.at for item in items]
    assert times == sorted(times)
    *positions, last = game.positions()
    assert items[0] == See(0.0, shown(positions[0], senses))
    assert isinstance(items[-1], Tick)
    assert items[-1].at >= items[-2].at + LAST_LOOK - 0.001
    told = [item.rows for item in items if isinstance(item, See)]
    assert told[-1] == shown(last, senses)
    if levels()[name].lost == 0:
        assert all(a != b for a, b in pairwise(told))


def test_clean_sensors_show_every_position_of_the_game() -> None:
    told = [item.rows for item in inputs(GAME, CLEAN, 3, senses="kind") if isinstance(item, See)]
    wanted = iter(told)
    assert all(shown(position, "kind") in wanted for position in GAME.positions())


def test_a_turned_board_tells_the_same_game_turned() -> None:
    straight = [item.rows for item in inputs(GAME, level("club"), 3) if isinstance(item, See)]
    turned = [item.rows for item in inputs(GAME, level("club"), 3, turn=180) if isinstance(item, See)]
    assert turned == [text[::-1] for text in straight]


def test_every_contact_can_bounce_and_ends_on_the_truth() -> None:
    clean = changes(list(inputs(GAME, CLEAN, 7)))
    bouncing = changes(list(inputs(GAME, replace(CLEAN, bounce=1.0), 7)))
    assert 3 * len(clean) <= len(bouncing) <= 5 * len(clean)


@pytest.mark.parametrize(("fault", "before", "after"), [("dropout", "o", "."), ("ghost", ".", "o")])
def test_blips_come_at_their_rate_last_as_long_as_said_and_keep_away_from_the_move(
    fault: str, before: str, after: str
) -> None:
    plies, toggles = 0, 0
    clean = CLEAN
    for seed in range(8):
        game = invented(BRAZILIAN, seed, 40)
        plies += len(game.moves)
        base = Counter((i, a, b) for _, i, a, b in changes(list(inputs(game, clean, seed))))
        noisy = changes(list(inputs(game, replace(clean, blip=(0.03, 0.09), **{fault: 0.5}), seed)))
        extra = Counter((i, a, b) for _, i, a, b in noisy) - base
        assert sum(extra.values()) % 2 == 0
        toggles += sum(n for (_, a, b), n in extra.items() if (a, b) == (before, after))
        assert all((a, b) in ((before, after), (after, before)) for _, a, b in extra)
    assert 0.35 * 2 * plies < toggles < 0.65 * 2 * plies


def test_a_long_blip_is_longer_than_players_leave_a_board_still() -> None:
    short = PlayedGame(GAME.start, GAME.moves[:1])
    touched = {GAME.moves[0].start, GAME.moves[0].end}
    for seed in range(20):
        found = changes(list(inputs(short, replace(CLEAN, long_blip=1.0), seed)))
        elsewhere = [(at, i) for at, i, _, _ in found if (7 - i // 8) * 8 + i % 8 not in touched]
        (begins, one), (ends, other) = elsewhere
        assert one == other
        assert 0.399 <= ends - begins <= 1.501


def test_a_lost_board_says_nothing_until_it_is_back_with_the_whole_board() -> None:
    for seed in range(20):
        items = list(inputs(GAME, replace(CLEAN, lost=1.0), seed))
        (lost, first), (back, second) = [(i, x) for i, x in enumerate(items) if isinstance(x, Link)]
        assert (first.state, second.state) == ("lost", "back")
        assert back == lost + 1
        assert 0.999 <= second.at - first.at <= 4.001
        assert isinstance(items[back + 1], See)
        assert items[back + 1].at == second.at


def test_a_stuck_square_tells_what_happened_on_it_some_plies_later() -> None:
    late = 0
    for seed in range(40):
        stuck = changes(list(inputs(GAME, replace(CLEAN, stuck=1.0), seed)))
        clean = changes(list(inputs(GAME, CLEAN, seed)))
        late += stuck != clean
        assert len({i for _, i, _, _ in set(clean) ^ set(stuck)}) <= 1, "one square only"
    assert late > 5, "a square that sticks while it is played on must be late now and then"


def test_the_lever_is_told() -> None:
    items = list(inputs(PlayedGame(GAME.start, GAME.moves[:2]), CLEAN, 1, clock=True))
    assert [x.side for x in items if isinstance(x, Lever)] == ["white", "black"]
