"""A board of the gateway without a broker: the journal, the Session, and every way in which things end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from app.tables import HEADER, HandFed, Hands, Odd, game, items, moves, published, replayed, until

from damas_board.app import BoardSetup, Gateway, regulation_of
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import write_fen
from damas_board.rules.generation import legal_moves
from damas_board.session.events import Event, GameOver, MoveConfirmed, MoveMade, PieceLifted
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, See, Tick
from damas_board.session.session import Session
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff
from damas_board.sources.replay import read_recording
from simulator.table import Table as SimulatedTable
from simulator.table import rows

SECONDS = 30.0


def test_the_sample_game_is_read_as_it_was_played() -> None:
    assert len(moves(items())) == len(game().moves) == 30


async def play(path: Path, given: tuple[Input, ...], **options: Any) -> GameState:
    """One run of a gateway over a recording; its state at the end."""
    with Journal.open(path) as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(given)], **options) as gateway:
            await gateway.finished()
            state = gateway.boards["table-1"].state
            assert state is not None
            return state


async def test_a_recording_becomes_the_game_that_was_played(tmp_path: Path) -> None:
    state = await play(tmp_path / "j.db", items())
    assert state.moves == moves(items())
    told = [e["move"] for e in published(tmp_path / "j.db", f"game/{state.game}") if e["event"] == "move"]
    assert tuple(told) == state.moves


async def test_a_game_goes_on_over_restarts_and_its_seq_too(tmp_path: Path) -> None:
    given = items()
    cuts = [0, 40, 41, 70, len(given)]
    games = set()
    for begin, end in pairwise(cuts):
        state = await play(tmp_path / "j.db", given[max(0, begin - 1) : end])
        games.add(state.game)
    assert len(games) == 1
    assert state.moves == moves(given)
    told = published(tmp_path / "j.db", f"game/{state.game}")
    assert [e["event"] for e in told].count("game_started") == 1
    assert [e["move"] for e in told if e["event"] == "move"] == list(state.moves)
    with Journal.open(tmp_path / "j.db") as journal:
        assert journal.differences() == []
        inputs = [stored.item for stored in journal.inputs(state.game)]
    links = [item.state for item in inputs if isinstance(item, Link)]
    assert links == ["lost", "back"] * 3
    assert [item.at for item in inputs] == sorted(item.at for item in inputs)


async def test_the_export_of_a_game_replays_to_the_same_moves(tmp_path: Path) -> None:
    state = await play(tmp_path / "j.db", items())
    with Journal.open(tmp_path / "j.db") as journal:
        (tmp_path / "game.jsonl").write_text("\n".join(journal.export(state.game)), encoding="utf-8")
    header, inputs = read_recording(tmp_path / "game.jsonl")
    assert header.game == state.game
    assert moves(inputs, header) == state.moves


async def test_inputs_that_were_journalled_but_not_fed_are_fed_at_the_next_start(tmp_path: Path) -> None:
    given = items()
    state = await play(tmp_path / "j.db", given[:40])
    with Journal.open(tmp_path / "j.db") as journal:
        shift = journal.last_at - given[39].at
        late = [replace(item, at=item.at + shift) for item in given[40:]]
        journal.append("table-1", state.game, late)
    after = await play(tmp_path / "j.db", ())
    assert after.moves == moves(given)
    told = published(tmp_path / "j.db", f"game/{state.game}")
    assert [e["move"] for e in told if e["event"] == "move"] == list(after.moves)


async def test_ticks_are_fed_when_they_are_due_and_stored_with_their_events(tmp_path: Path) -> None:
    hands = Hands()
    fed: list[Odd] = []

    def ticking(header: Header) -> Odd:
        def says(item: Input) -> list[Any]:
            return [MoveConfirmed(item.at, 1, 1)] if isinstance(item, Tick) and fed[-1].fed else []

        def wants(last: Input | None) -> float | None:
            return last.at + 0.1 if isinstance(last, See) else None

        fed.append(Odd(header, says, wants))
        return fed[-1]

    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup()], make_session=ticking) as gateway:
            see = See(hands["table-1"].now(), "./.")
            hands["table-1"].given.put_nowait(see)
            await until(lambda: isinstance(fed[0].fed[-1], Tick) and len(fed[0].fed) == 3)
            name = gateway.boards["table-1"].game
        assert name is not None
        stored = list(journal.inputs(name))
    assert [type(entry.item) for entry in stored] == [Tick, See, Tick]
    assert stored[-1].item.at == pytest.approx(see.at + 0.1)
    assert stored[-1].events[0]["at"] == stored[-1].item.at
    assert fed[0].fed == [entry.item for entry in stored]


async def test_a_session_that_fails_twice_is_quarantined_and_no_other_board_notices(tmp_path: Path) -> None:
    hands = Hands()
    poison = "?/?"

    def make(header: Header) -> Odd:
        def says(item: Input) -> list[Any]:
            if header.board == "table-1" and isinstance(item, See) and item.rows == poison:
                raise ZeroDivisionError
            return [MoveConfirmed(item.at, 1, 1)] if isinstance(item, See) else []

        return Odd(header, says)

    boards = [hands.setup(), hands.setup(replace(HEADER, board="table-2"))]
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards, make_session=make) as gateway:
            for board in ("table-1", "table-2"):
                for at, rows in enumerate(["./.", poison, "o/."]):
                    hands[board].given.put_nowait(See(hands[board].now() + at, rows))
                hands[board].given.put_nowait(None)
            await gateway.finished()
            assert [board.failed for board in gateway.boards.values()] == [True, False]
            names = [board.game for board in gateway.boards.values()]
        bodies = [[row.body for row in journal.events(f"game/{name}")] for name in names]
        assert [b["event"] for b in bodies[0]] == ["move_confirmed", "board"]
        assert bodies[0][1]["state"] == "failed"
        assert len(bodies[1]) == 3
        states = [entry.state for entry in journal.inputs(names[0] or "")]
        assert states == ["fed", "fed", "failed", "journalled"]

    # A version that can read the input goes on from it.
    def mended(header: Header) -> Odd:
        return Odd(header, lambda item: [MoveConfirmed(item.at, 1, 1)] if isinstance(item, See) else [])

    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards, make_session=mended) as gateway:
            assert not gateway.boards["table-1"].failed
        bodies[0] = [row.body for row in journal.events(f"game/{names[0]}")]
    assert [b["event"] for b in bodies[0]] == ["move_confirmed", "board", "move_confirmed", "move_confirmed"]


async def test_a_session_that_fails_once_is_made_again_from_the_journal(tmp_path: Path) -> None:
    hands = Hands()
    made: list[Odd] = []

    def make(header: Header) -> Odd:
        first = not made

        def says(item: Input) -> list[Any]:
            if first and isinstance(item, See) and item.rows == "o/.":
                raise MemoryError
            return [MoveConfirmed(item.at, 1, 1)] if isinstance(item, See) else []

        made.append(Odd(header, says))
        return made[-1]

    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup()], make_session=make) as gateway:
            for at, rows in enumerate(["./.", "o/.", "./o"]):
                hands["table-1"].given.put_nowait(See(hands["table-1"].now() + at, rows))
            hands["table-1"].given.put_nowait(None)
            await gateway.finished()
            assert not gateway.boards["table-1"].failed
            name = gateway.boards["table-1"].game
        assert [row.seq for row in journal.events(f"game/{name}")] == [1, 2, 3]
    assert len(made) == 2


async def test_other_events_of_another_version_are_reported_and_nothing_is_published_again(tmp_path: Path) -> None:
    def saying(square: str) -> Callable[[Header], Noisy]:
        return lambda header: Noisy(header, square)

    given = items()
    await play(tmp_path / "j.db", given[:40], make_session=saying("c3"))
    state = await play(tmp_path / "j.db", given[39:], make_session=saying("d4"))
    assert state.moves == moves(given)
    with Journal.open(tmp_path / "j.db") as journal:
        differences = journal.differences()
    assert [(stored[-1]["square"], again[-1]["square"]) for _, stored, again in differences] == [("c3", "d4")] * 40
    told = published(tmp_path / "j.db", f"game/{state.game}")
    assert [e["move"] for e in told if e["event"] == "move"] == list(state.moves)
    noise = [e["square"] for e in told if e["event"] == "piece_lifted" and e["since"] == NOISE]
    assert noise == sorted(noise)


class Other:
    """A Session of another version."""

    def __init__(self, header: Header) -> None:
        self._session = Session(header, regulation_of(header))

    @property
    def deadline(self) -> float | None:
        return self._session.deadline

    @property
    def state(self) -> GameState:
        return self._session.state

    def feed(self, item: Input) -> list[Event]:
        return self._session.feed(item)


NOISE = -1.0


class Noisy(Other):
    """It tells more than others of each reading."""

    def __init__(self, header: Header, square: str) -> None:
        super().__init__(header)
        self._square = square

    def feed(self, item: Input) -> list[Event]:
        more = [PieceLifted(item.at, self._square, None, NOISE)] if isinstance(item, See) else []
        return [*super().feed(item), *more]


class Blind(Other):
    """It sees nothing."""

    def feed(self, item: Input) -> list[Event]:
        return super().feed(Tick(item.at) if isinstance(item, See) else item)


class Ending(Other):
    """It ends each game at its first move."""

    @property
    def state(self) -> GameState:
        state = super().state
        over = GameOver(0.0, "none", "*", "void", None, 1, state.revision)
        return replace(state, over=over) if state.moves else state

    def feed(self, item: Input) -> list[Event]:
        events = super().feed(item)
        return [*events, *(GameOver(e.at, "none", "*", "void", None, 1, 0) for e in events if isinstance(e, MoveMade))]


@pytest.mark.parametrize("other", [Blind, Ending])
async def test_a_version_that_comes_to_another_record_publishes_nothing_and_the_published_record_stands(
    tmp_path: Path, other: Callable[[Header], Other]
) -> None:
    given, path = items(), tmp_path / "j.db"
    before = await play(path, given[:40])
    stream = f"game/{before.game}"
    told = published(path, stream)
    for _ in range(2):
        with Journal.open(path) as journal:
            async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(given[39:50])], make_session=other) as on:
                await on.finished()
                board = on.boards["table-1"]
                assert board.failed
                assert board.state is not None
                assert (board.state.moves, board.state.fen) == (before.moves, before.fen)
                assert board.state.over is None
                await board.give(Command(0.0, "result", f"c{journal.last_at}", {"result": "draw"}, "ana"))
                await board.drained()
            answers = [row.body for row in journal.unsent() if row.stream == "ack/ana"]
            assert answers[-1]["reason"] == "board_failed"
    since = published(path, stream)[len(told) :]
    assert [(e.get("state"), e.get("reason")) for e in since if e["event"] != "command"] == [
        ("failed", "record_differs")
    ]
    # The version that played it goes on with what was only journalled, and not with what was refused.
    state = await play(path, given[49:])
    assert state.moves == moves(given)
    assert state.over is None
    assert state.board_state is not None
    shown = [e["state"] for e in published(path, stream) if e["event"] == "board"]
    assert shown[-1] == state.board_state.state != "failed"


POISON = "poison"


class Poisoned(Other):
    """It cannot read what one of the sources says."""

    def feed(self, item: Input) -> list[Event]:
        events = super().feed(item)
        if isinstance(item, See) and item.by == POISON:
            raise ZeroDivisionError
        return events


def folded(path: Path, stream: str) -> Record:
    record = Record()
    for body in published(path, stream):
        record = fold_event(record, body)
    return record


async def test_the_arbiter_lets_a_quarantined_game_go_on_behind_the_input_at_which_it_failed(tmp_path: Path) -> None:
    given, path = items(), tmp_path / "j.db"
    seen = [item for item in given if isinstance(item, See)]
    poison = replace(seen[30], by=POISON)
    last = list(game().positions())[-1]
    wrong = {"c1": ({}, "needs_fen"), "c2": ({"fen": "W:Wz9:B"}, "bad_fen")}
    with Journal.open(path) as journal:
        source = replayed((*seen[:31], poison, *seen[31:]), replace(HEADER, opening=" ".join(moves(given)[:2])))
        async with asyncio.timeout(SECONDS), Gateway(journal, [source], make_session=Poisoned) as gateway:
            await gateway.finished()
            board = gateway.boards["table-1"]
            assert board.failed
            assert board.state is not None
            before = board.state.moves
            assert 0 < len(before) < len(moves(given))
            for id_, (arguments, _) in wrong.items():
                await board.give(Command(0.0, "set_position", id_, arguments, "ana"))
            await board.give(Command(0.0, "stands", "c3", {"alert": "a1"}, "ana"))
            await board.drained()
            assert board.failed
            await board.give(Command(0.0, "set_position", "c4", {"fen": write_fen(last)}, "ana", "as it stands"))
            await board.drained()
            assert not board.failed
            state = board.state
        answers = [row.body for row in journal.unsent() if row.stream == "ack/ana"]
    assert state is not None
    assert (len(state.moves), state.fen) == (len(before), write_fen(last))
    assert [(a["id"], a["reason"]) for a in answers] == [
        *((id_, reason) for id_, (_, reason) in wrong.items()),
        ("c3", "board_failed"),
        ("c4", None),
    ]
    told = published(path, f"game/{state.game}")
    assert [e["at"] for e in told] == sorted(e["at"] for e in told)
    shown = [(e["state"], e.get("reason")) for e in told if e["event"] == "board"]
    failed = shown.index(("failed", "input_failed"))
    assert shown[failed + 1] == ("lost", "not_followed")
    assert shown[-1] == ("in_play", None)

    for _ in range(2):
        after = await play(path, (replace(seen[-1], at=0.0),), make_session=Poisoned)
        assert (after.moves, after.fen, after.alerts) == (state.moves, state.fen, ())
        record = folded(path, f"game/{state.game}")
        assert (record.moves, record.fen, record.alerts) == (after.moves, after.fen, ())
    with Journal.open(path) as journal:
        assert journal.differences() == []
    move = legal_moves(last)[0]
    table = SimulatedTable(last)
    shown_now = [See(0.0, seen[-1].rows)]
    for at, square in ((1.0, (move.start, *move.captured)), (1.5, (move.end,))):
        for each in square:
            table.pieces.pop(each, None)
        if at == 1.5:
            table.pieces[move.end] = "w"
        shown_now.append(See(at, rows({s: "o" for s in table.pieces}, last.variant.geometry)))
    after = await play(path, (*shown_now, Tick(20.0)), make_session=Poisoned)
    assert after.fen == write_fen(last.after(move))


async def test_a_new_game_begins_where_the_record_of_the_last_one_only_stands(tmp_path: Path) -> None:
    given, path = items(), tmp_path / "j.db"
    await play(path, given[:40])
    with Journal.open(path) as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(())], make_session=Blind) as gateway:
            board = gateway.boards["table-1"]
            assert board.failed
            await board.give(Command(0.0, "new_game", "c1", {"game": "final"}, "olga"))
            await board.drained()
            assert (board.game, board.failed) == ("final", False)
            assert board.state is not None
            assert board.state.moves == ()


async def test_a_source_that_breaks_is_a_lost_link_and_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.app.intake.BREAK_FIRST", 0.05)
    hands = Hands()
    seen: list[Input] = []

    def make(header: Header) -> Odd:
        return Odd(header, lambda item: seen.append(item) or [])

    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup()], make_session=make):
            first = hands["table-1"]
            first.given.put_nowait(See(first.now(), "./."))
            first.given.put_nowait(RuntimeError("the driver is gone"))
            await until(lambda: hands["table-1"] is not first)
            hands["table-1"].given.put_nowait(See(first.now(), "o/."))
            await until(lambda: isinstance(seen[-1], See) and len(seen) > 3)
    assert [getattr(item, "state", type(item)) for item in seen] == [Tick, See, "lost", "back", See]


class Missing:
    """A source whose device is not there until `there` is set."""

    def __init__(self, now: Callable[[], float], there: asyncio.Event) -> None:
        self._hand = HandFed(now)
        self._there = there

    async def __aenter__(self) -> HandFed:
        if not self._there.is_set():
            raise BoardError("port_missing", port="/dev/nowhere")
        self._hand.given.put_nowait(See(self._hand.now(), "o/."))
        return self._hand

    async def __aexit__(self, *exc: object) -> None:
        return None

    def __aiter__(self) -> AsyncIterator[Input]:
        return self._hand.__aiter__()


async def test_a_board_that_is_missing_at_the_start_is_waited_for_while_the_others_play(tmp_path: Path) -> None:
    there = asyncio.Event()
    seen: dict[str, list[Input]] = {"table-1": [], "table-2": []}

    def make(header: Header) -> Odd:
        return Odd(header, lambda item: seen[header.board].append(item) or [])

    hands = Hands()
    boards = [BoardSetup(HEADER, lambda now: Missing(now, there)), hands.setup(replace(HEADER, board="table-2"))]
    with Journal.open(tmp_path / "new.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, boards, make_session=make) as gateway:
            hands["table-2"].given.put_nowait(See(hands["table-2"].now(), "./."))
            await until(lambda: isinstance(seen["table-2"][-1], See))
            await until(lambda: seen["table-1"][-1:] == [Link(seen["table-1"][-1].at, "lost", "port_missing")])
            assert [board.up for board in gateway.figures().boards.values()] == [False, True]
            there.set()
            await until(lambda: seen["table-1"][-1] == See(seen["table-1"][-1].at, "o/."))
            assert gateway.boards["table-1"].figures.up
    assert [getattr(item, "state", type(item)) for item in seen["table-1"]] == [Tick, "lost", "back", See]


async def test_a_game_that_goes_on_waits_for_its_board(tmp_path: Path) -> None:
    there = asyncio.Event()
    seen: list[Input] = []

    def make(header: Header) -> Odd:
        return Odd(header, lambda item: seen.append(item) or [])

    await play(tmp_path / "j.db", (See(0.0, "./."),), make_session=make)
    seen.clear()
    missing = BoardSetup(HEADER, lambda now: Missing(now, there))
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [missing], make_session=make):
            there.set()
            await until(lambda: seen[-1] == See(seen[-1].at, "o/."))
    links = [item.state for item in seen if isinstance(item, Link)]
    assert (links[0], links[-1], set(links[:-1])) == ("lost", "back", {"lost"})


async def test_a_new_game_takes_over_the_board_and_each_game_keeps_its_own_stream(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(items(1, 30)[:1])]) as gateway:
            await gateway.finished()
            board = gateway.boards["table-1"]
            first = board.game
            asked = {"game": "final", "clock": "300+5", "players": {"white": {"name": "Ana"}}}
            await board.give(Command(0.0, "new_game", "c1", asked, "olga"))
            await board.drained()
            assert board.game == "final"
            await board.give(Command(0.0, "new_game", "c2", {"game": "final"}, "olga"))
            await board.give(Command(0.0, "new_game", "c3", {"regulation": "unheard-of"}, "olga"))
            await board.drained()
            assert board.game == "final"
        assert [(g.game, g.header.clock) for g in journal.games("table-1")] == [(first, None), ("final", "300+5")]
        told = [row.body for row in journal.events("game/final")]
        answers = {e["id"]: (e["reason"], e.get("detail")) for e in told if e["event"] == "command"}
        assert answers["c1"] == (None, None)
        assert answers["c2"] == ("game_exists", "there is a game 'final' already")
        assert answers["c3"][0] == "bad_argument"
        assert "unheard-of" in answers["c3"][1]
        acks = [row.body["id"] for row in journal.unsent() if row.stream == "ack/olga"]
        assert acks == ["c1", "c2", "c3"]


async def test_a_new_game_does_not_end_one_that_is_being_played(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(items())]) as gateway:
            await gateway.finished()
            board = gateway.boards["table-1"]
            before = board.game
            await board.give(Command(0.0, "new_game", "c1", {}, "olga"))
            await board.drained()
            assert board.game == before
        told = [row.body for row in journal.events(f"game/{before}")]
    assert told[-1]["reason"] == "game_not_over"


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({"players": ["Ana", "Bia"]}, "players must be an object with white and black"),
        ({"players": {"white": {"name": "Ana"}, "red": {"name": "Bia"}}}, "players must be an object"),
        ({"players": {"white": "Ana"}}, "white must be an object with a name"),
        ({"players": {"black": {"name": " "}}}, "black must be an object with a name"),
        ({"players": {"black": {"name": "Bia", "public": True}}}, "public of black must be a text"),
        ({"fen": 7}, "fen must be a text"),
        ({"fen": "W:Wz9:B"}, "z9"),
        ({"regulation": "br-cbdj"}, "br-cbdj"),
        ({"regulation": {}}, "regulation must be a text"),
        ({"recorded": "yes"}, "recorded must be true or false"),
        ({"game": "The Final"}, "The Final"),
        ({"opening": "9-14"}, "'9-14' is not legal here"),
        ({"clock": 300}, "clock must be a text"),
        ({"clock": "5 min"}, "did you mean 300?"),
    ],
)
async def test_a_new_game_with_a_wrong_argument_changes_nothing_and_says_what_is_wrong(
    tmp_path: Path, arguments: dict[str, Any], detail: str
) -> None:
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(items()[:1])]) as gateway:
            await gateway.finished()
            board = gateway.boards["table-1"]
            before = board.game
            await board.give(Command(0.0, "new_game", "c1", arguments, "olga"))
            await board.drained()
            assert board.game == before
        answers = [row.body for row in journal.unsent() if row.stream == "ack/olga"]
    assert [(a["outcome"], a["reason"]) for a in answers] == [("refused", "bad_argument")]
    assert detail in answers[0]["detail"]
    assert "\n" not in answers[0]["detail"]


async def test_the_record_is_handed_over_when_a_game_ends_and_when_the_gateway_stops(tmp_path: Path) -> None:
    handed: list[GameState] = []
    with Journal.open(tmp_path / "j.db") as journal:
        async with (
            asyncio.timeout(SECONDS),
            Gateway(journal, [replayed(items())], on_record=handed.append) as gateway,
        ):
            await gateway.finished()
            assert handed == []
            board = gateway.boards["table-1"]
            arguments = {"result": "1-0", "reason": "resigned"}
            await board.give(Command(0.0, "result", "c1", arguments, "ana"))
            await board.drained()
            await until(lambda: len(handed) == 1)
            assert handed[0].over is not None
    assert len(handed) == 2
    assert handed[1].moves == moves(items())


async def test_a_broken_board_task_goes_on_from_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.app.gateway.AGAIN_SECONDS", 0.01)
    given = items()
    failed = []
    whole = Journal.fed

    def failing(self: Journal, board: str, game_: str | None, number: int, *told: Any) -> Any:
        if number == 30 and not failed:
            failed.append(number)
            raise RuntimeError("no such luck")
        return whole(self, board, game_, number, *told)

    monkeypatch.setattr(Journal, "fed", failing)
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(given)]) as gateway:
            board = gateway.boards["table-1"]
            await until(lambda: board.state is not None and board.state.moves == moves(given))
    assert failed == [30]


async def test_the_operator_is_told_once_that_a_board_is_lost_and_once_that_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hands = Hands()
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [hands.setup()]) as gateway:
            source = hands["table-1"]
            rows = items()[0].rows
            for item in (
                See(source.now(), rows),
                Link(source.now(), "lost", "port_lost"),
                Link(source.now(), "lost", "port_lost"),
                Link(source.now(), "back"),
                See(source.now(), rows),
                None,
            ):
                source.given.put_nowait(item)
            await gateway.finished()
    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert told == ["board table-1: link lost: port_lost", "board table-1: link back"]


async def test_play_is_shown_to_who_wants_to_see_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "damas_board.app")
    state = await play(tmp_path / "j.db", items())
    told = [record.getMessage() for record in caplog.records if record.name == "damas_board.app.board"]
    assert [line for line in told if "was" not in line] == [
        f"table-1: {ply}. {move}" for ply, move in enumerate(state.moves, 1)
    ]


async def test_an_irregular_move_is_told_to_whoever_sits_at_the_boards_and_a_note_only_to_who_wants_to_see_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "damas_board.app")
    empty = "......../......../......../......../"
    shown = (
        (0.0, "...b..../..w...../......../....w..."),
        (2.0, "......../..w...../......../....w..."),  # Black touches d4 out of turn: a note
        (3.0, "...b..../..w...../......../....w..."),
        (5.0, "...b..../..w...../.....w../........"),  # White moves e1-f2 and takes nothing
    )
    header = replace(HEADER, start="W:Wc3,e1:Bd4", senses="colour")
    given = (*(See(at, empty + rows) for at, rows in shown), Tick(20.0))
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [replayed(given, header)]) as gateway:
            await gateway.finished()
    told = [(r.levelname, r.getMessage()) for r in caplog.records if "alert" in r.getMessage()]
    assert [level for level, _ in told] == ["INFO", "WARNING"]
    assert told[0][1].startswith("table-1: alert a1: note: touched_out_of_turn, black, d4")
    assert told[1][1].startswith("table-1: alert a2: irregular: missed_capture, white, e1 f2")


async def test_a_board_that_stays_away_is_not_told_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("damas_board.app.intake.Backoff", lambda *waits: Backoff(*(waits or (0.01, 1.0, 0.01))))
    caplog.set_level("INFO", "damas_board.app")
    await play(tmp_path / "j.db", items()[:1])
    caplog.clear()
    there = asyncio.Event()
    missing = BoardSetup(HEADER, lambda now: Missing(now, there))
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(SECONDS), Gateway(journal, [missing]) as gateway:
            await until(lambda: sum("no such port" in record.getMessage() for record in caplog.records) > 3)
            there.set()
            await until(lambda: gateway.boards["table-1"].figures.up)
    told = [record for record in caplog.records if "no such port" in record.getMessage()]
    assert [record.levelname for record in told[:3]] == ["ERROR", "INFO", "INFO"]
    assert told[0].getMessage().endswith("is the board plugged in?; it is waited for")
