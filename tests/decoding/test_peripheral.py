"""The chess-peripheral protocol: lines, positions and moves as text, and the conversation, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding.peripheral.conversation import Manner, Memory, PeripheralTalk
from damas_board.decoding.peripheral.fens import FenError, marks_of, read_fen, read_turn, write_fen
from damas_board.decoding.peripheral.lines import LONGEST, LineReader
from damas_board.decoding.peripheral.moves import MoveTextError, Written, read_text, readings
from damas_board.decoding.talk import Away, ClockShown, Condition, Greeted, Hopeless, Remark, Shown, Told
from damas_board.notation.fen import read_fen as position_of
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, ENGLISH, FRISIAN, INTERNATIONAL, ITALIAN, RUSSIAN, TURKISH, VARIANTS

# --- lines


def test_lines_end_as_they_like_and_may_be_cut_anywhere() -> None:
    said = b"ok\r\nmove c3d4\n\n  nok \rstate x\r\n"
    whole = LineReader().feed(said)
    assert whole == ["ok", "move c3d4", "nok", "state x"]
    reader = LineReader()
    assert [line for byte in said for line in reader.feed(bytes([byte]))] == whole


def test_what_has_no_end_is_cut_and_what_is_no_text_is_no_word() -> None:
    reader = LineReader()
    assert reader.feed(b"x" * (LONGEST - 1)) == []
    assert reader.feed(b"xok\n") == ["x" * LONGEST, "ok"]
    assert reader.feed(b"\xffok\n") == ["\ufffdok"]


# --- positions


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("style", ["pdn", "rows"])
@pytest.mark.parametrize("names", ["own", "numbers", "letters"])
def test_a_position_that_is_written_is_read_again(variant, style, names) -> None:
    position = initial(variant)
    last = variant.geometry.from_top[0]
    for one in (position, position._replace(kings=position.occupied & 0x5A5A, turn=Side.BLACK), Position(
        variant, Side.WHITE, 1 << last, 0, 1 << last
    )):  # fmt: skip
        text = write_fen(one, style, names)
        assert read_fen(text, variant.geometry) == marks_of(one)
        assert read_turn(text) is one.turn


START = marks_of(initial(INTERNATIONAL))
COLOURS = tuple("o" if mark != "." else "." for mark in START)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("W:W31-50:B1-20", START),
        ("W:W31-50:B1-20:H0:F1", START),
        ("B1-20:W31-50", START),
        (f"{write_fen(initial(INTERNATIONAL), 'pdn', 'own')}.", START),
        ("?1-20,31-50", COLOURS),
        ("1m1m1m1m1m/m1m1m1m1m1/1m1m1m1m1m/m1m1m1m1m1/10/10/1M1M1M1M1M/M1M1M1M1M1/1M1M1M1M1M/M1M1M1M1M1", START),
        ("1b1b1b1b1b/b1b1b1b1b1/1p1p1p1p1p/b1b1b1b1b1/10/91/1w1w1w1w1w/P1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w", START),
        ("/".join(["mmmmm"] * 4 + ["5"] * 2 + ["MMMMM"] * 4) + " b", START),
        ("/".join(["1?1?1?1?1?", "?1?1?1?1?1"] * 2 + ["55"] * 2 + ["1?1?1?1?1?", "?1?1?1?1?1"] * 2), COLOURS),
    ],
)
def test_positions_are_read_as_others_write_them(text, marks) -> None:
    assert read_fen(text, INTERNATIONAL.geometry) == marks


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "W", "start", "W:W31,32", "W:W31:W32:B1", "W:W31,31:B1", "W:W31:B31", "W:W51:B1", "W:W0:B1", "W:Wx:B1",
        "W:W33-31:B1", "W:Wa1-c1:B1", "W:W31:Bb8,z9", "Q:W31:B1", "W:W31:B1:X2", "10/10/10",
        "11/10/10/10/10/10/10/10/10/10", "9/10/10/10/10/10/10/10/10/10", "9z/10/10/10/10/10/10/10/10/10",
        "5/5/5/5/5/5/5/5/5/10", "100/10/10/10/10/10/10/10/10/10",
    ],
)  # fmt: skip
def test_what_is_no_whole_position_is_refused(text) -> None:
    with pytest.raises(FenError):
        read_fen(text, INTERNATIONAL.geometry)


def test_a_board_without_pieces_of_a_side_is_a_position_and_half_a_line_is_none() -> None:
    assert read_fen("W:W31:B", INTERNATIONAL.geometry).count("w") == 1
    with pytest.raises(FenError):
        read_fen("B:W31,32,33", INTERNATIONAL.geometry)


def test_half_rows_are_no_rows_where_every_square_is_played_on() -> None:
    with pytest.raises(FenError):
        read_fen("/".join(["4"] * 8), TURKISH.geometry)


# --- moves


def squares(names: str, variant=INTERNATIONAL) -> tuple[int, ...]:
    return tuple(variant.geometry.square(name) for name in names.split())


@pytest.mark.parametrize(
    ("variant", "text", "named"),
    [
        (INTERNATIONAL, "3228", "32 28"),
        (INTERNATIONAL, "32-28", "32 28"),
        (INTERNATIONAL, "7x1", "7 1"),
        (INTERNATIONAL, "0701", "7 1"),
        (INTERNATIONAL, "32x23x14", "32 23 14"),
        (INTERNATIONAL, "322314", "32 23 14"),
        (BRAZILIAN, "c3e5", "c3 e5"),
        (BRAZILIAN, "C3:E5:G7", "c3 e5 g7"),
        (BRAZILIAN, "c3e5g7", "c3 e5 g7"),
        (BRAZILIAN, "2117", "21 17"),
        (INTERNATIONAL, "a9b10", "a9 b10"),
        (INTERNATIONAL, "b10a9", "b10 a9"),
    ],
)
def test_squares_are_read_by_number_and_by_letter(variant, text, named) -> None:
    assert read_text(text, variant.geometry) == Written(squares(named, variant))


@pytest.mark.parametrize("text", ["b6a7", "g7h8k", "g7h8=K", "g7-h8d", "g7h8q"])
def test_a_letter_behind_the_last_square_is_a_crown(text) -> None:
    assert read_text(text, BRAZILIAN.geometry).crowned is (text[-1] in "kKdq")


@pytest.mark.parametrize("text", ["", "c3", "c3d3", "c3i5", "325", "3299", "hello", "c3d4" * 80, "e2e4e", "c3 d4x"])
def test_what_names_no_squares_is_no_move(text) -> None:
    with pytest.raises(MoveTextError):
        read_text(text, BRAZILIAN.geometry)


def made(fen: str, text: str, variant=INTERNATIONAL, captures="auto") -> list[str]:
    position = position_of(fen, variant)
    found = readings(position, read_text(text, variant.geometry), captures)
    return [write_fen(one, "pdn", "own") for one in found]


def test_a_capture_by_its_ends_takes_what_the_rules_let_it_take() -> None:
    fen = "W:W33,50:B8,10,17,20,28,29"
    assert made(fen, "3304") == ["B:WK4,50:B8,17,28"]
    assert made(fen, "33x24x15x4") == made(fen, "3304")
    assert made(fen, "33-04-29-20-10") == made(fen, "3304")


def test_of_several_readings_none_is_chosen_and_the_path_or_the_victims_choose() -> None:
    position = "W:Wc1:Bb2,d2,b4,d4"
    assert made(position, "c1c5", RUSSIAN) == ["B:Wc5:Bd4,d2", "B:Wc5:Bb4,b2"]
    by_d2 = ["B:Wc5:Bb4,b2"]
    assert made(position, "c1e3c5", RUSSIAN) == by_d2
    assert made(position, "c1c5d2d4", RUSSIAN) == by_d2
    assert made(position, "c1c5d2d4", RUSSIAN, "victims") == by_d2
    assert made(position, "c1e3c5", RUSSIAN, "path") == by_d2
    assert made(position, "c1a3c5", RUSSIAN) == ["B:Wc5:Bd4,d2"]


def test_a_full_path_is_that_capture_also_if_it_is_part_of_another_s() -> None:
    position = "W:WKc7:Bd2,f2,h2,e3,d4,d6,f6,b8"
    assert len(made(position, "c7g7", RUSSIAN)) > 1
    assert made(position, "c7e5g7", RUSSIAN) == ["B:WKg7:Bb8,d4,e3,d2,f2,h2"]


def test_who_takes_less_than_he_must_is_read_as_he_played() -> None:
    fen = "W:W32:B28,19"
    assert made(fen, "3214") == ["B:W14:B"]
    assert made(fen, "3223") == ["B:W23:B19"]
    assert made(fen, "3227") == ["B:W27:B19,28"]


def test_a_piece_that_went_where_no_piece_goes_took_nothing() -> None:
    assert made("W:W32:B28", "3212") == ["B:W12:B28"]
    assert made("W:W32:B28", "3228") == []
    assert made("W:W32:B28", "3105") == []


def test_who_moves_is_seen_by_the_piece() -> None:
    assert made("W:W32:B19", "1923") == ["W:W32:B23"]


def test_a_crown_that_was_not_seen_is_no_hindrance() -> None:
    assert made("W:W46:B41", "4628") == ["B:WK28:B"]
    assert made("W:WK34:B3,10,12,30,40", "3425", FRISIAN) == ["B:W25:B3,10,12,40"]
    assert made("W:W46:B41,19", "4632") == ["B:WK32:B19"]
    assert made("W:W6:B1", "0601", FRISIAN) == []


def test_a_man_is_crowned_where_the_rules_crown_him_and_where_it_is_written() -> None:
    assert made("W:W7:B45", "0701") == ["B:WK1:B45"]
    assert made("W:W32:B45", "3228k") == ["B:WK28:B45"]


# --- the conversation

GET_STATE = ("get_state",)
STREAM = ("state_stream",)


class Peer:
    """A talk under the test's hand, which speaks for the board."""

    def __init__(self, variant=BRAZILIAN, features: Sequence[str] = (), known=None, memory=None, **manner) -> None:
        self.at = 0.0
        self.told: list[Told] = []
        self.said: list[str] = []
        self.features = features
        self.talk = PeripheralTalk(0.0, variant, Manner(**{"variant": "v", **manner}), known, memory)

    def run(self, seconds: float) -> list[str]:
        """Let time go by; what was said to the board meanwhile."""
        until, before = self.at + seconds, len(self.said)
        while True:
            self.said += [line for line in self.talk.data_to_send().decode().split("\n") if line]
            due = self.talk.deadline
            if due > until:
                break
            self.at = max(due, self.at)
            self.told += self.talk.tick(self.at)
        self.at = until
        return self.said[before:]

    def say(self, line: str) -> list[str]:
        """The board says `line`; what it is answered at once."""
        self.told += self.talk.receive(f"{line}\n".encode("latin-1"), self.at)
        return self.run(0.0)

    def play(self, begun: str = "sync {fen}", stands: str = write_fen(initial(BRAZILIAN), "pdn", "own")) -> str:
        """Up to the first round: every question is answered; the position that the round begins with."""
        fen = ""
        asked = self.run(0.5)
        while not fen:
            answered = []
            for line in asked:
                word, _, rest = line.partition(" ")
                if word in ("feature", "variant"):
                    answered += self.say("ok" if rest in (*self.features, "v") else "nok")
                elif word == "get_state":
                    answered += self.say(f"state {stands}")
                elif word == "begin":
                    fen = rest
            asked = [*answered, *self.run(0.5)]
        self.say(begun.format(fen=fen))
        return fen

    @property
    def rows(self) -> str:
        return [item for item in self.told if isinstance(item, Shown)][-1].rows

    def of(self, kind: type) -> list:
        return [item for item in self.told if isinstance(item, kind)]


def rows(position: Position) -> str:
    text, size = "".join(marks_of(position)).lower(), position.variant.size
    return "/".join(text[row * size : row * size + size] for row in reversed(range(size)))


def after(*texts: str, variant=BRAZILIAN, start: Position | None = None) -> Position:
    position = start or initial(variant)
    for text in texts:
        (position,) = readings(position, read_text(text, variant.geometry))
    return position


def test_it_is_asked_one_thing_at_a_time_then_told_the_variant_then_the_round_begins() -> None:
    peer = Peer(features=("side", "resign"))
    peer.play()
    begun = [line.split(" ")[0] for line in peer.said]
    assert begun[0] == "feature"
    assert begun[-4:] == ["variant", "set_variant", "side", "begin"]
    assert peer.said[-3:-1] == ["set_variant v", "side ?"]
    assert peer.rows == rows(initial(BRAZILIAN))
    assert peer.of(Greeted)[0].facts["features"] == "resign side"
    assert peer.told.index(peer.of(Greeted)[0]) < peer.told.index(peer.of(Shown)[0])


def test_no_question_is_asked_before_the_one_before_is_answered_or_given_up() -> None:
    peer = Peer()
    peer.run(0.1)
    peer.say("ok")
    for _ in range(6):
        before = len(peer.said)
        peer.run(1.0)
        assert len(peer.said) - before <= 1


def test_two_answers_to_one_question_are_not_taken_for_two_answers() -> None:
    peer = Peer()
    peer.run(2.5)
    assert peer.said == ["feature state_stream"] * 2
    peer.say("nok")
    peer.run(1.0)
    assert peer.say("nok") == []  # the second knock's
    assert peer.run(2.0) == ["feature state_stream"]


def test_a_variant_that_it_does_not_play_ends_the_talk_with_its_name() -> None:
    peer = Peer()
    asked = peer.run(0.1)
    while not peer.of(Hopeless):
        for line in asked:
            asked = peer.say("nok" if "variant" in line else "ok")
        asked = [*asked, *peer.run(0.5)]
    assert peer.of(Hopeless)[0].why == "variant_refused"
    assert peer.of(Hopeless)[0].facts == {"variant": "v"}
    assert not [line for line in peer.said if line.startswith("begin")]


def test_who_answers_no_question_may_still_know_begin() -> None:
    peer = Peer()
    said = peer.run(6.5)
    assert said[-1].startswith("begin ")
    peer.say("sync " + said[-1][6:])
    assert [type(item) for item in peer.told] == [Greeted, Shown]
    assert peer.rows == rows(initial(BRAZILIAN))
    assert peer.run(9.9) == []
    assert peer.run(0.2) == ["set_variant v", said[-1]]
    peer.run(60.0)
    assert not peer.of(Hopeless)  # it may say moves only


def test_who_answers_nothing_is_no_board_and_who_never_says_what_stands_there_neither() -> None:
    silent = Peer()
    silent.run(60.0)
    assert silent.of(Hopeless)[0].why == "no_board"
    talking = Peer()
    talking.run(0.1)
    talking.say("nok")
    for _ in range(400):
        if talking.run(0.1):
            talking.say("nok" if "variant" not in talking.said[-1] else "ok")
        if talking.of(Hopeless):
            break
    assert talking.of(Hopeless)[0].why == "no_snapshot"


def test_a_board_that_can_say_what_stands_on_it_begins_from_there() -> None:
    peer = Peer(features=GET_STATE)
    asked = peer.run(0.5)
    while "get_state" not in peer.said:
        asked = [more for line in asked for more in peer.say("ok" if line.split()[1] in ("get_state", "v") else "nok")]
        asked += peer.run(0.5)
    peer.say("state B:We3,Kf8:Bc5,a7")
    assert peer.said[-1] == "begin B:WKf8,e3:Ba7,c5"


@pytest.mark.parametrize("word", ["unsync", "unsync_settable", "unsync_setible"])
def test_what_it_says_of_itself_is_shown(word) -> None:
    peer = Peer()
    peer.play(f"{word} W:We3,Kf8:Bc5,a7")
    assert peer.rows == rows(position_of("W:We3,Kf8:Bc5,a7", BRAZILIAN))
    peer.say("state ?e3,f8,c5")
    assert peer.rows.count("o") == 3


def test_colours_are_not_shown_where_the_table_has_none() -> None:
    peer = Peer(colours=False)
    peer.play()
    assert set(peer.rows) == set("./o")


def test_a_move_is_answered_ok_and_made() -> None:
    peer = Peer()
    peer.play()
    assert peer.say("move c3d4") == ["ok"]
    assert peer.rows == rows(after("c3d4"))
    assert peer.say("move f6g5") == ["ok"]
    assert peer.rows == rows(after("c3d4", "f6g5"))


def test_a_move_that_breaks_a_rule_is_ok_too_and_one_off_the_board_is_not() -> None:
    peer = Peer()
    peer.play()
    assert peer.say("move c3d3") == ["nok"]
    assert peer.say("move hello") == ["nok"]
    assert peer.rows == rows(initial(BRAZILIAN))
    assert peer.say("move c3c5") == ["ok"]
    assert peer.rows == rows(after("c3c5"))


def test_a_move_that_is_said_twice_is_made_once() -> None:
    peer = Peer()
    peer.play()
    peer.say("move c3d4")
    assert peer.say("move c3d4") == ["ok"]
    assert peer.run(3.0) == []
    assert peer.rows == rows(after("c3d4"))


def test_a_move_that_does_not_fit_has_the_board_asked_by_beginning_anew() -> None:
    peer = Peer()
    peer.play()
    peer.run(3.0)
    assert peer.say("move d4e5")[0] == "ok"
    assert peer.said[-1].startswith("begin ")
    peer.say("unsync W:We5:Ba7")
    peer.run(1.0)
    assert peer.rows == rows(position_of("W:We5:Ba7", BRAZILIAN))
    assert peer.of(Away)[-1].reason == "events_lost"


def test_between_two_readings_of_a_capture_nothing_is_read_where_they_differ() -> None:
    start = "W:Wc1,h2:Bb2,d2,b4,d4,h8"
    peer = Peer(RUSSIAN)
    peer.play(f"unsync {start}")
    peer.run(3.0)
    peer.say(f"sync {start}")
    peer.run(3.0)
    assert peer.say("move c1c5")[0] == "ok"
    assert peer.rows.count("?") == 4
    assert peer.said[-1].startswith("begin ")
    peer.say("unsync B:Wc5,h2:Bb4,b2,h8")
    assert peer.rows == rows(position_of("B:Wc5,h2:Bb4,b2,h8", RUSSIAN))
    assert not peer.of(Away)


def test_a_board_that_tells_pieces_from_empty_squares_only_tells_which_reading_it_was() -> None:
    memory = Memory((position_of("W:Wc1,h2:Bb2,d2,b4,d4,h8", RUSSIAN),))
    peer = Peer(RUSSIAN, memory=memory)
    peer.play()
    peer.say("move c1c5")
    assert len(memory.stands) == 2
    peer.say("unsync ?c5,h2,b4,b2,h8")
    assert memory.stands == (position_of("B:Wc5,h2:Bb4,b2,h8", RUSSIAN),)


def test_of_several_readings_the_board_is_asked_by_the_one_with_most_taken_off() -> None:
    memory = Memory((position_of("W:WKd4:Bg3,c5,e5,g5,d6", RUSSIAN),))
    peer = Peer(RUSSIAN, memory=memory)
    peer.play()
    peer.run(3.0)
    assert peer.say("move d4b6")[-1] == "begin B:WKb6:Bd6"


def test_a_later_move_tells_which_reading_it_was() -> None:
    start = "W:Wc1,h2:Bb2,d2,b4,d4,h8"
    memory = Memory((position_of(start, RUSSIAN),))
    peer = Peer(RUSSIAN, memory=memory)
    peer.play()
    peer.say("move c1c5")
    assert "?" in peer.rows
    peer.say("move b4a3")
    assert peer.rows == rows(position_of("W:Wc5,h2:Bb2,a3,h8", RUSSIAN))


def test_a_crowned_man_is_answered_by_promote_where_that_is_set() -> None:
    memory = Memory((position_of("W:Wg7:Ba7", BRAZILIAN),))
    plain = Peer(memory=memory)
    plain.play()
    assert plain.say("move g7h8") == ["ok"]
    memory = Memory((position_of("W:Wg7,c1:Ba7", BRAZILIAN),))
    peer = Peer(memory=memory, promote="k")
    peer.play()
    assert peer.say("move g7h8") == ["promote g7h8k"]
    peer.say("undo g7h8")
    assert peer.say("move g7h8k") == ["ok"]
    assert peer.say("move a7b6") == ["ok"]
    assert peer.say("move h8g7") == ["ok"]
    assert memory.stands == (position_of("B:WKg7,c1:Bb6", BRAZILIAN),)


def test_a_board_that_says_itself_that_a_man_was_crowned_is_believed() -> None:
    memory = Memory((position_of("W:We3:Ba7", BRAZILIAN),))
    peer = Peer(memory=memory)
    peer.play()
    peer.say("promote f2e3k")
    peer.say("promote b6c5k")
    assert memory.stands == (position_of("W:WKe3:Ba7", BRAZILIAN),)


def test_a_king_that_stands_where_it_stood_is_one_though_the_board_tells_colours_only() -> None:
    peer = Peer(memory=Memory((position_of("W:WKd4,c1:Ba7,h8", BRAZILIAN),)))
    peer.play("unsync W:Wd4,e3:Ba7")
    assert peer.run(4.0)[-1] == "begin W:WKd4,e3:Ba7"


def test_a_move_is_made_from_what_the_board_said_last() -> None:
    peer = Peer()
    peer.play()
    peer.say("unsync W:Wc3,g1:Bb8")
    assert peer.say("move c3d4") == ["ok"]
    peer.run(1.0)
    assert peer.rows == rows(position_of("B:Wd4,g1:Bb8", BRAZILIAN))


def test_what_agrees_with_nothing_is_asked_about_once_more() -> None:
    peer = Peer()
    peer.play()
    peer.run(3.0)
    assert peer.say("sync W:We3:Ba7")[-1] == "begin W:We3:Ba7"


def test_of_a_stream_of_occupancy_a_move_is_shown_as_such() -> None:
    peer = Peer(features=STREAM)
    peer.play("sync ?a1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3,b6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8")
    peer.say("move c3d4")
    assert peer.rows == rows(after("c3d4")).replace("w", "o").replace("b", "o")


def test_the_start_position_begins_a_game_whatever_was_known() -> None:
    known = Shown(0.0, rows(after("c3d4")), before=(rows(initial(BRAZILIAN)),))
    peer = Peer(known=known, features=GET_STATE)
    start = write_fen(initial(BRAZILIAN), "pdn", "own")
    assert peer.play(stands=start.removeprefix("W:")) == start


def test_what_was_not_answered_is_asked_once_more_and_a_late_answer_is_not_the_next_one_s() -> None:
    peer = Peer()
    peer.run(0.1)
    peer.say("nok")
    assert peer.run(0.5) == ["feature state_stream"]
    assert peer.run(1.5) == ["feature state_stream"]
    assert peer.say("nok") == []
    assert peer.run(0.5) == []
    assert peer.say("nok") == []  # to the first
    assert peer.run(1.5) == ["feature submove_state"]
    assert peer.run(1.5) == ["feature submove_state"]
    assert peer.run(1.5) == []
    assert peer.run(1.5) == ["feature get_state"]


def test_a_move_taken_back_is_as_it_was_before() -> None:
    peer = Peer()
    peer.play()
    peer.say("move c3d4")
    peer.say("move f6g5")
    assert peer.say("undo f6g5") == ["ok"]
    assert peer.rows == rows(after("c3d4"))
    assert peer.say("undo c3d4") == ["ok"]
    assert peer.rows == rows(initial(BRAZILIAN))
    assert peer.say(f"undo {write_fen(after('c3b4'), 'pdn', 'own')}") == ["ok"]
    assert peer.rows == rows(after("c3b4"))
    assert peer.say("undo x") == ["nok"]


def test_several_moves_taken_back_by_the_first_of_them_are_all_taken_back() -> None:
    peer = Peer()
    peer.play()
    for text in ("c3d4", "f6g5", "d2c3"):
        peer.say(f"move {text}")
    assert peer.say("undo f6g5") == ["ok"]
    assert peer.rows == rows(after("c3d4"))
    assert peer.say("move f6e5") == ["ok"]
    assert peer.rows == rows(after("c3d4", "f6e5"))


def test_of_two_moves_of_the_same_ends_the_newest_is_taken_back() -> None:
    peer = Peer(memory=Memory((position_of("W:WKa1:BKh8", BRAZILIAN),)))
    peer.play()
    for text in ("a1b2", "h8g7", "b2a1", "g7h8", "a1b2"):
        peer.say(f"move {text}")
    peer.say("undo a1b2")
    peer.say("undo g7h8")
    assert peer.rows == rows(position_of("W:Wa1:Bg7", BRAZILIAN))


def test_a_position_that_the_round_goes_back_to_is_the_one_it_goes_on_from() -> None:
    memory = Memory()
    peer = Peer(memory=memory)
    peer.play()
    for word, stands in (("redo", after("c3d4")), ("undo", initial(BRAZILIAN))):
        peer.say(f"{word} {write_fen(stands, 'pdn', 'own')}")
        assert memory.stands == (stands,)
        peer.say("sync")
        assert peer.rows == rows(stands)


def test_what_was_not_made_is_not_taken_back_and_what_was_made_still_can_be() -> None:
    peer = Peer()
    peer.play()
    peer.say("move c3d4")
    peer.run(3.0)
    assert peer.say("undo e3f4")[0] == "ok"
    assert peer.rows == rows(after("c3d4"))
    assert peer.said[-1] == f"begin {write_fen(after('c3d4'), 'pdn', 'own')}"
    peer.say("undo c3d4")
    assert peer.rows == rows(initial(BRAZILIAN))


def test_a_taken_back_capture_stands_again() -> None:
    peer = Peer()
    peer.play()
    for text in ("c3d4", "f6e5", "d4f6"):
        peer.say(f"move {text}")
    peer.say("undo d4f6")
    assert peer.rows == rows(after("c3d4", "f6e5"))


def test_only_the_arbiter_ends_a_game() -> None:
    peer = Peer()
    fen = peer.play()
    assert peer.say("draw_offer") == ["nok"]
    assert peer.of(Condition)[-1].facts == {"draw_offers": 1}
    peer.say("resign")
    assert "resigned" in peer.of(Condition)[-1].facts["round"]
    assert peer.run(3.0)[-1] == f"begin {fen}"
    assert any("a result is entered" in item.text for item in peer.of(Remark))


def test_a_clock_is_read_only_where_it_is_said_to_be_one() -> None:
    peer = Peer()
    peer.play()
    peer.say("time 61500 59000")
    assert not peer.of(ClockShown)
    peer = Peer(clock=True, features=("time",))
    peer.play()
    peer.say("time 61500 59000")
    peer.say("time -1 5")
    assert peer.of(ClockShown) == [ClockShown(peer.at, 61.5, 59.0)]


@pytest.mark.parametrize(
    "line", ["ok", "nok", "moved", "option brightness int 4 1 4 1", "set_option brightness 3", "msg hello"]
)
def test_what_is_of_no_use_here_changes_nothing(line) -> None:
    peer = Peer()
    peer.play()
    assert peer.say(line) == []
    assert peer.run(2.5) == []
    assert len(peer.of(Shown)) == 1


@pytest.mark.parametrize("line", ["\xff\xfestate", "st", "state W:W31,", "state", "Movec3d4", "unsync 8/8/8"])
def test_a_line_that_is_not_understood_may_have_been_a_move(line) -> None:
    peer = Peer()
    fen = peer.play()
    peer.run(3.0)
    peer.say(line)
    assert peer.run(1.0) == ["set_variant v", f"begin {fen}"]
    assert peer.of(Condition)[-1].facts == {"bad_lines": 1}
    asked = Peer(features=GET_STATE)
    asked.play()
    asked.run(0.1)
    assert "get_state" in asked.say(line)


def test_a_board_that_has_forgotten_what_it_was_asked_for_is_asked_again() -> None:
    peer = Peer(features=STREAM)
    fen = peer.play()
    peer.run(3.0)
    peer.say("hello, I am a board")
    assert peer.run(1.0) == ["feature state_stream", "set_variant v", f"begin {fen}"]
    peer.say("state W:We3:Ba7")
    peer.run(3.0)
    peer.say("hello, I am a board")
    assert peer.run(1.0)[-1] == "begin W:We3:Ba7"


def test_after_a_move_a_board_is_asked_what_it_has_come_to() -> None:
    peer = Peer(features=GET_STATE)
    peer.play()
    peer.run(0.05)
    assert peer.say("move c3d4") == ["ok", "get_state"]
    assert peer.rows == rows(initial(BRAZILIAN))
    peer.say("state ?a1,c1,e1,g1,b2,d2,f2,h2,a3,d4,e3,g3")
    assert "o" in peer.rows


def test_of_a_stream_the_states_count_and_a_move_only_where_no_state_told_it() -> None:
    peer = Peer(features=STREAM)
    peer.play()
    left = write_fen(
        after("c3d4")._replace(white=after("c3d4").white & ~(1 << BRAZILIAN.geometry.square("d4"))), "pdn", "own"
    )
    peer.say(f"state {left}")
    peer.say(f"state {write_fen(after('c3d4'), 'pdn', 'own')}")
    shown = len(peer.of(Shown))
    assert peer.say("move c3d4") == ["ok"]
    assert len(peer.of(Shown)) == shown
    peer.say("move f6g5")
    assert peer.rows == rows(after("c3d4", "f6g5"))


def test_a_captured_piece_that_the_board_says_still_stands_does() -> None:
    peer = Peer(features=STREAM)
    peer.play()
    start = after("c3d4", "f6e5")
    for text in ("c3d4", "f6e5"):
        peer.say(f"move {text}")
    standing = after("c3d4", "f6e5", "d4f6")
    e5 = 1 << BRAZILIAN.geometry.square("e5")
    standing = standing._replace(black=standing.black | e5)
    assert start.black & e5
    peer.say(f"state {write_fen(standing, 'pdn', 'own')}")
    peer.say("move d4f6")
    assert peer.rows == rows(standing)


def test_a_board_that_stands_otherwise_gets_its_own_position_as_the_round_s() -> None:
    peer = Peer()
    peer.play("unsync W:We3:Ba7")
    assert peer.run(2.9) == []
    assert peer.run(0.2) == ["begin W:We3:Ba7"]
    peer.say("sync W:We3:Ba7")
    assert peer.say("move e3f4") == ["ok"]
    assert peer.rows == rows(position_of("B:Wf4:Ba7", BRAZILIAN))


def test_a_piece_in_a_hand_is_no_other_position() -> None:
    peer = Peer()
    peer.play()
    lifted = after("c3d4")._replace(white=after("c3d4").white & ~(1 << BRAZILIAN.geometry.square("d4")))
    peer.say(f"unsync {write_fen(lifted, 'pdn', 'own')}")
    assert peer.run(4.9) == []
    assert peer.rows == rows(lifted)
    assert not peer.of(Away)
    assert peer.say("move c3d4") == ["ok"]
    assert peer.rows == rows(after("c3d4"))


def test_a_board_that_has_missed_moves_is_not_said_to_have_seen_them() -> None:
    peer = Peer()
    peer.play()
    peer.say(f"unsync {write_fen(after('c3d4'), 'pdn', 'own')}")
    assert not peer.of(Away)
    for text in ("c3d4", "f6e5"):
        peer.say(f"move {text}")
    peer.say(f"unsync {write_fen(after('c3d4', 'f6e5', 'd4f6'), 'pdn', 'own')}")
    assert not peer.of(Away)
    peer.say(f"unsync {write_fen(after('g3h4', 'f6g5', 'h4f6', 'g7e5', 'e3d4'), 'pdn', 'own')}")
    peer.run(1.0)
    assert [item.reason for item in peer.of(Away)] == ["events_lost"]
    assert peer.told.index(peer.of(Away)[0]) < peer.told.index(peer.of(Shown)[-1])


def test_whose_turn_it_is_is_taken_from_the_board_where_nothing_else_is_known() -> None:
    peer = Peer()
    peer.play("unsync B:We3:Ba7")
    assert peer.run(4.0)[-1] == "begin B:We3:Ba7"


def test_a_board_that_says_nothing_is_asked_and_given_up_if_it_does_not_answer() -> None:
    peer = Peer()
    peer.play()
    assert peer.run(5.0) == ["feature state_stream"]
    peer.say("nok")
    assert peer.run(4.0) == []
    peer.run(13.0)
    assert peer.of(Hopeless)[-1].why == "silent"
    asked = Peer(features=GET_STATE)
    asked.play()
    asked.run(16.0)
    assert asked.of(Hopeless)[-1].why == "silent"


def test_a_round_of_which_nothing_is_heard_is_begun_anew_as_the_board_may_have_forgotten_it() -> None:
    peer = Peer(features=STREAM)
    fen = peer.play()
    assert peer.run(5.0) == ["feature state_stream"]
    peer.say("ok")
    assert peer.run(5.0) == ["feature state_stream", "set_variant v", f"begin {fen}"]
    peer.say("ok")
    peer.say(f"unsync {write_fen(after('c3d4'), 'pdn', 'own')}")
    assert not peer.of(Away)  # that is one move
    assert peer.rows == rows(after("c3d4"))
    peer.run(5.0)
    peer.say("ok")
    peer.run(5.0)
    peer.say(f"unsync {write_fen(after('c3d4', 'f6e5', 'd4f6', 'g7e5', 'b2c3'), 'pdn', 'own')}")
    assert [item.reason for item in peer.of(Away)] == ["events_lost"]
    peer.run(1.0)
    assert peer.rows == rows(after("c3d4", "f6e5", "d4f6", "g7e5", "b2c3"))


def test_a_board_that_says_moves_is_asked_with_what_they_have_come_to() -> None:
    peer = Peer()
    peer.play()
    peer.run(3.0)
    peer.say("move c3d4")
    begun = f"begin {write_fen(after('c3d4'), 'pdn', 'own')}"
    peer.run(5.0)
    peer.say("nok")
    assert peer.run(5.1)[-1] == begun
    peer.say("sync")
    assert peer.rows == rows(after("c3d4"))
    lifted = after("c3d4")._replace(black=after("c3d4").black & ~(1 << BRAZILIAN.geometry.square("f6")))
    peer.say(f"unsync {write_fen(lifted, 'pdn', 'own')}")
    peer.run(5.0)
    peer.say("nok")
    assert peer.run(5.1)[-1] == begun  # not with a piece in a hand


def test_a_board_that_does_not_begin_a_round_twice_is_asked_less_and_less_often() -> None:
    peer = Peer()
    peer.play()
    begun = []
    for second in range(300):
        for line in peer.run(1.0):
            if line.startswith("feature"):
                peer.say("nok")
            elif line.startswith("begin"):
                begun.append(second)
    assert not peer.of(Hopeless)
    gaps = [later - one for one, later in pairwise(begun)]
    assert [gap for gap in gaps if gap != 3] == [14, 34, 74, 74]
    peer.say("sync")
    peer.run(5.0)
    peer.say("nok")
    assert peer.run(5.1)[-1].startswith("begin")


def test_a_board_that_does_not_say_what_stands_there_when_it_is_asked_has_its_round_begun_anew() -> None:
    peer = Peer(features=GET_STATE)
    peer.play()
    asked: list[str] = []
    while not any(line.startswith("begin") for line in asked) and peer.at < 30.0:
        asked = [more for line in asked or peer.run(0.3) if line == "get_state" for more in peer.say("err what?")]
        asked += peer.run(0.3)
    assert asked[:2] == ["feature get_state", "set_variant v"]
    assert not peer.of(Hopeless)


def test_a_move_that_was_said_while_the_round_was_begun_anew_is_not_undone_by_the_answer() -> None:
    peer = Peer()
    fen = peer.play()
    peer.run(5.0)
    peer.say("nok")
    assert peer.run(5.1)[-1] == f"begin {fen}"
    peer.say("move c3d4")
    assert peer.say(f"sync {fen}") == [f"begin {write_fen(after('c3d4'), 'pdn', 'own')}"]
    assert peer.rows == rows(after("c3d4"))
    peer.say("undo c3d4")
    assert peer.say(f"unsync {fen}") == [f"begin {fen}"]
    assert peer.say(f"sync {fen}") == []
    assert peer.rows == rows(initial(BRAZILIAN))


def test_a_bare_sync_is_agreed_with_what_the_round_is_at_not_with_what_the_board_said_before() -> None:
    peer = Peer()
    peer.play()
    peer.say("move c3d4")
    lifted = after("c3d4")._replace(white=after("c3d4").white & ~(1 << BRAZILIAN.geometry.square("d4")))
    peer.say(f"unsync {write_fen(lifted, 'pdn', 'own')}")
    assert peer.rows == rows(lifted)
    peer.say("sync")
    assert peer.rows == rows(after("c3d4"))


def test_what_jumps_about_is_away_until_it_has_stood_for_a_second() -> None:
    peer = Peer()
    peer.play()
    shown = len(peer.of(Shown))
    for step in range(200):
        peer.run(0.01)
        peer.say(f"state W:W{step % 16 + 1}:B{step % 16 + 17}")
    assert len(peer.of(Away)) == 1
    assert len(peer.of(Shown)) == shown
    peer.run(0.9)
    assert len(peer.of(Shown)) == shown
    peer.run(0.2)
    assert len(peer.of(Shown)) == shown + 1
    assert peer.rows.count("w") == peer.rows.count("b") == 1


@pytest.mark.parametrize("before_the_round", [True, False])
def test_of_what_is_not_understood_so_much_is_told_in_a_minute(before_the_round) -> None:
    peer = Peer()
    if not before_the_round:
        peer.play()
    for _ in range(100):
        peer.told += peer.talk.receive(b"zzz\n", peer.at)
    assert len(peer.of(Remark)) == 20
    peer.told += peer.talk.receive(b"zzz\n", peer.at + 60.0)
    assert len(peer.of(Remark)) == 21


def test_pieces_whose_colour_a_board_does_not_tell_are_not_otherwise() -> None:
    peer = Peer()
    peer.play()
    peer.say("move c3d4")
    stands = after("c3d4", "f6g5")
    names = ",".join(BRAZILIAN.geometry.name(square) for square in range(64) if stands.occupied >> square & 1)
    peer.say(f"unsync ?{names}")
    assert not peer.of(Away)


def test_what_one_talk_knew_the_next_one_begins_with() -> None:
    memory = Memory()
    first = Peer(memory=memory)
    first.play()
    first.say("move c3d4")
    assert Peer(memory=memory).play() == write_fen(after("c3d4"), "pdn", "own")


def test_what_was_shown_before_is_begun_with_and_whose_turn_it_is_by_what_came_down_last() -> None:
    before, now = rows(initial(BRAZILIAN)), rows(after("c3d4"))
    assert Peer(known=Shown(0.0, now, before=(before,))).play() == write_fen(after("c3d4"), "pdn", "own")
    assert Peer(known=Shown(0.0, now)).play().startswith("W:")
    assert Peer(known=Shown(0.0, now.replace("w", "o"))).play() == write_fen(initial(BRAZILIAN), "pdn", "own")
    crowned = rows(position_of("W:WKh8:Ba7", BRAZILIAN))
    assert Peer(known=Shown(0.0, crowned)).play() == "W:WKh8:Ba7"


@pytest.mark.parametrize("word", ["nok", "err Unsupported position"])
def test_a_position_that_the_board_refuses_is_not_the_last_word(word) -> None:
    known = Shown(0.0, rows(position_of("W:We3:Ba7", BRAZILIAN)))
    peer = Peer(known=known)
    peer.play("err Unsupported position")
    assert peer.run(3.1)[-1] == "begin W:We3:Ba7"  # that may have been of what was said before
    peer.say(word)
    start = write_fen(initial(BRAZILIAN), "pdn", "own")
    assert peer.run(3.1)[-1] == f"begin {start}"
    peer.say("sync")
    assert peer.rows == rows(initial(BRAZILIAN))
    assert peer.say("move c3d4") == ["ok"]
    assert peer.rows == rows(after("c3d4"))


@pytest.mark.parametrize("first", ["msg starting", "nok"])  # `nok` may be to `set_variant`
def test_a_board_that_is_silent_as_the_round_begins_is_not_told_another_position(first) -> None:
    known = Shown(0.0, rows(position_of("W:We3:Ba7", BRAZILIAN)))
    peer = Peer(known=known)
    peer.play(first)
    peer.run(12.0)
    assert [line for line in peer.said if line.startswith("begin")] == ["begin W:We3:Ba7"] * 3
    assert peer.of(Hopeless)[-1].why == "no_snapshot"


@given(st.binary(max_size=200))
def test_whatever_it_says_in_a_round_is_no_error(data) -> None:
    peer = Peer()
    peer.play()
    for word in (b"move ", b"state ", b"undo ", b"promote ", b"sync ", b"redo ", b"time ", b"resign ", b""):
        peer.told += peer.talk.receive(word + data + b"\n", peer.at)
    peer.run(2.0)
    assert all(len(item.rows) == 71 for item in peer.of(Shown))


def test_numbers_are_the_variant_s_own() -> None:
    assert made("B:W18,32:B14", "1423", ENGLISH) == ["W:W32:B23"]
    assert write_fen(initial(ITALIAN), "pdn", "own").startswith("W:W21,22")
    assert write_fen(initial(BRAZILIAN), "pdn", "numbers").startswith("W:W21,22")
    assert write_fen(initial(INTERNATIONAL), "pdn", "letters").startswith("W:Wb4,d4")
