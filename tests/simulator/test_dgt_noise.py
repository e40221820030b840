"""Bits that turn over on the line of the simulated board of another maker."""

from __future__ import annotations

from dgt_host import host

from simulator.dgt.noise import GarbledBytes


def frames(top_bit: bool) -> list[bytes]:
    fault = GarbledBytes(share=0.3, top_bit=top_bit, seed=1)
    return [fault.transmit(bytes((0x8E, 0, 5, 33, 1)), 0.0)[1] for _ in range(500)]


def test_a_share_of_the_frames_has_one_bit_turned_over_and_none_another_length() -> None:
    good = bytes((0x8E, 0, 5, 33, 1))
    wrong = [frame for frame in frames(top_bit=True) if frame != good]
    assert 100 < len(wrong) < 200
    turned = [sum((a ^ b).bit_count() for a, b in zip(frame, good, strict=True)) for frame in wrong]
    assert set(turned) == {1}


def test_the_top_bit_can_be_left_alone() -> None:
    assert all([byte >> 7 for byte in frame] == [1, 0, 0, 0, 0] for frame in frames(top_bit=False))
    assert any([byte >> 7 for byte in frame] != [1, 0, 0, 0, 0] for frame in frames(top_bit=True))


def test_a_dump_may_show_what_does_not_stand_there_and_nothing_tells_it_from_another() -> None:
    board = host(faults=[GarbledBytes(share=0.5, top_bit=False)])
    dumps = {board.dump() for _ in range(30)}
    assert bytes(100) in dumps
    assert len(dumps) > 5
