"""Real games, from a hall through a hub to a reader as strict as Lidraughts; and what the operator is told of it."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall
from hub.halls import LOGINS, MEETING, Gateway, hub, publish, until
from messages.lidraughts import Broadcast, Refused

from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub import file_words
from damas_board.hub.console import feed_words
from damas_board.hub.feed_watch import QUIET_SECONDS, TEXTS, FeedWatch, Pace
from damas_board.hub.pages import Page, Pages, View, file_of, packed
from damas_board.hub.publisher import Publisher
from damas_board.hub.web import WebServer
from damas_board.messages.feed import Feed, feed_game
from damas_board.messages.rounds import Round, read_round
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn import PdnGame, read_games
from damas_board.regulations import shipped
from damas_board.rules.position import initial

FILES = {
    "br-cbjd": "brazilian/pydraughtstests__lidraughts_brazilian.pdn",
    "ru-fmjd64": "russian/pydraughtstests__lidraughts_russian.pdn",
    "frisian": "frisian/pydraughts_tests_frisian.pdn",
    "int-fmjd": "international/pydraughtstests__lidraughts_standard.pdn",
}


def real_games(shared: Path, regulation: str) -> list[PdnGame]:
    return list(read_games((shared / "games" / FILES[regulation]).read_bytes()))


def events(game: str, regulation: str, played: PdnGame) -> list[dict[str, Any]]:
    """A game as a hall tells it: its start, and each move with the clock behind it."""
    ts = "2026-01-31T18:30:00Z"
    told: list[dict[str, Any]] = [
        {"event": "game_started", "game": game, "regulation": regulation, "fen": write_fen(played.start)}
    ]
    for number, ply in enumerate(played.plies, 1):
        assert ply.move is not None
        side = ply.before.turn.label
        clock = {"white": 3600.0 - 7 * number, "black": 3600.0 - 5 * number, "running": ply.after.turn.label}
        told.append({"event": "clock", **clock, "stale": False})
        told.append(
            {
                **{"event": "move", "ply": number, "side": side, "move": write_move(ply.before, ply.move)},
                **{"from": "a1", "to": "b2", "path": [], "captured": [], "promoted": False},
                **{"fen": write_fen(ply.after), "provisional": False, "irregular": False, "basis": "seen"},
                **{"down": 1.0, "seconds": None, "revision": 0},
            }
        )
    return [{"ts": ts, "at": float(number), **event} for number, event in enumerate(told)]


def folded(told: list[dict[str, Any]]) -> Record:
    record = Record()
    for event in told:
        record = fold_event(record, event)
    return record


def test_real_games_arrive_as_they_were_played(shared: Path) -> None:
    """Captures that their ends do not name too; half of each game first, as a text and as JSON."""
    games = [(f"g-{name}-{n}", name, one) for name in FILES for n, one in enumerate(real_games(shared, name)[:8])]
    for kind in ("pdn", "json"):
        feed, broadcast = Feed(), Broadcast()
        for part in (0, 2, 1):
            texts = []
            for game, regulation, played in games:
                record = folded(events(game, regulation, played))
                told = (
                    record if part == 1 else replace(record, plies=record.plies[: part and len(record.plies) // part])
                )
                texts.append((game, feed_game(told, shipped(regulation), {"Round": "1"})))
            feed = feed.with_games(texts)
            assert feed.frozen == {}
            as_json = json.dumps({"games": [{"pdn": text} for text in feed.games.values()]})
            broadcast.fetch(feed.text if kind == "pdn" else as_json)
        assert broadcast.format == kind
        for (_, _, played), chapter, one in zip(games, broadcast.chapters, broadcast.games, strict=True):
            assert chapter.fens == [write_fen(ply.after) for ply in played.plies]
            assert len(one.clocks) == len(chapter.moves)
            assert all(one.clocks)
        games = games[::4]  # the second way to read it needs fewer


async def test_a_round_goes_out_move_by_move(shared: Path, tmp_path: Path) -> None:
    plies = 24
    played = {f"g-{n}": (name, real_games(shared, name)[0]) for n, name in enumerate(FILES, 1)}
    people = [{"white": {"name": f"White {n}", "title": "MF"}, "black": {"name": f"Black {n}"}} for n in range(1, 7)]
    tables = [{"table": str(n), "game": game, **people[n - 1]} for n, game in enumerate([*played, "g-5"], 1)]
    for one, (name, _) in zip(tables, played.values(), strict=False):
        one["regulation"] = name
    tables[-1] |= {"regulation": "pt-classicas", "result": "2-0"}
    body = {
        "round": "1",
        "name": "Open",
        "pairings": [*tables, {"table": "6", "white": {"name": "Bye"}, "game": "g-6"}],
    }
    broadcast, bodies = Broadcast(), []
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.host, broker.port)
        async with Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub") as running:
            await publish(hall, "olga", "round/1", body)

            def fetched(moves: int) -> bool:
                status, headers, text = running.get("/feed/1.pdn")
                assert headers["content-type"] in ("text/plain", "text/plain; charset=utf-8")
                if status == 200:
                    assert headers["content-type"].endswith("utf-8")
                    bodies.append(text.decode())
                    broadcast.fetch(bodies[-1])
                return sum(len(chapter.moves) for chapter in broadcast.chapters) == moves

            await until(lambda: fetched(0) and len(broadcast.chapters) == 5, "the round", asks=True)
            streams = {game: events(game, name, one)[: 1 + 2 * plies] for game, (name, one) in played.items()}
            for number in range(1 + 2 * plies):
                for game, stream in streams.items():
                    keys = {key: value for key, value in stream[number].items() if key not in ("ts", "at", "event")}
                    await gateway.tell(game, stream[number]["event"], **keys)
                if number % 8 == 0:
                    await asyncio.to_thread(fetched, -1)
            await until(lambda: fetched(4 * plies), "all moves", asks=True)
            for chapter, (_, one) in zip(broadcast.chapters, played.values(), strict=False):
                assert chapter.fens == [write_fen(ply.after) for ply in one.plies[:plies]]
            assert [chapter.tags["Round"] for chapter in broadcast.chapters] == [f"1.{n}" for n in range(1, 6)]
            assert [chapter.tags["WhiteTitle"] for chapter in broadcast.chapters] == ["MF"] * 5
            await until(lambda: running.hub.health["feeds"], "what is to be known")
            unknown = {"code": "feed_unknown_there", "round": "1", "regulation": "pt-classicas", "tables": ["5"]}
            assert running.hub.health["feeds"] == [unknown]
            whole = (await asyncio.to_thread(running.get, "/rounds/1.pdn"))[2]
            assert [len(game.plies) for game in read_games(whole)] == [plies] * 4

            base = f"/livechess/{MEETING}"

            def live(path: str) -> Any:
                status, headers, text = running.get(f"{base}/{path}")
                assert (status, headers["content-type"]) == (200, "application/json")
                return json.loads(text)

            whole_meeting = await asyncio.to_thread(live, "tournament.json")
            assert (whole_meeting["name"], whole_meeting["rounds"]) == (MEETING, [{"count": 5, "live": 4}])
            index = await asyncio.to_thread(live, "round-1/index.json")
            assert len(index["pairings"]) == 5
            white = index["pairings"][0]["white"]
            assert (white["fname"], white["lname"], white["title"], white["fideid"]) == ("White", "1", "MF", None)
            assert [pairing["result"] for pairing in index["pairings"]] == ["*"] * 4 + ["1-0"]
            one_game = await asyncio.to_thread(live, "round-1/game-1.json?poll=17")
            assert (one_game["live"], one_game["result"]) == (True, None)
            first = played["g-1"][1].plies[0]
            assert first.move is not None
            assert one_game["moves"][:2] == [
                f"{write_move(first.before, first.move)} 3593",
                f"{streams['g-1'][4]['move']} 3590",
            ]
            assert one_game["clock"]["white"] == 3600 - 7 * plies
            assert abs(one_game["clock"]["time"] / 1000 - time.time()) < 600
            entered = await asyncio.to_thread(live, "round-1/game-5.json")
            assert (entered["live"], entered["result"], entered["moves"]) == (False, "WHITEWIN", [])
    assert len(bodies) > 5


def view(planned: Round, records: Mapping[str, Record] = {}, results: Mapping[str, str] = {}) -> View:
    publisher = Publisher(MEETING, 1)
    body = {"round": planned.round, "regulation": planned.regulation, "clock": planned.clock, "name": planned.name}
    pairings: list[dict[str, Any]] = []
    for one in planned.pairings:
        pairing = {"table": one.table, "game": one.game, "white": "Ana", "black": "Eva", "regulation": one.regulation}
        pairings.append(pairing | ({"result": results[one.game]} if one.game in results else {}))
    publisher.round(planned.round, {**body, "pairings": pairings}, 0.0)
    publisher.due(0.0)
    players = {one.game: publisher.players(one.game) for one in planned.pairings}
    copies = {("", game): record for game, record in records.items()}
    return View(dict(publisher.rounds), dict(publisher.shown), copies, {}, players, publisher.people())


def planned(**regulations: str | None) -> Round:
    """A round of these games, by their regulations."""
    pairings = [
        {"table": game[1:], "game": game, "white": "Ana", "black": f"Eva {game}", "regulation": regulation}
        for game, regulation in regulations.items()
    ]
    return read_round({"round": "1", "pairings": pairings})


def told(pages: Pages, watch: FeedWatch, now: float = 0.0) -> list[dict[str, Any]]:
    watch.take(pages.troubles, pages.paces, now, f"at {now:g}")
    return watch.troubles(now)


def test_what_lidraughts_cannot_do_is_told_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """A variant that it does not know, a regulation that nobody knows, a game that is cut, one that cannot go on."""
    start = write_fen(initial(shipped("br-cbjd").variant))
    begun = {"event": "game_started", "game": "x", "regulation": "br-cbjd", "fen": start, "ts": "2026-01-31T18:30:00Z"}
    move = {"event": "move", "at": 1.0, "ts": "2026-01-31T18:30:01Z", "ply": 1, "side": "white", "move": "c3-d4"}
    move |= {"fen": f"B{start[1:]}", "captured": [], "provisional": True, "irregular": True, "revision": 0}
    cut = folded([{"at": 0.0, **begun}, move])
    broken = folded([{"at": 0.0, **begun}, {**move, "irregular": False, "move": "c3-h8"}])
    round_ = planned(g1="br-cbjd", g2="pt-classicas", g3="es", g4="es", g5="our-club", g6=None, g7=None, g8="br-cbjd")
    pages, watch = Pages(MEETING), FeedWatch()
    pages.update(view(round_, {"g7": cut, "g8": broken}))
    assert told(pages, watch) == []  # nothing is said of what nobody was shown
    pages.serve()
    found = {(one["code"], one.get("regulation"), *one.get("tables", [one.get("table")])) for one in told(pages, watch)}
    assert found == {
        ("feed_unknown_there", "pt-classicas", "2"),
        ("feed_unknown_there", "es", "3", "4"),
        ("feed_no_regulation", "our-club", "5"),
        ("feed_no_regulation", None, "6"),
        ("feed_cut", None, "7"),
        ("feed_frozen", None, "8"),
    }
    assert len(caplog.records) == len(found)
    told(pages, watch)
    assert len(caplog.records) == len(found)
    assert "'" not in " ".join(record.getMessage() for record in caplog.records if "tables" in record.getMessage())
    Broadcast().fetch(pages.pages["/feed/1.pdn"].body.decode())
    behind = Pages(MEETING, setups="begin_behind")
    behind.update(view(round_, {"g7": cut}))
    behind.serve()
    assert {"code": "feed_begins_behind", "plies": 1, "round": "1", "table": "7", "game": "g7"} in behind.troubles
    assert '[FEN "' in behind.pages["/feed/1/7.pdn"].body.decode()
    assert '[FEN "' not in pages.pages["/feed/1/7.pdn"].body.decode()


def test_a_round_without_a_new_move_is_told_before_lidraughts_stops(caplog: pytest.LogCaptureFixture) -> None:
    watch = FeedWatch()
    quiet = {"code": "feed_quiet", "round": "1"}

    def look(now: float, *moves: tuple[str, ...], open: bool = True) -> list[dict[str, Any]]:
        watch.take((), {"1": Pace(moves, open)}, now, f"at {now:g}")
        return watch.troubles(now)

    assert look(0.0, (), (), open=False) == []
    assert watch.troubles(QUIET_SECONDS) == []  # it has not begun
    assert look(QUIET_SECONDS, ("c3-d4",), ()) == []
    assert watch.troubles(2 * QUIET_SECONDS - 1) == []
    assert look(2 * QUIET_SECONDS, ("c3-d4",), ()) == [{**quiet, "since": f"at {QUIET_SECONDS:g}"}]
    watch.troubles(2 * QUIET_SECONDS + 1)
    assert caplog.text.count("Lidraughts stops to ask") == 1
    assert look(2 * QUIET_SECONDS + 2, ("c3-d4", "f6-e5"), ()) == []
    assert look(4 * QUIET_SECONDS, ("c3-d4", "f6-e5"), (), open=False) == []  # it is over
    caplog.set_level(logging.WARNING)
    assert watch.troubles(9 * QUIET_SECONDS) == []


def test_a_round_is_being_played_while_lidraughts_can_show_one_of_its_games() -> None:
    start = write_fen(initial(shipped("br-cbjd").variant))
    begun = {"event": "game_started", "game": "g1", "regulation": "br-cbjd", "fen": start, "ts": "2026-01-31T18:30:00Z"}
    move = {"event": "move", "at": 1.0, "ts": "2026-01-31T18:30:01Z", "ply": 1, "side": "white", "move": "c3-d4"}
    move |= {"fen": start, "captured": [], "provisional": True, "irregular": False, "revision": 0}
    record = folded([{"at": 0.0, **begun}, move])
    pages = Pages(MEETING)
    pages.update(view(planned(g1="br-cbjd", g2="pt-classicas"), {"g1": record}))
    pages.serve()
    assert pages.paces == {"1": Pace((("c3-d4",),), True)}
    pages.update(view(planned(g1="br-cbjd", g2="pt-classicas"), {"g1": record}, {"g1": "1-1"}))
    pages.serve()
    assert pages.paces["1"].open is False
    assert '[Result "1-1"]' in pages.pages["/feed/1.pdn"].body.decode()


def test_a_round_without_a_game_has_no_feed() -> None:
    """Lidraughts would take the empty list for PDN, and remember that for ten minutes."""
    pages = Pages(MEETING)
    publisher = Publisher(MEETING, 1)
    publisher.round("1", {"round": "1", "pairings": [{"table": "1", "white": "Ana", "game": "g-1"}]}, 0.0)
    publisher.due(0.0)
    pages.update(View(publisher.rounds, publisher.shown, {}, {}, {"g-1": publisher.players("g-1")}, publisher.people()))
    pages.serve()
    assert not [path for path in pages.pages if path.startswith("/feed/")]
    with pytest.raises(Refused, match="empty PDN"):
        Broadcast().fetch('{"games":[]}')


def test_nothing_is_served_before_all_of_it_is() -> None:
    pages = Pages(MEETING)
    pages.update(view(planned(g1="br-cbjd")))
    pages.serve()
    before = dict(pages.pages)
    changed, _ = pages.update(view(replace(planned(g1="br-cbjd", g2="br-cbjd"), name="Finals")))
    assert {"/feed/1.pdn", "/feed/1.json", "/livechess/open/round-1/index.json"} <= set(changed)
    assert pages.pages == before
    pages.serve()
    assert len(json.loads(pages.pages["/feed/1.json"].body)["games"]) == 2
    assert pages.pages["/feed/1.pdn"].body.count(b"Finals") == 2


def test_what_a_page_is_called_as_a_file() -> None:
    names = [file_of(path) for path in ("/", "/feed/", "/api/rounds", "/feed/1.pdn", "/livechess/a/game-1.json")]
    assert names == [None, None, "api/rounds.json", "feed/1.pdn", "livechess/a/game-1.json"]
    assert file_of("/files") == "files.html"


def test_the_list_has_all_that_there_is_and_no_name_as_markup() -> None:
    start = write_fen(initial(shipped("br-cbjd").variant))
    begun = {"event": "game_started", "at": 0.0, "game": "g1", "regulation": "br-cbjd", "fen": start, "ts": "x"}
    found = view(replace(planned(g1="br-cbjd"), name="<b>Finals"), {"g1": folded([begun])})
    players = {"g1": {"white": {"name": "<script>Ana"}, "black": {}}}
    pages = Pages(MEETING)
    pages.update(replace(found, states={"g1": {}}, players=players))
    pages.serve()
    listed = pages.pages["/files"].body.decode()
    assert "&lt;script&gt;Ana / ? (g1)" in listed
    assert "&lt;b&gt;Finals" in listed
    paths = re.findall(r'<a href="([^"]+)"', listed)
    assert len(paths) == 12
    assert [path for path in paths if path != "/" and path not in pages.pages] == []
    said = set(re.findall(r'data-say="([^"]+)"', listed + Pages(MEETING).pages["/files"].body.decode()))
    assert said == set(file_words.WORDS) - {"files.title"}


async def test_pages_are_answered_as_a_cache_and_a_probe_need_it() -> None:
    text = b'[Event "a"]\n' * 500
    page = Page(text, "text/plain; charset=utf-8", '"tag"', packed(text))
    small = Page(b"*", "text/plain", '"small"', packed(b"*"))
    assert small.packed is None

    async with WebServer({"/feed/1.pdn": page, "/small": small}) as server:

        def ask(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
            request = urllib.request.Request(f"{server.url}{path}", method=method, headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()

        def all_of_it() -> None:
            status, plain, body = ask("feed/1.PDN")
            assert (status, body, plain.get("content-encoding")) == (200, text, None)
            assert "Accept-Encoding" in plain["vary"]
            status, head, body = ask("feed/1.pdn", "HEAD")
            assert (status, body, head["content-length"], head["etag"]) == (200, b"", str(len(text)), plain["etag"])
            zipped = {"Accept-Encoding": "br;q=1.0, gzip;q=0.8, *;q=0.1"}
            _, headers, body = ask("feed/1.pdn", **zipped)
            assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", text)
            assert headers["etag"] != plain["etag"]
            status, again, body = ask("feed/1.pdn", **zipped, **{"If-None-Match": f'"x", W/{headers["etag"]}'})
            assert (status, again["etag"], body) == (304, headers["etag"], b"")
            for refused in ("gzip;q=0", "identity", "gzip;q=0.000", "gzipped"):
                assert ask("feed/1.pdn", **{"Accept-Encoding": refused})[2] == text
            assert "Accept-Encoding" not in ask("small")[1].get("vary", "")
            assert ask("feed/1.pdn", "POST")[0] == 405
            assert ask("feed/2.pdn", "HEAD")[0] == 404

        await asyncio.to_thread(all_of_it)


def test_every_trouble_is_in_the_list_of_codes() -> None:
    listed = (Path(__file__).parents[2] / "docs" / "codes.md").read_text("utf-8")
    assert [code for code in (*TEXTS, "push_behind") if f"| `{code}` |" not in listed] == []
    assert {f"feeds.{code}" for code in (*TEXTS, "push_behind")} | {"feeds.title"} == set(feed_words.WORDS)
