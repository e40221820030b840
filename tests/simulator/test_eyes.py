from __future__ import annotations

from collections import Counter
from itertools import pairwise

from damas_board.regulations import shipped
from damas_board.session.inputs import See
from simulator.eyes import Sharpness, seen, seen_and_felt
from simulator.games import invented
from simulator.levels import level

VARIANT = shipped("br-cbjd").variant
GEOMETRY = VARIANT.geometry
GAME = invented(VARIANT, 1, 20)


def marks(item: See) -> dict[str, str]:
    lines = item.rows.split("/")
    return {GEOMETRY.name(s): lines[7 - s // 8][s % 8] for s in GEOMETRY.playable}


def sees(sharpness: Sharpness, hands: str = "clean") -> list[See]:
    return [item for item in seen(GAME, level(hands), 1, sharpness) if isinstance(item, See)]


def test_it_tells_what_is_news_at_its_looks_and_sees_no_piece_in_the_act() -> None:
    told = sees(Sharpness())
    assert {item.by for item in told} == {"camera"}
    assert all(round(item.at * 12) / 12 - item.at < 0.001 for item in told)
    assert all(one.rows != other.rows for one, other in pairwise(told))
    for one, other in pairwise(map(marks, told)):
        assert all("?" in (one[s], other[s]) for s in one if one[s] != other[s]), "a hand was above it in between"


def test_when_all_hands_are_gone_it_has_seen_the_game() -> None:
    position = GAME.start
    for move in GAME.moves:
        position = position.after(move)
    last = marks(sees(Sharpness(), "club")[-1])
    assert {s: last[GEOMETRY.name(s)] for s in GEOMETRY.playable} == {
        s: "." if position.side_at(s) is None else position.side_at(s).letter.lower()  # type: ignore[union-attr]
        for s in GEOMETRY.playable
    }


def test_its_likelihoods_mean_what_they_say() -> None:
    """Of doubts that give p to the mark that it finds likeliest, p are right."""
    given = right = 0.0
    count = 0
    for seed in range(6):
        game = invented(VARIANT, seed, 20)
        sharp, unsure = (
            [item for item in seen(game, level("clean"), seed, sharpness) if isinstance(item, See)]
            for sharpness in (Sharpness(), Sharpness(doubts=4.0, noise=0.0))
        )
        spells: dict[tuple[str, float], float] = {}
        for item in unsure:
            truth = next((other for other in reversed(sharp) if other.at <= item.at), sharp[0])
            for name, likely in (item.doubt or {}).items():
                mark = max(likely, key=likely.__getitem__)
                actual = marks(truth)[name]
                if actual != "?":
                    spells[name, likely[mark]] = float(actual == mark)
        given += sum(p for _, p in spells)
        right += sum(spells.values())
        count += len(spells)
    assert count > 200
    assert abs(given - right) < 0.1 * count
    assert right > 0.6 * count


def test_dazzled_squares_are_never_read_and_deceived_ones_say_the_same() -> None:
    a1, h8 = GEOMETRY.square("a1"), GEOMETRY.square("h8")
    told = sees(Sharpness(dazzled=frozenset([a1]), deceived={h8: "."}))
    assert {marks(item)["a1"] for item in told} == {"?"}
    assert {marks(item)["h8"] for item in told} - {"?"} == {"."}
    assert not any("a1" in (item.doubt or {}) for item in told)


def test_beside_sensors_that_are_stuck_it_sees_the_same_game() -> None:
    a1 = GEOMETRY.square("a1")
    items = [i for i in seen_and_felt(GAME, level("club"), 1, Sharpness(), stuck={a1: "."}) if isinstance(i, See)]
    assert [item for item in items if item.by] == sees(Sharpness(), "club")
    assert {marks(item)["a1"] for item in items if not item.by} == {"."}
    assert Counter(item.by for item in items)[None] > 40
    assert [item.at for item in items] == sorted(item.at for item in items)
