"""The log that a simulated board keeps, by its bytes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from simulator.dgt.clock import Reading
from simulator.dgt.memory import SIZE, LogMemory

W, B = 0x01, 0x04
FULL = [code if (field // 10 + field) % 2 and field // 10 not in (4, 5) else 0 for field, code in enumerate([W] * 100)]


def written(memory: LogMemory) -> str:
    """What was ever written and is still there, before the end mark."""
    data = memory.read()
    assert len(data) == SIZE
    assert data[-1] == 0x6B
    assert max(data) < 0x80
    return data[-1 - memory.written : -1].hex(" ")


def changes(memory: LogMemory, *steps: tuple[int, int, float], codes: Iterable[int] = (W,) * 100) -> None:
    for field, code, at in steps:
        memory.changed(field, code, tuple(codes), at)


def test_what_changes_is_written_with_whether_it_came_soon() -> None:
    memory = LogMemory()
    changes(memory, (18, 0, 1.0), (27, W, 1.2), (99, B, 1.5))
    assert written(memory) == "40 12 51 1b 44 63"


def test_a_field_that_six_bits_do_not_hold_loses_the_upper_one() -> None:
    memory = LogMemory(bits=6)
    changes(memory, (99, B, 1.0))
    assert written(memory) == "44 23"


def test_a_piece_that_flickers_has_no_more_entries_than_one_that_was_lifted_once() -> None:
    memory = LogMemory()
    changes(memory, *((18, W * (n % 2), 1.0 + n / 10) for n in range(10)))
    assert written(memory) == "40 12 51 12"
    changes(memory, (18, 0, 5.0), (18, W, 6.0))
    assert written(memory) == "40 12 51 12 40 12 41 12", "what is lifted again later is written again"


def test_being_switched_on_is_marked() -> None:
    memory = LogMemory()
    memory.powered_up(1.0)
    changes(memory, (18, W, 1.1))
    assert written(memory) == "7f 7f 7f 6a 51 12"


def test_the_time_of_who_pressed_the_lever_is_written() -> None:
    memory = LogMemory()
    memory.pressed(Reading(3723, 59, True, "right", right_is_up=True), 1.0)
    memory.pressed(Reading(3700, 59, True, "left", right_is_up=False), 2.0)
    assert written(memory) == "71 02 03 60 00 59"


def test_a_start_position_is_marked_once_until_more_than_two_pieces_were_out_of_it() -> None:
    memory, codes = LogMemory(), list(FULL)
    out = [field for field, code in enumerate(codes) if code][:3]
    changes(memory, (1, W, 1.0), codes=codes)
    for count in (2, 3):
        for field in out[:count]:
            codes[field] = 0
            changes(memory, (field, 0, 2.0), codes=codes)
        for field in out[:count]:
            codes[field] = W
            changes(memory, (field, W, 3.0), codes=codes)
    assert written(memory).split().count("6c") == 2
    assert written(memory).endswith("6c")


def test_an_empty_board_is_marked() -> None:
    memory = LogMemory()
    changes(memory, (18, 0, 1.0), codes=[0] * 100)
    assert written(memory) == "40 12 6d"


def test_having_been_read_is_marked_behind_what_was_sent() -> None:
    memory = LogMemory()
    before = memory.read()
    memory.downloaded(1.0)
    assert before[-2:].hex(" ") == "7f 6b"
    assert written(memory) == "6e"


@pytest.mark.parametrize("count", [SIZE // 2 + 5, SIZE])
def test_where_it_is_full_the_oldest_bytes_are_gone(count: int) -> None:
    memory = LogMemory()
    changes(memory, *((field % 50, 0, float(field)) for field in range(count)))
    data = memory.read()
    assert data[0] == (count - 1 - (SIZE - 2) // 2) % 50, "it begins with the second byte of an entry"
    assert data[-3:].hex(" ") == f"40 {(count - 1) % 50:02x} 6b"
