from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unruly import Unruly

from damas_board.messages.encoding import event_object
from damas_board.messages.feed import RESULTS, Feed, feed_game, objection
from damas_board.messages.score import game_text
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.pdn import read_games
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


def test_a_game_that_fails_stays_as_it_was_and_no_game_leaves_its_place() -> None:
    one, two = text(state("c3-d4")), text(state("a3-b4"))
    feed = Feed().with_games([("g-1", one), ("g-2", two)])
    assert (len(games_of(feed)), feed.frozen) == (2, {})
    feed = feed.with_games([("g-2", text(state("a3-b4", "f6-e5"))), ("g-1", GOOD.replace("d4xf6", "d4-c5"))])
    assert list(feed.games) == ["g-1", "g-2"]
    assert feed.games["g-1"] == one
    assert "f6-e5" in feed.games["g-2"]
    assert "d4-c5" in feed.frozen["g-1"] or feed.frozen["g-1"]
    feed = feed.with_games([("g-1", GOOD)])
    assert (feed.games["g-1"], feed.frozen, len(feed.games)) == (GOOD, {}, 2)


def test_a_game_that_stays_as_it_was_has_the_names_that_it_has_now() -> None:
    feed = Feed().with_games([("g-1", GOOD), ("g-2", GOOD)])
    broken = GOOD.replace("d4xf6", "d4-c5")
    white = re.search(r"\[White .*\]", GOOD)
    assert white is not None
    feed = feed.with_games([("g-1", broken.replace(white[0], '[White "A. L."]'))])
    assert list(feed.frozen) == ["g-1"]
    assert feed.games["g-1"] == GOOD.replace(white[0], '[White "A. L."]')
    feed = feed.with_games([("g-1", broken.replace(white[0] + "\n", ""))])
    assert feed.games["g-1"] == GOOD.replace(white[0], '[White "?"]')
    again = feed.with_games([("g-2", GOOD)])
    assert again.frozen == feed.frozen
    named = again.with_names("g-2", {"white": {"name": 'Z "z"'}, "black": {"name": "Rui", "minor": True}})
    assert "[White \"Z 'z'\"]" in named.games["g-2"]
    assert '[Black "?"]' in named.games["g-2"]
    assert [objection(text) for text in named.games.values()] == [None, None]


def test_a_game_that_lidraughts_never_knows_has_a_place_with_its_names() -> None:
    portuguese = initial(shipped("pt-classicas").variant)
    played = GameState("g", "pt-classicas", write_fen(portuguese), "", (), 0, players=PLAYERS)
    feed = Feed().with_games([("g-1", text(played, "pt-classicas")), ("g-2", GOOD)])
    assert "GameType" in feed.frozen["g-1"]
    first, second = games_of(feed)
    assert "[White \"Ana 'A' (br) de Lima\"]" in first
    assert objection(first) is None
    assert objection(second) is None


def test_a_publisher_that_starts_again_goes_on_with_what_it_published() -> None:
    feed = Feed().with_games([("g-1", text(state("c3-d4"))), ("g-2", GOOD)])
    again = Feed(dict(feed.games)).with_games([("g-2", GOOD.replace("d4xf6", "d4-c5"))])
    assert again.text == feed.text


KNOWN_THERE = (BRAZILIAN.variant, *(shipped(name).variant for name in ("ru-fmjd64", "int-fmjd", "frisian")))


@settings(deadline=None, max_examples=12)
@given(st.sampled_from(names()), st.integers(0, 10_000), st.sampled_from(("truncate", "begin_behind")))
def test_whatever_happens_at_a_table_the_feed_can_be_read_and_holds_the_game_as_far_as_it_can(regulation, seed, setups):
    header = Header("t", regulation, senses="colour", game="g", clock="300+5" if seed % 2 else None)
    rules = shipped(regulation)
    session = Session(header, rules)
    record, feed = Record(), Feed().with_games([("first", GOOD)])
    for item in Unruly(session, header, rules, seed).inputs(25):
        told = session.feed(item)
        for event in told:
            record = fold_event(record, json.loads(json.dumps(event_object(event))))
        if not any(event.event in ("move", "moves_retracted", "position_set", "game_over") for event in told):
            continue
        written = feed_game(record, rules, TAGS, players=PLAYERS, setups=setups)
        feed = feed.with_games([("g", written), ("last", GOOD)])
        games = games_of(feed)
        assert len(games) == 3
        assert all(objection(game) is None for game in games)
        if "g" not in feed.frozen:
            assert feed.games["g"] == written
            (game,) = read_games(written)
            assert game.result in RESULTS
            assert all(ply.move is not None for ply in game.plies)
        else:
            assert rules.variant not in KNOWN_THERE
