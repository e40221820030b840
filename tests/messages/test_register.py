"""The register of a meeting: what is counted as a recurrence, and which decision belongs to which alert."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from courses import TOUCHED, alert, answered, closed, having, played

from damas_board.messages.course import Course
from damas_board.messages.register import RegisteredAlert, RegisteredDecision, entry_object, register
from damas_board.session.header import Header
from damas_board.session.inputs import Command

PLAYERS = {"white": {"name": "Ana"}, "black": {"name": "Rui"}}
SWAPPED = {"white": {"name": "Rui"}, "black": {"name": "Ana"}}
HEADER = Header("t-1", "br-cbjd", game="g-1", players=PLAYERS, round="1", table="4", utc="2026-01-31T18:30:00Z")


def game(**header: Any) -> Course:
    return played(TOUCHED, replace(HEADER, **header))


def alerts(*courses: Course) -> list[RegisteredAlert]:
    return [entry for entry in register(courses) if isinstance(entry, RegisteredAlert)]


def decisions(*courses: Course) -> list[RegisteredDecision]:
    return [entry for entry in register(courses) if isinstance(entry, RegisteredDecision)]


def occurrences(*courses: Course) -> list[int]:
    return [entry.occurrence for entry in alerts(*courses)]


def test_an_alert_is_registered_with_its_player_place_and_end() -> None:
    course = game()
    course = having(
        course,
        alert(course, 1, 4.7, "touch_move", side="white", squares=("c3",), ply=1, article="art. 5"),
        closed(course, 1, 9.0, "stands"),
    )
    (entry,) = alerts(course)
    assert (entry.player, entry.side, entry.kind, entry.severity) == ("Ana", "white", "touch_move", "irregular")
    assert (entry.place.round, entry.place.table, entry.place.game) == ("1", "4", "g-1")
    assert (entry.ply, entry.squares, entry.article, entry.closed) == (1, ("c3",), "art. 5", "stands")
    assert entry.ts == "2026-01-31T18:30:04.700Z"


def test_the_same_kind_by_the_same_player_recurs_over_games_and_colours() -> None:
    one, two = game(), game(game="g-2", players=SWAPPED, round="2")
    one = having(one, alert(one, 1, 4.7, "touched_unplayable"), alert(one, 2, 5.0, "touched_unplayable", side="black"))
    two = having(two, alert(two, 1, 4.7, "touched_unplayable", side="black"), alert(two, 2, 5.0, "touch_move"))
    assert occurrences(one, two) == [1, 1, 2, 1]


def test_a_side_without_a_name_recurs_within_its_game_only() -> None:
    one, two = game(players=None), game(game="g-2", players=None)
    one = having(one, alert(one, 1, 4.7, "held_piece"), alert(one, 2, 5.0, "held_piece"))
    two = having(two, alert(two, 1, 4.7, "held_piece"))
    assert occurrences(one, two) == [1, 2, 1]


def test_what_was_dismissed_and_what_is_nobodys_does_not_count() -> None:
    course = game()
    course = having(
        course,
        alert(course, 1, 4.7, "touch_move"),
        alert(course, 2, 5.0, "touch_move"),
        alert(course, 3, 5.0, "board_lost", side=None),
        closed(course, 1, 6.0, "dismissed"),
    )
    assert occurrences(course) == [0, 1, 0]


def test_a_decision_has_its_author_its_words_and_the_alert_that_it_names() -> None:
    course = having(game(), alert(game(), 1, 4.7, "touch_move"), closed(game(), 1, 9.0, "dismissed"))
    command = Command(9.0, "dismiss", "c1", {"alert": "g-1-a1"}, "ana", "it was the cat")
    (entry,) = decisions(answered(course, command))
    assert (entry.do, entry.by, entry.note, entry.outcome, entry.alert) == (
        "dismiss", "ana", "it was the cat", "done", "g-1-a1",
    )  # fmt: skip
    (of_alert,) = alerts(answered(course, command))
    assert (of_alert.decisions, of_alert.closed_by) == (("c1",), "c1")


def test_a_command_that_closed_an_alert_without_naming_it_belongs_to_it_as_well() -> None:
    course = having(game(), alert(game(), 1, 4.7, "touch_move"), closed(game(), 1, 9.0, "rectified"))
    course = answered(course, Command(9.0, "rewind", "c1", {"ply": 0}))
    assert decisions(course)[0].alert == "g-1-a1"
    assert alerts(course)[0].closed_by == "c1"


def test_a_refused_command_is_registered_and_closes_nothing_a_repeated_one_is_not() -> None:
    course = having(game(), alert(game(), 1, 4.7, "touch_move"), closed(game(), 1, 9.0, "stands"))
    course = answered(course, Command(9.0, "rewind", "c1", {"ply": 7}), "refused", "no_such_ply")
    course = answered(course, Command(9.5, "rewind", "c1", {"ply": 7}), "refused", "repeated")
    (entry,) = decisions(course)
    assert (entry.outcome, entry.reason, entry.alert) == ("refused", "no_such_ply", None)
    assert alerts(course)[0].closed_by is None


@pytest.mark.parametrize(
    ("do", "note", "outcome", "counts"),
    [
        ("result", None, "done", True),
        ("result", None, "refused", False),
        ("pause", None, "done", False),
        ("adjust", None, "done", False),
        ("pause", "the light went out", "done", True),
        ("pause", "the light went out", "refused", False),
        ("new_game", None, "done", False),
        ("new_game", "replayed, the colours were wrong", "done", True),
    ],
)
def test_a_decision_counts_if_it_was_done_and_is_no_routine_or_has_words(do, note, outcome, counts) -> None:
    (entry,) = decisions(answered(game(), Command(2.0, do, "c0", {}, "ana", note), outcome))
    assert entry.counts is counts


def test_an_entry_is_a_flat_object() -> None:
    course = having(game(), alert(game(), 1, 4.7, "touch_move", squares=("c3",)))
    (entry,) = register([course])
    flat = entry_object(entry)
    assert {"entry": "alert", "game": "g-1", "table": "4", "round": "1", "squares": ["c3"]}.items() <= flat.items()
    assert "place" not in flat
