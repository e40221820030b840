"""A broker that is killed and wiped, again and again, or gone for long: nothing is missing afterwards, in order."""

import asyncio
import gc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from app.halls import HALL_BOARDS, MEETING, Hall, Reader
from app.tables import HEADER, Hands, items, moves, until

from damas_board.app import Gateway, mqtt_relay
from damas_board.session.inputs import Input
from damas_board.sinks.journal import Journal

KINDS = {
    "gateway/gw-1/$state",
    "gateway/gw-1/health",
    "board/table-1/link",
    "board/table-1/info",
    "board/table-1/see",
    "board/table-1/health",
    "board/table-1/state",
}
"""All that a gateway with one board retains, beside the state of its game."""


async def test_a_broker_killed_and_wiped_five_times_in_a_game_costs_nothing(hall: Hall, tmp_path: Path) -> None:
    given = items(3, 24)
    hands = Hands()
    setup = replace(hands.setup(), health=lambda: {"bad_frames": 0})
    with Journal.open(tmp_path / "j.db") as journal:
        relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
        async with (
            asyncio.timeout(90),
            Reader(hall).reading() as reader,
            Gateway(journal, [setup], relay=relay) as gateway,
        ):
            source, board = hands["table-1"], gateway.boards["table-1"]
            shift = source.now()
            name = board.game
            assert name is not None
            parts = [given[len(given) * n // 11 : len(given) * (n + 1) // 11] for n in range(11)]
            source_end = None
            for number, part in enumerate(parts, 1):
                await _give(source.given, part, shift)
                await board.drained()
                if number % 2 and number < 11:
                    await hall.kill()
                    hall.forget()
                elif not number % 2:
                    reader.connected.clear()
                    await hall.start()
                    await reader.connected.wait()
                    await until(lambda: {*KINDS, f"game/{name}/state"} <= reader.flagged)
                    await until(lambda: reader.retained[f"game/{name}/state"]["moves"] == list(board.state.moves))
            source.given.put_nowait(source_end)
            await gateway.finished()
            await relay.drained()
            await until(lambda: reader.records[name].moves == moves(given))
            await until(lambda: reader.retained[f"game/{name}/state"]["seq"] == reader.followers[name].seq)
            assert relay.connections == 6
            assert reader.retained["gateway/gw-1/$state"]["state"] == "online"
            await asyncio.wrap_future(journal.flush())
            assert journal.unsent() == []
    assert [event.seq for event in reader.events] == list(range(1, len(reader.events) + 1))
    assert len({event.epoch for event in reader.events}) == 1


async def _give(given: "asyncio.Queue[Input | Exception | None]", part: tuple[Input, ...], shift: float) -> None:
    for item in part:
        given.put_nowait(replace(item, at=item.at + shift))
    await until(given.empty)


@pytest.mark.slow
async def test_of_five_thousand_events_that_wait_for_the_broker_none_is_missing_and_few_are_in_memory(
    hall: Hall, tmp_path: Path
) -> None:
    hands = Hands()
    games = {board: items(100 + number % 8, 30) for number, board in enumerate(HALL_BOARDS)}
    setups = [hands.setup(replace(HEADER, board=board)) for board in HALL_BOARDS]
    with Journal.open(tmp_path / "j.db") as journal:
        relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
        async with (
            asyncio.timeout(240),
            Reader(hall).reading() as reader,
            Gateway(journal, setups, relay=relay) as gateway,
        ):
            await relay.drained()
            await hall.kill()
            hall.forget()
            held = []
            shifts = {board: hands[board].now() for board in HALL_BOARDS}
            for part in range(4):
                for board, given in games.items():
                    piece = given[len(given) * part // 4 : len(given) * (part + 1) // 4]
                    for item in piece:
                        hands[board].given.put_nowait(replace(item, at=item.at + shifts[board]))
                for board in HALL_BOARDS:
                    await until(hands[board].given.empty)
                    await gateway.boards[board].drained()
                held.append((journal.outbox, _objects()))
            waiting = journal.outbox
            assert waiting > 5000
            for board, given in games.items():
                state = gateway.boards[board].state
                assert state is not None
                assert state.moves == moves(given)
            # What waits is on disk: four times the events do not need four times the objects.
            assert held[-1][1] - held[0][1] < (held[-1][0] - held[0][0])
            assert relay.connections == 1
            await hall.start()
            await relay.drained()
            names = {board: gateway.boards[board].game for board in HALL_BOARDS}
            for board, name in names.items():
                assert name is not None
                await until(lambda name=name: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
                assert reader.records[name].moves == moves(games[board])
    by_game: dict[str, list[int]] = {}
    for event in reader.events:
        by_game.setdefault(str(event.game), []).append(event.seq or 0)
    assert len(by_game) == len(HALL_BOARDS)
    for told in by_game.values():
        assert told == list(range(1, len(told) + 1))


def _objects() -> int:
    """Outbox rows and payloads that are held in memory."""
    gc.collect()
    counted = Counter(type(found).__name__ for found in gc.get_objects())
    return counted["OutboxRow"] + counted["_Work"]


async def test_games_that_are_over_are_there_again_after_a_restart_with_a_broker_that_knows_nothing(
    hall: Hall, tmp_path: Path
) -> None:
    given = items(3, 24)
    names = []
    async with asyncio.timeout(90), Reader(hall).reading() as reader:
        for _ in range(2):
            hands = Hands()
            with Journal.open(tmp_path / "j.db") as journal:
                relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
                async with Gateway(journal, [hands.setup()], relay=relay) as gateway:
                    board = gateway.boards["table-1"]
                    if names:
                        await until(lambda: {f"game/{name}/state" for name in names} <= reader.flagged)
                        assert reader.retained[f"game/{names[0]}/state"]["moves"] == list(moves(given))
                        assert reader.retained[f"game/{names[0]}/state"]["over"]["winner"] == "draw"
                    else:
                        await _give(hands["table-1"].given, given, hands["table-1"].now())
                        await board.drained()
                        for number, body in enumerate(({"do": "result", "result": "draw"}, {"do": "new_game"})):
                            names.append(board.game)
                            await reader.send("cmd/ana/board/table-1", {"id": f"c{number}", **body})
                            await until(lambda n=number: any(a["id"] == f"c{n}" for a in reader.answers))
                        names[1] = board.game
                        assert names[0] != names[1]
                    await relay.drained()
            await hall.kill()
            hall.forget()
            reader.retained.clear()
            reader.connected.clear()
            await hall.start()
            await reader.connected.wait()
