"""A round leaves the archive as PDN: all games in their places, whatever happened at the boards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hub.streams import envelopes, move, over, started, unruly

from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.files import write_folder
from damas_board.messages.feed import objection
from damas_board.notation.pdn import read_games
from damas_board.regulations import parse, shipped

MEETING = "open"
TS = "2026-01-31T18:00:00Z"


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    with Archive.open(url) as opened:
        yield opened


def pairing(table: str, game: str, white: str, black: str | None, **more: Any) -> dict[str, Any]:
    sides = {"white": {"name": white}} if black is None else {"white": {"name": white}, "black": {"name": black}}
    return {"table": table, "game": game, **sides, **more}


ROUND = {
    "ts": TS,
    "regulation": "br-cbjd",
    "state": "started",
    "clock": "300+5",
    "pairings": [
        pairing("1", "g-1", "Ana", "João"),
        {
            **{"table": "Mesa 2 ../x", "game": "g-2"},
            **{"white": {"name": "Rui Sá", "minor": True}, "black": {"name": "Zé", "minor": True, "public": "Z."}},
        },
        pairing("3", "g-3", "Eva", "Ivo", result="2-0"),
        pairing("4", "g-4", "Nuno", None),
        pairing("5", "g-5", "Lia", "Noa"),
    ],
}


@pytest.fixture
def played(archive: Archive) -> Archive:
    archive.take_round(MEETING, "1", ROUND)
    names = {"white": "Ana", "black": "João"}
    first = [started("g-1", **names), move(1, "c3-d4"), move(2, "f6-e5"), over("black", "0-2")]
    archive.take(MEETING, envelopes("g-1", first))
    archive.take(MEETING, unruly(11, "g-2"))
    return archive


def test_a_round_is_one_text_and_one_for_each_board(played: Archive) -> None:
    export = played.export_round(MEETING, "1")
    assert export.problems == {}
    assert list(export.files) == [
        "1.pdn",
        "1-01-table-1.pdn",
        "1-02-table-mesa-2-x.pdn",
        "1-03-table-3.pdn",
        "1-05-table-5.pdn",
    ]
    games = list(read_games(export.whole))
    assert [(game.tag("White"), game.tag("Black"), game.result) for game in games] == [
        ("Ana", "João", "0-2"),
        ("Rui Sá", "Zé", "*"),
        ("Eva", "Ivo", "2-0"),
        ("Lia", "Noa", "*"),
    ]
    assert {game.fault for game in games} == {None}
    assert [game.tag("Date") for game in games] == ["2026.01.31", "2026.01.31", "????.??.??", "????.??.??"]
    assert {game.tag("TimeControl") for game in games} == {"300+5"}
    assert [game.tag("Board") for game in games] == ["1", "Mesa 2 ../x", "3", "5"]
    assert re.split(r"\n\n(?=\[)", export.whole.rstrip("\n")) == [t.rstrip("\n") for t in export.games.values()]


def test_the_public_export_names_no_minor(played: Archive) -> None:
    public = played.export_round(MEETING, "1", public=True).whole
    assert '[Black "Z."]' in public
    for part in ("Rui", "Sá", "Zé"):
        assert part not in public


def test_the_public_export_hears_the_games_own_word(archive: Archive) -> None:
    archive.take_round(MEETING, "1", {**ROUND, "pairings": [pairing("1", "g-1", "Ana Lima", "Rui Costa")]})
    word = {"white": {"name": "Ana Lima", "public": "A. L."}, "black": {"name": "Rui Costa", "minor": True}}
    archive.take(MEETING, envelopes("g-1", [{**started("g-1"), "players": word}, move(1, "c3-d4")]))
    for text in (
        archive.export_round(MEETING, "1", public=True).whole,
        archive.export_feed(MEETING, "1", public=True).text,
        archive.export_game(MEETING, "g-1", public=True),
    ):
        (game,) = read_games(text)
        assert (game.tag("White"), game.tag("Black")) == ("A. L.", "?")
    (game,) = read_games(archive.export_game(MEETING, "g-1"))
    assert (game.tag("White"), game.tag("Black")) == ("Ana Lima", "Rui Costa")


def test_who_is_under_age_in_one_round_is_not_named_in_the_public_export_of_another(archive: Archive) -> None:
    archive.take_round(MEETING, "1", {**ROUND, "pairings": [pairing("1", "g-1", "Ana Lima", "Rui Costa")]})
    second = pairing("1", "g-9", "Rui Costa", "Eva Cruz")
    second["white"]["minor"] = True
    archive.take_round(MEETING, "2", {**ROUND, "pairings": [second]})
    archive.take(MEETING, envelopes("g-1", [started("g-1", white="Ana Lima", black="Rui Costa"), move(1, "c3-d4")]))
    for text in (
        archive.export_round(MEETING, "1", public=True).whole,
        archive.export_feed(MEETING, "1", public=True).text,
        archive.export_game(MEETING, "g-1", public=True),
    ):
        (game,) = read_games(text)
        assert (game.tag("White"), game.tag("Black")) == ("Ana Lima", "?")


def test_a_round_is_written_into_a_folder_and_again_only_where_it_changed(played: Archive, tmp_path) -> None:
    folder = tmp_path / "public" / "pdn"
    paths = write_folder(folder, played.export_round(MEETING, "1").files)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in paths)
    before = {path: path.stat().st_mtime_ns for path in paths}
    more = [started("g-5", "Lia", "Noa"), move(1, "c3-d4")]
    played.take(MEETING, envelopes("g-5", more))
    write_folder(folder, played.export_round(MEETING, "1").files)
    changed = [path.name for path in paths if path.stat().st_mtime_ns != before[path]]
    assert changed == ["1.pdn", "1-05-table-5.pdn"]


def test_the_feed_has_every_game_from_the_start_in_a_place_of_its_own(played: Archive) -> None:
    feed = played.export_feed(MEETING, "1")
    games = re.split(r"\n\n(?=\[)", feed.text)
    assert [objection(game) for game in games] == [None] * 4
    assert feed.frozen == {}
    swapped = {
        **ROUND,
        "ts": "2026-01-31T19:00:00Z",
        "pairings": [*ROUND["pairings"][:1], *ROUND["pairings"][2:][::-1]],
    }
    played.take_round(MEETING, "1", swapped)
    assert list(played.export_feed(MEETING, "1", feed=feed).games) == ["g-1", "g-2", "g-3", "g-5"]
    assert list(played.export_feed(MEETING, "1").games) == ["g-1", "g-2", "g-3", "g-5"]


def test_a_game_of_a_regulation_that_is_not_known_is_named_and_the_others_are_written(played: Archive) -> None:
    club = {"regulation": "our-club"}
    played.take(MEETING, envelopes("g-5", [started("g-5", "Lia", "Noa", **club), move(1, "c3-d4")]))
    export = played.export_round(MEETING, "1")
    assert list(export.problems) == ["1-05-table-5.pdn"]
    assert "our-club" in export.problems["1-05-table-5.pdn"]
    assert len(export.games) == 3
    feed = played.export_feed(MEETING, "1")
    assert list(feed.games) == ["g-1", "g-2", "g-3", "g-5"]
    assert list(feed.frozen) == ["g-5"]
    assert '[White "Lia"]' in feed.games["g-5"]
    own = parse('base = "br-cbjd"\ntitle = "Our club"\n', "our-club")
    known = played.export_round(MEETING, "1", regulations=lambda name: own if name == "our-club" else shipped(name))
    assert known.problems == {}
    with pytest.raises(ArchiveError, match="our-club"):
        played.export_game(MEETING, "g-5")


def test_a_game_alone_is_written_with_and_without_a_round(played: Archive) -> None:
    played.take(MEETING, envelopes("g-9", [started("g-9", "Eva", "Ivo"), move(1, "c3-d4")]))
    alone, of_round = played.export_game(MEETING, "g-9"), played.export_game(MEETING, "g-1")
    assert '[Round "?"]' in alone
    assert '[White "Eva"]' in alone
    assert "1. c3-d4 *" in alone
    assert of_round == played.export_round(MEETING, "1").games["1-01-table-1.pdn"]
