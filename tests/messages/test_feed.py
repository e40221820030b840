from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from messages.lidraughts import Broadcast, Refused
from unruly import Unruly

from damas_board.messages.encoding import event_object
from damas_board.messages.feed import Feed, fed, feed_game, known_there, objection
from damas_board.messages.score import game_text
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.regulations import names, shipped
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.session.events import GameOver
from damas_board.session.header import Header
from damas_board.session.session import Session
from damas_board.session.state import GameState, PlyNote

BRAZILIAN = shipped("br-cbjd")
START = write_fen(initial(BRAZILIAN.variant))
TAGS = {"Event": "Open", "Round": "1"}
PLAYERS = {"white": {"name": 'Ana "A" <br> de\nLima'}, "black": {"name": "Rui", "minor": True}}


def state(*moves: str, notes: tuple[PlyNote, ...] = (), result: str | None = None) -> GameState:
    over = None if result is None else GameOver(1.0, "white", result, "resigned", None, len(moves), 0)
    return GameState("g", "br-cbjd", START, "", moves, 0, over=over, notes=notes, players=PLAYERS)


def text(game: GameState | None, regulation: str = "br-cbjd", **more) -> str:
    return feed_game(game, shipped(regulation), TAGS, **more)


def test_a_game_of_the_feed_has_its_tags_moves_and_clocks_and_nothing_else() -> None:
    note = PlyNote(2, "black", clock=(299.0, 298.2), running="white")
    assert text(state("c3-d4", "f6-e5", notes=(note,))) == (
        '[Event "Open"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "1"]\n'
        "[White \"Ana 'A' (br) de Lima\"]\n"
        '[Black "?"]\n[Result "*"]\n[GameType "26"]\n\n'
        "1. c3-d4 f6-e5 {[%clock W0:04:59 b0:04:59]} *\n\n"
    )


def test_a_game_that_has_not_begun_is_there_with_its_players() -> None:
    for none in (None, Record()):
        written = text(none, players=PLAYERS, time_control="300+5")
        assert "[White \"Ana 'A' (br) de Lima\"]" in written
        assert '[TimeControl "300+5"]' in written
        assert written.endswith('[TimeControl "300+5"]\n\n*\n\n')
        assert objection(written) is None


def irregular() -> tuple[GameState, str]:
    """Two moves, then a man goes backwards and a reply; and the position after the third ply."""
    position = read_fen(START, BRAZILIAN.variant)
    fen = write_fen(position._replace(turn=Side.BLACK))
    return state("c3-d4", "f6-e5", "d4-c3", "b6-a5", notes=(PlyNote(3, "white", fen, ("illegal_move",)),)), fen


def test_a_game_with_a_setup_ends_before_it_or_begins_behind_it() -> None:
    game, fen = irregular()
    assert objection(game_text(game, BRAZILIAN, {})) is not None
    before = text(game)
    assert before.endswith("1. c3-d4 f6-e5 *\n\n")
    behind = text(game, setups="begin_behind")
    assert f'[FEN "{fen}"]' in behind
    for written in (before, behind):
        assert "/FEN" not in written
        assert objection(written) is None


def test_a_result_that_is_not_known_there_is_left_open() -> None:
    assert '[Result "2-0"]' in text(state("c3-d4", result="2-0"))
    assert '[Result "*"]' in text(state("c3-d4", result="4-6"))


GOOD = text(state("c3-d4", "f6-e5", "d4xf6", "g7xe5"))


@pytest.mark.parametrize(
    "bad",
    [
        GOOD.replace("*\n\n", "2-0\n\n"),
        GOOD.replace("d4xf6", "d4-c5"),
        GOOD.replace("d4xf6", "d4f6"),
        GOOD.replace(" *\n", "\n"),
        GOOD.replace("f6-e5", "f6-e5 {good}"),
        GOOD.replace("f6-e5", "f6-e5 {[%clock now]}"),
        GOOD.replace("f6-e5", 'f6-e5 /FEN "W:Wa1:Bh8"/'),
        GOOD.replace("1. c3-d4", "1. c3-d4\n\n"),
        GOOD.replace("f6-e5", "f6-e5\n[%clk 0:00:01]"),
        GOOD.replace('"26"', '"28"'),
        GOOD.replace('[GameType "26"]\n', ""),
        GOOD.replace('"Open"', '"Open<br>"'),
        GOOD.replace('"Open"', '"Op"en"'),
        GOOD.replace("\n\n1.", "\n1."),
        GOOD + GOOD,
        "",
        "*\n\n",
    ],
)
def test_what_lidraughts_would_refuse_is_known(bad: str) -> None:
    assert objection(GOOD) is None
    assert bad != GOOD
    assert objection(bad) is not None


def games_of(feed: Feed) -> list[str]:
    """As Lidraughts cuts the text."""
    return re.split(r"\n\n(?=\[)", feed.text.replace("\r", ""))


def at(place: int, text: str) -> str:
    """The text of a game in its place of a feed."""
    return text.replace('[Round "1"]', f'[Round "1.{place}"]')


def test_a_game_that_fails_stays_as_it_was_and_no_game_leaves_its_place() -> None:
    one, two = text(state("c3-d4")), text(state("a3-b4"))
    feed = Feed().with_games([("g-1", one), ("g-2", two)])
    assert (len(games_of(feed)), feed.frozen) == (2, {})
    feed = feed.with_games([("g-2", text(state("a3-b4", "f6-e5"))), ("g-1", GOOD.replace("d4xf6", "d4-c5"))])
    assert list(feed.games) == ["g-1", "g-2"]
    assert feed.games["g-1"] == at(1, one)
    assert "f6-e5" in feed.games["g-2"]
    assert "d4-c5" in feed.frozen["g-1"] or feed.frozen["g-1"]
    feed = feed.with_games([("g-1", GOOD)])
    assert (feed.games["g-1"], feed.frozen, len(feed.games)) == (at(1, GOOD), {}, 2)


def test_a_game_that_stays_as_it_was_has_the_names_that_it_has_now() -> None:
    feed = Feed().with_games([("g-1", GOOD), ("g-2", GOOD)])
    broken = GOOD.replace("d4xf6", "d4-c5")
    white = re.search(r"\[White .*\]", GOOD)
    assert white is not None
    feed = feed.with_games([("g-1", broken.replace(white[0], '[White "A. L."]'))])
    assert list(feed.frozen) == ["g-1"]
    assert feed.games["g-1"] == at(1, GOOD).replace(white[0], '[White "A. L."]')
    feed = feed.with_games([("g-1", broken.replace(white[0] + "\n", ""))])
    assert feed.games["g-1"] == at(1, GOOD).replace(white[0], '[White "N.N."]')
    again = feed.with_games([("g-2", GOOD)])
    assert again.frozen == feed.frozen
    named = again.with_names(
        "g-2", {"white": {"name": 'Z "z"', "title": "MF"}, "black": {"name": "Rui", "minor": True}}
    )
    assert "[White \"Z 'z'\"]" in named.games["g-2"]
    assert '[WhiteTitle "MF"]' in named.games["g-2"]
    assert '[Black "?"]' in named.games["g-2"]
    assert [objection(text) for text in named.games.values()] == [None, None]
    hidden = named.with_names("g-2", {})
    assert '[White "N.N."]' in hidden.games["g-2"]
    assert "MF" not in hidden.games["g-2"]


def test_what_is_known_of_the_players_is_told_as_far_as_they_are_named() -> None:
    about = {"title": "MF", "club": "A [b] {c}", "federation": "POR", "rating": 2100}
    told = {"white": {"name": "Ana", **about}, "black": {"name": "Rui", "minor": True, **about}}
    written = text(None, players=told)
    for tag in ('[WhiteTitle "MF"]', '[WhiteRating "2100"]', '[WhiteTeam "A (b) (c)"]', '[Black "?"]'):
        assert tag in written
    assert "[Black" in written
    assert not re.search(r"\[Black\w+ ", written)
    assert objection(written) is None


def test_a_name_that_is_shown_no_more_is_not_left_standing_there() -> None:
    broadcast, feed = Broadcast(), Feed().with_games([("g-1", text(None, players=NAMED)), ("g-2", GOOD)])
    broadcast.fetch(feed.text)
    assert broadcast.chapters[0].tags["White"] == "Ana"
    broadcast.fetch(feed.with_games([("g-1", text(None, players={}))]).text)
    assert broadcast.chapters[0].tags["White"] == "N.N."


def test_games_without_names_are_told_apart() -> None:
    """Lidraughts refuses everything where a game's names are those that another game had before."""
    feed = Feed().with_games([(game, text(None, players={})) for game in ("g-1", "g-2")])
    broadcast, careless = Broadcast(), Broadcast()
    same = re.compile(r"\[Round .*\]")
    broadcast.fetch(feed.text)
    careless.fetch(same.sub('[Round "1"]', feed.text))
    named = feed.with_games([("g-1", text(None, players=NAMED))])
    broadcast.fetch(named.text)
    with pytest.raises(Refused, match="Game 2 matches with Chapter 1"):
        careless.fetch(same.sub('[Round "1"]', named.text))


NAMED = {"white": {"name": "Ana"}, "black": {"name": "Eva"}}


def test_lidraughts_takes_the_json_for_what_it_is_only_if_there_is_a_game_in_it() -> None:
    feed = Feed().with_games([("g-1", GOOD), ("g-2", text(state("c3-d4", notes=(PlyNote(1, "white", clock=(9, 9)),))))])
    body = json.dumps({"games": [{"pdn": text, "result": "*"} for text in feed.games.values()]})
    broadcast = Broadcast()
    assert (broadcast.fetch(body), broadcast.format) == (5, "json")
    with pytest.raises(Refused, match="empty PDN"):
        Broadcast().fetch(json.dumps({"games": []}))
    with pytest.raises(Refused, match="empty PDN"):
        Broadcast().fetch("")


def test_a_game_that_lidraughts_never_knows_has_a_place_with_its_names() -> None:
    portuguese = initial(shipped("pt-classicas").variant)
    played = GameState("g", "pt-classicas", write_fen(portuguese), "", (), 0, players=PLAYERS)
    feed = Feed().with_games([("g-1", text(played, "pt-classicas")), ("g-2", GOOD)])
    assert "GameType" in feed.frozen["g-1"]
    first, second = games_of(feed)
    assert "[White \"Ana 'A' (br) de Lima\"]" in first
    assert objection(first) is None
    assert objection(second) is None
    assert [known_there(shipped(name)) for name in ("pt-classicas", "br-cbjd", "es", "int-fmjd")] == [False, True] * 2


def test_where_a_game_is_cut_is_told() -> None:
    game, fen = irregular()
    assert fed(game, BRAZILIAN, TAGS) == (text(game), ("c3-d4", "f6-e5"), 2)
    assert fed(game, BRAZILIAN, TAGS, setups="begin_behind")[1:] == (("b6-a5",), 3)
    behind = state("c3-d4", "f6-e5", notes=(PlyNote(1, "white", fen),))
    assert fed(behind, BRAZILIAN, TAGS)[1:] == (("c3-d4",), 1)
    assert fed(behind, BRAZILIAN, TAGS, setups="begin_behind")[1:] == (("f6-e5",), 1)


def test_a_start_that_changes_is_not_changed_at_lidraughts() -> None:
    """It adds the moves behind a setup as another line from the start that it knows; docs/broadcast.md says so."""
    game, fen = irregular()
    feed = Feed().with_games([("g-1", text(state("c3-d4", "f6-e5"))), ("g-2", GOOD)])
    broadcast = Broadcast()
    broadcast.fetch(feed.text)
    broadcast.fetch(feed.with_games([("g-1", text(game, setups="begin_behind"))]).text)
    chapter, behind = broadcast.chapters[0], read_fen(fen, BRAZILIAN.variant)
    assert (chapter.start, chapter.moves) == ("start", ["b6-a5"])
    assert chapter.fens == [write_fen(behind.after(read_move(behind, "b6-a5")))]


def test_a_result_that_the_organiser_entered_is_told_of_a_game_without_one() -> None:
    assert '[Result "2-0"]' in text(None, players=NAMED, result="2-0")
    assert '[Result "0-2"]' in text(state("c3-d4", result="0-2"), result="2-0")


def test_a_publisher_that_starts_again_goes_on_with_what_it_published() -> None:
    feed = Feed().with_games([("g-1", text(state("c3-d4"))), ("g-2", GOOD)])
    again = Feed(dict(feed.games)).with_games([("g-2", GOOD.replace("d4xf6", "d4-c5"))])
    assert again.text == feed.text


KNOWN_THERE = (BRAZILIAN.variant, *(shipped(name).variant for name in ("ru-fmjd64", "int-fmjd", "frisian")))


NAMES: tuple[Any, ...] = (
    *({}, NAMED, PLAYERS, {"white": {"name": "Rui [pdn]", "title": "MF", "rating": 2000}}),
    {"white": NAMED["black"], "black": NAMED["white"]},
)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(names()), st.integers(0, 10_000), st.sampled_from(("truncate", "begin_behind")))
def test_whatever_happens_at_a_table_lidraughts_takes_all_games_each_time(regulation, seed, setups):
    """Moves, revisions, retractions, irregular plies, setups, ends, reopenings, new names, games held and let go."""
    header = Header("t", regulation, senses="colour", game="g", clock="300+5" if seed % 2 else None)
    rules, random = shipped(regulation), Random(seed)
    session = Session(header, rules)
    record, held = Record(), False
    feed, broadcast = Feed().with_games([("first", GOOD)]), Broadcast()
    for item in Unruly(session, header, rules, seed).inputs(25):
        told = session.feed(item)
        for event in told:
            record = fold_event(record, json.loads(json.dumps(event_object(event))))
        held = random.random() < 0.2 if random.random() < 0.1 else held
        if not any(event.event in ("move", "moves_retracted", "position_set", "game_over") for event in told):
            continue
        told_names = {game: random.choice(NAMES) for game in ("g", "last")}
        written = fed(record, rules, {**TAGS, "Board": "g"}, players=told_names["g"], setups=setups)
        last = text(None, players=told_names["last"])
        feed = feed.with_games([*([] if held else [("g", written.text)]), ("last", last)])
        feed = feed.with_names("g", told_names["g"]) if "g" in feed.games else feed
        broadcast.fetch(feed.text)
        assert len(broadcast.games) == len(games_of(feed)) == len(feed.games)
        assert list(feed.games) == sorted(feed.games, key=("first", *feed.games).index)
        assert [one.tags["Round"] for one in broadcast.games] == [f"1.{n}" for n in range(1, len(feed.games) + 1)]
        for one, chapter, (game, now) in zip(broadcast.games, broadcast.chapters, feed.games.items(), strict=True):
            assert one.ignored == 0
            assert chapter.moves[: len(one.moves)] == one.moves
            shown = {side["name"] for side in told_names.get(game, {}).values()}
            hidden = {"Ana", "Eva", "Rui (pdn)"} - {name.replace("[", "(").replace("]", ")") for name in shown}
            assert game == "first" or not hidden & {chapter.tags.get("White"), chapter.tags.get("Black")}
            assert objection(now) is None
        if "g" in feed.frozen:
            assert rules.variant not in KNOWN_THERE
        elif not held:
            assert broadcast.games[list(feed.games).index("g")].moves == list(written.moves)
