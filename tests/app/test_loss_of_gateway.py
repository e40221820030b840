"""kill -9 of a gateway that reads real ptys while games are played: what was played is what followers have, once."""

import asyncio
import random
from pathlib import Path

import pytest
from app.halls import Hall, Reader
from app.on_ptys import players, reading_gateway
from app.tables import game, until

from damas_board.notation.moves import write_move
from damas_board.sinks.journal import Journal

SPEED = 8.0
BOARDS = ("table-1", "table-2")


def played(seed: int, plies: int) -> tuple[str, ...]:
    given = game(seed, plies)
    return tuple(write_move(p, m) for p, m in zip(given.positions(), given.moves, strict=False))


@pytest.mark.parametrize(
    ("hall", "kills", "plies", "seed"),
    [
        ("embedded", 3, 14, 1),
        *(pytest.param("embedded", 3, 14, seed, marks=pytest.mark.slow) for seed in range(2, 8)),
        *(pytest.param("mosquitto", 3, 14, seed, marks=pytest.mark.slow) for seed in (1, 8, 9, 10, 13)),
        pytest.param("embedded", 20, 60, 2, marks=pytest.mark.slow),
        pytest.param("mosquitto", 10, 40, 3, marks=pytest.mark.slow),
    ],
    indirect=["hall"],
)
async def test_games_on_ptys_are_recorded_as_they_were_played_however_often_the_gateway_is_killed(
    hall: Hall, tmp_path: Path, kills: int, plies: int, seed: int
) -> None:
    """What is played while no gateway is there is in the board's own log. A restart must not take a whole game."""
    chance = random.Random(seed)
    seeds = [(board, seed * 10 + number) for number, board in enumerate(BOARDS)]
    wanted = {board: played(of, plies) for board, of in seeds}
    async with asyncio.timeout(120 + 10 * kills), Reader(hall).reading() as reader:
        async with players(tmp_path, seeds, plies, SPEED, kills + 1) as hands:
            for number in range(kills):
                known = sum(len(record.plies) for record in reader.records.values())
                if number > 0:
                    hands.go_on()  # while nobody reads
                async with reading_gateway(tmp_path, hall.port, BOARDS, SPEED):
                    if number == 0:
                        hands.go_on()
                    more = known + (plies * len(BOARDS) - known) // (kills + 1) // 2
                    await until(lambda more=more: sum(len(r.plies) for r in reader.records.values()) >= more)
                    await asyncio.sleep(chance.uniform(0.0, 0.3))
            hands.go_on()
            async with reading_gateway(tmp_path, hall.port, BOARDS, SPEED):
                await until(
                    lambda: (
                        hands.done
                        and all(any(r.moves == moves for r in reader.records.values()) for moves in wanted.values())
                    )
                )
                await until(lambda: all(follower.hole is None for follower in reader.followers.values()))
        with Journal.open(tmp_path / "j.db") as journal:
            assert journal.mended is None
            assert journal.differences() == []
            games = {of.board: of.game for of in journal.games()}
            assert len(games) == len(journal.games()) == len(BOARDS)
    for board, name in games.items():
        assert reader.records[name].moves == wanted[board]
        events = [event for event in reader.events if event.game == name]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert len({event.epoch for event in events}) == 1
        told = [event.body["ply"] for event in events if event.body["event"] == "move"]
        assert told == list(range(1, plies + 1)), "each ply was told once"
        assert [event.body["event"] for event in events].count("game_started") == 1
