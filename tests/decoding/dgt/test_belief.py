"""Tables of time | what the board says | what is believed then."""

from __future__ import annotations

from random import Random

import pytest

from damas_board.decoding.dgt.belief import MOST_STEPS, Belief, Reading

START = "1144"


def codes(text: str) -> tuple[int, ...]:
    return tuple(int(code, 16) for code in text)


def believing(*board: str) -> Belief:
    belief = Belief()
    assert belief.dumped(-9.0, codes(START)) is None
    assert belief.dumped(-8.0, codes(START)) == [Reading(-8.0, codes(START))]
    return belief


Row = tuple[float, str, str | list[tuple[float, str]] | None]
"""A dump as a text, or a change as `field=code`; "waits", or the boards that led to what is believed."""

TABLES: dict[str, list[Row]] = {
    "nothing happens": [(0.0, "1144", []), (2.0, "1144", [])],
    "a change that is told is believed with the first dump, as of when it was told": [
        (0.0, "1=0", None),
        (0.1, "1044", [(0.0, "1044")]),
    ],
    "what led there is told in its order": [
        (0.0, "1=0", None),
        (0.1, "2=1", None),
        (0.2, "3=0", None),
        (0.3, "1010", [(0.0, "1044"), (0.1, "1014"), (0.2, "1010")]),
    ],
    "the new field before the old one": [
        (0.0, "2=1", None),
        (0.1, "1=0", None),
        (0.2, "1014", [(0.0, "1114"), (0.1, "1014")]),
    ],
    "what was lifted and put back between two dumps": [
        (0.0, "1=0", None),
        (0.1, "1=1", None),
        (0.2, "1144", [(0.0, "1044"), (0.1, "1144")]),
    ],
    "a garbled dump is contradicted by the next": [(0.0, "1A44", "waits"), (0.1, "1144", [])],
    "a garbled dump of a change": [(0.0, "1=0", None), (0.1, "1040", "waits"), (0.2, "1044", [(0.0, "1044")])],
    "a garbled dump that hides the change": [
        (0.0, "1=0", None),
        (0.1, "1144", "waits"),
        (0.2, "1044", [(0.0, "1044")]),
    ],
    "two garbled dumps, each in its way": [
        (0.0, "1A44", "waits"),
        (0.1, "114A", "waits"),
        (0.2, "1A44", "waits"),
        (0.6, "1A44", "waits"),
        (0.7, "1144", []),
    ],
    "a change that was not told is believed when dumps have been saying it for a while": [
        (0.0, "1044", "waits"),
        (0.2, "1044", "waits"),
        (0.4, "1044", "waits"),
        (0.5, "1044", [(0.5, "1044")]),
    ],
    "a board that finds its pieces again is not empty": [
        (0.0, "0000", "waits"),
        (0.1, "3=4", None),
        (0.2, "0004", "waits"),
        (0.3, "2=4", None),
        (0.3, "0=1", None),
        (0.4, "1044", "waits"),
        (0.5, "1=1", None),
        (0.6, "1144", []),
    ],
    "a garbled message that something changed": [
        (0.0, "1=A", None),
        (0.1, "1044", "waits"),
        (0.5, "1044", "waits"),
        (0.9, "1044", [(0.9, "1044")]),
    ],
    "a garbled message of a field that did not change": [(0.0, "3=0", None), (0.1, "1144", "waits"), (0.9, "1144", [])],
    "a change behind a dump that does not have it": [
        (0.0, "1=0", None),
        (0.1, "1044", [(0.0, "1044")]),
        (0.2, "2=1", None),
        (0.3, "1044", "waits"),
        (0.4, "1014", [(0.2, "1014")]),
    ],
    "a change that is told behind the dump that has it": [
        (0.0, "1044", "waits"),
        (0.1, "1=0", None),
        (0.2, "1044", [(0.1, "1044")]),
    ],
    "boards that were contradicted in between are not told, but the end is": [
        (0.0, "1=0", None),
        (0.1, "1040", "waits"),
        (0.2, "3=1", None),
        (0.3, "1041", [(0.2, "1041")]),
        (1.0, "1=1", None),
        (1.1, "1A41", "waits"),
        (1.2, "1=0", None),
        (1.3, "1041", []),
    ],
    "a field that such a board has not": [(0.0, "9=1", None), (0.1, "1144", [])],
}


@pytest.mark.parametrize("rows", TABLES.values(), ids=TABLES)
def test_what_is_believed(rows: list[Row]) -> None:
    belief = believing()
    for at, said, expected in rows:
        if "=" in said:
            field, code = said.split("=")
            belief.changed(at, int(field), int(code, 16))
            continue
        readings = belief.dumped(at, codes(said))
        if expected == "waits":
            assert readings is None, (at, said)
        else:
            assert readings == [Reading(when, codes(board)) for when, board in expected], (at, said)
            assert belief.codes == codes(said)


def test_the_first_board_is_believed_when_dumps_have_been_the_same_for_a_while() -> None:
    belief = Belief()
    told = [belief.dumped(at / 4, codes("1104" if at == 1 else START)) for at in range(6)]
    assert [index for index, readings in enumerate(told) if readings is not None] == [4, 5]


def test_a_board_that_may_have_been_switched_on_has_to_be_the_same_for_longer() -> None:
    full, few, less, none = codes("111444"), codes("000004"), codes("110444"), codes("000000")
    belief = Belief()
    belief.dumped(-9.0, full)
    assert belief.dumped(-8.0, full) is not None
    belief.hear()
    assert belief.dumped(0.0, few) is None
    assert belief.dumped(1.0, less) is None
    assert belief.dumped(1.5, less) is None
    assert belief.dumped(1.9, less) is None
    assert belief.dumped(2.0, less) is not None
    belief.hear()
    assert belief.dumped(3.0, none) is None
    assert belief.dumped(4.5, none) is None
    assert belief.dumped(5.0, none) is not None


def test_changes_on_fields_that_are_not_known_shorten_what_dumps_need() -> None:
    belief = believing()
    belief.hear()
    assert belief.dumped(0.0, codes("1044")) is None
    assert belief.dumped(0.4, codes("1044")) == [Reading(0.4, codes("1044"))]
    assert belief.dumped(0.8, codes("1144")) is None
    assert belief.dumped(1.2, codes("1144")) is None
    assert belief.dumped(1.6, codes("1144")) == [Reading(1.6, codes("1144"))]


def test_a_contact_that_is_never_still_is_told_by_its_end_only() -> None:
    belief = believing()
    for step in range(2 * MOST_STEPS):
        belief.changed(step / 1000, 1, step % 2)
    assert belief.dumped(1.0, codes("1144")) == []
    for step in range(MOST_STEPS + 1):
        belief.changed(1.0 + step / 1000, 1, step % 2)
    assert belief.dumped(2.0, codes("1044")) == [Reading(2.0, codes("1044"))]


@pytest.mark.parametrize("seed", range(20))
def test_no_board_is_believed_that_never_was(seed: int) -> None:
    """Whatever one message in five becomes, while pieces move about; only that two wrong ones do not say the same."""
    random = Random(seed)
    board = [random.choice((0, 1, 4)) for _ in range(100)]
    belief, at, were = Belief(), 0.0, {tuple(board)}
    believed = 0
    for _ in range(1000):
        at += 0.11
        if random.random() < 0.1:
            field, code = random.randrange(100), random.choice((0, 1, 4, 7, 10))
            board[field] = code
            were.add(tuple(board))
            if random.random() < 0.9:
                where = random.randrange(100) if random.random() < 0.1 else field
                belief.changed(at, where, random.choice((8, 9, 11, 12)) if random.random() < 0.1 else code)
        dump = list(board)
        if random.random() < 0.2:
            dump[random.randrange(100)] = random.choice((2, 3, 5, 6))
        if belief.dumped(at, tuple(dump)) is not None:
            believed += 1
            assert belief.codes in were
    assert believed > 300
