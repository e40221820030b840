"""Draws in a Session: its counters as readers see them, and what can be claimed, told once."""

from __future__ import annotations

from board_tables import play_table
from event_contract import EventContract
from rules.kings_at_play import played, to_and_fro

from damas_board.notation.fen import read_fen
from damas_board.regulations import parse, shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.session.events import Claim, CommandAnswered, GameOver, MoveMade
from damas_board.session.header import Header
from damas_board.session.inputs import Command, See, Tick
from damas_board.session.session import Session
from simulator.table import mark, rows, sensed

FREE = "W:WKa1,Kc1,g1:BKh8,Kf8,b6"
PT_FREE = "W:WKh1,Kf1,a2:BKa8,Kc8,h7"


class Table:
    """Plays moves on a board before a Session, a few seconds each."""

    def __init__(self, regulation: str, fen: str, text: str | None = None, recorded: bool = True) -> None:
        rules = shipped(regulation) if text is None else parse(text, regulation)
        self.position = read_fen(fen, rules.variant)
        self.session = Session(Header("t", regulation, start=fen, recorded=recorded, senses="colour"), rules)
        self.contract = EventContract(rules)
        self.at = 0.0
        self.commands = 0
        self.feed(self.sees(self.position))
        self.feed(Tick(self.at + 2))

    def sees(self, position: Position, without: int | None = None) -> See:
        squares = (s for s in squares_of(position.occupied) if s != without)
        marks = {s: sensed(mark(position, s), "colour") for s in squares}
        return See(self.at, rows(marks, position.variant.geometry, 0))

    def feed(self, item):
        self.at = item.at
        events = self.session.feed(item)
        for event in events:
            self.contract.check(event)
        return events

    def play(self, game) -> list[tuple[int, str, int]]:
        """The claims that a game leads to: behind which ply, which law, its count."""
        claims = []
        for before, after, move in zip(game.positions, game.positions[1:], game.moves, strict=False):
            self.at += 0.5
            events = self.feed(self.sees(before, move.start))
            self.at += 0.5
            events += self.feed(self.sees(after))
            events += self.feed(Tick(self.at + 1.5))
            assert [event.fen for event in events if isinstance(event, MoveMade)], "the move was not read"
            claims += [
                (len(self.session.plies), event.rule, event.count) for event in events if isinstance(event, Claim)
            ]
        return claims

    def command(self, do: str, **arguments):
        self.commands += 1
        return self.feed(Command(self.at + 0.1, do, f"c{self.commands}", arguments))

    def counters(self) -> dict[str, tuple[int, int]]:
        return {each["law"]: (each["count"], each["limit"]) for each in self.session.state.counters}


def quiet(regulation: str, fen: str, plies: int):
    return to_and_fro(read_fen(fen, shipped(regulation).variant), plies)


TWO_AND_ONE = "W:WKa1,Kc1:BKh4"


def test_a_running_counter_is_seen_with_its_article_and_its_limit():
    table = Table("br-cbjd", "W:WKa1,Ka3,Kc1:BKh4")
    table.play(quiet("br-cbjd", "W:WKa1,Ka3,Kc1:BKh4", 3))
    states = {each["law"]: each for each in table.session.state.counters}
    assert states["three_kings"] == {
        "law": "three_kings",
        "article": "000 empate d",
        "side": "white",
        "count": 2,
        "limit": 20,
        "holds": True,
    }
    assert (states["kings_only"]["side"], states["kings_only"]["count"]) == (None, 1)
    assert "endings" not in states


def test_002_five_moves_by_each_are_told_once_and_the_record_goes_on():
    table = Table("br-cbjd", TWO_AND_ONE)
    game = quiet("br-cbjd", TWO_AND_ONE, 13)
    claims = [claim for claim in table.play(game) if claim[1] == "endings"]
    assert claims == [(10, "endings", 5)]
    assert table.counters()["endings"] == (6, 5)
    assert table.session.state.over is None
    assert len(table.session.plies) == 13


def test_a_claim_is_told_again_when_the_game_went_back_and_comes_there_again():
    table = Table("br-cbjd", TWO_AND_ONE)
    game = quiet("br-cbjd", TWO_AND_ONE, 12)
    assert [c for c in table.play(game) if c[1] == "endings"] == [(10, "endings", 5)]
    table.command("rewind", ply=8)
    assert table.counters()["endings"] == (4, 5)
    table.feed(Tick(table.at + 1))
    table.at += 0.5
    table.feed(table.sees(game.positions[8]))
    table.feed(Tick(table.at + 2))
    game.positions, game.moves = game.positions[8:], game.moves[8:]
    assert [c for c in table.play(game) if c[1] == "endings"] == [(10, "endings", 5)]


def test_000_repetition_is_a_claim_in_a_game_that_is_written_down_only():
    circle = "a1-b2 h4-g3 b2-a1 g3-h4 a1-b2 h4-g3 b2-a1 g3-h4"
    fen = "W:WKa1,c1:BKh4,b6"
    for recorded, expected in ((True, [(8, "repetition", 3)]), (False, [])):
        table = Table("br-cbjd", fen, recorded=recorded)
        claims = table.play(played(shipped("br-cbjd").variant, fen, circle))
        assert [c for c in claims if c[1] == "repetition"] == expected
        assert ("repetition" in table.counters()) is recorded


def test_003_17a_nothing_is_counted_until_a_player_counts_and_then_from_there():
    table = Table("pt-escola", PT_FREE)
    game, rest = quiet("pt-escola", PT_FREE, 46), quiet("pt-escola", PT_FREE, 46)
    game.rewind(4)
    rest.positions, rest.moves = rest.positions[4:], rest.moves[4:]
    table.play(game)
    assert "kings_only" not in table.counters()
    (answer,) = [e for e in table.command("count", law="kings_only") if isinstance(e, CommandAnswered)]
    assert answer.outcome == "done"
    assert table.counters()["kings_only"] == (0, 20)
    claims = [c for c in table.play(rest) if c[1] == "kings_only"]
    assert claims == [(44, "kings_only", 20)]


def test_003_17a_a_count_from_an_earlier_ply_may_be_full_at_once():
    table = Table("pt-escola", PT_FREE)
    table.play(quiet("pt-escola", PT_FREE, 43))
    events = table.command("count", law="kings_only", from_ply=1)
    claims = [e for e in events if isinstance(e, Claim)]
    assert [(c.rule, c.count, c.limit, c.holds, c.article) for c in claims] == [
        ("kings_only", 21, 20, True, "003 art. 17a")
    ]


def test_a_count_of_a_law_that_players_do_not_count_is_refused():
    table = Table("br-cbjd", FREE)
    answers = [e for e in table.command("count", law="kings_only") if isinstance(e, CommandAnswered)]
    assert [(a.outcome, a.reason) for a in answers] == [("refused", "no_such_law")]


def test_a_count_begun_behind_the_ply_that_the_game_went_back_to_is_void():
    table = Table("pt-escola", PT_FREE)
    table.play(quiet("pt-escola", PT_FREE, 4))
    table.command("count", law="kings_only")
    table.command("rewind", ply=2)
    assert "kings_only" not in table.counters()


LAST = """
base = "br-cbjd"
title = "one move is left"
[[draws.count]]
rule = "one_move"
article = "a test"
moves = 1
holds = true
"""


def test_a_win_on_the_last_allowed_move_comes_before_the_draw():
    fen = "B:WKa1,Kh2:BKb8"
    variant = shipped("br-cbjd").variant
    drawn = Table("club", fen, LAST)
    assert drawn.play(played(variant, fen, "b8-a7 a1-b2")) == [(2, "one_move", 1)]
    won = Table("club", fen, LAST)
    assert won.play(played(variant, fen, "b8-e5 a1xf6")) == []
    won.feed(Tick(won.at + 5))
    over = won.session.state.over
    assert (over.winner, over.reason) == ("white", "no_pieces")


def test_000_turkish_a_single_man_against_a_king_has_lost_which_is_told_once():
    table = Table("tr-000", "W:WKa1:Bh7,b4")
    claims = table.play(played(shipped("tr-000").variant, "W:WKa1:Bh7,b4", "a1-b1 h7-h6 b1xb5 h6-h5 b5-b6 h5-h4"))
    assert claims == [(3, "one_piece_against_a_king", 1)]


def test_000_turkish_a_king_against_a_king_or_several_men_is_not_lost_yet():
    for fen, text in (("W:WKa1:BKh7", "a1-b1 h7-h6"), ("W:WKa1:Bh7,g7", "a1-b1 h7-h6")):
        claims = Table("tr-000", fen).play(played(shipped("tr-000").variant, fen, text))
        assert [claim for claim in claims if claim[1] == "one_piece_against_a_king"] == []


def ended(result: str, reason: str):
    (over,) = (
        event
        for event in Table("pt-escola", PT_FREE).command("result", result=result, reason=reason)
        if isinstance(event, GameOver)
    )
    return over.winner, over.result, over.article


def test_003_15c_who_exceeds_his_time_has_lost():
    assert ended("black", "time") == ("black", "0-1", "003 art. 15c")


def test_003_15d_who_gives_up_has_lost():
    assert ended("white", "resigned") == ("white", "1-0", "003 art. 15d")


def test_003_15e_a_loss_may_be_a_decision():
    assert ended("white", "decision") == ("white", "1-0", "003 art. 15e, 16d; art. 21: what no article covers")


def test_003_16c_a_draw_by_agreement():
    assert ended("draw", "agreed") == ("draw", "1/2-1/2", "003 art. 16c")


def test_003_16d_a_draw_may_be_a_decision():
    assert ended("draw", "decision") == ("draw", "1/2-1/2", "003 art. 15e, 16d; art. 21: what no article covers")


def test_003_18_a_move_is_over_when_the_piece_has_been_let_go():
    play_table(
        """
           0 | lift 9  |
        3000 | put 13  |
        3300 |         | move 9-13
        """,
        "pt-escola",
    )


def test_003_20_a_piece_held_to_think_or_put_back_is_no_move():
    play_table(
        """
           0 | lift 10 |
        6000 | put 10  |
        7000 | lift 10 |
        7100 | put 13  |
        7150 | lift 13 |
        9000 | put 14  |
        9300 |         | move 10-14
        """,
        "pt-escola",
    )


SCHOOL = "W:WK1,K2:BK31,K32"


def quiet_plies(table: Table, number: int) -> None:
    game = to_and_fro(table.position, number)
    table.play(game)
    table.position = game.positions[-1]


def test_a_second_count_does_not_wipe_the_one_that_runs() -> None:
    table = Table("pt-escola", SCHOOL)
    table.command("count", law="kings_only", from_ply=0)
    quiet_plies(table, 4)
    assert table.counters()["kings_only"] == (2, 20)
    table.command("count", law="kings_only")
    assert table.counters()["kings_only"] == (2, 20)
    table.command("rewind", ply=2)
    assert table.counters()["kings_only"] == (1, 20)


def test_a_count_stays_when_the_ply_before_it_is_revised() -> None:
    table = Table("pt-escola", SCHOOL)
    start = table.position
    first = next(move for move in legal_moves(start) if move.start == start.variant.geometry.square("2"))
    moves = [m for m in legal_moves(start) if m.start == first.start and m.end != first.end]
    near, far = start.after(first), start.after(moves[0])
    for position, at in ((near, 1.0), (None, 0.0), (far, 1.0)):
        table.at += 1.0
        if position is None:
            table.command("count", law="kings_only")
            continue
        table.feed(table.sees(start, first.start))
        table.at += at
        table.feed(table.sees(position))
        table.feed(Tick(table.at + 0.5))
    assert len(table.session.plies) == 1
    assert table.session.state.revision == 1
    assert table.counters()["kings_only"] == (0, 20)


def test_a_draw_by_a_law_names_its_article() -> None:
    for regulation, fen, reason in (
        ("br-cbjd", FREE, "repetition"),
        ("int-fmjd", "W:WK46,31:BK5,20", "repetition"),
    ):
        table = Table(regulation, fen)
        events = table.command("result", result="draw", reason=reason)
        (over,) = [event for event in events if isinstance(event, GameOver)]
        law = shipped(regulation).repetition
        assert law is not None
        assert over.article == law.article


def test_a_win_by_material_that_the_start_position_has_is_told_at_once() -> None:
    rules = shipped("tr-000")
    session = Session(Header("t", "tr-000", start="W:WKa1,Kb1:Bd6"), rules)
    events = session.feed(Tick(1.0))
    assert [(event.rule, event.side) for event in events if isinstance(event, Claim)] == [(rules.win.rule, "white")]
