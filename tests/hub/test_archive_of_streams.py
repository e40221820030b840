"""What the archive holds of a game is what its stream folds to, however the events come, and by whomever."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
from hub.streams import archive_all, content, envelopes, expected, folded, kept, move, over, started, unruly
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damas_board.hub.archive import Archive
from damas_board.messages.envelope import Envelope, object_of

MEETING = "open"
_numbers = count(1)
SAME_DATABASE = [HealthCheck.function_scoped_fixture]


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    with Archive.open(url) as opened:
        yield opened


def pieces(stream: list[Envelope], sizes: list[int], shuffled: random.Random | None = None) -> list[list[Envelope]]:
    """The stream in batches of these sizes, again and again; some events twice, any order where `shuffled`."""
    stream = list(stream)
    if shuffled is not None:
        stream += shuffled.sample(stream, len(stream) // 3)
        shuffled.shuffle(stream)
    batches, size = [], 0
    while stream:
        batch, stream = stream[: sizes[size % len(sizes)]], stream[sizes[size % len(sizes)] :]
        batches.append(batch)
        size += 1
    return batches


@settings(deadline=None, max_examples=8, suppress_health_check=SAME_DATABASE)
@given(st.integers(0, 40), st.lists(st.integers(2, 40), min_size=1, max_size=3), st.none() | st.randoms())
def test_an_unruly_game_is_archived_as_it_folds_at_every_point(archive, seed, sizes, shuffled) -> None:
    game = f"g-{next(_numbers)}"
    stream = unruly(seed, game)
    seen: dict[int, Envelope] = {}
    for batch in pieces(stream, sizes, shuffled):
        archive.take(MEETING, batch)
        seen |= {envelope.seq: envelope for envelope in batch}
        prefix = [seen[seq] for seq in range(1, len(seen) + 1) if all(s in seen for s in range(1, seq + 1))]
        assert archive.known(MEETING).get(game, (1, 0)) == (1, len(prefix))
        if prefix and shuffled is None:
            assert kept(archive, MEETING, game) == expected(folded(prefix))
    assert archive.known(MEETING)[game] == (1, len(stream))
    assert kept(archive, MEETING, game) == expected(folded(stream))
    assert [object_of(envelope) for envelope in archive.events(MEETING, game)] == [object_of(e) for e in stream]
    assert archive.record(MEETING, game) == folded(stream)


def test_the_same_events_make_the_same_archive_in_any_pieces_and_order(new_archive) -> None:
    games = [*unruly(10, "g-1"), *unruly(6, "g-2"), *unruly(11, "g-1", epoch=3)]
    contents = []
    for attempt in range(4):
        shuffled = random.Random(attempt) if attempt else None
        with Archive.open(new_archive()) as archive:
            for batch in pieces(games, [1, 17, 4] if attempt < 2 else [len(games)], shuffled):
                archive.take(MEETING, batch)
            contents.append(content(archive))
    assert contents[0]["plies"]
    assert contents[0]["events"]
    for other in contents[1:]:
        for table, rows in contents[0].items():
            assert other[table] == rows, table


def test_a_restarted_archive_goes_on_where_it_was(url) -> None:
    stream = unruly(7, "g-1")
    for batch in pieces(stream, [9]):
        with Archive.open(url) as archive:
            archive.take(MEETING, batch)
    with Archive.open(url) as archive:
        assert kept(archive, MEETING, "g-1") == expected(folded(stream))


def test_corrections_leave_no_line_of_what_was_there_before(archive) -> None:
    revised = {"event": "move_revised", "was": "f6-e5"}
    bodies = [
        started("g-1"),
        move(1, "c3-d4"),
        {"event": "alert", "id": "g-1-a1", "kind": "held_piece", "severity": "note", "ply": 2, "squares": ["f6"]},
        move(2, "f6-e5"),
        {**move(2, "f6-g5", captured=["e5"], revision=1), **revised},
        {"event": "alert_closed", "id": "g-1-a1", "how": "rectified"},
        move(3, "d4-c5", revision=1),
        {"event": "moves_retracted", "from_ply": 2, "reason": "rewind", "revision": 2, "fen": "W:Wa1:Bh8"},
        {"event": "position_set", "fen": "B:Wa1,c1:Bh8", "ply": 1, "by": "ana", "revision": 3},
        over("white"),
        {"event": "command", "id": "c1", "do": "reopen", "outcome": "done", "by": "ana"},
        {"event": "game_reopened", "by": "ana", "revision": 4},
    ]
    stream = envelopes("g-1", bodies)
    for envelope in stream:
        archive.take(MEETING, [envelope])
    rows = content(archive)
    assert [(row["ply"], row["move"], row["fen"], row["position"]) for row in rows["plies"]] == [
        (1, "c3-d4", "B:Wa1,c1:Bh8", "B:Wa1,c1:Bh8")
    ]
    assert [(row["alert"], row["open"], row["how"]) for row in rows["alerts"]] == [("g-1-a1", False, "rectified")]
    assert [(row["do"], row["outcome"], row["by"]) for row in rows["decisions"]] == [("reopen", "done", "ana")]
    (game,) = rows["games"]
    assert (game["moves"], game["state"], game["winner"], game["ended"]) == ("c3-d4 ", "playing", None, None)


def test_a_newer_epoch_replaces_the_game_and_keeps_the_old_events_aside(archive) -> None:
    old, new = unruly(3, "g-1"), unruly(4, "g-1", epoch=2)
    archive.take(MEETING, old)
    archive.take(MEETING, new[1:])
    assert archive.known(MEETING)["g-1"] == (1, len(old))  # not before its beginning is there
    archive.take(MEETING, new[:1])
    assert archive.known(MEETING)["g-1"] == (2, len(new))
    assert kept(archive, MEETING, "g-1") == expected(folded(new))
    assert archive.set_aside(MEETING, "g-1") == {1: len(old)}
    archive.take(MEETING, old)
    assert kept(archive, MEETING, "g-1") == expected(folded(new))


def test_an_event_that_cannot_follow_is_left_out_and_named_and_the_game_goes_on(archive) -> None:
    bad = {"event": "move", "ply": 7}
    archive.take(MEETING, envelopes("g-1", [started("g-1"), bad, move(1, "c3-d4")]))
    game = archive.game(MEETING, "g-1")
    assert game["moves"] == ["c3-d4"]
    assert game["fault"].startswith("event 2: ")


def test_what_is_no_event_of_a_game_is_left_out_and_told(archive, caplog) -> None:
    good = envelopes("g-1", [started("g-1")])
    nothing = Envelope("damas.event/1", good[0].ts, "t", "g-1")
    other = Envelope("damas.state/1", good[0].ts, "t", "g-1", 1, 2)
    strange = Envelope("damas.event/1", good[0].ts, "t", "../g", 1, 1)
    huge = Envelope("damas.event/1", good[0].ts, "t", "g-1", 1, 2**63)
    wrong = Envelope("damas.event/1", "yesterday", "t", "g-1", 1, 2)
    archive.take(MEETING, [nothing, other, strange, huge, wrong, *good])
    assert archive.known(MEETING) == {"g-1": (1, 1)}
    assert len([line for line in caplog.messages if "cannot be archived" in line]) == 5


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
BODIES = (
    started("g"),
    move(1, "c3-d4"),
    {**move(1, "c3-b4"), "event": "move_revised"},
    {"event": "alert", "id": "a1", "kind": "held_piece", "ply": 1, "squares": ["c3"], "severity": "note"},
    {"event": "alert_closed", "id": "a1", "how": "stands"},
    {"event": "clock", "white": 3.0, "black": 4.0, "running": "white"},
    {"event": "command", "id": "c", "do": "start", "outcome": "done", "by": "ana", "note": "so"},
    over("white"),
)


@settings(deadline=None, max_examples=40, suppress_health_check=SAME_DATABASE)
@given(st.lists(st.tuples(st.sampled_from(BODIES), st.integers(0, 30), ANYTHING), min_size=1, max_size=12))
def test_values_of_any_type_do_no_harm(archive, changes) -> None:
    """Whatever a gateway may say, each event is stored and counted."""
    game = f"x-{next(_numbers)}"
    bodies = [{**body, "game": game} for body, _, _ in changes]
    for body, (_, key, value) in zip(bodies, changes, strict=True):
        body[list(body)[key % len(body)]] = value
    stream = envelopes(game, [{**body, "at": 1.0} for body in bodies if body.get("game") == game])
    archive.take(MEETING, stream)
    assert archive.known(MEETING).get(game, (1, 0)) == (1, len(stream))


def shares(stream: list[Envelope], hubs: int) -> list[list[list[Envelope]]]:
    """What each of several hubs takes: all of it, in pieces of its own; every third one in any order."""
    return [pieces(stream, [4, 11, 1 + hub], random.Random(hub) if hub % 3 == 2 else None) for hub in range(hubs)]


def two_games() -> list[Envelope]:
    """Two games, one of them in two epochs."""
    return [*unruly(11, "g-1"), *unruly(10, "g-2"), *unruly(6, "g-2", epoch=2)]


ROUND = {
    "ts": "2026-01-31T18:00:00Z",
    "pairings": [
        {"table": n, "game": f"g-{n}", "white": {"name": f"P{n}"}, "black": {"name": f"P{n % 3 + 1}"}}
        for n in (1, 2, 3)
    ],
}


@pytest.fixture
def once(new_archive: Callable[[], str]) -> dict:
    """What one hub archives."""
    with Archive.open(new_archive()) as archive:
        archive.take(MEETING, two_games())
        archive.take_round(MEETING, "1", ROUND)
        return content(archive)


def test_two_hubs_in_threads_archive_into_the_same_database(url, once) -> None:
    def work(share: list[list[Envelope]]) -> None:
        with Archive.open(url) as archive:
            for batch in share:
                archive.take_round(MEETING, "1", ROUND)
                archive.take(MEETING, batch)

    with ThreadPoolExecutor() as pool:
        list(pool.map(work, shares(two_games(), 3)))
    with Archive.open(url) as archive:
        assert content(archive) == once


@contextmanager
def started_process(target: Callable[..., None], *arguments: object) -> Iterator[multiprocessing.Process]:
    process = multiprocessing.get_context("spawn").Process(target=target, args=arguments)
    process.start()
    try:
        yield process
    finally:
        process.join(timeout=60)
        process.kill()


def test_two_hubs_in_processes_archive_into_the_same_database(url, once) -> None:
    first, second = ((MEETING, share, ROUND) for share in shares(two_games(), 2))
    with started_process(archive_all, url, *first) as one, started_process(archive_all, url, *second) as two:
        pass
    assert (one.exitcode, two.exitcode) == (0, 0)
    with Archive.open(url) as archive:
        assert content(archive) == once
