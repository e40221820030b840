"""Real games, played by a simulated hand, come out of a Session that sees occupancy only as they were played."""

import os

import pytest
from benchmarks import real_games

from damas_board.session.session import Session
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.recorded import inputs

PUBLIC = [kind for kind in real_games.KINDS if kind not in real_games.OWN]
OF_EACH = {
    "brazilian": 16,
    "russian": 30,
    "english": 40,
    "italian": 15,
    "turkish": 1,
    "international": 35,
    "frisian": 8,
    "czech": 27,
    "antidraughts": 8,
}
"""With the combinations of document 002, two hundred public games."""
SEED = 2


@pytest.fixture(scope="module", autouse=True)
def _shared() -> None:
    if not (real_games.SHARED / "games").is_dir():
        missing = f"the public games are not at {real_games.SHARED}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def faults(kind: str, games: list[tuple[str, int]], name: str = "clean") -> tuple[int, list[str]]:
    """How many games were played, and those that were recorded otherwise."""
    total = real_games.Outcome()
    for source, index in games:
        seed = real_games.seed_of(SEED, source, index)
        game = real_games.game_of(source, index)
        total.add(real_games.play(kind, game, level(name), seed, f"{source}#{index}"))
    return total.games, total.faults


def sample(kind: str, count: int) -> list[tuple[str, int]]:
    """`count` games of `kind`, always the same; combinations are counted apart."""
    drawn = real_games.chosen([kind], None, SEED)
    games = [(s, i) for s, indices in drawn for i in indices if not s.endswith(real_games.COMBINATIONS)]
    step = max(len(games) // count, 1)
    return games[::step][:count]


def test_a_record_that_differs_is_told_from_its_first_wrong_ply() -> None:
    source = f"brazilian/{real_games.COMBINATIONS}"
    one, other = (real_games.game_of(source, index) for index in (0, 1))
    header = real_games.header_of("brazilian", one.start)
    session = Session(header, real_games.regulation_of("brazilian")[0])
    events = [event for item in inputs(one, level("clean"), 1) for event in session.feed(item)]
    record = real_games.fold(events)
    assert real_games.compare(one, record) == (0, "")
    assert real_games.compare(other, record)[0] == len(other.moves)
    assert real_games.compare(one, record[:3])[0] == len(one.moves) - 3
    assert real_games.compare(PlayedGame(one.start, one.moves[:4]), record)[0] == 1


def test_the_sample_is_two_hundred_public_games() -> None:
    assert sum(OF_EACH.values()) + 20 == 200
    assert set(OF_EACH) == set(PUBLIC)


def test_the_twenty_combinations_of_document_002_come_out_as_played() -> None:
    source = f"brazilian/{real_games.COMBINATIONS}"
    assert faults("brazilian", [(source, index) for index in real_games.playable(source)]) == (20, [])


@pytest.mark.parametrize("kind", PUBLIC)
def test_public_games_come_out_as_played(kind: str) -> None:
    assert faults(kind, sample(kind, OF_EACH[kind])) == (OF_EACH[kind], [])


@pytest.mark.parametrize("kind", real_games.OWN)
def test_games_of_our_own_making_come_out_as_played(kind: str) -> None:
    assert faults(kind, [(f"{kind}/{real_games.INVENTED}", index) for index in range(25)]) == (25, [])


@pytest.mark.slow
@pytest.mark.parametrize("kind", PUBLIC)
def test_public_games_come_out_as_played_on_a_club_evening(kind: str) -> None:
    assert faults(kind, sample(kind, OF_EACH[kind]), "club") == (OF_EACH[kind], [])


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", real_games.OWN)
def test_two_hundred_games_of_our_own_making_come_out_as_played(kind: str) -> None:
    source = f"{kind}/{real_games.INVENTED}"
    count = real_games.OWN_GAMES
    assert faults(kind, [(source, index) for index in range(count)]) == (count, [])
