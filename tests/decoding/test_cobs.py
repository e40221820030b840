from __future__ import annotations

import pytest
from cobs import cobs as reference
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding import cobs

mostly_zeros = st.lists(st.sampled_from([b"\0", b"\1", b"\xff", b"x" * 253, b"y" * 254, b"z" * 255])).map(b"".join)


@given(st.binary(max_size=700) | mostly_zeros)
def test_encoding_decodes_to_the_same_bytes_and_has_no_zero(data: bytes) -> None:
    encoded = cobs.encode(data)
    assert 0 not in encoded
    assert cobs.decode(encoded) == data


@given(st.binary(max_size=700) | mostly_zeros)
def test_another_implementation_reads_what_this_one_writes_and_the_other_way_round(data: bytes) -> None:
    assert reference.decode(cobs.encode(data)) == data
    assert cobs.decode(reference.encode(data)) == data


@given(st.binary(max_size=63))
def test_a_frame_of_this_protocol_grows_by_one_byte(data: bytes) -> None:
    assert len(cobs.encode(data)) == len(data) + 1
    assert cobs.encode(data) == reference.encode(data)


@pytest.mark.parametrize("data", [b"\0", b"\2", b"\3a", b"\2a\0", b"\3a\0", b"\1\0"])
def test_what_no_encoder_writes_is_refused(data: bytes) -> None:
    with pytest.raises(cobs.CobsError):
        cobs.decode(data)


@given(st.binary(max_size=100))
def test_any_bytes_are_decoded_or_refused_as_the_other_implementation_does(data: bytes) -> None:
    try:
        expected = reference.decode(data)
    except reference.DecodeError:
        with pytest.raises(cobs.CobsError):
            cobs.decode(data)
    else:
        assert cobs.decode(data) == expected
