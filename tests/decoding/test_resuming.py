"""Going on from what is known of a board: tables of time | what comes in | what is told | what is asked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest
from decoding.test_conversation import HELLO, QUIET, Row, health, heartbeat, run, seen, snapshot

from damas_board.decoding import wire
from damas_board.decoding.conversation import (
    UNREADABLE,
    Back,
    Conversation,
    Greeted,
    Known,
    Lost,
    Observation,
    Pressed,
    Resumed,
    Seen,
)
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import VirtualClock

RUN = replace(HELLO, boot_id=3, t=60_000, seq=5)
"""The board has been on for a minute when the port is opened at 100.0 (so its 0 is 40.0), and has had five events."""
KNOWN = Known("00000007", 3, 3, (1, 1, 0, 0), 95.0)
"""It had had three when it was heard last."""


def go_on(rows: Sequence[Row], known: Known = KNOWN, hello: wire.Hello = RUN, asks: str = "RESEND 4") -> Conversation:
    greeted: Row = (100.0, hello, [Greeted(100.0, hello)], [asks])
    return run([(100.0, QUIET, [], ["HELLO"]), greeted, *rows], Conversation(100.0, known=known))


def test_what_was_missed_is_fetched_checked_and_told_together_with_when_it_was() -> None:
    conversation = go_on(
        [
            (100.1, wire.Event(4, 57_000, 1, 0), [], []),
            (100.1, wire.Event(5, 58_500, 3, 1), [], ["SNAPSHOT"]),
            (
                100.2,
                snapshot(5, 60_200, "0110"),
                [Resumed(100.2, (seen(100.2, "0100", 97.0), seen(100.2, "0110", 98.5), seen(100.2, "0110")))],
                [],
            ),
            (100.5, wire.Event(6, 60_500, 4, 1), [seen(100.5, "0111")], []),
        ]
    )
    assert conversation.deadline == 103.5


def test_each_reading_says_which_event_it_is_of() -> None:
    conversation = Conversation(100.0, known=KNOWN)
    frames = [RUN, wire.Event(4, 57_000, 1, 0), wire.Event(5, 58_500, wire.Key.CLOCK_A, 1), snapshot(5, 60_200, "0100")]
    told = conversation.receive(b"".join(map(wire.encode_frame, frames)), 100.1)
    told += conversation.receive(wire.encode_frame(wire.Event(6, 60_500, 4, 1)), 100.5)
    (resumed,) = [item for item in told if isinstance(item, Resumed)]
    assert [item.seq for item in resumed.missed] == [4, 5, 5]
    assert [item.seq for item in told if isinstance(item, Seen)] == [6]


def test_where_nothing_happened_only_the_board_is_looked_at() -> None:
    hello = replace(RUN, seq=3)
    go_on([(100.1, snapshot(3, 60_100), [Resumed(100.1, (seen(100.1, "1100"),))], [])], hello=hello, asks="SNAPSHOT")


def test_a_lever_that_was_pressed_meanwhile_counts() -> None:
    go_on(
        [
            (100.1, wire.Event(4, 57_000, wire.Key.CLOCK_B, 1), [], []),
            (100.1, wire.Event(5, 57_050, wire.Key.CLOCK_B, 0), [], ["SNAPSHOT"]),
            (
                100.2,
                snapshot(5, 60_200),
                [Resumed(100.2, (Pressed(100.2, wire.Key.CLOCK_B, 97.0), seen(100.2, "1100")))],
                [],
            ),
        ]
    )


def test_what_is_gone_from_the_log_is_a_hole() -> None:
    refused = wire.Nak(5, 60_100, 2, wire.CommandType.RESEND, wire.NakCode.GONE)
    told = [Lost(100.2, "events_lost"), Back(100.2), seen(100.2, "0110")]
    go_on([(100.1, refused, [], ["SNAPSHOT"]), (100.2, snapshot(5, 60_200, "0110"), told, [])])


def test_what_does_not_come_in_two_tries_is_a_hole() -> None:
    told = [Lost(101.1, "events_lost"), Back(101.1), seen(101.1, "0110")]
    go_on(
        [
            (100.1, wire.Event(4, 57_000, 1, 0), [], []),
            (100.5, QUIET, [], ["RESEND 5"]),
            (101.0, QUIET, [], ["SNAPSHOT"]),
            (101.1, snapshot(5, 61_100, "0110"), told, []),
        ]
    )


@pytest.mark.parametrize(
    "hello",
    [
        pytest.param(replace(RUN, boot_id=4), id="another run of the board"),
        pytest.param(replace(RUN, uid=8), id="another board"),
        pytest.param(replace(RUN, seq=2), id="fewer events than are known"),
        pytest.param(replace(RUN, places=3), id="fewer places than are known"),
    ],
)
def test_of_anything_else_nothing_is_known(hello: wire.Hello) -> None:
    places = hello.places
    levels = wire.Snapshot(hello.seq, 60_100, 1, wire.pack_levels((*(0, 1, 1, 0)[:places], 0, 0, 0), 2))
    go_on([(100.1, levels, [seen(100.1, "0110"[:places])], [])], hello=hello, asks="SNAPSHOT")


def test_each_try_that_comes_further_is_followed_by_another() -> None:
    hello = replace(RUN, seq=6)
    missed = (seen(101.2, "0100", 97.0), seen(101.2, "0110", 98.5), seen(101.2, "0111", 99.0), seen(101.2, "0111"))
    go_on(
        [
            (100.1, wire.Event(4, 57_000, 1, 0), [], []),
            (100.5, QUIET, [], ["RESEND 5"]),
            (100.6, wire.Event(5, 58_500, 3, 1), [], []),
            (101.0, QUIET, [], ["RESEND 6"]),
            (101.1, wire.Event(6, 59_000, 4, 1), [], ["SNAPSHOT"]),
            (101.2, snapshot(6, 61_200, "0111"), [Resumed(101.2, missed)], []),
        ],
        hello=hello,
    )


def test_the_numbers_may_wrap_meanwhile() -> None:
    known, hello = replace(KNOWN, seq=65534), replace(RUN, seq=1)
    go_on(
        [
            (100.1, wire.Event(65535, 57_000, 1, 0), [], []),
            (100.1, wire.Event(0, 57_500, 2, 0), [], []),
            (100.1, wire.Event(1, 58_000, 2, 1), [], ["SNAPSHOT"]),
            (
                100.2,
                snapshot(1, 60_200, "0100"),
                [
                    Resumed(
                        100.2,
                        (
                            seen(100.2, "0100", 97.0),
                            seen(100.2, "0000", 97.5),
                            seen(100.2, "0100", 98.0),
                            seen(100.2, "0100"),
                        ),
                    )
                ],
                [],
            ),
        ],
        known,
        hello,
        "RESEND 65535",
    )


def test_a_log_that_leads_to_another_board_than_is_there_is_not_believed() -> None:
    told = [Lost(100.2, "events_lost"), Back(100.2), seen(100.2, "0011")]
    go_on(
        [
            (100.1, wire.Event(4, 57_000, 1, 0), [], []),
            (100.1, wire.Event(5, 58_500, 3, 1), [], ["SNAPSHOT"]),
            (100.2, snapshot(5, 60_200, "0011"), told, []),
            (100.5, wire.Event(6, 60_500, 4, 0), [seen(100.5, "0010")], []),
        ]
    )


def test_what_happens_while_it_is_looked_at_is_fetched_as_well() -> None:
    go_on(
        [
            (100.1, wire.Event(4, 57_000, 1, 0), [], []),
            (100.1, wire.Event(5, 58_500, 3, 1), [], ["SNAPSHOT"]),
            (100.2, snapshot(7, 60_200, "0100"), [], ["RESEND 6"]),
            (100.3, wire.Event(6, 60_100, 3, 0), [], []),
            (100.3, wire.Event(7, 60_125, 4, 1), [], ["SNAPSHOT"]),
            (100.35, wire.Event(8, 60_350, 4, 0), [], []),
            (
                100.4,
                snapshot(8, 60_400, "0100"),
                [
                    Resumed(
                        100.4,
                        (
                            seen(100.4, "0100", 97.0),
                            seen(100.4, "0110", 98.5),
                            seen(100.4, "0100", 100.1),
                            seen(100.4, "0101", 100.125),
                            seen(100.4, "0100", 100.35),
                            seen(100.4, "0100"),
                        ),
                    )
                ],
                [],
            ),
        ]
    )


def test_a_snapshot_that_does_not_come_is_asked_for_again() -> None:
    hello = replace(RUN, seq=3)
    told = [Resumed(100.7, (seen(100.7, "1100"),))]
    go_on(
        [(100.5, QUIET, [], ["SNAPSHOT"]), (100.7, snapshot(3, 60_700, tag=3), told, [])], hello=hello, asks="SNAPSHOT"
    )


def test_no_time_is_before_what_is_known_and_none_goes_back() -> None:
    """The first frames came slowly: by them, the board's 0 was later than it is by the last one."""
    go_on(
        [
            (100.1, wire.Event(4, 54_000, 1, 0), [], []),
            (100.1, wire.Event(5, 58_500, 3, 1), [], ["SNAPSHOT"]),
            (
                100.2,
                snapshot(5, 61_200, "0110"),
                [Resumed(100.2, (seen(100.2, "0100", 95.0), seen(100.2, "0110", 97.5), seen(100.2, "0110")))],
                [],
            ),
        ]
    )


def test_a_square_that_could_not_be_read_is_not_taken_for_known() -> None:
    """Its sensor was not still; the next heartbeat says whether it still is not."""
    known, hello = replace(KNOWN, levels=(UNREADABLE, 1, 0, 0)), replace(RUN, seq=4)
    missed = (seen(100.2, "?110", 97.0), seen(100.2, "?110"))
    go_on(
        [
            (100.1, wire.Event(4, 57_000, 3, 1), [], ["SNAPSHOT"]),
            (100.2, snapshot(4, 60_200, "0110"), [Resumed(100.2, missed)], []),
            (100.3, heartbeat(4, 60_300), [health(100.3, 4, 60_300), seen(100.3, "0110")], []),
        ],
        known,
        hello,
    )


class Talk:
    """A board in software whose port is opened and closed; of what it says, one frame in `loses` is broken."""

    def __init__(self, seed: int, loses: int) -> None:
        self.chance, self._loses = random.Random(seed), loses
        self.clock = VirtualClock()
        self.board = Board(SquareMap(8, "left"), self.clock, uid=7)
        self.pictures: list[tuple[int, ...]] = []
        self.known: Known | None = None

    def change(self) -> None:
        place = self.chance.randint(1, 32)
        (self.board.lift if self.board.pieces[place - 1] else self.board.place)(place)
        self.pictures.append(tuple(self.board.pieces))

    def opened(self, seconds: float) -> list[Observation]:
        conversation = Conversation(self.clock.now(), known=self.known)
        told: list[Observation] = []
        for _ in range(round(seconds / 0.02)):
            if self.chance.random() < 0.3:
                self.change()
            self.pass_time()
            self.board.advance()
            self.board.receive(conversation.data_to_send())
            pieces = self.board.data_to_send().split(b"\0")
            heard = b"\0".join(b"\1" if self._loses and not self.chance.randrange(self._loses) else p for p in pieces)
            told += [*conversation.receive(heard, self.clock.now()), *conversation.tick(self.clock.now())]
        for item in looked(told):
            if isinstance(item, Seen):
                self.known = Known("00000007", self.board.boot_id, item.seq, item.levels, item.was or item.at)
        return told

    def pass_time(self) -> None:
        self.clock.set(self.clock.now() + 0.02)


def looked(told: Sequence[Observation]) -> list[Observation]:
    """What was told, and what was told of it together, one by one."""
    return [part for item in told for part in (item.missed if isinstance(item, Resumed) else (item,))]


@pytest.mark.parametrize("loses", [0, 100])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_wherever_a_port_is_closed_each_picture_is_told_once_and_in_order(seed: int, loses: int) -> None:
    talk = Talk(seed, loses)
    talk.pictures.append(tuple(talk.board.pieces))
    told: list[Observation] = []
    for _ in range(12):
        told += talk.opened(talk.chance.uniform(2.0, 4.0))
        for _ in range(talk.chance.randint(0, 40)):
            talk.change()
            talk.pass_time()
    shown = [key for key, _ in groupby(item.levels for item in looked(told) if isinstance(item, Seen))]
    first = talk.pictures.index(shown[0])
    assert shown == talk.pictures[first : first + len(shown)]
    assert len(shown) > len(talk.pictures) - first - 60
    assert sum(isinstance(item, Resumed) for item in told) >= 8
    assert not any(isinstance(item, Lost) for item in told)
