"""A board without diodes is called what it is, and nobody is accused of what its wiring shows.

That no sound board is called so, whatever stands on it, is held with the real games (tests/benchmarks/real_games.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import real_games

from damas_board.cli.alert_text import alert_text
from damas_board.decoding.square_map import CORNERS, Corner, SquareMap, lines_along
from damas_board.messages.encoding import event_object
from damas_board.messages.recording import header_from, header_object
from damas_board.rules.position import initial
from damas_board.session.events import AlertClosed, AlertRaised, BoardChanged, Event, MoveMade
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, See, Tick
from damas_board.session.session import Session
from simulator.faults import NoDiodes
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.recorded import inputs

KINDS = [kind for kind in real_games.KINDS if kind not in real_games.OWN]


def through_matrix(items: Sequence[Input], where: SquareMap, fault: NoDiodes) -> list[Input]:
    """What a board of contacts reads of what stands there."""
    found = []
    for item in items:
        if isinstance(item, See):
            levels = fault.scan(where.levels(item.rows, 2), where.size)
            item = replace(item, rows=where.rows(levels, 2))
        found.append(item)
    return found


def first_game(kind: str) -> PlayedGame:
    """The first game of `kind`, in its smallest file, that is played from the initial position."""
    files = [source for source in real_games.sources(kind) if not source.endswith(real_games.COMBINATIONS)]
    for source in sorted(files, key=lambda name: (real_games.SHARED / "games" / name).stat().st_size):
        for index in real_games.playable(source):
            game = real_games.game_of(source, index)
            if game.start == initial(game.start.variant):
                return game
    raise ValueError(kind)


class Haunted:
    """A game played on a board whose matrix has no diodes, or a few contacts without."""

    def __init__(self, kind: str, corner: Corner, bare: frozenset[int] | None = None) -> None:
        self.game = first_game(kind)
        regulation = real_games.regulation_of(kind)[0]
        self.map = SquareMap(regulation.variant.size, regulation.variant.corner, corner)
        header = real_games.header_of(kind, self.game.start, lines_along(corner))
        self.session = Session(header, regulation)
        self.fault = NoDiodes(bare=bare)
        self.events: list[Event] = []

    def play(self, name: str = "club", seed: int = 1, plies: int | None = None) -> None:
        game = replace(self.game, moves=self.game.moves[:plies])
        for item in through_matrix(list(inputs(game, level(name), seed)), self.map, self.fault):
            self.feed(item)

    def feed(self, item: Input) -> None:
        self.events += self.session.feed(item)

    @property
    def alerts(self) -> list[AlertRaised]:
        return [event for event in self.events if isinstance(event, AlertRaised)]

    @property
    def ghosts(self) -> list[AlertRaised]:
        return [alert for alert in self.alerts if alert.evidence.get("reason") == "ghost"]


@pytest.fixture(autouse=True)
def _games(shared: Path) -> None:
    pass


@pytest.mark.parametrize(("kind", "corner"), list(zip(KINDS, CORNERS * 3, strict=False)))
def test_whatever_is_played_a_board_without_diodes_is_told_as_ghosts_and_accuses_nobody(
    kind: str, corner: Corner
) -> None:
    board = Haunted(kind, corner)
    board.play()
    assert board.ghosts[0] is board.alerts[0]
    assert [alert for alert in board.alerts if alert.side is not None] == []
    # Where lines run along the columns the whole board may be full from the beginning.
    assert {alert.kind for alert in board.alerts} <= {"board_mismatch", "wrong_setup"}
    assert not any(isinstance(event, MoveMade) for event in board.events)


def test_the_first_piece_put_on_an_empty_line_is_enough_and_the_board_says_why_it_disagrees() -> None:
    board = Haunted("international", "black-left")
    board.play("clean", plies=1)
    landed = board.map.square(board.map.place(board.game.moves[0].end))
    geometry = board.game.start.variant.geometry
    (alert,) = board.ghosts
    assert geometry.name(landed) in alert.squares
    assert len(alert.squares) == 5
    told = [event for event in board.events if isinstance(event, BoardChanged) and event.state == "mismatch"]
    assert [(event.reason, set(event.clear or ())) for event in told] == [("ghost", set(alert.squares))]
    assert board.session.state.alerts[0]["reason"] == "ghost"


@pytest.mark.parametrize("name", ["clean", "club"])
@pytest.mark.parametrize("stuck", [(13,), (14, 15), (18, 20), (13, 17), (13, 14, 15, 16), (1, 32)])
def test_sensors_of_a_sound_board_that_stick_are_no_ghosts(stuck: tuple[int, ...], name: str) -> None:
    board = Haunted("brazilian", "black-left", frozenset())
    for item in inputs(board.game, level(name), 1):
        if isinstance(item, See):
            levels = [max(stands, place in stuck) for place, stands in enumerate(board.map.levels(item.rows, 2), 1)]
            item = replace(item, rows=board.map.rows(levels, 2))
        board.feed(item)
    assert board.alerts != []
    assert board.ghosts == []


def test_what_the_arbiter_has_dismissed_is_not_told_again() -> None:
    board = Haunted("brazilian", "black-left")
    board.play("clean", plies=2)
    at = max(event.at for event in board.events) + 30.0
    board.feed(Command(at, "dismiss", "c1", {"alert": board.ghosts[0].id}))
    for item in through_matrix(list(inputs(board.game, level("club"), 3)), board.map, board.fault):
        board.feed(replace(item, at=item.at + at))
    assert len(board.ghosts) == 1


def test_one_contact_without_a_diode_is_told_as_well() -> None:
    board = Haunted("international", "black-left", frozenset({28}))
    board.play("clean", seed=3)
    assert board.ghosts != []


def test_at_another_board_the_ghosts_are_over() -> None:
    board = Haunted("brazilian", "black-left")
    board.play("clean", plies=1)
    at = max(event.at for event in board.events) + 30.0
    board.feed(Command(at, "move_to", "c1", {"board": "t-2", "turn": 0, "wiring": "columns"}))
    closed = [event for event in board.events if isinstance(event, AlertClosed)]
    assert [event.id for event in closed] == [board.ghosts[0].id]
    board.fault.bare = frozenset()
    for item in through_matrix(list(inputs(board.game, level("clean"), 1)), board.map, board.fault):
        board.feed(replace(item, at=item.at + at + 1.0))
    board.feed(Tick(at + 3600.0))
    assert len(board.ghosts) == 1
    assert len(board.session.state.moves) == len(board.game.moves)


def test_a_recording_says_how_the_board_is_wired() -> None:
    header = Header("t-1", "br-cbjd", wiring="columns")
    assert header_from(header_object(header)) == header
    assert "wiring" not in header_object(Header("t-1", "br-cbjd"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "these squares look like ghosts: the board has no diodes, or one is reversed"),
        ("pt", "estas casas parecem fantasmas: o tabuleiro não tem díodos, ou um está ao contrário"),
    ],
)
def test_a_person_reads_what_ghosts_are(monkeypatch: pytest.MonkeyPatch, language: str, text: str) -> None:
    monkeypatch.setenv("DAMAS_LANG", language)
    board = Haunted("brazilian", "black-left")
    board.play("clean", plies=1)
    assert f"b4 d4 f4 h4, {text}" in alert_text(event_object(board.ghosts[0]))
